/*
 * test_toon_encode.c - what is written as TOON, where it takes code to show: the quoting
 * rules against a plain model of them, numbers against the C library, tables whose rows
 * disagree in every way, sizes, and that everything written reads back as what it was. The
 * rules, version by version, are in tests/vectors/toon.
 */
#define _POSIX_C_SOURCE 200809L

#include "bytes.h"
#include "compare.h"
#include "meter.h"
#include "random.h"
#include "testing.h"
#include "named.h"

#include <errno.h>

typedef struct vector {
    const char *settings;
    const char *json;
    const char *toon;
} vector;

/* What `json` becomes; the caller frees it. */
static pith_status write_as(const char *format, const char *settings, const char *json,
                            size_t len, pith_buffer *out, pith_error *err)
{
    pith_options options = with_settings(NULL, settings);
    options.depth_max = PITH_DEPTH_MOST;
    return pith_convert("json", format, json, len, &options, pith_sink_buffer(out), err);
}

static bool run_vector(const char *format, const vector *v)
{
    pith_buffer out = {0};
    pith_error err;
    pith_status status =
        write_as(format, v->settings, v->json, strlen(v->json), &out, &err);
    bool right = status == PITH_OK &&
                 same_bytes(v->json, out.data, out.len, v->toon, strlen(v->toon));
    if (status != PITH_OK)
        fprintf(stderr, "    %s (%s): %s\n", v->json, v->settings, err.message);
    pith_buffer_free(&out);
    return right;
}

/* --------------------------------------------------------------------- numbers */

/* Digits of 15 to 17 places: the shortest that the C library reads as the same. */
static void writes_the_shortest_digits(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (size_t i = 0; i < OFTEN(20000); i++) {
        char digits[64];
        char shortest[64];
        double number = (double)(random_next(&seed) >> 12) / 4503599627370496.0;
        number = (number + 1e-9) * (double)(1 + random_below(&seed, 20000));
        snprintf(digits, sizeof digits, "%.*g", 15 + (int)random_below(&seed, 3), number);
        if (strchr(digits, 'e'))
            continue;
        double meant = strtod(digits, NULL);
        for (int places = 1; places <= 17; places++) {
            snprintf(shortest, sizeof shortest, "%.*g", places, meant);
            double again = strtod(shortest, NULL);
            if (again <= meant && again >= meant)
                break;
        }
        if (strchr(shortest, 'e'))
            continue;
        vector v = {"", digits, shortest};
        assert_true(run_vector("toon", &v));
    }
}

/* --------------------------------------------------------------------- strings */

/* The rules of section 7.2, one after the other. */
static bool model_is_number(const char *at, const char *end, bool plus)
{
    size_t digits = 0;
    at += at < end && (*at == '-' || (plus && *at == '+'));
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        digits++;
    if (digits == 0)
        return false;
    if (at < end && *at == '.') {
        const char *from = ++at;
        while (at < end && *at >= '0' && *at <= '9')
            at++;
        if (at == from)
            return false;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        const char *from = at;
        while (at < end && *at >= '0' && *at <= '9')
            at++;
        if (at == from)
            return false;
    }
    return at == end;
}

static bool model_quotes(const char *text, size_t len, char delimiter, bool four)
{
    if (len == 0 || text[0] == ' ' || text[len - 1] == ' ' || text[0] == '-')
        return true;
    if ((len == 4 && (!memcmp(text, "true", 4) || !memcmp(text, "null", 4))) ||
        (len == 5 && !memcmp(text, "false", 5)))
        return true;
    if (model_is_number(text, text + len, four) || (four && text[0] == '#'))
        return true;
    for (size_t i = 0; i < len; i++)
        if (strchr(":\"\\[]{}", text[i]) || (unsigned char)text[i] < 0x20 ||
            text[i] == delimiter)
            return true;
    return false;
}

