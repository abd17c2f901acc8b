/*
 * vocab_image.c - see vocab_image.h.
 */
#include "tokens/vocab_image.h"

#include "base/crc32c.h"
#include "base/error.h"
#include "tokens/vocab_make.h"

#ifndef PITH_OMIT_TOKENS

enum {
    IMAGE_NAME, /* with a NUL */
    IMAGE_SPECIALS,
    IMAGE_SPECIAL_BYTES,
    IMAGE_PAIRS, /* of a built-in vocabulary: see vocab_data.h */
    IMAGE_SEEDS,
    IMAGE_PLACES,
    IMAGE_SLOTS, /* of one that was read: see vocab.h and vocab_make.h */
    IMAGE_RESULTS,
    IMAGE_BYTES,
    IMAGE_TOKENS,
    IMAGE_FOUND,
    IMAGE_BY_ID,
    IMAGE_PARTS
};

enum {
    IMAGE_ORDER = 0x01020304,
    IMAGE_UNIT = 8,      /* parts begin at a multiple of it */
    IMAGE_RUN_MOST = 512 /* full places one after the other, in a table half empty */
};

static const char image_magic[8] = "pithvoc1";

typedef struct image_head {
    char magic[sizeof image_magic];
    uint32_t order;
    uint32_t checksum; /* CRC-32C of all that comes after it */
    uint64_t len[IMAGE_PARTS];
    uint64_t seed;
    uint64_t slot_odd;
    uint32_t family, endings, digits, slashes, nfc, apart;
    uint32_t whole_first;
    uint32_t size;
    uint32_t pair_count;
    uint32_t zero;
    uint32_t byte_ids[VOCAB_BYTES];
} image_head;

static const size_t image_checked = offsetof(image_head, len);

static size_t image_padding(uint64_t len)
{
    return (size_t)(-len % IMAGE_UNIT);
}

/* ---------------------------------------------------------------------- saving */

typedef struct image_saver {
    image_head head;
    const void *parts[IMAGE_PARTS];
    LIST(vocab_token) specials;
    LIST(char) special_bytes;
} image_saver;

static void image_put(image_saver *s, unsigned part, const void *data, size_t len)
{
    s->parts[part] = data;
    s->head.len[part] = len;
}

#define IMAGE_PUT_LIST(saver, part, list)                                                \
    image_put(saver, part, (list)->at, (list)->count * sizeof *(list)->at)

static bool image_put_specials(image_saver *s, const pith_vocab *vocab)
{
    for (size_t i = 0; i < vocab->specials.count; i++) {
        const vocab_special *special = &vocab->specials.at[i];
        char *room = LIST_ROOM(&s->special_bytes, &vocab->alloc, special->text.len);
        vocab_token *token = room ? LIST_ADD(&s->specials, &vocab->alloc) : NULL;
        if (!token)
            return false;
        *token = (vocab_token){special->id, (uint32_t)s->special_bytes.count,
                               (uint32_t)special->text.len};
        memcpy(room, special->text.ptr, special->text.len);
        s->special_bytes.count += special->text.len;
    }
    IMAGE_PUT_LIST(s, IMAGE_SPECIALS, &s->specials);
    IMAGE_PUT_LIST(s, IMAGE_SPECIAL_BYTES, &s->special_bytes);
    return true;
}

static void image_put_arrays(image_saver *s, const pith_vocab *vocab)
{
    const vocab_data *data = vocab->data;
    const vocab_texts *texts = vocab->texts;
    image_put(s, IMAGE_NAME, vocab->name, strlen(vocab->name) + 1);
    if (data) {
        image_put(s, IMAGE_PAIRS, data->pairs, data->pair_count * VOCAB_PAIR_LEN);
        image_put(s, IMAGE_SEEDS, data->seeds, (size_t)data->seed_count * VOCAB_SEED_LEN);
        image_put(s, IMAGE_PLACES, data->slots,
                  (size_t)data->slot_count * VOCAB_SLOT_LEN);
    } else {
        image_put(s, IMAGE_SLOTS, vocab->slots, vocab->slot_count * sizeof(uint64_t));
        IMAGE_PUT_LIST(s, IMAGE_RESULTS, &texts->results);
        IMAGE_PUT_LIST(s, IMAGE_BYTES, &texts->bytes);
        IMAGE_PUT_LIST(s, IMAGE_TOKENS, &texts->tokens);
        IMAGE_PUT_LIST(s, IMAGE_FOUND, &texts->found);
        IMAGE_PUT_LIST(s, IMAGE_BY_ID, &texts->by_id);
        s->head.seed = texts->seed;
        s->head.slot_odd = vocab->slot_odd;
    }
}

