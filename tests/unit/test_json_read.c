/*
 * test_json_read.c - RFC 8259, sentence by sentence, and what we refuse beyond it.
 *
 * Two kinds of tables: texts that are accepted, with the compact text they must
 * be written back as, and texts that are refused, with the code word and the
 * place. Every text is handed over in a block of exactly its size, so that the
 * address sanitizer sees a reader that looks one byte too far. Every refused text
 * also goes through pith_check, whose first problem must be the same.
 *
 * Where the fault is:
 *     a value, key, colon or separator that is missing   the byte found instead
 *     a text that ends too early                          its end
 *     an unterminated string, a number, a literal         its first byte
 *     an escape, a surrogate                              its backslash
 *     ill-formed UTF-8                                    its first byte
 *     a duplicate key                                     the second key's quote
 */
#include "bytes.h"
#include "testing.h"

typedef struct accepted {
    const char *text;
    size_t len;
    const char *output;
    size_t output_len;
} accepted;

typedef struct refused {
    const char *text;
    size_t len;
    expected_error error;
} refused;

#define ACCEPT(text, output)                                                             \
    {                                                                                    \
        LIT(text), LIT(output)                                                           \
    }
#define SAME(text) ACCEPT(text, text)
#define REFUSE(text, code, line, column)                                                 \
    {                                                                                    \
        LIT(text),                                                                       \
        {                                                                                \
            PITH_BAD_INPUT, code, line, column                                           \
        }                                                                                \
    }

/* A copy without a spare byte at the end. */
static char *exact_copy(const char *text, size_t len)
{
    char *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    if (len) {
        memcpy(copy, text, len);
    }
    return copy;
}

/* ------------------------------------------------------------------ the runners */

/* JSON is Pith: every text that is accepted means the same there. A byte order mark is
 * nothing that JSON has, and settings of the JSON reader are its own. */
static bool is_same_in_pith(const pith_doc *doc, const char *text, size_t len,
                            const pith_options *options)
{
    if ((options && options->read) ||
        (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)) {
        return true;
    }
    pith_error err = {0};
    pith_doc *other = pith_doc_parse("pith", text, len, options, &err);
    bool same = other && pith_value_equal(pith_doc_root(doc), pith_doc_root(other));
    if (!same) {
        fprintf(stderr, "another value as Pith: %s\n", other ? "" : err.message);
    }
    pith_doc_free(other);
    return same;
}

static bool runs_accepted(const accepted *row, const pith_options *options)
{
    char *text = exact_copy(row->text, row->len);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("json", text, row->len, options, &err);
    bool right = doc != NULL;
    if (doc) {
        pith_buffer out = must_write(pith_doc_root(doc), "json", NULL);
        right =
            same_bytes("written back", out.data, out.len, row->output, row->output_len);
        pith_buffer_free(&out);
        right = is_same_in_pith(doc, text, row->len, options) && right;
    } else {
        fprintf(stderr, "%s at %zu:%zu: %s\n", err.code, err.line, err.column,
                err.message);
    }
    if (!right) {
        show_bytes("  of", row->text, row->len);
    }
    pith_doc_free(doc);
    free(text);
    return right;
}

/* Whether line and column are those of the offset, counted the slow way. */
static bool place_agrees(const char *text, const pith_error *err)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < err->offset; i++) {
        if (text[i] == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            column++;
        }
    }
    return line == err->line && column == err->column;
}

static bool first_problem_only(void *ctx, const pith_error *problem)
{
    *(pith_error *)ctx = *problem;
    return false;
}

static bool runs_refused(const refused *row, const pith_options *options)
{
    char *text = exact_copy(row->text, row->len);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("json", text, row->len, options, &err);
    bool right = doc == NULL && same_error("refused", &err, &row->error);
    if (doc) {
        fputs("accepted although it must be refused\n", stderr);
    }
    if (right && !place_agrees(text, &err)) {
        fprintf(stderr, "offset %zu is not there\n", err.offset);
        right = false;
    }
    pith_error first = {0};
    pith_status checked =
        pith_check("json", text, row->len, options, first_problem_only, &first, NULL);
    if (checked != row->error.status || !same_error("checked", &first, &row->error)) {
        right = false;
    }
    if (!right) {
        show_bytes("  of", row->text, row->len);
    }
    pith_doc_free(doc);
    free(text);
    return right;
}

static void run_accepted(const accepted *rows, size_t count, const char *settings)
{
    pith_options options = with_settings(settings, NULL);
    size_t failures = 0;
    for (size_t i = 0; i < count; i++) {
        failures += !runs_accepted(&rows[i], &options);
    }
    assert_int_equal(failures, 0);
}

static void run_refused(const refused *rows, size_t count, const char *settings)
{
    pith_options options = with_settings(settings, NULL);
    size_t failures = 0;
    for (size_t i = 0; i < count; i++) {
        failures += !runs_refused(&rows[i], &options);
    }
    assert_int_equal(failures, 0);
}

/* -------------------------------------------------------------------- structure */

static void accepts_structure(void **state)
{
    (void)state;
    static const accepted rows[] = {
        SAME("[]"),
        SAME("{}"),
        SAME("null"),
        SAME("true"),
        SAME("false"),
        SAME("\"\""),
        SAME("0"),
        SAME("[[]]"),
        SAME("[{}]"),
        SAME("{\"a\":{}}"),
        SAME("{\"a\":[]}"),
        SAME("{\"\":0}"),
        SAME("[null,true,false,0,\"\",[],{}]"),
        SAME("{\"a\":null,\"b\":true,\"c\":false,\"d\":0,\"e\":\"\",\"f\":[],\"g\":{}}"),
        SAME("[[1,2],[3,[4,[5]]],{\"a\":[{\"b\":{\"c\":[]}}]}]"),
        /* key order is the text's, whatever the keys */
        SAME("{\"z\":1,\"a\":2,\"10\":3,\"9\":4,\"\":5}"),
        /* keys that are equal but for case, for a suffix, for normalisation */
        SAME("{\"a\":1,\"A\":2,\"aa\":3,\"a \":4,\"\xc3\xa9\":5,\"e\xcc\x81\":6}"),
        /* the same key in different objects is no duplicate */
        SAME("{\"a\":{\"a\":{\"a\":1}},\"b\":[{\"a\":1},{\"a\":2}]}"),
        SAME("[{\"a\":1,\"b\":2},{\"b\":1,\"a\":2},{\"a\":1,\"b\":2,\"c\":3},{\"b\":1}]"),
    };
    run_accepted(rows, ROWS(rows), NULL);
}

static void accepts_white_space(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT(" 1", "1"),
        ACCEPT("1 ", "1"),
        ACCEPT("\t\n\r 1 \t\n\r", "1"),
        ACCEPT(" [ ] ", "[]"),
        ACCEPT(" { } ", "{}"),
        ACCEPT("[\n]", "[]"),
        ACCEPT("{\r\n\t}", "{}"),
        ACCEPT("[ 1 , 2 ]", "[1,2]"),
        ACCEPT("{ \"a\" : 1 , \"b\" : [ ] }", "{\"a\":1,\"b\":[]}"),
        ACCEPT("{\t\"a\"\n:\r1\t,\n\"b\"\r:\t[\n]\r}", "{\"a\":1,\"b\":[]}"),
        ACCEPT("[1\n,\n2\n]", "[1,2]"),
        ACCEPT("true\n", "true"),
        ACCEPT("\"a\"\r\n", "\"a\""),
        ACCEPT("                                                                  1"
               "                                                                   ",
               "1"),
    };
    run_accepted(rows, ROWS(rows), NULL);
}

