/*
 * graph_lines.c - groups, ids, symbols and edges, as lines.
 */
#include "graph/graph_lines.h"

#ifndef PITH_OMIT_GRAPHS

/* --------------------------------------------------------------- the first line */

bool graph_bad_value(const graph_head_rules *rules, const graph_head_field *field,
                     reporter *report, const char *expected)
{
    report_bad(report, rules->code, (size_t)(field->value.ptr - report->input.ptr),
               "%s= expected %s, found '%s'",
               error_quote(field->name.ptr, field->name.len).text, expected,
               error_quote(field->value.ptr, field->value.len).text);
    return false;
}

static bool graph_take_count(graph_count *count, const graph_head_rules *rules,
                             const graph_head_field *field, reporter *report)
{
    count->at = field->name.ptr;
    return rules->read(field->value, &count->value) ||
           graph_bad_value(rules, field, report, rules->number);
}

static bool graph_take_truth(bool *truth, const graph_head_rules *rules,
                             const graph_head_field *field, reporter *report)
{
    *truth = text_is(field->value, "true");
    return *truth || text_is(field->value, "false") ||
           graph_bad_value(rules, field, report, "true or false");
}

bool graph_take_field(graph_head *head, const graph_head_rules *rules,
                      const graph_head_field *field, reporter *report)
{
    switch (field->word) {
    case GRAPH_HEAD_TOOL:
        head->tool = field->value;
        return true;
    case GRAPH_HEAD_ROOT:
        head->pack_root = field->value;
        return true;
    case GRAPH_HEAD_BASE_ROOT:
        head->base_root = field->value;
        return true;
    case GRAPH_HEAD_NEW_ROOT:
        head->new_root = field->value;
        return true;
    case GRAPH_HEAD_BUDGET:
        return graph_take_count(&head->budget, rules, field, report);
    case GRAPH_HEAD_TOKENS:
        return graph_take_count(&head->tokens, rules, field, report);
    case GRAPH_HEAD_SYMBOLS:
        return graph_take_count(&head->symbols, rules, field, report);
    case GRAPH_HEAD_EDGES:
        return graph_take_count(&head->edges, rules, field, report);
    case GRAPH_HEAD_SESSION:
        return graph_take_truth(&head->session, rules, field, report);
    case GRAPH_HEAD_DELTA:
        head->at = field->name.ptr;
        return graph_take_truth(&head->delta, rules, field, report);
    case GRAPH_HEAD_UNCHANGED:
        head->at = field->name.ptr;
        return graph_take_truth(&head->unchanged, rules, field, report);
    default:
        return true;
    }
}

pith_status graph_set_head(code_graph *graph, const graph_head *head)
{
    graph->budget = head->budget.value;
    graph->tokens = head->tokens.value;
    graph->declared = head->symbols.value;
    graph->session = head->session;
    graph->delta = head->delta;
    return graph_set_header(graph, head->tool, head->pack_root);
}

/* -------------------------------------------------------------------------- ids */

static size_t graph_id_slot(const graph_ids *ids, uint64_t id)
{
    const hash_table *table = &ids->table;
    size_t at = hash_first(table, hash_number(ids->seed, id));
    while (table->at[at] != HASH_NONE && ids->list.at[table->at[at]].id != id)
        at = hash_next(table, at);
    return at;
}

const graph_id *graph_ids_find(const graph_ids *ids, uint64_t id)
{
    uint32_t found = ids->table.size ? ids->table.at[graph_id_slot(ids, id)] : HASH_NONE;
    return found == HASH_NONE ? NULL : &ids->list.at[found];
}

bool graph_ids_add(graph_ids *ids, const pith_alloc *alloc, uint64_t id, uint32_t symbol)
{
    bool moved;
    size_t count = ids->list.count;
    assert(!graph_ids_find(ids, id));
    graph_id *added = LIST_ADD(&ids->list, alloc);
    if (!added || !hash_table_reserve(&ids->table, alloc, count + 1, &moved)) {
        ids->list.count = count;
        return false;
    }
    added->id = id;
    added->symbol = symbol;
    for (size_t i = moved ? 0 : count; i <= count; i++)
        ids->table.at[graph_id_slot(ids, ids->list.at[i].id)] = (uint32_t)i;
    return true;
}

void graph_ids_free(graph_ids *ids, const pith_alloc *alloc)
{
    LIST_FREE(&ids->list, alloc);
    hash_table_free(&ids->table, alloc);
}

