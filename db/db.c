/*
 * db.c - which database a URL means, and what all of them share.
 */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "db_driver.h"

#include "base/utf8.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* ------------------------------------------------------------------------- drivers */

/* What a URL begins with, and what answers to it in this build. cmake/db.cmake lists
 * them: DB_BUILT(scheme, driver) and DB_MISSING(scheme, Debian's package). */
typedef struct db_scheme {
    const char *word;
    const char *package;     /* that a build with it needs; NULL when this is one */
    const db_driver *driver; /* NULL: not in this build */
} db_scheme;

#ifndef PITH_DATABASES
#define PITH_DATABASES
#endif

#define DB_BUILT(word, name) extern const db_driver db_##name;
#define DB_MISSING(word, package)
PITH_DATABASES
#undef DB_BUILT
#undef DB_MISSING

#define DB_BUILT(word, name) {#word, NULL, &db_##name},
#define DB_MISSING(word, package) {#word, #package, NULL},
static const db_scheme schemes[] = {PITH_DATABASES{NULL, NULL, NULL}};

static const db_scheme *find_scheme(const char *url)
{
    size_t len = strcspn(url, ":");
    for (const db_scheme *at = schemes; at->word && url[len] == ':'; at++)
        if (strlen(at->word) == len && strncmp(at->word, url, len) == 0)
            return at;
    return NULL;
}

/* What decides is the name alone: "password", "sslpassword", "passwd", "pwd", and what
 * libpq has beside them. */
bool db_is_secret(const char *word)
{
    static const char *const names[] = {"pass",
                                        "passwd",
                                        "pwd",
                                        "passphrase",
                                        "scram_client_key",
                                        "scram_server_key",
                                        "oauth_client_secret"};
    size_t len = strlen(word);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcasecmp(word, names[i]) == 0)
            return true;
    return len >= 8 && strcasecmp(word + len - 8, "password") == 0;
}

pith_status db_password_in_url(pith_error *err)
{
    return db_fail(
        err, PITH_BAD_USE, "password_in_url",
        "a password in the URL can be read by everybody on this machine; put it "
        "in PITH_DB_PASSWORD or in the client's option file, or wait to be asked");
}

int db_hex_digit(char digit)
{
    return digit >= '0' && digit <= '9'                     ? digit - '0'
           : (digit | 0x20) >= 'a' && (digit | 0x20) <= 'f' ? (digit | 0x20) - 'a' + 10
                                                            : -1;
}

bool db_url_part(char *to, size_t size, const char *at, size_t len)
{
    size_t used = 0;
    size_t i = 0;
    for (; i < len && used + 1 < size; i++, used++) {
        int high = at[i] == '%' && i + 2 < len ? db_hex_digit(at[i + 1]) : -1;
        int low = high >= 0 ? db_hex_digit(at[i + 2]) : -1;
        to[used] = low >= 0 ? (char)(high * 16 + low) : at[i];
        i += low >= 0 ? 2 : 0;
    }
    to[used] = '\0';
    return i == len;
}

/* True when one of the settings after the question mark is a secret. */
static bool has_secret_setting(const char *url)
{
    const char *at = strchr(url, '?');
    while (at) {
        char word[64];
        at++;
        db_url_part(word, sizeof word, at, strcspn(at, "=&"));
        if (db_is_secret(word))
            return true;
        at = strchr(at, '&');
    }
    return false;
}

/* True for user:password@host. An unescaped slash in a password makes what is before
 * it look like a host with a port that is not a number. */
static bool has_secret_user(const char *from)
{
    size_t authority = strcspn(from, "/?#");
    const char *colon = memchr(from, ':', authority);
    const char *at = memchr(from, '@', authority);
    if (colon && at)
        return colon < at;
    if (colon && strchr(from, '@')) {
        size_t digits = strspn(colon + 1, "0123456789");
        return colon + 1 + digits != from + authority;
    }
    return false;
}

static bool has_password(const char *url)
{
    const char *from = strstr(url, "://");
    return from && (has_secret_user(from + 3) || has_secret_setting(from + 3));
}

static const db_driver *find_driver(const char *url, pith_error *err)
{
    const db_scheme *scheme = find_scheme(url);
    if (has_password(url)) {
        db_password_in_url(err);
        return NULL;
    }
    if (!scheme) {
        bool path = !strchr(url, ':');
        db_fail(err, PITH_BAD_USE, "bad_url",
                "a database is sqlite:PATH, mariadb://, mysql:// or postgres://%s%.60s",
                path ? "; did you mean sqlite:" : "", path ? url : "");
        return NULL;
    }
    if (!scheme->driver) {
        db_fail(err, PITH_BAD_USE, "no_driver",
                "this pith was built without %s; with %s installed, build it again",
                scheme->word, scheme->package);
        return NULL;
    }
    return db_load(scheme->driver->client, err) == PITH_OK ? scheme->driver : NULL;
}

