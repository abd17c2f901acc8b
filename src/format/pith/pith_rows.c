/*
 * pith_rows.c - the rows of tables and maps, cell by cell.
 *
 *     row            [ key : ] cell , cell , ... cell     what the ops of the header say
 *     after a row    ; or line breaks, then the next row; or the bracket
 *
 * A cell that holds an array or object ends the turn of this loop: the container is the
 * other one's, and this one resumes where the frame says. Rows in a cell are read here,
 * in a frame on top of the table's.
 *
 * While problems are being collected a row that has one is given up: its slots are taken
 * back, and reading goes on after the next separator.
 */
#include "format/pith/pith_read.h"

#include <assert.h>

/* The object that members are added to: a row, or a group of one. */
typedef struct pn_object {
    uint32_t slot;
    uint32_t count; /* valid only while the row is not full */
    uint16_t shape; /* likewise */
} pn_object;

/* The loop's own view of the reader. Each of its functions does one thing and returns
 * what to do next. */
typedef struct pn_row_machine {
    pn_reader *r;
    pith_doc *doc;
    const char *p;
    const char *end;
    pith_slot *at;
    pith_slot *limit;
    pn_frame *frame;
    const pn_header *header;
    pn_op *op;
    pn_object in;
    bool full;
    bool comma; /* a cell is due: the row has begun, or a comma is before it */
} pn_row_machine;

typedef enum pn_action {
    PN_NEXT_STOP,
    PN_NEXT_OP,
    PN_NEXT_AFTER_CELL,
    PN_NEXT_VALUE,   /* a container begins */
    PN_NEXT_NAME,    /* a name begins */
    PN_NEXT_ROW,     /* a row begins */
    PN_NEXT_GIVE_UP, /* there is a problem in the row */
    PN_NEXT_AFTER_ROW,
    PN_NEXT_CLOSE, /* the bracket */
    PN_NEXT_DONE   /* the table, or the one row that was asked for */
} pn_action;

static bool pn_more_slots(pn_row_machine *w)
{
    w->at = json_grow(&w->r->in, w->at, &w->limit, w->p);
    return w->at != NULL;
}

static inline bool pn_make_slots(pn_row_machine *w)
{
    return w->at < w->limit || pn_more_slots(w);
}

static inline char pn_bracket(const pn_frame *frame)
{
    return frame->map ? '}' : ']';
}

/* True when a cell at `p` is absent: a separator or bracket is there. */
static inline bool pn_is_absent(const pn_row_machine *w, const char *p)
{
    return p < w->end && (*p == ',' || *p == ';' || *p == '\n' || *p == '\r' ||
                          *p == pn_bracket(w->frame));
}

/* ------------------------------------------------------------------------ problems */

static pn_action pn_rows_unclosed(pn_row_machine *w)
{
    json_bad_end(&w->r->in, w->frame->map ? "a map" : "a table", pn_bracket(w->frame));
    return PN_NEXT_STOP;
}

static pn_action pn_rows_no_memory(pn_row_machine *w)
{
    read_failed(&w->r->in);
    return PN_NEXT_STOP;
}

static const char pn_no_separator[] = "expected ',' or the end of the row after a cell";

/* A row with a problem is given up, if reading goes on at all. */
static pn_action pn_give_up_if(bool go_on)
{
    return go_on ? PN_NEXT_GIVE_UP : PN_NEXT_STOP;
}

static pn_action pn_bad_row(pn_row_machine *w, const char *code, const char *sentence)
{
    return pn_give_up_if(pn_structure(w->r, code, w->p, sentence));
}

static pn_action pn_bad_width(pn_row_machine *w, const char *found)
{
    pn_reader *r = w->r;
    return pn_give_up_if(r->quiet || read_problem(&r->in, w->p, "row_width_mismatch",
                                                  "expected %u cells in a row, %s",
                                                  (unsigned)w->header->width, found));
}

/* Whether the row goes on all the same: what it lacks is absent, what it has too much is
 * lost. It is told once. */
