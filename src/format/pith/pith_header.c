/*
 * pith_header.c - reading a header into ops.
 *
 * Groups and table columns nest, so the header has a stack of its own: what is open in
 * it, with the keys met so far, which are compared when it closes. A header of the table
 * itself and those of its table columns are all on r->headers, outer ones first; when the
 * table ends they go together.
 *
 *     {id,g{x,y},c=two words}        columns with commas between them
 *     {:id g{x y} c="two words"}     a colon in front: with spaces
 *
 * Level 2 has columns whose cells are filled up:
 *
 *     a=          an empty cell is as in the row above
 *     a=[x]       an empty cell is x
 *     a=[x*y]     a cell is what is in place of the star
 *
 * After the colon a bare name or constant ends at a space, and only there does the next
 * column begin; so nothing may be between a name and what belongs to it.
 */
#include "format/pith/pith_read.h"

#include "base/lex.h"

static pn_group *pn_group_top(const pn_reader *r)
{
    return r->groups.at + r->groups.count - 1;
}

/* Problems in a header end the reading: these return NULL. */
static const char *pn_bad_header(pn_reader *r, const char *code, const char *p,
                                 const char *sentence)
{
    read_problem(&r->in, p, code, "%s", sentence);
    return NULL;
}

static const char *pn_header_cut(pn_reader *r)
{
    json_bad_end(&r->in, "a header", '}');
    return NULL;
}

static void *pn_header_no_memory(pn_reader *r)
{
    read_failed(&r->in);
    return NULL;
}

/* ---------------------------------------------------------------------- counts */

bool pn_read_count(pn_reader *r, const char *p, const char *end, uint64_t *count)
{
    const size_t too_many = 17;
    size_t len = (size_t)(end - p);
    *count = read_count(text_of(p, len < too_many ? len : too_many));
    if (len > 1 && *p == '0')
        return read_problem(&r->in, p, "invalid_count", "a count has no leading zeros");
    if (*count > PN_COUNT_MOST) {
        return read_problem(&r->in, p, "invalid_count",
                            "a count is at most 9007199254740991");
    }
    return true;
}

/* Puts a new header on the list; its count begins at `p` and is followed by a brace. */
static const char *pn_add_header(pn_reader *r, const char *p)
{
    pn_header *header = LIST_ADD(&r->headers, &r->doc->alloc);
    if (!header)
        return pn_header_no_memory(r);
    memset(header, 0, sizeof *header);
    header->shaped = true;
    header->open = *p == '?';
    header->offset = read_at(&r->in, p);
    header->first = (uint32_t)r->ops.count;
    header->line = r->keep ? report_place(r->report, header->offset).line : 0;
    if (header->open)
        return p + 1;
    const char *end = scan_digits(p, r->end);
    return pn_read_count(r, p, end, &header->declared) ? end : NULL;
}

/* ------------------------------------------------------------------------ ops */

static pn_op *pn_add_op(pn_reader *r, pn_op_kind kind)
{
    pn_op *op = LIST_ADD(&r->ops, &r->doc->alloc);
    if (!op)
        return pn_header_no_memory(r);
    memset(op, 0, sizeof *op);
    op->kind = (uint8_t)kind;
    return op;
}

/* A text of the header that stays as long as the header is used. */
static const char *pn_keep_text(pn_reader *r, const char *text, size_t len)
{
    const char *kept = r->keep ? arena_copy(r->keep, text, len) : text;
    if (!kept)
        read_failed(&r->in);
    return kept;
}

