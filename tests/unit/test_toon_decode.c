/*
 * test_toon_decode.c - TOON as it is read, rule by rule and version by version.
 *
 * Three kinds of tables: texts that are accepted, with the JSON they stand for; texts
 * that are refused, with the code word and the place; and texts with several problems,
 * all of which pith_check must find. Every text is handed over in a block of exactly its
 * size, so that the address sanitizer sees a reader that looks one byte too far. Every
 * refused text also goes through pith_check, whose first problem must be the same.
 *
 * Where the fault is:
 *     a header                       the byte that cannot be there
 *     too few rows, items, values    the end of the last
 *     too many                       the first beyond the count
 *     a row too short                its end; too long: the first cell too many
 *     a missing colon                the end of the line
 *     an indentation                 the first byte behind it; a tab: the line's start
 *     a duplicate key                the later one
 *     a blank line                   that line
 */
#include "bytes.h"
#include "meter.h"
#include "testing.h"

typedef struct accepted {
    const char *settings;
    const char *text;
    size_t len;
    const char *json;
} accepted;

typedef struct refused {
    const char *settings;
    const char *text;
    size_t len;
    expected_error error;
} refused;

#define ACCEPT(settings, text, json)                                                     \
    {                                                                                    \
        settings, LIT(text), json                                                        \
    }
#define REFUSE(settings, text, code, line, column)                                       \
    {                                                                                    \
        settings, LIT(text),                                                             \
        {                                                                                \
            PITH_BAD_INPUT, code, line, column                                           \
        }                                                                                \
    }

/* Words for the settings. */
#define V4 NULL
#define LAX "strict=false"
#define V3 "version=3"
#define V3_LAX "version=3 strict=false"
#define PATHS "version=3 expand=safe"
#define PATHS_LAX "version=3 expand=safe strict=false"

static char *exact_copy(const char *text, size_t len)
{
    char *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    if (len)
        memcpy(copy, text, len);
    return copy;
}

static bool reads_as(const char *format, const accepted *row)
{
    char *text = exact_copy(row->text, row->len);
    pith_options options = with_settings(row->settings, NULL);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse(format, text, row->len, &options, &err);
    bool right = doc != NULL;
    if (doc) {
        pith_buffer out = must_write(pith_doc_root(doc), "json", NULL);
        right = same_bytes("read", out.data, out.len, row->json, strlen(row->json));
        pith_buffer_free(&out);
    } else {
        fprintf(stderr, "%s at %zu:%zu: %s\n", err.code, err.line, err.column,
                err.message);
    }
    if (pith_check(format, text, row->len, &options, NULL, NULL, NULL) != PITH_OK) {
        fputs("the check finds something\n", stderr);
        right = false;
    }
    if (!right)
        show_bytes("  of", row->text, row->len);
    pith_doc_free(doc);
    free(text);
    return right;
}

static bool first_problem_only(void *ctx, const pith_error *problem)
{
    *(pith_error *)ctx = *problem;
    return false;
}

static bool is_refused(const char *format, const refused *row)
{
    char *text = exact_copy(row->text, row->len);
    pith_options options = with_settings(row->settings, NULL);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse(format, text, row->len, &options, &err);
    bool right = doc == NULL && same_error("refused", &err, &row->error);
    if (doc)
        fputs("accepted although it must be refused\n", stderr);
    pith_error first = {0};
    pith_check(format, text, row->len, &options, first_problem_only, &first, NULL);
    right = same_error("checked", &first, &row->error) && right;
    if (!right)
        show_bytes("  of", row->text, row->len);
    pith_doc_free(doc);
    free(text);
    return right;
}

static void all_accepted(const char *format, const accepted *rows, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++)
        failures += !reads_as(format, &rows[i]);
    assert_int_equal(failures, 0);
}

static void all_refused(const char *format, const refused *rows, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++)
        failures += !is_refused(format, &rows[i]);
    assert_int_equal(failures, 0);
}

/* -------------------------------------------------------------- tokens: 4 and 7 */

static void tokens(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(V4, "42", "42"),
        ACCEPT(V4, "-0", "-0"),
        ACCEPT(V4, "-1E+03", "-1E+03"),
        ACCEPT(V4, "0e1", "0e1"),
        ACCEPT(V4, "1.5000", "1.5000"),
        ACCEPT(V4, "true", "true"),
        ACCEPT(V4, "false", "false"),
        ACCEPT(V4, "null", "null"),
        ACCEPT(V4, "True", "\"True\""),
        ACCEPT(V4, "truer", "\"truer\""),
        ACCEPT(V4, "nul", "\"nul\""),
        ACCEPT(V4, "hello world", "\"hello world\""),
        ACCEPT(V4, "\"42\"", "\"42\""),
        ACCEPT(V4, "\"\"", "\"\""),
        ACCEPT(V4, "\"a\\\\b\\\"c\\nd\\re\\tf\"", "\"a\\\\b\\\"c\\nd\\re\\tf\""),
        ACCEPT(V4, "\"\\u0041\\u00e9\\u20aC\\u0000\"",
               "\"A\xc3\xa9\xe2\x82\xac\\u0000\""),
        ACCEPT(V4, "\"tab\there\"", "\"tab\\there\""),
        ACCEPT(V4, "\"nul\0bell\a\"", "\"nul\\u0000bell\\u0007\""),
        ACCEPT(V4, "raw\0nul", "\"raw\\u0000nul\""),
        ACCEPT(V4, "cr\rinside", "\"cr\\rinside\""),
        ACCEPT(V4, "back\\slash", "\"back\\\\slash\""),
        ACCEPT(V4, "k: -x", "{\"k\":\"-x\"}"),
        ACCEPT(V4, "k: a\"b", "{\"k\":\"a\\\"b\"}"),
        ACCEPT(V4, "k:v", "{\"k\":\"v\"}"),
        ACCEPT(V4, "k:   v   ", "{\"k\":\"v\"}"),
        ACCEPT(V4, "k: \tv", "{\"k\":\"\\tv\"}"),
        ACCEPT(V3, "k: \tv", "{\"k\":\"v\"}"),
        ACCEPT(V4, "k: \xc2\xa0v", "{\"k\":\"\xc2\xa0v\"}"),
        ACCEPT(V4, "k: {}", "{\"k\":\"{}\"}"),
        ACCEPT(V4, "k: [1]", "{\"k\":\"[1]\"}"),
        ACCEPT(V4, "k: a: b: c", "{\"k\":\"a: b: c\"}"),
        ACCEPT(V4, "k: \"[]\"", "{\"k\":\"[]\"}"),
        ACCEPT(V4, "[2]", "\"[2]\""),
        ACCEPT(V4, "items[2]", "\"items[2]\""),
        ACCEPT(V4, "\xef\xbb\xbf\xef\xbb\xbfx", "\"\xef\xbb\xbfx\""),
        ACCEPT("version=3.0", "k: \"\\u0041\"", "{\"k\":\"A\"}"),
    };
    all_accepted("toon", rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE(V4, "\"a\\x\"", "invalid_escape", 1, 3),
        REFUSE(V4, "k: \"\\/\"", "invalid_escape", 1, 5),
        REFUSE(V4, "k: \"\\b\"", "invalid_escape", 1, 5),
        REFUSE(V4, "k: \"\\u12\"", "invalid_escape", 1, 5),
        REFUSE(V4, "k: \"\\u12g4\"", "invalid_escape", 1, 5),
        REFUSE(V4, "k: \"\\ud83d\\ude00\"", "invalid_surrogate", 1, 5),
        REFUSE(V4, "k: \"\\udc00\"", "invalid_surrogate", 1, 5),
        REFUSE(V4, "\"open", "unterminated_string", 1, 1),
        REFUSE(V4, "k: \"open\\\"", "unterminated_string", 1, 4),
        REFUSE(V4, "k: \"open\\", "unterminated_string", 1, 4),
        REFUSE(V4, "k: \"a\"b", "trailing_content", 1, 7),
        REFUSE(LAX, "k: \"a\" \"b\"", "trailing_content", 1, 7),
        REFUSE(LAX, "\"a\"b: 1", "trailing_content", 1, 4),
        REFUSE(V3_LAX, "a[2]: \"x\"y,z", "trailing_content", 1, 10),
        REFUSE(LAX, "k: \"\\q\"", "invalid_escape", 1, 5),
        REFUSE(V3, "k: \"\\q\"", "invalid_escape", 1, 5),
    };
    all_refused("toon", bad, ROWS(bad));
}

