/*
 * session.c - the public calls that write and read within a session.
 *
 * A turn goes through in three steps: prepare, write, commit. What the sink has not taken
 * was never said, so the session is put back if writing fails.
 */
#include "api/care.h"
#include "format/gcf/gcf_graph.h"

static pith_status session_check_role(const pith_session *session, session_role role,
                                      pith_error *err)
{
    if (session->role == SESSION_FRESH || session->role == role)
        return PITH_OK;
    return error_set(err, PITH_BAD_USE, "session_role",
                     role == SESSION_WRITES ? "this session reads; another must write"
                                            : "this session writes; another must read");
}

/* Writes a graph that needs no session; the next starts anew. */
static pith_status session_write_alone(pith_session *session, const pith_graph *graph,
                                       gcf_graph_form *form, pith_out *out,
                                       pith_error *err)
{
    if (!gcf_graph_write(out, graph, form)) {
        out_abandon(out);
        return error_no_memory(err);
    }
    pith_status status = out_finish(out, err);
    if (status == PITH_OK)
        pith_session_reset(session);
    return status;
}

static pith_status session_write_turn(pith_session *session, const pith_graph *graph,
                                      const uint32_t *order, uint64_t now,
                                      gcf_graph_form *form, pith_out *out,
                                      pith_error *err)
{
    session_turn turn;
    if (!session_prepare(session, graph, order, session->unsure, &turn)) {
        session_forget(session, &turn);
        out_abandon(out);
        return error_no_memory(err);
    }
    form->order = order;
    if (session->known.symbols.count > session->limits.ids_max ||
        !session_in_step(session, &turn, order)) {
        session_forget(session, &turn);
        return session_write_alone(session, graph, form, out, err);
    }
    form->ids = turn.ids;
    form->bare = turn.bare;
    if (form->turns)
        session_turn_line(session, form->comment);
    pith_status status = PITH_OK;
    if (gcf_graph_write(out, graph, form)) {
        status = out_finish(out, err);
    } else {
        out_abandon(out);
        status = error_no_memory(err);
    }
    if (status == PITH_OK) {
        session_commit(session, &turn, SESSION_WRITES, now);
        session->unsure = session->unsure && !form->turns;
    } else {
        session_forget(session, &turn);
    }
    return status;
}

/* Writes the graph as the next turn, or alone where the session is over. */
static pith_status session_write_next(pith_session *session, const pith_graph *graph,
                                      uint64_t now, gcf_graph_form *form, pith_out *out,
                                      pith_error *err)
{
    if (session_is_over(session, now))
        return session_write_alone(session, graph, form, out, err);
    size_t size = (graph->symbols.count + 1) * sizeof(uint32_t);
    uint32_t *order = (uint32_t *)alloc_resize(&session->alloc, NULL, 0, size);
    pith_status status = PITH_OK;
    if (order && graph_order_symbols(graph, order)) {
        status = session_write_turn(session, graph, order, now, form, out, err);
    } else {
        out_abandon(out);
        status = error_no_memory(err);
    }
    alloc_free(&session->alloc, order, size);
    return status;
}

pith_status pith_session_write(pith_session *session, const pith_graph *graph,
                               uint64_t now, const pith_options *options, pith_sink sink,
                               pith_error *err)
{
    api_format to;
    gcf_graph_form form;
    pith_status status = pith_graph_finish(graph, err);
    if (status == PITH_OK)
        status = session_check_role(session, SESSION_WRITES, err);
    if (status == PITH_OK) {
        status =
            api_choose_plain(&to, &gcf_graph_format, "a turn of a session", options, err);
    }
    if (status == PITH_OK)
        status = gcf_graph_choose_form(&form, graph, &to.set, err);
    if (status != PITH_OK)
        return status;
    pith_out out;
    out_init(&out, sink, options);
    status = session_write_next(session, graph, now, &form, &out, err);
    if (status == PITH_OK)
        api_tell_plain(options, &gcf_graph_format, &out);
    return status;
}

/* Makes what was read part of the session. */
static pith_status session_take_turn(pith_session *session, const pith_graph *graph,
                                     const session_place *place, uint64_t now,
                                     pith_error *err)
{
    session_turn turn;
    bool anew = place->number > 0 && !place->follows;
    if (!session_prepare(session, graph, NULL, anew, &turn)) {
        session_forget(session, &turn);
        return error_no_memory(err);
    }
    if (session->known.symbols.count > session->limits.ids_max) {
        session_forget(session, &turn);
        return error_set(err, PITH_LIMIT, "session_limit",
                         "more than the %zu symbols a session may know",
                         session->limits.ids_max);
    }
    session_commit(session, &turn, SESSION_READS, now);
    if (place->number > session->turn)
        session->turn = (uint32_t)place->number; /* those between never arrived */
    return PITH_OK;
}

pith_status pith_session_read(pith_session *session, pith_graph *graph, const char *text,
                              size_t len, uint64_t now, pith_error *err)
{
    reporter report;
    pith_text input = text_of(text ? text : "", len);
    gcf_graph_source source = {input, &report, NULL, session, false, {0, false, 0}};
    graph_reset(graph);
    pith_status status = session_check_role(session, SESSION_READS, err);
    if (status != PITH_OK)
        return status;
    if (session_is_over(session, now))
        pith_session_reset(session);
    report_init(&report, input);
    gcf_graph_read(graph, &source);
    status = report_result(&report, err);
    if (status == PITH_OK && !source.in_session)
        pith_session_reset(session); /* the writer starts anew as well */
    else if (status == PITH_OK)
        status = session_take_turn(session, graph, &source.place, now, err);
    if (status != PITH_OK)
        graph_reset(graph);
    return status;
}
