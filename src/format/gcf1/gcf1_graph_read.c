/*
 * gcf1_graph_read.c - a graph of GCF 1.
 *
 * As its decoders did: unknown groups change nothing, counts are for information, and
 * what stands behind an edge's type counts only if it is `added` or `removed`. A
 * symbol line has five fields, an id that is a number and a score that is one; an edge
 * is between ids that were there. References to symbols of an earlier text cannot be
 * resolved here; they are passed over together with their edges.
 */
#include "format/gcf1/gcf1_graph.h"

#include "base/decimal.h"
#include "base/hash.h"
#include "base/lex.h"
#include "base/lines.h"
#include "base/utf8.h"

/* An id and the symbol that has it: GRAPH_NONE for one that was only referred to. */
typedef struct gcf1_graph_id {
    uint64_t id;
    uint32_t symbol;
    bool used;
} gcf1_graph_id;

typedef struct gcf1_graph_reader {
    pith_graph *graph;
    reporter *report;
    pith_text input;
    uint64_t distance;
    bool edges;
    bool stop;
    gcf1_graph_id *ids; /* open addressing */
    size_t id_count, id_size;
} gcf1_graph_reader;

static size_t gcf1_graph_off(const gcf1_graph_reader *r, const char *at)
{
    return (size_t)(at - r->input.ptr);
}

/* -------------------------------------------------------------------------- ids */

static gcf1_graph_id *gcf1_graph_find_id(const gcf1_graph_reader *r, uint64_t id)
{
    size_t mask = r->id_size - 1;
    size_t at = (size_t)hash_number(r->graph->seed, id) & mask;
    while (r->ids[at].used && r->ids[at].id != id) {
        at = (at + 1) & mask;
    }
    return &r->ids[at];
}

static bool gcf1_graph_grow_ids(gcf1_graph_reader *r)
{
    gcf1_graph_id *old = r->ids;
    size_t old_size = r->id_size;
    size_t size = old_size ? old_size * 2 : 64;
    gcf1_graph_id *ids =
        (gcf1_graph_id *)alloc_zeroed(&r->graph->alloc, size * sizeof *ids);
    if (!ids) {
        report_no_memory(r->report);
        r->stop = true;
        return false;
    }
    r->ids = ids;
    r->id_size = size;
    for (size_t i = 0; i < old_size; i++) {
        if (old[i].used) {
            *gcf1_graph_find_id(r, old[i].id) = old[i];
        }
    }
    alloc_free(&r->graph->alloc, old, old_size * sizeof *old);
    return true;
}

static bool gcf1_graph_note_id(gcf1_graph_reader *r, uint64_t id, uint32_t symbol)
{
    if (r->id_count * 2 >= r->id_size && !gcf1_graph_grow_ids(r)) {
        return false;
    }
    gcf1_graph_id *place = gcf1_graph_find_id(r, id);
    r->id_count += place->used ? 0 : 1;
    gcf1_graph_id entry = {id, symbol, true};
    *place = entry;
    return true;
}

/* ----------------------------------------------------------------------- fields */

static pith_text gcf1_graph_word(pith_text *line)
{
    while (line->len > 0 && *line->ptr == ' ') {
        line->ptr++;
        line->len--;
    }
    return text_split(line, ' ');
}

static bool gcf1_graph_number(pith_text digits, uint64_t *number)
{
    const char *end = digits.ptr + digits.len;
    *number = 0;
    if (digits.len == 0 || digits.len > 19 || scan_digits(digits.ptr, end) != end) {
        return false;
    }
    for (const char *p = digits.ptr; p < end; p++) {
        *number = *number * 10 + (uint64_t)(*p - '0');
    }
    return true;
}

/* @7 */
static bool gcf1_graph_id_of(pith_text word, uint64_t *id)
{
    return word.len > 1 && *word.ptr == '@' &&
           gcf1_graph_number(text_of(word.ptr + 1, word.len - 1), id);
}

static void gcf1_graph_bad(gcf1_graph_reader *r, const char *code, pith_text at,
                           const char *expected)
{
    report_bad(r->report, code, gcf1_graph_off(r, at.ptr), "expected %s, found '%s'",
               expected, error_quote(at.ptr, at.len).text);
}

