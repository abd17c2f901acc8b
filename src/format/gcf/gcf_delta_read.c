/*
 * gcf_delta_read.c - reading an answer.
 *
 * The sections of a change are tables like any other, so the decoder reads them as the
 * members of an object: {"added":[...],"changed":[...],"removed":[...]}. With that come
 * the counts, the duplicates and every rule about cells. What is checked here is that
 * there is nothing else, and that each row has its key.
 */
#include "format/gcf/gcf_delta.h"

#include "base/num.h"
#include "format/gcf/gcf_graph.h"
#include "format/read.h"

void gcf_take_answer(gcf_answer *answer, pith_text name, pith_text value)
{
    if (text_is(name, "delta"))
        answer->delta = text_is(value, "true");
    else if (text_is(name, "unchanged"))
        answer->unchanged = text_is(value, "true");
    else if (text_is(name, "tool"))
        answer->tool = value;
    else if (text_is(name, "pack_root"))
        answer->pack_root = value;
    else if (text_is(name, "base_root"))
        answer->base_root = value;
    else if (text_is(name, "new_root"))
        answer->new_root = value;
    else if (text_is(name, "count"))
        answer->count = value;
    else if (text_is(name, "absent"))
        answer->absent = value;
}

static pith_status sections_bad(pith_error *err, const char *what, const pith_key *name)
{
    return error_set(err, PITH_BAD_INPUT, "malformed_delta", what,
                     error_quote(name->text, name->len).text);
}

/* One member of the document. */
static pith_status sections_take(gcf_sections *sections, const pith_doc *doc, uint32_t at,
                                 const pith_key *name, const keyed_hint *hint,
                                 pith_alloc alloc, pith_error *err)
{
    pith_text word = key_text(name);
    keyed_set *set = text_is(word, "added")     ? &sections->added
                     : text_is(word, "changed") ? &sections->changed
                     : text_is(word, "removed") ? &sections->removed
                                                : NULL;
    if (!set) {
        return sections_bad(err, "a change has added, changed and removed, not \"%s\"",
                            name);
    }
    if (doc->slots[at].kind != PITH_ARRAY)
        return sections_bad(err, "%s: expected a table", name);
    pith_status status = keyed_open(set, doc, at, hint, alloc, err);
    if (status != PITH_OK) {
        if (err && status == PITH_UNREPRESENTABLE)
            err->status = PITH_BAD_INPUT;
        return status == PITH_UNREPRESENTABLE ? PITH_BAD_INPUT : status;
    }
    if (set == &sections->removed && set->fields.keys.count != 1)
        return sections_bad(err, "%s: expected nothing but the key of each row", name);
    for (size_t i = 0; i < set->count; i++)
        sections->absent += keyed_absent(set, i);
    const keyed_set **part = set == &sections->added     ? &sections->change.added
                             : set == &sections->changed ? &sections->change.changed
                                                         : &sections->change.removed;
    *part = set;
    return PITH_OK;
}

/* The first line says how many cells are absent, or nothing if none are. */
static pith_status sections_check_absent(const gcf_sections *sections,
                                         const gcf_answer *answer, pith_error *err)
{
    char digits[NUM_UINT64_MAX_LEN];
    pith_text found = text_of(digits, num_write_uint64(digits, sections->absent));
    if (sections->absent == 0 ? answer->absent.len == 0
                              : text_equal(answer->absent, found))
        return PITH_OK;
    pith_text said = answer->absent.len > 0 ? answer->absent : text_from("none");
    return error_set(err, PITH_BAD_INPUT, "count_mismatch",
                     "%.*s cells are absent, and the first line (absent=) says %s",
                     (int)found.len, found.ptr, error_quote(said.ptr, said.len).text);
}

pith_status gcf_delta_sections(gcf_sections *sections, const pith_doc *doc,
                               const gcf_answer *answer, pith_alloc alloc,
                               pith_error *err)
{
    memset(sections, 0, sizeof *sections);
    const pith_slot *root = &doc->slots[0];
    if (root->kind != PITH_OBJECT || root->n != answer->table_count ||
        root->n > GCF_ANSWER_TABLES) {
        return error_set(err, PITH_BAD_INPUT, "malformed_delta",
                         "expected nothing but the tables added, changed and removed");
    }
    const pith_key *names = doc_keys(doc, root);
    uint32_t end = doc_children_end(root);
    pith_status status = PITH_OK;
    size_t number = 0;
    for (uint32_t at = 1; at < end && status == PITH_OK; at = doc_after_at(doc, at)) {
        const gcf_declared *table = &answer->tables[number];
        keyed_hint hint = {answer->key, table->fields, table->count, NULL};
        status = sections_take(sections, doc, at, &names[number++], &hint, alloc, err);
    }
    return status == PITH_OK ? sections_check_absent(sections, answer, err) : status;
}

void gcf_sections_free(gcf_sections *sections)
{
    keyed_set *sets[] = {&sections->added, &sections->changed, &sections->removed};
    for (size_t i = 0; i < 3; i++)
        if (sets[i]->doc)
            keyed_free(sets[i]);
}