/* Numbers are what JSON's grammar says, in every version; the rest is text. */
static void numbers_by_the_grammar(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "05",    "-05", "0001",     ".5",   "-.5", "1.",  "+5",    "0x10",
        "1_000", "1,5", "Infinity", "NaN",  "-",   "--1", "1e",    "1e+",
        "1.e5",  "00",  "-00",      "01.5", "1 2", "5-",  "1.2.3",
    };
    static const char *const settings[] = {V4, LAX, V3, V3_LAX, "version=3.0"};
    for (size_t s = 0; s < ROWS(settings); s++) {
        pith_options options = with_settings(settings[s], NULL);
        for (size_t i = 0; i < ROWS(texts); i++) {
            bytes text = {0};
            bytes_print(&text, "k: %s\na[1|]: %s\nt[1|]{c}:\n  %s", texts[i], texts[i],
                        texts[i]);
            bytes json = {0};
            bytes_print(&json, "{\"k\":\"%s\",\"a\":[\"%s\"],\"t\":[{\"c\":\"%s\"}]}",
                        texts[i], texts[i], texts[i]);
            bytes_add(&json, "", 1);
            pith_doc *doc = must_parse("toon", text.ptr, text.len, &options);
            must_hold_json(doc, json.ptr);
            pith_doc_free(doc);
            bytes_free(&text);
            bytes_free(&json);
        }
    }
}

static void digits_are_kept(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(V4, "k: 9007199254740993", "{\"k\":9007199254740993}"),
        ACCEPT(V4, "a[2]: 1234567890123456789012345678901234567890,-1e400",
               "{\"a\":[1234567890123456789012345678901234567890,-1e400]}"),
        ACCEPT(V4, "t[1]{c}:\n  0.1000000000000000055511151231257827",
               "{\"t\":[{\"c\":0.1000000000000000055511151231257827}]}"),
        ACCEPT(V3, "k: 1234567890123456789012345678901234567890",
               "{\"k\":1234567890123456789012345678901234567890}"),
    };
    all_accepted("toon", rows, ROWS(rows));
}

/* -------------------------------------------------------------- root form: 5 */

static void root_forms(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(V4, "", "{}"),
        ACCEPT(V4, "\n\n", "{}"),
        ACCEPT(V4, "\xef\xbb\xbf", "{}"),
        ACCEPT(V4, "# nothing\n  # at all\n", "{}"),
        ACCEPT(V3, "", "{}"),
        ACCEPT(V4, "[]", "[]"),
        ACCEPT(V3, "[]", "[]"),
        ACCEPT(V4, "\n[]\n\n# end\n", "[]"),
        ACCEPT(V4, "[0]:", "[]"),
        ACCEPT(V3, "[0]:", "[]"),
        ACCEPT("version=3.0", "[0|]:", "[]"),
        ACCEPT(V4, "[2]: 1,2", "[1,2]"),
        ACCEPT(V4, "[1]:\n  - x", "[\"x\"]"),
        ACCEPT(V4, "[1]{a}:\n  1", "[{\"a\":1}]"),
        ACCEPT(V4, "[2:]{a}:\n  x: 1\n  y: 2", "{\"x\":{\"a\":1},\"y\":{\"a\":2}}"),
        ACCEPT(V4, "\"a: b\"", "\"a: b\""),
        ACCEPT(V4, "a: 1", "{\"a\":1}"),
        ACCEPT(V3, "  a: 1\n  b: 2", "{\"a\":1,\"b\":2}"),
        ACCEPT(V3, "# data\n", "\"# data\""),
    };
    all_accepted("toon", rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE(V4, "hello\nworld", "expected_colon", 1, 6),
        REFUSE(LAX, "hello\nworld", "expected_colon", 1, 6),
        REFUSE(V3, "hello\nworld", "expected_colon", 1, 6),
        REFUSE(V4, "a: 1\nb", "expected_colon", 2, 2),
        REFUSE(V4, "[]\nx: 1", "trailing_content", 2, 1),
        REFUSE(LAX, "[]\n  x", "trailing_content", 2, 3),
        REFUSE(V4, "[2]: 1,2\njunk: 3", "trailing_content", 2, 1),
        REFUSE(LAX, "[1]{a}:\n  1\njunk", "trailing_content", 3, 1),
        REFUSE(LAX, "[1:]{a}:\n  x: 1\ny: 2", "trailing_content", 3, 1),
        REFUSE(V3, "[1]:\n  - 1\nx: 2", "trailing_content", 3, 1),
        REFUSE(V4, "  a: 1", "unexpected_indent", 1, 3),
        REFUSE(LAX, "\ta: 1", "unexpected_indent", 1, 2),
        REFUSE(V4, "a: 1\n[2]: 1,2", "invalid_header", 2, 1),
        REFUSE(LAX, "a:\n  [1]{x}:\n    1", "invalid_header", 2, 3),
        REFUSE(V4, "a[1]:\n  - [1]{x}:\n    1", "invalid_header", 2, 5),
        REFUSE(LAX, "a[1]:\n  - [1:]{x}:\n    y: 1", "invalid_header", 2, 5),
    };
    all_refused("toon", bad, ROWS(bad));
}

static void comments(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(V4, "# top\na: 1 # no comment\n  # odd depth\nb: #x",
               "{\"a\":\"1 # no comment\",\"b\":\"#x\"}"),
        ACCEPT(V4, "t[2]{a}:\n  1\n# between rows\n  2", "{\"t\":[{\"a\":1},{\"a\":2}]}"),
        ACCEPT(V4, "m[2:]{a}:\n  x: 1\n      # deep\n  y: 2",
               "{\"m\":{\"x\":{\"a\":1},\"y\":{\"a\":2}}}"),
        ACCEPT(V4, "#\r\na: 1\r\n#", "{\"a\":1}"),
        ACCEPT(V4, "t[1]{a}:\n  \"#x\"", "{\"t\":[{\"a\":\"#x\"}]}"),
        ACCEPT(V3, "t[1]{a}:\n  #x", "{\"t\":[{\"a\":\"#x\"}]}"),
        ACCEPT(V3, "#k: 1", "{\"#k\":1}"),
        ACCEPT(LAX, "a:\n\t#k: 1", "{\"a\":{\"#k\":1}}"),
    };
    all_accepted("toon", rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE(V4, "a: 1\n\t# no comment", "tab_indentation", 2, 1),
        REFUSE(V4, "t[2]{a}:\n  1\n\n# blank above\n  2", "blank_line", 3, 1),
    };
    all_refused("toon", bad, ROWS(bad));
}

/* ------------------------------------------------------------------ headers: 6 */