static void refuses_structure(void **state)
{
    (void)state;
    static const refused rows[] = {
        /* nothing at all */
        REFUSE("", "empty_input", 1, 1),
        REFUSE(" ", "empty_input", 1, 2),
        REFUSE("\n\t\r\n ", "empty_input", 3, 2),
        /* no value where one must stand */
        REFUSE("]", "expected_value", 1, 1),
        REFUSE("}", "expected_value", 1, 1),
        REFUSE(",", "expected_value", 1, 1),
        REFUSE(":", "expected_value", 1, 1),
        REFUSE("'a'", "expected_value", 1, 1),
        REFUSE("`a`", "expected_value", 1, 1),
        REFUSE("/* a */ 1", "expected_value", 1, 1),
        REFUSE("// a\n1", "expected_value", 1, 1),
        REFUSE("# a\n1", "expected_value", 1, 1),
        REFUSE("\\u0031", "expected_value", 1, 1),
        REFUSE("[,]", "expected_value", 1, 2),
        REFUSE("[,1]", "expected_value", 1, 2),
        REFUSE("[1,]", "expected_value", 1, 4),
        REFUSE("[1,,2]", "expected_value", 1, 4),
        REFUSE("[1, ]", "expected_value", 1, 5),
        REFUSE("[:]", "expected_value", 1, 2),
        REFUSE("[}", "expected_value", 1, 2),
        REFUSE("[1,}", "expected_value", 1, 4),
        REFUSE("[\n1,\n]", "expected_value", 3, 1),
        REFUSE("{\"a\":}", "expected_value", 1, 6),
        REFUSE("{\"a\":,}", "expected_value", 1, 6),
        REFUSE("{\"a\"::1}", "expected_value", 1, 6),
        REFUSE("{\"a\":]", "expected_value", 1, 6),
        REFUSE("{\"a\":\n\n  }", "expected_value", 3, 3),
        /* no key where one must stand */
        REFUSE("{,}", "expected_key", 1, 2),
        REFUSE("{1:2}", "expected_key", 1, 2),
        REFUSE("{a:1}", "expected_key", 1, 2),
        REFUSE("{'a':1}", "expected_key", 1, 2),
        REFUSE("{null:1}", "expected_key", 1, 2),
        REFUSE("{[]:1}", "expected_key", 1, 2),
        REFUSE("{{}:1}", "expected_key", 1, 2),
        REFUSE("{:1}", "expected_key", 1, 2),
        REFUSE("{]", "expected_key", 1, 2),
        REFUSE("{\"a\":1,}", "expected_key", 1, 8),
        REFUSE("{\"a\":1,,\"b\":2}", "expected_key", 1, 8),
        REFUSE("{\"a\":1,b:2}", "expected_key", 1, 8),
        REFUSE("{\"a\":1,2}", "expected_key", 1, 8),
        REFUSE("{\"a\":1,]", "expected_key", 1, 8),
        REFUSE("{\n  \"a\": 1,\n}", "expected_key", 3, 1),
        /* no colon */
        REFUSE("{\"a\"}", "expected_colon", 1, 5),
        REFUSE("{\"a\" 1}", "expected_colon", 1, 6),
        REFUSE("{\"a\",1}", "expected_colon", 1, 5),
        REFUSE("{\"a\"=1}", "expected_colon", 1, 5),
        REFUSE("{\"a\"]", "expected_colon", 1, 5),
        REFUSE("{\"a\"\"b\"}", "expected_colon", 1, 5),
        REFUSE("{\"a\":1,\"b\"}", "expected_colon", 1, 11),
        /* no comma or closing bracket */
        REFUSE("[1 2]", "expected_separator", 1, 4),
        REFUSE("[1:2]", "expected_separator", 1, 3),
        REFUSE("[1;2]", "expected_separator", 1, 3),
        REFUSE("[1}", "expected_separator", 1, 3),
        REFUSE("[\"a\"\"b\"]", "expected_separator", 1, 5),
        REFUSE("[\"a\" 1]", "expected_separator", 1, 6),
        REFUSE("[[][]]", "expected_separator", 1, 4),
        REFUSE("[{}{}]", "expected_separator", 1, 4),
        REFUSE("[[]}", "expected_separator", 1, 4),
        REFUSE("[\"a\":1]", "expected_separator", 1, 5),
        REFUSE("[true false]", "expected_separator", 1, 7),
        REFUSE("[1\n\n2]", "expected_separator", 3, 1),
        REFUSE("{\"a\":1 \"b\":2}", "expected_separator", 1, 8),
        REFUSE("{\"a\":1]", "expected_separator", 1, 7),
        REFUSE("{\"a\":1:2}", "expected_separator", 1, 7),
        REFUSE("{\"a\":\"b\"c}", "expected_separator", 1, 9),
        REFUSE("{\"a\":{}\"b\"}", "expected_separator", 1, 8),
        REFUSE("{\"a\":[]]", "expected_separator", 1, 8),
        /* the text ends inside */
        REFUSE("[", "unclosed", 1, 2),
        REFUSE("{", "unclosed", 1, 2),
        REFUSE("[ ", "unclosed", 1, 3),
        REFUSE("[1", "unclosed", 1, 3),
        REFUSE("[1,", "unclosed", 1, 4),
        REFUSE("[1, ", "unclosed", 1, 5),
        REFUSE("[[]", "unclosed", 1, 4),
        REFUSE("[[1,2],[3", "unclosed", 1, 10),
        REFUSE("{\"a\"", "unclosed", 1, 5),
        REFUSE("{\"a\":", "unclosed", 1, 6),
        REFUSE("{\"a\":1", "unclosed", 1, 7),
        REFUSE("{\"a\":1,", "unclosed", 1, 8),
        REFUSE("{\"a\":{\"b\":[{}", "unclosed", 1, 14),
        REFUSE("[true", "unclosed", 1, 6),
        REFUSE("[\"a\"", "unclosed", 1, 5),
        REFUSE("[\n1,\n2\n", "unclosed", 4, 1),
        /* more behind the value */
        REFUSE("1 2", "trailing_content", 1, 3),
        REFUSE("1,", "trailing_content", 1, 2),
        REFUSE("1]", "trailing_content", 1, 2),
        REFUSE("[]]", "trailing_content", 1, 3),
        REFUSE("[][]", "trailing_content", 1, 3),
        REFUSE("{}}", "trailing_content", 1, 3),
        REFUSE("{}{}", "trailing_content", 1, 3),
        REFUSE("[]\n\n  x", "trailing_content", 3, 3),
        REFUSE("null null", "trailing_content", 1, 6),
        REFUSE("\"a\"\"b\"", "trailing_content", 1, 4),
        REFUSE("\"a\":1", "trailing_content", 1, 4),
        REFUSE("[1] // end", "trailing_content", 1, 5),
        REFUSE("[1]\0", "trailing_content", 1, 4),
        REFUSE("[1]\n\0", "trailing_content", 2, 1),
        /* spaces that are none in JSON */
        REFUSE("\v1", "expected_value", 1, 1),
        REFUSE("\f1", "expected_value", 1, 1),
        REFUSE("\0001", "expected_value", 1, 1),
        REFUSE("[\0]", "expected_value", 1, 2),
        REFUSE("\xc2\xa0"
               "1",
               "expected_value", 1, 1),
        REFUSE("\xe2\x80\xa8"
               "1",
               "expected_value", 1, 1),
        REFUSE("[1\xc2\xa0]", "expected_separator", 1, 3),
        REFUSE("1\xe3\x80\x80", "trailing_content", 1, 2),
        REFUSE("{\xc2\xa0}", "expected_key", 1, 2),
        REFUSE("{\"a\"\xc2\xa0:1}", "expected_colon", 1, 5),
        /* columns count code points, not bytes */
        REFUSE("[\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\" x]", "expected_separator", 1,
               8),
        REFUSE("\r\n\r\n[1 2]", "expected_separator", 3, 4),
        REFUSE("[\"\xf0\x9f\x98\x80\",\n\"\xe2\x82\xac\xe2\x82\xac\"\n, ,]",
               "expected_value", 3, 3),
    };
    run_refused(rows, ROWS(rows), NULL);
}

