/*
 * soch_plan.c - finding tables in a value; see soch_plan.h.
 *
 * doc/columns finds the columns; what is here are the rules of soch.
 */
#include "format/soch/soch_plan.h"
#include "doc/build.h"
#include "doc/typed.h"
#include "format/soch/soch_fit.h"

#include <assert.h>

void soch_plan_free(soch_plan *plan)
{
    const pith_alloc *alloc = &plan->alloc;
    arena_free(&plan->arena);
    soch_given_free(&plan->given);
    LIST_FREE(&plan->tables, alloc);
    columns_free(&plan->columns);
}

static soch_table *soch_plan_add(soch_plan *plan)
{
    soch_table *added = LIST_ADD(&plan->tables, &plan->alloc);
    if (added)
        memset(added, 0, sizeof *added);
    return added;
}

/* --------------------------------------------------------------- columns by name */

/* Begins the columns of another table. */
static void soch_plan_restart(soch_plan *plan)
{
    columns_close(&plan->columns, &plan->found);
    columns_open(&plan->columns, &plan->found);
}

/* Every row is matched here, and there is room for the cells of one, so that nothing fails
 * when they are gone through again. */
bool soch_plan_enter(soch_plan *plan, const soch_table *table)
{
    assert(!table->is.single);
    const pith_slot *row = plan->doc->slots + table->is.at + 1;
    soch_plan_restart(plan);
    for (size_t i = 0; i < table->is.field_count; i++) {
        pith_text name = table->is.fields[i].name;
        pith_key key = {name.ptr, (uint32_t)name.len, SLOT_NEAR_END, 0};
        if (!columns_add(&plan->columns, &plan->found, &key))
            return false;
    }
    if (table->rows > 0 && !columns_arrange(&plan->columns, &plan->found, row))
        return false;
    for (uint32_t i = 0; i < table->rows; i++, row = doc_after(plan->doc, row))
        if (columns_meet(&plan->columns, &plan->found, row, COLUMNS_REFUSE) >
            COLUMNS_MAPPED)
            return false;
    return true;
}

const uint32_t *soch_plan_map(soch_plan *plan, const pith_slot *row)
{
    columns_met met = columns_meet(&plan->columns, &plan->found, row, COLUMNS_REFUSE);
    assert(met == COLUMNS_IN_ORDER || met == COLUMNS_MAPPED);
    return met == COLUMNS_MAPPED ? columns_map(&plan->columns, &plan->found) : NULL;
}

const pith_slot *const *soch_plan_row(soch_plan *plan, const pith_slot *row)
{
    const pith_slot *const *cells = columns_arrange(&plan->columns, &plan->found, row);
    assert(cells);
    return cells;
}

/* ---------------------------------------------------------- is an array a table? */

typedef enum soch_verdict { SOCH_NO_TABLE, SOCH_IS_TABLE, SOCH_NO_MEMORY } soch_verdict;

/* True for a row that the columns so far allow to be in a table. */
static bool soch_plan_may_be_row(const soch_plan *plan, const pith_slot *row, bool first)
{
    return row->kind == PITH_OBJECT && !(row->flags & SLOT_TYPED) &&
           (plan->wish->fill || (row->n > 0 && (first || row->n == plan->found.count)));
}

