/*
 * build.h - appending to a tape: what decoders use.
 *
 * Values are appended in document order. The innermost open container is doc->open;
 * its slot counts its children as they come and follows its shape. A decoder that
 * knows the grammar has no need to be checked for sense here (the public calls in
 * builder.c do that); what can still fail is memory, depth and size.
 *
 * Texts are borrowed: they must be in the input or in the document's arena. Flags
 * must be right (build_text_flags finds them).
 *
 * A decoder of tables finds the shape of its columns once, with build_step, and then
 * opens every row with build_open_shaped: the rows cost nothing but their values.
 */
#ifndef DOC_BUILD_H
#define DOC_BUILD_H

#include "doc/doc.h"

#include <assert.h>

typedef enum build_result {
    BUILD_DONE,
    BUILD_NO_MEMORY,
    BUILD_TOO_DEEP,
    BUILD_TOO_LARGE /* a text of 4 GiB or more */
} build_result;

/* The slot flags of a string or key: SLOT_ESCAPE and SLOT_WIDE. */
uint8_t build_text_flags(const char *text, size_t len);

/* The slot flags of a number in JSON's grammar. */
uint8_t build_number_flags(const char *digits, size_t len);

/* Room for a text of at most `most` bytes that is not spelled in the input as it is. Its
 * offset there stands before it, so that a problem found later can say where it was:
 *
 *     | offset, 8 bytes | text |
 *
 * NULL when out of memory. Then it is ended, or given back, before anything else is
 * taken from the arena. */
char *build_place_text(pith_doc *doc, size_t offset, size_t most);
void build_end_text(pith_doc *doc, char *text, size_t len);
void build_drop_text(pith_doc *doc, char *text);
size_t build_text_offset(const char *text);

/* ------------------------------------------------------------------- scalars */

/* A fresh slot after the last one, or NULL. Counts nothing. */
static inline pith_slot *build_slot(pith_doc *doc)
{
    if (doc->count == doc->cap && !doc_reserve(doc, 1))
        return NULL;
    return &doc->slots[doc->count++];
}

static inline void build_count(pith_doc *doc)
{
    if (doc->open != SLOT_NONE)
        doc->slots[doc->open].n++;
}

static inline build_result build_text(pith_doc *doc, pith_kind kind, uint8_t flags,
                                      const char *text, size_t len)
{
    assert(kind < PITH_ARRAY);
    if (len > SLOT_TEXT_MOST)
        return BUILD_TOO_LARGE;
    pith_slot *slot = build_slot(doc);
    if (!slot)
        return BUILD_NO_MEMORY;
    slot_set(slot, kind, flags, text, len);
    build_count(doc);
    return BUILD_DONE;
}

/* null, true or false */
static inline build_result build_word(pith_doc *doc, pith_kind kind)
{
    pith_slot *slot = build_slot(doc);
    if (!slot)
        return BUILD_NO_MEMORY;
    slot_set_word(slot, kind);
    build_count(doc);
    return BUILD_DONE;
}

/* Bytes as the text of their base64; `typed`: they are bytes still, see typed.h. */
build_result build_bytes(pith_doc *doc, const void *bytes, size_t len, bool typed);

/* The same for bytes that a caller of the library gives; a little less is too large. */
static inline build_result build_given_bytes(pith_doc *doc, const void *bytes, size_t len,
                                             bool typed)
{
    return len > SLOT_TEXT_MOST / 4 * 3 - 8 ? BUILD_TOO_LARGE
                                            : build_bytes(doc, bytes, len, typed);
}

/* ---------------------------------------------------------------------- keys */

/* Puts a key on the list of the innermost open object, which has no shape. */
bool build_unshaped_key(pith_doc *doc, uint8_t flags, const char *text, size_t len);

/* The innermost open object, which stood at `shape`, goes on without a shape. */
bool build_unshape(pith_doc *doc, uint16_t shape);

