/*
 * test_tokens.c - tokens: the ids of tiktoken, counting in pieces, the way back.
 *
 * The texts and their ids stand in tests/tokens/vectors.ndjson, written by a script
 * from the real tiktoken. What has no vectors is held against itself: the counter has
 * a fast way for ASCII, and the encoder, which has not, must agree with it.
 */
#include <pthread.h>

#include "bytes.h"
#include "meter.h"
#include "piece.h"
#include "random.h"
#include "testing.h"

static pith_vocab *must_open(const char *name)
{
    pith_error err = {0};
    pith_vocab *vocab = pith_vocab_open(name, NULL, &err);
    if (!vocab)
        fprintf(stderr, "%s\n", err.message);
    assert_non_null(vocab);
    return vocab;
}

static pith_tokens must_encode(const pith_vocab *vocab, const char *text, size_t len,
                               pith_special special)
{
    pith_tokens tokens = {0};
    pith_error err = {0};
    if (pith_vocab_encode(vocab, text, len, special, &tokens, &err) != PITH_OK) {
        show_bytes(err.message, text, len);
        fail();
    }
    return tokens;
}

static size_t must_count(const pith_vocab *vocab, const char *text, size_t len)
{
    size_t count = 0;
    assert_int_equal(pith_vocab_count(vocab, text, len, NULL, &count, NULL), PITH_OK);
    return count;
}

/* ----------------------------------------------------------------- the vectors */

static bytes read_vectors(void)
{
    bytes text = {0};
    char piece[4096];
    FILE *file = fopen(PITH_TESTS_DIR "/tokens/vectors.ndjson", "rb");
    assert_non_null(file);
    for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;)
        bytes_add(&text, piece, got);
    fclose(file);
    return text;
}

static bool same_ids(const pith_tokens *found, pith_value expected)
{
    size_t i = 0;
    for (pith_value id = pith_value_first(expected); id.doc; id = pith_value_next(id)) {
        uint64_t number = 0;
        pith_value_uint64(id, &number);
        if (i == found->count || found->ids[i] != number)
            return false;
        i++;
    }
    return i == found->count;
}

static bool decodes_to(const pith_vocab *vocab, const pith_tokens *tokens, pith_text text)
{
    pith_buffer out = {0};
    pith_status status = pith_vocab_decode(vocab, tokens->ids, tokens->count, NULL,
                                           pith_sink_buffer(&out), NULL);
    bool same = status == PITH_OK && out.len == text.len &&
                memcmp(out.data, text.len ? text.ptr : "", text.len) == 0;
    pith_buffer_free(&out);
    return same;
}

static bool row_holds(const pith_vocab *vocab, pith_value row)
{
    pith_text text = pith_value_text(pith_value_get(row, LIT("text")));
    pith_value expected = pith_value_get(row, pith_vocab_describe(vocab).name,
                                         strlen(pith_vocab_describe(vocab).name));
    pith_tokens tokens = must_encode(vocab, text.ptr, text.len, PITH_SPECIAL_IS_TEXT);
    bool holds = pith_value_kind(expected) == PITH_ARRAY && same_ids(&tokens, expected) &&
                 must_count(vocab, text.ptr, text.len) == tokens.count &&
                 decodes_to(vocab, &tokens, text);
    if (!holds)
        show_bytes(pith_vocab_describe(vocab).name, text.ptr, text.len);
    pith_tokens_free(&tokens);
    return holds;
}

static void ids_are_those_of_tiktoken(void **state)
{
    (void)state;
    static const char *const names[] = {"o200k_base", "cl100k_base", "p50k_base",
                                        "r50k_base"};
    bytes text = read_vectors();
    pith_doc *doc = must_parse("ndjson", text.ptr, text.len, NULL);
    pith_value rows = pith_doc_root(doc);
    size_t failures = 0;
    assert_true(pith_value_count(rows) > 400);
    for (size_t i = 0; i < ROWS(names); i++) {
        pith_vocab *vocab = must_open(names[i]);
        for (pith_value row = pith_value_first(rows); row.doc; row = pith_value_next(row))
            failures += !row_holds(vocab, row);
        pith_vocab_free(vocab);
    }
    pith_doc_free(doc);
    bytes_free(&text);
    assert_int_equal(failures, 0);
}

