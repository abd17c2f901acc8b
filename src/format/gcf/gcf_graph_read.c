/*
 * gcf_graph_read.c - a text of the graph profile becomes a graph.
 *
 * Ids. Outside a session they count from 0, so the id of a symbol is its number in the
 * graph. In a session they are the session's, and a table leads from them to the symbols
 * of this text. A reference to a symbol that was told earlier takes everything but its
 * distance from the session; without a session it cannot be read.
 *
 * Problems are the specification's, by its names. When they are being collected, a line
 * that cannot be read is passed over; once a symbol was lost that way, edges to symbols
 * that are not there and ids out of order are no news.
 */
#include "format/gcf/gcf_graph.h"

#include "format/gcf/gcf_graph_lines.h"
#include "format/gcf/gcf_read.h"

#ifndef PITH_OMIT_GRAPHS

typedef enum gcf_graph_part {
    GCF_GRAPH_NOWHERE, /* before the first section */
    GCF_GRAPH_SYMBOLS,
    GCF_GRAPH_EDGES,
    GCF_GRAPH_PLACES,
    GCF_GRAPH_LOST /* in a section that could not be read */
} gcf_graph_part;

typedef struct gcf_graph_reader {
    code_graph *graph;
    graph_in *source;
    gcf_graph_lines lines;
    graph_head head;
    graph_head trailer; /* its counts */
    gcf_graph_section section;
    gcf_graph_part part;
    uint64_t distance;
    bool lost;    /* a symbol could not be read */
    bool summary; /* the trailer has come */

    graph_ids ids;  /* in a session */
    size_t new_ids; /* symbols the session does not know yet */
} gcf_graph_reader;

static size_t gcf_graph_off(const gcf_graph_reader *r, const char *at)
{
    return gcf_graph_at(&r->lines, at);
}

/* ------------------------------------------------------------------------- ids */

/* The symbol of this text that has the id, or GRAPH_NONE. */
static uint32_t gcf_graph_symbol_of(const gcf_graph_reader *r, uint64_t id)
{
    if (!r->head.session)
        return id < r->graph->symbols.count ? (uint32_t)id : (uint32_t)GRAPH_NONE;
    const graph_id *found = graph_ids_find(&r->ids, id);
    return found ? found->symbol : (uint32_t)GRAPH_NONE;
}

/* Binds the id to the last symbol. */
static bool gcf_graph_bind(gcf_graph_reader *r, uint64_t id)
{
    uint32_t last = (uint32_t)(r->graph->symbols.count - 1);
    if (!r->head.session || graph_ids_add(&r->ids, &r->graph->alloc, id, last))
        return true;
    report_no_memory(r->lines.report);
    return false;
}

/* ---------------------------------------------------------------------- symbols */

/* Reports what the graph did not accept, and lets it go on. */
static bool gcf_graph_refused(gcf_graph_reader *r, const char *at, const char *code)
{
    graph_report_fault(r->graph, r->lines.report, gcf_graph_off(r, at), code);
    return false;
}

static bool gcf_graph_bad_id(gcf_graph_reader *r, pith_text field, uint64_t expected,
                             const char *why)
{
    report_bad(r->lines.report, "invalid_symbol_id", gcf_graph_off(r, field.ptr),
               "expected @%llu, %s, found '%s'", (unsigned long long)expected, why,
               error_quote(field.ptr, field.len).text);
    return false;
}

/* Whether a declaration may have this id. */
static bool gcf_graph_check_id(gcf_graph_reader *r, pith_text field, uint64_t id,
                               const graph_node *node)
{
    if (!r->head.session) {
        uint64_t expected = r->graph->symbols.count;
        return id == expected || r->lost ||
               gcf_graph_bad_id(r, field, expected, "ids count from 0");
    }
    if (gcf_graph_symbol_of(r, id) != GRAPH_NONE) {
        report_bad(r->lines.report, "invalid_symbol_id", gcf_graph_off(r, field.ptr),
                   "%s stands twice in this text",
                   error_quote(field.ptr, field.len).text);
        return false;
    }
    if (!r->source->session)
        return true;
    uint64_t expected;
    const char *why;
    return session_check_id(r->source->session, node, id, &r->new_ids, &expected, &why) ||
           r->lost || gcf_graph_bad_id(r, field, expected, why);
}

