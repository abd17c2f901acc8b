/*
 * connect.c - what comes before a connection, for which no server is needed: which hosts
 * are local, which settings are secret, a name server that does not answer, and packets
 * that end too early.
 *
 * The look-up of names is led through a wrapper (the linker's --wrap) that takes its time.
 */
#define _POSIX_C_SOURCE 200809L

#include "db/db_driver.h"
#include "db/db_wire.h"

#include "testing.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static unsigned look_up_seconds;

int __real_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                       struct addrinfo **found);
int __wrap_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                       struct addrinfo **found);
int __wrap_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                       struct addrinfo **found)
{
    if (look_up_seconds > 0) {
        struct timespec long_time = {(time_t)look_up_seconds, 0};
        nanosleep(&long_time, NULL);
    }
    return __real_getaddrinfo(host, port, hints, found);
}

static const db_driver nothing = {.title = "Nothing"};

/* ----------------------------------------------------------------------------- hosts */

static void this_machine_is_local_and_no_other(void **unused)
{
    static const char *const here[] = {
        "",          "/run/x",      "@x",  "localhost",       "LocalHost",
        "127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"};
    static const char *const there[] = {
        "10.0.0.1", "127.1", "127.0.0.1.example", "localhost.org", "0.0.0.0",
        "::",       "::2",   "2130706433",        "db.example"};
    (void)unused;
    assert_true(db_is_local(NULL));
    for (size_t i = 0; i < sizeof here / sizeof here[0]; i++)
        assert_true(db_is_local(here[i]));
    for (size_t i = 0; i < sizeof there / sizeof there[0]; i++)
        assert_false(db_is_local(there[i]));
}

static void secrets_are_known_by_name(void **unused)
{
    static const char *const secret[] = {"password", "sslpassword", "PASSWORD",
                                         "passwd",   "pwd",         "scram_client_key"};
    static const char *const open[] = {"passfile", "user", "", "word", "sslmode"};
    (void)unused;
    for (size_t i = 0; i < sizeof secret / sizeof secret[0]; i++)
        assert_true(db_is_secret(secret[i]));
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++)
        assert_false(db_is_secret(open[i]));
}

/* --------------------------------------------------------------------------- waiting */

static void a_silent_name_server_costs_the_deadline(void **unused)
{
    db from = {.driver = &nothing, .options = {.connect_max = 1}};
    char found[DB_ADDRESS_COUNT][DB_ADDRESS_SIZE];
    size_t count;
    pith_error err;
    (void)unused;
    look_up_seconds = 20;
    double before = db_now();
    db_begin_connecting(&from, 0);
    assert_int_equal(db_look_up(&from, "db.example", found, &count, &err), PITH_IO);
    assert_true(db_now() - before < 5);
    assert_string_equal(err.code, "connect_failed");
    assert_string_equal(err.message, "Nothing: there was no connection within 1 second");
    look_up_seconds = 0;
}

static void a_name_has_addresses_or_none(void **unused)
{
    db from = {.driver = &nothing};
    char found[DB_ADDRESS_COUNT][DB_ADDRESS_SIZE];
    size_t count;
    pith_error err;
    (void)unused;
    db_begin_connecting(&from, 0);
    assert_int_equal(db_look_up(&from, "127.0.0.1", found, &count, &err), PITH_OK);
    assert_int_equal(count, 1);
    assert_string_equal(found[0], "127.0.0.1");
    assert_int_equal(db_look_up(&from, "no such host", found, &count, &err), PITH_IO);
    assert_string_equal(err.code, "connect_failed");
    assert_non_null(strstr(err.message, "no such host"));
}

static void connecting_takes_what_is_said_or_30_seconds(void **unused)
{
    db from = {.driver = &nothing};
    (void)unused;
    db_begin_connecting(&from, 0);
    assert_int_equal(from.connecting, 30);
    db_begin_connecting(&from, 60);
    assert_int_equal(from.connecting, 60);
    from.options.connect_max = 9;
    db_begin_connecting(&from, 0);
    assert_int_equal(from.connecting, 9);
    from.options.timeout_max = 5;
    db_begin_connecting(&from, 60);
    assert_int_equal(from.connecting, 5);
}

static bool think(void *ctx, const char *who, char *into, size_t size)
{
    struct timespec moment = {0, 300 * 1000000};
    (void)ctx;
    nanosleep(&moment, NULL);
    snprintf(into, size, "%s's", who);
    return true;
}

static void the_clock_stands_still_while_somebody_types(void **unused)
{
    db from = {.driver = &nothing, .options = {.password = think}};
    char password[16];
    (void)unused;
    db_begin_connecting(&from, 0);
    double before = from.deadline;
    assert_true(db_ask_password(&from, "ada", "host", password, sizeof password));
    assert_string_equal(password, "ada@host's");
    assert_true(from.deadline - before >= 0.3);
    db_forget(password, sizeof password);
    for (size_t i = 0; i < sizeof password; i++)
        assert_int_equal(password[i], 0);
    from.options.password = NULL;
    assert_false(db_ask_password(&from, "ada", "host", password, sizeof password));
}

static void sleep_long(void *ctx)
{
    (void)ctx;
    sleep(60);
}

static void do_nothing(void *ctx)
{
    (void)ctx;
}

