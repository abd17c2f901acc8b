/*
 * gcf_read_sparse.c - rows that lack the same cells as rows before them.
 *
 * A table of events or of people has rows without a phone number and rows without an
 * error. Such a row has other keys than the full one, so its shape has to be found key
 * by key; but there are few ways to lack something, and thousands of rows for each. So
 * what the steps of gcf_read_row.c made of such a row is remembered as a variant of the
 * layout: where each cell goes, and the slots that are known beforehand.
 *
 *     {id,"user>name","user>mail",code}      full: { 0  { 1  2 }  3
 *     7|~|~|500                              lacks .xx., becomes { 0  3
 *
 * The cells of the next such row have been read into the slots of a full one; they move
 * up, never down, so this can be done in place, from the front. Each layout remembers
 * some variants, found by a hash of what is lacking and compared bit by bit; those that
 * come when there is no more room are put together step by step.
 */
#include "format/gcf/gcf_read.h"

#include <string.h>

/* A cell's bits. */
enum { GCF_CELL_THERE, GCF_CELL_ABSENT, GCF_CELL_NULL /* where an object may be null */ };

typedef struct gcf_move {
    uint32_t from; /* slots, from the row */
    uint32_t to;
} gcf_move;

struct gcf_variant {
    gcf_pattern pattern;
    size_t slots;
    size_t move_count;
    size_t stamp_count;
    size_t bytes; /* of the block, this included */
    gcf_move *moves;
    gcf_stamp *stamps;
};

bool gcf_find_pattern(const gcf_layout *t, const pith_slot *base, gcf_pattern *pattern)
{
    if (t->shape == SHAPE_NONE || t->width > GCF_SPARSE_MOST) {
        return false;
    }
    memset(pattern, 0, sizeof *pattern);
    for (size_t c = t->keyed ? 1 : 0; c < t->width; c++) {
        unsigned kind = base[t->place[c]].kind;
        uint64_t bits = GCF_CELL_THERE;
        if (kind == GCF_ABSENT) {
            bits = GCF_CELL_ABSENT;
        } else if (kind > GCF_ABSENT) {
            return false;
        } else if (kind == PITH_NULL && t->fields[t->cells[c]].path) {
            bits = GCF_CELL_NULL;
        }
        pattern->bits[c / 32] |= bits << (c % 32 * 2);
    }
    /* The key of a member must be a text; whoever finds it is not says so. */
    return !t->keyed || base[t->slots].kind == PITH_STRING;
}

