/*
 * db_postgres.c - PostgreSQL, through libpq.
 *
 * A statement is prepared first, which describes its columns and refuses several
 * statements in one text; then it runs in single-row mode, so that a row is in memory and
 * no more. Values come as text, in which PostgreSQL loses nothing once it has been set
 * how to spell dates, intervals and floats. The types of columns are known by number;
 * those that are not are looked up before the statement runs.
 */
#include "base/base64.h"
#include "db_driver.h"
#include "db_postgres_connect.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What becomes of a type's text. */
typedef enum pg_kind {
    PG_UNKNOWN, /* to be looked up */
    PG_TEXT,
    PG_NUMBER, /* or a word such as NaN */
    PG_BOOL,
    PG_TIME,
    PG_BINARY,
    PG_JSON
} pg_kind;

typedef struct pg_type {
    Oid oid;
    Oid array; /* of this type; 0 for none */
    pg_kind kind;
    const char *name;
} pg_type;

static const pg_type types[] = {
    {16, 1000, PG_BOOL, "boolean"},
    {17, 1001, PG_BINARY, "bytea"},
    {18, 1002, PG_TEXT, "char"},
    {19, 1003, PG_TEXT, "name"},
    {20, 1016, PG_NUMBER, "bigint"},
    {21, 1005, PG_NUMBER, "smallint"},
    {23, 1007, PG_NUMBER, "integer"},
    {25, 1009, PG_TEXT, "text"},
    {26, 1028, PG_NUMBER, "oid"},
    {22, 1006, PG_TEXT, "int2vector"},
    {30, 1013, PG_TEXT, "oidvector"},
    {114, 199, PG_JSON, "json"},
    {3802, 3807, PG_JSON, "jsonb"},
    {142, 143, PG_TEXT, "xml"},
    {650, 651, PG_TEXT, "cidr"},
    {869, 1041, PG_TEXT, "inet"},
    {829, 1040, PG_TEXT, "macaddr"},
    {774, 775, PG_TEXT, "macaddr8"},
    {700, 1021, PG_NUMBER, "real"},
    {701, 1022, PG_NUMBER, "double precision"},
    {790, 791, PG_TEXT, "money"},
    {1042, 1014, PG_TEXT, "character"},
    {1043, 1015, PG_TEXT, "character varying"},
    {1082, 1182, PG_TIME, "date"},
    {1083, 1183, PG_TIME, "time"},
    {1114, 1115, PG_TIME, "timestamp"},
    {1184, 1185, PG_TIME, "timestamp with time zone"},
    {1266, 1270, PG_TIME, "time with time zone"},
    {1186, 1187, PG_TEXT, "interval"},
    {1560, 1561, PG_TEXT, "bit"},
    {1562, 1563, PG_TEXT, "bit varying"},
    {1700, 1231, PG_NUMBER, "numeric"},
    {2205, 2210, PG_TEXT, "regclass"},
    {2950, 2951, PG_TEXT, "uuid"},
    {705, 0, PG_TEXT, "unknown"},
};

enum { TYPE_COUNT = sizeof types / sizeof types[0] };

typedef struct pg_column {
    pg_kind kind; /* of the elements, of an array */
    bool array;
    Oid oid;      /* as described, which the rows have to keep to */
    char between; /* elements of an array; a comma but for boxes */
} pg_column;

typedef struct pg_state {
    PGconn *server;
    PGresult *row; /* the one at hand */
    pg_column *columns;
    bool running;
    pith_doc *json; /* for JSON in arrays */
} pg_state;

/* ------------------------------------------------------------------------- failing */

static pith_status pg_lost(pg_state *state, pith_error *err)
{
    return db_fail(err, PITH_IO, "connection_lost", "PostgreSQL: %s",
                   PQerrorMessage(state->server));
}

