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

#include "base/decimal.h"
#include "base/text.h"
#include "base/utf8.h"
#include "format/gcf1/gcf1.h"
#include "format/pen.h"

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
    if (parts.negative)
        out_byte(out, '-');
    decimal_span span = {parts.high, parts.low, parts.magnitude};
    decimal_lay_plain(out, &span);
}

/* ---------------------------------------------------------------------- strings */

pith_kind gcf1_bare_kind(pith_text text)
{
    if (text_is(text, "-"))
        return PITH_NULL;
    if (text_is(text, "true") || text_is(text, "false"))
        return *text.ptr == 't' ? PITH_TRUE : PITH_FALSE;
    /* 007 is no number anywhere else, so it is none here. */
    size_t sign = text.len > 0 && *text.ptr == '-' ? 1 : 0;
    bool zero = text.len > sign + 1 && text.ptr[sign] == '0' && text.ptr[sign + 1] != '.';
    if (zero || !gcf1_is_plain(text))
        return PITH_STRING;
    return memchr(text.ptr, '.', text.len) ? PITH_DECIMAL : PITH_INTEGER;
}

static bool gcf1_holds(pith_text text, char byte)
{
    return text.len > 0 && memchr(text.ptr, byte, text.len) != NULL;
}

/* A control character, of ASCII or of the 32 beyond it, or U+2028 or U+2029. */
static bool gcf1_breaks_lines(pith_text text)
{
    return scan_any(SCAN_SET(SCAN_CONTROLS, 0x7F), text.ptr, text.len, false) ||
           utf8_holds(text.ptr, text.len, UTF8_CONTROLS | UTF8_BREAKS);
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
        (place == GCF1_LISTED && gcf1_holds(text, ',')) || gcf1_breaks_lines(text))
        return true;
    return !seed &&
           (*text.ptr == '"' || *text.ptr == ' ' || text.ptr[text.len - 1] == ' ' ||
            gcf1_bare_kind(text) != PITH_STRING || gcf1_misleads(text, place));
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
            pen_write_quoted(out, text, PEN_FEW_LETTERS | PEN_RAW_CONTROLS);
            break;
        }
        out_text(out, text);
        break;
    default:
        out_text(out, text);
    }
}
