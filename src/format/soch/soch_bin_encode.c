/*
 * soch_bin_encode.c - tables as bytes, those of a value and those that come row by row.
 *
 *     header 16   | name, fields, rows: the body | checksum 4
 *     with the       that may be one compressed    of everything
 *     row count      block                         before it
 *
 * Both are written by the row writer (see rows.h): of a value the number of rows is known,
 * of a stream it may have to be put right, or waited for. The checksum covers the number
 * as well, so header and body are summed up apart and joined.
 */
#include "base/crc32c.h"
#include "format/rows.h"
#include "format/soch/soch_bin_write.h"

typedef struct soch_bin_rows {
    soch_bin_pen pen;
    soch_columns columns;
    soch_packing packing;
    bool summed;
    uint32_t sum; /* of the body so far, */
    uint64_t len; /* which has that many bytes */
} soch_bin_rows;

static unsigned soch_bin_rules(const settings *set)
{
    bool infers = settings_number(set, SOCH_BIN_TYPES) == SOCH_TYPES_INFER;
    bool fills = settings_bool(set, SOCH_BIN_FILL_MISSING);
    bool packs = settings_number(set, SOCH_BIN_COMPRESS) != SOCH_PLAIN;
    return (unsigned)ROWS_COUNT_FIRST | ROWS_PATCH | (infers ? ROWS_COLLECT : 0u) |
           (fills ? 0u : ROWS_ALL) | (packs ? ROWS_BLOCK : 0u);
}

static pith_status soch_bin_rows_init(soch_bin_rows *rows, const settings *set,
                                      pith_alloc alloc, const soch_wish *wish,
                                      pith_error *err)
{
    rows->packing = (soch_packing)settings_number(set, SOCH_BIN_COMPRESS);
    rows->summed = settings_bool(set, SOCH_BIN_CHECKSUM);
    soch_bin_pen_init(&rows->pen, NULL, alloc, wish, err);
    return soch_bin_check_packing(rows->packing, err);
}

static pith_status soch_bin_rows_open(row_table *table, pith_out *out, pith_error *err)
{
    soch_bin_rows *rows = (soch_bin_rows *)table->state;
    soch_wish wish = soch_bin_wish_of(table->set);
    (void)out;
    pith_status status = soch_bin_rows_init(rows, table->set, table->alloc, &wish, err);
    return status == PITH_OK ? soch_columns_open(&rows->columns, table, &wish, err)
                             : status;
}

static void soch_bin_rows_close(row_table *table)
{
    soch_bin_rows *rows = (soch_bin_rows *)table->state;
    soch_bin_pen_free(&rows->pen);
    soch_columns_close(&rows->columns, table);
}

static void soch_bin_header_of(const soch_bin_rows *rows, uint64_t count, char *header)
{
    soch_bin_make_header(header, SOCH_BIN_SCHEMA | (rows->summed ? SOCH_BIN_SUMMED : 0u),
                         count);
}

static pith_status soch_bin_put_header(row_table *table, pith_out *out, uint64_t count,
                                       pith_error *err)
{
    char header[SOCH_BIN_HEADER_LEN];
    (void)err;
    soch_bin_header_of((const soch_bin_rows *)table->state, count, header);
    out_bytes(out, header, sizeof header);
    return PITH_OK;
}

static pith_status soch_bin_begin(row_table *table, pith_out *out, pith_error *err)
{
    soch_bin_rows *rows = (soch_bin_rows *)table->state;
    (void)err;
    soch_columns_settle(&rows->columns, table);
    rows->pen.out = out;
    rows->pen.fits = rows->columns.fits;
    soch_bin_put_schema(&rows->pen, &rows->columns.table);
    return PITH_OK;
}

static pith_status soch_bin_row_of(row_table *table, pith_out *out, const row_cells *row,
                                   pith_error *err)
{
    soch_bin_rows *rows = (soch_bin_rows *)table->state;
    const pith_field *fields = rows->columns.table.fields;
    row_cells cells = *row; /* where no write can reach it */
    const pith_slot *at = cells.row + 1;
    assert(rows->pen.out == out);
    (void)out;
    rows->pen.err = err;
    rows->pen.row = table->rows;
    for (size_t i = 0; i < table->column_count; i++) {
        const pith_slot *cell = row_next_cell(&cells, i, &at);
        soch_bin_put_cell(&rows->pen, cells.doc, cell, &fields[i]);
    }
    return rows->pen.status;
}

static void soch_bin_passed(row_table *table, const char *data, size_t len)
{
    soch_bin_rows *rows = (soch_bin_rows *)table->state;
    if (rows->summed) {
        rows->sum = crc32c(rows->sum, data, len);
        rows->len += len;
    }
}

