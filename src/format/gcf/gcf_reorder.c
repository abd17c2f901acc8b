/*
 * gcf_reorder.c - rows whose attachments came in another order than their cells.
 *
 * An attachment that comes too early is put on the tape where the tape is, and the row
 * remembers in which order its children should stand. When the text has ended, the tape
 * is copied once, children in their order; the levels of the copy are on a stack of
 * ours. Doing it row by row would move the inner rows again for every row around them.
 */
#include "format/gcf/gcf_read.h"

#include <assert.h>

/* A container on its way from the old tape to the new one. */
typedef struct gcf_copy_level {
    const uint32_t *slots; /* of children out of order; NULL: one after the other */
    uint32_t next;         /* the child to be copied next: its slot or its number */
    uint32_t end;
    uint32_t after; /* the slot of its keys, or SLOT_NONE */
    uint32_t made;  /* its slot on the new tape */
} gcf_copy_level;

typedef struct gcf_copy {
    gcf_reader *reader;
    pith_slot *to;
    size_t count;
    LIST(gcf_copy_level) levels;
} gcf_copy;

static bool gcf_copy_enter(gcf_copy *copy, uint32_t at)
{
    gcf_reader *r = copy->reader;
    const pith_slot *from = &r->doc->slots[at];
    assert(slot_is_container(from));
    uint32_t made = (uint32_t)copy->count++;
    assert(copy->to);
    pith_slot *slot = &copy->to[made];
    if (!LIST_RESERVE(&copy->levels, &r->doc->alloc, 1))
        return read_failed(&r->in);
    gcf_copy_level level = {NULL, at + 1, doc_children_end(from), SLOT_NONE, made};
    level.after = doc_is_unshaped(from) ? from->u.link.next - 1 : SLOT_NONE;
    *slot = *from;
    slot->u.link.parent =
        copy->levels.count > 0 ? copy->levels.at[copy->levels.count - 1].made : SLOT_NONE;
    if (from->flags == GCF_ROW_MOVED) {
        assert(from->n < r->moved.count);
        const gcf_moved_row *row = &r->moved.at[from->n];
        level.slots = row->slots;
        level.next = 0;
        level.end = row->count;
        slot->flags = 0;
        slot->n = row->count;
    }
    copy->levels.at[copy->levels.count++] = level;
    return true;
}

static void gcf_copy_leave(gcf_copy *copy)
{
    assert(copy->levels.count > 0);
    const gcf_copy_level *level = &copy->levels.at[--copy->levels.count];
    if (level->after != SLOT_NONE)
        copy->to[copy->count++] = copy->reader->doc->slots[level->after];
    copy->to[level->made].u.link.next = (uint32_t)copy->count;
}

/* Copies everything under the root, children in their order. */
static bool gcf_copy_all(gcf_copy *copy)
{
    const pith_doc *doc = copy->reader->doc;
    if (!gcf_copy_enter(copy, 0))
        return false;
    while (copy->levels.count > 0) {
        gcf_copy_level *level = &copy->levels.at[copy->levels.count - 1];
        if (level->next == level->end) {
            gcf_copy_leave(copy);
            continue;
        }
        uint32_t at = level->slots ? level->slots[level->next] : level->next;
        level->next = level->slots ? level->next + 1 : doc_after_at(doc, at);
        if (!slot_is_container(&doc->slots[at]))
            copy->to[copy->count++] = doc->slots[at];
        else if (!gcf_copy_enter(copy, at))
            return false;
    }
    return true;
}

bool gcf_put_in_order(gcf_reader *r)
{
    pith_doc *doc = r->doc;
    const pith_alloc *alloc = &doc->alloc;
    gcf_copy copy = {r, NULL, 0, {NULL, 0, 0}};
    size_t cap = 0;
    if (r->moved.count == 0)
        return true;
    if (!list_grow(alloc, (void *)&copy.to, &cap, doc->count, sizeof *copy.to))
        return read_failed(&r->in);
    bool fine = gcf_copy_all(&copy);
    if (fine) {
        alloc_free(alloc, doc->slots, doc->cap * sizeof *doc->slots);
        doc->slots = copy.to;
        doc->cap = cap;
    } else {
        alloc_free(alloc, copy.to, cap * sizeof *copy.to);
    }
    LIST_FREE(&copy.levels, alloc);
    return fine;
}
