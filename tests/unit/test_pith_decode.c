/*
 * test_pith_decode.c - what the Pith decoder does with texts that code makes: some that lost
 * a part, deep and endless ones, and those that only look like Pith. What it accepts, what it
 * refuses and where is in tests/vectors/pith.
 */
#include "bytes.h"
#include "meter.h"
#include "testing.h"

/* --------------------------------------------------------------------------- refused */

/* Rows, cells and tails that go missing. Every text with one piece less is refused. */
static void losses_are_noticed(void **state)
{
    (void)state;
    static const char text[] =
        "{orders:[3{id,customer{name,city},items[4{sku,qty}],paid}\n"
        "1,Ada,Paris,[A1,2;B7,1],true\n"
        "2,Bob,Oslo,[],false\n"
        "3,Eve,Rome,[A1,9;C3,4],true\n"
        "]}";
    size_t len = sizeof text - 1;
    pith_doc *doc = pith_doc_parse("pith", text, len, NULL, NULL);
    assert_non_null(doc);
    pith_doc_free(doc);
    for (size_t cut = 0; cut < len; cut++)
        assert_null(pith_doc_parse("pith", text, cut, NULL, NULL));
    /* One cell with its comma, one inner row with its semicolon, one row with its feed. */
    static const char *const pieces[] = {"1,Ada",
                                         ",Paris",
                                         ",Oslo",
                                         ",true\n2",
                                         "A1,2;",
                                         ";C3,4",
                                         "2,",
                                         "[],",
                                         "1,Ada,Paris,[A1,2;B7,1],true\n",
                                         "2,Bob,Oslo,[],false\n",
                                         "3,Eve,Rome,[A1,9;C3,4],true\n"};
    for (size_t i = 0; i < ROWS(pieces); i++) {
        const char *at = strstr(text, pieces[i]);
        assert_non_null(at);
        const char *comma = strchr(pieces[i], ',');
        size_t skip = strlen(pieces[i]);
        if (i == 0)
            skip = (size_t)(comma + 1 - pieces[i]); /* the first cell */
        else if (i == 3)
            skip = 5; /* the last cell of its row */
        bytes less = {0};
        bytes_add(&less, text, (size_t)(at - text));
        bytes_put(&less, at + skip);
        pith_error err = {0};
        doc = pith_doc_parse("pith", less.ptr, less.len, NULL, &err);
        if (doc)
            fprintf(stderr, "not noticed: %s\n", pieces[i]);
        assert_null(doc);
        bytes_free(&less);
    }
}

/* ---------------------------------------------------------------------------- limits */

static void depth(void **state)
{
    (void)state;
    pith_options options = {0};
    pith_error err = {0};
    options.depth_max = 4;
    /* A table is two, a group one more, a table column two more. */
    static const char *const fine[] = {"[1{a};[[]]]", "[1{g{h{x}}};1]",
                                       "[1{t[1{x}]};[1]]", "[[[[]]]]",
                                       "{1{g{h{x}}};k:1}"};
    static const char *const deep[] = {"[1{a};[[[]]]]", "[1{g{h{i{x}}}};1]",
                                       "[1{g{t[1{x}]}};[1]]", "[[[[[]]]]]",
                                       "[[[[1{a};1]]]]"};
    for (size_t i = 0; i < ROWS(fine); i++) {
        pith_doc *doc = pith_doc_parse("pith", fine[i], strlen(fine[i]), &options, &err);
        assert_non_null(doc);
        pith_doc_free(doc);
    }
    for (size_t i = 0; i < ROWS(deep); i++) {
        assert_null(pith_doc_parse("pith", deep[i], strlen(deep[i]), &options, &err));
        assert_string_equal(err.code, "depth_limit");
        assert_int_equal(err.status, PITH_LIMIT);
    }
}

/* Groups by the hundred thousand, in one header. */
static void deep_header(void **state)
{
    (void)state;
    bytes text = {0};
    pith_options options = {0};
    options.depth_max = PITH_DEPTH_MOST;
    bytes_put(&text, "[2{");
    bytes_repeat(&text, "g{", 100000);
    bytes_put(&text, "x,y");
    bytes_repeat(&text, "}", 100000);
    bytes_put(&text, "};1,2;,3]");
    pith_doc *doc = must_parse("pith", text.ptr, text.len, &options);
    assert_int_equal(pith_value_count(pith_doc_root(doc)), 2);
    pith_doc_free(doc);
    bytes_free(&text);
}

/* A count that promises much costs nothing. */
static void a_count_is_no_memory(void **state)
{
    (void)state;
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    pith_error err = {0};
    static const char text[] = "[9007199254740991{a,t[9007199254740991{x}]};1,[1]]";
    assert_null(pith_doc_parse("pith", LIT(text), &options, &err));
    assert_string_equal(err.code, "count_mismatch");
    assert_true(counts.peak_bytes < 64 * 1024);
    assert_true(meter_clean(&counts));
}

