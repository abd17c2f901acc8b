/*
 * test_print.c - sentences, as the C library's printf would write them.
 */
#include "base/print.h"
#include "testing.h"

#include <stdint.h>
#include <stdio.h>

/* Both write the same, for every room from one byte on. */
#define SAME(...)                                                                        \
    do {                                                                                 \
        char ours[80], theirs[80];                                                       \
        for (size_t room = 1; room <= sizeof ours; room++) {                             \
            size_t len = print_into(ours, room, __VA_ARGS__);                            \
            snprintf(theirs, room, __VA_ARGS__);                                         \
            assert_string_equal(ours, theirs);                                           \
            assert_int_equal(len, strlen(theirs));                                       \
        }                                                                                \
    } while (0)

static void test_texts(void **state)
{
    (void)state;
    SAME("%s", "plain");
    SAME("no values, 100%%");
    SAME("'%s' and '%s'", "", "two");
    SAME("%.3s|%.9s|%.*s|%.0s", "abcdef", "abc", 2, "xyz", "gone");
    SAME("%c%c", 'a', '%');
}

static void test_numbers(void **state)
{
    (void)state;
    SAME("%d %d %d %d", 0, -1, INT32_MAX, INT32_MIN);
    SAME("%u %lu %llu %zu", 0u, 1ul, (unsigned long long)UINT64_MAX, SIZE_MAX);
    SAME("%02X %04x %04X %08lx", 5u, 0xBEEFu, 0xABCDEu, 0x1ul);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
