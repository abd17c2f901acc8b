/*
 * arrow_out.h - values as arrays of Arrow: what the files that make them share.
 */
#ifndef API_ARROW_OUT_H
#define API_ARROW_OUT_H

#include "api/arrow.h"
#include "doc/doc.h"
#include "doc/names.h"

/* The types of the columns of rows, the array at `rows`: those of the table, where there is
 * one, else found in the first `look` rows (0: all). Free the list whatever the outcome. */
pith_status arrow_types_guess(arrow_types *types, const pith_doc *doc, uint32_t rows,
                              const doc_table *table, size_t look, pith_alloc alloc,
                              pith_error *err);

/* PITH_OK when arrays of all these types can be made. */
pith_status arrow_types_check_wanted(const arrow_types *types, pith_error *err);

/* The schema, of which nothing is borrowed. False when out of memory. */
bool arrow_export_schema(const arrow_types *types, struct ArrowSchema *out);

/* Bytes that grow. */
typedef LIST(uint8_t) arrow_bytes;

/* The array that a type has in the batch that is being made. */
typedef struct arrow_column {
    int64_t length;
    int64_t nulls;
    arrow_bytes valid; /* bits, where there are nulls */
    arrow_bytes data;
    arrow_bytes more;
    name_list texts; /* of a dictionary */
} arrow_column;

/* A list, a struct or a map that is being added. */
typedef struct arrow_open {
    uint32_t type;
    uint32_t at;         /* the next slot */
    uint32_t left;       /* values to come */
    uint32_t hint;       /* most likely the type of the next */
    const pith_key *key; /* of the next, in an object; else NULL */
} arrow_open;

typedef struct arrow_batch {
    pith_alloc alloc;
    const pith_doc *doc;
    const arrow_types *types;
    arrow_column *columns; /* of each type */
    name_list names;       /* of each type, under the type above it */
    arrow_open open[ARROW_DEPTH_MOST + 1];
    size_t depth;
    pith_buffer json;

    const char *code; /* what is wrong with a cell; NULL: there is no memory */
    const char *sentence;
    pith_text unknown; /* the key that there is no column for */
} arrow_batch;

/* False when out of memory; free it whatever the outcome. */
bool arrow_batch_init(arrow_batch *batch, const pith_doc *doc, const arrow_types *types,
                      pith_alloc alloc);
void arrow_batch_free(arrow_batch *batch);

/* Adds the row at a slot. False, with `code` and `sentence`, when a cell does not fit;
 * `*column` is then its type. */
bool arrow_batch_add(arrow_batch *batch, uint32_t row, uint32_t *column);

/* The rows as an array, which takes their memory; the batch is empty again. False when out
 * of memory. */
bool arrow_batch_export(arrow_batch *batch, struct ArrowArray *out);

#endif
