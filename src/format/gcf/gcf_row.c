/*
 * gcf_row.c - the header of a table and its rows.
 *
 *     [2]{id,"at>x","at>y",tags}      fields; two of them are columns of one
 *     @0 7|3|4|^                      a row with something below it is numbered
 *     8|~|~|-                         absent and null
 *
 * A field whose name holds a > would be taken for a path, so it is no column: it follows
 * below the rows that have it, after everything else.
 */
#include "format/gcf/gcf_encode.h"

#include <assert.h>

/* ---------------------------------------------------------------------- the header */

static inline char *gcf_put_path_part(gcf_pen *pen, char *to, const pith_key *key)
{
    if (key->len > PEN_LONG || (key->flags & SLOT_ESCAPE))
        return pen_put_escaped(pen->out, to, key->text, key->len, 0);
    return pen_room(pen->out, slot_copy_text(to, key->text, key->len, key->flags));
}

/* The names from the field to the key, one inside the other, as one quoted column. Names
 * that are repeated for every column count as indentation does: they too grow with the
 * square of the depth. */
static char *gcf_put_path(gcf_writer *w, char *to, const pith_key *field,
                          const pith_key *key)
{
    gcf_pen *pen = &w->pen;
    *to++ = '"';
    to = gcf_put_path_part(pen, to, field);
    *to++ = '>';
    for (size_t i = 0; i < w->levels.depth; i++) {
        const pith_key *inner = w->levels.at[i].key - 1; /* the one that was entered */
        pen->out->indented += inner->len + (uint64_t)1;
        to = gcf_put_path_part(pen, to, inner);
        *to++ = '>';
    }
    to = gcf_put_path_part(pen, to, key);
    *to++ = '"';
    return w->levels.depth >= PEN_SHALLOW ? pen_put_deep_indent(pen->out, to, 0) : to;
}

/* The columns of a flat field. When the output has failed the rest are left alone: the
 * paths alone would take time in the square of the depth. */
static char *gcf_put_paths(gcf_writer *w, char *to, const gcf_table_field *field)
{
    const pith_doc *doc = w->tables.doc;
    const pith_slot *at = field->sample + 1;
    doc_level level = doc_enter(doc, field->sample);
    bool first = true;
    w->levels.depth = 0;
    while (w->pen.out->status == PITH_OK) {
        while (at == level.end) {
            if (w->levels.depth == 0)
                return to;
            at = doc_leave(&level);
            level = levels_pop(&w->levels);
        }
        const pith_key *key = level.key++;
        if (at->kind == PITH_OBJECT) {
            if (!levels_push(&w->levels, level))
                return NULL;
            level = doc_enter(doc, at++);
            continue;
        }
        if (!first)
            *to++ = ',';
        first = false;
        to = pen_room(w->pen.out, gcf_put_path(w, to, field->key, key));
        at++;
    }
    return to;
}

/* The number of _ in a name like ___key; SIZE_MAX for any other. */
static size_t gcf_label_bars(const pith_key *name)
{
    size_t bars = 0;
    while (bars < name->len && name->text[bars] == '_')
        bars++;
    return text_is(text_after(key_text(name), bars), "key") ? bars : SIZE_MAX;
}

char *gcf_put_label(pith_out *out, char *to, const pith_key *names, size_t count)
{
    size_t bars = 0;
    uint64_t taken = 0;
    /* Which numbers of _ are taken is asked for 64 of them at a time. */
    for (;; bars += 64, taken = 0) {
        for (size_t i = 0; i < count; i++) {
            size_t number = gcf_label_bars(&names[i]) - bars;
            taken |= number < 64 ? UINT64_C(1) << number : 0;
        }
        if (taken != UINT64_MAX)
            break;
    }
    for (; taken & 1; taken >>= 1)
        bars++;
    out->at = to;
    for (size_t i = 0; i < bars; i++)
        out_byte(out, '_');
    out_bytes(out, "key,", 4);
    return pen_resume(out);
}

static char *gcf_put_field(gcf_writer *w, char *to, const gcf_table_field *field)
{
    if (field->form == GCF_FLAT)
        return gcf_put_paths(w, to, field);
    to = field->bare ? gcf_put_bare_key(&w->pen, to, field->key)
                     : gcf_put_quoted(&w->pen, to, field->key->text, field->key->len);
    to = pen_room(w->pen.out, to);
    if (field->form == GCF_CONSTANT) {
        *to++ = '=';
        to = gcf_put_constant(&w->pen, to, field->sample);
    }
    return to;
}

