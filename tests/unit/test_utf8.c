/*
 * test_utf8.c - UTF-8 against a reference that is too slow and too simple to be
 * wrong: it decodes by arithmetic and then asks whether the code point needed
 * that many bytes, is a surrogate or lies beyond U+10FFFF.
 *
 * All sequences of one and two bytes are tried, all with a lead byte of three or
 * four and a second byte of any value, and random mixtures at every alignment.
 */
#include "base/utf8.h"

#include "random.h"
#include "testing.h"

/* The length of the well-formed sequence at `s`, or 0. */
static size_t naive_decode(const unsigned char *s, size_t len, uint32_t *code)
{
    if (len == 0)
        return 0;
    size_t size = s[0] < 0x80             ? 1
                  : (s[0] & 0xe0) == 0xc0 ? 2
                  : (s[0] & 0xf0) == 0xe0 ? 3
                  : (s[0] & 0xf8) == 0xf0 ? 4
                                          : 0;
    if (size == 0 || size > len)
        return 0;
    static const uint32_t lead_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t value = s[0] & lead_bits[size];
    for (size_t i = 1; i < size; i++) {
        if (s[i] < 0x80 || s[i] > 0xbf)
            return 0;
        value = value * 64 + (s[i] - 0x80u);
    }
    if (value < smallest[size] || value > 0x10ffff)
        return 0;
    if (value >= 0xd800 && value <= 0xdfff)
        return 0;
    *code = value;
    return size;
}

static size_t naive_find_invalid(const char *text, size_t len)
{
    size_t at = 0;
    while (at < len) {
        uint32_t code;
        size_t size = naive_decode((const unsigned char *)text + at, len - at, &code);
        if (size == 0)
            break;
        at += size;
    }
    return at;
}

/* Compares both calls on the bytes, which lie in a block of exactly their size. */
static bool agrees(const unsigned char *bytes, size_t len)
{
    char *text = malloc(len ? len : 1);
    assert_non_null(text);
    memcpy(text, bytes, len);
    uint32_t expected = 0, code = 0;
    size_t size = naive_decode(bytes, len, &expected);
    bool same = utf8_decode(text, len, &code) == size && code == expected &&
                utf8_decode(text, len, NULL) == size &&
                utf8_find_invalid(text, len) == naive_find_invalid(text, len);
    if (!same)
        show_bytes("not as the reference has it", text, len);
    free(text);
    return same;
}

static void short_sequences(void **state)
{
    (void)state;
    size_t failures = 0;
    for (unsigned a = 0; a < 256; a++) {
        unsigned char one[] = {(unsigned char)a};
        failures += !agrees(one, 1);
        for (unsigned b = 0; b < 256; b++) {
            unsigned char two[] = {(unsigned char)a, (unsigned char)b};
            failures += !agrees(two, 2);
        }
    }
    assert_int_equal(failures, 0);
}

/* Third and fourth bytes at the borders of what they may be. */
static void long_sequences(void **state)
{
    (void)state;
    static const unsigned char borders[] = {0x00, 0x22, 0x7f, 0x80, 0x8f, 0x90, 0x9f,
                                            0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xf0, 0xff};
    size_t failures = 0;
    for (unsigned a = 0xe0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            for (size_t c = 0; c < ROWS(borders); c++) {
                unsigned char three[] = {(unsigned char)a, (unsigned char)b, borders[c]};
                failures += !agrees(three, 3);
                for (size_t d = 0; a >= 0xf0 && d < ROWS(borders); d++) {
                    unsigned char four[] = {(unsigned char)a, (unsigned char)b,
                                            borders[c], borders[d]};
                    failures += !agrees(four, 4);
                }
            }
        }
    }
    assert_int_equal(failures, 0);
}

/* Every code point survives encoding and decoding, and has the expected length. */
static void code_points_go_both_ways(void **state)
{
    (void)state;
    size_t failures = 0;
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        if (code == 0xd800)
            code = 0xe000;
        char text[UTF8_MAX_LEN];
        size_t len = utf8_encode(code, text);
        uint32_t back = 0, naive = 0;
        failures += utf8_decode(text, len, &back) != len || back != code;
        failures += naive_decode((const unsigned char *)text, len, &naive) != len;
        failures += utf8_count(text, len) != 1;
    }
    assert_int_equal(failures, 0);
}

