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

#include "bytes.h"
#include "diff/mutate.h"
#include "hashed.h"
#include "making.h"
#include "pith.h"
#include "random.h"

enum { VALUES = 1000 };

typedef struct way {
    const char *name;
    record_way how;
    make_what what;
} way;

static const way ways[] = {
    {"json", {"json", NULL, NULL}, MAKE_ANY},
    {"json-indented", {"json", "indent=2 ascii=true", "duplicates=last"}, MAKE_ANY},
    {"ndjson", {"ndjson", NULL, NULL}, MAKE_LIST},
    {"csv", {"csv", NULL, NULL}, MAKE_TABLE},
    {"csv-text",
     {"csv", "quote=needed nested=json absent=null", "types=text"},
     MAKE_TABLE},
    {"tsv", {"tsv", NULL, "types=cells"}, MAKE_TABLE},
    {"toon", {"toon", NULL, NULL}, MAKE_ANY},
    {"toon-pipe", {"toon", "delimiter=pipe indent=4", "strict=false indent=4"}, MAKE_ANY},
    {"toon-3", {"toon", "version=3 fold=safe", "version=3 expand=safe"}, MAKE_ANY},
    {"toon-3.0", {"toon", "version=3.0", "version=3.0"}, MAKE_ANY},
    {"toon-rows", {"toon-rows", NULL, NULL}, MAKE_TABLE},
    {"gcf", {"gcf", NULL, NULL}, MAKE_ANY},
    {"gcf-3.6", {"gcf", "level=3.6", NULL}, MAKE_TABLE},
    {"gcf-deep", {"gcf", "flatten=false", NULL}, MAKE_ANY},
    {"gcf1", {"gcf1", NULL, NULL}, MAKE_ANY},
    {"gcf1-lossy", {"gcf1", "lossy=true", "counts=lax"}, MAKE_ANY},
    {"gcf1-1.4", {"gcf1", "level=1.4", NULL}, MAKE_ANY},
    {"soch", {"soch", NULL, NULL}, MAKE_ANY},
    {"soch-filled", {"soch", "fill-missing=true", NULL}, MAKE_TABLE},
    {"soch-bin", {"soch-bin", NULL, NULL}, MAKE_ANY},
    {"soch-bin-filled", {"soch-bin", "fill-missing=true", NULL}, MAKE_TABLE},
    {"pith", {"pith", NULL, NULL}, MAKE_ANY},
    {"pith-free", {"pith", "order=free", NULL}, MAKE_TABLE},
};

typedef enum step { STEP_WRITE, STEP_READ, STEP_PIECES, STEP_CHECK, STEP_COUNT } step;

static const char *const step_names[] = {"write", "read", "pieces", "check"};

/* -------------------------------------------------------------------------- steps */

/* A few bytes or a few hundred, as it falls. */
static size_t any_size(void *ctx)
{
    uint64_t *seed = ctx;
    size_t most = random_below(seed, 2) ? 8 : 400;
    return 1 + random_below(seed, most);
}

static void each_text(hashed *records, const way *one, const bytes *text, uint64_t seed)
{
    record_whole(&records[STEP_READ].to, &one->how, text->ptr, text->len);
    record_pieces(&records[STEP_PIECES].to, &one->how, text->ptr, text->len, any_size,
                  &seed);
    record_check(&records[STEP_CHECK].to, &one->how, text->ptr, text->len);
}

/* ------------------------------------------------------------------------ running */

static void run_value(hashed *records, const way *one, const bytes *json, uint64_t seed)
{
    pith_options options = {0};
    options.write = one->how.write;
    options.read = "duplicates=last"; /* of the JSON */
    pith_buffer out = {0};
    pith_error err = {0};
    pith_status status = pith_convert("json", one->how.format, json->ptr, json->len,
                                      &options, pith_sink_buffer(&out), &err);
    if (status != PITH_OK) {
        record_error(&records[STEP_WRITE].to, &err);
    } else {
        record *written = &records[STEP_WRITE].to;
        written->add(written->ctx, "text", out.data, out.len);
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
    hashed records[STEP_COUNT];
    for (int i = 0; i < STEP_COUNT; i++)
        hashed_start(&records[i], shown && strcmp(shown, step_names[i]) == 0);
    uint64_t seed = 20;
    for (size_t i = 0; i < VALUES; i++) {
        bytes json = {0};
        make_json(&json, &seed, one->what);
        if (json.len < 20000) /* the long ones take long, and are the same again */
            run_value(records, one, &json, i);
        bytes_free(&json);
    }
    for (int i = 0; i < STEP_COUNT && !shown; i++)
        hashed_end(&records[i], one->name, step_names[i]);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (argc < 3 || strcmp(argv[1], ways[i].name) == 0)
            run_way(&ways[i], argc < 3 ? NULL : argv[2]);
    return 0;
}
