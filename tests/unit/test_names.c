/*
 * test_names.c - names to numbers: in the order in which they come, under parents, and
 * taken off again.
 */
#include "testing.h"

#include "doc/names.h"
#include "meter.h"

enum { MANY = 500 };

/* Texts that outlive the list: name number i is i in digits. */
static char texts[MANY][8];

static pith_key key_of(unsigned i)
{
    int len = snprintf(texts[i], sizeof texts[i], "%u", i);
    pith_key key = {texts[i], (uint32_t)len, 0, 0};
    return key;
}

static void names_are_numbered_in_order(void **state)
{
    (void)state;
    meter counts = {0};
    name_list names;
    names_init(&names, meter_alloc(&counts), 7);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < MANY; i++) {
            pith_key key = key_of(i);
            assert_int_equal(names_meet(&names, &key, NAMES_NONE), i);
        }
    }
    pith_key stranger = {"stranger", 8, 0, 0};
    assert_int_equal(names_find(&names, &stranger, 3), NAMES_NONE);
    assert_false(names.failed);
    names_free(&names);
    assert_true(meter_clean(&counts));
}

/* As long as every guess is right there is nothing but the list. */
static void right_guesses_need_no_table(void **state)
{
    (void)state;
    meter counts = {0};
    name_list names;
    names_init(&names, meter_alloc(&counts), 7);
    for (unsigned i = 0; i < 16; i++) {
        pith_key key = key_of(i);
        assert_true(names_add(&names, &key));
    }
    for (unsigned i = 0; i < 16; i++) {
        pith_key key = key_of(i);
        assert_int_equal(names_find(&names, &key, i), i);
    }
    assert_int_equal(counts.requests, 1);
    names_free(&names);
    assert_true(meter_clean(&counts));
}

static void parents_tell_equal_names_apart(void **state)
{
    (void)state;
    meter counts = {0};
    name_list names;
    names_init(&names, meter_alloc(&counts), 7);
    pith_key a = key_of(1);
    pith_key b = key_of(2);
    assert_int_equal(names_meet(&names, &a, 0), 0);
    assert_int_equal(names_meet_in(&names, 9, &a, 0), 1);
    assert_int_equal(names_meet(&names, &b, 0), 2);
    assert_int_equal(names_meet_in(&names, 9, &b, 0), 3);
    assert_int_equal(names_find_in(&names, 9, &a, 0), 1);
    assert_int_equal(names_find_in(&names, 9, &b, 2), 3);
    assert_int_equal(names_find(&names, &b, 3), 2);
    assert_int_equal(names_find_in(&names, 8, &a, 1), NAMES_NONE);
    names_free(&names);
    assert_true(meter_clean(&counts));
}

/* Whatever was taken off is new again, and the names before it are where they were. */
static void the_last_names_are_taken_off(void **state)
{
    (void)state;
    meter counts = {0};
    name_list names;
    names_init(&names, meter_alloc(&counts), 7);
    for (unsigned keep = 0; keep < MANY; keep += 37) {
        for (unsigned i = 0; i < MANY; i++) {
            pith_key key = key_of(i);
            assert_int_equal(names_meet_in(&names, i % 3, &key, NAMES_NONE), i);
        }
        names_back(&names, keep);
        for (unsigned i = 0; i < MANY; i++) {
            pith_key key = key_of(i);
            assert_int_equal(names_find_in(&names, i % 3, &key, NAMES_NONE),
                             i < keep ? i : NAMES_NONE);
        }
    }
    names_free(&names);
    assert_true(meter_clean(&counts));
}

/* Names that were taken off before anybody asked for one. */
static void names_leave_without_having_been_entered(void **state)
{
    (void)state;
    meter counts = {0};
    name_list names;
    names_init(&names, meter_alloc(&counts), 7);
    pith_key a = key_of(1);
    pith_key b = key_of(2);
    assert_true(names_add(&names, &a));
    assert_true(names_index(&names));
    assert_true(names_add(&names, &b));
    names_back(&names, 1);
    assert_true(names_add_in(&names, 4, &b));
    assert_int_equal(names_find(&names, &b, 7), NAMES_NONE);
    assert_int_equal(names_find_in(&names, 4, &b, 7), 1);
    names_back(&names, 0);
    assert_int_equal(names_find(&names, &a, 0), NAMES_NONE);
    names_free(&names);
    assert_true(meter_clean(&counts));
}

static void without_memory_there_is_no_number(void **state)
{
    (void)state;
    for (size_t fail = 1; fail < 40; fail++) {
        meter counts = {0};
        counts.fail_at = fail;
        name_list names;
        names_init(&names, meter_alloc(&counts), 7);
        for (unsigned i = 0; i < MANY && !names.failed; i++) {
            pith_key key = key_of(i);
            uint32_t number = names_meet_in(&names, i % 2, &key, NAMES_NONE);
            assert_int_equal(number, names.failed ? NAMES_NONE : i);
        }
        assert_int_equal(names.failed, counts.failures > 0);
        names_back(&names, names.keys.count / 2);
        names_free(&names);
        assert_true(meter_clean(&counts));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_numbered_in_order),
        cmocka_unit_test(right_guesses_need_no_table),
        cmocka_unit_test(parents_tell_equal_names_apart),
        cmocka_unit_test(the_last_names_are_taken_off),
        cmocka_unit_test(names_leave_without_having_been_entered),
        cmocka_unit_test(without_memory_there_is_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
