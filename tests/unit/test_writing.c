/*
 * test_writing.c - every call that writes, with every format and every common setting.
 *
 * A call either writes what can be read and says what it did, or refuses with a word and a
 * sentence and tells no outcome. What it must never do is depend on the way by which the
 * value came: a graph takes the same road as a table.
 */
#include "tables.h"
#include "fitting.h"
#include "testing.h"
#include "graphs.h"
#include "named.h"

static const char *const care[] = {
    "",
    "guard=true",
    "verify=true",
    "optimize=tokens",
    "guard=true verify=true optimize=tokens",
};

static const char flat[] = "[{\"id\":1,\"name\":\"Ada\"},{\"id\":2,\"name\":\"Bob\"},"
                           "{\"id\":3,\"name\":\"Cy\"}]";

static const char graph_text[] =
    "{\"tool\":\"t\",\"symbols\":[{\"qualified_name\":\"a.B\",\"kind\":\"function\","
    "\"score\":0.50,\"provenance\":\"p\",\"distance\":0},{\"qualified_name\":\"c\","
    "\"kind\":\"type\",\"score\":0.25,\"provenance\":\"p\",\"distance\":1}],"
    "\"edges\":[{\"source\":\"a.B\",\"target\":\"c\",\"edge_type\":\"uses\"}]}";

/* What a writing call is given, and what came of it. */
typedef struct attempt {
    const char *format;
    pith_options options;
    pith_outcome outcome;
    pith_buffer out;
    pith_sink sink;
    pith_error err;
    pith_doc *doc; /* the value that is written */
    code_graph *graph;
    typed_table *table;
    pith_doc *tables;
} attempt;

typedef struct entry_point {
    const char *name;
    pith_status (*write)(attempt *with);
    const char *text; /* the value, in JSON */
    bool answers;     /* what it writes is no text of a format, so is not read back */
} entry_point;

/* ---------------------------------------------------------------- the calls */

static pith_status by_convert(attempt *with)
{
    return pith_convert("json", with->format, LIT(flat), &with->options, with->sink,
                        &with->err);
}

static pith_status by_value(attempt *with)
{
    return pith_value_write(pith_doc_root(with->doc), with->format, &with->options,
                            with->sink, &with->err);
}

static pith_status by_fit(attempt *with)
{
    fitting fit = {.tokens_max = 10000};
    return fit_value(pith_doc_root(with->doc), with->format, &fit, &with->options,
                     with->sink, &with->err);
}

/* Adds the rows of the document and closes. */
static pith_status give_rows(attempt *with, pith_rows *rows, pith_value all)
{
    pith_status status = PITH_OK;
    for (pith_value row = pith_value_first(all); row.doc && status == PITH_OK;
         row = pith_value_next(row))
        status = pith_rows_add_row(rows, row, &with->err);
    if (status != PITH_OK) {
        pith_rows_abandon(rows);
        return status;
    }
    return pith_rows_close(rows, &with->err);
}

static const char *const columns[] = {"id", "name"};

static pith_status by_rows(attempt *with)
{
    pith_rows *rows = rows_open_named(with->format, columns, ROWS(columns),
                                      &with->options, with->sink, &with->err);
    return rows ? give_rows(with, rows, pith_doc_root(with->doc)) : with->err.status;
}

static pith_status by_whole_rows(attempt *with)
{
    pith_rows *rows =
        pith_rows_open(with->format, NULL, 0, &with->options, with->sink, &with->err);
    return rows ? give_rows(with, rows, pith_doc_root(with->doc)) : with->err.status;
}

static pith_status by_rows_of_an_object(attempt *with)
{
    pith_rows *rows =
        pith_rows_open_object(with->format, &with->options, with->sink, &with->err);
    if (!rows)
        return with->err.status;
    pith_status status =
        rows_begin_named(rows, "people", columns, ROWS(columns), &with->err);
    if (status != PITH_OK) {
        pith_rows_abandon(rows);
        return status;
    }
    return give_rows(with, rows, pith_value_first(pith_doc_root(with->doc)));
}