static const char *const delimiter_words[] = {"comma", "tab", "pipe"};
static const char delimiter_bytes[] = {',', '\t', '|'};
static const char *const version_words[] = {"4", "3", "3.0"};

/* Random strings of the bytes that matter, at every length and alignment, and at the
 * very end of the text, where no 16 bytes can be read. */
static void quotes_like_the_rules(void **state)
{
    (void)state;
    static const char letters[] = "abz09.-+eE #:,|[]{}\"\\\t\ntrufalsn_";
    uint64_t seed = 5;
    for (size_t round = 0; round < OFTEN(30000); round++) {
        char text[64];
        char settings[64];
        size_t len = random_below(&seed, 40);
        size_t span = 1 + random_below(&seed, sizeof letters - 1);
        for (size_t i = 0; i < len; i++)
            text[i] = letters[random_below(&seed, span)];
        size_t which = random_below(&seed, 3);
        size_t version = random_below(&seed, 3);
        snprintf(settings, sizeof settings, "version=%s delimiter=%s",
                 version_words[version], delimiter_words[which]);
        pith_doc *made = pith_doc_new(NULL);
        pith_doc_add_text(made, text, len);
        assert_int_equal(pith_doc_finish(made, NULL), PITH_OK);
        pith_buffer json = must_write(pith_doc_root(made), "json", NULL);
        pith_options options = with_settings(NULL, settings);
        pith_doc *doc = must_parse("json", json.data, json.len, NULL);
        pith_buffer out = must_write(pith_doc_root(doc), "toon", &options);
        bool quoted = out.len > 0 && out.data[0] == '"';
        if (quoted != model_quotes(text, len, delimiter_bytes[which], version == 0)) {
            show_bytes(settings, out.data, out.len);
            fail_msg("a string is not quoted by the rules");
        }
        pith_buffer_free(&out);
        pith_buffer_free(&json);
        pith_doc_free(doc);
        pith_doc_free(made);
    }
}

/* --------------------------------------------------------------------- settings */

static void refuses_settings(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "fold=safe", "version=4 fold=safe", "flatten-depth=2",     "version=5",
        "indent=0",  "indent=17",           "delimiter=semicolon", "version=3 fold=true"};
    for (size_t i = 0; i < ROWS(bad); i++) {
        pith_buffer out = {0};
        pith_error err;
        assert_int_equal(write_as("toon", bad[i], "{\"a\":1}", 7, &out, &err),
                         PITH_BAD_USE);
        assert_string_equal(err.code, "bad_setting");
        pith_buffer_free(&out);
    }
    pith_options options = with_settings("expand=safe", NULL);
    pith_error err;
    assert_null(pith_doc_parse("toon", "a: 1", 4, &options, &err));
    assert_int_equal(err.status, PITH_BAD_USE);
}

