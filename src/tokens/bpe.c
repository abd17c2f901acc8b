/*
 * bpe.c - merges tokens, the lowest rank first, until nothing can be merged.
 *
 * A piece starts as its bytes. Of all neighbours that a merge would join, the merge
 * of the lowest rank is carried out, the leftmost if there are several; and again.
 * Most pieces are a few bytes long, and there looking through all of them for the
 * lowest is fastest. That takes the square of the length, so longer pieces have a heap
 * of the merges that are possible, and a list of nodes for what is left and right.
 */
#include "tokens/bpe.h"

#include "tokens/vocab_make.h"

#ifndef PITH_OMIT_TOKENS

enum { BPE_SHORT = 64, BPE_KNOWN_BITS = 12 };

/* A token of a long piece, and its neighbours; the end is the number of nodes. */
typedef struct bpe_node {
    uint32_t id;
    uint32_t before;
    uint32_t after;
} bpe_node;

void bpe_free(bpe_work *work)
{
    LIST_FREE(&work->ids, &work->alloc);
    alloc_free(&work->alloc, work->nodes, work->node_cap * sizeof *work->nodes);
    alloc_free(&work->alloc, work->heap, work->heap_cap * sizeof *work->heap);
    alloc_free(&work->alloc, work->known, sizeof(uint64_t) << BPE_KNOWN_BITS);
}

/* What merge joins two tokens, asked of `known` first: a small part of the vocabulary's
 * table that stays in the nearest cache. A slot is that of vocab.h; where nothing joins
 * the two, the field of the merge is 0. */
static inline uint32_t bpe_find_merge(const bpe_work *work, const pith_vocab *vocab,
                                      uint32_t left, uint32_t right)
{
    uint64_t key = vocab_pair_key(left, right);
    uint64_t *slot =
        &work->known[key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - BPE_KNOWN_BITS)];
    if ((*slot & VOCAB_KEY_BITS) != key || !*slot) {
        uint32_t merge = vocab_find_merge(vocab, left, right);
        *slot = (uint64_t)(uint32_t)(merge + 1) << 2 * VOCAB_ID_BITS | key;
    }
    return (uint32_t)(*slot >> 2 * VOCAB_ID_BITS) - 1;
}

/* -------------------------------------------------------------- short pieces */

/* ranks[i] is the merge of ids[i] and ids[i + 1]. */
static size_t bpe_merge_short(const bpe_work *work, const pith_vocab *vocab, size_t count)
{
    uint32_t *ids = work->ids.at;
    uint32_t ranks[BPE_SHORT];
    for (size_t i = 0; i + 1 < count; i++)
        ranks[i] = bpe_find_merge(work, vocab, ids[i], ids[i + 1]);
    while (count > 1) {
        size_t best = 0;
        for (size_t i = 1; i + 1 < count; i++)
            best = ranks[i] < ranks[best] ? i : best;
        if (ranks[best] == VOCAB_NO_MERGE)
            break;
        ids[best] = vocab_merged(vocab, ranks[best]);
        count--;
        for (size_t i = best + 1; i < count; i++) {
            ids[i] = ids[i + 1];
            ranks[i - 1] = ranks[i];
        }
        if (best + 1 < count)
            ranks[best] = bpe_find_merge(work, vocab, ids[best], ids[best + 1]);
        if (best > 0)
            ranks[best - 1] = bpe_find_merge(work, vocab, ids[best - 1], ids[best]);
    }
    return count;
}

/* --------------------------------------------------------------- long pieces */

/* The smallest on top; an entry is a merge and the node where it begins. */
typedef struct bpe_heap {
    uint64_t *items;
    size_t count;
} bpe_heap;

static void bpe_sink_down(bpe_heap *heap, size_t at)
{
    uint64_t item = heap->items[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= heap->count)
            break;
        child += child + 1 < heap->count && heap->items[child + 1] < heap->items[child];
        if (heap->items[child] >= item)
            break;
        heap->items[at] = heap->items[child];
        at = child;
    }
    heap->items[at] = item;
}

