/*
 * growth.c - makes nasty inputs at three sizes and marks, for callgrind, what each costs.
 *
 * Families are inputs that are slow for whoever is not careful, each made for a number
 * n. A family of values is JSON that is written in every format and read back from it; a
 * family of texts is in the format it is meant for and is read and checked; the others
 * are calls of their own: tokens, graphs, sessions, deltas. Every step is measured at n,
 * 2n and 4n, apart from the making of the input. `run` compares the counts: see there.
 *
 * What is counted is instructions, so the answer is the same on any machine, however
 * busy; under anything but callgrind the marks do nothing.
 *
 *     usage: growth [--scale N] [WORD]     all families, or those whose name has the word
 */
#include "bytes.h"
#include "growth.h"
#include "piece.h"

#include "pith.h"
#include "named.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

static size_t scale = 1;

/* --------------------------------------------------------------------- measuring */

static void measure_begin(void)
{
    CALLGRIND_ZERO_STATS;
}

/* The label is family, step, which of the three sizes, and the bytes that went in and came
 * out. */
static void measure_end(const char *family, const char *step, unsigned size,
                        size_t bytes_in, size_t bytes_out)
{
    char label[256];
    snprintf(label, sizeof label, "growth %s|%s|%u|%zu", family, step, size,
             bytes_in + bytes_out);
    CALLGRIND_DUMP_STATS_AT(label);
    if (!RUNNING_ON_VALGRIND)
        puts(label);
}

static pith_options growth_options(const char *read, const char *write)
{
    pith_options options = {0};
    options.read = read;
    options.write = write;
    options.depth_max = PITH_DEPTH_MOST;
    options.output_max = (size_t)64 << 20;
    return options;
}

/* ------------------------------------------------------------------------- steps */

/* A refusal is an answer like any other: it must not take long either. `way` tells texts
 * of one format apart; NULL where there is but one. */
static bool growth_convert(const growth_family *family, unsigned size, const char *way,
                           const char *from, const char *to, const char *read,
                           const char *write, const char *text, size_t len,
                           pith_buffer *out)
{
    char step[128];
    pith_options options = growth_options(read, write);
    snprintf(step, sizeof step, "%s%s%s to %s%s%s%s%s", from, read ? " " : "",
             read ? read : "", to, write ? " " : "", write ? write : "",
             way ? ", written with " : "", way ? way : "");
    measure_begin();
    pith_status status =
        pith_convert(from, to, text, len, &options, pith_sink_buffer(out), NULL);
    measure_end(family->name, step, size, len, out->len);
    return status == PITH_OK;
}

static bool growth_ignore(void *ctx, const pith_error *problem)
{
    (void)problem;
    ++*(size_t *)ctx;
    return true;
}

static void growth_check(const growth_family *family, unsigned size, const char *format,
                         const char *read, const char *text, size_t len)
{
    char step[64];
    size_t problems = 0;
    pith_options options = growth_options(read, NULL);
    snprintf(step, sizeof step, "check %s%s%s", format, read ? " " : "",
             read ? read : "");
    measure_begin();
    pith_check(format, text, len, &options, growth_ignore, &problems, NULL);
    measure_end(family->name, step, size, len, 0);
}

/* In small pieces, each row written as it comes: nothing may be gone through again for
 * each piece of it. */
static void growth_stream(const growth_family *family, unsigned size, const char *format,
                          const char *read, const char *write, const char *text,
                          size_t len)
{
    enum { PIECE = 64 };
    char step[128];
    pith_options options = growth_options(read, write);
    pith_buffer out = {0};
    snprintf(step, sizeof step, "%s%s%s by pieces", format, write ? " " : "",
             write ? write : "");
    measure_begin();
    pith_reader *reader = pith_reader_open(format, &options, NULL);
    pith_rows *rows =
        pith_rows_open(format, NULL, 0, &options, pith_sink_buffer(&out), NULL);
    pith_status status = PITH_OK;
    for (size_t at = 0; status == PITH_OK && at < len; at += PIECE) {
        bool last = len - at <= PIECE;
        pith_value row = {0};
        status = pith_reader_feed(reader, text + at, last ? len - at : PIECE, NULL);
        if (last && status == PITH_OK)
            status = pith_reader_end(reader, NULL);
        while (status == PITH_OK &&
               (status = pith_reader_next(reader, &row, NULL)) == PITH_OK && row.doc) {
            if (rows && pith_rows_add_row(rows, row, NULL) != PITH_OK) {
                pith_rows_abandon(rows);
                rows = NULL;
            }
        }
    }
    pith_reader_free(reader);
    if (rows)
        pith_rows_close(rows, NULL);
    measure_end(family->name, step, size, len, out.len);
    pith_buffer_free(&out);
}

