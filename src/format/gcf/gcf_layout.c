/*
 * gcf_layout.c - what the rows under a header look like on the tape.
 *
 *     [2]{id,"customer>name",region=eu,"customer>city",total}
 *
 * Rows are flat, but the objects they stand for need not be: names with > are paths,
 * and an object stands where its first leaf does. So the fields of a header become a
 * tree, the tree a list of steps in the order of the tape, and, for rows in which
 * nothing is absent or attached, stamps with places relative to the row:
 *
 *     0 OBJECT n=4 next=7         {id,customer,region,total}
 *     1 cell 0                    id
 *     2 OBJECT n=2 next=5 in 0    {name,city}
 *     3 cell 1                    customer>name
 *     4 cell 2                    customer>city
 *     5 "eu"                      region
 *     6 cell 3                    total
 *
 * Such a row costs its cells and little more; any other is put together step by step
 * (gcf_read_row.c). An object that has no shape, being too wide, ends with a slot that
 * points at its keys, the same list in all rows.
 *
 * The tree is walked along its own links, not by recursion, and its children are found
 * by hash: a header of a million fields is read in one pass.
 *
 * Layouts are recycled, because a table attached to every row of another has a header
 * every time.
 */
#include "base/num.h"
#include "format/gcf/gcf_read.h"

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
        arena_init(&t->texts, r->doc->alloc);
    }
    t->names.count = 0;
    t->keyed = false;
    t->paths = false;
    t->schema = false;
    t->kept = false;
    t->learned = 0;
    t->extras.count = 0;
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
    if (t->texts.newest) {
        arena_reset(&t->texts);
    }
    t->spare = r->spare;
    r->spare = t;
}

static void gcf_names_free(const pith_alloc *alloc, gcf_names *names)
{
    LIST_FREE(names, alloc);
}

static void gcf_layout_free(const pith_alloc *alloc, gcf_layout *t)
{
    alloc_free(alloc, t->fields, t->field_cap * sizeof *t->fields);
    LIST_FREE(&t->nodes, alloc);
    LIST_FREE(&t->steps, alloc);
    LIST_FREE(&t->stamps, alloc);
    alloc_free(alloc, t->place, t->place_cap * sizeof *t->place);
    alloc_free(alloc, t->cells, t->cell_cap * sizeof *t->cells);
    alloc_free(alloc, t->index.at, t->index.cap * sizeof *t->index.at);
    LIST_FREE(&t->extras, alloc);
    alloc_free(alloc, t->extra_index.at, t->extra_index.cap * sizeof *t->extra_index.at);
    gcf_names_free(alloc, &t->names);
    gcf_free_sparse(alloc, t);
    for (int i = 0; i < 2; i++) {
        gcf_names_free(alloc, &t->ids[i]);
        gcf_names_free(alloc, &t->groups[i]);
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
            if (scope->owns) {
                gcf_layout_drop(r, scope->layout);
            }
        }
        r->scopes.count--;
    }
}

void gcf_reader_free(gcf_reader *r)
{
    const pith_alloc *alloc = &r->doc->alloc;
    gcf_drop_scopes(r, 0);
    while (r->spare) {
        gcf_layout *next = r->spare->spare;
        gcf_layout_free(alloc, r->spare);
        r->spare = next;
    }
    LIST_FREE(&r->scopes, alloc);
    LIST_FREE(&r->held, alloc);
    LIST_FREE(&r->order, alloc);
    LIST_FREE(&r->extras, alloc);
    LIST_FREE(&r->moved, alloc);
    LIST_FREE(&r->deferred, alloc);
}

/* ---------------------------------------------------------------------- names */

bool gcf_add_name(gcf_reader *r, gcf_names *names, const pith_key *name)
{
    pith_key *key = LIST_ADD(names, &r->doc->alloc);
    if (!key) {
        return read_failed(&r->in);
    }
    *key = *name;
    return true;
}

/* The digits that numbers of the same value share. */
static size_t gcf_number_name(pith_text text, char *digits)
{
    int64_t whole;
    if (num_to_int64(text, &whole)) {
        return num_write_int64(digits, whole);
    }
    double number = num_to_double(text);
    bool is_whole = fabs(number) < 9007199254740992.0 && floor(number) == number;
    return is_whole ? num_write_int64(digits, (int64_t)number)
                    : num_write_double(digits, number);
}

