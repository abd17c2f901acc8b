/*
 * budget.c - a value cut down to a number of tokens.
 *
 * What can be left out without a lie is rows: a table with fewer of them is still true,
 * since its counts are those of what is there. How many fit is searched for by writing
 * the value with fewer rows and counting. The cost is nearly a straight line, so the
 * next guess lies on the line between the most rows known to fit and the fewest known
 * not to; every other guess halves the distance instead, which bounds their number
 * whatever the rows are like.
 */
#include "api/cheapest.h"
#include "doc/spelled.h"

#include <stdio.h>

/* ---------------------------------------------------------------- which rows */

static pith_value fit_value_at(const pith_doc *doc, uint32_t at)
{
    uint32_t parent = doc->slots[at].u.link.parent;
    uint32_t index = 0;
    if (parent != SLOT_NONE)
        for (uint32_t child = parent + 1; child < at; child = doc_after_at(doc, child))
            index++;
    return doc_value(doc, at, parent, index);
}

/* Arrays inside arrays are parts of rows; so the walk enters objects only. */
pith_value pith_value_rows(pith_value value)
{
    pith_value none = {NULL, 0, 0, 0};
    if (!value.doc)
        return none;
    uint32_t end = doc_after_at(value.doc, value.at);
    uint32_t best = SLOT_NONE;
    uint32_t most = 0;
    for (uint32_t at = value.at; at < end;) {
        const pith_slot *slot = &value.doc->slots[at];
        bool array = slot->kind == PITH_ARRAY;
        if (array && slot->n > 0 && slot->u.link.next - at > most) {
            best = at;
            most = slot->u.link.next - at;
        }
        at = array ? slot->u.link.next : at + 1;
    }
    return best == SLOT_NONE ? none : fit_value_at(value.doc, best);
}

/* -------------------------------------------------------------- a value cut short */

/* Whether the row at `index` of `count` is among the `keep` that stay. */
static bool fit_stays(uint64_t index, uint64_t count, uint64_t keep, pith_keep which)
{
    switch (which) {
    case PITH_KEEP_LAST:
        return index >= count - keep;
    case PITH_KEEP_SPREAD:
        return index * keep % count < keep; /* the first, then at even steps */
    default:
        return index < keep;
    }
}

static void fit_add_rows(pith_doc *doc, pith_value rows, size_t keep, pith_keep which)
{
    uint64_t count = pith_value_count(rows);
    uint64_t index = 0;
    pith_doc_open_array(doc);
    for (pith_value row = pith_value_first(rows); row.doc; row = pith_value_next(row))
        if (fit_stays(index++, count, keep, which))
            pith_doc_add_value(doc, row);
    pith_doc_close(doc);
}

static void fit_add_key(pith_doc *doc, pith_value member)
{
    pith_text key = pith_value_key(member);
    pith_doc_add_key(doc, key.ptr, key.len);
}

static void fit_add_members(pith_doc *doc, pith_value from, pith_value until)
{
    for (; from.doc && from.at != until.at; from = pith_value_next(from)) {
        fit_add_key(doc, from);
        pith_doc_add_value(doc, from);
    }
}

/* Copies `value` with only some of the rows: down the objects that lead to them, adding
 * what comes before, and up again, adding what comes after. */
void pith_doc_add_value_cut(pith_doc *doc, pith_value value, pith_value rows,
                            size_t count, pith_keep keep)
{
    size_t depth = 1;
    for (pith_value at = rows; at.doc && at.at != value.at; at = pith_value_parent(at))
        depth++;
    size_t bytes = depth * sizeof(pith_value);
    pith_value *path = (pith_value *)alloc_resize(&doc->alloc, NULL, 0, bytes);
    if (!path) {
        if (doc->fault.status == PITH_OK)
            error_no_memory(&doc->fault);
        return;
    }
    pith_value nothing = {NULL, SLOT_NONE, 0, 0};
    pith_value at = rows;
    for (size_t i = depth; i-- > 0; at = pith_value_parent(at))
        path[i] = at;
    for (size_t i = 0; i + 1 < depth; i++) {
        pith_doc_open_object(doc);
        fit_add_members(doc, pith_value_first(path[i]), path[i + 1]);
        fit_add_key(doc, path[i + 1]);
    }
    fit_add_rows(doc, rows, count, keep);
    for (size_t i = depth - 1; i-- > 0;) {
        fit_add_members(doc, pith_value_next(path[i + 1]), nothing);
        pith_doc_close(doc);
    }
    alloc_free(&doc->alloc, path, bytes);
}

/* ------------------------------------------------------------------- the search */

