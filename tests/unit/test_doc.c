/*
 * test_doc.c - documents: walking, looking up, reading scalars, building, reuse.
 *
 * Misuse of the builder is a table of small scripts, one letter a call, so that
 * every wrong order is one line here.
 */
#include <float.h>
#include <math.h>

#include "bytes.h"
#include "meter.h"
#include "testing.h"

static bool is_text(pith_text text, const char *expected)
{
    return text.len == strlen(expected) && memcmp(text.ptr, expected, text.len) == 0;
}

static bool is_none(pith_value value)
{
    return value.doc == NULL && pith_value_kind(value) == PITH_NONE;
}

/* ---------------------------------------------------------------------- walking */

/* A reader expects the keys of the row before, and looks at their ends first. */
static void keys_that_differ_in_one_place(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "beginning, middle and the end", "beginnung, middle and the end",
        "beginning, muddle and the end", "beginning, middle and the ind",
        "Beginning, middle and the end",
    };
    static const char *const formats[] = {"json", "pith", "gcf", "toon"};
    for (size_t f = 0; f < ROWS(formats); f++) {
        pith_doc *doc = pith_doc_new(NULL);
        pith_doc_open_array(doc);
        for (size_t i = 0; i < 2 * ROWS(keys) * ROWS(keys); i++) { /* each after each */
            size_t pair = i / 2;
            const char *key = keys[i % 2 ? pair % ROWS(keys) : pair / ROWS(keys)];
            pith_doc_open_object(doc);
            pith_doc_add_key(doc, key, strlen(key));
            pith_doc_add_uint64(doc, i);
            pith_doc_close(doc);
        }
        pith_doc_close(doc);
        assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
        pith_buffer out = {0};
        assert_int_equal(pith_value_write(pith_doc_root(doc), formats[f], NULL,
                                          pith_sink_buffer(&out), NULL),
                         PITH_OK);
        pith_doc *again = must_parse(formats[f], out.data, out.len, NULL);
        assert_true(pith_value_equal(pith_doc_root(doc), pith_doc_root(again)));
        pith_doc_free(again);
        pith_doc_free(doc);
        pith_buffer_free(&out);
    }
}

static const char sample[] =
    "{\"id\":7,\"tags\":[\"a\",[],{}],\"o\":{\"x\":null,\"y\":true},"
    "\"f\":false,\"\":1.5,\"s\":\"t\\u0000\"}";

static void walks(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json(sample);
    pith_value root = pith_doc_root(doc);
    assert_int_equal(pith_value_kind(root), PITH_OBJECT);
    assert_int_equal(pith_value_count(root), 6);
    assert_true(is_none(pith_value_next(root)));
    assert_int_equal(pith_value_key(root).len, 0);

    static const char *const keys[] = {"id", "tags", "o", "f", "", "s"};
    static const pith_kind kinds[] = {PITH_INTEGER, PITH_ARRAY,   PITH_OBJECT,
                                      PITH_FALSE,   PITH_DECIMAL, PITH_STRING};
    size_t seen = 0;
    for (pith_value v = pith_value_first(root); v.doc; v = pith_value_next(v)) {
        assert_true(is_text(pith_value_key(v), keys[seen]));
        assert_int_equal(pith_value_kind(v), kinds[seen]);
        assert_true(pith_value_equal(pith_value_at(root, seen), v));
        assert_true(is_text(pith_value_key(pith_value_at(root, seen)), keys[seen]));
        assert_true(
            pith_value_equal(pith_value_get(root, keys[seen], strlen(keys[seen])), v));
        seen++;
    }
    assert_int_equal(seen, 6);
    assert_true(is_none(pith_value_at(root, 6)));
    assert_true(is_none(pith_value_at(root, SIZE_MAX)));

    pith_value tags = pith_value_get(root, LIT("tags"));
    assert_int_equal(pith_value_count(tags), 3);
    pith_value first = pith_value_first(tags);
    assert_true(is_text(pith_value_text(first), "a"));
    assert_int_equal(pith_value_key(first).len, 0);
    assert_true(is_none(pith_value_first(first)));
    pith_value empty = pith_value_next(first);
    assert_int_equal(pith_value_kind(empty), PITH_ARRAY);
    assert_int_equal(pith_value_count(empty), 0);
    assert_true(is_none(pith_value_first(empty)));
    assert_true(is_none(pith_value_at(empty, 0)));
    pith_value object = pith_value_next(empty);
    assert_int_equal(pith_value_kind(object), PITH_OBJECT);
    assert_int_equal(pith_value_count(object), 0);
    assert_true(is_none(pith_value_next(object)));

    pith_value y = pith_value_get(pith_value_get(root, LIT("o")), LIT("y"));
    assert_true(pith_value_kind(y) == PITH_TRUE);

    pith_text text = pith_value_text(pith_value_get(root, LIT("s")));
    assert_int_equal(text.len, 2);
    assert_memory_equal(text.ptr, "t\0", 2);
    pith_doc_free(doc);
}

