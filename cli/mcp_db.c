/*
 * mcp_db.c - see mcp_db.h.
 *
 * Two tools: `tables` tells what there is, `query` runs one statement that reads. The
 * connection is opened by the first call and again after it was lost. Calls run in the one
 * thread of the server's worker, so the database has a single user here.
 *
 * Mistakes in SQL are told to the model, in the words of the database. Rows are written in
 * the cheaper of json and pith, and no more of them than fit into the budget; what was left
 * out is said in a last line that begins with '#'.
 */
#include "mcp_db.h"

#include "database.h"
#include "proxy/proxy.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_USUAL = 10000, TOKENS_USUAL = 8000, SECONDS_USUAL = 30, ABOUT_MOST = 900 };

typedef struct serving {
    const char *url;
    db_options options;
    const pith_vocab *vocab;
    size_t rows_max, tokens_max;
    db *open;
    bool unread;             /* the statement has more rows */
    const mcp_call *running; /* the one that may be called off */
} serving;

static bool stop(void *ctx)
{
    const serving *s = ctx;
    return s->running != NULL && mcp_call_stopped(s->running);
}

static void ignore_note(void *ctx, bool minor, const char *sentence)
{
    (void)ctx;
    (void)minor;
    (void)sentence;
}

/* The connection of this call; NULL with `err` filled. */
static db *connection(serving *s, const mcp_call *call, pith_error *err)
{
    s->running = call;
    if (s->open == NULL)
        s->open = db_open(s->url, &s->options, err);
    return s->open;
}

/* Ends the call. A connection that may be lost, or in the middle of a statement, is closed;
 * the next call opens another. */
static pith_status end_call(serving *s, pith_status status, pith_error *err)
{
    s->running = NULL;
    if (status != PITH_OK && strcmp(err->code, "read_only") == 0)
        error_set(err, status, "read_only", "this database is only read");
    if (status != PITH_OK || s->unread) {
        db_close(s->open);
        s->open = NULL;
    }
    s->unread = false;
    return status;
}

/* --- arguments */

static pith_status bad_argument(pith_error *err, const char *name, const char *expected)
{
    return error_set(err, PITH_BAD_USE, "bad_argument", "'%s' has to be %s", name,
                     expected);
}

/* A whole number of at most `most`, which is also what it is when it is not there. */
static pith_status read_number(pith_value arguments, const char *name, size_t most,
                               size_t *number, pith_error *err)
{
    char expected[64];
    uint64_t given;
    pith_value value = pith_value_get(arguments, name, strlen(name));
    *number = most;
    if (value.doc == NULL || pith_value_kind(value) == PITH_NULL)
        return PITH_OK;
    snprintf(expected, sizeof expected, "a whole number from 1 to %zu", most);
    if (!pith_value_uint64(value, &given) || given < 1 || given > most)
        return bad_argument(err, name, expected);
    *number = (size_t)given;
    return PITH_OK;
}

/* A text as a C string from malloc: that of a string, the digits of a number, or a word;
 * `*text` is NULL for null. */
static pith_status read_text(pith_value value, const char *name, char **text,
                             pith_error *err)
{
    pith_kind kind = pith_value_kind(value);
    pith_text from = pith_value_text(value);
    if (kind == PITH_TRUE || kind == PITH_FALSE)
        from = text_from(kind == PITH_TRUE ? "1" : "0");
    *text = NULL;
    if (kind == PITH_NULL)
        return PITH_OK;
    if (kind == PITH_ARRAY || kind == PITH_OBJECT || kind == PITH_NONE)
        return bad_argument(err, name, "a text, a number, true, false or null");
    if (from.len > 0 && memchr(from.ptr, '\0', from.len) != NULL)
        return bad_argument(err, name, "without NUL bytes");
    *text = malloc(from.len + 1);
    if (*text == NULL)
        return error_no_memory(err);
    memcpy(*text, from.ptr != NULL ? from.ptr : "", from.len);
    (*text)[from.len] = '\0';
    return PITH_OK;
}

typedef struct query {
    char *sql;
    char **params;
    size_t count;
    size_t limit, budget;
} query;

static void free_query(query *asked)
{
    for (size_t i = 0; i < asked->count; i++)
        free(asked->params[i]);
    free(asked->params);
    free(asked->sql);
}

