/*
 * test_sort.c - sorting numbers: in order, equals as they came, and without memory.
 */
#include "testing.h"

#include "base/sort.h"
#include "meter.h"

enum { NUMBERS = 1000 };

/* By their tens. */
static bool tens_before(const void *ctx, uint32_t a, uint32_t b)
{
    const uint32_t *values = ctx;
    return values[a] / 10 < values[b] / 10;
}

static void equals_stay_in_order(void **state)
{
    (void)state;
    meter counts = {0};
    pith_alloc alloc = meter_alloc(&counts);
    uint32_t values[NUMBERS];
    uint32_t order[NUMBERS];
    for (uint32_t i = 0; i < NUMBERS; i++)
        values[i] = i * 7919 % 331;
    for (size_t count = 0; count <= NUMBERS; count += count < 70 ? 1 : 93) {
        assert_true(sort_indexes(&alloc, order, count, tens_before, values));
        for (size_t i = 1; i < count; i++) {
            uint32_t before = values[order[i - 1]] / 10;
            uint32_t after = values[order[i]] / 10;
            assert_true(before < after || (before == after && order[i - 1] < order[i]));
        }
    }
    assert_true(meter_clean(&counts));
}

static void without_memory_nothing_is_sorted(void **state)
{
    (void)state;
    meter counts = {.fail_at = 1};
    pith_alloc alloc = meter_alloc(&counts);
    const uint32_t values[] = {20, 10};
    uint32_t order[2] = {0, 1};
    assert_false(sort_numbers(&alloc, order, 2, tens_before, values));
    assert_int_equal(order[0], 0);
    assert_true(sort_numbers(&alloc, order, 2, tens_before, values));
    assert_int_equal(order[0], 1);
    assert_true(meter_clean(&counts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_stay_in_order),
        cmocka_unit_test(without_memory_nothing_is_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
