/*
 * gcf_layout.c - what the fields of a header mean for its rows.
 *
 *     [2]{id,"customer>name",region=eu,"customer>city",total}
 *
 * Rows are flat, but the objects they become need not be: names with > are paths, and
 * an object is where its first leaf is. So the fields become a tree of columns, and
 * doc/layout.c works out what a row is on the tape. The children of an object are found
 * by hash: a header of a million fields is read in one pass.
 *
 * Layouts are recycled, because a table attached to every row of another has a header
 * every time. Where rows are read one by one they outlive the text of the header, and
 * what they need of it is copied.
 */
#include "base/num.h"
#include "format/gcf/gcf_read.h"

#include <assert.h>
#include <math.h>

/* ------------------------------------------------------------------ recycling */

gcf_layout *gcf_layout_new(gcf_reader *r)
{
    gcf_layout *t = r->spare;
    if (t) {
        r->spare = t->spare;
    } else {
        t = (gcf_layout *)alloc_zeroed(&r->doc->alloc, sizeof *t);
        if (!t) {
            read_failed(&r->in);
            return NULL;
        }
        t->next = r->layouts;
        r->layouts = t;
        arena_init(&t->texts, r->doc->alloc);
        names_init(&t->names, r->doc->alloc, r->doc->shapes.seed);
        names_init(&t->parts, r->doc->alloc, r->doc->shapes.seed);
        names_init(&t->extra_names, r->doc->alloc, r->doc->shapes.seed);
    }
    if (t->texts.newest)
        arena_reset(&t->texts);
    t->row.open = false;
    t->fields.count = 0;
    names_back(&t->names, 0);
    t->keyed = false;
    t->paths = false;
    t->schema = false;
    t->learned = 0;
    t->extras.count = 0;
    names_back(&t->extra_names, 0);
    t->group = SLOT_NONE;
    t->identity = SLOT_NONE;
    t->declared = text_of(NULL, 0);
    t->spare = NULL;
    for (int i = 0; i < 2; i++) {
        t->ids[i].count = 0;
        t->groups[i].count = 0;
    }
    return t;
}

void gcf_layout_drop(gcf_reader *r, gcf_layout *t)
{
    /* Rows without a shape point at the list of their keys, which the layout has. */
    gcf_layout **list = r->rows && t->rows.loose ? &r->parked : &r->spare;
    t->spare = *list;
    *list = t;
}

void gcf_unpark_layouts(gcf_reader *r)
{
    while (r->parked) {
        gcf_layout *t = r->parked;
        r->parked = t->spare;
        t->spare = r->spare;
        r->spare = t;
    }
}

static void gcf_layout_free(const pith_alloc *alloc, gcf_layout *t)
{
    LIST_FREE(&t->fields, alloc);
    layout_free(&t->rows, alloc);
    LIST_FREE(&t->row.cells, alloc);
    LIST_FREE(&t->row.order, alloc);
    LIST_FREE(&t->row.extras, alloc);
    alloc_free(alloc, t->cells, t->cell_cap * sizeof *t->cells);
    LIST_FREE(&t->extras, alloc);
    names_free(&t->names);
    names_free(&t->parts);
    names_free(&t->extra_names);
    for (int i = 0; i < 2; i++) {
        LIST_FREE(&t->ids[i], alloc);
        LIST_FREE(&t->groups[i], alloc);
    }
    arena_free(&t->texts);
    alloc_free(alloc, t, sizeof *t);
}

void gcf_drop_scopes(gcf_reader *r, size_t left)
{
    while (r->scopes.count > left) {
        gcf_scope *scope = gcf_top(r);
        if (scope->layout) {
            gcf_layout_forget(r, scope->layout);
            if (scope->owns)
                gcf_layout_drop(r, scope->layout);
        }
        r->scopes.count--;
    }
}

