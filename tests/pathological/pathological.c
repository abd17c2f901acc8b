/*
 * pathological.c - inputs made to hurt: very deep, very long, very many, very alike.
 *
 * No clock is read here. The sizes are chosen such that whatever is done once per
 * byte or once per value finishes in a moment, while anything quadratic (a scan of
 * what came before for each element, a move of what follows for each row, a column
 * counted anew for each problem) would need 10^11 steps or more and run into the
 * time limit that the test runner sets. Anything that recurses on depth overflows
 * the C stack, which is left at its usual size.
 *
 * The largest test needs about 700 MB of memory under the sanitizers. On a machine
 * with less, PITH_TEST_SCALE=10 in the environment divides every size by ten.
 */
#include <math.h>

#include "bytes.h"
#include "testing.h"
#include "named.h"

/* The size to use where `full` is what is wanted. */
static size_t sized(size_t full)
{
    const char *scale = getenv("PITH_TEST_SCALE");
    size_t by = scale ? (size_t)strtoul(scale, NULL, 10) : 1;
    return by > 1 ? full / by : full;
}

/* ---------------------------------------------------------------------- helpers */

/* A sink that compares what arrives with what must, and stores nothing. */
typedef struct comparison {
    const char *expected;
    size_t len;
    size_t at;
    bool same;
} comparison;

static pith_status compare(void *ctx, const char *data, size_t len)
{
    comparison *c = ctx;
    if (len > c->len - c->at || memcmp(c->expected + c->at, data, len) != 0)
        c->same = false;
    c->at += len <= c->len - c->at ? len : c->len - c->at;
    return PITH_OK;
}

/* The value must be written as exactly this text. */
static void must_give(pith_value value, const char *format, const char *text, size_t len)
{
    comparison c = {text, len, 0, true};
    pith_error err = {0};
    pith_status status =
        pith_value_write(value, format, NULL, (pith_sink){compare, &c}, &err);
    if (status != PITH_OK)
        fprintf(stderr, "%s\n", err.message);
    assert_int_equal(status, PITH_OK);
    assert_true(c.same && c.at == c.len);
}

static pith_options deepest(const char *read)
{
    pith_options options = with_settings(read, NULL);
    options.depth_max = PITH_DEPTH_MOST;
    return options;
}

/* The compact JSON is read, written back as it is, found to be right, and freed. */
static void must_survive(bytes text)
{
    pith_options options = deepest(NULL);
    pith_doc *doc = must_parse("json", text.ptr, text.len, &options);
    must_give(pith_doc_root(doc), "json", text.ptr, text.len);
    pith_doc_free(doc);
    assert_int_equal(pith_check("json", text.ptr, text.len, &options, NULL, NULL, NULL),
                     PITH_OK);
}

/* The text is read with the settings and is then this compact JSON. */
static void must_become(bytes text, const char *settings, bytes expected)
{
    pith_options options = deepest(settings);
    pith_doc *doc = must_parse("json", text.ptr, text.len, &options);
    must_give(pith_doc_root(doc), "json", expected.ptr, expected.len);
    pith_doc_free(doc);
}

/* The text is refused there, by reading and by checking alike. */
static void must_fail(bytes text, const pith_options *options, const char *code,
                      size_t line, size_t column)
{
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("json", text.ptr, text.len, options, &err);
    assert_null(doc);
    expected_error expected = {err.status, code, line, column};
    assert_true(same_error("refused", &err, &expected));
    pith_error checked = {0};
    assert_int_equal(
        pith_check("json", text.ptr, text.len, options, NULL, NULL, &checked),
        err.status);
    assert_true(same_error("checked", &checked, &expected));
}

/* ------------------------------------------------------------------------ depth */

static bytes nested(const char *open, const char *inside, const char *close, size_t depth)
{
    bytes text = {0};
    bytes_repeat(&text, open, depth);
    bytes_put(&text, inside);
    bytes_repeat(&text, close, depth);
    return text;
}

