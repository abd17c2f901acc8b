/*
 * vocab.c - opening the built-in vocabularies, and the bytes of a token.
 *
 * The program holds a vocabulary in the form in which it is used, so opening one is
 * hardly any work. The bytes of a token are never spelled out, since its halves lead
 * to them.
 */
#include "tokens/vocab.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/print.h"
#include "tokens/vocab_data.h"
#include "tokens/vocab_make.h"

#ifndef PITH_OMIT_TOKENS

/* ---------------------------------------------------------------- the table */

bool vocab_make_slots(pith_vocab *vocab, size_t merges)
{
    unsigned bits = 10;
    while ((size_t)1 << bits < 2 * merges)
        bits++;
    vocab->slot_count = (size_t)1 << bits;
    vocab->slot_shift = 64 - bits;
    vocab->slot_odd = hash_seed(vocab->alloc) | 1;
    vocab->slots =
        (uint64_t *)alloc_zeroed(&vocab->alloc, vocab->slot_count * sizeof(uint64_t));
    return vocab->slots != NULL;
}

void vocab_add_merge(pith_vocab *vocab, uint32_t left, uint32_t right, uint32_t merge)
{
    uint64_t key = vocab_pair_key(left, right);
    size_t at = vocab_slot_of(vocab, key);
    while (vocab->slots[at]) {
        if ((vocab->slots[at] & VOCAB_KEY_BITS) == key)
            return;
        at = (at + 1) & (vocab->slot_count - 1);
    }
    vocab->slots[at] = ((uint64_t)merge + 1) << 2 * VOCAB_ID_BITS | key;
}

/* --------------------------------------------------------- the built-in ones */

typedef struct vocab_builtin {
    const char *name;
    const vocab_data *data; /* NULL: this build leaves it out */
    size_t pair_count;
    split_rule rule;
    const vocab_special *specials;
    size_t special_count;
} vocab_builtin;

#define VOCAB_SPECIAL(text, id)                                                          \
    {                                                                                    \
        {text, sizeof text - 1}, id                                                      \
    }

static const vocab_special vocab_specials_o200k[] = {
    VOCAB_SPECIAL("<|endoftext|>", 199999),
    VOCAB_SPECIAL("<|endofprompt|>", 200018),
};

static const vocab_special vocab_specials_cl100k[] = {
    VOCAB_SPECIAL("<|endoftext|>", 100257),   VOCAB_SPECIAL("<|fim_prefix|>", 100258),
    VOCAB_SPECIAL("<|fim_middle|>", 100259),  VOCAB_SPECIAL("<|fim_suffix|>", 100260),
    VOCAB_SPECIAL("<|endofprompt|>", 100276),
};

static const vocab_special vocab_specials_r50k[] = {
    VOCAB_SPECIAL("<|endoftext|>", 50256),
};

/* Those with a name of their own; <|reserved_200000|> to <|reserved_201087|> fill the
 * ids between and after them. */
static const vocab_special vocab_specials_harmony[] = {
    VOCAB_SPECIAL("<|startoftext|>", 199998), VOCAB_SPECIAL("<|endoftext|>", 199999),
    VOCAB_SPECIAL("<|return|>", 200002),      VOCAB_SPECIAL("<|constrain|>", 200003),
    VOCAB_SPECIAL("<|channel|>", 200005),     VOCAB_SPECIAL("<|start|>", 200006),
    VOCAB_SPECIAL("<|end|>", 200007),         VOCAB_SPECIAL("<|message|>", 200008),
    VOCAB_SPECIAL("<|call|>", 200012),        VOCAB_SPECIAL("<|endofprompt|>", 200018),
};

#if defined(PITH_OMIT_VOCAB_O200K)
#define VOCAB_O200K NULL
#else
#define VOCAB_O200K &vocab_data_o200k_base
#endif
#if defined(PITH_OMIT_VOCAB_CL100K)
#define VOCAB_CL100K NULL
#else
#define VOCAB_CL100K &vocab_data_cl100k_base
#endif
#if defined(PITH_OMIT_VOCAB_P50K)
#define VOCAB_P50K NULL
#else
#define VOCAB_P50K &vocab_data_p50k_base
#endif

#define VOCAB_COUNT(list) (sizeof list / sizeof list[0])

