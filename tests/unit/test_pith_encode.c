/*
 * test_pith_encode.c - what the Pith encoder writes, rule by rule.
 *
 * A row is settings, a JSON text and the bytes that must be written for it. Whatever is
 * written is read back, and unless order or digits were given up, it must be the same
 * value and be written as the same bytes again.
 */
#include "bytes.h"
#include "testing.h"

typedef struct written {
    const char *settings;
    const char *json;
    const char *text;
} written;

static bool runs(const written *row)
{
    pith_options options = with_settings(NULL, row->settings);
    pith_doc *doc = must_parse_json(row->json);
    pith_buffer out = must_write(pith_doc_root(doc), "pith", &options);
    bool right = same_bytes("written", out.data, out.len, row->text, strlen(row->text));
    bool loose = row->settings && (strstr(row->settings, "order=free") ||
                                   strstr(row->settings, "numbers=shortest"));
    pith_error err = {0};
    pith_doc *back = pith_doc_parse("pith", out.data, out.len, NULL, &err);
    if (!back) {
        fprintf(stderr, "%s at %zu:%zu: %s\n", err.code, err.line, err.column,
                err.message);
        right = false;
    } else {
        if (!loose && !pith_value_equal(pith_doc_root(doc), pith_doc_root(back))) {
            fputs("another value\n", stderr);
            right = false;
        }
        pith_buffer again = must_write(pith_doc_root(back), "pith", &options);
        right = same_bytes("again", again.data, again.len, out.data, out.len) && right;
        pith_buffer_free(&again);
    }
    if (!right) {
        fprintf(stderr, "  of %s (%s)\n", row->json, row->settings ? row->settings : "");
    }
    pith_doc_free(back);
    pith_buffer_free(&out);
    pith_doc_free(doc);
    return right;
}

static void run_all(const written *rows, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++) {
        failures += !runs(&rows[i]);
    }
    assert_int_equal(failures, 0);
}

/* --------------------------------------------------------------------------- scalars */

static void strings(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL, "\"\"", "\"\""},
        {NULL, "\"a\"", "a"},
        {NULL, "\"a b\"", "a b"},
        {NULL, "\" a\"", "\" a\""},
        {NULL, "\"a \"", "\"a \""},
        {NULL, "\"a,b\"", "\"a,b\""},
        {NULL, "\"a;b\"", "\"a;b\""},
        {NULL, "\"a{b\"", "\"a{b\""},
        {NULL, "\"a}b\"", "\"a}b\""},
        {NULL, "\"a[b\"", "\"a[b\""},
        {NULL, "\"a]b\"", "\"a]b\""},
        {NULL, "\"a\\\"b\"", "\"a\\\"b\""},
        {NULL, "\"a\\\\b\"", "\"a\\\\b\""},
        {NULL, "\"a:b=c\"", "a:b=c"},
        {NULL, "\"a|b~c#d\"", "a|b~c#d"},
        {NULL, "\"\\u007f\"", "\"\x7f\""},
        {NULL, "\"a text of sixteen\"", "a text of sixteen"},
        {NULL, "\"a text with a comma beyond sixteen, here\"",
         "\"a text with a comma beyond sixteen, here\""},
        {NULL, "\"\\b\\f\\n\\r\\t\\u0000\\u001f\"", "\"\\b\\f\\n\\r\\t\\u0000\\u001f\""},
        /* Controls and spaces beyond ASCII: the former anywhere, the latter at an end. */
        {NULL, "\"a\\u0080b\"",
         "\"a\xc2\x80"
         "b\""},
        {NULL, "\"a\\u009fb\"",
         "\"a\xc2\x9f"
         "b\""},
        {NULL, "\"a\\u00a0b\"",
         "a\xc2\xa0"
         "b"},
        {NULL, "\"a\\u00a0\"", "\"a\xc2\xa0\""},
        {NULL, "\"\\u00a0a\"",
         "\"\xc2\xa0"
         "a\""},
        {NULL, "\"\\u1680\"", "\"\xe1\x9a\x80\""},
        {NULL, "\"\\u2000a\"",
         "\"\xe2\x80\x80"
         "a\""},
        {NULL, "\"a\\u200a\"", "\"a\xe2\x80\x8a\""},
        {NULL, "\"a\\u200b\"", "a\xe2\x80\x8b"},
        {NULL, "\"a\\u2028b\"",
         "\"a\xe2\x80\xa8"
         "b\""},
        {NULL, "\"a\\u2029b\"",
         "\"a\xe2\x80\xa9"
         "b\""},
        {NULL, "\"a\\u202f\"", "\"a\xe2\x80\xaf\""},
        {NULL, "\"\\u205fa\"",
         "\"\xe2\x81\x9f"
         "a\""},
        {NULL, "\"a\\u3000\"", "\"a\xe3\x80\x80\""},
        {NULL, "\"a\\ufeffb\"",
         "\"a\xef\xbb\xbf"
         "b\""},
        {NULL, "\"\\u00e9\"", "\xc3\xa9"},
        /* What would be read as something else. */
        {NULL, "\"null\"", "\"null\""},
        {NULL, "\"true\"", "\"true\""},
        {NULL, "\"false\"", "\"false\""},
        {NULL, "\"nulls\"", "nulls"},
        {NULL, "\"True\"", "True"},
        {NULL, "\"0\"", "\"0\""},
        {NULL, "\"-0\"", "\"-0\""},
        {NULL, "\"01\"", "\"01\""},
        {NULL, "\"+1\"", "\"+1\""},
        {NULL, "\".5\"", "\".5\""},
        {NULL, "\"5.\"", "\"5.\""},
        {NULL, "\"5.e1\"", "\"5.e1\""},
        {NULL, "\"1e5\"", "\"1e5\""},
        {NULL, "\"1E+05\"", "\"1E+05\""},
        {NULL, "\"1e\"", "1e"},
        {NULL, "\"-\"", "-"},
        {NULL, "\"+.\"", "+."},
        {NULL, "\"1.2.3\"", "1.2.3"},
        {NULL, "\"1 2\"", "1 2"},
        {NULL, "\"0x10\"", "0x10"},
        {NULL, "\"?\"", "?"},
    };
    run_all(rows, ROWS(rows));
}

