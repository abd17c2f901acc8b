/*
 * decimal.c - canonical decimals, most of them without making a double.
 *
 * Programs print doubles with 16 or 17 digits, mostly the shortest that read back and
 * sometimes one digit more. What the shortest are can be found without making them anew.
 * Let the lexeme be m / 10^k, and M / 2^s the double nearest to it. Multiplied by
 * 2^s 10^k everything is whole:
 *
 *              half                          half
 *       |<---------------- M 10^k ---------------->|     what reads back as the double
 *                             |<- off ->|
 *     ----o----.----.----.----.----.----x----.----.----o----
 *                                     m 2^s              . numbers with as many digits
 *                                                        o numbers with fewer
 *
 * If an `o` lies between the ends it is the shortest; there are two at most. If none does,
 * it is the `.` nearest to the middle, which mostly is the lexeme. M
 * comes from one multiplication with the reciprocal of 10^k, `off` from one subtraction:
 * it is small, so what overflows does not matter. Where the middle lies halfway between two
 * `.`, and at powers of two, where the ends are not equally far away, the general way
 * decides.
 *
 * Of a lexeme with up to 15 significant digits those are the shortest, wherever the point
 * is and whatever the exponent says: they only have to be laid out.
 */
#include "base/decimal.h"

#include "base/scan.h"

#include <assert.h>

#define DECIMAL_WHOLE 9007199254740992.0 /* 2^53: from here on doubles are whole */
#define DECIMAL_LONG 1e21                /* from here on num_write_double has exponents */

enum {
    DECIMAL_SURE = 15, /* digits that are always the shortest */
    DECIMAL_FEW = 16,  /* those that have to be looked at */
    DECIMAL_MANY = 17,
    DECIMAL_SHORT = 40, /* bytes of a lexeme that may have few digits */
    DECIMAL_MANTISSA_BITS = 53
};

/* 10^k, and 2^(64 + floor(log2 10^k)) / 10^k, which has its highest bit set. */
typedef struct decimal_power {
    uint64_t power;
    uint64_t inverse;
    unsigned log2;
} decimal_power;

static const decimal_power decimal_powers[DECIMAL_MANY] = {
    {UINT64_C(1), 0, 0},
    {UINT64_C(10), UINT64_C(0xcccccccccccccccc), 3},
    {UINT64_C(100), UINT64_C(0xa3d70a3d70a3d70a), 6},
    {UINT64_C(1000), UINT64_C(0x83126e978d4fdf3b), 9},
    {UINT64_C(10000), UINT64_C(0xd1b71758e219652b), 13},
    {UINT64_C(100000), UINT64_C(0xa7c5ac471b478423), 16},
    {UINT64_C(1000000), UINT64_C(0x8637bd05af6c69b5), 19},
    {UINT64_C(10000000), UINT64_C(0xd6bf94d5e57a42bc), 23},
    {UINT64_C(100000000), UINT64_C(0xabcc77118461cefc), 26},
    {UINT64_C(1000000000), UINT64_C(0x89705f4136b4a597), 29},
    {UINT64_C(10000000000), UINT64_C(0xdbe6fecebdedd5be), 33},
    {UINT64_C(100000000000), UINT64_C(0xafebff0bcb24aafe), 36},
    {UINT64_C(1000000000000), UINT64_C(0x8cbccc096f5088cb), 39},
    {UINT64_C(10000000000000), UINT64_C(0xe12e13424bb40e13), 43},
    {UINT64_C(100000000000000), UINT64_C(0xb424dc35095cd80f), 46},
    {UINT64_C(1000000000000000), UINT64_C(0x901d7cf73ab0acd9), 49},
    {UINT64_C(10000000000000000), UINT64_C(0xe69594bec44de15b), 53},
};

#if defined(__SIZEOF_INT128__) && defined(__GNUC__)
__extension__ typedef unsigned __int128 decimal_uint128;

