/*
 * db_mariadb_connect.c - how a URL becomes a connection to MariaDB or MySQL.
 *
 * What the URL leaves open is chosen here: TLS with a verified server, unless the host is
 * this machine; and no way to authenticate that hands over the password, unless the
 * server is verified or at the other end of a socket of this machine. A session begins
 * with a limit of time and, without --write, with a transaction that can only read. A
 * server that is still at work when the connection is closed is asked to stop.
 */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "db_mariadb.h"

#include <errmsg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_ACCESS_DENIED = 1045 };

/* ----------------------------------------------------------------------------- URLs */

static bool url_is(const char *at, size_t len, const char *word)
{
    return len == strlen(word) && strncmp(at, word, len) == 0;
}

/* true or false, and nothing else. */
static bool url_choice(maria_choice *choice, const char *value, size_t len)
{
    *choice = url_is(value, len, "true") ? MARIA_YES : MARIA_NO;
    return *choice == MARIA_YES || url_is(value, len, "false");
}

static bool url_setting(maria_url *url, const char *word, size_t word_len,
                        const char *value, size_t len)
{
    if (url_is(word, word_len, "socket"))
        return db_url_part(url->socket, sizeof url->socket, value, len);
    if (url_is(word, word_len, "ssl-ca"))
        return db_url_part(url->ca, sizeof url->ca, value, len);
    if (url_is(word, word_len, "ssl"))
        return url_choice(&url->ssl, value, len);
    if (url_is(word, word_len, "ssl-verify"))
        return url_choice(&url->verify, value, len);
    if (url_is(word, word_len, "connect_timeout") && len > 0 && len < 7 &&
        strspn(value, "0123456789") >= len) {
        url->seconds = (unsigned)strtoul(value, NULL, 10);
        return true;
    }
    return false;
}

static bool url_query(maria_url *url, const char *at)
{
    while (*at != '\0') {
        size_t len = strcspn(at, "&");
        size_t word = strcspn(at, "=");
        if (word >= len)
            return false;
        const char *value = at + word + 1;
        size_t value_len = len - word - 1;
        if (!url_setting(url, at, word, value, value_len))
            return false;
        at += len + (at[len] == '&');
    }
    return true;
}

static bool url_read(maria_url *url, const char *text)
{
    *url = (maria_url){0};
    const char *at = strstr(text, "://");
    if (!at)
        return false;
    at += 3;
    size_t authority = strcspn(at, "/?");
    const char *end = at + authority;
    const char *user_end = memchr(at, '@', authority);
    bool fine = true;
    if (user_end) {
        fine = db_url_part(url->user, sizeof url->user, at, (size_t)(user_end - at));
        at = user_end + 1;
    }
    const char *host = at;
    bool bracket = *host == '[';
    const char *host_end = bracket ? memchr(host, ']', (size_t)(end - host)) : NULL;
    host += bracket;
    const char *colon = memchr(host_end ? host_end : host, ':',
                               (size_t)(end - (host_end ? host_end : host)));
    if (!host_end)
        host_end = colon ? colon : end;
    fine =
        fine && db_url_part(url->host, sizeof url->host, host, (size_t)(host_end - host));
    if (colon) {
        fine = fine && db_url_part(url->port, sizeof url->port, colon + 1,
                                   (size_t)(end - colon - 1));
    }
    at = end;
    if (*at == '/') {
        size_t len = strcspn(at + 1, "?");
        fine = fine && db_url_part(url->database, sizeof url->database, at + 1, len);
        at += 1 + len;
    }
    return fine && (*at != '?' || url_query(url, at + 1));
}

/* ------------------------------------------------------------------------- opening */

