/*
 * db_statement.c - what a statement's own words say before it is sent to a server.
 *
 * Without --write a server gets statements that begin with a word of reading, and no
 * others: a block such as MariaDB's BEGIN NOT ATOMIC could end the read-only transaction
 * and go on without it. What is deeper in a statement, such as a function that writes,
 * is for that transaction to stop.
 *
 * Leading comments are skipped as the server skips them. Those with an exclamation mark
 * are executable: MariaDB and MySQL run what is inside, or skip it, as the version in
 * them and their own decide. So the first word in each leading one has to be a word of
 * reading, and the first one after them as well. One with quotes or another comment in it
 * has no end that all versions agree on, and is refused there.
 *
 * INTO OUTFILE and INTO DUMPFILE write files on the server, and no transaction stops
 * them. They are found as words, outside of quotes and comments. Where backslashes or
 * executable comments make it a matter of the server's settings what is quoted, the bare
 * mention of OUTFILE or DUMPFILE is enough to refuse.
 */
#include "db_statement.h"

#include "db_driver.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define READING "SELECT, WITH, SHOW, DESCRIBE, EXPLAIN, VALUES or TABLE"

static const char *const reading[] = {
    "SELECT", "WITH", "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "VALUES", "TABLE",
};

typedef enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_QUOTED, TOKEN_OTHER } token_kind;

typedef struct token {
    token_kind kind;
    const char *at;
    size_t len;
} token;

/* ------------------------------------------------------------------------- comments */

static bool is_executable(const char *at, db_dialect dialect)
{
    return dialect == DIALECT_MARIADB &&
           (strncmp(at, "/*!", 3) == 0 || strncmp(at, "/*M!", 4) == 0);
}

/* MariaDB wants white space after the two strokes; without it they are two minus signs.
 * */
static bool is_line_comment(const char *at, db_dialect dialect)
{
    bool strokes = at[0] == '-' && at[1] == '-';
    if (dialect != DIALECT_MARIADB)
        return strokes;
    return at[0] == '#' || (strokes && ((unsigned char)at[2] <= ' ' || at[2] == 0x7F));
}

/* After a comment that begins here; one without an end reaches to the end of the text.
 * PostgreSQL's have comments inside. */
static const char *after_comment(const char *at, db_dialect dialect)
{
    size_t depth = 1;
    for (at += 2; *at != '\0' && depth > 0;) {
        if (at[0] == '*' && at[1] == '/') {
            depth--;
            at += 2;
        } else if (dialect == DIALECT_POSTGRES && at[0] == '/' && at[1] == '*') {
            depth++;
            at += 2;
        } else {
            at++;
        }
    }
    return at;
}

/* After white space and the comments that every server skips. */
static const char *after_blank(const char *at, db_dialect dialect)
{
    const char *line_end = dialect == DIALECT_POSTGRES ? "\r\n" : "\n";
    for (;;) {
        at += strspn(at, " \t\r\n\f\v");
        if (is_line_comment(at, dialect))
            at += strcspn(at, line_end);
        else if (at[0] == '/' && at[1] == '*' && !is_executable(at, dialect))
            at = after_comment(at, dialect);
        else
            return at;
    }
}

bool db_is_blank(const char *sql, db_dialect dialect)
{
    const char *at = after_blank(sql, dialect);
    while (*at == ';')
        at = after_blank(at + 1, dialect);
    return *at == '\0';
}

/* ---------------------------------------------------------------------------- words */

static bool is_word_byte(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || byte == '$' ||
           (unsigned char)byte >= 0x80;
}

/* The token here; a quote is doubled inside of itself. */
static token token_at(const char *at)
{
    token one = {TOKEN_OTHER, at, 1};
    if (*at == '\0')
        return (token){TOKEN_END, at, 0};
    if (*at == '\'' || *at == '"' || *at == '`') {
        const char *end = strchr(at + 1, *at);
        one.kind = TOKEN_QUOTED;
        one.len = end ? (size_t)(end - at) + 1 : strlen(at);
    } else if (is_word_byte(*at) && !isdigit((unsigned char)*at)) {
        one.kind = TOKEN_WORD;
        while (is_word_byte(at[one.len]))
            one.len++;
    }
    return one;
}