static bool pn_keeps_row(pn_row_machine *w, const char *found)
{
    pn_reader *r = w->r;
    if (!r->report->keeps_rows || r->report->stopped)
        return false;
    if (!r->quiet)
        pn_bad_width(w, found);
    r->quiet = true;
    return !r->report->stopped;
}

static size_t pn_header_line(pn_reader *r, const pn_header *header)
{
    return header->line ? header->line : report_place(r->report, header->offset).line;
}

static bool pn_bad_count(pn_reader *r, const pn_header *header, const char *p)
{
    return read_problem(&r->in, p, "count_mismatch",
                        "%llu rows declared in line %zu, found %s%llu",
                        (unsigned long long)header->declared, pn_header_line(r, header),
                        header->rows > header->declared ? "at least " : "",
                        (unsigned long long)header->rows);
}

/* The end of a row that has been given up, with brackets and quotes in pairs. */
static const char *pn_skip_row(const pn_row_machine *w)
{
    size_t depth = 0;
    const char *p = w->p;
    for (; p < w->end; p++) {
        if (*p == '"') {
            const char *close = scan_stop(p + 1, w->end);
            while (close < w->end && *close == '\\' && w->end - close > 1)
                close = scan_stop(close + 2, w->end);
            p = close < w->end && *close == '"' ? close : p;
        } else if (*p == '[' || *p == '{') {
            depth++;
        } else if (depth == 0 &&
                   (*p == ';' || *p == '\n' || *p == '\r' || *p == ']' || *p == '}')) {
            break;
        } else if (*p == ']' || *p == '}') {
            depth--;
        }
    }
    return p;
}

/* ---------------------------------------------------------------------- members */

/* Adds the key of the op to the object. */
static inline bool pn_step_key(pn_row_machine *w, pn_op *op)
{
    w->in.count++;
    if (w->in.shape != SHAPE_NONE && op->from == w->in.shape) {
        w->in.shape = op->to;
        return true;
    }
    uint16_t from = w->in.shape;
    if (!build_step(w->doc, &w->in.shape, op->key.flags, op->key.text, op->key.len))
        return read_failed(&w->r->in);
    if (w->in.shape != SHAPE_NONE) {
        op->from = from;
        op->to = w->in.shape;
    }
    return true;
}

/* The slot of a container that opens. */
static inline uint32_t pn_open_slot(pn_row_machine *w, pith_kind kind, uint32_t parent)
{
    assert(w->at < w->doc->slots + w->doc->cap);
    pith_slot *slot = w->at++;
    slot->kind = (uint8_t)kind;
    slot->flags = 0;
    slot->shape = SHAPE_NONE;
    slot->n = 0;
    slot->u.link.next = SLOT_NONE;
    slot->u.link.parent = parent;
    return (uint32_t)(slot - w->doc->slots);
}

/* Opens an object and goes into it. */
static inline void pn_open_object(pn_row_machine *w, uint32_t parent)
{
    w->in.slot = pn_open_slot(w, PITH_OBJECT, parent);
    w->in.count = 0;
    w->in.shape = SHAPE_EMPTY;
}

/* Puts away what is known of the object that is open. */
static inline void pn_save_object(pn_row_machine *w, const pn_op *op)
{
    assert(w->in.slot != SLOT_NONE);
    pith_slot *slot = &w->doc->slots[w->in.slot];
    slot->n = w->full ? op->index + 1 : w->in.count;
    slot->shape = w->full ? op->after : w->in.shape;
}

/* Takes up an object again. */
static inline void pn_load_object(pn_row_machine *w, uint32_t at)
{
    const pith_slot *slot = &w->doc->slots[at];
    w->in.slot = at;
    w->in.count = slot->n;
    w->in.shape = slot->shape;
}

/* The row is left after the op, for a container in its cell or for rows there, and taken
 * up again when that has closed. */
static inline void pn_leave_row(pn_row_machine *w, const pn_op *op, uint32_t next)
{
    pn_save_object(w, op);
    w->frame->op = next;
    w->frame->full = w->full;
}

static inline void pn_take_up_row(pn_row_machine *w, uint32_t object)
{
    w->frame = pn_frame_top(w->r);
    w->header = pn_header_at(w->r, w->frame->header);
    w->op = pn_op_at(w->r, w->frame->op);
    w->full = w->frame->full;
    pn_load_object(w, object);
}

