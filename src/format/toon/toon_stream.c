/*
 * toon_stream.c - a table that arrives row by row and leaves as TOON.
 *
 * The header says how many rows there are, and that is mostly known last (see rows.h).
 *
 * Every row must have a scalar in every column. For a row that has not, the whole
 * document would take another form, from its first line on, and the rows put aside would
 * have to be written anew; so such a row is refused. Callers that have such rows build a
 * document, or open the table without naming columns, which does.
 */
#include "format/rows.h"
#include "format/toon/toon_rows.h"

typedef struct toon_stream {
    bool dialect; /* toon-rows */
    bool older;   /* an empty array is [0]: and not [] */
    toon_pen pen;
} toon_stream;

static unsigned toon_stream_rules(const settings *set)
{
    (void)set;
    return ROWS_COUNT_FIRST | ROWS_ALL | ROWS_SCALARS;
}

static pith_status toon_stream_open(row_table *table, pith_out *out, pith_error *err)
{
    toon_stream *state = (toon_stream *)table->state;
    toon_options options;
    state->dialect = table->set->count == TOON_ROWS_SETTINGS;
    if (state->dialect) {
        options = toon_rows_options_from(table->set);
        toon_rows_pen_init(&state->pen, out, &options);
        return PITH_OK;
    }
    options = toon_options_from(table->set);
    toon_pen_init(&state->pen, out, &options);
    state->older = options.version == TOON_3_0;
    return toon_check_writing(&options, err);
}

static pith_status toon_stream_header(row_table *table, pith_out *out, uint64_t count,
                                      pith_error *err)
{
    toon_stream *state = (toon_stream *)table->state;
    toon_pen *pen = &state->pen;
    (void)err;
    pen->out = out;
    if (count == 0 && !state->dialect && !state->older) {
        out_bytes(out, "[]", 2);
        return PITH_OK;
    }
    char *to = toon_make_room(out, out->at);
    to = state->dialect ? toon_rows_put_count(pen, to, count)
                        : toon_put_count(pen, to, count, '\0');
    for (size_t i = 0; i < table->column_count && count > 0; i++) {
        pith_text name = table->columns[i];
        pith_key key = {name.ptr, (uint32_t)name.len, SLOT_TAIL, 0};
        *to++ = i == 0 ? '{' : pen->delimiter;
        to = toon_make_room(out, toon_put_key(pen, to, &key));
    }
    if (count > 0) {
        *to++ = '}';
    }
    *to++ = ':';
    out->at = to;
    return PITH_OK;
}

static pith_status toon_stream_row(row_table *table, pith_out *out, const row_cells *row,
                                   pith_error *err)
{
    toon_stream *state = (toon_stream *)table->state;
    toon_pen *pen = &state->pen;
    const pith_slot *first = row->row + 1;
    pen->out = out;
    char *to = toon_put_break(pen, toon_make_room(out, out->at), 1);
    out->at = toon_put_cells(pen, to, first, first + table->column_count);
    if (pen->refused) {
        pith_text column = table->columns[pen->refused - first];
        return toon_rows_refuse_number(err, table->rows + 1, column);
    }
    return PITH_OK;
}

#define TOON_STREAM_REFUSAL                                                              \
    ", and a table of rows that arrive one by one needs a scalar in every cell"

const row_format toon_row_format = {
    .state_size = sizeof(toon_stream),
    .missing = {"missing_cell", ": column", " is missing" TOON_STREAM_REFUSAL},
    .nested = {"nested_value", ": column", " is an array or object" TOON_STREAM_REFUSAL},
    .rules = toon_stream_rules,
    .open = toon_stream_open,
    .header = toon_stream_header,
    .row = toon_stream_row,
};
