/*
 * test_scan.c - every byte search three ways: one byte at a time here, and the
 * portable and the SIMD twin of the library. All must stop at the same byte.
 *
 * Lengths 0 to 100 at 16 alignments meet each loop, each tail and each position
 * of a hit within a block; the text ends where its block of memory ends, so that
 * a twin that reads past `end` is caught by the address sanitizer.
 */
#include "base/scan.h"
#include "base/window.h"

#include "random.h"
#include "testing.h"

typedef const char *(*search)(const char *at, const char *end);

/* The searches, named by what they look for. */
typedef struct searcher {
    const char *name;
    bool (*hit)(unsigned char byte); /* written out again */
    search portable;
    search simd; /* the portable one again where the build has no SIMD */
    search plain;
    const char *passed; /* bytes the search runs over, to make long runs of */
} searcher;

static bool is_no_digit(unsigned char byte)
{
    return byte < 0x30 || byte > 0x39;
}

static bool is_no_space(unsigned char byte)
{
    return byte != 0x20 && byte != 0x09 && byte != 0x0a && byte != 0x0d;
}

static bool is_no_blank(unsigned char byte)
{
    return byte != 0x20;
}

/* The searches that go by a set: its name, the set, and the bytes in it that are not
 * among quotes, controls and the like, which `classes` tells. */
#define SETS(apply)                                                                      \
    apply(special, SCAN_SPECIAL) apply(stop, SCAN_STOP) apply(                           \
        plain_cell, SCAN_SET(SCAN_QUOTES | SCAN_CONTROLS | SCAN_WIDE, '|'))              \
        apply(wide_cell, SCAN_SET(SCAN_QUOTES | SCAN_CONTROLS, ',')) apply(              \
            tabbed_cell, SCAN_SET(SCAN_QUOTES | SCAN_CONTROLS | SCAN_WIDE, '\t'))        \
            apply(csv_cell, SCAN_SET(0, '\n', '\r', ';')) apply(                         \
                gcf_marks, SCAN_SET(0, '[', ',', '|')) apply(gcf_commas,                 \
                                                             SCAN_SET(0, ',', '|'))      \
                apply(toon_marks, SCAN_SET(SCAN_BRACKETS, ':', ',')) apply(              \
                    toon_key, SCAN_SET(0, ':', '\n', '"', '['))                          \
                    apply(exponents, SCAN_SET(0, 'e', 'E')) apply(                       \
                        soch_raw, SCAN_SET(SCAN_BRACKETS, ',', ';', '\n', '"'))          \
                        apply(soch_key,                                                  \
                              SCAN_SET(SCAN_BRACKETS | SCAN_CONTROLS | SCAN_WIDE, ',',   \
                                       ';', ' ', '"', ':'))                              \
                            apply(pith_marks, SCAN_SET(SCAN_BRACKETS, ',', ';', 0x7F))   \
                                apply(pith_bare, SCAN_SET(SCAN_QUOTES | SCAN_CONTROLS |  \
                                                              SCAN_WIDE | SCAN_BRACKETS, \
                                                          ',', ';', 0x7F))               \
                                    apply(beyond, SCAN_CLASSES(SCAN_WIDE))               \
                                        apply(six, SCAN_SET(0, 'a', '\x80', '\xff',      \
                                                            '\0', 'z', '\x7f'))

#if SCAN_SIMD
#define SIMD(call, other) call
#else
#define SIMD(call, other) other
#endif

