/*
 * pith_dense.c - weights and classes: what a value would cost, and which values are equal.
 *
 * Classes are found from the inside out, so a container is told by the classes of what is
 * in it and compared in the time that its own children take. Only values that could be
 * named have one: what weighs little is compared where it has to be.
 */
#include "format/pith/pith_dense.h"

#include "format/pith/pith_column.h"

/* The least weight of what may be named. */
enum { PN_NAMED_LEAST = 8, PN_NUMBER_LEAST = 12 };

/* ------------------------------------------------------------------------ equality */

/* Compares two slots without what is in them. */
static bool pn_same_slot(const pn_dense *dense, const pith_slot *a, const pith_slot *b)
{
    if (a->kind == SLOT_KEYS)
        return b->kind == SLOT_KEYS;
    if (!slot_is_container(a))
        return !slot_is_container(b) && b->kind != SLOT_KEYS &&
               pn_same_scalar(a, b, dense->plan->shortest);
    return a->kind == b->kind && a->n == b->n &&
           (a->kind == PITH_ARRAY || pn_same_keys(dense->plan, a, b));
}

bool pn_same_run(const pn_dense *dense, uint32_t a, uint32_t b)
{
    const pith_slot *slots = dense->doc->slots;
    uint32_t count = doc_after_at(dense->doc, a) - a;
    if (doc_after_at(dense->doc, b) - b != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!pn_same_slot(dense, &slots[a + i], &slots[b + i]))
            return false;
    return true;
}

/* Compares two values by the classes of what is in them. */
static bool pn_same_inside(const pn_dense *dense, uint32_t a, uint32_t b)
{
    const pith_doc *doc = dense->doc;
    if (!pn_same_slot(dense, &doc->slots[a], &doc->slots[b]))
        return false;
    if (!slot_is_container(&doc->slots[a]))
        return true;
    uint32_t end = doc_children_end(&doc->slots[a]);
    for (a++, b++; a < end; a = doc_after_at(doc, a), b = doc_after_at(doc, b))
        if (!pn_same_value(dense, a, b))
            return false;
    return true;
}

bool pn_is_small(const pn_dense *dense, uint32_t at)
{
    const pith_slot *slot = &dense->doc->slots[at];
    const pn_class *class = pn_class_of(dense, at);
    if (class)
        return class->size <= PN_REPEAT_MOST;
    if (slot_is_container(slot))
        return !(*pn_word(dense, at) & PN_LARGE);
    return pn_json_size(dense->doc, slot) <= PN_REPEAT_MOST;
}

/* --------------------------------------------------------------------------- hashes */

/* The hash of a scalar as it is written. */
static uint64_t pn_hash_scalar(const pn_dense *dense, const pith_slot *slot)
{
    char digits[PN_NUMBER_MAX_LEN];
    size_t len = dense->plan->shortest ? pn_shorten(digits, slot) : 0;
    uint64_t seed = dense->doc->shapes.seed + (slot->kind == PITH_STRING);
    return len > 0 ? hash_quick(seed, digits, len)
                   : hash_quick(seed, slot->u.text, slot->n);
}

static uint64_t pn_hash_slot(const pn_dense *dense, const pith_slot *slot)
{
    if (slot->kind == SLOT_KEYS)
        return 0;
    if (!slot_is_container(slot))
        return pn_hash_scalar(dense, slot);
    uint64_t hash = pn_mix(dense->doc->shapes.seed + slot->kind, slot->n);
    return slot->kind == PITH_OBJECT ? pn_mix(hash, pn_keys_hash(dense->plan, slot))
                                     : hash;
}

/* The hash of a value that is in another. */
static uint64_t pn_hash_inner(const pn_dense *dense, uint32_t at)
{
    uint32_t word = *pn_word(dense, at);
    if (word & PN_CLASS)
        return dense->classes.at[word & PN_WEIGHT_MOST].hash + UINT64_C(0x100000000);
    uint64_t hash = 0;
    for (uint32_t end = doc_after_at(dense->doc, at); at < end; at++)
        hash = pn_mix(hash, pn_hash_slot(dense, &dense->doc->slots[at]));
    return hash;
}

static uint64_t pn_hash_value(const pn_dense *dense, uint32_t at)
{
    const pith_doc *doc = dense->doc;
    const pith_slot *slot = &doc->slots[at];
    uint64_t hash = pn_hash_slot(dense, slot);
    if (!slot_is_container(slot))
        return hash;
    uint32_t end = doc_children_end(slot);
    for (at++; at < end; at = doc_after_at(doc, at))
        hash = pn_mix(hash, pn_hash_inner(dense, at));
    return hash;
}