static void scalars_as_roots(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        pith_kind kind;
    } rows[] = {{"null", PITH_NULL},   {"true", PITH_TRUE},  {"false", PITH_FALSE},
                {"1", PITH_INTEGER},   {"-0", PITH_INTEGER}, {"1.0", PITH_DECIMAL},
                {"1e3", PITH_DECIMAL}, {"\"\"", PITH_STRING}};
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_doc *doc = must_parse_json(rows[i].text);
        pith_value root = pith_doc_root(doc);
        assert_int_equal(pith_value_kind(root), rows[i].kind);
        assert_int_equal(pith_value_count(root), 0);
        assert_true(is_none(pith_value_first(root)));
        assert_true(is_none(pith_value_next(root)));
        assert_true(is_none(pith_value_at(root, 0)));
        assert_true(is_none(pith_value_get(root, LIT("a"))));
        assert_int_equal(pith_value_kind(root) == PITH_TRUE, rows[i].kind == PITH_TRUE);
        pith_doc_free(doc);
    }
}

static void looks_up(void **state)
{
    (void)state;
    pith_doc *doc =
        must_parse_json("{\"a\":1,\"ab\":2,\"\":3,\"b\\u0000c\":4,\"\\u00e9\":5}");
    pith_value root = pith_doc_root(doc);
    int64_t number = 0;
    static const struct {
        const char *key;
        size_t len;
        int64_t value; /* 0: no such member */
    } rows[] = {
        {LIT("a"), 1},        {LIT("ab"), 2},  {LIT(""), 3},  {LIT("b\0c"), 4},
        {LIT("\xc3\xa9"), 5}, {LIT("b"), 0},   {LIT("A"), 0}, {LIT("abc"), 0},
        {LIT("b\0"), 0},      {LIT("a\0"), 0},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_value found = pith_value_get(root, rows[i].key, rows[i].len);
        number = 0;
        pith_value_int64(found, &number);
        assert_int_equal(number, rows[i].value);
        assert_int_equal(is_none(found), rows[i].value == 0);
    }
    assert_true(is_none(pith_value_get(root, LIT("b"))));
    assert_true(is_none(pith_value_get(pith_value_first(root), LIT("a"))));
    pith_doc_free(doc);

    /* keys are no elements, and a value equal to a key is no key */
    doc = must_parse_json("[\"a\",{\"b\":\"a\",\"c\":\"b\"}]");
    assert_true(is_none(pith_value_get(pith_doc_root(doc), LIT("a"))));
    pith_value object = pith_value_at(pith_doc_root(doc), 1);
    assert_true(is_none(pith_value_get(object, LIT("a"))));
    assert_true(is_text(pith_value_text(pith_value_get(object, LIT("b"))), "a"));
    pith_doc_free(doc);
}

/* Everything that takes a value takes "no value" too. */
static void no_value(void **state)
{
    (void)state;
    pith_value none = {0};
    int64_t i = 11;
    uint64_t u = 12;
    double d = 13;
    assert_int_equal(pith_value_kind(none), PITH_NONE);
    assert_int_equal(pith_value_count(none), 0);
    assert_true(is_none(pith_value_first(none)));
    assert_true(is_none(pith_value_next(none)));
    assert_int_equal(pith_value_key(none).len, 0);
    assert_true(is_none(pith_value_get(none, LIT("a"))));
    assert_true(is_none(pith_value_get(none, "a", 1)));
    assert_true(is_none(pith_value_at(none, 0)));
    assert_int_equal(pith_value_text(none).len, 0);
    assert_false(pith_value_kind(none) == PITH_TRUE);
    assert_false(pith_value_int64(none, &i));
    assert_false(pith_value_uint64(none, &u));
    assert_false(pith_value_double(none, &d));
    assert_true(i == 11 && u == 12 && d == 13);

    pith_doc *doc = must_parse_json("[]");
    assert_false(pith_value_equal(none, pith_doc_root(doc)));
    assert_false(pith_value_equal(pith_doc_root(doc), none));
    pith_doc_free(doc);

    pith_doc_free(NULL);
    pith_reader_free(NULL);
    pith_rows_abandon(NULL);
}

/* ---------------------------------------------------------------------- numbers */

