/*
 * settle.c - which form a value takes, decided by counting.
 *
 * Among the formats: each one allowed writes the value into a counter, and the one with
 * the fewest tokens wins; of equals the first in the list, which is JSON, so that
 * nothing stranger than JSON is written without a gain. Whoever reads the text is not told
 * which format it became: one that its content does not show ("{}" is nothing at all in
 * TOON) is taken only when there is no other.
 *
 * Among the settings of one: a format proposes variants, single settings that change
 * the text and not what it says. They are tried one after the other on top of the best
 * so far, and kept where they save a token. That is not every combination, but it is
 * linear in the number of variants, the same every time, and never worse than what the
 * format writes by itself. What the caller has set stays set.
 *
 * What cannot win any more is not written to its end: a form that is mostly indentation may
 * have thousands of times the tokens of another.
 */
#include "api/settle.h"
#include "api/tally.h"
#include "format/auto/auto.h"

/* A form that has four times the tokens of another is not saved by its variants. */
enum { SETTLE_HOPELESS = 4 };

/* A value to be written, and the scale it is weighed on. */
typedef struct settle_job {
    const pith_doc *doc;
    uint32_t at;
    const pith_options *options;
    api_scale scale;
    bool optimize;
    size_t json_tokens; /* once JSON was weighed */
    size_t to_beat;     /* tokens; 0 when the form must be weighed whatever it has */
    pith_error *err;    /* not NULL */
} settle_job;

/* A form and its weight. */
typedef struct settle_form {
    api_format to;
    api_tally tally;
} settle_form;

bool api_is_open(const api_format *to)
{
    size_t which;
    return to->format == &auto_format || to->set.common[SETTINGS_OPTIMIZE] ||
           settings_want_tokens(&to->set, &to->format->info, &which);
}

static void settle_copy(settle_form *to, const settle_form *from)
{
    to->to.format = from->to.format;
    settings_copy(&to->to.set, &from->to.set);
    to->tally = from->tally;
}

/* Forms of `enough` tokens or more are out; 0 for none. */
static pith_status settle_weigh(settle_job *job, settle_form *form, size_t enough)
{
    job->scale.enough = enough;
    return scale_weigh(&job->scale, &form->to, job->doc, job->at, job->options,
                       &form->tally, job->err);
}

/* A form that cannot hold the value, or only by growing beyond a limit, is no choice. */
static bool settle_is_out(pith_status status)
{
    return status == PITH_UNREPRESENTABLE || status == PITH_LIMIT;
}

/* Of forms among which a reader has to tell by the content. */
static bool settle_is_better(const settle_form *trial, const settle_form *best)
{
    return trial->tally.known != best->tally.known
               ? trial->tally.known
               : trial->tally.tokens < best->tally.tokens;
}

/* Tries the variants of a format, each on top of the best so far. */
static pith_status settle_variants(settle_job *job, settle_form *best)
{
    const codec *format = best->to.format;
    char words[SETTINGS_TEXT_MOST / 2];
    settle_form trial;
    for (size_t i = 0; format->variant; i++) {
        variant_job variant = {job->doc, job->at, &best->to.set, i};
        if (!format->variant(&variant, words, sizeof words))
            break;
        settle_copy(&trial, best);
        if (!settings_try(&trial.to.set, &format->info, words))
            continue;
        pith_status status = settle_weigh(job, &trial, best->tally.tokens);
        if (status != PITH_OK && !settle_is_out(status))
            return status;
        if (status == PITH_OK && trial.tally.tokens < best->tally.tokens)
            settle_copy(best, &trial);
    }
    return PITH_OK;
}

/* A form whose text states its own tokens. */
typedef struct settle_stating {
    settle_job *job;
    settle_form *form;
    size_t which; /* the setting */
} settle_stating;

static pith_status settle_state(void *ctx, size_t stated, size_t *tokens)
{
    const settle_stating *stating = (const settle_stating *)ctx;
    settings_put_tokens(&stating->form->to.set, stating->which, stated);
    pith_status status = settle_weigh(stating->job, stating->form, 0);
    *tokens = stating->form->tally.tokens;
    return status;
}