char *gcf_put_names(gcf_pen *pen, char *to, const pith_key *names, size_t count,
                    bool bare)
{
    assert(count > 0);
    for (size_t i = 0; i < count; i++) {
        to =
            bare ? gcf_put_bare_key(pen, to, &names[i]) : gcf_put_key(pen, to, &names[i]);
        to = pen_room(pen->out, to);
        *to++ = ',';
    }
    to[-1] = '}';
    return to;
}

static char *gcf_put_keys(gcf_writer *w, char *to, const pith_slot *object)
{
    bool bare = (gcf_know_keys(&w->tables, object) & GCF_KEYS_BARE) != 0;
    return gcf_put_names(&w->pen, to, doc_keys(w->tables.doc, object), object->n, bare);
}

static char *gcf_put_fields(gcf_writer *w, char *to, const gcf_table *table)
{
    const gcf_table_field *fields = gcf_fields(&w->tables, table);
    for (size_t i = 0; i < table->field_count; i++) {
        if (fields[i].columns == 0)
            continue;
        to = gcf_put_field(w, to, &fields[i]);
        if (!to)
            return NULL;
        to = pen_room(w->pen.out, to);
        *to++ = ',';
    }
    to[-1] = '}';
    return to;
}

char *gcf_put_header(gcf_writer *w, char *to, const gcf_table *table, bool known)
{
    *to++ = '[';
    to = pen_put_number(to, table->rows->n);
    if (table->key)
        *to++ = ':';
    *to++ = ']';
    if (known)
        return to;
    *to++ = '{';
    if (table->key) {
        const pith_key *names = table->simple
                                    ? doc_keys(w->tables.doc, table->rows + 1)
                                    : columns_names(&w->tables.columns, &table->columns);
        to = gcf_put_label(w->pen.out, to, names, table->field_count);
    }
    return table->simple ? gcf_put_keys(w, to, table->rows + 1)
                         : gcf_put_fields(w, to, table);
}

/* --------------------------------------------------------------------- attachments */

static bool gcf_put_below(gcf_writer *w, const pith_slot *value, const pith_key *key,
                          uint8_t form, bool bare)
{
    gcf_attachment *attachment = LIST_ADD(&w->attachments, &w->tables.alloc);
    if (!attachment)
        return false;
    *attachment = (gcf_attachment){value, key, form, bare};
    return true;
}

/* Of a row whose members are the first of the fields. */
static bool gcf_attach_members(gcf_writer *w, const gcf_table *table,
                               const pith_slot *row)
{
    const pith_key *keys = doc_keys(w->tables.doc, row);
    const gcf_table_field *fields = table->simple ? NULL : gcf_fields(&w->tables, table);
    const pith_slot *at = row + 1;
    for (uint32_t i = 0; i < row->n; i++) {
        if (!slot_is_container(at)) {
            at++;
            continue;
        }
        uint8_t form = fields ? fields[i].form : (uint8_t)GCF_PLAIN;
        bool bare = fields ? fields[i].bare : gcf_is_bare_key(keys[i].text, keys[i].len);
        if (form != GCF_FLAT && !gcf_put_below(w, at, &keys[i], form, bare))
            return false;
        at = w->tables.doc->slots + at->u.link.next;
    }
    return true;
}

