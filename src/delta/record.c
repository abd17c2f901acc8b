/*
 * record.c - the canonical text of a keyed set, and its root.
 *
 *     R<TAB>id<TAB>7<TAB>name<TAB>"Ann"<TAB>note<TAB>-<LF>
 *
 * One record for each row: the fields in the order of their names' bytes, numbers in
 * their one canonical spelling, strings always in quotes, null and what is absent as a
 * dash. The records in the order of their bytes, one after the other, are hashed with
 * SHA-256; that is gcf-pack-root-v1, and it depends on nothing but the rows.
 *
 * A name stands in the record as it is. One with a tab or a line break in it could
 * make two sets look alike, so it is refused.
 */
#include "delta/keyed.h"

#include "base/decimal.h"
#include "base/lex.h"
#include "base/sort.h"
#include "doc/shape.h"

/* --------------------------------------------------------------------- sorting */

static bool record_id_before(const void *ctx, uint32_t a, uint32_t b)
{
    const keyed_set *set = (const keyed_set *)ctx;
    return text_order(keyed_id(set, a), keyed_id(set, b)) < 0;
}

static bool record_before(const void *ctx, uint32_t a, uint32_t b)
{
    const keyed_set *set = (const keyed_set *)ctx;
    return text_order(keyed_record(set, a), keyed_record(set, b)) < 0;
}

static bool record_name_before(const void *ctx, uint32_t a, uint32_t b)
{
    const pith_key *names = (const pith_key *)ctx;
    return text_order(key_text(&names[a]), key_text(&names[b])) < 0;
}

bool keyed_sort_ids(const keyed_set *set, uint32_t *rows, size_t count)
{
    return sort_numbers(&set->alloc, rows, count, record_id_before, set);
}

/* --------------------------------------------------------------------- records */

/* Room for `need` bytes after the text; NULL when out of memory. */
static char *record_reserve(keyed_set *set, size_t need)
{
    return LIST_RESERVE(&set->text, &set->alloc, need) ? set->text.at + set->text.count
                                                       : NULL;
}

static char *record_put_string(char *to, const pith_slot *slot)
{
    const char *at = slot->u.text;
    const char *end = at + slot->n;
    *to++ = '"';
    while (at < end) {
        const char *stop = scan_stop(at, end);
        memcpy(to, at, (size_t)(stop - at));
        to += stop - at;
        at = stop;
        if (at < end)
            to += lex_write_escape((unsigned char)*at++, to);
    }
    *to++ = '"';
    return to;
}

/* The canonical text of a scalar; NULL for a number outside the domain. */
static char *record_put_value(char *to, const pith_slot *slot)
{
    size_t len = slot->n;
    int64_t integer;
    switch (slot->kind) {
    case PITH_STRING:
        return record_put_string(to, slot);
    case PITH_DECIMAL:
    case PITH_INTEGER:
        if (slot->flags & SLOT_CANONICAL)
            break;
        if (slot->kind == PITH_DECIMAL) {
            len = decimal_write(to, slot_text(slot));
        } else {
            len = num_to_int64(slot_text(slot), &integer) ? num_write_int64(to, integer)
                                                          : 0;
        }
        return len ? to + len : NULL;
    case PITH_TRUE:
    case PITH_FALSE:
        break;
    default: /* null, or nothing */
        *to++ = '-';
        return to;
    }
    memcpy(to, slot->u.text, len);
    return to + len;
}

static pith_status record_refuse_number(size_t row, const pith_slot *slot,
                                        pith_error *err)
{
    return error_set(err, PITH_UNREPRESENTABLE, "out_of_range",
                     "row %zu: %s is neither a 64-bit integer nor a finite double; make "
                     "it a string",
                     row + 1, error_quote(slot->u.text, slot->n).text);
}

static pith_status record_write(keyed_set *set, size_t r, const uint32_t *order,
                                pith_error *err)
{
    keyed_row *row = &set->rows[r];
    row->record = set->text.count;
    char *to = record_reserve(set, 2);
    if (!to)
        return error_no_memory(err);
    *to = 'R';
    set->text.count++;
    for (size_t i = 0; i < set->fields.keys.count; i++) {
        const pith_key *name = &set->fields.keys.at[order[i]];
        pith_slot cell = keyed_cell(set, r, order[i]);
        size_t most = (cell.kind == PITH_STRING ? (size_t)cell.n * 6 : (size_t)cell.n);
        to = record_reserve(set, most + name->len + DECIMAL_MAX_LEN + 8);
        if (!to)
            return error_no_memory(err);
        *to++ = '\t';
        memcpy(to, name->text, name->len);
        to += name->len;
        *to++ = '\t';
        char *value = to;
        to = record_put_value(to, &cell);
        if (!to)
            return record_refuse_number(r, &cell, err);
        if (order[i] == set->key) {
            row->id = (size_t)(value - set->text.at);
            row->id_len = (size_t)(to - value);
            if (cell.kind == PITH_NONE || cell.kind == PITH_NULL) {
                return error_set(err, PITH_UNREPRESENTABLE, "missing_key",
                                 "row %zu has no \"%s\", which tells the rows apart",
                                 r + 1, error_quote(name->text, name->len).text);
            }
        }
        set->text.count = (size_t)(to - set->text.at);
    }
    assert(set->text.count < set->text.cap); /* eight bytes were too many */
    set->text.at[set->text.count++] = '\n';
    row->record_len = set->text.count - row->record;
    return PITH_OK;
}