static void tells_by_content(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *format; /* NULL for none */
    } table[] = {
        {"[3]{a,b}:\n  1,2", "toon"},
        {"[2]: 1,2", "toon"},
        {"[2]:\n  - 1", "toon"},
        {"[2\t]: 1\t2", "toon"},
        {"[2|]{a}:\n", "toon"},
        {"[2:]{a}:\n", "toon"},
        {"[2:|]{a}:\n", "toon"},
        {"\xef\xbb\xbf# note\n\n  # more\nkey: 1\n", "toon"},
        {"key:", "toon"},
        {"key:\n  a: 1", "toon"},
        {"a.b_c-d: x", "toon"},
        {"key[2]: 1,2", "toon"},
        {"\"a: \\\" b\": 1", "toon"},
        {"\"a\"[1]: x", "toon"},
        {"[2,]{a}:\n  1\n  2", "toon-rows"},
        {"[0,]:", "toon-rows"},
        {"[1,2]", "json"},
        {"[2]", "json"},
        {"[]", "json"},
        {"[2,3]:", "json"},
        {"[02]: 1", "json"},
        {"{\"a\":1}", "json"},
        {"[[1],[2]]", "json"},
        {"[1]\n[2]", "ndjson"},
        {"{\"a\":1}\n{\"a\":2}", "ndjson"},
        {"\"text\"", "json"},
        {"12", "json"},
        {"true", "json"},
        {"hello world", NULL},
        {"https://example.com/", NULL},
        {"12:30", NULL},
        {"# only a comment", NULL},
        {"", NULL},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(table); i++) {
        const pith_format *format =
            pith_format_of(NULL, table[i].text, strlen(table[i].text));
        const char *found = format ? format->name : "none";
        const char *wanted = table[i].format ? table[i].format : "none";
        if (strcmp(found, wanted) != 0) {
            fprintf(stderr, "    %s: %s, not %s\n", table[i].text, found, wanted);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
    assert_string_equal(pith_format_of("x/y.toon", NULL, 0)->name, "toon");
    assert_string_equal(pith_format_find("toon")->media_type, "text/toon");
}

/* ------------------------------------------------------------------------- sizes */

/* Ten thousand columns, in one order and in the other: such objects have no shape. */
static void writes_wide_tables(void **state)
{
    (void)state;
    enum { WIDTH = 10000 };
    bytes json = {0};
    bytes toon = {0};
    bytes_put(&json, "[{");
    bytes_put(&toon, "[2]{");
    for (int i = 0; i < WIDTH; i++) {
        bytes_print(&json, "%s\"c%d\":%d", i ? "," : "", i, i);
        bytes_print(&toon, "%sc%d", i ? "," : "", i);
    }
    bytes_put(&json, "},{");
    bytes_put(&toon, "}:");
    for (int i = WIDTH - 1; i >= 0; i--)
        bytes_print(&json, "\"c%d\":%d%s", i, -1 - i, i ? "," : "}]");
    for (int i = 0; i < WIDTH; i++)
        bytes_print(&toon, "%s%d", i ? "," : "\n  ", i);
    for (int i = 0; i < WIDTH; i++)
        bytes_print(&toon, "%s%d", i ? "," : "\n  ", -1 - i);
    pith_buffer out = {0};
    assert_int_equal(write_as("toon", "", json.ptr, json.len, &out, NULL), PITH_OK);
    assert_true(same_bytes("wide", out.data, out.len, toon.ptr, toon.len));
    pith_buffer_free(&out);
    bytes_free(&json);
    bytes_free(&toon);
}

/* Objects without a shape inside of rows, and something after them. */
static void writes_wide_groups(void **state)
{
    (void)state;
    enum { WIDTH = 300 };
    bytes json = {0};
    bytes toon = {0};
    bytes_put(&toon, "[2]{g{");
    for (int i = 0; i < WIDTH; i++)
        bytes_print(&toon, "%sc%d", i ? "," : "", i);
    bytes_put(&toon, "},z}:");
    for (int row = 0; row < 2; row++) {
        bytes_put(&json, row ? ",{\"g\":{" : "[{\"g\":{");
        bytes_put(&toon, "\n  ");
        for (int i = 0; i < WIDTH; i++) {
            bytes_print(&json, "%s\"c%d\":%d", i ? "," : "", i, row + i);
            bytes_print(&toon, "%d,", row + i);
        }
        bytes_print(&json, "},\"z\":%d}", row);
        bytes_print(&toon, "%d", row);
    }
    bytes_put(&json, "]");
    pith_buffer out = {0};
    assert_int_equal(write_as("toon", "", json.ptr, json.len, &out, NULL), PITH_OK);
    assert_true(same_bytes("wide", out.data, out.len, toon.ptr, toon.len));
    pith_buffer_free(&out);
    bytes_free(&json);
    bytes_free(&toon);
}

/* Keys that do not fit into what is reserved for one: of a member, of a field, of a
 * row. */
static void writes_long_keys(void **state)
{
    (void)state;
    enum { LENGTH = 3000 };
    char key[LENGTH + 1];
    memset(key, 'k', LENGTH);
    key[LENGTH] = '\0';
    static const char *const pairs[][2] = {
        {"{\"@\":1}", "@: 1"},
        {"[{\"@\":1},{\"@\":2}]", "[2]{@}:\n  1\n  2"},
        {"{\"@\":{\"a\":1},\"b\":{\"a\":2}}", "[2:]{a}:\n  @: 1\n  b: 2"},
    };
    for (size_t i = 0; i < ROWS(pairs); i++) {
        bytes texts[2] = {{0}, {0}};
        for (size_t side = 0; side < 2; side++) {
            bytes_put_filled(&texts[side], pairs[i][side], '@', key);
            bytes_add(&texts[side], "", 1);
        }
        vector v = {"", texts[0].ptr, texts[1].ptr};
        assert_true(run_vector("toon", &v));
        bytes_free(&texts[0]);
        bytes_free(&texts[1]);
    }
}

/* A hundred thousand objects in one row: one group inside the other. */
static void writes_deep_groups(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    bytes json = {0};
    bytes toon = {0};
    bytes_put(&json, "[");
    bytes_repeat(&json, "{\"a\":", DEPTH);
    bytes_put(&json, "1");
    bytes_repeat(&json, "}", DEPTH);
    bytes_put(&json, "]");
    bytes_put(&toon, "[1]");
    bytes_repeat(&toon, "{a", DEPTH);
    bytes_repeat(&toon, "}", DEPTH);
    bytes_put(&toon, ":\n  1");
    pith_buffer out = {0};
    assert_int_equal(write_as("toon", "", json.ptr, json.len, &out, NULL), PITH_OK);
    assert_true(same_bytes("deep", out.data, out.len, toon.ptr, toon.len));
    pith_buffer_free(&out);
    bytes_free(&json);
    bytes_free(&toon);
}

/* Chains that are nearly folded or nearly tables, at every level: the work must not be
 * done anew at each. Indentation alone would be 10 GB; the limit ends it. */
static void stays_linear_in_depth(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    static const char *const openings[] = {
        "{\"a\":",                 /* a chain that ends in two members */
        "{\"q\":{\"p\":1},\"p\":", /* two members alike at first sight */
        "[{\"a\":",                /* lists in objects in lists */
    };
    static const char *const endings[] = {"}", "}", "}]"};
    for (size_t i = 0; i < ROWS(openings); i++) {
        bytes json = {0};
        bytes_repeat(&json, openings[i], DEPTH);
        bytes_put(&json, "{\"x\":1,\"y\":[]}");
        bytes_repeat(&json, endings[i], DEPTH);
        pith_buffer out = {0};
        pith_error err;
        const char *settings = i == 0 ? "version=3 fold=safe" : "";
        assert_int_equal(write_as("toon", settings, json.ptr, json.len, &out, &err),
                         PITH_LIMIT);
        assert_string_equal(err.code, "output_limit");
        pith_buffer_free(&out);
        bytes_free(&json);
    }
}

/* ------------------------------------------------------------------- round trips */

static void add_random_text(pith_doc *doc, uint64_t *seed, bool key, size_t number)
{
    static const char *const pieces[] = {"a",
                                         "b.c",
                                         "x y",
                                         ":",
                                         ",",
                                         "|",
                                         "\t",
                                         "\n",
                                         "\"",
                                         "\\",
                                         "[",
                                         "]",
                                         "{",
                                         "}",
                                         "-",
                                         "#",
                                         "1",
                                         "1e5",
                                         "true",
                                         "null",
                                         " ",
                                         "\x01",
                                         "\xc2\xa0",
                                         "\xef\xbb\xbf",
                                         "\xf0\x9f\x98\x80",
                                         "[]",
                                         "- ",
                                         "a: b",
                                         "\r",
                                         "0x1f",
                                         "+",
                                         "05",
                                         "word",
                                         "longer than sixteen bytes in all"};
    char text[128];
    size_t len = 0;
    size_t count = random_below(seed, 4);
    for (size_t i = 0; i < count; i++) {
        const char *piece = pieces[random_below(seed, ROWS(pieces))];
        memcpy(text + len, piece, strlen(piece));
        len += strlen(piece);
    }
    if (!key) {
        pith_doc_add_text(doc, text, len);
        return;
    }
    if (random_below(seed, 3) > 0)
        len = 0;
    len += (size_t)snprintf(text + len, 8, "k%zu", number);
    pith_doc_add_key(doc, text, len);
}

static void add_random_scalar(pith_doc *doc, uint64_t *seed)
{
    static const char *const numbers[] = {
        "0",    "-1",      "1.50",   "1e21",
        "1e-7", "123.456", "-0.0",   "12345678901234567890",
        "3e2",  "0.1",     "5e-324", "1.7976931348623157e308"};
    switch (random_below(seed, 6)) {
    case 0:
        pith_doc_add_null(doc);
        break;
    case 1:
        pith_doc_add_bool(doc, random_below(seed, 2) == 0);
        break;
    case 2:
    case 3: {
        const char *digits = numbers[random_below(seed, ROWS(numbers))];
        pith_doc_add_number(doc, digits, strlen(digits));
        break;
    }
    default:
        add_random_text(doc, seed, false, 0);
    }
}

/* A value of one of a few structures: `form` is what its objects have in common, so that
 * tables come about, and `noise` how often something breaks them. */
static void add_random_value(pith_doc *doc, uint64_t *seed, size_t depth, uint64_t form,
                             size_t noise)
{
    if (random_below(seed, 100) < noise)
        form = random_next(seed);
    size_t kind = (size_t)(form % 7);
    if (depth == 0 || kind < 2) {
        add_random_scalar(doc, seed);
        return;
    }
    size_t count = (size_t)((form >> 8) % 4);
    uint64_t inner = form * 0x9e3779b97f4a7c15u + 1;
    if (kind < 4) {
        pith_doc_open_array(doc);
        count = random_below(seed, 5);
        for (size_t i = 0; i < count; i++)
            add_random_value(doc, seed, depth - 1, inner >> 3, noise);
    } else {
        /* The same names in every object of this form, in one order or another. */
        size_t turn =
            count > 0 && random_below(seed, 4) == 0 ? random_below(seed, count) : 0;
        pith_doc_open_object(doc);
        for (size_t i = 0; i < count; i++) {
            size_t member = (i + turn) % count;
            uint64_t name = (form >> 20) + member;
            add_random_text(doc, &name, true, member);
            add_random_value(doc, seed, depth - 1,
                             kind == 4 ? inner >> (3 + member) : inner, noise);
        }
    }
    pith_doc_close(doc);
}

static void check_round_trip(pith_value value, const char *settings)
{
    /* The version counts on both sides, the delimiter only when writing. */
    char read[32];
    snprintf(read, sizeof read, "%.*s", (int)strcspn(settings, " "), settings);
    pith_options options = with_settings(read, settings);
    pith_buffer toon = must_write(value, "toon", &options);
    pith_error err;
    pith_doc *doc = pith_doc_parse("toon", toon.data, toon.len, &options, &err);
    if (!doc || !same_in_any_order(value, pith_doc_root(doc))) {
        show_bytes(doc ? "differs" : err.message, toon.data, toon.len);
        pith_buffer json = must_write(value, "json", NULL);
        show_bytes(settings, json.data, json.len);
        fail_msg("a value does not come back");
    }
    pith_buffer again = must_write(pith_doc_root(doc), "toon", &options);
    assert_true(same_bytes("again", again.data, again.len, toon.data, toon.len));
    pith_buffer_free(&again);
    pith_buffer_free(&toon);
    pith_doc_free(doc);
}

static void comes_back(void **state)
{
    (void)state;
    uint64_t seed = 1;
    pith_doc *doc = pith_doc_new(NULL);
    for (size_t i = 0; i < OFTEN(6000); i++) {
        static const size_t noises[] = {0, 2, 10, 100};
        char settings[64];
        pith_doc_reset(doc);
        add_random_value(doc, &seed, 5,
                         7 * random_next(&seed) + 2 + random_below(&seed, 5),
                         noises[i % ROWS(noises)]);
        assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
        snprintf(settings, sizeof settings, "version=%s delimiter=%s",
                 version_words[i % 3], delimiter_words[i / 3 % 3]);
        check_round_trip(pith_doc_root(doc), settings);
    }
    pith_doc_free(doc);
}

/* ------------------------------------------------------------------- row by row */

static const char *const columns[] = {"id", "full name", "note"};

static void add_rows(pith_rows *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pith_doc_add_uint64(pith_rows_row(rows), i);
        pith_doc_add_text(pith_rows_row(rows), "Ada, L.", i % 2 ? 3 : 7);
        if (i % 3 == 0)
            pith_doc_add_null(pith_rows_row(rows));
        else
            pith_doc_add_double(pith_rows_row(rows), (double)i / 2);
        assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    }
}

