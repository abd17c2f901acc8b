/*
 * graph_root.c - the name of a snapshot: gcf-pack-root-v1.
 *
 *     S <tab> kind <tab> name <tab> score <tab> provenance <tab> distance
 *     E <tab> kind <tab> name <tab> kind <tab> name <tab> type
 *
 * All symbols and then all edges, each sorted by its bytes, hashed. The records are never
 * made to be sorted: no text in them holds anything as small as a tab, so comparing
 * records is comparing fields, and the first two of a symbol are unique already. Once
 * symbols have a rank, edges are counted into place by it.
 */
#include "base/num.h"
#include "base/sha256.h"
#include "base/sort.h"
#include "graph/graph.h"

#ifndef PITH_OMIT_GRAPHS

enum { ROOT_DIGITS = 32, ROOT_BLOCK = 4096 };

/* -------------------------------------------------------------------- identities */

/* What is compared first: the kind's place among the kinds, then eight bytes of the name,
 * taken after what all names begin with. */
typedef struct root_key {
    uint64_t head;
    uint32_t kind;
} root_key;

typedef struct root_names {
    const code_graph *graph;
    const root_key *keys;
} root_names;

static bool root_before(const void *ctx, uint32_t a, uint32_t b)
{
    const root_names *names = (const root_names *)ctx;
    const root_key *left = &names->keys[a];
    const root_key *right = &names->keys[b];
    if (left->kind != right->kind)
        return left->kind < right->kind;
    if (left->head != right->head)
        return left->head < right->head;
    return text_order(graph_name(&names->graph->symbols.at[a]),
                      graph_name(&names->graph->symbols.at[b])) < 0;
}

static bool root_word_before(const void *ctx, uint32_t a, uint32_t b)
{
    const graph_word *words = (const graph_word *)ctx;
    return text_order(words[a].brief, words[b].brief) < 0;
}

/* How many bytes all names begin with. */
static size_t root_common(const code_graph *graph)
{
    pith_text first = graph_name(&graph->symbols.at[0]);
    size_t common = first.len;
    for (size_t i = 1; i < graph->symbols.count && common > 0; i++) {
        pith_text name = graph_name(&graph->symbols.at[i]);
        common = name.len < common ? name.len : common;
        size_t same = 0;
        while (same < common && name.ptr[same] == first.ptr[same])
            same++;
        common = same;
    }
    return common;
}

static uint64_t root_head(pith_text name, size_t from)
{
    uint64_t head = 0;
    for (size_t i = 0; i < sizeof head; i++) {
        unsigned char byte = from + i < name.len ? (unsigned char)name.ptr[from + i] : 0;
        head = head << 8 | byte;
    }
    return head;
}

/* `words` has room for twice as many as there are. */
static bool root_fill_keys(const code_graph *graph, root_key *keys, uint32_t *words)
{
    size_t common = root_common(graph);
    size_t count = graph->words.count;
    uint32_t *ranks = words + count;
    if (!sort_indexes(&graph->alloc, words, count, root_word_before, graph->words.at))
        return false;
    for (size_t i = 0; i < count; i++)
        ranks[words[i]] = (uint32_t)i;
    for (size_t i = 0; i < graph->symbols.count; i++) {
        keys[i].kind = ranks[graph->symbols.at[i].kind];
        keys[i].head = root_head(graph_name(&graph->symbols.at[i]), common);
    }
    return true;
}

bool graph_order_identities(const code_graph *graph, uint32_t *order)
{
    const pith_alloc *alloc = &graph->alloc;
    size_t count = graph->symbols.count;
    if (count == 0)
        return true;
    size_t keys_size = count * sizeof(root_key);
    size_t words_size = 2 * graph->words.count * sizeof(uint32_t);
    root_key *keys = (root_key *)alloc_resize(alloc, NULL, 0, keys_size);
    uint32_t *words = (uint32_t *)alloc_resize(alloc, NULL, 0, words_size);
    root_names names = {graph, keys};
    bool fine = keys && words && root_fill_keys(graph, keys, words) &&
                sort_indexes(alloc, order, count, root_before, &names);
    alloc_free(alloc, keys, keys_size);
    alloc_free(alloc, words, words_size);
    return fine;
}

/* ---------------------------------------------------------------------- records */

/* Bytes on their way to the hash, a few thousand at a time. */
typedef struct root_writer {
    graph_take_bytes take;
    void *ctx;
    size_t len;
    char block[ROOT_BLOCK];
} root_writer;

