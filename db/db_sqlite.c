/*
 * db_sqlite.c - SQLite, the database that is a file.
 *
 * SQLite types values, not columns: an integer may come after a text. So each cell says
 * what it is, and the declared type of its column only decides where SQLite itself has no
 * type: BOOLEAN columns hold 0 and 1, JSON columns hold text.
 *
 * Reading never needs more than the file opened read-only; what a statement may do beyond
 * that is for db_sqlite_guard.c to say. While SQLite works it calls back every few
 * thousand steps, which is where a timeout and an interrupt are noticed.
 */
#include "db_driver.h"
#include "db_sqlite_guard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STEPS_BETWEEN_LOOKS = 10000 };

/* What a column was declared as, where that matters. */
typedef enum declared { DECLARED_OTHER, DECLARED_BOOLEAN, DECLARED_JSON } declared;

typedef struct sqlite_state {
    sqlite3 *file;
    sqlite_guard guard;
    sqlite3_stmt *statement;
    declared *declared;
    bool memory;
    pith_error stopped; /* why the progress callback ended a statement */
    char *table;        /* the one that is being imported */
    sqlite3_stmt *insert;
    pith_doc *columns; /* its columns: the keys of an object */
} sqlite_state;

/* ------------------------------------------------------------------------- opening */

static int look(void *ctx)
{
    db *from = ctx;
    sqlite_state *state = from->state;
    return db_may_go_on(from, &state->stopped) != PITH_OK;
}

static pith_status sqlite_failed(db *from, pith_error *err)
{
    sqlite_state *state = from->state;
    int code = sqlite3_errcode(state->file);
    if (code == SQLITE_INTERRUPT && state->stopped.status != PITH_OK) {
        if (err)
            *err = state->stopped;
        return state->stopped.status;
    }
    pith_status limited = sqlite_guard_explain(&state->guard, code, err);
    if (limited != PITH_OK)
        return limited;
    if (code == SQLITE_NOMEM)
        return error_no_memory(err);
    bool machine = code == SQLITE_IOERR || code == SQLITE_FULL ||
                   code == SQLITE_CANTOPEN || code == SQLITE_CORRUPT ||
                   code == SQLITE_NOTADB || code == SQLITE_BUSY;
    return db_fail(err, machine ? PITH_IO : PITH_BAD_INPUT, "query_failed", "SQLite: %s",
                   sqlite3_errmsg(state->file));
}

static pith_status sqlite_open(db *from, const char *url, pith_error *err)
{
    const char *path = url + strlen("sqlite:");
    sqlite_state *state = calloc(1, sizeof *state);
    from->state = state;
    if (!state)
        return error_no_memory(err);
    state->memory = strcmp(path, ":memory:") == 0;
    if (path[0] == '\0') {
        return db_fail(err, PITH_BAD_USE, "bad_url",
                       "sqlite: needs a path, as in sqlite:shop.db, or sqlite::memory:");
    }
    int flags = from->options.write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                : state->memory     ? SQLITE_OPEN_READWRITE
                                    : SQLITE_OPEN_READONLY;
    if (strncmp(path, "file:", 5) == 0)
        flags |= SQLITE_OPEN_URI;
    int code = sqlite3_open_v2(path, &state->file, flags, NULL);
    if (code == SQLITE_NOMEM || !state->file)
        return error_no_memory(err);
    if (code != SQLITE_OK) {
        return db_fail(err, PITH_IO, "open_failed", "SQLite cannot open '%.80s': %s",
                       path, sqlite3_errmsg(state->file));
    }
    sqlite3_busy_timeout(state->file, 5000);
    sqlite3_progress_handler(state->file, STEPS_BETWEEN_LOOKS, look, from);
    state->guard.options = from->options;
    return sqlite_guard_start(&state->guard, state->file, err);
}

static void end_statement(sqlite_state *state)
{
    sqlite3_finalize(state->statement);
    state->statement = NULL;
    free(state->declared);
    state->declared = NULL;
}

static void sqlite_close(db *from)
{
    sqlite_state *state = from->state;
    if (state) {
        end_statement(state);
        sqlite3_finalize(state->insert);
        sqlite3_close(state->file);
        sqlite_guard_end(&state->guard);
        pith_doc_free(state->columns);
        free(state->table);
        free(state);
    }
}

/* ------------------------------------------------------------------------- running */

static pith_status check_statement(db *from, const char *tail, pith_error *err)
{
    sqlite_state *state = from->state;
    if (!state->statement)
        return db_no_statement(err);
    if (!db_is_blank(tail, DIALECT_SQLITE))
        return db_several_statements(err);
    if (!from->options.write && !sqlite3_stmt_readonly(state->statement))
        return db_fail(err, PITH_BAD_INPUT, "read_only", "%s", DB_READ_ONLY);
    return PITH_OK;
}

