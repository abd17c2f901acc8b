/*
 * arrow_fill.c - elements of Arrow that are one cell each.
 *
 * Each kind of element has a loop of its own over a span: some elements of one array, to
 * cells at even steps. What has no buffer of its own to lie in, such as the text of a date,
 * goes to the texts of the reader.
 */
#include "api/arrow_in.h"
#include "base/base64.h"
#include "doc/typed.h"

#include <math.h>

static inline void cell_set(pith_cell *cell, pith_cell_kind kind, size_t len)
{
    cell->kind = (uint8_t)kind;
    cell->flags = 0;
    cell->zero = 0;
    cell->len = (uint32_t)len;
}

/* The cell of the next element that is not null, whose place in the buffers is `*at`; those
 * before it are set to null. NULL after the last. */
static inline pith_cell *span_next(arrow_span *span, int64_t *at)
{
    while (span->next < span->count) {
        int64_t element = span->from + (int64_t)span->next;
        pith_cell *cell = span->cells + span->next++ * span->stride;
        *at = span->place->offset + element;
        if (!arrow_is_null(span->place, element))
            return cell;
        cell_set(cell, PITH_CELL_NULL, 0);
    }
    return NULL;
}

#define ARROW_FILL(name, load, set)                                                      \
    static bool name(arrow_span *span)                                                   \
    {                                                                                    \
        const uint8_t *data = span->place->data;                                         \
        int64_t at;                                                                      \
        for (pith_cell * cell; (cell = span_next(span, &at)) != NULL;)                   \
            set(cell, load(data, at));                                                   \
        return true;                                                                     \
    }

static inline void cell_int64(pith_cell *cell, int64_t number)
{
    cell_set(cell, PITH_CELL_INT64, 0);
    cell->u.integer = number;
}

static inline void cell_uint64(pith_cell *cell, uint64_t number)
{
    cell_set(cell, PITH_CELL_UINT64, 0);
    cell->u.natural = number;
}

ARROW_FILL(fill_int8, load_int8, cell_int64)
ARROW_FILL(fill_int16, load_int16, cell_int64)
ARROW_FILL(fill_int32, load_int32, cell_int64)
ARROW_FILL(fill_int64, load_int64, cell_int64)
ARROW_FILL(fill_uint8, load_uint8, cell_uint64)
ARROW_FILL(fill_uint16, load_uint16, cell_uint64)
ARROW_FILL(fill_uint32, load_uint32, cell_uint64)
ARROW_FILL(fill_uint64, load_uint64, cell_uint64)

static bool fill_integers(arrow_span *span)
{
    bool is_signed = span->type->kind == ARROW_INT;
    switch (span->type->width) {
    case 1:
        return is_signed ? fill_int8(span) : fill_uint8(span);
    case 2:
        return is_signed ? fill_int16(span) : fill_uint16(span);
    case 4:
        return is_signed ? fill_int32(span) : fill_uint32(span);
    default:
        return is_signed ? fill_int64(span) : fill_uint64(span);
    }
}

/* NaN and the infinities are no numbers; they are texts, as everywhere in documents. */
static void cell_odd_float(pith_cell *cell, double number)
{
    const char *word = typed_odd_float(number);
    cell_text(cell, PITH_CELL_TEXT, word, strlen(word));
}

static inline void cell_double(pith_cell *cell, double number)
{
    if (!isfinite(number)) {
        cell_odd_float(cell, number);
        return;
    }
    cell_set(cell, PITH_CELL_DOUBLE, 0);
    cell->u.number = number;
}

static inline void cell_float(pith_cell *cell, float number)
{
    if (!isfinite(number)) {
        cell_odd_float(cell, (double)number);
        return;
    }
    cell_set(cell, PITH_CELL_FLOAT, 0);
    cell->u.single = number;
}

static inline void cell_half(pith_cell *cell, uint16_t half)
{
    cell_double(cell, arrow_half_to_double(half));
}

static inline void cell_bool(pith_cell *cell, bool truth)
{
    cell_set(cell, truth ? PITH_CELL_TRUE : PITH_CELL_FALSE, 0);
}

ARROW_FILL(fill_doubles, load_double, cell_double)
ARROW_FILL(fill_singles, load_float, cell_float)
ARROW_FILL(fill_halves, load_uint16, cell_half)
ARROW_FILL(fill_bools, arrow_bit, cell_bool)

static bool fill_floats(arrow_span *span)
{
    return span->type->width == 8   ? fill_doubles(span)
           : span->type->width == 4 ? fill_singles(span)
                                    : fill_halves(span);
}

static bool fill_nulls(arrow_span *span)
{
    for (size_t i = 0; i < span->count; i++)
        cell_set(span->cells + i * span->stride, PITH_CELL_NULL, 0);
    return true;
}

static pith_cell_kind arrow_text_kind(const arrow_type *type)
{
    return type->kind == ARROW_TEXT || type->kind == ARROW_TEXT_VIEW ? PITH_CELL_TEXT
                                                                     : PITH_CELL_BYTES;
}

