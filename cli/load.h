/*
 * load.h - a whole input as a document.
 */
#ifndef PITH_CLI_LOAD_H
#define PITH_CLI_LOAD_H

#include "command.h"
#include "input.h"

typedef struct loaded {
    input in; /* the document borrows from it */
    const pith_format *format;
    pith_doc *doc;
} loaded;

/* What helps when nothing tells a format. */
#define LOAD_HINT "name the format with --from"

/* The format of an open input: the one that --from names, else by its suffix and its
 * content, of which as little is read as can be. NULL after a complaint, with the hint
 * when nothing tells. */
const pith_format *load_format(session *with, input *in, const char *path,
                               const char *hint);

/* How an input is opened: input_open, input_open_soon or input_open_file. */
typedef bool load_open(input *in, const char *path);

/* Opens an input and reads all of it; false after saying why. Close it anyway. */
bool load_text(session *with, input *in, const char *path, load_open *open);

/* Reads the file at `path` ("-" is standard input) in the format that --from names, else
 * by its suffix or its content, with the settings given. False, after saying why, when
 * that fails. Free it anyway. */
bool load_document(session *with, const char *path, loaded *into);
void load_free(loaded *document);

#endif /* PITH_CLI_LOAD_H */