/* From here on something of the row is absent; `op` is the first that is not settled. */
static void pn_lose_fullness(pn_row_machine *w, const pn_op *op)
{
    w->full = false;
    w->in.count = op->index;
    w->in.shape = op->before;
}

/* Opens the groups that have been waiting for a member. */
static bool pn_open_pending(pn_row_machine *w)
{
    for (size_t i = 0; i < w->r->pending.count; i++) {
        pn_op *group = pn_op_at(w->r, w->r->pending.at[i]);
        if (!pn_make_slots(w) || !pn_step_key(w, group))
            return false;
        pn_save_object(w, group);
        pn_open_object(w, w->in.slot);
    }
    w->r->pending.count = 0;
    return true;
}

/* Before a member that is there. */
static inline bool pn_add_member(pn_row_machine *w, pn_op *op)
{
    if (w->full)
        return true;
    if (w->r->pending.count > 0 && !pn_open_pending(w))
        return false;
    return pn_step_key(w, op);
}

/* Ends the object that is open; `full` is the shape it has if nothing is absent. */
static inline bool pn_close_object(pn_row_machine *w, uint16_t full, uint32_t count)
{
    pith_doc *doc = w->doc;
    if (!w->full) {
        full = w->in.shape;
        count = w->in.count;
        if (full == SHAPE_NONE) {
            w->limit = w->at = json_end_unshaped(&w->r->in, count, w->at);
            if (!w->at)
                return false;
        } else if (!shapes_list(&doc->shapes, full)) {
            return read_failed(&w->r->in);
        }
    }
    pith_slot *slot = &doc->slots[w->in.slot];
    slot->shape = full;
    slot->n = count;
    slot->u.link.next = (uint32_t)(w->at - doc->slots);
    return true;
}

/* ------------------------------------------------------------------------ the ops */

static pn_action pn_do_group(pn_row_machine *w, pn_op *op)
{
    pn_reader *r = w->r;
    if (w->full && !op->always_present &&
        (!w->comma || pn_is_absent(w, pn_skip_blank(w->p, w->end))))
        pn_lose_fullness(w, op);
    w->op = op + 1;
    if (!w->full && !op->always_present) {
        uint32_t *room = LIST_ADD(&r->pending, &r->doc->alloc);
        if (!room)
            return pn_rows_no_memory(w);
        *room = (uint32_t)(op - r->ops.at);
        return PN_NEXT_OP;
    }
    if (!pn_make_slots(w) || !pn_add_member(w, op))
        return PN_NEXT_STOP;
    pn_save_object(w, op);
    pn_open_object(w, w->in.slot);
    return PN_NEXT_OP;
}

static pn_action pn_do_end(pn_row_machine *w, const pn_op *op)
{
    w->op = w->op + 1;
    if (w->r->pending.count > 0) {
        w->r->pending.count--;
        return PN_NEXT_OP;
    }
    if (!pn_close_object(w, op->shape, op->count))
        return PN_NEXT_STOP;
    pn_load_object(w, w->doc->slots[w->in.slot].u.link.parent);
    return PN_NEXT_OP;
}

/* Puts the op's constant into the row. False to stop. */
static inline bool pn_put_constant_cell(pn_row_machine *w, pn_op *op)
{
    if (!pn_make_slots(w) || !pn_add_member(w, op))
        return false;
    *w->at = op->constant;
    if (slot_is_container(w->at)) {
        w->at->shape = op->constant.kind == PITH_OBJECT ? (uint16_t)SHAPE_EMPTY
                                                        : (uint16_t)SHAPE_NONE;
        w->at->u.link.parent = w->in.slot;
        w->at->u.link.next = (uint32_t)(w->at + 1 - w->doc->slots);
        if (!shapes_list(&w->doc->shapes, SHAPE_EMPTY))
            return read_failed(&w->r->in);
    }
    w->at++;
    w->op = op + 1;
    return true;
}

/* A row with no cell at all, where one is needed to tell it from none. */
static bool pn_is_blank_row(const pn_row_machine *w)
{
    return w->header->width == 1 && !w->frame->map;
}