/* A value on its way to a size. */
typedef struct fit_job {
    pith_value value;
    pith_value rows;  /* no value when there are none */
    size_t row_count; /* or parts, where the format cuts by itself */
    size_t keep;      /* of them, in the text that is being written */
    api_side to;
    bool states;  /* the settings want the text to state its tokens, */
    size_t which; /* by this one */
    const pith_options *options;
    pith_options once;         /* what they are, but the tries tell no outcome, and of */
    const pith_options *given; /* their remarks only the first */
    bool remarked;
    cost_counter counter;
    pith_fit *fit;
    pith_doc *cut;    /* the value with fewer rows */
    pith_buffer text; /* as it was written last */
    pith_error *err;  /* not NULL */
} fit_job;

static void fit_notice(void *ctx, const pith_error *remark)
{
    fit_job *job = (fit_job *)ctx;
    if (!job->remarked && job->given->notice)
        job->given->notice(job->given->notice_ctx, remark);
    job->remarked = true;
}

static pith_status fit_append(fit_job *job, const char *text, size_t len)
{
    pith_sink sink = pith_sink_buffer(&job->text);
    return sink.write(sink.ctx, text, len) == PITH_OK ? PITH_OK
                                                      : error_no_memory(job->err);
}

/* Where the format has comments, one says what is missing. */
static pith_status fit_remark(fit_job *job, size_t keep)
{
    char remark[96];
    const char *sign = job->to.format->comment;
    if (!sign || keep == job->row_count)
        return PITH_OK;
    bool fresh = job->text.len == 0 || job->text.data[job->text.len - 1] == '\n';
    int len =
        snprintf(remark, sizeof remark, "%s%s%zu of %zu %s left out", fresh ? "" : "\n",
                 sign, job->row_count - keep, job->row_count, job->fit->what);
    return fit_append(job, remark, (size_t)len);
}

/* A newline that is to follow has to fit as well. */
static pith_status fit_newline(fit_job *job)
{
    bool there = job->text.len > 0 && job->text.data[job->text.len - 1] == '\n';
    return job->fit->newline && !there ? fit_append(job, "\n", 1) : PITH_OK;
}

/* Makes the value with that many rows. */
static pith_status fit_cut(fit_job *job, size_t keep, pith_value *value)
{
    *value = job->value;
    if (keep == job->row_count)
        return PITH_OK;
    pith_doc_reset(job->cut);
    pith_doc_add_value_cut(job->cut, job->value, job->rows, keep, job->fit->keep);
    pith_status status = pith_doc_finish(job->cut, job->err);
    *value = pith_doc_root(job->cut);
    return status;
}

/* The same where the format cuts by itself, and states the tokens. */
static pith_status fit_cut_parts(fit_job *job, size_t keep, size_t tokens,
                                 pith_value *value)
{
    cut_job cut = {job->value.doc, job->value.at,        &job->to.set,
                   keep,           job->fit->tokens_max, tokens};
    pith_doc_reset(job->cut);
    pith_status status = job->to.format->cut(&cut, job->cut, &job->row_count, job->err);
    *value = pith_doc_root(job->cut);
    return status;
}

/* Writes the value into `text` and counts. */
static pith_status fit_write(fit_job *job, pith_value value, size_t *tokens)
{
    pith_outcome unknown = {NULL, 0, 0, 0};
    job->text.len = 0;
    pith_status status = write_form(&job->to, value.doc, value.at, job->options,
                                    pith_sink_buffer(&job->text), unknown, job->err);
    if (status == PITH_OK)
        status = fit_remark(job, job->keep);
    if (status == PITH_OK)
        status = fit_newline(job);
    if (status == PITH_OK) {
        status = cost_of_text(&job->counter, text_of(job->text.data, job->text.len),
                              tokens, job->err);
    }
    return status;
}

/* The value with so many rows as are kept, stating that number of tokens where it states
 * any. */
static pith_status fit_state(void *ctx, size_t stated, size_t *tokens)
{
    fit_job *job = (fit_job *)ctx;
    pith_value value;
    if (job->states)
        settings_put_tokens(&job->to.set, job->which, stated);
    pith_status status = job->to.format->cut
                             ? fit_cut_parts(job, job->keep, stated, &value)
                             : fit_cut(job, job->keep, &value);
    return status == PITH_OK ? fit_write(job, value, tokens) : status;
}

/* Writes the value with that many rows into `text` and counts. */
static pith_status fit_try(fit_job *job, size_t keep, size_t *tokens)
{
    job->keep = keep;
    pith_status status =
        job->states || job->to.format->cut
            ? cost_own_tokens(fit_state, job, job->fit->tokens_max, tokens)
            : fit_state(job, 0, tokens);
    if (status == PITH_OK) {
        job->fit->tokens = *tokens;
        job->fit->rows = keep;
        job->fit->rows_left_out = job->row_count - keep;
    }
    return status;
}

/* A guess between two numbers of rows, on the line between their costs. */
static size_t fit_guess(size_t low, size_t low_tokens, size_t high, size_t high_tokens,
                        size_t most, bool halve)
{
    double share =
        halve ? 0.5 : (double)(most - low_tokens) / (double)(high_tokens - low_tokens);
    size_t guess = low + (size_t)(share * (double)(high - low));
    return guess <= low ? low + 1 : guess >= high ? high - 1 : guess;
}