static void deep(void **state)
{
    (void)state;
    static const struct {
        const char *open, *inside, *close;
        size_t levels; /* of one repetition */
    } rows[] = {
        {"[", "", "]", 1},
        {"{\"a\":", "1", "}", 1},
        {"[{\"k\":", "null", "}]", 2},
        {"[0,", "0", ",0]", 1},
        {"{\"a\":1,\"b\":", "{}", ",\"c\":2}", 1},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        size_t times = sized(PITH_DEPTH_MOST) / rows[i].levels - 1;
        bytes text = nested(rows[i].open, rows[i].inside, rows[i].close, times);
        must_survive(text);

        /* at the usual limit it is refused, and cheaply */
        pith_error err = {0};
        assert_null(pith_doc_parse("json", text.ptr, text.len, NULL, &err));
        assert_int_equal(err.status, PITH_LIMIT);
        assert_string_equal(err.code, "depth_limit");

        /* without its end it is refused too */
        pith_options options = deepest(NULL);
        bytes open = {text.ptr, text.len / 2, 0};
        assert_null(pith_doc_parse("json", open.ptr, open.len, &options, &err));
        assert_int_equal(err.status, PITH_BAD_INPUT);
        bytes_free(&text);
    }
}

static void unclosed(void **state)
{
    (void)state;
    pith_options options = deepest(NULL);
    size_t depth = sized(PITH_DEPTH_MOST);
    bytes text = {0};
    bytes_repeat(&text, "[", depth);
    must_fail(text, &options, "unclosed", 1, depth + 1);
    must_fail(text, NULL, "depth_limit", 1, PITH_DEPTH_DEFAULT + 1);
    text.len = 0;
    bytes_repeat(&text, "{\"a\":\n", depth);
    must_fail(text, &options, "unclosed", depth + 1, 1);
    /* closed by the wrong brackets, all of them */
    text.len = 0;
    bytes_repeat(&text, "[", depth);
    bytes_repeat(&text, "}", depth);
    must_fail(text, &options, "expected_value", 1, depth + 1);
    bytes_free(&text);
}

/* Comparing, copying and climbing, none of which may use the C stack either. */
static void deep_documents(void **state)
{
    (void)state;
    pith_options options = deepest(NULL);
    size_t depth = sized(PITH_DEPTH_MOST);
    bytes text = nested("[{\"a\":", "7", "}]", depth / 2 - 1);
    pith_doc *doc = must_parse("json", text.ptr, text.len, &options);
    pith_doc *copy = pith_doc_new(&options);
    assert_non_null(copy);
    pith_doc_add_value(copy, pith_doc_root(doc));
    assert_int_equal(pith_doc_finish(copy, NULL), PITH_OK);
    assert_true(pith_value_equal(pith_doc_root(doc), pith_doc_root(copy)));
    must_give(pith_doc_root(copy), "json", text.ptr, text.len);

    size_t down = 0;
    pith_value bottom = pith_doc_root(copy);
    for (pith_value v = bottom; v.doc; v = pith_value_first(v)) {
        bottom = v;
        down++;
    }
    assert_int_equal(pith_value_kind(bottom), PITH_INTEGER);
    assert_int_equal(down, depth / 2 * 2 - 1); /* the pairs and the number */

    /* built by hand to the same depth */
    pith_doc_reset(copy);
    for (size_t i = 0; i < depth; i++)
        pith_doc_open_array(copy);
    for (size_t i = 0; i < depth; i++)
        pith_doc_close(copy);
    assert_int_equal(pith_doc_finish(copy, NULL), PITH_OK);
    pith_doc_free(copy);
    pith_doc_free(doc);

    /* indented it would be 10^12 bytes: refused, and soon */
    doc = must_parse("json", text.ptr, text.len, &options);
    pith_options indented = with_settings(NULL, "indent=1");
    pith_buffer out = {0};
    pith_error err = {0};
    pith_status status = pith_value_write(pith_doc_root(doc), "json", &indented,
                                          pith_sink_buffer(&out), &err);
    assert_int_equal(status, PITH_LIMIT);
    assert_string_equal(err.code, "output_limit");
    pith_buffer_free(&out);
    pith_doc_free(doc);
    bytes_free(&text);
}

/* ------------------------------------------------------------------- long scalars */