static const vocab_builtin vocab_builtins[] = {
    {"o200k_base",
     VOCAB_O200K,
     199742,
     {SPLIT_O200K, SPLIT_ENDINGS_FOLDED, 3, true, false, SPLIT_NOTHING_APART},
     vocab_specials_o200k,
     VOCAB_COUNT(vocab_specials_o200k)},
    {"o200k_harmony",
     VOCAB_O200K,
     199742,
     {SPLIT_O200K, SPLIT_ENDINGS_FOLDED, 3, true, false, SPLIT_NOTHING_APART},
     vocab_specials_harmony,
     VOCAB_COUNT(vocab_specials_harmony)},
    {"cl100k_base",
     VOCAB_CL100K,
     100000,
     {SPLIT_CL100K, SPLIT_ENDINGS_FOLDED, 3, false, false, SPLIT_NOTHING_APART},
     vocab_specials_cl100k,
     VOCAB_COUNT(vocab_specials_cl100k)},
    {"p50k_base",
     VOCAB_P50K,
     50025,
     {SPLIT_GPT2, SPLIT_ENDINGS_EXACT, 0, false, false, SPLIT_NOTHING_APART},
     vocab_specials_r50k,
     VOCAB_COUNT(vocab_specials_r50k)},
    {"r50k_base",
     VOCAB_P50K,
     50000,
     {SPLIT_GPT2, SPLIT_ENDINGS_EXACT, 0, false, false, SPLIT_NOTHING_APART},
     vocab_specials_r50k,
     VOCAB_COUNT(vocab_specials_r50k)},
};

/* The bytes in the order of their ids: those visible in Latin-1 come first. */
static void vocab_fill_byte_ids(pith_vocab *vocab)
{
    uint32_t id = 0;
    for (int visible = 1; visible >= 0; visible--) {
        for (unsigned byte = 0; byte < 256; byte++) {
            bool seen = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
            if (seen == (visible == 1)) {
                vocab->id_bytes[id] = (unsigned char)byte;
                vocab->byte_ids[byte] = id++;
            }
        }
    }
}

/* --- special tokens */

enum {
    VOCAB_RESERVED_FIRST = 200000, /* of o200k_harmony */
    VOCAB_RESERVED_LAST = 201087,
    VOCAB_RESERVED_LEN = 21 /* <|reserved_200000|> and a NUL, rounded up */
};

/* Whether an id of o200k_harmony is called by its number. One has two names. */
static bool vocab_is_reserved(const vocab_builtin *builtin, uint32_t id)
{
    for (size_t i = 0; i < builtin->special_count; i++)
        if (builtin->specials[i].id == id && id != 200018)
            return false;
    return true;
}

static void vocab_add_reserved(pith_vocab *vocab, const vocab_builtin *builtin)
{
    char *text = vocab->special_texts;
    for (uint32_t id = VOCAB_RESERVED_FIRST; id <= VOCAB_RESERVED_LAST; id++) {
        if (!vocab_is_reserved(builtin, id))
            continue;
        size_t len =
            print_into(text, VOCAB_RESERVED_LEN, "<|reserved_%u|>", (unsigned)id);
        vocab_special special = {text_of(text, len), id};
        vocab->specials.at[vocab->specials.count++] = special;
        text += VOCAB_RESERVED_LEN;
    }
}

static bool vocab_add_specials(pith_vocab *vocab, const vocab_builtin *builtin)
{
    size_t reserved = 0;
    if (builtin->specials == vocab_specials_harmony) {
        reserved = VOCAB_RESERVED_LAST - VOCAB_RESERVED_FIRST + 1;
        vocab->special_texts_size = reserved * VOCAB_RESERVED_LEN;
        vocab->special_texts =
            (char *)alloc_resize(&vocab->alloc, NULL, 0, vocab->special_texts_size);
    }
    vocab->specials.cap = builtin->special_count + reserved;
    vocab->specials.at = (vocab_special *)alloc_resize(
        &vocab->alloc, NULL, 0, vocab->specials.cap * sizeof(vocab_special));
    if (!vocab->specials.at || (reserved && !vocab->special_texts))
        return false;
    vocab->specials.count = builtin->special_count;
    memcpy(vocab->specials.at, builtin->specials,
           builtin->special_count * sizeof(vocab_special));
    if (reserved)
        vocab_add_reserved(vocab, builtin);
    return true;
}

/* --- opening */

const char *vocab_name_at(size_t index)
{
    for (size_t i = 0; i < VOCAB_COUNT(vocab_builtins); i++)
        if (vocab_builtins[i].data && index-- == 0)
            return vocab_builtins[i].name;
    return NULL;
}

static const vocab_builtin *vocab_find(const char *name)
{
    for (size_t i = 0; i < VOCAB_COUNT(vocab_builtins); i++)
        if (strcmp(vocab_builtins[i].name, name) == 0)
            return &vocab_builtins[i];
    return NULL;
}