/* Rows are handed on in bounded memory, also when their shapes are too many to keep. */
static void long_streams(void **state)
{
    (void)state;
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    pith_reader *reader = pith_reader_open("pith", &options, NULL);
    assert_non_null(reader);
    bytes text = {0};
    bytes_put(&text, "[?{id");
    for (unsigned i = 0; i < 18; i++)
        bytes_print(&text, ",c%u", i);
    bytes_put(&text, ",t[?{x}]}");
    uint32_t mix = 7;
    size_t rows = 0;
    size_t taken = 0;
    size_t members = 0;
    size_t expected = 0;
    for (; rows < 30000; rows++) {
        bytes_print(&text, "\n%zu", rows);
        expected += 2;
        for (unsigned i = 0; i < 18; i++) {
            mix = mix * 1664525u + 1013904223u;
            bytes_put(&text, mix >> 31 ? ",v" : ",");
            expected += mix >> 31;
        }
        bytes_put(&text, ",[1;2]");
        assert_int_equal(pith_reader_feed(reader, text.ptr, text.len, NULL), PITH_OK);
        text.len = 0;
        for (;;) {
            pith_value row;
            assert_int_equal(pith_reader_next(reader, &row, NULL), PITH_OK);
            if (!row.doc)
                break;
            members += pith_value_count(row);
            taken++;
        }
    }
    bytes_put(&text, "\n]30000");
    assert_int_equal(pith_reader_feed(reader, text.ptr, text.len, NULL), PITH_OK);
    assert_int_equal(pith_reader_end(reader, NULL), PITH_OK);
    pith_value row;
    pith_error err = {0};
    while (pith_reader_next(reader, &row, &err) == PITH_OK && row.doc) {
        members += pith_value_count(row);
        taken++;
    }
    assert_int_equal(err.status, PITH_OK);
    assert_int_equal(taken, rows);
    assert_int_equal(members, expected);
    assert_true(counts.peak_bytes < 32 * 1024 * 1024);
    pith_reader_free(reader);
    assert_true(meter_clean(&counts));
    bytes_free(&text);
}

/* ---------------------------------------------------------------------------- sniffing */

static void content(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *format;
    } rows[] = {
        {"[3{id,name}\n", "pith"},
        {"{2{a};", "pith"},
        {"[?{a}\n", "pith"},
        {"{name:app,\n", "pith"},
        {"{a b: 1}", "pith"},
        {"{\"a\":1}", "json"},
        {"[1,2]", "json"},
        {"[a,b]", "pith"},
        {"[[1,2],[3,b]]", "pith"},
        {"[{ok:c}]", "pith"},
        {"[\"\",0.5,x]", "pith"},
        {"[\"a, b\",true,New York]", "pith"},
        {"{\"\\t\":12 Main St}", "pith"},
        {"[\"\u00e9\\\"\",\u00e9]", "pith"},
        {"[2026-01-31]", "pith"},
        {"[12:30,1]", "pith"},
        {"[1,[?{a}\n1\n]]", "pith"},
        {"[/usr/lib]", "pith"},
        {"[-]", "pith"},
        {"[{0xA:items}]", "pith"},
        {"[0xAG]", "pith"},
        {"[0y1]", "pith"},
        /* JSON, good or bad */
        {"{}", "json"},
        {"[[],{}]", "json"},
        {"{\"a, b\":[1,true,null]}", "json"},
        {"[\"a\",b]", "json"},
        {"{\"a b\":NaN}", "json"},
        {"[\"\u00e9\",\u00e9]", "json"},
        {"[NaN,-Infinity,None,undefined]", "json"},
        {"[01,+1,.5,1.,0xFF,-0x1]", "json"},
        {"[1 2 3]", "json"},
        {"[1,2,...]", "json"},
        {"{'a':1}", "json"},
        {"[// first\na]", "json"},
        {"[/* first */ a]", "json"},
        {"[# first\na]", "json"},
        {"{{name}}", "json"},
        {"{} x", "json"},
        {"[x", "json"},
        {"[\"x", "json"},
        {"[\"\\", "json"},
        {"[\"a, b\"", "json"},
        {"[\\\"a\\\"]", "json"},
        {"a: 1\n", "toon"},
        {"[2]{a,b}:\n  1,2\n", "toon"},
        {"GCF profile=generic\n", "gcf"},
        {"{\"a\":1}\n{\"a\":2}\n", "ndjson"},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        const pith_format *found =
            pith_format_of(NULL, rows[i].text, strlen(rows[i].text));
        if (!found || strcmp(found->name, rows[i].format) != 0) {
            fprintf(stderr, "%s is like %s\n", rows[i].text,
                    found ? found->name : "none");
        }
        assert_non_null(found);
        assert_string_equal(found->name, rows[i].format);
    }
    assert_string_equal(pith_format_of("a.pith", NULL, 0)->name, "pith");
}

