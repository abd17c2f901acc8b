/*
 * vocab_make.c - a vocabulary from lists.
 *
 * The bytes of all tokens are kept, once, and a hash table leads from them to the ids:
 * merges are resolved through it, and vocabularies in which a piece that is a token
 * needs no merging ask it for each piece.
 */
#include "tokens/vocab_make.h"

#include "base/hash.h"
#include "base/utf8.h"

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

/* The place of a text in the table, or the empty place where it belongs. */
static size_t vocab_text_place(const vocab_texts *texts, pith_text text)
{
    uint64_t hash = hash_text(texts->seed, text.ptr, text.len);
    size_t at = (size_t)hash & (texts->found_count - 1);
    while (texts->found[at] && !text_equal(texts->by_id[texts->found[at] - 1], text))
        at = (at + 1) & (texts->found_count - 1);
    return at;
}

uint32_t vocab_find_text(const pith_vocab *vocab, pith_text text)
{
    uint32_t found = vocab->texts->found[vocab_text_place(vocab->texts, text)];
    return found ? found - 1 : VOCAB_NO_MERGE;
}

/* -------------------------------------------------------------------- making */

void vocab_texts_free(vocab_texts *texts, const pith_alloc *alloc)
{
    if (!texts)
        return;
    arena_free(&texts->arena);
    alloc_free(alloc, texts->by_id, texts->by_id_cap * sizeof *texts->by_id);
    alloc_free(alloc, texts->found, texts->found_count * sizeof *texts->found);
    alloc_free(alloc, texts->results, texts->merge_count * sizeof *texts->results);
    alloc_free(alloc, texts, sizeof *texts);
}

static bool vocab_make_room(pith_vocab *vocab, size_t size, size_t merges)
{
    vocab_texts *texts = (vocab_texts *)alloc_zeroed(&vocab->alloc, sizeof *texts);
    if (!texts)
        return false;
    vocab->texts = texts;
    arena_init(&texts->arena, vocab->alloc);
    texts->seed = hash_draw_seed();
    size_t places = 1024;
    while (places < 2 * size)
        places *= 2;
    texts->by_id = (pith_text *)alloc_zeroed(&vocab->alloc, size * sizeof(pith_text));
    texts->by_id_cap = texts->by_id ? size : 0;
    texts->found = (uint32_t *)alloc_zeroed(&vocab->alloc, places * sizeof(uint32_t));
    texts->found_count = texts->found ? places : 0;
    texts->results =
        (uint32_t *)alloc_zeroed(&vocab->alloc, (merges + 1) * sizeof(uint32_t));
    texts->merge_count = texts->results ? merges + 1 : 0;
    return texts->by_id && texts->found && texts->results &&
           vocab_make_slots(vocab, merges);
}

pith_vocab *vocab_make(pith_alloc alloc, const char *name, size_t size, size_t merges)
{
    pith_vocab *vocab = vocab_new(alloc, name);
    if (vocab && !vocab_make_room(vocab, size, merges)) {
        vocab_free(vocab);
        return NULL;
    }
    if (vocab) {
        vocab->size = size;
        vocab->results = vocab->texts->results;
    }
    return vocab;
}

bool vocab_make_token(pith_vocab *vocab, pith_text text, uint32_t id)
{
    vocab_texts *texts = vocab->texts;
    size_t place = vocab_text_place(texts, text);
    char *copy = arena_copy(&texts->arena, text.ptr, text.len);
    if (!copy)
        return false;
    texts->by_id[id] = text_of(copy, text.len);
    if (!texts->found[place])
        texts->found[place] = id + 1;
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
    vocab->texts->by_id[id] = special->text;
    return true;
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