static pith_status soch_bin_put_footer(row_table *table, pith_out *out, pith_error *err)
{
    const soch_bin_rows *rows = (const soch_bin_rows *)table->state;
    (void)err;
    if (rows->summed) {
        char header[SOCH_BIN_HEADER_LEN];
        char footer[SOCH_BIN_FOOTER_LEN];
        soch_bin_header_of(rows, table->rows, header);
        uint32_t sum = crc32c(0, header, sizeof header);
        soch_bin_store(footer, crc32c_join(sum, rows->sum, rows->len), sizeof footer);
        out_bytes(out, footer, sizeof footer);
    }
    return PITH_OK;
}

static pith_status soch_bin_block(row_table *table, pith_out *out, pith_text body,
                                  pith_error *err)
{
    const soch_bin_rows *rows = (const soch_bin_rows *)table->state;
    return soch_bin_put_packed(out, body, table, rows->packing, rows->summed, err);
}

const row_format soch_bin_row_format = {
    .state_size = sizeof(soch_bin_rows),
    .count_offset = 8,
    .typed = true,
    .missing = SOCH_MISSING_CELL,
    .rules = soch_bin_rules,
    .open = soch_bin_rows_open,
    .header = soch_bin_put_header,
    .begin = soch_bin_begin,
    .row = soch_bin_row_of,
    .footer = soch_bin_put_footer,
    .passed = soch_bin_passed,
    .block = soch_bin_block,
    .close = soch_bin_rows_close,
};

/* ----------------------------------------------------------------------- values */

/* The same for a table that has been planned: its state is there already. */
static const row_format soch_bin_table_format = {
    .rules = soch_bin_rules,
    .header = soch_bin_put_header,
    .begin = soch_bin_begin,
    .row = soch_bin_row_of,
    .footer = soch_bin_put_footer,
    .passed = soch_bin_passed,
    .block = soch_bin_block,
};

static pith_status soch_bin_put_rows(row_writer *w, soch_plan *plan,
                                     const soch_table *table, pith_error *err)
{
    const pith_doc *doc = plan->doc;
    const pith_slot *first = doc->slots + table->is.at;
    const pith_slot *row = table->is.single ? first : first + 1;
    pith_out *out = row_writer_body(w);
    pith_status status = PITH_OK;
    for (uint32_t i = 0; i < table->rows && status == PITH_OK && out->status == PITH_OK;
         i++) {
        row_cells cells = {doc, row, table->is.single ? &first : NULL};
        if (!table->straight)
            cells.cells = soch_plan_row(plan, row);
        status = soch_bin_row_of(&w->table, out, &cells, err);
        w->table.rows++;
        row = doc_after(doc, row);
    }
    return status;
}

static pith_status soch_bin_put_table(encode_job *job, soch_plan *plan,
                                      const soch_table *table)
{
    soch_bin_rows rows = {.columns = {.table = table->is, .fits = table->fits}};
    row_writer w = {.format = &soch_bin_table_format,
                    .out = job->out,
                    .expects = true,
                    .expected = table->rows,
                    .table = {.set = job->set,
                              .alloc = plan->alloc,
                              .column_count = table->is.field_count,
                              .state = &rows}};
    pith_status status =
        soch_bin_rows_init(&rows, job->set, plan->alloc, plan->wish, job->err);
    if (status == PITH_OK)
        status = row_writer_open(&w, job->err);
    if (status == PITH_OK)
        status = row_writer_begin(&w, job->err);
    if (status == PITH_OK)
        status = soch_bin_put_rows(&w, plan, table, job->err);
    if (status == PITH_OK && job->out->status == PITH_OK)
        status = row_writer_end(&w, job->err);
    row_writer_free(&w);
    soch_bin_pen_free(&rows.pen);
    return status;
}

pith_status soch_bin_encode(encode_job *job)
{
    soch_plan plan;
    soch_wish wish = soch_bin_wish_of(job->set);
    soch_packing packing = (soch_packing)settings_number(job->set, SOCH_BIN_COMPRESS);
    pith_status status = soch_bin_check_packing(packing, job->err);
    if (status != PITH_OK)
        return status;
    status = soch_plan_make(&plan, job->doc, job->at, &wish, job->err);
    for (size_t i = 0; i < plan.tables.count && status == PITH_OK; i++) {
        const soch_table *table = &plan.tables.at[i];
        status = table->straight || soch_plan_enter(&plan, table)
                     ? soch_bin_put_table(job, &plan, table)
                     : error_no_memory(job->err);
    }
    soch_plan_free(&plan);
    return status;
}
