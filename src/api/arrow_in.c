/*
 * arrow_in.c - batches of Arrow as the cells of rows.
 *
 * A batch is bound first: every array is compared with its type, and what can be checked
 * is. Then columns whose values are single cells are filled one after the other, some rows
 * at a time, so that each loop does one thing:
 *
 *     int64   | 7 | 8 | 9 |            matrix   | 7 | "a" | 1.5 |
 *     utf8    | a | b | c |      ->             | 8 | "b" | 2.5 |
 *     double  | 1.5 | 2.5 | 3.5 |               | 9 | "c" | 3.5 |
 *
 * Where all columns are such, the matrix is the rows. Else rows are put together from it
 * and from the cells of lists, structs and whatever else is made of several, which are
 * walked with a stack of frames. Dictionaries, runs and unions are looked through: they
 * lead to an element of another array.
 */
#include "api/arrow_in.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/utf8.h"

enum {
    ARROW_CHUNK = 128,        /* rows that are filled at a time, */
    ARROW_MATRIX_MOST = 8192, /* and cells, where rows are wide */
    ARROW_CELLS_ENOUGH = 4096 /* to hand them on */
};

/* Tells it, of a row counted from 1. */
static pith_status arrow_tell(const arrow_in *in, uint64_t row, size_t column,
                              pith_error *err)
{
    if (!in->code)
        return error_no_memory(err);
    pith_text name = in->names.at[column];
    return error_set(err, PITH_BAD_INPUT, in->code, "row %llu, column \"%s\": %s",
                     (unsigned long long)row, error_quote(name.ptr, name.len).text,
                     in->sentence);
}

/* ------------------------------------------------------- values of several cells */

/* A list, a struct or a map that is open. */
struct arrow_frame {
    uint32_t type;
    uint32_t member; /* of a struct: the next */
    int64_t at, end; /* of a list or a map: elements; of a struct: the one */
    bool pairs;      /* of a map: it is an array of them */
    bool in_pair;    /* and one has its key */
};

static bool arrow_add_cell(arrow_in *in, pith_cell_kind kind, pith_text text)
{
    pith_cell *cell = LIST_ADD(&in->cells, &in->alloc);
    if (!cell)
        return arrow_no_memory(in);
    cell_text(cell, kind, text.ptr, text.len);
    return true;
}

static bool arrow_add_mark(arrow_in *in, pith_cell_kind kind)
{
    return arrow_add_cell(in, kind, text_of(NULL, 0));
}

/* Hands cells on. */
static bool arrow_hand_on(arrow_in *in, const pith_cell *cells, size_t count)
{
    in->status = in->take(in->ctx, cells, count, in->err);
    return in->status == PITH_OK;
}

static bool arrow_flush(arrow_in *in, size_t least)
{
    if (in->cells.count < least)
        return true;
    bool taken = arrow_hand_on(in, in->cells.at, in->cells.count);
    in->cells.count = 0;
    return taken;
}

/* Texts of rows that are put together are looked at here, where the row is known. */
static bool arrow_check_texts(arrow_in *in, pith_cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cells[i].kind != PITH_CELL_TEXT)
            continue;
        if (utf8_find_invalid(cells[i].u.text, cells[i].len) != cells[i].len)
            return arrow_wrong(in, "invalid_utf8", "the text is not UTF-8");
        cells[i].flags = PITH_CELL_TRUSTED;
    }
    return true;
}

/* Elements that are single cells. */
static bool arrow_add_singles(arrow_in *in, uint32_t at, int64_t from, size_t count)
{
    pith_cell *cells = LIST_ROOM(&in->cells, &in->alloc, count);
    if (!cells)
        return arrow_no_memory(in);
    arrow_span span = arrow_span_of(in, at, from, count, cells, 1);
    in->cells.count += count;
    return arrow_fill(in, &span) && arrow_check_texts(in, cells, count);
}

