/*
 * gcf_graph_write.c - a graph becomes a text of the graph profile.
 *
 * Whole graphs are put in order: groups by distance, in each the highest score first,
 * edges by the ids of source and target and by type. Two graphs that hold the same, added
 * in the same order, give the same bytes. Streams are written as they come.
 */
#include "format/gcf/gcf_graph.h"

#include "base/hash.h"
#include "format/gcf/gcf_graph_lines.h"
#include "format/gcf/gcf_graph_put.h"
#include "format/gcf/gcf_scalar.h"

enum { GCF_GRAPH_TABLE_LEAST = 16 };

/* ----------------------------------------------------------------------- pieces */

static void gcf_graph_put_some(pith_out *out, const char *name, uint64_t number)
{
    if (number > 0) {
        gcf_graph_put_count(out, name, number);
    }
}

/* The name of a group; labels are written the same way. */
static void gcf_graph_put_group(pith_out *out, uint64_t distance)
{
    static const char *const groups[] = {"targets", "related", "extended"};
    if (distance < sizeof groups / sizeof *groups) {
        out_string(out, groups[distance]);
        return;
    }
    out_string(out, "distance_");
    gcf_graph_put_number(out, distance);
}

static void gcf_graph_put_group_line(pith_out *out, uint64_t distance)
{
    out_string(out, "## ");
    gcf_graph_put_group(out, distance);
    out_byte(out, '\n');
}

static void gcf_graph_put_score(pith_out *out, pith_text score)
{
    char digits[GRAPH_SCORE_MAX_LEN];
    out_bytes(out, digits, graph_write_score(digits, score));
}

void gcf_graph_put_node(pith_out *out, uint64_t id, pith_text kind,
                        const graph_node *node)
{
    out_byte(out, '@');
    gcf_graph_put_number(out, id);
    out_byte(out, ' ');
    out_text(out, kind);
    out_byte(out, ' ');
    out_text(out, node->name);
    out_byte(out, ' ');
    gcf_graph_put_score(out, node->score);
    out_byte(out, ' ');
    out_text(out, node->provenance);
}

static void gcf_graph_put_edge(pith_out *out, uint64_t target, uint64_t source,
                               pith_text type, pith_text status)
{
    out_byte(out, '@');
    gcf_graph_put_number(out, target);
    out_string(out, "<@");
    gcf_graph_put_number(out, source);
    out_byte(out, ' ');
    out_text(out, type);
    if (status.len > 0) {
        out_byte(out, ' ');
        out_text(out, status);
    }
    out_byte(out, '\n');
}

/* ----------------------------------------------------------------- whole graphs */

/* The fields that mean nothing here; those that the form has no room for were refused, or
 * are to be left out. */
static void gcf_graph_put_others(pith_out *out, const pith_graph *graph)
{
    for (size_t i = 0; i < graph->field_count; i++) {
        const graph_field *field = &graph->fields[i];
        if (gcf_graph_is_pair(field->name, field->value)) {
            out_byte(out, ' ');
            out_text(out, field->name);
            out_byte(out, '=');
            out_text(out, field->value);
        }
    }
}

static void gcf_graph_put_first_line(pith_out *out, const pith_graph *graph,
                                     const gcf_graph_form *form)
{
    out_string(out, "GCF profile=graph");
    gcf_graph_put_field(out, "tool", graph->tool);
    gcf_graph_put_some(out, "budget", graph->budget);
    gcf_graph_put_some(out, "tokens", form->states ? form->tokens : graph->tokens);
    gcf_graph_put_count(out, "symbols", graph->symbol_count);
    gcf_graph_put_some(out, "edges", graph->edge_count);
    if (form->ids) {
        out_string(out, " session=true");
    }
    gcf_graph_put_field(out, "pack_root", graph->pack_root);
    gcf_graph_put_others(out, graph);
    out_byte(out, '\n');
}

static void gcf_graph_put_symbols(pith_out *out, const pith_graph *graph,
                                  const uint32_t *order, const uint32_t *ids,
                                  const uint8_t *bare)
{
    for (size_t i = 0; i < graph->symbol_count; i++) {
        const graph_symbol *symbol = &graph->symbols[order[i]];
        if (i == 0 || symbol->distance != graph->symbols[order[i - 1]].distance) {
            gcf_graph_put_group_line(out, symbol->distance);
        }
        if (bare && bare[order[i]]) {
            out_byte(out, '@');
            gcf_graph_put_number(out, ids[order[i]]);
            out_string(out, "  # previously transmitted\n");
            continue;
        }
        graph_node node = graph_node_of(graph, order[i]);
        gcf_graph_put_node(out, ids[order[i]], graph->words[symbol->kind].brief, &node);
        out_byte(out, '\n');
    }
}

