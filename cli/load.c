/*
 * load.c - a whole input, as text or as a document.
 */
#define _POSIX_C_SOURCE 200809L

#include "load.h"

#include "format_args.h"
#include "hints.h"

#include <stdlib.h>
#include <string.h>

const pith_format *load_format(context *ctx, input *in, const char *path,
                               const char *hint)
{
    const char *name = ctx->given.value[OPTION_FROM];
    if (name != NULL)
        return format_named(ctx, name, PITH_READ);
    const pith_format *format = input_format(in, path, &ctx->line);
    progress_clear(&ctx->line);
    const foreign *is = hint_foreign(path, in->len > 0 ? in->text : "", in->len);
    if (format != NULL && (is == NULL || suffix_of(path).formats > 0))
        return format_named(ctx, format->name, PITH_READ);
    const char *other = in->len > 0 ? hint_text(in->text, in->len) : NULL;
    if (in->failed != 0)
        input_explain(in, &ctx->errors);
    else if (is != NULL)
        diag_foreign(&ctx->errors, in->name, is->what, is->way_out);
    else
        diag_unknown_format(&ctx->errors, in->name, other != NULL ? other : hint);
    return NULL;
}

static bool parse(context *ctx, const chosen_settings *settings, loaded *into)
{
    input *in = &into->in;
    pith_error err;
    remarks said = {ctx, in->name};
    pith_options options = {
        .read = settings->read.data,
        .depth_max = args_number(&ctx->given, OPTION_DEPTH),
        .memory_max = in->memory_max,
        .progress = progress_read,
        .progress_ctx = &ctx->line,
        .notice = pass_remark,
        .notice_ctx = &said,
    };
    progress_input(&ctx->line, in->name, in->len);
    into->doc = pith_doc_parse(into->format->name, in->len > 0 ? in->text : "", in->len,
                               &options, &err);
    progress_clear(&ctx->line);
    if (into->doc == NULL) {
        source from = {in->text, in->len, 0};
        diag_problem(&ctx->errors, in->name, &err, &from);
    }
    return into->doc != NULL;
}

bool load_text(context *ctx, input *in, const char *path, load_open *open)
{
    if (!open(in, path)) {
        input_explain_open(in, &ctx->errors);
        return false;
    }
    in->memory_max = (size_t)args_size(&ctx->given, OPTION_MEMORY_MAX);
    progress_input(&ctx->line, in->name, in->size);
    bool done = input_all(in, &ctx->line);
    if (!done) {
        progress_clear(&ctx->line);
        input_explain(in, &ctx->errors);
    }
    return done;
}

bool load_document(context *ctx, const char *path, loaded *into)
{
    *into = (loaded){.format = NULL};
    chosen_settings settings = {0};
    bool done = false;
    if (load_text(ctx, &into->in, path, input_open_soon)) {
        into->format = load_format(ctx, &into->in, path, LOAD_HINT);
        done = into->format != NULL &&
               settings_sort(&settings, ctx, into->format, NULL) &&
               parse(ctx, &settings, into);
    }
    settings_free(&settings);
    return done;
}

void load_report(const loaded *file, context *ctx, const pith_error *err)
{
    progress_clear(&ctx->line);
    if (err->status == PITH_BAD_USE && strcmp(err->code, "missing_key") == 0) {
        diag_usage(&ctx->errors, err->code, "--key names it", "%s: %s", file->in.name,
                   err->message);
    } else {
        source from = {file->in.text, file->in.len, 0};
        diag_problem(&ctx->errors, file->in.name, err, err->line > 0 ? &from : NULL);
    }
}

/* A full answer of GCF names its key itself. False when out of memory. */
static bool find_own_key(loaded *into, pith_error *err)
{
    const input *in = &into->in;
    pith_delta_info info;
    pith_status status = pith_delta_look(in->text, in->len, &info, err);
    if (status != PITH_OK || info.kind != PITH_DELTA_FULL || info.key.len == 0)
        return status != PITH_NO_MEMORY;
    into->answer = info.root.len > 0;
    into->own_key = strndup(info.key.ptr, info.key.len);
    if (into->own_key == NULL)
        error_no_memory(err);
    return into->own_key != NULL;
}

static bool find_key(loaded *into, context *ctx)
{
    pith_error err;
    if (!find_own_key(into, &err)) {
        load_report(into, ctx, &err);
        return false;
    }
    const char *given = ctx->given.value[OPTION_KEY];
    into->key = given != NULL ? given : into->own_key;
    return true;
}

bool load_snapshot(context *ctx, const char *path, loaded *into)
{
    return load_document(ctx, path, into) && find_key(into, ctx);
}

void load_free(loaded *file)
{
    pith_doc_free(file->doc);
    free(file->own_key);
    if (file->in.name != NULL)
        input_close(&file->in);
    *file = (loaded){.format = NULL};
}
