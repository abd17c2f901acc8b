/*
 * sweep.h - an operation, with every allocation of it failing in turn.
 *
 * An operation runs once with a counting allocator and enough memory. Then it runs
 * again with its first allocation failing, then with its second, and so on, until
 * it needs no more allocations than it is given. Each time it must answer
 * PITH_NO_MEMORY, or do without what it could not get and give the very same result
 * (what is kept only to be faster may be missing); and it must give back every byte
 * and tell the allocator the true sizes of its blocks. A second sweep lets all
 * allocations fail from the n-th on, which is what a machine that is really out of
 * memory does.
 *
 * An operation that wants to know whether its handles are still good after a failure
 * calls sweep_memory_is_back and tries again: what it then returns is compared with the
 * run that had enough from the start.
 */
#ifndef PITH_TEST_SWEEP_H
#define PITH_TEST_SWEEP_H

#include "bytes.h"
#include "meter.h"
#include "testing.h"

/* Does it with the allocator of the options, and adds what came of it to `result`,
 * which the allocator does not see. */
typedef pith_status (*sweep_operation)(const void *job, pith_options *options,
                                       bytes *result);

/* Runs both sweeps over it and shows what is wrong, under `label`; the number of runs
 * that failed. Of `base` everything but the allocator is passed on; NULL for defaults. */
size_t sweep_run(const char *label, sweep_operation run, const void *job,
                 const pith_options *base);

/* From now on the allocator of the options gives all that is asked for. */
void sweep_memory_is_back(pith_options *options);

/* True when `status` says that memory ran out, as `err` has to say then too. Memory is
 * back, and the call can be tried again. */
bool sweep_again(pith_options *options, pith_status status, const pith_error *err);

/* The status of a call that returned NULL, which `err` has to explain. */
pith_status sweep_failure(const pith_error *err);

/* Adds the value as JSON, written with plenty of memory. */
void sweep_add_value(bytes *result, pith_value value);

/* Adds what an operation wrote, and frees it. */
void sweep_add_output(bytes *result, pith_buffer *out);

/* What the operations below are given: a text in a format to be read, a document with a
 * value to be written in it. */
typedef struct sweep_job {
    const char *format;
    bytes text;
    pith_doc *doc;
    const char *read; /* settings, for who makes the options; or NULL */
    const char *write;
} sweep_job;

/* Each is a sweep_operation. Of a text that is wrong they add what is wrong with it. */
pith_status sweep_parse(const void *job, pith_options *options, bytes *result);
pith_status sweep_check(const void *job, pith_options *options, bytes *result);
pith_status sweep_read_pieces(const void *job, pith_options *options, bytes *result);
pith_status sweep_write(const void *job, pith_options *options, bytes *result);

#endif /* PITH_TEST_SWEEP_H */
