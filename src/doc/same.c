/*
 * same.c - comparing what two documents mean.
 *
 * Both tapes are walked side by side. While the members of two objects come in the same
 * order the walk just goes on; where they do not, the keys of both are laid after each
 * other, every pair of equal ones says where a member of the first stands in the second,
 * and these places are kept on a stack until the object ends:
 *
 *     a   {id, name, team}           places   7, 5, 6
 *     b   {name, team, id}           slots    5, 6, 7
 */
#include "doc/same.h"
#include "base/list.h"
#include "base/num.h"
#include "doc/spelled.h"

#include <assert.h>
#include <math.h>

/* A container that both walks are in. */
typedef struct same_level {
    uint32_t next;   /* the next child of a */
    uint32_t end;    /* after its last */
    uint32_t beside; /* the child of b to compare with, when in the same order */
    bool reordered;  /* else it is at places[place] */
    size_t place;
    size_t places_before; /* how many there were outside */
} same_level;

typedef struct same_walk {
    const pith_doc *a;
    pith_doc *b;
    LIST(same_level) levels;
    LIST(uint32_t) places; /* SLOT_NONE: b has no such member */
    uint32_t at;           /* what is compared now, in a */
    bool digits;           /* numbers count by them */
    bool known;
} same_walk;

/* ------------------------------------------------------------------- scalars */

static char same_digit(const num_parts *parts, size_t index)
{
    assert(index < parts->significant);
    return index < parts->high.len ? parts->high.ptr[index]
                                   : parts->low.ptr[index - parts->high.len];
}

static bool same_digits(const num_parts *a, const num_parts *b)
{
    if (a->zero || b->zero)
        return a->zero && b->zero;
    if (a->negative != b->negative || a->significant != b->significant ||
        a->magnitude != b->magnitude)
        return false;
    for (size_t i = 0; i < a->significant; i++)
        if (same_digit(a, i) != same_digit(b, i))
            return false;
    return true;
}

/* Two integers must agree in every digit; where a point or an exponent is involved the
 * number is a double, and digits beyond its precision are not part of the meaning. */
static bool same_number(pith_text a, pith_text b)
{
    num_parts left;
    num_parts right;
    if (text_equal(a, b))
        return true;
    if (!num_scan(a, &left) || !num_scan(b, &right))
        return false;
    if (same_digits(&left, &right))
        return true;
    if (left.integer && right.integer)
        return false;
    double first = num_to_double(a);
    return isfinite(first) && first == num_to_double(b);
}

static bool same_is_number(const pith_slot *slot)
{
    return slot->kind == PITH_INTEGER || slot->kind == PITH_DECIMAL;
}

static bool same_scalar(const pith_slot *a, const pith_slot *b, bool digits)
{
    if (same_is_number(a) && same_is_number(b)) {
        char a_digits[SPELLED_MAX_LEN];
        char b_digits[SPELLED_MAX_LEN];
        pith_text left = slot_spell(a, a_digits);
        pith_text right = slot_spell(b, b_digits);
        return digits ? text_equal(left, right) : same_number(left, right);
    }
    return a->kind == b->kind && text_equal(slot_text(a), slot_text(b));
}

/* --------------------------------------------------------------- reordered keys */

static bool same_in_order(const pith_key *a, const pith_key *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!text_equal(key_text(&a[i]), key_text(&b[i])))
            return false;
    return true;
}

typedef struct same_match {
    uint32_t *places;         /* to fill: one for each key of a */
    const uint32_t *children; /* the slots of b's members */
    uint32_t count;           /* keys of each */
} same_match;

static bool same_pair(void *ctx, uint32_t first, uint32_t later)
{
    same_match *match = (same_match *)ctx;
    if (first < match->count && later >= match->count)
        match->places[first] = match->children[later - match->count];
    return true;
}

/* Finds where b has the members of a, with the places after the `count` children. */
static bool same_find(same_walk *walk, const pith_slot *a, const pith_slot *b,
                      uint32_t *children)
{
    size_t bytes = 2 * (size_t)a->n * sizeof(pith_key);
    pith_key *keys = (pith_key *)alloc_resize(&walk->b->alloc, NULL, 0, bytes);
    if (!keys)
        return false;
    memcpy(keys, doc_keys(walk->a, a), bytes / 2);
    memcpy(keys + a->n, doc_keys(walk->b, b), bytes / 2);
    same_match match = {children + a->n, children, a->n};
    memset(match.places, 0xFF, a->n * sizeof *match.places);
    bool found = doc_find_equal_keys(walk->b, keys, 2 * (size_t)a->n, same_pair, &match);
    alloc_free(&walk->b->alloc, keys, bytes);
    return found;
}

