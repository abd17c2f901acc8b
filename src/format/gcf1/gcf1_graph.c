/*
 * gcf1_graph.c - code graphs in the first GCF, as a format.
 *
 * What it cannot hold is refused, unless lossy=true asks to leave it out: members and
 * edges that no graph has a place for, places in files, a status that is neither of the
 * two, a root that is not hexadecimal. Two decimals of a score are what the format has;
 * that there were more is told, and refused with strict=true.
 */
#include "format/gcf1/gcf1_graph.h"

#include "format/gcf1/gcf1.h"
#include "graph/graph_cut.h"
#include "graph/graph_doc.h"

#ifndef PITH_OMIT_GRAPHS

static const pith_setting gcf1_graph_settings[] = {
    {"level", PITH_SETTING_CHOICE, PITH_READ | PITH_WRITE, "1.1|1.4", 0, 0, "1.1",
     "the version; 1.4 counts the edges, and passes over references it cannot read"},
    {"strict", PITH_SETTING_BOOL, PITH_READ | PITH_WRITE, NULL, 0, 0, "false",
     "refuse scores without two decimals or beyond 0.00 to 1.00"},
    {"lossy", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",
     "leave out what a graph of GCF 1 cannot hold, instead of refusing it"},
    {"tool", PITH_SETTING_TEXT, PITH_WRITE, NULL, 0, 0, "",
     "the producing tool, which the first line must name, if the graph does not"},
    {SETTINGS_TOKENS_WORD, PITH_SETTING_TEXT, PITH_WRITE, NULL, 0, 0, "",
     "the tokens of the text, for the first line: a number, 'exact' to count them, or "
     "'none'; else what the graph says"},
    {"pack_root", PITH_SETTING_TEXT, PITH_WRITE, NULL, 0, 0, "",
     "the name of the graph, for the first line: hexadecimal digits, 'exact' to compute "
     "them, or 'none'; else what the graph says"},
    {"turns", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "in a session, say in a comment which turn this is, and number symbols through all "
     "turns; else in each text from 0, and nobody can read the references"},
};

void gcf1_graph_decode(decode_job *job)
{
    code_graph graph;
    graph_in source = {
        .input = job->input, .set = job->set, .report = job->report, .graph = &graph};
    graph_init(&graph, job->doc->alloc);
    gcf1_graph_read(&source);
    graph_finish_read(&graph, job->doc, NULL, job->report);
    if (job->report->count == 0)
        report_last_comments(job->report);
    graph_free(&graph);
}

/* ------------------------------------------------------------------ the first line */

static pith_status gcf1_graph_set_tool(const graph_out *job, code_graph *graph)
{
    pith_text tool = settings_text(job->set, GCF1_GRAPH_TOOL);
    if (!graph_fits_header(tool)) {
        return error_set(job->err, PITH_BAD_USE, "bad_setting",
                         "setting tool is printable ASCII without spaces");
    }
    if (graph->tool.len > 0)
        return PITH_OK;
    if (tool.len == 0) {
        return error_set(job->err, PITH_UNREPRESENTABLE, "missing_tool",
                         "GCF 1 names the producing tool in its first line, and the "
                         "graph does not say; set tool=NAME");
    }
    graph->tool = tool; /* the settings outlive the graph */
    return PITH_OK;
}

static pith_status gcf1_graph_set_tokens(const graph_out *job, code_graph *graph)
{
    return settings_take_tokens(job->set, GCF1_GRAPH_TOKENS, &graph->tokens, job->err);
}

/* What the setting says of the root. One that is to be computed is not there yet. */
static pith_status gcf1_graph_set_root(const graph_out *job, code_graph *graph)
{
    pith_text root = settings_text(job->set, GCF1_GRAPH_ROOT);
    if (text_is(root, "exact") || text_is(root, "none")) {
        graph->pack_root.len = 0;
    } else if (graph_is_root(root)) {
        graph->pack_root = root;
    } else if (root.len > 0) {
        return error_set(job->err, PITH_BAD_USE, "bad_setting",
                         "setting pack_root is hexadecimal digits, 'exact' or 'none', "
                         "not '%s'",
                         error_quote(root.ptr, root.len).text);
    }
    return PITH_OK;
}

/* The root of the graph as it travels, with two decimals to a score, if it is asked for. */
static pith_status gcf1_graph_compute_root(const graph_out *job, code_graph *graph)
{
    char root[GRAPH_ROOT_LEN];
    const size_t len = sizeof root - GRAPH_ROOT_PREFIX_LEN;
    if (!text_is(settings_text(job->set, GCF1_GRAPH_ROOT), "exact"))
        return PITH_OK;
    char *digits = arena_take(&graph->arena, len);
    if (!digits || !graph_settle(graph) || !graph_root(graph, root))
        return error_no_memory(job->err);
    memcpy(digits, root + GRAPH_ROOT_PREFIX_LEN, len);
    graph->pack_root = text_of(digits, len);
    return PITH_OK;
}

/* ------------------------------------------------------------------------- losses */

