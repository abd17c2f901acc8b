/*
 * graph_delta.c - the way from one graph to the next.
 *
 * Symbols are looked up in the other graph by identity. Edges are compared as sorted
 * lists: every symbol of either graph gets one number, that of the new graph, or one
 * after those if it is gone; both lists are counted into the order of these numbers and
 * walked side by side.
 */
#include "graph/graph_delta.h"

#include "base/sort.h"

#ifndef PITH_OMIT_GRAPHS

void delta_init(graph_delta *delta, pith_alloc alloc)
{
    memset(delta, 0, sizeof *delta);
    delta->alloc = alloc;
    delta->tool = text_of("", 0);
    delta->base_root = text_of("", 0);
    delta->new_root = text_of("", 0);
}

void delta_free(graph_delta *delta)
{
    const pith_alloc *alloc = &delta->alloc;
    LIST_FREE(&delta->removed, alloc);
    LIST_FREE(&delta->added, alloc);
    LIST_FREE(&delta->edges_removed, alloc);
    LIST_FREE(&delta->edges_added, alloc);
}

bool delta_add_node(graph_delta *delta, graph_nodes *list, const graph_node *node)
{
    graph_node *added = list->count < GRAPH_MOST ? LIST_ADD(list, &delta->alloc) : NULL;
    if (added)
        *added = *node;
    return added != NULL;
}

bool delta_add_link(graph_delta *delta, graph_links *list, const graph_link *link)
{
    graph_link *added = list->count < GRAPH_MOST ? LIST_ADD(list, &delta->alloc) : NULL;
    if (added)
        *added = *link;
    return added != NULL;
}

/* ---------------------------------------------------------------- sorted lists */

static bool delta_node_before(const void *ctx, uint32_t a, uint32_t b)
{
    const graph_node *left = (const graph_node *)ctx + a;
    const graph_node *right = (const graph_node *)ctx + b;
    int order =
        text_order(graph_abbreviate_kind(left->kind), graph_abbreviate_kind(right->kind));
    return (order ? order : text_order(left->name, right->name)) < 0;
}

static bool delta_link_before(const void *ctx, uint32_t a, uint32_t b)
{
    const graph_link *left = (const graph_link *)ctx + a;
    const graph_link *right = (const graph_link *)ctx + b;
    int order = text_order(left->source, right->source);
    order = order ? order : text_order(left->target, right->target);
    return (order ? order : text_order(left->type, right->type)) < 0;
}

/* Puts `count` items of `size` bytes in order; false when out of memory. */
static bool delta_sort(const pith_alloc *alloc, void *items, size_t count, size_t size,
                       sort_before before)
{
    size_t bytes = count * (sizeof(uint32_t) + size);
    if (count < 2)
        return true;
    uint32_t *numbers = (uint32_t *)alloc_resize(alloc, NULL, 0, bytes);
    bool fine = numbers && sort_indexes(alloc, numbers, count, before, items);
    if (fine) {
        char *copy = (char *)(numbers + count);
        memcpy(copy, items, count * size);
        for (size_t i = 0; i < count; i++)
            memcpy((char *)items + i * size, copy + numbers[i] * size, size);
    }
    alloc_free(alloc, numbers, bytes);
    return fine;
}

static bool delta_sort_all(graph_delta *delta)
{
    const pith_alloc *alloc = &delta->alloc;
    return delta_sort(alloc, delta->removed.at, delta->removed.count, sizeof(graph_node),
                      delta_node_before) &&
           delta_sort(alloc, delta->added.at, delta->added.count, sizeof(graph_node),
                      delta_node_before) &&
           delta_sort(alloc, delta->edges_removed.at, delta->edges_removed.count,
                      sizeof(graph_link), delta_link_before) &&
           delta_sort(alloc, delta->edges_added.at, delta->edges_added.count,
                      sizeof(graph_link), delta_link_before);
}

/* ------------------------------------------------------------------ comparison */

typedef struct delta_work {
    graph_delta *delta;
    code_graph *base;
    code_graph *next;
    uint32_t *ids;        /* of each symbol of the base: its number */
    uint32_t *base_order; /* the edges of either graph, sorted */
    uint32_t *next_order;
    pith_error *err;
} delta_work;

bool graph_same_score(pith_text a, pith_text b)
{
    char left[GRAPH_SCORE_MAX_LEN];
    char right[GRAPH_SCORE_MAX_LEN];
    if (text_equal(a, b))
        return true;
    size_t len = graph_write_canonical(left, a);
    return len == graph_write_canonical(right, b) && memcmp(left, right, len) == 0;
}

static bool delta_same_node(const graph_node *a, const graph_node *b)
{
    return a->distance == b->distance && text_equal(a->provenance, b->provenance) &&
           graph_same_score(a->score, b->score);
}

/* Symbols that are gone or changed, and the numbers of all. */
static bool delta_compare_symbols(delta_work *work)
{
    graph_delta *delta = work->delta;
    size_t gone = work->next->symbols.count;
    for (size_t i = 0; i < work->base->symbols.count; i++) {
        graph_node old = graph_node_of(work->base, (uint32_t)i);
        uint32_t found = graph_find(work->next, old.kind, old.name);
        work->ids[i] = found != GRAPH_NONE ? found : (uint32_t)gone++;
        if (found != GRAPH_NONE) {
            graph_node now = graph_node_of(work->next, found);
            if (delta_same_node(&old, &now))
                continue;
            if (!delta_add_node(delta, &delta->added, &now))
                return false;
        }
        if (!delta_add_node(delta, &delta->removed, &old))
            return false;
    }
    for (size_t i = 0; i < work->next->symbols.count; i++) {
        graph_node now = graph_node_of(work->next, (uint32_t)i);
        if (graph_find(work->base, now.kind, now.name) == GRAPH_NONE &&
            !delta_add_node(delta, &delta->added, &now))
            return false;
    }
    return true;
}

