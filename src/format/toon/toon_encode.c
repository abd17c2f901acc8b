/*
 * toon_encode.c - a document as TOON.
 *
 * The tape is walked once. What has lines of its own below it, a plain object or a list,
 * is a level; a level's lines stand one step deeper than the line that opened it. Tables
 * and inline arrays have no levels inside and are written where they are met.
 *
 *     users[2]{id,name}:          the header, one for the whole table
 *       1,Ada                     rows
 *       2,Bob
 *     meta:                       a level: an object
 *       tags[2]: a,b              an inline array
 *     log[2]:                     a level: a list
 *       - at: 1                   a level: an object as a list item, its first
 *         text: hi                member on the line of the hyphen
 *       - [2]: 3,4
 *
 * An object that is a list item needs nothing special but that its first member does not
 * begin a new line: its members are a level below the hyphen, and what the first of them
 * opens is one below that, which is just what the specification asks for.
 *
 * Which form a value takes follows from its content (toon_table.h) and from where it
 * stands: a list item has no key, so it can be neither kind of table.
 */
#include "format/toon/toon_fold.h"
#include "format/toon/toon_scalar.h"
#include "format/toon/toon_table.h"

#include <assert.h>

/* A container whose lines are being written. */
typedef struct toon_level {
    const pith_slot *container;
    const pith_slot *end;   /* after its last child */
    const pith_slot *after; /* where its container goes on */
    const pith_key *key;    /* of the next member; NULL in a list */
    bool plain;             /* no key needs quotes */
} toon_level;

/* Where a value stands. */
typedef enum toon_position { TOON_ROOT, TOON_MEMBER, TOON_ITEM } toon_position;

typedef struct toon_encoder {
    toon_pen pen;
    pith_out *out;
    const pith_doc *doc;
    toon_table table;
    bool folds;
    toon_fold fold;

    toon_level level;
    LIST(toon_level) outer; /* the levels around it */
    uint64_t indentation;   /* steps before the lines of `level` */
    bool line_begun;        /* the next member goes on the line there is */

    uint8_t *shapes; /* of each shape, whether its keys are plain; made when needed */
    size_t shape_count;
} toon_encoder;

static char *toon_no_memory(toon_encoder *e, char *to)
{
    e->out->at = to;
    out_fail(e->out, PITH_NO_MEMORY, "no_memory");
    return to;
}

/* ------------------------------------------------------------------------ keys */

static bool toon_are_plain(const pith_key *keys, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!toon_is_plain_key(keys[i].text, keys[i].len))
            return false;
    return true;
}

enum { TOON_SHAPE_UNKNOWN, TOON_SHAPE_PLAIN, TOON_SHAPE_QUOTED };

/* True when no key of the object needs quotes. Objects of one shape are asked once. */
static bool toon_keys_are_plain(toon_encoder *e, const pith_slot *object)
{
    const pith_key *keys = doc_keys(e->doc, object);
    if (object->shape == SHAPE_NONE || !e->shapes)
        return toon_are_plain(keys, object->n);
    assert(object->shape < e->shape_count);
    uint8_t *known = &e->shapes[object->shape];
    if (*known == TOON_SHAPE_UNKNOWN) {
        *known = toon_are_plain(keys, object->n) ? (uint8_t)TOON_SHAPE_PLAIN
                                                 : (uint8_t)TOON_SHAPE_QUOTED;
    }
    return *known == TOON_SHAPE_PLAIN;
}

/* ---------------------------------------------------------------------- levels */

static bool toon_push_level(toon_encoder *e)
{
    toon_level *level = LIST_ADD(&e->outer, &e->out->alloc);
    if (level)
        *level = e->level;
    return level != NULL;
}

/* Makes the container the level whose lines come next. */
static bool toon_enter_level(toon_encoder *e, const pith_slot *container,
                             const pith_slot *after)
{
    bool object = container->kind == PITH_OBJECT;
    e->level.container = container;
    e->level.end = e->doc->slots + doc_children_end(container);
    e->level.after = after;
    e->level.key = object ? doc_keys(e->doc, container) : NULL;
    e->level.plain = object && toon_keys_are_plain(e, container);
    return !object || !e->folds || toon_fold_enter(&e->fold, container);
}

/* ---------------------------------------------------------------------- tables */

/* The header of the table and all its rows; `keyed` when the rows are members of an
 * object. The key, if any, has been written. */
