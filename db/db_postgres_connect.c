/*
 * db_postgres_connect.c - see db_postgres_connect.h.
 *
 * The URL is read by libpq's own parser, so that nothing in it means one thing here and
 * another there. What it says is then completed:
 *
 *     password         never from the URL
 *     sslmode          verify-full, unless the host is this machine
 *     sslrootcert      the system's, if there is no other
 *     gssencmode       disable, because it would take the place of TLS
 *     require_auth     no clear text and no MD5 without a verified server (libpq 16)
 *     hostaddr         the addresses of the host, looked up within the deadline
 *
 * Where a connection may be without TLS, a guard sees to it that the server does not get
 * the password (db_postgres_guard.h).
 */
#define _POSIX_C_SOURCE 200809L

#include "db_postgres_connect.h"

#include "db_postgres_guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETTINGS_MAX = 96, ITEM_SIZE = 256 };

typedef struct pg_settings {
    PQconninfoOption *given;    /* what the URL says */
    PQconninfoOption *defaults; /* what holds otherwise; NULL when that is not known */
    const char *words[SETTINGS_MAX];
    const char *values[SETTINGS_MAX];
    size_t count;
    char *hosts, *addresses, *ports; /* lists with a comma between */
    bool guarded;                    /* the connection may be without TLS */
    const char *because; /* of what TLS is as it is, when the URL does not say */
} pg_settings;

/* ------------------------------------------------------------------------- settings */

static const PQconninfoOption *pg_option(const PQconninfoOption *list, const char *word)
{
    for (const PQconninfoOption *at = list; at && at->keyword; at++)
        if (strcmp(at->keyword, word) == 0)
            return at;
    return NULL;
}

/* What the URL says of a word; NULL when it does not. */
static const char *pg_given(const pg_settings *settings, const char *word)
{
    const PQconninfoOption *found = pg_option(settings->given, word);
    return found && found->val && found->val[0] != '\0' ? found->val : NULL;
}

/* The same, or what the environment and libpq say. */
static const char *pg_value(const pg_settings *settings, const char *word)
{
    const char *given = pg_given(settings, word);
    const PQconninfoOption *found = pg_option(settings->defaults, word);
    const char *usual = found && found->val && found->val[0] != '\0' ? found->val : NULL;
    return given ? given : usual;
}

static void pg_set(pg_settings *settings, const char *word, const char *value)
{
    size_t at = 0;
    while (at < settings->count && strcmp(settings->words[at], word) != 0)
        at++;
    if (at + 1 < SETTINGS_MAX) {
        settings->words[at] = word;
        settings->values[at] = value;
        settings->count += at == settings->count;
    }
}

static void pg_drop(pg_settings *settings)
{
    PQconninfoFree(settings->given);
    PQconninfoFree(settings->defaults);
    free(settings->hosts);
    free(settings->addresses);
    free(settings->ports);
}

/* Reads the URL. What libpq says of one that is wrong may hold parts of it, so only the
 * harmless kind is shown. */
static pith_status pg_read_url(pg_settings *settings, const char *url, pith_error *err)
{
    char *wrong = NULL;
    settings->given = PQconninfoParse(url, &wrong);
    if (!settings->given) {
        bool harmless = wrong && strncmp(wrong, "invalid URI query parameter", 27) == 0;
        pith_status status =
            db_fail(err, PITH_BAD_USE, "bad_url",
                    "expected postgres://[USER@]HOST[:PORT]/DATABASE, and settings that "
                    "libpq knows%s%.100s",
                    harmless ? ": " : "", harmless ? wrong : "");
        PQfreemem(wrong);
        return status;
    }
    for (const PQconninfoOption *at = settings->given; at->keyword; at++) {
        if (!at->val)
            continue;
        if (db_is_secret(at->keyword) || strchr(at->dispchar, '*'))
            return db_password_in_url(err);
        pg_set(settings, at->keyword, at->val);
    }
    settings->defaults = PQconndefaults();
    return PITH_OK;
}

/* ---------------------------------------------------------------------------- hosts */

/* The next item of a list with commas, which may be empty; false after the last, and
 * when it is too long to be a host. */
static bool pg_next_item(const char **list, char item[ITEM_SIZE])
{
    if (!*list)
        return false;
    size_t len = strcspn(*list, ",");
    bool fits = len < ITEM_SIZE;
    memcpy(item, *list, fits ? len : 0);
    item[fits ? len : 0] = '\0';
    *list = (*list)[len] == ',' ? *list + len + 1 : NULL;
    return fits;
}

static bool pg_all_local(const char *list)
{
    char item[ITEM_SIZE];
    bool local = true;
    while (list && local)
        local = pg_next_item(&list, item) && db_is_local(item);
    return local;
}

