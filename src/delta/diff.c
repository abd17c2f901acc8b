/*
 * diff.c - what has changed between two keyed sets, and making the change.
 *
 * Both directions go by the key of a row and its hash index, so they take time in
 * proportion to the rows. A change is checked as a whole against the base before
 * anything is built, and what is built is a new document: whoever holds the base still
 * holds it, unharmed, should anything fail.
 */
#include "delta/keyed.h"

#include "doc/build.h"

/* ------------------------------------------------------------------- comparing */

bool keyed_same_schema(const keyed_set *base, const keyed_set *now)
{
    const pith_key *base_key = &base->fields.keys.at[base->key];
    const pith_key *now_key = &now->fields.keys.at[now->key];
    if (base->map != now->map || base->named != now->named ||
        (base->named && !text_equal(key_text(&base->name), key_text(&now->name))) ||
        base->fields.keys.count != now->fields.keys.count ||
        !text_equal(key_text(base_key), key_text(now_key)))
        return false;
    for (size_t i = 0; i < now->fields.keys.count; i++)
        if (keyed_field(base, key_text(&now->fields.keys.at[i])) == NAMES_NONE)
            return false;
    return true;
}

/* Whether the rows, whose records are equal, lack the same fields. */
static bool diff_lack_alike(const keyed_set *base, size_t a, const keyed_set *now,
                            size_t b)
{
    for (size_t i = 0; i < now->fields.keys.count; i++) {
        uint32_t field = keyed_field(base, key_text(&now->fields.keys.at[i]));
        bool here = keyed_cell(base, a, field).kind != PITH_NONE;
        if (here != (keyed_cell(now, b, i).kind != PITH_NONE))
            return false;
    }
    return true;
}

static bool diff_same_row(const keyed_set *base, size_t a, const keyed_set *now, size_t b)
{
    return text_equal(keyed_record(base, a), keyed_record(now, b)) &&
           ((!base->rows[a].sparse && !now->rows[b].sparse) ||
            diff_lack_alike(base, a, now, b));
}

bool keyed_compare(keyed_diff *diff, const keyed_set *base, const keyed_set *now,
                   pith_alloc alloc)
{
    memset(diff, 0, sizeof *diff);
    diff->alloc = alloc;
    diff->room = 2 * now->count + base->count + 1;
    diff->list =
        (uint32_t *)alloc_resize(&alloc, NULL, 0, diff->room * sizeof *diff->list);
    if (!diff->list)
        return false;
    diff->added = diff->list;
    diff->changed = diff->added + now->count;
    diff->removed = diff->changed + now->count;
    for (size_t i = 0; i < now->count; i++) {
        uint32_t old = keyed_find(base, keyed_id(now, i));
        if (old == HASH_NONE)
            diff->added[diff->added_count++] = (uint32_t)i;
        else if (!diff_same_row(base, old, now, i))
            diff->changed[diff->changed_count++] = (uint32_t)i;
    }
    for (size_t i = 0; i < base->count; i++)
        if (keyed_find(now, keyed_id(base, i)) == HASH_NONE)
            diff->removed[diff->removed_count++] = (uint32_t)i;
    return keyed_sort_ids(now, diff->added, diff->added_count) &&
           keyed_sort_ids(now, diff->changed, diff->changed_count) &&
           keyed_sort_ids(base, diff->removed, diff->removed_count);
}

void keyed_diff_free(keyed_diff *diff)
{
    alloc_free(&diff->alloc, diff->list, diff->room * sizeof *diff->list);
    memset(diff, 0, sizeof *diff);
}

/* -------------------------------------------------------------------- checking */

/* Rows that are put in have the fields of the base, no more and no less. */
static pith_status diff_check_fields(const keyed_set *base, const keyed_set *rows,
                                     const char *section, pith_error *err)
{
    for (size_t i = 0; i < rows->fields.keys.count; i++) {
        const pith_key *name = &rows->fields.keys.at[i];
        if (keyed_field(base, key_text(name)) == NAMES_NONE) {
            return error_set(err, PITH_BAD_INPUT, "schema_mismatch",
                             "%s: the base has no field \"%s\"", section,
                             error_quote(name->text, name->len).text);
        }
    }
    for (size_t i = 0; i < base->fields.keys.count; i++) {
        const pith_key *name = &base->fields.keys.at[i];
        if (keyed_field(rows, key_text(name)) == NAMES_NONE) {
            return error_set(err, PITH_BAD_INPUT, "schema_mismatch",
                             "%s: the field \"%s\" of the base is missing", section,
                             error_quote(name->text, name->len).text);
        }
    }
    return PITH_OK;
}

static bool diff_has(const keyed_set *rows, pith_text id)
{
    return rows && keyed_find(rows, id) != HASH_NONE;
}

