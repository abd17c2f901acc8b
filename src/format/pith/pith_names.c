/*
 * pith_names.c - what is written once and stands for more: the names of level 2.
 *
 *     \1=value          the value, and from now on its name is 1
 *     \1                the same value again
 *     \1abc  \1"a,b"    its text followed by another
 *     \1=ab\cd          the text abcd; 1 is ab
 *     \1{x,,z}          an object with the keys of object 1 and these values; where there
 *                       is none, the value of 1
 *
 * A named value is where it was read: on the tape, as a slot, and to repeat it is to copy
 * its slots. Its texts are shared. Names get their numbers as their definitions begin; the
 * value of one is complete when it is a scalar or when its container knows its end, which
 * is set to SLOT_NONE before. So the loop of values has nothing to do for names.
 *
 * When rows are read one by one the tape is emptied after each. Before that the values
 * named in it move to a document of the reader's own, and so do those that the next row
 * may repeat (pith_read_rows.c).
 *
 * What is repeated has at most PN_REPEAT_MOST bytes as JSON. A named value is measured
 * when it is first repeated, and once. So no text grows by more than that many times.
 */
#include "format/pith/pith_read.h"

#include "base/lex.h"

static const pith_slot *pn_held_slot(const pn_held *held)
{
    return held->doc ? &held->doc->slots[held->at] : &held->scalar;
}

/* ------------------------------------------------------------------------ measuring */

void pn_measure_held(pn_held *held)
{
    const pith_slot *value = pn_held_slot(held);
    const pith_slot *slots = held->doc ? held->doc->slots : value;
    uint32_t at = held->doc ? held->at : 0;
    uint32_t end = slot_is_container(value) ? value->u.link.next : at + 1;
    uint32_t open = SLOT_NONE;
    size_t size = 0;
    unsigned depth = 0;
    unsigned deepest = 0;
    for (uint32_t i = at; i < end && size <= PN_REPEAT_MOST; i++) {
        for (; open != SLOT_NONE && i == slots[open].u.link.next; depth--)
            open = slots[open].u.link.parent;
        size += pn_json_size(held->doc, &slots[i]);
        if (slot_is_container(&slots[i])) {
            open = i;
            depth++;
            deepest = depth > deepest ? depth : deepest;
        }
    }
    held->size = (uint16_t)(size > PN_REPEAT_MOST ? PN_REPEAT_MOST + 1 : size);
    held->depth = (uint16_t)deepest;
}

/* True when the value may be repeated. */
static bool pn_may_repeat(pn_reader *r, pn_held *held, const char *p)
{
    if (held->size == 0)
        pn_measure_held(held);
    return held->size <= PN_REPEAT_MOST ||
           read_bad(&r->in, p, "repeat_limit",
                    "what is repeated here has more than %d bytes as JSON",
                    PN_REPEAT_MOST);
}

/* ------------------------------------------------------------------------ repeating */

/* Copies the slots of a container on this tape to its end. */
static bool pn_copy_slots(pn_reader *r, uint32_t from)
{
    pith_doc *doc = r->doc;
    uint32_t at = (uint32_t)(r->tape - doc->slots);
    uint32_t count = doc->slots[from].u.link.next - from;
    doc->count = at;
    if (!doc_reserve(doc, (size_t)count + JSON_ROOM))
        return read_failed(&r->in);
    pith_slot *slots = doc->slots + at;
    memcpy(slots, doc->slots + from, count * sizeof *slots);
    for (uint32_t i = 0; i < count; i++) {
        pith_slot *slot = &slots[i];
        if (slot_is_container(slot)) {
            slot->u.link.next += at - from;
            slot->u.link.parent = i == 0 ? r->open : slot->u.link.parent + (at - from);
        } else if (slot->kind != SLOT_KEYS) {
            slot->flags |= doc_near_end_flag(r->report->input, slot->u.text);
        }
    }
    r->tape = slots + count;
    return true;
}

