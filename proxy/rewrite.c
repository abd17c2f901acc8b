/*
 * rewrite.c - see rewrite.h. The only file here that knows formats and tokens.
 *
 *     "text":"[{\"id\":1},..."     a JSON string in the message
 *        decoded                   [{"id":1},...      what the client shows
 *        read                      a document, or it is not JSON and stays
 *        written, read back        [2{id}\n1\n...]    the cheapest form that is allowed
 *        counted, both             fewer tokens, or it stays
 *        encoded                   "[2{id}\\n1...     what replaces the string
 *
 * Where structuredContent goes, what the client would have shown is its compact JSON, and
 * the text that replaces it has to be cheaper than that.
 */
#include "rewrite.h"

#include "delta.h"

#include "base/error.h"
#include "base/scan.h"

#include <stdio.h>

struct rewriter {
    rewrite_settings settings;
    pith_vocab *opened; /* the default vocabulary, when none was given */
    const pith_vocab *vocab;
    pith_doc *literal;   /* a string of the message */
    pith_doc *doc;       /* what a text says */
    pith_doc *structure; /* structuredContent */
    pith_buffer text;    /* what was written */
    deltas *told;
    pith_outcome outcome;
};

void rewriter_free(rewriter *with)
{
    if (!with)
        return;
    pith_doc_free(with->literal);
    pith_doc_free(with->doc);
    pith_doc_free(with->structure);
    pith_buffer_free(&with->text);
    deltas_free(with->told);
    pith_vocab_free(with->opened);
    free(with);
}

rewriter *rewriter_new(const rewrite_settings *settings, pith_error *err)
{
    rewriter *with = calloc(1, sizeof *with);
    if (!with) {
        error_no_memory(err);
        return NULL;
    }
    with->settings = *settings;
    with->vocab = settings->vocab;
    if (!with->vocab)
        with->vocab = with->opened = pith_vocab_open(NULL, NULL, err);
    with->literal = pith_doc_new(NULL);
    with->doc = pith_doc_new(NULL);
    with->structure = pith_doc_new(NULL);
    with->told = deltas_new();
    if (with->vocab && with->literal && with->doc && with->structure && with->told)
        return with;
    if (with->vocab)
        error_no_memory(err);
    rewriter_free(with);
    return NULL;
}

void rewrite_forget(rewriter *with, uint64_t same)
{
    deltas_forget(with->told, same);
}

/* --- texts in and out */

static bool count_tokens(const rewriter *with, const char *text, size_t len,
                         size_t *count)
{
    return pith_vocab_count(with->vocab, text, len, NULL, count, NULL) == PITH_OK;
}

/* A block of content that says this. */
static bool add_block(const char *text, size_t len, bytes *to)
{
    return bytes_text(to, "{\"type\":\"text\",\"text\":") &&
           bytes_literal(to, text, len) && bytes_text(to, "}");
}

/* What the client shows costs, `before` and now: the text, or, where it shows the content
 * as JSON, that. */
static bool count_shown(rewriter *with, const policy *how, const char *text, size_t len,
                        size_t *count)
{
    if (!how->wrapped)
        return count_tokens(with, text, len, count);
    bytes all = {0};
    bool done = bytes_text(&all, "[") && add_block(text, len, &all) &&
                bytes_text(&all, "]") && count_tokens(with, all.data, all.len, count);
    bytes_free(&all);
    return done;
}

/* Whether every row of NDJSON is an array or object, and there are at least two. */
static bool are_rows(pith_value rows)
{
    if (pith_value_count(rows) < 2)
        return false;
    for (pith_value row = pith_value_first(rows); row.doc; row = pith_value_next(row))
        if (pith_value_count(row) == 0 && pith_value_kind(row) < PITH_ARRAY)
            return false;
    return true;
}

/* Reads the text of a block, `*shown`; NULL when it is JSON, or the word for why it
 * stays. */
