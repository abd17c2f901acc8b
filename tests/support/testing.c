/*
 * testing.c - showing, comparing, parsing and writing on behalf of the tests.
 */
#include "testing.h"

/* How much of a long text is shown at each end. */
enum { SHOWN_AT_EACH_END = 160 };

static void show_escaped(const char *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)data[i];
        if (byte >= 0x20 && byte < 0x7f)
            fputc(byte, stderr);
        else
            fprintf(stderr, "<%02x>", byte);
    }
}

void show_bytes(const char *label, const char *data, size_t len)
{
    fprintf(stderr, "%s (%zu bytes): ", label, len);
    if (len <= 2 * SHOWN_AT_EACH_END) {
        show_escaped(data, len);
    } else {
        show_escaped(data, SHOWN_AT_EACH_END);
        fputs(" ... ", stderr);
        show_escaped(data + len - SHOWN_AT_EACH_END, SHOWN_AT_EACH_END);
    }
    fputc('\n', stderr);
}

bool same_bytes(const char *label, const char *found, size_t found_len,
                const char *expected, size_t expected_len)
{
    if (found_len == expected_len &&
        (found_len == 0 || memcmp(found, expected, found_len) == 0))
        return true;
    show_bytes(label, "", 0);
    show_bytes("  expected", expected, expected_len);
    show_bytes("  found   ", found, found_len);
    return false;
}

bool same_error(const char *label, const pith_error *err, const expected_error *expected)
{
    const char *code = err->code ? err->code : "";
    const char *expected_code = expected->code ? expected->code : "";
    bool same = err->status == expected->status && strcmp(code, expected_code) == 0 &&
                err->line == expected->line && err->column == expected->column;
    bool sentence = expected->status == PITH_OK || strlen(err->message) > 8;
    if (same && sentence)
        return true;
    fprintf(stderr,
            "%s\n  expected %s [%s] at %zu:%zu\n  found    %s [%s] at %zu:%zu: %s\n",
            label, pith_status_name(expected->status), expected_code, expected->line,
            expected->column, pith_status_name(err->status), code, err->line, err->column,
            err->message);
    return false;
}

pith_options with_settings(const char *read, const char *write)
{
    pith_options options = {0};
    options.read = read;
    options.write = write;
    return options;
}

pith_doc *must_parse(const char *format, const char *text, size_t len,
                     const pith_options *options)
{
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse(format, text, len, options, &err);
    if (!doc) {
        show_bytes("must be read", text, len);
        fprintf(stderr, "  %s at %zu:%zu: %s\n", err.code ? err.code : "?", err.line,
                err.column, err.message);
    }
    assert_non_null(doc);
    return doc;
}

pith_doc *must_parse_json(const char *text)
{
    return must_parse("json", text, strlen(text), NULL);
}

pith_buffer must_write(pith_value value, const char *format, const pith_options *options)
{
    pith_buffer out = {0};
    pith_error err = {0};
    pith_status status =
        pith_value_write(value, format, options, pith_sink_buffer(&out), &err);
    if (status != PITH_OK) {
        fprintf(stderr, "must be written as %s: %s: %s\n", format,
                err.code ? err.code : "?", err.message);
    }
    assert_int_equal(status, PITH_OK);
    return out;
}

void must_write_as(pith_value value, const char *format, const char *settings,
                   const char *expected)
{
    pith_options options = with_settings(NULL, settings);
    pith_buffer out = must_write(value, format, &options);
    bool same = same_bytes(format, out.data, out.len, expected, strlen(expected));
    pith_buffer_free(&out);
    assert_true(same);
}

void must_hold_json(const pith_doc *doc, const char *expected)
{
    must_write_as(pith_doc_root(doc), "json", NULL, expected);
}
