/*
 * answer.c - what a model answers, while it arrives.
 *
 * All bytes are kept, for the answer is read as a whole at its end; until then the document
 * is the view of it (format/answer/answer_live.c). The view borrows nothing from the bytes
 * but the string that is arriving, so they can move when there are more.
 */
#include "api/api.h"
#include "format/answer/answer.h"

struct pith_answer {
    pith_options options;
    char *words; /* a copy of options.read */
    alloc_meter meter;
    pith_doc *doc;
    answer_live live;
    LIST(char) text;
    bool ended;
    pith_error fault;
};

static void answer_drop_view(pith_answer *answer)
{
    if (answer->live.r.doc)
        answer_live_free(&answer->live);
    answer->live.r.doc = NULL;
    pith_doc_free(answer->doc);
    answer->doc = NULL;
}

void pith_answer_free(pith_answer *answer)
{
    if (!answer)
        return;
    pith_alloc alloc = answer->options.alloc;
    answer_drop_view(answer);
    LIST_FREE(&answer->text, &alloc);
    if (answer->words)
        alloc_free(&alloc, answer->words, strlen(answer->words) + 1);
    alloc_free(&alloc, answer, sizeof *answer);
}

static pith_status answer_set_up(pith_answer *answer, const api_side *from)
{
    pith_options *options = &answer->options;
    select_words part = settings_selected(&from->set);
    if (options->read) {
        size_t size = strlen(options->read) + 1;
        answer->words = (char *)alloc_resize(&options->alloc, NULL, 0, size);
        if (!answer->words)
            return PITH_NO_MEMORY;
        memcpy(answer->words, options->read, size);
        options->read = answer->words;
    }
    answer->meter.inner = options->alloc;
    answer->meter.fixed = options->memory_max > 0;
    answer->meter.most = alloc_limit(options->memory_max, 0);
    pith_options counted = {.alloc = alloc_counted(&answer->meter)};
    counted.depth_max = doc_depth_limit(options);
    answer->doc = pith_doc_new(&counted);
    if (!answer->doc)
        return PITH_NO_MEMORY;
    answer_live_open(&answer->live, answer->doc, &from->set);
    if (select_is_wanted(&part))
        answer->live.phase = LIVE_OVER;
    return PITH_OK;
}

pith_answer *pith_answer_open(const pith_options *options, pith_error *err)
{
    api_side from;
    pith_alloc alloc = alloc_from(options);
    if (side_for_reading(&from, "answer", text_of("", 0), options, err) != PITH_OK)
        return NULL;
    pith_answer *answer = (pith_answer *)alloc_zeroed(&alloc, sizeof *answer);
    if (!answer) {
        error_no_memory(err);
        return NULL;
    }
    if (options)
        answer->options = *options;
    answer->options.alloc = alloc;
    if (answer_set_up(answer, &from) != PITH_OK) {
        error_no_memory(err);
        pith_answer_free(answer);
        return NULL;
    }
    return answer;
}

/* Makes room for more text, which may move. */
static bool answer_make_room(pith_answer *answer, size_t more)
{
    size_t len = answer->text.count;
    if (more <= answer->text.cap - len)
        return true;
    size_t cap = len / 2 + len > len + more ? len / 2 + len : len + more;
    cap = cap < 256 ? 256 : cap;
    const pith_alloc *alloc = &answer->options.alloc;
    char *room = more < SIZE_MAX / 4 && len < SIZE_MAX / 4
                     ? (char *)alloc_resize(alloc, NULL, 0, cap)
                     : NULL;
    if (!room)
        return false;
    if (len > 0)
        memcpy(room, answer->text.at, len);
    answer_live_move(&answer->live, answer->text.at, room);
    alloc_free(alloc, answer->text.at, answer->text.cap);
    answer->text.at = room;
    answer->text.cap = cap;
    return true;
}

/* The view cannot go on: for want of memory, or because of the limit on it. */
static pith_status answer_lost(pith_answer *answer)
{
    bool limit = answer->meter.refused;
    answer_drop_view(answer);
    return limit ? PITH_OK : error_no_memory(&answer->fault);
}

pith_status pith_answer_feed(pith_answer *answer, const char *data, size_t len,
                             pith_error *err)
{
    if (answer->fault.status != PITH_OK)
        return error_copy(&answer->fault, err);
    if (answer->ended)
        return error_set(err, PITH_BAD_USE, "ended", "the input has been ended already");
    if (len == 0)
        return PITH_OK;
    if (!answer_make_room(answer, len)) {
        error_no_memory(&answer->fault);
        return error_copy(&answer->fault, err);
    }
    memcpy(answer->text.at + answer->text.count, data, len);
    answer->text.count += len;
    answer->meter.most = alloc_limit(answer->options.memory_max, answer->text.count);
    pith_text all = text_of(answer->text.at, answer->text.count);
    if (answer->doc && answer_live_feed(&answer->live, all) != PITH_OK)
        answer_lost(answer);
    return error_copy(&answer->fault, err);
}

pith_status pith_answer_end(pith_answer *answer, pith_error *err)
{
    if (answer->ended || answer->fault.status != PITH_OK)
        return error_copy(&answer->fault, err);
    answer_drop_view(answer);
    answer->ended = true;
    answer->doc = pith_doc_parse("answer", answer->text.at ? answer->text.at : "",
                                 answer->text.count, &answer->options, &answer->fault);
    return error_copy(&answer->fault, err);
}

pith_value pith_answer_root(const pith_answer *answer)
{
    pith_value none = {NULL, 0, 0, 0};
    return answer->doc && answer->doc->count > 0 ? doc_value(answer->doc, 0, SLOT_NONE, 0)
                                                 : none;
}

size_t pith_answer_complete(const pith_answer *answer)
{
    return answer->ended ? pith_value_count(pith_answer_root(answer))
                         : answer->live.complete;
}

bool pith_answer_finished(const pith_answer *answer)
{
    return answer->ended ? answer->doc != NULL : answer->live.finished;
}
