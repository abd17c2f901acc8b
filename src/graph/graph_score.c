/*
 * graph_score.c - scores: two decimals for the wire, all digits for a root.
 *
 * Two decimals are those of the double nearest to the digits, rounded half to even as
 * printf rounds, but without the locale and the rounding mode. A double is m 2^e. What is
 * after its point is f / 2^s with f below 2^53, so f times 100 still fits 64 bits and
 * the hundredths and what remains of them are exact:
 *
 *     0.125  =  1 / 2^3      100 / 8  =  12 and 4/8      a tie: 12 is even and stays
 *
 * Scores beyond 2^64 have nothing after the point; their digits come from doubling in
 * groups of nine digits.
 */
#include "base/decimal.h"
#include "base/num.h"
#include "graph/graph.h"

#include <math.h>

#ifndef PITH_OMIT_GRAPHS

enum {
    SCORE_MANTISSA_BITS = 53,
    SCORE_GROUP = 1000000000, /* nine digits to a group */
    SCORE_GROUP_DIGITS = 9,
    SCORE_GROUPS = 36 /* enough for 2^1024 */
};

/* The digits of mantissa times 2^shift. */
static size_t score_write_large(char *to, uint64_t mantissa, int shift)
{
    uint32_t groups[SCORE_GROUPS] = {0};
    size_t count = 0;
    while (mantissa > 0) {
        groups[count++] = (uint32_t)(mantissa % SCORE_GROUP);
        mantissa /= SCORE_GROUP;
    }
    for (; shift > 0; shift--) {
        uint32_t carry = 0;
        for (size_t i = 0; i < count; i++) {
            uint32_t twice = 2 * groups[i] + carry;
            carry = twice >= SCORE_GROUP;
            groups[i] = twice - carry * SCORE_GROUP;
        }
        if (carry)
            groups[count++] = 1;
    }
    size_t len = num_write_uint64(to, groups[count - 1]);
    for (size_t i = count - 1; i-- > 0;) {
        uint32_t rest = groups[i];
        for (size_t digit = SCORE_GROUP_DIGITS; digit-- > 0;) {
            to[len + digit] = (char)('0' + rest % 10);
            rest /= 10;
        }
        len += SCORE_GROUP_DIGITS;
    }
    return len;
}

/* Hundredths of mantissa / 2^shift, which is below 1, half to even; 100 when it rounds up
 * to the next whole. */
static unsigned score_hundredths(uint64_t mantissa, int shift)
{
    uint64_t hundred = mantissa * 100;
    if (shift == 0 || shift > 63)
        return 0; /* nothing is after the point, or less than 2^60 / 2^64 */
    uint64_t whole = hundred >> shift;
    uint64_t rest = hundred & ((UINT64_C(1) << shift) - 1);
    uint64_t half = UINT64_C(1) << (shift - 1);
    bool up = rest > half || (rest == half && (whole & 1));
    return (unsigned)(whole + up);
}

size_t graph_write_score(char *to, pith_text score)
{
    double number = num_to_double(score);
    size_t len = 0;
    int exponent;
    if (signbit(number)) {
        to[len++] = '-';
        number = -number;
    }
    double fraction = frexp(number, &exponent);
    uint64_t mantissa = (uint64_t)ldexp(fraction, SCORE_MANTISSA_BITS);
    int shift = SCORE_MANTISSA_BITS - exponent; /* the number is mantissa / 2^shift */
    unsigned hundredths = 0;
    if (mantissa > 0 && shift <= 0) {
        len += score_write_large(to + len, mantissa, -shift);
    } else {
        uint64_t whole = shift > 63 ? 0 : mantissa >> shift;
        uint64_t after = shift > 63 ? mantissa : mantissa & ((UINT64_C(1) << shift) - 1);
        hundredths = score_hundredths(after, shift);
        if (hundredths == 100) {
            hundredths = 0;
            whole++;
        }
        len += num_write_uint64(to + len, whole);
    }
    to[len++] = '.';
    to[len++] = (char)('0' + hundredths / 10);
    to[len++] = (char)('0' + hundredths % 10);
    return len;
}

size_t graph_write_canonical(char *to, pith_text score)
{
    int64_t whole;
    return num_to_int64(score, &whole) ? num_write_int64(to, whole)
                                       : decimal_write(to, score);
}

/* The two decimals without the zeros after them: "0.9", "1". */
static size_t score_trim(const char *score, size_t len)
{
    while (score[len - 1] == '0')
        len--;
    return score[len - 1] == '.' ? len - 1 : len;
}

/* 0.78 */
static bool score_is_short(pith_text score)
{
    return score.len <= 4 && score.len > 2 && score.ptr[score.len - 1] != '0' &&
           score.ptr[1] == '.';
}

/* The shortest digits of the two decimals, in `digits`. */
static pith_text score_settled(char digits[GRAPH_SCORE_MAX_LEN], pith_text score)
{
    size_t len = graph_write_score(digits, score);
    len = score_trim(digits, len);
    return len == 2 && memcmp(digits, "-0", 2) == 0 ? text_of("0", 1)
                                                    : text_of(digits, len);
}

bool graph_score_is_settled(pith_text score)
{
    char digits[GRAPH_SCORE_MAX_LEN];
    return score_is_short(score) ||
           num_to_double(score_settled(digits, score)) == num_to_double(score);
}

bool graph_settle(code_graph *graph)
{
    char score[GRAPH_SCORE_MAX_LEN];
    for (size_t i = 0; i < graph->symbols.count; i++) {
        graph_symbol *symbol = &graph->symbols.at[i];
        if (score_is_short(graph_score(symbol)))
            continue;
        pith_text settled = score_settled(score, graph_score(symbol));
        if (text_equal(settled, graph_score(symbol)))
            continue;
        const char *copy = arena_copy(&graph->arena, settled.ptr, settled.len);
        if (!copy)
            return false;
        symbol->score = copy;
        symbol->score_len = (uint32_t)settled.len;
    }
    return true;
}

#endif
