/*
 * gcf_table.c - the fields of a table and how its rows fill them.
 */
#include "format/gcf/gcf_table.h"

#include <assert.h>

void gcf_tables_init(gcf_tables *tables, const pith_doc *doc, const gcf_options *options,
                     pith_alloc alloc)
{
    memset(tables, 0, sizeof *tables);
    tables->alloc = alloc;
    tables->doc = doc;
    tables->options = *options;
    columns_init(&tables->columns, doc, alloc);
}

void gcf_tables_free(gcf_tables *tables)
{
    const pith_alloc *alloc = &tables->alloc;
    columns_free(&tables->columns);
    LIST_FREE(&tables->fields, alloc);
    LIST_FREE(&tables->names, alloc);
    alloc_free(alloc, tables->objects, tables->doc->count);
}

static void gcf_table_begin(gcf_tables *tables, gcf_table *table,
                            const pith_slot *container)
{
    assert(slot_is_container(container) && container->n > 0);
    memset(table, 0, sizeof *table);
    table->rows = container;
    table->row = container + 1;
    table->key = container->kind == PITH_OBJECT ? doc_keys(tables->doc, container) : NULL;
    table->fields = tables->fields.count;
    table->names = tables->names.count;
    columns_open(&tables->columns, &table->columns);
}

void gcf_table_close(gcf_tables *tables, const gcf_table *table)
{
    assert(table->fields <= tables->fields.count);
    columns_close(&tables->columns, &table->columns);
    tables->fields.count = table->fields;
    tables->names.count = table->names;
}

/* ------------------------------------------------------------------------ keys */

static uint8_t gcf_look_at_keys(const pith_key *keys, uint32_t count)
{
    unsigned known = GCF_KEYS_KNOWN | GCF_KEYS_BARE | GCF_KEYS_CLEAN;
    for (uint32_t i = 0; i < count; i++) {
        if (!gcf_is_bare_key(keys[i].text, keys[i].len)) {
            known &= ~(unsigned)GCF_KEYS_BARE;
            if (keys[i].len == 0 || gcf_is_pathlike(&keys[i]))
                return GCF_KEYS_KNOWN;
        }
    }
    return (uint8_t)known;
}

uint8_t gcf_know_keys(gcf_tables *tables, const pith_slot *object)
{
    column_shape *shape = object->shape != SHAPE_NONE
                              ? columns_shape(&tables->columns, object->shape)
                              : NULL;
    if (shape && shape->note)
        return shape->note;
    uint8_t known = gcf_look_at_keys(doc_keys(tables->doc, object), object->n);
    if (shape) /* if not, it is asked again */
        shape->note = known;
    return known;
}

/* ------------------------------------------------------------------- the fields */

static void gcf_field_init(const gcf_tables *tables, gcf_table_field *field,
                           const pith_key *key, bool bare)
{
    memset(field, 0, sizeof *field);
    field->key = key;
    field->columns = 1;
    field->bare = bare || gcf_is_bare_key(key->text, key->len);
    field->may_be_flat = tables->options.flatten && key->len > 0;
    field->may_be_inline = tables->options.inline_schema;
    field->may_be_shared = tables->options.shared_schema;
}

bool gcf_add_fields(gcf_tables *tables, gcf_table *table, const pith_slot *row,
                    const uint32_t *map)
{
    assert(table->columns.count > table->field_count);
    size_t more = table->columns.count - table->field_count;
    const pith_key *keys = doc_keys(tables->doc, row);
    bool bare =
        table->field_count == 0 && (gcf_know_keys(tables, row) & GCF_KEYS_BARE) != 0;
    gcf_table_field *field = LIST_ROOM(&tables->fields, &tables->alloc, more + 1);
    if (!field)
        return false;
    for (uint32_t i = map ? 0 : (uint32_t)table->field_count; i < row->n; i++)
        if (!map || map[i] >= table->field_count)
            gcf_field_init(tables, field++, &keys[i], bare);
    assert(field == tables->fields.at + tables->fields.count + more);
    tables->fields.count += more;
    table->field_count += more;
    return true;
}

/* ------------------------------------------------------------------- meeting values */

static bool gcf_meet_container(gcf_tables *tables, const gcf_table *table, size_t index,
                               const pith_slot *value, bool first_row)
{
    assert(slot_is_container(value) && index < table->field_count);
    gcf_table_field *field = gcf_fields(tables, table) + index;
    if (!field->sample && !first_row) {
        /* What is named in the first row must be in the first row. */
        field->may_be_inline = false;
        field->may_be_shared = false;
    }
    return value->kind == PITH_OBJECT
               ? gcf_meet_object(tables, field, value)
               : gcf_meet_array(tables, table->fields + index, value);
}

/* Shows the values of a row to their fields. Tables that are opened meanwhile move the
 * stacks. */
