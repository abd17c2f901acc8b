/*
 * db_mariadb.c - MariaDB and MySQL, through libmariadb.
 *
 * The library connects, speaks TLS and authenticates; then it moves packets, and what is
 * in them is read by db_wire.c, which believes nothing. Statements are prepared,
 * so that parameters are bound and values come in the binary protocol: floats as they are
 * and not as the six digits the server would print. Rows are read one by one and never
 * stored.
 *
 * Whenever the library waits it asks a function of ours, which notices the deadline and
 * an interrupt; and whenever it has read something, it shows that to another, which
 * notices a server that never stops talking.
 */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "client_mariadb.h"
#include "db_driver.h"
#include "db_wire.h"

#include <errmsg.h>
#include <errno.h>
#include <fcntl.h>
#include <mysql.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    BINARY_CHARSET = 63,
    ERROR_ACCESS_DENIED = 1045,
    ERROR_SHUTDOWN = 1053,
    ERROR_EMPTY = 1065,
    ERROR_KILLED = 1927,
    ERROR_READ_ONLY = 1792,
    ERROR_TIMEOUT = 1969,
    ERROR_TIMEOUT_MYSQL = 3024
};

/* How a column's values are written. */
typedef enum maria_kind {
    MARIA_TEXT,
    MARIA_INTEGER,
    MARIA_BOOLEAN, /* TINYINT(1) */
    MARIA_BITS,
    MARIA_FLOAT,
    MARIA_DOUBLE,
    MARIA_DECIMAL,
    MARIA_TIME,
    MARIA_CLOCK, /* TIME, which is no time of a day */
    MARIA_BINARY,
    MARIA_JSON
} maria_kind;

typedef struct maria_column {
    maria_kind kind;
    unsigned type;
    unsigned decimals;
    size_t bytes; /* of a number */
    bool is_unsigned;
    bool is_bit; /* BIT(1) */
} maria_column;

typedef enum maria_choice { MARIA_UNSAID, MARIA_YES, MARIA_NO } maria_choice;

/* The parts of mariadb://user@host:port/database?socket=...; empty where missing. */
typedef struct maria_url {
    char user[128];
    char host[256];
    char port[8];
    char database[256];
    char socket[256];
    char ca[512];
    maria_choice ssl;
    maria_choice verify; /* the server's certificate */
    unsigned seconds;    /* until connected */
} maria_url;

/* What is left of the server's answer. */
typedef enum maria_rest {
    MARIA_NOTHING,
    MARIA_RESULT,
    MARIA_COLUMNS,
    MARIA_ROWS
} maria_rest;

typedef struct maria_state {
    MYSQL *server;
    maria_column *columns;
    size_t count;
    uint64_t statement; /* its number; 0 for none */
    bool procedure;     /* its columns were not told before it ran */
    maria_rest rest;
    int sequence;     /* of the last packet; -1 before the first of an answer */
    bool unanswered;  /* the server is at work and nobody waits for it any more */
    pith_status over; /* why nothing more is read; PITH_OK while it is */
    pith_error why;
    unsigned char greeting[512];
    size_t greeting_len;
    bool greeted;
    maria_url url;
} maria_state;

/* Whose connection the library is at work on in this thread. Its functions of ours are
 * given nothing that would tell. The model is that of programs: the one for libraries
 * would need the loader. */
#if defined(__GNUC__)
__attribute__((tls_model("initial-exec")))
#endif
static _Thread_local db *maria_at_work;

static pthread_once_t maria_watched = PTHREAD_ONCE_INIT;

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

/* Why the library gave up: what our own functions found, or what it says itself. */
static pith_status maria_lost(db *from, pith_error *err)
{
    maria_state *state = from->state;
    if (state->over != PITH_OK) {
        if (err) {
            *err = state->why;
        }
        return state->over;
    }
    unsigned number = mysql_errno(state->server);
    return maria_failed(from, number ? number : CR_SERVER_LOST,
                        number ? mysql_error(state->server) : "the connection is lost",
                        err);
}

/* ------------------------------------------------------------------------- waiting */

/* The library's way to wait. It has seconds here and milliseconds there, and what is less
 * than a second was meant as the former. */
