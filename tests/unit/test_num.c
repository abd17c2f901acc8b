/*
 * test_num.c - numbers to digits and back, against three witnesses.
 *
 * The C library's strtod and printf, which are exact where we run tests, are compared
 * with on random numbers. Where randomness never comes, exactly halfway between two
 * doubles, an integer of decimal limbs below writes the point out to its last digit.
 * And num.c is compiled a second time here without compiler extensions, so that the
 * code other compilers get is tested as well.
 *
 * Expected doubles are in hexadecimal: they must not rest on a compiler's own reading
 * of decimals.
 */
#include "base/num.h"

#define NUM_PORTABLE
#define num_to_int64 portable_to_int64
#define num_to_uint64 portable_to_uint64
#define num_to_double portable_to_double
#define num_write_int64 portable_write_int64
#define num_write_uint64 portable_write_uint64
#define num_write_double portable_write_double
#define num_write_float portable_write_float
#define num_shortest portable_shortest
#define num_scan portable_scan
#include "base/num.c" /* NOLINT(bugprone-suspicious-include): the twin */
#undef num_to_int64
#undef num_to_uint64
#undef num_to_double
#undef num_write_int64
#undef num_write_uint64
#undef num_write_double
#undef num_write_float
#undef num_shortest
#undef num_scan

#include "random.h"
#include "testing.h"

#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>

static pith_text text(const char *string)
{
    pith_text span = {string, strlen(string)};
    return span;
}

