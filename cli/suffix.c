/*
 * suffix.c - what the suffix of a file's name tells.
 *
 * Which format a file has is the library's to say (pith_format_of). What is asked here is
 * how much of that the name tells before the file is opened, so that a command line that
 * is wrong can fail before anything is read.
 */
#include "suffix.h"

#include "pith.h"

#include <string.h>
#include <strings.h>

/* Takes in one format that goes by the suffix of `len` bytes at `text`. */
static void note(suffix_facts *found, const char *path, const char *text, size_t len)
{
    size_t all = strlen(path);
    if (len >= all || len < found->len || path[all - len - 1] == '/' ||
        strncasecmp(path + all - len, text, len) != 0)
        return;
    found->formats = len > found->len ? 1 : found->formats + 1;
    found->len = len;
}

suffix_facts suffix_of(const char *path)
{
    suffix_facts found = {0, 0};
    const pith_format *format;
    for (size_t i = 0; (format = pith_format_at(i)) != NULL; i++) {
        const char *at = format->suffixes;
        while (*at != '\0') {
            size_t len = strcspn(at, " ");
            note(&found, path, at, len);
            at += len + (at[len] == ' ');
        }
    }
    return found;
}
