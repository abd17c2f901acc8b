/*
 * fuzz_mcp.c - any bytes as what a server of tools answers.
 *
 *     byte 0   bit 0     --structured text
 *              bit 1     the client shows the content as JSON (codex)
 *              bit 2     resources=on
 *              bit 3     a budget
 *              bit 4     delta=id, and the answer comes twice
 *              bit 5     it answers tools/list
 *              bit 6     the bytes are the whole line, and not its result
 *     the rest is the result
 *
 * What must hold: a line that is no answer stays as it is. An answer that is changed has
 * the same members, in their order, but for what may go; a text that was changed says the
 * same value, or fewer rows of it where there is a budget; and it has fewer tokens.
 */
#include "fuzzing.h"

#include "proxy/messages.h"

enum {
    TEXT = 1,
    WRAPPED = 2,
    RESOURCES = 4,
    BUDGET = 8,
    DELTA = 16,
    LIST = 32,
    LINE = 64
};

static pith_vocab *vocab;

static void ignore_note(void *ctx, const char *sentence)
{
    (void)ctx;
    (void)sentence;
}

static bytes line_of(const char *before, const uint8_t *data, size_t size,
                     const char *after)
{
    bytes line = {0};
    REQUIRE(bytes_text(&line, before) && bytes_add(&line, (const char *)data, size) &&
            bytes_text(&line, after));
    return line;
}

static size_t tokens_of(const char *text, size_t len)
{
    size_t count = 0;
    REQUIRE(pith_vocab_count(vocab, text, len, NULL, &count, NULL) == PITH_OK);
    return count;
}

/* The document of a text in one of the formats, or NULL. */
static pith_doc *doc_of(pith_text text, const char *first, const char *second)
{
    pith_doc *doc = pith_doc_parse(first, text.ptr, text.len, NULL, NULL);
    return doc || !second ? doc : pith_doc_parse(second, text.ptr, text.len, NULL, NULL);
}

/* A text that was changed says what it said, in fewer tokens. */
static void check_text(pith_value old, pith_value now)
{
    pith_text before = pith_value_text(old), after = pith_value_text(now);
    pith_doc *was = doc_of(before, "json", "ndjson");
    pith_doc *is = doc_of(after, "json", "pith");
    REQUIRE(was && is);
    REQUIRE(pith_value_equal(pith_doc_root(was), pith_doc_root(is)));
    REQUIRE(tokens_of(after.ptr, after.len) < tokens_of(before.ptr, before.len));
    pith_doc_free(was);
    pith_doc_free(is);
}

static pith_value next_member(pith_value at, const char *without)
{
    pith_text key = at.doc ? pith_value_key(at) : (pith_text){NULL, 0};
    bool skipped = at.doc && without && key.len == strlen(without) &&
                   memcmp(key.ptr, without, key.len) == 0;
    return skipped ? pith_value_next(at) : at;
}

static bool is_named(pith_value value, const char *name)
{
    pith_text key = pith_value_key(value);
    return key.len == strlen(name) && memcmp(key.ptr, name, key.len) == 0;
}

/* Equal but for texts of blocks, types of resources, and a member that may be gone. */
static void check_value(pith_value old, pith_value now, const char *gone)
{
    REQUIRE(pith_value_kind(old) == pith_value_kind(now));
    if (pith_value_kind(old) < PITH_ARRAY) {
        REQUIRE(pith_value_equal(old, now));
        return;
    }
    bool object = pith_value_kind(old) == PITH_OBJECT;
    pith_value a = pith_value_first(old), b = pith_value_first(now);
    for (; a.doc || b.doc; a = pith_value_next(a), b = pith_value_next(b)) {
        if (object && !(a.doc && b.doc && is_named(b, "structuredContent")))
            a = next_member(a, gone);
        if (!a.doc && b.doc && !object)
            return; /* a block that was added */
        if (!a.doc && !b.doc)
            return;
        REQUIRE(a.doc && b.doc);
        if (object) {
            pith_text key = pith_value_key(a), same = pith_value_key(b);
            REQUIRE(key.len == same.len && memcmp(key.ptr, same.ptr, key.len) == 0);
        }
        if (pith_value_equal(a, b))
            continue;
        if (object && is_named(a, "text") && pith_value_kind(a) == PITH_STRING)
            check_text(a, b);
        else if (!object || !is_named(a, "mimeType"))
            check_value(a, b, gone);
    }
}

/* The line that leaves for one that came. */
static bytes pass(messages *all, rewriter *with, const char *method, bytes line)
{
    bytes asked = {0};
    REQUIRE(bytes_text(&asked, method));
    messages_sent(all, &asked, 0);
    bytes_free(&asked);
    answer *told = messages_received(all, &line);
    if (!told)
        return line;
    told->with = with;
    answer_rewrite(told);
    line = answer_bytes(told);
    answer_free(told);
    return line;
}

static void check_line(const bytes *line, const bytes *left, unsigned how)
{
    span whole;
    if (line->len == left->len &&
        (line->len == 0 || memcmp(line->data, left->data, line->len) == 0))
        return;
    REQUIRE(span_parse(left->data, left->len, &whole));
    if (how & (BUDGET | DELTA))
        return; /* rows are missing on purpose */
    pith_doc *was = pith_doc_parse("json", line->data, line->len, NULL, NULL);
    pith_doc *is = pith_doc_parse("json", left->data, left->len, NULL, NULL);
    if (was) { /* duplicates, where nobody looked, are no document */
        REQUIRE(is != NULL);
        const char *gone = how & LIST   ? "outputSchema"
                           : how & TEXT ? "structuredContent"
                                        : NULL;
        check_value(pith_doc_root(was), pith_doc_root(is), gone);
    }
    pith_doc_free(was);
    pith_doc_free(is);
}

static const char call_request[] =
    "{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}\n";
static const char list_request[] = "{\"id\":1,\"method\":\"tools/list\"}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    unsigned how = *data++;
    size--;
    if (!vocab)
        vocab = pith_vocab_open(NULL, NULL, NULL);
    policy only = {.how = how & TEXT ? STRUCTURED_TEXT : STRUCTURED_KEEP,
                   .wrapped = how & WRAPPED,
                   .resources = how & RESOURCES,
                   .budget = how & BUDGET ? 30 : 0,
                   .delta = how & DELTA ? "id" : NULL};
    policies usual = {.at = &only, .count = 1};
    mcp_settings settings = {.policies = &usual, .note = ignore_note};
    rewrite_settings words = {.vocab = vocab};
    messages all = {.settings = &settings};
    rewriter *with = rewriter_new(&words, NULL);
    REQUIRE(with != NULL && known_add(&all.tools, "t") != NULL);
    const char *before = how & LINE ? "" : "{\"result\":",
               *after = how & LINE ? "" : ",\"id\":1}";
    for (int turn = 0; turn < (how & DELTA ? 2 : 1); turn++) {
        bytes line = line_of(before, data, size, after);
        bytes left = pass(&all, with, how & LIST ? list_request : call_request,
                          line_of(before, data, size, after));
        check_line(&line, &left, how);
        bytes_free(&left);
        messages_sent(&all, &line, 0); /* and as what a client says */
        bytes_free(&line);
    }
    rewriter_free(with);
    messages_free(&all);
    return 0;
}
