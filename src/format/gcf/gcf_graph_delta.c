/*
 * gcf_graph_delta.c - changes to a graph, written and read.
 *
 *     GCF profile=graph delta=true base_root=sha256:... new_root=sha256:...
 *     ## removed
 *     fn pkg.Old
 *     ## added
 *     @0 fn pkg.New 0.85 rwr 1
 *     ## edges_removed
 *     pkg.Router -> pkg.Old calls
 *     ## edges_added
 *     pkg.Router -> pkg.New calls
 *
 * Sections may come in any order. What they mean together is for graph_apply to say.
 */
#include "format/gcf/gcf_graph.h"

#include "base/num.h"
#include "format/gcf/gcf_graph_lines.h"
#include "graph/graph_lines.h"

#include <math.h>

#ifndef PITH_OMIT_GRAPHS

/* --------------------------------------------------------------------- writing */

/* What the delta saves, in percent, half to even; negative if it saves nothing. Each step
 * is a double of its own: some machines keep more digits within an expression, and the
 * halves would then lie elsewhere. */
static long gcf_graph_savings(const graph_delta *delta)
{
    double part = (double)delta->tokens / (double)delta->full_tokens;
    double saved = 1.0 - part;
    double savings = 100.0 * saved;
    double below = floor(savings);
    double rest = savings - below;
    bool up = rest > 0.5 || (rest == 0.5 && fmod(below, 2.0) != 0.0);
    return (long)(below + (up ? 1.0 : 0.0));
}

void gcf_graph_write_delta(pith_out *out, const graph_delta *delta)
{
    out_string(out, "GCF profile=graph");
    if (delta->tool.len > 0)
        out_field(out, "tool", delta->tool);
    out_string(out, " delta=true");
    out_field(out, "base_root", delta->base_root);
    out_field(out, "new_root", delta->new_root);
    if (delta->tokens > 0 || delta->full_tokens > 0)
        out_count_field(out, "tokens", delta->tokens);
    if (delta->full_tokens > 0) {
        char digits[NUM_INT64_MAX_LEN];
        size_t len = num_write_int64(digits, gcf_graph_savings(delta));
        out_field(out, "savings", text_of(digits, len));
        out_byte(out, '%');
    }
    out_byte(out, '\n');
    graph_put_changes(out, delta, true);
}

/* --------------------------------------------------------------------- reading */

typedef enum gcf_delta_part {
    GCF_DELTA_NOWHERE,
    GCF_DELTA_REMOVED,
    GCF_DELTA_ADDED,
    GCF_DELTA_EDGES_REMOVED,
    GCF_DELTA_EDGES_ADDED
} gcf_delta_part;

typedef struct gcf_delta_reader {
    graph_delta *delta;
    gcf_graph_lines *lines;
    bool distances; /* added symbols end with theirs */
    gcf_graph_section section;
    gcf_delta_part part;
} gcf_delta_reader;

static bool gcf_delta_bad(gcf_delta_reader *r, pith_text at, const char *expected)
{
    return report_expected(r->lines->report, "malformed_delta", at, expected);
}

static bool gcf_delta_keep(gcf_delta_reader *r, bool kept)
{
    if (!kept)
        report_no_memory(r->lines->report);
    return kept;
}

static bool gcf_delta_read_removed(gcf_delta_reader *r, pith_text line)
{
    graph_node node = {0};
    pith_text rest = line;
    node.kind = graph_expand_kind(gcf_graph_field(&rest));
    node.name = gcf_graph_field(&rest);
    if (node.name.len == 0 || rest.len > 0)
        return gcf_delta_bad(r, line, "kind and name");
    return gcf_delta_keep(r, delta_add_node(r->delta, &r->delta->removed, &node));
}

