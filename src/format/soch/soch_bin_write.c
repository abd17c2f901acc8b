/*
 * soch_bin_write.c - values as tagged bytes, one walk without recursion.
 *
 * Every value has one form here: the smallest that holds it, and a float as f32 exactly
 * when no bit is lost. So equal tables are equal bytes.
 */
#include "format/soch/soch_bin_write.h"
#include "base/base64.h"
#include "base/crc32c.h"
#include "base/num.h"
#include "format/soch/soch_fit.h"

#include <assert.h>
#include <math.h>

soch_wish soch_bin_wish_of(const settings *set)
{
    soch_wish wish = {(unsigned)settings_number(set, SOCH_BIN_TYPES),
                      settings_text(set, SOCH_BIN_FIELDS),
                      settings_text(set, SOCH_BIN_NAME),
                      settings_bool(set, SOCH_BIN_FILL_MISSING),
                      false,
                      settings_number(set, SOCH_BIN_REFS) != 0};
    return wish;
}

void soch_bin_pen_init(soch_bin_pen *pen, pith_out *out, pith_alloc alloc,
                       const soch_wish *wish, pith_error *err)
{
    pen->out = out;
    pen->refs = wish->refs;
    pen->fits = false;
    pen->row = 0;
    pen->err = err;
    pen->status = PITH_OK;
    levels_init(&pen->levels, alloc);
}

void soch_bin_pen_free(soch_bin_pen *pen)
{
    levels_free(&pen->levels);
}

static void soch_bin_refuse(soch_bin_pen *pen, const char *code, const char *format,
                            pith_text found)
{
    if (pen->status == PITH_OK) {
        pen->status = error_set(pen->err, PITH_UNREPRESENTABLE, code, format,
                                error_quote(found.ptr, found.len).text);
    }
}

/* ---------------------------------------------------------------------- numbers */

void soch_bin_put_varint(pith_out *out, uint64_t number)
{
    out_reserve(out, SOCH_BIN_VARINT_LEN);
    for (; number >= 128; number >>= 7)
        *out->at++ = (char)(unsigned char)(number | 128);
    *out->at++ = (char)number;
}

static void soch_bin_put_tagged(soch_bin_pen *pen, unsigned tag, uint64_t bits,
                                unsigned bytes)
{
    assert(bytes <= 8);
    out_reserve(pen->out, 9);
    *pen->out->at++ = (char)(unsigned char)tag;
    soch_bin_store(pen->out->at, bits, bytes);
    pen->out->at += bytes;
}

static void soch_bin_put_int(soch_bin_pen *pen, int64_t number)
{
    uint64_t bits = (uint64_t)number;
    if (number >= 0 && number < 16)
        soch_bin_put_tagged(pen, SOCH_TAG_SMALL + (unsigned)number, 0, 0);
    else if (number < 0 && number >= -16)
        soch_bin_put_tagged(pen, SOCH_TAG_NEGATIVE + (unsigned)(number + 16), 0, 0);
    else if (number >= INT8_MIN && number <= INT8_MAX)
        soch_bin_put_tagged(pen, SOCH_TAG_INT8, bits, 1);
    else if (number >= INT16_MIN && number <= INT16_MAX)
        soch_bin_put_tagged(pen, SOCH_TAG_INT16, bits, 2);
    else if (number >= INT32_MIN && number <= INT32_MAX)
        soch_bin_put_tagged(pen, SOCH_TAG_INT32, bits, 4);
    else
        soch_bin_put_tagged(pen, SOCH_TAG_INT64, bits, 8);
}

static void soch_bin_put_integer(soch_bin_pen *pen, const pith_slot *slot)
{
    int64_t sign;
    uint64_t size;
    if (num_to_int64(slot_text(slot), &sign)) {
        soch_bin_put_int(pen, sign);
    } else if (num_to_uint64(slot_text(slot), &size)) {
        out_byte(pen->out, (char)(unsigned char)SOCH_TAG_UINT64);
        soch_bin_put_varint(pen->out, size);
    } else {
        soch_bin_refuse(pen, "out_of_range",
                        "%s is beyond the integers of 64 bits that this format has",
                        slot_text(slot));
    }
}

