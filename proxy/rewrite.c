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

enum { NOTE_GROWS = 2 }; /* tokens, when a budget leaves out more than it first did */

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

/* A result under way. */
typedef struct job {
    rewriter *with;
    const policy *how;
    span content;
    edits *all;
    call_record *record;
    uint64_t same;
    bool changes;         /* what is written next may be changes alone */
    pith_value structure; /* what the texts are compared with; or no value */
    bool said;            /* a text says the same as the structure */
    size_t shown;         /* tokens of the content as it will be */
} job;

/* --- writing */

/* What a budget left out, in words. */
static int say_left_out(const pith_outcome *outcome, char *to, size_t size)
{
    return snprintf(to, size, "%zu of %zu %s left out; narrow the query",
                    outcome->rows_left_out, outcome->rows + outcome->rows_left_out,
                    outcome->unit);
}

/* The words for a policy; false when they are too long. */
static bool write_settings(const job *of, size_t budget, char *to, size_t size)
{
    const char *allow = of->with->settings.allow;
    int len = snprintf(to, size, "verify=true");
    if (!of->how->format)
        len += snprintf(to + len, size - (size_t)len, " allow=\"%s\"",
                        allow ? allow : "json,pith");
    if (budget > 0 && (size_t)len < size)
        len += snprintf(to + len, size - (size_t)len, " budget=%zu note=none keep=%s",
                        budget, of->how->keep ? of->how->keep : "first");
    return (size_t)len < size;
}

static const char *write_within(job *of, pith_value value, size_t budget)
{
    char words[300];
    pith_error err;
    rewriter *with = of->with;
    pith_options options = {
        .write = words, .vocab = with->vocab, .outcome = &with->outcome};
    with->outcome = (pith_outcome){0};
    with->text.len = 0;
    if (!write_settings(of, budget, words, sizeof words))
        return "too_long";
    pith_sink sink = pith_sink_buffer(&with->text);
    const char *format = of->how->format ? of->how->format : "auto";
    return pith_value_write(value, format, &options, sink, &err) == PITH_OK ? NULL
                                                                            : err.code;
}

/* Writes the value in its cheapest form into with->text; NULL, or why it cannot be. A
 * budget has room for what is said of the rows that it leaves out. */
static const char *write_value(job *of, pith_value value)
{
    char words[160];
    size_t budget = of->how->budget, note = 0;
    const pith_outcome *outcome = &of->with->outcome;
    const char *why = write_within(of, value, budget);
    if (why || outcome->rows_left_out == 0)
        return why;
    int len = say_left_out(outcome, words, sizeof words);
    if (!count_tokens(of->with, words, (size_t)len, &note))
        return "no_memory";
    note += NOTE_GROWS;
    if (outcome->tokens + note <= budget)
        return NULL;
    return budget > note ? write_within(of, value, budget - note) : "budget_exceeded";
}

/* The same, as what has changed since the last time where that is asked for. */
static const char *write_answer(job *of, pith_value value)
{
    rewriter *with = of->with;
    if (!of->changes)
        return write_value(of, value);
    of->changes = false;
    with->text.len = 0;
    with->outcome = (pith_outcome){0};
    with->outcome.format = deltas_write(with->told, of->same, of->how->delta, value,
                                        pith_sink_buffer(&with->text));
    if (with->outcome.format)
        return NULL;
    deltas_forget(with->told, of->same);
    return write_value(of, value);
}

/* Writes the value if that takes fewer tokens than `before`: NULL and `*after`, or why it
 * stays. */