/* A parameter is text, and SQLite does not compare text with a number that has no
 * column. So what is spelled as SQLite itself spells a number is bound as one; where a
 * column is text, SQLite makes the same text of it again. */
static bool bind_one(sqlite3_stmt *statement, int index, const char *value)
{
    char again[64];
    if (!value)
        return sqlite3_bind_null(statement, index) == SQLITE_OK;
    long long whole = strtoll(value, NULL, 10);
    snprintf(again, sizeof again, "%lld", whole);
    if (strcmp(again, value) == 0)
        return sqlite3_bind_int64(statement, index, whole) == SQLITE_OK;
    double number = strtod(value, NULL);
    snprintf(again, sizeof again, "%.15g", number);
    if (strchr(value, '.') && strcmp(again, value) == 0)
        return sqlite3_bind_double(statement, index, number) == SQLITE_OK;
    return sqlite3_bind_text(statement, index, value, -1, SQLITE_TRANSIENT) == SQLITE_OK;
}

/* The values of a statement and the parameters that have one. */
typedef struct binding {
    sqlite3_stmt *statement;
    bool *bound; /* of each parameter */
    size_t count;
    size_t left; /* the first that may have none */
} binding;

/* The parameters of that name, whatever their sign. */
static pith_status bind_named(binding *to, const char *name, const char *value, db *from,
                              pith_error *err)
{
    bool found = false;
    for (size_t i = 0; i < to->count; i++) {
        const char *called = sqlite3_bind_parameter_name(to->statement, (int)i + 1);
        if (!called || strcmp(called + 1, name) != 0 || called[0] == '?')
            continue;
        if (to->bound[i])
            return db_fail(err, PITH_BAD_USE, "parameter_twice",
                           "the parameter '%s' has a value already", called);
        if (!bind_one(to->statement, (int)i + 1, value))
            return sqlite_failed(from, err);
        to->bound[i] = found = true;
    }
    return found ? PITH_OK
                 : db_fail(err, PITH_BAD_USE, "no_such_parameter",
                           "the statement has no parameter :%s, @%s or $%s; =VALUE goes "
                           "to the next one, whatever signs it has",
                           name, name, name);
}

static pith_status bind_next(binding *to, const char *value, db *from, pith_error *err)
{
    while (to->left < to->count && to->bound[to->left])
        to->left++;
    if (to->left < to->count) {
        to->bound[to->left] = true;
        if (!bind_one(to->statement, (int)to->left + 1, value))
            return sqlite_failed(from, err);
    }
    return PITH_OK;
}

/* Names first: what has none goes to what is left. */
static pith_status bind_to(binding *to, db *from, const char *const *params, size_t count,
                           pith_error *err)
{
    pith_status status = PITH_OK;
    for (size_t i = 0; i < count && status == PITH_OK; i++)
        if (from->names && from->names[i])
            status = bind_named(to, from->names[i], params[i], from, err);
    size_t given = 0;
    for (size_t i = 0; i < to->count; i++)
        given += to->bound[i];
    for (size_t i = 0; i < count && status == PITH_OK; i++) {
        if (from->names && from->names[i])
            continue;
        given++;
        status = bind_next(to, params[i], from, err);
    }
    return status == PITH_OK ? db_check_params(to->count, given, err) : status;
}

static pith_status bind_all(db *from, const char *const *params, size_t count,
                            pith_error *err)
{
    sqlite_state *state = from->state;
    size_t wanted = (size_t)sqlite3_bind_parameter_count(state->statement);
    binding to = {state->statement, calloc(wanted + 1, sizeof(bool)), wanted, 0};
    pith_status status =
        to.bound ? bind_to(&to, from, params, count, err) : error_no_memory(err);
    free(to.bound);
    return status;
}

static bool is_word(const char *type, const char *word)
{
    return type && strcasecmp(type, word) == 0;
}

static pith_status name_columns(db *from, pith_error *err)
{
    sqlite_state *state = from->state;
    int count = sqlite3_column_count(state->statement);
    state->declared = calloc((size_t)count + 1, sizeof *state->declared);
    if (!state->declared || !db_set_columns(from, (size_t)count))
        return error_no_memory(err);
    for (int i = 0; i < count; i++) {
        const char *name = sqlite3_column_name(state->statement, i);
        const char *type = sqlite3_column_decltype(state->statement, i);
        bool json = is_word(type, "JSON") || is_word(type, "JSONB");
        bool truth = is_word(type, "BOOLEAN") || is_word(type, "BOOL");
        state->declared[i] = json    ? DECLARED_JSON
                             : truth ? DECLARED_BOOLEAN
                                     : DECLARED_OTHER;
        if (!name || !db_name_column(from, (size_t)i, name, type, json))
            return error_no_memory(err);
    }
    return PITH_OK;
}

