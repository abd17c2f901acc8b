/*
 * gcf_encode.c - a document as GCF, generic profile.
 *
 * The tape is walked once. Whatever has lines of its own is a level: the members of an
 * object, the items of a mixed array, the rows of a table. Which of them a container
 * becomes follows from its content alone; what its first line looks like follows from
 * where it is:
 *
 *                  object       keyed table     table         mixed        primitives
 *     root                      ## [2:]{..}     ## [2]{..}    ## [2]       ## [2]: 1,2
 *     member       ## k         ## k [2:]{..}   ## k [2]{..}  ## k [2]     k[2]: 1,2
 *     item         @0 {}        @0 [2:]{..}     @0 [2]{..}    @0 [2]       @0 [2]: 1,2
 *     attachment   .k {}        .k [2:]{..}     .k [2]{..}    .k [2]       .k [2]: 1,2
 *
 * The lines of what is at the root or under a key begin where its header does, but
 * for members, which are a step deeper; those of an item are a step deeper and those of
 * an attachment, whose header is flush with its row, two.
 */
#include "format/gcf/gcf_encode.h"

#include "doc/path.h"

#include <assert.h>

/* What the lines of a level are. */
typedef enum gcf_lines { GCF_MEMBER_LINES, GCF_ITEM_LINES, GCF_ROW_LINES } gcf_lines;

typedef struct gcf_level {
    const pith_slot *at;  /* the next member or item */
    const pith_slot *end; /* after the last */
    const pith_key *key;  /* of the next member */
    uint64_t depth;       /* steps before each line */
    size_t attached;      /* of a row: its attachments begin here */
    size_t written;       /* and these have been written */
    uint32_t index;       /* of the next item */
    uint8_t lines;
    bool bare; /* no key needs quotes */
} gcf_level;

/* Where a value is. */
typedef enum gcf_position { GCF_ROOT, GCF_MEMBER, GCF_ITEM, GCF_ATTACHMENT } gcf_position;

/* What a container becomes. */
typedef enum gcf_shape {
    GCF_AS_OBJECT,
    GCF_AS_EMPTY_ARRAY,
    GCF_AS_PRIMITIVES,
    GCF_AS_MIXED,
    GCF_AS_TABLE
} gcf_shape;

typedef struct gcf_encoder {
    gcf_writer w;
    pith_out *out;
    const pith_doc *doc;
    bool constants;
    gcf_level level;
    LIST(gcf_level) outer;  /* those around it */
    LIST(gcf_table) opened; /* one for each level of rows */
} gcf_encoder;

static gcf_table *gcf_open_table(const gcf_encoder *e)
{
    assert(e->opened.count > 0);
    return e->opened.at + e->opened.count - 1;
}

/* ---------------------------------------------------------------------- levels */

static bool gcf_push_level(gcf_encoder *e)
{
    gcf_level *top = LIST_ADD(&e->outer, &e->out->alloc);
    if (!top)
        return false;
    *top = e->level;
    return true;
}

static void gcf_enter_level(gcf_encoder *e, const pith_slot *container, gcf_lines lines,
                            uint64_t depth)
{
    gcf_level *level = &e->level;
    memset(level, 0, sizeof *level);
    level->lines = (uint8_t)lines;
    level->depth = depth;
    level->at = container + 1;
    level->end = e->doc->slots + doc_children_end(container);
    level->attached = level->written = e->w.attachments.count;
    if (lines == GCF_MEMBER_LINES) {
        level->key = doc_keys(e->doc, container);
        level->bare = (gcf_know_keys(&e->w.tables, container) & GCF_KEYS_BARE) != 0;
    }
}

/* ---------------------------------------------------------------------- choosing */

/* True when the array holds scalars only. */
static inline bool gcf_is_primitive(const pith_doc *doc, const pith_slot *array)
{
    assert(array->n > 0);
    const pith_slot *at = array + 1;
    const pith_slot *end = doc->slots + array->u.link.next;
    while (at < end && at->kind < PITH_ARRAY)
        at++;
    return at == end;
}

/* Opens the container as a table, if it is one. */
static gcf_verdict gcf_try_table(gcf_encoder *e, const pith_slot *container,
                                 gcf_position position)
{
    /* Constants are for tables with a header of their own line. */
    bool constants = e->constants && container->kind == PITH_ARRAY &&
                     (position == GCF_ROOT || position == GCF_MEMBER);
    if (!LIST_RESERVE(&e->opened, &e->out->alloc, 1))
        return GCF_NO_MEMORY;
    gcf_table *table = e->opened.at + e->opened.count;
    gcf_verdict verdict = gcf_table_open(&e->w.tables, table, container, constants);
    e->opened.count += verdict == GCF_IS_TABLE;
    return verdict;
}