static const char *make_cheaper(job *of, pith_value value, size_t before, size_t *after)
{
    rewriter *with = of->with;
    if (before < with->settings.tokens_min)
        return "small";
    const char *why = write_answer(of, value);
    if (!why && !count_shown(with, of->how, with->text.data, with->text.len, after))
        why = "no_memory";
    if (!why && *after >= before)
        why = "no_gain";
    if (why)
        deltas_forget(with->told, of->same);
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

static void add_to_content(job *of, bool first, const char *text, size_t len)
{
    bytes block = {0};
    if (!bytes_text(&block, first ? "" : ",") || !add_block(text, len, &block))
        of->all->failed = true;
    edits_add(of->all, (span){of->content.end - 1, of->content.end - 1}, block);
}

static void tell_left_out(job *of)
{
    char words[160];
    if (of->with->outcome.rows_left_out > 0)
        add_to_content(of, false, words,
                       (size_t)say_left_out(&of->with->outcome, words, sizeof words));
}

static void note_rewritten(job *of)
{
    of->record->rewritten = true;
    of->record->outcome = of->with->outcome.format;
}

/* Whether a text, which with->doc holds if it is JSON, says what the structure says: the
 * same value, or the only member of it, which is how servers wrap lists and texts. */
static bool says_structure(const job *of, pith_text shown, bool json)
{
    pith_value all = of->structure, one = all;
    if (!all.doc)
        return false;
    if (pith_value_kind(all) == PITH_OBJECT && pith_value_count(all) == 1)
        one = pith_value_first(all);
    pith_text text = pith_value_text(one);
    if (pith_value_kind(one) == PITH_STRING)
        return text.len == shown.len && memcmp(text.ptr, shown.ptr, text.len) == 0;
    pith_value value = pith_doc_root(of->with->doc);
    return json && (pith_value_equal(value, all) || pith_value_equal(value, one));
}

/* Replaces a text when that is cheaper; true when it was. */
static bool rewrite_text(job *of, span literal)
{
    rewriter *with = of->with;
    pith_text shown = {NULL, 0};
    bytes text = {0};
    size_t before = 0, after = 0;
    const char *why = read_text(with, literal, &shown);
    if ((!why || of->structure.doc) &&
        !count_shown(with, of->how, shown.ptr, shown.len, &before))
        why = "no_memory";
    of->said = of->said || says_structure(of, shown, !why);
    if (!why)
        why = make_cheaper(of, pith_doc_root(with->doc), before, &after);
    of->record->before += before;
    of->record->after += why ? before : after;
    of->shown += why ? before : after;
    if (why) {
        of->record->outcome = of->record->rewritten ? of->record->outcome : why;
        return false;
    }
    if (!bytes_literal(&text, with->text.data, with->text.len))
        of->all->failed = true;
    edits_add(of->all, literal, text);
    tell_left_out(of);
    note_rewritten(of);
    return true;
}

/* A resource in the content, whose type changes with its text. */
static void rewrite_resource(job *of, span block)
{
    static const char *const names[] = {"mimeType", "text"};
    span parts[BLOCK_MEMBERS], found[2];
    if (!span_members(block, block_names, BLOCK_MEMBERS, parts) ||
        !span_is(parts[AT_TYPE], "resource") || !is_for_model(parts[AT_ANNOTATIONS]) ||
        !span_members(parts[AT_RESOURCE], names, 2, found) ||
        !span_is(found[0], "application/json") || !span_is_string(found[1]))
        return;
    of->changes = false; /* a resource may be saved */
    if (rewrite_text(of, found[1])) {
        const pith_format *format = pith_format_find(of->with->outcome.format);
        bytes type = {0};
        if (!bytes_literal(&type, format->media_type, strlen(format->media_type)))
            of->all->failed = true;
        edits_add(of->all, found[0], type);
    }
}

/* Every block of the content; those that stay cost what they are, where that matters. */
static void rewrite_content(job *of)
{
    for (span_walk walk = span_walk_of(of->content); span_next(&walk);) {
        size_t count = 0;
        span block = walk.value, literal = block_text(block);
        if (literal.at)
            rewrite_text(of, literal);
        else if (of->how->resources)
            rewrite_resource(of, block);
        if (!literal.at && of->structure.doc &&
            count_tokens(of->with, block.at, span_len(block), &count))
            of->shown += count;
    }
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

/* Rewrites the content, and takes structuredContent away if all that is then shown in its
 * place costs less. What it says and no text says is added as one. */
static void replace_structure(job *of, span result, span structure)
{
    rewriter *with = of->with;
    call_record *record = of->record;
    size_t before = 0, added = 0;
    bool counted = count_structure(with, structure, &before);
    if (counted && before >= with->settings.tokens_min)
        of->structure = pith_doc_root(with->structure);
    rewrite_content(of);
    const char *why = !counted ? "bad_structure" : of->structure.doc ? NULL : "small";
    if (!why && !of->said)
        why = of->shown < before
                  ? make_cheaper(of, of->structure, before - of->shown, &added)
                  : "no_gain";
    if (!why && of->shown + added >= before)
        why = "no_gain";
    if (why) {
        record->structured = before;
        record->outcome = record->rewritten ? record->outcome : why;
        return;
    }
    if (!of->said) {
        span_walk walk = span_walk_of(of->content);
        add_to_content(of, !span_next(&walk), with->text.data, with->text.len);
        tell_left_out(of);
    }
    edits_add(of->all, span_removal(result, "structuredContent"), (bytes){NULL, 0, 0});
    record->before = before;
    record->after = of->shown + added;
    if (!of->said)
        note_rewritten(of);
    else if (!record->rewritten)
        record->outcome = "structure";
    record->rewritten = true;
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

/* Changes are told of one text; of several nobody knew which they are of. */
static bool is_single(const span *found)
{
    span_walk walk = span_walk_of(found[AT_CONTENT]);
    return !span_next(&walk) || !span_next(&walk);
}

void rewrite_result(rewriter *with, const rewrite_call *about, span result, edits *all,
                    call_record *record)
{
    span found[RESULT_MEMBERS];
    const char *why = about->how->off ? "off" : judge_result(result, found);
    record->outcome = why ? why : "not_json";
    if (why) {
        deltas_forget(with->told, about->same);
        return;
    }
    job of = {.with = with,
              .how = about->how,
              .same = about->same,
              .changes = about->changes && about->how->delta && is_single(found),
              .content = found[AT_CONTENT],
              .all = all,
              .record = record};
    bool text = about->how->how == STRUCTURED_TEXT && !about->structure_stays;
    if (found[AT_STRUCTURE].at && text) {
        replace_structure(&of, result, found[AT_STRUCTURE]);
        return;
    }
    rewrite_content(&of);
    if (found[AT_STRUCTURE].at && with->settings.count_structured)
        count_structure(with, found[AT_STRUCTURE], &record->structured);
}