/* The run that has the element: the first that ends after it. */
static bool arrow_find_run(arrow_in *in, const arrow_type *type, int64_t *index)
{
    const arrow_type *ends = &in->types.list.at[type->first_child];
    const arrow_place *place = &in->places[type->first_child];
    int64_t low = 0;
    int64_t high = place->length;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (load_any(place->data, place->offset + middle, ends->width, true) > *index)
            high = middle;
        else
            low = middle + 1;
    }
    *index = low;
    if (low == place->length || low >= in->places[type->first_child + 1].length)
        return arrow_wrong(in, "bad_array", "the runs end before it");
    return true;
}

/* The child of a union that the element is, and which of its elements. */
static bool arrow_find_member(arrow_in *in, const arrow_type *type,
                              const arrow_place *place, uint32_t *at, int64_t *index)
{
    int64_t here = place->offset + *index;
    int8_t number = load_int8(place->data, here);
    if (number < 0 || type->members[number] < 0)
        return arrow_wrong(in, "bad_array", "it is of a type that the union has not");
    *at = type->first_child + (uint8_t)type->members[number];
    *index = type->dense ? load_int32(place->more, here) : here;
    if (*index < 0 || *index >= in->places[*at].length)
        return arrow_wrong(in, "bad_array", "it leads out of the member of the union");
    return true;
}

/* Looks through runs, unions and dictionaries of values that are not single. A null stays
 * where it is found. */
static bool arrow_resolve(arrow_in *in, uint32_t *at, int64_t *index)
{
    for (;;) {
        const arrow_type *type = &in->types.list.at[*at];
        const arrow_place *place = &in->places[*at];
        if (type->kind == ARROW_RUNS) {
            *index += place->offset;
            *at = type->first_child + 1;
            if (!arrow_find_run(in, type, index))
                return false;
        } else if (type->kind == ARROW_UNION) {
            if (!arrow_find_member(in, type, place, at, index))
                return false;
        } else if (type->dictionary && !arrow_is_single(in, type) &&
                   !arrow_is_null(place, *index)) {
            if (!arrow_look_up(in, type, place, place->offset + *index, index))
                return false;
            *at = type->dictionary;
        } else {
            return true;
        }
    }
}

/* The elements of a list or the entries of a map. */
static bool arrow_find_range(arrow_in *in, const arrow_type *type,
                             const arrow_place *place, int64_t index, arrow_frame *frame)
{
    int64_t at = place->offset + index;
    if (type->kind == ARROW_LIST_FIXED) {
        frame->at = at * type->size;
        frame->end = frame->at + type->size;
        return true;
    }
    frame->at = load_any(place->data, at, type->width, true);
    int64_t size = type->kind == ARROW_LIST_VIEW
                       ? load_any(place->more, at, type->width, true)
                       : load_any(place->data, at + 1, type->width, true) - frame->at;
    int64_t length = in->places[type->first_child].length;
    if (frame->at < 0 || size < 0 || frame->at > length || size > length - frame->at)
        return arrow_wrong(in, "bad_array", "it has elements that are not there");
    frame->end = frame->at + size;
    return true;
}

/* ------------------------------------------------------------------------- maps */

static bool arrow_has_text_keys(const arrow_in *in, const arrow_type *keys)
{
    if (keys->dictionary)
        keys = &in->types.list.at[keys->dictionary];
    return (keys->kind == ARROW_TEXT || keys->kind == ARROW_TEXT_VIEW) &&
           keys->extension == ARROW_PLAIN && !keys->dictionary;
}

/* Where the entries of a map are, as elements of its keys and of its values. */
static int64_t arrow_entry(const arrow_in *in, const arrow_type *map, int64_t entry)
{
    return in->places[map->first_child].offset + entry;
}

static bool arrow_key_cell(arrow_in *in, const arrow_type *map, int64_t entry,
                           pith_cell *cell)
{
    uint32_t keys = in->types.list.at[map->first_child].first_child;
    arrow_span span = arrow_span_of(in, keys, arrow_entry(in, map, entry), 1, cell, 1);
    return arrow_fill(in, &span);
}

