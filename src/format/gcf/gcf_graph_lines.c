/*
 * gcf_graph_lines.c - lines, fields, the first line and the trailer of a graph.
 *
 *     GCF profile=graph tool=context_for_task budget=5000 symbols=2 edges=1
 *     ## targets
 *     @0 fn pkg.Auth 0.78 lsp_resolved
 *     ## edges [1]
 *     @0<@1 calls
 *     ##! summary symbols=2 edges=1 counts=1,1,1
 *
 * What the specification calls an error is one here, under its name. The counts of the
 * trailer are for people and are not read.
 */
#include "format/gcf/gcf_graph_lines.h"

#include "base/num.h"
#include "base/scan.h"
#include "base/utf8.h"

#ifndef PITH_OMIT_GRAPHS

bool gcf_graph_lines_init(gcf_graph_lines *lines, pith_text input, reporter *report)
{
    size_t invalid = utf8_find_invalid(input.ptr, input.len);
    lines->report = report;
    lines->start = input.ptr;
    lines->last_end = input.ptr;
    lines_init(&lines->lines, input, 1);
    lines->lines.tabs_are_blank = true;
    if (invalid < input.len) {
        report_bad(report, "invalid_utf8", invalid,
                   "expected UTF-8, found the byte 0x%02x",
                   (unsigned)(unsigned char)input.ptr[invalid]);
        return false;
    }
    return true;
}

static bool gcf_graph_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* From `at` to `end` without the blanks before the latter. */
static pith_text gcf_graph_trimmed(const char *at, const char *end)
{
    while (end > at && gcf_graph_blank(end[-1]))
        end--;
    return text_of(at, (size_t)(end - at));
}

/* The next line, whatever it is, without its end. */
static pith_text gcf_graph_any_line(line_reader *lines)
{
    text_line line = {.at = lines->next};
    lines_cut(lines, &line);
    return gcf_graph_trimmed(line.at, line.end);
}

/* What is wrong with the blanks a line begins with. */
static void gcf_graph_bad_indent(gcf_graph_lines *lines, const text_line *line)
{
    if (line->tabs) {
        report_bad(lines->report, "tab_indentation", gcf_graph_at(lines, line->start),
                   "expected no indentation, found a tab");
    } else {
        report_bad(lines->report, "invalid_indent", gcf_graph_at(lines, line->at),
                   "expected no indentation, found %zu spaces",
                   (size_t)(line->at - line->start));
    }
}

bool gcf_graph_next_line(gcf_graph_lines *lines, pith_text *line)
{
    text_line next;
    while (!lines->report->stopped && lines_next(&lines->lines, &next)) {
        /* The space of an empty comment is not part of the line any more. */
        bool comment =
            *next.at == '#' && next.at + 1 < lines->lines.end && next.at[1] == ' ';
        if (comment && !next.tabs)
            continue;
        if (next.at > next.start) {
            gcf_graph_bad_indent(lines, &next);
            continue;
        }
        *line = gcf_graph_trimmed(next.at, next.end);
        lines->last_end = line->ptr + line->len;
        return true;
    }
    return false;
}

bool gcf_graph_peek_comment(const gcf_graph_lines *lines, pith_text *comment)
{
    line_reader ahead = lines->lines;
    const char *at = ahead.next;
    if (ahead.end - at < 2 || memcmp(at, "# ", 2) != 0)
        return false;
    *comment = gcf_graph_any_line(&ahead);
    return true;
}

pith_text gcf_graph_field(pith_text *line)
{
    const char *at = line->ptr;
    const char *end = at + line->len;
    const char *after = at;
    while (after < end && !gcf_graph_blank(*after))
        after++;
    pith_text field = text_of(at, (size_t)(after - at));
    while (after < end && gcf_graph_blank(*after))
        after++;
    *line = text_of(after, (size_t)(end - after));
    return field;
}

static bool gcf_graph_digits(pith_text text)
{
    size_t i = 0;
    while (i < text.len && scan_is_digit((unsigned char)text.ptr[i]))
        i++;
    return i > 0 && i == text.len;
}

bool gcf_graph_number(pith_text digits, uint64_t *number)
{
    enum { DIGITS_SURE = 19 }; /* as many always fit 64 bits */
    if (!gcf_graph_digits(digits) || (digits.len > 1 && digits.ptr[0] == '0'))
        return false;
    *number = 0;
    for (size_t i = 0; i < digits.len && digits.len <= DIGITS_SURE; i++)
        *number = *number * 10 + (uint64_t)(digits.ptr[i] - '0');
    if (digits.len > DIGITS_SURE && !num_to_uint64(digits, number))
        *number = UINT64_MAX;
    return true;
}

