/*
 * pith_scalar.c - the slow half of pith_scalar.h: what is quoted and why, escapes, and
 * numbers in fewer digits.
 */
#include "format/pith/pith_scalar.h"

#include "base/utf8.h"

/* --------------------------------------------------------------------- strings */

bool pn_is_misread(const char *text, size_t len)
{
    switch (text[0]) {
    case ' ':
        return true;
    case 'n':
        return len == 4 && memcmp(text, "null", 4) == 0;
    case 't':
        return len == 4 && memcmp(text, "true", 4) == 0;
    case 'f':
        return len == 5 && memcmp(text, "false", 5) == 0;
    default:
        return lex_looks_like_number(text, len);
    }
}

/* Spaces are invisible at the end of a bare text, and trimmed by too many tools to stand
 * there. */
bool pn_has_wide_trouble(const char *text, size_t len)
{
    return utf8_class(utf8_first(text, len)) == UTF8_SPACES ||
           utf8_class(utf8_last(text, len)) == UTF8_SPACES ||
           utf8_holds(text, len, UTF8_CONTROLS | UTF8_BREAKS | UTF8_MARKS);
}

bool pn_is_bare(const char *text, size_t len, uint8_t flags)
{
    return !pen_needs_quotes(&pn_lexis, PN_MARKS, text, len, flags);
}

/* A key may look like a number or a word. */
bool pn_is_bare_key(const pith_key *key)
{
    const char *text = key->text;
    size_t len = key->len;
    return len > 0 && !(key->flags & SLOT_ESCAPE) && text[0] != ' ' &&
           text[len - 1] != ' ' && !scan_any(PN_KEY_MARKS, text, len, false) &&
           !((key->flags & SLOT_WIDE) && pn_has_wide_trouble(text, len));
}

bool pn_is_bare_cell(const char *text, size_t len)
{
    bool wide = false;
    if (len == 0 || text[0] == ' ' || text[len - 1] == ' ')
        return false;
    for (size_t i = 0; i < len; i++) {
        if (pn_is_mark((unsigned char)text[i]))
            return false;
        wide = wide || (unsigned char)text[i] >= 0x80;
    }
    return !wide || !pn_has_wide_trouble(text, len);
}

bool pn_is_bare_word(const pith_key *key)
{
    return pn_is_bare_key(key) && !memchr(key->text, ' ', key->len);
}

char *pn_put_odd_string(pn_pen *pen, char *to, const pith_slot *slot)
{
    return pen_put_string(pen->out, to, slot_text(slot), slot->flags,
                          !pn_is_bare(slot->u.text, slot->n, slot->flags), 0);
}

/* --------------------------------------------------------------------- numbers */

size_t pn_shorten(char *to, const pith_slot *slot)
{
    if (slot->kind != PITH_DECIMAL)
        return 0; /* an integer is its digits */
    double number = num_to_double(slot_text(slot));
    if (number - number != 0)
        return 0; /* too large for a double */
    size_t len = num_write_double(to, number);
    if (len > 2 && to[len - 2] == '.' && to[len - 1] == '0')
        len -= 2;
    return len < slot->n ? len : 0;
}

char *pn_put_number(pn_pen *pen, char *to, const pith_slot *slot)
{
    size_t len = pen->shortest ? pn_shorten(to, slot) : 0;
    if (len > 0)
        return to + len;
    return pen_put_bytes(pen->out, to, slot->u.text, slot->n);
}

/* -------------------------------------------------------------------- measuring */

int64_t pn_quoted_len(const char *text, size_t len)
{
    char escape[LEX_ESCAPE_MAX_LEN];
    const char *end = text + len;
    int64_t sum = (int64_t)len + 2;
    for (text = scan_stop(text, end); text < end; text = scan_stop(text + 1, end))
        sum += (int64_t)lex_write_escape((unsigned char)*text, escape) - 1;
    return sum;
}

int64_t pn_key_len(const pith_key *key)
{
    return pn_is_bare_key(key) ? (int64_t)key->len : pn_quoted_len(key->text, key->len);
}

int64_t pn_scalar_len(const pith_slot *slot, bool shortest)
{
    char digits[PN_NUMBER_MAX_LEN];
    if (slot->kind == PITH_STRING && !pn_is_bare(slot->u.text, slot->n, slot->flags))
        return pn_quoted_len(slot->u.text, slot->n);
    size_t len = shortest ? pn_shorten(digits, slot) : 0;
    return len > 0 ? (int64_t)len : (int64_t)slot->n;
}

/* The bytes of a text in JSON, with its quotes, or any number beyond the limit. */
static size_t pn_json_len(const char *text, size_t len, uint8_t flags)
{
    size_t more = 2;
    if (!(flags & SLOT_ESCAPE) || len > PN_REPEAT_MOST)
        return len + more;
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '"' || byte == '\\')
            more++;
        else if (byte < 0x20)
            more += memchr("\b\f\n\r\t", byte, 5) ? 1 : 5;
    }
    return len + more;
}

size_t pn_json_keys(const pith_key *keys, uint32_t n)
{
    size_t size = 0;
    for (uint32_t i = 0; i < n && size <= PN_REPEAT_MOST; i++)
        size += 1 + pn_json_len(keys[i].text, keys[i].len, keys[i].flags);
    return size;
}

size_t pn_json_size(const pith_doc *doc, const pith_slot *slot)
{
    if (slot->kind == SLOT_KEYS)
        return 0;
    if (!slot_is_container(slot)) {
        return slot->kind == PITH_STRING ? pn_json_len(slot->u.text, slot->n, slot->flags)
                                         : slot->n;
    }
    size_t size = 2 + (size_t)slot->n - (slot->n > 0);
    return slot->kind == PITH_OBJECT ? size + pn_json_keys(doc_keys(doc, slot), slot->n)
                                     : size;
}

static bool pn_is_number(const pith_slot *slot)
{
    return slot->kind == PITH_INTEGER || slot->kind == PITH_DECIMAL;
}

bool pn_same_number(const pith_slot *a, const pith_slot *b)
{
    char digits[2][PN_NUMBER_MAX_LEN];
    if (!pn_is_number(a) || !pn_is_number(b))
        return false;
    pith_text first = slot_text(a);
    pith_text second = slot_text(b);
    size_t len = pn_shorten(digits[0], a);
    first = len > 0 ? text_of(digits[0], len) : first;
    len = pn_shorten(digits[1], b);
    second = len > 0 ? text_of(digits[1], len) : second;
    return text_equal(first, second);
}
