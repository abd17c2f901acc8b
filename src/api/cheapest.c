/*
 * cheapest.c - which form of a value costs the fewest tokens.
 *
 * Among the formats: each one allowed writes the value into a counter, and the one with
 * the fewest tokens wins; of equals the first in the list, which is JSON, so that
 * nothing stranger than JSON is written without a gain. A reader of the text is not given
 * the name of the format: one that its content does not show ("{}" is nothing at all in
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
#include "api/cheapest.h"
#include "format/auto/auto.h"

/* A form that has four times the tokens of another is not saved by its variants. */
enum { CHEAPEST_HOPELESS = 4 };

/* A value to be written, and the counter for its forms. */
typedef struct cheapest_job {
    const pith_doc *doc;
    uint32_t at;
    const pith_options *options;
    cost_counter counter;
    bool optimize;
    size_t json_tokens; /* once JSON was counted */
    size_t to_beat;     /* tokens; 0 when the form is counted to its end */
    pith_error *err;    /* not NULL */
} cheapest_job;

/* A form and its cost. */
typedef struct cheapest_trial {
    api_side to;
    text_cost cost;
} cheapest_trial;

bool form_is_open(const api_side *to)
{
    size_t which;
    return to->format == &auto_format || to->set.common[SETTINGS_OPTIMIZE] ||
           settings_want_tokens(&to->set, &to->format->info, &which);
}

static void cheapest_copy(cheapest_trial *to, const cheapest_trial *from)
{
    to->to.format = from->to.format;
    settings_copy(&to->to.set, &from->to.set);
    to->cost = from->cost;
}

/* Forms of `stop_at` tokens or more are out; 0 for none. */
static pith_status cheapest_cost(cheapest_job *job, cheapest_trial *form, size_t stop_at)
{
    job->counter.stop_at_tokens = stop_at;
    return cost_of(&job->counter, &form->to, job->doc, job->at, job->options, &form->cost,
                   job->err);
}

/* A form that cannot hold the value, or only by growing beyond a limit, is no choice. */
static bool cheapest_is_out(pith_status status)
{
    return status == PITH_UNREPRESENTABLE || status == PITH_LIMIT;
}

/* Of forms among which a reader has to tell by the content. */
static bool cheapest_is_better(const cheapest_trial *trial, const cheapest_trial *best)
{
    return trial->cost.is_recognised != best->cost.is_recognised
               ? trial->cost.is_recognised
               : trial->cost.tokens < best->cost.tokens;
}

/* Tries the variants of a format, each on top of the best so far. */
static pith_status cheapest_variants(cheapest_job *job, cheapest_trial *best)
{
    const codec *format = best->to.format;
    char words[SETTINGS_TEXT_MOST / 2];
    cheapest_trial trial;
    for (size_t i = 0; format->variant; i++) {
        variant_job variant = {job->doc, job->at, &best->to.set, i};
        if (!format->variant(&variant, words, sizeof words))
            break;
        cheapest_copy(&trial, best);
        if (!settings_try(&trial.to.set, &format->info, words))
            continue;
        pith_status status = cheapest_cost(job, &trial, best->cost.tokens);
        if (status != PITH_OK && !cheapest_is_out(status))
            return status;
        if (status == PITH_OK && trial.cost.tokens < best->cost.tokens)
            cheapest_copy(best, &trial);
    }
    return PITH_OK;
}

/* A form whose text states its own tokens. */
typedef struct cheapest_stating {
    cheapest_job *job;
    cheapest_trial *form;
    size_t which; /* the setting */
} cheapest_stating;

static pith_status cheapest_state(void *ctx, size_t stated, size_t *tokens)
{
    const cheapest_stating *stating = (const cheapest_stating *)ctx;
    settings_put_tokens(&stating->form->to.set, stating->which, stated);
    pith_status status = cheapest_cost(stating->job, stating->form, 0);
    *tokens = stating->form->cost.tokens;
    return status;
}

