/*
 * test_vocab_image.c - vocabularies that are saved and mapped.
 *
 * A mapped vocabulary counts, encodes and decodes as the one that was saved. Images that
 * were cut off or damaged are refused. Some lie: numbers are changed and the checksum is
 * made right again. Those are refused, or count something without reading a byte that is
 * not theirs, which the sanitizers see.
 */
#include "random.h"
#include "small_vocab.h"
#include "testing.h"

#include "base/crc32c.h"

static const char sample[] =
    "name,id,amid <|end|><|endoftext|> \xc3\xa9\xe2\x82\xac 12345 names\n\n  x = 100;\r\n"
    "\xe4\xb8\xad\xe6\x96\x87 don't {\"a\":[1,2,3]} aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

enum { CHECKSUM_AT = 12, CHECKED_AT = 16, HEAD_LEN = 1192 };

static pith_buffer saved(const pith_vocab *vocab)
{
    pith_buffer image = {0};
    pith_error err;
    if (pith_vocab_save(vocab, pith_sink_buffer(&image), &err) != PITH_OK)
        fail_msg("%s", err.message);
    return image;
}

/* Encodes the sample and decodes that again. */
static pith_tokens encoded(const pith_vocab *vocab, pith_special special)
{
    pith_tokens tokens = {0};
    pith_error err;
    size_t count = 0;
    assert_int_equal(
        pith_vocab_encode(vocab, sample, sizeof sample - 1, special, &tokens, &err),
        PITH_OK);
    assert_int_equal(
        pith_vocab_count(vocab, sample, sizeof sample - 1, NULL, &count, NULL), PITH_OK);
    pith_buffer text = {0};
    pith_vocab_decode(vocab, tokens.ids, tokens.count, NULL, pith_sink_buffer(&text),
                      &err);
    pith_buffer_free(&text);
    return tokens;
}

static void must_be_same(const pith_vocab *a, const pith_vocab *b)
{
    pith_vocab_info first = pith_vocab_describe(a);
    pith_vocab_info second = pith_vocab_describe(b);
    assert_string_equal(first.name, second.name);
    assert_int_equal(first.size, second.size);
    assert_int_equal(first.exact, second.exact);
    for (int special = PITH_SPECIAL_IS_TEXT; special <= PITH_SPECIAL_IS_TOKEN;
         special++) {
        pith_tokens x = encoded(a, (pith_special)special);
        pith_tokens y = encoded(b, (pith_special)special);
        assert_int_equal(x.count, y.count);
        assert_memory_equal(x.ids, y.ids, x.count * sizeof *x.ids);
        pith_tokens_free(&x);
        pith_tokens_free(&y);
    }
    for (uint32_t id = 0; id < first.size; id += 97) {
        pith_buffer x = {0}, y = {0};
        assert_int_equal(pith_vocab_decode(a, &id, 1, NULL, pith_sink_buffer(&x), NULL),
                         pith_vocab_decode(b, &id, 1, NULL, pith_sink_buffer(&y), NULL));
        assert_int_equal(x.len, y.len);
        assert_true(x.len == 0 || memcmp(x.data, y.data, x.len) == 0);
        pith_buffer_free(&x);
        pith_buffer_free(&y);
    }
}

static pith_vocab *small_vocab(void)
{
    bytes json = small_vocab_json();
    pith_vocab *vocab = pith_vocab_read(json.ptr, json.len, NULL, NULL);
    bytes_free(&json);
    assert_non_null(vocab);
    return vocab;
}

static void must_come_back(pith_vocab *vocab)
{
    pith_error err;
    pith_buffer image = saved(vocab);
    pith_vocab *mapped = pith_vocab_map(image.data, image.len, NULL, &err);
    if (!mapped)
        fail_msg("%s: %s", pith_vocab_describe(vocab).name, err.message);
    must_be_same(vocab, mapped);
    pith_buffer again = saved(mapped);
    assert_int_equal(again.len, image.len);
    assert_memory_equal(again.data, image.data, image.len);
    pith_vocab_free(mapped);
    pith_vocab_free(vocab);
    pith_buffer_free(&again);
    pith_buffer_free(&image);
}

static void all_come_back(void **state)
{
    (void)state;
    for (size_t i = 0; pith_vocab_name_at(i); i++) {
        pith_vocab *vocab = pith_vocab_open(pith_vocab_name_at(i), NULL, NULL);
        assert_non_null(vocab);
        if (pith_vocab_describe(vocab).exact)
            must_come_back(vocab);
        else
            pith_vocab_free(vocab);
    }
    must_come_back(small_vocab());
}

