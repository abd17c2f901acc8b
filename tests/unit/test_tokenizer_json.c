/*
 * test_tokenizer_json.c - vocabularies from Hugging Face's tokenizer.json.
 *
 * The files of real models are megabytes; here a tiny one has all 256 bytes and a few
 * merges. Its ids are not in the order of its ranks, so that mistaking one for the
 * other shows.
 */
#include "bytes.h"
#include "meter.h"
#include "testing.h"

#define LLAMA_PATTERN                                                                    \
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?\\\\p{L}+|"              \
    "\\\\p{N}{1,3}| ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n]*|\\\\s*[\\\\r\\\\n]+|"        \
    "\\\\s+(?!\\\\S)|\\\\s+"
#define SPLIT                                                                            \
    "{\"type\":\"Split\",\"pattern\":{\"Regex\":\"" LLAMA_PATTERN                        \
    "\"},\"behavior\":\"Isolated\",\"invert\":false}"
#define LEVEL "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"use_regex\":false}"
#define PRE "{\"type\":\"Sequence\",\"pretokenizers\":[" SPLIT "," LEVEL "]}"

/* The parts of a file that tests vary; NULL is what works. */
typedef struct file_parts {
    const char *normalizer, *pre, *model, *tokens, *merges;
} file_parts;

static const char *or_else(const char *text, const char *usual)
{
    return text ? text : usual;
}

/* Each byte by its visible character: those beyond ASCII are written as \u escapes. */
static void put_bytes(bytes *text)
{
    unsigned hidden = 0x100;
    for (unsigned byte = 0; byte < 256; byte++) {
        bool visible = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
        bytes_print(text, "\"\\u%04x\":%u,", visible ? byte : hidden++, byte + 10);
    }
}

static bytes make_file(const file_parts *parts)
{
    bytes text = {0};
    bytes_put(&text, "{\"version\":\"1.0\",\"added_tokens\":[{\"id\":5,\"content\":"
                     "\"<|end|>\",\"special\":true}],\"normalizer\":");
    bytes_put(&text, or_else(parts->normalizer, "null"));
    bytes_put(&text, ",\"pre_tokenizer\":");
    bytes_put(&text, or_else(parts->pre, PRE));
    bytes_put(&text, ",\"model\":{\"type\":");
    bytes_put(&text, or_else(parts->model, "\"BPE\""));
    bytes_put(&text, ",\"vocab\":{");
    put_bytes(&text);
    bytes_put(&text, or_else(parts->tokens, "\"ab\":400,\"abc\":300,\"bc\":350,"
                                            "\"\\u0120a\":310,\"xy\":500"));
    bytes_put(&text, "},\"merges\":");
    bytes_put(&text,
              or_else(parts->merges, "[\"b c\",\"a b\",\"a bc\",[\"\\u0120\",\"a\"]]"));
    bytes_put(&text, "}}");
    return text;
}

static pith_vocab *read_file(const file_parts *parts, const pith_options *options,
                             pith_error *err)
{
    bytes text = make_file(parts);
    pith_vocab *vocab = pith_vocab_read(text.ptr, text.len, options, err);
    bytes_free(&text);
    return vocab;
}

static void must_give_ids(const pith_vocab *vocab, const char *text, const uint32_t *ids,
                          size_t count, pith_special special)
{
    pith_tokens tokens = {0};
    pith_buffer out = {0};
    assert_int_equal(pith_vocab_encode(vocab, text, strlen(text), special, &tokens, NULL),
                     PITH_OK);
    assert_int_equal(tokens.count, count);
    assert_memory_equal(tokens.ids, ids, count * sizeof *ids);
    assert_int_equal(
        pith_vocab_decode(vocab, ids, count, NULL, pith_sink_buffer(&out), NULL),
        PITH_OK);
    assert_true(same_bytes(text, out.data, out.len, text, strlen(text)));
    pith_buffer_free(&out);
    pith_tokens_free(&tokens);
}