static void headers(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(V4, "\"a:b\"[2]: 1,2", "{\"a:b\":[1,2]}"),
        ACCEPT(V4, "a:b[2]: x", "{\"a\":\"b[2]: x\"}"),
        ACCEPT(V4, "foo-bar[2]: 1,2", "{\"foo-bar\":[1,2]}"),
        ACCEPT(V4, "n\xc2\xa0[1]: y", "{\"n\xc2\xa0\":[\"y\"]}"),
        ACCEPT(V4, "items[1]{2key}:\n  x", "{\"items\":[{\"2key\":\"x\"}]}"),
        ACCEPT(V4, "i[1]{ a , \"b,c\" ,d.e}:\n  1,2,3",
               "{\"i\":[{\"a\":1,\"b,c\":2,\"d.e\":3}]}"),
        ACCEPT(V4, "i[1]{\"{x}\",y}:\n  1,2", "{\"i\":[{\"{x}\":1,\"y\":2}]}"),
        ACCEPT(V4, "i[1]{a{b,c} ,d}:\n  1,2,3",
               "{\"i\":[{\"a\":{\"b\":1,\"c\":2},\"d\":3}]}"),
        ACCEPT(V4, "i[1]{a{b{c}}}:\n  1", "{\"i\":[{\"a\":{\"b\":{\"c\":1}}}]}"),
        ACCEPT(V4, "i[1]{x,n{x}}:\n  1,2", "{\"i\":[{\"x\":1,\"n\":{\"x\":2}}]}"),
        ACCEPT(V4, "i[1|]{a|b{c|d}}:\n  1|2|3",
               "{\"i\":[{\"a\":1,\"b\":{\"c\":2,\"d\":3}}]}"),
        ACCEPT(V4, "i[1\t]{a\tb}:\n  1\t2", "{\"i\":[{\"a\":1,\"b\":2}]}"),
        ACCEPT(V4, "i[1]{x:y}:\n  1", "{\"i\":[{\"x:y\":1}]}"),
        ACCEPT(V4, "i[1]{a\"}\"b}:\n  1", "{\"i\":[{\"a\\\"}\\\"b\":1}]}"),
        ACCEPT(V4, "\"\"[1]: x", "{\"\":[\"x\"]}"),
        ACCEPT(V4, "a[2]:1,2", "{\"a\":[1,2]}"),
        ACCEPT(V4, "a[2]:   1 , 2  ", "{\"a\":[1,2]}"),
        ACCEPT(V3, "a [2]: 1,2", "{\"a\":[1,2]}"),
        ACCEPT(V3_LAX, "foo[1][bar]: 10", "{\"foo[1][bar]\":10}"),
        ACCEPT(V3_LAX, "foo[2]extra: a,b", "{\"foo[2]extra\":\"a,b\"}"),
        ACCEPT(V3_LAX, "x[03]: a,b", "{\"x[03]\":\"a,b\"}"),
        ACCEPT(V3_LAX, "l[1]:\n  - x[bad]: 1", "{\"l\":[{\"x[bad]\":1}]}"),
        ACCEPT(V3_LAX, "l[1]:\n  - [bad]: 1\n    y: 2",
               "{\"l\":[{\"[bad]\":1,\"y\":2}]}"),
        ACCEPT(V3, "l[1]:\n  - [2]{a}:\n    1\n    2", "{\"l\":[[{\"a\":1},{\"a\":2}]]}"),
    };
    all_accepted("toon", rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE(V4, "foo [2]: 1,2", "invalid_header", 1, 4),
        REFUSE(LAX, "t\t[2]: 1,2", "invalid_header", 1, 2),
        REFUSE(V4, "key[]: 1", "invalid_header", 1, 5),
        REFUSE(LAX, "key[]: 1", "invalid_header", 1, 5),
        REFUSE(LAX, "foo[1][bar]: 10", "invalid_header", 1, 7),
        REFUSE(LAX, "foo[bar][1]: 20", "invalid_header", 1, 5),
        REFUSE(LAX, "foo[2]extra: a,b", "invalid_header", 1, 7),
        REFUSE(V4, "x[03]: 1", "invalid_header", 1, 3),
        REFUSE(V4, "x[-1]: 1", "invalid_header", 1, 3),
        REFUSE(V4, "x[+3]: 1", "invalid_header", 1, 3),
        REFUSE(V4, "x[3.7]: 1", "invalid_header", 1, 4),
        REFUSE(V4, "x[1e1]: 1", "invalid_header", 1, 4),
        REFUSE(LAX, "x[#2]: 1,2", "invalid_header", 1, 3),
        REFUSE(V4, "[2,]{a,b}:\n  1,2\n  3,4", "invalid_header", 1, 3),
        REFUSE(V3, "[2,]{a,b}:\n  1,2\n  3,4", "invalid_header", 1, 3),
        REFUSE(V4, "x[2] : 1,2", "invalid_header", 1, 5),
        REFUSE(V4, "x[2] {a}:", "invalid_header", 1, 5),
        REFUSE(V4, "a[1:", "invalid_header", 1, 5),
        REFUSE(V4, "a[2:]{x}", "invalid_header", 1, 9),
        REFUSE(V4, "a[2:]{x{y}", "invalid_header", 1, 11),
        REFUSE(V4, "a[1]{x:y}", "invalid_header", 1, 10),
        REFUSE(V4, "a[2:]:\n  x: 1", "invalid_header", 1, 6),
        REFUSE(V4, "a[2|:]{x}:", "invalid_header", 1, 5),
        REFUSE(V4, "a[2:,]{x}:", "invalid_header", 1, 5),
        REFUSE(V4, "a[2 :]{x}:", "invalid_header", 1, 4),
        REFUSE(V4, "a[0]{}:", "invalid_header", 1, 6),
        REFUSE(LAX, "a[0]{x,y{}}:", "invalid_header", 1, 10),
        REFUSE(V4, "a[0]{x,}:", "invalid_header", 1, 8),
        REFUSE(V4, "a[0]{,x}:", "invalid_header", 1, 6),
        REFUSE(V4, "a[0]{a,{b}}:", "invalid_header", 1, 8),
        REFUSE(V4, "a[0]{b {c}}:", "invalid_header", 1, 8),
        REFUSE(V4, "a[0]{b{c}d}:", "invalid_header", 1, 10),
        REFUSE(V4, "a[0]{b{c}:", "invalid_header", 1, 10),
        REFUSE(V4, "a[0]{b}}:", "invalid_header", 1, 8),
        REFUSE(V4, "a[0]{b\tc}:", "invalid_header", 1, 7),
        REFUSE(V4, "a[0|]{b,c}:", "invalid_header", 1, 8),
        REFUSE(V4, "a[1]{b}: 1", "invalid_header", 1, 10),
        REFUSE(V4, "a[0]{\"b\"c}:", "trailing_content", 1, 9),
        REFUSE(V4, "a[0]{\"\\q\"}:", "invalid_escape", 1, 7),
        REFUSE(V4, "a[0]{x,y,x}:", "duplicate_key", 1, 10),
        REFUSE(V4, "a[0]{x,n{y,y}}:", "duplicate_key", 1, 12),
        REFUSE(V4, "a[0]{\"x\\ny\",\"x\\ny\"}:", "duplicate_key", 1, 13),
        REFUSE(V3, "a[1]{x{y}}:\n  1", "invalid_header", 1, 7),
        REFUSE(V3, "m[1:]{v}:\n  a: 1", "invalid_header", 1, 4),
        REFUSE(V3, "foo[bar]: 10", "invalid_header", 1, 5),
    };
    all_refused("toon", bad, ROWS(bad));
}

static void the_dialect_is_named(void **state)
{
    (void)state;
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("toon", LIT("[1,]{a}:\n  1"), NULL, &err);
    assert_null(doc);
    assert_non_null(strstr(err.message, "toon-rows"));
}

/* ------------------------------------------------------------- objects: 8, keys */

static void objects(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(V4, "a:\n  b:\n    c: 1\nd:", "{\"a\":{\"b\":{\"c\":1}},\"d\":{}}"),
        ACCEPT(V4, "a: []\nb[0]:\nc:", "{\"a\":[],\"b\":[],\"c\":{}}"),
        ACCEPT(V3, "a: []\nb[0]:\nc:", "{\"a\":[],\"b\":[],\"c\":{}}"),
        ACCEPT("version=3.0", "a: []\nb[0]:", "{\"a\":[],\"b\":[]}"),
        ACCEPT(V4, ": 1", "{\"\":1}"),
        ACCEPT(V4, "\"\": 1", "{\"\":1}"),
        ACCEPT(V4, "foo-bar: 1\nuser.name: 2\na b: 3\n1: 4",
               "{\"foo-bar\":1,\"user.name\":2,\"a b\":3,\"1\":4}"),
        ACCEPT(V4, "key  :  1", "{\"key\":1}"),
        ACCEPT(V4, "\"a\\nb\": 1", "{\"a\\nb\":1}"),
        ACCEPT(V4, "__proto__: 1\nconstructor: 2\nprototype:\n  __proto__: 3",
               "{\"__proto__\":1,\"constructor\":2,\"prototype\":{\"__proto__\":3}}"),
        ACCEPT(V4, "- a: 1", "{\"- a\":1}"),
        /* a key that was quoted must not be taken for its bare look-alike */
        ACCEPT(V4, "[2]:\n  - \"a: b\": 1\n    c: 2\n  - a: b\n    c: 3",
               "[{\"a: b\":1,\"c\":2},{\"a\":\"b\",\"c\":3}]"),
        ACCEPT(V4, "[2]:\n  - \"a \": 1\n    c: 2\n  - a : 1\n    c: 3",
               "[{\"a \":1,\"c\":2},{\"a\":1,\"c\":3}]"),
        ACCEPT(V4, "[2]:\r\n  - a: 1\r\n    b: x\r\n  - a: 2\r\n    b: y\r\n",
               "[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":\"y\"}]"),
        ACCEPT(V4, "[2]:\n  - a: 1\n    b:\n      c: 1\n  - a: 2\n    b:",
               "[{\"a\":1,\"b\":{\"c\":1}},{\"a\":2,\"b\":{}}]"),
        ACCEPT(V4, "a: 1\n\n\nb: 2\n", "{\"a\":1,\"b\":2}"),
        ACCEPT(V3, "a:\n    b: 1\n    c: 2\nd: 3", "{\"a\":{\"b\":1,\"c\":2},\"d\":3}"),
    };
    all_accepted("toon", rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE(V4, "a:\n  user", "expected_colon", 2, 7),
        REFUSE(LAX, "a:\n  key value", "expected_colon", 2, 12),
        REFUSE(V4, "a: 1\n  b: 2", "unexpected_indent", 2, 3),
        REFUSE(LAX, "a: 1\n  b: 2", "unexpected_indent", 2, 3),
        REFUSE(V3, "a: 1\n  b: 2", "unexpected_indent", 2, 3),
        REFUSE(V4, "a: []\n  b: 2", "unexpected_indent", 2, 3),
        REFUSE(V4, "a[1]: 1\n  b: 2", "unexpected_indent", 2, 3),
        REFUSE(V4, "a:\n  b: 1\n      c: 2", "unexpected_indent", 3, 7),
        REFUSE(V4, "a:\n    b: 1", "depth_jump", 2, 5),
        REFUSE(V4, "a:\n  b:\n      c: 1", "depth_jump", 3, 7),
        REFUSE(V4, "a: 1\na: 2", "duplicate_key", 2, 1),
        REFUSE(V4, "a: 1\nb:\n  x: 1\n  y: 2\n  x: 3\na: 4", "duplicate_key", 5, 3),
        REFUSE(V4, "a: 1\n\"a\": 2", "duplicate_key", 2, 1),
        REFUSE(V4, "\"a\\nb\": 1\n\"a\\nb\": 2", "duplicate_key", 2, 1),
        REFUSE(V4, "a: 1\na[1]: 2", "duplicate_key", 2, 1),
        REFUSE(V3, "l[1]:\n  - id: 1\n    id: 2", "duplicate_key", 3, 5),
    };
    all_refused("toon", bad, ROWS(bad));
}