/* What the graph has against it. */
static void gcf1_graph_refused(gcf1_graph_reader *r, const char *at)
{
    const pith_error *fault = &r->graph->fault;
    r->stop = true;
    if (fault->status == PITH_NO_MEMORY) {
        report_no_memory(r->report);
        return;
    }
    report_problem(r->report,
                   fault->status == PITH_UNREPRESENTABLE ? PITH_BAD_INPUT : fault->status,
                   fault->code, gcf1_graph_off(r, at), "%s", fault->message);
}

/* ------------------------------------------------------------------- first line */

static void gcf1_graph_read_head(gcf1_graph_reader *r, pith_text line)
{
    pith_text tool = {NULL, 0};
    pith_text root = {NULL, 0};
    const char *start = line.ptr;
    if (line.len < 4 || memcmp(line.ptr, "GCF ", 4) != 0) {
        report_bad(r->report, "missing_header", gcf1_graph_off(r, line.ptr),
                   "expected 'GCF tool=...' in the first line");
        r->stop = true;
        return;
    }
    gcf1_graph_word(&line);
    while (line.len > 0) {
        pith_text value = gcf1_graph_word(&line);
        pith_text field = value;
        pith_text name = text_split(&value, '=');
        if (text_is(name, "tool")) {
            tool = value;
        } else if (text_is(name, "pack_root")) {
            root = value;
        } else if (text_is(name, "budget")) {
            gcf1_graph_number(value, &r->graph->budget);
        } else if (text_is(name, "tokens")) {
            gcf1_graph_number(value, &r->graph->tokens);
        } else if (text_is(name, "delta") && text_is(value, "true")) {
            report_bad(r->report, "not_a_document", gcf1_graph_off(r, field.ptr),
                       "a change to an earlier text, and no document of its own");
            r->stop = true;
            return;
        }
    }
    if (tool.len == 0) {
        report_bad(r->report, "missing_tool", gcf1_graph_off(r, start),
                   "expected tool= in the first line");
        r->stop = true;
    } else if (graph_set_header(r->graph, tool, root) != PITH_OK) {
        gcf1_graph_refused(r, start);
    }
}

/* ------------------------------------------------------------------------ lines */

static void gcf1_graph_read_group(gcf1_graph_reader *r, pith_text line)
{
    static const char *const names[] = {"targets", "related", "extended"};
    static const char far[] = "distance_";
    pith_text name = text_of(line.ptr + 3, line.len - 3);
    name = gcf1_graph_word(&name);
    r->edges = text_is(name, "edges");
    for (uint64_t i = 0; i < 3; i++) {
        r->distance = text_is(name, names[i]) ? i : r->distance;
    }
    uint64_t distance;
    size_t skip = sizeof far - 1;
    if (name.len > skip && memcmp(name.ptr, far, skip) == 0 &&
        gcf1_graph_number(text_of(name.ptr + skip, name.len - skip), &distance)) {
        r->distance = distance;
    }
}

static void gcf1_graph_read_symbol(gcf1_graph_reader *r, pith_text line)
{
    pith_text whole = line;
    uint64_t id;
    char digits[DECIMAL_MAX_LEN];
    pith_text word = gcf1_graph_word(&line);
    graph_node node;
    if (!gcf1_graph_id_of(word, &id)) {
        gcf1_graph_bad(r, "invalid_symbol_id", word, "@ and a number");
        return;
    }
    node.kind = gcf1_graph_word(&line);
    if (node.kind.len > 0 && *node.kind.ptr == '#') {
        gcf1_graph_note_id(r, id, GRAPH_NONE);
        return;
    }
    node.name = gcf1_graph_word(&line);
    node.score = gcf1_graph_word(&line);
    node.provenance = gcf1_graph_word(&line);
    node.distance = r->distance;
    if (node.provenance.len == 0) {
        gcf1_graph_bad(r, "invalid_node_line", whole, "@id kind name score provenance");
        return;
    }
    const char *end = node.score.ptr + node.score.len;
    bool number = lex_read_number(node.score.ptr, end).end == end;
    size_t len = number ? decimal_write(digits, node.score) : 0;
    if (len == 0) {
        gcf1_graph_bad(r, "invalid_score", node.score, "a number");
        return;
    }
    node.score = text_of(digits, len);
    if (graph_add_symbol(r->graph, &node) != PITH_OK) {
        gcf1_graph_refused(r, whole.ptr);
        return;
    }
    gcf1_graph_note_id(r, id, (uint32_t)(r->graph->symbol_count - 1));
}

