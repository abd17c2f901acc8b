/*
 * test_soch_text.c - SochDB's tables as text: the examples of its documentation, what is
 * read and refused, what is written, and what the content looks like.
 */
#include "testing.h"

#define NONE "\xE2\x88\x85"

typedef struct reading {
    const char *text;
    const char *settings;
    const char *json; /* NULL: refused */
    const char *code;
} reading;

static const reading readings[] = {
    /* the documentation's own */
    {"users[3]{id,name,email}:\n1,Alice,alice@example.com;\n2,Bob,bob@example.com;\n"
     "3,Carol,carol@example.com",
     NULL,
     "{\"users\":[{\"id\":1,\"name\":\"Alice\",\"email\":\"alice@example.com\"},"
     "{\"id\":2,\"name\":\"Bob\",\"email\":\"bob@example.com\"},"
     "{\"id\":3,\"name\":\"Carol\",\"email\":\"carol@example.com\"}]}",
     NULL},
    {"orders[2]{id:uint,amount:float,status:text}:\n1001,99.99,pending;\n"
     "1002,149.50,shipped",
     NULL,
     "{\"orders\":[{\"id\":1001,\"amount\":99.99,\"status\":\"pending\"},"
     "{\"id\":1002,\"amount\":149.50,\"status\":\"shipped\"}]}",
     NULL},
    {"products[2]{id,name,tags,metadata}:\n1,Widget,[red,blue],{color:red,size:M};\n"
     "2,Gadget,[green],{color:green,size:L}",
     NULL,
     "{\"products\":[{\"id\":1,\"name\":\"Widget\",\"tags\":[\"red\",\"blue\"],"
     "\"metadata\":{\"color\":\"red\",\"size\":\"M\"}},{\"id\":2,\"name\":\"Gadget\","
     "\"tags\":[\"green\"],\"metadata\":{\"color\":\"green\",\"size\":\"L\"}}]}",
     NULL},
    {"users[2]{id:uint,email:text,phone:text?}:\n1,alice@ex.com,555-0100;\n"
     "2,bob@ex.com," NONE,
     NULL,
     "{\"users\":[{\"id\":1,\"email\":\"alice@ex.com\",\"phone\":\"555-0100\"},"
     "{\"id\":2,\"email\":\"bob@ex.com\",\"phone\":null}]}",
     NULL},
    /* rows */
    {"t[2]{a}:1\r\n2\r\n", NULL, "{\"t\":[{\"a\":1},{\"a\":2}]}", NULL},
    {"t[2]{a}:1\n;2;\n", NULL, "{\"t\":[{\"a\":1},{\"a\":2}]}", NULL},
    {"t[2]{a}: 1 ; 2 ", NULL, "{\"t\":[{\"a\":1},{\"a\":2}]}", NULL},
    {"t[0]{}:", NULL, "{\"t\":[]}", NULL},
    {"t[0]{a}:\n", NULL, "{\"t\":[]}", NULL},
    {"t[1]{a}:1;2", NULL, NULL, "count_mismatch"},
    {"t[2]{a}:1\nu[1]{b}:2", NULL, NULL, "count_mismatch"},
    {"t[2]{a:int}:1\nu[1]{b}:2", NULL, NULL, "count_mismatch"},
    {"t[2]{a}:1;;", NULL, NULL, "empty_row"},
    {"t[1]{a,b}:1,2,3", NULL, NULL, "row_width_mismatch"},
    {"t[1]{a}:1\n# end", NULL, "{\"t\":[{\"a\":1}]}", NULL},
    {"t[2]{a}:1\n# no comment", NULL, "{\"t\":[{\"a\":1},{\"a\":\"# no comment\"}]}",
     NULL},
    /* lenient */
    {"t[5]{a}:1;2", "strict=false", "{\"t\":[{\"a\":1},{\"a\":2}]}", NULL},
    {"t[1]{a}:1;2;3\nu[1]{b}:1", "strict=false",
     "{\"t\":[{\"a\":1},{\"a\":2},{\"a\":3}],\"u\":[{\"b\":1}]}", NULL},
    {"t[1]{a}:5\" pipe", "strict=false", "{\"t\":[{\"a\":\"5\\\" pipe\"}]}", NULL},
    {"t[1]{a}:\"say \"\"hi\"\"\"", "strict=false", "{\"t\":[{\"a\":\"say \\\"hi\\\"\"}]}",
     NULL},
    /* numbers and what merely looks like one */
    {"t[1]{a,b,c,d,e}:007,+5,.5,5.,1E5", NULL,
     "{\"t\":[{\"a\":7,\"b\":\"+5\",\"c\":\".5\",\"d\":\"5.\",\"e\":1E5}]}", NULL},
    {"t[1]{a,b:int,c:float,d:float}:-0,-007,-007,0012.50", NULL,
     "{\"t\":[{\"a\":0,\"b\":-7,\"c\":-7.0,\"d\":12.50}]}", NULL},
    {"t[1]{a}:1e999", NULL, NULL, "out_of_range"},
    {"t[1]{a:float}:-0", NULL, "{\"t\":[{\"a\":-0.0}]}", NULL},
    {"t[1]{a:int}:+5", NULL, NULL, "type_mismatch"},
    {"t[1]{a:int}:\"5\"", NULL, NULL, "type_mismatch"},
    {"t[1]{a:bool}:yes", NULL, NULL, "type_mismatch"},
    {"t[1]{a:bytes}:A===", NULL, NULL, "invalid_base64"},
    {"t[1]{a:bytes}:AB==", NULL, NULL, "invalid_base64"},
    {"t[1]{a}:b64:AB", NULL, NULL, "invalid_base64"},
    {"t[1]{a:array}:{}", NULL, NULL, "type_mismatch"},
    {"t[1]{a:ref(u)}:ref(v,1)", NULL, NULL, "type_mismatch"},
    {"t[1]{a:text}:ref(v,1)", NULL, NULL, "type_mismatch"},
    {"t[1]{a:vec(2)?}:null", NULL, "{\"t\":[{\"a\":null}]}", NULL},
    {"t[1]{a}:ref(users,18446744073709551616)", NULL, NULL, "out_of_range"},
    {"t[1]{a}:ref(users", NULL, NULL, "syntax"},
    {"t[1]{a}:ref(,1)", NULL, NULL, "syntax"},
    {"t[1]{a}:ref(\"u,1)", NULL, NULL, "unterminated_quote"},
    /* nesting */
    {"t[1]{a}:[\n 1 ,\n [ ] , { } ,{ k : v }\n]", NULL,
     "{\"t\":[{\"a\":[1,[],{},{\"k\":\"v\"}]}]}", NULL},
    {"t[1]{a}:{k:1,k:2}", NULL, NULL, "duplicate_key"},
    {"t[1]{a}:[1", NULL, NULL, "syntax"},
    {"t[1]{a}:[1}", NULL, NULL, "syntax"},
    {"t[1]{a}:[1,]", NULL, NULL, "empty_value"},
    {"t[1]{a}:{:1}", NULL, NULL, "syntax"},
    /* headers */
    {"t[1]{a,a}:1,2", NULL, NULL, "duplicate_key"},
    {"t[01]{a}:1", NULL, "{\"t\":[{\"a\":1}]}", NULL},
    {"t[x]{a}:1", NULL, NULL, "syntax"},
    {"t[1]{a}1", NULL, NULL, "syntax"},
    {"[1]{a}:1", NULL, NULL, "syntax"},
    {"t[99999999999999999999]{a}:1", NULL, NULL, "out_of_range"},
    {"t[1]{a:vec}:1", NULL, NULL, "unknown_type"},
    {"t[1]{a:int(3)}:1", NULL, NULL, "unknown_type"},
    {"t [ 1 ] { a : int ? , b } : 1 , 2", NULL, "{\"t\":[{\"a\":1,\"b\":2}]}", NULL},
    {"", NULL, NULL, "empty_input"},
    {"# nothing\n", NULL, NULL, "empty_input"},
    {"t[1]{a}:\xFF", NULL, NULL, "invalid_utf8"},
    {"t[1]{a}:\"\\ud800\"", NULL, NULL, "invalid_escape"},
    /* roots */
    {"_[1]{_}:5", NULL, "5", NULL},
    {"_[2]{_}:5;6", NULL, "[{\"_\":5},{\"_\":6}]", NULL},
    {"_[1]{\"_\"}:5", NULL, "[{\"_\":5}]", NULL},
    {"\"_\"[1]{_}:5", NULL, "{\"_\":[{\"_\":5}]}", NULL},
    {"a[1]{x}:1\na[1]{x}:2", NULL, "[{\"a\":[{\"x\":1}]},{\"a\":[{\"x\":2}]}]", NULL},
    {"_[1]{_}:1\na[1]{x}:[2]", NULL, "[{\"_\":[{\"_\":1}]},{\"a\":[{\"x\":[2]}]}]", NULL},
    /* the original grammar alone */
    {"\"t\"[1]{a}:1", "seed-only=true", NULL, "syntax"},
    {"t[1]{a}:NaN", "seed-only=true", "{\"t\":[{\"a\":\"NaN\"}]}", NULL},
    {"t[1]{a:ref}:1", "seed-only=true", NULL, "unknown_type"},
    {"t[1]{a}:\"\\u0041\"", "seed-only=true", NULL, "invalid_escape"},
    /* SochDB's dialects */
    {"result[1]{a,b}:[x;y],{k:v;l:w}", "compat=sochdb",
     "{\"result\":[{\"a\":[\"x\",\"y\"],\"b\":{\"k\":\"v\",\"l\":\"w\"}}]}", NULL},
    {"t[1]{a,b,c}:@u:42,0x0AfF,", "compat=sochdb",
     "{\"t\":[{\"a\":{\"$ref\":\"u\",\"id\":42},\"b\":\"b64:Cv8=\",\"c\":null}]}", NULL},
    {"t[1]{a,b}:@u:18446744073709551616,[@u:18446744073709551615]", "compat=sochdb",
     "{\"t\":[{\"a\":\"@u:18446744073709551616\","
     "\"b\":[{\"$ref\":\"u\",\"id\":18446744073709551615}]}]}",
     NULL},
    {"t[2]{a, b}\n  [1, x]\n  [2, y]", "compat=sochdb",
     "{\"t\":[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":\"y\"}]}", NULL},
    {"t[1]{a:int?,b}\n,x", "compat=sochdb", "{\"t\":[{\"a\":null,\"b\":\"x\"}]}", NULL},
    {"t[1]{a:int,b}\n,x", "compat=sochdb", NULL, "null_not_allowed"},
    {"t[1]{a:vec(2),b}\n,x", "compat=sochdb", NULL, "null_not_allowed"},
    {"[]", "compat=sochdb", "[]", NULL},
    {"[]", NULL, NULL, "syntax"},
};

