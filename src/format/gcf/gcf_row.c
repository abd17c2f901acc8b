/*
 * gcf_row.c - the header of a table and its rows.
 *
 *     [2]{id,"at>x","at>y",tags}      fields; two of them are columns of one
 *     @0 7|3|4|^                      a row with something below it is numbered
 *     8|~|~|-                         absent and null
 *
 * A field whose name holds a > would be taken for a path, so it is no column: it follows
 * below the rows that have it, behind everything else.
 */
#include "format/gcf/gcf_encode.h"

/* ---------------------------------------------------------------------- the header */

static inline char *gcf_put_path_part(gcf_pen *pen, char *to, const pith_key *key)
{
    if (key->len > PEN_LONG || (key->flags & SLOT_ESCAPE)) {
        return pen_put_escaped(pen->out, to, key->text, key->len, 0);
    }
    return gcf_make_room(pen->out, slot_copy_text(to, key->text, key->len, key->flags));
}

/* The names in `path`, one inside the other, and the key as one quoted column. Names
 * that are repeated for every column count as indentation does: they too grow with the
 * square of the depth. */
static char *gcf_put_path(gcf_writer *w, char *to, const pith_key *key)
{
    gcf_pen *pen = &w->pen;
    const pith_key **path = w->path.at;
    *to++ = '"';
    for (size_t i = 0; i < w->path.count; i++) {
        pen->out->indented += i > 0 ? path[i]->len + (uint64_t)1 : 0;
        to = gcf_put_path_part(pen, to, path[i]);
        *to++ = '>';
    }
    to = gcf_put_path_part(pen, to, key);
    *to++ = '"';
    return w->path.count > PEN_SHALLOW ? pen_put_deep_indent(pen->out, to, 0) : to;
}

/* A place inside an object. */
typedef struct gcf_place {
    const pith_slot *at;
    const pith_slot *end;
    const pith_key *key;
} gcf_place;

static gcf_place gcf_enter(const gcf_tables *tables, const pith_slot *object)
{
    gcf_place place;
    place.at = object + 1;
    place.end = tables->doc->slots + doc_children_end(object);
    place.key = doc_keys(tables->doc, object);
    return place;
}

/* Goes on behind the object that has ended; its key is the last of the path. */
static gcf_place gcf_leave(gcf_writer *w, const pith_slot *object)
{
    const pith_doc *doc = w->tables.doc;
    const pith_slot *outer = &doc->slots[object->u.link.parent];
    gcf_place place;
    place.at = doc->slots + object->u.link.next;
    place.end = doc->slots + doc_children_end(outer);
    place.key = w->path.at[--w->path.count] + 1;
    return place;
}

static bool gcf_push_path(gcf_writer *w, const pith_key *key)
{
    const pith_key **top = LIST_ADD(&w->path, &w->tables.alloc);
    if (!top) {
        return false;
    }
    *top = key;
    return true;
}

/* The columns of a flat field. When the output has failed the rest are left alone: the
 * paths alone would take time in the square of the depth. */
static char *gcf_put_paths(gcf_writer *w, char *to, const gcf_table_field *field)
{
    const pith_slot *object = field->sample;
    gcf_place place = gcf_enter(&w->tables, object);
    bool first = true;
    w->path.count = 0;
    if (!gcf_push_path(w, field->key)) {
        return NULL;
    }
    while (w->pen.out->status == PITH_OK) {
        while (place.at == place.end) {
            if (object == field->sample) {
                return to;
            }
            const pith_slot *outer = &w->tables.doc->slots[object->u.link.parent];
            place = gcf_leave(w, object);
            object = outer;
        }
        if (place.at->kind == PITH_OBJECT) {
            object = place.at;
            if (!gcf_push_path(w, place.key)) {
                return NULL;
            }
            place = gcf_enter(&w->tables, object);
            continue;
        }
        if (!first) {
            *to++ = ',';
        }
        first = false;
        to = gcf_make_room(w->pen.out, gcf_put_path(w, to, place.key));
        place.at++;
        place.key++;
    }
    return to;
}

