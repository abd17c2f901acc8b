/*
 * graph_apply.c - going the way a delta says, all of it or not at all.
 *
 * The new graph is made beside the base. What the delta removes is marked in the base
 * first; then what stays is copied and what is new is added. Every operation is checked against the base and against the other
 * operations, so that a delta that contradicts itself is refused even if its result would
 * be right.
 *
 * Edges that are removed or added are found through a small table of just those: all
 * others pass it once.
 */
#include "graph/graph_delta.h"

#ifndef PITH_OMIT_GRAPHS

/* An edge by the numbers of its ends and of its type. */
typedef struct apply_triple {
    uint32_t source;
    uint32_t target;
    uint32_t type;
    bool met; /* in the base */
} apply_triple;

typedef struct apply_set {
    LIST(apply_triple) list;
    hash_table table;
    uint64_t seed;
} apply_set;

typedef struct apply_work {
    pith_alloc alloc;
    code_graph *next;
    code_graph *base;
    const graph_delta *delta;
    uint8_t *gone;     /* of each symbol of the base: it is removed */
    uint32_t *numbers; /* of each symbol of the base: its number in the new graph */
    pith_error *err;
} apply_work;

/* -------------------------------------------------------------- sets of triples */

/* Where the triple is in the table, or belongs. */
static size_t apply_slot(const apply_set *set, const apply_triple *triple)
{
    const hash_table *table = &set->table;
    uint64_t ends = (uint64_t)triple->source << 32 | triple->target;
    size_t at = hash_first(table, hash_number(set->seed + triple->type, ends));
    for (; table->at[at] != HASH_NONE; at = hash_next(table, at)) {
        const apply_triple *found = &set->list.at[table->at[at]];
        if (found->source == triple->source && found->target == triple->target &&
            found->type == triple->type)
            break;
    }
    return at;
}

/* Room for as many triples; false when out of memory. */
static bool apply_set_init(apply_set *set, const pith_alloc *alloc, size_t most)
{
    bool moved;
    memset(set, 0, sizeof *set);
    set->seed = hash_seed(*alloc);
    return LIST_RESERVE(&set->list, alloc, most) &&
           hash_table_reserve(&set->table, alloc, most, &moved);
}

static void apply_set_free(apply_set *set, const pith_alloc *alloc)
{
    LIST_FREE(&set->list, alloc);
    hash_table_free(&set->table, alloc);
}

/* False when it is there already. */
static bool apply_set_add(apply_set *set, const apply_triple *triple)
{
    size_t at = apply_slot(set, triple);
    if (set->table.at[at] != HASH_NONE)
        return false;
    assert(set->list.count < set->list.cap);
    set->table.at[at] = (uint32_t)set->list.count;
    set->list.at[set->list.count++] = *triple;
    return true;
}

/* The number of an edge in the set, or GRAPH_NONE. */
static uint32_t apply_set_find(const apply_set *set, const graph_edge *edge)
{
    apply_triple triple = {edge->source, edge->target, edge->type, false};
    return set->list.count ? set->table.at[apply_slot(set, &triple)] : GRAPH_NONE;
}

/* -------------------------------------------------------------------- refusals */

static pith_status apply_refuse_node(apply_work *work, const graph_node *node,
                                     const char *why)
{
    pith_text kind = graph_abbreviate_kind(node->kind);
    return error_set(work->err, PITH_BAD_INPUT, "delta_invalid", "%s %s %s",
                     error_quote(kind.ptr, kind.len).text,
                     error_quote(node->name.ptr, node->name.len).text, why);
}

static pith_status apply_refuse_link(apply_work *work, const graph_link *link,
                                     const char *why)
{
    return error_set(work->err, PITH_BAD_INPUT, "delta_invalid", "%s -> %s %s %s",
                     error_quote(link->source.ptr, link->source.len).text,
                     error_quote(link->target.ptr, link->target.len).text,
                     error_quote(link->type.ptr, link->type.len).text, why);
}

static pith_status apply_failed(apply_work *work)
{
    if (work->err && work->next->fault.status != PITH_OK)
        *work->err = work->next->fault;
    return work->next->fault.status != PITH_OK ? work->next->fault.status
                                               : error_no_memory(work->err);
}

