/*
 * graph_from_doc.c - an object of symbols and edges becomes a graph.
 *
 * Which member of a symbol is which is found once for all symbols of one shape, so a list
 * of a million symbols that are alike compares its keys once. Both spellings of a key are
 * read: the one with underscores and the one with capitals.
 */
#include "graph/graph_doc.h"

#include "base/num.h"
#include "base/print.h"
#include "doc/spelled.h"

#ifndef PITH_OMIT_GRAPHS

const graph_member_name graph_members[MEMBER_COUNT] = {
    {"qualified_name", "qualifiedName"},
    {"kind", NULL},
    {"score", NULL},
    {"provenance", NULL},
    {"distance", NULL},
    {"file", NULL},
    {"line", NULL},
    {"column", NULL},
    {"end_line", "endLine"},
    {"end_column", "endColumn"},
    {"source", NULL},
    {"target", NULL},
    {"edge_type", "edgeType"},
    {"status", NULL},
    {"source_kind", "sourceKind"},
    {"target_kind", "targetKind"},
    {"tool", NULL},
    {"tokens_used", "tokensUsed"},
    {"token_budget", "tokenBudget"},
    {"pack_root", "packRoot"},
    {"header", NULL},
    {"symbols", NULL},
    {"edges", NULL},
};

/* An object of the list that is being read, taken apart. */
typedef struct from_object {
    const pith_slot *at[MEMBER_COUNT]; /* NULL where absent or null */
    const char *list; /* "symbols" or "edges"; NULL for the graph itself */
    size_t index;
} from_object;

/* Which member is which, for the shape seen last. */
typedef struct from_plan {
    graph_member first, last; /* those that may stand here */
    const char *list;
    uint16_t shape;
    graph_member fields[SHAPE_WIDTH_MOST];
} from_plan;

typedef struct from_work {
    code_graph *graph;
    const pith_doc *doc;
    graph_extra extra;
} from_work;

/* -------------------------------------------------------------------- messages */

/* Where a member is, for messages: "symbols[3].kind", of the graph itself "tool". */
typedef struct from_path {
    char text[128];
} from_path;

static from_path from_path_of(const from_object *object, const char *name)
{
    from_path path;
    if (object->list) {
        print_into(path.text, sizeof path.text, "%s[%zu].%s", object->list, object->index,
                   name);
    } else {
        print_into(path.text, sizeof path.text, "%s", name);
    }
    return path;
}

static from_path from_key_path(const from_object *object, const pith_key *key)
{
    return from_path_of(object, error_quote(key->text, key->len).text);
}

static pith_status from_refuse(from_work *work, const from_object *object,
                               graph_member field, const char *expected)
{
    return graph_fail(work->graph, PITH_UNREPRESENTABLE, "not_a_graph", "%s: expected %s",
                      from_path_of(object, graph_members[field].plain).text, expected);
}

/* Whether members that a graph has no place for, or edges, are left out. */
static bool from_drops(const from_work *work, bool edge)
{
    return work->extra == GRAPH_DROP_EXTRA || (edge && work->extra == GRAPH_DROP_EDGES);
}

/* True when it is left out and that was told before. */
static bool from_was_told(const from_work *work, bool edge)
{
    return from_drops(work, edge) && work->graph->dropped.status != PITH_OK;
}

/* Something has no place in a graph: it is left out, and the first time is kept, or
 * refused. */
static void from_leave_out(from_work *work, bool edge, const char *code, const char *what)
{
    code_graph *graph = work->graph;
    if (!from_drops(work, edge)) {
        graph_fail(graph, PITH_UNREPRESENTABLE, code, "%s; lossy=true leaves it out",
                   what);
    } else {
        error_set(&graph->dropped, PITH_UNREPRESENTABLE, code, "%s; it is left out",
                  what);
    }
}

/* --------------------------------------------------------------------- members */

