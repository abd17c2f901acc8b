/*
 * test_spans.c - where things are in a message, and messages put together again.
 */
#include "proxy/calls.h"
#include "proxy/policy.h"
#include "proxy/splice.h"

#include "testing.h"

#include <stdio.h>

static bool is_json(const char *text)
{
    span value;
    size_t len = strlen(text);
    char *exact = malloc(len + 1); /* so that a look beyond its end is seen */
    memcpy(exact, text, len);
    bool is = span_parse(exact, len, &value);
    free(exact);
    return is;
}

static void test_what_is_json(void **state)
{
    static const char *const good[] = {
        "{}",          "[]",
        " [ ] ",       "{\"a\":[1,-2.5e+3,true,false,null,\"x\\u00e9\\n\"]}",
        "\"\"",        "0",
        "[[[]],{}]",   "{\"a\" : {\"b\":[]} , \"c\":1}",
        "\"\\ud800\"", "\r\n1\r\n"};
    static const char *const bad[] = {
        "",         " ",          "{",     "[",  "}",   "[1,]",    "{\"a\"}",
        "{\"a\":}", "{a:1}",      "[1 2]", "01", "\"",  "\"\\x\"", "\"\t\"",
        "tru",      "{\"a\":1,}", "[}",    "{]", "1 2", "[1",      "{\"a\":1",
        "{\"a",     "\"\\u12\"",  "nul",   "-"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!is_json(good[i]))
            fail_msg("refused: %s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (is_json(bad[i]))
            fail_msg("accepted: %s", bad[i]);
}

static void test_depth_is_limited(void **state)
{
    char text[2 * SPAN_DEPTH_MOST + 3];
    (void)state;
    memset(text, '[', SPAN_DEPTH_MOST);
    memset(text + SPAN_DEPTH_MOST, ']', SPAN_DEPTH_MOST);
    text[2 * SPAN_DEPTH_MOST] = '\0';
    assert_true(is_json(text));
    memset(text, '[', SPAN_DEPTH_MOST + 1);
    memset(text + SPAN_DEPTH_MOST + 1, ']', SPAN_DEPTH_MOST + 1);
    text[2 * SPAN_DEPTH_MOST + 2] = '\0';
    assert_false(is_json(text));
}

static span parsed(const char *text)
{
    span value;
    assert_true(span_parse(text, strlen(text), &value));
    return value;
}

static void expect_span(span value, const char *text)
{
    assert_int_equal(span_len(value), strlen(text));
    assert_memory_equal(value.at, text, strlen(text));
}

static void test_members(void **state)
{
    static const char *const names[] = {"id", "result", "error"};
    span found[3];
    (void)state;
    span line =
        parsed(" { \"result\" : {\"id\":[\"]\\\"}\"]} , \"\\u0069d\":\"7\" ,\"x\":0}");
    assert_true(span_members(line, names, 3, found));
    expect_span(found[0], "\"7\"");
    expect_span(found[1], "{\"id\":[\"]\\\"}\"]}");
    assert_null(found[2].at);
    assert_false(span_members(parsed("{\"id\":1,\"id\":2}"), names, 3, found));
    assert_false(span_members(parsed("[]"), names, 3, found));
    assert_true(span_members(parsed("{}"), names, 3, found));
    assert_true(span_is(parsed("\"tools\\/call\""), "tools/call"));
    assert_false(span_is(parsed("\"tools/cal\""), "tools/call"));
    assert_false(span_is(parsed("\"tools/call2\""), "tools/call"));
    assert_false(span_is(parsed("\"a\\u0000\""), "a"));
    assert_false(span_is(parsed("1"), "1"));
}

static void expect_removed(const char *text, const char *name, const char *left)
{
    bytes out = {0};
    edits all = {0};
    span object = parsed(text);
    edits_add(&all, span_removal(object, name), (bytes){NULL, 0, 0});
    assert_true(splice((span){text, text + strlen(text)}, &all, &out));
    assert_int_equal(out.len, strlen(left));
    assert_memory_equal(out.data, left, out.len);
    bytes_free(&out);
    edits_free(&all);
}

static void test_removal(void **state)
{
    (void)state;
    expect_removed("{\"a\":1,\"b\":2,\"c\":3}", "a", "{\"b\":2,\"c\":3}");
    expect_removed("{\"a\":1,\"b\":2,\"c\":3}", "b", "{\"a\":1,\"c\":3}");
    expect_removed("{\"a\":1 , \"b\" : 2 }", "b", "{\"a\":1 }");
    expect_removed("{ \"a\" : [] }", "a", "{  }");
}

static bytes text_bytes(const char *text)
{
    bytes made = {0};
    assert_true(bytes_text(&made, text));
    return made;
}

static void test_splice_in_any_order(void **state)
{
    static const char line[] = "[1,22,333]";
    bytes out = {0};
    edits all = {0};
    (void)state;
    edits_add(&all, (span){line + 6, line + 9}, text_bytes("x"));
    edits_add(&all, (span){line + 9, line + 9}, text_bytes(",a"));
    edits_add(&all, (span){line + 9, line + 9}, text_bytes(",b"));
    edits_add(&all, (span){line + 1, line + 2}, text_bytes("yy"));
    assert_true(splice((span){line, line + strlen(line)}, &all, &out));
    expect_span((span){out.data, out.data + out.len}, "[yy,22,x,a,b]");
    bytes_free(&out);
    edits_free(&all);
}

static void test_literals(void **state)
{
    static const char text[] = "a\"\\\n\x01\xc3\xa9\0z";
    bytes out = {0};
    char back[32];
    span value;
    (void)state;
    assert_true(bytes_literal(&out, text, sizeof text - 1));
    expect_span((span){out.data, out.data + out.len},
                "\"a\\\"\\\\\\n\\u0001\xc3\xa9\\u0000z\"");
    assert_true(span_parse(out.data, out.len, &value));
    assert_false(span_decode(value, back, sizeof back)); /* a NUL is in it */
    bytes_free(&out);
    assert_true(span_decode(parsed("\"\\ud83d\\ude00x\\n\""), back, sizeof back));
    assert_string_equal(back, "\xf0\x9f\x98\x80x\n");
    assert_false(span_decode(parsed("\"\\ud83d\""), back, sizeof back));
    assert_false(span_decode(parsed("7"), back, sizeof back));
    assert_false(span_decode(parsed("\"0123456789\""), back, 10));
    assert_true(span_decode(parsed("\"012345678\""), back, 10));
}

static void test_ids(void **state)
{
    calls all = {0};
    call found;
    (void)state;
    assert_non_null(calls_add(&all, parsed("1"), "a"));
    assert_non_null(calls_add(&all, parsed("\"1\""), "b"));
    assert_non_null(calls_add(&all, parsed("\"\\u00e9\""), NULL));
    assert_false(calls_take(&all, parsed("2"), &found));
    assert_true(calls_take(&all, parsed("\"\xc3\xa9\""), &found));
    assert_null(found.tool);
    call_free(&found);
    assert_true(calls_take(&all, parsed("\"1\""), &found));
    assert_string_equal(found.tool, "b");
    call_free(&found);
    assert_false(calls_take(&all, parsed("\"1\""), &found));
    for (size_t i = 1; i < CALLS_MOST; i++)
        assert_non_null(calls_add(&all, parsed("0"), NULL));
    assert_null(calls_add(&all, parsed("0"), NULL));
    calls_free(&all);
}

static void test_globs(void **state)
{
    static const char *const tools[] = {"a*b?c:off", "*x:budget=10,keep=last", "x:y:off"};
    policy_words words = {.tools = tools, .tool_count = 3};
    policies all;
    (void)state;
    assert_int_equal(policies_read(&all, &words, NULL), PITH_OK);
    assert_true(policy_for(&all, "abzc")->off);
    assert_true(policy_for(&all, "a--b--b!c")->off);
    assert_false(policy_for(&all, "abc")->off);
    assert_int_equal(policy_for(&all, "max")->budget, 10);
    assert_int_equal(policy_for(&all, "max")->how, STRUCTURED_TEXT);
    assert_true(policy_for(&all, "x:y")->off);
    assert_int_equal(policy_for(&all, "other")->budget, 0);
    policies_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_json),
        cmocka_unit_test(test_depth_is_limited),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_removal),
        cmocka_unit_test(test_splice_in_any_order),
        cmocka_unit_test(test_literals),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_globs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
