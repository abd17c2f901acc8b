/*
 * arrow_out.c - a text, or rows of a document, as a stream of Arrow.
 *
 * The stream owns a document with everything in it, and makes a batch of the next rows
 * each time it is asked for one. So a text that is wrong fails the call; what can fail
 * later is a cell that does not fit the type of its column.
 */
#include "api/arrow_out.h"
#include "api/api.h"
#include "doc/build.h"

#include <errno.h>

enum { ARROW_BATCH_ROWS = 65536 };

typedef struct arrow_stream {
    pith_alloc alloc;
    pith_doc *doc;
    pith_buffer text; /* that the document borrows from */
    uint32_t rows;    /* the array of them */
    const doc_table *table;
    arrow_types types;
    arrow_batch batch;
    bool has_batch;
    uint32_t at; /* the next row */
    uint64_t row;
    size_t batch_rows;
    pith_error fault;
} arrow_stream;

/* ------------------------------------------------------------------ the stream */

static void stream_free(arrow_stream *s)
{
    pith_alloc alloc = s->alloc;
    if (s->has_batch)
        arrow_batch_free(&s->batch);
    arrow_types_free(&s->types);
    pith_doc_free(s->doc);
    pith_buffer_free(&s->text);
    alloc_free(&alloc, s, sizeof *s);
}

static void stream_release(struct ArrowArrayStream *stream)
{
    stream_free((arrow_stream *)stream->private_data);
    stream->release = NULL;
}

static int stream_fails(arrow_stream *s)
{
    return s->fault.status == PITH_NO_MEMORY ? ENOMEM : EINVAL;
}

static int stream_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    arrow_stream *s = (arrow_stream *)stream->private_data;
    if (arrow_export_schema(&s->types, out))
        return 0;
    error_no_memory(&s->fault);
    return stream_fails(s);
}

/* Says what is wrong with the cell that the batch did not take. */
static void stream_explain(arrow_stream *s, uint32_t column)
{
    const arrow_batch *batch = &s->batch;
    const arrow_type *type = &s->types.list.at[column];
    pith_text name = batch->unknown.ptr ? batch->unknown : type->name;
    if (!batch->code) {
        error_no_memory(&s->fault);
        return;
    }
    error_set(&s->fault, PITH_BAD_INPUT, batch->code, "row %llu, column \"%s\"%s%s%s: %s",
              (unsigned long long)s->row + 1, error_quote(name.ptr, name.len).text,
              batch->unknown.ptr ? "" : " of type \"",
              batch->unknown.ptr ? ""
                                 : error_quote(type->format.ptr, type->format.len).text,
              batch->unknown.ptr ? "" : "\"", batch->sentence);
}

static bool stream_fill(arrow_stream *s)
{
    uint32_t end = doc_children_end(&s->doc->slots[s->rows]);
    uint32_t column = 0;
    for (size_t i = 0; i < s->batch_rows && s->at < end; i++) {
        if (!arrow_batch_add(&s->batch, s->at, &column)) {
            stream_explain(s, column);
            return false;
        }
        s->at = doc_after_at(s->doc, s->at);
        s->row++;
    }
    return true;
}

static int stream_get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    arrow_stream *s = (arrow_stream *)stream->private_data;
    memset(out, 0, sizeof *out);
    if (s->fault.status != PITH_OK)
        return stream_fails(s);
    if (s->at == doc_children_end(&s->doc->slots[s->rows]))
        return 0;
    if (!stream_fill(s))
        return stream_fails(s);
    if (!arrow_batch_export(&s->batch, out)) {
        stream_explain(s, 0);
        if (out->release)
            out->release(out);
        return stream_fails(s);
    }
    return 0;
}

static const char *stream_get_last_error(struct ArrowArrayStream *stream)
{
    const arrow_stream *s = (const arrow_stream *)stream->private_data;
    return s->fault.status != PITH_OK ? s->fault.message : NULL;
}

/* --------------------------------------------------------------------- opening */

/* The rows: those of the only table, the root, or the only member of the root. */
static pith_status stream_find_rows(arrow_stream *s, pith_error *err)
{
    const pith_doc *doc = s->doc;
    const pith_slot *root = &doc->slots[0];
    bool table = doc->table_count == 1 && !doc->tables[0].single;
    s->rows = 0;
    if (table) {
        s->table = &doc->tables[0];
        s->rows = s->table->at;
    } else if (root->kind == PITH_OBJECT && root->n == 1) {
        s->rows = 1;
    }
    if (doc->slots[s->rows].kind == PITH_ARRAY && doc_all_objects(doc, s->rows)) {
        s->at = s->rows + 1;
        return PITH_OK;
    }
    return error_set(err, PITH_UNREPRESENTABLE, "not_a_table",
                     "a table of Arrow is made of an array of objects, or of an object "
                     "with such an array and nothing else");
}

