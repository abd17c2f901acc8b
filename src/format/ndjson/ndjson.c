/*
 * ndjson.c - lines of JSON, whole or as a stream.
 *
 * A line ends at a line feed, which JSON allows inside no value, so cutting is
 * memchr. Blank lines are skipped, a carriage return before the line feed is white
 * space, and the last line needs no line feed. Written out, every line ends with one:
 * it is part of the line, and whoever reads a stream of them waits for it.
 *
 * A line with a mistake does not hide the next: when problems are collected, reading
 * goes on there.
 */
#include "format/ndjson/ndjson.h"
#include "base/lex.h"
#include "base/utf8.h"
#include "doc/build.h"
#include "format/json/json.h"
#include "format/read.h"
#include "format/rows.h"

static const pith_setting ndjson_settings[] = {
    JSON_SETTING_DUPLICATES,
    JSON_SETTING_SURROGATES,
    JSON_SETTING_ASCII,
    {"bad", PITH_SETTING_CHOICE, PITH_READ, "stop|skip", 0, 0, "stop",
     "what a line that is no value means: an error, or that it is left out"},
};

enum { NDJSON_BAD = JSON_INDENT }; /* which JSON alone has */

static bool ndjson_skips(const settings *set)
{
    return settings_number(set, NDJSON_BAD) != 0;
}

/* The line at the front of `text`, and after it the bytes it used. */
static pith_text ndjson_cut(pith_text text, size_t *used)
{
    const char *feed = text.len ? (const char *)memchr(text.ptr, '\n', text.len) : NULL;
    size_t len = feed ? (size_t)(feed - text.ptr) : text.len;
    *used = feed ? len + 1 : len;
    return text_of(text.ptr, len);
}

static bool ndjson_is_blank(pith_text line)
{
    return scan_spaces(line.ptr, line.ptr + line.len) == line.ptr + line.len;
}

/* Several lines, of which the first is a value by itself: brackets balance at its
 * end and another value begins on the next. */
static bool ndjson_sniff(pith_text text)
{
    size_t bom = utf8_bom(text.ptr, text.len);
    size_t used = 0;
    pith_text line = ndjson_cut(text_of(text.ptr + bom, text.len - bom), &used);
    const char *end = line.ptr + line.len;
    const char *text_end = text.ptr + text.len;
    const char *at = scan_spaces(line.ptr, end);
    const char *next = scan_spaces(end, text_end);
    if (at == end || (*at != '{' && *at != '[') || next == text_end ||
        (*next != '{' && *next != '['))
        return false;
    size_t depth = 0;
    bool quoted = false;
    for (; at < end; at++) {
        if (quoted) {
            at += *at == '\\';
            quoted = at >= end || *at != '"';
        } else if (*at == '"') {
            quoted = true;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            depth--;
            if (depth == 0)
                break;
        }
    }
    return at < end && scan_spaces(at + 1, end) == end;
}

/* Reads a line by itself and adds its value, unless it is bad. */
static void ndjson_read_or_skip(decode_job *job, pith_doc *line_doc, pith_text line,
                                report_skips *skips)
{
    json_read_options options = json_read_options_from(job->set);
    do {
        pith_doc_reset(line_doc);
        line_doc->depth = 1; /* as deep as it would be in the array of all lines */
        json_read_value(line_doc, line, options, job->report);
        json_read_finish(line_doc, line, options, job->report);
    } while (read_again(line_doc, job->report));
    job->report->keep_key_places = false;
    line_doc->depth = 0;
    if (job->report->count > 0) {
        report_skip(job->report, skips);
        return;
    }
    build_result built = build_copy(job->doc, line_doc, 0);
    if (built == BUILD_NO_MEMORY)
        report_no_memory(job->report);
    else if (built != BUILD_DONE)
        report_problem(job->report, PITH_LIMIT, "too_large",
                       (size_t)(line.ptr - job->report->input.ptr),
                       "a text of 4 GiB or more");
}

/* All lines but the bad ones. */
static void ndjson_decode_good(decode_job *job, pith_text rest)
{
    pith_options options = {.alloc = job->doc->alloc, .depth_max = job->doc->depth_max};
    pith_doc *line_doc = pith_doc_new(&options);
    report_skips skips = {0};
    if (!line_doc)
        report_no_memory(job->report);
    while (rest.len > 0 && !job->report->stopped) {
        size_t used = 0;
        pith_text line = ndjson_cut(rest, &used);
        if (!ndjson_is_blank(line))
            ndjson_read_or_skip(job, line_doc, line, &skips);
        rest = text_of(rest.ptr + used, rest.len - used);
    }
    pith_doc_free(line_doc);
    report_skipped(job->report, &skips);
}