/* True when the bytes are the C string; otherwise shows both. */
static bool same_text(const char *expected, const char *found, size_t len)
{
    if (len == strlen(expected) && memcmp(found, expected, len) == 0)
        return true;
    fprintf(stderr, "found %.*s, expected %s\n", (int)len, found, expected);
    return false;
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Reads the lexeme in a block of memory that ends where it ends, so that the address
 * sanitizer sees a step beyond. */
static double read_tightly(const char *lexeme, size_t len)
{
    char *copy = malloc(len);
    assert_non_null(copy);
    memcpy(copy, lexeme, len);
    pith_text span = {copy, len};
    double found = num_to_double(span);
    assert_true(bits_of(portable_to_double(span)) == bits_of(found));
    free(copy);
    return found;
}

static bool reads_as(const char *lexeme, size_t len, double expected)
{
    double found = read_tightly(lexeme, len);
    if (bits_of(found) == bits_of(expected))
        return true;
    fprintf(stderr, "%.*s%s: found %a, expected %a\n", (int)(len < 900 ? len : 900),
            lexeme, len < 900 ? "" : "...", found, expected);
    return false;
}

/* --------------------------------------------------------- decimal big integers */

enum { LIMB = 1000000000, LIMBS = 160, LIMB_DIGITS = 9 };

typedef struct bignum {
    uint32_t limbs[LIMBS]; /* the least first */
    size_t count;
} bignum;

static void bignum_multiply_add(bignum *big, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (size_t i = 0; i < big->count; i++) {
        carry += (uint64_t)big->limbs[i] * factor;
        big->limbs[i] = (uint32_t)(carry % LIMB);
        carry /= LIMB;
    }
    for (; carry; carry /= LIMB) {
        assert_true(big->count < LIMBS);
        big->limbs[big->count++] = (uint32_t)(carry % LIMB);
    }
}

static void bignum_add_word(bignum *big, uint64_t word)
{
    for (int shift = 48; shift >= 0; shift -= 16)
        bignum_multiply_add(big, 0x10000, (uint32_t)(word >> shift & 0xFFFF));
}

static bignum bignum_of(uint64_t high, uint64_t low)
{
    bignum big;
    big.count = 0;
    bignum_add_word(&big, high);
    bignum_add_word(&big, low);
    return big;
}

static void bignum_multiply_power(bignum *big, uint32_t base, int power)
{
    for (; power >= 8; power -= 8) {
        uint32_t square = base * base;
        uint32_t eighth = square * square; /* base^4; base^8 may not fit */
        bignum_multiply_add(big, eighth, 0);
        bignum_multiply_add(big, eighth, 0);
    }
    for (; power > 0; power--)
        bignum_multiply_add(big, base, 0);
}

static int bignum_compare(const bignum *a, const bignum *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (size_t i = a->count; i-- > 0;)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    return 0;
}

/* The number must not be a power of LIMB, whose first limb would become 0. */
static void bignum_subtract_one(bignum *big)
{
    size_t i = 0;
    for (; big->limbs[i] == 0; i++)
        big->limbs[i] = LIMB - 1;
    big->limbs[i]--;
}

static size_t bignum_write(char *to, const bignum *big)
{
    size_t len = (size_t)sprintf(to, "%" PRIu32, big->limbs[big->count - 1]);
    for (size_t i = big->count - 1; i-- > 0;)
        len += (size_t)sprintf(to + len, "%0*" PRIu32, LIMB_DIGITS, big->limbs[i]);
    return len;
}

/* ---------------------------------------------------------------------- the table */

/* Where g * 2^twos stands, seen from 10^power; both sides made whole first. */
static int compare_with_power(bignum g, int twos, int power)
{
    bignum ten = bignum_of(0, 1);
    bignum_multiply_power(power < 0 ? &g : &ten, 10, abs(power));
    bignum_multiply_power(twos > 0 ? &g : &ten, 2, abs(twos));
    return bignum_compare(&g, &ten);
}

static void test_powers_of_ten_are_rounded_up(void **state)
{
    (void)state;
    for (int power = NUM_POWER_LEAST; power <= NUM_POWER_MOST; power++) {
        const uint64_t *g = num_powers_of_ten[power - NUM_POWER_LEAST];
        uint64_t less_high = g[0] - (g[1] == 0);
        int twos = num_log2_of_ten_to(power) - 127;
        assert_true(g[0] >> 63);
        assert_true(compare_with_power(bignum_of(g[0], g[1]), twos, power) >= 0);
        assert_true(compare_with_power(bignum_of(less_high, g[1] - 1), twos, power) < 0);
    }
}

/* ----------------------------------------------------------------------- integers */

static void test_integers_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *lexeme;
        bool is_int64, is_uint64;
        int64_t as_int64;
        uint64_t as_uint64;
    } rows[] = {
        {"0", true, true, 0, 0},
        {"-0", true, true, 0, 0},
        {"7", true, true, 7, 7},
        {"-7", true, false, -7, 0},
        {"12345678", true, true, 12345678, 12345678},
        {"-123456789012345678", true, false, -123456789012345678, 0},
        {"9223372036854775807", true, true, INT64_MAX, INT64_MAX},
        {"9223372036854775808", false, true, 0, UINT64_C(9223372036854775808)},
        {"-9223372036854775808", true, false, INT64_MIN, 0},
        {"-9223372036854775809", false, false, 0, 0},
        {"9999999999999999999", false, true, 0, UINT64_C(9999999999999999999)},
        {"10000000000000000000", false, true, 0, UINT64_C(10000000000000000000)},
        {"18446744073709551615", false, true, 0, UINT64_MAX},
        {"18446744073709551616", false, false, 0, 0},
        {"19999999999999999999", false, false, 0, 0},
        {"28446744073709551615", false, false, 0, 0},
        {"36893488147419103232", false, false, 0, 0}, /* 2^65 */
        {"99999999999999999999", false, false, 0, 0},
        {"100000000000000000000", false, false, 0, 0},
        {"-18446744073709551615", false, false, 0, 0},
        {"1234567:", false, false, 0, 0},
        {"1234567/", false, false, 0, 0},
        {":2345678", false, false, 0, 0},
        {"/2345678", false, false, 0, 0},
        {"1234\xff"
         "678",
         false, false, 0, 0},
        {"1.0", false, false, 0, 0},
        {"1e3", false, false, 0, 0},
        {"12345678e1", false, false, 0, 0},
        {"-1E+3", false, false, 0, 0},
        {"-", false, false, 0, 0},
        {"", false, false, 0, 0},
    };
    int failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        int64_t number = 42;
        uint64_t size = 42;
        bool is_int64 = num_to_int64(text(rows[i].lexeme), &number);
        bool is_uint64 = num_to_uint64(text(rows[i].lexeme), &size);
        if (is_int64 != rows[i].is_int64 || is_uint64 != rows[i].is_uint64 ||
            number != (is_int64 ? rows[i].as_int64 : 42) ||
            size != (is_uint64 ? rows[i].as_uint64 : 42)) {
            fprintf(stderr, "%s: %d %" PRId64 ", %d %" PRIu64 "\n", rows[i].lexeme,
                    is_int64, number, is_uint64, size);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

/* Writes the number signed and unsigned, with both twins, in exactly the room promised,
 * and reads both back. */
static void check_integer(uint64_t size)
{
    char expected[32];
    char found[NUM_UINT64_MAX_LEN];
    size_t len = (size_t)sprintf(expected, "%" PRIu64, size);
    assert_int_equal(num_write_uint64(found, size), len);
    assert_memory_equal(found, expected, len);
    assert_int_equal(portable_write_uint64(found, size), len);
    assert_memory_equal(found, expected, len);
    uint64_t again = ~size;
    pith_text span = {found, len};
    assert_true(num_to_uint64(span, &again) && again == size);

    char signed_found[NUM_INT64_MAX_LEN];
    int64_t number;
    memcpy(&number, &size, sizeof number);
    len = (size_t)sprintf(expected, "%" PRId64, number);
    assert_int_equal(num_write_int64(signed_found, number), len);
    assert_memory_equal(signed_found, expected, len);
    int64_t number_again = ~number;
    pith_text signed_span = {signed_found, len};
    assert_true(num_to_int64(signed_span, &number_again) && number_again == number);
}

static void test_integers_are_written(void **state)
{
    (void)state;
    uint64_t random = 1;
    uint64_t ten = 1;
    check_integer(0);
    check_integer(UINT64_MAX);
    check_integer((uint64_t)INT64_MAX);
    check_integer((uint64_t)INT64_MAX + 1);
    for (int i = 0; i < 20; i++, ten *= 10) {
        for (uint64_t step = 0; step < 3; step++) {
            check_integer(ten + step - 1);
            check_integer(0 - (ten + step - 1));
        }
    }
    for (int i = 0; i < 64; i++) {
        check_integer((UINT64_C(1) << i) - 1);
        check_integer(UINT64_C(1) << i);
    }
    for (int i = 0; i < OFTEN(100000); i++)
        check_integer(random_next(&random) >> random_below(&random, 64));
}

/* ---------------------------------------------------------------- reading doubles */

typedef struct reading {
    const char *lexeme;
    double number;
} reading;

static const reading readings[] = {
    {"0", 0.0},
    {"-0", -0.0},
    {"0.0", 0.0},
    {"-0.000e+99999", -0.0},
    {"0e99999999999999999999999", 0.0},
    {"1", 0x1p0},
    {"-1.5", -0x1.8p0},
    {"100", 0x1.9p6},
    {"1E2", 0x1.9p6},
    {"1e+2", 0x1.9p6},
    {"10000e-2", 0x1.9p6},
    {"0.1", 0x1.999999999999ap-4},
    {"3.141592653589793", 0x1.921fb54442d18p1},
    {"0.30000000000000004", 0x1.3333333333334p-2},
    {"123456789012345678", 0x1.b69b4ba630f35p56},
    {"0.000000000000000000000000000012345678901234567", 0x1.f4ccdc0b84173p-97},

    /* around 2^53, where halves are whole numbers */
    {"9007199254740991", 0x1.fffffffffffffp52},
    {"9007199254740992", 0x1p53},
    {"9007199254740993", 0x1p53},
    {"9007199254740993.0", 0x1p53},
    {"9007199254740993.00000000000000000000000000", 0x1p53},
    {"9007199254740993.00000000000000000000000001", 0x1.0000000000001p53},
    {"9007199254740992.99999999999999999999999999", 0x1p53},
    {"9007199254740994", 0x1.0000000000001p53},
    {"9007199254740995", 0x1.0000000000002p53},
    {"900719925474099500e-2", 0x1.0000000000002p53},
    {"9007199254740997e0", 0x1.0000000000002p53},
    {"18014398509481990", 0x1.0000000000002p54},
    {"18446744073709551615", 0x1p64},
    {"18446744073709549568", 0x1.fffffffffffffp63},
    {"18446744073709550592", 0x1p64},
    {"18446744073709550591", 0x1.fffffffffffffp63},

    /* the last power of ten that is a double, the first that is not, and other places
     * at which short algorithms go wrong */
    {"1e22", 0x1.0f0cf064dd592p73},
    {"1e23", 0x1.52d02c7e14af6p76},
    {"8.41e21", 0x1.c7e83209e90b2p72},
    {"9.5367431640625e-7", 0x1p-20},
    {"6.8e-321", 0x0.000000000056p-1022},
    {"7.2057594037927933e16", 0x1p56},
    {"2.9802322387695312e-8", 0x1p-25},
    {"1.00000000000000011102230246251565404236316680908203125", 0x1p0},
    {"1.00000000000000011102230246251565404236316680908203124", 0x1p0},
    {"1.00000000000000011102230246251565404236316680908203126", 0x1.0000000000001p0},
    {"1.00000000000000033306690738754696212708950042724609375", 0x1.0000000000002p0},

    /* the largest */
    {"1.7976931348623157e308", 0x1.fffffffffffffp1023},
    {"1.7976931348623158e308", 0x1.fffffffffffffp1023},
    {"1.7976931348623159e308", INFINITY},
    {"1e308", 0x1.1ccf385ebc8ap1023},
    {"1e309", INFINITY},
    {"-1e309", -INFINITY},
    {"0.01e311", INFINITY},
    {"-1e999999999999999999999", -INFINITY},
    {"123456789012345678901234567890e999", INFINITY},

    /* the smallest */
    {"2.2250738585072014e-308", 0x1p-1022},
    {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
    {"2.2250738585072012e-308", 0x1p-1022},
    {"2.225073858507201e-308", 0x0.fffffffffffffp-1022},
    {"5e-324", 0x0.0000000000001p-1022},
    {"4.9406564584124654e-324", 0x0.0000000000001p-1022},
    {"3e-324", 0x0.0000000000001p-1022},
    {"2.4703282292062328e-324", 0x0.0000000000001p-1022},
    {"2.4703282292062327e-324", 0.0},
    {"2e-324", 0.0},
    {"-1e-324", -0.0},
    {"9999999999999999999e-343", 0.0},
    {"9999999999999999999e-342", 0x0.0000000000002p-1022},
    {"1e-99999999999999999999999", 0.0},
    {"0.000000000000000000001e-999", 0.0},
};

static void test_doubles_are_read(void **state)
{
    (void)state;
    int failures = 0;
    for (size_t i = 0; i < ROWS(readings); i++) {
        const char *lexeme = readings[i].lexeme;
        failures += !reads_as(lexeme, strlen(lexeme), readings[i].number);
    }
    assert_int_equal(failures, 0);
}

static void test_rounding_mode_is_ignored(void **state)
{
    (void)state;
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const int normal = fegetround();
    int failures = 0;
    for (size_t m = 0; m < ROWS(modes); m++) {
        fesetround(modes[m]);
        for (size_t i = 0; i < ROWS(readings); i++) {
            char found[NUM_DOUBLE_MAX_LEN];
            double number = readings[i].number;
            double again = number;
            failures +=
                bits_of(num_to_double(text(readings[i].lexeme))) != bits_of(number);
            if (isfinite(number)) {
                pith_text span = {found, num_write_double(found, number)};
                again = num_to_double(span);
            }
            failures += bits_of(again) != bits_of(number);
        }
    }
    fesetround(normal);
    assert_int_equal(failures, 0);
}

/* A lexeme made of a head, `count` times a digit, and a tail. */
static bool long_one_reads_as(const char *head, char digit, size_t count,
                              const char *tail, double expected)
{
    size_t head_len = strlen(head);
    size_t tail_len = strlen(tail);
    size_t len = head_len + count + tail_len;
    char *lexeme = malloc(len);
    assert_non_null(lexeme);
    memcpy(lexeme, head, head_len);
    memset(lexeme + head_len, digit, count);
    memcpy(lexeme + head_len + count, tail, tail_len);
    bool same = reads_as(lexeme, len, expected);
    free(lexeme);
    return same;
}

static void test_long_lexemes_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        char digit;
        size_t count;
        const char *tail;
        double number;
    } rows[] = {
        {"0.", '0', 1000, "", 0.0},
        {"-0.", '0', 1000, "", -0.0},
        {"0.", '0', 1000, "1", 0.0},
        {"0.", '0', 1000, "1e1001", 0x1p0},
        {"0.", '0', 1000000, "", 0.0},
        {"0.", '0', 1000000, "1e1000001", 0x1p0},
        {"-0.", '0', 1000000, "15e1000001", -0x1.8p0},
        {"1", '0', 1000000, "", INFINITY},
        {"1", '0', 1000000, "e-1000000", 0x1p0},
        {"1", '0', 1000000, ".0e-1000000", 0x1p0},
        {"0.", '3', 1000000, "", 0x1.5555555555555p-2},
        {"0.", '9', 1000000, "", 0x1p0},
        {"1", '7', 1000000, "e-1000000", 0x1.c71c71c71c71cp0},
        {"9007199254740993.", '0', 1000000, "", 0x1p53},
        {"9007199254740993.", '0', 1000000, "1", 0x1.0000000000001p53},
        {"9007199254740992.", '9', 1000000, "", 0x1p53},
        {"1e-", '0', 1000000, "5", 0x1.4f8b588e368f1p-17},
        {"1e+", '9', 1000000, "", INFINITY},
        {"1e-", '9', 1000000, "", 0.0},
    };
    int failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        failures += !long_one_reads_as(rows[i].head, rows[i].digit, rows[i].count,
                                       rows[i].tail, rows[i].number);
    }
    assert_int_equal(failures, 0);
}

