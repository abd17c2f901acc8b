/*
 * calls.c - the functions of db.h, called by a program, with everything failing in turn.
 *
 *     usage: db_calls URL
 *
 * The tool uses them in one way; here they are used in the others: without options,
 * without a place for the error, one statement after another on one connection, with
 * somebody who says stop. Then a session runs again and again, each time with another
 * allocation failing, and with another call of the client's library failing. It must end
 * with an error that says so, or with the very same rows, and give every block back.
 *
 * tests/db/run starts the server, and this.
 */
#define _POSIX_C_SOURCE 200809L

#include "db/client.h"
#include "db/db.h"
#include "faults/layer.h"

#include "testing.h"
#include "named.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* What is different between the databases. */
typedef struct dialect {
    const char *scheme;
    const char *kinds;   /* a row of every kind of value, and a name twice */
    const char *found;   /* and what that is, as JSON */
    const char *params;  /* gives back its three parameters */
    const char *many;    /* more rows than are between two looks at the clock */
    const char *slow;    /* at work for long without a row */
    const char *running; /* how many of the slow ones the server has; NULL: no server */
    const char *ending;  /* cancels itself; NULL where that cannot be said */
    const char *change;  /* what only --write may do */
    const char *undo;
} dialect;

static const dialect dialects[] = {
    {
        "sqlite:",
        "SELECT 1 AS a, 2 AS a, 3 AS a_2, 0.5 AS f, 'text' AS t, x'00ff' AS b, NULL AS n",
        "[{\"a\":1,\"a_2_\":2,\"a_2\":3,\"f\":0.5,\"t\":\"text\",\"b\":\"AP8=\","
        "\"n\":null}]",
        "SELECT ? AS a, ? AS b, ? AS c",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 5000) "
        "SELECT x FROM c",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
        "SELECT sum(x) FROM c",
        NULL,
        NULL,
        "CREATE TABLE changed(x)",
        "DROP TABLE changed",
    },
    {
        "mariadb:",
        "SELECT 1 AS a, 2 AS a, 3 AS a_2, 0.50 AS n, 5e-1 AS f, 'text' AS t, "
        "REPEAT('x', 300) AS l, TIMESTAMP '2024-01-02 03:04:05' AS s, x'00ff' AS b, "
        "JSON_OBJECT('k', 1) AS j, CAST(18446744073709551615 AS UNSIGNED) AS u",
        "[{\"a\":1,\"a_2_\":2,\"a_2\":3,\"n\":0.50,\"f\":0.5,\"t\":\"text\",\"l\":\""
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "\",\"s\":\"2024-01-02T03:04:05\",\"b\":\"AP8=\",\"j\":{\"k\":1},"
        "\"u\":18446744073709551615}]",
        "SELECT ? AS a, ? AS b, ? AS c",
        "SELECT seq AS x FROM seq_1_to_5000",
        "SELECT SLEEP(31) AS s",
        "SELECT count(*) AS n FROM information_schema.PROCESSLIST "
        "WHERE INFO LIKE 'SELECT SLEEP(31)%'",
        NULL,
        "CREATE TABLE changed(x INT)",
        "DROP TABLE changed",
    },
    {
        "postgres:",
        "SELECT 1 AS a, 2 AS a, 3 AS a_2, 0.50::numeric AS n, 0.5::float8 AS f, "
        "'text'::text AS t, '\\x00ff'::bytea AS b, '2024-01-02 03:04:05'::timestamp AS s, "
        "'{\"k\":1}'::jsonb AS j, ARRAY['{\"k\":1}'::jsonb, '[]'] AS ja, "
        "ARRAY['2024-01-02'::date] AS da, ARRAY['\\x00ff'::bytea] AS ba, "
        "ARRAY[1,2] AS ia, '(1,2)'::point AS p",
        "[{\"a\":1,\"a_2_\":2,\"a_2\":3,\"n\":0.50,\"f\":0.5,\"t\":\"text\","
        "\"b\":\"AP8=\",\"s\":\"2024-01-02T03:04:05\",\"j\":{\"k\":1},"
        "\"ja\":[{\"k\":1},[]],\"da\":[\"2024-01-02\"],\"ba\":[\"AP8=\"],"
        "\"ia\":[1,2],\"p\":\"(1,2)\"}]",
        "SELECT $1::text AS a, $2::int AS b, $3::text AS c",
        "SELECT g AS x FROM generate_series(1, 5000) g",
        "SELECT pg_sleep(31)::text AS s",
        "SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active' "
        "AND query LIKE 'SELECT pg_sleep(31)%'",
        "SELECT pg_cancel_backend(pg_backend_pid())::text AS c, pg_sleep(31)::text AS s",
        "CREATE TABLE changed(x int)",
        "DROP TABLE changed",
    },
};

