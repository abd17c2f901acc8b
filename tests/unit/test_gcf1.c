/*
 * test_gcf1.c - GCF 1 beside its fixtures: rows with nested fields, quotes, blanks, what is
 * refused, and values that make its tables too wide. What the description and the suite
 * show is in tests/conformance. Tests named seed_N are about statement N of docs/seeds.md.
 */
#include "bytes.h"
#include "random.h"
#include "testing.h"

#include "doc/same.h"

/* A value, how it is written, and that it is read back. */
typedef struct written {
    const char *settings;
    const char *json;
    const char *text;
} written;

static size_t wrong_texts(const written *rows, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++) {
        pith_doc *doc = must_parse_json(rows[i].json);
        pith_options options = with_settings(NULL, rows[i].settings);
        pith_buffer out = must_write(pith_doc_root(doc), "gcf1", &options);
        pith_doc *back = must_parse("gcf1", out.data, out.len, NULL);
        pith_buffer json = must_write(pith_doc_root(back), "json", NULL);
        failures += !same_bytes(rows[i].json, out.data, out.len, rows[i].text,
                                strlen(rows[i].text)) ||
                    !same_bytes("read back", json.data, json.len, rows[i].json,
                                strlen(rows[i].json));
        pith_buffer_free(&json);
        pith_doc_free(back);
        pith_buffer_free(&out);
        pith_doc_free(doc);
    }
    return failures;
}

/* A text, and the value it stands for. */
typedef struct read_as {
    const char *text;
    const char *json;
} read_as;

static size_t wrong_values(const read_as *rows, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++) {
        pith_doc *doc = must_parse("gcf1", rows[i].text, strlen(rows[i].text), NULL);
        pith_buffer json = must_write(pith_doc_root(doc), "json", NULL);
        failures += !same_bytes(rows[i].text, json.data, json.len, rows[i].json,
                                strlen(rows[i].json));
        pith_buffer_free(&json);
        pith_doc_free(doc);
    }
    return failures;
}

/* A text of gcf1 that is refused. */
typedef struct refused {
    const char *text;
    expected_error error;
} refused;

static size_t wrong_refusals(const refused *rows, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++) {
        pith_error err = {0};
        pith_doc *doc =
            pith_doc_parse("gcf1", rows[i].text, strlen(rows[i].text), NULL, &err);
        failures += doc != NULL || !same_error(rows[i].text, &err, &rows[i].error);
        pith_doc_free(doc);
    }
    return failures;
}

/* ------------------------------------------------------------- rows and what is below */

static void seed_14_only_rows_with_nested_fields_have_a_number(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL, "{\"o\":[{\"id\":1,\"c\":{\"x\":1}},{\"id\":2,\"c\":null}]}",
         "## o [2]{id}\n@0 1\n  .c\n    x=1\n@1 2\n  c=-\n"},
        {NULL, "{\"o\":[{\"id\":1,\"c\":{\"x\":1}},{\"id\":2}]}",
         "## o [2]{id}\n@0 1\n  .c\n    x=1\n2\n"},
        {NULL, "{\"o\":[{\"id\":1},{\"id\":2,\"c\":[1]},{\"id\":3,\"c\":7}]}",
         "## o [3]{id}\n1\n@1 2\n  ## c [1]\n  @0 1\n@2 3\n  c=7\n"},
        {"level=1.4", "{\"o\":[{\"id\":1},{\"id\":2,\"c\":[1]}]}",
         "## o [2]{id}\n1\n@1 2\n  c[1]: 1\n"},
        /* A field that only some rows have is none of the columns, null is. */
        {NULL, "[{\"a\":1,\"b\":2,\"c\":3,\"d\":null},{\"a\":1,\"b\":null,\"c\":3}]",
         "## [2]{a,b,c}\n@0 1|2|3\n  d=-\n1|-|3\n"},
    };
    assert_int_equal(wrong_texts(rows, ROWS(rows)), 0);
}