/* Decides what the container becomes; false when out of memory. */
static bool gcf_choose(gcf_encoder *e, const pith_slot *container, gcf_position position,
                       gcf_shape *shape)
{
    bool array = container->kind == PITH_ARRAY;
    if (container->n >= (array ? 1u : 2u) && container[1].kind == PITH_OBJECT) {
        gcf_verdict verdict = gcf_try_table(e, container, position);
        if (verdict != GCF_NO_TABLE) {
            *shape = GCF_AS_TABLE;
            return verdict == GCF_IS_TABLE;
        }
    }
    if (!array)
        *shape = GCF_AS_OBJECT;
    else if (container->n == 0)
        *shape = GCF_AS_EMPTY_ARRAY;
    else
        *shape = gcf_is_primitive(e->doc, container) ? GCF_AS_PRIMITIVES : GCF_AS_MIXED;
    return true;
}

/* --------------------------------------------------------------------- containers */

static inline char *gcf_put_level_key(gcf_encoder *e, char *to, const pith_key *key)
{
    return e->level.bare ? gcf_put_bare_key(&e->w.pen, to, key)
                         : gcf_put_key(&e->w.pen, to, key);
}

static char *gcf_put_attachment_key(gcf_encoder *e, char *to, const pith_key *key,
                                    bool bare)
{
    *to++ = '.';
    to = bare ? gcf_put_bare_key(&e->w.pen, to, key)
              : gcf_put_quoted(&e->w.pen, to, key->text, key->len);
    *to++ = ' ';
    return pen_room(e->out, to);
}

/* What is before the bracket or the braces. */
static char *gcf_put_lead(gcf_encoder *e, char *to, gcf_position position,
                          const pith_key *key, gcf_shape shape)
{
    switch (position) {
    case GCF_ROOT:
        if (shape != GCF_AS_OBJECT) {
            memcpy(to, "## ", 3);
            to += 3;
        }
        return to;
    case GCF_MEMBER:
        if (shape == GCF_AS_PRIMITIVES)
            return gcf_put_level_key(e, to, key);
        memcpy(to, "## ", 3);
        to = gcf_put_level_key(e, to + 3, key);
        if (shape != GCF_AS_OBJECT)
            *to++ = ' ';
        return to;
    case GCF_ITEM:
        return gcf_put_id(to, e->level.index);
    case GCF_ATTACHMENT: /* has its key already */
        break;
    }
    return to;
}

/* [3]: a,b,c */
static char *gcf_put_list(gcf_encoder *e, char *to, const pith_slot *array)
{
    to = gcf_put_count(to, array->n);
    *to++ = ':';
    *to++ = ' ';
    return gcf_put_cells(&e->w.pen, to, array + 1, array + 1 + array->n, ',');
}

/* The bracket, the braces or the whole list, and the end of the line. */
static char *gcf_put_opening(gcf_encoder *e, char *to, const pith_slot *container,
                             gcf_position position, gcf_shape shape, bool known)
{
    switch (shape) {
    case GCF_AS_OBJECT:
        if (position == GCF_ROOT)
            return to;
        if (position != GCF_MEMBER) {
            *to++ = '{';
            *to++ = '}';
        }
        break;
    case GCF_AS_EMPTY_ARRAY:
    case GCF_AS_MIXED:
        to = gcf_put_count(to, container->n);
        break;
    case GCF_AS_PRIMITIVES:
        to = gcf_put_list(e, to, container);
        break;
    case GCF_AS_TABLE:
        to = gcf_put_header(&e->w, to, gcf_open_table(e), known);
        if (!to)
            return NULL;
        break;
    }
    *to++ = '\n';
    return to;
}

/* Makes the lines of the container, if it has any, the ones that come next. */
static bool gcf_open_lines(gcf_encoder *e, const pith_slot *container,
                           gcf_position position, gcf_shape shape)
{
    static const uint8_t steps[] = {0, 0, 1, 2};
    uint64_t depth = e->level.depth + steps[position];
    if (container->n == 0 || shape == GCF_AS_PRIMITIVES)
        return true;
    if (position != GCF_ROOT && !gcf_push_level(e))
        return false;
    if (shape == GCF_AS_OBJECT) {
        gcf_enter_level(e, container, GCF_MEMBER_LINES, depth + (position == GCF_MEMBER));
    } else {
        gcf_enter_level(e, container,
                        shape == GCF_AS_TABLE ? GCF_ROW_LINES : GCF_ITEM_LINES, depth);
    }
    return true;
}

/* A container where it is. The indentation has been written. `known` says that a
 * table's fields were named before. */
