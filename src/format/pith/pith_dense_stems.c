/*
 * pith_dense_stems.c - beginnings that strings share.
 *
 *     https://docs.example.org/en/start     cuts:  https: https:/ https:// https://docs.
 *     https://docs.example.org/en/faq              https://docs.example. ...
 *
 * A beginning ends with a sign. Those of all strings are a tree: each has the next shorter
 * one as its parent, and is told by it and by the bytes that it adds, so that no byte of a
 * string is looked at more than once. A beginning that one string alone has is not taken
 * further, until there is a second.
 */
#include "format/pith/pith_dense.h"

#include "base/utf8.h"

enum { PN_STEM_LEAST = 6, PN_STEM_MOST = 255, PN_STEM_WEIGHT = 8, PN_STEM_COST = 5 };

/* ----------------------------------------------------------------------------- cuts */

/* True for what no stem holds: a mark, a space, a control. */
static bool pn_ends_stems(const char *text, size_t len)
{
    unsigned char byte = (unsigned char)*text;
    if (byte == 0xC2 || byte == 0xE2 || byte == 0xEF)
        return utf8_class(utf8_first(text, len)) &
               (UTF8_CONTROLS | UTF8_BREAKS | UTF8_MARKS);
    return byte == ' ' || pn_is_mark(byte);
}

static bool pn_is_sign(unsigned char byte)
{
    return byte < 0x80 && !scan_is_digit(byte) &&
           (unsigned char)((byte | 0x20) - 'a') >= 26;
}

/* The end of the next longer beginning after `from`; 0 when there is none. */
static uint32_t pn_next_cut(const pith_slot *string, uint32_t from)
{
    const char *text = string->u.text;
    bool wide = string->flags & SLOT_WIDE;
    uint32_t chars = wide ? (uint32_t)utf8_count(text, from) : from;
    for (uint32_t at = from; at + 1 < string->n; at++) {
        if (pn_ends_stems(text + at, string->n - at))
            return 0;
        chars += !utf8_is_continuation(text[at]);
        if (chars > PN_STEM_MOST)
            return 0;
        if (chars >= PN_STEM_LEAST && pn_is_sign((unsigned char)text[at]))
            return at + 1;
    }
    return 0;
}

/* ------------------------------------------------------------------------- the tree */

/* Where the beginning is in the table, or would be: `parent` and the text up to `len`. */
static size_t pn_stem_place(const pn_dense *dense, const char *text, uint32_t len,
                            uint32_t parent, uint32_t hash)
{
    uint32_t from = dense->stem_list.at[parent].len;
    size_t at = hash_first(&dense->stem_table, hash);
    for (; dense->stem_table.at[at] != HASH_NONE;
         at = hash_next(&dense->stem_table, at)) {
        const pn_stem *stem = &dense->stem_list.at[dense->stem_table.at[at]];
        if (stem->hash == hash && stem->parent == parent && stem->len == len &&
            memcmp(stem->text + from, text + from, len - from) == 0)
            break;
    }
    return at;
}

static bool pn_reserve_stem(pn_dense *dense)
{
    const pith_alloc *alloc = &dense->plan->alloc;
    size_t count = dense->stem_list.count;
    bool moved;
    if (count >= UINT32_MAX - 1 || !LIST_RESERVE(&dense->stem_list, alloc, 1) ||
        !hash_table_reserve(&dense->stem_table, alloc, count + 1, &moved))
        return false;
    for (size_t i = 1; moved && i < count; i++)
        hash_enter(&dense->stem_table, dense->stem_list.at[i].hash, (uint32_t)i);
    return true;
}

/* Adds a string to a beginning, `times` over; its number in `*number`. `*found` tells
 * whether other strings have it. False when out of memory. */
static bool pn_add_beginning(pn_dense *dense, uint32_t class, uint32_t len,
                             uint32_t times, uint32_t *number, bool *found)
{
    const pith_slot *string = &dense->doc->slots[dense->classes.at[class].slot];
    const char *text = string->u.text;
    uint32_t parent = dense->classes.at[class].stem;
    if (!pn_reserve_stem(dense))
        return false;
    uint32_t from = dense->stem_list.at[parent].len;
    uint32_t hash = (uint32_t)hash_text(hash_seed_of(dense->doc->shapes.seed, parent),
                                        text + from, len - from);
    size_t place = pn_stem_place(dense, text, len, parent, hash);
    *number = dense->stem_table.at[place];
    *found = *number != HASH_NONE;
    if (!*found) {
        *number = (uint32_t)dense->stem_list.count++;
        dense->stem_table.at[place] = *number;
        dense->stem_list.at[*number] = (pn_stem){.text = text,
                                                 .parent = parent,
                                                 .hash = hash,
                                                 .only = PN_NO_CLASS,
                                                 .len = (uint16_t)len};
    }
    dense->stem_list.at[*number].count += times;
    dense->classes.at[class].stem = *number;
    return true;
}

