/*
 * gcf_group.c - the rows of the root array in groups (level 3.6).
 *
 *     ## [3]{@id,name,dept} group=dept
 *     dept=Sales [2]
 *     1|Ada
 *     3|Cy
 *     dept=Legal [1]
 *     2|Bob
 *
 * A grouped table is a set of records, and the field marked with @ tells them apart: the
 * first whose values are all different. Rows keep their order inside a group, and groups
 * come in the order of their first rows.
 *
 * All that matters about a field is in its column, so the fields that every row has are
 * laid out as columns of pointers. That is never more than the rows have members.
 */
#include "format/gcf/gcf_encode.h"

#include <assert.h>

typedef struct gcf_group_row {
    const pith_slot *at;
    uint32_t next; /* in its group, + 1, or 0 */
    uint32_t last; /* of the first row of a group: the last, */
    uint32_t size; /* and how many; 0 for other rows */
} gcf_group_row;

typedef struct gcf_group {
    gcf_writer *w;
    gcf_table table;
    gcf_group_row *rows;
    uint32_t count;
    size_t group; /* the field */
    size_t key;   /* the field marked with @ */

    uint32_t *present; /* of each field: rows that have it, later its column + 1 or 0 */
    const pith_slot **columns;
    size_t column_count;

    hash_table values; /* the first row with each value of a column */
} gcf_group;

static void *gcf_group_take(const gcf_group *g, size_t count, size_t item)
{
    return count > SIZE_MAX / item ? NULL
                                   : alloc_zeroed(&g->w->tables.alloc, count * item);
}

static void gcf_group_free(gcf_group *g)
{
    const pith_alloc *alloc = &g->w->tables.alloc;
    alloc_free(alloc, g->present, g->table.field_count * sizeof(uint32_t));
    alloc_free(alloc, (void *)g->columns,
               g->column_count * g->count * sizeof *g->columns);
    hash_table_free(&g->values, alloc);
    alloc_free(alloc, g->rows, g->count * sizeof *g->rows);
    gcf_table_close(&g->w->tables, &g->table);
}

static const gcf_table_field *gcf_group_field(const gcf_group *g, size_t index)
{
    assert(index < g->table.field_count);
    return gcf_fields(&g->w->tables, &g->table) + index;
}

static pith_status gcf_group_refuse(const gcf_group *g, size_t field, const char *why,
                                    pith_error *err)
{
    const pith_key *key = gcf_group_field(g, field)->key;
    return error_set(err, PITH_UNREPRESENTABLE, "not_groupable",
                     "rows cannot be put in groups: the field \"%s\" %s",
                     error_quote(key->text, key->len).text, why);
}

/* ---------------------------------------------------------------------- columns */

/* Counts the rows that have each field, and makes sure that nothing is nested. Going by
 * the members, not by the fields, keeps this linear when rows have few of many. */
static pith_status gcf_group_count(gcf_group *g, pith_error *err)
{
    const pith_slot *row = g->table.row;
    const uint32_t *map;
    for (uint32_t i = 0; i < g->count; i++) {
        g->rows[i].at = row;
        if (!gcf_row_map(&g->w->tables, &g->table, row, &map))
            return error_no_memory(err);
        for (uint32_t k = 0; k < row->n; k++) {
            uint32_t field = map ? map[k] : k;
            if (slot_is_container(row + 1 + k))
                return gcf_group_refuse(g, field, "holds arrays or objects", err);
            g->present[field]++;
        }
        row = g->w->tables.doc->slots + row->u.link.next;
    }
    return PITH_OK;
}

static pith_status gcf_group_lay_out(gcf_group *g, pith_error *err)
{
    for (size_t k = 0; k < g->table.field_count; k++) {
        bool full = g->present[k] == g->count;
        if (gcf_is_pathlike(gcf_group_field(g, k)->key))
            return gcf_group_refuse(g, k, "has a > in its name", err);
        if (k == g->group && !full)
            return gcf_group_refuse(g, k, "is missing in some rows", err);
        g->present[k] = full ? (uint32_t)++g->column_count : 0;
    }
    g->columns = (const pith_slot **)gcf_group_take(g, g->column_count,
                                                    g->count * sizeof *g->columns);
    if (!g->columns)
        return error_no_memory(err);
    const uint32_t *map;
    for (uint32_t i = 0; i < g->count; i++) {
        const pith_slot *row = g->rows[i].at;
        if (!gcf_row_map(&g->w->tables, &g->table, row, &map))
            return error_no_memory(err);
        for (uint32_t k = 0; k < row->n; k++) {
            uint32_t column = g->present[map ? map[k] : k];
            if (column)
                g->columns[(column - 1) * (size_t)g->count + i] = row + 1 + k;
        }
    }
    return PITH_OK;
}

