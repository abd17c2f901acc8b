/*
 * fixtures.h - the public fixtures of the formats, which are not part of this project.
 *
 * They are looked for in the folder that the environment variable PITH_CONFORMANCE
 * names, else in ../shared/conformance next to the project.
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

/* True when the folder is there. */
bool fixtures_have(const char *path);

#endif /* PITH_TEST_FIXTURES_H */