/* A graph of which something may be lost. */
typedef struct gcf1_graph_losses {
    const graph_out *job;
    bool lossy;
    bool strict;
    bool told; /* one notice is enough */
} gcf1_graph_losses;

static void gcf1_graph_tell(gcf1_graph_losses *losses, const pith_error *loss)
{
    if (!losses->told) {
        out_notice(losses->job->out, loss);
        losses->told = true;
    }
}

/* Passes a loss on: PITH_OK when it is allowed, and told, and else the refusal. */
static pith_status gcf1_graph_judge(gcf1_graph_losses *losses, const pith_error *loss,
                                    bool allowed)
{
    if (allowed) {
        gcf1_graph_tell(losses, loss);
        return PITH_OK;
    }
    if (losses->job->err)
        *losses->job->err = *loss;
    return loss->status;
}

/* Something has no place here, and may perhaps be left out. */
static pith_status gcf1_graph_lose(gcf1_graph_losses *losses, const char *code,
                                   const char *what, pith_text found)
{
    pith_error loss;
    error_set(&loss, PITH_UNREPRESENTABLE, code, "%s%s%s; %s", what,
              found.len > 0 ? ", not " : "", error_quote(found.ptr, found.len).text,
              losses->lossy ? "it is left out" : "lossy=true leaves it out");
    return gcf1_graph_judge(losses, &loss, losses->lossy);
}

static pith_status gcf1_graph_check_places(gcf1_graph_losses *losses, code_graph *graph)
{
    return graph->places.count == 0
               ? PITH_OK
               : gcf1_graph_lose(losses, "place_lost",
                                 "GCF 1 has no room for the places of symbols in files",
                                 text_of("", 0));
}

static pith_status gcf1_graph_check_root(gcf1_graph_losses *losses, code_graph *graph)
{
    if (graph->pack_root.len == 0 || graph_is_root(graph->pack_root))
        return PITH_OK;
    pith_text root = graph->pack_root;
    graph->pack_root.len = 0;
    return gcf1_graph_lose(
        losses, "invalid_header_value",
        "pack_root is hexadecimal digits, perhaps after sha256:", root);
}

static pith_status gcf1_graph_check_edge(gcf1_graph_losses *losses, code_graph *graph,
                                         size_t i)
{
    pith_text status = graph_word_text(graph, graph->edges.at[i].status);
    if (status.len == 0 || text_is(status, "added") || text_is(status, "removed"))
        return PITH_OK;
    graph->edges.at[i].status = GRAPH_NONE;
    return gcf1_graph_lose(losses, "invalid_edge_status",
                           "the status of an edge is added or removed", status);
}

static pith_status gcf1_graph_check_edges(gcf1_graph_losses *losses, code_graph *graph)
{
    pith_status result = PITH_OK;
    for (size_t i = 0; i < graph->edges.count && result == PITH_OK; i++)
        result = gcf1_graph_check_edge(losses, graph, i);
    return result;
}

/* More digits than travel: told, or with strict=true refused, and so is what a strict
 * reader would refuse. */
static pith_status gcf1_graph_check_score(gcf1_graph_losses *losses, code_graph *graph,
                                          size_t i)
{
    const graph_symbol *symbol = &graph->symbols.at[i];
    pith_text score = graph_score(symbol);
    double number = losses->strict ? num_to_double(score) : 0;
    bool beyond = number < 0 || number > 1;
    pith_error loss;
    if (!beyond && graph_score_is_settled(score))
        return PITH_OK;
    error_set(&loss, PITH_UNREPRESENTABLE, "lossy",
              beyond ? "the score %s of \"%s\" is not from 0 to 1"
                     : "the score %s of \"%s\" is written with two decimals",
              error_quote(score.ptr, score.len).text,
              error_quote(symbol->name, symbol->name_len).text);
    return gcf1_graph_judge(losses, &loss, !losses->strict);
}

static pith_status gcf1_graph_check_scores(gcf1_graph_losses *losses, code_graph *graph)
{
    pith_status status = PITH_OK;
    for (size_t i = 0; i < graph->symbols.count && status == PITH_OK &&
                       (losses->strict || !losses->told);
         i++)
        status = gcf1_graph_check_score(losses, graph, i);
    return status;
}

static gcf1_graph_losses gcf1_graph_losses_of(const graph_out *job)
{
    gcf1_graph_losses losses = {job, settings_bool(job->set, GCF1_GRAPH_LOSSY),
                                settings_bool(job->set, GCF1_GRAPH_STRICT), false};
    return losses;
}

pith_status gcf1_graph_check_last(const graph_out *job, bool symbol, bool *told)
{
    gcf1_graph_losses losses = gcf1_graph_losses_of(job);
    code_graph *graph = job->graph;
    losses.told = *told;
    pith_status status =
        symbol ? gcf1_graph_check_score(&losses, graph, graph->symbols.count - 1)
               : gcf1_graph_check_edge(&losses, graph, graph->edges.count - 1);
    *told = losses.told;
    return status;
}

