/*
 * json_out.h - the JSON that commands print: members of objects, and the whole.
 */
#ifndef PITH_CLI_JSON_OUT_H
#define PITH_CLI_JSON_OUT_H

#include "context.h"

/* Adds a member to the object that is open. */
void json_key(pith_doc *doc, const char *key);
void json_text(pith_doc *doc, const char *key, const char *text);
void json_number(pith_doc *doc, const char *key, uint64_t number);
void json_bool(pith_doc *doc, const char *key, bool truth);

/* Opens the array that a member is; pith_doc_close ends it. */
void json_array(pith_doc *doc, const char *key);

/* Prints the value that `fill` builds of `from` on standard output, with a newline after
 * it; complains when that fails. */
void json_print(context *ctx, void (*fill)(pith_doc *doc, const void *from),
                const void *from);

#endif /* PITH_CLI_JSON_OUT_H */
