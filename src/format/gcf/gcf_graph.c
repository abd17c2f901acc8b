/*
 * gcf_graph.c - the graph profile as a format of its own: gcf-graph.
 *
 * It writes graphs, from any value that is one; what is read as gcf-graph must be a graph,
 * while gcf reads both profiles and tells them apart by the first line.
 */
#include "format/gcf/gcf_graph.h"

#include "base/utf8.h"
#include "format/gcf/gcf_graph_lines.h"
#include "graph/graph_cut.h"

#ifndef PITH_OMIT_GRAPHS

enum { GCF_GRAPH_LEVEL_3_5, GCF_GRAPH_LEVEL_3_6 };

static const pith_setting gcf_graph_settings[] = {
    {"level", PITH_SETTING_CHOICE, PITH_WRITE, "3.5|3.6", 0, 0, "3.5",
     "the specification to write; 3.6 has places in files"},
    {"lossy", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",
     "leave out what a graph of this level cannot hold, instead of refusing it"},
    {"labels", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",
     "in the summary of a stream, name the groups that are counted"},
    {SETTINGS_TOKENS_WORD, PITH_SETTING_TEXT, PITH_WRITE, NULL, 0, 0, "",
     "the tokens of the text, for the first line: a number, 'exact' to count them, or "
     "'none'; else what the graph says"},
    {"turns", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",
     "in a session, say in a comment which turn this is and what it follows"},
};

void gcf_graph_decode(decode_job *job)
{
    code_graph graph;
    graph_in source = {.input = job->input, .report = job->report, .graph = &graph};
    graph_init(&graph, job->doc->alloc);
    graph.borrows = true;
    gcf_graph_read(&source);
    graph_finish_read(&graph, job->doc, &job->input, job->report);
    if (job->report->count == 0)
        report_last_comments(job->report);
    graph_free(&graph);
}

pith_status gcf_graph_choose_form(gcf_graph_form *form, const code_graph *graph,
                                  const settings *set, pith_error *err)
{
    bool level_3_6 = settings_number(set, GCF_GRAPH_LEVEL) == GCF_GRAPH_LEVEL_3_6;
    bool drop = settings_bool(set, GCF_GRAPH_LOSSY);
    memset(form, 0, sizeof *form);
    form->places = level_3_6;
    if (graph->places.count > 0 && !level_3_6 && !drop) {
        return error_set(err, PITH_UNREPRESENTABLE, "place_lost",
                         "symbols have places in files, which need level=3.6; "
                         "lossy=true leaves them out");
    }
    for (size_t i = 0; i < graph->fields.count && !drop; i++) {
        const graph_field *field = &graph->fields.at[i];
        if (!gcf_graph_is_pair(field->name, field->value)) {
            return error_set(err, PITH_UNREPRESENTABLE, "invalid_header_field",
                             "header.%s: GCF 3 takes letters, digits and _ as a name and "
                             "printable ASCII as a value; lossy=true leaves it out",
                             error_quote(field->name.ptr, field->name.len).text);
        }
    }
    form->states = settings_text(set, GCF_GRAPH_TOKENS).len > 0;
    return settings_take_tokens(set, GCF_GRAPH_TOKENS, &form->tokens, err);
}

/* -------------------------------------------------------------- alone and in turns */

graph_extra gcf_graph_extra(const settings *set)
{
    return settings_bool(set, GCF_GRAPH_LOSSY) ? GRAPH_DROP_EXTRA : GRAPH_REFUSE_EXTRA;
}

static pith_status gcf_graph_take(const graph_out *job, const pith_doc *doc, uint32_t at)
{
    graph_from_doc(job->graph, doc, at, gcf_graph_extra(job->set));
    return error_copy(&job->graph->fault, job->err);
}

static bool gcf_graph_order(const graph_out *job, uint32_t *order)
{
    return graph_order_symbols(job->graph, order);
}

static pith_status gcf_graph_write_out(const graph_out *job)
{
    gcf_graph_form form;
    pith_status status = gcf_graph_choose_form(&form, job->graph, job->set, job->err);
    if (status != PITH_OK)
        return status;
    form.order = job->order;
    form.ids = job->ids;
    form.bare = job->bare;
    form.comment = job->comment;
    return gcf_graph_write(job->out, job->graph, &form) ? PITH_OK
                                                        : error_no_memory(job->err);
}

static bool gcf_graph_says_turn(const settings *set)
{
    return settings_bool(set, GCF_GRAPH_TURNS);
}

static const session_codec gcf_graph_turns = {
    .take = gcf_graph_take,
    .order = gcf_graph_order,
    .write = gcf_graph_write_out,
    .read = gcf_graph_read,
    .says_turn = gcf_graph_says_turn,
};

static pith_status gcf_graph_encode(encode_job *job)
{
    return session_encode(job, &gcf_graph_turns);
}

static pith_status gcf_graph_cut(const cut_job *job, pith_doc *into, size_t *parts,
                                 pith_error *err)
{
    graph_cut cut = {job->keep, job->budget, job->tokens};
    return graph_cut_doc(job->doc, job->at, gcf_graph_extra(job->set), &cut, into, parts,
                         err);
}

const codec gcf_graph_format = {
    .info = {"gcf-graph", ".graph.gcf .gcf", "application/vnd.gcf+text",
             "Graph Compact Format, graph profile: code graphs", PITH_READ | PITH_WRITE,
             0, false, gcf_graph_settings,
             sizeof gcf_graph_settings / sizeof *gcf_graph_settings,
             .numbers = PITH_NUMBERS_64, .sessions = PITH_READ | PITH_WRITE},
    .sniff = gcf_is_graph,
    .decode = gcf_graph_decode,
    .encode = gcf_graph_encode,
    .write_rows = &gcf_graph_rows,
    .comment = "# ",
    .cut = gcf_graph_cut,
    .delta = &gcf_graph_answers,
    .session = &gcf_graph_turns,
};

#else

void gcf_graph_decode(decode_job *job)
{
    report_not_built_in(job->report, "graphs");
}

#endif
