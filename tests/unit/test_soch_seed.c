/*
 * test_soch_seed.c - the document that describes SochDB's tables, statement by statement:
 * its examples, types that are found and declared, numbers, bytes, and its grammar alone.
 */
#include "testing.h"
#include "named.h"

#define NONE "\xE2\x88\x85"

/* A conversion; `out` NULL: refused with `code`. */
typedef struct step {
    const char *from;
    const char *in;
    const char *to;
    const char *settings; /* of both sides */
    const char *out;
    const char *code;
} step;

static bool run(const step *s)
{
    /* The words that both sides know. */
    char shared[64] = "";
    snprintf(shared, sizeof shared, "%s %s",
             s->settings && strstr(s->settings, "seed-only") ? "seed-only=true" : "",
             s->settings && strstr(s->settings, "refs") ? "refs=text" : "");
    pith_options options =
        with_settings(strncmp(s->from, "soch", 4) == 0 ? shared : NULL,
                      strncmp(s->to, "soch", 4) == 0 ? s->settings : NULL);
    pith_buffer out = {0};
    pith_error err = {0};
    pith_status status = pith_convert(s->from, s->to, s->in, strlen(s->in), &options,
                                      pith_sink_buffer(&out), &err);
    bool right;
    if (status == PITH_OK) {
        right = s->out && same_bytes(s->in, out.data, out.len, s->out, strlen(s->out));
        if (!s->out)
            fprintf(stderr, "%s: not refused\n", s->in);
    } else {
        right = s->code && strcmp(err.code, s->code) == 0;
        if (!right)
            fprintf(stderr, "%s: %s [%s]\n", s->in, err.message, err.code);
    }
    pith_buffer_free(&out);
    return right;
}

/* The calls of testing.h, with settings. */
static pith_buffer write_with(const pith_doc *doc, const char *format,
                              const char *settings)
{
    pith_options options = with_settings(NULL, settings);
    return must_write(pith_doc_root(doc), format, &options);
}

static pith_doc *parse_with(const char *format, pith_buffer text, const char *settings)
{
    pith_options options = with_settings(settings, NULL);
    return must_parse(format, text.data, text.len, &options);
}

static void run_all(const step *steps, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++)
        failures += !run(&steps[i]);
    assert_int_equal(failures, 0);
}

/* ---------------------------------------------------------------- the examples */

static const char simple[] =
    "users[3]{id,name,email}:\n1,Alice,alice@example.com;\n2,Bob,bob@example.com;\n"
    "3,Carol,carol@example.com";
static const char nested[] = "products[2]{id,name,tags,metadata}:\n"
                             "1,Widget,[red,blue],{color:red,size:M};\n"
                             "2,Gadget,[green],{color:green,size:L}";
static const char optional[] =
    "users[2]{id:uint,email:text,phone:text?}:\n1,alice@ex.com,555-0100;\n"
    "2,bob@ex.com," NONE;

/* Every example comes back to the byte; of one that is not canonical, the reason is what
 * it becomes. */