static pith_status pg_failed(db *from, const PGresult *result, pith_error *err)
{
    pg_state *state = from->state;
    const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    if (PQstatus(state->server) == CONNECTION_BAD || !code)
        return pg_lost(state, err);
    message = message ? message : "failed";
    if (strcmp(code, "25006") == 0) {
        return db_fail(err, PITH_BAD_INPUT, "read_only",
                       "the statement would change the database; --write allows it "
                       "(PostgreSQL: %s)",
                       message);
    }
    /* Cancelled: by the time that was set, or by somebody else. */
    pith_status ours = strcmp(code, "57014") == 0 ? db_may_go_on(from, err) : PITH_OK;
    if (ours != PITH_OK)
        return ours;
    if (strstr(message, "multiple commands"))
        return db_several_statements(err);
    /* 57P01 and its kin: the server ends the connection. 08: it was never right. 53: it
     * has run out of something. */
    bool machine = strncmp(code, "57P", 3) == 0 || strncmp(code, "08", 2) == 0;
    return db_fail(err, machine || strncmp(code, "53", 2) == 0 ? PITH_IO : PITH_BAD_INPUT,
                   machine ? "connection_lost" : "query_failed", "PostgreSQL: %s",
                   message);
}

/* ------------------------------------------------------------------------- waiting */

/* The library's request waits for the server to close, for as long as that likes. */
static void pg_send_cancel(void *ctx)
{
    char ignored[256];
    PQcancel(ctx, ignored, sizeof ignored);
}

static void pg_cancel(pg_state *state)
{
    PGcancel *cancel = PQgetCancel(state->server);
    if (cancel) {
        db_run_apart(pg_send_cancel, cancel);
        PQfreeCancel(cancel);
    }
}

/* The next result, NULL after the last, without blocking for more than a moment. */
static pith_status pg_next_result(db *from, PGresult **result, pith_error *err)
{
    pg_state *state = from->state;
    *result = NULL;
    while (PQisBusy(state->server)) {
        pith_status status = db_wait(from, PQsocket(state->server), false, err);
        if (status != PITH_OK) {
            pg_cancel(state);
            return status;
        }
        if (!PQconsumeInput(state->server))
            return pg_lost(state, err);
    }
    *result = PQgetResult(state->server);
    return PITH_OK;
}

/* In a copy the library gives the same result again and again, so the next must not be
 * asked for. */
static bool pg_is_copy(const PGresult *result)
{
    ExecStatusType outcome = PQresultStatus(result);
    return outcome == PGRES_COPY_OUT || outcome == PGRES_COPY_IN ||
           outcome == PGRES_COPY_BOTH;
}

/* There should have been a result. */
static pith_status pg_no_result(db *from, pith_error *err)
{
    pg_state *state = from->state;
    return PQerrorMessage(state->server)[0] != '\0'
               ? pg_lost(state, err)
               : db_fault(from, err, "it sends no result");
}

/* What is wrong with the only result of something other than the statement. */
static pith_status pg_judge(db *from, const PGresult *result, pith_error *err)
{
    if (!result)
        return pg_no_result(from, err);
    if (pg_is_copy(result))
        return db_fault(from, err, "it begins a COPY that nobody asked for");
    ExecStatusType outcome = PQresultStatus(result);
    bool fine = outcome == PGRES_COMMAND_OK || outcome == PGRES_TUPLES_OK;
    return fine ? PITH_OK : pg_failed(from, result, err);
}

/* The only result of what was sent; the caller clears it. */
static pith_status pg_only_result(db *from, PGresult **result, pith_error *err)
{
    PGresult *more = NULL;
    pith_status status = pg_next_result(from, result, err);
    while (status == PITH_OK && *result && !pg_is_copy(more ? more : *result)) {
        PQclear(more);
        status = pg_next_result(from, &more, err);
        if (!more)
            break;
        if (status == PITH_OK)
            status = db_may_go_on(from, err);
    }
    if (status == PITH_OK)
        status = pg_judge(from, more && pg_is_copy(more) ? more : *result, err);
    PQclear(more);
    if (status != PITH_OK) {
        PQclear(*result);
        *result = NULL;
    }
    return status;
}

static pith_status pg_command(db *from, const char *sql, pith_error *err)
{
    pg_state *state = from->state;
    PGresult *result = NULL;
    if (!PQsendQuery(state->server, sql))
        return pg_lost(state, err);
    pith_status status = pg_only_result(from, &result, err);
    PQclear(result);
    return status;
}

