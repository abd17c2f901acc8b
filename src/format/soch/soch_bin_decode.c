/*
 * soch_bin_decode.c - files of the binary form: headers, checksums, compressed bodies.
 *
 * A file with a mistake is not read on: after it nothing is certain.
 */
#include "base/crc32c.h"
#include "doc/spelled.h"
#include "format/soch/soch_bin.h"
#include "format/soch/soch_read.h"
#include "format/soch/soch_compress.h"

/* ----------------------------------------------------------------------- headers */

static bool soch_bin_check_flags(soch_reader *r, unsigned flags)
{
    bool schema = flags & SOCH_BIN_SCHEMA;
    if (schema && !(flags & ~(unsigned)SOCH_BIN_FLAGS) &&
        (flags & SOCH_BIN_PACKED) != SOCH_BIN_PACKED)
        return true;
    return read_bad(&r->in, r->at + 6, "unknown_flags",
                    "flags 0x%04x: expected 8, plus 4 with a checksum, plus 1 for LZ4 or "
                    "2 for ZSTD; %s",
                    flags,
                    schema
                        ? "the other bits have no meaning here"
                        : "8 says that the name and the columns of the table follow, and "
                          "without them nothing tells what the bytes are");
}

/* The header at `at`: its flags, and the number of rows. */
static bool soch_bin_read_header(soch_reader *r, unsigned *flags)
{
    size_t left = soch_left(r);
    bool whole = left >= SOCH_BIN_HEADER_LEN;
    if (left == 0 || memcmp(r->at, SOCH_BIN_MAGIC, left < 4 ? left : 4) != 0) {
        return read_bad(&r->in, r->at, "not_this_format",
                        "expected the bytes \"TOON\" at the start of a table");
    }
    /* The version is told even if there is no more of the header. */
    unsigned version =
        left >= 6 ? (unsigned)soch_bin_load(r->at + 4, 2) : SOCH_BIN_VERSION;
    if (version != SOCH_BIN_VERSION) {
        bool foreign = whole && version > 255;
        return read_bad(&r->in, r->at + 4, "unknown_version",
                        "version %u; only 1 is known%s", version,
                        foreign ? ", and this may be an internal file of SochDB" : "");
    }
    if (!whole)
        return soch_bin_truncated(r, "the header");
    *flags = (unsigned)soch_bin_load(r->at + 6, 2);
    r->count = soch_bin_load(r->at + 8, 8);
    if (!soch_bin_check_flags(r, *flags))
        return false;
    r->at += SOCH_BIN_HEADER_LEN;
    return true;
}

/* -------------------------------------------------------------------- compression */

/* Puts the compressed body at `at` in the document's arena and makes it what is read;
 * `*after` is where the file goes on. */
static bool soch_bin_expand(soch_reader *r, unsigned flags, const char **after)
{
    const char *packed = r->at;
    soch_packing packing = (soch_packing)(flags & SOCH_BIN_PACKED);
    size_t offset = read_at(&r->in, packed);
    uint64_t raw_len;
    uint64_t len;
    if (!soch_packing_here(packing)) {
        report_problem(r->report, PITH_BAD_USE, "not_built_in", offset,
                       "the body is compressed with %s, which is not built in",
                       soch_packing_name(packing));
        return false;
    }
    if (!soch_bin_varint(r, &raw_len) || !soch_bin_varint(r, &len))
        return false;
    /* On a machine of 32 bits the setting may allow more than there can be. */
    uint64_t raw_most = r->raw_most < SIZE_MAX ? r->raw_most : SIZE_MAX;
    if (raw_len > raw_most) {
        report_problem(r->report, PITH_LIMIT, "raw_limit", offset,
                       "the body would be %llu bytes, more than the limit of %llu; see "
                       "the setting raw-max",
                       (unsigned long long)raw_len, (unsigned long long)raw_most);
        return false;
    }
    if (len > soch_left(r))
        return soch_bin_truncated(r, "the compressed body");
    if (r->meter)
        alloc_allow_unpacked(r->meter, (size_t)len, (size_t)raw_len);
    soch_block block = {r->doc->alloc, NULL, 0, 0};
    soch_compressed result =
        soch_expand(packing, &block, (size_t)raw_len, r->at, (size_t)len);
    const char *body = result == SOCH_COMPRESSED
                           ? arena_copy(&r->doc->arena, block.data, block.len)
                           : NULL;
    soch_block_free(&block);
    if (result == SOCH_COMPRESS_DAMAGED) {
        return read_bad(&r->in, packed, "invalid_compression",
                        "the %s body is damaged, or not of the length it claims",
                        soch_packing_name(packing));
    }
    if (!body)
        return read_failed(&r->in);
    *after = r->at + len;
    r->packed = packed;
    r->at = body;
    r->end = body + raw_len;
    return true;
}

