/*
 * gcf_nest.c - what the nested values of a field allow: columns, one list of keys for all
 * objects, one list of fields for all arrays.
 *
 * An object can be flat when it has members, every key can be part of a path, every value
 * is a scalar or another such object, and not all of its scalars are null (which would be
 * read as null in place of the object). That is a property of the object alone. It is
 * found for an object and all objects in it in one walk and kept, so that asking again
 * further down costs nothing. Objects of one field must also be alike; they are compared only if they are of like size, so whatever is compared
 * in vain lies in one of several parts of like size, and a value can lie in only so many
 * of those, one inside the other.
 */
#include "format/gcf/gcf_table.h"

#include "doc/alike.h"

#include <assert.h>

/* ---------------------------------------------------------------- scalars only */

/* What a shallow container holds. */
enum { GCF_HOLDS_CONTAINER = 1, GCF_HOLDS_VALUE = 2 };

static unsigned gcf_look_inside(const pith_slot *container)
{
    const pith_slot *at = container + 1;
    const pith_slot *end = at + container->n;
    unsigned containers = 0;
    unsigned values = 0;
    for (; at < end; at++) {
        containers |= at->kind >= PITH_ARRAY;
        values |= at->kind != PITH_NULL;
    }
    return (containers ? (unsigned)GCF_HOLDS_CONTAINER : 0u) |
           (values ? (unsigned)GCF_HOLDS_VALUE : 0u);
}

/* ---------------------------------------------------------------- flat objects */

enum { GCF_PATHS_MOST = 2 /* objects for each column, in a large document */ };

/* What is kept of an object. The first is its state while it is walked. */
enum { GCF_HAS_VALUE = 1, GCF_CAN_BE_FLAT = 2, GCF_CANNOT_BE_FLAT = 4 };

/* None of the objects around `at`, up to `root`, can be flat. */
static void gcf_spoil(gcf_tables *tables, uint32_t at, uint32_t root)
{
    for (;;) {
        tables->objects[at] = GCF_CANNOT_BE_FLAT;
        if (at == root)
            return;
        at = tables->doc->slots[at].u.link.parent;
    }
}

/* True when nothing is wrong with the object itself, all its members having been seen. */
static bool gcf_is_sound(gcf_tables *tables, uint32_t at)
{
    const pith_slot *object = &tables->doc->slots[at];
    return object->n > 0 && (tables->objects[at] & GCF_HAS_VALUE) &&
           (gcf_know_keys(tables, object) & GCF_KEYS_CLEAN);
}

/* The tape is its own stack: an object that ends goes on in its parent. Tables are opened
 * from the outside in, so nothing is known yet of the objects in this one. */
static void gcf_walk_object(gcf_tables *tables, uint32_t root)
{
    const pith_doc *doc = tables->doc;
    uint32_t here = root;
    uint32_t at = root + 1;
    for (;;) {
        while (at == doc_children_end(&doc->slots[here])) {
            if (!gcf_is_sound(tables, here)) {
                gcf_spoil(tables, here, root);
                return;
            }
            tables->objects[here] = GCF_CAN_BE_FLAT;
            if (here == root)
                return;
            at = doc->slots[here].u.link.next;
            here = doc->slots[here].u.link.parent;
            tables->objects[here] |= GCF_HAS_VALUE;
        }
        const pith_slot *slot = &doc->slots[at];
        if (slot->kind == PITH_OBJECT) {
            assert(!tables->objects[at]);
            here = at++;
        } else if (slot->kind >= PITH_ARRAY) {
            gcf_spoil(tables, here, root);
            return;
        } else {
            tables->objects[here] |= slot->kind != PITH_NULL ? GCF_HAS_VALUE : 0;
            at++;
        }
    }
}

uint32_t gcf_count_leaves(const gcf_tables *tables, const pith_slot *object)
{
    assert(object->kind == PITH_OBJECT);
    const pith_slot *end = tables->doc->slots + object->u.link.next;
    uint32_t leaves = 0;
    for (object++; object < end; object++)
        leaves += object->kind < PITH_ARRAY;
    return leaves;
}

/* Whether a reader may make so many objects of the columns that the object becomes. */
static bool gcf_is_worth(const gcf_tables *tables, const pith_slot *object)
{
    uint64_t leaves = gcf_count_leaves(tables, object);
    uint64_t all = object->u.link.next - (uint64_t)(object - tables->doc->slots);
    return doc_may_hide(tables->doc, all - leaves, leaves, GCF_PATHS_MOST);
}

/* Tells whether the object can be flat; false when out of memory. */
static bool gcf_can_be_flat(gcf_tables *tables, const pith_slot *object, bool *flat)
{
    uint32_t at = (uint32_t)(object - tables->doc->slots);
    if (!tables->objects) {
        tables->objects = (uint8_t *)alloc_zeroed(&tables->alloc, tables->doc->count);
        if (!tables->objects)
            return false;
    }
    if (!(tables->objects[at] & (GCF_CAN_BE_FLAT | GCF_CANNOT_BE_FLAT)))
        gcf_walk_object(tables, at);
    *flat = tables->objects[at] == GCF_CAN_BE_FLAT && gcf_is_worth(tables, object);
    return true;
}

/* The same for an object further down, given that the first can be flat: then only nulls
 * may be in the way. */
static bool gcf_can_be_flat_too(gcf_tables *tables, const pith_slot *first,
                                const pith_slot *object, bool *flat)
{
    bool nulls;
    *flat = doc_compare(tables->doc, first, object, &nulls) == DOC_ALIKE;
    return !*flat || !nulls || gcf_can_be_flat(tables, object, flat);
}