static void keys(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL, "{\"a\":1}", "{a:1}"},
        {NULL, "{\"1\":1}", "{1:1}"},
        {NULL, "{\"null\":1}", "{null:1}"},
        {NULL, "{\"01\":1}", "{01:1}"},
        {NULL, "{\"a b\":1}", "{a b:1}"},
        {NULL, "{\" a\":1}", "{\" a\":1}"},
        {NULL, "{\"\":1}", "{\"\":1}"},
        {NULL, "{\"a:b\":1}", "{\"a:b\":1}"},
        {NULL, "{\"a=b\":1}", "{\"a=b\":1}"},
        {NULL, "{\"a;b\":1}", "{\"a;b\":1}"},
        {NULL, "{\"a\\nb\":1}", "{\"a\\nb\":1}"},
        {NULL, "{\"\\u00a0\":1}", "{\"\xc2\xa0\":1}"},
        {NULL, "{\"?\":{\"a\":1}}", "{?:{a:1}}"},
        {NULL, "{\"2\":{\"a\":1}}", "{2:{a:1}}"},
        {NULL, "{\"2{a\":1}", "{\"2{a\":1}"},
    };
    run_all(rows, ROWS(rows));
}

static void numbers(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL, "[1.0,1.00,1,-0,1e5,1E+5,0.10]", "[1.0,1.00,1,-0,1e5,1E+5,0.10]"},
        {"numbers=shortest", "[1.0,1.50,1e2,0.10,100,-0.0]", "[1,1.5,1e2,0.1,100,-0]"},
        {"numbers=shortest", "[123456789012345678901234567890,1e999]",
         "[123456789012345678901234567890,1e999]"},
        {"numbers=shortest", "[3.141592653589793238462643,0.30000000000000004]",
         "[3.141592653589793,0.30000000000000004]"},
        /* Equal once they are short, and so a constant. */
        {"numbers=shortest", "[{\"a\":1,\"b\":1.50},{\"a\":2,\"b\":1.5}]",
         "[2{a,b=1.5}\n1\n2\n]"},
    };
    run_all(rows, ROWS(rows));
}

/* ---------------------------------------------------------------------------- layout */

static void layout(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL, "{\"a\":1,\"b\":{\"c\":2,\"d\":3}}", "{a:1,\nb:{c:2,d:3}}"},
        {"rows=inline", "{\"a\":1,\"b\":{\"c\":2,\"d\":3}}", "{a:1,b:{c:2,d:3}}"},
        {NULL, "{\"t\":{\"u\":[{\"a\":1,\"b\":2},{\"a\":3,\"b\":4}]}}",
         "{t:{u:[2{a,b}\n1,2\n3,4\n]}}"},
        {"rows=inline", "{\"t\":[{\"a\":1,\"b\":2},{\"a\":3,\"b\":4}],\"n\":1}",
         "{t:[2{a,b};1,2;3,4],n:1}"},
        /* In a row everything stays on its line. */
        {NULL,
         "[{\"k\":1,\"m\":[{\"a\":1,\"b\":2},{\"a\":3,\"b\":4}]},{\"k\":2,\"m\":null}]",
         "[2{k,m}\n1,[2{a,b};1,2;3,4]\n2,null\n]"},
        /* Lines between members are paid for by keys without quotes: two of four are
         * enough, one of three is not. */
        {NULL, "{\"a:\":1,\"b:\":2,\"c\":3,\"d\":4}",
         "{\"a:\":1,\n\"b:\":2,\nc:3,\nd:4}"},
        {NULL, "{\"a:\":1,\"b:\":2,\"c\":3}", "{\"a:\":1,\"b:\":2,c:3}"},
        {NULL, "[]", "[]"},
        {NULL, "{}", "{}"},
        {NULL, "[[],{}]", "[[],{}]"},
    };
    run_all(rows, ROWS(rows));
}

/* --------------------------------------------------------------------------- columns */

