/*
 * graph_to_doc.c - a graph becomes an object of symbols and edges.
 *
 * Words come often, so each is put into the document once and copied from slot to slot.
 */
#include "graph/graph_doc.h"

#include "base/num.h"

/* With room behind each, because short texts are copied 16 bytes at a time. */
enum { TO_KEY_ROOM = 32 };

typedef struct to_key_texts {
    char tool[TO_KEY_ROOM];
    char tokens_used[TO_KEY_ROOM];
    char token_budget[TO_KEY_ROOM];
    char pack_root[TO_KEY_ROOM];
    char header[TO_KEY_ROOM];
    char symbols[TO_KEY_ROOM];
    char edges[TO_KEY_ROOM];
    char qualified_name[TO_KEY_ROOM];
    char kind[TO_KEY_ROOM];
    char score[TO_KEY_ROOM];
    char provenance[TO_KEY_ROOM];
    char distance[TO_KEY_ROOM];
    char file[TO_KEY_ROOM];
    char line[TO_KEY_ROOM];
    char column[TO_KEY_ROOM];
    char end_line[TO_KEY_ROOM];
    char end_column[TO_KEY_ROOM];
    char source[TO_KEY_ROOM];
    char target[TO_KEY_ROOM];
    char source_kind[TO_KEY_ROOM];
    char target_kind[TO_KEY_ROOM];
    char edge_type[TO_KEY_ROOM];
    char status[TO_KEY_ROOM];
} to_key_texts;

static const to_key_texts to_keys = {
    "tool",   "tokens_used",    "token_budget", "pack_root", "header",     "symbols",
    "edges",  "qualified_name", "kind",         "score",     "provenance", "distance",
    "file",   "line",           "column",       "end_line",  "end_column", "source",
    "target", "source_kind",    "target_kind",  "edge_type", "status",
};

typedef struct to_work {
    const pith_graph *graph;
    pith_doc *doc;
    const pith_text *input; /* names and scores lie in it; NULL: they are copied */
    pith_slot *words;       /* of each word of the graph; kind PITH_NONE until made */
    pith_slot distance;     /* the number written last */
    uint64_t distance_number;
    build_result result;
} to_work;

static bool to_check(to_work *work, build_result result)
{
    if (work->result == BUILD_DONE) {
        work->result = result;
    }
    return work->result == BUILD_DONE;
}

static void to_key(to_work *work, const char *key)
{
    if (work->result == BUILD_DONE) {
        to_check(work, build_key(work->doc, 0, key, strlen(key)));
    }
}

static void to_open(to_work *work, pith_kind kind)
{
    if (work->result == BUILD_DONE) {
        to_check(work, build_open(work->doc, kind));
    }
}

static void to_close(to_work *work)
{
    if (work->result == BUILD_DONE) {
        to_check(work, build_close(work->doc));
    }
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
        flags |= doc_tail_flag(*work->input, at);
    } else {
        at = arena_copy(&work->doc->arena, text.ptr, text.len);
        if (!at) {
            return to_check(work, BUILD_NO_MEMORY);
        }
    }
    slot_set(slot, kind, flags, at, text.len);
    return true;
}

static void to_text(to_work *work, const char *key, pith_text text, bool borrow)
{
    pith_slot slot;
    to_key(work, key);
    if (work->result == BUILD_DONE && to_make(work, &slot, PITH_STRING, text, borrow)) {
        to_slot(work, &slot);
    }
}

static void to_number(to_work *work, const char *key, uint64_t number)
{
    char digits[NUM_UINT64_MAX_LEN];
    to_key(work, key);
    if (work->distance.kind == PITH_NONE || work->distance_number != number) {
        pith_text text = text_of(digits, num_write_uint64(digits, number));
        if (!to_make(work, &work->distance, PITH_INTEGER, text, false)) {
            return;
        }
        work->distance_number = number;
    }
    to_slot(work, &work->distance);
}

static void to_word(to_work *work, const char *key, uint32_t word)
{
    pith_slot *slot = &work->words[word];
    to_key(work, key);
    if (slot->kind == PITH_NONE &&
        !to_make(work, slot, PITH_STRING, work->graph->words.at[word].text, false)) {
        return;
    }
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
    to_key(work, to_keys.score);
    if (work->result == BUILD_DONE && to_make(work, &slot, kind, score, inside)) {
        to_slot(work, &slot);
    }
}

static void to_place(to_work *work, const graph_place *place)
{
    to_text(work, to_keys.file, place->file, false);
    to_number(work, to_keys.line, place->line);
    to_number(work, to_keys.column, place->column);
    if (place->end_line > 0) {
        to_number(work, to_keys.end_line, place->end_line);
        to_number(work, to_keys.end_column, place->end_column);
    }
}