/* A duplicate is refused with both places, also behind a thousand other keys. */
static void duplicates_are_placed(void **state)
{
    (void)state;
    pith_error err = {0};
    assert_null(pith_doc_parse("toon", LIT("b: 1\n  \na:\n  k: 1\n  k: 2"), NULL, &err));
    assert_non_null(strstr(err.message, "line 4, column 3"));
    bytes text = {0};
    for (int i = 0; i < 1000; i++)
        bytes_print(&text, "k%d: %d\n", i, i);
    bytes_put(&text, "k7: again\n");
    assert_null(pith_doc_parse("toon", text.ptr, text.len, NULL, &err));
    assert_string_equal(err.code, "duplicate_key");
    assert_int_equal(err.line, 1001);
    assert_non_null(strstr(err.message, "line 8, column 1"));
    bytes_free(&text);
}

/* --------------------------------------------------------- inline arrays: 9.1, 11 */

static void inline_arrays(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(V4, "a[3]: x,,z", "{\"a\":[\"x\",\"\",\"z\"]}"),
        ACCEPT(V4, "a[3]: ,,", "{\"a\":[\"\",\"\",\"\"]}"),
        ACCEPT(V4, "a[1]: \"\"", "{\"a\":[\"\"]}"),
        ACCEPT(V4, "a[2]: \"x,y\",z", "{\"a\":[\"x,y\",\"z\"]}"),
        ACCEPT(V4, "a[2]: x\",\"y,z", "{\"a\":[\"x\\\",\\\"y\",\"z\"]}"),
        ACCEPT(V4, "a[2]: [],{}", "{\"a\":[\"[]\",\"{}\"]}"),
        ACCEPT(V4, "a[2|]: x,y|z", "{\"a\":[\"x,y\",\"z\"]}"),
        ACCEPT(V4, "a[3\t]: x\t\ty z", "{\"a\":[\"x\",\"\",\"y z\"]}"),
        ACCEPT(V4, "a[2\t]: x\t", "{\"a\":[\"x\",\"\"]}"),
        ACCEPT(V4, "a[3]: true, null ,1", "{\"a\":[true,null,1]}"),
        ACCEPT(V4, "a[2]: caf\xc3\xa9,\xe4\xb8\x96\xe7\x95\x8c",
               "{\"a\":[\"caf\xc3\xa9\",\"\xe4\xb8\x96\xe7\x95\x8c\"]}"),
        ACCEPT(V4, "a[2]: a:b,c:d", "{\"a\":[\"a:b\",\"c:d\"]}"),
        ACCEPT(LAX, "a[5]: 1,2", "{\"a\":[1,2]}"),
        ACCEPT(LAX, "a[1]: 1,2,3", "{\"a\":[1,2,3]}"),
        ACCEPT(V3_LAX, "a[1]: 1,2,3", "{\"a\":[1,2,3]}"),
        ACCEPT(LAX, "a[3]:", "{\"a\":[]}"),
    };
    all_accepted("toon", rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE(V4, "a[3]: 1,2", "count_mismatch", 1, 10),
        REFUSE(V4, "a[2]: 1,2,3", "count_mismatch", 1, 11),
        REFUSE(V4, "a[0]: 1", "count_mismatch", 1, 7),
        REFUSE(V4, "a[1]:", "count_mismatch", 1, 6),
        REFUSE(V3, "a[1]:", "count_mismatch", 1, 6),
        REFUSE(V4, "a[2]: \"x,y", "unterminated_string", 1, 7),
    };
    all_refused("toon", bad, ROWS(bad));
}

/* ------------------------------------------------------------- lists: 9.2, 9.4, 10 */

static void lists(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(V4, "l[3]:\n  - 1\n  - \"x: y\"\n  -", "{\"l\":[1,\"x: y\",{}]}"),
        ACCEPT(V4, "l[1]:\n  -   ", "{\"l\":[{}]}"),
        ACCEPT(V4, "l[2]:\n  -     a: 1\n    b: 2\n  -   x",
               "{\"l\":[{\"a\":1,\"b\":2},\"x\"]}"),
        ACCEPT(V4, "l[2]:\n  - [2]: 1,2\n  - [0]:", "{\"l\":[[1,2],[]]}"),
        ACCEPT(V4, "l[1]:\n  - []", "{\"l\":[[]]}"),
        ACCEPT(V3, "l[1]:\n  - []", "{\"l\":[\"[]\"]}"),
        ACCEPT(V4, "l[1]:\n  - [2]", "{\"l\":[\"[2]\"]}"),
        ACCEPT(V4, "l[1]:\n  - [2]:\n    - 1\n    - [1]:\n      - x",
               "{\"l\":[[1,[\"x\"]]]}"),
        ACCEPT(V4, "l[1]:\n  - a:\n      b: 1\n    c: 2",
               "{\"l\":[{\"a\":{\"b\":1},\"c\":2}]}"),
        ACCEPT(V4, "l[1]:\n  - a[2]:\n      - 1\n      - 2\n    c: 3",
               "{\"l\":[{\"a\":[1,2],\"c\":3}]}"),
        ACCEPT(V4, "l[1]:\n  - t[2]{x}:\n      1\n      2\n    c: 3",
               "{\"l\":[{\"t\":[{\"x\":1},{\"x\":2}],\"c\":3}]}"),
        ACCEPT(V4, "l[1]:\n  - m[2:]{x}:\n      p: 1\n      q: 2\n    c: 3",
               "{\"l\":[{\"m\":{\"p\":{\"x\":1},\"q\":{\"x\":2}},\"c\":3}]}"),
        ACCEPT(V4, "l[1]:\n  - a: 1\n    - b: 2", "{\"l\":[{\"a\":1,\"- b\":2}]}"),
        ACCEPT(V4, "l[2]:\n\n  - 1\n  - 2\n\nx: 1", "{\"l\":[1,2],\"x\":1}"),
        ACCEPT(V4, "l[1]:\n  - - x", "{\"l\":[\"- x\"]}"),
        ACCEPT(V4, "l[1]:\n  - -5", "{\"l\":[-5]}"),
        ACCEPT(V4, "l[1]:\n  - x,y", "{\"l\":[\"x,y\"]}"),
        ACCEPT(LAX, "l[9]:\n  - 1\n\n  - 2", "{\"l\":[1,2]}"),
    };
    all_accepted("toon", rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE(V4, "l[2]:\n  - 1", "count_mismatch", 2, 6),
        REFUSE(V4, "l[1]:\n  - 1\n  - 2\n  - 3", "count_mismatch", 3, 3),
        REFUSE(V4, "l[2]:\n  - [2]: 1\n  - 2", "count_mismatch", 2, 11),
        REFUSE(V4, "l[1]:\n  x", "invalid_list_item", 2, 3),
        REFUSE(LAX, "l[1]:\n  a: 1", "invalid_list_item", 2, 3),
        REFUSE(V4, "l[1]:\n  -x", "invalid_list_item", 2, 3),
        REFUSE(V4, "l[2]:\n  - 1\n\n  - 2", "blank_line", 3, 1),
        REFUSE(V4, "l[1]:\n  - a: 1\n\n    b: 2", "blank_line", 3, 1),
        REFUSE(V4, "l[1]:\n  - a[1]:\n\n      - 2", "blank_line", 3, 1),
        REFUSE(V3, "l[2]:\n  - 1\n   \n  - 2", "blank_line", 3, 1),
        REFUSE(V4, "l[1]:\n    - 1", "depth_jump", 2, 5),
        REFUSE(V4, "l[1]:\n  - 1\n    x: 2", "unexpected_indent", 3, 5),
        REFUSE(V4, "l[1]:\n  -\n    x: 2", "unexpected_indent", 3, 5),
        REFUSE(LAX, "l[1]:\n  - a: 1\n      x: 2", "unexpected_indent", 3, 7),
        REFUSE(LAX, "l[1]:\n  - a[1]: 1\n      x: 2", "unexpected_indent", 3, 7),
    };
    all_refused("toon", bad, ROWS(bad));
}

/* ------------------------------------------------------------------- tables: 9.3 */

