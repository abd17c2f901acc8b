/*
 * walk.c - reading a document: what did each customer order?
 *
 * Values are small handles passed around by value. Looking up what is not there gives
 * "no value", which every call accepts, so a chain of look-ups needs one check.
 */
#include "pith.h"

#include <stdio.h>

static void print_text(pith_text text)
{
    fwrite(text.ptr, 1, text.len, stdout);
}

int main(void)
{
    static char text[1 << 20];
    FILE *file = fopen("orders.json", "rb");
    if (!file) {
        perror("orders.json");
        return 1;
    }
    size_t len = fread(text, 1, sizeof text, file);
    fclose(file);

    pith_error err;
    pith_doc *doc = pith_doc_parse("json", text, len, NULL, &err);
    if (!doc) {
        fprintf(stderr, "orders.json:%zu:%zu: %s [%s]\n", err.line, err.column,
                err.message, err.code);
        return 1;
    }
    pith_value order = pith_value_first(pith_doc_root(doc));
    for (; order.doc; order = pith_value_next(order)) {
        double total = 0;
        pith_value_double(pith_value_get(order, "total", 5), &total);
        print_text(pith_value_text(
            pith_value_get(pith_value_get(order, "customer", 8), "name", 4)));
        printf(": %zu items, %.2f\n", pith_value_count(pith_value_get(order, "items", 5)),
               total);
    }
    pith_doc_free(doc);
    return 0;
}
