/*
 * convert.c - from text to text, and what the library says of itself.
 */
#include "api/care.h"

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
    api_format target;
    pith_text none = {NULL, 0};
    pith_status status = api_choose(&target, to, PITH_WRITE, none, options, err);
    if (status != PITH_OK)
        return status;
    pith_doc *doc = pith_doc_new(options);
    if (!doc)
        return error_no_memory(err);
    status = api_read_text(doc, from, text, len, options, err);
    if (status == PITH_OK)
        status = api_write_to(&target, doc, 0, options, sink, err);
    pith_doc_free(doc);
    return status;
}
