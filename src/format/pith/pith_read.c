/*
 * pith_read.c - values, arrays and objects, in one pass.
 *
 * The loop is that of the JSON reader, and so is what makes it fast: the open container
 * in local variables, its parents in their slots, keys compared with the key that stood
 * there in the last object of this shape. Bare tokens come in where a scalar or a key is
 * read, and one more place:
 *
 *     value  -- a scalar --> next
 *            -- [ { --> open
 *     open   -- --> value or key, or close when nothing is in it
 *            -- a count and { --> rows
 *     rows   -- a container in a cell --> open
 *            -- the bracket --> leave
 *     next   -- , --> value or key
 *            -- ] } --> close
 *     close  -- --> leave
 *     leave  -- --> next, one level up; rows, if that is a row; done at the outermost
 *     key    -- key and : --> value
 *
 * Duplicate keys are found when an object closes whose keys have no shape. To say where
 * both stand the reader starts again and is careful: no object has a shape then, and
 * every key remembers its place. Collecting problems is careful from the start.
 */
#include "format/pith/pith_read.h"

#include "base/lex.h"
#include "base/utf8.h"

/* ------------------------------------------------------------------ problems */

/* What is open where the text ends. */
static void pn_unclosed(pn_reader *r, uint32_t open)
{
    if (open == SLOT_NONE) {
        report_bad(r->report, "expected_value", pn_offset(r, r->end),
                   "expected a value, but there is nothing");
        return;
    }
    bool object = r->doc->slots[open].kind == PITH_OBJECT;
    pn_bad_end(r, object ? "an object" : "an array", object ? '}' : ']');
}

typedef enum pn_step_on {
    PN_STEP_STOP,
    PN_STEP_AGAIN, /* look again from the new place */
    PN_STEP_CLOSE, /* as if the right bracket stood here */
    PN_STEP_MEMBER /* as if a comma stood here */
} pn_step_on;

/* Something that begins no value stands where one must. Says where to go on, with null
 * in its place; NULL to stop. */
static const char *pn_bad_value(pn_reader *r, const char *p, bool first, bool object,
                                bool root)
{
    const char *sentence = root     ? "expected a value"
                           : object ? "expected a value after ':'"
                           : first  ? "expected a value or ']' after '['"
                                    : "expected a value after ','";
    if (!pn_structure(r, "expected_value", p, sentence)) {
        return NULL;
    }
    return *p == ',' || *p == ']' || *p == '}' ? p : p + 1;
}

/* Behind a value there is neither comma nor bracket. */
static pn_step_on pn_bad_separator(pn_reader *r, const char **at, bool object)
{
    const char *p = *at;
    if (!pn_structure(r, "expected_separator", p,
                      object ? "expected ',' or '}' after a member"
                             : "expected ',' or ']' after an element")) {
        return PN_STEP_STOP;
    }
    if (*p == ']' || *p == '}') {
        *at = p + 1;
        return PN_STEP_CLOSE;
    }
    if (*p == ';' || *p == '\\' || (unsigned char)*p < 0x20 || *p == 0x7F) {
        *at = p + 1;
    }
    return PN_STEP_MEMBER;
}

/* A key must come and does not. PN_STEP_MEMBER: a key was made up, go on at the colon. */
static pn_step_on pn_bad_key(pn_reader *r, const char **at, bool first)
{
    const char *p = *at;
    if (!pn_structure(r, "expected_key", p,
                      first ? "expected a key or '}' after '{'"
                            : "expected a key after ','")) {
        return PN_STEP_STOP;
    }
    if (*p == ']' || *p == '}') {
        *at = p + 1;
        return PN_STEP_CLOSE;
    }
    if (*p == ':') {
        return PN_STEP_MEMBER;
    }
    *at = p + 1;
    return PN_STEP_AGAIN;
}

/* ---------------------------------------------------------------------- keys */

/* An object without a shape is about to close: its keys were not compared on the way.
 * False when reading has to stop. */
static bool pn_close_loose(pn_reader *r, uint32_t count)
{
    pith_doc *doc = r->doc;
    if (!pn_check_keys(r, doc->loose + (doc->loose_count - count), count)) {
        return false;
    }
    if (!build_end_loose(doc, count)) {
        report_no_memory(r->report);
        return false;
    }
    return true;
}