static bool gcf_meet_values(gcf_tables *tables, gcf_table *table, const pith_slot *row,
                            const uint32_t *map, bool first_row)
{
    const pith_slot *at = row + 1;
    gcf_table_field *fields = gcf_fields(tables, table);
    for (uint32_t k = 0; k < row->n; k++) {
        uint32_t index = map ? map[k] : k;
        assert(index < table->field_count);
        fields[index].seen |= (uint16_t)GCF_SEEN(at->kind);
        if (at->kind < PITH_ARRAY) {
            at++;
            continue;
        }
        if (!gcf_meet_container(tables, table, index, at, first_row))
            return false;
        fields = gcf_fields(tables, table);
        map = map ? columns_map(&tables->columns, &table->columns) : NULL;
        at = tables->doc->slots + at->u.link.next;
    }
    return true;
}

static bool gcf_meet_row(gcf_tables *tables, gcf_table *table, const pith_slot *row,
                         bool first_row)
{
    const uint32_t *map;
    if (!gcf_row_map(tables, table, row, &map))
        return false;
    if (!map)
        return gcf_meet_values(tables, table, row, NULL, first_row);
    size_t held = columns_hold(&tables->columns, &table->columns, row);
    bool met = gcf_meet_values(tables, table, row, map, first_row);
    columns_release(&tables->columns, held);
    return met;
}

/* -------------------------------------------------------------------- the union */

/* One row more: a new shape brings new fields, a nested value tells what its field may
 * become. Rows before the first with a nested value are shown to the fields then. */
static bool gcf_survey_row(gcf_tables *tables, gcf_table *table, const pith_slot *row,
                           uint32_t index, bool *nested)
{
    const uint32_t *map;
    if (!*nested && !gcf_is_shallow(tables->doc, row)) {
        const pith_slot *before = table->rows + 1;
        *nested = true;
        for (uint32_t i = 0; i < index; i++) {
            if (!gcf_meet_row(tables, table, before, i == 0))
                return false;
            before = tables->doc->slots + before->u.link.next;
        }
    }
    return *nested ? gcf_meet_row(tables, table, row, index == 0)
                   : gcf_row_map(tables, table, row, &map);
}

/* Whether most cells of the table would be absent. */
static bool gcf_is_sparse(const gcf_tables *tables, const gcf_table *table)
{
    const pith_slot *row = table->rows + 1;
    uint64_t members = 0;
    for (uint32_t i = 0; i < table->rows->n; i++) {
        members += row->n;
        row = tables->doc->slots + row->u.link.next;
    }
    return members < (uint64_t)table->rows->n * table->field_count / 2;
}

/* Goes through all rows, if they are objects. With `nested`, what becomes of their values
 * is asked for as well; it tells whether some row holds more than scalars and empty
 * containers. */
static gcf_verdict gcf_survey_rows(gcf_tables *tables, gcf_table *table, bool *nested)
{
    const pith_slot *row = table->rows + 1;
    const uint32_t *map;
    for (uint32_t i = 0; i < table->rows->n; i++) {
        if (row->kind != PITH_OBJECT)
            return GCF_NO_TABLE;
        bool met = nested ? gcf_survey_row(tables, table, row, i, nested)
                          : gcf_row_map(tables, table, row, &map);
        if (!met)
            return GCF_NO_MEMORY;
        row = tables->doc->slots + row->u.link.next;
    }
    bool unwanted = tables->options.expand_sparse && gcf_is_sparse(tables, table);
    return table->field_count > 0 && !unwanted ? GCF_IS_TABLE : GCF_NO_TABLE;
}

gcf_verdict gcf_union_open(gcf_tables *tables, gcf_table *table,
                           const pith_slot *container)
{
    gcf_table_begin(tables, table, container);
    return gcf_survey_rows(tables, table, NULL);
}

/* -------------------------------------------------------------------- the forms */

static void gcf_decide(const gcf_tables *tables, gcf_table *table, gcf_table_field *field)
{
    unsigned kinds = field->seen & ~GCF_SEEN(PITH_NULL);
    bool pathlike = !field->bare && gcf_is_pathlike(field->key);
    bool shared = kinds == GCF_SEEN(PITH_ARRAY) && field->may_be_shared;
    if (pathlike) {
        table->has_pathlike = true;
        field->columns = 0;
        field->form = shared ? GCF_SHARED : GCF_PATHLIKE;
    } else if (kinds == GCF_SEEN(PITH_OBJECT) && field->may_be_flat) {
        field->form = GCF_FLAT;
        field->columns = gcf_count_leaves(tables, field->sample);
    } else if (kinds == GCF_SEEN(PITH_OBJECT) && field->may_be_inline) {
        field->form = GCF_INLINE;
    } else if (shared) {
        field->form = GCF_SHARED;
    }
}