/* -------------------------------------------------------------- fields and objects */

enum { GCF_INLINE_LEAST = 3 /* keys that are worth a list */ };

/* An object of scalars and perhaps empty containers. */
static void gcf_meet_shallow(gcf_tables *tables, gcf_table_field *field,
                             const pith_slot *object)
{
    const pith_doc *doc = tables->doc;
    unsigned holds = gcf_look_inside(object);
    bool scalars = !(holds & GCF_HOLDS_CONTAINER) && object->n > 0;
    bool same = scalars && gcf_is_shallow(doc, field->sample) &&
                doc_same_keys(doc, field->sample, object);
    field->may_be_inline &= same && object->n >= GCF_INLINE_LEAST;
    field->may_be_flat &= same && (holds & GCF_HOLDS_VALUE) &&
                          (gcf_know_keys(tables, object) & GCF_KEYS_CLEAN);
}

bool gcf_meet_object(gcf_tables *tables, gcf_table_field *field, const pith_slot *object)
{
    assert(object->kind == PITH_OBJECT);
    if (!field->sample)
        field->sample = object;
    if (field->sample->kind != PITH_OBJECT) {
        field->may_be_flat = false;
        field->may_be_inline = false;
    }
    if (!field->may_be_flat && !field->may_be_inline)
        return true;
    if (gcf_is_shallow(tables->doc, object)) {
        gcf_meet_shallow(tables, field, object);
        return true;
    }
    field->may_be_inline = false;
    if (!field->may_be_flat)
        return true;
    return field->sample == object
               ? gcf_can_be_flat(tables, object, &field->may_be_flat)
               : gcf_can_be_flat_too(tables, field->sample, object, &field->may_be_flat);
}

/* --------------------------------------------------------------- fields and arrays */

/* True when all elements are objects that hold scalars only. */
static bool gcf_is_table_of_scalars(const pith_doc *doc, const pith_slot *array)
{
    const pith_slot *row = array + 1;
    for (uint32_t i = 0; i < array->n; i++) {
        if (row->kind != PITH_OBJECT || !gcf_is_shallow(doc, row) ||
            (gcf_look_inside(row) & GCF_HOLDS_CONTAINER))
            return false;
        row = doc->slots + row->u.link.next;
    }
    return array->n > 0;
}

/* Keeps the list of fields that all arrays of the field must have. */
static bool gcf_keep_names(gcf_tables *tables, gcf_table_field *field,
                           const gcf_table *table)
{
    const gcf_table_field *fields = gcf_fields(tables, table);
    size_t count = table->field_count;
    if (tables->names.count + count > UINT32_MAX ||
        !LIST_RESERVE(&tables->names, &tables->alloc, count + 1))
        return false;
    const pith_key **names = tables->names.at + tables->names.count;
    for (size_t i = 0; i < count; i++) {
        names[i] = fields[i].key;
        field->may_be_shared &= fields[i].bare || !gcf_is_pathlike(names[i]);
    }
    field->names = (uint32_t)tables->names.count;
    field->name_count = (uint32_t)count;
    tables->names.count += count;
    return true;
}

static bool gcf_has_names(const gcf_tables *tables, const gcf_table_field *field,
                          const gcf_table *table)
{
    const gcf_table_field *fields = gcf_fields(tables, table);
    const pith_key **names = tables->names.at + field->names;
    if (table->field_count != field->name_count)
        return false;
    for (size_t i = 0; i < table->field_count; i++)
        if (!key_equal(fields[i].key, names[i]))
            return false;
    return true;
}

/* True when every element has the shape; that is the usual case, and quickly seen. */
static bool gcf_has_shape(const pith_doc *doc, const pith_slot *array, uint16_t shape)
{
    const pith_slot *row = array + 1;
    for (uint32_t i = 0; i < array->n; i++) {
        if (row->shape != shape)
            return false;
        row = doc->slots + row->u.link.next;
    }
    return shape != SHAPE_NONE;
}

/* Finds the union of the array and compares it with that of the field's first array. */
static bool gcf_meet_union(gcf_tables *tables, size_t index, const pith_slot *array,
                           bool first)
{
    gcf_table table;
    gcf_verdict verdict = gcf_union_open(tables, &table, array);
    gcf_table_field *field = tables->fields.at + index;
    size_t names = tables->names.count;
    bool fits = verdict != GCF_NO_MEMORY;
    if (verdict != GCF_IS_TABLE) {
        field->may_be_shared = false;
    } else if (first) {
        fits = gcf_keep_names(tables, field, &table);
        names = tables->names.count;
    } else {
        field->may_be_shared = gcf_has_names(tables, field, &table);
    }
    gcf_table_close(tables, &table);
    tables->names.count = names;
    return fits;
}

bool gcf_meet_array(gcf_tables *tables, size_t index, const pith_slot *array)
{
    assert(array->kind == PITH_ARRAY && index < tables->fields.count);
    gcf_table_field *field = tables->fields.at + index;
    bool first = !field->sample;
    if (first)
        field->sample = array;
    if (!field->may_be_shared)
        return true;
    if (field->sample->kind != PITH_ARRAY ||
        !gcf_is_table_of_scalars(tables->doc, array)) {
        field->may_be_shared = false;
        return true;
    }
    uint16_t shape = field->sample[1].shape;
    if (!first && field->name_count == field->sample[1].n &&
        gcf_has_shape(tables->doc, array, shape))
        return true;
    return gcf_meet_union(tables, index, array, first);
}
