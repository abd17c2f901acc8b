/*
 * test_hash.c - the seeded hash: its seed is the process's, and without it keys cannot be
 * made to collide.
 */
#include "testing.h"

#include "base/hash.h"

#include <sys/wait.h>
#include <unistd.h>

enum { TABLE = 4096, KEYS = 256 };

static void the_same_every_time(void **state)
{
    (void)state;
    assert_true(hash_draw_seed() == hash_draw_seed());
    assert_true(hash_text(1, "abc", 3) == hash_text(1, "abc", 3));
    assert_true(hash_number(1, 7) == hash_number(1, 7));
}

/* Every byte counts, wherever it stands, and so does the length. */
static void everything_counts(void **state)
{
    (void)state;
    char text[40];
    memset(text, 'x', sizeof text);
    for (size_t len = 0; len < sizeof text; len++) {
        uint64_t hash = hash_text(99, text, len);
        assert_true(hash != hash_text(98, text, len));
        assert_true(hash != hash_text(99, text, len + 1));
        for (size_t at = 0; at < len; at++) {
            text[at] ^= 1;
            assert_true(hash != hash_text(99, text, len));
            text[at] ^= 1;
        }
    }
    const char zeros[20] = {0};
    for (size_t len = 0; len < sizeof zeros; len++)
        assert_true(hash_text(99, zeros, len) != hash_text(99, zeros, len + 1));
}

/* No byte is read after the text: each in a block of its own, for the sanitizer. */
static void nothing_is_read_after(void **state)
{
    (void)state;
    for (size_t len = 0; len < 40; len++) {
        char *text = malloc(len + (len == 0));
        assert_non_null(text);
        memset(text, 'y', len);
        hash_text(5, text, len);
        free(text);
    }
}

/* The number of keys in the fullest place of the table. */
static size_t fullest(const char keys[KEYS][16], uint64_t seed)
{
    size_t places[TABLE] = {0}, most = 0;
    for (size_t i = 0; i < KEYS; i++) {
        size_t at = (size_t)hash_text(seed, keys[i], strlen(keys[i])) & (TABLE - 1);
        most = ++places[at] > most ? places[at] : most;
    }
    return most;
}

/* Keys that meet in one place under one seed, found by trying, are scattered under any
 * other: so they have to be found anew for each process, and nobody knows its seed. */
static void collisions_do_not_carry_over(void **state)
{
    (void)state;
    const uint64_t known = UINT64_C(0x0123456789ABCDEF);
    static char keys[KEYS][16];
    size_t found = 0;
    for (size_t i = 0; found < KEYS; i++) {
        snprintf(keys[found], sizeof keys[found], "key%zu", i);
        size_t at =
            (size_t)hash_text(known, keys[found], strlen(keys[found])) & (TABLE - 1);
        found += at == 0;
    }
    assert_int_equal(fullest(keys, known), KEYS);
    for (uint64_t step = 0; step < 64; step++) {
        /* neighbours of it, seeds of one bit's difference, and the process's own */
        assert_true(fullest(keys, known + step + 1) < 8);
        assert_true(fullest(keys, known ^ UINT64_C(1) << step) < 8);
        assert_true(fullest(keys, hash_seed_of(known, step + 1)) < 8);
    }
    assert_true(fullest(keys, hash_draw_seed()) < 8);
}

/* How far numbers in a row, `step` apart, stand from their places in a table that is half
 * full, on average. */
static double average_way(uint64_t seed, uint64_t step)
{
    bool taken[TABLE] = {false};
    size_t way = 0;
    for (uint64_t i = 0; i < TABLE / 2; i++) {
        size_t at = hash_small(seed, i * step) & (TABLE - 1);
        for (; taken[at]; at = (at + 1) & (TABLE - 1))
            way++;
        taken[at] = true;
    }
    return (double)way / (TABLE / 2);
}

/* Under any seed: with an unlucky one, even distances would be heaps. */
static void small_numbers_spread(void **state)
{
    (void)state;
    static const uint64_t steps[] = {1, 2, 3, 7, 64, 257, 4096};
    for (uint64_t seed = 1; seed <= 500; seed++)
        for (size_t i = 0; i < ROWS(steps); i++)
            assert_true(average_way(hash_number(0, seed), steps[i]) < 1);
}

/* Another process draws another seed. The program runs itself to see it. */
static char *own_path;

static uint64_t seed_of_a_process(void)
{
    char text[32] = "";
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], 1);
        execl(own_path, own_path, "--seed", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    size_t len = 0;
    ssize_t got;
    while ((got = read(ends[0], text + len, sizeof text - 1 - len)) > 0)
        len += (size_t)got;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    return strtoull(text, NULL, 16);
}

static void every_process_has_its_own(void **state)
{
    (void)state;
#ifdef PITH_TEST_EMULATED
    skip(); /* the system cannot run a program of another machine by itself */
#endif
    uint64_t one = seed_of_a_process(), other = seed_of_a_process();
    assert_true(one != 0 && other != 0);
    assert_true(one != other);
    assert_true(one != hash_draw_seed());
}

int main(int argc, char **argv)
{
    own_path = argv[0];
    if (argc > 1 && strcmp(argv[1], "--seed") == 0) {
        printf("%llx\n", (unsigned long long)hash_draw_seed());
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_every_time),
        cmocka_unit_test(everything_counts),
        cmocka_unit_test(nothing_is_read_after),
        cmocka_unit_test(collisions_do_not_carry_over),
        cmocka_unit_test(small_numbers_spread),
        cmocka_unit_test(every_process_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