/* A cell that is not there. */
static pn_action pn_do_absent(pn_row_machine *w, const pn_op *op)
{
    if (pn_is_blank_row(w))
        return pn_bad_width(w, "found a blank row");
    if (w->full)
        pn_lose_fullness(w, op);
    return PN_NEXT_AFTER_CELL;
}

/* The text ends, or a cell is due and there is none: the row is too short. */
static pn_action pn_do_missing(pn_row_machine *w, pn_op *op)
{
    if (w->p == w->end)
        return pn_rows_unclosed(w);
    if (!pn_is_absent(w, w->p))
        return pn_bad_row(w, "expected_separator", pn_no_separator);
    if (pn_keeps_row(w, "found fewer")) {
        w->op = op->kind == PN_OP_TABLE ? pn_op_at(w->r, op->next) : op + 1;
        return pn_do_absent(w, op);
    }
    return pn_bad_width(w, "found fewer");
}

/* Leaves the row to the other loop, for what is in this cell. */
static inline void pn_hand_over(pn_row_machine *w, const pn_op *op)
{
    pn_leave_row(w, op, (uint32_t)(w->op - w->r->ops.at));
    w->doc->slots[w->in.slot].flags = PN_IS_ROW;
    w->r->depth = w->frame->depth + op->depth;
}

/* A cell that begins with a mark: a name, or a mistake. */
static NEVER_INLINE pn_action pn_do_marked(pn_row_machine *w, const pn_op *op)
{
    if (!pn_is_name(w->r, w->p))
        return pn_bad_row(w, "expected_value", "expected a cell");
    pn_hand_over(w, op);
    return PN_NEXT_NAME;
}

static ALWAYS_INLINE pn_action pn_do_leaf(pn_row_machine *w, pn_op *op)
{
    const char *p = w->p;
    if (*p == ' ' || *p == '\t') {
        p = w->p = pn_skip_blank(p, w->end);
        if (p == w->end)
            return pn_do_missing(w, op);
    }
    w->op = op + 1;
    if (pn_is_absent(w, p))
        return pn_do_absent(w, op);
    if (!pn_make_slots(w) || !pn_add_member(w, op))
        return PN_NEXT_STOP;
    if (*p == '[' || *p == '{') {
        pn_hand_over(w, op);
        return PN_NEXT_VALUE;
    }
    if (pn_is_mark((unsigned char)*p) && *p != '"')
        return pn_do_marked(w, op);
    p = pn_read_scalar(w->r, p, w->at);
    if (!p)
        return PN_NEXT_STOP;
    w->p = p;
    w->at++;
    return PN_NEXT_AFTER_CELL;
}

/* Scalar cells, as many as come one after the other, while nothing is absent. Whatever
 * else comes is left to pn_do_op. */
static inline pn_action pn_do_leaves(pn_row_machine *w, pn_op *op)
{
    const char *p = w->p;
    const char *const end = w->end;
    pith_slot *at = w->at;
    pith_slot *const limit = w->limit;
    pn_action action = PN_NEXT_OP;
    while (op->kind == PN_OP_LEAF && at < limit && p < end && *p != ' ' &&
           (!pn_is_mark((unsigned char)*p) || *p == '"')) {
        const char *rest = pn_read_scalar(w->r, p, at);
        if (!rest)
            return PN_NEXT_STOP;
        p = rest;
        at++;
        op++;
        if (p == end || *p != ',') {
            action = PN_NEXT_AFTER_CELL;
            break;
        }
        p++;
    }
    w->p = p;
    w->at = at;
    w->op = op;
    return action;
}

/* The value of the row above goes into the row once more. False to stop. */
static NEVER_INLINE bool pn_repeat_above(pn_row_machine *w, pn_op *op, pn_mark *mark)
{
    pn_reader *r = w->r;
    if (!pn_make_slots(w) || !pn_add_member(w, op))
        return false;
    r->tape = w->at;
    r->depth = w->frame->depth + op->depth;
    r->open = w->in.slot;
    bool fine = pn_repeat(r, &mark->value, w->p);
    w->limit = w->at = r->tape;
    return fine;
}