static int maria_wait(my_socket socket, my_bool to_read, int timeout)
{
    db *from = maria_at_work;
    maria_state *state = from ? from->state : NULL;
    double limit = timeout < 1000 ? timeout : timeout / 1000.0;
    double until = timeout > 0 ? db_now() + limit : 0;
    for (;;) {
        struct pollfd one = {socket, (short)(to_read ? POLLIN : POLLOUT), 0};
        int ready = poll(&one, 1, 200);
        if (ready > 0) {
            return 1;
        }
        bool failed = ready < 0 && errno != EINTR;
        if (state && state->over == PITH_OK) {
            state->over = failed ? db_fail(&state->why, PITH_IO, "connection_lost",
                                           "waiting for the server failed")
                                 : db_may_go_on(from, &state->why);
            state->unanswered = state->over != PITH_OK;
        }
        if (failed || !state || state->over != PITH_OK ||
            (until > 0 && db_now() >= until)) {
            errno = ETIMEDOUT;
            return 0;
        }
    }
}

/* Looks at the greeting, before which nothing has been said by this side. */
static void maria_check_greeting(db *from, const unsigned char *data, size_t len)
{
    maria_state *state = from->state;
    size_t room = sizeof state->greeting - state->greeting_len;
    memcpy(state->greeting + state->greeting_len, data, len < room ? len : room);
    state->greeting_len += len < room ? len : room;
    wire head = {state->greeting, state->greeting + state->greeting_len, false};
    uint64_t size = wire_number(&head, 3);
    wire_number(&head, 1);
    if (head.bad) {
        return;
    }
    bool huge = size > sizeof state->greeting - 4;
    if (!huge && wire_left(&head) < size) {
        return;
    }
    uint32_t abilities = 0;
    wire packet = {head.at, head.at + (huge ? 0 : size), false};
    bool refusal = !huge && size > 0 && head.at[0] == 255;
    state->greeted = true;
    if (!refusal && !wire_read_greeting(&packet, &abilities)) {
        state->over =
            db_fail(&state->why, PITH_IO, "connect_failed",
                    "MariaDB: the server breaks its protocol: its greeting is none");
    } else if (!refusal && state->url.ssl == MARIA_YES && !(abilities & WIRE_TLS)) {
        state->over =
            db_fail(&state->why, PITH_IO, "connect_failed",
                    "MariaDB: TLS is needed, and the server has none; ssl=false "
                    "in the URL goes without");
    }
}

/* Sees what the library has read, which it has not yet looked at. A socket that is shut
 * here gives it nothing more and takes nothing from it. From the first byte on the socket
 * does not block, which the library believes it does: otherwise TLS would wait by itself. */
static void maria_seen(int what, MYSQL *server, const unsigned char *data, size_t len)
{
    db *from = maria_at_work;
    maria_state *state = from ? from->state : NULL;
    if (!state || what != 0 || len == 0 || len > PTRDIFF_MAX) {
        return;
    }
    int socket = (int)mysql_get_socket(server);
    if (!state->greeted) {
        fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
        maria_check_greeting(from, data, len);
    }
    if (state->over == PITH_OK) {
        state->over = db_may_go_on(from, &state->why);
        state->unanswered = state->over != PITH_OK;
    }
    if (state->over != PITH_OK) {
        shutdown(socket, SHUT_RDWR);
    }
}

/* Once for the process: the library has no working way to take it back, and would free it
 * twice if it were ended and begun again. */
static void maria_watch(void)
{
    ma_pvio_register_callback(1, maria_seen);
}

/* ------------------------------------------------------------------------- packets */

static pith_status maria_send(db *from, enum enum_server_command command,
                              const char *data, size_t len, pith_error *err)
{
    maria_state *state = from->state;
    MYSQL *server = state->server;
    db *before = maria_at_work;
    maria_at_work = from;
    state->sequence = -1;
    int failed = server->methods->db_command(server, command, data, len, 1, NULL);
    maria_at_work = before;
    return failed ? maria_lost(from, err) : PITH_OK;
}

