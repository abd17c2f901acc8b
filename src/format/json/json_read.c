/*
 * json_read.c - RFC 8259 to the letter, in one pass.
 *
 * The reader is a few places that jump to each other:
 *
 *     value  -- a scalar --> next
 *            -- [ { --> open
 *     open   -- --> value or key, or close when nothing is in it
 *     next   -- , --> value or key
 *            -- ] } --> close
 *     close  -- --> next, one level up; done at the outermost
 *     key    -- string and : --> value
 *
 * Everything they touch stays in local variables: the input, the end of the tape,
 * and of the open container its number, its count of children and its shape. When a
 * container opens, those of its parent are put away in the parent's slot; when it
 * closes, they come back from there. So there is no stack, and depth costs nothing.
 *
 * Speed comes from not looking at bytes: keys are compared with the key that stood
 * there in the last object of this shape (shape.h) and leave no trace on the tape,
 * plain strings are scanned 16 bytes at a time, numbers stay text.
 *
 * Duplicate keys are found when an object without a shape closes; a duplicate makes
 * it one. To say where both stand, the reader starts again and is careful: no object
 * has a shape then, and every key remembers its place. Collecting problems is careful
 * from the start.
 *
 * Problems. Normally the first one ends the reading. When problems are being
 * collected, the functions named json_bad_* say how to go on, and the values that
 * are made up on the way do not matter, because nobody gets to see the document.
 * `quiet` is set by a structural problem and stays until the next regular comma or
 * bracket behind it, so that one mistake is not reported twice.
 */
#include "base/lex.h"
#include "base/utf8.h"
#include "doc/read.h"
#include "format/json/json_string.h"

static const size_t json_tick = 1 << 20; /* slots between two calls for progress */
static const size_t json_room =
    4; /* slots that may be used between two checks for room */

typedef struct json_reader {
    TEXT_READER;
    json_strings strings;
    bool quiet;             /* a structural problem is being recovered from */
    const char *quiet_from; /* where that was */
} json_reader;

static size_t json_at(const json_reader *r, const char *p)
{
    return (size_t)(p - r->start);
}

static inline const char *json_skip_space(const char *p, const char *end)
{
    if (p < end && (unsigned char)*p > ' ') {
        return p;
    }
    return scan_spaces(p, end);
}

/* ------------------------------------------------------------------ problems */

/* A problem of structure; silent while an earlier one is being recovered from. */
static bool json_structure(json_reader *r, const char *code, const char *p,
                           const char *sentence)
{
    if (r->quiet) {
        return true;
    }
    r->quiet = true;
    r->quiet_from = p;
    if (utf8_decode(p, (size_t)(r->end - p), NULL) == 0) {
        return report_bad(r->report, "invalid_utf8", json_at(r, p),
                          "byte 0x%02X is not well-formed UTF-8 here", (unsigned char)*p);
    }
    return report_bad(r->report, code, json_at(r, p), "%s", sentence);
}

static bool json_is_delimiter(char c)
{
    return scan_is_space((unsigned char)c) ||
           (c != '\0' && strchr(",:[]{}\"", c) != NULL);
}

static const char *json_skip_token(const json_reader *r, const char *p)
{
    while (p < r->end && !json_is_delimiter(*p)) {
        p++;
    }
    return p;
}

static bool json_is_word_byte(unsigned char c)
{
    return scan_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '+' || c == '-' || c == '.' || c == '_';
}

/* The text ended too early. */
static void json_bad_end(json_reader *r, uint32_t open)
{
    if (open == SLOT_NONE) {
        report_bad(r->report, "empty_input", json_at(r, r->end),
                   "expected a value, but there is nothing");
        return;
    }
    bool object = r->doc->slots[open].kind == PITH_OBJECT;
    report_bad(r->report, "unclosed", json_at(r, r->end),
               "the text ends inside %s; '%c' is missing",
               object ? "an object" : "an array", object ? '}' : ']');
}