/* Whoever changes the fast way may rely on this only as long as it is true. */
static void short_digits_are_one_token(void **state)
{
    (void)state;
    static const char *const names[] = {"o200k_base", "cl100k_base"};
    for (size_t i = 0; i < ROWS(names); i++) {
        pith_vocab *vocab = must_open(names[i]);
        for (unsigned number = 0; number < 1110; number++) {
            char digits[8];
            int len = number < 10 ? snprintf(digits, sizeof digits, "%u", number)
                      : number < 110
                          ? snprintf(digits, sizeof digits, "%02u", number - 10)
                          : snprintf(digits, sizeof digits, "%03u", number - 110);
            pith_tokens tokens =
                must_encode(vocab, digits, (size_t)len, PITH_SPECIAL_IS_TEXT);
            assert_int_equal(tokens.count, 1);
            pith_tokens_free(&tokens);
        }
        pith_vocab_free(vocab);
    }
}

/* ------------------------------------------------------------- fast and in pieces */

static void add_random_text(bytes *text, uint64_t *seed, size_t parts)
{
    static const char *const units[] = {
        "a",
        "B",
        "word",
        "Word",
        "WORD",
        "7",
        "42",
        "2026",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\t",
        "'s",
        "'",
        "'LL",
        "\"",
        "/",
        "//\n",
        "{",
        ",",
        ":",
        "\",\"",
        "\":",
        "_",
        "-",
        "é",
        "日",
        "😀",
        "\u0301",
        "\u00a0",
        "\u017f",
        "1234567",
        "                 ",
        "==================",
        "internationalization",
    };
    for (size_t i = 0; i < parts; i++) {
        /* Mostly ASCII, so that windows fill up before something stops them. */
        size_t among = random_below(seed, 8) > 0 ? 26 : ROWS(units);
        bytes_put(text, units[random_below(seed, among)]);
    }
}

static void counting_agrees_with_encoding(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t i = 0; pith_vocab_name_at(i); i++) {
        pith_vocab *vocab = must_open(pith_vocab_name_at(i));
        for (size_t round = 0; round < 300; round++) {
            bytes text = {0};
            add_random_text(&text, &seed, 1 + random_below(&seed, 400));
            pith_tokens tokens =
                must_encode(vocab, text.ptr, text.len, PITH_SPECIAL_IS_TEXT);
            assert_int_equal(must_count(vocab, text.ptr, text.len), tokens.count);
            assert_true(decodes_to(vocab, &tokens, (pith_text){text.ptr, text.len}));
            pith_tokens_free(&tokens);
            bytes_free(&text);
        }
        pith_vocab_free(vocab);
    }
}

/* A counter that meets many pieces makes its memory of them larger. What it was told
 * before must survive that, and it must do without when there is no room. */
static void many_pieces_are_remembered(void **state)
{
    (void)state;
    bytes text = {0};
    for (size_t i = 0; i < 6000; i++) {
        bytes_print(&text, "Word%cz%c, ", (int)('a' + i % 26), (int)('a' + i / 26 % 26));
        bytes_print(&text, "x%cq%cy%c\n", (int)('a' + i % 26), (int)('a' + i / 26 % 26),
                    (int)('a' + i / 700));
    }
    pith_vocab *vocab = must_open("o200k_base");
    pith_tokens tokens = must_encode(vocab, text.ptr, text.len, PITH_SPECIAL_IS_TEXT);
    size_t refused = 0;
    for (size_t fail_at = 0; fail_at < 12; fail_at++) {
        meter counts = {.fail_at = fail_at};
        pith_options options = {.alloc = meter_alloc(&counts)};
        size_t count = 0;
        if (pith_vocab_count(vocab, text.ptr, text.len, &options, &count, NULL) ==
            PITH_OK) {
            assert_int_equal(count, tokens.count);
            refused += counts.failures;
        }
        assert_true(meter_clean(&counts));
    }
    assert_int_equal(refused, 3); /* the three larger memories, and nothing else */
    pith_tokens_free(&tokens);
    pith_vocab_free(vocab);
    bytes_free(&text);
}