/* The empty cell of a ditto or default column. */
static pn_action pn_do_empty(pn_row_machine *w, pn_op *op, pn_mark *mark)
{
    if (pn_is_blank_row(w))
        return pn_bad_width(w, "found a blank row");
    if (!mark->filled && w->r->lost)
        return PN_NEXT_STOP;
    if (!mark->filled) {
        return pn_bad_row(w, "expected_value",
                          "an empty cell is as in the row above, but there is none");
    }
    if (op->kind == PN_OP_DITTO) {
        w->op = op + 1;
        return pn_repeat_above(w, op, mark) ? PN_NEXT_AFTER_CELL : PN_NEXT_STOP;
    }
    if (mark->value.size > PN_REPEAT_MOST) {
        read_problem(&w->r->in, w->p, "repeat_limit",
                     "the default of the column has more than %d bytes", PN_REPEAT_MOST);
        return PN_NEXT_STOP;
    }
    return pn_put_constant_cell(w, op) ? PN_NEXT_AFTER_CELL : PN_NEXT_STOP;
}

/* A cell of a ditto or default column. */
static NEVER_INLINE pn_action pn_do_filled(pn_row_machine *w, pn_op *op)
{
    pn_mark *mark = w->r->marks.at + op->mark;
    w->p = pn_skip_blank(w->p, w->end);
    if (w->p == w->end)
        return pn_do_missing(w, op);
    if (pn_is_absent(w, w->p))
        return pn_do_empty(w, op, mark);
    pn_action action = pn_do_leaf(w, op);
    bool begun = action == PN_NEXT_VALUE || action == PN_NEXT_NAME;
    if (op->kind == PN_OP_DITTO && (begun || action == PN_NEXT_AFTER_CELL)) {
        uint32_t next = (uint32_t)(w->at - w->doc->slots);
        mark->value = (pn_held){.doc = w->doc, .at = begun ? next : next - 1};
        mark->filled = true;
    }
    return action;
}

/* A cell of a template column: text that goes in place of the star. */
static NEVER_INLINE pn_action pn_do_template(pn_row_machine *w, pn_op *op)
{
    pn_reader *r = w->r;
    w->p = pn_skip_blank(w->p, w->end);
    if (w->p == w->end)
        return pn_do_missing(w, op);
    w->op = op + 1;
    if (pn_is_absent(w, w->p))
        return pn_do_absent(w, op);
    if (pn_is_mark((unsigned char)*w->p) && *w->p != '"')
        return pn_bad_row(w, "expected_value", "expected a cell that is text");
    if (!pn_make_slots(w) || !pn_add_member(w, op))
        return PN_NEXT_STOP;
    const char *rest = *w->p == '"' ? json_read_text(&r->in, &pn_quoted, w->p, w->at)
                                    : pn_read_plain(r, w->p, w->at);
    const pn_mark *mark = r->marks.at + op->mark;
    const pith_text texts[] = {
        mark->before, {rest ? w->at->u.text : NULL, rest ? w->at->n : 0}, mark->after};
    if (!rest || !pn_join_texts(r, w->p, w->at, texts, 3))
        return PN_NEXT_STOP;
    w->at->flags |= mark->flags;
    w->at++;
    w->p = rest;
    return PN_NEXT_AFTER_CELL;
}

/* Rows in a cell: a frame of their own. */
static pn_action pn_do_table(pn_row_machine *w, pn_op *op)
{
    pn_reader *r = w->r;
    w->p = pn_skip_blank(w->p, w->end);
    if (w->p == w->end)
        return pn_do_missing(w, op);
    w->op = pn_op_at(r, op->next);
    if (pn_is_absent(w, w->p))
        return pn_do_absent(w, op);
    if (*w->p != '[') {
        return pn_bad_row(w, "expected_table",
                          "expected '[' and rows in a cell of a table column");
    }
    pn_frame *frame = LIST_ROOM(&r->frames, &r->doc->alloc, 1);
    if (!frame)
        return pn_rows_no_memory(w);
    if (!pn_make_slots(w) || !pn_add_member(w, op))
        return PN_NEXT_STOP;
    w->frame = frame - 1;
    pn_leave_row(w, op, op->next);
    memset(frame, 0, sizeof *frame);
    frame->header = op->header;
    frame->cell = true;
    frame->depth = w->frame->depth;
    frame->slot = pn_open_slot(w, PITH_ARRAY, w->in.slot);
    r->frames.count++;
    w->frame = frame;
    w->header = pn_header_at(r, op->header);
    w->p = json_skip_space(w->p + 1, w->end);
    if (w->p == w->end)
        return pn_rows_unclosed(w);
    return *w->p == ']' ? PN_NEXT_CLOSE : PN_NEXT_ROW;
}

