/*
 * graph.h - the model of a code graph: symbols, and edges between them.
 *
 *     words    0 function  1 lsp_resolved  2 calls ...     each text once
 *
 *     symbols  0 | pkg.Auth   | kind 0 | provenance 1 | score "0.78" | distance 0 |
 *              1 | pkg.Server | kind 0 | provenance 1 | score "0.54" | distance 1 |
 *
 *     edges    0 | source 1 | target 0 | type 2 | status - |
 *
 * A graph has few kinds, provenances and edge types and many names, so the former are
 * numbers of words and an edge is 16 bytes. A score is kept as the digits it was given
 * with, so nothing is lost before somebody asks for two decimals of it.
 *
 * Identity is the pair (kind, name): a function and a type of one name are two symbols.
 * Two hash tables find them, one by identity and one by name alone; the latter is made
 * when an edge first asks for it, and knows which names are shared.
 *
 * What stands in a graph can be written as one: every text is UTF-8 without white space
 * and control characters, every score is a finite number, no two symbols have one
 * identity, and both ends of an edge are symbols. The calls that add see to that.
 *
 * Texts are copied into the graph's arena, or borrowed when `borrows` is set: then they
 * must outlive it. Kinds are always kept in their full form: "fn" becomes "function".
 */
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H

#include "base/arena.h"
#include "base/error.h"
#include "base/hash_table.h"
#include "base/list.h"

#define GRAPH_NONE HASH_NONE /* no such symbol, edge, word or place */

/* As those of slot.h, a build may set less. */
#ifndef GRAPH_MOST
#define GRAPH_MOST (UINT32_MAX / 2) /* symbols, edges, words */
#endif
#ifndef GRAPH_TEXT_MOST
#define GRAPH_TEXT_MOST (UINT32_MAX / 2) /* bytes of a name */
#endif

typedef struct graph_symbol {
    const char *name;
    const char *score; /* in JSON's grammar */
    uint64_t distance;
    uint32_t name_len;
    uint32_t score_len;
    uint32_t kind;       /* words */
    uint32_t provenance; /* words */
    uint32_t place;      /* places; GRAPH_NONE without one */
    uint32_t hash;       /* of the name */
} graph_symbol;

typedef struct graph_edge {
    uint32_t source; /* symbols */
    uint32_t target;
    uint32_t type;   /* words */
    uint32_t status; /* words; GRAPH_NONE without one */
} graph_edge;

/* Where a symbol stands in a file: level 3.6. Lines and columns count from 1. */
typedef struct graph_place {
    pith_text file;
    uint64_t line;
    uint64_t column;
    uint64_t end_line; /* 0 without an end */
    uint64_t end_column;
} graph_place;

/* A field of the first line that means nothing to a graph and is kept as it is. */
typedef struct graph_field {
    pith_text name;
    pith_text value; /* may be empty */
} graph_field;

enum { GRAPH_FIELDS_MOST = 64 };

typedef struct graph_word {
    pith_text text;
    uint32_t hash;
    pith_text brief; /* as a kind: as GCF writes it */
} graph_word;

typedef struct code_graph {
    pith_alloc alloc;
    pith_arena arena;
    bool borrows;
    uint64_t seed;

    pith_text tool;
    uint64_t budget;
    uint64_t tokens;
    pith_text pack_root;
    LIST(graph_field) fields; /* the others, in their order */

    /* What a first line said that was read. They are told and not written again. */
    bool session;
    bool delta;
    uint64_t declared; /* symbols */

    LIST(graph_symbol) symbols;
    LIST(graph_edge) edges;
    LIST(graph_place) places;
    LIST(graph_word) words;

    hash_table by_identity;
    hash_table by_name; /* the first symbol of each name */
    hash_table by_word;
    LIST(uint8_t) shared; /* of each symbol in by_name: another has its name */

    pith_error fault;   /* the first failure; status PITH_OK when none */
    pith_error dropped; /* the first thing that was left out on request; likewise */
    bool dropped_edges; /* edges were among it */
} code_graph;