/* The values of a field that every row has; NULL for other fields. */
static const pith_slot **gcf_group_column(const gcf_group *g, size_t field)
{
    assert(field < g->table.field_count);
    uint32_t column = g->present[field];
    return column ? g->columns + (column - 1) * (size_t)g->count : NULL;
}

/* ----------------------------------------------------------------------- values */

static uint64_t gcf_group_hash(const gcf_group *g, const pith_slot *value)
{
    char digits[GCF_NUMBER_MAX_LEN];
    pith_text text = slot_text(value);
    uint64_t seed = g->w->tables.doc->shapes.seed;
    if (value->kind == PITH_INTEGER || value->kind == PITH_DECIMAL) {
        text = text_of(digits, gcf_write_number(digits, value));
        seed++;
    }
    return hash_text(seed, text.ptr, text.len);
}

/* The first row that has the value of this one: itself, if none before it has. */
static uint32_t gcf_group_first(gcf_group *g, const pith_slot **column, uint32_t row)
{
    hash_table *values = &g->values;
    size_t at = hash_first(values, gcf_group_hash(g, column[row]));
    while (values->at[at] != HASH_NONE &&
           !gcf_same_scalar(column[values->at[at]], column[row]))
        at = hash_next(values, at);
    if (values->at[at] == HASH_NONE)
        values->at[at] = row;
    return values->at[at];
}

/* True when all values are there and different. */
static bool gcf_group_is_key(gcf_group *g, size_t field)
{
    const pith_slot **column = gcf_group_column(g, field);
    if (!column)
        return false;
    hash_table_clear(&g->values);
    for (uint32_t i = 0; i < g->count; i++)
        if (column[i]->kind == PITH_NULL || gcf_group_first(g, column, i) != i)
            return false;
    return true;
}

static bool gcf_group_find_key(gcf_group *g)
{
    for (g->key = 0; g->key < g->table.field_count; g->key++)
        if (g->key != g->group && gcf_group_is_key(g, g->key))
            return true;
    return false;
}

static void gcf_group_chain_rows(gcf_group *g)
{
    const pith_slot **column = gcf_group_column(g, g->group);
    hash_table_clear(&g->values);
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t first = gcf_group_first(g, column, i);
        if (first != i)
            g->rows[g->rows[first].last].next = i + 1;
        g->rows[first].last = i;
        g->rows[first].size++;
    }
}

/* Fields that are the same in all rows, other than the group and the key. */
static void gcf_group_find_constants(gcf_group *g)
{
    gcf_table_field *fields = gcf_fields(&g->w->tables, &g->table);
    for (size_t k = 0; k < g->table.field_count; k++) {
        const pith_slot **column = gcf_group_column(g, k);
        uint32_t i = 1;
        while (column && i < g->count && gcf_same_scalar(column[0], column[i]))
            i++;
        if (column && i == g->count && i > 1 && k != g->group && k != g->key) {
            fields[k].form = GCF_CONSTANT;
            fields[k].sample = column[0];
        }
    }
}

/* ---------------------------------------------------------------------- writing */

static char *gcf_group_put_header(const gcf_group *g, char *to)
{
    gcf_pen *pen = &g->w->pen;
    memcpy(to, "## ", 3);
    to = gcf_put_count(to + 3, g->count);
    *to++ = '{';
    for (size_t k = 0; k < g->table.field_count; k++) {
        const gcf_table_field *field = gcf_group_field(g, k);
        if (k == g->key)
            *to++ = '@';
        to = pen_room(pen->out, gcf_put_key(pen, to, field->key));
        if (field->form == GCF_CONSTANT) {
            *to++ = '=';
            to = pen_room(pen->out, gcf_put_constant(pen, to, field->sample));
        }
        *to++ = ',';
    }
    memcpy(to - 1, "} group=", 8);
    to = gcf_put_key(pen, to + 7, gcf_group_field(g, g->group)->key);
    *to++ = '\n';
    return to;
}