static const char *url;
static const dialect *speak;

/* ------------------------------------------------------------------------ a session */

typedef struct answer {
    pith_status status;
    pith_error err;
    pith_buffer rows; /* as JSON */
} answer;

/* Opens rows for the statement that runs. */
static pith_rows *open_rows(const db *from, pith_buffer *into, pith_error *err)
{
    pith_text names[32];
    size_t count = db_column_count(from);
    assert_true(count < ROWS(names));
    for (size_t i = 0; i < count; i++)
        names[i] = named(db_column_at(from, i)->name);
    return pith_rows_open("json", names, count, NULL, pith_sink_buffer(into), err);
}

/* Runs a statement on a connection; the rows of the one before are forgotten. */
static void run(db *from, const char *sql, const char *const *params, size_t count,
                answer *to)
{
    bool more = true;
    pith_buffer_free(&to->rows);
    to->rows = (pith_buffer){0};
    to->status = db_start(from, sql, params, count, &to->err);
    if (to->status != PITH_OK)
        return;
    if (db_column_count(from) == 0) {
        to->status = db_next(from, NULL, &more, &to->err);
        return;
    }
    pith_rows *rows = open_rows(from, &to->rows, &to->err);
    to->status = rows ? PITH_OK : to->err.status;
    while (to->status == PITH_OK && more)
        to->status = db_next(from, rows, &more, &to->err);
    if (to->status == PITH_OK)
        to->status = pith_rows_close(rows, &to->err);
    else
        pith_rows_abandon(rows);
}

static answer ask_with(const char *sql, const db_options *options,
                       const char *const *params, size_t count)
{
    answer found = {.status = PITH_OK};
    db *from = db_open(url, options, &found.err);
    if (from)
        run(from, sql, params, count, &found);
    else
        found.status = found.err.status;
    db_close(from);
    return found;
}

static answer ask(const char *sql, const db_options *options)
{
    return ask_with(sql, options, NULL, 0);
}

static bool gave(const answer *found, const char *rows)
{
    size_t len = strlen(rows);
    return found->status == PITH_OK && found->rows.len == len &&
           memcmp(found->rows.data, rows, len) == 0;
}

static void must_give(answer found, const char *rows)
{
    if (!gave(&found, rows)) {
        fprintf(stderr, "[%s] %s\n", found.err.code ? found.err.code : "",
                found.err.message);
        show_bytes("found", found.rows.data ? found.rows.data : "", found.rows.len);
    }
    assert_true(gave(&found, rows));
    pith_buffer_free(&found.rows);
}

static void must_fail(answer found, pith_status status, const char *code)
{
    if (found.status != status || strcmp(found.err.code, code) != 0) {
        fprintf(stderr, "expected [%s], found %d [%s] %s\n", code, (int)found.status,
                found.err.code ? found.err.code : "", found.err.message);
    }
    assert_int_equal(found.status, status);
    assert_string_equal(found.err.code, code);
    assert_true(found.err.message[0] != '\0');
    pith_buffer_free(&found.rows);
}

/* ------------------------------------------------------------------------ the calls */

static void every_kind_of_value(void **state)
{
    (void)state;
    must_give(ask(speak->kinds, NULL), speak->found);
}

static void parameters_may_be_null(void **state)
{
    (void)state;
    const char *params[] = {NULL, "-7", "it's \xc3\xa9"};
    must_give(ask_with(speak->params, NULL, params, 3),
              "[{\"a\":null,\"b\":-7,\"c\":\"it's \xc3\xa9\"}]");
    must_fail(ask_with(speak->params, NULL, params, 1), PITH_BAD_USE, "parameter_count");
    must_fail(ask_with(speak->params, NULL, NULL, 0), PITH_BAD_USE, "parameter_count");
}

