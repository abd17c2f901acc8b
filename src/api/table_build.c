/*
 * table_build.c - making a table, cell by cell.
 *
 * Rows go straight onto the tape of a document {name: [row, ...]}. Each cell is checked
 * against its column before it is put there, so a finished table needs no second look;
 * a row is an object of the shape that the columns have.
 */
#include "api/table.h"
#include "base/list.h"
#include "base/num.h"
#include "base/print.h"
#include "base/utf8.h"
#include "doc/typed.h"

#include <math.h>

static const char table_beyond_64_bits[] = "a number of more than 64 bits";
static const char table_beyond_double[] = "a number beyond the largest double";

static void table_fail(pith_table *table, pith_status status, const char *code,
                       const char *sentence)
{
    if (table->fault.status == PITH_OK)
        error_set(&table->fault, status, code, "%s", sentence);
}

/* The same for a cell, whose place goes before the sentence. */
static void table_refuse(pith_table *table, const char *code, const char *sentence)
{
    if (table->fault.status == PITH_OK) {
        pith_text name = table->layout.fields[table->cells].name;
        error_set(&table->fault, PITH_BAD_INPUT, code, "row %zu, field \"%s\": %s",
                  (size_t)table->doc->slots[table->is.at].n,
                  error_quote(name.ptr, name.len).text, sentence);
    }
}

static bool table_built(pith_table *table, build_result result)
{
    switch (result) {
    case BUILD_DONE:
        return true;
    case BUILD_NO_MEMORY:
        table_fail(table, PITH_NO_MEMORY, "no_memory", "out of memory");
        break;
    case BUILD_TOO_DEEP:
        table_fail(table, PITH_LIMIT, "depth_limit", "nested deeper than the limit");
        break;
    case BUILD_TOO_LARGE:
        table_fail(table, PITH_LIMIT, "too_large", "a text of 4 GiB or more");
        break;
    }
    return false;
}

/* A copy of a name in the arena. */
static bool table_keep(pith_table *table, pith_text *name)
{
    if (utf8_find_invalid(name->ptr, name->len) != name->len) {
        table_fail(table, PITH_BAD_INPUT, "invalid_utf8", "a name is not UTF-8");
        return false;
    }
    if (name->len > SLOT_TEXT_MOST)
        return table_built(table, BUILD_TOO_LARGE);
    const char *copy = arena_copy(&table->doc->arena, name->ptr, name->len);
    if (!copy)
        return table_built(table, BUILD_NO_MEMORY);
    name->ptr = copy;
    return true;
}

/* ------------------------------------------------------------------ the columns */

pith_table *pith_table_new(const char *name, const pith_options *options)
{
    pith_alloc alloc = alloc_from(options);
    pith_table *table = (pith_table *)alloc_zeroed(&alloc, sizeof *table);
    if (!table)
        return NULL;
    table->alloc = alloc;
    table->building = true;
    table->doc = pith_doc_new(options);
    if (!table->doc) {
        pith_table_free(table);
        return NULL;
    }
    table->is.name = text_from(name);
    table_keep(table, &table->is.name);
    if (table->fault.status == PITH_NO_MEMORY) {
        pith_table_free(table);
        return NULL;
    }
    return table;
}

/* Whether something may be added; false after a failure, and when it is too late. */
static bool table_is_open(pith_table *table)
{
    if (!table->building)
        table_fail(table, PITH_BAD_USE, "finished", "the table is finished");
    return table->fault.status == PITH_OK;
}