static void what_is_read(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(readings); i++) {
        const reading *r = &readings[i];
        pith_options options = with_settings(r->settings, NULL);
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse("soch", r->text, strlen(r->text), &options, &err);
        if (!doc) {
            bool right = r->code && strcmp(err.code, r->code) == 0;
            failures += !right;
            if (!right) {
                fprintf(stderr, "%s: %s [%s]\n", r->text, err.message, err.code);
            }
            continue;
        }
        pith_buffer json = must_write(pith_doc_root(doc), "json", NULL);
        const char *expected = r->json ? r->json : "(refused)";
        failures += !same_bytes(r->text, json.data, json.len, expected, strlen(expected));
        pith_buffer_free(&json);
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

typedef struct writing {
    const char *json;
    const char *settings;
    const char *text; /* NULL: refused */
} writing;

static const writing writings[] = {
    {"[{\"a\":1,\"b\":2},{\"b\":3,\"a\":4}]", "", "_[2]{a,b}:1,2;4,3"},
    {"[{\"a\":1},{\"b\":2}]", "", "_[1]{_}:[{a:1},{b:2}]"},
    {"[{\"a\":1},{\"b\":2},{}]", "fill-missing=true",
     "_[3]{a,b}:1," NONE ";" NONE ",2;" NONE "," NONE},
    {"{\"u\":[{\"a\":1}],\"v\":[{\"b\":true},{\"b\":null}]}", "rows=lines",
     "u[1]{a}:\n1\nv[2]{b}:\nT;\n" NONE},
    {"{\"u\":[{\"a\":1}],\"v\":[]}", "", "u[1]{a}:1\nv[0]{}:"},
    {"{\"_\":[{\"_\":1}]}", "", "\"_\"[1]{\"_\"}:1"},
    {"[{\"_\":1}]", "", "_[1]{\"_\"}:1"},
    {"[{\"a\":1}]", "name=users", "users[1]{a}:1"},
    {"5", "name=users", "_[1]{_}:5"},
    {"{}", "", "_[1]{_}:{}"},
    {"[]", "", "_[1]{_}:[]"},
    {"[{\"zip\":\"01234\"},{\"zip\":null},{\"zip\":\"5\"}]", "",
     "_[3]{zip:text?}:01234;" NONE ";5"},
    {"[{\"zip\":\"01234\"},{\"zip\":\"5\"}]", "types=none", "_[2]{zip}:\"01234\";\"5\""},
    {"[{\"a\":null,\"b\":false}]", "min-tokens=true", "_[1]{a,b}:null,F"},
    {"[{\"a\":\"\\u00a0x\"}]", "", "_[1]{a}:\"\xC2\xA0x\""},
    {"[{\"a\":\"\\u0001\\n\"}]", "", "_[1]{a}:\"\x01\\n\""},
    {"[{\"a b\":{\"1\":[]}}]", "", "_[1]{\"a b\"}:{\"1\":[]}"},
    {"[{\"a b\":1}]", "seed-only=true", NULL},
    {"[18446744073709551616]", "", NULL},
    {"[1e999]", "", NULL},
    {"[0.00001,0.0001,123456789012345678,1e15,1e16]", "",
     "_[1]{_}:[1.0e-5,0.0001,123456789012345678,1000000000000000.0,1.0e16]"},
};

static void what_is_written(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(writings); i++) {
        const writing *w = &writings[i];
        pith_doc *doc = must_parse_json(w->json);
        pith_options options = with_settings(NULL, w->settings);
        pith_buffer out = {0};
        pith_status status = pith_value_write(pith_doc_root(doc), "soch", &options,
                                              pith_sink_buffer(&out), NULL);
        if (!w->text) {
            failures += status != PITH_UNREPRESENTABLE;
        } else {
            failures += status != PITH_OK ||
                        !same_bytes(w->json, out.data, out.len, w->text, strlen(w->text));
        }
        pith_buffer_free(&out);
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

/* What only this format has, so that no JSON can say it. */
static void what_is_written_of_tables(void **state)
{
    (void)state;
    static const writing all[] = {
        {"t[1]{a:array,b:ref?}:[],ref(u,1)", "types=all",
         "t[1]{a:array,b:ref?}:[],ref(u,1)"},
        {"t[1]{a:array}:[]", "types=all seed-only=true", NULL},
        {"t[1]{a:array}:[]", "seed-only=true", "t[1]{a}:[]"},
        {"_[1]{_:int}:5", "types=all", "_[1]{_:int}:5"},
        {"_[1]{_:int}:5", "", "_[1]{_}:5"},
        {"_[1]{_:vec(2)}:[1,NaN]", "", "_[1]{_:vec(2)}:[1.0,NaN]"},
        {"t[1]{a}:-Inf", "", "t[1]{a}:-Inf"},
        {"t[1]{a}:-Inf", "seed-only=true", NULL},
    };
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_options options = with_settings(NULL, all[i].settings);
        pith_buffer out = {0};
        pith_error err = {0};
        pith_status status =
            pith_convert("soch", "soch", all[i].json, strlen(all[i].json), &options,
                         pith_sink_buffer(&out), &err);
        if (all[i].text) {
            assert_int_equal(status, PITH_OK);
            assert_true(same_bytes(all[i].json, out.data, out.len, all[i].text,
                                   strlen(all[i].text)));
        } else {
            assert_int_equal(status, PITH_UNREPRESENTABLE);
            assert_string_equal(err.code, "unrepresentable");
            assert_non_null(strstr(err.message, "seed-only"));
        }
        pith_buffer_free(&out);
    }
}

/* The value in both forms, each read again as text. */
static void must_become(pith_value value, const char *expected)
{
    static const char *const formats[] = {"soch", "soch-bin"};
    for (size_t i = 0; i < ROWS(formats); i++) {
        pith_buffer form = must_write(value, formats[i], NULL);
        pith_doc *doc = must_parse(formats[i], form.data, form.len, NULL);
        pith_buffer text = must_write(pith_doc_root(doc), "soch", NULL);
        assert_true(
            same_bytes(formats[i], text.data, text.len, expected, strlen(expected)));
        pith_buffer_free(&text);
        pith_doc_free(doc);
        pith_buffer_free(&form);
    }
}

/* A part of a file has no header of its own; its columns are looked at. */
static void vectors_of_a_part(void **state)
{
    (void)state;
    static const char text[] =
        "t[2]{v:vec(2),n,o:vec(1)?}:[1,2],5,[3];[3,NaN],6," NONE "\n"
        "u[1]{v:vec(1),n,o:vec(1)}:[1],[2],[3]\n";
    pith_doc *doc = must_parse("soch", text, sizeof text - 1, NULL);
    pith_value t = pith_value_get(pith_doc_root(doc), "t");
    pith_value u = pith_value_get(pith_doc_root(doc), "u");
    must_become(t, "_[2]{v:vec(2),n,o:vec(1)?}:[1.0,2.0],5,[3.0];[3.0,NaN],6," NONE);
    /* of one size only where they all are */
    pith_doc *both = pith_doc_new(NULL);
    pith_doc_open_array(both);
    pith_doc_add_value(both, pith_value_at(t, 0));
    pith_doc_add_value(both, pith_value_at(u, 0));
    pith_doc_close(both);
    assert_int_equal(pith_doc_finish(both, NULL), PITH_OK);
    must_become(pith_doc_root(both),
                "_[2]{v,n,o:vec(1)}:[1.0,2.0],5,[3.0];[1.0],[2],[3.0]");
    pith_doc_free(both);
    pith_doc_free(doc);
}

static void what_it_looks_like(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *format;
    } looks[] = {
        {"users[2]{id,name}:1,Alice;2,Bob", "soch"},
        {"users[2]{id,name}:\n1,Alice;\n2,Bob", "soch"},
        {"# x\nusers[2]{id:uint,name:text}: 1,a;2,b", "soch"},
        {"\"a b\"[1]{\"c}\"}:1", "soch"},
        {"t[1]{\"\\\"}\"}:1", "soch"},
        {"t[1]{a,b{c,d}}: 1", "toon"},
        {"_[1]{_}:{}", "soch"},
        {"users[2]{id,name}:\n  1,Alice\n  2,Bob", "toon"},
        {"users[0]{id}:\nname: x", "toon"},
        {"users[2]: 1,2", "toon"},
        {"[{\"a\":1}]", "json"},
    };
    for (size_t i = 0; i < ROWS(looks); i++) {
        const pith_format *found =
            pith_format_sniff(looks[i].text, strlen(looks[i].text));
        assert_non_null(found);
        if (strcmp(found->name, looks[i].format) != 0) {
            fail_msg("%s: %s", looks[i].text, found->name);
        }
    }
    const pith_format *binary =
        pith_format_sniff(LIT("TOON\1\0\x0C\0\0\0\0\0\0\0\0\0\1t\0"));
    assert_non_null(binary);
    assert_string_equal(binary->name, "soch-bin");
    assert_null(pith_format_sniff(LIT("TOON\1p\2\xB0\1b\1\0\0\0\0\0\0\0\0\0\0")));
}

