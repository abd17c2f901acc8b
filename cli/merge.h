/*
 * merge.h - the rows of several inputs as one table, for `convert --merge`.
 */
#ifndef PITH_CLI_MERGE_H
#define PITH_CLI_MERGE_H

#include "convert_jobs.h"

/* Settles a job that could not be before its input was read; false after a complaint. */
typedef bool merge_identify(convert_jobs *jobs, convert_job *job, input *in);

/* Reads all inputs, then writes what they hold as one array, as the first job says. */
void merge_run(convert_jobs *jobs, merge_identify *identify);

#endif /* PITH_CLI_MERGE_H */
