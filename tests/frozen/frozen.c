/*
 * frozen.c - everything the formats do to many random values, as a few hashes.
 *
 * Each way of writing is given the same random values. Their texts, and the same texts
 * with a mistake in each, are then read whole, read in pieces and checked; every byte that
 * is written, every row, and every error with its code, place and message goes into the
 * hash of its step. `expected` holds the hashes: a change that is meant to change nothing
 * leaves them as they are, and one that is meant to change something changes the lines it
 * says.
 *
 *     usage: frozen               a line for each way and step
 *            frozen WAY STEP      what is hashed in that line, to compare two builds
 */
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "bytes.h"
#include "diff/mutate.h"
#include "making.h"
#include "pith.h"
#include "random.h"

enum { VALUES = 1000, MESSAGE_MOST = 600 };

typedef struct way {
    const char *name;
    const char *format;
    const char *write;
    const char *read;
    make_what what;
} way;

static const way ways[] = {
    {"json", "json", NULL, NULL, MAKE_ANY},
    {"json-indented", "json", "indent=2 ascii=true", "duplicates=last", MAKE_ANY},
    {"ndjson", "ndjson", NULL, NULL, MAKE_LIST},
    {"csv", "csv", NULL, NULL, MAKE_TABLE},
    {"csv-text", "csv", "quote=needed nested=json absent=null", "types=text", MAKE_TABLE},
    {"tsv", "tsv", NULL, "types=cells", MAKE_TABLE},
    {"toon", "toon", NULL, NULL, MAKE_ANY},
    {"toon-pipe", "toon", "delimiter=pipe indent=4", "strict=false indent=4", MAKE_ANY},
    {"toon-3", "toon", "version=3 fold=safe", "version=3 expand=safe", MAKE_ANY},
    {"toon-3.0", "toon", "version=3.0", "version=3.0", MAKE_ANY},
    {"toon-rows", "toon-rows", NULL, NULL, MAKE_TABLE},
    {"gcf", "gcf", NULL, NULL, MAKE_ANY},
    {"gcf-3.6", "gcf", "level=3.6", NULL, MAKE_TABLE},
    {"gcf-deep", "gcf", "flatten=false", NULL, MAKE_ANY},
    {"gcf1", "gcf1", NULL, NULL, MAKE_ANY},
    {"gcf1-lossy", "gcf1", "lossy=true", "counts=lax", MAKE_ANY},
    {"gcf1-1.4", "gcf1", "level=1.4", NULL, MAKE_ANY},
    {"soch", "soch", NULL, NULL, MAKE_ANY},
    {"soch-filled", "soch", "fill-missing=true", NULL, MAKE_TABLE},
    {"soch-bin", "soch-bin", NULL, NULL, MAKE_ANY},
    {"soch-bin-filled", "soch-bin", "fill-missing=true", NULL, MAKE_TABLE},
    {"pith", "pith", NULL, NULL, MAKE_ANY},
    {"pith-free", "pith", "order=free", NULL, MAKE_TABLE},
};

typedef enum step { STEP_WRITE, STEP_READ, STEP_PIECES, STEP_CHECK, STEP_COUNT } step;

static const char *const step_names[] = {"write", "read", "pieces", "check"};

/* ---------------------------------------------------------------------- recording */

/* What one step of one way did: hashed, and printed if somebody wants to see it. */
typedef struct record {
    sha256 hash;
    bool show;
} record;

static void record_add(record *to, const char *label, const void *data, size_t len)
{
    sha256_add(&to->hash, label, strlen(label) + 1);
    sha256_add(&to->hash, data ? data : "", len);
    if (to->show) {
        printf("%s ", label);
        fwrite(data ? data : "", 1, len, stdout);
        putchar('\n');
    }
}

static void record_error(record *to, const pith_error *err)
{
    char text[MESSAGE_MOST];
    int len = snprintf(text, sizeof text, "%d %s %zu %zu:%zu %s", (int)err->status,
                       err->code ? err->code : "", err->offset, err->line, err->column,
                       err->message);
    size_t kept = (size_t)len < sizeof text ? (size_t)len : sizeof text - 1;
    record_add(to, "error", text, kept);
}

static void record_end(record *from, const char *way_name, const char *step_name)
{
    unsigned char digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    sha256_end(&from->hash, digest);
    sha256_hex(digest, hex);
    printf("%-16s %-7s %.32s\n", way_name, step_name, hex);
}

/* -------------------------------------------------------------------------- steps */

