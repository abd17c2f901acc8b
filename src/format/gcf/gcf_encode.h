/*
 * gcf_encode.h - what the parts of the GCF writer share.
 */
#ifndef FORMAT_GCF_GCF_ENCODE_H
#define FORMAT_GCF_GCF_ENCODE_H

#include "doc/levels.h"
#include "format/gcf/gcf_table.h"

/* A value below its row. */
typedef struct gcf_attachment {
    const pith_slot *value;
    const pith_key *key;
    uint8_t form; /* of its field */
    bool bare;    /* the key needs no quotes */
} gcf_attachment;

/* What a table writes with. */
typedef struct gcf_writer {
    gcf_pen pen;
    gcf_tables tables;
    LIST(gcf_attachment) attachments; /* of the row, and of those around it */
    doc_levels levels;                /* the objects around a column of a flat field */
} gcf_writer;

/* The bracket and the field list of the table: [2]{a,b} or [2:]{key,a,b}. With `known`
 * the fields are left out. NULL when out of memory. */
char *gcf_put_header(gcf_writer *w, char *to, const gcf_table *table, bool known);

/* The next row of the table as one line; what has to follow below it is left on top of
 * `attachments`. NULL when out of memory. */
char *gcf_put_row(gcf_writer *w, char *to, gcf_table *table, uint64_t depth);

/* The cells of a row, and a | after each but the last: those in `cells`, by field. NULL:
 * the row's members, which are the first of the fields, and all of these are columns. */
char *gcf_put_row_cells(gcf_writer *w, char *to, const gcf_table *table,
                        const pith_slot *row, const pith_slot *const *cells);

/* These names, with a comma after each but the last and a brace after that. `bare`: none
 * needs quotes. */
char *gcf_put_names(gcf_pen *pen, char *to, const pith_key *names, size_t count,
                    bool bare);

/* The name of the column of keys: `key`, with as many _ before it as make it differ from
 * all others. */
char *gcf_put_label(pith_out *out, char *to, const pith_key *names, size_t count);

/* The first line of the document. */
char *gcf_put_first_line(gcf_pen *pen, char *to, const settings *set);

/* PITH_BAD_USE when the settings contradict each other or cannot be written. */
pith_status gcf_check_settings(const settings *set, pith_error *err);

/* The root array in groups by the field that the settings name. */
pith_status gcf_write_groups(gcf_writer *w, const pith_slot *root, pith_text field,
                             pith_error *err);

/* One member of the root object, with all its lines. */
pith_status gcf_write_member(pith_out *out, const settings *set, pith_text key,
                             const pith_doc *doc, uint32_t at, pith_error *err);

/* True when the member with this value begins with a ##. */
bool gcf_starts_section(const pith_doc *doc, const pith_slot *value);

static inline char *gcf_out_of_memory(gcf_pen *pen, char *to)
{
    pen->out->at = to;
    out_fail(pen->out, PITH_NO_MEMORY, "no_memory");
    return to;
}

#endif