static char *gcf_put_container(gcf_encoder *e, char *to, const pith_slot *container,
                               gcf_position position, const pith_key *key, bool known)
{
    gcf_shape shape;
    if (!gcf_choose(e, container, position, &shape))
        return gcf_out_of_memory(&e->w.pen, to);
    char *from = to;
    to = pen_room(e->out, gcf_put_lead(e, to, position, key, shape));
    to = gcf_put_opening(e, to, container, position, shape, known);
    if (!to || !gcf_open_lines(e, container, position, shape))
        return gcf_out_of_memory(&e->w.pen, to ? to : from);
    return to;
}

/* ------------------------------------------------------------------------ lines */

/* The members up to the first that is a container, and that one's first line. */
static char *gcf_put_members(gcf_encoder *e, char *to)
{
    gcf_level *level = &e->level;
    while (level->at < level->end) {
        const pith_slot *value = level->at;
        const pith_key *key = level->key++;
        level->at = doc_after(e->doc, value);
        to = gcf_put_indent(&e->w.pen, pen_room(e->out, to), level->depth);
        if (slot_is_container(value))
            return gcf_put_container(e, to, value, GCF_MEMBER, key, false);
        to = gcf_put_level_key(e, to, key);
        *to++ = '=';
        to = gcf_put_scalar(&e->w.pen, to, value);
        *to++ = '\n';
    }
    return to;
}

/* An item with lines of its own, or none: its first line. */
static char *gcf_put_item(gcf_encoder *e, char *to, const pith_slot *value)
{
    /* The level inside has an index of its own. */
    size_t outer = e->outer.count;
    to = gcf_put_container(e, to, value, GCF_ITEM, NULL, false);
    gcf_level *level = e->outer.count > outer ? e->outer.at + outer : &e->level;
    level->index++;
    return to;
}

/* The items up to the first that is more than scalars, and that one's first line. */
static char *gcf_put_items(gcf_encoder *e, char *to)
{
    gcf_level *level = &e->level;
    while (level->at < level->end) {
        const pith_slot *value = level->at;
        bool list = value->kind == PITH_ARRAY && value->n > 0;
        level->at = doc_after(e->doc, value);
        to = gcf_put_indent(&e->w.pen, pen_room(e->out, to), level->depth);
        if (list && gcf_is_primitive(e->doc, value)) {
            to = gcf_put_list(e, gcf_put_id(to, level->index++), value);
        } else if (slot_is_container(value)) {
            return gcf_put_item(e, to, value);
        } else {
            to = gcf_put_id(to, level->index++);
            *to++ = '=';
            to = gcf_put_scalar(&e->w.pen, to, value);
        }
        *to++ = '\n';
    }
    return to;
}

static char *gcf_put_attachment(gcf_encoder *e, char *to)
{
    assert(e->level.written < e->w.attachments.count);
    gcf_attachment attachment = e->w.attachments.at[e->level.written++];
    const pith_slot *value = attachment.value;
    to = gcf_put_indent(&e->w.pen, to, e->level.depth);
    if (attachment.form == GCF_INLINE) {
        to = gcf_put_cells(&e->w.pen, to, value + 1, value + 1 + value->n, '|');
        *to++ = '\n';
        return to;
    }
    to = gcf_put_attachment_key(e, to, attachment.key, attachment.bare);
    if (slot_is_container(value)) {
        bool known = attachment.form == GCF_SHARED && gcf_open_table(e)->index > 1;
        return gcf_put_container(e, to, value, GCF_ATTACHMENT, NULL, known);
    }
    *to++ = '=';
    to = gcf_put_scalar(&e->w.pen, to, value);
    *to++ = '\n';
    return to;
}

/* The next line of a table; `*more` is false when there is none. */
static char *gcf_put_table_line(gcf_encoder *e, char *to, bool *more)
{
    gcf_table *table = gcf_open_table(e);
    if (e->level.written < e->w.attachments.count)
        return gcf_put_attachment(e, to);
    e->w.attachments.count = e->level.written = e->level.attached;
    if (table->index == table->rows->n) {
        gcf_table_close(&e->w.tables, table);
        e->opened.count--;
        *more = false;
        return to;
    }
    char *after = gcf_put_row(&e->w, to, table, e->level.depth);
    return after ? after : gcf_out_of_memory(&e->w.pen, to);
}

/* The next line of the level, or some of them; `*more` is false when there is none. */
static char *gcf_put_line(gcf_encoder *e, char *to, bool *more)
{
    if (e->level.lines == GCF_ROW_LINES)
        return gcf_put_table_line(e, to, more);
    if (e->level.at == e->level.end) {
        *more = false;
        return to;
    }
    return e->level.lines == GCF_MEMBER_LINES ? gcf_put_members(e, to)
                                              : gcf_put_items(e, to);
}

