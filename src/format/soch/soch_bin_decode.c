/*
 * soch_bin_decode.c - files of the binary form: headers, checksums, compressed bodies.
 *
 * A file with a mistake is not read on: behind it nothing is certain.
 */
#include "base/crc32c.h"
#include "doc/spelled.h"
#include "format/soch/soch_bin_read.h"
#include "format/soch/soch_squeeze.h"

enum { SOCH_BIN_PROGRESS_ROWS = 4096 };

/* ----------------------------------------------------------------------- headers */

static bool soch_bin_read_header(soch_bin_reader *r, soch_bin_header *header)
{
    const char *at = r->at;
    if (memcmp(at, SOCH_BIN_MAGIC, 4) != 0) {
        report_bad(r->report, "not_this_format", soch_bin_offset(r, at),
                   "expected the bytes \"TOON\" at the start of a table");
        return false;
    }
    unsigned version = (unsigned)soch_bin_load(at + 4, 2);
    header->flags = (unsigned)soch_bin_load(at + 6, 2);
    header->rows = soch_bin_load(at + 8, 8);
    if (version != SOCH_BIN_VERSION) {
        report_bad(r->report, "unknown_version", soch_bin_offset(r, at + 4),
                   "version %u; only 1 is known%s", version,
                   version > 255 ? ", and this may be an internal file of SochDB" : "");
        return false;
    }
    if (header->flags & ~(unsigned)SOCH_BIN_FLAGS ||
        (header->flags & SOCH_BIN_PACKED) == SOCH_BIN_PACKED ||
        !(header->flags & SOCH_BIN_SCHEMA)) {
        report_bad(r->report, "unknown_flags", soch_bin_offset(r, at + 6),
                   "flags 0x%04x: expected 8, plus 4 with a checksum, plus 1 for LZ4 or "
                   "2 for ZSTD; %s",
                   header->flags,
                   header->flags & SOCH_BIN_SCHEMA
                       ? "the other bits have no meaning here"
                       : "8 says that the name and the columns of the table follow, and "
                         "without them nothing tells what the bytes are");
        return false;
    }
    r->at += SOCH_BIN_HEADER_LEN;
    return true;
}

bool soch_bin_find_header(soch_bin_reader *r, soch_bin_header *header)
{
    size_t magic = soch_bin_left(r) < 4 ? soch_bin_left(r) : 4;
    if (soch_bin_left(r) < SOCH_BIN_HEADER_LEN && magic > 0 &&
        memcmp(r->at, SOCH_BIN_MAGIC, magic) == 0) {
        /* A version this short of a header is told first. */
        if (soch_bin_left(r) >= 6 && soch_bin_load(r->at + 4, 2) != SOCH_BIN_VERSION) {
            report_bad(r->report, "unknown_version", soch_bin_offset(r, r->at + 4),
                       "version %u; only 1 is known",
                       (unsigned)soch_bin_load(r->at + 4, 2));
            return false;
        }
        return soch_bin_truncated(r, "the header");
    }
    if (soch_bin_left(r) < SOCH_BIN_HEADER_LEN) {
        report_bad(r->report, "not_this_format", soch_bin_offset(r, r->at),
                   "expected the bytes \"TOON\" at the start of a table");
        return false;
    }
    return soch_bin_read_header(r, header);
}

/* -------------------------------------------------------------------- compression */

static bool soch_bin_bad_body(soch_bin_reader *r, size_t offset, const char *name)
{
    report_bad(r->report, "invalid_compression", offset,
               "the %s body is damaged, or not of the length it claims", name);
    return false;
}

