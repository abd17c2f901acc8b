/*
 * graph_answers.c - snapshots that are graphs, and the answers about them.
 */
#include "format/snapshot.h"

#include "doc/spelled.h"

#ifndef PITH_OMIT_GRAPHS

static pith_status snapshot_graph_of(code_graph *graph, pith_value value, pith_error *err)
{
    spelled_value spelled;
    if (!spelled_open(&spelled, value.doc, value.at, graph->alloc))
        return error_no_memory(err);
    graph_from_doc(graph, spelled.doc, spelled.at, GRAPH_REFUSE_EXTRA);
    spelled_close(&spelled);
    return error_copy(&graph->fault, err);
}

pith_status snapshot_graph_root(pith_value value, const pith_options *options,
                                pith_root *root, pith_error *err)
{
    code_graph graph;
    char text[GRAPH_ROOT_LEN];
    graph_init(&graph, alloc_from(options));
    pith_status status = snapshot_graph_of(&graph, value, err);
    if (status == PITH_OK && !graph_root(&graph, text))
        status = error_no_memory(err);
    if (status == PITH_OK)
        *root = snapshot_root_of(text);
    graph_free(&graph);
    return status;
}

pith_status snapshot_adopt_graph(snapshot *held, code_graph *graph,
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

pith_status snapshot_take_graph(snapshot *held, pith_value value,
                                const pith_options *options, pith_error *err)
{
    code_graph graph;
    graph_init(&graph, alloc_from(options));
    pith_status status = snapshot_graph_of(&graph, value, err);
    if (status == PITH_OK)
        status = snapshot_adopt_graph(held, &graph, options, err);
    graph_free(&graph);
    return status;
}

void snapshot_free_graph(snapshot *held)
{
    graph_free(&held->graph);
}

static bool snapshot_has_more(const code_graph *graph)
{
    bool more = graph->places.count > 0;
    for (size_t i = 0; i < graph->edges.count && !more; i++)
        more = graph->edges.at[i].status != GRAPH_NONE;
    return more;
}

pith_status snapshot_compare_graphs(snapshot_change *change, snapshot *base,
                                    snapshot *now, pith_alloc alloc, pith_error *err)
{
    delta_init(&change->graph, alloc);
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

void snapshot_change_free_graph(snapshot_change *change)
{
    if (change->graph.alloc.resize)
        delta_free(&change->graph);
}

/* --------------------------------------------------------------------- answers */

pith_status answer_from_graph(pith_delta_info *info, const graph_head *head,
                              pith_text text, pith_error *err)
{
    if (head->delta && head->unchanged)
        return answer_malformed(err, "expected delta=true or unchanged=true, not both");
    info->kind = head->delta       ? PITH_DELTA_CHANGES
                 : head->unchanged ? PITH_DELTA_UNCHANGED
                                   : PITH_DELTA_FULL;
    info->key = text_of(text.ptr, 0);
    info->base_root = head->base_root;
    info->root = head->delta ? head->new_root : head->pack_root;
    info->session = head->session;
    info->has_count = head->symbols.at != NULL;
    info->count = head->symbols.value;
    return PITH_OK;
}

static pith_status answer_apply_graph(const answer_in *job, const delta_codec *by,
                                      answer_delta_reader read_delta, code_graph *graph)
{
    reporter report;
    graph_delta delta;
    if (job->text.ptr[job->text.len - 1] != '\n') {
        return answer_malformed(
            job->err, "expected a line feed at the end: the last line is cut off");
    }
    report_init(&report, job->text);
    delta_init(&delta, graph->alloc);
    read_delta(&delta, job, &report);
    pith_status status = report_result(&report, job->err);
    if (status == PITH_OK)
        status = answer_check_delta(job, by);
    if (status == PITH_OK)
        status = graph_apply(graph, &job->base->graph, &delta, job->err);
    delta_free(&delta);
    return status;
}

pith_status answer_read_graph(const answer_in *job, const delta_codec *by,
                              answer_graph_reader read_full,
                              answer_delta_reader read_delta, snapshot *next)
{
    reporter report;
    code_graph graph;
    pith_status status;
    graph_init(&graph, alloc_from(job->options));
    if (job->info->kind == PITH_DELTA_CHANGES) {
        status = answer_apply_graph(job, by, read_delta, &graph);
    } else if (job->info->root.len == 0) {
        status = answer_malformed(job->err, "expected pack_root= in the first line");
    } else {
        report_init(&report, job->text);
        read_full(&graph, job, &report);
        status = report_result(&report, job->err);
    }
    if (status == PITH_OK)
        status = snapshot_adopt_graph(next, &graph, job->options, job->err);
    graph_free(&graph);
    return status;
}

#else

/* Nothing is held that is a graph, so there is nothing to compare or to free. */

pith_status snapshot_graph_root(pith_value value, const pith_options *options,
                                pith_root *root, pith_error *err)
{
    (void)value, (void)options, (void)root;
    return error_not_built_in(err, "graphs");
}

pith_status snapshot_take_graph(snapshot *held, pith_value value,
                                const pith_options *options, pith_error *err)
{
    (void)held, (void)value, (void)options;
    return error_not_built_in(err, "graphs");
}

pith_status snapshot_compare_graphs(snapshot_change *change, snapshot *base,
                                    snapshot *now, pith_alloc alloc, pith_error *err)
{
    (void)change, (void)base, (void)now, (void)alloc, (void)err;
    return PITH_OK;
}

void snapshot_free_graph(snapshot *held)
{
    (void)held;
}

void snapshot_change_free_graph(snapshot_change *change)
{
    (void)change;
}

#endif