/* Copies a value of another document. */
static bool pn_copy_other(pn_reader *r, const pn_held *held, const char *p)
{
    pith_doc *doc = r->doc;
    uint32_t open = doc->open;
    size_t depth = doc->depth;
    uint32_t at = (uint32_t)(r->tape - doc->slots);
    doc->count = at;
    doc->open = SLOT_NONE;
    doc->depth = 0; /* the caller has compared */
    build_result result = build_copy(doc, held->doc, held->at);
    doc->open = open;
    doc->depth = depth;
    if (result == BUILD_DONE && !doc_reserve(doc, JSON_ROOM))
        result = BUILD_NO_MEMORY;
    if (result != BUILD_DONE)
        return read_built(&r->in, result, p);
    if (slot_is_container(&doc->slots[at]))
        doc->slots[at].u.link.parent = r->open;
    r->tape = doc->slots + doc->count;
    return true;
}

bool pn_repeat(pn_reader *r, pn_held *held, const char *p)
{
    if (!pn_may_repeat(r, held, p))
        return false;
    if (r->depth + held->depth > r->doc->depth_max)
        return read_built(&r->in, BUILD_TOO_DEEP, p);
    const pith_slot *value = pn_held_slot(held);
    size_t before = (size_t)(r->tape - r->doc->slots);
    bool fine = true;
    if (held->doc && held->doc != r->doc) {
        fine = pn_copy_other(r, held, p);
    } else if (slot_is_container(value)) {
        fine = pn_copy_slots(r, held->at);
    } else {
        *r->tape = *value;
        r->tape->flags |= doc_near_end_flag(r->report->input, value->u.text);
        r->tape++;
    }
    size_t copied = fine ? (size_t)(r->tape - r->doc->slots) - before : 0;
    r->copied = copied > r->copied ? copied : r->copied;
    return fine;
}

bool pn_move_held(pn_reader *r, pn_held *held, pith_doc *doc)
{
    build_result result = BUILD_DONE;
    if (!held->doc) {
        held->scalar.u.text =
            arena_copy(&doc->arena, held->scalar.u.text, held->scalar.n);
        held->scalar.flags &= (uint8_t)~SLOT_NEAR_END;
        return held->scalar.u.text || read_failed(&r->in);
    }
    uint32_t at = (uint32_t)doc->count;
    doc->depth_max = SIZE_MAX; /* it was within the limit before */
    result = build_copy(doc, held->doc, held->at);
    held->doc = doc;
    held->at = at;
    return result == BUILD_DONE || read_failed(&r->in);
}

/* ---------------------------------------------------------------------------- texts */

bool pn_join_texts(pn_reader *r, const char *p, pith_slot *slot, const pith_text *texts,
                   size_t count)
{
    uint64_t len = 0;
    for (size_t i = 0; i < count; i++)
        len += texts[i].len;
    if (len > SLOT_TEXT_MOST)
        return read_built(&r->in, BUILD_TOO_LARGE, p);
    char *to = arena_take(&r->doc->arena, (size_t)len);
    if (!to)
        return read_failed(&r->in);
    slot->u.text = to;
    slot->n = (uint32_t)len;
    slot->flags &= (uint8_t)~SLOT_NEAR_END;
    for (size_t i = 0; i < count; i++) {
        if (texts[i].len > 0)
            memcpy(to, texts[i].ptr, texts[i].len);
        to += texts[i].len;
    }
    return true;
}

/* Reads the tail at `p` and puts it on the tape after `stem`. */
static const char *pn_read_tail(pn_reader *r, const char *p, const pith_slot *stem)
{
    bool quoted = *p == '"';
    p += *p == '\\';
    if (p == r->end) {
        json_bad_end(&r->in, "a text", ' ');
        return NULL;
    }
    if (!quoted && (*p == ' ' || pn_is_mark((unsigned char)*p))) {
        pn_structure(r, "expected_value", p, "expected text after the backslash");
        return NULL;
    }
    const char *rest = quoted ? json_read_text(&r->in, &pn_quoted, p, r->tape)
                              : pn_read_plain(r, p, r->tape);
    if (!rest)
        return NULL;
    const pith_text texts[] = {{stem->u.text, stem->n}, {r->tape->u.text, r->tape->n}};
    if (!pn_join_texts(r, p, r->tape, texts, 2))
        return NULL;
    r->tape->flags |= stem->flags & (SLOT_ESCAPE | SLOT_WIDE);
    r->tape++;
    return rest;
}

