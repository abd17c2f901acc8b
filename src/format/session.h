/*
 * session.h - what a format of graphs needs so that its texts can be turns of a session.
 *
 * What both ends know is in graph/graph_session.h, and how a turn goes is the same for
 * every format (api/session.c). A format takes a graph from a value, says in which order
 * it writes the symbols, writes them with the ids it is given, and reads them again.
 */
#ifndef FORMAT_SESSION_H
#define FORMAT_SESSION_H

#include "format/format.h"
#include "graph/graph_doc.h"
#include "graph/graph_session.h"

/* A graph to be written, alone or as a turn. */
typedef struct graph_out {
    pith_out *out;
    const settings *set;
    code_graph *graph;
    pith_error *err;

    /* Of a turn, else NULL: the symbols in their order, the id of each, and whether it is
     * only referred to. */
    const uint32_t *order;
    const uint32_t *ids;
    const uint8_t *bare;
    const char *comment; /* a line after the first one; NULL: none */
} graph_out;

/* A text to be read into an empty graph. */
typedef struct graph_in {
    pith_text input;
    const settings *set; /* may be NULL */
    reporter *report;
    code_graph *graph;
    const pith_session *session; /* only looked at; NULL outside one */

    /* What comes of it. */
    bool in_session;     /* the text says that it is part of one */
    session_place place; /* and which turn it is */
} graph_in;

struct session_codec {
    /* Fills the empty graph from the value, as the settings say. */
    pith_status (*take)(const graph_out *job, const pith_doc *doc, uint32_t at);

    /* Puts the numbers of all symbols in the order of the text; false without memory. */
    bool (*order)(const graph_out *job, uint32_t *order);
    pith_status (*write)(const graph_out *job);
    void (*read)(graph_in *job);

    /* Whether the settings ask for a comment that says which turn it is; NULL: never. */
    bool (*says_turn)(const settings *set);
};

/* Writes a graph alone. */
pith_status session_encode(encode_job *job, const session_codec *by);

#endif
