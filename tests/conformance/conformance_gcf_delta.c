/*
 * conformance_gcf_delta.c - the fixtures of the GCF specification for keyed sets: roots,
 * deltas, and sessions of them. When the fixtures are nowhere the test says so and
 * passes.
 *
 * In the fixtures a set is {key, fields, rows}; here its rows are rebuilt with the
 * fields in that order, and stand under the set's name if it has one.
 */
#include "fixtures.h"
#include "suite.h"

#include "format/gcf/gcf_delta.h"

typedef struct outcome {
    size_t ran;
    size_t passed;
} outcome;

static const char *member_string(pith_value of, const char *name, char *to, size_t size)
{
    pith_text text = pith_value_text(pith_value_get(of, name, strlen(name)));
    assert_true(text.len < size);
    memcpy(to, text.ptr ? text.ptr : "", text.len);
    to[text.len] = '\0';
    return to;
}

/* --------------------------------------------------------------------- rebuilding */

static void add_row(pith_doc *doc, pith_value row, pith_value fields)
{
    pith_doc_open_object(doc);
    for (pith_value f = pith_value_first(fields); f.doc; f = pith_value_next(f)) {
        pith_text name = pith_value_text(f);
        pith_value cell = pith_value_get(row, name.ptr, name.len);
        if (cell.doc) {
            pith_doc_add_key(doc, name.ptr, name.len);
            pith_doc_add_value(doc, cell);
        }
    }
    pith_doc_close(doc);
}

static pith_doc *rows_doc(pith_value rows, pith_value fields, pith_text name)
{
    pith_doc *doc = pith_doc_new(NULL);
    pith_error err;
    if (name.len > 0) {
        pith_doc_open_object(doc);
        pith_doc_add_key(doc, name.ptr, name.len);
    }
    pith_doc_open_array(doc);
    for (pith_value row = pith_value_first(rows); row.doc; row = pith_value_next(row))
        add_row(doc, row, fields);
    pith_doc_close(doc);
    if (name.len > 0)
        pith_doc_close(doc);
    assert_int_equal(pith_doc_finish(doc, &err), PITH_OK);
    return doc;
}

/* The set of a fixture; its name is left out for those that are not written whole. */
static pith_doc *set_doc(pith_value set, bool named)
{
    pith_text none = {NULL, 0};
    return rows_doc(pith_value_get(set, "rows", 4), pith_value_get(set, "fields", 6),
                    named ? pith_value_text(pith_value_get(set, "name", 4)) : none);
}

