/*
 * soch_plan.c - finding tables in a value; see soch_plan.h.
 *
 * Rows of one shape are compared by a number, wide ones by the list they share; only
 * where that fails are keys looked at, and only where those come in another order is a
 * table of names made.
 */
#include "format/soch/soch_plan.h"

#include <assert.h>

void soch_plan_free(soch_plan *plan)
{
    const pith_alloc *alloc = &plan->alloc;
    arena_free(&plan->arena);
    soch_given_free(&plan->given);
    LIST_FREE(&plan->tables, alloc);
    LIST_FREE(&plan->columns, alloc);
    alloc_free(alloc, plan->lookup, plan->lookup_size * sizeof *plan->lookup);
    alloc_free(alloc, (void *)plan->cells, plan->cell_cap * sizeof *plan->cells);
}

static soch_table *soch_plan_add(soch_plan *plan)
{
    soch_table *added = LIST_ADD(&plan->tables, &plan->alloc);
    if (added) {
        memset(added, 0, sizeof *added);
    }
    return added;
}

/* --------------------------------------------------------------- columns by name */

static size_t soch_plan_place(const soch_plan *plan, pith_text name)
{
    size_t mask = plan->lookup_size - 1;
    size_t at = (size_t)hash_text(plan->doc->shapes.seed, name.ptr, name.len) & mask;
    while (plan->lookup[at] != SLOT_NONE &&
           !text_equal(plan->columns.at[plan->lookup[at]].name, name)) {
        at = (at + 1) & mask;
    }
    return at;
}

/* Makes the lookup fit `count` columns and enters those there are. */
static bool soch_plan_reserve(soch_plan *plan, size_t count)
{
    size_t size = 16;
    while (size < count * 2) {
        size *= 2;
    }
    if (size > plan->lookup_size) {
        void *lookup = alloc_resize(&plan->alloc, plan->lookup,
                                    plan->lookup_size * sizeof *plan->lookup,
                                    size * sizeof *plan->lookup);
        if (!lookup) {
            return false;
        }
        plan->lookup = (uint32_t *)lookup;
        plan->lookup_size = size;
    }
    memset(plan->lookup, 0xFF, plan->lookup_size * sizeof *plan->lookup);
    for (size_t i = 0; i < plan->columns.count; i++) {
        plan->lookup[soch_plan_place(plan, plan->columns.at[i].name)] = (uint32_t)i;
    }
    return true;
}

static bool soch_plan_column(soch_plan *plan, pith_text name)
{
    pith_field *added = LIST_ADD(&plan->columns, &plan->alloc);
    if (!added) {
        return false;
    }
    memset(added, 0, sizeof *added);
    added->name = name;
    added->nullable = true;
    return true;
}

/* The columns are the keys of an object. */
static bool soch_plan_columns_of(soch_plan *plan, const pith_slot *row)
{
    const pith_key *keys = doc_keys(plan->doc, row);
    plan->columns.count = 0;
    for (uint32_t i = 0; i < row->n; i++) {
        if (!soch_plan_column(plan, key_text(&keys[i]))) {
            return false;
        }
    }
    return true;
}

bool soch_plan_enter(soch_plan *plan, const soch_table *table)
{
    /* There was room for them when the table was found. */
    assert(table->is.field_count <= plan->columns.cap);
    plan->columns.count = table->is.field_count;
    memcpy(plan->columns.at, table->is.fields,
           plan->columns.count * sizeof *plan->columns.at);
    return list_grow(&plan->alloc, (void *)&plan->cells, &plan->cell_cap,
                     plan->columns.count + 1, sizeof *plan->cells) &&
           soch_plan_reserve(plan, plan->columns.count);
}

size_t soch_plan_column_of(const soch_plan *plan, pith_text name)
{
    return plan->lookup[soch_plan_place(plan, name)];
}

const pith_slot *const *soch_plan_row(soch_plan *plan, const pith_slot *row)
{
    const pith_key *keys = doc_keys(plan->doc, row);
    const pith_slot *cell = row + 1;
    memset((void *)plan->cells, 0, plan->columns.count * sizeof *plan->cells);
    for (uint32_t i = 0; i < row->n; i++) {
        plan->cells[soch_plan_column_of(plan, key_text(&keys[i]))] = cell;
        cell = soch_behind(plan->doc, cell);
    }
    return plan->cells;
}