static void seed_14_a_number_is_never_data(void **state)
{
    (void)state;
    static const refused rows[] = {
        {"## o [2]{id}\n1001\n@0 1002\n", {PITH_BAD_INPUT, "invalid_item_id", 3, 1}},
        {"## o [1]{id}\n@1 1002\n", {PITH_BAD_INPUT, "invalid_item_id", 2, 1}},
        {"## o [1]{id}\n@00 1002\n", {PITH_BAD_INPUT, "invalid_item_id", 2, 1}},
        {"## o [1]{id}\n@99999999999999999999999 1\n",
         {PITH_BAD_INPUT, "invalid_item_id", 2, 1}},
        {"## o [1]{id}\n@7\n", {PITH_BAD_INPUT, "invalid_item_id", 2, 1}},
    };
    assert_int_equal(wrong_refusals(rows, ROWS(rows)), 0);
    static const read_as texts[] = {
        {"## o [2]{id}\n@0 1\n@1 2\n", "{\"o\":[{\"id\":1},{\"id\":2}]}"},
        {"## o [2]{id}\n\"@0 1\"\n@bob\n",
         "{\"o\":[{\"id\":\"@0 1\"},{\"id\":\"@bob\"}]}"},
    };
    assert_int_equal(wrong_values(texts, ROWS(texts)), 0);
}

static void seed_15_nested_objects_may_be_empty_and_nested(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL, "{\"o\":[{\"id\":1,\"c\":{}}]}", "## o [1]{id}\n@0 1\n  .c\n"},
        {NULL, "{\"o\":[{\"id\":1,\"c\":[]}]}", "## o [1]{id}\n@0 1\n  ## c [0]\n"},
        {NULL, "{\"o\":[{\"id\":1,\"c\":{\"d\":{\"x\":1},\"e\":{}}},{\"id\":2}]}",
         "## o [2]{id}\n@0 1\n  .c\n    .d\n      x=1\n    .e\n2\n"},
        {"level=1.4", "[1,{}]", "## [2]\n@0 1\n@1\n"},
        {"level=1.4", "[[],1]", "## [2]\n@0\n  ## [0]\n@1 1\n"},
    };
    assert_int_equal(wrong_texts(rows, ROWS(rows)), 0);
    static const read_as texts[] = {
        {"## o [1]{id}\n@0 1\n  .c\n    ## d\n      x=1\n",
         "{\"o\":[{\"id\":1,\"c\":{\"d\":{\"x\":1}}}]}"},
    };
    assert_int_equal(wrong_values(texts, ROWS(texts)), 0);
}

/* ------------------------------------------------------------------------- quotes */

static void seed_16_strings_are_quoted_where_they_need_it(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL,
         "{\"a\":\"-\",\"b\":\"true\",\"c\":\"12\",\"d\":\"\\\"q\\\"\",\"e\":\"trail "
         "\",\"f\":\" lead\",\"g\":\"-1.50\",\"h\":\"\",\"i\":\"x|y\"}",
         "a=\"-\"\nb=\"true\"\nc=\"12\"\nd=\"\\\"q\\\"\"\ne=\"trail \"\nf=\" lead\"\n"
         "g=\"-1.50\"\nh=\"\"\ni=\"x|y\"\n"},
        {NULL,
         "{\"a\":\"@0 x\",\"b\":\"# hash\",\"c\":\".x\",\"d\":\"007\",\"e\":\"1e5\",\"f\":"
         "\"say \\\"hi\\\"\",\"g\":\"a=b\",\"h\":\"null\",\"i\":\"C:\\\\x\"}",
         "a=@0 x\nb=# hash\nc=.x\nd=007\ne=1e5\nf=say \"hi\"\ng=a=b\nh=null\ni=C:\\x\n"},
        {NULL,
         "[{\"a\":\"@0 x\"},{\"a\":\"# hash\"},{\"a\":\"## h\"},{\"a\":\".x\"},{\"a\":\" "
         "lead\"},{\"a\":\"@me\"}]",
         "## [6]{a}\n\"@0 x\"\n\"# hash\"\n\"## h\"\n\".x\"\n\" lead\"\n@me\n"},
        {NULL, "[\"@0 x\",\"# hash\",\"-\"]", "## [3]\n@0 @0 x\n@1 # hash\n@2 \"-\"\n"},
        {NULL, "\"a=b\"", "\"a=b\""},
        {NULL, "\"# a\"", "\"# a\""},
        {NULL, "\"GCF x\"", "\"GCF x\""},
        {NULL, "\"a[1]: b\"", "\"a[1]: b\""},
        {NULL, "\"\xEF\xBB\xBFx\"", "\"\xEF\xBB\xBFx\""},
        {"quote=seed", "{\"a\":\"\",\"b\":\"x|y\",\"c\":\"x\\ny\",\"d\":\"Alice Smith\"}",
         "a=\"\"\nb=\"x|y\"\nc=\"x\\ny\"\nd=Alice Smith\n"},
        {"level=1.4", "{\"b\":[\"x\",\"y,z\",\" q\",null,\"-\"]}",
         "b[5]: x,\"y,z\",\" q\",-,\"-\"\n"},
        {"level=1.4", "[\"y,z\",\"\"]", "## [2]: \"y,z\",\"\"\n"},
        {"level=1.4 quote=seed", "[\"y,z\"]", "## [1]: \"y,z\"\n"},
    };
    assert_int_equal(wrong_texts(rows, ROWS(rows)), 0);
}

