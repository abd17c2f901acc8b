/*
 * database.c - opening the database of --db as the options say.
 *
 * A password is asked for on the terminal itself, not on standard input, which may be the
 * statement; what is typed is not shown. A file that --import names may be in any format
 * that is read; its rows go into the table one by one.
 */
#define _POSIX_C_SOURCE 200809L

#include "database.h"

#include "interrupt.h"
#include "format_args.h"
#include "load.h"
#include "pump.h"
#include "watchdog.h"
#include "width.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static bool stop(void *ctx)
{
    (void)ctx;
    return interrupt_pending() != 0;
}

/* What might surprise is said; what is merely worth knowing, only with --verbose. */
static void note(void *of, bool minor, const char *sentence)
{
    context *ctx = of;
    if (minor && !args_has(&ctx->given, OPTION_VERBOSE))
        return;
    progress_clear(&ctx->line);
    diag_note(&ctx->errors, "%s", sentence);
}

/* Where this fails, it is asked in silence. */
static void say(int terminal, const char *text)
{
    ssize_t written = write(terminal, text, strlen(text));
    (void)written;
}

/* A text of unknown origin: the name of a user or a host may hold anything. */
static void say_safely(int terminal, const char *text)
{
    size_t len = strlen(text);
    for (size_t at = 0; at < len;) {
        width_cell cell = width_cell_at(text + at, len - at);
        say(terminal, cell.shown);
        at += cell.bytes;
    }
}

/* Reads a line without its end; false when there is none or it is too long. */
static bool read_line(int terminal, char *into, size_t size)
{
    size_t len = 0;
    for (;;) {
        char byte;
        ssize_t got = read(terminal, &byte, 1);
        if (got <= 0 || len + 1 >= size)
            return false;
        if (byte == '\n') {
            into[len] = '\0';
            return true;
        }
        into[len++] = byte;
    }
}

static bool ask_password(void *of, const char *who, char *into, size_t size)
{
    context *ctx = of;
    struct termios shown, hidden;
    progress_clear(&ctx->line);
    int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (terminal < 0)
        return false;
    bool given = false;
    if (tcgetattr(terminal, &shown) == 0) {
        hidden = shown;
        hidden.c_lflag &= ~(tcflag_t)ECHO;
        tcsetattr(terminal, TCSAFLUSH, &hidden);
        say(terminal, "Password for ");
        say_safely(terminal, who);
        say(terminal, ": ");
        watchdog_pause();
        given = read_line(terminal, into, size);
        watchdog_resume();
        tcsetattr(terminal, TCSAFLUSH, &shown);
        say(terminal, "\n");
    }
    close(terminal);
    return given;
}

/* The whole command has this long: what takes time is not always the statement. */
static void set_deadline(context *ctx, unsigned seconds)
{
    char words[400];
    pith_error problem;
    size_t used = 0;
    db_explain_timeout(seconds, &problem);
    if (ctx->line.enabled) /* the progress line may be on the screen */
        used = (size_t)snprintf(words, sizeof words, "\r\033[K");
    int status = diag_compose(&ctx->errors, &problem, words + used, sizeof words - used);
    watchdog_deadline(seconds, words, status);
}

/* --- files as tables */

/* The table that rows go to. */
typedef struct importing {
    db *into;
    const char *table;
} importing;

static pith_status import_row(void *ctx, pith_value row, pith_error *err)
{
    const importing *rows = ctx;
    return db_import(rows->into, rows->table, row, err);
}

static bool import_file(context *ctx, db *into, const char *table, const char *path)
{
    input in;
    pith_error err;
    bool done = false;
    if (!input_open(&in, path)) {
        input_explain_open(&in, &ctx->errors);
        input_close(&in);
        return false;
    }
    const pith_format *format = load_format(ctx, &in, path, "give its name a suffix");
    if (format != NULL) {
        pith_options options = {.read = format_lenience(format)};
        pith_reader *reader = pith_reader_open(format->name, &options, &err);
        importing rows = {into, table};
        pump conv = {.in = &in, .reader = reader, .each = import_row, .ctx = &rows};
        done = reader != NULL && pump_rows(&conv, &err) == PITH_OK;
        if (!done)
            report_failure(ctx, &in, NULL, &err);
        pith_reader_free(reader);
    }
    input_close(&in);
    return done;
}

static bool import_one(context *ctx, db *into, const char *given)
{
    size_t len = strcspn(given, "=");
    if (len == 0 || given[len] == '\0' || given[len + 1] == '\0') {
        diag_usage(&ctx->errors, "bad_value", NULL,
                   "--import takes NAME=FILE, as in orders=orders.csv, not '%s'", given);
        return false;
    }
    char *table = strndup(given, len);
    if (table == NULL) {
        diag_system(&ctx->errors, NULL, "cannot import", "no_memory", ENOMEM);
        return false;
    }
    bool done = import_file(ctx, into, table, given + len + 1);
    free(table);
    return done;
}

static bool import_all(context *ctx, db *into)
{
    for (size_t i = 0; i < ctx->given.import_count; i++)
        if (!import_one(ctx, into, ctx->given.imports[i]))
            return false;
    return true;
}

/* --- opening and closing */

void database_close(context *ctx, db *from)
{
    watchdog_hush(ctx->errors.exit_code);
    db_close(from);
    watchdog_pause();
}

db *database_open(context *ctx, bool narrow)
{
    const args *given = &ctx->given;
    unsigned timeout = (unsigned)args_number(given, OPTION_TIMEOUT);
    const char *url = given->value[OPTION_DB];
    if (url == NULL) {
        diag_usage(&ctx->errors, "missing_option", DATABASE_HINT, "missing --db");
        return NULL;
    }
    db_options options = {
        .write = args_has(given, OPTION_WRITE),
        .narrow = narrow,
        .timeout_max = timeout,
        .value_max = args_size(given, OPTION_MAX_VALUE),
        .memory_max = args_size(given, OPTION_MAX_MEMORY),
        .trust_uri = args_has(given, OPTION_TRUST_URI),
        .stop = stop,
        .note = note,
        .password = ask_password,
        .ctx = ctx,
    };
    if (timeout > 0)
        set_deadline(ctx, timeout);
    pith_error err;
    db *opened = db_open(url, &options, &err);
    if (opened == NULL) {
        diag_problem(&ctx->errors, NULL, &err, NULL);
    } else if (!import_all(ctx, opened)) {
        database_close(ctx, opened);
        opened = NULL;
    }
    return opened;
}
