/*
 * graph_model.c - the graph's arrays and tables: adding and finding.
 *
 * Everything is checked when it is added, and nothing later. The first failure sticks and
 * turns later calls into no-ops, so that who builds a graph asks once, at the end.
 */
#include "graph/graph.h"

#include "base/num.h"
#include "base/print.h"
#include "base/utf8.h"

#include <assert.h>
#include <math.h>

#ifndef PITH_OMIT_GRAPHS

void graph_init(code_graph *graph, pith_alloc alloc)
{
    memset(graph, 0, sizeof *graph);
    graph->alloc = alloc;
    arena_init(&graph->arena, alloc);
    graph->tool = text_of("", 0);
    graph->pack_root = text_of("", 0);
    graph->seed = hash_seed(alloc);
}

void graph_free(code_graph *graph)
{
    const pith_alloc *alloc = &graph->alloc;
    LIST_FREE(&graph->symbols, alloc);
    LIST_FREE(&graph->edges, alloc);
    LIST_FREE(&graph->places, alloc);
    LIST_FREE(&graph->fields, alloc);
    LIST_FREE(&graph->words, alloc);
    LIST_FREE(&graph->shared, alloc);
    hash_table_free(&graph->by_identity, alloc);
    hash_table_free(&graph->by_name, alloc);
    hash_table_free(&graph->by_word, alloc);
    arena_free(&graph->arena);
}

void graph_reset(code_graph *graph)
{
    graph->symbols.count = 0;
    graph->edges.count = 0;
    graph->places.count = 0;
    graph->words.count = 0;
    graph->fields.count = 0;
    graph->shared.count = 0;
    graph->tool = text_of("", 0);
    graph->pack_root = text_of("", 0);
    graph->budget = 0;
    graph->tokens = 0;
    graph->session = false;
    graph->delta = false;
    graph->declared = 0;
    graph->fault.status = PITH_OK;
    graph->dropped.status = PITH_OK;
    graph->dropped_edges = false;
    hash_table_clear(&graph->by_identity);
    hash_table_clear(&graph->by_name);
    hash_table_clear(&graph->by_word);
    arena_reset(&graph->arena);
}

pith_status graph_fail(code_graph *graph, pith_status status, const char *code,
                       const char *format, ...)
{
    if (graph->fault.status == PITH_OK) {
        char message[sizeof graph->fault.message];
        va_list args;
        va_start(args, format);
        print_list(message, sizeof message, format, args);
        va_end(args);
        error_set(&graph->fault, status, code, "%s", message);
    }
    return graph->fault.status;
}

static pith_status graph_no_memory(code_graph *graph)
{
    return graph_fail(graph, PITH_NO_MEMORY, "no_memory", "out of memory");
}

/* ----------------------------------------------------------------------- texts */

/* White space and controls beyond ASCII, which some readers would split at. */
static bool graph_is_wide_space(uint32_t code)
{
    return code <= 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
           code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
           code == 0x3000 || code == 0xFEFF;
}

bool graph_is_word(pith_text text)
{
    size_t i = 0;
    while (i < text.len) {
        unsigned char byte = (unsigned char)text.ptr[i];
        if (byte > ' ' && byte < 0x7F) {
            i++;
            continue;
        }
        uint32_t code = 0;
        size_t step = utf8_decode(text.ptr + i, text.len - i, &code);
        if (step < 2 || graph_is_wide_space(code))
            return false;
        i += step;
    }
    return text.len > 0;
}

/* The text, kept as the graph keeps texts; NULL when out of memory. */
static const char *graph_keep(code_graph *graph, pith_text text)
{
    return graph->borrows ? text.ptr : arena_copy(&graph->arena, text.ptr, text.len);
}

/* ----------------------------------------------------------------------- words */

static uint32_t graph_hash(const code_graph *graph, pith_text text)
{
    return (uint32_t)hash_text(graph->seed, text.ptr, text.len);
}

uint32_t graph_find_word(const code_graph *graph, pith_text text)
{
    const hash_table *table = &graph->by_word;
    if (table->size == 0)
        return GRAPH_NONE;
    uint32_t hash = graph_hash(graph, text);
    size_t at = hash_first(table, hash);
    for (; table->at[at] != HASH_NONE; at = hash_next(table, at)) {
        const graph_word *word = &graph->words.at[table->at[at]];
        if (word->hash == hash && text_equal(word->text, text))
            break;
    }
    return table->at[at];
}

