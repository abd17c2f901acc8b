/*
 * test_pith_decode.c - what the Pith decoder accepts, what it refuses and where, whole
 * and as its bytes arrive.
 *
 * Every text is handed over in a block of exactly its size. Every text that is refused
 * also goes through pith_check, whose first problem must be the same. Texts that are
 * tables are also fed in pieces of every size; the rows must be those of the whole text,
 * and problems the same.
 */
#include "bytes.h"
#include "meter.h"
#include "testing.h"

typedef struct meaning {
    const char *text;
    const char *json;
} meaning;

typedef struct refusal {
    const char *text;
    const char *code;
    size_t line;
    size_t column;
} refusal;

static char *exact_copy(const char *text, size_t len)
{
    char *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    memcpy(copy, text, len);
    return copy;
}

/* ------------------------------------------------------------------------ in pieces */

/* Feeds the text in pieces of `size` and adds every row, as a line of JSON, to `rows`. */
static bool take_all(const char *text, size_t len, size_t size, bytes *rows,
                     pith_error *err)
{
    pith_reader *reader = pith_reader_open("pith", NULL, err);
    assert_non_null(reader);
    bool fine = true;
    for (size_t at = 0; fine && at <= len; at += size) {
        size_t piece = len - at < size ? len - at : size;
        char *copy = exact_copy(text + at, piece);
        fine = pith_reader_feed(reader, copy, piece, err) == PITH_OK;
        free(copy);
        if (fine && at + size > len) {
            fine = pith_reader_end(reader, err) == PITH_OK;
        }
        while (fine) {
            pith_value row;
            fine = pith_reader_next(reader, &row, err) == PITH_OK;
            if (!fine || !row.doc) {
                break;
            }
            pith_buffer out = must_write(row, "json", NULL);
            bytes_put(rows, rows->len > 0 ? "," : "");
            bytes_add(rows, out.data, out.len);
            pith_buffer_free(&out);
        }
    }
    pith_reader_free(reader);
    return fine;
}

/* The rows, whatever the pieces, between brackets if the value is an array. */
static bool gives_rows(const char *text, const char *json)
{
    size_t len = strlen(text);
    bool array = json[0] == '[';
    bool right = true;
    for (size_t size = 1; size <= len + 1 && right; size++) {
        bytes rows = {0};
        bytes all = {0};
        pith_error err = {0};
        right = take_all(text, len, size, &rows, &err);
        if (!right) {
            fprintf(stderr, "%s at %zu:%zu: %s\n", err.code, err.line, err.column,
                    err.message);
        }
        bytes_put(&all, array ? "[" : "");
        bytes_add(&all, rows.ptr ? rows.ptr : "", rows.len);
        bytes_put(&all, array ? "]" : "");
        right = right && same_bytes("rows", all.ptr, all.len, json, strlen(json));
        if (!right) {
            fprintf(stderr, "  in pieces of %zu\n", size);
        }
        bytes_free(&all);
        bytes_free(&rows);
    }
    return right;
}

/* ------------------------------------------------------------------------- accepted */

static bool means(const meaning *row)
{
    size_t len = strlen(row->text);
    char *text = exact_copy(row->text, len);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("pith", text, len, NULL, &err);
    bool right = doc != NULL;
    if (doc) {
        pith_buffer out = must_write(pith_doc_root(doc), "json", NULL);
        right = same_bytes("means", out.data, out.len, row->json, strlen(row->json));
        pith_buffer_free(&out);
    } else {
        fprintf(stderr, "%s at %zu:%zu: %s\n", err.code, err.line, err.column,
                err.message);
    }
    right = right && pith_check("pith", text, len, NULL, NULL, NULL, NULL) == PITH_OK;
    right = right && gives_rows(row->text, row->json);
    if (!right) {
        fprintf(stderr, "  of %s\n", row->text);
    }
    pith_doc_free(doc);
    free(text);
    return right;
}

static void must_mean(const meaning *rows, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++) {
        failures += !means(&rows[i]);
    }
    assert_int_equal(failures, 0);
}