static const char *or_null(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

/* No file is read for a server, whatever a user's option file allows. */
static int infile_open(void **file, const char *name, void *ctx)
{
    (void)file;
    (void)name;
    (void)ctx;
    return 1;
}

static int infile_read(void *file, char *to, unsigned size)
{
    (void)file;
    (void)to;
    (void)size;
    return -1;
}

static void infile_close(void *file)
{
    (void)file;
}

static int infile_error(void *file, char *to, unsigned size)
{
    (void)file;
    snprintf(to, size, "LOCAL INFILE is off");
    return CR_UNKNOWN_ERROR;
}

/* The ways to authenticate that show a server nothing but proof. Those that hand over the
 * password need one that has been verified, or a socket of this machine; the plugins that
 * do so in clear text are in neither list. */
static const char *maria_ways(const maria_url *url)
{
    bool sure =
        url->verify == MARIA_YES || (url->socket[0] != '\0' && db_is_local(url->host));
    return sure ? "mysql_native_password,client_ed25519,parsec,auth_gssapi_client,"
                  "caching_sha2_password,sha256_password"
                : "mysql_native_password,client_ed25519,parsec,auth_gssapi_client";
}

/* A connection yet to be made, as the URL says; NULL when out of memory. */
static MYSQL *maria_init(const maria_url *url)
{
    my_bool yes = 1;
    my_bool no = 0;
    unsigned off = 0;
    MYSQL *server = mysql_init(NULL);
    if (!server)
        return NULL;
    mysql_options(server, MYSQL_READ_DEFAULT_GROUP, "client");
    mysql_options(server, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    mysql_options(server, MYSQL_OPT_LOCAL_INFILE, &off);
    mysql_options(server, MARIADB_OPT_RESTRICTED_AUTH, maria_ways(url));
    mysql_options(server, MARIADB_OPT_IO_WAIT, maria_wait);
    mysql_set_local_infile_handler(server, infile_open, infile_read, infile_close,
                                   infile_error, NULL);
    if (url->ssl == MARIA_YES)
        mysql_options(server, MYSQL_OPT_SSL_ENFORCE, &yes);
    if (url->ca[0] != '\0')
        mysql_ssl_set(server, NULL, NULL, url->ca, NULL, NULL);
    mysql_options(server, MYSQL_OPT_SSL_VERIFY_SERVER_CERT,
                  url->verify == MARIA_YES ? &yes : &no);
    return server;
}

/* Without a word of the URL's, TLS is needed and verified for every host but this one. */
static void maria_choose_tls(maria_url *url)
{
    bool local = db_is_local(url->host);
    if (url->host[0] == '\0')
        snprintf(url->host, sizeof url->host, "localhost");
    if (url->ssl == MARIA_UNSAID) {
        bool wanted = !local || url->ca[0] != '\0' || url->verify == MARIA_YES;
        url->ssl = wanted ? MARIA_YES : MARIA_NO;
    }
    if (url->verify == MARIA_UNSAID) {
        bool wanted = url->ssl == MARIA_YES && (!local || url->ca[0] != '\0');
        url->verify = wanted ? MARIA_YES : MARIA_NO;
    }
}

/* The library looks the name up as well, and blocks; after this it knows the answer, or
 * so does a name server nearby. */
static pith_status maria_look_up(const db *from, const maria_url *url, pith_error *err)
{
    char found[DB_ADDRESS_COUNT][DB_ADDRESS_SIZE];
    size_t count;
    if (db_is_local(url->host) || strchr(url->host, ','))
        return PITH_OK;
    return db_look_up(from, url->host, found, &count, err);
}

static pith_status maria_not_connected(db *from, pith_error *err)
{
    maria_state *state = from->state;
    if (state->over != PITH_OK)
        return maria_lost(from, err);
    if (mysql_errno(state->server) == CR_PLUGIN_NOT_ALLOWED) {
        return db_fail(
            err, PITH_IO, "connect_failed",
            "MariaDB: the server asks for the password in a way that would "
            "give it away, and does not get it (ssl-ca=FILE verifies a server)");
    }
    const char *message = mysql_error(state->server);
    /* What it says when it was let down without a word. */
    if (state->greeted && strncmp(message, "Can't connect to server (", 25) == 0) {
        message =
            "the server breaks its protocol: it answers the login with something else";
    }
    return db_fail(err, PITH_IO, "connect_failed", "MariaDB: %s", message);
}

static void maria_forget(MYSQL *server)
{
    if (server && server->passwd)
        db_forget(server->passwd, strlen(server->passwd));
    if (server && server->options.password)
        db_forget(server->options.password, strlen(server->options.password));
}

/* Nobody is waited for, so what the library says to the server at the end does not block.
 * */
static void maria_disconnect(db *from)
{
    maria_state *state = from->state;
    if (state->server) {
        db *before = maria_work_for(NULL);
        maria_forget(state->server);
        mysql_close(state->server);
        maria_work_for(before);
    }
    state->server = NULL;
}

static pith_status maria_connect(db *from, const char *password, pith_error *err)
{
    maria_state *state = from->state;
    const maria_url *url = &state->url;
    maria_disconnect(from);
    state->server = maria_init(url);
    if (!state->server)
        return error_no_memory(err);
    state->greeted = false;
    state->greeting_len = 0;
    unsigned port = (unsigned)strtoul(url->port, NULL, 10);
    db *before = maria_work_for(from);
    MYSQL *connected =
        mysql_real_connect(state->server, url->host, or_null(url->user), password,
                           or_null(url->database), port, or_null(url->socket), 0);
    maria_work_for(before);
    if (!connected)
        return maria_not_connected(from, err);
    if (url->ssl == MARIA_YES && !mysql_get_ssl_cipher(state->server)) {
        return db_fail(err, PITH_IO, "connect_failed",
                       "MariaDB: TLS was requested but the connection has none");
    }
    return PITH_OK;
}

static pith_status maria_ask_and_connect(db *from, pith_error *err)
{
    const maria_url *url = &((maria_state *)from->state)->url;
    char password[256];
    pith_status status = PITH_IO;
    if (db_ask_password(from, url->user, url->host, password, sizeof password))
        status = maria_connect(from, password, err);
    db_forget(password, sizeof password);
    return status;
}

static pith_status maria_command(db *from, const char *sql, pith_error *err)
{
    wire packet;
    wire_ok ok;
    pith_status status = maria_send(from, COM_QUERY, sql, strlen(sql), err);
    if (status == PITH_OK)
        status = maria_receive(from, &packet, err);
    if (status == PITH_OK)
        status = maria_read_ok(from, &packet, &ok, err);
    return status == PITH_OK ? maria_drop_rest(from, err) : status;
}

/* MySQL has another word for the timeout, and another unit. */
static pith_status maria_limit_time(db *from, pith_error *err)
{
    char sql[96];
    unsigned seconds = from->options.timeout_max;
    if (seconds == 0)
        return PITH_OK;
    snprintf(sql, sizeof sql, "SET SESSION max_statement_time = %u", seconds);
    pith_status status = maria_command(from, sql, err);
    if (status == PITH_BAD_INPUT) {
        snprintf(sql, sizeof sql, "SET SESSION max_execution_time = %lu",
                 (unsigned long)seconds * 1000);
        status = maria_command(from, sql, err);
    }
    /* Where it knows neither, the clock on this side must do. */
    return status == PITH_BAD_INPUT ? PITH_OK : status;
}

static pith_status maria_prepare_session(db *from, pith_error *err)
{
    pith_status status = maria_limit_time(from, err);
    if (status == PITH_OK && !from->options.write) {
        status = maria_command(from, "SET SESSION TRANSACTION READ ONLY", err);
        if (status == PITH_OK)
            status = maria_command(from, "START TRANSACTION READ ONLY", err);
    }
    return status;
}

pith_status maria_open(db *from, const char *text, pith_error *err)
{
    maria_state *state = calloc(1, sizeof *state);
    from->state = state;
    if (!state)
        return error_no_memory(err);
    if (!url_read(&state->url, text)) {
        return db_fail(err, PITH_BAD_USE, "bad_url",
                       "expected mariadb://[USER@]HOST[:PORT]/DATABASE, and of settings "
                       "socket=PATH, ssl=true, ssl-ca=FILE, ssl-verify=true, "
                       "connect_timeout=SECONDS");
    }
    db_begin_connecting(from, state->url.seconds);
    maria_choose_tls(&state->url);
    maria_watch();
    const char *password = getenv("PITH_DB_PASSWORD");
    password = password ? password : getenv("MYSQL_PWD");
    pith_status status = maria_look_up(from, &state->url, err);
    if (status == PITH_OK)
        status = maria_connect(from, password, err);
    if (status == PITH_IO && !password && state->server && state->over == PITH_OK &&
        mysql_errno(state->server) == ERROR_ACCESS_DENIED)
        status = maria_ask_and_connect(from, err);
    return status == PITH_OK ? maria_prepare_session(from, err) : status;
}

/* A server notices that its client has gone when it next has a row for it, which may be
 * in an hour. So it is asked to stop, over another connection, with whatever opened the
 * first. */
static void maria_end_query(void *ctx)
{
    enum { SECONDS = 3 };
    db *from = ctx;
    maria_state *state = from->state;
    const MYSQL *busy = state->server;
    const char *password = busy->passwd;
    char sql[64];
    int len = snprintf(sql, sizeof sql, "KILL QUERY %lu", busy->thread_id);
    MYSQL *other = maria_init(&state->url);
    from->options.stop = NULL;
    from->options.timeout_max = 0;
    db_begin_connecting(from, SECONDS);
    state->over = PITH_OK;
    state->greeted = false;
    state->greeting_len = 0;
    maria_work_for(from);
    if (other && mysql_real_connect(other, busy->host, busy->user, password, NULL,
                                    busy->port, busy->unix_socket, 0))
        mysql_real_query(other, sql, (unsigned long)len);
}

void maria_close(db *from)
{
    maria_state *state = from->state;
    if (state) {
        if (state->server && state->server->passwd && state->unanswered &&
            !from->connecting)
            db_run_apart(maria_end_query, from);
        maria_disconnect(from);
        maria_drop_columns(state);
        db_forget(state, sizeof *state);
        free(state);
    }
}
