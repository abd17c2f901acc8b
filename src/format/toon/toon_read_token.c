/*
 * toon_read_token.c - what a token is.
 *
 * A token that starts with a quote is text and must end with its closing quote. Any
 * other is a number if JSON's grammar says so, one of three words, or text as it
 * stands: 05, .5, +5 and 0x10 are text. Text without escapes is borrowed; the rest is
 * decoded into the arena, where it keeps its offset in the input (build_place_text).
 */
#include "base/lex.h"
#include "format/cell.h"
#include "format/quoted.h"
#include "format/toon/toon_read.h"

/* ------------------------------------------------------------------ scanning */

const char *toon_find_colon(const toon_reader *r, const char *at, const char *end,
                            const char **bracket)
{
    *bracket = NULL;
    for (;;) {
        /* A line feed ends the search, so it may look beyond the line. */
        at = toon_scan_mark(at, r->end);
        if (at >= end)
            return NULL;
        if (*at == ':')
            return at;
        if (*at == '"') {
            at = toon_skip_quoted(at, end);
            continue;
        }
        if (!*bracket)
            *bracket = at;
        at++;
    }
}

/* -------------------------------------------------------------------- quoted */

static const quoted_rules toon_quoted = {
    .letters = "\\\"nrtu",
    .raw_controls = true,
    .no_pairs = true,
    .unclosed = {"unterminated_string",
                 "the text that starts here has no closing '\"' in its line"},
    .escape = {"invalid_escape", "expected one of \\ \" n r t u after the backslash"},
    .hex = {"invalid_escape", "expected four hexadecimal digits after \\u"},
    .surrogate = {"invalid_surrogate", "%.6s is a surrogate; write the character itself"},
};

const char *toon_read_quoted(toon_reader *r, const char *at, const char *end,
                             pith_slot *slot)
{
    return quoted_read(&r->in, &toon_quoted, at, end, slot);
}

/* A whole token that starts with a quote. */
static bool toon_read_quoted_token(toon_reader *r, pith_text token, pith_slot *slot)
{
    const char *end = token.ptr + token.len;
    const char *after = toon_read_quoted(r, token.ptr, end, slot);
    if (after && after != end) {
        report_bad(r->report, "trailing_content", toon_at(r, after),
                   "expected nothing more after the closing '\"', found '%s'",
                   error_quote(after, (size_t)(end - after)).text);
    }
    return after == end;
}

/* -------------------------------------------------------------------- values */

void toon_sort_token(pith_slot *slot, const char *at, size_t len, uint8_t flags)
{
    pith_kind kind = cell_kind(at, len, true, &flags);
    slot_set(slot, kind, flags, at, len);
}

bool toon_read_token(toon_reader *r, pith_text token, pith_slot *slot)
{
    if (token.len && *token.ptr == '"') {
        if (!toon_read_quoted_token(r, token, slot)) {
            slot_set(slot, PITH_NULL, 0, token.ptr, 0);
            return false;
        }
        return true;
    }
    toon_sort_token(slot, token.ptr, token.len, build_text_flags(token.ptr, token.len));
    return true;
}

/* ---------------------------------------------------------------------- keys */

/* True for segments such as user_2 with dots between them, two at least. */
static bool toon_is_path(pith_text token)
{
    bool dotted = false;
    bool first = true;
    for (size_t i = 0; i < token.len; i++) {
        char c = token.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (c == '.' && !first) {
            dotted = true;
            first = true;
        } else if (letter || (!first && scan_is_digit((unsigned char)c))) {
            first = false;
        } else {
            return false;
        }
    }
    return dotted && !first;
}

bool toon_read_key(toon_reader *r, pith_text token, pith_key *key)
{
    pith_slot slot;
    uint8_t path = 0;
    if (token.len && *token.ptr == '"') {
        if (!toon_read_quoted_token(r, token, &slot))
            return false;
    } else {
        slot_set(&slot, PITH_STRING, build_text_flags(token.ptr, token.len), token.ptr,
                 token.len);
        path = r->rules.expand && toon_is_path(token) ? TOON_KEY_PATH : 0;
    }
    key->text = slot.u.text;
    key->len = slot.n;
    key->flags = slot.flags | path | doc_near_end_flag(r->report->input, key->text);
    key->dead = 0;
    return true;
}

static bool toon_add_key(toon_reader *r, const pith_key *key)
{
    pith_doc *doc = r->doc;
    pith_slot *object = &doc->slots[doc->open];
    if (key->flags & TOON_KEY_PATH && object->shape != SHAPE_NONE) {
        /* Shapes know nothing of paths. */
        uint16_t shape = object->shape;
        object->shape = SHAPE_NONE;
        if (!build_unshape(doc, shape))
            return read_failed(&r->in);
    }
    return read_built(&r->in, build_key(doc, key->flags, key->text, key->len), r->start);
}

bool toon_add_key_token(toon_reader *r, pith_text token)
{
    pith_doc *doc = r->doc;
    uint16_t before = doc->slots[doc->open].shape;
    uint16_t guess = toon_guess(r);
    if (guess != SHAPE_NONE && !r->rules.expand &&
        toon_is_key_of(r, &doc->shapes.nodes[guess], token)) {
        doc->slots[doc->open].shape = guess;
        return true;
    }
    pith_key key;
    if (!toon_read_key(r, token, &key) || !toon_add_key(r, &key))
        return false;
    uint16_t shape = doc->slots[doc->open].shape;
    if (before == SHAPE_EMPTY && shape != SHAPE_NONE)
        doc->shapes.nodes[r->scopes.at[r->scopes.count - 1].owner].inner = shape;
    return true;
}
