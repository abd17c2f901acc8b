/*
 * test_decimal.c - canonical decimals: the fast ways beside the plain one.
 *
 * The plain way makes the double and lays out its shortest digits. Lexemes are made at
 * random with every number of digits, every place of the point, exponents, zeros at both
 * ends, and close to powers of two and of ten, where doubles change their distance.
 * Digits that lex_read_number calls plain must be what the plain way writes.
 */
#include "base/decimal.h"
#include "base/lex.h"
#include "random.h"
#include "testing.h"

#include <math.h>

enum { LEXEME_MOST = 80 };

/* As the header has it, in small steps. */
static size_t write_plainly(char *to, double number)
{
    char *from = to;
    double size = fabs(number);
    const double least = 1e-6; /* a double even where the literal has more digits */
    if (!isfinite(number))
        return 0;
    num_decimal d = num_shortest(number);
    if (d.count == 0) {
        *to = '0';
        return 1;
    }
    if (d.negative)
        *to++ = '-';
    if (size >= least && size < 9007199254740992.0) {
        if (d.exponent < 0)
            *to++ = '0';
        for (int i = 0; i <= d.exponent; i++)
            *to++ = i < d.count ? d.digits[i] : '0';
        if (d.count > d.exponent + 1)
            *to++ = '.';
        for (int i = d.exponent + 1; i < d.count; i++)
            *to++ = i < 0 ? '0' : d.digits[i];
        return (size_t)(to - from);
    }
    *to++ = d.digits[0];
    if (d.count > 1)
        *to++ = '.';
    for (int i = 1; i < d.count; i++)
        *to++ = d.digits[i];
    return (size_t)(to - from) + (size_t)snprintf(to, 8, "e%+d", d.exponent);
}

static bool is_right(const char *lexeme, size_t len)
{
    char found[64];
    char expected[64];
    pith_text text = {lexeme, len};
    size_t found_len = decimal_write(found, text);
    size_t expected_len = write_plainly(expected, num_to_double(text));
    lex_number number = lex_read_number(lexeme, lexeme + len);
    bool plain = number.decimal && number.plain;
    return same_bytes(lexeme, found, found_len, expected, expected_len) &&
           number.end == lexeme + len &&
           (!plain || same_bytes("plain", lexeme, len, expected, expected_len));
}

/* Some digits, now and then many zeros or nines. */
static size_t put_digits(char *to, size_t count, uint64_t *seed)
{
    size_t kind = random_below(seed, 6);
    for (size_t i = 0; i < count; i++) {
        size_t digit = random_below(seed, 10);
        if (kind < 2 && i > 0 && i + 1 < count)
            digit = kind ? 9 : 0;
        to[i] = (char)('0' + digit);
    }
    return count;
}

static size_t make_lexeme(char *to, uint64_t *seed)
{
    char *from = to;
    size_t count = 1 + random_below(seed, 20);
    size_t whole = random_below(seed, count + 1);
    if (random_below(seed, 2))
        *to++ = '-';
    if (whole == 0) {
        *to++ = '0';
    } else {
        put_digits(to, whole, seed);
        if (whole > 1 && *to == '0')
            *to = '1';
        to += whole;
    }
    *to++ = '.';
    for (size_t zeros = random_below(seed, 8) ? 0 : random_below(seed, 9); zeros; zeros--)
        *to++ = '0';
    to += put_digits(to, count - whole ? count - whole : 1, seed);
    if (random_below(seed, 4) == 0)
        to += snprintf(to, 8, "e%d", (int)random_below(seed, 660) - 330);
    else if (random_below(seed, 4) == 0)
        to += snprintf(to, 8, "E+%d", (int)random_below(seed, 18));
    *to = '\0';
    return (size_t)(to - from);
}

static void random_lexemes(void **state)
{
    (void)state;
    uint64_t seed = 5;
    char lexeme[LEXEME_MOST];
    for (size_t i = 0; i < OFTEN(400000); i++) {
        size_t len = make_lexeme(lexeme, &seed);
        assert_true(is_right(lexeme, len));
    }
}

/* What programs print: the shortest digits, and one or two more than that. */
static void printed_doubles(void **state)
{
    (void)state;
    uint64_t seed = 6;
    char lexeme[LEXEME_MOST];
    for (size_t i = 0; i < OFTEN(200000); i++) {
        double number = (double)(random_next(&seed) >> 11) / 9007199254740992.0;
        number = ldexp(number, (int)random_below(&seed, 56));
        for (int digits = 15; digits <= 18; digits++) {
            int len = snprintf(lexeme, sizeof lexeme, "%.*g", digits, number);
            if (memchr(lexeme, '.', (size_t)len))
                assert_true(is_right(lexeme, (size_t)len));
        }
    }
}

/* Numbers of 16 digits on both sides of the powers of two and of ten. */
static void close_to_powers(void **state)
{
    (void)state;
    char lexeme[LEXEME_MOST];
    for (int two = -3; two < 50; two++) {
        for (int step = -40; step <= 40; step++) {
            double power = ldexp(1, two);
            int whole = power < 1 ? 0 : (int)floor(log10(power)) + 1;
            double at = power + step * pow(10, whole - 16);
            int len = snprintf(lexeme, sizeof lexeme, "%.*f", 16 - whole, at);
            assert_true(is_right(lexeme, (size_t)len));
        }
    }
    for (int ten = 0; ten < 15; ten++) {
        for (int digit = 1; digit <= 9; digit++) {
            for (int step = -40; step <= 40; step++) {
                double at = digit * pow(10, ten) + step * pow(10, ten - 15);
                int len = snprintf(lexeme, sizeof lexeme, "%.*f", 15 - ten, at);
                assert_true(is_right(lexeme, (size_t)len));
            }
        }
    }
}

/* Doubles whose 18th digit is a 5 and their last: halfway between two numbers of 17. */
static void halfway(void **state)
{
    (void)state;
    uint64_t seed = 7;
    char lexeme[LEXEME_MOST];
    for (int whole = 1; whole <= 9; whole++) {
        int bits = 18 - whole;
        for (size_t i = 0; i < 200; i++) {
            double least = pow(10, whole - 1);
            double at = floor(least + (double)random_below(&seed, (size_t)(9 * least)));
            at += ldexp((double)(2 * random_below(&seed, (size_t)1 << (bits - 1)) + 1),
                        -bits);
            for (int up = 0; up < 2; up++) {
                int len = snprintf(lexeme, sizeof lexeme, "%.*f", bits, at);
                assert_int_equal(lexeme[len - 1], '5');
                lexeme[--len] = '\0';
                lexeme[len - 1] = (char)(lexeme[len - 1] + (up && lexeme[len - 1] < '9'));
                assert_true(is_right(lexeme, (size_t)len));
            }
        }
    }
}

/* Lexemes that are long and yet stand for few digits: zeros after them, in front of
 * them, and in the exponent. */
static void long_lexemes(void **state)
{
    (void)state;
    static const char *const lexemes[] = {
        "1.50000000000000000000000000000000000000000000000000",
        "-0.00000000000000000000000000000000000000000000000015",
        "2500000000000000000000000000000000000000000000000000.0",
        "1.5e000003",
        "-1.5E-00000",
        "1.5e+000300",
        "0.0e-99999",
        "1.5e-99999",
    };
    for (size_t i = 0; i < ROWS(lexemes); i++)
        assert_true(is_right(lexemes[i], strlen(lexemes[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_lexemes),  cmocka_unit_test(printed_doubles),
        cmocka_unit_test(close_to_powers), cmocka_unit_test(halfway),
        cmocka_unit_test(long_lexemes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
