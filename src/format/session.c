/*
 * session.c - a graph that is written alone, by what its format has for turns.
 */
#include "format/session.h"

#ifndef PITH_OMIT_GRAPHS

pith_status session_encode(encode_job *job, const session_codec *by)
{
    code_graph graph;
    graph_out out = {.out = job->out, .set = job->set, .graph = &graph, .err = job->err};
    graph_init(&graph, job->out->alloc);
    graph.borrows = true;
    pith_status status = by->take(&out, job->doc, job->at);
    if (status == PITH_OK)
        status = by->write(&out);
    graph_free(&graph);
    return status;
}

#endif
