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

/* Through text, with these settings, and through bytes. With all types written, the
 * table that comes back is the same in every byte; with fewer, its text is. */
static void check_writing(pith_value root, const char *settings)
{
    pith_buffer text = write_as(root, "soch", settings);
    if (!text.data)
        return;
    pith_buffer bytes = fuzz_write(root, "soch-bin", NULL);
    pith_doc *from_text = fuzz_read("soch", &text, NULL);
    pith_doc *from_bytes = fuzz_read("soch-bin", &bytes, NULL);
    pith_buffer text_again = fuzz_write(pith_doc_root(from_text), "soch", settings);
    pith_buffer bytes_again = fuzz_write(pith_doc_root(from_bytes), "soch-bin", NULL);
    pith_buffer text_of_bytes = fuzz_write(pith_doc_root(from_bytes), "soch", settings);
    pith_buffer bytes_of_text = fuzz_write(pith_doc_root(from_text), "soch-bin", NULL);
    REQUIRE(fuzz_same_bytes(&text, &text_again));
    REQUIRE(fuzz_same_bytes(&bytes, &bytes_again));
    REQUIRE(fuzz_same_bytes(&text, &text_of_bytes));
    if (strstr(settings, "types=all"))
        REQUIRE(fuzz_same_bytes(&bytes, &bytes_of_text));
    pith_buffer_free(&bytes_of_text);
    pith_buffer_free(&text_of_bytes);
    pith_buffer_free(&bytes_again);
    pith_buffer_free(&text_again);
    pith_doc_free(from_bytes);
    pith_doc_free(from_text);
    pith_buffer_free(&bytes);
    pith_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const rows[] = {"compact", "lines", "nl", "compact"};
    static const char *const types[] = {"auto", "all", "none", "auto"};
    char read[64];
    char write[64];
    if (size < 1)
        return 0;
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
        fuzz_accepted("soch", text, len, &options, pith_doc_root(doc));
        check_writing(pith_doc_root(doc), write);
    } else {
        fuzz_refused("soch", text, len, &options, &err);
    }
    pith_doc_free(doc);
    if (first & 128) {
        options.read = NULL;
        doc = pith_doc_parse("json", text, len, &options, NULL);
        if (doc)
            check_writing(pith_doc_root(doc), write);
        pith_doc_free(doc);
    }
    free(text);
    return 0;
}
