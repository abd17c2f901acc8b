/*
 * budget.c - a value cut down to a number of tokens.
 *
 * What can be left out without a lie is rows: a table with fewer of them is still true,
 * since its counts are those of what is there. How many fit is searched for by writing
 * the value with fewer rows and counting. The cost is nearly a straight line, so the
 * next guess lies on the line between the most rows known to fit and the fewest known
 * not to; every other guess halves the distance instead, which bounds their number
 * whatever the rows are like. A text of twice the tokens is not written to its end, since
 * one that is far too large may be larger than anything that should be counted; then the
 * next guess halves the distance. One row always stays: a list without any would say that
 * there are none.
 *
 * Of a graph in a graph format the weakest symbols go, with their edges: there the format
 * cuts by itself.
 */
#include "api/budget.h"
#include "base/print.h"
#include "doc/copy_rows.h"

enum { BUDGET_LEAST = 1 }; /* rows that stay */

/* A value on its way to a size. */
typedef struct budget_job {
    pith_value value;
    pith_value rows;  /* no value when there are none */
    size_t row_count; /* or parts, where the format cuts by itself */
    size_t keep;      /* of them, in the text that was written last */
    size_t gone;      /* rows that were left out before */
    size_t tokens_max;
    bool remark; /* a comment says what is missing */
    api_side to;
    bool states;        /* the settings want the text to state its tokens, */
    size_t which;       /* by this one */
    pith_options quiet; /* as given, but of the remarks of all tries only the first */
    const pith_options *given;
    bool remarked;
    cost_counter counter;
    pith_doc *cut;    /* the value with fewer rows, in the text that was written last */
    pith_buffer text; /* it */
    size_t tokens;    /* of it, or COST_STOPPED */
    size_t stop_at;   /* tokens; 0 for never */
    pith_outcome *outcome;
    pith_error *err; /* not NULL */
} budget_job;

static void budget_notice(void *ctx, const pith_error *remark)
{
    budget_job *job = (budget_job *)ctx;
    if (!job->remarked && job->given && job->given->notice)
        job->given->notice(job->given->notice_ctx, remark);
    job->remarked = true;
}

/* -------------------------------------------------------------------- one try */

/* Keeps a piece of the text and counts it. */
static pith_status budget_take(void *ctx, const char *data, size_t len)
{
    budget_job *job = (budget_job *)ctx;
    pith_sink text = pith_sink_buffer(&job->text);
    pith_status status = text.write(text.ctx, data, len);
    return status == PITH_OK ? cost_take(&job->counter, data, len) : status;
}

static pith_status budget_append(budget_job *job, const char *text, size_t len)
{
    return budget_take(job, text, len) == PITH_NO_MEMORY ? error_no_memory(job->err)
                                                         : PITH_OK;
}

static bool budget_ends_line(const budget_job *job)
{
    return job->text.len == 0 || job->text.data[job->text.len - 1] == '\n';
}

/* Where the format has comments, one says what is missing. */
static pith_status budget_remark(budget_job *job)
{
    char remark[96];
    const char *sign = job->to.format->comment;
    size_t all = job->row_count + job->gone;
    if (!sign || !job->remark || job->keep == all)
        return PITH_OK;
    bool newline = job->to.set.common[SETTINGS_FINAL_NEWLINE] != 0;
    size_t len = print_into(remark, sizeof remark, "%s%s%zu of %zu %s left out%s",
                            budget_ends_line(job) ? "" : "\n", sign, all - job->keep, all,
                            job->outcome->unit, newline ? "\n" : "");
    return budget_append(job, remark, len);
}

/* The value with the rows that stay, in `cut` unless all do. Where the format cuts by
 * itself, the value states the budget and the tokens. */
static pith_status budget_cut(budget_job *job, size_t stated)
{
    const codec *format = job->to.format;
    pith_doc_reset(job->cut);
    if (format->cut) {
        cut_job cut = {job->value.doc, job->value.at,   &job->to.set,
                       job->keep,      job->tokens_max, stated};
        return format->cut(&cut, job->cut, &job->row_count, job->err);
    }
    if (job->keep == job->row_count)
        return PITH_OK;
    doc_copy_rows(job->cut, job->value, job->rows, job->keep,
                  (rows_keep)job->to.set.common[SETTINGS_KEEP]);
    return pith_doc_finish(job->cut, job->err);
}