static size_t gcf_pattern_hash(const gcf_pattern *pattern, size_t width)
{
    uint64_t hash = 0;
    for (size_t i = 0; i * 32 < width; i++) {
        hash = (hash ^ pattern->bits[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return (size_t)(hash % GCF_VARIANTS);
}

static bool gcf_same_pattern(const gcf_pattern *a, const gcf_pattern *b, size_t width)
{
    return memcmp(a->bits, b->bits, (width + 31) / 32 * sizeof *a->bits) == 0;
}

/* The place of the variant: it is there, or there is none. */
static size_t gcf_variant_place(const gcf_layout *t, const gcf_pattern *pattern)
{
    size_t at = gcf_pattern_hash(pattern, t->width);
    while (t->variants[at] &&
           !gcf_same_pattern(&t->variants[at]->pattern, pattern, t->width)) {
        at = (at + 1) % GCF_VARIANTS;
    }
    return at;
}

bool gcf_put_sparse(gcf_reader *r, const gcf_layout *t, const gcf_pattern *pattern)
{
    pith_doc *doc = r->doc;
    const gcf_variant *variant =
        t->variants ? t->variants[gcf_variant_place(t, pattern)] : NULL;
    if (!variant) {
        return false;
    }
    uint32_t row = (uint32_t)doc->count;
    pith_slot *base = doc->slots + row;
    if (t->keyed) {
        pith_slot *cell = base + t->slots;
        pith_key key = {cell->u.text, cell->n, cell->flags, 0};
        if (!gcf_add_key(r, &key)) {
            return true; /* which stops the reading */
        }
    }
    for (size_t i = 0; i < variant->move_count; i++) {
        base[variant->moves[i].to] = base[variant->moves[i].from];
    }
    gcf_put_stamps(doc, variant->stamps, variant->stamp_count);
    doc->count = row + variant->slots;
    build_count(doc);
    return true;
}

/* ------------------------------------------------------------------- learning */

/* The slot of the row is the same in all rows of the variant. */
static void gcf_learn_stamp(const pith_doc *doc, gcf_variant *variant, uint32_t row,
                            uint32_t at)
{
    gcf_stamp *stamp = &variant->stamps[variant->stamp_count++];
    pith_slot *slot = &stamp->slot;
    stamp->at = at;
    *slot = doc->slots[row + at];
    if (slot->kind == PITH_OBJECT) {
        slot->u.link.next -= row;
        slot->u.link.parent = at ? slot->u.link.parent - row : SLOT_NONE;
    }
}

static void gcf_learn_move(gcf_variant *variant, uint32_t from, uint32_t to)
{
    gcf_move move = {from, to};
    variant->moves[variant->move_count++] = move;
}

/* Follows the steps of the row once more and writes down where they led. */
static uint32_t gcf_learn_steps(const gcf_reader *r, const gcf_scope *scope,
                                gcf_variant *variant)
{
    const gcf_layout *t = scope->layout;
    const pith_slot *held = &r->held.at[scope->held];
    uint32_t row = scope->row;
    uint32_t at = 0;
    gcf_learn_stamp(r->doc, variant, row, at++);
    for (size_t i = 0; i < t->steps.count; i++) {
        const gcf_step *step = &t->steps.at[i];
        if (step->kind == GCF_STEP_OPEN) {
            unsigned leaves = held[t->width + step->number].kind;
            if (leaves != GCF_LEAF_ABSENT) {
                gcf_learn_stamp(r->doc, variant, row, at++);
            }
            if (leaves == GCF_LEAF_ABSENT || leaves == GCF_LEAF_NULL) {
                i = step->end;
            }
        } else if (step->kind == GCF_STEP_VALUE) {
            const gcf_field *field = &t->fields[step->field];
            if (field->role == GCF_FIXED) {
                gcf_learn_stamp(r->doc, variant, row, at++);
            } else if (field->role == GCF_GROUPED) {
                gcf_learn_move(variant, t->group_at, at++);
            } else if (held[field->cell].kind != GCF_ABSENT) {
                gcf_learn_move(variant, t->place[field->cell], at++);
            }
        }
    }
    return at;
}

static gcf_variant *gcf_variant_new(const pith_alloc *alloc, const gcf_layout *t)
{
    size_t stamps = (t->steps.count + 1) * sizeof(gcf_stamp);
    size_t moves = (t->width + 1) * sizeof(gcf_move);
    size_t bytes = sizeof(gcf_variant) + stamps + moves;
    gcf_variant *variant = (gcf_variant *)alloc_zeroed(alloc, bytes);
    if (variant) {
        char *behind = (char *)(variant + 1);
        variant->bytes = bytes;
        variant->stamps = (gcf_stamp *)(void *)behind;
        variant->moves = (gcf_move *)(void *)(behind + stamps);
    }
    return variant;
}

void gcf_learn_sparse(gcf_reader *r, const gcf_scope *scope, const gcf_pattern *pattern)
{
    const pith_doc *doc = r->doc;
    gcf_layout *t = scope->layout;
    if (t->variant_count >= GCF_VARIANTS * 3 / 4) {
        return;
    }
    for (size_t i = scope->row; i < doc->count; i++) {
        if (doc->slots[i].kind == SLOT_KEYS) {
            return; /* an object without a shape: its keys are in this row only */
        }
    }
    if (!t->variants) {
        size_t bytes = GCF_VARIANTS * sizeof(gcf_variant *);
        t->variants = (gcf_variant **)alloc_zeroed(&doc->alloc, bytes);
    }
    gcf_variant *variant = t->variants ? gcf_variant_new(&doc->alloc, t) : NULL;
    if (!variant) {
        return; /* only slower */
    }
    variant->pattern = *pattern;
    variant->slots = gcf_learn_steps(r, scope, variant);
    t->variants[gcf_variant_place(t, pattern)] = variant;
    t->variant_count++;
}

void gcf_forget_sparse(const pith_alloc *alloc, gcf_layout *t)
{
    for (size_t i = 0; t->variant_count > 0; i++) {
        if (t->variants[i]) {
            alloc_free(alloc, t->variants[i], t->variants[i]->bytes);
            t->variants[i] = NULL;
            t->variant_count--;
        }
    }
}

void gcf_free_sparse(const pith_alloc *alloc, gcf_layout *t)
{
    gcf_forget_sparse(alloc, t);
    alloc_free(alloc, t->variants, GCF_VARIANTS * sizeof *t->variants);
}
