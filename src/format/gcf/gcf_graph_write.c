/*
 * gcf_graph_write.c - a graph becomes a text of the graph profile.
 *
 * Whole graphs are put in order: groups by distance, in each the highest score first,
 * edges by the ids of source and target and by type. Two graphs that hold the same, added
 * in the same order, give the same bytes. Streams are written as they come.
 */
#include "format/gcf/gcf_graph.h"

#include "format/gcf/gcf_graph_lines.h"
#include "format/gcf/gcf_scalar.h"
#include "format/graph_rows.h"
#include "graph/graph_lines.h"

#ifndef PITH_OMIT_GRAPHS

/* ----------------------------------------------------------------------- pieces */

/* Fields that are left out when they say nothing. */
static void gcf_graph_put_some(pith_out *out, const char *name, uint64_t number)
{
    if (number > 0)
        out_count_field(out, name, number);
}

static void gcf_graph_put_field(pith_out *out, const char *name, pith_text value)
{
    if (value.len > 0)
        out_field(out, name, value);
}

/* ----------------------------------------------------------------- whole graphs */

/* The fields that mean nothing here; those that the form has no room for were refused, or
 * are to be left out. */
static void gcf_graph_put_others(pith_out *out, const code_graph *graph)
{
    for (size_t i = 0; i < graph->fields.count; i++) {
        const graph_field *field = &graph->fields.at[i];
        if (gcf_graph_is_pair(field->name, field->value)) {
            out_byte(out, ' ');
            out_text(out, field->name);
            out_byte(out, '=');
            out_text(out, field->value);
        }
    }
}

static void gcf_graph_put_first_line(pith_out *out, const code_graph *graph,
                                     const gcf_graph_form *form)
{
    out_string(out, "GCF profile=graph");
    gcf_graph_put_field(out, "tool", graph->tool);
    gcf_graph_put_some(out, "budget", graph->budget);
    gcf_graph_put_some(out, "tokens", form->states ? form->tokens : graph->tokens);
    out_count_field(out, "symbols", graph->symbols.count);
    gcf_graph_put_some(out, "edges", graph->edges.count);
    if (form->ids)
        out_string(out, " session=true");
    gcf_graph_put_field(out, "pack_root", graph->pack_root);
    gcf_graph_put_others(out, graph);
    out_byte(out, '\n');
}

static void gcf_graph_put_edges(pith_out *out, const code_graph *graph,
                                const uint32_t *order, const uint32_t *ids)
{
    if (graph->edges.count == 0)
        return;
    out_string(out, "## edges [");
    out_number(out, graph->edges.count);
    out_string(out, "]\n");
    for (size_t i = 0; i < graph->edges.count; i++) {
        const graph_edge *edge = &graph->edges.at[order[i]];
        graph_put_edge(out, ids[edge->target], ids[edge->source],
                       graph_word_text(graph, edge->type),
                       graph_word_text(graph, edge->status));
    }
}

/* A path is bare when it is printable ASCII and cannot be taken for a quoted one. */
static void gcf_graph_put_file(pith_out *out, pith_text file)
{
    bool bare = true;
    for (size_t i = 0; i < file.len; i++) {
        bare = bare && file.ptr[i] > ' ' && file.ptr[i] <= '~' && file.ptr[i] != '"' &&
               file.ptr[i] != '\\';
    }
    if (bare) {
        out_text(out, file);
        return;
    }
    gcf_pen pen = {out, NULL};
    out->at = gcf_put_quoted(&pen, pen_resume(out), file.ptr, file.len);
}

static void gcf_graph_put_places(pith_out *out, const code_graph *graph,
                                 const uint32_t *order, const uint32_t *ids)
{
    if (graph->places.count == 0)
        return;
    out_string(out, "## loc [");
    out_number(out, graph->places.count);
    out_string(out, "]\n");
    for (size_t i = 0; i < graph->symbols.count; i++) {
        uint32_t at = graph->symbols.at[order[i]].place;
        if (at == GRAPH_NONE)
            continue;
        const graph_place *place = &graph->places.at[at];
        out_byte(out, '@');
        out_number(out, ids[order[i]]);
        out_byte(out, ' ');
        gcf_graph_put_file(out, place->file);
        const uint64_t numbers[] = {place->line, place->column, place->end_line,
                                    place->end_column};
        for (size_t n = 0; n < (place->end_line ? 4u : 2u); n++) {
            out_byte(out, ' ');
            out_number(out, numbers[n]);
        }
        out_byte(out, '\n');
    }
}