/* Leaves the columns in the plan. */
static soch_verdict soch_plan_try(soch_plan *plan, const pith_slot *array, bool *straight)
{
    const pith_slot *row = array + 1;
    uint32_t least = UINT32_MAX;
    *straight = true;
    soch_plan_restart(plan);
    if (array->kind != PITH_ARRAY || array->n == 0 || array->flags & SLOT_TYPED)
        return SOCH_NO_TABLE;
    for (uint32_t i = 0; i < array->n; i++, row = doc_after(plan->doc, row)) {
        bool may_add = i == 0 || plan->wish->fill;
        if (!soch_plan_may_be_row(plan, row, i == 0))
            return SOCH_NO_TABLE;
        columns_met met = columns_meet(&plan->columns, &plan->found, row,
                                       may_add ? COLUMNS_ADD : COLUMNS_REFUSE);
        if (met > COLUMNS_MAPPED)
            return met == COLUMNS_STRAY ? SOCH_NO_TABLE : SOCH_NO_MEMORY;
        *straight = *straight && met == COLUMNS_IN_ORDER;
        least = row->n < least ? row->n : least;
    }
    *straight = *straight && least == plan->found.count;
    return plan->found.count > 0 ? SOCH_IS_TABLE : SOCH_NO_TABLE;
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
    for (const pith_slot *at = row; at < plan->doc->slots + row[-1].u.link.next; at++)
        any = any || (at->kind == PITH_ARRAY && at->flags & SLOT_TYPED);
    if (!any)
        return true;
    if (!soch_plan_enter(plan, table))
        return false;
    for (size_t i = 0; i < table->is.field_count; i++)
        fields[i].nullable = false;
    for (uint32_t i = 0; i < table->rows; i++, row = doc_after(plan->doc, row)) {
        const pith_slot *const *cells = soch_plan_row(plan, row);
        for (size_t k = 0; k < table->is.field_count; k++)
            soch_plan_vector(&fields[k], cells[k]);
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

pith_field *soch_plan_fields(soch_plan *plan, size_t count)
{
    size_t bytes = (count + 1) * sizeof(pith_field);
    pith_field *fields = (pith_field *)arena_take_aligned(&plan->arena, bytes);
    if (fields)
        memset(fields, 0, bytes);
    return fields;
}

static bool soch_plan_table(soch_plan *plan, pith_text name, bool unnamed, uint32_t at,
                            bool straight)
{
    assert(plan->doc->slots[at].kind == PITH_ARRAY);
    soch_table *table = soch_plan_add(plan);
    size_t count = plan->found.count;
    pith_field *fields = table ? soch_plan_fields(plan, count) : NULL;
    if (!fields)
        return false;
    for (size_t i = 0; i < count; i++) {
        fields[i].name = key_text(columns_name(&plan->columns, &plan->found, i));
        fields[i].nullable = true;
    }
    table->is.name = name;
    table->is.unnamed = unnamed;
    table->is.at = at;
    table->is.fields = fields;
    table->is.field_count = count;
    table->rows = plan->doc->slots[at].n;
    table->straight = straight;
    return soch_plan_vectors(plan, table, fields);
}

/* Everything that is no table: the only cell of one. */
static bool soch_plan_single(soch_plan *plan, uint32_t at)
{
    plan->tables.count = 0;
    soch_table *table = soch_plan_add(plan);
    if (!table)
        return false;
    plan->lone.name = text_from(SOCH_UNNAMED);
    plan->lone.nullable = true;
    table->is.name = text_from(SOCH_UNNAMED);
    table->is.unnamed = true;
    table->is.single = true;
    table->is.at = at;
    table->is.fields = &plan->lone;
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
    if (plan->wish->seed_only && root->n > 1)
        return SOCH_NO_TABLE;
    for (uint32_t i = 0; i < root->n; i++, member = doc_after(doc, member)) {
        soch_verdict verdict = soch_plan_try(plan, member, &straight);
        if (soch_plan_is_empty(plan, member))
            verdict = SOCH_IS_TABLE;
        if (verdict != SOCH_IS_TABLE)
            return verdict;
        if (!soch_plan_table(plan, key_text(&keys[i]), false,
                             (uint32_t)(member - doc->slots), straight))
            return SOCH_NO_MEMORY;
    }
    return root->n > 0 ? SOCH_IS_TABLE : SOCH_NO_TABLE;
}

static bool soch_plan_known(soch_plan *plan)
{
    const pith_doc *doc = plan->doc;
    for (size_t i = 0; i < doc->table_count; i++) {
        soch_table *table = soch_plan_add(plan);
        if (!table)
            return false;
        table->is = doc->tables[i];
        table->rows = table->is.single ? 1 : doc->slots[table->is.at].n;
        table->straight = !table->is.mixed;
    }
    return true;
}

static bool soch_plan_find(soch_plan *plan, uint32_t at)
{
    const pith_slot *root = &plan->doc->slots[at];
    soch_verdict verdict = SOCH_NO_TABLE;
    bool straight;
    if (at == 0 && plan->doc->table_count > 0)
        return soch_plan_known(plan);
    if (root->kind == PITH_OBJECT && !(root->flags & SLOT_TYPED)) {
        verdict = soch_plan_members(plan, root);
    } else if (root->kind == PITH_ARRAY) {
        verdict = soch_plan_try(plan, root, &straight);
        if (verdict == SOCH_IS_TABLE)
            return soch_plan_table(plan, text_from(SOCH_UNNAMED), true, at, straight);
    }
    if (verdict == SOCH_NO_TABLE)
        return soch_plan_single(plan, at);
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
                  (table->is.loose && !table->is.typed && wish->types != SOCH_TYPES_ALL);
    table->fits = table->is.loose;
    if ((plan->given.count == 0 && !infer && !forget) || table->is.single)
        return true;
    pith_field *fields = soch_plan_fields(plan, count);
    table->given = (bool *)arena_take(&plan->arena, count + 1);
    if (!fields || !table->given)
        return false;
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
    columns_init(&plan->columns, doc, doc->alloc);
    columns_open(&plan->columns, &plan->found);
    pith_status status = soch_given_read(&plan->given, wish->fields, doc->alloc, err);
    if (status != PITH_OK)
        return status;
    bool made = soch_plan_find(plan, at);
    for (size_t i = 0; i < plan->tables.count && made; i++)
        made = soch_plan_types(plan, &plan->tables.at[i]);
    if (!made)
        return error_no_memory(err);
    soch_plan_name(plan, wish->name);
    return soch_given_check(&plan->given, err);
}

/* ------------------------------------------------------------ tables of a document */

/* Puts what was found beside the document's tape. False when out of memory. */
static bool soch_keep_table(pith_doc *doc, const soch_table *found)
{
    size_t count = found->is.field_count;
    pith_field *fields =
        (pith_field *)arena_take_aligned(&doc->arena, (count + 1) * sizeof *fields);
    doc_table *kept = fields ? doc_add_table(doc) : NULL;
    if (!kept)
        return false;
    memcpy(fields, found->is.fields, count * sizeof *fields);
    *kept = found->is;
    kept->fields = fields;
    kept->loose = true;
    kept->typed = true;
    kept->mixed = !found->straight;
    return true;
}

/* Refuses numbers that no table holds, wherever they are. */
static pith_status soch_check_numbers(const pith_doc *doc, pith_error *err)
{
    pith_status status = PITH_OK;
    for (size_t i = 0; i < doc->count && status == PITH_OK; i++)
        status = soch_check_number(&doc->slots[i], err);
    return status;
}

pith_status soch_make_tables(pith_doc *doc, pith_error *err)
{
    static const soch_wish wish = {.types = SOCH_TYPES_INFER};
    soch_plan plan;
    pith_status status = soch_check_numbers(doc, err);
    if (status != PITH_OK)
        return status;
    status = soch_plan_make(&plan, doc, 0, &wish, err);
    for (size_t i = 0; i < plan.tables.count && status == PITH_OK; i++)
        if (!soch_keep_table(doc, &plan.tables.at[i]))
            status = error_no_memory(err);
    if (status != PITH_OK)
        doc->table_count = 0;
    soch_plan_free(&plan);
    return status;
}

/* Makes a whole number a float. False when out of memory. */
static bool soch_make_float(pith_doc *doc, pith_slot *cell)
{
    char digits[TYPED_FLOAT_MAX_LEN];
    size_t len = typed_write_double(digits, typed_double(cell));
    const char *copy = arena_copy(&doc->arena, digits, len);
    if (copy)
        slot_set(cell, PITH_DECIMAL, build_number_flags(digits, len), copy, len);
    return copy != NULL;
}

/* Whole numbers are floats in a column of floats, and an array is a vector in a column of
 * vectors, and nowhere else. False when out of memory. */
static bool soch_settle_cell(pith_doc *doc, const pith_field *field, pith_slot *cell,
                             const pith_slot *end)
{
    if (cell->kind == PITH_INTEGER && field->type == PITH_TYPE_FLOAT)
        return soch_make_float(doc, cell);
    for (pith_slot *at = cell; at < end; at++)
        if (at->kind == PITH_ARRAY)
            at->flags &= (uint8_t)~SLOT_TYPED;
    if (cell->kind == PITH_ARRAY && field->type == PITH_TYPE_VEC)
        cell->flags |= SLOT_TYPED;
    return true;
}

/* The cells of a row are in the order of the fields, of which some may have none. */
static pith_status soch_check_row(pith_doc *doc, const doc_table *table, uint32_t row,
                                  uint64_t index, pith_error *err)
{
    const pith_slot *object = &doc->slots[row];
    const pith_key *keys = doc_keys(doc, object);
    const pith_field *field = table->fields;
    uint32_t cell = row + 1;
    for (uint32_t i = 0; i < object->n; i++, field++) {
        uint32_t after = doc_after_at(doc, cell);
        while (object->n < table->field_count &&
               !text_equal(field->name, key_text(&keys[i])))
            field++;
        pith_status status =
            soch_fit_as_it_is(field, &doc->slots[cell], &doc->slots[after], index, err);
        if (status != PITH_OK)
            return status;
        if (!soch_settle_cell(doc, field, &doc->slots[cell], &doc->slots[after]))
            return error_no_memory(err);
        cell = after;
    }
    return PITH_OK;
}

pith_status soch_check_tables(pith_doc *doc, pith_error *err)
{
    pith_status status = PITH_OK;
    for (size_t i = 0; i < doc->table_count && status == PITH_OK; i++) {
        const doc_table *table = &doc->tables[i];
        uint32_t row = table->at + 1;
        for (uint32_t n = 0; n < doc->slots[table->at].n && status == PITH_OK; n++) {
            status = soch_check_row(doc, table, row, n, err);
            row = doc_after_at(doc, row);
        }
    }
    return status;
}
