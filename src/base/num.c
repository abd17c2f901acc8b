/*
 * num.c - exact conversions between decimal digits and binary numbers.
 *
 * Both directions of a double meet the same difficulty: powers of ten are not powers of
 * two. Both meet it the same way: multiply by a power of ten that is good to 128 bits
 * (num_table.h), know on which side the error lies and how large it can be, and see
 * whether that leaves any doubt.
 *
 * Reading (after Eisel and Lemire, "Number parsing at a gigabyte per second", 2021). The
 * first 19 digits fit a word; word times power is a 192-bit product whose leading bits
 * are the double's. The rest of the bits say how to round, and there is doubt in one
 * case only: they stand at one half exactly. Then, and when digits after the 19th could
 * matter, the digits are compared with the point halfway between the two doubles in
 * question, as integers of a few thousand bits.
 *
 * Writing (after Giulietti, "The Schubfach way to render doubles", 2021). The numbers
 * that read back as v form an interval around v. Scaled by the power of ten for which
 * its width is in [1, 10), the interval holds at least one integer and at most one
 * multiple of ten. A multiple of ten is the shortest decimal; otherwise the integer
 * nearest to v is. Here the 128 bits never leave doubt, and tools/gen_num_table.py
 * --check proves it for every exponent.
 *
 * A number with at most six digits after the point, as most have that people write, is
 * found by one multiplication of integers before any of that: see num_millionths.
 *
 * For few digits and a small exponent, one floating-point multiplication or division
 * gives the nearest double (Clinger, 1990). As a fast path it saved a third of the time
 * on numbers such as 9880.87. It is left out because it is right only in the default
 * rounding mode, in a build that keeps to double precision and without -ffast-math: a
 * library does not choose its surroundings, and integers work in all of them.
 */
#include "base/num.h"

#include "base/num_table.h"

#include <assert.h>
#include <string.h>

enum {
    NUM_MANTISSA_BITS = 52, /* of a double, without the leading 1 */
    NUM_EXPONENT_BIAS = 1023,
    NUM_EXPONENT_SPECIAL = 2047,  /* of infinities and NaN, with the bias */
    NUM_FLOAT_MANTISSA_BITS = 23, /* the same of a float */
    NUM_FLOAT_EXPONENT_BIAS = 127,
    NUM_FLOAT_EXPONENT_SPECIAL = 255,
    NUM_WORD_DIGITS = 19 /* that many digits always fit 64 bits */
};

static const uint64_t num_hidden_bit = UINT64_C(1) << NUM_MANTISSA_BITS;
static const uint64_t num_infinity_bits = UINT64_C(2047) << NUM_MANTISSA_BITS;

static const uint64_t num_small_powers_of_ten[NUM_WORD_DIGITS + 1] = {
    UINT64_C(1),
    UINT64_C(10),
    UINT64_C(100),
    UINT64_C(1000),
    UINT64_C(10000),
    UINT64_C(100000),
    UINT64_C(1000000),
    UINT64_C(10000000),
    UINT64_C(100000000),
    UINT64_C(1000000000),
    UINT64_C(10000000000),
    UINT64_C(100000000000),
    UINT64_C(1000000000000),
    UINT64_C(10000000000000),
    UINT64_C(100000000000000),
    UINT64_C(1000000000000000),
    UINT64_C(10000000000000000),
    UINT64_C(100000000000000000),
    UINT64_C(1000000000000000000),
    UINT64_C(10000000000000000000),
};

/* ----------------------------------------------------------------- wide products */

typedef struct num_wide {
    uint64_t high, low;
} num_wide;

/* NUM_PORTABLE leaves compiler extensions out, for tests of the other branch. */
#if defined(__SIZEOF_INT128__) && !defined(NUM_PORTABLE)

__extension__ typedef unsigned __int128 num_uint128;

static inline num_wide num_multiply(uint64_t a, uint64_t b)
{
    num_uint128 product = (num_uint128)a * b;
    num_wide wide = {(uint64_t)(product >> 64), (uint64_t)product};
    return wide;
}

#else

static inline num_wide num_multiply(uint64_t a, uint64_t b)
{
    const uint64_t mask = 0xFFFFFFFFu;
    uint64_t low = (a & mask) * (b & mask);
    uint64_t cross = (a >> 32) * (b & mask) + (low >> 32);
    uint64_t other = (a & mask) * (b >> 32) + (cross & mask);
    num_wide wide = {(a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32),
                     (other << 32) | (low & mask)};
    return wide;
}

