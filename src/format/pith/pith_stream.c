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
 *
 * Of level 2 a stream has the marks that it can promise before the first row. A column that
 * was declared to have a type is a ditto column, and no row may lack it then; one of texts
 * that are never null is a template of nothing but the star, if the first of them would need
 * quotes otherwise. What repeats elsewhere, and what most cells share, is known at the end
 * only.
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

/* ---------------------------------------------------------------- marks of level 2 */

/* A cell of the row above. */
typedef struct pn_above {
    const char *text; /* in the buffer of that row */
    uint32_t len;
    uint8_t kind;
} pn_above;

typedef struct pn_stream {
    bool begun;           /* the header is written */
    LIST(uint8_t) marks;  /* by column; empty in level 1 */
    LIST(pn_above) above; /* likewise */
    pith_arena rows[2];   /* the texts of this row and of that above */
    unsigned current;
} pn_stream;

static pn_mark_kind pn_stream_mark(const row_table *table, size_t column)
{
    const pn_stream *state = (const pn_stream *)table->state;
    return column < state->marks.count ? (pn_mark_kind)state->marks.at[column]
                                       : PN_NO_MARK;
}

/* The mark of a column whose first cell is this one. */
static pn_mark_kind pn_choose_mark(const row_table *table, const pith_field *field,
                                   const pith_slot *cell)
{
    if (field->type == PITH_TYPE_ANY || !cell)
        return PN_NO_MARK;
    bool text =
        field->type == PITH_TYPE_TEXT && !field->nullable && cell->kind == PITH_STRING;
    if (text && settings_bool(table->set, PN_SET_TEMPLATES) &&
        !pn_is_bare(cell->u.text, cell->n, cell->flags) &&
        pn_is_bare_cell(cell->u.text, cell->n))
        return PN_TEMPLATE;
    return settings_bool(table->set, PN_SET_FILL) ? PN_DITTO : PN_NO_MARK;
}

/* Chooses the marks when the first row is there; false when out of memory. Where a row is
 * one cell, none can be left empty. */
