/*
 * path.h - where a value is, for messages: orders[3].customer["last name"].
 */
#ifndef DOC_PATH_H
#define DOC_PATH_H

#include "doc/doc.h"

/* Puts the path of the value at `at`, seen from the one at `root` which it is in, before
 * the message: "orders[3].id: expected ...". Of a long path the end is kept. Nothing is put
 * before what is said of the root, or where `err` is NULL. */
void error_put_path(pith_error *err, const pith_doc *doc, uint32_t root, uint32_t at);

#endif