/* The point halfway between the doubles `bits` and bits + 1, as half * 10^exponent. It
 * is an odd number times 2^twos; for twos < 0 that is the number times 5^-twos, with the
 * exponent `twos`. */
static bignum half_above(uint64_t bits, int *exponent)
{
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    int field = (int)(bits >> 52);
    mantissa |= (uint64_t)(field > 0) << 52;
    int twos = (field ? field : 1) - 1075 - 1;
    bignum half = bignum_of(0, 2 * mantissa + 1);
    bignum_multiply_power(&half, twos < 0 ? 5 : 2, abs(twos));
    *exponent = twos < 0 ? twos : 0;
    return half;
}

/* The number times 10^exponent, with `count` more digits, all of them `filler` but the
 * last one. */
static bool extended_reads_as(const bignum *big, int exponent, size_t count, char filler,
                              char last, double expected)
{
    char lexeme[LIMBS * LIMB_DIGITS + 1000];
    size_t len = bignum_write(lexeme, big);
    assert_true(len + count + 16 <= sizeof lexeme);
    memset(lexeme + len, filler, count);
    len += count;
    if (count)
        lexeme[len - 1] = last;
    len += (size_t)snprintf(lexeme + len, 16, "e%d", exponent - (int)count);
    return reads_as(lexeme, len, expected);
}