/* Reads all rows of a text in pieces of this size. */
static void growth_read_rows(const char *format, const pith_buffer *text, size_t piece)
{
    pith_value row = {0};
    pith_reader *reader = pith_reader_open(format, NULL, NULL);
    pith_status status = PITH_OK;
    for (size_t at = 0; status == PITH_OK && at < text->len; at += piece) {
        size_t left = text->len - at;
        bool last = left <= piece;
        status = pith_reader_feed(reader, text->data + at, last ? left : piece, NULL);
        if (last && status == PITH_OK)
            status = pith_reader_end(reader, NULL);
        while (status == PITH_OK && pith_reader_next(reader, &row, NULL) == PITH_OK &&
               row.doc) {
        }
    }
    pith_reader_free(reader);
}

static const char *const growth_row_formats[] = {"ndjson",   "csv",  "gcf",  "soch",
                                                 "soch-bin", "pith", "toon", "toon-rows"};
enum { GROWTH_ROW_FORMATS = sizeof growth_row_formats / sizeof *growth_row_formats };

/* The same text in pieces of 4 KiB and in larger ones: what a piece holds beside the next
 * row must not be gone through again for each row. */
static void growth_pieces(const growth_family *family, unsigned size, const bytes *rows)
{
    for (size_t f = 0; f < GROWTH_ROW_FORMATS; f++) {
        const char *format = growth_row_formats[f];
        pith_buffer text = {0};
        pith_convert("json", format, rows->ptr, rows->len, NULL, pith_sink_buffer(&text),
                     NULL);
        measure_begin();
        growth_read_rows(format, &text, (size_t)4096 * size * size);
        measure_end(family->name, format, size, text.len, 0);
        pith_buffer_free(&text);
    }
}

/* A text read whole, and then in pieces, which may take twice the work: said to be of so
 * many bytes that with the slack it comes to that. */
static void growth_against_whole(const growth_family *family, unsigned size,
                                 const bytes *rows)
{
    static const size_t pieces[] = {4096, 65536, 1 << 20};
    for (size_t i = 0; i < GROWTH_ROW_FORMATS * 3; i++) {
        char step[64];
        const char *format = growth_row_formats[i / 3];
        pith_buffer text = {0};
        pith_convert("json", format, rows->ptr, rows->len, NULL, pith_sink_buffer(&text),
                     NULL);
        snprintf(step, sizeof step, "%s by %zu", format, pieces[i % 3]);
        measure_begin();
        if (size == 1) {
            pith_doc *doc = pith_doc_new(NULL);
            pith_doc_read(doc, format, text.data, text.len, NULL, NULL);
            pith_doc_free(doc);
        } else {
            growth_read_rows(format, &text, pieces[i % 3]);
        }
        measure_end(family->name, step, size, text.len, size == 1 ? 0 : text.len * 3 / 5);
        pith_buffer_free(&text);
    }
}

/* The ways in which a value is written; what is written is read back. */
static const struct {
    const char *format;
    const char *write;
    const char *read;
} ways[] = {
    {"json", "indent=2", "duplicates=last"},
    {"ndjson", NULL, NULL},
    {"csv", "nested=json absent=null", NULL},
    {"toon", NULL, NULL},
    {"toon", "version=3 fold=safe", "version=3 expand=safe"},
    {"toon-rows", NULL, NULL},
    {"gcf", NULL, NULL},
    {"gcf", "level=3.6 group=a", NULL},
    {"gcf1", "level=1.4 lossy=true", NULL},
    {"soch", "fill-missing=true", NULL},
    {"soch-bin", "fill-missing=true", NULL},
    {"pith", NULL, NULL},
    {"pith", "order=free", NULL},
    {"pith", "level=2", NULL},
};