/* --------------------------------------------------------------------------- likeness */

static bool pn_bad_reference(pn_reader *r, const char *p, const char *sentence)
{
    return read_bad(&r->in, p, "invalid_reference", "%s", sentence);
}

/* Opens an object with the keys of the model. */
static json_named pn_open_like(pn_reader *r, const pn_held *model,
                               const json_place *place, bool in_row, const char *p)
{
    pith_doc *doc = r->doc;
    const pith_slot *object = pn_held_slot(model);
    if (object->kind != PITH_OBJECT || object->n == 0) {
        pn_bad_reference(r, p, "only an object with keys can have others like it");
        return JSON_NAMED_STOP;
    }
    if (r->depth >= doc->depth_max) {
        read_built(&r->in, BUILD_TOO_DEEP, p);
        return JSON_NAMED_STOP;
    }
    pn_like *like = LIST_ADD(&r->likes, &doc->alloc);
    if (!like) {
        read_failed(&r->in);
        return JSON_NAMED_STOP;
    }
    *like = (pn_like){.model = *model, .member = model->at + 1, .place = p};
    if (r->open != SLOT_NONE && !in_row) {
        doc->slots[r->open].n = place->count + 1;
        doc->slots[r->open].shape = place->shape;
    }
    pith_slot *slot = r->tape++;
    slot->kind = JSON_PLACES;
    slot->flags = 0;
    slot->u.link.next = SLOT_NONE;
    slot->u.link.parent = r->open;
    r->open = (uint32_t)(slot - doc->slots);
    return JSON_NAMED_PLACES;
}

/* Fills the empty place number `index` of the innermost likeness. */
static bool pn_fill_place(pn_reader *r, uint32_t index)
{
    pn_like *like = r->likes.at + r->likes.count - 1;
    const pith_doc *from = like->model.doc;
    const pith_slot *object = pn_held_slot(&like->model);
    if (index >= object->n) {
        return read_bad(&r->in, r->at, "row_width_mismatch",
                        "expected %u values as in the model, found more",
                        (unsigned)object->n);
    }
    for (; like->index < index; like->index++)
        like->member = doc_after_at(from, like->member);
    pn_held member = {.doc = from, .at = like->member};
    return pn_repeat(r, &member, r->at);
}

/* Gives the object the keys of a model that is in another document. */
static bool pn_copy_keys(pn_reader *r, pith_slot *slot, const pn_held *model)
{
    pith_doc *doc = r->doc;
    const pith_slot *object = pn_held_slot(model);
    const pith_key *keys = doc_keys(model->doc, object);
    uint32_t at = (uint32_t)(slot - doc->slots);
    uint16_t shape = SHAPE_EMPTY;
    for (uint32_t i = 0; i < object->n; i++) {
        const char *text = arena_copy(&doc->arena, keys[i].text, keys[i].len);
        uint8_t flags = keys[i].flags & (uint8_t)~SLOT_NEAR_END;
        if (!text || !build_step(doc, &shape, flags, text, keys[i].len))
            return read_failed(&r->in);
    }
    if (shape == SHAPE_NONE) {
        r->tape = json_end_unshaped(&r->in, object->n, r->tape);
        if (!r->tape)
            return false;
    } else if (!shapes_list(&doc->shapes, shape)) {
        return read_failed(&r->in);
    }
    doc->slots[at].shape = shape;
    return true;
}

