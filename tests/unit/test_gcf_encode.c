/*
 * test_gcf_encode.c - what is written as GCF, where it takes code to show: the quoting rules
 * against a plain model of them, numbers against the C library, rows that leave one by one,
 * sizes, and that everything written reads back as what it was. The rules, for both levels,
 * are in tests/vectors/gcf.
 */
#define _POSIX_C_SOURCE 200809L

#include "compare.h"
#include "meter.h"
#include "random.h"
#include "testing.h"
#include "named.h"

typedef struct vector {
    const char *settings;
    const char *json;
    const char *gcf; /* without the first line */
} vector;

#define FIRST_LINE "GCF profile=generic\n"

static pith_status write_as(const char *settings, const char *json, size_t len,
                            pith_buffer *out, pith_error *err)
{
    pith_options options = with_settings(NULL, settings);
    options.depth_max = PITH_DEPTH_MOST;
    return pith_convert("json", "gcf", json, len, &options, pith_sink_buffer(out), err);
}

static bool run_vector(const vector *v)
{
    char expected[4096];
    pith_buffer out = {0};
    pith_error err;
    pith_status status = write_as(v->settings, v->json, strlen(v->json), &out, &err);
    int len = snprintf(expected, sizeof expected, FIRST_LINE "%s", v->gcf);
    bool right = status == PITH_OK &&
                 same_bytes(v->json, out.data, out.len, expected, (size_t)len);
    if (status != PITH_OK)
        fprintf(stderr, "    %s (%s): %s\n", v->json, v->settings, err.message);
    pith_buffer_free(&out);
    return right;
}

/* ------------------------------------------------------------------------- forms */

static void writes_the_first_line(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("[1]");
    pith_value root = pith_doc_root(doc);
    must_write_as(root, "gcf", "tool=grep", "GCF profile=generic tool=grep\n## [1]: 1\n");
    must_write_as(root, "gcf", "tokens=12", "GCF profile=generic tokens=12\n## [1]: 1\n");
    must_write_as(root, "gcf", "tokens=exact",
                  "GCF profile=generic tokens=16\n## [1]: 1\n");
    must_write_as(root, "gcf", "tokens=7 tool=a=b",
                  "GCF profile=generic tool=a=b tokens=7\n## [1]: 1\n");
    pith_doc_free(doc);
}

/* -------------------------------------------------------------------------- numbers */

/* The shortest digits that read back, found by trying; laid out without an exponent. */
static void shortest(double number, char *to, size_t size)
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(to, size, "%.*g", digits, number);
        if (strtod(to, NULL) == number)
            break;
    }
}

/* Numbers as programs print them, and with too many digits. */
static void writes_random_numbers(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < OFTEN(20000); i++) {
        char lexeme[64];
        char expected[64];
        char gcf[80];
        double number = (double)(random_next(&seed) >> 11) / 4503599627370496.0;
        for (size_t tens = random_below(&seed, 8); tens > 0; tens--)
            number *= 10;
        int digits = 15 + (int)random_below(&seed, 6);
        snprintf(lexeme, sizeof lexeme, "%.*g", digits, number);
        if (number < 1e-4 || strchr(lexeme, 'e') || !strchr(lexeme, '.'))
            continue;
        shortest(strtod(lexeme, NULL), expected, sizeof expected);
        snprintf(gcf, sizeof gcf, "=%s\n", expected);
        vector v = {"", lexeme, gcf};
        assert_true(run_vector(&v));
    }
}

/* -------------------------------------------------------------------------- strings */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* JSON's grammar for numbers, one rule after the other. */
static bool is_number(const char *s)
{
    s += *s == '-';
    if (!is_digit(*s))
        return false;
    if (*s == '0')
        s++;
    else
        while (is_digit(*s))
            s++;
    if (*s == '.') {
        s++;
        if (!is_digit(*s))
            return false;
        while (is_digit(*s))
            s++;
    }
    if (*s == 'e' || *s == 'E') {
        s++;
        s += *s == '+' || *s == '-';
        if (!is_digit(*s))
            return false;
        while (is_digit(*s))
            s++;
    }
    return *s == '\0';
}