static void long_string(void **state)
{
    (void)state;
    bytes text = {0};
    bytes_put(&text, "\"");
    bytes_repeat(&text, "a string of a hundred million bytes in pieces of 50.",
                 sized(2000000));
    bytes_put(&text, "\"");
    must_survive(text);

    /* the same without its end; with a fault at its end, on one line */
    text.len--;
    must_fail(text, NULL, "unterminated_string", 1, 1);
    size_t column = text.len + 1;
    bytes_put(&text, "\x01\"");
    must_fail(text, NULL, "control_character", 1, column);
    text.len -= 2;
    bytes_put(&text, "\xff\"");
    must_fail(text, NULL, "invalid_utf8", 1, column);
    text.len -= 2;
    bytes_put(&text, "\\q\"");
    must_fail(text, NULL, "invalid_escape", 1, column);
    text.len -= 3;
    bytes_put(&text, "\" x");
    must_fail(text, NULL, "trailing_content", 1, column + 2);
    bytes_free(&text);
}

static void wide_string(void **state)
{
    (void)state;
    bytes text = {0};
    bytes_put(&text, "[\"");
    bytes_repeat(&text, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z", sized(3000000));
    bytes_put(&text, "\"]");
    must_survive(text);
    /* columns count code points over all of it */
    text.len--;
    bytes_put(&text, "}");
    must_fail(text, NULL, "expected_separator", 1, 4 * sized(3000000) + 4);
    bytes_free(&text);
}

static void many_escapes(void **state)
{
    (void)state;
    bytes text = {0}, expected = {0};
    size_t count = sized(2000000);
    bytes_put(&text, "[\"");
    bytes_repeat(&text, "\\n\\\"", count);
    bytes_put(&text, "\"]");
    must_survive(text);

    text.len = 0;
    bytes_put(&text, "[\"");
    bytes_repeat(&text, "\\u0041\\ud83d\\ude00", count);
    bytes_put(&text, "\"]");
    bytes_put(&expected, "[\"");
    bytes_repeat(&expected, "A\xf0\x9f\x98\x80", count);
    bytes_put(&expected, "\"]");
    must_become(text, NULL, expected);

    /* a small escaped string each, many times */
    text.len = 0;
    bytes_put(&text, "[\"\\t\"");
    bytes_repeat(&text, ",\"\\t\"", count);
    bytes_put(&text, "]");
    must_survive(text);
    bytes_free(&text);
    bytes_free(&expected);
}

/* Ten million digits before the point, after it and in the exponent. */
static void long_numbers(void **state)
{
    (void)state;
    size_t digits = sized(10000000);
    static const struct {
        const char *before, *digit, *after;
        double value;
    } rows[] = {
        {"1", "0", "", HUGE_VAL}, {"-9", "9", "", -HUGE_VAL}, {"0.", "0", "1", 0},
        {"0.5", "0", "", 0.5},    {"0.", "3", "", 1.0 / 3.0}, {"1e", "0", "1", 10},
        {"1e-", "9", "", 0},      {"1e", "9", "", HUGE_VAL},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        bytes text = {0};
        bytes_put(&text, rows[i].before);
        bytes_repeat(&text, rows[i].digit, digits);
        bytes_put(&text, rows[i].after);
        must_survive(text);
        pith_doc *doc = must_parse("json", text.ptr, text.len, NULL);
        double value = 42;
        int64_t whole = 42;
        uint64_t unsigned_whole = 42;
        assert_true(pith_value_double(pith_doc_root(doc), &value));
        assert_true(value == rows[i].value);
        assert_false(pith_value_int64(pith_doc_root(doc), &whole));
        assert_false(pith_value_uint64(pith_doc_root(doc), &unsigned_whole));
        pith_doc_free(doc);
        bytes_free(&text);
    }
    /* a fault after all the digits is told at the number, in one short sentence */
    bytes text = {0};
    bytes_put(&text, "[1,");
    bytes_repeat(&text, "7", digits);
    bytes_put(&text, "x]");
    must_fail(text, NULL, "invalid_number", 1, 4);
    bytes_free(&text);
}

static void white_space(void **state)
{
    (void)state;
    bytes text = {0}, expected = {0};
    size_t count = sized(20000000);
    bytes_repeat(&text, " \n", count);
    bytes_put(&text, "[");
    bytes_repeat(&text, "\t\r", count / 2);
    bytes_put(&text, "]");
    bytes_put(&expected, "[]");
    must_become(text, NULL, expected);
    text.len--;
    must_fail(text, NULL, "unclosed", count + 1, text.len - 2 * count + 1);
    bytes_free(&text);
    bytes_free(&expected);
}

/* ----------------------------------------------------------------- many of a kind */

static void many_empty_arrays(void **state)
{
    (void)state;
    bytes text = {0};
    size_t count = sized(10000000);
    bytes_put(&text, "[[]");
    bytes_repeat(&text, ",[]", count - 1);
    bytes_put(&text, "]");
    must_survive(text);
    pith_doc *doc = must_parse("json", text.ptr, text.len, NULL);
    assert_int_equal(pith_value_count(pith_doc_root(doc)), count);
    size_t seen = 0;
    for (pith_value v = pith_value_first(pith_doc_root(doc)); v.doc;
         v = pith_value_next(v))
        seen++;
    assert_int_equal(seen, count);
    pith_doc_free(doc);
    bytes_free(&text);
}

/* `make` prints the i-th key. */
static bytes wide_object(void (*make)(bytes *text, size_t i), size_t count)
{
    bytes text = {0};
    bytes_put(&text, "{");
    for (size_t i = 0; i < count; i++) {
        bytes_put(&text, i ? ",\"" : "\"");
        make(&text, i);
        bytes_put(&text, "\":0");
    }
    bytes_put(&text, "}");
    return text;
}

static void key_plain(bytes *text, size_t i)
{
    bytes_print(text, "%zu", i);
}

/* One length, and everything but the last bytes the same. */
static void key_long_prefix(bytes *text, size_t i)
{
    bytes_print(text, "a/rather/long/path/that/all/of/these/keys/share/%08zu", i);
}

/* One length, and the difference only in the middle. */
static void key_middle(bytes *text, size_t i)
{
    bytes_print(text, "the same beginning %08zu and the same end of the key", i);
}

/* "Aa" and "BB" are equal under the hash h * 31 + c; so are all their chains. */
static void key_colliding(bytes *text, size_t i)
{
    for (size_t bit = 0; bit < 20; bit++)
        bytes_put(text, i >> bit & 1 ? "Aa" : "BB");
}

/* Equal sums and equal sets of bytes: permutations of the digits by position. */
static void key_permuted(bytes *text, size_t i)
{
    for (size_t bit = 0; bit < 20; bit++)
        bytes_put(text, i >> bit & 1 ? "01" : "10");
}

static void wide_objects(void **state)
{
    (void)state;
    static const struct {
        void (*make)(bytes *text, size_t i);
    } rows[] = {
        {key_plain}, {key_long_prefix}, {key_middle}, {key_colliding}, {key_permuted}};
    size_t count = sized(1000000);
    for (size_t i = 0; i < ROWS(rows); i++) {
        bytes text = wide_object(rows[i].make, count);
        must_survive(text);
        /* the last key is the first again */
        size_t column = text.len + 1;
        text.ptr[text.len - 1] = ',';
        bytes_put(&text, "\"");
        rows[i].make(&text, 0);
        bytes_put(&text, "\":0}");
        must_fail(text, NULL, "duplicate_key", 1, column);
        bytes_free(&text);
    }
}

/* Objects that are all different, so that nothing learned from one helps the next. */
static void many_shapes(void **state)
{
    (void)state;
    size_t count = sized(300000);
    enum { NOTHING_SHARED, FIRST_SHARED, LAST_SHARED, DEEP_DOWN, PATTERNS };
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        bytes text = {0};
        bytes_put(&text, "[");
        for (size_t i = 0; i < count; i++) {
            const char *comma = i ? "," : "";
            switch (pattern) {
            case NOTHING_SHARED:
                bytes_print(&text, "%s{\"k%zu\":1,\"l%zu\":2}", comma, i, i);
                break;
            case FIRST_SHARED:
                bytes_print(&text, "%s{\"same\":1,\"l%zu\":%zu}", comma, i, i);
                break;
            case LAST_SHARED:
                bytes_print(&text, "%s{\"k%zu\":1,\"same\":%zu}", comma, i, i);
                break;
            default:
                bytes_print(&text, "%s{\"a\":{\"b\":{\"c%zu\":%zu}}}", comma, i, i);
            }
        }
        bytes_put(&text, "]");
        must_survive(text);
        bytes_free(&text);
    }
    /* each object one key longer than the last, and each a key shorter */
    bytes text = {0};
    bytes_put(&text, "[");
    size_t most = sized(1500);
    for (size_t i = 0; i < 2 * most; i++) {
        size_t keys = i < most ? i : 2 * most - i;
        bytes_put(&text, i ? ",{" : "{");
        for (size_t k = 0; k < keys; k++)
            bytes_print(&text, "%s\"k%zu\":0", k ? "," : "", k);
        bytes_put(&text, "}");
    }
    bytes_put(&text, "]");
    must_survive(text);
    /* the same keys, turned by one each time */
    text.len = 0;
    bytes_put(&text, "[");
    for (size_t i = 0; i < most; i++) {
        bytes_put(&text, i ? ",{" : "{");
        for (size_t k = 0; k < 300; k++)
            bytes_print(&text, "%s\"k%zu\":0", k ? "," : "", (i + k) % 300);
        bytes_put(&text, "}");
    }
    bytes_put(&text, "]");
    must_survive(text);
    bytes_free(&text);
}

