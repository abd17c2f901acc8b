/*
 * generate.c - see generate.h.
 */
#include "generate.h"

#include <string.h>

const shape *shape_find(const char *name)
{
    const shape *kind;
    for (size_t i = 0; (kind = shape_at(i)) != NULL; i++)
        if (strcmp(kind->name, name) == 0)
            return kind;
    return NULL;
}

bool generate(const shape *kind, size_t size_bytes, uint64_t seed, FILE *file)
{
    emit out = {.file = file};
    seeded random = {seed};
    size_t ending = strlen(kind->closing);
    emit_raw(&out, kind->opening);
    for (uint64_t index = 0; out.bytes + ending < size_bytes && !ferror(file); index++)
        kind->record(&out, &random, index);
    emit_raw(&out, kind->closing);
    return fflush(file) == 0 && !ferror(file);
}