/* Whether the key of a node can be written without quotes: asked for each node once. */
static bool pn_node_is_bare(pn_reader *r, uint16_t node)
{
    enum { UNKNOWN, BARE, QUOTED };
    if (node >= r->bare.count) {
        size_t more = r->doc->shapes.count - r->bare.count;
        char *room = LIST_ROOM(&r->bare, &r->doc->alloc, more);
        if (!room) {
            return false; /* then keys are read without guessing */
        }
        memset(room, UNKNOWN, more);
        r->bare.count += more;
    }
    char *known = r->bare.at + node;
    if (*known == UNKNOWN) {
        bool bare = node != SHAPE_NONE && node != SHAPE_EMPTY &&
                    pn_is_bare_key(&r->doc->shapes.nodes[node].key);
        *known = bare ? BARE : QUOTED;
    }
    return *known == BARE;
}

/* True when a bare key and a colon at `p` are the key of the node. */
static inline bool pn_matches_bare(pn_reader *r, uint16_t guess, const char *p)
{
    const shape_node *node = &r->doc->shapes.nodes[guess];
    return (size_t)(r->end - p) > (size_t)node->key.len + SHAPE_MATCH_ROOM &&
           shape_matches_before(node, p, ':') && pn_node_is_bare(r, guess);
}

/* Reads the key at `p`, whose node is probably `guess`; the slot of the value serves to
 * hold it meanwhile. What stands behind it; NULL when reading has to stop or, with
 * `*empty` set, when there is no key. */
static inline const char *pn_read_member_key(pn_reader *r, const char *p, uint16_t guess,
                                             uint16_t *shape, pith_slot *slot,
                                             bool *empty)
{
    *empty = false;
    if (*p == '"') {
        const shape_node *node = &r->doc->shapes.nodes[guess];
        if ((size_t)(r->end - p) > (size_t)node->key.len + SHAPE_MATCH_ROOM &&
            shape_matches(node, p + 1)) {
            *shape = guess;
            return p + node->key.len + 2;
        }
    } else if (pn_matches_bare(r, guess, p)) {
        *shape = guess;
        return p + r->doc->shapes.nodes[guess].key.len;
    }
    const char *rest = pn_read_key(r, p, slot, empty);
    if (!rest) {
        return NULL;
    }
    uint8_t flags = slot->flags | doc_tail_flag(r->report->input, slot->u.text);
    if (!build_step(r->doc, shape, flags, slot->u.text, slot->n)) {
        report_no_memory(r->report);
        return NULL;
    }
    return rest;
}

/* ------------------------------------------------------------------- reading */

/* The open container, as long as it is the innermost. */
typedef struct pn_inside {
    uint32_t open;  /* its slot */
    uint32_t count; /* its children so far */
    uint16_t shape; /* of an object; in an array, of what the array stands under */
    bool object;
} pn_inside;

/* Ends the open container, whose last slot is before `at`; the end of the tape, or NULL
 * when reading has to stop. */
static inline pith_slot *pn_close(pn_reader *r, pn_inside *in, pith_slot *at)
{
    pith_doc *doc = r->doc;
    if (in->object && in->count == 0) {
        in->shape = SHAPE_EMPTY;
    }
    if (in->object && in->shape == SHAPE_NONE) {
        doc->count = (size_t)(at - doc->slots);
        if (!pn_close_loose(r, in->count)) {
            return NULL;
        }
        at = doc->slots + doc->count;
    } else if (in->object && !shapes_list(&doc->shapes, in->shape)) {
        report_no_memory(r->report);
        return NULL;
    }
    pith_slot *slot = &doc->slots[in->open];
    slot->shape = in->object ? in->shape : (uint16_t)SHAPE_NONE;
    slot->n = in->count;
    slot->u.link.next = (uint32_t)(at - doc->slots);
    return at;
}

/* True when the byte cannot begin a scalar. */
static inline bool pn_begins_nothing(char byte)
{
    return byte != '"' && pn_is_mark((unsigned char)byte);
}

/* Reads one value from `p`, or, when there is a frame already, one row of it; what stands
 * behind it, or NULL when reading stopped. */