static const char *read_text(rewriter *with, span literal, pith_text *shown)
{
    pith_error err;
    if (pith_doc_read(with->literal, "json", literal.at, span_len(literal), NULL, &err) !=
        PITH_OK)
        return err.code; /* half of a surrogate pair, ill-formed UTF-8 */
    *shown = pith_value_text(pith_doc_root(with->literal));
    const char *end = shown->ptr + shown->len;
    const char *at = scan_spaces(shown->ptr, end);
    if (at == end || (*at != '{' && *at != '['))
        return "not_json";
    if (pith_doc_read(with->doc, "json", at, (size_t)(end - at), NULL, &err) == PITH_OK)
        return NULL;
    if (strcmp(err.code, "trailing_content") != 0)
        return strcmp(err.code, "duplicate_key") == 0 || err.status == PITH_LIMIT
                   ? err.code
                   : "not_json";
    if (pith_doc_read(with->doc, "ndjson", at, (size_t)(end - at), NULL, &err) != PITH_OK)
        return strcmp(err.code, "duplicate_key") == 0 ? err.code : "not_json";
    return are_rows(pith_doc_root(with->doc)) ? NULL : "not_json";
}

/* --- writing */

/* The words for a policy; false when they are too long. */
static bool write_settings(const rewriter *with, const policy *how, char *to, size_t size)
{
    const char *allow = with->settings.allow ? with->settings.allow : "json,pith";
    int len = snprintf(to, size, "verify=true");
    if (!how->format)
        len += snprintf(to + len, size - (size_t)len, " allow=\"%s\"", allow);
    if (how->budget > 0 && len > 0 && (size_t)len < size)
        len += snprintf(to + len, size - (size_t)len, " budget=%lu keep=%s", how->budget,
                        how->keep ? how->keep : "first");
    return len > 0 && (size_t)len < size;
}

/* Writes the value in its cheapest form into with->text; NULL, or why it cannot be. */
static const char *write_value(rewriter *with, const rewrite_call *about,
                               pith_value value)
{
    char words[300];
    pith_error err;
    const policy *how = about->how;
    const char *format = how->format ? how->format : "auto";
    pith_options options = {
        .write = words, .vocab = with->vocab, .outcome = &with->outcome};
    with->outcome = (pith_outcome){0};
    with->text.len = 0;
    if (!write_settings(with, how, words, sizeof words))
        return "too_long";
    pith_sink sink = pith_sink_buffer(&with->text);
    if (pith_value_write(value, format, &options, sink, &err) != PITH_OK)
        return err.code;
    return NULL;
}

/* The same, as what has changed since the last time where that is asked for. */
static const char *write_answer(rewriter *with, const rewrite_call *about,
                                pith_value value)
{
    if (!about->how->delta || !about->changes)
        return write_value(with, about, value);
    with->text.len = 0;
    with->outcome = (pith_outcome){0};
    with->outcome.format = deltas_write(with->told, about->same, about->how->delta, value,
                                        pith_sink_buffer(&with->text));
    if (with->outcome.format)
        return NULL;
    rewrite_forget(with, about->same);
    return write_value(with, about, value);
}

/* Writes the value if that takes fewer tokens than `before`: NULL and `*after`, or why it
 * stays. */
static const char *make_cheaper(rewriter *with, const rewrite_call *about,
                                pith_value value, size_t before, size_t *after)
{
    if (before < with->settings.tokens_min)
        return "small";
    const char *why = write_answer(with, about, value);
    if (!why && !count_shown(with, about->how, with->text.data, with->text.len, after))
        why = "no_memory";
    if (!why && *after >= before)
        why = "no_gain";
    if (why)
        rewrite_forget(with, about->same);
    return why;
}

/* --- results */

enum { AT_CONTENT, AT_STRUCTURE, AT_IS_ERROR, AT_RESULT_TYPE, RESULT_MEMBERS };
static const char *const result_names[] = {"content", "structuredContent", "isError",
                                           "resultType"};

enum { AT_TYPE, AT_TEXT, AT_ANNOTATIONS, AT_RESOURCE, BLOCK_MEMBERS };
static const char *const block_names[] = {"type", "text", "annotations", "resource"};