void gcf_reader_free(gcf_reader *r)
{
    const pith_alloc *alloc = &r->doc->alloc;
    while (r->layouts) {
        gcf_layout *next = r->layouts->next;
        gcf_layout_free(alloc, r->layouts);
        r->layouts = next;
    }
    LIST_FREE(&r->scopes, alloc);
    LIST_FREE(&r->reordered, alloc);
    LIST_FREE(&r->deferred, alloc);
}

/* ---------------------------------------------------------------------- names */

bool gcf_add_name(gcf_reader *r, gcf_names *names, const pith_key *name)
{
    pith_key *key = LIST_ADD(names, &r->doc->alloc);
    if (!key)
        return read_failed(&r->in);
    *key = *name;
    return true;
}

/* The digits that numbers of the same value share. */
static size_t gcf_number_name(pith_text text, char *digits)
{
    int64_t whole;
    if (num_to_int64(text, &whole))
        return num_write_int64(digits, whole);
    double number = num_to_double(text);
    bool is_whole = fabs(number) < 9007199254740992.0 && floor(number) == number;
    return is_whole ? num_write_int64(digits, (int64_t)number)
                    : num_write_double(digits, number);
}

bool gcf_add_value_name(gcf_reader *r, gcf_names lists[2], const pith_slot *value,
                        const char *at)
{
    pith_key name = {value->u.text, value->n, 0, 0};
    if (value->kind == PITH_STRING)
        return gcf_add_name(r, &lists[0], &name);
    char digits[NUM_DOUBLE_MAX_LEN];
    bool number = value->kind == PITH_INTEGER || value->kind == PITH_DECIMAL;
    if (value->kind == PITH_NULL || (number && !(value->flags & SLOT_CANONICAL))) {
        size_t len = number ? gcf_number_name(slot_text(value), digits) : 0;
        char *text = build_place_text(r->doc, read_at(&r->in, at), len);
        if (!text)
            return read_failed(&r->in);
        memcpy(text, digits, len);
        name.text = text;
        name.len = (uint32_t)len;
    }
    return gcf_add_name(r, &lists[1], &name);
}

bool gcf_find_name(gcf_reader *r, name_list *names, const pith_key *name, uint32_t guess,
                   uint32_t *number)
{
    *number = names_find(names, name, guess);
    return !names->failed || read_failed(&r->in);
}

/* ----------------------------------------------------------------- the tree */

/* The column with this key in a group; 0 for none, or when out of memory. */
static uint32_t gcf_find_column(gcf_layout *t, uint32_t group, const pith_key *key)
{
    assert(group < t->rows.columns.count);
    uint32_t last = t->rows.columns.at[group].last;
    uint32_t found = names_find_in(&t->parts, group, key, last - 1);
    return found == NAMES_NONE ? 0 : found + 1;
}

/* The same name for a value and for an object. */
static bool gcf_bad_path(gcf_reader *r, const gcf_layout *t, uint32_t field,
                         const pith_key *key)
{
    return report_bad(r->report, "duplicate_field_name",
                      read_at(&r->in, t->fields.at[field].at),
                      "\"%s\" is a value in one column and an object in another",
                      error_quote(key->text, key->len).text);
}

/* The part of a path that starts at `at`. */
static pith_key gcf_path_part(const gcf_reader *r, const char *at, size_t len)
{
    pith_key key = {at, (uint32_t)len, 0, 0};
    key.flags = build_text_flags(at, len) | gcf_tail_flag(r, at);
    return key;
}

/* The objects of a path, all parts of `rest` but the last, which is left there. The column of
 * the innermost; SLOT_NONE after a problem. */