/* Weighs a form, in the best of its variants if that was asked for. */
static pith_status settle_one(settle_job *job, settle_form *form)
{
    size_t which;
    bool states = settings_want_tokens(&form->to.set, &form->to.format->info, &which);
    if (states)
        settings_put_tokens(&form->to.set, which, 100); /* as long as it may well be */
    size_t times = job->optimize ? SETTLE_HOPELESS : 1;
    size_t enough = job->to_beat < SIZE_MAX / times ? times * job->to_beat : SIZE_MAX;
    pith_status status = settle_weigh(job, form, enough);
    if (status == PITH_OK && job->optimize)
        status = settle_variants(job, form);
    if (status == PITH_OK && states) {
        settle_stating stating = {job, form, which};
        size_t tokens = form->tally.tokens;
        status = scale_state_tokens(settle_state, &stating, tokens, &tokens);
    }
    return status;
}

/* ---------------------------------------------------------------------- auto */

/* The format of a name in the list. */
static pith_status settle_candidate(settle_form *form, pith_text name, pith_error *err)
{
    form->to.format = format_find_text(name);
    if (!form->to.format || form->to.format == &auto_format ||
        !(form->to.format->info.sides & PITH_WRITE)) {
        return error_set(err, PITH_BAD_USE, "bad_setting",
                         "allow lists '%s', which is no format to choose",
                         error_quote(name.ptr, name.len).text);
    }
    const pith_format *info = &form->to.format->info;
    pith_status status = api_check_countable(form->to.format, "auto", err);
    return status == PITH_OK ? settings_read(&form->to.set, info, PITH_WRITE, NULL, err)
                             : status;
}

static pith_status settle_auto(settle_job *job, settle_form *best,
                               const api_format *asked)
{
    pith_text names = settings_text(&asked->set, AUTO_ALLOW);
    settle_form trial;
    best->to.format = NULL;
    while (names.len > 0) {
        pith_text name = text_split(&names, ',');
        pith_status status = settle_candidate(&trial, name, job->err);
        if (status != PITH_OK)
            return status;
        bool is_json = text_is(name, "json"); /* what the others are compared with */
        bool beats = best->to.format && best->tally.known && !is_json;
        job->to_beat = beats ? best->tally.tokens : 0;
        status = settle_one(job, &trial);
        if (status != PITH_OK && !settle_is_out(status))
            return status;
        if (status == PITH_OK && is_json)
            job->json_tokens = trial.tally.tokens;
        if (status == PITH_OK && (!best->to.format || settle_is_better(&trial, best)))
            settle_copy(best, &trial);
    }
    return best->to.format ? PITH_OK
                           : error_set(job->err, PITH_UNREPRESENTABLE, "unrepresentable",
                                       "none of the formats allowed can hold this");
}

pith_status api_settle(api_format *settled, const api_format *asked, const pith_doc *doc,
                       uint32_t at, const pith_options *options, pith_outcome *outcome,
                       pith_error *err)
{
    pith_error local;
    settle_job job;
    settle_form best;
    if (!api_is_open(asked)) {
        settled->format = asked->format;
        settings_copy(&settled->set, &asked->set);
        return PITH_OK;
    }
    memset(&job, 0, sizeof job);
    memset(&best, 0, sizeof best);
    job.doc = doc;
    job.at = at;
    job.options = options;
    job.optimize = asked->set.common[SETTINGS_OPTIMIZE] != 0;
    if (!err)
        err = &local;
    job.err = err;
    pith_status status = scale_open(&job.scale, options, job.err);
    if (status != PITH_OK)
        return status;
    if (asked->format == &auto_format) {
        status = settle_auto(&job, &best, asked);
    } else {
        best.to.format = asked->format;
        settings_copy(&best.to.set, &asked->set);
        status = settle_one(&job, &best);
    }
    scale_close(&job.scale);
    if (status == PITH_OK) {
        settled->format = best.to.format;
        settings_copy(&settled->set, &best.to.set);
        memcpy(settled->set.common, asked->set.common, sizeof asked->set.common);
        outcome->tokens = best.tally.tokens;
        outcome->json_tokens = job.json_tokens;
    }
    return status;
}
