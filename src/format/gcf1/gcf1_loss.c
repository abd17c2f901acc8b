/*
 * gcf1_loss.c - what did not survive being written and read back.
 *
 * Both values are walked together with a stack of pairs. Objects are compared by key,
 * in any order: the keys of both, one list behind the other, go through the search for
 * equal keys, which is linear; those of the same shape need no search at all. Numbers
 * are equal when their digits mean the same.
 */
#include "format/gcf1/gcf1.h"

#include "base/list.h"
#include "base/num.h"

typedef struct loss_pair {
    uint32_t a;
    uint32_t b;
} loss_pair;

typedef struct loss_walk {
    const pith_doc *doc;
    pith_doc *found;
    LIST(loss_pair) stack;
    pith_key *keys; /* of both objects */
    size_t key_cap;
    uint32_t *match; /* for each member of the second: the member of the first */
    size_t match_cap;
    size_t split; /* members of the first */
    bool failed;  /* out of memory */
} loss_walk;

static bool loss_push(loss_walk *w, uint32_t a, uint32_t b)
{
    loss_pair *pair = LIST_ADD(&w->stack, &w->found->alloc);
    if (!pair) {
        w->failed = true;
        return false;
    }
    pair->a = a;
    pair->b = b;
    return true;
}

static bool loss_is_number(const pith_slot *slot)
{
    return slot->kind == PITH_INTEGER || slot->kind == PITH_DECIMAL;
}

static bool loss_same_digits(pith_text high, pith_text low, pith_text other_high,
                             pith_text other_low)
{
    /* The point may cut them elsewhere. */
    size_t count = high.len + low.len;
    if (count != other_high.len + other_low.len) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        char a = i < high.len ? high.ptr[i] : low.ptr[i - high.len];
        char b =
            i < other_high.len ? other_high.ptr[i] : other_low.ptr[i - other_high.len];
        if (a != b) {
            return false;
        }
    }
    return true;
}

static bool loss_same_scalar(const pith_slot *a, const pith_slot *b)
{
    num_parts x;
    num_parts y;
    if (loss_is_number(a) && loss_is_number(b)) {
        if (a->n == b->n && memcmp(a->u.text, b->u.text, a->n) == 0) {
            return true;
        }
        return num_scan(slot_text(a), &x) && num_scan(slot_text(b), &y) &&
               x.zero == y.zero &&
               (x.zero || (x.negative == y.negative && x.magnitude == y.magnitude &&
                           loss_same_digits(x.high, x.low, y.high, y.low)));
    }
    return a->kind == b->kind && text_equal(slot_text(a), slot_text(b));
}

/* ---------------------------------------------------------------------- objects */

static bool loss_note_match(void *ctx, uint32_t first, uint32_t later)
{
    loss_walk *w = (loss_walk *)ctx;
    if (first < w->split && later >= w->split) {
        w->match[later - w->split] = first;
    }
    return true;
}

/* Fills `match`; false when out of memory. */
static bool loss_match(loss_walk *w, const pith_slot *a, const pith_slot *b)
{
    const pith_alloc *alloc = &w->found->alloc;
    size_t count = (size_t)a->n + b->n;
    if (!list_grow(alloc, (void *)&w->keys, &w->key_cap, count, sizeof *w->keys) ||
        !list_grow(alloc, (void *)&w->match, &w->match_cap, b->n, sizeof *w->match)) {
        return false;
    }
    memcpy(w->keys, doc_keys(w->doc, a), a->n * sizeof *w->keys);
    memcpy(w->keys + a->n, doc_keys(w->found, b), b->n * sizeof *w->keys);
    memset(w->match, 0xFF, b->n * sizeof *w->match);
    w->split = a->n;
    return doc_find_equal_keys(w->found, w->keys, count, loss_note_match, w);
}

static bool loss_same_keys(const loss_walk *w, const pith_slot *a, const pith_slot *b)
{
    const pith_key *x = doc_keys(w->doc, a);
    const pith_key *y = doc_keys(w->found, b);
    for (uint32_t i = 0; i < a->n; i++) {
        if (!text_equal(key_text(&x[i]), key_text(&y[i]))) {
            return false;
        }
    }
    return true;
}

