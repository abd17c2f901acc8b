/*
 * pith_rows.c - the rows of tables and maps, cell by cell.
 *
 *     row    [ key : ] cell , cell , ... cell        what the ops of the header say
 *     behind a row    ; or line breaks, then the next row; or the bracket
 *
 * A cell that holds an array or object ends the turn of this loop: the container is the
 * other one's, and this one resumes where the frame says. Rows in a cell are read here,
 * in a frame on top of the table's.
 *
 * While problems are being collected a row that has one is given up: its slots are taken
 * back, and reading goes on behind the next separator.
 */
#include "format/pith/pith_read.h"

#include <assert.h>

/* The object that members are added to: a row, or a group of one. */
typedef struct pn_object {
    uint32_t slot;
    uint32_t count; /* valid only while the row is not full */
    uint16_t shape; /* likewise */
} pn_object;

/* The loop's own view of the reader. */
typedef struct pn_rower {
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
    bool comma; /* a cell is due: the row has begun, or a comma stands before it */
} pn_rower;

typedef enum pn_cue {
    PN_CUE_STOP,
    PN_CUE_ON,     /* with the next op */
    PN_CUE_BEHIND, /* a cell has been read */
    PN_CUE_VALUE,  /* a container begins */
    PN_CUE_ROW,    /* a row begins */
    PN_CUE_SKIP,   /* the row is given up */
    PN_CUE_ENDED,  /* the row has ended */
    PN_CUE_CLOSE,  /* the bracket */
    PN_CUE_DONE    /* the table, or the one row that was asked for */
} pn_cue;

bool pn_grow(pn_reader *r, pith_slot **tape, pith_slot **limit, const char *p)
{
    static const size_t tick = 1 << 20; /* slots between two calls for progress */
    pith_doc *doc = r->doc;
    doc->count = (size_t)(*tape - doc->slots);
    if (doc->progress && !doc->progress(doc->progress_ctx, pn_offset(r, p))) {
        report_problem(r->report, PITH_BAD_USE, "cancelled", pn_offset(r, p),
                       "cancelled");
        return false;
    }
    size_t room = doc->cap - doc->count;
    if (room < PN_ROOM && !doc_reserve(doc, PN_ROOM)) {
        report_no_memory(r->report);
        return false;
    }
    room = doc->cap - doc->count - PN_ROOM;
    *tape = doc->slots + doc->count;
    *limit = *tape + (room < tick ? room : tick);
    return true;
}

static inline bool pn_make_slots(pn_rower *w)
{
    return w->at < w->limit || pn_grow(w->r, &w->at, &w->limit, w->p);
}

static inline char pn_bracket(const pn_frame *frame)
{
    return frame->map ? '}' : ']';
}

/* True when a cell at `p` is absent: a separator or bracket stands there. */
static inline bool pn_is_absent(const pn_rower *w, const char *p)
{
    return p < w->end && (*p == ',' || *p == ';' || *p == '\n' || *p == '\r' ||
                          *p == pn_bracket(w->frame));
}

/* ------------------------------------------------------------------------ problems */

static void pn_rows_unclosed(pn_rower *w)
{
    pn_bad_end(w->r, w->frame->map ? "a map" : "a table", pn_bracket(w->frame));
}

static bool pn_bad_width(pn_rower *w, const char *sentence)
{
    pn_reader *r = w->r;
    if (r->quiet) {
        return true;
    }
    return report_bad(r->report, "row_width_mismatch", pn_offset(r, w->p),
                      "expected %u cells in a row, %s", (unsigned)w->header->width,
                      sentence);
}

static size_t pn_header_line(pn_reader *r, const pn_header *header)
{
    return header->line ? header->line : report_place(r->report, header->offset).line;
}

