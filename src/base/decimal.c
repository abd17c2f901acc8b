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
 * If an `o` lies between the ends it is the shortest; they are so far apart that there is
 * one at most. If not, it is the `.` nearest to the middle, which mostly is the lexeme. M
 * comes from one multiplication with the reciprocal of 10^k, `off` from one subtraction:
 * it is small, so what overflows does not matter. Whatever lies exactly on an end or
 * halfway is left to the general way.
 *
 * Of a lexeme with up to 15 significant digits those are the shortest, wherever the point
 * is and whatever the exponent says: they only have to be laid out.
 */
#include "base/decimal.h"

#include "base/scan.h"

#define DECIMAL_WHOLE 9007199254740992.0 /* 2^53: from here on doubles are whole */
#define DECIMAL_LONG 1e21                /* from here on num_write_double has exponents */

enum {
    DECIMAL_SURE = 15, /* digits that are always the shortest */
    DECIMAL_FEW = 16,  /* those that have to be looked at */
    DECIMAL_MANY = 17,
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
    for (; !(number >> 63); number <<= 1) {
        zeros++;
    }
    return zeros;
}
#endif

/* Eight digits at once: pairs, then pairs of pairs, then all. Those before the last
 * `keep` count as 0. */
static inline uint64_t decimal_read8(const char *digits, unsigned keep)
{
    uint64_t value = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&value, digits, 8);
#else
    for (unsigned i = 0; i < 8; i++) {
        value |= (uint64_t)(unsigned char)digits[i] << (8 * i);
    }
#endif
    value &= UINT64_C(0x0F0F0F0F0F0F0F0F);
    value = keep > 0 ? value >> (64 - 8 * keep) << (64 - 8 * keep) : 0;
    value = (value * 10 + (value >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
    value = (value * 100 + (value >> 16)) & UINT64_C(0x0000FFFF0000FFFF);
    return (value * 10000 + (value >> 32)) & 0xFFFFFFFFu;
}

/* The place of the point in digits with a point, which is not at their start; 0 for
 * anything else. There are at least 16 bytes. */
static size_t decimal_find_point(const char *text, size_t len)
{
#if SCAN_SIMD
    /* Of the first 16 bytes and of the last 16 all but one are digits. */
    unsigned front = scan_digit_mask(scan_load16(text)) ^ 0xFFFFu;
    unsigned back = scan_digit_mask(scan_load16(text + len - 16)) ^ 0xFFFFu;
    unsigned others = front | back << (len - 16);
    size_t point = others ? scan_lowest_bit(others) : 0;
    return (others & (others - 1)) == 0 && text[point] == '.' ? point : 0;
#else
    size_t point = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '.' && point == 0) {
            point = i;
        } else if (!scan_is_digit((unsigned char)text[i])) {
            return 0;
        }
    }
    return point;
#endif
}

/* m / 10^k */
typedef struct decimal_fraction {
    uint64_t m;
    unsigned k;
} decimal_fraction;

/* Takes a lexeme apart that has 16 or 17 digits, at least 8 of them behind the point, is
 * at least 1 and does not end in 0. False for any other. `len` is without the sign. */
static bool decimal_take_apart(const char *text, size_t len, decimal_fraction *lexeme)
{
    if (len <= DECIMAL_FEW || len > DECIMAL_MANY + 1 || text[0] == '0' ||
        text[len - 1] == '0') {
        return false;
    }
    size_t point = decimal_find_point(text, len);
    unsigned k = (unsigned)(len - 1 - point);
    if (point == 0 || k < 8 || k > 16) {
        return false;
    }
    uint64_t whole = 0;
    for (size_t i = 0; i < point; i++) {
        whole = whole * 10 + (uint64_t)(text[i] - '0');
    }
    lexeme->m = whole * decimal_powers[k].power +
                decimal_read8(text + len - 16, k - 8) * 100000000 +
                decimal_read8(text + len - 8, 8);
    lexeme->k = k;
    return true;
}