static void an_estimate_is_not_saved(void **state)
{
    (void)state;
    pith_error err;
    pith_buffer image = {0};
    pith_vocab *vocab = pith_vocab_open("estimate", NULL, NULL);
    assert_int_equal(pith_vocab_save(vocab, pith_sink_buffer(&image), &err),
                     PITH_BAD_USE);
    assert_string_equal(err.code, "estimate");
    pith_vocab_free(vocab);
    pith_buffer_free(&image);
}

/* ------------------------------------------------------------------------- damage */

static void must_be_refused(const void *data, size_t len)
{
    pith_error err;
    assert_null(pith_vocab_map(data, len, NULL, &err));
    assert_int_equal(err.status, PITH_BAD_INPUT);
    assert_string_equal(err.code, "bad_vocabulary");
}

/* A copy at an address of its own, so that the sanitizers see a byte too many. */
static char *copied_image(const char *data, size_t len)
{
    char *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    if (len)
        memcpy(copy, data, len);
    return copy;
}

static void cut_off_and_damaged(void **state)
{
    (void)state;
    pith_vocab *vocab = small_vocab();
    pith_buffer image = saved(vocab);
    for (size_t len = 0; len < image.len; len += len < 64 ? 1 : 61) {
        char *copy = copied_image(image.data, len);
        must_be_refused(copy, len);
        free(copy);
    }
    for (size_t at = 0; at < image.len; at += at < HEAD_LEN ? 1 : 13) {
        image.data[at] ^= 0x20;
        must_be_refused(image.data, image.len);
        image.data[at] ^= 0x20;
    }
    must_be_refused(NULL, 0);
    char *longer = malloc(image.len + 16);
    assert_non_null(longer);
    memset(longer, 0, image.len + 16);
    memcpy(longer, image.data, image.len);
    must_be_refused(longer, image.len + 8);
    memcpy(longer + 1, image.data, image.len);
    must_be_refused(longer + 1, image.len);
    free(longer);
    pith_vocab_free(vocab);
    pith_buffer_free(&image);
}

/* --------------------------------------------------------------------------- lies */

static void make_checksum_right(char *data, size_t len)
{
    uint32_t sum = crc32c(0, data + CHECKED_AT, len - CHECKED_AT);
    memcpy(data + CHECKSUM_AT, &sum, sizeof sum);
}

static uint32_t made_up(uint64_t *seed)
{
    switch (random_below(seed, 4)) {
    case 0:
        return 0;
    case 1:
        return UINT32_MAX;
    case 2:
        return (uint32_t)random_below(seed, 1000);
    default:
        return (uint32_t)random_next(seed);
    }
}

/* Numbers of the head or of the parts are made up: whether one such image was mapped. */
static bool lie(const pith_buffer *image, uint64_t *seed)
{
    char *copy = copied_image(image->data, image->len);
    bool head = random_below(seed, 3) == 0;
    size_t changes = 1 + random_below(seed, head ? 2 : 40);
    for (size_t i = 0; i < changes; i++) {
        size_t from = head ? CHECKED_AT : HEAD_LEN;
        size_t to = head ? HEAD_LEN : image->len;
        size_t at = from + random_below(seed, (to - from) / 4) * 4;
        uint32_t number = made_up(seed);
        memcpy(copy + at, &number, sizeof number);
    }
    make_checksum_right(copy, image->len);
    pith_vocab *vocab = pith_vocab_map(copy, image->len, NULL, NULL);
    if (vocab) {
        for (int special = 0; special <= PITH_SPECIAL_IS_TOKEN; special++) {
            pith_tokens tokens = encoded(vocab, (pith_special)special);
            pith_tokens_free(&tokens);
        }
    }
    pith_vocab_free(vocab);
    free(copy);
    return vocab != NULL;
}

static void lies_do_no_harm(void **state)
{
    (void)state;
    uint64_t seed = 7;
    pith_vocab *vocabs[] = {small_vocab(), pith_vocab_open("cl100k_base", NULL, NULL)};
    for (size_t i = 0; i < ROWS(vocabs); i++) {
        pith_buffer image = saved(vocabs[i]);
        size_t tries = i == 0 ? 4000 : 60;
        size_t taken = 0;
        for (size_t k = 0; k < tries; k++)
            taken += lie(&image, &seed);
        assert_true(taken > 0 && taken < tries);
        pith_vocab_free(vocabs[i]);
        pith_buffer_free(&image);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_come_back),
        cmocka_unit_test(an_estimate_is_not_saved),
        cmocka_unit_test(cut_off_and_damaged),
        cmocka_unit_test(lies_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
