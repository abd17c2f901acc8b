/*
 * copied.h - a value that went through events and cells, both ways in batches.
 */
#ifndef PITH_TEST_COPIED_H
#define PITH_TEST_COPIED_H

#include "pith.h"

/* A finished copy of the value, made by a walk whose events, numbers as digits, become
 * cells, in batches of `batch` at most. Objects with a shape are copied as such when
 * `shaped`, and with their keys otherwise. Aborts when that cannot be done. */
pith_doc *copied(pith_value value, size_t batch, bool shaped);

#endif /* PITH_TEST_COPIED_H */
