/*
 * turn.h - one graph within a session: what STATE remembers, and what it will.
 */
#ifndef PITH_CLI_TURN_H
#define PITH_CLI_TURN_H

#include "diag.h"
#include "lock.h"
#include "output.h"
#include "plan.h"

typedef struct turn {
    const char *path; /* of STATE */
    diag *errors;
    pith_session *kept;
    output *state; /* the next STATE, written and not yet in place */
    bool said;     /* the failure was reported already */
    lock held;     /* of STATE, for the whole turn */
} turn;

/* Does the transfer within the session: as its writer when the target is gcf-graph, else
 * as its reader. From here to turn_end no other process has a turn with this STATE. The
 * next STATE waits for turn_keep. */
pith_status turn_run(turn *within, transfer *moving, pith_error *err);

/* Puts the next STATE in place, once what was written has arrived. */
void turn_keep(turn *within);

/* Frees what is left; without turn_keep the old STATE stays. */
void turn_end(turn *within);

#endif /* PITH_CLI_TURN_H */
