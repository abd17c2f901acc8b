/*
 * value_paths.c - the paths of a value.
 */
#include "value_paths.h"

#include "base/alloc.h"

#include <stdio.h>
#include <string.h>

static uint64_t hash_of(const value_paths *paths, uint32_t parent, pith_text name)
{
    return hash_text(hash_seed_of(hash_seed(paths->alloc), parent), name.ptr, name.len);
}

/* Adds a path that is not there. */
static uint32_t add(value_paths *paths, uint32_t parent, pith_text name)
{
    bool moved = false;
    size_t count = paths->names.count;
    if (count >= PATH_REFUSED - 1 ||
        !hash_table_reserve(&paths->table, &paths->alloc, count + 1, &moved) ||
        !LIST_RESERVE(&paths->names, &paths->alloc, 1))
        return PATH_REFUSED;
    for (size_t i = 0; moved && i < count; i++)
        hash_enter(&paths->table, paths->names.at[i].hash, (uint32_t)i);
    path_name *added = &paths->names.at[paths->names.count++];
    *added = (path_name){parent, name, 0, hash_of(paths, parent, name)};
    hash_enter(&paths->table, added->hash, (uint32_t)count);
    return (uint32_t)count;
}

bool paths_begin(value_paths *paths)
{
    *paths = (value_paths){.alloc = alloc_from(NULL)};
    return add(paths, PATH_REFUSED, text_of("", 0)) == PATH_TOP;
}

void paths_free(value_paths *paths)
{
    LIST_FREE(&paths->names, &paths->alloc);
    hash_table_free(&paths->table, &paths->alloc);
}

static uint32_t find(const value_paths *paths, uint32_t parent, pith_text name)
{
    uint64_t hash = hash_of(paths, parent, name);
    size_t at = hash_first(&paths->table, hash);
    for (; paths->table.at[at] != HASH_NONE; at = hash_next(&paths->table, at)) {
        const path_name *there = &paths->names.at[paths->table.at[at]];
        if (there->hash == hash && there->parent == parent &&
            text_equal(there->name, name))
            break;
    }
    return paths->table.at[at];
}

uint32_t paths_member(value_paths *paths, uint32_t parent, pith_text name)
{
    uint32_t found = find(paths, parent, name);
    if (found == HASH_NONE && paths->names.at[parent].children >= PATH_NAMES_MOST) {
        name = text_of("*", 1);
        found = find(paths, parent, name);
    }
    if (found != HASH_NONE)
        return found;
    paths->names.at[parent].children++;
    return add(paths, parent, name);
}

static bool put(pith_buffer *into, const char *text, size_t len)
{
    pith_sink sink = pith_sink_buffer(into);
    return sink.write(sink.ctx, text, len) == PITH_OK;
}

/* A name that only quotes keep from being something else. */
static bool needs_quotes(pith_text name)
{
    if (name.len == 1 && name.ptr[0] == '*')
        return false;
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.ptr[i] <= ' ' || strchr(".[]*,/\"\\'", name.ptr[i]))
            return true;
    return name.len == 0;
}

bool paths_spell_name(pith_text name, bool first, pith_buffer *into)
{
    if (!needs_quotes(name))
        return (first || put(into, ".", 1)) && put(into, name.ptr, name.len);
    bool fine = put(into, "[\"", 2);
    for (size_t i = 0; fine && i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        char escape[8] = {'\\', (char)c, '\0'};
        if (c < ' ' || c == '\'') /* the line is pasted into a shell, between these */
            snprintf(escape, sizeof escape, "\\u%04x", c);
        bool plain = c >= ' ' && c != '"' && c != '\\' && c != '\'';
        fine = plain ? put(into, name.ptr + i, 1) : put(into, escape, strlen(escape));
    }
    return fine && put(into, "\"]", 2);
}

bool paths_spell(const value_paths *paths, uint32_t path, pith_buffer *into)
{
    uint32_t steps[64];
    size_t count = 0;
    for (; path != PATH_TOP && count < 64; path = paths->names.at[path].parent)
        steps[count++] = path;
    bool fine = put(into, path == PATH_TOP ? "" : "...", path == PATH_TOP ? 0 : 3);
    for (size_t i = count; fine && i-- > 0;)
        fine = paths_spell_name(paths->names.at[steps[i]].name, i + 1 == count, into);
    return fine;
}
