/*
 * rows.c - when each part of a table is written, and where to.
 */
#include "format/rows.h"
#include "base/list.h"
#include "base/system.h"
#include "doc/spelled.h"

#include <assert.h>
#include <errno.h>

pith_status row_refuse(const row_refusal *why, uint64_t row, const pith_key *column,
                       pith_error *err)
{
    return error_set(err, PITH_UNREPRESENTABLE, why->code, "row %llu%s \"%s\"%s",
                     (unsigned long long)row, why->before,
                     error_quote(column->text, column->len).text, why->after);
}

/* -------------------------------------------------------------- where rows go */

static pith_status row_body_write(void *ctx, const char *data, size_t len)
{
    row_writer *w = (row_writer *)ctx;
    if (w->format->passed)
        w->format->passed(&w->table, data, len);
    if (w->holds) {
        pith_sink held = spill_sink(&w->spill);
        return held.write(held.ctx, data, len);
    }
    out_bytes(w->out, data, len);
    return w->out->status;
}

/* The failure of the body. One of the output itself sticks there and is told there. */
static pith_status row_body_failure(const row_writer *w, pith_error *err)
{
    if (w->out->status != PITH_OK)
        return PITH_OK;
    if (w->body.status != PITH_IO || !SYSTEM_HAS_FILES)
        return out_explain(&w->body, err);
    error_set(err, PITH_IO, "write_failed", "the temporary file could not be written");
    if (err)
        err->system = w->body.system;
    return PITH_IO;
}

static inline pith_status row_body_status(const row_writer *w, pith_error *err)
{
    return w->has_body && w->body.status != PITH_OK ? row_body_failure(w, err) : PITH_OK;
}

static void row_body_open(row_writer *w)
{
    assert(!w->has_body);
    pith_options options = {.alloc = w->table.alloc};
    pith_sink sink = {row_body_write, w};
    bool block = (w->rules & ROWS_BLOCK) != 0;
    if (w->holds) {
        spill_init(&w->spill, block ? SIZE_MAX : w->hold_max, w->table.alloc);
        options.output_max = block ? 0 : (size_t)w->out->most;
    }
    out_init(&w->body, sink, &options);
    w->body.safe = w->out->safe;
    w->has_body = true;
}

static pith_status row_put_header(row_writer *w, uint64_t count, pith_error *err)
{
    return w->format->header ? w->format->header(&w->table, w->out, count, err) : PITH_OK;
}

/* Decides where rows go, and writes what is before them. */
static pith_status row_begin(row_writer *w, pith_error *err)
{
    assert(!w->begun);
    pith_status status = PITH_OK;
    w->begun = true;
    w->patches = !w->expects && w->patch && (w->rules & ROWS_PATCH);
    w->holds = (w->rules & ROWS_BLOCK) || (!w->expects && !w->patches);
    if (w->holds || w->format->passed)
        row_body_open(w);
    if (!w->holds)
        status = row_put_header(w, w->expects ? w->expected : 0, err);
    if (status == PITH_OK && w->format->begin)
        status = w->format->begin(&w->table, row_writer_body(w), err);
    return status == PITH_OK ? row_body_status(w, err) : status;
}

pith_status row_writer_begin(row_writer *w, pith_error *err)
{
    return w->begun || !(w->rules & ROWS_COUNT_FIRST) ? PITH_OK : row_begin(w, err);
}

/* Everything has been written but the number of rows, which has stayed 0. */
static pith_status row_patch_count(row_writer *w, pith_error *err)
{
    assert(w->patches && w->patch);
    char count[8];
    for (unsigned i = 0; i < sizeof count; i++)
        count[i] = (char)(unsigned char)(w->table.rows >> (8 * i));
    out_flush(w->out, 0);
    errno = 0;
    if (w->out->status != PITH_OK ||
        w->patch(w->out->sink, w->out->sent - w->format->count_offset, count,
                 sizeof count))
        return PITH_OK;
    int number = errno;
    error_set(err, PITH_IO, "write_failed",
              "the number of rows could not be put into the header");
    if (err)
        err->system = number;
    return PITH_IO;
}

/* The rows that were held, after their header. */
static pith_status row_release(row_writer *w, pith_error *err)
{
    assert(w->holds && w->has_body);
    if (w->rules & ROWS_BLOCK) {
        pith_text rows = text_of(w->spill.data, w->spill.len);
        return w->format->block(&w->table, w->out, rows, err);
    }
    pith_status status = row_put_header(w, w->table.rows, err);
    if (status == PITH_OK && w->out->status == PITH_OK)
        status = spill_take(&w->spill, w->out, err);
    return status;
}