/* ---------------------------------------------------------------------- fields */

/* The numbers of the fields in the order of their names. */
static pith_status record_order(const keyed_set *set, uint32_t *order, pith_error *err)
{
    const pith_key *names = set->fields.keys.at;
    for (size_t i = 0; i < set->fields.keys.count; i++) {
        for (uint32_t b = 0; b < names[i].len; b++) {
            if ((unsigned char)names[i].text[b] < ' ') {
                return error_set(err, PITH_UNREPRESENTABLE, "invalid_field",
                                 "a field's name holds a control character, and no root "
                                 "can be made of it");
            }
        }
    }
    return sort_indexes(&set->alloc, order, set->fields.keys.count, record_name_before,
                        names)
               ? PITH_OK
               : error_no_memory(err);
}

/* ----------------------------------------------------------------------- index */

error_excerpt keyed_show_id(const keyed_set *set, size_t row)
{
    pith_text id = keyed_id(set, row);
    return error_quote(id.ptr, id.len);
}

/* Where the key is in the index, or belongs. */
static size_t record_find(const keyed_set *set, pith_text id)
{
    const hash_table *index = &set->index;
    size_t at = hash_first(index, hash_text(set->doc->shapes.seed, id.ptr, id.len));
    while (index->at[at] != HASH_NONE && !text_equal(keyed_id(set, index->at[at]), id))
        at = hash_next(index, at);
    return at;
}

uint32_t keyed_find(const keyed_set *set, pith_text id)
{
    return set->index.size ? set->index.at[record_find(set, id)] : HASH_NONE;
}

static pith_status record_index(keyed_set *set, pith_error *err)
{
    bool moved;
    if (!hash_table_reserve(&set->index, &set->alloc, set->count, &moved))
        return error_no_memory(err);
    for (size_t i = 0; i < set->count; i++) {
        uint32_t *place = &set->index.at[record_find(set, keyed_id(set, i))];
        if (*place != HASH_NONE) {
            return error_set(err, PITH_UNREPRESENTABLE, "duplicate_key",
                             "rows %lu and %zu have the same key, %s",
                             (unsigned long)*place + 1, i + 1,
                             keyed_show_id(set, i).text);
        }
        *place = (uint32_t)i;
    }
    return PITH_OK;
}

/* ------------------------------------------------------------------------ root */

/* Asks whether to go on whenever REPORT_TICK more bytes are done. */
typedef struct record_progress {
    const pith_options *options;
    size_t asked;
} record_progress;

static pith_status record_go_on(record_progress *progress, size_t done, pith_error *err)
{
    const pith_options *options = progress->options;
    if (!options || !options->progress || done - progress->asked < REPORT_TICK)
        return PITH_OK;
    progress->asked = done;
    return options->progress(options->progress_ctx, done) ? PITH_OK
                                                          : error_cancelled(err);
}

static pith_status record_root(keyed_set *set, const pith_options *options,
                               pith_error *err)
{
    record_progress progress = {options, 0};
    size_t done = 0;
    size_t bytes = (set->count + 1) * sizeof(uint32_t);
    uint32_t *order = (uint32_t *)alloc_resize(&set->alloc, NULL, 0, bytes);
    bool sorted =
        order && sort_indexes(&set->alloc, order, set->count, record_before, set);
    sha256 hash;
    unsigned char digest[SHA256_BYTES];
    pith_status status = sorted ? PITH_OK : error_no_memory(err);
    sha256_init(&hash);
    for (size_t i = 0; status == PITH_OK && i < set->count; i++) {
        pith_text record = keyed_record(set, order[i]);
        sha256_add(&hash, record.ptr, record.len);
        done += record.len;
        status = record_go_on(&progress, done, err);
    }
    sha256_end(&hash, digest);
    memcpy(set->root, "sha256:", 7);
    sha256_hex(digest, set->root + 7);
    alloc_free(&set->alloc, order, bytes);
    return status;
}

pith_status keyed_write_records(keyed_set *set, const pith_options *options,
                                pith_error *err)
{
    record_progress progress = {options, 0};
    size_t bytes = set->fields.keys.count * sizeof(uint32_t);
    uint32_t *order = (uint32_t *)alloc_resize(&set->alloc, NULL, 0, bytes);
    if (!order)
        return error_no_memory(err);
    pith_status status = record_order(set, order, err);
    for (size_t i = 0; i < set->count && status == PITH_OK; i++) {
        status = record_write(set, i, order, err);
        if (status == PITH_OK)
            status = record_go_on(&progress, set->text.count, err);
    }
    alloc_free(&set->alloc, order, bytes);
    if (status == PITH_OK)
        status = record_index(set, err);
    return status == PITH_OK ? record_root(set, options, err) : status;
}
