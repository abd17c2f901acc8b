/*
 * test_pen.c - spelling scalars: words, numbers, quotes with the escapes of each format,
 * and strings of every length, which go different ways and must come out alike.
 */
#include "testing.h"

#include "base/text.h"
#include "format/pen.h"

static void knows_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        char also;
        bool word;
    } rows[] = {
        {"", '_', false},       {"a", '_', true},         {"_9z", '_', true},
        {"9a", '_', false},     {"a.b", '_', false},      {"a.b", '.', true},
        {".b", '.', false},     {"a b", '_', false},      {"a-b", '.', false},
        {"AZaz_09", '_', true}, {"\xC3\xA4", '_', false}, {"a\xC3\xA4", '_', false},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        assert_int_equal(pen_is_word(rows[i].text, strlen(rows[i].text), rows[i].also),
                         rows[i].word);
    }
}

static void writes_numbers_and_spaces(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {0, 9, 10, 99, 100, UINT64_MAX};
    pith_buffer bytes = {0};
    pith_out out;
    out_init(&out, pith_sink_buffer(&bytes), NULL);
    char *to = pen_resume(&out);
    for (size_t i = 0; i < ROWS(numbers); i++) {
        to = pen_put_number(to, numbers[i]);
        to = pen_put_indent(&out, to, i);
    }
    out.at = pen_put_indent(&out, to, PEN_SHALLOW + 1);
    assert_int_equal(out_finish(&out, NULL), PITH_OK);
    const char *expected = "09 10  99   100    18446744073709551615     "
                           "                                 ";
    assert_true(same_bytes("numbers", bytes.data, bytes.len, expected, strlen(expected)));
    pith_buffer_free(&bytes);
}

static void escapes_as_the_format_has_it(void **state)
{
    (void)state;
    static const struct {
        unsigned escapes;
        const char *expected;
    } rows[] = {
        {0, "\"a\\\"\\\\\\n\\r\\t\\b\\f\\u0001\x7F\xC3\xA4\""},
        {PEN_FEW_LETTERS, "\"a\\\"\\\\\\n\\r\\t\\u0008\\u000c\\u0001\x7F\xC3\xA4\""},
        {PEN_RAW_CONTROLS, "\"a\\\"\\\\\\n\\r\\t\\b\\f\x01\x7F\xC3\xA4\""},
        {PEN_FEW_LETTERS | PEN_RAW_CONTROLS,
         "\"a\\\"\\\\\\n\\r\\t\b\f\x01\x7F\xC3\xA4\""},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_buffer bytes = {0};
        pith_out out;
        out_init(&out, pith_sink_buffer(&bytes), NULL);
        pen_write_quoted(&out, text_from("a\"\\\n\r\t\b\f\x01\x7F\xC3\xA4"),
                         rows[i].escapes);
        assert_int_equal(out_finish(&out, NULL), PITH_OK);
        assert_true(same_bytes("quoted", bytes.data, bytes.len, rows[i].expected,
                               strlen(rows[i].expected)));
        pith_buffer_free(&bytes);
    }
}

/* ------------------------------------------------------------------------- strings */

/* A lexis in which a number sign in front and a comma anywhere ask for quotes. */
static bool begins_with_sign(const char *text, size_t len)
{
    return len > 0 && *text == '#';
}

static const pen_lexis lexis = {
    .suspects = {PEN_BIT('#') | PEN_BIT('+'), 0},
    .is_misread = begins_with_sign,
};

#define MARKS SCAN_SET(0, ',')

static char *put_string(pith_out *out, char *to, pith_text text, uint8_t flags)
{
    switch (pen_copy(&lexis, MARKS, to, text.ptr, text.len, flags)) {
    case PEN_BARE:
        return to + text.len;
    case PEN_QUOTED:
        return pen_enclose(to, text.ptr, text.len);
    case PEN_SUSPECT:
        return pen_put_suspect(&lexis, to, text.ptr, text.len, flags);
    default:
        return pen_put_string(out, to, text, flags,
                              pen_needs_quotes(&lexis, MARKS, text.ptr, text.len, flags),
                              0);
    }
}

static void check_string(pith_text text, uint8_t flags, bool quoted)
{
    pith_buffer bytes = {0};
    pith_out out;
    out_init(&out, pith_sink_buffer(&bytes), NULL);
    out.at = put_string(&out, pen_resume(&out), text, flags);
    assert_int_equal(out_finish(&out, NULL), PITH_OK);
    assert_int_equal(bytes.len, text.len + (quoted ? 2 : 0));
    assert_int_equal(bytes.data[0] == '"', quoted);
    assert_memory_equal(bytes.data + quoted, text.ptr, text.len);
    assert_int_equal(bytes.data[bytes.len - 1] == '"', quoted);
    pith_buffer_free(&bytes);
}

static void strings_of_every_length(void **state)
{
    (void)state;
    static const size_t places[] = {0, 1, 7, 15, 16, 17, 31, 1023, 1024};
    for (size_t len = 1; len < PEN_LONG + 20; len += len < 80 ? 1 : 37) {
        char *text = (char *)malloc(len + 16); /* as much as may be read */
        char *tail = (char *)malloc(len);      /* not a byte more */
        memset(text, 'a', len + 16);
        text[len] = ',';
        for (size_t i = 0; i < ROWS(places) && places[i] < len; i++) {
            for (const char *byte = "a,#+ "; *byte; byte++) {
                bool quoted = *byte == ',' || (*byte == '#' && places[i] == 0) ||
                              (*byte == ' ' && places[i] == len - 1);
                text[places[i]] = *byte;
                memcpy(tail, text, len);
                check_string(text_of(text, len), 0, quoted);
                check_string(text_of(tail, len), SLOT_NEAR_END, quoted);
            }
            text[places[i]] = 'a';
        }
        free(text);
        free(tail);
    }
}

static void the_empty_string_is_quoted(void **state)
{
    (void)state;
    pith_buffer bytes = {0};
    pith_out out;
    out_init(&out, pith_sink_buffer(&bytes), NULL);
    out.at = put_string(&out, pen_resume(&out), text_of(NULL, 0), 0);
    assert_int_equal(out_finish(&out, NULL), PITH_OK);
    assert_true(same_bytes("empty", bytes.data, bytes.len, LIT("\"\"")));
    pith_buffer_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_words),
        cmocka_unit_test(writes_numbers_and_spaces),
        cmocka_unit_test(escapes_as_the_format_has_it),
        cmocka_unit_test(strings_of_every_length),
        cmocka_unit_test(the_empty_string_is_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
