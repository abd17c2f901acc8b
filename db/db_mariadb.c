/*
 * db_mariadb.c - MariaDB and MySQL, through libmariadb; see db_mariadb.h.
 *
 * Statements are prepared, so that parameters are bound and values come in the binary
 * protocol: floats as they are and not as the six digits the server would print. Rows are
 * read one by one and never stored.
 */
#include "db_mariadb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------- running */

/* What is sent to run a statement; it grows. */
typedef struct maria_request {
    unsigned char *data;
    size_t len, room;
    bool full; /* out of memory */
} maria_request;

static void request_bytes(maria_request *request, const void *data, size_t len)
{
    if (request->full || request->room - request->len < len) {
        size_t room = request->len + len + request->len / 2 + 64;
        unsigned char *larger = request->full ? NULL : realloc(request->data, room);
        if (!larger) {
            request->full = true;
            return;
        }
        request->data = larger;
        request->room = room;
    }
    if (len > 0) {
        memcpy(request->data + request->len, data, len);
        request->len += len;
    }
}

static void request_number(maria_request *request, uint64_t number, size_t bytes)
{
    unsigned char low_first[8];
    for (size_t i = 0; i < bytes; i++)
        low_first[i] = (unsigned char)(number >> 8 * i);
    request_bytes(request, low_first, bytes);
}

static void request_text(maria_request *request, const char *text)
{
    enum { ONE_MAX = 250, TWO = 252, THREE = 253, EIGHT = 254 };
    size_t len = strlen(text);
    if (len > ONE_MAX) {
        size_t bytes = len <= 0xFFFF ? 2 : len <= 0xFFFFFF ? 3 : 8;
        request_number(request, bytes == 2 ? TWO : bytes == 3 ? THREE : EIGHT, 1);
        request_number(request, len, bytes);
    } else {
        request_number(request, len, 1);
    }
    request_bytes(request, text, len);
}

/* A whole number is bound as one: compared with an integer, a text would lose digits. */
static bool maria_is_whole(const char *value, long long *whole)
{
    char again[32];
    *whole = strtoll(value, NULL, 10);
    snprintf(again, sizeof again, "%lld", *whole);
    return strcmp(again, value) == 0;
}

/* A bit for each null, the types, the values. */
static void request_params(maria_request *request, const char *const *params,
                           size_t count)
{
    long long whole;
    for (size_t i = 0; i < count; i += 8) {
        uint64_t nulls = 0;
        for (size_t k = i; k < i + 8 && k < count; k++)
            nulls |= (uint64_t)(params[k] == NULL) << (k - i);
        request_number(request, nulls, 1);
    }
    if (count > 0)
        request_number(request, 1, 1); /* the types follow */
    for (size_t i = 0; i < count; i++) {
        bool number = params[i] && maria_is_whole(params[i], &whole);
        request_number(request,
                       !params[i] ? MYSQL_TYPE_NULL
                       : number   ? MYSQL_TYPE_LONGLONG
                                  : MYSQL_TYPE_STRING,
                       2);
    }
    for (size_t i = 0; i < count; i++)
        if (params[i] && maria_is_whole(params[i], &whole))
            request_number(request, (uint64_t)whole, 8);
        else if (params[i])
            request_text(request, params[i]);
}

static pith_status maria_execute(db *from, const char *const *params, size_t count,
                                 pith_error *err)
{
    maria_state *state = from->state;
    maria_request request = {0};
    request_number(&request, state->statement, 4);
    request_number(&request, 0, 1); /* no cursor */
    request_number(&request, 1, 4); /* once */
    request_params(&request, params, count);
    pith_status status = request.full
                             ? error_no_memory(err)
                             : maria_send(from, COM_STMT_EXECUTE,
                                          (const char *)request.data, request.len, err);
    free(request.data);
    return status;
}

/* Ends the statement before, on the server too, which does not answer to that. */
static pith_status maria_end_statement(db *from, pith_error *err)
{
    maria_state *state = from->state;
    pith_status status = maria_drop_rest(from, err);
    if (status == PITH_OK && state->statement != 0) {
        char number[4];
        for (int i = 0; i < 4; i++)
            number[i] = (char)(unsigned char)(state->statement >> 8 * i);
        status = maria_send(from, COM_STMT_CLOSE, number, sizeof number, err);
    }
    state->statement = 0;
    maria_drop_columns(state);
    return status;
}

/* Reads over the definitions of parameters, which say nothing of use. */
static pith_status maria_drop_params(db *from, size_t count, pith_error *err)
{
    pith_status status = PITH_OK;
    wire packet;
    for (size_t i = 0; i < count && status == PITH_OK; i++) {
        unsigned ignored;
        status = maria_receive(from, &packet, err);
        if (status == PITH_OK && wire_is_end(&packet, &ignored))
            status = db_fault(from, err, "it describes %zu of %zu parameters", i, count);
    }
    return status == PITH_OK && count > 0 ? maria_read_end(from, err) : status;
}