/* --------------------------------------------------------------------- answers */

/* Reads an answer, or the start of one, into the document. */
static pith_status gcf_answer_decode(pith_doc *doc, pith_text text, size_t memory_max,
                                     gcf_answer *answer, pith_error *err)
{
    reporter report;
    alloc_meter meter = {.used = 0};
    report_init(&report, text);
    decode_job job = {doc, text, NULL, &report, NULL};
    read_count_memory(&job, &meter, memory_max);
    do
        gcf_decode_answer(&job, answer);
    while (read_again(doc, &report));
    read_memory_counted(&job);
    return report_result(&report, err);
}

static pith_status gcf_answer_look(pith_text text, pith_delta_info *info, pith_error *err)
{
    gcf_answer answer;
    pith_doc *doc = pith_doc_new(NULL);
    pith_status status =
        doc ? gcf_answer_decode(doc, text, 0, &answer, err) : error_no_memory(err);
    pith_doc_free(doc);
    if (status != PITH_OK)
        return status;
    if (answer.delta && answer.unchanged)
        return answer_malformed(err, "expected delta=true or unchanged=true, not both");
    info->kind = answer.delta       ? PITH_DELTA_CHANGES
                 : answer.unchanged ? PITH_DELTA_UNCHANGED
                                    : PITH_DELTA_FULL;
    info->key = answer.key.len ? answer.key : text_of(text.ptr, 0);
    info->base_root = answer.base_root;
    info->root = answer.delta ? answer.new_root : answer.pack_root;
    info->has_count = answer.count.len > 0;
    if (info->has_count && !num_to_uint64(answer.count, &info->count))
        info->count = UINT64_MAX; /* which nothing has */
    return PITH_OK;
}

/* What the sections make of the base. */
static pith_status gcf_answer_change(const answer_in *job, const gcf_answer *answer,
                                     const pith_doc *doc, snapshot *next)
{
    const keyed_set *base = &job->base->set;
    pith_status status = answer_check_delta(job, &gcf_row_answers);
    if (status != PITH_OK)
        return status;
    const pith_key *key = &base->fields.keys.at[base->key];
    if (!text_equal(answer->key, key_text(key))) {
        return error_set(job->err, PITH_BAD_INPUT, "schema_mismatch",
                         "the key of what is held is \"%s\", not \"%s\"",
                         error_quote(key->text, key->len).text,
                         error_quote(answer->key.ptr, answer->key.len).text);
    }
    gcf_sections sections;
    keyed_hint hint = {key_text(key), base->fields.keys.at, base->fields.keys.count,
                       job->options};
    pith_doc *result = pith_doc_new(job->options);
    status = gcf_delta_sections(&sections, doc, answer, doc->alloc, job->err);
    if (status == PITH_OK && !result)
        status = error_no_memory(job->err);
    if (status == PITH_OK)
        status = keyed_apply(base, &sections.change, result, job->err);
    gcf_sections_free(&sections);
    if (status == PITH_OK)
        return snapshot_adopt(next, result, &hint, job->err);
    pith_doc_free(result);
    return status;
}

static pith_status gcf_answer_take(const answer_in *job, pith_doc *doc, snapshot *next)
{
    gcf_answer answer;
    pith_status status =
        gcf_answer_decode(doc, job->text, job->options->memory_max, &answer, job->err);
    if (status != PITH_OK)
        return status;
    bool from_base = answer.base_root.len > 0 && answer.new_root.len > 0;
    if (answer.delta && (!from_base || answer.key.len == 0)) {
        return answer_malformed(
            job->err, "expected base_root=, new_root= and key= in the first line");
    }
    if (answer.delta)
        return gcf_answer_change(job, &answer, doc, next);
    if (answer.base_root.len > 0 || answer.new_root.len > 0)
        return answer_malformed(job->err, "expected delta=true beside base_root=");
    if (answer.key.len == 0 || answer.pack_root.len == 0) {
        return answer_malformed(job->err,
                                "expected pack_root= and key= in the first line");
    }
    keyed_hint hint = {answer.key, answer.tables[0].fields, answer.tables[0].count,
                       job->options};
    return snapshot_take(next, pith_doc_root(doc), &hint, job->options, job->err);
}

static pith_status gcf_answer_read(const answer_in *job, snapshot *next)
{
    pith_doc *doc = pith_doc_new(job->options);
    pith_status status =
        doc ? gcf_answer_take(job, doc, next) : error_no_memory(job->err);
    pith_doc_free(doc);
    return status;
}

const delta_codec gcf_row_answers = {
#ifndef PITH_OMIT_GRAPHS
    .graphs = &gcf_graph_answers,
#endif
    .write_full = gcf_delta_write_full,
    .write_unchanged = gcf_delta_write_unchanged,
    .write_delta = gcf_delta_write_change,
    .look = gcf_answer_look,
    .read = gcf_answer_read,
};
