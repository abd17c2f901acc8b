/*
 * gcf_read_token.c - what a token is.
 *
 * The first rule that fits decides (section 2.1 of the specification): a quote starts
 * a quoted text; - is null; ~ and ^ are marks that only cells of tables may be; true
 * and false; a number in JSON's grammar; anything else is text as it stands. 01, .5,
 * +1 and null are text.
 *
 * Text without escapes is borrowed; the rest is decoded into the arena, where it keeps
 * its offset in the input (build_place_text).
 */
#include "base/lex.h"
#include "base/num.h"
#include "base/utf8.h"
#include "format/gcf/gcf_read.h"

#include <math.h>

/* -------------------------------------------------------------------- quoted */

/* Reads the escape at `at`: its code point, and the bytes it takes in `*used`. False
 * after a problem, with a stand-in for it. */
static bool gcf_read_escape(gcf_reader *r, const char *at, const char *end,
                            uint32_t *code, size_t *used)
{
    switch (lex_read_escape(at, end, code, used)) {
    case LEX_FINE:
        return true;
    case LEX_LONE_SURROGATE:
        report_bad(r->report, "invalid_surrogate", gcf_at(r, at),
                   "%.6s is half of a surrogate pair; expected the other half with it",
                   at);
        return false;
    case LEX_BAD_ESCAPE:
        break;
    }
    *code = '?';
    *used = end - at > 1 ? 2 : 1;
    bool unicode = end - at > 1 && at[1] == 'u';
    report_bad(r->report, "invalid_escape", gcf_at(r, at),
               unicode ? "expected four hexadecimal digits after \\u"
                       : "expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
    return false;
}

static bool gcf_bad_control(gcf_reader *r, const char *at)
{
    report_bad(r->report, "invalid_escape", gcf_at(r, at),
               "expected \\u%04x: a control character in quotes must be escaped",
               (unsigned)(unsigned char)*at);
    return false;
}

/* Decodes what is between the quotes into `to`; NULL after a problem, of which all
 * are reported. */
static char *gcf_unescape(gcf_reader *r, const char *at, const char *end, char *to)
{
    bool fine = true;
    for (;;) {
        to = lex_unescape(&at, end, LEX_LETTERS, to);
        if (at >= end || read_stopped(&r->in)) {
            return fine ? to : NULL;
        }
        uint32_t code = 0;
        size_t used = 1;
        if (*at == '\\') {
            fine = gcf_read_escape(r, at, end, &code, &used) && fine;
        } else {
            fine = gcf_bad_control(r, at);
        }
        to += utf8_encode(code, to);
        at += used;
    }
}

static bool gcf_store_unescaped(gcf_reader *r, const char *open, const char *close,
                                pith_slot *slot)
{
    size_t offset = gcf_is_in_input(r, open) ? gcf_at(r, open) : 0;
    char *text = build_place_text(r->doc, offset, (size_t)(close - open));
    if (!text) {
        return read_failed(&r->in);
    }
    char *text_end = gcf_unescape(r, open + 1, close, text);
    if (!text_end) {
        build_drop_text(r->doc, text);
        return false;
    }
    size_t len = (size_t)(text_end - text);
    build_end_text(r->doc, text, len);
    gcf_put(slot, PITH_STRING, build_text_flags(text, len), text, len);
    return true;
}

const char *gcf_read_quoted(gcf_reader *r, const char *at, const char *end,
                            pith_slot *slot)
{
    bool odd = false;
    const char *close = at + 1;
    for (;;) {
        close = scan_stop(close, end);
        if (close == end) {
            report_bad(r->report, "unterminated_quote", gcf_at(r, at),
                       "the text that starts here has no closing '\"' in its line");
            return NULL;
        }
        if (*close == '"') {
            break;
        }
        odd = true;
        close += *close == '\\' && end - close > 1 ? 2 : 1;
    }
    if (odd) {
        return gcf_store_unescaped(r, at, close, slot) ? close + 1 : NULL;
    }
    size_t len = (size_t)(close - (at + 1));
    uint8_t flags = build_text_flags(at + 1, len);
    gcf_put(slot, PITH_STRING, flags | gcf_tail_flag(r, at + 1), at + 1, len);
    return close + 1;
}

/* ------------------------------------------------------------------- numbers */

/* True when the number is far from the limits of a double, which nearly all are: few
 * digits, and those at its end are behind the point, or an exponent of at most two. */
static bool gcf_is_small_decimal(pith_text text)
{
    const size_t digits_most = 200;
    const char *end = text.ptr + text.len;
    const char *digits = end;
    if (text.len > digits_most) {
        return false;
    }
    while (digits > text.ptr && scan_is_digit((unsigned char)digits[-1])) {
        digits--;
    }
    return digits > text.ptr && (digits[-1] == '.' || end - digits <= 2);
}

bool gcf_check_number(gcf_reader *r, const pith_slot *slot)
{
    pith_text text = slot_text(slot);
    int64_t whole;
    if (slot->kind == PITH_INTEGER) {
        if (num_to_int64(text, &whole)) {
            return true;
        }
        report_bad(r->report, "out_of_range", gcf_at(r, text.ptr),
                   "%s does not fit 64 bits (-2^63 to 2^63-1); write it as text, in "
                   "quotes",
                   error_quote(text.ptr, text.len).text);
        return false;
    }
    if (gcf_is_small_decimal(text) || isfinite(num_to_double(text))) {
        return true;
    }
    report_bad(r->report, "out_of_range", gcf_at(r, text.ptr),
               "%s is larger than any double (1.8e308); write it as text, in quotes",
               error_quote(text.ptr, text.len).text);
    return false;
}

/* -------------------------------------------------------------------- values */

bool gcf_sort_token(gcf_reader *r, const char *at, const char *end, uint8_t flags,
                    pith_slot *slot)
{
    size_t len = (size_t)(end - at);
    char first = len ? *at : '\0';
    uint8_t tail = gcf_tail_flag(r, at);
    if (scan_is_digit((unsigned char)first) || (first == '-' && len > 1)) {
        lex_number number = lex_read_number(at, end);
        if (number.end == end) {
            gcf_put(slot, number.decimal ? PITH_DECIMAL : PITH_INTEGER,
                    (number.plain ? SLOT_PLAIN : 0) | tail, at, len);
            return number.plain || gcf_check_number(r, slot);
        }
    } else if (len == 1 && first == '-') {
        gcf_put_null(slot);
        return true;
    } else if (len == 1 && (first == '~' || first == '^')) {
        gcf_put(slot, first == '~' ? GCF_ABSENT : GCF_MARK, 0, at, len);
        return true;
    } else if (first == '^' && len > 2 && at[1] == '{' && end[-1] == '}') {
        gcf_put(slot, GCF_SCHEMA, 0, at, len);
        return true;
    } else if (len == 4 && memcmp(at, "true", 4) == 0) {
        gcf_put(slot, PITH_TRUE, tail, at, len);
        return true;
    } else if (len == 5 && memcmp(at, "false", 5) == 0) {
        gcf_put(slot, PITH_FALSE, tail, at, len);
        return true;
    }
    gcf_put(slot, PITH_STRING, flags | tail, at, len);
    return true;
}

bool gcf_refuse_mark(gcf_reader *r, pith_slot *slot)
{
    if (slot->kind < GCF_ABSENT) {
        return true;
    }
    const char *at = slot->u.text;
    if (slot->kind == GCF_ABSENT) {
        report_bad(r->report, "invalid_missing", gcf_at(r, at),
                   "~ (no such field) can only be a cell of a table; the text is \"~\"");
    } else {
        report_bad(r->report, "invalid_attachment_marker", gcf_at(r, at),
                   "^ (see the attachment) can only be a cell of a table; the text is "
                   "written in quotes");
    }
    gcf_put_null(slot);
    return false;
}

/* ---------------------------------------------------------------------- keys */

static inline bool gcf_is_letter(char c)
{
    char lower = (char)(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || c == '_';
}

static const char *gcf_skip_bare_key(const char *at, const char *end)
{
    if (at == end || !gcf_is_letter(*at)) {
        return at;
    }
    while (at < end && (gcf_is_letter(*at) || scan_is_digit((unsigned char)*at))) {
        at++;
    }
    return at;
}

const char *gcf_skip_key(const char *at, const char *end)
{
    if (at < end && *at == '"') {
        return lex_skip_quoted(at, end);
    }
    const char *behind = gcf_skip_bare_key(at, end);
    return behind > at ? behind : NULL;
}

const char *gcf_read_key(gcf_reader *r, const char *at, const char *end, pith_key *key)
{
    pith_slot slot;
    const char *behind;
    memset(key, 0, sizeof *key);
    if (at < end && *at == '"') {
        behind = gcf_read_quoted(r, at, end, &slot);
        if (!behind) {
            return NULL;
        }
        key->text = slot.u.text;
        key->len = slot.n;
        key->flags = slot.flags;
        return behind;
    }
    behind = gcf_skip_bare_key(at, end);
    if (behind == at) {
        report_bad(r->report, "invalid_key", gcf_at(r, at),
                   "expected a key: a letter or _ first, or in quotes");
        return NULL;
    }
    key->text = at;
    key->len = (uint32_t)(behind - at);
    key->flags = gcf_tail_flag(r, at);
    return behind;
}

bool gcf_add_key(gcf_reader *r, const pith_key *key)
{
    return read_built(&r->in, build_key(r->doc, key->flags, key->text, key->len),
                      r->start);
}
