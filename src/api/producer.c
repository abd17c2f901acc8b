/*
 * producer.c - the side that answers.
 *
 * Each answer is made in memory first, both ways: as a delta and in full. Only then can
 * their sizes be compared, and only when the chosen one has left does the new snapshot
 * take the place of the old.
 *
 * A root does not tell an absent field from one that is null. Where that is the only
 * difference the roots are equal, and "unchanged" would be the answer of the protocol;
 * the full answer is sent instead, so that the other side holds exactly what we do.
 * The same goes for what the root of a graph leaves out.
 */
#include "api/snapshot.h"
#include "base/out.h"

struct pith_producer {
    pith_alloc alloc;
    pith_options options;
    pith_policy policy; /* its texts are ours */
    char *key;
    char *tool;
    size_t key_size, tool_size;
    snapshot told;
    uint64_t turn;
    uint64_t sent; /* bytes of deltas since the last full answer */
    bool due;      /* a full answer, because of the turns */
};

/* ------------------------------------------------------------------ the handle */

static bool producer_copy(const pith_alloc *alloc, const char *text, char **copy,
                          size_t *size)
{
    *size = text ? strlen(text) + 1 : 0;
    *copy = text ? (char *)alloc_resize(alloc, NULL, 0, *size) : NULL;
    if (*copy)
        memcpy(*copy, text, *size);
    return !text || *copy;
}

void pith_producer_free(pith_producer *producer)
{
    if (!producer)
        return;
    pith_alloc alloc = producer->alloc;
    snapshot_free(&producer->told);
    alloc_free(&alloc, producer->key, producer->key_size);
    alloc_free(&alloc, producer->tool, producer->tool_size);
    alloc_free(&alloc, producer, sizeof *producer);
}

/* The tool stands in the first line, which has no quotes. */
static bool producer_tool_fits(const char *tool)
{
    for (; tool && *tool; tool++)
        if (*tool <= ' ' || *tool > '~')
            return false;
    return true;
}

pith_producer *pith_producer_new(const pith_policy *policy, const pith_options *options,
                                 pith_error *err)
{
    pith_policy none;
    memset(&none, 0, sizeof none);
    const pith_policy *given = policy ? policy : &none;
    if (!producer_tool_fits(given->tool)) {
        error_set(err, PITH_BAD_USE, "bad_setting",
                  "a tool is printable ASCII without spaces");
        return NULL;
    }
    pith_alloc alloc = alloc_from(options);
    pith_producer *producer = (pith_producer *)alloc_zeroed(&alloc, sizeof *producer);
    if (!producer) {
        error_no_memory(err);
        return NULL;
    }
    producer->alloc = alloc;
    producer->policy = *given;
    producer->options.alloc = alloc;
    producer->options.depth_max = options ? options->depth_max : 0;
    if (!producer_copy(&alloc, given->key, &producer->key, &producer->key_size) ||
        !producer_copy(&alloc, given->tool, &producer->tool, &producer->tool_size)) {
        error_no_memory(err);
        pith_producer_free(producer);
        return NULL;
    }
    return producer;
}

const char *pith_producer_root(const pith_producer *producer)
{
    return producer->told.root.text;
}

static pith_status producer_take(const pith_producer *producer, pith_value value,
                                 snapshot *now, pith_error *err)
{
    keyed_hint hint = {text_from(producer->key), NULL, 0};
    memset(now, 0, sizeof *now);
    pith_status status = snapshot_take(now, value, &hint, &producer->options, err);
    if (status == PITH_OK)
        status = snapshot_check(now, err);
    if (status != PITH_OK)
        snapshot_free(now);
    return status;
}

static void producer_keep(pith_producer *producer, snapshot *now)
{
    snapshot_free(&producer->told);
    producer->told = *now;
}

pith_status pith_producer_hold(pith_producer *producer, pith_value value, pith_error *err)
{
    snapshot now;
    pith_status status = producer_take(producer, value, &now, err);
    if (status == PITH_OK)
        producer_keep(producer, &now);
    return status;
}

/* --------------------------------------------------------------------- answers */

/* An answer on its way. */
typedef struct producer_answer {
    pith_producer *producer;
    snapshot *now;
    snapshot_change change;
    pith_buffer full; /* or the line that says that nothing changed */
    pith_buffer delta;
} producer_answer;

static pith_status producer_write_full(producer_answer *a, pith_error *err)
{
    pith_out out;
    out_init(&out, pith_sink_buffer(&a->full), &a->producer->options);
    pith_status status =
        snapshot_write_full(a->now, text_from(a->producer->tool), &out, err);
    if (status != PITH_OK) {
        out_abandon(&out);
        return status;
    }
    return out_finish(&out, err);
}

