/*
 * meter.h - an allocator that counts, checks and, when told to, fails.
 *
 *     +-----------------------+----------------------------+
 *     | size, 16 bytes in all | the block that is handed out |
 *     +-----------------------+----------------------------+
 *
 * Every block remembers its size in front of it, so that the `old_size` the
 * library gives back can be compared with what it was given. Resizing always
 * moves the block, so that a pointer kept across it is a use after free, which
 * the address sanitizer reports.
 */
#ifndef PITH_TEST_METER_H
#define PITH_TEST_METER_H

#include <stdbool.h>
#include <stddef.h>

#include "pith.h"

typedef struct meter {
    size_t live_bytes;
    size_t live_blocks;
    size_t peak_bytes;
    size_t requests;    /* allocations and growths asked for so far */
    size_t fail_at;     /* the request that fails, from 1; 0 for none */
    bool fail_onwards;  /* and all after it */
    size_t failures;    /* requests refused so far */
    size_t wrong_sizes; /* calls whose old size was not the block's */
} meter;

/* The options' allocator; the meter must outlive every handle made with it. */
pith_alloc meter_alloc(meter *counts);

/* True when every block came back and no size was wrong. */
bool meter_clean(const meter *counts);

#endif /* PITH_TEST_METER_H */
