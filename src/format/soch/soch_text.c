/*
 * soch_text.c - which texts and names must be quoted, and the words for types.
 *
 * Readers of this format differ in what they take for a number (007? +5? .5?), so a text
 * is quoted when any of them might. The same goes for blanks around a text, for other
 * languages trim more than ASCII, and for what some of them end a line at.
 */
#include "format/soch/soch.h"
#include "base/lex.h"
#include "base/num.h"
#include "base/utf8.h"

/* Unicode's White_Space beyond ASCII, and the byte order mark. */
static bool soch_is_blank(uint32_t code)
{
    return code == 0x85 || (utf8_class(code) & (UTF8_SPACES | UTF8_BREAKS | UTF8_MARKS));
}

static bool soch_has_edge_blank(pith_text text)
{
    unsigned char first = (unsigned char)text.ptr[0];
    unsigned char last = (unsigned char)text.ptr[text.len - 1];
    return first == ' ' || last == ' ' ||
           (first >= 0x80 && soch_is_blank(utf8_first(text.ptr, text.len))) ||
           (last >= 0x80 && soch_is_blank(utf8_last(text.ptr, text.len)));
}

bool soch_is_special(pith_text text)
{
    return soch_has_edge_blank(text) ||
           utf8_holds(text.ptr, text.len, UTF8_CONTROLS | UTF8_BREAKS) ||
           text_is(text, "null") || text_is(text, SOCH_NULL_SIGN) ||
           (text.len >= 4 && memcmp(text.ptr, "ref(", 4) == 0);
}

bool soch_must_quote(pith_text text)
{
    const scan_set marks = SCAN_SET(SCAN_CONTROLS | SCAN_BRACKETS, ',', ';', '"', 0x7F);
    return text.len == 0 || scan_any(marks, text.ptr, text.len, false) ||
           soch_is_special(text);
}

bool soch_looks_like(pith_text text)
{
    switch (text.len ? text.ptr[0] : '\0') {
    case 'T':
    case 'F':
        return text.len == 1;
    case 't':
        return text_is(text, "true");
    case 'f':
        return text_is(text, "false");
    case 'N':
        return text_is(text, "NaN");
    case 'I':
        return text_is(text, "Inf");
    case 'b':
        return text.len >= TYPED_BYTES_PREFIX_LEN &&
               memcmp(text.ptr, TYPED_BYTES_PREFIX, TYPED_BYTES_PREFIX_LEN) == 0;
    case '-':
        return text_is(text, "-Inf") || lex_looks_like_number(text.ptr, text.len);
    case '+':
    case '.':
        return lex_looks_like_number(text.ptr, text.len);
    default:
        return text.len > 0 && scan_is_digit((unsigned char)text.ptr[0]) &&
               lex_looks_like_number(text.ptr, text.len);
    }
}

/* Letters, digits, _ . $ - */
static bool soch_is_name_byte(unsigned char c)
{
    static const uint64_t bits[] = {UINT64_C(0x03FF601000000000),
                                    UINT64_C(0x07FFFFFE87FFFFFE)};
    return c < 0x80 && (bits[c >> 6] >> (c & 63) & 1);
}

static NEVER_INLINE bool soch_is_wide_name(const char *at, const char *end)
{
    while (at < end) {
        uint32_t code = 0;
        size_t len = utf8_decode(at, (size_t)(end - at), &code);
        if (len == 1 ? !soch_is_name_byte((unsigned char)*at)
                     : len == 0 || soch_is_blank(code))
            return false;
        at += len;
    }
    return true;
}

bool soch_is_identifier(pith_text name)
{
    const char *at = name.ptr;
    const char *end = at + name.len;
    if (name.len == 0 || (unsigned char)*at < 'A') /* as digits and . $ - are */
        return false;
    while (at < end && soch_is_name_byte((unsigned char)*at))
        at++;
    return at == end || soch_is_wide_name(at, end);
}

/* ------------------------------------------------------------------------- types */

typedef struct soch_type_name {
    const char *word;
    pith_type type;
    bool basic; /* part of the seed's grammar */
} soch_type_name;

/* The word to write comes before its aliases. */
static const soch_type_name soch_type_names[] = {
    {"int", PITH_TYPE_INT, true},        {"uint", PITH_TYPE_UINT, true},
    {"float", PITH_TYPE_FLOAT, true},    {"text", PITH_TYPE_TEXT, true},
    {"bool", PITH_TYPE_BOOL, true},      {"bytes", PITH_TYPE_BYTES, true},
    {"vec", PITH_TYPE_VEC, true},        {"array", PITH_TYPE_ARRAY, false},
    {"object", PITH_TYPE_OBJECT, false}, {"ref", PITH_TYPE_REF, false},
    {"i64", PITH_TYPE_INT, false},       {"u64", PITH_TYPE_UINT, false},
    {"f64", PITH_TYPE_FLOAT, false},     {"string", PITH_TYPE_TEXT, false},
    {"binary", PITH_TYPE_BYTES, false},
};

enum { SOCH_TYPE_NAMES = sizeof soch_type_names / sizeof *soch_type_names };

const char *soch_type_word(pith_type type)
{
    for (size_t i = 0; i < SOCH_TYPE_NAMES; i++)
        if (soch_type_names[i].type == type)
            return soch_type_names[i].word;
    return NULL;
}

pith_type soch_type_named(pith_text word, bool *basic)
{
    for (size_t i = 0; i < SOCH_TYPE_NAMES; i++) {
        if (text_is(word, soch_type_names[i].word)) {
            *basic = soch_type_names[i].basic;
            return soch_type_names[i].type;
        }
    }
    return PITH_TYPE_ANY;
}
