/*
 * gcf1_graph_read.c - a graph of GCF 1.
 *
 * Groups and ids may stand in any order, edges before the symbols they join, ids with
 * gaps between them; counts are for information. So edges are kept until all symbols are
 * there.
 *
 *     @0  # previously transmitted
 *
 * refers to a symbol of an earlier text of the session. In texts whose ids count from 0 each
 * time nothing says which: that is refused, or, at level 1.4, passed over together with its
 * edges. What can be read is the turns of a session that say which turn they are: in these
 * a symbol keeps its id.
 *
 * When problems are being collected, a line that cannot be read is passed over; once a
 * symbol was lost that way, edges to symbols that are not there are no news.
 */
#include "format/gcf1/gcf1.h"
#include "format/gcf1/gcf1_graph.h"

#include "base/decimal.h"
#include "base/lex.h"
#include "base/lines.h"
#include "base/utf8.h"

#ifndef PITH_OMIT_GRAPHS

/* An edge as it stands in the text. */
typedef struct gcf1_graph_link {
    pith_text target; /* @0 */
    pith_text source;
    pith_text type;
    pith_text status;
} gcf1_graph_link;

typedef enum gcf1_graph_part {
    GCF1_GRAPH_SYMBOLS, /* also before the first group: targets */
    GCF1_GRAPH_EDGES,
    GCF1_GRAPH_LOST /* in a group that is not known */
} gcf1_graph_part;

typedef struct gcf1_graph_reader {
    graph_in *source;
    code_graph *graph;
    reporter *report;
    bool strict;  /* scores have two decimals and are from 0.00 to 1.00 */
    bool passes;  /* over references that cannot be read */
    bool is_turn; /* the ids are those of the session */
    gcf1_graph_part part;
    uint64_t distance;
    size_t new_ids; /* symbols the session does not know yet */
    bool passed;    /* over a reference */
    bool lost;      /* a symbol could not be read */
    graph_ids ids;  /* those that were only referred to have the symbol GRAPH_NONE */
    LIST(gcf1_graph_link) links;
} gcf1_graph_reader;

static size_t gcf1_graph_off(const gcf1_graph_reader *r, const char *at)
{
    return (size_t)(at - r->report->input.ptr);
}

/* -------------------------------------------------------------------------- ids */

/* Binds an id that is not bound yet; the reporter knows when memory ran out. */
static void gcf1_graph_note_id(gcf1_graph_reader *r, uint64_t id, uint32_t symbol)
{
    if (!graph_ids_add(&r->ids, &r->graph->alloc, id, symbol))
        report_no_memory(r->report);
}

/* @7; an id has one spelling. */
static bool gcf1_graph_id_of(pith_text word, uint64_t *id)
{
    return word.len > 1 && *word.ptr == '@' && (word.len == 2 || word.ptr[1] != '0') &&
           gcf1_graph_number(text_after(word, 1), id);
}

/* The id of a new symbol; false after a problem. */
static bool gcf1_graph_new_id(gcf1_graph_reader *r, pith_text word, uint64_t *id)
{
    if (!gcf1_graph_id_of(word, id)) {
        return report_expected(r->report, "invalid_symbol_id", word,
                               "@ and a number without leading zeros");
    }
    if (graph_ids_find(&r->ids, *id)) {
        return report_expected(r->report, "duplicate_id", word,
                               "an id that no symbol has yet");
    }
    return true;
}

/* True when nothing but a comment is left of a line. */
static bool gcf1_graph_is_over(pith_text rest)
{
    pith_text word = gcf1_graph_word(&rest);
    return word.len == 0 || *word.ptr == '#';
}

/* ---------------------------------------------------------------------- groups */

/* ## name, at level 1.4 with [N] or [?] after it, which is for information. */
static void gcf1_graph_read_group(gcf1_graph_reader *r, pith_text line)
{
    pith_text rest = text_after(line, 3);
    pith_text name = gcf1_graph_word(&rest);
    if (text_is(name, "_summary"))
        return;
    pith_text after = rest;
    pith_text count = gcf1_graph_word(&after);
    bool counted = count.len > 2 && *count.ptr == '[' && count.ptr[count.len - 1] == ']';
    bool over = gcf1_graph_is_over(counted ? after : rest);
    if (over && text_is(name, "edges")) {
        r->part = GCF1_GRAPH_EDGES;
    } else if (over && graph_read_group(name, gcf1_graph_number, &r->distance)) {
        r->part = GCF1_GRAPH_SYMBOLS;
    } else {
        r->part = GCF1_GRAPH_LOST;
        r->lost = true;
        report_expected(r->report, "unknown_group", line,
                        "## targets, related, extended, distance_N or edges");
    }
}

/* --------------------------------------------------------------------- symbols */

/* 0.78: the two decimals that the format has, from 0.00 to 1.00. */
static bool gcf1_graph_is_score(pith_text score)
{
    return score.len == 4 && score.ptr[1] == '.' &&
           (score.ptr[0] == '0' || text_is(score, "1.00"));
}

