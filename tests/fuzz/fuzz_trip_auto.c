/*
 * fuzz_trip_auto.c - drawn values in whatever format takes the fewest tokens, and back.
 *
 *     byte 0   bits 0-2  which formats may be chosen
 *              bit 3     verify=true
 *     the rest is the value, see drawn.h
 *
 * What must hold: the outcome names the format and the size of what was written, no more
 * tokens than compact JSON takes; in that format it is read as the same value, and where
 * all formats may be chosen its content says which it is.
 */
#include "drawn.h"
#include "fuzzing.h"

static const char *const allowed[8] = {
    "",           "allow=gcf",      "allow=toon", "allow=soch",
    "allow=pith", "allow=json,gcf", "allow=json", "allow=toon,pith",
};

static size_t count(const pith_vocab *vocab, const char *text, size_t len)
{
    size_t tokens = 0;
    REQUIRE(pith_vocab_count(vocab, text, len, NULL, &tokens, NULL) == PITH_OK);
    return tokens;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    draw from = {data + 1, data + size};
    pith_doc *doc = draw_doc(&from);
    pith_value value = pith_doc_root(doc);
    char words[64];
    pith_vocab *vocab = pith_vocab_open(NULL, NULL, NULL);
    pith_outcome outcome = {0};
    pith_options options = {0};
    pith_buffer out = {0};
    pith_error err = {0};
    REQUIRE(vocab != NULL);
    snprintf(words, sizeof words, "%s%s", allowed[data[0] & 7],
             data[0] & 8 ? " verify=true" : "");
    options.write = words;
    options.vocab = vocab;
    options.outcome = &outcome;
    pith_status status =
        pith_value_write(value, "auto", &options, pith_sink_buffer(&out), &err);
    if (status == PITH_OK) {
        pith_buffer json = fuzz_write(value, "json", NULL);
        REQUIRE(outcome.format != NULL && outcome.bytes == out.len);
        REQUIRE(outcome.tokens == count(vocab, out.data, out.len));
        if (!(data[0] & 7)) {
            const pith_format *seen = pith_format_of(NULL, out.data, out.len);
            REQUIRE(outcome.tokens <= count(vocab, json.data, json.len));
            REQUIRE(seen != NULL && strcmp(seen->name, outcome.format) == 0);
        }
        pith_doc *back = pith_doc_parse(outcome.format, out.data, out.len, NULL, &err);
        if (!back) {
            fprintf(stderr, "%s: %s\n%.*s\n", outcome.format, err.message, (int)out.len,
                    out.data);
        }
        REQUIRE(back != NULL && fuzz_same_value(value, pith_doc_root(back)));
        pith_doc_free(back);
        pith_buffer_free(&json);
    } else {
        REQUIRE(status == PITH_UNREPRESENTABLE && err.message[0] != '\0');
        REQUIRE(strcmp(err.code, "not_verified") != 0 && (data[0] & 7));
    }
    pith_buffer_free(&out);
    pith_vocab_free(vocab);
    pith_doc_free(doc);
    return 0;
}
