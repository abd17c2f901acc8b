/*
 * gcf_graph_put.h - the pieces of lines that graphs and their deltas share.
 */
#ifndef FORMAT_GCF_GCF_GRAPH_PUT_H
#define FORMAT_GCF_GCF_GRAPH_PUT_H

#include "base/num.h"
#include "base/out.h"
#include "graph/graph.h"

static inline void gcf_graph_put_number(pith_out *out, uint64_t number)
{
    out_reserve(out, NUM_UINT64_MAX_LEN);
    out->at += num_write_uint64(out->at, number);
}

/* A field of a first line, unless it is empty. */
static inline void gcf_graph_put_field(pith_out *out, const char *name, pith_text value)
{
    if (value.len > 0) {
        out_byte(out, ' ');
        out_string(out, name);
        out_byte(out, '=');
        out_text(out, value);
    }
}

static inline void gcf_graph_put_count(pith_out *out, const char *name, uint64_t number)
{
    out_byte(out, ' ');
    out_string(out, name);
    out_byte(out, '=');
    gcf_graph_put_number(out, number);
}

/* @id kind name score provenance, without the end of the line. */
void gcf_graph_put_node(pith_out *out, uint64_t id, pith_text kind,
                        const graph_node *node);

#endif
