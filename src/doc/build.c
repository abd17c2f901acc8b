/*
 * build.c - the parts of appending that are too long to be inline.
 */
#include "doc/build.h"
#include "base/base64.h"
#include "doc/typed.h"
#include "base/lex.h"
#include "base/list.h"
#include "doc/spelled.h"

#include <assert.h>

uint8_t build_text_flags(const char *text, size_t len)
{
    uint8_t flags = 0;
    const char *end = text + len;
    const char *at = scan_special(text, end);
    while (at < end && flags != (SLOT_ESCAPE | SLOT_WIDE)) {
        flags |= (unsigned char)*at >= 0x80 ? SLOT_WIDE : SLOT_ESCAPE;
        at = flags & SLOT_WIDE ? scan_stop(at + 1, end) : scan_special(at + 1, end);
    }
    return flags;
}

uint8_t build_number_flags(const char *digits, size_t len)
{
    return lex_read_number(digits, digits + len).plain ? SLOT_CANONICAL : 0;
}

/* --------------------------------------------------------------- loose objects */

static pith_key *build_loose_room(pith_doc *doc, size_t count)
{
    if (!list_grow(&doc->alloc, (void *)&doc->unshaped, &doc->unshaped_cap,
                   doc->unshaped_count + count + 1, sizeof *doc->unshaped))
        return NULL;
    pith_key *room = doc->unshaped + doc->unshaped_count;
    doc->unshaped_count += count;
    return room;
}

bool build_unshaped_key(pith_doc *doc, uint8_t flags, const char *text, size_t len)
{
    pith_key *key = build_loose_room(doc, 1);
    if (!key)
        return false;
    key->text = text;
    key->len = (uint32_t)len;
    key->flags = flags;
    key->dead = 0;
    return true;
}

bool build_unshape(pith_doc *doc, uint16_t shape)
{
    assert(shape != SHAPE_NONE);
    size_t width = shapes_width(&doc->shapes, shape);
    pith_key *keys = build_loose_room(doc, width);
    if (!keys)
        return false;
    for (size_t i = width; i > 0; i--) {
        const shape_node *node = &doc->shapes.nodes[shape];
        keys[i - 1] = node->key;
        shape = node->parent;
    }
    return true;
}

bool build_end_unshaped(pith_doc *doc, uint32_t count)
{
    assert(count <= doc->unshaped_count);
    size_t bytes = count * sizeof(pith_key);
    pith_key *keys = (pith_key *)arena_take_aligned(&doc->arena, bytes);
    pith_slot *slot = keys ? build_slot(doc) : NULL;
    if (!slot)
        return false;
    doc->unshaped_count -= count;
    memcpy(keys, doc->unshaped + doc->unshaped_count, bytes);
    memset(slot, 0, sizeof *slot);
    slot->kind = SLOT_KEYS;
    slot->n = count;
    slot->u.keys = keys;
    return true;
}

bool build_step(pith_doc *doc, uint16_t *shape, uint8_t flags, const char *text,
                size_t len)
{
    if (*shape == SHAPE_NONE)
        return build_unshaped_key(doc, flags, text, len);
    uint16_t next = shapes_step(&doc->shapes, *shape, text, len, flags);
    if (next != SHAPE_NONE && next != SHAPE_DUPLICATE) {
        *shape = next;
        return true;
    }
    uint16_t before = *shape;
    *shape = SHAPE_NONE;
    return build_unshape(doc, before) && build_unshaped_key(doc, flags, text, len);
}

/* --------------------------------------------------------------------- copying */

/* How deep the value's containers nest; the tape says so without recursion. */
static size_t build_depth_of(const pith_doc *from, uint32_t at, uint32_t end)
{
    size_t depth = 0;
    size_t deepest = 0;
    uint32_t open = SLOT_NONE;
    for (uint32_t i = at; i < end; i++) {
        while (open != SLOT_NONE && i == from->slots[open].u.link.next) {
            open = open == at ? SLOT_NONE : from->slots[open].u.link.parent;
            depth--;
        }
        if (slot_is_container(&from->slots[i])) {
            open = i;
            depth++;
            deepest = depth > deepest ? depth : deepest;
        }
    }
    return deepest;
}

