/*
 * read.h - what every text reader has in front.
 *
 * A format's reader struct begins with TEXT_READER; its members are the reader's own, and
 * together they are `in`, which the functions here take:
 *
 *     typedef struct toon_reader {
 *         TEXT_READER;
 *         toon_rules rules;              r->doc, r->report ...   read_close(&r->in, ...)
 *         ...
 *     } toon_reader;
 *
 * Key places. An object normally goes through shapes, and its keys do not tell where they
 * are in the input. When two keys turn out to be equal, the reader stops (report_again) and
 * is started again with keep_key_places: no object has a shape then, and both places are
 * told. Starting again is the driver's business (format/read.h).
 *
 * Starving. Where more bytes may come (`waits`), running out of them is no problem. The
 * reader stops with `starved`, and what it was reading is read again when there is more.
 */
#ifndef DOC_READ_H
#define DOC_READ_H

#include "doc/build.h"

#include <assert.h>

#define TEXT_READER_MEMBERS                                                              \
    pith_doc *doc;                                                                       \
    reporter *report;                                                                    \
    const char *start; /* of the report's input: offsets count from here */              \
    const char *end;                                                                     \
    const char                                                                           \
        *packed; /* what is read was expanded from there, where every problem     \
                           is then; or NULL */      \
    size_t lent_depth; /* levels of the tape that are not in the text */                 \
    bool quoted;       /* every key is in quotes */                                      \
    bool makes_up;     /* an empty key without quotes stands for one that is missing */  \
    bool last_wins;    /* of equal keys the last counts; else they are a problem */      \
    bool keep_key_places; /* no shapes: keys keep their place in the input */            \
    bool stop;            /* nothing more can be read */                                 \
    bool waits;           /* more bytes may come, */                                     \
    bool starved          /* and they are needed */

typedef struct text_reader {
    TEXT_READER_MEMBERS;
} text_reader;

#define TEXT_READER                                                                      \
    union {                                                                              \
        text_reader in;                                                                  \
        struct {                                                                         \
            TEXT_READER_MEMBERS;                                                         \
        };                                                                               \
    }

/* A reader of `input` that has read nothing. Keys keep their places at once if problems
 * are collected. */
static inline void read_init(text_reader *r, pith_doc *doc, pith_text input,
                             reporter *report)
{
    memset(r, 0, sizeof *r);
    r->doc = doc;
    r->report = report;
    r->start = input.ptr;
    r->end = input.ptr + input.len;
    r->keep_key_places = report->keep_key_places || report->callback != NULL;
}

static inline size_t read_at(const text_reader *r, const char *p)
{
    return (size_t)((r->packed ? r->packed : p) - r->start);
}

static inline bool read_stopped(const text_reader *r)
{
    return r->stop || r->starved || r->report->stopped;
}

/* Reports a problem at `at`. True when the reader should recover and go on. */
bool read_problem(text_reader *r, const char *at, const char *code, const char *format,
                  ...) ERROR_FORMAT(4, 5);

/* The same; false. */
bool read_bad(text_reader *r, const char *at, const char *code, const char *format, ...)
    ERROR_FORMAT(4, 5);

/* Reports that memory ran out; false. */
bool read_failed(text_reader *r);

/* Reports a byte at `at` that begins no character; as read_problem. */
bool read_bad_utf8(text_reader *r, const char *at);

/* Passes on what building said; a problem is reported at `at`. */
bool read_built(text_reader *r, build_result result, const char *at);

/* The bytes end inside of something. True when that is no problem, because more may come;
 * then the reader has stopped. */
static inline bool read_starved(text_reader *r)
{
    r->starved = r->waits;
    return r->waits;
}

/* Opens a container, an object with a shape unless keys keep their places. */
bool read_open(text_reader *r, pith_kind kind, const char *at);

/* Closes the innermost container. An object without a shape has keys that were not compared
 * on the way: two that are equal are reported with `code`, as "`what` "key"; it first stands
 * in ...", unless the last wins. */
bool read_close(text_reader *r, const char *code, const char *what);

/* Where a text in the input, or one in the arena that kept its place, begins; in quotes: at
 * the quote. */
size_t read_text_offset(const text_reader *r, const char *text);

/* Compares the keys of a list with each other, as read_close. Those that are not `placed`
 * do not tell where they are, and the reader stops to start again. False when reading has to
 * stop. */
bool read_check_keys(text_reader *r, const pith_key *keys, size_t count, bool placed,
                     const char *code, const char *what);

/* Reports, at `at`: "3 rows declared in line 1, found 2". */
bool read_bad_count(text_reader *r, const char *at, pith_text declared, const char *what,
                    size_t line, uint64_t found);

/* "row" or "rows" ... for messages. */
static inline const char *read_plural(const char *one, const char *many, uint64_t count)
{
    return count == 1 ? one : many;
}

/* The number that these digits are; UINT64_MAX when it is that large or larger. */
uint64_t read_count(pith_text digits);

#endif
