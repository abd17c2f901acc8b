/*
 * table.c - the tables of a document, as they are seen.
 *
 * A table is a view: the array of its rows is a value of the document, and what is known of
 * the columns is beside the tape (see doc/schema.h). Looking allocates nothing.
 */
#include "api/api.h"

static const pith_value table_no_value = {NULL, 0, 0, 0};

size_t pith_doc_table_count(const pith_doc *doc)
{
    return doc->finished ? doc->table_count : 0;
}

bool pith_doc_table(const pith_doc *doc, size_t index, pith_table *table)
{
    memset(table, 0, sizeof *table);
    if (index >= pith_doc_table_count(doc))
        return false;
    const doc_table *known = &doc->tables[index];
    table->name = known->name;
    table->fields = known->fields;
    table->field_count = known->field_count;
    table->row_count = known->single ? 1 : doc->slots[known->at].n;
    table->rows = doc_value(doc, known->at, SLOT_NONE, 0);
    table->single = known->single;
    table->near_at = known->at + 1;
    return true;
}

/* The slot of a row. Where all rows are flat they have as many slots each; else they are
 * counted from the one that was asked for last, or from the first. */
static uint32_t table_row_at(pith_table *table, size_t row)
{
    const pith_doc *doc = table->rows.doc;
    const pith_slot *rows = &doc->slots[table->rows.at];
    uint32_t first = table->rows.at + 1;
    bool wide = table->row_count > 0 && doc_is_unshaped(&doc->slots[first]);
    size_t width = 1 + table->field_count + wide;
    if (rows->u.link.next - first == table->row_count * width)
        return first + (uint32_t)(row * width);
    if (row < table->near_row) {
        table->near_row = 0;
        table->near_at = first;
    }
    for (; table->near_row < row; table->near_row++)
        table->near_at = doc_after_at(doc, table->near_at);
    return table->near_at;
}

/* Which member of the row the column is; rows may have them in another order. */
static uint32_t table_member(const pith_table *table, const pith_slot *row, size_t column)
{
    const pith_key *keys = doc_keys(table->rows.doc, row);
    pith_text name = table->fields[column].name;
    if (column < row->n && text_equal(key_text(&keys[column]), name))
        return (uint32_t)column;
    uint32_t i = 0;
    while (i < row->n && !text_equal(key_text(&keys[i]), name))
        i++;
    return i;
}

pith_value pith_table_cell(pith_table *table, size_t row, size_t column)
{
    if (row >= table->row_count || column >= table->field_count)
        return table_no_value;
    if (table->single)
        return table->rows;
    const pith_doc *doc = table->rows.doc;
    uint32_t at = table_row_at(table, row);
    return pith_value_at(doc_value(doc, at, table->rows.at, (uint32_t)row),
                         table_member(table, &doc->slots[at], column));
}

const codec *table_codec_format(void)
{
    const codec *format;
    for (size_t i = 0; (format = format_at(i)) != NULL; i++)
        if (format->tables)
            return format;
    return NULL;
}

pith_status pith_doc_make_tables(pith_doc *doc, pith_error *err)
{
    const codec *format = table_codec_format();
    if (!doc->finished)
        return error_set(err, PITH_BAD_USE, "unfinished",
                         "the document has no value yet");
    if (doc->table_count > 0 || !format)
        return PITH_OK;
    return format->tables->make(doc, err);
}