static void tokens(void **state)
{
    (void)state;
    static const meaning rows[] = {
        {"hello", "\"hello\""},
        {" a b \n", "\"a b\""},
        {"true", "true"},
        {"truer", "\"truer\""},
        {"[1 , 2 3,null ,nullx]", "[1,\"2 3\",null,\"nullx\"]"},
        {"[-,1e,1.2.3,0x1,?]", "[\"-\",\"1e\",\"1.2.3\",\"0x1\",\"?\"]"},
        {"[a:b=c]", "[\"a:b=c\"]"},
        {"{a b : c d}", "{\"a b\":\"c d\"}"},
        {"{\"a\\u0062\":\"\\ud83d\\ude00\"}", "{\"ab\":\"\xf0\x9f\x98\x80\"}"},
        {"{\xc3\xa9:\xc3\xa9 \xc3\xa9}", "{\"\xc3\xa9\":\"\xc3\xa9 \xc3\xa9\"}"},
        {"{1:1,null:null,-:-}", "{\"1\":1,\"null\":null,\"-\":\"-\"}"},
        {"[a long text that has no comma in it at all]",
         "[\"a long text that has no comma in it at all\"]"},
        {"[\xc2\xa0]", "[\"\xc2\xa0\"]"},
    };
    must_mean(rows, ROWS(rows));
}

static void tables(void **state)
{
    (void)state;
    static const meaning rows[] = {
        {"[0{a}]", "[]"},
        {"[0{a} \n ]", "[]"},
        {"[2{a};1;2]", "[{\"a\":1},{\"a\":2}]"},
        {"[2{a}\n1\n2]", "[{\"a\":1},{\"a\":2}]"},
        {"[2{a}\r1\r2\r]", "[{\"a\":1},{\"a\":2}]"},
        {"[2{a}\r\n\r\n 1 \r\n\t2\r\n]", "[{\"a\":1},{\"a\":2}]"},
        {"[2{a} ; \n1 ; 2 ]", "[{\"a\":1},{\"a\":2}]"},
        {"[3{a,b};,;1,;,2]", "[{},{\"a\":1},{\"b\":2}]"},
        {"[1{a,b}; \"x\" , [1, 2] ]", "[{\"a\":\"x\",\"b\":[1,2]}]"},
        {"[2{a,b};{x:[1,\n2]},[1{y};1];[[]],{}]",
         "[{\"a\":{\"x\":[1,2]},\"b\":[{\"y\":1}]},{\"a\":[[]],\"b\":{}}]"},
        {"[2{ a , \"b\" = x , g { c , d } } ;1,2,3;4,,]",
         "[{\"a\":1,\"b\":\"x\",\"g\":{\"c\":2,\"d\":3}},{\"a\":4,\"b\":\"x\"}]"},
        {"[1{a=null,b=1.50,c=\"\\n\",d=[],e={},f};1]",
         "[{\"a\":null,\"b\":1.50,\"c\":\"\\n\",\"d\":[],\"e\":{},\"f\":1}]"},
        {"[?{a}\n1\n2\n]2", "[{\"a\":1},{\"a\":2}]"},
        {"[?{a}\n1\n2\n]", "[{\"a\":1},{\"a\":2}]"},
        {"[?{a}]0", "[]"},
        {" \n[1{a};1] \n", "[{\"a\":1}]"},
        {"[[1{a};1],[?{b};2]1]", "[[{\"a\":1}],[{\"b\":2}]]"},
    };
    must_mean(rows, ROWS(rows));
}