static void integers(void **state)
{
    (void)state;
    static const struct {
        const char *digits;
        bool fits_int64;
        int64_t as_int64;
        bool fits_uint64;
        uint64_t as_uint64;
    } rows[] = {
        {"0", true, 0, true, 0},
        {"-0", true, 0, true, 0},
        {"1", true, 1, true, 1},
        {"-1", true, -1, false, 0},
        {"9223372036854775806", true, INT64_MAX - 1, true, INT64_MAX - 1},
        {"9223372036854775807", true, INT64_MAX, true, INT64_MAX},
        {"9223372036854775808", false, 0, true, (uint64_t)INT64_MAX + 1},
        {"-9223372036854775807", true, -INT64_MAX, false, 0},
        {"-9223372036854775808", true, INT64_MIN, false, 0},
        {"-9223372036854775809", false, 0, false, 0},
        {"18446744073709551614", false, 0, true, UINT64_MAX - 1},
        {"18446744073709551615", false, 0, true, UINT64_MAX},
        {"18446744073709551616", false, 0, false, 0},
        {"18446744073709551620", false, 0, false, 0},
        {"99999999999999999999", false, 0, false, 0},
        {"100000000000000000000", false, 0, false, 0},
        {"-100000000000000000000", false, 0, false, 0},
        {"340282366920938463463374607431768211456", false, 0, false, 0},
        /* decimals are no integers, whatever their size */
        {"1.0", false, 0, false, 0},
        {"1e3", false, 0, false, 0},
        {"0.0", false, 0, false, 0},
        {"-0e0", false, 0, false, 0},
        /* nor is anything else */
        {"\"1\"", false, 0, false, 0},
        {"true", false, 0, false, 0},
        {"null", false, 0, false, 0},
        {"[1]", false, 0, false, 0},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_doc *doc = must_parse_json(rows[i].digits);
        pith_value root = pith_doc_root(doc);
        int64_t number = 42;
        uint64_t whole = 42;
        bool right = pith_value_int64(root, &number) == rows[i].fits_int64 &&
                     number == (rows[i].fits_int64 ? rows[i].as_int64 : 42) &&
                     pith_value_uint64(root, &whole) == rows[i].fits_uint64 &&
                     whole == (rows[i].fits_uint64 ? rows[i].as_uint64 : 42);
        if (!right)
            fprintf(stderr, "%s: not the integer it is\n", rows[i].digits);
        failures += !right;
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

static void doubles(void **state)
{
    (void)state;
    static const struct {
        const char *digits;
        double value;
    } rows[] = {
        {"0", 0},
        {"1", 1},
        {"-1", -1},
        {"0.1", 0.1},
        {"1e3", 1000},
        {"123456789", 123456789},
        {"9007199254740993", 9007199254740992.0},
        {"9007199254740995", 9007199254740996.0},
        {"18446744073709551616", 18446744073709551616.0},
        {"1.7976931348623157e308", DBL_MAX},
        {"1.7976931348623159e308", HUGE_VAL},
        {"1e309", HUGE_VAL},
        {"-1e309", -HUGE_VAL},
        {"1e999999999999999999999", HUGE_VAL},
        {"2.2250738585072014e-308", DBL_MIN},
        {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
        {"4.9406564584124654e-324", 0x1p-1074},
        {"2.4703282292062327e-324", 0},
        {"2.4703282292062329e-324", 0x1p-1074},
        {"1e-999999999999999999999", 0},
        {"0e999999999999999999999", 0},
        {"0.000000000000000000000000000001e30", 1},
        {"1000000000000000000000000000000e-30", 1},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_doc *doc = must_parse_json(rows[i].digits);
        double value = 42;
        bool right =
            pith_value_double(pith_doc_root(doc), &value) && value == rows[i].value;
        if (!right)
            fprintf(stderr, "%s: read as %a\n", rows[i].digits, value);
        failures += !right;
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);

    /* the sign of zero is kept */
    pith_doc *doc = must_parse_json("[-0,-0.0,-1e-400,0.0]");
    double zero;
    for (size_t i = 0; i < 4; i++) {
        assert_true(pith_value_double(pith_value_at(pith_doc_root(doc), i), &zero));
        assert_true(zero == 0 && (signbit(zero) != 0) == (i < 3));
    }
    pith_doc_free(doc);

    /* what is no number leaves the double alone */
    static const char *const others[] = {"null", "true", "\"1\"", "[]", "{}"};
    for (size_t i = 0; i < ROWS(others); i++) {
        doc = must_parse_json(others[i]);
        double value = 42;
        assert_false(pith_value_double(pith_doc_root(doc), &value));
        assert_true(value == 42);
        pith_doc_free(doc);
    }
}

static void texts(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("[1.50,-0,\"a\\nb\",true,null,[],{},\"\"]");
    static const char *const expected[] = {"1.50", "-0", "a\nb", "", "", "", "", ""};
    size_t i = 0;
    for (pith_value v = pith_value_first(pith_doc_root(doc)); v.doc;
         v = pith_value_next(v)) {
        assert_true(is_text(pith_value_text(v), expected[i]));
        i++;
    }
    assert_int_equal(i, ROWS(expected));
    pith_doc_free(doc);
}

/* --------------------------------------------------------------------- equality */

static void equality(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool equal;
    } rows[] = {
        {"[]", "[ ]", true},
        {"[1,{\"a\":[true,null]}]", " [1, {\"a\" : [true, null]}] ", true},
        {"\"\\u0061\"", "\"a\"", true},
        {"{\"\\u0061\":1}", "{\"a\":1}", true},
        {"[]", "{}", false},
        {"null", "false", false},
        {"1", "\"1\"", false},
        {"1", "2", false},
        {"1", "1.0", false},
        {"1.0", "1.00", false},
        {"1e1", "1E1", false},
        {"0", "-0", false},
        {"\"a\"", "\"b\"", false},
        {"\"a\"", "\"aa\"", false},
        {"\"a\"", "\"a\\u0000\"", false},
        {"[1]", "[1,2]", false},
        {"[1,2]", "[1]", false},
        {"[[1],2]", "[[1,2]]", false},
        {"[[],[]]", "[[[]]]", false},
        {"{\"a\":1}", "{\"b\":1}", false},
        {"{\"a\":1}", "{\"a\":2}", false},
        {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", false},
        {"{\"a\":1,\"b\":2}", "{\"a\":1}", false},
        {"{\"a\":{}}", "{\"a\":[]}", false},
        {"[\"a\",\"b\"]", "{\"a\":\"b\"}", false},
        {"[\"ab\",\"c\"]", "[\"a\",\"bc\"]", false},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_doc *a = must_parse_json(rows[i].a);
        pith_doc *b = must_parse_json(rows[i].b);
        pith_value x = pith_doc_root(a), y = pith_doc_root(b);
        bool right = pith_value_equal(x, y) == rows[i].equal &&
                     pith_value_equal(y, x) == rows[i].equal && pith_value_equal(x, x) &&
                     pith_value_equal(y, y);
        if (!right)
            fprintf(stderr, "%s and %s\n", rows[i].a, rows[i].b);
        failures += !right;
        pith_doc_free(a);
        pith_doc_free(b);
    }
    assert_int_equal(failures, 0);

    /* parts of one document, at different depths and under different keys */
    pith_doc *doc =
        must_parse_json("{\"a\":[1,{\"k\":2}],\"b\":{\"c\":[1,{\"k\":2}]},\"d\":[1]}");
    pith_value root = pith_doc_root(doc);
    pith_value a = pith_value_get(root, LIT("a"));
    pith_value c = pith_value_get(pith_value_get(root, LIT("b")), LIT("c"));
    assert_true(pith_value_equal(a, c));
    assert_false(pith_value_equal(a, pith_value_get(root, LIT("d"))));
    assert_false(pith_value_equal(a, root));
    pith_doc_free(doc);
}

/* --------------------------------------------------------------------- building */

static void builds_everything(void **state)
{
    (void)state;
    pith_doc *source =
        must_parse_json("{\"deep\":[[{\"x\":1.50}],\"\\u0000\"],\"n\":null}");
    pith_doc *doc = pith_doc_new(NULL);
    assert_non_null(doc);
    pith_doc_open_object(doc);
    pith_doc_add_key(doc, "null", 4);
    pith_doc_add_null(doc);
    pith_doc_add_key(doc, "bools", 5);
    pith_doc_open_array(doc);
    pith_doc_add_bool(doc, true);
    pith_doc_add_bool(doc, false);
    pith_doc_close(doc);
    pith_doc_add_key(doc, "ints", 4);
    pith_doc_open_array(doc);
    pith_doc_add_int64(doc, 0);
    pith_doc_add_int64(doc, -1);
    pith_doc_add_int64(doc, INT64_MIN);
    pith_doc_add_int64(doc, INT64_MAX);
    pith_doc_add_uint64(doc, 0);
    pith_doc_add_uint64(doc, UINT64_MAX);
    pith_doc_close(doc);
    pith_doc_add_key(doc, "doubles", 7);
    pith_doc_open_array(doc);
    pith_doc_add_double(doc, 0.1);
    pith_doc_add_double(doc, -2.5);
    pith_doc_close(doc);
    pith_doc_add_key(doc, "digits", 6);
    pith_doc_add_number(doc, LIT("-1.50E+007"));
    pith_doc_add_key(doc, "text", 4);
    pith_doc_add_text(doc, LIT("a\0\"\xc3\xa9"));
    pith_doc_add_key(doc, "", 0);
    pith_doc_add_text(doc, "", 0);
    pith_doc_add_key(doc, LIT("\0"));
    pith_doc_open_object(doc);
    pith_doc_close(doc);
    pith_doc_add_key(doc, "copy", 4);
    pith_doc_add_value(doc, pith_doc_root(source));
    pith_doc_add_key(doc, "part", 4);
    pith_doc_add_value(doc, pith_value_get(pith_doc_root(source), LIT("deep")));
    pith_doc_add_key(doc, "scalar", 6);
    pith_doc_add_value(doc, pith_value_get(pith_doc_root(source), LIT("n")));
    pith_doc_close(doc);
    assert_true(is_none(pith_doc_root(doc)) || pith_doc_root(doc).doc == doc);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    pith_doc_free(source); /* what was added is a copy */

    static const char expected[] =
        "{\"null\":null,\"bools\":[true,false],"
        "\"ints\":[0,-1,-9223372036854775808,9223372036854775807,0,18446744073709551615],"
        "\"doubles\":[0.1,-2.5],\"digits\":-1.50E+007,\"text\":\"a\\u0000\\\"\xc3\xa9\","
        "\"\":\"\",\"\\u0000\":{},"
        "\"copy\":{\"deep\":[[{\"x\":1.50}],\"\\u0000\"],\"n\":null},"
        "\"part\":[[{\"x\":1.50}],\"\\u0000\"],\"scalar\":null}";
    must_hold_json(doc, expected);

    /* what was built is what the same text reads as */
    pith_doc *read = must_parse_json(expected);
    pith_value built = pith_doc_root(doc);
    assert_true(pith_value_equal(built, pith_doc_root(read)));
    assert_int_equal(pith_value_count(built), 11);
    pith_doc_free(read);
    pith_doc_free(doc);
}

/* The shortest digits, and they read back as the same double. */
static void builds_doubles(void **state)
{
    (void)state;
    static const double values[] = {
        0.0,        1.0,    -1.0,    0.5,       100.0,
        1e21,       1e22,   1e-7,    123456.75, DBL_MAX,
        DBL_MIN,    5e-324, -1e-300, 1.0 / 3.0, 9007199254740993.0,
        DBL_MAX / 4};
    for (size_t i = 0; i < ROWS(values); i++) {
        pith_doc *doc = pith_doc_new(NULL);
        assert_non_null(doc);
        pith_doc_add_double(doc, values[i]);
        assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
        pith_buffer out = must_write(pith_doc_root(doc), "json", NULL);
        pith_doc *back = must_parse("json", out.data, out.len, NULL);
        double value = 42;
        assert_true(pith_value_double(pith_doc_root(back), &value));
        assert_true(value == values[i]);
        assert_true(strtod(out.data, NULL) == values[i]);
        assert_true(out.len <= 25);
        pith_doc_free(back);
        pith_buffer_free(&out);
        pith_doc_free(doc);
    }
}

/* What is passed in is copied at once. */
static void building_copies(void **state)
{
    (void)state;
    char key[] = "key", text[] = "a text that is long enough to tempt",
         digits[] = "123.456";
    pith_doc *doc = pith_doc_new(NULL);
    assert_non_null(doc);
    pith_doc_open_object(doc);
    pith_doc_add_key(doc, key, 3);
    pith_doc_open_array(doc);
    pith_doc_add_text(doc, text, strlen(text));
    pith_doc_add_number(doc, digits, strlen(digits));
    memset(key, '#', 3);
    memset(text, '#', strlen(text));
    memset(digits, '#', strlen(digits));
    pith_doc_close(doc);
    pith_doc_close(doc);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    must_hold_json(doc, "{\"key\":[\"a text that is long enough to tempt\",123.456]}");
    pith_doc_free(doc);
}

/* One letter is one call. */
static void perform(pith_doc *doc, const char *script)
{
    pith_value none = {0};
    for (const char *at = script; *at; at++) {
        switch (*at) {
        case '[':
            pith_doc_open_array(doc);
            break;
        case '{':
            pith_doc_open_object(doc);
            break;
        case ')':
            pith_doc_close(doc);
            break;
        case 'k':
            pith_doc_add_key(doc, "k", 1);
            break;
        case 'l':
            pith_doc_add_key(doc, "l", 1);
            break;
        case '1':
            pith_doc_add_int64(doc, 1);
            break;
        case 'n':
            pith_doc_add_null(doc);
            break;
        case 's':
            pith_doc_add_text(doc, "s", 1);
            break;
        case 'N':
            pith_doc_add_double(doc, NAN);
            break;
        case 'I':
            pith_doc_add_double(doc, -HUGE_VAL);
            break;
        case 'U':
            pith_doc_add_text(doc, "a\xff", 2);
            break;
        case 'K':
            pith_doc_add_key(doc, "\xc3", 1);
            break;
        case 'v':
            pith_doc_add_value(doc, none);
            break;
        case '#':
            pith_doc_add_number(doc, "01", 2);
            break;
        case 'f':
            pith_doc_finish(doc, NULL);
            break;
        default:
            fail_msg("no call %c", *at);
        }
    }
}

static void misuse(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        pith_status status;
        const char *code; /* NULL: any word */
    } rows[] = {
        /* nothing, or not all */
        {"", PITH_BAD_USE, NULL},
        {"[", PITH_BAD_USE, NULL},
        {"{", PITH_BAD_USE, NULL},
        {"[[)", PITH_BAD_USE, NULL},
        {"{k", PITH_BAD_USE, NULL},
        {"{k[)", PITH_BAD_USE, NULL},
        /* too much */
        {"11", PITH_BAD_USE, NULL},
        {"[)[", PITH_BAD_USE, NULL},
        {"[)1", PITH_BAD_USE, NULL},
        {"[)k", PITH_BAD_USE, NULL},
        {"[))", PITH_BAD_USE, NULL},
        {"1)", PITH_BAD_USE, NULL},
        {")", PITH_BAD_USE, NULL},
        {"1f1", PITH_BAD_USE, NULL},
        {"[)f[", PITH_BAD_USE, NULL},
        {"[)f)", PITH_BAD_USE, NULL},
        /* keys */
        {"k", PITH_BAD_USE, NULL},
        {"[k", PITH_BAD_USE, NULL},
        {"[k1)", PITH_BAD_USE, NULL},
        {"{1", PITH_BAD_USE, NULL},
        {"{[)", PITH_BAD_USE, NULL},
        {"{{)", PITH_BAD_USE, NULL},
        {"{s)", PITH_BAD_USE, NULL},
        {"{kl1)", PITH_BAD_USE, NULL},
        {"{kk1)", PITH_BAD_USE, NULL},
        {"{k)", PITH_BAD_USE, NULL},
        {"{k1n)", PITH_BAD_USE, NULL},
        {"{k1l)", PITH_BAD_USE, NULL},
        {"{k1k1)", PITH_BAD_INPUT, "duplicate_key"},
        {"{k1l1k1)", PITH_BAD_INPUT, "duplicate_key"},
        {"[{k{k1)l1k1))", PITH_BAD_INPUT, "duplicate_key"},
        /* no value */
        {"v", PITH_BAD_USE, NULL},
        {"[v)", PITH_BAD_USE, NULL},
        /* values that are none */
        {"[N)", PITH_BAD_INPUT, "not_finite"},
        {"I", PITH_BAD_INPUT, "not_finite"},
        {"[#)", PITH_BAD_INPUT, "invalid_number"},
        {"U", PITH_BAD_INPUT, "invalid_utf8"},
        {"{K1)", PITH_BAD_INPUT, "invalid_utf8"},
        /* the first failure is the one that is told */
        {"[U#N)))1", PITH_BAD_INPUT, "invalid_utf8"},
        {"[NU)", PITH_BAD_INPUT, "not_finite"},
        {"{k1k1k1l1)U", PITH_BAD_INPUT, "duplicate_key"},
        {"))U", PITH_BAD_USE, NULL},
    };
    size_t failures = 0;
    pith_doc *doc = pith_doc_new(NULL);
    assert_non_null(doc);
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_error err = {0};
        pith_doc_reset(doc);
        perform(doc, rows[i].script);
        pith_status status = pith_doc_finish(doc, &err);
        /* what was finished ('f') before the misuse may stay readable */
        bool right = status == rows[i].status && err.status == status && err.code &&
                     strlen(err.message) > 8 && err.line == 0 && err.column == 0 &&
                     (!rows[i].code || strcmp(rows[i].code, err.code) == 0) &&
                     (is_none(pith_doc_root(doc)) || strchr(rows[i].script, 'f'));
        /* it sticks, and without an error to fill it is the same */
        if (pith_doc_finish(doc, NULL) != status)
            right = false;
        if (!right) {
            fprintf(stderr, "\"%s\": %s [%s] %s\n", rows[i].script,
                    pith_status_name(status), err.code ? err.code : "", err.message);
        }
        failures += !right;
    }
    /* and after a reset nothing is left of it */
    pith_doc_reset(doc);
    perform(doc, "{k[1s)l{k1))");
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    must_hold_json(doc, "{\"k\":[1,\"s\"],\"l\":{\"k\":1}}");
    pith_doc_free(doc);
    assert_int_equal(failures, 0);
}

static void bad_digits(void **state)
{
    (void)state;
    static const struct {
        const char *digits;
        size_t len;
    } rows[] = {{LIT("")},    {LIT("-")},   {LIT("+1")},   {LIT("01")},
                {LIT("1.")},  {LIT(".1")},  {LIT("1e")},   {LIT("1e+")},
                {LIT("1 ")},  {LIT(" 1")},  {LIT("1\0")},  {LIT("0x1")},
                {LIT("NaN")}, {LIT("1,5")}, {LIT("1_0")},  {LIT("1.5.2")},
                {LIT("--1")}, {LIT("\"")},  {LIT("true")}, {LIT("1e1.0")}};
    pith_doc *doc = pith_doc_new(NULL);
    assert_non_null(doc);
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_doc_reset(doc);
        pith_doc_add_number(doc, rows[i].digits, rows[i].len);
        pith_error err = {0};
        assert_int_equal(pith_doc_finish(doc, &err), PITH_BAD_INPUT);
        assert_string_equal(err.code, "invalid_number");
    }
    pith_doc_free(doc);
}