static void seed_17_quotes_end(void **state)
{
    (void)state;
    static const refused rows[] = {
        {"## o [1]{a,b}\n\"x|y\n", {PITH_BAD_INPUT, "unterminated_string", 2, 1}},
        {"## o [1]{a,b}\n1|\"\n", {PITH_BAD_INPUT, "unterminated_string", 2, 3}},
        {"a=\"x\n", {PITH_BAD_INPUT, "unterminated_string", 1, 3}},
        {"a=\"x\\\"\n", {PITH_BAD_INPUT, "unterminated_string", 1, 3}},
        {"a=\"x\\", {PITH_BAD_INPUT, "unterminated_string", 1, 3}},
        {"\"x", {PITH_BAD_INPUT, "unterminated_string", 1, 1}},
        {"## [1]\n@0 \"x\n", {PITH_BAD_INPUT, "unterminated_string", 2, 4}},
        {"a[2]: \"x,y\n", {PITH_BAD_INPUT, "unterminated_string", 1, 7}},
        {"a=\"x\" y\n", {PITH_BAD_INPUT, "trailing_characters", 1, 7}},
        {"## o [1]{a,b}\n\"x\"y|z\n", {PITH_BAD_INPUT, "trailing_characters", 2, 4}},
    };
    assert_int_equal(wrong_refusals(rows, ROWS(rows)), 0);
}

static void seed_18_line_breaks_are_quoted(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL, "{\"a\":\"x\\r\",\"b\":\"\\r\\n\",\"c\":\"a\\tb\"}",
         "a=\"x\\r\"\nb=\"\\r\\n\"\nc=\"a\\tb\"\n"},
        {NULL, "{\"a\":\"x\xC2\x85y\",\"b\":\"x\xE2\x80\xA8y\",\"c\":\"\xE2\x80\xA9\"}",
         "a=\"x\xC2\x85y\"\nb=\"x\xE2\x80\xA8y\"\nc=\"\xE2\x80\xA9\"\n"},
        {NULL, "{\"a\":\"x\\u000by\",\"b\":\"\\f\",\"c\":\"\\u001c\",\"d\":\"\x7F\"}",
         "a=\"x\x0By\"\nb=\"\x0C\"\nc=\"\x1C\"\nd=\"\x7F\"\n"},
        {NULL, "{\"a\":\"\xC3\xA9\xE2\x80\xA6\",\"b\":\"\\\\n\"}",
         "a=\xC3\xA9\xE2\x80\xA6\nb=\\n\n"},
        {"quote=seed", "{\"a\":\"x\\r\",\"b\":\"\xC2\x85\"}",
         "a=\"x\\r\"\nb=\"\xC2\x85\"\n"},
    };
    assert_int_equal(wrong_texts(rows, ROWS(rows)), 0);
    static const read_as texts[] = {
        {"a=\"\\\"\\\\\\n\\r\\t\"\n", "{\"a\":\"\\\"\\\\\\n\\r\\t\"}"},
    };
    assert_int_equal(wrong_values(texts, ROWS(texts)), 0);
    static const refused escapes[] = {
        {"a=\"x\\u0041\"\n", {PITH_BAD_INPUT, "invalid_escape", 1, 5}},
        {"## o [1]{a,b}\n1|\"\\q\"\n", {PITH_BAD_INPUT, "invalid_escape", 2, 4}},
        {"a[1]: \"\\\xC3\xA9\"\n", {PITH_BAD_INPUT, "invalid_escape", 1, 8}},
    };
    assert_int_equal(wrong_refusals(escapes, ROWS(escapes)), 0);
}