static char *gcf_group_put_row(gcf_group *g, char *to, const pith_slot *row)
{
    const pith_slot *const *cells = gcf_row_cells(&g->w->tables, &g->table, row);
    if (!cells)
        return gcf_out_of_memory(&g->w->pen, to);
    to = gcf_put_row_cells(g->w, to, &g->table, row, cells);
    *to++ = '\n';
    return to;
}

static char *gcf_group_put(gcf_group *g, char *to, uint32_t first)
{
    assert(g->rows[first].size > 0);
    gcf_pen *pen = &g->w->pen;
    const pith_slot **groups = gcf_group_column(g, g->group);
    to = gcf_put_key(pen, to, gcf_group_field(g, g->group)->key);
    *to++ = '=';
    to = gcf_put_scalar(pen, pen_room(pen->out, to), groups[first]);
    *to++ = ' ';
    to = gcf_put_count(to, g->rows[first].size);
    *to++ = '\n';
    for (uint32_t row = first + 1; row > 0 && pen->out->status == PITH_OK;
         row = g->rows[row - 1].next)
        to = gcf_group_put_row(g, pen_room(pen->out, to), g->rows[row - 1].at);
    return pen_room(pen->out, to);
}

/* ------------------------------------------------------------------------- all */

static pith_status gcf_group_open(gcf_group *g, const pith_slot *array, pith_text name,
                                  pith_error *err)
{
    gcf_verdict verdict = gcf_union_open(&g->w->tables, &g->table, array);
    if (verdict == GCF_NO_MEMORY)
        return error_no_memory(err);
    if (verdict == GCF_NO_TABLE) {
        return error_set(err, PITH_UNREPRESENTABLE, "not_groupable",
                         "rows cannot be put in groups: not all of them are objects");
    }
    for (g->group = 0; g->group < g->table.field_count; g->group++) {
        gcf_table_field *field = gcf_fields(&g->w->tables, &g->table) + g->group;
        if (text_equal(key_text(field->key), name)) {
            field->form = GCF_PATHLIKE; /* rows have no cell for it */
            field->columns = 0;
            return PITH_OK;
        }
    }
    return error_set(err, PITH_UNREPRESENTABLE, "not_groupable",
                     "rows cannot be put in groups: no row has a field \"%s\"",
                     error_quote(name.ptr, name.len).text);
}

static bool gcf_group_allocate(gcf_group *g)
{
    bool moved;
    g->present = (uint32_t *)gcf_group_take(g, g->table.field_count, sizeof(uint32_t));
    g->rows = (gcf_group_row *)gcf_group_take(g, g->count, sizeof *g->rows);
    return g->present && g->rows &&
           hash_table_reserve(&g->values, &g->w->tables.alloc, g->count, &moved);
}

static pith_status gcf_group_write(gcf_group *g, const pith_slot *array, pith_text name,
                                   pith_error *err)
{
    pith_out *out = g->w->pen.out;
    pith_status status = gcf_group_open(g, array, name, err);
    if (status == PITH_OK && !gcf_group_allocate(g))
        status = error_no_memory(err);
    if (status == PITH_OK)
        status = gcf_group_count(g, err);
    if (status == PITH_OK)
        status = gcf_group_lay_out(g, err);
    if (status == PITH_OK && !gcf_group_find_key(g)) {
        status = error_set(err, PITH_UNREPRESENTABLE, "not_groupable",
                           "rows cannot be put in groups: no other field has a "
                           "different value in every row");
    }
    if (status != PITH_OK)
        return status;
    gcf_group_find_constants(g);
    gcf_group_chain_rows(g);
    char *to = gcf_group_put_header(g, pen_room(out, out->at));
    for (uint32_t i = 0; i < g->count && out->status == PITH_OK; i++)
        if (g->rows[i].size > 0)
            to = gcf_group_put(g, pen_room(out, to), i);
    out->at = to;
    return PITH_OK;
}

pith_status gcf_write_groups(gcf_writer *w, const pith_slot *root, pith_text field,
                             pith_error *err)
{
    if (root->kind != PITH_ARRAY) {
        return error_set(err, PITH_UNREPRESENTABLE, "not_groupable",
                         "only an array of objects at the root can be put in groups");
    }
    gcf_group g = {.w = w, .count = root->n};
    pith_status status = gcf_group_write(&g, root, field, err);
    gcf_group_free(&g);
    return status;
}
