/*
 * pathological_tokens.c - text that is slow to tokenize for whoever is not careful.
 *
 * Long runs of one character are a single piece, which must not take the square of its
 * length to merge; runs that stay undecided while they arrive byte by byte must not be
 * looked at again for each of them. As in pathological.c no clock is read: what is not
 * linear does not come back within the time limit of the test runner.
 */
#include "bytes.h"
#include "piece.h"
#include "testing.h"

static const char *const units[] = {
    " ", "a", "1",   "\n", "=",  "aA",  "A",      "é",    "日",
    "😀", "'", "'s ", "\t", "a ", "日A", "\u0301", "\r\n",
};

static size_t sized(size_t full)
{
    const char *scale = getenv("PITH_TEST_SCALE");
    size_t by = scale ? (size_t)strtoul(scale, NULL, 10) : 1;
    return by > 1 ? full / by : full;
}

static void must_agree(const pith_vocab *vocab, pith_counter *counter, const bytes *text)
{
    pith_tokens tokens = {0};
    size_t count = 0;
    assert_int_equal(pith_vocab_encode(vocab, text->ptr, text->len, PITH_SPECIAL_IS_TEXT,
                                       &tokens, NULL),
                     PITH_OK);
    assert_int_equal(pith_vocab_count(vocab, text->ptr, text->len, NULL, &count, NULL),
                     PITH_OK);
    assert_int_equal(count, tokens.count);
    for (size_t at = 0; at < text->len; at++)
        assert_int_equal(count_piece(counter, text->ptr + at, 1), PITH_OK);
    assert_int_equal(pith_counter_total(counter, &count, NULL), PITH_OK);
    assert_int_equal(count, tokens.count);
    pith_tokens_free(&tokens);
}

static void many_of_the_same(const char *name)
{
    pith_vocab *vocab = pith_vocab_open(name, NULL, NULL);
    pith_counter *counter = pith_counter_new(vocab, NULL);
    for (size_t i = 0; i < ROWS(units); i++) {
        bytes text = {0};
        bytes_repeat(&text, units[i], sized(300000) / strlen(units[i]));
        must_agree(vocab, counter, &text);
        bytes_free(&text);
    }
    pith_counter_free(counter);
    pith_vocab_free(vocab);
}

static void many_in_o200k(void **state)
{
    (void)state;
    many_of_the_same("o200k_base");
}

static void many_in_cl100k(void **state)
{
    (void)state;
    many_of_the_same("cl100k_base");
}

static void many_in_r50k(void **state)
{
    (void)state;
    many_of_the_same("r50k_base");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_in_o200k),
        cmocka_unit_test(many_in_cl100k),
        cmocka_unit_test(many_in_r50k),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
