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

#include <assert.h>

static gcf_layout **gcf_add_extra(gcf_reader *r, gcf_layout *t, const pith_key *name)
{
    pith_key kept = *name;
    if (!gcf_keep_text(r, t, &kept.text, kept.len, &kept.flags))
        return NULL;
    bool known = names_add(&t->extra_names, &kept);
    gcf_layout **extra = known ? LIST_ADD(&t->extras, &r->doc->alloc) : NULL;
    if (!extra) {
        read_failed(&r->in);
        return NULL;
    }
    *extra = NULL;
    return extra;
}

gcf_layout **gcf_find_shared(gcf_reader *r, gcf_layout *t, uint32_t field,
                             const pith_key *name)
{
    assert(field == SLOT_NONE || field < t->fields.count);
    if (field != SLOT_NONE)
        return &t->fields.at[field].shared;
    uint32_t extra;
    if (t->extras.count == 0 || !gcf_find_name(r, &t->extra_names, name, 0, &extra))
        return NULL;
    return extra == NAMES_NONE ? NULL : &t->extras.at[extra];
}

/* True when the next line under the attachment is an item of an expanded array, though
 * a table could be there: @0 =7, @0 {}, @0 [2]. */
static bool gcf_next_is_item(const gcf_reader *r)
{
    line_reader rest = r->lines;
    text_line line;
    do {
        if (!lines_next(&rest, &line))
            return false;
    } while (gcf_is_comment(r, &line));
    if (*line.at != '@')
        return false;
    const char *p = scan_digits(line.at + 1, line.end);
    return line.end - p > 1 && *p == ' ' && (p[1] == '=' || p[1] == '{' || p[1] == '[');
}

bool gcf_share_layout(gcf_reader *r, const gcf_scope *scope, gcf_layout **shared,
                      uint32_t field, const pith_key *name, gcf_head *head)
{
    gcf_layout *t = scope->layout;
    if (head->keyed || head->values || read_stopped(&r->in))
        return !read_stopped(&r->in);
    if (shared && *shared) {
        bool empty = !head->count.deferred && head->count.value == 0;
        if (!head->layout && !empty && !gcf_next_is_item(r))
            head->layout = *shared;
        head->borrowed = head->layout == *shared;
        return true;
    }
    /* The layout is the field's from now on, unless that has no column and the row is not
     * the first. */
    if (head->layout && field == SLOT_NONE && scope->count == 1)
        shared = gcf_add_extra(r, t, name);
    if (head->layout && shared) {
        *shared = head->layout;
        head->borrowed = true;
        t->learned++;
    }
    return !read_stopped(&r->in);
}

/* --------------------------------------------------------- what a table has learned */

/* The places where layouts are kept, one after the other: those of fields without a
 * column, then two for each column. */
static gcf_layout **gcf_learned_at(const gcf_layout *t, size_t number)
{
    if (number < t->extras.count)
        return &t->extras.at[number];
    number -= t->extras.count;
    assert(number / 2 < t->fields.count);
    gcf_field *field = &t->fields.at[number / 2];
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
    names_back(&t->extra_names, 0);
}

bool gcf_replan(gcf_reader *r, gcf_layout *t)
{
    bool current = layout_is_current(&t->rows, r->doc);
    size_t left = current ? 0 : t->learned;
    bool fine = current || gcf_layout_replan(r, t);
    for (size_t i = 0; fine && left > 0; i++) {
        gcf_layout **place = gcf_learned_at(t, i);
        left -= *place ? 1 : 0;
        fine = !*place || gcf_layout_replan(r, *place);
    }
    return fine;
}
