/*
 * json.c - JSON as a format: its settings, its rows, and what it looks like.
 */
#include "format/json/json.h"
#include "base/lex.h"
#include "base/utf8.h"
#include "doc/build.h"

static const pith_setting json_settings[] = {
    JSON_SETTING_DUPLICATES,
    JSON_SETTING_SURROGATES,
    JSON_SETTING_ASCII,
    {"indent", PITH_SETTING_NUMBER, PITH_WRITE, NULL, 0, 16, "0",
     "spaces for each level, one member a line; 0 writes everything on one line"},
    {"several", PITH_SETTING_CHOICE, PITH_READ, "refuse|array", 0, 0, "refuse",
     "what arrays or objects one after the other mean: an error, or an array of them"},
};

json_read_options json_read_options_from(const settings *set)
{
    json_read_options options;
    options.last_wins = settings_number(set, JSON_DUPLICATES) == JSON_DUPLICATES_LAST;
    options.replace = settings_number(set, JSON_SURROGATES) == JSON_SURROGATES_REPLACE;
    return options;
}

/* A text that opens with a bracket, or is one scalar and nothing else. */
static bool json_sniff(pith_text text)
{
    const char *end = text.ptr + text.len;
    const char *at = scan_spaces(text.ptr + utf8_bom(text.ptr, text.len), end);
    if (at == end)
        return false;
    if (*at == '{' || *at == '[')
        return true;
    if (*at == '"') {
        at = scan_stop(at + 1, end);
        while (end - at > 1 && *at == '\\')
            at = scan_stop(at + 2, end);
        return at < end && *at == '"' && scan_spaces(at + 1, end) == end;
    }
    const char *word_end = lex_read_number(at, end).end;
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3 && !word_end; i++) {
        size_t len = strlen(words[i]);
        if ((size_t)(end - at) >= len && memcmp(at, words[i], len) == 0)
            word_end = at + len;
    }
    return word_end && scan_spaces(word_end, end) == end;
}

static bool json_is_container(pith_text text)
{
    return text.len > 0 && (*text.ptr == '{' || *text.ptr == '[');
}

/* Whether another array or object comes after the one in front; if none does, that has
 * been read. */
static bool json_read_first(decode_job *job, pith_text text, json_read_options options)
{
    const char *end = text.ptr + text.len;
    const char *first = scan_spaces(text.ptr, end);
    if (settings_number(job->set, JSON_SEVERAL) == 0 || job->report->callback ||
        !json_is_container(text_of(first, (size_t)(end - first)))) {
        json_read_value(job->doc, text, options, job->report);
        return false;
    }
    const char *rest = json_read_front(job->doc, text, options, job->report);
    size_t left = rest ? (size_t)(end - rest) : 0;
    if (left > 0 && !json_is_container(text_of(rest, left))) {
        pith_doc_reset(job->doc); /* once more, for what is wrong */
        json_read_value(job->doc, text, options, job->report);
        return false;
    }
    return left > 0;
}

/* Arrays and objects, with nothing but white space between them. */
static void json_read_several(decode_job *job, pith_text text, json_read_options options)
{
    pith_doc *doc = job->doc;
    reporter *report = job->report;
    pith_doc_reset(doc);
    if (build_open(doc, PITH_ARRAY) != BUILD_DONE) {
        report_no_memory(report);
        return;
    }
    while (text.len > 0 && !report->stopped) {
        const char *rest = json_read_front(doc, text, options, report);
        size_t used = rest ? (size_t)(rest - text.ptr) : text.len;
        text = text_of(text.ptr + used, text.len - used);
        if (text.len > 0 && !json_is_container(text)) {
            report_bad(report, "trailing_content", (size_t)(text.ptr - report->input.ptr),
                       "expected another array or object, or the end of the text");
        }
    }
    (void)build_close(doc); /* an array: that takes no memory */
}

static void json_decode(decode_job *job)
{
    json_read_options options = json_read_options_from(job->set);
    size_t bom = utf8_bom(job->input.ptr, job->input.len);
    pith_text text = text_of(job->input.ptr + bom, job->input.len - bom);
    if (json_read_first(job, text, options))
        json_read_several(job, text, options);
    json_read_finish(job->doc, job->input, options, job->report);
}

void json_write(pith_out *out, const settings *set, const pith_doc *doc, uint32_t at,
                size_t depth)
{
    bool ascii = settings_bool(set, JSON_ASCII);
    unsigned indent = (unsigned)settings_number(set, JSON_INDENT);
    if (indent)
        json_write_indented(out, doc, at, indent, depth, ascii);
    else
        json_write_compact(out, doc, at, ascii);
}

static pith_status json_encode(encode_job *job)
{
    json_write(job->out, job->set, job->doc, job->at, 0);
    return PITH_OK;
}

const codec json_format = {
    .info = {"json", ".json", "application/json", "JSON, RFC 8259",
             PITH_READ | PITH_WRITE, PITH_WRITE, false, json_settings,
             sizeof json_settings / sizeof *json_settings, .exchange = true},
    .sniff = json_sniff,
    .decode = json_decode,
    .encode = json_encode,
    .keeps_digits = true,
    .escapes = escapes_all,
    .write_rows = &json_rows,
};
