/*
 * db_mariadb_cells.c - the columns of a result and the cells of its rows.
 *
 * A column is described once, and its type decides how its cells are packed: numbers in
 * their bytes, the lowest first, dates and times in fields, all else as text with its
 * length before it. Each cell becomes one call of the row API. A type that no client is
 * sent, and a row that is longer or shorter than its cells, are faults of the server.
 */
#include "db_mariadb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINARY_CHARSET = 63 };

/* How a column's values are written. */
typedef enum maria_kind {
    MARIA_TEXT,
    MARIA_INTEGER,
    MARIA_BOOLEAN, /* TINYINT(1) */
    MARIA_BITS,
    MARIA_FLOAT,
    MARIA_DOUBLE,
    MARIA_DECIMAL,
    MARIA_TIME,
    MARIA_CLOCK, /* TIME, which may be longer than a day */
    MARIA_BINARY,
    MARIA_JSON
} maria_kind;

typedef struct maria_column {
    maria_kind kind;
    unsigned type;
    unsigned decimals;
    size_t bytes; /* of a number */
    bool is_unsigned;
    bool is_bit; /* BIT(1) */
} maria_column;

/* ------------------------------------------------------------------------- columns */

/* The kind of a type, and how many bytes a number has; false for types no client is sent.
 * */
static bool maria_kind_of(const wire_column *field, maria_column *column)
{
    column->kind = MARIA_INTEGER;
    switch (field->type) {
    case MYSQL_TYPE_TINY:
        column->kind = field->length == 1 ? MARIA_BOOLEAN : MARIA_INTEGER;
        column->bytes = 1;
        return true;
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_YEAR:
        column->bytes = 2;
        return true;
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
        column->bytes = 4;
        return true;
    case MYSQL_TYPE_LONGLONG:
        column->bytes = 8;
        return true;
    case MYSQL_TYPE_BIT:
        column->kind = MARIA_BITS;
        return true;
    case MYSQL_TYPE_FLOAT:
        column->kind = MARIA_FLOAT;
        return true;
    case MYSQL_TYPE_DOUBLE:
        column->kind = MARIA_DOUBLE;
        return true;
    case MYSQL_TYPE_DECIMAL:
    case MYSQL_TYPE_NEWDECIMAL:
        column->kind = MARIA_DECIMAL;
        return true;
    case MYSQL_TYPE_DATE:
    case MYSQL_TYPE_NEWDATE:
    case MYSQL_TYPE_DATETIME:
    case MYSQL_TYPE_TIMESTAMP:
        column->kind = MARIA_TIME;
        return true;
    case MYSQL_TYPE_TIME:
        column->kind = MARIA_CLOCK;
        return true;
    case MYSQL_TYPE_GEOMETRY:
        column->kind = MARIA_BINARY;
        return true;
    case MYSQL_TYPE_JSON:
        column->kind = MARIA_JSON;
        return true;
    default:
        break;
    }
    bool binary = field->charset == BINARY_CHARSET && !field->spelled;
    column->kind = field->json ? MARIA_JSON : binary ? MARIA_BINARY : MARIA_TEXT;
    return field->type == MYSQL_TYPE_NULL || field->type == MYSQL_TYPE_VARCHAR ||
           (field->type >= MYSQL_TYPE_ENUM && field->type <= MYSQL_TYPE_STRING);
}

/* The name of what a column holds, where that has a type elsewhere. */
static const char *maria_type_name(const maria_column *column)
{
    switch (column->kind) {
    case MARIA_INTEGER:
        return column->is_unsigned ? "bigint unsigned" : "bigint";
    case MARIA_BOOLEAN:
        return "boolean";
    case MARIA_FLOAT:
        return "float";
    case MARIA_DOUBLE:
        return "double";
    case MARIA_TEXT:
    case MARIA_CLOCK:
        return "text";
    case MARIA_BINARY:
        return "blob";
    default:
        return "";
    }
}

