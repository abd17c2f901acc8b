/*
 * gcf1_graph_head.c - the first line of a graph of GCF 1.
 *
 *     GCF tool=context_for_task budget=5000 tokens=1847 symbols=10 pack_root=a1b2c3
 *
 * Fields are key=value, in any order, none of them twice. What a key means is checked
 * where it means something; other keys are kept as they are.
 */
#include "format/gcf1/gcf1_graph.h"

#include "base/num.h"
#include "base/scan.h"

/* A first line on its way into a graph. */
typedef struct gcf1_graph_first {
    pith_graph *graph;
    reporter *report;
    const char *start; /* of the input */
    pith_text tool;
    pith_text root;
    uint64_t edges;    /* at level 1.4; for information, as the symbols are */
    const char *delta; /* where it says delta=true */
    pith_text foreign; /* a field of changes */
    uint32_t seen;     /* a bit for each graph_head_word */
} gcf1_graph_first;

static size_t gcf1_first_off(const gcf1_graph_first *head, const char *at)
{
    return (size_t)(at - head->start);
}

pith_text gcf1_graph_word(pith_text *line)
{
    while (line->len > 0 && *line->ptr == ' ') {
        line->ptr++;
        line->len--;
    }
    return text_split(line, ' ');
}

bool gcf1_graph_number(pith_text digits, uint64_t *number)
{
    const char *end = digits.ptr + digits.len;
    while (digits.len > 1 && *digits.ptr == '0') {
        digits.ptr++;
        digits.len--;
    }
    return digits.len > 0 && scan_digits(digits.ptr, end) == end &&
           num_to_uint64(digits, number);
}

void gcf1_graph_refused(pith_graph *graph, reporter *report, size_t offset)
{
    pith_error *fault = &graph->fault;
    if (fault->status == PITH_NO_MEMORY) {
        report_no_memory(report);
        return;
    }
    report_problem(report,
                   fault->status == PITH_UNREPRESENTABLE ? PITH_BAD_INPUT : fault->status,
                   fault->code, offset, "%s", fault->message);
    fault->status = PITH_OK;
}

static void gcf1_first_bad(const gcf1_graph_first *head, pith_text name, pith_text value,
                           const char *expected)
{
    report_bad(head->report, "invalid_header_value", gcf1_first_off(head, value.ptr),
               "%s= expected %s, found '%s'", error_quote(name.ptr, name.len).text,
               expected, error_quote(value.ptr, value.len).text);
}

static void gcf1_first_take_number(const gcf1_graph_first *head, pith_text name,
                                   pith_text value, uint64_t *number)
{
    if (!gcf1_graph_number(value, number)) {
        gcf1_first_bad(head, name, value, "a whole number of at most 64 bits");
    }
}

static void gcf1_first_take_truth(const gcf1_graph_first *head, pith_text name,
                                  pith_text value, bool *truth)
{
    *truth = text_is(value, "true");
    if (!*truth && !text_is(value, "false")) {
        gcf1_first_bad(head, name, value, "true or false");
    }
}

/* A field whose key means something. */
static void gcf1_first_take_known(gcf1_graph_first *head, graph_head_word word,
                                  pith_text name, pith_text value)
{
    pith_graph *graph = head->graph;
    switch (word) {
    case GRAPH_HEAD_TOOL:
        head->tool = value;
        break;
    case GRAPH_HEAD_BUDGET:
        gcf1_first_take_number(head, name, value, &graph->budget);
        break;
    case GRAPH_HEAD_TOKENS:
        gcf1_first_take_number(head, name, value, &graph->tokens);
        break;
    case GRAPH_HEAD_SYMBOLS:
        gcf1_first_take_number(head, name, value, &graph->declared);
        break;
    case GRAPH_HEAD_EDGES:
        gcf1_first_take_number(head, name, value, &head->edges);
        break;
    case GRAPH_HEAD_ROOT:
        head->root = value;
        if (!graph_is_root(value)) {
            gcf1_first_bad(head, name, value,
                           "hexadecimal digits, perhaps after sha256:");
        }
        break;
    case GRAPH_HEAD_SESSION:
        gcf1_first_take_truth(head, name, value, &graph->session);
        break;
    case GRAPH_HEAD_DELTA:
        gcf1_first_take_truth(head, name, value, &graph->delta);
        head->delta = graph->delta ? name.ptr : NULL;
        break;
    default:
        head->foreign = name;
        break;
    }
}

/* key=value; the rest of the line goes on after a problem with one of them. */
static void gcf1_first_take(gcf1_graph_first *head, pith_text field)
{
    pith_text value = field;
    pith_text name = text_split(&value, '=');
    size_t at = gcf1_first_off(head, field.ptr);
    if (name.len == 0 || name.len == field.len) {
        report_bad(head->report, "malformed_header_field", at,
                   "expected key=value, found '%s'",
                   error_quote(field.ptr, field.len).text);
        return;
    }
    graph_head_word word = graph_find_head_word(name);
    if (word == GRAPH_HEAD_OTHER) {
        if (graph_add_field(head->graph, name, value) != PITH_OK) {
            gcf1_graph_refused(head->graph, head->report, at);
        }
        return;
    }
    if (head->seen >> word & 1) {
        report_bad(head->report, "duplicate_header_field", at,
                   "%s= stands twice in the first line",
                   error_quote(name.ptr, name.len).text);
        return;
    }
    head->seen |= UINT32_C(1) << word;
    gcf1_first_take_known(head, word, name, value);
}

/* What only the whole line shows; false when the rest cannot be read. */
static bool gcf1_first_check(gcf1_graph_first *head, pith_text line)
{
    if (head->delta) {
        report_bad(head->report, "not_a_document", gcf1_first_off(head, head->delta),
                   "a change to an earlier text, and no document of its own");
        return false;
    }
    if (head->foreign.len > 0) {
        report_bad(head->report, "invalid_header_field",
                   gcf1_first_off(head, head->foreign.ptr),
                   text_is(head->foreign, "profile")
                       ? "%s= is of later versions: read this text as gcf"
                       : "%s= belongs to a change, and this text does not say delta=true",
                   error_quote(head->foreign.ptr, head->foreign.len).text);
        return false;
    }
    if (head->tool.len == 0) {
        report_bad(head->report, "missing_tool", gcf1_first_off(head, line.ptr),
                   "expected tool= in the first line");
        return false;
    }
    if (graph_set_header(head->graph, head->tool, head->root) != PITH_OK) {
        gcf1_graph_refused(head->graph, head->report, gcf1_first_off(head, line.ptr));
        return false;
    }
    return true;
}

bool gcf1_graph_read_head(pith_graph *graph, pith_text input, pith_text line,
                          reporter *report)
{
    gcf1_graph_first head;
    pith_text rest = line;
    memset(&head, 0, sizeof head);
    head.graph = graph;
    head.report = report;
    head.start = input.ptr;
    head.root = text_of("", 0);
    if (!text_is(gcf1_graph_word(&rest), "GCF")) {
        report_bad(report, "missing_header", gcf1_first_off(&head, line.ptr),
                   "expected 'GCF tool=...' in the first line");
        return false;
    }
    while (rest.len > 0 && !report->stopped) {
        gcf1_first_take(&head, gcf1_graph_word(&rest));
    }
    return !report->stopped && gcf1_first_check(&head, line);
}
