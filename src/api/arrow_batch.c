/*
 * arrow_batch.c - rows of a document as arrays of Arrow.
 *
 * Each type has a column that grows by one element at a time: bits, values, offsets,
 * bytes. A row is walked in its order on the tape, with a stack of what is open; the key
 * of a member says which column it goes to. Columns that a row says nothing of stay
 * behind, and are filled up with nulls when the next cell comes, or in the end:
 *
 *     {"a":1}  {"b":2}  {"a":3}        a | 1 | null | 3 |      b | null | 2 |  <- one more
 *
 * The memory of the columns becomes that of the arrays, which free it when they are
 * released, each for itself: a consumer may take a child out and keep it.
 */
#include "api/arrow_out.h"
#include "base/base64.h"
#include "base/hash.h"
#include "base/num.h"
#include "doc/spelled.h"
#include "doc/typed.h"

#include <math.h>

/* --------------------------------------------------------------------- columns */

static bool batch_wrong(arrow_batch *batch, const char *code, const char *sentence)
{
    batch->code = code;
    batch->sentence = sentence;
    return false;
}

static bool batch_no_memory(arrow_batch *batch)
{
    return batch_wrong(batch, NULL, NULL);
}

static bool batch_mismatch(arrow_batch *batch)
{
    return batch_wrong(batch, "type_mismatch", "the value does not fit the type");
}

static bool bytes_add(arrow_batch *batch, arrow_bytes *bytes, const void *data,
                      size_t len)
{
    uint8_t *to = LIST_ROOM(bytes, &batch->alloc, len);
    if (!to && len > 0)
        return batch_no_memory(batch);
    if (len > 0)
        memcpy(to, data, len);
    bytes->count += len;
    return true;
}

static bool bytes_add_zeros(arrow_batch *batch, arrow_bytes *bytes, size_t len)
{
    uint8_t *to = LIST_ROOM(bytes, &batch->alloc, len);
    if (!to && len > 0)
        return batch_no_memory(batch);
    if (len > 0)
        memset(to, 0, len);
    bytes->count += len;
    return true;
}

/* Sets the bit of the element number `at`, the last one. */
static bool bits_add(arrow_batch *batch, arrow_bytes *bits, int64_t at, bool bit)
{
    size_t byte = (size_t)(at / 8);
    if (byte >= bits->count && !bytes_add_zeros(batch, bits, byte + 1 - bits->count))
        return false;
    bits->at[byte] = (uint8_t)(bits->at[byte] | bit << at % 8);
    return true;
}

/* The first null: all before it are not. */
static bool column_begin_nulls(arrow_batch *batch, arrow_column *column)
{
    size_t whole = (size_t)(column->length / 8);
    if (!bytes_add_zeros(batch, &column->valid, whole + 1))
        return false;
    memset(column->valid.at, 0xff, whole);
    column->valid.at[whole] = (uint8_t)((1u << column->length % 8) - 1);
    return true;
}

/* Ends an element, whose values are there. */
static bool column_end(arrow_batch *batch, arrow_column *column, bool valid)
{
    if (!valid && column->nulls == 0 && !column_begin_nulls(batch, column))
        return false;
    column->nulls += !valid;
    if (column->nulls > 0 && !bits_add(batch, &column->valid, column->length, valid))
        return false;
    column->length++;
    return true;
}

static bool has_offsets(const arrow_type *type)
{
    return type->kind == ARROW_TEXT || type->kind == ARROW_BYTES ||
           type->kind == ARROW_LIST || type->kind == ARROW_MAP;
}

/* The bytes of a value in `data`; 0 where it has none, or is a bit. */
static size_t value_width(const arrow_type *type)
{
    switch (type->kind) {
    case ARROW_NULL:
    case ARROW_BOOL:
    case ARROW_LIST_FIXED:
    case ARROW_STRUCT:
        return 0;
    case ARROW_TEXT_VIEW:
    case ARROW_BYTES_VIEW:
        return 16;
    case ARROW_BYTES_FIXED:
        return (size_t)type->size;
    default:
        return type->width;
    }
}

/* An offset, of four bytes or eight. */
static bool column_add_offset(arrow_batch *batch, const arrow_type *type,
                              arrow_column *column, int64_t offset)
{
    int32_t small = (int32_t)offset;
    if (type->width == 8)
        return bytes_add(batch, &column->data, &offset, sizeof offset);
    if (offset > INT32_MAX) {
        return batch_wrong(
            batch, "too_large",
            "a batch of the column has more than 2 GiB; ask for fewer rows "
            "in a batch");
    }
    return bytes_add(batch, &column->data, &small, sizeof small);
}