static pith_status maria_set_column(db *from, size_t index, const wire_column *field,
                                    pith_error *err)
{
    maria_column *column = &((maria_state *)from->state)->columns[index];
    if (!maria_kind_of(field, column)) {
        return db_fault(from, err, "column %zu has the unknown type %u", index + 1,
                        field->type);
    }
    if (memchr(field->name, '\0', field->name_len))
        return db_fault(from, err, "the name of column %zu has a NUL inside", index + 1);
    column->type = field->type;
    column->decimals = field->decimals;
    column->is_unsigned = (field->flags & UNSIGNED_FLAG) != 0;
    column->is_bit = field->type == MYSQL_TYPE_BIT && field->length == 1;
    char *name = db_room(from, field->name_len + 1);
    if (!name)
        return error_no_memory(err);
    memcpy(name, field->name, field->name_len);
    name[field->name_len] = '\0';
    return db_name_column(from, index, name, maria_type_name(column),
                          column->kind == MARIA_JSON)
               ? PITH_OK
               : error_no_memory(err);
}

void maria_drop_columns(maria_state *state)
{
    free(state->columns);
    state->columns = NULL;
    state->count = 0;
}

pith_status maria_read_columns(db *from, size_t count, pith_error *err)
{
    maria_state *state = from->state;
    maria_drop_columns(state);
    state->columns = calloc(count + 1, sizeof *state->columns);
    if (!state->columns || !db_set_columns(from, count))
        return error_no_memory(err);
    state->count = count;
    pith_status status = PITH_OK;
    for (size_t i = 0; i < count && status == PITH_OK; i++) {
        wire packet;
        wire_column field;
        status = maria_receive(from, &packet, err);
        if (status == PITH_OK && !wire_read_column(&packet, &field)) {
            status =
                db_fault(from, err, "what it says of column %zu is not a column", i + 1);
        }
        if (status == PITH_OK)
            status = maria_set_column(from, i, &field, err);
    }
    return status == PITH_OK ? maria_read_end(from, err) : status;
}

void maria_note_types(db *from)
{
    const maria_state *state = from->state;
    for (size_t i = 0; i < state->count; i++) {
        if (state->columns[i].type == MYSQL_TYPE_GEOMETRY) {
            db_note(from, true,
                    "the type of \"%.60s\" is not known; it is written as its "
                    "bytes, in base64",
                    from->columns[i].name);
        }
    }
}

/* --------------------------------------------------------------------------- cells */

static void maria_put_unsigned(db *from, pith_rows *rows, size_t index, uint64_t number)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    db_put_number(from, rows, index, digits, (size_t)len);
}

static void maria_put_bits(db *from, pith_rows *rows, size_t index, wire *row)
{
    enum { BYTES_MAX = 8 };
    const maria_column *column = &((maria_state *)from->state)->columns[index];
    size_t len;
    uint64_t number = 0;
    const unsigned char *bytes = wire_text(row, &len);
    row->bad = row->bad || len > BYTES_MAX;
    for (size_t i = 0; !row->bad && i < len; i++)
        number = number << 8 | bytes[i];
    if (column->is_bit)
        pith_doc_add_bool(pith_rows_row(rows), number != 0);
    else
        maria_put_unsigned(from, rows, index, number);
}

static void maria_put_integer(db *from, pith_rows *rows, size_t index, wire *row)
{
    const maria_column *column = &((maria_state *)from->state)->columns[index];
    uint64_t number = wire_number(row, column->bytes);
    if (column->kind == MARIA_BOOLEAN && number <= 1) {
        pith_doc_add_bool(pith_rows_row(rows), number != 0);
    } else if (column->is_unsigned && number > INT64_MAX) {
        maria_put_unsigned(from, rows, index, number);
    } else {
        uint64_t sign = UINT64_C(1) << (8 * column->bytes - 1);
        bool negative = !column->is_unsigned && (number & sign) != 0;
        number = negative ? number | ~(sign - 1) : number;
        pith_doc_add_int64(pith_rows_row(rows), (int64_t)number);
    }
}

