/*
 * values_pith.c - a great many values through the Pith notation and back.
 *
 *     values_pith COUNT [SEED]
 *
 * Each value is made (made_values.c), written as Pith and read again; it must be the same
 * value, digits and order of members included, in no more bytes than compact JSON. Every
 * eighth value is also read as Pith from its JSON, written without one of the forms, and
 * damaged: what has lost its tail, or a row of a table, must be refused. The first loss
 * ends the run with the value on stderr.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzzing.h"
#include "made_values.h"

typedef struct trip {
    bytes json;
    pith_doc *doc;
    pith_doc *back;
    pith_buffer text;
    pith_buffer other;
    uint64_t state;
} trip;

static void lose(const trip *t, const char *why)
{
    fprintf(stderr, "%s\njson: %.*s\npith: %.*s\n", why, (int)t->json.len, t->json.ptr,
            (int)t->text.len, t->text.data ? t->text.data : "");
    exit(1);
}

static void write_as(trip *t, pith_buffer *to, const pith_doc *doc, const char *settings)
{
    pith_options options = {0};
    options.write = settings;
    to->len = 0;
    if (pith_value_write(pith_doc_root(doc), "pith", &options, pith_sink_buffer(to),
                         NULL) != PITH_OK) {
        lose(t, "cannot be written");
    }
}

/* The text must mean the value. */
static void must_be_same(trip *t, const char *text, size_t len, const char *why)
{
    pith_error err = {0};
    if (pith_doc_read(t->back, "pith", text, len, NULL, &err) != PITH_OK) {
        fprintf(stderr, "%zu:%zu: %s\n%.*s\n", err.line, err.column, err.message,
                (int)len, text);
        lose(t, why);
    }
    if (!pith_value_equal(pith_doc_root(t->doc), pith_doc_root(t->back))) {
        fprintf(stderr, "%.*s\n", (int)len, text);
        lose(t, why);
    }
}

static void must_be_refused(trip *t, const char *text, size_t len, const char *why)
{
    if (pith_doc_read(t->back, "pith", text, len, NULL, NULL) == PITH_OK) {
        fprintf(stderr, "%.*s\n", (int)len, text);
        lose(t, why);
    }
}

/* A table at the root without one of its rows. */
static void drop_row(trip *t)
{
    const char *data = t->text.data;
    size_t rows = pith_value_count(pith_doc_root(t->doc));
    size_t row = random_below(&t->state, rows);
    const char *start = data;
    for (size_t i = 0; i <= row; i++) {
        start = memchr(start, '\n', t->text.len - (size_t)(start - data)) + 1;
    }
    const char *end =
        (const char *)memchr(start, '\n', t->text.len - (size_t)(start - data)) + 1;
    t->other.len = 0;
    pith_sink sink = pith_sink_buffer(&t->other);
    REQUIRE(sink.write(sink.ctx, data, (size_t)(start - data)) == PITH_OK);
    REQUIRE(sink.write(sink.ctx, end, t->text.len - (size_t)(end - data)) == PITH_OK);
    must_be_refused(t, t->other.data, t->other.len, "a lost row is not noticed");
}

static void damage(trip *t)
{
    pith_value root = pith_doc_root(t->doc);
    bool array = pith_value_kind(root) == PITH_ARRAY;
    bool container = array || pith_value_kind(root) == PITH_OBJECT;
    if (container) {
        size_t len = random_below(&t->state, t->text.len);
        must_be_refused(t, t->text.data, len, "a lost tail is not noticed");
    }
    bool table = t->text.len > 3 && t->text.data[1] >= '0' && t->text.data[1] <= '9' &&
                 strchr("{0123456789", t->text.data[2]) &&
                 memchr(t->text.data, '\n', t->text.len);
    if (array && table && pith_value_count(root) > 1 &&
        pith_value_kind(pith_value_first(root)) == PITH_OBJECT) {
        drop_row(t);
    }
}

static void vary(trip *t)
{
    static const char *const settings[] = {
        "rows=inline",     "groups=false", "table-columns=false",
        "constants=false", "maps=false",   "rows=inline groups=false",
    };
    size_t which = random_below(&t->state, sizeof settings / sizeof *settings);
    must_be_same(t, t->json.ptr, t->json.len, "JSON is not read as it is");
    write_as(t, &t->other, t->doc, settings[which]);
    must_be_same(t, t->other.data, t->other.len, settings[which]);
    must_be_same(t, t->text.data, t->text.len, "lost");
    write_as(t, &t->other, t->back, NULL);
    if (t->other.len != t->text.len ||
        memcmp(t->other.data, t->text.data, t->text.len) != 0) {
        lose(t, "written differently the second time");
    }
    damage(t);
}

static void go(trip *t, size_t run)
{
    t->json.len = 0;
    make_value(&t->json, &t->state);
    if (pith_doc_read(t->doc, "json", t->json.ptr, t->json.len, NULL, NULL) != PITH_OK) {
        lose(t, "is no JSON");
    }
    write_as(t, &t->text, t->doc, NULL);
    must_be_same(t, t->text.data, t->text.len, "lost");
    if (t->text.len > t->json.len) {
        lose(t, "longer than JSON");
    }
    if (run % 8 == 0) {
        vary(t);
    }
}

int main(int argc, char **argv)
{
    trip t = {0};
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: %s COUNT [SEED]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)strtoul(argv[1], NULL, 10);
    size_t json_bytes = 0;
    size_t pith_bytes = 0;
    t.state = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    t.doc = pith_doc_new(NULL);
    t.back = pith_doc_new(NULL);
    REQUIRE(t.doc && t.back);
    for (size_t run = 0; run < count; run++) {
        go(&t, run);
        json_bytes += t.json.len;
        pith_bytes += t.text.len;
    }
    printf("%zu values, none lost: %zu bytes of JSON, %zu of Pith\n", count, json_bytes,
           pith_bytes);
    pith_buffer_free(&t.text);
    pith_buffer_free(&t.other);
    pith_doc_free(t.doc);
    pith_doc_free(t.back);
    bytes_free(&t.json);
    return 0;
}