/* The end of the elements so far, for one that has offsets. */
static int64_t column_reached(const arrow_batch *batch, const arrow_type *type,
                              const arrow_column *column)
{
    return type->kind == ARROW_LIST || type->kind == ARROW_MAP
               ? batch->columns[type->first_child].length
               : (int64_t)column->more.count;
}

static bool column_add_null(arrow_batch *batch, uint32_t at)
{
    const arrow_type *type = &batch->types->list.at[at];
    arrow_column *column = &batch->columns[at];
    bool added = true;
    if (has_offsets(type))
        added =
            column_add_offset(batch, type, column, column_reached(batch, type, column));
    else if (type->kind == ARROW_BOOL)
        added = bits_add(batch, &column->data, column->length, false);
    else
        added = bytes_add_zeros(batch, &column->data, value_width(type));
    if (type->kind == ARROW_NULL) { /* it has no bits */
        column->length++;
        column->nulls++;
        return true;
    }
    return added && column_end(batch, column, false);
}

static bool column_pad(arrow_batch *batch, uint32_t at, int64_t length)
{
    while (batch->columns[at].length < length)
        if (!column_add_null(batch, at))
            return false;
    return true;
}

/* --------------------------------------------------------------------- scalars */

/* A value of a fixed width. */
static bool add_fixed(arrow_batch *batch, arrow_column *column, const void *value,
                      size_t width)
{
    return bytes_add(batch, &column->data, value, width) &&
           column_end(batch, column, true);
}

static bool add_integer(arrow_batch *batch, const arrow_type *type, arrow_column *column,
                        pith_text digits)
{
    uint64_t bits;
    unsigned width = type->width;
    if (type->kind == ARROW_INT) {
        int64_t number;
        int64_t most = width == 8 ? INT64_MAX : (INT64_C(1) << (8 * width - 1)) - 1;
        if (!num_to_int64(digits, &number) || number > most || number < -most - 1)
            return batch_wrong(batch, "out_of_range", "the number does not fit the type");
        bits = (uint64_t)number;
    } else {
        uint64_t most = width == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * width) - 1;
        if (!num_to_uint64(digits, &bits) || bits > most)
            return batch_wrong(batch, "out_of_range", "the number does not fit the type");
    }
    uint8_t value[8];
    uint16_t two = (uint16_t)bits;
    uint32_t four = (uint32_t)bits;
    uint8_t one = (uint8_t)bits;
    memcpy(value,
           width == 8   ? (void *)&bits
           : width == 4 ? (void *)&four
           : width == 2 ? (void *)&two
                        : (void *)&one,
           width);
    return add_fixed(batch, column, value, width);
}

/* NaN and the infinities are texts in most formats. */
static bool find_double(const pith_slot *slot, double *number)
{
    static const struct {
        const char *word;
        double number;
    } odd[] = {{"NaN", (double)NAN}, {"Inf", HUGE_VAL}, {"-Inf", -HUGE_VAL}};
    if (slot->kind == PITH_INTEGER || slot->kind == PITH_DECIMAL) {
        *number = typed_double(slot);
        return isfinite(*number);
    }
    for (size_t i = 0; slot->kind == PITH_STRING && i < sizeof odd / sizeof *odd; i++) {
        if (text_is(slot_text(slot), odd[i].word)) {
            *number = odd[i].number;
            return true;
        }
    }
    return false;
}

static bool add_float(arrow_batch *batch, const arrow_type *type, arrow_column *column,
                      const pith_slot *slot)
{
    double number;
    if (!find_double(slot, &number))
        return slot->kind == PITH_STRING
                   ? batch_mismatch(batch)
                   : batch_wrong(batch, "out_of_range", "the number is too large");
    float single = (float)number;
    uint16_t half = 0;
    bool fits = type->width == 2   ? arrow_double_to_half(number, &half)
                : type->width == 4 ? !isinf(single) || isinf(number)
                                   : true;
    if (!fits)
        return batch_wrong(batch, "out_of_range", "the number is too large");
    return type->width == 2   ? add_fixed(batch, column, &half, sizeof half)
           : type->width == 4 ? add_fixed(batch, column, &single, sizeof single)
                              : add_fixed(batch, column, &number, sizeof number);
}