static void bpe_push(bpe_heap *heap, uint64_t item)
{
    size_t at = heap->count++;
    while (at > 0 && heap->items[(at - 1) / 2] > item) {
        heap->items[at] = heap->items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->items[at] = item;
}

static uint64_t bpe_pop(bpe_heap *heap)
{
    uint64_t top = heap->items[0];
    heap->items[0] = heap->items[--heap->count];
    bpe_sink_down(heap, 0);
    return top;
}

typedef struct bpe_long {
    const bpe_work *work;
    const pith_vocab *vocab;
    bpe_node *nodes;
    uint32_t count;
    bpe_heap heap;
} bpe_long;

static void bpe_offer(bpe_long *piece, uint32_t left)
{
    uint32_t right = piece->nodes[left].after;
    if (right == piece->count)
        return;
    uint32_t merge = bpe_find_merge(piece->work, piece->vocab, piece->nodes[left].id,
                                    piece->nodes[right].id);
    if (merge != VOCAB_NO_MERGE)
        bpe_push(&piece->heap, (uint64_t)merge << 32 | left);
}

static void bpe_join(bpe_long *piece, uint32_t left, uint32_t merge)
{
    bpe_node *nodes = piece->nodes;
    uint32_t right = nodes[left].after;
    uint32_t next = nodes[right].after;
    nodes[left].id = vocab_merged(piece->vocab, merge);
    nodes[left].after = next;
    nodes[right].id = UINT32_MAX; /* gone */
    if (next != piece->count)
        nodes[next].before = left;
    bpe_offer(piece, left);
    if (left > 0)
        bpe_offer(piece, nodes[left].before);
}

/* An entry of the heap is stale when one of its two tokens has changed since: then
 * what stands there now is another merge, or none. */
static bool bpe_still_there(const bpe_long *piece, uint32_t left, uint32_t merge)
{
    uint32_t right = piece->nodes[left].after;
    return piece->nodes[left].id != UINT32_MAX && right != piece->count &&
           bpe_find_merge(piece->work, piece->vocab, piece->nodes[left].id,
                          piece->nodes[right].id) == merge;
}

static void bpe_merge_long(bpe_long *piece)
{
    for (uint32_t i = 0; i + 1 < piece->count; i++)
        bpe_offer(piece, i);
    while (piece->heap.count > 0) {
        uint64_t top = bpe_pop(&piece->heap);
        uint32_t left = (uint32_t)top;
        uint32_t merge = (uint32_t)(top >> 32);
        if (bpe_still_there(piece, left, merge))
            bpe_join(piece, left, merge);
    }
}

static bool bpe_make_room(bpe_work *work, size_t len)
{
    /* Each merge takes one entry and adds at most two; there are fewer merges than
     * bytes. */
    return list_grow(&work->alloc, (void *)&work->nodes, &work->node_cap, len,
                     sizeof *work->nodes) &&
           list_grow(&work->alloc, (void *)&work->heap, &work->heap_cap, 2 * len,
                     sizeof *work->heap);
}

static pith_status bpe_encode_long(bpe_work *work, const pith_vocab *vocab, size_t len)
{
    if (!bpe_make_room(work, len))
        return PITH_NO_MEMORY;
    bpe_long piece = {work, vocab, work->nodes, (uint32_t)len, {work->heap, 0}};
    for (uint32_t i = 0; i < piece.count; i++) {
        bpe_node node = {work->ids.at[i], i - 1, i + 1};
        piece.nodes[i] = node;
    }
    bpe_merge_long(&piece);
    for (uint32_t i = 0; i < piece.count; i = piece.nodes[i].after)
        work->ids.at[work->ids.count++] = piece.nodes[i].id;
    return PITH_OK;
}

/* ----------------------------------------------------------------- any piece */

static bool bpe_begin(bpe_work *work, size_t len)
{
    work->ids.count = 0;
    if (!work->known) {
        work->known =
            (uint64_t *)alloc_zeroed(&work->alloc, sizeof(uint64_t) << BPE_KNOWN_BITS);
    }
    return work->known && LIST_RESERVE(&work->ids, &work->alloc, len);
}

pith_status bpe_encode(bpe_work *work, const pith_vocab *vocab, const char *piece,
                       size_t len)
{
    if (len > BPE_PIECE_MOST)
        return PITH_LIMIT;
    if (!bpe_begin(work, len))
        return PITH_NO_MEMORY;
    if (vocab->whole_first) {
        uint32_t whole = vocab_find_text(vocab, text_of(piece, len));
        if (whole != VOCAB_NO_MERGE) {
            work->ids.at[0] = whole;
            work->ids.count = 1;
            return PITH_OK;
        }
    }
    for (size_t i = 0; i < len; i++)
        work->ids.at[i] = vocab->byte_ids[(unsigned char)piece[i]];
    if (len > BPE_SHORT)
        return bpe_encode_long(work, vocab, len);
    work->ids.count = bpe_merge_short(work, vocab, len);
    return PITH_OK;
}

#endif
