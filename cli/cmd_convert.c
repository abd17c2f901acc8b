/*
 * cmd_convert.c - `pith convert`: files from one format into another.
 *
 * plan.c has decided what becomes of each input; here the jobs run one after the
 * other. A job that fails does not stop the others, unless it is the command line
 * that is wrong, nobody reads standard output any more, or a signal came.
 *
 * Where the one format can be read and the other written row by row, the input passes
 * through in pieces. Before a read that may have to wait, what has been written is sent on
 * its way: rows leave a pipe as they enter it. All other conversions read the whole input
 * first.
 */
#include "token_args.h"
#include "context.h"
#include "interrupt.h"
#include "load.h"
#include "plan.h"
#include "pump.h"
#include "turn.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- one input through the library into one output */

/* As much of what has been read as the budget allows. */
static pith_status transfer_fitting(transfer *with, pith_error *err)
{
    input *in = with->in;
    pith_doc *doc = pith_doc_parse(with->from->name, in->len > 0 ? in->text : "", in->len,
                                   &with->options, err);
    if (doc == NULL)
        return err->status;
    pith_status status = pith_value_fit(pith_doc_root(doc), with->to->name, with->fit,
                                        &with->options, output_sink(with->out), err);
    pith_doc_free(doc);
    return status;
}

static pith_status transfer_whole(transfer *with, pith_error *err)
{
    input *in = with->in;
    progress *line = with->options.progress_ctx;
    if (!input_all(in, line))
        return pump_read_failed(err);
    progress_input(line, in->name, in->len);
    if (with->fit != NULL)
        return transfer_fitting(with, err);
    return pith_convert(with->from->name, with->to->name, in->len > 0 ? in->text : "",
                        in->len, &with->options, output_sink(with->out), err);
}

/* Rows on their way out. */
typedef struct outlet {
    pith_rows *rows;
    output *out;
} outlet;

static pith_status write_row(void *ctx, pith_value row, pith_error *err)
{
    return pith_rows_add_row(((outlet *)ctx)->rows, row, err);
}

/* Sends the rows that are done on their way. */
static pith_status send_rows(void *ctx, pith_error *err)
{
    const outlet *to = ctx;
    pith_status status = pith_rows_flush(to->rows, err);
    return status == PITH_OK && !output_flush(to->out) ? PITH_IO : status;
}

static pith_status transfer_rows(transfer *with, pith_error *err)
{
    pith_options options = with->options;
    progress *line = options.progress_ctx;
    line->interleaved = true;
    options.progress = NULL; /* the pieces are counted here, not the bytes of a row */
    pith_reader *reader = pith_reader_open(with->from->name, &options, err);
    if (reader == NULL)
        return err->status;
    pith_rows *rows =
        pith_rows_open(with->to->name, NULL, 0, &options, output_sink(with->out), err);
    outlet to = {rows, with->out};
    pump moving = {with->in, reader, line, write_row, send_rows, &to};
    pith_status status = rows == NULL ? err->status : pump_rows(&moving, err);
    if (status == PITH_OK) {
        status = pith_rows_close(rows, err);
    } else if (rows != NULL) {
        /* The rows before a bad one are good, and may have left already. */
        pith_rows_flush(rows, NULL);
        pith_rows_abandon(rows);
    }
    pith_reader_free(reader);
    return status;
}

static bool transfer_by_rows(const transfer *with)
{
    return (with->from->streams & PITH_READ) != 0 &&
           (with->to->streams & PITH_WRITE) != 0 && with->fit == NULL;
}

static pith_status transfer_run(transfer *with, pith_error *err)
{
    *err = (pith_error){0};
    return transfer_by_rows(with) ? transfer_rows(with, err) : transfer_whole(with, err);
}

/* --- one job */