void pith_table_add_column(pith_table *table, const pith_field *column)
{
    if (!table_is_open(table))
        return;
    if (table->started) {
        table_fail(table, PITH_BAD_USE, "late_field",
                   "fields are added before the first row");
        return;
    }
    if (!column) {
        table_fail(table, PITH_BAD_USE, "no_columns", "there is no column to add");
        return;
    }
    if ((unsigned)column->type > PITH_TYPE_REF) {
        table_fail(table, PITH_BAD_USE, "unknown_type", "there is no such type");
        return;
    }
    if (!list_grow(&table->alloc, (void *)&table->fields, &table->field_cap,
                   table->is.field_count + 1, sizeof *table->fields)) {
        table_built(table, BUILD_NO_MEMORY);
        return;
    }
    pith_field *added = &table->fields[table->is.field_count];
    *added = *column;
    added->nullable = column->nullable || column->type == PITH_TYPE_ANY;
    added->size = column->type == PITH_TYPE_VEC ? column->size : 0;
    if (column->type != PITH_TYPE_REF)
        added->target = text_of(NULL, 0);
    if (table_keep(table, &added->name) &&
        (added->target.len == 0 || table_keep(table, &added->target))) {
        table->is.field_count++;
        table->is.fields = table->fields;
    }
}

void pith_table_add_field(pith_table *table, const char *name, pith_type type,
                          bool nullable)
{
    pith_field field;
    memset(&field, 0, sizeof field);
    field.name = text_from(name);
    field.type = type;
    field.nullable = nullable;
    pith_table_add_column(table, &field);
}

/* Settles the columns and opens the array of rows. */
static bool table_start(pith_table *table)
{
    pith_doc *doc = table->doc;
    size_t twin;
    if (!soch_layout_make(&table->layout, doc, &doc->arena, table->fields,
                          table->is.field_count, &twin))
        return table_built(table, BUILD_NO_MEMORY);
    if (twin != SIZE_MAX) {
        pith_text name = table->fields[twin].name;
        error_set(&table->fault, PITH_BAD_INPUT, "duplicate_key",
                  "two fields are named \"%s\"", error_quote(name.ptr, name.len).text);
        return false;
    }
    pith_text name = table->is.name;
    if (!table_built(table, build_open(doc, PITH_OBJECT)) ||
        !table_built(table, build_key(doc, build_text_flags(name.ptr, name.len), name.ptr,
                                      name.len)) ||
        !table_built(table, build_open(doc, PITH_ARRAY)))
        return false;
    table->is.at = doc->open;
    table->is.fields = table->layout.fields;
    table->started = true;
    return true;
}

/* -------------------------------------------------------------------- the cells */

/* The column of the next cell, in a row that is open; NULL when nothing is to be done. */
static const pith_field *table_next(pith_table *table)
{
    if (!table_is_open(table) || (!table->started && !table_start(table)))
        return NULL;
    if (!table->row_open) {
        if (!table_built(table, soch_open_row(table->doc, &table->layout)))
            return NULL;
        table->row_open = true;
        table->cells = 0;
    }
    if (table->cells == table->layout.count) {
        table_fail(table, PITH_BAD_USE, "row_width_mismatch",
                   "the row has more cells than there are fields");
        return NULL;
    }
    return &table->layout.fields[table->cells];
}

static bool table_takes(pith_table *table, const pith_field *field, pith_type type,
                        const char *what)
{
    if (field->type == PITH_TYPE_ANY || field->type == type)
        return true;
    char sentence[96];
    print_into(sentence, sizeof sentence, "expected %s, found %s",
               soch_type_word(field->type), what);
    table_refuse(table, "type_mismatch", sentence);
    return false;
}

static void table_put(pith_table *table, pith_kind kind, uint8_t flags, const char *text,
                      size_t len)
{
    if (table_built(table, build_text(table->doc, kind, flags, text, len)))
        table->cells++;
}

/* The same for text that has to be kept. */
static void table_put_copy(pith_table *table, pith_kind kind, uint8_t flags,
                           const char *text, size_t len)
{
    const char *copy = arena_copy(&table->doc->arena, text, len);
    if (copy)
        table_put(table, kind, flags, copy, len);
    else
        table_built(table, BUILD_NO_MEMORY);
}

void pith_table_add_null(pith_table *table)
{
    const pith_field *field = table_next(table);
    if (field && !field->nullable)
        table_refuse(table, "null_not_allowed", "null, which the column does not allow");
    else if (field && table_built(table, build_word(table->doc, PITH_NULL)))
        table->cells++;
}