static void growth_value(const growth_family *family, unsigned size, const bytes *text)
{
    pith_buffer json = {0};
    growth_convert(family, size, NULL, "json", "json", NULL, NULL, text->ptr, text->len,
                   &json);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        pith_buffer out = {0}, back = {0};
        if (growth_convert(family, size, NULL, "json", ways[i].format, NULL,
                           ways[i].write, text->ptr, text->len, &out)) {
            growth_convert(family, size, ways[i].write, ways[i].format, "json",
                           ways[i].read, NULL, out.data, out.len, &back);
            growth_stream(family, size, ways[i].format, ways[i].read, ways[i].write,
                          out.data, out.len);
        }
        pith_buffer_free(&out);
        pith_buffer_free(&back);
    }
    pith_buffer_free(&json);
}

/* What is not written may not take long either: indentation, paths and cells that are
 * missing can be many times the input. */
static void growth_cut_off(const growth_family *family, unsigned size, const bytes *text)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char step[128];
        pith_buffer out = {0};
        const char *words = ways[i].write ? ways[i].write : "";
        pith_options options = growth_options(NULL, words);
        options.output_max = 1;
        snprintf(step, sizeof step, "json to %s%s%s, cut off", ways[i].format,
                 *words ? " " : "", words);
        measure_begin();
        pith_convert("json", ways[i].format, text->ptr, text->len, &options,
                     pith_sink_buffer(&out), NULL);
        measure_end(family->name, step, size, text->len, 0);
        pith_buffer_free(&out);
    }
}

static void growth_text(const growth_family *family, unsigned size, const bytes *text)
{
    pith_buffer out = {0};
    growth_convert(family, size, NULL, family->format, "json", family->read, NULL,
                   text->ptr, text->len, &out);
    growth_check(family, size, family->format, family->read, text->ptr, text->len);
    pith_buffer_free(&out);
}

/* As every format: rows may be short and stand for much. */
static void growth_every(const growth_family *family, unsigned size, const bytes *text)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        pith_buffer out = {0};
        growth_convert(family, size, NULL, family->format, ways[i].format, family->read,
                       ways[i].write, text->ptr, text->len, &out);
        pith_buffer_free(&out);
    }
}

/* The same few bytes again and again, for every format, after what makes it begin. */
static void growth_runs(const growth_family *family, unsigned size)
{
    static const struct {
        const char *format;
        const char *start;
    } beginnings[] = {
        {"json", ""},
        {"json", "["},
        {"ndjson", ""},
        {"csv", ""},
        {"csv", "a,b\n"},
        {"tsv", "a\tb\n"},
        {"toon", ""},
        {"toon", "a: "},
        {"toon", "a[9]{b,c}:\n  "},
        {"toon-rows", ""},
        {"gcf", ""},
        {"gcf", "GCF profile=generic\n"},
        {"gcf", "GCF profile=generic\n## r [9]{a,b}\n"},
        {"gcf-graph", "GCF profile=graph\n"},
        {"gcf-graph", "GCF profile=graph "},
        {"gcf1", ""},
        {"gcf1", "## r [9]{a,b}\n"},
        {"gcf1-graph", "GCF tool=t\n"},
        {"soch", ""},
        {"soch", "t[9]{a,b}:"},
        {"soch-bin", "TOON"},
        {"pith", ""},
        {"pith", "[9{a,b}\n"},
        {"pith", "[9{"},
        {"pith", "[\\1=ab,\\1"},
        {"pith", "[9{a=,b=[x],c=[*y]}\n"},
        {"answer", ""},
        {"answer", "{\"a\":"},
    };
    static const char *const units[] = {
        "[",  "]",    "{",   "}",     "(",    ")",     "\"",     "\\",  "'",   "-",
        "- ", "#",    "## ", "@",     ".",    "|",     ",",      ";",   ":",   "=",
        "<",  ">",    "~",   "^",     "!",    " ",     "\t",     "\n",  "\r",  "1",
        "a",  "\xff", "日",  "a=1\n", "a:\n", "- a\n", "@0 1\n", "x\n", "```", "\\1",
    };
    for (size_t b = 0; b < sizeof beginnings / sizeof *beginnings; b++) {
        for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
            char name[64];
            bytes text = {0};
            bytes_put(&text, beginnings[b].start);
            bytes_repeat(&text, units[u], family->n * scale * size);
            snprintf(name, sizeof name, "runs %zu.%zu", b, u);
            growth_family one = *family;
            one.name = name;
            growth_check(&one, size, beginnings[b].format, NULL, text.ptr, text.len);
            bytes_free(&text);
        }
    }
}

