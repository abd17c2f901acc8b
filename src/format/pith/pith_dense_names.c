/*
 * pith_dense_names.c - what will be written, and which of it is named.
 *
 * Forms are decided; now they are settled from the outside in. A table gives its rows
 * their level, a row its groups and table columns theirs, each on the way to the next slot:
 *
 *     [ { 1 { a b } } { 2 { c b } } ]      a table with a group
 *       row             row                apart: no values of their own
 *           group           group          apart
 *                             empty        the cell is as in the row above
 *
 * Then two walks over the slots that are values: the first finds objects that are models
 * of others, the second counts the places of everything else. A container that could be
 * named is entered where it is first met.
 */
#include "format/pith/pith_dense.h"

enum { PN_MODEL_KEYS = 12 };
enum { PN_WALK_MODELS = 1, PN_WALK_NAMES = 2 };

/* ------------------------------------------------------------------------- settling */

/* A walk through the tape that knows the number of the next container. */
typedef struct pn_tape {
    pn_dense *dense;
    uint32_t at;
    uint32_t number;
} pn_tape;

/* Makes a container of a table part of it: a row, a group, the rows in a cell. */
static void pn_set_apart(pn_dense *dense, uint32_t at, uint32_t number, uint32_t level)
{
    pn_records(dense->plan)[number].level = level;
    *pn_word(dense, at) |= PN_APART;
}

/* The rows of a table, a map, or a cell of a table column. */
static void pn_settle_rows(const pn_tape *tape, uint32_t level)
{
    const pn_record *records = pn_records(tape->dense->plan);
    uint32_t end = records[tape->number].after;
    for (uint32_t row = tape->number - 1; row != end; row = records[row].after)
        pn_set_apart(tape->dense, records[row].slot, row, level);
}

/* Leaves a cell empty. */
static void pn_empty_cell(pn_dense *dense, uint32_t at)
{
    const pith_slot *slot = &dense->doc->slots[at];
    *pn_word(dense, at) |= PN_EMPTY;
    dense->saved +=
        slot_is_container(slot) ? 2 : pn_scalar_len(slot, dense->plan->shortest);
}

/* What the header has for a mark, less what a template is known to save by it. */
static int64_t pn_mark_len(const pn_dense *dense, const pn_column *column)
{
    const pith_slot *slot = column->constant;
    if (column->mark == PN_TEMPLATE)
        return -(int64_t)column->bytes;
    if (column->mark != PN_DEFAULT)
        return column->mark == PN_DITTO;
    return 5 + (slot_is_container(slot) ? 2 : pn_scalar_len(slot, dense->plan->shortest));
}

static void pn_settle_leaf(pn_dense *dense, pn_column *column, uint32_t at)
{
    const pith_slot *slots = dense->doc->slots;
    uint32_t above = column->above;
    column->above = at;
    if (above == SLOT_NONE)
        dense->saved -= pn_mark_len(dense, column);
    switch (column->mark) {
    case PN_DITTO:
        if (above != SLOT_NONE && pn_is_small(dense, at) &&
            pn_same_value(dense, above, at))
            pn_empty_cell(dense, at);
        break;
    case PN_DEFAULT:
        if (pn_same_value(dense, (uint32_t)(column->constant - slots), at))
            pn_empty_cell(dense, at);
        break;
    case PN_TEMPLATE:
        *pn_word(dense, at) |= PN_APART;
        break;
    default:
        break;
    }
    dense->used = dense->used || column->mark != PN_NO_MARK;
}