static void examples_come_back(void **state)
{
    (void)state;
    static const step steps[] = {
        {"soch", simple, "soch", "rows=lines", simple, NULL},
        {"soch", simple, "soch", "rows=lines seed-only=true", simple, NULL},
        {"soch", nested, "soch", "rows=lines seed-only=true", nested, NULL},
        {"soch", optional, "soch", "rows=lines types=all seed-only=true", optional, NULL},
        /* a float has the fewest digits: 149.5 */
        {"soch",
         "orders[2]{id:uint,amount:float,status:text}:\n1001,99.99,pending;\n"
         "1002,149.50,shipped",
         "soch", "rows=lines types=all seed-only=true",
         "orders[2]{id:uint,amount:float,status:text}:\n1001,99.99,pending;\n"
         "1002,149.5,shipped",
         NULL},
        {"soch", "users[2]{id,name}:1,Alice;2,Bob", "soch", "seed-only=true",
         "users[2]{id,name}:1,Alice;2,Bob", NULL},
        {"soch",
         "users[2]{id:uint,name:text,email:text}:1,Alice,alice@ex.com;2,Bob,bob@ex.com",
         "soch", "types=all seed-only=true",
         "users[2]{id:uint,name:text,email:text}:1,Alice,alice@ex.com;2,Bob,bob@ex.com",
         NULL},
        {"soch", "users[2]{id,name,email}:1,Alice,alice@ex.com;2,Bob,bob@ex.com", "soch",
         "seed-only=true",
         "users[2]{id,name,email}:1,Alice,alice@ex.com;2,Bob,bob@ex.com", NULL},
        {"soch", "u[2]{i,n,e}:1,Alice,alice@ex.com;2,Bob,bob@ex.com", "soch",
         "seed-only=true", "u[2]{i,n,e}:1,Alice,alice@ex.com;2,Bob,bob@ex.com", NULL},
        /* the values of the tables of types and of the rules */
        {"soch", "t[1]{a,b,c,d,e,f,g,h}:42,-17,3.14,-0.5,hello,\"with, comma\",T,F",
         "soch", "seed-only=true",
         "t[1]{a,b,c,d,e,f,g,h}:42,-17,3.14,-0.5,hello,\"with, comma\",T,F", NULL},
        {"soch", "t[1]{v:vec(3)}:[0.1,0.2,0.3]", "soch", "seed-only=true",
         "t[1]{v:vec(3)}:[0.1,0.2,0.3]", NULL},
        {"soch",
         "t[1]{a,b,c,d,e,f}:[1,2,3],[red,green,blue],[[1,2],[3,4]],{name:Alice,age:30},"
         "{nested:{inner:value}},ref(users,42)",
         "soch", "seed-only=true",
         "t[1]{a,b,c,d,e,f}:[1,2,3],[red,green,blue],[[1,2],[3,4]],{name:Alice,age:30},"
         "{nested:{inner:value}},ref(users,42)",
         NULL},
        {"soch", "t[3]{s}:\"Hello, World\";\"Line 1\\nLine 2\";\"Say \\\"Hello\\\"\"",
         "soch", "seed-only=true",
         "t[3]{s}:\"Hello, World\";\"Line 1\\nLine 2\";\"Say \\\"Hello\\\"\"", NULL},
        {"soch", "t[3]{s}:hello;simple_name;user@example.com", "soch", "seed-only=true",
         "t[3]{s}:hello;simple_name;user@example.com", NULL},
        {"soch", "t[2]{a}:" NONE ";null", "soch", "seed-only=true",
         "t[2]{a}:" NONE ";" NONE, NULL},
        {"soch", "t[1]{a}:1.5e10", "soch", "seed-only=true", "t[1]{a}:15000000000.0",
         NULL},
        {"soch", "t[1]{a}:ref(orders,1001);", "soch", "seed-only=true",
         "t[1]{a}:ref(orders,1001)", NULL},
    };
    run_all(steps, ROWS(steps));
}

/* ---------------------------------------------------------------------- types */

static void seed_22_types_from_values(void **state)
{
    (void)state;
    static const step steps[] = {
        {"json",
         "{\"orders\":[{\"id\":1001,\"amount\":99.99,\"status\":\"pending\"},"
         "{\"id\":1002,\"amount\":149.5,\"status\":\"shipped\"}]}",
         "soch", "types=infer",
         "orders[2]{id:uint,amount:float,status:text}:1001,99.99,pending;"
         "1002,149.5,shipped",
         NULL},
        {"csv", "id,amount,ok\n1,2.5,true\n2,3,false\n", "soch", "types=infer",
         "_[2]{id:uint,amount:float,ok:bool}:1,2.5,T;2,3.0,F", NULL},
        {"json", "[{\"a\":1,\"b\":null,\"c\":null},{\"a\":-1,\"b\":\"x\",\"c\":null}]",
         "soch", "types=infer", "_[2]{a:int,b:text?,c}:1," NONE "," NONE ";-1,x," NONE,
         NULL},
        {"json", "[{\"v\":[1,0.5]},{\"v\":[3,4]}]", "soch", "types=infer",
         "_[2]{v:vec(2)}:[1.0,0.5];[3.0,4.0]", NULL},
        {"json", "[{\"v\":[1]},{\"v\":[3,4]}]", "soch", "types=infer",
         "_[2]{v}:[1];[3,4]", NULL},
        /* whole numbers stay whole: a vector would make floats of them */
        {"json", "[{\"v\":[1,2]},{\"v\":[3,4]}]", "soch", "types=infer",
         "_[2]{v}:[1,2];[3,4]", NULL},
        {"json", "[{\"v\":[]},{\"v\":[[1]]}]", "soch", "types=infer", "_[2]{v}:[];[[1]]",
         NULL},
        /* no double is 9007199254740993, and nothing holds a text and a number */
        {"json", "[{\"a\":9007199254740993,\"b\":1},{\"a\":0.5,\"b\":\"x\"}]", "soch",
         "types=infer", "_[2]{a,b}:9007199254740993,1;0.5,x", NULL},
        {"json", "[{\"a\":18446744073709551615},{\"a\":-1}]", "soch", "types=infer",
         "_[2]{a}:18446744073709551615;-1", NULL},
        {"json", "[{\"a\":1},{\"b\":\"007\"}]", "soch", "types=infer fill-missing=true",
         "_[2]{a:uint?,b:text?}:1," NONE ";" NONE ",007", NULL},
        {"json", "5", "soch", "types=infer", "_[1]{_}:5", NULL},
        {"soch", "t[2]{a,b,c:int}:ref(u,1),b64:AAE=,1;ref(u,2),b64:AAI=,2", "soch",
         "types=infer", "t[2]{a:ref(u),b:bytes,c:int}:ref(u,1),AAE=,1;ref(u,2),AAI=,2",
         NULL},
        {"soch", "t[2]{a}:ref(u,1);ref(v,2)", "soch", "types=infer",
         "t[2]{a:ref}:ref(u,1);ref(v,2)", NULL},
        {"soch", "t[2]{a}:ref(u,1);ref(u,2)", "soch", "types=infer seed-only=true",
         "t[2]{a}:ref(u,1);ref(u,2)", NULL},
    };
    run_all(steps, ROWS(steps));
}

