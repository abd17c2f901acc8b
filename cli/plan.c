/*
 * plan.c - what `convert` is going to do, settled before anything is done.
 *
 * A command line that is wrong should fail before the first file is touched, not
 * after the tenth. So every decision is made here, up front, except for inputs
 * whose format only their content can tell; those are settled when they are read.
 */
#define _POSIX_C_SOURCE 200809L

#include "plan.h"

#include "token_args.h"
#include "input.h"
#include "format_args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool out_of_memory(plan *all)
{
    diag_system(&all->with->errors, NULL, "cannot plan", "no_memory", ENOMEM);
    return false;
}

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* --- the output's path */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* directory/stem.suffix, from malloc. */
static char *path_in_directory(const char *directory, const char *path,
                               const pith_format *to)
{
    const char *name = base_name(path);
    size_t stem = strlen(name) - suffix_of(name).len;
    size_t dir = strlen(directory);
    const char *suffixes = to->suffixes[0] != '\0' ? to->suffixes : ".txt";
    size_t suffix = strcspn(suffixes, " ");
    const char *slash = directory[dir - 1] == '/' ? "" : "/";
    size_t size = dir + 1 + stem + suffix + 1;
    char *joined = malloc(size);
    if (joined != NULL) {
        snprintf(joined, size, "%s%s%.*s%.*s", directory, slash, (int)stem, name,
                 (int)suffix, suffixes);
    }
    return joined;
}

/* Two inputs may not become one file: the second would replace the first. */
static bool is_free(plan *all, const job *one)
{
    for (size_t i = 0; i < all->count; i++) {
        const job *other = &all->jobs[i];
        if (other == one || other->out_path == NULL ||
            strcmp(other->out_path, one->out_path) != 0)
            continue;
        diag_usage(&all->with->errors, "same_output", NULL,
                   "'%s' and '%s' would both become '%s'", other->path, one->path,
                   one->out_path);
        return false;
    }
    return true;
}

static bool settle_path(plan *all, job *one)
{
    if (one->out_path != NULL)
        return true;
    if (all->file != NULL)
        one->out_path = strdup(all->file);
    else if (all->directory != NULL)
        one->out_path = path_in_directory(all->directory, one->path, one->to);
    else
        return true;
    return one->out_path == NULL ? out_of_memory(all) : is_free(all, one);
}

/* --- the formats */

static bool settle_target(plan *all, job *one)
{
    one->to = all->to;
    if (one->to == NULL && all->file != NULL)
        one->to = pith_format_of(all->file, NULL, 0);
    if (one->to == NULL)
        one->to = choose_target(one->from);
    return choose_named(all->with, one->to->name, PITH_WRITE) != NULL &&
           choose_named(all->with, one->from->name, PITH_READ) != NULL;
}

/* --- the options that are settings by another name */

static bool settle_option(plan *all, job *one, option_id id, const char *word)
{
    const char *value = all->with->given.value[id];
    return value == NULL || choose_add(&one->settings.write, word, value) ||
           out_of_memory(all);
}

static bool settle_options(plan *all, job *one)
{
    if (args_has(&all->with->given, OPTION_ALLOW) && strcmp(one->to->name, "auto") != 0) {
        diag_usage(&all->with->errors, "unused_option", NULL,
                   "--allow only applies to --to auto");
        return false;
    }
    return settle_option(all, one, OPTION_ALLOW, "allow") &&
           settle_option(all, one, OPTION_OPTIMIZE, "optimize");
}

/* The turns of a session say which they are, unless a setting says otherwise. */
static bool settle_session(plan *all, job *one)
{
    return !args_has(&all->with->given, OPTION_SESSION) ||
           strcmp(one->to->name, "gcf-graph") != 0 ||
           choose_add(&one->settings.write, "turns", "true") || out_of_memory(all);
}

bool plan_settle(plan *all, job *one)
{
    one->settled = settle_target(all, one) && settle_path(all, one) &&
                   settle_session(all, one) &&
                   choose_settings(&one->settings, all->with, one->from, one->to) &&
                   settle_options(all, one);
    return one->settled;
}

/* --- the whole */