/* False when the member may not be left out. */
static bool from_leave_out_key(from_work *work, const from_object *object,
                               const pith_key *key)
{
    char what[256];
    if (!from_was_told(work, false)) {
        print_into(what, sizeof what, "%s: a graph has no place for it",
                   from_key_path(object, key).text);
        from_leave_out(work, false, "unknown_member", what);
    }
    return work->graph->fault.status == PITH_OK;
}

static graph_member from_member_of(const from_plan *plan, const pith_key *key)
{
    pith_text name = key_text(key);
    for (size_t i = plan->first; i <= (size_t)plan->last; i++)
        if (text_is(name, graph_members[i].plain) ||
            (graph_members[i].camel && text_is(name, graph_members[i].camel)))
            return (graph_member)i;
    return MEMBER_UNKNOWN;
}

/* Sets the members of the object at `slot`; false when it cannot be. */
static bool from_open(from_work *work, from_plan *plan, const pith_slot *slot,
                      from_object *object)
{
    memset(object->at, 0, sizeof object->at);
    object->list = plan->list;
    if (slot->kind != PITH_OBJECT) {
        if (plan->list) {
            graph_fail(work->graph, PITH_UNREPRESENTABLE, "not_a_graph",
                       "%s[%zu]: expected an object", plan->list, object->index);
        } else {
            graph_fail(work->graph, PITH_UNREPRESENTABLE, "not_a_graph",
                       "expected an object with symbols and edges");
        }
        return false;
    }
    const pith_key *keys = doc_keys(work->doc, slot);
    bool known = slot->shape != SHAPE_NONE && slot->shape == plan->shape;
    const pith_slot *child = slot + 1;
    for (uint32_t i = 0; i < slot->n; i++) {
        graph_member field = known ? plan->fields[i] : from_member_of(plan, &keys[i]);
        if (slot->shape != SHAPE_NONE && !known)
            plan->fields[i] = field;
        if (field != MEMBER_UNKNOWN && object->at[field]) {
            graph_fail(work->graph, PITH_UNREPRESENTABLE, "duplicate_member",
                       "%s: the same member is there in two spellings",
                       from_key_path(object, &keys[i]).text);
            return false;
        }
        if (field == MEMBER_UNKNOWN && !from_leave_out_key(work, object, &keys[i]))
            return false;
        if (field != MEMBER_UNKNOWN && child->kind != PITH_NULL)
            object->at[field] = child;
        child = work->doc->slots +
                doc_after_at(work->doc, (uint32_t)(child - work->doc->slots));
    }
    plan->shape = slot->shape;
    return true;
}

static pith_text from_text(from_work *work, const from_object *object, graph_member field)
{
    const pith_slot *slot = object->at[field];
    if (slot && slot->kind != PITH_STRING)
        from_refuse(work, object, field, "a string");
    return slot && slot->kind == PITH_STRING ? slot_text(slot) : text_of("", 0);
}

static uint64_t from_number(from_work *work, const from_object *object,
                            graph_member field)
{
    const pith_slot *slot = object->at[field];
    uint64_t number = 0;
    if (slot && (slot->kind != PITH_INTEGER || !num_to_uint64(slot_text(slot), &number)))
        from_refuse(work, object, field, "a whole number that is not negative");
    return number;
}

/* --------------------------------------------------------------------- symbols */

static void from_place(from_work *work, const from_object *object)
{
    graph_place place;
    place.file = from_text(work, object, MEMBER_FILE);
    place.line = from_number(work, object, MEMBER_LINE);
    place.column = from_number(work, object, MEMBER_COLUMN);
    place.end_line = from_number(work, object, MEMBER_END_LINE);
    place.end_column = from_number(work, object, MEMBER_END_COLUMN);
    if (work->graph->fault.status == PITH_OK)
        graph_set_place(work->graph, (uint32_t)(work->graph->symbols.count - 1), &place);
}