/* Through bytes and back: what the columns were. */
static void seed_22_types_in_binary(void **state)
{
    (void)state;
    static const char json[] =
        "[{\"id\":1,\"x\":1.5,\"v\":[1,2],\"s\":\"a\"},{\"id\":2,\"x\":2,\"v\":[0.5,3],"
        "\"s\":null}]";
    static const struct {
        const char *settings;
        const char *text;
    } ways[] = {
        {"types=infer", "_[2]{id:uint,x:float,v:vec(2),s:text?}:1,1.5,[1.0,2.0],a;2,2.0,"
                        "[0.5,3.0]," NONE},
        {"fields=id:int,s:text?,v:vec(2)",
         "_[2]{id:int,x,v:vec(2),s:text?}:1,1.5,[1.0,2.0],a;2,2,[0.5,3.0]," NONE},
        {"", "_[2]{id,x,v,s}:1,1.5,[1,2],a;2,2,[0.5,3]," NONE},
    };
    for (size_t i = 0; i < ROWS(ways); i++) {
        pith_doc *doc = must_parse_json(json);
        pith_buffer bytes = write_with(doc, "soch-bin", ways[i].settings);
        pith_doc *back = parse_with("soch-bin", bytes, NULL);
        pith_buffer text = write_with(back, "soch", "types=all");
        assert_true(same_bytes(ways[i].settings, text.data, text.len, ways[i].text,
                               strlen(ways[i].text)));
        pith_buffer_free(&text);
        pith_buffer_free(&bytes);
        pith_doc_free(back);
        pith_doc_free(doc);
    }
}

static void seed_22_declared_fields(void **state)
{
    (void)state;
    static const step steps[] = {
        {"json", "[{\"id\":1,\"amount\":2,\"s\":\"x\"}]", "soch",
         "fields=\"id:uint,amount:float\"", "_[1]{id:uint,amount:float,s}:1,2.0,x", NULL},
        {"json", "[{\"id\":1}]", "soch", "fields=id:uint types=none", "_[1]{id:uint}:1",
         NULL},
        {"json", "[{\"id\":1,\"s\":\"x\"}]", "soch", "fields=id:int? types=infer",
         "_[1]{id:int?,s:text}:1,x", NULL},
        {"json", "[{\"b\":\"AAE=\",\"t\":1,\"u\":7,\"f\":\"NaN\"}]", "soch",
         "fields=b:bytes,t:bool,u:ref(users),f:float",
         "_[1]{b:bytes,t:bool,u:ref(users),f:float}:AAE=,T,ref(users,7),NaN", NULL},
        {"json", "[{\"a\":1},{\"a\":-1}]", "soch", "fields=a:uint", NULL, "out_of_range"},
        {"json", "[{\"a\":\"x\"}]", "soch", "fields=a:int", NULL, "type_mismatch"},
        {"json", "[{\"a\":1.5}]", "soch", "fields=a:int", NULL, "type_mismatch"},
        {"json", "[{\"a\":null}]", "soch", "fields=a:int", NULL, "null_not_allowed"},
        {"json", "[{\"a\":1},{\"b\":1}]", "soch", "fields=a:int fill-missing=true", NULL,
         "null_not_allowed"},
        {"json", "[{\"a\":[1]}]", "soch", "fields=a:vec(2)", NULL,
         "vector_size_mismatch"},
        {"json", "[{\"a\":[\"x\"]}]", "soch", "fields=a:vec(1)", NULL, "type_mismatch"},
        {"json", "[{\"a\":\"A\"}]", "soch", "fields=a:bytes", NULL, "type_mismatch"},
        {"json", "[{\"a\":2}]", "soch", "fields=a:bool", NULL, "type_mismatch"},
        {"json", "[{\"a\":-2}]", "soch", "fields=a:ref(u)", NULL, "type_mismatch"},
        {"json", "[{\"a\":2}]", "soch", "fields=a:ref", NULL, "type_mismatch"},
        {"json", "[{\"a\":2}]", "soch", "fields=b:int", NULL, "unknown_column"},
        {"json", "[{\"a\":2}]", "soch", "fields=a:number", NULL, "bad_setting"},
        {"json", "[{\"a\":2}]", "soch", "fields=a:int}x", NULL, "bad_setting"},
        {"json", "[{\"a\":2}]", "soch", "fields=a:int,a:int", NULL, "bad_setting"},
        {"json", "[{\"a\":\"x\"}]", "soch-bin", "fields=a:int", NULL, "type_mismatch"},
        {"json", "[{\"a\":2}]", "soch-bin", "fields=b:int", NULL, "unknown_column"},
    };
    run_all(steps, ROWS(steps));
}

