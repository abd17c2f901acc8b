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

/* A string in quotes, with escapes where they are needed. */
void json_write_text(pith_out *out, pith_text text, bool ascii)
{
    pen_write_quoted(out, text, ascii ? PEN_ASCII : 0);
}

static void json_write_scalar(pith_out *out, const pith_slot *slot, bool ascii)
{
    if (slot->kind == PITH_STRING) {
        json_write_text(out, slot_text(slot), ascii);
    } else {
        out_text(out, slot_text(slot));
    }
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

/* A text that is long or has something to escape, `to` being where the fast path
 * stands. */
static char *json_write_slow(pith_out *out, char *to, const pith_slot *slot, bool ascii)
{
    out->at = to;
    json_write_scalar(out, slot, ascii);
    return pen_room_after(out, out->at);
}

static inline char *json_write_key(pith_out *out, char *to, const pith_key *key,
                                   uint8_t hard, bool ascii)
{
    if ((key->flags & hard) || key->len > PEN_LONG) {
        out->at = to;
        json_write_text(out, key_text(key), ascii);
        to = pen_room_after(out, out->at);
    } else {
        to = json_copy_quoted(to, key->text, key->len, key->flags);
    }
    *to++ = ':';
    return to;
}

static void json_write_compact_tree(pith_out *out, const pith_doc *doc,
                                    const pith_slot *at, bool ascii, doc_levels *levels)
{
    const uint8_t hard = ascii ? SLOT_ESCAPE | SLOT_WIDE : SLOT_ESCAPE;
    char *to = out->at;
    *to++ = at->kind == PITH_OBJECT ? '{' : '[';
    doc_level level = doc_enter(doc, at);
    at++;
    while (out->status == PITH_OK) {
        to = pen_room_after(out, to);
        if (level.key) {
            to = json_write_key(out, to, level.key++, hard, ascii);
        }
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
            to = json_write_slow(out, to, at, ascii);
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
    if (out->status != PITH_OK) {
        return;
    }
    if (!slot_is_container(at)) {
        json_write_scalar(out, at, ascii);
    } else if (at->n == 0) {
        out_string(out, at->kind == PITH_OBJECT ? "{}" : "[]");
    } else {
        doc_levels levels;
        levels_init(&levels, out->alloc);
        out_reserve(out, 1);
        json_write_compact_tree(out, doc, at, ascii, &levels);
        levels_free(&levels);
    }
}

/* --------------------------------------------------------------- indented */

typedef struct json_layout {
    pith_out *out;
    const pith_doc *doc;
    unsigned indent;
    size_t depth;
    bool ascii;
} json_layout;

static void json_break(const json_layout *layout)
{
    out_byte(layout->out, '\n');
    out_indent(layout->out, (uint64_t)layout->depth * layout->indent);
}

/* The value at `at`; true when it is a container that has been opened and whose
 * children follow. */
static bool json_write_line(const json_layout *layout, const pith_slot *at)
{
    if (!slot_is_container(at)) {
        json_write_scalar(layout->out, at, layout->ascii);
        return false;
    }
    bool object = at->kind == PITH_OBJECT;
    if (at->n == 0) {
        out_string(layout->out, object ? "{}" : "[]");
        return false;
    }
    out_byte(layout->out, object ? '{' : '[');
    return true;
}

static void json_write_indented_tree(json_layout *layout, const pith_slot *at,
                                     doc_levels *levels)
{
    pith_out *out = layout->out;
    doc_level level = doc_enter(layout->doc, at);
    at++;
    layout->depth++;
    while (out->status == PITH_OK) {
        json_break(layout);
        if (level.key) {
            json_write_text(out, key_text(level.key++), layout->ascii);
            out_bytes(out, ": ", 2);
        }
        if (json_write_line(layout, at)) {
            if (!levels_push(levels, level)) {
                out_fail(out, PITH_NO_MEMORY, "no_memory");
                return;
            }
            level = doc_enter(layout->doc, at);
            at++;
            layout->depth++;
            continue;
        }
        at++;
        while (at == level.end) {
            layout->depth--;
            json_break(layout);
            out_byte(out, level.key ? '}' : ']');
            if (levels->depth == 0) {
                return;
            }
            at = doc_leave(&level);
            level = levels_pop(levels);
        }
        out_byte(out, ',');
    }
}

void json_write_indented(pith_out *out, const pith_doc *doc, uint32_t root,
                         unsigned indent, size_t depth, bool ascii)
{
    json_layout layout = {out, doc, indent, depth, ascii};
    const pith_slot *at = &doc->slots[root];
    if (json_write_line(&layout, at)) {
        doc_levels levels;
        levels_init(&levels, out->alloc);
        json_write_indented_tree(&layout, at, &levels);
        levels_free(&levels);
    }
}
