/*
 * tokenizer_json.c - a vocabulary from Hugging Face's tokenizer.json.
 *
 * Such a file describes a pipeline: a normalizer, a pre-tokenizer, a model, and tokens
 * added to it. Many pipelines are byte-level BPE in one of a few shapes, and those are
 * what is read here. Patterns are recognised by their text. Everything that would
 * change a count is looked at, and what is not known is refused by its name: a count
 * that may be wrong is worse than none.
 */
#include "api/api.h"
#include "base/list.h"
#include "doc/doc.h"
#include "tokens/vocab_make.h"

#ifndef PITH_OMIT_TOKENS

#define TOKENIZER_NAME "tokenizer.json"

typedef struct tokenizer_job {
    pith_value root;
    pith_value model;
    pith_alloc alloc;
    pith_error *err;
    split_rule rule;
    size_t splits;   /* steps that cut by a pattern */
    size_t deepseek; /* those of them that are DeepSeek's */
    pith_vocab *vocab;
    pith_buffer left, right; /* the bytes of what is being merged */
} tokenizer_job;

static bool tokenizer_refuse(const tokenizer_job *job, const char *what,
                             const char *which)
{
    error_set(job->err, PITH_UNREPRESENTABLE, "unsupported_tokenizer",
              "the %s %s is not supported", what, error_quote(which, strlen(which)).text);
    return false;
}

static bool tokenizer_bad(const tokenizer_job *job, const char *why)
{
    error_set(job->err, PITH_BAD_INPUT, "bad_tokenizer", "%s", why);
    return false;
}

static bool tokenizer_is(pith_value value, const char *text)
{
    return pith_value_kind(value) == PITH_STRING && text_is(pith_value_text(value), text);
}

/* Absent, null, false, 0 and empty all mean that a thing is not used. */
static bool tokenizer_is_off(pith_value value)
{
    pith_kind kind = pith_value_kind(value);
    double number = 1;
    return kind == PITH_NONE || kind == PITH_NULL || kind == PITH_FALSE ||
           (kind == PITH_STRING && pith_value_text(value).len == 0) ||
           (pith_value_double(value, &number) && number == 0);
}

static bool tokenizer_refuse_type(const tokenizer_job *job, const char *what,
                                  pith_value value)
{
    char name[64];
    pith_text type = pith_value_text(pith_value_get(value, "type", 4));
    size_t len = type.len < sizeof name ? type.len : sizeof name - 1;
    memcpy(name, len ? type.ptr : "", len);
    name[len] = '\0';
    return tokenizer_refuse(job, what, name);
}

/* ------------------------------------------------------------ the pre-tokenizer */

typedef struct tokenizer_pattern {
    const char *text;
    split_rule rule;
} tokenizer_pattern;

#define TOKENIZER_ENDINGS "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define TOKENIZER_HIGH "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define TOKENIZER_LOW "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define TOKENIZER_LEAD "[^\\r\\n\\p{L}\\p{N}]?"
#define TOKENIZER_BLANK "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define TOKENIZER_CL100K(digits)                                                         \
    TOKENIZER_ENDINGS "|" TOKENIZER_LEAD "\\p{L}+|" digits                               \
                      "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|" TOKENIZER_BLANK
#define TOKENIZER_O200K(endings, digits)                                                 \
    TOKENIZER_LEAD TOKENIZER_HIGH "*" TOKENIZER_LOW "+" endings                          \
                                  "|" TOKENIZER_LEAD TOKENIZER_HIGH "+" TOKENIZER_LOW    \
                                  "*" endings "|" digits                                 \
                                  "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|" TOKENIZER_BLANK

static const tokenizer_pattern tokenizer_patterns[] = {
    {TOKENIZER_CL100K("\\p{N}{1,3}"),
     {SPLIT_CL100K, SPLIT_ENDINGS_FOLDED, 3, false, false, SPLIT_NOTHING_APART}},
    {TOKENIZER_CL100K("\\p{N}"),
     {SPLIT_CL100K, SPLIT_ENDINGS_FOLDED, 1, false, false, SPLIT_NOTHING_APART}},
    {TOKENIZER_O200K(TOKENIZER_ENDINGS "?", "\\p{N}{1,3}"),
     {SPLIT_O200K, SPLIT_ENDINGS_FOLDED, 3, true, false, SPLIT_NOTHING_APART}},
    {TOKENIZER_O200K("", "\\p{N}"),
     {SPLIT_O200K, SPLIT_ENDINGS_NONE, 1, true, false, SPLIT_NOTHING_APART}},
};

/* DeepSeek cuts three times, each time what the time before left whole. */
static const char *const tokenizer_deepseek[] = {
    "\\p{N}{1,3}",
    "[\xE4\xB8\x80-\xE9\xBE\xA5\xE3\x81\x80-\xE3\x82\x9F\xE3\x82\xA0-\xE3\x83\xBF]+",
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|"
    "[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|"
    "\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
};