static void seed_22_refs_as_text(void **state)
{
    (void)state;
    static const step steps[] = {
        {"soch", "t[1]{a:ref(users),b}:ref(users,42),[ref(x,1)]", "json", "refs=text",
         "{\"t\":[{\"a\":\"ref(users,42)\",\"b\":[\"ref(x,1)\"]}]}", NULL},
        {"soch", "t[1]{a}:ref(\"u v\",42)", "json", "refs=text",
         "{\"t\":[{\"a\":{\"$ref\":\"u v\",\"id\":42}}]}", NULL},
        {"soch", "t[1]{a:ref(u)}:ref(v,1)", "json", "refs=text", NULL, "type_mismatch"},
        {"json", "{\"t\":[{\"a\":\"ref(users,42)\",\"b\":[\"ref(x,1)\"]}]}", "soch",
         "refs=text", "t[1]{a,b}:ref(users,42),[ref(x,1)]", NULL},
        {"json", "{\"t\":[{\"a\":\"ref(users,42)\"}]}", "soch", "refs=text types=infer",
         "t[1]{a:ref(users)}:ref(users,42)", NULL},
        {"json", "{\"t\":[{\"a\":\"ref(users,042)\",\"b\":\"ref(u,x)\"}]}", "soch",
         "refs=text", "t[1]{a,b}:\"ref(users,042)\",\"ref(u,x)\"", NULL},
        {"json", "{\"t\":[{\"a\":\"ref(users,42)\"}]}", "soch", "",
         "t[1]{a}:\"ref(users,42)\"", NULL},
        {"soch", "t[1]{a:ref(users)}:ref(users,42)", "soch", "refs=text types=all",
         "t[1]{a:ref(users)}:ref(users,42)", NULL},
    };
    run_all(steps, ROWS(steps));
    /* and the same through bytes */
    pith_doc *doc =
        must_parse_json("[{\"a\":\"ref(users,42)\",\"b\":{\"c\":\"ref(x,1)\"}}]");
    pith_buffer bytes = write_with(doc, "soch-bin", "refs=text");
    pith_doc *typed = parse_with("soch-bin", bytes, NULL);
    pith_buffer text = write_with(typed, "soch", NULL);
    assert_true(same_bytes("bytes", text.data, text.len,
                           LIT("_[1]{a,b}:ref(users,42),{c:ref(x,1)}")));
    pith_doc *spelled = parse_with("soch-bin", bytes, "refs=text");
    pith_buffer json = write_with(spelled, "json", NULL);
    assert_true(
        same_bytes("json", json.data, json.len,
                   LIT("[{\"a\":\"ref(users,42)\",\"b\":{\"c\":\"ref(x,1)\"}}]")));
    pith_buffer_free(&json);
    pith_buffer_free(&text);
    pith_buffer_free(&bytes);
    pith_doc_free(spelled);
    pith_doc_free(typed);
    pith_doc_free(doc);
}

/* -------------------------------------------------------------- types of rows */