static void ranks_are_not_ids(void **state)
{
    (void)state;
    file_parts usual = {0};
    pith_error err = {0};
    pith_vocab *vocab = read_file(&usual, NULL, &err);
    assert_non_null(vocab);
    assert_string_equal(pith_vocab_describe(vocab).name, "tokenizer.json");
    assert_true(pith_vocab_describe(vocab).exact);
    assert_int_equal(pith_vocab_describe(vocab).size, 501);
    must_give_ids(vocab, "abc", (uint32_t[]){300}, 1, PITH_SPECIAL_IS_TEXT);
    must_give_ids(vocab, "abab", (uint32_t[]){400, 400}, 2, PITH_SPECIAL_IS_TEXT);
    must_give_ids(vocab, "ab ab", (uint32_t[]){400, ' ' + 10, 400}, 3,
                  PITH_SPECIAL_IS_TEXT);
    must_give_ids(vocab, "ab ax", (uint32_t[]){400, 310, 'x' + 10}, 3,
                  PITH_SPECIAL_IS_TEXT);
    must_give_ids(vocab, "xy", (uint32_t[]){'x' + 10, 'y' + 10}, 2, PITH_SPECIAL_IS_TEXT);
    must_give_ids(vocab, "\xC3\xA9", (uint32_t[]){0xC3 + 10, 0xA9 + 10}, 2,
                  PITH_SPECIAL_IS_TEXT);
    must_give_ids(vocab, "abc<|end|>", (uint32_t[]){300, 5}, 2, PITH_SPECIAL_IS_TOKEN);
    pith_vocab_free(vocab);
}

/* Every merge is found again, however many stand in the way of each other. */
static void many_merges_are_found(void **state)
{
    (void)state;
    static const char letters[] = "abcdefghijklmnopqrstuvw";
    enum { LETTERS = sizeof letters - 1 };
    bytes tokens = {0}, merges = {0};
    file_parts parts = {0};
    bytes_put(&tokens, "\"xy\":999");
    bytes_put(&merges, "[\"x y\"");
    for (uint32_t i = 0; i < LETTERS * LETTERS; i++) {
        char first = letters[i / LETTERS], second = letters[i % LETTERS];
        bytes_print(&tokens, ",\"%c%c\":%u", first, second, 1000 + i);
        bytes_print(&merges, ",\"%c %c\"", first, second);
    }
    bytes_put(&merges, ",\"x y\"]"); /* the second of two is none */
    bytes_add(&tokens, "", 1);
    bytes_add(&merges, "", 1);
    parts.tokens = tokens.ptr;
    parts.merges = merges.ptr;
    pith_vocab *vocab = read_file(&parts, NULL, NULL);
    assert_non_null(vocab);
    for (uint32_t i = 0; i < LETTERS * LETTERS; i++) {
        char pair[] = {letters[i / LETTERS], letters[i % LETTERS], '\0'};
        uint32_t id = 1000 + i;
        must_give_ids(vocab, pair, &id, 1, PITH_SPECIAL_IS_TEXT);
    }
    pith_vocab_free(vocab);
    bytes_free(&tokens);
    bytes_free(&merges);
}

static void whole_pieces_may_come_first(void **state)
{
    (void)state;
    file_parts parts = {.model = "\"BPE\",\"ignore_merges\":true"};
    pith_vocab *vocab = read_file(&parts, NULL, NULL);
    assert_non_null(vocab);
    must_give_ids(vocab, "xy", (uint32_t[]){500}, 1, PITH_SPECIAL_IS_TEXT);
    must_give_ids(vocab, "xyx", (uint32_t[]){'x' + 10, 'y' + 10, 'x' + 10}, 3,
                  PITH_SPECIAL_IS_TEXT);
    pith_vocab_free(vocab);
}

static void form_c_is_asked_of_the_text(void **state)
{
    (void)state;
    file_parts parts = {.normalizer = "{\"type\":\"NFC\"}"};
    pith_vocab *vocab = read_file(&parts, NULL, NULL);
    size_t count = 0;
    pith_error err = {0};
    assert_non_null(vocab);
    assert_int_equal(pith_vocab_count(vocab, LIT("\xC3\xA9"), NULL, &count, NULL),
                     PITH_OK);
    assert_int_equal(count, 2);
    expected_error expected = {PITH_BAD_INPUT, "not_normalized", 1, 2};
    pith_vocab_count(vocab, LIT("e\xCC\x81"), NULL, &count, &err);
    assert_true(same_error("count", &err, &expected));
    /* Two Hebrew points, which join with nothing, in the order of their classes; then
     * the other way round. */
    assert_int_equal(
        pith_vocab_count(vocab, LIT("\xD7\x91\xD6\xB0\xD6\xBC"), NULL, &count, NULL),
        PITH_OK);
    assert_int_equal(count, 6);
    expected.column = 3;
    pith_vocab_count(vocab, LIT("\xD7\x91\xD6\xBC\xD6\xB0"), NULL, &count, &err);
    assert_true(same_error("count", &err, &expected));
    pith_vocab_free(vocab);
}

