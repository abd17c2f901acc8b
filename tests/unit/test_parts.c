/*
 * test_parts.c - endless rows as parts of at most so many tokens.
 */
#include "bytes.h"
#include "testing.h"

static const pith_text columns[] = {{"id", 2}, {"name", 4}};

typedef struct taken {
    const char *format;
    size_t tokens_max;
    size_t parts;
    uint64_t rows;
    size_t too_long;
    size_t stop_at; /* this part is refused; 0 for none */
    bytes json;     /* of all rows, one line each */
} taken;

/* Counts the part again, and reads it back. */
static pith_status take_part(void *ctx, const pith_part *part)
{
    taken *t = (taken *)ctx;
    size_t tokens = 0;
    pith_vocab *vocab = pith_vocab_open(NULL, NULL, NULL);
    assert_int_equal(pith_vocab_count(vocab, part->text, part->len, NULL, &tokens, NULL),
                     PITH_OK);
    pith_vocab_free(vocab);
    assert_int_equal(tokens, part->tokens);
    assert_true(part->too_long == (tokens > t->tokens_max));
    assert_true(!part->too_long || part->rows == 1);
    assert_int_equal(part->first_row, t->rows);
    assert_true(part->rows > 0 && part->text[part->len - 1] == '\n');
    assert_true(strcmp(t->format, "auto") == 0 || strcmp(t->format, part->format) == 0);
    pith_doc *doc = pith_doc_parse(part->format, part->text, part->len, NULL, NULL);
    pith_value rows = pith_doc_root(doc);
    assert_int_equal(pith_value_count(rows), part->rows);
    for (pith_value row = pith_value_first(rows); row.doc; row = pith_value_next(row)) {
        pith_buffer json = must_write(row, "json", NULL);
        bytes_add(&t->json, json.data, json.len);
        bytes_put(&t->json, "\n");
        pith_buffer_free(&json);
    }
    pith_doc_free(doc);
    t->rows += part->rows;
    t->too_long += part->too_long;
    return ++t->parts == t->stop_at ? PITH_IO : PITH_OK;
}

/* Row `i`, of which row 50 is long, and as JSON. */
static void make_row(size_t i, pith_cell *cells, char *name, bytes *json)
{
    size_t len = i == 50 ? 900 : 5 + i % 7;
    for (size_t c = 0; c < len; c++)
        name[c] = (char)('a' + (c * 7 + i * 3) % 26);
    cells[0] = (pith_cell){.kind = PITH_CELL_INT64, .u.integer = (int64_t)i};
    cells[1] = (pith_cell){.kind = PITH_CELL_TEXT, .len = (uint32_t)len, .u.text = name};
    bytes_print(json, "{\"id\":%zu,\"name\":\"", i);
    bytes_add(json, name, len);
    bytes_put(json, "\"}\n");
}

static void parts_hold_all_rows(void **state)
{
    (void)state;
    static const char *const formats[] = {"json", "ndjson", "csv", "toon",
                                          "gcf",  "pith",   "auto"};
    static const size_t sizes[] = {1, 60, 200, 3000, 100000};
    enum { ROWS_ALL = 1000 };
    for (size_t f = 0; f < ROWS(formats); f++) {
        for (size_t s = 0; s < ROWS(sizes); s++) {
            taken t = {.format = formats[f], .tokens_max = sizes[s]};
            bytes json = {0};
            pith_error err = {0};
            pith_parts *parts = pith_parts_open(formats[f], columns, 2, sizes[s], NULL,
                                                take_part, &t, &err);
            assert_non_null(parts);
            for (size_t i = 0; i < ROWS_ALL; i++) {
                pith_cell cells[2];
                char name[1000];
                make_row(i, cells, name, &json);
                assert_int_equal(pith_parts_add_cells(parts, cells, 1, &err), PITH_OK);
                assert_int_equal(pith_parts_add_cells(parts, cells + 1, 1, &err),
                                 PITH_OK);
            }
            assert_int_equal(pith_parts_close(parts, &err), PITH_OK);
            assert_true(
                same_bytes(formats[f], t.json.ptr, t.json.len, json.ptr, json.len));
            assert_int_equal(t.too_long, sizes[s] == 1 ? ROWS_ALL : sizes[s] <= 200);
            assert_true(sizes[s] < 100000 || t.parts == 1);
            bytes_free(&t.json);
            bytes_free(&json);
        }
    }
}

static void whole_rows_need_no_columns(void **state)
{
    (void)state;
    taken t = {.format = "ndjson", .tokens_max = 30};
    pith_doc *doc = pith_doc_parse("json", LIT("[{\"a\":1},[2,\"x\"],null]"), NULL, NULL);
    pith_parts *parts = pith_parts_open("ndjson", NULL, 0, 30, NULL, take_part, &t, NULL);
    pith_value row = pith_value_first(pith_doc_root(doc));
    for (; row.doc; row = pith_value_next(row))
        assert_int_equal(pith_parts_add_row(parts, row, NULL), PITH_OK);
    assert_int_equal(pith_parts_close(parts, NULL), PITH_OK);
    assert_true(
        same_bytes("rows", t.json.ptr, t.json.len, LIT("{\"a\":1}\n[2,\"x\"]\nnull\n")));
    bytes_free(&t.json);
    pith_doc_free(doc);
}

static void failures_stick(void **state)
{
    (void)state;
    pith_cell cell = {.kind = PITH_CELL_NULL};
    pith_error err = {0};
    taken t = {.format = "toon", .tokens_max = 40, .stop_at = 1};
    pith_parts *parts =
        pith_parts_open("toon", columns, 2, 40, NULL, take_part, &t, &err);
    pith_status status = PITH_OK;
    for (size_t i = 0; i < 10000 && status == PITH_OK; i++)
        status = pith_parts_add_cells(parts, &cell, 1, &err);
    assert_int_equal(status, PITH_IO);
    assert_int_equal(t.parts, 1);
    assert_int_equal(pith_parts_close(parts, &err), PITH_IO);
    bytes_free(&t.json);

    parts = pith_parts_open("toon", columns, 2, 40, NULL, take_part, &t, &err);
    assert_int_equal(pith_parts_add_cells(parts, &cell, 1, &err), PITH_OK);
    assert_int_equal(pith_parts_close(parts, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "row_unfinished");

    static const char *const refused[] = {"budget=9", "guard=true", "keep=last",
                                          "rows-max=1"};
    for (size_t i = 0; i < ROWS(refused); i++) {
        pith_options options = {.write = refused[i]};
        assert_null(
            pith_parts_open("toon", columns, 2, 40, &options, take_part, &t, &err));
        assert_string_equal(err.code, "unused_setting");
    }
    static const pith_text twice[] = {{"a", 1}, {"a", 1}};
    assert_null(pith_parts_open("toon", twice, 2, 40, NULL, take_part, &t, &err));
    assert_string_equal(err.code, "duplicate_key");
    assert_null(pith_parts_open("soch-bin", columns, 2, 40, NULL, take_part, &t, &err));
    assert_int_equal(pith_parts_close(NULL, NULL), PITH_OK);
    pith_parts_abandon(pith_parts_open("csv", columns, 2, 40, NULL, take_part, &t, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_hold_all_rows),
        cmocka_unit_test(whole_rows_need_no_columns),
        cmocka_unit_test(failures_stick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