/* ---------------------------------------------------------- is an array a table? */

typedef enum soch_verdict { SOCH_NO_TABLE, SOCH_IS_TABLE, SOCH_NO_MEMORY } soch_verdict;

static bool soch_same_keys(const soch_plan *plan, const pith_slot *a, const pith_slot *b)
{
    if (a->n != b->n) {
        return false;
    }
    if (a->shape == b->shape && a->shape != SHAPE_NONE) {
        return true;
    }
    const pith_key *a_keys = doc_keys(plan->doc, a);
    const pith_key *b_keys = doc_keys(plan->doc, b);
    for (uint32_t i = 0; i < a->n && a_keys != b_keys; i++) {
        if (!text_equal(key_text(&a_keys[i]), key_text(&b_keys[i]))) {
            return false;
        }
    }
    return true;
}

/* Takes the keys of a row that is not like the first: they must all be columns, or, when
 * rows are filled, become some. */
static soch_verdict soch_plan_crooked(soch_plan *plan, const pith_slot *row)
{
    const pith_key *keys = doc_keys(plan->doc, row);
    if (row->n != plan->columns.count && !plan->wish->fill) {
        return SOCH_NO_TABLE;
    }
    for (uint32_t i = 0; i < row->n; i++) {
        pith_text name = key_text(&keys[i]);
        size_t place = soch_plan_place(plan, name);
        if (plan->lookup[place] != SLOT_NONE) {
            continue;
        }
        if (!plan->wish->fill) {
            return SOCH_NO_TABLE;
        }
        if (!soch_plan_column(plan, name)) {
            return SOCH_NO_MEMORY;
        }
        plan->lookup[place] = (uint32_t)(plan->columns.count - 1);
        if (plan->columns.count * 2 > plan->lookup_size &&
            !soch_plan_reserve(plan, plan->columns.count)) {
            return SOCH_NO_MEMORY;
        }
    }
    return SOCH_IS_TABLE;
}

/* Leaves the columns in the plan. */
static soch_verdict soch_plan_try(soch_plan *plan, const pith_slot *array, bool *straight)
{
    const pith_slot *first = array + 1;
    *straight = true;
    if (array->kind != PITH_ARRAY || array->n == 0 || array->flags & SLOT_TYPED) {
        return SOCH_NO_TABLE;
    }
    const pith_slot *row = first;
    bool looked = false;
    for (uint32_t i = 0; i < array->n; i++, row = soch_behind(plan->doc, row)) {
        if (row->kind != PITH_OBJECT || row->flags & SLOT_TYPED ||
            (row->n == 0 && !plan->wish->fill)) {
            return SOCH_NO_TABLE;
        }
        if (soch_same_keys(plan, first, row)) {
            continue;
        }
        if (!looked && (!soch_plan_columns_of(plan, first) ||
                        !soch_plan_reserve(plan, plan->columns.count))) {
            return SOCH_NO_MEMORY;
        }
        looked = true;
        *straight = false;
        soch_verdict verdict = soch_plan_crooked(plan, row);
        if (verdict != SOCH_IS_TABLE) {
            return verdict;
        }
    }
    if (!looked && !soch_plan_columns_of(plan, first)) {
        return SOCH_NO_MEMORY;
    }
    return plan->columns.count > 0 ? SOCH_IS_TABLE : SOCH_NO_TABLE;
}

/* ------------------------------------------------------- columns that are vectors */

/* A cell of a column that may hold vectors of one size. */
static void soch_plan_vector(pith_field *field, const pith_slot *cell)
{
    if (!cell || cell->kind == PITH_NULL) {
        field->nullable = true;
    } else if (typed_of(cell) != PITH_TYPE_VEC ||
               (field->type == PITH_TYPE_VEC && field->size != cell->n)) {
        field->type = PITH_TYPE_OBJECT; /* no such column, for now */
    } else if (field->type == PITH_TYPE_ANY) {
        field->type = PITH_TYPE_VEC;
        field->size = cell->n;
    }
}