/* Whole, and byte by byte: what stays undecided must not be looked at again and again. */
static void growth_tokens(const growth_family *family, unsigned size, const bytes *text)
{
    static const char *const names[] = {"o200k_base", "cl100k_base", "r50k_base"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pith_vocab *vocab = pith_vocab_open(names[i], NULL, NULL);
        pith_counter *counter = pith_counter_new(vocab, NULL);
        size_t count = 0;
        measure_begin();
        pith_vocab_count(vocab, text->ptr, text->len, NULL, &count, NULL);
        measure_end(family->name, names[i], size, text->len, 0);
        char step[64];
        snprintf(step, sizeof step, "%s by bytes", names[i]);
        measure_begin();
        for (size_t at = 0; at < text->len; at++)
            count_piece(counter, text->ptr + at, 1);
        pith_counter_total(counter, &count, NULL);
        measure_end(family->name, step, size, text->len, 0);
        pith_counter_free(counter);
        pith_vocab_free(vocab);
    }
}

static void growth_vocab(const growth_family *family, unsigned size, const bytes *text)
{
    measure_begin();
    pith_error err = {0};
    pith_vocab *vocab = pith_vocab_read(text->ptr, text->len, NULL, &err);
    measure_end(family->name, "read", size, text->len, 0);
    if (!vocab) {
        fprintf(stderr, "growth: %s: %s\n", family->name, err.message);
        exit(2);
    }
    pith_vocab_free(vocab);
}

/* Ends the program unless all went well. */
static void growth_expect(pith_status status, const pith_error *err)
{
    if (status != PITH_OK) {
        fprintf(stderr, "growth: %s\n", err->message);
        exit(2);
    }
}

static pith_doc *growth_parse(const char *json, size_t len)
{
    pith_error err;
    pith_doc *doc = pith_doc_parse("json", json, len, NULL, &err);
    growth_expect(doc ? PITH_OK : err.status, &err);
    return doc;
}

static void growth_tell(pith_session *writer, pith_value graph, uint64_t now,
                        pith_buffer *turn)
{
    pith_error err;
    growth_expect(
        pith_session_write(writer, graph, NULL, now, NULL, pith_sink_buffer(turn), &err),
        &err);
}

static void growth_hear(pith_session *reader, const pith_buffer *turn, uint64_t now)
{
    pith_error err;
    pith_doc *doc = pith_doc_new(NULL);
    growth_expect(pith_session_read(reader, doc, turn->data, turn->len, now, NULL, &err),
                  &err);
    pith_doc_free(doc);
}

/* The change from no graph to this one, told and applied. */
static void growth_graph_delta(const growth_family *family, unsigned size,
                               size_t bytes_in, pith_value graph)
{
    const char nothing[] = "{\"symbols\":[],\"edges\":[]}";
    const pith_policy policy = {.anchor = PITH_ANCHOR_NEVER,
                                .guard_percent = PITH_GUARD_OFF,
                                .format = "gcf-graph"};
    pith_error err;
    pith_delta_kind answer = PITH_DELTA_FULL;
    pith_buffer delta = {0};
    pith_doc *empty = growth_parse(nothing, sizeof nothing - 1);
    pith_snapshot *teller = pith_snapshot_new(&policy, NULL, &err);
    pith_snapshot *hearer = pith_snapshot_new(NULL, NULL, &err);
    growth_expect(pith_snapshot_set(teller, pith_doc_root(empty), &err), &err);
    growth_expect(pith_snapshot_set(hearer, pith_doc_root(empty), &err), &err);
    measure_begin();
    growth_expect(pith_snapshot_write(teller, pith_snapshot_root(teller), graph,
                                      pith_sink_buffer(&delta), &answer, &err),
                  &err);
    measure_end(family->name, "graph delta", size, bytes_in, delta.len);
    if (answer == PITH_DELTA_CHANGES) {
        measure_begin();
        growth_expect(pith_snapshot_apply(hearer, delta.data, delta.len, NULL, &err),
                      &err);
        measure_end(family->name, "graph apply", size, bytes_in, delta.len);
    }
    pith_buffer_free(&delta);
    pith_snapshot_free(teller);
    pith_snapshot_free(hearer);
    pith_doc_free(empty);
}

