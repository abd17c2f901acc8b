/*
 * test_graph_session.c - both ends of a conversation: what is told once, when everything is
 * told again, and what is remembered in a file.
 */
#include "meter.h"
#include "graphs.h"
#include "random.h"
#include "testing.h"

#include "base/text.h"

/* ---------------------------------------------------------------------- helpers */

static void add_from(code_graph *graph, const char *kind, const char *name,
                     const char *provenance, double score, uint64_t distance)
{
    made_symbol symbol;
    memset(&symbol, 0, sizeof symbol);
    symbol.kind = text_from(kind);
    symbol.name = text_from(name);
    symbol.provenance = text_from(provenance);
    symbol.score = score;
    symbol.distance = distance;
    made_graph_add_symbol(graph, &symbol);
}

static void add(code_graph *graph, const char *kind, const char *name, double score,
                uint64_t distance)
{
    add_from(graph, kind, name, "p", score, distance);
}

static pith_buffer tell(pith_session *writer, const code_graph *graph, uint64_t now)
{
    pith_buffer out = {0};
    pith_error err = {0};
    if (made_graph_tell(writer, graph, now, NULL, pith_sink_buffer(&out), &err) !=
        PITH_OK) {
        fprintf(stderr, "%s: %s\n", err.code, err.message);
        fail();
    }
    return out;
}

static bool tells(pith_session *writer, const code_graph *graph, uint64_t now,
                  const char *expected)
{
    pith_buffer out = tell(writer, graph, now);
    bool same = same_bytes("told", out.data, out.len, expected, strlen(expected));
    pith_buffer_free(&out);
    return same;
}

static void must_understand(pith_session *reader, code_graph *graph, const char *text,
                            size_t len, uint64_t now)
{
    pith_error err = {0};
    if (made_graph_hear(reader, graph, text, len, now, &err) != PITH_OK) {
        show_bytes("not understood", text, len);
        fprintf(stderr, "%zu:%zu %s: %s\n", err.line, err.column, err.code, err.message);
        fail();
    }
}

static bool same_graphs(code_graph *a, code_graph *b)
{
    pith_buffer texts[2] = {{0}, {0}};
    made_graph_write(a, "gcf-graph", NULL, pith_sink_buffer(&texts[0]), NULL);
    made_graph_write(b, "gcf-graph", NULL, pith_sink_buffer(&texts[1]), NULL);
    bool same =
        same_bytes("graph", texts[0].data, texts[0].len, texts[1].data, texts[1].len);
    pith_buffer_free(&texts[0]);
    pith_buffer_free(&texts[1]);
    return same;
}

/* ------------------------------------------------------------------------ turns */

static void turns(void **state)
{
    (void)state;
    pith_session *writer = pith_session_new(NULL, NULL);
    code_graph *graph = made_graph_new(NULL);
    add(graph, "fn", "a", 0.5, 0);
    add(graph, "type", "a", 0.25, 1);
    made_graph_add_edge(graph, 0, 1, "uses", NULL);
    assert_true(tells(writer, graph, 1,
                      "GCF profile=graph symbols=2 edges=1 session=true\n## targets\n"
                      "@0 fn a 0.50 p\n## related\n@1 type a 0.25 p\n## edges [1]\n"
                      "@1<@0 uses\n"));
    /* Known ones are referred to, in the order of their new scores and distances; one of
     * another kind is another; one with another score is declared again. */
    graph_reset(graph);
    add(graph, "var", "a", 0.1, 0);
    add(graph, "type", "a", 0.25, 0);
    add(graph, "fn", "a", 0.75, 3);
    assert_true(tells(writer, graph, 2,
                      "GCF profile=graph symbols=3 session=true\n## targets\n"
                      "@1  # previously transmitted\n@2 var a 0.10 p\n## distance_3\n"
                      "@0 fn a 0.75 p\n"));
    assert_int_equal(made_graph_known(writer), 3);
    /* What did not arrive is declared again, under the same ids. */
    pith_session_lost(writer);
    assert_true(tells(writer, graph, 3,
                      "GCF profile=graph symbols=3 session=true\n## targets\n"
                      "@1  # previously transmitted\n@2 var a 0.10 p\n## distance_3\n"
                      "@0 fn a 0.75 p\n"));
    assert_true(tells(writer, graph, 4,
                      "GCF profile=graph symbols=3 session=true\n## targets\n"
                      "@1  # previously transmitted\n@2  # previously transmitted\n"
                      "## distance_3\n@0  # previously transmitted\n"));
    /* So is one that was found in another way. */
    graph_reset(graph);
    add_from(graph, "var", "a", "q", 0.1, 0);
    add_from(graph, "type", "a", "p", 0.25, 0);
    assert_true(tells(writer, graph, 5,
                      "GCF profile=graph symbols=2 session=true\n## targets\n"
                      "@1  # previously transmitted\n@2 var a 0.10 q\n"));
    pith_session_free(writer);
    made_graph_free(graph);
}

