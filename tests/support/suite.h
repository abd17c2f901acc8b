/*
 * suite.h - the files of a public suite, one JSON value a file. See fixtures.h for where
 * they are.
 */
#ifndef PITH_TEST_SUITE_H
#define PITH_TEST_SUITE_H

#include "testing.h"

enum { SUITE_PATH_MOST = 2048 };

/* The folder of a suite ("gcf-3.5") in `path`, which has SUITE_PATH_MOST bytes; false
 * when it is nowhere. */
bool suite_find(char *path, const char *suite);

/* Calls `each` for every .json file in a folder of the suite, by name. `name` is what
 * follows the suite: "delta/001_basic.json". False when there is no such folder. */
typedef void (*suite_case)(void *ctx, const char *name, pith_value test);
bool suite_each(const char *path, const char *folder, suite_case each, void *ctx);

/* The same for every folder of the suite, by name. */
void suite_all(const char *path, suite_case each, void *ctx);

#endif /* PITH_TEST_SUITE_H */