static bool token_is(const token *one, const char *word)
{
    return one->kind == TOKEN_WORD && strlen(word) == one->len &&
           strncasecmp(one->at, word, one->len) == 0;
}

static bool token_reads(const token *one)
{
    for (size_t i = 0; i < sizeof reading / sizeof reading[0]; i++)
        if (token_is(one, reading[i]))
            return true;
    return false;
}

/* ------------------------------------------------------------------------- in front */

/* The first token, which parentheses may come before. */
static token first_token(const char *at, db_dialect dialect)
{
    at = after_blank(at, dialect);
    while (*at == '(')
        at = after_blank(at + 1, dialect);
    return token_at(at);
}

static pith_status refuse_first(const token *first, pith_error *err)
{
    if (token_is(first, "COPY")) {
        return db_fail(err, PITH_BAD_INPUT, "read_only",
                       "COPY TO writes files and runs programs on the server, COPY FROM "
                       "changes tables; --write allows them");
    }
    return db_fail(err, PITH_BAD_INPUT, "read_only",
                   "a statement that reads begins with " READING ", and this one with "
                   "'%.*s'; --write allows it",
                   first->len > 40 ? 40 : (int)first->len, first->at);
}

/* An executable comment before everything else: after it, or NULL when it begins
 * with something else than a word of reading, or its end is open to debate. */
static const char *after_executable(const char *at, token *first)
{
    const char *inside = at + (at[2] == '!' ? 3 : 4);
    const char *end = strstr(inside, "*/");
    inside += strspn(inside, "0123456789");
    *first = first_token(inside, DIALECT_MARIADB);
    if (!end || first->at >= end || !token_reads(first))
        return NULL;
    for (const char *odd = inside; odd < end; odd++)
        if (strchr("'\"`#", *odd) || (odd[0] == '/' && odd[1] == '*') ||
            (odd[0] == '-' && odd[1] == '-'))
            return NULL;
    return end + 2;
}

static pith_status check_front(const char *sql, db_dialect dialect, pith_error *err)
{
    const char *at = sql;
    for (;;) {
        token first = first_token(at, dialect);
        if (!is_executable(first.at, dialect)) {
            bool rest = at != sql && strchr("0123456789", *first.at); /* or the end */
            return rest || token_reads(&first) ? PITH_OK : refuse_first(&first, err);
        }
        at = after_executable(first.at, &first);
        if (!at)
            return refuse_first(&first, err);
    }
}

/* ---------------------------------------------------------------- files of the server */

static pith_status refuse_file(const char *word, pith_error *err)
{
    return db_fail(err, PITH_BAD_INPUT, "read_only",
                   "INTO %s writes a file on the server; --write allows it", word);
}

static bool mentions(const char *sql, const char *word)
{
    size_t len = strlen(word);
    for (; *sql != '\0'; sql++)
        if (strncasecmp(sql, word, len) == 0)
            return true;
    return false;
}

/* True when the word comes right after INTO, outside of quotes and comments. */
static bool goes_into(const char *sql, const char *word)
{
    token before = {TOKEN_OTHER, sql, 0};
    for (;;) {
        token one = token_at(after_blank(before.at + before.len, DIALECT_MARIADB));
        if (one.kind == TOKEN_END)
            return false;
        if (token_is(&before, "INTO") && token_is(&one, word))
            return true;
        before = one;
    }
}

static pith_status check_files(const char *sql, pith_error *err)
{
    static const char *const words[] = {"OUTFILE", "DUMPFILE"};
    bool unclear = strchr(sql, '\\') || strstr(sql, "/*!") || strstr(sql, "/*M!");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (unclear ? mentions(sql, words[i]) : goes_into(sql, words[i]))
            return refuse_file(words[i], err);
    return PITH_OK;
}

pith_status db_check_reads(const char *sql, db_dialect dialect, pith_error *err)
{
    if (dialect == DIALECT_SQLITE)
        return PITH_OK; /* which says itself what a statement does */
    if (db_is_blank(sql, dialect))
        return db_no_statement(err);
    pith_status status = check_front(sql, dialect, err);
    return status == PITH_OK && dialect == DIALECT_MARIADB ? check_files(sql, err)
                                                           : status;
}
