/*
 * soch_bin_encode.c - a value as tables of bytes.
 *
 * Without compression a table goes straight to the output, and its checksum is made of
 * the blocks on their way. A body that is to be compressed is collected first.
 */
#include "format/soch/soch_bin_write.h"

#include <assert.h>

static pith_options soch_bin_writing(pith_alloc alloc)
{
    pith_options options;
    memset(&options, 0, sizeof options);
    options.alloc = alloc;
    return options;
}

static void soch_bin_put_row(soch_bin_pen *pen, soch_plan *plan, const soch_table *table,
                             const pith_slot *row)
{
    const pith_slot *const *cells = table->straight ? NULL : soch_plan_row(plan, row);
    const pith_slot *cell = row + 1;
    for (size_t i = 0; i < table->is.field_count; i++) {
        const pith_field *field = &table->is.fields[i];
        soch_bin_put_cell(pen, plan->doc, cells ? cells[i] : cell, field);
        cell = cells ? cell : soch_behind(plan->doc, cell);
    }
}

static void soch_bin_put_body(soch_bin_pen *pen, soch_plan *plan, const soch_table *table)
{
    const pith_doc *doc = plan->doc;
    pen->fits = table->fits;
    soch_bin_put_schema(pen, &table->is);
    if (table->is.single) {
        soch_bin_put_cell(pen, doc, doc->slots + table->is.at, &table->is.fields[0]);
        return;
    }
    const pith_slot *row = doc->slots + table->is.at + 1;
    for (uint32_t i = 0; i < table->rows && pen->out->status == PITH_OK; i++) {
        pen->row = i;
        soch_bin_put_row(pen, plan, table, row);
        row = soch_behind(doc, row);
    }
}

static pith_status soch_bin_put_straight(encode_job *job, soch_plan *plan,
                                         const soch_table *table, bool summed)
{
    pith_out through;
    soch_sum sum = {job->out, 0, 0};
    soch_bin_pen pen;
    char header[SOCH_BIN_HEADER_LEN];
    pith_options options = soch_bin_writing(plan->alloc);
    unsigned flags = SOCH_BIN_SCHEMA | (summed ? (unsigned)SOCH_BIN_SUMMED : 0u);
    out_init(&through, soch_sum_sink(&sum), &options);
    soch_bin_pen_init(&pen, &through, plan->alloc, plan->wish, job->err);
    soch_bin_make_header(header, flags, table->rows);
    out_bytes(&through, header, sizeof header);
    soch_bin_put_body(&pen, plan, table);
    out_finish(&through, NULL);
    soch_bin_pen_free(&pen);
    if (pen.status != PITH_OK || job->out->status != PITH_OK) {
        return pen.status; /* a failure of the output sticks there, and is told there */
    }
    assert(through.status == PITH_OK); /* it fails with the output, and only then */
    if (summed) {
        char footer[SOCH_BIN_FOOTER_LEN];
        soch_bin_store(footer, sum.sum, SOCH_BIN_FOOTER_LEN);
        out_bytes(job->out, footer, SOCH_BIN_FOOTER_LEN);
    }
    return PITH_OK;
}

static pith_status soch_bin_put_squeezed(encode_job *job, soch_plan *plan,
                                         const soch_table *table, soch_packing packing,
                                         bool summed)
{
    pith_out collect;
    soch_block body = {plan->alloc, NULL, 0, 0};
    soch_bin_pen pen;
    pith_options options = soch_bin_writing(plan->alloc);
    out_init(&collect, soch_block_sink(&body), &options);
    soch_bin_pen_init(&pen, &collect, plan->alloc, plan->wish, job->err);
    soch_bin_put_body(&pen, plan, table);
    pith_status status = out_finish(&collect, job->err);
    if (status == PITH_OK) {
        status = pen.status;
    }
    if (status == PITH_OK) {
        status =
            soch_bin_put_packed(job->out, &body, table->rows, packing, summed, job->err);
    }
    soch_bin_pen_free(&pen);
    soch_block_free(&body);
    return status;
}

pith_status soch_bin_encode(encode_job *job)
{
    soch_plan plan;
    soch_packing packing = (soch_packing)settings_number(job->set, SOCH_BIN_COMPRESS);
    bool summed = settings_bool(job->set, SOCH_BIN_CHECKSUM);
    pith_status status = soch_bin_check_packing(packing, job->err);
    if (status != PITH_OK) {
        return status;
    }
    soch_wish wish = soch_bin_wish_of(job->set);
    status = soch_plan_make(&plan, job->doc, job->at, &wish, job->err);
    for (size_t i = 0; i < plan.tables.count && status == PITH_OK; i++) {
        const soch_table *table = &plan.tables.at[i];
        if (!table->straight && !soch_plan_enter(&plan, table)) {
            status = error_no_memory(job->err);
        } else {
            status = packing == SOCH_PLAIN
                         ? soch_bin_put_straight(job, &plan, table, summed)
                         : soch_bin_put_squeezed(job, &plan, table, packing, summed);
        }
    }
    soch_plan_free(&plan);
    return status;
}
