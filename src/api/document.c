/*
 * document.c - reading into and writing from documents.
 */
#include "api/care.h"

pith_status pith_doc_read(pith_doc *doc, const char *name, const char *text, size_t len,
                          const pith_options *options, pith_error *err)
{
    api_format from;
    pith_text input = text_of(text ? text : "", len);
    pith_doc_reset(doc);
    pith_status status = api_choose(&from, name, PITH_READ, input, options, err);
    if (status != PITH_OK) {
        return status;
    }
    reporter report;
    report_init(&report, input);
    api_read(doc, &from, input, options, &report);
    return report_result(&report, err);
}

pith_doc *pith_doc_parse(const char *format, const char *text, size_t len,
                         const pith_options *options, pith_error *err)
{
    pith_doc *doc = pith_doc_new(options);
    if (!doc) {
        error_no_memory(err);
        return NULL;
    }
    if (pith_doc_read(doc, format, text, len, options, err) != PITH_OK) {
        pith_doc_free(doc);
        return NULL;
    }
    return doc;
}

pith_status pith_value_write(pith_value value, const char *format,
                             const pith_options *options, pith_sink sink, pith_error *err)
{
    if (!value.doc) {
        return error_set(err, PITH_BAD_USE, "no_value", "there is no value to write");
    }
    api_format to;
    pith_text none = {NULL, 0};
    pith_status status = api_choose(&to, format, PITH_WRITE, none, options, err);
    if (status != PITH_OK) {
        return status;
    }
    return api_write_to(&to, value.doc, value.at, options, sink, err);
}