bool soch_bin_expand(soch_bin_reader *r, unsigned flags, uint64_t raw_most,
                     const char **behind)
{
    soch_packing packing = (soch_packing)(flags & SOCH_BIN_PACKED);
    size_t offset = soch_bin_offset(r, r->at);
    uint64_t raw_len;
    uint64_t len;
    if (!soch_packing_here(packing)) {
        report_problem(r->report, PITH_BAD_USE, "not_built_in", offset,
                       "the body is compressed with %s, which is not built in",
                       soch_packing_name(packing));
        return false;
    }
    if (!soch_bin_varint(r, &raw_len) || !soch_bin_varint(r, &len)) {
        return false;
    }
    /* On a machine of 32 bits the setting may allow more than there can be. */
    raw_most = raw_most < SIZE_MAX ? raw_most : SIZE_MAX;
    if (raw_len > raw_most) {
        report_problem(r->report, PITH_LIMIT, "raw_limit", offset,
                       "the body would be %llu bytes, more than the limit of %llu; see "
                       "the setting raw-max",
                       (unsigned long long)raw_len, (unsigned long long)raw_most);
        return false;
    }
    if (len > soch_bin_left(r)) {
        return soch_bin_truncated(r, "the compressed body");
    }
    soch_block block = {r->doc->alloc, NULL, 0, 0};
    soch_squeezed result =
        soch_expand(packing, &block, (size_t)raw_len, r->at, (size_t)len);
    const char *body = result == SOCH_SQUEEZED
                           ? arena_copy(&r->doc->arena, block.data, block.len)
                           : NULL;
    soch_block_free(&block);
    if (result == SOCH_SQUEEZE_DAMAGED) {
        return soch_bin_bad_body(r, offset, soch_packing_name(packing));
    }
    if (!body) {
        return read_failed(&r->in);
    }
    *behind = r->at + len;
    r->expanded = true;
    r->body_offset = offset;
    r->at = body;
    r->end = body + raw_len;
    return true;
}

/* ------------------------------------------------------------------------- tables */

static bool soch_bin_progress(soch_bin_reader *r)
{
    pith_doc *doc = r->doc;
    if (!doc->progress || r->row % SOCH_BIN_PROGRESS_ROWS != 0 ||
        doc->progress(doc->progress_ctx, soch_bin_offset(r, r->at))) {
        return true;
    }
    report_problem(r->report, PITH_LIMIT, "cancelled", soch_bin_offset(r, r->at),
                   "the reading was cancelled");
    return false;
}

static bool soch_bin_body(soch_bin_reader *r, uint64_t rows)
{
    pith_doc *doc = r->doc;
    if (!soch_bin_schema(r, rows)) {
        return false;
    }
    size_t width = r->layout.count;
    if (width > 0 && rows > soch_bin_left(r) / width) {
        return soch_bin_truncated(r, "the last of the rows");
    }
    /* A value has at least one byte, so there cannot be more. */
    if (!doc_reserve(doc, (size_t)rows * (width + 1) + 1)) {
        return read_failed(&r->in);
    }
    r->lent_depth += soch_lend_depth(doc);
    if (!soch_bin_built(r, build_open(doc, PITH_ARRAY))) {
        return false;
    }
    doc->tables[doc->table_count - 1].at = doc->open;
    for (r->row = 0; r->row < rows; r->row++) {
        if (!soch_bin_row(r) || !soch_bin_progress(r)) {
            return false;
        }
    }
    return soch_bin_built(r, build_close(doc));
}

bool soch_bin_trailing(soch_bin_reader *r)
{
    report_bad(r->report, "trailing_content", soch_bin_offset(r, r->at),
               "%zu bytes behind the end of the table", soch_bin_left(r));
    return false;
}

/* The body, out of its compression where it is in one. */
static bool soch_bin_any_body(soch_bin_reader *r, const soch_bin_header *header,
                              uint64_t raw_most)
{
    const char *end = r->end;
    const char *behind = end;
    if ((header->flags & SOCH_BIN_PACKED) == 0) {
        return soch_bin_body(r, header->rows);
    }
    if (!soch_bin_expand(r, header->flags, raw_most, &behind) ||
        !soch_bin_body(r, header->rows)) {
        return false;
    }
    if (r->at != r->end) {
        return soch_bin_trailing(r);
    }
    r->expanded = false;
    r->at = behind;
    r->end = end;
    return true;
}

bool soch_bin_footer(soch_bin_reader *r, uint32_t found)
{
    if (soch_bin_left(r) < SOCH_BIN_FOOTER_LEN) {
        return soch_bin_truncated(r, "the checksum");
    }
    uint32_t told = (uint32_t)soch_bin_load(r->at, SOCH_BIN_FOOTER_LEN);
    if (told != found) {
        report_bad(r->report, "checksum_mismatch", soch_bin_offset(r, r->at),
                   "the checksum is %08x, and the bytes before it make %08x", told,
                   found);
        return false;
    }
    r->at += SOCH_BIN_FOOTER_LEN;
    return true;
}