/* Whether the entries can be an object: their keys are texts, and all of them differ. */
static bool arrow_map_is_object(arrow_in *in, const arrow_type *map,
                                const arrow_frame *frame, bool *object)
{
    uint32_t keys = in->types.list.at[map->first_child].first_child;
    *object = arrow_has_text_keys(in, &in->types.list.at[keys]);
    names_back(&in->keys, 0);
    for (int64_t i = frame->at; i < frame->end && *object; i++) {
        pith_cell cell;
        if (!arrow_key_cell(in, map, i, &cell))
            return false;
        pith_key key = {cell.u.text, cell.len, 0, 0};
        uint32_t count = (uint32_t)in->keys.keys.count;
        *object = cell.kind == PITH_CELL_TEXT;
        if (*object && names_meet(&in->keys, &key, count) != count)
            *object = false;
        if (in->keys.failed)
            return arrow_no_memory(in);
    }
    return true;
}

/* ------------------------------------------------------------------------- JSON */

/* The text that an element is, spelled out as the value that it stands for. */
static bool arrow_add_scalar(arrow_in *in, pith_value value)
{
    static const uint8_t kinds[] = {
        [PITH_NULL] = PITH_CELL_NULL,      [PITH_FALSE] = PITH_CELL_FALSE,
        [PITH_TRUE] = PITH_CELL_TRUE,      [PITH_INTEGER] = PITH_CELL_DIGITS,
        [PITH_DECIMAL] = PITH_CELL_DIGITS, [PITH_STRING] = PITH_CELL_TEXT};
    pith_kind kind = pith_value_kind(value);
    if (kind < PITH_INTEGER)
        return arrow_add_mark(in, (pith_cell_kind)kinds[kind]);
    pith_text text = pith_value_text(value);
    text.ptr = arena_copy(&in->texts, text.ptr, text.len);
    return text.ptr ? arrow_add_cell(in, (pith_cell_kind)kinds[kind], text)
                    : arrow_no_memory(in);
}

static bool arrow_add_json_key(arrow_in *in, pith_value value)
{
    pith_text key = pith_value_key(value);
    key.ptr = arena_copy(&in->texts, key.ptr, key.len);
    return key.ptr ? arrow_add_cell(in, PITH_CELL_KEY, key) : arrow_no_memory(in);
}

static bool arrow_add_json_value(arrow_in *in, pith_value value, pith_value *inner)
{
    pith_kind kind = pith_value_kind(value);
    bool container = kind == PITH_ARRAY || kind == PITH_OBJECT;
    memset(inner, 0, sizeof *inner);
    if (!container)
        return arrow_add_scalar(in, value);
    pith_value *open = LIST_ADD(&in->open, &in->alloc);
    if (!open)
        return arrow_no_memory(in);
    *open = value;
    *inner = pith_value_first(value);
    return arrow_add_mark(in, kind == PITH_ARRAY ? PITH_CELL_ARRAY : PITH_CELL_OBJECT);
}

static bool arrow_add_document(arrow_in *in)
{
    pith_value inner;
    in->open.count = 0;
    bool added = arrow_add_json_value(in, pith_doc_root(in->json), &inner);
    while (added && in->open.count > 0) {
        pith_value value = inner;
        if (value.doc) {
            bool keyed = pith_value_kind(in->open.at[in->open.count - 1]) == PITH_OBJECT;
            added = (!keyed || arrow_add_json_key(in, value)) &&
                    arrow_add_json_value(in, value, &inner);
            if (!added || inner.doc || pith_value_count(value) > 0)
                continue;
        } else {
            value = in->open.at[--in->open.count];
            added = arrow_add_mark(in, PITH_CELL_CLOSE);
        }
        inner = pith_value_next(value);
    }
    return added;
}