/* The op of a column whose key was read into `slot`. */
static pn_op *pn_add_column(pn_reader *r, const pith_slot *slot)
{
    pn_group *group = pn_group_top(r);
    pith_doc *doc = r->doc;
    pn_op *op = pn_add_op(r, PN_OP_LEAF);
    uint8_t tail = doc_near_end_flag(r->report->input, slot->u.text);
    const char *text = op ? pn_keep_text(r, slot->u.text, slot->n) : NULL;
    if (!text)
        return NULL;
    op->key.text = text;
    op->key.len = slot->n;
    op->key.flags = slot->flags | (r->keep ? (uint8_t)0 : tail);
    op->index = group->count++;
    op->depth = group->depth;
    op->before = group->shape;
    if (group->shape != SHAPE_NONE) {
        uint16_t next =
            shapes_step(&doc->shapes, group->shape, text, slot->n, slot->flags);
        group->shape = next == SHAPE_DUPLICATE ? (uint16_t)SHAPE_NONE : next;
    }
    op->after = group->shape;
    if (!build_unshaped_key(doc, slot->flags, slot->u.text, slot->n))
        return pn_header_no_memory(r);
    return op;
}

/* ------------------------------------------------------------------------ levels */

static bool pn_open_level(pn_reader *r, uint32_t op, uint32_t header, uint32_t depth,
                          bool table, const char *place)
{
    pn_group *group = LIST_ADD(&r->groups, &r->doc->alloc);
    if (!group)
        return read_failed(&r->in);
    memset(group, 0, sizeof *group);
    group->op = op;
    group->header = header;
    group->depth = depth;
    group->shape = SHAPE_EMPTY;
    group->table = table;
    group->keys = r->doc->unshaped_count;
    group->place = place;
    return true;
}

/* The columns of the innermost level have ended: compares their keys and fixes their
 * shape. */
static bool pn_end_level(pn_reader *r)
{
    pn_group *group = pn_group_top(r);
    pith_doc *doc = r->doc;
    const bool placed = true; /* the keys of a header know where they are */
    bool fine = group->shape != SHAPE_NONE ||
                read_check_keys(&r->in, doc->unshaped + group->keys,
                                doc->unshaped_count - group->keys, placed,
                                "duplicate_key", "duplicate key");
    doc->unshaped_count = group->keys;
    if (!fine)
        return false;
    if (group->shape != SHAPE_NONE && !shapes_list(&doc->shapes, group->shape))
        return read_failed(&r->in);
    pn_header_at(r, group->header)->shaped &= group->shape != SHAPE_NONE;
    return true;
}

/* Closes a group: its end becomes an op too. */
static bool pn_close_group(pn_reader *r)
{
    pn_group group = *pn_group_top(r);
    pn_op *end = pn_add_op(r, PN_OP_END);
    if (!end)
        return false;
    pn_op *op = pn_op_at(r, group.op);
    op->shape = group.shape;
    op->count = group.count;
    op->always_present = group.always_present;
    end->shape = group.shape;
    end->count = group.count;
    r->groups.count--;
    pn_group_top(r)->always_present |= group.always_present;
    return true;
}

/* Closes the list of columns of a table or table column. */
static bool pn_close_table(pn_reader *r)
{
    pn_group group = *pn_group_top(r);
    pn_header *header = pn_header_at(r, group.header);
    header->shape = group.shape;
    header->count = group.count;
    if (!pn_add_op(r, PN_OP_ROW))
        return false;
    if (group.op != UINT32_MAX)
        pn_op_at(r, group.op)->next = (uint32_t)r->ops.count;
    r->groups.count--;
    return header->width > 0 ||
           pn_bad_header(r, "empty_header", group.place,
                         "a table needs a column that is no constant");
}

/* -------------------------------------------------------------------- columns */

/* White space between a name and what belongs to it. */
static const char *pn_skip_inside(const pn_reader *r, const char *p)
{
    return r->spaced ? p : json_skip_space(p, r->end);
}

/* Keeps the scalar in `slot` as the constant of the op. */
static bool pn_keep_constant(pn_reader *r, pn_op *op, const pith_slot *slot)
{
    op->constant = *slot;
    r->constants++;
    if (!slot_is_container(slot)) {
        const char *text = pn_keep_text(r, slot->u.text, slot->n);
        op->constant.u.text = text;
        op->constant.flags |=
            r->keep ? (uint8_t)0 : doc_near_end_flag(r->report->input, slot->u.text);
        return text != NULL;
    }
    return true;
}