static char *toon_put_table(toon_encoder *e, char *to, const pith_slot *container,
                            bool keyed, uint64_t depth)
{
    assert(container->n > 0);
    const pith_slot *row = container + 1;
    const pith_key *key = keyed ? doc_keys(e->doc, container) : NULL;
    bool plain = keyed && toon_keys_are_plain(e, container);
    to = toon_put_count(&e->pen, to, container->n, keyed ? ':' : '\0');
    to = toon_put_fields(&e->table, &e->pen, to);
    if (!to)
        return toon_no_memory(e, e->out->start);
    *to++ = ':';
    for (uint32_t i = 0; i < container->n && e->out->status == PITH_OK; i++) {
        to = toon_put_break(&e->pen, toon_make_room(e->out, to), depth + 1);
        if (keyed) {
            to = plain ? toon_put_plain_key(&e->pen, to, key)
                       : toon_put_key(&e->pen, to, key);
            *to++ = ':';
            *to++ = ' ';
            key++;
        }
        to = toon_put_row(&e->table, &e->pen, to, row);
        row = e->doc->slots + row->u.link.next;
    }
    return toon_make_room(e->out, to);
}

/* --------------------------------------------------------------------- arrays */

static bool toon_is_inline(const pith_doc *doc, const pith_slot *array)
{
    const pith_slot *end = doc->slots + array->u.link.next;
    if (end - array - 1 != (ptrdiff_t)array->n)
        return false;
    unsigned nested = 0;
    for (const pith_slot *at = array + 1; at < end; at++)
        nested |= at->kind >= PITH_ARRAY;
    return !nested;
}

static char *toon_put_empty_array(toon_encoder *e, char *to, toon_position position)
{
    if (position == TOON_ITEM || e->pen.version == TOON_3_0) {
        to = toon_put_count(&e->pen, to, 0, '\0');
        *to++ = ':';
        return to;
    }
    if (position == TOON_MEMBER) {
        *to++ = ':';
        *to++ = ' ';
    }
    *to++ = '[';
    *to++ = ']';
    return to;
}

/* An array after its key or hyphen. `*open` says that its items follow as a level. */
static char *toon_put_array(toon_encoder *e, char *to, const pith_slot *array,
                            toon_position position, uint64_t depth, bool *open)
{
    if (array->n == 0)
        return toon_put_empty_array(e, to, position);
    if (array[1].kind == PITH_OBJECT && position != TOON_ITEM) {
        bool groups = e->pen.version == TOON_4;
        toon_verdict verdict = toon_table_try(&e->table, array + 1, array->n, groups);
        if (verdict == TOON_NO_MEMORY)
            return toon_no_memory(e, to);
        if (verdict == TOON_IS_TABLE)
            return toon_put_table(e, to, array, false, depth);
    }
    to = toon_put_count(&e->pen, to, array->n, '\0');
    *to++ = ':';
    if (toon_is_inline(e->doc, array)) {
        *to++ = ' ';
        return toon_put_cells(&e->pen, to, array + 1, e->doc->slots + array->u.link.next);
    }
    *open = true;
    return to;
}

/* --------------------------------------------------------------------- objects */

/* An object with members after its key or hyphen, or at the root. */
static char *toon_put_object(toon_encoder *e, char *to, const pith_slot *object,
                             toon_position position, uint64_t depth, bool *open)
{
    assert(object->n > 0);
    if (object->n >= 2 && position != TOON_ITEM && e->pen.version == TOON_4 &&
        object[1].kind == PITH_OBJECT) {
        toon_verdict verdict = toon_table_try(&e->table, object + 1, object->n, true);
        if (verdict == TOON_NO_MEMORY)
            return toon_no_memory(e, to);
        if (verdict == TOON_IS_TABLE)
            return toon_put_table(e, to, object, true, depth);
    }
    if (position == TOON_MEMBER)
        *to++ = ':';
    *open = true;
    return to;
}

/* A container after its key or hyphen, or at the root. `*open` says that its lines
 * follow as a level. */
static char *toon_put_container(toon_encoder *e, char *to, const pith_slot *at,
                                toon_position position, uint64_t depth, bool *open)
{
    if (at->kind == PITH_ARRAY)
        return toon_put_array(e, to, at, position, depth, open);
    if (at->n > 0)
        return toon_put_object(e, to, at, position, depth, open);
    if (position == TOON_MEMBER)
        *to++ = ':';
    return to;
}

/* ------------------------------------------------------------------------ lines */

/* The key of the next member, or of the chain it begins; then `*value` is the value at
 * the end of that. */
static char *toon_put_member_key(toon_encoder *e, char *to, const pith_slot **value)
{
    assert(e->level.key);
    const pith_key *key = e->level.key++;
    if (e->folds && (*value)->kind == PITH_OBJECT) {
        bool folded;
        if (!toon_fold_member(&e->fold, e->level.container, key, value, &folded))
            return toon_no_memory(e, to);
        if (folded) {
            e->out->at = to;
            out_bytes(e->out, e->fold.joined.at, e->fold.joined.count);
            return pen_resume(e->out);
        }
    }
    return e->level.plain ? toon_put_plain_key(&e->pen, to, key)
                          : toon_put_key(&e->pen, to, key);
}

