/*
 * soch_bin_value.c - cells: a tag, and what follows it.
 *
 * Integers become the digits a document has, so they take memory; small ones are here
 * already. So do floats, unless the document keeps doubles. Texts stay where they are.
 */
#include "base/num.h"
#include "base/scan.h"
#include "doc/spelled.h"
#include "format/soch/soch_bin.h"
#include "format/soch/soch_read.h"

#include <assert.h>
#include <math.h>

enum { SOCH_BIN_DIGITS = 4096, SOCH_BIN_NUMBER_LEN = 32 };

/* The numbers that are tags, with room for a copy of 16 bytes after the last. */
static const char soch_bin_small[33][16] = {
    "0",   "1",  "2",  "3",  "4",  "5",   "6",   "7",   "8",   "9",   "10",
    "11",  "12", "13", "14", "15", "-16", "-15", "-14", "-13", "-12", "-11",
    "-10", "-9", "-8", "-7", "-6", "-5",  "-4",  "-3",  "-2",  "-1",  "",
};

static bool soch_bin_wrong(soch_reader *r, const char *at, const char *code,
                           const char *what)
{
    assert(r->column < r->layout.count);
    return soch_bad_cell(r, at, code, "%s", what);
}

/* Room for the digits of one number. */
static char *soch_bin_digits_room(soch_reader *r)
{
    if (r->digits_end - r->digits < SOCH_BIN_NUMBER_LEN) {
        r->digits = arena_take(&r->doc->arena, SOCH_BIN_DIGITS);
        if (!r->digits) {
            r->digits_end = NULL;
            read_failed(&r->in);
            return NULL;
        }
        r->digits_end = r->digits + SOCH_BIN_DIGITS;
    }
    return r->digits;
}

static bool soch_bin_put(soch_reader *r, pith_kind kind, uint8_t flags, const char *text,
                         size_t len)
{
    return soch_built(r, build_text(r->doc, kind, flags, text, len));
}

/* ----------------------------------------------------------------------- numbers */

static bool soch_bin_int(soch_reader *r, int64_t number)
{
    if (number >= -16 && number <= 15) {
        const char *text = soch_bin_small[number < 0 ? 32 + number : number];
        return soch_bin_put(r, PITH_INTEGER, SLOT_CANONICAL, text, strlen(text));
    }
    char *to = soch_bin_digits_room(r);
    if (!to)
        return false;
    size_t len = num_write_int64(to, number);
    r->digits += len;
    return soch_bin_put(r, PITH_INTEGER, len <= 18 ? SLOT_CANONICAL : 0, to, len);
}

static bool soch_bin_uint(soch_reader *r, uint64_t number)
{
    char *to = soch_bin_digits_room(r);
    if (!to)
        return false;
    size_t len = num_write_uint64(to, number);
    r->digits += len;
    return soch_bin_put(r, PITH_INTEGER, len <= 18 ? SLOT_CANONICAL : 0, to, len);
}

/* Makes the slot a number; there is room for its digits. */
static inline void soch_bin_set_float(soch_reader *r, pith_slot *slot, double number)
{
    assert(isfinite(number));
    if (r->doc->keeps_doubles)
        slot_set_double(slot, r->doc, number);
    else
        r->digits += slot_set_spelled(slot, r->digits, number);
}

static bool soch_bin_float(soch_reader *r, double number)
{
    const char *word = typed_odd_float(number);
    if (word) {
        return soch_bin_put(r, PITH_STRING, SLOT_TYPED | SLOT_NEAR_END, word,
                            strlen(word));
    }
    if (!soch_bin_digits_room(r))
        return false;
    pith_slot *slot = build_slot(r->doc);
    if (!slot)
        return read_failed(&r->in);
    soch_bin_set_float(r, slot, number);
    build_count(r->doc);
    return true;
}