/* ------------------------------------------------------------------------- tables */

static bool soch_bin_body(soch_reader *r)
{
    pith_doc *doc = r->doc;
    if (!soch_bin_schema(r))
        return false;
    size_t width = r->layout.count;
    if (width > 0 && r->count > soch_left(r) / width)
        return soch_bin_truncated(r, "the last of the rows");
    /* A value has at least one byte, so there cannot be more. */
    if (!doc_reserve(doc, (size_t)r->count * (width + 1) + 1))
        return read_failed(&r->in);
    if (!soch_open_table(r))
        return false;
    for (; r->rows < r->count; r->rows++)
        if (!soch_bin_row(r) || !soch_tell_progress(r))
            return false;
    return soch_built(r, build_close(doc));
}

/* Reports that there is something after the end; false. */
static bool soch_bin_trailing(soch_reader *r)
{
    return read_bad(&r->in, r->at, "trailing_content",
                    "%zu bytes after the end of the table", soch_left(r));
}

/* The body, out of its compression where it is in one. */
static bool soch_bin_any_body(soch_reader *r, unsigned flags)
{
    const char *end = r->end;
    const char *after = end;
    if ((flags & SOCH_BIN_PACKED) == 0)
        return soch_bin_body(r);
    if (!soch_bin_expand(r, flags, &after) || !soch_bin_body(r))
        return false;
    if (r->at != r->end)
        return soch_bin_trailing(r);
    r->packed = NULL;
    r->at = after;
    r->end = end;
    return true;
}

/* The checksum at `at`, which should be the one that was found. */
static bool soch_bin_footer(soch_reader *r, uint32_t found)
{
    if (soch_left(r) < SOCH_BIN_FOOTER_LEN)
        return soch_bin_truncated(r, "the checksum");
    uint32_t told = (uint32_t)soch_bin_load(r->at, SOCH_BIN_FOOTER_LEN);
    if (told != found) {
        return read_bad(&r->in, r->at, "checksum_mismatch",
                        "the checksum is %08x, and the bytes before it make %08x", told,
                        found);
    }
    r->at += SOCH_BIN_FOOTER_LEN;
    return true;
}

static bool soch_bin_table(soch_reader *r)
{
    const char *from = r->at;
    unsigned flags;
    if (!soch_bin_read_header(r, &flags) || !soch_bin_any_body(r, flags))
        return false;
    return !(flags & SOCH_BIN_SUMMED) ||
           soch_bin_footer(r, crc32c(0, from, (size_t)(r->at - from)));
}

/* The table at `at`; true when another one follows, and nothing else may. */
static bool soch_bin_read_one(soch_reader *r)
{
    if (!soch_bin_table(r) || r->at == r->end)
        return false;
    if (soch_left(r) < 4 || memcmp(r->at, SOCH_BIN_MAGIC, 4) != 0)
        return soch_bin_trailing(r);
    return true;
}

/* The first table tells whether the root is needed: see soch_root.c. The name is the
 * first thing in a body that is not compressed; one that is gets the root, and if it has
 * no name loses it again. */
static bool soch_bin_first_is_unnamed(const soch_reader *r)
{
    const char *name = r->at + SOCH_BIN_HEADER_LEN;
    return soch_left(r) >= SOCH_BIN_HEADER_LEN + 2 &&
           (soch_bin_load(r->at + 6, 2) & SOCH_BIN_PACKED) == 0 && name[0] == 1 &&
           name[1] == '_';
}