void pith_table_add_bool(pith_table *table, bool truth)
{
    const pith_field *field = table_next(table);
    if (field && table_takes(table, field, PITH_TYPE_BOOL, "a bool") &&
        table_built(table, build_word(table->doc, truth ? PITH_TRUE : PITH_FALSE)))
        table->cells++;
}

static void table_put_float(pith_table *table, double number)
{
    const char *odd = typed_odd_float(number);
    char digits[TYPED_FLOAT_MAX_LEN];
    if (odd) {
        table_put_copy(table, PITH_STRING, SLOT_TYPED, odd, strlen(odd));
        return;
    }
    size_t len = typed_write_double(digits, number);
    table_put_copy(table, PITH_DECIMAL, build_number_flags(digits, len), digits, len);
}

/* A whole number by its digits. */
static void table_put_whole(pith_table *table, const pith_field *field, pith_text digits)
{
    int64_t sign;
    uint64_t size;
    if (field->type == PITH_TYPE_FLOAT) {
        table_put_float(table, num_to_double(digits));
        return;
    }
    if (field->type == PITH_TYPE_INT && !num_to_int64(digits, &sign)) {
        table_refuse(table, "out_of_range", "a number beyond what an int can hold");
        return;
    }
    if (field->type == PITH_TYPE_UINT && !num_to_uint64(digits, &size)) {
        table_refuse(table, "type_mismatch", "expected uint, found a negative number");
        return;
    }
    if (field->type == PITH_TYPE_UINT ||
        table_takes(table, field, PITH_TYPE_INT, "a whole number")) {
        table_put_copy(table, PITH_INTEGER, build_number_flags(digits.ptr, digits.len),
                       digits.ptr, digits.len);
    }
}

void pith_table_add_int64(pith_table *table, int64_t number)
{
    const pith_field *field = table_next(table);
    char digits[NUM_INT64_MAX_LEN];
    if (field)
        table_put_whole(table, field, text_of(digits, num_write_int64(digits, number)));
}

void pith_table_add_uint64(pith_table *table, uint64_t number)
{
    const pith_field *field = table_next(table);
    char digits[NUM_UINT64_MAX_LEN];
    if (field)
        table_put_whole(table, field, text_of(digits, num_write_uint64(digits, number)));
}

void pith_table_add_double(pith_table *table, double number)
{
    const pith_field *field = table_next(table);
    if (field && table_takes(table, field, PITH_TYPE_FLOAT, "a float"))
        table_put_float(table, number);
}

void pith_table_add_text(pith_table *table, const char *text, size_t len)
{
    const pith_field *field = table_next(table);
    if (!field || !table_takes(table, field, PITH_TYPE_TEXT, "a text"))
        return;
    if (utf8_find_invalid(text, len) != len) {
        table_refuse(table, "invalid_utf8", "a text that is not UTF-8");
        return;
    }
    table_put_copy(table, PITH_STRING, build_text_flags(text, len), text, len);
}

/* Whether `count` of something can be read. */
static bool table_is_given(pith_table *table, const void *from, size_t count)
{
    if (!from && count > 0)
        table_fail(table, PITH_BAD_USE, "no_value", "there is no value to add");
    return from || count == 0;
}

void pith_table_add_bytes(pith_table *table, const void *bytes, size_t len)
{
    const pith_field *field = table_next(table);
    if (!field || !table_takes(table, field, PITH_TYPE_BYTES, "bytes") ||
        !table_is_given(table, bytes, len))
        return;
    if (table_built(table, build_given_bytes(table->doc, bytes, len, true)))
        table->cells++;
}

/* -------------------------------------------------------------- cells with parts */

