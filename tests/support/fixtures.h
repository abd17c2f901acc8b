/*
 * fixtures.h - the files of a public suite, one JSON value a file.
 *
 * The suites are not part of this project. They are looked for in the folder that the
 * environment variable PITH_CONFORMANCE names, else in ../shared/conformance next to the
 * project.
 */
#ifndef PITH_TEST_FIXTURES_H
#define PITH_TEST_FIXTURES_H

#include "testing.h"

enum { FIXTURE_PATH_MOST = 1024 };

/* The folder of a suite ("gcf-3.5") in `path`, which has FIXTURE_PATH_MOST bytes; false
 * when it is nowhere. */
bool fixtures_find(char *path, const char *suite);

/* Calls `each` for every .json file in a folder of the suite, by name. `name` is what
 * stands behind the suite: "delta/001_basic.json". False when there is no such folder. */
typedef void (*fixture_run)(void *ctx, const char *name, pith_value test);
bool fixtures_each(const char *path, const char *folder, fixture_run each, void *ctx);

#endif /* PITH_TEST_FIXTURES_H */
