/*
 * gcf1_graph_write.c - a graph, or a change of one, as GCF 1.
 */
#include "format/gcf1/gcf1_graph.h"

#include "base/num.h"
#include "graph/graph_sort.h"

/* The symbols in the order of the text, and the id of each. */
typedef struct gcf1_graph_order {
    uint32_t *symbols;
    uint32_t *ids;
} gcf1_graph_order;

static void gcf1_graph_put_count(pith_out *out, const char *name, uint64_t count)
{
    out_byte(out, ' ');
    out_string(out, name);
    out_byte(out, '=');
    out_reserve(out, NUM_UINT64_MAX_LEN);
    out->at += num_write_uint64(out->at, count);
}

static void gcf1_graph_put_field(pith_out *out, const char *name, pith_text value)
{
    out_byte(out, ' ');
    out_string(out, name);
    out_byte(out, '=');
    out_text(out, value);
}

static void gcf1_graph_put_number(pith_out *out, uint64_t number)
{
    out_reserve(out, NUM_UINT64_MAX_LEN);
    out->at += num_write_uint64(out->at, number);
}

static void gcf1_graph_put_group(pith_out *out, uint64_t distance)
{
    static const char *const names[] = {"targets", "related", "extended"};
    out_string(out, "## ");
    if (distance < 3) {
        out_string(out, names[distance]);
    } else {
        out_string(out, "distance_");
        gcf1_graph_put_number(out, distance);
    }
    out_byte(out, '\n');
}

/* @0 fn name 0.78 provenance */
static void gcf1_graph_put_node(pith_out *out, uint64_t id, const graph_node *node)
{
    char score[GRAPH_SCORE_MAX_LEN];
    out_byte(out, '@');
    gcf1_graph_put_number(out, id);
    out_byte(out, ' ');
    out_text(out, graph_abbreviate_kind(node->kind));
    out_byte(out, ' ');
    out_text(out, node->name);
    out_byte(out, ' ');
    out_bytes(out, score, graph_write_score(score, node->score));
    out_byte(out, ' ');
    out_text(out, node->provenance);
    out_byte(out, '\n');
}

static void gcf1_graph_put_symbols(pith_out *out, const pith_graph *graph,
                                   const gcf1_graph_form *form,
                                   const gcf1_graph_order *order)
{
    for (uint32_t i = 0; i < graph->symbol_count; i++) {
        uint32_t symbol = order->symbols[i];
        uint64_t distance = graph->symbols[symbol].distance;
        if (i == 0 || distance != graph->symbols[order->symbols[i - 1]].distance) {
            gcf1_graph_put_group(out, distance);
        }
        if (form->bare && form->bare[symbol]) {
            out_byte(out, '@');
            gcf1_graph_put_number(out, i);
            out_string(out, "  # previously transmitted\n");
        } else {
            graph_node node = graph_node_of(graph, symbol);
            gcf1_graph_put_node(out, i, &node);
        }
    }
}

static void gcf1_graph_put_edges(pith_out *out, const pith_graph *graph, bool newer,
                                 const uint32_t *ids)
{
    out_string(out, "## edges");
    if (newer) {
        out_string(out, " [");
        gcf1_graph_put_number(out, graph->edge_count);
        out_byte(out, ']');
    }
    out_byte(out, '\n');
    for (size_t i = 0; i < graph->edge_count; i++) {
        const graph_edge *edge = &graph->edges[i];
        pith_text status = graph_word_text(graph, edge->status);
        out_byte(out, '@');
        gcf1_graph_put_number(out, ids[edge->target]);
        out_string(out, "<@");
        gcf1_graph_put_number(out, ids[edge->source]);
        out_byte(out, ' ');
        out_text(out, graph_word_text(graph, edge->type));
        if (status.len > 0) {
            out_byte(out, ' ');
            out_text(out, status);
        }
        out_byte(out, '\n');
    }
}

/* A number that is not there is left out, but level 1.4 states it as 0. */
static void gcf1_graph_put_some(pith_out *out, const char *name, uint64_t number,
                                bool newer)
{
    if (number > 0 || newer) {
        gcf1_graph_put_count(out, name, number);
    }
}