static bool soch_bin_table(soch_bin_reader *r, uint64_t raw_most)
{
    const char *from = r->at;
    soch_bin_header header = {0, 0};
    if (!soch_bin_find_header(r, &header) || !soch_bin_any_body(r, &header, raw_most)) {
        return false;
    }
    return !(header.flags & SOCH_BIN_SUMMED) ||
           soch_bin_footer(r, crc32c(0, from, (size_t)(r->at - from)));
}

/* Another table, and nothing else, may follow. */
static bool soch_bin_next(soch_bin_reader *r)
{
    if (!r->at || r->at == r->end) {
        return false;
    }
    if (soch_bin_left(r) < 4 || memcmp(r->at, SOCH_BIN_MAGIC, 4) != 0) {
        return soch_bin_trailing(r);
    }
    return true;
}

/* The first table tells whether the root is needed: see soch_root.c. The name is the
 * first thing in a body that is not compressed; one that is gets the root, and if it has
 * no name loses it again. */
static bool soch_bin_first_is_unnamed(const soch_bin_reader *r)
{
    const char *name = r->at + SOCH_BIN_HEADER_LEN;
    return soch_bin_left(r) >= SOCH_BIN_HEADER_LEN + 2 &&
           (soch_bin_load(r->at + 6, 2) & SOCH_BIN_PACKED) == 0 && name[0] == 1 &&
           name[1] == '_';
}

static void soch_bin_read_tables(soch_bin_reader *r, uint64_t raw_most)
{
    pith_doc *doc = r->doc;
    bool wrapped = !soch_bin_first_is_unnamed(r);
    if (wrapped && build_open(doc, PITH_ARRAY) != BUILD_DONE) {
        report_no_memory(r->report);
        return;
    }
    do {
        if (!soch_bin_table(r, raw_most)) {
            return;
        }
    } while (soch_bin_next(r));
    if (r->report->count > 0) {
        return;
    }
    if ((wrapped && build_close(doc) != BUILD_DONE) || !soch_make_root(doc, wrapped) ||
        !doc_place_digits(doc)) {
        report_no_memory(r->report);
        return;
    }
    doc_mark_tail(doc, r->report->input, 0);
    doc->finished = true;
}

void soch_bin_decode(decode_job *job)
{
    soch_bin_reader r;
    memset(&r, 0, sizeof r);
    read_init(&r.in, job->doc, job->input, job->report);
    r.at = job->input.ptr;
    r.names = &job->doc->arena;
    r.refs = settings_number(job->set, SOCH_BIN_REFS) != 0;
    soch_bin_read_tables(&r, settings_number(job->set, SOCH_BIN_RAW_MAX));
    job->doc->depth_max -= r.lent_depth;
    if (job->doc->finished && soch_is_too_deep(job->doc, r.lent_depth)) {
        r.lent_depth = 0;
        soch_bin_built(&r, BUILD_TOO_DEEP);
    }
    LIST_FREE(&r.left, &job->doc->alloc);
}

/* ----------------------------------------------------------------------------- rows */

/* Rows off the front of a stream. There are no marks between them: where one ends is known
 * when it has been read. The checksum goes along with the bytes that are used, and is
 * compared at the end, when the rows are out: callers that need to know first whether a
 * file is whole read it whole. */
typedef struct soch_bin_row_state {
    soch_bin_reader reader; /* its layout and the number of its row stay */
    pith_arena names;
    soch_bin_header header;
    bool begun;  /* the header has been read */
    bool named;  /* the table has a name */
    bool summed; /* the checksum has been compared, or there is none */
    uint32_t sum;
    size_t renewed; /* of the document's shapes, when that of the rows was found */
} soch_bin_row_state;

static void soch_bin_rows_place(soch_bin_row_state *rows, const read_job *job)
{
    soch_bin_reader *r = &rows->reader;
    if (!r->names) {
        arena_init(&rows->names, job->doc->alloc);
        r->names = &rows->names;
        r->refs = settings_number(job->set, SOCH_BIN_REFS) != 0;
    }
    read_init(&r->in, job->doc, job->report->input, job->report);
    r->waits = !job->ended;
    r->at = job->input.ptr;
    r->digits = NULL; /* they were in the document's arena */
    r->digits_end = NULL;
    r->ref_shape = SHAPE_NONE;
}

