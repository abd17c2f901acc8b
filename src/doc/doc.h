/*
 * doc.h - the document: a tape of slots, lists of keys, an arena, and the input it
 * borrows from.
 */
#ifndef DOC_DOC_H
#define DOC_DOC_H

#include "base/arena.h"
#include "base/error.h"
#include "doc/schema.h"
#include "doc/shape.h"
#include "doc/slot.h"

#include <assert.h>

typedef struct cells_rows cells_rows; /* see cells.h */

struct pith_doc {
    pith_alloc alloc;
    pith_slot *slots;
    size_t count;
    size_t cap;
    pith_arena arena;
    pith_shapes shapes;

    /* While it is being built. */
    uint32_t open; /* the innermost open container, or SLOT_NONE */
    size_t depth;  /* open containers */
    size_t depth_max;
    bool key_pending; /* an object has a key and waits for its value */
    bool plain_bytes; /* cells that are bytes become base64 and are texts from then on */
    cells_rows *rows; /* the columns of the row that is being made, or NULL */
    bool finished;    /* holds exactly one whole value */
    bool has_duplicates; /* some are marked and wait for doc_merge_duplicates */
    pith_error fault;    /* the builder's first failure; status PITH_OK when none */

    /* The keys of open objects without a shape, those of the innermost last. */
    pith_key *unshaped;
    size_t unshaped_count;
    size_t unshaped_cap;

    /* Scratch for finding equal keys; kept between uses. */
    uint32_t *table;
    size_t table_size;

    /* Decimals that are doubles: see spelled.h. */
    bool keeps_doubles;    /* while it is read: whoever asked for that knows of them */
    uint32_t double_count; /* on the tape */
    char *digits;          /* a place for those of each, in the arena */
    unsigned char *digits_done;

    /* Which of the arrays are tables; only where a format or a builder said so. */
    doc_table *tables;
    size_t table_count;
    size_t table_cap;
};

/* The slot after the value at `at` and everything in it. */
static inline uint32_t doc_after_at(const pith_doc *doc, uint32_t at)
{
    assert(at < doc->count);
    const pith_slot *slot = &doc->slots[at];
    return slot_is_container(slot) ? slot->u.link.next : at + 1;
}

/* The same with pointers. */
static inline const pith_slot *doc_after(const pith_doc *doc, const pith_slot *slot)
{
    return slot_is_container(slot) ? doc->slots + slot->u.link.next : slot + 1;
}

/* True for an object that has a list of keys of its own. */
static inline bool doc_is_unshaped(const pith_slot *slot)
{
    return slot->kind == PITH_OBJECT && slot->shape == SHAPE_NONE;
}

/* The slot after the last child of a closed container. */
static inline uint32_t doc_children_end(const pith_slot *container)
{
    assert(slot_is_container(container));
    return container->u.link.next - (doc_is_unshaped(container) ? 1 : 0);
}

/* The keys of a closed object, as many as it has members. */
static inline const pith_key *doc_keys(const pith_doc *doc, const pith_slot *object)
{
    assert(object->kind == PITH_OBJECT);
    return doc_is_unshaped(object) ? doc->slots[object->u.link.next - 1].u.keys
                                   : doc->shapes.nodes[object->shape].keys;
}

/* The limit on nesting these options ask for. */
size_t doc_depth_limit(const pith_options *options);

/* From here on the document asks for memory there. */
void doc_use_alloc(pith_doc *doc, pith_alloc alloc);

/* How far the input has come: where the last of its texts that are on the tape begins. */
size_t doc_reached(const pith_doc *doc, pith_text input);

/* Room for `more` slots after the last; false when out of memory or numbers. */
bool doc_reserve(pith_doc *doc, size_t more);

/* Room for a text of which nothing is known but how it begins: `marks` are the bytes
 * that mostly come with a value, twice where they come with two. Too small a guess only
 * costs a resize, too large a one address space and no memory. */
bool doc_reserve_for(pith_doc *doc, pith_text text, const char *marks);

/* True for a text that begins in the input, or at its end. */
static inline bool doc_is_input(pith_text input, const char *text)
{
    uintptr_t start = (uintptr_t)input.ptr;
    return (uintptr_t)text >= start && (uintptr_t)text - start <= input.len;
}

/* SLOT_NEAR_END for a text in the last 16 bytes of the input, else 0. */
static inline uint8_t doc_near_end_flag(pith_text input, const char *text)
{
    bool tail = doc_is_input(input, text) && input.ptr + input.len - text < 16;
    return tail ? (uint8_t)SLOT_NEAR_END : (uint8_t)0;
}

/* Gives the values of a document that was read from `input` that flag. Loose keys must
 * have it already. `repeated` is how many texts of the input a row may hold that stand
 * before it, once for all rows. */
void doc_mark_near_end(pith_doc *doc, pith_text input, size_t repeated);

/* A handle on the slot `at`, child number `index` of the container `parent`. */
static inline pith_value doc_value(const pith_doc *doc, uint32_t at, uint32_t parent,
                                   uint32_t index)
{
    pith_value value = {doc, at, parent, index};
    return value;
}

/* Makes `own` a document of the value at `at` alone, with a tape and an arena of its own,
 * from that memory; texts, keys and all else belong to the other document. False when out of
 * memory; then there is nothing to free. */
bool doc_copy_tape(pith_doc *own, const pith_doc *doc, uint32_t at, pith_alloc alloc);
void doc_free_tape(pith_doc *own);

/* What is read may take 64 bytes of memory for each byte of the text, and beyond that what
 * DOC_FREE_VALUES values take. So a writer may leave values unsaid, such as constants and
 * the objects that a path goes through, as long as a document has no more values than that.
 * In a larger one a row must show at least one value, of two bytes or more, for each
 * `share` that it hides: then 24 bytes a value are within the limit. */
enum { DOC_FREE_VALUES = 2000000 };

static inline bool doc_may_hide(const pith_doc *doc, uint64_t hidden, uint64_t shown,
                                uint64_t share)
{
    return doc->count <= DOC_FREE_VALUES || hidden <= share * shown;
}

/* True when every child of the container at `at` is an object. */
bool doc_all_objects(const pith_doc *doc, uint32_t at);

/* Finds every pair of equal keys in a list and calls `found` with their indexes,
 * first and later, in the order of the later; `found` returns false to stop. A key
 * that stands three times gives two pairs. False when out of memory. Linear. */
typedef bool (*doc_pair)(void *ctx, uint32_t first, uint32_t later);
bool doc_find_equal_keys(pith_doc *doc, const pith_key *keys, size_t count,
                         doc_pair found, void *ctx);

/* Merging duplicates, for readers that were asked to: the key keeps its first place
 * and takes its last value. doc_mark_duplicates is for an open loose object whose
 * children are all there, just before it closes; `keys` are its keys on doc->unshaped.
 * doc_merge_duplicates is for the closed document, once, if doc->has_duplicates.
 * Both return false when out of memory. */
bool doc_mark_duplicates(pith_doc *doc, uint32_t object, pith_key *keys, size_t count);
bool doc_merge_duplicates(pith_doc *doc);

#endif
