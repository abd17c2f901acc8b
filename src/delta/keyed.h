/*
 * keyed.h - a value seen as a keyed set: flat rows that one field tells apart.
 *
 *     [{"id":7,"sum":2},...]             a table; the field "id" is its key
 *     {"orders":[{"id":7,...},...]}      the same, with a name
 *     {"ann":{"age":7},...}              a map; its keys stand in a field of their own
 *     {"people":{"ann":{...},...}}       the same, with a name
 *
 * The order of the rows means nothing, nor does the order of fields in a row. A set is
 * a view: it borrows the document, which must stay as it is. What it owns are
 *
 *     fields     every name that some row has, in the order in which they first come
 *     cells      for each row and field the slot of the value, or none
 *     records    for each row the canonical text that is hashed (see record.c)
 *     index      rows by the canonical text of their key
 *
 * Two rows are the same if their records are; in a record the absent and the null look
 * alike, so rows that lack a field are compared cell by cell as well.
 */
#ifndef DELTA_KEYED_H
#define DELTA_KEYED_H

#include "base/hash_table.h"
#include "base/sha256.h"
#include "doc/doc.h"
#include "doc/names.h"

enum { ROOT_LEN = 7 + SHA256_HEX }; /* "sha256:" and the digits */

typedef struct keyed_row {
    uint32_t at;         /* the object's slot */
    bool sparse;         /* it lacks a field */
    const pith_key *key; /* of a map's member, else NULL */
    size_t record;       /* where its record starts, */
    size_t record_len;
    size_t id; /* where in it the canonical key stands, */
    size_t id_len;
} keyed_row;

typedef struct keyed_set {
    pith_alloc alloc;
    const pith_doc *doc;
    uint32_t at; /* the array or object that holds the rows */
    bool map;
    bool named;
    pith_key name; /* under which it stands, if it is named */
    name_list fields;
    uint32_t key; /* the number of the field that is the key */
    keyed_row *rows;
    size_t count;
    size_t row_room;
    uint32_t *cells;  /* count times fields.keys.count; SLOT_NONE where there is none */
    LIST(char) text;  /* the records */
    hash_table index; /* rows by their key */
    char root[ROOT_LEN];
} keyed_set;

/* What is known of a set beforehand. */
typedef struct keyed_hint {
    pith_text key;          /* the field that tells rows apart; a map may do without:
                               "key", with as many _ in front as it takes to be new */
    const pith_key *fields; /* that it has even if no row does, and first; may be NULL */
    size_t field_count;
    const pith_options *options; /* whose progress function is asked; may be NULL */
} keyed_hint;

/* Views the value at `at` as a set, which borrows the hint's texts. Free the set in
 * either case. */
pith_status keyed_open(keyed_set *set, const pith_doc *doc, uint32_t at,
                       const keyed_hint *hint, pith_alloc alloc, pith_error *err);
void keyed_free(keyed_set *set);

/* The cell of a row; its kind is PITH_NONE where the row has none. */
static inline pith_slot keyed_cell(const keyed_set *set, size_t row, size_t field)
{
    assert(row < set->count && field < set->fields.keys.count);
    pith_slot slot;
    slot_set(&slot, PITH_NONE, 0, NULL, 0);
    if (set->map && field == set->key) {
        const pith_key *key = set->rows[row].key;
        slot_set(&slot, PITH_STRING, key->flags, key->text, key->len);
    } else {
        uint32_t at = set->cells[row * set->fields.keys.count + field];
        slot = at == SLOT_NONE ? slot : set->doc->slots[at];
    }
    return slot;
}

/* How many fields a row lacks. */
static inline size_t keyed_absent(const keyed_set *set, size_t row)
{
    size_t has = set->doc->slots[set->rows[row].at].n + (set->map ? 1u : 0u);
    return set->fields.keys.count - has;
}

static inline pith_text keyed_id(const keyed_set *set, size_t row)
{
    return text_of(set->text.at + set->rows[row].id, set->rows[row].id_len);
}

static inline pith_text keyed_record(const keyed_set *set, size_t row)
{
    return text_of(set->text.at + set->rows[row].record, set->rows[row].record_len);
}

/* The row with that canonical key; HASH_NONE when there is none. */
uint32_t keyed_find(const keyed_set *set, pith_text id);

/* The number of a field; NAMES_NONE when there is none. */
static inline uint32_t keyed_field(const keyed_set *set, pith_text name)
{
    return names_look(&set->fields, name);
}

/* --- record.c: what is hashed */

/* The records of all rows, the index and the root. Options may be NULL. */
pith_status keyed_write_records(keyed_set *set, const pith_options *options,
                                pith_error *err);

/* Puts the numbers 0 to count-1 of rows in the order of their keys' bytes. */
bool keyed_sort_ids(const keyed_set *set, uint32_t *rows, size_t count);

/* The key of a row as a message shows it. */
error_excerpt keyed_show_id(const keyed_set *set, size_t row);

/* --- diff.c: what has changed, and changing it */

/* Row numbers: of the new set, and for `removed` of the base. */
typedef struct keyed_diff {
    pith_alloc alloc;
    uint32_t *list; /* all of them, one after the other */
    size_t room;
    uint32_t *added, *changed, *removed;
    size_t added_count, changed_count, removed_count;
} keyed_diff;

/* True when a change of base to now can be told row by row. */
bool keyed_same_schema(const keyed_set *base, const keyed_set *now);

/* What has changed, each list in the order of the keys. False when out of memory. Free
 * the result in either case. */
bool keyed_compare(keyed_diff *diff, const keyed_set *base, const keyed_set *now,
                   pith_alloc alloc);
void keyed_diff_free(keyed_diff *diff);

/* What is to be changed. Each set is a table without a name, or NULL for none. */
typedef struct keyed_change {
    const keyed_set *added;
    const keyed_set *changed;
    const keyed_set *removed;
} keyed_change;

/* Checks that the changes fit the base and do not contradict each other, then builds
 * the changed set in the empty document. The base is not touched. */
pith_status keyed_apply(const keyed_set *base, const keyed_change *change, pith_doc *into,
                        pith_error *err);

#endif
