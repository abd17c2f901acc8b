/*
 * alike.c - whether a value came back.
 *
 * The library has a comparison of its own, and what it calls equal is. Where a format may
 * change the spelling of a decimal or the order of a row's members, this one goes on. It
 * compares numbers by their digits and not as doubles, so that a lost digit shows.
 */
#include "trip.h"

#include <string.h>

/* ------------------------------------------------------------------------- numbers */

/* A number as digits without zeros at either end, times ten to a power. */
typedef struct plain_number {
    bool negative;
    const char *digits; /* from the first that is not 0; a point may be among them */
    size_t count;       /* of digits that matter, 0 for zero */
    long long power;    /* of the first digit */
} plain_number;

static plain_number plain_from(pith_text text)
{
    plain_number number = {false, text.ptr, 0, 0};
    const char *at = text.ptr;
    const char *end = text.ptr + text.len;
    long long before = -1; /* digits before the point, less one, and the exponent */
    long long zeros = 0;   /* before the first that is not 0 */
    size_t seen = 0;
    bool point = false;
    number.negative = at < end && *at == '-';
    at += number.negative;
    for (; at < end && (*at | 0x20) != 'e'; at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        before += !point;
        if (seen == 0 && *at == '0') {
            zeros++;
            continue;
        }
        if (seen++ == 0)
            number.digits = at;
        if (*at != '0')
            number.count = seen;
    }
    if (at < end) {
        bool minus = at[1] == '-';
        long long exponent = 0;
        for (at += 1 + (at[1] == '-' || at[1] == '+'); at < end; at++)
            exponent = exponent * 10 + (*at - '0');
        before += minus ? -exponent : exponent;
    }
    number.power = before - zeros;
    return number;
}

static bool same_digits(const plain_number *a, const plain_number *b)
{
    const char *x = a->digits;
    const char *y = b->digits;
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++, x++, y++) {
        x += *x == '.';
        y += *y == '.';
        if (*x != *y)
            return false;
    }
    return true;
}

/* The sign of a zero may go: formats that keep no digits write -0 as 0. */
static bool same_number(pith_value a, pith_value b, promise made)
{
    enum { DOUBLE_DIGITS = 17 };
    plain_number x = plain_from(pith_value_text(a));
    plain_number y = plain_from(pith_value_text(b));
    double p = 0, q = 1;
    if (x.count == 0 && y.count == 0)
        return true;
    if (x.negative == y.negative && x.power == y.power && same_digits(&x, &y))
        return true;
    if (pith_value_kind(a) == PITH_INTEGER)
        return false;
    if (made == DIGITS && x.count > DOUBLE_DIGITS)
        return false;
    return pith_value_double(a, &p) && pith_value_double(b, &q) && !(p < q) && !(p > q);
}

static bool is_number(pith_kind kind)
{
    return kind == PITH_INTEGER || kind == PITH_DECIMAL;
}

/* ------------------------------------------------------------------------- values */

static bool same_text(pith_text a, pith_text b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* True when the children are rows of a table, or could be. */
static bool holds_rows(pith_value container)
{
    if (pith_value_count(container) <
        (pith_value_kind(container) == PITH_ARRAY ? 1u : 2u))
        return false;
    for (pith_value v = pith_value_first(container); v.doc; v = pith_value_next(v))
        if (pith_value_kind(v) != PITH_OBJECT)
            return false;
    return true;
}

static bool alike(pith_value a, pith_value b, promise made, bool row);

/* Members in the same order, unless it is a row. TOON spreads the objects in a row over
 * columns too, and then they are as good as rows. */
static bool alike_children(pith_value a, pith_value b, promise made, bool row)
{
    bool object = pith_value_kind(a) == PITH_OBJECT;
    bool rows = holds_rows(a) || (row && object && made == DIGITS);
    pith_value next = pith_value_first(b);
    for (pith_value v = pith_value_first(a); v.doc; v = pith_value_next(v)) {
        pith_value other = next;
        pith_text key = pith_value_key(v);
        if (object && (!other.doc || !same_text(key, pith_value_key(other)))) {
            if (!row)
                return false;
            other = pith_value_get(b, key.ptr, key.len);
        }
        if (!other.doc || !alike(v, other, made, rows))
            return false;
        next = pith_value_next(other);
    }
    return true;
}

/* Recursion is as deep as the value, which whoever makes it bounds. */
static bool alike(pith_value a, pith_value b, promise made, bool row)
{
    pith_kind kind = pith_value_kind(a);
    if (is_number(kind))
        return is_number(pith_value_kind(b)) && same_number(a, b, made);
    if (kind != pith_value_kind(b))
        return false;
    if (kind == PITH_STRING)
        return same_text(pith_value_text(a), pith_value_text(b));
    return pith_value_count(a) == pith_value_count(b) && alike_children(a, b, made, row);
}

bool trip_alike(pith_value a, pith_value b, promise made)
{
    return pith_value_equal(a, b) || (made != EXACT && alike(a, b, made, false));
}
