/*
 * convert.c - the public calls that read and write texts, and what the library says of
 * itself.
 */
#include "api/cheapest.h"
#include "doc/spelled.h"

const char *pith_version(void)
{
    return PITH_VERSION_TEXT;
}

const char *pith_status_name(pith_status status)
{
    switch (status) {
#define PITH_STATUS_CASE(name, word, sentence)                                           \
    case name:                                                                           \
        return word;
        PITH_STATUS_LIST(PITH_STATUS_CASE)
#undef PITH_STATUS_CASE
    }
    return "unknown";
}

pith_status pith_convert(const char *from, const char *to, const char *text, size_t len,
                         const pith_options *options, pith_sink sink, pith_error *err)
{
    api_side source;
    api_side target;
    reporter report;
    pith_text input = text_of(text ? text : "", len);
    pith_status status = side_for_writing(&target, to, options, err);
    if (status == PITH_OK)
        status = side_for_reading(&source, from, input, options, err);
    if (status != PITH_OK)
        return status;
    pith_doc *doc = pith_doc_new(options);
    if (!doc)
        return error_no_memory(err);
    report_init(&report, input);
    side_read(&source, doc, input, options, &report);
    status = report_result(&report, err);
    /* What the settings of reading make of a text may be other than what it says. */
    form_given given = {source.format, input};
    const char *read = options && options->read ? options->read : "";
    /* What finds the delimiter changes nothing of the value. */
    bool whole = !*read || strcmp(read, "delimiter=rows") == 0;
    if (status == PITH_OK)
        status = write_read_value(&target, doc, 0, whole ? &given : NULL, 0, options,
                                  sink, err);
    pith_doc_free(doc);
    return status;
}

/* Who is given the document sees it through the public calls, and those know doubles. */
pith_status pith_doc_read(pith_doc *doc, const char *name, const char *text, size_t len,
                          const pith_options *options, pith_error *err)
{
    doc->keeps_doubles = SPELLED_LATE;
    pith_status status = read_text(doc, name, text, len, options, err);
    doc->keeps_doubles = false;
    return status;
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
    api_side to;
    if (!value.doc)
        return error_set(err, PITH_BAD_USE, "no_value", "there is no value to write");
    pith_status status = side_for_writing(&to, format, options, err);
    return status == PITH_OK ? write_value(&to, value.doc, value.at, options, sink, err)
                             : status;
}

pith_status pith_check(const char *format, const char *text, size_t len,
                       const pith_options *options, pith_report callback, void *ctx,
                       pith_error *err)
{
    api_side from;
    pith_text input = text_of(text ? text : "", len);
    pith_status status = side_for_reading(&from, format, input, options, err);
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
    side_read(&from, doc, input, options, &report);
    pith_doc_free(doc);
    return report_result(&report, err);
}