/* Wide tables share one list of keys; deep values need no stack. */
static void wide_and_deep(void **state)
{
    (void)state;
    enum { WIDE = 5000, DEEP = 100000 };
    pith_buffer text = {0};
    pith_sink sink = pith_sink_buffer(&text);
    sink.write(sink.ctx, "t[3]{", 5);
    for (int i = 0; i < WIDE; i++) {
        char name[16];
        int len = snprintf(name, sizeof name, "%sc%d", i ? "," : "", i);
        sink.write(sink.ctx, name, (size_t)len);
    }
    sink.write(sink.ctx, "}:", 2);
    for (int i = 0; i < 3 * WIDE; i++) {
        sink.write(sink.ctx, i % WIDE ? ",7" : i ? ";7" : "7", i ? 2 : 1);
    }
    pith_doc *doc = must_parse("soch", text.data, text.len, NULL);
    pith_buffer again = must_write(pith_doc_root(doc), "soch", NULL);
    assert_true(same_bytes("wide", again.data, again.len, text.data, text.len));
    pith_buffer bytes = must_write(pith_doc_root(doc), "soch-bin", NULL);
    pith_doc_free(doc);
    doc = must_parse("soch-bin", bytes.data, bytes.len, NULL);
    pith_buffer_free(&again);
    again = must_write(pith_doc_root(doc), "soch", NULL);
    assert_true(same_bytes("wide", again.data, again.len, text.data, text.len));
    pith_doc_free(doc);
    pith_buffer_free(&bytes);
    pith_buffer_free(&again);
    pith_buffer_free(&text);

    sink.write(sink.ctx, "_[1]{_}:", 8);
    for (int i = 0; i < DEEP; i++) {
        sink.write(sink.ctx, "[", 1);
    }
    for (int i = 0; i < DEEP; i++) {
        sink.write(sink.ctx, "]", 1);
    }
    pith_error err = {0};
    assert_null(pith_doc_parse("soch", text.data, text.len, NULL, &err));
    assert_string_equal(err.code, "depth_limit");
    pith_options options = {0};
    options.depth_max = PITH_DEPTH_MOST;
    doc = must_parse("soch", text.data, text.len, &options);
    again = must_write(pith_doc_root(doc), "soch", NULL);
    assert_true(same_bytes("deep", again.data, again.len, text.data, text.len));
    bytes = must_write(pith_doc_root(doc), "soch-bin", NULL);
    pith_doc_free(doc);
    doc = must_parse("soch-bin", bytes.data, bytes.len, &options);
    pith_doc_free(doc);
    pith_buffer_free(&bytes);
    pith_buffer_free(&again);
    pith_buffer_free(&text);
}