bool gcf_add_value_name(gcf_reader *r, gcf_names lists[2], const pith_slot *value,
                        const char *at)
{
    pith_key name = {value->u.text, value->n, 0, 0};
    if (value->kind == PITH_STRING) {
        return gcf_add_name(r, &lists[0], &name);
    }
    char digits[NUM_DOUBLE_MAX_LEN];
    bool number = value->kind == PITH_INTEGER || value->kind == PITH_DECIMAL;
    if (value->kind == PITH_NULL || (number && !(value->flags & SLOT_PLAIN))) {
        size_t len = number ? gcf_number_name(slot_text(value), digits) : 0;
        char *text = build_place_text(r->doc, gcf_at(r, at), len);
        if (!text) {
            return read_failed(&r->in);
        }
        memcpy(text, digits, len);
        name.text = text;
        name.len = (uint32_t)len;
    }
    return gcf_add_name(r, &lists[1], &name);
}

/* ---------------------------------------------------------------------- index */

static size_t gcf_hash(const gcf_reader *r, uint32_t parent, const pith_key *key)
{
    uint64_t seed = hash_seed_of(r->doc->shapes.seed, parent);
    return (size_t)hash_text(seed, key->text, key->len);
}

/* The size follows the count, not the memory at hand: a layout that once was wide must
 * not make the narrow ones behind it costly. */
bool gcf_index_room(gcf_reader *r, gcf_index *index, size_t count)
{
    size_t size = 16;
    while (size < count * 2) {
        size *= 2;
    }
    if (size > index->cap) {
        uint32_t *at =
            (uint32_t *)alloc_resize(&r->doc->alloc, NULL, 0, size * sizeof *at);
        if (!at) {
            return read_failed(&r->in);
        }
        alloc_free(&r->doc->alloc, index->at, index->cap * sizeof *at);
        index->at = at;
        index->cap = size;
    }
    index->size = size;
    memset(index->at, 0xFF, size * sizeof *index->at);
    return true;
}

void gcf_index_enter(gcf_index *index, size_t hash, uint32_t entry)
{
    size_t mask = index->size - 1;
    size_t at = hash & mask;
    while (index->at[at] != SLOT_NONE) {
        at = (at + 1) & mask;
    }
    index->at[at] = entry;
}

static bool gcf_same_key(const pith_key *a, const pith_key *b)
{
    return text_equal(key_text(a), key_text(b));
}

bool gcf_find_field(gcf_reader *r, gcf_layout *t, const pith_key *name, uint32_t *field)
{
    size_t count = t->names.count;
    if (!t->index_ready) {
        if (!gcf_index_room(r, &t->index, count)) {
            return false;
        }
        for (uint32_t i = 0; i < count; i++) {
            gcf_index_enter(&t->index, gcf_hash(r, 0, &t->names.at[i]), i);
        }
        t->index_ready = true;
    }
    const uint32_t *index = t->index.at;
    size_t mask = t->index.size - 1;
    size_t at = gcf_hash(r, 0, name) & mask;
    while (index[at] != SLOT_NONE && !gcf_same_key(&t->names.at[index[at]], name)) {
        at = (at + 1) & mask;
    }
    *field = index[at];
    return true;
}

/* ----------------------------------------------------------------- the tree */

static bool gcf_index_node(gcf_reader *r, gcf_layout *t, uint32_t number)
{
    if (t->nodes.count * 2 > t->index.size) {
        if (!gcf_index_room(r, &t->index, t->nodes.count * 2)) {
            return false;
        }
        for (uint32_t i = 1; i < number; i++) {
            gcf_index_enter(&t->index,
                            gcf_hash(r, t->nodes.at[i].parent, &t->nodes.at[i].key), i);
        }
    }
    const gcf_node *node = &t->nodes.at[number];
    gcf_index_enter(&t->index, gcf_hash(r, node->parent, &node->key), number);
    return true;
}

