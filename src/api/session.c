/*
 * session.c - the public calls that write and read within a session.
 *
 * A turn goes through in three steps: prepare, write, commit. What the sink has not taken
 * was never said, so the session is put back if writing fails.
 */
#include "api/api.h"
#include "doc/spelled.h"
#include "format/session.h"

#ifndef PITH_OMIT_GRAPHS

static pith_status session_check_role(const pith_session *session, session_role role,
                                      pith_error *err)
{
    if (session->role == SESSION_FRESH || session->role == role)
        return PITH_OK;
    return error_set(err, PITH_BAD_USE, "session_role",
                     role == SESSION_WRITES ? "this session reads; another must write"
                                            : "this session writes; another must read");
}

/* --------------------------------------------------------------------- writing */

/* A graph on its way out. */
typedef struct session_work {
    pith_session *session;
    const session_codec *by;
    graph_out job;
    uint64_t now;
} session_work;

static pith_status session_put(const session_work *work)
{
    pith_status status = work->by->write(&work->job);
    if (status == PITH_OK)
        return out_finish(work->job.out, work->job.err);
    out_abandon(work->job.out);
    return status;
}

/* Writes a graph that needs no session; the next one starts a new session. */
static pith_status session_write_alone(const session_work *work)
{
    pith_status status = session_put(work);
    if (status == PITH_OK)
        session_reset(work->session);
    return status;
}

static pith_status session_write_turn(session_work *work, const uint32_t *order)
{
    session_turn turn;
    char comment[SESSION_LINE_MAX];
    pith_session *session = work->session;
    bool says_turn = work->by->says_turn && work->by->says_turn(work->job.set);
    if (!session_prepare(session, work->job.graph, order, session->unsure, &turn)) {
        session_forget(session, &turn);
        out_abandon(work->job.out);
        return error_no_memory(work->job.err);
    }
    work->job.order = order;
    if (session->known.symbols.count > session->limits.ids_max ||
        !session_in_step(session, &turn, order)) {
        session_forget(session, &turn);
        return session_write_alone(work);
    }
    work->job.ids = turn.ids;
    work->job.bare = turn.bare;
    session_turn_line(session, comment);
    work->job.comment = says_turn ? comment : NULL;
    pith_status status = session_put(work);
    if (status == PITH_OK) {
        session_commit(session, &turn, SESSION_WRITES, work->now);
        session->unsure = session->unsure && !says_turn;
    } else {
        session_forget(session, &turn);
    }
    return status;
}

/* Writes the graph as the next turn, or alone where the session is over. */
static pith_status session_write_next(session_work *work)
{
    const pith_alloc *alloc = &work->session->alloc;
    if (session_is_over(work->session, work->now))
        return session_write_alone(work);
    size_t size = (work->job.graph->symbols.count + 1) * sizeof(uint32_t);
    uint32_t *order = (uint32_t *)alloc_resize(alloc, NULL, 0, size);
    pith_status status = PITH_OK;
    if (order && work->by->order(&work->job, order)) {
        status = session_write_turn(work, order);
    } else {
        out_abandon(work->job.out);
        status = error_no_memory(work->job.err);
    }
    alloc_free(alloc, order, size);
    return status;
}

/* Fills the graph from the value and writes it. */
static pith_status session_write_value(session_work *work, pith_value value)
{
    spelled_value spelled;
    if (!spelled_open(&spelled, value.doc, value.at, work->session->alloc)) {
        out_abandon(work->job.out);
        return error_no_memory(work->job.err);
    }
    pith_status status = work->by->take(&work->job, spelled.doc, spelled.at);
    if (status == PITH_OK)
        status = session_write_next(work);
    else
        out_abandon(work->job.out);
    spelled_close(&spelled);
    return status;
}

/* The format of the name, which must know sessions. */
static pith_status session_choose(api_side *to, const char *name,
                                  const pith_options *options, pith_error *err)
{
    const codec *format;
    pith_status status = format_choose(&format, name ? name : "gcf-graph", PITH_WRITE,
                                       text_of("", 0), err);
    if (status != PITH_OK)
        return status;
    if (!format->session) {
        return error_set(err, PITH_BAD_USE, "no_session",
                         "%s has no sessions; gcf-graph and gcf1-graph have",
                         format->info.name);
    }
    return side_for_streaming(to, format, "a turn of a session", options, err);
}

