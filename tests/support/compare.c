/*
 * compare.c - comparing two values, member by member.
 */
#include "compare.h"

#include <string.h>

bool same_pith_text(pith_text a, pith_text b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static bool is_number(pith_kind kind)
{
    return kind == PITH_INTEGER || kind == PITH_DECIMAL;
}

static bool same_number(pith_value a, pith_value b)
{
    int64_t i = 0, j = 0;
    uint64_t m = 0, n = 0;
    double x = 0, y = 0;
    if (same_pith_text(pith_value_text(a), pith_value_text(b)))
        return true;
    if (pith_value_int64(a, &i) && pith_value_int64(b, &j))
        return i == j;
    if (pith_value_uint64(a, &m) && pith_value_uint64(b, &n))
        return m == n;
    return pith_value_double(a, &x) && pith_value_double(b, &y) && x <= y && y <= x;
}

/* With `most` 0 members must be in the same order. */
static bool same_children(pith_value a, pith_value b, size_t most)
{
    bool object = pith_value_kind(a) == PITH_OBJECT;
    pith_value next = pith_value_first(b);
    for (pith_value v = pith_value_first(a); v.doc; v = pith_value_next(v)) {
        pith_value other = next;
        pith_text key = pith_value_key(v);
        if (object && !(other.doc && same_pith_text(key, pith_value_key(other)))) {
            if (pith_value_count(a) > most)
                return most > 0;
            other = pith_value_get(b, key.ptr, key.len);
        }
        if (!other.doc || !same_in_any_order_up_to(v, other, most))
            return false;
        next = pith_value_next(other);
    }
    return true;
}

bool same_in_any_order_up_to(pith_value a, pith_value b, size_t most)
{
    pith_kind kind = pith_value_kind(a);
    if (is_number(kind))
        return is_number(pith_value_kind(b)) && same_number(a, b);
    if (kind != pith_value_kind(b) || pith_value_count(a) != pith_value_count(b))
        return false;
    if (kind == PITH_STRING)
        return same_pith_text(pith_value_text(a), pith_value_text(b));
    return same_children(a, b, most);
}

bool same_in_any_order(pith_value a, pith_value b)
{
    return same_in_any_order_up_to(a, b, SIZE_MAX);
}

bool same_in_order(pith_value a, pith_value b)
{
    return same_in_any_order_up_to(a, b, 0);
}
