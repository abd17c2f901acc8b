/*
 * document.c - reading into and writing from documents.
 */
#include "api/care.h"
#include "doc/spelled.h"

/* Who is given the document sees it through the public calls, and those know doubles. */
pith_status pith_doc_read(pith_doc *doc, const char *name, const char *text, size_t len,
                          const pith_options *options, pith_error *err)
{
    doc->keeps_doubles = SPELLED_LATE;
    pith_status status = api_read_text(doc, name, text, len, options, err);
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
    if (!value.doc)
        return error_set(err, PITH_BAD_USE, "no_value", "there is no value to write");
    api_format to;
    pith_text none = {NULL, 0};
    pith_status status = api_choose(&to, format, PITH_WRITE, none, options, err);
    if (status != PITH_OK)
        return status;
    spelled_value spelled;
    if (!spelled_open(&spelled, value.doc, value.at, alloc_from(options)))
        return error_no_memory(err);
    status = api_write_to(&to, spelled.doc, spelled.at, options, sink, err);
    spelled_close(&spelled);
    return status;
}