#endif

static inline int num_leading_zeros(uint64_t number)
{
    assert(number != 0);
#if defined(__GNUC__) && !defined(NUM_PORTABLE)
    return __builtin_clzll(number);
#else
    int zeros = 0;
    for (; !(number >> 63); number <<= 1)
        zeros++;
    return zeros;
#endif
}

/* 192 bits. */
typedef struct num_product {
    uint64_t high, middle, low;
} num_product;

/* factor * g for the g of 10^power: too large, by less than `factor`. */
static inline num_product num_times_power(uint64_t factor, int power)
{
    assert(power >= NUM_POWER_LEAST && power <= NUM_POWER_MOST);
    const uint64_t *g = num_powers_of_ten[power - NUM_POWER_LEAST];
    num_wide upper = num_multiply(factor, g[0]);
    num_wide lower = num_multiply(factor, g[1]);
    uint64_t middle = upper.low + lower.high;
    num_product product = {upper.high + (middle < upper.low), middle, lower.low};
    return product;
}

/* floor(log2(10^power)) within the table. The biases here and below keep what is
 * shifted positive: C leaves the shift of a negative number to the compiler. */
static inline int num_log2_of_ten_to(int power)
{
    return ((power * 217706 + (2048 << 16)) >> 16) - 2048;
}

