/*
 * soch_bin_schema.c - varints, strs, and the table's name and fields.
 */
#include "base/scan.h"
#include "base/utf8.h"
#include "format/soch/soch_bin.h"
#include "format/soch/soch_read.h"

bool soch_bin_truncated(soch_reader *r, const char *what)
{
    if (!read_starved(&r->in))
        read_bad(&r->in, r->at, "truncated", "the bytes end before %s does", what);
    return false;
}

bool soch_bin_varint(soch_reader *r, uint64_t *number)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < SOCH_BIN_VARINT_LEN; i++) {
        if (r->at + i == r->end)
            return soch_bin_truncated(r, "a varint");
        uint64_t byte = (unsigned char)r->at[i];
        value |= (byte & 127) << (7 * i);
        if (byte < 128) {
            bool overlong = i > 0 && byte == 0;
            if (overlong || (i == SOCH_BIN_VARINT_LEN - 1 && byte > 1))
                break;
            r->at += i + 1;
            *number = value;
            return true;
        }
    }
    return read_bad(&r->in, r->at, "invalid_varint",
                    "a varint of more bytes than its number needs");
}

bool soch_bin_text(soch_reader *r, uint64_t len, pith_text *text, uint8_t *flags,
                   const char *what)
{
    if (len > soch_left(r))
        return soch_bin_truncated(r, what);
    *text = text_of(r->at, (size_t)len);
    *flags = build_text_flags(text->ptr, text->len);
    if (*flags & SLOT_WIDE) {
        size_t bad = utf8_find_invalid(text->ptr, text->len);
        if (bad != text->len) {
            return read_bad(&r->in, text->ptr + bad, "invalid_utf8",
                            "%s is not UTF-8 here", what);
        }
    }
    r->at += len;
    return true;
}

bool soch_bin_string(soch_reader *r, pith_text *text, uint8_t *flags, const char *what)
{
    uint64_t len;
    return soch_bin_varint(r, &len) && soch_bin_text(r, len, text, flags, what);
}

/* ---------------------------------------------------------------------- the schema */

/* A name, kept; `*marked` when it is the one that stands for none. */
static bool soch_bin_name(soch_reader *r, pith_text *name, bool *marked, const char *what)
{
    uint8_t flags;
    if (!soch_bin_string(r, name, &flags, what))
        return false;
    *marked = soch_bin_is_marked(*name, 0);
    if (*marked && name->len > 1) {
        *name = text_of(name->ptr + 1, name->len - 1);
        *marked = false;
    }
    return soch_keep_name(r, name);
}

static bool soch_bin_field(soch_reader *r, bool *marked)
{
    pith_field *field = soch_add_field(r);
    if (!field || !soch_bin_name(r, &field->name, marked, "a field's name"))
        return false;
    if (r->at == r->end)
        return soch_bin_truncated(r, "a field's type");
    unsigned type = (unsigned char)*r->at & 127u;
    field->nullable = (unsigned char)*r->at >= SOCH_BIN_NULLABLE;
    if (type > PITH_TYPE_REF || (type == PITH_TYPE_ANY && field->nullable)) {
        return read_bad(&r->in, r->at, "unknown_type", "0x%02x is the type of no column",
                        (unsigned char)*r->at);
    }
    r->at++;
    field->type = (pith_type)type;
    field->nullable = field->nullable || type == PITH_TYPE_ANY;
    if (type == PITH_TYPE_VEC) {
        uint64_t size;
        if (!soch_bin_varint(r, &size))
            return false;
        if (size > UINT32_MAX) {
            return read_bad(&r->in, r->at, "unknown_type",
                            "a vector of more than 4294967295 numbers");
        }
        field->size = (uint32_t)size;
    }
    bool ignored;
    return type != PITH_TYPE_REF ||
           soch_bin_name(r, &field->target, &ignored, "the table that is referred to");
}

static bool soch_bin_check_counts(soch_reader *r, uint64_t fields)
{
    if (fields > soch_left(r) / 2)
        return soch_bin_truncated(r, "the list of fields");
    if (fields == 0 && r->count > 0) {
        return read_bad(&r->in, r->at, "unrepresentable",
                        "a table without fields cannot have rows");
    }
    return true;
}

bool soch_bin_schema(soch_reader *r)
{
    pith_text name;
    bool unnamed;
    bool marked = false;
    uint64_t count;
    if (!soch_bin_name(r, &name, &unnamed, "the table's name") ||
        !soch_bin_varint(r, &count) || !soch_bin_check_counts(r, count))
        return false;
    r->fields.count = 0;
    for (uint64_t i = 0; i < count; i++)
        if (!soch_bin_field(r, &marked))
            return false;
    return soch_use_fields(r, r->at, "") && soch_add_table(r, name, unnamed, marked);
}