static void must_total(pith_counter *counter, size_t expected)
{
    size_t count = 0;
    assert_int_equal(pith_counter_total(counter, &count, NULL), PITH_OK);
    assert_int_equal(count, expected);
}

/* A copy that ends where its block ends, so that reading on is noticed. */
static void add_copy(pith_counter *counter, const char *text, size_t len)
{
    char *copy = (char *)malloc(len + 1);
    memcpy(copy + 1, text, len);
    assert_int_equal(count_piece(counter, copy + 1, len), PITH_OK);
    free(copy);
}

static void pieces_do_not_matter(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (size_t i = 0; pith_vocab_name_at(i); i++) {
        pith_vocab *vocab = must_open(pith_vocab_name_at(i));
        pith_counter *counter = pith_counter_new(vocab, NULL);
        assert_non_null(counter);
        for (size_t round = 0; round < 6; round++) {
            bytes text = {0};
            add_random_text(&text, &seed, round < 3 ? 40 : 160);
            size_t whole = must_count(vocab, text.ptr, text.len);
            for (size_t cut = 0; cut <= text.len; cut++) {
                add_copy(counter, text.ptr, cut);
                add_copy(counter, text.ptr + cut, text.len - cut);
                must_total(counter, whole);
            }
            for (size_t step = 1; step < 4; step++) {
                for (size_t at = 0; at < text.len; at += step) {
                    size_t left = text.len - at;
                    add_copy(counter, text.ptr + at, step < left ? step : left);
                }
                must_total(counter, whole);
            }
            bytes_free(&text);
        }
        pith_counter_free(counter);
        pith_vocab_free(vocab);
    }
}

static void a_conversion_can_be_counted(void **state)
{
    (void)state;
    static const char text[] =
        "[{\"id\":1,\"name\":\"Ada\"},{\"id\":2,\"name\":\"Bob\"}]";
    pith_vocab *vocab = must_open(NULL);
    pith_counter *counter = pith_counter_new(vocab, NULL);
    pith_buffer out = {0};
    assert_int_equal(
        pith_convert("json", "toon", LIT(text), NULL, pith_counter_sink(counter), NULL),
        PITH_OK);
    assert_int_equal(
        pith_convert("json", "toon", LIT(text), NULL, pith_sink_buffer(&out), NULL),
        PITH_OK);
    must_total(counter, must_count(vocab, out.data, out.len));
    pith_buffer_free(&out);
    pith_counter_free(counter);
    pith_vocab_free(vocab);
}

/* ------------------------------------------------------------------- special tokens */

static void must_be_special(const pith_vocab *vocab, const char *text, uint32_t id)
{
    pith_tokens tokens = must_encode(vocab, text, strlen(text), PITH_SPECIAL_IS_TOKEN);
    assert_int_equal(tokens.count, 1);
    assert_int_equal(tokens.ids[0], id);
    tokens.count = 0;
    assert_int_equal(
        pith_vocab_encode(vocab, text, strlen(text), PITH_SPECIAL_IS_TEXT, &tokens, NULL),
        PITH_OK);
    assert_true(tokens.count > 1);
    assert_int_equal(must_count(vocab, text, strlen(text)), tokens.count);
    pith_tokens_free(&tokens);
}

static void special_tokens_are_text_unless_asked(void **state)
{
    (void)state;
    static const struct {
        const char *vocab, *text;
        uint32_t id;
    } rows[] = {
        {"o200k_base", "<|endoftext|>", 199999},
        {"o200k_base", "<|endofprompt|>", 200018},
        {"o200k_harmony", "<|startoftext|>", 199998},
        {"o200k_harmony", "<|message|>", 200008},
        {"o200k_harmony", "<|reserved_200000|>", 200000},
        {"o200k_harmony", "<|endofprompt|>", 200018},
        {"o200k_harmony", "<|reserved_200018|>", 200018},
        {"o200k_harmony", "<|reserved_201087|>", 201087},
        {"cl100k_base", "<|fim_suffix|>", 100260},
        {"p50k_base", "<|endoftext|>", 50256},
        {"r50k_base", "<|endoftext|>", 50256},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_vocab *vocab = must_open(rows[i].vocab);
        must_be_special(vocab, rows[i].text, rows[i].id);
        assert_true(pith_vocab_describe(vocab).size > rows[i].id);
        pith_vocab_free(vocab);
    }
}