static void tables(void **state)
{
    (void)state;
    static const written rows[] = {
        /* Not shorter: one row, or a header that costs more than it saves. */
        {NULL, "[{\"a\":1}]", "[{a:1}]"},
        {NULL, "[{\"a\":1},{\"a\":2}]", "[2{a}\n1\n2\n]"},
        {NULL, "[{\"k\":\"x\"},{\"k\":\"x\"}]", "[{k:x},{k:x}]"},
        /* Absent is not null and not empty. */
        {NULL, "[{\"a\":1,\"b\":\"\"},{\"a\":2,\"b\":null},{\"a\":3}]",
         "[3{a,b}\n1,\"\"\n2,null\n3,\n]"},
        {NULL, "[{\"a\":1,\"b\":2},{},{\"a\":5,\"b\":6}]", "[3{a,b}\n1,2\n,\n5,6\n]"},
        /* With one column nothing may be absent. */
        {NULL, "[{\"a\":1},{},{\"a\":3}]", "[{a:1},{},{a:3}]"},
        /* Sparse: four times as many cells as members are still a table. */
        {NULL,
         "[{\"aaaa\":1},{\"bbbb\":2},{\"cccc\":3},{\"dddd\":4},{\"aaaa\":5},"
         "{\"bbbb\":6},{\"cccc\":7},{\"dddd\":8}]",
         "[8{aaaa,bbbb,cccc,dddd}\n1,,,\n,2,,\n,,3,\n,,,4\n5,,,\n,6,,\n,,7,\n,,,8\n]"},
        {NULL,
         "[{\"aaaa\":1},{\"bbbb\":2},{\"cccc\":3},{\"dddd\":4},{\"eeee\":5},"
         "{\"aaaa\":6},{\"bbbb\":7},{\"cccc\":8},{\"dddd\":9},{\"eeee\":0}]",
         "[{aaaa:1},{bbbb:2},{cccc:3},{dddd:4},{eeee:5},{aaaa:6},{bbbb:7},{cccc:8},"
         "{dddd:9},{eeee:0}]"},
        /* Data that looks like structure stays data. */
        {NULL, "[{\"a\":\"2{x}\",\"b\":\"]\"},{\"a\":\"\\n\",\"b\":\";\"}]",
         "[2{a,b}\n\"2{x}\",\"]\"\n\"\\n\",\";\"\n]"},
        {NULL, "[{\"a\":\"x=y\",\"b\":\"k:v\"},{\"a\":\"?\",\"b\":\"z\"}]",
         "[2{a,b}\nx=y,k:v\n?,z\n]"},
    };
    run_all(rows, ROWS(rows));
}

static void order(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL, "[{\"a\":1,\"c\":2},{\"a\":3,\"b\":4,\"c\":5}]",
         "[2{a,b,c}\n1,,2\n3,4,5\n]"},
        {NULL, "[{\"n\":1,\"z\":2},{\"n\":2,\"y\":3,\"z\":4},{\"n\":3,\"x\":5,\"y\":6}]",
         "[3{n,x,y,z}\n1,,,2\n2,,3,4\n3,5,6,\n]"},
        {NULL, "[{\"a\":1,\"b\":2},{\"b\":3,\"a\":4}]", "[{a:1,b:2},{b:3,a:4}]"},
        {"order=free", "[{\"a\":1,\"b\":2},{\"b\":3,\"a\":4}]", "[2{a,b}\n1,2\n4,3\n]"},
        {"order=free",
         "[{\"a\":1,\"b\":2,\"c\":3},{\"c\":4,\"a\":5},{\"b\":6,\"a\":7,\"d\":{\"x\":1}}]",
         "[3{a,b,c,d{x}}\n1,2,3,\n5,,4,\n7,6,,1\n]"},
        /* Many that nothing has to come before: they keep the order they were seen in. */
        {NULL,
         "[{\"one\":1,\"last\":2},{\"two\":3,\"last\":4},{\"three\":5,\"last\":6},"
         "{\"four\":7,\"last\":8},{\"five\":9,\"last\":10},{\"six\":11,\"last\":12}]",
         "[6{:one two three four five six last}\n1,,,,,,2\n,3,,,,,4\n,,5,,,,6\n,,,7,,,8\n"
         ",,,,9,,10\n,,,,,11,12\n]"},
        /* Free order still keeps what can be kept. */
        {"order=free", "[{\"a\":1,\"c\":2},{\"a\":3,\"b\":4,\"c\":5}]",
         "[2{a,b,c}\n1,,2\n3,4,5\n]"},
    };
    run_all(rows, ROWS(rows));
}

