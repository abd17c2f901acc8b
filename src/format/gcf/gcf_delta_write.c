/*
 * gcf_delta_write.c - keyed sets and changes to them as GCF.
 *
 * Cells are spelled as in any other table of GCF. What differs is the first line, which
 * names roots and the key, and the mark @ at the key among the fields. Rows are flat, so
 * there is nothing below them.
 */
#include "format/gcf/gcf_delta.h"

#include "format/gcf/gcf_encode.h"

/* --------------------------------------------------------------- what can stand */

/* The first line has no quotes, and a > would make a path of a field's name. */
pith_status gcf_delta_check(const keyed_set *set, pith_error *err)
{
    const pith_key *key = &set->fields.keys.at[set->key];
    for (uint32_t i = 0; i < key->len; i++) {
        if (key->text[i] <= ' ' || key->text[i] > '~') {
            return error_set(err, PITH_UNREPRESENTABLE, "invalid_key",
                             "the key \"%s\" is not printable ASCII without spaces, and "
                             "cannot stand in the first line",
                             error_quote(key->text, key->len).text);
        }
    }
    for (size_t i = 0; i < set->fields.keys.count; i++) {
        const pith_key *name = &set->fields.keys.at[i];
        if (name->len > 0 && memchr(name->text, '>', name->len)) {
            return error_set(err, PITH_UNREPRESENTABLE, "invalid_field",
                             "the field \"%s\" holds a >, which would be read as a path "
                             "into nested objects; rename it",
                             error_quote(name->text, name->len).text);
        }
    }
    if (set->map && set->count > 0 && set->fields.keys.count < 2) {
        return error_set(err, PITH_UNREPRESENTABLE, "no_fields",
                         "a map of empty objects has no fields to write");
    }
    return PITH_OK;
}

/* ------------------------------------------------------------------- first line */

static void answer_start(pith_out *out, pith_text tool)
{
    out_string(out, "GCF profile=generic");
    if (tool.len > 0)
        out_field(out, "tool", tool);
}

static pith_text answer_root(const keyed_set *set)
{
    return text_of(set->root, ROOT_LEN);
}

/* In whole percent, a half to the even side. */
static uint64_t answer_percent(uint64_t delta, uint64_t full)
{
    uint64_t part = (full - delta) * 100;
    uint64_t percent = part / full;
    uint64_t rest = part % full * 2;
    bool up = rest > full || (rest == full && percent % 2 == 1);
    return percent + (up ? 1 : 0);
}

/* ------------------------------------------------------------------------ rows */

/* {@id,total}, or only the key. */
static void answer_put_fields(gcf_pen *pen, const keyed_set *schema, bool all)
{
    pith_out *out = pen->out;
    out_byte(out, '{');
    for (size_t i = 0; i < schema->fields.keys.count; i++) {
        if (!all && i != schema->key)
            continue;
        if (i > 0 && all)
            out_byte(out, ',');
        if (i == schema->key)
            out_byte(out, '@');
        char *to = pen_room(out, out->at);
        pith_key name = schema->fields.keys.at[i];
        name.flags |= SLOT_NEAR_END;
        out->at = gcf_put_key(pen, to, &name);
    }
    out_string(out, "}\n");
}

/* A row of `set` in the fields of `schema`. */
static char *answer_put_row(gcf_pen *pen, char *to, const keyed_set *set, size_t row,
                            const keyed_set *schema)
{
    for (size_t i = 0; i < schema->fields.keys.count; i++) {
        uint32_t field = (uint32_t)i;
        if (set != schema)
            field = keyed_field(set, key_text(&schema->fields.keys.at[i]));
        pith_slot cell;
        slot_set(&cell, PITH_NONE, 0, NULL, 0);
        if (field != SLOT_NONE)
            cell = keyed_cell(set, row, field);
        if (cell.kind == PITH_NONE)
            *to++ = '~';
        else
            to = pen_room(pen->out, gcf_put_scalar(pen, to, &cell));
        *to++ = '|';
    }
    to[-1] = '\n';
    return pen_room(pen->out, to);
}

static void answer_put_rows(gcf_pen *pen, const gcf_delta_rows *rows,
                            const keyed_set *schema)
{
    char *to = pen_room(pen->out, pen->out->at);
    for (size_t i = 0; i < rows->count; i++) {
        size_t row = rows->rows ? rows->rows[i] : i;
        to = answer_put_row(pen, to, rows->set, row, schema);
    }
    pen->out->at = to;
}

