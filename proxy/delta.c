/*
 * delta.c - see delta.h.
 *
 * A model that asks the same again right after it was told a change has lost what the
 * change was of: it gets everything.
 */
#include "delta.h"

#include "base/text.h"

#include <stdlib.h>

enum { DELTAS_MOST = 64 }; /* snapshots held; beyond it the oldest goes */

typedef struct told {
    uint64_t same;
    pith_snapshot *snapshot;
} told;

struct deltas {
    told at[DELTAS_MOST]; /* the newest first */
    size_t count;
    uint64_t last; /* the call that was answered last */
    bool changed;  /* and whether by a change */
};

deltas *deltas_new(void)
{
    return calloc(1, sizeof(deltas));
}

void deltas_free(deltas *all)
{
    for (size_t i = 0; all && i < all->count; i++)
        pith_snapshot_free(all->at[i].snapshot);
    free(all);
}

void deltas_forget(deltas *all, uint64_t same)
{
    for (size_t i = 0; i < all->count; i++) {
        if (all->at[i].same != same)
            continue;
        pith_snapshot_free(all->at[i].snapshot);
        all->count--;
        memmove(&all->at[i], &all->at[i + 1], (all->count - i) * sizeof *all->at);
    }
}

/* The snapshot of a call, the first of the list from now on; NULL when there is none and
 * none can be made. */
static told *find_told(deltas *all, uint64_t same, const char *key)
{
    told one = {same, NULL};
    for (size_t i = 0; i < all->count; i++) {
        if (all->at[i].same != same)
            continue;
        one = all->at[i];
        memmove(&all->at[1], &all->at[0], i * sizeof *all->at);
        all->at[0] = one;
        return all->at;
    }
    pith_policy policy = {.key = text_from(key)};
    one.snapshot = pith_snapshot_new(&policy, NULL, NULL);
    if (!one.snapshot)
        return NULL;
    if (all->count == DELTAS_MOST)
        pith_snapshot_free(all->at[--all->count].snapshot);
    memmove(&all->at[1], &all->at[0], all->count++ * sizeof *all->at);
    all->at[0] = one;
    return all->at;
}

const char *deltas_write(deltas *all, uint64_t same, const char *key, pith_value value,
                         pith_sink sink)
{
    told *before = find_told(all, same, key);
    bool lost = all->changed && all->last == same;
    pith_delta_kind kind;
    if (!before)
        return NULL;
    const char *held = lost ? NULL : pith_snapshot_root(before->snapshot);
    if (pith_snapshot_write(before->snapshot, held, value, sink, &kind, NULL) != PITH_OK)
        return NULL;
    all->last = same;
    all->changed = kind != PITH_DELTA_FULL;
    return kind == PITH_DELTA_FULL ? "gcf" : "gcf, changes";
}