/* The same table by way of a document. */
static pith_buffer rows_at_once(const char *format, const char *settings, size_t count)
{
    pith_options options = with_settings(NULL, settings);
    pith_buffer json = {0};
    pith_rows *rows = rows_open_named("json", columns, ROWS(columns), NULL,
                                      pith_sink_buffer(&json), NULL);
    add_rows(rows, count);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    pith_doc *doc = must_parse("json", json.data, json.len, NULL);
    pith_buffer out = must_write(pith_doc_root(doc), format, &options);
    pith_doc_free(doc);
    pith_buffer_free(&json);
    return out;
}

static void streams_like_documents(void **state)
{
    (void)state;
    static const char *const settings[] = {"", "delimiter=pipe indent=3"};
    static const size_t counts[] = {0, 1, 2, 7, 20000};
    static const size_t holds[] = {0, 1, 100000};
    static const char *const formats[] = {"toon", "toon-rows"};
    for (size_t i = 0; i < 2 * ROWS(counts) * ROWS(holds) * 2; i++) {
        const char *format = formats[i % 2];
        size_t count = counts[i / 2 % ROWS(counts)];
        pith_options options = with_settings(NULL, settings[i / 2 / ROWS(counts) % 2]);
        options.hold_max = holds[i / 4 / ROWS(counts)];
        pith_buffer out = {0};
        pith_rows *rows = rows_open_named(format, columns, ROWS(columns), &options,
                                          pith_sink_buffer(&out), NULL);
        assert_non_null(rows);
        add_rows(rows, count);
        assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
        pith_buffer whole = rows_at_once(format, options.write, count);
        assert_true(same_bytes(format, out.data, out.len, whole.data, whole.len));
        pith_buffer_free(&whole);
        pith_buffer_free(&out);
    }
}

