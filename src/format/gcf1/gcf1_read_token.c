/*
 * gcf1_read_token.c - the pieces of a line: values, quotes, [counts] and @numbers.
 *
 * A value that begins with a quote is a quoted one, and nothing may follow its last
 * quote. Every other value is bare, and ends at the next separator. Blanks around either
 * are no data.
 */
#include "format/gcf1/gcf1_read.h"

#include "base/lex.h"
#include "base/num.h"
#include "base/utf8.h"
#include "doc/build.h"
#include "format/gcf1/gcf1_pen.h"

pith_text gcf1_trim(const char *at, const char *end)
{
    while (at < end && gcf1_is_blank(*at))
        at++;
    while (at < end && gcf1_is_blank(end[-1]))
        end--;
    return text_of(at, (size_t)(end - at));
}

/* ----------------------------------------------------------------------- quotes */

static bool gcf1_is_escape(char letter)
{
    return letter != '\0' && strchr("\"\\nrt", letter) != NULL;
}

/* The last quote of the text that is quoted at `at`; NULL when there is none. */
static const char *gcf1_find_quote(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at == '"')
            return at;
        at += *at == '\\' && end - at > 1 ? 1 : 0;
    }
    return NULL;
}

bool gcf1_is_quoted(const char *at, const char *end)
{
    return at < end && *at == '"' && gcf1_find_quote(at, end) == end - 1;
}

/* The place after the quoted text at `at`; NULL when it has no end or a wrong escape,
 * which is then reported. */
static const char *gcf1_skip_quoted(gcf1_reader *r, const char *at, const char *end)
{
    const char *last = gcf1_find_quote(at, end);
    if (!last) {
        report_bad(r->report, "unterminated_string", read_at(&r->in, at),
                   "expected a quote at the end of what begins with one; \\\" stands for "
                   "a quote inside");
        return NULL;
    }
    for (at++; at < last; at++) {
        if (*at == '\\' && !gcf1_is_escape(*++at)) {
            size_t len = utf8_decode(at, (size_t)(last - at), NULL);
            report_bad(r->report, "invalid_escape", read_at(&r->in, at - 1),
                       "expected \\\" \\\\ \\n \\r or \\t, found '\\%s'",
                       error_quote(at, len).text);
            return NULL;
        }
    }
    return last + 1;
}

const char *gcf1_cell_end(gcf1_reader *r, const char *at, const char *end, char between)
{
    while (at < end && gcf1_is_blank(*at))
        at++;
    if (at == end || *at != '"') {
        const char *hit =
            at < end ? (const char *)memchr(at, between, (size_t)(end - at)) : NULL;
        return hit ? hit : end;
    }
    at = gcf1_skip_quoted(r, at, end);
    while (at && at < end && gcf1_is_blank(*at))
        at++;
    if (at && at < end && *at != between) {
        report_expected(r->report, "trailing_characters", text_of(at, (size_t)(end - at)),
                        "the end of the value after its last quote");
        return NULL;
    }
    return at;
}

size_t gcf1_count_cells(gcf1_reader *r, const char *at, const char *end, char between)
{
    for (size_t cells = 1;; cells++) {
        at = gcf1_cell_end(r, at, end, between);
        if (!at || at == end)
            return at ? cells : 0;
        at++;
    }
}

bool gcf1_check_value(gcf1_reader *r, const char *at, const char *end)
{
    return gcf1_cell_end(r, at, end, '\n') != NULL; /* no line has a line feed */
}

/* ----------------------------------------------------------------------- values */

/* The text between quotes. */
static bool gcf1_unquote(gcf1_reader *r, const char *at, const char *end, pith_slot *slot)
{
    assert(at <= end && at[-1] == '"' && *end == '"');
    size_t len = (size_t)(end - at);
    if (len == 0 || !memchr(at, '\\', len)) {
        slot_set(slot, PITH_STRING, build_text_flags(at, len), at, len);
        return true;
    }
    char *text = arena_take(&r->doc->arena, len);
    if (!text)
        return read_failed(&r->in);
    char *to = text;
    while (at < end) {
        bool escape = *at == '\\';
        at += escape ? 1 : 0;
        *to++ = escape ? (char)lex_short_escape(*at) : *at;
        at++;
    }
    size_t kept = (size_t)(to - text);
    arena_trim(&r->doc->arena, text, kept);
    slot_set(slot, PITH_STRING, build_text_flags(text, kept), text, kept);
    return true;
}

