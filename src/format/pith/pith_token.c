/*
 * pith_token.c - bare tokens, keys, and everything that can be wrong with them.
 *
 * A bare token reaches as far as it can: to a separator, bracket, quote, backslash or
 * control. Then it is looked at as a whole: it is null, true or false if it is exactly
 * that word, a number if JSON would have it as one, an error if it only looks like one,
 * and a string otherwise. Spaces inside belong to it; those at its end do not.
 */
#include "format/pith/pith_read.h"

#include "base/utf8.h"

const quoted_rules pn_quoted = JSON_QUOTED_RULES("unterminated_quote", false);

/* ------------------------------------------------------------------ problems */

/* What is beyond ASCII and makes no sense outside quotes. */
enum { PN_WIDE_CONTROLS = UTF8_CONTROLS | UTF8_BREAKS | UTF8_MARKS };

/* True for a byte that no token holds and that is no white space either. */
static bool pn_is_stray(const char *p)
{
    unsigned char byte = (unsigned char)*p;
    return byte == '\\' || byte == 0x7F || (byte < 0x20 && !scan_is_space(byte));
}

/* Reports the character at `p` if it makes no sense outside quotes; `*bad` says so. */
static bool pn_report_character(pn_reader *r, const char *p, bool *bad)
{
    uint32_t code = (unsigned char)*p;
    *bad = true;
    if (code >= 0x80 && utf8_decode(p, (size_t)(r->end - p), &code) == 0) {
        bool cut = r->end - p < UTF8_MAX_LEN;
        return !(cut && read_starved(&r->in)) && read_bad_utf8(&r->in, p);
    }
    if (*p == '\\') {
        return read_problem(&r->in, p, "invalid_escape",
                            "a backslash outside quotes; put the text in quotes");
    }
    if (pn_is_stray(p) || (utf8_class(code) & PN_WIDE_CONTROLS)) {
        return read_problem(&r->in, p, "control_character",
                            "control character U+%04X outside quotes", (unsigned)code);
    }
    *bad = false;
    return true;
}

bool pn_structure(pn_reader *r, const char *code, const char *p, const char *sentence)
{
    bool bad = false;
    if (r->quiet)
        return true;
    r->quiet = true;
    r->quiet_from = p;
    if (p < r->end && !pn_report_character(r, p, &bad))
        return false;
    return bad || read_problem(&r->in, p, code, "%s", sentence);
}

/* --------------------------------------------------------------------- notes */

/* Hands on the note at `p`; where its line ends, or NULL to stop. */
static const char *pn_read_note(pn_reader *r, const char *p)
{
    const char *from = p;
    while (p < r->end && *p != '\n' && *p != '\r') {
        bool bad = false;
        if (*p != '\\' && !pn_report_character(r, p, &bad))
            return NULL;
        size_t size = utf8_decode(p, (size_t)(r->end - p), NULL);
        p += size > 0 ? size : 1;
    }
    report_comment(r->report, from, p);
    return p;
}

bool pn_read_rest(pn_reader *r, const char *p, bool *broken)
{
    for (;;) {
        const char *at = json_skip_space(p, r->end);
        for (; p < at; p++)
            *broken = *broken || *p == '\n' || *p == '\r';
        if (at == r->end)
            return true;
        if (*at != '#' || !*broken) {
            pn_structure(r, "trailing_content", at,
                         *at == '#' ? "a note after the value begins on its own line"
                                    : "expected the end of the text after the value");
            return false;
        }
        p = pn_read_note(r, at);
        if (!p)
            return false;
    }
}

/* -------------------------------------------------------------------- tokens */

/* The end of the token at `p`, which may hold anything beyond ASCII; that of a key is also
 * before : and =, and in a header that is spaced both end at a space. */
static const char *pn_token_end(const char *p, const char *end, bool key, bool spaced)
{
    if (key || spaced) {
        while (p < end && !pn_is_mark((unsigned char)*p) && !(spaced && *p == ' ') &&
               !(key && (*p == ':' || *p == '=')))
            p++;
        return p;
    }
    for (;; p++) {
        p = pn_scan_bare(p, end);
        if (p == end || (unsigned char)*p < 0x80)
            return p;
    }
}