/* True when some field is a column. */
static bool gcf_decide_all(const gcf_tables *tables, gcf_table *table, bool nested)
{
    gcf_table_field *fields = gcf_fields(tables, table);
    bool columns = false;
    table->attach_from = table->field_count;
    for (size_t i = 0; i < table->field_count; i++) {
        gcf_decide(tables, table, &fields[i]);
        columns |= fields[i].columns > 0;
        /* Where nothing is nested no value was looked at, but some may be empty
         * containers: they change nothing but are below their row all the same. */
        bool containers =
            !nested || (fields[i].seen & (GCF_SEEN(PITH_OBJECT) | GCF_SEEN(PITH_ARRAY)));
        if ((containers && fields[i].form != GCF_FLAT) || fields[i].columns == 0) {
            table->attach_from = i < table->attach_from ? i : table->attach_from;
            table->attach_until = i + 1;
        }
    }
    return columns;
}

/* -------------------------------------------------------------------- constants */

/* Makes the plain fields whose scalar is the same in all rows constants. */
static bool gcf_find_constants(gcf_tables *tables, gcf_table *table)
{
    const pith_slot *row = table->rows + 1;
    size_t left = 0;
    for (uint32_t i = 0; i < table->rows->n && (i == 0 || left > 0); i++) {
        const pith_slot *const *cells = gcf_row_cells(tables, table, row);
        if (!cells)
            return false;
        gcf_table_field *fields = gcf_fields(tables, table);
        for (size_t k = 0; k < table->field_count; k++) {
            gcf_table_field *field = &fields[k];
            bool scalar = cells[k] && cells[k]->kind < PITH_ARRAY;
            if (i == 0 && field->form == GCF_PLAIN && scalar) {
                field->form = GCF_CONSTANT;
                field->sample = cells[k];
                left++;
            } else if (i > 0 && field->form == GCF_CONSTANT &&
                       (!scalar || !gcf_same_scalar(field->sample, cells[k]))) {
                field->form = GCF_PLAIN;
                left--;
            }
        }
        row = tables->doc->slots + row->u.link.next;
    }
    return true;
}

/* In a large document: makes the constants columns again, when they would be more than the
 * columns. */
static void gcf_limit_constants(const gcf_tables *tables, const gcf_table *table)
{
    gcf_table_field *fields = gcf_fields(tables, table);
    uint64_t constants = 0;
    for (size_t i = 0; i < table->field_count; i++)
        constants += fields[i].form == GCF_CONSTANT;
    if (doc_may_hide(tables->doc, constants, table->field_count - constants, 1))
        return;
    for (size_t i = 0; i < table->field_count; i++)
        if (fields[i].form == GCF_CONSTANT)
            fields[i].form = GCF_PLAIN;
}

/* A row needs a column: if all are constants, the last is a column after all. */
static void gcf_keep_a_column(const gcf_tables *tables, const gcf_table *table)
{
    gcf_table_field *last = NULL;
    gcf_table_field *fields = gcf_fields(tables, table);
    for (size_t i = 0; i < table->field_count; i++)
        if (fields[i].form == GCF_CONSTANT)
            last = &fields[i];
        else if (fields[i].columns > 0)
            return;
    if (last)
        last->form = GCF_PLAIN;
}

/* -------------------------------------------------------------------- the table */

/* True when every row is an object of one and the same shape with nothing nested but
 * empty containers, and no field is named like a path: one look at each row. */
static bool gcf_is_simple(gcf_tables *tables, const gcf_table *table)
{
    const pith_doc *doc = tables->doc;
    const pith_slot *row = table->rows + 1;
    uint16_t shape = row->shape;
    uint32_t size = row->n + 1;
    if (shape == SHAPE_NONE || row->n == 0 || row->kind != PITH_OBJECT)
        return false;
    for (uint32_t i = 0; i < table->rows->n; i++) {
        const pith_slot *next = row + size;
        if (row->kind != PITH_OBJECT || row->shape != shape ||
            doc->slots + row->u.link.next != next)
            return false;
        row = next;
    }
    return (gcf_know_keys(tables, table->rows + 1) & GCF_KEYS_CLEAN) != 0;
}

static gcf_verdict gcf_table_try(gcf_tables *tables, gcf_table *table, bool constants)
{
    bool nested = false;
    constants = constants && table->rows->n >= 2;
    if (!constants && gcf_is_simple(tables, table)) {
        table->simple = true;
        table->field_count = table->rows[1].n;
        return GCF_IS_TABLE;
    }
    gcf_verdict verdict = gcf_survey_rows(tables, table, &nested);
    if (verdict != GCF_IS_TABLE)
        return verdict;
    if (!gcf_decide_all(tables, table, nested))
        return GCF_NO_TABLE;
    if (constants) {
        if (!gcf_find_constants(tables, table))
            return GCF_NO_MEMORY;
        gcf_limit_constants(tables, table);
        gcf_keep_a_column(tables, table);
    }
    table->only_columns = !constants && !table->has_pathlike;
    return GCF_IS_TABLE;
}

gcf_verdict gcf_table_open(gcf_tables *tables, gcf_table *table,
                           const pith_slot *container, bool constants)
{
    gcf_table_begin(tables, table, container);
    gcf_verdict verdict = gcf_table_try(tables, table, constants);
    if (verdict != GCF_IS_TABLE)
        gcf_table_close(tables, table);
    return verdict;
}