static bool add_view(arrow_batch *batch, arrow_column *column, const char *data,
                     size_t len)
{
    uint8_t view[16] = {0};
    int32_t size = (int32_t)len;
    int32_t from = (int32_t)column->more.count;
    if (len > INT32_MAX || column->more.count > INT32_MAX - len)
        return batch_wrong(
            batch, "too_large",
            "a batch of the column has more than 2 GiB; ask for fewer rows "
            "in a batch");
    memcpy(view, &size, 4);
    if (len <= 12) {
        if (len > 0)
            memcpy(view + 4, data, len);
    } else {
        memcpy(view + 4, data, 4);
        memcpy(view + 12, &from, 4);
        if (!bytes_add(batch, &column->more, data, len))
            return false;
    }
    return add_fixed(batch, column, view, sizeof view);
}

/* Texts or bytes, after each other or viewed. */
static bool add_span(arrow_batch *batch, const arrow_type *type, arrow_column *column,
                     const char *data, size_t len)
{
    if (type->kind == ARROW_TEXT_VIEW || type->kind == ARROW_BYTES_VIEW)
        return add_view(batch, column, data, len);
    return bytes_add(batch, &column->more, data, len) &&
           column_add_offset(batch, type, column, (int64_t)column->more.count) &&
           column_end(batch, column, true);
}

/* Bytes are base64, mostly after "b64:". */
static bool add_bytes(arrow_batch *batch, const arrow_type *type, arrow_column *column,
                      pith_text text)
{
    size_t len;
    if (text_begins(text, TYPED_BYTES_PREFIX))
        text = text_after(text, TYPED_BYTES_PREFIX_LEN);
    if (!base64_check(text.ptr, text.len, &len))
        return batch_mismatch(batch);
    bool fixed = type->kind == ARROW_BYTES_FIXED;
    if (fixed && len != (size_t)type->size)
        return batch_wrong(batch, "type_mismatch", "there are more or fewer bytes");
    uint8_t *to = len ? (uint8_t *)alloc_resize(&batch->alloc, NULL, 0, len) : NULL;
    if (len && !to)
        return batch_no_memory(batch);
    base64_read(to, len, text.ptr, text.len);
    bool added = fixed ? add_fixed(batch, column, to, len)
                       : add_span(batch, type, column, (const char *)to, len);
    alloc_free(&batch->alloc, to, len);
    return added;
}

static bool add_time(arrow_batch *batch, const arrow_type *type, arrow_column *column,
                     pith_text text)
{
    int64_t number;
    if (!arrow_read_time(text, type, &number))
        return batch_mismatch(batch);
    int32_t small = (int32_t)number;
    return type->width == 4 ? add_fixed(batch, column, &small, sizeof small)
                            : add_fixed(batch, column, &number, sizeof number);
}

static bool add_decimal(arrow_batch *batch, const arrow_type *type, arrow_column *column,
                        pith_text digits)
{
    uint8_t bytes[32];
    return arrow_read_decimal(digits, type, bytes)
               ? add_fixed(batch, column, bytes, type->width)
               : batch_wrong(batch, "out_of_range",
                             "the number has more digits than the type");
}

/* The digits of a number, the word of a truth value, the text of a string. */
static pith_text batch_text(const arrow_batch *batch, const pith_slot *slot)
{
    return slot_is_double(slot) ? doc_digits(batch->doc, slot) : slot_text(slot);
}

/* A value of any kind, as JSON. */
static bool add_json(arrow_batch *batch, const arrow_type *type, arrow_column *column,
                     uint32_t at)
{
    pith_options options = {.alloc = batch->alloc};
    batch->json.len = 0;
    if (pith_value_write(doc_value(batch->doc, at, SLOT_NONE, 0), "json", &options,
                         pith_sink_buffer(&batch->json), NULL) != PITH_OK)
        return batch_no_memory(batch);
    return add_span(batch, type, column, batch->json.data, batch->json.len);
}

static bool add_number(arrow_batch *batch, const arrow_type *type, arrow_column *column,
                       const pith_slot *slot)
{
    bool number = slot->kind == PITH_INTEGER || slot->kind == PITH_DECIMAL;
    if (type->kind == ARROW_FLOAT)
        return number || slot->kind == PITH_STRING ? add_float(batch, type, column, slot)
                                                   : batch_mismatch(batch);
    if (type->kind == ARROW_DECIMAL && number)
        return add_decimal(batch, type, column, batch_text(batch, slot));
    if (slot->kind != PITH_INTEGER)
        return batch_mismatch(batch);
    return add_integer(batch, type, column, slot_text(slot));
}