/* Two rows whose columns were declared, or not. */
static pith_status write_rows(const char *format, const char *settings, bool declare,
                              bool expect, pith_buffer *out, pith_error *err)
{
    static const char *const columns[] = {"id", "raw", "of", "ok"};
    pith_options options = with_settings(NULL, settings);
    pith_field id = {.type = PITH_TYPE_UINT};
    pith_field raw = {.type = PITH_TYPE_BYTES, .nullable = true};
    pith_field of = {.type = PITH_TYPE_REF, .target = {"users", 5}};
    pith_field ok = {.type = PITH_TYPE_BOOL};
    pith_rows *rows =
        rows_open_named(format, columns, 4, &options, pith_sink_buffer(out), err);
    if (!rows)
        return err->status;
    if (declare) {
        pith_rows_declare(rows, 0, &id);
        pith_rows_declare(rows, 1, &raw);
        pith_rows_declare(rows, 2, &of);
        pith_rows_declare(rows, 3, &ok);
    }
    if (expect)
        pith_rows_expect(rows, 2);
    for (int i = 1; i <= 2; i++) {
        pith_doc_add_int64(pith_rows_row(rows), i);
        if (i == 1)
            pith_doc_add_bytes(pith_rows_row(rows), "\0\1", 2);
        else
            pith_doc_add_null(pith_rows_row(rows));
        pith_doc_add_int64(pith_rows_row(rows), 40 + i);
        pith_doc_add_int64(pith_rows_row(rows), i - 1);
        pith_rows_end_row(rows, NULL);
    }
    return pith_rows_close(rows, err);
}

static void rows_become(const char *format, const char *settings, bool declare,
                        const char *expected)
{
    for (int expect = 0; expect < 2; expect++) {
        pith_buffer out = {0};
        pith_error err = {0};
        if (write_rows(format, settings, declare, expect, &out, &err) != PITH_OK)
            fail_msg("%s: %s", settings, err.message);
        if (strcmp(format, "soch-bin") == 0) {
            pith_doc *doc = parse_with(format, out, NULL);
            pith_buffer text = write_with(doc, "soch", "types=all");
            pith_buffer_free(&out);
            pith_doc_free(doc);
            out = text;
        }
        assert_true(same_bytes(settings, out.data, out.len, expected, strlen(expected)));
        pith_buffer_free(&out);
    }
}

static void seed_22_rows_declare_types(void **state)
{
    (void)state;
    static const char typed[] = "_[2]{id:uint,raw:bytes?,of:ref(users),ok:bool}:"
                                "1,AAE=,ref(users,41),F;2," NONE ",ref(users,42),T";
    static const char plain[] = "_[2]{id,raw,of,ok}:1,b64:AAE=,41,0;2," NONE ",42,1";
    static const char found[] =
        "_[2]{id:uint,raw:bytes?,of:uint,ok:uint}:1,AAE=,41,0;2," NONE ",42,1";
    rows_become("soch", "types=all", true, typed);
    rows_become("soch", "types=all verify=false", false, plain);
    rows_become("soch", "", true, plain);
    rows_become("soch", "types=infer", true, found);
    rows_become("soch", "types=infer fields=ok:bool", false,
                "_[2]{id:uint,raw:bytes?,of:uint,ok:bool}:1,AAE=,41,F;2," NONE ",42,T");
    rows_become("soch-bin", "types=all", true, typed);
    rows_become("soch-bin", "types=all compress=lz4", true, typed);
    rows_become("soch-bin", "", true, plain);
    rows_become("soch-bin", "types=infer", true, found);
    rows_become("json", "", true,
                "[{\"id\":1,\"raw\":\"AAE=\",\"of\":41,\"ok\":0},"
                "{\"id\":2,\"raw\":null,\"of\":42,\"ok\":1}]");
    /* all rows are collected to be compared, and still have their types */
    rows_become("soch", "types=all optimize=tokens null=sign bool=short rows=compact",
                true, typed);
}