/* ---------------------------------------------------------------------------- rows */

/* One more row: too many of them are noticed at once. */
static bool pn_count_row(pn_row_machine *w)
{
    pn_header *header = pn_header_at(w->r, w->frame->header);
    header->rows++;
    w->frame->rows++;
    if (!header->open && header->rows > header->declared && !header->reported) {
        header->reported = true;
        return pn_bad_count(w->r, header, w->p);
    }
    return true;
}

/* The key of a map's row. */
static pn_action pn_read_row_key(pn_row_machine *w)
{
    bool empty;
    pith_slot slot;
    if (*w->p == ';' || *w->p == '}')
        return pn_bad_width(w, "found a blank row");
    const char *rest = pn_read_key(w->r, w->p, &slot, &empty);
    if (!rest) {
        return empty ? pn_bad_row(w, "expected_key",
                                  "expected a key at the start of the row")
                     : PN_NEXT_STOP;
    }
    if (!json_add_key(&w->r->in, &w->frame->shape, &slot))
        return PN_NEXT_STOP;
    w->frame->keys++;
    w->frame->loose = w->doc->unshaped_count;
    w->p = pn_skip_blank(rest, w->end);
    if (w->p == w->end)
        return pn_rows_unclosed(w);
    if (*w->p != ':')
        return pn_bad_row(w, "expected_colon", "expected ':' after the key of a row");
    w->p++;
    return PN_NEXT_OP;
}

static pn_action pn_begin_row(pn_row_machine *w)
{
    pn_frame *frame = w->frame;
    pn_action action = PN_NEXT_OP;
    if (!pn_make_slots(w) || !pn_count_row(w))
        return PN_NEXT_STOP;
    frame->loose = w->doc->unshaped_count;
    frame->row = (uint32_t)(w->at - w->doc->slots);
    w->r->pending.count = 0;
    w->r->quiet = false;
    if (frame->map)
        action = pn_read_row_key(w);
    pn_open_object(w, frame->slot);
    w->full = w->header->shaped;
    w->op = pn_op_at(w->r, w->header->first);
    w->comma = true;
    if (w->p == w->end)
        return pn_rows_unclosed(w);
    return action;
}

/* After a row, at its separator: what comes next. */
static pn_action pn_after_row(pn_row_machine *w)
{
    const char *p = w->p;
    bool semicolon = p < w->end && *p == ';';
    w->p = json_skip_space(p + semicolon, w->end);
    if (w->p == w->end)
        return pn_rows_unclosed(w);
    if (!semicolon && *w->p == pn_bracket(w->frame))
        return PN_NEXT_CLOSE;
    if (w->p > p)
        return PN_NEXT_ROW;
    pn_action action = pn_bad_row(w, "expected_separator", pn_no_separator);
    /* A bracket of the wrong kind leaves nothing to hold on to. */
    return *p == ']' || *p == '}' ? PN_NEXT_STOP : action;
}

static pn_action pn_end_row_at(pn_row_machine *w)
{
    if (w->comma && !pn_keeps_row(w, "found more"))
        return pn_bad_width(w, "found more");
    if (w->comma)
        w->p = pn_skip_row(w);
    if (!pn_close_object(w, w->header->shape, w->header->count))
        return PN_NEXT_STOP;
    if (w->frame->slot != SLOT_NONE)
        return PN_NEXT_AFTER_ROW;
    w->r->open = SLOT_NONE;
    if (w->p < w->end && !pn_is_absent(w, w->p))
        return pn_bad_row(w, "expected_separator", pn_no_separator);
    bool cut = w->p == w->end && read_starved(&w->r->in);
    return cut ? PN_NEXT_STOP : PN_NEXT_DONE;
}

