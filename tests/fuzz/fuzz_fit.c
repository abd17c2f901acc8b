/*
 * fuzz_fit.c - drawn values cut down to a number of tokens.
 *
 *     byte 0   the format
 *     byte 1   bits 0-1  which rows stay
 *              bit 2     end with a newline
 *     byte 2   the tokens, in fours
 *     the rest is the value, see drawn.h
 *
 * What must hold: the text fits, has as many tokens as is said, and is read as the value
 * with so many of its rows; when nothing was left out it is the whole value. When not
 * even one row fits, the call fails with "budget_exceeded" and names a size that does not
 * fit.
 */
#include "drawn.h"
#include "fitting.h"
#include "fuzzing.h"

static const char *const formats[] = {"json", "ndjson", "csv", "toon",
                                      "gcf",  "soch",   "pith"};

static size_t count(const pith_vocab *vocab, const pith_buffer *text)
{
    size_t tokens = 0;
    REQUIRE(pith_vocab_count(vocab, text->data, text->len, NULL, &tokens, NULL) ==
            PITH_OK);
    return tokens;
}

/* Whether `some` is `all` with elements and members left out: what is there was there,
 * elements in this order, and no list that had something has nothing. */
static bool is_cut_of(pith_value some, pith_value all)
{
    pith_kind kind = pith_value_kind(all);
    if (kind != PITH_ARRAY && kind != PITH_OBJECT)
        return fuzz_same_value(some, all);
    if (pith_value_kind(some) != kind ||
        (pith_value_count(some) == 0) != (pith_value_count(all) == 0))
        return false;
    pith_value from = pith_value_first(all);
    for (pith_value at = pith_value_first(some); at.doc; at = pith_value_next(at)) {
        pith_text key = pith_value_key(at);
        if (kind == PITH_OBJECT) /* a table has one order for all its rows */
            from = pith_value_get(all, key.ptr, key.len);
        while (kind == PITH_ARRAY && from.doc && !is_cut_of(at, from))
            from = pith_value_next(from);
        if (!from.doc || (kind == PITH_OBJECT && !is_cut_of(at, from)))
            return false;
        from = pith_value_next(from);
    }
    return true;
}

static void check_fitted(pith_value value, const char *format, const fitting *fit,
                         const pith_buffer *out)
{
    pith_error err = {0};
    size_t len = out->len;
    if (fit->newline)
        REQUIRE(len == 0 || out->data[len - 1] == '\n');
    pith_doc *back = pith_doc_parse(format, out->data, len, NULL, &err);
    if (!back || !is_cut_of(pith_doc_root(back), value))
        fprintf(stderr, "%s %zu of %zu: %s\n%.*s\n", format, fit->rows,
                fit->rows + fit->rows_left_out, err.message, (int)len, out->data);
    REQUIRE(back != NULL);
    REQUIRE(is_cut_of(pith_doc_root(back), value));
    pith_doc_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const rows_keep keeps[] = {ROWS_KEEP_FIRST, ROWS_KEEP_LAST, ROWS_KEEP_SPREAD,
                                      ROWS_KEEP_FIRST};
    if (size < 3)
        return 0;
    const char *format = formats[data[0] % (sizeof formats / sizeof *formats)];
    draw from = {data + 3, data + size};
    pith_doc *doc = draw_doc(&from);
    fitting fit = {0};
    pith_options options = {0};
    pith_buffer out = {0};
    pith_error err = {0};
    pith_vocab *vocab = pith_vocab_open(NULL, NULL, NULL);
    REQUIRE(vocab != NULL);
    fit.tokens_max = (size_t)data[2] * 4 + 1;
    fit.keep = keeps[data[1] & 3];
    fit.newline = data[1] & 4;
    options.vocab = vocab;
    pith_status status = fit_value(pith_doc_root(doc), format, &fit, &options,
                                   pith_sink_buffer(&out), &err);
    if (status == PITH_OK) {
        REQUIRE(fit.tokens == count(vocab, &out) && fit.tokens <= fit.tokens_max);
        check_fitted(pith_doc_root(doc), format, &fit, &out);
    } else {
        REQUIRE(err.code != NULL && err.message[0] != '\0');
        REQUIRE(status == PITH_UNREPRESENTABLE ||
                strcmp(err.code, "budget_exceeded") == 0);
    }
    pith_buffer_free(&out);
    pith_vocab_free(vocab);
    pith_doc_free(doc);
    return 0;
}