/* Takes the string that was alone at a beginning one further. */
static bool pn_take_further(pn_dense *dense, uint32_t number)
{
    uint32_t class = dense->stem_list.at[number].only;
    bool found;
    if (class == PN_NO_CLASS)
        return true;
    dense->stem_list.at[number].only = PN_NO_CLASS;
    const pith_slot *string = &dense->doc->slots[dense->classes.at[class].slot];
    uint32_t cut = pn_next_cut(string, dense->stem_list.at[number].len);
    if (cut == 0)
        return true;
    if (!pn_add_beginning(dense, class, cut, 1, &number, &found))
        return false;
    dense->stem_list.at[number].only = class;
    return true;
}

/* Adds all beginnings of a string that is written so many times. */
static bool pn_add_string(pn_dense *dense, uint32_t class, uint32_t times)
{
    const pith_slot *string = &dense->doc->slots[dense->classes.at[class].slot];
    uint32_t number;
    bool found;
    dense->classes.at[class].stem = PN_NO_STEM;
    for (uint32_t cut = pn_next_cut(string, 0); cut > 0; cut = pn_next_cut(string, cut)) {
        if (!pn_add_beginning(dense, class, cut, times, &number, &found))
            return false;
        if (found && !pn_take_further(dense, number))
            return false;
        if (!found && times == 1) {
            dense->stem_list.at[number].only = class;
            return true;
        }
    }
    return true;
}

/* -------------------------------------------------------------------------- choosing */

/* From short to long: `best` of each becomes the longest candidate up to it. */
static void pn_find_candidates(pn_dense *dense)
{
    pn_stem *stems = dense->stem_list.at;
    size_t count = dense->stem_list.count;
    for (size_t i = 1; i < count; i++)
        if (stems[i].count == stems[stems[i].parent].count)
            stems[stems[i].parent].longer = true;
    for (size_t i = 1; i < count; i++) {
        pn_stem *stem = &stems[i];
        stem->weight = stems[stem->parent].weight;
        stem->best = stems[stem->parent].best;
        if (stem->count < 2 || stem->longer)
            continue;
        int64_t weight = pn_weigh(stem->text, stem->len);
        int64_t within = stem->weight;
        if (weight >= PN_STEM_WEIGHT &&
            (int64_t)(stem->count - 1) * (weight - within) > 4 + within) {
            stem->weight = (uint32_t)weight;
            stem->best = (uint32_t)i;
        }
    }
}

/* The strings of a class that stems are sought for: how often they are written out. */
static uint32_t pn_times_written(const pn_dense *dense, const pn_class *class)
{
    if (dense->doc->slots[class->slot].kind != PITH_STRING || class->places == 0)
        return 0;
    return class->named ? 1 : class->places;
}

/* Then `best` becomes the longest that is kept. */
static void pn_keep_stems(pn_dense *dense)
{
    pn_stem *stems = dense->stem_list.at;
    for (size_t i = 0; i < dense->classes.count; i++) {
        const pn_class *class = &dense->classes.at[i];
        stems[stems[class->stem].best].uses += pn_times_written(dense, class);
    }
    for (size_t i = 1; i < dense->stem_list.count; i++) {
        pn_stem *stem = &stems[i];
        bool kept =
            stem->best == i &&
            ((int64_t)stem->uses - 1) * ((int64_t)stem->weight - PN_STEM_COST) > 8;
        stem->best = kept ? (uint32_t)i : stems[stem->parent].best;
        dense->used = dense->used || kept;
    }
    for (size_t i = 0; i < dense->classes.count; i++) {
        pn_class *class = &dense->classes.at[i];
        class->stem = stems[class->stem].best;
    }
}

bool pn_find_stems(pn_dense *dense)
{
    pn_stem *empty = LIST_ADD(&dense->stem_list, &dense->plan->alloc);
    if (!empty)
        return false;
    *empty = (pn_stem){.only = PN_NO_CLASS, .weight = PN_STEM_COST};
    for (size_t i = 0; i < dense->classes.count; i++) {
        uint32_t times = pn_times_written(dense, &dense->classes.at[i]);
        if (times > 0 && !pn_add_string(dense, (uint32_t)i, times))
            return false;
    }
    pn_find_candidates(dense);
    pn_keep_stems(dense);
    return true;
}