static void refuses_literals(void **state)
{
    (void)state;
    static const refused rows[] = {
        REFUSE("t", "invalid_literal", 1, 1),
        REFUSE("tru", "invalid_literal", 1, 1),
        REFUSE("trua", "invalid_literal", 1, 1),
        REFUSE("truee", "invalid_literal", 1, 1),
        REFUSE("true1", "invalid_literal", 1, 1),
        REFUSE("f", "invalid_literal", 1, 1),
        REFUSE("fals", "invalid_literal", 1, 1),
        REFUSE("falsy", "invalid_literal", 1, 1),
        REFUSE("falsee", "invalid_literal", 1, 1),
        REFUSE("n", "invalid_literal", 1, 1),
        REFUSE("nul", "invalid_literal", 1, 1),
        REFUSE("nulL", "invalid_literal", 1, 1),
        REFUSE("nulll", "invalid_literal", 1, 1),
        REFUSE("nan", "invalid_literal", 1, 1),
        REFUSE("True", "invalid_literal", 1, 1),
        REFUSE("TRUE", "invalid_literal", 1, 1),
        REFUSE("None", "invalid_literal", 1, 1),
        REFUSE("NaN", "invalid_literal", 1, 1),
        REFUSE("Infinity", "invalid_literal", 1, 1),
        REFUSE("undefined", "invalid_literal", 1, 1),
        REFUSE("[tru]", "invalid_literal", 1, 2),
        REFUSE("[fals,1]", "invalid_literal", 1, 2),
        REFUSE("[1,nul", "invalid_literal", 1, 4),
        REFUSE("[t,rue]", "invalid_literal", 1, 2),
        REFUSE("[truefalse]", "invalid_literal", 1, 2),
        REFUSE("{\"a\":nul}", "invalid_literal", 1, 6),
        REFUSE("{\"a\":\n tru\n}", "invalid_literal", 2, 2),
        REFUSE("[null\0]", "expected_separator", 1, 6),
        REFUSE("[nul\0]", "invalid_literal", 1, 2),
    };
    run_refused(rows, ROWS(rows), NULL);
}

/* ---------------------------------------------------------------------- numbers */

static void accepts_numbers(void **state)
{
    (void)state;
    static const accepted rows[] = {
        /* the digits stay as they are written */
        SAME("0"),
        SAME("-0"),
        SAME("1"),
        SAME("-1"),
        SAME("10"),
        SAME("1234567890"),
        SAME("0.0"),
        SAME("-0.0"),
        SAME("0.10"),
        SAME("1.000"),
        SAME("1e1"),
        SAME("1E1"),
        SAME("1e+1"),
        SAME("1E-1"),
        SAME("1e01"),
        SAME("1e00"),
        SAME("0e0"),
        SAME("-0e-0"),
        SAME("0.0e+000"),
        SAME("1.5E+10"),
        SAME("-12.5e-3"),
        SAME("9223372036854775807"),
        SAME("-9223372036854775808"),
        SAME("9223372036854775808"),
        SAME("18446744073709551616"),
        SAME("123456789012345678901234567890123456789012345678901234567890"),
        SAME("0.1234567890123456789012345678901234567890"),
        SAME("1e400"),
        SAME("-1e400"),
        SAME("1e-400"),
        SAME("1e999999999999999999999"),
        SAME("1e-999999999999999999999"),
        SAME("3.141592653589793238462643383279"),
        SAME("[0,1,-1,0.5,1e5]"),
        SAME("{\"a\":-1.5e-5,\"b\":0}"),
        ACCEPT("[1 ,2\t,3\n,4\r]", "[1,2,3,4]"),
    };
    run_accepted(rows, ROWS(rows), NULL);
}

static void refuses_numbers(void **state)
{
    (void)state;
    static const refused rows[] = {
        /* no digit where one must stand */
        REFUSE("-", "invalid_number", 1, 1),
        REFUSE("--1", "invalid_number", 1, 1),
        REFUSE("-a", "invalid_number", 1, 1),
        REFUSE("-.5", "invalid_number", 1, 1),
        REFUSE("-e1", "invalid_number", 1, 1),
        REFUSE("- 1", "invalid_number", 1, 1),
        REFUSE("-\"1\"", "invalid_number", 1, 1),
        REFUSE("-Infinity", "invalid_number", 1, 1),
        REFUSE("-NaN", "invalid_number", 1, 1),
        REFUSE("1.", "invalid_number", 1, 1),
        REFUSE("-1.", "invalid_number", 1, 1),
        REFUSE("0.", "invalid_number", 1, 1),
        REFUSE("1.e1", "invalid_number", 1, 1),
        REFUSE("1..2", "invalid_number", 1, 1),
        REFUSE("1.-2", "invalid_number", 1, 1),
        REFUSE("1. 5", "invalid_number", 1, 1),
        REFUSE("1e", "invalid_number", 1, 1),
        REFUSE("1E", "invalid_number", 1, 1),
        REFUSE("1e+", "invalid_number", 1, 1),
        REFUSE("1e-", "invalid_number", 1, 1),
        REFUSE("1e--1", "invalid_number", 1, 1),
        REFUSE("1e+-1", "invalid_number", 1, 1),
        REFUSE("1e.5", "invalid_number", 1, 1),
        REFUSE("1ee5", "invalid_number", 1, 1),
        REFUSE("0e", "invalid_number", 1, 1),
        REFUSE("0.5e", "invalid_number", 1, 1),
        /* a zero in front */
        REFUSE("00", "invalid_number", 1, 1),
        REFUSE("01", "invalid_number", 1, 1),
        REFUSE("-00", "invalid_number", 1, 1),
        REFUSE("-01", "invalid_number", 1, 1),
        REFUSE("007", "invalid_number", 1, 1),
        REFUSE("00.5", "invalid_number", 1, 1),
        /* signs and points that other languages allow */
        REFUSE("+1", "invalid_number", 1, 1),
        REFUSE("++1", "invalid_number", 1, 1),
        REFUSE(".5", "invalid_number", 1, 1),
        REFUSE(".", "invalid_number", 1, 1),
        /* something that runs on */
        REFUSE("1a", "invalid_number", 1, 1),
        REFUSE("1_000", "invalid_number", 1, 1),
        REFUSE("0x10", "invalid_number", 1, 1),
        REFUSE("0b1", "invalid_number", 1, 1),
        REFUSE("0o7", "invalid_number", 1, 1),
        REFUSE("1.2.3", "invalid_number", 1, 1),
        REFUSE("1e1.5", "invalid_number", 1, 1),
        REFUSE("1e1e1", "invalid_number", 1, 1),
        REFUSE("1.5f", "invalid_number", 1, 1),
        REFUSE("100L", "invalid_number", 1, 1),
        REFUSE("1-2", "invalid_number", 1, 1),
        REFUSE("1+2", "invalid_number", 1, 1),
        /* inside containers, and after other things */
        REFUSE("[-]", "invalid_number", 1, 2),
        REFUSE("[1.]", "invalid_number", 1, 2),
        REFUSE("[1e]", "invalid_number", 1, 2),
        REFUSE("[012]", "invalid_number", 1, 2),
        REFUSE("[1,-,2]", "invalid_number", 1, 4),
        REFUSE("{\"a\":1.}", "invalid_number", 1, 6),
        REFUSE("{\"a\":-}", "invalid_number", 1, 6),
        REFUSE("{\"a\":01,\"b\":2}", "invalid_number", 1, 6),
        REFUSE("[\n  1,\n  2.\n]", "invalid_number", 3, 3),
        /* a digit of another script */
        REFUSE("\xef\xbc\x91", "expected_value", 1, 1),
        REFUSE("1\xef\xbc\x91", "trailing_content", 1, 2),
        REFUSE("1\0", "trailing_content", 1, 2),
    };
    run_refused(rows, ROWS(rows), NULL);
}

