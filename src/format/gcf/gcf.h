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
    GCF_TOKENS
};

enum { GCF_LEVEL_3_5, GCF_LEVEL_3_6 };

void gcf_decode(decode_job *job);
pith_status gcf_encode(encode_job *job);

/* Row streams: begin, row, end and release of the writer; take of the reader. */
extern const row_codec gcf_rows;
extern const struct row_format gcf_row_format;
void gcf_take(row_source *source, pith_doc *doc, pith_text input, bool ended,
              size_t *used, reporter *report);
void gcf_forget(row_source *source);

#endif
