/*
 * load.h - a whole input, as text or as a document.
 */
#ifndef PITH_CLI_LOAD_H
#define PITH_CLI_LOAD_H

#include "context.h"

/* An input and its document. Zero-initialise; free it anyway. */
typedef struct loaded {
    input in; /* the document borrows from it */
    const pith_format *format;
    pith_doc *doc;
    const char
        *key; /* of a snapshot: from --key, or from the first line of a full answer */
    char *own_key; /* the latter */
    bool answer;   /* of a snapshot: it is a full answer itself */
} loaded;

/* What helps when the format is not known. */
#define LOAD_HINT "name the format with --from"

/* The format of an open input: the one that --from names, else by its suffix and its
 * content, of which as little is read as possible. NULL after a complaint, with the hint
 * when the format is not known. */
const pith_format *load_format(context *ctx, input *in, const char *path,
                               const char *hint);

/* How an input is opened: input_open, input_open_soon or input_open_file. */
typedef bool load_open(input *in, const char *path);

/* Opens an input and reads all of it; false after saying why. Close it anyway. */
bool load_text(context *ctx, input *in, const char *path, load_open *open);

/* Reads the file at `path` ("-" is standard input) in the format that --from names, else
 * by its suffix or its content, with the settings given. False after saying why. */
bool load_document(context *ctx, const char *path, loaded *into);

/* The same for a set of rows that has a key, or that changes. */
bool load_snapshot(context *ctx, const char *path, loaded *into);
void load_free(loaded *file);

/* Reports a failure of the library in this file. */
void load_report(const loaded *file, context *ctx, const pith_error *err);

#endif /* PITH_CLI_LOAD_H */