static void tables(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(V4, "t[2]{a,b}:\n  1,x\n  2,y\nz: 1",
               "{\"t\":[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":\"y\"}],\"z\":1}"),
        ACCEPT(V4, "t[2]{a,b}:\n  \"x:1\",y\n  z,a:b",
               "{\"t\":[{\"a\":\"x:1\",\"b\":\"y\"},{\"a\":\"z\",\"b\":\"a:b\"}]}"),
        ACCEPT(V4, "t[1]{a,b}:\n  ,", "{\"t\":[{\"a\":\"\",\"b\":\"\"}]}"),
        ACCEPT(V4, "t[1]{a,b}:\n  \" x \", y z ",
               "{\"t\":[{\"a\":\" x \",\"b\":\"y z\"}]}"),
        ACCEPT(V4, "t[1]{a,b}:\n  [],true", "{\"t\":[{\"a\":\"[]\",\"b\":true}]}"),
        ACCEPT(V4, "t[1]{a,b}:\n  - x,-", "{\"t\":[{\"a\":\"- x\",\"b\":\"-\"}]}"),
        ACCEPT(V4, "t[1]{a,b}:\n  truest,nullify",
               "{\"t\":[{\"a\":\"truest\",\"b\":\"nullify\"}]}"),
        ACCEPT(V4, "t[1]{a,b}:\n  \"q\\\"q\",\"\\u00e9\"",
               "{\"t\":[{\"a\":\"q\\\"q\",\"b\":\"\xc3\xa9\"}]}"),
        ACCEPT(V4, "t[1]{a,b}:\n  12 ,5 apples",
               "{\"t\":[{\"a\":12,\"b\":\"5 apples\"}]}"),
        ACCEPT(V4, "t[2]{id,c{n,k},v}:\n  1,Ada,DK,9\n  2,Bob,UK,8",
               "{\"t\":[{\"id\":1,\"c\":{\"n\":\"Ada\",\"k\":\"DK\"},\"v\":9},"
               "{\"id\":2,\"c\":{\"n\":\"Bob\",\"k\":\"UK\"},\"v\":8}]}"),
        ACCEPT(V4, "t[0]{a}:", "{\"t\":[]}"),
        ACCEPT(V4, "t[1]{a}:\n\n  1\n\n", "{\"t\":[{\"a\":1}]}"),
        ACCEPT(V4, "a:\n  t[1]{x}:\n    1\n  b: 2",
               "{\"a\":{\"t\":[{\"x\":1}],\"b\":2}}"),
        ACCEPT(V4, "t[1]{a,b}:\r\n  1,2 \r\n", "{\"t\":[{\"a\":1,\"b\":2}]}"),
        ACCEPT(LAX, "t[1]{a}:\n  1\n  2\n\n  3",
               "{\"t\":[{\"a\":1},{\"a\":2},{\"a\":3}]}"),
        ACCEPT(LAX, "t[2]{a,b,a}:\n  1,2,3\n  4,5,6",
               "{\"t\":[{\"a\":3,\"b\":2},{\"a\":6,\"b\":5}]}"),
        ACCEPT(LAX, "t[1]{a,a{x,x}}:\n  1,2,3", "{\"t\":[{\"a\":{\"x\":3}}]}"),
        ACCEPT(LAX, "t[1]{a{x,x},a}:\n  1,2,3", "{\"t\":[{\"a\":3}]}"),
        ACCEPT(V3_LAX, "t[2]{a,b,c}:\n  1,2\n  3",
               "{\"t\":[{\"a\":1,\"b\":2},{\"a\":3}]}"),
    };
    all_accepted("toon", rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE(V4, "t[3]{id}:\n  1\n  2", "count_mismatch", 3, 4),
        REFUSE(V4, "t[3]{id}:\n  1\n  2\nx: 1", "count_mismatch", 3, 4),
        REFUSE(V4, "t[1]{id}:\n  1\n  2\n  3", "count_mismatch", 3, 3),
        REFUSE(V4, "t[1]{id}:", "count_mismatch", 1, 10),
        REFUSE(V4, "t[999999999999999999]{id}:\n  1", "count_mismatch", 2, 4),
        REFUSE(V4, "t[99999999999999999999999999]{id}:\n  1", "count_mismatch", 2, 4),
        REFUSE(V4, "t[18446744073709551615]{id}:\n  1", "count_mismatch", 2, 4),
        REFUSE(V4, "t[1]{a,b}:\n  1", "row_width_mismatch", 2, 4),
        REFUSE(V4, "t[1]{a,b}:\n  1,2,3,4", "row_width_mismatch", 2, 7),
        REFUSE(LAX, "t[1]{a,b}:\n  1", "row_width_mismatch", 2, 4),
        REFUSE(LAX, "t[1]{a,b}:\n  1,2,", "row_width_mismatch", 2, 7),
        REFUSE(V3, "t[1]{a,b}:\n  1", "row_width_mismatch", 2, 4),
        REFUSE(V3_LAX, "t[1]{a,b}:\n  1,2,3", "row_width_mismatch", 2, 7),
        REFUSE(V4, "t[1]{a,b}:\n  1|2", "row_width_mismatch", 2, 6),
        REFUSE(V4, "t[1]{a,b}:\n  x: 1,2", "invalid_row", 2, 3),
        REFUSE(LAX, "t[1]{a}:\n  12:30", "invalid_row", 2, 3),
        REFUSE(V4, "t[2]{a}:\n  1\n\n  2", "blank_line", 3, 1),
        REFUSE(V4, "t[1]{a}:\n    1", "depth_jump", 2, 5),
        REFUSE(V4, "t[1]{a}:\n  1\n    junk: 9", "unexpected_indent", 3, 5),
        REFUSE(V4, "t[1]{a,b}:\n  \"x,y", "unterminated_string", 2, 3),
        REFUSE(V4, "t[1]{a,b}:\n  \"x\"y,z", "trailing_content", 2, 6),
        REFUSE(V4, "t[1]{a,b}:\n  1,\"\\q\"", "invalid_escape", 2, 6),
    };
    all_refused("toon", bad, ROWS(bad));
}

/* -------------------------------------------------------------- keyed tables: 9.5 */

static void keyed_tables(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(V4, "u[2:]{age,city}:\n  alice: 30,Berlin\n  bob: 25,Oslo\nz: 1",
               "{\"u\":{\"alice\":{\"age\":30,\"city\":\"Berlin\"},"
               "\"bob\":{\"age\":25,\"city\":\"Oslo\"}},\"z\":1}"),
        ACCEPT(V4, "u[1:]{v}:\n  \"a:b\": x", "{\"u\":{\"a:b\":{\"v\":\"x\"}}}"),
        ACCEPT(V4, "u[1:]{v}:\n  : x", "{\"u\":{\"\":{\"v\":\"x\"}}}"),
        ACCEPT(V4, "u[1:]{v}:\n  a: []", "{\"u\":{\"a\":{\"v\":\"[]\"}}}"),
        ACCEPT(V4, "u[1:]{v}:\n  a[2]: x", "{\"u\":{\"a[2]\":{\"v\":\"x\"}}}"),
        ACCEPT(V4, "u[1:]{v,w}:\n  a: b:c,d",
               "{\"u\":{\"a\":{\"v\":\"b:c\",\"w\":\"d\"}}}"),
        ACCEPT(V4, "u[1:|]{v|w}:\n  a : 1|2", "{\"u\":{\"a\":{\"v\":1,\"w\":2}}}"),
        ACCEPT(V4, "u[1:\t]{v\tw{x}}:\n  a: 1\t2",
               "{\"u\":{\"a\":{\"v\":1,\"w\":{\"x\":2}}}}"),
        ACCEPT(V4, "u[0:]{f}:", "{\"u\":{}}"),
        ACCEPT(V4, "u[1:]{v}:\n  - a: 1", "{\"u\":{\"- a\":{\"v\":1}}}"),
        ACCEPT(LAX, "u[9:]{v}:\n  a: 1\n\n  b: 2\n  a: 3",
               "{\"u\":{\"a\":{\"v\":3},\"b\":{\"v\":2}}}"),
    };
    all_accepted("toon", rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE(V4, "u[2:]{v}:\n  a: 1", "count_mismatch", 2, 7),
        REFUSE(V4, "u[1:]{v}:\n  a: 1\n  b: 2", "count_mismatch", 3, 3),
        REFUSE(V4, "u[1:]{v}:\n  a:", "row_width_mismatch", 2, 5),
        REFUSE(LAX, "u[1:]{v,w}:\n  a: 1", "row_width_mismatch", 2, 7),
        REFUSE(V4, "u[1:]{v}:\n  a: 1,2", "row_width_mismatch", 2, 8),
        REFUSE(LAX, "u[2:]{v}:\n  a: 1\n  5", "expected_colon", 3, 4),
        REFUSE(V4, "u[2:]{v}:\n  a: 1\n  a: 2", "duplicate_key", 3, 3),
        REFUSE(V4, "u[2:]{v}:\n  a: 1\n\n  b: 2", "blank_line", 3, 1),
        REFUSE(V4, "u[1:]{v}:\n  \"a\"b: 2", "trailing_content", 2, 6),
    };
    all_refused("toon", bad, ROWS(bad));
}

/* ------------------------------------------------- indentation and blank lines: 12 */

