/*
 * copy_rows.c - a value with fewer rows.
 */
#include "doc/copy_rows.h"
#include "base/list.h"

static pith_value copy_value_at(const pith_doc *doc, uint32_t at)
{
    uint32_t parent = doc->slots[at].u.link.parent;
    uint32_t index = 0;
    if (parent != SLOT_NONE)
        for (uint32_t child = parent + 1; child < at; child = doc_after_at(doc, child))
            index++;
    return doc_value(doc, at, parent, index);
}

/* Arrays inside arrays are parts of rows; so the walk enters objects only. */
pith_value doc_find_rows(pith_value value)
{
    pith_value none = {NULL, 0, 0, 0};
    if (!value.doc)
        return none;
    uint32_t end = doc_after_at(value.doc, value.at);
    uint32_t best = SLOT_NONE;
    uint32_t most = 0;
    for (uint32_t at = value.at; at < end;) {
        const pith_slot *slot = &value.doc->slots[at];
        bool array = slot->kind == PITH_ARRAY;
        if (array && slot->n > 0 && slot->u.link.next - at > most) {
            best = at;
            most = slot->u.link.next - at;
        }
        at = array ? slot->u.link.next : at + 1;
    }
    return best == SLOT_NONE ? none : copy_value_at(value.doc, best);
}

/* Whether the row at `index` of `count` is among the `keep` that stay. */
static bool copy_stays(uint64_t index, uint64_t count, uint64_t keep, rows_keep which)
{
    switch (which) {
    case ROWS_KEEP_LAST:
        return index >= count - keep;
    case ROWS_KEEP_SPREAD:
        return index * keep % count < keep; /* the first, then at even steps */
    default:
        return index < keep;
    }
}

static void copy_some_rows(pith_doc *doc, pith_value rows, size_t keep, rows_keep which)
{
    uint64_t count = pith_value_count(rows);
    uint64_t index = 0;
    pith_doc_open_array(doc);
    for (pith_value row = pith_value_first(rows); row.doc; row = pith_value_next(row))
        if (copy_stays(index++, count, keep, which))
            pith_doc_add_value(doc, row);
    pith_doc_close(doc);
}

static void copy_key(pith_doc *doc, pith_value member)
{
    pith_text key = pith_value_key(member);
    pith_doc_add_key(doc, key.ptr, key.len);
}

static void copy_members(pith_doc *doc, pith_value from, uint32_t until)
{
    for (; from.doc && from.at != until; from = pith_value_next(from)) {
        copy_key(doc, from);
        pith_doc_add_value(doc, from);
    }
}

/* Down the objects that lead to the rows, adding what comes before, and up again, adding
 * what comes after. */
void doc_copy_rows(pith_doc *doc, pith_value value, pith_value rows, size_t count,
                   rows_keep keep)
{
    LIST(pith_value) path = {NULL, 0, 0}; /* from the rows up to the value */
    pith_value at = rows;
    pith_value *step;
    while ((step = LIST_ADD(&path, &doc->alloc)) != NULL) {
        *step = at;
        if (at.at == value.at)
            break;
        at = copy_value_at(value.doc, at.parent);
    }
    if (!step) {
        if (doc->fault.status == PITH_OK)
            error_no_memory(&doc->fault);
        LIST_FREE(&path, &doc->alloc);
        return;
    }
    for (size_t i = path.count; i-- > 1;) {
        pith_doc_open_object(doc);
        copy_members(doc, pith_value_first(path.at[i]), path.at[i - 1].at);
        copy_key(doc, path.at[i - 1]);
    }
    copy_some_rows(doc, rows, count, keep);
    for (size_t i = 1; i < path.count; i++) {
        copy_members(doc, pith_value_next(path.at[i - 1]), SLOT_NONE);
        pith_doc_close(doc);
    }
    LIST_FREE(&path, &doc->alloc);
}
