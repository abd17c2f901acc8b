/*
 * gcf_delta.h - answers: a keyed set as GCF, or what has changed in one.
 *
 * Someone who holds a snapshot names it by its root, and is answered in one of three
 * ways:
 *
 *     GCF profile=generic unchanged=true pack_root=sha256:... count=3
 *
 *     GCF profile=generic delta=true base_root=sha256:... new_root=sha256:... key=id
 *     ## added [1]{@id,total}
 *     1004|75
 *     ## changed [1]{@id,total}
 *     1002|30
 *     ## removed [1]{@id}
 *     1001
 *
 *     GCF profile=generic pack_root=sha256:... key=id
 *     ## orders [3]{@id,total}
 *     ...
 *
 * A root does not tell null from absent. So that a change cannot be damaged there
 * unnoticed either, its first line says how many cells are absent (absent=2) if any are.
 */
#ifndef FORMAT_GCF_GCF_DELTA_H
#define FORMAT_GCF_GCF_DELTA_H

#include "format/snapshot.h"

/* --- writing: gcf_delta_write.c */

/* Rows of a set to be listed. */
typedef struct gcf_delta_rows {
    const keyed_set *set;
    const uint32_t *rows;
    size_t count;
} gcf_delta_rows;

typedef struct gcf_delta {
    const keyed_set *schema; /* whose fields, in their order, the sections have */
    pith_text tool;          /* empty for none */
    pith_text base_root;
    pith_text new_root;
    uint64_t delta_tokens; /* of full_tokens; the saving is told unless that is 0 */
    uint64_t full_tokens;
    gcf_delta_rows added, changed, removed;
} gcf_delta;

/* PITH_UNREPRESENTABLE when the names in the set cannot stand where they must. */
pith_status gcf_delta_check(const keyed_set *set, pith_error *err);

void gcf_delta_write(pith_out *out, const gcf_delta *delta);

/* Those of gcf_row_answers. */
pith_status gcf_delta_write_full(const answer_out *job);
void gcf_delta_write_unchanged(const answer_out *job);
void gcf_delta_write_change(const answer_out *job);

extern const delta_codec gcf_row_answers;

/* --- reading: gcf_delta_read.c */

/* The fields of a table whose key is marked, in the document's arena: one may be absent
 * from every row and still count. */
typedef struct gcf_declared {
    const pith_key *fields;
    size_t count;
} gcf_declared;

enum { GCF_ANSWER_TABLES = 3 };

/* What the first line of an answer says. Texts lie in the input; empty for none. */
typedef struct gcf_answer {
    bool delta;
    bool unchanged;
    pith_text key;
    pith_text tool;
    pith_text pack_root;
    pith_text base_root;
    pith_text new_root;
    pith_text count;
    pith_text absent;
    gcf_declared tables[GCF_ANSWER_TABLES];
    size_t table_count; /* may be more than there are places for */
} gcf_answer;

/* Notes a field of the first line. */
void gcf_take_answer(gcf_answer *answer, pith_text name, pith_text value);

/* Like gcf_decode, for a text that may also be a change or say that there is none: its
 * sections are then the members of the document. */
void gcf_decode_answer(decode_job *job, gcf_answer *answer);

/* The sections of a change that was read, as sets. */
typedef struct gcf_sections {
    keyed_set added, changed, removed;
    keyed_change change; /* those that are there */
    uint64_t absent;     /* cells */
} gcf_sections;

/* Free the sections in either case. */
pith_status gcf_delta_sections(gcf_sections *sections, const pith_doc *doc,
                               const gcf_answer *answer, pith_alloc alloc,
                               pith_error *err);
void gcf_sections_free(gcf_sections *sections);

#endif
