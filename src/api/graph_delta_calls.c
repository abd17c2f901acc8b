/*
 * graph_delta_calls.c - the public calls for roots of graphs and the ways between them.
 */
#include "api/care.h"
#include "format/gcf/gcf_graph.h"

pith_status pith_graph_root(const pith_graph *graph, pith_root *root, pith_error *err)
{
    pith_status status = pith_graph_finish(graph, err);
    if (status != PITH_OK)
        return status;
    if (!graph_root(graph, root->text))
        return error_no_memory(err);
    root->text[GRAPH_ROOT_LEN] = '\0';
    return PITH_OK;
}

pith_status pith_graph_delta(pith_graph *base, pith_graph *next,
                             const pith_options *options, pith_sink sink, pith_error *err)
{
    graph_delta delta;
    api_format to;
    pith_out out;
    pith_status status = pith_graph_finish(base, err);
    if (status == PITH_OK)
        status = pith_graph_finish(next, err);
    if (status == PITH_OK)
        status = api_choose_plain(&to, &gcf_graph_format, "a delta", options, err);
    if (status != PITH_OK)
        return status;
    delta_init(&delta, next->alloc);
    status = graph_settle(base) && graph_settle(next)
                 ? graph_diff(&delta, base, next, err)
                 : error_no_memory(err);
    if (status == PITH_OK) {
        out_init(&out, sink, options);
        gcf_graph_write_delta(&out, &delta);
        status = out_finish(&out, err);
    }
    if (status == PITH_OK)
        api_tell_plain(options, &gcf_graph_format, &out);
    delta_free(&delta);
    return status;
}

pith_status pith_graph_apply(pith_graph *graph, const char *text, size_t len,
                             pith_error *err)
{
    graph_delta delta;
    pith_graph next;
    reporter report;
    pith_text input = text_of(text ? text : "", len);
    pith_status status = pith_graph_finish(graph, err);
    if (status != PITH_OK)
        return status;
    delta_init(&delta, graph->alloc);
    graph_init(&next, graph->alloc);
    report_init(&report, input);
    gcf_graph_read_delta(&delta, input, &report);
    status = report_result(&report, err);
    if (status == PITH_OK)
        status = graph_apply(&next, graph, &delta, err);
    delta_free(&delta);
    if (status == PITH_OK) {
        graph_free(graph);
        *graph = next;
    } else {
        graph_free(&next);
    }
    return status;
}