/* Addresses decide where there are some, and hosts otherwise. A service names a host that
 * is not known here. */
static bool pg_is_local(const pg_settings *settings)
{
    const char *addresses = pg_value(settings, "hostaddr");
    const char *hosts = pg_value(settings, "host");
    if ((pg_given(settings, "service") || !settings->defaults) &&
        !pg_given(settings, "host") && !pg_given(settings, "hostaddr"))
        return false;
    bool complete = addresses && addresses[0] != ',' && !strstr(addresses, ",,") &&
                    addresses[strlen(addresses) - 1] != ',';
    return pg_all_local(addresses) && (complete || pg_all_local(hosts));
}

/* Adds to a list; false when out of memory. */
static bool pg_append(char **list, const char *item)
{
    size_t len = *list ? strlen(*list) : 0;
    size_t more = strlen(item);
    char *longer = realloc(*list, len + more + 2);
    if (!longer)
        return false;
    if (*list)
        longer[len++] = ',';
    memcpy(longer + len, item, more + 1);
    *list = longer;
    return true;
}

static pith_status pg_add_host(const db *from, pg_settings *settings, const char *host,
                               const char *port, pith_error *err)
{
    char found[DB_ADDRESS_COUNT][DB_ADDRESS_SIZE] = {""};
    size_t count = 1;
    bool path = host[0] == '\0' || host[0] == '/' || host[0] == '@';
    pith_status status = path ? PITH_OK : db_look_up(from, host, found, &count, err);
    bool fine = true;
    for (size_t i = 0; status == PITH_OK && fine && i < count; i++) {
        fine = pg_append(&settings->hosts, host) &&
               pg_append(&settings->addresses, found[i]) &&
               pg_append(&settings->ports, port);
    }
    return fine ? status : error_no_memory(err);
}

/* Gives libpq the addresses of every host, since it would block to find them. */
static pith_status pg_look_up_hosts(const db *from, pg_settings *settings,
                                    pith_error *err)
{
    const char *hosts = pg_value(settings, "host");
    const char *ports = pg_value(settings, "port");
    char host[ITEM_SIZE];
    char port[ITEM_SIZE] = "";
    pith_status status = PITH_OK;
    if (!hosts || pg_value(settings, "hostaddr"))
        return PITH_OK;
    bool one_port = !ports || !strchr(ports, ',');
    while (hosts && status == PITH_OK && pg_next_item(&hosts, host)) {
        if (ports && !pg_next_item(&ports, port))
            return PITH_OK; /* libpq will say what is wrong with them */
        status = pg_add_host(from, settings, host, port, err);
    }
    if (status == PITH_OK && settings->hosts && !hosts) {
        /* They stay the settings' own: pg_drop frees them. */
        pg_set(settings, "host", settings->hosts);
        pg_set(settings, "hostaddr", /* NOLINT(clang-analyzer-unix.Malloc) */
               settings->addresses);
        if (!one_port)
            pg_set(settings, "port", settings->ports);
    }
    return status;
}

/* ------------------------------------------------------------------------------ TLS */

/* Where the system keeps the certificates it trusts; NULL when the user has some. */
static const char *pg_certificates(const pg_settings *settings)
{
    static const char *const usual[] = {"/etc/ssl/certs/ca-certificates.crt",
                                        "/etc/pki/tls/certs/ca-bundle.crt",
                                        "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"};
    const char *home = getenv("HOME");
    char own[512];
    snprintf(own, sizeof own, "%s/.postgresql/root.crt", home ? home : "");
    if (pg_value(settings, "sslrootcert") || access(own, R_OK) == 0)
        return NULL;
    if (PQlibVersion() >= 160000)
        return "system";
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (access(usual[i], R_OK) == 0)
            return usual[i];
    return NULL;
}

/* On this machine TLS would be with a server that was not verified, which protects from
 * nothing; before require_auth it would only hide from the guard what is asked for. */
static const char *pg_usual_mode(pg_settings *settings, bool can_require)
{
    const char *said = getenv("PGSSLMODE");
    if (!pg_is_local(settings)) {
        settings->because = ", with sslmode=verify-full as for every host but this one";
        return "verify-full";
    }
    if (said && said[0] != '\0')
        return said;
    if (!can_require)
        settings->because = ", with sslmode=disable as for this host";
    return can_require ? "prefer" : "disable";
}

