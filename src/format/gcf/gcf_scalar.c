/*
 * gcf_scalar.c - the slow half of gcf_scalar.h: what is quoted and why, and
 * canonical numbers.
 *
 * Numbers. A lexeme without point and exponent is an integer and must fit in 64 bits
 * with sign; any other is a double and must be finite. Beyond that the specification has
 * no numbers, only strings, and making one of the other is not ours to do.
 */
#include "format/gcf/gcf_scalar.h"

#include "base/lex.h"
#include "base/text.h"
#include "base/utf8.h"

#include <assert.h>

/* --------------------------------------------------------------------- strings */

static bool gcf_is_digit_at(const char *text, size_t len, size_t at)
{
    return at < len && scan_is_digit((unsigned char)text[at]);
}

static bool gcf_is_number(const char *text, size_t len)
{
    return scan_is_digit((unsigned char)text[len - 1]) &&
           lex_read_number(text, text + len).end == text + len;
}

bool gcf_is_misread(const char *text, size_t len)
{
    switch (text[0]) {
    case ' ':
    case '#':
    case '@':
    case '.':
        return true;
    case '-':
    case '+':
        return (len == 1 && text[0] == '-') || gcf_is_digit_at(text, len, 1) ||
               (len > 2 && text[1] == '.' && gcf_is_digit_at(text, len, 2));
    case '~':
        return len == 1;
    case '^':
        return len == 1 || (text[1] == '{' && text[len - 1] == '}');
    case 't':
        return len == 4 && memcmp(text, "true", 4) == 0;
    case 'f':
        return len == 5 && memcmp(text, "false", 5) == 0;
    case '0':
        return gcf_is_digit_at(text, len, 1) || gcf_is_number(text, len);
    default:
        return gcf_is_number(text, len);
    }
}

/* True for text that holds something like `[3]:`, which ends a key of an array. */
static bool gcf_has_count(const char *text, size_t len)
{
    const char *end = text + len;
    while (text < end) {
        const char *open = (const char *)memchr(text, '[', (size_t)(end - text));
        const char *close =
            open ? (const char *)memchr(open, ']', (size_t)(end - open)) : NULL;
        if (!close)
            return false;
        text = close + 1;
        while (text < end && *text == ' ')
            text++;
        if (text < end && *text == ':')
            return true;
    }
    return false;
}

bool gcf_is_marked(const char *text, size_t len)
{
    return scan_any(SCAN_SET(0, ',', '|'), text, len, false) || gcf_has_count(text, len);
}

bool gcf_has_wide_space(const char *text, size_t len)
{
    return utf8_holds(text, len, UTF8_CONTROLS | UTF8_SPACES | UTF8_BREAKS | UTF8_MARKS);
}

char *gcf_put_odd_string(gcf_pen *pen, char *to, const char *text, size_t len,
                         uint8_t flags)
{
    bool quoted = pen_needs_quotes(&gcf_lexis, GCF_MARKS, text, len, flags);
    return pen_put_string(pen->out, to, text_of(text, len), flags, quoted, 0);
}

char *gcf_put_constant(gcf_pen *pen, char *to, const pith_slot *slot)
{
    if (slot->kind == PITH_STRING && slot->n > 0 && memchr(slot->u.text, '}', slot->n))
        return gcf_put_quoted(pen, to, slot->u.text, slot->n);
    return gcf_put_scalar(pen, to, slot);
}

/* --------------------------------------------------------------------- numbers */

static size_t gcf_write_integer(char *to, pith_text lexeme)
{
    int64_t number;
    return num_to_int64(lexeme, &number) ? num_write_int64(to, number) : 0;
}

size_t gcf_write_number(char *to, const pith_slot *slot)
{
    return slot->kind == PITH_DECIMAL ? decimal_write(to, slot_text(slot))
                                      : gcf_write_integer(to, slot_text(slot));
}

static char *gcf_put_refused(gcf_pen *pen, char *to, const pith_slot *slot)
{
    out_fail(pen->out, PITH_UNREPRESENTABLE, "out_of_range");
    pen->refused = pen->refused ? pen->refused : slot;
    return to;
}

char *gcf_put_other(gcf_pen *pen, char *to, const pith_slot *slot)
{
    if (slot->kind == PITH_NULL) {
        *to++ = '-';
        return to;
    }
    if (slot->kind < PITH_INTEGER)
        return slot_copy_text(to, slot->u.text, slot->n, slot->flags);
    size_t len = gcf_write_number(to, slot);
    return len > 0 ? to + len : gcf_put_refused(pen, to, slot);
}

pith_status gcf_refuse_number(const pith_slot *number, pith_error *err)
{
    const char *domain = number->kind == PITH_INTEGER
                             ? "a 64-bit integer (-2^63 to 2^63-1)"
                             : "a finite double";
    return error_set(err, PITH_UNREPRESENTABLE, "out_of_range",
                     "the number %s is not %s, and GCF has no others; make it a string",
                     error_quote(number->u.text, number->n).text, domain);
}

bool gcf_same_scalar(const pith_slot *a, const pith_slot *b)
{
    bool numbers = (a->kind == PITH_INTEGER || a->kind == PITH_DECIMAL) &&
                   (b->kind == PITH_INTEGER || b->kind == PITH_DECIMAL);
    if (a->kind == b->kind && a->n == b->n &&
        (a->n == 0 || memcmp(a->u.text, b->u.text, a->n) == 0))
        return true;
    if (!numbers)
        return false;
    char left[GCF_NUMBER_MAX_LEN];
    char right[GCF_NUMBER_MAX_LEN];
    size_t len = gcf_write_number(left, a);
    return len > 0 && len == gcf_write_number(right, b) && memcmp(left, right, len) == 0;
}

/* ----------------------------------------------------------------------- cells */

char *gcf_put_cells(gcf_pen *pen, char *to, const pith_slot *at, const pith_slot *end,
                    char between)
{
    assert(at < end);
    for (; at < end; at++) {
        if (at->kind >= PITH_ARRAY)
            continue;
        to = pen_room(pen->out, gcf_put_scalar(pen, to, at));
        *to++ = between;
    }
    return to - 1;
}