/* ------------------------------------------------------------------------- blanks */

static void seed_blanks_are_no_data(void **state)
{
    (void)state;
    static const read_as texts[] = {
        {"## o [1]{a, b}\n1 | 2\n", "{\"o\":[{\"a\":1,\"b\":2}]}"},
        {"## o  [1] { a ,b }\n1|\t\"x \" \n", "{\"o\":[{\"a\":1,\"b\":\"x \"}]}"},
        {"a = 1\nb\t=\tx y\n", "{\"a\":1,\"b\":\"x y\"}"},
        {"a [2]: x , y\n", "{\"a\":[\"x\",\"y\"]}"},
        {"##   s\n  x = 1\n", "{\"s\":{\"x\":1}}"},
        {"## [1]\n@0   x\n", "[\"x\"]"},
    };
    assert_int_equal(wrong_values(texts, ROWS(texts)), 0);
}

static void seed_the_first_line_of_a_graph_is_no_member(void **state)
{
    (void)state;
    static const refused rows[] = {
        {"GCF profile\n", {PITH_BAD_INPUT, "malformed_header_field", 1, 5}},
        {"a=1\nGCF tool=x\n", {PITH_BAD_INPUT, "graph_header", 2, 1}},
    };
    static const read_as graph[] = {
        {"GCF tool=x\n", "{\"tool\":\"x\",\"symbols\":[],\"edges\":[]}"},
    };
    assert_int_equal(wrong_refusals(rows, ROWS(rows)), 0);
    assert_int_equal(wrong_values(graph, ROWS(graph)), 0);
}

/* ------------------------------------------------------------------ lost indentation */

static void note_code(void *ctx, const pith_error *remark)
{
    snprintf((char *)ctx, 64, "%s %zu", remark->code, remark->line);
}