/* Words outlive whatever they were given in: there are few. */
static uint32_t graph_new_word(code_graph *graph, pith_text text)
{
    bool moved;
    const char *copy = arena_copy(&graph->arena, text.ptr, text.len);
    size_t number = graph->words.count;
    if (!copy || number >= GRAPH_MOST || !LIST_RESERVE(&graph->words, &graph->alloc, 1) ||
        !hash_table_reserve(&graph->by_word, &graph->alloc, number + 1, &moved))
        return GRAPH_NONE;
    graph_word *word = &graph->words.at[graph->words.count++];
    word->text = text_of(copy, text.len);
    word->brief = graph_abbreviate_kind(word->text);
    word->hash = graph_hash(graph, text);
    for (size_t i = moved ? 0 : number; i <= number; i++)
        hash_enter(&graph->by_word, graph->words.at[i].hash, (uint32_t)i);
    return (uint32_t)number;
}

/* The number of a word, which is made if need be; GRAPH_NONE when out of memory. The last
 * one found is tried first: words come in runs. */
static uint32_t graph_word_number(code_graph *graph, pith_text text, uint32_t likely)
{
    if (likely < graph->words.count && text_equal(graph->words.at[likely].text, text))
        return likely;
    uint32_t found = graph_find_word(graph, text);
    return found != GRAPH_NONE ? found : graph_new_word(graph, text);
}

uint32_t graph_need_word(code_graph *graph, pith_text text)
{
    return graph_word_number(graph, text, GRAPH_NONE);
}

/* --------------------------------------------------------------------- finding */

static uint32_t graph_identity_hash(const code_graph *graph, uint32_t name_hash,
                                    uint32_t kind)
{
    return name_hash ^ hash_small(graph->seed, kind);
}

static uint32_t graph_find_identity(const code_graph *graph, uint32_t kind,
                                    pith_text name, uint32_t hash)
{
    const hash_table *table = &graph->by_identity; /* made before there is any word */
    size_t at = hash_first(table, graph_identity_hash(graph, hash, kind));
    for (; table->at[at] != HASH_NONE; at = hash_next(table, at)) {
        const graph_symbol *symbol = &graph->symbols.at[table->at[at]];
        if (symbol->hash == hash && symbol->kind == kind &&
            text_equal(graph_name(symbol), name))
            break;
    }
    return table->at[at];
}

uint32_t graph_find(const code_graph *graph, pith_text kind, pith_text name)
{
    uint32_t word = graph_find_word(graph, graph_expand_kind(kind));
    return word == GRAPH_NONE
               ? (uint32_t)GRAPH_NONE
               : graph_find_identity(graph, word, name, graph_hash(graph, name));
}

/* Where a name stands in the table of names, or belongs. */
static size_t graph_name_slot(const code_graph *graph, pith_text name, uint32_t hash)
{
    const hash_table *table = &graph->by_name;
    size_t at = hash_first(table, hash);
    for (; table->at[at] != HASH_NONE; at = hash_next(table, at)) {
        const graph_symbol *symbol = &graph->symbols.at[table->at[at]];
        if (symbol->hash == hash && text_equal(graph_name(symbol), name))
            break;
    }
    return at;
}

bool graph_learn_names(code_graph *graph)
{
    bool moved;
    size_t named = graph->shared.count;
    size_t count = graph->symbols.count;
    if (named == count && graph->by_name.size > 0)
        return true;
    if (!LIST_RESERVE(&graph->shared, &graph->alloc, count - named) ||
        !hash_table_reserve(&graph->by_name, &graph->alloc, count, &moved))
        return false;
    for (size_t i = moved ? 0 : named; i < count; i++) {
        const graph_symbol *symbol = &graph->symbols.at[i];
        size_t at = graph_name_slot(graph, graph_name(symbol), symbol->hash);
        uint32_t first = graph->by_name.at[at];
        graph->shared.at[i] = first != GRAPH_NONE;
        if (first == GRAPH_NONE)
            graph->by_name.at[at] = (uint32_t)i;
        else
            graph->shared.at[first] = 1;
    }
    graph->shared.count = count;
    return true;
}

bool graph_name_is_shared(const code_graph *graph, uint32_t symbol)
{
    assert(symbol < graph->shared.count);
    return graph->shared.at[symbol] != 0;
}

