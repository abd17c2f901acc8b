/*
 * convert_jobs.c - what `convert` is going to do, settled before anything is done.
 *
 * A command line that is wrong should fail before the first file is touched, not
 * after the tenth. So every decision is made here, up front, except for inputs
 * whose format depends on their content; those are settled when they are read.
 */
#define _POSIX_C_SOURCE 200809L

#include "convert_jobs.h"

#include "format_args.h"
#include "input.h"
#include "token_args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool out_of_memory(convert_jobs *jobs)
{
    diag_system(&jobs->ctx->errors, NULL, "cannot plan", "no_memory", ENOMEM);
    return false;
}

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* --- the output's path */

/* Two inputs may not become one file: the second would replace the first. */
static bool is_free(convert_jobs *jobs, const convert_job *job)
{
    for (size_t i = 0; i < jobs->count; i++) {
        const convert_job *other = &jobs->list[i];
        if (other == job || other->out_path == NULL || jobs->merge ||
            strcmp(other->out_path, job->out_path) != 0)
            continue;
        diag_usage(&jobs->ctx->errors, "same_output", NULL,
                   "'%s' and '%s' would both become '%s'", other->path, job->path,
                   job->out_path);
        return false;
    }
    return true;
}

bool job_is_named_late(const convert_jobs *jobs, const convert_job *job)
{
    return jobs->directory != NULL && job->to->chooses &&
           !args_has(&jobs->ctx->given, OPTION_SESSION);
}

/* A name that is given late has no suffix until then: two inputs that differ in nothing
 * else are refused before the first is read. */
static bool settle_path(convert_jobs *jobs, convert_job *job)
{
    if (job->out_path != NULL)
        return true;
    bool late = job_is_named_late(jobs, job);
    if (jobs->file != NULL)
        job->out_path = strdup(jobs->file);
    else if (jobs->directory != NULL)
        job->out_path = format_path(jobs->directory, job->path, late ? NULL : job->to);
    else
        return true;
    return job->out_path == NULL ? out_of_memory(jobs) : is_free(jobs, job);
}

bool job_name(convert_jobs *jobs, convert_job *job, const char *format)
{
    free(job->out_path);
    job->out_path = format_path(jobs->directory, job->path, pith_format_find(format));
    return job->out_path == NULL ? out_of_memory(jobs) : is_free(jobs, job);
}

/* --- the formats */

/* Whether a file of that name would be taken for what pith does not write. */
static bool is_foreign(const char *path)
{
    static const char *const suffixes[] = {
        ".yaml", ".yml",     ".xml",  ".html", ".xlsx",  ".xls",
        ".ods",  ".parquet", ".avro", ".orc",  ".arrow", ".toml",
        ".db",   ".sqlite",  ".zip",  ".bz2",  ".xz"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcasecmp(dot, suffixes[i]) == 0)
            return true;
    return false;
}

static bool settle_target(convert_jobs *jobs, convert_job *job)
{
    job->to = jobs->to;
    if (job->to == NULL && jobs->file != NULL) {
        job->to = pith_format_of(jobs->file, NULL, 0);
        if (job->to == NULL && is_foreign(jobs->file)) {
            diag_usage(&jobs->ctx->errors, "unknown_format",
                       "--to names what is to be written there",
                       "'%s' is called like a file that pith does not write", jobs->file);
            return false;
        }
    }
    if (job->to == NULL)
        job->to = format_target(job->from);
    return format_named(jobs->ctx, job->to->name, PITH_WRITE) != NULL &&
           format_named(jobs->ctx, job->from->name, PITH_READ) != NULL;
}

/* --- the options that are settings by another name */

static bool settle_option(convert_jobs *jobs, convert_job *job, option_id id,
                          const char *word)
{
    const char *value = jobs->ctx->given.value[id];
    return value == NULL || settings_add(&job->settings.write, word, value) ||
           out_of_memory(jobs);
}

static bool settle_options(convert_jobs *jobs, convert_job *job)
{
    return token_args_allow(jobs->ctx, job->to, &job->settings.write) &&
           token_args_dense(jobs->ctx, job->to, &job->settings.write) &&
           settle_option(jobs, job, OPTION_OPTIMIZE, "optimize") &&
           (token_args_add(jobs->ctx, &job->settings.write) || out_of_memory(jobs));
}

static bool has_setting(const pith_format *format, const char *word)
{
    for (size_t i = 0; i < format->setting_count; i++)
        if (strcmp(format->settings[i].word, word) == 0)
            return true;
    return false;
}