/* ---------------------------------------------------------------------- strings */

static void accepts_strings(void **state)
{
    (void)state;
    static const accepted rows[] = {
        SAME("\"a\""),
        SAME("\" \""),
        SAME("\"a b c\""),
        /* every two-character escape; "/" needs none on the way out */
        SAME("\"\\\"\""),
        SAME("\"\\\\\""),
        ACCEPT("\"\\/\"", "\"/\""),
        SAME("\"\\b\\f\\n\\r\\t\""),
        SAME("\"\\\\\\\\\""),
        SAME("\"a\\\\\""),
        SAME("\"\\\"a\""),
        /* hexadecimal escapes, in both cases, become the character */
        ACCEPT("\"\\u0041\"", "\"A\""),
        ACCEPT("\"\\u00e9\\u00E9\"", "\"\xc3\xa9\xc3\xa9\""),
        ACCEPT("\"\\u20aC\"", "\"\xe2\x82\xac\""),
        ACCEPT("\"\\u0022\\u005c\\u002F\"", "\"\\\"\\\\/\""),
        ACCEPT("\"\\u0008\\u000c\\u000a\\u000d\\u0009\"", "\"\\b\\f\\n\\r\\t\""),
        SAME("\"\\u0000\""),
        SAME("\"a\\u0000b\\u0000\""),
        SAME("{\"\\u0000\":1,\"\\u0000\\u0000\":2,\"\":3}"),
        SAME("\"\\u0001\\u001f\""),
        ACCEPT("\"\\u007f\"", "\"\x7f\""),
        ACCEPT("\"\\u0080\\u07ff\\u0800\\uffff\"",
               "\"\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\""),
        ACCEPT("\"\\ud7ff\\ue000\"", "\"\xed\x9f\xbf\xee\x80\x80\""),
        ACCEPT("\"\\ufffd\\ufffe\\ufeff\"", "\"\xef\xbf\xbd\xef\xbf\xbe\xef\xbb\xbf\""),
        /* pairs: the first, the last and one that people send */
        ACCEPT("\"\\ud800\\udc00\"", "\"\xf0\x90\x80\x80\""),
        ACCEPT("\"\\uDBFF\\uDFFF\"", "\"\xf4\x8f\xbf\xbf\""),
        ACCEPT("\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\""),
        ACCEPT("\"x\\uD83D\\uDE00\\uD83D\\uDE00y\"",
               "\"x\xf0\x9f\x98\x80\xf0\x9f\x98\x80y\""),
        /* the borders of every UTF-8 length, raw */
        SAME("\"\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf"
             "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\""),
        SAME("\"\xe0\xbf\xbf\xe1\x80\x80\xec\xbf\xbf"
             "\xed\x80\x80\xed\x9f\xbf\xee\x80\x80\""),
        SAME("\"\xf0\xbf\xbf\xbf\xf1\x80\x80\x80\xf3\xbf\xbf\xbf\xf4\x80\x80\x80\""),
        /* line and paragraph separators, a byte order mark, noncharacters */
        SAME("\"\xe2\x80\xa8\xe2\x80\xa9\xef\xbb\xbf\xef\xbf\xbf\""),
        SAME("\"<script>&'/`\""),
        /* escapes in keys */
        ACCEPT("{\"\\u0061\\/\\n\":1}", "{\"a/\\n\":1}"),
        /* an escape at each distance from the start of a block of 16 and 32 bytes */
        SAME("\"0123456789012\\n\""),
        SAME("\"01234567890123\\n\""),
        SAME("\"012345678901234\\n\""),
        SAME("\"0123456789012345\\n\""),
        SAME("\"01234567890123456\\n\""),
        SAME("\"0123456789012345678901234567890\\n0123456789012345678901234567890\\n\""),
        SAME("\"0123456789012345678901234567890\xc3\xa9"
             " 0123456789012345678901234567890\\\\\""),
    };
    run_accepted(rows, ROWS(rows), NULL);
}

