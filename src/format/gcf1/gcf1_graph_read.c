/*
 * gcf1_graph_read.c - a graph of GCF 1.
 *
 * Groups and ids may stand in any order, edges before the symbols they join, ids with
 * gaps between them; counts are for information. So edges are kept until all symbols are
 * there. References to symbols of an earlier text cannot be resolved here; they are
 * passed over together with their edges.
 *
 * When problems are being collected, a line that cannot be read is passed over; once a
 * symbol was lost that way, edges to symbols that are not there are no news.
 */
#include "format/gcf1/gcf1_graph.h"

#include "base/decimal.h"
#include "base/lex.h"
#include "base/lines.h"
#include "base/utf8.h"

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
    code_graph *graph;
    reporter *report;
    bool strict;
    gcf1_graph_part part;
    uint64_t distance;
    bool lost;     /* a symbol could not be read */
    graph_ids ids; /* those that were only referred to have the symbol GRAPH_NONE */
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

/* False when the line is no symbol. */
static bool gcf1_graph_read_symbol(gcf1_graph_reader *r, pith_text line)
{
    pith_text whole = line;
    uint64_t id;
    char digits[DECIMAL_MAX_LEN];
    graph_node node;
    if (!gcf1_graph_new_id(r, gcf1_graph_word(&line), &id))
        return false;
    node.kind = gcf1_graph_word(&line);
    if (node.kind.len > 0 && *node.kind.ptr == '#') {
        gcf1_graph_note_id(r, id, GRAPH_NONE);
        return true;
    }
    node.name = gcf1_graph_word(&line);
    node.score = gcf1_graph_word(&line);
    node.provenance = gcf1_graph_word(&line);
    node.distance = r->distance;
    if (node.provenance.len == 0 || !gcf1_graph_is_over(line)) {
        return report_expected(r->report, "invalid_node_line", whole,
                               "five fields: @id kind name score provenance");
    }
    if (!gcf1_graph_read_score(r, &node.score, digits))
        return false;
    if (graph_add_symbol(r->graph, &node) != PITH_OK) {
        graph_report_fault(r->graph, r->report, gcf1_graph_off(r, whole.ptr), NULL);
        return false;
    }
    gcf1_graph_note_id(r, id, (uint32_t)(r->graph->symbols.count - 1));
    return true;
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

static void gcf1_graph_read_lines(gcf1_graph_reader *r, pith_text text)
{
    line_reader lines;
    text_line line;
    bool headed = false;
    lines_init(&lines, text, 2);
    lines.tabs_are_blank = true;
    while (!r->report->stopped && lines_next(&lines, &line)) {
        pith_text content = text_of(line.at, (size_t)(line.end - line.at));
        if (headed) {
            gcf1_graph_read_line(r, content);
        } else if (!gcf1_graph_is_comment(content)) {
            headed = gcf1_graph_read_head(r->graph, content, r->report);
            if (!headed)
                return;
        }
    }
    if (headed)
        gcf1_graph_join(r);
    else
        gcf1_graph_read_head(r->graph, text_of(text.ptr, 0), r->report);
}

void gcf1_graph_read(code_graph *graph, pith_text input, bool strict, reporter *report)
{
    assert(!graph->borrows && graph->symbols.count == 0);
    gcf1_graph_reader r = {
        .graph = graph, .report = report, .strict = strict, .ids.seed = graph->seed};
    size_t bom = utf8_bom(input.ptr, input.len);
    size_t bad = utf8_find_invalid(input.ptr, input.len);
    if (bad < input.len) {
        report_bad(report, "invalid_utf8", bad,
                   "byte 0x%02X is not well-formed UTF-8 here",
                   (unsigned char)input.ptr[bad]);
        return;
    }
    gcf1_graph_read_lines(&r, text_after(input, bom));
    graph_ids_free(&r.ids, &graph->alloc);
    LIST_FREE(&r.links, &graph->alloc);
}
