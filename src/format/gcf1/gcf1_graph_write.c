/*
 * gcf1_graph_write.c - a graph, or a change of one, as GCF 1.
 */
#include "format/gcf1/gcf1_graph.h"

#include "base/sort.h"
#include "graph/graph_lines.h"

#ifndef PITH_OMIT_GRAPHS

static void gcf1_graph_put_edges(pith_out *out, const code_graph *graph, bool newer,
                                 const uint32_t *ids)
{
    out_string(out, "## edges");
    if (newer) {
        out_string(out, " [");
        out_number(out, graph->edges.count);
        out_byte(out, ']');
    }
    out_byte(out, '\n');
    for (size_t i = 0; i < graph->edges.count; i++) {
        const graph_edge *edge = &graph->edges.at[i];
        graph_put_edge(out, ids[edge->target], ids[edge->source],
                       graph_word_text(graph, edge->type),
                       graph_word_text(graph, edge->status));
    }
}

/* A number that is not there is left out, but level 1.4 states it as 0. */
static void gcf1_graph_put_some(pith_out *out, const char *name, uint64_t number,
                                bool newer)
{
    if (number > 0 || newer)
        out_count_field(out, name, number);
}

/* What the first line ends with. */
static void gcf1_graph_put_others(pith_out *out, const code_graph *graph)
{
    if (graph->pack_root.len > 0)
        out_field(out, "pack_root", graph->pack_root);
    for (size_t i = 0; i < graph->fields.count; i++) {
        out_byte(out, ' ');
        out_text(out, graph->fields.at[i].name);
        out_byte(out, '=');
        out_text(out, graph->fields.at[i].value);
    }
    out_byte(out, '\n');
}

static void gcf1_graph_put_head(pith_out *out, const code_graph *graph,
                                const gcf1_graph_form *form, bool edges)
{
    out_string(out, "GCF");
    out_field(out, "tool", graph->tool);
    gcf1_graph_put_some(out, "budget", graph->budget, form->newer);
    gcf1_graph_put_some(out, "tokens", graph->tokens, form->newer);
    out_count_field(out, "symbols", graph->symbols.count);
    if (form->newer && edges)
        out_count_field(out, "edges", graph->edges.count);
    if (form->bare)
        out_string(out, " session=true");
    gcf1_graph_put_others(out, graph);
    if (form->comment) {
        out_string(out, form->comment);
        out_byte(out, '\n');
    }
}

static bool gcf1_graph_is_nearer(const void *ctx, uint32_t a, uint32_t b)
{
    const graph_symbol *symbols = (const graph_symbol *)ctx;
    return symbols[a].distance < symbols[b].distance;
}

bool gcf1_graph_order(const code_graph *graph, bool newer, uint32_t *order)
{
    size_t count = graph->symbols.count;
    if (!newer) {
        return sort_indexes(&graph->alloc, order, count, gcf1_graph_is_nearer,
                            graph->symbols.at);
    }
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    return true;
}

/* `room` is for two numbers of each symbol. */
static bool gcf1_graph_put_all(pith_out *out, const code_graph *graph,
                               const gcf1_graph_form *form, uint32_t *room)
{
    bool edges = graph->edges.count > 0 || form->edges;
    const uint32_t *order = form->order ? form->order : room;
    uint32_t *numbers = room + graph->symbols.count;
    const uint32_t *ids = form->ids ? form->ids : numbers;
    if (!form->order && !gcf1_graph_order(graph, form->newer, room))
        return false;
    for (size_t i = 0; i < graph->symbols.count; i++)
        numbers[order[i]] = (uint32_t)i;
    gcf1_graph_put_head(out, graph, form, edges);
    graph_put_symbols(out, graph, order, ids, form->bare);
    if (edges)
        gcf1_graph_put_edges(out, graph, form->newer, ids);
    return true;
}

bool gcf1_graph_write(pith_out *out, const code_graph *graph, const gcf1_graph_form *form)
{
    size_t bytes = (2 * graph->symbols.count + 1) * sizeof(uint32_t);
    uint32_t *room = (uint32_t *)alloc_resize(&graph->alloc, NULL, 0, bytes);
    bool fine = room && gcf1_graph_put_all(out, graph, form, room);
    alloc_free(&graph->alloc, room, bytes);
    return fine;
}

void gcf1_graph_write_delta(pith_out *out, const graph_delta *delta)
{
    uint64_t saved =
        delta->full_tokens > delta->tokens ? delta->full_tokens - delta->tokens : 0;
    out_string(out, "GCF");
    out_field(out, "tool", delta->tool);
    out_string(out, " delta=true");
    out_field(out, "base_root", delta->base_root);
    out_field(out, "new_root", delta->new_root);
    out_count_field(out, "tokens", delta->tokens);
    out_count_field(out, "savings",
                    delta->full_tokens ? saved * 100 / delta->full_tokens : 0);
    out_string(out, "%\n");
    graph_put_changes(out, delta, false);
}

/* ---------------------------------------------------------------------- streams */

static pith_status gcf1_stream_head(code_graph *graph, const settings *set,
                                    pith_error *err)
{
    graph_out job = {.set = set, .graph = graph, .err = err};
    if (text_is(settings_text(set, GCF1_GRAPH_ROOT), "exact")) {
        return error_set(err, PITH_BAD_USE, "unused_setting",
                         "pack_root=exact needs the whole graph before the first line; "
                         "leave it out");
    }
    return gcf1_graph_set_first_line(&job);
}

static void gcf1_stream_first_line(pith_out *out, const code_graph *graph)
{
    out_string(out, "GCF");
    out_field(out, "tool", graph->tool);
    gcf1_graph_put_some(out, "budget", graph->budget, false);
    gcf1_graph_put_some(out, "tokens", graph->tokens, false);
    gcf1_graph_put_others(out, graph);
}

static const char *gcf1_stream_edges(const settings *set)
{
    return gcf1_graph_is_newer(set) ? "## edges [?]\n" : "## edges\n";
}

/* Level 1.1 has no such line, and counts nothing that a reader needs. */
static void gcf1_stream_summary(pith_out *out, const graph_stream *stream,
                                const settings *set)
{
    size_t groups = stream->counts.count;
    if (!gcf1_graph_is_newer(set))
        return;
    out_string(out, "## _summary");
    out_count_field(out, "symbols", stream->graph.symbols.count);
    out_count_field(out, "edges", stream->edges);
    out_string(out, groups > 0 || stream->edges > 0 ? " sections=" : "");
    graph_stream_put_counts(out, stream, true, stream->edges == 0);
    if (stream->edges > 0) {
        out_string(out, "edges:");
        out_number(out, stream->edges);
    }
    out_byte(out, '\n');
}

static pith_status gcf1_stream_check(graph_stream *stream, bool symbol, pith_out *out,
                                     const settings *set, pith_error *err)
{
    graph_out job = {.out = out, .set = set, .graph = &stream->graph, .err = err};
    return gcf1_graph_check_last(&job, symbol, &stream->told);
}

static pith_status gcf1_stream_begin(row_table *table, pith_out *out, pith_error *err)
{
    static const graph_stream_style style = {gcf1_graph_extra,       gcf1_stream_head,
                                             gcf1_stream_first_line, gcf1_stream_edges,
                                             gcf1_stream_summary,    gcf1_stream_check};
    (void)out;
    return graph_rows_open(table, &style, err);
}

const row_format gcf1_graph_rows = GRAPH_ROWS(gcf1_stream_begin);

#endif