/* Gives up a row in which there is a problem. There is a table around it: rows that are
 * read one by one end with the first problem. */
static pn_action pn_give_up_row(pn_row_machine *w)
{
    assert(w->frame->slot != SLOT_NONE);
    w->p = pn_skip_row(w);
    w->r->lost = true;
    for (size_t i = 0; i < w->r->marks.count; i++) {
        pn_mark *mark = w->r->marks.at + i;
        mark->filled = mark->filled && mark->value.at < w->frame->row;
    }
    assert(w->frame->row < w->doc->cap);
    w->at = w->doc->slots + w->frame->row; /* where it began, and so there is room */
    w->doc->unshaped_count = w->frame->loose;
    pn_open_object(w, w->frame->slot);
    w->full = false;
    if (!pn_close_object(w, SHAPE_EMPTY, 0))
        return PN_NEXT_STOP;
    return PN_NEXT_AFTER_ROW;
}

/* --------------------------------------------------------------------------- tables */

/* At the bracket `p` of the innermost table: compares all counts of its header with the
 * rows that were found. False when reading has to stop. */
static bool pn_check_table(pn_reader *r, const char *p)
{
    for (size_t i = pn_frame_top(r)->header_mark; i < r->headers.count; i++) {
        const pn_header *header = pn_header_at(r, (uint32_t)i);
        bool differs =
            !header->open && !header->reported && header->rows != header->declared;
        if (differs && !pn_bad_count(r, header, p))
            return false;
    }
    return true;
}

/* After the bracket of a table whose count was not declared its total may come. */
static bool pn_check_total(pn_reader *r, const pn_header *header, const char **at)
{
    const char *p = *at;
    const char *end = scan_digits(p, r->end);
    uint64_t total;
    if (!header->open)
        return true;
    if (end == r->end && read_starved(&r->in))
        return false;
    if (end == p)
        return true;
    *at = end;
    if (!pn_read_count(r, p, end, &total))
        return false;
    if (total != header->rows) {
        return read_problem(&r->in, p, "count_mismatch",
                            "%llu rows in the total, found %llu",
                            (unsigned long long)total, (unsigned long long)header->rows);
    }
    return true;
}

/* The keys of a map have not been compared if it is loose. */
static bool pn_close_map(pn_row_machine *w)
{
    uint32_t count = w->frame->keys;
    if (count > 0 && w->frame->shape == SHAPE_NONE) {
        w->limit = w->at = json_close_unshaped(&w->r->in, w->frame->slot, count, w->at);
        return w->at != NULL;
    }
    if (count == 0)
        w->frame->shape = SHAPE_EMPTY;
    return shapes_list(&w->doc->shapes, w->frame->shape) || read_failed(&w->r->in);
}

/* At the bracket of a table, a map or a cell. */
static pn_action pn_close_frame(pn_row_machine *w)
{
    pn_reader *r = w->r;
    pn_frame *frame = w->frame;
    const char *bracket = w->p++;
    r->quiet = false;
    if (!frame->cell && (!pn_check_table(r, bracket) ||
                         !pn_check_total(r, pn_header_at(r, frame->header), &w->p)))
        return PN_NEXT_STOP;
    if (frame->map && !pn_close_map(w))
        return PN_NEXT_STOP;
    if (frame->slot == SLOT_NONE) {
        pn_drop_frame(r);
        r->open = SLOT_NONE;
        return PN_NEXT_DONE;
    }
    pith_slot *slot = &w->doc->slots[frame->slot];
    slot->n = frame->rows;
    slot->shape = frame->map ? frame->shape : (uint16_t)SHAPE_NONE;
    slot->u.link.next = (uint32_t)(w->at - w->doc->slots);
    bool cell = frame->cell;
    uint32_t parent = slot->u.link.parent;
    r->open = parent;
    pn_drop_frame(r);
    if (!cell)
        return PN_NEXT_DONE;
    pn_take_up_row(w, parent);
    return PN_NEXT_AFTER_CELL;
}

