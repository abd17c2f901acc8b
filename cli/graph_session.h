/*
 * graph_session.h - one graph within a session: what STATE remembers, and what it will.
 */
#ifndef PITH_CLI_GRAPH_SESSION_H
#define PITH_CLI_GRAPH_SESSION_H

#include "convert_jobs.h"
#include "diag.h"
#include "lock.h"
#include "output.h"

typedef struct graph_session {
    const char *path; /* of STATE */
    diag *errors;
    pith_session *session;
    output *state; /* the next STATE, written and not yet in place */
    bool reported; /* the failure was reported already */
    lock held;     /* of STATE, for the whole turn */
} graph_session;

/* Converts within the session: as its writer when the target has sessions, else as its
 * reader. From here to graph_session_end no other process has a turn with this STATE. The
 * next STATE waits for graph_session_keep. */
pith_status graph_session_run(graph_session *gs, conversion *conv, pith_error *err);

/* Puts the next STATE in place, once what was written has arrived. */
void graph_session_keep(graph_session *gs);

/* Frees what is left; without graph_session_keep the old STATE stays. */
void graph_session_end(graph_session *gs);

#endif /* PITH_CLI_GRAPH_SESSION_H */