/* The turns of a session say which they are, unless a setting says otherwise. */
static bool settle_session(convert_jobs *jobs, convert_job *job)
{
    return !args_has(&jobs->ctx->given, OPTION_SESSION) ||
           !has_setting(job->to, "turns") ||
           settings_add(&job->settings.write, "turns", "true") || out_of_memory(jobs);
}

/* Rows of a document may have different fields; the header of a table has all of them. */
static bool settle_union(convert_jobs *jobs, convert_job *job)
{
    const pith_buffer *write = &job->settings.write;
    if (!has_setting(job->to, "header") ||
        (has_setting(job->from, "header") && !jobs->merge) ||
        (write->len > 0 && strstr(write->data, "absent=") != NULL))
        return true;
    return settings_add(&job->settings.write, "absent", "union") || out_of_memory(jobs);
}

/* Tables one after the other in one text would have headers among their rows. */
static bool settle_single(convert_jobs *jobs, const convert_job *job)
{
    const pith_buffer *write = &job->settings.write;
    if (jobs->count < 2 || jobs->merge || jobs->directory != NULL ||
        !has_setting(job->to, "header") ||
        (write->len > 0 && strstr(write->data, "header=false") != NULL))
        return true;
    diag_usage(&jobs->ctx->errors, "several_inputs",
               "--merge makes one table of them, -o DIR/ a file for each",
               "several inputs would make one %s with headers among its rows",
               job->to->name);
    return false;
}

bool job_settle(convert_jobs *jobs, convert_job *job)
{
    job->settled =
        settle_target(jobs, job) && settle_path(jobs, job) && settle_session(jobs, job) &&
        settings_sort(&job->settings, jobs->ctx, job->from, job->to) &&
        settle_single(jobs, job) && settle_union(jobs, job) && settle_options(jobs, job);
    return job->settled;
}

/* --- the budget */

enum { BYTES_PER_TOKEN = 2, TOKENS_AROUND = 8 };

/* The tokens that an input hardly ever takes; of one whose size is not known, the mean. */
static size_t job_need(const convert_jobs *jobs, const convert_job *job)
{
    size_t known = 0;
    size_t bytes = job->size;
    if (bytes == 0) {
        for (size_t i = 0; i < jobs->count; i++) {
            known += jobs->list[i].size > 0;
            bytes += jobs->list[i].size;
        }
        bytes = known > 0 ? bytes / known : 0;
    }
    return bytes / BYTES_PER_TOKEN + TOKENS_AROUND;
}

/* What a small one needs is kept for it; the large ones share the rest, and half of an even
 * share stays for each that follows: one row may take that much. The last has all that is
 * left. */
size_t job_share(const convert_jobs *jobs, const convert_job *job)
{
    const convert_job *end = jobs->list + jobs->count;
    size_t left = jobs->budget - jobs->used;
    size_t even = left / (size_t)(end - job);
    size_t need = job_need(jobs, job);
    size_t rest = left;
    double large = 0;
    if (job + 1 == end || need <= even)
        return job + 1 == end ? left : need;
    for (const convert_job *j = job; j < end; j++) {
        size_t other = job_need(jobs, j);
        if (other <= even)
            rest -= other;
        else
            large += (double)other;
    }
    size_t share = (size_t)((double)rest * ((double)need / large));
    size_t most = left;
    for (const convert_job *j = job + 1; j < end; j++) {
        size_t other = job_need(jobs, j);
        most -= other < even / 2 ? other : even / 2;
    }
    share = share < most ? share : most;
    return share > 0 ? share : 1;
}

/* --- the whole */

/* Looks at -o: nothing, a file or a directory. */
static bool jobs_output(convert_jobs *jobs)
{
    const char *out = jobs->ctx->given.value[OPTION_OUTPUT];
    diag *complain_to = &jobs->ctx->errors;
    if (out == NULL || output_is_standard(out))
        return true;
    if (!place_is_directory(out)) {
        jobs->file = out;
        if (jobs->count > 1 && !jobs->merge) {
            diag_usage(complain_to, "several_inputs",
                       "--merge makes one table of them; end it with '/' to create it",
                       "'%s' is not a directory; several inputs need one", out);
            return false;
        }
        return true;
    }
    jobs->directory = out;
    if (jobs->merge) {
        diag_usage(complain_to, "unused_option", "give -o the name of a file",
                   "--merge writes one table, and '%s' is a directory", out);
        return false;
    }
    for (size_t i = 0; i < jobs->count; i++) {
        if (is_standard(jobs->list[i].path)) {
            diag_usage(complain_to, "no_name", "give -o the name of a file",
                       "standard input has no name to use in the directory '%s'", out);
            return false;
        }
    }
    return true;
}