static bool arrow_add_json(arrow_in *in, uint32_t at, int64_t index)
{
    pith_cell cell;
    pith_error err;
    arrow_span span = arrow_span_of(in, at, index, 1, &cell, 1);
    if (!arrow_fill(in, &span))
        return false;
    if (!in->json)
        in->json = pith_doc_new(&in->options);
    if (!in->json)
        return arrow_no_memory(in);
    pith_status status =
        pith_doc_read(in->json, "json", cell.u.text, cell.len, &in->options, &err);
    if (status == PITH_NO_MEMORY)
        return arrow_no_memory(in);
    if (status != PITH_OK)
        return arrow_wrong(in, err.code, "the text is not the JSON that its type says");
    return arrow_add_document(in);
}

/* ------------------------------------------------------------------ the walk */

static bool arrow_open_container(arrow_in *in, uint32_t at, int64_t index, size_t *depth)
{
    const arrow_type *type = &in->types.list.at[at];
    const arrow_place *place = &in->places[at];
    arrow_frame *frame = &in->frames[(*depth)++];
    assert(*depth <= ARROW_DEPTH_MOST + 1);
    memset(frame, 0, sizeof *frame);
    frame->type = at;
    bool object = type->kind == ARROW_STRUCT;
    if (type->kind == ARROW_STRUCT)
        frame->at = place->offset + index;
    else if (!arrow_find_range(in, type, place, index, frame))
        return false;
    if (type->kind == ARROW_MAP && !arrow_map_is_object(in, type, frame, &object))
        return false;
    frame->pairs = type->kind == ARROW_MAP && !object;
    return arrow_add_mark(in, object ? PITH_CELL_OBJECT : PITH_CELL_ARRAY);
}

/* One element: its cells, or the beginning of them and a frame. */
static bool arrow_add_element(arrow_in *in, uint32_t at, int64_t index, size_t *depth)
{
    if (!arrow_resolve(in, &at, &index))
        return false;
    const arrow_type *type = &in->types.list.at[at];
    if (arrow_is_null(&in->places[at], index))
        return arrow_add_mark(in, PITH_CELL_NULL);
    if (arrow_is_single(in, type))
        return arrow_add_singles(in, at, index, 1);
    if (type->extension == ARROW_JSON)
        return arrow_add_json(in, at, index);
    return arrow_open_container(in, at, index, depth);
}

static bool arrow_step_list(arrow_in *in, arrow_frame *frame, uint32_t child,
                            size_t *depth)
{
    if (!arrow_is_single(in, &in->types.list.at[child]))
        return arrow_add_element(in, child, frame->at++, depth);
    int64_t count = frame->end - frame->at;
    if (count > ARROW_CELLS_ENOUGH)
        count = ARROW_CELLS_ENOUGH;
    frame->at += count;
    return arrow_add_singles(in, child, frame->at - count, (size_t)count);
}

static bool arrow_step_map(arrow_in *in, arrow_frame *frame, const arrow_type *map,
                           size_t *depth)
{
    uint32_t keys = in->types.list.at[map->first_child].first_child;
    int64_t entry = arrow_entry(in, map, frame->at);
    if (!frame->pairs) {
        pith_cell cell;
        pith_cell *added;
        if (!arrow_key_cell(in, map, frame->at++, &cell) ||
            !(added = LIST_ADD(&in->cells, &in->alloc)))
            return in->code ? false : arrow_no_memory(in);
        *added = cell;
        added->kind = PITH_CELL_KEY;
        return arrow_add_element(in, keys + 1, entry, depth);
    }
    if (!frame->in_pair) {
        frame->in_pair = true;
        return arrow_add_mark(in, PITH_CELL_ARRAY) &&
               arrow_add_element(in, keys, entry, depth);
    }
    if (frame->member == 0) {
        frame->member = 1;
        return arrow_add_element(in, keys + 1, entry, depth);
    }
    frame->member = 0;
    frame->in_pair = false;
    frame->at++;
    return arrow_add_mark(in, PITH_CELL_CLOSE);
}