static const char *pn_read_one(pn_reader *r, const char *p)
{
    const char *const end = r->end;
    pith_doc *const doc = r->doc;
    const uint16_t empty_shape =
        r->careful ? (uint16_t)SHAPE_NONE : (uint16_t)SHAPE_EMPTY;
    pn_inside in = {SLOT_NONE, 0, SHAPE_NONE, false};
    size_t depth = 0;
    pith_slot *at = doc->slots;
    pith_slot *limit = at;       /* from here on there may be no room */
    uint16_t owner = SHAPE_NONE; /* what an object that opens stands under */
    uint16_t guess = SHAPE_NONE; /* the node that the next key probably leads to */

    /* Declared here because C++ forbids jumping over them. */
    bool no_key;
    bool resume = false;
    const char *rest;
    const pith_slot *up;

    if (r->frames.count > 0) {
        goto rows;
    }

value:
    if (at >= limit && !pn_grow(r, &at, &limit, p)) {
        return NULL;
    }
    p = pn_skip_space(p, end);
    if (p == end) {
        goto ended;
    }
    if (*p == '[' || *p == '{') {
        goto open;
    }
    if (pn_begins_nothing(*p)) {
        rest = pn_bad_value(r, p, in.count == 0, in.object, in.open == SLOT_NONE);
        slot_set(at, PITH_NULL, 0, NULL, 0);
    } else {
        rest = pn_read_scalar(r, p, at);
    }
    if (!rest) {
        return NULL;
    }
    p = rest;
    at++;
    in.count++;

next:
    if (in.open == SLOT_NONE) {
        goto done;
    }
    p = pn_skip_space(p, end);
    if (p == end) {
        goto ended;
    }
    if (*p == ',' || *p == (in.object ? '}' : ']')) {
        bool more = *p == ',';
        if (r->quiet) {
            r->quiet = p == r->quiet_from;
        }
        p++;
        if (!more) {
            goto close;
        }
    } else {
        switch (pn_bad_separator(r, &p, in.object)) {
        case PN_STEP_STOP:
            return NULL;
        case PN_STEP_CLOSE:
            goto close;
        case PN_STEP_AGAIN: /* only where a key must come */
        case PN_STEP_MEMBER:
            break;
        }
    }
    if (!in.object) {
        goto value;
    }

key:
    guess = doc->shapes.nodes[in.shape].guess;
guessed_key:
    if (at >= limit && !pn_grow(r, &at, &limit, p)) {
        return NULL;
    }
    p = pn_skip_space(p, end);
    if (p == end) {
        goto ended;
    }
    rest = pn_read_member_key(r, p, guess, &in.shape, at, &no_key);
    if (!rest && !no_key) {
        return NULL;
    }
    if (rest) {
        p = rest;
        if (in.count == 0 && in.shape != guess) {
            doc->shapes.nodes[owner].inner = in.shape;
        }
    } else {
        switch (pn_bad_key(r, &p, in.count == 0)) {
        case PN_STEP_STOP:
            return NULL;
        case PN_STEP_AGAIN:
            goto key;
        case PN_STEP_CLOSE:
            goto close;
        case PN_STEP_MEMBER:
            break;
        }
        /* A key made up: pn_equal_keys knows it. */
        if (!build_step(doc, &in.shape, 0, read_no_key, 0)) {
            report_no_memory(r->report);
            return NULL;
        }
    }
    p = pn_skip_space(p, end);
    if (p == end) {
        goto ended;
    }
    if (*p == ':') {
        p++;
    } else if (!pn_structure(r, "expected_colon", p, "expected ':' after the key")) {
        return NULL;
    }
    goto value;

open:
    if (depth >= doc->depth_max) {
        report_problem(r->report, PITH_LIMIT, "depth_limit", pn_offset(r, p),
                       "nested deeper than the limit of %zu", doc->depth_max);
        return NULL;
    }
    if (in.open != SLOT_NONE && !resume) {
        doc->slots[in.open].n = in.count + 1;
        doc->slots[in.open].shape = in.shape;
    }
    resume = false;
    owner = in.shape;
    in.object = *p == '{';
    at->kind = in.object ? PITH_OBJECT : PITH_ARRAY;
    at->flags = 0;
    at->u.link.parent = in.open;
    in.open = (uint32_t)(at - doc->slots);
    in.count = 0;
    at++;
    depth++;
    p++;
    if (pn_is_counted(p, end)) {
        p = pn_read_header(r, p, in.open, in.object, depth);
        if (!p) {
            return NULL;
        }
        goto rows;
    }
    p = pn_skip_space(p, end);
    if (p == end) {
        goto ended;
    }
    if (*p == (in.object ? '}' : ']')) {
        p++;
        goto close;
    }
    if (!in.object) {
        goto value;
    }
    in.shape = empty_shape;
    guess = empty_shape == SHAPE_NONE ? empty_shape : doc->shapes.nodes[owner].inner;
    goto guessed_key;

rows:
    r->at = p;
    r->tape = at;
    r->limit = limit;
    r->depth = depth;
    r->open = in.open;
    switch (pn_read_rows(r, resume)) {
    case PN_TURN_STOP:
        return NULL;
    case PN_TURN_VALUE:
        p = r->at;
        at = r->tape;
        limit = r->limit;
        depth = r->depth;
        in.open = r->open;
        in.shape = SHAPE_NONE;
        resume = true;
        goto open;
    case PN_TURN_CLOSED:
        break;
    }
    p = r->at;
    at = r->tape;
    limit = r->limit;
    in.open = r->open;
    goto leave;

close:
    at = pn_close(r, &in, at);
    if (!at) {
        return NULL;
    }
    if (in.object && in.shape == SHAPE_NONE) {
        limit = at; /* the tape may have moved: ask for room again */
    }
    in.open = doc->slots[in.open].u.link.parent;

leave:
    depth--;
    if (in.open == SLOT_NONE) {
        goto done;
    }
    up = &doc->slots[in.open];
    resume = (up->flags & PN_IS_ROW) != 0;
    if (resume) {
        goto rows;
    }
    in.count = up->n;
    in.shape = up->shape;
    in.object = up->kind == PITH_OBJECT;
    goto next;

ended:
    pn_unclosed(r, in.open);
    return NULL;

done:
    doc->count = (size_t)(at - doc->slots);
    return p;
}