/* ----------------------------------------------------------------- the first line */

/* A list of name=value; what has been seen of it, for duplicates. */
typedef struct gcf_graph_pairs {
    pith_text rest;
    pith_text names[GCF_GRAPH_FIELDS_MOST];
    size_t count;
} gcf_graph_pairs;

static bool gcf_graph_is_name(pith_text name)
{
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        bool letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        if (!letter && c != '_' && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return name.len > 0;
}

bool gcf_graph_is_pair(pith_text name, pith_text value)
{
    return gcf_graph_is_name(name) && value.len > 0 && graph_fits_header(value);
}

static bool gcf_graph_next_pair(gcf_graph_lines *lines, gcf_graph_pairs *pairs,
                                pith_text *name, pith_text *value)
{
    pith_text field = text_split(&pairs->rest, ' ');
    *value = field;
    *name = text_split(value, '=');
    size_t at = gcf_graph_at(lines, field.ptr);
    if (field.len == name->len || !gcf_graph_is_pair(*name, *value)) {
        return report_expected(lines->report, "malformed_header_field", field,
                               "name=value, one space before it");
    }
    if (pairs->count == GCF_GRAPH_FIELDS_MOST) {
        report_problem(lines->report, PITH_LIMIT, "too_many_fields", at,
                       "expected at most %d fields in this line", GCF_GRAPH_FIELDS_MOST);
        return false;
    }
    for (size_t i = 0; i < pairs->count; i++) {
        if (text_equal(pairs->names[i], *name)) {
            report_bad(lines->report, "duplicate_header_field", at,
                       "%s= stands twice in this line",
                       error_quote(name->ptr, name->len).text);
            return false;
        }
    }
    pairs->names[pairs->count++] = *name;
    return true;
}

static const graph_head_rules gcf_graph_rules = {"malformed_header_field", "a number",
                                                 gcf_graph_number};

/* A field of the first line; one that means nothing goes to the graph, if there is one. */
static bool gcf_graph_take_pair(gcf_graph_lines *lines, pith_text name, pith_text value,
                                graph_head *head, code_graph *graph)
{
    graph_head_field field = {graph_find_head_word(name), name, value};
    if (field.word == GRAPH_HEAD_OTHER && graph &&
        graph_add_field(graph, name, value) != PITH_OK) {
        graph_report_fault(graph, lines->report, gcf_graph_at(lines, name.ptr), NULL);
        return false;
    }
    return graph_take_field(head, &gcf_graph_rules, &field, lines->report);
}

/* The first field must be profile=graph. */
static bool gcf_graph_check_profile(gcf_graph_lines *lines, pith_text name,
                                    pith_text value)
{
    if (!text_is(name, "profile")) {
        report_bad(lines->report, "missing_profile", gcf_graph_at(lines, name.ptr),
                   "expected profile= as the first field of this line; without it this "
                   "is GCF 1, which is read as gcf1");
        return false;
    }
    if (!text_is(value, "graph"))
        return report_expected(lines->report, "unknown_profile", value, "profile=graph");
    return true;
}

bool gcf_graph_read_head(gcf_graph_lines *lines, graph_head *head, code_graph *graph)
{
    pith_text line = gcf_graph_any_line(&lines->lines);
    gcf_graph_pairs pairs;
    memset(head, 0, sizeof *head);
    head->tool = text_of("", 0);
    head->pack_root = text_of("", 0);
    lines->last_end = line.ptr + line.len;
    pairs.rest = line;
    pairs.count = 0;
    if (!text_is(text_split(&pairs.rest, ' '), "GCF")) {
        report_bad(lines->report, "missing_header", gcf_graph_at(lines, line.ptr),
                   utf8_bom(line.ptr, line.len)
                       ? "expected 'GCF profile=graph', found a byte order mark"
                       : "expected 'GCF profile=graph' in the first line");
        return false;
    }
    bool first = true;
    bool fine = true;
    while (pairs.rest.len > 0 && !lines->report->stopped) {
        pith_text name;
        pith_text value;
        bool pair = gcf_graph_next_pair(lines, &pairs, &name, &value);
        if (pair && first && !gcf_graph_check_profile(lines, name, value))
            return false;
        fine = pair && gcf_graph_take_pair(lines, name, value, head, graph) && fine;
        first = false;
    }
    if (first) {
        report_bad(lines->report, "missing_profile", gcf_graph_at(lines, lines->last_end),
                   "expected profile=graph after GCF");
        return false;
    }
    return fine || !lines->report->stopped;
}

bool gcf_graph_read_summary(gcf_graph_lines *lines, pith_text line, graph_head *head)
{
    gcf_graph_pairs pairs;
    pairs.rest = line;
    pairs.count = 0;
    gcf_graph_field(&pairs.rest);
    if (!text_is(gcf_graph_field(&pairs.rest), "summary"))
        return report_expected(lines->report, "invalid_line", line, "'##! summary'");
    while (pairs.rest.len > 0 && !lines->report->stopped) {
        pith_text name;
        pith_text value;
        if (!gcf_graph_next_pair(lines, &pairs, &name, &value))
            return false;
        graph_head_word word = graph_find_head_word(name);
        graph_head_field field = {word, name, value};
        if ((word == GRAPH_HEAD_SYMBOLS || word == GRAPH_HEAD_EDGES) &&
            !graph_take_field(head, &gcf_graph_rules, &field, lines->report))
            return false;
    }
    return true;
}

/* --------------------------------------------------------------------- sections */

static bool gcf_graph_read_bracket(gcf_graph_lines *lines, pith_text field,
                                   gcf_graph_section *section)
{
    if (field.len < 2 || field.ptr[0] != '[' || field.ptr[field.len - 1] != ']') {
        return report_expected(lines->report, "invalid_line", field,
                               "[N] or nothing after the name of a section");
    }
    section->digits = text_of(field.ptr + 1, field.len - 2);
    section->deferred = text_is(section->digits, "?");
    if (!section->deferred && !gcf_graph_number(section->digits, &section->wanted)) {
        return report_expected(lines->report, "invalid_count", section->digits,
                               "0, a number that does not start with 0, or ?");
    }
    section->counted = !section->deferred;
    return true;
}

bool gcf_graph_read_section(gcf_graph_lines *lines, pith_text line,
                            gcf_graph_section *section)
{
    pith_text rest = line;
    memset(section, 0, sizeof *section);
    section->line = lines->lines.number;
    gcf_graph_field(&rest);
    section->name = gcf_graph_field(&rest);
    section->digits = text_of("", 0);
    if (line.len < 3 || line.ptr[2] != ' ' || section->name.len == 0)
        return report_expected(lines->report, "invalid_line", line, "'## name'");
    return rest.len == 0 || gcf_graph_read_bracket(lines, rest, section);
}

void gcf_graph_count_line(gcf_graph_lines *lines, gcf_graph_section *section,
                          pith_text line)
{
    section->found++;
    if (section->counted && section->found > section->wanted && !section->surplus) {
        section->surplus = true;
        report_bad(lines->report, "count_mismatch", gcf_graph_at(lines, line.ptr),
                   "%s declared in line %zu, and this is one more",
                   error_quote(section->digits.ptr, section->digits.len).text,
                   section->line);
    }
}

void gcf_graph_end_section(gcf_graph_lines *lines, const gcf_graph_section *section)
{
    if (section->counted && section->found < section->wanted) {
        report_bad(lines->report, "count_mismatch", gcf_graph_at(lines, lines->last_end),
                   "%s declared in line %zu, found %llu",
                   error_quote(section->digits.ptr, section->digits.len).text,
                   section->line, (unsigned long long)section->found);
    }
}

/* ------------------------------------------------------------------------ fields */

bool gcf_graph_read_id(gcf_graph_lines *lines, pith_text field, uint64_t *id)
{
    pith_text digits = text_of(field.ptr + 1, field.len > 0 ? field.len - 1 : 0);
    if (field.len > 0 && field.ptr[0] == '@' && gcf_graph_number(digits, id))
        return true;
    return report_expected(lines->report, "invalid_symbol_id", field, "@ and a number");
}

bool gcf_graph_read_score(gcf_graph_lines *lines, pith_text field, pith_text *score)
{
    const char *at = field.ptr;
    const char *end = field.ptr + field.len;
    bool negative = field.len > 0 && *at == '-';
    const char *whole = at + negative;
    pith_text before = text_of(whole, end - whole > 3 ? (size_t)(end - whole) - 3 : 0);
    if (!gcf_graph_digits(before) || end[-3] != '.' ||
        !gcf_graph_digits(text_of(end - 2, 2))) {
        return report_expected(lines->report, "invalid_score", field,
                               "a number with two decimals");
    }
    while (before.len > 1 && *whole == '0') {
        whole++;
        before.len--;
    }
    while (end[-1] == '0')
        end--;
    end -= end[-1] == '.';
    *score = text_of(whole, (size_t)(end - whole));
    if (negative && !text_is(*score, "0")) {
        if (whole != at + 1) {
            report_bad(lines->report, "invalid_score", gcf_graph_at(lines, at),
                       "expected a score without leading zeros");
            return false;
        }
        *score = text_of(at, (size_t)(end - at));
    }
    return true;
}

#endif
