/*
 * gcf1_graph_delta.c - changes to a graph as GCF 1, written and read.
 *
 *     GCF tool=t delta=true base_root=3f... new_root=a0... tokens=40 savings=80%
 *     ## removed
 *     fn pkg.Old
 *     ## added
 *     @0 fn pkg.New 0.85 rwr
 *     ## edges_removed
 *     pkg.Router -> pkg.Old calls
 *     ## edges_added
 *     pkg.Router -> pkg.New calls
 *
 * Symbols that are added have no distance here. One that the base has keeps the distance it
 * has there, and one that is new is a target; a change for which that is not so is not told
 * as one. Nor is there a line for "unchanged": that is a change without sections.
 */
#include "format/gcf/gcf_graph_lines.h"
#include "format/gcf1/gcf1_graph.h"

#ifndef PITH_OMIT_GRAPHS

/* The distance that a reader of the change gives an added symbol. */
static uint64_t gcf1_delta_distance(const code_graph *base, const graph_node *node)
{
    uint32_t found = graph_find(base, node->kind, node->name);
    return found == GRAPH_NONE ? 0 : base->symbols.at[found].distance;
}

/* -------------------------------------------------------------------- writing */

static bool gcf1_answer_tells(const snapshot *base, const snapshot_change *change)
{
    const graph_delta *delta = &change->graph;
    for (size_t i = 0; i < delta->added.count; i++) {
        const graph_node *node = &delta->added.at[i];
        if (node->distance != gcf1_delta_distance(&base->graph, node))
            return false;
    }
    return true;
}

static pith_text gcf1_answer_tool(const answer_out *job)
{
    const code_graph *graph = &job->now->graph;
    pith_text tool = settings_text(job->set, GCF1_GRAPH_TOOL);
    tool = tool.len > 0 ? tool : job->tool;
    return graph->tool.len > 0 ? graph->tool : tool;
}

static pith_status gcf1_answer_full(const answer_out *job)
{
    code_graph *graph = &job->now->graph;
    pith_text tool = gcf1_answer_tool(job);
    gcf1_graph_form form = {.newer = gcf1_graph_is_newer(job->set)};
    if (tool.len == 0) {
        return error_set(job->err, PITH_UNREPRESENTABLE, "missing_tool",
                         "GCF 1 names the producing tool in its first line, and the "
                         "graph does not say; set tool=NAME");
    }
    if (graph->places.count > 0) {
        return error_set(job->err, PITH_UNREPRESENTABLE, "place_lost",
                         "GCF 1 has no room for the places of symbols in files");
    }
    if (graph_set_header(graph, tool, snapshot_root(job->now, &gcf1_graph_answers)) !=
        PITH_OK)
        return error_copy(&graph->fault, job->err);
    return gcf1_graph_write(job->out, graph, &form) ? PITH_OK : error_no_memory(job->err);
}

static void gcf1_answer_delta(const answer_out *job)
{
    graph_delta *delta = &job->change->graph;
    delta->tool = gcf1_answer_tool(job);
    delta->base_root = snapshot_root(job->base, &gcf1_graph_answers);
    delta->new_root = snapshot_root(job->now, &gcf1_graph_answers);
    delta->tokens = job->delta_tokens;
    delta->full_tokens = job->full_tokens;
    gcf1_graph_write_delta(job->out, delta);
}

/* -------------------------------------------------------------------- reading */

/* A root with or without "sha256:" in front. */
static pith_text gcf1_answer_root(pith_text root)
{
    return text_begins(root, "sha256:") ? text_after(root, GRAPH_ROOT_PREFIX_LEN) : root;
}

/* Reads the first line, which is not indented, and goes after it. */
static bool gcf1_answer_head(gcf_graph_lines *lines, pith_text input, graph_head *head,
                             pith_text *line, reporter *report)
{
    code_graph fields; /* of the first line that mean nothing here */
    *line = text_of(input.ptr, 0);
    memset(head, 0, sizeof *head);
    if (!gcf_graph_lines_init(lines, input, report))
        return false;
    (void)gcf_graph_next_line(lines, line);
    graph_init(&fields, alloc_from(NULL));
    bool read = gcf1_graph_read_answer_head(&fields, *line, head, report);
    graph_free(&fields);
    head->pack_root = gcf1_answer_root(head->pack_root);
    head->base_root = gcf1_answer_root(head->base_root);
    head->new_root = gcf1_answer_root(head->new_root);
    return read;
}

static pith_status gcf1_answer_look(pith_text text, pith_delta_info *to, pith_error *err)
{
    reporter report;
    gcf_graph_lines lines;
    graph_head head;
    pith_text line;
    report_init(&report, text);
    gcf1_answer_head(&lines, text, &head, &line, &report);
    pith_status status = report_result(&report, err);
    return status == PITH_OK ? answer_from_graph(to, &head, text, err) : status;
}

static void gcf1_answer_read_full(code_graph *graph, const answer_in *job,
                                  reporter *report)
{
    settings set = {0};
    graph_in source = {.input = job->text, .set = &set, .report = report, .graph = graph};
    gcf1_graph_read(&source);
}

static void gcf1_answer_read_delta(graph_delta *delta, const answer_in *job,
                                   reporter *report)
{
    gcf_graph_lines lines;
    graph_head head;
    pith_text line;
    if (!gcf1_answer_head(&lines, job->text, &head, &line, report) ||
        !gcf_graph_take_delta_head(delta, &head, line, report))
        return;
    gcf_graph_read_changes(delta, &lines, false);
    if (!job->base->doc || !job->base->is_graph)
        return; /* which is told by its root */
    for (size_t i = 0; i < delta->added.count; i++) {
        graph_node *node = &delta->added.at[i];
        node->distance = gcf1_delta_distance(&job->base->graph, node);
    }
}

static pith_status gcf1_answer_read(const answer_in *job, snapshot *next)
{
    return answer_read_graph(job, &gcf1_graph_answers, gcf1_answer_read_full,
                             gcf1_answer_read_delta, next);
}

const delta_codec gcf1_graph_answers = {
    .of_graphs = true,
    .bare_roots = true,
    .counts = true,
    .tells = gcf1_answer_tells,
    .write_full = gcf1_answer_full,
    .write_delta = gcf1_answer_delta,
    .look = gcf1_answer_look,
    .read = gcf1_answer_read,
};

#endif