enum { TOKENIZER_DEEPSEEK_STEPS = 3 };

static const split_rule tokenizer_deepseek_rule = {
    SPLIT_DEEPSEEK, SPLIT_ENDINGS_NONE, 3, false, false, SPLIT_DIGITS_AND_KANA_APART};

/* Isolated pieces, or everything but the pieces removed: the same when the pattern
 * leaves nothing over, as all of these do. */
static bool tokenizer_read_split(tokenizer_job *job, pith_value split)
{
    bool first = job->splits++ == 0;
    pith_value behavior = pith_value_get(split, "behavior", 8);
    bool invert = pith_value_kind(pith_value_get(split, "invert", 6)) == PITH_TRUE;
    pith_value pattern = pith_value_get(pith_value_get(split, "pattern", 7), "Regex", 5);
    if (!(tokenizer_is(behavior, "Isolated") && !invert) &&
        !(tokenizer_is(behavior, "Removed") && invert)) {
        return tokenizer_refuse(job, "pre_tokenizer Split with behavior",
                                "other than Isolated");
    }
    size_t count = sizeof tokenizer_patterns / sizeof tokenizer_patterns[0];
    for (size_t i = 0; first && i < count; i++) {
        if (tokenizer_is(pattern, tokenizer_patterns[i].text)) {
            job->rule = tokenizer_patterns[i].rule;
            return true;
        }
    }
    if (job->splits == job->deepseek + 1 && job->deepseek < TOKENIZER_DEEPSEEK_STEPS &&
        tokenizer_is(pattern, tokenizer_deepseek[job->deepseek])) {
        job->deepseek++;
        job->rule = tokenizer_deepseek_rule;
        return true;
    }
    return tokenizer_refuse(job, "pattern of the pre_tokenizer", "Split");
}

/* Digits are cut out, one by one or in runs, before the pattern of GPT-2. */
static bool tokenizer_read_digits(tokenizer_job *job, pith_value step)
{
    bool alone =
        pith_value_kind(pith_value_get(step, "individual_digits", 17)) == PITH_TRUE;
    job->rule.apart = SPLIT_DIGITS_APART;
    job->rule.digits = alone ? 1 : 0;
    return true;
}

/* The byte-level step, which may have the pattern of GPT-2 in it. */
static bool tokenizer_read_bytes(tokenizer_job *job, pith_value step)
{
    pith_value regex = pith_value_get(step, "use_regex", 9);
    bool own = !regex.doc || pith_value_kind(regex) == PITH_TRUE;
    if (pith_value_kind(pith_value_get(step, "add_prefix_space", 16)) == PITH_TRUE)
        return tokenizer_refuse(job, "pre_tokenizer ByteLevel with", "add_prefix_space");
    if (own == (job->splits > 0)) {
        return tokenizer_refuse(job, "pre_tokenizer",
                                own ? "of two patterns" : "without a pattern");
    }
    if (job->deepseek > 0 && job->deepseek < TOKENIZER_DEEPSEEK_STEPS)
        return tokenizer_refuse(job, "pattern of the pre_tokenizer", "Split");
    if (own) {
        job->rule.family = SPLIT_GPT2;
        job->rule.endings = SPLIT_ENDINGS_EXACT;
    }
    return true;
}

static bool tokenizer_read_step(tokenizer_job *job, pith_value step)
{
    pith_value type = pith_value_get(step, "type", 4);
    bool digits = job->rule.apart == SPLIT_DIGITS_APART;
    if (tokenizer_is(type, "Split") && !digits)
        return tokenizer_read_split(job, step);
    if (tokenizer_is(type, "Digits") && !digits && job->splits == 0)
        return tokenizer_read_digits(job, step);
    if (tokenizer_is(type, "ByteLevel"))
        return tokenizer_read_bytes(job, step);
    return tokenizer_refuse_type(job, "pre_tokenizer", step);
}

/* The byte-level step is the last. */
static bool tokenizer_read_steps(tokenizer_job *job, pith_value first)
{
    bool level = false;
    for (pith_value step = first; step.doc; step = pith_value_next(step)) {
        if (level)
            return tokenizer_refuse_type(job, "pre_tokenizer", step);
        level = tokenizer_is(pith_value_get(step, "type", 4), "ByteLevel");
        if (!tokenizer_read_step(job, step))
            return false;
    }
    return level || tokenizer_refuse(job, "pre_tokenizer", "without ByteLevel");
}

