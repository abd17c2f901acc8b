/*
 * cmd_convert.c - `pith convert`: files from one format into another.
 *
 * convert_jobs.c has decided what becomes of each input; here the jobs run one after the
 * other. A job that fails does not stop the others, unless it is the command line
 * that is wrong, standard output is closed, or a signal came.
 *
 * Where the one format can be read and the other written row by row, the input passes
 * through in pieces. Before a read that may have to wait, what has been written is sent
 * on its way: rows leave a pipe as they enter it. All other conversions read the whole
 * input first.
 */
#include "context.h"
#include "convert_jobs.h"
#include "graph_session.h"
#include "interrupt.h"
#include "load.h"
#include "merge.h"
#include "preamble.h"
#include "pump.h"
#include "token_args.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- one input through the library into one output */

static pith_status convert_whole(conversion *ctx, pith_error *err)
{
    input *in = ctx->in;
    progress *line = ctx->options.progress_ctx;
    if (!input_all(in, line))
        return pump_read_failed(err);
    input_set_limits(in, &ctx->options);
    progress_input(line, in->name, in->len);
    const char *text = in->len > 0 ? in->text : "";
    if (ctx->taken != NULL) {
        pith_sink taken = pith_counter_sink(ctx->taken);
        size_t before;
        pith_counter_total(ctx->taken, &before, NULL); /* a try before this one */
        taken.write(taken.ctx, text, in->len);         /* its failures stick */
    }
    pith_status status = pith_convert(ctx->from->name, ctx->to->name, text, in->len,
                                      &ctx->options, ctx->sink, err);
    if (status == PITH_UNREPRESENTABLE && ctx->to->lines &&
        strcmp(err->code, "not_an_array") == 0) { /* one value is one line */
        status = pith_convert(ctx->from->name, "json", text, in->len, &ctx->options,
                              ctx->sink, err);
        ctx->options.outcome->format = ctx->to->name;
    }
    return status;
}

/* Rows on their way out. */
typedef struct outlet {
    const conversion *conv;
    const pith_options *options;
    pith_rows *rows; /* NULL before the first */
} outlet;

static pith_status open_rows(outlet *to, const pith_text *columns, size_t count,
                             pith_error *err)
{
    const conversion *conv = to->conv;
    to->rows =
        pith_rows_open(conv->to->name, columns, count, to->options, conv->sink, err);
    return to->rows != NULL ? PITH_OK : err->status;
}

static pith_status write_row(void *ctx, pith_value row, pith_error *err)
{
    outlet *to = ctx;
    pith_status status = to->rows == NULL ? open_rows(to, NULL, 0, err) : PITH_OK;
    return status == PITH_OK ? pith_rows_add_row(to->rows, row, err) : status;
}

/* A table without a row still has the columns of its header. */
static pith_status open_empty(outlet *to, pith_reader *reader, pith_error *err)
{
    size_t count = pith_reader_columns(reader, NULL, 0);
    pith_text *columns = count > 0 ? calloc(count, sizeof *columns) : NULL;
    if (count > 0 && columns == NULL)
        return error_no_memory(err);
    pith_reader_columns(reader, columns, count);
    pith_status status = open_rows(to, columns, count, err);
    free(columns);
    return status;
}

/* Sends the rows that are done on their way. */
static pith_status send_rows(void *ctx, pith_error *err)
{
    const outlet *to = ctx;
    pith_status status = to->rows == NULL ? PITH_OK : pith_rows_flush(to->rows, err);
    return status == PITH_OK && !output_flush(to->conv->out) ? PITH_IO : status;
}

static pith_status convert_rows(conversion *ctx, pith_error *err)
{
    pith_options options = ctx->options;
    progress *line = options.progress_ctx;
    line->interleaved = true;
    options.progress = NULL; /* the pieces are counted here, not the bytes of a row */
    pith_reader *reader = pith_reader_open(ctx->from->name, &options, err);
    if (reader == NULL)
        return err->status;
    outlet to = {ctx, &options, NULL};
    pump conv = {.in = ctx->in,
                 .reader = reader,
                 .line = line,
                 .each = write_row,
                 .idle = send_rows,
                 .ctx = &to};
    if (ctx->taken != NULL)
        conv.seen = pith_counter_sink(ctx->taken);
    pith_status status = pump_rows(&conv, err);
    if (status == PITH_OK && to.rows == NULL)
        status = open_empty(&to, reader, err);
    if (status == PITH_OK) {
        status = pith_rows_close(to.rows, err);
    } else if (to.rows != NULL) {
        /* The rows before a bad one are good, and may have left already. */
        pith_rows_flush(to.rows, NULL);
        pith_rows_abandon(to.rows);
    }
    pith_reader_free(reader);
    return status;
}

