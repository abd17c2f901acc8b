/*
 * arrow_text.c - what integers in columns of Arrow stand for, as texts, and back.
 *
 *     decimals     all their digits: 12.50 at a scale of 2
 *     dates        2024-02-29; years beyond 0 to 9999 have a sign: +10000-01-01, -0044-03-15
 *     timestamps   2024-02-29T12:00:00.5, and Z or +05:30 where they have a zone
 *     times        12:00:00.5
 *     durations    PT26H5M0.5S, -PT1S; intervals P14M3DT1.5S, a sign for each part
 *
 * Fractions have no zeros at the end. Every integer has a text of its own and is found
 * again in it, by whoever knows the type of the column.
 */
#include "api/arrow.h"
#include "base/num.h"

#include <math.h>

/* --------------------------------------------------------------------- decimals */

enum { ARROW_LIMBS = 8 };

/* Bytes as limbs, the lowest first, made positive. */
static bool arrow_take_limbs(uint32_t *limbs, const uint8_t *bytes, unsigned width)
{
    uint8_t filler = bytes[width - 1] & 0x80 ? 0xff : 0;
    uint32_t carry = filler & 1u;
    for (unsigned i = 0; i < ARROW_LIMBS; i++) {
        uint32_t limb = 0;
        for (unsigned b = 0; b < 4; b++) {
            uint8_t byte = i * 4 + b < width ? bytes[i * 4 + b] : filler;
            limb |= (uint32_t)(byte ^ filler) << (8 * b);
        }
        limbs[i] = limb + carry;
        carry = carry && limbs[i] == 0;
    }
    return filler != 0;
}

/* The digits of limbs, which are used up; at least one. */
static size_t arrow_write_limbs(char *to, uint32_t *limbs)
{
    char digits[96];
    size_t at = sizeof digits;
    bool more = true;
    while (more) {
        uint64_t rest = 0;
        more = false;
        for (unsigned i = ARROW_LIMBS; i-- > 0;) {
            rest = rest << 32 | limbs[i];
            limbs[i] = (uint32_t)(rest / 1000000000u);
            rest %= 1000000000u;
            more = more || limbs[i] != 0;
        }
        for (unsigned d = 0; d < 9 && (more || rest > 0 || at == sizeof digits); d++) {
            digits[--at] = (char)('0' + rest % 10);
            rest /= 10;
        }
    }
    memcpy(to, digits + at, sizeof digits - at);
    return sizeof digits - at;
}

static size_t arrow_write_whole(char *to, const uint8_t *bytes, unsigned width,
                                bool *negative)
{
    uint32_t limbs[ARROW_LIMBS];
    *negative = arrow_take_limbs(limbs, bytes, width);
    for (unsigned i = 2; i < ARROW_LIMBS; i++)
        if (limbs[i] != 0)
            return arrow_write_limbs(to, limbs);
    return num_write_uint64(to, (uint64_t)limbs[1] << 32 | limbs[0]);
}

size_t arrow_write_decimal(char *to, const uint8_t *bytes, unsigned width, int32_t scale)
{
    char digits[96];
    bool negative;
    size_t len = arrow_write_whole(digits, bytes, width, &negative);
    char *at = to;
    if (negative)
        *at++ = '-';
    if (scale <= 0) {
        size_t zeros = len == 1 && digits[0] == '0' ? 0 : (size_t)-scale;
        memcpy(at, digits, len);
        memset(at + len, '0', zeros);
        return (size_t)(at - to) + len + zeros;
    }
    size_t after = (size_t)scale;
    size_t whole = len > after ? len - after : 0;
    memcpy(at, digits, whole);
    at += whole;
    if (whole == 0)
        *at++ = '0';
    *at++ = '.';
    size_t zeros = len < after ? after - len : 0;
    memset(at, '0', zeros);
    memcpy(at + zeros, digits + whole, len - whole);
    return (size_t)(at - to) + zeros + len - whole;
}

