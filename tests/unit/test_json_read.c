/*
 * test_json_read.c - RFC 8259 where it takes code to show: every control character, every
 * ill-formed sequence at every place, objects of every size, depth and progress.
 *
 * What a text can show is in tests/vectors/json. Every text is handed over in a block of
 * exactly its size, so that the address sanitizer sees a reader that looks one byte too
 * far. Every refused text also goes through pith_check, whose first problem must be the
 * same.
 */
#include "bytes.h"
#include "testing.h"

typedef struct accepted {
    const char *text;
    size_t len;
    const char *output;
    size_t output_len;
} accepted;

typedef struct refused {
    const char *text;
    size_t len;
    expected_error error;
} refused;

#define ACCEPT(text, output)                                                             \
    {                                                                                    \
        LIT(text), LIT(output)                                                           \
    }
#define SAME(text) ACCEPT(text, text)

/* A copy without a spare byte at the end. */
static char *exact_copy(const char *text, size_t len)
{
    char *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    if (len)
        memcpy(copy, text, len);
    return copy;
}

/* ------------------------------------------------------------------ the runners */

/* JSON is Pith: every text that is accepted means the same there. A byte order mark is
 * nothing that JSON has, and settings of the JSON reader are its own. */
static bool is_same_in_pith(const pith_doc *doc, const char *text, size_t len,
                            const pith_options *options)
{
    if ((options && options->read) || (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0))
        return true;
    pith_error err = {0};
    pith_doc *other = pith_doc_parse("pith", text, len, options, &err);
    bool same = other && pith_value_equal(pith_doc_root(doc), pith_doc_root(other));
    if (!same)
        fprintf(stderr, "another value as Pith: %s\n", other ? "" : err.message);
    pith_doc_free(other);
    return same;
}

static bool runs_accepted(const accepted *row, const pith_options *options)
{
    char *text = exact_copy(row->text, row->len);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("json", text, row->len, options, &err);
    bool right = doc != NULL;
    if (doc) {
        pith_buffer out = must_write(pith_doc_root(doc), "json", NULL);
        right =
            same_bytes("written back", out.data, out.len, row->output, row->output_len);
        pith_buffer_free(&out);
        right = is_same_in_pith(doc, text, row->len, options) && right;
    } else {
        fprintf(stderr, "%s at %zu:%zu: %s\n", err.code, err.line, err.column,
                err.message);
    }
    if (!right)
        show_bytes("  of", row->text, row->len);
    pith_doc_free(doc);
    free(text);
    return right;
}

/* Whether line and column are those of the offset, counted the slow way. */
static bool place_agrees(const char *text, const pith_error *err)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < err->offset; i++) {
        if (text[i] == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            column++;
        }
    }
    return line == err->line && column == err->column;
}

static bool first_problem_only(void *ctx, const pith_error *problem)
{
    *(pith_error *)ctx = *problem;
    return false;
}

static bool runs_refused(const refused *row, const pith_options *options)
{
    char *text = exact_copy(row->text, row->len);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("json", text, row->len, options, &err);
    bool right = doc == NULL && same_error("refused", &err, &row->error);
    if (doc)
        fputs("accepted although it must be refused\n", stderr);
    if (right && !place_agrees(text, &err)) {
        fprintf(stderr, "offset %zu is not there\n", err.offset);
        right = false;
    }
    pith_error first = {0};
    pith_status checked =
        pith_check("json", text, row->len, options, first_problem_only, &first, NULL);
    if (checked != row->error.status || !same_error("checked", &first, &row->error))
        right = false;
    if (!right)
        show_bytes("  of", row->text, row->len);
    pith_doc_free(doc);
    free(text);
    return right;
}

/* ---------------------------------------------------------------------- strings */

/* All 32 of them, at every place of a string that is longer than a block of 16 bytes,
 * in ASCII and with something wider in front. */
