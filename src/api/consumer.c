/*
 * consumer.c - the side that holds a snapshot and applies answers.
 *
 * Everything is done beside what is held: the answer is read into a document of its
 * own, the change is checked against the base as a whole, the result is built and
 * hashed, and only when its root is the promised one does it take the old one's place.
 */
#include "api/snapshot.h"

#include "format/gcf/gcf_graph_lines.h"
#include "format/read.h"

#include <stdio.h>

struct pith_consumer {
    pith_alloc alloc;
    pith_options options;
    snapshot held;
};

pith_consumer *pith_consumer_new(const pith_options *options, pith_error *err)
{
    pith_alloc alloc = alloc_from(options);
    pith_consumer *consumer = (pith_consumer *)alloc_zeroed(&alloc, sizeof *consumer);
    if (!consumer) {
        error_no_memory(err);
        return NULL;
    }
    consumer->alloc = alloc;
    consumer->options.alloc = alloc;
    consumer->options.depth_max = options ? options->depth_max : 0;
    return consumer;
}

void pith_consumer_free(pith_consumer *consumer)
{
    if (consumer) {
        pith_alloc alloc = consumer->alloc;
        snapshot_free(&consumer->held);
        alloc_free(&alloc, consumer, sizeof *consumer);
    }
}

const char *pith_consumer_root(const pith_consumer *consumer)
{
    return consumer->held.root.text;
}

pith_value pith_consumer_value(const pith_consumer *consumer)
{
    pith_value none = {NULL, 0, 0, 0};
    return consumer->held.doc ? pith_doc_root(consumer->held.doc) : none;
}

static void consumer_keep(pith_consumer *consumer, snapshot *next)
{
    snapshot_free(&consumer->held);
    consumer->held = *next;
}

pith_status pith_consumer_hold(pith_consumer *consumer, pith_value value, const char *key,
                               pith_error *err)
{
    snapshot next;
    memset(&next, 0, sizeof next);
    keyed_hint hint = {text_from(key), NULL, 0};
    pith_status status = snapshot_take(&next, value, &hint, &consumer->options, err);
    if (status == PITH_OK)
        consumer_keep(consumer, &next);
    return status;
}

/* --------------------------------------------------------------------- answers */

/* What stands in the first line is printable, and a root of ours is 71 bytes. */
static pith_status consumer_refuse_root(pith_error *err, const char *code,
                                        const char *what, pith_text promised,
                                        const char *found)
{
    const size_t most = PITH_ROOT_SIZE;
    return error_set(err, PITH_BAD_INPUT, code, "%s %s, not %.*s", what, found,
                     (int)(promised.len < most ? promised.len : most),
                     promised.len ? promised.ptr : "");
}

static pith_status consumer_malformed(pith_error *err, const char *what)
{
    return error_set(err, PITH_BAD_INPUT, "malformed_delta", "%s", what);
}

/* Whether the root and the count, if there is one, are those of what is held. */
static pith_status consumer_confirm(const pith_consumer *consumer, pith_text root,
                                    pith_text count, pith_error *err)
{
    const snapshot *held = &consumer->held;
    char digits[24];
    if (!held->doc || !text_is(root, held->root.text)) {
        return consumer_refuse_root(err, "base_mismatch", "what is held has the root",
                                    root, held->root.text);
    }
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)snapshot_count(held));
    if (count.len > 0 && !text_is(count, digits)) {
        return error_set(err, PITH_BAD_INPUT, "count_mismatch",
                         "what is held has a count of %s, not %s", digits,
                         error_quote(count.ptr, count.len).text);
    }
    return PITH_OK;
}

static pith_status consumer_unchanged(const pith_consumer *consumer,
                                      const gcf_answer *answer, const pith_doc *doc,
                                      pith_error *err)
{
    if (doc->slots[0].kind != PITH_OBJECT || doc->slots[0].n > 0)
        return consumer_malformed(err, "expected nothing after unchanged=true");
    return consumer_confirm(consumer, answer->pack_root, answer->count, err);
}

/* The new snapshot is there; is it the right one? */
static pith_status consumer_commit(pith_consumer *consumer, snapshot *next,
                                   pith_text promised, pith_error *err)
{
    if (!text_is(promised, next->root.text)) {
        pith_status status = consumer_refuse_root(
            err, "root_mismatch", "the content has the root", promised, next->root.text);
        snapshot_free(next);
        return status;
    }
    consumer_keep(consumer, next);
    return PITH_OK;
}

static pith_status consumer_full(pith_consumer *consumer, const gcf_answer *answer,
                                 const pith_doc *doc, pith_error *err)
{
    snapshot next;
    memset(&next, 0, sizeof next);
    keyed_hint hint = {answer->key, answer->tables[0].fields, answer->tables[0].count};
    if (answer->base_root.len > 0 || answer->new_root.len > 0)
        return consumer_malformed(err, "expected delta=true beside base_root=");
    if (answer->key.len == 0 || answer->pack_root.len == 0)
        return consumer_malformed(err, "expected pack_root= and key= in the first line");
    pith_status status =
        snapshot_take(&next, pith_doc_root(doc), &hint, &consumer->options, err);
    return status == PITH_OK ? consumer_commit(consumer, &next, answer->pack_root, err)
                             : status;
}

