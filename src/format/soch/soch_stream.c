/*
 * soch_stream.c - a table that leaves as text, row by row.
 *
 * The header says how many rows there are and what their columns hold (see rows.h).
 */
#include "format/soch/soch_pen.h"

typedef struct soch_written_rows {
    soch_pen pen;
    soch_columns columns;
} soch_written_rows;

static unsigned soch_stream_rules(const settings *set)
{
    bool infers = settings_number(set, SOCH_TYPES) == SOCH_TYPES_INFER;
    bool fills = settings_bool(set, SOCH_FILL_MISSING);
    return (unsigned)ROWS_COUNT_FIRST | (infers ? ROWS_COLLECT : 0u) |
           (fills ? 0u : ROWS_ALL);
}

static pith_status soch_stream_open(row_table *table, pith_out *out, pith_error *err)
{
    soch_written_rows *state = (soch_written_rows *)table->state;
    soch_wish wish = soch_wish_of(table->set);
    soch_pen_init(&state->pen, out, table->set, table->alloc, err);
    return state->pen.status == PITH_OK
               ? soch_columns_open(&state->columns, table, &wish, err)
               : state->pen.status;
}

static void soch_stream_close(row_table *table)
{
    soch_written_rows *state = (soch_written_rows *)table->state;
    soch_pen_free(&state->pen);
    soch_columns_close(&state->columns, table);
}

static pith_status soch_stream_begin(row_table *table, pith_out *out, pith_error *err)
{
    soch_written_rows *state = (soch_written_rows *)table->state;
    (void)err;
    soch_columns_settle(&state->columns, table);
    state->pen.out = out;
    state->pen.fits = state->columns.fits;
    return PITH_OK;
}

static pith_status soch_stream_header(row_table *table, pith_out *out, uint64_t count,
                                      pith_error *err)
{
    soch_written_rows *state = (soch_written_rows *)table->state;
    soch_columns_settle(&state->columns, table);
    state->pen.out = out;
    state->pen.err = err;
    soch_put_header(&state->pen, &state->columns.table, state->columns.fields, count);
    return state->pen.status;
}

static pith_status soch_stream_row(row_table *table, pith_out *out, const row_cells *row,
                                   pith_error *err)
{
    soch_written_rows *state = (soch_written_rows *)table->state;
    assert(state->pen.out == out);
    (void)out;
    state->pen.err = err;
    soch_put_separator(&state->pen, table->rows);
    soch_put_row(&state->pen, row, state->columns.fields, table->column_count);
    return state->pen.status;
}

const row_format soch_row_format = {
    .state_size = sizeof(soch_written_rows),
    .typed = true,
    .missing = SOCH_MISSING_CELL,
    .rules = soch_stream_rules,
    .open = soch_stream_open,
    .header = soch_stream_header,
    .begin = soch_stream_begin,
    .row = soch_stream_row,
    .close = soch_stream_close,
};
