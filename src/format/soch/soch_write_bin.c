/*
 * soch_write_bin.c - tables as tagged bytes.
 *
 *     header 16   | name, fields, rows: the body | checksum 4
 *     with the       that may be one compressed    of everything
 *     row count      block                         before it
 *
 * Every value has one form here: the smallest that holds it, and a float as f32 exactly
 * when no bit is lost. So equal tables are equal bytes. The checksum covers the number of
 * rows as well, which may be known last, so header and body are summed up apart and joined.
 */
#include "base/base64.h"
#include "base/crc32c.h"
#include "base/lanes.h"
#include "base/num.h"
#include "format/soch/soch_bin.h"
#include "format/soch/soch_write.h"

#include <math.h>

static inline void soch_bin_put_tag(soch_pen *pen, unsigned tag)
{
    out_byte(pen->out, (char)(unsigned char)tag);
}

/* ---------------------------------------------------------------------- numbers */

static void soch_bin_put_varint(pith_out *out, uint64_t number)
{
    out_reserve(out, SOCH_BIN_VARINT_LEN);
    for (; number >= 128; number >>= 7)
        *out->at++ = (char)(unsigned char)(number | 128);
    *out->at++ = (char)number;
}

static inline void soch_bin_put_tagged(soch_pen *pen, unsigned tag, uint64_t bits,
                                       unsigned bytes)
{
    assert(bytes <= 8);
    out_reserve(pen->out, 9);
    *pen->out->at = (char)(unsigned char)tag;
    soch_bin_store8(pen->out->at + 1, bits); /* in one move, and only so many count */
    pen->out->at += 1 + bytes;
}

static void soch_bin_put_int(soch_pen *pen, int64_t number)
{
    uint64_t bits = (uint64_t)number;
    if (number >= 0 && number < 16)
        soch_bin_put_tag(pen, SOCH_TAG_SMALL + (unsigned)number);
    else if (number < 0 && number >= -16)
        soch_bin_put_tag(pen, SOCH_TAG_NEGATIVE + (unsigned)(number + 16));
    else if (number >= INT8_MIN && number <= INT8_MAX)
        soch_bin_put_tagged(pen, SOCH_TAG_INT8, bits, 1);
    else if (number >= INT16_MIN && number <= INT16_MAX)
        soch_bin_put_tagged(pen, SOCH_TAG_INT16, bits, 2);
    else if (number >= INT32_MIN && number <= INT32_MAX)
        soch_bin_put_tagged(pen, SOCH_TAG_INT32, bits, 4);
    else
        soch_bin_put_tagged(pen, SOCH_TAG_INT64, bits, 8);
}

static NEVER_INLINE void soch_bin_put_large(soch_pen *pen, pith_text digits)
{
    uint64_t number;
    if (num_to_uint64(digits, &number)) {
        soch_bin_put_tag(pen, SOCH_TAG_UINT64);
        soch_bin_put_varint(pen->out, number);
    } else {
        soch_refuse(pen, "out_of_range",
                    "%s is beyond the integers of 64 bits that this format has",
                    error_quote(digits.ptr, digits.len).text);
    }
}

