/*
 * model.c - see model.h. Values are small here, so recursion may follow them.
 */
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool model_find(const char *name, model *found)
{
    static const char *const names[] = {"js", "js-ordered", "py", "rs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            *found = (model)i;
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------------- taking */

/* True for the keys that JavaScript puts first, in the order of what they count:
 * "0", "7", "4294967294". */
static bool is_array_index(pith_text key, uint64_t *index)
{
    *index = 0;
    if (key.len == 0 || key.len > 10 || (key.ptr[0] == '0' && key.len > 1))
        return false;
    for (size_t i = 0; i < key.len; i++) {
        if (key.ptr[i] < '0' || key.ptr[i] > '9')
            return false;
        *index = *index * 10 + (uint64_t)(key.ptr[i] - '0');
    }
    return *index < UINT32_MAX;
}

bool model_can_hold(pith_value value)
{
    double number;
    if (pith_value_kind(value) == PITH_INTEGER || pith_value_kind(value) == PITH_DECIMAL)
        return pith_value_double(value, &number) && isfinite(number);
    for (pith_value v = pith_value_first(value); v.doc; v = pith_value_next(v)) {
        if (!model_can_hold(v))
            return false;
    }
    return true;
}

static void take_number(pith_doc *to, pith_value value, model m)
{
    int64_t whole;
    uint64_t natural;
    double number;
    pith_text digits = pith_value_text(value);
    bool exact =
        pith_value_kind(value) == PITH_INTEGER &&
        (m == MODEL_PY || (m == MODEL_RS && (pith_value_int64(value, &whole) ||
                                             pith_value_uint64(value, &natural))));
    pith_value_double(value, &number);
    if (exact || !isfinite(number))
        pith_doc_add_number(to, digits.ptr, digits.len);
    else
        pith_doc_add_double(to, number);
}

static void take_value(pith_doc *to, pith_value value, model m);

static void take_member(pith_doc *to, pith_value member, model m)
{
    pith_text key = pith_value_key(member);
    pith_doc_add_key(to, key.ptr, key.len);
    take_value(to, member, m);
}

/* The members whose keys count, from the smallest on. */
static void take_indexed(pith_doc *to, pith_value object, model m)
{
    uint64_t index, done = 0;
    for (;;) {
        pith_value least = {0};
        uint64_t least_index = UINT64_MAX;
        for (pith_value v = pith_value_first(object); v.doc; v = pith_value_next(v)) {
            if (is_array_index(pith_value_key(v), &index) && index >= done &&
                index < least_index) {
                least = v;
                least_index = index;
            }
        }
        if (!least.doc)
            return;
        take_member(to, least, m);
        done = least_index + 1;
    }
}

static void take_object(pith_doc *to, pith_value object, model m)
{
    uint64_t index;
    pith_doc_open_object(to);
    if (m == MODEL_JS)
        take_indexed(to, object, m);
    for (pith_value v = pith_value_first(object); v.doc; v = pith_value_next(v)) {
        if (m != MODEL_JS || !is_array_index(pith_value_key(v), &index))
            take_member(to, v, m);
    }
    pith_doc_close(to);
}

static void take_value(pith_doc *to, pith_value value, model m)
{
    switch (pith_value_kind(value)) {
    case PITH_INTEGER:
    case PITH_DECIMAL:
        take_number(to, value, m);
        break;
    case PITH_ARRAY:
        pith_doc_open_array(to);
        for (pith_value v = pith_value_first(value); v.doc; v = pith_value_next(v))
            take_value(to, v, m);
        pith_doc_close(to);
        break;
    case PITH_OBJECT:
        take_object(to, value, m);
        break;
    default:
        pith_doc_add_value(to, value);
    }
}

void model_take(pith_doc *to, pith_value value, model m)
{
    pith_doc_reset(to);
    take_value(to, value, m);
    if (pith_doc_finish(to, NULL) != PITH_OK)
        abort();
}

/* ---------------------------------------------------------------------- comparing */

static bool is_number(pith_kind kind)
{
    return kind == PITH_INTEGER || kind == PITH_DECIMAL;
}

static bool same_number(pith_value a, pith_value b)
{
    int64_t left, right;
    uint64_t natural_left, natural_right;
    double x, y;
    if (pith_value_int64(a, &left) && pith_value_int64(b, &right))
        return left == right;
    if (pith_value_uint64(a, &natural_left) && pith_value_uint64(b, &natural_right))
        return natural_left == natural_right;
    return pith_value_double(a, &x) && pith_value_double(b, &y) && !(x < y) && !(x > y);
}

static bool same_text(pith_text a, pith_text b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static sameness worse(sameness a, sameness b)
{
    return a > b ? a : b;
}

static sameness compare_members(pith_value a, pith_value b)
{
    sameness result = SAME;
    pith_value next = pith_value_first(b);
    for (pith_value v = pith_value_first(a); v.doc && result != DIFFERENT;
         v = pith_value_next(v)) {
        pith_value other = next;
        pith_text key = pith_value_key(v);
        if (!other.doc || !same_text(key, pith_value_key(other))) {
            other = pith_value_get_len(b, key.ptr, key.len);
            result = worse(result, other.doc ? SAME_BUT_ORDER : DIFFERENT);
        }
        result = other.doc ? worse(result, model_compare(v, other)) : DIFFERENT;
        next = pith_value_next(other);
    }
    return result;
}

static sameness compare_elements(pith_value a, pith_value b)
{
    sameness result = SAME;
    for (a = pith_value_first(a), b = pith_value_first(b); a.doc && result != DIFFERENT;
         a = pith_value_next(a), b = pith_value_next(b))
        result = worse(result, model_compare(a, b));
    return result;
}

sameness model_compare(pith_value a, pith_value b)
{
    pith_kind kind = pith_value_kind(a);
    if (is_number(kind))
        return is_number(pith_value_kind(b)) && same_number(a, b) ? SAME : DIFFERENT;
    if (kind != pith_value_kind(b) || pith_value_count(a) != pith_value_count(b))
        return DIFFERENT;
    if (kind == PITH_STRING)
        return same_text(pith_value_text(a), pith_value_text(b)) ? SAME : DIFFERENT;
    if (kind == PITH_OBJECT)
        return compare_members(a, b);
    return kind == PITH_ARRAY ? compare_elements(a, b) : SAME;
}