static pith_status producer_write_unchanged(producer_answer *a, pith_error *err)
{
    pith_out out;
    out_init(&out, pith_sink_buffer(&a->full), &a->producer->options);
    snapshot_write_unchanged(a->now, &out);
    return out_finish(&out, err);
}

static pith_status producer_write_delta(producer_answer *a, uint64_t delta_tokens,
                                        uint64_t full_tokens, pith_error *err)
{
    pith_out out;
    a->delta.len = 0;
    out_init(&out, pith_sink_buffer(&a->delta), &a->producer->options);
    snapshot_write_delta(&a->producer->told, a->now, &a->change, delta_tokens,
                         full_tokens, &out);
    return out_finish(&out, err);
}

/* The delta once more, with what it saves. */
static pith_status producer_tell_savings(producer_answer *a, pith_error *err)
{
    const pith_policy *policy = &a->producer->policy;
    if (!policy->count)
        return PITH_OK;
    uint64_t delta = policy->count(policy->count_ctx, a->delta.data, a->delta.len);
    uint64_t full = policy->count(policy->count_ctx, a->full.data, a->full.len);
    return producer_write_delta(a, delta, full, err);
}

/* Whether the delta, which is written, is worth sending. */
static bool producer_pays(const producer_answer *a)
{
    const pith_producer *p = a->producer;
    uint64_t delta = a->delta.len;
    uint64_t full = a->full.len;
    uint32_t guard =
        p->policy.guard_percent ? p->policy.guard_percent : (uint32_t)PITH_GUARD_DEFAULT;
    if (guard != PITH_GUARD_OFF && delta * 100 >= full * guard)
        return false;
    return p->policy.anchor != PITH_ANCHOR_SIZE || p->sent + delta < full;
}

static bool producer_is_root(const char *held, const snapshot *of)
{
    return held && of->doc && strcmp(held, of->root.text) == 0;
}

/* Writes the answer to one of the buffers and says which it is. */
static pith_status producer_choose(producer_answer *a, const char *held,
                                   pith_answer *answer, pith_error *err)
{
    pith_producer *p = a->producer;
    const snapshot_change *change = &a->change;
    bool in_step = producer_is_root(held, &p->told);
    pith_status status = PITH_OK;
    if (in_step)
        status = snapshot_compare(&a->change, &p->told, a->now, p->alloc, err);
    if (status != PITH_OK)
        return status;
    if (in_step ? change->same : producer_is_root(held, a->now)) {
        *answer = PITH_ANSWER_UNCHANGED;
        return producer_write_unchanged(a, err);
    }
    *answer = PITH_ANSWER_FULL;
    status = producer_write_full(a, err);
    if (status != PITH_OK || !change->told || p->due)
        return status;
    status = producer_write_delta(a, 0, 0, err);
    if (status == PITH_OK && producer_pays(a)) {
        *answer = PITH_ANSWER_DELTA;
        status = producer_tell_savings(a, err);
    }
    return status;
}

static void producer_count_turn(pith_producer *p)
{
    uint32_t turns = p->policy.turns ? p->policy.turns : (uint32_t)PITH_TURNS_DEFAULT;
    if (p->told.doc) {
        p->turn++;
        p->due =
            p->due || (p->policy.anchor == PITH_ANCHOR_TURNS && p->turn % turns == 0);
    }
}

static void producer_note(pith_producer *p, pith_answer answer, size_t bytes)
{
    if (answer == PITH_ANSWER_FULL) {
        p->sent = 0;
        p->due = false;
    } else if (answer == PITH_ANSWER_DELTA) {
        p->sent += bytes;
    }
}

pith_status pith_producer_answer(pith_producer *producer, const char *held,
                                 pith_value value, pith_sink sink, pith_answer *answer,
                                 pith_error *err)
{
    snapshot now;
    pith_answer chosen = PITH_ANSWER_FULL;
    uint64_t turn = producer->turn;
    bool due = producer->due;
    pith_status status = producer_take(producer, value, &now, err);
    if (status != PITH_OK)
        return status;
    producer_answer a;
    memset(&a, 0, sizeof a);
    a.producer = producer;
    a.now = &now;
    a.full.alloc = producer->alloc;
    a.delta.alloc = producer->alloc;
    producer_count_turn(producer);
    status = producer_choose(&a, held, &chosen, err);
    const pith_buffer *text = chosen == PITH_ANSWER_DELTA ? &a.delta : &a.full;
    if (status == PITH_OK)
        status = out_hand(sink, text->data, text->len, err);
    if (status == PITH_OK) {
        producer_note(producer, chosen, text->len);
        producer_keep(producer, &now);
        if (answer)
            *answer = chosen;
    } else {
        producer->turn = turn;
        producer->due = due;
        snapshot_free(&now);
    }
    snapshot_change_free(&a.change);
    pith_buffer_free(&a.full);
    pith_buffer_free(&a.delta);
    return status;
}