/* A statement ends the one before, whose rows may not all have been fetched. */
static void statements_follow_each_other(void **state)
{
    (void)state;
    answer found = {.status = PITH_OK};
    db *from = db_open(url, NULL, &found.err);
    assert_non_null(from);
    run(from, "SELECT nothing FROM nowhere", NULL, 0, &found);
    assert_int_equal(found.status, PITH_BAD_INPUT);
    db_close(from);
    from = db_open(url, NULL, &found.err);
    for (int i = 0; i < 3; i++) {
        run(from, speak->kinds, NULL, 0, &found);
        assert_true(gave(&found, speak->found));
    }
    assert_null(db_column_at(from, 99));
    db_close(from);
    pith_buffer_free(&found.rows);
}

/* What the other database would do with a file. */
static void only_memory_is_imported_into(void **state)
{
    (void)state;
    pith_error err;
    db *from = db_open(url, NULL, &err);
    pith_doc *row = must_parse("json", LIT("{\"x\":1}"), NULL);
    assert_non_null(from);
    assert_int_equal(db_import(from, "t", pith_doc_root(row), &err), PITH_BAD_USE);
    assert_string_equal(err.code, "bad_import");
    assert_int_equal(db_import(from, "t", pith_doc_root(row), NULL), PITH_BAD_USE);
    pith_doc_free(row);
    db_close(from);
}

static void errors_may_go_unread(void **state)
{
    (void)state;
    bool more = false;
    assert_null(db_open("nothing", NULL, NULL));
    db_close(NULL);
    db *from = db_open(url, NULL, NULL);
    assert_non_null(from);
    assert_int_equal(db_start(from, "SELECT nothing FROM nowhere", NULL, 0, NULL),
                     PITH_BAD_INPUT);
    db_close(from);
    from = db_open(url, NULL, NULL);
    assert_int_equal(db_start(from, speak->kinds, NULL, 0, NULL), PITH_OK);
    assert_int_equal(db_next(from, NULL, &more, NULL), PITH_OK);
    assert_true(more);
    assert_int_equal(db_next(from, NULL, &more, NULL), PITH_OK);
    assert_false(more);
    db_close(from);
}

static void changes_are_allowed(void **state)
{
    (void)state;
    db_options options = {.write = true};
    must_fail(ask(speak->change, NULL), PITH_BAD_INPUT, "read_only");
    answer found = ask(speak->change, &options);
    assert_int_equal(found.status, PITH_OK);
    found = ask(speak->undo, &options);
    assert_int_equal(found.status, PITH_OK);
}

/* ----------------------------------------------------------------------- saying stop */

typedef struct patience {
    size_t looks; /* that are let pass */
} patience;

static bool is_over(void *ctx)
{
    patience *left = ctx;
    if (left->looks == 0)
        return true;
    left->looks--;
    return false;
}

/* Waits until the server is at none of the slow statements any more. */
static void must_be_idle(void)
{
    for (int i = 0; speak->running && i < 400; i++) {
        answer found = ask(speak->running, NULL);
        bool idle = gave(&found, "[{\"n\":0}]");
        pith_buffer_free(&found.rows);
        if (idle)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
    }
    assert_null(speak->running);
}

static void stop_ends_the_statement_on_the_server(void **state)
{
    (void)state;
    patience left = {0};
    db_options options = {.stop = is_over, .ctx = &left};
    for (size_t looks = 0; looks < 6; looks++) {
        left.looks = looks;
        must_fail(ask(speak->slow, &options), PITH_CANCELLED, "cancelled");
        must_be_idle();
    }
    left.looks = 10000;
    must_give(ask(speak->kinds, &options), speak->found);
}

/* Somebody accepts the connection and says nothing. */
static void a_silent_server_can_be_left(void **state)
{
    (void)state;
    char silent[80];
    pith_error err;
    patience left = {.looks = 2};
    db_options options = {.stop = is_over, .ctx = &left};
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t size = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(listener, 5), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &size), 0);
    snprintf(silent, sizeof silent, "%s//root@127.0.0.1:%u/shop", speak->scheme,
             (unsigned)ntohs(at.sin_port));
    if (speak->running) {
        assert_null(db_open(silent, &options, &err));
        assert_string_equal(err.code, "cancelled");
    }
    close(listener);
}