static pith_status by_table(attempt *with)
{
    return table_write(with->table, with->format, &with->options, with->sink, &with->err);
}

static pith_status by_tables(attempt *with)
{
    return pith_value_write(pith_doc_root(with->tables), with->format, &with->options,
                            with->sink, &with->err);
}

static pith_status by_graph(attempt *with)
{
    return made_graph_write(with->graph, with->format, &with->options, with->sink,
                            &with->err);
}

static pith_status by_session(attempt *with)
{
    pith_session *session = pith_session_new(NULL, NULL);
    assert_non_null(session);
    pith_status status =
        made_graph_tell(session, with->graph, 1, &with->options, with->sink, &with->err);
    assert_int_equal(made_graph_known(session), status == PITH_OK ? 2 : 0);
    pith_session_free(session);
    return status;
}

static pith_status by_graph_stream(attempt *with)
{
    return made_graph_stream(with->graph, &with->options, with->sink, &with->err);
}

static pith_status by_graph_delta(attempt *with)
{
    code_graph *base = made_graph_new(NULL);
    assert_non_null(base);
    pith_status status =
        made_graph_delta(base, with->graph, &with->options, with->sink, &with->err);
    made_graph_free(base);
    return status;
}

static const char people[] = "{\"people\":[{\"id\":1,\"name\":\"Ada\"},"
                             "{\"id\":2,\"name\":\"Bob\"}]}";

static const entry_point by_format[] = {
    {"pith_convert", by_convert, flat, false},
    {"pith_value_write", by_value, flat, false},
    {"pith_value_write, a graph", by_value, graph_text, false},
    {"fit_value", by_fit, flat, false},
    {"fit_value, a graph", by_fit, graph_text, false},
    {"pith_rows_open", by_rows, flat, false},
    {"pith_rows_open, whole rows", by_whole_rows, flat, false},
    {"pith_rows_open_object", by_rows_of_an_object, people, false},
    {"pith_value_write, a table", by_table, people, false},
    {"pith_value_write, tables", by_tables, people, false},
    {"pith_value_write, a graph made", by_graph, graph_text, false},
};

static const entry_point a_stream = {"pith_rows_open_object, a graph", by_graph_stream,
                                     graph_text, false};

/* These know one format, and hold nothing back. */
static const entry_point by_graphs[] = {
    {"pith_session_write", by_session, graph_text, true},
    {"pith_snapshot_write", by_graph_delta, graph_text, true},
};

/* -------------------------------------------------------------- one attempt */

static void begin(attempt *with, const entry_point *by, const char *format,
                  const char *words)
{
    *with = (attempt){.format = format, .options = with_settings(NULL, words)};
    with->options.outcome = &with->outcome;
    with->sink = pith_sink_buffer(&with->out);
    with->doc = must_parse_json(by->text);
    with->graph = made_graph_new(NULL);
    assert_non_null(with->graph);
    if (by->text == graph_text) {
        assert_int_equal(
            made_graph_read(with->graph, "json", LIT(graph_text), NULL, NULL), PITH_OK);
    } else if (by->text == people) {
        with->table = table_parse("json", LIT(people), NULL, NULL);
        with->tables = tables_read("json", LIT(people), NULL, NULL);
        assert_non_null(with->table);
        assert_non_null(with->tables);
    }
}

static void end(attempt *with)
{
    pith_buffer_free(&with->out);
    pith_doc_free(with->doc);
    made_graph_free(with->graph);
    table_free(with->table);
    pith_doc_free(with->tables);
}

/* The outcome names the format, and as that the text is read. That it means the same is
 * what verify=true sees to. */
static bool reads_back(attempt *with)
{
    pith_error err;
    pith_doc *again =
        pith_doc_parse(with->outcome.format, with->out.data, with->out.len, NULL, &err);
    if (!again) {
        fprintf(stderr, "  %s in line %zu: %s\n", err.code, err.line, err.message);
        show_bytes("  written", with->out.data, with->out.len);
    }
    bool done = again != NULL;
    pith_doc_free(again);
    return done;
}

