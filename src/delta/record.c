/*
 * record.c - the canonical text of a keyed set, and its root.
 *
 *     R<TAB>id<TAB>7<TAB>name<TAB>"Ann"<TAB>note<TAB>-<LF>
 *
 * One record for each row: the fields in the order of their names' bytes, numbers in
 * their one canonical spelling, strings always in quotes, null and what is absent as a
 * dash. The records in the order of their bytes, one behind the other, are hashed with
 * SHA-256; that is gcf-pack-root-v1, and it depends on nothing but the rows.
 *
 * A name stands in the record as it is. One with a tab or a line break in it could
 * make two sets look alike, so it is refused.
 */
#include "delta/keyed.h"

#include "base/decimal.h"
#include "base/lex.h"
#include "doc/shape.h"

/* --------------------------------------------------------------------- sorting */

typedef struct record_span {
    const char *text;
    size_t len;
    uint32_t number;
} record_span;

/* True when `a` comes before `b`, or is equal. */
static inline bool record_in_order(const record_span *a, const record_span *b)
{
    size_t len = a->len < b->len ? a->len : b->len;
    int order = len ? memcmp(a->text, b->text, len) : 0;
    return order < 0 || (order == 0 && a->len <= b->len);
}

static void record_merge(const record_span *from, size_t middle, size_t end,
                         record_span *to)
{
    size_t left = 0;
    size_t right = middle;
    while (left < middle && right < end) {
        bool first = record_in_order(&from[left], &from[right]);
        *to++ = first ? from[left++] : from[right++];
    }
    memcpy(to, from + left, (middle - left) * sizeof *to);
    to += middle - left;
    memcpy(to, from + right, (end - right) * sizeof *to);
}

/* Sorts `count` spans, with room for as many behind them; says where they are then. */
static record_span *record_sort(record_span *spans, size_t count)
{
    record_span *from = spans;
    record_span *to = count ? spans + count : spans; /* none at all is NULL */
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t at = 0; at < count; at += 2 * run) {
            size_t left = count - at;
            size_t middle = run < left ? run : left;
            size_t end = left / 2 < run ? left : 2 * run;
            record_merge(from + at, middle, end, to + at);
        }
        record_span *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

static record_span *record_room(const pith_alloc *alloc, size_t count)
{
    return count > SIZE_MAX / 2 / sizeof(record_span)
               ? NULL
               : (record_span *)alloc_resize(alloc, NULL, 0,
                                             2 * count * sizeof(record_span));
}

bool keyed_sort_ids(const keyed_set *set, uint32_t *rows, size_t count)
{
    if (count < 2) {
        return true;
    }
    record_span *spans = record_room(&set->alloc, count);
    if (!spans) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        pith_text id = keyed_id(set, rows[i]);
        record_span span = {id.ptr, id.len, rows[i]};
        spans[i] = span;
    }
    const record_span *sorted = record_sort(spans, count);
    for (size_t i = 0; i < count; i++) {
        rows[i] = sorted[i].number;
    }
    alloc_free(&set->alloc, spans, 2 * count * sizeof *spans);
    return true;
}

/* --------------------------------------------------------------------- records */

/* Room for `need` bytes behind the text; NULL when out of memory. */
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
        if (at < end) {
            to += lex_write_escape((unsigned char)*at++, to);
        }
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
        if (slot->flags & SLOT_PLAIN) {
            break;
        }
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
    if (!to) {
        return error_no_memory(err);
    }
    *to = 'R';
    set->text.count++;
    for (size_t i = 0; i < set->fields.count; i++) {
        const pith_key *name = &set->fields.list[order[i]];
        pith_slot cell = keyed_cell(set, r, order[i]);
        size_t most = (cell.kind == PITH_STRING ? (size_t)cell.n * 6 : (size_t)cell.n);
        to = record_reserve(set, most + name->len + DECIMAL_MAX_LEN + 8);
        if (!to) {
            return error_no_memory(err);
        }
        *to++ = '\t';
        memcpy(to, name->text, name->len);
        to += name->len;
        *to++ = '\t';
        char *value = to;
        to = record_put_value(to, &cell);
        if (!to) {
            return record_refuse_number(r, &cell, err);
        }
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
    set->text.at[set->text.count++] = '\n'; /* there is room: eight bytes were too many */
    row->record_len = set->text.count - row->record;
    return PITH_OK;
}