static void from_symbol(from_work *work, const from_object *object)
{
    const pith_slot *score = object->at[MEMBER_SCORE];
    graph_node node;
    node.kind = from_text(work, object, MEMBER_KIND);
    node.name = from_text(work, object, MEMBER_NAME);
    node.provenance = from_text(work, object, MEMBER_PROVENANCE);
    node.distance = from_number(work, object, MEMBER_DISTANCE);
    node.score = score ? slot_text(score) : text_of("0", 1);
    if (score && score->kind != PITH_INTEGER && score->kind != PITH_DECIMAL)
        from_refuse(work, object, MEMBER_SCORE, "a number");
    if (!object->at[MEMBER_NAME])
        from_refuse(work, object, MEMBER_NAME, "a name");
    graph_add_symbol(work->graph, &node);
    for (size_t field = MEMBER_FILE; field <= MEMBER_END_COLUMN; field++) {
        if (object->at[field]) {
            from_place(work, object);
            return;
        }
    }
}

/* ----------------------------------------------------------------------- edges */

/* The symbol at one end of an edge; GRAPH_NONE when it is not there. */
static uint32_t from_end(from_work *work, const from_object *object, graph_member name_at,
                         graph_member kind_at)
{
    bool shared = false;
    pith_text name = from_text(work, object, name_at);
    pith_text kind = from_text(work, object, kind_at);
    if (!object->at[name_at])
        from_refuse(work, object, name_at, "the name of a symbol");
    uint32_t found = kind.len > 0 ? graph_find(work->graph, kind, name)
                                  : graph_find_name(work->graph, name, &shared);
    if (shared) {
        graph_fail(work->graph, PITH_UNREPRESENTABLE, "ambiguous_edge",
                   "%s: several kinds are called \"%s\"; say %s",
                   from_path_of(object, graph_members[name_at].plain).text,
                   error_quote(name.ptr, name.len).text, graph_members[kind_at].plain);
    } else if (found == GRAPH_NONE && !from_was_told(work, true)) {
        char what[256];
        print_into(what, sizeof what, "%s: there is no symbol \"%s\"",
                   from_path_of(object, graph_members[name_at].plain).text,
                   error_quote(name.ptr, name.len).text);
        from_leave_out(work, true, "unknown_edge_reference", what);
    }
    return found;
}

static void from_edge(from_work *work, const from_object *object)
{
    uint32_t source = from_end(work, object, MEMBER_SOURCE, MEMBER_SOURCE_KIND);
    uint32_t target = from_end(work, object, MEMBER_TARGET, MEMBER_TARGET_KIND);
    pith_text type = from_text(work, object, MEMBER_TYPE);
    pith_text status = from_text(work, object, MEMBER_STATUS);
    if (!object->at[MEMBER_TYPE])
        from_refuse(work, object, MEMBER_TYPE, "the type of the edge");
    if (source != GRAPH_NONE && target != GRAPH_NONE)
        graph_add_edge(work->graph, source, target, type, status);
    else
        work->graph->dropped_edges = true;
}

/* ------------------------------------------------------------------------ lists */

static from_plan from_plan_of(bool symbols)
{
    from_plan plan = {.first = symbols ? MEMBER_NAME : MEMBER_SOURCE,
                      .last = symbols ? MEMBER_END_COLUMN : MEMBER_TARGET_KIND,
                      .list = symbols ? "symbols" : "edges"};
    return plan;
}

static void from_list(from_work *work, const from_object *top, graph_member which)
{
    const pith_slot *list = top->at[which];
    bool symbols = which == MEMBER_SYMBOLS;
    from_plan plan = from_plan_of(symbols);
    from_object object;
    if (list->kind != PITH_ARRAY) {
        from_refuse(work, top, which, "an array");
        return;
    }
    const pith_slot *end = work->doc->slots + list->u.link.next;
    const pith_slot *at = list + 1;
    for (object.index = 0; at < end; object.index++) {
        if (!from_open(work, &plan, at, &object))
            return;
        if (symbols)
            from_symbol(work, &object);
        else
            from_edge(work, &object);
        if (work->graph->fault.status != PITH_OK)
            return;
        at =
            work->doc->slots + doc_after_at(work->doc, (uint32_t)(at - work->doc->slots));
    }
}