/* Says what was done: always when it is not what was asked for, else for --verbose. */
static void tell(session *with, const job *one, const transfer *moving, size_t before)
{
    const input *in = moving->in;
    const pith_outcome *outcome = moving->options.outcome;
    bool verbose = args_has(&with->given, OPTION_VERBOSE);
    bool chosen = strcmp(one->to->name, "auto") == 0;
    if (!chosen && strcmp(outcome->format, one->to->name) != 0) {
        diag_note(&with->errors,
                  "%s: kept as %s, %zu tokens; %s would not take fewer (guard=true)",
                  in->name, outcome->format, outcome->tokens, one->to->name);
    }
    if (chosen && !verbose && isatty(STDERR_FILENO))
        diag_note(&with->errors, "%s: as %s", in->name, outcome->format);
    if (verbose) {
        char tokens[48] = "";
        if (outcome->tokens > 0)
            snprintf(tokens, sizeof tokens, ", %zu tokens", outcome->tokens);
        diag_note(&with->errors, "%s -> %s: %s to %s, %zu to %zu bytes%s", in->name,
                  one->out_path != NULL ? one->out_path : "<stdout>", one->from->name,
                  outcome->format, in->read, moving->out->written - before, tokens);
    }
}

/* What the library wants to be known about one output. */
typedef struct remarks {
    session *with;
    const char *file;
} remarks;

static void pass_remark(void *ctx, const pith_error *remark)
{
    const remarks *of = ctx;
    progress_clear(&of->with->line);
    diag_warning(&of->with->errors, of->file, remark);
}

/* Ends the output; true when all of it is where it belongs. The rows before a bad one are
 * good, and may be on their way already: `partial` says that they stay. */
static bool end_output(session *with, const job *one, output *out, size_t before,
                       pith_status status, bool partial)
{
    if (status == PITH_OK || partial)
        command_end_text(with, out, one->to, before);
    else
        output_discard(out);
    bool kept =
        status == PITH_OK ? output_commit(out) : out->target == NULL && output_flush(out);
    progress_clear(&with->line);
    return status == PITH_OK && kept;
}

/* A conversion by itself. */
static void run_alone(plan *all, const job *one, transfer *moving)
{
    session *with = all->with;
    pith_fit fit = all->tokens.budget;
    pith_error err;
    size_t before = moving->out->written;
    moving->fit = fit.tokens_max > 0 ? &fit : NULL;
    pith_status status = transfer_run(moving, &err);
    bool partial = transfer_by_rows(moving);
    if (!end_output(with, one, moving->out, before, status, partial)) {
        command_report(with, moving->in, moving->out, &err);
        return;
    }
    tell(with, one, moving, before);
    if (moving->fit != NULL)
        token_args_tell(with, moving->in->name, &fit);
}

/* A graph within the conversation that --session names. */
static void run_in_session(plan *all, const job *one, transfer *moving)
{
    session *with = all->with;
    turn within = {.path = with->given.value[OPTION_SESSION], .errors = &with->errors};
    pith_error err;
    size_t before = moving->out->written;
    pith_status status = turn_run(&within, moving, &err);
    if (end_output(with, one, moving->out, before, status, false)) {
        tell(with, one, moving, before);
        turn_keep(&within);
    } else if (!within.said) {
        command_report(with, moving->in, moving->out, &err);
    }
    turn_end(&within);
}

static void run_transfer(plan *all, const job *one, input *in, output *out)
{
    session *with = all->with;
    remarks said = {with, in->name};
    pith_outcome outcome = {.format = one->to->name};
    transfer moving = {
        .in = in,
        .out = out,
        .from = one->from,
        .to = one->to,
        .options = {.vocab = all->tokens.vocab,
                    .read = one->settings.read.data,
                    .write = one->settings.write.data,
                    .depth_max = args_number(&with->given, OPTION_DEPTH),
                    .progress = progress_read,
                    .progress_ctx = &with->line,
                    .notice = pass_remark,
                    .notice_ctx = &said,
                    .outcome = &outcome},
    };
    if (args_has(&with->given, OPTION_SESSION))
        run_in_session(all, one, &moving);
    else
        run_alone(all, one, &moving);
}

/* The content of this input has to tell its format. */
static bool identify(plan *all, job *one, input *in)
{
    one->from = load_format(all->with, in, one->path, LOAD_HINT);
    return one->from != NULL && plan_settle(all, one) && plan_settings_used(all);
}