void graph_report_fault(code_graph *graph, reporter *report, size_t offset,
                        const char *code)
{
    pith_error *fault = &graph->fault;
    bool limit = fault->status == PITH_LIMIT;
    if (fault->status == PITH_NO_MEMORY) {
        report_no_memory(report);
        return;
    }
    report_problem(report, limit ? PITH_LIMIT : PITH_BAD_INPUT,
                   code && !limit ? code : fault->code, offset, "%s", fault->message);
    fault->status = PITH_OK;
}

/* ----------------------------------------------------------------------- groups */

static const char *const graph_groups[] = {"targets", "related", "extended"};
static const char graph_far_group[] = "distance_";

enum { GRAPH_GROUPS = sizeof graph_groups / sizeof *graph_groups };

bool graph_read_group(pith_text name, graph_read_number read, uint64_t *distance)
{
    for (size_t i = 0; i < GRAPH_GROUPS; i++) {
        if (text_is(name, graph_groups[i])) {
            *distance = i;
            return true;
        }
    }
    return text_begins(name, graph_far_group) &&
           read(text_after(name, sizeof graph_far_group - 1), distance);
}

void graph_put_group(pith_out *out, uint64_t distance)
{
    if (distance < GRAPH_GROUPS) {
        out_string(out, graph_groups[distance]);
    } else {
        out_string(out, graph_far_group);
        out_number(out, distance);
    }
}

/* ---------------------------------------------------------------------- symbols */

void graph_put_node(pith_out *out, uint64_t id, pith_text kind, const graph_node *node)
{
    char score[GRAPH_SCORE_MAX_LEN];
    out_byte(out, '@');
    out_number(out, id);
    out_byte(out, ' ');
    out_text(out, kind);
    out_byte(out, ' ');
    out_text(out, node->name);
    out_byte(out, ' ');
    out_bytes(out, score, graph_write_score(score, node->score));
    out_byte(out, ' ');
    out_text(out, node->provenance);
}

void graph_put_symbols(pith_out *out, const code_graph *graph, const uint32_t *order,
                       const uint32_t *ids, const uint8_t *bare)
{
    for (size_t i = 0; i < graph->symbols.count; i++) {
        uint32_t number = order[i];
        const graph_symbol *symbol = &graph->symbols.at[number];
        if (i == 0 || symbol->distance != graph->symbols.at[order[i - 1]].distance) {
            out_string(out, "## ");
            graph_put_group(out, symbol->distance);
            out_byte(out, '\n');
        }
        if (bare && bare[number]) {
            out_byte(out, '@');
            out_number(out, ids[number]);
            out_string(out, "  # previously transmitted\n");
            continue;
        }
        graph_node node = graph_node_of(graph, number);
        graph_put_node(out, ids[number], graph->words.at[symbol->kind].brief, &node);
        out_byte(out, '\n');
    }
}

void graph_put_edge(pith_out *out, uint64_t target, uint64_t source, pith_text type,
                    pith_text status)
{
    out_byte(out, '@');
    out_number(out, target);
    out_string(out, "<@");
    out_number(out, source);
    out_byte(out, ' ');
    out_text(out, type);
    if (status.len > 0) {
        out_byte(out, ' ');
        out_text(out, status);
    }
    out_byte(out, '\n');
}

/* ---------------------------------------------------------------------- changes */

static void graph_put_links(pith_out *out, const char *header, const graph_links *links)
{
    out_string(out, links->count > 0 ? header : "");
    for (size_t i = 0; i < links->count; i++) {
        out_text(out, links->at[i].source);
        out_string(out, " -> ");
        out_text(out, links->at[i].target);
        out_byte(out, ' ');
        out_text(out, links->at[i].type);
        out_byte(out, '\n');
    }
}

void graph_put_changes(pith_out *out, const graph_delta *delta, bool distances)
{
    out_string(out, delta->removed.count > 0 ? "## removed\n" : "");
    for (size_t i = 0; i < delta->removed.count; i++) {
        out_text(out, graph_abbreviate_kind(delta->removed.at[i].kind));
        out_byte(out, ' ');
        out_text(out, delta->removed.at[i].name);
        out_byte(out, '\n');
    }
    out_string(out, delta->added.count > 0 ? "## added\n" : "");
    for (size_t i = 0; i < delta->added.count; i++) {
        const graph_node *node = &delta->added.at[i];
        graph_put_node(out, i, graph_abbreviate_kind(node->kind), node);
        if (distances) {
            out_byte(out, ' ');
            out_number(out, node->distance);
        }
        out_byte(out, '\n');
    }
    graph_put_links(out, "## edges_removed\n", &delta->edges_removed);
    graph_put_links(out, "## edges_added\n", &delta->edges_added);
}

#endif