static pith_status drop_bytes(void *ctx, const char *data, size_t len)
{
    (void)data;
    *(size_t *)ctx += len;
    return PITH_OK;
}

/* Ten times the rows, the same memory. */
static void holds_rows_in_bounded_memory(void **state)
{
    (void)state;
    size_t peaks[2];
    size_t written[2] = {0, 0};
    for (size_t i = 0; i < 2; i++) {
        meter counts = {0};
        pith_options options = {0};
        options.alloc = meter_alloc(&counts);
        options.hold_max = 100000;
        pith_sink sink = {drop_bytes, &written[i]};
        pith_rows *rows =
            rows_open_named("toon", columns, ROWS(columns), &options, sink, NULL);
        add_rows(rows, i == 0 ? 10000 : 100000);
        assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
        assert_true(meter_clean(&counts));
        peaks[i] = counts.peak_bytes;
    }
    assert_true(written[1] > 9 * written[0] && written[0] > 100000);
    assert_int_equal(peaks[0], peaks[1]);
}

static void collects_rows_without_columns(void **state)
{
    (void)state;
    pith_buffer out = {0};
    pith_rows *rows = pith_rows_open("toon", NULL, 0, NULL, pith_sink_buffer(&out), NULL);
    pith_doc *first = must_parse_json("{\"a\":1}");
    pith_doc *second = must_parse_json("{\"a\":[1,2]}");
    assert_int_equal(pith_rows_add_row(rows, pith_doc_root(first), NULL), PITH_OK);
    assert_int_equal(pith_rows_add_row(rows, pith_doc_root(second), NULL), PITH_OK);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_string_equal(out.data, "[2]:\n  - a: 1\n  - a[2]: 1,2");
    pith_doc_free(first);
    pith_doc_free(second);
    pith_buffer_free(&out);
}

