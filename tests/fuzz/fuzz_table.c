/*
 * fuzz_table.c - drawn calls that build a table with types, and the table as text and
 * bytes and back.
 *
 *     up to a `|`   a byte for each column: its type, null allowed from 80 on
 *     the rest      cells, two bytes each: the call, and its argument; a `|` instead of a
 *                   call ends the row
 *
 * What must hold: the first failure sticks and is a refusal with a reason; or the table
 * is written as text, as bytes and as JSON, and what is read back of the first two is the
 * same table: its columns, and every cell with its type.
 */
#include <math.h>

#include "tables.h"
#include "drawn.h"
#include "fuzzing.h"

enum { COLUMNS_MOST = 12, ROWS_MOST = 40, VECTOR = 3 };

static void add_columns(draw *from, typed_table *table)
{
    for (unsigned i = 0; i < COLUMNS_MOST && from->at < from->end; i++) {
        char name[32];
        pith_field field;
        uint8_t byte = draw_byte(from);
        if (byte == '|')
            return;
        memset(&field, 0, sizeof field);
        snprintf(name, sizeof name, "%c%s", 'a' + (int)i, i % 3 == 2 ? " b" : "");
        field.name.ptr = name;
        field.name.len = strlen(name);
        field.type = (pith_type)(byte % 11);
        field.nullable = byte >= 0x80;
        field.size = field.type == PITH_TYPE_VEC ? VECTOR : 0;
        table_add_column(table, &field);
    }
}

static void add_cell(draw *from, typed_table *table, uint8_t call)
{
    static const double doubles[] = {0.0,   -0.0, 1.5,      1e300,     0.1,
                                     -1e-7, 1e21, INFINITY, -INFINITY, NAN};
    uint8_t byte = draw_byte(from);
    pith_text piece = draw_piece(byte);
    double vector[VECTOR] = {byte, doubles[byte % 7], -0.5};
    switch (call % 10) {
    case 0:
        pith_doc_add_null(table_row(table));
        break;
    case 1:
        pith_doc_add_bool(table_row(table), byte & 1);
        break;
    case 2:
        pith_doc_add_int64(table_row(table),
                           byte == 255 ? INT64_MIN : (int64_t)byte - 128);
        break;
    case 3:
        pith_doc_add_uint64(table_row(table), byte == 255 ? UINT64_MAX : byte);
        break;
    case 4:
        pith_doc_add_double(table_row(table), doubles[byte % 10]);
        break;
    case 5:
        pith_doc_add_text(table_row(table), piece.ptr, piece.len);
        break;
    case 6:
        pith_doc_add_bytes(table_row(table), piece.ptr, piece.len);
        break;
    case 7:
        pith_doc_add_vector(table_row(table), vector, VECTOR);
        break;
    case 8:
        pith_doc_add_ref(table_row(table), named(byte & 1 ? "users" : "t"), byte);
        break;
    default: {
        pith_doc *doc = draw_doc(from);
        pith_doc_add_value(table_row(table), pith_doc_root(doc));
        pith_doc_free(doc);
    }
    }
}

static pith_status add_rows(draw *from, typed_table *table, pith_error *err)
{
    pith_status status = PITH_OK;
    for (size_t rows = 0; rows < ROWS_MOST && from->at < from->end;) {
        uint8_t call = draw_byte(from);
        if (call == '|') {
            pith_status now = table_end_row(table, err);
            REQUIRE(status == PITH_OK || now == status);
            status = now;
            rows++;
        } else {
            add_cell(from, table, call);
        }
    }
    return status;
}

static bool same_cell(pith_value a, pith_value b)
{
    double x[VECTOR] = {0}, y[VECTOR] = {0};
    pith_type type = pith_value_type(a);
    if (type != pith_value_type(b))
        return false;
    if (type == PITH_TYPE_FLOAT) {
        REQUIRE(pith_value_double(a, &x[0]) && pith_value_double(b, &y[0]));
        return (isnan(x[0]) && isnan(y[0])) || memcmp(&x[0], &y[0], sizeof x[0]) == 0;
    }
    if (type == PITH_TYPE_VEC) {
        return pith_value_vector(a, x, VECTOR) == pith_value_vector(b, y, VECTOR) &&
               memcmp(x, y, sizeof x) == 0;
    }
    return fuzz_same_value(a, b);
}

static void require_same_table(const typed_table *a, const typed_table *b, bool typed)
{
    REQUIRE(a->view.field_count == b->view.field_count);
    REQUIRE(a->view.row_count == b->view.row_count);
    for (size_t i = 0; i < a->view.field_count; i++) {
        const pith_field *x = &a->view.fields[i];
        const pith_field *y = &b->view.fields[i];
        REQUIRE(same_pith_text(x->name, y->name));
        REQUIRE(!typed || (x->type == y->type && x->nullable == y->nullable));
        for (size_t row = 0; row < a->view.row_count; row++)
            REQUIRE(same_cell(table_cell(a, row, i), table_cell(b, row, i)));
    }
}

static void there_and_back(const typed_table *table, const char *format,
                           const char *words, bool typed)
{
    pith_options options = {0};
    pith_buffer text = {0};
    pith_error err = {0};
    options.write = words;
    REQUIRE(table_write(table, format, &options, pith_sink_buffer(&text), &err) ==
            PITH_OK);
    typed_table *back = table_parse(format, text.data, text.len, NULL, &err);
    if (!back) {
        fprintf(stderr, "%s: %s: %s\n%.*s\n", format, err.code, err.message,
                (int)text.len, text.data);
    }
    REQUIRE(back != NULL);
    require_same_table(table, back, typed);
    table_free(back);
    pith_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    draw from = draw_from(data, size);
    pith_error err = {0};
    typed_table *table = table_new("t", NULL);
    REQUIRE(table != NULL);
    add_columns(&from, table);
    pith_status status = add_rows(&from, table, &err);
    pith_status verdict = table_finish(table, &err);
    REQUIRE(status == PITH_OK || verdict == status);
    if (verdict == PITH_OK) {
        there_and_back(table, "soch", "types=all", true);
        there_and_back(table, "soch", NULL, false);
        there_and_back(table, "soch-bin", NULL, true);
        pith_buffer json = {0};
        REQUIRE(table_write(table, "json", NULL, pith_sink_buffer(&json), NULL) ==
                PITH_OK);
        pith_doc *doc = pith_doc_parse("json", json.data, json.len, NULL, NULL);
        REQUIRE(doc != NULL);
        pith_doc_free(doc);
        pith_buffer_free(&json);
    } else {
        REQUIRE(err.code != NULL && err.message[0] != '\0');
        REQUIRE(verdict != PITH_NO_MEMORY && verdict != PITH_IO);
    }
    table_free(table);
    return 0;
}
