/*
 * test_answer.c - the document so far, of an answer that is still arriving.
 *
 * In what is expected a value that is partial has a "~" before it. Beside the table random
 * values are fed by random pieces: what was once complete must be in the end as it was, a text
 * only grows, and the end is what reading the whole answer gives.
 */
#include "bytes.h"
#include "making.h"
#include "random.h"
#include "testing.h"

static void show_value(bytes *to, pith_value value);

static void show_children(bytes *to, pith_value value, bool object)
{
    for (pith_value v = pith_value_first(value); v.doc; v = pith_value_next(v)) {
        pith_text key = pith_value_key(v);
        if (to->ptr[to->len - 1] != '[' && to->ptr[to->len - 1] != '{')
            bytes_put(to, ",");
        if (object) {
            bytes_add(to, key.ptr, key.len);
            bytes_put(to, ":");
        }
        show_value(to, v);
    }
}

static void show_value(bytes *to, pith_value value)
{
    pith_kind kind = pith_value_kind(value);
    bytes_put(to, pith_value_partial(value) ? "~" : "");
    if (kind == PITH_ARRAY || kind == PITH_OBJECT) {
        bytes_put(to, kind == PITH_OBJECT ? "{" : "[");
        show_children(to, value, kind == PITH_OBJECT);
        bytes_put(to, kind == PITH_OBJECT ? "}" : "]");
    } else if (kind == PITH_STRING || kind == PITH_INTEGER || kind == PITH_DECIMAL) {
        pith_text text = pith_value_text(value);
        bytes_add(to, text.ptr, text.len);
    } else {
        bytes_put(to, kind == PITH_NONE   ? "nothing"
                      : kind == PITH_NULL ? "null"
                                          : "word");
    }
}

typedef struct seen {
    const char *text;     /* that has come */
    const char *expected; /* what is seen of it, then how much is complete, and "." when
                             it is finished */
    const char *settings;
} seen;

static const seen views[] = {
    {"", "nothing 0", NULL},
    {"Sure, here", "nothing 0", NULL},
    {"{", "nothing 0", NULL},
    {"{\"a", "~{} 0", NULL},
    {"{\"a\":", "~{} 0", NULL},
    {"{\"a\":1", "~{} 0", NULL},
    {"{\"a\":1,", "~{a:1} 1", NULL},
    {"{\"a\":tru", "~{} 0", NULL},
    {"{\"a\":true}", "{a:word} 1.", NULL},
    {"{\"a\":\"on", "~{a:~on} 0", NULL},
    {"{\"a\":\"on\\", "~{a:~on} 0", NULL},
    {"{\"a\":\"on\\n\\u00", "~{a:~on\n} 0", NULL},
    {"{\"a\":\"\\ud83d", "~{a:~} 0", NULL},
    {"{\"a\":\"\\ud83d\\ude00!", "~{a:~\xF0\x9F\x98\x80!} 0", NULL},
    {"{\"a\":\"\xC3", "~{} 0", NULL},
    {"{\"a\":\"one\"", "~{a:~one} 0", NULL},
    {"{\"a\":\"one\",", "~{a:~one} 0", NULL},
    {"{\"a\":\"one\",\"", "~{a:one} 1", NULL},
    {"{\"a\":\"one\"}\n", "{a:one} 1.", NULL},
    {"{\"a\":{\"b\":[1,2,{\"c\":\"d", "~{a:~{b:~[1,2,~{c:~d}]}} 0", NULL},
    {"[1,2", "~[1] 1", NULL},
    {"[1,2]", "[1,2] 2.", NULL},
    {"[[1],[2", "~[[1],~[]] 1", NULL},
    {"[{\"a\":1},{\"a\":2}", "~[{a:1},{a:2}] 2", NULL},
    {"Here it is:\n```json\n[{\"a\":1},", "~[{a:1}] 1", NULL},
    {"Here it is: ```json {\"a\":1}", "{a:1} 1.", NULL},
    {"Here is {name}:\n<answer>{'a':1,", "~{a:1} 1", NULL},
    {"<think>{\"a\":1}</think>{\"b\":2,", "~{b:2} 1", NULL},
    {"<think>{\"a\":1}", "nothing 0", NULL},
    {"```python\nx = {}\n```\n```\n[1,", "~[1] 1", NULL},
    {"The answer: {\"a\":1,", "~{a:1} 1", NULL},
    {"Take [1] and {}.", "nothing 0", NULL},
    {"[2{id,name}\n1,Ada", "nothing 0", NULL},
    {"```toon\na: 1", "nothing 0", NULL},
    {"{a: 'x', // note\n b: [1,],", "~{a:x,b:[1]} 2", NULL},
    {"{\"a\":NaN,\"b\":1,", "~{} 0", NULL},
    {"{\"a\":NaN,\"b\":1,", "~{a:null,b:1} 2", "mend=all"},
    {"{\"a\":1,\"a\":2}", "~{a:1,a:2} 2", NULL},
    {"{\"a\":1}\n{\"a\":2}", "{a:1} 1", NULL},
    {"{\"a\":1} {\"a\":2}", "nothing 0", "pick=last"},
    {"{\"t\":\"He said \"hi\" to me, and more than one hundred and twenty-eight bytes of "
     "other things, so that there can be no doubt about it any more at all, I think\"}\n",
     "{t:He said \"hi\" to me, and more than one hundred and twenty-eight bytes of other "
     "things, so that there can be no doubt about it any more at all, I think} 1.",
     "mend=all"},
    {"{\"t\":\"C:\\dir\\new", "~{t:~C:\\dir\\new} 0", "mend=all"},
};