/* Whether --at names one row by its number: then the value is no array of rows. */
static bool takes_one_row(const conversion *ctx)
{
    const char *words = ctx->options.read != NULL ? ctx->options.read : "";
    const char *at = strncmp(words, "at=", 3) == 0 ? words : strstr(words, " at=");
    if (at == NULL)
        return false;
    at = strchr(at, '=') + 1;
    at += strspn(at, "\"/.["); /* what may stand before the first step */
    return *at >= '0' && *at <= '9';
}

/* Whether the header needs all rows: absent=union takes the fields of each. */
static bool needs_all_rows(const conversion *ctx)
{
    return ctx->options.write != NULL &&
           strstr(ctx->options.write, "absent=union") != NULL;
}

static bool comes_by_rows(const conversion *ctx)
{
    return !takes_one_row(ctx) && !needs_all_rows(ctx) &&
           (ctx->stream || (ctx->from->streams & PITH_READ) != 0);
}

static bool goes_by_rows(const conversion *ctx)
{
    return comes_by_rows(ctx) &&
           (ctx->budget > 0 ? ctx->in_pieces : (ctx->to->streams & PITH_WRITE) != 0);
}

/* --- a budget */

/* No token is longer. */
enum { TOKEN_BYTES = 128 };

/* Whether the input is longer than any text of so many tokens. Then it is read in pieces, and
 * the library keeps no more of its rows than could fit. */
static bool is_beyond(input *in, size_t tokens)
{
    size_t most = tokens < SIZE_MAX / TOKEN_BYTES ? tokens * TOKEN_BYTES : SIZE_MAX;
    while (!in->ended && in->len <= most)
        if (!input_more(in))
            return false;
    return in->len > most;
}

/* Converts into at most that many tokens. */
static pith_status convert_into(conversion *ctx, size_t budget, pith_error *err)
{
    pith_buffer words = {0};
    const char *before = ctx->options.write;
    pith_sink into = pith_sink_buffer(&words);
    bool fine = before == NULL || into.write(into.ctx, before, strlen(before)) == PITH_OK;
    if (!fine || !token_args_budget(budget, &words)) {
        pith_buffer_free(&words);
        return error_no_memory(err);
    }
    ctx->options.write = words.data;
    pith_status status =
        goes_by_rows(ctx) ? convert_rows(ctx, err) : convert_whole(ctx, err);
    ctx->options.write = before;
    pith_buffer_free(&words);
    return status;
}

static bool is_exceeded(pith_status status, const pith_error *err)
{
    return status == PITH_LIMIT && strcmp(err->code, "budget_exceeded") == 0;
}

/* Says what the other inputs have to do with it. */
static void explain_share(const convert_jobs *jobs, pith_error *err)
{
    size_t len = strlen(err->message);
    if (jobs->used > 0)
        snprintf(err->message + len, sizeof err->message - len,
                 "; the inputs before took %zu of %zu tokens", jobs->used, jobs->budget);
}

/* Converts within what is left for all inputs. One that needs more than its part may take
 * from those that follow. */
static pith_status convert_within(convert_jobs *jobs, conversion *ctx, pith_error *err)
{
    size_t left = jobs->budget - jobs->used;
    if (left == 0)
        return error_set(err, PITH_LIMIT, "budget_exceeded",
                         "the inputs before took all %zu tokens of the budget",
                         jobs->budget);
    ctx->in_pieces = comes_by_rows(ctx) && is_beyond(ctx->in, left);
    pith_status status = convert_into(ctx, ctx->budget, err);
    while (is_exceeded(status, err) && ctx->budget < left && !ctx->in_pieces) {
        ctx->budget = ctx->budget < left / 2 ? 2 * ctx->budget : left;
        status = convert_into(ctx, ctx->budget, err);
    }
    if (status == PITH_OK)
        jobs->used += ctx->options.outcome->tokens;
    else if (is_exceeded(status, err))
        explain_share(jobs, err);
    return status;
}