typedef enum decimal_answer {
    DECIMAL_SAME,
    DECIMAL_CHANGED,
    DECIMAL_UNSURE
} decimal_answer;

/* Makes the number the shortest for its double; see above. */
static decimal_answer decimal_shorten(decimal_fraction *number)
{
    const decimal_power *ten = &decimal_powers[number->k];
    uint64_t m = number->m;
    unsigned zeros = decimal_leading_zeros(m);
    uint64_t product = decimal_multiply(m << zeros, ten->inverse);
    unsigned shift = 64 - DECIMAL_MANTISSA_BITS - !(product >> 63);
    uint64_t mantissa = product >> shift;
    unsigned s = zeros + ten->log2 - shift;
    int64_t half = (int64_t)(ten->power / 2);
    int64_t step = (int64_t)1 << s;
    /* At a power of two the distances to both sides differ; and there must not be room
     * for two numbers with fewer digits. */
    uint64_t least = UINT64_C(1) << (DECIMAL_MANTISSA_BITS - 1);
    if (mantissa == least || mantissa + 1 == 2 * least || half >= 5 * step) {
        return DECIMAL_UNSURE;
    }
    int64_t off = (int64_t)((m << s) - mantissa * ten->power);
    if (off > half) {
        off -= (int64_t)ten->power;
    }
    int64_t digit = (int64_t)(m % 10);
    int64_t below = digit * step - off;
    int64_t above = (10 - digit) * step + off;
    int64_t size = off < 0 ? -off : off;
    if ((below > half) & (above > half) & (2 * size < step)) {
        return size < half ? DECIMAL_SAME : DECIMAL_UNSURE;
    }
    if ((size == half) | (below == half) | (above == half)) {
        return DECIMAL_UNSURE;
    }
    if ((below < half) | (above < half)) {
        number->m = m / 10 + (above < half);
        number->k--;
        return DECIMAL_CHANGED;
    }
    /* The middle is `off` below the lexeme; count the steps to the nearest. */
    uint64_t twice = 2 * (uint64_t)size + (uint64_t)step;
    uint64_t steps = twice >> (s + 1);
    if (twice == steps << (s + 1)) {
        return DECIMAL_UNSURE;
    }
    number->m = off < 0 ? m + steps : m - steps;
    return DECIMAL_CHANGED;
}

static size_t decimal_write_fraction(char *to, decimal_fraction number)
{
    while (number.k > 0 && number.m % 10 == 0) {
        number.m /= 10;
        number.k--;
    }
    size_t len = num_write_uint64(to, number.m);
    if (number.k == 0) {
        return len;
    }
    memmove(to + len - number.k + 1, to + len - number.k, number.k);
    to[len - number.k] = '.';
    return len + 1;
}

/* Copies 16 to 32 bytes, in two moves that may overlap. */
static inline void decimal_copy(char *to, const char *text, size_t len)
{
    memcpy(to, text, 16);
    memcpy(to + len - 16, text + len - 16, 16);
}

/* The number has changed in its last digits, which mostly changes no more than the last
 * character of the lexeme: true when that was all. */
static bool decimal_patch(char *to, const char *text, size_t len, uint64_t before,
                          decimal_fraction number, unsigned k, size_t *written)
{
    unsigned last = (unsigned)(before % 10);
    uint64_t tens = before / 10;
    decimal_copy(to, text, len);
    if (number.k == k && number.m / 10 == tens) {
        last = (unsigned)(number.m % 10);
    } else if (number.k + 1 == k && number.m / 10 == tens / 10) {
        len--;
        last = (unsigned)(number.m % 10);
    } else {
        return false;
    }
    to[len - 1] = (char)('0' + last);
    *written = len;
    return last != 0;
}