static pith_status maria_prepare(db *from, const char *sql, size_t params,
                                 pith_error *err)
{
    maria_state *state = from->state;
    wire packet;
    pith_status status = maria_send(from, COM_STMT_PREPARE, sql, strlen(sql), err);
    if (status == PITH_OK)
        status = maria_receive(from, &packet, err);
    if (status != PITH_OK)
        return status;
    uint64_t first = wire_number(&packet, 1);
    state->statement = wire_number(&packet, 4);
    size_t columns = (size_t)wire_number(&packet, 2);
    size_t wanted = (size_t)wire_number(&packet, 2);
    if (first != 0 || packet.bad)
        return db_fault(from, err, "it does not say what the statement has");
    status = maria_drop_params(from, wanted, err);
    if (status == PITH_OK && columns > 0)
        status = maria_read_columns(from, columns, err);
    else if (status == PITH_OK && !db_set_columns(from, 0))
        status = error_no_memory(err);
    return status == PITH_OK ? db_check_params(wanted, params, err) : status;
}

/* Reads what comes before the rows: how many columns there are, and perhaps once more
 * what they are, which a parameter may have changed. A procedure describes its columns
 * here alone. */
static pith_status maria_read_result(db *from, pith_error *err)
{
    enum { COLUMNS_MAX = 65535 };
    maria_state *state = from->state;
    wire packet;
    wire_ok ok;
    pith_status status = maria_receive(from, &packet, err);
    if (status != PITH_OK)
        return status;
    if (packet.at[0] == 0 || packet.at[0] == WIRE_FILE_WANTED) {
        status = maria_read_ok(from, &packet, &ok, err);
        from->changed = status == PITH_OK ? ok.changed : 0;
        return status == PITH_OK && state->count > 0
                   ? db_fault(from, err, "it has described rows and sends none")
                   : status;
    }
    uint64_t count = wire_length(&packet);
    bool described = wire_left(&packet) == 0 || wire_number(&packet, 1) != 0;
    if (packet.bad || count > COLUMNS_MAX || (!described && state->count == 0) ||
        (state->count > 0 && count != state->count)) {
        return db_fault(from, err, "it sends %llu column%s and has described %zu",
                        (unsigned long long)count, count == 1 ? "" : "s", state->count);
    }
    state->procedure = state->count == 0;
    status = described ? maria_read_columns(from, (size_t)count, err)
                       : maria_read_end(from, err);
    state->rest = status == PITH_OK ? MARIA_ROWS : MARIA_NOTHING;
    return status;
}

static pith_status maria_start(db *from, const char *sql, const char *const *params,
                               size_t count, pith_error *err)
{
    pith_status status = maria_end_statement(from, err);
    if (status == PITH_OK)
        status = maria_prepare(from, sql, count, err);
    if (status == PITH_OK)
        status = maria_execute(from, params, count, err);
    if (status == PITH_OK)
        status = maria_read_result(from, err);
    if (status == PITH_OK)
        maria_note_types(from);
    return status;
}

/* ---------------------------------------------------------------------------- rows */

static pith_status maria_next(db *from, pith_rows *rows, bool *more, pith_error *err)
{
    maria_state *state = from->state;
    wire packet;
    unsigned status;
    *more = false;
    if (state->rest != MARIA_ROWS)
        return PITH_OK;
    pith_status got = maria_receive(from, &packet, err);
    if (got != PITH_OK)
        return got;
    if (wire_is_end(&packet, &status)) {
        state->rest = status & WIRE_MORE_RESULTS ? MARIA_RESULT : MARIA_NOTHING;
        return state->rest == MARIA_NOTHING || state->procedure
                   ? PITH_OK
                   : db_fault(from, err, "it sends a second result");
    }
    *more = true;
    return rows ? maria_put_row(from, rows, &packet, err) : PITH_OK;
}

static const char maria_tables[] =
    "SELECT c.TABLE_NAME AS a, c.COLUMN_NAME AS b, c.COLUMN_TYPE AS c, "
    "IF(c.IS_NULLABLE = 'YES', 'yes', 'no') AS d, IF(c.COLUMN_KEY = 'PRI', 'yes', 'no') "
    "AS e, IF(t.TABLE_TYPE LIKE '%TABLE%', "
    "CONCAT('`', REPLACE(c.TABLE_NAME, '`', '``'), '`'), NULL) AS f, "
    "(SELECT CONCAT(k.REFERENCED_TABLE_NAME, '.', k.REFERENCED_COLUMN_NAME) "
    "FROM information_schema.KEY_COLUMN_USAGE k WHERE k.TABLE_SCHEMA = c.TABLE_SCHEMA "
    "AND k.TABLE_NAME = c.TABLE_NAME AND k.COLUMN_NAME = c.COLUMN_NAME "
    "AND k.REFERENCED_TABLE_NAME IS NOT NULL LIMIT 1) AS g "
    "FROM information_schema.COLUMNS c JOIN information_schema.TABLES t "
    "ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME "
    "WHERE c.TABLE_SCHEMA = DATABASE() ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION";

extern db_client db_client_mariadb;

const db_driver db_mariadb = {
    .title = "MariaDB",
    .open = maria_open,
    .close = maria_close,
    .start = maria_start,
    .next = maria_next,
    .tables = maria_tables,
    .dialect = DIALECT_MARIADB,
    .client = &db_client_mariadb,
};
