/*
 * graph_to_doc.c - a graph becomes an object of symbols and edges.
 *
 * Words come often, so each is put into the document once and copied from slot to slot.
 */
#include "graph/graph_doc.h"

#include "base/num.h"

#ifndef PITH_OMIT_GRAPHS

typedef struct to_work {
    const code_graph *graph;
    pith_doc *doc;
    const pith_text *input; /* names and scores lie in it; NULL: they are copied */
    pith_slot *words;       /* of each word of the graph; kind PITH_NONE until made */
    pith_slot distance;     /* the number written last */
    uint64_t distance_number;
    build_result result;
} to_work;

static bool to_check(to_work *work, build_result result)
{
    if (work->result == BUILD_DONE)
        work->result = result;
    return work->result == BUILD_DONE;
}

static void to_key(to_work *work, graph_member member)
{
    const char *key = graph_members[member].plain;
    if (work->result == BUILD_DONE)
        to_check(work, build_key(work->doc, 0, key, strlen(key)));
}

static void to_open(to_work *work, pith_kind kind)
{
    if (work->result == BUILD_DONE)
        to_check(work, build_open(work->doc, kind));
}

static void to_close(to_work *work)
{
    if (work->result == BUILD_DONE)
        to_check(work, build_close(work->doc));
}

static void to_slot(to_work *work, const pith_slot *from)
{
    pith_slot *slot = work->result == BUILD_DONE ? build_slot(work->doc) : NULL;
    if (!slot) {
        to_check(work, BUILD_NO_MEMORY);
        return;
    }
    *slot = *from;
    build_count(work->doc);
}

/* A scalar in a slot, its text copied unless it may be borrowed. */
static bool to_make(to_work *work, pith_slot *slot, pith_kind kind, pith_text text,
                    bool borrow)
{
    uint8_t flags = kind == PITH_STRING ? build_text_flags(text.ptr, text.len)
                                        : build_number_flags(text.ptr, text.len);
    const char *at = text.ptr;
    if (borrow) {
        flags |= doc_near_end_flag(*work->input, at);
    } else {
        at = arena_copy(&work->doc->arena, text.ptr, text.len);
        if (!at)
            return to_check(work, BUILD_NO_MEMORY);
    }
    slot_set(slot, kind, flags, at, text.len);
    return true;
}

static void to_text(to_work *work, graph_member key, pith_text text, bool borrow)
{
    pith_slot slot;
    to_key(work, key);
    if (work->result == BUILD_DONE && to_make(work, &slot, PITH_STRING, text, borrow))
        to_slot(work, &slot);
}

static void to_number(to_work *work, graph_member key, uint64_t number)
{
    char digits[NUM_UINT64_MAX_LEN];
    to_key(work, key);
    if (work->distance.kind == PITH_NONE || work->distance_number != number) {
        pith_text text = text_of(digits, num_write_uint64(digits, number));
        if (!to_make(work, &work->distance, PITH_INTEGER, text, false))
            return;
        work->distance_number = number;
    }
    to_slot(work, &work->distance);
}

static void to_word(to_work *work, graph_member key, uint32_t word)
{
    pith_slot *slot = &work->words[word];
    to_key(work, key);
    if (slot->kind == PITH_NONE &&
        !to_make(work, slot, PITH_STRING, work->graph->words.at[word].text, false))
        return;
    to_slot(work, slot);
}

/* Scores are those of the input only when the graph was read from one. */
static void to_score(to_work *work, const graph_symbol *symbol)
{
    pith_slot slot;
    pith_text score = graph_score(symbol);
    pith_kind kind = PITH_INTEGER;
    for (size_t i = 0; i < score.len; i++) {
        char c = score.ptr[i];
        kind = c == '.' || c == 'e' || c == 'E' ? PITH_DECIMAL : kind;
    }
    uintptr_t at = (uintptr_t)score.ptr;
    bool inside = work->input && at >= (uintptr_t)work->input->ptr &&
                  at < (uintptr_t)work->input->ptr + work->input->len;
    to_key(work, MEMBER_SCORE);
    if (work->result == BUILD_DONE && to_make(work, &slot, kind, score, inside))
        to_slot(work, &slot);
}

static void to_place(to_work *work, const graph_place *place)
{
    to_text(work, MEMBER_FILE, place->file, false);
    to_number(work, MEMBER_LINE, place->line);
    to_number(work, MEMBER_COLUMN, place->column);
    if (place->end_line > 0) {
        to_number(work, MEMBER_END_LINE, place->end_line);
        to_number(work, MEMBER_END_COLUMN, place->end_column);
    }
}