static bool tokenizer_read_pre(tokenizer_job *job)
{
    pith_value pre = pith_value_get(job->root, "pre_tokenizer", 13);
    if (tokenizer_is(pith_value_get(pre, "type", 4), "Sequence")) {
        pith_value steps = pith_value_get(pre, "pretokenizers", 13);
        return tokenizer_read_steps(job, pith_value_first(steps));
    }
    if (tokenizer_is(pith_value_get(pre, "type", 4), "ByteLevel"))
        return tokenizer_read_bytes(job, pre);
    return tokenizer_refuse_type(job, "pre_tokenizer", pre);
}

/* --------------------------------------------------------------- the normalizer */

static bool tokenizer_read_normalizer(tokenizer_job *job)
{
    pith_value step = pith_value_get(job->root, "normalizer", 10);
    if (tokenizer_is(pith_value_get(step, "type", 4), "Sequence")) {
        pith_value steps = pith_value_get(step, "normalizers", 11);
        if (pith_value_count(steps) == 0)
            return true;
        step = pith_value_first(steps);
        if (pith_value_count(steps) > 1)
            return tokenizer_refuse_type(job, "normalizer", pith_value_next(step));
    }
    if (tokenizer_is(pith_value_get(step, "type", 4), "NFC")) {
        job->rule.nfc = true;
        return true;
    }
    return tokenizer_is_off(step) || tokenizer_refuse_type(job, "normalizer", step);
}

/* -------------------------------------------------------------------- the model */

static bool tokenizer_read_model(tokenizer_job *job)
{
    static const char *const unused[] = {"dropout", "continuing_subword_prefix",
                                         "end_of_word_suffix", "byte_fallback"};
    job->model = pith_value_get(job->root, "model", 5);
    pith_value type = pith_value_get(job->model, "type", 4);
    if (type.doc && !tokenizer_is(type, "BPE"))
        return tokenizer_refuse_type(job, "model", job->model);
    for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++)
        if (!tokenizer_is_off(pith_value_get(job->model, unused[i], strlen(unused[i]))))
            return tokenizer_refuse(job, "model with", unused[i]);
    if (pith_value_kind(pith_value_get(job->model, "vocab", 5)) != PITH_OBJECT ||
        pith_value_kind(pith_value_get(job->model, "merges", 6)) != PITH_ARRAY)
        return tokenizer_bad(job, "expected a model with vocab and merges");
    return true;
}

/* The id in a value; raises `*size` above it. */
static bool tokenizer_read_id(const tokenizer_job *job, pith_value value, size_t *size)
{
    uint64_t id;
    if (!pith_value_uint64(value, &id))
        return tokenizer_bad(job, "expected the id of a token to be a whole number");
    if (id >= VOCAB_ID_MOST) {
        error_set(job->err, PITH_LIMIT, "token_limit",
                  "an id is larger than this build allows");
        return false;
    }
    *size = *size > id ? *size : (size_t)id + 1;
    return true;
}

static bool tokenizer_measure(const tokenizer_job *job, size_t *size)
{
    pith_value tokens = pith_value_get(job->model, "vocab", 5);
    pith_value added = pith_value_get(job->root, "added_tokens", 12);
    *size = 1;
    for (pith_value one = pith_value_first(tokens); one.doc; one = pith_value_next(one))
        if (!tokenizer_read_id(job, one, size))
            return false;
    for (pith_value one = pith_value_first(added); one.doc; one = pith_value_next(one))
        if (!tokenizer_read_id(job, pith_value_get(one, "id", 2), size))
            return false;
    return true;
}

static uint32_t tokenizer_id(pith_value value)
{
    uint64_t id = 0;
    pith_value_uint64(value, &id);
    return (uint32_t)id;
}

/* The bytes of a spelling, in the buffer; false without memory, and empty bytes when it
 * is none: such a token is never made by merging. */
static bool tokenizer_unspell(tokenizer_job *job, pith_text spelled, pith_buffer *to)
{
    if (!list_grow(&job->alloc, (void *)&to->data, &to->cap, spelled.len + 1, 1)) {
        error_no_memory(job->err);
        return false;
    }
    to->len = vocab_unspell(spelled, to->data);
    to->len = to->len == SIZE_MAX ? 0 : to->len;
    return true;
}

static bool tokenizer_add_tokens(tokenizer_job *job)
{
    pith_value tokens = pith_value_get(job->model, "vocab", 5);
    for (pith_value one = pith_value_first(tokens); one.doc; one = pith_value_next(one)) {
        if (!tokenizer_unspell(job, pith_value_key(one), &job->left))
            return false;
        pith_text text = text_of(job->left.data, job->left.len);
        if (text.len && !vocab_make_token(job->vocab, text, tokenizer_id(one))) {
            error_no_memory(job->err);
            return false;
        }
    }
    unsigned missing = vocab_make_bytes(job->vocab);
    return missing == 256 || tokenizer_refuse(job, "vocabulary", "without all bytes");
}