static void refuses_strings(void **state)
{
    (void)state;
    static const refused rows[] = {
        /* no closing quote */
        REFUSE("\"", "unterminated_string", 1, 1),
        REFUSE("\"a", "unterminated_string", 1, 1),
        REFUSE("\"a\\\"", "unterminated_string", 1, 1),
        REFUSE("\"a\\\\\\\"", "unterminated_string", 1, 1),
        REFUSE("[\"a", "unterminated_string", 1, 2),
        REFUSE("{\"a", "unterminated_string", 1, 2),
        REFUSE("{\"a\":\"b", "unterminated_string", 1, 6),
        REFUSE("{\"a\":1,\"", "unterminated_string", 1, 8),
        REFUSE("[1,\n\"abc]", "unterminated_string", 2, 1),
        REFUSE("\"0123456789012345678901234567890123456789", "unterminated_string", 1, 1),
        /* the text ends inside an escape */
        REFUSE("\"\\", "unterminated_string", 1, 1),
        REFUSE("\"\\u", "unterminated_string", 1, 1),
        REFUSE("\"\\u1", "unterminated_string", 1, 1),
        REFUSE("\"\\u12", "unterminated_string", 1, 1),
        REFUSE("\"\\u123", "unterminated_string", 1, 1),
        REFUSE("\"\\u1234", "unterminated_string", 1, 1),
        /* control characters */
        REFUSE("\"\n\"", "control_character", 1, 2),
        REFUSE("\"a\n", "control_character", 1, 3),
        REFUSE("\"\r\n\"", "control_character", 1, 2),
        REFUSE("\"\t\"", "control_character", 1, 2),
        REFUSE("\"\0\"", "control_character", 1, 2),
        REFUSE("\"a\x1f\"", "control_character", 1, 3),
        REFUSE("[\"\xc3\xa9\x01\"]", "control_character", 1, 4),
        REFUSE("{\"a\tb\":1}", "control_character", 1, 4),
        REFUSE("{\"a\":\"\x08\"}", "control_character", 1, 7),
        REFUSE("\"0123456789012345678901234567890123456789\n\"", "control_character", 1,
               42),
        REFUSE("\"\\\n\"", "invalid_escape", 1, 2),
        /* escapes that do not exist */
        REFUSE("\"\\a\"", "invalid_escape", 1, 2),
        REFUSE("\"\\v\"", "invalid_escape", 1, 2),
        REFUSE("\"\\0\"", "invalid_escape", 1, 2),
        REFUSE("\"\\'\"", "invalid_escape", 1, 2),
        REFUSE("\"\\x41\"", "invalid_escape", 1, 2),
        REFUSE("\"\\ \"", "invalid_escape", 1, 2),
        REFUSE("\"\\\0\"", "invalid_escape", 1, 2),
        REFUSE("\"\\N\"", "invalid_escape", 1, 2),
        REFUSE("\"\\U0041\"", "invalid_escape", 1, 2),
        REFUSE("\"\\\xc3\xa9\"", "invalid_escape", 1, 2),
        REFUSE("\"ab\\q\"", "invalid_escape", 1, 4),
        REFUSE("{\"\\q\":1}", "invalid_escape", 1, 3),
        REFUSE("[1,\n \"\xe2\x82\xac\\q\"]", "invalid_escape", 2, 4),
        /* too few hexadecimal digits, or others */
        REFUSE("\"\\u\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u1\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u12\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u123\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u123g\"", "invalid_escape", 1, 2),
        REFUSE("\"\\ug123\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u12 4\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u-123\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u+123\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u0x41\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u{41}\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u123/\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u123:\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u123@\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u123G\"", "invalid_escape", 1, 2),
        REFUSE("\"\\u123`\"", "invalid_escape", 1, 2),
        /* half a pair */
        REFUSE("\"\\ud800\"", "invalid_surrogate", 1, 2),
        REFUSE("\"\\uDBFF\"", "invalid_surrogate", 1, 2),
        REFUSE("\"\\udc00\"", "invalid_surrogate", 1, 2),
        REFUSE("\"\\uDFFF\"", "invalid_surrogate", 1, 2),
        REFUSE("\"ab\\ud83d\"", "invalid_surrogate", 1, 4),
        REFUSE("\"\\ud83d \\ude00\"", "invalid_surrogate", 1, 2),
        REFUSE("\"\\ud83dx\"", "invalid_surrogate", 1, 2),
        REFUSE("\"\\ud83d\\n\"", "invalid_surrogate", 1, 2),
        REFUSE("\"\\ud83d\\u0041\"", "invalid_surrogate", 1, 2),
        REFUSE("\"\\ud83d\\ud83d\\ude00\"", "invalid_surrogate", 1, 2),
        REFUSE("\"\\ud83d\\ue000\"", "invalid_surrogate", 1, 2),
        REFUSE("\"\\ud83d\\udbff\"", "invalid_surrogate", 1, 2),
        REFUSE("\"\\ude00\\ud83d\"", "invalid_surrogate", 1, 2),
        REFUSE("\"\\ud83d\\ude00\\ude00\"", "invalid_surrogate", 1, 14),
        REFUSE("{\"\\udead\":1}", "invalid_surrogate", 1, 3),
    };
    run_refused(rows, ROWS(rows), NULL);
}

/* All 32 of them, at every place of a string that is longer than a block of 16 bytes,
 * in ASCII and with something wider in front. */
static void refuses_every_control_character(void **state)
{
    (void)state;
    enum { LENGTH = 40 };
    pith_options options = {0};
    size_t failures = 0;
    for (int control = 0; control < 0x20; control++) {
        for (size_t place = 0; place < LENGTH; place++) {
            for (int wide = 0; wide < 2; wide++) {
                bytes text = {0};
                bytes_put(&text, wide ? "\"\xc3\xa9" : "\"e");
                bytes_repeat(&text, "x", LENGTH);
                bytes_put(&text, "\"");
                text.ptr[text.len - 1 - LENGTH + place] = (char)control;
                expected_error error = {PITH_BAD_INPUT, "control_character", 1,
                                        place + 3};
                refused row = {text.ptr, text.len, error};
                failures += !runs_refused(&row, &options);
                bytes_free(&text);
            }
        }
    }
    assert_int_equal(failures, 0);
}

/* ------------------------------------------------------------------------ UTF-8 */

/* Every way to be ill-formed; the fault is at the first byte of each. */
static const struct ill_formed {
    const char *bytes;
    size_t len;
} ill_formed[] = {
    /* a continuation byte on its own */
    {LIT("\x80")},
    {LIT("\xbf")},
    {LIT("\x80\x80")},
    /* two-byte forms: overlong, cut short, followed by ASCII or a first byte */
    {LIT("\xc0\x80")},
    {LIT("\xc0\xaf")},
    {LIT("\xc1\xbf")},
    {LIT("\xc2")},
    {LIT("\xc2 ")},
    {LIT("\xdf\xc3\xa9")},
    {LIT("\xc2\x7f")},
    {LIT("\xc2\xc0")},
    /* three-byte forms */
    {LIT("\xe0\x80\x80")},
    {LIT("\xe0\x80\xaf")},
    {LIT("\xe0\x9f\xbf")},
    {LIT("\xe2")},
    {LIT("\xe2\x82")},
    {LIT("\xe2 \x82")},
    {LIT("\xe2\x82 ")},
    {LIT("\xe2\x82\xc2\x80")},
    {LIT("\xef\xbf")},
    /* surrogates written as if they were characters */
    {LIT("\xed\xa0\x80")},
    {LIT("\xed\xad\xbf")},
    {LIT("\xed\xb0\x80")},
    {LIT("\xed\xbf\xbf")},
    {LIT("\xed\xa0\xbd\xed\xb8\x80")},
    {LIT("\xed")},
    {LIT("\xed\x9f")},
    /* four-byte forms */
    {LIT("\xf0\x80\x80\x80")},
    {LIT("\xf0\x8f\xbf\xbf")},
    {LIT("\xf0")},
    {LIT("\xf0\x9f")},
    {LIT("\xf0\x9f\x98")},
    {LIT("\xf0\x9f ")},
    {LIT("\xf0\x9f\x98 ")},
    {LIT("\xf1\x80\xc2\x80")},
    {LIT("\xf3\xbf\xbf\x7f")},
    /* beyond U+10FFFF, and bytes that begin nothing */
    {LIT("\xf4\x90\x80\x80")},
    {LIT("\xf4\xbf\xbf\xbf")},
    {LIT("\xf5\x80\x80\x80")},
    {LIT("\xf7\xbf\xbf\xbf")},
    {LIT("\xf8\x88\x80\x80\x80")},
    {LIT("\xfc\x84\x80\x80\x80\x80")},
    {LIT("\xfe")},
    {LIT("\xff")},
    {LIT("\xfe\xff")},
    {LIT("\xff\xfe")},
};

/* The bytes between `before` and `after` must be refused at `column`. */
static size_t refuse_between(const char *before, const char *after, size_t column)
{
    pith_options options = {0};
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(ill_formed); i++) {
        bytes text = {0};
        bytes_put(&text, before);
        bytes_add(&text, ill_formed[i].bytes, ill_formed[i].len);
        bytes_put(&text, after);
        refused row = {text.ptr, text.len, {PITH_BAD_INPUT, "invalid_utf8", 1, column}};
        failures += !runs_refused(&row, &options);
        bytes_free(&text);
    }
    return failures;
}

