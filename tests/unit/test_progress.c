/*
 * test_progress.c - the progress function is asked often enough to stop anything.
 *
 * Each call below is given a table of some megabytes. What it has to go through, each text
 * that is read, written, counted or hashed, is known; so there must be at least one question
 * for each MiB of that, and between two questions about one text at most a MiB. Then the
 * call is stopped at its first, its last and some other question, and must leave nothing.
 */
#include "testing.h"

enum { ROWS = 30000, MIB = 1 << 20 };

typedef struct watch {
    size_t calls;
    size_t last;
    size_t silence; /* the longest, in bytes */
    size_t stop_at; /* the call that says no; 0 for none */
} watch;

static bool note(void *ctx, size_t bytes_done)
{
    watch *w = (watch *)ctx;
    size_t since = bytes_done >= w->last ? bytes_done - w->last : bytes_done;
    w->last = bytes_done;
    w->silence = since > w->silence ? since : w->silence;
    return ++w->calls != w->stop_at;
}

static pith_buffer table;   /* JSON */
static pith_buffer changed; /* the same with one row in ten another */
static pith_vocab *vocab;

static void put(pith_buffer *to, const char *text)
{
    pith_sink sink = pith_sink_buffer(to);
    assert_int_equal(sink.write(sink.ctx, text, strlen(text)), PITH_OK);
}

static void make_table(pith_buffer *to, int other)
{
    char row[200];
    put(to, "[");
    for (int i = 0; i < ROWS; i++) {
        bool odd = other && i % 10 == 0;
        snprintf(row, sizeof row,
                 "%s{\"id\":%d,\"name\":\"a name that is the %d-th\",\"sum\":%d.5,"
                 "\"note\":\"what there is to say of it: %s\"}",
                 i ? ",\n" : "", i, i, i % 977, odd ? "something else" : "nothing");
        put(to, row);
    }
    put(to, "]");
}

/* A call to be watched: its status, and in `*bytes` what it has to go through. */
typedef pith_status (*action)(const pith_options *options, size_t *bytes,
                              pith_error *err);

static pith_status convert(const char *to, const char *settings,
                           const pith_options *options, size_t times, size_t *bytes,
                           pith_error *err)
{
    pith_buffer out = {0};
    pith_options own = *options;
    own.write = settings;
    pith_status status = pith_convert("json", to, table.data, table.len, &own,
                                      pith_sink_buffer(&out), err);
    *bytes = table.len + times * out.len;
    pith_buffer_free(&out);
    return status;
}

#define CONVERT(name, format, settings, times)                                           \
    static pith_status name(const pith_options *options, size_t *bytes, pith_error *err) \
    {                                                                                    \
        return convert(format, settings, options, times, bytes, err);                    \
    }

CONVERT(to_json, "json", NULL, 1)
CONVERT(to_ndjson, "ndjson", NULL, 1)
CONVERT(to_csv, "csv", NULL, 1)
CONVERT(to_toon, "toon", NULL, 1)
CONVERT(to_gcf, "gcf", NULL, 1)
CONVERT(to_gcf1, "gcf1", NULL, 2) /* it reads what it wrote */
CONVERT(to_soch, "soch", NULL, 1)
CONVERT(to_soch_bin, "soch-bin", NULL, 1)
CONVERT(to_pith, "pith", NULL, 1)
CONVERT(verified, "toon", "verify=true", 3)
CONVERT(guarded, "toon", "guard=true", 3)
CONVERT(optimized, "toon", "optimize=tokens", 4)
CONVERT(automatic, "auto", NULL, 3)

/* Tries are stopped at twice the budget, which bounds each of them. */
CONVERT(budgeted, "toon", "budget=300000", 3)

static pith_status counted(const pith_options *options, size_t *bytes, pith_error *err)
{
    size_t count;
    *bytes = table.len;
    return pith_vocab_count(vocab, table.data, table.len, options, &count, err);
}

static pith_status checked(const pith_options *options, size_t *bytes, pith_error *err)
{
    *bytes = table.len;
    return pith_check("json", table.data, table.len, options, NULL, NULL, err);
}

