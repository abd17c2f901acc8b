/*
 * cases.h - command lines of every command, over small inputs.
 */
#ifndef PITH_TEST_CASES_H
#define PITH_TEST_CASES_H

#include "faults/tool.h"

/* The case at that index, from 0; NULL beyond the last. */
const tool_case *case_at(size_t index);

/* The directory, with all inputs of the cases; for a group of tests. */
int cases_begin(void **state);
int cases_end(void **state);

/* Fails when a command of the tool has no case. */
void every_command_has_a_case(void **state);

#endif /* PITH_TEST_CASES_H */
