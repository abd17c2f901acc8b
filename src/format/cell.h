/*
 * cell.h - the cell of a line, as GCF and TOON read it.
 *
 * This is where the time goes. A cell is looked at once: its first byte says whether it
 * may be a number or is quoted; otherwise one search, 16 bytes at a time, finds its end,
 * and if nothing but plain ASCII was met on the way, which is the rule, that is all there
 * is to know about it. A line feed is no plain ASCII, so the search may run on to the end
 * of the input and needs no care at the end of a line.
 */
#ifndef FORMAT_CELL_H
#define FORMAT_CELL_H

#include "base/lex.h"
#include "doc/slot.h"

/* true, false, with `null` also null, or a string. */
static inline pith_kind cell_word(const char *at, size_t len, bool null)
{
    if (len == 4 && *at == 't' && memcmp(at, "true", 4) == 0)
        return PITH_TRUE;
    if (len == 5 && *at == 'f' && memcmp(at, "false", 5) == 0)
        return PITH_FALSE;
    return null && len == 4 && *at == 'n' && memcmp(at, "null", 4) == 0 ? PITH_NULL
                                                                        : PITH_STRING;
}

/* What a token is by its spelling: a number as JSON has them, a word, or a string. `*flags`
 * are those of a string. */
static inline pith_kind cell_kind(const char *at, size_t len, bool null, uint8_t *flags)
{
    char first = len ? *at : '\0';
    pith_kind kind = PITH_STRING;
    if (scan_is_digit((unsigned char)first) || first == '-') {
        lex_number number = lex_read_number(at, at + len);
        if (number.end == at + len) {
            *flags = number.plain ? SLOT_CANONICAL : 0;
            return number.decimal ? PITH_DECIMAL : PITH_INTEGER;
        }
    } else if (first == 't' || first == 'f' || first == 'n') {
        kind = cell_word(at, len, null);
        *flags = kind == PITH_STRING ? *flags : 0;
    }
    return kind;
}

/* Reads the cell at `at`, which is before the end of its line, into a slot if it is of a
 * common kind; where it ends: at a delimiter or at `end`. NULL for any other, and for one
 * with blanks around it. `limit` is the end of the input; `null`: so is null a word.
 * `*unsure` is set for a number that is not plain. */
static ALWAYS_INLINE const char *cell_read(const char *at, const char *end,
                                           const char *limit, char delimiter, bool null,
                                           pith_slot *slot, bool *unsure)
{
    assert(at < end && end <= limit);
    unsigned char first = (unsigned char)*at;
    const char *stop;
    if (scan_is_digit(first) || first == '-') {
        lex_number number = lex_read_number(at, limit);
        stop = number.end;
        if (stop && (stop == end || *stop == delimiter)) {
            slot_set(slot, number.decimal ? PITH_DECIMAL : PITH_INTEGER,
                     number.plain ? SLOT_CANONICAL : 0, at, (size_t)(stop - at));
            *unsure = !number.plain;
            return stop;
        }
    } else if (first == '"') {
        stop = scan_special(at + 1, limit);
        bool whole =
            stop < end && *stop == '"' && (stop + 1 == end || stop[1] == delimiter);
        slot_set(slot, PITH_STRING, 0, at + 1, (size_t)(stop - (at + 1)));
        return whole ? stop + 1 : NULL;
    }
    stop =
        scan_to(SCAN_SET(SCAN_QUOTES | SCAN_CONTROLS | SCAN_WIDE, delimiter), at, limit);
    stop = stop < end ? stop : end;
    if (first <= ' ' || (stop < end && *stop != delimiter) ||
        (stop > at && stop[-1] == ' '))
        return NULL;
    size_t len = (size_t)(stop - at);
    bool word = first == 't' || first == 'f' || (null && first == 'n');
    slot_set(slot, word ? cell_word(at, len, null) : PITH_STRING, 0, at, len);
    return stop;
}

#endif