/* Both tables are made records and hashed; the answer is written. */
static pith_status answered(const pith_options *options, size_t *bytes, pith_error *err)
{
    pith_buffer out = {0};
    pith_policy policy = {.key = PITH_TEXT("id"), .guard_percent = PITH_GUARD_OFF};
    pith_doc *old = pith_doc_parse("json", table.data, table.len, NULL, err);
    pith_doc *new = pith_doc_parse("json", changed.data, changed.len, NULL, err);
    pith_snapshot *snapshot = pith_snapshot_new(&policy, options, err);
    assert_true(old && new &&snapshot);
    pith_status status = pith_snapshot_set(snapshot, pith_doc_root(old), err);
    if (status == PITH_OK) {
        char root[PITH_ROOT_SIZE];
        strcpy(root, pith_snapshot_root(snapshot));
        status = pith_snapshot_write(snapshot, root, pith_doc_root(new),
                                     pith_sink_buffer(&out), NULL, err);
        if (status != PITH_OK)
            assert_string_equal(pith_snapshot_root(snapshot), root);
    }
    *bytes = 2 * (table.len / 4 * 3) + out.len;
    pith_snapshot_free(snapshot);
    pith_doc_free(old);
    pith_doc_free(new);
    pith_buffer_free(&out);
    return status;
}

static const struct {
    const char *name;
    action run;
} actions[] = {
    {"json", to_json},    {"ndjson", to_ndjson},     {"csv", to_csv},
    {"toon", to_toon},    {"gcf", to_gcf},           {"gcf1", to_gcf1},
    {"soch", to_soch},    {"soch-bin", to_soch_bin}, {"pith", to_pith},
    {"verify", verified}, {"guard", guarded},        {"optimize", optimized},
    {"auto", automatic},  {"budget", budgeted},      {"count", counted},
    {"check", checked},   {"delta", answered},
};

static void often_enough(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        watch w = {0};
        size_t bytes;
        pith_error err = {0};
        pith_options options = {.progress = note, .progress_ctx = &w, .vocab = vocab};
        pith_status status = actions[i].run(&options, &bytes, &err);
        print_message("%-9s %5.1f MiB, %3zu calls, longest silence %zu bytes\n",
                      actions[i].name, (double)bytes / MIB, w.calls, w.silence);
        if (status != PITH_OK)
            fail_msg("%s: %s", actions[i].name, err.message);
        assert_true(w.silence <= MIB);
        assert_true(w.calls * MIB >= bytes);
    }
}

static void stopped_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        watch all = {0};
        size_t bytes;
        pith_options options = {.progress = note, .progress_ctx = &all, .vocab = vocab};
        actions[i].run(&options, &bytes, NULL);
        size_t places[] = {1, all.calls / 3 + 1, all.calls * 2 / 3 + 1, all.calls};
        for (size_t p = 0; p < 4; p++) {
            watch w = {.stop_at = places[p]};
            pith_error err = {0};
            options.progress_ctx = &w;
            assert_int_equal(actions[i].run(&options, &bytes, &err), PITH_CANCELLED);
            assert_int_equal(err.status, PITH_CANCELLED);
            assert_string_equal(err.code, "cancelled");
            assert_int_equal(w.calls, places[p]);
        }
    }
}

/* Values that are long: a few thousand texts of ten kilobytes. */
static void long_texts(void **state)
{
    (void)state;
    pith_buffer text = {0};
    char part[10001];
    memset(part, 'x', sizeof part - 1);
    part[sizeof part - 1] = '\0';
    put(&text, "[");
    for (int i = 0; i < 1000; i++) {
        put(&text, i ? ",\"" : "\"");
        put(&text, part);
        put(&text, "\"");
    }
    put(&text, "]");
    watch w = {0};
    pith_options options = {.progress = note, .progress_ctx = &w};
    pith_doc *doc = pith_doc_parse("json", text.data, text.len, &options, NULL);
    assert_non_null(doc);
    assert_true(w.silence <= MIB && w.calls * MIB >= text.len);
    pith_doc_free(doc);
    pith_buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(often_enough),
        cmocka_unit_test(stopped_anywhere),
        cmocka_unit_test(long_texts),
    };
    make_table(&table, 0);
    make_table(&changed, 1);
    vocab = pith_vocab_open("estimate", NULL, NULL);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pith_vocab_free(vocab);
    pith_buffer_free(&table);
    pith_buffer_free(&changed);
    return failed;
}