/* `room` is for two numbers of each symbol and one of each edge. */
static bool gcf_graph_put_all(pith_out *out, const code_graph *graph,
                              const gcf_graph_form *form, uint32_t *room)
{
    const uint32_t *order = form->order ? form->order : room;
    uint32_t *numbers = room + graph->symbols.count;
    const uint32_t *ids = form->ids ? form->ids : numbers;
    uint32_t *edges = numbers + graph->symbols.count;
    if (!form->order && !graph_order_symbols(graph, room))
        return false;
    for (size_t i = 0; i < graph->symbols.count; i++)
        numbers[order[i]] = (uint32_t)i;
    if (!graph_order_edges(graph, ids, edges))
        return false;
    gcf_graph_put_first_line(out, graph, form);
    if (form->comment) {
        out_string(out, form->comment);
        out_byte(out, '\n');
    }
    graph_put_symbols(out, graph, order, ids, form->bare);
    gcf_graph_put_edges(out, graph, edges, ids);
    if (form->places)
        gcf_graph_put_places(out, graph, order, ids);
    return true;
}

bool gcf_graph_write(pith_out *out, const code_graph *graph, const gcf_graph_form *form)
{
    size_t count = 2 * graph->symbols.count + graph->edges.count + 1;
    size_t bytes = count * sizeof(uint32_t);
    uint32_t *room = (uint32_t *)alloc_resize(&graph->alloc, NULL, 0, bytes);
    bool fine = room && gcf_graph_put_all(out, graph, form, room);
    alloc_free(&graph->alloc, room, bytes);
    return fine;
}

/* ---------------------------------------------------------------------- streams */

/* The first line takes what the settings say; what it has no room for is refused. */
static pith_status gcf_stream_head(code_graph *graph, const settings *set,
                                   pith_error *err)
{
    gcf_graph_form form;
    pith_status status = gcf_graph_choose_form(&form, graph, set, err);
    if (status == PITH_OK && form.states)
        graph->tokens = form.tokens;
    return status;
}

static void gcf_stream_first_line(pith_out *out, const code_graph *graph)
{
    out_string(out, "GCF profile=graph");
    gcf_graph_put_field(out, "tool", graph->tool);
    gcf_graph_put_some(out, "budget", graph->budget);
    gcf_graph_put_some(out, "tokens", graph->tokens);
    gcf_graph_put_field(out, "pack_root", graph->pack_root);
    gcf_graph_put_others(out, graph);
    out_byte(out, '\n');
}

static const char *gcf_stream_edges(const settings *set)
{
    (void)set;
    return "## edges [?]\n";
}

static void gcf_stream_summary(pith_out *out, const graph_stream *stream,
                               const settings *set)
{
    bool labels = settings_bool(set, GCF_GRAPH_LABELS);
    out_string(out, "##! summary");
    out_count_field(out, "symbols", stream->graph.symbols.count);
    out_count_field(out, "edges", stream->edges);
    out_string(out, " counts=");
    graph_stream_put_counts(out, stream, labels, false);
    out_string(out, labels ? "edges:" : "");
    out_number(out, stream->edges);
    out_byte(out, '\n');
}

static pith_status gcf_stream_begin(row_table *table, pith_out *out, pith_error *err)
{
    static const graph_stream_style style = {gcf_graph_extra,       gcf_stream_head,
                                             gcf_stream_first_line, gcf_stream_edges,
                                             gcf_stream_summary,    NULL};
    (void)out;
    return graph_rows_open(table, &style, err);
}

const row_format gcf_graph_rows = GRAPH_ROWS(gcf_stream_begin);

#endif
