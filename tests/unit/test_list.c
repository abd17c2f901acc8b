/*
 * test_list.c - arrays that grow: what is added stays, and a list that cannot grow is
 * left as it was.
 */
#include "testing.h"

#include "base/list.h"
#include "meter.h"

typedef LIST(uint32_t) numbers;

static void check_numbers(const numbers *list, size_t count)
{
    assert_int_equal(list->count, count);
    assert_true(list->cap >= count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(list->at[i], i);
}

/* False when memory runs out. */
static bool add_numbers(numbers *list, const pith_alloc *alloc, size_t until)
{
    while (list->count < until) {
        uint32_t number = (uint32_t)list->count;
        uint32_t *added = LIST_ADD(list, alloc);
        if (!added)
            return false;
        *added = number;
    }
    return true;
}

static void an_empty_list_needs_no_memory(void **state)
{
    (void)state;
    meter counts = {0};
    pith_alloc alloc = meter_alloc(&counts);
    numbers list = {0};
    assert_true(LIST_RESERVE(&list, &alloc, 0));
    assert_null(list.at);
    LIST_FREE(&list, &alloc);
    assert_int_equal(counts.requests, 0);
    assert_true(meter_clean(&counts));
}

static void what_is_added_stays(void **state)
{
    (void)state;
    meter counts = {0};
    pith_alloc alloc = meter_alloc(&counts);
    numbers list = {0};
    for (size_t until = 1; until < 200; until++) {
        assert_true(add_numbers(&list, &alloc, until));
        check_numbers(&list, until);
    }
    LIST_FREE(&list, &alloc);
    assert_true(meter_clean(&counts));
}

/* Sixteen items at first, then half as many again each time. */
static void it_grows_by_half(void **state)
{
    (void)state;
    static const size_t caps[] = {16, 24, 36, 54, 81, 121};
    meter counts = {0};
    pith_alloc alloc = meter_alloc(&counts);
    numbers list = {0};
    for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
        assert_true(add_numbers(&list, &alloc, list.cap + 1));
        assert_int_equal(list.cap, caps[i]);
        assert_int_equal(counts.requests, i + 1);
        assert_int_equal(counts.live_bytes, caps[i] * sizeof *list.at);
    }
    LIST_FREE(&list, &alloc);
    assert_true(meter_clean(&counts));
}

/* Room is for items after the last, and only what is missing is asked for. */
static void room_is_after_the_last(void **state)
{
    (void)state;
    meter counts = {0};
    pith_alloc alloc = meter_alloc(&counts);
    numbers list = {0};
    assert_true(add_numbers(&list, &alloc, 10));
    assert_true(LIST_RESERVE(&list, &alloc, 6));
    assert_int_equal(list.cap, 16);
    assert_true(LIST_RESERVE(&list, &alloc, 1000));
    assert_int_equal(list.cap, 1010);
    check_numbers(&list, 10);
    assert_true(add_numbers(&list, &alloc, 1010));
    assert_int_equal(counts.requests, 2);
    LIST_FREE(&list, &alloc);
    assert_true(meter_clean(&counts));
}

/* An array whose count is that of another. */
static void an_array_without_a_count_grows(void **state)
{
    (void)state;
    meter counts = {0};
    pith_alloc alloc = meter_alloc(&counts);
    uint64_t *array = NULL;
    size_t cap = 0;
    assert_true(list_grow(&alloc, (void *)&array, &cap, 20, sizeof *array));
    assert_non_null(array);
    assert_int_equal(cap, 20);
    array[19] = 7;
    assert_true(list_grow(&alloc, (void *)&array, &cap, 20, sizeof *array));
    assert_int_equal(counts.requests, 1);
    assert_true(list_grow(&alloc, (void *)&array, &cap, 21, sizeof *array));
    assert_int_equal(cap, 30);
    assert_int_equal(array[19], 7);
    alloc_free(&alloc, array, cap * sizeof *array);
    assert_true(meter_clean(&counts));
}

static void without_memory_it_stays_as_it_is(void **state)
{
    (void)state;
    meter counts = {.fail_at = 1};
    pith_alloc alloc = meter_alloc(&counts);
    numbers list = {0};
    assert_null(LIST_ADD(&list, &alloc));
    assert_null(list.at);
    assert_int_equal(list.count, 0);
    assert_int_equal(list.cap, 0);

    assert_true(add_numbers(&list, &alloc, 16));
    const uint32_t *before = list.at;
    counts.fail_at = counts.requests + 1;
    counts.fail_onwards = true;
    assert_null(LIST_ADD(&list, &alloc));
    assert_false(LIST_RESERVE(&list, &alloc, 100));
    assert_ptr_equal(list.at, before);
    assert_int_equal(list.cap, 16);
    check_numbers(&list, 16);

    counts.fail_at = 0;
    assert_true(add_numbers(&list, &alloc, 17));
    check_numbers(&list, 17);
    LIST_FREE(&list, &alloc);
    assert_true(meter_clean(&counts));
}

/* Sizes that are no sizes are refused before the allocator hears of them. */
static void too_many_items_are_refused(void **state)
{
    (void)state;
    static const size_t too_many[] = {SIZE_MAX,     SIZE_MAX - 2, SIZE_MAX - 3,
                                      SIZE_MAX / 2, SIZE_MAX / 4, SIZE_MAX / 8 - 2};
    meter counts = {0};
    pith_alloc alloc = meter_alloc(&counts);
    numbers list = {0};
    assert_true(add_numbers(&list, &alloc, 3));
    const uint32_t *before = list.at;
    for (size_t i = 0; i < sizeof too_many / sizeof *too_many; i++) {
        assert_false(LIST_RESERVE(&list, &alloc, too_many[i]));
        assert_ptr_equal(list.at, before);
        assert_int_equal(list.cap, 16);
        check_numbers(&list, 3);
    }
    assert_int_equal(counts.requests, 1);
    LIST_FREE(&list, &alloc);
    assert_true(meter_clean(&counts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_list_needs_no_memory),
        cmocka_unit_test(what_is_added_stays),
        cmocka_unit_test(it_grows_by_half),
        cmocka_unit_test(room_is_after_the_last),
        cmocka_unit_test(an_array_without_a_count_grows),
        cmocka_unit_test(without_memory_it_stays_as_it_is),
        cmocka_unit_test(too_many_items_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
