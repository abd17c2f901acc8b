/*
 * keyed.c - finding the rows, fields and cells of a set.
 *
 * The fields are the columns of the rows (doc/columns.h), and before them those that are
 * known beforehand, and the one that holds a map's keys. The cells are a full table of
 * slot numbers: with it every question about a row is one step. A text whose rows have
 * hardly a field in common would make that table much larger than itself; such sets
 * are refused, as they would be no use either (the canonical form names every field in
 * every row).
 */
#include "delta/keyed.h"

#include <assert.h>

#include "doc/columns.h"
#include "doc/spelled.h"

enum { KEYED_SPARSE_MOST = 64, KEYED_SPARSE_FREE = 1 << 20 };

/* ----------------------------------------------------------------- what it is */

/* Finds the array or map that holds the rows. */
static pith_status keyed_identify(keyed_set *set, uint32_t at, pith_error *err)
{
    const pith_doc *doc = set->doc;
    const pith_slot *value = &doc->slots[at];
    set->at = at;
    if (value->kind == PITH_OBJECT && value->n == 1) {
        const pith_slot *inner = value + 1;
        if (inner->kind == PITH_ARRAY ||
            (inner->kind == PITH_OBJECT && doc_all_objects(doc, at + 1))) {
            set->named = true;
            set->name = *doc_keys(doc, value);
            set->at = at + 1;
        }
    }
    set->map = doc->slots[set->at].kind == PITH_OBJECT;
    if (!slot_is_container(&doc->slots[set->at]) || !doc_all_objects(doc, set->at)) {
        return error_set(err, PITH_UNREPRESENTABLE, "not_a_set",
                         "expected rows with a key: an array of objects, an object of "
                         "objects, or an object with one such member");
    }
    return PITH_OK;
}

static pith_status keyed_refuse_nested(size_t row, const pith_key *key, pith_error *err)
{
    return error_set(err, PITH_UNREPRESENTABLE, "nested_value",
                     "row %zu: \"%s\" is an array or object, and the rows of a keyed set "
                     "hold scalars only",
                     row + 1, error_quote(key->text, key->len).text);
}

/* ------------------------------------------------------------- rows and fields */

/* The columns of the rows, while their fields are found. */
typedef struct keyed_search {
    keyed_set *set;
    doc_columns columns;
    column_table table;
    size_t shift; /* what is to be added to a column to have the field */
} keyed_search;

static pith_key keyed_key(pith_text name)
{
    pith_key key = {name.ptr, (uint32_t)name.len, SLOT_NEAR_END, 0};
    return key;
}

/* The number of the key's field in a table. Only an empty one may lack it. */
static pith_status keyed_choose_key(keyed_set *set, pith_text key, pith_error *err)
{
    pith_key name = keyed_key(key);
    if (key.len == 0) {
        return error_set(err, PITH_BAD_USE, "missing_key",
                         "say which field tells the rows apart");
    }
    set->key = names_find(&set->fields, &name, 0);
    if (set->key == NAMES_NONE && set->count > 0 && !set->fields.failed) {
        return error_set(err, PITH_UNREPRESENTABLE, "missing_key",
                         "no row has the field \"%s\", which is to tell them apart",
                         error_quote(key.ptr, key.len).text);
    }
    if (set->key == NAMES_NONE)
        set->key = names_meet(&set->fields, &name, 0);
    return set->key == NAMES_NONE ? error_no_memory(err) : PITH_OK;
}

/* The column of that name; NAMES_NONE when there is none, and when out of memory. */
static uint32_t keyed_column(keyed_search *search, pith_text name)
{
    pith_key key = keyed_key(name);
    return columns_find(&search->columns, &search->table, &key, 0);
}

/* A name that no column has: "key", or with as many _ before it as that takes. */
static pith_text keyed_new_label(keyed_search *search)
{
    static const char longest[] = "________________________________key";
    for (const char *from = longest + sizeof longest - 4; from >= longest; from--)
        if (keyed_column(search, text_from(from)) == NAMES_NONE)
            return text_from(from);
    return text_of(longest, 0);
}

