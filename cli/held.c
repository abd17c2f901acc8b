/*
 * held.c - a file read into a document, for the commands that work on snapshots.
 */
#define _POSIX_C_SOURCE 200809L

#include "held.h"

#include "load.h"

#include <stdlib.h>
#include <string.h>

void held_report(const held *one, session *with, const pith_error *err)
{
    progress_clear(&with->line);
    if (err->status == PITH_BAD_USE && strcmp(err->code, "missing_key") == 0) {
        diag_usage(&with->errors, err->code, "--key names it", "%s: %s", one->in.name,
                   err->message);
    } else {
        source from = {one->in.text, one->in.len, 0};
        diag_problem(&with->errors, one->in.name, err, err->line > 0 ? &from : NULL);
    }
}

bool held_read_text(held *into, session *with, const char *path)
{
    bool whole = load_text(with, &into->in, path, input_open_soon);
    progress_clear(&with->line);
    return whole;
}

/* A full answer of GCF names its key itself. False when out of memory. */
static bool find_own_key(held *into, pith_error *err)
{
    const input *in = &into->in;
    pith_answer_info info;
    if (strcmp(into->format->name, "gcf") != 0)
        return true;
    pith_status status = pith_answer_look(in->text, in->len, &info, err);
    if (status != PITH_OK || info.kind != PITH_ANSWER_FULL || info.key.len == 0)
        return status != PITH_NO_MEMORY;
    into->answer = info.root.len > 0;
    into->own_key = strndup(info.key.ptr, info.key.len);
    if (into->own_key == NULL)
        error_no_memory(err);
    return into->own_key != NULL;
}

static bool find_key(held *into, session *with)
{
    pith_error err;
    if (!find_own_key(into, &err)) {
        held_report(into, with, &err);
        return false;
    }
    const char *given = with->given.value[OPTION_KEY];
    into->key = given != NULL ? given : into->own_key;
    return true;
}

bool held_open(held *into, session *with, const char *path)
{
    loaded file = {.format = NULL};
    bool fine = load_document(with, path, &file);
    into->in = file.in;
    into->format = file.format;
    into->doc = file.doc;
    return fine && find_key(into, with);
}

void held_close(held *one)
{
    pith_doc_free(one->doc);
    free(one->own_key);
    if (one->in.name != NULL)
        input_close(&one->in);
}