static void refuses_ill_formed_utf8(void **state)
{
    (void)state;
    size_t failures = 0;
    /* in a string: at its start, inside, behind other characters and escapes */
    failures += refuse_between("\"", "\"", 2);
    failures += refuse_between("\"abc", "def\"", 5);
    failures += refuse_between("\"\xc3\xa9\xf0\x9f\x98\x80", "\xc3\xa9\"", 4);
    failures += refuse_between("\"\\n\\u20ac", "\\n\"", 10);
    failures += refuse_between("[\"0123456789012345678901234567890123456789", "\"]", 43);
    /* in keys */
    failures += refuse_between("{\"", "\":1}", 3);
    failures += refuse_between("{\"a\":1,\"bb", "cc\":1}", 11);
    failures += refuse_between("[{\"a\":1},{\"\\t", "\":1}]", 14);
    /* outside strings, in every state of the reader, with and without an end */
    static const struct {
        const char *before, *after;
        size_t column;
    } outside[] = {
        {"", "1", 1},        {"[", "]", 2},         {"[1,", "]", 4},
        {"[1 ", "]", 4},     {"{", "}", 2},         {"{\"a\"", ":1}", 5},
        {"{\"a\":", "}", 6}, {"{\"a\":1 ", "}", 8}, {"[] ", "[]", 4},
    };
    for (size_t i = 0; i < ROWS(outside); i++) {
        failures +=
            refuse_between(outside[i].before, outside[i].after, outside[i].column);
        failures += refuse_between(outside[i].before, "", outside[i].column);
    }
    assert_int_equal(failures, 0);
}

static void byte_order_mark(void **state)
{
    (void)state;
    static const accepted good[] = {
        ACCEPT("\xef\xbb\xbf[]", "[]"),
        ACCEPT("\xef\xbb\xbf 1", "1"),
        ACCEPT("\xef\xbb\xbf\"a\"", "\"a\""),
        ACCEPT("\xef\xbb\xbf\r\n{}\r\n", "{}"),
    };
    run_accepted(good, ROWS(good), NULL);

    static const refused bad[] = {
        REFUSE(" \xef\xbb\xbf[]", "expected_value", 1, 2),
        REFUSE("[]\xef\xbb\xbf", "trailing_content", 1, 3),
        REFUSE("[\xef\xbb\xbf]", "expected_value", 1, 2),
        REFUSE("{\xef\xbb\xbf}", "expected_key", 1, 2),
        REFUSE("\xef\xbb", "invalid_utf8", 1, 1),
        REFUSE("\xef", "invalid_utf8", 1, 1),
        REFUSE("\xef\xbb[]", "invalid_utf8", 1, 1),
        /* the marks of other encodings */
        REFUSE("\xfe\xff\0[\0]", "invalid_utf8", 1, 1),
        REFUSE("\xff\xfe[\0]\0", "invalid_utf8", 1, 1),
    };
    run_refused(bad, ROWS(bad), NULL);
}

/* The mark is no column, because no editor shows it, but it is three bytes. */
static void positions_behind_a_byte_order_mark(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t len;
        expected_error error;
        size_t offset;
    } rows[] = {
        {LIT("\xef\xbb\xbf"), {PITH_BAD_INPUT, "empty_input", 1, 1}, 3},
        {LIT("\xef\xbb\xbf[1 2]"), {PITH_BAD_INPUT, "expected_separator", 1, 4}, 6},
        {LIT("\xef\xbb\xbf\n[1 2]"), {PITH_BAD_INPUT, "expected_separator", 2, 4}, 7},
        {LIT("\xef\xbb\xbf\xef\xbb\xbf[]"), {PITH_BAD_INPUT, "expected_value", 1, 1}, 3},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_error err = {0};
        assert_null(pith_doc_parse("json", rows[i].text, rows[i].len, NULL, &err));
        bool right = same_error("behind the mark", &err, &rows[i].error);
        if (err.offset != rows[i].offset) {
            right = false;
        }
        if (!right) {
            show_bytes("  of", rows[i].text, rows[i].len);
        }
        failures += !right;
    }
    assert_int_equal(failures, 0);
}

/* --------------------------------------------------------------- duplicate keys */

static void refuses_duplicates(void **state)
{
    (void)state;
    /* `first` is where the message must say that the key stood before. */
    static const struct {
        refused row;
        const char *first;
    } rows[] = {
        {REFUSE("{\"a\":1,\"a\":2}", "duplicate_key", 1, 8), "line 1, column 2"},
        {REFUSE("{\"a\":1,\"a\":1}", "duplicate_key", 1, 8), "line 1, column 2"},
        {REFUSE("{\"\":1,\"\":2}", "duplicate_key", 1, 7), "line 1, column 2"},
        {REFUSE("{\"a\":1,\"b\":2,\"a\":3}", "duplicate_key", 1, 14), "line 1, column 2"},
        {REFUSE("{\"a\":1,\"b\":2,\"b\":3}", "duplicate_key", 1, 14), "line 1, column 8"},
        {REFUSE("{\n  \"a\": 1,\n  \"b\": 2,\n  \"a\": 3\n}", "duplicate_key", 4, 3),
         "line 2, column 3"},
        /* an escape is a way to write a key, not another key */
        {REFUSE("{\"a\":1,\"\\u0061\":2}", "duplicate_key", 1, 8), "line 1, column 2"},
        {REFUSE("{\"\\u0061\":1,\"a\":2}", "duplicate_key", 1, 13), "line 1, column 2"},
        {REFUSE("{\"\\ud83d\\ude00\":1,\"\xf0\x9f\x98\x80\":2}", "duplicate_key", 1, 19),
         "line 1, column 2"},
        {REFUSE("{\"\\/\":1,\"/\":2}", "duplicate_key", 1, 9), "line 1, column 2"},
        {REFUSE("{\"\\u0000\":1,\"\\u0000\":2}", "duplicate_key", 1, 13),
         "line 1, column 2"},
        /* columns in code points */
        {REFUSE("{\"\xc3\xa9\":\"\xe2\x82\xac\",\"\xc3\xa9\":2}", "duplicate_key", 1, 10),
         "line 1, column 2"},
        /* containers between the two, with keys of their own */
        {REFUSE("{\"a\":{\"a\":[{\"a\":1}]},\"a\":2}", "duplicate_key", 1, 22),
         "line 1, column 2"},
        {REFUSE("{\"b\":1,\"a\":[{\"a\":1,\"b\":1,\"a\":1}],\"a\":2}", "duplicate_key", 1,
                26),
         "line 1, column 14"},
        /* not in the first object: the shape of the keys before is another */
        {REFUSE("[{\"a\":1,\"b\":2},{\"a\":1,\"a\":2}]", "duplicate_key", 1, 23),
         "line 1, column 17"},
        {REFUSE("[{\"a\":1,\"b\":2},{\"a\":1,\"b\":2,\"a\":3}]", "duplicate_key", 1, 29),
         "line 1, column 17"},
        {REFUSE("[{\"a\":1,\"b\":2},{\"b\":1,\"a\":2,\"b\":3}]", "duplicate_key", 1, 29),
         "line 1, column 17"},
        {REFUSE(
             "[\n{\"a\":1,\"b\":2},\n{\"a\":1,\"b\":2},\n{\"c\":1,\n\"b\":2,\"c\":3}\n]",
             "duplicate_key", 5, 7),
         "line 4, column 2"},
    };
    pith_options options = {0};
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const refused *row = &rows[i].row;
        pith_error err = {0};
        bool right = runs_refused(row, &options);
        assert_null(pith_doc_parse("json", row->text, row->len, NULL, &err));
        if (!strstr(err.message, rows[i].first)) {
            fprintf(stderr, "no \"%s\" in: %s\n", rows[i].first, err.message);
            right = false;
        }
        failures += !right;
    }
    assert_int_equal(failures, 0);
}

/* Objects of every size near the points where a reader may change its method:
 * the last key repeats the first, the middle one, the one before it. */
