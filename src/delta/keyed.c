/*
 * keyed.c - finding the rows, fields and cells of a set.
 *
 * Rows mostly have the same shape, so the fields of a shape are looked up once and the
 * answer is kept until a row of another shape comes. The cells are a full table of
 * slot numbers: with it every question about a row is one step. A text whose rows have
 * hardly a field in common would make that table much larger than itself; such sets
 * are refused, as they would be no use either (the canonical form names every field in
 * every row).
 */
#include "delta/keyed.h"

#include <assert.h>

#include "doc/shape.h"
#include "doc/spelled.h"

enum { KEYED_SPARSE_MOST = 64, KEYED_SPARSE_FREE = 1 << 20 };

/* ----------------------------------------------------------------------- names */

static uint32_t names_place(const keyed_names *names, uint64_t seed, pith_text name)
{
    size_t mask = names->table_size - 1;
    size_t at = (size_t)hash_text(seed, name.ptr, name.len) & mask;
    while (names->table[at] != SLOT_NONE &&
           !text_equal(key_text(&names->list[names->table[at]]), name)) {
        at = (at + 1) & mask;
    }
    return (uint32_t)at;
}

static bool names_grow(keyed_names *names, const pith_alloc *alloc, uint64_t seed)
{
    size_t size = names->table_size ? names->table_size * 2 : 32;
    uint32_t *table = (uint32_t *)alloc_resize(alloc, NULL, 0, size * sizeof *table);
    if (!table) {
        return false;
    }
    alloc_free(alloc, names->table, names->table_size * sizeof *names->table);
    memset(table, 0xFF, size * sizeof *table);
    names->table = table;
    names->table_size = size;
    for (size_t i = 0; i < names->count; i++) {
        table[names_place(names, seed, key_text(&names->list[i]))] = (uint32_t)i;
    }
    return true;
}

/* The number of a name, which is added if it is new; SLOT_NONE when out of memory. */
static uint32_t names_add(keyed_set *set, const pith_key *key)
{
    keyed_names *names = &set->fields;
    uint64_t seed = set->doc->shapes.seed;
    if (names->count * 2 >= names->table_size && !names_grow(names, &set->alloc, seed)) {
        return SLOT_NONE;
    }
    uint32_t at = names_place(names, seed, key_text(key));
    if (names->table[at] == SLOT_NONE) {
        if (!list_grow(&set->alloc, (void *)&names->list, &names->cap, names->count + 1,
                       sizeof *names->list)) {
            return SLOT_NONE;
        }
        names->list[names->count] = *key;
        names->table[at] = (uint32_t)names->count++;
    }
    return names->table[at];
}

uint32_t keyed_field(const keyed_set *set, pith_text name)
{
    const keyed_names *names = &set->fields;
    return names->count ? names->table[names_place(names, set->doc->shapes.seed, name)]
                        : SLOT_NONE;
}

/* ----------------------------------------------------------------- what it is */

static bool keyed_all_objects(const pith_doc *doc, uint32_t at)
{
    uint32_t end = doc_children_end(&doc->slots[at]);
    for (uint32_t child = at + 1; child < end; child = doc_behind(doc, child)) {
        if (doc->slots[child].kind != PITH_OBJECT) {
            return false;
        }
    }
    return true;
}