/* What is asked for must have an effect: these options are SQLite's. */
static bool options_fit(const db_driver *driver, const db_options *options,
                        pith_error *err)
{
    bool asked = options && (options->value_max > 0 || options->memory_max > 0 ||
                             options->trust_uri);
    if (asked && driver->dialect != DIALECT_SQLITE) {
        db_fail(err, PITH_BAD_USE, "sqlite_only",
                "--max-value, --max-memory and --trust-uri are for SQLite; %s has limits "
                "of its own",
                driver->title);
        return false;
    }
    return true;
}

db *db_open(const char *url, const db_options *options, pith_error *err)
{
    const db_driver *driver = find_driver(url, err);
    if (!driver || !options_fit(driver, options, err))
        return NULL;
    db *from = calloc(1, sizeof *from);
    if (!from) {
        error_no_memory(err);
        return NULL;
    }
    from->driver = driver;
    if (options)
        from->options = *options;
    if (from->options.value_max == 0)
        from->options.value_max = DB_VALUE_USUAL;
    if (from->options.memory_max == 0)
        from->options.memory_max = DB_MEMORY_USUAL;
    db_begin_connecting(from, 0);
    if (driver->open(from, url, err) != PITH_OK) {
        db_close(from);
        return NULL;
    }
    from->connecting = 0;
    from->deadline = 0;
    return from;
}

static void drop_columns(db *from)
{
    for (size_t i = 0; i < from->column_count; i++) {
        free((void *)from->columns[i].name);
        free((void *)from->columns[i].type);
    }
    free(from->columns);
    from->columns = NULL;
    from->column_count = 0;
}

void db_close(db *from)
{
    if (!from)
        return;
    from->driver->close(from);
    drop_columns(from);
    pith_doc_free(from->scratch);
    free(from->buffer);
    free(from);
}

/* ------------------------------------------------------------------------- failing */

/* Cuts half a character off the end of a message that did not fit. */
static void trim_message(char *message)
{
    size_t len = strlen(message);
    message[len - utf8_cut(message, len)] = '\0';
}

/* One line: servers like to write several. */
static void flatten_message(char *message)
{
    size_t len = strlen(message);
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)message[i] < ' ')
            message[i] = ' ';
    while (len > 0 && message[len - 1] == ' ')
        message[--len] = '\0';
}

pith_status db_fail(pith_error *err, pith_status status, const char *code,
                    const char *format, ...)
{
    if (!err)
        return status;
    memset(err, 0, sizeof *err);
    err->status = status;
    err->code = code;
    va_list list;
    va_start(list, format);
    vsnprintf(err->message, sizeof err->message, format, list);
    va_end(list);
    trim_message(err->message);
    flatten_message(err->message);
    return status;
}

pith_status db_no_statement(pith_error *err)
{
    return db_fail(err, PITH_BAD_USE, "no_statement", "there is no statement to run");
}

pith_status db_several_statements(pith_error *err)
{
    return db_fail(err, PITH_BAD_USE, "several_statements",
                   "only one statement is allowed");
}

pith_status db_check_params(size_t wanted, size_t given, pith_error *err)
{
    if (wanted == given)
        return PITH_OK;
    return db_fail(err, PITH_BAD_USE, "parameter_count",
                   "expected %zu parameter%s, found %zu", wanted, wanted == 1 ? "" : "s",
                   given);
}

pith_status db_fault(const db *from, pith_error *err, const char *format, ...)
{
    char sentence[256];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    return db_fail(err, PITH_IO, "protocol_violation",
                   "%s: the server breaks its protocol: %s", from->driver->title,
                   sentence);
}

void db_note(db *from, bool minor, const char *format, ...)
{
    char sentence[256];
    if (!from->options.note)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    trim_message(sentence);
    from->options.note(from->options.ctx, minor, sentence);
}

/* ------------------------------------------------------------------------- waiting */

double db_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

pith_status db_explain_timeout(unsigned seconds, pith_error *err)
{
    return db_fail(err, PITH_LIMIT, "timeout",
                   "the statement took longer than %u second%s", seconds,
                   seconds == 1 ? "" : "s");
}

pith_status db_timed_out(const db *from, pith_error *err)
{
    return db_explain_timeout(from->options.timeout_max, err);
}