pith_status pith_session_write(pith_session *session, pith_value value,
                               const char *format, uint64_t now,
                               const pith_options *options, pith_sink sink,
                               pith_error *err)
{
    api_side to;
    pith_out out;
    code_graph graph;
    if (!value.doc)
        return error_set(err, PITH_BAD_USE, "no_value", "there is no value to write");
    pith_status status = session_check_role(session, SESSION_WRITES, err);
    if (status == PITH_OK)
        status = session_choose(&to, format, options, err);
    if (status != PITH_OK)
        return status;
    graph_init(&graph, session->alloc);
    graph.borrows = true;
    session_work work = {.session = session,
                         .by = to.format->session,
                         .job = {&out, &to.set, &graph, err, NULL, NULL, NULL, NULL},
                         .now = now};
    out_init(&out, sink, options);
    status = session_write_value(&work, value);
    if (status == PITH_OK)
        set_streamed_outcome(options, to.format, &out);
    graph_free(&graph);
    return status;
}

/* --------------------------------------------------------------------- reading */

/* Makes what was read part of the session. */
static pith_status session_take_turn(pith_session *session, const graph_in *read,
                                     uint64_t now, pith_error *err)
{
    session_turn turn;
    const session_place *place = &read->place;
    bool anew = place->number > 0 && !place->follows;
    if (!session_prepare(session, read->graph, NULL, anew, &turn)) {
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

/* The format of a text: gcf-graph, unless it begins like another that has sessions. */
static const codec *session_format_of(pith_text text)
{
    const codec *format;
    for (size_t i = 0; (format = format_at(i)) != NULL; i++)
        if (format->session && format->sniff(text))
            return format;
    return format_find("gcf-graph");
}

pith_status pith_session_read(pith_session *session, pith_doc *doc, const char *text,
                              size_t len, uint64_t now, const pith_options *options,
                              pith_error *err)
{
    reporter report;
    code_graph graph;
    api_side from;
    pith_text input = text_of(text ? text : "", len);
    const codec *format = session_format_of(input);
    pith_doc_reset(doc);
    pith_status status = session_check_role(session, SESSION_READS, err);
    if (status == PITH_OK)
        status = side_for_reading(&from, format->info.name, input, options, err);
    if (status != PITH_OK)
        return status;
    if (session_is_over(session, now))
        session_reset(session);
    report_init(&report, input);
    report.notice = options ? options->notice : NULL;
    report.notice_ctx = options ? options->notice_ctx : NULL;
    graph_init(&graph, session->alloc);
    graph_in job = {.input = input,
                    .set = &from.set,
                    .report = &report,
                    .graph = &graph,
                    .session = session};
    format->session->read(&job);
    status = report_result(&report, err);
    if (status == PITH_OK)
        status = graph_make_doc(&graph, doc, NULL, err);
    if (status == PITH_OK) {
        side_select(&from, doc, &report);
        status = report_result(&report, err);
    }
    if (status == PITH_OK && !job.in_session)
        session_reset(session); /* the writer starts a new one as well */
    else if (status == PITH_OK)
        status = session_take_turn(session, &job, now, err);
    if (status != PITH_OK)
        pith_doc_reset(doc);
    graph_free(&graph);
    return status;
}

#else

pith_status pith_session_write(pith_session *session, pith_value value,
                               const char *format, uint64_t now,
                               const pith_options *options, pith_sink sink,
                               pith_error *err)
{
    (void)session, (void)value, (void)format, (void)now, (void)options, (void)sink;
    return error_not_built_in(err, "graphs");
}

pith_status pith_session_read(pith_session *session, pith_doc *doc, const char *text,
                              size_t len, uint64_t now, const pith_options *options,
                              pith_error *err)
{
    (void)session, (void)doc, (void)text, (void)len, (void)now, (void)options;
    return error_not_built_in(err, "graphs");
}

pith_status pith_session_save(const pith_session *session, pith_sink sink,
                              pith_error *err)
{
    (void)session, (void)sink;
    return error_not_built_in(err, "graphs");
}

pith_status pith_session_restore(pith_session *session, const void *data, size_t len,
                                 pith_error *err)
{
    (void)session, (void)data, (void)len;
    return error_not_built_in(err, "graphs");
}

#endif