pith_status gcf1_graph_set_first_line(const graph_out *job)
{
    gcf1_graph_losses losses = gcf1_graph_losses_of(job);
    pith_status status = gcf1_graph_set_tool(job, job->graph);
    if (status == PITH_OK)
        status = gcf1_graph_set_tokens(job, job->graph);
    if (status == PITH_OK)
        status = gcf1_graph_set_root(job, job->graph);
    return status == PITH_OK ? gcf1_graph_check_root(&losses, job->graph) : status;
}

static pith_status gcf1_graph_check(const graph_out *job, code_graph *graph)
{
    static pith_status (*const checks[])(gcf1_graph_losses *, code_graph *) = {
        gcf1_graph_check_places, gcf1_graph_check_root, gcf1_graph_check_edges,
        gcf1_graph_check_scores};
    gcf1_graph_losses losses = gcf1_graph_losses_of(job);
    pith_status status = PITH_OK;
    if (graph->dropped.status != PITH_OK)
        gcf1_graph_tell(&losses, &graph->dropped);
    for (size_t i = 0; i < sizeof checks / sizeof *checks && status == PITH_OK; i++)
        status = checks[i](&losses, graph);
    return status;
}

/* ------------------------------------------------------------------------- writing */

bool gcf1_graph_is_newer(const settings *set)
{
    return settings_number(set, GCF1_GRAPH_LEVEL) == GCF1_LEVEL_1_4;
}

/* Level 1.4 leaves out edges to symbols that are not there, and so its fixtures do. */
graph_extra gcf1_graph_extra(const settings *set)
{
    if (settings_bool(set, GCF1_GRAPH_LOSSY))
        return GRAPH_DROP_EXTRA;
    return gcf1_graph_is_newer(set) ? GRAPH_DROP_EDGES : GRAPH_REFUSE_EXTRA;
}

/* Takes the graph from the document, with what the settings say of it. */
static pith_status gcf1_graph_take(const graph_out *job, const pith_doc *doc, uint32_t at)
{
    static pith_status (*const steps[])(const graph_out *, code_graph *) = {
        gcf1_graph_set_tool, gcf1_graph_set_tokens, gcf1_graph_set_root, gcf1_graph_check,
        gcf1_graph_compute_root};
    graph_from_doc(job->graph, doc, at, gcf1_graph_extra(job->set));
    pith_status status = error_copy(&job->graph->fault, job->err);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == PITH_OK; i++)
        status = steps[i](job, job->graph);
    return status;
}

static bool gcf1_graph_says_turn(const settings *set)
{
    return settings_bool(set, GCF1_GRAPH_TURNS);
}

static pith_status gcf1_graph_write_out(const graph_out *job)
{
    gcf1_graph_form form = {.newer = gcf1_graph_is_newer(job->set),
                            .bare = job->bare,
                            .order = job->order,
                            .ids = gcf1_graph_says_turn(job->set) ? job->ids : NULL,
                            .comment = job->comment};
    form.edges = form.newer && job->graph->dropped_edges;
    return gcf1_graph_write(job->out, job->graph, &form) ? PITH_OK
                                                         : error_no_memory(job->err);
}

static bool gcf1_graph_order_turn(const graph_out *job, uint32_t *order)
{
    return gcf1_graph_order(job->graph, gcf1_graph_is_newer(job->set), order);
}

static const session_codec gcf1_graph_turns = {
    .take = gcf1_graph_take,
    .order = gcf1_graph_order_turn,
    .write = gcf1_graph_write_out,
    .read = gcf1_graph_read,
    .says_turn = gcf1_graph_says_turn,
};

static pith_status gcf1_graph_encode(encode_job *job)
{
    return session_encode(job, &gcf1_graph_turns);
}

static pith_status gcf1_graph_cut(const cut_job *job, pith_doc *into, size_t *parts,
                                  pith_error *err)
{
    graph_cut cut = {job->keep, job->budget, job->tokens};
    return graph_cut_doc(job->doc, job->at, gcf1_graph_extra(job->set), &cut, into, parts,
                         err);
}

const codec gcf1_graph_format = {
    .info = {"gcf1-graph", ".graph.gcf1 .gcf1 .gcf", "text/x-gcf1",
             "Graph Compact Format 1: code graphs", PITH_READ | PITH_WRITE, 0, false,
             gcf1_graph_settings,
             sizeof gcf1_graph_settings / sizeof *gcf1_graph_settings,
             .numbers = PITH_NUMBERS_64, .sessions = PITH_READ | PITH_WRITE},
    .sniff = gcf1_graph_sniff,
    .decode = gcf1_graph_decode,
    .encode = gcf1_graph_encode,
    .write_rows = &gcf1_graph_rows,
    .comment = "# ",
    .cut = gcf1_graph_cut,
    .delta = &gcf1_graph_answers,
    .session = &gcf1_graph_turns,
};

#else

void gcf1_graph_decode(decode_job *job)
{
    report_not_built_in(job->report, "graphs");
}

#endif