typedef struct delta_triple {
    uint32_t source;
    uint32_t target;
    pith_text type;
} delta_triple;

static int delta_triple_order(const delta_triple *a, const delta_triple *b)
{
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    return text_order(a->type, b->type);
}

static delta_triple delta_triple_of(const code_graph *graph, const uint32_t *ids,
                                    uint32_t edge)
{
    const graph_edge *at = &graph->edges.at[edge];
    delta_triple triple = {ids ? ids[at->source] : at->source,
                           ids ? ids[at->target] : at->target,
                           graph_word_text(graph, at->type)};
    return triple;
}

/* Whether a line that begins with this word is something else: "## removed", "# comment". */
static bool delta_hides_line(pith_text word)
{
    return word.len > 0 && word.ptr[0] == '#' && (word.len == 1 || word.ptr[1] == '#');
}

static pith_status delta_put_edge(delta_work *work, code_graph *graph, graph_links *list,
                                  uint32_t edge)
{
    const graph_edge *at = &graph->edges.at[edge];
    graph_link link = {graph_name(&graph->symbols.at[at->source]),
                       graph_name(&graph->symbols.at[at->target]),
                       graph_word_text(graph, at->type)};
    bool shared = graph_name_is_shared(graph, at->source);
    if (shared || graph_name_is_shared(graph, at->target)) {
        pith_text name = shared ? link.source : link.target;
        return error_set(work->err, PITH_UNREPRESENTABLE, "ambiguous_edge",
                         "an edge of \"%s\" changed, which several kinds are called",
                         error_quote(name.ptr, name.len).text);
    }
    if (delta_hides_line(link.source)) {
        return error_set(work->err, PITH_UNREPRESENTABLE, "ambiguous_edge",
                         "an edge of \"%s\" changed, whose line would be read as a "
                         "heading or a comment",
                         error_quote(link.source.ptr, link.source.len).text);
    }
    return delta_add_link(work->delta, list, &link) ? PITH_OK
                                                    : error_no_memory(work->err);
}

static pith_status delta_twice(delta_work *work, const code_graph *graph, uint32_t edge)
{
    const graph_edge *at = &graph->edges.at[edge];
    pith_text name = graph_name(&graph->symbols.at[at->source]);
    return error_set(work->err, PITH_UNREPRESENTABLE, "duplicate_edge",
                     "an edge of \"%s\" is there twice",
                     error_quote(name.ptr, name.len).text);
}

/* Whether the edge at `at` of a sorted list is the one before it again. */
static bool delta_repeats(const code_graph *graph, const uint32_t *order, size_t at)
{
    if (at == 0)
        return false;
    delta_triple before = delta_triple_of(graph, NULL, order[at - 1]);
    delta_triple triple = delta_triple_of(graph, NULL, order[at]);
    return delta_triple_order(&before, &triple) == 0;
}

static pith_status delta_compare_edges(delta_work *work)
{
    graph_delta *delta = work->delta;
    size_t old = 0;
    size_t now = 0;
    while (old < work->base->edges.count || now < work->next->edges.count) {
        int order = 1;
        if (old < work->base->edges.count) {
            if (delta_repeats(work->base, work->base_order, old))
                return delta_twice(work, work->base, work->base_order[old]);
            order = -1;
        }
        if (now < work->next->edges.count) {
            if (delta_repeats(work->next, work->next_order, now))
                return delta_twice(work, work->next, work->next_order[now]);
            if (order < 0) {
                delta_triple left =
                    delta_triple_of(work->base, work->ids, work->base_order[old]);
                delta_triple right =
                    delta_triple_of(work->next, NULL, work->next_order[now]);
                order = delta_triple_order(&left, &right);
            }
        }
        pith_status status = PITH_OK;
        if (order < 0) {
            status = delta_put_edge(work, work->base, &delta->edges_removed,
                                    work->base_order[old]);
        } else if (order > 0) {
            status = delta_put_edge(work, work->next, &delta->edges_added,
                                    work->next_order[now]);
        }
        if (status != PITH_OK)
            return status;
        old += order <= 0;
        now += order >= 0;
    }
    return PITH_OK;
}

static pith_status delta_work_out(delta_work *work)
{
    if (!graph_learn_names(work->base) || !graph_learn_names(work->next) ||
        !delta_compare_symbols(work) ||
        !graph_order_edges(work->base, work->ids, work->base_order) ||
        !graph_order_edges(work->next, NULL, work->next_order))
        return error_no_memory(work->err);
    pith_status status = delta_compare_edges(work);
    if (status == PITH_OK && !delta_sort_all(work->delta))
        return error_no_memory(work->err);
    return status;
}

pith_status graph_diff(graph_delta *delta, code_graph *base, code_graph *next,
                       pith_error *err)
{
    size_t count = base->symbols.count + base->edges.count + next->edges.count + 1;
    size_t bytes = count * sizeof(uint32_t);
    uint32_t *numbers = (uint32_t *)alloc_resize(&delta->alloc, NULL, 0, bytes);
    if (!numbers)
        return error_no_memory(err);
    delta->tool = next->tool;
    delta_work work = {.delta = delta,
                       .base = base,
                       .next = next,
                       .ids = numbers,
                       .base_order = numbers + base->symbols.count,
                       .next_order = numbers + base->symbols.count + base->edges.count,
                       .err = err};
    pith_status status = delta_work_out(&work);
    alloc_free(&delta->alloc, numbers, bytes);
    return status;
}

#endif