static void refuses_every_control_character(void **state)
{
    (void)state;
    enum { LENGTH = 40 };
    pith_options options = {0};
    size_t failures = 0;
    for (int control = 0; control < 0x20; control++) {
        for (size_t place = 0; place < LENGTH; place++) {
            for (int wide = 0; wide < 2; wide++) {
                bytes text = {0};
                bytes_put(&text, wide ? "\"\xc3\xa9" : "\"e");
                bytes_repeat(&text, "x", LENGTH);
                bytes_put(&text, "\"");
                text.ptr[text.len - 1 - LENGTH + place] = (char)control;
                expected_error error = {PITH_BAD_INPUT, "control_character", 1,
                                        place + 3};
                refused row = {text.ptr, text.len, error};
                failures += !runs_refused(&row, &options);
                bytes_free(&text);
            }
        }
    }
    assert_int_equal(failures, 0);
}

/* ------------------------------------------------------------------------ UTF-8 */

/* Every way to be ill-formed; the fault is at the first byte of each. */
static const struct ill_formed {
    const char *bytes;
    size_t len;
} ill_formed[] = {
    /* a continuation byte on its own */
    {LIT("\x80")},
    {LIT("\xbf")},
    {LIT("\x80\x80")},
    /* two-byte forms: overlong, cut short, followed by ASCII or a first byte */
    {LIT("\xc0\x80")},
    {LIT("\xc0\xaf")},
    {LIT("\xc1\xbf")},
    {LIT("\xc2")},
    {LIT("\xc2 ")},
    {LIT("\xdf\xc3\xa9")},
    {LIT("\xc2\x7f")},
    {LIT("\xc2\xc0")},
    /* three-byte forms */
    {LIT("\xe0\x80\x80")},
    {LIT("\xe0\x80\xaf")},
    {LIT("\xe0\x9f\xbf")},
    {LIT("\xe2")},
    {LIT("\xe2\x82")},
    {LIT("\xe2 \x82")},
    {LIT("\xe2\x82 ")},
    {LIT("\xe2\x82\xc2\x80")},
    {LIT("\xef\xbf")},
    /* surrogates written as if they were characters */
    {LIT("\xed\xa0\x80")},
    {LIT("\xed\xad\xbf")},
    {LIT("\xed\xb0\x80")},
    {LIT("\xed\xbf\xbf")},
    {LIT("\xed\xa0\xbd\xed\xb8\x80")},
    {LIT("\xed")},
    {LIT("\xed\x9f")},
    /* four-byte forms */
    {LIT("\xf0\x80\x80\x80")},
    {LIT("\xf0\x8f\xbf\xbf")},
    {LIT("\xf0")},
    {LIT("\xf0\x9f")},
    {LIT("\xf0\x9f\x98")},
    {LIT("\xf0\x9f ")},
    {LIT("\xf0\x9f\x98 ")},
    {LIT("\xf1\x80\xc2\x80")},
    {LIT("\xf3\xbf\xbf\x7f")},
    /* beyond U+10FFFF, and bytes that begin nothing */
    {LIT("\xf4\x90\x80\x80")},
    {LIT("\xf4\xbf\xbf\xbf")},
    {LIT("\xf5\x80\x80\x80")},
    {LIT("\xf7\xbf\xbf\xbf")},
    {LIT("\xf8\x88\x80\x80\x80")},
    {LIT("\xfc\x84\x80\x80\x80\x80")},
    {LIT("\xfe")},
    {LIT("\xff")},
    {LIT("\xfe\xff")},
    {LIT("\xff\xfe")},
};

/* The bytes between `before` and `after` must be refused at `column`. */
static size_t refuse_between(const char *before, const char *after, size_t column)
{
    pith_options options = {0};
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(ill_formed); i++) {
        bytes text = {0};
        bytes_put(&text, before);
        bytes_add(&text, ill_formed[i].bytes, ill_formed[i].len);
        bytes_put(&text, after);
        refused row = {text.ptr, text.len, {PITH_BAD_INPUT, "invalid_utf8", 1, column}};
        failures += !runs_refused(&row, &options);
        bytes_free(&text);
    }
    return failures;
}

