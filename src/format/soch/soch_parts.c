/*
 * soch_parts.c - values of a document that had to be collected.
 */
#include "format/soch/soch_take.h"

bool soch_parts_read(soch_parts *parts, const row_source *source, const pith_doc *doc,
                     pith_text input, void (*decode)(decode_job *job), reporter *report)
{
    pith_options options;
    memset(&options, 0, sizeof options);
    options.alloc = source->alloc;
    options.depth_max = doc->depth_max;
    parts->whole = pith_doc_new(&options);
    if (!parts->whole) {
        report_no_memory(report);
        return false;
    }
    decode_job job = {parts->whole, input, source->set, report};
    decode(&job);
    if (report->count > 0) {
        return false;
    }
    const pith_slot *root = &parts->whole->slots[0];
    bool array = root->kind == PITH_ARRAY && !(root->flags & SLOT_TYPED);
    parts->next = array ? 1 : 0;
    parts->left = array ? root->n : 1;
    return true;
}

void soch_parts_next(soch_parts *parts, pith_doc *doc, reporter *report)
{
    if (parts->left == 0) {
        return;
    }
    if (build_copy(doc, parts->whole, parts->next) != BUILD_DONE) {
        report_no_memory(report);
        return;
    }
    doc->finished = true;
    parts->next = doc_behind(parts->whole, parts->next);
    parts->left--;
}

void soch_not_a_table(reporter *report, size_t offset)
{
    report_bad(report, "not_a_table", offset,
               "expected nothing behind the table: rows are handed out one by one only "
               "of a text that is one table; read this one whole");
}
