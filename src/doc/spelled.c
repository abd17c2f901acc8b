/*
 * spelled.c - writing the digits of doubles late.
 */
#include "doc/spelled.h"

#include "base/num.h"
#include "doc/typed.h"

#include <assert.h>
#include <math.h>

enum {
    SPELLED_PLACE = 32,
    SPELLED_LEN_AT = SPELLED_PLACE - 1,
    SPELLED_WORDS = SPELLED_PLACE / sizeof(uintptr_t)
};

/* Those without an exponent are written faster, and the same. */
size_t slot_set_spelled(pith_slot *slot, char *to, double number)
{
    double size = fabs(number);
    bool simple = size >= 1e-4 && size < 1e15;
    size_t len = simple ? num_write_double(to, number) : typed_write_double(to, number);
    /* They are the fewest; so they are plain unless they end in ".0". */
    bool plain = simple && to[len - 1] != '0';
    assert(len > 0 && len <= SPELLED_MAX_LEN);
    slot_set(slot, PITH_DECIMAL, plain ? SLOT_CANONICAL : 0, to, len);
    return len;
}

/* ------------------------------------------------------------------- one by one */

bool doc_place_digits(pith_doc *doc)
{
    size_t count = doc->double_count;
    if (count == 0)
        return true;
    if (count > SIZE_MAX / 2 / (SPELLED_PLACE + 1))
        return false;
    char *places = arena_take_aligned(&doc->arena, count * (SPELLED_PLACE + 1));
    if (!places)
        return false;
    doc->digits = places;
    doc->digits_done = (unsigned char *)places + count * SPELLED_PLACE;
    memset(doc->digits_done, 0, count);
    return true;
}

static void spelled_write(char *place, double number)
{
    pith_slot slot;
    place[SPELLED_LEN_AT] = (char)slot_set_spelled(&slot, place, number);
}

#if SPELLED_LATE

/* The memory sanitizer sees that a word is looked at before it is set; that is meant. The
 * thread sanitizer takes an exchange for a write, also when it finds another value than it
 * expected and writes nothing; a word that others read already is never written. */
#if defined(__clang__)
#define SPELLED_NOT_CHECKED __attribute__((no_sanitize("memory", "thread")))
#elif defined(__GNUC__)
#define SPELLED_NOT_CHECKED __attribute__((no_sanitize("thread")))
#else
#define SPELLED_NOT_CHECKED
#endif

/* The first to come sets the word; those who come meanwhile find what they bring. */
static SPELLED_NOT_CHECKED void spelled_share(uintptr_t *word, uintptr_t value)
{
    uintptr_t found = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (found != value)
        __atomic_compare_exchange_n(word, &found, value, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE);
}

/* Nobody waits, so a fork cannot leave a lock behind that nobody opens: each thread that
 * finds no digits finds them itself, and all find the same. A word that is right is never
 * written again, so what is done can be read like any other text. */
pith_text doc_digits(const pith_doc *doc, const pith_slot *slot)
{
    assert(slot_is_double(slot) && slot->n < doc->double_count);
    char *place = doc->digits + (size_t)slot->n * SPELLED_PLACE;
    unsigned char *done = doc->digits_done + slot->n;
    if (!__atomic_load_n(done, __ATOMIC_ACQUIRE)) {
        uintptr_t words[SPELLED_WORDS] = {0};
        spelled_write((char *)words, slot->u.number);
        for (size_t i = 0; i < SPELLED_WORDS; i++)
            spelled_share((uintptr_t *)(void *)place + i, words[i]);
        __atomic_store_n(done, 1, __ATOMIC_RELEASE);
    }
    return text_of(place, (size_t)(unsigned char)place[SPELLED_LEN_AT]);
}

#else

pith_text doc_digits(const pith_doc *doc, const pith_slot *slot)
{
    char *place = doc->digits + (size_t)slot->n * SPELLED_PLACE;
    spelled_write(place, slot->u.number);
    return text_of(place, (size_t)(unsigned char)place[SPELLED_LEN_AT]);
}

#endif

/* ---------------------------------------------------------------- all of a value */

/* Room for digits comes in pieces: what they take is known only when they are there. */
typedef struct spelled_room {
    pith_arena *arena;
    char *at;
    char *end;
} spelled_room;

static bool spelled_copy_double(spelled_room *room, pith_slot *slot)
{
    const size_t piece = 4096;
    if (room->end - room->at < SPELLED_PLACE) {
        room->at = arena_take(room->arena, piece);
        if (!room->at)
            return false;
        room->end = room->at + piece;
    }
    room->at += slot_set_spelled(slot, room->at, slot->u.number);
    return true;
}

static bool spelled_copy_doubles(pith_doc *own)
{
    spelled_room room = {&own->arena, NULL, NULL};
    for (size_t i = 0; i < own->count; i++)
        if (slot_is_double(&own->slots[i]) && !spelled_copy_double(&room, &own->slots[i]))
            return false;
    own->double_count = 0;
    return true;
}

bool spelled_open(spelled_value *value, const pith_doc *doc, uint32_t at,
                  pith_alloc alloc)
{
    assert(at < doc->count);
    pith_doc *own = &value->own;
    value->doc = doc;
    value->at = at;
    if (doc_is_spelled(doc))
        return true;
    value->doc = own;
    value->at = 0;
    if (!doc_copy_tape(own, doc, at, alloc))
        return false;
    if (!spelled_copy_doubles(own)) {
        spelled_close(value);
        return false;
    }
    return true;
}

void spelled_close(spelled_value *value)
{
    if (value->doc == &value->own)
        doc_free_tape(&value->own);
}
