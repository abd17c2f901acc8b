/*
 * pith_format.c - Pith as a format: its settings, and what it looks like.
 */
#include "format/pith/pith_format.h"
#include "base/scan.h"

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
};

/* Keys that a sniffer trusts: what begins like a word in quotes is rather JSON that
 * somebody wrote by hand. */
static bool pn_is_word_byte(unsigned char byte)
{
    return scan_is_digit(byte) || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == '-' || byte == '.' ||
           byte == '$' || byte >= 0x80;
}

/* A bracket with a count and a brace, or a brace with a bare key: no JSON begins so. */
static bool pn_sniff(pith_text text)
{
    const char *end = text.ptr + text.len;
    const char *at = scan_spaces(text.ptr, end);
    if (at == end || (*at != '[' && *at != '{')) {
        return false;
    }
    const char *open = at++;
    const char *count_end = at < end && *at == '?' ? at + 1 : scan_digits(at, end);
    if (count_end > at && count_end < end && *count_end == '{') {
        return true;
    }
    if (*open == '[') {
        return false;
    }
    at = scan_spaces(at, end);
    const char *key = at;
    while (at < end &&
           (pn_is_word_byte((unsigned char)*at) || (*at == ' ' && at > key))) {
        at++;
    }
    return at > key && at < end && *at == ':';
}

static bool pn_variant(const variant_job *job, char *words, size_t size)
{
    static const char *const list[] = {"rows=inline", "constants=false", "maps=false",
                                       "groups=false", "table-columns=false"};
    return format_variant(list, sizeof list / sizeof *list, job->index, words, size);
}

const codec pith_notation = {
    {"pith", ".pith", "application/vnd.pith", "JSON without the quotes, plus tables",
     PITH_READ | PITH_WRITE, 0, false, pn_settings,
     sizeof pn_settings / sizeof *pn_settings},
    pn_sniff,
    pn_decode,
    pn_encode,
    &pn_rows,
    NULL,
    pn_variant,
    NULL,
    NULL,
};