void db_begin_connecting(db *from, unsigned seconds)
{
    enum { USUAL_MAX = 30 };
    const db_options *options = &from->options;
    if (seconds == 0)
        seconds = options->connect_max ? options->connect_max : USUAL_MAX;
    if (options->timeout_max > 0 && options->timeout_max < seconds)
        seconds = options->timeout_max;
    from->connecting = seconds;
    from->deadline = db_now() + from->connecting;
}

static pith_status still_connecting(const db *from, pith_error *err)
{
    return db_fail(err, PITH_IO, "connect_failed",
                   "%s: there was no connection within %u second%s", from->driver->title,
                   from->connecting, from->connecting == 1 ? "" : "s");
}

pith_status db_may_go_on(const db *from, pith_error *err)
{
    if (from->options.stop && from->options.stop(from->options.ctx))
        return db_fail(err, PITH_CANCELLED, "cancelled", "cancelled");
    if (from->deadline > 0 && db_now() > from->deadline)
        return from->connecting ? still_connecting(from, err) : db_timed_out(from, err);
    return PITH_OK;
}

pith_status db_wait(const db *from, int socket, bool to_write, pith_error *err)
{
    enum { MOMENT_MS = 200 };
    struct pollfd one = {socket, (short)(to_write ? POLLIN | POLLOUT : POLLIN), 0};
    if (poll(&one, 1, MOMENT_MS) < 0 && errno != EINTR)
        return db_fail(err, PITH_IO, "connection_lost", "waiting for the server failed");
    return db_may_go_on(from, err);
}

/* ------------------------------------------------------------------------- columns */

bool db_set_columns(db *from, size_t count)
{
    drop_columns(from);
    from->columns = calloc(count ? count : 1, sizeof *from->columns);
    from->column_count = from->columns ? count : 0;
    return from->columns != NULL;
}

bool db_name_column(db *from, size_t index, const char *name, const char *type,
                    bool nested)
{
    db_column *column = &from->columns[index];
    column->name = strdup(name);
    column->type = strdup(type ? type : "");
    column->nested = nested;
    return column->name && column->type;
}

typedef struct named {
    const char *name;
    size_t index;
} named;

static int by_name(const void *a, const void *b)
{
    const named *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    return order ? order : (left->index > right->index) - (left->index < right->index);
}

static bool is_taken(const named *sorted, size_t count, const char *name)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        int order = strcmp(sorted[middle].name, name);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return false;
}

/* A name with the column's number after it, and strokes while that is taken. */
static char *number_name(const named *sorted, size_t count, const char *name,
                         size_t index)
{
    size_t size = strlen(name) + 24;
    char *made = malloc(size);
    size_t len = made ? (size_t)snprintf(made, size, "%s_%zu", name, index + 1) : 0;
    while (made && is_taken(sorted, count, made)) {
        char *longer = realloc(made, len + 2);
        if (!longer) {
            free(made);
            return NULL;
        }
        made = longer;
        made[len++] = '_';
        made[len] = '\0';
    }
    return made;
}

bool db_make_distinct(db *from)
{
    size_t count = from->column_count;
    named *sorted = calloc(count ? count : 1, sizeof *sorted);
    if (!sorted)
        return false;
    for (size_t i = 0; i < count; i++)
        sorted[i] = (named){from->columns[i].name, i};
    qsort(sorted, count, sizeof *sorted, by_name);
    char **made = calloc(count ? count : 1, sizeof *made);
    bool fine = made != NULL;
    for (size_t i = 1; fine && i < count; i++) {
        if (strcmp(sorted[i].name, sorted[i - 1].name) == 0) {
            made[i] = number_name(sorted, count, sorted[i].name, sorted[i].index);
            fine = made[i] != NULL;
        }
    }
    for (size_t i = 0; made && i < count; i++) {
        if (made[i]) {
            db_column *column = &from->columns[sorted[i].index];
            db_note(from, false,
                    "column %zu, \"%s\", is called \"%s\": the name is there twice",
                    sorted[i].index + 1, column->name, made[i]);
            sorted[i].name = made[i];
            free((void *)column->name);
            column->name = made[i];
        }
    }
    free(made);
    free(sorted);
    return fine;
}

size_t db_column_count(const db *from)
{
    return from->column_count;
}

const db_column *db_column_at(const db *from, size_t index)
{
    return index < from->column_count ? &from->columns[index] : NULL;
}

/* The first word of a type's name, without regard to case. */
static bool first_word_is(const char *type, const char *word)
{
    size_t len = strcspn(type, " (");
    return strlen(word) == len && strncasecmp(type, word, len) == 0;
}

