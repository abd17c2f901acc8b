/*
 * gcf1_graph.h - code graphs in the first GCF.
 *
 *     GCF tool=context_for_task budget=5000 tokens=1847 symbols=2
 *     ## targets
 *     @0 fn pkg.Auth 0.78 lsp_resolved
 *     ## related
 *     @1 fn pkg.Server 0.54 lsp_resolved
 *     ## edges
 *     @0<@1 calls
 *
 * The first line has no profile=, which tells it from later versions. At level 1.1 each
 * group stands once, the nearest first, and in a group symbols keep their order; the ids
 * count from 0 through the text. At level 1.4 symbols keep the order they have, and a
 * group is a run of symbols of one distance.
 *
 *     gcf1_graph.c         the format: settings, what it looks like, what is refused
 *     gcf1_graph_head.c    the first line, read
 *     gcf1_graph_read.c    the lines after it
 *     gcf1_graph_write.c   all of it, written; and changes
 */
#ifndef FORMAT_GCF1_GCF1_GRAPH_H
#define FORMAT_GCF1_GCF1_GRAPH_H

#include "format/graph_rows.h"
#include "format/session.h"
#include "format/snapshot.h"
#include "graph/graph_lines.h"

extern const codec gcf1_graph_format;

/* The settings, in the order of the table. */
enum {
    GCF1_GRAPH_LEVEL,
    GCF1_GRAPH_STRICT,
    GCF1_GRAPH_LOSSY,
    GCF1_GRAPH_TOOL,
    GCF1_GRAPH_TOKENS,
    GCF1_GRAPH_ROOT,
    GCF1_GRAPH_TURNS
};

/* How to write. All zero is level 1.1 without a session. */
typedef struct gcf1_graph_form {
    bool newer; /* level 1.4: edges are counted, zeros stated */
    bool edges; /* there is a section of edges though it is empty */

    /* Of a turn of a session, else NULL: which symbols were told before, and the order and
     * ids of all of them. Without ids they count from 0 in each text. */
    const uint8_t *bare;
    const uint32_t *order;
    const uint32_t *ids;
    const char *comment; /* the line after the first; NULL: none */
} gcf1_graph_form;

/* Puts the numbers of all symbols in the order of the text; false when out of memory. */
bool gcf1_graph_order(const code_graph *graph, bool newer, uint32_t *order);

/* False when out of memory; other failures stick to `out`. */
bool gcf1_graph_write(pith_out *out, const code_graph *graph,
                      const gcf1_graph_form *form);
void gcf1_graph_write_delta(pith_out *out, const graph_delta *delta);

/* Whether the settings ask for level 1.4, or 1.1. */
bool gcf1_graph_is_newer(const settings *set);

/* What to do with what has no place in a graph. */
graph_extra gcf1_graph_extra(const settings *set);

/* For a graph that leaves as it is found: what the settings say of the first line, and
 * whether its last symbol or edge can be written. `*told`: a loss was, and is only once. */
pith_status gcf1_graph_set_first_line(const graph_out *job);
pith_status gcf1_graph_check_last(const graph_out *job, bool symbol, bool *told);

/* Graphs that leave as they are found, and answers about them. */
extern const row_format gcf1_graph_rows;
extern const delta_codec gcf1_graph_answers;

/* True for a text whose first line begins with GCF and has no profile=. */
bool gcf1_graph_sniff(pith_text text);

/* Such a text as a document. */
void gcf1_graph_decode(decode_job *job);

/* Fills an empty graph, which must not borrow. */
void gcf1_graph_read(graph_in *source);

/* ------------------------------------------------------------- parts of the reader */

/* The next word of a line; empty at its end. */
pith_text gcf1_graph_word(pith_text *line);

/* Digits and nothing else, as a number; false when they do not fit 64 bits either. */
bool gcf1_graph_number(pith_text digits, uint64_t *number);

/* Reads the first line, which lies in the reporter's input; false when the rest cannot
 * be read. */
bool gcf1_graph_read_head(code_graph *graph, pith_text line, reporter *report);

/* The same where the line may be that of a change; what it says goes to `said`. */
bool gcf1_graph_read_answer_head(code_graph *graph, pith_text line, graph_head *said,
                                 reporter *report);

#endif