/* Every row of a section against the base, and against one other section. */
static pith_status diff_check_section(const keyed_set *base, const keyed_set *rows,
                                      bool present, const char *section, const char *code,
                                      pith_error *err)
{
    for (size_t i = 0; rows && i < rows->count; i++) {
        if (diff_has(base, keyed_id(rows, i)) != present) {
            return error_set(err, PITH_BAD_INPUT, code,
                             present ? "%s: the base has no row with the key %s"
                                     : "%s: a row with the key %s already exists",
                             section, keyed_show_id(rows, i).text);
        }
    }
    for (size_t i = 0; rows && base->map && i < rows->count; i++) {
        if (keyed_cell(rows, i, rows->key).kind != PITH_STRING) {
            return error_set(err, PITH_BAD_INPUT, "schema_mismatch",
                             "%s: the keys of a map are strings, and %s is none", section,
                             keyed_show_id(rows, i).text);
        }
    }
    return PITH_OK;
}

static pith_status diff_check(const keyed_set *base, const keyed_change *change,
                              pith_error *err)
{
    pith_status status =
        diff_check_section(base, change->added, false, "added", "added_exists", err);
    if (status == PITH_OK) {
        status = diff_check_section(base, change->changed, true, "changed",
                                    "changed_missing", err);
    }
    if (status == PITH_OK) {
        status = diff_check_section(base, change->removed, true, "removed",
                                    "removed_missing", err);
    }
    if (status == PITH_OK && change->added)
        status = diff_check_fields(base, change->added, "added", err);
    if (status == PITH_OK && change->changed)
        status = diff_check_fields(base, change->changed, "changed", err);
    const keyed_set *removed = change->removed;
    for (size_t i = 0; removed && status == PITH_OK && i < removed->count; i++) {
        if (diff_has(change->changed, keyed_id(removed, i))) {
            status = error_set(err, PITH_BAD_INPUT, "changed_and_removed",
                               "the row with the key %s is changed and removed",
                               keyed_show_id(removed, i).text);
        }
    }
    return status;
}

/* -------------------------------------------------------------------- building */

/* A document being built from rows of several. */
typedef struct diff_builder {
    pith_doc *doc;
    const keyed_set *base;
} diff_builder;

static void diff_put_key(diff_builder *b, const pith_key *key)
{
    pith_doc_add_key(b->doc, key->text, key->len);
}

static void diff_put_cell(diff_builder *b, const pith_slot *cell)
{
    switch (cell->kind) {
    case PITH_STRING:
        pith_doc_add_text(b->doc, cell->u.text, cell->n);
        break;
    case PITH_INTEGER:
    case PITH_DECIMAL:
        pith_doc_add_number(b->doc, cell->u.text, cell->n);
        break;
    case PITH_NULL:
        pith_doc_add_null(b->doc);
        break;
    default:
        pith_doc_add_bool(b->doc, cell->kind == PITH_TRUE);
    }
}

/* A row of `set`, its fields in the order of the base. */
static void diff_put_row(diff_builder *b, const keyed_set *set, size_t row)
{
    const keyed_set *base = b->base;
    if (base->map) {
        pith_slot key = keyed_cell(set, row, set->key);
        pith_doc_add_key(b->doc, key.u.text, key.n);
    }
    pith_doc_open_object(b->doc);
    for (size_t i = 0; i < base->fields.keys.count; i++) {
        const pith_key *name = &base->fields.keys.at[i];
        uint32_t field = set == base ? (uint32_t)i : keyed_field(set, key_text(name));
        if (field == NAMES_NONE || (base->map && i == base->key))
            continue;
        pith_slot cell = keyed_cell(set, row, field);
        if (cell.kind != PITH_NONE) {
            diff_put_key(b, name);
            diff_put_cell(b, &cell);
        }
    }
    pith_doc_close(b->doc);
}

static void diff_put_rows(diff_builder *b, const keyed_change *change)
{
    const keyed_set *base = b->base;
    for (size_t i = 0; i < base->count; i++) {
        pith_text id = keyed_id(base, i);
        uint32_t changed = change->changed ? keyed_find(change->changed, id) : HASH_NONE;
        if (changed != HASH_NONE)
            diff_put_row(b, change->changed, changed);
        else if (!diff_has(change->removed, id))
            diff_put_row(b, base, i);
    }
    for (size_t i = 0; change->added && i < change->added->count; i++)
        diff_put_row(b, change->added, i);
}

pith_status keyed_apply(const keyed_set *base, const keyed_change *change, pith_doc *into,
                        pith_error *err)
{
    diff_builder b = {into, base};
    pith_status status = diff_check(base, change, err);
    if (status != PITH_OK)
        return status;
    if (base->named) {
        pith_doc_open_object(into);
        diff_put_key(&b, &base->name);
    }
    if (base->map)
        pith_doc_open_object(into);
    else
        pith_doc_open_array(into);
    diff_put_rows(&b, change);
    pith_doc_close(into);
    if (base->named)
        pith_doc_close(into);
    return pith_doc_finish(into, err);
}
