/*
 * gcf_share.c - what rows declare for the rows after them.
 *
 *     ## orders [2]{id,who,items}
 *     @0 7|^{name,city,zip}|^        the keys of the objects under `who`
 *     Ada|Rome|"00184"
 *     .items [2]{sku,qty}            the fields of the tables under `items`
 *         A1|2
 *         B7|1
 *     .">" [1]{a,b}                  and of those under a name that is no column
 *         1|2
 *     @1 8|^|^
 *     Bob|Oslo|"0150"
 *     .items [1]                     as in row 0
 *         C3|5
 *     .">" [1]
 *         3|4
 *
 * A schema belongs to one table and one field of it. The layouts of columns are kept
 * with their fields. A field with > in its name has no column; its layout is kept under
 * its name, found by hash. Only row 0 may declare one: so the specification has it, and
 * so a stream of rows cannot make us remember more and more names. The layouts belong
 * to the table that has learned them and go when its rows end.
 */
#include "base/scan.h"
#include "format/gcf/gcf_read.h"

/* ------------------------------------------------------------- fields without column */

static size_t gcf_extra_hash(const gcf_reader *r, const pith_key *name)
{
    return (size_t)hash_text(r->doc->shapes.seed, name->text, name->len);
}

/* The field with this name among those that are no columns, or NULL. */
static gcf_extra_field *gcf_find_extra(const gcf_reader *r, const gcf_layout *t,
                                       const pith_key *name)
{
    if (t->extras.count == 0) {
        return NULL;
    }
    const gcf_index *index = &t->extra_index;
    size_t at = gcf_extra_hash(r, name) & (index->size - 1);
    for (; index->at[at] != SLOT_NONE; at = (at + 1) & (index->size - 1)) {
        gcf_extra_field *extra = &t->extras.at[index->at[at]];
        if (text_equal(key_text(&extra->name), key_text(name))) {
            return extra;
        }
    }
    return NULL;
}

static bool gcf_index_extras(gcf_reader *r, gcf_layout *t, size_t room)
{
    if (!gcf_index_room(r, &t->extra_index, room)) {
        return false;
    }
    for (uint32_t i = 0; i < t->extras.count; i++) {
        gcf_index_enter(&t->extra_index, gcf_extra_hash(r, &t->extras.at[i].name), i);
    }
    return true;
}

static gcf_extra_field *gcf_add_extra(gcf_reader *r, gcf_layout *t, const pith_key *name)
{
    size_t count = t->extras.count;
    if (!LIST_RESERVE(&t->extras, &r->doc->alloc, 1)) {
        read_failed(&r->in);
        return NULL;
    }
    if ((count == 0 || (count + 1) * 2 > t->extra_index.size) &&
        !gcf_index_extras(r, t, (count + 1) * 2)) {
        return NULL;
    }
    gcf_extra_field *extra = &t->extras.at[count];
    extra->name = *name;
    extra->shared = NULL;
    if (!gcf_keep_text(r, t, &extra->name.text, name->len, &extra->name.flags)) {
        return NULL;
    }
    gcf_index_enter(&t->extra_index, gcf_extra_hash(r, name), (uint32_t)count);
    t->extras.count++;
    return extra;
}

/* ------------------------------------------------------------------------- sharing */

gcf_layout **gcf_find_shared(gcf_reader *r, const gcf_scope *scope, uint32_t field,
                             const pith_key *name)
{
    gcf_layout *t = scope->layout;
    if (field != SLOT_NONE) {
        return &t->fields[field].shared;
    }
    gcf_extra_field *extra = gcf_find_extra(r, t, name);
    return extra ? &extra->shared : NULL;
}

/* True when the next line under the attachment is an item of an expanded array, though
 * a table could stand there: @0 =7, @0 {}, @0 [2]. */
static bool gcf_next_is_item(const gcf_reader *r)
{
    line_reader rest = r->lines;
    text_line line;
    do {
        if (!lines_next(&rest, &line)) {
            return false;
        }
    } while (gcf_is_comment(r, &line));
    if (*line.at != '@') {
        return false;
    }
    const char *p = scan_digits(line.at + 1, line.end);
    return line.end - p > 1 && *p == ' ' && (p[1] == '=' || p[1] == '{' || p[1] == '[');
}

/* The layout of the head is the field's from now on. False when out of memory. */
static bool gcf_learn_layout(gcf_reader *r, const gcf_scope *scope, uint32_t field,
                             const pith_key *name, const gcf_head *head)
{
    gcf_layout *t = scope->layout;
    if (field != SLOT_NONE && t->fields) {
        t->fields[field].shared = head->layout;
        t->learned++;
        return true;
    }
    bool first_row = scope->count == 1;
    gcf_extra_field *extra = first_row ? gcf_add_extra(r, t, name) : NULL;
    if (extra) {
        extra->shared = head->layout;
        t->learned++;
    }
    return extra || !first_row;
}

bool gcf_share_layout(gcf_reader *r, const gcf_scope *scope, uint32_t field,
                      const pith_key *name, gcf_head *head)
{
    if (head->keyed || head->values) {
        return true;
    }
    gcf_layout **shared = gcf_find_shared(r, scope, field, name);
    if (head->layout && (!shared || !*shared)) {
        if (!gcf_learn_layout(r, scope, field, name, head)) {
            return false;
        }
        shared = gcf_find_shared(r, scope, field, name);
    }
    if (!shared || !*shared) {
        return true;
    }
    bool empty = !head->count.deferred && head->count.value == 0;
    if (!head->layout && !empty && !gcf_next_is_item(r)) {
        head->layout = *shared;
    }
    head->borrowed = head->layout == *shared;
    return true;
}

/* --------------------------------------------------------- what a table has learned */

/* The places where layouts are kept, one after the other: those of fields without a
 * column, then two for each column. */
static gcf_layout **gcf_learned_at(const gcf_layout *t, size_t number)
{
    if (number < t->extras.count) {
        return &t->extras.at[number].shared;
    }
    number -= t->extras.count;
    gcf_field *field = &t->fields[number / 2];
    return number % 2 ? &field->shared : &field->schema;
}

void gcf_layout_forget(gcf_reader *r, gcf_layout *t)
{
    for (size_t i = 0; t->learned > 0; i++) {
        gcf_layout **place = gcf_learned_at(t, i);
        if (*place) {
            /* Its own fields have been forgotten when its rows ended. */
            gcf_layout_drop(r, *place);
            *place = NULL;
            t->learned--;
        }
    }
    t->extras.count = 0;
}

bool gcf_replan(gcf_reader *r, gcf_layout *t)
{
    size_t left = t->learned;
    bool fine = gcf_layout_replan(r, t);
    for (size_t i = 0; fine && left > 0; i++) {
        gcf_layout **place = gcf_learned_at(t, i);
        left -= *place ? 1 : 0;
        fine = !*place || gcf_layout_replan(r, *place);
    }
    return fine;
}
