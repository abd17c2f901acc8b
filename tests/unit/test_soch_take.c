/*
 * test_soch_take.c - rows of SochDB's tables as their bytes arrive, as text and as binary:
 * many keys, damaged files, bounded and failing memory. That the pieces make no difference
 * is shown by every text in tests/vectors/soch.
 */
#include "bytes.h"
#include "meter.h"
#include "taking.h"
#include "testing.h"

/* The text as a binary file. */
static pith_buffer packed(const char *text, const char *write)
{
    pith_buffer out = {0};
    pith_error err = {0};
    pith_options options = {.write = write};
    if (pith_convert("soch", "soch-bin", text, strlen(text), &options,
                     pith_sink_buffer(&out), &err) != PITH_OK)
        fail_msg("%s: %s", text, err.message);
    return out;
}

/* Between rows a document forgets the sequences of keys when there are too many. Where that
 * happened in the middle of a binary row, the columns were once not found again. */
static void columns_are_found_again(void **state)
{
    (void)state;
    enum { COUNT = 60, KEYS = 150 };
    bytes text = {0};
    bytes rows = {0};
    bytes_print(&text, "t[%d]{id,o,name}:", COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        bytes_print(&text, "%zu,{", i);
        bytes_print(&rows, "{\"id\":%zu,\"o\":{", i);
        for (size_t k = 0; k < KEYS; k++) {
            bytes_print(&text, "%sk%zu:%zu", k ? "," : "", i * KEYS + k, k);
            bytes_print(&rows, "%s\"k%zu\":%zu", k ? "," : "", i * KEYS + k, k);
        }
        bytes_put(&text, "},Ada\n");
        bytes_put(&rows, "},\"name\":\"Ada\"}\n");
    }
    bytes_add(&text, "", 1);
    pith_buffer file = packed(text.ptr, "");
    for (size_t size = 50; size < 5000; size *= 3) {
        bytes found[2] = {{0}, {0}};
        assert_true(
            take_rows("soch", NULL, text.ptr, text.len - 1, size, &found[0], NULL));
        assert_true(
            take_rows("soch-bin", NULL, file.data, file.len, size, &found[1], NULL));
        for (size_t i = 0; i < 2; i++) {
            assert_true(same_bytes(i ? "binary" : "text", found[i].ptr, found[i].len,
                                   rows.ptr, rows.len));
            bytes_free(&found[i]);
        }
    }
    pith_buffer_free(&file);
    bytes_free(&text);
    bytes_free(&rows);
}

/* Every beginning of a file, with one byte too many, with one byte wrong. */
static void binary_problems(void **state)
{
    (void)state;
    pith_buffer file =
        packed("t[3]{id,n,o}:1,Ada,[1,2];200,\"\",{k:1.5};3,x,\xE2\x88\x85", "");
    for (size_t size = 1; size <= file.len; size += 7) {
        for (size_t len = 0; len < file.len; len++) {
            bytes rows = {0};
            pith_error err = {0};
            assert_false(take_rows("soch-bin", NULL, file.data, len, size, &rows, &err));
            const char *code = len == 0 ? "not_this_format" : "truncated";
            assert_string_equal(err.code, code);
            bytes_free(&rows);
        }
        char more[512];
        assert_true(file.len + 20 < sizeof more);
        memcpy(more, file.data, file.len);
        memset(more + file.len, 0, 20);
        static const struct {
            const char *tail;
            size_t len;
            const char *code;
        } tails[] = {{"\0", 1, "trailing_content"},
                     {"TOON\1\0\0\0", 8, "not_a_table"},
                     {"TOOL\1\0\0\0", 8, "trailing_content"}};
        for (size_t i = 0; i < ROWS(tails); i++) {
            bytes rows = {0};
            pith_error err = {0};
            memcpy(more + file.len, tails[i].tail, tails[i].len);
            assert_false(take_rows("soch-bin", NULL, more, file.len + tails[i].len, size,
                                   &rows, &err));
            assert_string_equal(err.code, tails[i].code);
            bytes_free(&rows);
        }
        more[file.len - 1] = (char)(more[file.len - 1] ^ 1);
        bytes rows = {0};
        pith_error err = {0};
        assert_false(take_rows("soch-bin", NULL, more, file.len, size, &rows, &err));
        assert_string_equal(err.code, "checksum_mismatch");
        bytes_free(&rows);
    }
    pith_buffer_free(&file);
}