/* The number that a text has in a dictionary, which it enters. */
static bool add_index(arrow_batch *batch, const arrow_type *type, arrow_column *column,
                      const pith_slot *slot)
{
    pith_text text = batch_text(batch, slot);
    pith_key key = {text.ptr, (uint32_t)text.len, 0, 0};
    name_list *texts = &batch->columns[type->dictionary].texts;
    uint32_t index = names_meet(texts, &key, (uint32_t)texts->keys.count);
    if (index == NAMES_NONE)
        return batch_no_memory(batch);
    char digits[NUM_UINT64_MAX_LEN];
    return add_integer(batch, type, column,
                       text_of(digits, num_write_uint64(digits, index)));
}

static bool add_string(arrow_batch *batch, const arrow_type *type, arrow_column *column,
                       const pith_slot *slot)
{
    pith_text text = slot_text(slot);
    uint8_t uuid[16];
    if (slot->kind != PITH_STRING)
        return batch_mismatch(batch);
    if (type->extension == ARROW_UUID)
        return arrow_read_uuid(text, uuid) ? add_fixed(batch, column, uuid, sizeof uuid)
                                           : batch_mismatch(batch);
    if (type->kind >= ARROW_DATE)
        return add_time(batch, type, column, text);
    return add_bytes(batch, type, column, text);
}

/* A value that is one element, and not null. */
static bool add_scalar(arrow_batch *batch, uint32_t number, uint32_t at)
{
    const arrow_type *type = &batch->types->list.at[number];
    arrow_column *column = &batch->columns[number];
    const pith_slot *slot = &batch->doc->slots[at];
    if (type->extension == ARROW_JSON)
        return add_json(batch, type, column, at);
    if (slot_is_container(slot))
        return batch_mismatch(batch);
    if (type->dictionary)
        return add_index(batch, type, column, slot);
    switch (type->kind) {
    case ARROW_NULL:
        return batch_mismatch(batch);
    case ARROW_BOOL:
        if (slot->kind != PITH_TRUE && slot->kind != PITH_FALSE)
            return batch_mismatch(batch);
        return bits_add(batch, &column->data, column->length, slot->kind == PITH_TRUE) &&
               column_end(batch, column, true);
    case ARROW_INT:
    case ARROW_UINT:
    case ARROW_FLOAT:
    case ARROW_DECIMAL:
        return add_number(batch, type, column, slot);
    case ARROW_TEXT:
    case ARROW_TEXT_VIEW: {
        pith_text text = batch_text(batch, slot);
        return add_span(batch, type, column, text.ptr, text.len);
    }
    default:
        return add_string(batch, type, column, slot);
    }
}

/* ------------------------------------------------------------------ containers */

static bool open_container(arrow_batch *batch, uint32_t number, uint32_t at)
{
    const arrow_type *type = &batch->types->list.at[number];
    const pith_slot *slot = &batch->doc->slots[at];
    bool object = slot->kind == PITH_OBJECT;
    bool array = slot->kind == PITH_ARRAY;
    bool fits = type->kind == ARROW_STRUCT ? object
                : type->kind == ARROW_MAP  ? object || array
                                           : array;
    if (!fits)
        return batch_mismatch(batch);
    if (type->kind == ARROW_LIST_FIXED) {
        int64_t size = type->size;
        if (slot->n != (uint32_t)type->size)
            return batch_wrong(batch, "vector_size_mismatch",
                               "the list has more or fewer elements than the type");
        if (!column_pad(batch, type->first_child, batch->columns[number].length * size))
            return false;
    }
    arrow_open open = {number, at + 1, slot->n, type->first_child,
                       object ? doc_keys(batch->doc, slot) : NULL};
    assert(batch->depth <= ARROW_DEPTH_MOST);
    batch->open[batch->depth++] = open;
    return true;
}

/* A value in a place for it. */
static bool add_value(arrow_batch *batch, uint32_t number, uint32_t at)
{
    const arrow_type *type = &batch->types->list.at[number];
    if (batch->doc->slots[at].kind == PITH_NULL && type->extension != ARROW_JSON) {
        if (!type->nullable && type->kind != ARROW_NULL)
            return batch_wrong(batch, "null_not_allowed",
                               "it is null, which the type does not allow");
        return column_add_null(batch, number);
    }
    if (batch->doc->slots[at].kind == PITH_NULL && type->nullable)
        return column_add_null(batch, number);
    return arrow_is_scalar(type) ? add_scalar(batch, number, at)
                                 : open_container(batch, number, at);
}

/* Members that a struct must have, and does not. */
static bool check_members(arrow_batch *batch, const arrow_type *type, int64_t length)
{
    for (uint32_t i = 0; i < type->child_count; i++) {
        uint32_t child = type->first_child + i;
        if (!batch->types->list.at[child].nullable &&
            batch->columns[child].length <= length)
            return batch_wrong(batch, "null_not_allowed",
                               "it is missing, which the type does not allow");
    }
    return true;
}