/* Vectors keep their type only in a column of them; see whether there are any. */
static bool soch_plan_vectors(soch_plan *plan, soch_table *table, pith_field *fields)
{
    const pith_slot *row = plan->doc->slots + table->is.at + 1;
    bool any = false;
    for (const pith_slot *at = row; at < plan->doc->slots + row[-1].u.link.next; at++) {
        any = any || (at->kind == PITH_ARRAY && at->flags & SLOT_TYPED);
    }
    if (!any) {
        return true;
    }
    if (!soch_plan_enter(plan, table)) {
        return false;
    }
    for (size_t i = 0; i < table->is.field_count; i++) {
        fields[i].nullable = false;
    }
    for (uint32_t i = 0; i < table->rows; i++, row = soch_behind(plan->doc, row)) {
        const pith_slot *const *cells = soch_plan_row(plan, row);
        for (size_t k = 0; k < table->is.field_count; k++) {
            soch_plan_vector(&fields[k], cells[k]);
        }
    }
    for (size_t i = 0; i < table->is.field_count; i++) {
        if (fields[i].type != PITH_TYPE_VEC) {
            fields[i].type = PITH_TYPE_ANY;
            fields[i].nullable = true;
        }
    }
    return true;
}

/* --------------------------------------------------------------------- the plan */

static bool soch_plan_table(soch_plan *plan, pith_text name, bool unnamed, uint32_t at,
                            bool straight)
{
    soch_table *table = soch_plan_add(plan);
    size_t bytes = plan->columns.count * sizeof(pith_field);
    pith_field *fields =
        table ? (pith_field *)arena_take_aligned(&plan->arena, bytes + 1) : NULL;
    if (!fields) {
        return false;
    }
    if (bytes > 0) {
        memcpy(fields, plan->columns.at, bytes);
    }
    table->is.name = name;
    table->is.unnamed = unnamed;
    table->is.at = at;
    table->is.fields = fields;
    table->is.field_count = plan->columns.count;
    table->rows = plan->doc->slots[at].n;
    table->straight = straight;
    return soch_plan_vectors(plan, table, fields);
}

/* Everything that is no table: the only cell of one. */
static bool soch_plan_single(soch_plan *plan, uint32_t at)
{
    plan->tables.count = 0;
    plan->columns.count = 0;
    soch_table *table = soch_plan_add(plan);
    if (!table || !soch_plan_column(plan, text_from(SOCH_UNNAMED))) {
        return false;
    }
    table->is.name = text_from(SOCH_UNNAMED);
    table->is.unnamed = true;
    table->is.single = true;
    table->is.at = at;
    table->is.fields = plan->columns.at;
    table->is.field_count = 1;
    table->rows = 1;
    table->straight = true;
    return true;
}

/* The member is an empty array, which is a table of its name and nothing else. The
 * original grammar has no such table. */
static bool soch_plan_is_empty(const soch_plan *plan, const pith_slot *member)
{
    return member->kind == PITH_ARRAY && member->n == 0 &&
           !(member->flags & SLOT_TYPED) && !plan->wish->seed_only;
}

/* The members of the root, as long as they are tables. In the original grammar there is
 * one table at most. */
static soch_verdict soch_plan_members(soch_plan *plan, const pith_slot *root)
{
    const pith_doc *doc = plan->doc;
    const pith_key *keys = doc_keys(doc, root);
    const pith_slot *member = root + 1;
    bool straight;
    if (plan->wish->seed_only && root->n > 1) {
        return SOCH_NO_TABLE;
    }
    for (uint32_t i = 0; i < root->n; i++, member = soch_behind(doc, member)) {
        soch_verdict verdict = soch_plan_try(plan, member, &straight);
        if (soch_plan_is_empty(plan, member)) {
            plan->columns.count = 0;
            verdict = SOCH_IS_TABLE;
        }
        if (verdict != SOCH_IS_TABLE) {
            return verdict;
        }
        if (!soch_plan_table(plan, key_text(&keys[i]), false,
                             (uint32_t)(member - doc->slots), straight)) {
            return SOCH_NO_MEMORY;
        }
    }
    return root->n > 0 ? SOCH_IS_TABLE : SOCH_NO_TABLE;
}

