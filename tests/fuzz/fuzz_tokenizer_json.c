/*
 * fuzz_tokenizer_json.c - vocabularies that strangers wrote.
 *
 *     byte 0   bit 0     the rest is a tokenizer.json, and the text is the same bytes
 *              bits 1-3  the pre-tokenizer of a file made here
 *              bit 4     its normalizer is NFC
 *              bit 5     its pieces that are tokens need no merging
 *     byte 1   how long the pieces are that the counter is fed
 *     the rest, of a file made here, has three parts with an FF byte between them: more
 *     members of its vocabulary, which has the 256 bytes; its merges; the text
 *
 * What must hold: a file is refused by a whole error, or it is a vocabulary. Then the
 * count of a text is the number of its ids, whatever the pieces; each is smaller than
 * the vocabulary and has a text. (Not always the one that was encoded: nothing forbids a
 * file to give two tokens one id.)
 */
#include "bytes.h"
#include "fuzzing.h"
#include "piece.h"

#define LEVEL "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"use_regex\":"
#define SPLIT_WITH(pattern)                                                              \
    "{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Split\",\"pattern\":"         \
    "{\"Regex\":\"" pattern "\"},\"behavior\":\"Isolated\",\"invert\":false}," LEVEL     \
    "false}]}"
#define ENDINGS "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define HIGH "[\\\\p{Lu}\\\\p{Lt}\\\\p{Lm}\\\\p{Lo}\\\\p{M}]"
#define LOW "[\\\\p{Ll}\\\\p{Lm}\\\\p{Lo}\\\\p{M}]"
#define LEAD "[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?"
#define SPLIT_STEP(pattern)                                                              \
    "{\"type\":\"Split\",\"pattern\":{\"Regex\":\"" pattern                              \
    "\"},\"behavior\":\"Isolated\",\"invert\":false},"
#define BLANK "\\\\s*[\\\\r\\\\n]+|\\\\s+(?!\\\\S)|\\\\s+"

static const char *const pre_tokenizers[] = {
    LEVEL "true}",
    SPLIT_WITH(ENDINGS "|" LEAD "\\\\p{L}+|\\\\p{N}{1,3}|"
                       " ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n]*|" BLANK),
    SPLIT_WITH(ENDINGS "|" LEAD "\\\\p{L}+|\\\\p{N}|"
                       " ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n]*|" BLANK),
    SPLIT_WITH(LEAD HIGH "*" LOW "+|" LEAD HIGH "+" LOW "*|\\\\p{N}|"
                         " ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n/]*|" BLANK),
    "{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Digits\","
    "\"individual_digits\":true}," LEVEL "true}]}",
    "{\"type\":\"Sequence\",\"pretokenizers\":[" SPLIT_STEP("\\\\p{N}{1,3}")
        SPLIT_STEP("[\\u4e00-\\u9fa5\\u3040-\\u309f\\u30a0-\\u30ff]+") SPLIT_STEP(
            "[!\\\"#$%&'()*+,\\\\-./:;<=>?@\\\\[\\\\\\\\\\\\]^_`{|}~][A-Za-z]+|"
            "[^\\r\\n\\\\p{L}\\\\p{P}\\\\p{S}]?[\\\\p{L}\\\\p{M}]+|"
            " ?[\\\\p{P}\\\\p{S}]+[\\r\\n]*|\\\\s*[\\r\\n]+|\\\\s+(?!\\\\S)|\\\\s+") LEVEL
    "false}]}",
};

enum { PRE_COUNT = sizeof pre_tokenizers / sizeof pre_tokenizers[0] };

/* The part of the input up to the next FF byte. */
static pith_text next_part(pith_text *rest)
{
    const char *mark =
        rest->len ? (const char *)memchr(rest->ptr, 0xFF, rest->len) : NULL;
    size_t len = mark ? (size_t)(mark - rest->ptr) : rest->len;
    pith_text part = {rest->ptr, len};
    rest->ptr += len + (mark != NULL);
    rest->len -= len + (mark != NULL);
    return part;
}