static void building_is_limited_in_depth(void **state)
{
    (void)state;
    static const size_t limits[] = {0, 1, 3, 1000};
    for (size_t i = 0; i < ROWS(limits); i++) {
        pith_options options = {0};
        options.depth_max = limits[i];
        size_t limit = limits[i] ? limits[i] : PITH_DEPTH_DEFAULT;
        pith_doc *doc = pith_doc_new(&options);
        assert_non_null(doc);
        for (size_t k = 0; k < limit; k++)
            pith_doc_open_array(doc);
        for (size_t k = 0; k < limit; k++)
            pith_doc_close(doc);
        assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);

        /* a copied value counts where it is put */
        pith_doc *outer = pith_doc_new(&options);
        assert_non_null(outer);
        pith_doc_add_value(outer, pith_doc_root(doc));
        assert_int_equal(pith_doc_finish(outer, NULL), PITH_OK);
        pith_doc_reset(outer);
        pith_error err = {0};
        pith_doc_open_array(outer);
        pith_doc_add_value(outer, pith_doc_root(doc));
        pith_doc_close(outer);
        assert_int_equal(pith_doc_finish(outer, &err), PITH_LIMIT);
        assert_string_equal(err.code, "depth_limit");
        pith_doc_free(outer);

        pith_doc_reset(doc);
        for (size_t k = 0; k <= limit; k++)
            pith_doc_open_array(doc);
        for (size_t k = 0; k <= limit; k++)
            pith_doc_close(doc);
        assert_int_equal(pith_doc_finish(doc, &err), PITH_LIMIT);
        assert_string_equal(err.code, "depth_limit");
        pith_doc_free(doc);
    }
}