/* Asks for the tokens of both sides, where they are told. What is no text has none. */
static pith_status count_sides(conversion *conv, pith_error *err)
{
    if (conv->given != NULL &&
        (pith_counter_total(conv->taken, &conv->tokens_taken, NULL) == PITH_NO_MEMORY ||
         pith_counter_total(conv->given, &conv->tokens_given, NULL) == PITH_NO_MEMORY))
        return error_no_memory(err);
    return PITH_OK;
}

static pith_status convert_input(convert_jobs *jobs, conversion *ctx, pith_error *err)
{
    *err = (pith_error){0};
    if (args_has(&jobs->ctx->given, OPTION_VERBOSE) && ctx->given == NULL)
        return error_no_memory(err);
    pith_status status = jobs->budget > 0    ? convert_within(jobs, ctx, err)
                         : goes_by_rows(ctx) ? convert_rows(ctx, err)
                                             : convert_whole(ctx, err);
    return status == PITH_OK ? count_sides(ctx, err) : status;
}

/* --- one job */

/* --- the tokens on both sides, for --verbose */

/* Counts what is written. */
typedef struct counted_sink {
    pith_sink to;
    pith_sink counter;
} counted_sink;

static pith_status write_counted(void *ctx, const char *data, size_t len)
{
    counted_sink *both = ctx;
    pith_status status = both->counter.write(both->counter.ctx, data, len);
    return status == PITH_NO_MEMORY ? status : both->to.write(both->to.ctx, data, len);
}

/* "18594 to 4581 tokens (-75.4%)"; empty where one side is no text. */
static void describe_tokens(const convert_job *job, const conversion *conv,
                            const pith_vocab *vocab, char *into, size_t size)
{
    size_t taken = conv->tokens_taken;
    size_t given = conv->tokens_given;
    const char *guess = vocab != NULL && !pith_vocab_describe(vocab).exact ? "~" : "";
    into[0] = '\0';
    if (conv->given == NULL || job->from->binary || job->to->binary)
        return;
    if (taken == 0) { /* of a session, say, which reads in its own way */
        snprintf(into, size, ", %s%zu tokens", guess, given);
        return;
    }
    int len = snprintf(into, size, ", %s%zu to %s%zu tokens", guess, taken, guess, given);
    if (len > 0 && (size_t)len < size)
        snprintf(into + len, size - (size_t)len, " (%+.1f%%)",
                 100 * ((double)given - (double)taken) / (double)taken);
}

/* Says what was done: always when it is not what was asked for, else for --verbose. */
static void tell(context *ctx, const convert_job *job, const conversion *conv,
                 size_t before)
{
    const pith_vocab *vocab = conv->options.vocab;
    const input *in = conv->in;
    const pith_outcome *outcome = conv->options.outcome;
    bool verbose = args_has(&ctx->given, OPTION_VERBOSE);
    bool chosen = job->to->chooses;
    if (!chosen && strcmp(outcome->format, job->to->name) != 0) {
        diag_note(&ctx->errors,
                  "%s: kept as %s, %s%zu tokens; %s would not take fewer (guard=true)",
                  in->name, outcome->format,
                  vocab != NULL && !pith_vocab_describe(vocab).exact ? "~" : "",
                  outcome->tokens, job->to->name);
    }
    if (chosen && !verbose && isatty(STDERR_FILENO))
        diag_note(&ctx->errors, "%s: as %s", in->name, outcome->format);
    if (verbose) {
        char tokens[96];
        describe_tokens(job, conv, vocab, tokens, sizeof tokens);
        diag_note(&ctx->errors, "%s -> %s: %s to %s, %zu to %zu bytes%s", in->name,
                  job->out_path != NULL ? job->out_path : "<stdout>", job->from->name,
                  outcome->format, in->read, conv->out->written - before, tokens);
    }
}

/* Ends the output; true when all of it is where it belongs. The rows before a bad one are
 * good, and may be on their way already: `partial` says that they stay. */
static bool end_output(context *ctx, const convert_job *job, output *out, size_t before,
                       pith_status status, bool partial)
{
    if (status == PITH_OK || partial)
        output_end_text(ctx, out, job->to, before);
    else
        output_discard(out);
    bool kept =
        status == PITH_OK ? output_commit(out) : out->target == NULL && output_flush(out);
    progress_clear(&ctx->line);
    return status == PITH_OK && kept;
}