static char *toon_put_member(toon_encoder *e, char *to, const pith_slot **value,
                             bool *open)
{
    if (!e->line_begun)
        to = toon_put_break(&e->pen, to, e->indentation);
    e->line_begun = false;
    to = toon_put_member_key(e, to, value);
    if (slot_is_container(*value))
        return toon_put_container(e, to, *value, TOON_MEMBER, e->indentation, open);
    *to++ = ':';
    *to++ = ' ';
    return toon_put_scalar(&e->pen, to, *value);
}

static char *toon_put_item(toon_encoder *e, char *to, const pith_slot *value, bool *open)
{
    to = toon_put_break(&e->pen, to, e->indentation);
    *to++ = '-';
    if (value->kind == PITH_OBJECT && value->n == 0)
        return to;
    *to++ = ' ';
    if (!slot_is_container(value))
        return toon_put_scalar(&e->pen, to, value);
    to = toon_put_container(e, to, value, TOON_ITEM, e->indentation, open);
    e->line_begun = *open && value->kind == PITH_OBJECT;
    return to;
}

/* The lines of `e->level` and of all levels inside it. */
static char *toon_put_lines(toon_encoder *e, char *to)
{
    const pith_slot *at = e->level.container + 1;
    while (e->out->status == PITH_OK) {
        const pith_slot *value = at;
        const pith_slot *after = doc_after(e->doc, at);
        bool open = false;
        to = toon_make_room(e->out, to);
        to = e->level.key ? toon_put_member(e, to, &value, &open)
                          : toon_put_item(e, to, value, &open);
        if (open) {
            if (!toon_push_level(e) || !toon_enter_level(e, value, after))
                return toon_no_memory(e, to);
            e->indentation++;
            at = value + 1;
            continue;
        }
        at = after;
        while (at == e->level.end) {
            if (e->outer.count == 0)
                return to;
            at = e->level.after;
            e->level = e->outer.at[--e->outer.count];
            e->indentation--;
        }
    }
    return to;
}

/* -------------------------------------------------------------------- documents */

static char *toon_put_document(toon_encoder *e, char *to, const pith_slot *root)
{
    if (!slot_is_container(root))
        return toon_put_root_scalar(&e->pen, to, root);
    bool open = false;
    to = toon_put_container(e, to, root, TOON_ROOT, 0, &open);
    if (!open || e->out->status != PITH_OK)
        return to;
    bool object = root->kind == PITH_OBJECT;
    e->indentation = object ? 0 : 1;
    e->line_begun = object;
    if (!toon_enter_level(e, root, NULL))
        return toon_no_memory(e, to);
    return toon_put_lines(e, to);
}

static void toon_write_document(const encode_job *job)
{
    toon_encoder e;
    pith_out *out = job->out;
    assert(out->status == PITH_OK); /* nothing has been written yet */
    memset(&e, 0, sizeof e);
    toon_pen_init(&e.pen, out, job->set);
    e.out = out;
    e.doc = job->doc;
    e.folds = toon_setting(job->set, TOON_FOLD);
    toon_table_init(&e.table, job->doc, out->alloc);
    toon_fold_init(&e.fold, job->doc, toon_setting(job->set, TOON_FLATTEN_DEPTH),
                   out->alloc);
    /* Without this memory every object's keys are asked anew. */
    e.shape_count = job->doc->shapes.count;
    e.shapes = (uint8_t *)alloc_zeroed(&out->alloc, e.shape_count);
    out->at =
        toon_put_document(&e, toon_make_room(out, out->at), &job->doc->slots[job->at]);
    alloc_free(&out->alloc, e.shapes, e.shape_count);
    LIST_FREE(&e.outer, &out->alloc);
    toon_fold_free(&e.fold);
    toon_table_free(&e.table);
}

pith_status toon_check_writing(const settings *set, pith_error *err)
{
    bool all = toon_setting(set, TOON_FLATTEN_DEPTH) == PITH_DEPTH_MOST;
    const char *word = toon_setting(set, TOON_FOLD) ? "fold"
                       : !all                       ? "flatten-depth"
                                                    : NULL;
    if (!word || toon_setting(set, TOON_VERSION) != TOON_4)
        return PITH_OK;
    return error_set(err, PITH_BAD_USE, "bad_setting",
                     "version 4 knows no folded keys; %s needs version=3", word);
}

pith_status toon_encode(encode_job *job)
{
    pith_status status = toon_check_writing(job->set, job->err);
    if (status == PITH_OK)
        toon_write_document(job);
    return status;
}