/* Many keys, so that duplicates are looked for in every way the builder has. */
static void builds_wide_objects(void **state)
{
    (void)state;
    for (size_t count = 1; count <= 1200; count = count * 2 + 1) {
        for (int twice = 0; twice < 2; twice++) {
            pith_doc *doc = pith_doc_new(NULL);
            assert_non_null(doc);
            pith_doc_open_object(doc);
            for (size_t i = 0; i < count; i++) {
                char key[32];
                int len = snprintf(key, sizeof key, "key %zu", i);
                pith_doc_add_key(doc, key, (size_t)len);
                pith_doc_add_uint64(doc, i);
            }
            if (twice) {
                char key[32];
                int len = snprintf(key, sizeof key, "key %zu", count / 2);
                pith_doc_add_key(doc, key, (size_t)len);
                pith_doc_add_null(doc);
            }
            pith_doc_close(doc);
            pith_error err = {0};
            pith_status status = pith_doc_finish(doc, &err);
            assert_int_equal(status, twice ? PITH_BAD_INPUT : PITH_OK);
            if (twice)
                assert_string_equal(err.code, "duplicate_key");
            if (!twice)
                assert_int_equal(pith_value_count(pith_doc_root(doc)), count);
            pith_doc_free(doc);
        }
    }
}

