/*
 * db_mariadb.c - MariaDB and MySQL, through libmariadb.
 *
 * Statements are prepared, so that parameters are bound and values come in the binary
 * protocol: floats as they are and not as the six digits the server would print. Rows are
 * fetched one by one and never stored. The calls that may wait are the library's
 * non-blocking ones, with the waiting done here, where a timeout and an interrupt are
 * noticed.
 */
#include "db_driver.h"

#include <assert.h>
#include <errmsg.h>
#include <mysql.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BINARY_CHARSET = 63,
    FIRST_ROOM = 256,
    ERROR_ACCESS_DENIED = 1045,
    ERROR_SHUTDOWN = 1053,
    ERROR_EMPTY = 1065,
    ERROR_KILLED = 1927,
    ERROR_READ_ONLY = 1792,
    ERROR_TIMEOUT = 1969,
    ERROR_TIMEOUT_MYSQL = 3024
};

/* How a column's values are fetched and written. */
typedef enum maria_kind {
    MARIA_TEXT,
    MARIA_INTEGER,
    MARIA_BOOLEAN, /* TINYINT(1) */
    MARIA_BITS,
    MARIA_FLOAT,
    MARIA_DOUBLE,
    MARIA_DECIMAL,
    MARIA_TIME,
    MARIA_BINARY,
    MARIA_JSON
} maria_kind;

typedef struct maria_column {
    maria_kind kind;
    bool is_unsigned;
    bool is_bit; /* BIT(1) */
    union {
        long long whole;
        float single;
        double number;
    } value;
    char *text;
    unsigned long room;
    unsigned long len;
    my_bool is_null;
    my_bool cut;
} maria_column;

/* The parts of mariadb://user@host:port/database?socket=...; empty where missing. */
typedef struct maria_url {
    char user[128];
    char host[256];
    char port[8];
    char database[256];
    char socket[256];
    char ca[512];
    bool ssl;
} maria_url;

typedef struct maria_state {
    MYSQL *server;
    MYSQL_STMT *statement;
    maria_column *columns;
    MYSQL_BIND *binds;
    size_t count;
    bool readable;   /* rows may follow */
    bool unanswered; /* the server is at work and nobody waits for it any more */
    bool rebind;     /* a column has got more room */
    maria_url url;
} maria_state;

/* ------------------------------------------------------------------------- failing */

static pith_status maria_failed(db *from, unsigned number, const char *message,
                                pith_error *err)
{
    switch (number) {
    case CR_SERVER_GONE_ERROR:
    case CR_SERVER_LOST:
    case ERROR_SHUTDOWN:
    case ERROR_KILLED:
        return db_fail(err, PITH_IO, "connection_lost", "MariaDB: %s", message);
    case CR_OUT_OF_MEMORY:
        return db_no_memory(err);
    case ERROR_EMPTY:
        return db_no_statement(err);
    case ERROR_READ_ONLY:
        return db_fail(err, PITH_BAD_INPUT, "read_only",
                       "the statement would change the database; --write allows it "
                       "(MariaDB: %s)",
                       message);
    case ERROR_TIMEOUT:
    case ERROR_TIMEOUT_MYSQL:
        return from->options.timeout_max > 0
                   ? db_timed_out(from, err)
                   : db_fail(err, PITH_LIMIT, "timeout", "MariaDB: %s", message);
    default:
        return db_fail(err, PITH_BAD_INPUT, "query_failed", "MariaDB: %s", message);
    }
}

static pith_status maria_statement_failed(db *from, pith_error *err)
{
    maria_state *state = from->state;
    unsigned number = mysql_stmt_errno(state->statement);
    if (number != 0) {
        return maria_failed(from, number, mysql_stmt_error(state->statement), err);
    }
    /* In the middle of the rows the connection knows, and not the statement. */
    number = mysql_errno(state->server);
    const char *message = mysql_error(state->server);
    return maria_failed(from, number ? number : CR_SERVER_LOST,
                        number ? message : "the rows ended too early", err);
}