/* Ends an object without a shape and `count` members: puts its keys into the arena
 * and their slot on the tape. */
bool build_end_unshaped(pith_doc *doc, uint32_t count);

/* One key further from `shape`: the new shape, or SHAPE_NONE after which the object
 * is loose and the key on its list. False when out of memory. Duplicates make an
 * object loose too; doc_find_equal_keys tells about them when it closes. */
bool build_step(pith_doc *doc, uint16_t *shape, uint8_t flags, const char *text,
                size_t len);

/* The key of the next member. */
static inline build_result build_key(pith_doc *doc, uint8_t flags, const char *text,
                                     size_t len)
{
    if (len > SLOT_TEXT_MOST)
        return BUILD_TOO_LARGE;
    assert(doc->slots && doc->open != SLOT_NONE);
    uint16_t shape = doc->slots[doc->open].shape;
    if (!build_step(doc, &shape, flags, text, len))
        return BUILD_NO_MEMORY;
    doc->slots[doc->open].shape = shape;
    return BUILD_DONE;
}

/* ---------------------------------------------------------------- containers */

static inline build_result build_open_shaped(pith_doc *doc, pith_kind kind,
                                             uint16_t shape)
{
    assert(kind == PITH_ARRAY || kind == PITH_OBJECT);
    if (doc->depth >= doc->depth_max)
        return BUILD_TOO_DEEP;
    pith_slot *slot = build_slot(doc);
    if (!slot)
        return BUILD_NO_MEMORY;
    build_count(doc);
    slot->kind = (uint8_t)kind;
    slot->flags = 0;
    slot->shape = shape;
    slot->n = 0;
    slot->u.link.next = SLOT_NONE;
    slot->u.link.parent = doc->open;
    doc->open = (uint32_t)(doc->count - 1);
    doc->depth++;
    return BUILD_DONE;
}

/* Opens an array or object. */
static inline build_result build_open(pith_doc *doc, pith_kind kind)
{
    uint16_t shape = kind == PITH_OBJECT ? (uint16_t)SHAPE_EMPTY : (uint16_t)SHAPE_NONE;
    return build_open_shaped(doc, kind, shape);
}

/* The keys of the innermost open container when it is an object without a shape, NULL
 * otherwise: those have not been compared with each other yet. */
static inline pith_key *build_unchecked_keys(const pith_doc *doc)
{
    assert(doc->open != SLOT_NONE);
    const pith_slot *slot = &doc->slots[doc->open];
    return doc_is_unshaped(slot) ? doc->unshaped + (doc->unshaped_count - slot->n) : NULL;
}

/* Closes the innermost open container. */
static inline build_result build_close(pith_doc *doc)
{
    assert(doc->open != SLOT_NONE && doc->depth > 0);
    const pith_slot *open = &doc->slots[doc->open];
    if (doc_is_unshaped(open) && !build_end_unshaped(doc, open->n))
        return BUILD_NO_MEMORY;
    pith_slot *slot = &doc->slots[doc->open];
    if (slot->shape != SHAPE_NONE && !shapes_list(&doc->shapes, slot->shape))
        return BUILD_NO_MEMORY;
    slot->u.link.next = (uint32_t)doc->count;
    doc->open = slot->u.link.parent;
    doc->depth--;
    return BUILD_DONE;
}

/* The first failure of the public calls sticks; they become no-ops. */
void builder_fail(pith_doc *doc, pith_status status, const char *code,
                  const char *sentence);

/* Keeps what building said as such a failure. After a value that is there, objects whose
 * last one it was are closed: see cells.h. */
void builder_check(pith_doc *doc, build_result result);

/* Whether a value may come now. In an object it uses up the key. */
bool builder_ready(pith_doc *doc);

/* Copies a value of any document, this one included, to the end of the tape. Texts
 * are copied too. */
build_result build_copy(pith_doc *doc, const pith_doc *from, uint32_t at);

#endif
