/*
 * snapshot.c - taking, holding and comparing snapshots.
 *
 * A graph is a value with a member `symbols` that is an array; with a key, that is an
 * ordinary set with this name. The root of a graph does not count the status of edges
 * and the places of symbols, and a delta does not carry them: a graph that has any is
 * always told whole.
 */
#include "format/snapshot.h"

#include "doc/spelled.h"

pith_root snapshot_root_of(const char *root)
{
    pith_root text;
    memset(&text, 0, sizeof text);
    memcpy(text.text, root, ROOT_LEN);
    return text;
}

static bool snapshot_is_graph(pith_value value, pith_text key)
{
    return key.len == 0 &&
           pith_value_kind(pith_value_get(value, "symbols", 7)) == PITH_ARRAY;
}

pith_status pith_value_root(pith_value value, pith_text key, const pith_options *options,
                            pith_root *root, pith_error *err)
{
    keyed_hint hint = {.key = key, .options = options};
    if (!value.doc)
        return error_set(err, PITH_BAD_USE, "no_value", "there is no value to hash");
    if (snapshot_is_graph(value, hint.key))
        return snapshot_graph_root(value, options, root, err);
    keyed_set set;
    spelled_value spelled;
    if (!spelled_open(&spelled, value.doc, value.at, alloc_from(options)))
        return error_no_memory(err);
    pith_status status =
        keyed_open(&set, spelled.doc, spelled.at, &hint, alloc_from(options), err);
    if (status == PITH_OK)
        *root = snapshot_root_of(set.root);
    keyed_free(&set);
    spelled_close(&spelled);
    return status;
}

/* ---------------------------------------------------------------------- taking */

/* The hint with texts that live as long as the document; false when out of memory. */
static bool snapshot_keep_hint(pith_doc *doc, keyed_hint *hint)
{
    pith_key *fields = (pith_key *)arena_take_aligned(
        &doc->arena, (hint->field_count + 1) * sizeof *fields);
    const char *key = arena_copy(&doc->arena, hint->key.ptr, hint->key.len);
    bool fine = fields && key;
    for (size_t i = 0; fine && i < hint->field_count; i++) {
        fields[i] = hint->fields[i];
        fields[i].text = arena_copy(&doc->arena, fields[i].text, fields[i].len);
        fine = fields[i].text != NULL;
    }
    if (fine) {
        hint->key.ptr = key;
        hint->fields = fields;
    }
    return fine;
}

pith_status snapshot_adopt(snapshot *held, pith_doc *doc, const keyed_hint *hint,
                           pith_error *err)
{
    keyed_hint kept = *hint;
    memset(held, 0, sizeof *held);
    held->doc = doc;
    held->set.alloc = doc->alloc;
    pith_status status = snapshot_keep_hint(doc, &kept)
                             ? keyed_open(&held->set, doc, 0, &kept, doc->alloc, err)
                             : error_no_memory(err);
    if (status == PITH_OK)
        held->root = snapshot_root_of(held->set.root);
    else
        snapshot_free(held);
    return status;
}

pith_status snapshot_take(snapshot *held, pith_value value, const keyed_hint *hint,
                          const pith_options *options, pith_error *err)
{
    if (!value.doc)
        return error_set(err, PITH_BAD_USE, "no_value", "there is no value to hold");
    if (snapshot_is_graph(value, hint->key))
        return snapshot_take_graph(held, value, options, err);
    pith_doc *doc = pith_doc_new(options);
    if (!doc)
        return error_no_memory(err);
    pith_doc_add_value(doc, value);
    pith_status status = pith_doc_finish(doc, err);
    if (status != PITH_OK) {
        pith_doc_free(doc);
        return status;
    }
    return snapshot_adopt(held, doc, hint, err);
}

void snapshot_free(snapshot *held)
{
    if (held->doc) {
        if (held->is_graph)
            snapshot_free_graph(held);
        else
            keyed_free(&held->set);
        pith_doc_free(held->doc);
    }
    memset(held, 0, sizeof *held);
}

/* ------------------------------------------------------------------- comparing */

pith_status snapshot_compare(snapshot_change *change, snapshot *base, snapshot *now,
                             pith_alloc alloc, pith_error *err)
{
    if (base->is_graph != now->is_graph)
        return PITH_OK;
    if (base->is_graph)
        return snapshot_compare_graphs(change, base, now, alloc, err);
    if (!keyed_same_schema(&base->set, &now->set))
        return PITH_OK;
    if (!keyed_compare(&change->set, &base->set, &now->set, alloc))
        return error_no_memory(err);
    const keyed_diff *diff = &change->set;
    change->same = diff->added_count + diff->changed_count + diff->removed_count == 0;
    /* Equal roots, but a gap has become a null or the other way. */
    change->told = change->same || strcmp(base->root.text, now->root.text) != 0;
    return PITH_OK;
}

void snapshot_change_free(snapshot_change *change)
{
    snapshot_change_free_graph(change);
    if (change->set.list)
        keyed_diff_free(&change->set);
}

pith_status answer_malformed(pith_error *err, const char *what)
{
    return error_set(err, PITH_BAD_INPUT, "malformed_delta", "%s", what);
}

/* What is in the first line is printable, and a root of ours is 71 bytes. */
pith_status answer_refuse_root(pith_error *err, const char *code, const char *what,
                               pith_text promised, const char *found)
{
    const size_t most = PITH_ROOT_SIZE;
    return error_set(err, PITH_BAD_INPUT, code, "%s %s, not %.*s", what, found,
                     (int)(promised.len < most ? promised.len : most),
                     promised.len ? promised.ptr : "");
}

pith_status answer_check_base(const snapshot *held, const delta_codec *by, pith_text root,
                              pith_error *err)
{
    if (held->doc && text_equal(root, snapshot_root(held, by)))
        return PITH_OK;
    return answer_refuse_root(err, "base_mismatch", "what is held has the root", root,
                              held->root.text);
}

pith_status answer_check_delta(const answer_in *job, const delta_codec *by)
{
    const pith_delta_info *info = job->info;
    if (!job->base->doc || job->base->is_graph != by->of_graphs) {
        return error_set(job->err, PITH_BAD_INPUT, "base_mismatch",
                         "there %s yet that this could change",
                         by->of_graphs ? "is no graph" : "are no rows");
    }
    return answer_check_base(job->base, by, info->base_root, job->err);
}
