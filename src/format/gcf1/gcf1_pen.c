/*
 * gcf1_pen.c - scalars as GCF 1 spells them.
 *
 * The document that describes GCF 1.1 quotes the empty string and strings with a pipe or
 * a line break. By those rules "12" becomes 12 and " x" becomes "x", so more is quoted
 * here, by the same rules by which the reader decides, and nothing that does not need it.
 * What counts as a line break is what any reader may cut a text at, and so every control
 * character: Python alone knows ten of them.
 */
#include "format/gcf1/gcf1_pen.h"

#include "base/num.h"
#include "base/scan.h"
#include "base/text.h"
#include "base/utf8.h"
#include "format/gcf1/gcf1.h"

enum { GCF1_DIGITS_MOST = 1100 /* of a number that is written out */ };

/* ---------------------------------------------------------------------- numbers */

/* True for a number as GCF 1 knows them: digits, maybe a point, no exponent. */
static bool gcf1_is_plain(pith_text text)
{
    size_t i = text.len > 0 && text.ptr[0] == '-' ? 1 : 0;
    bool point = false;
    size_t digits = 0;
    for (; i < text.len; i++) {
        if (text.ptr[i] == '.' && !point && digits > 0) {
            point = true;
            digits = 0;
        } else if (text.ptr[i] >= '0' && text.ptr[i] <= '9') {
            digits++;
        } else {
            return false;
        }
    }
    return digits > 0;
}

static void gcf1_put_zeros(pith_out *out, int64_t count)
{
    for (; count > 0; count--) {
        out_byte(out, '0');
    }
}

/* 1.25e3 as 1250: an exponent would make it a string. */
static void gcf1_put_number(pith_out *out, pith_text digits)
{
    num_parts parts;
    bool plain = gcf1_is_plain(digits) || !num_scan(digits, &parts);
    if (plain || parts.magnitude > GCF1_DIGITS_MOST ||
        parts.magnitude < -GCF1_DIGITS_MOST) {
        out_text(out, digits);
        return;
    }
    if (parts.zero) {
        out_byte(out, '0');
        return;
    }
    if (parts.negative) {
        out_byte(out, '-');
    }
    if (parts.magnitude < 0) {
        out_string(out, "0.");
        gcf1_put_zeros(out, -parts.magnitude - 1);
    }
    for (size_t i = 0; i < parts.significant; i++) {
        char digit =
            i < parts.high.len ? parts.high.ptr[i] : parts.low.ptr[i - parts.high.len];
        if (parts.magnitude >= 0 && i > 0 && (int64_t)i == parts.magnitude + 1) {
            out_byte(out, '.');
        }
        out_byte(out, digit);
    }
    gcf1_put_zeros(out, parts.magnitude + 1 - (int64_t)parts.significant);
}

/* ---------------------------------------------------------------------- strings */

pith_kind gcf1_bare_kind(pith_text text)
{
    if (text_is(text, "-")) {
        return PITH_NULL;
    }
    if (text_is(text, "true") || text_is(text, "false")) {
        return *text.ptr == 't' ? PITH_TRUE : PITH_FALSE;
    }
    /* 007 is no number anywhere else, so it is none here. */
    size_t sign = text.len > 0 && *text.ptr == '-' ? 1 : 0;
    bool zero = text.len > sign + 1 && text.ptr[sign] == '0' && text.ptr[sign + 1] != '.';
    if (zero || !gcf1_is_plain(text)) {
        return PITH_STRING;
    }
    return memchr(text.ptr, '.', text.len) ? PITH_DECIMAL : PITH_INTEGER;
}

static bool gcf1_holds(pith_text text, char byte)
{
    return text.len > 0 && memchr(text.ptr, byte, text.len) != NULL;
}

/* A control character, of ASCII or of the 32 beyond it, or U+2028 or U+2029. */
static bool gcf1_breaks_lines(const pith_slot *slot)
{
    const char *end = slot->u.text + slot->n;
    if (gcf1_holds(slot_text(slot), 0x7F)) {
        return true;
    }
    if (!(slot->flags & (SLOT_ESCAPE | SLOT_WIDE))) {
        return false;
    }
    for (const char *at = scan_special(slot->u.text, end); at < end;
         at = scan_special(at + 1, end)) {
        unsigned char byte = (unsigned char)*at;
        unsigned char next = end - at > 1 ? (unsigned char)at[1] : 0;
        unsigned char last = end - at > 2 ? (unsigned char)at[2] : 0;
        if (byte < 0x20 || (byte == 0xC2 && next < 0xA0) ||
            (byte == 0xE2 && next == 0x80 && (last == 0xA8 || last == 0xA9))) {
            return true;
        }
    }
    return false;
}

/* Whether the line would be taken for a line of another kind. */
static bool gcf1_misleads(pith_text text, gcf1_place place)
{
    char first = *text.ptr;
    switch (place) {
    case GCF1_FIRST:
        return first == '#' || first == '.' ||
               (first == '@' && text.len > 1 &&
                scan_is_digit((unsigned char)text.ptr[1]));
    case GCF1_ROOT:
        return first == '#' || gcf1_holds(text, '=') || gcf1_holds(text, '[') ||
               utf8_bom(text.ptr, text.len) > 0 || text_begins(text, "GCF ");
    default:
        return false;
    }
}

static bool gcf1_needs_quotes(const pith_slot *slot, gcf1_place place, bool seed)
{
    pith_text text = slot_text(slot);
    if (text.len == 0 || gcf1_holds(text, '|') ||
        (place == GCF1_LISTED && gcf1_holds(text, ',')) || gcf1_breaks_lines(slot)) {
        return true;
    }
    return !seed &&
           (*text.ptr == '"' || *text.ptr == ' ' || text.ptr[text.len - 1] == ' ' ||
            gcf1_bare_kind(text) != PITH_STRING || gcf1_misleads(text, place));
}

static void gcf1_put_quoted(pith_out *out, pith_text text)
{
    static const char escaped[] = "\"\\\n\r\t";
    static const char letters[] = "\"\\nrt";
    out_byte(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        const char *which = text.ptr[i] ? strchr(escaped, text.ptr[i]) : NULL;
        if (which) {
            out_byte(out, '\\');
        }
        out_byte(out, which ? letters[which - escaped] : text.ptr[i]);
    }
    out_byte(out, '"');
}

void gcf1_put_value(pith_out *out, const pith_slot *slot, gcf1_place place, bool seed)
{
    pith_text text = slot_text(slot);
    switch (slot->kind) {
    case PITH_NULL:
        out_byte(out, '-');
        break;
    case PITH_INTEGER:
    case PITH_DECIMAL:
        gcf1_put_number(out, text);
        break;
    case PITH_STRING:
        if (gcf1_needs_quotes(slot, place, seed)) {
            gcf1_put_quoted(out, text);
            break;
        }
        out_text(out, text);
        break;
    default:
        out_text(out, text);
    }
}