static bool close_container(arrow_batch *batch, const arrow_open *open)
{
    const arrow_type *type = &batch->types->list.at[open->type];
    arrow_column *column = &batch->columns[open->type];
    if (type->kind == ARROW_STRUCT && !check_members(batch, type, column->length))
        return false;
    if (has_offsets(type) &&
        !column_add_offset(batch, type, column, column_reached(batch, type, column)))
        return false;
    return column_end(batch, column, true);
}

/* The text of a key, as an element of the keys of a map. */
static bool add_key(arrow_batch *batch, uint32_t keys, const pith_key *key)
{
    const arrow_type *type = &batch->types->list.at[keys];
    if (type->kind != ARROW_TEXT && type->kind != ARROW_TEXT_VIEW)
        return batch_mismatch(batch);
    return add_span(batch, type, &batch->columns[keys], key->text, key->len);
}

/* The next entry of a map. */
static bool step_map(arrow_batch *batch, arrow_open *open, uint32_t at)
{
    const arrow_type *type = &batch->types->list.at[open->type];
    uint32_t entries = type->first_child;
    uint32_t keys = batch->types->list.at[entries].first_child;
    uint32_t value = at;
    const pith_slot *pair = &batch->doc->slots[at];
    if (open->key) {
        if (!add_key(batch, keys, open->key++))
            return false;
    } else {
        if (pair->kind != PITH_ARRAY || pair->n != 2 || slot_is_container(pair + 1) ||
            !add_value(batch, keys, at + 1))
            return batch->code ? batch_mismatch(batch) : false;
        value = at + 2;
    }
    return column_end(batch, &batch->columns[entries], true) &&
           add_value(batch, keys + 1, value);
}

static bool step_struct(arrow_batch *batch, arrow_open *open, uint32_t at)
{
    uint32_t child = names_find_in(&batch->names, open->type, open->key, open->hint);
    if (child == NAMES_NONE && batch->names.failed)
        return batch_no_memory(batch);
    if (child == NAMES_NONE) {
        batch->unknown = key_text(open->key);
        return batch_wrong(batch, "unknown_column", "there is no such column");
    }
    open->key++;
    open->hint = child + 1;
    int64_t length = batch->columns[open->type].length;
    return column_pad(batch, child, length) && add_value(batch, child, at);
}

/* The next value of the innermost container, or its end. */
static bool batch_step(arrow_batch *batch)
{
    arrow_open *open = &batch->open[batch->depth - 1];
    const arrow_type *type = &batch->types->list.at[open->type];
    uint32_t at = open->at;
    if (open->left == 0) {
        batch->depth--;
        return close_container(batch, open);
    }
    open->at = doc_after_at(batch->doc, at);
    open->left--;
    if (type->kind == ARROW_STRUCT)
        return step_struct(batch, open, at);
    return type->kind == ARROW_MAP ? step_map(batch, open, at)
                                   : add_value(batch, type->first_child, at);
}

bool arrow_batch_add(arrow_batch *batch, uint32_t row, uint32_t *column)
{
    *column = 0;
    batch->depth = 0;
    batch->code = NULL;
    batch->unknown = text_of(NULL, 0);
    if (batch->doc->slots[row].kind != PITH_OBJECT)
        return batch_wrong(batch, "not_an_object", "a row of a table is an object");
    bool added = open_container(batch, 0, row);
    while (added && batch->depth > 0) {
        const arrow_open *table = &batch->open[0];
        added = batch_step(batch);
        *column = table->hint - 1; /* the member of the row that was last begun */
    }
    return added;
}

/* ------------------------------------------------------------- opening, closing */

static bool begin_offsets(arrow_batch *batch)
{
    for (size_t i = 0; i < batch->types->list.count; i++) {
        const arrow_type *type = &batch->types->list.at[i];
        if (has_offsets(type) && batch->columns[i].data.count == 0 &&
            !column_add_offset(batch, type, &batch->columns[i], 0))
            return false;
    }
    return true;
}

static bool add_names(arrow_batch *batch)
{
    static const pith_key whole = {"", 0, 0, 0};
    const arrow_type *types = batch->types->list.at;
    if (!names_add_in(&batch->names, NAMES_NONE, &whole))
        return false;
    for (uint32_t i = 0; i < batch->types->list.count; i++) {
        /* Children are in the order of their parents, so each is the next name. */
        for (uint32_t c = 0; c < types[i].child_count; c++) {
            const arrow_type *child = &types[types[i].first_child + c];
            pith_key key = {child->name.ptr, (uint32_t)child->name.len, 0, 0};
            if (!names_add_in(&batch->names, i, &key))
                return false;
        }
        if (types[i].dictionary && !names_add_in(&batch->names, i, &whole))
            return false;
    }
    return true;
}