static void ndjson_decode(decode_job *job)
{
    json_read_options options = json_read_options_from(job->set);
    pith_doc *doc = job->doc;
    size_t bom = utf8_bom(job->input.ptr, job->input.len);
    pith_text rest = text_of(job->input.ptr + bom, job->input.len - bom);
    if (build_open(doc, PITH_ARRAY) != BUILD_DONE) {
        report_no_memory(job->report);
        return;
    }
    if (ndjson_skips(job->set) && !job->report->callback) {
        ndjson_decode_good(job, rest);
        rest.len = 0;
    }
    while (rest.len > 0 && !job->report->stopped) {
        size_t used = 0;
        pith_text line = ndjson_cut(rest, &used);
        if (!ndjson_is_blank(line))
            json_read_value(doc, line, options, job->report);
        rest = text_of(rest.ptr + used, rest.len - used);
    }
    (void)build_close(doc); /* an array: that takes no memory */
    json_read_finish(doc, job->input, options, job->report);
}

static void ndjson_write_line(pith_out *out, const settings *set, const pith_doc *doc,
                              uint32_t at)
{
    json_write_compact(out, doc, at, settings_bool(set, JSON_ASCII));
    out_byte(out, '\n');
}

static pith_status ndjson_encode(encode_job *job)
{
    const pith_slot *root = &job->doc->slots[job->at];
    if (root->kind != PITH_ARRAY) {
        return error_set(
            job->err, PITH_UNREPRESENTABLE, "not_an_array",
            "ndjson holds the elements of an array, and this value is not one");
    }
    uint32_t at = job->at + 1;
    for (uint32_t i = 0; i < root->n; i++) {
        ndjson_write_line(job->out, job->set, job->doc, at);
        at = doc_after_at(job->doc, at);
    }
    return PITH_OK;
}

/* ---------------------------------------------------------------------- rows */

static pith_status ndjson_row(row_table *table, pith_out *out, const row_cells *row,
                              pith_error *err)
{
    (void)err;
    ndjson_write_line(out, table->set, row->doc, (uint32_t)(row->row - row->doc->slots));
    return PITH_OK;
}

typedef struct ndjson_rows {
    bool begun;
    bool told; /* what was left out */
    report_skips skips;
} ndjson_rows;

static read_event ndjson_end_rows(ndjson_rows *rows, read_job *job)
{
    if (!job->ended)
        return READ_MORE;
    if (!rows->told)
        report_skipped(job->report, &rows->skips);
    rows->told = true;
    return READ_DONE;
}

static read_event ndjson_read_row(void *state, read_job *job)
{
    json_read_options options = json_read_options_from(job->set);
    ndjson_rows *rows = (ndjson_rows *)state;
    bool *begun = &rows->begun;
    if (!*begun && job->input.len < UTF8_BOM_LEN && !job->ended)
        return READ_MORE;
    job->used = *begun ? 0 : utf8_bom(job->input.ptr, job->input.len);
    *begun = true;
    while (job->used < job->input.len) {
        size_t used = 0;
        const char *from = job->input.ptr + job->used;
        pith_text line = ndjson_cut(text_of(from, job->input.len - job->used), &used);
        if (used == line.len && !job->ended)
            return READ_MORE; /* no line feed has come */
        if (ndjson_is_blank(line)) {
            job->used += used;
            continue;
        }
        job->doc->depth = 1; /* as deep as it would be in the array of all lines */
        json_read_value(job->doc, line, options, job->report);
        if (job->report->again)
            return READ_MORE;
        job->used += used;
        json_read_finish(job->doc, line, options, job->report);
        if (job->report->count == 0)
            return READ_ROW;
        if (!ndjson_skips(job->set) || !report_skip(job->report, &rows->skips))
            return READ_FAILED;
        job->report->keep_key_places = false;
        pith_doc_reset(job->doc);
    }
    return ndjson_end_rows(rows, job);
}

static const read_codec ndjson_read = {
    .state_size = sizeof(ndjson_rows), .read = ndjson_read_row, .ends = "\n"};

static const row_format ndjson_row_format = {.row = ndjson_row};

const codec ndjson_format = {
    .info = {"ndjson", ".ndjson .jsonl", "application/x-ndjson", "one JSON value a line",
             PITH_READ | PITH_WRITE, PITH_READ | PITH_WRITE, false, ndjson_settings,
             sizeof ndjson_settings / sizeof *ndjson_settings, .exchange = true,
             .lines = true},
    .sniff = ndjson_sniff,
    .decode = ndjson_decode,
    .encode = ndjson_encode,
    .keeps_digits = true,
    .escapes = escapes_all,
    .read_rows = &ndjson_read,
    .write_rows = &ndjson_row_format,
};