/* Tells a graph of the symbols in `names`, each a letter, from the highest score down. The
 * reader hears it unless it is lost. */
static void tell_names(pith_session *writer, pith_session *reader, const char *names,
                       bool lost)
{
    code_graph *graph = made_graph_new(NULL);
    code_graph *heard = made_graph_new(NULL);
    for (size_t i = 0; names[i]; i++) {
        char name[2] = {names[i], '\0'};
        add(graph, "fn", name, 0.9 - (double)i / 10, 0);
    }
    pith_buffer text = tell(writer, graph, 1);
    if (lost) {
        pith_session_lost(writer);
    } else {
        must_understand(reader, heard, text.data, text.len, 1);
        assert_true(same_graphs(graph, heard));
    }
    pith_buffer_free(&text);
    made_graph_free(graph);
    made_graph_free(heard);
}

/* What was lost leaves no gap in the ids that the reader cannot bridge: the next text has
 * other symbols, or the same in another order, or is lost as well. */
static void texts_after_a_lost_one(void **state)
{
    (void)state;
    static const char *const later[] = {"ab", "cd", "bca", "adc", "d", "dcba", "c"};
    for (size_t i = 0; i < ROWS(later); i++) {
        pith_session *writer = pith_session_new(NULL, NULL);
        pith_session *reader = pith_session_new(NULL, NULL);
        tell_names(writer, reader, "ab", false);
        tell_names(writer, reader, "acd", true);
        tell_names(writer, reader, later[i], false);
        tell_names(writer, reader, "abcde", false);
        tell_names(writer, reader, "fc", true);
        tell_names(writer, reader, "gh", true); /* starts anew, and is lost */
        tell_names(writer, reader, later[i], false);
        tell_names(writer, reader, "hgf", false);
        pith_session_free(writer);
        pith_session_free(reader);
    }
}

/* Ids are found again among many, in the order of the scores or against it. */
static void many_symbols(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    pith_session *writer = pith_session_new(NULL, NULL);
    pith_session *reader = pith_session_new(NULL, NULL);
    code_graph *heard = made_graph_new(NULL);
    for (int turn = 0; turn < 3; turn++) {
        code_graph *graph = made_graph_new(NULL);
        for (int i = 0; i < COUNT; i++) {
            char name[32];
            snprintf(name, sizeof name, "n%d", i + turn * 100);
            add(graph, "fn", name, (double)(turn % 2 ? i : COUNT - i) / COUNT, 0);
        }
        for (size_t i = 1; i < COUNT; i++)
            made_graph_add_edge(graph, i, i / 2, "calls", NULL);
        pith_buffer text = tell(writer, graph, 1);
        must_understand(reader, heard, text.data, text.len, 1);
        assert_true(same_graphs(graph, heard));
        pith_buffer_free(&text);
        made_graph_free(graph);
    }
    assert_int_equal(made_graph_known(reader), 500);
    made_graph_free(heard);
    pith_session_free(writer);
    pith_session_free(reader);
}

static pith_status refuse(void *ctx, const char *data, size_t len)
{
    (void)ctx;
    (void)data;
    (void)len;
    return PITH_IO;
}

static void failed_sink(void **state)
{
    (void)state;
    static const char first[] =
        "GCF profile=graph symbols=1 session=true\n## targets\n@0 fn a 0.50 p\n";
    pith_session *writer = pith_session_new(NULL, NULL);
    code_graph *graph = made_graph_new(NULL);
    pith_sink sink = {refuse, NULL};
    add(graph, "fn", "a", 0.5, 0);
    assert_int_equal(made_graph_tell(writer, graph, 1, NULL, sink, NULL), PITH_IO);
    assert_int_equal(made_graph_known(writer), 0);
    assert_true(tells(writer, graph, 1, first));
    add(graph, "fn", "b", 0.5, 0);
    assert_int_equal(made_graph_tell(writer, graph, 1, NULL, sink, NULL), PITH_IO);
    assert_int_equal(made_graph_known(writer), 1);
    assert_true(tells(writer, graph, 1,
                      "GCF profile=graph symbols=2 session=true\n## targets\n"
                      "@0  # previously transmitted\n@1 fn b 0.50 p\n"));
    pith_session_free(writer);
    made_graph_free(graph);
}

