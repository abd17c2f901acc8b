/*
 * gcf_delta_read.c - reading an answer.
 *
 * The sections of a change are tables like any other, so the decoder reads them as the
 * members of an object: {"added":[...],"changed":[...],"removed":[...]}. With that come
 * the counts, the duplicates and every rule about cells. What is checked here is that
 * there is nothing else, and that each row has its key.
 */
#include "format/gcf/gcf_delta.h"

void gcf_take_answer(gcf_answer *answer, pith_text name, pith_text value)
{
    if (text_is(name, "delta")) {
        answer->delta = text_is(value, "true");
    } else if (text_is(name, "unchanged")) {
        answer->unchanged = text_is(value, "true");
    } else if (text_is(name, "tool")) {
        answer->tool = value;
    } else if (text_is(name, "pack_root")) {
        answer->pack_root = value;
    } else if (text_is(name, "base_root")) {
        answer->base_root = value;
    } else if (text_is(name, "new_root")) {
        answer->new_root = value;
    } else if (text_is(name, "count")) {
        answer->count = value;
    }
}

static pith_status sections_bad(pith_error *err, const char *what, const pith_key *name)
{
    return error_set(err, PITH_BAD_INPUT, "malformed_delta", what,
                     error_quote(name->text, name->len).text);
}

/* One member of the document. */
static pith_status sections_take(gcf_sections *sections, const pith_doc *doc, uint32_t at,
                                 const pith_key *name, pith_text key, pith_alloc alloc,
                                 pith_error *err)
{
    pith_text word = key_text(name);
    keyed_set *set = text_is(word, "added")     ? &sections->added
                     : text_is(word, "changed") ? &sections->changed
                     : text_is(word, "removed") ? &sections->removed
                                                : NULL;
    if (!set) {
        return sections_bad(err, "a change has added, changed and removed, not \"%s\"",
                            name);
    }
    if (doc->slots[at].kind != PITH_ARRAY) {
        return sections_bad(err, "%s: expected a table", name);
    }
    keyed_hint hint = {key, NULL, 0};
    pith_status status = keyed_open(set, doc, at, &hint, alloc, err);
    if (status != PITH_OK) {
        if (err && status == PITH_UNREPRESENTABLE) {
            err->status = PITH_BAD_INPUT;
        }
        return status == PITH_UNREPRESENTABLE ? PITH_BAD_INPUT : status;
    }
    if (set == &sections->removed && set->fields.count != 1) {
        return sections_bad(err, "%s: expected nothing but the key of each row", name);
    }
    const keyed_set **part = set == &sections->added     ? &sections->change.added
                             : set == &sections->changed ? &sections->change.changed
                                                         : &sections->change.removed;
    *part = set;
    return PITH_OK;
}

pith_status gcf_delta_sections(gcf_sections *sections, const pith_doc *doc, pith_text key,
                               pith_alloc alloc, pith_error *err)
{
    memset(sections, 0, sizeof *sections);
    const pith_slot *root = &doc->slots[0];
    if (root->kind != PITH_OBJECT) {
        return error_set(err, PITH_BAD_INPUT, "malformed_delta",
                         "expected the sections added, changed and removed");
    }
    const pith_key *names = doc_keys(doc, root);
    uint32_t end = doc_children_end(root);
    pith_status status = PITH_OK;
    for (uint32_t at = 1; at < end && status == PITH_OK; at = doc_behind(doc, at)) {
        status = sections_take(sections, doc, at, names++, key, alloc, err);
    }
    return status;
}

void gcf_sections_free(gcf_sections *sections)
{
    keyed_set *sets[] = {&sections->added, &sections->changed, &sections->removed};
    for (size_t i = 0; i < 3; i++) {
        if (sets[i]->doc) {
            keyed_free(sets[i]);
        }
    }
}
