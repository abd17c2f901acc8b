/*
 * snapshot.h - what is held: a keyed set or a graph of our own, its root, and the
 * answers that can be made of it.
 */
#ifndef API_SNAPSHOT_H
#define API_SNAPSHOT_H

#include "format/gcf/gcf_delta.h"
#include "format/gcf/gcf_graph.h"

typedef struct snapshot {
    pith_doc *doc; /* NULL: nothing is held */
    bool is_graph;
    keyed_set set;
    pith_graph graph;
    pith_root root;
} snapshot;

/* Copies the value, and the texts of the hint. The snapshot must be empty; after a
 * failure it is again. Without a key a value that looks like a graph is taken as one. */
pith_status snapshot_take(snapshot *held, pith_value value, const keyed_hint *hint,
                          const pith_options *options, pith_error *err);

/* Takes over a finished document with a set. */
pith_status snapshot_adopt(snapshot *held, pith_doc *doc, const keyed_hint *hint,
                           pith_error *err);

/* Takes over a graph: it is empty afterwards, whatever happens. */
pith_status snapshot_adopt_graph(snapshot *held, pith_graph *graph,
                                 const pith_options *options, pith_error *err);
void snapshot_free(snapshot *held);

/* The rows, or the symbols. */
uint64_t snapshot_count(const snapshot *held);

/* What has changed from one to the other. */
typedef struct snapshot_change {
    bool told;      /* it can be told as a delta */
    bool same;      /* there is nothing to tell */
    keyed_diff set; /* of sets */
    graph_delta graph;
} snapshot_change;

/* Free the change in either case. */
pith_status snapshot_compare(snapshot_change *change, snapshot *base, snapshot *now,
                             pith_alloc alloc, pith_error *err);
void snapshot_change_free(snapshot_change *change);

/* PITH_UNREPRESENTABLE when there is no way to write it. */
pith_status snapshot_check(const snapshot *held, pith_error *err);
pith_status snapshot_write_full(snapshot *held, pith_text tool, pith_out *out,
                                pith_error *err);
void snapshot_write_unchanged(const snapshot *held, pith_out *out);
void snapshot_write_delta(const snapshot *base, const snapshot *now,
                          snapshot_change *change, uint64_t delta_tokens,
                          uint64_t full_tokens, pith_out *out);

#endif