/* The keys of a map are a field too, the first, with a name of its own. */
static pith_status keyed_label_map(keyed_search *search, pith_text key, bool hinted,
                                   pith_error *err)
{
    key = key.len > 0 ? key : keyed_new_label(search);
    uint32_t column = keyed_column(search, key);
    if (search->columns.names.failed)
        return error_no_memory(err);
    bool known = hinted && column == 0;
    if (key.len == 0 || (column != NAMES_NONE && !known)) {
        return error_set(err, PITH_UNREPRESENTABLE, "key_taken",
                         "the members have a field \"%s\" already; give their keys "
                         "another name",
                         error_quote(key.ptr, key.len).text);
    }
    pith_key name = keyed_key(key);
    search->shift = known ? 0 : 1;
    return known || names_add(&search->set->fields, &name) ? PITH_OK
                                                           : error_no_memory(err);
}

static pith_status keyed_find_rows(keyed_search *search, pith_error *err)
{
    keyed_set *set = search->set;
    const pith_doc *doc = set->doc;
    const pith_slot *holder = &doc->slots[set->at];
    const pith_key *keys = set->map ? doc_keys(doc, holder) : NULL;
    if (holder->n == 0)
        return PITH_OK;
    if (!list_grow(&set->alloc, (void *)&set->rows, &set->row_room, holder->n,
                   sizeof *set->rows))
        return error_no_memory(err);
    assert(set->rows);
    uint32_t end = doc_children_end(holder);
    for (uint32_t at = set->at + 1; at < end; at = doc_after_at(doc, at)) {
        keyed_row *row = &set->rows[set->count];
        memset(row, 0, sizeof *row);
        row->at = at;
        row->key = keys ? &keys[set->count] : NULL;
        set->count++;
        if (columns_meet(&search->columns, &search->table, &doc->slots[at],
                         COLUMNS_ADD) == COLUMNS_FAILED)
            return error_no_memory(err);
    }
    return PITH_OK;
}

/* ----------------------------------------------------------------------- cells */

static pith_status keyed_fill_row(keyed_search *search, size_t r, pith_error *err)
{
    keyed_set *set = search->set;
    const pith_slot *row = &set->doc->slots[set->rows[r].at];
    size_t width = set->fields.keys.count;
    uint32_t *cells = set->cells + r * width;
    columns_met met = columns_meet(&search->columns, &search->table, row, COLUMNS_REFUSE);
    if (met == COLUMNS_FAILED)
        return error_no_memory(err);
    assert(met != COLUMNS_STRAY);
    const uint32_t *map =
        met == COLUMNS_MAPPED ? columns_map(&search->columns, &search->table) : NULL;
    for (uint32_t i = 0; i < row->n; i++) {
        if (slot_is_container(&row[1 + i]))
            return keyed_refuse_nested(r, &doc_keys(set->doc, row)[i], err);
        cells[(map ? map[i] : i) + search->shift] = set->rows[r].at + 1 + i;
    }
    set->rows[r].sparse = row->n + (set->map ? 1u : 0u) < width;
    return PITH_OK;
}

static pith_status keyed_fill(keyed_search *search, pith_error *err)
{
    keyed_set *set = search->set;
    size_t width = set->fields.keys.count;
    uint64_t most = (uint64_t)set->doc->count * KEYED_SPARSE_MOST + KEYED_SPARSE_FREE;
    if ((uint64_t)set->count * width > most) {
        return error_set(err, PITH_LIMIT, "sparse_limit",
                         "%zu rows with %zu different fields have too little in common "
                         "to be a set",
                         set->count, width);
    }
    if (set->count == 0 || width == 0)
        return PITH_OK;
    size_t bytes = set->count * width * sizeof *set->cells;
    if (alloc_fits(set->count, width * sizeof *set->cells))
        set->cells = (uint32_t *)alloc_resize(&set->alloc, NULL, 0, bytes);
    if (!set->cells)
        return error_no_memory(err);
    memset(set->cells, 0xFF, bytes);
    pith_status status = PITH_OK;
    for (size_t r = 0; r < set->count && status == PITH_OK; r++)
        status = keyed_fill_row(search, r, err);
    return status;
}