/* The upper half of the product. */
static inline uint64_t decimal_multiply(uint64_t a, uint64_t b)
{
    return (uint64_t)((decimal_uint128)a * b >> 64);
}

static inline unsigned decimal_leading_zeros(uint64_t number)
{
    assert(number != 0);
    return (unsigned)__builtin_clzll(number);
}
#else
static inline uint64_t decimal_multiply(uint64_t a, uint64_t b)
{
    uint64_t a_low = a & 0xFFFFFFFFu;
    uint64_t a_high = a >> 32;
    uint64_t b_low = b & 0xFFFFFFFFu;
    uint64_t b_high = b >> 32;
    uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
    uint64_t other = a_low * b_high + (middle & 0xFFFFFFFFu);
    return a_high * b_high + (middle >> 32) + (other >> 32);
}

static inline unsigned decimal_leading_zeros(uint64_t number)
{
    unsigned zeros = 0;
    for (; !(number >> 63); number <<= 1)
        zeros++;
    return zeros;
}
#endif

/* Eight digits, the first in the lowest byte, become two numbers of four: the first in the
 * lower half, the other in the upper. */
static inline uint64_t decimal_fours(uint64_t digits)
{
    uint64_t value = digits & UINT64_C(0x0F0F0F0F0F0F0F0F);
    value = (value * 10 + (value >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
    return (value * 100 + (value >> 16)) & UINT64_C(0x0000FFFF0000FFFF);
}

/* Eight bytes, the first in the lowest. */
static inline uint64_t decimal_load8(const char *text)
{
    uint64_t bytes = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&bytes, text, 8);
#else
    for (unsigned i = 0; i < 8; i++)
        bytes |= (uint64_t)(unsigned char)text[i] << (8 * i);
#endif
    return bytes;
}

static inline void decimal_store8(char *to, uint64_t bytes)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, &bytes, 8);
#else
    for (unsigned i = 0; i < 8; i++)
        to[i] = (char)(bytes >> (8 * i) & 0xFF);
#endif
}

/* Of the bytes of a number only the digits have this bit. */
#define DECIMAL_DIGIT_BITS UINT64_C(0x1010101010101010)

/* Ones in the bytes before the first that is no digit, zeros after. */
static inline uint64_t decimal_before(uint64_t bytes)
{
    uint64_t others = ~bytes & DECIMAL_DIGIT_BITS;
    return ((others & (0 - others)) >> 4) - 1;
}

/* How many bytes that are. */
static inline unsigned decimal_count_before(uint64_t before)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    return (unsigned)((before & ones) * ones >> 56);
}

/* m / 10^k */
typedef struct decimal_fraction {
    uint64_t m;
    unsigned k;
} decimal_fraction;

/* Takes a lexeme apart that has 16 or 17 digits, at least 8 of them after the point, and
 * is at least 1. False for any other. `text` is without the sign.
 *
 * The last eight digits stand together. The point is somewhere in the nine bytes before
 * them; of the eight digits there, those before it are read where they are, and those
 * after it one byte further. */
static inline bool decimal_take_apart(const char *text, const char *end,
                                      decimal_fraction *lexeme)
{
    bool many = end - text > DECIMAL_MANY;
    if (end - text < DECIMAL_MANY || end - text > DECIMAL_MANY + 1 || text[0] == '0')
        return false;
    const char *nine = end - 17;
    uint64_t bytes = decimal_load8(nine);
    uint64_t before = decimal_before(bytes);
    uint64_t middle = (bytes & before) | (decimal_load8(nine + 1) & ~before);
    uint64_t tail = decimal_load8(end - 8);
    unsigned point = decimal_count_before(before);
    if ((~(middle & tail) & DECIMAL_DIGIT_BITS) != 0 || nine[point] != '.')
        return false;
    uint64_t first = (uint64_t)(text[0] - '0') * many;
    middle = decimal_fours(middle);
    tail = decimal_fours(tail);
    lexeme->m = first * decimal_powers[16].power + (tail & 0xFFFF) * 10000 +
                (tail >> 32) + (middle & 0xFFFF) * decimal_powers[12].power +
                (middle >> 32) * decimal_powers[8].power;
    lexeme->k = 16 - point;
    return true;
}