static void put_byte_tokens(bytes *file)
{
    unsigned hidden = 0x100;
    for (unsigned byte = 0; byte < 256; byte++) {
        bool visible = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
        bytes_print(file, "%s\"\\u%04x\":%u", byte ? "," : "", visible ? byte : hidden++,
                    byte);
    }
}

static bytes make_file(unsigned choice, pith_text *rest)
{
    bytes file = {0};
    pith_text tokens = next_part(rest);
    pith_text merges = next_part(rest);
    bytes_put(&file, "{\"normalizer\":");
    bytes_put(&file, choice & 16 ? "{\"type\":\"NFC\"}" : "null");
    bytes_put(&file, ",\"pre_tokenizer\":");
    bytes_put(&file, pre_tokenizers[(choice >> 1 & 7) % PRE_COUNT]);
    bytes_put(&file, ",\"model\":{\"type\":\"BPE\",\"ignore_merges\":");
    bytes_put(&file, choice & 32 ? "true" : "false");
    bytes_put(&file, ",\"vocab\":{");
    put_byte_tokens(&file);
    bytes_add(&file, tokens.ptr, tokens.len);
    bytes_put(&file, "},\"merges\":[");
    bytes_add(&file, merges.ptr, merges.len);
    bytes_put(&file, "]}}");
    return file;
}

static void check_refusal(const pith_error *err)
{
    REQUIRE(err->status == PITH_BAD_INPUT || err->status == PITH_LIMIT ||
            err->status == PITH_UNREPRESENTABLE);
    REQUIRE(err->code != NULL && err->code[0] != '\0' && err->message[0] != '\0');
}

static void check_pieces(const pith_vocab *vocab, pith_text text, size_t step,
                         const pith_error *failure, size_t expected)
{
    pith_counter *counter = pith_counter_new(vocab, NULL);
    REQUIRE(counter != NULL);
    for (size_t at = 0; at < text.len; at += step) {
        size_t len = step < text.len - at ? step : text.len - at;
        char *piece = fuzz_copy((const uint8_t *)text.ptr + at, len);
        count_piece(counter, piece, len);
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

static void check_vocab(const pith_vocab *vocab, pith_text text, size_t step)
{
    pith_tokens tokens = {0};
    pith_error encoded = {0};
    pith_error counted = {0};
    size_t count = 0;
    pith_status status =
        pith_vocab_count(vocab, text.ptr, text.len, NULL, &count, &counted);
    REQUIRE(pith_vocab_encode(vocab, text.ptr, text.len, PITH_SPECIAL_IS_TEXT, &tokens,
                              &encoded) == status);
    REQUIRE(status == PITH_OK || fuzz_same_error(&counted, &encoded));
    REQUIRE(status != PITH_OK || count == tokens.count);
    check_pieces(vocab, text, step, &counted, count);
    if (status == PITH_OK) {
        pith_buffer out = {0};
        for (size_t i = 0; i < tokens.count; i++)
            REQUIRE(tokens.ids[i] < pith_vocab_describe(vocab).size);
        REQUIRE(pith_vocab_decode(vocab, tokens.ids, tokens.count, NULL,
                                  pith_sink_buffer(&out), NULL) == PITH_OK);
        pith_buffer_free(&out);
        REQUIRE(pith_vocab_encode(vocab, text.ptr, text.len, PITH_SPECIAL_IS_TOKEN,
                                  &tokens, NULL) == PITH_OK);
    }
    pith_tokens_free(&tokens);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    char *copy = fuzz_copy(data + 2, size - 2);
    pith_text text = {copy, size - 2};
    pith_error err = {0};
    pith_vocab *vocab;
    if (data[0] & 1) {
        vocab = pith_vocab_read(text.ptr, text.len, NULL, &err);
    } else {
        bytes file = make_file(data[0], &text);
        vocab = pith_vocab_read(file.ptr, file.len, NULL, &err);
        bytes_free(&file);
    }
    if (vocab) {
        check_vocab(vocab, text, (size_t)data[1] + 1);
        pith_vocab_free(vocab);
    } else {
        check_refusal(&err);
    }
    free(copy);
    return 0;
}
