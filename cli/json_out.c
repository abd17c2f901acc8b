/*
 * json_out.c - the JSON that commands print: members of objects, and the whole.
 *
 * Nothing is checked while a document is built: it remembers its first failure.
 */
#include "json_out.h"

#include <string.h>

void json_key(pith_doc *doc, const char *key)
{
    pith_doc_add_key(doc, key, strlen(key));
}

void json_text(pith_doc *doc, const char *key, const char *text)
{
    json_key(doc, key);
    pith_doc_add_text(doc, text, strlen(text));
}

void json_number(pith_doc *doc, const char *key, uint64_t number)
{
    json_key(doc, key);
    pith_doc_add_uint64(doc, number);
}

void json_bool(pith_doc *doc, const char *key, bool truth)
{
    json_key(doc, key);
    pith_doc_add_bool(doc, truth);
}

void json_array(pith_doc *doc, const char *key)
{
    json_key(doc, key);
    pith_doc_open_array(doc);
}

void json_print(context *ctx, void (*fill)(pith_doc *doc, const void *from),
                const void *from)
{
    pith_error err;
    pith_doc *doc = pith_doc_new(NULL);
    pith_status status = error_no_memory(&err);
    if (doc != NULL) {
        fill(doc, from);
        status = pith_doc_finish(doc, &err);
    }
    if (status == PITH_OK) {
        status = pith_value_write(pith_doc_root(doc), "json", NULL,
                                  output_sink(&ctx->out), &err);
    }
    if (status == PITH_OK)
        output_text(&ctx->out, "\n");
    else if (ctx->out.failed == 0)
        diag_problem(&ctx->errors, NULL, &err, NULL);
    pith_doc_free(doc);
}
