/*
 * cmd_apply.c - `pith apply`: BASE brought up to date by an answer.
 */
#define _POSIX_C_SOURCE 200809L

#include "load.h"
#include "format_args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The key of the base's rows: from the command line, the base itself or the answer. */
static char *choose_key(const loaded *base, const pith_answer_info *info)
{
    return base->key != NULL ? strdup(base->key) : strndup(info->key.ptr, info->key.len);
}

/* Holds the base and applies the answer; false after a complaint. */
static bool bring_up_to_date(session *with, pith_consumer *consumer, const loaded *base,
                             const loaded *answer)
{
    pith_error err = {0};
    pith_answer kind = PITH_ANSWER_FULL;
    pith_answer_info info;
    pith_status status = pith_answer_look(answer->in.text, answer->in.len, &info, &err);
    if (status != PITH_OK) {
        load_report(answer, with, &err);
        return false;
    }
    char *key = choose_key(base, &info);
    if (key == NULL) {
        diag_system(&with->errors, NULL, "cannot apply", "no_memory", ENOMEM);
        return false;
    }
    if (base->answer) {
        status = pith_consumer_apply(consumer, base->in.text, base->in.len, NULL, &err);
    } else {
        status = pith_consumer_hold(consumer, pith_doc_root(base->doc),
                                    key[0] != '\0' ? key : NULL, &err);
    }
    free(key);
    if (status != PITH_OK) {
        load_report(base, with, &err);
        return false;
    }
    status = pith_consumer_apply(consumer, answer->in.text, answer->in.len, &kind, &err);
    if (status != PITH_OK)
        load_report(answer, with, &err);
    return status == PITH_OK;
}

static const pith_format *apply_target(session *with, const loaded *base)
{
    const char *name = with->given.value[OPTION_TO];
    const char *path = with->given.value[OPTION_OUTPUT];
    const pith_format *format = NULL;
    if (name != NULL)
        return choose_named(with, name, PITH_WRITE);
    if (path != NULL && suffix_of(path).formats > 0) {
        /* of a family the member that BASE is, if it is one */
        format = pith_format_of(path, base->in.text, base->in.len);
    }
    format = format != NULL ? format : base->format;
    return choose_named(with, format->name, PITH_WRITE);
}

static void write_result(session *with, const pith_consumer *consumer, const loaded *base,
                         const pith_format *to, const char *settings)
{
    pith_error err = {0};
    pith_options options = {.write = settings};
    output *out = command_output(with, with->given.value[OPTION_OUTPUT]);
    if (out == NULL)
        return;
    size_t before = out->written;
    pith_status status = pith_value_write(pith_consumer_value(consumer), to->name,
                                          &options, output_sink(out), &err);
    if (status != PITH_OK && out->failed == 0)
        load_report(base, with, &err);
    if (status == PITH_OK)
        command_end_text(with, out, to, before);
    if (status == PITH_OK && args_has(&with->given, OPTION_VERBOSE))
        diag_note(&with->errors, "%s", pith_consumer_root(consumer));
    command_keep_output(with, out, status == PITH_OK);
    command_drop_output(with, out);
}

static void apply(session *with, loaded *base, loaded *answer)
{
    if (!load_snapshot(with, with->operands[0], base) ||
        !load_text(with, &answer->in, with->operands[1], input_open_soon))
        return;
    pith_error err = {0};
    chosen_settings settings = {0};
    const pith_format *to = apply_target(with, base);
    pith_consumer *consumer = pith_consumer_new(NULL, &err);
    if (consumer == NULL)
        diag_system(&with->errors, NULL, "cannot apply", "no_memory", ENOMEM);
    else if (to != NULL && choose_settings(&settings, with, base->format, to) &&
             choose_all_used(with) && bring_up_to_date(with, consumer, base, answer))
        write_result(with, consumer, base, to, settings.write.data);
    pith_consumer_free(consumer);
    choose_free(&settings);
}

static void run_apply(session *with)
{
    loaded base = {0};
    loaded answer = {0};
    if (with->operand_count != 2) {
        diag_usage(&with->errors, "wrong_operands", "'pith help apply' tells more",
                   "apply needs two files, BASE and DELTA");
    } else {
        apply(with, &base, &answer);
    }
    progress_stop(&with->line);
    load_free(&base);
    load_free(&answer);
}

const command command_apply = {
    .name = "apply",
    .operands = "BASE DELTA",
    .takes = OPERAND_FILES,
    .summary = "bring a set of rows up to date with what has changed",
    .about = "Applies an answer of 'pith delta' to the rows of BASE and writes the "
             "result, in the format of BASE unless --to or the suffix of OUT says "
             "otherwise. All or nothing: an answer that was made for other rows, "
             "contradicts them, is damaged, or does not give what it promises is "
             "refused, and nothing is written.",
    .examples =
        (const example[]){
            {"pith apply old.json step.gcf", "the new rows as JSON"},
            {"pith apply old.json step.gcf -o old.json", "in place, atomically"},
            {NULL, NULL},
        },
    .options =
        (const option_id[]){OPTION_KEY, OPTION_TO, OPTION_SET, OPTION_OUTPUT,
                            OPTION_NO_NEWLINE, OPTION_FROM, OPTION_DEPTH, OPTION_ERRORS,
                            OPTION_COLOR, OPTION_NO_PROGRESS, OPTION_VERBOSE, OPTION_HELP,
                            OPTION_VERSION, OPTION_END},
    .run = run_apply,
};
