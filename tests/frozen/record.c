/*
 * record.c - reading, checking and writing, with everything that comes of it recorded.
 */
#include "record.h"
#include "graphs.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_MOST = 600 };

void record_error(record *to, const pith_error *err)
{
    char text[MESSAGE_MOST];
    int len = snprintf(text, sizeof text, "%d %s %zu %zu:%zu %s", (int)err->status,
                       err->code ? err->code : "", err->offset, err->line, err->column,
                       err->message);
    size_t kept = (size_t)len < sizeof text ? (size_t)len : sizeof text - 1;
    to->add(to->ctx, "error", text, kept);
}

static pith_options options_of(const record_way *way)
{
    pith_options options = {0};
    options.read = way->read;
    options.write = way->write;
    return options;
}

static void add_json(record *to, const char *label, pith_value value)
{
    pith_buffer json = {0};
    pith_value_write(value, "json", NULL, pith_sink_buffer(&json), NULL);
    to->add(to->ctx, label, json.data, json.len);
    pith_buffer_free(&json);
}

void record_whole(record *to, const record_way *way, const char *text, size_t len)
{
    pith_options options = options_of(way);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse(way->format, text, len, &options, &err);
    if (!doc) {
        record_error(to, &err);
        return;
    }
    add_json(to, "value", pith_doc_root(doc));
    pith_doc_free(doc);
}

static void take_rows(record *to, pith_reader *reader, pith_status *status,
                      pith_error *err)
{
    pith_value row = {0};
    while (*status == PITH_OK) {
        *status = pith_reader_next(reader, &row, err);
        if (*status != PITH_OK || !row.doc)
            return;
        add_json(to, "row", row);
    }
}

void record_pieces(record *to, const record_way *way, const char *text, size_t len,
                   record_size size, void *ctx)
{
    pith_options options = options_of(way);
    pith_error err = {0};
    pith_status status = PITH_OK;
    pith_reader *reader = pith_reader_open(way->format, &options, &err);
    size_t at = 0;
    while (reader && status == PITH_OK && at < len) {
        size_t piece = size(ctx);
        piece = piece < len - at ? piece : len - at;
        status = pith_reader_feed(reader, text + at, piece, &err);
        at += piece;
        take_rows(to, reader, &status, &err);
    }
    if (reader && status == PITH_OK) {
        status = pith_reader_end(reader, &err);
        take_rows(to, reader, &status, &err);
    }
    if (!reader || status != PITH_OK)
        record_error(to, &err);
    pith_reader_free(reader);
}

static bool add_problem(void *ctx, const pith_error *problem)
{
    record_error((record *)ctx, problem);
    return true;
}

void record_check(record *to, const record_way *way, const char *text, size_t len)
{
    pith_options options = options_of(way);
    pith_check(way->format, text, len, &options, add_problem, to, NULL);
}

void record_write(record *to, const record_way *way, pith_value value)
{
    pith_options options = options_of(way);
    pith_buffer out = {0};
    pith_error err = {0};
    pith_status status =
        pith_value_write(value, way->format, &options, pith_sink_buffer(&out), &err);
    if (status != PITH_OK)
        record_error(to, &err);
    else
        to->add(to->ctx, "text", out.data, out.len);
    pith_buffer_free(&out);
}

static void add_graph(record *to, const char *format, const char *text, size_t len,
                      code_graph *graph)
{
    pith_error err = {0};
    if (made_graph_read(graph, format, text, len, NULL, &err) != PITH_OK) {
        record_error(to, &err);
        return;
    }
    pith_buffer out = {0};
    made_graph_write(graph, "gcf", NULL, pith_sink_buffer(&out), NULL);
    to->add(to->ctx, "graph", out.data, out.len);
    pith_buffer_free(&out);
}

void record_graph(record *to, const record_way *way, const char *text, size_t len)
{
    pith_error err = {0};
    code_graph *graph = made_graph_new(NULL);
    pith_snapshot *consumer = pith_snapshot_new(NULL, NULL, &err);
    if (graph && consumer) {
        add_graph(to, way->format, text, len, graph);
        if (pith_snapshot_apply(consumer, text, len, NULL, &err) != PITH_OK) {
            record_error(to, &err);
        } else {
            const char *root = pith_snapshot_root(consumer);
            to->add(to->ctx, "root", root, strlen(root));
        }
    }
    made_graph_free(graph);
    pith_snapshot_free(consumer);
}