void soch_bin_decode(decode_job *job)
{
    soch_reader r = {.at = job->input.ptr,
                     .names = &job->doc->arena,
                     .refs = settings_number(job->set, SOCH_BIN_REFS) != 0,
                     .meter = job->meter,
                     .raw_most = settings_number(job->set, SOCH_BIN_RAW_MAX)};
    read_init(&r.in, job->doc, job->input, job->report);
    soch_read_tables(&r, !soch_bin_first_is_unnamed(&r), soch_bin_read_one);
}

/* ----------------------------------------------------------------------------- rows */

/* There are no marks between rows: where one ends is known when it has been read. The
 * checksum goes along with the bytes that are used, and is compared at the end, when the
 * rows are out: callers that need to know first whether a file is whole read it whole. */

/* The bytes up to where the reader is are done with. */
static void soch_bin_rows_use(soch_rows *rows, read_job *job)
{
    const char *from = job->input.ptr + job->used;
    rows->sum = crc32c(rows->sum, from, (size_t)(rows->reader.at - from));
    job->used = (size_t)(rows->reader.at - job->input.ptr);
}

/* The header and the columns; READ_ROW when rows may follow. */
static read_event soch_bin_rows_start(soch_rows *rows, read_job *job)
{
    soch_reader *r = &rows->reader;
    unsigned flags;
    if (!job->ended && job->input.len < SOCH_BIN_HEADER_LEN)
        return READ_MORE;
    arena_reset(&rows->names);
    if (!soch_bin_read_header(r, &flags))
        return READ_FAILED;
    if (flags & SOCH_BIN_PACKED)
        return READ_COLLECT;
    if (!soch_bin_schema(r))
        return r->starved ? READ_MORE : READ_FAILED;
    rows->summed = !(flags & SOCH_BIN_SUMMED);
    read_event event = soch_rows_begin(rows, job);
    if (event == READ_ROW)
        soch_bin_rows_use(rows, job);
    return event;
}

static read_event soch_bin_rows_row(soch_rows *rows, read_job *job)
{
    soch_reader *r = &rows->reader;
    if (!soch_rows_renew(rows) || !soch_bin_row(r))
        return r->starved ? READ_MORE : READ_FAILED;
    r->rows++;
    soch_bin_rows_use(rows, job);
    return READ_ROW;
}

/* The checksum, and nothing after it. */
static read_event soch_bin_rows_end(soch_rows *rows, read_job *job)
{
    soch_reader *r = &rows->reader;
    if (!rows->summed) {
        if (!soch_bin_footer(r, rows->sum))
            return r->starved ? READ_MORE : READ_FAILED;
        rows->summed = true;
        job->used = (size_t)(r->at - job->input.ptr);
    }
    size_t left = soch_left(r);
    if (left == 0 || (left < 4 && !job->ended))
        return job->ended ? READ_DONE : READ_MORE;
    if (left >= 4 && memcmp(r->at, SOCH_BIN_MAGIC, 4) == 0)
        soch_not_a_table(r);
    else
        soch_bin_trailing(r);
    return READ_FAILED;
}

static read_event soch_bin_read_rows(void *state, read_job *job)
{
    soch_rows *rows = (soch_rows *)state;
    soch_reader *r = &rows->reader;
    soch_rows_place(rows, job);
    if (!rows->begun) {
        r->refs = settings_number(job->set, SOCH_BIN_REFS) != 0;
        read_event event = soch_bin_rows_start(rows, job);
        if (!rows->begun)
            return event;
    }
    if (job->head)
        return READ_HEAD;
    return r->rows < r->count ? soch_bin_rows_row(rows, job)
                              : soch_bin_rows_end(rows, job);
}

const read_codec soch_bin_read = {.state_size = sizeof(soch_rows),
                                  .read = soch_bin_read_rows,
                                  .close = soch_rows_close,
                                  .columns = soch_rows_columns};