/* Ends a table: its last rows, and what is after them. */
static pith_status row_finish(row_writer *w, pith_error *err)
{
    pith_status status = row_writer_begin(w, err);
    if (status == PITH_OK && w->has_body) {
        out_flush(&w->body, 0);
        status = row_body_status(w, err);
    }
    if (status == PITH_OK && w->holds)
        status = row_release(w, err);
    bool block = (w->rules & ROWS_BLOCK) != 0;
    if (status == PITH_OK && w->format->footer && !block && w->out->status == PITH_OK)
        status = w->format->footer(&w->table, w->out, err);
    return status == PITH_OK && w->patches ? row_patch_count(w, err) : status;
}

/* ----------------------------------------------------------------------- rows */

/* Puts the cells of a row that lacks some where their columns are. */
static bool row_arrange(row_writer *w, row_cells *row)
{
    const row_table *table = &w->table;
    assert(row->row->n < table->column_count);
    if (!list_grow(&table->alloc, (void *)&w->cells, &w->cell_cap, table->column_count,
                   sizeof *w->cells))
        return false;
    const pith_key *keys = doc_keys(row->doc, row->row);
    const pith_slot *at = row->row + 1;
    uint32_t member = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        bool there = member < row->row->n && key_equal(&keys[member], &table->columns[i]);
        w->cells[i] = there ? row_next_cell(row, i, &at) : NULL;
        member += there;
    }
    assert(member == row->row->n);
    row->cells = w->cells;
    return true;
}

/* Refuses the first cell that the format does not write. */
static pith_status row_check(const row_writer *w, const row_cells *row, pith_error *err)
{
    const row_table *table = &w->table;
    bool scalars = (w->rules & ROWS_SCALARS) != 0;
    if (!scalars && !(row->cells && (w->rules & ROWS_ALL)))
        return PITH_OK;
    const pith_slot *at = row->row + 1;
    for (size_t i = 0; i < table->column_count; i++) {
        const pith_slot *cell = row_next_cell(row, i, &at);
        if (!cell && (w->rules & ROWS_ALL)) {
            return row_refuse(&w->format->missing, table->rows + 1, &table->columns[i],
                              err);
        }
        if (cell && scalars && slot_is_container(cell)) {
            return row_refuse(&w->format->nested, table->rows + 1, &table->columns[i],
                              err);
        }
    }
    return PITH_OK;
}

/* Brings a row that has columns into their order, and refuses what the format does not
 * write. */
static pith_status row_prepare(row_writer *w, row_cells *row, pith_error *err)
{
    assert(row->row->kind == PITH_OBJECT && row->row->n <= w->table.column_count);
    if (row->row->n < w->table.column_count && !row_arrange(w, row))
        return error_no_memory(err);
    pith_status status = row_check(w, row, err);
    return status == PITH_OK ? row_writer_begin(w, err) : status;
}

static inline pith_status row_write(row_writer *w, const pith_doc *doc, uint32_t at,
                                    pith_error *err)
{
    row_cells row = {doc, &doc->slots[at], NULL};
    pith_status status = w->rules & ROWS_ANY ? PITH_OK : row_prepare(w, &row, err);
    if (status == PITH_OK)
        status = w->format->row(&w->table, row_writer_body(w), &row, err);
    return status == PITH_OK ? row_body_status(w, err) : status;
}

static pith_status row_bad_count(const row_writer *w, const char *more, pith_error *err)
{
    return error_set(err, PITH_BAD_USE, "count_mismatch",
                     "%llu rows were expected, and there are %s%llu",
                     (unsigned long long)w->expected, more,
                     (unsigned long long)w->table.rows);
}

/* The first failure of the document that everything is collected in. */
static pith_status row_collected(const row_writer *w, pith_error *err)
{
    if (w->all->fault.status != PITH_OK && err)
        *err = w->all->fault;
    return w->all->fault.status;
}

static pith_status row_collect(row_writer *w, pith_text key, pith_value value,
                               pith_error *err)
{
    assert(w->all);
    if (key.ptr)
        pith_doc_add_key(w->all, key.ptr, key.len);
    pith_doc_add_value(w->all, value);
    return row_collected(w, err);
}

