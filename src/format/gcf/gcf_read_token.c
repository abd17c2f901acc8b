/*
 * gcf_read_token.c - what a token is.
 *
 * The first rule that fits decides (section 2.1 of the specification): a quote starts
 * a quoted text; - is null; ~ and ^ are marks that only cells of tables may be; true
 * and false; a number in JSON's grammar; anything else is text as it is. 01, .5,
 * +1 and null are text.
 *
 * quoted.h reads what is in quotes.
 */
#include "base/lex.h"
#include "base/num.h"
#include "format/cell.h"
#include "format/gcf/gcf_read.h"
#include "format/quoted.h"

#include <math.h>

/* -------------------------------------------------------------------- quoted */

static const quoted_rules gcf_quoted = {
    .letters = LEX_LETTERS,
    .unclosed = {"unterminated_quote",
                 "the text that starts here has no closing '\"' in its line"},
    .escape = {"invalid_escape", "expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"},
    .hex = {"invalid_escape", "expected four hexadecimal digits after \\u"},
    .surrogate = {"invalid_surrogate",
                  "%.6s is half of a surrogate pair; expected the other half with it"},
    .control = {"invalid_escape",
                "expected \\u%04x: a control character in quotes must be escaped"},
};

const char *gcf_read_quoted(gcf_reader *r, const char *at, const char *end,
                            pith_slot *slot)
{
    const char *after = quoted_read(&r->in, &gcf_quoted, at, end, slot);
    slot->flags |= gcf_tail_flag(r, slot->u.text);
    return after;
}

/* ------------------------------------------------------------------- numbers */

/* True when the number is far from the limits of a double, which nearly all are: few
 * digits, and those at its end are after the point, or an exponent of at most two. */
static bool gcf_is_small_decimal(pith_text text)
{
    const size_t digits_most = 200;
    const char *end = text.ptr + text.len;
    const char *digits = end;
    if (text.len > digits_most)
        return false;
    while (digits > text.ptr && scan_is_digit((unsigned char)digits[-1]))
        digits--;
    return digits > text.ptr && (digits[-1] == '.' || end - digits <= 2);
}

bool gcf_check_number(gcf_reader *r, const pith_slot *slot)
{
    pith_text text = slot_text(slot);
    int64_t whole;
    if (slot->kind == PITH_INTEGER) {
        if (num_to_int64(text, &whole))
            return true;
        return read_bad(&r->in, text.ptr, "out_of_range",
                        "%s does not fit 64 bits (-2^63 to 2^63-1); write it as text, in "
                        "quotes",
                        error_quote(text.ptr, text.len).text);
    }
    if (gcf_is_small_decimal(text) || isfinite(num_to_double(text)))
        return true;
    return read_bad(&r->in, text.ptr, "out_of_range",
                    "%s is larger than any double (1.8e308); write it as text, in quotes",
                    error_quote(text.ptr, text.len).text);
}

/* -------------------------------------------------------------------- values */

bool gcf_sort_token(gcf_reader *r, const char *at, const char *end, uint8_t flags,
                    pith_slot *slot)
{
    size_t len = (size_t)(end - at);
    char first = len ? *at : '\0';
    uint8_t tail = gcf_tail_flag(r, at);
    if (len == 1 && first == '-') {
        slot_set_word(slot, PITH_NULL);
        return true;
    }
    if (len == 1 && (first == '~' || first == '^')) {
        gcf_put_mark(slot, first == '~' ? GCF_ABSENT : GCF_MARK, text_of(at, len));
        return true;
    }
    if (first == '^' && len > 2 && at[1] == '{' && end[-1] == '}') {
        gcf_put_mark(slot, GCF_SCHEMA, text_of(at, len));
        return true;
    }
    pith_kind kind = cell_kind(at, len, false, &flags);
    slot_set(slot, kind, flags | tail, at, len);
    return !gcf_is_unsure_number(slot) || gcf_check_number(r, slot);
}

/* ---------------------------------------------------------------------- keys */

static inline bool gcf_is_letter(char c)
{
    char lower = (char)(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || c == '_';
}

static const char *gcf_skip_bare_key(const char *at, const char *end)
{
    if (at == end || !gcf_is_letter(*at))
        return at;
    while (at < end && (gcf_is_letter(*at) || scan_is_digit((unsigned char)*at)))
        at++;
    return at;
}

const char *gcf_skip_key(const char *at, const char *end)
{
    if (at < end && *at == '"')
        return lex_skip_quoted(at, end);
    const char *after = gcf_skip_bare_key(at, end);
    return after > at ? after : NULL;
}

const char *gcf_read_key(gcf_reader *r, const char *at, const char *end, pith_key *key)
{
    pith_slot slot;
    const char *after;
    memset(key, 0, sizeof *key);
    if (at < end && *at == '"') {
        after = gcf_read_quoted(r, at, end, &slot);
        if (!after)
            return NULL;
        key->text = slot.u.text;
        key->len = slot.n;
        key->flags = slot.flags;
        return after;
    }
    after = gcf_skip_bare_key(at, end);
    if (after == at) {
        read_bad(&r->in, at, "invalid_key",
                 "expected a key: a letter or _ first, or in quotes");
        return NULL;
    }
    key->text = at;
    key->len = (uint32_t)(after - at);
    key->flags = gcf_tail_flag(r, at);
    return after;
}

bool gcf_add_key(gcf_reader *r, const pith_key *key)
{
    return read_built(&r->in, build_key(r->doc, key->flags, key->text, key->len),
                      r->start);
}