/* The packets of an answer are numbered. Only the first may have any number: reports of
 * progress, which the library keeps to itself, come before it. */
static bool maria_is_in_order(maria_state *state, size_t len)
{
    enum { PACKET_MAX = 0xFFFFFF, NUMBERS = 256 };
    int pieces = (int)(len / PACKET_MAX % NUMBERS) + 1;
    int last = (int)(state->server->net.pkt_nr + NUMBERS - 1) % NUMBERS;
    bool fine = state->sequence < 0 || (state->sequence + pieces) % NUMBERS == last;
    state->sequence = last;
    return fine;
}

static pith_status maria_receive(db *from, wire *packet, pith_error *err)
{
    maria_state *state = from->state;
    db *before = maria_at_work;
    maria_at_work = from;
    unsigned long len = mysql_net_read_packet(state->server);
    maria_at_work = before;
    if (len >= packet_error || state->over != PITH_OK) {
        state->rest = MARIA_NOTHING;
        return maria_lost(from, err);
    }
    *packet =
        (wire){state->server->net.read_pos, state->server->net.read_pos + len, false};
    if (!maria_is_in_order(state, len)) {
        return db_fault(from, err, "its packets are out of order");
    }
    return PITH_OK;
}

/* Reads the OK after a command or a statement that has no rows. */
static pith_status maria_read_ok(db *from, wire *packet, wire_ok *ok, pith_error *err)
{
    maria_state *state = from->state;
    enum { FILE_WANTED = 251 };
    uint64_t first = wire_number(packet, 1);
    if (first == FILE_WANTED) {
        return db_fault(from, err, "it wants a file of this machine (LOCAL INFILE)");
    }
    if (first != 0) {
        return db_fault(from, err, "it answers a command with rows");
    }
    if (!wire_read_ok(packet, ok)) {
        return db_fault(from, err, "its OK is cut short");
    }
    state->rest = ok->status & WIRE_MORE_RESULTS ? MARIA_RESULT : MARIA_NOTHING;
    return PITH_OK;
}

/* Reads the packet that ends the columns. */
static pith_status maria_read_end(db *from, pith_error *err)
{
    wire packet;
    unsigned status;
    pith_status got = maria_receive(from, &packet, err);
    if (got == PITH_OK && !wire_is_end(&packet, &status)) {
        got = db_fault(from, err, "it sends more columns than it says");
    }
    return got;
}

/* Drops a packet of what is left of an answer. */
static pith_status maria_drop_packet(db *from, pith_error *err)
{
    maria_state *state = from->state;
    wire packet;
    wire_ok ok;
    unsigned status;
    pith_status got = maria_receive(from, &packet, err);
    if (got != PITH_OK) {
        return got;
    }
    if (state->rest == MARIA_RESULT) {
        bool columns = packet.at[0] != 0;
        state->rest = MARIA_COLUMNS;
        return columns ? PITH_OK : maria_read_ok(from, &packet, &ok, err);
    }
    if (wire_is_end(&packet, &status)) {
        bool more = (status & WIRE_MORE_RESULTS) != 0;
        state->rest = state->rest == MARIA_COLUMNS ? MARIA_ROWS
                      : more                       ? MARIA_RESULT
                                                   : MARIA_NOTHING;
    }
    return PITH_OK;
}

