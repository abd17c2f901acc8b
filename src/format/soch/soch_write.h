/*
 * soch_write.h - tables that are being written, as text and as bytes.
 *
 *     soch_write.c        those of a value, and those that come row by row
 *     soch_put.c          a cell, and everything in it
 *     soch_write_text.c   how text spells the parts of it
 *     soch_write_bin.c    how bytes do
 *
 * What cannot be written is remembered once. Writing goes on until the end of the row, and
 * the output is thrown away, as with a failure of `out`.
 */
#ifndef FORMAT_SOCH_SOCH_WRITE_H
#define FORMAT_SOCH_SOCH_WRITE_H

#include "doc/levels.h"
#include "format/soch/soch_compress.h"
#include "format/soch/soch_plan.h"

typedef struct soch_script soch_script;

/* Writes values. */
typedef struct soch_pen {
    const soch_script *script;
    pith_out *out;
    bool refs;                /* a text ref(users,42) is a reference */
    bool fits;                /* cells have to be made to fit their columns */
    uint64_t row;             /* that is being written, from 0 */
    const pith_slot *at;      /* the value that is being written, or NULL, */
    const pith_slot *refused; /* and when something could not be */
    doc_levels levels;
    pith_error *err;    /* may be NULL */
    pith_status status; /* the first failure other than those of `out` */

    /* Text. */
    unsigned rows;      /* SOCH_ROWS_... */
    pith_text words[3]; /* null, false, true */
    bool seed_only;
} soch_pen;

/* How a form writes the parts of a value. */
struct soch_script {
    void (*word)(soch_pen *pen, pith_kind kind); /* null, false, true */
    void (*integer)(soch_pen *pen, const pith_slot *slot);
    void (*number)(soch_pen *pen, const pith_slot *slot); /* as a float, whatever it is */
    void (*text)(soch_pen *pen, const pith_slot *slot, pith_type column);
    void (*bytes)(soch_pen *pen, pith_text base64, pith_type column);
    void (*ref)(soch_pen *pen, const pith_slot *slot);
    void (*vector)(soch_pen *pen, const pith_slot *slot);

    /* Arrays and objects. */
    void (*open)(soch_pen *pen, const pith_slot *slot);
    void (*key)(soch_pen *pen, const pith_key *key);
    bool marked; /* values are set apart by commas, and the last one by a bracket */
};

/* A cell under a column that was written with that type; NULL is one that is missing. */
void soch_put_cell(soch_pen *pen, const pith_doc *doc, const pith_slot *cell,
                   const pith_field *field);

/* Remembers that memory ran out, or that something cannot be written; `format` has a %s
 * for it. */
void soch_lack_memory(soch_pen *pen);
void soch_refuse(soch_pen *pen, const char *code, const char *format, const char *found);

/* The tables of a value, or the one that a stream of rows is, as they are written. */
typedef struct soch_writer {
    soch_wish wish;
    soch_pen pen;
    doc_table table; /* the one that is being written */
    bool thins;      /* its header leaves out types where it can */

    /* Of a stream: its columns. */
    pith_field *fields;
    soch_given given; /* what a setting says of them */

    /* Binary. */
    soch_packing packing;
    bool summed;
    uint32_t sum; /* of the body so far, */
    uint64_t len; /* which has that many bytes */
} soch_writer;

/* What a form of tables does. */
typedef struct soch_form {
    const soch_script *script;
    const char *between; /* tables */
    bool thins;          /* the headers of a value's tables leave out types if they can */
    soch_wish (*wish)(const settings *set);

    /* Takes the other settings; refuses what cannot be done. */
    pith_status (*set)(soch_writer *w, const settings *set, pith_error *err);
} soch_form;

/* The value of the job, as tables. */
pith_status soch_write_value(encode_job *job, const soch_form *form,
                             const row_format *rows);

/* What both forms do for a stream of rows: its rules, the hooks `open` and `close`, and
 * before the first row, or the end, what the caller has said of the columns by now. */
unsigned soch_row_rules(const soch_wish *wish);
pith_status soch_open_rows(row_table *rows, const soch_form *form, pith_error *err);
void soch_close_rows(row_table *rows);
soch_writer *soch_settle_fields(row_table *rows, pith_out *out, pith_error *err);

/* The writer of the row that comes next. */
static inline soch_writer *soch_next_row(row_table *rows, pith_out *out, pith_error *err)
{
    soch_writer *w = (soch_writer *)rows->state;
    assert(w->pen.out == out);
    (void)out;
    w->pen.err = err;
    w->pen.row = rows->rows;
    return w;
}

#define SOCH_MISSING_CELL                                                                \
    {                                                                                    \
        "missing_cell", ": column",                                                      \
            " is missing, which is not null; fill-missing=true makes it so"              \
    }

#endif