static void to_symbols(to_work *work)
{
    const pith_graph *graph = work->graph;
    to_key(work, to_keys.symbols);
    to_open(work, PITH_ARRAY);
    for (size_t i = 0; i < graph->symbols.count && work->result == BUILD_DONE; i++) {
        const graph_symbol *symbol = &graph->symbols.at[i];
        to_open(work, PITH_OBJECT);
        to_text(work, to_keys.qualified_name, graph_name(symbol), work->input != NULL);
        to_word(work, to_keys.kind, symbol->kind);
        to_score(work, symbol);
        to_word(work, to_keys.provenance, symbol->provenance);
        to_number(work, to_keys.distance, symbol->distance);
        if (symbol->place != GRAPH_NONE) {
            to_place(work, &graph->places.at[symbol->place]);
        }
        to_close(work);
    }
    to_close(work);
}

static void to_end(to_work *work, uint32_t symbol, const char *key, const char *kind_key)
{
    const graph_symbol *at = &work->graph->symbols.at[symbol];
    to_text(work, key, graph_name(at), work->input != NULL);
    if (graph_name_is_shared(work->graph, symbol)) {
        to_word(work, kind_key, at->kind);
    }
}

static void to_edges(to_work *work)
{
    const pith_graph *graph = work->graph;
    to_key(work, to_keys.edges);
    to_open(work, PITH_ARRAY);
    for (size_t i = 0; i < graph->edges.count && work->result == BUILD_DONE; i++) {
        const graph_edge *edge = &graph->edges.at[i];
        to_open(work, PITH_OBJECT);
        to_end(work, edge->source, to_keys.source, to_keys.source_kind);
        to_end(work, edge->target, to_keys.target, to_keys.target_kind);
        to_word(work, to_keys.edge_type, edge->type);
        if (edge->status != GRAPH_NONE) {
            to_word(work, to_keys.status, edge->status);
        }
        to_close(work);
    }
    to_close(work);
}

/* The fields of the first line that no other member tells. */
static void to_fields(to_work *work)
{
    const pith_graph *graph = work->graph;
    to_key(work, to_keys.header);
    to_open(work, PITH_OBJECT);
    for (size_t i = 0; i < graph->fields.count && work->result == BUILD_DONE; i++) {
        pith_text name = graph->fields.at[i].name;
        pith_slot slot;
        const char *copy = arena_copy(&work->doc->arena, name.ptr, name.len);
        to_check(work, copy ? build_key(work->doc, build_text_flags(copy, name.len), copy,
                                        name.len)
                            : BUILD_NO_MEMORY);
        if (work->result == BUILD_DONE &&
            to_make(work, &slot, PITH_STRING, graph->fields.at[i].value, false)) {
            to_slot(work, &slot);
        }
    }
    to_close(work);
}

static void to_header(to_work *work)
{
    const pith_graph *graph = work->graph;
    if (graph->tool.len > 0) {
        to_text(work, to_keys.tool, graph->tool, false);
    }
    if (graph->tokens > 0) {
        to_number(work, to_keys.tokens_used, graph->tokens);
    }
    if (graph->budget > 0) {
        to_number(work, to_keys.token_budget, graph->budget);
    }
    if (graph->pack_root.len > 0) {
        to_text(work, to_keys.pack_root, graph->pack_root, false);
    }
    if (graph->fields.count > 0) {
        to_fields(work);
    }
}

build_result graph_to_doc(const pith_graph *graph, pith_doc *doc, const pith_text *input)
{
    to_work work;
    size_t words_size = (graph->words.count + 1) * sizeof(pith_slot);
    memset(&work, 0, sizeof work);
    work.graph = graph;
    work.doc = doc;
    work.input = input;
    work.words = (pith_slot *)alloc_zeroed(&doc->alloc, words_size);
    if (!work.words) {
        return BUILD_NO_MEMORY;
    }
    to_open(&work, PITH_OBJECT);
    to_header(&work);
    to_symbols(&work);
    to_edges(&work);
    to_close(&work);
    alloc_free(&doc->alloc, work.words, words_size);
    return work.result;
}

pith_status graph_make_doc(pith_graph *graph, pith_doc *doc, pith_error *err)
{
    build_result result =
        graph_learn_names(graph) ? graph_to_doc(graph, doc, NULL) : BUILD_NO_MEMORY;
    doc->finished = result == BUILD_DONE;
    if (result == BUILD_DONE) {
        return PITH_OK;
    }
    return result == BUILD_NO_MEMORY
               ? error_no_memory(err)
               : error_set(err, PITH_LIMIT, "depth_limit",
                           "nested deeper than the limit of %zu", doc->depth_max);
}
