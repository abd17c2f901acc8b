/*
 * test_base64.c - RFC 4648's own examples, every length, and what is not canonical.
 */
#include "base/base64.h"
#include "random.h"
#include "testing.h"

static void known_texts(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
        {"\xFB\xFF\xFE", "+//+"},
    };
    for (size_t i = 0; i < ROWS(pairs); i++) {
        char text[32];
        char bytes[32];
        size_t found = 99;
        size_t len = strlen(pairs[i][0]);
        size_t text_len = base64_write(text, pairs[i][0], len);
        assert_int_equal(text_len, strlen(pairs[i][1]));
        assert_int_equal(text_len, base64_text_len(len));
        assert_memory_equal(text, pairs[i][1], text_len);
        assert_true(base64_check(text, text_len, &found));
        assert_int_equal(found, len);
        base64_read(bytes, found, text, text_len);
        assert_memory_equal(bytes, pairs[i][0], len);
    }
}

static void every_length(void **state)
{
    (void)state;
    unsigned char bytes[70];
    uint64_t seed = 3;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)random_next(&seed);
    for (size_t len = 0; len <= sizeof bytes; len++) {
        char text[100];
        unsigned char back[70] = {0};
        size_t found = 0;
        size_t text_len = base64_write(text, bytes, len);
        assert_true(base64_check(text, text_len, &found));
        assert_int_equal(found, len);
        for (size_t room = 0; room <= len; room++) {
            memset(back, 0xAA, sizeof back);
            base64_read(back, room, text, text_len);
            assert_memory_equal(back, bytes, room);
            assert_true(room == sizeof back || back[room] == 0xAA);
        }
    }
}

static void what_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "A",    "AA",     "AAA",  "AA=",      "AAA*", "====",
        "A===", "AA=A",   "AAA-", "AAA_",     "AB==", /* bits after the last byte */
        "AAB=", "Zm9v\n", " Zm9", "Zg==Zg==",
    };
    for (size_t i = 0; i < ROWS(texts); i++) {
        size_t found = 0;
        if (base64_check(texts[i], strlen(texts[i]), &found))
            fail_msg("%s was accepted", texts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_texts),
        cmocka_unit_test(every_length),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