/* ------------------------------------------------------------------------- opening */

static pith_status pg_prepare_session(db *from, pith_error *err)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "SET datestyle = 'ISO'; SET intervalstyle = 'iso_8601'; "
             "SET extra_float_digits = 1; SET bytea_output = 'hex'; "
             "SET statement_timeout = %lu",
             (unsigned long)from->options.timeout_max * 1000);
    pith_status status = pg_command(from, sql, err);
    if (status == PITH_OK && !from->options.write)
        status = pg_command(from, "BEGIN TRANSACTION READ ONLY", err);
    return status;
}

static pith_status pg_open(db *from, const char *url, pith_error *err)
{
    pg_state *state = calloc(1, sizeof *state);
    from->state = state;
    if (!state)
        return error_no_memory(err);
    pith_status status = pg_connect_to(from, url, &state->server, err);
    return status == PITH_OK ? pg_prepare_session(from, err) : status;
}

static void pg_end_statement(pg_state *state)
{
    PQclear(state->row);
    state->row = NULL;
    free(state->columns);
    state->columns = NULL;
    state->running = false;
}

static void pg_close(db *from)
{
    pg_state *state = from->state;
    if (state) {
        if (state->running)
            pg_cancel(state);
        pg_end_statement(state);
        PQfinish(state->server);
        pith_doc_free(state->json);
        free(state);
    }
}

/* ------------------------------------------------------------------------- columns */

/* What the type is, if it is one of those known by number. */
static const pg_type *pg_find_type(Oid oid, bool *array)
{
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        *array = types[i].array == oid && oid != 0;
        if (types[i].oid == oid || *array)
            return &types[i];
    }
    *array = false;
    return NULL;
}

/* Asks the server what a type is: an enum, an array of something, or something that has
 * only its text. A domain is what it is made from; columns of one come as that, so it is
 * met in arrays alone. */
static const char pg_type_query[] =
    "SELECT t.typtype, e.typtype, coalesce(nullif(e.typbasetype, 0), e.oid), "
    "e.typdelim, pg_catalog.format_type(t.oid, NULL) FROM pg_catalog.pg_type t "
    "LEFT JOIN pg_catalog.pg_type e ON e.typarray = t.oid WHERE t.oid = $1::oid";

/* The answer is one row of five texts, of which those about elements may be null. */
static bool pg_is_type_answer(const PGresult *result)
{
    return PQntuples(result) == 1 && PQnfields(result) == 5 &&
           PQfformat(result, 0) == 0 && !PQgetisnull(result, 0, 0) &&
           !PQgetisnull(result, 0, 4);
}

static void pg_note_type(db *from, const PGresult *result, pg_column *column,
                         char name[64])
{
    bool nested;
    const pg_type *element =
        pg_find_type((Oid)strtoul(PQgetvalue(result, 0, 2), NULL, 10), &nested);
    column->array = !PQgetisnull(result, 0, 1);
    bool known = column->array && element && !nested;
    column->kind = known ? element->kind : PG_TEXT;
    column->between = column->array ? PQgetvalue(result, 0, 3)[0] : ',';
    snprintf(name, 64, "%s", PQgetvalue(result, 0, 4));
    bool is_enum = PQgetvalue(result, 0, column->array ? 1 : 0)[0] == 'e';
    if (!is_enum && !known)
        db_note(from, true, "the type %s is not known; it is written as its text", name);
}

static pith_status pg_look_up(db *from, Oid oid, pg_column *column, char name[64],
                              pith_error *err)
{
    pg_state *state = from->state;
    PGresult *result = NULL;
    char digits[16];
    const char *params[] = {digits};
    snprintf(digits, sizeof digits, "%u", (unsigned)oid);
    if (!PQsendQueryParams(state->server, pg_type_query, 1, NULL, params, NULL, NULL, 0))
        return pg_lost(state, err);
    pith_status status = pg_only_result(from, &result, err);
    if (status != PITH_OK)
        return status;
    column->kind = PG_TEXT;
    name[0] = '\0';
    if (pg_is_type_answer(result)) {
        pg_note_type(from, result, column, name);
    } else if (PQntuples(result) != 0 || PQnfields(result) != 5) {
        status =
            db_fault(from, err, "it does not say what the type %u is", (unsigned)oid);
    }
    PQclear(result);
    return status;
}