static bool gcf_graph_add(gcf_graph_reader *r, uint64_t id, const graph_node *node,
                          const char *at)
{
    if (graph_add_symbol(r->graph, node) != PITH_OK) {
        const char *code = r->graph->fault.code;
        bool node_line = code && strcmp(code, "invalid_symbol") == 0;
        bool score = code && strcmp(code, "out_of_range") == 0;
        return gcf_graph_refused(
            r, at, node_line ? "invalid_node_line" : (score ? "invalid_score" : NULL));
    }
    return gcf_graph_bind(r, id);
}

/* @3  # previously transmitted */
static bool gcf_graph_read_reference(gcf_graph_reader *r, pith_text field, pith_text rest)
{
    uint64_t id;
    if (!text_is(rest, "# previously transmitted")) {
        return report_expected(r->lines.report, "invalid_node_line", rest,
                               "'# previously transmitted'");
    }
    if (!gcf_graph_read_id(&r->lines, field, &id))
        return false;
    const pith_session *session = r->source->session;
    if (!r->head.session || !session || id >= session->known.symbols.count) {
        const char *why = !r->head.session ? "this text is not part of a session"
                          : !session       ? "it can only be read with its session"
                                           : "the session does not know it";
        report_bad(r->lines.report, "unknown_reference", gcf_graph_off(r, field.ptr),
                   "%s refers to an earlier text: %s",
                   error_quote(field.ptr, field.len).text, why);
        return false;
    }
    graph_node node = graph_node_of(&session->known, (uint32_t)id);
    node.distance = r->distance;
    return gcf_graph_add(r, id, &node, field.ptr);
}

static bool gcf_graph_read_node(gcf_graph_reader *r, pith_text line)
{
    pith_text rest = line;
    pith_text field = gcf_graph_field(&rest);
    if (rest.len > 0 && *rest.ptr == '#')
        return gcf_graph_read_reference(r, field, rest);
    graph_node node;
    uint64_t id;
    node.kind = gcf_graph_field(&rest);
    node.name = gcf_graph_field(&rest);
    node.score = gcf_graph_field(&rest);
    node.provenance = gcf_graph_field(&rest);
    node.distance = r->distance;
    if (node.provenance.len == 0 || rest.len > 0) {
        report_bad(r->lines.report, "invalid_node_line", gcf_graph_off(r, line.ptr),
                   "expected five fields: @id kind name score provenance");
        return false;
    }
    node.kind = graph_expand_kind(node.kind);
    return gcf_graph_read_id(&r->lines, field, &id) &&
           gcf_graph_read_score(&r->lines, node.score, &node.score) &&
           gcf_graph_check_id(r, field, id, &node) &&
           gcf_graph_add(r, id, &node, node.name.ptr);
}

/* ------------------------------------------------------------------------ edges */

static bool gcf_graph_read_end(gcf_graph_reader *r, pith_text field, uint32_t *symbol)
{
    uint64_t id;
    if (!gcf_graph_read_id(&r->lines, field, &id))
        return false;
    *symbol = gcf_graph_symbol_of(r, id);
    if (*symbol != GRAPH_NONE)
        return true;
    if (!r->lost) {
        report_bad(r->lines.report, "unknown_edge_reference", gcf_graph_off(r, field.ptr),
                   "no symbol before this line is %s",
                   error_quote(field.ptr, field.len).text);
    }
    return false;
}

static bool gcf_graph_read_edge(gcf_graph_reader *r, pith_text line)
{
    pith_text rest = line;
    pith_text ends = gcf_graph_field(&rest);
    pith_text type = gcf_graph_field(&rest);
    pith_text status = gcf_graph_field(&rest);
    pith_text target = ends;
    uint32_t from;
    uint32_t to;
    const char *arrow = ends.len ? (const char *)memchr(ends.ptr, '<', ends.len) : NULL;
    if (!arrow || type.len == 0 || rest.len > 0) {
        report_bad(r->lines.report, "invalid_edge_syntax", gcf_graph_off(r, line.ptr),
                   "expected @target<@source type, and perhaps a status");
        return false;
    }
    target.len = (size_t)(arrow - ends.ptr);
    pith_text source = text_of(arrow + 1, ends.len - target.len - 1);
    if (!gcf_graph_read_end(r, target, &to) || !gcf_graph_read_end(r, source, &from))
        return false;
    if (graph_add_edge(r->graph, from, to, type, status) != PITH_OK)
        return gcf_graph_refused(r, type.ptr, "invalid_edge_syntax");
    return true;
}