static void seed_22_rows_that_do_not_fit(void **state)
{
    (void)state;
    static const char *const columns[] = {"id"};
    static const struct {
        const char *settings;
        pith_type type;
        size_t column;
        const char *code;
    } cases[] = {
        {"types=all", PITH_TYPE_BOOL, 0, "type_mismatch"},
        {"fields=id:text", PITH_TYPE_ANY, 0, "type_mismatch"},
        {"types=all", PITH_TYPE_INT, 1, "no_column"},
        {"types=all", (pith_type)99, 0, "unknown_type"},
    };
    static const char *const formats[] = {"soch", "soch-bin"};
    for (size_t i = 0; i < ROWS(cases) * ROWS(formats); i++) {
        size_t at = i / 2;
        pith_options options = with_settings(NULL, cases[at].settings);
        pith_buffer out = {0};
        pith_error err = {0};
        pith_rows *rows = rows_open_named(formats[i % 2], columns, 1, &options,
                                          pith_sink_buffer(&out), &err);
        assert_non_null(rows);
        pith_field field = {.type = cases[at].type};
        pith_rows_declare(rows, cases[at].column, &field);
        pith_doc_add_int64(pith_rows_row(rows), 7);
        assert_int_not_equal(pith_rows_end_row(rows, &err), PITH_OK);
        assert_string_equal(err.code, cases[at].code);
        pith_rows_abandon(rows);
        pith_buffer_free(&out);
    }
    pith_options options = with_settings(NULL, "fields=x:int");
    pith_buffer out = {0};
    pith_error err = {0};
    assert_null(
        rows_open_named("soch", columns, 1, &options, pith_sink_buffer(&out), &err));
    assert_string_equal(err.code, "unknown_column");
    pith_rows *rows =
        rows_open_named("soch", columns, 1, NULL, pith_sink_buffer(&out), &err);
    pith_field field = {.type = PITH_TYPE_INT};
    pith_doc_add_int64(pith_rows_row(rows), 7);
    pith_rows_declare(rows, 0, &field);
    assert_int_not_equal(pith_rows_end_row(rows, &err), PITH_OK);
    assert_string_equal(err.code, "late_field");
    pith_rows_abandon(rows);
    pith_buffer_free(&out);
}

/* -------------------------------------------------------------- numbers, bytes */

static void seed_23_numbers(void **state)
{
    (void)state;
    static const step steps[] = {
        {"soch", "t[1]{a,b,c,d,e}:007,-007,00.5,1.5E10,000", "json", NULL,
         "{\"t\":[{\"a\":7,\"b\":-7,\"c\":0.5,\"d\":1.5E10,\"e\":0}]}", NULL},
        {"soch", "t[1]{a,b,c,d}:007,-007,00.5,1.5E10", "json", "seed-only=true",
         "{\"t\":[{\"a\":7,\"b\":-7,\"c\":0.5,\"d\":1.5E10}]}", NULL},
        {"soch", "t[1]{a}:[007,{x:-01}]", "json", NULL,
         "{\"t\":[{\"a\":[7,{\"x\":-1}]}]}", NULL},
        {"soch", "t[1]{a,b}:0018446744073709551615,-009223372036854775808", "json", NULL,
         "{\"t\":[{\"a\":18446744073709551615,\"b\":-9223372036854775808}]}", NULL},
        {"soch", "t[1]{a}:0018446744073709551616", "json", NULL, NULL, "out_of_range"},
        {"soch", "t[01]{a,b:int??}:1,null", "json", NULL,
         "{\"t\":[{\"a\":1,\"b\":null}]}", NULL},
        {"soch", "t[0000000000000000000000002]{a:vec(01)?}:[1];[2]", "soch", NULL,
         "t[2]{a:vec(1)?}:[1.0];[2.0]", NULL},
        {"soch", "t[1]{b:int??}:1", "soch", "types=all", "t[1]{b:int?}:1", NULL},
        /* what is a text stays one: it is quoted, or its column says so */
        {"json", "[{\"a\":\"007\"}]", "soch", NULL, "_[1]{a}:\"007\"", NULL},
        {"json", "[{\"a\":\"1E5\"},{\"a\":\"007\"}]", "soch", NULL,
         "_[2]{a:text}:1E5;007", NULL},
        {"soch", "t[1]{a}:555-0100", "json", NULL, "{\"t\":[{\"a\":\"555-0100\"}]}",
         NULL},
    };
    run_all(steps, ROWS(steps));
}

static void seed_24_bytes(void **state)
{
    (void)state;
    static const step steps[] = {
        {"soch", "t[1]{b:bytes}:AAE=", "soch", NULL, "t[1]{b:bytes}:AAE=", NULL},
        {"soch", "t[1]{b:bytes}:AAE=", "soch", "seed-only=true",
         "t[1]{b:bytes}:AAE=", NULL},
        {"soch", "t[4]{b:bytes?}:SGVsbG8=;b64:SGVsbG8=;b64:;" NONE, "soch", NULL,
         "t[4]{b:bytes?}:SGVsbG8=;SGVsbG8=;b64:;" NONE, NULL},
        {"soch", "t[1]{b}:b64:AAE=", "soch", NULL, "t[1]{b}:b64:AAE=", NULL},
        {"soch", "t[1]{b:bytes}:AAE=", "soch", "types=none", "t[1]{b}:b64:AAE=", NULL},
    };
    run_all(steps, ROWS(steps));
}