static void constants(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL, "[{\"k\":1,\"t\":\"x\"},{\"k\":2,\"t\":\"x\"}]", "[2{k,t=x}\n1\n2\n]"},
        {"constants=false", "[{\"k\":1,\"t\":\"x\"},{\"k\":2,\"t\":\"x\"}]",
         "[2{k,t}\n1,x\n2,x\n]"},
        {NULL, "[{\"k\":1,\"t\":[]},{\"k\":2,\"t\":[]}]", "[2{k,t=[]}\n1\n2\n]"},
        {NULL, "[{\"k\":1,\"t\":{}},{\"k\":2,\"t\":{}}]", "[2{k,t={}}\n1\n2\n]"},
        {NULL, "[{\"k\":1,\"t\":null},{\"k\":2,\"t\":null}]", "[2{k,t=null}\n1\n2\n]"},
        {NULL, "[{\"k\":1,\"t\":\"null\"},{\"k\":2,\"t\":\"null\"}]",
         "[2{k,t=\"null\"}\n1\n2\n]"},
        {NULL, "[{\"k\":1,\"t\":1},{\"k\":2,\"t\":1.0}]", "[2{k,t}\n1,1\n2,1.0\n]"},
        {NULL, "[{\"k\":1,\"t\":[1]},{\"k\":2,\"t\":[1]}]", "[2{k,t}\n1,[1]\n2,[1]\n]"},
        {NULL, "[{\"k\":1,\"t\":1},{\"k\":2}]", "[2{k,t}\n1,1\n2,\n]"},
        {NULL, "[{\"k\":1,\"t\":\"x\"},{\"k\":2,\"t\":{}},{\"k\":3,\"t\":\"x\"}]",
         "[3{k,t}\n1,x\n2,{}\n3,x\n]"},
        {NULL, "[{\"k\":1,\"t\":\"}\"},{\"k\":2,\"t\":\"}\"}]", "[2{k,t=\"}\"}\n1\n2\n]"},
        /* All of them constant: no cell is left, so there is no table. */
        {NULL, "[{\"kkkkkk\":\"x\"},{\"kkkkkk\":\"x\"},{\"kkkkkk\":\"x\"}]",
         "[{kkkkkk:x},{kkkkkk:x},{kkkkkk:x}]"},
    };
    run_all(rows, ROWS(rows));
}

static void groups(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL, "[{\"id\":1,\"g\":{\"x\":1}},{\"id\":2,\"g\":{\"y\":4}}]",
         "[2{id,g{x,y}}\n1,1,\n2,,4\n]"},
        {"groups=false", "[{\"id\":1,\"g\":{\"x\":1}},{\"id\":2,\"g\":{\"y\":4}}]",
         "[2{id,g}\n1,{x:1}\n2,{y:4}\n]"},
        {NULL,
         "[{\"id\":1,\"g\":{\"xx\":1,\"yy\":2}},{\"id\":2},{\"id\":3,\"g\":{\"xx\":3,"
         "\"yy\":4}}]",
         "[3{id,g{xx,yy}}\n1,1,2\n2,,\n3,3,4\n]"},
        /* An empty object is no group: it could not be told from an absent one. */
        {NULL,
         "[{\"id\":1,\"g\":{\"xx\":1,\"yy\":2}},{\"id\":2,\"g\":{}},{\"id\":3,\"g\":{"
         "\"xx\":3,\"yy\":4}}]",
         "[3{id,g}\n1,{xx:1,yy:2}\n2,{}\n3,{xx:3,yy:4}\n]"},
        {NULL,
         "[{\"id\":1,\"g\":{\"xx\":1,\"yy\":2}},{\"id\":2,\"g\":null},{\"id\":3,\"g\":{"
         "\"xx\":3,\"yy\":4}}]",
         "[3{id,g}\n1,{xx:1,yy:2}\n2,null\n3,{xx:3,yy:4}\n]"},
        {NULL,
         "[{\"id\":1,\"g\":{\"c\":\"USD\",\"v\":5}},{\"id\":2,\"g\":{\"c\":\"USD\",\"v\":6}"
         "}]",
         "[2{id,g{c=USD,v}}\n1,5\n2,6\n]"},
        {NULL, "[{\"id\":1,\"g\":{\"h\":{}}},{\"id\":2,\"g\":{\"h\":{}}}]",
         "[2{id,g{h={}}}\n1\n2\n]"},
        /* The one cell is in a group, and always there. */
        {NULL, "[{\"g\":{\"hhh\":1,\"c\":1}},{\"g\":{\"hhh\":2,\"c\":1}}]",
         "[2{g{hhh,c=1}}\n1\n2\n]"},
        /* A member of a group that contradicts itself stays a leaf. */
        {NULL,
         "[{\"id\":1,\"g\":{\"aa\":1,\"bb\":2}},{\"id\":2,\"g\":{\"bb\":1,\"aa\":2}}]",
         "[2{id,g}\n1,{aa:1,bb:2}\n2,{bb:1,aa:2}\n]"},
    };
    run_all(rows, ROWS(rows));
}

static void table_columns(void **state)
{
    (void)state;
    static const char orders[] =
        "[{\"id\":1,\"items\":[{\"s\":\"a\",\"q\":1},{\"s\":\"b\",\"q\":2}]},"
        "{\"id\":2,\"items\":[]},{\"id\":3,\"items\":[{\"s\":\"c\",\"q\":3},"
        "{\"s\":\"d\",\"q\":4}]}]";
    static const written rows[] = {
        {NULL, orders, "[3{id,items[4{s,q}]}\n1,[a,1;b,2]\n2,[]\n3,[c,3;d,4]\n]"},
        {"table-columns=false", orders,
         "[3{id,items}\n1,[2{s,q};a,1;b,2]\n2,[]\n3,[2{s,q};c,3;d,4]\n]"},
        {"rows=inline", orders, "[3{id,items[4{s,q}]};1,[a,1;b,2];2,[];3,[c,3;d,4]]"},
        /* Absent cells, and rows in rows. */
        {NULL,
         "[{\"id\":1,\"t\":[{\"name\":1,\"u\":[{\"size\":1}]}]},{\"id\":2},{\"id\":3,"
         "\"t\":[{\"name\":2,\"u\":[{\"size\":2},{\"size\":3}]},{\"name\":3,\"u\":[]}]}]",
         "[3{id,t[3{name,u[3{size}]}]}\n1,[1,[1]]\n2,\n3,[2,[2;3];3,[]]\n]"},
        /* A constant in a table column needs two inner rows. */
        {NULL,
         "[{\"id\":1,\"t\":[{\"name\":1,\"unit\":\"kg\"},{\"name\":2,\"unit\":\"kg\"}]},"
         "{\"id\":2,\"t\":[{\"name\":3,\"unit\":\"kg\"}]}]",
         "[2{id,t[3{name,unit=kg}]}\n1,[1;2]\n2,[3]\n]"},
        /* With one inner column nothing may be absent. */
        {NULL, "[{\"id\":1,\"t\":[{\"s\":1},{\"s\":2}]},{\"id\":2,\"t\":[{\"s\":3},{}]}]",
         "[2{id,t}\n1,[2{s};1;2]\n2,[{s:3},{}]\n]"},
    };
    run_all(rows, ROWS(rows));
}