/* ----------------------------------------------------------------------- limits */

static void limits(void **state)
{
    (void)state;
    static const char whole[] =
        "GCF profile=graph symbols=1\n## targets\n@0 fn a 0.50 p\n";
    static const char first[] =
        "GCF profile=graph symbols=1 session=true\n## targets\n@0 fn a 0.50 p\n";
    static const char again[] = "GCF profile=graph symbols=1 session=true\n## targets\n"
                                "@0  # previously transmitted\n";
    pith_session_limits few = {.idle_max = 10, .life_max = 25, .ids_max = 2};
    pith_session *writer = pith_session_new(&few, NULL);
    code_graph *graph = made_graph_new(NULL);
    add(graph, "fn", "a", 0.5, 0);
    assert_true(tells(writer, graph, 100, first));
    assert_true(tells(writer, graph, 110, again));
    assert_true(tells(writer, graph, 90, again)); /* a clock set back is no reason */
    assert_true(tells(writer, graph, 100, again));
    assert_true(tells(writer, graph, 111, whole)); /* idle for 11 */
    assert_int_equal(made_graph_known(writer), 0);
    assert_true(tells(writer, graph, 112, first));
    assert_true(tells(writer, graph, 122, again));
    assert_true(tells(writer, graph, 132, again));
    assert_true(tells(writer, graph, 138, whole)); /* 26 old */
    assert_true(tells(writer, graph, 139, first));
    add(graph, "fn", "b", 0.4, 0);
    add(graph, "fn", "c", 0.3, 0);
    assert_true(tells(writer, graph, 140,
                      "GCF profile=graph symbols=3\n## targets\n@0 fn a 0.50 p\n"
                      "@1 fn b 0.40 p\n@2 fn c 0.30 p\n"));
    assert_int_equal(made_graph_known(writer), 0);
    pith_session_free(writer);
    made_graph_free(graph);
}

/* ---------------------------------------------------------------------- reading */

static void misunderstandings(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *code;
        size_t line;
    } all[] = {
        {"GCF profile=graph session=true\n## targets\n@2  # previously transmitted\n",
         "unknown_reference", 3},
        {"GCF profile=graph\n## targets\n@0  # previously transmitted\n",
         "unknown_reference", 3},
        {"GCF profile=graph session=true\n## targets\n@3 fn new 0.50 p\n",
         "invalid_symbol_id", 3},
        {"GCF profile=graph session=true\n## targets\n@0 fn new 0.50 p\n",
         "invalid_symbol_id", 3},
        {"GCF profile=graph session=true\n## targets\n@2 fn a 0.50 p\n",
         "invalid_symbol_id", 3},
        {"GCF profile=graph session=true\n## targets\n@0  # previously transmitted\n"
         "@0 fn a 0.50 p\n",
         "invalid_symbol_id", 4},
        {"GCF profile=graph session=true\n## targets\n@0  # previously transmitted\n"
         "@0  # previously transmitted\n",
         "duplicate_symbol", 4},
        {"GCF profile=graph session=true\n## targets\n@0  # previously transmitted\n"
         "## edges [1]\n@0<@1 calls\n",
         "unknown_edge_reference", 5},
        {"GCF profile=graph session=true delta=true base_root=a new_root=b\n",
         "not_a_document", 1},
        {"GCF profile=graph symbols=2 session=true\n## targets\n"
         "@0  # previously transmitted\n",
         "count_mismatch", 1},
    };
    static const char first[] = "GCF profile=graph symbols=2 session=true\n## targets\n"
                                "@0 fn a 0.50 p\n@1 fn b 0.50 p\n";
    pith_session *reader = pith_session_new(NULL, NULL);
    code_graph *graph = made_graph_new(NULL);
    must_understand(reader, graph, first, sizeof first - 1, 1);
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_error err = {0};
        made_graph_hear(reader, graph, all[i].text, strlen(all[i].text), 2, &err);
        bool right = err.code && strcmp(err.code, all[i].code) == 0 &&
                     err.line == all[i].line && made_graph_known(reader) == 2 &&
                     graph->symbols.count == 0;
        if (!right) {
            fprintf(stderr, "%s: %zu: %s: %s\n", all[i].text, err.line,
                    err.code ? err.code : "understood", err.message);
        }
        failures += !right;
    }
    assert_int_equal(failures, 0);
    /* After a graph that needs no session, ids start anew. */
    static const char alone[] =
        "GCF profile=graph symbols=1\n## targets\n@0 fn z 0.50 p\n";
    static const char anew[] =
        "GCF profile=graph symbols=1 session=true\n## targets\n@0 fn y 0.50 p\n";
    must_understand(reader, graph, alone, sizeof alone - 1, 3);
    must_understand(reader, graph, anew, sizeof anew - 1, 4);
    assert_int_equal(made_graph_known(reader), 1);
    /* One session does not do both. */
    pith_buffer out = {0};
    pith_error err;
    assert_int_equal(
        made_graph_tell(reader, graph, 5, NULL, pith_sink_buffer(&out), &err),
        PITH_BAD_USE);
    assert_string_equal(err.code, "session_role");
    pith_buffer_free(&out);
    pith_session_free(reader);
    made_graph_free(graph);
}

