/*
 * slot.h - the 16 bytes that hold a value, and the 16 that hold a key.
 *
 * A document is a tape: one array of slots in document order.
 *
 *     byte  0      1       2-3     4-7                    8-15
 *         +------+-------+-------+----------------------+-----------------------+
 *         | kind | flags | shape | n: bytes or children | text, or next, parent |
 *         +------+-------+-------+----------------------+-----------------------+
 *
 *     {"id":7,"tags":["a","b"]}
 *
 *      0 OBJECT  n=2 next=5 parent=- shape=9     shape 9: id, tags
 *      1 INTEGER "7"
 *      2 ARRAY   n=2 next=5 parent=0
 *      3 STRING  "a"
 *      4 STRING  "b"
 *
 * Only values are on the tape. The keys of an object are a list of their own, and
 * objects with the same keys in the same order share it: that is their shape (see
 * shape.h). A thousand equal rows are a thousand runs of values and one list. An
 * object without a shape, because it is too wide or too unlike the others, has its
 * own list, and the last slot of its run points at it:
 *
 *      0 OBJECT  n=2 next=4 parent=- shape=none
 *      1 INTEGER "7"
 *      2 STRING  "a"
 *      3 KEYS    -> id, name
 *
 * `next` is the slot after the container's last, so skipping a subtree is one step;
 * `parent` is the container it stands in, which makes the tape its own stack:
 * nothing that walks or builds one recurses.
 *
 * Text points into the input wherever the input spells it as it is, and into the
 * document's arena where it had to change. Numbers are their digits; null, false and
 * true have their word as text, so that every scalar can be copied. What a reader
 * learned on the way is kept in the flags: of a string, whether it holds anything
 * that JSON would escape; of a number, whether its digits are canonical already.
 *
 * A decimal that was read from a binary format may be a double instead: see spelled.h.
 */
#ifndef DOC_SLOT_H
#define DOC_SLOT_H

#include "pith.h"

#include <assert.h>
#include <string.h>

#define SLOT_NONE UINT32_MAX /* no such slot */

/* What numbers of 32 bits can count. A build may set less, as the one does that tests
 * what happens there: see docs/limits.md. */
#ifndef SLOT_TEXT_MOST
#define SLOT_TEXT_MOST UINT32_MAX /* bytes in a text */
#endif
#ifndef SLOT_COUNT_MOST
#define SLOT_COUNT_MOST (UINT32_MAX - 1) /* slots in a document */
#endif

/* Flags of strings and keys. */
enum {
    SLOT_ESCAPE = 1, /* holds a quote, a backslash or a control character */
    SLOT_WIDE = 2,   /* holds something beyond ASCII */

    /* Any text: fewer than 16 bytes can be read from its start. Everywhere else a
     * short text may be copied in one move of 16 bytes. */
    SLOT_NEAR_END = 0x80,

    /* Any value: it is more than it looks like in JSON. A string is bytes in base64
     * ("b64:AA==") or a float that is no number ("NaN", "Inf", "-Inf"), an array is a
     * vector of floats, an object is a reference to a row ({"$ref":"users","id":42}).
     * Formats that know such values look at the flag; to all others they are what
     * they look like. */
    SLOT_TYPED = 0x40
};

/* Of containers and strings: more of it may come. See format/answer/answer_live.c. */
enum { SLOT_PARTIAL = 0x10 };

/* Flags of numbers. */
enum {
    SLOT_CANONICAL = 1, /* canonical digits already: see lex_read_number */
    SLOT_DOUBLE = 0x20  /* a decimal that is a double and has no text: see spelled.h */
};

/* Flags of objects that are open: see cells.h. */
enum {
    SLOT_FILLING = 1, /* all keys are known, and the last value closes it */
    SLOT_GAPS = 2     /* and some have no value */
};

/* Kinds beyond pith_kind. */
enum {
    SLOT_KEYS = 0x40,  /* ends an object without a shape: its keys */
    SLOT_MOVED = 0x41, /* only while duplicate keys are merged: see equal_keys.c */
    SLOT_ABSENT = 0x42 /* only in an open object with gaps: there is no value */
};

typedef struct pith_key {
    const char *text;
    uint32_t len;
    uint8_t flags; /* SLOT_ESCAPE, SLOT_WIDE, SLOT_NEAR_END */
    uint8_t dead;  /* only while duplicate keys are merged */
} pith_key;

typedef struct pith_slot {
    uint8_t kind;
    uint8_t flags;
    uint16_t shape; /* of an object; 0 for none */
    uint32_t n;
    union {
        const char *text;
        const pith_key *keys;
        double number; /* with SLOT_DOUBLE */
        struct {
            uint32_t next;
            uint32_t parent;
        } link;
    } u;
} pith_slot;

/* Makes a slot a scalar. */
static inline void slot_set(pith_slot *slot, pith_kind kind, uint8_t flags,
                            const char *text, size_t len)
{
    slot->kind = (uint8_t)kind;
    slot->flags = flags;
    slot->shape = 0;
    slot->n = (uint32_t)len;
    slot->u.text = text;
}

/* Makes a slot null, false or true. Of the word that is its text 16 bytes can be read. */
static inline void slot_set_word(pith_slot *slot, pith_kind kind)
{
    static const char words[3][16] = {"null", "false", "true"};
    assert(kind >= PITH_NULL && kind <= PITH_TRUE);
    slot_set(slot, kind, 0, words[kind - PITH_NULL], kind == PITH_FALSE ? 5 : 4);
}

static inline bool slot_is_container(const pith_slot *slot)
{
    return slot->kind == PITH_ARRAY || slot->kind == PITH_OBJECT;
}

/* The text of a scalar, in a document without doubles. */
static inline pith_text slot_text(const pith_slot *slot)
{
    assert(!slot_is_container(slot));
    assert(slot->kind != PITH_DECIMAL || !(slot->flags & SLOT_DOUBLE));
    pith_text text = {slot->u.text, slot->n};
    return text;
}

/* Copies a text to `to`; the end of it. One of up to 16 bytes is copied in one move, which
 * may write past its end: there must be room for that. One of up to 32 takes two, which
 * may overlap. */
static inline char *slot_copy_text(char *to, const char *text, size_t len, uint8_t flags)
{
    if (len <= 16 && !(flags & SLOT_NEAR_END)) {
        memcpy(to, text, 16);
    } else if (len >= 16 && len <= 32) {
        memcpy(to, text, 16);
        memcpy(to + len - 16, text + len - 16, 16);
    } else {
        memcpy(to, text, len);
    }
    return to + len;
}

static inline pith_text key_text(const pith_key *key)
{
    pith_text text = {key->text, key->len};
    return text;
}

static inline bool key_equal(const pith_key *a, const pith_key *b)
{
    return a->len == b->len &&
           (a->len == 0 || a->text == b->text || memcmp(a->text, b->text, a->len) == 0);
}

#endif
