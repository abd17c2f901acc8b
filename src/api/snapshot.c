/*
 * snapshot.c - taking, holding and comparing snapshots.
 *
 * A graph is a value with a member `symbols` that is an array; with a key, that is an
 * ordinary set with this name. The root of a graph does not count the status of edges
 * and the places of symbols, and a delta does not carry them: a graph that has any is
 * always told whole.
 */
#include "api/snapshot.h"
#include "doc/spelled.h"

static pith_root snapshot_root_of(const char *root)
{
    pith_root text;
    memset(&text, 0, sizeof text);
    memcpy(text.text, root, ROOT_LEN);
    return text;
}

static bool snapshot_is_graph(pith_value value, pith_text key)
{
    return key.len == 0 &&
           pith_value_kind(pith_value_get(value, "symbols")) == PITH_ARRAY;
}

static pith_status snapshot_graph_of(pith_graph *graph, pith_value value, pith_error *err)
{
    spelled_value spelled;
    if (!spelled_open(&spelled, value.doc, value.at, graph->alloc))
        return error_no_memory(err);
    pith_status status =
        graph_from_doc(graph, spelled.doc, spelled.at, GRAPH_REFUSE_EXTRA);
    spelled_close(&spelled);
    if (status != PITH_OK && err)
        *err = graph->fault;
    return status;
}

pith_status pith_value_root(pith_value value, const char *key,
                            const pith_options *options, pith_root *root, pith_error *err)
{
    keyed_hint hint = {text_from(key), NULL, 0};
    pith_status status;
    if (!value.doc)
        return error_set(err, PITH_BAD_USE, "no_value", "there is no value to hash");
    if (snapshot_is_graph(value, hint.key)) {
        pith_graph graph;
        char text[GRAPH_ROOT_LEN];
        graph_init(&graph, alloc_from(options));
        status = snapshot_graph_of(&graph, value, err);
        if (status == PITH_OK && !graph_root(&graph, text))
            status = error_no_memory(err);
        if (status == PITH_OK)
            *root = snapshot_root_of(text);
        graph_free(&graph);
        return status;
    }
    keyed_set set;
    spelled_value spelled;
    if (!spelled_open(&spelled, value.doc, value.at, alloc_from(options)))
        return error_no_memory(err);
    status = keyed_open(&set, spelled.doc, spelled.at, &hint, alloc_from(options), err);
    if (status == PITH_OK)
        *root = snapshot_root_of(set.root);
    keyed_free(&set);
    spelled_close(&spelled);
    return status;
}

/* ---------------------------------------------------------------------- taking */

/* The hint with texts that live as long as the document; false when out of memory. */
static bool snapshot_keep_hint(pith_doc *doc, keyed_hint *hint)
{
    pith_key *fields = (pith_key *)arena_take_aligned(
        &doc->arena, (hint->field_count + 1) * sizeof *fields);
    const char *key = arena_copy(&doc->arena, hint->key.ptr, hint->key.len);
    bool fine = fields && key;
    for (size_t i = 0; fine && i < hint->field_count; i++) {
        fields[i] = hint->fields[i];
        fields[i].text = arena_copy(&doc->arena, fields[i].text, fields[i].len);
        fine = fields[i].text != NULL;
    }
    if (fine) {
        hint->key.ptr = key;
        hint->fields = fields;
    }
    return fine;
}

pith_status snapshot_adopt(snapshot *held, pith_doc *doc, const keyed_hint *hint,
                           pith_error *err)
{
    keyed_hint kept = *hint;
    memset(held, 0, sizeof *held);
    held->doc = doc;
    held->set.alloc = doc->alloc;
    pith_status status = snapshot_keep_hint(doc, &kept)
                             ? keyed_open(&held->set, doc, 0, &kept, doc->alloc, err)
                             : error_no_memory(err);
    if (status == PITH_OK)
        held->root = snapshot_root_of(held->set.root);
    else
        snapshot_free(held);
    return status;
}

pith_status snapshot_adopt_graph(snapshot *held, pith_graph *graph,
                                 const pith_options *options, pith_error *err)
{
    char root[GRAPH_ROOT_LEN];
    memset(held, 0, sizeof *held);
    held->is_graph = true;
    held->graph = *graph;
    graph_init(graph, graph->alloc);
    held->doc = pith_doc_new(options);
    if (!held->doc) {
        graph_free(&held->graph);
        memset(held, 0, sizeof *held);
        return error_no_memory(err);
    }
    pith_status status = graph_settle(&held->graph) && graph_root(&held->graph, root)
                             ? graph_make_doc(&held->graph, held->doc, NULL, err)
                             : error_no_memory(err);
    if (status == PITH_OK)
        held->root = snapshot_root_of(root);
    else
        snapshot_free(held);
    return status;
}

static pith_status snapshot_take_graph(snapshot *held, pith_value value,
                                       const pith_options *options, pith_error *err)
{
    pith_graph graph;
    graph_init(&graph, alloc_from(options));
    pith_status status = snapshot_graph_of(&graph, value, err);
    if (status == PITH_OK)
        status = snapshot_adopt_graph(held, &graph, options, err);
    graph_free(&graph);
    return status;
}

