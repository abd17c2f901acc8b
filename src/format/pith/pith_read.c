/*
 * pith_read.c - values, arrays and objects, in one pass.
 *
 * The loop is that of the JSON reader (json_loop.h), and so is what makes it fast. Here
 * are bare tokens in the place of scalars and keys, and what can be wrong around them.
 *
 * Duplicate keys are found when an object closes whose keys have no shape. To say where
 * both are, the text is read again with keep_key_places (doc/read.h).
 */
#include "format/pith/pith_read.h"

#include "base/lex.h"
#include "base/utf8.h"

/* ------------------------------------------------------------------ problems */

static void pn_loop_end(pn_reader *r, uint32_t open)
{
    json_ends_open(&r->in, open, "expected_value");
}

/* Something that begins no value is where one must be. Says where to go on, with null
 * in its place; NULL to stop. */
static const char *pn_bad_value(pn_reader *r, const char *p, const json_place *in)
{
    const char *sentence = in->open == SLOT_NONE ? "expected a value"
                           : json_in_object(in)  ? "expected a value after ':'"
                           : in->count == 0      ? "expected a value or ']' after '['"
                                                 : "expected a value after ','";
    if (!pn_structure(r, "expected_value", p, sentence))
        return NULL;
    return *p == ',' || *p == ']' || *p == '}' ? p : p + 1;
}

/* After a value there is neither comma nor bracket. */
static json_step pn_bad_separator(pn_reader *r, const char **at, const pith_slot *last,
                                  bool object)
{
    const char *p = *at;
    (void)last;
    if (!pn_structure(r, "expected_separator", p,
                      object ? "expected ',' or '}' after a member"
                             : "expected ',' or ']' after an element"))
        return JSON_STOP;
    if (*p == ']' || *p == '}') {
        *at = p + 1;
        return JSON_CLOSE;
    }
    if (*p == ';' || *p == '\\' || (unsigned char)*p < 0x20 || *p == 0x7F)
        *at = p + 1;
    return JSON_MEMBER;
}

/* A key must come and does not. JSON_MEMBER: a key was made up, go on at the colon. */
static json_step pn_bad_key(pn_reader *r, const char **at, bool first)
{
    const char *p = *at;
    if (!pn_structure(r, "expected_key", p,
                      first ? "expected a key or '}' after '{'"
                            : "expected a key after ','"))
        return JSON_STOP;
    if (*p == ']' || *p == '}') {
        *at = p + 1;
        return JSON_CLOSE;
    }
    if (*p == ':')
        return JSON_MEMBER;
    *at = p + 1;
    return JSON_AGAIN;
}

/* ---------------------------------------------------------------------- keys */

/* Whether the key of a node can be written without quotes: asked for each node once. */
static bool pn_node_is_bare(pn_reader *r, uint16_t node)
{
    enum { UNKNOWN, BARE, QUOTED };
    if (node >= r->bare.count) {
        size_t more = r->doc->shapes.count - r->bare.count;
        char *room = LIST_ROOM(&r->bare, &r->doc->alloc, more);
        if (!room)
            return false; /* then keys are read without guessing */
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
 * hold it meanwhile. What follows it; NULL when reading has to stop or, with `*none` set,
 * when there is no key. */
static inline const char *pn_loop_key(pn_reader *r, const char *p, uint16_t guess,
                                      uint16_t *shape, pith_slot *slot, bool *none)
{
    const shape_node *node = &r->doc->shapes.nodes[guess];
    *none = false;
    if (*p == '"') {
        if (json_matches(node, p, r->end)) {
            *shape = guess;
            return p + node->key.len + 2;
        }
    } else if (pn_matches_bare(r, guess, p)) {
        *shape = guess;
        return p + node->key.len;
    }
    const char *rest = pn_read_key(r, p, slot, none);
    return rest && json_add_key(&r->in, shape, slot) ? rest : NULL;
}

/* ------------------------------------------------------------------- reading */

/* Reads a value that is no container; null stands in for one that is none. */
static inline const char *pn_loop_scalar(pn_reader *r, const char *p, pith_slot *slot,
                                         const json_place *in)
{
    if (pn_is_mark((unsigned char)*p) && *p != '"') {
        bool empty = in->close == '\0' && (*p == ',' || *p == '}');
        r->meets_name = empty || pn_is_name(r, p);
        if (r->meets_name)
            return NULL;
        slot_set(slot, PITH_NULL, 0, NULL, 0);
        return pn_bad_value(r, p, in);
    }
    return pn_read_scalar(r, p, slot);
}

/* True for an open object that is a row, or a group of one. */
static inline bool pn_is_row(const pith_slot *object)
{
    return (object->flags & PN_IS_ROW) != 0;
}

#define LOOP(name) pn_##name
#define LOOP_ROWS
#include "format/json/json_loop.h"

/* ---------------------------------------------------------------- whole texts */

void pn_reader_init(pn_reader *r, pith_doc *doc, pith_text text, reporter *report)
{
    memset(r, 0, sizeof *r);
    read_init(&r->in, doc, text, report);
    r->makes_up = true;
}

void pn_reader_free(pn_reader *r, const pith_alloc *alloc)
{
    LIST_FREE(&r->ops, alloc);
    LIST_FREE(&r->headers, alloc);
    LIST_FREE(&r->frames, alloc);
    LIST_FREE(&r->groups, alloc);
    LIST_FREE(&r->pending, alloc);
    LIST_FREE(&r->bare, alloc);
    LIST_FREE(&r->names, alloc);
    LIST_FREE(&r->likes, alloc);
    LIST_FREE(&r->marks, alloc);
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
    if (p) {
        bool broken = false;
        pn_read_rest(&r, p, &broken);
    }
    pn_reader_free(&r, &job->doc->alloc);
    if (job->report->count > 0)
        return;
    doc_mark_near_end(job->doc, job->input, r.constants + r.copied);
    job->doc->finished = true;
}

const char *pn_read_row(pn_reader *r, const char *p)
{
    return pn_read_one(r, p);
}