static void image_describe(image_head *head, const pith_vocab *vocab)
{
    memcpy(head->magic, image_magic, sizeof image_magic);
    head->order = IMAGE_ORDER;
    head->family = vocab->rule.family;
    head->endings = vocab->rule.endings;
    head->digits = vocab->rule.digits;
    head->slashes = vocab->rule.slashes;
    head->nfc = vocab->rule.nfc;
    head->apart = vocab->rule.apart;
    head->whole_first = vocab->whole_first;
    head->size = (uint32_t)vocab->size;
    head->pair_count = (uint32_t)vocab->pair_count;
    memcpy(head->byte_ids, vocab->byte_ids, sizeof head->byte_ids);
}

static void image_sum(image_saver *s)
{
    static const char zeros[IMAGE_UNIT];
    uint32_t sum =
        crc32c(0, (const char *)&s->head + image_checked, sizeof s->head - image_checked);
    for (unsigned i = 0; i < IMAGE_PARTS; i++) {
        size_t len = (size_t)s->head.len[i];
        sum = crc32c(sum, len ? s->parts[i] : zeros, len);
        sum = crc32c(sum, zeros, image_padding(len));
    }
    s->head.checksum = sum;
}

bool vocab_save(const pith_vocab *vocab, pith_out *out)
{
    static const char zeros[IMAGE_UNIT];
    image_saver s;
    memset(&s, 0, sizeof s);
    image_describe(&s.head, vocab);
    image_put_arrays(&s, vocab);
    bool fine = image_put_specials(&s, vocab);
    if (fine) {
        image_sum(&s);
        out_text(out, text_of((const char *)&s.head, sizeof s.head));
        for (unsigned i = 0; i < IMAGE_PARTS; i++) {
            size_t len = (size_t)s.head.len[i];
            out_text(out, text_of(len ? (const char *)s.parts[i] : zeros, len));
            out_text(out, text_of(zeros, image_padding(len)));
        }
    }
    LIST_FREE(&s.specials, &vocab->alloc);
    LIST_FREE(&s.special_bytes, &vocab->alloc);
    return fine;
}

/* --------------------------------------------------------------------- mapping */

typedef struct image_view {
    image_head head;
    const char *parts[IMAGE_PARTS];
} image_view;

static size_t image_count(const image_view *view, unsigned part, size_t item)
{
    return (size_t)view->head.len[part] / item;
}

/* Finds head and parts; what is wrong with them, or NULL. */
static const char *image_look(pith_text image, image_view *view)
{
    size_t at = sizeof view->head;
    size_t known = image.len < sizeof image_magic ? image.len : sizeof image_magic;
    if (memcmp(image.ptr, image_magic, known) != 0)
        return "this is no saved vocabulary";
    if (image.len < at)
        return "the saved vocabulary is cut off";
    if ((uintptr_t)image.ptr % IMAGE_UNIT != 0)
        return "a saved vocabulary must be at an address that is a multiple of eight";
    memcpy(&view->head, image.ptr, at);
    if (view->head.order != IMAGE_ORDER)
        return "the vocabulary was saved by a machine of another byte order";
    for (unsigned i = 0; i < IMAGE_PARTS; i++) {
        uint64_t len = view->head.len[i];
        if (len > image.len - at || image_padding(len) > image.len - at - len)
            return "the saved vocabulary is cut off";
        view->parts[i] = image.ptr + at;
        at += (size_t)len + image_padding(len);
    }
    if (at != image.len || crc32c(0, image.ptr + image_checked,
                                  image.len - image_checked) != view->head.checksum)
        return "the saved vocabulary was changed";
    return NULL;
}

static bool image_rule_is_fine(const image_head *head)
{
    return head->family <= SPLIT_DEEPSEEK && head->endings <= SPLIT_ENDINGS_FOLDED &&
           head->apart <= SPLIT_DIGITS_AND_KANA_APART && head->digits <= 3 &&
           head->slashes <= 1 && head->nfc <= 1 && head->whole_first <= 1;
}