static void root_flush(root_writer *writer)
{
    writer->take(writer->ctx, writer->block, writer->len);
    writer->len = 0;
}

static void root_put(root_writer *writer, pith_text text, char after)
{
    if (text.len >= sizeof writer->block - writer->len)
        root_flush(writer);
    if (text.len >= sizeof writer->block) {
        writer->take(writer->ctx, text.ptr, text.len);
    } else {
        memcpy(writer->block + writer->len, text.ptr, text.len);
        writer->len += text.len;
    }
    writer->block[writer->len++] = after;
}

static void root_put_symbol(root_writer *writer, const code_graph *graph,
                            const graph_symbol *symbol)
{
    char digits[ROOT_DIGITS];
    size_t len;
    root_put(writer, text_of("S", 1), '\t');
    root_put(writer, graph->words.at[symbol->kind].brief, '\t');
    root_put(writer, graph_name(symbol), '\t');
    len = graph_write_canonical(digits, graph_score(symbol));
    root_put(writer, text_of(digits, len), '\t');
    root_put(writer, graph->words.at[symbol->provenance].text, '\t');
    len = num_write_uint64(digits, symbol->distance);
    root_put(writer, text_of(digits, len), '\n');
}

static void root_put_edge(root_writer *writer, const code_graph *graph,
                          const graph_edge *edge)
{
    const graph_symbol *source = &graph->symbols.at[edge->source];
    const graph_symbol *target = &graph->symbols.at[edge->target];
    root_put(writer, text_of("E", 1), '\t');
    root_put(writer, graph->words.at[source->kind].brief, '\t');
    root_put(writer, graph_name(source), '\t');
    root_put(writer, graph->words.at[target->kind].brief, '\t');
    root_put(writer, graph_name(target), '\t');
    root_put(writer, graph->words.at[edge->type].text, '\n');
}

/* `order` has room for twice the symbols, and then for the edges. */
static bool root_write(root_writer *writer, const code_graph *graph, uint32_t *order)
{
    uint32_t *ranks = order + graph->symbols.count;
    uint32_t *edges = ranks + graph->symbols.count;
    if (!graph_order_identities(graph, order))
        return false;
    for (size_t i = 0; i < graph->symbols.count; i++) {
        root_put_symbol(writer, graph, &graph->symbols.at[order[i]]);
        ranks[order[i]] = (uint32_t)i;
    }
    if (!graph_order_edges(graph, ranks, edges))
        return false;
    for (size_t i = 0; i < graph->edges.count; i++)
        root_put_edge(writer, graph, &graph->edges.at[edges[i]]);
    root_flush(writer);
    return true;
}

bool graph_root_bytes(const code_graph *graph, graph_take_bytes take, void *ctx)
{
    root_writer writer;
    size_t count = 2 * graph->symbols.count + graph->edges.count + 1;
    size_t bytes = count * sizeof(uint32_t);
    uint32_t *order = (uint32_t *)alloc_resize(&graph->alloc, NULL, 0, bytes);
    writer.take = take;
    writer.ctx = ctx;
    writer.len = 0;
    bool fine = order && root_write(&writer, graph, order);
    alloc_free(&graph->alloc, order, bytes);
    return fine;
}

static void root_hash(void *ctx, const char *bytes, size_t len)
{
    sha256_add((sha256 *)ctx, bytes, len);
}

static const char root_prefix[GRAPH_ROOT_PREFIX_LEN + 1] = "sha256:";

bool graph_is_root(pith_text text)
{
    bool prefixed = text.len > GRAPH_ROOT_PREFIX_LEN && text_begins(text, root_prefix);
    for (size_t i = prefixed ? GRAPH_ROOT_PREFIX_LEN : 0; i < text.len; i++) {
        char letter = (char)(text.ptr[i] | 32);
        bool digit = text.ptr[i] >= '0' && text.ptr[i] <= '9';
        if (!digit && (letter < 'a' || letter > 'f'))
            return false;
    }
    return text.len > 0;
}

bool graph_root(const code_graph *graph, char to[GRAPH_ROOT_LEN])
{
    unsigned char digest[SHA256_BYTES];
    sha256 hash;
    sha256_init(&hash);
    if (!graph_root_bytes(graph, root_hash, &hash))
        return false;
    sha256_end(&hash, digest);
    memcpy(to, root_prefix, GRAPH_ROOT_PREFIX_LEN);
    sha256_hex(digest, to + GRAPH_ROOT_PREFIX_LEN);
    return true;
}

#endif
