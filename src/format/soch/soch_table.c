/*
 * soch_table.c - tables of either form while they are read, and references.
 *
 * Text and binary differ in how a table is written. What becomes of it is the same: fields
 * and their layout, a table of the document, an array of rows, and at the end one root.
 */
#include "format/soch/soch_read.h"
#include "base/print.h"
#include "doc/spelled.h"

bool soch_bad_cell(soch_reader *r, const char *at, const char *code, const char *format,
                   ...)
{
    char sentence[sizeof r->report->first.message];
    va_list args;
    va_start(args, format);
    print_list(sentence, sizeof sentence, format, args);
    va_end(args);
    pith_text name =
        r->column < r->layout.count ? r->layout.fields[r->column].name : text_of("", 0);
    return read_bad(&r->in, at, code, "row %llu, field \"%s\": %s",
                    (unsigned long long)r->rows + 1, error_quote(name.ptr, name.len).text,
                    sentence);
}

/* ----------------------------------------------------------------------- headers */

bool soch_keep_name(soch_reader *r, pith_text *name)
{
    if (name->len > SLOT_TEXT_MOST)
        return soch_built(r, BUILD_TOO_LARGE);
    name->ptr = arena_copy(r->names, name->ptr, name->len);
    return name->ptr || read_failed(&r->in);
}

pith_field *soch_add_field(soch_reader *r)
{
    pith_field *field = LIST_ADD(&r->fields, &r->doc->alloc);
    if (field)
        memset(field, 0, sizeof *field);
    else
        read_failed(&r->in);
    return field;
}

bool soch_use_fields(soch_reader *r, const char *at, const char *where)
{
    size_t twin;
    if (!soch_layout_make(&r->layout, r->doc, r->names, r->fields.at, r->fields.count,
                          &twin))
        return read_failed(&r->in);
    if (twin == SIZE_MAX)
        return true;
    assert(twin < r->fields.count);
    pith_text name = r->fields.at[twin].name;
    return read_bad(&r->in, at, "duplicate_key",
                    "field %zu%s is named \"%s\", as one before it", twin + 1, where,
                    error_quote(name.ptr, name.len).text);
}

bool soch_add_table(soch_reader *r, pith_text name, bool unnamed, bool marked)
{
    doc_table *table = doc_add_table(r->doc);
    if (!table)
        return read_failed(&r->in);
    table->name = name;
    table->unnamed = unnamed;
    table->single = unnamed && marked && r->layout.count == 1 && r->count == 1;
    table->fields = r->layout.fields;
    table->field_count = r->layout.count;
    r->rows = 0;
    return true;
}

/* ------------------------------------------------------------------------ tables */

bool soch_open_table(soch_reader *r)
{
    pith_doc *doc = r->doc;
    r->lent_depth += soch_lend_depth(doc);
    if (!soch_built(r, build_open(doc, PITH_ARRAY)))
        return false;
    doc->tables[doc->table_count - 1].at = doc->open;
    return true;
}

bool soch_tell_progress(soch_reader *r)
{
    r->stop = !report_goes_on(r->report, read_at(&r->in, r->at)) || r->stop;
    return !r->stop;
}

void soch_reader_free(soch_reader *r, const pith_alloc *alloc)
{
    LIST_FREE(&r->fields, alloc);
    LIST_FREE(&r->left, alloc);
}

/* All tables have been read: the value that they are. */
static void soch_finish(soch_reader *r, bool wrapped)
{
    pith_doc *doc = r->doc;
    size_t lent = r->lent_depth;
    doc->depth_max -= lent;
    r->lent_depth = 0;
    if (r->report->count > 0)
        return;
    if ((wrapped && build_close(doc) != BUILD_DONE) || !soch_make_root(doc, wrapped) ||
        !doc_place_digits(doc)) {
        read_failed(&r->in);
        return;
    }
    doc_mark_near_end(doc, r->report->input, 0);
    doc->finished = true;
    if (soch_is_too_deep(doc, lent))
        soch_built(r, BUILD_TOO_DEEP);
}

void soch_read_tables(soch_reader *r, bool wrapped, bool (*read)(soch_reader *r))
{
    if (wrapped && build_open(r->doc, PITH_ARRAY) != BUILD_DONE) {
        read_failed(&r->in);
        return;
    }
    while (read(r)) {
    }
    soch_finish(r, wrapped);
    soch_reader_free(r, &r->doc->alloc);
}

/* -------------------------------------------------------------------- references */

/* Opens the object of a reference, with its keys. In a document that has no room for more
 * shapes they are a list. */