pith_field db_column_holds(const db *from, size_t index)
{
    static const struct {
        const char *words[10]; /* NULL after the last */
        pith_type type;
    } known[] = {
        {{"int", "integer", "bigint", "smallint", "tinyint", "mediumint", "int2", "int8"},
         PITH_TYPE_INT},
        {{"oid"}, PITH_TYPE_UINT},
        {{"real", "double", "float"}, PITH_TYPE_FLOAT},
        {{"text", "char", "character", "varchar", "nchar", "nvarchar", "clob"},
         PITH_TYPE_TEXT},
        {{"bool", "boolean"}, PITH_TYPE_BOOL},
        {{"blob", "bytea", "binary", "varbinary"}, PITH_TYPE_BYTES},
    };
    pith_field field = {.type = PITH_TYPE_ANY, .nullable = true};
    const char *type = index < from->column_count ? from->columns[index].type : "";
    if (strstr(type, "[]"))
        return field;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        for (size_t k = 0; known[i].words[k]; k++)
            if (first_word_is(type, known[i].words[k]))
                field.type = known[i].type;
    }
    if (field.type == PITH_TYPE_INT && strstr(type, "unsigned"))
        field.type = PITH_TYPE_UINT;
    return field;
}

/* ------------------------------------------------------------------------- running */

pith_status db_start(db *from, const char *sql, const char *const *params, size_t count,
                     pith_error *err)
{
    unsigned seconds = from->options.timeout_max;
    from->rows = 0;
    from->changed = 0;
    from->deadline = seconds ? db_now() + seconds : 0;
    pith_status status = PITH_OK;
    if (!from->options.write)
        status = db_check_reads(sql, from->driver->dialect, err);
    if (status == PITH_OK)
        status = from->driver->start(from, sql, params, count, err);
    if (status == PITH_OK && !db_make_distinct(from))
        status = error_no_memory(err);
    return status;
}

pith_status db_start_named(db *from, const char *sql, const char *const *names,
                           const char *const *params, size_t count, pith_error *err)
{
    for (size_t i = 0; i < count && !from->driver->named; i++)
        if (names[i])
            return db_fail(err, PITH_BAD_USE, "no_such_parameter",
                           "parameters of %s have no names, so '%s=...' goes to none; "
                           "values go to them in order, and =VALUE may hold any sign",
                           from->driver->title, names[i]);
    from->names = names;
    pith_status status = db_start(from, sql, params, count, err);
    from->names = NULL;
    return status;
}

pith_status db_next(db *from, pith_rows *rows, bool *more, pith_error *err)
{
    enum { ROWS_BETWEEN_LOOKS = 1024 };
    pith_status status = PITH_OK;
    if (from->rows % ROWS_BETWEEN_LOOKS == ROWS_BETWEEN_LOOKS - 1)
        status = db_may_go_on(from, err);
    if (status == PITH_OK)
        status = from->driver->next(from, rows, more, err);
    if (status != PITH_OK || !*more)
        return status;
    from->rows++;
    return rows ? pith_rows_end_row(rows, err) : PITH_OK;
}

uint64_t db_changed(const db *from)
{
    return from->changed;
}

pith_status db_import(db *into, const char *table, pith_value row, pith_error *err)
{
    if (!into->driver->import) {
        return db_fail(err, PITH_BAD_USE, "bad_import",
                       "--import only works with sqlite::memory:");
    }
    return into->driver->import(into, table, row, err);
}

/* The names of the columns as pith_rows_open wants them. */
static pith_text *column_names(const db *from)
{
    pith_text *names = calloc(from->column_count + 1, sizeof *names);
    for (size_t i = 0; names && i < from->column_count; i++)
        names[i] = text_from(from->columns[i].name);
    return names;
}

static pith_status collect_rows(db *from, pith_buffer *text, pith_error *err)
{
    pith_text *names = column_names(from);
    if (!names)
        return error_no_memory(err);
    pith_rows *rows = pith_rows_open("json", names, from->column_count, NULL,
                                     pith_sink_buffer(text), err);
    pith_status status = rows ? PITH_OK : err->status;
    bool more = true;
    while (status == PITH_OK && more)
        status = db_next(from, rows, &more, err);
    if (status == PITH_OK)
        status = pith_rows_close(rows, err);
    else
        pith_rows_abandon(rows);
    free(names);
    return status;
}

pith_doc *db_collect(db *from, const char *sql, pith_buffer *text, pith_error *err)
{
    if (db_start(from, sql, NULL, 0, err) != PITH_OK ||
        collect_rows(from, text, err) != PITH_OK)
        return NULL;
    return pith_doc_parse("json", text->data, text->len, NULL, err);
}
