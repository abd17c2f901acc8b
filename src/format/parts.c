/*
 * parts.c - the values of a text that had to be collected.
 */
#include "format/parts.h"
#include "doc/build.h"

bool parts_read(row_parts *parts, void (*decode)(decode_job *job), const settings *set,
                const pith_doc *doc, pith_text input, bool ended, size_t *used,
                reporter *report)
{
    pith_options options;
    if (!ended) {
        return false;
    }
    memset(&options, 0, sizeof options);
    options.alloc = doc->alloc;
    options.depth_max = doc->depth_max;
    parts->whole = pith_doc_new(&options);
    if (!parts->whole) {
        report_no_memory(report);
        return false;
    }
    decode_job job = {parts->whole, input, set, report};
    decode(&job);
    if (report->count > 0) {
        return false;
    }
    const pith_slot *root = &parts->whole->slots[0];
    bool array = root->kind == PITH_ARRAY && !(root->flags & SLOT_TYPED);
    parts->next = array ? 1 : 0;
    parts->left = array ? root->n : 1;
    *used = input.len;
    return true;
}

void parts_next(row_parts *parts, pith_doc *doc, reporter *report)
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