uint32_t graph_find_name(code_graph *graph, pith_text name, bool *shared)
{
    *shared = false;
    if (!graph_learn_names(graph)) {
        graph_no_memory(graph);
        return GRAPH_NONE;
    }
    uint32_t found =
        graph->by_name.at[graph_name_slot(graph, name, graph_hash(graph, name))];
    *shared = found != GRAPH_NONE && graph->shared.at[found];
    return *shared ? (uint32_t)GRAPH_NONE : found;
}

/* ---------------------------------------------------------------------- adding */

static bool graph_is_number(pith_text score)
{
    num_parts parts;
    return num_scan(score, &parts) && isfinite(num_to_double(score));
}

pith_status graph_check_node(code_graph *graph, const graph_node *node)
{
    const char *what = NULL;
    pith_text wrong = node->name;
    if (!graph_is_word(node->kind)) {
        what = "kind";
        wrong = node->kind;
    } else if (!graph_is_word(node->name)) {
        what = "name";
    } else if (!graph_is_word(node->provenance)) {
        what = "provenance";
        wrong = node->provenance;
    }
    if (what && wrong.len == 0) {
        return graph_fail(graph, PITH_UNREPRESENTABLE, "invalid_symbol",
                          "symbol \"%s\" has no %s, and a graph needs one",
                          error_quote(node->name.ptr, node->name.len).text, what);
    }
    if (what) {
        return graph_fail(graph, PITH_UNREPRESENTABLE, "invalid_symbol",
                          "the %s \"%s\" of a symbol has white space or controls", what,
                          error_quote(wrong.ptr, wrong.len).text);
    }
    if (node->kind.ptr[0] == '#') { /* after an id this begins a reference */
        return graph_fail(graph, PITH_UNREPRESENTABLE, "invalid_symbol",
                          "the kind \"%s\" of a symbol begins with a '#'",
                          error_quote(node->kind.ptr, node->kind.len).text);
    }
    if (!graph_is_number(node->score)) {
        return graph_fail(graph, PITH_UNREPRESENTABLE, "out_of_range",
                          "the score %s of \"%s\" is not a finite number",
                          error_quote(node->score.ptr, node->score.len).text,
                          error_quote(node->name.ptr, node->name.len).text);
    }
    return PITH_OK;
}

static void graph_enter_symbol(code_graph *graph, size_t number)
{
    const graph_symbol *symbol = &graph->symbols.at[number];
    hash_enter(&graph->by_identity,
               graph_identity_hash(graph, symbol->hash, symbol->kind), (uint32_t)number);
}

static bool graph_symbol_room(code_graph *graph)
{
    bool moved;
    size_t count = graph->symbols.count;
    if (count >= GRAPH_MOST || !LIST_RESERVE(&graph->symbols, &graph->alloc, 1) ||
        !hash_table_reserve(&graph->by_identity, &graph->alloc, count + 1, &moved))
        return false;
    for (size_t i = moved ? 0 : count; i < count; i++)
        graph_enter_symbol(graph, i);
    return true;
}

pith_status graph_add_symbol(code_graph *graph, const graph_node *node)
{
    if (graph->fault.status != PITH_OK || graph_check_node(graph, node) != PITH_OK)
        return graph->fault.status;
    if (node->name.len > GRAPH_TEXT_MOST || node->score.len > GRAPH_TEXT_MOST)
        return graph_fail(graph, PITH_LIMIT, "too_large", "a text of 2 GiB or more");
    if (!graph_symbol_room(graph))
        return graph_no_memory(graph);
    const graph_symbol *last =
        graph->symbols.count ? &graph->symbols.at[graph->symbols.count - 1] : NULL;
    graph_symbol symbol;
    symbol.kind = graph_word_number(graph, graph_expand_kind(node->kind),
                                    last ? last->kind : (uint32_t)GRAPH_NONE);
    symbol.provenance = graph_word_number(graph, node->provenance,
                                          last ? last->provenance : (uint32_t)GRAPH_NONE);
    symbol.hash = graph_hash(graph, node->name);
    symbol.distance = node->distance;
    symbol.place = GRAPH_NONE;
    symbol.name_len = (uint32_t)node->name.len;
    symbol.score_len = (uint32_t)node->score.len;
    if (symbol.kind == GRAPH_NONE || symbol.provenance == GRAPH_NONE)
        return graph_no_memory(graph);
    if (graph_find_identity(graph, symbol.kind, node->name, symbol.hash) != GRAPH_NONE) {
        return graph_fail(graph, PITH_BAD_INPUT, "duplicate_symbol",
                          "the %s \"%s\" is there twice",
                          error_quote(node->kind.ptr, node->kind.len).text,
                          error_quote(node->name.ptr, node->name.len).text);
    }
    symbol.name = graph_keep(graph, node->name);
    symbol.score = graph_keep(graph, node->score);
    if (!symbol.name || !symbol.score)
        return graph_no_memory(graph);
    assert(graph->symbols.count < graph->symbols.cap);
    graph->symbols.at[graph->symbols.count] = symbol;
    graph_enter_symbol(graph, graph->symbols.count++);
    return PITH_OK;
}

