/*
 * form_c.c - the quick check of Normalization Form C.
 *
 * A text whose characters may all stand in form C, and whose combining marks stand in
 * the order of their classes, is in form C: that is seen without normalizing anything.
 * Of other texts it is not known. Mostly such a text is not in form C, and the few that
 * are hold a mark after a letter with which it does not join.
 */
#include "tokens/form_c.h"

#include "base/utf8.h"
#include "tokens/class.h"

#ifndef PITH_OMIT_TOKENS

#include "tokens/form_c_table.h"

enum { FORM_C_CHANGES = 255 };

/* The combining class of a character, or FORM_C_CHANGES. */
static unsigned form_c_order(uint32_t code)
{
    size_t low = 0;
    size_t high = sizeof form_c_ranges / sizeof form_c_ranges[0];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (form_c_ranges[middle].last < code)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < sizeof form_c_ranges / sizeof form_c_ranges[0] &&
                 form_c_ranges[low].first <= code;
    return found ? form_c_ranges[low].order : 0;
}

const char *form_c_find(const char *at, const char *end)
{
    unsigned before = 0;
    while (at < end) {
        uint32_t code = (unsigned char)*at;
        size_t len = code < 0x80 ? 1 : utf8_decode(at, (size_t)(end - at), &code);
        unsigned order = class_of(code) & CLASS_UNSTABLE ? form_c_order(code) : 0;
        if (order == FORM_C_CHANGES || (order > 0 && order < before))
            return at;
        before = order;
        at += len;
    }
    return NULL;
}

#endif