/* A document's own values cannot be added to it: it is unfinished while it is built. */
static void adding_from_itself(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("[1,[2]]");
    pith_value own = pith_doc_root(doc);
    pith_error err = {0};
    pith_doc_add_value(doc, own);
    assert_int_equal(pith_doc_finish(doc, &err), PITH_BAD_USE);
    pith_doc_free(doc);

    doc = pith_doc_new(NULL);
    assert_non_null(doc);
    pith_doc_open_array(doc);
    pith_doc_open_array(doc);
    pith_doc_close(doc);
    pith_value early = pith_doc_root(doc);
    assert_true(is_none(early)); /* not while it is unfinished */
    pith_doc_add_value(doc, early);
    pith_doc_close(doc);
    assert_int_equal(pith_doc_finish(doc, &err), PITH_BAD_USE);
    pith_doc_free(doc);
}

/* -------------------------------------------------------------- reading and reuse */

static void reads_again_and_again(void **state)
{
    (void)state;
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    pith_doc *doc = pith_doc_new(&options);
    assert_non_null(doc);
    assert_true(is_none(pith_doc_root(doc)));

    static const char big[] =
        "[{\"a\":\"\\n\",\"b\":[1,2,3]},{\"a\":\"\\t\",\"b\":[4,5,6]}]";
    size_t settled = 0;
    for (int round = 0; round < 50; round++) {
        assert_int_equal(pith_doc_read(doc, "json", LIT(big), &options, NULL), PITH_OK);
        must_hold_json(doc, big);
        /* a failure leaves it empty, and it can be used again */
        pith_error err = {0};
        assert_int_equal(pith_doc_read(doc, "json", LIT("[1,2"), &options, &err),
                         PITH_BAD_INPUT);
        assert_string_equal(err.code, "unclosed");
        assert_true(is_none(pith_doc_root(doc)));
        pith_doc_reset(doc);
        assert_true(is_none(pith_doc_root(doc)));
        perform(doc, "[{k1)s)");
        assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
        must_hold_json(doc, "[{\"k\":1},\"s\"]");
        if (round == 2)
            settled = counts.live_bytes;
        if (round > 2)
            assert_int_equal(counts.live_bytes, settled); /* memory is kept */
    }
    pith_doc_free(doc);
    assert_true(meter_clean(&counts));
}