bool arrow_batch_init(arrow_batch *batch, const pith_doc *doc, const arrow_types *types,
                      pith_alloc alloc)
{
    memset(batch, 0, sizeof *batch);
    batch->alloc = alloc;
    batch->json.alloc = alloc;
    batch->doc = doc;
    batch->types = types;
    names_init(&batch->names, alloc, hash_seed(alloc));
    batch->columns =
        (arrow_column *)alloc_zeroed(&alloc, types->list.count * sizeof *batch->columns);
    for (size_t i = 0; batch->columns && i < types->list.count; i++)
        names_init(&batch->columns[i].texts, alloc, hash_seed(alloc));
    return batch->columns && add_names(batch) && begin_offsets(batch);
}

static void column_free(const pith_alloc *alloc, arrow_column *column)
{
    LIST_FREE(&column->valid, alloc);
    LIST_FREE(&column->data, alloc);
    LIST_FREE(&column->more, alloc);
}

void arrow_batch_free(arrow_batch *batch)
{
    for (size_t i = 0; batch->columns && i < batch->types->list.count; i++) {
        column_free(&batch->alloc, &batch->columns[i]);
        names_free(&batch->columns[i].texts);
    }
    if (batch->columns)
        alloc_free(&batch->alloc, batch->columns,
                   batch->types->list.count * sizeof *batch->columns);
    names_free(&batch->names);
    pith_buffer_free(&batch->json);
}

/* ------------------------------------------------------------------- exporting */

/* What an array owns; its children, and its dictionary as the last of them, follow. */
typedef struct array_holder {
    pith_alloc alloc;
    size_t size;
    arrow_column column;
    int64_t view_size;
    const void *buffers[4];
    struct ArrowArray **children;
    struct ArrowArray *owned;
    size_t count;
} array_holder;

static void array_release(struct ArrowArray *array)
{
    array_holder *holder = (array_holder *)array->private_data;
    pith_alloc alloc = holder->alloc;
    for (size_t i = 0; i < holder->count;
         i++) /* as deep as the types, which are bounded */
        if (holder->owned[i].release)
            holder->owned[i].release(&holder->owned[i]);
    column_free(&alloc, &holder->column);
    alloc_free(&alloc, holder, holder->size);
    array->release = NULL;
}

/* A buffer; where there is nothing in it, one of zeros, for not all consumers like NULL. */
static const void *buffer_of(const arrow_bytes *bytes)
{
    static const uint64_t nothing[8];
    return bytes->count ? bytes->at : (const void *)nothing;
}

static void set_buffers(const arrow_type *type, array_holder *holder,
                        struct ArrowArray *array)
{
    const arrow_column *column = &holder->column;
    bool views = type->kind == ARROW_TEXT_VIEW || type->kind == ARROW_BYTES_VIEW;
    bool bytes = type->kind == ARROW_TEXT || type->kind == ARROW_BYTES;
    array->buffers = holder->buffers;
    if (type->kind == ARROW_NULL)
        return;
    array->n_buffers = 1;
    holder->buffers[0] = column->nulls > 0 ? column->valid.at : NULL;
    if (type->kind == ARROW_STRUCT || type->kind == ARROW_LIST_FIXED)
        return;
    holder->buffers[1] = buffer_of(&column->data);
    holder->buffers[2] = buffer_of(&column->more);
    array->n_buffers = bytes ? 3 : 2;
    if (views) {
        holder->view_size = (int64_t)column->more.count;
        holder->buffers[3] = &holder->view_size;
        array->n_buffers = 4;
    }
}