/* Opens the array of a vector; false when the column takes none of that size. */
static bool table_open_vector(pith_table *table, const pith_field *field, size_t count)
{
    pith_type type = field->type == PITH_TYPE_ARRAY ? PITH_TYPE_ARRAY : PITH_TYPE_VEC;
    if (!table_takes(table, field, type, "a vector"))
        return false;
    if (field->type == PITH_TYPE_VEC && field->size != count) {
        char sentence[96];
        print_into(sentence, sizeof sentence,
                   "expected a vector of %u numbers, found %zu", field->size, count);
        table_refuse(table, "vector_size_mismatch", sentence);
        return false;
    }
    if (!table_built(table, build_open(table->doc, PITH_ARRAY)))
        return false;
    table->doc->slots[table->doc->open].flags =
        field->type == PITH_TYPE_VEC ? SLOT_TYPED : 0;
    return true;
}

static void table_close_cell(pith_table *table, size_t cells)
{
    if (table->fault.status == PITH_OK && table_built(table, build_close(table->doc)))
        table->cells = cells;
}

void pith_table_add_vector(pith_table *table, const double *numbers, size_t count)
{
    const pith_field *field = table_next(table);
    size_t cells = table->cells + 1;
    if (!field || !table_is_given(table, numbers, count) ||
        !table_open_vector(table, field, count))
        return;
    for (size_t i = 0; i < count && table->fault.status == PITH_OK; i++)
        table_put_float(table, numbers[i]);
    table_close_cell(table, cells);
}

static bool table_allows_target(pith_table *table, const pith_field *field,
                                pith_text target)
{
    if (field->type == PITH_TYPE_REF && field->target.len > 0 &&
        !text_equal(field->target, target)) {
        table_refuse(table, "type_mismatch", "a reference to another table");
        return false;
    }
    return true;
}

void pith_table_add_ref(pith_table *table, const char *target, uint64_t id)
{
    const pith_field *field = table_next(table);
    pith_text name = text_from(target);
    char digits[NUM_UINT64_MAX_LEN];
    pith_doc *doc = table->doc;
    if (!field || !table_takes(table, field, PITH_TYPE_REF, "a reference") ||
        !table_allows_target(table, field, name) || !table_keep(table, &name) ||
        !table_built(table, build_open(doc, PITH_OBJECT)))
        return;
    size_t cells = table->cells + 1;
    doc->slots[doc->open].flags = SLOT_TYPED;
    if (table_built(table, build_key(doc, 0, TYPED_REF_KEY, strlen(TYPED_REF_KEY)))) {
        table_put(table, PITH_STRING, build_text_flags(name.ptr, name.len), name.ptr,
                  name.len);
    }
    if (table->fault.status == PITH_OK &&
        table_built(table, build_key(doc, 0, TYPED_REF_ID_KEY, strlen(TYPED_REF_ID_KEY))))
        table_put_copy(table, PITH_INTEGER, 0, digits, num_write_uint64(digits, id));
    table_close_cell(table, cells);
}

/* An array of numbers, as the vector that its column wants. */
static void table_put_as_vector(pith_table *table, const pith_field *field,
                                pith_value array)
{
    size_t cells = table->cells + 1;
    if (!table_open_vector(table, field, pith_value_count(array)))
        return;
    for (pith_value v = pith_value_first(array); v.doc && table->fault.status == PITH_OK;
         v = pith_value_next(v)) {
        double number;
        table->cells = cells - 1; /* the cell that a refusal names */
        if (!pith_value_double(v, &number))
            table_refuse(table, "type_mismatch", "a vector holds nothing but numbers");
        else if (isinf(number) && pith_value_kind(v) != PITH_STRING)
            table_refuse(table, "out_of_range", table_beyond_double);
        else
            table_put_float(table, number);
    }
    table_close_cell(table, cells);
}

/* False, with the cell refused, for a number on the tape that no table can hold. */
static bool table_holds_number(pith_table *table, const pith_slot *slot)
{
    int64_t sign;
    uint64_t size;
    if (slot->kind == PITH_INTEGER && !num_to_int64(slot_text(slot), &sign) &&
        !num_to_uint64(slot_text(slot), &size)) {
        table_refuse(table, "out_of_range", table_beyond_64_bits);
        return false;
    }
    if (slot->kind == PITH_DECIMAL && isinf(typed_double(slot))) {
        table_refuse(table, "out_of_range", table_beyond_double);
        return false;
    }
    return true;
}