static void refuses_ill_formed_utf8(void **state)
{
    (void)state;
    size_t failures = 0;
    /* in a string: at its start, inside, after other characters and escapes */
    failures += refuse_between("\"", "\"", 2);
    failures += refuse_between("\"abc", "def\"", 5);
    failures += refuse_between("\"\xc3\xa9\xf0\x9f\x98\x80", "\xc3\xa9\"", 4);
    failures += refuse_between("\"\\n\\u20ac", "\\n\"", 10);
    failures += refuse_between("[\"0123456789012345678901234567890123456789", "\"]", 43);
    /* in keys */
    failures += refuse_between("{\"", "\":1}", 3);
    failures += refuse_between("{\"a\":1,\"bb", "cc\":1}", 11);
    failures += refuse_between("[{\"a\":1},{\"\\t", "\":1}]", 14);
    /* outside strings, in every state of the reader, with and without an end */
    static const struct {
        const char *before, *after;
        size_t column;
    } outside[] = {
        {"", "1", 1},        {"[", "]", 2},         {"[1,", "]", 4},
        {"[1 ", "]", 4},     {"{", "}", 2},         {"{\"a\"", ":1}", 5},
        {"{\"a\":", "}", 6}, {"{\"a\":1 ", "}", 8}, {"[] ", "[]", 4},
    };
    for (size_t i = 0; i < ROWS(outside); i++) {
        failures +=
            refuse_between(outside[i].before, outside[i].after, outside[i].column);
        failures += refuse_between(outside[i].before, "", outside[i].column);
    }
    assert_int_equal(failures, 0);
}

/* --------------------------------------------------------------- duplicate keys */

/* Objects of every size near the points where a reader may change its method:
 * the last key repeats the first, the middle one, the one before it. */
static void refuses_duplicates_in_objects_of_any_size(void **state)
{
    (void)state;
    pith_options options = {0};
    size_t failures = 0;
    for (size_t count = 1; count <= 300; count = count < 70 ? count + 1 : count + 23) {
        size_t victims[] = {0, count / 2, count - 1};
        for (size_t v = 0; v < ROWS(victims); v++) {
            bytes text = {0};
            bytes_put(&text, "{");
            for (size_t i = 0; i < count; i++)
                bytes_print(&text, "\"key%zu\":%zu,", i, i);
            size_t column = text.len + 1;
            bytes_print(&text, "\"key%zu\":0}", victims[v]);
            refused row = {
                text.ptr, text.len, {PITH_BAD_INPUT, "duplicate_key", 1, column}};
            failures += !runs_refused(&row, &options);
            bytes_free(&text);
        }
    }
    assert_int_equal(failures, 0);
}

/* After a value has moved into place, walking must find counts and parents right. */
static void walks_over_kept_duplicates(void **state)
{
    (void)state;
    pith_options options = with_settings("duplicates=last", NULL);
    static const char text[] =
        "{\"a\":[1,[2,{\"k\":3}]],\"b\":{\"c\":4,\"c\":[5]},\"a\":{\"d\":[6,7]}}";
    pith_doc *doc = must_parse("json", LIT(text), &options);
    pith_value root = pith_doc_root(doc);
    assert_int_equal(pith_value_count(root), 2);
    pith_value a = pith_value_get(root, LIT("a"));
    assert_int_equal(pith_value_kind(a), PITH_OBJECT);
    assert_int_equal(pith_value_count(a), 1);
    pith_value d = pith_value_get(a, LIT("d"));
    assert_int_equal(pith_value_count(d), 2);
    pith_value b = pith_value_next(a);
    assert_int_equal(pith_value_key(b).len, 1);
    assert_memory_equal(pith_value_key(b).ptr, "b", 1);
    assert_int_equal(pith_value_count(b), 1);
    assert_null(pith_value_next(b).doc);
    pith_doc_free(doc);
}

/* A thousand keys, each given five times in a shuffled order. */
static void keeps_the_last_of_many_duplicates(void **state)
{
    (void)state;
    enum { KEYS = 1000, TIMES = 5 };
    bytes text = {0}, expected = {0};
    bytes_put(&text, "{");
    for (size_t i = 0; i < KEYS * TIMES; i++) {
        /* 7 and 1000 have no common factor: each round visits every key once */
        size_t key = i < KEYS ? i : i * 7 % KEYS;
        bytes_print(&text, "%s\"k%zu\":[%zu]", i ? "," : "", key, i / KEYS);
    }
    bytes_put(&text, "}");
    bytes_put(&expected, "{");
    for (size_t key = 0; key < KEYS; key++)
        bytes_print(&expected, "%s\"k%zu\":[%d]", key ? "," : "", key, TIMES - 1);
    bytes_put(&expected, "}");
    accepted row = {text.ptr, text.len, expected.ptr, expected.len};
    pith_options options = with_settings("duplicates=last", NULL);
    bool right = runs_accepted(&row, &options);
    bytes_free(&text);
    bytes_free(&expected);
    assert_true(right);
}