/* Reads to the end of the answer before something else is asked. */
static pith_status maria_drop_rest(db *from, pith_error *err)
{
    maria_state *state = from->state;
    pith_status status = PITH_OK;
    while (status == PITH_OK && state->rest != MARIA_NOTHING) {
        status = maria_drop_packet(from, err);
    }
    return status;
}

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
    if (url_is(word, word_len, "socket")) {
        return url_part(url->socket, sizeof url->socket, value, len);
    }
    if (url_is(word, word_len, "ssl-ca")) {
        return url_part(url->ca, sizeof url->ca, value, len);
    }
    if (url_is(word, word_len, "ssl")) {
        return url_choice(&url->ssl, value, len);
    }
    if (url_is(word, word_len, "ssl-verify")) {
        return url_choice(&url->verify, value, len);
    }
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
        if (word >= len) {
            return false;
        }
        const char *value = at + word + 1;
        size_t value_len = len - word - 1;
        if (!url_setting(url, at, word, value, value_len)) {
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
    if (!server) {
        return NULL;
    }
    mysql_options(server, MYSQL_READ_DEFAULT_GROUP, "client");
    mysql_options(server, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    mysql_options(server, MYSQL_OPT_LOCAL_INFILE, &off);
    mysql_options(server, MARIADB_OPT_RESTRICTED_AUTH, maria_ways(url));
    mysql_options(server, MARIADB_OPT_IO_WAIT, maria_wait);
    mysql_set_local_infile_handler(server, infile_open, infile_read, infile_close,
                                   infile_error, NULL);
    if (url->ssl == MARIA_YES) {
        mysql_options(server, MYSQL_OPT_SSL_ENFORCE, &yes);
    }
    if (url->ca[0] != '\0') {
        mysql_ssl_set(server, NULL, NULL, url->ca, NULL, NULL);
    }
    mysql_options(server, MYSQL_OPT_SSL_VERIFY_SERVER_CERT,
                  url->verify == MARIA_YES ? &yes : &no);
    return server;
}

/* Without a word of the URL's, TLS is needed and verified for every host but this one. */
static void maria_choose_tls(maria_url *url)
{
    bool local = db_is_local(url->host);
    if (url->host[0] == '\0') {
        snprintf(url->host, sizeof url->host, "localhost");
    }
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
    if (db_is_local(url->host) || strchr(url->host, ',')) {
        return PITH_OK;
    }
    return db_look_up(from, url->host, found, &count, err);
}

static pith_status maria_not_connected(db *from, pith_error *err)
{
    maria_state *state = from->state;
    if (state->over != PITH_OK) {
        return maria_lost(from, err);
    }
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
    if (server && server->passwd) {
        db_forget(server->passwd, strlen(server->passwd));
    }
    if (server && server->options.password) {
        db_forget(server->options.password, strlen(server->options.password));
    }
}

/* Nobody is waited for, so what the library says to the server at the end does not block. */
static void maria_disconnect(db *from)
{
    maria_state *state = from->state;
    if (state->server) {
        db *before = maria_at_work;
        maria_at_work = NULL;
        maria_forget(state->server);
        mysql_close(state->server);
        maria_at_work = before;
    }
    state->server = NULL;
}

static pith_status maria_connect(db *from, const char *password, pith_error *err)
{
    maria_state *state = from->state;
    const maria_url *url = &state->url;
    maria_disconnect(from);
    state->server = maria_init(url);
    if (!state->server) {
        return db_no_memory(err);
    }
    state->greeted = false;
    state->greeting_len = 0;
    maria_at_work = from;
    unsigned port = (unsigned)strtoul(url->port, NULL, 10);
    MYSQL *connected =
        mysql_real_connect(state->server, url->host, or_null(url->user), password,
                           or_null(url->database), port, or_null(url->socket), 0);
    maria_at_work = NULL;
    if (!connected) {
        return maria_not_connected(from, err);
    }
    if (url->ssl == MARIA_YES && !mysql_get_ssl_cipher(state->server)) {
        return db_fail(err, PITH_IO, "connect_failed",
                       "MariaDB: TLS is needed, and there is none");
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
    if (db_ask_password(from, who, password, sizeof password)) {
        status = maria_connect(from, password, err);
    }
    db_forget(password, sizeof password);
    return status;
}

static pith_status maria_command(db *from, const char *sql, pith_error *err)
{
    wire packet;
    wire_ok ok;
    pith_status status = maria_send(from, COM_QUERY, sql, strlen(sql), err);
    if (status == PITH_OK) {
        status = maria_receive(from, &packet, err);
    }
    if (status == PITH_OK) {
        status = maria_read_ok(from, &packet, &ok, err);
    }
    return status == PITH_OK ? maria_drop_rest(from, err) : status;
}

/* MySQL has another word for the timeout, and another unit. */
static pith_status maria_limit_time(db *from, pith_error *err)
{
    char sql[96];
    unsigned seconds = from->options.timeout_max;
    if (seconds == 0) {
        return PITH_OK;
    }
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
        if (status == PITH_OK) {
            status = maria_command(from, "START TRANSACTION READ ONLY", err);
        }
    }
    return status;
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
                       "socket=PATH, ssl=true, ssl-ca=FILE, ssl-verify=true, "
                       "connect_timeout=SECONDS");
    }
    db_begin_connecting(from, state->url.seconds);
    maria_choose_tls(&state->url);
    pthread_once(&maria_watched, maria_watch);
    const char *password = getenv("PITH_DB_PASSWORD");
    password = password ? password : getenv("MYSQL_PWD");
    pith_status status = maria_look_up(from, &state->url, err);
    if (status == PITH_OK) {
        status = maria_connect(from, password, err);
    }
    if (status == PITH_IO && !password && state->server && state->over == PITH_OK &&
        mysql_errno(state->server) == ERROR_ACCESS_DENIED) {
        status = maria_ask_and_connect(from, err);
    }
    return status == PITH_OK ? maria_prepare_session(from, err) : status;
}