static uint32_t gcf_plant_path(gcf_reader *r, gcf_layout *t, uint32_t field,
                               pith_key *rest)
{
    uint32_t group = 0;
    const char *cut;
    while ((cut = (const char *)memchr(rest->text, '>', rest->len)) != NULL) {
        pith_key key = gcf_path_part(r, rest->text, (size_t)(cut - rest->text));
        uint32_t inner = gcf_find_column(t, group, &key);
        if (inner && t->rows.columns.at[inner].kind != COLUMN_GROUP) {
            if (!gcf_bad_path(r, t, field, &key))
                return SLOT_NONE;
            inner = 0;
        }
        if (!inner) {
            inner = layout_group(&t->rows, &r->doc->alloc, group, &key);
            if (!inner || !names_add_in(&t->parts, group, &key)) {
                read_failed(&r->in);
                return SLOT_NONE;
            }
        }
        group = inner;
        rest->text = cut + 1;
        rest->len -= key.len + 1;
    }
    *rest = gcf_path_part(r, rest->text, rest->len);
    return group;
}

/* Puts a field into the tree, at the end of its path. */
static bool gcf_plant_field(gcf_reader *r, gcf_layout *t, uint32_t number)
{
    assert(number < t->fields.count);
    const pith_alloc *alloc = &r->doc->alloc;
    const gcf_field *field = &t->fields.at[number];
    pith_key key = t->names.keys.at[number];
    uint32_t group = field->path ? gcf_plant_path(r, t, number, &key) : 0;
    if (group == SLOT_NONE)
        return false;
    if (t->paths) {
        uint32_t same = gcf_find_column(t, group, &key);
        if (same && t->rows.columns.at[same].kind == COLUMN_GROUP &&
            !gcf_bad_path(r, t, number, &key))
            return false;
    }
    uint32_t added = field->role == GCF_FIXED
                         ? layout_fixed(&t->rows, alloc, group, &key, &field->fixed)
                         : layout_cell(&t->rows, alloc, group, &key, field->cell);
    bool known = !t->paths || (names_add_in(&t->parts, group, &key) && !t->parts.failed);
    return (added && known) || read_failed(&r->in);
}

/* Numbers the cells: fields that are the same in all rows have none, and the one that is
 * the same in a group has the one after them. */
static bool gcf_number_cells(gcf_reader *r, gcf_layout *t)
{
    size_t count = t->fields.count;
    if (!list_grow(&r->doc->alloc, (void *)&t->cells, &t->cell_cap, count,
                   sizeof *t->cells))
        return read_failed(&r->in);
    t->width = 0;
    for (uint32_t i = 0; i < count; i++) {
        gcf_field *field = &t->fields.at[i];
        if (field->role == GCF_CELL || field->role == GCF_KEY) {
            t->cells[t->width] = i;
            field->cell = (uint32_t)t->width++;
        }
    }
    if (t->group != SLOT_NONE) {
        t->cells[t->width] = t->group;
        t->fields.at[t->group].cell = (uint32_t)t->width;
    }
    return true;
}

bool gcf_layout_plan(gcf_reader *r, gcf_layout *t)
{
    names_back(&t->parts, 0);
    if (!gcf_number_cells(r, t) || !layout_clear(&t->rows, &r->doc->alloc))
        return read_failed(&r->in);
    for (uint32_t i = t->keyed ? 1 : 0; i < t->fields.count; i++)
        if (!gcf_plant_field(r, t, i))
            return false;
    return gcf_layout_replan(r, t);
}

bool gcf_layout_replan(gcf_reader *r, gcf_layout *t)
{
    if (!layout_plan(&t->rows, r->doc, r->rows ? &t->texts : &r->doc->arena))
        return read_failed(&r->in);
    if (t->keyed)
        t->rows.place[0] = (uint32_t)t->rows.full.slots; /* after the row, not in it */
    return true;
}

bool gcf_keep_text(gcf_reader *r, gcf_layout *t, const char **text, size_t len,
                   uint8_t *flags)
{
    if (!r->rows)
        return true;
    *text = arena_copy(&t->texts, *text, len);
    *flags &= (uint8_t)~SLOT_NEAR_END;
    return *text || read_failed(&r->in);
}