static void maps(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL, "{\"x\":{\"a\":1,\"b\":2},\"y\":{\"a\":3,\"b\":4}}",
         "{2{a,b}\nx:1,2\ny:3,4\n}"},
        {"maps=false", "{\"x\":{\"a\":1,\"b\":2},\"y\":{\"a\":3,\"b\":4}}",
         "{x:{a:1,b:2},\ny:{a:3,b:4}}"},
        {NULL, "{\"x:1\":{\"a\":1,\"b\":2},\"\":{\"a\":3,\"b\":4},\"k=v\":{\"b\":5}}",
         "{3{a,b}\n\"x:1\":1,2\n\"\":3,4\n\"k=v\":,5\n}"},
        {NULL, "{\"x\":{\"a\":1,\"b\":2}}", "{x:{a:1,b:2}}"},
    };
    run_all(rows, ROWS(rows));
}

/* ---------------------------------------------------------------------- deep and wide */

/* Objects in objects: `depth` of them, in two rows. */
static void put_nested(bytes *json, size_t depth, int value)
{
    bytes_put(json, "{\"name\":1");
    for (size_t i = 0; i < depth; i++) {
        bytes_put(json, ",\"inner\":{\"name\":1");
    }
    bytes_print(json, ",\"v\":%d", value);
    bytes_repeat(json, "}", depth + 1);
}

static size_t count_text(const char *text, const char *word)
{
    size_t count = 0;
    for (text = strstr(text, word); text; text = strstr(text + 1, word)) {
        count++;
    }
    return count;
}

/* Columns stand at most eight levels deep. */
static void eight_levels(void **state)
{
    (void)state;
    bytes json = {0};
    bytes_put(&json, "[");
    put_nested(&json, 12, 1);
    bytes_put(&json, ",");
    put_nested(&json, 12, 2);
    bytes_put(&json, "]");
    bytes_add(&json, "", 1);
    pith_doc *doc = must_parse_json(json.ptr);
    pith_buffer text = must_write(pith_doc_root(doc), "pith", NULL);
    char *end = strchr(text.data, '\n');
    assert_non_null(end);
    *end = '\0';
    assert_int_equal(count_text(text.data, "inner{"), 7);
    assert_int_equal(count_text(text.data, "inner}"), 1);
    pith_buffer_free(&text);
    pith_doc_free(doc);
    bytes_free(&json);
}

/* The text must come back as the same value. */
static void must_return(const bytes *json)
{
    pith_options options = {0};
    options.depth_max = PITH_DEPTH_MOST;
    pith_doc *doc = must_parse("json", json->ptr, json->len, &options);
    pith_buffer text = must_write(pith_doc_root(doc), "pith", NULL);
    assert_true(text.len <= json->len);
    pith_doc *back = must_parse("pith", text.data, text.len, &options);
    assert_true(pith_value_equal(pith_doc_root(doc), pith_doc_root(back)));
    pith_doc_free(back);
    pith_buffer_free(&text);
    pith_doc_free(doc);
}

/* More columns than a shape has room for, some absent. */
static void ten_thousand_columns(void **state)
{
    (void)state;
    bytes json = {0};
    bytes_put(&json, "[");
    for (size_t row = 0; row < 5; row++) {
        bytes_put(&json, row > 0 ? ",{" : "{");
        bytes_put(&json, "\"first\":{\"x\":1,\"y\":[]}");
        for (size_t i = 0; i < 10000; i++) {
            if (i % 7 != row) {
                bytes_print(&json, ",\"column%zu\":%zu", i, i * row);
            }
        }
        bytes_put(&json, "}");
    }
    bytes_put(&json, "]");
    must_return(&json);
    bytes_free(&json);
}

static void hundred_thousand_levels(void **state)
{
    (void)state;
    bytes json = {0};
    bytes_repeat(&json, "[{\"a\":1,\"b\":[{\"c\":", 25000);
    bytes_put(&json, "2");
    bytes_repeat(&json, "}]}]", 25000);
    must_return(&json);
    json.len = 0;
    bytes_repeat(&json, "[{\"a\":1},{\"a\":", 50000);
    bytes_put(&json, "2");
    bytes_repeat(&json, "}]", 50000);
    must_return(&json);
    bytes_free(&json);
}

/* Keys that do not fit into what is reserved for one: of a member, of a column, of a
 * row. */