pith_status graph_check_edge(code_graph *graph, pith_text type, pith_text status)
{
    if (!graph_is_word(type) || (status.len > 0 && !graph_is_word(status))) {
        return graph_fail(graph, PITH_UNREPRESENTABLE, "invalid_edge",
                          "the %s \"%s\" of an edge is empty or has white space",
                          graph_is_word(type) ? "status" : "type",
                          graph_is_word(type) ? error_quote(status.ptr, status.len).text
                                              : error_quote(type.ptr, type.len).text);
    }
    return PITH_OK;
}

pith_status graph_add_edge(code_graph *graph, uint32_t source, uint32_t target,
                           pith_text type, pith_text status)
{
    if (graph->fault.status != PITH_OK)
        return graph->fault.status;
    if (source >= graph->symbols.count || target >= graph->symbols.count) {
        return graph_fail(graph, PITH_BAD_USE, "unknown_edge_reference",
                          "an edge to symbol %lu; there are %zu",
                          (unsigned long)(source > target ? source : target),
                          graph->symbols.count);
    }
    if (graph_check_edge(graph, type, status) != PITH_OK)
        return graph->fault.status;
    if (graph->edges.count >= GRAPH_MOST ||
        !LIST_RESERVE(&graph->edges, &graph->alloc, 1))
        return graph_no_memory(graph);
    const graph_edge *last =
        graph->edges.count ? &graph->edges.at[graph->edges.count - 1] : NULL;
    graph_edge edge = {source, target, GRAPH_NONE, GRAPH_NONE};
    if (text_is(status, "unchanged"))
        status.len = 0; /* which is what no status says */
    edge.type = graph_word_number(graph, type, last ? last->type : (uint32_t)GRAPH_NONE);
    if (status.len > 0) {
        edge.status =
            graph_word_number(graph, status, last ? last->status : (uint32_t)GRAPH_NONE);
    }
    if (edge.type == GRAPH_NONE || (status.len > 0 && edge.status == GRAPH_NONE))
        return graph_no_memory(graph);
    assert(graph->edges.count < graph->edges.cap);
    graph->edges.at[graph->edges.count++] = edge;
    return PITH_OK;
}

static pith_status graph_check_place(code_graph *graph, const graph_place *place)
{
    bool end = place->end_line > 0 || place->end_column > 0;
    if (place->file.len == 0 ||
        utf8_find_invalid(place->file.ptr, place->file.len) != place->file.len) {
        return graph_fail(graph, PITH_UNREPRESENTABLE, "invalid_place",
                          "a place needs the name of a file, in UTF-8");
    }
    if (place->line == 0 || place->column == 0 ||
        (end && (place->end_line == 0 || place->end_column == 0))) {
        return graph_fail(graph, PITH_UNREPRESENTABLE, "invalid_place",
                          "lines and columns of a place count from 1, in pairs");
    }
    return PITH_OK;
}

pith_status graph_set_place(code_graph *graph, uint32_t symbol, const graph_place *place)
{
    if (graph->fault.status != PITH_OK || graph_check_place(graph, place) != PITH_OK)
        return graph->fault.status;
    assert(symbol < graph->symbols.count);
    /* Copied in any case: there are few, and one in quotes lies nowhere else. */
    const char *file = arena_copy(&graph->arena, place->file.ptr, place->file.len);
    graph_place *kept = file ? LIST_ADD(&graph->places, &graph->alloc) : NULL;
    if (!kept)
        return graph_no_memory(graph);
    *kept = *place;
    kept->file = text_of(file, place->file.len);
    graph->symbols.at[symbol].place = (uint32_t)(graph->places.count - 1);
    return PITH_OK;
}

pith_status graph_copy_symbol(code_graph *graph, const code_graph *from, uint32_t symbol)
{
    graph_node node = graph_node_of(from, symbol);
    uint32_t place = from->symbols.at[symbol].place;
    uint32_t number = (uint32_t)graph->symbols.count;
    return graph_add_symbol(graph, &node) == PITH_OK && place != GRAPH_NONE
               ? graph_set_place(graph, number, &from->places.at[place])
               : graph->fault.status;
}