/* The members of a row or of a group in it. */
static void pn_settle_row(const pn_tape *tape)
{
    pn_dense *dense = tape->dense;
    const pn_plan *plan = dense->plan;
    const pith_slot *object = &dense->doc->slots[tape->at];
    const pn_record *records = pn_records(plan);
    const pn_level *level = pn_level_at(plan, records[tape->number].level);
    const uint32_t *map =
        level->shape == SHAPE_NONE ? pn_map_of(plan, level, object) : NULL;
    pn_column *columns = pn_columns_of(plan, level);
    uint32_t at = tape->at + 1;
    uint32_t number = tape->number - 1;
    for (uint32_t i = 0; i < object->n; i++) {
        pn_column *column = &columns[map ? map[i] : i];
        bool container = slot_is_container(&dense->doc->slots[at]);
        if (column->kind == PN_LEAF)
            pn_settle_leaf(dense, column, at);
        else if (column->kind == PN_CONSTANT)
            *pn_word(dense, at) |= PN_APART | PN_EMPTY;
        else
            pn_set_apart(dense, at, number, column->level);
        at = doc_after_at(dense->doc, at);
        number = container ? records[number].after : number;
    }
}

/* Settles the container at hand; false when out of memory. */
static bool pn_settle_container(const pn_tape *tape)
{
    pn_plan *plan = tape->dense->plan;
    pn_record *record = &pn_records(plan)[tape->number];
    bool apart = *pn_word(tape->dense, tape->at) & PN_APART;
    if (record->n == 0)
        return true;
    if (apart && record->object) {
        pn_settle_row(tape);
        return true;
    }
    if (!apart && record->level == PN_LATER) {
        uint32_t level = pn_plan_table(plan, tape->number);
        if (level == PN_PLAIN)
            return false;
        record->level = level;
    }
    if (record->level != PN_PLAIN)
        pn_settle_rows(tape, record->level);
    return true;
}

static bool pn_settle_all(pn_dense *dense)
{
    const pith_slot *slots = dense->doc->slots;
    pn_tape tape = {dense, dense->root, (uint32_t)dense->plan->records.count - 1};
    for (; tape.at < dense->end; tape.at++) {
        if (!slot_is_container(&slots[tape.at]))
            continue;
        if (!pn_settle_container(&tape))
            return false;
        tape.number--;
    }
    return true;
}

/* --------------------------------------------------------------------------- models */

/* Where the model with the keys of the object is in the table, or would be. */
static size_t pn_model_place(const pn_dense *dense, const pith_slot *object,
                             uint32_t hash)
{
    const pith_slot *slots = dense->doc->slots;
    size_t at = hash_first(&dense->model_table, hash);
    for (; dense->model_table.at[at] != HASH_NONE;
         at = hash_next(&dense->model_table, at)) {
        const pn_model *model = &dense->model_list.at[dense->model_table.at[at]];
        if (model->hash == hash && pn_same_keys(dense->plan, &slots[model->slot], object))
            break;
    }
    return at;
}

static uint32_t pn_model_hash(const pn_dense *dense, const pith_slot *object)
{
    return hash_small(dense->doc->shapes.seed, pn_keys_hash(dense->plan, object));
}

pn_model *pn_model_of(const pn_dense *dense, const pith_slot *object)
{
    if (dense->model_list.count == 0 || object->n > PN_MODEL_KEYS)
        return NULL;
    size_t place = pn_model_place(dense, object, pn_model_hash(dense, object));
    uint32_t number = dense->model_table.at[place];
    pn_model *model = number == HASH_NONE ? NULL : &dense->model_list.at[number];
    return model && model->used ? model : NULL;
}

/* Meets an object that is written plainly: it is a model, or like one. */
static bool pn_meet_model(pn_dense *dense, uint32_t at)
{
    const pith_alloc *alloc = &dense->plan->alloc;
    const pith_slot *object = &dense->doc->slots[at];
    uint32_t hash = pn_model_hash(dense, object);
    size_t count = dense->model_list.count;
    bool moved;
    if (!hash_table_reserve(&dense->model_table, alloc, count + 1, &moved))
        return false;
    for (size_t i = 0; moved && i < count; i++)
        hash_enter(&dense->model_table, dense->model_list.at[i].hash, (uint32_t)i);
    size_t place = pn_model_place(dense, object, hash);
    uint32_t number = dense->model_table.at[place];
    if (number != HASH_NONE) {
        pn_model *model = &dense->model_list.at[number];
        model->likenesses += at >= model->end;
        return true;
    }
    pn_model *model = LIST_ADD(&dense->model_list, alloc);
    if (!model)
        return false;
    dense->model_table.at[place] = (uint32_t)count;
    *model = (pn_model){.slot = at, .end = object->u.link.next, .hash = hash};
    return true;
}

