/*
 * graph_session.h - what one end of a conversation remembers of the symbols that were told.
 *
 *     id        0          1            2
 *     known   | pkg.Auth | pkg.Server | pkg.Handler |     kind, name, score, provenance
 *     told    | turn 1   | turn 1     | turn 2      |     0: perhaps never arrived
 *
 * An id is the number of the symbol in `known`, so ids grow by one and stay bound. Both
 * ends have the same table: the writer's tells which symbols need no declaration any more,
 * the reader's what a bare reference means.
 *
 * A turn is prepared first and becomes part of the session only when it is over: what can
 * fail (memory) happens in session_prepare, session_commit cannot fail, and
 * session_forget puts everything back.
 */
#ifndef GRAPH_GRAPH_SESSION_H
#define GRAPH_GRAPH_SESSION_H

#include "graph/graph.h"

typedef enum session_role {
    SESSION_FRESH,
    SESSION_WRITES,
    SESSION_READS,
    SESSION_ROLES
} session_role;

struct pith_session {
    pith_alloc alloc;
    pith_session_limits limits; /* none of them 0 */
    code_graph known;           /* its symbols; there are no edges */
    LIST(uint32_t) told;        /* of each: the turn that told it last */
    session_role role;
    bool begun;
    uint64_t started; /* seconds */
    uint64_t used;    /* the last time */
    uint32_t turn;    /* of one that has not begun: 1 when it must start anew */
    uint32_t mark;    /* of all turns so far: both ends have the same */
    bool unsure;      /* the last text perhaps never arrived, and no line said so yet */
};

/* What a line of comment says of the turn it stands in; see session_turn_line. */
typedef struct session_place {
    uint64_t number; /* 0: nothing is said */
    bool follows;    /* `mark` is that of the turns before; else this one starts anew */
    uint32_t mark;
} session_place;

enum { SESSION_LINE_MAX = 64 };

/* A turn that is not over yet. */
typedef struct session_turn {
    uint32_t *ids;        /* of each symbol of the graph */
    uint8_t *bare;        /* of each: the other end knows it, as it is */
    graph_symbol *values; /* of each: what is to be known of it */
    size_t count;
    size_t before; /* symbols the session knew */
    uint32_t mark; /* of the turns up to this one */
} session_turn;

/* Frees what it knows; and forgets all of it, so that the next text is the first one. */
void session_clear(pith_session *session);
void session_reset(pith_session *session);

/* Whether the session has come to its end by its limits on time, or must start anew. */
bool session_is_over(const pith_session *session, uint64_t now);

/* Finds the ids of all symbols of the graph, in the order given, and puts those that are
 * new into the session, for now. False when out of memory. The turn is freed by one of the
 * two calls below, whatever happened here. `anew`: its mark does not build on the turns
 * before. */
bool session_prepare(pith_session *session, const code_graph *graph,
                     const uint32_t *order, bool anew, session_turn *turn);

/* Whether the other end follows, should the ids that perhaps never arrived be new to it:
 * those have to come one by one, before any other, in the order of the text. */
bool session_in_step(const pith_session *session, const session_turn *turn,
                     const uint32_t *order);

/* The line that tells the other end which turn comes next:
 *
 *     # turn 1
 *     # turn 2 after 1c0ffee2
 *
 * The number is for people. The mark is a hash of all that was told before, so a text fits
 * the reader that has the same one: not one that missed a turn, heard one twice, or heard
 * the turns of another writer. A first turn has none before it, and neither has one that
 * comes when nobody knows whether the last has arrived. */
void session_turn_line(const pith_session *session, char line[SESSION_LINE_MAX]);

/* Fills in what such a line says, and nothing for any other comment. False, reported, when
 * that turn cannot come next at the reading end. */
bool session_take_line(const pith_session *session, pith_text line, session_place *place,
                       reporter *report);

/* Checks the id of a symbol that a turn declares: its old one, or the next after
 * `*new_ids` others that are new, which then are one more. False, with the id it should
 * have and why, when it is another. */
bool session_check_id(const pith_session *session, const graph_node *node, uint64_t id,
                      size_t *new_ids, uint64_t *expected, const char **why);

/* The turn is over, at the time `now`; or it never was. */
void session_commit(pith_session *session, session_turn *turn, session_role role,
                    uint64_t now);
void session_forget(pith_session *session, session_turn *turn);

#endif