/* What is to be written: see budget_cut. */
static pith_value budget_value(const budget_job *job)
{
    return job->cut->finished ? pith_doc_root(job->cut) : job->value;
}

/* Writes the value with the rows that stay, stating that number of tokens where it states
 * any, and counts. */
static pith_status budget_state(void *ctx, size_t stated, size_t *tokens)
{
    budget_job *job = (budget_job *)ctx;
    size_t bytes;
    pith_sink sink = {budget_take, job};
    if (job->states)
        settings_put_tokens(&job->to.set, job->which, stated);
    pith_status status = budget_cut(job, stated);
    if (status != PITH_OK)
        return status;
    pith_value value = budget_value(job);
    job->text.len = 0;
    job->counter.stop_at_tokens = job->stop_at;
    job->counter.stopped = false;
    status =
        side_encode(&job->to, value.doc, value.at, &job->quiet, sink, &bytes, job->err);
    if (status == PITH_OK)
        status = budget_remark(job);
    pith_status counted = pith_counter_total(job->counter.counter, tokens,
                                             status == PITH_OK ? job->err : NULL);
    if (job->counter.stopped) {
        *tokens = COST_STOPPED;
        return PITH_OK;
    }
    return status == PITH_OK ? counted : status;
}

/* Writes the value with that many rows into `text` and counts. */
static pith_status budget_try(budget_job *job, size_t keep, size_t *tokens)
{
    job->keep = keep;
    bool least = keep <= BUDGET_LEAST; /* how much that is may have to be said */
    job->stop_at = least ? 0 : 2 * job->tokens_max;
    pith_status status = job->states || job->to.format->cut
                             ? cost_own_tokens(budget_state, job, job->tokens_max, tokens)
                             : budget_state(job, 0, tokens);
    job->tokens = *tokens;
    return status;
}

/* ----------------------------------------------------------------- the search */

/* A guess between two numbers of rows, on the line between their costs. */
static size_t budget_guess(size_t low, size_t low_tokens, size_t high, size_t high_tokens,
                           size_t most, bool halve)
{
    double share =
        halve ? 0.5 : (double)(most - low_tokens) / (double)(high_tokens - low_tokens);
    size_t guess = low + (size_t)(share * (double)(high - low));
    return guess <= low ? low + 1 : guess >= high ? high - 1 : guess;
}

static pith_status budget_too_much(budget_job *job, size_t tokens)
{
    const char *unit = job->outcome->unit;
    if (job->row_count > 1)
        return error_set(job->err, PITH_LIMIT, "budget_exceeded",
                         "even with 1 of the %zu %s this takes %zu tokens, the budget is "
                         "%zu",
                         job->row_count, unit, tokens, job->tokens_max);
    return error_set(job->err, PITH_LIMIT, "budget_exceeded",
                     "there are no %s to leave out; this takes %zu tokens, the budget is "
                     "%zu",
                     unit, tokens, job->tokens_max);
}

/* Leaves in `text` the value with the most rows that fit. */
static pith_status budget_search(budget_job *job)
{
    size_t most = job->tokens_max;
    size_t high = job->row_count;
    size_t high_tokens;
    size_t low = BUDGET_LEAST;
    size_t low_tokens = 0;
    size_t tokens = 0;
    pith_status status = budget_try(job, high, &high_tokens);
    if (status != PITH_OK || high_tokens <= most)
        return status;
    if (high <= low)
        return budget_too_much(job, high_tokens);
    status = budget_try(job, low, &low_tokens);
    if (status == PITH_OK && low_tokens > most)
        return budget_too_much(job, low_tokens);
    for (bool halve = false; status == PITH_OK && high - low > 1; halve = !halve) {
        size_t guess = budget_guess(low, low_tokens, high, high_tokens, most,
                                    halve || high_tokens == COST_STOPPED);
        status = budget_try(job, guess, &tokens);
        if (tokens <= most) {
            low = guess;
            low_tokens = tokens;
        } else {
            high = guess;
            high_tokens = tokens;
        }
    }
    return status == PITH_OK && job->keep != low ? budget_try(job, low, &tokens) : status;
}

