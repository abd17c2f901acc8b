/*
 * vocab_make.c - a vocabulary from lists.
 *
 * The bytes of all tokens are kept, once, and a hash table leads from them to the ids:
 * merges are resolved through it, and vocabularies in which a piece that is a token
 * needs no merging ask it for each piece.
 */
#include "tokens/vocab_make.h"

#include "base/hash.h"
#include "base/sort.h"
#include "base/utf8.h"

#ifndef PITH_OMIT_TOKENS

/* --------------------------------------------------------------- the spelling */

static bool vocab_is_visible(uint32_t code)
{
    return (code > 0x20 && code < 0x7F) || (code > 0xA0 && code < 0x100 && code != 0xAD);
}

/* The bytes that are not visible are spelled from U+0100 on, in their order: 0 to 20,
 * 7F to A0, AD. */
static int vocab_byte_spelled(uint32_t code)
{
    if (vocab_is_visible(code))
        return (int)code;
    if (code < 0x100 || code > 0x143)
        return -1;
    uint32_t place = code - 0x100;
    return (int)(place <= 0x20 ? place : place < 0x43 ? place - 0x21 + 0x7F : 0xAD);
}

size_t vocab_unspell(pith_text spelled, char *to)
{
    size_t len = 0;
    for (size_t at = 0; at < spelled.len;) {
        uint32_t code = 0;
        at += utf8_decode(spelled.ptr + at, spelled.len - at, &code);
        int byte = vocab_byte_spelled(code);
        if (byte < 0)
            return SIZE_MAX;
        to[len++] = (char)byte;
    }
    return len;
}

/* ---------------------------------------------------------- from bytes to ids */

static pith_text vocab_text_at(const vocab_texts *texts, size_t place)
{
    const vocab_token *token = &texts->tokens.at[place];
    return text_of(texts->bytes.at + token->at, token->len);
}

/* The place of a text in the table, or the empty place where it belongs. */
static size_t vocab_text_place(const vocab_texts *texts, pith_text text)
{
    uint64_t hash = hash_text(texts->seed, text.ptr, text.len);
    const uint32_t *found = texts->found.at;
    size_t at = (size_t)hash & (texts->found.count - 1);
    while (found[at] && !text_equal(vocab_text_at(texts, found[at] - 1), text))
        at = (at + 1) & (texts->found.count - 1);
    return at;
}

uint32_t vocab_find_text(const pith_vocab *vocab, pith_text text)
{
    const vocab_texts *texts = vocab->texts;
    uint32_t found = texts->found.at[vocab_text_place(texts, text)];
    return found ? texts->tokens.at[found - 1].id : VOCAB_NO_MERGE;
}

/* ---------------------------------------------------------- from ids to bytes */

static bool vocab_id_before(const void *ctx, uint32_t a, uint32_t b)
{
    const vocab_token *tokens = ((const vocab_texts *)ctx)->tokens.at;
    return tokens[a].id < tokens[b].id;
}

bool vocab_make_order(pith_vocab *vocab)
{
    vocab_texts *texts = vocab->texts;
    size_t count = texts->tokens.count;
    if (!LIST_RESERVE(&texts->by_id, &vocab->alloc, count))
        return false;
    texts->by_id.count = count;
    return sort_indexes(&vocab->alloc, texts->by_id.at, count, vocab_id_before, texts);
}

pith_text vocab_text_of(const vocab_texts *texts, uint32_t id)
{
    size_t low = 0; /* at the end, how many ids are not beyond `id` */
    size_t high = texts->by_id.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (texts->tokens.at[texts->by_id.at[middle]].id <= id)
            low = middle + 1;
        else
            high = middle;
    }
    bool there = low > 0 && texts->tokens.at[texts->by_id.at[low - 1]].id == id;
    return there ? vocab_text_at(texts, texts->by_id.at[low - 1]) : text_of(NULL, 0);
}

/* -------------------------------------------------------------------- making */