static void run_job(plan *all, job *one)
{
    session *with = all->with;
    input in;
    if (!input_open(&in, one->path)) {
        input_explain_open(&in, &with->errors);
    } else {
        progress_input(&with->line, in.name, in.size);
        if (one->settled || identify(all, one, &in)) {
            output *out = command_output(with, one->out_path);
            if (out != NULL)
                run_transfer(all, one, &in, out);
            command_drop_output(with, out);
        }
    }
    input_close(&in);
}

static bool may_go_on(const session *with)
{
    return with->errors.exit_code != EXIT_USAGE && with->out.failed == 0 &&
           interrupt_pending() == 0;
}

static void run_convert(session *with)
{
    plan all = {0};
    if (!command_would_wait(with) && plan_make(&all, with))
        for (size_t i = 0; i < all.count && may_go_on(with); i++)
            run_job(&all, &all.jobs[i]);
    progress_stop(&with->line);
    plan_free(&all);
}

const command command_convert = {
    .name = "convert",
    .operands = "[FILE|-]...",
    .takes = OPERAND_FILES,
    .summary = "convert files from one format into another (the command if none is "
               "named)",
    .about = "Reads each FILE and writes it in another format. Without a FILE, or with "
             "'-', it reads standard input. The word 'convert' may be left out, unless "
             "a file is called like a command. An input that is a ZSTD or LZ4 frame is "
             "unpacked first; an output whose name ends in .zst or .lz4 becomes one.\n"
             "Without --from the suffix of the file decides its format, then the "
             "content; for a suffix that several formats share (.gcf, .gcf1, .toon) "
             "the content decides. Without --to the suffix of OUT decides the target; "
             "else json, ndjson, csv and tsv become the cheapest form this build has "
             "for them, and everything else becomes json.\n"
             "A setting goes to the side that knows its word. It may name its format "
             "(json.indent=4) or its side (from.duplicates=last, to.indent=4), and "
             "must when both sides know the word.\n"
             "With --to auto the value is written in each format allowed, the tokens "
             "are counted, and the cheapest wins; among equals, JSON. With --budget "
             "rows are left out until the rest fits; standard error says how many.\n"
             "Several inputs are written one after the other, or, when OUT is a "
             "directory (or ends with '/'), each into a file of its own there. Files "
             "are replaced atomically, after success: a conversion that fails or is "
             "killed leaves the old file as it was, and until then no other user can "
             "read the new one. In a directory where anybody may put files, such as "
             "/tmp, a symbolic link and a file of another user are refused.\n"
             "On a terminal, whatever could steer it, such as an escape sequence in "
             "the data, is shown as <U+001B>. Files and pipes get the bytes as they "
             "are.\n"
             "With --session, graphs written as gcf-graph leave out what earlier ones "
             "with the same STATE have declared, and graphs read from GCF get it back "
             "from STATE. Writer and reader keep a STATE each; it is made when it is "
             "not there, and locked while a turn lasts. A comment says which turn a "
             "text is; one that is read out of order is refused.",
    .examples =
        (const example[]){
            {"pith data.json", "in the cheapest form"},
            {"pith data.json --to ndjson -o data.ndjson", "into a file"},
            {"curl -s URL | pith --set to.indent=2 --to json",
             "from a pipe, for reading"},
            {"pith logs/*.json --to ndjson -o out/", "many files"},
            {"pith rows.json --budget 2000 --keep spread", "what fits into 2000 tokens"},
            {"pith graph.json --to gcf-graph --session chat.state", "a further turn"},
            {NULL, NULL},
        },
    .options =
        (const option_id[]){OPTION_FROM, OPTION_TO, OPTION_SET, OPTION_OUTPUT,
                            OPTION_ALLOW, OPTION_OPTIMIZE, OPTION_BUDGET, OPTION_KEEP,
                            OPTION_TOKENIZER, OPTION_SESSION, OPTION_NO_NEWLINE,
                            OPTION_DEPTH, OPTION_ERRORS, OPTION_COLOR, OPTION_NO_PROGRESS,
                            OPTION_VERBOSE, OPTION_HELP, OPTION_VERSION, OPTION_END},
    .run = run_convert,
};
