/*
 * cmocka.h - as much of cmocka as the unit tests need, for machines for which there is no
 * package of it: WebAssembly and Windows. A failed assertion ends the program.
 */
#ifndef MACHINES_CMOCKA_H
#define MACHINES_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(function)                                                       \
    {                                                                                    \
#function, function                                                              \
    }
#define cmocka_run_group_tests(tests, before, after)                                     \
    cmocka_run(tests, sizeof(tests) / sizeof((tests)[0]))

#define print_message(...) printf(__VA_ARGS__)
#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define fail_msg(...)                                                                    \
    (fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), fprintf(stderr, __VA_ARGS__),       \
     exit(1))
#define fail() fail_msg("failed\n")
#define skip() return

#define assert_true(holds)                                                               \
    ((holds) ? (void)0                                                                   \
             : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds), exit(1)))
#define assert_false(holds) assert_true(!(holds))
#define assert_null(pointer) assert_true((pointer) == NULL)
#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define assert_ptr_equal(a, b) assert_true((a) == (b))
#define assert_int_equal(a, b) assert_true((long long)(a) == (long long)(b))
#define assert_int_not_equal(a, b) assert_true((long long)(a) != (long long)(b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)
#define assert_memory_equal(a, b, len) assert_true(memcmp(a, b, len) == 0)

static inline int cmocka_run(const struct CMUnitTest *tests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *state = NULL;
        tests[i].run(&state);
        printf("%s\n", tests[i].name);
    }
    printf("%u passed, 0 failed\n", (unsigned)count);
    return 0;
}

#endif