static void refuses_duplicates_in_objects_of_any_size(void **state)
{
    (void)state;
    pith_options options = {0};
    size_t failures = 0;
    for (size_t count = 1; count <= 300; count = count < 70 ? count + 1 : count + 23) {
        size_t victims[] = {0, count / 2, count - 1};
        for (size_t v = 0; v < ROWS(victims); v++) {
            bytes text = {0};
            bytes_put(&text, "{");
            for (size_t i = 0; i < count; i++) {
                bytes_print(&text, "\"key%zu\":%zu,", i, i);
            }
            size_t column = text.len + 1;
            bytes_print(&text, "\"key%zu\":0}", victims[v]);
            refused row = {
                text.ptr, text.len, {PITH_BAD_INPUT, "duplicate_key", 1, column}};
            failures += !runs_refused(&row, &options);
            bytes_free(&text);
        }
    }
    assert_int_equal(failures, 0);
}

static void keeps_the_last_duplicate(void **state)
{
    (void)state;
    /* the key stays where it stood first; its last value wins */
    static const accepted rows[] = {
        ACCEPT("{\"a\":1,\"a\":2}", "{\"a\":2}"),
        ACCEPT("{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":3,\"b\":2}"),
        ACCEPT("{\"a\":1,\"b\":2,\"b\":3,\"a\":4}", "{\"a\":4,\"b\":3}"),
        ACCEPT("{\"a\":1,\"a\":2,\"a\":3,\"a\":4}", "{\"a\":4}"),
        ACCEPT("{\"b\":1,\"a\":2,\"c\":3,\"a\":4,\"c\":5}", "{\"b\":1,\"a\":4,\"c\":5}"),
        ACCEPT("{\"\":1,\"\":2}", "{\"\":2}"),
        ACCEPT("{\"a\":1,\"\\u0061\":2}", "{\"a\":2}"),
        /* values of other sizes take each other's place */
        ACCEPT("{\"a\":[1,2,3],\"a\":1}", "{\"a\":1}"),
        ACCEPT("{\"a\":1,\"a\":[1,2,3]}", "{\"a\":[1,2,3]}"),
        ACCEPT("{\"a\":1,\"b\":2,\"a\":{\"x\":[],\"y\":[[]]},\"c\":3}",
               "{\"a\":{\"x\":[],\"y\":[[]]},\"b\":2,\"c\":3}"),
        ACCEPT("{\"a\":{\"x\":[],\"y\":[[]]},\"b\":2,\"a\":\"s\",\"c\":3}",
               "{\"a\":\"s\",\"b\":2,\"c\":3}"),
        ACCEPT("{\"a\":{\"b\":1},\"a\":{\"c\":2}}", "{\"a\":{\"c\":2}}"),
        /* nested, on several levels at once */
        ACCEPT("{\"a\":{\"x\":1,\"x\":2},\"b\":0}", "{\"a\":{\"x\":2},\"b\":0}"),
        ACCEPT("[{\"a\":1,\"a\":2},{\"a\":3,\"a\":4}]", "[{\"a\":2},{\"a\":4}]"),
        ACCEPT(
            "{\"o\":{\"x\":1,\"x\":{\"y\":1,\"y\":2}},\"o\":{\"x\":3,\"z\":4,\"x\":5}}",
            "{\"o\":{\"x\":5,\"z\":4}}"),
        ACCEPT("{\"a\":1,\"o\":{\"p\":{\"q\":1,\"q\":2},"
               "\"p\":{\"q\":3,\"r\":4,\"q\":5}},\"a\":6}",
               "{\"a\":6,\"o\":{\"p\":{\"q\":5,\"r\":4}}}"),
        /* duplicates inside a value that is dropped */
        ACCEPT("{\"a\":{\"x\":1,\"x\":2,\"y\":[{\"z\":1,\"z\":2}]},\"a\":7}",
               "{\"a\":7}"),
        ACCEPT("{\"a\":[{\"x\":1,\"x\":2}],\"b\":1,\"a\":[{\"x\":3,\"x\":4}]}",
               "{\"a\":[{\"x\":4}],\"b\":1}"),
        /* the object with a duplicate stands first, in the middle, last */
        ACCEPT("[{\"a\":1,\"a\":2},{\"b\":1},3]", "[{\"a\":2},{\"b\":1},3]"),
        ACCEPT("[1,{\"a\":[1],\"a\":[2,3]},{\"b\":{}}]", "[1,{\"a\":[2,3]},{\"b\":{}}]"),
        ACCEPT("[{\"b\":1},[{\"a\":[],\"a\":{}}]]", "[{\"b\":1},[{\"a\":{}}]]"),
        /* after objects of the same keys, which are no duplicates */
        ACCEPT("[{\"a\":1,\"b\":2},{\"a\":1,\"b\":2,\"a\":3}]",
               "[{\"a\":1,\"b\":2},{\"a\":3,\"b\":2}]"),
        ACCEPT("[{\"a\":1,\"b\":2,\"a\":3},{\"a\":1,\"b\":2}]",
               "[{\"a\":3,\"b\":2},{\"a\":1,\"b\":2}]"),
        SAME("{\"a\":1,\"b\":2}"),
    };
    run_accepted(rows, ROWS(rows), "duplicates=last");

    /* only duplicates are forgiven */
    static const refused bad[] = {
        REFUSE("{\"a\":1,\"a\":}", "expected_value", 1, 12),
        REFUSE("{\"a\":1,\"a\":2", "unclosed", 1, 13),
        REFUSE("{\"a\":01,\"a\":2}", "invalid_number", 1, 6),
        REFUSE("{\"a\":\"\\ud800\",\"a\":2}", "invalid_surrogate", 1, 7),
    };
    run_refused(bad, ROWS(bad), "duplicates=last");

    static const refused strict[] = {REFUSE("{\"a\":1,\"a\":2}", "duplicate_key", 1, 8)};
    run_refused(strict, ROWS(strict), "duplicates=refuse");
}

/* After a value has moved into place, walking must find counts and parents right. */
static void walks_over_kept_duplicates(void **state)
{
    (void)state;
    pith_options options = with_settings("duplicates=last", NULL);
    static const char text[] =
        "{\"a\":[1,[2,{\"k\":3}]],\"b\":{\"c\":4,\"c\":[5]},\"a\":{\"d\":[6,7]}}";
    pith_doc *doc = must_parse("json", LIT(text), &options);
    pith_value root = pith_doc_root(doc);
    assert_int_equal(pith_value_count(root), 2);
    pith_value a = pith_value_get(root, "a");
    assert_int_equal(pith_value_kind(a), PITH_OBJECT);
    assert_int_equal(pith_value_count(a), 1);
    pith_value d = pith_value_get(a, "d");
    assert_int_equal(pith_value_count(d), 2);
    assert_true(pith_value_equal(pith_value_parent(d), a));
    assert_true(pith_value_equal(pith_value_parent(a), root));
    pith_value b = pith_value_next(a);
    assert_int_equal(pith_value_key(b).len, 1);
    assert_memory_equal(pith_value_key(b).ptr, "b", 1);
    assert_int_equal(pith_value_count(b), 1);
    assert_null(pith_value_next(b).doc);
    pith_doc_free(doc);
}