/* Adds a child to a node; its number, 0 when out of memory. */
static uint32_t gcf_add_node(gcf_reader *r, gcf_layout *t, uint32_t parent,
                             const pith_key *key, uint32_t field)
{
    uint32_t number = (uint32_t)t->nodes.count;
    gcf_node *node = LIST_ADD(&t->nodes, &r->doc->alloc);
    if (!node) {
        read_failed(&r->in);
        return 0;
    }
    memset(node, 0, sizeof *node);
    node->key = *key;
    node->field = field;
    node->parent = parent;
    node->shape = SHAPE_EMPTY;
    if (number > 0) {
        gcf_node *around = &t->nodes.at[parent];
        if (around->first) {
            t->nodes.at[around->last].next = number;
        } else {
            around->first = number;
        }
        around->last = number;
        around->count++;
        if (t->paths && !gcf_index_node(r, t, number)) {
            return 0;
        }
    }
    return number;
}

/* The child of a node with this key; 0 for none. */
static uint32_t gcf_find_child(const gcf_reader *r, const gcf_layout *t, uint32_t parent,
                               const pith_key *key)
{
    uint32_t last = t->nodes.at[parent].last;
    if (last && gcf_same_key(&t->nodes.at[last].key, key)) {
        return last;
    }
    const uint32_t *index = t->index.at;
    size_t mask = t->index.size - 1;
    size_t at = gcf_hash(r, parent, key) & mask;
    while (index[at] != SLOT_NONE) {
        const gcf_node *node = &t->nodes.at[index[at]];
        if (node->parent == parent && gcf_same_key(&node->key, key)) {
            return index[at];
        }
        at = (at + 1) & mask;
    }
    return 0;
}