/* Makes the array of a type where it belongs; its children are not there yet. */
static bool make_array(arrow_batch *batch, uint32_t at, struct ArrowArray *array)
{
    const arrow_type *type = &batch->types->list.at[at];
    size_t count = type->child_count + (type->dictionary != 0);
    size_t size =
        sizeof(array_holder) + count * (sizeof(struct ArrowArray) + sizeof(void *));
    array_holder *holder = (array_holder *)alloc_zeroed(&batch->alloc, size);
    if (!holder)
        return batch_no_memory(batch);
    arrow_column *column = &batch->columns[at];
    holder->alloc = batch->alloc;
    holder->size = size;
    holder->count = count;
    holder->column = *column;
    holder->owned = (struct ArrowArray *)(holder + 1);
    holder->children = (struct ArrowArray **)(holder->owned + count);
    for (size_t i = 0; i < count; i++)
        holder->children[i] = &holder->owned[i];
    name_list texts = column->texts;
    memset(column, 0, sizeof *column);
    column->texts = texts;
    array->length = holder->column.length;
    array->null_count = holder->column.nulls;
    array->n_children = type->child_count;
    array->children = type->child_count ? holder->children : NULL;
    array->dictionary = type->dictionary ? &holder->owned[type->child_count] : NULL;
    array->release = array_release;
    array->private_data = holder;
    set_buffers(type, holder, array);
    return true;
}

/* All columns as long as they have to be, and dictionaries with their texts. */
static bool complete_columns(arrow_batch *batch)
{
    for (uint32_t i = 0; i < batch->types->list.count; i++) {
        const arrow_type *type = &batch->types->list.at[i];
        int64_t length = batch->columns[i].length;
        if (type->kind == ARROW_LIST_FIXED)
            length *= type->size;
        bool bound = type->kind == ARROW_STRUCT || type->kind == ARROW_LIST_FIXED;
        for (uint32_t c = 0; bound && c < type->child_count; c++)
            if (!column_pad(batch, type->first_child + c, length))
                return false;
        if (!type->dictionary)
            continue;
        arrow_column *values = &batch->columns[type->dictionary];
        for (size_t t = 0; t < values->texts.keys.count; t++) {
            const pith_key *text = &values->texts.keys.at[t];
            if (!add_span(batch, &batch->types->list.at[type->dictionary], values,
                          text->text, text->len))
                return false;
        }
        names_back(&values->texts, 0);
    }
    return true;
}

bool arrow_batch_export(arrow_batch *batch, struct ArrowArray *out)
{
    size_t count = batch->types->list.count;
    size_t bytes = count * sizeof(struct ArrowArray *);
    memset(out, 0, sizeof *out);
    struct ArrowArray **arrays = (struct ArrowArray **)alloc_zeroed(&batch->alloc, bytes);
    if (!arrays)
        return batch_no_memory(batch);
    bool made = complete_columns(batch);
    arrays[0] = out;
    for (uint32_t i = 0; i < count && made; i++) {
        const arrow_type *type = &batch->types->list.at[i];
        made = make_array(batch, i, arrays[i]);
        for (uint32_t c = 0; made && c < type->child_count; c++)
            arrays[type->first_child + c] = arrays[i]->children[c];
        if (made && type->dictionary)
            arrays[type->dictionary] = arrays[i]->dictionary;
    }
    alloc_free(&batch->alloc, (void *)arrays, bytes);
    if (!made && out->release)
        out->release(out);
    return made && begin_offsets(batch);
}

/* --------------------------------------------------------------------- schemas */

typedef struct schema_holder {
    pith_alloc alloc;
    size_t size;
    struct ArrowSchema **children;
    struct ArrowSchema *owned;
    size_t count;
} schema_holder;

static void schema_release(struct ArrowSchema *schema)
{
    schema_holder *holder = (schema_holder *)schema->private_data;
    pith_alloc alloc = holder->alloc;
    for (size_t i = 0; i < holder->count; i++) /* bounded, as above */
        if (holder->owned[i].release)
            holder->owned[i].release(&holder->owned[i]);
    alloc_free(&alloc, holder, holder->size);
    schema->release = NULL;
}

/* The metadata that say what a type is beyond its storage; empty for most. */
static size_t write_metadata(char *to, arrow_extension extension)
{
    static const char *const names[] = {
        [ARROW_PLAIN] = "", [ARROW_JSON] = "arrow.json", [ARROW_UUID] = "arrow.uuid"};
    pith_text parts[] = {text_from("ARROW:extension:name"), text_from(names[extension]),
                         text_from("ARROW:extension:metadata"), text_from("")};
    int32_t pairs = 2;
    char *at = to;
    if (extension == ARROW_PLAIN)
        return 0;
    memcpy(at, &pairs, sizeof pairs);
    at += sizeof pairs;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        int32_t len = (int32_t)parts[i].len;
        memcpy(at, &len, sizeof len);
        memcpy(at + sizeof len, parts[i].ptr, parts[i].len);
        at += sizeof len + parts[i].len;
    }
    return (size_t)(at - to);
}