/* ----------------------------------------------------------------- the basics */

/* A graph in memory of the caller; free it whatever happens. */
void graph_init(code_graph *graph, pith_alloc alloc);
void graph_free(code_graph *graph);

/* Empties it and keeps its memory. */
void graph_reset(code_graph *graph);

/* Keeps the first failure; returns its status. */
pith_status graph_fail(code_graph *graph, pith_status status, const char *code,
                       const char *format, ...) ERROR_FORMAT(4, 5);

static inline pith_text graph_name(const graph_symbol *symbol)
{
    pith_text text = {symbol->name, symbol->name_len};
    return text;
}

static inline pith_text graph_score(const graph_symbol *symbol)
{
    pith_text text = {symbol->score, symbol->score_len};
    return text;
}

/* The text of a word; empty for GRAPH_NONE. */
static inline pith_text graph_word_text(const code_graph *graph, uint32_t word)
{
    pith_text none = {"", 0};
    assert(word == GRAPH_NONE || word < graph->words.count);
    return word == GRAPH_NONE ? none : graph->words.at[word].text;
}

/* The full form of an abbreviation, and the other way; the text itself if there is
 * none. Static or the text given. */
pith_text graph_expand_kind(pith_text kind);
pith_text graph_abbreviate_kind(pith_text kind);

/* -------------------------------------------------------------------- building */

/* What a symbol is made of. Kinds may be abbreviated; the score is in JSON's grammar. */
typedef struct graph_node {
    pith_text kind;
    pith_text name;
    pith_text score;
    pith_text provenance;
    uint64_t distance;
} graph_node;

static inline graph_node graph_node_of(const code_graph *graph, uint32_t symbol)
{
    assert(symbol < graph->symbols.count);
    const graph_symbol *at = &graph->symbols.at[symbol];
    graph_node node = {graph->words.at[at->kind].text, graph_name(at), graph_score(at),
                       graph->words.at[at->provenance].text, at->distance};
    return node;
}

/* All return PITH_OK or the graph's failure, which sticks. A symbol whose identity
 * is there already is "duplicate_symbol". */
pith_status graph_add_symbol(code_graph *graph, const graph_node *node);
pith_status graph_add_edge(code_graph *graph, uint32_t source, uint32_t target,
                           pith_text type, pith_text status);
pith_status graph_set_place(code_graph *graph, uint32_t symbol, const graph_place *place);

/* Adds a symbol of another graph, with its place; texts outlive both if `graph` borrows. */
pith_status graph_copy_symbol(code_graph *graph, const code_graph *from, uint32_t symbol);
pith_status graph_set_header(code_graph *graph, pith_text tool, pith_text pack_root);

/* A field that is none of graph_head_word. Its name holds no '=', and is there once. */
pith_status graph_add_field(code_graph *graph, pith_text name, pith_text value);
pith_status graph_add_fields(code_graph *graph, const code_graph *from);

/* The number of a word, or GRAPH_NONE. */
uint32_t graph_find_word(const code_graph *graph, pith_text text);

/* The same, but it is made if need be; GRAPH_NONE when out of memory. */
uint32_t graph_need_word(code_graph *graph, pith_text text);

/* Takes the last symbols away, so that `count` are left. There must be no edges, and
 * no names that were learned. */
void graph_truncate(code_graph *graph, size_t count);

/* The symbol of that identity, or GRAPH_NONE. */
uint32_t graph_find(const code_graph *graph, pith_text kind, pith_text name);

/* The symbol of that name. GRAPH_NONE when there is none, or, with `*shared` set, when
 * several kinds have it. Makes the table of names if need be; out of memory is a failure
 * of the graph. */
uint32_t graph_find_name(code_graph *graph, pith_text name, bool *shared);