/* The next piece of the innermost container, or its end. */
static bool arrow_step(arrow_in *in, size_t *depth)
{
    arrow_frame *frame = &in->frames[*depth - 1];
    const arrow_type *type = &in->types.list.at[frame->type];
    bool ends = type->kind == ARROW_STRUCT ? frame->member == type->child_count
                                           : frame->at == frame->end;
    if (ends) {
        --*depth;
        return arrow_add_mark(in, PITH_CELL_CLOSE);
    }
    if (type->kind == ARROW_MAP)
        return arrow_step_map(in, frame, type, depth);
    if (type->kind != ARROW_STRUCT)
        return arrow_step_list(in, frame, type->first_child, depth);
    uint32_t child = type->first_child + frame->member++;
    return arrow_add_cell(in, PITH_CELL_KEY, in->types.list.at[child].name) &&
           arrow_add_element(in, child, frame->at, depth);
}

static bool arrow_add_value(arrow_in *in, uint32_t at, int64_t index)
{
    size_t depth = 0;
    bool added = arrow_add_element(in, at, index, &depth);
    while (added && depth > 0)
        added = arrow_step(in, &depth) && arrow_flush(in, ARROW_CELLS_ENOUGH);
    return added;
}

/* ------------------------------------------------------------------------ rows */

/* Fills the columns of single cells for rows from `from` on. */
static pith_status arrow_fill_matrix(arrow_in *in, int64_t from, size_t rows,
                                     pith_error *err)
{
    const arrow_type *table = in->types.list.at;
    size_t width = table->child_count;
    for (uint32_t i = 0; i < width; i++) {
        uint32_t at = table->first_child + i;
        arrow_span span = arrow_span_of(in, at, in->places[0].offset + from, rows,
                                        in->matrix.at + i, width);
        if (arrow_is_single(in, &in->types.list.at[at]) && !arrow_fill(in, &span))
            return arrow_tell(in, in->rows + (uint64_t)from + span.next, i, err);
    }
    return PITH_OK;
}

/* Puts rows together. */
static pith_status arrow_add_rows(arrow_in *in, int64_t from, size_t rows,
                                  pith_error *err)
{
    const arrow_type *table = in->types.list.at;
    size_t width = table->child_count;
    for (size_t row = 0; row < rows; row++) {
        for (uint32_t i = 0; i < width; i++) {
            uint32_t at = table->first_child + i;
            int64_t index = in->places[0].offset + from + (int64_t)row;
            bool added = true;
            if (arrow_is_single(in, &in->types.list.at[at])) {
                pith_cell *cell = LIST_ADD(&in->cells, &in->alloc);
                added = cell != NULL || arrow_no_memory(in);
                if (cell) {
                    *cell = in->matrix.at[row * width + i];
                    added = arrow_check_texts(in, cell, 1);
                }
            } else {
                added = arrow_add_value(in, at, index);
            }
            if (!added && in->status != PITH_OK)
                return in->status;
            if (!added)
                return arrow_tell(in, in->rows + (uint64_t)from + row + 1, i, err);
        }
        if (!arrow_flush(in, ARROW_CELLS_ENOUGH))
            return in->status;
    }
    return arrow_flush(in, 1) ? PITH_OK : in->status;
}

/* A text that is not UTF-8 is found where cells are taken. This tells whose it is. */
static pith_status arrow_find_text(arrow_in *in, int64_t from, size_t rows,
                                   pith_error *err)
{
    size_t width = in->types.list.at[0].child_count;
    for (size_t i = 0; i < rows * width && err && in->flat; i++) {
        const pith_cell *cell = &in->matrix.at[i];
        if (cell->kind == PITH_CELL_TEXT &&
            utf8_find_invalid(cell->u.text, cell->len) != cell->len) {
            arrow_wrong(in, "invalid_utf8", "the text is not UTF-8");
            return arrow_tell(in, in->rows + (uint64_t)from + i / width + 1, i % width,
                              err);
        }
    }
    return in->status;
}

/* A part of the rows of a batch that is bound. */
static pith_status arrow_add_chunk(arrow_in *in, int64_t from, size_t rows,
                                   pith_error *err)
{
    size_t width = in->types.list.at[0].child_count;
    arena_reset(&in->texts);
    pith_status status = arrow_fill_matrix(in, from, rows, err);
    if (status != PITH_OK)
        return status;
    if (!in->flat)
        return arrow_add_rows(in, from, rows, err);
    return arrow_hand_on(in, in->matrix.at, rows * width)
               ? PITH_OK
               : arrow_find_text(in, from, rows, err);
}