static char *gcf_put_lines(gcf_encoder *e, char *to)
{
    while (e->out->status == PITH_OK) {
        bool more = true;
        to = gcf_put_line(e, pen_room(e->out, to), &more);
        if (!more) {
            if (e->outer.count == 0)
                break;
            e->level = e->outer.at[--e->outer.count];
        }
    }
    return to;
}

/* -------------------------------------------------------------------- documents */

static char *gcf_put_document(gcf_encoder *e, char *to, const pith_slot *root)
{
    if (!slot_is_container(root)) {
        *to++ = '=';
        to = gcf_put_scalar(&e->w.pen, to, root);
        *to++ = '\n';
        return to;
    }
    to = gcf_put_container(e, to, root, GCF_ROOT, NULL, false);
    bool lines = e->level.end != NULL;
    return lines ? gcf_put_lines(e, to) : to;
}

static pith_status gcf_write_document(gcf_encoder *e, const encode_job *job)
{
    pith_status status = PITH_OK;
    const pith_slot *root = &job->doc->slots[job->at];
    pith_text group = settings_text(job->set, GCF_GROUP);
    char *to = pen_room(e->out, e->out->at);
    to = gcf_put_first_line(&e->w.pen, to, job->set);
    bool empty = root->kind == PITH_ARRAY && root->n == 0;
    if (group.len > 0 && !empty) {
        e->out->at = to;
        status = gcf_write_groups(&e->w, root, group, job->err);
    } else {
        e->out->at = gcf_put_document(e, pen_room(e->out, to), root);
    }
    const pith_slot *refused = e->w.pen.refused;
    if (!refused)
        return status;
    status = gcf_refuse_number(refused, job->err);
    error_put_path(job->err, job->doc, job->at, (uint32_t)(refused - job->doc->slots));
    return status;
}

static void gcf_encoder_init(gcf_encoder *e, pith_out *out, const settings *set,
                             const pith_doc *doc)
{
    gcf_options options;
    memset(e, 0, sizeof *e);
    e->w.pen.out = out;
    e->out = out;
    e->doc = doc;
    e->constants = settings_number(set, GCF_LEVEL) == GCF_LEVEL_3_6;
    options.flatten = settings_bool(set, GCF_FLATTEN);
    options.inline_schema = settings_bool(set, GCF_INLINE_SCHEMA);
    options.shared_schema = settings_bool(set, GCF_SHARED_SCHEMA);
    options.expand_sparse = settings_number(set, GCF_SPARSE) != 0;
    gcf_tables_init(&e->w.tables, doc, &options, out->alloc);
    levels_init(&e->w.levels, out->alloc);
}

static void gcf_encoder_free(gcf_encoder *e)
{
    const pith_alloc *alloc = &e->out->alloc;
    if (e->w.tables.columns.failed)
        out_fail(e->out, PITH_NO_MEMORY, "no_memory");
    gcf_tables_free(&e->w.tables);
    LIST_FREE(&e->w.attachments, alloc);
    levels_free(&e->w.levels);
    LIST_FREE(&e->outer, alloc);
    LIST_FREE(&e->opened, alloc);
}

pith_status gcf_encode(encode_job *job)
{
    gcf_encoder e;
    pith_status status = gcf_check_settings(job->set, job->err);
    if (status != PITH_OK || job->out->status != PITH_OK)
        return status;
    gcf_encoder_init(&e, job->out, job->set, job->doc);
    status = gcf_write_document(&e, job);
    if (!e.w.tables.options.expand_sparse)
        job->out->advice = "; sparse=expand writes rows that share few fields as objects";
    gcf_encoder_free(&e);
    return status;
}

/* --------------------------------------------------------------------- one member */

bool gcf_starts_section(const pith_doc *doc, const pith_slot *value)
{
    return slot_is_container(value) &&
           (value->kind == PITH_OBJECT || value->n == 0 || !gcf_is_primitive(doc, value));
}

pith_status gcf_write_member(pith_out *out, const settings *set, pith_text key,
                             const pith_doc *doc, uint32_t at, pith_error *err)
{
    gcf_encoder e;
    pith_key name = {key.ptr, (uint32_t)key.len, SLOT_NEAR_END, 0};
    gcf_encoder_init(&e, out, set, doc);
    if (out->status == PITH_OK) {
        e.level.lines = GCF_MEMBER_LINES;
        e.level.key = &name;
        e.level.at = &doc->slots[at];
        e.level.end = doc_after(doc, e.level.at);
        out->at = gcf_put_lines(&e, pen_room(out, out->at));
    }
    gcf_encoder_free(&e);
    return e.w.pen.refused ? gcf_refuse_number(e.w.pen.refused, err) : PITH_OK;
}