/* Gives the object the keys of a model. */
static bool pn_share_keys(pn_reader *r, pith_slot *slot, const pn_held *model)
{
    const pith_slot *object = pn_held_slot(model);
    if (model->doc != r->doc)
        return pn_copy_keys(r, slot, model);
    slot->shape = object->shape;
    if (!doc_is_unshaped(object))
        return true;
    uint32_t at = (uint32_t)(r->tape - r->doc->slots);
    uint32_t keys = object->u.link.next - 1;
    r->doc->count = at;
    if (!doc_reserve(r->doc, 1 + JSON_ROOM))
        return read_failed(&r->in);
    r->doc->slots[at] = r->doc->slots[keys];
    r->tape = r->doc->slots + at + 1;
    return true;
}

bool pn_close_places(pn_reader *r, uint32_t count)
{
    pith_doc *doc = r->doc;
    const pn_like like = r->likes.at[r->likes.count - 1];
    uint32_t open = r->open;
    uint32_t width = pn_held_slot(&like.model)->n;
    if (*r->at != '}') {
        pn_structure(r, "expected_separator", r->at,
                     "expected ',' or '}' after a value of an object like another");
        return false;
    }
    if (count != width) {
        return read_bad(&r->in, like.place, "row_width_mismatch",
                        "expected %u values as in the model, found %u", (unsigned)width,
                        (unsigned)count);
    }
    r->likes.count--;
    r->at++;
    doc->slots[open].kind = PITH_OBJECT;
    doc->slots[open].n = count;
    if (!pn_share_keys(r, &doc->slots[open], &like.model))
        return false;
    doc->slots[open].u.link.next = (uint32_t)(r->tape - doc->slots);
    r->open = doc->slots[open].u.link.parent;
    return true;
}

/* ---------------------------------------------------------------------------- names */

/* The digits after the backslash at `p`: their end, or NULL when there is no name. Of a
 * number that is too large no name exists. */
static const char *pn_read_number(pn_reader *r, const char *p, size_t *number)
{
    const char *digits = p + 1;
    const char *end = scan_digits(digits, r->end);
    if (end == r->end && read_starved(&r->in))
        return NULL;
    if (end == digits || *digits == '0') {
        read_problem(&r->in, p, "invalid_escape",
                     "a backslash outside quotes; put the text in quotes");
        return NULL;
    }
    size_t len = (size_t)(end - digits);
    *number = len > 9 ? SIZE_MAX : (size_t)read_count(text_of(digits, len));
    return end;
}

/* The value with that number; NULL when there is none that is complete. */
static pn_held *pn_find_name(pn_reader *r, size_t number, const char *p)
{
    pn_held *held = number <= r->names.count ? r->names.at + number - 1 : NULL;
    const pith_slot *slot = held ? pn_held_slot(held) : NULL;
    bool open = slot && held->doc && slot->kind != SLOT_KEYS &&
                (slot_is_container(slot) || slot->kind == JSON_PLACES) &&
                slot->u.link.next == SLOT_NONE;
    if (held && !open)
        return held;
    pn_bad_reference(r, p,
                     held ? "the value with this name has not ended yet"
                          : "no value has this name so far");
    return NULL;
}

/* What follows a number is a use of the name. `defines`: what it makes gets the next name,
 * once it has ended. */
static json_named pn_read_use(pn_reader *r, const json_place *place, bool in_row,
                              bool defines)
{
    const char *p = r->at;
    size_t number;
    const char *rest = pn_read_number(r, p, &number);
    if (!rest)
        return JSON_NAMED_STOP;
    unsigned char next = rest < r->end ? (unsigned char)*rest : (unsigned char)' ';
    if (next == '=') {
        pn_bad_reference(r, p, "a value has one name");
        return JSON_NAMED_STOP;
    }
    pn_held *found = pn_find_name(r, number, p);
    if (!found)
        return JSON_NAMED_STOP;
    pn_held held = *found;
    if (next == '{') {
        r->at = rest + 1;
        pn_held *name = defines ? LIST_ADD(&r->names, &r->doc->alloc) : NULL;
        if (defines && !name) {
            read_failed(&r->in);
            return JSON_NAMED_STOP;
        }
        if (name)
            *name = (pn_held){.doc = r->doc, .at = (uint32_t)(r->tape - r->doc->slots)};
        return pn_open_like(r, &held, place, in_row, p);
    }
    if (next == '"' || next == '\\' || (next != ' ' && !pn_is_mark(next))) {
        if (pn_held_slot(&held)->kind != PITH_STRING) {
            pn_bad_reference(r, p, "text follows a name that is not that of a text");
            return JSON_NAMED_STOP;
        }
        if (!pn_may_repeat(r, found, p))
            return JSON_NAMED_STOP;
        r->at = pn_read_tail(r, rest, pn_held_slot(found));
        return r->at ? JSON_NAMED_VALUE : JSON_NAMED_STOP;
    }
    r->at = rest;
    return pn_repeat(r, found, p) ? JSON_NAMED_VALUE : JSON_NAMED_STOP;
}