/* ------------------------------------------------------------------------- waiting */

/* Waits for what a non-blocking call asked for; `*wanted` becomes what has happened. */
static pith_status maria_wait(db *from, int *wanted, pith_error *err)
{
    maria_state *state = from->state;
    short events = 0;
    events |= *wanted & MYSQL_WAIT_READ ? POLLIN : 0;
    events |= *wanted & MYSQL_WAIT_WRITE ? POLLOUT : 0;
    events |= *wanted & MYSQL_WAIT_EXCEPT ? POLLPRI : 0;
    double until = db_now() + mysql_get_timeout_value_ms(state->server) / 1000.0;
    for (;;) {
        struct pollfd one = {mysql_get_socket(state->server), events, 0};
        int ready = poll(&one, 1, 200);
        if (ready > 0) {
            *wanted = (one.revents & (POLLIN | POLLHUP | POLLERR) ? MYSQL_WAIT_READ : 0) |
                      (one.revents & POLLOUT ? MYSQL_WAIT_WRITE : 0) |
                      (one.revents & POLLPRI ? MYSQL_WAIT_EXCEPT : 0);
            return PITH_OK;
        }
        pith_status status = db_may_go_on(from, err);
        if (status != PITH_OK) {
            state->unanswered = true;
            return status;
        }
        if ((*wanted & MYSQL_WAIT_TIMEOUT) && db_now() >= until) {
            *wanted = MYSQL_WAIT_TIMEOUT;
            return PITH_OK;
        }
    }
}

/* A non-blocking call and its continuations, until it is done: `start` gives the first
 * state, `go_on` the next. */
#define MARIA_RUN(from, waiting, status, start, go_on, err)                              \
    do {                                                                                 \
        waiting = (start);                                                               \
        while (waiting && (status = maria_wait(from, &waiting, err)) == PITH_OK) {       \
            waiting = (go_on);                                                           \
        }                                                                                \
    } while (0)

/* ----------------------------------------------------------------------------- URLs */

static int url_hex(char c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}

/* Copies a part with its %XX made bytes; false when it does not fit. */
static bool url_part(char *to, size_t size, const char *at, size_t len)
{
    size_t used = 0;
    for (size_t i = 0; i < len; i++, used++) {
        if (used + 1 >= size) {
            return false;
        }
        bool escaped = at[i] == '%' && i + 2 < len && url_hex(at[i + 1]) >= 0 &&
                       url_hex(at[i + 2]) >= 0;
        to[used] = escaped ? (char)(url_hex(at[i + 1]) * 16 + url_hex(at[i + 2])) : at[i];
        i += escaped ? 2 : 0;
    }
    to[used] = '\0';
    return true;
}

static bool url_query(maria_url *url, const char *at)
{
    while (*at != '\0') {
        size_t len = strcspn(at, "&");
        size_t word = strcspn(at, "=");
        if (word >= len) {
            return false;
        }
        const char *value = at + word + 1;
        size_t value_len = len - word - 1;
        bool fine = false;
        if (word == 6 && strncmp(at, "socket", word) == 0) {
            fine = url_part(url->socket, sizeof url->socket, value, value_len);
        } else if (word == 6 && strncmp(at, "ssl-ca", word) == 0) {
            url->ssl = true;
            fine = url_part(url->ca, sizeof url->ca, value, value_len);
        } else if (word == 3 && strncmp(at, "ssl", word) == 0) {
            url->ssl = value_len == 4 && strncmp(value, "true", 4) == 0;
            fine = url->ssl || (value_len == 5 && strncmp(value, "false", 5) == 0);
        }
        if (!fine) {
            return false;
        }
        at += len + (at[len] == '&');
    }
    return true;
}

