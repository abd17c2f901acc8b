/*
 * soch_bin_write.h - tables as bytes.
 */
#ifndef FORMAT_SOCH_SOCH_BIN_WRITE_H
#define FORMAT_SOCH_SOCH_BIN_WRITE_H

#include "doc/levels.h"
#include "format/soch/soch_bin.h"
#include "format/soch/soch_plan.h"
#include "format/soch/soch_compress.h"

typedef struct soch_bin_pen {
    pith_out *out;
    doc_levels levels;
    bool refs;          /* a text ref(users,42) is a reference */
    bool fits;          /* cells have to be made to fit their columns */
    uint64_t row;       /* that is being written, from 0 */
    pith_error *err;    /* may be NULL */
    pith_status status; /* the first failure other than those of `out` */
} soch_bin_pen;

void soch_bin_pen_init(soch_bin_pen *pen, pith_out *out, pith_alloc alloc,
                       const soch_wish *wish, pith_error *err);
void soch_bin_pen_free(soch_bin_pen *pen);

/* What those settings ask of the tables. */
soch_wish soch_bin_wish_of(const settings *set);

/* The 16 bytes of a header. */
void soch_bin_make_header(char *to, unsigned flags, uint64_t rows);

/* The start of a body: the name and the fields. */
void soch_bin_put_schema(soch_bin_pen *pen, const doc_table *table);

/* A cell; NULL is null. Vectors are vectors only in a column of them. */
void soch_bin_put_cell(soch_bin_pen *pen, const pith_doc *doc, const pith_slot *cell,
                       const pith_field *field);

void soch_bin_put_varint(pith_out *out, uint64_t number);

/* Writes a table whose body is complete: compressed if that makes it smaller. */
pith_status soch_bin_put_packed(pith_out *out, pith_text body, const row_table *table,
                                soch_packing packing, bool summed, pith_error *err);

/* The failure of asking for a compression that is not built in. */
pith_status soch_bin_check_packing(soch_packing packing, pith_error *err);

#endif