/* True when another symbol has this one's name. graph_learn_names must have been called
 * since the last symbol was added; it returns false when out of memory, which is no
 * failure of the graph: whoever only looks at one may try again. */
bool graph_learn_names(code_graph *graph);
bool graph_name_is_shared(const code_graph *graph, uint32_t symbol);

/* True when the text may stand in a graph: not empty, UTF-8, no white space, no control
 * characters. */
bool graph_is_word(pith_text text);

/* Whether a symbol or an edge could be added, as far as its own texts go: for those who
 * write them without keeping them. PITH_OK, or the failure, which is the graph's. */
pith_status graph_check_node(code_graph *graph, const graph_node *node);
pith_status graph_check_edge(code_graph *graph, pith_text type, pith_text status);

/* True for what may stand in a first line: printable ASCII without spaces; or empty. */
static inline bool graph_fits_header(pith_text text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] <= ' ' || text.ptr[i] > '~')
            return false;
    return true;
}

/* The fields of a first line that mean something. */
typedef enum graph_head_word {
    GRAPH_HEAD_TOOL,
    GRAPH_HEAD_BUDGET,
    GRAPH_HEAD_TOKENS,
    GRAPH_HEAD_SYMBOLS,
    GRAPH_HEAD_EDGES,
    GRAPH_HEAD_ROOT,
    GRAPH_HEAD_SESSION,
    GRAPH_HEAD_DELTA,
    GRAPH_HEAD_UNCHANGED,
    GRAPH_HEAD_BASE_ROOT,
    GRAPH_HEAD_NEW_ROOT,
    GRAPH_HEAD_PROFILE,
    GRAPH_HEAD_OTHER /* none of them */
} graph_head_word;

graph_head_word graph_find_head_word(pith_text name);

/* ---------------------------------------------------------------------- scores */

enum { GRAPH_SCORE_MAX_LEN = 330 };

/* The score with two decimals, half to even, of the double nearest to the digits:
 * exactly what %.2f would print. Returns its length. */
size_t graph_write_score(char *to, pith_text score);

/* True when two decimals say all of the score. */
bool graph_score_is_settled(pith_text score);

/* The canonical digits of a score ("0.9", "1"), as a root takes them. */
size_t graph_write_canonical(char *to, pith_text score);

/* Rounds every score to the two decimals that travel. Whoever sends deltas does this to
 * every snapshot first: a root is made of scores, and the other side has only what
 * travelled. False when out of memory. */
bool graph_settle(code_graph *graph);

/* ---------------------------------------------------------------------- order */

/* The numbers of the symbols in the order of a text: by distance, then score from high to
 * low, then as they were added. `order` has room for all. False when out of memory. */
bool graph_order_symbols(const code_graph *graph, uint32_t *order);

/* The same by the bytes of their kind, abbreviated, and name. */
bool graph_order_identities(const code_graph *graph, uint32_t *order);

/* The numbers of the edges: by source, target and type, where `ids` says which id each
 * symbol has. False when out of memory. */
bool graph_order_edges(const code_graph *graph, const uint32_t *ids, uint32_t *order);

/* ----------------------------------------------------------------------- roots */

enum {
    GRAPH_ROOT_LEN = 71,       /* "sha256:" and 64 digits; no NUL */
    GRAPH_ROOT_PREFIX_LEN = 7, /* "sha256:" */
};

/* True for a name of a snapshot: hexadecimal digits, perhaps after "sha256:". */
bool graph_is_root(pith_text text);

/* The root of the graph by gcf-pack-root-v1: symbols and edges count, their order, the
 * status of edges, places and the first line do not. False when out of memory. */
bool graph_root(const code_graph *graph, char to[GRAPH_ROOT_LEN]);

/* The bytes that are hashed, in pieces. */
typedef void (*graph_take_bytes)(void *ctx, const char *bytes, size_t len);
bool graph_root_bytes(const code_graph *graph, graph_take_bytes take, void *ctx);

#endif