static bool json_bad_token(json_reader *r, const char *p)
{
    unsigned char c = (unsigned char)*p;
    const char *token_end = json_skip_token(r, p);
    error_excerpt token = error_quote(p, (size_t)(token_end - p));
    if ((size_t)(token_end - p) > SLOT_TEXT_MOST &&
        lex_read_number(p, r->end).end == token_end) {
        return report_problem(r->report, PITH_LIMIT, "too_large", json_at(r, p),
                              "a number of 4 GiB or more");
    }
    if (scan_is_digit(c) || c == '-' || c == '+' || c == '.') {
        return report_bad(r->report, "invalid_number", json_at(r, p),
                          "'%s' is not a number", token.text);
    }
    if (json_is_word_byte(c)) {
        return report_bad(r->report, "invalid_literal", json_at(r, p),
                          "'%s' is not true, false or null; is it text without quotes?",
                          token.text);
    }
    return json_structure(r, "expected_value", p, "expected a value");
}

/* Something that is no value stands where one must. Says where to go on, with null in
 * its place; NULL to stop. */
static const char *json_bad_value(json_reader *r, const char *p, bool first, bool object)
{
    bool delimiter = json_is_delimiter(*p);
    if (delimiter) {
        const char *sentence = object  ? "expected a value after ':'"
                               : first ? "expected a value or ']' after '['"
                                       : "expected a value after ','";
        if (!json_structure(r, "expected_value", p, sentence)) {
            return NULL;
        }
        return *p == ':' ? p + 1 : p;
    }
    return json_bad_token(r, p) ? json_skip_token(r, p) : NULL;
}

/* True when what stands at `p` belongs to the number or word before it: 1.5.0, nullx. */
static bool json_goes_on(const pith_slot *last, const char *p)
{
    return last->kind < PITH_STRING && last->n > 0 && last->u.text + last->n == p &&
           json_is_word_byte((unsigned char)*p);
}

typedef enum json_step {
    JSON_STOP,
    JSON_AGAIN, /* look again from the new place */
    JSON_CLOSE, /* as if the right bracket stood here */
    JSON_MEMBER /* as if a comma stood here */
} json_step;

/* Behind a value there is neither comma nor bracket. */
static json_step json_bad_separator(json_reader *r, const char **at,
                                    const pith_slot *last, bool object)
{
    const char *p = *at;
    if (json_goes_on(last, p)) {
        *at = json_skip_token(r, p);
        return json_bad_token(r, last->u.text) ? JSON_AGAIN : JSON_STOP;
    }
    if (!json_structure(r, "expected_separator", p,
                        object ? "expected ',' or '}' after a member"
                               : "expected ',' or ']' after an element")) {
        return JSON_STOP;
    }
    if (*p == ']' || *p == '}') {
        *at = p + 1;
        return JSON_CLOSE;
    }
    if (*p == ':') {
        *at = p + 1;
        return JSON_MEMBER;
    }
    if (json_is_delimiter(*p) || json_is_word_byte((unsigned char)*p)) {
        return JSON_MEMBER;
    }
    *at = json_skip_token(r, p);
    return JSON_AGAIN;
}

/* A key must come and does not. JSON_MEMBER: a key was made up, go on at the colon. */
static json_step json_bad_key(json_reader *r, const char **at, bool first)
{
    const char *p = *at;
    if (!json_structure(r, "expected_key", p,
                        first ? "expected a key in quotes or '}' after '{'"
                              : "expected a key in quotes after ','")) {
        return JSON_STOP;
    }
    if (*p == ']' || *p == '}') {
        *at = p + 1;
        return JSON_CLOSE;
    }
    if (*p == ',') {
        *at = p + 1;
        return JSON_AGAIN;
    }
    *at = json_skip_token(r, p);
    return JSON_MEMBER;
}

/* ---------------------------------------------------------------------- keys */

/* An object without a shape is about to close: its keys were not compared on the way.
 * False when reading has to stop. */
static bool json_close_loose(json_reader *r, uint32_t object, uint32_t count)
{
    pith_doc *doc = r->doc;
    pith_key *keys = doc->loose + (doc->loose_count - count);
    if (r->last_wins && !doc_mark_duplicates(doc, object, keys, count)) {
        return read_failed(&r->in);
    }
    if (!r->last_wins && !read_check_keys(&r->in, keys, count, r->careful,
                                          "duplicate_key", "duplicate key")) {
        return false;
    }
    return build_end_loose(doc, count) || read_failed(&r->in);
}

/* A key that is not the one that was guessed: its text is in `slot`. */
static bool json_new_key(json_reader *r, uint16_t *shape, const pith_slot *slot)
{
    pith_text text = slot_text(slot);
    uint8_t flags = slot->flags | doc_tail_flag(r->report->input, text.ptr);
    if (!build_step(r->doc, shape, flags, text.ptr, text.len)) {
        report_no_memory(r->report);
        return false;
    }
    return true;
}

