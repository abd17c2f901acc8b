/*
 * toon_rows.c - one table of flat rows: a stream of them as TOON, and toon-rows, whether
 * it comes row by row or as a value.
 *
 *     [2]{id,name}:          [2,]{id,name}:      as Seamless-RAG prints its query results
 *       1,Ada                  1,Ada
 *       2,Bob                  2,Bob
 *
 * There is one form and no other to fall back to, so every row must have a scalar in every
 * column. For a stream that has not, the whole document would take another form, from its
 * first line on; callers with such rows build a document, or open the table without naming
 * columns, which does. A value in toon-rows has the columns of its first row.
 */
#include "doc/columns.h"
#include "format/rows.h"
#include "format/toon/toon_scalar.h"

#include <assert.h>

static unsigned toon_rows_rules(const settings *set)
{
    (void)set;
    return ROWS_COUNT_FIRST | ROWS_ALL | ROWS_SCALARS;
}

static pith_status toon_rows_open(row_table *table, pith_out *out, pith_error *err)
{
    toon_pen_init((toon_pen *)table->state, out, table->set);
    return toon_is_dialect(table->set) ? PITH_OK : toon_check_writing(table->set, err);
}

static pith_status toon_rows_header(row_table *table, pith_out *out, uint64_t count,
                                    pith_error *err)
{
    toon_pen *pen = (toon_pen *)table->state;
    bool comma = pen->dialect && pen->delimiter == ',';
    (void)err;
    pen->out = out;
    if (count == 0 && !pen->dialect && pen->version != TOON_3_0) {
        out_bytes(out, "[]", 2);
        return PITH_OK;
    }
    char *to =
        toon_put_count(pen, toon_make_room(out, out->at), count, comma ? ',' : '\0');
    for (size_t i = 0; i < table->column_count && count > 0; i++) {
        *to++ = i == 0 ? '{' : pen->delimiter;
        to = toon_make_room(out, toon_put_key(pen, to, &table->columns[i]));
    }
    if (count > 0)
        *to++ = '}';
    *to++ = ':';
    out->at = to;
    return PITH_OK;
}

static pith_status toon_rows_refuse_number(const row_table *table, const row_cells *row,
                                           const pith_slot *number, pith_error *err)
{
    static const row_refusal why = {
        "number_range", ": the number in field",
        " is too large or too small to be written without an exponent"};
    const pith_slot *at = row->row + 1;
    size_t column = 0;
    while (row_next_cell(row, column, &at) != number) {
        assert(column < table->column_count);
        column++;
    }
    return row_refuse(&why, table->rows + 1, &table->columns[column], err);
}

static pith_status toon_rows_row(row_table *table, pith_out *out, const row_cells *row,
                                 pith_error *err)
{
    toon_pen *pen = (toon_pen *)table->state;
    const pith_slot *first = row->row + 1;
    pen->out = out;
    char *to = toon_put_break(pen, toon_make_room(out, out->at), 1);
    out->at = row->cells ? toon_put_row_cells(pen, to, row->cells, table->column_count)
                         : toon_put_cells(pen, to, first, first + table->column_count);
    return pen->refused ? toon_rows_refuse_number(table, row, pen->refused, err)
                        : PITH_OK;
}

#define TOON_ROWS_NEED                                                                   \
    ", and a table of rows that arrive one by one needs a scalar in every cell"

const row_format toon_row_format = {
    .state_size = sizeof(toon_pen),
    .missing = {"missing_cell", ": column", " is missing" TOON_ROWS_NEED},
    .nested = {"nested_value", ": column", " is an array or object" TOON_ROWS_NEED},
    .rules = toon_rows_rules,
    .open = toon_rows_open,
    .header = toon_rows_header,
    .row = toon_rows_row,
};

/* ------------------------------------------------------------------- a whole value */

/* The columns of an array, which are those of its first element. */
typedef struct toon_rows_table {
    doc_columns columns;
    column_table table;
} toon_rows_table;

static const pith_key *toon_rows_nested(const pith_doc *doc, const pith_slot *row)
{
    const pith_key *keys = doc_keys(doc, row);
    for (uint32_t i = 0; i < row->n; i++)
        if (slot_is_container(&row[1 + i]))
            return &keys[i];
    return NULL;
}

/* The first field of the row that is no column; there is one. */
static const pith_key *toon_rows_extra(toon_rows_table *t, const pith_slot *row)
{
    const pith_key *key = doc_keys(t->columns.doc, row);
    while (columns_find(&t->columns, &t->table, key, 0) != NAMES_NONE)
        key++;
    return key;
}