/* A server notices that its client has gone when it next has a row for it, which may be
 * in an hour. So it is told, over a connection of its own, with whatever opened the
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
    maria_at_work = from;
    if (other && mysql_real_connect(other, busy->host, busy->user, password, NULL,
                                    busy->port, busy->unix_socket, 0)) {
        mysql_real_query(other, sql, (unsigned long)len);
    }
}

static void maria_drop_columns(maria_state *state)
{
    free(state->columns);
    state->columns = NULL;
    state->count = 0;
}

static void maria_close(db *from)
{
    maria_state *state = from->state;
    if (state) {
        if (state->server && state->server->passwd && state->unanswered &&
            !from->connecting) {
            db_run_apart(maria_end_query, from);
        }
        maria_disconnect(from);
        maria_drop_columns(state);
        db_forget(state, sizeof *state);
        free(state);
    }
}

/* ------------------------------------------------------------------------- columns */

/* The kind of a type, and how many bytes a number has; false for types no client is sent. */
static bool maria_kind_of(const wire_column *field, maria_column *column)
{
    column->kind = MARIA_INTEGER;
    switch (field->type) {
    case MYSQL_TYPE_TINY:
        column->kind = field->length == 1 ? MARIA_BOOLEAN : MARIA_INTEGER;
        column->bytes = 1;
        return true;
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_YEAR:
        column->bytes = 2;
        return true;
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
        column->bytes = 4;
        return true;
    case MYSQL_TYPE_LONGLONG:
        column->bytes = 8;
        return true;
    case MYSQL_TYPE_BIT:
        column->kind = MARIA_BITS;
        return true;
    case MYSQL_TYPE_FLOAT:
        column->kind = MARIA_FLOAT;
        return true;
    case MYSQL_TYPE_DOUBLE:
        column->kind = MARIA_DOUBLE;
        return true;
    case MYSQL_TYPE_DECIMAL:
    case MYSQL_TYPE_NEWDECIMAL:
        column->kind = MARIA_DECIMAL;
        return true;
    case MYSQL_TYPE_DATE:
    case MYSQL_TYPE_NEWDATE:
    case MYSQL_TYPE_DATETIME:
    case MYSQL_TYPE_TIMESTAMP:
        column->kind = MARIA_TIME;
        return true;
    case MYSQL_TYPE_TIME:
        column->kind = MARIA_CLOCK;
        return true;
    case MYSQL_TYPE_GEOMETRY:
        column->kind = MARIA_BINARY;
        return true;
    case MYSQL_TYPE_JSON:
        column->kind = MARIA_JSON;
        return true;
    default:
        break;
    }
    bool binary = field->charset == BINARY_CHARSET && !field->spelled;
    column->kind = field->json ? MARIA_JSON : binary ? MARIA_BINARY : MARIA_TEXT;
    return field->type == MYSQL_TYPE_NULL || field->type == MYSQL_TYPE_VARCHAR ||
           (field->type >= MYSQL_TYPE_ENUM && field->type <= MYSQL_TYPE_STRING);
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
    case MARIA_CLOCK:
        return "text";
    case MARIA_BINARY:
        return "blob";
    default:
        return "";
    }
}

