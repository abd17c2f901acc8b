/*
 * error.h - how a failure becomes a pith_error.
 *
 * Code that works on a text keeps byte offsets and nothing else. A `report` knows
 * the text, turns an offset into a line and a column when something is wrong, and
 * decides what happens next: normally the first problem ends the reading, but when
 * someone is collecting problems, the reader is asked to recover and go on.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/print.h"
#include "base/text.h"

#if defined(__GNUC__)
#define ERROR_FORMAT(text, first) PRINT_LIKE(text, first) __attribute__((cold))
#else
#define ERROR_FORMAT(text, first)
#endif

enum { REPORT_MOST = 1000, REPORT_MARKS = 64 };
enum { REPORT_TICK = 1 << 18 }; /* bytes between two calls for progress */

/* A place in the text, and how far it has been counted. */
typedef struct text_place {
    size_t offset;
    size_t line;   /* from 1 */
    size_t column; /* from 1, in code points */
} text_place;

typedef struct reporter {
    pith_text input;
    text_place start;     /* where `input` begins in the whole stream */
    text_place seen;      /* the last place computed: the next is mostly after it */
    pith_report callback; /* NULL: stop at the first problem */
    void *ctx;
    bool checking; /* the text is only looked at: what a reader lets pass is told, too */
    bool
        keeps_rows; /* a row that is too short or too long is told, and filled up or cut */
    bool keep_key_places; /* keys must tell where in the input they are */
    bool again;           /* they did not, and that is needed: see report_again */
    size_t count;
    bool stopped;     /* nothing more is wanted */
    pith_error first; /* the first problem */

    /* Told what is no problem but should be known; NULL: nobody. */
    void (*notice)(void *ctx, const pith_error *remark);
    void *notice_ctx;

    /* Asked now and then whether to go on, and from which offset on next; NULL: nobody. */
    bool (*progress)(void *ctx, size_t bytes_done);
    void *progress_ctx;
    size_t progress_due;

    /* Places at even steps through the input, as far as it has been counted. Problems
     * that point backwards, as duplicates do, are counted from the nearest: however many
     * there are, the input is gone through REPORT_MOST / REPORT_MARKS times at most. */
    size_t mark_count;
    text_place marks[REPORT_MARKS]; /* last, for it need not be cleared */
} reporter;

/* For an offset: what is wrong has no place in the input. */
#define REPORT_NOWHERE SIZE_MAX

/* A report on `input` that stops at the first problem. */
void report_init(reporter *report, pith_text input);

/* The line and column of an offset into the input. */
text_place report_place(reporter *report, size_t offset);

/* Notes a problem at `offset`. True when the reader should recover and go on, false
 * when it should stop. PITH_NO_MEMORY always stops. */
bool report_problem(reporter *report, pith_status status, const char *code, size_t offset,
                    const char *format, ...) ERROR_FORMAT(5, 6);

/* The same for the most usual status, PITH_BAD_INPUT. */
bool report_bad(reporter *report, const char *code, size_t offset, const char *format,
                ...) ERROR_FORMAT(4, 5);

bool report_bad_list(reporter *report, const char *code, size_t offset,
                     const char *format, va_list args);

/* The same for what is somewhere in the input and should be something else: "expected
 * ..., found '...'". Always false. */
bool report_expected(reporter *report, const char *code, pith_text found,
                     const char *expected);

/* Tells, once all is read, what is no problem but should be known about `offset`. */
void report_notice(reporter *report, const char *code, size_t offset, const char *format,
                   ...) ERROR_FORMAT(4, 5);

/* Hands on the note in a comment, from its sign to the end of its line. */
void report_comment(reporter *report, const char *from, const char *end);

/* The same for the comments on whole lines that a text ends with: those that begin with
 * "# ". */
void report_last_comments(reporter *report);

/* Forgets the problem, which may have come of a text that was cut. False when there is
 * one that more of the text does not cure: a limit, or memory. */
bool report_undo(reporter *report);

/* Lines that hold no row and are passed over, as a setting asks. Zero-initialise. */
enum { REPORT_LINES_TOLD = 10 };
typedef struct report_skips {
    size_t count;
    size_t lines[REPORT_LINES_TOLD]; /* of the first */
    pith_error first;
} report_skips;

/* Takes back the problem of a row, which is passed over. False when it is to stop
 * reading: problems are collected, or more of the text does not cure it. */
bool report_skip(reporter *report, report_skips *skips);

/* Tells, once all is read, what was passed over. */
void report_skipped(reporter *report, const report_skips *skips);

/* Two keys are equal, and it is not known where they are. Stops the reading, which begins
 * again with keep_key_places. */
void report_again(reporter *report);

/* Notes that memory ran out, which has no place in the text. */
void report_no_memory(reporter *report);

/* Notes instead that reading was refused more memory than `most` bytes, at `offset`. */
void report_memory_limit(reporter *report, size_t offset, size_t most);

/* Copies the first problem to `err` (which may be NULL) and returns its status;
 * PITH_OK when there was none. */
pith_status report_result(const reporter *report, pith_error *err);

/* Fills `err` (which may be NULL) for a failure without a place; returns `status`. */
pith_status error_set(pith_error *err, pith_status status, const char *code,
                      const char *format, ...) ERROR_FORMAT(4, 5);

pith_status error_no_memory(pith_error *err);

/* "not_built_in": the library was built without what was asked for. */
pith_status error_not_built_in(pith_error *err, const char *what);
/* Asks the progress function, having read up to `offset`. */
bool report_ask(reporter *report, size_t offset);

/* Whether to go on from there. False when the call was cancelled, which is then the first
 * problem. A reader may start again from the beginning. */
static inline bool report_goes_on(reporter *report, size_t offset)
{
    return !report->progress || report->progress_due - 1 - offset < REPORT_TICK ||
           report_ask(report, offset);
}

/* "cancelled" */
pith_status error_cancelled(pith_error *err);

void report_not_built_in(reporter *report, const char *what);

/* Copies a failure that was kept, or PITH_OK, to `err` (which may be NULL) and returns
 * its status. */
pith_status error_copy(const pith_error *kept, pith_error *err);

/* A piece of foreign text made fit for a message: shortened, controls replaced. */
typedef struct error_excerpt {
    char text[64];
} error_excerpt;

error_excerpt error_quote(const char *text, size_t len);

#endif