static bool pn_choose_marks(const row_table *table, const row_cells *row)
{
    pn_stream *state = (pn_stream *)table->state;
    const pith_slot *at = row->row + 1;
    size_t count = table->column_count;
    if (settings_number(table->set, PN_SET_LEVEL) < 2 || !table->fields || count < 2)
        return true;
    if (!LIST_RESERVE(&state->marks, &table->alloc, count) ||
        !LIST_RESERVE(&state->above, &table->alloc, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const pith_slot *cell = row_next_cell(row, i, &at);
        state->marks.at[i] = (uint8_t)pn_choose_mark(table, &table->fields[i], cell);
        state->above.at[i] = (pn_above){NULL, 0, 0};
    }
    state->marks.count = state->above.count = count;
    return true;
}

/* True when a cell is as in the row above, which it becomes. */
static bool pn_repeats_cell(const row_table *table, size_t column, const pith_slot *cell,
                            pith_out *out)
{
    pn_stream *state = (pn_stream *)table->state;
    pn_above *above = &state->above.at[column];
    bool small = !slot_is_container(cell) && cell->n <= PN_REPEAT_MOST / 8;
    bool same = small && above->kind == cell->kind && above->len == cell->n &&
                above->text && memcmp(above->text, cell->u.text, cell->n) == 0;
    *above = (pn_above){NULL, 0, 0};
    if (small) {
        above->text = arena_copy(&state->rows[state->current], cell->u.text, cell->n);
        above->len = cell->n;
        above->kind = cell->kind;
        if (!above->text)
            out_fail(out, PITH_NO_MEMORY, "no_memory");
    }
    return same;
}

static pith_status pn_stream_open(row_table *table, pith_out *out, pith_error *err)
{
    pn_stream *state = (pn_stream *)table->state;
    (void)out;
    (void)err;
    arena_init(&state->rows[0], table->alloc);
    arena_init(&state->rows[1], table->alloc);
    return PITH_OK;
}

static void pn_stream_close(row_table *table)
{
    pn_stream *state = (pn_stream *)table->state;
    LIST_FREE(&state->marks, &table->alloc);
    LIST_FREE(&state->above, &table->alloc);
    arena_free(&state->rows[0]);
    arena_free(&state->rows[1]);
}

/* -------------------------------------------------------------------------- the text */

static void pn_stream_header(row_table *table, pith_out *out)
{
    static const char *const marks[] = {"", "=", "", "=[*]"};
    pn_stream *state = (pn_stream *)table->state;
    pn_pen pen = {out, false};
    bool spaced = pn_stream_is_spaced(table);
    if (state->begun || out->status != PITH_OK)
        return;
    state->begun = true;
    char *to = pen_room(out, out->at);
    memcpy(to, "[?{:", 4);
    to += spaced ? 4 : 3;
    for (size_t i = 0; i < table->column_count; i++) {
        pith_key key = pn_stream_key(table, i);
        to = pen_room(out, pn_put_key(&pen, to, &key));
        const char *mark = marks[pn_stream_mark(table, i)];
        memcpy(to, mark, strlen(mark));
        to += strlen(mark);
        char separator = spaced ? ' ' : ',';
        *to++ = i + 1 < table->column_count ? separator : '}';
    }
    out->at = to;
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

/* A cell, marked or not. */
static pith_status pn_stream_marked(const row_table *table, pith_out *out,
                                    const row_cells *row, size_t column,
                                    const pith_slot *cell, pith_error *err)
{
    pn_mark_kind mark = pn_stream_mark(table, column);
    bool fits = mark == PN_NO_MARK ||
                (cell && (mark != PN_TEMPLATE || cell->kind == PITH_STRING));
    if (!fits) {
        pith_text name = key_text(&table->columns[column]);
        return error_set(
            err, PITH_UNREPRESENTABLE, cell ? "type_mismatch" : "null_not_allowed",
            "row %llu: the column \"%s\" was declared to hold %s",
            (unsigned long long)table->rows + 1, error_quote(name.ptr, name.len).text,
            cell ? "texts" : "something in every row");
    }
    if (!cell || (mark == PN_DITTO && pn_repeats_cell(table, column, cell, out)))
        return PITH_OK;
    if (mark == PN_TEMPLATE && pn_is_bare_cell(cell->u.text, cell->n))
        out_text(out, slot_text(cell));
    else if (mark == PN_TEMPLATE)
        pen_write_quoted(out, slot_text(cell), 0);
    else
        pn_stream_cell(table, out, row->doc, cell);
    return PITH_OK;
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
    pn_stream *state = (pn_stream *)table->state;
    if (!state->begun && !pn_choose_marks(table, row))
        return error_no_memory(err);
    pn_stream_header(table, out);
    state->current = 1 - state->current;
    arena_reset(&state->rows[state->current]);
    out_byte(out, pn_stream_is_lines(table) ? '\n' : ';');
    pith_status status = PITH_OK;
    for (size_t i = 0; i < table->column_count && status == PITH_OK; i++) {
        const pith_slot *cell = row_next_cell(row, i, &at);
        if (i > 0)
            out_byte(out, ',');
        status = pn_stream_marked(table, out, row, i, cell, err);
    }
    return status;
}

static pith_status pn_stream_footer(row_table *table, pith_out *out, pith_error *err)
{
    (void)err;
    pn_stream_header(table, out);
    if (pn_stream_is_lines(table))
        out_byte(out, '\n');
    out_byte(out, ']');
    out_reserve(out, NUM_UINT64_MAX_LEN);
    out->at += num_write_uint64(out->at, table->rows);
    return PITH_OK;
}

const row_format pn_row_format = {
    .state_size = sizeof(pn_stream),
    .declared = true,
    .rules = pn_stream_rules,
    .open = pn_stream_open,
    .row = pn_stream_row,
    .footer = pn_stream_footer,
    .close = pn_stream_close,
};
