/*
 * model.c - see model.h. Values are small here, so recursion may follow them.
 */
#include "model.h"

#include "compare.h"

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
    for (pith_value v = pith_value_first(value); v.doc; v = pith_value_next(v))
        if (!model_can_hold(v))
            return false;
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
    for (pith_value v = pith_value_first(object); v.doc; v = pith_value_next(v))
        if (m != MODEL_JS || !is_array_index(pith_value_key(v), &index))
            take_member(to, v, m);
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

sameness model_compare(pith_value a, pith_value b)
{
    if (same_in_order(a, b))
        return SAME;
    return same_in_any_order(a, b) ? SAME_BUT_ORDER : DIFFERENT;
}