static bool is_directory(const char *path)
{
    struct stat facts;
    size_t len = strlen(path);
    return (len > 0 && path[len - 1] == '/') ||
           (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode));
}

/* Looks at -o: nothing, a file or a directory. */
static bool plan_output(plan *all)
{
    const char *out = all->with->given.value[OPTION_OUTPUT];
    diag *complain_to = &all->with->errors;
    if (out == NULL || is_standard(out))
        return true;
    if (!is_directory(out)) {
        all->file = out;
        if (all->count > 1) {
            diag_usage(complain_to, "several_inputs", "end it with '/' to create it",
                       "'%s' is not a directory; several inputs need one", out);
            return false;
        }
        return true;
    }
    all->directory = out;
    for (size_t i = 0; i < all->count; i++) {
        if (is_standard(all->jobs[i].path)) {
            diag_usage(complain_to, "no_name", "give -o the name of a file",
                       "standard input has no name to use in the directory '%s'", out);
            return false;
        }
    }
    return true;
}

static bool plan_inputs(plan *all)
{
    session *with = all->with;
    size_t standard = 0;
    all->count = with->path_count;
    all->jobs = calloc(all->count, sizeof *all->jobs);
    if (all->jobs == NULL)
        return out_of_memory(all);
    for (size_t i = 0; i < all->count; i++) {
        all->jobs[i].path = with->paths[i];
        standard += is_standard(all->jobs[i].path);
    }
    if (standard > 1) {
        diag_usage(&with->errors, "standard_input_twice", NULL,
                   "standard input can be read only once");
        return false;
    }
    return true;
}

/* Settles what can be settled before the input is opened. Where its suffix stands for a
 * family, the target and its path are known: they are the same for all members. */
static bool plan_job(plan *all, job *one, const pith_format *from)
{
    one->from = from != NULL ? from : pith_format_of(one->path, NULL, 0);
    if (one->from == NULL)
        return true;
    bool sure = from != NULL || suffix_of(one->path).formats == 1;
    return sure ? plan_settle(all, one)
                : settle_target(all, one) && settle_path(all, one);
}

static bool plan_formats(plan *all)
{
    session *with = all->with;
    const char *from_name = with->given.value[OPTION_FROM];
    const char *to_name = with->given.value[OPTION_TO];
    const pith_format *from = NULL;
    if (from_name != NULL)
        from = choose_named(with, from_name, PITH_READ);
    if (to_name != NULL)
        all->to = choose_named(with, to_name, PITH_WRITE);
    if ((from_name != NULL && from == NULL) || (to_name != NULL && all->to == NULL))
        return false;
    for (size_t i = 0; i < all->count; i++)
        if (!plan_job(all, &all->jobs[i], from))
            return false;
    return true;
}

bool plan_settings_used(plan *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (!all->jobs[i].settled)
            return true;
    return choose_all_used(all->with);
}

static bool make_directory(plan *all)
{
    const char *path = all->directory;
    if (path == NULL || mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    diag_system(&all->with->errors, path, "cannot create", "create_failed", errno);
    return false;
}

/* The vocabulary and the budget have to be right before anything is done. */
static bool plan_tokens(plan *all)
{
    if (!token_args_read(&all->tokens, all->with))
        return false;
    if (all->tokens.budget.tokens_max > 0 &&
        args_has(&all->with->given, OPTION_SESSION)) {
        diag_usage(&all->with->errors, "unused_option",
                   "cut the graph down first, without --session",
                   "--budget does not apply to a session, which writes whole graphs");
        return false;
    }
    return true;
}

bool plan_make(plan *into, session *with)
{
    *into = (plan){.with = with};
    return plan_inputs(into) && plan_tokens(into) && plan_output(into) &&
           plan_formats(into) && plan_settings_used(into) && make_directory(into);
}

void plan_free(plan *all)
{
    for (size_t i = 0; all->jobs != NULL && i < all->count; i++) {
        free(all->jobs[i].out_path);
        choose_free(&all->jobs[i].settings);
    }
    free(all->jobs);
    token_args_free(&all->tokens);
    *all = (plan){0};
}