static pith_status sqlite_start(db *from, const char *sql, const char *const *params,
                                size_t count, pith_error *err)
{
    sqlite_state *state = from->state;
    const char *tail = sql;
    end_statement(state);
    state->guard.refused = (pith_error){0};
    if (sqlite3_prepare_v2(state->file, sql, -1, &state->statement, &tail) != SQLITE_OK)
        return sqlite_failed(from, err);
    state->guard.refused = (pith_error){0}; /* it was not needed after all */
    pith_status status = check_statement(from, tail, err);
    if (status == PITH_OK)
        status = bind_all(from, params, count, err);
    return status == PITH_OK ? name_columns(from, err) : status;
}

/* --------------------------------------------------------------------------- cells */

static pith_status put_cell(db *from, pith_rows *rows, int column, pith_error *err)
{
    sqlite_state *state = from->state;
    sqlite3_stmt *statement = state->statement;
    int type = sqlite3_column_type(statement, column);
    if (type == SQLITE_INTEGER) {
        sqlite3_int64 number = sqlite3_column_int64(statement, column);
        if (state->declared[column] == DECLARED_BOOLEAN && (number == 0 || number == 1))
            pith_doc_add_bool(pith_rows_row(rows), number != 0);
        else
            pith_doc_add_int64(pith_rows_row(rows), number);
        return PITH_OK;
    }
    if (type == SQLITE_FLOAT) {
        db_put_double(rows, sqlite3_column_double(statement, column), false);
        return PITH_OK;
    }
    if (type == SQLITE_NULL) {
        pith_doc_add_null(pith_rows_row(rows));
        return PITH_OK;
    }
    const void *data = type == SQLITE_BLOB ? sqlite3_column_blob(statement, column)
                                           : sqlite3_column_text(statement, column);
    size_t len = (size_t)sqlite3_column_bytes(statement, column);
    if (!data && (type == SQLITE_TEXT || len > 0)) /* even an empty text is there */
        return error_no_memory(err);
    if (type == SQLITE_BLOB)
        return db_put_binary(from, rows, data, len, err);
    if (state->declared[column] == DECLARED_JSON)
        return db_put_json(from, rows, (size_t)column, data ? data : "", len, err);
    return db_put_text(from, rows, (size_t)column, data ? data : "", len, err);
}

static pith_status sqlite_next(db *from, pith_rows *rows, bool *more, pith_error *err)
{
    sqlite_state *state = from->state;
    int step = sqlite3_step(state->statement);
    *more = step == SQLITE_ROW;
    if (step == SQLITE_DONE) {
        from->changed = sqlite3_stmt_readonly(state->statement)
                            ? 0
                            : (uint64_t)sqlite3_changes(state->file);
        end_statement(state);
        return PITH_OK;
    }
    if (step != SQLITE_ROW)
        return sqlite_failed(from, err);
    pith_status status = PITH_OK;
    int count = (int)from->column_count;
    for (int i = 0; rows && i < count && status == PITH_OK; i++)
        status = put_cell(from, rows, i, err);
    return status;
}

/* ----------------------------------------------------------------------- importing */

/* An identifier in quotes, appended to `sql`. */
static void add_name(sqlite3_str *sql, pith_text name)
{
    sqlite3_str_appendf(sql, "\"%.*w\"", (int)name.len, name.ptr);
}

/* Prepares or runs a text that has been put together; NULL when memory ran out. */
static pith_status use_sql(db *into, const char *text, sqlite3_stmt **statement,
                           pith_error *err)
{
    sqlite_state *state = into->state;
    if (!text)
        return error_no_memory(err);
    int code = statement ? sqlite3_prepare_v2(state->file, text, -1, statement, NULL)
                         : sqlite3_exec(state->file, text, NULL, NULL, NULL);
    return code == SQLITE_OK ? PITH_OK : sqlite_failed(into, err);
}