/* --------------------------------------------------------------------- duplicates */

static void one_key_a_million_times(void **state)
{
    (void)state;
    bytes text = {0}, expected = {0};
    size_t count = sized(1000000);
    bytes_put(&text, "{\"first\":0");
    for (size_t i = 0; i < count; i++)
        bytes_print(&text, ",\"a\":[%zu]", i);
    bytes_put(&text, ",\"last\":0}");
    bytes_print(&expected, "{\"first\":0,\"a\":[%zu],\"last\":0}", count - 1);
    must_become(text, "duplicates=last", expected);
    must_fail(text, NULL, "duplicate_key", 1, 20);
    bytes_free(&text);
    bytes_free(&expected);
}

static void a_million_keys_twice(void **state)
{
    (void)state;
    bytes text = {0}, expected = {0};
    size_t count = sized(1000000);
    bytes_put(&text, "{");
    bytes_put(&expected, "{");
    for (size_t i = 0; i < count; i++) {
        bytes_print(&text, "%s\"%zu\":{\"x\":1}", i ? "," : "", i);
        bytes_print(&expected, "%s\"%zu\":2", i ? "," : "", i);
    }
    for (size_t i = count; i > 0; i--)
        bytes_print(&text, ",\"%zu\":2", i - 1);
    bytes_put(&text, "}");
    bytes_put(&expected, "}");
    must_become(text, "duplicates=last", expected);
    bytes_free(&text);
    bytes_free(&expected);
}

