/*
 * pith_stream.c - rows that leave one at a time.
 *
 *     [?{id,name}                 how many there will be is not known yet
 *     1,Ada
 *     2,
 *     ]2                          and is told at the end
 *
 * Each cell is a leaf: whatever it holds is written on one line, with tables in it where
 * they are shorter. A table of one column has no way to say that its cell is absent, so
 * such a row is refused.
 */
#include "format/pith/pith_write.h"

#include "doc/build.h"
#include "format/rows.h"

#include <assert.h>

static bool pn_stream_is_lines(const row_table *table)
{
    return settings_number(table->set, PN_SET_ROWS) == PN_ROWS_LINES;
}

static unsigned pn_stream_rules(const settings *set)
{
    (void)set;
    return 0;
}

static pith_key pn_stream_key(const row_table *table, size_t column)
{
    pith_key key = table->columns[column];
    key.flags = build_text_flags(key.text, key.len) | SLOT_NEAR_END;
    return key;
}

/* True when the header is one that is written with spaces. */
static bool pn_stream_is_spaced(const row_table *table)
{
    bool spaced = table->column_count > PN_SPACED_LEAST;
    for (size_t i = 0; i < table->column_count && spaced; i++) {
        pith_key key = pn_stream_key(table, i);
        spaced = pn_is_bare_word(&key);
    }
    return spaced;
}

static pith_status pn_stream_header(row_table *table, pith_out *out, uint64_t count,
                                    pith_error *err)
{
    pn_pen pen = {out, false};
    bool spaced = pn_stream_is_spaced(table);
    (void)count;
    (void)err;
    assert(out->status == PITH_OK); /* nothing has been written yet */
    char *to = pen_room(out, out->at);
    memcpy(to, "[?{:", 4);
    to += spaced ? 4 : 3;
    for (size_t i = 0; i < table->column_count; i++) {
        pith_key key = pn_stream_key(table, i);
        to = pen_room(out, pn_put_key(&pen, to, &key));
        char separator = spaced ? ' ' : ',';
        *to++ = i + 1 < table->column_count ? separator : '}';
    }
    out->at = to;
    return PITH_OK;
}

/* Writes what is no scalar. */
static void pn_stream_value(const row_table *table, pith_out *out, const pith_doc *doc,
                            uint32_t at)
{
    pn_plan plan;
    pn_plan_begin(&plan, doc, table->set, table->alloc);
    if (pn_plan_make(&plan, at))
        pn_write(&plan, out, at, false, true);
    else
        out_fail(out, PITH_NO_MEMORY, "no_memory");
    pn_plan_free(&plan);
}

static void pn_stream_cell(const row_table *table, pith_out *out, const pith_doc *doc,
                           const pith_slot *cell)
{
    bool shortest = settings_number(table->set, PN_SET_NUMBERS) == PN_NUMBERS_SHORTEST;
    pn_pen pen = {out, shortest};
    if (slot_is_container(cell))
        pn_stream_value(table, out, doc, (uint32_t)(cell - doc->slots));
    else if (out->status == PITH_OK)
        out->at = pn_put_scalar(&pen, pen_room(out, out->at), cell);
}

static pith_status pn_stream_row(row_table *table, pith_out *out, const row_cells *row,
                                 pith_error *err)
{
    const pith_slot *at = row->row + 1;
    if (table->column_count == 1 && row->row->n == 0) {
        return error_set(err, PITH_UNREPRESENTABLE, "blank_row",
                         "row %llu: a table of one column has no rows without it",
                         (unsigned long long)table->rows + 1);
    }
    out_byte(out, pn_stream_is_lines(table) ? '\n' : ';');
    for (size_t i = 0; i < table->column_count; i++) {
        const pith_slot *cell = row_next_cell(row, i, &at);
        if (i > 0)
            out_byte(out, ',');
        if (cell)
            pn_stream_cell(table, out, row->doc, cell);
    }
    return PITH_OK;
}

static pith_status pn_stream_footer(row_table *table, pith_out *out, pith_error *err)
{
    (void)err;
    if (pn_stream_is_lines(table))
        out_byte(out, '\n');
    out_byte(out, ']');
    out_reserve(out, NUM_UINT64_MAX_LEN);
    out->at += num_write_uint64(out->at, table->rows);
    return PITH_OK;
}

const row_format pn_row_format = {
    .rules = pn_stream_rules,
    .header = pn_stream_header,
    .row = pn_stream_row,
    .footer = pn_stream_footer,
};