/* The halfway point must go to the even side, a bit less down and a bit more up, where
 * the bit is in the digit so many places after the last. */
static int check_half(uint64_t bits, size_t places)
{
    int exponent;
    bignum half = half_above(bits, &exponent);
    double even = from_bits(bits + (bits & 1));
    int failures = !extended_reads_as(&half, exponent, 0, '0', '0', even);
    failures += !extended_reads_as(&half, exponent, places, '0', '0', even);
    failures +=
        !extended_reads_as(&half, exponent, places + 1, '0', '1', from_bits(bits + 1));
    bignum_subtract_one(&half);
    failures += !extended_reads_as(&half, exponent, places, '9', '9', from_bits(bits));
    return failures;
}

static void test_halves_are_read(void **state)
{
    (void)state;
    const uint64_t largest = bits_of(DBL_MAX);
    uint64_t random = 2;
    int failures = check_half(0, 0) + check_half(largest, 0) + check_half(largest, 1000);
    failures += check_half(bits_of(DBL_MIN), 5) + check_half(bits_of(DBL_MIN) - 1, 900);
    for (int i = 0; i < OFTEN(600); i++) {
        failures +=
            check_half(random_next(&random) % largest, random_below(&random, 900));
    }
    for (int i = 0; i < 200;
         i++) { /* subnormal, up to the 767 digits that are the most */
        uint64_t bits = random_next(&random) >> (11 + random_below(&random, 52));
        failures += check_half(bits, random_below(&random, 40));
    }
    for (int i = 0; i < 200; i++) { /* few digits: the guess alone must know its limits */
        uint64_t bits =
            bits_of((double)((UINT64_C(1) << 53) + random_below(&random, 1000)));
        failures += check_half(bits, random_below(&random, 4));
    }
    assert_int_equal(failures, 0);
}

