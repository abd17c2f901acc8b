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

#ifndef PITH_OMIT_GRAPHS

/* A first line on its way into a graph. */
typedef struct gcf1_graph_first {
    code_graph *graph;
    reporter *report;
    graph_head said;
    pith_text foreign; /* the name of a field of other texts */
    pith_text change;  /* of one of changes */
    bool answer;       /* this may be a change */
    uint32_t seen;     /* a bit for each graph_head_word */
} gcf1_graph_first;

static size_t gcf1_first_off(const gcf1_graph_first *head, const char *at)
{
    return (size_t)(at - head->report->input.ptr);
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

static const graph_head_rules gcf1_graph_rules = {
    "invalid_header_value", "a whole number of at most 64 bits", gcf1_graph_number};

/* A field whose key means something. */
static void gcf1_first_take_known(gcf1_graph_first *head, const graph_head_field *field)
{
    switch (field->word) {
    case GRAPH_HEAD_UNCHANGED:
    case GRAPH_HEAD_PROFILE:
        head->foreign = field->name;
        return;
    case GRAPH_HEAD_BASE_ROOT:
    case GRAPH_HEAD_NEW_ROOT:
        head->change = field->name;
        break;
    case GRAPH_HEAD_ROOT:
        if (!graph_is_root(field->value)) {
            graph_bad_value(&gcf1_graph_rules, field, head->report,
                            "hexadecimal digits, perhaps after sha256:");
        }
        break;
    default:
        break;
    }
    graph_take_field(&head->said, &gcf1_graph_rules, field, head->report);
}

/* key=value; the rest of the line goes on after a problem with one of them. */
static void gcf1_first_take(gcf1_graph_first *head, pith_text field)
{
    pith_text value = field;
    pith_text name = text_split(&value, '=');
    size_t at = gcf1_first_off(head, field.ptr);
    if (name.len == 0 || name.len == field.len) {
        report_expected(head->report, "malformed_header_field", field, "key=value");
        return;
    }
    graph_head_field known = {graph_find_head_word(name), name, value};
    if (known.word == GRAPH_HEAD_OTHER) {
        if (graph_add_field(head->graph, name, value) != PITH_OK)
            graph_report_fault(head->graph, head->report, at, NULL);
        return;
    }
    if (head->seen >> known.word & 1) {
        report_bad(head->report, "duplicate_header_field", at,
                   "%s= stands twice in the first line",
                   error_quote(name.ptr, name.len).text);
        return;
    }
    head->seen |= UINT32_C(1) << known.word;
    gcf1_first_take_known(head, &known);
}

/* What only the whole line shows; false when the rest cannot be read. */
static bool gcf1_first_check(gcf1_graph_first *head, pith_text line)
{
    pith_status status = graph_set_head(head->graph, &head->said);
    if (head->said.delta && !head->answer) {
        report_bad(head->report, "not_a_document", gcf1_first_off(head, head->said.at),
                   "a change to an earlier text, and no document of its own");
        return false;
    }
    if (head->foreign.len == 0 && !head->said.delta)
        head->foreign = head->change;
    if (head->foreign.len > 0) {
        report_bad(head->report, "invalid_header_field",
                   gcf1_first_off(head, head->foreign.ptr),
                   text_is(head->foreign, "profile")
                       ? "%s= is of later versions: read this text as gcf"
                       : "%s= belongs to a change, and this text does not say delta=true",
                   error_quote(head->foreign.ptr, head->foreign.len).text);
        return false;
    }
    if (head->said.tool.len == 0) {
        report_bad(head->report, "missing_tool", gcf1_first_off(head, line.ptr),
                   "expected tool= in the first line");
        return false;
    }
    if (status != PITH_OK) {
        graph_report_fault(head->graph, head->report, gcf1_first_off(head, line.ptr),
                           NULL);
    }
    return status == PITH_OK;
}

static bool gcf1_first_read(gcf1_graph_first *head, pith_text line)
{
    pith_text none = text_of(line.ptr, 0);
    pith_text rest = line;
    head->said.tool = head->said.pack_root = none;
    head->said.base_root = head->said.new_root = none;
    if (!text_is(gcf1_graph_word(&rest), "GCF")) {
        report_bad(head->report, "missing_header", gcf1_first_off(head, line.ptr),
                   "expected 'GCF tool=...' in the first line");
        return false;
    }
    while (rest.len > 0 && !head->report->stopped)
        gcf1_first_take(head, gcf1_graph_word(&rest));
    return !head->report->stopped && gcf1_first_check(head, line);
}

bool gcf1_graph_read_head(code_graph *graph, pith_text line, reporter *report)
{
    gcf1_graph_first head = {.graph = graph, .report = report};
    return gcf1_first_read(&head, line);
}

bool gcf1_graph_read_answer_head(code_graph *graph, pith_text line, graph_head *said,
                                 reporter *report)
{
    gcf1_graph_first head = {.graph = graph, .report = report, .answer = true};
    bool read = gcf1_first_read(&head, line);
    *said = head.said;
    return read;
}

#endif
