/*
 * cmd_pack.c - `pith pack`: rows as parts of at most so many tokens.
 *
 * The rows of all inputs go through the library one after the other, and each part that
 * comes of them is a file in a directory, or a line of NDJSON. Memory is that of two parts.
 */
#include "context.h"
#include "format_args.h"
#include "json_out.h"
#include "load.h"
#include "pump.h"
#include "token_args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct packing {
    context *ctx;
    const pith_format *to;
    pith_vocab *vocab;     /* from --tokenizer; NULL when it was not given */
    const char *directory; /* that parts go to; else NULL, and they go to `out` */
    output *out;
    pith_parts *parts;
    pith_doc *line;  /* of NDJSON */
    uint64_t number; /* of the part before */
    bool complained; /* about a file that could not be written */
} packing;

/* --- a part */

static bool write_file(packing *pack, const pith_part *part)
{
    context *ctx = pack->ctx;
    char name[32];
    snprintf(name, sizeof name, "part-%05llu", (unsigned long long)pack->number);
    char *path = format_path(pack->directory, name, pith_format_find(part->format));
    if (path == NULL) {
        diag_system(&ctx->errors, NULL, "cannot pack", "no_memory", ENOMEM);
        return false;
    }
    output *out = output_for(ctx, path);
    bool fine = out != NULL;
    if (fine) {
        pith_sink sink = output_sink(out);
        fine =
            output_keep(ctx, out, sink.write(sink.ctx, part->text, part->len) == PITH_OK);
        output_drop(ctx, out);
    }
    free(path);
    return fine;
}

static pith_status write_line(packing *pack, const pith_part *part)
{
    pith_doc *doc = pack->line;
    pith_doc_reset(doc);
    pith_doc_open_object(doc);
    json_number(doc, "part", pack->number);
    json_number(doc, "first_row", part->first_row);
    json_number(doc, "rows", part->rows);
    json_number(doc, "tokens", part->tokens);
    json_bool(doc, "too_long", part->too_long);
    json_text(doc, "format", part->format);
    json_key(doc, "text");
    pith_doc_add_text(doc, part->text, part->len);
    pith_doc_close(doc);
    pith_status status = pith_doc_finish(doc, NULL);
    if (status == PITH_OK) {
        status = pith_value_write(pith_doc_root(doc), "json", NULL,
                                  output_sink(pack->out), NULL);
    }
    output_text(pack->out, "\n");
    return status;
}

static pith_status take_part(void *ctx, const pith_part *part)
{
    packing *pack = ctx;
    pack->number++;
    if (part->too_long) {
        progress_clear(&pack->ctx->line);
        diag_note(&pack->ctx->errors,
                  "row %llu alone takes %zu tokens, more than %s; it is part %llu",
                  (unsigned long long)part->first_row + 1, part->tokens,
                  pack->ctx->given.value[OPTION_TOKENS],
                  (unsigned long long)pack->number);
    }
    if (pack->directory == NULL)
        return write_line(pack, part);
    pack->complained = !write_file(pack, part);
    return pack->complained ? PITH_IO : PITH_OK;
}

/* --- the rows */

static pith_status take_row(void *ctx, pith_value row, pith_error *err)
{
    return pith_parts_add_row(((packing *)ctx)->parts, row, err);
}

static void report(packing *pack, const input *in, const pith_error *err)
{
    if (!pack->complained)
        report_failure(pack->ctx, in, pack->out, err);
}

/* Begins the parts, with the settings that the first input leaves to them. */
static pith_status pack_begin(packing *pack, const chosen_settings *settings,
                              pith_error *err)
{
    pith_options options = {.write = settings->write.data, .vocab = pack->vocab};
    if (pack->parts == NULL) {
        pack->parts = pith_parts_open(pack->to->name, NULL, 0,
                                      args_number(&pack->ctx->given, OPTION_TOKENS),
                                      &options, take_part, pack, err);
    }
    return pack->parts == NULL ? err->status : PITH_OK;
}

/* Reads one input to its end. */
static pith_status pack_rows(packing *pack, input *in, const pith_format *from,
                             const chosen_settings *settings, pith_error *err)
{
    context *ctx = pack->ctx;
    remarks said = {ctx, in->name};
    pith_options options = {.read = settings->read.data,
                            .notice = pass_remark,
                            .notice_ctx = &said,
                            .depth_max = args_number(&ctx->given, OPTION_DEPTH),
                            .memory_max =
                                (size_t)args_size(&ctx->given, OPTION_MEMORY_MAX)};
    pith_status status = pack_begin(pack, settings, err);
    if (status != PITH_OK)
        return status;
    pith_reader *reader = pith_reader_open(from->name, &options, err);
    if (reader == NULL)
        return err->status;
    pump rows = {
        .in = in, .reader = reader, .line = &ctx->line, .each = take_row, .ctx = pack};
    status = pump_rows(&rows, err);
    pith_reader_free(reader);
    return status;
}