static void seed_texts_without_indentation_are_understood(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *json;
        const char *told;
    } rows[] = {
        {"## database\nhost=db.example.com\nport=5432\n## cache\nttl=3600\n",
         "{\"database\":{\"host\":\"db.example.com\",\"port\":5432},\"cache\":{\"ttl\":"
         "3600}}",
         "lost_indentation 2"},
        {"## server\nhost=0.0.0.0\n## tls\ncert=/x\n",
         "{\"server\":{\"host\":\"0.0.0.0\"},\"tls\":{\"cert\":\"/x\"}}",
         "lost_indentation 2"},
        {"## orders [2]{id,total}\n@0 1001|249.99\n.customer\nname=Alice\ntier=\"a|b\"\n"
         "@1 1002|89.50\n.customer\nname=Bob\n",
         "{\"orders\":[{\"id\":1001,\"total\":249.99,\"customer\":{\"name\":\"Alice\","
         "\"tier\":\"a|b\"}},{\"id\":1002,\"total\":89.50,\"customer\":{\"name\":\"Bob\"}}"
         "]}",
         "lost_indentation 3"},
        {"## o [3]{id,t}\n@0 1|x\n.c\ny=1\n2|a=b\n@2 3|z\nc=-\n",
         "{\"o\":[{\"id\":1,\"t\":\"x\",\"c\":{\"y\":1}},{\"id\":2,\"t\":\"a=b\"},"
         "{\"id\":3,\"t\":\"z\",\"c\":null}]}",
         "lost_indentation 3"},
        {"## o [2]{id}\n@0 1\n## i [2]{s}\nA\nB\n2\n",
         "{\"o\":[{\"id\":1,\"i\":[{\"s\":\"A\"},{\"s\":\"B\"}]},{\"id\":2}]}",
         "lost_indentation 3"},
        {"## m [3]\n@0\ntype=user\nt[2]: a,b\n@1 5\n@2\n## [2]\n@0 1\n@1 2\n",
         "{\"m\":[{\"type\":\"user\",\"t\":[\"a\",\"b\"]},5,[1,2]]}",
         "lost_indentation 3"},
        /* Where one line is indented none was lost. */
        {"## a\nb=1\n## c\n  d=2\n", "{\"a\":{},\"b\":1,\"c\":{\"d\":2}}", ""},
        {"## a\n  # empty\nb=1\n", "{\"a\":{},\"b\":1}", ""},
        {"a=1\n## t [1]{x}\n1\nb=1\n## s\n",
         "{\"a\":1,\"t\":[{\"x\":1}],\"b\":1,\"s\":{}}", ""},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char told[64] = "";
        pith_options options = with_settings(NULL, NULL);
        options.notice = note_code;
        options.notice_ctx = told;
        pith_doc *doc = must_parse("gcf1", rows[i].text, strlen(rows[i].text), &options);
        pith_buffer json = must_write(pith_doc_root(doc), "json", NULL);
        failures +=
            !same_bytes(rows[i].text, json.data, json.len, rows[i].json,
                        strlen(rows[i].json)) ||
            !same_bytes("told", told, strlen(told), rows[i].told, strlen(rows[i].told));
        pith_buffer_free(&json);
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

static void empty_objects_are_not_taken_for_lost_indentation(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL, "{\"database\":{},\"host\":\"x\"}", "## database\n  # empty\nhost=x\n"},
        {NULL, "{\"m\":[{}],\"b\":1}", "## m [1]\n@0\n  # empty\nb=1\n"},
        {"level=1.4", "{\"a\":{},\"b\":[1]}", "## a\n  # empty\nb[1]: 1\n"},
        {NULL, "{\"a\":{},\"b\":{},\"c\":[{\"x\":1}]}", "## a\n## b\n## c [1]{x}\n1\n"},
        {NULL, "{\"s\":{\"x\":1},\"a\":{},\"b\":1}", "## s\n  x=1\n## a\nb=1\n"},
    };
    assert_int_equal(wrong_texts(rows, ROWS(rows)), 0);
}

/* ------------------------------------------------------------------ values at random */

/* Adds a string made of pieces that mean something somewhere in GCF 1. */
static void add_any_text(pith_doc *doc, uint64_t *chance)
{
    static const char *const pieces[] = {
        "-",      "true", "12",           "0",  ".",  "\"", "\\",   " ",        "@0",
        "@",      "#",    "## ",          "|",  ",",  "=",  "[2]",  "]: ",      "{a}",
        "GCF ",   "x",    "\n",           "\r", "\t", "\v", "\x7F", "\xC2\x85", "é",
        "\u2028", "",     "\xEF\xBB\xBF",
    };
    char text[64] = "";
    for (size_t i = random_below(chance, 4); i > 0; i--) {
        strcat(text, pieces[random_below(chance, ROWS(pieces))]);
    }
    pith_doc_add_text(doc, text, strlen(text));
}

static void add_any_scalar(pith_doc *doc, uint64_t *chance)
{
    switch (random_below(chance, 6)) {
    case 0:
        pith_doc_add_null(doc);
        break;
    case 1:
        pith_doc_add_bool(doc, random_below(chance, 2) == 0);
        break;
    case 2:
        pith_doc_add_int64(doc, (int64_t)random_below(chance, 100) - 50);
        break;
    default:
        add_any_text(doc, chance);
    }
}