/* -------------------------------------------------------------------------- classes */

static bool pn_reserve_class(pn_dense *dense)
{
    bool moved;
    const pith_alloc *alloc = &dense->plan->alloc;
    size_t count = dense->classes.count;
    if (!hash_table_reserve(&dense->class_table, alloc, count + 1, &moved))
        return false;
    for (size_t i = 0; moved && i < count; i++)
        hash_enter(&dense->class_table, dense->classes.at[i].hash, (uint32_t)i);
    return LIST_RESERVE(&dense->classes, alloc, 1);
}

/* Finds the class of the value at `at`, or makes it; false when out of memory. */
static bool pn_dense_classify(pn_dense *dense, uint32_t at, uint32_t weight, size_t size,
                              bool quoted)
{
    uint32_t hash = (uint32_t)pn_hash_value(dense, at);
    if (!pn_reserve_class(dense))
        return false;
    hash_table *table = &dense->class_table;
    size_t place = hash_first(table, hash);
    for (; table->at[place] != HASH_NONE; place = hash_next(table, place)) {
        const pn_class *class = &dense->classes.at[table->at[place]];
        if (class->hash == hash && pn_same_inside(dense, class->slot, at))
            break;
    }
    uint32_t number = table->at[place];
    if (number == HASH_NONE) {
        number = (uint32_t)dense->classes.count++;
        table->at[place] = number;
        dense->classes.at[number] = (pn_class){
            .slot = at,
            .hash = hash,
            .weight = weight,
            .price = weight,
            .size = (uint16_t)(size > PN_REPEAT_MOST ? PN_REPEAT_MOST + 1 : size)};
    }
    *pn_word(dense, at) = PN_CLASS | number | (quoted ? PN_QUOTED : 0);
    return number <= PN_WEIGHT_MOST;
}

/* A sign, and groups of three digits. */
static uint32_t pn_weigh_integer(const pith_slot *slot)
{
    uint32_t sign = slot->u.text[0] == '-';
    uint32_t weight = 2 * (sign + (slot->n - sign + 2) / 3);
    return weight < PN_WEIGHT_MOST ? weight : PN_WEIGHT_MOST;
}

static bool pn_weigh_scalar(pn_dense *dense, uint32_t at)
{
    const pith_slot *slot = &dense->doc->slots[at];
    bool string = slot->kind == PITH_STRING;
    bool quoted = string && !pn_is_bare(slot->u.text, slot->n, slot->flags);
    char digits[PN_NUMBER_MAX_LEN];
    size_t len = !string && dense->plan->shortest ? pn_shorten(digits, slot) : 0;
    uint32_t weight = quoted    ? pn_weigh_quoted(slot->u.text, slot->n)
                      : len > 0 ? pn_weigh(digits, len)
                      : slot->kind == PITH_INTEGER ? pn_weigh_integer(slot)
                                                   : pn_weigh(slot->u.text, slot->n);
    *pn_word(dense, at) = weight | (quoted ? PN_QUOTED : 0);
    dense->texts += slot->n;
    if (weight < (string ? PN_NAMED_LEAST : PN_NUMBER_LEAST))
        return true;
    return pn_dense_classify(dense, at, weight, pn_json_size(dense->doc, slot), quoted);
}

/* The bytes of a slot whose keys, if it has any, are known: see pn_json_size. */
static size_t pn_slot_size(const pn_dense *dense, const pith_slot *slot)
{
    return slot->kind == PITH_OBJECT && slot->n > 0
               ? 1 + (size_t)slot->n + pn_keys_json(dense->plan, slot)
               : pn_json_size(dense->doc, slot);
}

/* The bytes of a value that is in another; any number beyond the limit. */
static size_t pn_inner_size(const pn_dense *dense, uint32_t at)
{
    const pn_class *class = pn_class_of(dense, at);
    if (class)
        return class->size;
    if (*pn_word(dense, at) & PN_LARGE)
        return PN_REPEAT_MOST + 1;
    size_t size = 0;
    for (uint32_t end = doc_after_at(dense->doc, at); at < end; at++)
        size += pn_slot_size(dense, &dense->doc->slots[at]);
    return size;
}