static void groups(void **state)
{
    (void)state;
    static const meaning rows[] = {
        {"[4{g{x,y},z};1,2,3;1,,3;,2,3;,,3]",
         "[{\"g\":{\"x\":1,\"y\":2},\"z\":3},{\"g\":{\"x\":1},\"z\":3},"
         "{\"g\":{\"y\":2},\"z\":3},{\"z\":3}]"},
        {"[3{a,g{h{x},y}};1,2,3;1,,3;1,,]",
         "[{\"a\":1,\"g\":{\"h\":{\"x\":2},\"y\":3}},{\"a\":1,\"g\":{\"y\":3}},"
         "{\"a\":1}]"},
        {"[2{g{h{x,y}}};1,2;,]", "[{\"g\":{\"h\":{\"x\":1,\"y\":2}}},{}]"},
        {"[2{g{h{x,y}}};,2;1,]", "[{\"g\":{\"h\":{\"y\":2}}},{\"g\":{\"h\":{\"x\":1}}}]"},
        /* A constant keeps all groups around it. */
        {"[2{a,g{h{c=1,x},y}};,,;1,2,3]",
         "[{\"g\":{\"h\":{\"c\":1}}},{\"a\":1,\"g\":{\"h\":{\"c\":1,\"x\":2},\"y\":3}}]"},
        {"[1{a,g{c=1}};5]", "[{\"a\":5,\"g\":{\"c\":1}}]"},
        {"[2{g{c=[]},a,b};,;1,2]",
         "[{\"g\":{\"c\":[]}},{\"g\":{\"c\":[]},\"a\":1,\"b\":2}]"},
        {"[2{g{x},b};[1],{};,[2]]", "[{\"g\":{\"x\":[1]},\"b\":{}},{\"b\":[2]}]"},
        {"[2{g{x,t[2{y}]},b};,[1;2],3;,,]",
         "[{\"g\":{\"t\":[{\"y\":1},{\"y\":2}]},\"b\":3},{}]"},
    };
    must_mean(rows, ROWS(rows));
}

static void table_columns(void **state)
{
    (void)state;
    static const meaning rows[] = {
        {"[2{a,t[2{x,y}]};1,[1,2;3,4];2,]",
         "[{\"a\":1,\"t\":[{\"x\":1,\"y\":2},{\"x\":3,\"y\":4}]},{\"a\":2}]"},
        {"[2{t[2{x}],a};[ \n1\n2\n ],1;[],2]",
         "[{\"t\":[{\"x\":1},{\"x\":2}],\"a\":1},{\"t\":[],\"a\":2}]"},
        {"[1{a,t[?{x}]};1,[1;2]]", "[{\"a\":1,\"t\":[{\"x\":1},{\"x\":2}]}]"},
        {"[2{t[3{u[3{x}],v}]};[[1;2],3;[],4];[[3],]]",
         "[{\"t\":[{\"u\":[{\"x\":1},{\"x\":2}],\"v\":3},{\"u\":[],\"v\":4}]},"
         "{\"t\":[{\"u\":[{\"x\":3}]}]}]"},
        {"[1{t[1{c=1,x,g{y}}]};[,2]]", "[{\"t\":[{\"c\":1,\"g\":{\"y\":2}}]}]"},
        {"[1{t[1{x,y}]};[[1{z};1],{k:v}]]",
         "[{\"t\":[{\"x\":[{\"z\":1}],\"y\":{\"k\":\"v\"}}]}]"},
    };
    must_mean(rows, ROWS(rows));
}

static void maps(void **state)
{
    (void)state;
    static const meaning rows[] = {
        {"{0{a}}", "{}"},
        {"{2{a};x:;y:1}", "{\"x\":{},\"y\":{\"a\":1}}"},
        {"{2{a,b}\n x : 1 , 2\n\"y z\":,3\n}",
         "{\"x\":{\"a\":1,\"b\":2},\"y z\":{\"b\":3}}"},
        {"{?{a};x:1}1", "{\"x\":{\"a\":1}}"},
        {"{m:{1{a};k:[1,2]},n:[1{b};{1{c};z:1}]}",
         "{\"m\":{\"k\":{\"a\":[1,2]}},\"n\":[{\"b\":{\"z\":{\"c\":1}}}]}"},
    };
    must_mean(rows, ROWS(rows));
}