/* The input is a graph as JSON: written, read, as turns of a session, as a delta. */
static void growth_graph(const growth_family *family, unsigned size, const bytes *text)
{
    static const char *const formats[] = {"gcf-graph", "gcf1-graph"};
    for (size_t i = 0; i < 2; i++) {
        pith_buffer out = {0}, back = {0};
        if (!growth_convert(family, size, NULL, "json", formats[i], NULL, NULL, text->ptr,
                            text->len, &out) ||
            !growth_convert(family, size, NULL, formats[i], "json", NULL, NULL, out.data,
                            out.len, &back)) {
            fprintf(stderr, "growth: %s does not go through %s\n", family->name,
                    formats[i]);
            exit(2);
        }
        growth_check(family, size, formats[i], NULL, out.data, out.len);
        pith_buffer_free(&out);
        pith_buffer_free(&back);
    }
    const pith_session_limits limits = {0, 0, SIZE_MAX / 2};
    pith_session *writer = pith_session_new(&limits, NULL);
    pith_session *reader = pith_session_new(&limits, NULL);
    pith_doc *doc = growth_parse(text->ptr, text->len);
    pith_value graph = pith_doc_root(doc);
    pith_buffer turn[3] = {{0}};
    measure_begin();
    growth_tell(writer, graph, 1, &turn[0]);
    growth_tell(writer, graph, 2, &turn[1]);
    measure_end(family->name, "session write", size, text->len,
                turn[0].len + turn[1].len);
    measure_begin();
    growth_hear(reader, &turn[0], 1);
    growth_hear(reader, &turn[1], 2);
    measure_end(family->name, "session read", size, text->len, turn[0].len + turn[1].len);
    measure_begin();
    pith_session_save(writer, pith_sink_buffer(&turn[2]), NULL);
    pith_session_restore(reader, turn[2].data, turn[2].len, NULL);
    measure_end(family->name, "session save and restore", size, text->len, turn[2].len);
    growth_graph_delta(family, size, text->len, graph);
    for (size_t i = 0; i < 3; i++)
        pith_buffer_free(&turn[i]);
    pith_doc_free(doc);
    pith_session_free(writer);
    pith_session_free(reader);
}

/* The input is two arrays of rows with an `id`: told, and then the change between them. */
static void growth_delta(const growth_family *family, unsigned size, const bytes *text)
{
    pith_doc *doc = pith_doc_parse("json", text->ptr, text->len, NULL, NULL);
    pith_value base = pith_value_at(pith_doc_root(doc), 0);
    pith_value next = pith_value_at(pith_doc_root(doc), 1);
    pith_policy policy = {0};
    policy.key = (pith_text){"id", 2};
    policy.guard_percent = PITH_GUARD_OFF;
    policy.anchor = PITH_ANCHOR_NEVER;
    pith_snapshot *producer = pith_snapshot_new(&policy, NULL, NULL);
    pith_snapshot *consumer = pith_snapshot_new(NULL, NULL, NULL);
    pith_buffer told[2] = {{0}};
    measure_begin();
    pith_snapshot_write(producer, NULL, base, pith_sink_buffer(&told[0]), NULL, NULL);
    measure_end(family->name, "full answer", size, text->len, told[0].len);
    char held[PITH_ROOT_SIZE];
    snprintf(held, sizeof held, "%s", pith_snapshot_root(producer));
    measure_begin();
    pith_snapshot_write(producer, held, next, pith_sink_buffer(&told[1]), NULL, NULL);
    measure_end(family->name, "delta answer", size, text->len, told[1].len);
    measure_begin();
    for (size_t i = 0; i < 2; i++)
        pith_snapshot_apply(consumer, told[i].data, told[i].len, NULL, NULL);
    measure_end(family->name, "apply", size, text->len, told[0].len + told[1].len);
    pith_buffer_free(&told[0]);
    pith_buffer_free(&told[1]);
    pith_snapshot_free(producer);
    pith_snapshot_free(consumer);
    pith_doc_free(doc);
}

