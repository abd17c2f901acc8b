/*
 * fuzz_soch.c - any bytes as SochDB's tables, and any JSON through them and back.
 *
 *     byte 0   bits 0-1  how rows are written
 *              bits 2-3  which types are written; 3 is auto again
 *              bit 4     strict=false
 *              bit 5     compat=sochdb
 *              bit 6     seed-only=true
 *              bit 7     the text is JSON, if it is
 *     the rest is the text
 *
 * What must hold: a text is refused with a place and a reason, and pith_check finds that
 * reason first; or it is accepted, and then pith_check finds nothing, and what is written
 * of it, text or bytes, is read back as the same tables, which are the same bytes.
 */
#include "fuzzing.h"

enum { DEPTH_MOST = 60 };

static pith_buffer write_as(pith_value value, const char *format, const char *settings)
{
    pith_options options = {0};
    options.write = settings;
    pith_buffer out = {0};
    pith_error err = {0};
    if (pith_value_write(value, format, &options, pith_sink_buffer(&out), &err) !=
        PITH_OK) {
        REQUIRE(err.status == PITH_UNREPRESENTABLE);
        pith_buffer_free(&out);
    }
    return out;
}

static pith_doc *read_back(const char *format, const pith_buffer *text)
{
    pith_options options = {0};
    pith_error err = {0};
    options.depth_max = PITH_DEPTH_MOST;
    pith_doc *doc = pith_doc_parse(format, text->data, text->len, &options, &err);
    if (!doc) {
        fprintf(stderr, "%zu:%zu: %s\n%.*s\n", err.line, err.column, err.message,
                (int)text->len, text->data);
    }
    REQUIRE(doc != NULL);
    return doc;
}

static void require_same(const pith_buffer *a, const pith_buffer *b)
{
    REQUIRE(a->len == b->len && memcmp(a->data, b->data, a->len) == 0);
}

/* Through text, with these settings, and through bytes. With all types written, the
 * table that comes back is the same in every byte; with fewer, its text is. */
static void check_writing(pith_value root, const char *settings)
{
    pith_buffer text = write_as(root, "soch", settings);
    if (!text.data) {
        return;
    }
    pith_buffer bytes = fuzz_write(root, "soch-bin", NULL);
    pith_doc *from_text = read_back("soch", &text);
    pith_doc *from_bytes = read_back("soch-bin", &bytes);
    pith_buffer text_again = fuzz_write(pith_doc_root(from_text), "soch", settings);
    pith_buffer bytes_again = fuzz_write(pith_doc_root(from_bytes), "soch-bin", NULL);
    pith_buffer text_of_bytes = fuzz_write(pith_doc_root(from_bytes), "soch", settings);
    pith_buffer bytes_of_text = fuzz_write(pith_doc_root(from_text), "soch-bin", NULL);
    require_same(&text, &text_again);
    require_same(&bytes, &bytes_again);
    require_same(&text, &text_of_bytes);
    if (strstr(settings, "types=all")) {
        require_same(&bytes, &bytes_of_text);
    }
    pith_buffer_free(&bytes_of_text);
    pith_buffer_free(&text_of_bytes);
    pith_buffer_free(&bytes_again);
    pith_buffer_free(&text_again);
    pith_doc_free(from_bytes);
    pith_doc_free(from_text);
    pith_buffer_free(&bytes);
    pith_buffer_free(&text);
}

static void check_refused(const pith_options *options, const char *text, size_t len,
                          const pith_error *err)
{
    fuzz_is_whole_error(err, len);
    fuzz_problems problems = {{0}, 0};
    pith_error verdict = {0};
    pith_check("soch", text, len, options, fuzz_note, &problems, &verdict);
    REQUIRE(problems.count >= 1);
    REQUIRE(fuzz_same_error(&problems.first, err));
    REQUIRE(fuzz_same_error(&verdict, err));
}

static void check_accepted(const pith_options *options, const char *text, size_t len,
                           pith_value root, const char *settings)
{
    fuzz_problems problems = {{0}, 0};
    REQUIRE(pith_check("soch", text, len, options, fuzz_note, &problems, NULL) ==
            PITH_OK);
    REQUIRE(problems.count == 0);
    pith_buffer json = fuzz_write(root, "json", NULL);
    fuzz_reads_back("json", &json, root);
    pith_buffer_free(&json);
    check_writing(root, settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const rows[] = {"compact", "lines", "nl", "compact"};
    static const char *const types[] = {"auto", "all", "none", "auto"};
    char read[64];
    char write[64];
    if (size < 1) {
        return 0;
    }
    uint8_t first = data[0];
    size_t len = size - 1;
    char *text = fuzz_copy(data + 1, len);
    pith_options options = {0};
    pith_error err = {0};
    snprintf(read, sizeof read, "strict=%s compat=%s seed-only=%s",
             first & 16 ? "false" : "true", first & 32 ? "sochdb" : "off",
             first & 64 ? "true" : "false");
    snprintf(write, sizeof write, "rows=%s types=%s", rows[first & 3],
             types[first >> 2 & 3]);
    options.read = read;
    options.depth_max = DEPTH_MOST;
    pith_doc *doc = pith_doc_parse("soch", text, len, &options, &err);
    if (doc) {
        check_accepted(&options, text, len, pith_doc_root(doc), write);
    } else {
        check_refused(&options, text, len, &err);
    }
    pith_doc_free(doc);
    if (first & 128) {
        options.read = NULL;
        doc = pith_doc_parse("json", text, len, &options, NULL);
        if (doc) {
            check_writing(pith_doc_root(doc), write);
        }
        pith_doc_free(doc);
    }
    free(text);
    return 0;
}