/* Whether each token has its bytes in the part. */
static bool image_tokens_are_fine(const image_view *view, unsigned tokens, unsigned bytes)
{
    const vocab_token *list = (const vocab_token *)(const void *)view->parts[tokens];
    size_t count = image_count(view, tokens, sizeof *list);
    uint64_t room = view->head.len[bytes];
    for (size_t i = 0; i < count; i++)
        if (list[i].id >= view->head.size || list[i].len == 0 || list[i].at > room ||
            list[i].len > room - list[i].at)
            return false;
    return count * sizeof *list == view->head.len[tokens];
}

/* Whether all numbers of a part are at most `most`. */
static bool image_numbers_are_fine(const image_view *view, unsigned part, uint64_t most)
{
    const uint32_t *list = (const uint32_t *)(const void *)view->parts[part];
    size_t count = image_count(view, part, sizeof *list);
    for (size_t i = 0; i < count; i++)
        if (list[i] > most)
            return false;
    return count * sizeof *list == view->head.len[part];
}

/* Whether a hash table ends every search soon: its size is a power of two, and there are
 * few full places in a row. `word` is how many 32-bit words a place has. */
static bool image_table_is_fine(const image_view *view, unsigned part, size_t word)
{
    const uint32_t *list = (const uint32_t *)(const void *)view->parts[part];
    size_t count = image_count(view, part, word * sizeof *list);
    size_t run = 0;
    if (count < 2 || (count & (count - 1)) != 0 ||
        count * word * sizeof *list != view->head.len[part])
        return false;
    for (size_t i = 0; i < count + IMAGE_RUN_MOST; i++) { /* runs go round the end */
        const uint32_t *place = list + (i & (count - 1)) * word;
        run = place[0] || place[word - 1] ? run + 1 : 0;
        if (run > IMAGE_RUN_MOST || run >= count)
            return false;
    }
    return true;
}

static bool image_slots_are_fine(const image_view *view)
{
    const uint64_t *slots = (const uint64_t *)(const void *)view->parts[IMAGE_SLOTS];
    size_t merges = image_count(view, IMAGE_RESULTS, sizeof(uint32_t));
    size_t count = image_count(view, IMAGE_SLOTS, sizeof *slots);
    for (size_t i = 0; i < count; i++)
        if (slots[i] && (slots[i] >> 2 * VOCAB_ID_BITS) - 1 >= merges)
            return false;
    return image_table_is_fine(view, IMAGE_SLOTS, 2);
}

static bool image_read_is_fine(const image_view *view)
{
    size_t tokens = image_count(view, IMAGE_TOKENS, sizeof(vocab_token));
    return image_tokens_are_fine(view, IMAGE_TOKENS, IMAGE_BYTES) && tokens > 0 &&
           image_numbers_are_fine(view, IMAGE_FOUND, tokens) &&
           image_table_is_fine(view, IMAGE_FOUND, 1) &&
           image_numbers_are_fine(view, IMAGE_BY_ID, tokens - 1) &&
           image_numbers_are_fine(view, IMAGE_RESULTS, view->head.size - 1) &&
           image_slots_are_fine(view);
}

/* Whether each pair has two tokens before it, or none at all, and no token is longer than
 * there is room for. `lens` has a place for each id. */
static bool image_pairs_are_fine(const image_view *view, uint8_t *lens, size_t count)
{
    const char *pair = view->parts[IMAGE_PAIRS];
    memset(lens, 1, VOCAB_BYTES);
    for (size_t id = VOCAB_BYTES; id < VOCAB_BYTES + count; id++) {
        uint32_t left = vocab_data_number(pair);
        uint32_t right = vocab_data_number(pair + VOCAB_PAIR_LEN / 2);
        pair += VOCAB_PAIR_LEN;
        lens[id] = 0;
        if (left == VOCAB_NO_HALF && right == VOCAB_NO_HALF)
            continue;
        if (left >= id || right >= id || lens[left] == 0 || lens[right] == 0 ||
            lens[left] + lens[right] > VOCAB_TOKEN_MOST)
            return false;
        lens[id] = (uint8_t)(lens[left] + lens[right]);
    }
    return true;
}