/* An empty array or object; `code` and `sentence` for one that is not. */
static const char *pn_read_empty(pn_reader *r, const char *p, pith_slot *slot,
                                 const char *code, const char *sentence)
{
    char close = *p == '[' ? ']' : '}';
    const char *rest = json_skip_space(p + 1, r->end);
    slot_set(slot, *p == '[' ? PITH_ARRAY : PITH_OBJECT, 0, NULL, 0);
    if (rest == r->end)
        return pn_header_cut(r);
    if (*rest != close)
        return pn_bad_header(r, code, p, sentence);
    return rest + 1;
}

/* ------------------------------------------------------------------ filled columns */

/* The column whose key was read last has cells that are filled up. */
static pn_mark *pn_add_mark(pn_reader *r, uint32_t column, pn_op_kind kind)
{
    pn_mark *mark = LIST_ADD(&r->marks, &r->doc->alloc);
    if (!mark)
        return pn_header_no_memory(r);
    memset(mark, 0, sizeof *mark);
    pn_op_at(r, column)->kind = (uint8_t)kind;
    pn_op_at(r, column)->mark = (uint32_t)r->marks.count - 1;
    pn_header_at(r, pn_group_top(r)->header)->width++;
    if (kind != PN_OP_TEMPLATE)
        pn_group_top(r)->always_present = true;
    return mark;
}

static bool pn_add_default(pn_reader *r, uint32_t column, const pith_slot *slot)
{
    pn_mark *mark = pn_add_mark(r, column, PN_OP_DEFAULT);
    if (!mark || !pn_keep_constant(r, pn_op_at(r, column), slot))
        return false;
    mark->filled = true;
    mark->value.scalar = pn_op_at(r, column)->constant;
    pn_measure_held(&mark->value);
    return true;
}

/* `star` is in the text of the slot. */
static bool pn_add_template(pn_reader *r, uint32_t column, const pith_slot *slot,
                            const char *star)
{
    size_t before = (size_t)(star - slot->u.text);
    if (slot->n - 1 > PN_TEMPLATE_MOST) {
        return read_bad(&r->in, slot->u.text, "repeat_limit",
                        "a template has at most %d bytes around its star",
                        PN_TEMPLATE_MOST);
    }
    pn_mark *mark = pn_add_mark(r, column, PN_OP_TEMPLATE);
    const char *text = mark ? pn_keep_text(r, slot->u.text, slot->n) : NULL;
    if (!text)
        return false;
    mark->before = text_of(text, before);
    mark->after = text_of(text + before + 1, slot->n - before - 1);
    mark->flags = slot->flags & (SLOT_ESCAPE | SLOT_WIDE);
    return true;
}

/* The bare filling at `p`: a default, or a template if there is a star in it. */
static const char *pn_read_bare_filling(pn_reader *r, const char *p, uint32_t column)
{
    pith_slot slot;
    const char *rest = pn_read_plain(r, p, &slot);
    if (!rest)
        return NULL;
    const char *star = memchr(slot.u.text, '*', slot.n);
    if (!star) {
        rest = pn_read_scalar(r, p, &slot);
        return rest && pn_add_default(r, column, &slot) ? rest : NULL;
    }
    if (memchr(star + 1, '*', slot.n - (size_t)(star + 1 - slot.u.text)))
        return pn_bad_header(r, "invalid_template", p, "a template has one star");
    return pn_add_template(r, column, &slot, star) ? rest : NULL;
}

/* What is between brackets, from the first on. */
static const char *pn_read_filling(pn_reader *r, const char *p, uint32_t column)
{
    static const char sentence[] = "between brackets is a scalar, [], {} or a template";
    pith_slot slot;
    const char *rest;
    bool spaced = r->spaced;
    p = json_skip_space(p + 1, r->end);
    r->spaced = false;
    if (p == r->end)
        return pn_header_cut(r);
    if (*p == '[' || *p == '{') {
        rest = pn_read_empty(r, p, &slot, "invalid_template", sentence);
        rest = rest && pn_add_default(r, column, &slot) ? rest : NULL;
    } else if (*p == '"') {
        rest = pn_read_scalar(r, p, &slot);
        rest = rest && pn_add_default(r, column, &slot) ? rest : NULL;
    } else if (pn_is_mark((unsigned char)*p)) {
        pn_structure(r, "invalid_template", p, sentence);
        rest = NULL;
    } else {
        rest = pn_read_bare_filling(r, p, column);
    }
    r->spaced = spaced;
    if (!rest)
        return NULL;
    p = json_skip_space(rest, r->end);
    if (p == r->end)
        return pn_header_cut(r);
    if (*p == ']')
        return p + 1;
    pn_structure(r, "invalid_template", p, sentence);
    return NULL;
}