/* Texts are after the children, each with its NUL. */
static bool make_schema(const arrow_types *types, uint32_t at, struct ArrowSchema *schema)
{
    const arrow_type *type = &types->list.at[at];
    char metadata[128];
    size_t more = write_metadata(metadata, type->extension);
    size_t count = type->child_count + (type->dictionary != 0);
    size_t size = sizeof(schema_holder) +
                  count * (sizeof(struct ArrowSchema) + sizeof(void *)) + more +
                  type->name.len + type->format.len + 2;
    schema_holder *holder = (schema_holder *)alloc_zeroed(&types->alloc, size);
    if (!holder)
        return false;
    holder->alloc = types->alloc;
    holder->size = size;
    holder->count = count;
    holder->owned = (struct ArrowSchema *)(holder + 1);
    holder->children = (struct ArrowSchema **)(holder->owned + count);
    for (size_t i = 0; i < count; i++)
        holder->children[i] = &holder->owned[i];
    char *text = (char *)(holder->children + count);
    memcpy(text, metadata, more);
    schema->metadata = more ? text : NULL;
    memcpy(text += more, type->name.ptr, type->name.len);
    schema->name = text;
    memcpy(text += type->name.len + 1, type->format.ptr, type->format.len);
    schema->format = text;
    schema->flags = type->nullable ? ARROW_FLAG_NULLABLE : 0;
    schema->n_children = type->child_count;
    schema->children = type->child_count ? holder->children : NULL;
    schema->dictionary = type->dictionary ? &holder->owned[type->child_count] : NULL;
    schema->release = schema_release;
    schema->private_data = holder;
    return true;
}

bool arrow_export_schema(const arrow_types *types, struct ArrowSchema *out)
{
    size_t count = types->list.count;
    size_t bytes = count * sizeof(struct ArrowSchema *);
    memset(out, 0, sizeof *out);
    struct ArrowSchema **schemas =
        (struct ArrowSchema **)alloc_zeroed(&types->alloc, bytes);
    if (!schemas)
        return false;
    bool made = true;
    schemas[0] = out;
    for (uint32_t i = 0; i < count && made; i++) {
        const arrow_type *type = &types->list.at[i];
        made = make_schema(types, i, schemas[i]);
        for (uint32_t c = 0; made && c < type->child_count; c++)
            schemas[type->first_child + c] = schemas[i]->children[c];
        if (made && type->dictionary)
            schemas[type->dictionary] = schemas[i]->dictionary;
    }
    alloc_free(&types->alloc, (void *)schemas, bytes);
    if (!made && out->release)
        out->release(out);
    return made;
}

/* Names that are among the members of one struct twice. */
static pith_status check_names(const arrow_types *types, name_list *names,
                               pith_error *err)
{
    for (uint32_t i = 0; i < types->list.count; i++) {
        const arrow_type *type = &types->list.at[i];
        for (uint32_t c = 0; type->kind == ARROW_STRUCT && c < type->child_count; c++) {
            pith_text name = types->list.at[type->first_child + c].name;
            pith_key key = {name.ptr, (uint32_t)name.len, 0, 0};
            uint32_t next = (uint32_t)names->keys.count;
            uint32_t number = names_meet_in(names, i, &key, next);
            if (number == NAMES_NONE)
                return error_no_memory(err);
            if (number != next) {
                return error_set(err, PITH_BAD_INPUT, "duplicate_key",
                                 "there are two columns \"%s\"",
                                 error_quote(name.ptr, name.len).text);
            }
        }
    }
    return PITH_OK;
}

pith_status arrow_types_check_wanted(const arrow_types *types, pith_error *err)
{
    name_list names;
    names_init(&names, types->alloc, hash_seed(types->alloc));
    pith_status status = check_names(types, &names, err);
    names_free(&names);
    if (status != PITH_OK)
        return status;
    for (size_t i = 0; i < types->list.count; i++) {
        const arrow_type *type = &types->list.at[i];
        bool made = type->kind <= ARROW_DURATION || type->kind == ARROW_LIST ||
                    (type->kind >= ARROW_LIST_FIXED && type->kind <= ARROW_MAP);
        const arrow_type *values = &types->list.at[type->dictionary];
        if (type->dictionary)
            made = (values->kind == ARROW_TEXT || values->kind == ARROW_TEXT_VIEW) &&
                   !values->dictionary && values->extension == ARROW_PLAIN;
        if (!made) {
            return error_set(err, PITH_UNREPRESENTABLE, "unknown_type",
                             "column \"%s\": arrays of the type \"%s\" are read and not "
                             "made",
                             error_quote(type->name.ptr, type->name.len).text,
                             error_quote(type->format.ptr, type->format.len).text);
        }
    }
    return PITH_OK;
}