static pith_status stream_find_types(arrow_stream *s, const pith_arrow_plan *plan,
                                     pith_error *err)
{
    if (!plan->want) {
        return arrow_types_guess(&s->types, s->doc, s->rows, s->table, plan->look,
                                 s->alloc, err);
    }
    pith_status status = arrow_types_read(&s->types, plan->want, s->alloc, err);
    if (status == PITH_OK)
        status = arrow_types_check_table(&s->types, err);
    return status == PITH_OK ? arrow_types_check_wanted(&s->types, err) : status;
}

static pith_status stream_start(arrow_stream *s, const pith_arrow_plan *plan,
                                pith_error *err)
{
    static const pith_arrow_plan plain = {0};
    if (!plan)
        plan = &plain;
    pith_status status = check_size("plan", plan->size, sizeof *plan, err);
    if (status == PITH_OK)
        status = stream_find_rows(s, err);
    if (status == PITH_OK)
        status = stream_find_types(s, plan, err);
    if (status != PITH_OK)
        return status;
    s->batch_rows = plan->batch_rows ? plan->batch_rows : (size_t)ARROW_BATCH_ROWS;
    s->has_batch = true;
    return arrow_batch_init(&s->batch, s->doc, &s->types, s->alloc)
               ? PITH_OK
               : error_no_memory(err);
}

static arrow_stream *stream_new(const pith_options *options, pith_error *err)
{
    pith_alloc alloc = alloc_from(options);
    arrow_stream *s = (arrow_stream *)alloc_zeroed(&alloc, sizeof *s);
    if (!s) {
        error_no_memory(err);
        return NULL;
    }
    s->alloc = alloc;
    s->text.alloc = alloc;
    s->types.alloc = alloc;
    arena_init(&s->types.texts, alloc);
    return s;
}

/* Hands the stream out, or frees it. */
static pith_status stream_hand_out(arrow_stream *s, pith_status status,
                                   struct ArrowArrayStream *out)
{
    memset(out, 0, sizeof *out);
    if (status != PITH_OK) {
        stream_free(s);
        return status;
    }
    out->get_schema = stream_get_schema;
    out->get_next = stream_get_next;
    out->get_last_error = stream_get_last_error;
    out->release = stream_release;
    out->private_data = s;
    return PITH_OK;
}

pith_status pith_arrow_read(const char *format, const char *text, size_t len,
                            const pith_arrow_plan *plan, const pith_options *options,
                            struct ArrowArrayStream *out, pith_error *err)
{
    memset(out, 0, sizeof *out);
    arrow_stream *s = stream_new(options, err);
    if (!s)
        return PITH_NO_MEMORY;
    pith_sink copy = pith_sink_buffer(&s->text);
    pith_status status = out_hand(copy, text, len, err);
    if (status == PITH_OK) {
        pith_error fault = {0};
        s->doc = pith_doc_parse(format, s->text.data, len, options, &fault);
        status = s->doc ? PITH_OK : error_copy(&fault, err);
    }
    if (status == PITH_OK)
        status = stream_start(s, plan, err);
    return stream_hand_out(s, status, out);
}

/* A document with a copy of the rows and nothing else. */
static pith_status stream_copy(arrow_stream *s, pith_value rows, pith_error *err)
{
    pith_options options = {.alloc = s->alloc, .depth_max = PITH_DEPTH_MOST};
    if (!rows.doc)
        return error_set(err, PITH_BAD_USE, "no_value", "there is no value to read");
    s->doc = pith_doc_new(&options);
    if (!s->doc)
        return error_no_memory(err);
    pith_doc_add_value(s->doc, rows);
    return pith_doc_finish(s->doc, err);
}

pith_status pith_value_arrow(pith_value rows, const pith_arrow_plan *plan,
                             const pith_options *options, struct ArrowArrayStream *out,
                             pith_error *err)
{
    memset(out, 0, sizeof *out);
    arrow_stream *s = stream_new(options, err);
    if (!s)
        return PITH_NO_MEMORY;
    pith_status status = stream_copy(s, rows, err);
    if (status == PITH_OK)
        status = stream_start(s, plan, err);
    return stream_hand_out(s, status, out);
}