static void special_tokens_cut_the_text(void **state)
{
    (void)state;
    static const uint32_t expected[] = {64, 199999, 65, 199999, 199999};
    pith_vocab *vocab = must_open("o200k_base");
    pith_tokens tokens = must_encode(
        vocab, LIT("a<|endoftext|>b<|endoftext|><|endoftext|>"), PITH_SPECIAL_IS_TOKEN);
    assert_int_equal(tokens.count, ROWS(expected));
    assert_memory_equal(tokens.ids, expected, sizeof expected);
    pith_text text = {LIT("a<|endoftext|>b<|endoftext|><|endoftext|>")};
    assert_true(decodes_to(vocab, &tokens, text));
    pith_tokens_free(&tokens);
    pith_vocab_free(vocab);
}

/* --------------------------------------------------------------------- refusals */

static void ill_formed_text_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t len, line, column, offset;
    } rows[] = {
        {LIT("\xFF"), 1, 1, 0},
        {LIT("ab\xC3"), 1, 3, 2},
        {LIT("line\nab\xE2\x82 x"), 2, 3, 7},
        {LIT("\xED\xA0\x80"), 1, 1, 0},
        {LIT("é\n\xF4\x90\x80\x80"), 2, 1, 3},
        {LIT("\xEF\xBB\xBFé x\xFF"), 1, 4, 7},
        {LIT("\n\n\nthree words é\n and é é\xC0."), 5, 9, 28},
    };
    pith_vocab *vocab = must_open(NULL);
    pith_counter *counter = pith_counter_new(vocab, NULL);
    for (size_t i = 0; i < ROWS(rows); i++) {
        expected_error expected = {PITH_BAD_INPUT, "invalid_utf8", rows[i].line,
                                   rows[i].column};
        pith_error err = {0};
        pith_tokens tokens = {0};
        size_t count = 77;
        pith_vocab_count(vocab, rows[i].text, rows[i].len, NULL, &count, &err);
        assert_true(same_error("count", &err, &expected));
        assert_int_equal(err.offset, rows[i].offset);
        pith_vocab_encode(vocab, rows[i].text, rows[i].len, PITH_SPECIAL_IS_TEXT, &tokens,
                          &err);
        assert_true(same_error("encode", &err, &expected));
        assert_int_equal(tokens.count, 0);
        pith_tokens_free(&tokens);
        for (size_t at = 0; at < rows[i].len; at++)
            count_piece(counter, rows[i].text + at, 1);
        assert_int_equal(count_piece(counter, "x", 1), PITH_BAD_INPUT);
        pith_counter_total(counter, &count, &err);
        assert_true(same_error("count in pieces", &err, &expected));
        assert_int_equal(err.offset, rows[i].offset);
        assert_int_equal(count, 77);
        add_copy(counter, "x", 1);
        must_total(counter, 1);
    }
    pith_counter_free(counter);
    pith_vocab_free(vocab);
}

static void unknown_things_are_refused(void **state)
{
    (void)state;
    static const uint32_t unknown[] = {199998, 200000, 200019, UINT32_MAX};
    pith_error err = {0};
    assert_null(pith_vocab_open("o200k", NULL, &err));
    assert_string_equal(err.code, "unknown_vocabulary");
    pith_vocab *vocab = must_open("o200k_base");
    pith_buffer out = {0};
    for (size_t i = 0; i < ROWS(unknown); i++) {
        assert_int_equal(
            pith_vocab_decode(vocab, &unknown[i], 1, NULL, pith_sink_buffer(&out), &err),
            PITH_BAD_INPUT);
        assert_string_equal(err.code, "unknown_token");
    }
    pith_buffer_free(&out);
    pith_vocab_free(vocab);
}

