/*
 * soch_columns.c - what streams of rows have in common, as text and as bytes.
 */
#include "format/soch/soch_columns.h"

#include "format/soch/soch.h"
#include "format/soch/soch_plan.h"

pith_status soch_columns_open(soch_columns *columns, const row_stream *stream,
                              const soch_wish *wish, pith_error *err)
{
    size_t bytes = stream->column_count * sizeof(pith_field);
    columns->fields = (pith_field *)alloc_zeroed(&stream->alloc, bytes);
    if (!columns->fields) {
        return error_no_memory(err);
    }
    pith_status status =
        soch_given_read(&columns->given, wish->fields, stream->alloc, err);
    for (size_t i = 0; i < stream->column_count && status == PITH_OK; i++) {
        pith_field *field = &columns->fields[i];
        field->name = stream->columns[i];
        field->nullable = true;
        columns->fits = soch_given_apply(&columns->given, field) || columns->fits;
    }
    columns->table.unnamed = wish->name.len == 0;
    columns->table.name = wish->name.len > 0 ? wish->name : text_from(SOCH_UNNAMED);
    columns->table.fields = columns->fields;
    columns->table.field_count = stream->column_count;
    columns->declared = wish->types == SOCH_TYPES_ALL;
    columns->fill = wish->fill;
    return status == PITH_OK ? soch_given_check(&columns->given, err) : status;
}

void soch_columns_settle(soch_columns *columns, const row_stream *stream)
{
    for (size_t i = 0; i < stream->column_count; i++) {
        pith_field *field = &columns->fields[i];
        if (columns->declared && stream->fields && field->type == PITH_TYPE_ANY) {
            *field = stream->fields[i];
            field->name = stream->columns[i];
            columns->fits = columns->fits || field->type != PITH_TYPE_ANY;
        }
    }
}

bool soch_needs_all(const settings *set)
{
    return settings_number(set, SOCH_TYPES) == SOCH_TYPES_INFER;
}

bool soch_bin_needs_all(const settings *set)
{
    return settings_number(set, SOCH_BIN_TYPES) == SOCH_TYPES_INFER;
}

void soch_columns_close(soch_columns *columns, const row_stream *stream)
{
    alloc_free(&stream->alloc, columns->fields,
               stream->column_count * sizeof(pith_field));
    soch_given_free(&columns->given);
}

soch_row soch_row_begin(const row_stream *stream, const pith_doc *doc, uint32_t at)
{
    const pith_slot *row = &doc->slots[at];
    soch_row walk = {stream, doc, row, row + 1, 0};
    return walk;
}

const pith_slot *soch_row_next(soch_row *row, size_t column)
{
    const row_stream *stream = row->stream;
    uint32_t count = row->row->n;
    if (row->member == count) {
        return NULL;
    }
    if (count < stream->column_count) {
        const pith_key *key = &doc_keys(row->doc, row->row)[row->member];
        if (!text_equal(key_text(key), stream->columns[column])) {
            return NULL;
        }
    }
    const pith_slot *cell = row->cell;
    row->cell = soch_behind(row->doc, cell);
    row->member++;
    return cell;
}

pith_status soch_missing_cell(const row_stream *stream, size_t column, pith_error *err)
{
    pith_text name = stream->columns[column];
    return error_set(err, PITH_UNREPRESENTABLE, "missing_cell",
                     "row %llu: column \"%s\" is missing, which is not null; "
                     "fill-missing=true makes it so",
                     (unsigned long long)stream->rows + 1,
                     error_quote(name.ptr, name.len).text);
}
