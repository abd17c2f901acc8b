/*
 * check.c - every problem in a text.
 */
#include "api/job.h"

pith_status pith_check(const char *format, const char *text, size_t len,
                       const pith_options *options, pith_report callback, void *ctx,
                       pith_error *err)
{
    api_format from;
    pith_text input = text_of(text ? text : "", len);
    pith_status status = api_choose(&from, format, PITH_READ, input, options, err);
    if (status != PITH_OK)
        return status;
    pith_doc *doc = pith_doc_new(options);
    if (!doc)
        return error_no_memory(err);
    reporter report;
    report_init(&report, input);
    report.callback = callback;
    report.ctx = ctx;
    report.checking = true;
    api_read(doc, &from, input, options, &report);
    pith_doc_free(doc);
    return report_result(&report, err);
}