/* Pushes the members side by side, in reverse so that the first is compared first. */
static bool loss_push_members(loss_walk *w, uint32_t at_a, uint32_t at_b, bool in_order)
{
    const pith_slot *a = &w->doc->slots[at_a];
    const pith_slot *b = &w->found->slots[at_b];
    size_t start = w->stack.count;
    uint32_t child = at_a + 1;
    for (uint32_t i = 0; i < a->n; i++) {
        if (!loss_push(w, child, SLOT_NONE)) {
            return false;
        }
        child = doc_behind(w->doc, child);
    }
    child = at_b + 1;
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t place = in_order ? i : w->match[i];
        if (place != SLOT_NONE) {
            w->stack.at[start + place].b = child;
        }
        child = doc_behind(w->found, child);
    }
    for (size_t i = start, j = w->stack.count; i + 1 < j; i++) {
        loss_pair swap = w->stack.at[--j];
        w->stack.at[j] = w->stack.at[i];
        w->stack.at[i] = swap;
    }
    return true;
}

/* ------------------------------------------------------------------------ places */

static pith_status loss_report(const loss_walk *w, uint32_t at, pith_error *err)
{
    const pith_doc *doc = w->doc;
    /* The name of the member it is, or is in; members know their place by counting. */
    uint32_t holder = SLOT_NONE;
    for (uint32_t i = 0; i < at; i++) {
        const pith_slot *slot = &doc->slots[i];
        if (slot_is_container(slot) && slot->u.link.next > at) {
            holder = i;
        }
    }
    const char *kind = slot_is_container(&doc->slots[at]) ? "an array or object" : NULL;
    error_excerpt shown = kind ? error_quote(kind, strlen(kind))
                               : error_quote(doc->slots[at].u.text, doc->slots[at].n);
    if (holder != SLOT_NONE && doc->slots[holder].kind == PITH_OBJECT) {
        uint32_t index = 0;
        for (uint32_t child = holder + 1; child < at; child = doc_behind(doc, child)) {
            index++;
        }
        const pith_key *key = &doc_keys(doc, &doc->slots[holder])[index];
        return error_set(err, PITH_UNREPRESENTABLE, "lossy",
                         "GCF 1 cannot hold this: \"%s\" (%s) would be read as something "
                         "else or not at all",
                         error_quote(key->text, key->len).text, shown.text);
    }
    return error_set(err, PITH_UNREPRESENTABLE, "lossy",
                     "GCF 1 cannot hold this: %s would be read as something else",
                     shown.text);
}

/* Compares one pair; false at a difference, and when memory runs out. */
static bool loss_step(loss_walk *w, loss_pair pair)
{
    if (pair.b == SLOT_NONE) {
        return false;
    }
    const pith_slot *a = &w->doc->slots[pair.a];
    const pith_slot *b = &w->found->slots[pair.b];
    if (!slot_is_container(a) || !slot_is_container(b)) {
        return !slot_is_container(a) && !slot_is_container(b) && loss_same_scalar(a, b);
    }
    if (a->kind != b->kind || a->n != b->n) {
        return false;
    }
    bool in_order = a->kind == PITH_ARRAY || loss_same_keys(w, a, b);
    if (!in_order && !loss_match(w, a, b)) {
        w->failed = true;
        return false;
    }
    return loss_push_members(w, pair.a, pair.b, in_order);
}

pith_status gcf1_compare(const pith_doc *doc, uint32_t at, pith_doc *found,
                         pith_error *err)
{
    loss_walk w;
    memset(&w, 0, sizeof w);
    w.doc = doc;
    w.found = found;
    uint32_t differs = SLOT_NONE;
    bool fine = loss_push(&w, at, 0);
    while (fine && w.stack.count > 0) {
        loss_pair pair = w.stack.at[--w.stack.count];
        differs = pair.a;
        fine = loss_step(&w, pair);
    }
    pith_status status = PITH_OK;
    if (!fine) {
        status = w.failed ? error_no_memory(err) : loss_report(&w, differs, err);
    }
    const pith_alloc *alloc = &found->alloc;
    LIST_FREE(&w.stack, alloc);
    alloc_free(alloc, w.keys, w.key_cap * sizeof *w.keys);
    alloc_free(alloc, w.match, w.match_cap * sizeof *w.match);
    return status;
}