/* With constant sets, as the library calls them. */
#define DEFINE_SET(name, set)                                                            \
    static scan_set name##_set(void)                                                     \
    {                                                                                    \
        return set;                                                                      \
    }                                                                                    \
    static const char *name##_to(const char *at, const char *end)                        \
    {                                                                                    \
        return scan_to(set, at, end);                                                    \
    }                                                                                    \
    static const char *name##_portable(const char *at, const char *end)                  \
    {                                                                                    \
        return scan_to_portable(set, at, end);                                           \
    }                                                                                    \
    static const char *name##_simd(const char *at, const char *end)                      \
    {                                                                                    \
        return SIMD(scan_to_simd(set, at, end, true), scan_to_portable(set, at, end));   \
    }                                                                                    \
    static unsigned name##_first(const char *at)                                         \
    {                                                                                    \
        return scan_first16(set, at);                                                    \
    }                                                                                    \
    static bool name##_any(const char *text, size_t len, bool roomy)                     \
    {                                                                                    \
        return scan_any(set, text, len, roomy);                                          \
    }                                                                                    \
    static bool name##_any16(const char *text, size_t len)                               \
    {                                                                                    \
        return scan_any16(set, text, len);                                               \
    }                                                                                    \
    static bool name##_copy(char *to, const char *text, size_t len)                      \
    {                                                                                    \
        return scan_copy(set, to, text, len);                                            \
    }                                                                                    \
    static bool name##_copy_portable(char *to, const char *text, size_t len)             \
    {                                                                                    \
        return scan_copy_portable(set, to, text, len);                                   \
    }

SETS(DEFINE_SET)

typedef struct set_searcher {
    const char *name;
    scan_set (*set)(void);
    search to;
    search portable;
    search simd;
    unsigned (*first)(const char *at);
    bool (*any)(const char *text, size_t len, bool roomy);
    bool (*any16)(const char *text, size_t len);
    bool (*copy)(char *to, const char *text, size_t len);
    bool (*copy_portable)(char *to, const char *text, size_t len);
} set_searcher;

