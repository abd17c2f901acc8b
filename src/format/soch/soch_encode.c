/*
 * soch_encode.c - a value as tables of text.
 *
 * With types=auto the header says as little as it can: that a column holds vectors, for
 * they would be read as arrays, that it was said to hold bytes, which then stand there as
 * they are, and that a column holds texts, where at least two of them
 * would need quotes only because they look like something else. To know that, the texts
 * of each column are looked at before the header is written.
 */
#include "format/soch/soch_fit.h"
#include "format/soch/soch_pen.h"

/* What has been seen of a column. */
typedef struct soch_survey {
    bool other; /* something that is neither text nor null */
    bool nulls;
    uint8_t alike; /* texts that only look like something else, up to two */
    uint32_t cells;
} soch_survey;

typedef struct soch_writer {
    soch_pen pen;
    soch_plan plan;
    pith_field *fields; /* of the table being written, as its header has them */
    size_t field_cap;
    soch_survey *surveys;
    size_t survey_cap;
} soch_writer;

/* ---------------------------------------------------------------------- surveys */

/* Of the cells that are there: a table of many columns may lack nearly all of them. */
static void soch_look_at(soch_survey *survey, const pith_slot *cell, bool refs)
{
    pith_text table;
    uint64_t id;
    survey->cells++;
    if (cell->kind == PITH_NULL)
        survey->nulls = true;
    else if (cell->kind != PITH_STRING || cell->flags & SLOT_TYPED ||
             (refs && soch_is_ref_text(slot_text(cell), &table, &id)))
        survey->other = true;
    else if (survey->alike < 2 && soch_looks_like(slot_text(cell)) &&
             !soch_must_quote(slot_text(cell)))
        survey->alike++;
}

static void soch_look_at_row(soch_writer *w, const soch_table *table,
                             const pith_slot *row)
{
    const uint32_t *map = table->straight ? NULL : soch_plan_map(&w->plan, row);
    const pith_slot *cell = row + 1;
    for (uint32_t i = 0; i < row->n; i++) {
        size_t column = map ? map[i] : i;
        if (!w->surveys[column].other)
            soch_look_at(&w->surveys[column], cell, w->pen.refs);
        cell = doc_after(w->plan.doc, cell);
    }
}

/* ----------------------------------------------------------------------- fields */

/* Leaves out the types that need not be written. */
static void soch_thin_fields(soch_writer *w, const soch_table *table)
{
    for (size_t i = 0; i < table->is.field_count; i++) {
        pith_field *field = &w->fields[i];
        const soch_survey *survey = &w->surveys[i];
        if (field->type == PITH_TYPE_VEC || field->type == PITH_TYPE_BYTES ||
            (table->given && table->given[i]))
            continue;
        if (!survey->other && survey->alike >= 2) {
            bool declared = field->type == PITH_TYPE_TEXT;
            field->type = PITH_TYPE_TEXT;
            field->nullable =
                declared ? field->nullable : survey->nulls || survey->cells < table->rows;
        } else {
            field->type = PITH_TYPE_ANY;
        }
    }
}

static const pith_slot *soch_first_row(const soch_writer *w, const soch_table *table)
{
    return w->plan.doc->slots + table->is.at + 1;
}

/* The fields as the header is to have them; false when out of memory. */
static bool soch_choose_fields(soch_writer *w, const soch_table *table)
{
    size_t count = table->is.field_count;
    const pith_alloc *alloc = &w->plan.alloc;
    if (!list_grow(alloc, (void *)&w->fields, &w->field_cap, count + 1,
                   sizeof *w->fields) ||
        !list_grow(alloc, (void *)&w->surveys, &w->survey_cap, count + 1,
                   sizeof *w->surveys))
        return false;
    if (count > 0) {
        memcpy(w->fields, table->is.fields, count * sizeof *w->fields);
        memset(w->surveys, 0, count * sizeof *w->surveys);
    }
    if (w->pen.types == SOCH_TYPES_NONE && table->is.single) {
        w->fields[0].type = PITH_TYPE_ANY;
    } else if (w->pen.types == SOCH_TYPES_AUTO) {
        const pith_slot *row = soch_first_row(w, table);
        uint32_t rows = table->is.single ? 0 : table->rows; /* a lone value is in none */
        for (uint32_t i = 0; i < rows; i++) {
            soch_look_at_row(w, table, row);
            row = doc_after(w->plan.doc, row);
        }
        soch_thin_fields(w, table);
    }
    return true;
}

/* ------------------------------------------------------------------------- rows */

static bool soch_put_table(soch_writer *w, const soch_table *table)
{
    if ((!table->straight && !soch_plan_enter(&w->plan, table)) ||
        !soch_choose_fields(w, table))
        return false;
    w->pen.fits = table->fits;
    soch_put_header(&w->pen, &table->is, w->fields, table->rows);
    if (table->is.single) {
        soch_put_separator(&w->pen, 0);
        soch_put_cell(&w->pen, w->plan.doc, w->plan.doc->slots + table->is.at,
                      &w->fields[0]);
        return true;
    }
    const pith_slot *row = soch_first_row(w, table);
    for (uint32_t i = 0; i < table->rows && w->pen.out->status == PITH_OK; i++) {
        soch_put_separator(&w->pen, i);
        row_cells cells = {w->plan.doc, row, NULL};
        cells.cells = table->straight ? NULL : soch_plan_row(&w->plan, row);
        soch_put_row(&w->pen, &cells, w->fields, table->is.field_count);
        row = doc_after(w->plan.doc, row);
    }
    return true;
}

static pith_status soch_put_tables(soch_writer *w, pith_error *err)
{
    soch_plan *plan = &w->plan;
    if (w->pen.seed_only && plan->tables.count > 1) {
        return error_set(err, PITH_UNREPRESENTABLE, "unrepresentable",
                         "there are %zu tables, and more than one is an extension, which "
                         "seed-only refuses; write them one by one",
                         plan->tables.count);
    }
    for (size_t i = 0; i < plan->tables.count; i++) {
        if (i > 0)
            out_byte(w->pen.out, '\n');
        if (!soch_put_table(w, &plan->tables.at[i]))
            return error_no_memory(err);
    }
    return w->pen.status;
}

pith_status soch_encode(encode_job *job)
{
    soch_writer w;
    const pith_alloc *alloc = &job->doc->alloc;
    soch_wish wish = soch_wish_of(job->set);
    memset(&w, 0, sizeof w);
    soch_pen_init(&w.pen, job->out, job->set, *alloc, job->err);
    pith_status status = w.pen.status;
    if (status == PITH_OK)
        status = soch_plan_make(&w.plan, job->doc, job->at, &wish, job->err);
    if (status == PITH_OK)
        status = soch_put_tables(&w, job->err);
    alloc_free(alloc, w.fields, w.field_cap * sizeof *w.fields);
    alloc_free(alloc, w.surveys, w.survey_cap * sizeof *w.surveys);
    soch_plan_free(&w.plan);
    soch_pen_free(&w.pen);
    return status;
}