static bool tokenizer_add_specials(tokenizer_job *job)
{
    pith_value added = pith_value_get(job->root, "added_tokens", 12);
    for (pith_value one = pith_value_first(added); one.doc; one = pith_value_next(one)) {
        pith_text text = pith_value_text(pith_value_get(one, "content", 7));
        uint32_t id = tokenizer_id(pith_value_get(one, "id", 2));
        if (text.len == 0)
            return tokenizer_bad(job, "expected the content of an added token");
        if (!vocab_make_special(job->vocab, text, id)) {
            error_no_memory(job->err);
            return false;
        }
    }
    return true;
}

/* The two halves of a merge: "a b", or an array of two. */
static bool tokenizer_halves(const tokenizer_job *job, pith_value merge, pith_text *left,
                             pith_text *right)
{
    *right = pith_value_text(merge);
    *left = text_split(right, ' ');
    if (pith_value_kind(merge) == PITH_ARRAY && pith_value_count(merge) == 2) {
        pith_value first = pith_value_first(merge);
        *left = pith_value_text(first);
        *right = pith_value_text(pith_value_next(first));
    }
    return (left->len && right->len) ||
           tokenizer_bad(job, "expected a merge of two tokens");
}

static bool tokenizer_add_merge(tokenizer_job *job, pith_value merge)
{
    pith_text first;
    pith_text second;
    if (!tokenizer_halves(job, merge, &first, &second) ||
        !tokenizer_unspell(job, first, &job->left) ||
        !tokenizer_unspell(job, second, &job->right))
        return false;
    pith_text half = text_of(job->left.data, job->left.len);
    uint32_t left = vocab_find_text(job->vocab, half);
    half = text_of(job->right.data, job->right.len);
    uint32_t right = vocab_find_text(job->vocab, half);
    size_t len = job->left.len + job->right.len;
    if (!list_grow(&job->alloc, (void *)&job->left.data, &job->left.cap, len, 1)) {
        error_no_memory(job->err);
        return false;
    }
    memcpy(job->left.data + job->left.len, job->right.data, job->right.len);
    uint32_t whole = vocab_find_text(job->vocab, text_of(job->left.data, len));
    if (left == VOCAB_NO_MERGE || right == VOCAB_NO_MERGE || whole == VOCAB_NO_MERGE)
        return tokenizer_bad(job, "a merge names a token that the vocabulary lacks");
    vocab_make_merge(job->vocab, left, right, whole);
    return true;
}

static bool tokenizer_fill(tokenizer_job *job)
{
    size_t size;
    pith_value merges = pith_value_get(job->model, "merges", 6);
    size_t count = pith_value_count(merges);
    if (!tokenizer_measure(job, &size))
        return false;
    if (count >= VOCAB_MERGES_MOST) {
        error_set(job->err, PITH_LIMIT, "token_limit", "there are too many merges");
        return false;
    }
    size_t tokens = pith_value_count(pith_value_get(job->model, "vocab", 5));
    job->vocab = vocab_make(job->alloc, TOKENIZER_NAME, size, tokens, count);
    if (!job->vocab) {
        error_no_memory(job->err);
        return false;
    }
    job->vocab->rule = job->rule;
    job->vocab->whole_first =
        pith_value_kind(pith_value_get(job->model, "ignore_merges", 13)) == PITH_TRUE;
    if (!tokenizer_add_tokens(job) || !tokenizer_add_specials(job))
        return false;
    for (pith_value one = pith_value_first(merges); one.doc; one = pith_value_next(one))
        if (!tokenizer_add_merge(job, one))
            return false;
    if (!vocab_make_order(job->vocab)) {
        error_no_memory(job->err);
        return false;
    }
    return true;
}

pith_vocab *pith_vocab_read(const char *text, size_t len, const pith_options *options,
                            pith_error *err)
{
    tokenizer_job job;
    memset(&job, 0, sizeof job);
    pith_options plain;
    memset(&plain, 0, sizeof plain);
    plain.alloc = alloc_from(options);
    job.alloc = plain.alloc;
    job.err = err;
    pith_doc *doc = pith_doc_parse("json", text, len, &plain, err);
    if (!doc)
        return NULL;
    job.root = pith_doc_root(doc);
    bool done = tokenizer_read_model(&job) && tokenizer_read_pre(&job) &&
                tokenizer_read_normalizer(&job) && tokenizer_fill(&job);
    alloc_free(&job.alloc, job.left.data, job.left.cap);
    alloc_free(&job.alloc, job.right.data, job.right.cap);
    pith_doc_free(doc);
    if (!done) {
        vocab_free(job.vocab);
        return NULL;
    }
    return job.vocab;
}

#endif