/* Whether what is for 18 bits is: no place of a table leads elsewhere than it checks. */
static bool image_data_is_fine(const image_view *view, const pith_alloc *alloc,
                               bool *memory)
{
    const uint64_t *len = view->head.len;
    size_t count = image_count(view, IMAGE_PAIRS, VOCAB_PAIR_LEN);
    if (len[IMAGE_PAIRS] != (uint64_t)count * VOCAB_PAIR_LEN ||
        VOCAB_BYTES + count > VOCAB_NO_HALF || view->head.pair_count > count ||
        view->head.size < VOCAB_BYTES + view->head.pair_count ||
        len[IMAGE_SEEDS] % VOCAB_SEED_LEN || len[IMAGE_SEEDS] == 0 ||
        len[IMAGE_PLACES] % VOCAB_SLOT_LEN || len[IMAGE_PLACES] == 0 ||
        len[IMAGE_SEEDS] > UINT32_MAX || len[IMAGE_PLACES] > UINT32_MAX)
        return false;
    uint8_t *lens = (uint8_t *)alloc_resize(alloc, NULL, 0, VOCAB_BYTES + count);
    *memory = lens != NULL;
    bool fine = lens && image_pairs_are_fine(view, lens, count);
    alloc_free(alloc, lens, VOCAB_BYTES + count);
    return fine;
}

/* Whether the bytes have ids of their own; of a built-in vocabulary, the first 256. */
static bool image_bytes_are_fine(const image_view *view, bool builtin)
{
    uint32_t most = builtin ? VOCAB_BYTES - 1 : view->head.size - 1;
    bool seen[VOCAB_BYTES] = {false};
    for (unsigned byte = 0; byte < VOCAB_BYTES; byte++) {
        uint32_t id = view->head.byte_ids[byte];
        if (id > most || (builtin && seen[id]))
            return false;
        if (builtin)
            seen[id] = true;
    }
    return true;
}

static bool image_is_fine(const image_view *view, const pith_alloc *alloc, bool *memory)
{
    const image_head *head = &view->head;
    uint64_t name = head->len[IMAGE_NAME];
    bool builtin = head->len[IMAGE_PAIRS] > 0;
    return head->size > 0 && head->size <= VOCAB_ID_MOST && image_rule_is_fine(head) &&
           name > 0 &&
           memchr(view->parts[IMAGE_NAME], 0, (size_t)name) ==
               view->parts[IMAGE_NAME] + name - 1 &&
           image_bytes_are_fine(view, builtin) &&
           image_tokens_are_fine(view, IMAGE_SPECIALS, IMAGE_SPECIAL_BYTES) &&
           (builtin ? image_data_is_fine(view, alloc, memory) : image_read_is_fine(view));
}

/* Whether every piece of up to three digits is one token. */
static bool image_has_short_digits(const pith_vocab *vocab)
{
    for (unsigned number = 0; number < 1000; number++) {
        uint32_t a = vocab->byte_ids['0' + number / 100];
        uint32_t b = vocab->byte_ids['0' + number / 10 % 10];
        uint32_t c = vocab->byte_ids['0' + number % 10];
        uint32_t front = vocab_find_merge(vocab, a, b);
        uint32_t back = vocab_find_merge(vocab, b, c);
        if (front == VOCAB_NO_MERGE || back == VOCAB_NO_MERGE)
            return false;
        uint32_t whole = front <= back
                             ? vocab_find_merge(vocab, vocab_merged(vocab, front), c)
                             : vocab_find_merge(vocab, a, vocab_merged(vocab, back));
        if (whole == VOCAB_NO_MERGE)
            return false;
    }
    return true;
}

/* What an image has is never written to: the cast is for fields that others fill. */
static void *image_part(const image_view *view, unsigned part)
{
    return (void *)(uintptr_t)view->parts[part];
}

#define IMAGE_TAKE_LIST(list, type, view, part)                                          \
    ((list)->at = (type *)image_part(view, part),                                        \
     (list)->count = image_count(view, part, sizeof(type)))