/* Lines after the value that begin with '#' say nothing about it. */
static void notes(void **state)
{
    (void)state;
    static const meaning rows[] = {
        {"[1,2]\n# 3 of 5 left out", "[1,2]"},
        {"[2{a}\n1\n2\n]\n# 998 of 1000 rows left out\n", "[{\"a\":1},{\"a\":2}]"},
        {"[?{a};1]1\r\n\t# a\r\n#\r\n# \xc3\xa9 \\ \"{[\r\n\n", "[{\"a\":1}]"},
        {"{a:1}\n\n  # x\n# y, \"z\" {[\n", "{\"a\":1}"},
        {"x\r#\r#", "\"x\""},
    };
    must_mean(rows, ROWS(rows));
}

/* --------------------------------------------------------------------------- refused */

static bool first_only(void *ctx, const pith_error *problem)
{
    *(pith_error *)ctx = *problem;
    return false;
}

static bool is_refused(const refusal *row)
{
    size_t len = strlen(row->text);
    char *text = exact_copy(row->text, len);
    pith_status status = strstr(row->code, "limit") ? PITH_LIMIT : PITH_BAD_INPUT;
    expected_error expected = {status, row->code, row->line, row->column};
    pith_error err = {0};
    pith_error first = {0};
    pith_doc *doc = pith_doc_parse("pith", text, len, NULL, &err);
    bool right = !doc && same_error("refused", &err, &expected);
    pith_check("pith", text, len, NULL, first_only, &first, NULL);
    right = same_error("checked", &first, &expected) && right;
    for (size_t size = 1; size <= len + 1 && right; size += 3) {
        bytes rows = {0};
        pith_error taken = {0};
        right = !take_all(row->text, len, size, &rows, &taken) &&
                same_error("taken", &taken, &expected);
        bytes_free(&rows);
    }
    if (!right) {
        fprintf(stderr, "  of %s\n", row->text);
    }
    pith_doc_free(doc);
    free(text);
    return right;
}

