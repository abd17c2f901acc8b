/*
 * fixtures.h - the public fixtures of the formats, which are not part of this project.
 *
 * They are looked for in the folder that the environment variable PITH_CONFORMANCE
 * names, then in build/conformance, where `./dev conformance` puts what it fetches, then
 * in ../shared/conformance next to the project. What is nowhere is skipped, by name, and
 * the test is reported as skipped, not as passed.
 */
#ifndef PITH_TEST_FIXTURES_H
#define PITH_TEST_FIXTURES_H

#include <stdbool.h>

#include "pith.h"

enum { FIXTURE_PATH_MOST = 1024 };

/* The folder that has a folder called `suite` in it goes to `path`, which has room for
 * FIXTURE_PATH_MOST bytes; false when it is nowhere. */
bool fixtures_find(char *path, const char *suite);

/* The whole file, which must be there; the caller frees the buffer. */
pith_buffer fixtures_read(const char *path);

/* The whole file of this name in tests/vectors; the caller frees the buffer. */
pith_buffer fixtures_own(const char *name);

/* Ends the test as skipped, and says what is missing. */
void fixtures_skip(const char *what);

/* The exit status of a test program, from the number of its tests that failed: a program
 * in which something was skipped ends with FIXTURES_SKIPPED, which ctest knows. */
enum { FIXTURES_SKIPPED = 77 };
int fixtures_result(int failed);

/* True when the folder is there. */
bool fixtures_have(const char *path);

#endif /* PITH_TEST_FIXTURES_H */