/* A conversion by itself. */
static void run_alone(convert_jobs *jobs, const convert_job *job, conversion *conv)
{
    context *ctx = jobs->ctx;
    pith_error err;
    size_t before = conv->out->written;
    pith_status status = convert_input(jobs, conv, &err);
    bool partial = goes_by_rows(conv);
    if (!end_output(ctx, job, conv->out, before, status, partial)) {
        report_failure(ctx, conv->in, conv->out, &err);
        return;
    }
    tell(ctx, job, conv, before);
}

/* --- a text that is held before it leaves */

/* Puts the legend of --preamble before the text. */
static pith_status explain_text(const conversion *conv, pith_buffer *text,
                                pith_error *err)
{
    pith_buffer whole = {0};
    pith_sink into = pith_sink_buffer(&whole);
    const char *format = conv->options.outcome->format;
    bool fine = preamble_of(format, text->len > 0 ? text->data : "", text->len, &whole) &&
                into.write(into.ctx, text->data, text->len) == PITH_OK;
    pith_buffer_free(text);
    *text = whole;
    return fine ? PITH_OK : error_no_memory(err);
}

static pith_status count_text(const convert_jobs *jobs, const pith_buffer *text,
                              size_t *tokens, pith_error *err)
{
    pith_counter *counter = pith_counter_new(jobs->vocab, NULL);
    if (counter == NULL)
        return error_no_memory(err);
    pith_sink sink = pith_counter_sink(counter);
    sink.write(sink.ctx, text->data, text->len);
    pith_status status = pith_counter_total(counter, tokens, err);
    pith_counter_free(counter);
    return status;
}

/* What a try says is told when it was the last. */
typedef struct held_remarks {
    pith_error list[8];
    size_t count;
} held_remarks;

static void hold_remark(void *ctx, const pith_error *remark)
{
    held_remarks *held = ctx;
    if (held->count < sizeof held->list / sizeof held->list[0])
        held->list[held->count++] = *remark;
}

/* Says that the legend is in the way, not the inputs before. */
static void explain_legend(pith_error *err, size_t kept)
{
    char *before = strstr(err->message, "; the inputs before");
    size_t len = before != NULL ? (size_t)(before - err->message) : strlen(err->message);
    snprintf(err->message + len, sizeof err->message - len,
             "; its legend takes %zu tokens", kept);
}

/* Converts and explains. Under a budget room is kept for the legend: how much it takes shows
 * when there is a text, so that is done again until both fit. */
static pith_status try_explained(convert_jobs *jobs, conversion *conv, held_remarks *held,
                                 pith_buffer *text, pith_error *err)
{
    enum { TRIES = 8 };
    size_t before = jobs->used;
    size_t share = conv->budget;
    size_t kept = 0;
    size_t tokens = 0;
    pith_status status = PITH_OK;
    for (int tries = 0; tries < TRIES; tries++) {
        text->len = 0;
        held->count = 0;
        jobs->used = before + kept;
        if (jobs->budget > 0 && jobs->used >= jobs->budget)
            break;
        conv->budget = share > kept ? share - kept : share > 0 ? 1 : 0;
        status = convert_input(jobs, conv, err);
        size_t alone = conv->options.outcome->tokens;
        if (status == PITH_OK)
            status = explain_text(conv, text, err);
        if (is_exceeded(status, err) && kept > 0)
            explain_legend(err, kept);
        if (status != PITH_OK || jobs->budget == 0)
            return status;
        status = count_text(jobs, text, &tokens, err);
        if (status != PITH_OK || before + tokens <= jobs->budget) {
            jobs->used = before + tokens;
            return status;
        }
        kept = tokens - alone > kept ? tokens - alone : kept + 1;
    }
    return error_set(err, PITH_LIMIT, "budget_exceeded",
                     "the legend of the notation takes %zu tokens, and %zu of the budget "
                     "are left",
                     kept, jobs->budget - before);
}

static pith_status convert_explained(convert_jobs *jobs, conversion *conv,
                                     pith_buffer *text, pith_error *err)
{
    held_remarks held = {.count = 0};
    pith_options *options = &conv->options;
    void (*notice)(void *, const pith_error *) = options->notice;
    void *ctx = options->notice_ctx;
    options->notice = hold_remark;
    options->notice_ctx = &held;
    pith_status status = try_explained(jobs, conv, &held, text, err);
    options->notice = notice;
    options->notice_ctx = ctx;
    for (size_t i = 0; i < held.count; i++)
        notice(ctx, &held.list[i]);
    return status;
}