static pith_status maria_set_column(db *from, size_t index, const wire_column *field,
                                    pith_error *err)
{
    maria_column *column = &((maria_state *)from->state)->columns[index];
    if (!maria_kind_of(field, column)) {
        return db_fault(from, err, "column %zu has the type %u, and there is none",
                        index + 1, field->type);
    }
    if (memchr(field->name, '\0', field->name_len)) {
        return db_fault(from, err, "the name of column %zu has a NUL inside", index + 1);
    }
    column->type = field->type;
    column->decimals = field->decimals;
    column->is_unsigned = (field->flags & UNSIGNED_FLAG) != 0;
    column->is_bit = field->type == MYSQL_TYPE_BIT && field->length == 1;
    char *name = db_room(from, field->name_len + 1);
    if (!name) {
        return db_no_memory(err);
    }
    memcpy(name, field->name, field->name_len);
    name[field->name_len] = '\0';
    return db_name_column(from, index, name, maria_type_name(column),
                          column->kind == MARIA_JSON)
               ? PITH_OK
               : db_no_memory(err);
}

/* Reads the definitions of so many columns and what ends them. */
static pith_status maria_read_columns(db *from, size_t count, pith_error *err)
{
    maria_state *state = from->state;
    maria_drop_columns(state);
    state->columns = calloc(count + 1, sizeof *state->columns);
    if (!state->columns || !db_set_columns(from, count)) {
        return db_no_memory(err);
    }
    state->count = count;
    pith_status status = PITH_OK;
    for (size_t i = 0; i < count && status == PITH_OK; i++) {
        wire packet;
        wire_column field;
        status = maria_receive(from, &packet, err);
        if (status == PITH_OK && !wire_read_column(&packet, &field)) {
            status =
                db_fault(from, err, "what it says of column %zu is not a column", i + 1);
        }
        if (status == PITH_OK) {
            status = maria_set_column(from, i, &field, err);
        }
    }
    return status == PITH_OK ? maria_read_end(from, err) : status;
}

static void maria_note_types(db *from)
{
    const maria_state *state = from->state;
    for (size_t i = 0; i < state->count; i++) {
        if (state->columns[i].type == MYSQL_TYPE_GEOMETRY) {
            db_note(from, true,
                    "the type of \"%.60s\" is not known; it is written as its "
                    "bytes, in base64",
                    from->columns[i].name);
        }
    }
}

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
    for (size_t i = 0; i < bytes; i++) {
        low_first[i] = (unsigned char)(number >> 8 * i);
    }
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
        for (size_t k = i; k < i + 8 && k < count; k++) {
            nulls |= (uint64_t)(params[k] == NULL) << (k - i);
        }
        request_number(request, nulls, 1);
    }
    if (count > 0) {
        request_number(request, 1, 1); /* the types follow */
    }
    for (size_t i = 0; i < count; i++) {
        bool number = params[i] && maria_is_whole(params[i], &whole);
        request_number(request,
                       !params[i] ? MYSQL_TYPE_NULL
                       : number   ? MYSQL_TYPE_LONGLONG
                                  : MYSQL_TYPE_STRING,
                       2);
    }
    for (size_t i = 0; i < count; i++) {
        if (params[i] && maria_is_whole(params[i], &whole)) {
            request_number(request, (uint64_t)whole, 8);
        } else if (params[i]) {
            request_text(request, params[i]);
        }
    }
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
                             ? db_no_memory(err)
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
        for (int i = 0; i < 4; i++) {
            number[i] = (char)(unsigned char)(state->statement >> 8 * i);
        }
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
        if (status == PITH_OK && wire_is_end(&packet, &ignored)) {
            status = db_fault(from, err, "it describes %zu of %zu parameters", i, count);
        }
    }
    return status == PITH_OK && count > 0 ? maria_read_end(from, err) : status;
}