static void answer_put_keys(gcf_pen *pen, const gcf_delta_rows *rows)
{
    char *to = pen_room(pen->out, pen->out->at);
    for (size_t i = 0; i < rows->count; i++) {
        size_t row = rows->rows ? rows->rows[i] : i;
        pith_slot cell = keyed_cell(rows->set, row, rows->set->key);
        to = gcf_put_scalar(pen, to, &cell);
        *to++ = '\n';
        to = pen_room(pen->out, to);
    }
    pen->out->at = to;
}

/* A section of a change, with whole rows or only their keys. */
static void answer_put_section(pith_out *out, const char *name,
                               const gcf_delta_rows *rows, const keyed_set *schema,
                               bool whole)
{
    gcf_pen pen = {out, NULL};
    if (rows->count == 0)
        return;
    out_string(out, name);
    out_number(out, rows->count);
    out_byte(out, ']');
    answer_put_fields(&pen, schema, whole);
    if (whole)
        answer_put_rows(&pen, rows, schema);
    else
        answer_put_keys(&pen, rows);
}

/* --------------------------------------------------------------------- answers */

static uint64_t answer_absent(const gcf_delta_rows *rows)
{
    uint64_t absent = 0;
    for (size_t i = 0; i < rows->count; i++)
        absent += keyed_absent(rows->set, rows->rows ? rows->rows[i] : i);
    return absent;
}

void gcf_delta_write(pith_out *out, const gcf_delta *delta)
{
    const keyed_set *schema = delta->schema;
    answer_start(out, delta->tool);
    out_field(out, "delta", text_from("true"));
    out_field(out, "base_root", delta->base_root);
    out_field(out, "new_root", delta->new_root);
    out_field(out, "key", key_text(&schema->fields.keys.at[schema->key]));
    if (delta->full_tokens > 0 && delta->delta_tokens <= delta->full_tokens) {
        out_count_field(out, "savings",
                        answer_percent(delta->delta_tokens, delta->full_tokens));
        out_byte(out, '%');
    }
    uint64_t absent = answer_absent(&delta->added) + answer_absent(&delta->changed);
    if (absent > 0)
        out_count_field(out, "absent", absent);
    out_byte(out, '\n');
    answer_put_section(out, "## added [", &delta->added, schema, true);
    answer_put_section(out, "## changed [", &delta->changed, schema, true);
    answer_put_section(out, "## removed [", &delta->removed, schema, false);
}

void gcf_delta_write_change(const answer_out *job)
{
    const keyed_diff *diff = &job->change->set;
    const keyed_set *base = &job->base->set;
    const keyed_set *now = &job->now->set;
    gcf_delta delta = {.schema = base,
                       .base_root = answer_root(base),
                       .new_root = answer_root(now),
                       .delta_tokens = job->delta_tokens,
                       .full_tokens = job->full_tokens,
                       .added = {now, diff->added, diff->added_count},
                       .changed = {now, diff->changed, diff->changed_count},
                       .removed = {base, diff->removed, diff->removed_count}};
    gcf_delta_write(job->out, &delta);
}

pith_status gcf_delta_write_full(const answer_out *job)
{
    const keyed_set *set = &job->now->set;
    pith_out *out = job->out;
    gcf_pen pen = {out, NULL};
    gcf_delta_rows all = {set, NULL, set->count};
    pith_status status = gcf_delta_check(set, job->err);
    if (status != PITH_OK)
        return status;
    answer_start(out, job->tool);
    out_field(out, "pack_root", answer_root(set));
    out_field(out, "key", key_text(&set->fields.keys.at[set->key]));
    out_byte(out, '\n');
    if (set->map && set->count == 0 && !set->named)
        return PITH_OK; /* the empty object is an empty text */
    out_string(out, "##");
    if (set->named) {
        out_byte(out, ' ');
        pith_key name = set->name;
        name.flags |= SLOT_NEAR_END;
        out->at = gcf_put_key(&pen, pen_room(out, out->at), &name);
    }
    if (set->map && set->count == 0) {
        out_byte(out, '\n');
        return PITH_OK;
    }
    out_string(out, " [");
    out_number(out, set->count);
    out_string(out, set->map ? ":]" : "]");
    answer_put_fields(&pen, set, true);
    answer_put_rows(&pen, &all, set);
    return PITH_OK;
}

void gcf_delta_write_unchanged(const answer_out *job)
{
    pith_out *out = job->out;
    answer_start(out, text_of("", 0));
    out_field(out, "unchanged", text_from("true"));
    out_field(out, "pack_root", answer_root(&job->now->set));
    out_count_field(out, "count", job->now->set.count);
    out_byte(out, '\n');
}