static pith_status read_params(query *asked, pith_value list, pith_error *err)
{
    pith_status status = PITH_OK;
    if (list.doc == NULL || pith_value_kind(list) == PITH_NULL)
        return PITH_OK;
    if (pith_value_kind(list) != PITH_ARRAY)
        return bad_argument(err, "params", "an array");
    asked->params = calloc(pith_value_count(list) + 1, sizeof *asked->params);
    if (asked->params == NULL)
        return error_no_memory(err);
    for (pith_value at = pith_value_first(list); at.doc != NULL && status == PITH_OK;
         at = pith_value_next(at))
        status = read_text(at, "params", &asked->params[asked->count++], err);
    return status;
}

static pith_status read_query(const serving *s, pith_value arguments, query *asked,
                              pith_error *err)
{
    pith_value sql = pith_value_get(arguments, "sql", 3);
    *asked = (query){0};
    if (pith_value_kind(sql) != PITH_STRING)
        return bad_argument(err, "sql", "a text: one SQL statement");
    pith_status status = read_text(sql, "sql", &asked->sql, err);
    if (status == PITH_OK)
        status = read_params(asked, pith_value_get(arguments, "params", 6), err);
    if (status == PITH_OK)
        status = read_number(arguments, "limit", s->rows_max, &asked->limit, err);
    if (status == PITH_OK)
        status = read_number(arguments, "budget", s->tokens_max, &asked->budget, err);
    return status;
}

/* --- rows */

enum { NOTE_GROWS = 2 }; /* tokens, when it tells of more rows than it first did */

/* Rows on their way to the model. They are written into memory, so that what there is to
 * say of others fits into the budget as well. */
typedef struct answer_rows {
    const serving *of;
    size_t budget;
    pith_rows *rows;
    pith_buffer text;
    pith_outcome outcome;
} answer_rows;

static pith_status open_rows(answer_rows *to, const pith_text *names, size_t count,
                             pith_error *err)
{
    char words[80];
    pith_options options = {
        .write = words, .vocab = to->of->vocab, .outcome = &to->outcome};
    snprintf(words, sizeof words, "budget=%zu note=none", to->budget);
    to->rows =
        pith_rows_open("auto", names, count, &options, pith_sink_buffer(&to->text), err);
    return to->rows != NULL ? PITH_OK : err->status;
}

static pith_status open_query_rows(answer_rows *to, db *from, pith_error *err)
{
    size_t count = db_column_count(from);
    pith_text *names = calloc(count + 1, sizeof *names);
    if (names == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < count; i++)
        names[i] = text_from(db_column_at(from, i)->name);
    pith_status status = open_rows(to, names, count, err);
    free(names);
    return status;
}

/* Adds rows up to the limit; `*more` says whether there are further ones. */
static pith_status add_rows(answer_rows *to, size_t limit, bool *more, pith_error *err)
{
    pith_status status = PITH_OK;
    *more = true;
    for (size_t i = 0; i < limit && *more && status == PITH_OK; i++)
        status = db_next(to->of->open, to->rows, more, err);
    if (*more && status == PITH_OK)
        status = db_next(to->of->open, NULL, more, err);
    return status;
}

/* What there is to say after the rows, in a line that readers of pith take for a note; its
 * length. */
static size_t write_note(const pith_outcome *outcome, bool more, char *to, size_t size)
{
    size_t left_out = outcome->rows_left_out, all = outcome->rows + left_out;
    int len = 0;
    if (left_out > 0)
        len = snprintf(to, size, "\n# %zu of %zu rows left out%s", left_out, all,
                       more ? ", and there are more" : "");
    else if (more)
        len = snprintf(to, size, "\n# there are more than these %zu rows", all);
    return (size_t)len;
}

/* Leaves out more rows, so that so many tokens are enough. */
static pith_status shrink_rows(answer_rows *to, size_t budget, pith_error *err)
{
    char words[80];
    pith_outcome outcome = {0};
    pith_buffer text = {0};
    pith_options options = {.write = words, .vocab = to->of->vocab, .outcome = &outcome};
    snprintf(words, sizeof words, "budget=%zu note=none", budget);
    pith_doc *doc =
        pith_doc_parse(to->outcome.format, to->text.data, to->text.len, NULL, err);
    pith_status status = doc == NULL
                             ? err->status
                             : pith_value_write(pith_doc_root(doc), "auto", &options,
                                                pith_sink_buffer(&text), err);
    pith_doc_free(doc);
    pith_buffer_free(&to->text);
    to->text = text;
    to->outcome.rows_left_out += to->outcome.rows - outcome.rows;
    to->outcome.rows = outcome.rows;
    return status;
}