/* Makes the canonical digits of a score; false after a problem. */
static bool gcf1_graph_read_score(gcf1_graph_reader *r, pith_text *score,
                                  char digits[DECIMAL_MAX_LEN])
{
    const char *end = score->ptr + score->len;
    bool number = lex_read_number(score->ptr, end).end == end;
    size_t len = number ? decimal_write(digits, *score) : 0;
    if (len == 0)
        return report_expected(r->report, "invalid_score", *score, "a number");
    if (r->strict && !gcf1_graph_is_score(*score)) {
        report_expected(r->report, "invalid_score", *score,
                        "a score from 0.00 to 1.00 with two decimals");
    }
    *score = text_of(digits, len);
    return true;
}

static bool gcf1_graph_add(gcf1_graph_reader *r, uint64_t id, const graph_node *node,
                           const char *at)
{
    if (graph_add_symbol(r->graph, node) != PITH_OK) {
        graph_report_fault(r->graph, r->report, gcf1_graph_off(r, at), NULL);
        return false;
    }
    gcf1_graph_note_id(r, id, (uint32_t)(r->graph->symbols.count - 1));
    return true;
}

/* @3  # previously transmitted */
static bool gcf1_graph_read_reference(gcf1_graph_reader *r, pith_text word, uint64_t id)
{
    const pith_session *session = r->source->session;
    if (r->is_turn && id < session->known.symbols.count) {
        graph_node node = graph_node_of(&session->known, (uint32_t)id);
        node.distance = r->distance;
        return gcf1_graph_add(r, id, &node, word.ptr);
    }
    const char *why = !r->graph->session ? "this text is not part of a session"
                      : !session         ? "it can only be read with its session"
                      : !r->is_turn ? "the text does not say which turn it is, so its "
                                      "ids are its own"
                                    : "the session does not know it";
    size_t at = gcf1_graph_off(r, word.ptr);
    error_excerpt shown = error_quote(word.ptr, word.len);
    if (!r->passes) {
        report_bad(r->report, "unknown_reference", at,
                   "%s refers to an earlier text: %s; level=1.4 passes over it",
                   shown.text, why);
        return false;
    }
    if (!r->passed) {
        report_notice(r->report, "unknown_reference", at,
                      "%s and other references to earlier texts are passed over: %s",
                      shown.text, why);
    }
    r->passed = true;
    gcf1_graph_note_id(r, id, GRAPH_NONE);
    return true;
}

/* In a turn a symbol has the id that the session has for it. */
static bool gcf1_graph_check_id(gcf1_graph_reader *r, pith_text word, uint64_t id,
                                const graph_node *node)
{
    uint64_t expected;
    const char *why;
    if (!r->is_turn || r->lost ||
        session_check_id(r->source->session, node, id, &r->new_ids, &expected, &why))
        return true;
    report_bad(r->report, "invalid_symbol_id", gcf1_graph_off(r, word.ptr),
               "expected @%llu, %s", (unsigned long long)expected, why);
    return false;
}

/* False when the line is no symbol. */
static bool gcf1_graph_read_symbol(gcf1_graph_reader *r, pith_text line)
{
    pith_text whole = line;
    uint64_t id;
    char digits[DECIMAL_MAX_LEN];
    graph_node node;
    pith_text word = gcf1_graph_word(&line);
    if (!gcf1_graph_new_id(r, word, &id))
        return false;
    node.kind = gcf1_graph_word(&line);
    if (node.kind.len > 0 && *node.kind.ptr == '#')
        return gcf1_graph_read_reference(r, word, id);
    node.name = gcf1_graph_word(&line);
    node.score = gcf1_graph_word(&line);
    node.provenance = gcf1_graph_word(&line);
    node.distance = r->distance;
    if (node.provenance.len == 0 || !gcf1_graph_is_over(line)) {
        return report_expected(r->report, "invalid_node_line", whole,
                               "five fields: @id kind name score provenance");
    }
    return gcf1_graph_read_score(r, &node.score, digits) &&
           gcf1_graph_check_id(r, word, id, &node) &&
           gcf1_graph_add(r, id, &node, whole.ptr);
}

/* ----------------------------------------------------------------------- edges */

/* Takes an edge apart and keeps it. */
static void gcf1_graph_read_edge(gcf1_graph_reader *r, pith_text line)
{
    gcf1_graph_link link;
    uint64_t id;
    pith_text whole = line;
    link.source = gcf1_graph_word(&line);
    link.target = text_split(&link.source, '<');
    link.type = gcf1_graph_word(&line);
    link.status = text_of("", 0);
    if (!gcf1_graph_id_of(link.target, &id) || !gcf1_graph_id_of(link.source, &id) ||
        link.type.len == 0) {
        report_expected(r->report, "invalid_edge_syntax", whole, "@target<@source type");
        return;
    }
    if (!gcf1_graph_is_over(line)) {
        link.status = gcf1_graph_word(&line);
        if (!text_is(link.status, "added") && !text_is(link.status, "removed")) {
            report_expected(r->report, "invalid_edge_status", link.status,
                            "added or removed");
            return;
        }
    }
    if (!gcf1_graph_is_over(line)) {
        report_expected(r->report, "invalid_edge_syntax", whole,
                        "no more than a status after the type");
        return;
    }
    gcf1_graph_link *added = LIST_ADD(&r->links, &r->graph->alloc);
    if (!added) {
        report_no_memory(r->report);
        return;
    }
    *added = link;
}