/* Objects have some of few keys, so that lists of them are often tables. */
static void add_any_value(pith_doc *doc, uint64_t *chance, unsigned depth)
{
    static const char *const keys[] = {"a", "b b", "c", "d"};
    size_t what = depth > 0 ? random_below(chance, 5) : 4;
    if (what < 2) {
        size_t odds = 1 + random_below(chance, 6);
        pith_doc_open_object(doc);
        for (size_t i = 0; i < ROWS(keys); i++) {
            if (random_below(chance, 6) < odds) {
                pith_doc_add_key(doc, keys[i], strlen(keys[i]));
                add_any_value(doc, chance, depth - 1);
            }
        }
        pith_doc_close(doc);
    } else if (what < 4) {
        pith_doc_open_array(doc);
        for (size_t i = random_below(chance, 5); i > 0; i--) {
            add_any_value(doc, chance, depth - 1);
        }
        pith_doc_close(doc);
    } else {
        add_any_scalar(doc, chance);
    }
}

/* Where the keys are plain words nothing is refused, and everything comes back. */
static void seed_16_all_strings_come_back(void **state)
{
    (void)state;
    static const char *const settings[] = {"quote=needed", "level=1.4"};
    uint64_t chance = 19;
    for (size_t i = 0; i < OFTEN(20000); i++) {
        pith_doc *doc = pith_doc_new(NULL);
        pith_error err = {0};
        add_any_value(doc, &chance, 5);
        assert_int_equal(pith_doc_finish(doc, &err), PITH_OK);
        pith_options options = with_settings(NULL, settings[i % 2]);
        pith_buffer text = must_write(pith_doc_root(doc), "gcf1", &options);
        pith_doc *back = must_parse("gcf1", text.data, text.len, NULL);
        bool known = true;
        if (!doc_same(doc, 0, back, 0, &known)) {
            show_bytes("does not come back", text.data, text.len);
            fail();
        }
        pith_doc_free(back);
        pith_buffer_free(&text);
        pith_doc_free(doc);
    }
}

/* ------------------------------------------------------------------------ refusals */