/* Finds the array or map that holds the rows. */
static pith_status keyed_identify(keyed_set *set, uint32_t at, pith_error *err)
{
    const pith_doc *doc = set->doc;
    const pith_slot *value = &doc->slots[at];
    set->at = at;
    if (value->kind == PITH_OBJECT && value->n == 1) {
        const pith_slot *inner = value + 1;
        if (inner->kind == PITH_ARRAY ||
            (inner->kind == PITH_OBJECT && keyed_all_objects(doc, at + 1))) {
            set->named = true;
            set->name = *doc_keys(doc, value);
            set->at = at + 1;
        }
    }
    set->map = doc->slots[set->at].kind == PITH_OBJECT;
    if (!slot_is_container(&doc->slots[set->at]) || !keyed_all_objects(doc, set->at)) {
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

/* Notes the fields of a row; false when out of memory. */
static bool keyed_note_fields(keyed_set *set, const pith_slot *row, uint16_t *seen)
{
    if (row->shape != SHAPE_NONE && row->shape == *seen) {
        return true;
    }
    const pith_key *keys = doc_keys(set->doc, row);
    for (uint32_t i = 0; i < row->n; i++) {
        if (names_add(set, &keys[i]) == SLOT_NONE) {
            return false;
        }
    }
    *seen = row->shape;
    return true;
}

/* The number of the key's field in a table. Only an empty one may lack it. */
static pith_status keyed_choose_key(keyed_set *set, pith_text key, pith_error *err)
{
    pith_key name = {key.ptr, (uint32_t)key.len, SLOT_TAIL, 0};
    if (key.len == 0) {
        return error_set(err, PITH_BAD_USE, "missing_key",
                         "say which field tells the rows apart");
    }
    set->key = keyed_field(set, key);
    if (set->key == SLOT_NONE && set->count > 0) {
        return error_set(err, PITH_UNREPRESENTABLE, "missing_key",
                         "no row has the field \"%s\", which is to tell them apart",
                         error_quote(key.ptr, key.len).text);
    }
    if (set->key == SLOT_NONE) {
        set->key = names_add(set, &name);
    }
    return set->key == SLOT_NONE ? error_no_memory(err) : PITH_OK;
}

/* A name that no field has: "key", or with as many _ before it as that takes. */
static pith_text keyed_new_label(const keyed_set *set)
{
    static const char longest[] = "________________________________key";
    for (const char *from = longest + sizeof longest - 4; from >= longest; from--) {
        if (keyed_field(set, text_from(from)) == SLOT_NONE) {
            return text_from(from);
        }
    }
    return text_of(longest, 0);
}

/* The keys of a map are a field too, the first, with a name of its own. */
static pith_status keyed_label_map(keyed_set *set, pith_text key, bool hinted,
                                   pith_error *err)
{
    key = key.len > 0 ? key : keyed_new_label(set);
    set->key = keyed_field(set, key);
    bool taken = set->key != SLOT_NONE && !(hinted && set->key == 0);
    if (key.len == 0 || taken) {
        return error_set(err, PITH_UNREPRESENTABLE, "key_taken",
                         "the members have a field \"%s\" already; give their keys "
                         "another name",
                         error_quote(key.ptr, key.len).text);
    }
    if (set->key == 0) {
        return PITH_OK;
    }
    pith_key name = {key.ptr, (uint32_t)key.len, SLOT_TAIL, 0};
    if (names_add(set, &name) == SLOT_NONE) {
        return error_no_memory(err);
    }
    keyed_names *names = &set->fields;
    memmove(names->list + 1, names->list, (names->count - 1) * sizeof *names->list);
    names->list[0] = name;
    memset(names->table, 0xFF, names->table_size * sizeof *names->table);
    for (size_t i = 0; i < names->count; i++) {
        pith_text text = key_text(&names->list[i]);
        names->table[names_place(names, set->doc->shapes.seed, text)] = (uint32_t)i;
    }
    set->key = 0;
    return PITH_OK;
}

static pith_status keyed_find_rows(keyed_set *set, pith_error *err)
{
    const pith_doc *doc = set->doc;
    const pith_slot *holder = &doc->slots[set->at];
    const pith_key *keys = set->map ? doc_keys(doc, holder) : NULL;
    uint16_t seen = SHAPE_NONE;
    if (holder->n == 0) {
        return PITH_OK;
    }
    if (!list_grow(&set->alloc, (void *)&set->rows, &set->row_room, holder->n,
                   sizeof *set->rows)) {
        return error_no_memory(err);
    }
    assert(set->rows);
    uint32_t end = doc_children_end(holder);
    for (uint32_t at = set->at + 1; at < end; at = doc_behind(doc, at)) {
        keyed_row *row = &set->rows[set->count];
        memset(row, 0, sizeof *row);
        row->at = at;
        row->key = keys ? &keys[set->count] : NULL;
        set->count++;
        if (!keyed_note_fields(set, &doc->slots[at], &seen)) {
            return error_no_memory(err);
        }
    }
    return PITH_OK;
}

/* ----------------------------------------------------------------------- cells */

/* Where the members of a row go: the numbers of their fields. */
typedef struct keyed_places {
    uint32_t *list;
    size_t cap;
    uint16_t shape;
} keyed_places;

static bool keyed_find_places(const keyed_set *set, const pith_slot *row,
                              keyed_places *places)
{
    if (row->shape != SHAPE_NONE && row->shape == places->shape) {
        return true;
    }
    if (!list_grow(&set->alloc, (void *)&places->list, &places->cap, row->n,
                   sizeof *places->list)) {
        return false;
    }
    places->shape = row->shape;
    const pith_key *keys = doc_keys(set->doc, row);
    for (uint32_t i = 0; i < row->n; i++) {
        places->list[i] = keyed_field(set, key_text(&keys[i]));
    }
    return true;
}

static pith_status keyed_fill_rows(keyed_set *set, keyed_places *places, pith_error *err)
{
    const pith_doc *doc = set->doc;
    size_t width = set->fields.count;
    for (size_t r = 0; r < set->count; r++) {
        assert(set->rows);
        const pith_slot *row = &doc->slots[set->rows[r].at];
        uint32_t *cells = set->cells + r * width;
        if (row->n > 0 && !keyed_find_places(set, row, places)) {
            return error_no_memory(err);
        }
        for (uint32_t i = 0; i < row->n; i++) {
            uint32_t at = set->rows[r].at + 1 + i;
            if (slot_is_container(&doc->slots[at])) {
                return keyed_refuse_nested(r, &doc_keys(doc, row)[i], err);
            }
            cells[places->list[i]] = at;
        }
        set->rows[r].sparse = row->n + (set->map ? 1u : 0u) < width;
    }
    return PITH_OK;
}

static pith_status keyed_fill(keyed_set *set, pith_error *err)
{
    size_t width = set->fields.count;
    uint64_t most = (uint64_t)set->doc->count * KEYED_SPARSE_MOST + KEYED_SPARSE_FREE;
    if ((uint64_t)set->count * width > most) {
        return error_set(err, PITH_LIMIT, "sparse_limit",
                         "%zu rows with %zu different fields have too little in common "
                         "to be a set",
                         set->count, width);
    }
    keyed_places places = {NULL, 0, SHAPE_NONE};
    if (set->count == 0 || width == 0) {
        return PITH_OK;
    }
    size_t bytes = set->count * width * sizeof *set->cells;
    if (alloc_fits(set->count, width * sizeof *set->cells)) {
        set->cells = (uint32_t *)alloc_resize(&set->alloc, NULL, 0, bytes);
    }
    if (!set->cells) {
        return error_no_memory(err);
    }
    memset(set->cells, 0xFF, bytes);
    pith_status status = keyed_fill_rows(set, &places, err);
    alloc_free(&set->alloc, places.list, places.cap * sizeof *places.list);
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
        for (uint32_t i = 0; i < row->n && !known; i++) {
            if (text_equal(key_text(&keys[i]), key)) {
                return true;
            }
        }
        seen = row->shape;
    }
    return false;
}

static pith_status keyed_find_fields(keyed_set *set, const keyed_hint *hint,
                                     pith_error *err)
{
    for (size_t i = 0; i < hint->field_count; i++) {
        if (names_add(set, &hint->fields[i]) == SLOT_NONE) {
            return error_no_memory(err);
        }
    }
    pith_status status = keyed_find_rows(set, err);
    if (status != PITH_OK || !set->map) {
        return status == PITH_OK ? keyed_choose_key(set, hint->key, err) : status;
    }
    bool hinted = hint->field_count > 0 && !keyed_member_has(set, hint->key);
    return keyed_label_map(set, hint->key, hinted, err);
}

pith_status keyed_open(keyed_set *set, const pith_doc *doc, uint32_t at,
                       const keyed_hint *hint, pith_alloc alloc, pith_error *err)
{
    assert(doc_is_spelled(doc));
    memset(set, 0, sizeof *set);
    set->alloc = alloc;
    set->doc = doc;
    pith_status status = keyed_identify(set, at, err);
    if (status == PITH_OK) {
        status = keyed_find_fields(set, hint, err);
    }
    if (status == PITH_OK) {
        status = keyed_fill(set, err);
    }
    return status == PITH_OK ? keyed_write_records(set, err) : status;
}

void keyed_free(keyed_set *set)
{
    const pith_alloc *alloc = &set->alloc;
    size_t width = set->fields.count;
    alloc_free(alloc, set->cells, set->count * width * sizeof *set->cells);
    alloc_free(alloc, set->rows, set->row_room * sizeof *set->rows);
    LIST_FREE(&set->text, alloc);
    hash_table_free(&set->index, alloc);
    alloc_free(alloc, set->fields.list, set->fields.cap * sizeof *set->fields.list);
    alloc_free(alloc, set->fields.table,
               set->fields.table_size * sizeof *set->fields.table);
    memset(set, 0, sizeof *set);
}