static void to_symbols(to_work *work)
{
    const code_graph *graph = work->graph;
    to_key(work, MEMBER_SYMBOLS);
    to_open(work, PITH_ARRAY);
    for (size_t i = 0; i < graph->symbols.count && work->result == BUILD_DONE; i++) {
        const graph_symbol *symbol = &graph->symbols.at[i];
        to_open(work, PITH_OBJECT);
        to_text(work, MEMBER_NAME, graph_name(symbol), work->input != NULL);
        to_word(work, MEMBER_KIND, symbol->kind);
        to_score(work, symbol);
        to_word(work, MEMBER_PROVENANCE, symbol->provenance);
        to_number(work, MEMBER_DISTANCE, symbol->distance);
        if (symbol->place != GRAPH_NONE)
            to_place(work, &graph->places.at[symbol->place]);
        to_close(work);
    }
    to_close(work);
}

static void to_end(to_work *work, uint32_t symbol, graph_member key,
                   graph_member kind_key)
{
    const graph_symbol *at = &work->graph->symbols.at[symbol];
    to_text(work, key, graph_name(at), work->input != NULL);
    if (graph_name_is_shared(work->graph, symbol))
        to_word(work, kind_key, at->kind);
}

static void to_edges(to_work *work)
{
    const code_graph *graph = work->graph;
    to_key(work, MEMBER_EDGES);
    to_open(work, PITH_ARRAY);
    for (size_t i = 0; i < graph->edges.count && work->result == BUILD_DONE; i++) {
        const graph_edge *edge = &graph->edges.at[i];
        to_open(work, PITH_OBJECT);
        to_end(work, edge->source, MEMBER_SOURCE, MEMBER_SOURCE_KIND);
        to_end(work, edge->target, MEMBER_TARGET, MEMBER_TARGET_KIND);
        to_word(work, MEMBER_TYPE, edge->type);
        if (edge->status != GRAPH_NONE)
            to_word(work, MEMBER_STATUS, edge->status);
        to_close(work);
    }
    to_close(work);
}

/* The fields of the first line that no other member tells. */
static void to_fields(to_work *work)
{
    const code_graph *graph = work->graph;
    to_key(work, MEMBER_HEADER);
    to_open(work, PITH_OBJECT);
    for (size_t i = 0; i < graph->fields.count && work->result == BUILD_DONE; i++) {
        pith_text name = graph->fields.at[i].name;
        pith_slot slot;
        const char *copy = arena_copy(&work->doc->arena, name.ptr, name.len);
        to_check(work, copy ? build_key(work->doc, build_text_flags(copy, name.len), copy,
                                        name.len)
                            : BUILD_NO_MEMORY);
        if (work->result == BUILD_DONE &&
            to_make(work, &slot, PITH_STRING, graph->fields.at[i].value, false))
            to_slot(work, &slot);
    }
    to_close(work);
}

static void to_header(to_work *work)
{
    const code_graph *graph = work->graph;
    if (graph->tool.len > 0)
        to_text(work, MEMBER_TOOL, graph->tool, false);
    if (graph->tokens > 0)
        to_number(work, MEMBER_TOKENS, graph->tokens);
    if (graph->budget > 0)
        to_number(work, MEMBER_BUDGET, graph->budget);
    if (graph->pack_root.len > 0)
        to_text(work, MEMBER_ROOT, graph->pack_root, false);
    if (graph->fields.count > 0)
        to_fields(work);
}

/* The names of the graph have been learned. */
static build_result graph_to_doc(const code_graph *graph, pith_doc *doc,
                                 const pith_text *input)
{
    size_t words_size = (graph->words.count + 1) * sizeof(pith_slot);
    to_work work = {.graph = graph, .doc = doc, .input = input};
    work.words = (pith_slot *)alloc_zeroed(&doc->alloc, words_size);
    if (!work.words)
        return BUILD_NO_MEMORY;
    to_open(&work, PITH_OBJECT);
    to_header(&work);
    to_symbols(&work);
    to_edges(&work);
    to_close(&work);
    alloc_free(&doc->alloc, work.words, words_size);
    return work.result;
}

pith_status graph_make_doc(code_graph *graph, pith_doc *doc, const pith_text *input,
                           pith_error *err)
{
    build_result result =
        graph_learn_names(graph) ? graph_to_doc(graph, doc, input) : BUILD_NO_MEMORY;
    doc->finished = result == BUILD_DONE;
    if (result == BUILD_DONE)
        return PITH_OK;
    return result == BUILD_NO_MEMORY
               ? error_no_memory(err)
               : error_set(err, PITH_LIMIT, "depth_limit",
                           "nested deeper than the limit of %zu", doc->depth_max);
}

void graph_finish_read(code_graph *graph, pith_doc *doc, const pith_text *input,
                       reporter *report)
{
    pith_error err;
    if (report->count > 0 || graph_make_doc(graph, doc, input, &err) == PITH_OK)
        return;
    if (err.status == PITH_NO_MEMORY)
        report_no_memory(report);
    else
        report_problem(report, err.status, err.code, 0, "%s", err.message);
}

#endif