/* What makes a number the shortest for its double: its last digit is dropped, or not, and
 * the last one left becomes another. If that is none from 1 to 9, others change too. */
typedef struct decimal_change {
    bool sure; /* whether that is known */
    bool drop;
    int digit;
} decimal_change;

/* From one `.` to the next, when drawn to scale. */
#define DECIMAL_STEP ((int64_t)1 << 57)

/* The change where more than one `o` may lie between the ends. The middle is so far above
 * the lexeme without its last digit, which is the `o` before it mostly, or one of its
 * neighbours is. */
static decimal_change decimal_drop_one(int64_t above, int64_t half, int tens)
{
    int which = (above >= 10 * DECIMAL_STEP) - (above < 0);
    above -= which * 10 * DECIMAL_STEP;
    int64_t below = 10 * DECIMAL_STEP - above;
    bool up = below < half;
    if (up && above < half) { /* of two, one that ends in 0 is shorter still */
        int digit = (tens + which + 10) % 10;
        up = digit == 9 || (digit != 0 && above > below);
    }
    decimal_change change;
    change.sure = above != below;
    change.drop = true; /* the ends are more than ten steps apart */
    change.digit = tens + which + up;
    return change;
}

/* How the number becomes the shortest for its double; see above. `last` is its last digit
 * and `tens` the one before. Where a branch would be a toss of a coin there is none.
 *
 * It is below 10^9, so that s is at least 23 and more than k: neither the lexeme nor an
 * `o` lies on an end, since then 2^s would divide an odd multiple of 10^k / 2. And the
 * ends are less than 20 steps apart: no power of two is so close below a power of ten.
 * So everything can be drawn to a scale where a step is always the same.
 *
 * m has 50 bits at least, and the product 56: the three that are too many for the mantissa
 * hold all that is wrong with it, so that the mantissa is at most one too small. */
static inline decimal_change decimal_shorten(decimal_fraction number, int last, int tens)
{
    assert(number.k > 0 && number.k < DECIMAL_MANY);
    const decimal_power *ten = &decimal_powers[number.k];
    uint64_t product = decimal_multiply(number.m << 7, ten->inverse);
    unsigned shift = 64 - DECIMAL_MANTISSA_BITS - decimal_leading_zeros(product);
    uint64_t mantissa = product >> shift;
    uint64_t whole = ten->power << (50 + shift - ten->log2);
    int64_t half = (int64_t)(whole / 2);
    int64_t off = (int64_t)((number.m << 57) - mantissa * whole);
    off -= off > half ? (int64_t)whole : 0;

    /* At a power of two the ends are not equally far away. */
    uint64_t least = UINT64_C(1) << (DECIMAL_MANTISSA_BITS - 1);
    decimal_change change = {false, false, 0};
    if (((mantissa + 1) & (least - 1)) <= 1)
        return change;
    int64_t above = last * DECIMAL_STEP - off;
    int64_t apart = 5 * DECIMAL_STEP - half;
    if (apart < 0)
        return decimal_drop_one(above, half, tens);
    /* The `o` nearest to the middle is this one or the next, and it is outside if the
     * middle is close enough to the place between them. The nearest `.` is no `o` then,
     * and has the same digits before. */
    uint64_t rounded = (uint64_t)(above + DECIMAL_STEP / 2);
    if (rounded << 7 == 0) /* halfway between two `.` */
        return change;
    uint64_t from = (uint64_t)((last - 5) * DECIMAL_STEP + apart - off);
    int drop = -(int)(from > 2 * (uint64_t)apart);
    int fewer = tens + (above >= 5 * DECIMAL_STEP);
    int same = (int)(rounded >> 57);
    change.sure = true;
    change.drop = drop != 0;
    change.digit = same ^ ((same ^ fewer) & drop);
    return change;
}

