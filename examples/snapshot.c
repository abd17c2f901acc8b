/*
 * snapshot.c - a table that changes, told by what has changed.
 *
 * One side knows the data and writes deltas; the other holds what it was told and says so by
 * a root, which is a hash of it.
 */
#include "pith.h"

#include <stdio.h>
#include <string.h>

static const char *const turns[] = {
    "[{\"sku\":\"A1\",\"stock\":5},{\"sku\":\"B2\",\"stock\":7},{\"sku\":\"C3\",\"stock\":1}]",
    "[{\"sku\":\"A1\",\"stock\":4},{\"sku\":\"B2\",\"stock\":7},{\"sku\":\"C3\",\"stock\":1}]",
    "[{\"sku\":\"A1\",\"stock\":4},{\"sku\":\"B2\",\"stock\":7},{\"sku\":\"C3\",\"stock\":1}]",
};

static const char *const kinds[] = {"unchanged", "changes", "everything"};

/* One turn: what is sent to the side that holds `theirs`, and that it leads there. */
static pith_status turn(pith_snapshot *ours, pith_snapshot *theirs, pith_value value,
                        pith_error *err)
{
    pith_buffer out = {0};
    pith_delta_kind kind;
    const char *held = pith_snapshot_root(theirs);
    pith_status status = pith_snapshot_write(ours, *held ? held : NULL, value,
                                             pith_sink_buffer(&out), &kind, err);
    pith_delta_info info;
    if (status == PITH_OK)
        status = pith_delta_look(out.data, out.len, &info, err);
    if (status == PITH_OK) {
        printf("%s, %zu bytes, to %.14s...\n", kinds[info.kind], out.len, info.root.ptr);
        status = pith_snapshot_apply(theirs, out.data, out.len, &kind, err);
    }
    pith_buffer_free(&out);
    return status;
}

/* What is held is what was meant. */
static bool is_right(const pith_snapshot *theirs, pith_value value)
{
    pith_root root;
    return pith_value_root(value, (pith_text)PITH_TEXT("sku"), NULL, &root, NULL) ==
               PITH_OK &&
           strcmp(root.text, pith_snapshot_root(theirs)) == 0 &&
           pith_value_count(pith_snapshot_value(theirs)) == pith_value_count(value);
}

int main(void)
{
    pith_error err = {0};
    pith_policy policy = {.key = PITH_TEXT("sku"), .guard_percent = PITH_GUARD_OFF};
    pith_snapshot *ours = pith_snapshot_new(&policy, NULL, &err);
    pith_snapshot *theirs = pith_snapshot_new(NULL, NULL, &err);
    pith_doc *doc = pith_doc_new(NULL);
    pith_status status = ours && theirs && doc ? PITH_OK : PITH_NO_MEMORY;
    for (size_t i = 0; status == PITH_OK && i < 3; i++) {
        status = pith_doc_read(doc, "json", turns[i], strlen(turns[i]), NULL, &err);
        if (status == PITH_OK && i == 0) /* nothing is sent: they will ask for it all */
            status = pith_snapshot_set(ours, pith_doc_root(doc), &err);
        if (status == PITH_OK)
            status = turn(ours, theirs, pith_doc_root(doc), &err);
        if (status == PITH_OK && !is_right(theirs, pith_doc_root(doc)))
            status = PITH_BAD_INPUT;
    }
    if (status != PITH_OK)
        fprintf(stderr, "%s: %s\n", pith_status_name(status), err.message);
    pith_doc_free(doc);
    pith_snapshot_free(ours);
    pith_snapshot_free(theirs);
    return status == PITH_OK ? 0 : 1;
}