static void time_runs_out_for_the_server(void **state)
{
    (void)state;
    db_options options = {.timeout_max = 1};
    must_fail(ask(speak->slow, &options), PITH_LIMIT, "timeout");
    must_be_idle();
    options.timeout_max = 2;
    must_fail(ask(speak->slow, &options), PITH_LIMIT, "timeout");
    must_be_idle();
}

/* Between rows, too, somebody looks: every 1024 of them. */
static void stop_is_noticed_between_rows(void **state)
{
    (void)state;
    size_t stopped = 0;
    patience left = {0};
    db_options options = {.stop = is_over, .ctx = &left};
    for (size_t looks = 0; looks < 10; looks++) {
        left.looks = looks;
        answer found = ask(speak->many, &options);
        stopped += found.status == PITH_CANCELLED;
        pith_buffer_free(&found.rows);
    }
    assert_true(stopped >= 4);
}

static bool wait_has_ended(void *ctx)
{
    (void)ctx;
    return client_failed() != NULL;
}

/* A signal ends a wait, whichever it is, and somebody says stop. The statement is so long
 * that there is something to wait for before it runs. */
static void stop_is_noticed_in_every_wait(void **state)
{
    (void)state;
    enum { LONG = 12 * 1024 * 1024, WAITS_MOST = 1000 };
    static const char begin[] = "SELECT 1 AS a /*";
    db_options options = {.stop = wait_has_ended};
    char *sql = calloc(1, sizeof begin + LONG);
    assert_non_null(sql);
    memcpy(sql, begin, sizeof begin - 1);
    memset(sql + sizeof begin - 1, '*', LONG - 1);
    sql[sizeof begin + LONG - 2] = '/';
    bool some = true;
    size_t at = 0;
    while (speak->running && some && at < WAITS_MOST) {
        client_wait_ends_at(++at);
        answer found = ask(sql, &options);
        some = client_failed() != NULL;
        client_fails_at(0);
        if (some)
            must_fail(found, PITH_CANCELLED, "cancelled");
        else
            must_give(found, "[{\"a\":1}]");
    }
    assert_true(!speak->running || (at > 1 && at < WAITS_MOST));
    free(sql);
}

/* The server says that a statement was cancelled. Whether somebody here did that or
 * somebody else is asked when it says so. */
static void cancelled_by_somebody(void **state)
{
    (void)state;
    patience left = {0};
    db_options options = {.stop = is_over, .ctx = &left};
    bool stopped = speak->ending != NULL;
    for (size_t looks = 0; stopped; looks++) {
        left.looks = looks;
        answer found = ask(speak->ending, &options);
        stopped = left.looks == 0 && found.status == PITH_CANCELLED;
        if (stopped)
            must_fail(found, PITH_CANCELLED, "cancelled");
        else
            must_fail(found, PITH_BAD_INPUT, "query_failed");
    }
    assert_true(!speak->ending || left.looks < 1000);
}

/* ------------------------------------------------------------------- failing in turn */

static void ignore_note(void *ctx, bool minor, const char *sentence)
{
    size_t *notes = ctx;
    (void)minor;
    *notes += sentence[0] != '\0';
}

enum { SWEEP_MOST = 5000 };

/* The rows of the statement, and the list of tables after them, on one connection. */
static answer session_of_all(const db_options *options)
{
    answer found = {.status = PITH_OK};
    static const pith_text names[] = {DB_TABLE_COLUMNS};
    db *from = db_open(url, options, &found.err);
    if (!from) {
        found.status = found.err.status;
        return found;
    }
    run(from, speak->kinds, NULL, 0, &found);
    if (found.status == PITH_OK) {
        pith_rows *rows = pith_rows_open("json", names, DB_TABLE_COLUMN_COUNT, NULL,
                                         pith_sink_buffer(&found.rows), &found.err);
        found.status = rows ? db_tables(from, rows, 0, &found.err) : found.err.status;
        if (found.status == PITH_OK)
            found.status = pith_rows_close(rows, &found.err);
        else
            pith_rows_abandon(rows);
    }
    db_close(from);
    return found;
}

static bool same_rows(const answer *a, const answer *b)
{
    return a->rows.len == b->rows.len &&
           memcmp(a->rows.data, b->rows.data, a->rows.len) == 0;
}

