/*
 * pith_weight.c - what a text weighs: an estimate of its tokens, in halves.
 *
 *     https://ci.example.org/job/101
 *     2    2  22      22  2  2 2 2
 *
 * Two for each word (capitals, then small letters) and two more for each full eight
 * letters after its first; two for each one to three digits, bytes beyond ASCII, or other
 * signs. White space weighs nothing. A text is weighed as it is written, with quotes and
 * escapes if it needs them.
 */
#include "format/pith/pith_dense.h"

/* The kinds of bytes: what one unit of weight pays for ends where the kind changes, but
 * small letters go on with the word that capitals began. */
enum { PN_SPACE, PN_CAPITAL, PN_SMALL, PN_DIGIT, PN_WIDE, PN_SIGN };

static const uint8_t pn_kinds[256] = {
    5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
    5, 5, 5, 0, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    5, 5, 5, 5, 5, 5, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
};

/* A text that is weighed from left to right. */
typedef struct pn_scale {
    uint32_t weight;
    unsigned last;  /* the kind of the last byte */
    unsigned count; /* so many bytes of what was paid for last */
} pn_scale;

static inline void pn_add(pn_scale *scale, const char *text, size_t len)
{
    static const uint8_t reach[] = {0xFF, 8, 8, 3, 3, 3};
    unsigned last = scale->last;
    unsigned count = scale->count;
    uint32_t weight = scale->weight;
    for (size_t i = 0; i < len; i++) {
        unsigned kind = pn_kinds[(unsigned char)text[i]];
        bool on = kind == last || (kind == PN_SMALL && last == PN_CAPITAL);
        count = on && count < reach[kind] ? count + 1 : 1;
        weight += count == 1 && kind != PN_SPACE ? 2 : 0;
        last = kind;
    }
    scale->weight = weight < PN_WEIGHT_MOST ? weight : PN_WEIGHT_MOST;
    scale->last = last;
    scale->count = count;
}

/* The same for a whole text, run by run. */
uint32_t pn_weigh(const char *text, size_t len)
{
    const unsigned char *at = (const unsigned char *)text;
    const unsigned char *end = at + len;
    size_t units = 0;
    while (at < end) {
        const unsigned char *from = at;
        unsigned kind = pn_kinds[*at++];
        while (at < end && pn_kinds[*at] == kind)
            at++;
        while (kind == PN_CAPITAL && at < end && pn_kinds[*at] == PN_SMALL)
            at++;
        size_t run = (size_t)(at - from);
        if (kind > PN_SMALL)
            units += (run + 2) / 3;
        else if (kind != PN_SPACE)
            units += 1 + (run - 1) / 8;
    }
    return units < PN_WEIGHT_MOST / 2 ? (uint32_t)(2 * units) : PN_WEIGHT_MOST;
}

uint32_t pn_weigh_joined(const char *text, size_t len, const char *more, size_t more_len)
{
    pn_scale scale = {0, PN_SPACE, 0};
    pn_add(&scale, text, len);
    pn_add(&scale, more, more_len);
    return scale.weight;
}

uint32_t pn_weigh_quoted(const char *text, size_t len)
{
    pn_scale scale = {0, PN_SPACE, 0};
    char escape[LEX_ESCAPE_MAX_LEN];
    const char *end = text + len;
    pn_add(&scale, "\"", 1);
    while (text < end) {
        const char *stop = scan_stop(text, end);
        pn_add(&scale, text, (size_t)(stop - text));
        if (stop < end)
            pn_add(&scale, escape, lex_write_escape((unsigned char)*stop++, escape));
        text = stop;
    }
    pn_add(&scale, "\"", 1);
    return scale.weight;
}

uint32_t pn_weigh_key(const pith_key *key)
{
    return pn_is_bare_key(key) ? pn_weigh(key->text, key->len)
                               : pn_weigh_quoted(key->text, key->len);
}