/* Whether the model is among those that a block is for. */
static bool is_for_model(span annotations)
{
    static const char *const names[] = {"audience"};
    span audience;
    if (!annotations.at)
        return true;
    if (!span_members(annotations, names, 1, &audience))
        return false;
    if (!span_is_array(audience))
        return !audience.at;
    for (span_walk walk = span_walk_of(audience); span_next(&walk);)
        if (span_is(walk.value, "assistant"))
            return true;
    return false;
}

/* The text of a block of type text that the model sees; else none. */
static span block_text(span block)
{
    span none = {NULL, NULL}, found[BLOCK_MEMBERS];
    bool fine = span_members(block, block_names, BLOCK_MEMBERS, found) &&
                span_is(found[AT_TYPE], "text") && span_is_string(found[AT_TEXT]) &&
                is_for_model(found[AT_ANNOTATIONS]);
    return fine ? found[AT_TEXT] : none;
}

static void note_kept(call_record *record, const char *why)
{
    if (!record->rewritten)
        record->outcome = why;
}

static void note_rewritten(rewriter *with, call_record *record)
{
    record->rewritten = true;
    record->outcome = with->outcome.format;
}

/* What a budget left out is said in a block of its own. */
static void tell_left_out(rewriter *with, span content, edits *all)
{
    char words[160];
    const pith_outcome *outcome = &with->outcome;
    bytes block = {0};
    if (outcome->rows_left_out == 0)
        return;
    int len = snprintf(words, sizeof words, "%zu of %zu %s left out; narrow the query",
                       outcome->rows_left_out, outcome->rows + outcome->rows_left_out,
                       outcome->unit);
    if (!bytes_text(&block, ",") || !add_block(words, (size_t)len, &block))
        all->failed = true;
    edits_add(all, (span){content.end - 1, content.end - 1}, block);
}

static void replace_literal(rewriter *with, span literal, edits *all)
{
    bytes text = {0};
    if (!bytes_literal(&text, with->text.data, with->text.len))
        all->failed = true;
    edits_add(all, literal, text);
}

/* A text that stands for itself. */
static void rewrite_text(rewriter *with, const rewrite_call *about, span content,
                         span literal, edits *all, call_record *record)
{
    pith_text shown;
    size_t before = 0, after = 0;
    const char *why = read_text(with, literal, &shown);
    if (!why && !count_shown(with, about->how, shown.ptr, shown.len, &before))
        why = "no_memory";
    if (!why)
        why = make_cheaper(with, about, pith_doc_root(with->doc), before, &after);
    record->before += before;
    record->after += why ? before : after;
    if (why) {
        note_kept(record, why);
        return;
    }
    replace_literal(with, literal, all);
    tell_left_out(with, content, all);
    note_rewritten(with, record);
}

/* A resource in the content, whose type changes with its text. */
static void rewrite_resource(rewriter *with, const rewrite_call *about, span content,
                             span block, edits *all, call_record *record)
{
    static const char *const names[] = {"mimeType", "text"};
    span of[BLOCK_MEMBERS], found[2];
    if (!span_members(block, block_names, BLOCK_MEMBERS, of) ||
        !span_is(of[AT_TYPE], "resource") || !is_for_model(of[AT_ANNOTATIONS]) ||
        !span_members(of[AT_RESOURCE], names, 2, found) ||
        !span_is(found[0], "application/json") || !span_is_string(found[1]))
        return;
    size_t edits_before = all->count;
    rewrite_call whole = *about;
    whole.changes = false; /* a resource may be saved */
    rewrite_text(with, &whole, content, found[1], all, record);
    if (all->count == edits_before)
        return;
    const pith_format *format = pith_format_find(with->outcome.format);
    bytes type = {0};
    if (!bytes_literal(&type, format->media_type, strlen(format->media_type)))
        all->failed = true;
    edits_add(all, found[0], type);
}

/* Whether a text says what the structure says: the same value, or the only member of it,
 * which is how some servers wrap lists. */
static bool says_structure(rewriter *with, span literal)
{
    pith_text shown;
    if (!literal.at || read_text(with, literal, &shown))
        return false;
    pith_value value = pith_doc_root(with->doc);
    pith_value structure = pith_doc_root(with->structure);
    bool wraps =
        pith_value_kind(structure) == PITH_OBJECT && pith_value_count(structure) == 1;
    return pith_value_equal(value, structure) ||
           (wraps && pith_value_equal(value, pith_value_first(structure)));
}