/* Empty arrays in one another. */
static void add_nested(pith_buffer *text, const char *before, size_t count)
{
    pith_sink sink = pith_sink_buffer(text);
    sink.write(sink.ctx, before, strlen(before));
    for (size_t i = 0; i < 2 * count; i++) {
        sink.write(sink.ctx, i < count ? "[" : "]", 1);
    }
}

/* The text in that format, however deep it is, in all dialects. */
static pith_buffer converted(const char *text, size_t len, const char *format)
{
    pith_options options = with_settings("compat=sochdb", "");
    pith_buffer out = {0};
    options.depth_max = PITH_DEPTH_MOST;
    assert_int_equal(
        pith_convert("soch", format, text, len, &options, pith_sink_buffer(&out), NULL),
        PITH_OK);
    return out;
}

/* What stands around a lone value is not part of it, so it does not count as depth. */
static void lone_value_may_be_as_deep_as_the_limit(void **state)
{
    static const char *const forms[][2] = {
        {"soch", NULL}, {"soch-bin", NULL}, {"soch-bin", "compress=zstd"}};
    (void)state;
    for (size_t i = 0; i < 3 * 2 * 2; i++) {
        bool table = i >= 3 * 2; /* of one row, without a name */
        const char *format = forms[i / 2 % 3][0];
        size_t depth = PITH_DEPTH_DEFAULT + i % 2;
        pith_options options = {0};
        options.depth_max = PITH_DEPTH_MOST;
        options.write = forms[i / 2 % 3][1];
        pith_buffer json = {0};
        add_nested(&json, table ? "[{\"a\":" : "", table ? depth - 2 : depth);
        pith_sink sink = pith_sink_buffer(&json);
        sink.write(sink.ctx, "}]", table ? 2 : 0);
        pith_doc *doc = must_parse("json", json.data, json.len, &options);
        pith_buffer text = {0};
        pith_error err = {0};
        pith_status status = pith_value_write(pith_doc_root(doc), format, &options,
                                              pith_sink_buffer(&text), &err);
        if (status != PITH_OK) {
            assert_string_equal(err.code, "not_built_in");
            pith_doc_free(doc);
            pith_buffer_free(&text);
            pith_buffer_free(&json);
            continue;
        }
        pith_doc *back = pith_doc_parse(format, text.data, text.len, NULL, &err);
        if (depth > PITH_DEPTH_DEFAULT) {
            assert_null(back);
            assert_string_equal(err.code, "depth_limit");
            assert_non_null(strstr(err.message, "limit of 512"));
        } else {
            assert_non_null(back);
            assert_true(pith_value_equal(pith_doc_root(doc), pith_doc_root(back)));
        }
        pith_doc_free(back);
        pith_doc_free(doc);
        pith_buffer_free(&text);
        pith_buffer_free(&json);
    }
}

