/*
 * events.c - walking a document in batches: what a binding does.
 *
 * Numbers arrive as numbers, and the keys of rows that are alike are looked at once. Here
 * the values of every column are added up.
 */
#include "pith.h"

#include <stdio.h>

enum { COLUMNS = 16 };

int main(void)
{
    static const char text[] = "[{\"station\":\"Lyon\",\"rain\":3,\"sun\":7.5},"
                               "{\"station\":\"Oslo\",\"rain\":9,\"sun\":1.25}]";
    pith_error err;
    pith_doc *doc = pith_doc_parse("json", text, sizeof text - 1, NULL, &err);
    if (!doc) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    pith_text keys[COLUMNS];
    double sums[COLUMNS] = {0};
    uint32_t shape = 0;
    size_t columns = 0;
    size_t column = 0;
    pith_walk walk;
    pith_event events[64];
    size_t count;
    pith_walk_begin(&walk, pith_doc_root(doc), 0);
    while ((count = pith_walk_next(&walk, events, 64)) > 0) {
        for (const pith_event *e = events; e < events + count; e++) {
            if (e->kind == PITH_OBJECT) {
                if (e->shape == 0 || e->shape != shape)
                    columns = pith_walk_keys(&walk, e, keys, COLUMNS);
                shape = e->shape;
                column = 0;
                continue;
            }
            if (e->kind == PITH_INTEGER && column < COLUMNS)
                sums[column] += (double)e->u.integer;
            else if (e->kind == PITH_DECIMAL && column < COLUMNS)
                sums[column] += e->u.number;
            column += e->kind != PITH_ARRAY;
        }
    }
    for (size_t i = 0; i < columns && i < COLUMNS; i++)
        printf("%.*s: %g\n", (int)keys[i].len, keys[i].ptr, sums[i]);
    pith_doc_free(doc);
    return 0;
}
