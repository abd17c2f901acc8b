/*
 * arrow_in.h - arrays of Arrow as cells.
 *
 * What a batch is read with, for rows, parts and whatever else takes cells: the types of
 * the schema, and where each of them has its values in the batch at hand.
 */
#ifndef API_ARROW_IN_H
#define API_ARROW_IN_H

#include "api/arrow.h"
#include "doc/names.h"

/* Where the values of a type are, in one batch. An element has a number, from 0, which
 * `offset` is added to; nothing is known of the size of buffers. */
typedef struct arrow_place {
    const struct ArrowArray *array;
    const uint8_t *valid; /* a bit for each element; NULL: all are */
    const uint8_t *data;  /* values, offsets, views, types or keys */
    const uint8_t *more;  /* bytes of texts; sizes of list views; offsets of a union */
    int64_t offset;
    int64_t length;

    /* Of a dictionary's values: their cells, where they were worth making. */
    bool made;
    pith_cell *ready;
    size_t ready_cap;
} arrow_place;

typedef pith_status (*arrow_take)(void *ctx, const pith_cell *cells, size_t count,
                                  pith_error *err);

typedef struct arrow_frame arrow_frame;

typedef struct arrow_in {
    pith_alloc alloc;
    pith_options options;
    arrow_types types;
    arrow_place *places;   /* of each type */
    LIST(pith_text) names; /* of the columns */
    bool has_bytes;        /* the format has bytes: they need not be texts */
    bool flat;             /* every row has one cell for each column */
    uint64_t rows;         /* of the batches before */

    arrow_take take; /* cells go there, whole rows and parts of rows */
    void *ctx;

    pith_arena texts;   /* of cells that are not in the batch, until they are taken, */
    pith_arena lasting; /* and as long as the batch is */
    LIST(pith_cell) matrix; /* columns of single cells, for some rows */
    LIST(pith_cell) cells;  /* the next to be taken */
    arrow_frame *frames;    /* ARROW_DEPTH_MOST lists, structs and maps that are open */
    pith_doc *json;
    LIST(pith_value) open; /* the containers of JSON that are open */
    name_list keys;        /* of a map */

    const char *code; /* what is wrong with the element; NULL: there is no memory */
    const char *sentence;
    pith_status status; /* of `take`, */
    pith_error *err;    /* and what it says */
} arrow_in;

/* --- elements in buffers, which need not be aligned */

#define ARROW_LOAD(name, type)                                                           \
    static inline type name(const uint8_t *data, int64_t at)                             \
    {                                                                                    \
        type value;                                                                      \
        memcpy(&value, data + at * (int64_t)sizeof value, sizeof value);                 \
        return value;                                                                    \
    }

ARROW_LOAD(load_int8, int8_t)
ARROW_LOAD(load_int16, int16_t)
ARROW_LOAD(load_int32, int32_t)
ARROW_LOAD(load_int64, int64_t)
ARROW_LOAD(load_uint8, uint8_t)
ARROW_LOAD(load_uint16, uint16_t)
ARROW_LOAD(load_uint32, uint32_t)
ARROW_LOAD(load_uint64, uint64_t)
ARROW_LOAD(load_float, float)
ARROW_LOAD(load_double, double)

/* An integer of any width; one that is more than INT64_MAX is negative. */
static inline int64_t load_any(const uint8_t *data, int64_t at, unsigned width,
                               bool is_signed)
{
    switch (width) {
    case 1:
        return is_signed ? load_int8(data, at) : (int64_t)load_uint8(data, at);
    case 2:
        return is_signed ? load_int16(data, at) : (int64_t)load_uint16(data, at);
    case 4:
        return is_signed ? load_int32(data, at) : (int64_t)load_uint32(data, at);
    default:
        return load_int64(data, at);
    }
}

static inline bool arrow_bit(const uint8_t *bits, int64_t at)
{
    return bits[at >> 3] >> (at & 7) & 1;
}

static inline bool arrow_is_null(const arrow_place *place, int64_t at)
{
    return place->valid && !arrow_bit(place->valid, place->offset + at);
}

/* --- what is wrong with an element */

static inline bool arrow_wrong(arrow_in *in, const char *code, const char *sentence)
{
    in->code = code;
    in->sentence = sentence;
    return false;
}

static inline bool arrow_no_memory(arrow_in *in)
{
    return arrow_wrong(in, NULL, NULL);
}

/* --- the parts of reading */

/* Sets the places of all types: what can be checked of a batch is. */
pith_status arrow_bind(arrow_in *in, const struct ArrowArray *batch, pith_error *err);

/* Elements that become one cell each: from number `from` of the array on, `count` of them,
 * to every `stride`th cell. */
typedef struct arrow_span {
    const arrow_type *type;
    const arrow_place *place;
    int64_t from;
    size_t count;
    pith_cell *cells;
    size_t stride;
    size_t next; /* how many have been begun: a failure is of the one before */
} arrow_span;

static inline arrow_span arrow_span_of(const arrow_in *in, uint32_t at, int64_t from,
                                       size_t count, pith_cell *cells, size_t stride)
{
    arrow_span span = {
        &in->types.list.at[at], &in->places[at], from, count, cells, stride, 0};
    return span;
}

/* Whether the elements of a type are single cells, each; those of a dictionary may be. */
bool arrow_is_single(const arrow_in *in, const arrow_type *type);

/* Fills the cells with such elements. */
bool arrow_fill(arrow_in *in, arrow_span *span);

/* Makes the cells of the values of dictionaries, where there are fewer than rows. */
bool arrow_make_ready(arrow_in *in, int64_t rows);

/* Where the index of an element leads, in its dictionary. */
bool arrow_look_up(arrow_in *in, const arrow_type *type, const arrow_place *place,
                   int64_t at, int64_t *index);

static inline void cell_text(pith_cell *cell, pith_cell_kind kind, const char *text,
                             size_t len)
{
    cell->kind = (uint8_t)kind;
    cell->flags = 0;
    cell->zero = 0;
    cell->len = (uint32_t)len;
    cell->u.text = text;
}

/* --- all of it */

/* What is read with that schema; NULL on failure. Of the options `alloc`, `depth_max` and
 * the function for notices count. */
arrow_in *arrow_in_new(const struct ArrowSchema *schema, const pith_options *options,
                       pith_error *err);
void arrow_in_free(arrow_in *in);

/* What the column holds, for formats whose columns have types. */
pith_field arrow_in_field(const arrow_in *in, size_t column);

/* Hands the cells of all rows on. The batch is borrowed. */
pith_status arrow_in_add(arrow_in *in, const struct ArrowArray *batch, pith_error *err);

#endif