/* The object of further fields of the first line. */
static void from_header(from_work *work, const from_object *top)
{
    const pith_slot *header = top->at[MEMBER_HEADER];
    if (header->kind != PITH_OBJECT) {
        from_refuse(work, top, MEMBER_HEADER, "an object of strings");
        return;
    }
    const pith_key *keys = doc_keys(work->doc, header);
    uint32_t child = (uint32_t)(header - work->doc->slots) + 1;
    for (uint32_t i = 0; i < header->n && work->graph->fault.status == PITH_OK; i++) {
        const pith_slot *value = &work->doc->slots[child];
        if (value->kind == PITH_STRING)
            graph_add_field(work->graph, key_text(&keys[i]), slot_text(value));
        else
            from_refuse(work, top, MEMBER_HEADER, "an object of strings");
        child = doc_after_at(work->doc, child);
    }
}

/* What the first line says, but for symbols and edges. */
static void from_head(from_work *work, const from_object *top)
{
    code_graph *graph = work->graph;
    if (top->at[MEMBER_TOKENS])
        graph->tokens = from_number(work, top, MEMBER_TOKENS);
    if (top->at[MEMBER_BUDGET])
        graph->budget = from_number(work, top, MEMBER_BUDGET);
    if (top->at[MEMBER_TOOL])
        graph_set_header(graph, from_text(work, top, MEMBER_TOOL), graph->pack_root);
    if (top->at[MEMBER_ROOT])
        graph_set_header(graph, graph->tool, from_text(work, top, MEMBER_ROOT));
    if (top->at[MEMBER_HEADER])
        from_header(work, top);
}

pith_status graph_from_doc(code_graph *graph, const pith_doc *doc, uint32_t at,
                           graph_extra extra)
{
    assert(doc_is_spelled(doc) && graph->symbols.count == 0);
    from_work work = {graph, doc, extra};
    from_plan plan = {.first = MEMBER_TOOL, .last = MEMBER_EDGES};
    from_object top;
    top.index = 0;
    if (!from_open(&work, &plan, &doc->slots[at], &top))
        return graph->fault.status;
    if (!top.at[MEMBER_SYMBOLS])
        return from_refuse(&work, &top, MEMBER_SYMBOLS, "the symbols of a graph");
    from_head(&work, &top);
    if (graph->fault.status == PITH_OK)
        from_list(&work, &top, MEMBER_SYMBOLS);
    if (graph->fault.status == PITH_OK && top.at[MEMBER_EDGES])
        from_list(&work, &top, MEMBER_EDGES);
    return graph->fault.status;
}

pith_status graph_add_member(code_graph *graph, pith_text key, const pith_doc *doc,
                             uint32_t at, graph_extra extra)
{
    from_work work = {graph, doc, extra};
    from_plan plan = {.first = MEMBER_TOOL, .last = MEMBER_HEADER};
    from_object top = {.list = NULL};
    pith_key name = {key.ptr, (uint32_t)key.len, 0, 0};
    graph_member member = from_member_of(&plan, &name);
    if (member == MEMBER_UNKNOWN)
        from_leave_out_key(&work, &top, &name);
    else if (doc->slots[at].kind != PITH_NULL)
        top.at[member] = &doc->slots[at];
    from_head(&work, &top);
    return graph->fault.status;
}

pith_status graph_add_part(code_graph *graph, bool symbol, size_t index,
                           const pith_doc *doc, const pith_slot *slot, graph_extra extra)
{
    from_work work = {graph, doc, extra};
    from_plan plan = from_plan_of(symbol);
    from_object object;
    object.index = index;
    if (!from_open(&work, &plan, slot, &object))
        return graph->fault.status;
    if (symbol)
        from_symbol(&work, &object);
    else
        from_edge(&work, &object);
    return graph->fault.status;
}

#endif