/* --------------------------------------------------------------------- tape */

/* Room for more slots; the end of the tape, with where to ask again in `*limit`, or
 * NULL. */
static pith_slot *json_grow(json_reader *r, pith_slot *at, pith_slot **limit,
                            const char *p)
{
    pith_doc *doc = r->doc;
    doc->count = (size_t)(at - doc->slots);
    if (doc->progress && !doc->progress(doc->progress_ctx, json_at(r, p))) {
        report_problem(r->report, PITH_BAD_USE, "cancelled", json_at(r, p), "cancelled");
        return NULL;
    }
    size_t room = doc->cap - doc->count;
    if (room < json_room && !doc_reserve(doc, json_room)) {
        report_no_memory(r->report);
        return NULL;
    }
    room = doc->cap - doc->count - json_room;
    *limit = doc->slots + doc->count + (room < json_tick ? room : json_tick);
    return doc->slots + doc->count;
}

/* A string that is all plain ASCII; NULL when it is not, with nothing done. */
static inline const char *json_plain_string(const char *p, const char *end,
                                            pith_slot *slot)
{
    const char *stop = scan_special(p + 1, end);
    size_t len = (size_t)(stop - (p + 1));
    if (stop == end || *stop != '"' || len > SLOT_TEXT_MOST) {
        return NULL;
    }
    slot_set(slot, PITH_STRING, 0, p + 1, len);
    return stop + 1;
}

/* ------------------------------------------------------------------- reading */

static inline bool json_is_word(const char *p, const char *end, const char *word,
                                size_t len)
{
    return (size_t)(end - p) >= len && memcmp(p, word, len) == 0;
}

static inline const char *json_read_text(json_reader *r, const char *p, pith_slot *slot)
{
    const char *rest = json_plain_string(p, r->end, slot);
    return rest ? rest : json_read_string(&r->strings, p, slot);
}

/* Reads the scalar at `p` into a slot; what stands behind it, or NULL when there is
 * none, or when it is a string and reading has to stop. */
static inline const char *json_read_scalar(json_reader *r, const char *p, pith_slot *slot)
{
    const char *const end = r->end;
    switch (*p) {
    case '"':
        return json_read_text(r, p, slot);
    case 't':
        slot_set(slot, PITH_TRUE, 0, p, 4);
        return json_is_word(p, end, "true", 4) ? p + 4 : NULL;
    case 'f':
        slot_set(slot, PITH_FALSE, 0, p, 5);
        return json_is_word(p, end, "false", 5) ? p + 5 : NULL;
    case 'n':
        slot_set(slot, PITH_NULL, 0, p, 4);
        return json_is_word(p, end, "null", 4) ? p + 4 : NULL;
    default: {
        lex_number number = lex_read_number(p, end);
        if (!number.end || (size_t)(number.end - p) > SLOT_TEXT_MOST) {
            return NULL;
        }
        slot_set(slot, number.decimal ? PITH_DECIMAL : PITH_INTEGER,
                 number.plain ? SLOT_PLAIN : 0, p, (size_t)(number.end - p));
        return number.end;
    }
    }
}

/* The open container, as long as it is the innermost. */
typedef struct json_place {
    uint32_t open;  /* its slot */
    uint32_t count; /* its children so far */
    uint16_t shape; /* of an object; in an array, of what the array stands under */
    bool object;
} json_place;

/* Takes up the container again that one of its children has just been closed in. */
static inline json_place json_resume(const pith_doc *doc, uint32_t open)
{
    const pith_slot *slot = &doc->slots[open];
    json_place place = {open, slot->n, slot->shape, slot->kind == PITH_OBJECT};
    return place;
}

/* Reads the key at `p`, whose node is probably `guess`; the slot of the value serves to
 * hold it meanwhile. What stands behind it, or NULL when reading has to stop. */
static inline const char *json_read_key(json_reader *r, const char *p, uint16_t guess,
                                        uint16_t *shape, pith_slot *slot)
{
    const shape_node *node = &r->doc->shapes.nodes[guess];
    if ((size_t)(r->end - p) > (size_t)node->key.len + SHAPE_MATCH_ROOM &&
        shape_matches(node, p + 1)) {
        *shape = guess;
        return p + node->key.len + 2;
    }
    const char *rest = json_read_text(r, p, slot);
    return rest && json_new_key(r, shape, slot) ? rest : NULL;
}