static bool soch_plan_known(soch_plan *plan)
{
    const pith_doc *doc = plan->doc;
    for (size_t i = 0; i < doc->table_count; i++) {
        soch_table *table = soch_plan_add(plan);
        if (!table) {
            return false;
        }
        table->is = doc->tables[i];
        table->rows = table->is.single ? 1 : doc->slots[table->is.at].n;
        table->straight = true;
    }
    return true;
}

static bool soch_plan_find(soch_plan *plan, uint32_t at)
{
    const pith_slot *root = &plan->doc->slots[at];
    soch_verdict verdict = SOCH_NO_TABLE;
    bool straight;
    if (at == 0 && plan->doc->table_count > 0) {
        return soch_plan_known(plan);
    }
    if (root->kind == PITH_OBJECT && !(root->flags & SLOT_TYPED)) {
        verdict = soch_plan_members(plan, root);
    } else if (root->kind == PITH_ARRAY) {
        verdict = soch_plan_try(plan, root, &straight);
        if (verdict == SOCH_IS_TABLE) {
            return soch_plan_table(plan, text_from(SOCH_UNNAMED), true, at, straight);
        }
    }
    if (verdict == SOCH_NO_TABLE) {
        return soch_plan_single(plan, at);
    }
    return verdict == SOCH_IS_TABLE;
}

/* ------------------------------------------------------------ the types of columns */

/* Gives the columns of a table the types that are asked for. */
static bool soch_plan_types(soch_plan *plan, soch_table *table)
{
    const soch_wish *wish = plan->wish;
    size_t count = table->is.field_count;
    bool infer = wish->types == SOCH_TYPES_INFER;
    bool forget = wish->types == SOCH_TYPES_NONE ||
                  (table->is.loose && wish->types != SOCH_TYPES_ALL);
    table->fits = table->is.loose;
    if ((plan->given.count == 0 && !infer && !forget) || table->is.single) {
        return true;
    }
    size_t bytes = (count + 1) * sizeof(pith_field);
    pith_field *fields = (pith_field *)arena_take_aligned(&plan->arena, bytes);
    table->given = (bool *)arena_take(&plan->arena, count + 1);
    if (!fields || !table->given) {
        return false;
    }
    memcpy(fields, table->is.fields, count * sizeof *fields);
    for (size_t i = 0; i < count; i++) {
        if (forget) {
            fields[i].type = PITH_TYPE_ANY;
            fields[i].nullable = true;
        }
        table->given[i] = soch_given_apply(&plan->given, &fields[i]);
        table->fits = table->fits || table->given[i];
    }
    table->is.fields = fields;
    table->fits = table->fits || infer;
    return !infer || soch_infer(plan, table, fields);
}

static void soch_plan_name(soch_plan *plan, pith_text name)
{
    if (name.len > 0 && plan->tables.count == 1 && plan->tables.at[0].is.unnamed &&
        !plan->tables.at[0].is.single) {
        plan->tables.at[0].is.name = name;
        plan->tables.at[0].is.unnamed = false;
    }
}

pith_status soch_plan_make(soch_plan *plan, const pith_doc *doc, uint32_t at,
                           const soch_wish *wish, pith_error *err)
{
    memset(plan, 0, sizeof *plan);
    plan->doc = doc;
    plan->alloc = doc->alloc;
    plan->wish = wish;
    arena_init(&plan->arena, doc->alloc);
    pith_status status = soch_given_read(&plan->given, wish->fields, doc->alloc, err);
    if (status != PITH_OK) {
        return status;
    }
    bool made = soch_plan_find(plan, at);
    for (size_t i = 0; i < plan->tables.count && made; i++) {
        made = soch_plan_types(plan, &plan->tables.at[i]);
    }
    if (!made) {
        return error_no_memory(err);
    }
    soch_plan_name(plan, wish->name);
    return soch_given_check(&plan->given, err);
}