static pith_answer *must_open(const char *settings)
{
    pith_options options = with_settings(settings, NULL);
    pith_answer *answer = pith_answer_open(&options, NULL);
    assert_non_null(answer);
    return answer;
}

static void is_seen_whatever_the_pieces(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(views); i++) {
        const seen *row = &views[i];
        size_t len = strlen(row->text);
        for (size_t piece = 1; piece < 12; piece += 5) {
            bytes view = {0};
            pith_answer *answer = must_open(row->settings);
            for (size_t at = 0; at < len; at += piece)
                pith_answer_feed(answer, row->text + at,
                                 len - at < piece ? len - at : piece, NULL);
            show_value(&view, pith_answer_root(answer));
            bytes_print(&view, " %zu%s", pith_answer_complete(answer),
                        pith_answer_finished(answer) ? "." : "");
            failures += !same_bytes(row->text, view.ptr, view.len, row->expected,
                                    strlen(row->expected));
            pith_answer_free(answer);
            bytes_free(&view);
        }
    }
    assert_int_equal(failures, 0);
}

/* What was seen before, to be compared with what is seen next. */
typedef struct before {
    bytes complete;
    size_t count;
    bytes text; /* that was partial */
} before;

/* The innermost value that is partial. */
static pith_value arriving(pith_value value)
{
    for (;;) {
        pith_value last = {0};
        for (pith_value v = pith_value_first(value); v.doc; v = pith_value_next(v))
            last = v;
        if (!pith_value_partial(last))
            return value;
        value = last;
    }
}

static void show_complete(bytes *to, pith_value root, size_t count)
{
    bytes_put(to, "[");
    for (size_t i = 0; i < count; i++)
        show_value(to, pith_value_at(root, i));
}

static void look(const pith_answer *answer, before *was)
{
    bytes now = {0};
    pith_value root = pith_answer_root(answer);
    size_t count = pith_answer_complete(answer);
    show_complete(&now, root, was->count);
    assert_true(count >= was->count);
    assert_true(
        same_bytes("complete", now.ptr, now.len, was->complete.ptr, was->complete.len));
    bytes_free(&now);
    bytes_free(&was->complete);
    show_complete(&was->complete, root, count);
    was->count = count;
    pith_value last = arriving(root);
    pith_text text = pith_value_text(last);
    bool same = pith_value_kind(last) == PITH_STRING && count == was->count;
    if (same && text.len >= was->text.len && was->text.len > 0)
        assert_true(was->text.len <= text.len);
    bytes_free(&was->text);
    if (pith_value_kind(last) == PITH_STRING)
        bytes_add(&was->text, text.ptr, text.len);
}

