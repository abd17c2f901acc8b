/*
 * list.h - arrays that grow.
 *
 *     LIST(token) tokens;                          zeroed: an empty list
 *     token *next = LIST_ADD(&tokens, alloc);      one more, not initialised
 *     LIST_FREE(&tokens, alloc);
 *
 *     at      count            cap
 *     +-------+----------------+
 *     | items | room           |
 *     +-------+----------------+
 *
 * Growing is by half, so adding stays linear. Items move when the list grows: keep
 * indexes, not pointers.
 */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

#define LIST(type)                                                                       \
    struct {                                                                             \
        type *at;                                                                        \
        size_t count, cap;                                                               \
    }

/* Room for `need` items in the array whose address is at `at`; see alloc_grow. */
static inline bool list_grow(const pith_alloc *alloc, void *at, size_t *cap, size_t need,
                             size_t item)
{
    void *array;
    if (need <= *cap)
        return true;
    memcpy(&array, at, sizeof array); /* a pointer to any type is not a void ** */
    bool fits = alloc_grow(alloc, &array, cap, need, item);
    memcpy(at, &array, sizeof array);
    return fits;
}

/* The same for `more` items after the first `count`, however many these are together. */
static inline bool list_reserve(const pith_alloc *alloc, void *at, size_t *cap,
                                size_t count, size_t more, size_t item)
{
    assert(count <= *cap);
    return more <= *cap - count ||
           (more <= SIZE_MAX - count && list_grow(alloc, at, cap, count + more, item));
}

/* Room for `more` items after the last. False, with nothing changed, when memory runs
 * out. */
#define LIST_RESERVE(list, alloc, more)                                                  \
    list_reserve(alloc, (void *)&(list)->at, &(list)->cap, (list)->count, more,          \
                 sizeof *(list)->at)

/* The same, and where that room begins; NULL when memory runs out. */
#define LIST_ROOM(list, alloc, more)                                                     \
    (LIST_RESERVE(list, alloc, more) ? (list)->at + (list)->count : NULL)

/* One more item, not initialised; NULL when memory runs out. */
#define LIST_ADD(list, alloc)                                                            \
    (LIST_RESERVE(list, alloc, 1) ? &(list)->at[(list)->count++] : NULL)

/* Frees the array. The list must be zeroed before it is used again. */
#define LIST_FREE(list, alloc)                                                           \
    alloc_free(alloc, (void *)(list)->at, (list)->cap * sizeof *(list)->at)

#endif
