/*
 * smoke.c - what is there works, and what is left out says so.
 *
 * It is compiled with the switches of the library that it is linked with, and always
 * without vocabularies.
 */
#include "pith.h"

#include <stdio.h>
#include <string.h>

static const char table[] = "[{\"id\":1,\"a\":\"x\"},{\"id\":2,\"a\":\"y\"}]";
static const char code_graph[] =
    "{\"tool\":\"t\",\"symbols\":[{\"qualified_name\":\"f\",\"kind\":\"function\","
    "\"score\":1,\"provenance\":\"ast\",\"distance\":0}],\"edges\":[]}";
static int failures;

static void expect(bool right, const char *what)
{
    if (!right) {
        fprintf(stderr, "failed: %s\n", what);
        failures++;
    }
}

/* Converts, and returns the code word of the failure; "" for none. */
static const char *convert(const char *to, const char *text, const pith_options *options,
                           pith_buffer *out)
{
    pith_error err;
    pith_status status = pith_convert("json", to, text, strlen(text), options,
                                      pith_sink_buffer(out), &err);
    return status == PITH_OK ? "" : err.code;
}

static void check_formats(void)
{
    const pith_format *format;
    for (size_t i = 0; (format = pith_format_at(i)) != NULL; i++) {
        pith_buffer out = {0};
        const char *text = strstr(format->name, "graph") ? code_graph : table;
        if (!(format->direction & PITH_READ) || !(format->direction & PITH_WRITE))
            continue;
        expect(*convert(format->name, text, NULL, &out) == '\0', format->name);
        pith_doc *doc = pith_doc_parse(format->name, out.data, out.len, NULL, NULL);
        expect(doc != NULL, format->name);
        pith_doc_free(doc);
        pith_buffer_free(&out);
    }
}

static void check_graphs(void)
{
    pith_buffer out = {0};
    const char *code = convert("gcf-graph", code_graph, NULL, &out);
    pith_buffer_free(&out);
#ifdef PITH_OMIT_GRAPHS
    static const char text[] = "GCF profile=graph tool=t symbols=0 edges=0\n";
    pith_error err;
    expect(strcmp(code, "not_built_in") == 0, "writing a graph");
    expect(!pith_doc_parse(NULL, text, strlen(text), NULL, &err) &&
               strcmp(err.code, "not_built_in") == 0,
           "reading a graph");
#else
    expect(*code == '\0', "writing a graph");
#endif
}

static void check_tokens(void)
{
    pith_error err;
    pith_buffer out = {0};
    expect(pith_vocab_name_at(0) == NULL, "no vocabularies");
    expect(!pith_vocab_open("cl100k_base", NULL, &err) &&
               strcmp(err.code, "not_built_in") == 0,
           "a vocabulary that is left out");
    expect(strcmp(convert("auto", table, NULL, &out), "not_built_in") == 0, "auto");
    pith_buffer_free(&out);
    pith_vocab *guess = pith_vocab_open("estimate", NULL, &err);
#ifdef PITH_OMIT_TOKENS
    expect(!guess && strcmp(err.code, "not_built_in") == 0, "the estimate");
#else
    pith_options options = {.vocab = guess};
    expect(*convert("auto", table, &options, &out) == '\0', "auto by an estimate");
    pith_buffer_free(&out);
#endif
    pith_vocab_free(guess);
}

/* Rows that are held back beyond the bound; and a sink for a file. */
static void check_files(void)
{
    pith_error err = {0};
    pith_buffer out = {0};
    pith_options options = {.hold_max = 4};
    pith_text columns[] = {PITH_TEXT("id")};
    pith_rows *rows =
        pith_rows_open("toon", columns, 1, &options, pith_sink_buffer(&out), &err);
    for (int64_t i = 0; i < 20000; i++) {
        pith_cell cell = {.kind = PITH_CELL_INT64, .u.integer = i};
        pith_rows_add_cells(rows, &cell, 1, NULL);
    }
    pith_status status = pith_rows_close(rows, &err);
#ifdef PITH_NO_FILES
    expect(status == PITH_IO && strcmp(err.code, "not_built_in") == 0, "rows held back");
    status = pith_convert("json", "json", "1", 1, NULL, pith_sink_fd(1), &err);
    expect(status == PITH_IO && strcmp(err.code, "not_built_in") == 0, "a descriptor");
#else
    expect(status == PITH_OK, "rows held back");
#endif
    pith_buffer_free(&out);
}

static void check_seed(void)
{
    pith_buffer one = {0};
    pith_buffer two = {0};
    pith_options options = {.alloc = {.seed = 7}};
    expect(*convert("toon", table, NULL, &one) == '\0' &&
               *convert("toon", table, &options, &two) == '\0' &&
               strcmp(one.data, two.data) == 0,
           "a seed changes nothing");
    pith_buffer_free(&one);
    pith_buffer_free(&two);
}

int main(void)
{
    check_formats();
    check_graphs();
    check_tokens();
    check_files();
    check_seed();
    puts(failures ? "not fine" : "fine");
    return failures != 0;
}
