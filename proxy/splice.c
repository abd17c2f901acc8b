/*
 * splice.c - see splice.h.
 */
#include "splice.h"

#include "base/lex.h"

#include <assert.h>

bool bytes_literal(bytes *to, const char *text, size_t len)
{
    const char *end = text + len;
    bool fits = bytes_reserve(to, len + 2) && bytes_text(to, "\"");
    while (fits && text < end) {
        char escape[LEX_ESCAPE_MAX_LEN];
        const char *stop = scan_to(SCAN_STOP, text, end);
        fits = bytes_add(to, text, (size_t)(stop - text));
        if (stop < end && fits)
            fits = bytes_add(to, escape, lex_write_escape((unsigned char)*stop, escape));
        text = stop + (stop < end);
    }
    return fits && bytes_text(to, "\"");
}

void edits_add(edits *all, span range, bytes text)
{
    if (all->count == all->cap) {
        size_t cap = all->cap ? 2 * all->cap : 8;
        edit *grown = realloc(all->at, cap * sizeof *grown);
        if (!grown) {
            all->failed = true;
            bytes_free(&text);
            return;
        }
        all->at = grown;
        all->cap = cap;
    }
    all->at[all->count] = (edit){range, text, all->count};
    all->count++;
}

void edits_free(edits *all)
{
    while (all->count > 0)
        bytes_free(&all->at[--all->count].text);
    free(all->at);
    *all = (edits){0};
}

static int compare_edits(const void *a, const void *b)
{
    const edit *x = a, *y = b;
    if (x->range.at != y->range.at)
        return x->range.at > y->range.at ? 1 : -1;
    return x->order > y->order ? 1 : -1;
}

bool splice(span line, edits *all, bytes *out)
{
    size_t len = span_len(line);
    if (all->failed)
        return false;
    for (size_t i = 0; i < all->count; i++) {
        len += all->at[i].text.len;
        len -= span_len(all->at[i].range);
    }
    if (!bytes_reserve(out, len))
        return false;
    if (all->count > 1)
        qsort(all->at, all->count, sizeof *all->at, compare_edits);
    const char *from = line.at;
    for (size_t i = 0; i < all->count; i++) {
        const edit *one = &all->at[i];
        assert(one->range.at >= from && one->range.end <= line.end);
        bytes_add(out, from, (size_t)(one->range.at - from));
        bytes_add(out, one->text.data, one->text.len);
        from = one->range.end;
    }
    return bytes_add(out, from, (size_t)(line.end - from));
}
