/*
 * held.h - a file read into a document, for the commands that work on snapshots.
 */
#ifndef PITH_CLI_HELD_H
#define PITH_CLI_HELD_H

#include "choose.h"
#include "command.h"
#include "input.h"

/* A file and its document. Zero-initialise; close it anyway. */
typedef struct held {
    input in;
    const pith_format *format;
    pith_doc *doc;
    const char *key; /* from --key, or from the first line of a full answer */
    char *own_key;
    bool answer; /* it is a full answer itself */
} held;

/* Reads the file at `path` into a document; false after a complaint. */
bool held_open(held *into, session *with, const char *path);

/* Reads a file that is an answer, as text. */
bool held_read_text(held *into, session *with, const char *path);
void held_close(held *one);

/* Reports a failure of the library in this file. */
void held_report(const held *one, session *with, const pith_error *err);

#endif /* PITH_CLI_HELD_H */