static void refuses_cells(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        const char *row;
        const char *code;
        const char *column;
    } table[] = {
        {"toon", "{\"id\":1,\"note\":2}", "missing_cell", "\"full name\""},
        {"toon", "{}", "missing_cell", "\"id\""},
        {"toon-rows", "{\"id\":1,\"full name\":2}", "missing_cell", "\"note\""},
        {"toon", "{\"id\":1,\"full name\":[],\"note\":1}", "nested_value",
         "\"full name\""},
        {"toon-rows", "{\"id\":1,\"full name\":1,\"note\":{\"a\":1}}", "nested_value",
         "\"note\""},
        {"toon-rows", "{\"id\":1,\"full name\":1e999,\"note\":1}", "number_range",
         "\"full name\""},
    };
    for (size_t i = 0; i < ROWS(table); i++) {
        pith_buffer out = {0};
        pith_error err;
        pith_rows *rows = rows_open_named(table[i].format, columns, ROWS(columns), NULL,
                                          pith_sink_buffer(&out), NULL);
        add_rows(rows, 2);
        pith_doc *doc = must_parse_json(table[i].row);
        assert_int_equal(pith_rows_add_row(rows, pith_doc_root(doc), &err),
                         PITH_UNREPRESENTABLE);
        assert_string_equal(err.code, table[i].code);
        assert_non_null(strstr(err.message, table[i].column));
        assert_non_null(strstr(err.message, "row 3"));
        assert_int_equal(pith_rows_close(rows, &err), PITH_UNREPRESENTABLE);
        pith_doc_free(doc);
        pith_buffer_free(&out);
    }
}