/* ------------------------------------------------------------------- the whole */

/* Whether a member of the map has a field that is called like the map's key. */
static bool keyed_member_has(const keyed_set *set, pith_text key)
{
    uint16_t seen = SHAPE_NONE;
    for (size_t r = 0; r < set->count; r++) {
        const pith_slot *row = &set->doc->slots[set->rows[r].at];
        const pith_key *keys = doc_keys(set->doc, row);
        bool known = row->shape != SHAPE_NONE && row->shape == seen;
        for (uint32_t i = 0; i < row->n && !known; i++)
            if (text_equal(key_text(&keys[i]), key))
                return true;
        seen = row->shape;
    }
    return false;
}

/* The fields that are known beforehand are the first columns. */
static bool keyed_add_hints(keyed_search *search, const keyed_hint *hint)
{
    name_list *names = &search->columns.names;
    for (size_t i = 0; i < hint->field_count; i++) {
        bool known = names_find(names, &hint->fields[i], 0) != NAMES_NONE;
        if (!known && (names->failed ||
                       !columns_add(&search->columns, &search->table, &hint->fields[i])))
            return false;
    }
    return true;
}

/* The columns become fields. */
static bool keyed_take_columns(keyed_search *search)
{
    for (size_t i = 0; i < search->table.count; i++) {
        const pith_key *name = columns_name(&search->columns, &search->table, i);
        if (!names_add(&search->set->fields, name))
            return false;
    }
    return true;
}

static pith_status keyed_find_fields(keyed_search *search, const keyed_hint *hint,
                                     pith_error *err)
{
    keyed_set *set = search->set;
    if (!keyed_add_hints(search, hint))
        return error_no_memory(err);
    pith_status status = keyed_find_rows(search, err);
    if (status == PITH_OK && set->map) {
        bool hinted = hint->field_count > 0 && !keyed_member_has(set, hint->key);
        status = keyed_label_map(search, hint->key, hinted, err);
    }
    if (status == PITH_OK && !keyed_take_columns(search))
        status = error_no_memory(err);
    if (status == PITH_OK && !set->map)
        status = keyed_choose_key(set, hint->key, err);
    return status == PITH_OK && !names_index(&set->fields) ? error_no_memory(err)
                                                           : status;
}

pith_status keyed_open(keyed_set *set, const pith_doc *doc, uint32_t at,
                       const keyed_hint *hint, pith_alloc alloc, pith_error *err)
{
    assert(doc_is_spelled(doc));
    keyed_search search = {.set = set};
    memset(set, 0, sizeof *set);
    set->alloc = alloc;
    set->doc = doc;
    names_init(&set->fields, alloc, doc->shapes.seed);
    columns_init(&search.columns, doc, alloc);
    columns_open(&search.columns, &search.table);
    pith_status status = keyed_identify(set, at, err);
    if (status == PITH_OK)
        status = keyed_find_fields(&search, hint, err);
    if (status == PITH_OK)
        status = keyed_fill(&search, err);
    columns_free(&search.columns);
    return status == PITH_OK ? keyed_write_records(set, hint->options, err) : status;
}

void keyed_free(keyed_set *set)
{
    const pith_alloc *alloc = &set->alloc;
    size_t width = set->fields.keys.count;
    alloc_free(alloc, set->cells, set->count * width * sizeof *set->cells);
    alloc_free(alloc, set->rows, set->row_room * sizeof *set->rows);
    LIST_FREE(&set->text, alloc);
    hash_table_free(&set->index, alloc);
    names_free(&set->fields);
    memset(set, 0, sizeof *set);
}