static pith_options options_of(const way *one)
{
    pith_options options = {0};
    options.read = one->read;
    options.write = one->write;
    return options;
}

static void read_whole(record *to, const way *one, const bytes *text)
{
    pith_options options = options_of(one);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse(one->format, text->ptr, text->len, &options, &err);
    if (!doc) {
        record_error(to, &err);
        return;
    }
    pith_buffer json = {0};
    pith_value_write(pith_doc_root(doc), "json", NULL, pith_sink_buffer(&json), NULL);
    record_add(to, "value", json.data, json.len);
    pith_buffer_free(&json);
    pith_doc_free(doc);
}

static void take_rows(record *to, pith_reader *reader, pith_status *status,
                      pith_error *err)
{
    pith_value row = {0};
    while (*status == PITH_OK) {
        *status = pith_reader_next(reader, &row, err);
        if (*status != PITH_OK || !row.doc) {
            return;
        }
        pith_buffer json = {0};
        pith_value_write(row, "json", NULL, pith_sink_buffer(&json), NULL);
        record_add(to, "row", json.data, json.len);
        pith_buffer_free(&json);
    }
}

static void read_pieces(record *to, const way *one, const bytes *text, uint64_t seed)
{
    pith_options options = options_of(one);
    pith_error err = {0};
    pith_status status = PITH_OK;
    pith_reader *reader = pith_reader_open(one->format, &options, &err);
    size_t at = 0;
    while (reader && status == PITH_OK && at < text->len) {
        size_t most = random_below(&seed, 2) ? 8 : 400;
        size_t size = 1 + random_below(&seed, most);
        size = size < text->len - at ? size : text->len - at;
        status = pith_reader_feed(reader, text->ptr + at, size, &err);
        at += size;
        take_rows(to, reader, &status, &err);
    }
    if (reader && status == PITH_OK) {
        status = pith_reader_end(reader, &err);
        take_rows(to, reader, &status, &err);
    }
    if (!reader || status != PITH_OK) {
        record_error(to, &err);
    }
    pith_reader_free(reader);
}

static bool add_problem(void *ctx, const pith_error *problem)
{
    record_error((record *)ctx, problem);
    return true;
}

static void check_text(record *to, const way *one, const bytes *text)
{
    pith_options options = options_of(one);
    pith_check(one->format, text->ptr, text->len, &options, add_problem, to, NULL);
}

static void each_text(record *records, const way *one, const bytes *text, uint64_t seed)
{
    read_whole(&records[STEP_READ], one, text);
    read_pieces(&records[STEP_PIECES], one, text, seed);
    check_text(&records[STEP_CHECK], one, text);
}

/* ------------------------------------------------------------------------ running */

static void run_value(record *records, const way *one, const bytes *json, uint64_t seed)
{
    pith_options options = {0};
    options.write = one->write;
    options.read = "duplicates=last"; /* of the JSON */
    pith_buffer out = {0};
    pith_error err = {0};
    pith_status status = pith_convert("json", one->format, json->ptr, json->len, &options,
                                      pith_sink_buffer(&out), &err);
    if (status != PITH_OK) {
        record_error(&records[STEP_WRITE], &err);
    } else {
        record_add(&records[STEP_WRITE], "text", out.data, out.len);
        bytes text = {0};
        bytes_add(&text, out.data ? out.data : "", out.len);
        each_text(records, one, &text, seed);
        bytes_free(&text);
        for (int i = 0; i < 2; i++) {
            mutate_text(&text, out.data ? out.data : "", out.len, &seed);
            each_text(records, one, &text, seed);
            bytes_free(&text);
        }
    }
    pith_buffer_free(&out);
}

static void run_way(const way *one, const char *shown)
{
    record records[STEP_COUNT];
    for (int i = 0; i < STEP_COUNT; i++) {
        sha256_init(&records[i].hash);
        records[i].show = shown && strcmp(shown, step_names[i]) == 0;
    }
    uint64_t seed = 20;
    for (size_t i = 0; i < VALUES; i++) {
        bytes json = {0};
        make_json(&json, &seed, one->what);
        if (json.len < 20000) { /* the long ones take long, and are the same again */
            run_value(records, one, &json, i);
        }
        bytes_free(&json);
    }
    for (int i = 0; i < STEP_COUNT && !shown; i++) {
        record_end(&records[i], one->name, step_names[i]);
    }
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (argc < 3 || strcmp(argv[1], ways[i].name) == 0) {
            run_way(&ways[i], argc < 3 ? NULL : argv[2]);
        }
    }
    return 0;
}