static bool url_read(maria_url *url, const char *text)
{
    *url = (maria_url){0};
    const char *at = strstr(text, "://");
    if (!at) {
        return false;
    }
    at += 3;
    size_t authority = strcspn(at, "/?");
    const char *end = at + authority;
    const char *user_end = memchr(at, '@', authority);
    bool fine = true;
    if (user_end) {
        fine = url_part(url->user, sizeof url->user, at, (size_t)(user_end - at));
        at = user_end + 1;
    }
    const char *host = at;
    bool bracket = *host == '[';
    const char *host_end = bracket ? memchr(host, ']', (size_t)(end - host)) : NULL;
    host += bracket;
    const char *colon = memchr(host_end ? host_end : host, ':',
                               (size_t)(end - (host_end ? host_end : host)));
    if (!host_end) {
        host_end = colon ? colon : end;
    }
    fine = fine && url_part(url->host, sizeof url->host, host, (size_t)(host_end - host));
    if (colon) {
        fine = fine && url_part(url->port, sizeof url->port, colon + 1,
                                (size_t)(end - colon - 1));
    }
    at = end;
    if (*at == '/') {
        size_t len = strcspn(at + 1, "?");
        fine = fine && url_part(url->database, sizeof url->database, at + 1, len);
        at += 1 + len;
    }
    return fine && (*at != '?' || url_query(url, at + 1));
}

/* ------------------------------------------------------------------------- opening */