/* Numbers, and at the end a word. */
static void content_far_away(void **state)
{
    (void)state;
    enum { LOOK = 64 * 1024 };
    for (int more = 0; more < 2; more++) {
        bytes text = {0};
        bytes_put(&text, more ? "[0," : "[");
        bytes_repeat(&text, "1,", (LOOK - 4) / 2);
        bytes_put(&text, "x]");
        const pith_format *found = pith_format_of(NULL, text.ptr, text.len);
        assert_string_equal(found->name, more ? "json" : "pith");
        bytes_free(&text);
    }
}

/* ------------------------------------------------------------------------------ names */

/* Rows that repeat what earlier ones named or have above them: memory is that of the names
 * and one row. */
static void named_streams(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    meter counts = {0};
    pith_options options = {.alloc = meter_alloc(&counts)};
    pith_reader *reader = pith_reader_open("pith", &options, NULL);
    assert_non_null(reader);
    bytes text = {0};
    bytes_put(&text, "[?{id,day=,who,kind=[x],mail=[*@x.org]}\n"
                     "0,[1,2],\\1={name:Ada,of:\\2=https://x.org/\\a},,a");
    for (size_t i = 1; i <= COUNT; i++) {
        bytes_print(&text, "\n%zu,%s,%s,%s,%zu", i, i % 7 ? "" : "[{k:v},3]",
                    i % 2 ? "\\1{,\\2b}" : "\\1", i % 5 ? "" : "y", i);
        assert_int_equal(pith_reader_feed(reader, text.ptr, text.len, NULL), PITH_OK);
        text.len = 0;
        pith_value row = {0};
        assert_int_equal(pith_reader_next(reader, &row, NULL), PITH_OK);
        assert_true(row.doc != NULL);
        if (i == 2) {
            pith_buffer json = must_write(row, "json", NULL);
            assert_string_equal(
                json.data, "{\"id\":1,\"day\":[1,2],\"who\":{\"name\":\"Ada\",\"of\":"
                           "\"https://x.org/b\"},\"kind\":\"x\",\"mail\":\"1@x.org\"}");
            pith_buffer_free(&json);
        }
    }
    assert_true(counts.peak_bytes < 256 * 1024);
    pith_reader_free(reader);
    bytes_free(&text);
    assert_true(meter_clean(&counts));
}

/* A million names that nothing uses, and a chain in which each is one longer. */
static void many_names(void **state)
{
    (void)state;
    enum { COUNT = 1000000 };
    bytes text = {0};
    pith_error err = {0};
    bytes_put(&text, "[0");
    for (size_t i = 1; i <= COUNT; i++)
        bytes_print(&text, ",\\%zu=1", i);
    bytes_put(&text, "]");
    pith_doc *doc = pith_doc_parse("pith", text.ptr, text.len, NULL, &err);
    assert_non_null(doc);
    assert_int_equal(pith_value_count(pith_doc_root(doc)), COUNT + 1);
    pith_doc_free(doc);
    text.len = 0;
    bytes_put(&text, "[\\1=a/\\b");
    for (size_t i = 2; i <= 5000; i++)
        bytes_print(&text, ",\\%zu=\\%zux", i, i - 1);
    bytes_put(&text, "]");
    assert_null(pith_doc_parse("pith", text.ptr, text.len, NULL, &err));
    assert_string_equal(err.code, "repeat_limit");
    bytes_free(&text);
}

/* Lists of lists of lists, each of ten of the one before: the limit ends that at once. */
static void no_explosion(void **state)
{
    (void)state;
    bytes text = {0};
    pith_error err = {0};
    bytes_put(&text, "[\\1=[1,1,1,1,1,1,1,1,1,1]");
    for (size_t i = 2; i <= 30; i++) {
        bytes_print(&text, ",\\%zu=[", i);
        for (size_t j = 0; j < 10; j++)
            bytes_print(&text, "%s\\%zu", j > 0 ? "," : "", i - 1);
        bytes_put(&text, "]");
    }
    bytes_put(&text, "]");
    assert_null(pith_doc_parse("pith", text.ptr, text.len, NULL, &err));
    assert_string_equal(err.code, "repeat_limit");
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_are_noticed), cmocka_unit_test(depth),
        cmocka_unit_test(deep_header),        cmocka_unit_test(a_count_is_no_memory),
        cmocka_unit_test(long_streams),       cmocka_unit_test(content),
        cmocka_unit_test(content_far_away),   cmocka_unit_test(named_streams),
        cmocka_unit_test(many_names),         cmocka_unit_test(no_explosion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