static pith_status pg_name_columns(db *from, const PGresult *described, pith_error *err)
{
    pg_state *state = from->state;
    int count = PQnfields(described);
    state->columns = calloc((size_t)count + 1, sizeof *state->columns);
    if (!state->columns || !db_set_columns(from, (size_t)count))
        return error_no_memory(err);
    for (int i = 0; i < count; i++) {
        pg_column *column = &state->columns[i];
        char name[64];
        column->oid = PQftype(described, i);
        const pg_type *type = pg_find_type(PQftype(described, i), &column->array);
        if (type) {
            column->kind = type->kind;
            column->between = ',';
            snprintf(name, sizeof name, "%s%s", type->name, column->array ? "[]" : "");
        } else {
            pith_status status =
                pg_look_up(from, PQftype(described, i), column, name, err);
            if (status != PITH_OK)
                return status;
        }
        bool nested = column->array || column->kind == PG_JSON;
        if (!db_name_column(from, (size_t)i, PQfname(described, i), name, nested))
            return error_no_memory(err);
    }
    return PITH_OK;
}

/* ------------------------------------------------------------------------- running */

static pith_status pg_describe(db *from, const char *sql, size_t params,
                               PGresult **described, pith_error *err)
{
    pg_state *state = from->state;
    PGresult *prepared = NULL;
    if (!PQsendPrepare(state->server, "", sql, 0, NULL))
        return pg_lost(state, err);
    pith_status status = pg_only_result(from, &prepared, err);
    PQclear(prepared);
    if (status != PITH_OK)
        return status;
    if (!PQsendDescribePrepared(state->server, ""))
        return pg_lost(state, err);
    status = pg_only_result(from, described, err);
    return status == PITH_OK ? db_check_params((size_t)PQnparams(*described), params, err)
                             : status;
}

/* The unnamed statement is gone once types have been looked up, so it is prepared again,
 * which costs nothing beside the way to the server. */
static pith_status pg_start(db *from, const char *sql, const char *const *params,
                            size_t count, pith_error *err)
{
    pg_state *state = from->state;
    PGresult *described = NULL;
    pg_end_statement(state);
    pith_status status = pg_describe(from, sql, count, &described, err);
    if (status == PITH_OK)
        status = pg_name_columns(from, described, err);
    PQclear(described);
    if (status != PITH_OK)
        return status;
    if (!PQsendQueryParams(state->server, sql, (int)count, NULL, params, NULL, NULL, 0) ||
        !PQsetSingleRowMode(state->server))
        return pg_lost(state, err);
    state->running = true;
    return PITH_OK;
}

/* --------------------------------------------------------------------------- cells */

/* \x0a1b as base64, in room of the connection's; its length in `*made`. NULL when out of
 * memory, and when the text is something else: then `*made` is 1. */
static char *pg_base64(db *from, const char *text, size_t len, size_t *made)
{
    bool fine = len >= 2 && len % 2 == 0 && text[0] == '\\' && text[1] == 'x';
    size_t bytes = fine ? (len - 2) / 2 : 0;
    size_t size = base64_text_len(bytes);
    char *room = db_room(from, size + bytes + 1);
    *made = 0;
    if (!room)
        return NULL;
    unsigned char *data = (unsigned char *)room + size;
    for (size_t i = 0; i < bytes && fine; i++) {
        int high = db_hex_digit(text[2 + 2 * i]);
        int low = db_hex_digit(text[3 + 2 * i]);
        fine = high >= 0 && low >= 0;
        data[i] = (unsigned char)(fine ? high * 16 + low : 0);
    }
    if (!fine) {
        *made = 1;
        return NULL;
    }
    base64_write(room, data, bytes);
    *made = size;
    return room;
}