static size_t decimal_write_fraction(char *to, decimal_fraction number)
{
    while (number.k > 0 && number.m % 10 == 0) {
        number.m /= 10;
        number.k--;
    }
    size_t len = num_write_uint64(to, number.m);
    if (number.k == 0)
        return len;
    memmove(to + len - number.k + 1, to + len - number.k, number.k);
    to[len - number.k] = '.';
    return len + 1;
}

/* The number without its last digit, and with `digit` as the one before that, which is
 * none: there is something to carry, or there are zeros to leave out. */
static size_t decimal_write_carried(char *to, decimal_fraction number, int digit,
                                    bool negative)
{
    number.m /= 10;
    number.m += (uint64_t)(int64_t)(digit - (int)(number.m % 10));
    number.k--;
    return negative + decimal_write_fraction(to + negative, number);
}

/* d.ddde+21. There are 17 digits to read, of which `count` count. */
static char *decimal_put_scientific(char *to, const char *digits, size_t count,
                                    int64_t exponent)
{
    assert(count > 0 && count <= DECIMAL_MANY);
    uint64_t size = (uint64_t)(exponent < 0 ? -exponent : exponent);
    to[0] = digits[0];
    to[1] = '.';
    memcpy(to + 2, digits + 1, 16);
    to += count + (count > 1);
    to[0] = 'e';
    to[1] = exponent < 0 ? '-' : '+';
    if (size < 100) {
        to[2] = (char)('0' + size / 10);
        to += size >= 10;
        to[2] = (char)('0' + size % 10);
        return to + 3;
    }
    return to + 2 + num_write_uint64(to + 2, size);
}

static size_t decimal_write_scientific(char *to, double number)
{
    num_decimal shortest = num_shortest(number);
    char *from = to;
    if (shortest.negative)
        *to++ = '-';
    to = decimal_put_scientific(to, shortest.digits, (size_t)shortest.count,
                                shortest.exponent);
    return (size_t)(to - from);
}

/* Significant digits, of which the first stands for 10^magnitude. */
typedef struct decimal_digits {
    char at[DECIMAL_SHORT];
    size_t count;
    int magnitude;
} decimal_digits;

/* Puts the digits at `at` after those found; what is after them. */
static inline const char *decimal_take_digits(const char *at, const char *end,
                                              decimal_digits *found)
{
    char *to = found->at + found->count;
    for (; at < end && scan_is_digit((unsigned char)*at); at++)
        *to++ = *at;
    found->count = (size_t)(to - found->at);
    assert(found->count <= DECIMAL_SHORT);
    return at;
}

/* The exponent at `at`, which has few digits. */
static inline int decimal_read_exponent(const char *at, const char *end)
{
    bool less = *at == '-';
    int exponent = 0;
    for (at += less || *at == '+'; at < end; at++)
        exponent = exponent * 10 + (*at - '0');
    return less ? -exponent : exponent;
}

static inline void decimal_trim(decimal_digits *found)
{
    while (found->count > 0 && found->at[found->count - 1] == '0')
        found->count--;
}

/* The digits of a lexeme without its sign, none for zero. False when the lexeme is long or
 * its exponent is. */
static bool decimal_gather(const char *text, size_t len, decimal_digits *found)
{
    const char *at = text;
    const char *end = text + len;
    const char *point = NULL;
    found->count = 0;
    if (len > DECIMAL_SHORT)
        return false;
    if (*at == '0' && len > 1 && at[1] == '.') {
        point = at + 1;
        for (at += 2; at < end && *at == '0'; at++) {
        }
    }
    at = decimal_take_digits(at, end, found);
    if (at < end && *at == '.') {
        point = at;
        at = decimal_take_digits(at + 1, end, found);
    }
    found->magnitude = (int)found->count - 1 - (point ? (int)(at - point) - 1 : 0);
    if (at < end) {
        if (end - at > 5)
            return false;
        found->magnitude += decimal_read_exponent(at + 1, end);
    }
    decimal_trim(found);
    return true;
}

