/*
 * cmd_delta.c - `pith delta`: what to send to someone who has BASE and wants NEW.
 */
#include "format_args.h"
#include "load.h"

#include "base/text.h"

static const char *answer_name(pith_delta_kind answer)
{
    switch (answer) {
    case PITH_DELTA_UNCHANGED:
        return "unchanged";
    case PITH_DELTA_CHANGES:
        return "delta";
    default:
        return "full";
    }
}

static void write_answer(context *ctx, pith_snapshot *snapshot, const loaded *now)
{
    pith_error err = {0};
    pith_delta_kind answer = PITH_DELTA_FULL;
    output *out = output_for(ctx, ctx->given.value[OPTION_OUTPUT]);
    if (out == NULL)
        return;
    size_t before = out->written;
    pith_status status =
        pith_snapshot_write(snapshot, pith_snapshot_root(snapshot),
                            pith_doc_root(now->doc), output_sink(out), &answer, &err);
    if (status != PITH_OK && out->failed == 0) {
        load_report(now, ctx, &err);
    } else if (status == PITH_OK && args_has(&ctx->given, OPTION_VERBOSE)) {
        diag_note(&ctx->errors, "%s, %zu bytes", answer_name(answer),
                  out->written - before);
    }
    output_keep(ctx, out, status == PITH_OK);
    output_drop(ctx, out);
}

/* Answers in the format, with its settings. */
static void answer_as(context *ctx, const pith_format *to, const char *settings,
                      const loaded *base, const loaded *now)
{
    pith_error err = {0};
    const char *key = base->key != NULL ? base->key : now->key;
    pith_policy policy = {
        .key = text_from(key),
        .format = to->name,
        .anchor = PITH_ANCHOR_NEVER,
    };
    pith_options options = {.write = settings};
    pith_snapshot *snapshot = pith_snapshot_new(&policy, &options, &err);
    if (snapshot == NULL ||
        pith_snapshot_set(snapshot, pith_doc_root(base->doc), &err) != PITH_OK)
        load_report(base, ctx, &err);
    else
        write_answer(ctx, snapshot, now);
    pith_snapshot_free(snapshot);
}

static void compare(context *ctx, loaded *base, loaded *now)
{
    const char *name = ctx->given.value[OPTION_TO];
    chosen_settings settings = {0};
    const pith_format *to = format_named(ctx, name != NULL ? name : "gcf", PITH_WRITE);
    if (to != NULL && load_snapshot(ctx, ctx->operands[0], base) &&
        load_snapshot(ctx, ctx->operands[1], now) &&
        settings_sort(&settings, ctx, now->format, to) && settings_check_used(ctx))
        answer_as(ctx, to, settings.write.data, base, now);
    settings_free(&settings);
}

static void run_delta(context *ctx)
{
    loaded base = {0};
    loaded now = {0};
    if (ctx->operand_count != 2) {
        diag_usage(&ctx->errors, "wrong_operands", "'pith help delta' says more",
                   "delta needs two files, BASE and NEW");
    } else {
        compare(ctx, &base, &now);
    }
    progress_stop(&ctx->line);
    load_free(&base);
    load_free(&now);
}

const command command_delta = {
    .name = "delta",
    .operands = "BASE NEW",
    .takes = OPERAND_FILES,
    .summary = "write what has changed between two sets of rows",
    .about =
        "Writes the answer, as GCF unless --to says otherwise, to someone who holds "
        "the rows of BASE and wants those of NEW: one line when nothing has changed, the rows that "
        "were added, changed and removed when that is less than 60% of "
        "everything, and everything else otherwise. With --verbose it says which "
        "of these it was. 'pith apply' takes the answer.\n"
        "Rows are the objects of an array, identified by the field that --key "
        "names, or the members of an object of objects. A different set of fields "
        "always gives everything. A code graph has no key, and can be answered as "
        "gcf1-graph, too.",
    .examples =
        EXAMPLES({"pith delta old.json new.json --key id", "an array"},
                 {"pith delta old.json new.json --to gcf1-graph", "code graphs"},
                 {"pith delta -v old.json new.json --key id -o step.gcf", "into a file"}),
    .options = OPTIONS(OPTION_KEY, OPTION_TO, OPTION_OUTPUT, OPTION_FROM, OPTION_SET,
                       OPTION_AT, OPTION_ROWS, OPTION_FIELDS, OPTION_DROP,
                       OPTION_DROP_NULL, OPTION_BAD, OPTION_DEPTH, OPTION_MEMORY_MAX,
                       OPTION_ERRORS, OPTION_COLOR, OPTION_NO_PROGRESS, OPTION_QUIET,
                       OPTION_VERBOSE, OPTION_HELP, OPTION_VERSION),
    .run = run_delta,
};