/* ------------------------------------------------------------------- no memory */

static pith_status write_metered(const char *format, const char *settings,
                                 pith_value value, meter *counts)
{
    pith_options options = with_settings(NULL, settings);
    options.alloc = meter_alloc(counts);
    pith_buffer out = {0};
    out.alloc = options.alloc;
    pith_status status =
        pith_value_write(value, format, &options, pith_sink_buffer(&out), NULL);
    pith_buffer_free(&out);
    return status;
}

static pith_status stream_metered(const char *format, meter *counts)
{
    pith_options options = {0};
    options.alloc = meter_alloc(counts);
    options.hold_max = 64;
    pith_buffer out = {0};
    out.alloc = options.alloc;
    pith_error err = {0};
    pith_status status = PITH_OK;
    pith_rows *rows = rows_open_named(format, columns, ROWS(columns), &options,
                                      pith_sink_buffer(&out), &err);
    if (!rows)
        status = err.status;
    for (int i = 0; rows && i < 9000 && status == PITH_OK; i++) {
        pith_doc_add_int64(pith_rows_row(rows), i);
        pith_doc_add_text(pith_rows_row(rows), "a \"b\"", 5);
        pith_doc_add_null(pith_rows_row(rows));
        status = pith_rows_end_row(rows, NULL);
    }
    if (rows && status == PITH_OK)
        status = pith_rows_close(rows, NULL);
    else
        pith_rows_abandon(rows);
    pith_buffer_free(&out);
    return status;
}

