/*
 * load.c - libraries that are loaded when they are asked for, and those that are not there.
 *
 * The C library's mathematics stand in for a client: they are on every machine.
 */
#include "db/db_client.h"

#include "testing.h"

#define MATHS DB_LIBRARY("m", "6")

typedef struct places {
    double (*floor)(double number);
    double (*ceil)(double number);
} places;

static const db_call rounding[] = {
    {"floor", offsetof(places, floor)},
    {"ceil", offsetof(places, ceil)},
};

static const db_call unknown[] = {
    {"floor", offsetof(places, floor)},
    {"round_the_corner", offsetof(places, ceil)},
};

static db_client client_of(const char *library, const db_call *calls, places *into)
{
    return (db_client){.title = "Maths",
                       .library = library,
                       .package = "libmaths7",
                       .calls = calls,
                       .count = 2,
                       .places = into};
}

static void functions_are_found_by_name(void **state)
{
    (void)state;
    places found = {NULL, NULL};
    db_client client = client_of(MATHS, rounding, &found);
    assert_int_equal(db_load(&client, NULL), PITH_OK);
    assert_true(client.loaded);
    assert_true(found.floor(1.5) == 1.0);
    assert_true(found.ceil(1.5) == 2.0);
    client.library = "no-longer-looked-at";
    assert_int_equal(db_load(&client, NULL), PITH_OK);
}

static void must_lack(const char *library, const db_call *calls, const char *expected)
{
    places found = {NULL, NULL};
    pith_error err;
    db_client client = client_of(library, calls, &found);
    assert_int_equal(db_load(&client, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "no_driver");
    if (strncmp(err.message, expected, strlen(expected)) != 0)
        fail_msg("expected '%s...', found '%s'", expected, err.message);
    assert_false(client.loaded);
    assert_int_equal(db_load(&client, NULL), PITH_BAD_USE);
}

static void a_missing_library_is_named_with_its_package(void **state)
{
    (void)state;
    must_lack(
        "libmaths.so.7", rounding,
        "Maths needs libmaths.so.7, in Debian's package libmaths7: libmaths.so.7: ");
}

static void a_library_that_is_too_old_is_told_by_what_it_lacks(void **state)
{
    (void)state;
    must_lack(MATHS, unknown,
              "Maths needs a newer " MATHS
              ", in Debian's package libmaths7: this one has no round_the_corner");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_found_by_name),
        cmocka_unit_test(a_missing_library_is_named_with_its_package),
        cmocka_unit_test(a_library_that_is_too_old_is_told_by_what_it_lacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