static void gcf_graph_put_edges(pith_out *out, const pith_graph *graph,
                                const uint32_t *order, const uint32_t *ids)
{
    if (graph->edge_count == 0) {
        return;
    }
    out_string(out, "## edges [");
    gcf_graph_put_number(out, graph->edge_count);
    out_string(out, "]\n");
    for (size_t i = 0; i < graph->edge_count; i++) {
        const graph_edge *edge = &graph->edges[order[i]];
        gcf_graph_put_edge(out, ids[edge->target], ids[edge->source],
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
    out->at = gcf_put_quoted(&pen, gcf_resume(out), file.ptr, file.len);
}

static void gcf_graph_put_places(pith_out *out, const pith_graph *graph,
                                 const uint32_t *order, const uint32_t *ids)
{
    if (graph->place_count == 0) {
        return;
    }
    out_string(out, "## loc [");
    gcf_graph_put_number(out, graph->place_count);
    out_string(out, "]\n");
    for (size_t i = 0; i < graph->symbol_count; i++) {
        uint32_t at = graph->symbols[order[i]].place;
        if (at == GRAPH_NONE) {
            continue;
        }
        const graph_place *place = &graph->places[at];
        out_byte(out, '@');
        gcf_graph_put_number(out, ids[order[i]]);
        out_byte(out, ' ');
        gcf_graph_put_file(out, place->file);
        const uint64_t numbers[] = {place->line, place->column, place->end_line,
                                    place->end_column};
        for (size_t n = 0; n < (place->end_line ? 4u : 2u); n++) {
            out_byte(out, ' ');
            gcf_graph_put_number(out, numbers[n]);
        }
        out_byte(out, '\n');
    }
}

static bool gcf_graph_put_all(pith_out *out, const pith_graph *graph,
                              const gcf_graph_form *form, uint32_t *symbols,
                              uint32_t *numbers, uint32_t *edges)
{
    const uint32_t *order = form->order;
    const uint32_t *ids = form->ids;
    if (!order) {
        if (!graph_order_symbols(graph, symbols)) {
            return false;
        }
        order = symbols;
    }
    if (!ids) {
        for (size_t i = 0; i < graph->symbol_count; i++) {
            numbers[order[i]] = (uint32_t)i;
        }
        ids = numbers;
    }
    if (!graph_order_edges(graph, ids, edges)) {
        return false;
    }
    gcf_graph_put_first_line(out, graph, form);
    if (form->comment[0]) {
        out_string(out, form->comment);
        out_byte(out, '\n');
    }
    gcf_graph_put_symbols(out, graph, order, ids, form->bare);
    gcf_graph_put_edges(out, graph, edges, ids);
    if (form->places) {
        gcf_graph_put_places(out, graph, order, ids);
    }
    return true;
}

bool gcf_graph_write(pith_out *out, const pith_graph *graph, const gcf_graph_form *form)
{
    const pith_alloc *alloc = &graph->alloc;
    size_t symbols_size = (graph->symbol_count + 1) * sizeof(uint32_t);
    size_t edges_size = (graph->edge_count + 1) * sizeof(uint32_t);
    uint32_t *symbols = (uint32_t *)alloc_resize(alloc, NULL, 0, symbols_size);
    uint32_t *numbers = (uint32_t *)alloc_resize(alloc, NULL, 0, symbols_size);
    uint32_t *edges = (uint32_t *)alloc_resize(alloc, NULL, 0, edges_size);
    bool fine = symbols && numbers && edges &&
                gcf_graph_put_all(out, graph, form, symbols, numbers, edges);
    alloc_free(alloc, symbols, symbols_size);
    alloc_free(alloc, numbers, symbols_size);
    alloc_free(alloc, edges, edges_size);
    return fine;
}

void gcf_graph_write_unchanged(pith_out *out, pith_text tool, pith_text pack_root,
                               uint64_t symbols)
{
    out_string(out, "GCF profile=graph");
    gcf_graph_put_field(out, "tool", tool);
    out_string(out, " unchanged=true");
    gcf_graph_put_field(out, "pack_root", pack_root);
    gcf_graph_put_count(out, "symbols", symbols);
    out_byte(out, '\n');
}

/* ---------------------------------------------------------------------- streams */

void gcf_graph_stream_begin(gcf_graph_stream *stream, pith_text tool, uint64_t budget,
                            uint64_t tokens, pith_text pack_root)
{
    pith_out *out = stream->out;
    out_string(out, "GCF profile=graph");
    gcf_graph_put_field(out, "tool", tool);
    gcf_graph_put_some(out, "budget", budget);
    gcf_graph_put_some(out, "tokens", tokens);
    gcf_graph_put_field(out, "pack_root", pack_root);
    out_byte(out, '\n');
}

static size_t gcf_graph_group_slot(const gcf_graph_stream *stream, uint64_t distance)
{
    size_t mask = stream->table_size - 1;
    size_t at = (size_t)hash_number(stream->seed, distance) & mask;
    while (stream->table[at] != GRAPH_NONE &&
           stream->groups.at[stream->table[at]].distance != distance) {
        at = (at + 1) & mask;
    }
    return at;
}

static bool gcf_graph_grow_groups(gcf_graph_stream *stream)
{
    size_t size =
        stream->table_size ? stream->table_size * 2 : (size_t)GCF_GRAPH_TABLE_LEAST;
    void *table = alloc_resize(&stream->alloc, NULL, 0, size * sizeof *stream->table);
    if (!table) {
        return false;
    }
    alloc_free(&stream->alloc, stream->table, stream->table_size * sizeof(uint32_t));
    stream->table = (uint32_t *)table;
    stream->table_size = size;
    memset(table, 0xFF, size * sizeof *stream->table);
    for (size_t i = 0; i < stream->groups.count; i++) {
        stream->table[gcf_graph_group_slot(stream, stream->groups.at[i].distance)] =
            (uint32_t)i;
    }
    return true;
}

/* Opens the group of that distance, once more if need be; false when out of memory. */
static bool gcf_graph_enter_group(gcf_graph_stream *stream, uint64_t distance)
{
    if (stream->in_group && stream->groups.at[stream->group].distance == distance) {
        return true;
    }
    if (stream->groups.count >= stream->table_size / 2 &&
        !gcf_graph_grow_groups(stream)) {
        return false;
    }
    size_t at = gcf_graph_group_slot(stream, distance);
    if (stream->table[at] == GRAPH_NONE) {
        gcf_graph_group *group = LIST_ADD(&stream->groups, &stream->alloc);
        if (!group) {
            return false;
        }
        group->distance = distance;
        group->count = 0;
        stream->table[at] = (uint32_t)(stream->groups.count - 1);
    }
    stream->group = stream->table[at];
    stream->in_group = true;
    stream->in_edges = false;
    gcf_graph_put_group_line(stream->out, distance);
    return true;
}

bool gcf_graph_stream_symbol(gcf_graph_stream *stream, const graph_node *node)
{
    if (!gcf_graph_enter_group(stream, node->distance)) {
        return false;
    }
    pith_text kind = graph_abbreviate_kind(node->kind);
    gcf_graph_put_node(stream->out, stream->symbols, kind, node);
    out_byte(stream->out, '\n');
    stream->groups.at[stream->group].count++;
    stream->symbols++;
    return true;
}

void gcf_graph_stream_edge(gcf_graph_stream *stream, uint64_t source, uint64_t target,
                           pith_text type, pith_text status)
{
    if (!stream->in_edges) {
        out_string(stream->out, "## edges [?]\n");
        stream->in_edges = true;
        stream->in_group = false;
    }
    gcf_graph_put_edge(stream->out, target, source, type, status);
    stream->edges++;
}

void gcf_graph_stream_end(gcf_graph_stream *stream)
{
    pith_out *out = stream->out;
    out_string(out, "##! summary");
    gcf_graph_put_count(out, "symbols", stream->symbols);
    gcf_graph_put_count(out, "edges", stream->edges);
    out_string(out, " counts=");
    for (size_t i = 0; i < stream->groups.count; i++) {
        if (stream->labels) {
            gcf_graph_put_group(out, stream->groups.at[i].distance);
            out_byte(out, ':');
        }
        gcf_graph_put_number(out, stream->groups.at[i].count);
        out_byte(out, ',');
    }
    out_string(out, stream->labels ? "edges:" : "");
    gcf_graph_put_number(out, stream->edges);
    out_byte(out, '\n');
}

void gcf_graph_stream_free(gcf_graph_stream *stream)
{
    LIST_FREE(&stream->groups, &stream->alloc);
    alloc_free(&stream->alloc, stream->table, stream->table_size * sizeof *stream->table);
}