static void texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        const char *text;
        expected_error error;
    } rows[] = {
        {"gcf1-graph",
         "GCF tool=t delta=true base_root=a new_root=b\n## removed\nfn a\n",
         {PITH_BAD_INPUT, "not_a_document", 1, 12}},
        {"gcf1-graph", "GCF budget=1\n", {PITH_BAD_INPUT, "missing_tool", 1, 1}},
        {"gcf1", "## [2]\n@0\n@2\n", {PITH_BAD_INPUT, "invalid_item_id", 3, 1}},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse(rows[i].format, rows[i].text, strlen(rows[i].text),
                                       NULL, &err);
        failures += doc != NULL || !same_error(rows[i].text, &err, &rows[i].error);
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

#define SYMBOL(score)                                                                    \
    "{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\",\"score\":" score           \
    ",\"provenance\":\"p\",\"distance\":0}],\"edges\":[]}"

static void seed_16_values_that_cannot_be_held_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        const char *settings;
        const char *json;
        pith_status status;
        const char *code;
    } rows[] = {
        {"gcf1-graph", "tool=\"a b\"", SYMBOL("0.5"), PITH_BAD_USE, "bad_setting"},
        {"gcf1-graph", "", SYMBOL("0.5"), PITH_UNREPRESENTABLE, "missing_tool"},
        {"gcf1-graph", "tool=t strict=true", SYMBOL("0.785"), PITH_UNREPRESENTABLE,
         "lossy"},
        {"gcf1-graph", "tool=t strict=true", SYMBOL("0.995"), PITH_UNREPRESENTABLE,
         "lossy"},
        {"gcf1-graph", "tool=t strict=true", SYMBOL("0.78"), PITH_OK, NULL},
        {"gcf1", "quote=seed", "{\"a\":\"12\"}", PITH_UNREPRESENTABLE, "lossy"},
        {"gcf1", "quote=seed lossy=true", "{\"a\":\"12\"}", PITH_OK, NULL},
        {"gcf1", "", "{\"a=b\":1}", PITH_UNREPRESENTABLE, "lossy"},
        {"gcf1", "lossy=true", "{\"a=b\":1}", PITH_OK, NULL},
        {"gcf1", "", "[{\"a,b\":1}]", PITH_UNREPRESENTABLE, "lossy"},
        {"gcf1", "", "[{\"a}b\":1}]", PITH_UNREPRESENTABLE, "lossy"},
        {"gcf1", "", "{\" a\":1}", PITH_UNREPRESENTABLE, "lossy"},
        {"gcf1", "", "{\"# a\":1}", PITH_UNREPRESENTABLE, "lossy"},
        {"gcf1", "", "{\"GCF tool\":\"x\"}", PITH_UNREPRESENTABLE, "lossy"},
        {"gcf1", "", "[1e5000]", PITH_UNREPRESENTABLE, "lossy"},
        {"gcf1", "strict=true", "1", PITH_BAD_USE, "unknown_setting"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_doc *doc = must_parse_json(rows[i].json);
        pith_options options = with_settings(NULL, rows[i].settings);
        pith_buffer out = {0};
        pith_error err = {0};
        pith_status status = pith_value_write(pith_doc_root(doc), rows[i].format,
                                              &options, pith_sink_buffer(&out), &err);
        bool right = status == rows[i].status &&
                     (!rows[i].code || strcmp(err.code, rows[i].code) == 0) &&
                     (out.len > 0) == (status == PITH_OK);
        if (!right) {
            fprintf(stderr, "%s as %s (%s): %s, %zu bytes\n", rows[i].json,
                    rows[i].format, rows[i].settings, err.code ? err.code : "written",
                    out.len);
        }
        failures += !right;
        pith_buffer_free(&out);
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

/* The first rows are alike, but each of those behind has a field of its own: as a table
 * that would be mostly gaps, and a gap is read as null. */
static void rows_without_common_fields_are_no_table(void **state)
{
    (void)state;
    bytes json = {0};
    bytes_put(&json, "[");
    for (int i = 0; i < 2000; i++) {
        bytes_print(&json, "%s{\"a%d\":%d}", i ? "," : "", i < 5 ? 0 : i, i);
    }
    bytes_put(&json, "]");
    bytes_add(&json, "", 1);
    pith_doc *doc = must_parse_json(json.ptr);
    pith_buffer out = must_write(pith_doc_root(doc), "gcf1", NULL);
    static const char start[] = "## [2000]\n@0\n  a0=0\n@1\n";
    assert_true(out.len > sizeof start);
    assert_memory_equal(out.data, start, sizeof start - 1);
    pith_doc *back = must_parse("gcf1", out.data, out.len, NULL);
    must_hold_json(back, json.ptr);
    pith_doc_free(back);
    pith_buffer_free(&out);
    pith_doc_free(doc);
    bytes_free(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_14_only_rows_with_nested_fields_have_a_number),
        cmocka_unit_test(seed_14_a_number_is_never_data),
        cmocka_unit_test(seed_15_nested_objects_may_be_empty_and_nested),
        cmocka_unit_test(seed_16_strings_are_quoted_where_they_need_it),
        cmocka_unit_test(seed_17_quotes_end),
        cmocka_unit_test(seed_18_line_breaks_are_quoted),
        cmocka_unit_test(seed_blanks_are_no_data),
        cmocka_unit_test(seed_the_first_line_of_a_graph_is_no_member),
        cmocka_unit_test(seed_texts_without_indentation_are_understood),
        cmocka_unit_test(empty_objects_are_not_taken_for_lost_indentation),
        cmocka_unit_test(seed_16_all_strings_come_back),
        cmocka_unit_test(texts_are_refused),
        cmocka_unit_test(seed_16_values_that_cannot_be_held_are_refused),
        cmocka_unit_test(rows_without_common_fields_are_no_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