/* ----------------------------------------------------------------------- places */

/* The file of a place, bare or in quotes, off the front of `*rest`. Quotes are read as
 * everywhere in GCF, by a reader that has nothing but an arena. */
static bool gcf_graph_read_file(gcf_graph_reader *r, pith_text *rest, pith_doc *scratch,
                                pith_text *file)
{
    if (rest->len == 0 || *rest->ptr != '"') {
        *file = gcf_graph_field(rest);
        return true;
    }
    gcf_reader tokens = {0};
    pith_slot slot;
    pith_text input = r->source->input;
    read_init(&tokens.in, scratch, input, r->lines.report);
    gcf_reader_place(&tokens, input, input.ptr);
    const char *end = rest->ptr + rest->len;
    const char *after = gcf_read_quoted(&tokens, rest->ptr, end, &slot);
    if (!after)
        return false;
    *file = slot_text(&slot);
    if (after < end && *after != ' ' && *after != '\t') {
        report_bad(r->lines.report, "trailing_characters", gcf_graph_off(r, after),
                   "expected a space after the closing quote");
        return false;
    }
    *rest = text_of(after, (size_t)(end - after));
    gcf_graph_field(rest); /* the blanks */
    return true;
}

static bool gcf_graph_read_numbers(gcf_graph_reader *r, pith_text rest,
                                   graph_place *place)
{
    uint64_t *to[] = {&place->line, &place->column, &place->end_line, &place->end_column};
    size_t count = 0;
    const char *at = rest.ptr;
    bool fine = true;
    while (rest.len > 0 && count < 4 && fine) {
        fine =
            gcf_graph_number(gcf_graph_field(&rest), to[count++]) && *to[count - 1] > 0;
    }
    if (!fine || rest.len > 0 || (count != 2 && count != 4)) {
        report_bad(r->lines.report, "invalid_loc_line", gcf_graph_off(r, at),
                   "expected line and column, and perhaps those of the end, from 1 on");
        return false;
    }
    return true;
}

static bool gcf_graph_read_place(gcf_graph_reader *r, pith_text line)
{
    pith_text rest = line;
    pith_text field = gcf_graph_field(&rest);
    uint32_t symbol;
    graph_place place = {0};
    pith_doc scratch = {0};
    if (!gcf_graph_read_end(r, field, &symbol))
        return false;
    if (r->graph->symbols.at[symbol].place != GRAPH_NONE) {
        report_bad(r->lines.report, "invalid_loc_line", gcf_graph_off(r, field.ptr),
                   "%s has a place already", error_quote(field.ptr, field.len).text);
        return false;
    }
    scratch.alloc = r->graph->alloc;
    arena_init(&scratch.arena, scratch.alloc);
    bool fine = gcf_graph_read_file(r, &rest, &scratch, &place.file) &&
                gcf_graph_read_numbers(r, rest, &place);
    if (fine && graph_set_place(r->graph, symbol, &place) != PITH_OK)
        fine = gcf_graph_refused(r, rest.ptr, "invalid_loc_line");
    arena_free(&scratch.arena);
    return fine;
}

/* --------------------------------------------------------------------- sections */

static void gcf_graph_close_section(gcf_graph_reader *r)
{
    if (r->part != GCF_GRAPH_NOWHERE && r->part != GCF_GRAPH_LOST)
        gcf_graph_end_section(&r->lines, &r->section);
    r->part = GCF_GRAPH_NOWHERE;
}

static void gcf_graph_open_section(gcf_graph_reader *r, pith_text line)
{
    gcf_graph_close_section(r);
    r->part = GCF_GRAPH_LOST;
    if (!gcf_graph_read_section(&r->lines, line, &r->section))
        return;
    pith_text name = r->section.name;
    if (text_is(name, "edges")) {
        r->part = GCF_GRAPH_EDGES;
    } else if (text_is(name, "loc")) {
        r->part = GCF_GRAPH_PLACES;
    } else if (graph_read_group(name, gcf_graph_number, &r->distance) &&
               r->distance != UINT64_MAX) {
        r->part = GCF_GRAPH_SYMBOLS;
    } else {
        r->lost = true;
        report_expected(r->lines.report, "unknown_group", name,
                        "targets, related, extended, distance_N, edges or loc");
    }
}