static pith_status pg_put_binary(db *from, pith_rows *rows, const char *text, size_t len,
                                 pith_error *err)
{
    size_t made;
    char *base64 = pg_base64(from, text, len, &made);
    if (!base64) {
        return made ? db_fault(from, err, "a bytea is not in hexadecimal")
                    : error_no_memory(err);
    }
    /* The bytes themselves are after it. */
    pith_doc_add_bytes(pith_rows_row(rows), base64 + made, len >= 2 ? (len - 2) / 2 : 0);
    return PITH_OK;
}

/* -------------------------------------------------------------------------- arrays */

/* False when out of memory. */
static bool pg_add_json(pg_state *state, pith_doc *doc, const char *text, size_t len)
{
    pith_options options = {.read = "duplicates=last", .depth_max = PITH_DEPTH_MOST};
    if (!state->json)
        state->json = pith_doc_new(&options);
    if (!state->json)
        return false;
    pith_status status = pith_doc_read(state->json, "json", text, len, &options, NULL);
    if (status == PITH_OK)
        pith_doc_add_value(doc, pith_doc_root(state->json));
    else
        pith_doc_add_text(doc, text, len);
    return status != PITH_NO_MEMORY;
}

static bool pg_is_number(const char *text, size_t len)
{
    return len > 0 && strspn(text, "0123456789+-.eE") >= len &&
           (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
}

/* Adds an element, whose text ends with a NUL. False when out of memory. */
static bool pg_add_element(db *from, pith_doc *doc, pg_kind kind, const char *text,
                           size_t len)
{
    char *made;
    size_t made_len;
    switch (kind) {
    case PG_NUMBER:
        if (pg_is_number(text, len) && !db_is_too_long(from, text, len)) {
            pith_doc_add_number(doc, text, len);
            return true;
        }
        break;
    case PG_BOOL:
        pith_doc_add_bool(doc, text[0] == 't');
        return true;
    case PG_JSON:
        return pg_add_json(from->state, doc, text, len);
    case PG_TIME:
        made = db_room(from, len + DB_TIME_EXTRA);
        if (made)
            pith_doc_add_text(doc, made, db_write_time(made, text, len));
        return made != NULL;
    case PG_BINARY:
        made = pg_base64(from, text, len, &made_len);
        if (!made) {
            pith_doc_add_text(doc, text, made_len ? len : 0);
            return made_len != 0;
        }
        pith_doc_add_text(doc, made, made_len);
        return true;
    case PG_UNKNOWN:
    case PG_TEXT:
        break;
    }
    pith_doc_add_text(doc, text, len);
    return true;
}

/* Takes one element off an array's text, unescaped into `to` with a NUL after it. */
static const char *pg_take_element(const char *at, char between, char *to, size_t *len,
                                   bool *quoted)
{
    char *out = to;
    *quoted = *at == '"';
    if (*quoted)
        at++;
    while (*at != '\0' && (*quoted ? *at != '"' : *at != between && *at != '}')) {
        if (*at == '\\' && at[1] != '\0')
            at++;
        *out++ = *at++;
    }
    if (*quoted && *at == '"')
        at++;
    *out = '\0';
    *len = (size_t)(out - to);
    return at;
}

/* Adds what is between two signs of an array. */
static const char *pg_read_element(db *from, pith_doc *doc, const pg_column *type,
                                   const char *at, char *scratch, bool *fine)
{
    size_t len;
    bool quoted;
    at = pg_take_element(at, type->between, scratch, &len, &quoted);
    if (!quoted && strcmp(scratch, "NULL") == 0)
        pith_doc_add_null(doc);
    else
        *fine = pg_add_element(from, doc, type->kind, scratch, len);
    return at;
}

/* {1,NULL,"a b",{...}}, perhaps after its bounds, as in [0:2]={1,2,3}. Nothing follows
 * the last brace. */
static pith_status pg_read_array(db *from, pith_doc *doc, const pg_column *type,
                                 const char *text, char *scratch, pith_error *err)
{
    size_t depth = 0;
    bool fine = true;
    const char *at = strchr(text, '{');
    while (at && *at != '\0' && fine) {
        if (*at == '{') {
            pith_doc_open_array(doc);
            depth++;
            at++;
        } else if (*at == '}') {
            pith_doc_close(doc);
            depth--;
            at++;
            if (depth == 0)
                break;
        } else if (*at == type->between) {
            at++;
        } else {
            at = pg_read_element(from, doc, type, at, scratch, &fine);
        }
    }
    if (!fine)
        return error_no_memory(err);
    return at && *at == '\0' && depth == 0 ? PITH_OK
                                           : db_fault(from, err, "an array is not valid");
}

static pith_status pg_put_array(db *from, pith_rows *rows, const pg_column *type,
                                const char *text, size_t len, pith_error *err)
{
    char *scratch = calloc(len + 1, 1);
    if (!from->scratch)
        from->scratch = pith_doc_new(NULL);
    if (!scratch || !from->scratch) {
        free(scratch);
        return error_no_memory(err);
    }
    pith_doc_reset(from->scratch);
    pith_status status = pg_read_array(from, from->scratch, type, text, scratch, err);
    free(scratch);
    if (status == PITH_OK) {
        status = pith_doc_finish(from->scratch, err);
        status = status == PITH_BAD_USE ? db_fault(from, err, "an array is not valid")
                                        : status;
    }
    if (status == PITH_OK)
        pith_doc_add_value(pith_rows_row(rows), pith_doc_root(from->scratch));
    return status;
}

/* ---------------------------------------------------------------------------- rows */

static pith_status pg_put_cell(db *from, pith_rows *rows, int column, pith_error *err)
{
    pg_state *state = from->state;
    const pg_column *type = &state->columns[column];
    const char *text = PQgetvalue(state->row, 0, column);
    size_t len = (size_t)PQgetlength(state->row, 0, column);
    if (PQgetisnull(state->row, 0, column)) {
        pith_doc_add_null(pith_rows_row(rows));
        return PITH_OK;
    }
    if (memchr(text, '\0', len))
        return db_fault(from, err, "a value has a NUL inside");
    if (type->array)
        return pg_put_array(from, rows, type, text, len, err);
    switch (type->kind) {
    case PG_NUMBER:
        db_put_number(from, rows, (size_t)column, text, len);
        return PITH_OK;
    case PG_BOOL:
        if (len != 1 || (text[0] != 't' && text[0] != 'f'))
            return db_fault(from, err, "a boolean is neither t nor f");
        pith_doc_add_bool(pith_rows_row(rows), text[0] == 't');
        return PITH_OK;
    case PG_TIME:
        return db_put_time(from, rows, (size_t)column, text, len, err);
    case PG_BINARY:
        return pg_put_binary(from, rows, text, len, err);
    case PG_JSON:
        return db_put_json(from, rows, (size_t)column, text, len, err);
    case PG_UNKNOWN:
    case PG_TEXT:
        break;
    }
    return db_put_text(from, rows, (size_t)column, text, len, err);
}

/* A result must be as described: libpq looks only whether a row has as many cells as the
 * description that came with it. */
static pith_status pg_check_columns(const db *from, const PGresult *result,
                                    pith_error *err)
{
    const pg_state *state = from->state;
    int count = PQnfields(result);
    if ((size_t)count != from->column_count) {
        return db_fault(from, err, "it sends %d column%s and has described %zu", count,
                        count == 1 ? "" : "s", from->column_count);
    }
    for (int i = 0; from->rows == 0 && i < count; i++) {
        if (PQftype(result, i) != state->columns[i].oid) {
            return db_fault(from, err, "column %d has another type than described",
                            i + 1);
        }
        if (PQfformat(result, i) != 0)
            return db_fault(from, err, "column %d is binary and not text", i + 1);
    }
    return PITH_OK;
}

/* The statement is over; what follows its last result is nothing. */
static pith_status pg_finish(db *from, PGresult *last, pith_error *err)
{
    pg_state *state = from->state;
    PGresult *more = NULL;
    from->changed = strtoull(PQcmdTuples(last), NULL, 10);
    bool rows = PQresultStatus(last) == PGRES_TUPLES_OK;
    from->changed = rows ? 0 : from->changed;
    pith_status status = pg_check_columns(from, last, err);
    PQclear(last);
    if (status == PITH_OK)
        status = pg_next_result(from, &more, err);
    if (status == PITH_OK && more) {
        status = PQresultStatus(more) == PGRES_FATAL_ERROR
                     ? pg_failed(from, more, err)
                     : db_fault(from, err, "it sends a second result");
    }
    PQclear(more);
    state->running = status != PITH_OK;
    return status;
}

/* What is wrong with a result that is neither a row nor the end. */
static pith_status pg_no_row(db *from, const PGresult *result, pith_error *err)
{
    pg_state *state = from->state;
    ExecStatusType outcome = PQresultStatus(result);
    if (pg_is_copy(result)) {
        return outcome == PGRES_COPY_BOTH || from->column_count > 0
                   ? db_fault(from, err, "it begins a COPY that nobody asked for")
                   : db_fail(err, PITH_BAD_INPUT, "query_failed",
                             "COPY to or from the client is not a query; use SELECT");
    }
    state->running = false;
    return outcome == PGRES_EMPTY_QUERY ? db_no_statement(err)
                                        : pg_failed(from, result, err);
}

static pith_status pg_next(db *from, pith_rows *rows, bool *more, pith_error *err)
{
    pg_state *state = from->state;
    PGresult *result = NULL;
    *more = false;
    pith_status status = pg_next_result(from, &result, err);
    if (status != PITH_OK)
        return status;
    if (!result)
        return pg_no_result(from, err);
    ExecStatusType outcome = PQresultStatus(result);
    if (outcome == PGRES_TUPLES_OK || outcome == PGRES_COMMAND_OK)
        return pg_finish(from, result, err);
    PQclear(state->row);
    state->row = result;
    if (outcome != PGRES_SINGLE_TUPLE)
        return pg_no_row(from, result, err);
    status = pg_check_columns(from, result, err);
    int count = (int)from->column_count;
    for (int i = 0; rows && i < count && status == PITH_OK; i++)
        status = pg_put_cell(from, rows, i, err);
    *more = true;
    return status;
}

static const char pg_tables[] =
    "SELECT CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN c.relname::text "
    "ELSE n.nspname || '.' || c.relname END AS a, t.attname AS b, "
    "pg_catalog.format_type(t.atttypid, t.atttypmod) AS c, "
    "CASE WHEN t.attnotnull THEN 'no' ELSE 'yes' END AS d, "
    "CASE WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid "
    "AND i.indisprimary AND t.attnum = ANY (i.indkey)) THEN 'yes' ELSE 'no' END AS e, "
    "CASE WHEN c.relkind IN ('r', 'p', 'm', 'f') AND "
    "pg_catalog.has_table_privilege(c.oid, 'SELECT') "
    "THEN c.oid::pg_catalog.regclass::text END AS f, "
    "(SELECT k.confrelid::pg_catalog.regclass::text || '.' || r.attname "
    "FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_attribute r ON r.attrelid = "
    "k.confrelid AND r.attnum = k.confkey[pg_catalog.array_position(k.conkey, t.attnum)] "
    "WHERE k.contype = 'f' AND k.conrelid = c.oid AND t.attnum = ANY (k.conkey) "
    "LIMIT 1) AS g "
    "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
    "JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid "
    "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND t.attnum > 0 "
    "AND NOT t.attisdropped AND n.nspname NOT IN ('pg_catalog', 'information_schema') "
    "AND n.nspname NOT LIKE 'pg\\_toast%' AND n.nspname NOT LIKE 'pg\\_temp%' "
    "ORDER BY 1, c.oid, t.attnum";

extern db_client db_client_postgres;

const db_driver db_postgres = {
    .title = "PostgreSQL",
    .open = pg_open,
    .close = pg_close,
    .start = pg_start,
    .next = pg_next,
    .tables = pg_tables,
    .dialect = DIALECT_POSTGRES,
    .client = &db_client_postgres,
};