/* The number and the half that it is compared with are almost a power of 2^64, one on each
 * side of it: the one has a word more. Here 2^twos * 10^-places, or 1 less in the last
 * digit, is that number, and mantissa * 2^exponent the double nearest to it. */
static void test_halves_are_read_across_a_word(void **state)
{
    (void)state;
    static const struct {
        int twos;
        int places;
        bool less;
        double mantissa;
        int exponent;
    } rows[] = {
        {1728, 694, false, 6741084571103287.0, -630},
        {512, 192, false, 5136851466355834.0, -178},
        {448, 163, true, 6483618076376551.0, -146},
        {1344, 532, true, 7491902355719345.0, -476},
    };
    int failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        bignum number = bignum_of(0, 1);
        bignum_multiply_power(&number, 2, rows[i].twos);
        if (rows[i].less)
            bignum_subtract_one(&number);
        failures += !extended_reads_as(&number, -rows[i].places, 0, '0', '0',
                                       ldexp(rows[i].mantissa, rows[i].exponent));
    }
    assert_int_equal(failures, 0);
}

static size_t random_digits(char *to, size_t count, uint64_t *random)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (char)('0' + random_below(random, 10));
    return count;
}

/* A lexeme with whole digits up to 24, fraction up to 24 and now and then up to 900, and
 * an exponent that is small or anywhere a double may be. */
static size_t random_lexeme(char *to, uint64_t *random)
{
    size_t len = 0;
    size_t whole = random_below(random, 25);
    size_t fraction =
        random_below(random, 64) ? random_below(random, 25) : random_below(random, 900);
    if (random_below(random, 2))
        to[len++] = '-';
    to[len++] = whole ? (char)('1' + random_below(random, 9)) : '0';
    len += random_digits(to + len, whole ? whole - 1 : 0, random);
    if (fraction) {
        to[len++] = '.';
        len += random_digits(to + len, fraction, random);
    }
    size_t reach = random_below(random, 2) ? 30 : 360;
    if (random_below(random, 4)) {
        int exponent = (int)random_below(random, 2 * reach) - (int)reach;
        len += (size_t)sprintf(to + len, "%c%d", "eE"[random_below(random, 2)], exponent);
    }
    to[len] = '\0';
    return len;
}

static void test_random_lexemes_are_read(void **state)
{
    (void)state;
    uint64_t random = 3;
    int failures = 0;
    for (int i = 0; i < OFTEN(300000) && failures < 10; i++) {
        char lexeme[1000];
        size_t len = random_lexeme(lexeme, &random);
        failures += !reads_as(lexeme, len, strtod(lexeme, NULL));
    }
    assert_int_equal(failures, 0);
}

/* ---------------------------------------------------------------- writing doubles */