/* ---------------------------------------------------------------------- fields */

/* The numbers of the fields in the order of their names. */
static pith_status record_order(const keyed_set *set, uint32_t *order, pith_error *err)
{
    size_t count = set->fields.count;
    record_span *spans = record_room(&set->alloc, count);
    if (!spans) {
        return error_no_memory(err);
    }
    bool fine = true;
    for (size_t i = 0; i < count; i++) {
        const pith_key *name = &set->fields.list[i];
        record_span span = {name->text, name->len, (uint32_t)i};
        spans[i] = span;
        for (uint32_t b = 0; b < name->len; b++) {
            fine = fine && (unsigned char)name->text[b] >= ' ';
        }
    }
    const record_span *sorted = record_sort(spans, count);
    for (size_t i = 0; i < count; i++) {
        order[i] = sorted[i].number;
    }
    alloc_free(&set->alloc, spans, 2 * count * sizeof *spans);
    return fine ? PITH_OK
                : error_set(err, PITH_UNREPRESENTABLE, "invalid_field",
                            "a field's name holds a control character, and no root can "
                            "be made of it");
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
    size_t mask = set->index_size - 1;
    size_t at = (size_t)hash_text(set->doc->shapes.seed, id.ptr, id.len) & mask;
    while (set->index[at] != SLOT_NONE &&
           !text_equal(keyed_id(set, set->index[at]), id)) {
        at = (at + 1) & mask;
    }
    return at;
}

uint32_t keyed_find(const keyed_set *set, pith_text id)
{
    return set->index_size ? set->index[record_find(set, id)] : SLOT_NONE;
}

static pith_status record_index(keyed_set *set, pith_error *err)
{
    size_t size = 16;
    while (size < set->count * 2) {
        size *= 2;
    }
    set->index =
        (uint32_t *)alloc_resize(&set->alloc, NULL, 0, size * sizeof *set->index);
    if (!set->index) {
        return error_no_memory(err);
    }
    set->index_size = size;
    memset(set->index, 0xFF, size * sizeof *set->index);
    for (size_t i = 0; i < set->count; i++) {
        size_t at = record_find(set, keyed_id(set, i));
        if (set->index[at] != SLOT_NONE) {
            return error_set(err, PITH_UNREPRESENTABLE, "duplicate_key",
                             "rows %lu and %zu have the same key, %s",
                             (unsigned long)set->index[at] + 1, i + 1,
                             keyed_show_id(set, i).text);
        }
        set->index[at] = (uint32_t)i;
    }
    return PITH_OK;
}

/* ------------------------------------------------------------------------ root */

static pith_status record_root(keyed_set *set, pith_error *err)
{
    record_span *spans = record_room(&set->alloc, set->count);
    sha256 hash;
    unsigned char digest[SHA256_BYTES];
    if (!spans && set->count > 0) {
        return error_no_memory(err);
    }
    for (size_t i = 0; i < set->count; i++) {
        pith_text record = keyed_record(set, i);
        record_span span = {record.ptr, record.len, (uint32_t)i};
        spans[i] = span;
    }
    const record_span *sorted = record_sort(spans, set->count);
    sha256_init(&hash);
    for (size_t i = 0; i < set->count; i++) {
        sha256_add(&hash, sorted[i].text, sorted[i].len);
    }
    sha256_end(&hash, digest);
    memcpy(set->root, "sha256:", 7);
    sha256_hex(digest, set->root + 7);
    alloc_free(&set->alloc, spans, 2 * set->count * sizeof *spans);
    return PITH_OK;
}

pith_status keyed_write_records(keyed_set *set, pith_error *err)
{
    size_t bytes = set->fields.count * sizeof(uint32_t);
    uint32_t *order = (uint32_t *)alloc_resize(&set->alloc, NULL, 0, bytes);
    if (!order) {
        return error_no_memory(err);
    }
    pith_status status = record_order(set, order, err);
    for (size_t i = 0; i < set->count && status == PITH_OK; i++) {
        status = record_write(set, i, order, err);
    }
    alloc_free(&set->alloc, order, bytes);
    if (status == PITH_OK) {
        status = record_index(set, err);
    }
    return status == PITH_OK ? record_root(set, err) : status;
}
