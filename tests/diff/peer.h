/*
 * peer.h - another implementation, running in a process of its own.
 *
 * It is sent batches. A request is a line: a letter, the number of a variant, a tab and
 * JSON.
 *
 *     E0<tab>{"a":1}            write this value
 *     D2<tab>"a: 1\nb: 2"       read this text
 *
 * An empty line ends the batch, and only then does the peer answer, a line for each
 * request: `=` and JSON (the text that was written, the value that was read), or `!` and
 * a JSON string that tells why not. As neither side writes while the other does, neither
 * can be stuck in a full pipe.
 */
#ifndef PITH_DIFF_PEER_H
#define PITH_DIFF_PEER_H

#include <stdbool.h>
#include <sys/types.h>

#include "bytes.h"

typedef struct peer {
    pid_t process;
    int to, from;
    bytes requests; /* of the batch that is being put together */
    bytes answers;  /* of the batch before */
    size_t asked;
    size_t taken; /* bytes of the answers */
} peer;

/* Starts the program, found as the shell would, with these arguments; ends this process
 * when that fails. */
void peer_start(peer *other, char **arguments);

/* Adds a request: 'E' or 'D', and text that is JSON already. */
void peer_ask(peer *other, char what, size_t variant, const char *json, size_t len);

/* Sends the batch and waits for all its answers. False, having said why, when the peer
 * ended, or was silent for two minutes. */
bool peer_exchange(peer *other);

/* The next answer, in the order of the requests, without its newline. */
const char *peer_answer(peer *other, size_t *len);

/* Lets the peer end, and waits for that. */
void peer_end(peer *other);

#endif /* PITH_DIFF_PEER_H */