/* Of any row: first what is in a column, then the fields that are none. */
static bool gcf_attach_cells(gcf_writer *w, const gcf_table *table,
                             const pith_slot *const *cells)
{
    const gcf_table_field *fields = gcf_fields(&w->tables, table);
    for (unsigned pathlike = 0; pathlike <= table->has_pathlike; pathlike++) {
        for (size_t i = table->attach_from; i < table->attach_until; i++) {
            const gcf_table_field *field = &fields[i];
            bool below = cells[i] &&
                         (pathlike ? field->columns == 0
                                   : field->columns > 0 && slot_is_container(cells[i]) &&
                                         field->form != GCF_FLAT);
            if (below &&
                !gcf_put_below(w, cells[i], field->key, field->form, field->bare))
                return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------------------- cells */

/* A mark in each column of a flat field whose object is not there. */
static char *gcf_put_marks(gcf_writer *w, char *to, char mark, uint32_t columns)
{
    assert(columns > 0);
    for (uint32_t i = 0; i < columns; i++) {
        to = pen_room(w->pen.out, to);
        *to++ = mark;
        *to++ = '|';
    }
    return to - 1;
}

static char *gcf_put_flat_cell(gcf_writer *w, char *to, const gcf_table_field *field,
                               const pith_slot *cell)
{
    if (!cell || cell->kind == PITH_NULL)
        return gcf_put_marks(w, to, cell ? '-' : '~', field->columns);
    const pith_slot *end = w->tables.doc->slots + cell->u.link.next;
    return gcf_put_cells(&w->pen, to, cell + 1, end, '|');
}

static char *gcf_put_cell(gcf_writer *w, char *to, const gcf_table *table,
                          const gcf_table_field *field, const pith_slot *cell)
{
    if (field->form == GCF_FLAT)
        return gcf_put_flat_cell(w, to, field, cell);
    if (!cell) {
        *to++ = '~';
        return to;
    }
    if (!slot_is_container(cell))
        return gcf_put_scalar(&w->pen, to, cell);
    *to++ = '^';
    if (field->form == GCF_INLINE && table->index == 0) {
        *to++ = '{';
        to = gcf_put_keys(w, to, cell);
    }
    return to;
}

/* ----------------------------------------------------------------------------- rows */

/* What is before the cells: the number of a row with attachments, and its key. */
static char *gcf_put_row_start(gcf_writer *w, char *to, gcf_table *table, bool numbered)
{
    if (numbered)
        to = gcf_put_id(to, table->index);
    if (table->key) {
        const pith_key *key = table->key++;
        to = gcf_put_string(&w->pen, to, key->text, key->len, key->flags);
        to = pen_room(w->pen.out, to);
        *to++ = '|';
    }
    return to;
}

static bool gcf_has_container(const pith_slot *row)
{
    unsigned containers = 0;
    for (uint32_t i = 1; i <= row->n; i++)
        containers |= row[i].kind >= PITH_ARRAY;
    return containers != 0;
}

/* Twice in the program: with `cells`, and where they are known to be NULL. */
static ALWAYS_INLINE char *gcf_put_each_cell(gcf_writer *w, char *to,
                                             const gcf_table *table, const pith_slot *row,
                                             const pith_slot *const *cells)
{
    static const gcf_table_field plain = {.form = GCF_PLAIN, .columns = 1};
    const gcf_table_field *field = table->simple ? &plain : gcf_fields(&w->tables, table);
    const size_t step = table->simple ? 0 : 1;
    const pith_slot *at = row + 1;
    for (size_t i = 0; i < table->field_count; i++, field += step) {
        const pith_slot *cell = cells ? cells[i] : i < row->n ? at : NULL;
        if (field->form == GCF_PLAIN && cell && !slot_is_container(cell)) {
            to = gcf_put_scalar(&w->pen, to, cell);
            at++;
        } else if (!cells || (field->columns > 0 && field->form != GCF_CONSTANT)) {
            to = gcf_put_cell(w, to, table, field, cell);
            at = !cells && cell ? doc_after(w->tables.doc, cell) : at;
        } else {
            continue;
        }
        to = pen_room(w->pen.out, to);
        *to++ = '|';
    }
    return to - 1;
}

char *gcf_put_row_cells(gcf_writer *w, char *to, const gcf_table *table,
                        const pith_slot *row, const pith_slot *const *cells)
{
    return cells ? gcf_put_each_cell(w, to, table, row, cells)
                 : gcf_put_each_cell(w, to, table, row, NULL);
}

/* Puts aside what has to be written below the row. */
static bool gcf_put_attachments(gcf_writer *w, const gcf_table *table,
                                const pith_slot *row, const pith_slot *const *cells)
{
    return cells ? gcf_attach_cells(w, table, cells)
                 : (!table->simple && table->attach_until == 0) ||
                       gcf_attach_members(w, table, row);
}

char *gcf_put_row(gcf_writer *w, char *to, gcf_table *table, uint64_t depth)
{
    assert(table->index < table->rows->n);
    const pith_slot *row = table->row;
    const pith_slot *const *cells = NULL;
    size_t attachments = w->attachments.count;
    bool flat = table->simple && !gcf_has_container(row);
    bool in_order =
        table->simple || (table->only_columns && columns_are_first(&table->columns, row));
    if (!in_order)
        cells = gcf_row_cells(&w->tables, table, row);
    if ((!in_order && !cells) || (!flat && !gcf_put_attachments(w, table, row, cells)))
        return NULL;
    to = gcf_put_indent(&w->pen, to, depth);
    to = gcf_put_row_start(w, to, table, w->attachments.count > attachments);
    to = flat ? gcf_put_cells(&w->pen, to, row + 1, row + 1 + row->n, '|')
              : gcf_put_row_cells(w, to, table, row, cells);
    *to++ = '\n';
    table->row = w->tables.doc->slots + row->u.link.next;
    table->index++;
    return to;
}
