/*
 * load.c - a whole input as a document.
 */
#include "load.h"

#include "choose.h"

const pith_format *load_format(session *with, input *in, const char *path,
                               const char *hint)
{
    const char *name = with->given.value[OPTION_FROM];
    if (name != NULL)
        return choose_named(with, name, PITH_READ);
    const pith_format *format = input_format(in, path, &with->line);
    progress_clear(&with->line);
    if (format != NULL)
        return choose_named(with, format->name, PITH_READ);
    if (in->failed != 0)
        input_explain(in, &with->errors);
    else
        diag_unknown_format(&with->errors, in->name, hint);
    return NULL;
}

static bool parse(session *with, const chosen_settings *settings, loaded *into)
{
    input *in = &into->in;
    pith_error err;
    pith_options options = {
        .read = settings->read.data,
        .depth_max = args_number(&with->given, OPTION_DEPTH),
        .progress = progress_read,
        .progress_ctx = &with->line,
    };
    progress_input(&with->line, in->name, in->len);
    into->doc = pith_doc_parse(into->format->name, in->len > 0 ? in->text : "", in->len,
                               &options, &err);
    progress_clear(&with->line);
    if (into->doc == NULL) {
        source from = {in->text, in->len, 0};
        diag_problem(&with->errors, in->name, &err, &from);
    }
    return into->doc != NULL;
}

bool load_text(session *with, input *in, const char *path, load_open *open)
{
    if (!open(in, path)) {
        input_explain_open(in, &with->errors);
        return false;
    }
    progress_input(&with->line, in->name, in->size);
    bool done = input_all(in, &with->line);
    if (!done) {
        progress_clear(&with->line);
        input_explain(in, &with->errors);
    }
    return done;
}

bool load_document(session *with, const char *path, loaded *into)
{
    *into = (loaded){.format = NULL};
    chosen_settings settings = {0};
    bool done = false;
    if (load_text(with, &into->in, path, input_open_soon)) {
        into->format = load_format(with, &into->in, path, LOAD_HINT);
        done = into->format != NULL &&
               choose_settings(&settings, with, into->format, NULL) &&
               parse(with, &settings, into);
    }
    choose_free(&settings);
    return done;
}

void load_free(loaded *document)
{
    pith_doc_free(document->doc);
    input_close(&document->in);
    document->doc = NULL;
}