static bool is_right(attempt *with, const entry_point *by, pith_status status)
{
    if (status == PITH_OK) {
        return with->outcome.format && with->outcome.bytes == with->out.len &&
               (by->answers || reads_back(with));
    }
    bool refused = status == PITH_UNREPRESENTABLE || status == PITH_BAD_USE ||
                   (status == PITH_LIMIT && with->format);
    return refused && with->err.status == status && with->err.code &&
           with->err.message[0] && !with->outcome.format;
}

/* Tries a call and says whether it did the right thing. */
static size_t failures_of(const entry_point *by, const char *format, const char *words)
{
    attempt with;
    begin(&with, by, format, words);
    pith_status status = by->write(&with);
    bool right = is_right(&with, by, status);
    if (!right) {
        fprintf(stderr, "%s to %s with '%s': %s (%s: %s), outcome %s of %zu bytes\n",
                by->name, format ? format : "GCF", words, pith_status_name(status),
                status ? with.err.code : "", status ? with.err.message : "",
                with.outcome.format ? with.outcome.format : "none", with.outcome.bytes);
    }
    end(&with);
    return right ? 0 : 1;
}

static void every_call_takes_every_format_and_care(void **state)
{
    (void)state;
    size_t failures = 0;
    const pith_format *format;
    for (size_t i = 0; (format = pith_format_at(i)) != NULL; i++) {
        for (size_t j = 0; j < ROWS(by_format) * ROWS(care); j++) {
            const entry_point *by = &by_format[j / ROWS(care)];
            failures += failures_of(by, format->name, care[j % ROWS(care)]);
        }
    }
    for (size_t j = 0; j < ROWS(by_graphs) * ROWS(care); j++)
        failures += failures_of(&by_graphs[j / ROWS(care)], NULL, care[j % ROWS(care)]);
    for (size_t j = 0; j < ROWS(care); j++)
        failures += failures_of(&a_stream, NULL, care[j]);
    assert_int_equal(failures, 0);
}

/* ------------------------------------------------------------------- graphs */

/* One call on one value, which must succeed. */
static void must_do(attempt *with, const entry_point *by, const char *format,
                    const char *words)
{
    begin(with, by, format, words);
    pith_status status = by->write(with);
    if (status != PITH_OK)
        fprintf(stderr, "%s: %s\n", with->err.code, with->err.message);
    assert_int_equal(status, PITH_OK);
}

static const entry_point a_graph = {"pith_value_write, a graph made", by_graph,
                                    graph_text, false};

static void a_graph_is_written_as_the_cheapest_format(void **state)
{
    (void)state;
    attempt with;
    must_do(&with, &a_graph, "auto", "");
    assert_string_not_equal(with.outcome.format, "auto");
    assert_true(with.outcome.tokens > 0);
    end(&with);
}

static void the_guard_looks_at_graphs_too(void **state)
{
    (void)state;
    attempt with;
    must_do(&with, &a_graph, "json", "guard=true indent=8");
    assert_string_equal(with.outcome.format, "json");
    assert_true(with.outcome.tokens > 0 && with.outcome.json_tokens > 0);
    assert_null(strchr(with.out.data, '\n')); /* the compact one takes fewer */
    end(&with);
}

static void a_graph_that_is_verified_is_read_back(void **state)
{
    (void)state;
    attempt with;
    must_do(&with, &a_graph, "gcf-graph", "verify=value"); /* 0.9 becomes 0.90 */
    assert_memory_equal(with.out.data, "GCF profile=graph ", 18);
    end(&with);
}