/* Reports what is wrong in well-delimited text beyond ASCII. False to stop. */
static bool pn_check_wide(pn_reader *r, const char *p, const char *end)
{
    while (p < end) {
        bool bad = false;
        if ((unsigned char)*p >= 0x80 && !pn_report_character(r, p, &bad))
            return false;
        size_t size = utf8_decode(p, (size_t)(end - p), NULL);
        p += size > 0 ? size : 1;
    }
    return true;
}

/* True for text that needs no closer look. */
static bool pn_is_fine(const char *p, size_t len, uint8_t flags)
{
    return !(flags & SLOT_WIDE) ||
           (utf8_find_invalid(p, len) == len && !utf8_holds(p, len, PN_WIDE_CONTROLS));
}

/* The text from `p` to `end`, of a key or not. What is wrong in it is reported. False to
 * stop. */
static bool pn_take_text(pn_reader *r, const char *p, const char *end, bool key,
                         pith_slot *slot)
{
    size_t len = (size_t)(end - p);
    if (len > SLOT_TEXT_MOST) {
        report_problem(r->report, PITH_LIMIT, "too_large", read_at(&r->in, p),
                       key ? "a key of 4 GiB or more" : "a token of 4 GiB or more");
        return false;
    }
    slot_set(slot, PITH_STRING, build_text_flags(p, len), p, len);
    return pn_is_fine(p, len, slot->flags) || pn_check_wide(r, p, end);
}

/* The token or key from `p` on: its end in `*stop`, its text without trailing spaces.
 * What is wrong in it is reported. False to stop. */
static bool pn_take_token(pn_reader *r, const char *p, bool key, const char **stop,
                          pith_slot *slot)
{
    const char *end = pn_token_end(p, r->end, key, r->spaced);
    if (end == r->end && read_starved(&r->in))
        return false;
    while (end < r->end && pn_is_stray(end)) {
        bool bad = false;
        if (!pn_check_wide(r, p, end) || !pn_report_character(r, end, &bad))
            return false;
        p = end + 1; /* only when problems are collected: go on after it */
        end = pn_token_end(p, r->end, key, false);
    }
    *stop = end;
    while (end > p && end[-1] == ' ')
        end--;
    return pn_take_text(r, p, end, key, slot);
}

/* Makes a number or a word of a string that is one. False to stop. */
static bool pn_classify(pn_reader *r, pith_slot *slot)
{
    const char *p = slot->u.text;
    size_t len = slot->n;
    if (len == 0 || !pn_is_suspect((unsigned char)*p))
        return true;
    if (!pn_set_word(slot, p, len) && lex_looks_like_number(p, len)) {
        lex_number number = lex_read_number(p, p + len);
        if (number.end != p + len) {
            return read_problem(
                &r->in, p, "invalid_number",
                "'%s' is not a number as JSON has them; for a string put it "
                "in quotes",
                error_quote(p, len).text);
        }
        slot->kind = number.decimal ? PITH_DECIMAL : PITH_INTEGER;
        slot->flags = number.plain ? SLOT_CANONICAL : 0;
    }
    return true;
}

bool pn_read_stem(pn_reader *r, const char *p, const char *end, pith_slot *slot)
{
    return pn_take_text(r, p, end, false, slot);
}

const char *pn_bare_end(const char *p, const char *end)
{
    return pn_token_end(p, end, false, false);
}

const char *pn_read_plain(pn_reader *r, const char *p, pith_slot *slot)
{
    const char *stop;
    return pn_take_token(r, p, false, &stop, slot) ? stop : NULL;
}

const char *pn_read_bare(pn_reader *r, const char *p, pith_slot *slot)
{
    const char *stop;
    if (!pn_take_token(r, p, false, &stop, slot) || !pn_classify(r, slot))
        return NULL;
    return stop;
}

const char *pn_read_key(pn_reader *r, const char *p, pith_slot *slot, bool *empty)
{
    const char *stop;
    *empty = false;
    if (*p == '"')
        return json_read_text(&r->in, &pn_quoted, p, slot);
    if (!pn_take_token(r, p, true, &stop, slot))
        return NULL;
    *empty = slot->n == 0;
    return *empty ? NULL : stop;
}
