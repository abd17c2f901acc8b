/*
 * soch.c - SochDB's tables as formats: settings, and what they look like.
 *
 * Text of this format and official TOON share their header, name[2]{id,name}:, so the
 * content decides by what comes after the colon. In TOON that is a line feed and
 * indented rows; here it is a value, or a line feed and rows that are not indented. A
 * table without rows has nothing there, and is left to TOON.
 */
#include "format/soch/soch_plan.h"
#include "format/soch/soch.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "format/soch/soch_bin.h"

static const pith_setting soch_settings[] = {
    {"rows", PITH_SETTING_CHOICE, PITH_WRITE, "compact|lines|nl", 0, 0, "compact",
     "all rows in one line, one a line, or one a line without semicolons"},
    {"types", PITH_SETTING_CHOICE, PITH_WRITE, "auto|all|none|infer", 0, 0, "auto",
     "the types to write: those that are needed, all that are known, none, or all that "
     "can be found from the values"},
    {"null", PITH_SETTING_CHOICE, PITH_WRITE, "sign|null", 0, 0, "sign",
     "how to write null: the empty set sign, or the word"},
    {"bool", PITH_SETTING_CHOICE, PITH_WRITE, "short|long", 0, 0, "short",
     "how to write bools: T and F, or true and false"},
    {"min-tokens", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",
     "whatever costs fewer tokens: null=null"},
    {"seed-only", PITH_SETTING_BOOL, PITH_READ | PITH_WRITE, NULL, 0, 0, "false",
     "refuse what the original grammar cannot express"},
    SOCH_SETTING_FILL,
    SOCH_SETTING_NAME,
    {"strict", PITH_SETTING_BOOL, PITH_READ, NULL, 0, 0, "true",
     "false: let the count differ and take quotes as they come"},
    {"compat", PITH_SETTING_CHOICE, PITH_READ, "off|sochdb", 0, 0, "off",
     "read what SochDB itself prints, in all its dialects"},
    SOCH_SETTING_FIELDS,
    SOCH_SETTING_REFS,
};

/* ------------------------------------------------------------------- sniffing */

/* After the name at `at`; NULL when there is none. */
static const char *soch_sniff_name(const char *at, const char *end)
{
    if (at < end && *at == '"') {
        for (at++; at < end && *at != '"' && *at != '\n'; at++)
            at += *at == '\\' && end - at > 1;
        return at < end && *at == '"' ? at + 1 : NULL;
    }
    const char *from = at;
    while (at < end && (unsigned char)*at > ' ' && !strchr("[]{},:;\"", *at))
        at++;
    return at > from ? at : NULL;
}

/* After name[count]{fields}: at `at`; NULL when there is no such thing in one line. */
static const char *soch_sniff_header(const char *at, const char *end, bool *empty)
{
    at = soch_sniff_name(at, end);
    if (!at || at == end || *at != '[')
        return NULL;
    const char *digits = at + 1;
    at = scan_digits(digits, end);
    const char *first = digits;
    while (first < at && *first == '0')
        first++;
    *empty = first == at;
    if (at == digits || end - at < 2 || at[0] != ']' || at[1] != '{')
        return NULL;
    bool quoted = false;
    for (at += 2; at < end && *at != '\n' && (quoted || *at != '}'); at++)
        if (quoted && *at == '\\' && end - at > 1)
            at++;
        else if (*at == '"')
            quoted = !quoted;
        else if (!quoted && *at == '{')
            return NULL; /* TOON's nested fields */
    return end - at >= 2 && at[0] == '}' && at[1] == ':' ? at + 2 : NULL;
}

static bool soch_sniff(pith_text text)
{
    const char *end = text.ptr + text.len;
    const char *at = scan_spaces(text.ptr + utf8_bom(text.ptr, text.len), end);
    while (at < end && *at == '#') {
        const char *feed = (const char *)memchr(at, '\n', (size_t)(end - at));
        at = feed ? scan_spaces(feed, end) : end;
    }
    bool empty = false;
    at = soch_sniff_header(at, end, &empty);
    if (!at)
        return false;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    if (at == end || *at != '\n')
        return at < end;
    while (at < end && (*at == '\n' || *at == '\r'))
        at++;
    return at < end && *at != ' ' && *at != '\t' && !empty;
}

static bool soch_variant(const variant_job *job, char *words, size_t size)
{
    static const char *const list[] = {"null=null", "bool=long", "rows=nl", "types=all"};
    return format_variant(list, sizeof list / sizeof *list, job->index, words, size);
}

/* The original grammar has letters only. */
static unsigned soch_escapes(const settings *set)
{
    return settings_bool(set, SOCH_SEED_ONLY) ? ESCAPES_RETURN | ESCAPES_FEED
                                              : ESCAPES_ALL;
}

static bool soch_has_comments(const settings *set)
{
    return !settings_bool(set, SOCH_SEED_ONLY);
}

static const table_codec soch_tables = {soch_make_tables, soch_check_tables};

const codec soch_format = {
    .info = {"soch", ".soch .toon", "text/x-soch", "SochDB's typed tables, as text",
             PITH_READ | PITH_WRITE, 0, false, soch_settings,
             sizeof soch_settings / sizeof *soch_settings, .numbers = PITH_NUMBERS_64},
    .sniff = soch_sniff,
    .decode = soch_decode,
    .encode = soch_encode,
    .escapes = soch_escapes,
    .read_rows = &soch_read,
    .write_rows = &soch_row_format,
    .variant = soch_variant,
    .comment = "# ",
    .has_comments = soch_has_comments,
    .tables = &soch_tables,
};

/* -------------------------------------------------------------------------- binary */

static const pith_setting soch_bin_settings[] = {
    {"compress", PITH_SETTING_CHOICE, PITH_WRITE, "none|lz4|zstd", 0, 0, "none",
     "compress the rows, where that makes them smaller"},
    {"checksum", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "end with a CRC-32C of everything before it"},
    SOCH_SETTING_FILL,
    SOCH_SETTING_NAME,
    {"raw-max", PITH_SETTING_NUMBER, PITH_READ, NULL, 1, UINT64_MAX, "1073741824",
     "the most bytes that compressed rows may become"},
    {"types", PITH_SETTING_CHOICE, PITH_WRITE, "auto|all|none|infer", 0, 0, "auto",
     "the types of columns: those of a table that has them, also those that rows declare, "
     "none, or all that can be found from the values"},
    SOCH_SETTING_FIELDS,
    SOCH_SETTING_REFS,
};

/* Other files of SochDB begin with the same four bytes and have another version. */
static bool soch_bin_sniff(pith_text text)
{
    return text.len >= SOCH_BIN_HEADER_LEN && memcmp(text.ptr, SOCH_BIN_MAGIC, 4) == 0 &&
           text.ptr[5] == 0;
}

const codec soch_bin_format = {
    .info = {"soch-bin", ".toonb .toon", "application/x-soch",
             "SochDB's typed tables, as bytes", PITH_READ | PITH_WRITE, 0, true,
             soch_bin_settings, sizeof soch_bin_settings / sizeof *soch_bin_settings,
             .numbers = PITH_NUMBERS_64},
    .sniff = soch_bin_sniff,
    .decode = soch_bin_decode,
    .encode = soch_bin_encode,
    .read_rows = &soch_bin_read,
    .write_rows = &soch_bin_row_format,
};