static pith_status fit_rows(answer_rows *to, bool more, pith_error *err)
{
    char note[120];
    size_t count, len = write_note(&to->outcome, more, note, sizeof note);
    if (len == 0)
        return PITH_OK;
    pith_status status = pith_vocab_count(to->of->vocab, note, len, NULL, &count, err);
    count += NOTE_GROWS;
    if (status != PITH_OK || to->outcome.tokens + count <= to->budget)
        return status;
    status = to->budget > count ? shrink_rows(to, to->budget - count, err) : PITH_LIMIT;
    if (status == PITH_LIMIT)
        error_set(err, status, "budget_exceeded",
                  "not even one row, and that there are more, fits into %zu tokens; ask "
                  "for fewer columns, or for parts of long texts",
                  to->budget);
    return status;
}

/* What a model can do about it is not what a user of the tool can. */
static void explain_budget(pith_error *err)
{
    char said[sizeof err->message];
    snprintf(said, sizeof said, "%s", err->message);
    char *hint = strstr(said, "; clip=");
    if (hint != NULL)
        *hint = '\0';
    error_set(err, PITH_LIMIT, "budget_exceeded",
              "%.200s; ask for fewer columns, or for parts of long texts", said);
}

/* Sends the rows that were added, unless that went wrong; frees everything. */
static pith_status close_rows(answer_rows *to, pith_status status, bool more,
                              pith_sink text, pith_error *err)
{
    char note[120];
    if (status == PITH_OK)
        status = pith_rows_close(to->rows, err);
    else
        pith_rows_abandon(to->rows);
    if (status == PITH_LIMIT && strcmp(err->code, "budget_exceeded") == 0)
        explain_budget(err);
    if (status == PITH_OK)
        status = fit_rows(to, more, err);
    if (status == PITH_OK)
        status = text.write(text.ctx, to->text.data, to->text.len);
    if (status == PITH_OK)
        status =
            text.write(text.ctx, note, write_note(&to->outcome, more, note, sizeof note));
    pith_buffer_free(&to->text);
    return status;
}

static pith_status write_rows(serving *s, const query *asked, pith_sink text,
                              pith_error *err)
{
    bool more = false;
    answer_rows to = {.of = s, .budget = asked->budget};
    if (db_column_count(s->open) == 0) {
        pith_status status = db_next(s->open, NULL, &more, err);
        return status == PITH_OK ? text.write(text.ctx, "done", 4) : status;
    }
    pith_status status = open_query_rows(&to, s->open, err);
    if (status == PITH_OK)
        status = add_rows(&to, asked->limit, &more, err);
    s->unread = more;
    return close_rows(&to, status, more, text, err);
}

static pith_status call_query(void *ctx, const mcp_call *call, pith_value arguments,
                              pith_sink text, pith_error *err)
{
    serving *s = ctx;
    query asked;
    pith_status status = read_query(s, arguments, &asked, err);
    if (status == PITH_OK && connection(s, call, err) == NULL)
        status = err->status;
    if (status == PITH_OK)
        status = db_start(s->open, asked.sql, (const char *const *)asked.params,
                          asked.count, err);
    if (status == PITH_OK)
        status = write_rows(s, &asked, text, err);
    free_query(&asked);
    return end_call(s, status, err);
}

/* --- tables */

/* Whether a name is like a pattern of SQL: % is any text, _ one byte, letters in any
 * case. */
static bool is_like(pith_text name, const char *like)
{
    const char *star = NULL;
    size_t at = 0, mark = 0;
    while (at < name.len) {
        if (*like == '%') {
            star = like++;
            mark = at;
        } else if (*like == '_' || tolower((unsigned char)*like) ==
                                       tolower((unsigned char)name.ptr[at])) {
            like++;
            at++;
        } else if (star != NULL) {
            like = star + 1;
            at = ++mark;
        } else {
            return false;
        }
    }
    while (*like == '%')
        like++;
    return *like == '\0';
}

/* Writes the rows whose table is like the pattern. */
static pith_status write_tables(const serving *s, pith_value rows, const char *like,
                                pith_sink text, pith_error *err)
{
    static const pith_text names[] = {DB_TABLE_COLUMNS};
    answer_rows to = {.of = s, .budget = s->tokens_max};
    pith_status status = open_rows(&to, names, DB_TABLE_COLUMN_COUNT, err);
    for (pith_value row = pith_value_first(rows); row.doc != NULL && status == PITH_OK;
         row = pith_value_next(row))
        if (is_like(pith_value_text(pith_value_first(row)), like))
            status = pith_rows_add_row(to.rows, row, err);
    return close_rows(&to, status, false, text, err);
}