/* Weighs a container as plain text. */
static bool pn_weigh_container(pn_dense *dense, uint32_t at)
{
    const pith_doc *doc = dense->doc;
    const pith_slot *slot = &doc->slots[at];
    uint32_t end = doc_children_end(slot);
    if (slot->kind == PITH_OBJECT && !pn_know_keys(dense->plan, slot))
        return false;
    size_t size = pn_slot_size(dense, slot);
    for (uint32_t i = at + 1; i < end && size <= PN_REPEAT_MOST; i = doc_after_at(doc, i))
        size += pn_inner_size(dense, i);
    if (size > PN_REPEAT_MOST) {
        *pn_word(dense, at) = PN_LARGE;
        return true;
    }
    *pn_word(dense, at) = (uint32_t)pn_weigh_plain(dense, at);
    return *pn_word(dense, at) < PN_NAMED_LEAST ||
           pn_dense_classify(dense, at, *pn_word(dense, at), size, false);
}

/* --------------------------------------------------------------------------- prices */

int64_t pn_weigh_plain(const pn_dense *dense, uint32_t at)
{
    const pith_doc *doc = dense->doc;
    const pith_slot *slot = &doc->slots[at];
    uint32_t end = doc_children_end(slot);
    int64_t weight = 2;
    if (slot->kind == PITH_ARRAY)
        weight += slot->n;
    else
        weight += pn_keys_weight(dense->plan, slot) + 2 * (int64_t)slot->n;
    for (uint32_t i = at + 1; i < end; i = doc_after_at(doc, i))
        weight += pn_price_of(dense, i);
    return weight;
}

static void pn_set_price(const pn_dense *dense, pn_class *class)
{
    uint64_t places = class->places;
    class->price = class->weight;
    if (dense->names && places >= 2 && pn_is_nameable(class)) {
        uint64_t price = (class->weight + 8 + 4 * (places - 1)) / places;
        class->price = price < class->weight ? (uint32_t)price : class->weight;
    }
}

void pn_set_weight(pn_dense *dense, uint32_t at, int64_t weight)
{
    uint32_t bounded = weight < PN_WEIGHT_MOST ? (uint32_t)weight : PN_WEIGHT_MOST;
    pn_class *class = pn_class_of(dense, at);
    uint32_t *word = pn_word(dense, at);
    if (!class) {
        *word = (*word & ~PN_WEIGHT_MOST) | bounded;
        return;
    }
    class->weight = bounded;
    pn_set_price(dense, class);
}

/* Counts the places of all classes: a container is entered where it is first met. */
static void pn_count_places(pn_dense *dense)
{
    const pith_slot *slots = dense->doc->slots;
    for (uint32_t at = dense->root; at < dense->end;) {
        pn_class *class = slots[at].kind == SLOT_KEYS ? NULL : pn_class_of(dense, at);
        bool known = pn_is_nameable(class) && class->places++ > 0;
        at = known ? doc_after_at(dense->doc, at) : at + 1;
    }
    for (size_t i = 0; i < dense->classes.count; i++)
        pn_set_price(dense, &dense->classes.at[i]);
}

/* -------------------------------------------------------------------- all of a value */

bool pn_dense_make(pn_dense *dense, pn_plan *plan, uint32_t root, const settings *set)
{
    const pith_doc *doc = plan->doc;
    bool keep = !plan->order_free;
    memset(dense, 0, sizeof *dense);
    dense->plan = plan;
    dense->doc = doc;
    dense->root = root;
    dense->end = doc_after_at(doc, root);
    dense->names = keep && settings_bool(set, PN_SET_NAMES);
    dense->stems = keep && settings_bool(set, PN_SET_STEMS);
    dense->models = keep && settings_bool(set, PN_SET_MODELS);
    dense->fill = settings_bool(set, PN_SET_FILL);
    dense->templates = settings_bool(set, PN_SET_TEMPLATES);
    dense->words = (uint32_t *)alloc_resize(&plan->alloc, NULL, 0,
                                            (dense->end - root) * sizeof *dense->words);
    bool fine = dense->words != NULL;
    for (uint32_t at = dense->end; at-- > root && fine;) {
        const pith_slot *slot = &doc->slots[at];
        if (slot->kind == SLOT_KEYS)
            *pn_word(dense, at) = 0;
        else
            fine = slot_is_container(slot) ? pn_weigh_container(dense, at)
                                           : pn_weigh_scalar(dense, at);
    }
    if (fine)
        pn_count_places(dense);
    return fine;
}

void pn_dense_free(pn_dense *dense)
{
    const pith_alloc *alloc = &dense->plan->alloc;
    alloc_free(alloc, dense->words, (dense->end - dense->root) * sizeof *dense->words);
    LIST_FREE(&dense->classes, alloc);
    LIST_FREE(&dense->model_list, alloc);
    LIST_FREE(&dense->stem_list, alloc);
    hash_table_free(&dense->class_table, alloc);
    hash_table_free(&dense->model_table, alloc);
    hash_table_free(&dense->stem_table, alloc);
}
