/*
 * fuzzing.h - what the fuzz targets share: a requirement that stops the run, and
 * writing and reading that must not fail.
 *
 * A target is one function, LLVMFuzzerTestOneInput. libFuzzer calls it for as long as
 * one likes; standalone_main.c calls it a fixed number of times, always with the same
 * inputs, so that it can be part of the ordinary tests.
 */
#ifndef PITH_FUZZING_H
#define PITH_FUZZING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "copied.h"
#include "pith.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stops the run with the place and the condition; the fuzzer keeps the input. */
#define REQUIRE(condition)                                                               \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__,            \
                    #condition);                                                         \
            abort();                                                                     \
        }                                                                                \
    } while (0)

/* A copy that ends where its block of memory ends, so that the address sanitizer
 * sees whoever reads on. */
static inline char *fuzz_copy(const uint8_t *data, size_t size)
{
    char *copy = (char *)malloc(size ? size : 1);
    REQUIRE(copy != NULL);
    if (size)
        memcpy(copy, data, size);
    return copy;
}

/* The value in the format; the caller frees the buffer. */
static inline pith_buffer fuzz_write(pith_value value, const char *format,
                                     const char *settings)
{
    pith_options options = {0};
    options.write = settings;
    pith_buffer out = {0};
    pith_status status =
        pith_value_write(value, format, &options, pith_sink_buffer(&out), NULL);
    REQUIRE(status == PITH_OK);
    REQUIRE(out.data != NULL && out.data[out.len] == '\0');
    return out;
}

/* Text that the library wrote itself must be read again, as the same value. */
static inline void fuzz_reads_back(const char *format, const pith_buffer *text,
                                   pith_value value)
{
    pith_options options = {0};
    options.depth_max = PITH_DEPTH_MOST;
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse(format, text->data, text->len, &options, &err);
    if (!doc)
        fprintf(stderr, "%zu:%zu: %s\n", err.line, err.column, err.message);
    REQUIRE(doc != NULL);
    REQUIRE(pith_value_equal(pith_doc_root(doc), value));
    pith_doc_free(doc);
}

/* Objects with more members are taken on trust: looking them up is quadratic. */
enum { FUZZ_MEMBERS_MOST = 100 };

/* Equal but for the order of keys and the spelling of numbers. */
static inline bool fuzz_same_value(pith_value a, pith_value b)
{
    return same_in_any_order_up_to(a, b, FUZZ_MEMBERS_MOST);
}

/* A failure of reading must say what, where and why. */
static inline void fuzz_is_whole_error(const pith_error *err, size_t len)
{
    REQUIRE(err->status == PITH_BAD_INPUT || err->status == PITH_LIMIT);
    REQUIRE(err->code != NULL && err->code[0] != '\0');
    REQUIRE(err->line >= 1 && err->column >= 1 && err->offset <= len);
    REQUIRE(memchr(err->message, '\0', sizeof err->message) != NULL);
    REQUIRE(err->message[0] != '\0');
}

static inline bool fuzz_same_error(const pith_error *a, const pith_error *b)
{
    return a->status == b->status && strcmp(a->code, b->code) == 0 &&
           a->line == b->line && a->column == b->column && a->offset == b->offset &&
           strcmp(a->message, b->message) == 0;
}

/* The first problem of a check, and how many there were. */
typedef struct fuzz_problems {
    pith_error first;
    size_t count;
} fuzz_problems;

static inline bool fuzz_note(void *ctx, const pith_error *problem)
{
    fuzz_problems *problems = (fuzz_problems *)ctx;
    if (problems->count++ == 0)
        problems->first = *problem;
    return true;
}

/* What is refused is refused with a place and a reason, and a check finds that reason
 * first. */
static inline void fuzz_refused(const char *format, const char *text, size_t len,
                                const pith_options *options, const pith_error *err)
{
    fuzz_is_whole_error(err, len);
    fuzz_problems problems = {{0}, 0};
    pith_error verdict = {0};
    pith_status status =
        pith_check(format, text, len, options, fuzz_note, &problems, &verdict);
    REQUIRE(status == err->status && problems.count >= 1);
    REQUIRE(fuzz_same_error(&problems.first, err));
    REQUIRE(fuzz_same_error(&verdict, err));
}

/* A walk gives every value, and cells make the same of them. */
static inline void fuzz_copies(pith_value root, size_t batch)
{
    pith_doc *copy = copied(root, batch, batch % 2);
    REQUIRE(pith_value_equal(pith_doc_root(copy), root));
    pith_doc_free(copy);
}

/* What is accepted has no problems, and survives JSON and batches. */
static inline void fuzz_accepted(const char *format, const char *text, size_t len,
                                 const pith_options *options, pith_value root)
{
    fuzz_problems problems = {{0}, 0};
    REQUIRE(pith_check(format, text, len, options, fuzz_note, &problems, NULL) ==
            PITH_OK);
    REQUIRE(problems.count == 0);
    pith_buffer json = fuzz_write(root, "json", NULL);
    fuzz_reads_back("json", &json, root);
    pith_buffer_free(&json);
    fuzz_copies(root, 1 + len % 20);
}

static inline bool fuzz_same_bytes(const pith_buffer *a, const pith_buffer *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

/* The document of what was written, which must be right. */
static inline pith_doc *fuzz_read(const char *format, const pith_buffer *text,
                                  const char *settings)
{
    pith_options options = {0};
    pith_error err = {0};
    options.read = settings;
    options.depth_max = PITH_DEPTH_MOST;
    pith_doc *doc = pith_doc_parse(format, text->data, text->len, &options, &err);
    if (!doc) {
        fprintf(stderr, "%zu:%zu: %s\n%.*s\n", err.line, err.column, err.message,
                (int)text->len, text->data);
    }
    REQUIRE(doc != NULL);
    return doc;
}

#endif /* PITH_FUZZING_H */