/* Refuses a row of scalars that has other fields than the first. */
static pith_status toon_rows_match(toon_rows_table *t, const pith_slot *row,
                                   uint64_t number, pith_error *err)
{
    static const row_refusal extra = {"extra_field", " has a field that row 1 lacks,",
                                      ""};
    static const row_refusal missing = {"missing_field", " lacks the field", ""};
    columns_new fresh = number == 1 ? COLUMNS_ADD : COLUMNS_REFUSE;
    columns_met met = columns_meet(&t->columns, &t->table, row, fresh);
    if (met == COLUMNS_STRAY)
        return row_refuse(&extra, number, toon_rows_extra(t, row), err);
    if (met == COLUMNS_FAILED)
        return error_no_memory(err);
    if (row->n == t->table.count)
        return PITH_OK;
    const pith_slot *const *cells = columns_arrange(&t->columns, &t->table, row);
    if (!cells)
        return error_no_memory(err);
    size_t column = 0;
    while (cells[column])
        column++;
    return row_refuse(&missing, number, columns_name(&t->columns, &t->table, column),
                      err);
}

/* What is wrong with a row; PITH_OK when it is flat and like the first. */
static pith_status toon_rows_judge(toon_rows_table *t, const pith_slot *row,
                                   uint64_t number, pith_error *err)
{
    static const row_refusal nested = {"nested_value",
                                       " holds an array or object in field", ""};
    if (row->kind != PITH_OBJECT) {
        return error_set(err, PITH_UNREPRESENTABLE, "not_an_object",
                         "row %llu is not an object; toon-rows holds objects with equal "
                         "fields",
                         (unsigned long long)number);
    }
    if (row->n == 0) {
        return error_set(err, PITH_UNREPRESENTABLE, "no_fields",
                         "row %llu has no fields; a table needs at least one",
                         (unsigned long long)number);
    }
    const pith_key *key = toon_rows_nested(t->columns.doc, row);
    return key ? row_refuse(&nested, number, key, err)
               : toon_rows_match(t, row, number, err);
}

/* Refuses the first row that does not fit, before anything is written. */
static pith_status toon_rows_check(toon_rows_table *t, const pith_slot *array,
                                   pith_error *err)
{
    const pith_slot *row = array + 1;
    pith_status status = PITH_OK;
    for (uint64_t i = 1; i <= array->n && status == PITH_OK; i++) {
        status = toon_rows_judge(t, row, i, err);
        row = doc_after(t->columns.doc, row);
    }
    return status;
}

static pith_status toon_rows_write(toon_rows_table *t, row_writer *w,
                                   const pith_slot *array, pith_error *err)
{
    const pith_doc *doc = t->columns.doc;
    const pith_slot *row = array + 1;
    pith_status status = row_writer_open(w, err);
    if (status == PITH_OK)
        status = row_writer_begin(w, err);
    for (uint32_t i = 0; i < array->n && status == PITH_OK && w->out->status == PITH_OK;
         i++) {
        row_cells cells = {doc, row, NULL};
        if (columns_meet(&t->columns, &t->table, row, COLUMNS_REFUSE) !=
            COLUMNS_IN_ORDER) {
            cells.cells = columns_arrange(&t->columns, &t->table, row);
            if (!cells.cells)
                return error_no_memory(err);
        }
        status = toon_rows_row(&w->table, w->out, &cells, err);
        w->table.rows++;
        row = doc_after(doc, row);
    }
    return status == PITH_OK && w->out->status == PITH_OK ? row_writer_end(w, err)
                                                          : status;
}

pith_status toon_rows_encode(encode_job *job)
{
    const pith_slot *root = &job->doc->slots[job->at];
    pith_alloc alloc = job->out->alloc;
    toon_rows_table t;
    if (root->kind != PITH_ARRAY) {
        return error_set(
            job->err, PITH_UNREPRESENTABLE, "not_an_array",
            "toon-rows holds an array of objects, and this value is not one");
    }
    memset(&t, 0, sizeof t);
    columns_init(&t.columns, job->doc, alloc);
    columns_open(&t.columns, &t.table);
    pith_status status = toon_rows_check(&t, root, job->err);
    if (status == PITH_OK) {
        row_writer w = {.format = &toon_row_format,
                        .out = job->out,
                        .expects = true,
                        .expected = root->n,
                        .table = {.set = job->set,
                                  .alloc = alloc,
                                  .columns = columns_names(&t.columns, &t.table),
                                  .column_count = t.table.count}};
        status = toon_rows_write(&t, &w, root, job->err);
        row_writer_free(&w);
    }
    columns_free(&t.columns);
    return status;
}
