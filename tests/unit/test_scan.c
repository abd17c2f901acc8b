/*
 * test_scan.c - every byte search three ways: one byte at a time here, and the
 * portable and the SIMD twin of the library. All must stop at the same byte.
 *
 * Lengths 0 to 100 at 16 alignments meet each loop, each tail and each position
 * of a hit within a block; the text ends where its block of memory ends, so that
 * a twin that reads past `end` is caught by the address sanitizer.
 */
#include "base/scan.h"

#include "random.h"
#include "testing.h"

typedef const char *(*search)(const char *at, const char *end);

/* The searches, named by what they look for. */
typedef struct searcher {
    const char *name;
    bool (*hit)(unsigned char byte); /* written out again, from RFC 8259 */
    search portable;
    search simd; /* the portable one again where the build has no SIMD */
    search plain;
    const char *passed; /* bytes the search runs over, to make long runs of */
} searcher;

static bool is_special(unsigned char byte)
{
    return byte <= 0x1f || byte > 0x7f || byte == 0x22 || byte == 0x5c;
}

static bool is_stop(unsigned char byte)
{
    return byte <= 0x1f || byte == 0x22 || byte == 0x5c;
}

static bool is_no_digit(unsigned char byte)
{
    return byte < 0x30 || byte > 0x39;
}

static bool is_no_space(unsigned char byte)
{
    return byte != 0x20 && byte != 0x09 && byte != 0x0a && byte != 0x0d;
}

#if SCAN_SIMD
#define TWINS(name) scan_##name##_portable, scan_##name##_simd, scan_##name
#else
#define TWINS(name) scan_##name##_portable, scan_##name##_portable, scan_##name
#endif

static const searcher searchers[] = {
    {"special", is_special, TWINS(special), " !#[]^az~\x7f"},
    {"stop", is_stop, TWINS(stop), " !#[]^az~\x7f\x80\xa2\xdc\xff"},
    {"digits", is_no_digit, TWINS(digits), "0123456789"},
    {"spaces", is_no_space, TWINS(spaces), " \t\n\r"},
};

static bool twins_agree(const searcher *s, const char *text, size_t len)
{
    const char *end = text + len;
    const char *expected = text;
    while (expected < end && !s->hit((unsigned char)*expected)) {
        expected++;
    }
    const char *portable = s->portable(text, end);
    const char *simd = s->simd(text, end);
    const char *plain = s->plain(text, end);
    if (portable == expected && simd == expected && plain == expected) {
        return true;
    }
    fprintf(stderr, "%s: expected %td, portable %td, simd %td, plain %td\n", s->name,
            expected - text, portable - text, simd - text, plain - text);
    show_bytes("  in", text, len);
    return false;
}

/* A block whose last `len` bytes are the text, at the given distance from an
 * address divisible by 16. */
static char *block_for(size_t shift, size_t len)
{
    char *block = malloc(shift + len + 1);
    assert_non_null(block);
    return block;
}

/* A run of passing bytes with one byte of every value at every place. */
static void one_byte_in_a_run(void **state)
{
    (void)state;
    enum { MOST = 40 };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(searchers); i++) {
        const searcher *s = &searchers[i];
        size_t kinds = strlen(s->passed);
        for (size_t place = 0; place < MOST; place++) {
            char *text = block_for(0, MOST);
            for (unsigned value = 0; value < 256; value++) {
                for (size_t k = 0; k < MOST; k++) {
                    text[k] = s->passed[(k + value) % kinds];
                }
                text[place] = (char)value;
                failures += !twins_agree(s, text, MOST);
                failures += !twins_agree(s, text + place, MOST - place);
            }
            free(text);
        }
    }
    assert_int_equal(failures, 0);
}

static void random_text_at_every_alignment(void **state)
{
    (void)state;
    enum { MOST = 100, ALIGNMENTS = 16, ROUNDS = 8 };
    uint64_t seed = 8259;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(searchers); i++) {
        const searcher *s = &searchers[i];
        size_t kinds = strlen(s->passed);
        for (size_t len = 0; len <= MOST; len++) {
            for (size_t shift = 0; shift < ALIGNMENTS; shift++) {
                for (size_t round = 0; round < ROUNDS; round++) {
                    char *block = block_for(shift, len);
                    char *text = block + shift + 1;
                    for (size_t k = 0; k < len; k++) {
                        text[k] = random_below(&seed, 30 * round + 2)
                                      ? s->passed[random_below(&seed, kinds)]
                                      : (char)random_below(&seed, 256);
                    }
                    failures += !twins_agree(s, text, len);
                    free(block);
                }
            }
        }
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_byte_in_a_run),
        cmocka_unit_test(random_text_at_every_alignment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