static bool gcf_delta_read_added(gcf_delta_reader *r, pith_text line)
{
    graph_node node;
    uint64_t id;
    pith_text rest = line;
    pith_text field = gcf_graph_field(&rest);
    node.kind = graph_expand_kind(gcf_graph_field(&rest));
    node.name = gcf_graph_field(&rest);
    node.score = gcf_graph_field(&rest);
    node.provenance = gcf_graph_field(&rest);
    pith_text distance = r->distances ? gcf_graph_field(&rest) : node.provenance;
    if (distance.len == 0 || rest.len > 0)
        return gcf_delta_bad(r, line,
                             r->distances ? "@id kind name score provenance distance"
                                          : "@id kind name score provenance");
    if (!gcf_graph_read_id(r->lines, field, &id) ||
        !gcf_graph_read_score(r->lines, node.score, &node.score))
        return false;
    if (id != r->delta->added.count) {
        report_bad(r->lines->report, "invalid_symbol_id",
                   gcf_graph_at(r->lines, field.ptr), "expected @%zu, ids count from 0",
                   r->delta->added.count);
        return false;
    }
    node.distance = 0;
    if (r->distances &&
        (!gcf_graph_number(distance, &node.distance) || node.distance == UINT64_MAX))
        return gcf_delta_bad(r, distance, "a distance");
    return gcf_delta_keep(r, delta_add_node(r->delta, &r->delta->added, &node));
}

static bool gcf_delta_read_link(gcf_delta_reader *r, pith_text line, graph_links *links)
{
    graph_link link;
    pith_text rest = line;
    link.source = gcf_graph_field(&rest);
    pith_text arrow = gcf_graph_field(&rest);
    link.target = gcf_graph_field(&rest);
    link.type = gcf_graph_field(&rest);
    if (!text_is(arrow, "->") || link.type.len == 0 || rest.len > 0)
        return gcf_delta_bad(r, line, "source -> target type");
    return gcf_delta_keep(r, delta_add_link(r->delta, links, &link));
}

static void gcf_delta_open_section(gcf_delta_reader *r, pith_text line)
{
    static const char *const names[] = {"removed", "added", "edges_removed",
                                        "edges_added"};
    gcf_graph_end_section(r->lines, &r->section);
    r->part = GCF_DELTA_NOWHERE;
    if (!gcf_graph_read_section(r->lines, line, &r->section))
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (text_is(r->section.name, names[i])) {
            r->part = (gcf_delta_part)(GCF_DELTA_REMOVED + (int)i);
            return;
        }
    }
    gcf_delta_bad(r, r->section.name, "removed, added, edges_removed or edges_added");
}

static void gcf_delta_read_line(gcf_delta_reader *r, pith_text line)
{
    if (text_begins(line, "##")) {
        gcf_delta_open_section(r, line);
        return;
    }
    switch (r->part) {
    case GCF_DELTA_NOWHERE:
        gcf_delta_bad(r, line, "'## removed' or another section first");
        return;
    case GCF_DELTA_REMOVED:
        gcf_delta_read_removed(r, line);
        break;
    case GCF_DELTA_ADDED:
        gcf_delta_read_added(r, line);
        break;
    case GCF_DELTA_EDGES_REMOVED:
        gcf_delta_read_link(r, line, &r->delta->edges_removed);
        break;
    case GCF_DELTA_EDGES_ADDED:
        gcf_delta_read_link(r, line, &r->delta->edges_added);
        break;
    }
    gcf_graph_count_line(r->lines, &r->section, line);
}

void gcf_graph_read_changes(graph_delta *delta, gcf_graph_lines *lines, bool distances)
{
    gcf_delta_reader r = {.delta = delta, .lines = lines, .distances = distances};
    pith_text line;
    while (gcf_graph_next_line(lines, &line))
        gcf_delta_read_line(&r, line);
    if (!lines->report->stopped)
        gcf_graph_end_section(lines, &r.section);
}