static void an_estimate_says_so(void **state)
{
    (void)state;
    pith_vocab *vocab = must_open("estimate");
    pith_tokens tokens = {0};
    pith_error err = {0};
    assert_false(pith_vocab_describe(vocab).exact);
    assert_int_equal(must_count(vocab, LIT("")), 0);
    assert_int_equal(must_count(vocab, LIT("abcd")), 1);
    assert_int_equal(must_count(vocab, LIT("abcde")), 2);
    assert_int_equal(
        pith_vocab_encode(vocab, LIT("a"), PITH_SPECIAL_IS_TEXT, &tokens, &err),
        PITH_BAD_USE);
    assert_string_equal(err.code, "estimate");
    static const uint32_t id = 0;
    pith_buffer out = {0};
    err = (pith_error){0};
    assert_int_equal(pith_vocab_decode(vocab, &id, 1, NULL, pith_sink_buffer(&out), &err),
                     PITH_BAD_USE);
    assert_string_equal(err.code, "estimate");
    assert_null(out.data);
    pith_vocab_free(vocab);
}

/* ------------------------------------------------------------- memory and threads */

static void running_out_of_memory_is_a_status(void **state)
{
    (void)state;
    bytes text = {0};
    bytes_put(&text, "short and then long: ");
    bytes_repeat(&text, "x", 300);
    for (size_t fail_at = 1;; fail_at++) {
        meter counts = {.fail_at = fail_at, .fail_onwards = true};
        pith_options options = {.alloc = meter_alloc(&counts)};
        pith_tokens tokens = {.alloc = options.alloc};
        pith_vocab *vocab = pith_vocab_open("o200k_harmony", &options, NULL);
        pith_counter *counter = vocab ? pith_counter_new(vocab, &options) : NULL;
        size_t count = 0;
        bool done = counter && count_piece(counter, text.ptr, text.len) == PITH_OK &&
                    pith_counter_total(counter, &count, NULL) == PITH_OK &&
                    pith_vocab_encode(vocab, text.ptr, text.len, PITH_SPECIAL_IS_TOKEN,
                                      &tokens, NULL) == PITH_OK;
        assert_true(done == (counts.failures == 0));
        assert_true(!done || count == tokens.count);
        pith_tokens_free(&tokens);
        pith_counter_free(counter);
        pith_vocab_free(vocab);
        assert_true(meter_clean(&counts));
        if (done)
            break;
    }
    bytes_free(&text);
}

typedef struct thread_job {
    const pith_vocab *vocab;
    const bytes *text;
    size_t expected;
    bool held;
} thread_job;

static void *count_in_thread(void *ctx)
{
    thread_job *job = (thread_job *)ctx;
    job->held = true;
    for (int round = 0; round < 20; round++) {
        size_t count = 0;
        pith_tokens tokens = {0};
        pith_vocab_count(job->vocab, job->text->ptr, job->text->len, NULL, &count, NULL);
        pith_vocab_encode(job->vocab, job->text->ptr, job->text->len,
                          PITH_SPECIAL_IS_TOKEN, &tokens, NULL);
        job->held = job->held && count == job->expected && tokens.count == count;
        pith_tokens_free(&tokens);
    }
    return NULL;
}

static void threads_share_a_vocabulary(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    thread_job jobs[THREADS];
    uint64_t seed = 3;
    bytes text = {0};
    add_random_text(&text, &seed, 3000);
    pith_vocab *vocab = must_open(NULL);
    for (size_t i = 0; i < THREADS; i++) {
        jobs[i] =
            (thread_job){vocab, &text, must_count(vocab, text.ptr, text.len), false};
    }
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_in_thread, &jobs[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(jobs[i].held);
    }
    pith_vocab_free(vocab);
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_those_of_tiktoken),
        cmocka_unit_test(short_digits_are_one_token),
        cmocka_unit_test(counting_agrees_with_encoding),
        cmocka_unit_test(many_pieces_are_remembered),
        cmocka_unit_test(pieces_do_not_matter),
        cmocka_unit_test(a_conversion_can_be_counted),
        cmocka_unit_test(special_tokens_are_text_unless_asked),
        cmocka_unit_test(special_tokens_cut_the_text),
        cmocka_unit_test(ill_formed_text_is_refused),
        cmocka_unit_test(unknown_things_are_refused),
        cmocka_unit_test(an_estimate_says_so),
        cmocka_unit_test(running_out_of_memory_is_a_status),
        cmocka_unit_test(threads_share_a_vocabulary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