static void long_keys(void **state)
{
    (void)state;
    enum { LENGTH = 3000 };
    char key[LENGTH + 1];
    memset(key, 'k', LENGTH);
    key[LENGTH] = '\0';
    static const char *const pairs[][2] = {
        {"{\"@\":1}", "{@:1}"},
        {"[{\"@\":1},{\"@\":2}]", "[2{@}\n1\n2\n]"},
        {"{\"@\":{\"a\":1},\"b\":{\"a\":2}}", "{2{a}\n@:1\nb:2\n}"},
    };
    for (size_t i = 0; i < ROWS(pairs); i++) {
        bytes texts[2] = {{0}, {0}};
        for (size_t side = 0; side < 2; side++) {
            bytes_put_filled(&texts[side], pairs[i][side], '@', key);
            bytes_add(&texts[side], "", 1);
        }
        const written row = {NULL, texts[0].ptr, texts[1].ptr};
        assert_true(runs(&row));
        bytes_free(&texts[0]);
        bytes_free(&texts[1]);
    }
}

/* Key sequences by the thousand, and objects too many for shapes. */
static void many_sequences(void **state)
{
    (void)state;
    bytes json = {0};
    uint32_t mix = 1;
    bytes_put(&json, "[");
    for (size_t row = 0; row < 20000; row++) {
        bytes_put(&json, row > 0 ? ",{\"id\":1" : "{\"id\":1");
        for (unsigned i = 0; i < 20; i++) {
            mix = mix * 1664525u + 1013904223u;
            if (mix >> 31) {
                bytes_print(&json, ",\"c%u\":%zu", i, row);
            }
        }
        bytes_put(&json, "}");
    }
    bytes_put(&json, "]");
    must_return(&json);
    bytes_free(&json);
}

/* Rows that are alike all the way down are measured another way than rows of which one
 * differs: in its own keys, in those of a group, or in those of a table column. Apart from
 * that one, nothing may differ in what is written. */
static void one_row_differs(void **state)
{
    (void)state;
    static const struct {
        const char *in_row, *in_group, *in_table;
        const char *header, *cell, *group, *table;
    } ways[] = {
        {"", "", "",
         "id at{x y=1 to{lo hi=2}} tags[80{k v}] none=[] app=api by=the-orders-service",
         "", "", ""},
        {",\"z\":0", "", "",
         "id at{x y=1 to{lo hi=2}} tags[80{k v}] none=[] app=api by=the-orders-service z",
         "0", "", ""},
        {"", ",\"z\":0", "",
         "id at{x y=1 to{lo hi=2 z}} tags[80{k v}] none=[] app=api by=the-orders-service",
         "", "0", ""},
        {"", "", ",\"z\":0",
         "id at{x y=1 to{lo hi=2}} tags[80{k v z}] none=[] app=api by=the-orders-service",
         "", "", "0"},
    };
    for (size_t w = 0; w < ROWS(ways); w++) {
        bytes json = {0};
        bytes text = {0};
        const char *cell = *ways[w].cell ? "," : "";
        const char *group = *ways[w].group ? "," : "";
        const char *table = *ways[w].table ? "," : "";
        bytes_print(&text, "[40{:%s}", ways[w].header);
        for (int i = 0; i < 40; i++) {
            bool odd = i == 39;
            bytes_print(&json, "%c{\"id\":%d,\"at\":{\"x\":%d,\"y\":1,\"to\":{\"lo\":%d,",
                        i > 0 ? ',' : '[', i, i, i);
            bytes_print(&json, "\"hi\":2%s}},\"tags\":[", odd ? ways[w].in_group : "");
            bytes_print(&json, "{\"k\":\"a\",\"v\":%d},{\"k\":\"b\",\"v\":3%s}],", i,
                        odd ? ways[w].in_table : "");
            bytes_put(&json, "\"none\":[],\"app\":\"api\",\"by\":\"the-orders-service\"");
            bytes_print(&json, "%s}", odd ? ways[w].in_row : "");
            bytes_print(&text, "\n%d,%d,%d%s%s,[a,%d%s;b,3%s%s]%s%s", i, i, i, group,
                        odd ? ways[w].group : "", i, table, table,
                        odd ? ways[w].table : "", cell, odd ? ways[w].cell : "");
        }
        bytes_put(&json, "]");
        bytes_put(&text, "\n]");
        bytes_add(&json, "", 1);
        bytes_add(&text, "", 1);
        const written row = {NULL, json.ptr, text.ptr};
        assert_true(runs(&row));
        bytes_free(&json);
        bytes_free(&text);
    }
}

/* ------------------------------------------------------------------------------ rows */

