/*
 * graph_kinds.c - kinds of symbols and their abbreviations.
 *
 * Only those that differ from their full form are listed: "type" is "type" both ways.
 * Texts are padded to 16 readable bytes, so that they may stand on a tape.
 */
#include "graph/graph.h"

#ifndef PITH_OMIT_GRAPHS

enum { GRAPH_KIND_ROOM = 32 };

typedef struct graph_kind_pair {
    char brief[GRAPH_KIND_ROOM];
    char full[GRAPH_KIND_ROOM];
} graph_kind_pair;

static const graph_kind_pair graph_kinds[] = {
    {"fn", "function"},  {"iface", "interface"}, {"route", "route_handler"},
    {"ext", "external"}, {"pkg", "package"},     {"svc", "service"},
};

enum { GRAPH_KIND_COUNT = sizeof graph_kinds / sizeof *graph_kinds };

pith_text graph_expand_kind(pith_text kind)
{
    for (size_t i = 0; i < GRAPH_KIND_COUNT; i++)
        if (text_is(kind, graph_kinds[i].brief))
            return text_from(graph_kinds[i].full);
    return kind;
}

pith_text graph_abbreviate_kind(pith_text kind)
{
    for (size_t i = 0; i < GRAPH_KIND_COUNT; i++)
        if (text_is(kind, graph_kinds[i].full))
            return text_from(graph_kinds[i].brief);
    return kind;
}

#endif