/* A hundred thousand rows pass through the memory of a few. */
static void bounded_memory(void **state)
{
    (void)state;
    enum { ROWS_FEW = 1000, ROWS_MANY = 100000 };
    static const char *const formats[] = {"soch", "soch-bin"};
    for (size_t f = 0; f < ROWS(formats); f++) {
        size_t peaks[2];
        for (size_t k = 0; k < 2; k++) {
            size_t count = k == 0 ? ROWS_FEW : ROWS_MANY;
            bytes text = {0};
            char line[64];
            snprintf(line, sizeof line, "t[%zu]{id,name,score}:", count);
            bytes_put(&text, line);
            for (size_t i = 0; i < count; i++) {
                snprintf(line, sizeof line, "%zu,\"n, %zu\",%zu.25;", i, i, i % 97);
                bytes_put(&text, line);
            }
            bytes_put(&text, "");
            pith_buffer file = {0};
            if (f == 1) {
                assert_int_equal(pith_convert("soch", "soch-bin", text.ptr, text.len,
                                              NULL, pith_sink_buffer(&file), NULL),
                                 PITH_OK);
            }
            const char *data = f == 1 ? file.data : text.ptr;
            size_t len = f == 1 ? file.len : text.len;
            meter counts = {0};
            pith_options options = {.alloc = meter_alloc(&counts)};
            pith_reader *reader = pith_reader_open(formats[f], &options, NULL);
            size_t found = 0;
            for (size_t at = 0; at <= len; at += 4096) {
                size_t piece = len - at < 4096 ? len - at : 4096;
                assert_int_equal(pith_reader_feed(reader, data + at, piece, NULL),
                                 PITH_OK);
                if (at + 4096 > len)
                    assert_int_equal(pith_reader_end(reader, NULL), PITH_OK);
                pith_value row;
                while (pith_reader_next(reader, &row, NULL) == PITH_OK && row.doc)
                    found++;
            }
            assert_int_equal(found, count);
            peaks[k] = counts.peak_bytes;
            pith_reader_free(reader);
            assert_true(meter_clean(&counts));
            pith_buffer_free(&file);
            bytes_free(&text);
        }
        assert_true(peaks[1] <= peaks[0] + 4096);
    }
}

/* Takes all rows while the allocation number `fail_at` fails; how many there were. */
static size_t take_failing(const char *format, const char *data, size_t len,
                           size_t fail_at)
{
    meter counts = {.fail_at = fail_at};
    pith_options options = {.alloc = meter_alloc(&counts)};
    pith_error err = {0};
    pith_reader *reader = pith_reader_open(format, &options, &err);
    bool fine = reader != NULL;
    size_t size = 5 + len / 200; /* of a piece */
    for (size_t at = 0; fine && at <= len; at += size) {
        size_t piece = len - at < size ? len - at : size;
        pith_value row = {0};
        fine = pith_reader_feed(reader, data + at, piece, &err) == PITH_OK;
        if (fine && at + size > len)
            fine = pith_reader_end(reader, &err) == PITH_OK;
        do {
            fine = fine && pith_reader_next(reader, &row, &err) == PITH_OK;
        } while (fine && row.doc);
    }
    pith_reader_free(reader);
    assert_true(fail_at == 0 ? fine : fine || err.status == PITH_NO_MEMORY);
    assert_true(meter_clean(&counts));
    return counts.requests;
}

/* Takes the rows of the text, and of the binary file that is made of it, with each
 * allocation failing in turn. */
static void take_without_memory(const char *text, size_t len)
{
    pith_buffer file = {0};
    assert_int_equal(
        pith_convert("soch", "soch-bin", text, len, NULL, pith_sink_buffer(&file), NULL),
        PITH_OK);
    size_t text_most = take_failing("soch", text, len, 0);
    size_t file_most = take_failing("soch-bin", file.data, file.len, 0);
    for (size_t n = 1; n <= text_most; n++)
        take_failing("soch", text, len, n);
    for (size_t n = 1; n <= file_most; n++)
        take_failing("soch-bin", file.data, file.len, n);
    pith_buffer_free(&file);
}

static void memory_runs_out(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "t[3]{id,n,v:vec(2),b:bytes}:1,\"a\\nb\",[1,2],AAE=;"
        "2,{k:[1,{j:0.30000000000000004}]},[0.5,NaN],b64:;3,ref(u,7),[0,0],AA==",
        "_[1]{_}:[1,{a:2}]",
    };
    for (size_t i = 0; i < ROWS(texts); i++)
        take_without_memory(texts[i], strlen(texts[i]));
}

/* What is known of keys is forgotten between rows when it is too much, and that of the
 * columns found again. Here it takes more memory than is left of what was forgotten: wide
 * rows with long names, and objects wider than the sequences of keys that are kept. */
static void memory_runs_out_for_columns_found_again(void **state)
{
    (void)state;
    enum { COLUMNS = 256, NAME = 255, KEYS = 257, COUNT = 17 };
    bytes text = {0};
    bytes_print(&text, "t[%d]{", COUNT);
    for (size_t i = 0; i < COLUMNS; i++) {
        bytes_repeat(&text, "c", NAME - 3);
        bytes_print(&text, "%03zu%s", i, i + 1 < COLUMNS ? "," : "}:");
    }
    for (size_t row = 0; row < COUNT; row++) {
        bytes_put(&text, "{");
        for (size_t i = 0; i < KEYS; i++)
            bytes_print(&text, "%sk%zx:0", i ? "," : "", row * KEYS + i);
        bytes_put(&text, "}");
        bytes_repeat(&text, ",0", COLUMNS - 1);
        bytes_put(&text, "\n");
    }
    take_without_memory(text.ptr, text.len);
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binary_problems),
        cmocka_unit_test(bounded_memory),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(memory_runs_out_for_columns_found_again),
        cmocka_unit_test(columns_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
