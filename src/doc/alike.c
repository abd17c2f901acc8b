/*
 * alike.c - comparing objects slot by slot.
 *
 * An object without a shape has a slot for its keys, and an equal one elsewhere may have a
 * shape and no such slot. So those slots are passed over, and because of them one of two
 * equal objects may be up to twice as large as the other.
 */
#include "doc/alike.h"

/* A number that depends on the keys but not on their order, cheap to find. */
static uint64_t alike_sum_keys(const pith_key *keys, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t len = keys[i].len;
        if (len > 0) {
            uint64_t first = (unsigned char)keys[i].text[0];
            uint64_t last = (unsigned char)keys[i].text[len - 1];
            sum += (len << 16 | first << 8 | last) * UINT64_C(0x9E3779B97F4A7C15) >> 8;
        }
    }
    return sum;
}

static doc_likeness alike_keys(const pith_doc *doc, const pith_slot *a,
                               const pith_slot *b)
{
    if (doc_same_keys(doc, a, b))
        return DOC_ALIKE;
    return a->n == b->n && alike_sum_keys(doc_keys(doc, a), a->n) ==
                               alike_sum_keys(doc_keys(doc, b), b->n)
               ? DOC_REORDERED
               : DOC_UNLIKE;
}

doc_likeness doc_compare_slots(const pith_doc *doc, const pith_slot *a,
                               const pith_slot *b, bool *nulls)
{
    const pith_slot *a_end = doc->slots + a->u.link.next;
    const pith_slot *b_end = doc->slots + b->u.link.next;
    *nulls = false;
    if (a_end - a > 2 * (b_end - b) || b_end - b > 2 * (a_end - a))
        return DOC_UNLIKE;
    while (a < a_end && b < b_end) {
        if (a->kind == SLOT_KEYS) {
            a++;
            continue;
        }
        if (b->kind == SLOT_KEYS) {
            b++;
            continue;
        }
        if (slot_is_container(a) != slot_is_container(b) || b->kind == PITH_ARRAY)
            return DOC_UNLIKE;
        if (b->kind == PITH_OBJECT) {
            doc_likeness likeness = alike_keys(doc, a, b);
            if (likeness != DOC_ALIKE)
                return likeness;
        }
        *nulls = *nulls || b->kind == PITH_NULL;
        a++;
        b++;
    }
    return DOC_ALIKE;
}
