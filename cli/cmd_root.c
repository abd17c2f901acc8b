/*
 * cmd_root.c - `pith root`: the name of a snapshot.
 */
#include "load.h"

#include "base/text.h"

static void print_root(context *ctx, const char *path, bool named)
{
    loaded one = {0};
    if (load_snapshot(ctx, path, &one)) {
        pith_root root;
        pith_error err = {0};
        if (pith_value_root(pith_doc_root(one.doc), text_from(one.key), NULL, &root,
                            &err) == PITH_OK)
            output_format(&ctx->out, named ? "%s  %s\n" : "%s\n", root.text, one.in.name);
        else
            load_report(&one, ctx, &err);
    }
    load_free(&one);
}

static void run_root(context *ctx)
{
    if (would_wait(ctx))
        return;
    for (size_t i = 0; i < ctx->path_count; i++)
        print_root(ctx, ctx->paths[i], ctx->path_count > 1);
    progress_stop(&ctx->line);
}

const command command_root = {
    .name = "root",
    .operands = "[FILE|-]...",
    .takes = OPERAND_FILES,
    .summary = "print the root of a set of rows, a hash of its content",
    .about = "Prints the root of each FILE: a hash of its rows that is the same "
             "whatever their order, their spelling and the format of the file. Rows "
             "are the objects of an array, identified by the field that --key names, "
             "or the members of an object of objects; either may be the only member of "
             "an object. Without a FILE, or with '-', it reads standard input.",
    .examples = EXAMPLES({"pith root orders.json --key id", "an array"},
                         {"pith root servers.json", "an object of objects"}),
    .options = OPTIONS(OPTION_KEY, OPTION_FROM, OPTION_SET, OPTION_AT, OPTION_ROWS,
                       OPTION_FIELDS, OPTION_DROP, OPTION_DROP_NULL, OPTION_BAD,
                       OPTION_DEPTH, OPTION_MEMORY_MAX, OPTION_ERRORS, OPTION_COLOR,
                       OPTION_NO_PROGRESS, OPTION_QUIET, OPTION_HELP, OPTION_VERSION),
    .run = run_root,
};