/* True when nothing follows the = before `p`. */
static bool pn_is_ditto(const pn_reader *r, const char *p)
{
    return *p == '}' || (r->spaced ? scan_is_space((unsigned char)*p) : *p == ',');
}

/* True when the bracket at `p` has something in it. */
static bool pn_is_filling(const pn_reader *r, const char *p)
{
    const char *rest = json_skip_space(p + 1, r->end);
    return *p == '[' && rest < r->end && *rest != ']';
}

static const char *pn_read_constant(pn_reader *r, const char *p, uint32_t column)
{
    pith_slot slot;
    const char *rest = NULL;
    p = pn_skip_inside(r, p);
    if (p == r->end)
        return pn_header_cut(r);
    if (pn_is_ditto(r, p))
        return pn_add_mark(r, column, PN_OP_DITTO) ? p : NULL;
    if (pn_is_filling(r, p))
        return pn_read_filling(r, p, column);
    if (*p == '[' || *p == '{')
        rest = pn_read_empty(r, p, &slot, "invalid_constant",
                             "a constant is a scalar, [] or {}");
    else if (*p == ' ' || (*p != '"' && pn_is_mark((unsigned char)*p)))
        pn_structure(r, "expected_value", p, "expected a value after '='");
    else if (r->spaced && *p != '"')
        rest = pn_read_bare(r, p, &slot); /* a space ends it */
    else
        rest = pn_read_scalar(r, p, &slot);
    pn_op *op = pn_op_at(r, column);
    op->kind = PN_OP_CONSTANT;
    pn_group_top(r)->always_present = true;
    return rest && pn_keep_constant(r, op, &slot) ? rest : NULL;
}

static bool pn_check_depth(pn_reader *r, const char *p, size_t depth)
{
    if (depth > r->doc->depth_max) {
        report_problem(r->report, PITH_LIMIT, "depth_limit", read_at(&r->in, p),
                       "nested deeper than the limit of %zu", r->doc->depth_max);
        return false;
    }
    return true;
}

/* What follows a key: opens a level, reads a constant, or nothing. */
static const char *pn_read_column(pn_reader *r, const char *p, size_t depth)
{
    uint32_t column = (uint32_t)r->ops.count - 1;
    pn_group group = *pn_group_top(r);
    if (*p == '=')
        return pn_read_constant(r, p + 1, column);
    if (*p == '{') {
        pn_op_at(r, column)->kind = PN_OP_GROUP;
        return pn_check_depth(r, p, depth + group.depth + 1) &&
                       pn_open_level(r, column, group.header, group.depth + 1, false, p)
                   ? p + 1
                   : NULL;
    }
    pn_header_at(r, group.header)->width++;
    if (*p != '[')
        return p;
    if (!pn_is_counted(p + 1, r->end)) {
        if (pn_count_end(p + 1, r->end) == r->end && read_starved(&r->in))
            return NULL;
        return scan_digits(p + 1, r->end) == r->end
                   ? pn_header_cut(r)
                   : pn_bad_header(r, "invalid_count", p,
                                   "expected a count and '{' after '[' in a header");
    }
    p = pn_add_header(r, p + 1);
    if (!p)
        return NULL;
    uint32_t header = (uint32_t)r->headers.count - 1;
    pn_op_at(r, column)->kind = PN_OP_TABLE;
    pn_op_at(r, column)->header = header;
    return pn_check_depth(r, p, depth + group.depth + 2) &&
                   pn_open_level(r, column, header, group.depth + 2, true, p)
               ? p + 1
               : NULL;
}

