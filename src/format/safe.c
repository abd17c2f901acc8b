/*
 * safe.c - finding what is hidden in a value, and marking it.
 */
#include "format/safe.h"

#include "base/utf8.h"
#include "doc/path.h"

#include <assert.h>

/* ---------------------------------------------------------------------- refusing */

static bool safe_can_escape(unsigned escapes, uint32_t code)
{
    unsigned able = ESCAPES_ALL | (code <= 0xFFFF ? (unsigned)ESCAPES_SHORT : 0u);
    if (code == '\r')
        able |= ESCAPES_RETURN;
    if (code == '\f' || code == '\b')
        able |= ESCAPES_FEED;
    return escapes & able;
}

/* The first character that is hidden and cannot be escaped; false when there is none. */
static bool safe_find(pith_text text, unsigned escapes, uint32_t *code)
{
    const char *at = text.ptr;
    const char *end = at + text.len;
    while ((at += utf8_find_hidden(at, (size_t)(end - at))) < end) {
        size_t used = utf8_decode(at, (size_t)(end - at), code);
        if (!safe_can_escape(escapes, *code))
            return true;
        at += used;
    }
    return false;
}

static pith_status safe_refuse(const codec *format, uint32_t code, const char *where,
                               pith_error *err)
{
    return error_set(err, PITH_UNREPRESENTABLE, "hidden_character",
                     "U+%04X %s, and %s has no escape for it, which safe=true asks for",
                     (unsigned)code, where, format->info.name);
}

/* The same for the keys of an object; the key's value is where it is. */
static pith_status safe_check_keys(const codec *format, unsigned escapes,
                                   const pith_doc *doc, uint32_t object, uint32_t *at,
                                   pith_error *err)
{
    const pith_slot *slot = &doc->slots[object];
    const pith_key *keys = slot->n > 0 ? doc_keys(doc, slot) : NULL;
    escapes = escapes & ESCAPES_NO_KEYS ? 0 : escapes;
    for (uint32_t i = 0; i < slot->n; i++) {
        uint32_t code;
        if (safe_find(key_text(&keys[i]), escapes, &code)) {
            *at = object + 1;
            for (; i > 0; i--)
                *at = doc_after_at(doc, *at);
            return safe_refuse(format, code, "is in the key", err);
        }
    }
    return PITH_OK;
}

pith_status safe_check(const codec *format, const settings *set, const pith_doc *doc,
                       uint32_t at, pith_error *err)
{
    unsigned escapes = format->escapes ? format->escapes(set) : 0;
    uint32_t end = doc_after_at(doc, at);
    pith_status status = PITH_OK;
    for (uint32_t i = at; i < end && status == PITH_OK; i++) {
        const pith_slot *slot = &doc->slots[i];
        uint32_t where = i;
        if (slot->kind == PITH_OBJECT) {
            status = safe_check_keys(format, escapes, doc, i, &where, err);
        } else if (slot->kind == PITH_STRING) {
            uint32_t code;
            if (safe_find(slot_text(slot), escapes, &code))
                status = safe_refuse(format, code, "is in the text", err);
        }
        if (status != PITH_OK)
            error_put_path(err, doc, at, where);
    }
    return status;
}

/* ----------------------------------------------------------------------- marking */

static bool safe_is_hidden(const char *text, size_t len)
{
    return len > 0 && utf8_find_hidden(text, len) < len;
}

/* The list with marks: itself, where nothing is to be marked; NULL when out of memory. */
static const pith_key *safe_mark_keys(pith_arena *arena, const pith_key *keys,
                                      size_t count)
{
    pith_key *marked = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!safe_is_hidden(keys[i].text, keys[i].len))
            continue;
        if (!marked) {
            marked = (pith_key *)arena_take_aligned(arena, count * sizeof *marked);
            if (!marked)
                return NULL;
            memcpy(marked, keys, count * sizeof *marked);
        }
        marked[i].flags |= SLOT_ESCAPE;
    }
    return marked ? marked : keys;
}

/* Shapes are shared by everyone who has the document, so they are copied. */
static bool safe_mark_shapes(pith_doc *own)
{
    pith_shapes *shapes = &own->shapes;
    size_t bytes = shapes->count * sizeof *shapes->nodes;
    shape_node *nodes = (shape_node *)arena_take_aligned(&own->arena, bytes);
    if (!nodes)
        return false;
    memcpy(nodes, shapes->nodes, bytes);
    shapes->nodes = nodes;
    for (size_t i = 0; i < shapes->count; i++) {
        if (!nodes[i].keys)
            continue;
        const pith_key *keys = safe_mark_keys(&own->arena, nodes[i].keys, nodes[i].width);
        if (!keys)
            return false;
        nodes[i].keys = (pith_key *)keys;
    }
    return true;
}

static bool safe_mark_tape(pith_doc *own)
{
    for (size_t i = 0; i < own->count; i++) {
        pith_slot *slot = &own->slots[i];
        if (slot->kind == PITH_STRING && safe_is_hidden(slot->u.text, slot->n)) {
            slot->flags |= SLOT_ESCAPE;
        } else if (doc_is_unshaped(slot) && slot->n > 0) {
            pith_slot *keys = &own->slots[slot->u.link.next - 1];
            keys->u.keys = safe_mark_keys(&own->arena, keys->u.keys, slot->n);
            if (!keys->u.keys)
                return false;
        }
    }
    return true;
}

bool safe_open(safe_value *value, const pith_doc *doc, uint32_t at, pith_alloc alloc)
{
    if (!doc_copy_tape(&value->own, doc, at, alloc))
        return false;
    if (safe_mark_shapes(&value->own) && safe_mark_tape(&value->own))
        return true;
    safe_close(value);
    return false;
}

void safe_close(safe_value *value)
{
    doc_free_tape(&value->own);
}