pith_status graph_set_header(code_graph *graph, pith_text tool, pith_text pack_root)
{
    if (graph->fault.status != PITH_OK)
        return graph->fault.status;
    if (!graph_fits_header(tool) || !graph_fits_header(pack_root)) {
        pith_text wrong = graph_fits_header(tool) ? pack_root : tool;
        return graph_fail(graph, PITH_UNREPRESENTABLE, "invalid_header_value",
                          "\"%s\" is not printable ASCII without spaces",
                          error_quote(wrong.ptr, wrong.len).text);
    }
    const char *kept_tool = graph_keep(graph, tool);
    const char *kept_root = graph_keep(graph, pack_root);
    if ((!kept_tool && tool.len > 0) || (!kept_root && pack_root.len > 0))
        return graph_no_memory(graph);
    graph->tool = text_of(tool.len ? kept_tool : "", tool.len);
    graph->pack_root = text_of(pack_root.len ? kept_root : "", pack_root.len);
    return PITH_OK;
}

graph_head_word graph_find_head_word(pith_text name)
{
    static const char *const words[GRAPH_HEAD_OTHER] = {
        "tool",    "budget", "tokens",    "symbols",   "edges",    "pack_root",
        "session", "delta",  "unchanged", "base_root", "new_root", "profile",
    };
    size_t i = 0;
    while (i < GRAPH_HEAD_OTHER && !text_is(name, words[i]))
        i++;
    return (graph_head_word)i;
}

/* PITH_OK when the field may be added. */
static pith_status graph_check_field(code_graph *graph, pith_text name, pith_text value)
{
    error_excerpt said = error_quote(name.ptr, name.len);
    if (!graph_is_word(name) || memchr(name.ptr, '=', name.len) ||
        graph_find_head_word(name) != GRAPH_HEAD_OTHER) {
        return graph_fail(graph, PITH_UNREPRESENTABLE, "invalid_header_field",
                          "\"%s\" cannot name a further field of the first line",
                          said.text);
    }
    if (value.len > 0 && !graph_is_word(value)) {
        return graph_fail(graph, PITH_UNREPRESENTABLE, "invalid_header_value",
                          "%s= expected a value without white space, found '%s'",
                          said.text, error_quote(value.ptr, value.len).text);
    }
    for (size_t i = 0; i < graph->fields.count; i++) {
        if (text_equal(graph->fields.at[i].name, name)) {
            return graph_fail(graph, PITH_UNREPRESENTABLE, "duplicate_header_field",
                              "%s= stands twice in the first line", said.text);
        }
    }
    if (graph->fields.count == GRAPH_FIELDS_MOST) {
        return graph_fail(graph, PITH_LIMIT, "too_many_fields",
                          "expected at most %d further fields in the first line",
                          GRAPH_FIELDS_MOST);
    }
    return PITH_OK;
}

pith_status graph_add_field(code_graph *graph, pith_text name, pith_text value)
{
    if (graph->fault.status != PITH_OK ||
        graph_check_field(graph, name, value) != PITH_OK)
        return graph->fault.status;
    const char *kept_name = graph_keep(graph, name);
    const char *kept_value = value.len > 0 ? graph_keep(graph, value) : "";
    graph_field *field =
        kept_name && kept_value ? LIST_ADD(&graph->fields, &graph->alloc) : NULL;
    if (!field)
        return graph_no_memory(graph);
    field->name = text_of(kept_name, name.len);
    field->value = text_of(kept_value, value.len);
    return PITH_OK;
}

pith_status graph_add_fields(code_graph *graph, const code_graph *from)
{
    for (size_t i = 0; i < from->fields.count; i++)
        graph_add_field(graph, from->fields.at[i].name, from->fields.at[i].value);
    return graph->fault.status;
}

void graph_truncate(code_graph *graph, size_t count)
{
    hash_table *table = &graph->by_identity;
    assert(graph->shared.count ==
           0); /* or the table of names would have to forget some */
    while (graph->symbols.count > count) {
        /* Nothing was entered after the last one, so its place can be emptied. */
        const graph_symbol *last = &graph->symbols.at[--graph->symbols.count];
        size_t at = hash_first(table, graph_identity_hash(graph, last->hash, last->kind));
        while (table->at[at] != graph->symbols.count)
            at = hash_next(table, at);
        table->at[at] = HASH_NONE;
    }
}

#endif