static pith_status maria_prepare(db *from, const char *sql, size_t params,
                                 pith_error *err)
{
    maria_state *state = from->state;
    wire packet;
    pith_status status = maria_send(from, COM_STMT_PREPARE, sql, strlen(sql), err);
    if (status == PITH_OK) {
        status = maria_receive(from, &packet, err);
    }
    if (status != PITH_OK) {
        return status;
    }
    uint64_t first = wire_number(&packet, 1);
    state->statement = wire_number(&packet, 4);
    size_t columns = (size_t)wire_number(&packet, 2);
    size_t wanted = (size_t)wire_number(&packet, 2);
    if (first != 0 || packet.bad) {
        return db_fault(from, err, "it does not say what the statement has");
    }
    status = maria_drop_params(from, wanted, err);
    if (status == PITH_OK && columns > 0) {
        status = maria_read_columns(from, columns, err);
    } else if (status == PITH_OK && !db_set_columns(from, 0)) {
        status = db_no_memory(err);
    }
    if (status == PITH_OK && wanted != params) {
        return db_fail(err, PITH_BAD_USE, "parameter_count",
                       "the statement has %zu parameter%s, and %zu %s given", wanted,
                       wanted == 1 ? "" : "s", params, params == 1 ? "is" : "are");
    }
    return status;
}

/* Reads what comes before the rows: how many columns there are, and perhaps once more
 * what they are, which a parameter may have changed. A procedure tells of its columns
 * here alone. */
static pith_status maria_read_result(db *from, pith_error *err)
{
    enum { FILE_WANTED = 251, COLUMNS_MAX = 65535 };
    maria_state *state = from->state;
    wire packet;
    wire_ok ok;
    pith_status status = maria_receive(from, &packet, err);
    if (status != PITH_OK) {
        return status;
    }
    if (packet.at[0] == 0 || packet.at[0] == FILE_WANTED) {
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
    if (status == PITH_OK) {
        status = maria_prepare(from, sql, count, err);
    }
    if (status == PITH_OK) {
        status = maria_execute(from, params, count, err);
    }
    if (status == PITH_OK) {
        status = maria_read_result(from, err);
    }
    if (status == PITH_OK) {
        maria_note_types(from);
    }
    return status;
}

/* --------------------------------------------------------------------------- cells */

static void maria_put_unsigned(db *from, pith_rows *rows, size_t index, uint64_t number)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    db_put_number(from, rows, index, digits, (size_t)len);
}

static void maria_put_bits(db *from, pith_rows *rows, size_t index, wire *row)
{
    enum { BYTES_MAX = 8 };
    const maria_column *column = &((maria_state *)from->state)->columns[index];
    size_t len;
    uint64_t number = 0;
    const unsigned char *bytes = wire_text(row, &len);
    row->bad = row->bad || len > BYTES_MAX;
    for (size_t i = 0; !row->bad && i < len; i++) {
        number = number << 8 | bytes[i];
    }
    if (column->is_bit) {
        pith_rows_add_bool(rows, number != 0);
    } else {
        maria_put_unsigned(from, rows, index, number);
    }
}

static void maria_put_integer(db *from, pith_rows *rows, size_t index, wire *row)
{
    const maria_column *column = &((maria_state *)from->state)->columns[index];
    uint64_t number = wire_number(row, column->bytes);
    if (column->kind == MARIA_BOOLEAN && number <= 1) {
        pith_rows_add_bool(rows, number != 0);
    } else if (column->is_unsigned && number > INT64_MAX) {
        maria_put_unsigned(from, rows, index, number);
    } else {
        uint64_t sign = UINT64_C(1) << (8 * column->bytes - 1);
        bool negative = !column->is_unsigned && (number & sign) != 0;
        number = negative ? number | ~(sign - 1) : number;
        pith_rows_add_int64(rows, (int64_t)number);
    }
}

static void maria_put_float(pith_rows *rows, bool single, wire *row)
{
    float small;
    double large;
    if (single) {
        uint32_t bits = (uint32_t)wire_number(row, sizeof bits);
        memcpy(&small, &bits, sizeof small);
        db_put_double(rows, (double)small, true);
    } else {
        uint64_t bits = wire_number(row, sizeof bits);
        memcpy(&large, &bits, sizeof large);
        db_put_double(rows, large, false);
    }
}

