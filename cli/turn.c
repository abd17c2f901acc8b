/*
 * turn.c - one graph within a session.
 *
 * The input is read first, for as long as that takes. Then STATE is locked until the turn
 * is over: two turns from the same STATE would give the same ids to different symbols.
 * STATE is read, written beside the old one when the graph is out, and put in place when
 * the output is: so neither is ever ahead of the other by more than the moment between the
 * two, and a failure leaves the old STATE as it was. What can be wrong with STATE is found
 * before anything is written.
 */
#include "turn.h"

#include "input.h"
#include "pump.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static pith_status already_said(turn *within, pith_error *err)
{
    *err = (pith_error){.status = PITH_IO, .code = "session"};
    within->said = true;
    return err->status;
}

/* STATE, read; `in` without a text when there is none yet. */
static pith_status read_state(turn *within, input *in, progress *line, pith_error *err)
{
    if (!input_open_file(in, within->path)) {
        if (in->failed == ENOENT)
            return PITH_OK;
        input_explain_open(in, within->errors);
        return already_said(within, err);
    }
    if (!input_all(in, line)) {
        input_explain(in, within->errors);
        return already_said(within, err);
    }
    return PITH_OK;
}

/* Restores the session from STATE, if that exists. */
static pith_status restore(turn *within, progress *line, pith_error *err)
{
    input in;
    pith_status status = read_state(within, &in, line, err);
    if (status == PITH_OK && in.failed == 0) {
        status =
            pith_session_restore(within->kept, in.len > 0 ? in.text : "", in.len, err);
        if (status != PITH_OK) {
            diag_problem(within->errors, within->path, err, NULL);
            within->said = true;
        }
    }
    input_close(&in);
    return status;
}

/* Opens the next STATE beside the old one. */
static pith_status open_next(turn *within, pith_error *err)
{
    within->state =
        output_create(within->path, NULL, within->errors, "cannot write", "write_failed");
    return within->state == NULL ? already_said(within, err) : PITH_OK;
}

/* Looks at STATE before and after it is locked: what is no file is not locked either. */
static pith_status load(turn *within, progress *line, pith_error *err)
{
    input look;
    within->kept = pith_session_new(NULL, NULL);
    if (within->kept == NULL) {
        diag_system(within->errors, within->path, "cannot read", "no_memory", ENOMEM);
        return already_said(within, err);
    }
    bool usable = input_open_file(&look, within->path) || look.failed == ENOENT;
    if (!usable)
        input_explain_open(&look, within->errors);
    input_close(&look);
    if (!usable || !lock_take(&within->held, within->path, within->errors))
        return already_said(within, err);
    pith_status status = restore(within, line, err);
    return status == PITH_OK ? open_next(within, err) : status;
}

/* Writes the next STATE. */
static pith_status save(turn *within, pith_error *err)
{
    pith_status saved = pith_session_save(within->kept, output_sink(within->state), err);
    output_flush(within->state);
    if (saved != PITH_OK || within->state->failed != 0) {
        int why = within->state->failed != 0 ? within->state->failed : ENOMEM;
        diag_system(within->errors, within->path, "cannot write", "write_failed", why);
        return already_said(within, err);
    }
    return PITH_OK;
}

static pith_status write_graph(turn *within, transfer *moving, pith_graph *graph,
                               pith_error *err)
{
    input *in = moving->in;
    pith_status status = pith_graph_read(graph, moving->from->name, in->text, in->len,
                                         &moving->options, err);
    if (status == PITH_OK) {
        status = pith_session_write(within->kept, graph, (uint64_t)time(NULL),
                                    &moving->options, output_sink(moving->out), err);
    }
    return status;
}

static pith_status read_graph(turn *within, transfer *moving, pith_graph *graph,
                              pith_error *err)
{
    input *in = moving->in;
    pith_status status = pith_session_read(within->kept, graph, in->text, in->len,
                                           (uint64_t)time(NULL), err);
    if (status == PITH_OK) {
        status = pith_graph_write(graph, moving->to->name, &moving->options,
                                  output_sink(moving->out), err);
    }
    return status;
}

pith_status turn_run(turn *within, transfer *moving, pith_error *err)
{
    *err = (pith_error){0};
    bool writes = strcmp(moving->to->name, "gcf-graph") == 0;
    if (!writes && strncmp(moving->from->name, "gcf", 3) != 0) {
        diag_usage(within->errors, "no_graph", "add --to gcf-graph",
                   "--session is for graphs: from GCF, or to gcf-graph");
        return already_said(within, err);
    }
    progress *line = moving->options.progress_ctx;
    if (!input_all(moving->in, line))
        return pump_read_failed(err);
    pith_status status = load(within, line, err);
    if (status != PITH_OK)
        return status;
    pith_graph *graph = pith_graph_new(NULL);
    if (graph == NULL)
        return error_no_memory(err);
    status = writes ? write_graph(within, moving, graph, err)
                    : read_graph(within, moving, graph, err);
    pith_graph_free(graph);
    return status == PITH_OK ? save(within, err) : status;
}

void turn_keep(turn *within)
{
    if (!output_commit(within->state)) {
        diag_system(within->errors, within->path, "cannot write", "write_failed",
                    within->state->failed);
    }
}

void turn_end(turn *within)
{
    output_free(within->state);
    lock_give(&within->held);
    pith_session_free(within->kept);
    *within = (turn){0};
}