/* A value is written by counting: as many rows as fit into the tokens of a half, the best of
 * all formats, not more than JSON. A text that is too long to be chosen is not written to
 * its end, so what comes out does not count. */
static void growth_fit(const growth_family *family, unsigned size, const bytes *text)
{
    pith_options deep = growth_options(NULL, NULL);
    pith_doc *doc = pith_doc_parse("json", text->ptr, text->len, &deep, NULL);
    char budget[32];
    snprintf(budget, sizeof budget, "budget=%zu", text->len / 8);
    const char *const ways[][3] = {
        {"json", budget, "a half"},     {"gcf", budget, "a half"},
        {"toon", budget, "a half"},     {"pith", budget, "a half"},
        {"gcf", "guard=true", "guard"}, {"toon", "guard=true", "guard"},
        {"auto", "allow=all", "all"},   {"json", "safe=true", "safe"},
        {"pith", "safe=true", "safe"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        pith_buffer out = {0};
        char step[64];
        pith_options options = growth_options(NULL, ways[i][1]);
        snprintf(step, sizeof step, "%s, %s", ways[i][0], ways[i][2]);
        measure_begin();
        pith_value_write(pith_doc_root(doc), ways[i][0], &options, pith_sink_buffer(&out),
                         NULL);
        measure_end(family->name, step, size, text->len, 0);
        pith_buffer_free(&out);
    }
    pith_doc_free(doc);
}

/* Many turns of a session, each with one symbol that is new: no turn may cost what all
 * those before it told. */
static void growth_turns(const growth_family *family, unsigned size, size_t n)
{
    pith_session *writer = pith_session_new(NULL, NULL);
    pith_session *reader = pith_session_new(NULL, NULL);
    size_t told = 0;
    measure_begin();
    for (size_t i = 0; i < n; i++) {
        char json[128];
        pith_buffer out = {0};
        int len = snprintf(json, sizeof json,
                           "{\"symbols\":[{\"qualified_name\":\"pkg.f%zu\","
                           "\"kind\":\"function\",\"score\":0,\"provenance\":\"p\"}]}",
                           i);
        pith_doc *doc = growth_parse(json, (size_t)len);
        growth_tell(writer, pith_doc_root(doc), 1, &out);
        growth_hear(reader, &out, 1);
        told += out.len;
        pith_doc_free(doc);
        pith_buffer_free(&out);
    }
    measure_end(family->name, "turns", size, told, 0);
    pith_session_free(writer);
    pith_session_free(reader);
}

static pith_cell growth_cell(const char *text)
{
    return (pith_cell){
        .kind = PITH_CELL_TEXT, .len = (uint32_t)strlen(text), .u.text = text};
}

/* Symbols of very many groups, and edges that all end in the first. */
static void growth_graph_stream(const growth_family *family, unsigned size, size_t n)
{
    static const pith_text symbols[] = {PITH_TEXT("qualified_name"), PITH_TEXT("kind"),
                                        PITH_TEXT("score"), PITH_TEXT("provenance"),
                                        PITH_TEXT("distance")};
    static const pith_text edges[] = {PITH_TEXT("source"), PITH_TEXT("target"),
                                      PITH_TEXT("edge_type")};
    char name[32];
    pith_error err;
    pith_buffer out = {0};
    measure_begin();
    pith_rows *rows =
        pith_rows_open_object("gcf-graph", NULL, pith_sink_buffer(&out), &err);
    pith_cell symbol[] = {growth_cell(""),
                          growth_cell("function"),
                          {.kind = PITH_CELL_UINT64},
                          growth_cell("p"),
                          {.kind = PITH_CELL_UINT64}};
    growth_expect(pith_rows_begin_table(rows, named("symbols"), symbols, 5, false, &err),
                  &err);
    for (size_t i = 0; i < n; i++) {
        symbol[0].u.text = name;
        symbol[0].len = (uint32_t)snprintf(name, sizeof name, "pkg.f%zu", i);
        symbol[4].u.natural = i;
        growth_expect(pith_rows_add_cells(rows, symbol, 5, &err), &err);
    }
    pith_cell edge[] = {growth_cell(""), growth_cell("pkg.f0"), growth_cell("calls")};
    growth_expect(pith_rows_begin_table(rows, named("edges"), edges, 3, false, &err),
                  &err);
    for (size_t i = 0; i < n; i++) {
        edge[0].u.text = name;
        edge[0].len = (uint32_t)snprintf(name, sizeof name, "pkg.f%zu", i);
        growth_expect(pith_rows_add_cells(rows, edge, 3, &err), &err);
    }
    growth_expect(pith_rows_close(rows, &err), &err);
    measure_end(family->name, "graph stream", size, out.len, 0);
    pith_buffer_free(&out);
}

/* An object of very many tables, row by row. */
static void growth_many_tables(const growth_family *family, unsigned size, size_t n)
{
    static const char *const formats[] = {"json", "gcf", "toon", "pith", "soch"};
    static const char *const columns[] = {"a", "b"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        pith_buffer out = {0};
        char step[64];
        snprintf(step, sizeof step, "tables of %s", formats[f]);
        measure_begin();
        pith_rows *rows =
            pith_rows_open_object(formats[f], NULL, pith_sink_buffer(&out), NULL);
        for (size_t i = 0; rows && i < n; i++) {
            char name[32];
            snprintf(name, sizeof name, "t%zu", i);
            rows_begin_named(rows, name, columns, 2, NULL);
            pith_doc_add_uint64(pith_rows_row(rows), i);
            pith_doc_add_text(pith_rows_row(rows), "x", 1);
            pith_rows_end_row(rows, NULL);
        }
        if (rows)
            pith_rows_close(rows, NULL);
        measure_end(family->name, step, size, n, out.len);
        pith_buffer_free(&out);
    }
}

/* ------------------------------------------------------------------------ running */

static void growth_run(const growth_family *family)
{
    for (unsigned size = 1; size <= 4; size *= 2) {
        bytes text = {0};
        if (family->make) {
            bool same = family->kind == GROWTH_PIECES || family->kind == GROWTH_WHOLE;
            family->make(&text, family->n * scale * (same ? 1 : size));
        }
        switch (family->kind) {
        case GROWTH_VALUE:
            growth_value(family, size, &text);
            break;
        case GROWTH_CUT_OFF:
            growth_cut_off(family, size, &text);
            break;
        case GROWTH_TEXT:
            growth_text(family, size, &text);
            break;
        case GROWTH_EVERY:
            growth_every(family, size, &text);
            break;
        case GROWTH_RUNS:
            growth_runs(family, size);
            break;
        case GROWTH_TOKENS:
            growth_tokens(family, size, &text);
            break;
        case GROWTH_VOCAB:
            growth_vocab(family, size, &text);
            break;
        case GROWTH_GRAPH:
            growth_graph(family, size, &text);
            break;
        case GROWTH_DELTA:
            growth_delta(family, size, &text);
            break;
        case GROWTH_CALLS:
            growth_turns(family, size, family->n * scale * size);
            growth_graph_stream(family, size, family->n * scale * size);
            growth_many_tables(family, size, family->n * scale * size);
            break;
        case GROWTH_PIECES:
            growth_pieces(family, size, &text);
            break;
        case GROWTH_WHOLE:
            growth_against_whole(family, size, &text);
            break;
        case GROWTH_FIT:
            growth_fit(family, size, &text);
            break;
        }
        bytes_free(&text);
    }
}

int main(int argc, char **argv)
{
    const char *word = "";
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--scale") == 0 && i + 1 < argc)
            scale = (size_t)strtoul(argv[++i], NULL, 10);
        else
            word = argv[i];
    for (size_t i = 0; i < growth_family_count; i++)
        if (strstr(growth_families[i].name, word))
            growth_run(&growth_families[i]);
    return 0;
}