/* The two ends over many turns, both saved and restored now and then, with limits that
 * are met on the way. */
static void conversation(void **state)
{
    (void)state;
    uint64_t random = 7;
    uint64_t now = 1000;
    pith_session_limits few = {.idle_max = 50, .life_max = 1500, .ids_max = 100};
    pith_session *writer = pith_session_new(&few, NULL);
    pith_session *reader = pith_session_new(&few, NULL);
    code_graph *graph = made_graph_new(NULL);
    code_graph *found = made_graph_new(NULL);
    size_t references = 0;
    size_t wholes = 0;
    for (int turn = 0; turn < 400; turn++) {
        size_t count = random_below(&random, 12);
        size_t start = random_below(&random, 80);
        graph_reset(graph);
        for (size_t i = 0; i < count; i++) {
            char name[32];
            snprintf(name, sizeof name, "n%zu", start + 3 * i);
            size_t number = start + 3 * i;
            double score = (double)(number % 7) / 7 + (random_below(&random, 10) == 0);
            add(graph, number % 3 ? "fn" : "type", name, score, number % 4);
        }
        for (size_t i = 0; i + 1 < count; i++)
            made_graph_add_edge(graph, i, random_below(&random, count), "uses", NULL);
        now += random_below(&random, 60);
        pith_buffer text = {0};
        pith_options options = {0};
        options.write = turn % 3 ? "turns=true" : NULL; /* said more often than not */
        assert_int_equal(
            made_graph_tell(writer, graph, now, &options, pith_sink_buffer(&text), NULL),
            PITH_OK);
        references += strstr(text.data, "previously") != NULL;
        wholes += strstr(text.data, "session=true") == NULL;
        must_understand(reader, found, text.data, text.len, now);
        assert_true(same_graphs(found, graph));
        assert_int_equal(made_graph_known(writer), made_graph_known(reader));
        pith_buffer_free(&text);
        if (turn % 5 == 0) {
            pith_session **ends[] = {&writer, &reader};
            for (size_t i = 0; i < 2; i++) {
                pith_buffer saved = {0};
                pith_session *fresh = pith_session_new(&few, NULL);
                assert_int_equal(
                    pith_session_save(*ends[i], pith_sink_buffer(&saved), NULL), PITH_OK);
                assert_int_equal(pith_session_restore(fresh, saved.data, saved.len, NULL),
                                 PITH_OK);
                pith_session_free(*ends[i]);
                *ends[i] = fresh;
                pith_buffer_free(&saved);
            }
        }
    }
    assert_true(references > 50 && wholes > 10);
    pith_session_free(writer);
    pith_session_free(reader);
    made_graph_free(graph);
    made_graph_free(found);
}

/* ----------------------------------------------------------------- which turn it is */

/* Tells the symbols in `names`, each a letter, with a line that says which turn it is. */
static pith_buffer tell_turn(pith_session *writer, const char *names)
{
    code_graph *graph = made_graph_new(NULL);
    pith_buffer out = {0};
    pith_options options = {0};
    options.write = "turns=true";
    for (size_t i = 0; names[i]; i++) {
        char name[2] = {names[i], '\0'};
        add(graph, "fn", name, 0.987654 - (double)i / 10, i);
    }
    assert_int_equal(
        made_graph_tell(writer, graph, 1, &options, pith_sink_buffer(&out), NULL),
        PITH_OK);
    made_graph_free(graph);
    return out;
}

