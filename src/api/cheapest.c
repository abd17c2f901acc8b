/*
 * cheapest.c - which form of a value costs the fewest tokens.
 *
 * Among the formats: each one allowed writes the value into a counter, and the one with
 * the fewest tokens wins; of equals the first in the list, which is JSON, so that
 * nothing stranger than JSON is written without a gain. A reader of the text is not given
 * the name of the format: one that its content does not show ("{}" is nothing at all in
 * TOON) is taken only when there is no other. A form that would change a digit is no
 * choice. Rows that were read as CSV, TSV or NDJSON may also stay as they are.
 *
 * Among the settings of one: a format proposes variants, single settings that change
 * the text and not what it says. They are tried one after the other on top of the best
 * so far, and kept where they save a token. That is not every combination, but it is
 * linear in the number of variants, the same every time, and never worse than what the
 * format writes by itself. What the caller has set stays set.
 *
 * What cannot win any more is not written to its end: a form that is mostly indentation may
 * have thousands of times the tokens of another. JSON, which hardly ever wins, comes last
 * for that reason. The text of the best form is kept, so that it need not be written again.
 */
#include "api/cheapest.h"
#include "format/auto/auto.h"

/* A form that has four times the tokens of another is not saved by its variants. */
enum { CHEAPEST_HOPELESS = 4 };

/* A value to be written, and the counter for its forms. */
typedef struct cheapest_job {
    const form_job *form;
    cost_counter counter;
    bool optimize;
    size_t json_tokens; /* once JSON was counted to its end */
    size_t to_beat;     /* tokens; 0 when the form is counted to its end */
    pith_error *err;    /* not NULL */
} cheapest_job;

/* A form, its text and its cost. */
typedef struct cheapest_trial {
    api_side to;
    size_t place; /* in the list of those allowed */
    text_cost cost;
    pith_buffer text;
} cheapest_trial;

bool form_is_open(const api_side *to)
{
    size_t which;
    return to->format == &auto_format || to->set.common[SETTINGS_OPTIMIZE] ||
           settings_want_tokens(&to->set, &to->format->info, &which);
}

static void cheapest_init(cheapest_trial *form, const cheapest_job *job)
{
    memset(form, 0, sizeof *form);
    form->text.alloc = alloc_from(job->form->options);
}

/* Everything but the text. */
static void cheapest_copy(cheapest_trial *to, const cheapest_trial *from)
{
    to->to.format = from->to.format;
    settings_copy(&to->to.set, &from->to.set);
    to->place = from->place;
    to->cost = from->cost;
}

/* Makes the trial the best; its room is then that of the one before. */
static void cheapest_take(cheapest_trial *best, cheapest_trial *trial)
{
    pith_buffer text = best->text;
    cheapest_copy(best, trial);
    best->text = trial->text;
    trial->text = text;
}

/* Forms of `stop_at` tokens or more are out; 0 for none. */
static pith_status cheapest_cost(cheapest_job *job, cheapest_trial *form, size_t stop_at)
{
    job->counter.stop_at_tokens = stop_at;
    job->counter.keep = &form->text;
    return cost_of(&job->counter, &form->to, job->form->doc, job->form->at,
                   job->form->options, &form->cost, job->err);
}

/* A form that cannot hold the value, or only by growing beyond a limit, is no choice. */
static bool cheapest_is_out(pith_status status)
{
    return status == PITH_UNREPRESENTABLE || status == PITH_LIMIT;
}

/* Of forms among which a reader has to tell by the content. */
static bool cheapest_is_better(const cheapest_trial *trial, const cheapest_trial *best)
{
    if (!best->to.format)
        return true;
    if (trial->cost.is_recognised != best->cost.is_recognised)
        return trial->cost.is_recognised;
    return trial->cost.tokens != best->cost.tokens
               ? trial->cost.tokens < best->cost.tokens
               : trial->place < best->place;
}