/* d.ddde+21 */
static char *decimal_put_scientific(char *to, const char *digits, size_t count,
                                    int64_t exponent)
{
    *to++ = digits[0];
    if (count > 1) {
        *to++ = '.';
        memcpy(to, digits + 1, count - 1);
        to += count - 1;
    }
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    return to + num_write_uint64(to, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

static size_t decimal_write_scientific(char *to, double number)
{
    num_decimal shortest = num_shortest(number);
    char *from = to;
    if (shortest.negative) {
        *to++ = '-';
    }
    to = decimal_put_scientific(to, shortest.digits, (size_t)shortest.count,
                                shortest.exponent);
    return (size_t)(to - from);
}

/* The digits, of which the first stands for 10^magnitude, with a point or zeros. */
static char *decimal_put_plain(char *to, const char *digits, size_t count, int magnitude)
{
    static const char zeros[] = "0.00000";
    if (magnitude < 0) {
        size_t lead = (size_t)(1 - magnitude);
        memcpy(to, zeros, lead);
        memcpy(to + lead, digits, count);
        return to + lead + count;
    }
    size_t whole = (size_t)magnitude + 1;
    if (count <= whole) {
        memcpy(to, digits, count);
        memset(to + count, '0', whole - count);
        return to + whole;
    }
    memcpy(to, digits, whole);
    to[whole] = '.';
    memcpy(to + whole + 1, digits + whole, count - whole);
    return to + count + 1;
}

/* A lexeme with few digits; 0 when it has many, or is too near to a limit. */
static size_t decimal_write_few(char *to, pith_text lexeme)
{
    const int64_t exponent_most = 290; /* within it doubles have all their bits */
    num_parts parts;
    char digits[DECIMAL_SURE];
    char *from = to;
    if (!num_scan(lexeme, &parts) || parts.significant > DECIMAL_SURE || parts.zero ||
        parts.magnitude == DECIMAL_SURE || parts.magnitude > exponent_most ||
        parts.magnitude < -exponent_most) {
        return 0;
    }
    if (parts.high.len > 0) {
        memcpy(digits, parts.high.ptr, parts.high.len);
    }
    if (parts.low.len > 0) {
        memcpy(digits + parts.high.len, parts.low.ptr, parts.low.len);
    }
    if (parts.negative) {
        *to++ = '-';
    }
    bool plain = parts.magnitude >= -6 && parts.magnitude < DECIMAL_SURE;
    to = plain ? decimal_put_plain(to, digits, parts.significant, (int)parts.magnitude)
               : decimal_put_scientific(to, digits, parts.significant, parts.magnitude);
    return (size_t)(to - from);
}

static size_t decimal_write_double(char *to, double number)
{
    double size = number < 0 ? -number : number;
    if (!(size - size == 0)) {
        return 0;
    }
    if (!(size > 0)) {
        *to = '0';
        return 1;
    }
    if (size >= DECIMAL_WHOLE && size < DECIMAL_LONG) {
        return decimal_write_scientific(to, number);
    }
    size_t len = num_write_double(to, number);
    bool whole = len > 2 && to[len - 1] == '0' && to[len - 2] == '.';
    return whole ? len - 2 : len;
}

size_t decimal_write(char *to, pith_text lexeme)
{
    decimal_fraction number;
    bool negative = lexeme.ptr[0] == '-';
    const char *text = lexeme.ptr + negative;
    size_t len = lexeme.len - negative;
    if (decimal_take_apart(text, len, &number)) {
        decimal_fraction before = number;
        size_t written = 0;
        switch (decimal_shorten(&number)) {
        case DECIMAL_SAME:
            decimal_copy(to, lexeme.ptr, lexeme.len);
            return lexeme.len;
        case DECIMAL_CHANGED:
            *to = '-';
            to += negative;
            if (!decimal_patch(to, text, len, before.m, number, before.k, &written)) {
                written = decimal_write_fraction(to, number);
            }
            return negative + written;
        case DECIMAL_UNSURE:
            break;
        }
    }
    size_t few = decimal_write_few(to, lexeme);
    return few ? few : decimal_write_double(to, num_to_double(lexeme));
}