/* All tables, as JSON in `to`. */
static pith_status list_tables(const serving *s, pith_buffer *to, pith_error *err)
{
    static const pith_text names[] = {DB_TABLE_COLUMNS};
    pith_rows *rows = pith_rows_open("json", names, DB_TABLE_COLUMN_COUNT, NULL,
                                     pith_sink_buffer(to), err);
    if (rows == NULL)
        return err->status;
    pith_status status = db_tables(s->open, rows, 0, err);
    if (status == PITH_OK)
        return pith_rows_close(rows, err);
    pith_rows_abandon(rows);
    return status;
}

static pith_status call_tables(void *ctx, const mcp_call *call, pith_value arguments,
                               pith_sink text, pith_error *err)
{
    serving *s = ctx;
    pith_buffer listed = {0};
    pith_doc *doc = NULL;
    char *like = NULL;
    pith_value given = pith_value_get(arguments, "like", 4);
    pith_status status = given.doc ? read_text(given, "like", &like, err) : PITH_OK;
    if (status == PITH_OK && connection(s, call, err) == NULL)
        status = err->status;
    if (status == PITH_OK)
        status = list_tables(s, &listed, err);
    if (status == PITH_OK) {
        doc = pith_doc_parse("json", listed.data, listed.len, NULL, err);
        status = doc == NULL ? err->status : PITH_OK;
    }
    if (status == PITH_OK)
        status =
            write_tables(s, pith_doc_root(doc), like != NULL ? like : "%", text, err);
    pith_doc_free(doc);
    pith_buffer_free(&listed);
    free(like);
    return end_call(s, status, err);
}

/* --- the service */

static const char *dialect(const char *url)
{
    if (strncmp(url, "sqlite:", 7) == 0)
        return "SQLite; parameters are written ?";
    if (strncmp(url, "postgres", 8) == 0)
        return "PostgreSQL; parameters are written $1, $2";
    return "MariaDB; parameters are written ?";
}

static void describe(const serving *s, char *about, char *schema)
{
    snprintf(about, ABOUT_MOST,
             "Runs one SQL statement that only reads (%s) and returns its rows, at most "
             "%zu of them and at most %zu tokens. A table is written as [N{columns} and "
             "then a row on each line, with commas between the cells. A last line that "
             "begins with # says what was left out: then ask for less.",
             dialect(s->url), s->rows_max, s->tokens_max);
    snprintf(schema, ABOUT_MOST,
             "{\"type\":\"object\",\"properties\":{"
             "\"sql\":{\"type\":\"string\",\"description\":\"one statement\"},"
             "\"params\":{\"type\":\"array\",\"items\":{\"type\":[\"string\",\"number\","
             "\"boolean\",\"null\"]},\"description\":\"the values of its parameters\"},"
             "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":%zu},"
             "\"budget\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":%zu,"
             "\"description\":\"tokens\"}},\"required\":[\"sql\"]}",
             s->rows_max, s->tokens_max);
}

static size_t number_or(const args *given, option_id id, size_t usual)
{
    return args_has(given, id) ? args_number(given, id) : usual;
}

void mcp_db_serve(context *ctx, const pith_vocab *vocab)
{
    const args *given = &ctx->given;
    char about_query[ABOUT_MOST], query_schema[ABOUT_MOST];
    pith_error err;
    serving s = {
        .url = given->value[OPTION_DB],
        .vocab = vocab,
        .rows_max = number_or(given, OPTION_LIMIT, ROWS_USUAL),
        .tokens_max = number_or(given, OPTION_BUDGET, TOKENS_USUAL),
        .options = {.timeout_max =
                        (unsigned)number_or(given, OPTION_TIMEOUT, SECONDS_USUAL),
                    .value_max = args_size(given, OPTION_MAX_VALUE),
                    .memory_max = args_size(given, OPTION_MAX_MEMORY),
                    .trust_uri = args_has(given, OPTION_TRUST_URI),
                    .stop = stop,
                    .note = ignore_note},
    };
    s.options.ctx = &s;
    describe(&s, about_query, query_schema);
    const mcp_tool tools[] = {
        {"query", about_query, query_schema, call_query},
        {"tables",
         "Lists the columns of all tables and views: the table, its number of rows, the "
         "column, its type, whether it may be null, whether it is part of the key.",
         "{\"type\":\"object\",\"properties\":{\"like\":{\"type\":\"string\","
         "\"description\":\"a pattern of SQL for the names of tables: % is any text\"}}}",
         call_tables},
    };
    const mcp_service service = {.name = "pith",
                                 .instructions = "Ask for the tables first, then query.",
                                 .tools = tools,
                                 .tool_count = 2,
                                 .ctx = &s};
    if (mcp_serve(&service, &err) != PITH_OK)
        diag_problem(&ctx->errors, NULL, &err, NULL);
    db_close(s.open);
}