static void rows_out(void **state)
{
    (void)state;
    static const char *const columns[] = {"id", "a,b", "v"};
    static const char *const layouts[] = {NULL, "rows=inline"};
    static const char *const expected[] = {
        "[?{id,\"a,b\",v}\n1,x,[2{p,q};1,2;3,4]\n2,,\"\"\n]2",
        "[?{id,\"a,b\",v};1,x,[2{p,q};1,2;3,4];2,,\"\"]2",
    };
    pith_doc *nested = must_parse_json("[{\"p\":1,\"q\":2},{\"p\":3,\"q\":4}]");
    for (size_t i = 0; i < ROWS(layouts); i++) {
        pith_options options = with_settings(NULL, layouts[i]);
        pith_buffer out = {0};
        pith_rows *rows =
            pith_rows_open("pith", columns, 3, &options, pith_sink_buffer(&out), NULL);
        assert_non_null(rows);
        pith_rows_add_int64(rows, 1);
        pith_rows_add_text(rows, "x", 1);
        pith_rows_add_value(rows, pith_doc_root(nested));
        assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
        pith_rows_add_int64(rows, 2);
        pith_rows_skip(rows);
        pith_rows_add_text(rows, "", 0);
        assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
        assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
        assert_true(
            same_bytes("rows", out.data, out.len, expected[i], strlen(expected[i])));
        pith_doc *back = must_parse("pith", out.data, out.len, NULL);
        must_hold_json(back, "[{\"id\":1,\"a,b\":\"x\",\"v\":[{\"p\":1,\"q\":2},{\"p\":3,"
                             "\"q\":4}]},{\"id\":2,\"v\":\"\"}]");
        pith_doc_free(back);
        pith_buffer_free(&out);
    }
    pith_doc_free(nested);
}

static pith_status refuse(void *ctx, const char *data, size_t len)
{
    (void)data;
    *(size_t *)ctx += len;
    return PITH_IO;
}

/* The sink fails at the long cell; those behind it in the row are not tried. */
static void rows_out_of_a_sink_that_fails(void **state)
{
    (void)state;
    static const char *const columns[] = {"long", "list"};
    size_t offered = 0;
    pith_sink sink = {.write = refuse, .ctx = &offered};
    bytes text = {0};
    bytes_repeat(&text, "x", 200000);
    pith_doc *list = must_parse_json("[1,[2,3]]");
    pith_rows *rows = pith_rows_open("pith", columns, 2, NULL, sink, NULL);
    assert_non_null(rows);
    pith_error err = {0};
    pith_rows_add_text(rows, text.ptr, text.len);
    pith_rows_add_value(rows, pith_doc_root(list));
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_IO);
    assert_string_equal(err.code, "write_failed");
    size_t before = offered;
    assert_int_equal(pith_rows_close(rows, &err), PITH_IO);
    assert_int_equal(offered, before);
    pith_doc_free(list);
    bytes_free(&text);
}

/* Rows of a table with the given keys, as JSON. */
static void two_rows(bytes *json, const char *const keys[], size_t count)
{
    bytes_put(json, "[");
    for (size_t row = 0; row < 2; row++) {
        for (size_t i = 0; i < count; i++) {
            char value[8];
            snprintf(value, sizeof value, ":%d", (int)(row * count + i));
            bytes_put(json, i > 0 ? ",\"" : row > 0 ? ",{\"" : "{\"");
            bytes_put(json, keys[i]);
            bytes_put(json, "\"");
            bytes_put(json, value);
        }
        bytes_put(json, "}");
    }
    bytes_put(json, "]");
}

static void long_headers(void **state)
{
    (void)state;
    static const char *const keys[] = {"a", "b", "c", "d", "e", "f"};
    static const char *const spaced[] = {"a", "b", "c", "d e", "f", "g"};
    static const char *const quoted[] = {"a", "b", "c", "d:e", "f", "g"};
    static const written nested[] = {
        {NULL,
         "[{\"a\":1,\"g\":{\"x\":1,\"y\":2},\"t\":[{\"p\":1,\"q\":2},{\"p\":3,\"q\":4}],"
         "\"c\":\"k\",\"d\":5},{\"a\":2,\"g\":{\"x\":3,\"y\":4},\"t\":[{\"p\":1,\"q\":2}],"
         "\"c\":\"k\",\"d\":6}]",
         "[2{:a g{x y} t[3{p q}] c=k d}\n1,1,2,[1,2;3,4],5\n2,3,4,[1,2],6\n]"},
        {NULL,
         "[{\"a\":1,\"b\":2,\"c\":\"two words\",\"d\":3,\"e\":4,\"f\":5},"
         "{\"a\":2,\"b\":2,\"c\":\"two words\",\"d\":6,\"e\":7,\"f\":8}]",
         "[2{a,b=2,c=two words,d,e,f}\n1,3,4,5\n2,6,7,8\n]"},
        {NULL,
         "[{\"a\":1,\"b\":2,\"c\":\"two, words\",\"d\":3,\"e\":4,\"f\":5},"
         "{\"a\":2,\"b\":2,\"c\":\"two, words\",\"d\":6,\"e\":7,\"f\":8}]",
         "[2{:a b=2 c=\"two, words\" d e f}\n1,3,4,5\n2,6,7,8\n]"},
        {NULL,
         "{\"x\":{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6},"
         "\"y\":{\"a\":7,\"b\":8,\"c\":9,\"d\":0,\"e\":1,\"f\":2}}",
         "{2{:a b c d e f}\nx:1,2,3,4,5,6\ny:7,8,9,0,1,2\n}"},
    };
    static const struct {
        const char *const *keys;
        size_t count;
        const char *text;
    } tables[] = {
        {keys, 5, "[2{a,b,c,d,e}\n0,1,2,3,4\n5,6,7,8,9\n]"},
        {keys, 6, "[2{:a b c d e f}\n0,1,2,3,4,5\n6,7,8,9,10,11\n]"},
        {spaced, 6, "[2{a,b,c,d e,f,g}\n0,1,2,3,4,5\n6,7,8,9,10,11\n]"},
        {quoted, 6, "[2{a,b,c,\"d:e\",f,g}\n0,1,2,3,4,5\n6,7,8,9,10,11\n]"},
    };
    run_all(nested, ROWS(nested));
    for (size_t i = 0; i < ROWS(tables); i++) {
        bytes json = {0};
        two_rows(&json, tables[i].keys, tables[i].count);
        bytes_add(&json, "", 1);
        written row = {NULL, json.ptr, tables[i].text};
        assert_true(runs(&row));
        bytes_free(&json);
    }
}

