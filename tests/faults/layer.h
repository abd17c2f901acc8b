/*
 * layer.h - a layer between Pith and the C library that fails when told to.
 *
 * The programs of this directory are linked with the linker's --wrap for the calls
 * below, so that each call in the library and in the tool comes here first. What
 * happens to it is said by one plan, which the test sets up:
 *
 *     memory    malloc calloc realloc strdup strndup    the n-th fails, or all from it on
 *     writing   write pwrite                            short, interrupted, full, broken
 *     reading   read pread                              short, interrupted, broken
 *     the rest  open mkostemp linkat fsync close        the n-th of one of them fails
 *               rename access fstat fchown fchmod flock
 *     signals   at the n-th of all these calls          SIGTERM arrives
 *
 * raise, with which the tool ends after a signal, is only noted: the test goes on.
 * Blocks are counted: whoever takes memory through the layer has to give it back.
 */
#ifndef PITH_TEST_LAYER_H
#define PITH_TEST_LAYER_H

#include <stdbool.h>
#include <stddef.h>

/* What is to go wrong. Zero-initialise: that is nothing. */
typedef struct faults {
    size_t memory_at;    /* the request for memory that fails, from 1; 0 for none */
    bool memory_onwards; /* and all after it */

    size_t write_most;     /* bytes that one call takes; 0 for any */
    size_t write_every;    /* every so many calls fail first, with `write_every_error`, */
    int write_every_error; /* or take nothing when that is 0 */
    size_t write_room;     /* with `write_error`: the bytes taken before it */
    int write_error;       /* 0 for none */

    size_t read_most;
    size_t read_every;
    int read_every_error;
    size_t read_room;
    int read_error;

    const char *call; /* one of the rest, by name; NULL for none */
    size_t call_at;   /* which of them, from 1; 0 for all of them */
    int call_error;

    bool nameless_unknown; /* files without a name are beyond this file system */

    bool foreign; /* a file that is open seems to belong to somebody else */

    size_t signal_at; /* the call, of any kind, at which SIGTERM arrives, from 1; what
                         the kernel would then interrupt is interrupted; 0 for none */
} faults;

/* What was asked for since the plan was set up, and what of it was refused. */
typedef struct fault_counts {
    size_t memory;
    size_t memory_refused;
    long live_blocks; /* taken minus given back */
    size_t writes;
    size_t writes_refused;
    size_t written; /* bytes */
    size_t reads;
    size_t reads_refused;
    size_t calls; /* of the one the plan names */
    size_t calls_refused;
    size_t moments; /* calls of any kind */
    int raised;     /* the signal that was passed to raise; 0 for none */
} fault_counts;

/* From now on `plan` holds; NULL lets everything pass. The counts begin anew. */
void faults_set(const faults *plan);

/* The counts so far. */
fault_counts faults_seen(void);

#endif /* PITH_TEST_LAYER_H */