static build_result build_copy_scalar(pith_doc *doc, const pith_slot *from)
{
    uint8_t flags = from->flags & (uint8_t)~SLOT_NEAR_END;
    if (from->kind < PITH_INTEGER)
        return build_word(doc, (pith_kind)from->kind);
    pith_slot spelled = *from;
    char digits[SPELLED_MAX_LEN];
    if (slot_is_double(from)) {
        slot_set_spelled(&spelled, digits, from->u.number);
        flags = spelled.flags;
    }
    const char *text = arena_copy(&doc->arena, spelled.u.text, spelled.n);
    return text ? build_text(doc, (pith_kind)from->kind, flags, text, spelled.n)
                : BUILD_NO_MEMORY;
}

static build_result build_copy_key(pith_doc *doc, const pith_key *key)
{
    const char *text = arena_copy(&doc->arena, key->text, key->len);
    uint8_t flags = key->flags & (uint8_t)~SLOT_NEAR_END;
    return text ? build_key(doc, flags, text, key->len) : BUILD_NO_MEMORY;
}

/* Opens a copy of an object of another document with all its keys: values go on the tape
 * one by one, but keys may be stepped through beforehand. */
static build_result build_copy_object(pith_doc *doc, const pith_doc *from,
                                      const pith_slot *object)
{
    const pith_key *keys = doc_keys(from, object);
    build_result result = build_open(doc, PITH_OBJECT);
    for (uint32_t i = 0; i < object->n && result == BUILD_DONE; i++)
        result = build_copy_key(doc, &keys[i]);
    return result;
}

build_result build_copy(pith_doc *doc, const pith_doc *from, uint32_t at)
{
    assert(at < from->count);
    uint32_t end = doc_after_at(from, at);
    if (doc->depth + build_depth_of(from, at, end) > doc->depth_max)
        return BUILD_TOO_DEEP;
    build_result result = BUILD_DONE;
    uint32_t open = SLOT_NONE; /* on the tape that is copied from */
    for (uint32_t i = at; i < end && result == BUILD_DONE; i++) {
        const pith_slot *slot = &from->slots[i];
        if (slot->kind == PITH_OBJECT)
            result = build_copy_object(doc, from, slot);
        else if (slot->kind == PITH_ARRAY)
            result = build_open(doc, PITH_ARRAY);
        else if (slot->kind != SLOT_KEYS)
            result = build_copy_scalar(doc, slot);
        if (slot_is_container(slot) && result == BUILD_DONE) {
            doc->slots[doc->open].flags = slot->flags & SLOT_TYPED;
            open = i;
        }
        while (open != SLOT_NONE && i + 1 == from->slots[open].u.link.next &&
               result == BUILD_DONE) {
            result = build_close(doc);
            open = open == at ? SLOT_NONE : from->slots[open].u.link.parent;
        }
    }
    return result;
}

/* ------------------------------------------------------------- what decoders share */

enum { BUILD_OFFSET_SIZE = sizeof(uint64_t) };

char *build_place_text(pith_doc *doc, size_t offset, size_t most)
{
    uint64_t place = offset;
    char *block = arena_take(&doc->arena, BUILD_OFFSET_SIZE + most);
    if (!block)
        return NULL;
    memcpy(block, &place, BUILD_OFFSET_SIZE);
    return block + BUILD_OFFSET_SIZE;
}

void build_end_text(pith_doc *doc, char *text, size_t len)
{
    arena_trim(&doc->arena, text - BUILD_OFFSET_SIZE, BUILD_OFFSET_SIZE + len);
}

void build_drop_text(pith_doc *doc, char *text)
{
    arena_trim(&doc->arena, text - BUILD_OFFSET_SIZE, 0);
}

size_t build_text_offset(const char *text)
{
    uint64_t place;
    memcpy(&place, text - BUILD_OFFSET_SIZE, BUILD_OFFSET_SIZE);
    return (size_t)place;
}

build_result build_bytes(pith_doc *doc, const void *bytes, size_t len, bool typed)
{
    size_t prefix = typed ? TYPED_BYTES_PREFIX_LEN : 0;
    if (len > SLOT_TEXT_MOST / 4 * 3 || base64_text_len(len) > SLOT_TEXT_MOST - prefix)
        return BUILD_TOO_LARGE;
    size_t text_len = prefix + base64_text_len(len);
    char *text = arena_take(&doc->arena, text_len);
    if (!text)
        return BUILD_NO_MEMORY;
    memcpy(text, TYPED_BYTES_PREFIX, prefix);
    base64_write(text + prefix, bytes, len);
    return build_text(doc, PITH_STRING, typed ? SLOT_TYPED : 0, text, text_len);
}
