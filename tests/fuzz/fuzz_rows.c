/*
 * fuzz_rows.c - drawn tables that leave row by row, in every format that is written.
 *
 *     byte 0   the format
 *     byte 1   bit 0     with columns, and cells one by one
 *              bit 1     the number of rows is told before
 *              bit 2     ... and is wrong
 *              bit 3     flush after each row
 *              bit 4     as an object of tables
 *              bit 5     a memory of 64 bytes for rows that are held back
 *     then settings up to a newline, then the value, see trip.h
 *
 * What must hold: the first failure sticks and is a refusal with a reason; or what was
 * written is read as the value that the rows make. More rows than were told, or fewer, is
 * always refused.
 */
#include "trip.h"
#include "named.h"

enum { COLUMNS_MOST = 64, NAME_MOST = 256 };

static const char *const formats[] = {"json", "ndjson",    "csv", "tsv",
                                      "toon", "toon-rows", "gcf", "gcf1",
                                      "soch", "soch-bin",  "pith"};

typedef struct columns {
    char text[COLUMNS_MOST][NAME_MOST];
    const char *names[COLUMNS_MOST];
    size_t count;
} columns;

static bool has_column(const columns *c, pith_text key)
{
    for (size_t i = 0; i < c->count; i++)
        if (strlen(c->names[i]) == key.len && memcmp(c->names[i], key.ptr, key.len) == 0)
            return true;
    return false;
}

/* The keys of all rows; false when they are no columns: a row is no object, there is no
 * key, too many, or one that no C string holds. */
static bool find_columns(columns *c, pith_value table)
{
    c->count = 0;
    for (pith_value row = pith_value_first(table); row.doc; row = pith_value_next(row)) {
        if (pith_value_kind(row) != PITH_OBJECT)
            return false;
        for (pith_value cell = pith_value_first(row); cell.doc;
             cell = pith_value_next(cell)) {
            pith_text key = pith_value_key(cell);
            if (has_column(c, key))
                continue;
            if (c->count == COLUMNS_MOST || key.len >= NAME_MOST ||
                memchr(key.ptr, '\0', key.len))
                return false;
            memcpy(c->text[c->count], key.ptr, key.len);
            c->text[c->count][key.len] = '\0';
            c->names[c->count] = c->text[c->count];
            c->count++;
        }
    }
    return c->count > 0;
}

/* Each kind of cell through the call that is made for it. */
static void add_cell(pith_rows *rows, pith_value cell)
{
    pith_text text = pith_value_text(cell);
    switch (pith_value_kind(cell)) {
    case PITH_NONE:
        pith_doc_skip(pith_rows_row(rows));
        break;
    case PITH_NULL:
        pith_doc_add_null(pith_rows_row(rows));
        break;
    case PITH_FALSE:
    case PITH_TRUE:
        pith_doc_add_bool(pith_rows_row(rows), pith_value_kind(cell) == PITH_TRUE);
        break;
    case PITH_INTEGER:
    case PITH_DECIMAL:
        pith_doc_add_number(pith_rows_row(rows), text.ptr, text.len);
        break;
    case PITH_STRING:
        pith_doc_add_text(pith_rows_row(rows), text.ptr, text.len);
        break;
    default:
        pith_doc_add_value(pith_rows_row(rows), cell);
    }
}

static pith_status add_row(pith_rows *rows, pith_value row, const columns *c,
                           pith_error *err)
{
    if (!c)
        return pith_rows_add_row(rows, row, err);
    for (size_t i = 0; i < c->count; i++)
        add_cell(rows, pith_value_get(row, c->names[i], strlen(c->names[i])));
    return pith_rows_end_row(rows, err);
}

/* All rows; the first failure must be what every later call answers. */
static pith_status add_rows(pith_rows *rows, pith_value table, const columns *c,
                            bool flush, pith_error *err)
{
    pith_status status = PITH_OK;
    for (pith_value row = pith_value_first(table); row.doc; row = pith_value_next(row)) {
        pith_status now = add_row(rows, row, c, err);
        REQUIRE(status == PITH_OK || now == status);
        status = now;
        if (flush && status == PITH_OK)
            status = pith_rows_flush(rows, err);
    }
    return status;
}