/* The words with which care is refused where a text is not held back. */
static void what_leaves_at_once_refuses_care_by_name(void **state)
{
    (void)state;
    static const char *const words[] = {"guard=true", "verify=true", "optimize=tokens"};
    for (size_t i = 0; i < ROWS(by_graphs) * ROWS(words); i++) {
        const char *word = words[i % ROWS(words)];
        attempt with;
        begin(&with, &by_graphs[i / ROWS(words)], NULL, word);
        assert_int_equal(by_graphs[i / ROWS(words)].write(&with), PITH_BAD_USE);
        assert_string_equal(with.err.code, "unused_setting");
        assert_memory_equal(with.err.message, word, strcspn(word, "="));
        assert_int_equal(with.out.len, 0);
        end(&with);
    }
}

static void a_budget_refuses_the_guard(void **state)
{
    (void)state;
    static const entry_point by = {"fit_value", by_fit, flat, false};
    attempt with;
    begin(&with, &by, "toon", "guard=true");
    assert_int_equal(by_fit(&with), PITH_BAD_USE);
    assert_string_equal(with.err.code, "unused_setting");
    end(&with);
}

/* ------------------------------------------------------------------ nothing */

static const pith_sink nowhere = {NULL, NULL};

static bool is_bad_use(const char *name, pith_status status, const pith_error *err,
                       const char *code)
{
    bool right = status == PITH_BAD_USE && err->status == PITH_BAD_USE &&
                 strcmp(err->code, code) == 0;
    if (!right)
        fprintf(stderr, "%s: %s\n", name, pith_status_name(status));
    return right;
}

static void a_sink_without_a_function_is_bad_use(void **state)
{
    (void)state;
    size_t failures = 0;
    const pith_format *format;
    for (size_t i = 0; (format = pith_format_at(i)) != NULL; i++) {
        for (size_t j = 0; j < ROWS(by_format); j++) {
            attempt with;
            /* A form that cannot hold the value may say that first. */
            begin(&with, &by_format[j], format->name, "");
            bool holds = by_format[j].write(&with) == PITH_OK;
            end(&with);
            begin(&with, &by_format[j], format->name, "");
            with.sink = nowhere;
            pith_status status = by_format[j].write(&with);
            failures +=
                status == PITH_OK ||
                (holds && !is_bad_use(by_format[j].name, status, &with.err, "no_sink"));
            end(&with);
        }
    }
    for (size_t j = 0; j < ROWS(by_graphs); j++) {
        attempt with;
        begin(&with, &by_graphs[j], NULL, "");
        with.sink = nowhere;
        failures += !is_bad_use(by_graphs[j].name, by_graphs[j].write(&with), &with.err,
                                "no_sink");
        end(&with);
    }
    assert_int_equal(failures, 0);
}

/* The calls that write something other than a format. */
static void other_calls_need_a_sink_as_well(void **state)
{
    (void)state;
    pith_error err;
    pith_doc *doc = must_parse_json(flat);
    pith_policy policy = {.key = text_from("id")};
    pith_snapshot *producer = pith_snapshot_new(&policy, NULL, &err);
    assert_non_null(producer);
    assert_true(is_bad_use(
        "pith_snapshot_write",
        pith_snapshot_write(producer, NULL, pith_doc_root(doc), nowhere, NULL, &err),
        &err, "no_sink"));
    assert_string_equal(pith_snapshot_root(producer), "");
    pith_snapshot_free(producer);
    pith_doc_free(doc);

    pith_session *session = pith_session_new(NULL, NULL);
    assert_non_null(session);
    assert_true(is_bad_use("pith_session_save", pith_session_save(session, nowhere, &err),
                           &err, "no_sink"));
    pith_session_free(session);

    pith_vocab *vocab = pith_vocab_open(NULL, NULL, &err);
    assert_non_null(vocab);
    const uint32_t ids[] = {1};
    assert_true(is_bad_use("pith_vocab_decode",
                           pith_vocab_decode(vocab, ids, 1, NULL, nowhere, &err), &err,
                           "no_sink"));
    pith_buffer out = {0};
    assert_true(
        is_bad_use("pith_vocab_decode, no ids",
                   pith_vocab_decode(vocab, NULL, 1, NULL, pith_sink_buffer(&out), &err),
                   &err, "no_tokens"));
    pith_buffer_free(&out);
    pith_vocab_free(vocab);
}

