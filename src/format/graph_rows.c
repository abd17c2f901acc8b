/*
 * graph_rows.c - a graph that leaves as it is found.
 */
#include "format/graph_rows.h"

#ifndef PITH_OMIT_GRAPHS

pith_status graph_rows_open(row_table *table, const graph_stream_style *style,
                            pith_error *err)
{
    graph_stream *stream = (graph_stream *)table->state;
    stream->style = style;
    stream->extra = style->extra(table->set);
    graph_init(&stream->graph, table->alloc);
    stream->groups.seed = stream->graph.seed;
    return table->object ? PITH_OK
                         : error_set(err, PITH_UNREPRESENTABLE, "not_a_graph",
                                     "expected an object with symbols and edges");
}

void graph_rows_close(row_table *table)
{
    graph_stream *stream = (graph_stream *)table->state;
    graph_ids_free(&stream->groups, &table->alloc);
    LIST_FREE(&stream->counts, &table->alloc);
    if (stream->style)
        graph_free(&stream->graph);
}

unsigned graph_rows_rules(const settings *set)
{
    (void)set;
    return ROWS_ANY;
}

pith_status graph_rows_member(row_table *table, pith_out *out, pith_text key,
                              const pith_doc *doc, uint32_t at, pith_error *err)
{
    graph_stream *stream = (graph_stream *)table->state;
    (void)out;
    if (stream->headed) {
        return error_set(err, PITH_UNREPRESENTABLE, "member_after_table",
                         "\"%s\" is for the first line, which is written already",
                         error_quote(key.ptr, key.len).text);
    }
    graph_add_member(&stream->graph, key, doc, at, stream->extra);
    return error_copy(&stream->graph.fault, err);
}

/* Writes the first line, unless it is there. */
static pith_status graph_rows_begin(row_table *table, pith_out *out, pith_error *err)
{
    graph_stream *stream = (graph_stream *)table->state;
    if (stream->headed)
        return PITH_OK;
    pith_status status = stream->style->head(&stream->graph, table->set, err);
    if (status == PITH_OK)
        stream->style->first_line(out, &stream->graph);
    stream->headed = true;
    return status;
}

pith_status graph_rows_header(row_table *table, pith_out *out, uint64_t count,
                              pith_error *err)
{
    (void)count;
    if (table->keyed ||
        (!text_is(table->name, "symbols") && !text_is(table->name, "edges"))) {
        return error_set(err, PITH_UNREPRESENTABLE, "unknown_member",
                         "the tables of a graph are symbols and edges, not \"%s\"",
                         error_quote(table->name.ptr, table->name.len).text);
    }
    return graph_rows_begin(table, out, err);
}

/* --------------------------------------------------------------------- symbols */

/* Counts the last symbol in the group of its distance, which is opened, once more if need
 * be; false when out of memory. */
static bool graph_rows_enter(graph_stream *stream, pith_out *out, uint64_t distance)
{
    const pith_alloc *alloc = &stream->graph.alloc;
    const graph_id *group = graph_ids_find(&stream->groups, distance);
    size_t number = group ? group->symbol : stream->counts.count;
    if (!group) {
        uint64_t *count = LIST_ADD(&stream->counts, alloc);
        if (!count || !graph_ids_add(&stream->groups, alloc, distance, (uint32_t)number))
            return false;
        *count = 0;
    }
    stream->counts.at[number]++;
    if (!stream->in_group || stream->distance != distance) {
        out_string(out, "## ");
        graph_put_group(out, distance);
        out_byte(out, '\n');
    }
    stream->in_group = true;
    stream->in_edges = false;
    stream->distance = distance;
    return true;
}

static pith_status graph_rows_put_symbol(graph_stream *stream, pith_out *out,
                                         pith_error *err)
{
    code_graph *graph = &stream->graph;
    uint32_t last = (uint32_t)(graph->symbols.count - 1);
    graph_node node = graph_node_of(graph, last);
    if (graph->places.count > 0 && stream->extra == GRAPH_DROP_EXTRA) {
        graph->places.count = 0;
    } else if (graph->places.count > 0) {
        return error_set(err, PITH_UNREPRESENTABLE, "place_lost",
                         "a stream has no room for places in files; lossy=true leaves "
                         "them out");
    }
    if (!graph_rows_enter(stream, out, node.distance))
        return error_no_memory(err);
    graph_put_node(out, last, graph_abbreviate_kind(node.kind), &node);
    out_byte(out, '\n');
    return PITH_OK;
}

/* ----------------------------------------------------------------------- edges */

/* Writes the last edge and forgets it. */
static void graph_rows_put_edge(graph_stream *stream, pith_out *out, const settings *set)
{
    code_graph *graph = &stream->graph;
    if (graph->edges.count == 0)
        return; /* it was left out, as asked for */
    const graph_edge *edge = &graph->edges.at[--graph->edges.count];
    if (!stream->in_edges)
        out_string(out, stream->style->edges(set));
    stream->in_edges = true;
    stream->in_group = false;
    stream->edges++;
    graph_put_edge(out, edge->target, edge->source, graph_word_text(graph, edge->type),
                   graph_word_text(graph, edge->status));
}

pith_status graph_rows_row(row_table *table, pith_out *out, const row_cells *row,
                           pith_error *err)
{
    graph_stream *stream = (graph_stream *)table->state;
    bool symbols = text_is(table->name, "symbols");
    graph_add_part(&stream->graph, symbols, table->rows, row->doc, row->row,
                   stream->extra);
    if (stream->graph.fault.status != PITH_OK)
        return error_copy(&stream->graph.fault, err);
    pith_status status = PITH_OK;
    if (stream->style->check && (symbols || stream->graph.edges.count > 0))
        status = stream->style->check(stream, symbols, out, table->set, err);
    if (status == PITH_OK && symbols)
        status = graph_rows_put_symbol(stream, out, err);
    else if (status == PITH_OK)
        graph_rows_put_edge(stream, out, table->set);
    return status;
}

/* --------------------------------------------------------------------- the end */

void graph_stream_put_counts(pith_out *out, const graph_stream *stream, bool labels,
                             bool all)
{
    for (size_t i = 0; i < stream->counts.count; i++) {
        if (labels) {
            graph_put_group(out, stream->groups.list.at[i].id);
            out_byte(out, ':');
        }
        out_number(out, stream->counts.at[i]);
        if (!all || i + 1 < stream->counts.count)
            out_byte(out, ',');
    }
}

pith_status graph_rows_end(row_table *table, pith_out *out, pith_error *err)
{
    graph_stream *stream = (graph_stream *)table->state;
    pith_status status = graph_rows_begin(table, out, err);
    if (status == PITH_OK)
        stream->style->end(out, stream, table->set);
    return status;
}

#endif