/* A cell that looks like a lone value is none when a second table follows: then what is
 * around it counts, list, object, array and row. */
static void depth_around_several_tables_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        size_t extra = i % 2;
        const char *format = i < 2 ? "soch" : "soch-bin";
        pith_buffer text = {0};
        add_nested(&text, "_[1]{_}:", PITH_DEPTH_DEFAULT - 4 + extra);
        add_nested(&text, "\n_[1]{_}:1", 0);
        pith_buffer file = converted(text.data, text.len, format);
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse(format, file.data, file.len, NULL, &err);
        assert_true((doc == NULL) == (extra > 0));
        if (extra) {
            assert_string_equal(err.code, "depth_limit");
            assert_non_null(strstr(err.message, "limit of 512"));
        }
        pith_doc_free(doc);
        pith_buffer_free(&file);
        pith_buffer_free(&text);
    }
}

/* Root, array and row are one level each, and so is whatever is a container in a cell. */
static void every_level_counts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t depth;
    } all[] = {
        {"t[1]{a}:1", 3},        {"t[1]{a}:[]", 4},       {"t[1]{a}:{k:[1]}", 5},
        {"t[1]{a}:ref(u,1)", 4}, {"t[1]{a}:[@u:1]", 5},   {"t[1]{v:vec(1)}:[1]", 4},
        {"_[2]{a}:1;2", 2},      {"_[1]{a}:ref(u,1)", 3}, {"_[1]{_}:[[1]]", 2},
    };
    for (size_t i = 0; i < 2 * ROWS(all); i++) {
        const char *format = i % 2 ? "soch-bin" : "soch";
        pith_options options = with_settings(i % 2 ? "" : "compat=sochdb", "");
        pith_buffer file = converted(all[i / 2].text, strlen(all[i / 2].text), format);
        for (size_t limit = 1; limit <= all[i / 2].depth; limit++) {
            pith_error err = {0};
            options.depth_max = limit;
            pith_doc *doc = pith_doc_parse(format, file.data, file.len, &options, &err);
            if ((doc != NULL) != (limit == all[i / 2].depth)) {
                fail_msg("%s, %s, limit %zu", format, all[i / 2].text, limit);
            }
            if (!doc) {
                assert_string_equal(err.code, "depth_limit");
            }
            pith_doc_free(doc);
        }
        pith_buffer_free(&file);
    }
}