void gcf_label_meet(gcf_label *label, const char *name, size_t len)
{
    size_t lines = len >= 3 ? len - 3 : SIZE_MAX;
    if (lines < label->least || lines - label->least > 63 ||
        memcmp(name + lines, "key", 3) != 0) {
        return;
    }
    size_t at = 0;
    while (at < lines && name[at] == '_') {
        at++;
    }
    label->taken |= at == lines ? UINT64_C(1) << (lines - label->least) : 0;
}

bool gcf_label_decide(gcf_label *label)
{
    if (label->taken == UINT64_MAX) {
        label->least += 64;
        label->taken = 0;
        return false;
    }
    for (; label->taken & 1; label->taken >>= 1) {
        label->least++;
    }
    return true;
}

char *gcf_put_label(pith_out *out, char *to, const gcf_label *label)
{
    out->at = to;
    for (size_t i = 0; i < label->least; i++) {
        out_byte(out, '_');
    }
    out_bytes(out, "key,", 4);
    return pen_resume(out);
}

static char *gcf_put_table_label(gcf_writer *w, char *to, const gcf_table *table)
{
    const bool simple = table->simple;
    const gcf_table_field *fields = simple ? NULL : gcf_fields(&w->tables, table);
    const pith_key *keys = simple ? doc_keys(w->tables.doc, table->rows + 1) : NULL;
    gcf_label label = {0, 0};
    do {
        for (size_t i = 0; i < table->field_count; i++) {
            const pith_key *name = simple ? &keys[i] : fields[i].key;
            gcf_label_meet(&label, name->text, name->len);
        }
    } while (!gcf_label_decide(&label));
    return gcf_put_label(w->pen.out, to, &label);
}

static char *gcf_put_field(gcf_writer *w, char *to, const gcf_table_field *field)
{
    if (field->form == GCF_FLAT) {
        return gcf_put_paths(w, to, field);
    }
    to = field->bare ? gcf_put_bare_key(&w->pen, to, field->key)
                     : gcf_put_quoted(&w->pen, to, field->key->text, field->key->len);
    to = gcf_make_room(w->pen.out, to);
    if (field->form == GCF_CONSTANT) {
        *to++ = '=';
        to = gcf_put_constant(&w->pen, to, field->sample);
    }
    return to;
}

static char *gcf_put_keys(gcf_writer *w, char *to, const pith_slot *object)
{
    const pith_key *keys = doc_keys(w->tables.doc, object);
    bool bare = (gcf_know_keys(&w->tables, object) & GCF_KEYS_BARE) != 0;
    for (uint32_t i = 0; i < object->n; i++) {
        to = bare ? gcf_put_bare_key(&w->pen, to, &keys[i])
                  : gcf_put_key(&w->pen, to, &keys[i]);
        to = gcf_make_room(w->pen.out, to);
        *to++ = ',';
    }
    to[-1] = '}';
    return to;
}

static char *gcf_put_fields(gcf_writer *w, char *to, const gcf_table *table)
{
    const gcf_table_field *fields = gcf_fields(&w->tables, table);
    for (size_t i = 0; i < table->field_count; i++) {
        if (fields[i].columns == 0) {
            continue;
        }
        to = gcf_put_field(w, to, &fields[i]);
        if (!to) {
            return NULL;
        }
        to = gcf_make_room(w->pen.out, to);
        *to++ = ',';
    }
    to[-1] = '}';
    return to;
}

char *gcf_put_header(gcf_writer *w, char *to, const gcf_table *table, bool known)
{
    *to++ = '[';
    to = pen_put_number(to, table->rows->n);
    if (table->key) {
        *to++ = ':';
    }
    *to++ = ']';
    if (known) {
        return to;
    }
    *to++ = '{';
    if (table->key) {
        to = gcf_put_table_label(w, to, table);
    }
    return table->simple ? gcf_put_keys(w, to, table->rows + 1)
                         : gcf_put_fields(w, to, table);
}

/* --------------------------------------------------------------------- attachments */

