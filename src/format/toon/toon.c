/*
 * toon.c - TOON and its row dialect as formats: settings, and what they look like.
 */
#include "format/toon/toon.h"

#include "base/lex.h"
#include "base/utf8.h"

static const pith_setting toon_settings[] = {TOON_SETTINGS(SETTINGS_ROW)};

/* The settings of the dialect, which are next to each other in that table. */
enum {
    TOON_ROWS_FIRST = TOON_DELIMITER,
    TOON_ROWS_COUNT = TOON_INDENT + 1 - TOON_ROWS_FIRST
};

uint64_t toon_setting(const settings *set, unsigned which)
{
    if (!toon_is_dialect(set))
        return settings_number(set, which);
    switch (which) {
    case TOON_VERSION:
        return TOON_3;
    case TOON_DELIMITER:
    case TOON_INDENT:
        return settings_number(set, which - TOON_ROWS_FIRST);
    case TOON_STRICT:
        return true;
    default:
        return 0;
    }
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

/* Readers take \uXXXX, but for those of 3.0. */
static unsigned toon_escapes(const settings *set)
{
    bool letters = !toon_is_dialect(set) && toon_setting(set, TOON_VERSION) == TOON_3_0;
    return letters ? ESCAPES_RETURN : ESCAPES_SHORT;
}

static bool toon_has_comments(const settings *set)
{
    return toon_setting(set, TOON_VERSION) == TOON_4;
}

const codec toon_format = {
    .info = {"toon", ".toon", "text/toon", "Token-Oriented Object Notation, 4.4 and 3.3",
             PITH_READ | PITH_WRITE, 0, false, toon_settings, TOON_SETTING_COUNT,
             .exchange = false},
    .sniff = toon_sniff,
    .decode = toon_decode,
    .encode = toon_encode,
    .escapes = toon_escapes,
    .read_rows = &toon_read,
    .write_rows = &toon_row_format,
    .read_back = toon_read_back,
    .variant = toon_variant,
    .comment = "# ",
    .comment_on_request = true,
    .has_comments = toon_has_comments,
};

const codec toon_rows_format = {
    .info = {"toon-rows", ".toonrows .toon", "text/x-toon-rows",
             "one table of flat rows, as Seamless-RAG writes it", PITH_READ | PITH_WRITE,
             0, false, toon_settings + TOON_ROWS_FIRST, TOON_ROWS_COUNT,
             .exchange = false},
    .sniff = toon_rows_sniff,
    .decode = toon_decode,
    .encode = toon_rows_encode,
    .escapes = toon_escapes,
    .read_rows = &toon_read,
    .write_rows = &toon_row_format,
    .variant = toon_variant,
};
