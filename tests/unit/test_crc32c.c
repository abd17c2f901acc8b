/*
 * test_crc32c.c - the checksum: known values, any cut, and joining.
 */
#include "base/crc32c.h"

uint32_t portable_crc32c(uint32_t sum, const void *data, size_t len);
uint32_t portable_crc32c_join(uint32_t first, uint32_t second, uint64_t second_len);
#define CRC32C_PORTABLE
#define crc32c portable_crc32c
#define crc32c_join portable_crc32c_join
#include "base/crc32c.c" /* NOLINT(bugprone-suspicious-include): the twin */
#undef crc32c
#undef crc32c_join

#include "random.h"
#include "testing.h"

/* Bit by bit, as the definition has it. */
static uint32_t slow_sum(const unsigned char *at, size_t len)
{
    uint32_t state = 0xFFFFFFFFu;
    for (size_t i = 0; i < len; i++) {
        state ^= at[i];
        for (int bit = 0; bit < 8; bit++)
            state = state >> 1 ^ (state & 1 ? 0x82F63B78u : 0);
    }
    return ~state;
}

static void known_values(void **state)
{
    (void)state;
    unsigned char block[32];
    assert_int_equal(crc32c(0, "", 0), 0);
    assert_int_equal(crc32c(0, "123456789", 9), 0xE3069283u);
    memset(block, 0, sizeof block);
    assert_int_equal(crc32c(0, block, sizeof block), 0x8A9136AAu); /* RFC 3720, B.4 */
    memset(block, 0xFF, sizeof block);
    assert_int_equal(crc32c(0, block, sizeof block), 0x62A8AB43u);
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (unsigned char)i;
    assert_int_equal(crc32c(0, block, sizeof block), 0x46DD794Eu);
}

static void any_cut(void **state)
{
    (void)state;
    unsigned char block[100];
    uint64_t seed = 7;
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (unsigned char)random_next(&seed);
    for (size_t len = 0; len <= sizeof block; len++) {
        uint32_t whole = slow_sum(block, len);
        assert_int_equal(crc32c(0, block, len), whole);
        assert_int_equal(portable_crc32c(0, block, len), whole);
        for (size_t cut = 0; cut <= len; cut++) {
            uint32_t first = crc32c(0, block, cut);
            uint32_t second = crc32c(0, block + cut, len - cut);
            assert_int_equal(crc32c(first, block + cut, len - cut), whole);
            assert_int_equal(portable_crc32c(first, block + cut, len - cut), whole);
            assert_int_equal(portable_crc32c_join(first, second, len - cut), whole);
            assert_int_equal(crc32c_join(first, second, len - cut), whole);
        }
    }
}

/* Long enough for the way that long texts go. */
static void long_texts(void **state)
{
    (void)state;
    static unsigned char block[40000];
    uint64_t seed = 11;
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (unsigned char)random_next(&seed);
    for (size_t len = 16384 - 3; len <= sizeof block; len += 1117) {
        uint32_t whole = slow_sum(block, len);
        assert_int_equal(crc32c(0, block, len), whole);
        assert_int_equal(portable_crc32c(0, block, len), whole);
        assert_int_equal(crc32c(crc32c(0, block, 17), block + 17, len - 17), whole);
        assert_int_equal(
            portable_crc32c(portable_crc32c(0, block, 17), block + 17, len - 17), whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(any_cut),
        cmocka_unit_test(long_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