static bool gcf_put_below(gcf_writer *w, const pith_slot *value,
                          const gcf_table_field *field)
{
    gcf_attachment *attachment = LIST_ADD(&w->attachments, &w->tables.alloc);
    if (!attachment) {
        return false;
    }
    attachment->value = value;
    attachment->key = field->key;
    attachment->form = field->form;
    attachment->bare = field->bare;
    return true;
}

/* The empty containers of a shallow row. */
static bool gcf_attach_empty(gcf_writer *w, const pith_slot *row)
{
    gcf_table_field field;
    memset(&field, 0, sizeof field);
    field.form = GCF_PLAIN;
    field.key = doc_keys(w->tables.doc, row);
    for (uint32_t i = 1; i <= row->n; i++, field.key++) {
        if (slot_is_container(&row[i])) {
            field.bare = gcf_is_bare_key(field.key->text, field.key->len);
            if (!gcf_put_below(w, &row[i], &field)) {
                return false;
            }
        }
    }
    return true;
}

static bool gcf_attach_cells(gcf_writer *w, const gcf_table *table,
                             const pith_slot *const *cells)
{
    const gcf_table_field *fields = gcf_fields(&w->tables, table);
    for (size_t i = table->attach_from; i < table->attach_until; i++) {
        if (cells[i] && slot_is_container(cells[i]) && fields[i].columns > 0 &&
            fields[i].form != GCF_FLAT && !gcf_put_below(w, cells[i], &fields[i])) {
            return false;
        }
    }
    for (size_t i = table->attach_from; i < table->attach_until && table->has_pathlike;
         i++) {
        if (cells[i] && fields[i].columns == 0 &&
            !gcf_put_below(w, cells[i], &fields[i])) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------------------- cells */

/* A mark in each column of a flat field whose object is not there. */
static char *gcf_put_marks(gcf_writer *w, char *to, char mark, uint32_t columns)
{
    for (uint32_t i = 0; i < columns; i++) {
        to = gcf_make_room(w->pen.out, to);
        *to++ = mark;
        *to++ = '|';
    }
    return to - 1;
}

static char *gcf_put_flat_cell(gcf_writer *w, char *to, const gcf_table_field *field,
                               const pith_slot *cell)
{
    if (!cell || cell->kind == PITH_NULL) {
        return gcf_put_marks(w, to, cell ? '-' : '~', field->columns);
    }
    const pith_slot *end = w->tables.doc->slots + cell->u.link.next;
    return gcf_put_cells(&w->pen, to, cell + 1, end, '|');
}

static char *gcf_put_cell(gcf_writer *w, char *to, const gcf_table *table,
                          const gcf_table_field *field, const pith_slot *cell)
{
    if (field->form == GCF_FLAT) {
        return gcf_put_flat_cell(w, to, field, cell);
    }
    if (!cell) {
        *to++ = '~';
        return to;
    }
    if (!slot_is_container(cell)) {
        return gcf_put_scalar(&w->pen, to, cell);
    }
    *to++ = '^';
    if (field->form == GCF_INLINE && table->index == 0) {
        *to++ = '{';
        to = gcf_put_keys(w, to, cell);
    }
    return to;
}

/* ----------------------------------------------------------------------------- rows */

/* What stands before the cells: the number of a row with attachments, and its key. */
static char *gcf_put_row_start(gcf_writer *w, char *to, gcf_table *table, bool numbered)
{
    if (numbered) {
        to = gcf_put_id(to, table->index);
    }
    if (table->key) {
        const pith_key *key = table->key++;
        to = gcf_put_string(&w->pen, to, key->text, key->len, key->flags);
        to = gcf_make_room(w->pen.out, to);
        *to++ = '|';
    }
    return to;
}

static bool gcf_has_container(const pith_slot *row)
{
    unsigned containers = 0;
    for (uint32_t i = 1; i <= row->n; i++) {
        containers |= row[i].kind >= PITH_ARRAY;
    }
    return containers != 0;
}

static char *gcf_put_simple_row(gcf_writer *w, char *to, gcf_table *table,
                                const pith_slot *row)
{
    bool numbered = gcf_has_container(row);
    to = gcf_put_row_start(w, to, table, numbered);
    if (!numbered) {
        return gcf_put_cells(&w->pen, to, row + 1, row + 1 + row->n, '|');
    }
    for (uint32_t i = 1; i <= row->n; i++) {
        if (slot_is_container(&row[i])) {
            *to++ = '^';
        } else {
            to = gcf_put_scalar(&w->pen, to, &row[i]);
        }
        to = gcf_make_room(w->pen.out, to);
        *to++ = '|';
    }
    return gcf_attach_empty(w, row) ? to - 1 : NULL;
}

/* Any row: its values are first put where their fields are. */
static char *gcf_put_crooked_row(gcf_writer *w, char *to, gcf_table *table,
                                 const pith_slot *row)
{
    size_t attachments = w->attachments.count;
    const pith_slot **cells = gcf_row_cells(&w->tables, table, row);
    const gcf_table_field *fields = gcf_fields(&w->tables, table);
    if (!cells || !gcf_attach_cells(w, table, cells)) {
        return NULL;
    }
    to = gcf_put_row_start(w, to, table, w->attachments.count > attachments);
    for (size_t i = 0; i < table->field_count; i++) {
        if (fields[i].form == GCF_PLAIN && cells[i] && !slot_is_container(cells[i])) {
            to = gcf_put_scalar(&w->pen, to, cells[i]);
        } else if (fields[i].columns > 0 && fields[i].form != GCF_CONSTANT) {
            to = gcf_put_cell(w, to, table, &fields[i], cells[i]);
        } else {
            continue;
        }
        to = gcf_make_room(w->pen.out, to);
        *to++ = '|';
    }
    return to - 1;
}

/* The values of a straight row that stand below it. */
static bool gcf_attach_straight(gcf_writer *w, const gcf_table *table,
                                const pith_slot *row)
{
    const pith_doc *doc = w->tables.doc;
    const gcf_table_field *fields = gcf_fields(&w->tables, table);
    const pith_slot *at = row + 1;
    for (uint32_t i = 0; i < row->n; i++) {
        if (slot_is_container(at)) {
            if (fields[i].form != GCF_FLAT && !gcf_put_below(w, at, &fields[i])) {
                return false;
            }
            at = doc->slots + at->u.link.next;
        } else {
            at++;
        }
    }
    return true;
}

/* A row whose members are the first of the fields. */
static char *gcf_put_straight_row(gcf_writer *w, char *to, gcf_table *table,
                                  const pith_slot *row)
{
    size_t attachments = w->attachments.count;
    const gcf_table_field *fields = gcf_fields(&w->tables, table);
    const pith_slot *at = row + 1;
    if (table->attach_until > 0 && !gcf_attach_straight(w, table, row)) {
        return NULL;
    }
    to = gcf_put_row_start(w, to, table, w->attachments.count > attachments);
    for (size_t i = 0; i < table->field_count; i++) {
        const pith_slot *cell = i < row->n ? at : NULL;
        if (fields[i].form == GCF_PLAIN && cell && !slot_is_container(cell)) {
            to = gcf_put_scalar(&w->pen, to, cell);
            at++;
        } else {
            to = gcf_put_cell(w, to, table, &fields[i], cell);
            at = cell ? gcf_behind(w->tables.doc, cell) : at;
        }
        to = gcf_make_room(w->pen.out, to);
        *to++ = '|';
    }
    return to - 1;
}

static char *gcf_put_listed_row(gcf_writer *w, char *to, gcf_table *table,
                                const pith_slot *row)
{
    bool straight = gcf_is_straight(table, row) && table->only_columns;
    return straight ? gcf_put_straight_row(w, to, table, row)
                    : gcf_put_crooked_row(w, to, table, row);
}

char *gcf_put_row(gcf_writer *w, char *to, gcf_table *table, uint64_t depth)
{
    const pith_slot *row = table->row;
    to = gcf_put_indent(&w->pen, to, depth);
    to = table->simple ? gcf_put_simple_row(w, to, table, row)
                       : gcf_put_listed_row(w, to, table, row);
    if (to) {
        *to++ = '\n';
        table->row = w->tables.doc->slots + row->u.link.next;
        table->index++;
    }
    return to;
}