static pith_status consumer_check_delta(const pith_consumer *consumer,
                                        const gcf_answer *answer, pith_error *err)
{
    const snapshot *held = &consumer->held;
    if (answer->base_root.len == 0 || answer->new_root.len == 0 || answer->key.len == 0) {
        return consumer_malformed(
            err, "expected base_root=, new_root= and key= in the first line");
    }
    if (!held->doc || held->is_graph) {
        return error_set(err, PITH_BAD_INPUT, "base_mismatch",
                         "there are no rows yet that this could change");
    }
    if (!text_is(answer->base_root, held->root.text)) {
        return consumer_refuse_root(err, "base_mismatch", "what is held has the root",
                                    answer->base_root, held->root.text);
    }
    const pith_key *key = &held->set.fields.keys.at[held->set.key];
    if (!text_equal(answer->key, key_text(key))) {
        return error_set(err, PITH_BAD_INPUT, "schema_mismatch",
                         "the key of what is held is \"%s\", not \"%s\"",
                         error_quote(key->text, key->len).text,
                         error_quote(answer->key.ptr, answer->key.len).text);
    }
    return PITH_OK;
}

/* Builds what the sections make of the base. */
static pith_status consumer_build(const pith_consumer *consumer,
                                  const gcf_sections *sections, snapshot *next,
                                  pith_error *err)
{
    const keyed_set *base = &consumer->held.set;
    keyed_hint hint = {key_text(&base->fields.keys.at[base->key]), base->fields.keys.at,
                       base->fields.keys.count};
    pith_doc *doc = pith_doc_new(&consumer->options);
    if (!doc)
        return error_no_memory(err);
    pith_status status = keyed_apply(base, &sections->change, doc, err);
    if (status != PITH_OK) {
        pith_doc_free(doc);
        return status;
    }
    return snapshot_adopt(next, doc, &hint, err);
}

static pith_status consumer_delta(pith_consumer *consumer, const gcf_answer *answer,
                                  const pith_doc *doc, pith_error *err)
{
    gcf_sections sections;
    snapshot next;
    memset(&next, 0, sizeof next);
    pith_status status = consumer_check_delta(consumer, answer, err);
    if (status != PITH_OK)
        return status;
    status = gcf_delta_sections(&sections, doc, answer, consumer->alloc, err);
    if (status == PITH_OK)
        status = consumer_build(consumer, &sections, &next, err);
    gcf_sections_free(&sections);
    return status == PITH_OK ? consumer_commit(consumer, &next, answer->new_root, err)
                             : status;
}

static pith_answer consumer_kind(const gcf_answer *answer)
{
    return answer->delta       ? PITH_ANSWER_DELTA
           : answer->unchanged ? PITH_ANSWER_UNCHANGED
                               : PITH_ANSWER_FULL;
}

/* Reads an answer, or the start of one, into the document. */
static pith_status consumer_decode(pith_doc *doc, pith_text input, gcf_answer *answer,
                                   pith_error *err)
{
    reporter report;
    report_init(&report, input);
    decode_job job = {doc, input, NULL, &report};
    do
        gcf_decode_answer(&job, answer);
    while (read_again(doc, &report));
    if (report.count > 0)
        return report_result(&report, err);
    return answer->delta && answer->unchanged
               ? consumer_malformed(err,
                                    "expected delta=true or unchanged=true, not both")
               : PITH_OK;
}

/* ---------------------------------------------------------------------- graphs */

/* The first line of a graph's answer. */
static pith_status consumer_graph_head(pith_text input, graph_head *head, pith_error *err)
{
    reporter report;
    gcf_graph_lines lines;
    memset(head, 0, sizeof *head);
    report_init(&report, input);
    if (gcf_graph_lines_init(&lines, input, &report))
        gcf_graph_read_head(&lines, head, NULL);
    return report_result(&report, err);
}

static pith_status consumer_graph_delta(pith_consumer *consumer, pith_text input,
                                        pith_error *err)
{
    reporter report;
    graph_delta delta;
    pith_graph next;
    snapshot result;
    if (!consumer->held.is_graph) {
        return error_set(err, PITH_BAD_INPUT, "base_mismatch",
                         "there is no graph yet that this could change");
    }
    if (input.ptr[input.len - 1] != '\n') {
        return consumer_malformed(
            err, "expected a line feed at the end: the last line is cut off");
    }
    report_init(&report, input);
    delta_init(&delta, consumer->alloc);
    graph_init(&next, consumer->alloc);
    gcf_graph_read_delta(&delta, input, &report);
    pith_status status = report_result(&report, err);
    if (status == PITH_OK)
        status = graph_apply(&next, &consumer->held.graph, &delta, err);
    if (status == PITH_OK)
        status = snapshot_adopt_graph(&result, &next, &consumer->options, err);
    if (status == PITH_OK)
        status = consumer_commit(consumer, &result, delta.new_root, err);
    graph_free(&next);
    delta_free(&delta);
    return status;
}