static bool has_count(const char *s)
{
    for (; *s; s++) {
        const char *close = *s == '[' ? strchr(s, ']') : NULL;
        if (close) {
            do {
                close++;
            } while (*close == ' ');
            if (*close == ':')
                return true;
        }
    }
    return false;
}

static bool has_any(const char *s, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(s, parts[i]))
            return true;
    return false;
}

/* Section 2.4, with the characters the notes on it list. */
static bool needs_quotes(const char *s)
{
    static const char *const spaces[] = {
        "\xC2\x80",     "\xC2\x85",     "\xC2\x9F",     "\xC2\xA0",     "\xE1\x9A\x80",
        "\xE2\x80\x80", "\xE2\x80\x8A", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF",
        "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF"};
    size_t len = strlen(s);
    if (len == 0 || strcmp(s, "-") == 0 || strcmp(s, "~") == 0 || strcmp(s, "^") == 0 ||
        strcmp(s, "true") == 0 || strcmp(s, "false") == 0 || is_number(s))
        return true;
    if ((s[0] == '^' && s[1] == '{' && s[len - 1] == '}') || strchr(" #@.", s[0]) ||
        s[len - 1] == ' ')
        return true;
    bool sign = s[0] == '+' || s[0] == '-';
    if ((sign && (is_digit(s[1]) || (s[1] == '.' && is_digit(s[2])))) ||
        (s[0] == '0' && is_digit(s[1])))
        return true;
    return strpbrk(s, "|,\"\\\n\t\x01") || has_count(s) ||
           has_any(s, spaces, ROWS(spaces));
}

/* Strings put together from pieces that matter, as values of a document that was built,
 * and so not in a text with anything around them. */
static void quotes_what_would_be_misread(void **state)
{
    (void)state;
    static const char *const pieces[] = {"-",
                                         "+",
                                         ".",
                                         "0",
                                         "1",
                                         "9",
                                         "e",
                                         "E5",
                                         "true",
                                         "false",
                                         "~",
                                         "^",
                                         "{",
                                         "}",
                                         "[",
                                         "]",
                                         ":",
                                         " ",
                                         "#",
                                         "@",
                                         "|",
                                         ",",
                                         "=",
                                         "\"",
                                         "\\",
                                         "\n",
                                         "a",
                                         "bc",
                                         "null",
                                         "\x7F",
                                         "\t",
                                         "\x01",
                                         "\xC3\xA9",
                                         "\xD9\xA5",
                                         "\xC2\xA0",
                                         "\xC2\x85",
                                         "\xC2\x80",
                                         "\xC2\xA1",
                                         "\xE2\x80\x8A",
                                         "\xE2\x80\x8B",
                                         "\xE2\x80\xA8",
                                         "\xE1\xA0\x8E",
                                         "\xE1\x9A\x80",
                                         "\xE2\x81\x9F",
                                         "\xE3\x80\x80",
                                         "\xE3\x80\x81",
                                         "\xEF\xBB\xBF",
                                         "\xF0\x9F\x98\x80",
                                         "some longer text of words",
                                         "[3]:",
                                         "[x] :"};
    uint64_t seed = 3;
    for (int i = 0; i < OFTEN(60000); i++) {
        char text[256] = "";
        for (size_t parts = random_below(&seed, 5); parts > 0; parts--)
            strcat(text, pieces[random_below(&seed, ROWS(pieces))]);
        pith_doc *doc = pith_doc_new(NULL);
        pith_doc_add_text(doc, text, strlen(text));
        assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
        pith_buffer out = must_write(pith_doc_root(doc), "gcf", NULL);
        size_t lead = strlen(FIRST_LINE "=");
        bool quoted = out.data[lead] == '"';
        if (quoted != needs_quotes(text)) {
            show_bytes("text", text, strlen(text));
            fail_msg("%s", quoted ? "quoted without need" : "not quoted");
        }
        if (!quoted) {
            assert_true(same_bytes("bare", out.data + lead, out.len - lead - 1, text,
                                   strlen(text)));
        }
        pith_doc *back = must_parse("gcf", out.data, out.len, NULL);
        assert_true(pith_value_equal(pith_doc_root(back), pith_doc_root(doc)));
        pith_doc_free(back);
        pith_buffer_free(&out);
        pith_doc_free(doc);
    }
}

