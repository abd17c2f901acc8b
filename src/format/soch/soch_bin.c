/*
 * soch_bin.c - the binary form as a format: settings, and what it looks like.
 */
#include "format/soch/soch_bin.h"

static const pith_setting soch_bin_settings[] = {
    {"compress", PITH_SETTING_CHOICE, PITH_WRITE, "none|lz4|zstd", 0, 0, "none",
     "compress the rows, where that makes them smaller"},
    {"checksum", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "end with a CRC-32C of everything before it"},
    SOCH_SETTING_FILL,
    SOCH_SETTING_NAME,
    {"raw-max", PITH_SETTING_NUMBER, PITH_READ, NULL, 1, UINT64_MAX, "1073741824",
     "the most bytes that compressed rows may become"},
    {"types", PITH_SETTING_CHOICE, PITH_WRITE, "auto|all|none|infer", 0, 0, "auto",
     "the types of columns: those of a table that has them, also those that rows declare, "
     "none, or all that can be found from the values"},
    SOCH_SETTING_FIELDS,
    SOCH_SETTING_REFS,
};

/* Other files of SochDB begin with the same four bytes and have another version. */
static bool soch_bin_sniff(pith_text text)
{
    return text.len >= SOCH_BIN_HEADER_LEN && memcmp(text.ptr, SOCH_BIN_MAGIC, 4) == 0 &&
           text.ptr[5] == 0;
}

const codec soch_bin_format = {
    .info = {"soch-bin", ".toonb .toon", "application/x-soch",
             "SochDB's typed tables, as bytes", PITH_READ | PITH_WRITE, 0, true,
             soch_bin_settings, sizeof soch_bin_settings / sizeof *soch_bin_settings},
    .sniff = soch_bin_sniff,
    .decode = soch_bin_decode,
    .encode = soch_bin_encode,
    .read_rows = &soch_bin_read,
    .write_rows = &soch_bin_row_format,
};