/* A thousand keys, each given five times in a shuffled order. */
static void keeps_the_last_of_many_duplicates(void **state)
{
    (void)state;
    enum { KEYS = 1000, TIMES = 5 };
    bytes text = {0}, expected = {0};
    bytes_put(&text, "{");
    for (size_t i = 0; i < KEYS * TIMES; i++) {
        /* 7 and 1000 have no common factor: each round visits every key once */
        size_t key = i < KEYS ? i : i * 7 % KEYS;
        bytes_print(&text, "%s\"k%zu\":[%zu]", i ? "," : "", key, i / KEYS);
    }
    bytes_put(&text, "}");
    bytes_put(&expected, "{");
    for (size_t key = 0; key < KEYS; key++) {
        bytes_print(&expected, "%s\"k%zu\":[%d]", key ? "," : "", key, TIMES - 1);
    }
    bytes_put(&expected, "}");
    accepted row = {text.ptr, text.len, expected.ptr, expected.len};
    pith_options options = with_settings("duplicates=last", NULL);
    bool right = runs_accepted(&row, &options);
    bytes_free(&text);
    bytes_free(&expected);
    assert_true(right);
}

/* ------------------------------------------------------------------- surrogates */

#define FFFD "\xef\xbf\xbd"

static void replaces_surrogates(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT("\"\\ud800\"", "\"" FFFD "\""),
        ACCEPT("\"\\udc00\"", "\"" FFFD "\""),
        ACCEPT("\"\\ude00\\ud83d\"", "\"" FFFD FFFD "\""),
        ACCEPT("\"a\\ud83db\"", "\"a" FFFD "b\""),
        ACCEPT("\"\\ud83d\\n\"", "\"" FFFD "\\n\""),
        ACCEPT("\"\\ud83d\\u0041\"", "\"" FFFD "A\""),
        ACCEPT("\"\\ud83d\\ud83d\\ude00\"", "\"" FFFD "\xf0\x9f\x98\x80\""),
        ACCEPT("\"\\ud83d\\ude00\\ude00\"", "\"\xf0\x9f\x98\x80" FFFD "\""),
        ACCEPT("\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\""),
        ACCEPT("{\"\\udead\":1}", "{\"" FFFD "\":1}"),
    };
    run_accepted(rows, ROWS(rows), "surrogates=replace");

    static const refused bad[] = {
        /* two keys that become the same */
        REFUSE("{\"\\ud800\":1,\"\\udfff\":2}", "duplicate_key", 1, 13),
        /* only escapes are forgiven, not bytes */
        REFUSE("\"\xed\xa0\x80\"", "invalid_utf8", 1, 2),
        REFUSE("\"\\ud83d\\q\"", "invalid_escape", 1, 8),
        REFUSE("\"\\ud83d\\u12\"", "invalid_escape", 1, 8),
        REFUSE("\"\\ud83d", "unterminated_string", 1, 1),
    };
    run_refused(bad, ROWS(bad), "surrogates=replace");

    static const accepted both[] = {
        ACCEPT("{\"\\ud800\":1,\"\\udfff\":2}", "{\"" FFFD "\":2}"),
    };
    run_accepted(both, ROWS(both), "surrogates=replace duplicates=last");
}

/* ------------------------------------------------------------------------ depth */

/* `open` and `close` repeated `depth` times around `inside`. */
static bytes nested(const char *open, const char *inside, const char *close, size_t depth)
{
    bytes text = {0};
    bytes_repeat(&text, open, depth);
    bytes_put(&text, inside);
    bytes_repeat(&text, close, depth);
    return text;
}

static void depth_is_limited(void **state)
{
    (void)state;
    static const size_t limits[] = {0, 1, 2, 3, 16, 511, 513, 100000};
    static const struct {
        const char *open, *inside, *close;
    } shapes[] = {{"[", "", "]"}, {"{\"a\":", "{}", "}"}, {"[1,", "[]", "]"}};
    size_t failures = 0;
    for (size_t l = 0; l < ROWS(limits); l++) {
        size_t limit = limits[l] ? limits[l] : PITH_DEPTH_DEFAULT;
        pith_options options = {0};
        options.depth_max = limits[l];
        for (size_t s = 0; s < ROWS(shapes); s++) {
            size_t inside = shapes[s].inside[0] ? 1 : 0;
            bytes good =
                nested(shapes[s].open, shapes[s].inside, shapes[s].close, limit - inside);
            accepted fits = {good.ptr, good.len, good.ptr, good.len};
            failures += !runs_accepted(&fits, &options);
            bytes_free(&good);

            bytes bad = nested(shapes[s].open, shapes[s].inside, shapes[s].close,
                               limit + 1 - inside);
            size_t column = strlen(shapes[s].open) * (limit + 1 - inside) + inside;
            if (!inside) {
                column = limit + 1;
            }
            refused deep = {bad.ptr, bad.len, {PITH_LIMIT, "depth_limit", 1, column}};
            failures += !runs_refused(&deep, &options);
            bytes_free(&bad);
        }
    }
    assert_int_equal(failures, 0);
}

static void scalars_have_no_depth(void **state)
{
    (void)state;
    pith_options options = {0};
    options.depth_max = 1;
    static const accepted rows[] = {SAME("1"), SAME("[1,2]"), SAME("{\"a\":\"b\"}")};
    for (size_t i = 0; i < ROWS(rows); i++) {
        assert_true(runs_accepted(&rows[i], &options));
    }
    /* siblings do not add up */
    static const accepted wide[] = {SAME("[[],[],[],{},{}]")};
    options.depth_max = 2;
    assert_true(runs_accepted(&wide[0], &options));
}

static bool stop_at_once(void *ctx, size_t bytes_done)
{
    (void)bytes_done;
    ++*(size_t *)ctx;
    return false;
}

static bool count_and_go_on(void *ctx, size_t bytes_done)
{
    size_t *last = ctx;
    assert_true(bytes_done >= *last);
    *last = bytes_done;
    return true;
}

/* Several megabytes, so that "now and then" comes at least once. */
static void progress_is_told_and_can_stop(void **state)
{
    (void)state;
    bytes text = {0};
    bytes_put(&text, "[0");
    bytes_repeat(&text, ",{\"key\":\"value\",\"list\":[1,2,3]}", 200000);
    bytes_put(&text, "]");

    size_t last = 0;
    pith_options options = {0};
    options.progress = count_and_go_on;
    options.progress_ctx = &last;
    pith_doc *doc = must_parse("json", text.ptr, text.len, &options);
    pith_doc_free(doc);
    assert_true(last > 0 && last <= text.len);

    size_t calls = 0;
    options.progress = stop_at_once;
    options.progress_ctx = &calls;
    pith_error err = {0};
    assert_null(pith_doc_parse("json", text.ptr, text.len, &options, &err));
    assert_string_equal(err.code, "cancelled");
    assert_int_equal(calls, 1);
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_structure),
        cmocka_unit_test(accepts_white_space),
        cmocka_unit_test(refuses_structure),
        cmocka_unit_test(refuses_literals),
        cmocka_unit_test(accepts_numbers),
        cmocka_unit_test(refuses_numbers),
        cmocka_unit_test(accepts_strings),
        cmocka_unit_test(refuses_strings),
        cmocka_unit_test(refuses_every_control_character),
        cmocka_unit_test(refuses_ill_formed_utf8),
        cmocka_unit_test(byte_order_mark),
        cmocka_unit_test(positions_behind_a_byte_order_mark),
        cmocka_unit_test(refuses_duplicates),
        cmocka_unit_test(refuses_duplicates_in_objects_of_any_size),
        cmocka_unit_test(keeps_the_last_duplicate),
        cmocka_unit_test(walks_over_kept_duplicates),
        cmocka_unit_test(keeps_the_last_of_many_duplicates),
        cmocka_unit_test(replaces_surrogates),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(scalars_have_no_depth),
        cmocka_unit_test(progress_is_told_and_can_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