static void image_take_data(pith_vocab *vocab, const image_view *view)
{
    const split_rule *rule = &vocab->rule;
    vocab->image =
        (vocab_data){view->parts[IMAGE_PAIRS],
                     image_count(view, IMAGE_PAIRS, VOCAB_PAIR_LEN),
                     view->parts[IMAGE_SEEDS],
                     (uint32_t)image_count(view, IMAGE_SEEDS, VOCAB_SEED_LEN),
                     view->parts[IMAGE_PLACES],
                     (uint32_t)image_count(view, IMAGE_PLACES, VOCAB_SLOT_LEN)};
    vocab->data = &vocab->image;
    vocab->pair_count = view->head.pair_count;
    vocab->first_merged = VOCAB_BYTES;
    for (unsigned byte = 0; byte < VOCAB_BYTES; byte++)
        vocab->id_bytes[vocab->byte_ids[byte]] = (unsigned char)byte;
    bool fast = rule->family == SPLIT_O200K
                    ? rule->slashes && rule->endings != SPLIT_ENDINGS_NONE
                    : rule->family == SPLIT_CL100K && !rule->slashes;
    vocab->short_digits = fast && rule->digits == 3 && image_has_short_digits(vocab);
}

static bool image_take_texts(pith_vocab *vocab, const image_view *view)
{
    vocab_texts *texts = vocab->texts = vocab_texts_new(&vocab->alloc);
    if (!texts)
        return false;
    IMAGE_TAKE_LIST(&texts->bytes, char, view, IMAGE_BYTES);
    IMAGE_TAKE_LIST(&texts->tokens, vocab_token, view, IMAGE_TOKENS);
    IMAGE_TAKE_LIST(&texts->found, uint32_t, view, IMAGE_FOUND);
    IMAGE_TAKE_LIST(&texts->by_id, uint32_t, view, IMAGE_BY_ID);
    IMAGE_TAKE_LIST(&texts->results, uint32_t, view, IMAGE_RESULTS);
    texts->seed = view->head.seed;
    vocab->results = texts->results.at;
    vocab->slots = (uint64_t *)image_part(view, IMAGE_SLOTS);
    vocab->slot_count = image_count(view, IMAGE_SLOTS, sizeof(uint64_t));
    vocab->slot_odd = view->head.slot_odd | 1;
    vocab->slot_shift = 64;
    for (size_t left = vocab->slot_count; left > 1; left /= 2)
        vocab->slot_shift--;
    return true;
}

static bool image_take_specials(pith_vocab *vocab, const image_view *view)
{
    const vocab_token *list =
        (const vocab_token *)(const void *)view->parts[IMAGE_SPECIALS];
    size_t count = image_count(view, IMAGE_SPECIALS, sizeof *list);
    if (!LIST_RESERVE(&vocab->specials, &vocab->alloc, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        pith_text text = {view->parts[IMAGE_SPECIAL_BYTES] + list[i].at, list[i].len};
        vocab->specials.at[vocab->specials.count++] = (vocab_special){text, list[i].id};
    }
    return true;
}

static bool image_take(pith_vocab *vocab, const image_view *view)
{
    const image_head *head = &view->head;
    vocab->mapped = true;
    vocab->rule = (split_rule){(split_family)head->family,
                               (split_endings)head->endings,
                               head->digits,
                               head->slashes != 0,
                               head->nfc != 0,
                               (split_apart)head->apart};
    vocab->whole_first = head->whole_first != 0;
    vocab->size = head->size;
    memcpy(vocab->byte_ids, head->byte_ids, sizeof vocab->byte_ids);
    if (head->len[IMAGE_PAIRS] > 0)
        image_take_data(vocab, view);
    else if (!image_take_texts(vocab, view))
        return false;
    return image_take_specials(vocab, view);
}

pith_vocab *vocab_map(pith_text image, pith_alloc alloc, pith_error *err)
{
    image_view view;
    bool memory = true;
    const char *complaint = image_look(image, &view);
    if (!complaint && !image_is_fine(&view, &alloc, &memory))
        complaint = "the saved vocabulary contradicts itself";
    if (complaint && memory) {
        error_set(err, PITH_BAD_INPUT, "bad_vocabulary", "%s", complaint);
        return NULL;
    }
    pith_vocab *vocab = memory ? vocab_new(alloc, view.parts[IMAGE_NAME]) : NULL;
    if (!vocab || !image_take(vocab, &view)) {
        vocab_free(vocab);
        error_no_memory(err);
        return NULL;
    }
    return vocab;
}

#endif
