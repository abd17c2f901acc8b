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
#include "format/rows.h"

static const pith_setting ndjson_settings[] = {
    JSON_SETTING_DUPLICATES,
    JSON_SETTING_SURROGATES,
    JSON_SETTING_ASCII,
};

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

static read_event ndjson_read_row(void *state, read_job *job)
{
    json_read_options options = json_read_options_from(job->set);
    bool *begun = (bool *)state;
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
        return job->report->count == 0 ? READ_ROW : READ_FAILED;
    }
    return job->ended ? READ_DONE : READ_MORE;
}

static const read_codec ndjson_read = {
    .state_size = sizeof(bool), .read = ndjson_read_row, .ends = "\n"};

static const row_format ndjson_row_format = {.row = ndjson_row};

const codec ndjson_format = {
    .info = {"ndjson", ".ndjson .jsonl", "application/x-ndjson", "one JSON value a line",
             PITH_READ | PITH_WRITE, PITH_READ | PITH_WRITE, false, ndjson_settings,
             sizeof ndjson_settings / sizeof *ndjson_settings, .exchange = true},
    .sniff = ndjson_sniff,
    .decode = ndjson_decode,
    .encode = ndjson_encode,
    .keeps_digits = true,
    .escapes = escapes_all,
    .read_rows = &ndjson_read,
    .write_rows = &ndjson_row_format,
};