static bool vocab_fill(pith_vocab *vocab, const vocab_builtin *builtin)
{
    vocab->rule = builtin->rule;
    vocab->data = builtin->data;
    vocab->pair_count = builtin->pair_count;
    vocab->first_merged = VOCAB_BYTES;
    vocab->short_digits = builtin->rule.digits == 3; /* the tests try all of them */
    vocab->size = VOCAB_BYTES + builtin->pair_count;
    vocab_fill_byte_ids(vocab);
    if (!vocab_add_specials(vocab, builtin))
        return false;
    for (size_t i = 0; i < vocab->specials.count; i++)
        if (vocab->specials.at[i].id >= vocab->size)
            vocab->size = (size_t)vocab->specials.at[i].id + 1;
    return true;
}

pith_vocab *vocab_new(pith_alloc alloc, const char *name)
{
    pith_vocab *vocab = (pith_vocab *)alloc_zeroed(&alloc, sizeof *vocab);
    if (vocab) {
        vocab->alloc = alloc;
        vocab->name = name;
    }
    return vocab;
}

pith_vocab *vocab_open(const char *name, pith_alloc alloc, pith_error *err)
{
    bool estimate = name && strcmp(name, VOCAB_ESTIMATE) == 0;
    const vocab_builtin *builtin = name ? vocab_find(name) : &vocab_builtins[0];
    if (!builtin && !estimate) {
        error_set(err, PITH_BAD_USE, "unknown_vocabulary",
                  "there is no built-in vocabulary %s",
                  error_quote(name, strlen(name)).text);
        return NULL;
    }
    if (builtin && !builtin->data) {
        error_not_built_in(err, builtin->name);
        return NULL;
    }
    pith_vocab *vocab = vocab_new(alloc, builtin ? builtin->name : VOCAB_ESTIMATE);
    if (vocab && !builtin) {
        vocab->estimate = true;
    } else if (!vocab || !vocab_fill(vocab, builtin)) {
        vocab_free(vocab);
        error_no_memory(err);
        return NULL;
    }
    return vocab;
}

void vocab_free(pith_vocab *vocab)
{
    if (!vocab)
        return;
    pith_alloc alloc = vocab->alloc;
    vocab_texts_free(vocab->texts, &alloc, vocab->mapped);
    if (!vocab->mapped)
        alloc_free(&alloc, vocab->slots, vocab->slot_count * sizeof(uint64_t));
    LIST_FREE(&vocab->specials, &alloc);
    alloc_free(&alloc, vocab->special_texts, vocab->special_texts_size);
    alloc_free(&alloc, vocab, sizeof *vocab);
}

/* ------------------------------------------------------------- text of a token */

static bool vocab_find_special(const pith_vocab *vocab, uint32_t id, pith_text *text)
{
    for (size_t i = 0; i < vocab->specials.count; i++) {
        if (vocab->specials.at[i].id == id) {
            *text = vocab->specials.at[i].text;
            return true;
        }
    }
    return false;
}

static bool vocab_is_spelled(const pith_vocab *vocab, uint32_t id)
{
    if (id < VOCAB_BYTES || !vocab->data)
        return vocab->data != NULL;
    size_t index = id - VOCAB_BYTES;
    return index < vocab->pair_count &&
           vocab_data_number(vocab->data->pairs + index * VOCAB_PAIR_LEN) !=
               VOCAB_NO_HALF;
}

/* Halves wait on a stack, the left one on top, until they are single bytes. A token of
 * n bytes is at most n - 1 merges deep. */
static size_t vocab_spell(const pith_vocab *vocab, uint32_t id, char *room)
{
    uint32_t waiting[VOCAB_TOKEN_MOST];
    size_t count = 1;
    size_t len = 0;
    waiting[0] = id;
    while (count > 0) {
        uint32_t next = waiting[--count];
        if (next < VOCAB_BYTES) {
            room[len++] = (char)vocab->id_bytes[next];
            continue;
        }
        const char *pair =
            vocab->data->pairs + (size_t)(next - VOCAB_BYTES) * VOCAB_PAIR_LEN;
        waiting[count++] = vocab_data_number(pair + VOCAB_PAIR_LEN / 2);
        waiting[count++] = vocab_data_number(pair);
    }
    return len;
}

bool vocab_token_text(const pith_vocab *vocab, uint32_t id, char room[VOCAB_TOKEN_MOST],
                      pith_text *text)
{
    if (vocab->texts) {
        *text = vocab_text_of(vocab->texts, id);
        return text->ptr != NULL;
    }
    if (!vocab_is_spelled(vocab, id))
        return vocab_find_special(vocab, id, text);
    *text = text_of(room, vocab_spell(vocab, id, room));
    return true;
}

#endif
