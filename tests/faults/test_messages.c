/*
 * test_messages.c - a result on its way through `pith mcp`, with every request for memory
 * refused once: what leaves is the line as it came, or the line as it should be.
 */
#include "faults/layer.h"
#include "testing.h"

#include "proxy/messages.h"

#include <stdio.h>

#define ONE_ROW(n)                                                                       \
    "{\\\"id\\\": " #n ", \\\"name\\\": \\\"row " #n "\\\", \\\"v\\\": 1.50}"
#define SIX_ROWS                                                                         \
    "[" ONE_ROW(1) ", " ONE_ROW(2) ", " ONE_ROW(3) ", " ONE_ROW(4) ", " ONE_ROW(         \
        5) ", " ONE_ROW(6) "]"
#define PLAIN(n) "{\"id\":" #n ",\"name\":\"row " #n "\",\"v\":1.50}"
#define STRUCTURE "[" PLAIN(1) "," PLAIN(2) "," PLAIN(3) "," PLAIN(4) "," PLAIN(5) "]"

typedef struct trial {
    const char *request, *result;
    policy how;
    bool changes; /* the result as it should leave is another */
} trial;

#define CALL                                                                             \
    "\"method\":\"tools/call\",\"params\":{\"name\":\"t\\u0001\",\"arguments\":{}}"

static const trial trials[] = {
    {CALL, "{\"content\":[{\"type\":\"text\",\"text\":\"" SIX_ROWS "\"}]}", {0}, true},
    {CALL,
     "{\"content\":[{\"type\":\"text\",\"text\":\"" SIX_ROWS "\"}]}",
     {.off = true},
     false},
    {CALL,
     "{\"content\":[{\"type\":\"text\",\"text\":\"" SIX_ROWS "\"}]}",
     {.budget = 60},
     true},
    {CALL,
     "{\"content\":[{\"type\":\"text\",\"text\":\"" SIX_ROWS "\"}]}",
     {.delta = "id"},
     true},
    {CALL,
     "{\"content\":[{\"type\":\"text\",\"text\":\"" SIX_ROWS "\"}]}",
     {.wrapped = true},
     true},
    {CALL,
     "{\"content\":[],\"structuredContent\":{\"rows\":" STRUCTURE "}}",
     {.how = STRUCTURED_TEXT},
     true},
    {CALL,
     "{\"content\":[{\"type\":\"resource\",\"resource\":{\"mimeType\":\"application/json\","
     "\"text\":\"" SIX_ROWS "\"}}]}",
     {.resources = true},
     true},
    {"\"method\":\"tools/list\"",
     "{\"tools\":[{\"name\":\"t\\u0001\",\"outputSchema\":{}},{\"name\":\"u\"}]}",
     {.how = STRUCTURED_TEXT},
     true},
};

static void ignore_note(void *ctx, const char *sentence)
{
    (void)ctx;
    (void)sentence;
}

static bytes line_of(const char *before, const char *middle, const char *after)
{
    bytes line = {0};
    if (bytes_text(&line, before) && bytes_text(&line, middle) &&
        bytes_text(&line, after))
        return line;
    bytes_free(&line);
    return line;
}

/* Sends the request, and answers what becomes of the result; empty when there was no memory
 * to begin with. */
static bytes pass(const trial *one, rewriter *with, messages *all)
{
    bytes asked = line_of("{\"jsonrpc\":\"2.0\",\"id\":\"a\",", one->request, "}\n");
    bytes line =
        line_of("{\"result\":", one->result, ",\"id\":\"a\",\"jsonrpc\":\"2.0\"}\n");
    if (asked.len > 0)
        messages_sent(all, &asked, 0);
    bytes_free(&asked);
    answer *told = line.len > 0 ? messages_received(all, &line) : NULL;
    if (!told)
        return line;
    told->with = with;
    answer_rewrite(told);
    line = answer_bytes(told);
    answer_free(told);
    return line;
}

/* The same of a conversation that begins here, where the tool is known. */
static bytes pass_anew(const trial *one, const pith_vocab *vocab)
{
    pith_error err;
    rewrite_settings words = {.vocab = vocab};
    rewriter *with = rewriter_new(&words, &err);
    policy how = one->how;
    policies only = {.at = &how, .count = 1};
    mcp_settings settings = {.policies = &only, .note = ignore_note};
    messages all = {.settings = &settings};
    bytes line = {0};
    known_add(&all.tools, "t\x01");
    if (with)
        line = pass(one, with, &all);
    messages_free(&all);
    rewriter_free(with);
    return line;
}

static bool same_line(const bytes *a, const bytes *b)
{
    return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static void sweep(const trial *one, const pith_vocab *vocab)
{
    trial without = *one;
    without.how.delta = NULL; /* what it becomes when changes cannot be told */
    bytes whole = pass_anew(one, vocab), plain = pass_anew(&without, vocab);
    bytes line =
        line_of("{\"result\":", one->result, ",\"id\":\"a\",\"jsonrpc\":\"2.0\"}\n");
    assert_int_equal(one->changes, !same_line(&whole, &line));
    for (size_t at = 1;; at++) {
        faults plan = {.memory_at = at};
        faults_set(&plan);
        bytes got = pass_anew(one, vocab);
        fault_counts seen = faults_seen();
        faults_set(NULL);
        if (got.len > 0 && !same_line(&got, &line) && !same_line(&got, &whole) &&
            !same_line(&got, &plain))
            fail_msg("at %zu: %.*s", at, (int)got.len, got.data);
        bytes_free(&got);
        if (seen.memory_refused == 0)
            break;
        assert_true(at < 10000);
    }
    bytes_free(&whole);
    bytes_free(&plain);
    bytes_free(&line);
}

static void test_every_request_for_memory(void **state)
{
    pith_error err;
    pith_vocab *vocab = pith_vocab_open(NULL, NULL, &err);
    (void)state;
    assert_non_null(vocab);
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        sweep(&trials[i], vocab);
    pith_vocab_free(vocab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_request_for_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