/* The text that says what the structure says, which with->doc then holds; or none. */
static span find_saying(rewriter *with, span content)
{
    for (span_walk walk = span_walk_of(content); span_next(&walk);) {
        span literal = block_text(walk.value);
        if (says_structure(with, literal))
            return literal;
    }
    return (span){NULL, NULL};
}

/* What structuredContent costs as compact JSON; false when it cannot be read. */
static bool count_structure(rewriter *with, span structure, size_t *count)
{
    with->text.len = 0;
    return pith_doc_read(with->structure, "json", structure.at, span_len(structure), NULL,
                         NULL) == PITH_OK &&
           pith_value_write(pith_doc_root(with->structure), "json", NULL,
                            pith_sink_buffer(&with->text), NULL) == PITH_OK &&
           count_tokens(with, with->text.data, with->text.len, count);
}

/* Puts what the structure says into a text and takes it away; the literal that became
 * that text in `*done`, none when the text was added. False when all stays. */
static bool replace_structure(rewriter *with, const rewrite_call *about, span result,
                              const span *found, edits *all, call_record *record,
                              span *done)
{
    size_t before, after;
    span content = found[AT_CONTENT];
    if (!count_structure(with, found[AT_STRUCTURE], &before)) {
        note_kept(record, "bad_structure");
        return false;
    }
    *done = find_saying(with, content);
    pith_value value = pith_doc_root(done->at ? with->doc : with->structure);
    const char *why = make_cheaper(with, about, value, before, &after);
    if (why) {
        note_kept(record, why);
        return false;
    }
    if (done->at) {
        replace_literal(with, *done, all);
    } else {
        span_walk walk = span_walk_of(content);
        bytes block = {0};
        if (!bytes_text(&block, span_next(&walk) ? "," : "") ||
            !add_block(with->text.data, with->text.len, &block))
            all->failed = true;
        edits_add(all, (span){content.end - 1, content.end - 1}, block);
    }
    tell_left_out(with, content, all);
    edits_add(all, span_removal(result, "structuredContent"), (bytes){NULL, 0, 0});
    record->before += before;
    record->after += after;
    note_rewritten(with, record);
    return true;
}

/* Whether the result is one that may be changed; else the word for why not. */
static const char *judge_result(span result, span *found)
{
    if (!span_members(result, result_names, RESULT_MEMBERS, found))
        return "duplicate_member";
    if (found[AT_IS_ERROR].at && *found[AT_IS_ERROR].at != 'f')
        return "error";
    if (found[AT_RESULT_TYPE].at && !span_is(found[AT_RESULT_TYPE], "complete"))
        return "incomplete";
    return span_is_array(found[AT_CONTENT]) ? NULL : "no_content";
}

void rewrite_result(rewriter *with, const rewrite_call *about, span result, edits *all,
                    call_record *record)
{
    span found[RESULT_MEMBERS], done = {NULL, NULL};
    const char *why = about->how->off ? "off" : judge_result(result, found);
    bool replaced = false;
    record->outcome = "not_json";
    if (why) {
        record->outcome = why;
        rewrite_forget(with, about->same);
        return;
    }
    bool text = about->how->how == STRUCTURED_TEXT && !about->structure_stays;
    if (found[AT_STRUCTURE].at && text)
        replaced = replace_structure(with, about, result, found, all, record, &done);
    for (span_walk walk = span_walk_of(found[AT_CONTENT]); span_next(&walk);) {
        span literal = block_text(walk.value);
        if (literal.at && literal.at != done.at)
            rewrite_text(with, about, found[AT_CONTENT], literal, all, record);
        else if (!literal.at && about->how->resources)
            rewrite_resource(with, about, found[AT_CONTENT], walk.value, all, record);
    }
    if (found[AT_STRUCTURE].at && !replaced && with->settings.count_structured)
        count_structure(with, found[AT_STRUCTURE], &record->structured);
}