/* [1001] as rows with nothing but a key. */
static pith_doc *removed_doc(pith_value ids, pith_text key)
{
    pith_doc *doc = pith_doc_new(NULL);
    pith_error err;
    pith_doc_open_array(doc);
    for (pith_value id = pith_value_first(ids); id.doc; id = pith_value_next(id)) {
        pith_doc_open_object(doc);
        pith_doc_add_key(doc, key.ptr, key.len);
        pith_doc_add_value(doc, id);
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
    assert_int_equal(pith_doc_finish(doc, &err), PITH_OK);
    return doc;
}

static void open_section(keyed_set *set, const pith_doc *doc, pith_value delta)
{
    static pith_key names[64];
    pith_error err;
    size_t count = 0;
    pith_value fields = pith_value_get(delta, "fields", 6);
    for (pith_value f = pith_value_first(fields); f.doc; f = pith_value_next(f)) {
        pith_text name = pith_value_text(f);
        assert_true(count < ROWS(names));
        pith_key key = {name.ptr, (uint32_t)name.len, SLOT_NEAR_END, 0};
        names[count++] = key;
    }
    keyed_hint hint = {.key = pith_value_text(pith_value_get(delta, "key", 3)),
                       .fields = names,
                       .field_count = count};
    pith_status status = keyed_open(set, doc, 0, &hint, doc->alloc, &err);
    if (status != PITH_OK)
        fprintf(stderr, "    %s: %s\n", err.code, err.message);
    assert_int_equal(status, PITH_OK);
}

/* The wire of a delta that a fixture gives as an object. */
static pith_buffer delta_wire(pith_value input)
{
    pith_text none = {NULL, 0};
    pith_text key = pith_value_text(pith_value_get(input, "key", 3));
    pith_value fields = pith_value_get(input, "fields", 6);
    pith_doc *docs[3] = {rows_doc(pith_value_get(input, "added", 5), fields, none),
                         rows_doc(pith_value_get(input, "changed", 7), fields, none),
                         removed_doc(pith_value_get(input, "removed", 7), key)};
    keyed_set sets[3];
    for (size_t i = 0; i < 3; i++)
        open_section(&sets[i], docs[i], input);
    gcf_delta delta;
    memset(&delta, 0, sizeof delta);
    delta.schema = &sets[0];
    delta.tool = pith_value_text(pith_value_get(input, "tool", 4));
    delta.base_root = pith_value_text(pith_value_get(input, "baseRoot", 8));
    delta.new_root = pith_value_text(pith_value_get(input, "newRoot", 7));
    pith_value_uint64(pith_value_get(input, "deltaTokens", 11), &delta.delta_tokens);
    pith_value_uint64(pith_value_get(input, "fullTokens", 10), &delta.full_tokens);
    gcf_delta_rows lists[3] = {{&sets[0], NULL, sets[0].count},
                               {&sets[1], NULL, sets[1].count},
                               {&sets[2], NULL, sets[2].count}};
    delta.added = lists[0];
    delta.changed = lists[1];
    delta.removed = lists[2];
    pith_buffer wire = {0};
    pith_out out;
    pith_error err;
    out_init(&out, pith_sink_buffer(&wire), NULL);
    gcf_delta_write(&out, &delta);
    assert_int_equal(out_finish(&out, &err), PITH_OK);
    for (size_t i = 0; i < 3; i++) {
        keyed_free(&sets[i]);
        pith_doc_free(docs[i]);
    }
    return wire;
}

/* --------------------------------------------------------------------- operations */

static bool run_pack_root(pith_value test)
{
    char key[64], expected[128];
    pith_value input = pith_value_get(test, "input", 5);
    pith_doc *doc = set_doc(input, false);
    pith_root root;
    pith_error err;
    member_string(test, "expected", expected, sizeof expected);
    pith_status status = pith_value_root(
        pith_doc_root(doc), text_from(member_string(input, "key", key, sizeof key)), NULL,
        &root, &err);
    pith_doc_free(doc);
    return status == PITH_OK && strcmp(root.text, expected) == 0;
}

static bool run_delta(pith_value test)
{
    pith_buffer wire = delta_wire(pith_value_get(test, "input", 5));
    pith_text expected = pith_value_text(pith_value_get(test, "expected", 8));
    bool right = same_bytes("delta", wire.data, wire.len, expected.ptr, expected.len);
    pith_buffer_free(&wire);
    return right;
}

/* Applies a wire to the base of the fixture and compares root or error. */
static bool applies(pith_value test, pith_text wire)
{
    char key[64], expected[128], wanted[64];
    pith_error err;
    pith_value base = pith_value_get(pith_value_get(test, "input", 5), "base", 4);
    member_string(test, "expected", expected, sizeof expected);
    member_string(test, "expectedError", wanted, sizeof wanted);
    pith_doc *doc = set_doc(base, false);
    pith_policy policy = {.key = text_from(member_string(base, "key", key, sizeof key))};
    pith_snapshot *consumer = pith_snapshot_new(&policy, NULL, &err);
    assert_int_equal(pith_snapshot_set(consumer, pith_doc_root(doc), &err), PITH_OK);
    pith_root before;
    snprintf(before.text, sizeof before.text, "%s", pith_snapshot_root(consumer));
    pith_status status = pith_snapshot_apply(consumer, wire.ptr, wire.len, NULL, &err);
    bool right;
    if (wanted[0]) {
        right = status != PITH_OK &&
                (strcmp(err.code, wanted) == 0 || strstr(err.message, wanted) != NULL) &&
                strcmp(pith_snapshot_root(consumer), before.text) == 0;
    } else {
        right = status == PITH_OK && strcmp(pith_snapshot_root(consumer), expected) == 0;
    }
    if (!right && status != PITH_OK)
        fprintf(stderr, "    %s: %s\n", err.code, err.message);
    pith_snapshot_free(consumer);
    pith_doc_free(doc);
    return right;
}

static bool run_verify(pith_value test)
{
    pith_value input = pith_value_get(test, "input", 5);
    pith_buffer wire = delta_wire(pith_value_get(input, "delta", 5));
    pith_text text = {wire.data, wire.len};
    bool right = applies(test, text);
    pith_buffer_free(&wire);
    return right;
}

static bool run_decode(pith_value test)
{
    return applies(test, pith_value_text(pith_value_get(pith_value_get(test, "input", 5),
                                                        "wire", 4)));
}

static pith_snapshot *session_producer(pith_value input, char *key)
{
    static char tool[64], mode[64];
    pith_error err;
    pith_value base = pith_value_get(input, "base", 4);
    pith_value policy = pith_value_get(input, "policy", 6);
    uint64_t turns = 0;
    pith_value_uint64(pith_value_get(policy, "n", 1), &turns);
    member_string(policy, "mode", mode, sizeof mode);
    pith_policy how = {0};
    how.key = text_from(member_string(base, "key", key, 64));
    how.tool = text_from(member_string(input, "tool", tool, sizeof tool));
    how.anchor = strcmp(mode, "fixedN") == 0 ? PITH_ANCHOR_TURNS : PITH_ANCHOR_SIZE;
    how.turns = (uint32_t)turns;
    how.guard_percent = PITH_GUARD_OFF; /* the fixtures do not have one */
    return pith_snapshot_new(&how, NULL, &err);
}

/* One answer of the session, applied by a consumer that must then hold the same. */
static bool session_step(pith_snapshot *producer, pith_snapshot *consumer, pith_value set,
                         pith_text expected, bool full)
{
    pith_buffer wire = {0};
    pith_delta_kind answer;
    pith_error err;
    pith_doc *doc = set_doc(set, true);
    pith_status status =
        pith_snapshot_write(producer, pith_snapshot_root(consumer), pith_doc_root(doc),
                            pith_sink_buffer(&wire), &answer, &err);
    bool right =
        status == PITH_OK && (answer == PITH_DELTA_FULL) == full &&
        same_bytes("answer", wire.data, wire.len, expected.ptr, expected.len) &&
        pith_snapshot_apply(consumer, wire.data, wire.len, NULL, &err) == PITH_OK &&
        strcmp(pith_snapshot_root(consumer), pith_snapshot_root(producer)) == 0;
    pith_buffer_free(&wire);
    pith_doc_free(doc);
    return right;
}

static bool run_session(pith_value test)
{
    char key[64];
    pith_error err;
    pith_value input = pith_value_get(test, "input", 5);
    pith_value expected = pith_value_get(test, "expected", 8);
    pith_snapshot *producer = session_producer(input, key);
    pith_snapshot *consumer = pith_snapshot_new(NULL, NULL, &err);
    bool right =
        session_step(producer, consumer, pith_value_get(input, "base", 4),
                     pith_value_text(pith_value_get(expected, "initialFull", 11)), true);
    pith_value now = pith_value_first(pith_value_get(input, "updates", 7));
    pith_value then = pith_value_first(pith_value_get(expected, "emissions", 9));
    for (; right && now.doc; now = pith_value_next(now), then = pith_value_next(then)) {
        right = session_step(
            producer, consumer, now, pith_value_text(pith_value_get(then, "wire", 4)),
            pith_value_kind(pith_value_get(then, "isFull", 6)) == PITH_TRUE);
    }
    right = right && !then.doc;
    pith_snapshot_free(consumer);
    pith_snapshot_free(producer);
    return right;
}

/* ------------------------------------------------------------------------ running */

static void run_case(void *ctx, const char *name, pith_value test)
{
    outcome *all = (outcome *)ctx;
    static const struct {
        const char *operation;
        bool (*run)(pith_value test);
    } runs[] = {{"generic-pack-root", run_pack_root},
                {"generic-delta", run_delta},
                {"generic-delta-verify", run_verify},
                {"generic-delta-decode", run_decode},
                {"generic-delta-session", run_session}};
    char operation[64];
    member_string(test, "operation", operation, sizeof operation);
    bool known = false;
    for (size_t i = 0; i < ROWS(runs); i++) {
        if (strcmp(operation, runs[i].operation) == 0) {
            known = true;
            all->ran++;
            bool right = runs[i].run(test);
            all->passed += right;
            printf("  %s %s\n", right ? "passed" : "FAILED", name);
        }
    }
    if (!known) {
        fprintf(stderr, "  no such operation: %s in %s\n", operation, name);
        all->ran++;
    }
}

static void generic_deltas(void **state)
{
    (void)state;
    static const char *const folders[] = {"generic-pack-root", "generic-delta",
                                          "generic-delta-session"};
    char path[SUITE_PATH_MOST];
    outcome all = {0, 0};
    if (!suite_find(path, "gcf-3.5"))
        fixtures_skip("gcf-3.5 deltas");
    for (size_t i = 0; i < ROWS(folders); i++)
        assert_true(suite_each(path, folders[i], run_case, &all));
    printf("gcf-3.5 deltas: %zu ran, %zu passed\n", all.ran, all.passed);
    assert_true(all.ran > 0);
    assert_int_equal(all.passed, all.ran);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(generic_deltas)};
    return fixtures_result(cmocka_run_group_tests(tests, NULL, NULL));
}