/* Ends the open container, whose last slot is before `at`; the end of the tape, or NULL
 * when reading has to stop. */
static inline pith_slot *json_close(json_reader *r, json_place *place, pith_slot *at)
{
    pith_doc *doc = r->doc;
    if (place->object && place->count == 0) {
        place->shape = SHAPE_EMPTY;
    }
    if (place->object && place->shape == SHAPE_NONE) {
        doc->count = (size_t)(at - doc->slots);
        if (!json_close_loose(r, place->open, place->count)) {
            return NULL;
        }
        at = doc->slots + doc->count;
    } else if (place->object && !shapes_list(&doc->shapes, place->shape)) {
        report_no_memory(r->report);
        return NULL;
    }
    pith_slot *slot = &doc->slots[place->open];
    slot->shape = place->object ? place->shape : (uint16_t)SHAPE_NONE;
    slot->n = place->count;
    slot->u.link.next = (uint32_t)(at - doc->slots);
    return at;
}

/* Reads one value from `p`; what stands behind it, or NULL when reading stopped. */
static const char *json_read_one(json_reader *r, const char *p)
{
    const char *const end = r->end;
    pith_doc *const doc = r->doc;
    const uint32_t outer = doc->open;
    const uint16_t empty = r->careful ? (uint16_t)SHAPE_NONE : (uint16_t)SHAPE_EMPTY;
    json_place in = {outer, 0, SHAPE_NONE, false};
    if (outer != SLOT_NONE) {
        in.count = doc->slots[outer].n;
    }
    size_t depth = doc->depth;
    pith_slot *at = doc->slots + doc->count;
    pith_slot *limit = at;       /* from here on there may be no room */
    uint16_t owner = SHAPE_NONE; /* what an object that opens stands under */
    uint16_t guess = SHAPE_NONE; /* the node that the next key probably leads to */

    /* Declared here because C++ forbids jumping over them. */
    pith_slot *fresh;
    const char *rest;
    uint32_t parent;

value:
    if (at >= limit) {
        at = json_grow(r, at, &fresh, p);
        if (!at) {
            return NULL;
        }
        limit = fresh;
    }
    p = json_skip_space(p, end);
    if (p == end) {
        goto ended;
    }
    if (*p == '[' || *p == '{') {
        goto open;
    }
    rest = json_read_scalar(r, p, at);
    if (!rest) {
        /* A string that cannot be read has said so, and nothing can follow it. */
        rest = *p == '"' ? NULL : json_bad_value(r, p, in.count == 0, in.object);
        if (!rest) {
            return NULL;
        }
        slot_set(at, PITH_NULL, 0, NULL, 0);
    }
    p = rest;
    at++;
    in.count++;

next:
    if (in.open == outer) {
        goto done;
    }
    p = json_skip_space(p, end);
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
        switch (json_bad_separator(r, &p, at - 1, in.object)) {
        case JSON_STOP:
            return NULL;
        case JSON_AGAIN:
            goto next;
        case JSON_CLOSE:
            goto close;
        case JSON_MEMBER:
            break;
        }
    }
    if (!in.object) {
        goto value;
    }

key:
    guess = doc->shapes.nodes[in.shape].guess;
guessed_key:
    if (at >= limit) {
        at = json_grow(r, at, &fresh, p);
        if (!at) {
            return NULL;
        }
        limit = fresh;
    }
    p = json_skip_space(p, end);
    if (p == end) {
        goto ended;
    }
    if (*p == '"') {
        p = json_read_key(r, p, guess, &in.shape, at);
        if (!p) {
            return NULL;
        }
        if (in.count == 0 && in.shape != guess) {
            doc->shapes.nodes[owner].inner = in.shape;
        }
    } else {
        switch (json_bad_key(r, &p, in.count == 0)) {
        case JSON_STOP:
            return NULL;
        case JSON_AGAIN:
            goto key;
        case JSON_CLOSE:
            goto close;
        case JSON_MEMBER:
            break;
        }
        slot_set(at, PITH_STRING, 0, p, 0); /* a key made up, and unlike any other */
        if (!json_new_key(r, &in.shape, at)) {
            return NULL;
        }
    }
    p = json_skip_space(p, end);
    if (p == end) {
        goto ended;
    }
    if (*p == ':') {
        p++;
    } else if (!json_structure(r, "expected_colon", p, "expected ':' after the key")) {
        return NULL;
    }
    goto value;