/* Puts the places of a's members on the stack; false when memory runs out. */
static bool same_reorder(same_walk *walk, const pith_slot *a, const pith_slot *b,
                         uint32_t b_first)
{
    assert(a->n == b->n);
    uint32_t *children = LIST_ROOM(&walk->places, &walk->b->alloc, 2 * (size_t)a->n);
    if (!children)
        return false;
    for (uint32_t i = 0, at = b_first; i < a->n; i++, at = doc_after_at(walk->b, at))
        children[i] = at;
    if (!same_find(walk, a, b, children))
        return false;
    memmove(children, children + a->n, a->n * sizeof *children);
    walk->places.count += a->n;
    return true;
}

/* ---------------------------------------------------------------------- the walk */

/* Of two objects with more or fewer members: the first member of a whose key is not beside
 * it in b, or the object itself. */
static uint32_t same_unlike(const same_walk *walk, uint32_t a_at, const pith_slot *b)
{
    const pith_slot *a = &walk->a->slots[a_at];
    const pith_key *keys = a->n > 0 ? doc_keys(walk->a, a) : NULL;
    const pith_key *others = b->n > 0 ? doc_keys(walk->b, b) : NULL;
    uint32_t at = a_at + 1;
    for (uint32_t i = 0; i < a->n; i++, at = doc_after_at(walk->a, at))
        if (i == b->n || !key_equal(&keys[i], &others[i]))
            return at;
    return a_at;
}

/* Enters two containers. */
static bool same_enter(same_walk *walk, uint32_t a_at, uint32_t b_at)
{
    const pith_slot *a = &walk->a->slots[a_at];
    const pith_slot *b = &walk->b->slots[b_at];
    assert(a->kind == b->kind);
    if (a->n != b->n) {
        walk->at = a->kind == PITH_OBJECT ? same_unlike(walk, a_at, b) : a_at;
        return false;
    }
    same_level level = {a_at + 1, doc_children_end(a), b_at + 1,
                        false,    walk->places.count,  walk->places.count};
    if (a->kind == PITH_OBJECT &&
        !same_in_order(doc_keys(walk->a, a), doc_keys(walk->b, b), a->n)) {
        level.reordered = true;
        walk->known = same_reorder(walk, a, b, b_at + 1);
    }
    same_level *entered = walk->known ? LIST_ADD(&walk->levels, &walk->b->alloc) : NULL;
    if (!entered) {
        walk->known = false;
        return false;
    }
    *entered = level;
    return true;
}

static bool same_value(same_walk *walk, uint32_t a_at, uint32_t b_at)
{
    const pith_slot *a = &walk->a->slots[a_at];
    walk->at = a_at;
    if (b_at == SLOT_NONE)
        return false;
    const pith_slot *b = &walk->b->slots[b_at];
    if (slot_is_container(a))
        return a->kind == b->kind && same_enter(walk, a_at, b_at);
    return same_scalar(a, b, walk->digits);
}

static bool same_children(same_walk *walk)
{
    while (walk->levels.count > 0) {
        same_level *level = &walk->levels.at[walk->levels.count - 1];
        if (level->next == level->end) {
            walk->places.count = level->places_before;
            walk->levels.count--;
            continue;
        }
        uint32_t a_at = level->next;
        uint32_t b_at =
            level->reordered ? walk->places.at[level->place++] : level->beside;
        level->next = doc_after_at(walk->a, a_at);
        level->beside = level->reordered ? SLOT_NONE : doc_after_at(walk->b, b_at);
        if (!same_value(walk, a_at, b_at))
            return false;
    }
    return true;
}

static uint32_t same_find_difference(const pith_doc *a, uint32_t a_at, pith_doc *b,
                                     uint32_t b_at, bool digits, bool *known)
{
    same_walk walk = {.a = a, .b = b, .digits = digits, .known = true};
    bool same = same_value(&walk, a_at, b_at) && same_children(&walk);
    LIST_FREE(&walk.levels, &b->alloc);
    LIST_FREE(&walk.places, &b->alloc);
    *known = walk.known;
    return same ? SLOT_NONE : walk.at;
}

uint32_t doc_find_difference(const pith_doc *a, uint32_t a_at, pith_doc *b, uint32_t b_at,
                             bool *known)
{
    return same_find_difference(a, a_at, b, b_at, false, known);
}

uint32_t doc_find_digits(const pith_doc *a, uint32_t a_at, pith_doc *b, uint32_t b_at,
                         bool *known)
{
    return same_find_difference(a, a_at, b, b_at, true, known);
}