static void a_frame_is_not_unpacked_into_nothing(void **state)
{
    (void)state;
    /* "a" and the empty text as ZSTD frames of one raw block. */
    static const char frame[] = "\x28\xB5\x2F\xFD\x20\x01\x09\x00\x00\x61";
    static const char empty[] = "\x28\xB5\x2F\xFD\x20\x00\x01\x00\x00";
    pith_error err;
    assert_int_equal(pith_unpack(LIT(frame), NULL, nowhere, &err), PITH_BAD_USE);
    assert_int_equal(pith_unpack(LIT(empty), NULL, nowhere, &err), PITH_BAD_USE);
}

static void a_sink_of_nothing_has_no_function(void **state)
{
    (void)state;
    assert_null(pith_sink_buffer(NULL).write);
    assert_null(pith_counter_sink(NULL).write);
}

static void columns_that_are_not_there_are_bad_use(void **state)
{
    (void)state;
    static const char *const holed[] = {"id", NULL};
    const char *const *const lists[] = {NULL, holed};
    const pith_format *format;
    for (size_t i = 0; (format = pith_format_at(i)) != NULL; i++) {
        for (size_t j = 0; j < 2 && (format->direction & PITH_WRITE); j++) {
            pith_buffer out = {0};
            pith_error err;
            assert_null(rows_open_named(format->name, lists[j], 2, NULL,
                                        pith_sink_buffer(&out), &err));
            assert_int_equal(err.status, PITH_BAD_USE);
            assert_string_equal(err.code, "no_columns");
            for (int keyed = 0; keyed < 2; keyed++) {
                pith_rows *rows = pith_rows_open_object(format->name, NULL,
                                                        pith_sink_buffer(&out), &err);
                pith_status status =
                    !rows   ? (pith_status)PITH_UNREPRESENTABLE
                    : keyed ? rows_begin_keyed_named(rows, "t", lists[j], 2, &err)
                            : rows_begin_named(rows, "t", lists[j], 2, &err);
                assert_int_equal(status, rows ? PITH_BAD_USE : PITH_UNREPRESENTABLE);
                pith_rows_abandon(rows);
            }
            pith_buffer_free(&out);
        }
    }
}

static void arrays_of_a_table_that_are_not_there_are_bad_use(void **state)
{
    (void)state;
    for (int which = 1; which < 3; which++) {
        pith_error err;
        pith_field vector = {.name = {LIT("v")}, .type = PITH_TYPE_VEC, .size = 2};
        typed_table *table = table_new("t", NULL);
        assert_non_null(table);
        if (which == 1) {
            table_add_column(table, &vector);
            pith_doc_add_vector(table_row(table), NULL, 2);
        } else {
            table_add_field(table, "b", PITH_TYPE_BYTES, false);
            pith_doc_add_bytes(table_row(table), NULL, 2);
        }
        assert_int_equal(table_end_row(table, &err), PITH_BAD_USE);
        assert_string_equal(err.code, "no_value");
        table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_takes_every_format_and_care),
        cmocka_unit_test(a_graph_is_written_as_the_cheapest_format),
        cmocka_unit_test(the_guard_looks_at_graphs_too),
        cmocka_unit_test(a_graph_that_is_verified_is_read_back),
        cmocka_unit_test(what_leaves_at_once_refuses_care_by_name),
        cmocka_unit_test(a_budget_refuses_the_guard),
        cmocka_unit_test(a_sink_without_a_function_is_bad_use),
        cmocka_unit_test(other_calls_need_a_sink_as_well),
        cmocka_unit_test(a_frame_is_not_unpacked_into_nothing),
        cmocka_unit_test(a_sink_of_nothing_has_no_function),
        cmocka_unit_test(columns_that_are_not_there_are_bad_use),
        cmocka_unit_test(arrays_of_a_table_that_are_not_there_are_bad_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
