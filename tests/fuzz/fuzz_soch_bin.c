/*
 * fuzz_soch_bin.c - any bytes as SochDB's binary tables.
 *
 *     byte 0   bits 0-1  how the tables are compressed when they are written again
 *              bit 2     without a checksum
 *              bit 3     the checksum of the input is put right first, so that what is
 *                        after it is reached
 *     the rest is the file
 *
 * What must hold: a file is refused with a place and a reason, or it is accepted, and
 * what is written of it is read back as the same bytes, through text too. A length never
 * takes more memory than the bytes that are there can fill.
 */
#include "base/crc32c.h"
#include "fuzzing.h"

enum { DEPTH_MOST = 60, FOOTER = 4 };

static void mend_checksum(char *text, size_t len)
{
    if (len < 16 + FOOTER)
        return;
    uint32_t sum = crc32c(0, text, len - FOOTER);
    for (unsigned i = 0; i < FOOTER; i++)
        text[len - FOOTER + i] = (char)(unsigned char)(sum >> (8 * i));
}

static void require_same(pith_value value, const pith_buffer *bytes)
{
    pith_buffer again = fuzz_write(value, "soch-bin", NULL);
    REQUIRE(fuzz_same_bytes(&again, bytes));
    pith_buffer_free(&again);
}

static void check_accepted(pith_value root, const char *settings)
{
    pith_buffer bytes = fuzz_write(root, "soch-bin", NULL);
    pith_buffer other = fuzz_write(root, "soch-bin", settings);
    pith_buffer text = fuzz_write(root, "soch", "types=all");
    pith_doc *from_bytes = fuzz_read("soch-bin", &bytes, NULL);
    pith_doc *from_other = fuzz_read("soch-bin", &other, NULL);
    pith_doc *from_text = fuzz_read("soch", &text, NULL);
    require_same(pith_doc_root(from_bytes), &bytes);
    require_same(pith_doc_root(from_other), &bytes);
    require_same(pith_doc_root(from_text), &bytes);
    pith_buffer json = fuzz_write(root, "json", NULL);
    fuzz_reads_back("json", &json, root);
    pith_buffer_free(&json);
    pith_doc_free(from_text);
    pith_doc_free(from_other);
    pith_doc_free(from_bytes);
    pith_buffer_free(&text);
    pith_buffer_free(&other);
    pith_buffer_free(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const settings[] = {
        "compress=none",
        "compress=none checksum=false",
#if defined(PITH_LZ4) && defined(PITH_ZSTD)
        "compress=lz4",
        "compress=lz4 checksum=false",
        "compress=zstd",
        "compress=zstd checksum=false",
#endif
    };
    if (size < 1)
        return 0;
    size_t len = size - 1;
    char *text = fuzz_copy(data + 1, len);
    if (data[0] & 8)
        mend_checksum(text, len);
    pith_options options = {0};
    pith_error err = {0};
    options.depth_max = DEPTH_MOST;
    options.read = "raw-max=100000";
    pith_doc *doc = pith_doc_parse("soch-bin", text, len, &options, &err);
    if (doc) {
        size_t which = data[0] & 7;
        check_accepted(pith_doc_root(doc),
                       settings[which % (sizeof settings / sizeof *settings)]);
    } else if (err.status != PITH_BAD_USE) {
        fuzz_is_whole_error(&err, len);
    } else {
        REQUIRE(strcmp(err.code, "not_built_in") == 0);
    }
    pith_doc_free(doc);
    free(text);
    return 0;
}
