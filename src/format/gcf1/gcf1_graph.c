/*
 * gcf1_graph.c - code graphs in the first GCF, as a format.
 *
 * As with gcf1, what is written is read back: scores have two decimals here and places
 * in files none, and whoever writes this should know.
 */
#include "format/gcf1/gcf1_graph.h"

#include <assert.h>

#include "format/gcf1/gcf1.h"
#include "graph/graph_cut.h"
#include "graph/graph_doc.h"

/* The settings, in the order of the table. */
enum { GCF1_GRAPH_LEVEL, GCF1_GRAPH_STRICT, GCF1_GRAPH_TOOL };

static const pith_setting gcf1_graph_settings[] = {
    {"level", PITH_SETTING_CHOICE, PITH_WRITE, "1.1|1.4", 0, 0, "1.1",
     "the version to write; 1.4 counts the edges"},
    {"strict", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",
     "refuse graphs that would not be read back as they are"},
    {"tool", PITH_SETTING_TEXT, PITH_WRITE, NULL, 0, 0, "",
     "the producing tool, which the first line must name, if the graph does not"},
};

void gcf1_graph_decode(decode_job *job)
{
    pith_graph graph;
    pith_error err;
    graph_init(&graph, job->doc->alloc);
    gcf1_graph_read(&graph, job->input, job->report);
    if (job->report->count == 0 && graph_make_doc(&graph, job->doc, &err) != PITH_OK) {
        if (err.status == PITH_NO_MEMORY) {
            report_no_memory(job->report);
        } else {
            report_problem(job->report, err.status, err.code, 0, "%s", err.message);
        }
    }
    graph_free(&graph);
}

/* --------------------------------------------------------------------- writing */

/* True when the object at `at` has a list of edges with something in it. */
static bool gcf1_graph_lists_edges(const pith_doc *doc, uint32_t at)
{
    const pith_slot *root = &doc->slots[at];
    const pith_key *keys = doc_keys(doc, root);
    uint32_t child = at + 1;
    for (uint32_t i = 0; i < root->n; i++) {
        if (text_is(key_text(&keys[i]), "edges")) {
            return doc->slots[child].kind == PITH_ARRAY && doc->slots[child].n > 0;
        }
        child = doc_behind(doc, child);
    }
    return false;
}

/* Reads the text back; PITH_OK when it is the same graph. */
static pith_status gcf1_graph_check_loss(pith_graph *graph, const pith_buffer *text,
                                         pith_alloc alloc, pith_error *loss)
{
    pith_options options;
    reporter report;
    pith_graph back;
    memset(&options, 0, sizeof options);
    options.alloc = alloc;
    pith_doc *was = pith_doc_new(&options);
    pith_doc *is = pith_doc_new(&options);
    graph_init(&back, alloc);
    report_init(&report, text_of(text->data, text->len));
    pith_status status = was && is ? PITH_OK : error_no_memory(loss);
    if (status == PITH_OK) {
        assert(was && is);
        gcf1_graph_read(&back, text_of(text->data, text->len), &report);
        status = report_result(&report, loss);
    }
    if (status == PITH_OK) {
        status = graph_make_doc(graph, was, loss);
    }
    if (status == PITH_OK) {
        status = graph_make_doc(&back, is, loss);
    }
    if (status == PITH_OK) {
        status = gcf1_compare(was, 0, is, loss);
    }
    graph_free(&back);
    pith_doc_free(was);
    pith_doc_free(is);
    return status;
}

/* Takes the graph from the document; what it has no place for is told in `loss`. */
static pith_status gcf1_graph_from_doc(pith_graph *graph, const encode_job *job,
                                       pith_error *loss)
{
    pith_status status = graph_from_doc(graph, job->doc, job->at, GRAPH_REFUSE_EXTRA);
    if (status != PITH_OK) {
        *loss = graph->fault;
        graph_reset(graph);
        status = graph_from_doc(graph, job->doc, job->at, GRAPH_DROP_EXTRA);
    }
    if (status != PITH_OK && job->err) {
        *job->err = graph->fault;
    }
    return status;
}

static pith_status gcf1_graph_write_text(const encode_job *job, pith_graph *graph,
                                         pith_buffer *text, pith_error *loss)
{
    gcf1_graph_form form;
    pith_options options;
    pith_out out;
    memset(&form, 0, sizeof form);
    memset(&options, 0, sizeof options);
    form.newer = settings_number(job->set, GCF1_GRAPH_LEVEL) == GCF1_LEVEL_1_4;
    form.edges = gcf1_graph_lists_edges(job->doc, job->at);
    form.tool = settings_text(job->set, GCF1_GRAPH_TOOL);
    if (!graph_fits_header(form.tool)) {
        return error_set(job->err, PITH_BAD_USE, "bad_setting",
                         "setting tool is printable ASCII without spaces");
    }
    if (graph->tool.len == 0 && form.tool.len == 0) {
        return error_set(job->err, PITH_UNREPRESENTABLE, "missing_tool",
                         "GCF 1 names the producing tool in its first line, and the "
                         "graph does not say; set tool=NAME");
    }
    if (graph->tool.len == 0 &&
        graph_set_header(graph, form.tool, graph->pack_root) != PITH_OK) {
        return error_no_memory(job->err);
    }
    options.alloc = job->out->alloc;
    options.output_max = (size_t)job->out->most;
    out_init(&out, pith_sink_buffer(text), &options);
    gcf1_graph_write(&out, graph, &form);
    pith_status status = out_finish(&out, job->err);
    if (status == PITH_OK && loss->status == PITH_OK) {
        status = gcf1_graph_check_loss(graph, text, job->out->alloc, loss);
        status = status == PITH_NO_MEMORY ? error_no_memory(job->err) : PITH_OK;
    }
    return status;
}

static pith_status gcf1_graph_encode(encode_job *job)
{
    pith_graph graph;
    pith_buffer text;
    pith_error loss;
    memset(&text, 0, sizeof text);
    memset(&loss, 0, sizeof loss);
    text.alloc = job->out->alloc;
    graph_init(&graph, job->out->alloc);
    pith_status status = gcf1_graph_from_doc(&graph, job, &loss);
    if (status == PITH_OK) {
        status = gcf1_graph_write_text(job, &graph, &text, &loss);
    }
    if (status == PITH_OK && loss.status != PITH_OK) {
        if (settings_bool(job->set, GCF1_GRAPH_STRICT)) {
            status = loss.status;
            if (job->err) {
                *job->err = loss;
            }
        } else {
            out_notice(job->out, &loss);
        }
    }
    if (status == PITH_OK) {
        out_bytes(job->out, text.data, text.len);
    }
    pith_buffer_free(&text);
    graph_free(&graph);
    return status;
}

static pith_status gcf1_graph_cut(const cut_job *job, pith_doc *into, size_t *parts,
                                  pith_error *err)
{
    graph_cut cut = {job->keep, job->budget, job->tokens};
    return graph_cut_doc(job->doc, job->at, GRAPH_DROP_EXTRA, &cut, into, parts, err);
}

const codec gcf1_graph_format = {
    {"gcf1-graph", ".graph.gcf1 .gcf1 .gcf", "text/x-gcf1",
     "Graph Compact Format 1: code graphs", PITH_READ | PITH_WRITE, 0, false,
     gcf1_graph_settings, sizeof gcf1_graph_settings / sizeof *gcf1_graph_settings},
    gcf1_graph_sniff,
    gcf1_graph_decode,
    gcf1_graph_encode,
    NULL,
    NULL,
    NULL,
    "# ",
    gcf1_graph_cut,
};