static void gcf_graph_read_line(gcf_graph_reader *r, pith_text line)
{
    if (r->summary) {
        report_bad(r->lines.report, "invalid_line", gcf_graph_off(r, line.ptr),
                   "expected the end of the text after the summary");
        return;
    }
    if (text_begins(line, "##!")) {
        gcf_graph_close_section(r);
        r->summary = true;
        gcf_graph_read_summary(&r->lines, line, &r->trailer);
        return;
    }
    if (text_begins(line, "##")) {
        gcf_graph_open_section(r, line);
        return;
    }
    switch (r->part) {
    case GCF_GRAPH_LOST:
        return;
    case GCF_GRAPH_NOWHERE:
        report_bad(r->lines.report, "invalid_line", gcf_graph_off(r, line.ptr),
                   "expected '## targets' or another section first");
        r->part = GCF_GRAPH_LOST;
        r->lost = true;
        return;
    case GCF_GRAPH_SYMBOLS:
        r->lost = !gcf_graph_read_node(r, line) || r->lost;
        break;
    case GCF_GRAPH_EDGES:
        gcf_graph_read_edge(r, line);
        break;
    case GCF_GRAPH_PLACES:
        gcf_graph_read_place(r, line);
        break;
    }
    gcf_graph_count_line(&r->lines, &r->section, line);
}

/* ---------------------------------------------------------------------- all of it */

static void gcf_graph_check_total(gcf_graph_reader *r, const graph_count *count,
                                  size_t found, const char *what)
{
    if (count->at && count->value != found && r->lines.report->count == 0) {
        report_bad(r->lines.report, "count_mismatch", gcf_graph_off(r, count->at),
                   "%s=%llu, found %zu", what, (unsigned long long)count->value, found);
    }
}

static bool gcf_graph_check_head(gcf_graph_reader *r)
{
    pith_status status = graph_set_head(r->graph, &r->head);
    if (r->head.delta || r->head.unchanged) {
        report_bad(r->lines.report, "not_a_document", gcf_graph_off(r, r->head.at),
                   "a change to an earlier text, and no graph of its own");
        return false;
    }
    r->source->in_session = r->head.session;
    return status == PITH_OK || gcf_graph_refused(r, r->lines.start, NULL);
}

/* In a session the line after the first may say which turn this is; only the turn that
 * comes next here can be read. */
static bool gcf_graph_check_turn(gcf_graph_reader *r)
{
    pith_text comment;
    graph_in *source = r->source;
    return !r->head.session || !source->session ||
           !gcf_graph_peek_comment(&r->lines, &comment) ||
           session_take_line(source->session, comment, &source->place, source->report);
}

void gcf_graph_read(graph_in *source)
{
    code_graph *graph = source->graph;
    gcf_graph_reader r = {.graph = graph, .source = source, .ids.seed = graph->seed};
    pith_text line;
    source->in_session = false;
    if (!gcf_graph_lines_init(&r.lines, source->input, source->report) ||
        !gcf_graph_read_head(&r.lines, &r.head, graph) || !gcf_graph_check_head(&r) ||
        !gcf_graph_check_turn(&r))
        return;
    while (gcf_graph_next_line(&r.lines, &line) &&
           report_goes_on(r.lines.report, gcf_graph_off(&r, line.ptr)))
        gcf_graph_read_line(&r, line);
    if (!source->report->stopped) {
        gcf_graph_close_section(&r);
        gcf_graph_check_total(&r, &r.head.symbols, graph->symbols.count, "symbols");
        gcf_graph_check_total(&r, &r.head.edges, graph->edges.count, "edges");
        gcf_graph_check_total(&r, &r.trailer.symbols, graph->symbols.count, "symbols");
        gcf_graph_check_total(&r, &r.trailer.edges, graph->edges.count, "edges");
    }
    graph_ids_free(&r.ids, &graph->alloc);
}

#endif
