/*
 * table.c - reading tables, walking them, writing them.
 *
 * A table is a document and the slots of its rows. Where a format has no tables, the
 * value is written as binary tables first and those are read: the bridge between JSON
 * and tables has one home, and that is the format.
 */
#include "api/table.h"

static const pith_value table_no_value = {NULL, 0, 0, 0};

/* ------------------------------------------------------------------- opening */

/* Of a single cell the row is no object: there is only the value. */
static bool table_find_rows(pith_table *table)
{
    const pith_doc *doc = table->doc;
    table->row_count = table->is.single ? 1 : doc->slots[table->is.at].n;
    size_t bytes = (table->row_count + 1) * sizeof *table->rows;
    table->rows = (uint32_t *)alloc_resize(&table->alloc, NULL, 0, bytes);
    if (!table->rows)
        return false;
    uint32_t at = table->is.single ? table->is.at : table->is.at + 1;
    for (size_t i = 0; i < table->row_count; i++) {
        table->rows[i] = at;
        at = doc_after_at(doc, at);
    }
    return true;
}

bool table_open(pith_table *table, pith_doc *doc, size_t which)
{
    table->doc = doc;
    table->alloc = doc->alloc;
    table->is = doc->tables[which];
    return table_find_rows(table);
}

void table_close(pith_table *table)
{
    alloc_free(&table->alloc, table->rows, (table->row_count + 1) * sizeof *table->rows);
    alloc_free(&table->alloc, table->fields, table->field_cap * sizeof *table->fields);
    table->rows = NULL;
    table->fields = NULL;
}

void pith_table_free(pith_table *table)
{
    if (!table)
        return;
    pith_alloc alloc = table->alloc;
    table_close(table);
    pith_doc_free(table->doc);
    pith_buffer_free(&table->text);
    alloc_free(&alloc, table, sizeof *table);
}

/* ------------------------------------------------------------------- reading */

/* Makes tables of a document that has none. */
static pith_status table_bridge(pith_doc *doc, pith_buffer *text,
                                const pith_options *options, pith_error *err)
{
    pith_options between;
    memset(&between, 0, sizeof between);
    between.alloc = doc->alloc;
    between.depth_max = options ? options->depth_max : 0;
    text->alloc = doc->alloc;
    pith_status status = pith_value_write(pith_doc_root(doc), "soch-bin", &between,
                                          pith_sink_buffer(text), err);
    if (status != PITH_OK)
        return status;
    /* A single cell stands three levels deep. */
    between.depth_max = doc->depth_max + 3;
    return pith_doc_read(doc, "soch-bin", text->data, text->len, &between, err);
}

static pith_doc *table_read(const char *format, const char *text, size_t len,
                            const pith_options *options, pith_buffer *own,
                            pith_error *err)
{
    pith_doc *doc = pith_doc_parse(format, text, len, options, err);
    if (doc && doc->table_count == 0 && table_bridge(doc, own, options, err) != PITH_OK) {
        pith_doc_free(doc);
        return NULL;
    }
    return doc;
}

pith_table *pith_table_parse(const char *format, const char *text, size_t len,
                             const pith_options *options, pith_error *err)
{
    pith_alloc alloc = alloc_from(options);
    pith_table *table = (pith_table *)alloc_zeroed(&alloc, sizeof *table);
    if (!table) {
        error_no_memory(err);
        return NULL;
    }
    table->alloc = alloc;
    table->doc = table_read(format, text, len, options, &table->text, err);
    if (!table->doc) {
        pith_table_free(table);
        return NULL;
    }
    if (table->doc->table_count > 1) {
        error_set(err, PITH_BAD_INPUT, "trailing_content",
                  "one table was expected, and there are %zu", table->doc->table_count);
        pith_table_free(table);
        return NULL;
    }
    if (!table_open(table, table->doc, 0)) {
        error_no_memory(err);
        pith_table_free(table);
        return NULL;
    }
    return table;
}

/* ------------------------------------------------------------------- walking */

pith_text pith_table_name(const pith_table *table)
{
    return table->is.name;
}

size_t pith_table_field_count(const pith_table *table)
{
    return table->is.field_count;
}

size_t pith_table_row_count(const pith_table *table)
{
    return table->row_count;
}

const pith_field *pith_table_field(const pith_table *table, size_t index)
{
    return index < table->is.field_count ? &table->is.fields[index] : NULL;
}

size_t pith_table_find(const pith_table *table, const char *name)
{
    size_t index = 0;
    while (index < table->is.field_count && !text_is(table->is.fields[index].name, name))
        index++;
    return index;
}