/* The symbol with the id in `word`: GRAPH_NONE for one of an earlier text. False when
 * there is none. */
static bool gcf1_graph_end_of_edge(gcf1_graph_reader *r, pith_text word, uint32_t *symbol)
{
    uint64_t id = 0;
    gcf1_graph_id_of(word, &id);
    const graph_id *found = graph_ids_find(&r->ids, id);
    if (found) {
        *symbol = found->symbol;
        return true;
    }
    if (!r->lost)
        report_expected(r->report, "unknown_edge_reference", word, "the id of a symbol");
    return false;
}

/* Joins the symbols, now that all of them are there. */
static void gcf1_graph_join(gcf1_graph_reader *r)
{
    for (size_t i = 0; i < r->links.count && !r->report->stopped; i++) {
        const gcf1_graph_link *link = &r->links.at[i];
        uint32_t target;
        uint32_t source;
        if (!gcf1_graph_end_of_edge(r, link->target, &target) ||
            !gcf1_graph_end_of_edge(r, link->source, &source) || target == GRAPH_NONE ||
            source == GRAPH_NONE)
            continue;
        if (graph_add_edge(r->graph, source, target, link->type, link->status) !=
            PITH_OK) {
            graph_report_fault(r->graph, r->report, gcf1_graph_off(r, link->type.ptr),
                               NULL);
        }
    }
}

/* ----------------------------------------------------------------------- lines */

static bool gcf1_graph_is_comment(pith_text line)
{
    return *line.ptr == '#' && (line.len == 1 || line.ptr[1] == ' ');
}

static void gcf1_graph_read_line(gcf1_graph_reader *r, pith_text line)
{
    if (gcf1_graph_is_comment(line))
        return;
    if (text_begins(line, "## "))
        gcf1_graph_read_group(r, line);
    else if (r->part == GCF1_GRAPH_EDGES)
        gcf1_graph_read_edge(r, line);
    else if (r->part == GCF1_GRAPH_SYMBOLS)
        r->lost = !gcf1_graph_read_symbol(r, line) || r->lost;
}

/* In a session the line after the first may say which turn this is. */
static void gcf1_graph_read_turn(gcf1_graph_reader *r, pith_text line)
{
    graph_in *source = r->source;
    if (source->in_session && source->session)
        session_take_line(source->session, line, &source->place, r->report);
    r->is_turn = source->place.number > 0;
}

static void gcf1_graph_read_lines(gcf1_graph_reader *r, pith_text text)
{
    line_reader lines;
    text_line line;
    bool headed = false;
    bool second = false;
    lines_init(&lines, text, 2);
    lines.tabs_are_blank = true;
    while (!r->report->stopped && lines_next(&lines, &line) &&
           report_goes_on(r->report, (size_t)(line.at - r->report->input.ptr))) {
        pith_text content = text_of(line.at, (size_t)(line.end - line.at));
        if (second)
            gcf1_graph_read_turn(r, content);
        second = false;
        if (headed) {
            gcf1_graph_read_line(r, content);
        } else if (!gcf1_graph_is_comment(content)) {
            second = headed = gcf1_graph_read_head(r->graph, content, r->report);
            if (!headed)
                return;
            r->source->in_session = r->graph->session;
        }
    }
    if (headed)
        gcf1_graph_join(r);
    else
        gcf1_graph_read_head(r->graph, text_of(text.ptr, 0), r->report);
}

void gcf1_graph_read(graph_in *source)
{
    code_graph *graph = source->graph;
    pith_text input = source->input;
    assert(!graph->borrows && graph->symbols.count == 0);
    gcf1_graph_reader r = {.source = source,
                           .graph = graph,
                           .report = source->report,
                           .ids.seed = graph->seed};
    r.strict = settings_bool(source->set, GCF1_GRAPH_STRICT) || r.report->checking;
    r.passes = settings_number(source->set, GCF1_GRAPH_LEVEL) == GCF1_LEVEL_1_4;
    source->in_session = false;
    size_t bom = utf8_bom(input.ptr, input.len);
    size_t bad = utf8_find_invalid(input.ptr, input.len);
    if (bad < input.len) {
        report_bad(r.report, "invalid_utf8", bad,
                   "byte 0x%02X is not well-formed UTF-8 here",
                   (unsigned char)input.ptr[bad]);
        return;
    }
    gcf1_graph_read_lines(&r, text_after(input, bom));
    graph_ids_free(&r.ids, &graph->alloc);
    LIST_FREE(&r.links, &graph->alloc);
}

#endif