static pith_status arrow_check_rows(const arrow_in *in, pith_error *err)
{
    const arrow_place *place = &in->places[0];
    for (int64_t i = 0; place->valid && i < place->length; i++) {
        if (arrow_is_null(place, i)) {
            return error_set(err, PITH_BAD_INPUT, "null_not_allowed",
                             "row %llu of the batches is null as a whole",
                             (unsigned long long)(in->rows + (uint64_t)i + 1));
        }
    }
    return PITH_OK;
}

pith_status arrow_in_add(arrow_in *in, const struct ArrowArray *batch, pith_error *err)
{
    in->err = err;
    in->status = PITH_OK;
    in->cells.count = 0;
    pith_status status = arrow_bind(in, batch, err);
    if (status == PITH_OK)
        status = arrow_check_rows(in, err);
    if (status == PITH_OK && !arrow_make_ready(in, batch->length))
        status = error_no_memory(err);
    size_t width = in->types.list.at[0].child_count;
    size_t most = width ? ARROW_MATRIX_MOST / width : ARROW_CHUNK;
    most = most > ARROW_CHUNK ? ARROW_CHUNK : most < 1 ? 1 : most;
    if (status == PITH_OK && !LIST_RESERVE(&in->matrix, &in->alloc, most * width))
        status = error_no_memory(err);
    for (int64_t from = 0; from < batch->length && status == PITH_OK && width > 0;) {
        int64_t left = batch->length - from;
        size_t rows = left > (int64_t)most ? most : (size_t)left;
        status = arrow_add_chunk(in, from, rows, err);
        from += (int64_t)rows;
    }
    in->rows += status == PITH_OK ? (uint64_t)batch->length : 0;
    return status;
}

/* ------------------------------------------------------------ opening, closing */

void arrow_in_free(arrow_in *in)
{
    if (!in)
        return;
    pith_alloc alloc = in->alloc;
    for (size_t i = 0; in->places && i < in->types.list.count; i++)
        alloc_free(&alloc, in->places[i].ready,
                   in->places[i].ready_cap * sizeof *in->places[i].ready);
    alloc_free(&alloc, in->places, in->types.list.count * sizeof *in->places);
    alloc_free(&alloc, in->frames, (ARROW_DEPTH_MOST + 1) * sizeof *in->frames);
    arrow_types_free(&in->types);
    LIST_FREE(&in->names, &alloc);
    LIST_FREE(&in->matrix, &alloc);
    LIST_FREE(&in->cells, &alloc);
    LIST_FREE(&in->open, &alloc);
    names_free(&in->keys);
    arena_free(&in->texts);
    arena_free(&in->lasting);
    pith_doc_free(in->json);
    alloc_free(&alloc, in, sizeof *in);
}

/* The offset of a zone by its name is not known here: its times are told in UTC. */
static void arrow_tell_zones(const arrow_in *in)
{
    for (size_t i = 0; in->options.notice && i < in->types.list.count; i++) {
        const arrow_type *type = &in->types.list.at[i];
        pith_error remark;
        if (!type->named_zone)
            continue;
        error_set(&remark, PITH_OK, "zone",
                  "column \"%s\": the times of its zone, %s, are written in UTC",
                  error_quote(type->name.ptr, type->name.len).text,
                  error_quote(type->format.ptr + 4, type->format.len - 4).text);
        in->options.notice(in->options.notice_ctx, &remark);
    }
}