static void soch_bin_put_integer(soch_pen *pen, const pith_slot *slot)
{
    int64_t number;
    if (num_to_int64(slot_text(slot), &number))
        soch_bin_put_int(pen, number);
    else
        soch_bin_put_large(pen, slot_text(slot));
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
static double soch_bin_double(soch_pen *pen, const pith_slot *slot)
{
    double number = typed_double(slot);
    if (slot->kind != PITH_STRING && isinf(number)) {
        soch_refuse(pen, "out_of_range", "%s is beyond the largest double",
                    error_quote(slot->u.text, slot->n).text);
    }
    return number;
}

static void soch_bin_put_float(soch_pen *pen, const pith_slot *slot)
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

static void soch_bin_put_text(soch_pen *pen, const pith_slot *slot, pith_type column)
{
    pith_text text = slot_text(slot);
    (void)column;
    if (text.len < 16)
        soch_bin_put_tag(pen, SOCH_TAG_SHORT + (unsigned)text.len);
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
static void soch_bin_put_bytes(soch_pen *pen, pith_text base64, pith_type column)
{
    (void)column;
    size_t len = 0;
    base64_check(base64.ptr, base64.len, &len);
    soch_bin_put_tag(pen, SOCH_TAG_BYTES);
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

static void soch_bin_put_ref(soch_pen *pen, const pith_slot *slot)
{
    assert(typed_of(slot) == PITH_TYPE_REF);
    uint64_t id = 0;
    num_to_uint64(slot_text(slot + 2), &id);
    soch_bin_put_tag(pen, SOCH_TAG_REF);
    soch_bin_put_string(pen->out, slot_text(slot + 1));
    soch_bin_put_varint(pen->out, id);
}

static void soch_bin_put_vector(soch_pen *pen, const pith_slot *slot)
{
    assert(slot->kind == PITH_ARRAY);
    uint32_t half;
    bool halves = true;
    const pith_slot *end = slot + 1 + slot->n;
    for (const pith_slot *at = slot + 1; at < end && halves; at++)
        halves = soch_bin_as_f32(typed_double(at), &half);
    soch_bin_put_tag(pen, SOCH_TAG_VECTOR);
    soch_bin_put_varint(pen->out, slot->n);
    soch_bin_put_tag(pen, halves ? SOCH_TAG_FLOAT32 : SOCH_TAG_FLOAT64);
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

static void soch_bin_put_word(soch_pen *pen, pith_kind kind)
{
    soch_bin_put_tag(pen, SOCH_TAG_NULL + (unsigned)(kind - PITH_NULL));
}

static void soch_bin_put_open(soch_pen *pen, const pith_slot *slot)
{
    soch_bin_put_tag(pen, slot->kind == PITH_ARRAY ? SOCH_TAG_ARRAY : SOCH_TAG_OBJECT);
    soch_bin_put_varint(pen->out, slot->n);
}

static void soch_bin_put_key(soch_pen *pen, const pith_key *key)
{
    soch_bin_put_string(pen->out, key_text(key));
}

static const soch_script soch_bin_script = {
    .word = soch_bin_put_word,
    .integer = soch_bin_put_integer,
    .number = soch_bin_put_float,
    .text = soch_bin_put_text,
    .bytes = soch_bin_put_bytes,
    .ref = soch_bin_put_ref,
    .vector = soch_bin_put_vector,
    .open = soch_bin_put_open,
    .key = soch_bin_put_key,
};

/* ------------------------------------------------------------- headers, schemas */

static void soch_bin_put_name(pith_out *out, pith_text name, bool real)
{
    bool marked = real && soch_bin_is_marked(name, 0);
    soch_bin_put_varint(out, name.len + marked);
    if (marked)
        out_byte(out, '\\');
    out_text(out, name);
}

static void soch_bin_put_schema(pith_out *out, const doc_table *table)
{
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

/* The 16 bytes of a header; its flags beyond those of every table are `packing`. */
static void soch_bin_make_header(char *to, const soch_writer *w, unsigned packing,
                                 uint64_t rows)
{
    unsigned flags = SOCH_BIN_SCHEMA | packing | (w->summed ? SOCH_BIN_SUMMED : 0u);
    memcpy(to, SOCH_BIN_MAGIC, 4);
    soch_bin_store(to + 4, SOCH_BIN_VERSION, 2);
    soch_bin_store(to + 6, flags, 2);
    soch_bin_store(to + 8, rows, 8);
}

static pith_status soch_bin_header(row_table *rows, pith_out *out, uint64_t count,
                                   pith_error *err)
{
    char header[SOCH_BIN_HEADER_LEN];
    (void)err;
    soch_bin_make_header(header, (const soch_writer *)rows->state, SOCH_PLAIN, count);
    out_bytes(out, header, sizeof header);
    return PITH_OK;
}

static void soch_bin_put_sum(pith_out *out, uint32_t sum)
{
    char footer[SOCH_BIN_FOOTER_LEN];
    soch_bin_store(footer, sum, sizeof footer);
    out_bytes(out, footer, sizeof footer);
}

/* ------------------------------------------------------------------------- rows */

static pith_status soch_bin_begin(row_table *rows, pith_out *out, pith_error *err)
{
    soch_bin_put_schema(out, &soch_settle_fields(rows, out, err)->table);
    return PITH_OK;
}

static pith_status soch_bin_put_row(row_table *rows, pith_out *out, const row_cells *row,
                                    pith_error *err)
{
    soch_writer *w = soch_next_row(rows, out, err);
    row_cells cells = *row; /* where no write can reach it */
    const pith_slot *at = cells.row + 1;
    for (size_t i = 0; i < w->table.field_count; i++) {
        const pith_slot *cell = row_next_cell(&cells, i, &at);
        soch_put_cell(&w->pen, cells.doc, cell, &w->table.fields[i]);
    }
    return w->pen.status;
}

static void soch_bin_passed(row_table *rows, const char *data, size_t len)
{
    soch_writer *w = (soch_writer *)rows->state;
    if (w->summed) {
        w->sum = crc32c(w->sum, data, len);
        w->len += len;
    }
}

static pith_status soch_bin_put_footer(row_table *rows, pith_out *out, pith_error *err)
{
    const soch_writer *w = (const soch_writer *)rows->state;
    char header[SOCH_BIN_HEADER_LEN];
    (void)err;
    soch_bin_make_header(header, w, SOCH_PLAIN, rows->rows);
    if (w->summed)
        soch_bin_put_sum(out,
                         crc32c_join(crc32c(0, header, sizeof header), w->sum, w->len));
    return PITH_OK;
}

static size_t soch_bin_write_varint(char *to, uint64_t number)
{
    size_t len = 0;
    for (; number >= 128; number >>= 7)
        to[len++] = (char)(unsigned char)(number | 128);
    to[len++] = (char)number;
    return len;
}

/* The whole table, whose body is complete: compressed if that makes it smaller. */
static pith_status soch_bin_block(row_table *rows, pith_out *out, pith_text body,
                                  pith_error *err)
{
    const soch_writer *w = (const soch_writer *)rows->state;
    soch_block packed = {rows->alloc, NULL, 0, 0};
    char head[SOCH_BIN_HEADER_LEN + 2 * SOCH_BIN_VARINT_LEN];
    size_t head_len = SOCH_BIN_HEADER_LEN;
    soch_compressed result = soch_compress(w->packing, &packed, body.ptr, body.len);
    if (result == SOCH_COMPRESS_NO_MEMORY) {
        soch_block_free(&packed);
        return error_no_memory(err);
    }
    head_len += soch_bin_write_varint(head + head_len, body.len);
    head_len += soch_bin_write_varint(head + head_len, packed.len);
    bool smaller = result == SOCH_COMPRESSED &&
                   head_len + packed.len < SOCH_BIN_HEADER_LEN + body.len;
    pith_text used = smaller ? text_of(packed.data, packed.len) : body;
    head_len = smaller ? head_len : SOCH_BIN_HEADER_LEN;
    soch_bin_make_header(head, w, smaller ? w->packing : SOCH_PLAIN, rows->rows);
    out_bytes(out, head, head_len);
    out_text(out, used);
    if (w->summed)
        soch_bin_put_sum(out, crc32c(crc32c(0, head, head_len), used.ptr, used.len));
    soch_block_free(&packed);
    return PITH_OK;
}

/* --------------------------------------------------------------------- settings */

static soch_wish soch_bin_wish(const settings *set)
{
    return (soch_wish){.types = (unsigned)settings_number(set, SOCH_BIN_TYPES),
                       .fields = settings_text(set, SOCH_BIN_FIELDS),
                       .name = settings_text(set, SOCH_BIN_NAME),
                       .fill = settings_bool(set, SOCH_BIN_FILL_MISSING),
                       .refs = settings_number(set, SOCH_BIN_REFS) != 0};
}

static pith_status soch_bin_set(soch_writer *w, const settings *set, pith_error *err)
{
    w->packing = (soch_packing)settings_number(set, SOCH_BIN_COMPRESS);
    w->summed = settings_bool(set, SOCH_BIN_CHECKSUM);
    if (soch_packing_here(w->packing))
        return PITH_OK;
    return error_set(err, PITH_BAD_USE, "not_built_in",
                     "%s is not built in; compress=none always is",
                     soch_packing_name(w->packing));
}

static unsigned soch_bin_rules(const settings *set)
{
    soch_wish wish = soch_bin_wish(set);
    bool packs = settings_number(set, SOCH_BIN_COMPRESS) != SOCH_PLAIN;
    return soch_row_rules(&wish) | ROWS_PATCH | (packs ? ROWS_BLOCK : 0u);
}

static const soch_form soch_bin_form = {
    .script = &soch_bin_script,
    .between = "",
    .wish = soch_bin_wish,
    .set = soch_bin_set,
};

static pith_status soch_bin_open_rows(row_table *rows, pith_out *out, pith_error *err)
{
    (void)out;
    return soch_open_rows(rows, &soch_bin_form, err);
}

const row_format soch_bin_row_format = {
    .state_size = sizeof(soch_writer),
    .count_offset = 8,
    .typed = true,
    .missing = SOCH_MISSING_CELL,
    .rules = soch_bin_rules,
    .open = soch_bin_open_rows,
    .header = soch_bin_header,
    .begin = soch_bin_begin,
    .row = soch_bin_put_row,
    .footer = soch_bin_put_footer,
    .passed = soch_bin_passed,
    .block = soch_bin_block,
    .close = soch_close_rows,
};

pith_status soch_bin_encode(encode_job *job)
{
    return soch_write_value(job, &soch_bin_form, &soch_bin_row_format);
}