static pith_status consumer_graph_full(pith_consumer *consumer, pith_text input,
                                       pith_text promised, pith_error *err)
{
    reporter report;
    pith_graph graph;
    snapshot result;
    gcf_graph_source source = {input, &report, NULL, NULL, false, {0, false, 0}};
    if (promised.len == 0)
        return consumer_malformed(err, "expected pack_root= in the first line");
    report_init(&report, input);
    graph_init(&graph, consumer->alloc);
    gcf_graph_read(&graph, &source);
    pith_status status = report_result(&report, err);
    if (status == PITH_OK)
        status = snapshot_adopt_graph(&result, &graph, &consumer->options, err);
    if (status == PITH_OK)
        status = consumer_commit(consumer, &result, promised, err);
    graph_free(&graph);
    return status;
}

static pith_status consumer_graph(pith_consumer *consumer, pith_text input,
                                  pith_answer *kind, pith_error *err)
{
    graph_head head;
    pith_status status = consumer_graph_head(input, &head, err);
    if (status != PITH_OK)
        return status;
    char digits[24] = "";
    if (head.unchanged) {
        *kind = PITH_ANSWER_UNCHANGED;
        if (head.symbols.at) {
            snprintf(digits, sizeof digits, "%llu",
                     (unsigned long long)head.symbols.value);
        }
        return consumer_confirm(consumer, head.pack_root, text_from(digits), err);
    }
    *kind = head.delta ? PITH_ANSWER_DELTA : PITH_ANSWER_FULL;
    return head.delta ? consumer_graph_delta(consumer, input, err)
                      : consumer_graph_full(consumer, input, head.pack_root, err);
}

static pith_status consumer_look_at_graph(pith_text line, pith_answer_info *info,
                                          pith_error *err)
{
    graph_head head;
    pith_status status = consumer_graph_head(line, &head, err);
    if (status == PITH_OK) {
        info->kind = head.delta       ? PITH_ANSWER_DELTA
                     : head.unchanged ? PITH_ANSWER_UNCHANGED
                                      : PITH_ANSWER_FULL;
        info->key = text_of(line.ptr, 0);
        info->base_root = head.base_root;
        info->root = head.delta ? head.new_root : head.pack_root;
    }
    return status;
}

/* --------------------------------------------------------------------- the calls */

pith_status pith_answer_look(const char *text, size_t len, pith_answer_info *info,
                             pith_error *err)
{
    gcf_answer answer;
    const char *feed = len ? (const char *)memchr(text, '\n', len) : NULL;
    pith_text line = text_of(len ? text : "", feed ? (size_t)(feed - text) + 1 : len);
    if (gcf_is_graph(line))
        return consumer_look_at_graph(line, info, err);
    pith_doc *doc = pith_doc_new(NULL);
    if (!doc)
        return error_no_memory(err);
    pith_status status = consumer_decode(doc, line, &answer, err);
    pith_doc_free(doc);
    if (status == PITH_OK) {
        info->kind = consumer_kind(&answer);
        info->key = answer.key.len ? answer.key : text_of(text, 0);
        info->base_root = answer.base_root;
        info->root = answer.delta ? answer.new_root : answer.pack_root;
    }
    return status;
}

static pith_status consumer_read(pith_consumer *consumer, pith_doc *doc, pith_text input,
                                 pith_answer *kind, pith_error *err)
{
    gcf_answer answer;
    pith_status status = consumer_decode(doc, input, &answer, err);
    if (status != PITH_OK)
        return status;
    *kind = consumer_kind(&answer);
    switch (*kind) {
    case PITH_ANSWER_UNCHANGED:
        return consumer_unchanged(consumer, &answer, doc, err);
    case PITH_ANSWER_DELTA:
        return consumer_delta(consumer, &answer, doc, err);
    default:
        return consumer_full(consumer, &answer, doc, err);
    }
}

pith_status pith_consumer_apply(pith_consumer *consumer, const char *text, size_t len,
                                pith_answer *answer, pith_error *err)
{
    pith_answer kind = PITH_ANSWER_FULL;
    pith_text input = text_of(text ? text : "", len);
    pith_status status;
    pith_doc *doc = NULL;
    if (gcf_is_graph(input)) {
        status = consumer_graph(consumer, input, &kind, err);
    } else {
        doc = pith_doc_new(&consumer->options);
        status =
            doc ? consumer_read(consumer, doc, input, &kind, err) : error_no_memory(err);
    }
    if (status == PITH_OK && answer)
        *answer = kind;
    pith_doc_free(doc);
    return status;
}