/* Feeds it by pieces of up to `most` bytes, and looks after each. */
static void must_arrive(const char *text, size_t len, size_t most, uint64_t *seed)
{
    before was = {0};
    pith_answer *answer = must_open("mend=none");
    bytes_put(&was.complete, "[");
    for (size_t at = 0; at < len;) {
        size_t piece = 1 + random_below(seed, most);
        piece = len - at < piece ? len - at : piece;
        assert_int_equal(pith_answer_feed(answer, text + at, piece, NULL), PITH_OK);
        at += piece;
        if (len < 3000)
            look(answer, &was);
    }
    pith_value root = pith_answer_root(answer);
    pith_error err = {0};
    pith_options all = with_settings("mend=none", NULL);
    pith_doc *doc = pith_doc_parse("answer", text, len, &all, &err);
    bool container = *text == '{' || *text == '[';
    if (doc && container) {
        assert_true(pith_answer_finished(answer));
        assert_false(pith_value_partial(root));
        assert_true(pith_value_equal(root, pith_doc_root(doc)));
    }
    pith_error end = {0};
    assert_int_equal(pith_answer_end(answer, &end), doc ? PITH_OK : err.status);
    if (doc)
        assert_true(pith_value_equal(pith_answer_root(answer), pith_doc_root(doc)));
    else
        assert_string_equal(end.code, err.code);
    pith_doc_free(doc);
    pith_answer_free(answer);
    bytes_free(&was.complete);
    bytes_free(&was.text);
}

static void arrives_as_it_is_read_whole(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < OFTEN(600); i++) {
        bytes text = {0};
        uint64_t seed = i;
        make_json(&text, &seed, MAKE_ANY);
        bytes_put(&text, "\n");
        must_arrive(text.ptr, text.len, i % 3 == 0 ? 3 : 40, &seed);
        bytes_free(&text);
    }
}

/* What is seen can be written like any other value. */
static void a_view_can_be_written(void **state)
{
    (void)state;
    static const char text[] =
        "[{\"id\":1,\"name\":\"Ada\"},{\"id\":2,\"name\":\"B \\\"b";
    pith_answer *answer = must_open(NULL);
    pith_answer_feed(answer, LIT(text), NULL);
    must_write_as(pith_answer_root(answer), "json", NULL,
                  "[{\"id\":1,\"name\":\"Ada\"},{\"id\":2,\"name\":\"B \\\"b\"}]");
    must_write_as(pith_answer_root(answer), "pith", NULL,
                  "[2{id,name}\n1,Ada\n2,\"B \\\"b\"\n]");
    pith_answer_free(answer);
    answer = must_open(NULL); /* an object without keys has no list of them */
    pith_answer_feed(answer, LIT("{\"a\":{\"b"), NULL);
    must_write_as(pith_answer_root(answer), "json", NULL, "{\"a\":{}}");
    pith_answer_free(answer);
}

static void says_what_is_wrong_at_the_end(void **state)
{
    (void)state;
    pith_error err = {0};
    pith_answer *answer = must_open(NULL);
    pith_answer_feed(answer, LIT("{\"a\":1,"), NULL);
    assert_int_equal(pith_answer_end(answer, &err), PITH_BAD_INPUT);
    assert_string_equal(err.code, "completed");
    assert_null(pith_answer_root(answer).doc);
    assert_false(pith_answer_finished(answer));
    assert_int_equal(pith_answer_end(answer, &err), PITH_BAD_INPUT);
    pith_answer_free(answer);
    assert_null(pith_answer_open(&(pith_options){.read = "mend=much"}, &err));
    assert_string_equal(err.code, "bad_setting");
    pith_answer_free(NULL);
}

static void nothing_comes_after_the_end(void **state)
{
    (void)state;
    pith_error err = {0};
    pith_answer *answer = must_open(NULL);
    assert_int_equal(pith_answer_feed(answer, LIT("[1]"), NULL), PITH_OK);
    assert_int_equal(pith_answer_end(answer, NULL), PITH_OK);
    assert_int_equal(pith_answer_complete(answer), 1);
    assert_int_equal(pith_answer_feed(answer, LIT("[1]"), &err), PITH_BAD_USE);
    assert_string_equal(err.code, "ended");
    pith_answer_free(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_seen_whatever_the_pieces),
        cmocka_unit_test(arrives_as_it_is_read_whole),
        cmocka_unit_test(a_view_can_be_written),
        cmocka_unit_test(says_what_is_wrong_at_the_end),
        cmocka_unit_test(nothing_comes_after_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