/* Rows that leave one at a time have the same header. */
static void long_headers_out(void **state)
{
    (void)state;
    static const char *const columns[] = {"a", "b", "c", "d", "e", "f g"};
    static const char *const expected[] = {
        "[?{a,b,c,d,e}\n1,,,,\n]1",
        "[?{a,b,c,d,e,f g}\n1,,,,,\n]1",
        "[?{:a b c d e f}\n1,,,,,\n]1",
    };
    for (size_t i = 0; i < ROWS(expected); i++) {
        const char *names[] = {columns[0], columns[1], columns[2],
                               columns[3], columns[4], i == 2 ? "f" : columns[5]};
        size_t count = i == 0 ? 5 : 6;
        pith_buffer out = {0};
        pith_rows *rows =
            pith_rows_open("pith", names, count, NULL, pith_sink_buffer(&out), NULL);
        assert_non_null(rows);
        pith_rows_add_int64(rows, 1);
        for (size_t c = 1; c < count; c++) {
            pith_rows_skip(rows);
        }
        assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
        assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
        assert_true(
            same_bytes("rows", out.data, out.len, expected[i], strlen(expected[i])));
        pith_buffer_free(&out);
    }
}

/* What is the same in some of the objects of a shape need not be so in all of them: a
 * constant is one of its own table. */
static void constants_of_one_table(void **state)
{
    (void)state;
    static const written rows[] = {
        {NULL,
         "{\"p\":[{\"a\":1,\"c\":\"x\"},{\"a\":2,\"c\":\"x\"},{\"a\":3,\"c\":\"x\"}],"
         "\"q\":[{\"a\":1,\"c\":\"y\"},{\"a\":2,\"c\":\"z\"},{\"a\":3,\"c\":\"y\"}]}",
         "{p:[3{a,c=x}\n1\n2\n3\n],\nq:[3{a,c}\n1,y\n2,z\n3,y\n]}"},
        {NULL,
         "{\"p\":[{\"a\":1,\"c\":\"y\"},{\"a\":2,\"c\":\"z\"},{\"a\":3,\"c\":\"y\"}],"
         "\"q\":[{\"a\":1,\"c\":\"x\"},{\"a\":2,\"c\":\"x\"},{\"a\":3,\"c\":\"x\"}]}",
         "{p:[3{a,c}\n1,y\n2,z\n3,y\n],\nq:[3{a,c=x}\n1\n2\n3\n]}"},
        {NULL,
         "[{\"a\":1,\"l\":\"a text of more than sixteen\"},"
         "{\"a\":2,\"l\":\"a text of more than sixteen\"}]",
         "[2{a,l=a text of more than sixteen}\n1\n2\n]"},
        {NULL, "[{\"a\":1,\"e\":[]},{\"a\":2,\"e\":{}}]", "[2{a,e}\n1,[]\n2,{}\n]"},
        {NULL, "[{\"a\":1,\"e\":[]},{\"a\":2,\"e\":[]}]", "[2{a,e=[]}\n1\n2\n]"},
        {NULL, "[{\"a\":1,\"e\":[7]},{\"a\":2,\"e\":[7]}]", "[2{a,e}\n1,[7]\n2,[7]\n]"},
    };
    run_all(rows, ROWS(rows));
}

static void blank_row_is_refused(void **state)
{
    (void)state;
    static const char *const columns[] = {"only"};
    pith_buffer out = {0};
    pith_error err = {0};
    pith_rows *rows =
        pith_rows_open("pith", columns, 1, NULL, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    pith_rows_skip(rows);
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "blank_row");
    pith_rows_abandon(rows);
    pith_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings),
        cmocka_unit_test(keys),
        cmocka_unit_test(numbers),
        cmocka_unit_test(layout),
        cmocka_unit_test(tables),
        cmocka_unit_test(order),
        cmocka_unit_test(constants),
        cmocka_unit_test(groups),
        cmocka_unit_test(table_columns),
        cmocka_unit_test(maps),
        cmocka_unit_test(eight_levels),
        cmocka_unit_test(ten_thousand_columns),
        cmocka_unit_test(hundred_thousand_levels),
        cmocka_unit_test(long_keys),
        cmocka_unit_test(many_sequences),
        cmocka_unit_test(one_row_differs),
        cmocka_unit_test(rows_out),
        cmocka_unit_test(rows_out_of_a_sink_that_fails),
        cmocka_unit_test(long_headers),
        cmocka_unit_test(long_headers_out),
        cmocka_unit_test(constants_of_one_table),
        cmocka_unit_test(blank_row_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
