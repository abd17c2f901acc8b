/*
 * values.c - a document made of parts of another, and compared with it.
 */
#include "pith.h"

#include <stdio.h>

static const char text[] =
    "{\"name\":\"Ada\",\"born\":1815,\"tags\":[\"maths\",\"verse\"]}";

/* Copies what is a text or an array, under its key, and adds a number by its digits. */
static pith_status copy_some(pith_doc *to, pith_value from, pith_error *err)
{
    pith_doc_open_object(to);
    pith_value member = pith_value_first(from);
    for (; member.doc; member = pith_value_next(member)) {
        pith_kind kind = pith_value_kind(member);
        pith_text key = pith_value_key(member);
        if (kind != PITH_STRING && kind != PITH_ARRAY)
            continue;
        pith_doc_add_key(to, key.ptr, key.len);
        pith_doc_add_value(to, member);
    }
    pith_doc_add_key(to, "pi", 2);
    pith_doc_add_number(to, "3.14159265358979323846", 22);
    pith_doc_close(to);
    return pith_doc_finish(to, err);
}

int main(void)
{
    pith_error err = {0};
    pith_doc *from = pith_doc_new(NULL);
    pith_doc *to = pith_doc_new(NULL);
    if (!from || !to)
        return 1;
    pith_status status = pith_doc_read(from, "json", text, sizeof text - 1, NULL, &err);
    if (status == PITH_OK)
        status = copy_some(to, pith_doc_root(from), &err);
    if (status == PITH_OK)
        status = pith_value_write(pith_doc_root(to), "json", NULL, pith_sink_fd(1), &err);
    if (status != PITH_OK)
        fprintf(stderr, "%s\n", err.message);
    int64_t born;
    if (pith_value_int64(pith_value_get(pith_doc_root(from), "born", 4), &born))
        printf("\nborn in %d; the tags are %s\n", (int)born,
               pith_value_equal(pith_value_get(pith_doc_root(from), "tags", 4),
                                pith_value_at(pith_doc_root(to), 1))
                   ? "the same"
                   : "different");
    pith_doc_free(from);
    pith_doc_free(to);
    return status == PITH_OK ? 0 : 1;
}