static void digits_may_stand_apart(void **state)
{
    (void)state;
    file_parts parts = {
        .pre = "{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Digits\","
               "\"individual_digits\":true},{\"type\":\"ByteLevel\","
               "\"add_prefix_space\":false,\"use_regex\":true}]}",
        .tokens = "\"ab\":400,\"\\u0120\\u0120\":320,\"12\":330,\"\\u01201\":340",
        .merges = "[\"a b\",\"\\u0120 \\u0120\",\"1 2\",\"\\u0120 1\"]",
    };
    pith_vocab *vocab = read_file(&parts, NULL, NULL);
    assert_non_null(vocab);
    must_give_ids(vocab, "ab  12 1", (uint32_t[]){400, 320, 59, 60, ' ' + 10, 59}, 6,
                  PITH_SPECIAL_IS_TEXT);
    must_give_ids(vocab, "ab  ab", (uint32_t[]){400, ' ' + 10, ' ' + 10, 400}, 4,
                  PITH_SPECIAL_IS_TEXT);
    pith_vocab_free(vocab);
}

#define DEEPSEEK_SPLIT(pattern)                                                          \
    "{\"type\":\"Split\",\"pattern\":{\"Regex\":\"" pattern                              \
    "\"},\"behavior\":\"Isolated\",\"invert\":false},"
#define DEEPSEEK_FIRST                                                                   \
    DEEPSEEK_SPLIT("\\\\p{N}{1,3}")                                                      \
    DEEPSEEK_SPLIT("[\\u4e00-\\u9fa5\\u3040-\\u309f\\u30a0-\\u30ff]+")
#define DEEPSEEK_THIRD                                                                   \
    DEEPSEEK_SPLIT("[!\\\"#$%&'()*+,\\\\-./:;<=>?@\\\\[\\\\\\\\\\\\]^_`{|}~][A-Za-z]+|"  \
                   "[^\\r\\n\\\\p{L}\\\\p{P}\\\\p{S}]?[\\\\p{L}\\\\p{M}]+|"              \
                   " ?[\\\\p{P}\\\\p{S}]+[\\r\\n]*|\\\\s*[\\r\\n]+|"                     \
                   "\\\\s+(?!\\\\S)|\\\\s+")

static void the_steps_of_deepseek(void **state)
{
    (void)state;
    file_parts parts = {
        .pre = "{\"type\":\"Sequence\",\"pretokenizers\":[" DEEPSEEK_FIRST DEEPSEEK_THIRD
            LEVEL "]}",
        .tokens = "\"a\\u00e3\":700,\"b1\":701,\"!a\":702,\"\\u0100\\u0100\":703",
        .merges = "[\"a \\u00e3\",\"b 1\",\"! a\",\"\\u0100 \\u0100\"]",
    };
    uint32_t kana[] = {'a' + 10, 0xE3 + 10, 0x81 + 10, 0x82 + 10, 'b' + 10, '1' + 10};
    uint32_t others[] = {702, 'b' + 10, ' ' + 10, 703};
    pith_error err = {0};
    pith_vocab *vocab = read_file(&parts, NULL, &err);
    assert_non_null(vocab);
    must_give_ids(vocab,
                  "a\xE3\x81\x82"
                  "b1",
                  kana, 6, PITH_SPECIAL_IS_TEXT);
    pith_tokens tokens = {0};
    assert_int_equal(
        pith_vocab_encode(vocab, "!ab \0\0", 6, PITH_SPECIAL_IS_TEXT, &tokens, NULL),
        PITH_OK);
    assert_int_equal(tokens.count, 4);
    assert_memory_equal(tokens.ids, others, sizeof others);
    pith_tokens_free(&tokens);
    pith_vocab_free(vocab);
    parts.pre = "{\"type\":\"Sequence\",\"pretokenizers\":[" DEEPSEEK_FIRST LEVEL "]}";
    assert_null(read_file(&parts, NULL, &err));
    assert_string_equal(err.code, "unsupported_tokenizer");
}