static void indentation(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT("indent=4", "a:\n    b: 1", "{\"a\":{\"b\":1}}"),
        ACCEPT("indent=1", "a:\n b:\n  c: 1", "{\"a\":{\"b\":{\"c\":1}}}"),
        ACCEPT(V4, "a: 1\n   \nb: 2", "{\"a\":1,\"b\":2}"),
        ACCEPT(V4, "a: 1  \r\nb: 2 \r\n\r\n", "{\"a\":1,\"b\":2}"),
        ACCEPT(V4, "a: 1\r", "{\"a\":1}"),
        ACCEPT(V4, "a: x\r\r\n", "{\"a\":\"x\\r\"}"),
        ACCEPT(LAX, "a:\n   b: 1", "{\"a\":{\"b\":1}}"),
        ACCEPT(LAX, "a:\n\tb:\n\t\tc: 1\n \td: 2", "{\"a\":{\"b\":{\"c\":1},\"d\":2}}"),
        ACCEPT(LAX, "a: 1\n \t \nb: 2", "{\"a\":1,\"b\":2}"),
        ACCEPT(V3, "a: 1\n\t\nb: 2", "{\"a\":1,\"b\":2}"),
        ACCEPT(V3_LAX, "a:\n\tb: 1", "{\"a\":{\"b\":1}}"),
        /* the jump: m becomes the depth of the scope */
        ACCEPT(LAX, "a:\n      b: 1\n      c:\n        d: 2\ne: 3",
               "{\"a\":{\"b\":1,\"c\":{\"d\":2}},\"e\":3}"),
        ACCEPT(LAX, "l[2]:\n      - 1\n      - a: 1\n        b: 2",
               "{\"l\":[1,{\"a\":1,\"b\":2}]}"),
        ACCEPT(LAX, "t[2]{a}:\n    1\n    2", "{\"t\":[{\"a\":1},{\"a\":2}]}"),
        ACCEPT(LAX, "l[1]:\n  - a:\n          b: 1\n    c: 2",
               "{\"l\":[{\"a\":{\"b\":1},\"c\":2}]}"),
    };
    all_accepted("toon", rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE(V4, "a:\n   b: 1", "invalid_indent", 2, 4),
        REFUSE("indent=4", "a:\n  b: 1", "invalid_indent", 2, 3),
        REFUSE(V4, "a:\n\tb: 1", "tab_indentation", 2, 1),
        REFUSE(V4, "a:\n  \tb: 1", "tab_indentation", 2, 1),
        REFUSE(V4, "a: 1\n\t\nb: 2", "tab_indentation", 2, 1),
        REFUSE(V3, "\ta: 1", "tab_indentation", 1, 1),
        REFUSE(LAX, "a:\n      b: 1\n    c: 2", "unexpected_indent", 3, 5),
        REFUSE(LAX, "a:\n      b: 1\n  c: 2", "unexpected_indent", 3, 3),
        REFUSE(LAX, "a:\n    b: 1\n      c: 2", "unexpected_indent", 3, 7),
        REFUSE(V3, "  a: 1\nb: 2", "unexpected_indent", 2, 1),
    };
    all_refused("toon", bad, ROWS(bad));
}

/* ------------------------------------------------------ duplicates, last wins: 14.4 */

static void last_wins(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(LAX, "a: 1\nb: 2\na: 3", "{\"a\":3,\"b\":2}"),
        ACCEPT(LAX, "a:\n  x: 1\nb: 2\na[2]: 3,4\n\"a\":\n  y: 5",
               "{\"a\":{\"y\":5},\"b\":2}"),
        ACCEPT(V3_LAX, "o:\n  n: 1\n  n: 2", "{\"o\":{\"n\":2}}"),
        ACCEPT(LAX, "l[2]:\n  - a: 1\n    a: 2\n  - a: 3",
               "{\"l\":[{\"a\":2},{\"a\":3}]}"),
    };
    all_accepted("toon", rows, ROWS(rows));
}

/* --------------------------------------------------------------- paths: 3.3, 13.4 */

static void paths(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(PATHS, "a.b.c: 1\na.b.d: 2\na.e: 3",
               "{\"a\":{\"b\":{\"c\":1,\"d\":2},\"e\":3}}"),
        ACCEPT(V3, "a.b: 1", "{\"a.b\":1}"),
        ACCEPT(PATHS, "a.b: 1\n\"c.d\": 2", "{\"a\":{\"b\":1},\"c.d\":2}"),
        ACCEPT(PATHS, "\"a.b\": 1\nx:\n  a.b: 2", "{\"a.b\":1,\"x\":{\"a\":{\"b\":2}}}"),
        ACCEPT(PATHS, "a.b[2]{x,y.z}:\n  1,2\n  3,4\na.c[1]: 5",
               "{\"a\":{\"b\":[{\"x\":1,\"y\":{\"z\":2}},{\"x\":3,\"y\":{\"z\":4}}],"
               "\"c\":[5]}}"),
        ACCEPT(PATHS, "a.1: 1\na..b: 2\n.a: 3\na.: 4\na-b.c: 5",
               "{\"a.1\":1,\"a..b\":2,\".a\":3,\"a.\":4,\"a-b.c\":5}"),
        ACCEPT(PATHS, "a:\n  b: 1\na.c: 2", "{\"a\":{\"b\":1,\"c\":2}}"),
        ACCEPT(PATHS, "a.b:\na.c: []", "{\"a\":{\"b\":{},\"c\":[]}}"),
        ACCEPT(PATHS, "l[1]:\n  - x.y: 1\n    x.z: 2",
               "{\"l\":[{\"x\":{\"y\":1,\"z\":2}}]}"),
        ACCEPT(PATHS, "a.b:\n  c.d: 1\na.b.c.e: 2",
               "{\"a\":{\"b\":{\"c\":{\"d\":1,\"e\":2}}}}"),
        ACCEPT(PATHS_LAX, "a.b: 1\na: 2", "{\"a\":2}"),
        ACCEPT(PATHS_LAX, "a: 1\nz: 0\na.b: 2", "{\"a\":{\"b\":2},\"z\":0}"),
        ACCEPT(PATHS_LAX, "a.b: 1\na: 2\na.c: 3", "{\"a\":{\"c\":3}}"),
        ACCEPT(PATHS_LAX, "a.b: 1\na.b: 2", "{\"a\":{\"b\":2}}"),
    };
    all_accepted("toon", rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE(PATHS, "a.b: 1\na: 2", "path_conflict", 2, 1),
        REFUSE(PATHS, "a: 1\na.b: 2", "path_conflict", 2, 1),
        REFUSE(PATHS, "a.b: 1\na[2]: 2,3", "path_conflict", 2, 1),
        REFUSE(PATHS, "x: 0\na.b: 1\na:\n  b: 2", "path_conflict", 4, 3),
        REFUSE(PATHS, "a.b: 1\na.b: 2", "duplicate_key", 2, 1),
    };
    all_refused("toon", bad, ROWS(bad));
}

/* ------------------------------------------------------------------------ UTF-8 */

/* An ill-formed sequence in every position, in every version and mode. */
static void ill_formed_utf8(void **state)
{
    (void)state;
    static const char *const places[] = {
        "%s",
        "k: %s",
        "%s: 1",
        "\"%s\": 1",
        "k: \"%s\"",
        "a[1]: %s",
        "a[2]: x,\"%s\"",
        "%s[1]: 1",
        "\"%s\"[1]: 1",
        "a[1]{%s}:\n  1",
        "a[1]{\"%s\"}:\n  1",
        "t[1]{a}:\n  %s",
        "t[1]{a,b}:\n  x,\"%s\"",
        "l[1]:\n  - %s",
        "l[1]:\n  - k: %s",
        "l[1]:\n  - %s: 1",
        "x: 1\n\n# %s",
        "# %s\nx: 1",
        "x: 1\n%s",
    };
    static const char *const sequences[] = {
        "\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80",
        "\x80",
    };
    static const char *const settings[] = {V4, LAX, V3, V3_LAX};
    size_t failures = 0;
    for (size_t p = 0; p < ROWS(places); p++) {
        for (size_t s = 0; s < ROWS(sequences); s++) {
            bytes text = {0};
            const char *hole = strstr(places[p], "%s");
            size_t before = (size_t)(hole - places[p]);
            bytes_add(&text, places[p], before);
            bytes_put(&text, sequences[s]);
            bytes_put(&text, hole + 2);
            for (size_t i = 0; i < ROWS(settings); i++) {
                char *copy = exact_copy(text.ptr, text.len);
                pith_options options = with_settings(settings[i], NULL);
                pith_error err = {0};
                pith_doc *doc = pith_doc_parse("toon", copy, text.len, &options, &err);
                bool right =
                    !doc && strcmp(err.code, "invalid_utf8") == 0 && err.offset == before;
                if (!right)
                    show_bytes("not refused for its UTF-8", text.ptr, text.len);
                failures += !right;
                pith_doc_free(doc);
                free(copy);
            }
            bytes_free(&text);
        }
    }
    assert_int_equal(failures, 0);
}

static void well_formed_utf8(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(V4, "\xe4\xb8\x96: \xf0\x9f\x91\x8b",
               "{\"\xe4\xb8\x96\":\"\xf0\x9f\x91\x8b\"}"),
        ACCEPT(V4, "t[1]{\"\xc3\xa9\",b}:\n  \xc3\xa9\xcc\x81,\"\xe2\x82\xac,\"",
               "{\"t\":[{\"\xc3\xa9\":\"\xc3\xa9\xcc\x81\",\"b\":\"\xe2\x82\xac,\"}]}"),
        ACCEPT(V4, "a[2]: x,\xcc\x81y", "{\"a\":[\"x\",\"\xcc\x81y\"]}"),
    };
    all_accepted("toon", rows, ROWS(rows));
}

