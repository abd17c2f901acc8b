/*
 * value_paths.h - the paths of a value, each once: a tree of names.
 *
 * Arrays have no name, so what is in them is at the path of the array: items.name is the name
 * of every item, as --drop and --fields understand it. An object with very many names is taken
 * for a map, and the names beyond the first are one, `*`.
 */
#ifndef PITH_CLI_VALUE_PATHS_H
#define PITH_CLI_VALUE_PATHS_H

#include "base/hash_table.h"
#include "base/list.h"
#include "base/text.h"

#include "pith.h"

#define PATH_TOP 0 /* the value itself */
#define PATH_REFUSED UINT32_MAX

enum { PATH_NAMES_MOST = 200 /* of one object, before it is a map */ };

typedef struct path_name {
    uint32_t parent;
    pith_text name; /* borrowed */
    size_t children;
    uint64_t hash;
} path_name;

/* Zero-initialise, begin, and free. */
typedef struct value_paths {
    pith_alloc alloc;
    LIST(path_name) names;
    hash_table table;
} value_paths;

/* False when out of memory. */
bool paths_begin(value_paths *paths);
void paths_free(value_paths *paths);

/* The path of a member of what is at `parent`; PATH_REFUSED when out of memory. */
uint32_t paths_member(value_paths *paths, uint32_t parent, pith_text name);

/* Writes a path as options take it, items.name; the value itself is "". False when out of
 * memory. */
bool paths_spell(const value_paths *paths, uint32_t path, pith_buffer *into);

/* Adds a name as a step that options take: one with a dot or a star in it has quotes. */
bool paths_spell_name(pith_text name, bool first, pith_buffer *into);

#endif /* PITH_CLI_VALUE_PATHS_H */