/* Reads a scalar, or a stem and its tail. `stem` becomes what is named. */
static json_named pn_read_defined(pn_reader *r, pn_held *stem)
{
    const char *p = r->at;
    const char *end = *p == '"' ? p : pn_bare_end(p, r->end);
    if (*p != '"' && end == r->end && read_starved(&r->in))
        return JSON_NAMED_STOP;
    if (end > p && end < r->end && (*end == '\\' || *end == '"')) {
        bool fine = pn_read_stem(r, p, end, &stem->scalar);
        r->at = fine ? pn_read_tail(r, end, &stem->scalar) : NULL;
        return r->at ? JSON_NAMED_VALUE : JSON_NAMED_STOP;
    }
    *stem = (pn_held){.doc = r->doc, .at = (uint32_t)(r->tape - r->doc->slots)};
    r->at = pn_read_scalar(r, p, r->tape);
    r->tape++;
    return r->at ? JSON_NAMED_VALUE : JSON_NAMED_STOP;
}

/* What is after the = of a definition. */
static json_named pn_read_definition(pn_reader *r, const json_place *place, bool in_row)
{
    const char *p = pn_skip_blank(r->at, r->end);
    r->at = p;
    if (p == r->end) {
        json_bad_end(&r->in, "a definition", ' ');
        return JSON_NAMED_STOP;
    }
    pn_held value = {.doc = NULL};
    json_named found;
    size_t known = r->names.count;
    if (*p == '[' || *p == '{') {
        value = (pn_held){.doc = r->doc, .at = (uint32_t)(r->tape - r->doc->slots)};
        r->tape->u.link.next = SLOT_NONE;
        found = JSON_NAMED_OPEN;
    } else if (*p == '\\') {
        value = (pn_held){.doc = r->doc, .at = (uint32_t)(r->tape - r->doc->slots)};
        found = pn_read_use(r, place, in_row, true);
    } else if (*p != '"' && pn_is_mark((unsigned char)*p)) {
        pn_structure(r, "expected_value", p, "expected a value after '='");
        found = JSON_NAMED_STOP;
    } else {
        found = pn_read_defined(r, &value);
    }
    if (found == JSON_NAMED_STOP || r->names.count > known)
        return found;
    pn_held *name = LIST_ADD(&r->names, &r->doc->alloc);
    if (!name) {
        read_failed(&r->in);
        return JSON_NAMED_STOP;
    }
    *name = value;
    return found;
}

json_named pn_read_named(pn_reader *r, const json_place *place, bool in_row)
{
    const char *p = r->at;
    size_t number;
    r->meets_name = false;
    if (r->lost)
        return JSON_NAMED_STOP; /* which names there are is not known any more */
    if (*p != '\\')
        return pn_fill_place(r, place->count) ? JSON_NAMED_VALUE : JSON_NAMED_STOP;
    const char *rest = pn_read_number(r, p, &number);
    if (!rest)
        return JSON_NAMED_STOP;
    if (rest == r->end || *rest != '=')
        return pn_read_use(r, place, in_row, false);
    if (number != r->names.count + 1) {
        pn_bad_reference(r, p, "names are defined in the order of their numbers");
        return JSON_NAMED_STOP;
    }
    r->at = rest + 1;
    return pn_read_definition(r, place, in_row);
}