static bool pn_bad_count(pn_reader *r, const pn_header *header, const char *p)
{
    return report_bad(r->report, "count_mismatch", pn_offset(r, p),
                      "%llu rows declared in line %zu, found %s%llu",
                      (unsigned long long)header->declared, pn_header_line(r, header),
                      header->rows > header->declared ? "at least " : "",
                      (unsigned long long)header->rows);
}

/* Behind a row that has been given up: its end, with brackets and quotes in pairs. */
static const char *pn_skip_row(const pn_rower *w)
{
    size_t depth = 0;
    const char *p = w->p;
    for (; p < w->end; p++) {
        if (*p == '"') {
            const char *close = scan_stop(p + 1, w->end);
            while (close < w->end && *close == '\\' && w->end - close > 1) {
                close = scan_stop(close + 2, w->end);
            }
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
static inline bool pn_step_key(pn_rower *w, pn_op *op)
{
    w->in.count++;
    if (w->in.shape != SHAPE_NONE && op->from == w->in.shape) {
        w->in.shape = op->to;
        return true;
    }
    uint16_t from = w->in.shape;
    if (!build_step(w->doc, &w->in.shape, op->key.flags, op->key.text, op->key.len)) {
        report_no_memory(w->r->report);
        return false;
    }
    if (w->in.shape != SHAPE_NONE) {
        op->from = from;
        op->to = w->in.shape;
    }
    return true;
}

/* Opens an object in the one that is open, and goes into it. */
static inline void pn_open_object(pn_rower *w, uint32_t parent)
{
    pith_slot *slot = w->at++;
    slot->kind = PITH_OBJECT;
    slot->flags = 0;
    slot->shape = SHAPE_NONE;
    slot->n = 0;
    slot->u.link.next = SLOT_NONE;
    slot->u.link.parent = parent;
    w->in.slot = (uint32_t)(slot - w->doc->slots);
    w->in.count = 0;
    w->in.shape = SHAPE_EMPTY;
}

/* Puts away what is known of the object that is open. */
static inline void pn_save_object(pn_rower *w, const pn_op *op)
{
    pith_slot *slot = &w->doc->slots[w->in.slot];
    slot->n = w->full ? op->index + 1 : w->in.count;
    slot->shape = w->full ? op->after : w->in.shape;
}

/* Takes up an object again. */
static inline void pn_load_object(pn_rower *w, uint32_t at)
{
    const pith_slot *slot = &w->doc->slots[at];
    w->in.slot = at;
    w->in.count = slot->n;
    w->in.shape = slot->shape;
}

/* From here on something of the row is absent; `op` is the first that is not settled. */
static void pn_lose_fullness(pn_rower *w, const pn_op *op)
{
    w->full = false;
    w->in.count = op->index;
    w->in.shape = op->before;
}

/* Opens the groups that have been waiting for a member. */
static bool pn_open_pending(pn_rower *w)
{
    for (size_t i = 0; i < w->r->pending.count; i++) {
        pn_op *group = pn_op_at(w->r, w->r->pending.at[i]);
        if (!pn_make_slots(w) || !pn_step_key(w, group)) {
            return false;
        }
        pn_save_object(w, group);
        pn_open_object(w, w->in.slot);
    }
    w->r->pending.count = 0;
    return true;
}

/* Before a member that is there. */
static inline bool pn_add_member(pn_rower *w, pn_op *op)
{
    if (w->full) {
        return true;
    }
    if (w->r->pending.count > 0 && !pn_open_pending(w)) {
        return false;
    }
    return pn_step_key(w, op);
}

/* Ends the object that is open; `full` is the shape it has if nothing is absent. */
static inline bool pn_close_object(pn_rower *w, uint16_t full, uint32_t count)
{
    pith_doc *doc = w->doc;
    if (!w->full) {
        full = w->in.shape;
        count = w->in.count;
        if (full == SHAPE_NONE) {
            doc->count = (size_t)(w->at - doc->slots);
            if (!build_end_loose(doc, count)) {
                report_no_memory(w->r->report);
                return false;
            }
            w->at = doc->slots + doc->count;
            w->limit = w->at; /* the tape may have moved: ask for room again */
        } else if (!shapes_list(&doc->shapes, full)) {
            report_no_memory(w->r->report);
            return false;
        }
    }
    pith_slot *slot = &doc->slots[w->in.slot];
    slot->shape = full;
    slot->n = count;
    slot->u.link.next = (uint32_t)(w->at - doc->slots);
    return true;
}

/* ------------------------------------------------------------------------ the ops */

static pn_cue pn_do_group(pn_rower *w, pn_op *op)
{
    pn_reader *r = w->r;
    if (w->full && w->comma && pn_is_absent(w, pn_skip_blank(w->p, w->end))) {
        pn_lose_fullness(w, op);
    }
    w->op = op + 1;
    if (!w->full && !op->sure) {
        uint32_t *room = LIST_ADD(&r->pending, &r->doc->alloc);
        if (!room) {
            report_no_memory(r->report);
            return PN_CUE_STOP;
        }
        *room = (uint32_t)(op - r->ops.at);
        return PN_CUE_ON;
    }
    if (!pn_make_slots(w) || !pn_add_member(w, op)) {
        return PN_CUE_STOP;
    }
    pn_save_object(w, op);
    pn_open_object(w, w->in.slot);
    return PN_CUE_ON;
}

static pn_cue pn_do_end(pn_rower *w, const pn_op *op)
{
    w->op = w->op + 1;
    if (w->r->pending.count > 0) {
        w->r->pending.count--;
        return PN_CUE_ON;
    }
    if (!pn_close_object(w, op->shape, op->count)) {
        return PN_CUE_STOP;
    }
    pn_load_object(w, w->doc->slots[w->in.slot].u.link.parent);
    return PN_CUE_ON;
}

static pn_cue pn_do_constant(pn_rower *w, pn_op *op)
{
    if (!pn_make_slots(w) || !pn_add_member(w, op)) {
        return PN_CUE_STOP;
    }
    *w->at = op->constant;
    if (slot_is_container(w->at)) {
        w->at->shape = op->constant.kind == PITH_OBJECT ? (uint16_t)SHAPE_EMPTY
                                                        : (uint16_t)SHAPE_NONE;
        w->at->u.link.parent = w->in.slot;
        w->at->u.link.next = (uint32_t)(w->at + 1 - w->doc->slots);
        if (!shapes_list(&w->doc->shapes, SHAPE_EMPTY)) {
            report_no_memory(w->r->report);
            return PN_CUE_STOP;
        }
    }
    w->at++;
    w->op = op + 1;
    return PN_CUE_ON;
}

/* A cell that is not there. */
static pn_cue pn_do_absent(pn_rower *w, const pn_op *op)
{
    if (w->header->width == 1 && !w->frame->map) {
        return pn_bad_width(w, "found a blank row") ? PN_CUE_SKIP : PN_CUE_STOP;
    }
    if (w->full) {
        pn_lose_fullness(w, op);
    }
    return PN_CUE_BEHIND;
}

/* The text ends, or a cell is due and there is none: the row is too short. */
static pn_cue pn_do_missing(pn_rower *w)
{
    if (w->p == w->end) {
        pn_rows_unclosed(w);
        return PN_CUE_STOP;
    }
    if (!pn_is_absent(w, w->p)) {
        bool go_on = pn_structure(w->r, "expected_separator", w->p,
                                  "expected ',' or the end of the row after a cell");
        return go_on ? PN_CUE_SKIP : PN_CUE_STOP;
    }
    return pn_bad_width(w, "found fewer") ? PN_CUE_SKIP : PN_CUE_STOP;
}

static inline pn_cue pn_do_leaf(pn_rower *w, pn_op *op)
{
    const char *p = w->p;
    if (*p == ' ' || *p == '\t') {
        p = w->p = pn_skip_blank(p, w->end);
        if (p == w->end) {
            return pn_do_missing(w);
        }
    }
    w->op = op + 1;
    if (pn_is_absent(w, p)) {
        return pn_do_absent(w, op);
    }
    if (!pn_make_slots(w) || !pn_add_member(w, op)) {
        return PN_CUE_STOP;
    }
    if (*p == '[' || *p == '{') {
        pn_save_object(w, op);
        w->doc->slots[w->in.slot].flags = PN_IS_ROW;
        w->frame->op = (uint32_t)(w->op - w->r->ops.at);
        w->frame->full = w->full;
        w->r->depth = w->frame->depth + op->depth;
        return PN_CUE_VALUE;
    }
    if (pn_is_mark((unsigned char)*p) && *p != '"') {
        return pn_structure(w->r, "expected_value", p, "expected a cell") ? PN_CUE_SKIP
                                                                          : PN_CUE_STOP;
    }
    p = pn_read_scalar(w->r, p, w->at);
    if (!p) {
        return PN_CUE_STOP;
    }
    w->p = p;
    w->at++;
    return PN_CUE_BEHIND;
}

/* Scalar cells, as many as come one after the other, while nothing is absent. Whatever
 * else comes is left to pn_do_op. */
static inline pn_cue pn_do_leaves(pn_rower *w, pn_op *op)
{
    const char *p = w->p;
    const char *const end = w->end;
    pith_slot *at = w->at;
    pith_slot *const limit = w->limit;
    pn_cue cue = PN_CUE_ON;
    while (op->kind == PN_OP_LEAF && at < limit && p < end && *p != ' ' &&
           (!pn_is_mark((unsigned char)*p) || *p == '"')) {
        const char *rest = pn_read_scalar(w->r, p, at);
        if (!rest) {
            return PN_CUE_STOP;
        }
        p = rest;
        at++;
        op++;
        if (p == end || *p != ',') {
            cue = PN_CUE_BEHIND;
            break;
        }
        p++;
    }
    w->p = p;
    w->at = at;
    w->op = op;
    return cue;
}

/* Rows in a cell: a frame of their own. */
static pn_cue pn_do_table(pn_rower *w, pn_op *op)
{
    pn_reader *r = w->r;
    w->p = pn_skip_blank(w->p, w->end);
    if (w->p == w->end) {
        return pn_do_missing(w);
    }
    w->op = pn_op_at(r, op->next);
    if (pn_is_absent(w, w->p)) {
        return pn_do_absent(w, op);
    }
    if (*w->p != '[') {
        return pn_structure(r, "expected_table", w->p,
                            "expected '[' and rows in a cell of a table column")
                   ? PN_CUE_SKIP
                   : PN_CUE_STOP;
    }
    pn_frame *frame = LIST_ROOM(&r->frames, &r->doc->alloc, 1);
    if (!frame) {
        report_no_memory(r->report);
        return PN_CUE_STOP;
    }
    if (!pn_make_slots(w) || !pn_add_member(w, op)) {
        return PN_CUE_STOP;
    }
    pn_save_object(w, op);
    w->frame = frame - 1;
    w->frame->op = op->next;
    w->frame->full = w->full;
    memset(frame, 0, sizeof *frame);
    frame->header = op->header;
    frame->cell = true;
    frame->depth = w->frame->depth;
    pith_slot *slot = w->at++;
    slot->kind = PITH_ARRAY;
    slot->flags = 0;
    slot->shape = SHAPE_NONE;
    slot->u.link.parent = w->in.slot;
    frame->slot = (uint32_t)(slot - w->doc->slots);
    r->frames.count++;
    w->frame = frame;
    w->header = pn_header_at(r, op->header);
    w->p = pn_skip_space(w->p + 1, w->end);
    if (w->p == w->end) {
        pn_rows_unclosed(w);
        return PN_CUE_STOP;
    }
    return *w->p == ']' ? PN_CUE_CLOSE : PN_CUE_ROW;
}

/* ---------------------------------------------------------------------------- rows */

/* One more row: too many of them are noticed at once. */
static bool pn_count_row(pn_rower *w)
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
static pn_cue pn_read_row_key(pn_rower *w)
{
    pn_reader *r = w->r;
    bool empty;
    pith_slot slot;
    if (*w->p == ';' || *w->p == '}') {
        return pn_bad_width(w, "found a blank row") ? PN_CUE_SKIP : PN_CUE_STOP;
    }
    const char *rest = pn_read_key(r, w->p, &slot, &empty);
    if (!rest) {
        bool go_on = empty && pn_structure(r, "expected_key", w->p,
                                           "expected a key at the start of the row");
        return go_on ? PN_CUE_SKIP : PN_CUE_STOP;
    }
    uint8_t flags = slot.flags | doc_tail_flag(r->report->input, slot.u.text);
    if (!build_step(w->doc, &w->frame->shape, flags, slot.u.text, slot.n)) {
        report_no_memory(r->report);
        return PN_CUE_STOP;
    }
    w->frame->keys++;
    w->frame->loose = w->doc->loose_count;
    w->p = pn_skip_blank(rest, w->end);
    if (w->p == w->end) {
        pn_rows_unclosed(w);
        return PN_CUE_STOP;
    }
    if (*w->p != ':') {
        return pn_structure(r, "expected_colon", w->p,
                            "expected ':' after the key of a row")
                   ? PN_CUE_SKIP
                   : PN_CUE_STOP;
    }
    w->p++;
    return PN_CUE_ON;
}

static pn_cue pn_begin_row(pn_rower *w)
{
    pn_frame *frame = w->frame;
    pn_cue cue = PN_CUE_ON;
    if (!pn_make_slots(w) || !pn_count_row(w)) {
        return PN_CUE_STOP;
    }
    frame->loose = w->doc->loose_count;
    frame->row = (uint32_t)(w->at - w->doc->slots);
    w->r->pending.count = 0;
    w->r->quiet = false;
    if (frame->map) {
        cue = pn_read_row_key(w);
    }
    pn_open_object(w, frame->slot);
    w->full = w->header->shaped;
    w->op = pn_op_at(w->r, w->header->first);
    w->comma = true;
    if (w->p == w->end) {
        pn_rows_unclosed(w);
        return PN_CUE_STOP;
    }
    return cue;
}

/* Behind a row, at its separator: what comes next. */
static pn_cue pn_behind_row(pn_rower *w)
{
    const char *p = w->p;
    if (p < w->end && *p == ';') {
        w->p = pn_skip_space(p + 1, w->end);
        if (w->p == w->end) {
            pn_rows_unclosed(w);
            return PN_CUE_STOP;
        }
        return PN_CUE_ROW;
    }
    w->p = pn_skip_space(p, w->end);
    if (w->p == w->end) {
        pn_rows_unclosed(w);
        return PN_CUE_STOP;
    }
    if (*w->p == pn_bracket(w->frame)) {
        return PN_CUE_CLOSE;
    }
    if (w->p > p) {
        return PN_CUE_ROW;
    }
    bool go_on = pn_structure(w->r, "expected_separator", p,
                              "expected ',' or the end of the row after a cell");
    if (!go_on || *p == ']' || *p == '}') {
        /* A bracket of the wrong kind leaves nothing to hold on to. */
        return PN_CUE_STOP;
    }
    return PN_CUE_SKIP;
}

static pn_cue pn_end_row_at(pn_rower *w)
{
    if (w->comma) {
        return pn_bad_width(w, "found more") ? PN_CUE_SKIP : PN_CUE_STOP;
    }
    if (!pn_close_object(w, w->header->shape, w->header->count)) {
        return PN_CUE_STOP;
    }
    if (w->frame->slot == SLOT_NONE) {
        w->r->open = SLOT_NONE;
        return PN_CUE_DONE;
    }
    return PN_CUE_ENDED;
}

/* Gives up a row in which there is a problem. There is a table around it: rows that are
 * read one by one end with the first problem. */
static pn_cue pn_give_up_row(pn_rower *w)
{
    assert(w->frame->slot != SLOT_NONE);
    w->p = pn_skip_row(w);
    w->at = w->doc->slots + w->frame->row; /* where it began, and so there is room */
    w->doc->loose_count = w->frame->loose;
    pn_open_object(w, w->frame->slot);
    w->full = false;
    if (!pn_close_object(w, SHAPE_EMPTY, 0)) {
        return PN_CUE_STOP;
    }
    return PN_CUE_ENDED;
}

/* --------------------------------------------------------------------------- tables */

bool pn_check_table(pn_reader *r, const char *p)
{
    for (size_t i = pn_frame_top(r)->header_mark; i < r->headers.count; i++) {
        const pn_header *header = pn_header_at(r, (uint32_t)i);
        bool differs =
            !header->open && !header->reported && header->rows != header->declared;
        if (differs && !pn_bad_count(r, header, p)) {
            return false;
        }
    }
    return true;
}

bool pn_check_total(pn_reader *r, const pn_header *header, const char **at)
{
    const char *p = *at;
    const char *end = scan_digits(p, r->end);
    uint64_t total;
    if (!header->open || end == p) {
        return true;
    }
    *at = end;
    if (!pn_read_count(r, p, end, &total)) {
        return false;
    }
    if (total != header->rows) {
        return report_bad(r->report, "count_mismatch", pn_offset(r, p),
                          "%llu rows in the total, found %llu", (unsigned long long)total,
                          (unsigned long long)header->rows);
    }
    return true;
}

/* The keys of a map have not been compared if it is loose. */
static bool pn_close_map(pn_rower *w)
{
    pith_doc *doc = w->doc;
    uint32_t count = w->frame->keys;
    if (count > 0 && w->frame->shape == SHAPE_NONE) {
        doc->count = (size_t)(w->at - doc->slots);
        if (!pn_check_keys(w->r, doc->loose + (doc->loose_count - count), count)) {
            return false;
        }
        if (!build_end_loose(doc, count)) {
            report_no_memory(w->r->report);
            return false;
        }
        w->at = doc->slots + doc->count;
        w->limit = w->at;
        return true;
    }
    if (count == 0) {
        w->frame->shape = SHAPE_EMPTY;
    }
    if (!shapes_list(&doc->shapes, w->frame->shape)) {
        report_no_memory(w->r->report);
        return false;
    }
    return true;
}

/* At the bracket of a table, a map or a cell. */
static pn_cue pn_close_frame(pn_rower *w)
{
    pn_reader *r = w->r;
    pn_frame *frame = w->frame;
    const char *bracket = w->p++;
    r->quiet = false;
    if (!frame->cell && (!pn_check_table(r, bracket) ||
                         !pn_check_total(r, pn_header_at(r, frame->header), &w->p))) {
        return PN_CUE_STOP;
    }
    if (frame->map && !pn_close_map(w)) {
        return PN_CUE_STOP;
    }
    pith_slot *slot = &w->doc->slots[frame->slot];
    slot->n = frame->rows;
    slot->shape = frame->map ? frame->shape : (uint16_t)SHAPE_NONE;
    slot->u.link.next = (uint32_t)(w->at - w->doc->slots);
    bool cell = frame->cell;
    uint32_t parent = slot->u.link.parent;
    r->open = parent;
    pn_drop_frame(r);
    if (!cell) {
        return PN_CUE_DONE;
    }
    w->frame = pn_frame_top(r);
    w->header = pn_header_at(r, w->frame->header);
    w->op = pn_op_at(r, w->frame->op);
    w->full = w->frame->full;
    pn_load_object(w, parent);
    return PN_CUE_BEHIND;
}

/* ------------------------------------------------------------------------- the loop */

static inline pn_cue pn_do_op(pn_rower *w)
{
    pn_op *op = w->op;
    if (w->full && w->comma && op->kind == PN_OP_LEAF) {
        pn_cue cue = pn_do_leaves(w, op);
        if (cue != PN_CUE_ON || w->op != op) {
            return cue;
        }
    }
    if (op->kind == PN_OP_LEAF || op->kind == PN_OP_TABLE) {
        if (!w->comma || w->p == w->end) {
            return pn_do_missing(w);
        }
        return op->kind == PN_OP_LEAF ? pn_do_leaf(w, op) : pn_do_table(w, op);
    }
    switch (op->kind) {
    case PN_OP_CONSTANT:
        return pn_do_constant(w, op);
    case PN_OP_GROUP:
        return pn_do_group(w, op);
    case PN_OP_END:
        return pn_do_end(w, op);
    default:
        return pn_end_row_at(w);
    }
}

/* Behind a cell: is there another? */
static inline pn_cue pn_behind_cell(pn_rower *w)
{
    if (w->p < w->end && (*w->p == ' ' || *w->p == '\t')) {
        w->p = pn_skip_blank(w->p, w->end);
    }
    w->comma = w->p < w->end && *w->p == ',';
    w->p += w->comma;
    return PN_CUE_ON;
}

static pn_turn pn_run(pn_rower *w, pn_cue cue)
{
    for (;;) {
        switch (cue) {
        case PN_CUE_ON:
            cue = pn_do_op(w);
            break;
        case PN_CUE_BEHIND:
            cue = pn_behind_cell(w);
            break;
        case PN_CUE_ROW:
            cue = pn_begin_row(w);
            break;
        case PN_CUE_ENDED:
            cue = pn_behind_row(w);
            break;
        case PN_CUE_SKIP:
            cue = pn_give_up_row(w);
            break;
        case PN_CUE_CLOSE:
            cue = pn_close_frame(w);
            break;
        case PN_CUE_STOP:
            return PN_TURN_STOP;
        case PN_CUE_VALUE:
            return PN_TURN_VALUE;
        case PN_CUE_DONE:
            return PN_TURN_CLOSED;
        }
    }
}

/* Behind a header: rows, or the bracket. */
static pn_cue pn_behind_header(pn_rower *w)
{
    const char *p = w->p;
    w->p = pn_skip_blank(p, w->end);
    if (w->p == w->end) {
        pn_rows_unclosed(w);
        return PN_CUE_STOP;
    }
    if (*w->p == ';' || *w->p == '\n' || *w->p == '\r' || *w->p == pn_bracket(w->frame)) {
        return PN_CUE_ENDED;
    }
    pn_structure(w->r, "expected_rows", w->p,
                 "expected ';', a line break or the bracket after the header");
    return PN_CUE_STOP;
}

pn_turn pn_read_rows(pn_reader *r, bool resume)
{
    pn_rower w;
    pn_cue cue;
    memset(&w, 0, sizeof w);
    w.r = r;
    w.doc = r->doc;
    w.p = r->at;
    w.end = r->end;
    w.at = r->tape;
    w.limit = r->limit;
    w.frame = pn_frame_top(r);
    w.header = pn_header_at(r, w.frame->header);
    if (resume) {
        w.op = pn_op_at(r, w.frame->op);
        w.full = w.frame->full;
        w.doc->slots[r->open].flags = 0;
        pn_load_object(&w, r->open);
        cue = PN_CUE_BEHIND;
    } else {
        cue = w.frame->slot == SLOT_NONE ? PN_CUE_ROW : pn_behind_header(&w);
    }
    pn_turn turn = pn_run(&w, cue);
    r->at = w.p;
    r->tape = w.at;
    r->limit = w.limit;
    if (turn == PN_TURN_VALUE) {
        r->open = w.in.slot;
    }
    return turn;
}