/* limbs x 10 + digit; false when that is too much. */
static bool arrow_add_digit(uint32_t *limbs, unsigned digit)
{
    uint64_t carry = digit;
    for (unsigned i = 0; i < ARROW_LIMBS; i++) {
        carry += (uint64_t)limbs[i] * 10;
        limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return carry == 0;
}

static void arrow_put_limbs(uint8_t *bytes, unsigned width, const uint32_t *limbs,
                            bool negative)
{
    unsigned carry = negative;
    for (unsigned i = 0; i < width; i++) {
        unsigned byte = limbs[i / 4] >> (8 * (i % 4)) & 0xff;
        byte = (negative ? byte ^ 0xff : byte) + carry;
        carry = byte >> 8;
        bytes[i] = (uint8_t)byte;
    }
}

bool arrow_read_decimal(pith_text digits, const arrow_type *type, uint8_t *bytes)
{
    num_parts parts;
    uint32_t limbs[ARROW_LIMBS] = {0};
    if (!num_scan(digits, &parts))
        return false;
    if (!parts.zero) {
        /* As an integer at this scale it has so many digits, all significant ones among
         * them. */
        int64_t count = parts.magnitude + 1 + type->scale;
        if (count < (int64_t)parts.significant || count > type->precision)
            return false;
        for (int64_t i = 0; i < count; i++) {
            size_t d = (size_t)i;
            unsigned digit = d < parts.high.len ? (unsigned)(parts.high.ptr[d] - '0')
                             : d < parts.significant
                                 ? (unsigned)(parts.low.ptr[d - parts.high.len] - '0')
                                 : 0;
            if (!arrow_add_digit(limbs, digit))
                return false;
        }
    }
    arrow_put_limbs(bytes, type->width, limbs, parts.negative);
    return true;
}

/* ------------------------------------------------------------------ half floats */

/* A finite half in units of 2^-24, of which it is a whole number, and the distances to its
 * neighbours: a power of two is nearer to the one below. */
typedef struct arrow_units {
    uint64_t size, above, below;
    bool even;
} arrow_units;

static arrow_units arrow_half_units(uint16_t half)
{
    unsigned exponent = half >> 10 & 31;
    uint64_t fraction = half & 1023u;
    uint64_t gap = UINT64_C(1) << (exponent > 1 ? exponent - 1 : 0);
    arrow_units units = {(exponent ? fraction | 1024 : fraction) * gap, gap, gap,
                         !(half & 1)};
    if (fraction == 0 && exponent > 1)
        units.below = gap / 2;
    return units;
}

static double arrow_power(unsigned exponent)
{
    double power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* The nearest number with so many digits after the point, or zeros before it, if no other
 * half is as near; else false. */
static bool arrow_try_digits(const arrow_units *units, int places, double *number)
{
    uint64_t power = 1;
    for (int i = 0; i < (places < 0 ? -places : places); i++)
        power *= 10;
    uint64_t times = places > 0 ? power : 1;
    uint64_t by = (places > 0 ? 1 : power) << 24;
    uint64_t here = units->size * times;
    uint64_t digits = (here + by / 2) / by;
    uint64_t there = digits * by;
    uint64_t off = there > here ? there - here : here - there;
    uint64_t gap = (there > here ? units->above : units->below) * times;
    if (digits == 0 || off * 2 > gap || (off * 2 == gap && !units->even))
        return false;
    *number = places > 0 ? (double)digits / arrow_power((unsigned)places)
                         : (double)digits * arrow_power((unsigned)-places);
    return true;
}

double arrow_half_to_double(uint16_t half)
{
    double sign = half & 0x8000 ? -1 : 1;
    if ((half & 0x7c00) == 0x7c00)
        return half & 1023 ? (double)NAN : sign * (double)INFINITY;
    arrow_units units = arrow_half_units(half);
    double number = (double)units.size / 16777216;
    int first = units.size == 0 ? 0 : (int)floor(log10(number));
    for (int places = -first; units.size > 0 && places <= 4 - first; places++)
        if (arrow_try_digits(&units, places, &number)) /* five digits are enough */
            break;
    return sign * number;
}

bool arrow_double_to_half(double number, uint16_t *half)
{
    uint16_t sign = signbit(number) ? 0x8000 : 0;
    double size = fabs(number);
    if (isnan(number)) {
        *half = 0x7e00;
        return true;
    }
    if (isinf(number)) {
        *half = sign | 0x7c00;
        return true;
    }
    int exponent = 0;
    frexp(size, &exponent);
    /* The distance between halves of this size. */
    int step = exponent - 11 < -24 ? -24 : exponent - 11;
    double units = nearbyint(ldexp(size, -step));
    if (units >= 2048) {
        units /= 2;
        step++;
    }
    if (step > 5 || isnan(units))
        return false;
    unsigned fraction = (unsigned)units;
    uint16_t bits = fraction < 1024
                        ? (uint16_t)fraction
                        : (uint16_t)((unsigned)(step + 25) << 10 | (fraction & 1023));
    *half = sign | bits;
    return true;
}

/* ------------------------------------------------------------------------ times */

enum { ARROW_DAY = 86400 };

static const int64_t arrow_powers[] = {1,      10,      100,      1000,      10000,
                                       100000, 1000000, 10000000, 100000000, 1000000000};

/* The whole number of times `by` is in `number`, downwards, and what is left. */
static int64_t arrow_divide(int64_t number, int64_t by, int64_t *rest)
{
    int64_t times = number / by;
    *rest = number % by;
    if (*rest < 0) {
        *rest += by;
        times--;
    }
    return times;
}

static char *arrow_put_two(char *at, int64_t number)
{
    *at++ = (char)('0' + number / 10);
    *at++ = (char)('0' + number % 10);
    return at;
}

/* The day as year, month and day, counted in years that begin with March, so that the
 * leap day is the last. */
static char *arrow_put_date(char *at, int64_t days)
{
    int64_t day;
    int64_t era = arrow_divide(days + 719468, 146097, &day);
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    int64_t of_year = day - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;
    int64_t of_month = of_year - (153 * month + 2) / 5 + 1;
    year += era * 400 + (month >= 10);
    month += month < 10 ? 3 : -9;
    if (year < 0 || year > 9999)
        *at++ = year < 0 ? '-' : '+';
    uint64_t size = year < 0 ? 0 - (uint64_t)year : (uint64_t)year;
    char digits[NUM_UINT64_MAX_LEN];
    size_t len = num_write_uint64(digits, size);
    for (size_t i = len; i < 4; i++)
        *at++ = '0';
    memcpy(at, digits, len);
    at += len;
    *at++ = '-';
    at = arrow_put_two(at, month);
    *at++ = '-';
    return arrow_put_two(at, of_month);
}

static char *arrow_put_fraction(char *at, int64_t fraction, unsigned digits)
{
    if (fraction == 0)
        return at;
    *at++ = '.';
    while (fraction > 0) {
        fraction *= 10;
        *at++ = (char)('0' + fraction / arrow_powers[digits]);
        fraction %= arrow_powers[digits];
    }
    return at;
}

static char *arrow_put_clock(char *at, int64_t seconds, int64_t fraction, unsigned digits)
{
    at = arrow_put_two(at, seconds / 3600);
    *at++ = ':';
    at = arrow_put_two(at, seconds / 60 % 60);
    *at++ = ':';
    at = arrow_put_two(at, seconds % 60);
    return arrow_put_fraction(at, fraction, digits);
}

static char *arrow_put_zone(char *at, const arrow_type *type)
{
    if (type->zone == ARROW_UTC)
        *at++ = 'Z';
    if (type->zone != ARROW_OFFSET)
        return at;
    int32_t minutes = type->zone_seconds / 60;
    *at++ = minutes < 0 ? '-' : '+';
    minutes = minutes < 0 ? -minutes : minutes;
    at = arrow_put_two(at, minutes / 60);
    *at++ = ':';
    return arrow_put_two(at, minutes % 60);
}

static char *arrow_put_timestamp(char *at, const arrow_type *type, int64_t number,
                                 unsigned digits)
{
    int64_t fraction;
    int64_t clock;
    int64_t seconds = arrow_divide(number, arrow_powers[digits], &fraction);
    int64_t days = arrow_divide(seconds, ARROW_DAY, &clock);
    int64_t shift = arrow_divide(
        clock + (type->zone == ARROW_OFFSET ? type->zone_seconds : 0), ARROW_DAY, &clock);
    at = arrow_put_date(at, days + shift);
    *at++ = 'T';
    at = arrow_put_clock(at, clock, fraction, digits);
    return arrow_put_zone(at, type);
}

/* A number and its letter, if it is not 0. */
static char *arrow_put_part(char *at, int64_t number, char letter)
{
    if (number == 0)
        return at;
    at += num_write_int64(at, number);
    *at++ = letter;
    return at;
}

/* Seconds, with the sign before all of it. */
static char *arrow_put_seconds(char *at, uint64_t seconds, int64_t fraction,
                               unsigned digits, bool negative)
{
    if (negative)
        *at++ = '-';
    at += num_write_uint64(at, seconds);
    at = arrow_put_fraction(at, fraction, digits);
    *at++ = 'S';
    return at;
}

static char *arrow_put_duration(char *at, int64_t number, unsigned digits)
{
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    uint64_t seconds = size / (uint64_t)arrow_powers[digits];
    int64_t fraction = (int64_t)(size % (uint64_t)arrow_powers[digits]);
    if (number < 0)
        *at++ = '-';
    *at++ = 'P';
    *at++ = 'T';
    at = arrow_put_part(at, (int64_t)(seconds / 3600), 'H');
    at = arrow_put_part(at, (int64_t)(seconds / 60 % 60), 'M');
    seconds %= 60;
    if (seconds > 0 || fraction > 0 || at[-1] == 'T')
        at = arrow_put_seconds(at, seconds, fraction, digits, false);
    return at;
}

static char *arrow_put_time_of_day(char *at, int64_t number, unsigned digits)
{
    int64_t fraction;
    int64_t seconds = arrow_divide(number, arrow_powers[digits], &fraction);
    if (seconds < 0 || seconds > ARROW_DAY || (seconds == ARROW_DAY && fraction > 0))
        return at;
    return arrow_put_clock(at, seconds, fraction, digits);
}

size_t arrow_write_time(char *to, const arrow_type *type, int64_t number)
{
    char *end = to;
    int64_t rest = 0;
    switch (type->kind) {
    case ARROW_DATE:
        if (type->width == 4)
            end = arrow_put_date(to, number);
        else if (number % (ARROW_DAY * INT64_C(1000)) != 0)
            end = arrow_put_timestamp(to, type, number, 3);
        else
            end = arrow_put_date(to,
                                 arrow_divide(number, ARROW_DAY * INT64_C(1000), &rest));
        break;
    case ARROW_TIME:
        end = arrow_put_time_of_day(to, number, type->digits);
        break;
    case ARROW_TIMESTAMP:
        end = arrow_put_timestamp(to, type, number, type->digits);
        break;
    case ARROW_DURATION:
        end = arrow_put_duration(to, number, type->digits);
        break;
    default:
        assert(false);
    }
    return (size_t)(end - to);
}

size_t arrow_write_interval(char *to, const arrow_type *type, const uint8_t *bytes)
{
    int32_t parts[2] = {0, 0};
    int64_t small = 0;
    unsigned digits = 9;
    if (type->kind == ARROW_MONTHS) {
        memcpy(&parts[0], bytes, 4);
    } else if (type->kind == ARROW_DAYS_MILLIS) {
        int32_t millis;
        memcpy(&parts[1], bytes, 4);
        memcpy(&millis, bytes + 4, 4);
        small = millis;
        digits = 3;
    } else {
        memcpy(parts, bytes, 8);
        memcpy(&small, bytes + 8, 8);
    }
    char *at = to;
    *at++ = 'P';
    at = arrow_put_part(at, parts[0], 'M');
    at = arrow_put_part(at, parts[1], 'D');
    if (small != 0) {
        uint64_t size = small < 0 ? 0 - (uint64_t)small : (uint64_t)small;
        uint64_t power = (uint64_t)arrow_powers[digits];
        *at++ = 'T';
        at = arrow_put_seconds(at, size / power, (int64_t)(size % power), digits,
                               small < 0);
    }
    if (at == to + 1) {
        memcpy(at, "T0S", 3);
        at += 3;
    }
    return (size_t)(at - to);
}

size_t arrow_write_uuid(char *to, const uint8_t *bytes)
{
    static const char hex[] = "0123456789abcdef";
    char *at = to;
    for (unsigned i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *at++ = '-';
        *at++ = hex[bytes[i] >> 4];
        *at++ = hex[bytes[i] & 15];
    }
    return (size_t)(at - to);
}

/* ------------------------------------------------------------------ texts back */

/* What is left of a text that is being read; the first failure sticks. */
typedef struct arrow_scan {
    const char *at, *end;
    bool bad;
} arrow_scan;

static bool arrow_see(arrow_scan *s, char c)
{
    bool there = s->at < s->end && *s->at == c;
    s->at += there;
    return there;
}

static void arrow_need(arrow_scan *s, char c)
{
    s->bad = !arrow_see(s, c) || s->bad;
}

/* So many digits at least, and at most. */
static int64_t arrow_scan_number(arrow_scan *s, int least, int most)
{
    int64_t number = 0;
    int count = 0;
    for (; count < most && s->at < s->end && *s->at >= '0' && *s->at <= '9'; count++) {
        if (number > (INT64_MAX - 9) / 10)
            s->bad = true;
        else
            number = number * 10 + (*s->at - '0');
        s->at++;
    }
    s->bad = s->bad || count < least;
    return number;
}

static int64_t arrow_scan_within(arrow_scan *s, int digits, int64_t least, int64_t most)
{
    int64_t number = arrow_scan_number(s, digits, digits);
    s->bad = s->bad || number < least || number > most;
    return number;
}

static int64_t arrow_days_of(int64_t year, int64_t month, int64_t day)
{
    int64_t rest;
    year -= month <= 2;
    int64_t era = arrow_divide(year, 400, &rest);
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + rest * 365 + rest / 4 - rest / 100 + of_year - 719468;
}

static int64_t arrow_scan_date(arrow_scan *s)
{
    static const int8_t lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool negative = arrow_see(s, '-');
    bool sign = negative || arrow_see(s, '+');
    int64_t year = arrow_scan_number(s, 4, sign ? 12 : 4);
    arrow_need(s, '-');
    int64_t month = arrow_scan_within(s, 2, 1, 12);
    arrow_need(s, '-');
    int64_t day = arrow_scan_within(s, 2, 1, s->bad ? 31 : lengths[month - 1]);
    year = negative ? -year : year;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    s->bad = s->bad || (month == 2 && day == 29 && !leap);
    return s->bad ? 0 : arrow_days_of(year, month, day);
}

/* A fraction, if there is one; more digits than the column has must be zeros. */
static int64_t arrow_scan_fraction(arrow_scan *s, unsigned digits)
{
    int64_t fraction = 0;
    if (!arrow_see(s, '.'))
        return 0;
    unsigned count = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; count++, s->at++)
        if (count < digits)
            fraction = fraction * 10 + (*s->at - '0');
        else if (*s->at != '0')
            s->bad = true;
    s->bad = s->bad || count == 0;
    for (; count < digits; count++)
        fraction *= 10;
    return fraction;
}

static int64_t arrow_scan_clock(arrow_scan *s)
{
    int64_t hours = arrow_scan_within(s, 2, 0, 24);
    arrow_need(s, ':');
    int64_t minutes = arrow_scan_within(s, 2, 0, 59);
    arrow_need(s, ':');
    int64_t seconds = arrow_scan_within(s, 2, 0, 59);
    s->bad = s->bad || (hours == 24 && minutes + seconds > 0);
    return (hours * 60 + minutes) * 60 + seconds;
}

/* The seconds that a text is before UTC; a column with a zone asks for one. */
static int64_t arrow_scan_zone(arrow_scan *s, const arrow_type *type)
{
    if (type->zone == ARROW_LOCAL)
        return 0;
    if (arrow_see(s, 'Z') || arrow_see(s, 'z'))
        return 0;
    bool negative = arrow_see(s, '-');
    if (!negative)
        arrow_need(s, '+');
    int64_t hours = arrow_scan_within(s, 2, 0, 23);
    arrow_need(s, ':');
    int64_t minutes = arrow_scan_within(s, 2, 0, 59);
    return (hours * 60 + minutes) * (negative ? -60 : 60);
}

/* high x by + low, where that is a number. */
static bool arrow_combine(int64_t high, int64_t by, int64_t low, int64_t *number)
{
    assert(by > 0 && low >= 0);
    /* From below, so that the least number is reached, too. */
    if (high < 0) {
        high++;
        low -= by;
    }
    if (high > INT64_MAX / by || high < INT64_MIN / by)
        return false;
    high *= by;
    if (low > 0 ? high > INT64_MAX - low : high < INT64_MIN - low)
        return false;
    *number = high + low;
    return true;
}

static bool arrow_scan_timestamp(arrow_scan *s, const arrow_type *type, unsigned digits,
                                 int64_t *number)
{
    int64_t days = arrow_scan_date(s);
    if (!arrow_see(s, 'T') && !arrow_see(s, 't'))
        arrow_need(s, ' ');
    int64_t clock = arrow_scan_clock(s);
    int64_t fraction = arrow_scan_fraction(s, digits);
    clock -= arrow_scan_zone(s, type);
    days += arrow_divide(clock, ARROW_DAY, &clock);
    int64_t seconds;
    return !s->bad && s->at == s->end &&
           arrow_combine(days, ARROW_DAY, clock, &seconds) &&
           arrow_combine(seconds, arrow_powers[digits], fraction, number);
}

/* Of a duration: numbers with D, H, M and S, each at most once and in this order. */
static bool arrow_scan_duration(arrow_scan *s, unsigned digits, int64_t *number)
{
    static const int64_t sizes[] = {ARROW_DAY, 3600, 60, 1};
    static const char letters[] = "DHMS";
    bool negative = arrow_see(s, '-');
    int64_t below = 0; /* the seconds, negative, for there is one more of these */
    int64_t fraction = 0;
    size_t next = 0;
    bool any = false;
    arrow_need(s, 'P');
    bool clock = arrow_see(s, 'T');
    while (!s->bad && s->at < s->end) {
        if (!clock && (clock = arrow_see(s, 'T')))
            continue;
        int64_t part = arrow_scan_number(s, 1, 19);
        const char *point = s->at;
        fraction = arrow_scan_fraction(s, digits);
        bool broken = s->at > point;
        while (next < 4 && s->at < s->end && letters[next] != *s->at)
            next++;
        if (s->at == s->end || next == 4 || (next > 0) != clock || (broken && next < 3))
            return false;
        s->at++;
        if (part > INT64_MAX / sizes[next] || below < INT64_MIN + part * sizes[next])
            return false;
        below -= part * sizes[next++];
        any = true;
    }
    int64_t units = arrow_powers[digits];
    if (s->bad || !any || (below == INT64_MIN && (fraction > 0 || !negative)))
        return false;
    if (!negative)
        return arrow_combine(-below, units, fraction, number);
    return fraction == 0 ? arrow_combine(below, units, 0, number)
                         : arrow_combine(below - 1, units, units - fraction, number);
}

bool arrow_read_time(pith_text text, const arrow_type *type, int64_t *number)
{
    arrow_scan s = {text.ptr, text.ptr + text.len, false};
    int64_t days;
    switch (type->kind) {
    case ARROW_DATE:
        if (type->width == 8 && memchr(text.ptr, 'T', text.len))
            return arrow_scan_timestamp(&s, type, 3, number);
        days = arrow_scan_date(&s);
        if (s.bad || s.at < s.end)
            return false;
        if (type->width == 8)
            return arrow_combine(days, ARROW_DAY * INT64_C(1000), 0, number);
        *number = days;
        return days >= INT32_MIN && days <= INT32_MAX;
    case ARROW_TIME: {
        int64_t clock = arrow_scan_clock(&s);
        int64_t fraction = arrow_scan_fraction(&s, type->digits);
        bool fits = clock < ARROW_DAY || fraction == 0;
        return !s.bad && s.at == s.end && fits &&
               arrow_combine(clock, arrow_powers[type->digits], fraction, number);
    }
    case ARROW_TIMESTAMP:
        return arrow_scan_timestamp(&s, type, type->digits, number);
    default:
        assert(type->kind == ARROW_DURATION);
        return arrow_scan_duration(&s, type->digits, number);
    }
}

static int arrow_hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool arrow_read_uuid(pith_text text, uint8_t *bytes)
{
    size_t at = 0;
    if (text.len != 36)
        return false;
    for (unsigned i = 0; i < 16; i++) {
        if ((i == 4 || i == 6 || i == 8 || i == 10) && text.ptr[at++] != '-')
            return false;
        int high = arrow_hex(text.ptr[at++]);
        int low = arrow_hex(text.ptr[at++]);
        if (high < 0 || low < 0)
            return false;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}
