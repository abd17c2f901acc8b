/*
 * input.h - files and standard input, read whole or in pieces.
 */
#ifndef PITH_CLI_INPUT_H
#define PITH_CLI_INPUT_H

#include "diag.h"
#include "pith.h"
#include "progress.h"

#include <stdbool.h>
#include <stddef.h>

#define INPUT_PIECE_BYTES ((size_t)256 * 1024)

/* An open input and what has been read of it and kept. One that is a frame of ZSTD,
 * LZ4 or gzip, or UTF-16, is read to its end, and what is in it, as UTF-8, is what has been
 * read. */
typedef struct input {
    const char *name; /* the path as given, or "<stdin>" */
    int fd;
    bool waits;  /* no regular file: a read may have to wait for its writer */
    bool ended;  /* the last read met the end */
    size_t size; /* of a regular file, else 0 */
    size_t read; /* bytes read so far */
    char *text;  /* kept bytes */
    size_t len;
    size_t cap;
    int failed;  /* errno of what went wrong, 0 for nothing; EBADMSG: see `damage` */
    bool opened; /* it has been looked at for a frame and for UTF-16 */
    size_t memory_max; /* that unpacking and reading it may take; 0 for the default */
    pith_error damage; /* what is wrong with the frame or the text */
} input;

/* The name by which messages call the input at `path`. */
const char *input_name(const char *path);

/* Opens a file, or standard input for "-". False: see `failed`. Close it anyway. */
bool input_open(input *in, const char *path);

/* The same for a snapshot, a delta or the like: a pipe must be opened by its writer
 * within INPUT_WRITER_SECONDS, so that a pipe without a writer is reported and not waited
 * for. */
bool input_open_soon(input *in, const char *path);

/* A file that must be a regular one, and is never waited for. */
bool input_open_file(input *in, const char *path);

enum { INPUT_WRITER_SECONDS = 10 };

/* Says why opening failed. */
void input_explain_open(const input *in, diag *errors);

/* Says why reading failed, unless a signal asked for an end. */
void input_explain(const input *in, diag *errors);

/* Reads one more piece, of any size, after the kept bytes. False: see `failed`,
 * which is EINTR when a signal asks for an end. */
bool input_more(input *in);

/* The limits for an input that has been read, where the options set none: what reading may
 * take, if it was a frame, and what may be written for it. */
void input_set_limits(const input *in, pith_options *options);

/* Reads and keeps everything up to the end. */
bool input_all(input *in, progress *line);

/* The format by the name of the file and by the content; NULL when neither is enough, or
 * when reading fails (see `failed`). It reads as little as it can: nothing when the
 * suffix is that of one format, a first piece when it is that of a family or that piece
 * is of a format that streams, else everything. */
const pith_format *input_format(input *in, const char *path, progress *line);

/* Drops all but the last `keep` kept bytes. */
void input_forget(input *in, size_t keep);

void input_close(input *in);

#endif /* PITH_CLI_INPUT_H */