/* ------------------------------------------------------------ the grammar alone */

static void seed_only_reads_the_grammar(void **state)
{
    (void)state;
    static const step steps[] = {
        {"soch", "t[1]{a}:1\nu[1]{b}:2", "json", "seed-only=true", NULL,
         "trailing_content"},
        {"soch", "t[1]{a}:1;\nu[1]{b}:2", "json", "seed-only=true", NULL,
         "trailing_content"},
        {"soch", "t[1]{a}:1\n# end", "json", "seed-only=true", NULL, "trailing_content"},
        {"soch", "# start\nt[1]{a}:1", "json", "seed-only=true", NULL, "syntax"},
        {"soch", " t[1]{a}:1", "json", "seed-only=true", NULL, "syntax"},
        {"soch", "t[2]{a}:1\n2", "json", "seed-only=true", NULL, "syntax"},
        {"soch", "t[2]{a}:1\n;2", "json", "seed-only=true", NULL, "syntax"},
        {"soch", "t [1] {a}:1", "json", "seed-only=true", NULL, "syntax"},
        {"soch", "t[1]{a, b}:1,2", "json", "seed-only=true", NULL, "syntax"},
        {"soch", "t[ 1]{a}:1", "json", "seed-only=true", NULL, "syntax"},
        {"soch", "t[1]{a:int ?}:1", "json", "seed-only=true", NULL, "unknown_type"},
        {"soch", "t[1]{a:i64}:1", "json", "seed-only=true", NULL, "unknown_type"},
        {"soch", "t[0]{a}:", "json", "seed-only=true", NULL, "unrepresentable"},
        {"soch", "t[0]{}:", "json", "seed-only=true", NULL, "unrepresentable"},
        {"soch", "t[1]{1a}:1", "json", "seed-only=true", NULL, "syntax"},
        {"soch", "t[1]{a}:1e5", "json", "seed-only=true", "{\"t\":[{\"a\":\"1e5\"}]}",
         NULL},
        {"soch", "t[1]{a:float}:1e5", "json", "seed-only=true", NULL, "type_mismatch"},
        {"soch", "t[1]{a}:b64:AAE=", "json", "seed-only=true",
         "{\"t\":[{\"a\":\"b64:AAE=\"}]}", NULL},
        {"soch", "t[1]{a:bytes}:b64:AAE=", "json", "seed-only=true", NULL,
         "invalid_base64"},
        {"soch", "t[1]{a}: \"x\"", "json", "seed-only=true", NULL, "empty_value"},
        {"soch", "t[1]{a}:\"x\" ", "json", "seed-only=true", NULL, "syntax"},
        {"soch", "t[1]{a}:[1,\n2]", "json", "seed-only=true", NULL, "empty_value"},
        {"soch", "t[1]{a}:[1 ,[2] ]", "json", "seed-only=true", NULL, "syntax"},
        {"soch", "t[1]{a}:{\"k\":1}", "json", "seed-only=true", NULL, "syntax"},
        {"soch", "t[1]{a}:{k :1}", "json", "seed-only=true", NULL, "syntax"},
        {"soch", "t[1]{a}:ref( u,1)", "json", "seed-only=true", NULL, "syntax"},
        {"soch", "t[1]{a}:ref(u,1 )", "json", "seed-only=true", NULL, "syntax"},
        {"soch", "t[1]{a:vec(2)}:[1,2 ]", "json", "seed-only=true",
         "{\"t\":[{\"a\":[1.0,2.0]}]}", NULL},
        {"soch", "t[2]{a}:\r\n\"x\";\r\n[y]\r\n", "json", "seed-only=true",
         "{\"t\":[{\"a\":\"x\"},{\"a\":[\"y\"]}]}", NULL},
        {"soch", "t[2]{a}:1;\n2;\n", "json", "seed-only=true",
         "{\"t\":[{\"a\":1},{\"a\":2}]}", NULL},
        {"soch", "t[1]{a}:a b: c\\d", "json", "seed-only=true",
         "{\"t\":[{\"a\":\"a b: c\\\\d\"}]}", NULL},
    };
    run_all(steps, ROWS(steps));
}