bool gcf_graph_take_delta_head(graph_delta *delta, const graph_head *head, pith_text line,
                               reporter *report)
{
    static const char code[] = "malformed_delta";
    if (!head->delta)
        return report_expected(report, code, line, "delta=true in the first line");
    if (head->base_root.len == 0 || head->new_root.len == 0) {
        return report_expected(report, code, line,
                               "base_root= and new_root= in the first line");
    }
    delta->tool = head->tool.len > 0 ? head->tool : delta->tool;
    delta->base_root = head->base_root;
    delta->new_root = head->new_root;
    delta->tokens = head->tokens.value;
    return true;
}

void gcf_graph_read_delta(graph_delta *delta, pith_text input, reporter *report)
{
    graph_head head;
    gcf_graph_lines lines;
    if (!gcf_graph_lines_init(&lines, input, report))
        return;
    const char *start = lines.lines.next;
    if (gcf_graph_read_head(&lines, &head, NULL) &&
        gcf_graph_take_delta_head(
            delta, &head, text_of(start, (size_t)(lines.last_end - start)), report))
        gcf_graph_read_changes(delta, &lines, true);
}

/* --------------------------------------------------------------------- answers */

static pith_status gcf_graph_answer_full(const answer_out *job)
{
    code_graph *graph = &job->now->graph;
    gcf_graph_form form = {.places = graph->places.count > 0};
    pith_text tool = graph->tool.len > 0 ? graph->tool : job->tool;
    pith_text root = snapshot_root(job->now, &gcf_graph_answers);
    if (graph_set_header(graph, tool, root) != PITH_OK)
        return error_copy(&graph->fault, job->err);
    return gcf_graph_write(job->out, graph, &form) ? PITH_OK : error_no_memory(job->err);
}

static void gcf_graph_answer_unchanged(const answer_out *job)
{
    out_string(job->out, "GCF profile=graph unchanged=true");
    out_field(job->out, "pack_root", snapshot_root(job->now, &gcf_graph_answers));
    out_count_field(job->out, "symbols", job->now->graph.symbols.count);
    out_byte(job->out, '\n');
}

static void gcf_graph_answer_delta(const answer_out *job)
{
    graph_delta *delta = &job->change->graph;
    delta->base_root = snapshot_root(job->base, &gcf_graph_answers);
    delta->new_root = snapshot_root(job->now, &gcf_graph_answers);
    delta->tokens = job->delta_tokens;
    delta->full_tokens = job->full_tokens;
    gcf_graph_write_delta(job->out, delta);
}

static pith_status gcf_graph_answer_look(pith_text text, pith_delta_info *to,
                                         pith_error *err)
{
    reporter report;
    gcf_graph_lines lines;
    graph_head head = {0};
    report_init(&report, text);
    if (gcf_graph_lines_init(&lines, text, &report))
        gcf_graph_read_head(&lines, &head, NULL);
    pith_status status = report_result(&report, err);
    return status == PITH_OK ? answer_from_graph(to, &head, text, err) : status;
}

static void gcf_graph_answer_read_full(code_graph *graph, const answer_in *job,
                                       reporter *report)
{
    graph_in source = {.input = job->text, .report = report, .graph = graph};
    gcf_graph_read(&source);
}

static void gcf_graph_answer_read_delta(graph_delta *delta, const answer_in *job,
                                        reporter *report)
{
    gcf_graph_read_delta(delta, job->text, report);
}

static pith_status gcf_graph_answer_read(const answer_in *job, snapshot *next)
{
    return answer_read_graph(job, &gcf_graph_answers, gcf_graph_answer_read_full,
                             gcf_graph_answer_read_delta, next);
}

const delta_codec gcf_graph_answers = {
    .of_graphs = true,
    .write_full = gcf_graph_answer_full,
    .write_unchanged = gcf_graph_answer_unchanged,
    .write_delta = gcf_graph_answer_delta,
    .look = gcf_graph_answer_look,
    .read = gcf_graph_answer_read,
};

#endif
