/*
 * json_write.c - JSON, on one line or indented.
 *
 * The compact writer is a single walk along the tape. Every value writes a comma
 * after itself, and the bracket that closes a container goes over the last one:
 *
 *     [1,2,      then      [1,2],
 *
 * so there is no question of "first" anywhere. The output is kept in a local
 * pointer and the buffer is asked for room once per value. What JSON would have to
 * escape was found out when the text was read; other text is copied.
 */
#include "doc/levels.h"
#include "format/json/json.h"
#include "format/pen.h"

#include <assert.h>

static void json_write_scalar(pith_out *out, const pith_slot *slot, unsigned escapes)
{
    if (slot->kind == PITH_STRING)
        pen_write_quoted(out, slot_text(slot), escapes);
    else
        out_text(out, slot_text(slot));
}

/* ---------------------------------------------------------------- compact */

static inline char *json_copy_quoted(char *to, const char *text, size_t len,
                                     uint8_t flags)
{
    *to++ = '"';
    to = slot_copy_text(to, text, len, flags);
    *to++ = '"';
    return to;
}

static inline char *json_write_key(pith_out *out, char *to, const pith_key *key,
                                   uint8_t hard, unsigned escapes)
{
    if ((key->flags & hard) || key->len > PEN_LONG)
        to = pen_put_quoted(out, to, key->text, key->len, escapes);
    else
        to = json_copy_quoted(to, key->text, key->len, key->flags);
    *to++ = ':';
    return to;
}

static void json_write_compact_tree(pith_out *out, const pith_doc *doc,
                                    const pith_slot *at, unsigned escapes,
                                    doc_levels *levels)
{
    assert(slot_is_container(at) && at->n > 0);
    const uint8_t hard = escapes & PEN_ASCII ? SLOT_ESCAPE | SLOT_WIDE : SLOT_ESCAPE;
    char *to = out->at;
    *to++ = at->kind == PITH_OBJECT ? '{' : '[';
    doc_level level = doc_enter(doc, at);
    at++;
    while (out->status == PITH_OK) {
        to = pen_room_after(out, to);
        if (level.key)
            to = json_write_key(out, to, level.key++, hard, escapes);
        if (slot_is_container(at)) {
            bool object = at->kind == PITH_OBJECT;
            *to++ = object ? '{' : '[';
            if (at->n > 0) {
                if (!levels_push(levels, level)) {
                    out_fail(out, PITH_NO_MEMORY, "no_memory");
                    break;
                }
                level = doc_enter(doc, at);
                at++;
                continue;
            }
            *to++ = object ? '}' : ']';
        } else if (at->n > PEN_LONG || (at->kind == PITH_STRING && (at->flags & hard))) {
            to = at->kind == PITH_STRING
                     ? pen_put_quoted(out, to, at->u.text, at->n, escapes)
                     : pen_put_bytes(out, to, at->u.text, at->n);
        } else if (at->kind == PITH_STRING) {
            to = json_copy_quoted(to, at->u.text, at->n, at->flags);
        } else {
            to = slot_copy_text(to, at->u.text, at->n, at->flags);
        }
        *to++ = ',';
        at++;
        while (at == level.end) {
            to[-1] = level.key ? '}' : ']';
            if (levels->depth == 0) {
                out->at = to;
                return;
            }
            *to++ = ',';
            to = pen_room_after(out, to);
            at = doc_leave(&level);
            level = levels_pop(levels);
        }
    }
    out->at = out->start;
}

void json_write_compact(pith_out *out, const pith_doc *doc, uint32_t root, bool ascii)
{
    const pith_slot *at = &doc->slots[root];
    unsigned escapes = ascii ? PEN_ASCII : 0;
    if (out->status != PITH_OK)
        return;
    if (!slot_is_container(at)) {
        json_write_scalar(out, at, escapes);
    } else if (at->n == 0) {
        out_string(out, at->kind == PITH_OBJECT ? "{}" : "[]");
    } else {
        doc_levels levels;
        levels_init(&levels, out->alloc);
        out_reserve(out, 1);
        json_write_compact_tree(out, doc, at, escapes, &levels);
        levels_free(&levels);
    }
}

/* --------------------------------------------------------------- indented */

typedef struct json_layout {
    pith_out *out;
    unsigned indent;
    size_t depth;
    unsigned escapes;
} json_layout;

static void json_break(const json_layout *layout)
{
    out_byte(layout->out, '\n');
    out_indent(layout->out, (uint64_t)layout->depth * layout->indent);
}

/* What is before a value in a container. */
static inline void json_write_lead(const json_layout *layout, doc_walk *walk)
{
    if (!walk->first)
        out_byte(layout->out, ',');
    json_break(layout);
    if (walk->level.key) {
        pen_write_quoted(layout->out, key_text(walk->level.key++), layout->escapes);
        out_bytes(layout->out, ": ", 2);
    }
}

static void json_write_tree(json_layout *layout, doc_walk walk)
{
    pith_out *out = layout->out;
    do {
        const pith_slot *value = walk.at;
        bool object = value->kind == PITH_OBJECT;
        if (walk.level.container)
            json_write_lead(layout, &walk);
        if (!slot_is_container(value)) {
            json_write_scalar(out, value, layout->escapes);
            walk_pass(&walk);
        } else if (value->n == 0) {
            out_string(out, object ? "{}" : "[]");
            walk_pass(&walk);
        } else if (walk_enter(&walk)) {
            out_byte(out, object ? '{' : '[');
            layout->depth++;
        } else {
            out_fail(out, PITH_NO_MEMORY, "no_memory");
        }
        while (walk_at_end(&walk)) {
            layout->depth--;
            json_break(layout);
            out_byte(out, walk.level.key ? '}' : ']');
            walk_leave(&walk);
        }
    } while (walk.level.container && out->status == PITH_OK);
}

void json_write_indented(pith_out *out, const pith_doc *doc, uint32_t root,
                         unsigned indent, size_t depth, bool ascii)
{
    json_layout layout = {out, indent, depth, ascii ? PEN_ASCII : 0};
    doc_levels levels;
    levels_init(&levels, out->alloc);
    json_write_tree(&layout, walk_begin(&levels, doc, &doc->slots[root]));
    levels_free(&levels);
}