static void spaced_headers(void **state)
{
    (void)state;
    static const meaning rows[] = {
        {"[1{:a};1]", "[{\"a\":1}]"},
        {"[1{: a };1]", "[{\"a\":1}]"},
        {"[1{:a b};1,2]", "[{\"a\":1,\"b\":2}]"},
        {"[1{:a\n  b\r\n\tc};1,2,3]", "[{\"a\":1,\"b\":2,\"c\":3}]"},
        {"[1{a b};1]", "[{\"a b\":1}]"},
        {"[1{:\"a b\" c};1,2]", "[{\"a b\":1,\"c\":2}]"},
        {"[1{:id g{x y} t[1{p q}] c=\"two words\"};1,2,3,[4,5]]",
         "[{\"id\":1,\"g\":{\"x\":2,\"y\":3},\"t\":[{\"p\":4,\"q\":5}],"
         "\"c\":\"two words\"}]"},
        {"[1{:g{ x y } c=[] d={} e=x=y:z f=01a};1,2]",
         "[{\"g\":{\"x\":1,\"y\":2},\"c\":[],\"d\":{},\"e\":\"x=y:z\",\"f\":\"01a\"}]"},
        {"[1{:c=1 a};5]", "[{\"c\":1,\"a\":5}]"},
        {"[?{:a b};1,two words]1", "[{\"a\":1,\"b\":\"two words\"}]"},
        {"{2{:a b};two words:1,2;y:,}", "{\"two words\":{\"a\":1,\"b\":2},\"y\":{}}"},
        {"[1{:a b};[1{c d};1],{e f:2}]", "[{\"a\":[{\"c d\":1}],\"b\":{\"e f\":2}}]"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        failures += !means(&rows[i]);
    }
    assert_int_equal(failures, 0);
}

static void refused(void **state)
{
    (void)state;
    static const refusal rows[] = {
        /* headers with spaces */
        {"[1{:};1]", "expected_key", 1, 5},
        {"[1{: };1]", "expected_key", 1, 6},
        {"[1{:a,b};1,2]", "expected_separator", 1, 6},
        {"[1{:a , b};1,2]", "expected_separator", 1, 7},
        {"[1{:a {x}};1]", "expected_key", 1, 7},
        {"[1{:a [1{x}]};1]", "expected_key", 1, 7},
        {"[1{:a c =1};1]", "expected_key", 1, 9},
        {"[1{:a c= 1};1]", "expected_value", 1, 9},
        {"[1{:a c=\t1};1]", "expected_value", 1, 9},
        {"[1{:a{x}b};1,2]", "expected_separator", 1, 9},
        {"[1{:a t[1{x}]b};1]", "expected_separator", 1, 14},
        {"[1{:\"a\"b};1,2]", "expected_separator", 1, 8},
        {"[1{:a b:c};1,2]", "expected_separator", 1, 8},
        {"[1{:a b\\c};1,2]", "invalid_escape", 1, 8},
        {"[1{:a a};1,2]", "duplicate_key", 1, 7},
        {"[1{:a g{x x}};1,2,3]", "duplicate_key", 1, 11},
        {"[1{:a b};1]", "row_width_mismatch", 1, 11},
        {"[1{:c=1};]", "empty_header", 1, 3},
        {"[1{:a", "unclosed", 1, 6},
        {"[1{:a ", "unclosed", 1, 7},
        {"[1{:a c=", "unclosed", 1, 9},
        {"[1{::a};1]", "expected_key", 1, 5},
        {"{1{:a};1}", "expected_colon", 1, 9},
        /* values and separators */
        {"", "expected_value", 1, 1},
        {" \n ", "expected_value", 2, 2},
        {"[1,]", "expected_value", 1, 4},
        {"{a:,b:1}", "expected_value", 1, 4},
        {"[a;b]", "expected_separator", 1, 3},
        {"[a\"b\"]", "expected_separator", 1, 3},
        {"{a:1]", "expected_separator", 1, 5},
        {"[\"a\" b]", "expected_separator", 1, 6},
        {"{,}", "expected_key", 1, 2},
        {"{=:1}", "expected_key", 1, 2},
        {"{a=1}", "expected_colon", 1, 3},
        {"[1] 2", "trailing_content", 1, 5},
        {"a,", "trailing_content", 1, 2},
        {"[1] # x", "trailing_content", 1, 5},
        {"[1{a};1] # x", "trailing_content", 1, 10},
        {"[1]\n# x\ny", "trailing_content", 3, 1},
        {"[1{a};1]\n# x\n# y\nz", "trailing_content", 4, 1},
        {"[1{a};1]\n# a\x01", "control_character", 2, 4},
        {"1\n# \xc2\x85", "control_character", 2, 3},
        {"1\n#\xff", "invalid_utf8", 2, 2},
        {"[1{a};1\n# x\n]", "count_mismatch", 2, 1},
        {"[1", "unclosed", 1, 3},
        {"{a:{b", "unclosed", 1, 6},
        {"[01]", "invalid_number", 1, 2},
        {"[a,+1]", "invalid_number", 1, 4},
        {"[a\\b]", "invalid_escape", 1, 3},
        {"[a,\"\\x\"]", "invalid_escape", 1, 5},
        {"[\"\\ud800\"]", "invalid_surrogate", 1, 3},
        {"[\"a", "unterminated_quote", 1, 2},
        {"[\"a\tb\"]", "control_character", 1, 4},
        {"[a\x01]", "control_character", 1, 3},
        {"[a\x7f]", "control_character", 1, 3},
        {"[a\xc2\x85]", "control_character", 1, 3},
        {"[a\xe2\x80\xa8]", "control_character", 1, 3},
        {"\xef\xbb\xbf[]", "control_character", 1, 1},
        {"[a\xff]", "invalid_utf8", 1, 3},
        {"[\xe2\x82]", "invalid_utf8", 1, 2},
        {"{a:1,b:2,a:3}", "duplicate_key", 1, 10},
        {"{\"a\":1,\n\"\\u0061\":2}", "duplicate_key", 2, 1},
        /* headers */
        {"[1{a,};1]", "expected_key", 1, 6},
        {"[1{};1]", "expected_key", 1, 4},
        {"[1{a b{c}d};1]", "expected_separator", 1, 10},
        {"[1{a,a};1,2]", "duplicate_key", 1, 6},
        {"[1{a,g{b,\"b\"}};1,2]", "duplicate_key", 1, 10},
        {"[1{t[1{x,x}]};[1,2]]", "duplicate_key", 1, 10},
        {"[1{c=1};]", "empty_header", 1, 3},
        {"[1{a,t[1{c=1}]};1,[]]", "empty_header", 1, 9},
        {"[1{a,c=[1]};1]", "invalid_constant", 1, 8},
        {"[1{a,c={x:1}};1]", "invalid_constant", 1, 8},
        {"[1{a,c=};1]", "expected_value", 1, 8},
        {"[02{a};1;2]", "invalid_count", 1, 2},
        {"[9007199254740992{a};1]", "invalid_count", 1, 2},
        {"[1{t[x{a}]};1]", "invalid_count", 1, 5},
        {"[1{t[01{a}]};[1]]", "invalid_count", 1, 6},
        {"[1{t[1{a}x]};[1]]", "invalid_count", 1, 10},
        {"[1{a}1]", "expected_rows", 1, 6},
        {"[1{a},1]", "expected_rows", 1, 6},
        {"[1{a", "unclosed", 1, 5},
        {"[1{a}", "unclosed", 1, 6},
        /* rows */
        {"[2{a,b};1,2;3]", "row_width_mismatch", 1, 14},
        {"[2{a,b}\n1,2\n3\n]", "row_width_mismatch", 3, 2},
        {"[1{a,b};1,2,3]", "row_width_mismatch", 1, 13},
        {"[1{a};]", "row_width_mismatch", 1, 7},
        {"[2{a};1;;2]", "row_width_mismatch", 1, 9},
        {"[1{a};\"x\"y]", "expected_separator", 1, 10},
        {"[1{a,b};[1]x,2]", "expected_separator", 1, 12},
        {"[1{a};1}", "expected_separator", 1, 8},
        {"[1{t[1{x}]};5]", "expected_table", 1, 13},
        {"[1{t[1{x}]};{}]", "expected_table", 1, 13},
        {"[2{a}\n1\n", "unclosed", 3, 1},
        {"[2{a}\n1\n2", "unclosed", 3, 2},
        {"[1{a,t[2{x}]};1,[1;2", "unclosed", 1, 21},
        {"[1{a,t[2{x}]};1, ", "unclosed", 1, 18},
        {"[1{a};\"x", "unterminated_quote", 1, 7},
        {"[1{a};{x:1,x:2}]", "duplicate_key", 1, 12},
        /* counts */
        {"[1{a};1;2]", "count_mismatch", 1, 9},
        {"[3{a};1;2]", "count_mismatch", 1, 10},
        {"[0{a};1]", "count_mismatch", 1, 7},
        {"[?{a};1]2", "count_mismatch", 1, 9},
        {"[?{a};1]01", "invalid_count", 1, 9},
        {"[1{t[2{x}]};[1]]", "count_mismatch", 1, 16},
        {"[1{t[0{x}]};[1]]", "count_mismatch", 1, 14},
        {"[1{t[1{u[2{x}]}]};[[1]]]", "count_mismatch", 1, 24},
        {"[1{a};1]1", "trailing_content", 1, 9},
        /* maps */
        {"{2{a};x:1;x:2}", "duplicate_key", 1, 11},
        {"{1{a};1}", "expected_colon", 1, 8},
        {"{1{a};:1}", "expected_key", 1, 7},
        {"{1{a};}", "row_width_mismatch", 1, 7},
        {"{2{a};x:1}", "count_mismatch", 1, 10},
        {"{1{a};x:1]", "expected_separator", 1, 10},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        failures += !is_refused(&rows[i]);
    }
    assert_int_equal(failures, 0);
}

static void messages_say_what_was_expected(void **state)
{
    (void)state;
    pith_error err = {0};
    static const char counted[] = "{a:1,\nt:[3{a}\n1\n2\n]}";
    assert_null(pith_doc_parse("pith", LIT(counted), NULL, &err));
    assert_string_equal(err.message, "3 rows declared in line 2, found 2");
    static const char wide[] = "[1{a,b}\n1\n]";
    assert_null(pith_doc_parse("pith", LIT(wide), NULL, &err));
    assert_string_equal(err.message, "expected 2 cells in a row, found fewer");
}

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
    for (size_t cut = 0; cut < len; cut++) {
        assert_null(pith_doc_parse("pith", text, cut, NULL, NULL));
    }
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
        if (i == 0) {
            skip = (size_t)(comma + 1 - pieces[i]); /* the first cell */
        } else if (i == 3) {
            skip = 5; /* the last cell of its row */
        }
        bytes less = {0};
        bytes_add(&less, text, (size_t)(at - text));
        bytes_put(&less, at + skip);
        pith_error err = {0};
        doc = pith_doc_parse("pith", less.ptr, less.len, NULL, &err);
        if (doc) {
            fprintf(stderr, "not noticed: %s\n", pieces[i]);
        }
        assert_null(doc);
        bytes_free(&less);
    }
}

