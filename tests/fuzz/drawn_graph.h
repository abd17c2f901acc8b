/*
 * drawn_graph.h - a code graph drawn from any bytes, up to a newline.
 *
 *     s K N S D   a symbol: kind, name, score in hundredths, distance
 *     p K N S D   one with a place in a file
 *     e A B T     an edge between two of the symbols so far, and its type
 *
 * Other bytes are skipped, and so is a symbol that is there already.
 */
#ifndef PITH_FUZZ_DRAWN_GRAPH_H
#define PITH_FUZZ_DRAWN_GRAPH_H

#include "drawn.h"
#include "graphs.h"
#include "fuzzing.h"

static const char *const drawn_kinds[] = {"fn",     "type",  "method", "variable",
                                          "class",  "const", "field",  "package",
                                          "x-kind", "file"};

/* A name without white space: one of the pieces, or a short one. */
static inline pith_text draw_name(draw *from)
{
    pith_text name = draw_piece(draw_byte(from));
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.ptr[i] <= ' ' || name.ptr[i] == 0x7F)
            name.len = i;
    if (name.len == 0) {
        name.ptr = "blank";
        name.len = 5;
    }
    return name;
}

static inline pith_text drawn_text(const char *text)
{
    pith_text whole = {text, strlen(text)};
    return whole;
}

static inline void draw_symbol(draw *from, code_graph *graph, bool place)
{
    made_symbol symbol;
    char name[128];
    memset(&symbol, 0, sizeof symbol);
    const char *kind = drawn_kinds[draw_byte(from) % 10];
    symbol.kind = drawn_text(kind);
    symbol.name = draw_name(from);
    symbol.provenance = drawn_text("p");
    symbol.score = draw_byte(from) % 101 / 100.0;
    symbol.distance = draw_byte(from) % 5;
    if (place) {
        symbol.file = draw_name(from);
        symbol.line = draw_byte(from) + 1u;
        symbol.column = draw_byte(from) + 1u;
        symbol.end_line = symbol.column % 2 ? symbol.line + 3 : 0;
        symbol.end_column = symbol.column % 2 ? 1 : 0;
    }
    snprintf(name, sizeof name, "%.*s", (int)symbol.name.len, symbol.name.ptr);
    if (made_graph_find(graph, kind, name) == MADE_NONE)
        made_graph_add_symbol(graph, &symbol);
}

/* The graph of the bytes, in the emptied `graph`; false when it is none. */
static inline bool draw_graph(draw *from, code_graph *graph)
{
    static const char *const types[] = {"calls", "imports", "x", "tests"};
    graph_reset(graph);
    while (from->at < from->end) {
        uint8_t byte = draw_byte(from);
        size_t count = graph->symbols.count;
        if (byte == '\n')
            break;
        if (byte == 's' || byte == 'p') {
            draw_symbol(from, graph, byte == 'p');
        } else if (byte == 'e' && count > 0) {
            size_t source = draw_byte(from) % count;
            size_t target = draw_byte(from) % count;
            made_graph_add_edge(graph, source, target, types[draw_byte(from) % 4], NULL);
        }
    }
    pith_error err = {0};
    pith_status status = made_graph_finish(graph, &err);
    REQUIRE(status == PITH_OK || status == PITH_UNREPRESENTABLE ||
            status == PITH_BAD_INPUT);
    return status == PITH_OK;
}

/* The graph as a document; yours. */
static inline pith_doc *graph_document(code_graph *graph)
{
    pith_doc *doc = pith_doc_new(NULL);
    REQUIRE(doc != NULL);
    REQUIRE(made_graph_to_doc(graph, doc, NULL) == PITH_OK);
    return doc;
}

/* The same symbols, edges and first line, in the same order. */
static inline void require_same_graph(code_graph *a, code_graph *b)
{
    pith_doc *one = graph_document(a);
    pith_doc *other = graph_document(b);
    if (!pith_value_equal(pith_doc_root(one), pith_doc_root(other))) {
        pith_buffer left = fuzz_write(pith_doc_root(one), "json", NULL);
        pith_buffer right = fuzz_write(pith_doc_root(other), "json", NULL);
        fprintf(stderr, "%s\n%s\n", left.data, right.data);
    }
    REQUIRE(pith_value_equal(pith_doc_root(one), pith_doc_root(other)));
    pith_doc_free(one);
    pith_doc_free(other);
}

static inline pith_root root_of_graph(const code_graph *graph)
{
    pith_root root;
    REQUIRE(made_graph_root(graph, &root, NULL) == PITH_OK);
    return root;
}

/* The same content, whatever its order. */
static inline void require_same_root(const code_graph *a, const code_graph *b)
{
    REQUIRE(strcmp(root_of_graph(a).text, root_of_graph(b).text) == 0);
}

#endif /* PITH_FUZZ_DRAWN_GRAPH_H */