/* The same for what programs print: up to 7 digits, not 0, a point, up to 15 digits in
 * all, and an exponent of one or two. False for anything else. The first 16 bytes hold
 * all but the exponent. */
static bool decimal_gather_printed(const char *text, size_t len, decimal_digits *found)
{
    if (len < 8 || text[0] == '0')
        return false;
    size_t rest = (len < 16 ? len : 16) - 8;
    unsigned bits = 4 * (unsigned)(8 - rest); /* of half the bytes after the end */
    uint64_t low = decimal_load8(text);
    uint64_t high = decimal_load8(text + rest) >> bits >> bits;
    uint64_t before = decimal_before(low);
    size_t whole = decimal_count_before(before);
    if (whole == 8 || text[whole] != '.')
        return false;
    low = (low & before) | ((low >> 8 | high << 56) & ~before);
    high >>= 8;
    uint64_t full = decimal_before(low);
    size_t more = decimal_count_before(decimal_before(high));
    size_t count = decimal_count_before(full) + (full == UINT64_MAX ? more : 0);
    const char *at = text + count + 1;
    const char *end = text + len;
    if (end - at < 2 || (*at != 'e' && *at != 'E'))
        return false;
    bool less = at[1] == '-';
    at += 1 + (less || at[1] == '+');
    if (end - at > 2)
        return false;
    int exponent = (end[-1] - '0') + 10 * (at[0] - '0') * (end - at > 1);
    decimal_store8(found->at, low);
    decimal_store8(found->at + 8, high);
    found->count = count;
    found->magnitude = (int)whole - 1 + (less ? -exponent : exponent);
    decimal_trim(found);
    return true;
}

/* Without an exponent, with a point or zeros. There are 15 digits at most, so they are
 * copied with what is after them in one move of 16 bytes. */
static char *decimal_put_plain(char *to, const decimal_digits *digits)
{
    assert(digits->count <= DECIMAL_SURE && digits->magnitude >= -6);
    static const char zeros[8] = "0.00000";
    size_t count = digits->count;
    if (digits->magnitude < 0) {
        size_t lead = (size_t)(1 - digits->magnitude);
        memcpy(to, zeros, sizeof zeros);
        memcpy(to + lead, digits->at, 16);
        return to + lead + count;
    }
    size_t whole = (size_t)digits->magnitude + 1;
    memcpy(to, digits->at, 16);
    if (count <= whole) {
        memset(to + count, '0', whole - count);
        return to + whole;
    }
    to[whole] = '.';
    memcpy(to + whole + 1, digits->at + whole, 16);
    return to + count + 1;
}

/* A lexeme with few digits, or zero; 0 when it has many, or is too near to a limit. */
static size_t decimal_write_few(char *to, pith_text lexeme)
{
    const int exponent_most = 290; /* within it doubles have all their bits */
    bool negative = lexeme.ptr[0] == '-';
    const char *text = lexeme.ptr + negative;
    size_t len = lexeme.len - negative;
    decimal_digits digits;
    if ((!decimal_gather_printed(text, len, &digits) &&
         !decimal_gather(text, len, &digits)) ||
        digits.count > DECIMAL_SURE || digits.magnitude == DECIMAL_SURE ||
        digits.magnitude > exponent_most || digits.magnitude < -exponent_most)
        return 0;
    if (digits.count == 0) {
        *to = '0';
        return 1;
    }
    char *from = to;
    *to = '-';
    to += negative;
    bool plain = digits.magnitude >= -6 && digits.magnitude < DECIMAL_SURE;
    to = plain ? decimal_put_plain(to, &digits)
               : decimal_put_scientific(to, digits.at, digits.count, digits.magnitude);
    return (size_t)(to - from);
}