/* ---------------------------------------------------------------- whole texts */

void pn_reader_init(pn_reader *r, pith_doc *doc, pith_text text, reporter *report)
{
    memset(r, 0, sizeof *r);
    read_init(&r->in, doc, text, report);
    r->strings.doc = doc;
    r->strings.report = report;
    r->strings.start = r->start;
    r->strings.end = r->end;
    r->strings.endless = "unterminated_quote";
}

void pn_reader_free(pn_reader *r, const pith_alloc *alloc)
{
    LIST_FREE(&r->ops, alloc);
    LIST_FREE(&r->headers, alloc);
    LIST_FREE(&r->frames, alloc);
    LIST_FREE(&r->groups, alloc);
    LIST_FREE(&r->pending, alloc);
    LIST_FREE(&r->bare, alloc);
}

/* Begins again from an empty document. */
static void pn_restart(pn_reader *r)
{
    r->restart = false;
    r->careful = true;
    r->quiet = false;
    r->ops.count = 0;
    r->headers.count = 0;
    r->frames.count = 0;
    r->doc->count = 0;
    r->doc->loose_count = 0;
}

void pn_decode(decode_job *job)
{
    pn_reader r;
    pn_reader_init(&r, job->doc, job->input, job->report);
    if (!doc_reserve_for(job->doc, job->input, ",:[{;\n")) {
        report_no_memory(job->report);
        return;
    }
    const char *p = pn_read_one(&r, r.start);
    if (r.restart) {
        pn_restart(&r);
        p = pn_read_one(&r, r.start);
    }
    if (p) {
        bool broken = false;
        pn_read_rest(&r, p, &broken);
    }
    pn_reader_free(&r, &job->doc->alloc);
    if (job->report->count > 0) {
        pith_doc_reset(job->doc);
        return;
    }
    doc_mark_tail(job->doc, job->input, r.constants);
    job->doc->finished = true;
}

const char *pn_read_row(pn_reader *r, const char *p)
{
    return pn_read_one(r, p);
}