static void memory_runs_out(void **state)
{
    (void)state;
    size_t notes = 0;
    db_options options = {.note = ignore_note, .ctx = &notes};
    answer plain = session_of_all(&options);
    assert_int_equal(plain.status, PITH_OK);
    assert_true(notes > 0);
    faults plan = {0};
    bool refused = true;
    while (refused && plan.memory_at < SWEEP_MOST) {
        plan.memory_at++;
        faults_set(&plan);
        answer found = session_of_all(&options);
        refused = faults_seen().memory_refused > 0;
        bool fine = found.status == PITH_OK
                        ? same_rows(&found, &plain)
                        : found.status == PITH_NO_MEMORY &&
                              strcmp(found.err.code, "no_memory") == 0;
        pith_buffer_free(&found.rows);
        long kept = faults_seen().live_blocks;
        faults_set(NULL);
        if (!fine || kept != 0) {
            fprintf(stderr, "allocation %zu: %ld blocks kept, %d [%s] %s\n",
                    plan.memory_at, kept, (int)found.status,
                    found.err.code ? found.err.code : "", found.err.message);
        }
        assert_true(fine && kept == 0);
    }
    assert_true(plan.memory_at > 20 && plan.memory_at < SWEEP_MOST);
    pith_buffer_free(&plain.rows);
}

/* With parameters and a time limit, for what a session without them does not call. */
static answer session_with_limits(void)
{
    const char *params[] = {"x", "-7", "y"};
    db_options options = {.timeout_max = 60};
    return ask_with(speak->params, &options, params, 3);
}

static void sweep_client(answer (*session)(void), void (*fails_at)(size_t))
{
    answer plain = session();
    assert_int_equal(plain.status, PITH_OK);
    bool some = true;
    size_t at = 0;
    while (some && at < SWEEP_MOST) {
        fails_at(++at);
        answer found = session();
        const char *name = client_failed();
        some = name != NULL;
        client_fails_at(0);
        bool fine = found.status == PITH_OK
                        ? same_rows(&found, &plain)
                        : found.err.code && found.err.message[0] != '\0';
        if (!fine) {
            fprintf(stderr, "%s fails: %d [%s] %s\n", name ? name : "nothing",
                    (int)found.status, found.err.code ? found.err.code : "",
                    found.err.message);
        }
        assert_true(fine);
        pith_buffer_free(&found.rows);
    }
    assert_true(at < SWEEP_MOST);
    pith_buffer_free(&plain.rows);
}

static answer session_without_options(void)
{
    return session_of_all(NULL);
}

static void every_call_of_the_client_fails(void **state)
{
    (void)state;
    sweep_client(session_without_options, client_fails_at);
    sweep_client(session_with_limits, client_fails_at);
    sweep_client(session_without_options, client_wait_fails_at);
}

/* While a statement is being stopped, the calls that stop it may fail as well. */
static void stopping_fails(void **state)
{
    (void)state;
    patience left = {0};
    db_options options = {.stop = is_over, .ctx = &left};
    for (size_t at = 1; at < 16; at++) {
        left.looks = 1;
        client_fails_at(at);
        answer found = ask(speak->slow, &options);
        client_fails_at(0);
        assert_true(found.status != PITH_OK);
        pith_buffer_free(&found.rows);
    }
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < ROWS(dialects); i++) {
        size_t len = strlen(dialects[i].scheme);
        if (strncmp(argv[1], dialects[i].scheme, len) == 0) {
            url = argv[1];
            speak = &dialects[i];
        }
    }
    if (!speak) {
        fprintf(stderr, "usage: db_calls sqlite:FILE | mariadb://... | postgres://...\n");
        return 2;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_value),
        cmocka_unit_test(parameters_may_be_null),
        cmocka_unit_test(statements_follow_each_other),
        cmocka_unit_test(only_memory_is_imported_into),
        cmocka_unit_test(errors_may_go_unread),
        cmocka_unit_test(changes_are_allowed),
        cmocka_unit_test(stop_ends_the_statement_on_the_server),
        cmocka_unit_test(a_silent_server_can_be_left),
        cmocka_unit_test(time_runs_out_for_the_server),
        cmocka_unit_test(stop_is_noticed_between_rows),
        cmocka_unit_test(stop_is_noticed_in_every_wait),
        cmocka_unit_test(cancelled_by_somebody),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(every_call_of_the_client_fails),
        cmocka_unit_test(stopping_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