/* The symbol with the id in `word`. False after a problem; GRAPH_NONE for one of an
 * earlier text. */
static bool gcf1_graph_end_of_edge(gcf1_graph_reader *r, pith_text word, uint32_t *symbol)
{
    uint64_t id;
    if (!gcf1_graph_id_of(word, &id)) {
        gcf1_graph_bad(r, "invalid_edge_syntax", word, "@target<@source type");
        return false;
    }
    const gcf1_graph_id *found = r->id_size ? gcf1_graph_find_id(r, id) : NULL;
    if (!found || !found->used) {
        gcf1_graph_bad(r, "unknown_edge_reference", word, "the id of a symbol");
        return false;
    }
    *symbol = found->symbol;
    return true;
}

static void gcf1_graph_read_edge(gcf1_graph_reader *r, pith_text line)
{
    pith_text whole = line;
    uint32_t target;
    uint32_t source;
    pith_text ends = gcf1_graph_word(&line);
    pith_text type = gcf1_graph_word(&line);
    pith_text status = gcf1_graph_word(&line);
    pith_text left = text_split(&ends, '<');
    if (left.len + 1 >= whole.len || ends.len == 0 || type.len == 0) {
        gcf1_graph_bad(r, "invalid_edge_syntax", whole, "@target<@source type");
        return;
    }
    if (!gcf1_graph_end_of_edge(r, left, &target) ||
        !gcf1_graph_end_of_edge(r, ends, &source) || target == GRAPH_NONE ||
        source == GRAPH_NONE) {
        return;
    }
    if (!text_is(status, "added") && !text_is(status, "removed")) {
        status.len = 0;
    }
    if (graph_add_edge(r->graph, source, target, type, status) != PITH_OK) {
        gcf1_graph_refused(r, whole.ptr);
    }
}

static void gcf1_graph_read_line(gcf1_graph_reader *r, pith_text line)
{
    if (line.len > 2 && memcmp(line.ptr, "## ", 3) == 0) {
        gcf1_graph_read_group(r, line);
    } else if (*line.ptr == '#' && (line.len == 1 || line.ptr[1] == ' ')) {
        return;
    } else if (r->edges) {
        gcf1_graph_read_edge(r, line);
    } else {
        gcf1_graph_read_symbol(r, line);
    }
}

void gcf1_graph_read(pith_graph *graph, pith_text input, reporter *report)
{
    gcf1_graph_reader r;
    line_reader lines;
    text_line line;
    memset(&r, 0, sizeof r);
    r.graph = graph;
    r.report = report;
    r.input = input;
    size_t bom = utf8_bom(input.ptr, input.len);
    size_t bad = utf8_find_invalid(input.ptr, input.len);
    if (bad < input.len) {
        report_bad(report, "invalid_utf8", bad,
                   "byte 0x%02X is not well-formed UTF-8 here",
                   (unsigned char)input.ptr[bad]);
        return;
    }
    lines_init(&lines, text_of(input.ptr + bom, input.len - bom), 2);
    lines.tabs_are_blank = true;
    bool first = true;
    while (!r.stop && !report->stopped && lines_next(&lines, &line)) {
        pith_text text = text_of(line.at, (size_t)(line.end - line.at));
        if (first) {
            gcf1_graph_read_head(&r, text);
        } else {
            gcf1_graph_read_line(&r, text);
        }
        first = false;
    }
    if (first) {
        gcf1_graph_read_head(&r, text_of(input.ptr, 0));
    }
    alloc_free(&graph->alloc, r.ids, r.id_size * sizeof *r.ids);
}