/* 0 when it is not known. */
static size_t size_of_file(const char *path)
{
    struct stat found;
    return !is_standard(path) && stat(path, &found) == 0 && S_ISREG(found.st_mode)
               ? (size_t)found.st_size
               : 0;
}

static bool jobs_inputs(convert_jobs *jobs)
{
    context *ctx = jobs->ctx;
    size_t standard = 0;
    jobs->count = ctx->path_count;
    jobs->list = calloc(jobs->count, sizeof *jobs->list);
    if (jobs->list == NULL)
        return out_of_memory(jobs);
    for (size_t i = 0; i < jobs->count; i++) {
        jobs->list[i].path = ctx->paths[i];
        jobs->list[i].size = size_of_file(ctx->paths[i]);
        standard += is_standard(jobs->list[i].path);
    }
    if (standard > 1) {
        diag_usage(&ctx->errors, "standard_input_twice", NULL,
                   "standard input can be read only once");
        return false;
    }
    return true;
}

/* Settles what can be settled before the input is opened. Where its suffix is that of a
 * family, the target and its path are known: they are the same for all members. */
static bool job_begin(convert_jobs *jobs, convert_job *job, const pith_format *from)
{
    job->from = from != NULL ? from : pith_format_of(job->path, NULL, 0);
    if (job->from == NULL)
        return true;
    bool sure = from != NULL || suffix_of(job->path).formats == 1;
    return sure ? job_settle(jobs, job)
                : settle_target(jobs, job) && settle_path(jobs, job);
}

static bool jobs_formats(convert_jobs *jobs)
{
    context *ctx = jobs->ctx;
    const char *from_name = ctx->given.value[OPTION_FROM];
    const char *to_name = ctx->given.value[OPTION_TO];
    const pith_format *from = NULL;
    if (from_name != NULL)
        from = format_named(ctx, from_name, PITH_READ);
    if (to_name != NULL)
        jobs->to = format_named(ctx, to_name, PITH_WRITE);
    if ((from_name != NULL && from == NULL) || (to_name != NULL && jobs->to == NULL))
        return false;
    for (size_t i = 0; i < jobs->count; i++)
        if (!job_begin(jobs, &jobs->list[i], from))
            return false;
    return true;
}

bool jobs_settings_used(convert_jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (!jobs->list[i].settled)
            return true;
    return settings_check_used(jobs->ctx);
}

/* The vocabulary and the budget have to be right before anything is done. */
static bool jobs_tokens(convert_jobs *jobs)
{
    const args *given = &jobs->ctx->given;
    if (!token_args_read(&jobs->vocab, jobs->ctx))
        return false;
    bool counts = args_has(given, OPTION_VERBOSE) || args_has(given, OPTION_PREAMBLE);
    if (jobs->vocab == NULL && counts)
        jobs->vocab = tokenizer_open(jobs->ctx); /* to count with */
    if (jobs->vocab == NULL && counts)
        return false;
    if (args_has(given, OPTION_PREAMBLE) &&
        (jobs->merge || args_has(given, OPTION_SESSION))) {
        diag_usage(&jobs->ctx->errors, "unused_option", "'pith prompt FORMAT' prints it",
                   "--preamble does not apply to --merge nor to --session");
        return false;
    }
    if (jobs->merge && args_has(given, OPTION_SESSION)) {
        diag_usage(&jobs->ctx->errors, "unused_option", NULL,
                   "--merge does not apply to a session, which writes whole graphs");
        return false;
    }
    if (args_has(given, OPTION_BUDGET) && args_has(given, OPTION_SESSION)) {
        diag_usage(&jobs->ctx->errors, "unused_option",
                   "cut the graph down first, without --session",
                   "--budget does not apply to a session, which writes whole graphs");
        return false;
    }
    return true;
}

bool jobs_make(convert_jobs *into, context *ctx)
{
    *into = (convert_jobs){.ctx = ctx,
                           .merge = args_has(&ctx->given, OPTION_MERGE),
                           .budget = args_number(&ctx->given, OPTION_BUDGET)};
    return jobs_inputs(into) && jobs_tokens(into) && jobs_output(into) &&
           jobs_formats(into) && jobs_settings_used(into) &&
           place_make_directory(into->directory, &into->ctx->errors);
}

void jobs_free(convert_jobs *jobs)
{
    for (size_t i = 0; jobs->list != NULL && i < jobs->count; i++) {
        free(jobs->list[i].out_path);
        settings_free(&jobs->list[i].settings);
    }
    free(jobs->list);
    pith_vocab_free(jobs->vocab);
    *jobs = (convert_jobs){0};
}
