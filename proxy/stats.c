/*
 * stats.c - see stats.h.
 */
#define _POSIX_C_SOURCE 200809L

#include "stats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STATS_TOOLS_MOST = 1000, STATS_NAME_MOST = 60 };

typedef struct tool_stats {
    char *name;
    uint64_t calls, rewritten;
    uint64_t before, after, structured;
} tool_stats;

struct stats {
    const char *tokenizer;
    FILE *lines;
    pith_doc *doc; /* for lines */
    tool_stats *tools;
    size_t count;
};

stats *stats_new(const char *tokenizer, FILE *lines)
{
    stats *all = calloc(1, sizeof *all);
    if (!all)
        return NULL;
    *all = (stats){.tokenizer = tokenizer, .lines = lines, .doc = pith_doc_new(NULL)};
    if (!all->doc) {
        free(all);
        return NULL;
    }
    return all;
}

void stats_free(stats *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->count; i++)
        free(all->tools[i].name);
    free(all->tools);
    pith_doc_free(all->doc);
    free(all);
}

/* The numbers of a tool; those of the last one where there are too many names. */
static tool_stats *find_tool(stats *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->tools[i].name, name) == 0)
            return &all->tools[i];
    if (all->count == STATS_TOOLS_MOST)
        return &all->tools[all->count - 1];
    tool_stats *grown = realloc(all->tools, (all->count + 1) * sizeof *grown);
    char *copy = strdup(name);
    if (grown)
        all->tools = grown;
    if (!grown || !copy) {
        free(copy);
        return NULL;
    }
    grown[all->count] = (tool_stats){.name = copy};
    return &grown[all->count++];
}

static void add_text(pith_doc *doc, const char *key, const char *text)
{
    pith_doc_add_key(doc, key, strlen(key));
    pith_doc_add_text(doc, text, strlen(text));
}

static void add_number(pith_doc *doc, const char *key, uint64_t number)
{
    pith_doc_add_key(doc, key, strlen(key));
    pith_doc_add_uint64(doc, number);
}

static void write_line(stats *all, const char *tool, const call_record *one)
{
    pith_doc *doc = all->doc;
    pith_buffer line = {0};
    pith_doc_reset(doc);
    pith_doc_open_object(doc);
    add_text(doc, "tool", tool);
    add_text(doc, "outcome", one->outcome);
    add_text(doc, "tokenizer", all->tokenizer);
    add_number(doc, "tokens_before", one->before);
    add_number(doc, "tokens_after", one->after);
    add_number(doc, "tokens_structured", one->structured);
    add_number(doc, "bytes_before", one->bytes_before);
    add_number(doc, "bytes_after", one->bytes_after);
    add_number(doc, "microseconds", one->microseconds);
    pith_doc_close(doc);
    if (pith_doc_finish(doc, NULL) == PITH_OK &&
        pith_value_write(pith_doc_root(doc), "json", NULL, pith_sink_buffer(&line),
                         NULL) == PITH_OK) {
        fprintf(all->lines, "%s\n", line.data);
        fflush(all->lines);
    }
    pith_buffer_free(&line);
}

void stats_add(stats *all, const char *tool, const call_record *one)
{
    tool_stats *to = find_tool(all, tool);
    if (to) {
        to->calls++;
        to->rewritten += one->rewritten;
        to->before += one->before;
        to->after += one->after;
        to->structured += one->structured;
    }
    if (all->lines)
        write_line(all, tool, one);
}

/* The name of a tool comes from a server: nothing in it may steer a terminal. */
static void print_name(const char *name, FILE *to)
{
    int width = 0;
    for (; *name != '\0' && width < STATS_NAME_MOST; name++, width++)
        fputc(*name > ' ' && *name < 0x7f ? *name : '?', to);
    for (; width < 24; width++)
        fputc(' ', to);
}

static void print_row(const tool_stats *row, FILE *to)
{
    double part =
        row->before > 0 ? 100.0 * (double)row->after / (double)row->before : 100;
    print_name(row->name, to);
    fprintf(to, " %7" PRIu64 " %9" PRIu64 " %10" PRIu64 " %10" PRIu64 " %6.1f%%\n",
            row->calls, row->rewritten, row->before, row->after, 100.0 - part);
}

void stats_print(const stats *all, FILE *to)
{
    tool_stats sum = {.name = (char *)"all"};
    fprintf(to, "%-24s %7s %9s %10s %10s %7s  (%s)\n", "tool", "calls", "rewritten",
            "tokens", "now", "saved", all->tokenizer);
    for (size_t i = 0; i < all->count; i++) {
        const tool_stats *row = &all->tools[i];
        print_row(row, to);
        sum.calls += row->calls;
        sum.rewritten += row->rewritten;
        sum.before += row->before;
        sum.after += row->after;
        sum.structured += row->structured;
    }
    if (all->count != 1)
        print_row(&sum, to);
    if (sum.structured > 0)
        fprintf(to,
                "%" PRIu64 " tokens are in structuredContent, which some clients show "
                "instead: see --structured\n",
                sum.structured);
    fflush(to);
}
