/*
 * toon.c - TOON and its row dialect as formats: settings, and what they look like.
 */
#include "format/toon/toon.h"

#include "base/lex.h"
#include "base/utf8.h"

#define TOON_SETTING_DELIMITER                                                           \
    {                                                                                    \
        "delimiter", PITH_SETTING_CHOICE, PITH_WRITE, "comma|tab|pipe", 0, 0, "comma",   \
            "what stands between values"                                                 \
    }
#define TOON_SETTING_INDENT                                                              \
    {                                                                                    \
        "indent", PITH_SETTING_NUMBER, PITH_READ | PITH_WRITE, NULL, 1, 16, "2",         \
            "spaces for each level"                                                      \
    }

/* As deep as anything can be: no limit. */
#define TOON_FLATTEN_ALL "1000000"

static const pith_setting toon_settings[] = {
    {"version", PITH_SETTING_CHOICE, PITH_READ | PITH_WRITE, "4|3|3.0", 0, 0, "4",
     "the specification: 4.4, 3.3, or 3.0 for older readers"},
    TOON_SETTING_DELIMITER,
    TOON_SETTING_INDENT,
    {"strict", PITH_SETTING_BOOL, PITH_READ, NULL, 0, 0, "true",
     "refuse what does not fit its header; false recovers as the specification allows"},
    {"fold", PITH_SETTING_CHOICE, PITH_WRITE, "off|safe", 0, 0, "off",
     "version 3: write nested objects with one member as a dotted key"},
    {"flatten-depth", PITH_SETTING_NUMBER, PITH_WRITE, NULL, 0, PITH_DEPTH_MOST,
     TOON_FLATTEN_ALL, "version 3: the most keys to fold into one"},
    {"expand", PITH_SETTING_CHOICE, PITH_READ, "off|safe", 0, 0, "off",
     "version 3: read a dotted key as nested objects"},
};

static const pith_setting toon_rows_settings[] = {
    TOON_SETTING_DELIMITER,
    TOON_SETTING_INDENT,
};

static char toon_delimiter(const settings *set, unsigned which)
{
    static const char delimiters[] = {',', '\t', '|'};
    return delimiters[settings_number(set, which)];
}

toon_options toon_options_from(const settings *set)
{
    static const toon_version versions[] = {TOON_4, TOON_3, TOON_3_0};
    toon_options options;
    options.version = versions[settings_number(set, TOON_VERSION)];
    options.delimiter = toon_delimiter(set, TOON_DELIMITER);
    options.indent = (unsigned)settings_number(set, TOON_INDENT);
    options.strict = settings_bool(set, TOON_STRICT);
    options.fold = settings_number(set, TOON_FOLD) != 0;
    options.flatten_depth = settings_number(set, TOON_FLATTEN_DEPTH);
    options.expand = settings_number(set, TOON_EXPAND) != 0;
    return options;
}

toon_options toon_rows_options_from(const settings *set)
{
    toon_options options;
    options.version = TOON_3;
    options.delimiter = toon_delimiter(set, TOON_ROWS_DELIMITER);
    options.indent = (unsigned)settings_number(set, TOON_ROWS_INDENT);
    options.strict = true;
    options.fold = false;
    options.flatten_depth = 0;
    options.expand = false;
    return options;
}

pith_status toon_check_writing(const toon_options *options, pith_error *err)
{
    const char *word = options->fold                               ? "fold"
                       : options->flatten_depth != PITH_DEPTH_MOST ? "flatten-depth"
                                                                   : NULL;
    if (word && options->version == TOON_4) {
        return error_set(err, PITH_BAD_USE, "bad_setting",
                         "version 4 knows no folded keys; %s needs version=3", word);
    }
    return PITH_OK;
}

/* What was folded has to be expanded again. */
static void toon_read_back(settings *set, const settings *written)
{
    set->number[TOON_EXPAND] = written->number[TOON_FOLD];
}

static bool toon_variant(const variant_job *job, char *words, size_t size)
{
    static const char *const list[] = {"delimiter=tab", "delimiter=pipe"};
    return format_variant(list, sizeof list / sizeof *list, job->index, words, size);
}