static void pn_choose_models(pn_dense *dense)
{
    for (size_t i = 0; i < dense->model_list.count; i++) {
        pn_model *model = &dense->model_list.at[i];
        const pith_slot *object = &dense->doc->slots[model->slot];
        int64_t keys = pn_keys_weight(dense->plan, object) + object->n;
        model->used = (int64_t)model->likenesses * (keys - 4) > 8;
        dense->used = dense->used || model->used;
    }
}

bool pn_leave_out(pn_dense *dense, const pn_model *model, uint32_t at)
{
    const pith_doc *doc = dense->doc;
    uint32_t end = doc_children_end(&doc->slots[at]);
    uint32_t other = model->slot + 1;
    bool all = true;
    for (at++; at < end; at = doc_after_at(doc, at), other = doc_after_at(doc, other))
        if (pn_same_value(dense, at, other) && pn_is_small(dense, at))
            *pn_word(dense, at) |= PN_EMPTY;
        else
            all = false;
    return all;
}

/* ---------------------------------------------------------------------------- walks */

static bool pn_is_plain_object(const pn_tape *tape)
{
    const pith_slot *slot = &tape->dense->doc->slots[tape->at];
    return slot->kind == PITH_OBJECT && slot->n > 0 && slot->n <= PN_MODEL_KEYS &&
           tape->at != tape->dense->root &&
           pn_records(tape->dense->plan)[tape->number].level == PN_PLAIN;
}

/* Meets a value that is written. False when out of memory. */
static bool pn_meet_object(const pn_tape *tape, unsigned walk)
{
    pn_dense *dense = tape->dense;
    if (!dense->models || !pn_is_plain_object(tape))
        return true;
    if (walk == PN_WALK_MODELS)
        return pn_meet_model(dense, tape->at);
    const pn_model *model = pn_model_of(dense, &dense->doc->slots[tape->at]);
    if (model && tape->at >= model->end)
        pn_leave_out(dense, model, tape->at);
    return true;
}

/* Moves on past a value with everything in it. */
static void pn_pass_by(pn_tape *tape)
{
    if (slot_is_container(&tape->dense->doc->slots[tape->at]))
        tape->number = pn_records(tape->dense->plan)[tape->number].after;
    tape->at = doc_after_at(tape->dense->doc, tape->at);
}

/* Walks what will be written; false when out of memory. */
static bool pn_walk_values(pn_dense *dense, unsigned walk)
{
    const pith_slot *slots = dense->doc->slots;
    pn_tape tape = {dense, dense->root, (uint32_t)dense->plan->records.count - 1};
    while (tape.at < dense->end) {
        const pith_slot *slot = &slots[tape.at];
        uint32_t word = *pn_word(dense, tape.at);
        if (slot->kind == SLOT_KEYS) {
            tape.at++;
            continue;
        }
        dense->written += walk == PN_WALK_NAMES;
        if (word & PN_EMPTY) {
            pn_pass_by(&tape);
            continue;
        }
        pn_class *class = word & PN_APART ? NULL : pn_class_of(dense, tape.at);
        if (class) {
            class->places++;
            if (class->walk == walk && pn_is_nameable(class)) {
                pn_pass_by(&tape);
                continue;
            }
            class->walk = (uint8_t)walk;
        }
        if (slot_is_container(slot)) {
            if (!(word & PN_APART) && !pn_meet_object(&tape, walk))
                return false;
            tape.number--;
        }
        tape.at++;
    }
    return true;
}