/* A duplicate on every level: where the dropped value is small, where it holds all
 * that lies deeper, and where both are as deep as they can be. */
static void deep_duplicates(void **state)
{
    (void)state;
    size_t depth = sized(500000);
    bytes expected = nested("{\"a\":", "0", "}", depth);
    bytes text = nested("{\"a\":1,\"a\":", "0", "}", depth);
    must_become(text, "duplicates=last", expected);
    bytes_free(&text);

    text = nested("{\"b\":2,\"a\":", "0", ",\"b\":[3]}", depth);
    bytes_free(&expected);
    expected = nested("{\"b\":[3],\"a\":", "0", "}", depth);
    must_become(text, "duplicates=last", expected);
    bytes_free(&text);

    text = nested("{\"a\":", "0", ",\"a\":1}", depth);
    bytes_free(&expected);
    bytes_put(&expected, "{\"a\":1}");
    must_become(text, "duplicates=last", expected);
    bytes_free(&text);
    bytes_free(&expected);

    bytes_put(&text, "{\"a\":");
    bytes half = nested("{\"a\":1,\"a\":", "0", ",\"b\":{\"b\":0,\"b\":1}}", depth);
    bytes_add(&text, half.ptr, half.len);
    bytes_put(&text, ",\"a\":");
    bytes_add(&text, half.ptr, half.len);
    bytes_put(&text, "}");
    bytes_free(&half);
    expected = nested("{\"a\":", "0", ",\"b\":{\"b\":1}}", depth);
    bytes whole = {0};
    bytes_put(&whole, "{\"a\":");
    bytes_add(&whole, expected.ptr, expected.len);
    bytes_put(&whole, "}");
    must_become(text, "duplicates=last", whole);
    bytes_free(&text);
    bytes_free(&expected);
    bytes_free(&whole);
}

/* ----------------------------------------------------------------------- problems */

