/*
 * test_sha256.c - SHA-256 against the vectors that FIPS 180-4 and its companion
 * publish, and that pieces of any size give what the whole gives.
 */
#include "base/sha256.h"

#include "testing.h"

static void expect(const char *text, size_t len, const char *hex)
{
    sha256 hash;
    unsigned char digest[SHA256_BYTES];
    char found[SHA256_HEX + 1] = {0};
    sha256_init(&hash);
    sha256_add(&hash, text, len);
    sha256_end(&hash, digest);
    sha256_hex(digest, found);
    assert_string_equal(found, hex);
}

static void test_published(void **state)
{
    (void)state;
    expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
           "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
           112, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

/* A million times the letter a, in pieces of 1 byte and more. */
static void test_million(void **state)
{
    (void)state;
    static const size_t pieces[] = {1, 3, 55, 63, 64, 65, 127, 1000, 4096};
    char text[4096];
    memset(text, 'a', sizeof text);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        sha256 hash;
        unsigned char digest[SHA256_BYTES];
        char found[SHA256_HEX + 1] = {0};
        sha256_init(&hash);
        for (size_t left = 1000000; left > 0;) {
            size_t now = left < pieces[i] ? left : pieces[i];
            sha256_add(&hash, text, now);
            left -= now;
        }
        sha256_end(&hash, digest);
        sha256_hex(digest, found);
        assert_string_equal(
            found, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}

/* Every length around the end of a block, whole and cut in two at every place. */
static void test_pieces(void **state)
{
    (void)state;
    unsigned char text[200];
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (unsigned char)(i * 37 + 11);
    for (size_t len = 0; len <= sizeof text; len++) {
        sha256 hash;
        unsigned char whole[SHA256_BYTES], cut[SHA256_BYTES];
        sha256_init(&hash);
        sha256_add(&hash, text, len);
        sha256_end(&hash, whole);
        for (size_t at = 0; at <= len; at++) {
            sha256_init(&hash);
            sha256_add(&hash, text, at);
            sha256_add(&hash, text + at, len - at);
            sha256_end(&hash, cut);
            assert_memory_equal(whole, cut, SHA256_BYTES);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_million),
        cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