void vocab_texts_free(vocab_texts *texts, const pith_alloc *alloc, bool mapped)
{
    if (!texts)
        return;
    arena_free(&texts->arena);
    if (!mapped) {
        LIST_FREE(&texts->bytes, alloc);
        LIST_FREE(&texts->tokens, alloc);
        LIST_FREE(&texts->found, alloc);
        LIST_FREE(&texts->by_id, alloc);
        LIST_FREE(&texts->results, alloc);
    }
    alloc_free(alloc, texts, sizeof *texts);
}

vocab_texts *vocab_texts_new(const pith_alloc *alloc)
{
    vocab_texts *texts = (vocab_texts *)alloc_zeroed(alloc, sizeof *texts);
    if (texts)
        arena_init(&texts->arena, *alloc);
    return texts;
}

static bool vocab_make_room(pith_vocab *vocab, size_t tokens, size_t merges)
{
    vocab_texts *texts = vocab->texts = vocab_texts_new(&vocab->alloc);
    size_t places = 1024;
    while (places < 2 * tokens)
        places *= 2;
    if (!texts || !LIST_RESERVE(&texts->found, &vocab->alloc, places) ||
        !LIST_RESERVE(&texts->results, &vocab->alloc, merges) ||
        !vocab_make_slots(vocab, merges))
        return false;
    memset(texts->found.at, 0, places * sizeof *texts->found.at);
    texts->found.count = places;
    texts->seed = hash_seed(vocab->alloc);
    vocab->results = texts->results.at;
    return true;
}

pith_vocab *vocab_make(pith_alloc alloc, const char *name, size_t size, size_t tokens,
                       size_t merges)
{
    pith_vocab *vocab = vocab_new(alloc, name);
    if (vocab && !vocab_make_room(vocab, tokens, merges)) {
        vocab_free(vocab);
        return NULL;
    }
    if (vocab)
        vocab->size = size;
    return vocab;
}

static bool vocab_add_text(pith_vocab *vocab, pith_text text, uint32_t id)
{
    vocab_texts *texts = vocab->texts;
    bool fits = text.len <= UINT32_MAX - texts->bytes.count;
    char *room = fits ? LIST_ROOM(&texts->bytes, &vocab->alloc, text.len) : NULL;
    vocab_token *token = room ? LIST_ADD(&texts->tokens, &vocab->alloc) : NULL;
    if (!token)
        return false;
    memcpy(room, text.ptr, text.len);
    *token = (vocab_token){id, (uint32_t)texts->bytes.count, (uint32_t)text.len};
    texts->bytes.count += text.len;
    return true;
}

bool vocab_make_token(pith_vocab *vocab, pith_text text, uint32_t id)
{
    vocab_texts *texts = vocab->texts;
    size_t place = vocab_text_place(texts, text);
    if (!vocab_add_text(vocab, text, id))
        return false;
    if (!texts->found.at[place])
        texts->found.at[place] = (uint32_t)texts->tokens.count;
    return true;
}

bool vocab_make_special(pith_vocab *vocab, pith_text text, uint32_t id)
{
    char *copy = arena_copy(&vocab->texts->arena, text.ptr, text.len);
    vocab_special *special = copy ? LIST_ADD(&vocab->specials, &vocab->alloc) : NULL;
    if (!special)
        return false;
    special->text = text_of(copy, text.len);
    special->id = id;
    return vocab_add_text(vocab, text, id);
}

void vocab_make_merge(pith_vocab *vocab, uint32_t left, uint32_t right, uint32_t whole)
{
    vocab_add_merge(vocab, left, right, (uint32_t)vocab->texts->results.count);
    vocab->texts->results.at[vocab->texts->results.count++] = whole;
}

unsigned vocab_make_bytes(pith_vocab *vocab)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        char text = (char)byte;
        vocab->byte_ids[byte] = vocab_find_text(vocab, text_of(&text, 1));
        if (vocab->byte_ids[byte] == VOCAB_NO_MERGE)
            return byte;
    }
    return 256;
}

#endif