static void pg_choose_tls(pg_settings *settings)
{
    bool can_require = pg_option(settings->given, "require_auth") != NULL;
    const char *mode = pg_given(settings, "sslmode");
    mode = mode ? mode : pg_usual_mode(settings, can_require);
    pg_set(settings, "sslmode", mode);
    bool full = strcmp(mode, "verify-full") == 0;
    bool verified = full || strcmp(mode, "verify-ca") == 0;
    const char *certificates = full ? pg_certificates(settings) : NULL;
    if (certificates)
        pg_set(settings, "sslrootcert", certificates);
    if (pg_option(settings->given, "gssencmode") && !pg_given(settings, "gssencmode"))
        pg_set(settings, "gssencmode", "disable");
    if (can_require && !verified && !pg_given(settings, "require_auth"))
        pg_set(settings, "require_auth", "!password,!md5");
    settings->guarded = !verified && strcmp(mode, "require") != 0;
}

/* ------------------------------------------------------------------------ connecting */

static bool pg_is_logging_in(const PGconn *server)
{
    ConnStatusType status = PQstatus(server);
    return status == CONNECTION_AWAITING_RESPONSE || status == CONNECTION_SSL_STARTUP ||
           status == CONNECTION_GSS_STARTUP;
}

/* Lets libpq take its steps, with the guard between where there has to be one. */
static pith_status pg_log_in(const db *from, PGconn *server, pg_guard *guard,
                             bool guarded, pith_error *err)
{
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    pith_status status = PITH_OK;
    while (status == PITH_OK && PQstatus(server) != CONNECTION_BAD &&
           next != PGRES_POLLING_OK && next != PGRES_POLLING_FAILED) {
        bool ready = false;
        if (guarded && pg_is_logging_in(server)) {
            bool tls = PQstatus(server) != CONNECTION_AWAITING_RESPONSE;
            status = pg_guard_enter(guard, from, PQsocket(server), tls, err);
        }
        if (status == PITH_OK)
            status = pg_guard_pass(guard, from, err);
        pg_guard_leave_when_done(guard, PQsocket(server));
        if (status == PITH_OK) {
            status = pg_guard_wait(guard, from, PQsocket(server),
                                   next == PGRES_POLLING_WRITING, &ready, err);
        }
        if (status == PITH_OK && ready)
            next = PQconnectPoll(server);
    }
    return status;
}

/* By itself libpq would print what a server has to remark, as it comes. */
static void pg_ignore_notice(void *ctx, const PGresult *result)
{
    (void)ctx;
    (void)result;
}

static pith_status pg_try(const db *from, const pg_settings *settings, PGconn **server,
                          pith_error *err)
{
    pg_guard guard = {0};
    PQfinish(*server);
    *server = PQconnectStartParams(settings->words, settings->values, 0);
    if (!*server)
        return error_no_memory(err);
    PQsetNoticeReceiver(*server, pg_ignore_notice, NULL);
    pith_status status = pg_log_in(from, *server, &guard, settings->guarded, err);
    pg_guard_leave_when_done(&guard, PQsocket(*server));
    pg_guard_drop(&guard);
    if (status == PITH_OK && PQstatus(*server) != CONNECTION_OK) {
        const char *wrong = PQerrorMessage(*server);
        bool tls = strstr(wrong, "SSL") || strstr(wrong, "certificate") ||
                   strstr(wrong, "encryption");
        status = db_fail(err, PITH_IO, "connect_failed", "PostgreSQL%s: %s",
                         settings->because && tls ? settings->because : "", wrong);
    }
    return status;
}

static pith_status pg_ask_and_try(db *from, pg_settings *settings, PGconn **server,
                                  pith_error *err)
{
    char password[256];
    const char *user = PQuser(*server);
    pith_status status = PITH_IO;
    if (db_ask_password(from, user, PQhost(*server), password, sizeof password)) {
        pg_set(settings, "password", password);
        status = pg_try(from, settings, server, err);
    }
    db_forget(password, sizeof password);
    return status;
}

pith_status pg_connect_to(db *from, const char *url, PGconn **server, pith_error *err)
{
    pg_settings settings = {0};
    pith_status status = pg_read_url(&settings, url, err);
    if (status == PITH_OK) {
        const char *seconds = pg_given(&settings, "connect_timeout");
        long wanted = seconds ? strtol(seconds, NULL, 10) : 0;
        db_begin_connecting(from, wanted > 0 && wanted < 1000000 ? (unsigned)wanted : 0);
        pg_choose_tls(&settings);
        status = pg_look_up_hosts(from, &settings, err);
    }
    if (status == PITH_OK) {
        const char *password = getenv("PITH_DB_PASSWORD");
        pg_set(&settings, "client_encoding", "UTF8");
        pg_set(&settings, "fallback_application_name", "pith");
        if (password)
            pg_set(&settings, "password", password);
        status = pg_try(from, &settings, server, err);
        if (status == PITH_IO && *server && PQconnectionNeedsPassword(*server))
            status = pg_ask_and_try(from, &settings, server, err);
    }
    pg_drop(&settings);
    return status;
}
