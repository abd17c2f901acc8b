/*
 * graph_rows.h - a graph that leaves as it is found: symbols, and edges between them.
 *
 *     pith_rows_open_object("gcf-graph")
 *     pith_rows_add_member         "tool", and what else the first line says
 *     pith_rows_begin_table        "symbols"
 *     ... cells, end_row             a line each, under the group of its distance
 *     pith_rows_begin_table        "edges"
 *     ... cells, end_row             a line each
 *     pith_rows_close              the summary
 *
 * Symbols are written in the order in which they come, and a group is opened again if need
 * be. What stays in memory is the symbols, so that edges can name them and none comes
 * twice; edges are written and forgotten.
 */
#ifndef FORMAT_GRAPH_ROWS_H
#define FORMAT_GRAPH_ROWS_H

#include "format/rows.h"
#include "graph/graph_doc.h"
#include "graph/graph_lines.h"

typedef struct graph_stream graph_stream;

/* What formats write in their own ways. */
typedef struct graph_stream_style {
    graph_extra (*extra)(const settings *set);

    /* Before anything is written: the first line is complete. */
    pith_status (*head)(code_graph *graph, const settings *set, pith_error *err);
    void (*first_line)(pith_out *out, const code_graph *graph);
    const char *(*edges)(const settings *set); /* the line of their section */
    void (*end)(pith_out *out, const graph_stream *stream, const settings *set);

    /* Whether the last symbol, or the last edge, can be written; NULL: any can. */
    pith_status (*check)(graph_stream *stream, bool symbol, pith_out *out,
                         const settings *set, pith_error *err);
} graph_stream_style;

struct graph_stream {
    const graph_stream_style *style;
    graph_extra extra;
    code_graph graph;      /* the first line and the symbols */
    graph_ids groups;      /* the number of the group of each distance */
    LIST(uint64_t) counts; /* of symbols in each */
    uint64_t edges;
    uint64_t distance; /* of the group that is open */
    bool in_group;
    bool in_edges;
    bool headed; /* the first line is written */
    bool told;   /* that something was lost */
};

/* The groups and how many symbols each has: targets:1,related:2, and a comma after the
 * last unless that is all. */
void graph_stream_put_counts(pith_out *out, const graph_stream *stream, bool labels,
                             bool all);

/* The hooks; `open` is the format's own, which says its style. */
pith_status graph_rows_open(row_table *table, const graph_stream_style *style,
                            pith_error *err);
unsigned graph_rows_rules(const settings *set);
pith_status graph_rows_member(row_table *table, pith_out *out, pith_text key,
                              const pith_doc *doc, uint32_t at, pith_error *err);
pith_status graph_rows_header(row_table *table, pith_out *out, uint64_t count,
                              pith_error *err);
pith_status graph_rows_row(row_table *table, pith_out *out, const row_cells *row,
                           pith_error *err);
pith_status graph_rows_end(row_table *table, pith_out *out, pith_error *err);
void graph_rows_close(row_table *table);

#define GRAPH_ROWS(open_hook)                                                            \
    {                                                                                    \
        .state_size = sizeof(graph_stream), .rules = graph_rows_rules,                   \
        .open = open_hook, .header = graph_rows_header, .row = graph_rows_row,           \
        .member = graph_rows_member, .end = graph_rows_end, .close = graph_rows_close    \
    }

#endif