static void what_is_not_known_is_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        file_parts parts;
        pith_status status;
        const char *code, *names;
    } rows[] = {
        {{.model = "\"WordPiece\""},
         PITH_UNREPRESENTABLE,
         "unsupported_tokenizer",
         "WordPiece"},
        {{.model = "\"BPE\",\"byte_fallback\":true"},
         PITH_UNREPRESENTABLE,
         "unsupported_tokenizer",
         "byte_fallback"},
        {{.model = "\"BPE\",\"dropout\":0.1"},
         PITH_UNREPRESENTABLE,
         "unsupported_tokenizer",
         "dropout"},
        {{.normalizer = "{\"type\":\"Precompiled\"}"},
         PITH_UNREPRESENTABLE,
         "unsupported_tokenizer",
         "Precompiled"},
        {{.pre = "{\"type\":\"Metaspace\"}"},
         PITH_UNREPRESENTABLE,
         "unsupported_tokenizer",
         "Metaspace"},
        {{.pre = "null"}, PITH_UNREPRESENTABLE, "unsupported_tokenizer", "pre_tokenizer"},
        {{.pre = LEVEL},
         PITH_UNREPRESENTABLE,
         "unsupported_tokenizer",
         "without a pattern"},
        {{.pre = "{\"type\":\"ByteLevel\",\"add_prefix_space\":true}"},
         PITH_UNREPRESENTABLE,
         "unsupported_tokenizer",
         "add_prefix_space"},
        {{.normalizer = "{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"NFC\"},"
                        "{\"type\":\"Lowercase\"}]}"},
         PITH_UNREPRESENTABLE,
         "unsupported_tokenizer",
         "Lowercase"},
        {{.pre = "{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Split\","
                 "\"pattern\":{\"Regex\":\"x\"},\"behavior\":\"MergedWithNext\","
                 "\"invert\":false}," LEVEL "]}"},
         PITH_UNREPRESENTABLE,
         "unsupported_tokenizer",
         "behavior"},
        {{.pre = "{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Split\","
                 "\"behavior\":\"Isolated\",\"invert\":false}," LEVEL "]}"},
         PITH_UNREPRESENTABLE,
         "unsupported_tokenizer",
         "pattern"},
        {{.pre =
              "{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Punctuation\"}," LEVEL
              "]}"},
         PITH_UNREPRESENTABLE,
         "unsupported_tokenizer",
         "Punctuation"},
        {{.model = "\"BPE\",\"dropout\":\"0\""},
         PITH_UNREPRESENTABLE,
         "unsupported_tokenizer",
         "dropout"},
        {{.merges = "[[\"b\",\"\"]]"}, PITH_BAD_INPUT, "bad_tokenizer", "merge"},
        {{.merges = "[[\"b\"]]"}, PITH_BAD_INPUT, "bad_tokenizer", "merge"},
        {{.merges = "[\"b q\"]"}, PITH_BAD_INPUT, "bad_tokenizer", "merge"},
        {{.merges = "[\"b\"]"}, PITH_BAD_INPUT, "bad_tokenizer", "merge"},
        {{.merges = "{}"}, PITH_BAD_INPUT, "bad_tokenizer", "merges"},
        {{.tokens = "\"ab\":-1"}, PITH_BAD_INPUT, "bad_tokenizer", "id"},
        {{.tokens = "\"ab\":99999999999"}, PITH_LIMIT, "token_limit", "id"},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_error err = {0};
        assert_null(read_file(&rows[i].parts, NULL, &err));
        if (err.status != rows[i].status || strcmp(err.code, rows[i].code) != 0 ||
            !strstr(err.message, rows[i].names)) {
            fprintf(stderr, "row %zu: %s: %s\n", i, err.code, err.message);
            fail();
        }
    }
}

/* A file that is right, and one that names a merge longer than any token. */
static void running_out_of_memory_is_a_status(void **state)
{
    (void)state;
    static const file_parts files[] = {
        {0}, {.merges = "[\"b c\",\"aaaaaaaaaaaa bbbbbbbbbbbb\"]"}};
    for (size_t i = 0; i < ROWS(files); i++) {
        bool given = false;
        for (size_t fail_at = 1; !given; fail_at++) {
            meter counts = {.fail_at = fail_at, .fail_onwards = true};
            pith_options options = {.alloc = meter_alloc(&counts)};
            pith_error err = {0};
            pith_vocab *vocab = read_file(&files[i], &options, &err);
            given = counts.failures == 0;
            assert_true(given ? (vocab != NULL) == (i == 0)
                              : !vocab && err.status == PITH_NO_MEMORY);
            assert_true(!given || vocab || strcmp(err.code, "bad_tokenizer") == 0);
            pith_vocab_free(vocab);
            assert_true(meter_clean(&counts));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_not_ids),
        cmocka_unit_test(many_merges_are_found),
        cmocka_unit_test(whole_pieces_may_come_first),
        cmocka_unit_test(form_c_is_asked_of_the_text),
        cmocka_unit_test(digits_may_stand_apart),
        cmocka_unit_test(the_steps_of_deepseek),
        cmocka_unit_test(what_is_not_known_is_refused_by_name),
        cmocka_unit_test(running_out_of_memory_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