/* One of: ASCII, a whole character, a fragment, any byte. */
static size_t random_piece(uint64_t *seed, char *to)
{
    uint32_t code = (uint32_t)random_below(seed, 0x110000);
    if (code >= 0xd800 && code <= 0xdfff)
        code = 0xe9;
    switch (random_below(seed, 12)) {
    case 0:
        to[0] = (char)random_below(seed, 256);
        return 1;
    case 1: {
        size_t len = utf8_encode(code, to);
        return len > 1 ? len - 1 : len;
    }
    case 2:
    case 3:
    case 4:
        return utf8_encode(code, to);
    default:
        to[0] = (char)('a' + random_below(seed, 26));
        return 1;
    }
}

/* Random text of every length to 100 at every alignment to 16. In half of the
 * rounds it is well-formed but for the last byte or not at all. */
static void random_text_at_every_alignment(void **state)
{
    (void)state;
    enum { MOST = 100, ALIGNMENTS = 16, ROUNDS = 12 };
    uint64_t seed = 20240229;
    size_t failures = 0;
    for (size_t len = 0; len <= MOST; len++) {
        for (size_t shift = 0; shift < ALIGNMENTS; shift++) {
            for (size_t round = 0; round < ROUNDS; round++) {
                char *block = malloc(shift + len + 1);
                assert_non_null(block);
                char *text = block + shift + 1;
                for (size_t at = 0; at < len;) {
                    char piece[UTF8_MAX_LEN] = {0};
                    size_t size = random_piece(&seed, piece);
                    bool whole = naive_find_invalid(piece, size) == size;
                    if (at + size > len || (round % 2 && !whole)) {
                        size = 1;
                        piece[0] = 'x';
                    }
                    memcpy(text + at, piece, size);
                    at += size;
                }
                if (len && round % 4 == 3)
                    text[len - 1] = (char)random_below(&seed, 256);
                failures += utf8_find_invalid(text, len) != naive_find_invalid(text, len);
                free(block);
            }
        }
    }
    assert_int_equal(failures, 0);
}

static void counts_code_points(void **state)
{
    (void)state;
    assert_int_equal(utf8_count("", 0), 0);
    assert_int_equal(utf8_count(LIT("abc")), 3);
    assert_int_equal(utf8_count(LIT("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80x")), 4);
    assert_int_equal(utf8_count(LIT("\x80\xbf\x7f\xc0\xff\x00\xe2\x82\xac plus")), 10);
    assert_int_equal(utf8_count(LIT("e\xcc\x81")), 2);
    /* ill-formed: whatever is no continuation byte */
    assert_int_equal(utf8_count(LIT("\xff\xfe\x80z")), 3);
}

static void finds_the_byte_order_mark(void **state)
{
    (void)state;
    assert_int_equal(utf8_bom(LIT("\xef\xbb\xbf")), 3);
    assert_int_equal(utf8_bom(LIT("\xef\xbb\xbfx")), 3);
    assert_int_equal(utf8_bom(LIT("\xef\xbb")), 0);
    assert_int_equal(utf8_bom(LIT("x\xef\xbb\xbf")), 0);
    assert_int_equal(utf8_bom("", 0), 0);
}

/* Every code point alone, at both ends and in the middle of a text. */
static void finds_what_nobody_sees(void **state)
{
    (void)state;
    for (uint32_t code = 1; code < 0x11000; code++) {
        char text[40] = "sixteen bytes ab";
        if (code >= 0xd800 && code <= 0xdfff)
            continue;
        size_t size = utf8_encode(code, text + 16);
        memcpy(text + 16 + size, "z", 1);
        bool space = code == 0xA0 || code == 0x1680 || code == 0x202F || code == 0x205F ||
                     code == 0x3000 || (code >= 0x2000 && code <= 0x200A);
        unsigned expected = space                              ? UTF8_SPACES
                            : code >= 0x80 && code <= 0x9F     ? UTF8_CONTROLS
                            : code == 0x2028 || code == 0x2029 ? UTF8_BREAKS
                            : code == 0xFEFF                   ? UTF8_MARKS
                                                               : 0;
        assert_int_equal(utf8_class(code), expected);
        for (unsigned classes = 1; classes < 16; classes++) {
            bool held = (expected & classes) != 0;
            assert_int_equal(utf8_holds(text + 16, size, classes), held);
            assert_int_equal(utf8_holds(text, 16 + size, classes), held);
            assert_int_equal(utf8_holds(text + 9, 8 + size, classes), held);
        }
        assert_int_equal(utf8_first(text + 16, size + 1), code);
        assert_int_equal(utf8_last(text, size + 16), code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_sequences),
        cmocka_unit_test(long_sequences),
        cmocka_unit_test(code_points_go_both_ways),
        cmocka_unit_test(random_text_at_every_alignment),
        cmocka_unit_test(counts_code_points),
        cmocka_unit_test(finds_the_byte_order_mark),
        cmocka_unit_test(finds_what_nobody_sees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