static void test_doubles_are_laid_out(void **state)
{
    (void)state;
    static const struct {
        double number;
        const char *expected;
    } rows[] = {
        {0.0, "0.0"},
        {-0.0, "-0.0"},
        {0x1p0, "1.0"},
        {-0x1.8p0, "-1.5"},
        {0x1.9p6, "100.0"},
        {0x1.edcccccccccccp6, "123.44999999999999"},
        {0x1.999999999999ap-4, "0.1"},
        {0x1.3333333333334p-2, "0.30000000000000004"},
        {0x1.fffffffffffffp52, "9007199254740991.0"},
        {0x1p53, "9007199254740992.0"},
        {0x1.0000000000001p53, "9007199254740994.0"},
        {0x1p54, "18014398509481984.0"},
        {0x1.5af1d78b58c4p66, "100000000000000000000.0"},
        {0x1.b1ae4d6e2ef5p69, "1e+21"},
        {0x1.b1ae4d6e2ef4fp69, "999999999999999900000.0"},
        {-0x1.e847ffffffffdp19, "-999999.9999999997"},
        {0x1.0f0cf064dd592p73, "1e+22"},
        {0x1.52d02c7e14af6p76, "1e+23"},
        {0x1.52d02c7e14af7p76, "1.0000000000000001e+23"},
        {0x1.c7e83209e90b2p72, "8.41e+21"},
        {0x1.0c6f7a0b5ed8dp-20, "0.000001"},
        {-0x1.4b66dc01ec6fbp-20, "-0.0000012345678901234567"},
        {0x1.ad7f29abcaf48p-24, "1e-7"},
        {-0x1.e6a9a99c70076p-23, "-2.2661999999999995e-7"},
        {0x1.fffffffffffffp1023, "1.7976931348623157e+308"},
        {0x1p-1022, "2.2250738585072014e-308"},
        {0x0.fffffffffffffp-1022, "2.225073858507201e-308"},
        {0x0.0000000000001p-1022, "5e-324"},
        {0x0.0000000000002p-1022, "1e-323"},
        {-0x0.0000000000003p-1022, "-1.5e-323"},
        {0x1p-44, "5.684341886080802e-14"}, /* ...8015: a tie between two of 16 digits */
        {0x1p89, "6.189700196426902e+26"},
        {0x1.f92bacb3cb40cp716, "6.802601037806062e+215"}, /* the two that come nearest */
        {0x1.3de005bd620dfp215, "6.538311315939327e+64"},  /* to an integer when scaled */
        {0x1.0p-24, "5.960464477539063e-8"},
    };
    int failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char found[NUM_DOUBLE_MAX_LEN];
        size_t len = num_write_double(found, rows[i].number);
        failures += !same_text(rows[i].expected, found, len);
        len = portable_write_double(found, rows[i].number);
        failures += !same_text(rows[i].expected, found, len);
    }
    assert_int_equal(failures, 0);
}

/* Written, read back by both witnesses: the same bits. */
static bool returns(double number)
{
    char found[NUM_DOUBLE_MAX_LEN + 1];
    char twin[NUM_DOUBLE_MAX_LEN];
    size_t len = num_write_double(found, number);
    assert_true(len <= NUM_DOUBLE_MAX_LEN);
    assert_int_equal(portable_write_double(twin, number), len);
    assert_memory_equal(twin, found, len);
    found[len] = '\0';
    char *end;
    double again = strtod(found, &end);
    num_parts parts;
    pith_text span = {found, len};
    if (*end == '\0' && bits_of(again) == bits_of(number) && num_scan(span, &parts) &&
        !parts.integer && bits_of(num_to_double(span)) == bits_of(number))
        return true;
    fprintf(stderr, "%a was written as %s\n", number, found);
    return false;
}

/* Any finite bits, or one of the kinds that they hardly ever are. */
static double random_double(uint64_t *random)
{
    uint64_t bits = random_next(random);
    switch (random_below(random, 6)) {
    case 0: /* up to 17 digits, small exponent */
        return (double)(bits >> random_below(random, 64)) / 1e6;
    case 1: /* whole */
        return (double)(bits >> random_below(random, 64));
    case 2: /* subnormal */
        return from_bits(bits >> (12 + random_below(random, 52)));
    case 3: /* a power of two, and its neighbours */
        return from_bits(((bits % 2045 + 1) << 52) + random_below(random, 3) - 1);
    default:
        return from_bits(bits % (bits_of(DBL_MAX) + 1) | (bits & UINT64_C(1) << 63));
    }
}

static void test_random_doubles_return(void **state)
{
    (void)state;
    uint64_t random = 4;
    int failures = 0;
    for (int i = 0; i < OFTEN(200000) && failures < 10; i++)
        failures += !returns(random_double(&random));
    assert_int_equal(failures, 0);
}

/* --- shortest */

/* The first `count` digits of the decimal, moved up by 1 in the last place if so
 * wished, read by the C library. */
static double read_digits(const num_decimal *decimal, int count, bool more)
{
    char lexeme[64];
    char digits[NUM_DECIMAL_MAX_DIGITS + 1];
    memcpy(digits, decimal->digits, (size_t)count);
    digits[count] = '\0';
    unsigned long long whole = strtoull(digits, NULL, 10) + (more ? 1 : 0);
    sprintf(lexeme, "%s%llue%d", decimal->negative ? "-" : "", whole,
            decimal->exponent - count + 1);
    return strtod(lexeme, NULL);
}

/* The number as printf rounds it to that many digits, in our form. */
static num_decimal printed(double number, int count)
{
    char lexeme[64];
    num_decimal decimal;
    memset(&decimal, 0, sizeof decimal);
    sprintf(lexeme, "%.*e", count - 1, number);
    decimal.negative = lexeme[0] == '-';
    const char *at = lexeme + decimal.negative;
    for (; *at != 'e'; at++)
        if (*at != '.')
            decimal.digits[decimal.count++] = *at;
    decimal.exponent = (int)strtol(at + 1, NULL, 10);
    return decimal;
}

