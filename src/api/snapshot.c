/*
 * snapshot.c - the handle that holds a snapshot, answers with changes and applies them.
 *
 * Both ends of a conversation have one. To answer, the new snapshot is written both ways
 * in memory, as a delta and in full: only then can their sizes be compared, and only when
 * the chosen text has left does the new snapshot take the place of the old. To apply, the
 * next snapshot is made beside the one that is held, and takes its place only when its
 * root is the promised one.
 *
 * A root does not tell an absent field from one that is null. Where that is the only
 * difference the roots are equal, and "unchanged" would be the answer of the protocol;
 * the full answer is sent instead, so that the other side holds exactly what we do.
 * The same goes for what the root of a graph leaves out.
 */
#include "format/snapshot.h"

#include "api/api.h"
#include "api/cost.h"

struct pith_snapshot {
    pith_alloc alloc;
    pith_options options; /* without settings */
    pith_policy policy;   /* its texts lie in `texts` */
    pith_arena texts;
    api_side to;
    snapshot held;
    uint64_t turn;
    uint64_t delta_bytes; /* of deltas since the last full answer */
    bool full_due;        /* because of the turns */
};

/* ------------------------------------------------------------------ the handle */

void pith_snapshot_free(pith_snapshot *snap)
{
    if (!snap)
        return;
    pith_alloc alloc = snap->alloc;
    snapshot_free(&snap->held);
    arena_free(&snap->texts);
    alloc_free(&alloc, snap, sizeof *snap);
}

static bool snap_copy_text(pith_snapshot *snap, pith_text *text)
{
    text->ptr = text->len > 0 ? arena_copy(&snap->texts, text->ptr, text->len) : "";
    return text->ptr != NULL;
}

static pith_status snap_prepare(pith_snapshot *snap, const pith_options *options,
                                pith_error *err)
{
    const char *name = snap->policy.format ? snap->policy.format : "gcf";
    const codec *format;
    pith_status status = format_choose(&format, name, PITH_WRITE, text_of("", 0), err);
    if (!graph_fits_header(snap->policy.tool)) {
        return error_set(err, PITH_BAD_USE, "bad_setting",
                         "a tool is printable ASCII without spaces");
    }
    if (status != PITH_OK)
        return status;
    if (!format->delta) {
        return error_set(err, PITH_BAD_USE, "no_delta",
                         "%s cannot tell what has changed; gcf can", format->info.name);
    }
    status = side_for_streaming(&snap->to, format, "a delta", options, err);
    snap->policy.format = NULL;
    if (status == PITH_OK && (!snap_copy_text(snap, &snap->policy.key) ||
                              !snap_copy_text(snap, &snap->policy.tool)))
        status = error_no_memory(err);
    return status;
}

pith_snapshot *pith_snapshot_new(const pith_policy *policy, const pith_options *options,
                                 pith_error *err)
{
    pith_error local;
    pith_alloc alloc = alloc_from(options);
    pith_snapshot *snap = (pith_snapshot *)alloc_zeroed(&alloc, sizeof *snap);
    err = err ? err : &local;
    if (!snap) {
        error_no_memory(err);
        return NULL;
    }
    snap->alloc = alloc;
    arena_init(&snap->texts, alloc);
    if (policy)
        snap->policy = *policy;
    if (options)
        snap->options = *options;
    snap->options.alloc = alloc;
    snap->options.read = snap->options.write = NULL;
    if (check_size("policy", snap->policy.size, sizeof *policy, err) != PITH_OK ||
        snap_prepare(snap, options, err) != PITH_OK) {
        pith_snapshot_free(snap);
        return NULL;
    }
    return snap;
}

pith_value pith_snapshot_value(const pith_snapshot *snap)
{
    pith_value none = {NULL, 0, 0, 0};
    return snap->held.doc ? pith_doc_root(snap->held.doc) : none;
}

const char *pith_snapshot_root(const pith_snapshot *snap)
{
    return snap->held.root.text;
}

/* Takes a value, whose rows have the key of the policy, or else of the rows before. */
static pith_status snap_take(const pith_snapshot *snap, pith_value value, snapshot *next,
                             pith_error *err)
{
    const keyed_set *held = &snap->held.set;
    keyed_hint hint = {.key = snap->policy.key, .options = &snap->options};
    if (hint.key.len == 0 && held->doc && !held->map)
        hint.key = key_text(&held->fields.keys.at[held->key]);
    memset(next, 0, sizeof *next);
    return snapshot_take(next, value, &hint, &snap->options, err);
}

static void snap_keep(pith_snapshot *snap, const snapshot *next)
{
    snapshot_free(&snap->held);
    snap->held = *next;
}

pith_status pith_snapshot_set(pith_snapshot *snap, pith_value value, pith_error *err)
{
    snapshot next;
    pith_status status = snap_take(snap, value, &next, err);
    if (status == PITH_OK)
        snap_keep(snap, &next);
    return status;
}