/* The bytes from one offset to the next. */
static inline bool arrow_between(arrow_in *in, const arrow_place *place, int64_t begin,
                                 int64_t end, pith_cell_kind kind, pith_cell *cell)
{
    if (begin < 0 || end < begin)
        return arrow_wrong(in, "bad_array", "its end is before its beginning");
    if (end - begin > (int64_t)UINT32_MAX)
        return arrow_wrong(in, "too_large", "it has 4 GiB or more");
    if (end > begin && !place->more)
        return arrow_wrong(in, "bad_array", "the array has no buffer of bytes");
    cell_text(cell, kind, end > begin ? (const char *)place->more + begin : "",
              (size_t)(end - begin));
    return true;
}

static bool fill_texts(arrow_in *in, arrow_span *span)
{
    const arrow_place *place = span->place;
    pith_cell_kind kind = arrow_text_kind(span->type);
    bool large = span->type->width == 8;
    int64_t at;
    for (pith_cell *cell; (cell = span_next(span, &at)) != NULL;) {
        int64_t begin = large ? load_int64(place->data, at) : load_int32(place->data, at);
        int64_t end =
            large ? load_int64(place->data, at + 1) : load_int32(place->data, at + 1);
        if (!arrow_between(in, place, begin, end, kind, cell))
            return false;
    }
    return true;
}

/* A view: a length, and the bytes, when they are 12 at most; else four of them, the number
 * of a buffer and the place in it. */
static bool arrow_view(arrow_in *in, const struct ArrowArray *array, const uint8_t *view,
                       pith_cell_kind kind, pith_cell *cell)
{
    int32_t len = load_int32(view, 0);
    if (len >= 0 && len <= 12) {
        cell_text(cell, kind, (const char *)view + 4, (size_t)len);
        return true;
    }
    int32_t buffer = load_int32(view, 2);
    int32_t from = load_int32(view, 3);
    const uint8_t *sizes = (const uint8_t *)array->buffers[array->n_buffers - 1];
    if (len < 0 || buffer < 0 || buffer >= array->n_buffers - 3 || from < 0 || !sizes ||
        load_int64(sizes, buffer) - len < from || !array->buffers[2 + buffer])
        return arrow_wrong(in, "bad_array", "it is a view of bytes that are not there");
    cell_text(cell, kind, (const char *)array->buffers[2 + buffer] + from, (size_t)len);
    return true;
}

static bool fill_views(arrow_in *in, arrow_span *span)
{
    const arrow_place *place = span->place;
    pith_cell_kind kind = arrow_text_kind(span->type);
    int64_t at;
    for (pith_cell *cell; (cell = span_next(span, &at)) != NULL;)
        if (!arrow_view(in, place->array, place->data + at * 16, kind, cell))
            return false;
    return true;
}

/* Makes a cell of a text that `write` makes of the bytes of an element. Every such text fits
 * into ARROW_TEXT_MOST bytes, but for a decimal of a large scale. */
static size_t arrow_write_element(char *to, const arrow_type *type, const uint8_t *bytes)
{
    switch (type->kind) {
    case ARROW_DECIMAL:
        return arrow_write_decimal(to, bytes, type->width, type->scale);
    case ARROW_BYTES_FIXED:
        return arrow_write_uuid(to, bytes);
    case ARROW_MONTHS:
    case ARROW_DAYS_MILLIS:
    case ARROW_MONTHS_NANOS:
        return arrow_write_interval(to, type, bytes);
    default:
        return arrow_write_time(to, type, load_any(bytes, 0, type->width, true));
    }
}

static bool fill_written(arrow_in *in, arrow_span *span)
{
    const arrow_type *type = span->type;
    unsigned width = type->kind == ARROW_BYTES_FIXED ? 16 : type->width;
    size_t most = ARROW_TEXT_MOST;
    if (type->kind == ARROW_DECIMAL)
        most += (size_t)(type->scale < 0 ? -type->scale : type->scale);
    pith_cell_kind kind = type->kind == ARROW_DECIMAL ? PITH_CELL_DIGITS : PITH_CELL_TEXT;
    int64_t at;
    for (pith_cell *cell; (cell = span_next(span, &at)) != NULL;) {
        char *to = arena_room(&in->texts, most);
        if (!to)
            return arrow_no_memory(in);
        size_t len = arrow_write_element(to, type, span->place->data + at * width);
        if (len == 0)
            return arrow_wrong(in, "out_of_range", "there is no such time of day");
        arena_keep(&in->texts, len);
        cell_text(cell, kind, to, len);
    }
    return true;
}

static bool fill_fixed(arrow_span *span)
{
    int64_t size = span->type->size;
    const uint8_t *data = span->place->data;
    int64_t at;
    for (pith_cell *cell; (cell = span_next(span, &at)) != NULL;) {
        cell_text(cell, PITH_CELL_BYTES, size ? (const char *)data + at * size : "",
                  (size_t)size);
    }
    return true;
}