bool gcf1_read_value(gcf1_reader *r, const char *at, const char *end, pith_slot *slot)
{
    pith_text text = gcf1_trim(at, end);
    if (text.len > 0 && *text.ptr == '"')
        return gcf1_unquote(r, text.ptr + 1, text.ptr + text.len - 1, slot);
    pith_kind kind = gcf1_bare_kind(text);
    switch (kind) {
    case PITH_NULL:
    case PITH_FALSE:
    case PITH_TRUE:
        slot_set_word(slot, kind);
        break;
    case PITH_STRING:
        slot_set(slot, kind, build_text_flags(text.ptr, text.len), text.ptr, text.len);
        break;
    default:
        slot_set(slot, kind, build_number_flags(text.ptr, text.len), text.ptr, text.len);
    }
    return true;
}

/* ---------------------------------------------------------------------- headers */

/* Whether [N] or [?] at `at` ends at `*after`; its number goes to the head. */
static bool gcf1_read_count(const char *at, const char *end, gcf1_head *head,
                            const char **after)
{
    const char *digits = at + 1;
    const char *p = scan_digits(digits, end);
    head->open_count = p == digits && p < end && *p == '?';
    p += head->open_count ? 1 : 0;
    if (p == digits || p == end || *p != ']' || p - digits > 19)
        return false;
    head->count = 0;
    for (const char *d = digits; !head->open_count && d < p; d++)
        head->count = head->count * 10 + (uint64_t)(*d - '0');
    *after = p + 1;
    return true;
}

bool gcf1_find_count(pith_text text, bool spaced, gcf1_head *head)
{
    const char *end = text.ptr + text.len;
    const char *p = NULL;
    const char *closing = NULL; /* the next brace, sought once for many counts */
    for (const char *at = text.ptr; at < end; at++) {
        at = (const char *)memchr(at, '[', (size_t)(end - at));
        if (!at)
            return false;
        if ((spaced && at > text.ptr && !gcf1_is_blank(at[-1])) ||
            !gcf1_read_count(at, end, head, &p))
            continue;
        head->values = p < end && *p == ':' && (p + 1 == end || gcf1_is_blank(p[1]));
        const char *brace = p;
        while (brace < end && gcf1_is_blank(*brace))
            brace++;
        size_t left = (size_t)(end - brace);
        if (left > 0 && (!closing || closing < brace)) {
            closing = (const char *)memchr(brace, '}', left);
            closing = closing ? closing : end;
        }
        head->fields_given = left > 0 && *brace == '{' && closing == end - 1;
        if (p != end && !head->values && !head->fields_given)
            continue;
        head->name = gcf1_trim(text.ptr, at);
        head->fields =
            head->fields_given ? text_of(brace + 1, left - 2) : text_of(end, 0);
        head->rest = head->values ? gcf1_trim(p + 1, end) : text_of(end, 0);
        return true;
    }
    return false;
}

bool gcf1_has_count(const text_line *line)
{
    gcf1_head head = {0};
    return gcf1_find_count(gcf1_after(line, 3), true, &head) && !head.values;
}

bool gcf1_is_inline_array(const text_line *line, gcf1_head *head)
{
    pith_text whole = gcf1_after(line, 0);
    const char *equals = (const char *)memchr(whole.ptr, '=', whole.len);
    return gcf1_find_count(whole, false, head) && head->values &&
           (!equals || equals > head->name.ptr + head->name.len);
}

pith_text gcf1_find_id(const text_line *line)
{
    const char *digits = line->at + 1;
    const char *stop = *line->at == '@' ? scan_digits(digits, line->end) : digits;
    bool ends = stop == line->end || gcf1_is_blank(*stop);
    return text_of(digits, ends ? (size_t)(stop - digits) : 0);
}

bool gcf1_is_id(pith_text digits, uint64_t number)
{
    char wanted[NUM_UINT64_MAX_LEN];
    return text_equal(digits, text_of(wanted, num_write_uint64(wanted, number)));
}

bool gcf1_is_dotted(const text_line *line)
{
    size_t len = (size_t)(line->end - line->at);
    return *line->at == '.' && len > 1 && !memchr(line->at, '=', len);
}