/* Members of an object: tables where they can be, else as they are. */
static pith_status add_members(pith_rows *rows, pith_value object, columns *c, bool flush,
                               pith_error *err)
{
    pith_status status = PITH_OK;
    for (pith_value v = pith_value_first(object); v.doc && status == PITH_OK;
         v = pith_value_next(v)) {
        char name[NAME_MOST];
        pith_text key = pith_value_key(v);
        snprintf(name, sizeof name, "%.*s", (int)key.len, key.ptr);
        if (pith_value_kind(v) == PITH_ARRAY && find_columns(c, v)) {
            status = rows_begin_named(rows, name, c->names, c->count, err);
            status = status == PITH_OK ? add_rows(rows, v, c, flush, err) : status;
        } else {
            status = rows_add_named(rows, name, v, err);
        }
    }
    return status;
}

/* Keys that no C string holds cannot be given. */
static bool names_are_strings(pith_value object)
{
    for (pith_value v = pith_value_first(object); v.doc; v = pith_value_next(v)) {
        pith_text key = pith_value_key(v);
        if (key.len >= NAME_MOST || (key.len && memchr(key.ptr, '\0', key.len)))
            return false;
    }
    return true;
}

static void check_refusal(const trip *t, pith_status status, const pith_error *err)
{
    if (status != PITH_UNREPRESENTABLE)
        fprintf(stderr, "%d %s: %s\n", (int)status, err->code, err->message);
    TRIP_REQUIRE(t, status == PITH_UNREPRESENTABLE);
    TRIP_REQUIRE(t, err->code != NULL && err->message[0] != '\0');
}

static void as_rows(trip *t, uint8_t how, columns *c, const pith_options *options)
{
    pith_error err = {0};
    bool cells = (how & 1) && find_columns(c, t->value);
    pith_rows *rows =
        rows_open_named(t->format, cells ? c->names : NULL, cells ? c->count : 0, options,
                        pith_sink_buffer(&t->text), &err);
    if (!rows) {
        check_refusal(t, err.status, &err);
        return;
    }
    uint64_t count = pith_value_count(t->value);
    if (how & 2)
        pith_rows_expect(rows, how & 4 ? count + 1 : count);
    pith_status status = add_rows(rows, t->value, cells ? c : NULL, how & 8, &err);
    pith_status closed = pith_rows_close(rows, &err);
    TRIP_REQUIRE(t, status == PITH_OK || closed == status);
    if (closed == PITH_OK) {
        TRIP_REQUIRE(t, (how & 6) != 6);
        trip_back(t, TRIP_LOOSE);
    } else if ((how & 6) == 6 && strcmp(err.code, "count_mismatch") == 0) {
        TRIP_REQUIRE(t, closed == PITH_BAD_USE);
    } else {
        check_refusal(t, closed, &err);
    }
}

static void as_object(trip *t, uint8_t how, columns *c, const pith_options *options)
{
    pith_error err = {0};
    pith_rows *rows =
        pith_rows_open_object(t->format, options, pith_sink_buffer(&t->text), &err);
    if (!rows) {
        check_refusal(t, err.status, &err);
        return;
    }
    pith_status status = add_members(rows, t->value, c, how & 8, &err);
    pith_status closed = pith_rows_close(rows, &err);
    TRIP_REQUIRE(t, status == PITH_OK || closed == status);
    if (closed == PITH_OK)
        trip_back(t, TRIP_LOOSE);
    else
        check_refusal(t, closed, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static columns room; /* large, and used by one call at a time */
    if (size < 2)
        return 0;
    trip t;
    uint8_t how = data[1];
    const char *format = formats[data[0] % (sizeof formats / sizeof *formats)];
    trip_begin(
        &t, format, data + 2, size - 2,
        " tokens group header nested absent fill-missing fold flatten-depth name strict lossy ");
    if (strcmp(format, "gcf1") != 0 && strstr(t.write, "quote=needed"))
        trip_say(t.read, "types", "cells", 5);
    pith_options options = {0};
    options.write = t.write;
    options.hold_max = how & 32 ? 64 : 0;
    if (pith_value_kind(t.value) == PITH_ARRAY)
        as_rows(&t, how, &room, &options);
    else if ((how & 16) && pith_value_kind(t.value) == PITH_OBJECT &&
             names_are_strings(t.value))
        as_object(&t, how, &room, &options);
    trip_end(&t);
    return 0;
}