/* --------------------------------------------------------------- several problems */

enum { MOST = 8 };

typedef struct place {
    const char *code;
    size_t line;
    size_t column;
} place;

typedef struct check_row {
    const char *settings;
    const char *text;
    place expected[MOST];
} check_row;

typedef struct collected {
    size_t count;
    pith_error problems[64];
} collected;

static bool collect(void *ctx, const pith_error *found)
{
    collected *all = ctx;
    if (all->count < ROWS(all->problems))
        all->problems[all->count] = *found;
    all->count++;
    return true;
}

static bool finds_all(const check_row *row)
{
    size_t len = strlen(row->text);
    char *text = exact_copy(row->text, len);
    pith_options options = with_settings(row->settings, NULL);
    collected all = {0};
    pith_check("toon", text, len, &options, collect, &all, NULL);
    free(text);
    size_t expected = 0;
    while (expected < MOST && row->expected[expected].code)
        expected++;
    bool right = all.count == expected;
    for (size_t i = 0; right && i < expected; i++) {
        const place *p = &row->expected[i];
        right = strcmp(all.problems[i].code, p->code) == 0 &&
                all.problems[i].line == p->line && all.problems[i].column == p->column;
    }
    if (right)
        return true;
    show_bytes("problems of", row->text, len);
    for (size_t i = 0; i < all.count && i < ROWS(all.problems); i++) {
        const pith_error *p = &all.problems[i];
        fprintf(stderr, "  found %zu:%zu [%s] %s\n", p->line, p->column, p->code,
                p->message);
    }
    return false;
}

static void several_problems(void **state)
{
    (void)state;
    static const check_row rows[] = {
        {V4, "a: 1\nb: 2", {{0}}},
        /* a bad row does not hide the next */
        {V4,
         "t[3]{a,b}:\n  1\n  2,3\n  4,5,6\nz: \"\\q\"",
         {{"row_width_mismatch", 2, 4},
          {"row_width_mismatch", 4, 7},
          {"invalid_escape", 5, 5}}},
        /* nor does it make the count wrong */
        {V4, "l[2]:\n  - 1\n  oops\nx: 1", {{"invalid_list_item", 3, 3}}},
        {V4, "l[1]:\n  - 1\n  oops\nx: 1", {{"invalid_list_item", 3, 3}}},
        {V4,
         "l[4]:\n  - 1\n  oops\nx: 1",
         {{"invalid_list_item", 3, 3}, {"count_mismatch", 3, 7}}},
        /* a bad line does not hide its siblings, and hides what hangs on it */
        {V4,
         "a\n  b: \"x\nc[x]: 1\n    d: 2\n  e\nf: \"y\" z",
         {{"expected_colon", 1, 2},
          {"invalid_header", 3, 3},
          {"trailing_content", 6, 7}}},
        {V4,
         "a: 1\n  b: 2\n  c: 3\nd",
         {{"unexpected_indent", 2, 3}, {"expected_colon", 4, 2}}},
        {V4,
         "a: 1\nb: 2\na: 3\nb: 4",
         {{"duplicate_key", 3, 1}, {"duplicate_key", 4, 1}}},
        {V4,
         "a:\n   b: 1\n\tc: 2\nd: \"",
         {{"invalid_indent", 2, 4},
          {"tab_indentation", 3, 1},
          {"unterminated_string", 4, 4}}},
        {V4,
         "l[2]:\n  - [2]: 1\n  - a[3]: 1\n    a: 2",
         {{"count_mismatch", 2, 11}, {"count_mismatch", 3, 12}, {"duplicate_key", 4, 5}}},
        {V4,
         "t[2]{a,a}:\n  1,2\n  3",
         {{"duplicate_key", 1, 8}, {"row_width_mismatch", 3, 4}}},
        {V4,
         "u[2:]{v}:\n  a: 1\n  b\n  a: 2",
         {{"expected_colon", 3, 4}, {"duplicate_key", 4, 3}}},
        {V4,
         "\xff: 1\nb: \xc3(\n# \xf0\nc",
         {{"invalid_utf8", 1, 1},
          {"invalid_utf8", 2, 4},
          {"invalid_utf8", 3, 3},
          {"expected_colon", 4, 2}}},
        {V4, "[1]: 1,2\nx\ny", {{"count_mismatch", 1, 8}, {"trailing_content", 2, 1}}},
        {V4,
         "[1]{\"\\q\"}:\n  1\nx",
         {{"invalid_escape", 1, 6}, {"expected_colon", 3, 2}}},
        {V4,
         "[03]:\n  - x\ny: \"",
         {{"invalid_header", 1, 2}, {"unterminated_string", 3, 4}}},
        {V4,
         "a[03]:\n  - x\nb[2]: 1",
         {{"invalid_header", 1, 3}, {"count_mismatch", 3, 8}}},
        {V4, "a:\n    b: 1\n    b: 2", {{"depth_jump", 2, 5}, {"duplicate_key", 3, 5}}},
        {LAX,
         "t[9]{a,b}:\n  1\n\n  2,3\nx",
         {{"row_width_mismatch", 2, 4}, {"expected_colon", 5, 2}}},
        {PATHS,
         "a.b: 1\na: 2\nc: 3\nc.d: 4",
         {{"path_conflict", 2, 1}, {"path_conflict", 4, 1}}},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++)
        failures += !finds_all(&rows[i]);
    assert_int_equal(failures, 0);
}

static void messages_name_the_expectation(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *sentence;
    } rows[] = {
        {"x: 1\ny: 2\nz: 3\nt[3]{a}:\n  1\n  2", "3 rows declared in line 4, found 2"},
        {"l[1]:\n  - 1\n  - 2", "1 item declared in line 1, found 2"},
        {"u[2:]{v}:\n  a: 1", "2 entries declared in line 1, found 1"},
        {"a[3]: 1,2", "3 values declared, found 2"},
        {"t[1]{a,b,c}:\n  1,2", "expected 3 cells, found 2"},
        {"t[1]{a}:\n  1,2,3", "expected 1 cell, found 3"},
        {"a:\n   b: 1", "expected a multiple of 2 spaces, found 3"},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_error err = {0};
        assert_null(
            pith_doc_parse("toon", rows[i].text, strlen(rows[i].text), NULL, &err));
        assert_string_equal(err.message, rows[i].sentence);
    }
}

/* --------------------------------------------------------------------- large texts */

static void ten_thousand_columns(void **state)
{
    (void)state;
    enum { COLUMNS = 10000, LINES = 20 };
    bytes text = {0};
    bytes json = {0};
    bytes_print(&text, "[%d]{", LINES);
    for (int i = 0; i < COLUMNS; i++)
        bytes_print(&text, "%sc%d", i ? "," : "", i);
    bytes_put(&text, "}:");
    for (int row = 0; row < LINES; row++) {
        bytes_put(&text, "\n  ");
        bytes_put(&json, row ? ",{" : "[{");
        for (int i = 0; i < COLUMNS; i++) {
            bytes_print(&text, "%s%d", i ? "," : "", row + i);
            bytes_print(&json, "%s\"c%d\":%d", i ? "," : "", i, row + i);
        }
        bytes_put(&json, "}");
    }
    bytes_put(&json, "]");
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    pith_doc *doc = must_parse("toon", text.ptr, text.len, &options);
    /* the keys are stored once, not for every row */
    assert_true(counts.peak_bytes < (size_t)COLUMNS * (LINES + 1) * 16 * 2 + (2u << 20));
    pith_buffer out = must_write(pith_doc_root(doc), "json", NULL);
    assert_true(same_bytes("columns", out.data, out.len, json.ptr, json.len));
    pith_buffer_free(&out);
    pith_doc_free(doc);
    assert_true(meter_clean(&counts));

    /* and a name that stands twice among them is found */
    bytes_free(&text);
    bytes_put(&text, "[0]{");
    for (int i = 0; i < COLUMNS; i++)
        bytes_print(&text, "c%d,", i);
    bytes_put(&text, "c77}:");
    pith_error err = {0};
    assert_null(pith_doc_parse("toon", text.ptr, text.len, NULL, &err));
    assert_string_equal(err.code, "duplicate_key");
    bytes_free(&text);
    bytes_free(&json);
}

/* Memory follows what is there, never what is declared. */
static void declared_counts_cost_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[999999999]{a}:\n  1",
        "[1000000000000000000]:\n  - 1",
        "[999999999999]: 1",
        "[99999999999999999999999:]{a}:\n  x: 1",
    };
    static const char *const settings[] = {V4, LAX};
    for (size_t i = 0; i < ROWS(texts); i++) {
        for (size_t s = 0; s < ROWS(settings); s++) {
            meter counts = {0};
            pith_options options = with_settings(settings[s], NULL);
            options.alloc = meter_alloc(&counts);
            pith_error err = {0};
            pith_doc *doc =
                pith_doc_parse("toon", texts[i], strlen(texts[i]), &options, &err);
            assert_true((doc != NULL) == (settings[s] != NULL));
            assert_true(counts.peak_bytes < 100000);
            pith_doc_free(doc);
            assert_true(meter_clean(&counts));
        }
    }
}