static void what_runs_apart_is_not_waited_for(void **unused)
{
    (void)unused;
    double before = db_now();
    db_run_apart(sleep_long, NULL);
    db_run_apart(do_nothing, NULL);
    assert_true(db_now() - before < 2);
}

/* --------------------------------------------------------------------------- packets */

/* Calls `read` with every beginning of a packet, each in memory of just its size. */
static void refuse_beginnings(const char *packet, size_t len, bool (*read)(wire *))
{
    for (size_t kept = 0; kept <= len; kept++) {
        unsigned char *exact = malloc(kept ? kept : 1);
        assert_non_null(exact);
        memcpy(exact, packet, kept);
        wire beginning = {exact, exact + kept, false};
        assert_int_equal(read(&beginning), kept == len);
        free(exact);
    }
}

static bool read_column(wire *packet)
{
    wire_column column;
    return wire_read_column(packet, &column);
}

static bool read_ok(wire *packet)
{
    wire_ok ok;
    return wire_read_ok(packet, &ok);
}

static bool read_greeting(wire *packet)
{
    uint32_t abilities;
    return wire_read_greeting(packet, &abilities);
}

static bool read_datetime(wire *packet)
{
    char text[WIRE_TIME_SIZE];
    return wire_write_time(text, packet, 12, 6) > 0 && !packet->bad;
}

static void packets_that_end_too_early_are_refused(void **unused)
{
    static const char column[] = "\3def\0\0\0\1a\1b\x0c\x2d\0\1\0\0\0\xfd\1\0\2\0\0";
    static const char ok[] = "\xfc\1\1\0\2\0";
    static const char greeting[] = "\x0a"
                                   "5.5\0"
                                   "\1\2\3\4"
                                   "12345678\0"
                                   "\0\x82\x2d\2\0\x08\0\x15"
                                   "0123456789"
                                   "abcdefghijkl";
    static const char datetime[] = "\x0b\xe8\7\1\2\3\4\5\1\0\0\0";
    (void)unused;
    refuse_beginnings(column, sizeof column - 1, read_column);
    refuse_beginnings(ok, sizeof ok - 1, read_ok);
    refuse_beginnings(greeting, sizeof greeting, read_greeting);
    refuse_beginnings(datetime, sizeof datetime - 1, read_datetime);
}

static void lengths_never_lead_beyond_the_end(void **unused)
{
    static const char *const lengths[] = {"\xfb",
                                          "\xff",
                                          "\2x",
                                          "\xfc\xff\xff",
                                          "\xfd\xff\xff\xff",
                                          "\xfe\xff\xff\xff\xff\xff\xff\xff\xff",
                                          "\xfe\xfe\xff\xff\xff\xff\xff\xff\xff"};
    (void)unused;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const unsigned char *at = (const unsigned char *)lengths[i];
        wire packet = {at, at + strlen(lengths[i]), false};
        size_t len;
        assert_null(wire_text(&packet, &len));
        assert_true(packet.bad);
        assert_int_equal(len, 0);
        assert_int_equal(wire_left(&packet), 0);
        assert_int_equal(wire_number(&packet, 1), 0);
    }
}

static void times_of_every_length_are_written(void **unused)
{
    static const struct {
        const char *packed;
        size_t len;
        unsigned type, decimals;
        const char *text; /* NULL: it is none */
    } cases[] = {
        {"\0", 1, 10, 0, "0000-00-00"},
        {"\4\xe8\7\1\2", 5, 10, 0, "2024-01-02"},
        {"\0", 1, 12, 0, "0000-00-00 00:00:00"},
        {"\7\xe8\7\1\2\3\4\5", 8, 12, 0, "2024-01-02 03:04:05"},
        {"\x0b\xe8\7\1\2\3\4\5\x20\xa1\7\0", 12, 7, 1, "2024-01-02 03:04:05.5"},
        {"\0", 1, 11, 0, "00:00:00"},
        {"\x08\1\1\0\0\0\2\3\4", 9, 11, 0, "-26:03:04"},
        {"\x0c\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 13, 11, 39,
         "103079215335:255:255.4294967295"},
        {"\5\1\1\1\1\1", 6, 11, 0, NULL},
        {"\x08\1\1\1\1\1\1\1\1", 9, 12, 0, NULL},
        {"\7\xe8\7\1", 4, 12, 0, NULL},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const unsigned char *at = (const unsigned char *)cases[i].packed;
        wire packet = {at, at + cases[i].len, false};
        char text[WIRE_TIME_SIZE] = "";
        size_t len = wire_write_time(text, &packet, cases[i].type, cases[i].decimals);
        assert_string_equal(text, cases[i].text ? cases[i].text : "");
        assert_int_equal(len, strlen(text));
        assert_int_equal(packet.bad, cases[i].text == NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_machine_is_local_and_no_other),
        cmocka_unit_test(secrets_are_known_by_name),
        cmocka_unit_test(a_silent_name_server_costs_the_deadline),
        cmocka_unit_test(a_name_has_addresses_or_none),
        cmocka_unit_test(connecting_takes_what_is_said_or_30_seconds),
        cmocka_unit_test(the_clock_stands_still_while_somebody_types),
        cmocka_unit_test(what_runs_apart_is_not_waited_for),
        cmocka_unit_test(packets_that_end_too_early_are_refused),
        cmocka_unit_test(lengths_never_lead_beyond_the_end),
        cmocka_unit_test(times_of_every_length_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