static double soch_bin_load_float(const char *at, unsigned bytes)
{
    assert(bytes == 4 || bytes == 8);
    if (bytes == 4) {
        uint32_t half = soch_bin_load4(at);
        float number;
        memcpy(&number, &half, sizeof number);
        return (double)number;
    }
    uint64_t bits = soch_bin_load8(at);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Takes `bytes` bytes; NULL when there are not so many. */
static const char *soch_bin_take(soch_reader *r, unsigned bytes, const char *what)
{
    const char *at = r->at;
    if (soch_left(r) < bytes) {
        soch_bin_truncated(r, what);
        return NULL;
    }
    r->at += bytes;
    return at;
}

static bool soch_bin_read_int(soch_reader *r, unsigned bytes)
{
    assert(bytes >= 1 && bytes <= 8);
    const char *at = soch_bin_take(r, bytes, "an integer");
    if (!at)
        return false;
    unsigned unused = 64 - 8 * bytes;
    uint64_t bits = soch_bin_load(at, bytes) << unused;
    int64_t number;
    memcpy(&number, &bits, sizeof number);
    /* Dividing keeps the sign, and what is divided off is 0. */
    return soch_bin_int(r, unused ? number / ((int64_t)1 << unused) : number);
}

static bool soch_bin_read_float(soch_reader *r, unsigned bytes)
{
    const char *at = soch_bin_take(r, bytes, "a float");
    return at && soch_bin_float(r, soch_bin_load_float(at, bytes));
}

/* ------------------------------------------------------------------------- texts */

static bool soch_bin_read_text(soch_reader *r, unsigned len_bytes, uint64_t len)
{
    pith_text text;
    uint8_t flags;
    if (len_bytes > 0) {
        const char *at = soch_bin_take(r, len_bytes, "a text's length");
        if (!at)
            return false;
        len = soch_bin_load(at, len_bytes);
    }
    return soch_bin_text(r, len, &text, &flags, "a text") &&
           soch_bin_put(r, PITH_STRING, flags, text.ptr, text.len);
}

static bool soch_bin_read_bytes(soch_reader *r)
{
    uint64_t len;
    if (!soch_bin_varint(r, &len))
        return false;
    if (len > soch_left(r))
        return soch_bin_truncated(r, "a run of bytes");
    const char *bytes = r->at;
    r->at += len;
    return soch_built(r, build_bytes(r->doc, bytes, (size_t)len, true));
}

/* -------------------------------------------------------------------- containers */

static bool soch_bin_read_ref(soch_reader *r)
{
    pith_text table;
    uint8_t flags;
    uint64_t id;
    size_t at = r->doc->count;
    if (!soch_bin_string(r, &table, &flags, "a reference's table") ||
        !soch_bin_varint(r, &id))
        return false;
    char *digits = soch_bin_digits_room(r);
    if (!digits)
        return false;
    size_t len = num_write_uint64(digits, id);
    r->digits += len;
    /* That of a cell is compared with its column first. */
    return soch_build_ref(r, table, flags, text_of(digits, len)) &&
           (r->left.count == 0 || soch_spell_ref(r, at));
}

/* A vector. Only a column of vectors makes it one; elsewhere it is an array. */
static bool soch_bin_read_vector(soch_reader *r, bool typed)
{
    uint64_t count;
    if (!soch_bin_varint(r, &count))
        return false;
    const char *tag = soch_bin_take(r, 1, "a vector");
    if (!tag)
        return false;
    unsigned kind = (unsigned char)*tag;
    if (kind != SOCH_TAG_FLOAT32 && kind != SOCH_TAG_FLOAT64)
        return soch_bin_wrong(r, tag, "unknown_tag", "a vector of neither f32 nor f64");
    unsigned bytes = kind == SOCH_TAG_FLOAT32 ? 4 : 8;
    if (count > soch_left(r) / bytes)
        return soch_bin_truncated(r, "a vector");
    if (!soch_built(r, build_open(r->doc, PITH_ARRAY)))
        return false;
    r->doc->slots[r->doc->open].flags = typed ? SLOT_TYPED : 0;
    for (uint64_t i = 0; i < count; i++)
        if (!soch_bin_read_float(r, bytes))
            return false;
    return soch_built(r, build_close(r->doc));
}

static bool soch_bin_open(soch_reader *r, pith_kind kind)
{
    uint64_t count;
    unsigned least = kind == PITH_OBJECT ? 2 : 1;
    if (!soch_bin_varint(r, &count))
        return false;
    if (count > soch_left(r) / least)
        return soch_bin_truncated(r, kind == PITH_OBJECT ? "an object" : "an array");
    if (!LIST_RESERVE(&r->left, &r->doc->alloc, 1))
        return read_failed(&r->in);
    if (!soch_built(r, build_open(r->doc, kind)))
        return false;
    r->left.at[r->left.count++] = count;
    return true;
}

/* True when the key at hand is the one that came last in its place: then it was checked
 * and has a shape already. */
static inline bool soch_bin_same_key(soch_reader *r)
{
    pith_slot *object = &r->doc->slots[r->doc->open];
    const shape_node *nodes = r->doc->shapes.nodes;
    uint16_t guess = nodes[object->shape].guess;
    if (object->shape == SHAPE_NONE || guess == SHAPE_NONE)
        return false;
    size_t len = nodes[guess].key.len;
    if (len > 127 || soch_left(r) <= len || (size_t)(unsigned char)*r->at != len ||
        memcmp(r->at + 1, nodes[guess].key.text, len) != 0)
        return false;
    r->at += 1 + len;
    object->shape = guess;
    return true;
}

static bool soch_bin_key(soch_reader *r)
{
    pith_text key;
    uint8_t flags;
    if (soch_bin_same_key(r))
        return true;
    if (!soch_bin_string(r, &key, &flags, "a key"))
        return false;
    if (!r->packed)
        flags |= doc_near_end_flag(r->report->input, key.ptr);
    return soch_built(r, build_key(r->doc, flags, key.ptr, key.len));
}

static bool soch_bin_close(soch_reader *r)
{
    assert(r->left.count > 0);
    pith_doc *doc = r->doc;
    const pith_key *keys = build_unchecked_keys(doc);
    size_t twin = SIZE_MAX;
    if (keys && !soch_find_twin(doc, keys, doc->slots[doc->open].n, &twin))
        return read_failed(&r->in);
    if (twin != SIZE_MAX) {
        return soch_bin_wrong(r, r->at, "duplicate_key",
                              "the object that ends here has a key twice");
    }
    r->left.count--;
    return soch_built(r, build_close(doc));
}

/* ------------------------------------------------------------------------ values */

/* What the tag says, without what is in a container. */
static bool soch_bin_tagged(soch_reader *r, bool vector)
{
    const char *at = soch_bin_take(r, 1, "a row");
    if (!at)
        return false;
    unsigned tag = (unsigned char)*at;
    unsigned low = tag & 15;
    uint64_t number;
    switch (tag >> 4) {
    case SOCH_TAG_SMALL >> 4:
        return soch_bin_int(r, low);
    case SOCH_TAG_NEGATIVE >> 4:
        return soch_bin_int(r, (int64_t)low - 16);
    case SOCH_TAG_SHORT >> 4:
        return soch_bin_read_text(r, 0, low);
    default:
        break;
    }
    switch (tag) {
    case SOCH_TAG_NULL:
    case SOCH_TAG_FALSE:
    case SOCH_TAG_TRUE: {
        static const pith_kind kinds[] = {PITH_NULL, PITH_FALSE, PITH_TRUE};
        return soch_built(r, build_word(r->doc, kinds[tag]));
    }
    case SOCH_TAG_INT8:
    case SOCH_TAG_INT16:
    case SOCH_TAG_INT32:
    case SOCH_TAG_INT64:
        return soch_bin_read_int(r, 1u << (tag - SOCH_TAG_INT8));
    case SOCH_TAG_FLOAT32:
        return soch_bin_read_float(r, 4);
    case SOCH_TAG_FLOAT64:
        return soch_bin_read_float(r, 8);
    case SOCH_TAG_TEXT8:
    case SOCH_TAG_TEXT16:
    case SOCH_TAG_TEXT32:
        return soch_bin_read_text(r, 1u << (tag - SOCH_TAG_TEXT8), 0);
    case SOCH_TAG_ARRAY:
        return soch_bin_open(r, PITH_ARRAY);
    case SOCH_TAG_OBJECT:
        return soch_bin_open(r, PITH_OBJECT);
    case SOCH_TAG_REF:
        return soch_bin_read_ref(r);
    case SOCH_TAG_VECTOR:
        return soch_bin_read_vector(r, vector);
    case SOCH_TAG_BYTES:
        return soch_bin_read_bytes(r);
    case SOCH_TAG_UINT64:
        return soch_bin_varint(r, &number) && soch_bin_uint(r, number);
    default:
        r->at = at;
        return soch_bin_wrong(r, at, "unknown_tag", "a tag that stands for nothing");
    }
}

/* The commonest values, where bytes and slots are at hand; false when it takes more. Does
 * not count the value. */
static ALWAYS_INLINE bool soch_bin_fast(soch_reader *r)
{
    pith_doc *doc = r->doc;
    const char *at = r->at;
    if (r->end - at < 32 || doc->count == doc->cap)
        return false;
    pith_slot *slot = &doc->slots[doc->count];
    unsigned tag = (unsigned char)*at++;
    size_t len = tag & 15;
    switch (tag >> 4) {
    case SOCH_TAG_NULL >> 4:
        if (tag > SOCH_TAG_TRUE)
            return false;
        slot_set_word(slot, (pith_kind)(PITH_NULL + tag));
        break;
    case SOCH_TAG_SMALL >> 4:
        slot_set(slot, PITH_INTEGER, SLOT_CANONICAL, soch_bin_small[len],
                 len > 9 ? 2 : 1);
        break;
    case SOCH_TAG_INT8 >> 4:
        if (len > 2 || r->digits_end - r->digits < SOCH_BIN_NUMBER_LEN) {
            return false;
        } else {
            uint32_t bits = soch_bin_load4(at);
            bits = len == 0   ? (uint32_t)(int8_t)bits
                   : len == 1 ? (uint32_t)(int16_t)bits
                              : bits;
            size_t digits = num_write_int64(r->digits, (int32_t)bits);
            slot_set(slot, PITH_INTEGER, SLOT_CANONICAL, r->digits, digits);
            r->digits += digits;
            at += (size_t)1 << len;
        }
        break;
    case SOCH_TAG_FLOAT32 >> 4: {
        double number = soch_bin_load_float(at, len == 0 ? 4 : 8);
        if (len > 1 || r->digits_end - r->digits < SOCH_BIN_NUMBER_LEN ||
            !isfinite(number))
            return false;
        soch_bin_set_float(r, slot, number);
        at += len == 0 ? 4 : 8;
        break;
    }
    case SOCH_TAG_TEXT8 >> 4:
        if (len != 0)
            return false;
        len = (unsigned char)*at++;
        if (len >= 16) {
            pith_text text = text_of(at, len);
            if ((size_t)(r->end - at) < len ||
                scan_special(text.ptr, text.ptr + len) != text.ptr + len)
                return false;
            slot_set(slot, PITH_STRING, 0, at, len);
            at += len;
            break;
        }
        /* fall through */
    case SOCH_TAG_SHORT >> 4:
        if (scan_any16(SCAN_SPECIAL, at, len))
            return false;
        slot_set(slot, PITH_STRING, 0, at, len);
        at += len;
        break;
    default:
        return false;
    }
    r->at = at;
    doc->count++;
    return true;
}

/* A copy for values in containers: the one for cells is part of their loop. */
static bool soch_bin_fast_inner(soch_reader *r)
{
    return soch_bin_fast(r);
}

/* The rest of a container that has been opened, and of all in it. */
static bool soch_bin_fill_open(soch_reader *r)
{
    assert(r->left.count > 0);
    while (r->left.count > 0) {
        if (r->left.at[r->left.count - 1] == 0) {
            if (!soch_bin_close(r))
                return false;
            continue;
        }
        r->left.at[r->left.count - 1]--;
        if (r->doc->slots[r->doc->open].kind == PITH_OBJECT && !soch_bin_key(r))
            return false;
        if (soch_bin_fast_inner(r))
            build_count(r->doc);
        else if (!soch_bin_tagged(r, false))
            return false;
    }
    return true;
}

static inline bool soch_bin_fill(soch_reader *r)
{
    return r->left.count == 0 || soch_bin_fill_open(r);
}

/* ------------------------------------------------------------------------- cells */

static bool soch_bin_fits_int(const pith_slot *slot, const pith_field *field)
{
    int64_t sign;
    uint64_t size;
    return field->type == PITH_TYPE_UINT ? num_to_uint64(slot_text(slot), &size)
                                         : num_to_int64(slot_text(slot), &sign);
}

/* Whether the cell is what its column says. */
static bool soch_bin_check(soch_reader *r, const pith_field *field, const pith_slot *slot,
                           const char *at)
{
    if (field->type == PITH_TYPE_ANY)
        return true;
    pith_type type = typed_of(slot);
    if (type == PITH_TYPE_ANY) {
        return field->nullable ||
               soch_bin_wrong(r, at, "null_not_allowed", "null in a column without it");
    }
    bool whole = field->type == PITH_TYPE_INT || field->type == PITH_TYPE_UINT;
    if (type != field->type && !(whole && type == PITH_TYPE_INT)) {
        return soch_bin_wrong(r, at, "type_mismatch",
                              "a value that is not of the column's type");
    }
    if (whole && !(slot->flags & SLOT_CANONICAL && slot->u.text[0] != '-') &&
        !soch_bin_fits_int(slot, field)) {
        bool negative = slot->u.text[0] == '-';
        return soch_bin_wrong(r, at, negative ? "type_mismatch" : "out_of_range",
                              negative ? "a negative number in a column of uint"
                                       : "a number that its column cannot hold");
    }
    if (type == PITH_TYPE_VEC && slot->n != field->size) {
        return soch_bin_wrong(r, at, "vector_size_mismatch",
                              "a vector of another size than the column's");
    }
    if (type == PITH_TYPE_REF && field->target.len > 0 &&
        !text_equal(field->target, slot_text(slot + 1))) {
        return soch_bin_wrong(r, at, "type_mismatch",
                              "a reference to another table than the column's");
    }
    return true;
}

/* What the fast way makes, in a column that has a type: whether it fits. If not, the slow
 * way says why. */
static inline bool soch_bin_fits(const pith_field *field, const pith_slot *slot)
{
    switch (field->type) {
    case PITH_TYPE_ANY:
        return true;
    case PITH_TYPE_INT:
        return slot->kind == PITH_INTEGER;
    case PITH_TYPE_UINT:
        return slot->kind == PITH_INTEGER && slot->u.text[0] != '-';
    case PITH_TYPE_FLOAT:
        return slot->kind == PITH_DECIMAL;
    case PITH_TYPE_TEXT:
        return slot->kind == PITH_STRING;
    case PITH_TYPE_BOOL:
        return slot->kind == PITH_TRUE || slot->kind == PITH_FALSE;
    default:
        return false;
    }
}

bool soch_bin_row(soch_reader *r)
{
    pith_doc *doc = r->doc;
    if (!soch_built(r, soch_open_row(doc, &r->layout)))
        return false;
    for (size_t i = 0; i < r->layout.count; i++) {
        const pith_field *field = &r->layout.fields[i];
        const char *at = r->at;
        size_t cell = doc->count;
        r->column = i;
        r->left.count = 0;
        if (soch_bin_fast(r)) {
            if (soch_bin_fits(field, &doc->slots[cell]))
                continue;
            r->at = at;
            doc->count = cell;
        }
        if (!soch_bin_tagged(r, field->type == PITH_TYPE_VEC) || !soch_bin_fill(r) ||
            !soch_bin_check(r, field, &doc->slots[cell], at))
            return false;
        if (r->refs && typed_of(&doc->slots[cell]) == PITH_TYPE_REF &&
            !soch_spell_ref(r, cell))
            return false;
    }
    return soch_built(r, soch_close_row(doc, &r->layout));
}