static void deep_texts(void **state)
{
    (void)state;
    enum { DEPTH = 2000 };
    bytes text = {0};
    bytes_put(&text, "[1]:");
    for (int i = 1; i < DEPTH; i++) {
        bytes_put(&text, "\n");
        bytes_repeat(&text, " ", (size_t)i);
        bytes_put(&text, "- [1]:");
    }
    bytes_put(&text, " 7");
    pith_options options = with_settings("indent=1", NULL);
    options.depth_max = DEPTH;
    pith_doc *doc = must_parse("toon", text.ptr, text.len, &options);
    pith_value value = pith_doc_root(doc);
    for (int i = 0; i < DEPTH; i++)
        value = pith_value_first(value);
    assert_int_equal(pith_value_kind(value), PITH_INTEGER);
    pith_doc_free(doc);
    options.depth_max = DEPTH - 1;
    pith_error err = {0};
    assert_null(pith_doc_parse("toon", text.ptr, text.len, &options, &err));
    assert_string_equal(err.code, "depth_limit");
    assert_int_equal(err.status, PITH_LIMIT);
    bytes_free(&text);

    /* depth in a header, and in a path */
    bytes_put(&text, "[1]{a");
    bytes_repeat(&text, "{a", 99999);
    bytes_repeat(&text, "}", 100000);
    bytes_put(&text, ":\n  1");
    options = with_settings(NULL, NULL);
    options.depth_max = PITH_DEPTH_MOST;
    doc = must_parse("toon", text.ptr, text.len, &options);
    pith_doc_free(doc);
    options.depth_max = 100000;
    assert_null(pith_doc_parse("toon", text.ptr, text.len, &options, &err));
    assert_string_equal(err.code, "depth_limit");
    bytes_free(&text);
    bytes_put(&text, "a");
    bytes_repeat(&text, ".a", 5000);
    bytes_put(&text, ": 1");
    options = with_settings(PATHS, NULL);
    options.depth_max = 5000;
    assert_null(pith_doc_parse("toon", text.ptr, text.len, &options, &err));
    assert_string_equal(err.code, "depth_limit");
    options.depth_max = 5001;
    doc = must_parse("toon", text.ptr, text.len, &options);
    pith_doc_free(doc);
    bytes_free(&text);
}

/* ------------------------------------------------------------------------ toon-rows */

static void rows_dialect(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(NULL, "[2,]{id,name}:\n  1,Widget\n  2,\"Smith, John\"",
               "[{\"id\":1,\"name\":\"Widget\"},{\"id\":2,\"name\":\"Smith, John\"}]"),
        ACCEPT(
            NULL,
            "[3,]{movie_id,title,genres,year,avg_rating,num_ratings}:\n"
            "  318,\"Shawshank Redemption, The (1994)\",\"Crime, Drama\",1994,4.43,317\n"
            "  858,\"Godfather, The (1972)\",\"Crime, Drama\",1972,4.29,192\n"
            "  2959,Fight Club (1999),\"Action, Crime, Drama, Thriller\",1999,4.27,218\n",
            "[{\"movie_id\":318,\"title\":\"Shawshank Redemption, The (1994)\","
            "\"genres\":\"Crime, Drama\",\"year\":1994,\"avg_rating\":4.43,"
            "\"num_ratings\":317},{\"movie_id\":858,\"title\":\"Godfather, The (1972)\","
            "\"genres\":\"Crime, Drama\",\"year\":1972,\"avg_rating\":4.29,"
            "\"num_ratings\":192},{\"movie_id\":2959,\"title\":\"Fight Club (1999)\","
            "\"genres\":\"Action, Crime, Drama, Thriller\",\"year\":1999,"
            "\"avg_rating\":4.27,\"num_ratings\":218}]"),
        ACCEPT(NULL, "[0,]:", "[]"),
        ACCEPT(NULL, "[0,]{a}:\n", "[]"),
        ACCEPT(NULL, "[1|]{a|b}:\n  x,y|2", "[{\"a\":\"x,y\",\"b\":2}]"),
        ACCEPT(NULL, "[1\t]{a\tb}:\n  x\t2", "[{\"a\":\"x\",\"b\":2}]"),
        ACCEPT(NULL, "[1]{a}:\n  1", "[{\"a\":1}]"),
        /* that page quotes neither colons nor quotes inside a text */
        ACCEPT(NULL, "[2,]{t,n}:\n  12:30,1\n  5\" pipe,2",
               "[{\"t\":\"12:30\",\"n\":1},{\"t\":\"5\\\" pipe\",\"n\":2}]"),
        ACCEPT(NULL, "[1,]{a}:\n  #x", "[{\"a\":\"#x\"}]"),
        ACCEPT(NULL, "[1,]{a,b}:\n  null,true", "[{\"a\":null,\"b\":true}]"),
        ACCEPT("indent=4", "[1,]{a}:\n    1", "[{\"a\":1}]"),
    };
    all_accepted("toon-rows", rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE(NULL, "", "empty_input", 1, 1),
        REFUSE(NULL, "a: 1", "invalid_header", 1, 1),
        REFUSE(NULL, "k[1,]{a}:\n  1", "invalid_header", 1, 1),
        REFUSE(NULL, "[2,]: 1,2", "invalid_header", 1, 1),
        REFUSE(NULL, "[2,]:", "invalid_header", 1, 1),
        REFUSE(NULL, "[1,]{a{b}}:\n  1", "invalid_header", 1, 7),
        REFUSE(NULL, "[1:]{a}:\n  x: 1", "invalid_header", 1, 3),
        REFUSE(NULL, "[2,]{a}:\n  1", "count_mismatch", 2, 4),
        REFUSE(NULL, "[1,]{a}:\n  1\n  2", "count_mismatch", 3, 3),
        REFUSE(NULL, "[1,]{a,b}:\n  1", "row_width_mismatch", 2, 4),
        REFUSE(NULL, "[1,]{a,b}:\n  1,2,3", "row_width_mismatch", 2, 7),
        REFUSE(NULL, "[1,]{a,a}:\n  1,2", "duplicate_key", 1, 8),
        REFUSE(NULL, "[1,]{a}:\n  1\nmore", "trailing_content", 3, 1),
        REFUSE(NULL, "[0,]:\n  1", "trailing_content", 2, 3),
    };
    all_refused("toon-rows", bad, ROWS(bad));
}

/* --------------------------------------------------------------------------- memory */

/* Every allocation that can fail does, once. */
static void out_of_memory(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        const char *text;
        pith_status status; /* with all the memory it wants */
    } rows[] = {
        {V4, "a: \"x\\ny\"\nt[2]{p,q{r,s}}:\n  1,2,3\n  4,5,6\nl[1]:\n  - k:\n      m: 1",
         PITH_OK},
        {LAX, "a: 1\na: 2\nt[1]{x,x,y{z,z}}:\n  1,2,3,4", PITH_OK},
        {PATHS, "a.b.c: 1\na.d: 2\nt[1]{x.y,z}:\n  1,2", PITH_OK},
        {V4, "a: 1\nb: 2\na: 3", PITH_BAD_INPUT},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        bool ended = false;
        for (size_t fail = 1; !ended; fail++) {
            meter counts = {0};
            counts.fail_at = fail;
            pith_options options = with_settings(rows[i].settings, NULL);
            options.alloc = meter_alloc(&counts);
            pith_error err = {0};
            pith_doc *doc = pith_doc_parse("toon", rows[i].text, strlen(rows[i].text),
                                           &options, &err);
            ended = counts.failures == 0;
            /* what was asked for in vain is missed, or it was a luxury */
            pith_status status = doc ? PITH_OK : err.status;
            assert_true(status == rows[i].status || (!ended && status == PITH_NO_MEMORY));
            pith_doc_free(doc);
            assert_true(meter_clean(&counts));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens),
        cmocka_unit_test(numbers_by_the_grammar),
        cmocka_unit_test(digits_are_kept),
        cmocka_unit_test(root_forms),
        cmocka_unit_test(comments),
        cmocka_unit_test(headers),
        cmocka_unit_test(the_dialect_is_named),
        cmocka_unit_test(objects),
        cmocka_unit_test(duplicates_are_placed),
        cmocka_unit_test(inline_arrays),
        cmocka_unit_test(lists),
        cmocka_unit_test(tables),
        cmocka_unit_test(keyed_tables),
        cmocka_unit_test(indentation),
        cmocka_unit_test(last_wins),
        cmocka_unit_test(paths),
        cmocka_unit_test(ill_formed_utf8),
        cmocka_unit_test(well_formed_utf8),
        cmocka_unit_test(several_problems),
        cmocka_unit_test(messages_name_the_expectation),
        cmocka_unit_test(ten_thousand_columns),
        cmocka_unit_test(declared_counts_cost_nothing),
        cmocka_unit_test(deep_texts),
        cmocka_unit_test(rows_dialect),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