/* Counts a form, in the best of its variants if that was asked for. */
static pith_status cheapest_variant(cheapest_job *job, cheapest_trial *form)
{
    size_t which;
    bool states = settings_want_tokens(&form->to.set, &form->to.format->info, &which);
    if (states)
        settings_put_tokens(&form->to.set, which, 100); /* as long as it may well be */
    size_t times = job->optimize ? CHEAPEST_HOPELESS : 1;
    size_t stop_at = job->to_beat < SIZE_MAX / times ? times * job->to_beat : SIZE_MAX;
    pith_status status = cheapest_cost(job, form, stop_at);
    if (status == PITH_OK && job->optimize)
        status = cheapest_variants(job, form);
    if (status == PITH_OK && states) {
        cheapest_stating stating = {job, form, which};
        size_t tokens = form->cost.tokens;
        status = cost_own_tokens(cheapest_state, &stating, tokens, &tokens);
    }
    return status;
}

/* ---------------------------------------------------------------------- auto */

/* The format of a name in the list. */
static pith_status cheapest_candidate(cheapest_trial *form, pith_text name,
                                      pith_error *err)
{
    form->to.format = format_find_text(name);
    if (!form->to.format || form->to.format == &auto_format ||
        !(form->to.format->info.sides & PITH_WRITE)) {
        return error_set(err, PITH_BAD_USE, "bad_setting",
                         "allow lists '%s', which is no format to choose",
                         error_quote(name.ptr, name.len).text);
    }
    const pith_format *info = &form->to.format->info;
    pith_status status = side_check_countable(form->to.format, "auto", err);
    return status == PITH_OK ? settings_read(&form->to.set, info, PITH_WRITE, NULL, err)
                             : status;
}

static pith_status cheapest_format(cheapest_job *job, cheapest_trial *best,
                                   const api_side *asked)
{
    pith_text names = settings_text(&asked->set, AUTO_ALLOW);
    cheapest_trial trial;
    best->to.format = NULL;
    while (names.len > 0) {
        pith_text name = text_split(&names, ',');
        pith_status status = cheapest_candidate(&trial, name, job->err);
        if (status != PITH_OK)
            return status;
        bool is_json = text_is(name, "json"); /* what the others are compared with */
        bool beats = best->to.format && best->cost.is_recognised && !is_json;
        job->to_beat = beats ? best->cost.tokens : 0;
        status = cheapest_variant(job, &trial);
        if (status != PITH_OK && !cheapest_is_out(status))
            return status;
        if (status == PITH_OK && is_json)
            job->json_tokens = trial.cost.tokens;
        if (status == PITH_OK && (!best->to.format || cheapest_is_better(&trial, best)))
            cheapest_copy(best, &trial);
    }
    return best->to.format ? PITH_OK
                           : error_set(job->err, PITH_UNREPRESENTABLE, "unrepresentable",
                                       "none of the formats allowed can hold this");
}

pith_status cheapest_form(api_side *chosen, const api_side *asked, const pith_doc *doc,
                          uint32_t at, const pith_options *options, pith_outcome *outcome,
                          pith_error *err)
{
    cheapest_job job;
    cheapest_trial best;
    memset(&job, 0, sizeof job);
    memset(&best, 0, sizeof best);
    job.doc = doc;
    job.at = at;
    job.options = options;
    job.optimize = asked->set.common[SETTINGS_OPTIMIZE] != 0;
    job.err = err;
    pith_status status = cost_open(&job.counter, options, err);
    if (status == PITH_OK && asked->format == &auto_format) {
        status = cheapest_format(&job, &best, asked);
    } else if (status == PITH_OK) {
        best.to.format = asked->format;
        settings_copy(&best.to.set, &asked->set);
        status = cheapest_variant(&job, &best);
    }
    cost_close(&job.counter);
    if (status == PITH_OK) {
        chosen->format = best.to.format;
        settings_copy(&chosen->set, &best.to.set);
        memcpy(chosen->set.common, asked->set.common, sizeof asked->set.common);
        outcome->tokens = best.cost.tokens;
        outcome->json_tokens = job.json_tokens;
    }
    return status;
}
