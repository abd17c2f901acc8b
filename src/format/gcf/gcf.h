/*
 * gcf.h - GCF, the Graph Compact Format: its generic profile, levels 3.5 and 3.6.
 */
#ifndef FORMAT_GCF_GCF_H
#define FORMAT_GCF_GCF_H

#include "format/format.h"

extern const codec gcf_format;

/* The settings, in the order of the table. */
enum {
    GCF_LEVEL,
    GCF_FLATTEN,
    GCF_INLINE_SCHEMA,
    GCF_SHARED_SCHEMA,
    GCF_GROUP,
    GCF_SUMMARY,
    GCF_TOOL,
    GCF_TOKENS,
    GCF_SPARSE
};

enum { GCF_LEVEL_3_5, GCF_LEVEL_3_6 };

void gcf_decode(decode_job *job);
pith_status gcf_encode(encode_job *job);

/* Rows one by one. */
extern const struct row_format gcf_row_format;
extern const read_codec gcf_read;

#endif