/* --------------------------------------------------------------------- symbols */

static pith_status apply_mark_removed(apply_work *work)
{
    const graph_nodes *removed = &work->delta->removed;
    for (size_t i = 0; i < removed->count; i++) {
        const graph_node *node = &removed->at[i];
        uint32_t found = graph_find(work->base, node->kind, node->name);
        if (found == GRAPH_NONE)
            return apply_refuse_node(work, node, "is removed and does not exist");
        if (work->gone[found])
            return apply_refuse_node(work, node, "is removed twice");
        work->gone[found] = 1;
    }
    return PITH_OK;
}

static pith_status apply_copy_symbols(apply_work *work)
{
    code_graph *next = work->next;
    for (size_t i = 0; i < work->base->symbols.count; i++) {
        work->numbers[i] = GRAPH_NONE;
        if (work->gone[i])
            continue;
        work->numbers[i] = (uint32_t)next->symbols.count;
        if (graph_copy_symbol(next, work->base, (uint32_t)i) != PITH_OK)
            return apply_failed(work);
    }
    return PITH_OK;
}

static pith_status apply_add_symbols(apply_work *work)
{
    const graph_nodes *added = &work->delta->added;
    for (size_t i = 0; i < added->count; i++) {
        const graph_node *node = &added->at[i];
        uint32_t old = graph_find(work->base, node->kind, node->name);
        if (old != GRAPH_NONE && !work->gone[old])
            return apply_refuse_node(work, node, "is added and already exists");
        if (graph_find(work->next, node->kind, node->name) != GRAPH_NONE)
            return apply_refuse_node(work, node, "is added twice");
        if (old != GRAPH_NONE)
            work->numbers[old] = (uint32_t)work->next->symbols.count;
        if (graph_add_symbol(work->next, node) != PITH_OK)
            return apply_failed(work);
    }
    return PITH_OK;
}

/* ----------------------------------------------------------------------- edges */

/* The ends of a link in a graph. */
static pith_status apply_resolve(apply_work *work, code_graph *graph,
                                 const graph_link *link, apply_triple *triple)
{
    bool shared[2];
    triple->source = graph_find_name(graph, link->source, &shared[0]);
    triple->target = graph_find_name(graph, link->target, &shared[1]);
    if (graph->fault.status != PITH_OK)
        return error_no_memory(work->err);
    if (shared[0] || shared[1])
        return apply_refuse_link(work, link, "names what several kinds are called");
    if (triple->source == GRAPH_NONE || triple->target == GRAPH_NONE)
        return apply_refuse_link(work, link, "names a symbol that does not exist");
    return PITH_OK;
}

static pith_status apply_collect_removed(apply_work *work, apply_set *set)
{
    const graph_links *removed = &work->delta->edges_removed;
    for (size_t i = 0; i < removed->count; i++) {
        apply_triple triple = {0};
        pith_status status = apply_resolve(work, work->base, &removed->at[i], &triple);
        if (status != PITH_OK)
            return status;
        triple.type = graph_find_word(work->base, removed->at[i].type);
        if (!apply_set_add(set, &triple))
            return apply_refuse_link(work, &removed->at[i], "is removed twice");
    }
    return PITH_OK;
}

static pith_status apply_copy_edge(apply_work *work, const graph_edge *edge)
{
    const code_graph *base = work->base;
    uint32_t source = work->numbers[edge->source];
    uint32_t target = work->numbers[edge->target];
    pith_text type = graph_word_text(base, edge->type);
    if (source == GRAPH_NONE || target == GRAPH_NONE) {
        graph_link link = {graph_name(&base->symbols.at[edge->source]),
                           graph_name(&base->symbols.at[edge->target]), type};
        return apply_refuse_link(work, &link, "stays and one of its ends is removed");
    }
    pith_text status = graph_word_text(base, edge->status);
    return graph_add_edge(work->next, source, target, type, status) == PITH_OK
               ? PITH_OK
               : apply_failed(work);
}