#define LIST_SET(name, set)                                                              \
    {#name,        name##_set, name##_to,    name##_portable, name##_simd,               \
     name##_first, name##_any, name##_any16, name##_copy,     name##_copy_portable},

static const set_searcher set_searchers[] = {SETS(LIST_SET)};

/* Said again in another way: a search through the lists of what is in each class. */
static bool set_holds(scan_set set, unsigned char byte)
{
    bool held = set.classes & SCAN_QUOTES && strchr("\"\\", byte) && byte;
    held = held || (set.classes & SCAN_BRACKETS && strchr("[]{}", byte) && byte);
    held = held || (set.classes & SCAN_CONTROLS && byte <= 0x1f);
    held = held || (set.classes & SCAN_WIDE && byte > 0x7f);
    return held || (set.count && memchr(set.bytes, byte, set.count));
}

#if SCAN_SIMD
#define TWINS(name) scan_##name##_portable, scan_##name##_simd, scan_##name
#else
#define TWINS(name) scan_##name##_portable, scan_##name##_portable, scan_##name
#endif

static const searcher searchers[] = {
    {"blanks", is_no_blank, TWINS(blanks), " "},
    {"digits", is_no_digit, TWINS(digits), "0123456789"},
    {"spaces", is_no_space, TWINS(spaces), " \t\n\r"},
};

static bool twins_agree(const searcher *s, const char *text, size_t len)
{
    const char *end = text + len;
    const char *expected = text;
    while (expected < end && !s->hit((unsigned char)*expected))
        expected++;
    const char *portable = s->portable(text, end);
    const char *simd = s->simd(text, end);
    const char *plain = s->plain(text, end);
    if (portable == expected && simd == expected && plain == expected)
        return true;
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
                for (size_t k = 0; k < MOST; k++)
                    text[k] = s->passed[(k + value) % kinds];
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

/* A byte that the set does not hold, to make a run of; another for each `turn`. */
static char passed_by(scan_set set, unsigned turn)
{
    unsigned char byte = (unsigned char)(turn * 37 + 1);
    while (set_holds(set, byte))
        byte++;
    return (char)byte;
}

/* The text has 16 bytes to read if it is shorter, and the byte at `place` is the only one
 * that may be in the set. */
static bool set_agrees(const set_searcher *s, const char *text, size_t len, size_t place)
{
    char copy[64];
    bool held = place < len && set_holds(s->set(), (unsigned char)text[place]);
    const char *expected = text + (held ? place : len);
    bool agrees = s->to(text, text + len) == expected &&
                  s->portable(text, text + len) == expected &&
                  s->simd(text, text + len) == expected &&
                  s->any(text, len, true) == held && s->any(text, len, false) == held;
    memset(copy, '?', sizeof copy);
    agrees =
        agrees &&
        (len == 0 || (s->copy(copy, text, len) == held && memcmp(copy, text, len) == 0));
    agrees = agrees && copy[len > 16 ? len : 16] == '?';
    memset(copy, '?', sizeof copy);
    agrees = agrees && s->copy_portable(copy, text, len) == held &&
             memcmp(copy, text, len) == 0 && copy[len] == '?';
    agrees = agrees && (len > 16 || s->any16(text, len) == held);
    agrees = agrees && (len != 16 || s->first(text) == (size_t)(expected - text));
    if (!agrees) {
        fprintf(stderr, "%s: byte %zu of %zu, %s in the set\n", s->name, place, len,
                held ? "which is" : "which is not");
        show_bytes("  in", text, len);
    }
    return agrees;
}

/* Every byte value at every place of texts of every length across the blocks of 16. Right
 * after a text there are bytes of the set, which no search may count. */
static void sets_meet_every_byte_at_every_place(void **state)
{
    (void)state;
    enum { MOST = 40 };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(set_searchers); i++) {
        const set_searcher *s = &set_searchers[i];
        scan_set set = s->set();
        unsigned char member = 0;
        while (!set_holds(set, member))
            member++;
        for (size_t len = 0; len <= MOST; len++) {
            size_t room = len > 16 ? len : 16;
            char *text = block_for(0, room - 1);
            for (size_t place = 0; place <= len; place++) {
                for (unsigned value = 0; value < 256; value++) {
                    memset(text, member, room);
                    memset(text, passed_by(set, value), len);
                    if (place < len)
                        text[place] = (char)value;
                    failures += !set_agrees(s, text, len, place);
                }
            }
            free(text);
        }
    }
    assert_int_equal(failures, 0);
}

/* Many bytes of the set in one text, so that words and lanes have more than one hit. */
static void sets_find_the_first_of_many(void **state)
{
    (void)state;
    enum { MOST = 70, ROUNDS = 40 };
    uint64_t seed = 16;
    for (size_t i = 0; i < ROWS(set_searchers); i++) {
        const set_searcher *s = &set_searchers[i];
        for (size_t len = 0; len <= MOST; len++) {
            for (unsigned round = 0; round < ROUNDS; round++) {
                char *text = block_for(0, len);
                for (size_t k = 0; k < len; k++) {
                    text[k + 1] = random_below(&seed, round + 1)
                                      ? passed_by(s->set(), (unsigned)k)
                                      : (char)random_below(&seed, 256);
                }
                const char *at = text + 1;
                const char *end = at + len;
                const char *expected = at;
                while (expected < end && !set_holds(s->set(), (unsigned char)*expected))
                    expected++;
                assert_ptr_equal(s->to(at, end), expected);
                assert_ptr_equal(s->portable(at, end), expected);
                assert_ptr_equal(s->simd(at, end), expected);
                assert_int_equal(s->any(at, len, false), expected < end);
                free(text);
            }
        }
    }
}

/* Each byte value in each place of a window, by both twins. */
static void windows_agree(void **state)
{
    (void)state;
    char text[WINDOW_LEN];
    for (unsigned value = 0; value < 256; value++) {
        for (unsigned i = 0; i < WINDOW_LEN; i++)
            text[i] = (char)(value + i * 5);
        text_window window = window_read(text);
        text_window portable = window_read_portable(text);
        assert_memory_equal(&window, &portable, sizeof window);
    }
}

static void sixteen_bytes_are_compared(void **state)
{
    (void)state;
    for (size_t len = 0; len <= 16; len++) {
        for (size_t place = 0; place < 16; place++) {
            char a[16] = "abcdefghijklmno";
            char b[16] = "abcdefghijklmno";
            b[place] ^= (char)(1 << len % 8);
            assert_int_equal(scan_same16(a, b, len), place >= len);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_byte_in_a_run),
        cmocka_unit_test(sets_meet_every_byte_at_every_place),
        cmocka_unit_test(sets_find_the_first_of_many),
        cmocka_unit_test(windows_agree),
        cmocka_unit_test(sixteen_bytes_are_compared),
        cmocka_unit_test(random_text_at_every_alignment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