static pith_status maria_put_time(db *from, pith_rows *rows, size_t index, wire *row,
                                  pith_error *err)
{
    const maria_column *column = &((maria_state *)from->state)->columns[index];
    char text[WIRE_TIME_SIZE] = "";
    size_t len = wire_write_time(text, row, column->type, column->decimals);
    return column->kind == MARIA_CLOCK ? db_put_text(from, rows, index, text, len, err)
                                       : db_put_time(from, rows, index, text, len, err);
}

static pith_status maria_put_text(db *from, pith_rows *rows, size_t index, wire *row,
                                  pith_error *err)
{
    size_t len;
    const char *text = (const char *)wire_text(row, &len);
    text = text ? text : "";
    switch (((maria_state *)from->state)->columns[index].kind) {
    case MARIA_DECIMAL:
        db_put_number(from, rows, index, text, len);
        return PITH_OK;
    case MARIA_BINARY:
        return db_put_binary(from, rows, text, len, err);
    case MARIA_JSON:
        return db_put_json(from, rows, index, text, len, err);
    default:
        return db_put_text(from, rows, index, text, len, err);
    }
}

static pith_status maria_put_cell(db *from, pith_rows *rows, size_t index, wire *row,
                                  pith_error *err)
{
    const maria_column *column = &((maria_state *)from->state)->columns[index];
    switch (column->kind) {
    case MARIA_INTEGER:
    case MARIA_BOOLEAN:
        maria_put_integer(from, rows, index, row);
        return PITH_OK;
    case MARIA_BITS:
        maria_put_bits(from, rows, index, row);
        return PITH_OK;
    case MARIA_FLOAT:
    case MARIA_DOUBLE:
        maria_put_float(rows, column->kind == MARIA_FLOAT, row);
        return PITH_OK;
    case MARIA_TIME:
    case MARIA_CLOCK:
        return maria_put_time(from, rows, index, row, err);
    case MARIA_TEXT:
    case MARIA_DECIMAL:
    case MARIA_BINARY:
    case MARIA_JSON:
        break;
    }
    return maria_put_text(from, rows, index, row, err);
}

/* ---------------------------------------------------------------------------- rows */

/* A byte that is 0, a bit for each column that is null, after two that mean nothing, and
 * the other cells. */
static pith_status maria_put_row(db *from, pith_rows *rows, wire *row, pith_error *err)
{
    enum { FIRST_BIT = 2 };
    const maria_state *state = from->state;
    pith_status status = PITH_OK;
    uint64_t first = wire_number(row, 1);
    const unsigned char *nulls = wire_bytes(row, (state->count + 7 + FIRST_BIT) / 8);
    if (first != 0 || !nulls) {
        return db_fault(from, err, "what should be a row is none");
    }
    for (size_t i = 0; i < state->count && status == PITH_OK && !row->bad; i++) {
        size_t bit = i + FIRST_BIT;
        bool null = (nulls[bit / 8] >> bit % 8 & 1) != 0;
        if (null || state->columns[i].type == MYSQL_TYPE_NULL) {
            pith_rows_add_null(rows);
        } else {
            status = maria_put_cell(from, rows, i, row, err);
        }
    }
    if (row->bad || (status == PITH_OK && wire_left(row) > 0)) {
        return db_fault(from, err, "a row is not as long as its cells");
    }
    return status;
}

static pith_status maria_next(db *from, pith_rows *rows, bool *more, pith_error *err)
{
    maria_state *state = from->state;
    wire packet;
    unsigned status;
    *more = false;
    if (state->rest != MARIA_ROWS) {
        return PITH_OK;
    }
    pith_status got = maria_receive(from, &packet, err);
    if (got != PITH_OK) {
        return got;
    }
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
    "CONCAT('`', REPLACE(c.TABLE_NAME, '`', '``'), '`'), NULL) AS f "
    "FROM information_schema.COLUMNS c JOIN information_schema.TABLES t "
    "ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME "
    "WHERE c.TABLE_SCHEMA = DATABASE() ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION";

const db_driver db_mariadb = {
    "MariaDB",  maria_open,   maria_close, maria_start,
    maria_next, maria_tables, NULL,        DIALECT_MARIADB,
};