/* The statement that adds a row of so many columns. */
static pith_status prepare_insert(db *into, const char *table, size_t width,
                                  pith_error *err)
{
    sqlite_state *state = into->state;
    sqlite3_str *insert = sqlite3_str_new(state->file);
    sqlite3_str_appendf(insert, "INSERT INTO \"%w\" VALUES (", table);
    for (size_t i = 0; i < width; i++)
        sqlite3_str_appendall(insert, i ? ", ?" : "?");
    sqlite3_str_appendall(insert, ")");
    sqlite3_finalize(state->insert);
    state->insert = NULL;
    char *inserting = sqlite3_str_finish(insert);
    pith_status status = use_sql(into, inserting, &state->insert, err);
    sqlite3_free(inserting);
    return status;
}

/* Columns without a declared type keep what is put into them as it is. */
static pith_status make_table(db *into, const char *table, pith_value row,
                              pith_error *err)
{
    sqlite_state *state = into->state;
    sqlite3_str *create = sqlite3_str_new(state->file);
    sqlite3_str_appendf(create, "CREATE TABLE \"%w\" (", table);
    size_t width = 0;
    for (pith_value v = pith_value_first(row); v.doc; v = pith_value_next(v), width++) {
        sqlite3_str_appendall(create, width ? ", " : "");
        add_name(create, pith_value_key(v));
    }
    sqlite3_str_appendall(create, ")");
    char *creating = sqlite3_str_finish(create);
    pith_status status = use_sql(into, creating, NULL, err);
    sqlite3_free(creating);
    return status == PITH_OK ? prepare_insert(into, table, width, err) : status;
}

static int bind_value(sqlite3_stmt *insert, int index, pith_value value, pith_error *err)
{
    pith_text text = pith_value_text(value);
    int64_t whole;
    double number;
    switch (pith_value_kind(value)) {
    case PITH_NULL:
    case PITH_NONE:
        return sqlite3_bind_null(insert, index);
    case PITH_TRUE:
    case PITH_FALSE:
        return sqlite3_bind_int(insert, index, pith_value_kind(value) == PITH_TRUE);
    /* What is too long for SQLite comes as its digits, as text. */
    case PITH_DECIMAL:
        if (pith_value_double(value, &number) && isfinite(number))
            return sqlite3_bind_double(insert, index, number);
        break;
    case PITH_INTEGER:
        if (pith_value_int64(value, &whole))
            return sqlite3_bind_int64(insert, index, whole);
        break;
    case PITH_STRING:
        break;
    case PITH_ARRAY:
    case PITH_OBJECT: {
        pith_buffer json = {0};
        int code = SQLITE_NOMEM;
        if (pith_value_write(value, "json", NULL, pith_sink_buffer(&json), err) ==
            PITH_OK) {
            code = sqlite3_bind_text64(insert, index, json.data, json.len,
                                       SQLITE_TRANSIENT, SQLITE_UTF8);
        }
        pith_buffer_free(&json);
        return code;
    }
    }
    return sqlite3_bind_text64(insert, index, text.ptr, text.len, SQLITE_TRANSIENT,
                               SQLITE_UTF8);
}

/* Another table begins: its name, its columns, and SQL for both. */
static pith_status begin_table(db *into, const char *table, pith_value row,
                               pith_error *err)
{
    sqlite_state *state = into->state;
    free(state->table);
    pith_doc_free(state->columns);
    state->table = malloc(strlen(table) + 1);
    state->columns = pith_doc_new(NULL);
    if (!state->table || !state->columns)
        return error_no_memory(err);
    memcpy(state->table, table, strlen(table) + 1);
    pith_doc_open_object(state->columns);
    for (pith_value v = pith_value_first(row); v.doc; v = pith_value_next(v)) {
        pith_text key = pith_value_key(v);
        pith_doc_add_key(state->columns, key.ptr, key.len);
        pith_doc_add_null(state->columns);
    }
    pith_doc_close(state->columns);
    pith_status status = pith_doc_finish(state->columns, err);
    return status == PITH_OK ? make_table(into, table, row, err) : status;
}

static bool same_key(pith_value a, pith_value b)
{
    pith_text left = pith_value_key(a), right = pith_value_key(b);
    return left.len == right.len &&
           (left.len == 0 || memcmp(left.ptr, right.ptr, left.len) == 0);
}

/* Adds the fields of the row that the table has not got as columns; rows before it are null
 * there. */