/* ------------------------------------------------------------------- answering */

/* An answer on its way. */
typedef struct snap_answer {
    const pith_snapshot *snap;
    const delta_codec *by;
    answer_out job;
    snapshot_change change;
    pith_buffer full; /* or the line that says that nothing changed */
    pith_buffer delta;
} snap_answer;

static pith_status snap_write(snap_answer *a, pith_delta_kind kind, pith_error *err)
{
    pith_out out;
    pith_buffer *into = kind == PITH_DELTA_CHANGES ? &a->delta : &a->full;
    pith_status status = PITH_OK;
    into->len = 0;
    out_init(&out, pith_sink_buffer(into), &a->snap->options);
    a->job.out = &out;
    a->job.err = err;
    if (kind == PITH_DELTA_CHANGES)
        a->by->write_delta(&a->job);
    else if (kind == PITH_DELTA_UNCHANGED)
        a->by->write_unchanged(&a->job);
    else
        status = a->by->write_full(&a->job);
    if (status != PITH_OK) {
        out_abandon(&out);
        return status;
    }
    return out_finish(&out, err);
}

/* The delta once more, with the tokens it has and saves, where those are counted. */
static pith_status snap_write_savings(snap_answer *a, pith_error *err)
{
    cost_counter counter;
    size_t delta = 0;
    size_t full = 0;
    if (!a->snap->options.vocab && !a->by->counts)
        return PITH_OK;
    pith_status status = cost_open(&counter, &a->snap->options, err);
    if (status == PITH_OK)
        status =
            cost_of_text(&counter, text_of(a->delta.data, a->delta.len), &delta, err);
    if (status == PITH_OK)
        status = cost_of_text(&counter, text_of(a->full.data, a->full.len), &full, err);
    cost_close(&counter);
    a->job.delta_tokens = delta;
    a->job.full_tokens = full;
    return status == PITH_OK ? snap_write(a, PITH_DELTA_CHANGES, err) : status;
}

/* Whether the delta, which is written, is worth sending. */
static bool snap_is_worth_it(const snap_answer *a)
{
    const pith_policy *policy = &a->snap->policy;
    uint64_t delta = a->delta.len;
    uint64_t full = a->full.len;
    uint32_t guard =
        policy->guard_percent ? policy->guard_percent : (uint32_t)PITH_GUARD_DEFAULT;
    if (guard != PITH_GUARD_OFF && delta * 100 >= full * guard)
        return false;
    return policy->anchor != PITH_ANCHOR_SIZE || a->snap->delta_bytes + delta < full;
}

static bool snap_has_root(const snapshot *held, const char *root)
{
    return root && held->doc && strcmp(root, held->root.text) == 0;
}

/* Writes the answer to one of the buffers and says which it is. */
static pith_status snap_choose(snap_answer *a, const char *root, bool full_due,
                               pith_delta_kind *answer, pith_error *err)
{
    const pith_snapshot *snap = a->snap;
    const snapshot_change *change = &a->change;
    bool in_step = snap_has_root(&snap->held, root);
    pith_status status = PITH_OK;
    if (in_step) {
        status = snapshot_compare(&a->change, (snapshot *)&snap->held, a->job.now,
                                  snap->alloc, err);
    }
    if (status != PITH_OK)
        return status;
    if (a->by->write_unchanged &&
        (in_step ? change->same : snap_has_root(a->job.now, root))) {
        *answer = PITH_DELTA_UNCHANGED;
        return snap_write(a, PITH_DELTA_UNCHANGED, err);
    }
    *answer = PITH_DELTA_FULL;
    status = snap_write(a, PITH_DELTA_FULL, err);
    if (status != PITH_OK || !change->told || full_due ||
        (a->by->tells && !a->by->tells(a->job.base, change)))
        return status;
    status = snap_write(a, PITH_DELTA_CHANGES, err);
    if (status == PITH_OK && snap_is_worth_it(a)) {
        *answer = PITH_DELTA_CHANGES;
        status = snap_write_savings(a, err);
    }
    return status;
}

/* The answer has left: what it brought is held now. */
static void snap_note(pith_snapshot *snap, const snapshot *now, pith_delta_kind answer,
                      size_t bytes, bool full_due)
{
    if (snap->held.doc)
        snap->turn++;
    snap->full_due = full_due && answer != PITH_DELTA_FULL;
    if (answer == PITH_DELTA_FULL)
        snap->delta_bytes = 0;
    else if (answer == PITH_DELTA_CHANGES)
        snap->delta_bytes += bytes;
    snap_keep(snap, now);
}