/* The sequences of keys that a document remembers are bounded. A reference behind more of
 * them was once refused for want of memory. */
static void references_behind_many_sequences_of_keys(void **state)
{
    (void)state;
    enum { MANY = 65600 };
    pith_buffer text = {0};
    pith_sink sink = pith_sink_buffer(&text);
    sink.write(sink.ctx, "t[1]{a,b,c}:[", 13);
    for (int i = 0; i < MANY; i++) {
        char object[32];
        int len = snprintf(object, sizeof object, "%s{k%d:1}", i ? "," : "", i);
        sink.write(sink.ctx, object, (size_t)len);
    }
    static const char refs[] = "],ref(users,42),[ref(u,7)]";
    sink.write(sink.ctx, refs, sizeof refs - 1);
    for (size_t i = 0; i < 2; i++) {
        const char *format = i ? "soch-bin" : "soch";
        pith_buffer file = converted(text.data, text.len, format);
        pith_doc *doc = must_parse(format, file.data, file.len, NULL);
        pith_value row = pith_value_at(pith_value_get(pith_doc_root(doc), "t"), 0);
        pith_text table = {0};
        uint64_t id = 0;
        assert_true(pith_value_ref(pith_value_get(row, "b"), &table, &id));
        assert_int_equal(table.len, 5);
        assert_memory_equal(table.ptr, "users", 5);
        assert_int_equal(id, 42);
        pith_buffer json = must_write(pith_value_get(row, "c"), "json", NULL);
        assert_string_equal(json.data, "[{\"$ref\":\"u\",\"id\":7}]");
        pith_buffer again = must_write(pith_doc_root(doc), "soch", NULL);
        assert_true(same_bytes(format, again.data, again.len, text.data, text.len));
        pith_buffer_free(&again);
        pith_buffer_free(&json);
        pith_doc_free(doc);
        pith_buffer_free(&file);
    }
    pith_buffer_free(&text);
}

/* The header that ends the rows was once counted as one of them. */
static void rows_before_a_header_are_counted(void **state)
{
    (void)state;
    static const char text[] = "t[1]{a}:1;2;3\nu[1]{b}:1";
    pith_options options = with_settings("strict=false", NULL);
    pith_doc *doc = pith_doc_parse("soch", text, sizeof text - 1, &options, NULL);
    assert_non_null(doc);
    pith_value root = pith_doc_root(doc);
    assert_int_equal(pith_value_count(pith_value_get(root, "t")), 3);
    assert_int_equal(pith_value_count(pith_value_get(root, "u")), 1);
    pith_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_before_a_header_are_counted),
        cmocka_unit_test(what_is_read),
        cmocka_unit_test(what_is_written),
        cmocka_unit_test(what_is_written_of_tables),
        cmocka_unit_test(vectors_of_a_part),
        cmocka_unit_test(what_it_looks_like),
        cmocka_unit_test(wide_and_deep),
        cmocka_unit_test(lone_value_may_be_as_deep_as_the_limit),
        cmocka_unit_test(depth_around_several_tables_counts),
        cmocka_unit_test(every_level_counts),
        cmocka_unit_test(references_behind_many_sequences_of_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
