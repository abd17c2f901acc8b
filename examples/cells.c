/*
 * cells.c - building a document from arrays of cells: what a binding does.
 *
 * The list of keys is made once. Then every row is a few cells on the stack, or many rows
 * are one array, and nothing is called for each value.
 */
#include "pith.h"

#include <stdio.h>
#include <string.h>

typedef struct reading {
    const char *station;
    double degrees;
    int humidity; /* -1 when the sensor has none */
} reading;

static const reading readings[] = {
    {"Lyon", 21.5, 40}, {"Oslo", -3.25, -1}, {"Quito", 14, 71}};

enum { READINGS = sizeof readings / sizeof *readings };

int main(void)
{
    static const pith_text keys[] = {{"station", 7}, {"degrees", 7}, {"humidity", 8}};
    pith_cell cells[4 * READINGS + 2];
    size_t count = 0;
    pith_doc *doc = pith_doc_new(NULL);
    if (!doc)
        return 1;
    uint32_t shape = pith_doc_shape(doc, keys, 3);
    cells[count++] = (pith_cell){.kind = PITH_CELL_ARRAY};
    for (const reading *r = readings; r < readings + READINGS; r++) {
        cells[count++] = (pith_cell){.kind = PITH_CELL_SHAPED, .u.natural = shape};
        cells[count++] = (pith_cell){.kind = PITH_CELL_TEXT,
                                     .len = (uint32_t)strlen(r->station),
                                     .u.text = r->station};
        cells[count++] = (pith_cell){.kind = PITH_CELL_DOUBLE, .u.number = r->degrees};
        cells[count++] = r->humidity < 0 ? (pith_cell){.kind = PITH_CELL_NULL}
                                         : (pith_cell){.kind = PITH_CELL_INT64,
                                                       .u.integer = r->humidity};
    }
    cells[count++] = (pith_cell){.kind = PITH_CELL_CLOSE};
    pith_doc_add_cells(doc, cells, count);

    pith_error err;
    pith_status status = pith_doc_finish(doc, &err);
    if (status == PITH_OK)
        status =
            pith_value_write(pith_doc_root(doc), "toon", NULL, pith_sink_fd(1), &err);
    if (status != PITH_OK)
        fprintf(stderr, "%s\n", err.message);
    putchar('\n');
    pith_doc_free(doc);
    return status == PITH_OK ? 0 : 1;
}