/* A copy of the value. What stands in a column without vectors is none. */
static void table_put_value(pith_table *table, pith_value value)
{
    pith_doc *doc = table->doc;
    size_t from = doc->count;
    if (!table_built(table, build_copy(doc, value.doc, value.at)))
        return;
    for (size_t i = from; i < doc->count; i++) {
        pith_slot *slot = &doc->slots[i];
        if (slot->kind == PITH_ARRAY)
            slot->flags = 0;
        else if (!table_holds_number(table, slot))
            return;
    }
    table->cells++;
}

void pith_table_add_value(pith_table *table, pith_value value)
{
    const pith_field *field = table_next(table);
    int64_t sign;
    uint64_t size;
    double number;
    pith_text target;
    uint64_t id;
    if (!field)
        return;
    switch (pith_value_kind(value)) {
    case PITH_NONE:
        table_fail(table, PITH_BAD_USE, "no_value", "there is no value to add");
        return;
    case PITH_NULL:
        pith_table_add_null(table);
        return;
    case PITH_FALSE:
    case PITH_TRUE:
        pith_table_add_bool(table, pith_value_kind(value) == PITH_TRUE);
        return;
    case PITH_INTEGER:
        if (pith_value_int64(value, &sign))
            pith_table_add_int64(table, sign);
        else if (pith_value_uint64(value, &size))
            pith_table_add_uint64(table, size);
        else
            table_refuse(table, "out_of_range", table_beyond_64_bits);
        return;
    case PITH_DECIMAL:
        if (!pith_value_double(value, &number) || isinf(number))
            table_refuse(table, "out_of_range", table_beyond_double);
        else
            pith_table_add_double(table, number);
        return;
    case PITH_ARRAY:
        if (field->type == PITH_TYPE_VEC)
            table_put_as_vector(table, field, value);
        else if (table_takes(table, field, PITH_TYPE_ARRAY, "an array"))
            table_put_value(table, value);
        return;
    default:
        break;
    }
    pith_type type = pith_value_type(value);
    if (table_takes(table, field, type, soch_type_word(type)) &&
        (!pith_value_ref(value, &target, &id) ||
         table_allows_target(table, field, target)))
        table_put_value(table, value);
}

/* --------------------------------------------------------------------- the rows */

static pith_status table_result(const pith_table *table, pith_error *err)
{
    if (table->fault.status != PITH_OK && err)
        *err = table->fault;
    return table->fault.status;
}

pith_status pith_table_end_row(pith_table *table, pith_error *err)
{
    if (table_is_open(table) &&
        (!table->row_open || table->cells < table->layout.count)) {
        table_fail(table, PITH_BAD_USE, "row_width_mismatch",
                   "the row has fewer cells than there are fields");
    }
    if (table->fault.status == PITH_OK) {
        table_built(table, soch_close_row(table->doc, &table->layout));
        table->row_open = false;
    }
    return table_result(table, err);
}

pith_status pith_table_finish(pith_table *table, pith_error *err)
{
    pith_doc *doc = table->doc;
    if (!table->building || table->fault.status != PITH_OK)
        return table_result(table, err);
    if (table->row_open) {
        table_fail(table, PITH_BAD_USE, "row_unfinished",
                   "the last row has not been ended");
    }
    if (table->fault.status == PITH_OK && (table->started || table_start(table)) &&
        table_built(table, build_close(doc)) && table_built(table, build_close(doc))) {
        doc_table *known = doc_add_table(doc);
        if (!known) {
            table_built(table, BUILD_NO_MEMORY);
            return table_result(table, err);
        }
        *known = table->is;
        doc->finished = true;
        table->building = false;
        if (!table_open(table, doc, 0)) {
            doc->finished = false;
            table_built(table, BUILD_NO_MEMORY);
        }
    }
    return table_result(table, err);
}