pith_value pith_table_cell(const pith_table *table, size_t row, size_t column)
{
    if (row >= table->row_count || column >= table->is.field_count)
        return table_no_value;
    const pith_doc *doc = table->doc;
    uint32_t at = table->rows[row];
    if (table->is.single)
        return doc_value(doc, at, SLOT_NONE, 0);
    const pith_slot *object = &doc->slots[at];
    uint32_t cell = at + 1;
    if (doc_children_end(object) - cell == object->n)
        cell += (uint32_t)column; /* nothing but scalars */
    else
        for (size_t i = 0; i < column; i++)
            cell = doc_after_at(doc, cell);
    return doc_value(doc, cell, at, (uint32_t)column);
}

pith_value pith_table_get(const pith_table *table, size_t row, const char *name)
{
    return pith_table_cell(table, row, pith_table_find(table, name));
}

/* ------------------------------------------------------------------- writing */

static bool table_copy(pith_doc *to, const pith_table *table)
{
    build_result result = BUILD_DONE;
    if (!table->is.unnamed) {
        pith_text name = table->is.name;
        result = build_open(to, PITH_OBJECT);
        if (result == BUILD_DONE) {
            result =
                build_key(to, build_text_flags(name.ptr, name.len), name.ptr, name.len);
        }
    }
    uint32_t at = (uint32_t)to->count;
    if (result == BUILD_DONE)
        result = build_copy(to, table->doc, table->is.at);
    if (result == BUILD_DONE && !table->is.unnamed)
        result = build_close(to);
    doc_table *copied = result == BUILD_DONE ? doc_add_table(to) : NULL;
    if (copied) {
        *copied = table->is;
        copied->at = at;
        to->finished = true;
    }
    return copied != NULL;
}

pith_status pith_table_write(const pith_table *table, const char *format,
                             const pith_options *options, pith_sink sink, pith_error *err)
{
    if (!table->doc->finished) {
        return error_set(err, PITH_BAD_USE, "unfinished",
                         "the table is still being built");
    }
    if (table->doc->table_count == 1)
        return pith_value_write(pith_doc_root(table->doc), format, options, sink, err);
    /* One of several: as a document of its own. */
    pith_options making;
    memset(&making, 0, sizeof making);
    making.alloc = table->alloc;
    making.depth_max = PITH_DEPTH_MOST;
    pith_doc *doc = pith_doc_new(&making);
    pith_status status =
        doc && table_copy(doc, table)
            ? pith_value_write(pith_doc_root(doc), format, options, sink, err)
            : error_no_memory(err);
    pith_doc_free(doc);
    return status;
}

/* ------------------------------------------------------------- several tables */

void pith_tables_free(pith_tables *tables)
{
    if (!tables)
        return;
    pith_alloc alloc = tables->alloc;
    for (size_t i = 0; tables->at && i < tables->count; i++)
        table_close(&tables->at[i]);
    alloc_free(&alloc, tables->at, tables->count * sizeof *tables->at);
    pith_doc_free(tables->doc);
    pith_buffer_free(&tables->text);
    alloc_free(&alloc, tables, sizeof *tables);
}

static bool tables_open(pith_tables *tables)
{
    tables->count = tables->doc->table_count;
    tables->at =
        (pith_table *)alloc_zeroed(&tables->alloc, tables->count * sizeof *tables->at);
    bool done = tables->at != NULL;
    for (size_t i = 0; i < tables->count && done; i++) {
        tables->at[i].alloc = tables->alloc;
        done = table_open(&tables->at[i], tables->doc, i);
    }
    return done;
}

pith_tables *pith_tables_parse(const char *format, const char *text, size_t len,
                               const pith_options *options, pith_error *err)
{
    pith_alloc alloc = alloc_from(options);
    pith_tables *tables = (pith_tables *)alloc_zeroed(&alloc, sizeof *tables);
    if (!tables) {
        error_no_memory(err);
        return NULL;
    }
    tables->alloc = alloc;
    tables->doc = table_read(format, text, len, options, &tables->text, err);
    if (!tables->doc) {
        pith_tables_free(tables);
        return NULL;
    }
    if (!tables_open(tables)) {
        error_no_memory(err);
        pith_tables_free(tables);
        return NULL;
    }
    return tables;
}

size_t pith_tables_count(const pith_tables *tables)
{
    return tables->count;
}

const pith_table *pith_tables_at(const pith_tables *tables, size_t index)
{
    return index < tables->count ? &tables->at[index] : NULL;
}

pith_status pith_tables_write(const pith_tables *tables, const char *format,
                              const pith_options *options, pith_sink sink,
                              pith_error *err)
{
    return pith_value_write(pith_doc_root(tables->doc), format, options, sink, err);
}