/* ------------------------------------------------------------------------- the loop */

static inline pn_action pn_do_op(pn_row_machine *w)
{
    pn_op *op = w->op;
    switch (op->kind) {
    case PN_OP_LEAF:
        if (w->full && w->comma) {
            pn_action action = pn_do_leaves(w, op);
            if (action != PN_NEXT_OP || w->op != op)
                return action;
        }
        return w->comma && w->p < w->end ? pn_do_leaf(w, op) : pn_do_missing(w, op);
    case PN_OP_TABLE:
        return w->comma && w->p < w->end ? pn_do_table(w, op) : pn_do_missing(w, op);
    case PN_OP_DITTO:
    case PN_OP_DEFAULT:
        return w->comma && w->p < w->end ? pn_do_filled(w, op) : pn_do_missing(w, op);
    case PN_OP_TEMPLATE:
        return w->comma && w->p < w->end ? pn_do_template(w, op) : pn_do_missing(w, op);
    case PN_OP_CONSTANT:
        return pn_put_constant_cell(w, op) ? PN_NEXT_OP : PN_NEXT_STOP;
    case PN_OP_GROUP:
        return pn_do_group(w, op);
    case PN_OP_END:
        return pn_do_end(w, op);
    default:
        return pn_end_row_at(w);
    }
}

/* After a cell: is there another? */
static inline void pn_after_cell(pn_row_machine *w)
{
    if (w->p < w->end && (*w->p == ' ' || *w->p == '\t'))
        w->p = pn_skip_blank(w->p, w->end);
    w->comma = w->p < w->end && *w->p == ',';
    w->p += w->comma;
}

/* Acts until there is nothing more to do here. */
static pn_action pn_run(pn_row_machine *w, pn_action action)
{
    for (;;) {
        switch (action) {
        case PN_NEXT_AFTER_CELL:
            pn_after_cell(w);
            /* fall through */
        case PN_NEXT_OP:
            action = pn_do_op(w);
            break;
        case PN_NEXT_ROW:
            action = pn_begin_row(w);
            break;
        case PN_NEXT_AFTER_ROW:
            action = pn_after_row(w);
            break;
        case PN_NEXT_GIVE_UP:
            action = pn_give_up_row(w);
            break;
        case PN_NEXT_CLOSE:
            action = pn_close_frame(w);
            break;
        case PN_NEXT_STOP:
        case PN_NEXT_VALUE:
        case PN_NEXT_NAME:
        case PN_NEXT_DONE:
            return action;
        }
    }
}

/* After a header: rows, or the bracket. */
static pn_action pn_after_header(pn_row_machine *w)
{
    const char *p = w->p;
    w->p = pn_skip_blank(p, w->end);
    if (w->p == w->end)
        return pn_rows_unclosed(w);
    if (*w->p == ';' || *w->p == '\n' || *w->p == '\r' || *w->p == pn_bracket(w->frame))
        return PN_NEXT_AFTER_ROW;
    pn_structure(w->r, "expected_rows", w->p,
                 "expected ';', a line break or the bracket after the header");
    return PN_NEXT_STOP;
}

bool pn_read_rows(pn_reader *r, bool *in_row)
{
    pn_row_machine w = {.r = r,
                        .doc = r->doc,
                        .p = r->at,
                        .end = r->end,
                        .at = r->tape,
                        .limit = r->limit,
                        .frame = pn_frame_top(r)};
    pn_action action = PN_NEXT_AFTER_CELL;
    if (*in_row) {
        w.doc->slots[r->open].flags = 0;
        pn_take_up_row(&w, r->open);
    } else {
        w.header = pn_header_at(r, w.frame->header);
        action = w.frame->rows > 0 ? PN_NEXT_AFTER_ROW : pn_after_header(&w);
    }
    action = pn_run(&w, action);
    r->at = w.p;
    r->tape = w.at;
    r->limit = w.limit;
    *in_row = action == PN_NEXT_VALUE;
    r->meets_name = action == PN_NEXT_NAME;
    if (*in_row || r->meets_name)
        r->open = w.in.slot;
    return action != PN_NEXT_STOP && !r->meets_name;
}