static build_result soch_open_ref(soch_reader *r)
{
    static const char *const keys[] = {TYPED_REF_KEY, TYPED_REF_ID_KEY};
    pith_doc *doc = r->doc;
    bool known = r->ref_shape != SHAPE_NONE;
    uint16_t start = known ? r->ref_shape : (uint16_t)SHAPE_EMPTY;
    build_result result = build_open_shaped(doc, PITH_OBJECT, start);
    for (size_t i = 0; i < 2 && !known && result == BUILD_DONE; i++)
        result = build_key(doc, SLOT_NEAR_END, keys[i], strlen(keys[i]));
    if (result == BUILD_DONE) {
        r->ref_shape = doc->slots[doc->open].shape;
        doc->slots[doc->open].flags = SLOT_TYPED;
    }
    return result;
}

bool soch_build_ref(soch_reader *r, pith_text table, uint8_t flags, pith_text id)
{
    pith_doc *doc = r->doc;
    uint8_t plain = id.len <= 18 ? SLOT_CANONICAL : 0;
    return soch_built(r, soch_open_ref(r)) &&
           soch_built(r, build_text(doc, PITH_STRING, flags, table.ptr, table.len)) &&
           soch_built(r, build_text(doc, PITH_INTEGER, plain, id.ptr, id.len)) &&
           soch_built(r, build_close(doc));
}

bool soch_spell_ref(soch_reader *r, size_t at)
{
    pith_doc *doc = r->doc;
    assert(at + 2 < doc->count);
    pith_text table = slot_text(&doc->slots[at + 1]);
    pith_text id = slot_text(&doc->slots[at + 2]);
    if (!r->refs || !soch_is_identifier(table))
        return true;
    size_t len = table.len + id.len + strlen("ref(,)");
    if (len > SLOT_TEXT_MOST)
        return soch_built(r, BUILD_TOO_LARGE);
    char *text = arena_take(&doc->arena, len);
    if (!text)
        return read_failed(&r->in);
    memcpy(text, "ref(", 4);
    memcpy(text + 4, table.ptr, table.len);
    text[4 + table.len] = ',';
    memcpy(text + 5 + table.len, id.ptr, id.len);
    text[len - 1] = ')';
    slot_set(&doc->slots[at], PITH_STRING, build_text_flags(text, len), text, len);
    doc->count = at + 1;
    return true;
}

/* -------------------------------------------------------------------- row by row */

void soch_rows_place(soch_rows *rows, const read_job *job)
{
    soch_reader *r = &rows->reader;
    if (!r->names) {
        arena_init(&rows->names, job->doc->alloc);
        r->names = &rows->names;
    }
    read_init(&r->in, job->doc, job->report->input, job->report);
    r->waits = !job->ended;
    r->at = job->input.ptr;
    r->digits = NULL; /* they were in the document's arena */
    r->digits_end = NULL;
    r->ref_shape = SHAPE_NONE;
}

read_event soch_rows_begin(soch_rows *rows, read_job *job)
{
    pith_doc *doc = job->doc;
    const doc_table *table = &doc->tables[doc->table_count - 1];
    if (table->single)
        return READ_COLLECT;
    rows->begun = true;
    rows->named = !table->unnamed;
    rows->renewed = doc->shapes.renewed;
    doc->table_count = 0;
    return READ_ROW;
}

bool soch_rows_renew(soch_rows *rows)
{
    soch_reader *r = &rows->reader;
    pith_doc *doc = r->doc;
    if (rows->renewed != doc->shapes.renewed && !soch_layout_renew(&r->layout, doc))
        return read_failed(&r->in);
    rows->renewed = doc->shapes.renewed;
    doc->depth = rows->named ? 2 : 1; /* as deep as it would be in the table */
    return true;
}

void soch_not_a_table(soch_reader *r)
{
    read_bad(&r->in, r->at, "not_a_table",
             "expected nothing after the table: rows are handed out one by one only "
             "of a text that is one table; read this one whole");
}

void soch_rows_close(void *state, const pith_alloc *alloc)
{
    soch_rows *rows = (soch_rows *)state;
    soch_reader_free(&rows->reader, alloc);
    if (rows->reader.names)
        arena_free(&rows->names);
}

size_t soch_rows_columns(const void *state, const pith_doc *doc, pith_text *names,
                         size_t room)
{
    const soch_rows *rows = (const soch_rows *)state;
    (void)doc;
    size_t count = rows->begun ? rows->reader.layout.count : 0;
    for (size_t i = 0; i < count && i < room; i++)
        names[i] = rows->reader.layout.fields[i].name;
    return count;
}