/* A conversion whose file is named when its format is known, or whose text is explained. */
static void run_held(convert_jobs *jobs, convert_job *job, conversion *conv)
{
    context *ctx = jobs->ctx;
    pith_buffer text = {0};
    pith_error err = {0};
    bool late = conv->out == NULL;
    bool explains = args_has(&ctx->given, OPTION_PREAMBLE);
    conv->sink = pith_sink_buffer(&text);
    pith_status status = explains ? convert_explained(jobs, conv, &text, &err)
                                  : convert_input(jobs, conv, &err);
    if (status == PITH_OK && conv->given != NULL) {
        pith_sink given = pith_counter_sink(conv->given);
        given.write(given.ctx, text.data, text.len);
        if (pith_counter_total(conv->given, &conv->tokens_given, NULL) == PITH_NO_MEMORY)
            status = error_no_memory(&err);
    }
    if (status != PITH_OK) {
        progress_clear(&ctx->line);
        report_failure(ctx, conv->in, NULL, &err);
    } else if (!late || job_name(jobs, job, conv->options.outcome->format)) {
        conv->out = late ? output_for(ctx, job->out_path) : conv->out;
        if (conv->out != NULL) {
            pith_sink sink = output_sink(conv->out);
            size_t before = conv->out->written;
            sink.write(sink.ctx, text.data, text.len);
            if (end_output(ctx, job, conv->out, before, PITH_OK, false))
                tell(ctx, job, conv, before);
            else
                report_failure(ctx, conv->in, conv->out, &err);
            if (late)
                output_drop(ctx, conv->out);
        }
    }
    pith_buffer_free(&text);
}

/* A graph within the conversation that --session names. */
static void run_in_session(convert_jobs *jobs, const convert_job *job, conversion *conv)
{
    context *ctx = jobs->ctx;
    graph_session gs = {.path = ctx->given.value[OPTION_SESSION], .errors = &ctx->errors};
    pith_error err;
    size_t before = conv->out->written;
    pith_status status = graph_session_run(&gs, conv, &err);
    if (status == PITH_OK)
        status = count_sides(conv, &err);
    if (end_output(ctx, job, conv->out, before, status, false)) {
        tell(ctx, job, conv, before);
        graph_session_keep(&gs);
    } else if (!gs.reported) {
        report_failure(ctx, conv->in, conv->out, &err);
    }
    graph_session_end(&gs);
}

static void run_conversion(convert_jobs *jobs, convert_job *job, input *in, output *out)
{
    context *ctx = jobs->ctx;
    remarks said = {ctx, in->name};
    pith_outcome outcome = {.format = job->to->name};
    conversion conv = {
        .in = in,
        .out = out,
        .sink = out != NULL ? output_sink(out) : (pith_sink){0},
        .from = job->from,
        .to = job->to,
        .stream = args_has(&ctx->given, OPTION_STREAM),
        .options = {.vocab = jobs->vocab,
                    .read = job->settings.read.data,
                    .write = job->settings.write.data,
                    .depth_max = args_number(&ctx->given, OPTION_DEPTH),
                    .memory_max = in->memory_max,
                    .output_max = (size_t)args_size(&ctx->given, OPTION_OUTPUT_MAX),
                    .progress = progress_read,
                    .progress_ctx = &ctx->line,
                    .notice = pass_remark,
                    .notice_ctx = &said,
                    .outcome = &outcome},
        .budget = jobs->budget > 0 ? job_share(jobs, job) : 0,
    };
    counted_sink both = {.to = conv.sink};
    if (args_has(&ctx->given, OPTION_VERBOSE)) {
        conv.taken = pith_counter_new(jobs->vocab, NULL);
        conv.given = conv.taken != NULL ? pith_counter_new(jobs->vocab, NULL) : NULL;
    }
    bool explains = args_has(&ctx->given, OPTION_PREAMBLE);
    if (conv.given != NULL && out != NULL && !explains) {
        both.counter = pith_counter_sink(conv.given);
        conv.sink = (pith_sink){write_counted, &both};
    }
    if (out == NULL || explains)
        run_held(jobs, job, &conv);
    else if (args_has(&ctx->given, OPTION_SESSION))
        run_in_session(jobs, job, &conv);
    else
        run_alone(jobs, job, &conv);
    pith_counter_free(conv.taken);
    pith_counter_free(conv.given);
}

/* The format of this input depends on its content. */
static bool identify(convert_jobs *jobs, convert_job *job, input *in)
{
    job->from = load_format(jobs->ctx, in, job->path, LOAD_HINT);
    return job->from != NULL && job_settle(jobs, job) && jobs_settings_used(jobs);
}