static void seed_only_writes_the_grammar(void **state)
{
    (void)state;
    static const step steps[] = {
        {"json", "{\"t\":[{\"a\":1}],\"u\":[{\"b\":2}]}", "soch", "seed-only=true",
         "_[1]{_}:{t:[{a:1}],u:[{b:2}]}", NULL},
        {"json", "{\"t\":[]}", "soch", "seed-only=true", "_[1]{_}:{t:[]}", NULL},
        {"json", "[{\"a\":1}]", "soch", "seed-only=true rows=nl", NULL,
         "unrepresentable"},
        {"json",
         "[{\"a\":1e16,\"b\":0.00001,\"c\":-1.5e-7,\"d\":123456.5e20,\"e\":-0.0}]",
         "soch", "seed-only=true",
         "_[1]{a,b,c,d,e}:10000000000000000.0,0.00001,-0.00000015,"
         "12345650000000000000000000.0,-0.0",
         NULL},
        {"json", "[{\"a\":\"1e5\"}]", "soch", "seed-only=true", "_[1]{a}:\"1e5\"", NULL},
        {"json", "[{\"a\":\"\"}]", "soch", "seed-only=true fields=a:bytes", NULL,
         "unrepresentable"},
        {"json", "[{\"a\":{\"b c\":1}}]", "soch", "seed-only=true", NULL,
         "unrepresentable"},
    };
    run_all(steps, ROWS(steps));
    /* what only this format has */
    static const struct {
        const char *text;
        const char *settings;
    } refused[] = {
        {"t[1]{a}:1\nu[1]{b}:2", "seed-only=true"},
        {"t[0]{a}:", "seed-only=true"},
        {"t[1]{a}:b64:AAE=", "seed-only=true"},
        {"t[1]{a}:[b64:AAE=]", "seed-only=true"},
        {"t[1]{a:bytes}:AAE=", "seed-only=true types=none"},
    };
    for (size_t i = 0; i < ROWS(refused); i++) {
        pith_options options = with_settings(NULL, refused[i].settings);
        pith_buffer out = {0};
        pith_error err = {0};
        pith_status status =
            pith_convert("soch", "soch", refused[i].text, strlen(refused[i].text),
                         &options, pith_sink_buffer(&out), &err);
        if (status != PITH_UNREPRESENTABLE)
            fail_msg("%s: %s", refused[i].text, err.message);
        assert_non_null(strstr(err.message, "seed-only"));
        pith_buffer_free(&out);
    }
}

static void empty_arrays_are_tables(void **state)
{
    (void)state;
    static const step steps[] = {
        {"json", "{\"users\":[]}", "soch", NULL, "users[0]{}:", NULL},
        {"soch", "users[0]{}:", "json", NULL, "{\"users\":[]}", NULL},
        {"soch", "users[0]{}:", "soch", NULL, "users[0]{}:", NULL},
        {"json", "{\"a\":[],\"b\":[{\"x\":1}],\"c\":[]}", "soch", "types=infer",
         "a[0]{}:\nb[1]{x:uint}:1\nc[0]{}:", NULL},
        {"soch", "a[0]{}:\nb[1]{x}:1\nc[0]{}:", "json", NULL,
         "{\"a\":[],\"b\":[{\"x\":1}],\"c\":[]}", NULL},
    };
    run_all(steps, ROWS(steps));
    pith_doc *doc = must_parse_json("{\"users\":[],\"x\":[]}");
    pith_buffer bytes = write_with(doc, "soch-bin", NULL);
    pith_doc *back = parse_with("soch-bin", bytes, NULL);
    pith_buffer json = write_with(back, "json", NULL);
    assert_true(same_bytes("bytes", json.data, json.len, LIT("{\"users\":[],\"x\":[]}")));
    pith_buffer_free(&json);
    pith_buffer_free(&bytes);
    pith_doc_free(back);
    pith_doc_free(doc);
}

static void flags_explain_themselves(void **state)
{
    (void)state;
    pith_error err = {0};
    assert_null(
        pith_doc_parse("soch-bin", "TOON\1\0\0\0\0\0\0\0\0\0\0\0\1t\0", 19, NULL, &err));
    assert_string_equal(err.code, "unknown_flags");
    assert_non_null(strstr(err.message, "8 says that the name and the columns"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_come_back),
        cmocka_unit_test(seed_22_types_from_values),
        cmocka_unit_test(seed_22_types_in_binary),
        cmocka_unit_test(seed_22_declared_fields),
        cmocka_unit_test(seed_22_refs_as_text),
        cmocka_unit_test(seed_22_rows_declare_types),
        cmocka_unit_test(seed_22_rows_that_do_not_fit),
        cmocka_unit_test(seed_23_numbers),
        cmocka_unit_test(seed_24_bytes),
        cmocka_unit_test(seed_only_reads_the_grammar),
        cmocka_unit_test(seed_only_writes_the_grammar),
        cmocka_unit_test(empty_arrays_are_tables),
        cmocka_unit_test(flags_explain_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