/* A document that has seen many keys forgets them, and goes on as small as it was. */
static void forgets_keys_it_met_once(void **state)
{
    (void)state;
    static const char *const formats[] = {"json", "pith", "gcf", "toon"};
    enum { TEXTS = 30000 };
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    pith_doc *doc = pith_doc_new(&options);
    pith_buffer out = {0};
    for (int i = 0; i < TEXTS; i++) {
        const char *format = formats[(size_t)i % ROWS(formats)];
        char json[64];
        snprintf(json, sizeof json, "[{\"a%d\":1,\"b\":%d},{\"a%d\":2,\"b\":3}]", i, i,
                 i);
        assert_int_equal(pith_doc_read(doc, "json", json, strlen(json), NULL, NULL),
                         PITH_OK);
        out.len = 0;
        assert_int_equal(pith_value_write(pith_doc_root(doc), format, NULL,
                                          pith_sink_buffer(&out), NULL),
                         PITH_OK);
        assert_int_equal(pith_doc_read(doc, format, out.data, out.len, NULL, NULL),
                         PITH_OK);
        must_hold_json(doc, json);
    }
    assert_true(counts.peak_bytes < 2 * 1024 * 1024);
    pith_buffer_free(&out);
    pith_doc_free(doc);
    assert_true(meter_clean(&counts));
}