/* ----------------------------------------------------------------------------- rows */

static void streams_rows(void **state)
{
    (void)state;
    static const char *const columns[] = {"id", "a,b", "c"};
    pith_buffer out = {0};
    pith_rows *rows =
        rows_open_named("gcf", columns, 3, NULL, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    pith_doc_add_int64(pith_rows_row(rows), 1);
    pith_doc_add_null(pith_rows_row(rows));
    pith_doc_add_text(pith_rows_row(rows), LIT("x|y"));
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    pith_doc_skip(pith_rows_row(rows));
    pith_doc_add_bool(pith_rows_row(rows), true);
    pith_doc_skip(pith_rows_row(rows));
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    assert_int_equal(pith_rows_flush(rows, NULL), PITH_OK);
    assert_true(
        same_bytes("flushed", out.data, out.len,
                   LIT(FIRST_LINE "## [?]{id,\"a,b\",c}\n1|-|\"x|y\"\n~|true|~\n")));
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_true(same_bytes("closed", out.data, out.len,
                           LIT(FIRST_LINE "## [?]{id,\"a,b\",c}\n1|-|\"x|y\"\n~|true|~\n"
                                          "##! summary counts=2\n")));
    pith_doc *doc = must_parse("gcf", out.data, out.len, NULL);
    must_hold_json(doc, "[{\"id\":1,\"a,b\":null,\"c\":\"x|y\"},{\"a,b\":true}]");
    pith_doc_free(doc);
    pith_buffer_free(&out);
}

static void streams_without_rows_or_summary(void **state)
{
    (void)state;
    static const char *const columns[] = {"a"};
    pith_options options = with_settings(NULL, "summary=false tool=t");
    pith_buffer out = {0};
    pith_rows *rows =
        rows_open_named("gcf", columns, 1, &options, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_true(same_bytes("closed", out.data, out.len,
                           LIT("GCF profile=generic tool=t\n## [?]{a}\n")));
    pith_buffer_free(&out);
    out = (pith_buffer){0};
    rows = rows_open_named("gcf", columns, 1, NULL, pith_sink_buffer(&out), NULL);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    pith_doc *doc = must_parse("gcf", out.data, out.len, NULL);
    must_hold_json(doc, "[]");
    pith_doc_free(doc);
    pith_buffer_free(&out);
}

static void collects_rows_without_columns(void **state)
{
    (void)state;
    pith_buffer out = {0};
    pith_doc *doc = must_parse_json("[{\"a\":1},{\"b\":[2]}]");
    pith_rows *rows = pith_rows_open("gcf", NULL, 0, NULL, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    for (pith_value v = pith_value_first(pith_doc_root(doc)); v.doc;
         v = pith_value_next(v))
        assert_int_equal(pith_rows_add_row(rows, v, NULL), PITH_OK);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_true(same_bytes("collected", out.data, out.len,
                           LIT(FIRST_LINE "## [2]{a,b}\n1|~\n@1 ~|^\n.b [1]: 2\n")));
    pith_doc_free(doc);
    pith_buffer_free(&out);
}

static void refuses_rows_that_would_be_misread(void **state)
{
    (void)state;
    static const char *const paths[] = {"id", "a>b"};
    static const char *const columns[] = {"id", "x"};
    pith_buffer out = {0};
    pith_error err;
    assert_null(rows_open_named("gcf", paths, 2, NULL, pith_sink_buffer(&out), &err));
    assert_int_equal(err.status, PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "invalid_column");
    pith_options groups = with_settings(NULL, "level=3.6 group=id");
    assert_null(
        rows_open_named("gcf", columns, 2, &groups, pith_sink_buffer(&out), &err));
    assert_string_equal(err.code, "bad_setting");

    static const char *const bad[][2] = {
        {"{\"id\":1,\"x\":[]}", "nested_value"},
        {"{\"id\":1,\"x\":{}}", "nested_value"},
        {"{\"id\":1,\"x\":1e999}", "out_of_range"},
        {"{\"x\":99999999999999999999}", "out_of_range"}};
    for (size_t i = 0; i < ROWS(bad); i++) {
        pith_doc *doc = must_parse_json(bad[i][0]);
        pith_rows *rows =
            rows_open_named("gcf", columns, 2, NULL, pith_sink_buffer(&out), NULL);
        assert_non_null(rows);
        assert_int_equal(pith_rows_add_row(rows, pith_doc_root(doc), &err),
                         PITH_UNREPRESENTABLE);
        assert_string_equal(err.code, bad[i][1]);
        pith_rows_abandon(rows);
        pith_doc_free(doc);
    }
    pith_buffer_free(&out);
}

/* ---------------------------------------------------------------------------- sizes */

static void append(pith_buffer *buffer, const char *text)
{
    pith_sink sink = pith_sink_buffer(buffer);
    assert_int_equal(sink.write(sink.ctx, text, strlen(text)), PITH_OK);
}

static size_t written_len(const char *settings, const pith_buffer *json)
{
    pith_buffer out = {0};
    pith_error err;
    pith_status status = write_as(settings, json->data, json->len, &out, &err);
    if (status != PITH_OK)
        fail_msg("%s: %s", err.code, err.message);
    size_t len = out.len;
    pith_buffer_free(&out);
    return len;
}

/* Every row has a field of its own. */
static void writes_sparse_tables(void **state)
{
    (void)state;
    enum { ROWS_MANY = 3000 };
    char row[64];
    pith_buffer json = {0};
    for (int i = 0; i < ROWS_MANY; i++) {
        snprintf(row, sizeof row, "%c{\"f%04d\":1}", i ? ',' : '[', i);
        append(&json, row);
    }
    append(&json, "]");
    size_t header = strlen(FIRST_LINE "## [3000]{}\n") + ROWS_MANY * 6 - 1;
    assert_int_equal(written_len("", &json), header + ROWS_MANY * (size_t)ROWS_MANY * 2);
    pith_buffer_free(&json);
}

/* Wide rows have no shape; each has other keys at its end. */
static void writes_wide_tables(void **state)
{
    (void)state;
    enum { WIDE = 1000, TALL = 20 };
    char member[64];
    pith_buffer json = {0};
    for (int i = 0; i < TALL; i++) {
        append(&json, i ? ",{" : "[{");
        for (int k = 0; k < WIDE; k++) {
            snprintf(member, sizeof member, "%s\"k%05d\":%s", k ? "," : "",
                     k < WIDE - 10 ? k : k + i * 100, k % 100 == 3 ? "[{\"a\":1}]" : "7");
            append(&json, member);
        }
        append(&json, "}");
    }
    append(&json, "]");
    pith_buffer out = {0};
    assert_int_equal(write_as("", json.data, json.len, &out, NULL), PITH_OK);
    pith_doc *doc = must_parse("gcf", out.data, out.len, NULL);
    must_hold_json(doc, json.data);
    pith_doc_free(doc);
    pith_buffer_free(&out);
    pith_buffer_free(&json);
}

static void nest(pith_buffer *json, int depth, const char *open, const char *middle,
                 const char *close)
{
    for (int i = 0; i < depth; i++)
        append(json, open);
    append(json, middle);
    for (int i = 0; i < depth; i++)
        append(json, close);
}

/* Written and read back as the same; the text is for the caller to free. */
static pith_buffer there_and_back(const pith_buffer *json)
{
    pith_buffer out = {0};
    pith_error err;
    if (write_as("", json->data, json->len, &out, &err) != PITH_OK)
        fail_msg("%s: %s", err.code, err.message);
    pith_doc *doc = must_parse("gcf", out.data, out.len, NULL);
    must_hold_json(doc, json->data);
    pith_doc_free(doc);
    return out;
}

/* Objects with more than 64 keys are looked at in another way than small ones, and those
 * with more than 256 have no shape to be compared by. */
static void flattens_wide_objects(void **state)
{
    (void)state;
    static const struct {
        const char *before; /* the keys of each of two rows */
        const char *first;  /* the last member in the first row */
        const char *second; /* and in the second */
        const char *after;
        const char *column; /* NULL: not flat */
    } rows[] = {
        {"{\"o\":{", "\"z\":1", "\"z\":2", "}}", "\"o>k0\""},
        {"{\"o\":{", "\"z\":1", "\"y\":2", "}}", NULL},
        {"{\"o\":{", "\"z>y\":1", "\"z>y\":2", "}}", NULL},
        {"{\"o\":{\"p\":{", "\"z\":1", "\"z\":null", "},\"q\":1}}", "\"o>p>k0\""},
        {"{\"o\":{\"p\":{", "\"z\":1", "\"y\":2", "},\"q\":1}}", NULL},
        {"{\"o\":{\"p\":{", "\"z>y\":1", "\"z>y\":2", "},\"q\":1}}", NULL},
        {"{\"o\":{\"p\":{", "\"z\":1", "\"z\":1", "},\"q\":{}}}", NULL},
        {"{\"o\":{\"p\":{", "\"z\":1", "\"z\":1", "},\"q\":{\"r\":null}}}", NULL},
        {"{\"o\":{\"p\":{", "\"z\":1", "\"z\":[]", "},\"q\":1}}", NULL},
    };
    static const int widths[] = {10, 70, 300};
    for (size_t i = 0; i < ROWS(rows) * ROWS(widths); i++) {
        size_t row = i / ROWS(widths);
        int width = widths[i % ROWS(widths)];
        pith_buffer json = {0};
        for (int r = 0; r < 2; r++) {
            append(&json, r ? "," : "[");
            append(&json, rows[row].before);
            for (int k = 0; k < width; k++) {
                char member[32];
                snprintf(member, sizeof member, "\"k%d\":%d,", k, k);
                append(&json, member);
            }
            append(&json, r ? rows[row].second : rows[row].first);
            append(&json, rows[row].after);
        }
        append(&json, "]");
        pith_buffer out = there_and_back(&json);
        const char *column = rows[row].column;
        if (!strstr(out.data, column ? column : ">k0\"") != !column) {
            fail_msg("%s of %d keys should%s be flat", rows[row].before, width,
                     column ? "" : " not");
        }
        pith_buffer_free(&out);
        pith_buffer_free(&json);
    }
}

/* Rows without a shape before the first that holds something nested once took the place of
 * what was known of that row's keys; with the keys in another order a value was lost. */
static void wide_rows_with_keys_in_another_order(void **state)
{
    (void)state;
    static const char *const nested[] = {"{\"x\":1}", "[1,2]", "[{\"a\":[1]}]", "{}",
                                         "[]"};
    enum { KEYS = 300 };
    for (size_t i = 0; i < ROWS(nested); i++) {
        pith_buffer json = {0};
        char member[64];
        append(&json, "[{");
        for (int k = 0; k < KEYS; k++) {
            snprintf(member, sizeof member, "%s\"k%d\":%d", k ? "," : "", k, k);
            append(&json, member);
        }
        snprintf(member, sizeof member, "},{\"k%d\":%s", KEYS - 1, nested[i]);
        append(&json, member);
        for (int k = 0; k < KEYS - 1; k++) {
            snprintf(member, sizeof member, ",\"k%d\":%d", k, k);
            append(&json, member);
        }
        append(&json, "}]");
        pith_options options = with_settings(NULL, "verify=true");
        pith_doc *doc = must_parse_json(json.data);
        pith_buffer out = must_write(pith_doc_root(doc), "gcf", &options);
        pith_buffer_free(&out);
        pith_doc_free(doc);
        pith_buffer_free(&json);
    }
}

/* The label of the keys is the first of key, _key, __key and so on that no field has. */
static void finds_a_label_after_many(void **state)
{
    (void)state;
    for (int taken = 62; taken <= 130; taken++) {
        pith_buffer json = {0};
        for (int r = 0; r < 2; r++) {
            append(&json, r ? ",\"b\":{" : "{\"a\":{");
            for (int i = 0; i < taken; i++) {
                append(&json, i ? ",\"" : "\"");
                nest(&json, i, "_", "key\":1", "");
            }
            append(&json, "}");
        }
        append(&json, "}");
        pith_buffer expected = {0};
        append(&expected, FIRST_LINE "## [2:]{");
        nest(&expected, taken, "_", "key,key,_key", "");
        pith_buffer out = there_and_back(&json);
        assert_true(out.len > expected.len);
        assert_memory_equal(out.data, expected.data, expected.len);
        pith_buffer_free(&out);
        pith_buffer_free(&expected);
        pith_buffer_free(&json);
    }
}

/* Keys that are longer than what is written without a look at the room that is left. */
static void writes_long_keys(void **state)
{
    (void)state;
    static const char *const around[][2] = {
        {"{\"", "\":1}"},
        {"{\"", "\":{\"a\":[]}}"},
        {"{\"", "\":[1,2]}"},
        {"[{\"", "\":1}]"},
        {"[{\"", "\":[]}]"},
        {"[{\"a\":1},{\"", "\":[{}]}]"},
        {"[{\"o\":{\"", "\":1,\"b\":2}}]"},
    };
    static const int lengths[] = {1023, 1024, 20000};
    for (size_t i = 0; i < ROWS(around) * ROWS(lengths); i++) {
        for (int bare = 0; bare < 2; bare++) {
            const char *const *parts = around[i / ROWS(lengths)];
            pith_buffer json = {0};
            append(&json, parts[0]);
            nest(&json, lengths[i % ROWS(lengths)], "k", bare ? "_" : "-", "");
            append(&json, parts[1]);
            pith_buffer out = there_and_back(&json);
            pith_buffer_free(&out);
            pith_buffer_free(&json);
        }
    }
}

/* Deep values of all kinds: no stack is used up, and asking whether something can be
 * flat, keyed or shared is not done anew on every level. */
static void writes_deep_values(void **state)
{
    (void)state;
    enum { DEPTH = 2000 };
    static const char *const shapes[][3] = {
        {"[", "[]", "]"},
        {"{\"a\":", "[]", "}"},
        {"[{\"a\":", "1", "}]"},
        {"[1,{\"a\":", "1", "}]"},
        {"{\"x\":{\"k\":1},\"y\":", "{\"k\":[]}", "}"},
        {"{\"y\":", "{\"k\":[]}", ",\"x\":{\"k\":1}}"},
        {"[{\"a>b\":1,\"c\":", "1", "}]"},
        {"[{\"c\":", "[]", "},{\"c\":{\"c\":{\"c\":1}}}]"},
    };
    for (size_t i = 0; i < ROWS(shapes); i++) {
        pith_buffer json = {0};
        nest(&json, DEPTH, shapes[i][0], shapes[i][1], shapes[i][2]);
        pith_options options = {0};
        options.depth_max = PITH_DEPTH_MOST;
        pith_buffer out = {0};
        pith_error err;
        pith_status status = write_as("", json.data, json.len, &out, &err);
        assert_int_equal(status, PITH_OK);
        pith_doc *doc = must_parse("gcf", out.data, out.len, &options);
        pith_buffer again = must_write(pith_doc_root(doc), "gcf", NULL);
        assert_true(same_bytes("again", again.data, again.len, out.data, out.len));
        pith_doc_free(doc);
        pith_buffer_free(&again);
        pith_buffer_free(&out);
        pith_buffer_free(&json);
    }
}

/* Indentation and the paths of columns grow with the square of the depth. */
static void limits_what_depth_costs(void **state)
{
    (void)state;
    enum { DEPTH = 60000 };
    static const char *const shapes[][3] = {{"{\"a\":", "[]", "}"},
                                            {"{\"a\":", "1", ",\"b\":1}"}};
    for (size_t i = 0; i < ROWS(shapes); i++) {
        pith_buffer json = {0};
        append(&json, i ? "[" : "");
        nest(&json, DEPTH, shapes[i][0], shapes[i][1], shapes[i][2]);
        append(&json, i ? "]" : "");
        pith_buffer out = {0};
        pith_error err;
        assert_int_equal(write_as("", json.data, json.len, &out, &err), PITH_LIMIT);
        assert_string_equal(err.code, "output_limit");
        pith_buffer_free(&out);
        pith_buffer_free(&json);
    }
}

/* --------------------------------------------------------------------------- memory */

/* Every request for memory fails once; nothing is lost or freed twice. */
static void survive(const char *settings, const char *json)
{
    pith_doc *doc = must_parse_json(json);
    pith_status status = PITH_NO_MEMORY;
    for (size_t i = 1; status == PITH_NO_MEMORY; i++) {
        meter counts = {0};
        counts.fail_at = i;
        pith_options options = with_settings(NULL, settings);
        options.alloc = meter_alloc(&counts);
        pith_buffer out = {0};
        pith_error err;
        status = pith_value_write(pith_doc_root(doc), "gcf", &options,
                                  pith_sink_buffer(&out), &err);
        assert_true(status == PITH_OK || status == PITH_NO_MEMORY);
        assert_int_equal(status == PITH_OK, counts.failures == 0);
        assert_true(meter_clean(&counts));
        pith_buffer_free(&out);
    }
    assert_int_equal(status, PITH_OK);
    pith_doc_free(doc);
}

static void survives_failing_memory(void **state)
{
    (void)state;
    survive("",
            "[{\"a\":1,\"o\":{\"p\":{\"q\":1},\"r\":2}},{\"b\":[{\"x\":1},{\"y\":2}]},"
            "{\"b\":[{\"y\":1,\"x\":2}],\"c>d\":[],\"o\":{\"p\":{\"q\":3},\"r\":4}},"
            "{\"m\":{\"u\":{\"k\":1},\"v\":{\"k\":[[1,[2,{}]]]}}}]");
    survive("flatten=false",
            "{\"t\":[{\"o\":{\"a\":1,\"b\":2,\"c\":3},\"l\":[{\"x\":1}]},"
            "{\"o\":{\"a\":4,\"b\":5,\"c\":6},\"l\":[{\"x\":2}]}]}");
    survive("level=3.6", "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":3}]");
    survive("level=3.6 group=g",
            "[{\"g\":1,\"b\":2},{\"b\":3,\"g\":1},{\"g\":2,\"b\":4}]");
}

/* ---------------------------------------------------------------------- round trips */

static const char *const some_keys[] = {
    "a",   "b",   "c",    "id",        "key",  "_key", "",        "a>b",
    ">",   "a b", "n[1]", "a]:",       "=",    "|",    "{",       "}",
    "\\n", "-",   "@x",   "\\\"q\\\"", "true", "9",    "\xC3\xA9"};
static const char *const some_scalars[] = {
    "null",     "true",         "false",        "0",          "1",
    "-17",      "3.25",         "1e300",        "\"\"",       "\"a\"",
    "\"-\"",    "\"~\"",        "\"^\"",        "\"^{a}\"",   "\"1\"",
    "\"true\"", "\"a,b\"",      "\"a|b\"",      "\" a\"",     "\"#a\"",
    "\"@a\"",   "\".a\"",       "\"[1]:\"",     "\"\\n\"",    "\"=\"",
    "\"{}\"",   "\"\\\"\\\\\"", "\"\xC3\xA9\"", "\"\\u00a0\""};

typedef struct maker {
    uint64_t seed;
    pith_buffer text;
} maker;

static void make_scalar(maker *m)
{
    append(&m->text, some_scalars[random_below(&m->seed, ROWS(some_scalars))]);
}

static void make_value(maker *m, size_t depth);

/* An object: keys from `from` on, so that none comes twice, some left out. */
static void make_object(maker *m, size_t depth, size_t from, size_t count)
{
    bool first = true;
    append(&m->text, "{");
    for (size_t i = 0; i < count; i++) {
        if (random_below(&m->seed, 8) == 0)
            continue;
        append(&m->text, first ? "\"" : ",\"");
        append(&m->text, some_keys[(from + i) % ROWS(some_keys)]);
        append(&m->text, "\":");
        make_value(m, depth);
        first = false;
    }
    append(&m->text, "}");
}

/* A run of objects that are alike to some degree. */
static void make_rows(maker *m, size_t depth, bool keyed)
{
    size_t from = random_below(&m->seed, ROWS(some_keys));
    size_t count = 1 + random_below(&m->seed, 4);
    size_t rows = 1 + random_below(&m->seed, 4);
    uint64_t same = m->seed;
    bool alike = random_below(&m->seed, 2) == 0;
    append(&m->text, keyed ? "{" : "[");
    for (size_t i = 0; i < rows; i++) {
        append(&m->text, i ? "," : "");
        if (keyed) {
            append(&m->text, "\"");
            append(&m->text, some_keys[i]);
            append(&m->text, "\":");
        }
        if (alike)
            m->seed = same;
        make_object(m, depth, from, count);
    }
    append(&m->text, keyed ? "}" : "]");
}

static void make_value(maker *m, size_t depth)
{
    size_t form = random_below(&m->seed, depth > 0 ? 8 : 3);
    if (form < 3) {
        make_scalar(m);
    } else if (form < 4) {
        make_object(m, depth - 1, random_below(&m->seed, ROWS(some_keys)),
                    random_below(&m->seed, 5));
    } else if (form < 5) {
        append(&m->text, "[");
        for (size_t n = random_below(&m->seed, 4); n > 0; n--) {
            make_value(m, depth - 1);
            append(&m->text, n > 1 ? "," : "");
        }
        append(&m->text, "]");
    } else {
        make_rows(m, depth - 1, form == 7);
    }
}

static void reads_back(const maker *m, const char *settings)
{
    pith_options options = with_settings(NULL, settings);
    pith_error err;
    pith_doc *doc = must_parse("json", m->text.data, m->text.len, NULL);
    pith_buffer out = must_write(pith_doc_root(doc), "gcf", &options);
    pith_doc *back = pith_doc_parse("gcf", out.data, out.len, NULL, &err);
    if (!back || !same_in_any_order(pith_doc_root(doc), pith_doc_root(back))) {
        show_bytes("json", m->text.data, m->text.len);
        show_bytes("gcf", out.data, out.len);
        fail_msg("%s (%s)", back ? "reads back as something else" : err.message,
                 settings);
    }
    pith_buffer again = must_write(pith_doc_root(back), "gcf", &options);
    pith_doc *third = must_parse("gcf", again.data, again.len, NULL);
    assert_true(pith_value_equal(pith_doc_root(back), pith_doc_root(third)));
    pith_doc_free(third);
    pith_buffer_free(&again);
    pith_doc_free(back);
    pith_buffer_free(&out);
    pith_doc_free(doc);
}

static void everything_reads_back(void **state)
{
    (void)state;
    static const char *const settings[] = {"",
                                           "flatten=false",
                                           "level=3.6",
                                           "flatten=false inline-schema=false",
                                           "shared-schema=false",
                                           "level=3.6 flatten=false shared-schema=false"};
    maker m = {1, {0}};
    for (int i = 0; i < OFTEN(12000); i++) {
        m.text.len = 0;
        make_value(&m, 1 + random_below(&m.seed, 4));
        reads_back(&m, settings[(size_t)i % ROWS(settings)]);
    }
    pith_buffer_free(&m.text);
}

static void looks_like_itself(void **state)
{
    (void)state;
    const pith_format *format =
        pith_format_of(NULL, LIT("\xEF\xBB\xBFGCF profile=generic\n"));
    assert_non_null(format);
    assert_string_equal(format->name, "gcf");
    format = pith_format_of("x/y.GCF", NULL, 0);
    assert_non_null(format);
    assert_string_equal(format->media_type, "application/vnd.gcf+text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_the_first_line),
        cmocka_unit_test(writes_random_numbers),
        cmocka_unit_test(quotes_what_would_be_misread),
        cmocka_unit_test(streams_rows),
        cmocka_unit_test(streams_without_rows_or_summary),
        cmocka_unit_test(collects_rows_without_columns),
        cmocka_unit_test(refuses_rows_that_would_be_misread),
        cmocka_unit_test(writes_sparse_tables),
        cmocka_unit_test(writes_wide_tables),
        cmocka_unit_test(flattens_wide_objects),
        cmocka_unit_test(wide_rows_with_keys_in_another_order),
        cmocka_unit_test(finds_a_label_after_many),
        cmocka_unit_test(writes_long_keys),
        cmocka_unit_test(writes_deep_values),
        cmocka_unit_test(limits_what_depth_costs),
        cmocka_unit_test(survives_failing_memory),
        cmocka_unit_test(everything_reads_back),
        cmocka_unit_test(looks_like_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