static double num_from_bits(uint64_t bits, bool negative)
{
    double number;
    bits |= (uint64_t)negative << 63;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* ---------------------------------------------------------------- reading digits */

static inline bool num_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Eight characters as a word, the first in the lowest byte whatever the machine's
 * order is; compilers make one load of it. */
static inline uint64_t num_load_eight(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    return (uint64_t)s[0] | (uint64_t)s[1] << 8 | (uint64_t)s[2] << 16 |
           (uint64_t)s[3] << 24 | (uint64_t)s[4] << 32 | (uint64_t)s[5] << 40 |
           (uint64_t)s[6] << 48 | (uint64_t)s[7] << 56;
}

/* A digit has 3 in its upper half, and still has when 6 is added. A carry into the
 * next byte comes only from a byte that fails the first test. */
static inline bool num_are_eight_digits(uint64_t word)
{
    const uint64_t upper = UINT64_C(0xF0F0F0F0F0F0F0F0);
    const uint64_t threes = UINT64_C(0x3030303030303030);
    uint64_t plus_six = word + UINT64_C(0x0606060606060606);
    return (word & upper) == threes && (plus_six & upper) == threes;
}

/* Neighbours join: digits to pairs, pairs to fours, fours to the eight. */
static inline uint64_t num_join_eight(uint64_t word)
{
    word -= UINT64_C(0x3030303030303030);
    word = (word * 10 + (word >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
    word = (word * 100 + (word >> 16)) & UINT64_C(0x0000FFFF0000FFFF);
    return (word * 10000 + (word >> 32)) & UINT64_C(0xFFFFFFFF);
}

/* Appends the digits at `at` to `*number`, which wraps around when they are too many,
 * and returns the place after them. */
static inline const char *num_take_digits(const char *at, const char *end,
                                          uint64_t *number)
{
    uint64_t sum = *number;
    while (end - at >= 8) {
        uint64_t word = num_load_eight(at);
        if (!num_are_eight_digits(word))
            break;
        sum = sum * 100000000u + num_join_eight(word);
        at += 8;
    }
    for (; at < end && num_is_digit(*at); at++)
        sum = sum * 10 + (uint64_t)(*at - '0');
    *number = sum;
    return at;
}

/* The exponent whose sign or first digit is at `at`. */
static int64_t num_read_exponent(const char *at, const char *end)
{
    bool negative = *at == '-';
    uint64_t size = 0;
    for (at += negative || *at == '+'; at < end; at++) {
        size = size * 10 + (uint64_t)(*at - '0');
        if (size > NUM_EXPONENT_MOST)
            size = NUM_EXPONENT_MOST;
    }
    return negative ? -(int64_t)size : (int64_t)size;
}

static const char *num_skip_digits(const char *at, const char *end)
{
    while (at < end && num_is_digit(*at))
        at++;
    return at;
}

static pith_text num_span(const char *from, const char *to)
{
    pith_text span = {from, (size_t)(to - from)};
    return span;
}

static pith_text num_without_leading_zeros(pith_text digits)
{
    while (digits.len && digits.ptr[0] == '0') {
        digits.ptr++;
        digits.len--;
    }
    return digits;
}

static pith_text num_without_trailing_zeros(pith_text digits)
{
    while (digits.len && digits.ptr[digits.len - 1] == '0')
        digits.len--;
    return digits;
}

/* Finds the significant digits in `whole` and `fraction`, and the magnitude. */
static void num_weigh(num_parts *parts)
{
    pith_text high = num_without_leading_zeros(parts->whole);
    pith_text low = num_without_trailing_zeros(parts->fraction);
    if (high.len) {
        parts->magnitude = (int64_t)high.len - 1;
    } else {
        size_t all = low.len;
        low = num_without_leading_zeros(low);
        parts->magnitude = -(int64_t)(all - low.len) - 1;
    }
    if (!low.len)
        high = num_without_trailing_zeros(high);
    parts->high = high;
    parts->low = low;
    parts->significant = high.len + low.len;
    parts->zero = parts->significant == 0;
    parts->magnitude = parts->zero ? 0 : parts->magnitude + parts->exponent;
}

bool num_scan(pith_text lexeme, num_parts *parts)
{
    const char *at = lexeme.ptr;
    const char *end = at + lexeme.len;
    num_parts found;
    memset(&found, 0, sizeof found);
    found.negative = at < end && *at == '-';
    at += found.negative;

    const char *start = at;
    at = num_skip_digits(at, end);
    found.whole = num_span(start, at);
    if (found.whole.len == 0 || (found.whole.len > 1 && *start == '0'))
        return false;
    found.fraction = num_span(at, at);
    found.integer = at == end;
    if (at < end && *at == '.') {
        start = at + 1;
        at = num_skip_digits(start, end);
        found.fraction = num_span(start, at);
        if (found.fraction.len == 0)
            return false;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        const char *exponent = at + 1;
        start = exponent;
        start += start < end && (*start == '+' || *start == '-');
        at = num_skip_digits(start, end);
        if (at == start)
            return false;
        found.exponent = num_read_exponent(exponent, at);
    }
    if (at != end)
        return false;
    num_weigh(&found);
    *parts = found;
    return true;
}

/* ---------------------------------------------------------------------- integers */

/* A lexeme has no leading zeros, so that its length tells what fits: 19 digits always
 * do, 20 only from 10^19 on, which is how those that wrapped around give themselves
 * away (their first digit being 1, they wrapped at most once). */
static bool num_read_unsigned(const char *at, const char *end, uint64_t *out)
{
    uint64_t number = 0;
    const char *first = at;
    size_t len = (size_t)(end - at);
    if (len == 0 || len > NUM_WORD_DIGITS + 1)
        return false;
    at = num_take_digits(at, end, &number);
    if (at != end)
        return false;
    if (len > NUM_WORD_DIGITS &&
        (*first != '1' || number < num_small_powers_of_ten[NUM_WORD_DIGITS]))
        return false;
    *out = number;
    return true;
}

bool num_to_int64(pith_text lexeme, int64_t *out)
{
    const char *end = lexeme.ptr + lexeme.len;
    bool negative = lexeme.len && *lexeme.ptr == '-';
    uint64_t size;
    if (!num_read_unsigned(lexeme.ptr + negative, end, &size) ||
        size > (uint64_t)INT64_MAX + negative)
        return false;
    /* -size, by a way on which INT64_MIN does not overflow */
    *out = negative && size ? -(int64_t)(size - 1) - 1 : (int64_t)size;
    return true;
}

bool num_to_uint64(pith_text lexeme, uint64_t *out)
{
    const char *end = lexeme.ptr + lexeme.len;
    bool negative = lexeme.len && *lexeme.ptr == '-';
    uint64_t size;
    if (!num_read_unsigned(lexeme.ptr + negative, end, &size) || (negative && size))
        return false;
    *out = size;
    return true;
}

/* ------------------------------------------------------------- decimal to double */

/* The double at or next below a number, as its bits, and which of it and the next one
 * is the nearest. The bits of the next double are the next integer, across powers of two
 * and up to infinity, so that below + nearest are the bits of the answer. */
typedef enum num_nearest { NUM_BELOW = 0, NUM_ABOVE = 1, NUM_UNSURE } num_nearest;

typedef struct num_guess {
    uint64_t below;
    num_nearest nearest;
} num_guess;

/* Rounds digits * 10^power, for 0 < digits <= 10^19. The digits are shifted up to the
 * top of their word, which leaves the first bit of the product at place 63 or 62:
 *
 *              63          cut          0 63                 0
 *            +-------------+-------------+--------------------+---------------------
 *   product  | high: kept  | rest        | middle: rest       | low: not looked at
 *            +-------------+-------------+--------------------+---------------------
 *
 * Because the table rounds up, and by little, the true product lies less than one unit
 * of `middle` below all this and less than one unit above the high and middle words. So
 * a rest less than one half is less, a rest greater than one half is greater, and only
 * a rest of one half exactly may stand for either. */
static num_guess num_guess_double(uint64_t digits, int64_t power)
{
    num_guess guess = {0, NUM_BELOW};
    if (power < NUM_POWER_LEAST)
        return guess; /* less than half of the least double: 10^19 * 10^-343 = 10^-324 */
    if (power > 308) {
        guess.below = num_infinity_bits;
        return guess;
    }
    int shift = num_leading_zeros(digits);
    num_product product = num_times_power(digits << shift, (int)power);
    int top = (int)(product.high >> 63);
    /* 128 bits of power, 64 of digits: the first bit of the product is worth 2^this. */
    int exponent = num_log2_of_ten_to((int)power) + 63 - shift + top;
    exponent += NUM_EXPONENT_BIAS;
    if (exponent >= NUM_EXPONENT_SPECIAL) {
        guess.below = num_infinity_bits;
        return guess;
    }
    int cut = 62 + top - NUM_MANTISSA_BITS;
    if (exponent <= 0) { /* subnormal: fewer bits, at a place that stays where it is */
        cut += 1 - exponent;
        exponent = 1;
        if (cut > 64)
            return guess;
    }
    uint64_t half = UINT64_C(1) << (cut - 1);
    uint64_t kept = product.high >> (cut - 1) >> 1;
    uint64_t rest = product.high & (half | (half - 1));
    /* The hidden bit in `kept`, where there is one, adds 1 to the exponent. */
    guess.below = ((uint64_t)(exponent - 1) << NUM_MANTISSA_BITS) + kept;
    /* A comparison, not a branch, which would be taken at random. */
    guess.nearest = (num_nearest)(rest >= half);
    if (rest == half && product.middle == 0)
        guess.nearest = NUM_UNSURE;
    return guess;
}

/* --- integers of some thousand bits, for when the guess is not sure */

/* The longest number that lies halfway between two doubles has 767 significant digits;
 * of digits after the 800th it matters only that they are there. A number that is not
 * known to be 0 is at least 10^-324, so that no power of five beyond 5^1123 is met. Both
 * sides of the comparison in num_compare_half, which are nearly equal, then stay below
 * 2700 bits. */
enum { NUM_BIG_DIGITS = 800, NUM_BIG_WORDS = 44 };

typedef struct num_big {
    uint64_t words[NUM_BIG_WORDS]; /* the least first */
    size_t count;
} num_big;

static void num_big_append(num_big *big, uint64_t word)
{
    if (word) {
        assert(big->count < NUM_BIG_WORDS);
        big->words[big->count++] = word;
    }
}

static void num_big_multiply_add(num_big *big, uint64_t factor, uint64_t addend)
{
    uint64_t carry = addend;
    for (size_t i = 0; i < big->count; i++) {
        num_wide product = num_multiply(big->words[i], factor);
        big->words[i] = product.low + carry;
        carry = product.high + (big->words[i] < carry);
    }
    num_big_append(big, carry);
}

static void num_big_times_five_to(num_big *big, int64_t power)
{
    const uint64_t five_to_27 = UINT64_C(7450580596923828125); /* the last in a word */
    for (; power >= 27; power -= 27)
        num_big_multiply_add(big, five_to_27, 0);
    uint64_t five = 1;
    for (; power > 0; power--)
        five *= 5;
    num_big_multiply_add(big, five, 0);
}

static void num_big_times_two_to(num_big *big, int64_t power)
{
    assert(big->count > 0);
    size_t words = (size_t)(power / 64);
    num_big_multiply_add(big, UINT64_C(1) << (power % 64), 0);
    assert(big->count + words <= NUM_BIG_WORDS);
    memmove(big->words + words, big->words, big->count * sizeof *big->words);
    memset(big->words, 0, words * sizeof *big->words);
    big->count += words;
}

/* Negative, 0 or positive, as memcmp. */
static int num_big_compare(const num_big *a, const num_big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (size_t i = a->count; i-- > 0;)
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

/* The significant digits [from, to) as a number. */
static uint64_t num_digits_between(const num_parts *parts, size_t from, size_t to)
{
    assert(from <= to && to - from <= NUM_WORD_DIGITS);
    uint64_t number = 0;
    for (size_t i = from; i < to; i++) {
        bool before_point = i < parts->high.len;
        char c = before_point ? parts->high.ptr[i] : parts->low.ptr[i - parts->high.len];
        number = number * 10 + (uint64_t)(c - '0');
    }
    return number;
}

/* Which of the double `below` and the next one is nearest to the number, exactly. The
 * number is digits * 10^power; halfway between the doubles c * 2^e and (c + 1) * 2^e
 * stands (2c + 1) * 2^(e - 1). What the two have in common in twos is left out, and
 * each factor goes to the side on which it is whole. */
static num_nearest num_compare_half(const num_parts *parts, uint64_t below)
{
    size_t count = parts->significant;
    bool more = count > NUM_BIG_DIGITS;
    if (more)
        count = NUM_BIG_DIGITS;
    num_big number;
    number.count = 0;
    for (size_t i = 0; i < count;) {
        size_t next = count - i > NUM_WORD_DIGITS ? i + NUM_WORD_DIGITS : count;
        num_big_multiply_add(&number, num_small_powers_of_ten[next - i],
                             num_digits_between(parts, i, next));
        i = next;
    }
    int64_t power = parts->magnitude - (int64_t)count + 1;

    uint64_t mantissa = below & (num_hidden_bit - 1);
    int64_t exponent = (int64_t)(below >> NUM_MANTISSA_BITS);
    if (exponent)
        mantissa |= num_hidden_bit;
    else
        exponent = 1;
    exponent -= NUM_EXPONENT_BIAS + NUM_MANTISSA_BITS;
    num_big half;
    half.count = 0;
    num_big_append(&half, 2 * mantissa + 1);

    num_big_times_five_to(power >= 0 ? &number : &half, power >= 0 ? power : -power);
    int64_t twos = power - (exponent - 1);
    num_big_times_two_to(twos >= 0 ? &number : &half, twos >= 0 ? twos : -twos);

    int order = num_big_compare(&number, &half);
    if (order == 0)
        return more || mantissa & 1 ? NUM_ABOVE : NUM_BELOW;
    return order > 0 ? NUM_ABOVE : NUM_BELOW;
}

/* The bits of the double nearest to a number with any count of digits. Those after the
 * 19th make the number larger, by less than 1 in the 19th place: when that 1 does not
 * change the answer, they cannot. Otherwise, and in doubt, the number is so close to the
 * half above `below` that no other half is in question. */
static uint64_t num_round_exactly(const num_parts *parts)
{
    size_t count = parts->significant;
    bool more = count > NUM_WORD_DIGITS;
    if (more)
        count = NUM_WORD_DIGITS;
    uint64_t digits = num_digits_between(parts, 0, count);
    int64_t power = parts->magnitude - (int64_t)count + 1;
    num_guess guess = num_guess_double(digits, power);
    num_guess limit = more ? num_guess_double(digits + 1, power) : guess;
    bool sure = guess.nearest != NUM_UNSURE && limit.nearest != NUM_UNSURE &&
                guess.below + guess.nearest == limit.below + limit.nearest;
    if (!sure)
        guess.nearest = num_compare_half(parts, guess.below);
    return guess.below + (uint64_t)guess.nearest;
}

static double num_long_to_double(pith_text lexeme)
{
    num_parts parts;
    bool valid = num_scan(lexeme, &parts);
    assert(valid);
    if (!valid)
        return 0;
    return num_from_bits(parts.zero ? 0 : num_round_exactly(&parts), parts.negative);
}

double num_to_double(pith_text lexeme)
{
    assert(lexeme.len > 0);
    const char *at = lexeme.ptr;
    const char *end = at + lexeme.len;
    bool negative = *at == '-';
    uint64_t digits = 0;
    int64_t power = 0;

    at += negative;
    const char *start = at;
    at = num_take_digits(at, end, &digits);
    size_t count = (size_t)(at - start);
    if (at < end && *at == '.') {
        start = at + 1;
        at = num_take_digits(start, end, &digits);
        count += (size_t)(at - start);
        power = start - at;
    }
    if (count > NUM_WORD_DIGITS)
        return num_long_to_double(lexeme);
    if (digits == 0)
        return num_from_bits(0, negative);
    if (at < end)
        power += num_read_exponent(at + 1, end);
    num_guess guess = num_guess_double(digits, power);
    if (guess.nearest == NUM_UNSURE)
        return num_long_to_double(lexeme);
    return num_from_bits(guess.below + (uint64_t)guess.nearest, negative);
}

/* --------------------------------------------------------------- shortest digits */

/* digits * 10^power. */
typedef struct num_scaled {
    uint64_t digits;
    int power;
} num_scaled;

/* floor(log10(2^exponent)), or of 3/4 of it, for the exponents of doubles. */
static inline int num_log10_of_two_to(int exponent, bool three_quarters)
{
    int less = three_quarters ? 131008 : 0;
    return ((exponent * 315653 - less + (1024 << 20)) >> 20) - 1024;
}

/* factor * 10^power / 2^64 (the table's binary exponent is the caller's affair), rounded
 * to odd: an even answer is the number itself, an odd one may stand for anything within
 * 1 of it. Comparing it with an even number gives what the exact number would give.
 *
 * The product is too large by less than `factor`, which is less than 2^60. So a whole
 * number leaves less than 2^60 in the lower words. Any other is at least 2^-66 away from
 * whole, says gen_num_table.py, so that it leaves more, and less than a carry. */
static inline uint64_t num_round_to_odd(uint64_t factor, int power)
{
    num_product product = num_times_power(factor, power);
    return product.high | ((product.middle | product.low >> 60) != 0);
}

/* Takes zeros off the end, 15 at most: digits come here below 10^16. Mostly there are
 * none, so that is asked first. */
static num_scaled num_drop_zeros(num_scaled scaled)
{
    static const int strides[] = {8, 4, 2, 1};
    assert(scaled.digits > 0 && scaled.digits < num_small_powers_of_ten[16]);
    if (scaled.digits % 10 != 0)
        return scaled;
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        uint64_t divisor = num_small_powers_of_ten[strides[i]];
        if (scaled.digits % divisor == 0) {
            scaled.digits /= divisor;
            scaled.power += strides[i];
        }
    }
    return scaled;
}

/* The decimal for c * 2^exponent, c > 0. What reads back as it reaches half a step to
 * either side, and the two ends belong to it when c is even, since ties go to even. When
 * c is a power of two, the step below is half as large; `uneven` says so.
 *
 * Everything is scaled by 10^-power so that one unit is at most the interval and ten
 * are more, and counted in quarters of a unit, so that halves are even numbers too. */
static num_scaled num_shorten(uint64_t c, int exponent, bool uneven)
{
    int power = num_log10_of_two_to(exponent, uneven);
    int shift = exponent + num_log2_of_ten_to(-power) + 1;
    uint64_t middle = num_round_to_odd((4 * c) << shift, -power);
    uint64_t left = num_round_to_odd((4 * c - (uneven ? 1 : 2)) << shift, -power);
    uint64_t right = num_round_to_odd((4 * c + 2) << shift, -power);
    left += c & 1; /* ends that do not belong: <= becomes < */
    right -= c & 1;

    uint64_t units = middle / 4;
    uint64_t tens = units / 10;
    bool tens_below = left <= 40 * tens;
    bool tens_above = 40 * tens + 40 <= right;
    num_scaled scaled;
    if (tens_below || tens_above) { /* never both: the interval is less than ten */
        scaled.digits = tens + tens_above;
        scaled.power = power + 1;
        return num_drop_zeros(scaled);
    }
    bool below = left <= 4 * units;
    bool above = 4 * units + 4 <= right;
    if (below && above) {
        uint64_t half = 4 * units + 2;
        above = middle > half || (middle == half && units % 2 == 1);
    }
    scaled.digits = units + above;
    scaled.power = power;
    return scaled;
}

/* Whole numbers below 2^53 need no search: a decimal with fewer digits would differ by
 * at least 1, and what reads back as them is at most one half away. Returns 0 for other
 * numbers, and for 0. */
static uint64_t num_small_whole(double number)
{
    double size = number < 0 ? -number : number;
    if (!(size < 9007199254740992.0))
        return 0;
    uint64_t whole = (uint64_t)size;
    return (double)whole == size ? whole : 0;
}

/* The shortest decimal of a number other than 0, without its sign. */
static num_scaled num_scale(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    uint64_t c = bits & (num_hidden_bit - 1);
    int exponent = (int)(bits >> NUM_MANTISSA_BITS) & NUM_EXPONENT_SPECIAL;
    assert(exponent != NUM_EXPONENT_SPECIAL && (exponent || c));
    const int unit = NUM_EXPONENT_BIAS + NUM_MANTISSA_BITS;
    if (exponent == 0)
        return num_shorten(c, 1 - unit, false);
    return num_shorten(c | num_hidden_bit, exponent - unit, c == 0 && exponent > 1);
}

/* The same of a float: its bits are fewer, and so its neighbours are further away. */
static num_scaled num_scale_float(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    uint32_t hidden = UINT32_C(1) << NUM_FLOAT_MANTISSA_BITS;
    uint32_t c = bits & (hidden - 1);
    int exponent = (int)(bits >> NUM_FLOAT_MANTISSA_BITS) & NUM_FLOAT_EXPONENT_SPECIAL;
    assert(exponent != NUM_FLOAT_EXPONENT_SPECIAL && (exponent || c));
    const int unit = NUM_FLOAT_EXPONENT_BIAS + NUM_FLOAT_MANTISSA_BITS;
    if (exponent == 0)
        return num_shorten(c, 1 - unit, false);
    return num_shorten(c | hidden, exponent - unit, c == 0 && exponent > 1);
}

/* ---------------------------------------------------------------- writing digits */

static const char num_pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";

/* 0 has one digit. 1233 / 4096 is log10(2), closely enough for 64 bits. */
static inline int num_count_digits(uint64_t number)
{
    int bits = 64 - num_leading_zeros(number | 1);
    int count = (bits * 1233) >> 12;
    return count + (number >= num_small_powers_of_ten[count] || number == 0);
}

static inline void num_store_eight(char *to, uint64_t word)
{
    unsigned char *s = (unsigned char *)to;
    s[0] = (unsigned char)word;
    s[1] = (unsigned char)(word >> 8);
    s[2] = (unsigned char)(word >> 16);
    s[3] = (unsigned char)(word >> 24);
    s[4] = (unsigned char)(word >> 32);
    s[5] = (unsigned char)(word >> 40);
    s[6] = (unsigned char)(word >> 48);
    s[7] = (unsigned char)(word >> 56);
}

/* Eight digits as a word, the first in the lowest byte. The number splits into fours,
 * pairs and digits, all of a kind in one step; 10486 / 2^20 and 103 / 2^10 are 1/100 and
 * 1/10, closely enough for what they divide. */
static inline uint64_t num_split_eight(uint32_t number)
{
    uint64_t fours = number / 10000 | (uint64_t)(number % 10000) << 32;
    uint64_t high = ((fours * 10486) >> 20) & UINT64_C(0x0000007F0000007F);
    uint64_t pairs = high | (fours - 100 * high) << 16;
    high = ((pairs * 103) >> 10) & UINT64_C(0x000F000F000F000F);
    return (high | (pairs - 10 * high) << 8) + UINT64_C(0x3030303030303030);
}

/* The digits of the number, the last one just before `end`. Groups of eight come off
 * first: they do not wait for each other. */
static inline void num_put_digits(char *end, uint64_t number)
{
    while (number >= 100000000u) {
        end -= 8;
        num_store_eight(end, num_split_eight((uint32_t)(number % 100000000u)));
        number /= 100000000u;
    }
    uint32_t rest = (uint32_t)number;
    for (; rest >= 100; rest /= 100) {
        end -= 2;
        memcpy(end, num_pairs + rest % 100 * 2, 2);
    }
    if (rest >= 10)
        memcpy(end - 2, num_pairs + rest * 2, 2);
    else
        end[-1] = (char)('0' + rest);
}

size_t num_write_uint64(char *to, uint64_t number)
{
    int count = num_count_digits(number);
    num_put_digits(to + count, number);
    return (size_t)count;
}

size_t num_write_int64(char *to, int64_t number)
{
    *to = '-';
    size_t sign = number < 0;
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    return sign + num_write_uint64(to + sign, size);
}

static bool num_is_negative(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63;
}

num_decimal num_shortest(double number)
{
    num_decimal decimal;
    memset(&decimal, 0, sizeof decimal);
    decimal.negative = num_is_negative(number);
    if (number == 0)
        return decimal;
    num_scaled scaled = {num_small_whole(number), 0};
    scaled = scaled.digits ? num_drop_zeros(scaled) : num_scale(number);
    decimal.count = num_count_digits(scaled.digits);
    decimal.exponent = scaled.power + decimal.count - 1;
    num_put_digits(decimal.digits + decimal.count, scaled.digits);
    return decimal;
}

static char *num_put_zeros(char *to, int count)
{
    memset(to, '0', (size_t)count);
    return to + count;
}

/* Writes 0.d1d2d3... x 10^point without an exponent. */
static char *num_put_plain(char *to, uint64_t digits, int count, int point)
{
    assert(point > -6 && point <= 21);
    if (point <= 0) { /* 0.00ddd */
        to = num_put_zeros(to, 2 - point);
        to[point - 1] = '.';
        num_put_digits(to + count, digits);
        return to + count;
    }
    if (point < count) { /* dd.ddd */
        num_put_digits(to + 1 + count, digits);
        memmove(to, to + 1, (size_t)point);
        to[point] = '.';
        return to + count + 1;
    }
    num_put_digits(to + count, digits); /* ddd00.0 */
    to = num_put_zeros(to + count, point - count + 2);
    to[-2] = '.';
    return to;
}

/* Writes d1.d2d3... x 10^exponent with the exponent. */
static char *num_put_scientific(char *to, uint64_t digits, int count, int exponent)
{
    num_put_digits(to + 1 + count, digits);
    to[0] = to[1];
    to[1] = '.';
    to += count > 1 ? count + 1 : 1;
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    return to + num_write_uint64(to, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

static char *num_put_scaled(char *to, num_scaled scaled)
{
    int count = num_count_digits(scaled.digits);
    int point = count + scaled.power;
    if (point > -6 && point <= 21)
        return num_put_plain(to, scaled.digits, count, point);
    return num_put_scientific(to, scaled.digits, count, point - 1);
}

/* Most decimals that people write have few digits after the point. The nearest to
 * c * 2^-shift that has at most six is m / 10^6, and the two are compared exactly:
 *
 *     c * 10^6 = m * 2^shift + rest
 *
 * If they differ by less than half of the distance to the next double, m / 10^6 reads back
 * as the number; with at most 15 digits nothing shorter does. Returns 0 otherwise, and
 * where the product or the difference would not be simple. The number has to be positive
 * and not whole. */
static inline uint64_t num_millionths(uint64_t bits)
{
    uint64_t c = bits & (num_hidden_bit - 1);
    int exponent = (int)(bits >> NUM_MANTISSA_BITS);
    int shift = NUM_EXPONENT_BIAS + NUM_MANTISSA_BITS - exponent;
    if (shift < 24 || shift > 63 || c == 0) /* 2^-11 < number < 2^29 */
        return 0;
    num_wide product = num_multiply(c | num_hidden_bit, 1000000);
    uint64_t m = product.high << (64 - shift) | product.low >> shift;
    uint64_t one = UINT64_C(1) << shift;
    uint64_t rest = product.low & (one - 1);
    bool up = rest > one / 2;
    rest = up ? one - rest : rest;
    return rest < 500000 ? m + up : 0;
}

/* Writes m / 10^6 without zeros at the end. */
static inline char *num_put_millionths(char *to, uint64_t m)
{
    assert(m % 1000000 != 0);
    const uint64_t zeros = UINT64_C(0x3030303030303030);
    uint64_t word = num_split_eight((uint32_t)(m % 1000000) * 100);
    to += num_write_uint64(to, m / 1000000);
    *to++ = '.';
    num_store_eight(to, word);
    return to + 8 - num_leading_zeros(word ^ zeros) / 8;
}

size_t num_write_double(char *to, double number)
{
    char *at = to;
    *at = '-';
    at += num_is_negative(number);
    uint64_t whole = num_small_whole(number);
    if (whole || number == 0) {
        at += num_write_uint64(at, whole);
        memcpy(at, ".0", 2);
        return (size_t)(at + 2 - to);
    }
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    uint64_t m = num_millionths(bits & ~(UINT64_C(1) << 63));
    if (m)
        return (size_t)(num_put_millionths(at, m) - to);
    return (size_t)(num_put_scaled(at, num_scale(number)) - to);
}

size_t num_write_float(char *to, float number)
{
    char *at = to;
    *at = '-';
    at += num_is_negative((double)number);
    if (number == 0) {
        memcpy(at, "0.0", 3);
        return (size_t)(at + 3 - to);
    }
    return (size_t)(num_put_scaled(at, num_scale_float(number)) - to);
}