static void maria_put_float(pith_rows *rows, bool single, wire *row)
{
    float small;
    double large;
    if (single) {
        uint32_t bits = (uint32_t)wire_number(row, sizeof bits);
        memcpy(&small, &bits, sizeof small);
        db_put_double(rows, (double)small, true);
    } else {
        uint64_t bits = wire_number(row, sizeof bits);
        memcpy(&large, &bits, sizeof large);
        db_put_double(rows, large, false);
    }
}

static pith_status maria_put_time(db *from, pith_rows *rows, size_t index, wire *row,
                                  pith_error *err)
{
    const maria_column *column = &((maria_state *)from->state)->columns[index];
    char text[WIRE_TIME_SIZE] = "";
    size_t len = wire_write_time(text, row, column->type, column->decimals);
    return column->kind == MARIA_CLOCK ? db_put_text(from, rows, index, text, len, err)
                                       : db_put_time(from, rows, index, text, len, err);
}

static pith_status maria_put_text(db *from, pith_rows *rows, size_t index, wire *row,
                                  pith_error *err)
{
    size_t len;
    const char *text = (const char *)wire_text(row, &len);
    text = text ? text : "";
    switch (((maria_state *)from->state)->columns[index].kind) {
    case MARIA_DECIMAL:
        db_put_number(from, rows, index, text, len);
        return PITH_OK;
    case MARIA_BINARY:
        return db_put_binary(from, rows, text, len, err);
    case MARIA_JSON:
        return db_put_json(from, rows, index, text, len, err);
    default:
        return db_put_text(from, rows, index, text, len, err);
    }
}

static pith_status maria_put_cell(db *from, pith_rows *rows, size_t index, wire *row,
                                  pith_error *err)
{
    const maria_column *column = &((maria_state *)from->state)->columns[index];
    switch (column->kind) {
    case MARIA_INTEGER:
    case MARIA_BOOLEAN:
        maria_put_integer(from, rows, index, row);
        return PITH_OK;
    case MARIA_BITS:
        maria_put_bits(from, rows, index, row);
        return PITH_OK;
    case MARIA_FLOAT:
    case MARIA_DOUBLE:
        maria_put_float(rows, column->kind == MARIA_FLOAT, row);
        return PITH_OK;
    case MARIA_TIME:
    case MARIA_CLOCK:
        return maria_put_time(from, rows, index, row, err);
    case MARIA_TEXT:
    case MARIA_DECIMAL:
    case MARIA_BINARY:
    case MARIA_JSON:
        break;
    }
    return maria_put_text(from, rows, index, row, err);
}

/* A byte that is 0, a bit for each column that is null, after two that mean nothing, and
 * the other cells. */
pith_status maria_put_row(db *from, pith_rows *rows, wire *row, pith_error *err)
{
    enum { FIRST_BIT = 2 };
    const maria_state *state = from->state;
    pith_status status = PITH_OK;
    uint64_t first = wire_number(row, 1);
    const unsigned char *nulls = wire_bytes(row, (state->count + 7 + FIRST_BIT) / 8);
    if (first != 0 || !nulls)
        return db_fault(from, err, "a row does not begin like one");
    for (size_t i = 0; i < state->count && status == PITH_OK && !row->bad; i++) {
        size_t bit = i + FIRST_BIT;
        bool null = (nulls[bit / 8] >> bit % 8 & 1) != 0;
        if (null || state->columns[i].type == MYSQL_TYPE_NULL)
            pith_doc_add_null(pith_rows_row(rows));
        else
            status = maria_put_cell(from, rows, i, row, err);
    }
    if (row->bad || (status == PITH_OK && wire_left(row) > 0))
        return db_fault(from, err, "a row is not as long as its cells");
    return status;
}
