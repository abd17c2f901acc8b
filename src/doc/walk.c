/*
 * walk.c - the values of a document in batches.
 *
 * The tape has the order in which a walk goes, so this is one pass over slots: each but the
 * lists of keys becomes an event. Who wants the values of a row looks at `len` and counts.
 */
#include "base/num.h"
#include "doc/doc.h"
#include "doc/spelled.h"
#include "doc/typed.h"

void pith_walk_begin(pith_walk *walk, pith_value value, unsigned flags)
{
    walk->doc = value.doc;
    walk->at = value.at;
    walk->end = value.doc ? doc_after_at(value.doc, value.at) : value.at;
    walk->flags = flags;
}

static inline void walk_set_text(pith_event *event, pith_text text, uint8_t flags)
{
    event->flags = flags;
    event->len = text.len;
    event->u.text = text.ptr;
}

/* Most numbers are short, and their digits are in a run. */
static inline void walk_integer(pith_event *event, const pith_slot *slot, unsigned flags)
{
    int64_t number;
    event->len = 0;
    if (!(flags & PITH_WALK_DIGITS) && num_to_int64(slot_text(slot), &number))
        event->u.integer = number;
    else
        walk_set_text(event, slot_text(slot), PITH_EVENT_DIGITS);
}

static inline void walk_decimal(pith_event *event, const pith_doc *doc,
                                const pith_slot *slot, unsigned flags)
{
    event->len = 0;
    if (!(flags & PITH_WALK_DIGITS))
        event->u.number = typed_double(slot);
    else if (slot_is_double(slot))
        walk_set_text(event, doc_digits(doc, slot), PITH_EVENT_DIGITS);
    else
        walk_set_text(event, slot_text(slot), PITH_EVENT_DIGITS);
}

size_t pith_walk_next(pith_walk *walk, pith_event *events, size_t room)
{
    const pith_doc *doc = walk->doc;
    pith_event *event = events;
    uint32_t at = walk->at;
    for (; at < walk->end && (size_t)(event - events) < room; at++) {
        const pith_slot *slot = &doc->slots[at];
        if (slot->kind == SLOT_KEYS)
            continue;
        event->kind = slot->kind;
        event->flags = 0;
        event->type = slot->flags & SLOT_TYPED ? (uint8_t)typed_of(slot) : 0;
        event->zero = 0;
        event->shape = 0;
        switch (slot->kind) {
        case PITH_STRING:
            walk_set_text(event, slot_text(slot),
                          slot->flags & SLOT_WIDE ? 0 : PITH_EVENT_ASCII);
            break;
        case PITH_INTEGER:
            walk_integer(event, slot, walk->flags);
            break;
        case PITH_DECIMAL:
            walk_decimal(event, doc, slot, walk->flags);
            break;
        case PITH_ARRAY:
        case PITH_OBJECT:
            event->shape = slot->shape;
            event->len = slot->n;
            event->u.place = at;
            break;
        default:
            event->len = 0;
            event->u.integer = 0;
            break;
        }
        event++;
    }
    walk->at = at;
    return (size_t)(event - events);
}

size_t pith_walk_keys(const pith_walk *walk, const pith_event *object, pith_text *keys,
                      size_t room)
{
    if (object->kind != PITH_OBJECT)
        return 0;
    const pith_slot *slot = &walk->doc->slots[object->u.place];
    const pith_key *list = doc_keys(walk->doc, slot);
    for (size_t i = 0; i < slot->n && i < room; i++)
        keys[i] = key_text(&list[i]);
    return slot->n;
}
