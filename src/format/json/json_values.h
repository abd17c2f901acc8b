/*
 * json_values.h - what the readers of JSON and of Pith share.
 *
 * Pith is JSON with bare tokens and tables, so both have one grammar of values, arrays and
 * objects: json_loop.h. Here is what that loop and its surroundings need once.
 */
#ifndef FORMAT_JSON_JSON_VALUES_H
#define FORMAT_JSON_JSON_VALUES_H

#include "base/scan.h"
#include "doc/read.h"
#include "format/json/json.h"
#include "format/quoted.h"

#include <assert.h>

/* How a reader's struct begins. `quiet` is set by a structural problem and stays until the
 * next regular comma or bracket, so that one mistake is not reported twice. */
#define JSON_READER                                                                      \
    TEXT_READER;                                                                         \
    bool quiet;            /* a structural problem is being recovered from */            \
    const char *quiet_from /* where that was */

enum { JSON_ROOM = 4 }; /* slots that are there beyond the limit of the tape */

/* How to go on after a problem. */
typedef enum json_step {
    JSON_STOP,
    JSON_AGAIN, /* look again from the new place */
    JSON_CLOSE, /* as if the right bracket were here */
    JSON_MEMBER /* as if a comma were here; of a key: one was made up */
} json_step;

/* What was found where a name is. */
typedef enum json_named {
    JSON_NAMED_STOP,
    JSON_NAMED_VALUE, /* a value, which is on the tape */
    JSON_NAMED_OPEN,  /* a container begins */
    JSON_NAMED_PLACES /* an object is open, and the values in it come */
} json_named;

/* A container while it is open, beyond pith_kind: an object whose keys are known, with
 * values only. Pith has it. */
enum { JSON_PLACES = PITH_OBJECT + 1 };

/* The open container, as long as it is the innermost. */
typedef struct json_place {
    uint32_t open;  /* its slot */
    uint32_t count; /* its children so far */
    uint16_t shape; /* of an object; in an array, of what the array is under */
    char close;     /* its bracket; of JSON_PLACES none, for they are closed elsewhere */
} json_place;

static inline bool json_in_object(const json_place *place)
{
    return place->close == '}';
}

/* The bracket that closes a container of this kind. */
static inline char json_close_of(uint8_t kind)
{
    static const char close[] = {
        [PITH_ARRAY] = ']', [PITH_OBJECT] = '}', [JSON_PLACES] = '\0'};
    return close[kind];
}

static inline const char *json_skip_space(const char *p, const char *end)
{
    if (p < end && (unsigned char)*p > ' ')
        return p;
    return scan_spaces(p, end);
}

/* A string that is all plain ASCII; NULL when it is not, with nothing done. */
static inline const char *json_plain_string(const char *p, const char *end,
                                            pith_slot *slot)
{
    assert(p < end && *p == '"');
    const char *stop = scan_special(p + 1, end);
    size_t len = (size_t)(stop - (p + 1));
    if (stop == end || *stop != '"' || len > SLOT_TEXT_MOST)
        return NULL;
    slot_set(slot, PITH_STRING, 0, p + 1, len);
    return stop + 1;
}

/* A string in quotes; what follows it, or NULL when reading has to stop. */
static ALWAYS_INLINE const char *json_read_text(text_reader *r, const quoted_rules *rules,
                                                const char *p, pith_slot *slot)
{
    const char *rest = json_plain_string(p, r->end, slot);
    return rest ? rest : quoted_read(r, rules, p, r->end, slot);
}

/* True when the key in quotes at `p` is that of the node. */
static inline bool json_matches(const shape_node *node, const char *p, const char *end)
{
    return (size_t)(end - p) > (size_t)node->key.len + SHAPE_MATCH_ROOM &&
           shape_matches(node, p + 1);
}

/* Room for more slots; the end of the tape, with where to ask again in `*limit`, or NULL
 * when reading has to stop. */
pith_slot *json_grow(text_reader *r, pith_slot *at, pith_slot **limit, const char *p);

/* Adds a key, which is in `slot`, to an object of that shape. */
bool json_add_key(text_reader *r, uint16_t *shape, const pith_slot *slot);

/* The text ends inside of something that is open, or before any value. */
void json_bad_end(text_reader *r, const char *what, char missing);
void json_ends_open(text_reader *r, uint32_t open, const char *code_of_nothing);

/* Ends an object without a shape: its last keys go on the tape, which ends at `at`. The
 * end of the tape then, where its limit is too; NULL when reading has to stop. */
pith_slot *json_end_unshaped(text_reader *r, uint32_t count, pith_slot *at);

/* The same for keys that were not compared on the way. */
pith_slot *json_close_unshaped(text_reader *r, uint32_t object, uint32_t count,
                               pith_slot *at);

/* Ends the open container: the end of the tape, or NULL when reading has to stop. */
static inline pith_slot *json_close(text_reader *r, json_place *place, pith_slot *at)
{
    assert(place->open != SLOT_NONE);
    pith_doc *doc = r->doc;
    bool object = json_in_object(place);
    if (object && place->count == 0)
        place->shape = SHAPE_EMPTY;
    if (object && place->shape == SHAPE_NONE) {
        at = json_close_unshaped(r, place->open, place->count, at);
        if (!at)
            return NULL;
    } else if (object && !shapes_list(&doc->shapes, place->shape)) {
        read_failed(r);
        return NULL;
    }
    pith_slot *slot = &doc->slots[place->open];
    slot->shape = object ? place->shape : (uint16_t)SHAPE_NONE;
    slot->n = place->count;
    slot->u.link.next = (uint32_t)(at - doc->slots);
    return at;
}

#endif