static bool same_decimal(const num_decimal *a, const num_decimal *b)
{
    return a->negative == b->negative && a->count == b->count &&
           a->exponent == b->exponent &&
           memcmp(a->digits, b->digits, (size_t)a->count) == 0;
}

/* The shortest decimal must read back; cut by one digit, neither the decimal below nor
 * the one above may; and of those with its length it must be the nearest, that is, the
 * one printf rounds to, unless that one does not read back itself. */
static bool is_shortest(double number)
{
    num_decimal found = num_shortest(number);
    num_decimal twin = portable_shortest(number);
    bool same = same_decimal(&found, &twin);
    bool form = found.count >= 1 && found.count <= NUM_DECIMAL_MAX_DIGITS &&
                found.digits[0] != '0' && found.digits[found.count - 1] != '0';
    bool back = form && read_digits(&found, found.count, false) == number;
    bool least = form && (found.count == 1 ||
                          (read_digits(&found, found.count - 1, false) != number &&
                           read_digits(&found, found.count - 1, true) != number));
    num_decimal rounded = printed(number, form ? found.count : 1);
    bool nearest = same_decimal(&found, &rounded) ||
                   read_digits(&rounded, rounded.count, false) != number;
    if (same && form && back && least && nearest)
        return true;
    fprintf(stderr, "%a: %.*se%d%s%s%s%s%s\n", number, found.count, found.digits,
            found.exponent, same ? "" : ", the twin differs", form ? "" : ", bad form",
            back ? "" : ", does not return", least ? "" : ", has too many digits",
            nearest ? "" : ", is not the nearest");
    return false;
}

/* Tries every length; what printf finds is a bound from above. */
static bool is_no_longer_than_printed(double number)
{
    int count = 1;
    for (; count < NUM_DECIMAL_MAX_DIGITS; count++) {
        num_decimal rounded = printed(number, count);
        if (read_digits(&rounded, count, false) == number)
            break;
    }
    return num_shortest(number).count <= count;
}

static void test_shortest_digits(void **state)
{
    (void)state;
    uint64_t random = 5;
    int failures = 0;
    for (uint64_t field = 0; field < 2047; field++) { /* all powers of two, neighbours */
        for (uint64_t step = 0; step < 3; step++) {
            uint64_t bits = (field << 52) + step - (field > 0);
            failures += bits != 0 && !is_shortest(from_bits(bits));
        }
    }
    for (int i = 0; i < OFTEN(100000) && failures < 10; i++) {
        double number = random_double(&random);
        failures += number != 0 && !is_shortest(number);
        failures += number != 0 && i % 8 == 0 && !is_no_longer_than_printed(number);
    }
    assert_int_equal(failures, 0);
}

/* Written digits are those of num_shortest, which finds them in another way. */
static bool writes_shortest(double number)
{
    char found[NUM_DOUBLE_MAX_LEN];
    size_t len = num_write_double(found, number);
    num_decimal shortest = num_shortest(number);
    pith_text span = {found, len};
    num_parts parts;
    bool same = num_scan(span, &parts) && parts.negative == shortest.negative &&
                parts.significant == (size_t)shortest.count &&
                parts.magnitude == shortest.exponent && returns(number);
    for (size_t i = 0; same && i < parts.significant; i++) {
        const char *digit = i < parts.high.len ? parts.high.ptr + i
                                               : parts.low.ptr + (i - parts.high.len);
        same = *digit == shortest.digits[i];
    }
    if (!same)
        fprintf(stderr, "%a was written as %.*s\n", number, (int)len, found);
    return same;
}

