/*
 * decimal.c - canonical decimals, the usual ones without any arithmetic.
 */
#include "base/decimal.h"

#include "base/scan.h"

enum {
    DECIMAL_USUAL_DIGITS = 16, /* what most programs print for a double */
    DECIMAL_USUAL_LEN = DECIMAL_USUAL_DIGITS + 1
};

#define DECIMAL_WHOLE 9007199254740992.0 /* 2^53: from here on doubles are whole */
#define DECIMAL_LONG 1e21                /* from here on num_write_double has exponents */

/* True for a point and 16 digits, without exponent or zeros at either end, the first of
 * them 1, 2 or 3.
 *
 * Then the last digit counts for more than the distance to the next double, so no other
 * 16 digits, and no fewer, read back as the same: they are the shortest already. */
static bool decimal_is_usual(const char *digits, size_t len)
{
    if (len != DECIMAL_USUAL_LEN || digits[0] < '1' || digits[0] > '3' ||
        digits[len - 1] == '0') {
        return false;
    }
#if SCAN_SIMD
    /* Of the first 16 bytes all but one are digits, and the last byte is one. */
    unsigned mask = scan_digit_mask(scan_load16(digits)) ^ 0xFFFFu;
    return (mask & (mask - 1)) == 0 && mask != 0 && digits[scan_lowest_bit(mask)] == '.' &&
           scan_is_digit((unsigned char)digits[len - 1]);
#else
    size_t points = 0;
    for (size_t i = 0; i < len; i++) {
        if (digits[i] == '.') {
            points++;
        } else if (!scan_is_digit((unsigned char)digits[i])) {
            return false;
        }
    }
    return points == 1;
#endif
}

static size_t decimal_write_scientific(char *to, double number)
{
    num_decimal shortest = num_shortest(number);
    char *from = to;
    if (shortest.negative) {
        *to++ = '-';
    }
    *to++ = shortest.digits[0];
    if (shortest.count > 1) {
        *to++ = '.';
        memcpy(to, shortest.digits + 1, (size_t)shortest.count - 1);
        to += shortest.count - 1;
    }
    *to++ = 'e';
    *to++ = '+';
    to += num_write_uint64(to, (uint64_t)shortest.exponent);
    return (size_t)(to - from);
}

size_t decimal_write(char *to, pith_text lexeme)
{
    bool negative = lexeme.ptr[0] == '-';
    if (decimal_is_usual(lexeme.ptr + negative, lexeme.len - negative)) {
        memcpy(to, lexeme.ptr, lexeme.len);
        return lexeme.len;
    }
    double number = num_to_double(lexeme);
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