static pith_status apply_copy_edges(apply_work *work, apply_set *removed)
{
    const code_graph *base = work->base;
    for (size_t i = 0; i < base->edges.count; i++) {
        const graph_edge *edge = &base->edges.at[i];
        uint32_t found = apply_set_find(removed, edge);
        if (found != GRAPH_NONE) {
            removed->list.at[found].met = true;
            continue;
        }
        pith_status status = apply_copy_edge(work, edge);
        if (status != PITH_OK)
            return status;
    }
    for (size_t i = 0; i < removed->list.count; i++) {
        if (!removed->list.at[i].met) {
            return apply_refuse_link(work, &work->delta->edges_removed.at[i],
                                     "is removed and does not exist");
        }
    }
    return PITH_OK;
}

static pith_status apply_add_edges(apply_work *work, apply_set *set)
{
    code_graph *next = work->next;
    const graph_links *added = &work->delta->edges_added;
    pith_text none = {"", 0};
    size_t kept = next->edges.count;
    for (size_t i = 0; i < added->count; i++) {
        apply_triple triple = {0};
        pith_status status = apply_resolve(work, next, &added->at[i], &triple);
        if (status != PITH_OK)
            return status;
        if (graph_add_edge(next, triple.source, triple.target, added->at[i].type, none) !=
            PITH_OK)
            return apply_failed(work);
        triple.type = next->edges.at[next->edges.count - 1].type;
        if (!apply_set_add(set, &triple))
            return apply_refuse_link(work, &added->at[i], "is added twice");
    }
    for (size_t i = 0; i < kept; i++) {
        uint32_t found = apply_set_find(set, &next->edges.at[i]);
        if (found != GRAPH_NONE) {
            return apply_refuse_link(work, &added->at[found],
                                     "is added and already exists");
        }
    }
    return PITH_OK;
}

/* --------------------------------------------------------------------- all of it */

static pith_status apply_edges(apply_work *work)
{
    apply_set removed;
    apply_set added;
    bool fine = apply_set_init(&removed, &work->alloc, work->delta->edges_removed.count);
    fine = apply_set_init(&added, &work->alloc, work->delta->edges_added.count) && fine;
    pith_status status =
        fine ? apply_collect_removed(work, &removed) : error_no_memory(work->err);
    if (status == PITH_OK)
        status = apply_copy_edges(work, &removed);
    if (status == PITH_OK)
        status = apply_add_edges(work, &added);
    apply_set_free(&removed, &work->alloc);
    apply_set_free(&added, &work->alloc);
    return status;
}

static pith_status apply_header(apply_work *work)
{
    const graph_delta *delta = work->delta;
    pith_text tool = delta->tool.len > 0 ? delta->tool : work->base->tool;
    work->next->budget = work->base->budget;
    work->next->tokens = work->base->tokens;
    graph_set_header(work->next, tool, delta->new_root);
    return graph_add_fields(work->next, work->base) == PITH_OK ? PITH_OK
                                                               : apply_failed(work);
}

static pith_status apply_steps(apply_work *work)
{
    static pith_status (*const steps[])(apply_work *) = {
        apply_mark_removed, apply_copy_symbols, apply_add_symbols, apply_edges,
        apply_header};
    pith_status status = PITH_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == PITH_OK; i++)
        status = steps[i](work);
    return status;
}

pith_status graph_apply(code_graph *next, code_graph *base, const graph_delta *delta,
                        pith_error *err)
{
    const pith_alloc *alloc = &next->alloc;
    size_t count = base->symbols.count + 1;
    assert(next->symbols.count == 0);
    apply_work work = {*alloc, next, base, delta, NULL, NULL, err};
    work.gone = (uint8_t *)alloc_zeroed(alloc, count);
    work.numbers = (uint32_t *)alloc_resize(alloc, NULL, 0, count * sizeof(uint32_t));
    pith_status status =
        work.gone && work.numbers ? apply_steps(&work) : error_no_memory(err);
    alloc_free(alloc, work.gone, count);
    alloc_free(alloc, work.numbers, count * sizeof(uint32_t));
    if (status != PITH_OK)
        graph_reset(next);
    return status;
}

#endif
