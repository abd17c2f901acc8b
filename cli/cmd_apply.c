/*
 * cmd_apply.c - `pith apply`: BASE brought up to date by an answer.
 */
#include "format_args.h"
#include "load.h"

#include "base/text.h"

/* A snapshot whose key is from the command line, the base itself or the answer; NULL
 * after a complaint. */
static pith_snapshot *open_snapshot(context *ctx, const loaded *base,
                                    const loaded *answer)
{
    pith_error err = {0};
    pith_delta_info info;
    pith_policy policy = {.key = text_from(base->key)};
    if (pith_delta_look(answer->in.text, answer->in.len, &info, &err) != PITH_OK) {
        load_report(answer, ctx, &err);
        return NULL;
    }
    if (base->key == NULL)
        policy.key = info.key;
    pith_snapshot *snapshot = pith_snapshot_new(&policy, NULL, &err);
    if (snapshot == NULL)
        load_report(base, ctx, &err);
    return snapshot;
}

/* Holds the base and applies the answer; false after a complaint. */
static bool bring_up_to_date(context *ctx, pith_snapshot *snapshot, const loaded *base,
                             const loaded *answer)
{
    pith_error err = {0};
    const input *in = &base->in;
    pith_status status =
        base->answer ? pith_snapshot_apply(snapshot, in->text, in->len, NULL, &err)
                     : pith_snapshot_set(snapshot, pith_doc_root(base->doc), &err);
    if (status != PITH_OK) {
        load_report(base, ctx, &err);
        return false;
    }
    in = &answer->in;
    status = pith_snapshot_apply(snapshot, in->text, in->len, NULL, &err);
    if (status != PITH_OK)
        load_report(answer, ctx, &err);
    return status == PITH_OK;
}

static const pith_format *apply_target(context *ctx, const loaded *base)
{
    const char *name = ctx->given.value[OPTION_TO];
    const char *path = ctx->given.value[OPTION_OUTPUT];
    const pith_format *format = NULL;
    if (name != NULL)
        return format_named(ctx, name, PITH_WRITE);
    if (path != NULL && suffix_of(path).formats > 0) {
        /* of a family the member that BASE is, if it is one */
        format = pith_format_of(path, base->in.text, base->in.len);
    }
    format = format != NULL ? format : base->format;
    return format_named(ctx, format->name, PITH_WRITE);
}

static void write_result(context *ctx, const pith_snapshot *snapshot, const loaded *base,
                         const pith_format *to, const char *settings)
{
    pith_error err = {0};
    pith_options options = {.write = settings};
    output *out = output_for(ctx, ctx->given.value[OPTION_OUTPUT]);
    if (out == NULL)
        return;
    size_t before = out->written;
    pith_status status = pith_value_write(pith_snapshot_value(snapshot), to->name,
                                          &options, output_sink(out), &err);
    if (status != PITH_OK && out->failed == 0)
        load_report(base, ctx, &err);
    if (status == PITH_OK)
        output_end_text(ctx, out, to, before);
    if (status == PITH_OK && args_has(&ctx->given, OPTION_VERBOSE))
        diag_note(&ctx->errors, "%s", pith_snapshot_root(snapshot));
    output_keep(ctx, out, status == PITH_OK);
    output_drop(ctx, out);
}

static void apply(context *ctx, loaded *base, loaded *answer)
{
    if (!load_snapshot(ctx, ctx->operands[0], base) ||
        !load_text(ctx, &answer->in, ctx->operands[1], input_open_soon))
        return;
    chosen_settings settings = {0};
    const pith_format *to = apply_target(ctx, base);
    pith_snapshot *snapshot = NULL;
    if (to != NULL && settings_sort(&settings, ctx, base->format, to) &&
        settings_check_used(ctx) &&
        (snapshot = open_snapshot(ctx, base, answer)) != NULL &&
        bring_up_to_date(ctx, snapshot, base, answer))
        write_result(ctx, snapshot, base, to, settings.write.data);
    pith_snapshot_free(snapshot);
    settings_free(&settings);
}

static void run_apply(context *ctx)
{
    loaded base = {0};
    loaded answer = {0};
    if (ctx->operand_count != 2) {
        diag_usage(&ctx->errors, "wrong_operands", "'pith help apply' says more",
                   "apply needs two files, BASE and DELTA");
    } else {
        apply(ctx, &base, &answer);
    }
    progress_stop(&ctx->line);
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
        EXAMPLES({"pith apply old.json step.gcf", "the new rows as JSON"},
                 {"pith apply old.json step.gcf -o old.json", "in place, atomically"}),
    .options = OPTIONS(OPTION_KEY, OPTION_TO, OPTION_SET, OPTION_OUTPUT,
                       OPTION_NO_NEWLINE, OPTION_FROM, OPTION_DEPTH, OPTION_MEMORY_MAX,
                       OPTION_ERRORS, OPTION_COLOR, OPTION_NO_PROGRESS, OPTION_QUIET,
                       OPTION_VERBOSE, OPTION_HELP, OPTION_VERSION),
    .run = run_apply,
};
