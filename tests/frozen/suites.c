/*
 * suites.c - everything the formats do to the texts of the conformance suites, as hashes.
 *
 * The suites say which texts are right and which are refused; they do not say at which
 * place and with which words. That is held here. Every string anywhere in a suite is a
 * text, and every object and array a value, whatever the suite has it for: texts are read
 * whole, in pieces of three sizes, checked, and taken as graphs and as deltas; values are
 * written. Each value, row and error, with its code, place and message, goes into the
 * hash of its step.
 *
 *     usage: suites               a line for each suite, way and step; "skipped SUITE" for
 *                                 a suite that is not here (see tests/support/fixtures.h)
 *            suites WAY STEP      what is hashed in that line, to compare two builds
 */
#include <stdio.h>
#include <string.h>

#include "fixtures.h"
#include "hashed.h"
#include "suite.h"
#include "testing.h"

typedef struct way {
    const char *name;
    const char *suite; /* a folder of the suites, or a file of ours */
    record_way how;
} way;

static const way ways[] = {
    {"pith", "pith-vectors.json", {"pith", NULL, NULL}},
    {"pith-as-json", "pith-vectors.json", {"json", NULL, NULL}},
    {"soch", "soch-vectors.json", {"soch", NULL, NULL}},
    {"soch-as-csv", "soch-vectors.json", {"csv", "nested=json", NULL}},
    {"soch-bin", "soch-vectors.json", {"soch-bin", NULL, NULL}},
    {"toon-4.0", "toon-4.0", {"toon", NULL, NULL}},
    {"toon-4.0-lax", "toon-4.0", {"toon", "delimiter=tab", "strict=false"}},
    {"toon-3.3", "toon-3.3", {"toon", "version=3", "version=3"}},
    {"toon-3.3-paths",
     "toon-3.3",
     {"toon", "version=3 fold=safe", "version=3 expand=safe"}},
    {"gcf-3.5", "gcf-3.5", {"gcf", NULL, NULL}},
    {"gcf-3.5-deep", "gcf-3.5", {"gcf", "flatten=false level=3.6", NULL}},
    {"gcf-1.4", "gcf-1.4", {"gcf1", NULL, NULL}},
    {"gcf-1.4-lax", "gcf-1.4", {"gcf1", "lossy=true level=1.4", "counts=lax"}},
};

static const char *const folders[] = {
    "decode",        "encode",        "arrays",          "attachments",
    "containers",    "errors",        "errors-v2",       "flatten",
    "delta",         "generic",       "generic-delta",   "generic-delta-session",
    "graph-decode",  "graph-delta",   "graph-encode",    "generic-pack-root",
    "graph-session", "inline-schema", "graph-pack-root", "keyed-map",
    "keys",          "numbers",       "roots",           "scalar",
    "session",       "streaming",     "streaming-v2",    "whitespace",
};

typedef enum step {
    STEP_WRITE,
    STEP_READ,
    STEP_BY_1,
    STEP_BY_7,
    STEP_BY_4096,
    STEP_CHECK,
    STEP_GRAPH,
    STEP_COUNT
} step;

static const char *const step_names[] = {"write",  "read",  "by1",  "by7",
                                         "by4096", "check", "graph"};

typedef struct run {
    const way *one;
    hashed records[STEP_COUNT];
} run;

/* -------------------------------------------------------------------------- steps */

static size_t same_size(void *ctx)
{
    return *(size_t *)ctx;
}

static void each_text(run *to, pith_text text)
{
    static size_t sizes[] = {1, 7, 4096};
    const record_way *how = &to->one->how;
    const char *ptr = text.ptr ? text.ptr : "";
    record_whole(&to->records[STEP_READ].to, how, ptr, text.len);
    for (size_t i = 0; i < ROWS(sizes); i++) {
        record_pieces(&to->records[STEP_BY_1 + i].to, how, ptr, text.len, same_size,
                      &sizes[i]);
    }
    record_check(&to->records[STEP_CHECK].to, how, ptr, text.len);
    record_graph(&to->records[STEP_GRAPH].to, how, ptr, text.len);
}

/* ------------------------------------------------------------------------ running */

/* A string of hexadecimal digits is a text of bytes for a format that has no other. */
static void each_string(run *to, pith_text text)
{
    static const char digits[] = "0123456789abcdef";
    char raw[4096];
    if (strcmp(to->one->how.format, "soch-bin") != 0) {
        each_text(to, text);
        return;
    }
    for (size_t i = 0; i < text.len; i++) {
        const char *digit = strchr(digits, text.ptr[i]);
        if (!digit || !*digit || text.len >= 2 * sizeof raw)
            return;
        int value = (int)(digit - digits);
        raw[i / 2] = (char)(i % 2 ? (raw[i / 2] | value) : value << 4);
    }
    each_text(to, (pith_text){raw, text.len / 2});
}

/* The files are small, and their depth is known: recursion is fine. */
static void each_value(run *to, pith_value value)
{
    pith_kind kind = pith_value_kind(value);
    if (kind == PITH_STRING) {
        each_string(to, pith_value_text(value));
    } else if (kind == PITH_ARRAY || kind == PITH_OBJECT) {
        record_write(&to->records[STEP_WRITE].to, &to->one->how, value);
        for (pith_value v = pith_value_first(value); v.doc; v = pith_value_next(v))
            each_value(to, v);
    }
}

static void each_file(void *ctx, const char *name, pith_value test)
{
    (void)name;
    each_value(ctx, test);
}

/* False when the suite is not here. */
static bool run_texts(run *to)
{
    char path[SUITE_PATH_MOST];
    const char *suite = to->one->suite;
    if (strstr(suite, ".json")) {
        pith_buffer file = fixtures_own(suite);
        pith_doc *doc = must_parse("json", file.data, file.len, NULL);
        each_value(to, pith_doc_root(doc));
        pith_doc_free(doc);
        pith_buffer_free(&file);
        return true;
    }
    if (!suite_find(path, suite))
        return false;
    for (size_t i = 0; i < ROWS(folders); i++)
        suite_each(path, folders[i], each_file, to);
    return true;
}

static void run_way(const way *one, const char *shown)
{
    run to = {.one = one};
    for (int i = 0; i < STEP_COUNT; i++)
        hashed_start(&to.records[i], shown && strcmp(shown, step_names[i]) == 0);
    if (!run_texts(&to)) {
        printf("skipped %s\n", one->name);
        return;
    }
    for (int i = 0; i < STEP_COUNT && !shown; i++)
        hashed_end(&to.records[i], one->name, step_names[i]);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < ROWS(ways); i++)
        if (argc < 3 || strcmp(argv[1], ways[i].name) == 0)
            run_way(&ways[i], argc < 3 ? NULL : argv[2]);
    return 0;
}