open:
    if (depth == doc->depth_max) {
        report_problem(r->report, PITH_LIMIT, "depth_limit", json_at(r, p),
                       "nested deeper than the limit of %zu", doc->depth_max);
        return NULL;
    }
    if (in.open != SLOT_NONE) {
        doc->slots[in.open].n = in.count + 1;
        doc->slots[in.open].shape = in.shape;
    }
    owner = in.shape;
    in.object = *p == '{';
    at->kind = in.object ? PITH_OBJECT : PITH_ARRAY;
    at->flags = 0;
    at->u.link.parent = in.open;
    in.open = (uint32_t)(at - doc->slots);
    in.count = 0;
    at++;
    depth++;
    p = json_skip_space(p + 1, end);
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
    in.shape = empty;
    guess = empty == SHAPE_NONE ? empty : doc->shapes.nodes[owner].inner;
    goto guessed_key;

close:
    at = json_close(r, &in, at);
    if (!at) {
        return NULL;
    }
    if (in.object && in.shape == SHAPE_NONE) {
        limit = at; /* the tape may have moved: ask for room again */
    }
    depth--;
    parent = doc->slots[in.open].u.link.parent;
    if (parent == SLOT_NONE) {
        goto done;
    }
    in = json_resume(doc, parent);
    goto next;

ended:
    json_bad_end(r, in.open == outer ? SLOT_NONE : in.open);
    return NULL;

done:
    doc->count = (size_t)(at - doc->slots);
    if (outer != SLOT_NONE) {
        doc->slots[outer].n = in.count;
    }
    return p;
}

/* Where the report's input would have to be read again. */
typedef struct json_mark {
    size_t count;
    size_t children;
} json_mark;

static json_mark json_set_mark(const pith_doc *doc)
{
    json_mark mark = {doc->count, doc->open == SLOT_NONE ? 0 : doc->slots[doc->open].n};
    return mark;
}

static void json_back_to(pith_doc *doc, json_mark mark)
{
    doc->count = mark.count;
    doc->loose_count = 0;
    if (doc->open != SLOT_NONE) {
        doc->slots[doc->open].n = (uint32_t)mark.children;
    }
}

/* What is behind the value, other than white space, does not belong there. */
static void json_check_rest(json_reader *r, const char *p)
{
    const char *rest = json_skip_space(p, r->end);
    if (rest == r->end) {
        return;
    }
    const pith_slot *last = &r->doc->slots[r->doc->count - 1];
    if (json_goes_on(last, rest)) {
        json_bad_token(r, last->u.text);
    } else {
        json_structure(r, "trailing_content", rest,
                       "expected the end of the text after the value");
    }
}

void json_read_value(pith_doc *doc, pith_text text, json_read_options options,
                     reporter *report)
{
    json_reader r;
    read_init(&r.in, doc, report->input, report);
    r.end = text.ptr + text.len;
    r.quoted = true;
    r.last_wins = options.last_wins;
    r.quiet = false;
    r.quiet_from = NULL;
    r.strings.doc = doc;
    r.strings.report = report;
    r.strings.start = r.start;
    r.strings.end = r.end;
    r.strings.replace = options.replace;
    r.strings.endless = "unterminated_string";
    if (doc->count == 0 && !doc_reserve_for(doc, text, ",:[{")) {
        report_no_memory(report);
        return;
    }
    json_mark mark = json_set_mark(doc);
    const char *p = json_read_one(&r, text.ptr);
    if (r.restart) {
        json_back_to(doc, mark);
        r.restart = false;
        r.careful = true;
        p = json_read_one(&r, text.ptr);
    }
    if (p) {
        json_check_rest(&r, p);
    }
}

void json_read_finish(pith_doc *doc, pith_text input, json_read_options options,
                      reporter *report)
{
    if (report->count == 0) {
        doc_mark_tail(doc, input, 0);
        if (options.last_wins && doc->has_duplicates && !doc_merge_duplicates(doc)) {
            report_no_memory(report);
        }
    }
    if (report->count > 0) {
        pith_doc_reset(doc);
        return;
    }
    doc->finished = true;
}