/* Fails the first request, then the second, and so on: always a status, never a leak. */
static void survives_without_memory(void **state)
{
    (void)state;
    static const vector table[] = {
        {"", "[{\"a\":1,\"b\":{\"c\":2,\"d\":3}},{\"b\":{\"d\":5,\"c\":4},\"a\":6}]", ""},
        {"",
         "{\"m\":{\"x\":{\"a\":1,\"b\":2},\"y\":{\"b\":3,\"a\":4}},"
         "\"n\":[[[{\"o\":1}]]]}",
         ""},
        {"version=3 fold=safe", "{\"a\":{\"b\":{\"c\":1}},\"a.b.c\":{\"d.e\":[]}}", ""},
    };
    for (size_t i = 0; i < 2 * ROWS(table) + 2; i++) {
        const char *format = i % 2 ? "toon-rows" : "toon";
        const vector *v = i / 2 < ROWS(table) ? &table[i / 2] : NULL;
        pith_doc *doc = v ? must_parse_json(v->json) : NULL;
        const char *settings = v && i % 2 == 0 ? v->settings : "";
        meter counts = {0};
        pith_status status = PITH_NO_MEMORY;
        for (size_t at = 1; status == PITH_NO_MEMORY || counts.failures > 0; at++) {
            memset(&counts, 0, sizeof counts);
            counts.fail_at = at;
            status = v ? write_metered(format, settings, pith_doc_root(doc), &counts)
                       : stream_metered(format, &counts);
            assert_true(meter_clean(&counts));
            assert_true(status != PITH_NO_MEMORY || counts.failures > 0);
        }
        assert_true(status == PITH_OK || (v && i % 2 && status == PITH_UNREPRESENTABLE));
        pith_doc_free(doc);
    }
}

/* No place for the temporary file: an error of its own, not a crash or a lost row. */
static void must_tell_of_folder(const char *unusable, int number)
{
    const char *folder = getenv("TMPDIR");
    char *kept = folder ? strdup(folder) : NULL;
    assert_int_equal(setenv("TMPDIR", unusable, 1), 0);
    pith_options options = {0};
    options.hold_max = 1;
    pith_buffer out = {0};
    pith_error err;
    pith_rows *rows = rows_open_named("toon", columns, ROWS(columns), &options,
                                      pith_sink_buffer(&out), NULL);
    add_rows(rows, 3);
    assert_int_equal(pith_rows_close(rows, &err), PITH_IO);
    assert_string_equal(err.code, "write_failed");
    assert_int_equal(err.system, number);
    if (kept) {
        setenv("TMPDIR", kept, 1);
        free(kept);
    } else {
        unsetenv("TMPDIR");
    }
    pith_buffer_free(&out);
}

static void tells_of_a_missing_folder(void **state)
{
    (void)state;
    must_tell_of_folder("no/such/folder", ENOENT);
}

static void tells_of_a_folder_with_too_long_a_name(void **state)
{
    (void)state;
    char name[5000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    must_tell_of_folder(name, ENAMETOOLONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_the_shortest_digits),
        cmocka_unit_test(quotes_like_the_rules),
        cmocka_unit_test(refuses_settings),
        cmocka_unit_test(tells_by_content),
        cmocka_unit_test(writes_wide_tables),
        cmocka_unit_test(writes_wide_groups),
        cmocka_unit_test(writes_long_keys),
        cmocka_unit_test(writes_deep_groups),
        cmocka_unit_test(stays_linear_in_depth),
        cmocka_unit_test(comes_back),
        cmocka_unit_test(streams_like_documents),
        cmocka_unit_test(holds_rows_in_bounded_memory),
        cmocka_unit_test(collects_rows_without_columns),
        cmocka_unit_test(refuses_cells),
        cmocka_unit_test(survives_without_memory),
        cmocka_unit_test(tells_of_a_missing_folder),
        cmocka_unit_test(tells_of_a_folder_with_too_long_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