static size_t decimal_write_double(char *to, double number)
{
    double size = number < 0 ? -number : number;
    if (!(size - size == 0))
        return 0;
    if (!(size > 0)) {
        *to = '0';
        return 1;
    }
    if (size >= DECIMAL_WHOLE && size < DECIMAL_LONG)
        return decimal_write_scientific(to, number);
    size_t len = num_write_double(to, number);
    bool whole = len > 2 && to[len - 1] == '0' && to[len - 2] == '.';
    return whole ? len - 2 : len;
}

/* Any lexeme. */
static size_t decimal_write_any(char *to, pith_text lexeme)
{
    size_t few = decimal_write_few(to, lexeme);
    return few ? few : decimal_write_double(to, num_to_double(lexeme));
}

/* The change mostly concerns no more than the last character, which stays a digit other
 * than 0. */
size_t decimal_write(char *to, pith_text lexeme)
{
    assert(lexeme.len > 0);
    decimal_fraction number;
    bool negative = lexeme.ptr[0] == '-';
    const char *text = lexeme.ptr + negative;
    const char *end = lexeme.ptr + lexeme.len;
    if (!decimal_take_apart(text, end, &number))
        return decimal_write_any(to, lexeme);
    decimal_change change = decimal_shorten(number, end[-1] - '0', end[-2] - '0');
    if (!change.sure)
        return decimal_write_any(to, lexeme);
    *to = '-';
    if (change.digit < 1 || change.digit > 9)
        return decimal_write_carried(to, number, change.digit, negative);
    size_t len = lexeme.len - change.drop;
    memcpy(to, lexeme.ptr, 16);
    memcpy(to + lexeme.len - 16, end - 16, 16);
    to[len - 1] = (char)('0' + change.digit);
    return len;
}

/* ------------------------------------------------------------- any number of digits */

/* The digits from number `from` up to but without number `to`. */
static void decimal_lay_digits(pith_out *out, const decimal_span *digits, size_t from,
                               size_t to)
{
    assert(from <= to && to <= digits->high.len + digits->low.len);
    size_t cut = digits->high.len;
    if (from < cut)
        out_bytes(out, digits->high.ptr + from, (to < cut ? to : cut) - from);
    if (to > cut) {
        size_t start = from > cut ? from - cut : 0;
        out_bytes(out, digits->low.ptr + start, to - cut - start);
    }
}

static void decimal_lay_zeros(pith_out *out, uint64_t count)
{
    for (; count > 0; count--)
        out_byte(out, '0');
}

void decimal_lay_plain(pith_out *out, const decimal_span *digits)
{
    size_t count = digits->high.len + digits->low.len;
    if (digits->magnitude < 0) {
        out_bytes(out, "0.", 2);
        decimal_lay_zeros(out, (uint64_t)(-digits->magnitude - 1));
        decimal_lay_digits(out, digits, 0, count);
        return;
    }
    uint64_t whole = (uint64_t)digits->magnitude + 1;
    if (whole >= count) {
        decimal_lay_digits(out, digits, 0, count);
        decimal_lay_zeros(out, whole - count);
        return;
    }
    decimal_lay_digits(out, digits, 0, (size_t)whole);
    out_byte(out, '.');
    decimal_lay_digits(out, digits, (size_t)whole, count);
}

void decimal_lay_scientific(pith_out *out, const decimal_span *digits)
{
    size_t count = digits->high.len + digits->low.len;
    assert(count > 0);
    decimal_lay_digits(out, digits, 0, 1);
    if (count > 1) {
        out_byte(out, '.');
        decimal_lay_digits(out, digits, 1, count);
    }
    bool less = digits->magnitude < 0;
    out_bytes(out, less ? "e-" : "e+", 2);
    out_reserve(out, NUM_UINT64_MAX_LEN);
    out->at += num_write_uint64(out->at, less ? 0 - (uint64_t)digits->magnitude
                                              : (uint64_t)digits->magnitude);
}