static bool count_all(void *ctx, const pith_error *problem)
{
    (void)problem;
    ++*(size_t *)ctx;
    return true;
}

/* Faults without end on one endless line; and each on a line of its own. */
static void many_problems(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "01,", "tru,", "\"\\q\",", "{\"a\" 1},", "{\"a\":1,\"a\":2},",
        "]",   ",",    "}",        "\"\x01\",",  "\xff",
        ":",   "{",    "\"a\":",   "\"\\q\":\n", "[}\n",
        "-\n"};
    for (size_t i = 0; i < ROWS(rows); i++) {
        bytes text = {0};
        bytes_put(&text, "[");
        bytes_repeat(&text, rows[i], sized(3000000));
        size_t problems = 0;
        pith_options options = deepest(NULL);
        pith_status status =
            pith_check("json", text.ptr, text.len, &options, count_all, &problems, NULL);
        assert_true(status == PITH_BAD_INPUT || status == PITH_LIMIT);
        assert_true(problems > 0);
        bytes_free(&text);
    }
}

/* A fault at the end of 50 MB, on one line and after a million lines. */
static void a_fault_at_the_end(void **state)
{
    (void)state;
    bytes text = {0};
    size_t count = sized(4000000);
    bytes_put(&text, "[");
    bytes_repeat(&text, "\"element\",  ", count);
    bytes_put(&text, "]");
    must_fail(text, NULL, "expected_value", 1, text.len);
    text.len = 0;
    bytes_put(&text, "[");
    bytes_repeat(&text, "\"element\", \n", count);
    bytes_put(&text, "]");
    must_fail(text, NULL, "expected_value", count + 1, 1);
    bytes_free(&text);
}

/* -------------------------------------------------------------------------- lines */

/* Feeds the text in pieces, counts the rows that come out, returns the status. */
static pith_status feed(bytes text, size_t piece, size_t *rows, pith_error *err)
{
    pith_reader *reader = pith_reader_open("ndjson", NULL, err);
    assert_non_null(reader);
    pith_status status = PITH_OK;
    *rows = 0;
    for (size_t at = 0; status == PITH_OK && at < text.len; at += piece) {
        size_t left = text.len - at;
        status =
            pith_reader_feed(reader, text.ptr + at, left < piece ? left : piece, err);
        if (status == PITH_OK && left <= piece)
            status = pith_reader_end(reader, err);
        pith_value row = {0};
        while (status == PITH_OK) {
            status = pith_reader_next(reader, &row, err);
            if (status != PITH_OK || !row.doc)
                break;
            ++*rows;
        }
    }
    pith_reader_free(reader);
    return status;
}

static void a_million_lines(void **state)
{
    (void)state;
    size_t count = sized(1000000);
    bytes text = {0}, json = {0};
    bytes_put(&json, "[");
    for (size_t i = 0; i < count; i++) {
        bytes_print(&text, "{\"id\":%zu,\"n\":\"x\"}\n", i);
        bytes_print(&json, "%s{\"id\":%zu,\"n\":\"x\"}", i ? "," : "", i);
    }
    bytes_put(&json, "]");
    pith_doc *doc = must_parse("ndjson", text.ptr, text.len, NULL);
    must_give(pith_doc_root(doc), "json", json.ptr, json.len);
    must_give(pith_doc_root(doc), "ndjson", text.ptr, text.len);
    pith_doc_free(doc);

    size_t rows = 0;
    pith_error err = {0};
    static const size_t pieces[] = {100, 65536, SIZE_MAX};
    for (size_t i = 0; i < ROWS(pieces); i++) {
        size_t piece = pieces[i] < text.len ? pieces[i] : text.len;
        assert_int_equal(feed(text, piece, &rows, &err), PITH_OK);
        assert_int_equal(rows, count);
    }
    /* a fault in the very last line */
    text.ptr[text.len - 2] = '!';
    assert_int_equal(feed(text, 4096, &rows, &err), PITH_BAD_INPUT);
    assert_int_equal(rows, count - 1);
    assert_int_equal(err.line, count);
    assert_int_equal(err.offset, text.len - 2);
    bytes_free(&text);
    bytes_free(&json);
}