static void pn_forget_places(pn_dense *dense)
{
    for (size_t i = 0; i < dense->classes.count; i++)
        dense->classes.at[i].places = 0;
}

static void pn_choose_names(pn_dense *dense)
{
    for (size_t i = 0; i < dense->classes.count; i++) {
        pn_class *class = &dense->classes.at[i];
        int64_t places = class->places;
        class->named = dense->names && pn_is_nameable(class) && places > 1 &&
                       (places - 1) * ((int64_t) class->weight - 4) > 8;
        dense->used = dense->used || class->named;
    }
}

bool pn_dense_settle(pn_dense *dense)
{
    if (!pn_settle_all(dense))
        return false;
    if (dense->models && !pn_walk_values(dense, PN_WALK_MODELS))
        return false;
    pn_choose_models(dense);
    pn_forget_places(dense);
    if ((dense->names || dense->stems) && !pn_walk_values(dense, PN_WALK_NAMES))
        return false;
    pn_choose_names(dense);
    return !dense->stems || pn_find_stems(dense);
}

/* ---------------------------------------------------------------------------- bytes */

/* The digits of the largest name there can be. */
static int64_t pn_name_digits(const pn_dense *dense)
{
    uint64_t names = 0;
    for (size_t i = 0; i < dense->classes.count; i++)
        names += dense->classes.at[i].named;
    for (size_t i = 0; i < dense->model_list.count; i++)
        names += dense->model_list.at[i].used;
    for (size_t i = 1; i < dense->stem_list.count; i++)
        names += dense->stem_list.at[i].best == i;
    return pn_digits_of(names);
}

/* What a name saves at least: `each` time, and once less for its definition. False when
 * it may save nothing: then there is no telling, for it may be used more often. */
static bool pn_name_saves(int64_t each, int64_t times, int64_t digits, int64_t *saved)
{
    *saved += times * (each - 1 - digits) - 2 - digits;
    return each > 1 + digits;
}

/* The bytes of the text of a value, at least. */
static int64_t pn_least_len(const pn_dense *dense, const pn_class *class)
{
    const pith_slot *slot = &dense->doc->slots[class->slot];
    return slot_is_container(slot) ? class->weight / 2
                                   : pn_scalar_len(slot, dense->plan->shortest);
}

bool pn_surely_saves(const pn_dense *dense)
{
    int64_t digits = pn_name_digits(dense);
    int64_t saved = dense->saved;
    bool sure = dense->used;
    for (size_t i = 0; i < dense->classes.count && sure; i++) {
        const pn_class *class = &dense->classes.at[i];
        if (class->named)
            sure = pn_name_saves(pn_least_len(dense, class), class->places - 1, digits,
                                 &saved);
    }
    for (size_t i = 0; i < dense->model_list.count && sure; i++) {
        const pn_model *model = &dense->model_list.at[i];
        if (model->used)
            sure =
                pn_name_saves(pn_keys_len(dense->plan, &dense->doc->slots[model->slot]),
                              model->likenesses, digits, &saved);
    }
    for (size_t i = 1; i < dense->stem_list.count && sure; i++) {
        const pn_stem *stem = &dense->stem_list.at[i];
        if (stem->best != i)
            continue;
        saved -= 3; /* a tail may need a backslash, or quotes */
        sure = pn_name_saves(stem->len - 3, stem->uses - 1, digits, &saved);
    }
    int64_t layout = dense->refused > 0 ? (int64_t)dense->plan->records.count : 0;
    return sure && saved > dense->refused + layout;
}

void pn_write_again(pn_dense *dense)
{
    dense->defined = 0;
    for (size_t i = 0; i < dense->classes.count; i++)
        dense->classes.at[i].name = 0;
    for (size_t i = 0; i < dense->model_list.count; i++)
        dense->model_list.at[i].name = 0;
    for (size_t i = 0; i < dense->stem_list.count; i++)
        dense->stem_list.at[i].name = 0;
}