static void gcf1_graph_put_head(pith_out *out, const pith_graph *graph,
                                const gcf1_graph_form *form, bool edges)
{
    out_string(out, "GCF");
    gcf1_graph_put_field(out, "tool", graph->tool);
    gcf1_graph_put_some(out, "budget", graph->budget, form->newer);
    gcf1_graph_put_some(out, "tokens", graph->tokens, form->newer);
    gcf1_graph_put_count(out, "symbols", graph->symbol_count);
    if (form->newer && edges) {
        gcf1_graph_put_count(out, "edges", graph->edge_count);
    }
    if (form->session) {
        out_string(out, " session=true");
    }
    if (graph->pack_root.len > 0) {
        gcf1_graph_put_field(out, "pack_root", graph->pack_root);
    }
    for (size_t i = 0; i < graph->field_count; i++) {
        out_byte(out, ' ');
        out_text(out, graph->fields[i].name);
        out_byte(out, '=');
        out_text(out, graph->fields[i].value);
    }
    out_byte(out, '\n');
}

static bool gcf1_graph_is_nearer(const void *ctx, uint32_t a, uint32_t b)
{
    const graph_symbol *symbols = (const graph_symbol *)ctx;
    return symbols[a].distance < symbols[b].distance;
}

/* `order->ids` is needed for sorting before it holds the ids. */
static void gcf1_graph_sort(const pith_graph *graph, bool newer, gcf1_graph_order *order)
{
    for (uint32_t i = 0; i < graph->symbol_count; i++) {
        order->symbols[i] = i;
    }
    if (!newer) {
        graph_sort(order->symbols, order->ids, graph->symbol_count, gcf1_graph_is_nearer,
                   graph->symbols);
    }
    for (uint32_t i = 0; i < graph->symbol_count; i++) {
        order->ids[order->symbols[i]] = i;
    }
}

bool gcf1_graph_write(pith_out *out, const pith_graph *graph, const gcf1_graph_form *form)
{
    bool edges = graph->edge_count > 0 || form->edges;
    size_t size = (graph->symbol_count + 1) * sizeof(uint32_t);
    gcf1_graph_order order;
    order.symbols = (uint32_t *)alloc_resize(&graph->alloc, NULL, 0, size);
    order.ids = (uint32_t *)alloc_resize(&graph->alloc, NULL, 0, size);
    bool fine = order.symbols && order.ids;
    if (fine) {
        gcf1_graph_sort(graph, form->newer, &order);
        gcf1_graph_put_head(out, graph, form, edges);
        gcf1_graph_put_symbols(out, graph, form, &order);
    }
    if (fine && edges) {
        gcf1_graph_put_edges(out, graph, form->newer, order.ids);
    }
    alloc_free(&graph->alloc, order.symbols, size);
    alloc_free(&graph->alloc, order.ids, size);
    return fine;
}

/* --------------------------------------------------------------------- changes */

static void gcf1_graph_put_links(pith_out *out, const char *name,
                                 const graph_links *links)
{
    if (links->count > 0) {
        out_string(out, name);
    }
    for (size_t i = 0; i < links->count; i++) {
        const graph_link *link = &links->at[i];
        out_text(out, link->source);
        out_string(out, " -> ");
        out_text(out, link->target);
        out_byte(out, ' ');
        out_text(out, link->type);
        out_byte(out, '\n');
    }
}

void gcf1_graph_write_delta(pith_out *out, const graph_delta *delta)
{
    out_string(out, "GCF");
    gcf1_graph_put_field(out, "tool", delta->tool);
    out_string(out, " delta=true");
    gcf1_graph_put_field(out, "base_root", delta->base_root);
    gcf1_graph_put_field(out, "new_root", delta->new_root);
    gcf1_graph_put_count(out, "tokens", delta->tokens);
    uint64_t saved =
        delta->full_tokens > delta->tokens ? delta->full_tokens - delta->tokens : 0;
    gcf1_graph_put_count(out, "savings",
                         delta->full_tokens ? saved * 100 / delta->full_tokens : 0);
    out_string(out, "%\n");
    if (delta->removed.count > 0) {
        out_string(out, "## removed\n");
    }
    for (size_t i = 0; i < delta->removed.count; i++) {
        out_text(out, graph_abbreviate_kind(delta->removed.at[i].kind));
        out_byte(out, ' ');
        out_text(out, delta->removed.at[i].name);
        out_byte(out, '\n');
    }
    if (delta->added.count > 0) {
        out_string(out, "## added\n");
    }
    for (size_t i = 0; i < delta->added.count; i++) {
        gcf1_graph_put_node(out, i, &delta->added.at[i]);
    }
    gcf1_graph_put_links(out, "## edges_removed\n", &delta->edges_removed);
    gcf1_graph_put_links(out, "## edges_added\n", &delta->edges_added);
}