/* The bits of a double as an f32; false when that would be another number. */
static bool soch_bin_as_f32(double number, uint32_t *bits)
{
    if (isnan(number)) {
        *bits = 0x7FC00000u;
        return true;
    }
    double size = fabs(number);
    if (!isinf(number) && size > 3.4028234663852886e38)
        return false;
    float half = (float)number;
    memcpy(bits, &half, sizeof *bits);
    return !((double)half < number) && !((double)half > number);
}

static uint64_t soch_bin_bits(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* The double of a number on the tape; decimals beyond the largest are refused. */
static double soch_bin_double(soch_bin_pen *pen, const pith_slot *slot)
{
    double number = typed_double(slot);
    if (slot->kind != PITH_STRING && isinf(number)) {
        soch_bin_refuse(pen, "out_of_range", "%s is beyond the largest double",
                        slot_text(slot));
    }
    return number;
}

static void soch_bin_put_float(soch_bin_pen *pen, const pith_slot *slot)
{
    uint32_t half;
    double number = soch_bin_double(pen, slot);
    if (soch_bin_as_f32(number, &half))
        soch_bin_put_tagged(pen, SOCH_TAG_FLOAT32, half, 4);
    else
        soch_bin_put_tagged(pen, SOCH_TAG_FLOAT64, soch_bin_bits(number), 8);
}

/* ------------------------------------------------------------------------ texts */

static void soch_bin_put_string(pith_out *out, pith_text text)
{
    soch_bin_put_varint(out, text.len);
    out_text(out, text);
}

static void soch_bin_put_text(soch_bin_pen *pen, pith_text text)
{
    if (text.len < 16)
        soch_bin_put_tagged(pen, SOCH_TAG_SHORT + (unsigned)text.len, 0, 0);
    else if (text.len <= UINT8_MAX)
        soch_bin_put_tagged(pen, SOCH_TAG_TEXT8, text.len, 1);
    else if (text.len <= UINT16_MAX)
        soch_bin_put_tagged(pen, SOCH_TAG_TEXT16, text.len, 2);
    else
        soch_bin_put_tagged(pen, SOCH_TAG_TEXT32, text.len, 4);
    out_text(pen->out, text);
}

enum { SOCH_BIN_LETTERS = 128, SOCH_BIN_BYTES = SOCH_BIN_LETTERS / 4 * 3 };

/* Base64 on the tape, bytes in the file: a piece at a time. */
static void soch_bin_put_bytes(soch_bin_pen *pen, pith_text base64)
{
    size_t len = 0;
    base64_check(base64.ptr, base64.len, &len);
    out_byte(pen->out, (char)(unsigned char)SOCH_TAG_BYTES);
    soch_bin_put_varint(pen->out, len);
    while (base64.len > 0) {
        char piece[SOCH_BIN_BYTES];
        size_t letters = SOCH_BIN_LETTERS;
        size_t bytes = SOCH_BIN_BYTES;
        letters = base64.len < letters ? base64.len : letters;
        bytes = len < bytes ? len : bytes;
        base64_read(piece, bytes, base64.ptr, letters);
        base64 = text_of(base64.ptr + letters, base64.len - letters);
        out_bytes(pen->out, piece, bytes);
        len -= bytes;
    }
}

/* ------------------------------------------------------------------- containers */

static void soch_bin_put_ref(soch_bin_pen *pen, const pith_slot *slot)
{
    assert(typed_of(slot) == PITH_TYPE_REF);
    uint64_t id = 0;
    num_to_uint64(slot_text(slot + 2), &id);
    out_byte(pen->out, (char)(unsigned char)SOCH_TAG_REF);
    soch_bin_put_string(pen->out, slot_text(slot + 1));
    soch_bin_put_varint(pen->out, id);
}

static void soch_bin_put_vector(soch_bin_pen *pen, const pith_slot *slot)
{
    assert(slot->kind == PITH_ARRAY);
    uint32_t half;
    bool halves = true;
    const pith_slot *end = slot + 1 + slot->n;
    for (const pith_slot *at = slot + 1; at < end && halves; at++)
        halves = soch_bin_as_f32(typed_double(at), &half);
    out_byte(pen->out, (char)(unsigned char)SOCH_TAG_VECTOR);
    soch_bin_put_varint(pen->out, slot->n);
    out_byte(pen->out, (char)(halves ? SOCH_TAG_FLOAT32 : SOCH_TAG_FLOAT64));
    for (const pith_slot *at = slot + 1; at < end; at++) {
        double number = typed_double(at);
        out_reserve(pen->out, 8);
        if (halves) {
            soch_bin_as_f32(number, &half);
            soch_bin_store(pen->out->at, half, 4);
        } else {
            soch_bin_store(pen->out->at, soch_bin_bits(number), 8);
        }
        pen->out->at += halves ? 4 : 8;
    }
}

/* A text in a column of that type, which may stand for a reference. */
static void soch_bin_put_plain(soch_bin_pen *pen, const pith_slot *slot, pith_type column)
{
    soch_fitted made;
    pith_text table;
    uint64_t id;
    bool may_refer = column == PITH_TYPE_REF || (pen->refs && column != PITH_TYPE_TEXT);
    if (may_refer && soch_is_ref_text(slot_text(slot), &table, &id)) {
        soch_make_ref(&made, table, id);
        soch_bin_put_ref(pen, made.cell);
    } else {
        soch_bin_put_text(pen, slot_text(slot));
    }
}

static void soch_bin_put_scalar(soch_bin_pen *pen, const pith_slot *slot)
{
    assert(!slot_is_container(slot));
    switch (typed_of(slot)) {
    case PITH_TYPE_BOOL:
        out_byte(pen->out, slot->kind == PITH_TRUE ? SOCH_TAG_TRUE : SOCH_TAG_FALSE);
        return;
    case PITH_TYPE_INT:
        soch_bin_put_integer(pen, slot);
        return;
    case PITH_TYPE_FLOAT:
        soch_bin_put_float(pen, slot);
        return;
    case PITH_TYPE_TEXT:
        soch_bin_put_plain(pen, slot, PITH_TYPE_ANY);
        return;
    case PITH_TYPE_BYTES:
        soch_bin_put_bytes(pen, typed_base64(slot));
        return;
    default:
        out_byte(pen->out, SOCH_TAG_NULL);
        return;
    }
}

static void soch_bin_put_nested(soch_bin_pen *pen, const pith_doc *doc,
                                const pith_slot *root)
{
    doc_walk walk = walk_begin(&pen->levels, doc, root);
    do {
        const pith_slot *value = walk.at;
        if (walk.level.key)
            soch_bin_put_string(pen->out, key_text(walk.level.key++));
        if (!slot_is_container(value)) {
            soch_bin_put_scalar(pen, value);
            walk_pass(&walk);
        } else if (typed_of(value) == PITH_TYPE_REF) {
            soch_bin_put_ref(pen, value);
            walk_pass(&walk);
        } else {
            out_byte(pen->out,
                     value->kind == PITH_ARRAY ? SOCH_TAG_ARRAY : SOCH_TAG_OBJECT);
            soch_bin_put_varint(pen->out, value->n);
            if (!walk_enter(&walk)) {
                if (pen->status == PITH_OK)
                    pen->status = error_no_memory(pen->err);
                return;
            }
        }
        while (walk_at_end(&walk))
            walk_leave(&walk);
    } while (walk.level.container);
}

/* A cell that fits a column of that type, but may be spelled otherwise. */
static void soch_bin_put_fitted(soch_bin_pen *pen, const pith_doc *doc,
                                const soch_fitted *fitted, pith_type type)
{
    const pith_slot *cell = fitted->cell;
    if (!cell || cell->kind == PITH_NULL)
        out_byte(pen->out, SOCH_TAG_NULL);
    else if (fitted->base64.ptr)
        soch_bin_put_bytes(pen, fitted->base64);
    else if (type == PITH_TYPE_FLOAT)
        soch_bin_put_float(pen, cell);
    else if (type == PITH_TYPE_VEC)
        soch_bin_put_vector(pen, cell);
    else if (type == PITH_TYPE_TEXT)
        soch_bin_put_text(pen, slot_text(cell)); /* whatever it looks like */
    else
        soch_bin_put_nested(pen, doc, cell);
}

void soch_bin_put_cell(soch_bin_pen *pen, const pith_doc *doc, const pith_slot *cell,
                       const pith_field *field)
{
    if (pen->fits) {
        soch_fitted fitted;
        if (soch_fit(field, cell, pen->row, &fitted, &pen->status, pen->err))
            soch_bin_put_fitted(pen, doc, &fitted, field->type);
    } else if (!cell) {
        out_byte(pen->out, SOCH_TAG_NULL);
    } else if (typed_of(cell) == PITH_TYPE_TEXT) {
        soch_bin_put_plain(pen, cell, field->type);
    } else if (!slot_is_container(cell)) {
        soch_bin_put_scalar(pen, cell);
    } else if (field->type == PITH_TYPE_VEC && typed_of(cell) == PITH_TYPE_VEC) {
        soch_bin_put_vector(pen, cell);
    } else {
        soch_bin_put_nested(pen, doc, cell);
    }
}

/* ------------------------------------------------------------- headers, schemas */

void soch_bin_make_header(char *to, unsigned flags, uint64_t rows)
{
    memcpy(to, SOCH_BIN_MAGIC, 4);
    soch_bin_store(to + 4, SOCH_BIN_VERSION, 2);
    soch_bin_store(to + 6, flags, 2);
    soch_bin_store(to + 8, rows, 8);
}

static void soch_bin_put_name(pith_out *out, pith_text name, bool real)
{
    bool marked = real && soch_bin_is_marked(name, 0);
    soch_bin_put_varint(out, name.len + marked);
    if (marked)
        out_byte(out, '\\');
    out_text(out, name);
}

void soch_bin_put_schema(soch_bin_pen *pen, const doc_table *table)
{
    pith_out *out = pen->out;
    soch_bin_put_name(out, table->name, !table->unnamed);
    soch_bin_put_varint(out, table->field_count);
    for (size_t i = 0; i < table->field_count; i++) {
        const pith_field *field = &table->fields[i];
        bool nullable = field->nullable && field->type != PITH_TYPE_ANY;
        soch_bin_put_name(out, field->name, !table->single);
        unsigned type = (unsigned)field->type;
        type |= nullable ? (unsigned)SOCH_BIN_NULLABLE : 0u;
        out_byte(out, (char)(unsigned char)type);
        if (field->type == PITH_TYPE_VEC)
            soch_bin_put_varint(out, field->size);
        else if (field->type == PITH_TYPE_REF)
            soch_bin_put_name(out, field->target, true);
    }
}

/* --------------------------------------------------------------------- packing */

pith_status soch_bin_check_packing(soch_packing packing, pith_error *err)
{
    if (soch_packing_here(packing))
        return PITH_OK;
    return error_set(err, PITH_BAD_USE, "not_built_in",
                     "%s is not built in; compress=none always is",
                     soch_packing_name(packing));
}

static size_t soch_bin_write_varint(char *to, uint64_t number)
{
    size_t len = 0;
    for (; number >= 128; number >>= 7)
        to[len++] = (char)(unsigned char)(number | 128);
    to[len++] = (char)number;
    return len;
}

pith_status soch_bin_put_packed(pith_out *out, pith_text body, const row_table *table,
                                soch_packing packing, bool summed, pith_error *err)
{
    soch_block packed = {table->alloc, NULL, 0, 0};
    char head[SOCH_BIN_HEADER_LEN + 2 * SOCH_BIN_VARINT_LEN];
    size_t head_len = SOCH_BIN_HEADER_LEN;
    pith_text used = body;
    unsigned flags = SOCH_BIN_SCHEMA | (summed ? (unsigned)SOCH_BIN_SUMMED : 0u);
    soch_compressed result = soch_compress(packing, &packed, body.ptr, body.len);
    if (result == SOCH_COMPRESS_NO_MEMORY) {
        soch_block_free(&packed);
        return error_no_memory(err);
    }
    if (result == SOCH_COMPRESSED) {
        head_len += soch_bin_write_varint(head + head_len, body.len);
        head_len += soch_bin_write_varint(head + head_len, packed.len);
        if (head_len + packed.len < SOCH_BIN_HEADER_LEN + body.len) {
            flags |= (unsigned)packing;
            used = text_of(packed.data, packed.len);
        } else {
            head_len = SOCH_BIN_HEADER_LEN;
        }
    }
    soch_bin_make_header(head, flags, table->rows);
    out_bytes(out, head, head_len);
    out_text(out, used);
    if (summed) {
        char footer[SOCH_BIN_FOOTER_LEN];
        uint32_t sum = crc32c(crc32c(0, head, head_len), used.ptr, used.len);
        soch_bin_store(footer, sum, SOCH_BIN_FOOTER_LEN);
        out_bytes(out, footer, SOCH_BIN_FOOTER_LEN);
    }
    soch_block_free(&packed);
    return PITH_OK;
}