static void blank_lines(void **state)
{
    (void)state;
    bytes text = {0};
    size_t count = sized(20000000);
    bytes_repeat(&text, "\n", count);
    bytes_put(&text, "1");
    size_t rows = 0;
    pith_error err = {0};
    assert_int_equal(feed(text, 1000, &rows, &err), PITH_OK);
    assert_int_equal(rows, 1);
    text.ptr[text.len - 1] = 'x';
    assert_int_equal(feed(text, 1000000, &rows, &err), PITH_BAD_INPUT);
    assert_int_equal(err.line, count + 1);
    bytes_free(&text);
}

/* One line of 50 MB that arrives in pieces of 500 bytes. */
static void one_long_line(void **state)
{
    (void)state;
    bytes text = {0};
    bytes_put(&text, "[0");
    bytes_repeat(&text, ",\"0123456789\"", sized(4000000));
    bytes_put(&text, "]\n[1]\n");
    size_t rows = 0;
    pith_error err = {0};
    assert_int_equal(feed(text, 500, &rows, &err), PITH_OK);
    assert_int_equal(rows, 2);
    /* a fault far out on it has its column */
    size_t fault = text.len - 7;
    text.ptr[fault] = '}';
    text.ptr[fault + 1] = ' ';
    assert_int_equal(feed(text, 500, &rows, &err), PITH_BAD_INPUT);
    assert_int_equal(rows, 0);
    assert_int_equal(err.line, 1);
    assert_int_equal(err.offset, err.column - 1);
    bytes_free(&text);
}

