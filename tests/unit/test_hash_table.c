/*
 * test_hash_table.c - tables of numbers: what was entered is found, and a table that
 * cannot grow is left as it was.
 */
#include "testing.h"

#include "base/hash_table.h"
#include "base/list.h"
#include "meter.h"

typedef struct squares {
    LIST(uint64_t) list;
    hash_table table;
} squares;

static size_t place_of(const squares *set, uint64_t square)
{
    size_t at = hash_first(&set->table, hash_number(7, square));
    while (set->table.at[at] != HASH_NONE && set->list.at[set->table.at[at]] != square)
        at = hash_next(&set->table, at);
    return at;
}

static bool add_square(squares *set, const pith_alloc *alloc)
{
    bool moved;
    size_t count = set->list.count;
    uint64_t *added = LIST_ADD(&set->list, alloc);
    if (!added || !hash_table_reserve(&set->table, alloc, count + 1, &moved)) {
        set->list.count = count;
        return false;
    }
    *added = (uint64_t)count * count;
    for (size_t i = moved ? 0 : count; i <= count; i++)
        hash_enter(&set->table, hash_number(7, set->list.at[i]), (uint32_t)i);
    return true;
}

static void all_are_found(const squares *set)
{
    for (uint64_t i = 0; i < set->list.count + 10; i++) {
        uint32_t found = set->table.at[place_of(set, i * i)];
        assert_true(i < set->list.count ? found == i : found == HASH_NONE);
    }
}

static void what_is_entered_is_found(void **state)
{
    (void)state;
    meter counts = {0};
    pith_alloc alloc = meter_alloc(&counts);
    squares set = {0};
    for (size_t i = 0; i < 300; i++) {
        assert_true(add_square(&set, &alloc));
        assert_true(set.list.count * 2 <= set.table.size);
        all_are_found(&set);
    }
    hash_table_clear(&set.table);
    set.list.count = 0;
    all_are_found(&set);
    LIST_FREE(&set.list, &alloc);
    hash_table_free(&set.table, &alloc);
    assert_true(meter_clean(&counts));
}

static void without_memory_nothing_changes(void **state)
{
    (void)state;
    meter counts = {0};
    pith_alloc alloc = meter_alloc(&counts);
    squares set = {0};
    size_t refused = 0;
    while (set.list.count < 200) {
        counts.fail_at = counts.requests + 1;
        if (!add_square(&set, &alloc)) {
            refused++;
            counts.fail_at = 0;
            if (set.table.size > 0)
                all_are_found(&set);
            assert_true(add_square(&set, &alloc));
        }
    }
    assert_true(refused > 5);
    all_are_found(&set);
    LIST_FREE(&set.list, &alloc);
    hash_table_free(&set.table, &alloc);
    assert_true(meter_clean(&counts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_entered_is_found),
        cmocka_unit_test(without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
