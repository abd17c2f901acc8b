/*
 * toon_rows.c - a root array of flat objects as one table, the way Seamless-RAG prints
 * its query results:
 *
 *     [2,]{id,name}:
 *       1,Ada
 *       2,Bob
 *
 * There is one form and no other to fall back to, so a value that does not fit it is an
 * error that says which row and which field. Whether it fits is the question of
 * toon_table.h; why it does not is only asked afterwards, of the first row that differs.
 */
#include "format/toon/toon_rows.h"
#include "format/toon/toon_table.h"

#include <assert.h>

void toon_rows_pen_init(toon_pen *pen, pith_out *out, const toon_options *options)
{
    toon_pen_init(pen, out, options);
    pen->exponents = TOON_EXPONENTS_NEVER;
    pen->escapes |= PEN_RAW_CONTROLS; /* its readers know five escapes, and \u is none */
}

char *toon_rows_put_count(const toon_pen *pen, char *to, uint64_t count)
{
    return toon_put_count(pen, to, count, pen->delimiter == ',' ? ',' : '\0');
}

pith_status toon_rows_refuse_number(pith_error *err, uint64_t row, pith_text field)
{
    return error_set(
        err, PITH_UNREPRESENTABLE, "number_range",
        "row %llu: the number in field \"%s\" is too large or too small to be "
        "written without an exponent",
        (unsigned long long)row, error_quote(field.ptr, field.len).text);
}

/* ------------------------------------------------------------------------- why not */

static pith_status toon_rows_bad(pith_error *err, const char *code, uint64_t row,
                                 const pith_key *key, const char *what)
{
    return error_set(err, PITH_UNREPRESENTABLE, code, "row %llu %s \"%s\"",
                     (unsigned long long)row, what,
                     error_quote(key->text, key->len).text);
}

/* The first field of the first row that this row lacks; there is one. */
static const pith_key *toon_rows_missing(const toon_table *table, const pith_slot *row)
{
    const pith_key *keys = doc_keys(table->doc, row);
    for (uint32_t i = 0; i < table->first->n; i++) {
        table->row[i] = NULL;
    }
    for (uint32_t i = 0; i < row->n; i++) {
        const toon_column *column = toon_table_find(table, 0, &keys[i], i);
        if (column) {
            table->row[column - table->columns.at] = row;
        }
    }
    uint32_t missing = 0;
    while (table->row[missing]) {
        missing++;
    }
    return table->columns.at[missing].key;
}

/* The first field of the row that the first row lacks, or NULL. */
static const pith_key *toon_rows_extra(const toon_table *table, const pith_slot *row)
{
    const pith_key *keys = doc_keys(table->doc, row);
    for (uint32_t i = 0; i < row->n; i++) {
        if (!toon_table_find(table, 0, &keys[i], i)) {
            return &keys[i];
        }
    }
    return NULL;
}

static const pith_key *toon_rows_nested(const toon_table *table, const pith_slot *row)
{
    const pith_key *key = doc_keys(table->doc, row);
    const pith_slot *at = row + 1;
    for (uint32_t i = 0; i < row->n; i++, key++) {
        if (slot_is_container(at)) {
            return key;
        }
        at = toon_behind(table->doc, at);
    }
    return NULL;
}

/* What is wrong with a row; PITH_OK when it is like the first. */
static pith_status toon_rows_judge(const toon_table *table, const pith_slot *row,
                                   uint64_t number, pith_error *err)
{
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
    const pith_key *key = toon_rows_nested(table, row);
    if (key) {
        return toon_rows_bad(err, "nested_value", number, key,
                             "holds an array or object in field");
    }
    key = row == table->first ? NULL : toon_rows_extra(table, row);
    if (key) {
        return toon_rows_bad(err, "extra_field", number, key,
                             "has a field that row 1 lacks,");
    }
    if (row->n < table->first->n) {
        return toon_rows_bad(err, "missing_field", number, toon_rows_missing(table, row),
                             "lacks the field");
    }
    return PITH_OK;
}

static pith_status toon_rows_explain(toon_table *table, const pith_slot *array,
                                     pith_error *err)
{
    const pith_slot *row = array + 1;
    table->first = row;
    pith_status status = toon_rows_judge(table, row, 1, err);
    if (status != PITH_OK) {
        return status;
    }
    if (!toon_table_plan(table)) {
        return error_no_memory(err);
    }
    for (uint64_t number = 2; number <= array->n && status == PITH_OK; number++) {
        row = toon_behind(table->doc, row);
        status = toon_rows_judge(table, row, number, err);
    }
    return status;
}

/* ------------------------------------------------------------------------- writing */

static pith_status toon_rows_refused(const toon_table *table, const toon_pen *pen,
                                     const pith_slot *row, uint64_t number,
                                     pith_error *err)
{
    const pith_key *keys = doc_keys(table->doc, row);
    return toon_rows_refuse_number(err, number, key_text(&keys[pen->refused - row - 1]));
}

static pith_status toon_rows_write(toon_table *table, toon_pen *pen, pith_error *err)
{
    pith_out *out = pen->out;
    const pith_slot *row = table->first;
    char *to = toon_rows_put_count(pen, toon_make_room(out, out->at), table->count);
    to = toon_put_fields(table, pen, to);
    assert(to); /* no field is a group, and only those take memory */
    *to++ = ':';
    for (uint32_t i = 0; i < table->count && out->status == PITH_OK; i++) {
        to = toon_put_break(pen, toon_make_room(out, to), 1);
        to = toon_put_row(table, pen, to, row);
        if (pen->refused) {
            return toon_rows_refused(table, pen, row, (uint64_t)i + 1, err);
        }
        row = toon_behind(table->doc, row);
    }
    out->at = to;
    return PITH_OK;
}

pith_status toon_rows_encode(encode_job *job)
{
    toon_options options = toon_rows_options_from(job->set);
    const pith_slot *root = &job->doc->slots[job->at];
    toon_pen pen;
    toon_table table;
    if (root->kind != PITH_ARRAY) {
        return error_set(
            job->err, PITH_UNREPRESENTABLE, "not_an_array",
            "toon-rows holds an array of objects, and this value is not one");
    }
    assert(job->out->status == PITH_OK); /* nothing has been written yet */
    toon_rows_pen_init(&pen, job->out, &options);
    if (root->n == 0) {
        job->out->at =
            toon_rows_put_count(&pen, toon_make_room(job->out, job->out->at), 0);
        out_byte(job->out, ':');
        return PITH_OK;
    }
    toon_table_init(&table, job->doc, job->out->alloc);
    pith_status status;
    switch (toon_table_try(&table, root + 1, root->n, false)) {
    case TOON_IS_TABLE:
        status = toon_rows_write(&table, &pen, job->err);
        break;
    case TOON_NO_TABLE:
        status = toon_rows_explain(&table, root, job->err);
        break;
    default:
        status = error_no_memory(job->err);
    }
    toon_table_free(&table);
    return status;
}
