/*
 * cmd_mcp.c - `pith mcp`: in front of a server of the Model Context Protocol, or as one.
 *
 * Standard input and output are the protocol's; what there is to say goes to standard
 * error, and nothing of a message ever does.
 */
#include "context.h"
#include "mcp_db.h"
#include "token_args.h"

#include "proxy/proxy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS_MIN_USUAL = 40, REWRITE_MAX_USUAL = 64 << 20 };

static void note(void *of, const char *sentence)
{
    context *ctx = of;
    diag_note(&ctx->errors, "%s", sentence);
    fflush(stderr);
}

/* The file of --stats, opened to be appended to; false after a complaint. */
static bool open_stats(context *ctx, mcp_settings *settings)
{
    const char *path = ctx->given.value[OPTION_STATS];
    settings->stats = path != NULL;
    if (path == NULL || strcmp(path, "-") == 0)
        return true;
    settings->stats_lines = fopen(path, "ae");
    if (settings->stats_lines == NULL)
        diag_system(&ctx->errors, path, "cannot open", "create_failed", errno);
    return settings->stats_lines != NULL;
}

static bool read_policies(context *ctx, policies *all)
{
    const args *given = &ctx->given;
    pith_error err;
    policy_words words = {
        .tools = given->tools,
        .tool_count = given->tool_count,
        .includes = given->includes,
        .include_count = given->include_count,
        .excludes = given->excludes,
        .exclude_count = given->exclude_count,
        .client = given->value[OPTION_CLIENT],
        .structured = given->value[OPTION_STRUCTURED],
        .budget = args_number(given, OPTION_BUDGET),
    };
    if (policies_read(all, &words, &err) == PITH_OK)
        return true;
    diag_problem(&ctx->errors, NULL, &err, NULL);
    return false;
}

static void relay_command(context *ctx, const mcp_settings *settings)
{
    pith_error err;
    int exit_status = 0;
    /* A NULL is after the last operand: there are fewer of them than words. */
    pith_status status =
        mcp_relay(settings, (char *const *)ctx->operands, &exit_status, &err);
    if (status != PITH_OK)
        diag_problem(&ctx->errors, NULL, &err, NULL);
    else if (ctx->errors.exit_code == 0)
        ctx->errors.exit_code = exit_status;
}

/* The words after "--" are the command; a database needs none. */
static bool has_command(context *ctx)
{
    static const char hint[] = "as in: pith mcp -- npx some-server";
    bool database = args_has(&ctx->given, OPTION_DB);
    if (database && ctx->operand_count > 0)
        diag_usage(&ctx->errors, "unexpected_operand", NULL,
                   "either --db or a command is served, not both");
    else if (database)
        return true;
    else if (ctx->given.free_operands > 1)
        diag_usage(&ctx->errors, "unexpected_operand", hint,
                   "expected '--' before the command, found '%s'", ctx->operands[0]);
    else if (ctx->operand_count == 0)
        diag_usage(&ctx->errors, "missing_operand", hint,
                   "the command that is the server is missing");
    else
        return true;
    return false;
}

static void run_mcp(context *ctx)
{
    const args *given = &ctx->given;
    policies all = {0};
    pith_vocab *vocab = NULL;
    pith_error err;
    mcp_settings settings = {
        .policies = &all,
        .allow = given->value[OPTION_ALLOW],
        .tokens_min = args_has(given, OPTION_MIN_TOKENS)
                          ? args_number(given, OPTION_MIN_TOKENS)
                          : TOKENS_MIN_USUAL,
        .rewrite_max = args_has(given, OPTION_REWRITE_MAX)
                           ? (size_t)args_size(given, OPTION_REWRITE_MAX)
                           : REWRITE_MAX_USUAL,
        .timeout = (unsigned)args_number(given, OPTION_TIMEOUT),
        .verbose = args_has(given, OPTION_VERBOSE),
        .note = note,
        .ctx = ctx,
    };
    if (!has_command(ctx) || !read_policies(ctx, &all))
        return;
    vocab = tokenizer_open(ctx);
    if (vocab != NULL && open_stats(ctx, &settings)) {
        settings.vocab = vocab;
        settings.tokenizer = pith_vocab_describe(vocab).name;
        if (mcp_load(&err) != PITH_OK)
            diag_problem(&ctx->errors, NULL, &err, NULL);
        else if (args_has(given, OPTION_DB))
            mcp_db_serve(ctx, vocab);
        else
            relay_command(ctx, &settings);
    }
    if (settings.stats_lines != NULL)
        fclose(settings.stats_lines);
    pith_vocab_free(vocab);
    policies_free(&all);
}

const command command_mcp = {
    .name = "mcp",
    .operands = "-- COMMAND [ARG]... | --db URL",
    .takes = OPERAND_TEXT,
    .summary = "shrink what an MCP server's tools answer",
    .about =
        "Runs COMMAND, a server of the Model Context Protocol that talks over "
        "standard input and output, and stands in front of it: put 'pith mcp --' "
        "before the command in the client's configuration. Where the result of a "
        "tool is JSON, the model gets the same value in the notation that takes the "
        "fewest tokens, json or pith; everything else passes byte for byte.\n"
        "A text is replaced only if it reads back as the same value and takes fewer "
        "tokens than what would have been shown. Results that are errors, requests, "
        "notifications and other answers are never changed.\n"
        "Some clients show a model structuredContent and not the text beside it. "
        "--client NAME knows which; --structured text says in the text what it says "
        "and takes it away, with the schemas that ask for it.\n"
        "With --stats a summary at the end tells what was saved, tool by tool.\n"
        "With --db it is a server itself: the tools 'query' and 'tables' read a "
        "database, within a --limit of rows (10000), a --budget of tokens (8000) and "
        "a --timeout of seconds (30). Nothing can be changed. A password comes from "
        "the environment or from the client's files, as with 'pith query'.",
    .examples = EXAMPLES(
        {"pith mcp -- npx -y @modelcontextprotocol/server-filesystem .",
         "in front of a server"},
        {"pith mcp --client claude-code --stats - -- uvx mcp-server-git", "with numbers"},
        {"pith mcp --tool 'read_*:off' --tool '*:budget=4000' -- ./server",
         "tool by tool"},
        {"pith mcp --db sqlite:shop.db", "a database for an agent"}),
    .options = OPTIONS(OPTION_TOOL, OPTION_INCLUDE, OPTION_EXCLUDE, OPTION_STRUCTURED,
                       OPTION_CLIENT, OPTION_ALLOW, OPTION_TOKENIZER, OPTION_MIN_TOKENS,
                       OPTION_BUDGET, OPTION_REWRITE_MAX, OPTION_TIMEOUT, OPTION_STATS,
                       OPTION_DB, OPTION_LIMIT, OPTION_MAX_VALUE, OPTION_MAX_MEMORY,
                       OPTION_TRUST_URI, OPTION_ERRORS, OPTION_COLOR, OPTION_VERBOSE,
                       OPTION_HELP, OPTION_VERSION),
    .run = run_mcp,
};
