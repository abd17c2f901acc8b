/*
 * graph_cut.c - the best part of a graph.
 *
 * The symbols with the highest scores stay, of equals those that come first in a text;
 * an edge stays with both of its ends. What stays keeps its order.
 */
#include "graph/graph_cut.h"
#include "base/num.h"

#include <stdlib.h>

typedef struct cut_rank {
    double score;
    uint32_t place; /* in the order of a text */
    uint32_t symbol;
} cut_rank;

static int cut_compare(const void *a, const void *b)
{
    const cut_rank *first = (const cut_rank *)a;
    const cut_rank *second = (const cut_rank *)b;
    if (first->score != second->score) {
        return first->score > second->score ? -1 : 1;
    }
    return first->place < second->place ? -1 : 1;
}

/* Gives each of the best symbols its number in the part that stays, and the others
 * GRAPH_NONE. */
static bool cut_choose(const pith_graph *graph, size_t keep, uint32_t *numbers)
{
    size_t count = graph->symbols.count;
    size_t bytes = count * sizeof(cut_rank);
    cut_rank *ranks = (cut_rank *)alloc_resize(&graph->alloc, NULL, 0, bytes ? bytes : 1);
    bool done = ranks && graph_order_symbols(graph, numbers);
    if (done) {
        for (uint32_t i = 0; i < count; i++) {
            ranks[i].symbol = numbers[i];
            ranks[i].place = i;
            ranks[i].score = num_to_double(graph_score(&graph->symbols.at[numbers[i]]));
        }
        qsort(ranks, count, sizeof *ranks, cut_compare);
        for (size_t i = 0; i < count; i++) {
            numbers[ranks[i].symbol] = i < keep ? 0 : GRAPH_NONE;
        }
        for (uint32_t i = 0, next = 0; i < count; i++) {
            numbers[i] = numbers[i] == GRAPH_NONE ? GRAPH_NONE : next++;
        }
    }
    alloc_free(&graph->alloc, ranks, bytes ? bytes : 1);
    return done;
}

static void cut_copy_symbol(pith_graph *to, const pith_graph *from, uint32_t symbol)
{
    graph_node node = graph_node_of(from, symbol);
    uint32_t place = from->symbols.at[symbol].place;
    if (graph_add_symbol(to, &node) == PITH_OK && place != GRAPH_NONE) {
        graph_set_place(to, (uint32_t)to->symbols.count - 1, &from->places.at[place]);
    }
}

/* Copies what stays into an empty graph; the failure is that graph's. */
static void cut_copy(pith_graph *to, const pith_graph *from, const uint32_t *numbers)
{
    graph_set_header(to, from->tool, from->pack_root);
    graph_add_fields(to, from);
    for (uint32_t i = 0; i < from->symbols.count; i++) {
        if (numbers[i] != GRAPH_NONE) {
            cut_copy_symbol(to, from, i);
        }
    }
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
static pith_status cut_graph(const pith_graph *whole, const graph_cut *cut,
                             pith_graph *part)
{
    size_t bytes = (whole->symbols.count + 1) * sizeof(uint32_t);
    uint32_t *numbers = (uint32_t *)alloc_resize(&whole->alloc, NULL, 0, bytes);
    if (!numbers || !cut_choose(whole, cut->keep, numbers)) {
        error_no_memory(&part->fault);
    } else {
        cut_copy(part, whole, numbers);
    }
    alloc_free(&whole->alloc, numbers, bytes);
    part->budget = cut->budget;
    part->tokens = cut->tokens;
    if (cut->keep < whole->symbols.count) {
        part->pack_root.len = 0; /* it names the whole */
    }
    return part->fault.status;
}

pith_status graph_cut_doc(const pith_doc *doc, uint32_t at, graph_extra extra,
                          const graph_cut *cut, pith_doc *into, size_t *count,
                          pith_error *err)
{
    pith_graph whole;
    pith_graph part;
    graph_init(&whole, into->alloc);
    graph_init(&part, into->alloc);
    whole.borrows = true;
    part.borrows = true;
    pith_status status = graph_from_doc(&whole, doc, at, extra);
    if (status != PITH_OK) {
        part.fault = whole.fault;
    } else {
        status = cut_graph(&whole, cut, &part);
    }
    *count = whole.symbols.count;
    if (status == PITH_OK) {
        status = graph_make_doc(&part, into, NULL, &part.fault);
    }
    if (status != PITH_OK && err) {
        *err = part.fault;
    }
    graph_free(&part);
    graph_free(&whole);
    return status;
}