/* What the reader says to the text: "" when it understands. */
static const char *heard_as(pith_session *reader, const pith_buffer *text)
{
    static pith_error err;
    code_graph *graph = made_graph_new(NULL);
    pith_status status = made_graph_hear(reader, graph, text->data, text->len, 1, &err);
    made_graph_free(graph);
    assert_true(status == PITH_OK || err.line == 2 || strcmp(err.code, "out_of_turn"));
    return status == PITH_OK ? "" : err.code;
}

static void free_texts(pith_buffer *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pith_buffer_free(&texts[i]);
}

static void turns_out_of_order(void **state)
{
    (void)state;
    pith_session *writer = pith_session_new(NULL, NULL);
    pith_session *other = pith_session_new(NULL, NULL);
    pith_session *reader = pith_session_new(NULL, NULL);
    /* The same symbols over and over: without the line nothing would be noticed. */
    pith_buffer texts[] = {tell_turn(writer, "abc"), tell_turn(writer, "abc"),
                           tell_turn(writer, "ba"), tell_turn(writer, "abc")};
    pith_buffer others[] = {tell_turn(other, "abc"), tell_turn(other, "cab")};
    pith_buffer third = tell_turn(other, "abc");
    assert_non_null(strstr(texts[0].data, "session=true\n# turn 1\n## targets\n"));
    assert_non_null(strstr(texts[1].data, "session=true\n# turn 2 after "));
    assert_string_equal(heard_as(reader, &texts[1]), "out_of_turn"); /* none before */
    assert_string_equal(heard_as(reader, &texts[0]), "");
    assert_string_equal(heard_as(reader, &texts[0]), "out_of_turn"); /* repeated */
    assert_string_equal(heard_as(reader, &texts[2]), "out_of_turn"); /* skipped */
    assert_string_equal(heard_as(reader, &texts[1]), "");
    assert_string_equal(heard_as(reader, &texts[1]), "out_of_turn");
    assert_string_equal(heard_as(reader, &texts[0]), "out_of_turn"); /* back */
    assert_string_equal(heard_as(reader, &third), "out_of_turn"); /* another writer's */
    assert_string_equal(heard_as(reader, &texts[2]), "");
    assert_string_equal(heard_as(reader, &texts[3]), "");
    /* Where everything before is the same, so is what comes next. */
    session_reset(reader);
    assert_string_equal(heard_as(reader, &texts[0]), "");
    assert_string_equal(heard_as(reader, &others[1]), "");
    assert_string_equal(heard_as(reader, &third), "");
    free_texts(texts, ROWS(texts));
    free_texts(others, ROWS(others));
    pith_buffer_free(&third);
    pith_session_free(writer);
    pith_session_free(other);
    pith_session_free(reader);
}

/* A text that did not arrive, or that says nothing, does not put the others out of order. */
static void turns_that_did_not_arrive(void **state)
{
    (void)state;
    for (size_t arrived = 0; arrived < 2; arrived++) {
        pith_session *writer = pith_session_new(NULL, NULL);
        pith_session *reader = pith_session_new(NULL, NULL);
        pith_buffer first = tell_turn(writer, "ab");
        pith_buffer second = tell_turn(writer, "bc");
        pith_session_lost(writer);
        pith_buffer third = tell_turn(writer, "bc");
        assert_non_null(strstr(third.data, "session=true\n# turn 3\n"));
        tell_names(writer, NULL, "ca", true); /* nobody knows, and it says nothing */
        pith_buffer last[] = {tell_turn(writer, "ac"), tell_turn(writer, "ac")};
        assert_non_null(strstr(last[0].data, "session=true\n# turn 5\n"));
        assert_non_null(strstr(last[1].data, "session=true\n# turn 6 after "));
        assert_string_equal(heard_as(reader, &first), "");
        assert_string_equal(arrived ? heard_as(reader, &second) : "", "");
        assert_string_equal(heard_as(reader, &third), "");
        assert_string_equal(heard_as(reader, &second), "out_of_turn");
        assert_string_equal(heard_as(reader, &last[1]), "out_of_turn");
        assert_string_equal(heard_as(reader, &last[0]), "");
        assert_string_equal(heard_as(reader, &last[1]), "");
        pith_buffer_free(&first);
        pith_buffer_free(&second);
        pith_buffer_free(&third);
        free_texts(last, ROWS(last));
        pith_session_free(writer);
        pith_session_free(reader);
    }
}

