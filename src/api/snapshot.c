/*
 * snapshot.c - taking and holding snapshots.
 */
#include "api/snapshot.h"

pith_root snapshot_root_of(const keyed_set *set)
{
    pith_root root;
    memset(&root, 0, sizeof root);
    memcpy(root.text, set->root, ROOT_LEN);
    return root;
}

pith_status pith_value_root(pith_value value, const char *key,
                            const pith_options *options, pith_root *root, pith_error *err)
{
    keyed_set set;
    keyed_hint hint = {text_from(key), NULL, 0};
    if (!value.doc) {
        return error_set(err, PITH_BAD_USE, "no_value", "there is no value to hash");
    }
    pith_status status =
        keyed_open(&set, value.doc, value.at, &hint, alloc_from(options), err);
    if (status == PITH_OK) {
        *root = snapshot_root_of(&set);
    }
    keyed_free(&set);
    return status;
}

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
    held->doc = doc;
    if (!snapshot_keep_hint(doc, &kept)) {
        memset(&held->set, 0, sizeof held->set);
        held->set.alloc = doc->alloc;
        snapshot_free(held);
        return error_no_memory(err);
    }
    pith_status status = keyed_open(&held->set, doc, 0, &kept, doc->alloc, err);
    if (status == PITH_OK) {
        held->root = snapshot_root_of(&held->set);
    } else {
        snapshot_free(held);
    }
    return status;
}

pith_status snapshot_take(snapshot *held, pith_value value, const keyed_hint *hint,
                          const pith_options *options, pith_error *err)
{
    if (!value.doc) {
        return error_set(err, PITH_BAD_USE, "no_value", "there is no value to hold");
    }
    pith_doc *doc = pith_doc_new(options);
    if (!doc) {
        return error_no_memory(err);
    }
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
        keyed_free(&held->set);
        pith_doc_free(held->doc);
    }
    memset(held, 0, sizeof *held);
}
