/*
 * snapshot.h - a set of rows that is held: its own copy, its root, and the answers
 * that can be made of it.
 */
#ifndef API_SNAPSHOT_H
#define API_SNAPSHOT_H

#include "format/gcf/gcf_delta.h"

typedef struct snapshot {
    pith_doc *doc; /* NULL: nothing is held */
    keyed_set set;
    pith_root root;
} snapshot;

/* Copies the value, and the texts of the hint. The snapshot must be empty; after a
 * failure it is again. */
pith_status snapshot_take(snapshot *held, pith_value value, const keyed_hint *hint,
                          const pith_options *options, pith_error *err);

/* Takes over a finished document. */
pith_status snapshot_adopt(snapshot *held, pith_doc *doc, const keyed_hint *hint,
                           pith_error *err);
void snapshot_free(snapshot *held);

/* The root as the public calls hand it out. */
pith_root snapshot_root_of(const keyed_set *set);

#endif