static bool pack_open_input(packing *pack, input *in, const char *path)
{
    context *ctx = pack->ctx;
    chosen_settings settings = {0};
    pith_error err = {0};
    const pith_format *from = load_format(ctx, in, path, LOAD_HINT);
    bool fine = from != NULL && settings_sort(&settings, ctx, from, pack->to);
    if (fine && pack_rows(pack, in, from, &settings, &err) != PITH_OK) {
        progress_clear(&ctx->line);
        report(pack, in, &err);
        fine = false;
    }
    progress_clear(&ctx->line);
    settings_free(&settings);
    return fine;
}

static bool pack_input(packing *pack, const char *path)
{
    context *ctx = pack->ctx;
    input in;
    bool fine = input_open(&in, path);
    if (fine) {
        progress_input(&ctx->line, in.name, in.size);
        fine = pack_open_input(pack, &in, path);
    } else {
        input_explain_open(&in, &ctx->errors);
    }
    input_close(&in);
    return fine;
}

static bool pack_inputs(packing *pack)
{
    bool fine = true;
    for (size_t i = 0; fine && i < pack->ctx->path_count; i++)
        fine = pack_input(pack, pack->ctx->paths[i]);
    return fine && settings_check_used(pack->ctx);
}

static void pack_all(packing *pack)
{
    pith_error err = {0};
    bool fine = pack_inputs(pack);
    if (fine && pith_parts_close(pack->parts, &err) != PITH_OK) {
        report(pack, NULL, &err);
        fine = false;
    } else if (!fine) {
        pith_parts_abandon(pack->parts);
    }
    if (pack->out != NULL)
        output_keep(pack->ctx, pack->out, fine);
}

/* --- the command line */

static bool pack_output(packing *pack)
{
    const char *path = pack->ctx->given.value[OPTION_OUTPUT];
    if (path != NULL && place_is_directory(path)) {
        pack->directory = path;
        return place_make_directory(path, &pack->ctx->errors);
    }
    pack->out = output_for(pack->ctx, path);
    return pack->out != NULL;
}

static void run_pack(context *ctx)
{
    const char *to = ctx->given.value[OPTION_TO];
    packing pack = {.ctx = ctx};
    if (!args_has(&ctx->given, OPTION_TOKENS)) {
        diag_usage(&ctx->errors, "missing_option", "such as --tokens 8000",
                   "'pack' needs --tokens, the most that a part may have");
        return;
    }
    if (would_wait(ctx))
        return;
    pack.to = format_named(ctx, to == NULL ? "auto" : to, PITH_WRITE);
    pack.line = pith_doc_new(NULL);
    if (pack.line == NULL)
        diag_system(&ctx->errors, NULL, "cannot pack", "no_memory", ENOMEM);
    else if (pack.to != NULL && token_args_read(&pack.vocab, ctx) && pack_output(&pack))
        pack_all(&pack);
    output_drop(ctx, pack.out);
    pith_doc_free(pack.line);
    pith_vocab_free(pack.vocab);
}

const command command_pack = {
    .name = "pack",
    .operands = "[FILE|-]...",
    .takes = OPERAND_FILES,
    .summary = "cut rows into parts of at most so many tokens",
    .about =
        "Writes the rows of all FILEs as parts that take at most --tokens each, for "
        "prompts of a certain size. Each part is a whole table in the format that --to "
        "names, with its own header and counts; without --to it is the cheapest one for "
        "that part. Rows are the elements of an array, or the lines of NDJSON or CSV; "
        "there may be any number of them, for memory does not grow.\n"
        "With -o and a directory (one that ends with '/' is made) the parts are files "
        "there, part-00001 and so on, with the suffix of their format. Else each is a "
        "line of NDJSON with its number, first_row (from 0), rows, tokens, format and "
        "text.\n"
        "A row that takes more than --tokens alone is a part of its own, and a remark, "
        "and too_long in NDJSON, says so. Parts that were written before a failure stay.",
    .examples = EXAMPLES(
        {"pith pack --tokens 8000 -o parts/ orders.ndjson", "parts/part-00001.gcf ..."},
        {"pith pack --tokens 8000 --to toon orders.csv", "NDJSON, one part a line"}),
    .options = OPTIONS(OPTION_TOKENS, OPTION_FROM, OPTION_TO, OPTION_SET, OPTION_AT,
                       OPTION_ROWS, OPTION_FIELDS, OPTION_DROP, OPTION_DROP_NULL,
                       OPTION_BAD, OPTION_OUTPUT, OPTION_TOKENIZER, OPTION_DEPTH,
                       OPTION_MEMORY_MAX, OPTION_ERRORS, OPTION_COLOR, OPTION_NO_PROGRESS,
                       OPTION_QUIET, OPTION_HELP, OPTION_VERSION),
    .run = run_pack,
};
