/*
 * sections.c - an object that leaves piece by piece: members, a table, a keyed table.
 *
 * Each row is on its way as soon as it is ended. Try another format name: those that
 * cannot stream an object collect it and write it at the end.
 */
#include "pith.h"

#include <stdio.h>
#include <string.h>

static void add_text(pith_rows *rows, const char *text)
{
    pith_doc_add_text(pith_rows_row(rows), text, strlen(text));
}

/* Members are whole values, here from a document that was read. */
static pith_status add_members(pith_rows *rows, pith_error *err)
{
    static const char text[] = "{\"station\":\"OSL-3\",\"heights\":[2,10]}";
    pith_doc *doc = pith_doc_parse("json", text, sizeof text - 1, NULL, err);
    if (!doc)
        return err->status;
    pith_value root = pith_doc_root(doc);
    static const pith_text station = PITH_TEXT("station");
    static const pith_text heights = PITH_TEXT("heights");
    pith_rows_add_member(rows, station, pith_value_get(root, "station", 7), NULL);
    pith_status status =
        pith_rows_add_member(rows, heights, pith_value_get(root, "heights", 7), err);
    pith_doc_free(doc);
    return status;
}

static void add_tables(pith_rows *rows)
{
    static const pith_text readings[] = {PITH_TEXT("time"), PITH_TEXT("degrees")};
    static const pith_text sensors[] = {PITH_TEXT("kind"), PITH_TEXT("working")};
    static const char *const times[] = {"06:00", "09:00"};
    static const double degrees[] = {-3.5, -1};

    pith_rows_begin_table(rows, (pith_text)PITH_TEXT("readings"), readings, 2, false,
                          NULL);
    for (size_t i = 0; i < 2; i++) {
        add_text(rows, times[i]);
        pith_doc_add_double(pith_rows_row(rows), degrees[i]);
        pith_rows_end_row(rows, NULL);
    }

    /* The rows of a keyed table are members of an object. */
    pith_rows_begin_table(rows, (pith_text)PITH_TEXT("sensors"), sensors, 2, true, NULL);
    pith_doc_add_key(pith_rows_row(rows), "s1", 2);
    add_text(rows, "wind");
    pith_doc_add_bool(pith_rows_row(rows), true);
    pith_rows_end_row(rows, NULL);
}

int main(int argc, char **argv)
{
    const char *format = argc > 1 ? argv[1] : "gcf";
    pith_error err;
    pith_rows *rows = pith_rows_open_object(format, NULL, pith_sink_fd(1), &err);
    if (!rows) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    if (add_members(rows, &err) != PITH_OK) {
        fprintf(stderr, "%s\n", err.message);
        pith_rows_abandon(rows);
        return 1;
    }
    add_tables(rows);
    if (pith_rows_close(rows, &err) != PITH_OK) { /* failures stick: this one tells */
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    return 0;
}
