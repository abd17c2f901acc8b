/*
 * soch_pen.h - values as text.
 */
#ifndef FORMAT_SOCH_SOCH_PEN_H
#define FORMAT_SOCH_SOCH_PEN_H

#include "doc/levels.h"
#include "format/soch/soch_plan.h"
#include "format/soch/soch_text.h"

typedef struct soch_pen {
    pith_out *out;
    unsigned rows;  /* SOCH_ROWS_... */
    unsigned types; /* SOCH_TYPES_... */
    const char *null_word;
    const char *true_word;
    const char *false_word;
    bool seed_only;
    bool refs;    /* a text ref(users,42) is a reference */
    bool fits;    /* cells have to be made to fit their columns */
    uint64_t row; /* that is being written, from 0 */
    doc_levels levels;
    pith_error *err;    /* may be NULL */
    pith_status status; /* the first failure other than those of `out` */
} soch_pen;

void soch_pen_init(soch_pen *pen, pith_out *out, const settings *set, pith_alloc alloc,
                   pith_error *err);
void soch_pen_free(soch_pen *pen);

/* What those settings ask of the tables. */
soch_wish soch_wish_of(const settings *set);

/* name[count]{fields}: - fields are written with the types they have here. */
void soch_put_header(soch_pen *pen, const doc_table *table, const pith_field *fields,
                     uint64_t count);

/* What stands before the row of that number, from 0. */
void soch_put_separator(soch_pen *pen, uint64_t row);

/* A cell under a column that was written with that type; NULL is one that is missing. */
void soch_put_cell(soch_pen *pen, const pith_doc *doc, const pith_slot *cell,
                   const pith_field *field);

/* The cells of a row. */
static inline void soch_put_row(soch_pen *pen, const row_cells *row,
                                const pith_field *fields, size_t count)
{
    row_cells cells = *row; /* where no write can reach it */
    const pith_slot *at = cells.row + 1;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            out_byte(pen->out, ',');
        soch_put_cell(pen, cells.doc, row_next_cell(&cells, i, &at), &fields[i]);
    }
}

#endif