pith_status pith_snapshot_write(pith_snapshot *snap, const char *held, pith_value value,
                                pith_sink sink, pith_delta_kind *answer, pith_error *err)
{
    snapshot now;
    pith_error local;
    pith_delta_kind chosen = PITH_DELTA_FULL;
    const pith_policy *policy = &snap->policy;
    uint32_t turns = policy->turns ? policy->turns : (uint32_t)PITH_TURNS_DEFAULT;
    bool full_due =
        snap->full_due || (snap->held.doc && policy->anchor == PITH_ANCHOR_TURNS &&
                           (snap->turn + 1) % turns == 0);
    err = err ? err : &local;
    pith_status status = snap_take(snap, value, &now, err);
    if (status != PITH_OK)
        return status;
    const delta_codec *by = snap->to.format->delta;
    by = now.is_graph && by->graphs ? by->graphs : by;
    snap_answer a = {.snap = snap,
                     .by = by,
                     .job = {.set = &snap->to.set,
                             .tool = policy->tool,
                             .base = &snap->held,
                             .now = &now},
                     .full = {.alloc = snap->alloc},
                     .delta = {.alloc = snap->alloc}};
    a.job.change = &a.change;
    if (by->of_graphs && !now.is_graph) {
        status =
            error_set(err, PITH_UNREPRESENTABLE, "not_a_graph",
                      "%s holds graphs, and these are rows", snap->to.format->info.name);
    } else {
        status = snap_choose(&a, held, full_due, &chosen, err);
    }
    const pith_buffer *text = chosen == PITH_DELTA_CHANGES ? &a.delta : &a.full;
    if (status == PITH_OK)
        status = out_hand(sink, text->data, text->len, err);
    if (status == PITH_OK)
        snap_note(snap, &now, chosen, text->len, full_due);
    else
        snapshot_free(&now);
    if (status == PITH_OK) {
        pith_outcome outcome = {.format = snap->to.format->info.name, .bytes = text->len};
        set_outcome(&snap->options, outcome);
    }
    if (status == PITH_OK && answer)
        *answer = chosen;
    snapshot_change_free(&a.change);
    pith_buffer_free(&a.full);
    pith_buffer_free(&a.delta);
    return status;
}

/* -------------------------------------------------------------------- applying */

/* The format of an answer by its first line: gcf, unless it is one that has graphs. */
static const delta_codec *snap_codec_of(pith_text text)
{
    const codec *format;
    for (size_t i = 0; (format = format_at(i)) != NULL; i++)
        if (format->delta && format->delta->of_graphs && format->sniff(text))
            return format->delta;
    return format_find("gcf")->delta;
}

static pith_text snap_first_line(pith_text text)
{
    const char *feed = text.len ? (const char *)memchr(text.ptr, '\n', text.len) : NULL;
    return text_of(text.ptr, feed ? (size_t)(feed - text.ptr) + 1 : text.len);
}

pith_status pith_delta_look(const char *text, size_t len, pith_delta_info *info,
                            pith_error *err)
{
    pith_text line = snap_first_line(text_of(len ? text : "", len));
    memset(info, 0, sizeof *info);
    return snap_codec_of(line)->look(line, info, err);
}

/* Nothing but blank lines and comments may follow the line that says so. */
static pith_status snap_check_unchanged(const pith_snapshot *snap, const delta_codec *by,
                                        pith_text text, const pith_delta_info *info,
                                        pith_error *err)
{
    const snapshot *held = &snap->held;
    pith_text rest = text_after(text, snap_first_line(text).len);
    while (rest.len > 0) {
        pith_text line = text_split(&rest, '\n');
        if (!text_is(line, "") && !text_is(line, "\r") && !text_begins(line, "# "))
            return answer_malformed(err, "expected nothing after unchanged=true");
    }
    pith_status status = answer_check_base(&snap->held, by, info->root, err);
    size_t count = held->is_graph ? held->graph.symbols.count : held->set.count;
    if (status == PITH_OK && info->has_count && info->count != count) {
        return error_set(err, PITH_BAD_INPUT, "count_mismatch",
                         "what is held has a count of %zu, not %llu", count,
                         (unsigned long long)info->count);
    }
    return status;
}

pith_status pith_snapshot_apply(pith_snapshot *snap, const char *text, size_t len,
                                pith_delta_kind *answer, pith_error *err)
{
    snapshot next = {0};
    pith_delta_info info = {0};
    answer_in job = {text_of(text ? text : "", len), &info, &snap->held, &snap->options,
                     err};
    const delta_codec *by = snap_codec_of(job.text);
    pith_status status = by->look(snap_first_line(job.text), &info, err);
    if (status == PITH_OK && info.kind == PITH_DELTA_UNCHANGED) {
        status = snap_check_unchanged(snap, by, job.text, &info, err);
    } else if (status == PITH_OK) {
        status = by->read(&job, &next);
        if (status == PITH_OK && !text_equal(info.root, snapshot_root(&next, by))) {
            status = answer_refuse_root(err, "root_mismatch", "the content has the root",
                                        info.root, next.root.text);
        }
        if (status == PITH_OK)
            snap_keep(snap, &next);
        else
            snapshot_free(&next);
    }
    if (status == PITH_OK && answer)
        *answer = info.kind;
    return status;
}
