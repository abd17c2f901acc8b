/*
 * snapshot.h - what one end holds, and what a format needs to tell changes of it.
 *
 *     snapshot     rows that a key tells apart, or a graph; its own copy, and its root
 *     change       what leads from one snapshot to the next
 *     answer       the text that someone gets who holds one snapshot and wants another:
 *                  unchanged, a delta, or everything
 *
 * A format that has answers has a delta_codec: it writes the three of them, reads the first
 * line of one, and makes the next snapshot of the rest. When a delta is worth it, and
 * whether roots fit, is decided in one place for all formats (api/snapshot.c).
 */
#ifndef FORMAT_SNAPSHOT_H
#define FORMAT_SNAPSHOT_H

#include "delta/keyed.h"
#include "format/format.h"
#include "graph/graph_delta.h"
#include "graph/graph_doc.h"
#include "graph/graph_lines.h"

typedef struct snapshot {
    pith_doc *doc; /* NULL: nothing is held */
    bool is_graph;
    keyed_set set;
    code_graph graph; /* with two decimals to a score, which is what travels */
    pith_root root;
} snapshot;

/* Copies the value, and the texts of the hint. The snapshot must be empty; after a
 * failure it is again. Without a key a value that looks like a graph is taken as one. */
pith_status snapshot_take(snapshot *held, pith_value value, const keyed_hint *hint,
                          const pith_options *options, pith_error *err);

/* Takes over a finished document with rows. */
pith_status snapshot_adopt(snapshot *held, pith_doc *doc, const keyed_hint *hint,
                           pith_error *err);

/* Takes over a graph: it is empty afterwards, whatever happens. */
pith_status snapshot_adopt_graph(snapshot *held, code_graph *graph,
                                 const pith_options *options, pith_error *err);
void snapshot_free(snapshot *held);

/* The root as the text that a caller gets. */
pith_root snapshot_root_of(const char *root);

/* What leads from one to the other. */
typedef struct snapshot_change {
    bool told;      /* it can be told as a delta */
    bool same;      /* there is nothing to tell */
    keyed_diff set; /* of rows */
    graph_delta graph;
} snapshot_change;

/* Free the change in either case. */
pith_status snapshot_compare(snapshot_change *change, snapshot *base, snapshot *now,
                             pith_alloc alloc, pith_error *err);
void snapshot_change_free(snapshot_change *change);

/* --- the parts of these calls that are about graphs (graph_answers.c) */

pith_status snapshot_graph_root(pith_value value, const pith_options *options,
                                pith_root *root, pith_error *err);
pith_status snapshot_take_graph(snapshot *held, pith_value value,
                                const pith_options *options, pith_error *err);
void snapshot_free_graph(snapshot *held);
pith_status snapshot_compare_graphs(snapshot_change *change, snapshot *base,
                                    snapshot *now, pith_alloc alloc, pith_error *err);
void snapshot_change_free_graph(snapshot_change *change);

/* --------------------------------------------------------------------- answers */

/* An answer to be written. */
typedef struct answer_out {
    pith_out *out;
    const settings *set;
    pith_text tool; /* of a full answer; may be empty */
    const snapshot *base;
    snapshot *now;
    snapshot_change *change; /* of a delta */
    uint64_t delta_tokens;   /* both of them 0 when nobody counts */
    uint64_t full_tokens;
    pith_error *err;
} answer_out;

/* An answer to be read. */
typedef struct answer_in {
    pith_text text;
    const pith_delta_info *info;
    snapshot *base; /* of a delta: what it was made for */
    const pith_options *options;
    pith_error *err;
} answer_in;

struct delta_codec {
    const delta_codec *graphs; /* what writes graphs instead; NULL: it does so itself */
    bool of_graphs;
    bool bare_roots; /* a root has no "sha256:" in front */
    bool counts;     /* a delta always says how many tokens it has and saves */

    /* Whether the change can be told in this format; NULL: any can. */
    bool (*tells)(const snapshot *base, const snapshot_change *change);

    /* A full answer; the other two cannot fail but by `out`. Where there is none for what is
     * unchanged (NULL), that is a delta that says nothing. */
    pith_status (*write_full)(const answer_out *job);
    void (*write_unchanged)(const answer_out *job);
    void (*write_delta)(const answer_out *job);

    /* What a text, or only its first line, says of itself. */
    pith_status (*look)(pith_text text, pith_delta_info *info, pith_error *err);

    /* Makes the next snapshot of a full answer or of a delta. */
    pith_status (*read)(const answer_in *job, snapshot *next);
};

/* The root as the format writes it. */
static inline pith_text snapshot_root(const snapshot *held, const delta_codec *of)
{
    size_t skip = of->bare_roots ? GRAPH_ROOT_PREFIX_LEN : 0;
    return text_of(held->root.text + skip, ROOT_LEN - skip);
}

/* "malformed_delta" */
pith_status answer_malformed(pith_error *err, const char *what);

/* That a root is not the promised one. */
pith_status answer_refuse_root(pith_error *err, const char *code, const char *what,
                               pith_text promised, const char *found);

/* "base_mismatch" when what is held has another root. */
pith_status answer_check_base(const snapshot *held, const delta_codec *by, pith_text root,
                              pith_error *err);

/* Whether a delta, whose text is in order, was made for what is held. */
pith_status answer_check_delta(const answer_in *job, const delta_codec *by);

/* --- what the formats that have graphs share */

/* What the first line of a graph says as an answer; `text` is where it lies. */
pith_status answer_from_graph(pith_delta_info *info, const graph_head *head,
                              pith_text text, pith_error *err);

/* Makes the next snapshot with the two readers of a format. */
typedef void (*answer_graph_reader)(code_graph *graph, const answer_in *job,
                                    reporter *report);
typedef void (*answer_delta_reader)(graph_delta *delta, const answer_in *job,
                                    reporter *report);
pith_status answer_read_graph(const answer_in *job, const delta_codec *by,
                              answer_graph_reader read_full,
                              answer_delta_reader read_delta, snapshot *next);

#endif