/* Few digits after the point, and the doubles next to such numbers, which have many. */
static void test_few_decimals_are_written(void **state)
{
    (void)state;
    static const double powers[] = {1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
    uint64_t random = 17;
    int failures = 0;
    for (int i = 0; i < OFTEN(200000) && failures < 10; i++) {
        uint64_t digits = random_next(&random) >> (12 + random_below(&random, 52));
        double number = (double)digits / powers[random_below(&random, ROWS(powers))];
        failures += number > 0 && !writes_shortest(number);
        failures += number > 0 && !writes_shortest(-nextafter(number, 0));
        failures += number > 0 && !writes_shortest(nextafter(number, 1e30));
    }
    for (double number = 0x1p-12; number < 0x1p31;
         number *= 2) { /* uneven, and the edges */
        failures += !writes_shortest(number);
        failures += !writes_shortest(nextafter(number, 0));
        failures += !writes_shortest(nextafter(number, 1e30));
    }
    assert_int_equal(failures, 0);
}

static void test_zero_has_no_digits(void **state)
{
    (void)state;
    num_decimal zero = num_shortest(0.0);
    assert_int_equal(zero.count, 0);
    assert_int_equal(zero.exponent, 0);
    assert_false(zero.negative);
    assert_int_equal(num_shortest(-0.0).count, 0);
    assert_true(num_shortest(-0.0).negative);
}

/* ----------------------------------------------------------------- lexemes apart */

static void test_lexemes_are_taken_apart(void **state)
{
    (void)state;
    static const struct {
        const char *lexeme;
        bool negative, integer;
        const char *whole, *fraction;
        int64_t exponent;
        const char *high, *low;
        int64_t magnitude;
    } rows[] = {
        {"0", false, true, "0", "", 0, "", "", 0},
        {"-0", true, true, "0", "", 0, "", "", 0},
        {"0.000", false, false, "0", "000", 0, "", "", 0},
        {"0e5", false, false, "0", "", 5, "", "", 0},
        {"7", false, true, "7", "", 0, "7", "", 0},
        {"1200", false, true, "1200", "", 0, "12", "", 3},
        {"1200.00", false, false, "1200", "00", 0, "12", "", 3},
        {"1200.0340e+5", false, false, "1200", "0340", 5, "1200", "034", 8},
        {"-0.00120", true, false, "0", "00120", 0, "", "12", -3},
        {"-0.5E-2", true, false, "0", "5", -2, "", "5", -3},
        {"1e0005", false, false, "1", "", 5, "1", "", 5},
        {"1e-000", false, false, "1", "", 0, "1", "", 0},
        {"100000000000000000000001", false, true, "100000000000000000000001", "", 0,
         "100000000000000000000001", "", 23},
        {"12e999999999999999999", false, false, "12", "", 999999999999999999, "12", "",
         NUM_EXPONENT_MOST},
        {"1e1000000000000000000", false, false, "1", "", NUM_EXPONENT_MOST, "1", "",
         NUM_EXPONENT_MOST},
        {"1e1000000000000000001", false, false, "1", "", NUM_EXPONENT_MOST, "1", "",
         NUM_EXPONENT_MOST},
        {"0.1e-99999999999999999999999", false, false, "0", "1", -NUM_EXPONENT_MOST, "",
         "1", -NUM_EXPONENT_MOST - 1},
    };
    int failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        num_parts found;
        assert_true(num_scan(text(rows[i].lexeme), &found));
        bool same =
            found.negative == rows[i].negative && found.integer == rows[i].integer &&
            found.exponent == rows[i].exponent && found.magnitude == rows[i].magnitude &&
            found.significant == strlen(rows[i].high) + strlen(rows[i].low) &&
            found.zero == (found.significant == 0);
        same &= same_text(rows[i].whole, found.whole.ptr, found.whole.len);
        same &= same_text(rows[i].fraction, found.fraction.ptr, found.fraction.len);
        same &= same_text(rows[i].high, found.high.ptr, found.high.len);
        same &= same_text(rows[i].low, found.low.ptr, found.low.len);
        if (!same) {
            fprintf(stderr, "above: %s, exponent %" PRId64 ", magnitude %" PRId64 "\n",
                    rows[i].lexeme, found.exponent, found.magnitude);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

static void test_other_text_is_no_lexeme(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",     "-",    "+1",  "01",   "-01", "00",    "1.",   ".5",  "-.5",  "1.e5",
        "1e",   "1e+",  "1e-", "1e+-", "1 ",  " 1",    "1.5.", "1e5", "1e5e", "1e5.0",
        "0x10", "1,5",  "NaN", "1_0",  "--1", "1e 5",  "a",    "1a",  "1.a",  "1ea",
        "Inf",  "1.5e", "e5",  "-e5",  "0.",  "1.5e+", "1/",   "1:",  "1./",  "1.5:",
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        num_parts parts;
        memset(&parts, 0, sizeof parts);
        parts.magnitude = 42;
        bool valid = strcmp(rows[i], "1e5") == 0; /* one that must pass among them */
        if (num_scan(text(rows[i]), &parts) != valid)
            fail_msg("\"%s\" was misjudged", rows[i]);
        assert_int_equal(parts.magnitude, valid ? 5 : 42);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_powers_of_ten_are_rounded_up),
        cmocka_unit_test(test_integers_are_read),
        cmocka_unit_test(test_integers_are_written),
        cmocka_unit_test(test_doubles_are_read),
        cmocka_unit_test(test_rounding_mode_is_ignored),
        cmocka_unit_test(test_long_lexemes_are_read),
        cmocka_unit_test(test_halves_are_read),
        cmocka_unit_test(test_halves_are_read_across_a_word),
        cmocka_unit_test(test_random_lexemes_are_read),
        cmocka_unit_test(test_doubles_are_laid_out),
        cmocka_unit_test(test_random_doubles_return),
        cmocka_unit_test(test_shortest_digits),
        cmocka_unit_test(test_few_decimals_are_written),
        cmocka_unit_test(test_zero_has_no_digits),
        cmocka_unit_test(test_lexemes_are_taken_apart),
        cmocka_unit_test(test_other_text_is_no_lexeme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
