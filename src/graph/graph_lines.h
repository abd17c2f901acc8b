/*
 * graph_lines.h - what the lines of graphs have in common, in both formats that have them.
 *
 *     ## targets                              a group
 *     @0 fn pkg.Auth 0.78 lsp_resolved        a symbol
 *     @1  # previously transmitted            a symbol of an earlier text
 *     ## edges
 *     @0<@1 calls                             an edge
 *     ## edges_removed
 *     pkg.Router -> pkg.Old calls             an edge, in a change
 */
#ifndef GRAPH_GRAPH_LINES_H
#define GRAPH_GRAPH_LINES_H

#include "base/out.h"
#include "graph/graph_delta.h"

/* A number as a format reads it; false when it is none. */
typedef bool (*graph_read_number)(pith_text digits, uint64_t *number);

/* --------------------------------------------------------------- the first line */

/* A number of a first line or a trailer, and where it stands. */
typedef struct graph_count {
    uint64_t value;
    const char *at; /* NULL when it is not there */
} graph_count;

typedef struct graph_head {
    pith_text tool;
    pith_text pack_root;
    pith_text base_root;
    pith_text new_root;
    graph_count budget;
    graph_count tokens;
    graph_count symbols;
    graph_count edges;
    bool session;
    bool delta;
    bool unchanged;
    const char *at; /* of delta= or unchanged=, for messages */
} graph_head;

/* What a format says of the values of fields. */
typedef struct graph_head_rules {
    const char *code;   /* of a value that is not what it must be */
    const char *number; /* what a number must be */
    graph_read_number read;
} graph_head_rules;

/* A field of a first line that lies in the reporter's input. */
typedef struct graph_head_field {
    graph_head_word word;
    pith_text name;
    pith_text value;
} graph_head_field;

/* Notes a field; false, reported, when its value is none. Those that mean something
 * else in each format are the caller's. */
bool graph_take_field(graph_head *head, const graph_head_rules *rules,
                      const graph_head_field *field, reporter *report);

/* Reports that a value is not what it must be; false. */
bool graph_bad_value(const graph_head_rules *rules, const graph_head_field *field,
                     reporter *report, const char *expected);

/* Tells the graph what is known of it. */
pith_status graph_set_head(code_graph *graph, const graph_head *head);

/* ---------------------------------------------------------------------- reading */

/* The ids of a text, and the symbol that has each. Zeroed, but for the seed, it is empty. */
typedef struct graph_id {
    uint64_t id;
    uint32_t symbol;
} graph_id;

typedef struct graph_ids {
    LIST(graph_id) list;
    hash_table table;
    uint64_t seed;
} graph_ids;

/* NULL when the id is not bound. */
const graph_id *graph_ids_find(const graph_ids *ids, uint64_t id);

/* Binds an id that is not bound yet; false when out of memory. */
bool graph_ids_add(graph_ids *ids, const pith_alloc *alloc, uint64_t id, uint32_t symbol);
void graph_ids_free(graph_ids *ids, const pith_alloc *alloc);

/* The distance of the symbols in a group of that name; `read` reads the digits of
 * distance_N. False when there is no such group. */
bool graph_read_group(pith_text name, graph_read_number read, uint64_t *distance);

/* Reports what the graph has against its latest part, which is at `offset`, and lets it
 * go on. `code` is what to call it; NULL: as the graph does. */
void graph_report_fault(code_graph *graph, reporter *report, size_t offset,
                        const char *code);

/* ---------------------------------------------------------------------- writing */

/* The name of a group, without "## ". */
void graph_put_group(pith_out *out, uint64_t distance);

/* The symbols in this order, with the line of a group wherever the distance changes.
 * `bare` says of each whether it was told before; NULL: none was. */
void graph_put_symbols(pith_out *out, const code_graph *graph, const uint32_t *order,
                       const uint32_t *ids, const uint8_t *bare);

/* @id kind name score provenance, without the end of the line. */
void graph_put_node(pith_out *out, uint64_t id, pith_text kind, const graph_node *node);

/* @target<@source type status, all of the line. */
void graph_put_edge(pith_out *out, uint64_t target, uint64_t source, pith_text type,
                    pith_text status);

/* The sections of a change. At the end of a line that adds a symbol its distance may
 * stand. */
void graph_put_changes(pith_out *out, const graph_delta *delta, bool distances);

#endif
