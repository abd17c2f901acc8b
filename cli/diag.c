/*
 * diag.c - everything the command says on standard error.
 *
 *     data.json:3:14: error: expected ',' or '}' after a member [expected_separator]
 *     {"id": 7, "n" 8}
 *                  ^
 *
 * The first line is what editors and build tools look for. With --errors=json the
 * same facts are one JSON object a line, written by the library itself; so are warnings
 * and notes, and `severity` says which is which. Standard error is fully buffered and
 * flushed once a message, so that messages of several processes do not mix.
 */
#define _POSIX_C_SOURCE 200809L

#include "diag.h"

#include "base/nearest.h"
#include "base/utf8.h"
#include "hints.h"
#include "interrupt.h"
#include "json_out.h"
#include "width.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "pith"
#define REPLACEMENT "\xEF\xBF\xBD"

typedef enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE } severity;

static const char *const severities[] = {"error", "warning", "note"};

/* One message, whichever way it is printed. */
typedef struct message {
    severity severity;
    const char *file; /* NULL: the command line */
    const pith_error *problem;
    const char *text; /* what it says; NULL: the problem's own words */
    const char *hint;
    const source *from;
} message;

static int exit_code_of(pith_status status)
{
    switch (status) {
    case PITH_BAD_INPUT:
    case PITH_UNREPRESENTABLE:
    case PITH_LIMIT:
        return EXIT_DATA;
    case PITH_BAD_USE:
        return EXIT_USAGE;
    case PITH_OK: /* which is not a problem, and never reported as one */
    case PITH_NO_MEMORY:
    case PITH_IO:
    case PITH_CANCELLED:
        break;
    }
    return EXIT_MACHINE;
}

/* --- as text */

/* A code may come from a server, too. */
static void print_code(FILE *into, const char *code)
{
    fputs(" [", into);
    width_print(into, code, strlen(code));
    fputs("]\n", into);
}

static void print_text(FILE *into, const diag *to, const message *said)
{
    const pith_error *problem = said->problem;
    const char *file = said->file != NULL ? said->file : PROGRAM;
    const char *bold = to->color ? "\033[1m" : "";
    const char *red = to->color && said->severity == SEVERITY_ERROR ? "\033[1;31m" : "";
    const char *plain = to->color ? "\033[0m" : "";
    if (said->text != NULL) {
        fputs(PROGRAM ": ", into);
        width_print(into, said->text, strlen(said->text));
        fputs("\n", into);
        return;
    }
    fputs(bold, into);
    width_print(into, file, strlen(file));
    if (problem->line > 0)
        fprintf(into, ":%zu:%zu", problem->line, problem->column);
    fprintf(into, ":%s %s%s:%s ", plain, red, severities[said->severity],
            red[0] != '\0' ? plain : "");
    width_print(into, problem->message, strlen(problem->message));
    print_code(into, problem->code);
    if (problem->line > 0 && said->from != NULL)
        excerpt_print(into, said->from, problem->offset, to->color);
    if (said->hint != NULL) {
        fprintf(into, "%s" PROGRAM ": hint:%s ", bold, plain);
        width_print(into, said->hint, strlen(said->hint));
        fputs("\n", into);
    }
}

/* --- as JSON */

/* Adds a text of unknown origin, with U+FFFD for each byte that is not UTF-8. */
static void append_clean(pith_buffer *into, const char *text)
{
    pith_sink sink = pith_sink_buffer(into);
    size_t len = strlen(text);
    for (size_t at = 0; at < len;) {
        size_t bytes = utf8_decode(text + at, len - at, NULL);
        if (bytes == 0)
            sink.write(sink.ctx, REPLACEMENT, strlen(REPLACEMENT));
        else
            sink.write(sink.ctx, text + at, bytes);
        at += bytes == 0 ? 1 : bytes;
    }
}

static void add_text(pith_doc *doc, const char *key, const char *text, const char *more)
{
    pith_buffer clean = {0};
    append_clean(&clean, text);
    if (more != NULL) {
        append_clean(&clean, "; ");
        append_clean(&clean, more);
    }
    json_key(doc, key);
    pith_doc_add_text(doc, clean.data != NULL ? clean.data : "", clean.len);
    pith_buffer_free(&clean);
}

/* A place that does not exist is null: no line is called 0. */
static void add_place(pith_doc *doc, const char *key, size_t number, bool known)
{
    json_key(doc, key);
    if (known)
        pith_doc_add_uint64(doc, number);
    else
        pith_doc_add_null(doc);
}

/* Where an object is printed. */
typedef struct object_place {
    FILE *into;
    bool ascii;
} object_place;

/* What is ASCII but steers a terminal all the same is written as JSON may spell it. */
static pith_status print_to_file(void *ctx, const char *data, size_t len)
{
    const object_place *place = ctx;
    for (size_t i = 0; i < len; i++)
        if (place->ascii && data[i] == 0x7F)
            fputs("\\u007f", place->into);
        else
            putc(data[i], place->into);
    return ferror(place->into) ? PITH_IO : PITH_OK;
}

