/*
 * graph_cut.c - the best part of a graph.
 *
 * The symbols with the highest scores stay, of equals those that come first in a text;
 * an edge stays with both of its ends. What stays keeps its order.
 */
#include "graph/graph_cut.h"

#include "base/num.h"
#include "base/sort.h"

#ifndef PITH_OMIT_GRAPHS

static bool cut_before(const void *ctx, uint32_t a, uint32_t b)
{
    const double *scores = (const double *)ctx;
    return scores[a] > scores[b];
}

/* Gives each of the best symbols its number in the part that stays, and the others
 * GRAPH_NONE. `order` has room for all, and so has `scores`. */
static bool cut_choose(const code_graph *graph, size_t keep, uint32_t *numbers,
                       uint32_t *order, double *scores)
{
    size_t count = graph->symbols.count;
    uint32_t next = 0;
    for (size_t i = 0; i < count; i++)
        scores[i] = num_to_double(graph_score(&graph->symbols.at[i]));
    if (!graph_order_symbols(graph, order) ||
        !sort_numbers(&graph->alloc, order, count, cut_before, scores))
        return false;
    for (size_t i = 0; i < count; i++)
        numbers[order[i]] = i < keep ? 0 : GRAPH_NONE;
    for (size_t i = 0; i < count; i++)
        numbers[i] = numbers[i] == GRAPH_NONE ? GRAPH_NONE : next++;
    return true;
}

/* Copies what stays into an empty graph; the failure is that graph's. */
static void graph_cut_copy(code_graph *to, const code_graph *from,
                           const uint32_t *numbers)
{
    graph_set_header(to, from->tool, from->pack_root);
    graph_add_fields(to, from);
    for (uint32_t i = 0; i < from->symbols.count; i++)
        if (numbers[i] != GRAPH_NONE)
            graph_copy_symbol(to, from, i);
    for (size_t i = 0; i < from->edges.count; i++) {
        const graph_edge *edge = &from->edges.at[i];
        if (numbers[edge->source] != GRAPH_NONE && numbers[edge->target] != GRAPH_NONE) {
            graph_add_edge(to, numbers[edge->source], numbers[edge->target],
                           graph_word_text(from, edge->type),
                           graph_word_text(from, edge->status));
        }
    }
}

/* Fills `part` with what stays of `whole`. */
static pith_status cut_graph(const code_graph *whole, const graph_cut *cut,
                             code_graph *part)
{
    size_t count = whole->symbols.count;
    size_t bytes = count * sizeof(double) + (2 * count + 1) * sizeof(uint32_t);
    double *scores = (double *)alloc_resize(&whole->alloc, NULL, 0, bytes);
    uint32_t *numbers = scores ? (uint32_t *)(scores + count) : NULL;
    if (!scores || !cut_choose(whole, cut->keep, numbers, numbers + count, scores))
        error_no_memory(&part->fault);
    else
        graph_cut_copy(part, whole, numbers);
    alloc_free(&whole->alloc, scores, bytes);
    part->budget = cut->budget;
    part->tokens = cut->tokens;
    if (cut->keep < whole->symbols.count)
        part->pack_root.len = 0; /* it names the whole */
    return part->fault.status;
}

pith_status graph_cut_doc(const pith_doc *doc, uint32_t at, graph_extra extra,
                          const graph_cut *cut, pith_doc *into, size_t *count,
                          pith_error *err)
{
    code_graph whole;
    code_graph part;
    graph_init(&whole, into->alloc);
    graph_init(&part, into->alloc);
    whole.borrows = true;
    part.borrows = true;
    pith_status status = graph_from_doc(&whole, doc, at, extra);
    if (status != PITH_OK)
        part.fault = whole.fault;
    else
        status = cut_graph(&whole, cut, &part);
    *count = whole.symbols.count;
    if (status == PITH_OK)
        status = graph_make_doc(&part, into, NULL, &part.fault);
    if (status != PITH_OK && err)
        *err = part.fault;
    graph_free(&part);
    graph_free(&whole);
    return status;
}

#endif