/* Whatever is no such line is a comment, and passed over. */
static void other_comments(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "# turn",
        "# turn x",
        "# turn 0",
        "# turn 7 of 9",
        "# turn 7 after",
        "# turn 7 after 1234567",
        "# turn 7 after 123456789",
        "# turn 7 after 1234567G",
        "# turn 4294967295",
        "# turn 99999999999999999999",
        "# it is our turn 7",
    };
    for (size_t i = 0; i < ROWS(lines); i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "GCF profile=graph session=true\n%s\n## targets\n@0 fn a 0.50 p\n",
                 lines[i]);
        pith_session *reader = pith_session_new(NULL, NULL);
        code_graph *graph = made_graph_new(NULL);
        must_understand(reader, graph, text, strlen(text), 1);
        made_graph_free(graph);
        pith_session_free(reader);
    }
}

/* ------------------------------------------------------------------------- files */

static void damaged_files(void **state)
{
    (void)state;
    pith_session *writer = pith_session_new(NULL, NULL);
    pith_session *other = pith_session_new(NULL, NULL);
    code_graph *graph = made_graph_new(NULL);
    pith_buffer saved = {0};
    pith_error err;
    add(graph, "fn", "a", 0.5, 0);
    add(graph, "type", "bcd", 0.25, 1);
    pith_buffer text = tell(writer, graph, 1);
    pith_buffer_free(&text);
    assert_int_equal(pith_session_save(writer, pith_sink_buffer(&saved), NULL), PITH_OK);
    graph_reset(graph);
    add(graph, "fn", "known", 0.5, 0);
    text = tell(other, graph, 1);
    pith_buffer_free(&text);
    for (size_t i = 0; i < saved.len; i++) {
        /* cut off */
        assert_int_equal(pith_session_restore(other, saved.data, i, &err),
                         PITH_BAD_INPUT);
        assert_string_equal(err.code, "bad_session");
        assert_non_null(strstr(err.message, i == 0 ? "found nothing" : "cut off"));
        /* changed */
        saved.data[i] = (char)(saved.data[i] ^ 1);
        assert_int_equal(pith_session_restore(other, saved.data, saved.len, &err),
                         PITH_BAD_INPUT);
        saved.data[i] = (char)(saved.data[i] ^ 1);
        assert_int_equal(made_graph_known(other), 1);
    }
    assert_true(tells(other, graph, 2,
                      "GCF profile=graph symbols=1 session=true\n## targets\n"
                      "@0  # previously transmitted\n"));
    assert_int_equal(pith_session_restore(other, saved.data, saved.len, &err), PITH_OK);
    assert_int_equal(made_graph_known(other), 2);
    pith_buffer_free(&saved);
    pith_session_free(writer);
    pith_session_free(other);
    made_graph_free(graph);
}

/* Every allocation of a turn fails once: the session is as before each time. */
static void out_of_memory(void **state)
{
    (void)state;
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    size_t failed = 0;
    for (size_t fail_at = 1;; fail_at++) {
        counts.fail_at = 0;
        pith_session *writer = pith_session_new(NULL, &options);
        code_graph *graph = made_graph_new(&options);
        add(graph, "fn", "a", 0.5, 0);
        pith_buffer text = tell(writer, graph, 1);
        pith_buffer_free(&text);
        for (int i = 0; i < 40; i++) {
            char name[16];
            snprintf(name, sizeof name, "n%d", i);
            add(graph, "type", name, 0.5, 0);
        }
        size_t before = counts.failures;
        counts.requests = 0;
        counts.fail_at = fail_at;
        pith_status status =
            made_graph_tell(writer, graph, 2, &options, pith_sink_buffer(&text), NULL);
        counts.fail_at = 0;
        assert_true(status == PITH_OK || status == PITH_NO_MEMORY);
        assert_int_equal(made_graph_known(writer), status == PITH_OK ? 41 : 1);
        failed += status != PITH_OK;
        pith_buffer_free(&text);
        text = tell(writer, graph, 3);
        assert_int_equal(made_graph_known(writer), 41);
        pith_buffer_free(&text);
        bool done = counts.failures == before;
        pith_session_free(writer);
        made_graph_free(graph);
        assert_true(meter_clean(&counts));
        if (done)
            break;
    }
    assert_true(failed > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns),
        cmocka_unit_test(failed_sink),
        cmocka_unit_test(limits),
        cmocka_unit_test(misunderstandings),
        cmocka_unit_test(conversation),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(turns_out_of_order),
        cmocka_unit_test(turns_that_did_not_arrive),
        cmocka_unit_test(other_comments),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(texts_after_a_lost_one),
        cmocka_unit_test(many_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