/* False when memory does not suffice for it. */
static bool print_json(FILE *into, const diag *to, const message *said)
{
    const pith_error *problem = said->problem;
    bool placed = problem->line > 0;
    pith_doc *doc = pith_doc_new(NULL);
    if (doc == NULL)
        return false;
    pith_doc_open_object(doc);
    if (said->file != NULL)
        add_text(doc, "file", said->file, NULL);
    else
        add_place(doc, "file", 0, false);
    add_place(doc, "line", problem->line, placed);
    add_place(doc, "column", problem->column, placed);
    add_place(doc, "offset", problem->offset, placed);
    add_text(doc, "severity", severities[said->severity], NULL);
    add_text(doc, "status", pith_status_name(problem->status), NULL);
    add_text(doc, "code", problem->code, NULL);
    add_text(doc, "message", said->text != NULL ? said->text : problem->message,
             said->hint);
    pith_doc_close(doc);
    bool printed = pith_doc_finish(doc, NULL) == PITH_OK;
    if (printed) {
        object_place place = {into, to->ascii};
        pith_options options = {.write = to->ascii ? "ascii=true" : NULL};
        pith_sink sink = {.write = print_to_file, .ctx = &place};
        pith_value_write(pith_doc_root(doc), "json", &options, sink, NULL);
        fputs("\n", into);
    }
    pith_doc_free(doc);
    return printed;
}

/* --- what is said */

static void print(FILE *into, const diag *to, const message *said)
{
    if (!to->json || !print_json(into, to, said))
        print_text(into, to, said);
    fflush(into);
}

/* After a signal, what fails on the way out does not matter. */
static void say(diag *to, const message *said)
{
    int code = exit_code_of(said->problem->status);
    if (code > to->exit_code)
        to->exit_code = code;
    if (interrupt_pending() == 0)
        print(stderr, to, said);
}

int diag_compose(const diag *to, const pith_error *problem, char *into, size_t size)
{
    FILE *text = fmemopen(into, size, "w");
    into[0] = '\0';
    if (text != NULL) {
        print(text, to, &(message){.problem = problem});
        fclose(text);
    }
    into[size - 1] = '\0';
    return exit_code_of(problem->status);
}

void diag_problem(diag *to, const char *file, const pith_error *problem,
                  const source *from)
{
    bool command_line = problem->status == PITH_BAD_USE;
    bool begins = from != NULL && problem->status == PITH_BAD_INPUT && from->offset == 0;
    const foreign *is =
        begins && from->text != NULL ? hint_foreign(NULL, from->text, from->len) : NULL;
    if (is != NULL) {
        diag_foreign(to, file, is->what, is->way_out);
        return;
    }
    say(to,
        &(message){.file = command_line ? NULL : file,
                   .problem = problem,
                   .from = from,
                   .hint = begins && problem->line > 0 ? hint_problem(problem, file, from)
                                                       : NULL});
}

void diag_system(diag *to, const char *file, const char *what, const char *code,
                 int number)
{
    pith_error problem = {.status = PITH_IO, .code = code, .system = number};
    if (number == ENOMEM) {
        problem.status = PITH_NO_MEMORY;
        problem.code = "no_memory";
    }
    snprintf(problem.message, sizeof problem.message, "%s: %s", what, strerror(number));
    say(to, &(message){.file = file, .problem = &problem});
}

void diag_unknown_format(diag *to, const char *file, const char *hint)
{
    pith_error problem = {.status = PITH_BAD_INPUT, .code = "unknown_format"};
    snprintf(problem.message, sizeof problem.message,
             "cannot tell the format from the file name or the content");
    say(to, &(message){.file = file, .problem = &problem, .hint = hint});
}

void diag_foreign(diag *to, const char *file, const char *what, const char *hint)
{
    pith_error problem = {.status = PITH_BAD_INPUT, .code = "unknown_format"};
    snprintf(problem.message, sizeof problem.message,
             "this is %s, which pith does not read", what);
    say(to, &(message){.file = file, .problem = &problem, .hint = hint});
}

static void say_usage(diag *to, const char *code, const char *hint, const char *format,
                      va_list list)
{
    pith_error problem = {.status = PITH_BAD_USE, .code = code};
    vsnprintf(problem.message, sizeof problem.message, format, list);
    say(to, &(message){.problem = &problem, .hint = hint});
}

void diag_usage(diag *to, const char *code, const char *hint, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say_usage(to, code, hint, format, list);
    va_end(list);
}

void diag_usage_near(diag *to, const char *code, const char *nearest,
                     const char *otherwise, const char *format, ...)
{
    char meant[128];
    if (nearest != NULL)
        snprintf(meant, sizeof meant, "did you mean '%s'?", nearest);
    va_list list;
    va_start(list, format);
    say_usage(to, code, nearest != NULL ? meant : otherwise, format, list);
    va_end(list);
}

const char *diag_nearest(const char *typed, const char *(*word_at)(size_t index))
{
    enum { WORDS_MAX = 128 };
    const char *words[WORDS_MAX];
    size_t count = 0;
    while (count < WORDS_MAX && word_at(count) != NULL) {
        words[count] = word_at(count);
        count++;
    }
    return nearest_word(typed, words, count);
}

void diag_remark(diag *to, const char *file, const pith_error *remark, bool note)
{
    if (to->quiet)
        return;
    print(stderr, to,
          &(message){note ? SEVERITY_NOTE : SEVERITY_WARNING, .file = file,
                     .problem = remark});
}

void diag_note(diag *to, const char *format, ...)
{
    if (to->quiet)
        return;
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    pith_error remark = {.status = PITH_OK, .code = "note"};
    print(stderr, to, &(message){SEVERITY_NOTE, .problem = &remark, .text = text});
}
