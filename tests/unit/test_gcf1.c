/*
 * test_gcf1.c - GCF 1 beside its fixtures: texts that lost their indentation, values at
 * random, and values that make its tables too wide. What the description and the suite show
 * is in tests/conformance, and more texts are in tests/vectors/gcf1. Tests and vectors named
 * seed_N are about statement N of docs/seeds.md.
 */
#include "bytes.h"
#include "random.h"
#include "testing.h"

#include "doc/same.h"

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
    for (size_t i = random_below(chance, 4); i > 0; i--)
        strcat(text, pieces[random_below(chance, ROWS(pieces))]);
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
        for (size_t i = random_below(chance, 5); i > 0; i--)
            add_any_value(doc, chance, depth - 1);
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

/* The first rows are alike, but each of those after has a field of its own: as a table
 * that would be mostly gaps, and a gap is read as null. */
static void rows_without_common_fields_are_no_table(void **state)
{
    (void)state;
    bytes json = {0};
    bytes_put(&json, "[");
    for (int i = 0; i < 2000; i++)
        bytes_print(&json, "%s{\"a%d\":%d}", i ? "," : "", i < 5 ? 0 : i, i);
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
        cmocka_unit_test(seed_texts_without_indentation_are_understood),
        cmocka_unit_test(seed_16_all_strings_come_back),
        cmocka_unit_test(rows_without_common_fields_are_no_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