/* -------------------------------------------------------------------- the call */

static pith_status budget_prepare(budget_job *job, const api_side *asked)
{
    pith_status status = PITH_OK;
    job->states = settings_want_tokens(&asked->set, &asked->format->info, &job->which);
    if (form_is_open(asked)) {
        pith_outcome ignored;
        form_job form = {asked, job->value.doc, job->value.at, NULL, &job->quiet};
        status = cheapest_form(&form, &job->to, &job->text, &ignored, job->err);
    } else {
        job->to.format = asked->format;
        settings_copy(&job->to.set, &asked->set);
    }
    if (status == PITH_OK)
        status = cost_open(&job->counter, &job->quiet, job->err);
    if (status != PITH_OK)
        return status;
    job->cut = pith_doc_new(&job->quiet);
    if (!job->cut)
        return error_no_memory(job->err);
    if (job->to.format->cut) {
        job->outcome->unit = "symbols";
        job->keep = SIZE_MAX;
        return budget_cut(job, 0); /* to learn how many there are */
    }
    job->outcome->unit = "rows";
    job->rows = doc_find_rows(job->value);
    job->row_count = pith_value_count(job->rows);
    return PITH_OK;
}

static pith_status budget_send(budget_job *job, pith_sink sink)
{
    pith_status status = PITH_OK;
    pith_text text = text_of(job->text.data, job->text.len);
    pith_value value = budget_value(job);
    settings_verify how = (settings_verify)job->to.set.common[SETTINGS_VERIFY];
    if (how != VERIFY_NOT)
        status =
            write_verify(&job->to, text, how, value.doc, value.at, &job->quiet, job->err);
    if (status != PITH_OK)
        return status;
    pith_out out;
    out_init(&out, sink, &job->quiet);
    out_text(&out, text);
    job->outcome->format = job->to.format->info.name;
    job->outcome->bytes = text.len;
    job->outcome->tokens = job->tokens;
    job->outcome->rows = job->keep;
    job->outcome->rows_left_out = job->row_count + job->gone - job->keep;
    return out_finish(&out, job->err);
}

pith_status budget_write(const api_side *to, const pith_doc *doc, uint32_t at,
                         bool remark, const pith_options *options, pith_sink sink,
                         pith_outcome *outcome, pith_error *err)
{
    budget_job job;
    memset(&job, 0, sizeof job);
    if (options)
        job.quiet = *options;
    job.given = options;
    job.quiet.notice = budget_notice;
    job.quiet.notice_ctx = &job;
    job.value = doc_value(doc, at, SLOT_NONE, 0);
    job.tokens_max = (size_t)to->set.common[SETTINGS_BUDGET];
    job.remark = remark;
    job.gone = outcome->rows_left_out;
    job.text.alloc = alloc_from(options);
    job.outcome = outcome;
    job.err = err;
    pith_status status = budget_prepare(&job, to);
    if (status == PITH_OK)
        status = budget_search(&job);
    if (status == PITH_OK)
        status = budget_send(&job, sink);
    cost_close(&job.counter);
    pith_doc_free(job.cut);
    pith_buffer_free(&job.text);
    return status;
}

pith_status budget_limit_rows(const api_side *to, const pith_doc *doc, uint32_t at,
                              const pith_options *options, pith_doc **cut,
                              pith_outcome *outcome, pith_error *err)
{
    pith_value value = doc_value(doc, at, SLOT_NONE, 0);
    pith_value rows = doc_find_rows(value);
    size_t count = pith_value_count(rows);
    size_t rows_max = (size_t)to->set.common[SETTINGS_ROWS_MAX];
    outcome->unit = "rows";
    outcome->rows = count < rows_max ? count : rows_max;
    outcome->rows_left_out = count - outcome->rows;
    if (count <= rows_max)
        return PITH_OK;
    *cut = pith_doc_new(options);
    if (!*cut)
        return error_no_memory(err);
    doc_copy_rows(*cut, value, rows, rows_max, (rows_keep)to->set.common[SETTINGS_KEEP]);
    return pith_doc_finish(*cut, err);
}
