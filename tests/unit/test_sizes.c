/*
 * test_sizes.c - sizes that a machine of 32 bits cannot hold.
 *
 * A text of some hundred megabytes fits into its memory; what is made of each of its
 * bytes may not, and the product of count and size must not wrap around to something
 * small. Where sizes have 64 bits such texts cannot be had, and the tests that need them
 * are skipped; `./dev machines m32` runs them.
 */
#include "testing.h"

enum { MEGABYTE = 1024 * 1024 };

/* Reads `head` and then so many megabytes of `byte`, which must take too much memory. */
static void must_be_too_much(const char *format, const char *settings, const char *head,
                             size_t head_len, char byte, size_t megabytes)
{
    size_t len = head_len + megabytes * MEGABYTE;
    char *text = (char *)malloc(len);
    assert_non_null(text);
    memcpy(text, head, head_len);
    memset(text + head_len, byte, len - head_len);
    pith_error err = {0};
    pith_options options = with_settings(settings, NULL);
    pith_doc *doc = pith_doc_parse(format, text, len, &options, &err);
    assert_null(doc);
    assert_int_equal(err.status, PITH_NO_MEMORY);
    free(text);
}

static void columns_whose_keys_are_no_size(void **state)
{
    (void)state;
    if (SIZE_MAX > UINT32_MAX)
        skip();
    must_be_too_much("csv", "delimiter=comma", "", 0, ',', 360);
}

/* 160 million fields, each with an empty name and the first type. */
static void fields_whose_list_is_no_size(void **state)
{
    (void)state;
    if (SIZE_MAX > UINT32_MAX)
        skip();
    static const char head[] = "TOON\1\0\10\0\0\0\0\0\0\0\0\0\1t\x80\xD0\xA5\x4C";
    must_be_too_much("soch-bin", NULL, head, sizeof head - 1, '\0', 330);
}

/* The length of what a frame becomes, with 2^32 added, is not its length. */
static void raw_length_beyond_a_size(void **state)
{
    (void)state;
    static const char frame[] = /* a literal run of LZ4: "\1t\1\1x\0\x1F" */
        "TOON\1\0\11\0\1\0\0\0\0\0\0\0\x87\x80\x80\x80\x10\10\x70\1t\1\1x\0\x1F";
    pith_options options = {0};
    pith_error err = {0};
    options.read = "raw-max=18446744073709551615";
    assert_null(pith_doc_parse("soch-bin", frame, sizeof frame - 1, &options, &err));
    if (strcmp(err.code, "not_built_in") != 0) {
        bool wide = SIZE_MAX > UINT32_MAX;
        assert_string_equal(err.code, wide ? "invalid_compression" : "raw_limit");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_whose_keys_are_no_size),
        cmocka_unit_test(fields_whose_list_is_no_size),
        cmocka_unit_test(raw_length_beyond_a_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