/* ------------------------------------------------------------------------ depth */

/* `open` and `close` repeated `depth` times around `inside`. */
static bytes nested(const char *open, const char *inside, const char *close, size_t depth)
{
    bytes text = {0};
    bytes_repeat(&text, open, depth);
    bytes_put(&text, inside);
    bytes_repeat(&text, close, depth);
    return text;
}

static void depth_is_limited(void **state)
{
    (void)state;
    static const size_t limits[] = {0, 1, 2, 3, 16, 511, 513, 100000};
    static const struct {
        const char *open, *inside, *close;
    } shapes[] = {{"[", "", "]"}, {"{\"a\":", "{}", "}"}, {"[1,", "[]", "]"}};
    size_t failures = 0;
    for (size_t l = 0; l < ROWS(limits); l++) {
        size_t limit = limits[l] ? limits[l] : PITH_DEPTH_DEFAULT;
        pith_options options = {0};
        options.depth_max = limits[l];
        for (size_t s = 0; s < ROWS(shapes); s++) {
            size_t inside = shapes[s].inside[0] ? 1 : 0;
            bytes good =
                nested(shapes[s].open, shapes[s].inside, shapes[s].close, limit - inside);
            accepted fits = {good.ptr, good.len, good.ptr, good.len};
            failures += !runs_accepted(&fits, &options);
            bytes_free(&good);

            bytes bad = nested(shapes[s].open, shapes[s].inside, shapes[s].close,
                               limit + 1 - inside);
            size_t column = strlen(shapes[s].open) * (limit + 1 - inside) + inside;
            if (!inside)
                column = limit + 1;
            refused deep = {bad.ptr, bad.len, {PITH_LIMIT, "depth_limit", 1, column}};
            failures += !runs_refused(&deep, &options);
            bytes_free(&bad);
        }
    }
    assert_int_equal(failures, 0);
}

static void scalars_have_no_depth(void **state)
{
    (void)state;
    pith_options options = {0};
    options.depth_max = 1;
    static const accepted rows[] = {SAME("1"), SAME("[1,2]"), SAME("{\"a\":\"b\"}")};
    for (size_t i = 0; i < ROWS(rows); i++)
        assert_true(runs_accepted(&rows[i], &options));
    /* siblings do not add up */
    static const accepted wide[] = {SAME("[[],[],[],{},{}]")};
    options.depth_max = 2;
    assert_true(runs_accepted(&wide[0], &options));
}

static bool stop_at_once(void *ctx, size_t bytes_done)
{
    (void)bytes_done;
    ++*(size_t *)ctx;
    return false;
}

static bool count_and_go_on(void *ctx, size_t bytes_done)
{
    size_t *last = ctx;
    assert_true(bytes_done >= *last);
    *last = bytes_done;
    return true;
}

/* Several megabytes, so that "now and then" comes at least once. */
static void progress_is_told_and_can_stop(void **state)
{
    (void)state;
    bytes text = {0};
    bytes_put(&text, "[0");
    bytes_repeat(&text, ",{\"key\":\"value\",\"list\":[1,2,3]}", 200000);
    bytes_put(&text, "]");

    size_t last = 0;
    pith_options options = {0};
    options.progress = count_and_go_on;
    options.progress_ctx = &last;
    pith_doc *doc = must_parse("json", text.ptr, text.len, &options);
    pith_doc_free(doc);
    assert_true(last > 0 && last <= text.len);

    size_t calls = 0;
    options.progress = stop_at_once;
    options.progress_ctx = &calls;
    pith_error err = {0};
    assert_null(pith_doc_parse("json", text.ptr, text.len, &options, &err));
    assert_string_equal(err.code, "cancelled");
    assert_int_equal(calls, 1);
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_every_control_character),
        cmocka_unit_test(refuses_ill_formed_utf8),
        cmocka_unit_test(refuses_duplicates_in_objects_of_any_size),
        cmocka_unit_test(walks_over_kept_duplicates),
        cmocka_unit_test(keeps_the_last_of_many_duplicates),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(scalars_have_no_depth),
        cmocka_unit_test(progress_is_told_and_can_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
