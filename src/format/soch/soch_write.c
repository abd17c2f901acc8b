/*
 * soch_write.c - the tables of a value, and the one that a stream of rows is.
 *
 * Both are written by the row writer (see rows.h): of a value the number of rows is known,
 * of a stream it may have to be put right, or waited for.
 */
#include "format/soch/soch_write.h"

#include "doc/path.h"

void soch_refuse(soch_pen *pen, const char *code, const char *format, const char *found)
{
    if (pen->status != PITH_OK)
        return;
    pen->status = error_set(pen->err, PITH_UNREPRESENTABLE, code, format, found);
    pen->refused = pen->at;
}

void soch_lack_memory(soch_pen *pen)
{
    if (pen->status == PITH_OK)
        pen->status = error_no_memory(pen->err);
}

/* Takes the settings into a zeroed writer. */
static pith_status soch_writer_set(soch_writer *w, const soch_form *form,
                                   const settings *set, pith_alloc alloc, pith_error *err)
{
    levels_init(&w->pen.levels, alloc);
    w->wish = form->wish(set);
    w->pen.refs = w->wish.refs;
    w->pen.script = form->script;
    w->thins = form->thins;
    return form->set(w, set, err);
}

/* ------------------------------------------------------------- the tables of a value */

static pith_status soch_write_rows(row_writer *rows, soch_plan *plan,
                                   const soch_table *table, pith_error *err)
{
    const pith_doc *doc = plan->doc;
    const pith_slot *first = doc->slots + table->is.at;
    const pith_slot *row = table->is.single ? first : first + 1;
    pith_out *out = row_writer_body(rows);
    pith_status status = PITH_OK;
    for (uint32_t i = 0; i < table->rows && status == PITH_OK && out->status == PITH_OK;
         i++) {
        row_cells cells = {doc, row, table->is.single ? &first : NULL};
        if (!table->straight)
            cells.cells = soch_plan_row(plan, row);
        status = rows->format->row(&rows->table, out, &cells, err);
        rows->table.rows++;
        row = doc_after(doc, row);
    }
    return status;
}

static pith_status soch_write_table(soch_writer *w, const row_format *format,
                                    encode_job *job, soch_plan *plan,
                                    const soch_table *table)
{
    row_writer rows = {.format = format,
                       .out = job->out,
                       .expects = true,
                       .expected = table->rows,
                       .table = {.set = job->set,
                                 .alloc = plan->alloc,
                                 .column_count = table->is.field_count,
                                 .state = w}};
    if (!table->straight && !soch_plan_enter(plan, table))
        return error_no_memory(job->err);
    w->table = table->is;
    w->pen.fits = table->fits;
    w->pen.at = NULL;
    w->sum = 0;
    w->len = 0;
    if (w->thins && !soch_thin_fields(plan, table, &w->table.fields))
        return error_no_memory(job->err);
    pith_status status = row_writer_open(&rows, job->err);
    if (status == PITH_OK)
        status = row_writer_begin(&rows, job->err);
    if (status == PITH_OK)
        status = soch_write_rows(&rows, plan, table, job->err);
    if (status == PITH_OK && job->out->status == PITH_OK)
        status = row_writer_end(&rows, job->err);
    row_writer_free(&rows);
    return status;
}

pith_status soch_write_value(encode_job *job, const soch_form *form,
                             const row_format *rows)
{
    soch_writer w = {0};
    soch_plan plan = {0};
    row_format format = *rows; /* without its state, which is here */
    format.state_size = 0;
    format.open = NULL;
    format.close = NULL;
    pith_status status = soch_writer_set(&w, form, job->set, job->doc->alloc, job->err);
    if (status == PITH_OK)
        status = soch_plan_make(&plan, job->doc, job->at, &w.wish, job->err);
    if (status == PITH_OK && w.wish.seed_only && plan.tables.count > 1) {
        status = error_set(job->err, PITH_UNREPRESENTABLE, "unrepresentable",
                           "there are %zu tables, and more than one is an extension, "
                           "which seed-only refuses; write them one by one",
                           plan.tables.count);
    }
    for (size_t i = 0; i < plan.tables.count && status == PITH_OK; i++) {
        if (i > 0)
            out_string(job->out, form->between);
        status = soch_write_table(&w, &format, job, &plan, &plan.tables.at[i]);
    }
    if (w.pen.refused)
        error_put_path(job->err, job->doc, job->at,
                       (uint32_t)(w.pen.refused - job->doc->slots));
    soch_plan_free(&plan);
    levels_free(&w.pen.levels);
    return status;
}

/* ------------------------------------------------------------------ a stream of rows */

unsigned soch_row_rules(const soch_wish *wish)
{
    return (unsigned)ROWS_COUNT_FIRST |
           (wish->types == SOCH_TYPES_INFER ? ROWS_COLLECT : 0u) |
           (wish->fill ? 0u : ROWS_ALL);
}

pith_status soch_open_rows(row_table *rows, const soch_form *form, pith_error *err)
{
    soch_writer *w = (soch_writer *)rows->state;
    pith_status status = soch_writer_set(w, form, rows->set, rows->alloc, err);
    if (status != PITH_OK)
        return status;
    w->fields =
        (pith_field *)alloc_zeroed(&rows->alloc, rows->column_count * sizeof *w->fields);
    if (!w->fields)
        return error_no_memory(err);
    status = soch_given_read(&w->given, w->wish.fields, rows->alloc, err);
    for (size_t i = 0; i < rows->column_count && status == PITH_OK; i++) {
        w->fields[i].name = key_text(&rows->columns[i]);
        w->fields[i].nullable = true;
        w->pen.fits = soch_given_apply(&w->given, &w->fields[i]) || w->pen.fits;
    }
    bool named = w->wish.name.len > 0;
    w->table = (doc_table){.name = named ? w->wish.name : text_from(SOCH_UNNAMED),
                           .unnamed = !named,
                           .fields = w->fields,
                           .field_count = rows->column_count};
    return status == PITH_OK ? soch_given_check(&w->given, err) : status;
}

void soch_close_rows(row_table *rows)
{
    soch_writer *w = (soch_writer *)rows->state;
    levels_free(&w->pen.levels);
    alloc_free(&rows->alloc, w->fields, rows->column_count * sizeof *w->fields);
    soch_given_free(&w->given);
}

soch_writer *soch_settle_fields(row_table *rows, pith_out *out, pith_error *err)
{
    soch_writer *w = (soch_writer *)rows->state;
    bool counts = rows->fields && w->wish.types == SOCH_TYPES_ALL;
    w->pen.out = out;
    w->pen.err = err;
    for (size_t i = 0; i < rows->column_count && counts; i++) {
        pith_field *field = &w->fields[i];
        if (field->type == PITH_TYPE_ANY) {
            *field = rows->fields[i];
            field->name = key_text(&rows->columns[i]);
            w->pen.fits = w->pen.fits || field->type != PITH_TYPE_ANY;
        }
    }
    return w;
}