static pith_status arrow_in_open(arrow_in *in, const struct ArrowSchema *schema,
                                 pith_error *err)
{
    pith_status status = arrow_types_read(&in->types, schema, in->alloc, err);
    if (status == PITH_OK)
        status = arrow_types_check_table(&in->types, err);
    if (status != PITH_OK)
        return status;
    const arrow_type *table = in->types.list.at;
    in->places = (arrow_place *)alloc_zeroed(&in->alloc,
                                             in->types.list.count * sizeof *in->places);
    in->frames = (arrow_frame *)alloc_zeroed(&in->alloc,
                                             (ARROW_DEPTH_MOST + 1) * sizeof *in->frames);
    if (!in->places || !in->frames ||
        !LIST_RESERVE(&in->names, &in->alloc, table->child_count))
        return error_no_memory(err);
    in->flat = true;
    for (uint32_t i = 0; i < table->child_count; i++) {
        const arrow_type *column = table + table->first_child + i;
        in->names.at[in->names.count++] = column->name;
        in->flat = in->flat && arrow_is_single(in, column);
    }
    arrow_tell_zones(in);
    return PITH_OK;
}

arrow_in *arrow_in_new(const struct ArrowSchema *schema, const pith_options *options,
                       pith_error *err)
{
    pith_alloc alloc = alloc_from(options);
    arrow_in *in = (arrow_in *)alloc_zeroed(&alloc, sizeof *in);
    if (!in) {
        error_no_memory(err);
        return NULL;
    }
    in->alloc = alloc;
    in->options.alloc = alloc;
    if (options) {
        in->options.depth_max = options->depth_max;
        in->options.notice = options->notice;
        in->options.notice_ctx = options->notice_ctx;
    }
    arena_init(&in->texts, alloc);
    arena_init(&in->lasting, alloc);
    arena_init(&in->types.texts, alloc);
    in->types.alloc = alloc;
    names_init(&in->keys, alloc, hash_seed(alloc));
    if (arrow_in_open(in, schema, err) != PITH_OK) {
        arrow_in_free(in);
        return NULL;
    }
    return in;
}

/* A fixed list without nulls is a vector. */
static pith_type arrow_list_type(const arrow_in *in, const arrow_type *type)
{
    const arrow_type *child = &in->types.list.at[type->first_child];
    bool vector = type->kind == ARROW_LIST_FIXED && child->kind == ARROW_FLOAT &&
                  !child->nullable && type->size > 0;
    return vector ? PITH_TYPE_VEC : PITH_TYPE_ARRAY;
}

static pith_type arrow_field_type(const arrow_in *in, const arrow_type *type)
{
    switch (type->kind) {
    case ARROW_NULL:
    case ARROW_DECIMAL:
    case ARROW_MAP:
    case ARROW_UNION:
    case ARROW_RUNS:
        return PITH_TYPE_ANY;
    case ARROW_BOOL:
        return PITH_TYPE_BOOL;
    case ARROW_INT:
        return PITH_TYPE_INT;
    case ARROW_UINT:
        return PITH_TYPE_UINT;
    case ARROW_FLOAT:
        return PITH_TYPE_FLOAT;
    case ARROW_BYTES:
    case ARROW_BYTES_VIEW:
        return PITH_TYPE_BYTES;
    case ARROW_BYTES_FIXED:
        return type->extension == ARROW_UUID ? PITH_TYPE_TEXT : PITH_TYPE_BYTES;
    case ARROW_LIST:
    case ARROW_LIST_VIEW:
    case ARROW_LIST_FIXED:
        return arrow_list_type(in, type);
    case ARROW_STRUCT:
        return PITH_TYPE_OBJECT;
    default:
        return type->extension == ARROW_JSON ? PITH_TYPE_ANY : PITH_TYPE_TEXT;
    }
}

pith_field arrow_in_field(const arrow_in *in, size_t column)
{
    const arrow_type *table = in->types.list.at;
    const arrow_type *type = table + table->first_child + column;
    const arrow_type *values = type->dictionary ? table + type->dictionary : type;
    pith_field field;
    memset(&field, 0, sizeof field);
    field.name = type->name;
    field.type = values->dictionary ? PITH_TYPE_ANY : arrow_field_type(in, values);
    field.nullable = type->nullable || field.type == PITH_TYPE_ANY;
    field.size = field.type == PITH_TYPE_VEC ? (uint32_t)values->size : 0;
    return field;
}