/* The same name for a value and for an object. */
static bool gcf_bad_path(gcf_reader *r, const gcf_layout *t, uint32_t field,
                         const pith_key *key)
{
    return report_bad(r->report, "duplicate_field_name", gcf_at(r, t->fields[field].at),
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

/* Puts a field into the tree, at the end of its path. */
static bool gcf_plant_field(gcf_reader *r, gcf_layout *t, uint32_t field)
{
    pith_key rest = t->names.at[field];
    uint32_t parent = 0;
    while (t->fields[field].path) {
        const char *cut = (const char *)memchr(rest.text, '>', rest.len);
        if (!cut) {
            break;
        }
        pith_key key = gcf_path_part(r, rest.text, (size_t)(cut - rest.text));
        uint32_t node = gcf_find_child(r, t, parent, &key);
        if (node && t->nodes.at[node].field != SLOT_NONE) {
            if (!gcf_bad_path(r, t, field, &key)) {
                return false;
            }
            node = 0;
        }
        if (!node) {
            node = gcf_add_node(r, t, parent, &key, SLOT_NONE);
        }
        if (!node) {
            return false;
        }
        parent = node;
        rest.text = cut + 1;
        rest.len -= key.len + 1;
    }
    if (parent) {
        rest = gcf_path_part(r, rest.text, rest.len);
    }
    if (t->paths) {
        uint32_t node = gcf_find_child(r, t, parent, &rest);
        if (node && t->nodes.at[node].field == SLOT_NONE &&
            !gcf_bad_path(r, t, field, &rest)) {
            return false;
        }
    }
    return gcf_add_node(r, t, parent, &rest, field) != 0;
}

/* ----------------------------------------------------------- steps and stamps */

static gcf_step *gcf_add_step(gcf_reader *r, gcf_layout *t, gcf_step_kind kind,
                              const gcf_node *node)
{
    gcf_step *step = LIST_ADD(&t->steps, &r->doc->alloc);
    if (!step) {
        read_failed(&r->in);
        return NULL;
    }
    memset(step, 0, sizeof *step);
    step->kind = kind;
    step->key = node->key;
    step->field = node->field;
    step->number = node->number;
    step->inside = node->parent ? t->nodes.at[node->parent].number : SLOT_NONE;
    return step;
}

static gcf_stamp *gcf_add_stamp(gcf_reader *r, gcf_layout *t)
{
    gcf_stamp *stamp = LIST_ADD(&t->stamps, &r->doc->alloc);
    if (!stamp) {
        read_failed(&r->in);
        return NULL;
    }
    memset(stamp, 0, sizeof *stamp);
    stamp->at = (uint32_t)t->slots;
    return stamp;
}

/* The object of a node begins: its slot is stamped, to be completed when it ends. */
static bool gcf_plan_object(gcf_reader *r, gcf_layout *t, uint32_t number)
{
    gcf_node *node = &t->nodes.at[number];
    gcf_stamp *stamp = gcf_add_stamp(r, t);
    if (!stamp) {
        return false;
    }
    stamp->slot.kind = PITH_OBJECT;
    stamp->slot.n = node->count;
    stamp->slot.u.link.parent = number ? t->nodes.at[node->parent].slot : SLOT_NONE;
    node->stamp = (uint32_t)(t->stamps.count - 1);
    node->slot = (uint32_t)t->slots++;
    if (number == 0) {
        return true;
    }
    node->number = (uint32_t)t->objects++;
    node->step = (uint32_t)t->steps.count;
    return gcf_add_step(r, t, GCF_STEP_OPEN, node) != NULL;
}

/* The keys of an object without a shape, in a slot behind its values. */
static bool gcf_plan_keys(gcf_reader *r, gcf_layout *t, const gcf_node *node)
{
    pith_arena *arena = t->kept ? &t->texts : &r->doc->arena;
    gcf_stamp *stamp = gcf_add_stamp(r, t);
    pith_key *keys = (pith_key *)arena_take_aligned(arena, node->count * sizeof *keys);
    if (!stamp || !keys) {
        return read_failed(&r->in);
    }
    stamp->slot.kind = SLOT_KEYS;
    stamp->slot.n = node->count;
    stamp->slot.u.keys = keys;
    t->slots++;
    for (uint32_t child = node->first; child; child = t->nodes.at[child].next) {
        *keys++ = t->nodes.at[child].key;
    }
    return true;
}

static bool gcf_plan_end(gcf_reader *r, gcf_layout *t, uint32_t number)
{
    gcf_node *node = &t->nodes.at[number];
    if (node->shape == SHAPE_NONE) {
        t->shape = SHAPE_NONE;
        if (!gcf_plan_keys(r, t, node)) {
            return false;
        }
    } else if (!shapes_list(&r->doc->shapes, node->shape)) {
        return read_failed(&r->in);
    }
    pith_slot *object = &t->stamps.at[node->stamp].slot;
    object->shape = node->shape;
    object->u.link.next = (uint32_t)t->slots;
    if (number == 0) {
        return true;
    }
    t->steps.at[node->step].shape = node->shape;
    t->steps.at[node->step].end = (uint32_t)t->steps.count;
    return gcf_add_step(r, t, GCF_STEP_CLOSE, node) != NULL;
}

static bool gcf_plan_value(gcf_reader *r, gcf_layout *t, const gcf_node *node)
{
    const gcf_field *field = &t->fields[node->field];
    if (!gcf_add_step(r, t, GCF_STEP_VALUE, node)) {
        return false;
    }
    if (field->role == GCF_FIXED) {
        gcf_stamp *stamp = gcf_add_stamp(r, t);
        if (!stamp) {
            return false;
        }
        stamp->slot = field->fixed;
    } else if (field->role == GCF_GROUPED) {
        t->group_at = (uint32_t)t->slots;
    } else {
        t->place[field->cell] = (uint32_t)t->slots;
    }
    t->slots++;
    return true;
}

/* Plans a node that is not the row itself, and one key more for what is around it. */
static bool gcf_plan_node(gcf_reader *r, gcf_layout *t, uint32_t number)
{
    gcf_node *node = &t->nodes.at[number];
    gcf_node *around = &t->nodes.at[node->parent];
    uint16_t shape = shapes_step(&r->doc->shapes, around->shape, node->key.text,
                                 node->key.len, node->key.flags);
    around->shape = shape == SHAPE_DUPLICATE ? (uint16_t)SHAPE_NONE : shape;
    return node->field == SLOT_NONE ? gcf_plan_object(r, t, number)
                                    : gcf_plan_value(r, t, node);
}

/* Walks the tree and writes down what it meets. */
static bool gcf_plan_tree(gcf_reader *r, gcf_layout *t)
{
    uint32_t at = 0;
    size_t level = 1;
    if (!gcf_plan_object(r, t, 0)) {
        return false;
    }
    for (;;) {
        uint32_t next = t->nodes.at[at].first;
        level += next && at;
        t->levels = level > t->levels ? level : t->levels;
        while (!next) {
            if (t->nodes.at[at].field == SLOT_NONE) {
                if (!gcf_plan_end(r, t, at)) {
                    return false;
                }
                if (at == 0) {
                    return true;
                }
                level--;
            }
            next = t->nodes.at[at].next;
            at = next ? at : t->nodes.at[at].parent;
        }
        at = next;
        if (!gcf_plan_node(r, t, at)) {
            return false;
        }
    }
}

/* Numbers the cells: fields that are the same in all rows have none. */
static bool gcf_number_cells(gcf_reader *r, gcf_layout *t)
{
    size_t count = t->names.count;
    const pith_alloc *alloc = &r->doc->alloc;
    if (!list_grow(alloc, (void *)&t->place, &t->place_cap, count, sizeof *t->place) ||
        !list_grow(alloc, (void *)&t->cells, &t->cell_cap, count, sizeof *t->cells)) {
        return read_failed(&r->in);
    }
    t->width = 0;
    for (uint32_t i = 0; i < count; i++) {
        gcf_field *field = &t->fields[i];
        if (field->role == GCF_CELL || field->role == GCF_KEY) {
            t->cells[t->width] = i;
            field->cell = (uint32_t)t->width++;
        }
    }
    return true;
}

bool gcf_layout_plan(gcf_reader *r, gcf_layout *t)
{
    pith_key none = {"", 0, 0, 0};
    t->nodes.count = 0;
    t->steps.count = 0;
    t->stamps.count = 0;
    t->slots = 0;
    t->levels = 0;
    t->objects = 0;
    t->index_ready = false;
    t->shape = SHAPE_EMPTY;
    gcf_forget_sparse(&r->doc->alloc, t);
    if (!gcf_number_cells(r, t)) {
        return false;
    }
    if (t->paths && !gcf_index_room(r, &t->index, t->names.count)) {
        return false;
    }
    gcf_add_node(r, t, 0, &none, SLOT_NONE);
    if (read_stopped(&r->in)) {
        return false;
    }
    for (uint32_t i = t->keyed ? 1 : 0; i < t->names.count; i++) {
        if (!gcf_plant_field(r, t, i)) {
            return false;
        }
    }
    if (!gcf_plan_tree(r, t)) {
        return false;
    }
    if (t->shape != SHAPE_NONE) {
        t->shape = t->nodes.at[0].shape;
    }
    if (t->keyed) {
        t->place[0] = (uint32_t)t->slots; /* behind the row: it is not part of it */
    }
    return true;
}

/* Copies a text that must outlive the input. */
static bool gcf_keep_text(gcf_reader *r, gcf_layout *t, const char **text, size_t len,
                          uint8_t *flags)
{
    *text = arena_copy(&t->texts, *text, len);
    *flags &= (uint8_t)~SLOT_TAIL;
    return *text || read_failed(&r->in);
}

bool gcf_keep_name(gcf_reader *r, gcf_layout *t, pith_key *name)
{
    return gcf_keep_text(r, t, &name->text, name->len, &name->flags);
}

bool gcf_layout_keep(gcf_reader *r, gcf_layout *t)
{
    for (size_t i = 0; i < t->names.count; i++) {
        pith_key *name = &t->names.at[i];
        pith_slot *fixed = &t->fields[i].fixed;
        if (!gcf_keep_name(r, t, name) ||
            (t->fields[i].role == GCF_FIXED && fixed->kind >= PITH_INTEGER &&
             !gcf_keep_text(r, t, &fixed->u.text, fixed->n, &fixed->flags))) {
            return false;
        }
    }
    uint8_t none = 0;
    t->kept = true;
    return (!t->declared.ptr ||
            gcf_keep_text(r, t, &t->declared.ptr, t->declared.len, &none)) &&
           gcf_layout_plan(r, t);
}