pith_status snapshot_take(snapshot *held, pith_value value, const keyed_hint *hint,
                          const pith_options *options, pith_error *err)
{
    if (!value.doc)
        return error_set(err, PITH_BAD_USE, "no_value", "there is no value to hold");
    if (snapshot_is_graph(value, hint->key))
        return snapshot_take_graph(held, value, options, err);
    pith_doc *doc = pith_doc_new(options);
    if (!doc)
        return error_no_memory(err);
    pith_doc_add_value(doc, value);
    pith_status status = pith_doc_finish(doc, err);
    if (status != PITH_OK) {
        pith_doc_free(doc);
        return status;
    }
    return snapshot_adopt(held, doc, hint, err);
}

void snapshot_free(snapshot *held)
{
    if (held->doc) {
        if (held->is_graph)
            graph_free(&held->graph);
        else
            keyed_free(&held->set);
        pith_doc_free(held->doc);
    }
    memset(held, 0, sizeof *held);
}

uint64_t snapshot_count(const snapshot *held)
{
    return held->is_graph ? held->graph.symbols.count : held->set.count;
}

/* ------------------------------------------------------------------- comparing */

static bool snapshot_has_more(const pith_graph *graph)
{
    bool more = graph->places.count > 0;
    for (size_t i = 0; i < graph->edges.count && !more; i++)
        more = graph->edges.at[i].status != GRAPH_NONE;
    return more;
}

static pith_status snapshot_compare_graphs(snapshot_change *change, snapshot *base,
                                           snapshot *now, pith_error *err)
{
    if (snapshot_has_more(&base->graph) || snapshot_has_more(&now->graph))
        return PITH_OK;
    change->same = strcmp(base->root.text, now->root.text) == 0;
    change->told = true;
    if (change->same)
        return PITH_OK;
    pith_status status = graph_diff(&change->graph, &base->graph, &now->graph, err);
    if (status == PITH_UNREPRESENTABLE) {
        change->told = false; /* no delta can say it */
        status = PITH_OK;
    }
    return status;
}

pith_status snapshot_compare(snapshot_change *change, snapshot *base, snapshot *now,
                             pith_alloc alloc, pith_error *err)
{
    if (base->is_graph != now->is_graph)
        return PITH_OK;
    if (base->is_graph) {
        delta_init(&change->graph, alloc);
        return snapshot_compare_graphs(change, base, now, err);
    }
    if (!keyed_same_schema(&base->set, &now->set))
        return PITH_OK;
    if (!keyed_compare(&change->set, &base->set, &now->set, alloc))
        return error_no_memory(err);
    const keyed_diff *diff = &change->set;
    change->same = diff->added_count + diff->changed_count + diff->removed_count == 0;
    /* Equal roots, but a gap has become a null or the other way. */
    change->told = change->same || strcmp(base->root.text, now->root.text) != 0;
    return PITH_OK;
}

void snapshot_change_free(snapshot_change *change)
{
    if (change->graph.alloc.resize)
        delta_free(&change->graph);
    if (change->set.list)
        keyed_diff_free(&change->set);
}

/* --------------------------------------------------------------------- answers */

pith_status snapshot_check(const snapshot *held, pith_error *err)
{
    return held->is_graph ? PITH_OK : gcf_delta_check(&held->set, err);
}

pith_status snapshot_write_full(snapshot *held, pith_text tool, pith_out *out,
                                pith_error *err)
{
    pith_graph *graph = &held->graph;
    gcf_graph_form form;
    if (!held->is_graph) {
        gcf_delta_write_full(out, &held->set, tool);
        return PITH_OK;
    }
    memset(&form, 0, sizeof form);
    form.places = graph->places.count > 0;
    pith_text named = graph->tool.len > 0 ? graph->tool : tool;
    if (graph_set_header(graph, named, text_of(held->root.text, ROOT_LEN)) != PITH_OK) {
        if (err)
            *err = graph->fault;
        return graph->fault.status;
    }
    return gcf_graph_write(out, graph, &form) ? PITH_OK : error_no_memory(err);
}

void snapshot_write_unchanged(const snapshot *held, pith_out *out)
{
    pith_text none = {NULL, 0};
    if (held->is_graph) {
        gcf_graph_write_unchanged(out, none, text_of(held->root.text, ROOT_LEN),
                                  held->graph.symbols.count);
    } else {
        gcf_delta_write_unchanged(out, &held->set, none);
    }
}

void snapshot_write_delta(const snapshot *base, const snapshot *now,
                          snapshot_change *change, uint64_t delta_tokens,
                          uint64_t full_tokens, pith_out *out)
{
    const keyed_diff *diff = &change->set;
    if (base->is_graph) {
        change->graph.tokens = delta_tokens;
        change->graph.full_tokens = full_tokens;
        gcf_graph_write_delta(out, &change->graph);
        return;
    }
    gcf_delta delta = {&base->set,
                       {NULL, 0},
                       text_of(base->root.text, ROOT_LEN),
                       text_of(now->root.text, ROOT_LEN),
                       delta_tokens,
                       full_tokens,
                       {&now->set, diff->added, diff->added_count},
                       {&now->set, diff->changed, diff->changed_count},
                       {&base->set, diff->removed, diff->removed_count}};
    gcf_delta_write(out, &delta);
}
