/*
 * format.h - what a format provides, and what it is given.
 *
 * A format is a table of functions. Decoders append to a document and report
 * problems; encoders walk one and write; neither knows the other, or any other
 * format. Streams of rows are optional: a format without them is given its rows
 * collected in one document.
 */
#ifndef FORMAT_FORMAT_H
#define FORMAT_FORMAT_H

#include <assert.h>

#include "base/error.h"
#include "base/out.h"
#include "doc/doc.h"
#include "format/settings.h"

struct row_format;
typedef struct delta_codec delta_codec;
typedef struct session_codec session_codec;

/* A text to be read. */
typedef struct decode_job {
    pith_doc *doc; /* empty; values go here */
    pith_text input;
    const settings *set;
    reporter *report;   /* where problems go */
    alloc_meter *meter; /* of the memory that the document asks for; NULL for none */
} decode_job;

/* A value to be written. */
typedef struct encode_job {
    pith_out *out;
    const pith_doc *doc;
    uint32_t at; /* the value's slot */
    const settings *set;
    pith_error *err; /* for failures other than those of `out`; may be NULL */
} encode_job;

/* A row to be read, off the front of what has arrived. */
typedef struct read_job {
    pith_doc *doc; /* empty; the row goes here */
    const settings *set;
    reporter *report;   /* its input may begin before what is to be read */
    pith_text input;    /* what has not been used */
    bool ended;         /* nothing will follow it */
    bool head;          /* only what is before the first row is to be read */
    size_t used;        /* out: bytes that are done with */
    alloc_meter *meter; /* as in a decode_job */
} read_job;

typedef enum read_event {
    READ_HEAD,    /* what is before the first row has been read, as was asked */
    READ_MORE,    /* bytes ran out, or the row must be read again (doc/read.h): the reader
                     is as it was before the row */
    READ_ROW,     /* the document holds the next row, which lies before `used` */
    READ_DONE,    /* there is no more */
    READ_COLLECT, /* rows cannot be told apart: the text has to be read whole */
    READ_FAILED   /* reported */
} read_event;

typedef struct read_codec {
    size_t state_size; /* of the state, which is zero at first */
    read_event (*read)(void *state, read_job *job);
    void (*close)(void *state, const pith_alloc *alloc); /* NULL: nothing to free */

    /* The columns, when what is before the first row names them and has been read: the
     * first `room` names, which the state or the document keeps; how many there are. NULL
     * for formats whose rows have no columns; only the others are asked for the head. */
    size_t (*columns)(const void *state, const pith_doc *doc, pith_text *names,
                      size_t room);
    const char *ends; /* bytes of which each row needs one to end; NULL: any */
} read_codec;

/* One of the forms a value can take: the one at `index`, from 0. */
typedef struct variant_job {
    const pith_doc *doc;
    uint32_t at;
    const settings *set; /* as they stand, with the earlier variants that were better */
    size_t index;
} variant_job;

/* A value to be cut down. */
typedef struct cut_job {
    const pith_doc *doc;
    uint32_t at;
    const settings *set;
    size_t keep;     /* parts; all of them when there are fewer */
    uint64_t budget; /* to be stated, */
    uint64_t tokens; /* both of them */
} cut_job;

typedef struct codec {
    pith_format info;
    bool (*sniff)(pith_text text);  /* cheap; NULL: never asked (see registry.c) */
    bool (*may_be)(pith_text text); /* a guess, asked when no format is sure; or NULL */
    void (*decode)(decode_job *job);
    pith_status (*encode)(encode_job *job);

    /* Reading rows (see read.h); NULL: the text is read whole when it has ended. */
    const read_codec *read_rows;

    /* Writing rows (see rows.h); NULL: they are collected and encoded. Without PITH_WRITE
     * in info.streams, only tables with known columns go through it. */
    const struct row_format *write_rows;

    /* Adapts the settings for reading what was written with `written`, where words of
     * one side answer words of the other; NULL when settings_read_back is enough. */
    void (*read_back)(settings *set, const settings *written);

    /* Proposes settings that change the text and not what it says, as words such as
     * "flatten=false", at most `size` bytes with the NUL; empty when there is nothing to
     * propose at that index, false when there is no more. NULL: there is one form only. */
    bool (*variant)(const variant_job *job, char *words, size_t size);

    bool keeps_digits; /* of every number, as they were read */
    /* The characters that it can escape with these settings; NULL: none. */
    unsigned (*escapes)(const settings *set);

    /* What begins a comment that may stand on a line of its own after a text, "# ";
     * NULL when there is no such thing. */
    const char *comment;
    bool
        comment_on_request; /* its specification forbids writers to add any by themselves */
    bool (*has_comments)(const settings *set); /* with these; NULL: with any */

    /* For formats whose values are no tables: puts the value into the empty document, cut
     * down to its `keep` best parts, with what it then says of its size. NULL: rows are
     * what can be left out. */
    pith_status (*cut)(const cut_job *job, pith_doc *into, size_t *parts,
                       pith_error *err);

    /* Telling what has changed (see snapshot.h); NULL: it cannot. */
    const delta_codec *delta;

    /* Writing graphs as turns of a session (see session.h); NULL: it cannot. */
    const session_codec *session;

    /* Knows the types of columns (see doc/schema.h); NULL: it does not. */
    const struct table_codec *tables;
} codec;

typedef struct table_codec {
    /* Finds the tables of a document's value and the types of their columns. */
    pith_status (*make)(pith_doc *doc, pith_error *err);

    /* Refuses a cell that does not fit the field that its table has for it. Whole numbers
     * become floats, and arrays of numbers vectors, where the field says so. */
    pith_status (*check)(pith_doc *doc, pith_error *err);
} table_codec;

/* What a format can escape in a text, where nobody would see it (see safe.h). */
enum {
    ESCAPES_RETURN = 1, /* \r */
    ESCAPES_FEED = 2,   /* \f and \b */
    ESCAPES_SHORT = 4,  /* \uXXXX, but no surrogates */
    ESCAPES_ALL = 8,    /* and with surrogates */
    ESCAPES_NO_KEYS = 16
};

static inline unsigned escapes_all(const settings *set)
{
    (void)set;
    return ESCAPES_ALL;
}

/* A variant from a fixed list of `count` words. */
static inline bool format_variant(const char *const *list, size_t count, size_t index,
                                  char *words, size_t size)
{
    if (index >= count)
        return false;
    assert(strlen(list[index]) < size);
    memcpy(words, list[index], strlen(list[index]) + 1);
    (void)size;
    return true;
}

/* The registry. */
const codec *format_find(const char *name);
const codec *format_find_text(pith_text name);
const codec *format_at(size_t index);

/* The compression that the suffix of a path stands for, or NULL. */
const char *registry_packing(pith_text path);

/* Puts the format of that name, or the one that the content looks like when `name` is
 * NULL, in `*chosen`; fails when there is none or it does not do that side. */
pith_status format_choose(const codec **chosen, const char *name, unsigned side,
                          pith_text text, pith_error *err);

#endif