/* ------------------------------------------------------------------------ sniffing */

/* The bracket segment at `at`, from [ to after ]: a number without leading zeros, for
 * a keyed table a colon, and the delimiter if it is not a comma; NULL when it is none.
 * With `comma` the delimiter is spelled out, as in [3,]. */
static const char *toon_skip_bracket(const char *at, const char *end, bool comma)
{
    const char *digits = at + 1;
    const char *p = scan_digits(digits, end);
    if (p == digits || (*digits == '0' && p - digits > 1))
        return NULL;
    if (comma) {
        p = p < end && *p == ',' ? p + 1 : end;
    } else {
        p += p < end && *p == ':';
        p += p < end && (*p == '\t' || *p == '|');
    }
    return p < end && *p == ']' ? p + 1 : NULL;
}

/* What follows a bracket segment in a header: fields, or the colon. */
static bool toon_is_header(const char *at, const char *end, bool comma)
{
    const char *p = toon_skip_bracket(at, end, comma);
    return p && p < end && (*p == '{' || *p == ':');
}

/* After the quoted or unquoted key at `at`; NULL when there is none. */
static const char *toon_skip_key(const char *at, const char *end)
{
    if (*at == '"') {
        for (at++; at < end && *at != '"' && *at != '\n'; at++)
            at += *at == '\\' && at + 1 < end;
        return at < end && *at == '"' ? at + 1 : NULL;
    }
    const char *from = at;
    while (
        at < end &&
        ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_' ||
         (at > from && (scan_is_digit((unsigned char)*at) || *at == '.' || *at == '-'))))
        at++;
    return at > from ? at : NULL;
}

/* The first line that is neither blank nor a comment. */
static const char *toon_first_line(pith_text text)
{
    const char *end = text.ptr + text.len;
    const char *at = scan_spaces(text.ptr + utf8_bom(text.ptr, text.len), end);
    while (at < end && *at == '#') {
        const char *feed = (const char *)memchr(at, '\n', (size_t)(end - at));
        at = feed ? scan_spaces(feed, end) : end;
    }
    return at;
}

/* A header, or a key with a colon after it that ends the line or has a space after it.
 * JSON has nothing of the kind: after its first bracket or string stands no colon. */
static bool toon_sniff(pith_text text)
{
    const char *end = text.ptr + text.len;
    const char *at = toon_first_line(text);
    if (at == end)
        return false;
    if (*at == '[')
        return toon_is_header(at, end, false);
    at = toon_skip_key(at, end);
    if (!at || at == end)
        return false;
    if (*at == '[')
        return toon_is_header(at, end, false);
    return *at == ':' && (at + 1 == end || scan_is_space((unsigned char)at[1]));
}

static bool toon_rows_sniff(pith_text text)
{
    const char *end = text.ptr + text.len;
    const char *at = scan_spaces(text.ptr + utf8_bom(text.ptr, text.len), end);
    return at < end && *at == '[' && toon_is_header(at, end, true);
}

/* ---------------------------------------------------------------------- the formats */

const codec toon_format = {
    .info = {"toon", ".toon", "text/toon", "Token-Oriented Object Notation, 4.4 and 3.3",
             PITH_READ | PITH_WRITE, 0, false, toon_settings,
             sizeof toon_settings / sizeof *toon_settings},
    .sniff = toon_sniff,
    .decode = toon_decode,
    .encode = toon_encode,
    .read_rows = &toon_read,
    .write_rows = &toon_row_format,
    .read_back = toon_read_back,
    .variant = toon_variant,
};

const codec toon_rows_format = {
    .info = {"toon-rows", ".toonrows .toon", "text/x-toon-rows",
             "one table of flat rows, as Seamless-RAG writes it", PITH_READ | PITH_WRITE,
             0, false, toon_rows_settings,
             sizeof toon_rows_settings / sizeof *toon_rows_settings},
    .sniff = toon_rows_sniff,
    .decode = toon_decode,
    .encode = toon_rows_encode,
    .read_rows = &toon_read,
    .write_rows = &toon_row_format,
    .variant = toon_variant,
};
