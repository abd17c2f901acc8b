/*
 * fuzz_tokens.c - any bytes as tokens.
 *
 *     byte 0   bits 0-2  the vocabulary
 *              bit 3     special tokens count as such
 *     byte 1   how long the pieces are that the counter is fed
 *     the rest is the text
 *
 * What must hold: ill-formed UTF-8 is refused by counting and by encoding, at the same
 * place. For other text the count is the number of ids, whatever the pieces; the ids
 * give back the text, and each is smaller than the vocabulary.
 */
#include "fuzzing.h"
#include "piece.h"

static void check_pieces(const pith_vocab *vocab, const char *text, size_t size,
                         size_t step, const pith_error *failure, size_t expected)
{
    pith_counter *counter = pith_counter_new(vocab, NULL);
    REQUIRE(counter != NULL);
    for (size_t at = 0; at < size; at += step) {
        size_t left = size - at;
        char *piece = fuzz_copy((const uint8_t *)text + at, step < left ? step : left);
        count_piece(counter, piece, step < left ? step : left);
        free(piece);
    }
    size_t count = 0;
    pith_error err = {0};
    if (pith_counter_total(counter, &count, &err) == PITH_OK)
        REQUIRE(failure->status == PITH_OK && count == expected);
    else
        REQUIRE(fuzz_same_error(&err, failure));
    pith_counter_free(counter);
}

static void check_ids(const pith_vocab *vocab, const pith_tokens *tokens,
                      const char *text, size_t size)
{
    pith_buffer out = {0};
    for (size_t i = 0; i < tokens->count; i++)
        REQUIRE(tokens->ids[i] < pith_vocab_describe(vocab).size);
    REQUIRE(pith_vocab_decode(vocab, tokens->ids, tokens->count, NULL,
                              pith_sink_buffer(&out), NULL) == PITH_OK);
    REQUIRE(out.len == size && memcmp(out.data, text, size) == 0);
    pith_buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    pith_vocab *vocab =
        pith_vocab_open(pith_vocab_name_at((data[0] & 7) % 5), NULL, NULL);
    pith_special special = data[0] & 8 ? PITH_SPECIAL_IS_TOKEN : PITH_SPECIAL_IS_TEXT;
    size_t step = (size_t)data[1] + 1;
    char *text = fuzz_copy(data + 2, size - 2);
    size -= 2;
    REQUIRE(vocab != NULL);
    pith_tokens tokens = {0};
    pith_error encoded = {0};
    pith_error counted = {0};
    size_t count = 0;
    pith_status status = pith_vocab_count(vocab, text, size, NULL, &count, &counted);
    REQUIRE(pith_vocab_encode(vocab, text, size, PITH_SPECIAL_IS_TEXT, &tokens,
                              &encoded) == status);
    REQUIRE(status == PITH_OK || fuzz_same_error(&counted, &encoded));
    REQUIRE(status != PITH_OK || count == tokens.count);
    check_pieces(vocab, text, size, step, &counted, count);
    if (status == PITH_OK) {
        tokens.count = 0;
        REQUIRE(pith_vocab_encode(vocab, text, size, special, &tokens, NULL) == PITH_OK);
        check_ids(vocab, &tokens, text, size);
    }
    pith_tokens_free(&tokens);
    pith_vocab_free(vocab);
    free(text);
    return 0;
}
