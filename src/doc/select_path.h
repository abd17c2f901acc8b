/*
 * select_path.h - paths into a value, with patterns for names.
 *
 *     /items/0/name      a JSON Pointer
 *     items[0].name      the same with dots
 *     items.name         the name of every item: a name passes through arrays
 *     *_url              every name that ends so
 *
 * A path is a list of steps. Each container on the way takes one of them, except that an
 * array takes no name: the step waits for what is in the array. So in every container a path
 * stands at one step, and following it costs one comparison with each key.
 */
#ifndef DOC_SELECT_PATH_H
#define DOC_SELECT_PATH_H

#include "base/alloc.h"
#include "base/error.h"
#include "base/list.h"

typedef enum path_step_kind {
    STEP_NAME,    /* a member of this name; of an array, the element, if it is a number */
    STEP_PATTERN, /* members whose name is like this */
    STEP_INDEX,   /* an element */
    STEP_EACH     /* every member or element */
} path_step_kind;

typedef struct path_step {
    path_step_kind kind;
    pith_text name;
    uint32_t index; /* PATH_NO_INDEX for a name that is no number */
} path_step;

#define PATH_NO_INDEX UINT32_MAX
#define PATH_LOST UINT16_MAX /* where a path stands that does not lead there */

enum { PATH_WHY_SIZE = 160 };

typedef struct value_path {
    pith_text spelled; /* as it was given */
    size_t first;      /* of its steps in the list of all */
    uint16_t count;
    bool anywhere; /* one name, which may be at any depth */
    bool many;     /* it can lead to several places, whatever the value is */

    /* What came of it. */
    bool found;
    uint16_t followed;       /* steps after which it is known how it went on */
    char why[PATH_WHY_SIZE]; /* what was there instead, where it was followed furthest */
} value_path;

/* Zero-initialise. */
typedef struct path_list {
    LIST(value_path) paths;
    LIST(path_step) steps;
    char *names; /* the texts of the steps */
    size_t names_size;
} path_list;

/* How a setting is read. */
typedef enum path_rule {
    PATH_ONE,     /* one path, commas are part of it */
    PATH_SEVERAL, /* paths with commas between them */
    PATH_LOOSE    /* the same; one name alone may be at any depth */
} path_rule;

/* Adds the paths of `text`, a setting called `word`. A path that is none is PITH_BAD_USE,
 * "bad_setting". */
pith_status path_list_read(path_list *list, pith_text text, path_rule rule,
                           const char *word, const pith_alloc *alloc, pith_error *err);
void path_list_free(path_list *list, const pith_alloc *alloc);

static inline const path_step *path_step_at(const path_list *list, const value_path *path,
                                            uint16_t stands)
{
    assert(stands < path->count);
    return &list->steps.at[path->first + stands];
}

/* Where a path that stands at a step of an object or of an array stands in a member or an
 * element of it; PATH_LOST when it does not lead there. At `count` it has arrived. */
uint16_t path_into_member(const path_list *list, const value_path *path, uint16_t stands,
                          pith_text key);
uint16_t path_into_element(const path_list *list, const value_path *path, uint16_t stands,
                           uint64_t index);

#endif