/* ---------------------------------------------------------------------------- checking */

typedef struct findings {
    char codes[512];
    size_t count;
} findings;

static bool collect(void *ctx, const pith_error *problem)
{
    findings *all = ctx;
    size_t used = strlen(all->codes);
    snprintf(all->codes + used, sizeof all->codes - used, "%s%zu:%zu %s",
             all->count > 0 ? " " : "", problem->line, problem->column, problem->code);
    all->count++;
    return true;
}

static void every_problem(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *problems;
    } rows[] = {
        {"[01,+2,a\\b]", "1:2 invalid_number 1:5 invalid_number 1:9 invalid_escape"},
        {"[3{a,b}\n1\n1,2,3\n01,2\n4,5\n]",
         "2:2 row_width_mismatch 3:5 row_width_mismatch 4:1 invalid_number "
         "5:1 count_mismatch"},
        {"{a:1,a:2,b:[1,,2],c:}", "1:15 expected_value 1:21 expected_value "
                                  "1:6 duplicate_key"},
        {"[2{a,t[2{x}]};1,5;2,[1]]", "1:17 expected_table 1:24 count_mismatch"},
        {"{2{a};x:1;x:2,3;y:4}", "1:15 row_width_mismatch 1:17 count_mismatch "
                                 "1:11 duplicate_key"},
        {"[1{a};\"x\"y]", "1:10 expected_separator"},
        {"[1{a,b};{x:[1;2]},3]", "1:14 expected_separator"},
        {"{a 1,b:2}", "1:5 expected_colon"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        findings all = {{0}, 0};
        pith_check("pith", rows[i].text, strlen(rows[i].text), NULL, collect, &all, NULL);
        if (strcmp(all.codes, rows[i].problems) != 0) {
            fprintf(stderr, "%s\n  expected %s\n  found    %s\n", rows[i].text,
                    rows[i].problems, all.codes);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
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
    for (unsigned i = 0; i < 18; i++) {
        bytes_print(&text, ",c%u", i);
    }
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
            if (!row.doc) {
                break;
            }
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
        const pith_format *found = pith_format_sniff(rows[i].text, strlen(rows[i].text));
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
        const pith_format *found = pith_format_sniff(text.ptr, text.len);
        assert_string_equal(found->name, more ? "json" : "pith");
        bytes_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens),
        cmocka_unit_test(tables),
        cmocka_unit_test(groups),
        cmocka_unit_test(table_columns),
        cmocka_unit_test(maps),
        cmocka_unit_test(notes),
        cmocka_unit_test(spaced_headers),
        cmocka_unit_test(refused),
        cmocka_unit_test(messages_say_what_was_expected),
        cmocka_unit_test(losses_are_noticed),
        cmocka_unit_test(every_problem),
        cmocka_unit_test(depth),
        cmocka_unit_test(deep_header),
        cmocka_unit_test(a_count_is_no_memory),
        cmocka_unit_test(long_streams),
        cmocka_unit_test(content),
        cmocka_unit_test(content_far_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