/* Bytes as texts, for formats that have none. */
static bool arrow_spell_bytes(arrow_in *in, arrow_span *span)
{
    for (span->next = 0; span->next < span->count;) {
        pith_cell *cell = span->cells + span->next++ * span->stride;
        if (cell->kind != PITH_CELL_BYTES)
            continue;
        size_t len = TYPED_BYTES_PREFIX_LEN + base64_text_len(cell->len);
        char *to = len <= UINT32_MAX ? arena_take(&in->texts, len) : NULL;
        if (!to)
            return len <= UINT32_MAX
                       ? arrow_no_memory(in)
                       : arrow_wrong(in, "too_large", "it has 3 GiB or more");
        memcpy(to, TYPED_BYTES_PREFIX, TYPED_BYTES_PREFIX_LEN);
        base64_write(to + TYPED_BYTES_PREFIX_LEN, cell->u.text, cell->len);
        cell_text(cell, PITH_CELL_TEXT, to, len);
    }
    return true;
}

static bool arrow_fill_bytes(arrow_in *in, arrow_span *span)
{
    bool filled = span->type->kind == ARROW_BYTES        ? fill_texts(in, span)
                  : span->type->kind == ARROW_BYTES_VIEW ? fill_views(in, span)
                                                         : fill_fixed(span);
    return filled && (in->has_bytes || arrow_spell_bytes(in, span));
}

/* Fills cells with elements of a type that has no dictionary. */
static bool arrow_fill_plain(arrow_in *in, arrow_span *span)
{
    switch (span->type->kind) {
    case ARROW_NULL:
        return fill_nulls(span);
    case ARROW_BOOL:
        return fill_bools(span);
    case ARROW_INT:
    case ARROW_UINT:
        return fill_integers(span);
    case ARROW_FLOAT:
        return fill_floats(span);
    case ARROW_TEXT:
        return fill_texts(in, span);
    case ARROW_TEXT_VIEW:
        return fill_views(in, span);
    case ARROW_BYTES:
    case ARROW_BYTES_VIEW:
        return arrow_fill_bytes(in, span);
    case ARROW_BYTES_FIXED:
        return span->type->extension == ARROW_UUID ? fill_written(in, span)
                                                   : arrow_fill_bytes(in, span);
    default:
        return fill_written(in, span);
    }
}

bool arrow_is_single(const arrow_in *in, const arrow_type *type)
{
    const arrow_type *values = type;
    if (type->dictionary) {
        values = &in->types.list.at[type->dictionary];
        if (values->dictionary)
            return false;
    }
    return arrow_is_scalar(values) && values->extension != ARROW_JSON;
}

bool arrow_look_up(arrow_in *in, const arrow_type *type, const arrow_place *place,
                   int64_t at, int64_t *index)
{
    *index = load_any(place->data, at, type->width, type->kind == ARROW_INT);
    if (*index < 0 || *index >= in->places[type->dictionary].length)
        return arrow_wrong(in, "bad_array", "its index leads out of the dictionary");
    return true;
}

static bool arrow_fill_dictionary(arrow_in *in, arrow_span *span)
{
    const arrow_type *type = span->type;
    const arrow_place *values = &in->places[type->dictionary];
    const pith_cell *ready = values->made ? values->ready : NULL;
    int64_t at;
    for (pith_cell *cell; (cell = span_next(span, &at)) != NULL;) {
        int64_t index;
        if (!arrow_look_up(in, type, span->place, at, &index))
            return false;
        if (ready) {
            *cell = ready[index];
        } else {
            arrow_span one = arrow_span_of(in, type->dictionary, index, 1, cell, 1);
            if (!arrow_fill_plain(in, &one))
                return false;
        }
    }
    return true;
}

bool arrow_fill(arrow_in *in, arrow_span *span)
{
    return span->type->dictionary ? arrow_fill_dictionary(in, span)
                                  : arrow_fill_plain(in, span);
}

/* ---------------------------------------------------------------- dictionaries */

/* Makes the cells of dictionaries that the batch has more elements than. */
static bool arrow_make_one_ready(arrow_in *in, uint32_t at, int64_t rows)
{
    const arrow_type *type = &in->types.list.at[at];
    uint32_t values = type->dictionary;
    if (!values || !arrow_is_single(in, type))
        return true;
    arrow_place *place = &in->places[values];
    size_t count = (size_t)place->length;
    place->made = false;
    if (place->length > rows)
        return true;
    if (!list_grow(&in->alloc, (void *)&place->ready, &place->ready_cap, count,
                   sizeof *place->ready))
        return arrow_no_memory(in);
    arrow_span span = arrow_span_of(in, values, 0, count, place->ready, 1);
    place->made = arrow_fill_plain(in, &span);
    return place->made || in->code; /* a value that nobody refers to may be wrong */
}

/* Dictionaries have texts that live as long as the batch. */
bool arrow_make_ready(arrow_in *in, int64_t rows)
{
    pith_arena texts = in->texts;
    in->texts = in->lasting;
    arena_reset(&in->texts);
    bool made = true;
    for (size_t i = 0; i < in->types.list.count && made; i++)
        made = arrow_make_one_ready(in, (uint32_t)i, rows);
    in->lasting = in->texts;
    in->texts = texts;
    return made;
}