static const char *or_null(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

/* A connection yet to be made, as the URL says; NULL when out of memory. */
static MYSQL *maria_init(const maria_url *url)
{
    my_bool yes = 1;
    MYSQL *server = mysql_init(NULL);
    if (!server) {
        return NULL;
    }
    mysql_options(server, MYSQL_READ_DEFAULT_GROUP, "client");
    mysql_options(server, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    if (url->ssl) {
        mysql_options(server, MYSQL_OPT_SSL_ENFORCE, &yes);
    }
    if (url->ca[0] != '\0') {
        mysql_ssl_set(server, NULL, NULL, url->ca, NULL, NULL);
        mysql_options(server, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &yes);
    }
    return server;
}

static pith_status maria_connect(db *from, const char *password, pith_error *err)
{
    maria_state *state = from->state;
    const maria_url *url = &state->url;
    MYSQL *connected = NULL;
    pith_status status = PITH_OK;
    int waiting = 0;
    mysql_close(state->server);
    state->server = maria_init(url);
    if (!state->server) {
        return db_no_memory(err);
    }
    mysql_options(state->server, MYSQL_OPT_NONBLOCK, NULL);
    unsigned port = (unsigned)strtoul(url->port, NULL, 10);
    MARIA_RUN(from, waiting, status,
              mysql_real_connect_start(
                  &connected, state->server, or_null(url->host), or_null(url->user),
                  password, or_null(url->database), port, or_null(url->socket), 0),
              mysql_real_connect_cont(&connected, state->server, waiting), err);
    if (status != PITH_OK) {
        return status;
    }
    if (!connected) {
        return db_fail(err, PITH_IO, "connect_failed", "MariaDB: %s",
                       mysql_error(state->server));
    }
    /* The library asks for TLS, and goes on without it where there is none. */
    if (url->ssl && !mysql_get_ssl_cipher(state->server)) {
        return db_fail(err, PITH_IO, "connect_failed",
                       "MariaDB: TLS is asked for, and the server has none");
    }
    return PITH_OK;
}

static pith_status maria_ask_and_connect(db *from, pith_error *err)
{
    const maria_url *url = &((maria_state *)from->state)->url;
    char password[256];
    char who[400];
    pith_status status = PITH_IO;
    snprintf(who, sizeof who, "%s@%s", url->user, url->host);
    if (from->options.password &&
        from->options.password(from->options.ctx, who, password, sizeof password)) {
        status = maria_connect(from, password, err);
    }
    memset(password, 0, sizeof password);
    return status;
}

static pith_status maria_command(db *from, const char *sql, pith_error *err)
{
    maria_state *state = from->state;
    if (mysql_query(state->server, sql) != 0) {
        return maria_failed(from, mysql_errno(state->server), mysql_error(state->server),
                            err);
    }
    return PITH_OK;
}

/* MySQL has another word for the timeout, and another unit. */
static pith_status maria_prepare_session(db *from, pith_error *err)
{
    char sql[96];
    unsigned seconds = from->options.timeout_max;
    if (seconds > 0) {
        snprintf(sql, sizeof sql, "SET SESSION max_statement_time = %u", seconds);
        if (maria_command(from, sql, NULL) != PITH_OK) {
            snprintf(sql, sizeof sql, "SET SESSION max_execution_time = %lu",
                     (unsigned long)seconds * 1000);
            maria_command(from, sql, NULL); /* then the clock on this side must do */
        }
    }
    if (from->options.write) {
        return PITH_OK;
    }
    pith_status status = maria_command(from, "SET SESSION TRANSACTION READ ONLY", err);
    return status == PITH_OK ? maria_command(from, "START TRANSACTION READ ONLY", err)
                             : status;
}

static pith_status maria_open(db *from, const char *text, pith_error *err)
{
    maria_state *state = calloc(1, sizeof *state);
    from->state = state;
    if (!state) {
        return db_no_memory(err);
    }
    if (!url_read(&state->url, text)) {
        return db_fail(err, PITH_BAD_USE, "bad_url",
                       "expected mariadb://[USER@]HOST[:PORT]/DATABASE, and of settings "
                       "socket=PATH, ssl=true, ssl-ca=FILE");
    }
    const char *password = getenv("PITH_DB_PASSWORD");
    password = password ? password : getenv("MYSQL_PWD");
    pith_status status = maria_connect(from, password, err);
    if (status == PITH_IO && !password &&
        mysql_errno(state->server) == ERROR_ACCESS_DENIED) {
        status = maria_ask_and_connect(from, err);
    }
    return status == PITH_OK ? maria_prepare_session(from, err) : status;
}

static void maria_drop_columns(maria_state *state)
{
    for (size_t i = 0; i < state->count; i++) {
        free(state->columns[i].text);
    }
    free(state->columns);
    free(state->binds);
    state->columns = NULL;
    state->binds = NULL;
    state->count = 0;
}

/* A server notices that its client has gone when it next has a row for it, which may be
 * in an hour. So it is told, over a connection of its own, with whatever opened the first;
 * if that cannot be had within a moment, there is nothing more to be done. */
static void maria_end_query(const maria_state *state)
{
    unsigned seconds = 2;
    char sql[64];
    const MYSQL *busy = state->server;
    MYSQL *other = maria_init(&state->url);
    if (!other) {
        return;
    }
    mysql_options(other, MYSQL_OPT_CONNECT_TIMEOUT, &seconds);
    mysql_options(other, MYSQL_OPT_READ_TIMEOUT, &seconds);
    mysql_options(other, MYSQL_OPT_WRITE_TIMEOUT, &seconds);
    if (mysql_real_connect(other, busy->host, busy->user, busy->passwd, NULL, busy->port,
                           busy->unix_socket, 0)) {
        snprintf(sql, sizeof sql, "KILL QUERY %lu", busy->thread_id);
        mysql_query(other, sql);
    }
    mysql_close(other);
}

/* Closing a statement would fetch the rows that are left, so the connection goes
 * first. */
static void maria_close(db *from)
{
    maria_state *state = from->state;
    if (state) {
        if (state->readable && state->unanswered) {
            maria_end_query(state);
        }
        if (state->readable) {
            mysql_close(state->server);
            state->server = NULL;
        }
        if (state->statement) {
            mysql_stmt_close(state->statement);
        }
        mysql_close(state->server);
        maria_drop_columns(state);
        free(state);
        mysql_library_end();
    }
}

/* ------------------------------------------------------------------------- columns */

static bool maria_attribute(const MYSQL_FIELD *field, enum mariadb_field_attr_t which,
                            const char *word)
{
    MARIADB_CONST_STRING found = {NULL, 0};
    return mariadb_field_attr(&found, field, which) == 0 &&
           found.length == strlen(word) && memcmp(found.str, word, found.length) == 0;
}

static bool maria_is_json(const MYSQL_FIELD *field)
{
    return field->type == MYSQL_TYPE_JSON ||
           maria_attribute(field, MARIADB_FIELD_ATTR_FORMAT_NAME, "json");
}

static bool maria_is_spelled(const MYSQL_FIELD *field)
{
    return maria_attribute(field, MARIADB_FIELD_ATTR_DATA_TYPE_NAME, "uuid") ||
           maria_attribute(field, MARIADB_FIELD_ATTR_DATA_TYPE_NAME, "inet4") ||
           maria_attribute(field, MARIADB_FIELD_ATTR_DATA_TYPE_NAME, "inet6");
}

static maria_kind maria_kind_of(const MYSQL_FIELD *field)
{
    switch (field->type) {
    case MYSQL_TYPE_TINY:
        return field->length == 1 ? MARIA_BOOLEAN : MARIA_INTEGER;
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_LONGLONG:
    case MYSQL_TYPE_YEAR:
        return MARIA_INTEGER;
    case MYSQL_TYPE_BIT:
        return MARIA_BITS;
    case MYSQL_TYPE_FLOAT:
        return MARIA_FLOAT;
    case MYSQL_TYPE_DOUBLE:
        return MARIA_DOUBLE;
    case MYSQL_TYPE_DECIMAL:
    case MYSQL_TYPE_NEWDECIMAL:
        return MARIA_DECIMAL;
    case MYSQL_TYPE_DATE:
    case MYSQL_TYPE_NEWDATE:
    case MYSQL_TYPE_DATETIME:
    case MYSQL_TYPE_TIMESTAMP:
        return MARIA_TIME;
    case MYSQL_TYPE_TIME:
        return MARIA_TEXT;
    case MYSQL_TYPE_GEOMETRY:
        return MARIA_BINARY;
    default:
        break;
    }
    if (maria_is_json(field)) {
        return MARIA_JSON;
    }
    bool binary = field->charsetnr == BINARY_CHARSET && !maria_is_spelled(field);
    return binary ? MARIA_BINARY : MARIA_TEXT;
}

/* Where a column's values are put. */
static bool maria_bind(maria_column *column, MYSQL_BIND *bind)
{
    bind->is_null = &column->is_null;
    bind->length = &column->len;
    bind->error = &column->cut;
    switch (column->kind) {
    case MARIA_INTEGER:
    case MARIA_BOOLEAN:
        bind->buffer_type = MYSQL_TYPE_LONGLONG;
        bind->buffer = &column->value.whole;
        bind->is_unsigned = column->is_unsigned;
        return true;
    case MARIA_FLOAT:
        bind->buffer_type = MYSQL_TYPE_FLOAT;
        bind->buffer = &column->value.single;
        return true;
    case MARIA_DOUBLE:
        bind->buffer_type = MYSQL_TYPE_DOUBLE;
        bind->buffer = &column->value.number;
        return true;
    case MARIA_BITS:
    case MARIA_BINARY:
        bind->buffer_type = MYSQL_TYPE_BLOB;
        break;
    case MARIA_TEXT:
    case MARIA_DECIMAL:
    case MARIA_TIME:
    case MARIA_JSON:
        bind->buffer_type = MYSQL_TYPE_STRING;
        break;
    }
    if (!column->text) {
        column->room = FIRST_ROOM;
        column->text = malloc(column->room);
    }
    bind->buffer = column->text;
    bind->buffer_length = column->room;
    return column->text != NULL;
}

/* The name of what a column holds, where that has a type elsewhere. */
static const char *maria_type_name(const maria_column *column)
{
    switch (column->kind) {
    case MARIA_INTEGER:
        return column->is_unsigned ? "bigint unsigned" : "bigint";
    case MARIA_BOOLEAN:
        return "boolean";
    case MARIA_FLOAT:
        return "float";
    case MARIA_DOUBLE:
        return "double";
    case MARIA_TEXT:
        return "text";
    case MARIA_BINARY:
        return "blob";
    default:
        return "";
    }
}

static pith_status maria_name_columns(db *from, pith_error *err)
{
    maria_state *state = from->state;
    MYSQL_RES *described = mysql_stmt_result_metadata(state->statement);
    size_t count = described ? mysql_num_fields(described) : 0;
    state->columns = calloc(count + 1, sizeof *state->columns);
    state->binds = calloc(count + 1, sizeof *state->binds);
    bool fine = state->columns && state->binds && db_set_columns(from, count);
    state->count = fine ? count : 0;
    for (size_t i = 0; i < count && fine; i++) {
        const MYSQL_FIELD *field = mysql_fetch_field_direct(described, (unsigned)i);
        maria_column *column = &state->columns[i];
        column->kind = maria_kind_of(field);
        column->is_unsigned = (field->flags & UNSIGNED_FLAG) != 0;
        column->is_bit = field->type == MYSQL_TYPE_BIT && field->length == 1;
        if (field->type == MYSQL_TYPE_GEOMETRY) {
            db_note(from, true,
                    "the type of \"%.60s\" is not known; it is written as its "
                    "bytes, in base64",
                    field->name);
        }
        fine = db_name_column(from, i, field->name, maria_type_name(column),
                              column->kind == MARIA_JSON) &&
               maria_bind(column, &state->binds[i]);
    }
    mysql_free_result(described);
    if (!fine) {
        return db_no_memory(err);
    }
    if (count > 0 && mysql_stmt_bind_result(state->statement, state->binds)) {
        return maria_statement_failed(from, err);
    }
    return PITH_OK;
}

/* ------------------------------------------------------------------------- running */

typedef struct maria_param {
    long long whole;
    unsigned long len;
} maria_param;

/* A whole number is bound as one: compared with an integer, a text would lose digits. */
static void maria_bind_param(MYSQL_BIND *bind, maria_param *param, const char *value)
{
    char again[32];
    if (!value) {
        bind->buffer_type = MYSQL_TYPE_NULL;
        return;
    }
    param->whole = strtoll(value, NULL, 10);
    snprintf(again, sizeof again, "%lld", param->whole);
    if (strcmp(again, value) == 0) {
        bind->buffer_type = MYSQL_TYPE_LONGLONG;
        bind->buffer = &param->whole;
        return;
    }
    param->len = (unsigned long)strlen(value);
    bind->buffer_type = MYSQL_TYPE_STRING;
    bind->buffer = (void *)value;
    bind->buffer_length = param->len;
    bind->length = &param->len;
}

static pith_status maria_execute(db *from, pith_error *err)
{
    maria_state *state = from->state;
    pith_status status = PITH_OK;
    int waiting = 0;
    int failed = 0;
    MARIA_RUN(from, waiting, status, mysql_stmt_execute_start(&failed, state->statement),
              mysql_stmt_execute_cont(&failed, state->statement, waiting), err);
    if (status != PITH_OK) {
        state->readable = true; /* whatever it is doing, it is not done */
        return status;
    }
    return failed ? maria_statement_failed(from, err) : PITH_OK;
}

static pith_status maria_bind_and_execute(db *from, const char *const *params,
                                          size_t count, pith_error *err)
{
    maria_state *state = from->state;
    MYSQL_BIND *binds = calloc(count + 1, sizeof *binds);
    maria_param *values = calloc(count + 1, sizeof *values);
    if (!binds || !values) {
        free(binds);
        free(values);
        return db_no_memory(err);
    }
    for (size_t i = 0; i < count; i++) {
        maria_bind_param(&binds[i], &values[i], params[i]);
    }
    bool bound = count == 0 || !mysql_stmt_bind_param(state->statement, binds);
    pith_status status =
        bound ? maria_execute(from, err) : maria_statement_failed(from, err);
    free(binds);
    free(values);
    return status;
}

static pith_status maria_prepare(db *from, const char *sql, size_t params,
                                 pith_error *err)
{
    maria_state *state = from->state;
    pith_status status = PITH_OK;
    int waiting = 0;
    int failed = 0;
    if (state->statement) {
        mysql_stmt_close(state->statement);
    }
    maria_drop_columns(state);
    state->statement = mysql_stmt_init(state->server);
    if (!state->statement) {
        return db_no_memory(err);
    }
    MARIA_RUN(from, waiting, status,
              mysql_stmt_prepare_start(&failed, state->statement, sql,
                                       (unsigned long)strlen(sql)),
              mysql_stmt_prepare_cont(&failed, state->statement, waiting), err);
    if (status != PITH_OK) {
        state->readable = true;
        return status;
    }
    if (failed) {
        return maria_statement_failed(from, err);
    }
    size_t wanted = mysql_stmt_param_count(state->statement);
    if (wanted != params) {
        return db_fail(err, PITH_BAD_USE, "parameter_count",
                       "the statement has %zu parameter%s, and %zu %s given", wanted,
                       wanted == 1 ? "" : "s", params, params == 1 ? "is" : "are");
    }
    return PITH_OK;
}

static pith_status maria_start(db *from, const char *sql, const char *const *params,
                               size_t count, pith_error *err)
{
    maria_state *state = from->state;
    pith_status status = maria_prepare(from, sql, count, err);
    if (status == PITH_OK) {
        status = maria_bind_and_execute(from, params, count, err);
    }
    if (status == PITH_OK) {
        status = maria_name_columns(from, err);
        state->readable = state->count > 0;
    }
    return status;
}

/* --------------------------------------------------------------------------- cells */

/* Fetches a value that did not fit, into more room. */
static pith_status maria_refetch(db *from, size_t index, pith_error *err)
{
    maria_state *state = from->state;
    maria_column *column = &state->columns[index];
    char *larger = realloc(column->text, column->len + column->len / 2 + 1);
    if (!larger) {
        return db_no_memory(err);
    }
    column->text = larger;
    column->room = column->len + column->len / 2 + 1;
    maria_bind(column, &state->binds[index]);
    state->rebind = true; /* not before the row is done: that would forget where it is */
    if (mysql_stmt_fetch_column(state->statement, &state->binds[index], (unsigned)index,
                                0)) {
        return maria_statement_failed(from, err);
    }
    return PITH_OK;
}

static void maria_put_unsigned(db *from, pith_rows *rows, size_t index, uint64_t number)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    db_put_number(from, rows, index, digits, (size_t)len);
}

static void maria_put_bits(db *from, pith_rows *rows, size_t index,
                           const maria_column *column)
{
    uint64_t number = 0;
    assert(column->text); /* bits are bound as bytes */
    for (unsigned long i = 0; i < column->len; i++) {
        number = number << 8 | (unsigned char)column->text[i];
    }
    if (column->is_bit) {
        pith_rows_add_bool(rows, number != 0);
    } else {
        maria_put_unsigned(from, rows, index, number);
    }
}

static void maria_put_integer(db *from, pith_rows *rows, size_t index,
                              const maria_column *column)
{
    long long whole = column->value.whole;
    if (column->kind == MARIA_BOOLEAN && (whole == 0 || whole == 1)) {
        pith_rows_add_bool(rows, whole != 0);
    } else if (column->is_unsigned && whole < 0) {
        maria_put_unsigned(from, rows, index, (uint64_t)whole);
    } else {
        pith_rows_add_int64(rows, whole);
    }
}

static pith_status maria_put_cell(db *from, pith_rows *rows, size_t index,
                                  pith_error *err)
{
    maria_state *state = from->state;
    maria_column *column = &state->columns[index];
    pith_status status = PITH_OK;
    if (column->is_null) {
        pith_rows_add_null(rows);
        return PITH_OK;
    }
    if (column->text && column->len > column->room) {
        status = maria_refetch(from, index, err);
    }
    if (status != PITH_OK) {
        return status;
    }
    switch (column->kind) {
    case MARIA_INTEGER:
    case MARIA_BOOLEAN:
        maria_put_integer(from, rows, index, column);
        return PITH_OK;
    case MARIA_BITS:
        maria_put_bits(from, rows, index, column);
        return PITH_OK;
    case MARIA_FLOAT:
        db_put_double(rows, (double)column->value.single, true);
        return PITH_OK;
    case MARIA_DOUBLE:
        db_put_double(rows, column->value.number, false);
        return PITH_OK;
    case MARIA_DECIMAL:
        db_put_number(from, rows, index, column->text, column->len);
        return PITH_OK;
    case MARIA_TIME:
        return db_put_time(from, rows, index, column->text, column->len, err);
    case MARIA_BINARY:
        return db_put_binary(from, rows, column->text, column->len, err);
    case MARIA_JSON:
        return db_put_json(from, rows, index, column->text, column->len, err);
    case MARIA_TEXT:
        break;
    }
    return db_put_text(from, rows, index, column->text, column->len, err);
}

static pith_status maria_fetch(db *from, int *outcome, pith_error *err)
{
    maria_state *state = from->state;
    pith_status status = PITH_OK;
    int waiting = 0;
    if (state->rebind && mysql_stmt_bind_result(state->statement, state->binds)) {
        return maria_statement_failed(from, err);
    }
    state->rebind = false;
    MARIA_RUN(from, waiting, status, mysql_stmt_fetch_start(outcome, state->statement),
              mysql_stmt_fetch_cont(outcome, state->statement, waiting), err);
    return status;
}

static pith_status maria_next(db *from, pith_rows *rows, bool *more, pith_error *err)
{
    maria_state *state = from->state;
    int outcome = MYSQL_NO_DATA;
    pith_status status = PITH_OK;
    *more = false;
    if (state->count > 0) {
        status = maria_fetch(from, &outcome, err);
    }
    if (status != PITH_OK) {
        return status;
    }
    if (outcome == MYSQL_NO_DATA) {
        state->readable = false;
        from->changed = state->count > 0 ? 0 : mysql_stmt_affected_rows(state->statement);
        return PITH_OK;
    }
    if (outcome != 0 && outcome != MYSQL_DATA_TRUNCATED) {
        return maria_statement_failed(from, err);
    }
    for (size_t i = 0; rows && i < state->count && status == PITH_OK; i++) {
        status = maria_put_cell(from, rows, i, err);
    }
    *more = true;
    return status;
}

static const char maria_tables[] =
    "SELECT c.TABLE_NAME AS a, c.COLUMN_NAME AS b, c.COLUMN_TYPE AS c, "
    "IF(c.IS_NULLABLE = 'YES', 'yes', 'no') AS d, IF(c.COLUMN_KEY = 'PRI', 'yes', 'no') "
    "AS e, IF(t.TABLE_TYPE LIKE '%TABLE%', "
    "CONCAT('`', REPLACE(c.TABLE_NAME, '`', '``'), '`'), NULL) AS f "
    "FROM information_schema.COLUMNS c JOIN information_schema.TABLES t "
    "ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME "
    "WHERE c.TABLE_SCHEMA = DATABASE() ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION";

const db_driver db_mariadb = {
    "MariaDB",  maria_open,   maria_close, maria_start,
    maria_next, maria_tables, NULL,        DIALECT_MARIADB,
};