static pith_status widen_table(db *into, pith_value row, pith_error *err)
{
    sqlite_state *state = into->state;
    pith_value known = pith_doc_root(state->columns);
    pith_doc *columns = pith_doc_new(NULL);
    size_t width = pith_value_count(known);
    pith_status status = PITH_OK;
    if (!columns)
        return error_no_memory(err);
    pith_doc_open_object(columns);
    for (pith_value v = pith_value_first(known); v.doc; v = pith_value_next(v)) {
        pith_text key = pith_value_key(v);
        pith_doc_add_key(columns, key.ptr, key.len);
        pith_doc_add_null(columns);
    }
    for (pith_value v = pith_value_first(row); v.doc && status == PITH_OK;
         v = pith_value_next(v)) {
        pith_text key = pith_value_key(v);
        if (pith_value_get(known, key.ptr, key.len).doc)
            continue;
        sqlite3_str *alter = sqlite3_str_new(state->file);
        sqlite3_str_appendf(alter, "ALTER TABLE \"%w\" ADD COLUMN ", state->table);
        add_name(alter, key);
        char *altering = sqlite3_str_finish(alter);
        status = use_sql(into, altering, NULL, err);
        sqlite3_free(altering);
        pith_doc_add_key(columns, key.ptr, key.len);
        pith_doc_add_null(columns);
        width++;
    }
    pith_doc_close(columns);
    if (status == PITH_OK)
        status = pith_doc_finish(columns, err);
    if (status == PITH_OK)
        status = prepare_insert(into, state->table, width, err);
    if (status != PITH_OK) {
        pith_doc_free(columns);
        return status;
    }
    pith_doc_free(state->columns);
    state->columns = columns;
    return PITH_OK;
}

/* Binds the fields of the row in the order of the columns; those it lacks are null. Says in
 * `*fits` whether the table has a column for each. */
static pith_status bind_row(sqlite_state *state, pith_value row, bool *fits,
                            pith_error *err)
{
    pith_value at = pith_value_first(row);
    pith_value column = pith_value_first(pith_doc_root(state->columns));
    size_t found = 0;
    for (int index = 1; column.doc; column = pith_value_next(column), index++) {
        pith_text name = pith_value_key(column);
        pith_value value = at;
        if (!at.doc || !same_key(at, column))
            value = pith_value_get(row, name.ptr, name.len);
        if (bind_value(state->insert, index, value, err) != SQLITE_OK)
            return error_no_memory(err);
        found += value.doc != NULL;
        at = pith_value_next(value);
    }
    *fits = found == pith_value_count(row);
    return PITH_OK;
}

static pith_status sqlite_import(db *into, const char *table, pith_value row,
                                 pith_error *err)
{
    sqlite_state *state = into->state;
    pith_status status = PITH_OK;
    if (!state->memory) {
        return db_fail(err, PITH_BAD_USE, "bad_import",
                       "--import only works with sqlite::memory:");
    }
    if (pith_value_kind(row) != PITH_OBJECT || pith_value_count(row) == 0) {
        return db_fail(err, PITH_UNREPRESENTABLE, "not_an_object",
                       "a table is imported from objects with fields");
    }
    state->guard.ours = true;
    if (!state->table || strcmp(state->table, table) != 0)
        status = begin_table(into, table, row, err);
    bool fits = true;
    if (status == PITH_OK)
        status = bind_row(state, row, &fits, err);
    if (status == PITH_OK && !fits)
        status = widen_table(into, row, err);
    if (status == PITH_OK && !fits)
        status = bind_row(state, row, &fits, err);
    state->guard.ours = false;
    if (status != PITH_OK)
        return status;
    bool done = sqlite3_step(state->insert) == SQLITE_DONE;
    status = done ? PITH_OK : sqlite_failed(into, err);
    sqlite3_reset(state->insert);
    return status;
}

static const char sqlite_tables[] =
    "SELECT m.name AS a, c.name AS b, c.type AS c, CASE c.\"notnull\" WHEN 0 THEN 'yes' ELSE 'no' END AS d, "
    "CASE c.pk WHEN 0 THEN 'no' ELSE 'yes' END AS e, "
    "CASE m.type WHEN 'table' THEN '\"' || replace(m.name, '\"', '\"\"') || '\"' END AS f, "
    "(SELECT k.\"table\" || coalesce('.' || k.\"to\", '') FROM "
    "pragma_foreign_key_list(m.name) k WHERE k.\"from\" = c.name COLLATE NOCASE LIMIT 1) AS g "
    "FROM sqlite_master m JOIN pragma_table_info(m.name) c "
    "WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
    "ORDER BY m.name, c.cid";

extern db_client db_client_sqlite;

const db_driver db_sqlite = {
    .title = "SQLite",
    .open = sqlite_open,
    .close = sqlite_close,
    .start = sqlite_start,
    .next = sqlite_next,
    .tables = sqlite_tables,
    .import = sqlite_import,
    .named = true,
    .dialect = DIALECT_SQLITE,
    .client = &db_client_sqlite,
};