static void run_job(convert_jobs *jobs, convert_job *job)
{
    context *ctx = jobs->ctx;
    input in;
    if (!input_open(&in, job->path)) {
        input_explain_open(&in, &ctx->errors);
    } else {
        in.memory_max = (size_t)args_size(&ctx->given, OPTION_MEMORY_MAX);
        progress_input(&ctx->line, in.name, in.size);
        if (job->settled || identify(jobs, job, &in)) {
            bool late = job_is_named_late(jobs, job);
            output *out = late ? NULL : output_for(ctx, job->out_path);
            if (out != NULL || late)
                run_conversion(jobs, job, &in, out);
            output_drop(ctx, out);
        }
    }
    input_close(&in);
}

static bool may_go_on(const context *ctx)
{
    return ctx->errors.exit_code != EXIT_USAGE && ctx->out.failed == 0 &&
           interrupt_pending() == 0;
}

static void run_convert(context *ctx)
{
    convert_jobs jobs = {0};
    bool made = !would_wait(ctx) && jobs_make(&jobs, ctx);
    if (made && jobs.merge)
        merge_run(&jobs, identify);
    else if (made)
        for (size_t i = 0; i < jobs.count && may_go_on(ctx); i++)
            run_job(&jobs, &jobs.list[i]);
    progress_stop(&ctx->line);
    jobs_free(&jobs);
}

const command command_convert = {
    .name = "convert",
    .operands = "[FILE|-]...",
    .takes = OPERAND_FILES,
    .summary = "convert files from one format into another (the command if none is "
               "named)",
    .about = "Reads each FILE and writes it in another format. Without a FILE, or with "
             "'-', it reads standard input. The word 'convert' may be left out, unless "
             "a file is called like a command. An input compressed with gzip, ZSTD or "
             "LZ4 is unpacked first; an output whose name ends in .gz, .zst or .lz4 is "
             "compressed. UTF-16 is made UTF-8.\n"
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
             "rows are left out until the rest fits; standard error says how many. "
             "Several inputs share the budget by their sizes.\n"
             "With --preamble the text begins with lines that explain to a model what it "
             "uses of its notation; they count for the budget. Such a text is for a "
             "prompt, and pith does not read it back.\n"
             "With --from answer the data in the answer of a model is found and read, "
             "though it is not quite right; a warning tells of every mend.\n"
             "Several inputs are written one after the other, or, when OUT is a "
             "directory (or ends with '/'), each into a file of its own there. With "
             "--merge their rows become one table, with the fields of all. Files "
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
    .examples = EXAMPLES(
        {"pith data.json", "in the cheapest form"},
        {"pith data.json --to ndjson -o data.ndjson", "into a file"},
        {"curl -s URL | pith --set to.indent=2 --to json", "from a pipe, for reading"},
        {"pith logs/*.json --to ndjson -o out/", "many files"},
        {"pith jan.csv feb.csv --merge -o both.csv", "several files into one table"},
        {"pith issues.json --at items --drop '*_url,node_id'", "without what only costs"},
        {"pith reply.txt --from answer --to json --mend all", "what a model answered"},
        {"pith rows.json --budget 2000 --keep spread", "what fits into 2000 tokens"},
        {"pith graph.json --to gcf-graph --session chat.state", "a further turn"}),
    .options = OPTIONS(
        OPTION_FROM, OPTION_TO, OPTION_SET, OPTION_OUTPUT, OPTION_MERGE, OPTION_AT,
        OPTION_ROWS, OPTION_FIELDS, OPTION_DROP, OPTION_DROP_NULL, OPTION_BAD,
        OPTION_PICK, OPTION_MEND, OPTION_STRICT_EXIT, OPTION_STREAM, OPTION_ALLOW,
        OPTION_DENSE, OPTION_OPTIMIZE, OPTION_BUDGET, OPTION_KEEP, OPTION_CLIP,
        OPTION_NOTE, OPTION_PREAMBLE, OPTION_TOKENIZER, OPTION_SESSION, OPTION_NO_NEWLINE,
        OPTION_DEPTH, OPTION_MEMORY_MAX, OPTION_OUTPUT_MAX, OPTION_ERRORS, OPTION_COLOR,
        OPTION_NO_PROGRESS, OPTION_QUIET, OPTION_VERBOSE, OPTION_HELP, OPTION_VERSION),
    .run = run_convert,
};