static pith_status fit_too_much(fit_job *job, size_t tokens)
{
    return error_set(job->err, PITH_LIMIT, "budget_exceeded",
                     job->row_count > 0
                         ? "even without %s this takes %zu tokens, the budget is %zu"
                         : "there are no %s to leave out; this takes %zu tokens, the "
                           "budget is %zu",
                     job->fit->what, tokens, job->fit->tokens_max);
}

/* Leaves in `text` the value with the most rows that fit. */
static pith_status fit_search(fit_job *job)
{
    size_t most = job->fit->tokens_max;
    size_t high = job->row_count;
    size_t high_tokens;
    size_t low = 0;
    size_t low_tokens = 0;
    size_t tokens = 0;
    pith_status status = fit_try(job, high, &high_tokens);
    if (status != PITH_OK || high_tokens <= most)
        return status;
    if (high == 0)
        return fit_too_much(job, high_tokens);
    status = fit_try(job, 0, &low_tokens);
    if (status == PITH_OK && low_tokens > most)
        return fit_too_much(job, low_tokens);
    for (bool halve = false; status == PITH_OK && high - low > 1; halve = !halve) {
        size_t guess = fit_guess(low, low_tokens, high, high_tokens, most, halve);
        status = fit_try(job, guess, &tokens);
        if (tokens <= most) {
            low = guess;
            low_tokens = tokens;
        } else {
            high = guess;
            high_tokens = tokens;
        }
    }
    return status == PITH_OK && job->fit->rows != low ? fit_try(job, low, &tokens)
                                                      : status;
}

static pith_status fit_prepare(fit_job *job, const char *format)
{
    api_side asked;
    pith_status status = side_for_writing(&asked, format, job->options, job->err);
    if (status == PITH_OK && asked.set.common[SETTINGS_GUARD]) {
        status = error_set(job->err, PITH_BAD_USE, "unused_setting",
                           "guard has no say under a budget, which decides what is too "
                           "much; leave it out");
    }
    if (status == PITH_OK)
        status = side_check_countable(asked.format, "a budget", job->err);
    if (status == PITH_OK) {
        pith_outcome ignored;
        job->states = settings_want_tokens(&asked.set, &asked.format->info, &job->which);
        if (form_is_open(&asked)) {
            status = cheapest_form(&job->to, &asked, job->value.doc, job->value.at,
                                   job->options, &ignored, job->err);
        } else {
            job->to.format = asked.format;
            settings_copy(&job->to.set, &asked.set);
        }
    }
    if (status == PITH_OK)
        status = cost_open(&job->counter, job->options, job->err);
    job->cut = pith_doc_new(job->options);
    if (status != PITH_OK || !job->cut)
        return status != PITH_OK ? status : error_no_memory(job->err);
    if (job->to.format->cut) {
        pith_value ignored;
        job->fit->what = "symbols";
        return fit_cut_parts(job, SIZE_MAX, 0, &ignored);
    }
    job->fit->what = "rows";
    job->rows = pith_value_rows(job->value);
    job->row_count = pith_value_count(job->rows);
    return PITH_OK;
}

pith_status pith_value_fit(pith_value value, const char *format, pith_fit *fit,
                           const pith_options *options, pith_sink sink, pith_error *err)
{
    pith_error local;
    fit_job job;
    memset(&job, 0, sizeof job);
    job.value = value;
    if (options) {
        job.given = options;
        job.once = *options;
        job.once.notice = fit_notice;
        job.once.notice_ctx = &job;
        job.once.outcome = NULL;
        job.options = &job.once;
    }
    job.fit = fit;
    if (!err)
        err = &local;
    job.err = err;
    job.text.alloc = alloc_from(options);
    if (!value.doc)
        return error_set(err, PITH_BAD_USE, "no_value", "there is no value to write");
    spelled_value spelled;
    if (!spelled_open(&spelled, value.doc, value.at, job.text.alloc))
        return error_no_memory(err);
    if (spelled.doc != value.doc)
        job.value = doc_value(spelled.doc, spelled.at, SLOT_NONE, 0);
    pith_status status = fit_prepare(&job, format);
    if (status == PITH_OK)
        status = fit_search(&job);
    if (status == PITH_OK) {
        pith_out out;
        out_init(&out, sink, options);
        out_bytes(&out, job.text.data, job.text.len);
        status = out_finish(&out, job.err);
    }
    if (status == PITH_OK) {
        pith_outcome outcome = {job.to.format->info.name, job.text.len, fit->tokens, 0};
        set_outcome(options, outcome);
    }
    cost_close(&job.counter);
    pith_doc_free(job.cut);
    pith_buffer_free(&job.text);
    spelled_close(&spelled);
    return status;
}
