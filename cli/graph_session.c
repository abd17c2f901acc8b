/*
 * graph_session.c - one graph within a session.
 *
 * The input is read first, for as long as that takes. Then STATE is locked until the turn
 * is over: two turns from the same STATE would give the same ids to different symbols.
 * STATE is read, written beside the old one when the graph is out, and put in place when
 * the output is: so neither is ever ahead of the other by more than the moment between
 * the two, and a failure leaves the old STATE as it was. What can be wrong with STATE is
 * found before anything is written.
 */
#include "graph_session.h"

#include "input.h"
#include "pump.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static pith_status already_said(graph_session *gs, pith_error *err)
{
    *err = (pith_error){.status = PITH_IO, .code = "session"};
    gs->reported = true;
    return err->status;
}

/* STATE, read; `in` without a text when there is no STATE yet. */
static pith_status read_state(graph_session *gs, input *in, progress *line,
                              pith_error *err)
{
    if (!input_open_file(in, gs->path)) {
        if (in->failed == ENOENT)
            return PITH_OK;
        input_explain_open(in, gs->errors);
        return already_said(gs, err);
    }
    if (!input_all(in, line)) {
        input_explain(in, gs->errors);
        return already_said(gs, err);
    }
    return PITH_OK;
}

/* Restores the session from STATE, if that exists. */
static pith_status restore(graph_session *gs, progress *line, pith_error *err)
{
    input in;
    pith_status status = read_state(gs, &in, line, err);
    if (status == PITH_OK && in.failed == 0) {
        status =
            pith_session_restore(gs->session, in.len > 0 ? in.text : "", in.len, err);
        if (status != PITH_OK) {
            diag_problem(gs->errors, gs->path, err, NULL);
            gs->reported = true;
        }
    }
    input_close(&in);
    return status;
}

/* Opens the next STATE beside the old one. */
static pith_status open_next(graph_session *gs, pith_error *err)
{
    gs->state = output_create(gs->path, NULL, gs->errors, "cannot write", "write_failed");
    return gs->state == NULL ? already_said(gs, err) : PITH_OK;
}

/* Looks at STATE before and after it is locked: only a file is locked. */
static pith_status load(graph_session *gs, progress *line, pith_error *err)
{
    input look;
    gs->session = pith_session_new(NULL, NULL);
    if (gs->session == NULL) {
        diag_system(gs->errors, gs->path, "cannot read", "no_memory", ENOMEM);
        return already_said(gs, err);
    }
    bool usable = input_open_file(&look, gs->path) || look.failed == ENOENT;
    if (!usable)
        input_explain_open(&look, gs->errors);
    input_close(&look);
    if (!usable || !lock_take(&gs->held, gs->path, gs->errors))
        return already_said(gs, err);
    pith_status status = restore(gs, line, err);
    return status == PITH_OK ? open_next(gs, err) : status;
}

/* Writes the next STATE. */
static pith_status save(graph_session *gs, pith_error *err)
{
    pith_status saved = pith_session_save(gs->session, output_sink(gs->state), err);
    output_flush(gs->state);
    if (saved != PITH_OK || gs->state->failed != 0) {
        int why = gs->state->failed != 0 ? gs->state->failed : ENOMEM;
        diag_system(gs->errors, gs->path, "cannot write", "write_failed", why);
        return already_said(gs, err);
    }
    return PITH_OK;
}

static pith_status write_turn(graph_session *gs, conversion *conv, pith_doc *doc,
                              pith_error *err)
{
    input *in = conv->in;
    pith_status status =
        pith_doc_read(doc, conv->from->name, in->text, in->len, &conv->options, err);
    if (status == PITH_OK) {
        status = pith_session_write(gs->session, pith_doc_root(doc), conv->to->name,
                                    (uint64_t)time(NULL), &conv->options,
                                    output_sink(conv->out), err);
    }
    return status;
}

static pith_status read_turn(graph_session *gs, conversion *conv, pith_doc *doc,
                             pith_error *err)
{
    input *in = conv->in;
    pith_status status = pith_session_read(gs->session, doc, in->text, in->len,
                                           (uint64_t)time(NULL), &conv->options, err);
    if (status == PITH_OK) {
        status = pith_value_write(pith_doc_root(doc), conv->to->name, &conv->options,
                                  output_sink(conv->out), err);
    }
    return status;
}

pith_status graph_session_run(graph_session *gs, conversion *conv, pith_error *err)
{
    *err = (pith_error){0};
    bool writes = (conv->to->sessions & PITH_WRITE) != 0;
    if (!writes && (conv->from->sessions & PITH_READ) == 0) {
        diag_usage(gs->errors, "no_graph", "add --to gcf-graph",
                   "--session is for graphs: from GCF, or to gcf-graph or gcf1-graph");
        return already_said(gs, err);
    }
    progress *line = conv->options.progress_ctx;
    if (!input_all(conv->in, line))
        return pump_read_failed(err);
    input_set_limits(conv->in, &conv->options);
    pith_status status = load(gs, line, err);
    if (status != PITH_OK)
        return status;
    pith_doc *doc = pith_doc_new(&conv->options);
    if (doc == NULL)
        return error_no_memory(err);
    status = writes ? write_turn(gs, conv, doc, err) : read_turn(gs, conv, doc, err);
    pith_doc_free(doc);
    return status == PITH_OK ? save(gs, err) : status;
}

void graph_session_keep(graph_session *gs)
{
    if (!output_commit(gs->state)) {
        diag_system(gs->errors, gs->path, "cannot write", "write_failed",
                    gs->state->failed);
    }
}

void graph_session_end(graph_session *gs)
{
    output_free(gs->state);
    lock_give(&gs->held);
    pith_session_free(gs->session);
    *gs = (graph_session){0};
}