/* Tries the variants of a format, each on top of the best so far. */
static pith_status cheapest_variants(cheapest_job *job, cheapest_trial *best)
{
    const codec *format = best->to.format;
    char words[SETTINGS_TEXT_MOST / 2];
    cheapest_trial trial;
    pith_status status = PITH_OK;
    cheapest_init(&trial, job);
    for (size_t i = 0; format->variant && status == PITH_OK; i++) {
        variant_job variant = {job->form->doc, job->form->at, &best->to.set, i};
        if (!format->variant(&variant, words, sizeof words))
            break;
        cheapest_copy(&trial, best);
        if (!settings_try(&trial.to.set, &format->info, words))
            continue;
        status = cheapest_cost(job, &trial, best->cost.tokens);
        if (status == PITH_OK && trial.cost.tokens < best->cost.tokens)
            cheapest_take(best, &trial);
        status = cheapest_is_out(status) ? PITH_OK : status;
    }
    pith_buffer_free(&trial.text);
    return status;
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

/* The names to choose from, one after the other. */
typedef struct cheapest_names {
    pith_text rest;
    size_t index; /* of the format that comes next, where all of them are meant */
    bool all;
} cheapest_names;

/* Those that are chosen from when nothing is said. */
static pith_text cheapest_default(void)
{
    return text_from(auto_format.info.settings[AUTO_ALLOW].default_value);
}

static bool cheapest_is_default(pith_text name)
{
    pith_text rest = cheapest_default();
    while (rest.len > 0)
        if (text_equal(text_split(&rest, ','), name))
            return true;
    return false;
}

static cheapest_names cheapest_list(const api_side *asked)
{
    pith_text allowed = settings_text(&asked->set, AUTO_ALLOW);
    bool all = text_is(allowed, "all");
    cheapest_names names = {all ? cheapest_default() : allowed, 0, all};
    return names;
}

/* Every text that can be read again is allowed by "all". */
static bool cheapest_is_common(const codec *format)
{
    const pith_format *info = &format->info;
    return info->direction == (PITH_READ | PITH_WRITE) && !info->binary;
}

static bool cheapest_next_name(cheapest_names *names, pith_text *name)
{
    if (names->rest.len > 0) {
        *name = text_split(&names->rest, ',');
        return true;
    }
    for (const codec *format; names->all && (format = format_at(names->index)) != NULL;) {
        names->index++;
        *name = text_from(format->info.name);
        if (cheapest_is_common(format) && !cheapest_is_default(*name))
            return true;
    }
    return false;
}

/* The format of a name in the list, in its dense form if that is asked for. */
static pith_status cheapest_candidate(const cheapest_job *job, cheapest_trial *form,
                                      pith_text name, bool dense)
{
    form->to.format = format_find_text(name);
    if (!form->to.format || form->to.format == &auto_format ||
        !(form->to.format->info.direction & PITH_WRITE)) {
        return error_set(job->err, PITH_BAD_USE, "bad_setting",
                         "allow lists '%s', which is no format to choose",
                         error_quote(name.ptr, name.len).text);
    }
    const pith_format *info = &form->to.format->info;
    settings *set = &form->to.set;
    pith_status status = side_check_countable(form->to.format, "auto", job->err);
    if (status == PITH_OK)
        status =
            settings_read(set, info, PITH_WRITE, dense ? info->dense : NULL, job->err);
    if (status == PITH_OK)
        memcpy(set->common, job->form->asked->set.common, sizeof set->common);
    return status;
}

/* PITH_UNREPRESENTABLE for a text that would be read with other digits. */
static pith_status cheapest_check(const cheapest_job *job, const cheapest_trial *trial)
{
    const form_job *form = job->form;
    if (trial->to.format->keeps_digits)
        return PITH_OK;
    return write_verify(&trial->to, text_of(trial->text.data, trial->text.len),
                        VERIFY_DIGITS, form->doc, form->at, form->options, job->err);
}

/* Writes the value in the format of that name, which becomes the best if it is. */
static pith_status cheapest_try(cheapest_job *job, cheapest_trial *trial,
                                cheapest_trial *best, pith_text name, bool dense)
{
    pith_status status = cheapest_candidate(job, trial, name, dense);
    if (status != PITH_OK)
        return status;
    bool beats = best->to.format && best->cost.is_recognised;
    bool ties = trial->place < best->place; /* it wins with as many tokens, too */
    job->to_beat = beats ? best->cost.tokens + ties : 0;
    status = cheapest_variant(job, trial);
    if (status == PITH_OK && trial->to.format == format_at(0))
        job->json_tokens = trial->cost.tokens;
    if (status == PITH_OK && cheapest_is_better(trial, best)) {
        status = cheapest_check(job, trial);
        if (status == PITH_OK)
            cheapest_take(best, trial);
    }
    return cheapest_is_out(status) ? PITH_OK : status;
}

/* Tries the formats of the list: JSON alone, or all the others. */
static pith_status cheapest_pass(cheapest_job *job, cheapest_trial *trial,
                                 cheapest_trial *best, bool json)
{
    cheapest_names names = cheapest_list(job->form->asked);
    bool dense = settings_bool(&job->form->asked->set, AUTO_DENSE);
    pith_status status = PITH_OK;
    pith_text name;
    for (trial->place = 1; status == PITH_OK && cheapest_next_name(&names, &name);) {
        const codec *format = format_find_text(name);
        if ((format == format_at(0)) == json) /* the first is JSON */
            status = cheapest_try(job, trial, best, name, false);
        if (status == PITH_OK && dense && !json && format && format->info.dense)
            status = cheapest_try(job, trial, best, name, true);
        trial->place++;
    }
    return status;
}

/* Whether what was read may stay as it is: rows that other programs write, unless the
 * list of formats is another. */
static bool cheapest_may_stay(const cheapest_job *job)
{
    const form_given *given = job->form->given;
    const api_side *asked = job->form->asked;
    if (!given || !given->format->info.exchange ||
        !(given->format->info.streams & PITH_READ) || asked->set.common[SETTINGS_SAFE])
        return false;
    pith_text allowed = settings_text(&asked->set, AUTO_ALLOW);
    bool stays = !(asked->set.given >> AUTO_ALLOW & 1) || text_is(allowed, "all");
    while (!stays && allowed.len > 0)
        stays = text_is(text_split(&allowed, ','), given->format->info.name);
    return stays;
}

/* What was read is the first to be the best; its place is before the list. */
static pith_status cheapest_stay(cheapest_job *job, cheapest_trial *best)
{
    const form_given *given = job->form->given;
    pith_sink keep = pith_sink_buffer(&best->text);
    pith_status status =
        settings_read(&best->to.set, &given->format->info, PITH_WRITE, NULL, job->err);
    if (status == PITH_OK &&
        keep.write(keep.ctx, given->text.ptr, given->text.len) != PITH_OK)
        return error_no_memory(job->err);
    if (status == PITH_OK)
        status = cost_of_text(&job->counter, given->text, &best->cost.tokens, job->err);
    best->to.format = given->format;
    best->cost.is_recognised = true;
    best->place = 0;
    return status;
}

static pith_status cheapest_format(cheapest_job *job, cheapest_trial *best)
{
    cheapest_trial trial;
    pith_status status = PITH_OK;
    cheapest_init(&trial, job);
    best->place = SIZE_MAX;
    if (cheapest_may_stay(job))
        status = cheapest_stay(job, best);
    if (status == PITH_OK)
        status = cheapest_pass(job, &trial, best, false);
    if (status == PITH_OK)
        status = cheapest_pass(job, &trial, best, true);
    pith_buffer_free(&trial.text);
    if (status == PITH_OK && !best->to.format) {
        status = error_set(job->err, PITH_UNREPRESENTABLE, "unrepresentable",
                           "none of the formats allowed holds this with every digit");
    }
    return status;
}

pith_status cheapest_form(const form_job *form, api_side *chosen, pith_buffer *text,
                          pith_outcome *outcome, pith_error *err)
{
    const api_side *asked = form->asked;
    cheapest_job job;
    cheapest_trial best;
    memset(&job, 0, sizeof job);
    job.form = form;
    job.optimize = asked->set.common[SETTINGS_OPTIMIZE] != 0;
    job.err = err;
    cheapest_init(&best, &job);
    pith_status status = cost_open(&job.counter, form->options, err);
    if (status == PITH_OK && asked->format == &auto_format) {
        status = cheapest_format(&job, &best);
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
        remark_tell(&best.cost.remark, form->options);
        outcome->tokens = best.cost.tokens;
        outcome->json_tokens = job.json_tokens;
        pith_buffer_free(text);
        *text = best.text;
    } else {
        pith_buffer_free(&best.text);
    }
    return status;
}