/* The bytes up to where the reader is are done with. */
static void soch_bin_rows_use(soch_bin_row_state *rows, read_job *job)
{
    const char *from = job->input.ptr + job->used;
    rows->sum = crc32c(rows->sum, from, (size_t)(rows->reader.at - from));
    job->used = (size_t)(rows->reader.at - job->input.ptr);
}

/* The header and the columns; READ_ROW when rows may follow. */
static read_event soch_bin_rows_start(soch_bin_row_state *rows, read_job *job)
{
    soch_bin_reader *r = &rows->reader;
    pith_doc *doc = job->doc;
    if (!job->ended && job->input.len < SOCH_BIN_HEADER_LEN) {
        return READ_MORE;
    }
    arena_reset(&rows->names);
    if (!soch_bin_find_header(r, &rows->header)) {
        return READ_FAILED;
    }
    if (rows->header.flags & SOCH_BIN_PACKED) {
        return READ_COLLECT;
    }
    if (!soch_bin_schema(r, rows->header.rows)) {
        return r->starved ? READ_MORE : READ_FAILED;
    }
    const doc_table *table = &doc->tables[doc->table_count - 1];
    if (table->single) {
        return READ_COLLECT;
    }
    rows->begun = true;
    rows->named = !table->unnamed;
    rows->summed = !(rows->header.flags & SOCH_BIN_SUMMED);
    rows->renewed = doc->shapes.renewed;
    doc->table_count = 0;
    soch_bin_rows_use(rows, job);
    return READ_ROW;
}

static read_event soch_bin_rows_row(soch_bin_row_state *rows, read_job *job)
{
    soch_bin_reader *r = &rows->reader;
    pith_doc *doc = job->doc;
    if (rows->renewed != doc->shapes.renewed && !soch_layout_renew(&r->layout, doc)) {
        read_failed(&r->in);
        return READ_FAILED;
    }
    rows->renewed = doc->shapes.renewed;
    doc->depth = rows->named ? 2 : 1; /* as deep as it would be in the table */
    if (!soch_bin_row(r)) {
        return r->starved ? READ_MORE : READ_FAILED;
    }
    r->row++;
    soch_bin_rows_use(rows, job);
    return READ_ROW;
}

/* The checksum, and nothing after it. */
static read_event soch_bin_rows_end(soch_bin_row_state *rows, read_job *job)
{
    soch_bin_reader *r = &rows->reader;
    if (!rows->summed) {
        if (!soch_bin_footer(r, rows->sum)) {
            return r->starved ? READ_MORE : READ_FAILED;
        }
        rows->summed = true;
        job->used = (size_t)(r->at - job->input.ptr);
    }
    size_t left = soch_bin_left(r);
    if (left == 0 || (left < 4 && !job->ended)) {
        return job->ended ? READ_DONE : READ_MORE;
    }
    if (left >= 4 && memcmp(r->at, SOCH_BIN_MAGIC, 4) == 0) {
        soch_not_a_table(job->report, soch_bin_offset(r, r->at));
    } else {
        soch_bin_trailing(r);
    }
    return READ_FAILED;
}

static read_event soch_bin_read_rows(void *state, read_job *job)
{
    soch_bin_row_state *rows = (soch_bin_row_state *)state;
    soch_bin_rows_place(rows, job);
    if (!rows->begun) {
        read_event event = soch_bin_rows_start(rows, job);
        if (!rows->begun) {
            return event;
        }
    }
    return rows->reader.row < rows->header.rows ? soch_bin_rows_row(rows, job)
                                                : soch_bin_rows_end(rows, job);
}

static void soch_bin_row_state_close(void *state, const pith_alloc *alloc)
{
    soch_bin_row_state *rows = (soch_bin_row_state *)state;
    LIST_FREE(&rows->reader.left, alloc);
    if (rows->reader.names) {
        arena_free(&rows->names);
    }
}

const read_codec soch_bin_read = {.state_size = sizeof(soch_bin_row_state),
                                  .read = soch_bin_read_rows,
                                  .close = soch_bin_row_state_close};