/* A table of many rows, and of one row with many columns. */
static void many_rows(void **state)
{
    (void)state;
    static const char *const formats[] = {"json", "ndjson"};
    for (size_t f = 0; f < ROWS(formats); f++) {
        static const char *const columns[] = {"id", "name"};
        pith_buffer out = {0};
        pith_rows *rows =
            rows_open_named(formats[f], columns, 2, NULL, pith_sink_buffer(&out), NULL);
        assert_non_null(rows);
        size_t count = sized(500000);
        for (size_t i = 0; i < count; i++) {
            pith_doc_add_uint64(pith_rows_row(rows), i);
            pith_doc_add_text(pith_rows_row(rows), "row", 3);
            assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
        }
        assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
        pith_doc *doc = must_parse(formats[f], out.data, out.len, NULL);
        assert_int_equal(pith_value_count(pith_doc_root(doc)), count);
        pith_doc_free(doc);
        pith_buffer_free(&out);
    }

    enum { WIDTH = 100000, NAME = 24 };
    size_t width = sized(WIDTH);
    char *names = malloc(width * NAME);
    const char **columns = malloc(width * sizeof *columns);
    assert_non_null(names);
    assert_non_null(columns);
    for (size_t i = 0; i < width; i++) {
        snprintf(names + i * NAME, NAME, "c%zu", i);
        columns[i] = names + i * NAME;
    }
    pith_buffer out = {0};
    pith_rows *rows =
        rows_open_named("json", columns, width, NULL, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    for (int row = 0; row < 3; row++) {
        for (size_t i = 0; i < width; i++)
            if (row == 1 && i % 2)
                pith_doc_skip(pith_rows_row(rows));
            else
                pith_doc_add_uint64(pith_rows_row(rows), i);
        assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    }
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    pith_doc *doc = must_parse("json", out.data, out.len, NULL);
    pith_value last = pith_value_at(pith_doc_root(doc), 2);
    assert_int_equal(pith_value_count(last), width);

    /* whole rows, whose keys must be found among the columns */
    pith_buffer again = {0};
    rows = rows_open_named("json", columns, width, NULL, pith_sink_buffer(&again), NULL);
    assert_non_null(rows);
    for (pith_value v = pith_value_first(pith_doc_root(doc)); v.doc;
         v = pith_value_next(v))
        assert_int_equal(pith_rows_add_row(rows, v, NULL), PITH_OK);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_true(same_bytes("whole rows", again.data, again.len, out.data, out.len));
    pith_buffer_free(&again);
    pith_doc_free(doc);
    pith_buffer_free(&out);
    free(names);
    free(columns);
}

/* ------------------------------------------------------------------------- GCF */

/* Ten thousand fields of which a row has five: in GCF every row says of all the others
 * that they are absent, so the text is as large as the table, and the work must not be
 * larger. The keys of a row are looked up among all fields, and a row is put in the
 * order of the header. */
static void sparse_fields(void **state)
{
    (void)state;
    enum { FIELDS = 10000, CELLS = 5, STEP = 7919 };
    size_t rows = sized(1500);
    bytes json = {0};
    bytes_put(&json, "[{");
    for (size_t i = 0; i < FIELDS; i++)
        bytes_print(&json, "%s\"k%zu\":%zu", i ? "," : "", i, i);
    for (size_t i = 1; i < rows; i++) {
        for (size_t k = 0; k < CELLS; k++) {
            bytes_print(&json, "%s\"k%zu\":%zu", k ? "," : "},{",
                        (i * STEP + k * k * 13) % FIELDS, i);
        }
    }
    bytes_put(&json, "}]");
    pith_doc *doc = must_parse("json", json.ptr, json.len, NULL);
    pith_buffer wire = must_write(pith_doc_root(doc), "gcf", NULL);
    assert_true(wire.len > rows * FIELDS * 2);
    pith_doc *back = must_parse("gcf", wire.data, wire.len, NULL);
    assert_int_equal(pith_value_count(pith_doc_root(back)), rows);
    must_give(pith_doc_root(back), "gcf", wire.data, wire.len);
    pith_doc_free(back);
    pith_doc_free(doc);
    pith_buffer_free(&wire);
    bytes_free(&json);
}

/* One header with very many paths, and after it very many headers with one: what the
 * first needed must not be gone through again for each of the others. */
static void many_headers_after_a_wide_one(void **state)
{
    (void)state;
    size_t fields = sized(150000);
    size_t tables = sized(150000);
    bytes text = {0};
    bytes_print(&text, "GCF profile=generic\n## w [1]{\"p>k0\"");
    for (size_t i = 1; i < fields; i++)
        bytes_print(&text, ",\"p>k%zu\"", i);
    bytes_put(&text, "}\n1");
    bytes_repeat(&text, "|1", fields - 1);
    bytes_print(&text, "\n## s [%zu]{t}\n", tables);
    for (size_t i = 0; i < tables; i++)
        bytes_print(&text, "@%zu ^\n.t [1]{\"x>%s\"}\n    1\n", i, i % 2 ? "y" : "z");
    pith_doc *doc = must_parse("gcf", text.ptr, text.len, NULL);
    pith_value list = pith_value_get(pith_doc_root(doc), LIT("s"));
    assert_int_equal(pith_value_count(list), tables);
    pith_doc_free(doc);
    bytes_free(&text);
}

/* Very many fields that are no columns, each with a table of its own in both rows. */
static void many_shared_schemas(void **state)
{
    (void)state;
    size_t fields = sized(100000);
    bytes text = {0};
    bytes_put(&text, "GCF profile=generic\n## [2]{id}\n@0 1\n");
    for (size_t i = 0; i < fields; i++)
        bytes_print(&text, ".\"%zu>\" [1]{a,b}\n    1|2\n", i);
    bytes_put(&text, "@1 2\n");
    for (size_t i = fields; i-- > 0;)
        bytes_print(&text, ".\"%zu>\" [1]\n    3|4\n", i);
    pith_doc *doc = must_parse("gcf", text.ptr, text.len, NULL);
    assert_int_equal(pith_value_count(pith_value_at(pith_doc_root(doc), 1)), fields + 1);
    pith_doc_free(doc);
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep),
        cmocka_unit_test(unclosed),
        cmocka_unit_test(deep_documents),
        cmocka_unit_test(long_string),
        cmocka_unit_test(wide_string),
        cmocka_unit_test(many_escapes),
        cmocka_unit_test(long_numbers),
        cmocka_unit_test(white_space),
        cmocka_unit_test(many_empty_arrays),
        cmocka_unit_test(wide_objects),
        cmocka_unit_test(many_shapes),
        cmocka_unit_test(one_key_a_million_times),
        cmocka_unit_test(a_million_keys_twice),
        cmocka_unit_test(deep_duplicates),
        cmocka_unit_test(many_problems),
        cmocka_unit_test(a_fault_at_the_end),
        cmocka_unit_test(a_million_lines),
        cmocka_unit_test(blank_lines),
        cmocka_unit_test(one_long_line),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(sparse_fields),
        cmocka_unit_test(many_headers_after_a_wide_one),
        cmocka_unit_test(many_shared_schemas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