/* The depth limit is the options' of the call; settings too. */
static void reads_with_other_options(void **state)
{
    (void)state;
    pith_doc *doc = pith_doc_new(NULL);
    assert_non_null(doc);
    pith_options options = {0};
    options.depth_max = 2;
    assert_int_equal(pith_doc_read(doc, "json", LIT("[[[]]]"), &options, NULL),
                     PITH_LIMIT);
    assert_int_equal(pith_doc_read(doc, "json", LIT("[[[]]]"), NULL, NULL), PITH_OK);
    options = with_settings("duplicates=last", NULL);
    assert_int_equal(pith_doc_read(doc, "json", LIT("{\"a\":1,\"a\":2}"), &options, NULL),
                     PITH_OK);
    must_hold_json(doc, "{\"a\":2}");
    assert_int_equal(pith_doc_read(doc, "json", LIT("{\"a\":1,\"a\":2}"), NULL, NULL),
                     PITH_BAD_INPUT);
    pith_doc_free(doc);
}

/* Text without escapes stays in the caller's memory. */
static void text_is_borrowed(void **state)
{
    (void)state;
    static const char text[] = "{\"key\":\"a long text without any escape in it\"}";
    pith_doc *doc = must_parse("json", LIT(text), NULL);
    pith_text found = pith_value_text(pith_value_get(pith_doc_root(doc), LIT("key")));
    assert_true(found.ptr >= text && found.ptr + found.len <= text + sizeof text);
    pith_doc_free(doc);
}

static void null_errors(void **state)
{
    (void)state;
    assert_null(pith_doc_parse("json", LIT("["), NULL, NULL));
    assert_null(pith_doc_parse("jsn", LIT("[]"), NULL, NULL));
    pith_options options = with_settings("no=1", NULL);
    assert_null(pith_doc_parse("json", LIT("[]"), &options, NULL));
    pith_buffer out = {0};
    assert_int_equal(
        pith_convert("json", "json", LIT("["), NULL, pith_sink_buffer(&out), NULL),
        PITH_BAD_INPUT);
    pith_buffer_free(&out);
}

/* An error record is written on failure only. */
static void errors_stay_untouched_on_success(void **state)
{
    (void)state;
    pith_error err;
    memset(&err, 0x5a, sizeof err);
    pith_error before = err;
    pith_doc *doc = pith_doc_parse("json", LIT("[1]"), NULL, &err);
    assert_non_null(doc);
    pith_buffer out = {0};
    assert_int_equal(
        pith_value_write(pith_doc_root(doc), "json", NULL, pith_sink_buffer(&out), &err),
        PITH_OK);
    assert_int_equal(pith_check("json", LIT("[1]"), NULL, NULL, NULL, &err), PITH_OK);
    assert_memory_equal(&err, &before, sizeof err);
    pith_buffer_free(&out);
    pith_doc_free(doc);
}

static void names_and_versions(void **state)
{
    (void)state;
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", PITH_VERSION_MAJOR,
             PITH_VERSION_MINOR, PITH_VERSION_PATCH);
    assert_string_equal(PITH_VERSION_TEXT, expected);
    assert_string_equal(pith_version(), PITH_VERSION_TEXT);
#define CHECK_NAME(name, word, sentence)                                                 \
    assert_string_equal(pith_status_name(name), word);
    PITH_STATUS_LIST(CHECK_NAME)
#undef CHECK_NAME
    assert_string_equal(pith_status_name((pith_status)99), "unknown");
    assert_string_equal(pith_status_name((pith_status)-1), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_that_differ_in_one_place),
        cmocka_unit_test(walks),
        cmocka_unit_test(scalars_as_roots),
        cmocka_unit_test(looks_up),
        cmocka_unit_test(no_value),
        cmocka_unit_test(integers),
        cmocka_unit_test(doubles),
        cmocka_unit_test(texts),
        cmocka_unit_test(equality),
        cmocka_unit_test(builds_everything),
        cmocka_unit_test(builds_doubles),
        cmocka_unit_test(building_copies),
        cmocka_unit_test(misuse),
        cmocka_unit_test(bad_digits),
        cmocka_unit_test(building_is_limited_in_depth),
        cmocka_unit_test(builds_wide_objects),
        cmocka_unit_test(adding_from_itself),
        cmocka_unit_test(reads_again_and_again),
        cmocka_unit_test(forgets_keys_it_met_once),
        cmocka_unit_test(reads_with_other_options),
        cmocka_unit_test(text_is_borrowed),
        cmocka_unit_test(null_errors),
        cmocka_unit_test(errors_stay_untouched_on_success),
        cmocka_unit_test(names_and_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
