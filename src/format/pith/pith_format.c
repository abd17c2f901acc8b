/*
 * pith_format.c - Pith as a format: its settings, and what it looks like.
 */
#include "format/pith/pith_format.h"
#include "format/pith/pith_scalar.h"

static const pith_setting pn_settings[] = {
    {"rows", PITH_SETTING_CHOICE, PITH_WRITE, "lines|inline", 0, 0, "lines",
     "each row on a line of its own, or the whole text on one line"},
    {"groups", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "spread objects that are alike over columns of the table they are in"},
    {"table-columns", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "name the columns of tables in a table once, in its header"},
    {"constants", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "write a value that all rows share once, in the header"},
    {"maps", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "write objects of objects as tables whose rows begin with their key"},
    {"numbers", PITH_SETTING_CHOICE, PITH_WRITE, "keep|shortest", 0, 0, "keep",
     "decimals as they are, or the same double in fewer digits"},
    {"order", PITH_SETTING_CHOICE, PITH_WRITE, "keep|free", 0, 0, "keep",
     "whether rows that order their members differently may be put in one order"},
    {"level", PITH_SETTING_NUMBER, PITH_WRITE, NULL, 1, 2, "1",
     "2 also writes once what repeats elsewhere"},
    {"names", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "level 2: name a value at its first place, to repeat it by its name"},
    {"stems", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "level 2: name the beginnings that texts share"},
    {"models", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "level 2: write an object with the keys of another without them"},
    {"fill", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "level 2: leave cells empty that are as in the row above, or as most"},
    {"templates", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "level 2: write what all cells of a column share once, in the header"},
};

/* ------------------------------------------------------------------------ sniffing */

/* JSON is Pith, so the question is which of them a text was meant to be. */
typedef enum pn_clue { PN_EITHER, PN_MEANT_PITH, PN_MEANT_JSON } pn_clue;

static bool pn_is_hex(const char *at, size_t len)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    if (len < 3 || at[0] != '0' || (at[1] != 'x' && at[1] != 'X'))
        return false;
    for (size_t i = 2; i < len; i++)
        if (!memchr(digits, at[i], sizeof digits - 1))
            return false;
    return true;
}

/* What JSON has without quotes, and what stands there by mistake: numbers such as 01 and
 * 0xFF, words that programs write and JSON does not have. */
static bool pn_is_literal(const char *at, size_t len)
{
    static const char *const words[] = {
        "true", "false", "null", "True", "False", "None",     "TRUE",      "FALSE",
        "NULL", "NaN",   "nan",  "inf",  "Inf",   "Infinity", "undefined", "...",
    };
    if (lex_looks_like_number(at, len))
        return true;
    size_t sign = *at == '-' || *at == '+';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_is(text_of(at + sign, len - sign), words[i]))
            return true;
    return pn_is_hex(at + sign, len - sign);
}

/* A word without quotes is Pith. But single quotes and comments are of JSON that somebody
 * wrote by hand, and to be told of that is better than to have it read as text. */
static pn_clue pn_clue_of_word(const char *at, const char *end)
{
    if (*at == '\\' && end - at > 1 && scan_is_digit((unsigned char)at[1]))
        return PN_MEANT_PITH; /* a name */
    bool comment = *at == '#' || (*at == '/' && end - at > 1 && strchr("/*", at[1]));
    if (*at == '\'' || *at == '\\' || comment)
        return PN_MEANT_JSON;
    return pn_is_literal(at, (size_t)(end - at)) ? PN_EITHER : PN_MEANT_PITH;
}

/* Pith has quotes only where they are needed, in a key more often than elsewhere. */
static pn_clue pn_clue_of_quoted(const char *at, const char *end)
{
    size_t len = (size_t)(end - at);
    bool bare = pn_is_bare(at, len, SLOT_WIDE | SLOT_NEAR_END) && !memchr(at, ':', len) &&
                !memchr(at, '=', len);
    return bare ? PN_MEANT_JSON : PN_EITHER;
}

/* A count and a brace after a bracket begin a table. Two braces are in neither of them,
 * but in what is made into JSON by filling gaps. */
static pn_clue pn_clue_of_bracket(const char *at, const char *end)
{
    bool brace = *at++ == '{';
    const char *count_end = at < end && *at == '?' ? at + 1 : scan_digits(at, end);
    if (count_end > at && count_end < end && *count_end == '{')
        return PN_MEANT_PITH;
    return brace && at < end && *at == '{' ? PN_MEANT_JSON : PN_EITHER;
}

/* The string at `*at`, which is moved past it. */
static pn_clue pn_sniff_quoted(const char **at, const char *end)
{
    const char *from = *at + 1;
    const char *p = scan_stop(from, end);
    bool plain = p < end && *p == '"';
    while (p < end && *p != '"')
        p = end - p > 1 ? scan_stop(p + 1 + (*p == '\\'), end) : end;
    *at = p < end ? p + 1 : end;
    return plain ? pn_clue_of_quoted(from, p) : PN_EITHER;
}

/* The word at `*at`, which is moved past it. At the end of the text it may be cut off,
 * and says nothing. */
static pn_clue pn_sniff_word(const char **at, const char *end)
{
    const char *from = *at;
    const char *p = from + 1;
    if (*from == '\\')
        p = scan_digits(p, end);
    while (p < end && *p != ' ' && !pn_is_mark((unsigned char)*p))
        p++;
    *at = p;
    return p < end ? pn_clue_of_word(from, p) : PN_EITHER;
}

/* The first clue within the outermost brackets. Of a long text only the beginning is looked
 * at: a clue is seldom far, and to look for one among numbers takes as long as reading
 * them. */
static bool pn_sniff(pith_text text)
{
    enum { LOOK = 64 * 1024 };
    const char *end = text.ptr + (text.len < LOOK ? text.len : (size_t)LOOK);
    const char *at = scan_spaces(text.ptr, end);
    pn_clue clue = PN_EITHER;
    size_t depth = 0;
    if (at == end || (*at != '[' && *at != '{'))
        return false;
    do {
        if (*at == '[' || *at == '{') {
            clue = pn_clue_of_bracket(at++, end);
            depth++;
        } else if (*at == ']' || *at == '}') {
            at++;
            depth--;
        } else if (*at == ',' || *at == ':') {
            at++;
        } else {
            clue = *at == '"' ? pn_sniff_quoted(&at, end) : pn_sniff_word(&at, end);
        }
        at = scan_spaces(at, end);
    } while (clue == PN_EITHER && depth > 0 && at < end);
    return clue == PN_MEANT_PITH;
}

static bool pn_variant(const variant_job *job, char *words, size_t size)
{
    static const char *const list[] = {"rows=inline", "constants=false", "maps=false",
                                       "groups=false", "table-columns=false"};
    return format_variant(list, sizeof list / sizeof *list, job->index, words, size);
}

const codec pith_notation = {
    .info = {"pith", ".pith", "application/vnd.pith",
             "JSON without the quotes, plus tables", PITH_READ | PITH_WRITE, 0, false,
             pn_settings, sizeof pn_settings / sizeof *pn_settings, .dense = "level=2"},
    .sniff = pn_sniff,
    .decode = pn_decode,
    .encode = pn_encode,
    .keeps_digits = true,
    .escapes = escapes_all,
    .comment = "# ",
    .read_rows = &pn_read,
    .write_rows = &pn_row_format,
    .variant = pn_variant,
};