pith_status row_writer_put(row_writer *w, const pith_doc *doc, uint32_t at,
                           pith_error *err)
{
    pith_status status;
    if (w->expects && w->table.rows == w->expected)
        return row_bad_count(w, "more than ", err);
    if (w->all) {
        pith_text key = w->table.keyed ? slot_text(w->table.key) : text_of(NULL, 0);
        status = row_collect(w, key, doc_value(doc, at, SLOT_NONE, 0), err);
    } else {
        status = row_write(w, doc, at, err);
    }
    w->table.rows += status == PITH_OK;
    return status;
}

pith_status row_writer_count(row_writer *w, pith_error *err)
{
    assert(w->all);
    if (w->expects && w->table.rows == w->expected)
        return row_bad_count(w, "more than ", err);
    w->table.rows++;
    return PITH_OK;
}

/* ------------------------------------------------------------ tables, members */

pith_status row_writer_enter(row_writer *w, pith_text name, bool keyed, pith_error *err)
{
    pith_status status = PITH_OK;
    assert(!w->in_table);
    w->table.name = name;
    w->table.keyed = keyed;
    w->table.rows = 0;
    if (w->all) {
        if (name.ptr)
            pith_doc_add_key(w->all, name.ptr, name.len);
        if (keyed)
            pith_doc_open_object(w->all);
        else
            pith_doc_open_array(w->all);
        status = row_collected(w, err);
    } else if (!(w->rules & ROWS_COUNT_FIRST)) {
        status = row_put_header(w, ROWS_UNKNOWN, err);
    }
    w->in_table = true;
    w->table.members++;
    return status;
}

pith_status row_writer_leave(row_writer *w, pith_error *err)
{
    pith_status status = PITH_OK;
    if (w->expects && w->table.rows != w->expected)
        return row_bad_count(w, "only ", err);
    w->expects = false;
    if (!w->in_table)
        return PITH_OK;
    if (w->all) {
        pith_doc_close(w->all);
        status = row_collected(w, err);
    } else {
        status = row_finish(w, err);
    }
    w->in_table = false;
    w->table.keyed = false;
    return status;
}

pith_status row_writer_member(row_writer *w, pith_text key, pith_value value,
                              pith_error *err)
{
    pith_status status;
    spelled_value spelled;
    assert(!w->in_table);
    assert(w->all || w->format->member);
    if (w->all) {
        status = row_collect(w, key, value, err);
    } else if (!spelled_open(&spelled, value.doc, value.at, w->table.alloc)) {
        return error_no_memory(err);
    } else {
        status = w->format->member(&w->table, w->out, key, spelled.doc, spelled.at, err);
        spelled_close(&spelled);
    }
    w->table.members++;
    return status;
}

/* ------------------------------------------------------------ opening, ending */

static pith_status row_writer_prepare(row_writer *w, pith_error *err)
{
    const row_format *format = w->format;
    w->rules = format->rules ? format->rules(w->table.set) : ROWS_ANY;
    if (format->state_size > 0) {
        w->table.state = alloc_zeroed(&w->table.alloc, format->state_size);
        if (!w->table.state)
            return error_no_memory(err);
    }
    return format->open ? format->open(&w->table, w->out, err) : PITH_OK;
}

pith_status row_writer_open(row_writer *w, pith_error *err)
{
    assert(!w->in_table && !w->begun);
    pith_status status = PITH_OK;
    if (!w->all)
        status = row_writer_prepare(w, err);
    else if (w->table.object)
        pith_doc_open_object(w->all);
    return status == PITH_OK && !w->table.object
               ? row_writer_enter(w, text_of(NULL, 0), false, err)
               : status;
}

pith_status row_writer_end(row_writer *w, pith_error *err)
{
    pith_status status = row_writer_leave(w, err);
    if (status != PITH_OK)
        return status;
    if (w->all) {
        if (w->table.object)
            pith_doc_close(w->all);
        return pith_doc_finish(w->all, err);
    }
    return w->format->end ? w->format->end(&w->table, w->out, err) : PITH_OK;
}

void row_writer_free(row_writer *w)
{
    const pith_alloc *alloc = &w->table.alloc;
    if (w->table.state) {
        if (w->format->close)
            w->format->close(&w->table);
        if (w->format->state_size > 0)
            alloc_free(alloc, w->table.state, w->format->state_size);
    }
    if (w->has_body)
        out_abandon(&w->body);
    if (w->holds)
        spill_free(&w->spill);
    alloc_free(alloc, w->cells, w->cell_cap * sizeof *w->cells);
    pith_doc_free(w->all);
}