/* After a brace that closes a level. */
static const char *pn_close_level(pn_reader *r, const char *p, bool *done)
{
    pn_group group = *pn_group_top(r);
    if (!pn_end_level(r) || !(group.table ? pn_close_table(r) : pn_close_group(r)))
        return NULL;
    *done = group.table && group.op == UINT32_MAX;
    if (*done || !group.table)
        return p;
    p = json_skip_space(p, r->end);
    if (p == r->end)
        return pn_header_cut(r);
    if (*p != ']') {
        return pn_bad_header(r, "invalid_count", p,
                             "expected ']' after the columns of a table column");
    }
    return p + 1;
}

/* Reads the column at `p`. `*read` is false when it has opened a level. */
static const char *pn_take_column(pn_reader *r, const char *p, size_t depth, bool *read)
{
    pith_slot slot;
    bool empty;
    size_t levels = r->groups.count;
    const char *rest = pn_read_key(r, p, &slot, &empty);
    if (!rest && empty)
        pn_structure(r, "expected_key", p, "expected the name of a column");
    if (!rest || !pn_add_column(r, &slot))
        return NULL;
    rest = pn_skip_inside(r, rest);
    if (rest == r->end)
        return pn_header_cut(r);
    rest = pn_read_column(r, rest, depth);
    *read = r->groups.count == levels;
    return rest;
}

/* What separates the column that ended at `end` from the one at `p`; where that begins. */
static const char *pn_skip_separator(pn_reader *r, const char *end, const char *p)
{
    if (r->spaced && p > end && *p != ',')
        return p;
    if (!r->spaced && *p == ',')
        return p + 1;
    pn_structure(r, "expected_separator", p,
                 r->spaced ? "expected a space or '}' in a header"
                           : "expected ',' or '}' in a header");
    return NULL;
}

/* Reads columns until the table's own list is closed. */
static const char *pn_read_columns(pn_reader *r, const char *p, size_t depth)
{
    bool done = false;
    bool read = false; /* a column has been; a separator or brace follows */
    while (p && !done) {
        const char *end = p;
        p = json_skip_space(p, r->end);
        if (p == r->end)
            return pn_header_cut(r);
        if (!read) {
            p = pn_take_column(r, p, depth, &read);
        } else if (*p == '}') {
            p = pn_close_level(r, p + 1, &done);
        } else {
            p = pn_skip_separator(r, end, p);
            read = false;
        }
    }
    return p;
}

const char *pn_read_header(pn_reader *r, const char *p, uint32_t slot, bool map,
                           size_t depth)
{
    pn_frame *frame = LIST_ROOM(&r->frames, &r->doc->alloc, 1);
    if (!frame)
        return pn_header_no_memory(r);
    memset(frame, 0, sizeof *frame);
    frame->slot = slot;
    frame->map = map;
    frame->depth = depth;
    frame->header = (uint32_t)r->headers.count;
    frame->header_mark = r->headers.count;
    frame->op_mark = r->ops.count;
    frame->mark_mark = r->marks.count;
    frame->shape = r->keep_key_places ? (uint16_t)SHAPE_NONE : (uint16_t)SHAPE_EMPTY;
    r->groups.count = 0;
    p = pn_add_header(r, p);
    if (!p || !pn_check_depth(r, p, depth + 1) ||
        !pn_open_level(r, UINT32_MAX, frame->header, 1, true, p))
        return NULL;
    p++;
    r->spaced = p < r->end && *p == ':';
    p = pn_read_columns(r, p + r->spaced, depth);
    r->spaced = false;
    r->frames.count += p != NULL;
    return p;
}

void pn_drop_frame(pn_reader *r)
{
    const pn_frame *frame = pn_frame_top(r);
    if (!frame->cell) {
        r->headers.count = frame->header_mark;
        r->ops.count = frame->op_mark;
        r->marks.count = frame->mark_mark;
    }
    r->frames.count--;
}
