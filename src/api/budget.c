/*
 * budget.c - a value cut down to a number of tokens.
 *
 * What can be left out without a lie is rows: a table with fewer of them is still true,
 * since its counts are those of what is there. doc/cut.h knows which lists there are. How
 * many rows fit is searched for by writing the value with fewer and counting. The cost is
 * nearly a straight line, so the next guess lies on the line between the most rows known to
 * fit and the fewest known not to; every other guess halves the distance instead, which
 * bounds their number whatever the rows are like. A text of twice the tokens is not written
 * to its end, since one that is far too large may be larger than anything that should be
 * counted; then the next guess halves the distance.
 *
 * One row of each list always stays: a list without any would say that there are none. Where
 * that is still too much, the lists inside of those rows and the smaller ones are next, round
 * after round, until there is nothing left that could go.
 *
 * Of a graph in a graph format the weakest symbols go, with their edges: there the format
 * cuts by itself.
 */
#include "api/budget.h"
#include "api/note.h"

enum {
    BUDGET_LEAST = 1,         /* row that stays of each list */
    BUDGET_ROUNDS_MOST = 64,  /* lists within lists that are cut */
    BUDGET_LONG_TEXT = 100,   /* bytes */
    BUDGET_ROOM = 256,        /* bytes of text for each unit of a value's weight, */
    BUDGET_ROOM_LEAST = 65536 /* but not fewer than that */
};

/* A value on its way to a size. */
typedef struct budget_job {
    pith_value value;  /* as given, or what the rounds before have left of it */
    pith_doc *left;    /* that; NULL at first */
    cut_plan plan;     /* of it */
    cut_tally before;  /* what went already */
    cut_tally tally;   /* with the text that was written last */
    size_t step_count; /* of the plan; or parts, where the format cuts by itself */
    size_t step;       /* in the text that was written last */
    size_t tokens_max;
    bool rows_only;              /* of the root array, and without a note */
    const form_given *text_read; /* what the value was read from; NULL for none */
    bool fits;                   /* what is in `text` does, and nothing has to go */
    api_side to;
    bool states;        /* the settings want the text to state its tokens, */
    size_t which;       /* by this one */
    pith_options quiet; /* as given, but remarks are kept, */
    text_remark remark; /* that of the text that was written last */
    const pith_options *given;
    cost_counter counter;
    size_t room;      /* bytes that a text of the value has at most, unless it is odd */
    pith_doc *cut;    /* what is in the text that was written last, if not all */
    pith_buffer text; /* it */
    size_t tokens;    /* of it, or COST_STOPPED */
    size_t counted;   /* as many of them as were */
    pith_outcome *outcome;
    pith_error *err; /* not NULL */
} budget_job;

/* -------------------------------------------------------------------- one try */

/* Keeps a piece of the text and counts it. */
static pith_status budget_take(void *ctx, const char *data, size_t len)
{
    budget_job *job = (budget_job *)ctx;
    pith_sink text = pith_sink_buffer(&job->text);
    pith_status status = text.write(text.ctx, data, len);
    return status == PITH_OK ? cost_take(&job->counter, data, len) : status;
}

/* Where the text has a place for it, a note says what is missing. */
static pith_status budget_note(budget_job *job)
{
    char note[NOTE_TEXT_MOST];
    char last = job->text.len > 0 ? job->text.data[job->text.len - 1] : '\n';
    size_t len = job->rows_only
                     ? 0
                     : note_line(&job->to, &job->tally, job->outcome->unit, last, note);
    if (len == 0)
        return PITH_OK;
    return budget_take(job, note, len) == PITH_NO_MEMORY ? error_no_memory(job->err)
                                                         : PITH_OK;
}

static bool budget_has_member(const budget_job *job)
{
    pith_kind kind = pith_value_kind(job->value);
    return !job->rows_only && note_place(&job->to) == NOTE_MEMBER &&
           (kind == PITH_ARRAY || kind == PITH_OBJECT);
}

/* Counts what there is, when all of it stays. */
static void budget_count_all(budget_job *job)
{
    for (size_t i = 0; i < job->plan.lists.count; i++) {
        const cut_list *list = &job->plan.lists.at[i];
        *(list->map ? &job->tally.members : &job->tally.rows) += list->count;
    }
    if (job->plan.lists.count == 0)
        job->tally.rows += pith_value_count(doc_find_rows(job->value));
}

/* The value with what stays, in `cut` unless all does. */
static pith_status budget_cut_lists(budget_job *job)
{
    size_t clip = (size_t)job->to.set.common[SETTINGS_CLIP];
    bool member = budget_has_member(job);
    bool untouched =
        job->step == job->step_count && clip == 0 && !note_is_due(&job->before);
    job->tally = job->before;
    if (untouched) {
        budget_count_all(job);
        return PITH_OK;
    }
    cut_copy(job->cut, job->value, &job->plan, job->step, clip, member, &job->tally);
    if (member)
        note_add(job->cut, job->value, &job->tally, job->outcome->unit);
    return pith_doc_finish(job->cut, job->err);
}

/* Where the format cuts by itself, the value states the budget and the tokens. */
static pith_status budget_cut(budget_job *job, size_t stated)
{
    const codec *format = job->to.format;
    pith_doc_reset(job->cut);
    if (!format->cut)
        return budget_cut_lists(job);
    cut_job cut = {job->value.doc, job->value.at,   &job->to.set,
                   job->step,      job->tokens_max, stated};
    pith_status status = format->cut(&cut, job->cut, &job->step_count, job->err);
    job->step = job->step < job->step_count ? job->step : job->step_count;
    job->tally = job->before;
    job->tally.rows = job->step;
    job->tally.rows_left_out += job->step_count - job->step;
    return status;
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
    job->remark.made = false;
    cost_begin(&job->counter);
    status =
        side_encode(&job->to, value.doc, value.at, &job->quiet, sink, &bytes, job->err);
    if (status == PITH_OK)
        status = budget_note(job);
    pith_status counted = pith_counter_total(job->counter.counter, tokens,
                                             status == PITH_OK ? job->err : NULL);
    job->counted = *tokens;
    if (job->counter.stopped) {
        *tokens = COST_STOPPED;
        return PITH_OK;
    }
    return status == PITH_OK ? counted : status;
}

/* Says how far a text is written. How much the least is has to be said, unless it is mostly
 * indentation or empty cells. */
static void budget_set_end(budget_job *job, bool least)
{
    bool limited = job->tokens_max < SIZE_MAX / (2 * COST_TOKEN_BYTES);
    size_t tokens = limited ? 2 * job->tokens_max : 0;
    size_t room =
        job->room > COST_TOKEN_BYTES * tokens ? job->room : COST_TOKEN_BYTES * tokens;
    job->counter.stop_at_tokens = least ? 0 : tokens;
    job->counter.stop_at_bytes = least && limited ? room : 0;
}

/* Writes the value cut down to that step into `text` and counts. */
static pith_status budget_try(budget_job *job, size_t step, size_t *tokens)
{
    job->step = step;
    budget_set_end(job, step <= BUDGET_LEAST);
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

/* Whether there is a text worth clipping. */
static bool budget_could_clip(const budget_job *job)
{
    const pith_doc *doc = job->value.doc;
    uint32_t end = doc_after_at(doc, job->value.at);
    bool able =
        !job->rows_only && !job->to.format->cut && job->to.set.common[SETTINGS_CLIP] == 0;
    for (uint32_t at = job->value.at; able && at < end; at++)
        if (doc->slots[at].kind == PITH_STRING && doc->slots[at].n >= BUDGET_LONG_TEXT)
            return true;
    return false;
}

static pith_status budget_too_much(budget_job *job, size_t tokens)
{
    const cut_tally *tally = &job->tally;
    bool rows = tally->rows_left_out > 0;
    const char *unit = rows ? job->outcome->unit : "members";
    size_t kept = rows ? tally->rows : tally->members;
    size_t gone = rows ? tally->rows_left_out : tally->members_left_out;
    const char *hint = budget_could_clip(job) ? "; clip=N would shorten texts" : "";
    const char *more = tokens == COST_STOPPED ? "more than " : "";
    const char *guess = note_guess(&job->quiet);
    tokens = tokens == COST_STOPPED ? job->counted : tokens;
    if (gone == 0)
        return error_set(job->err, PITH_LIMIT, "budget_exceeded",
                         "there are no %s to leave out; this takes %s%s%zu tokens, the "
                         "budget is %zu%s",
                         job->outcome->unit, more, guess, tokens, job->tokens_max, hint);
    return error_set(
        job->err, PITH_LIMIT, "budget_exceeded",
        "even with %zu of the %zu %s this takes %s%s%zu tokens, the budget is "
        "%zu%s",
        kept, kept + gone, unit, more, guess, tokens, job->tokens_max, hint);
}

/* Makes the plan of the value. */
static pith_status budget_plan(budget_job *job)
{
    bool fine = job->rows_only ? cut_plan_rows(&job->plan, doc_find_rows(job->value))
                               : cut_plan_lists(&job->plan, job->value);
    job->step_count = job->plan.most;
    return fine ? PITH_OK : error_no_memory(job->err);
}

/* Goes on with the value as it is with one row of each list. */
static pith_status budget_next_round(budget_job *job)
{
    pith_doc *left = pith_doc_new(&job->quiet);
    if (!left)
        return error_no_memory(job->err);
    cut_copy(left, job->value, &job->plan, BUDGET_LEAST, 0, false, &job->before);
    pith_status status = pith_doc_finish(left, job->err);
    pith_doc_free(job->left);
    job->left = left;
    job->value = pith_doc_root(left);
    return status == PITH_OK ? budget_plan(job) : status;
}

/* Leaves in `text` the value with the most rows that fit, between one of each list, which
 * does, and all of them, which does not. */
static pith_status budget_narrow(budget_job *job, size_t low_tokens, size_t high_tokens)
{
    size_t most = job->tokens_max;
    size_t low = BUDGET_LEAST;
    size_t high = job->step_count;
    size_t tokens = 0;
    pith_status status = PITH_OK;
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
    return status == PITH_OK && job->step != low ? budget_try(job, low, &tokens) : status;
}

/* Leaves in `text` as much of the value as fits. */
static pith_status budget_search(budget_job *job)
{
    size_t high_tokens = 0;
    size_t low_tokens = 0;
    bool rounds = !job->rows_only && !job->to.format->cut;
    if (job->fits) {
        job->step = job->step_count;
        return budget_cut(job, 0);
    }
    pith_status status = budget_try(job, job->step_count, &high_tokens);
    if (status != PITH_OK || high_tokens <= job->tokens_max)
        return status;
    for (int round = 0; round < BUDGET_ROUNDS_MOST; round++) {
        if (job->step_count <= BUDGET_LEAST)
            break;
        status = budget_try(job, BUDGET_LEAST, &low_tokens);
        if (status != PITH_OK)
            return status;
        if (low_tokens <= job->tokens_max)
            return budget_narrow(job, low_tokens, high_tokens);
        high_tokens = low_tokens;
        status = rounds ? budget_next_round(job) : PITH_OK;
        if (status != PITH_OK || !rounds)
            break;
    }
    return status == PITH_OK ? budget_too_much(job, high_tokens) : status;
}

/* -------------------------------------------------------------------- the call */

/* Chooses the form. The text of the cheapest one may fit as it is; a text that was read is no
 * form for less of it. */
static pith_status budget_choose(budget_job *job, const api_side *asked)
{
    pith_outcome counted = {0};
    form_job form = {asked, job->value.doc, job->value.at, job->text_read, &job->quiet};
    pith_status status = cheapest_form(&form, &job->to, &job->text, &counted, job->err);
    if (status != PITH_OK)
        return status;
    job->tokens = counted.tokens;
    job->fits = counted.tokens <= job->tokens_max && !job->to.format->cut &&
                !note_is_due(&job->before) && asked->set.common[SETTINGS_CLIP] == 0;
    if (job->fits || !form.given || job->to.format != form.given->format)
        return PITH_OK;
    form.given = NULL;
    return cheapest_form(&form, &job->to, &job->text, &counted, job->err);
}

static pith_status budget_prepare(budget_job *job, const api_side *asked)
{
    pith_status status = PITH_OK;
    job->states = settings_want_tokens(&asked->set, &asked->format->info, &job->which);
    if (form_is_open(asked)) {
        status = budget_choose(job, asked);
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
    cut_plan_init(&job->plan, (rows_keep)asked->set.common[SETTINGS_KEEP],
                  asked->set.common_text[SETTINGS_KEEP], alloc_from(&job->quiet));
    if (job->to.format->cut) {
        job->outcome->unit = "symbols";
        job->step = SIZE_MAX;
        return budget_cut(job, 0); /* to learn how many there are */
    }
    job->outcome->unit = "rows";
    return budget_plan(job);
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
    remark_tell(&job->remark, job->given);
    pith_out out;
    out_init(&out, sink, &job->quiet);
    out_text(&out, text);
    side_end_text(&job->to, &out);
    job->outcome->format = job->to.format->info.name;
    job->outcome->tokens = job->tokens;
    note_outcome(&job->tally, job->outcome);
    status = out_finish(&out, job->err);
    job->outcome->bytes = (size_t)out.sent;
    return status;
}

static size_t budget_room(pith_value value)
{
    size_t weight = cut_weight(value.doc, value.at);
    size_t room = weight < SIZE_MAX / BUDGET_ROOM ? weight * BUDGET_ROOM : SIZE_MAX;
    return room > BUDGET_ROOM_LEAST ? room : BUDGET_ROOM_LEAST;
}

pith_status budget_write(const api_side *to, const pith_doc *doc, uint32_t at,
                         bool rows_only, const form_given *given,
                         const pith_options *options, pith_sink sink, cut_tally *tally,
                         pith_outcome *outcome, pith_error *err)
{
    budget_job job;
    memset(&job, 0, sizeof job);
    if (options)
        job.quiet = *options;
    job.given = options;
    job.quiet.notice = remark_keep;
    job.quiet.notice_ctx = &job.remark;
    job.value = doc_value(doc, at, SLOT_NONE, 0);
    job.tokens_max = (size_t)to->set.common[SETTINGS_BUDGET];
    job.rows_only = rows_only;
    job.room = budget_room(job.value);
    job.text_read = given;
    job.before.rows_left_out = tally->rows_left_out;
    if (tally->rows_left_out > 0) /* of a list that may lose more */
        job.before.name_count = CUT_NAMES_MOST + 1;
    job.text.alloc = alloc_from(options);
    job.outcome = outcome;
    job.err = err;
    pith_status status = budget_prepare(&job, to);
    if (status == PITH_OK)
        status = budget_search(&job);
    if (status == PITH_OK)
        status = budget_send(&job, sink);
    *tally = job.tally;
    cost_close(&job.counter);
    cut_plan_free(&job.plan);
    pith_doc_free(job.left);
    pith_doc_free(job.cut);
    pith_buffer_free(&job.text);
    return status;
}

pith_status budget_limit(const api_side *to, const pith_doc *doc, uint32_t at, bool last,
                         const pith_options *options, pith_doc **cut, cut_tally *tally,
                         pith_error *err)
{
    pith_value value = doc_value(doc, at, SLOT_NONE, 0);
    pith_value rows = doc_find_rows(value);
    pith_kind kind = pith_value_kind(value);
    size_t count = pith_value_count(rows);
    size_t rows_max = (size_t)to->set.common[SETTINGS_ROWS_MAX];
    size_t clip = last ? (size_t)to->set.common[SETTINGS_CLIP] : 0;
    bool member = last && note_place(to) == NOTE_MEMBER &&
                  (kind == PITH_ARRAY || kind == PITH_OBJECT);
    rows_max = rows_max > 0 && rows_max < count ? rows_max : count;
    tally->rows += rows_max == count ? count : 0;
    if (rows_max == count && clip == 0)
        return PITH_OK;
    cut_plan plan;
    cut_plan_init(&plan, (rows_keep)to->set.common[SETTINGS_KEEP],
                  to->set.common_text[SETTINGS_KEEP], alloc_from(options));
    pith_value none = {NULL, 0, 0, 0};
    *cut = pith_doc_new(options);
    if (!*cut || !cut_plan_rows(&plan, rows_max < count ? rows : none)) {
        cut_plan_free(&plan);
        return error_no_memory(err);
    }
    cut_copy(*cut, value, &plan, rows_max, clip, member, tally);
    if (member)
        note_add(*cut, value, tally, "rows");
    cut_plan_free(&plan);
    return pith_doc_finish(*cut, err);
}

bool budget_is_of_first(const api_side *to)
{
    const uint64_t *common = to->set.common;
    return common[SETTINGS_BUDGET] > 0 && common[SETTINGS_KEEP] == ROWS_KEEP_FIRST &&
           common[SETTINGS_CLIP] == 0 && common[SETTINGS_ROWS_MAX] == 0 &&
           !to->format->cut;
}

/* Counts the document in the form that was asked for, as far as the budget goes. */
static pith_status budget_cost(const api_side *to, const pith_doc *doc,
                               const pith_options *options, size_t *tokens,
                               pith_error *err)
{
    cost_counter counter;
    text_cost cost;
    memset(&cost, 0, sizeof cost);
    pith_status status = cost_open(&counter, options, err);
    counter.stop_at_tokens = (size_t)to->set.common[SETTINGS_BUDGET] + 1;
    if (status == PITH_OK)
        status = cost_of(&counter, to, doc, 0, options, &cost, err);
    *tokens = counter.stopped ? COST_STOPPED : cost.tokens;
    status = counter.stopped ? PITH_OK : status;
    cost_close(&counter);
    return status;
}

pith_status budget_fits(const api_side *to, const pith_doc *doc,
                        const pith_options *options, bool *fits, pith_error *err)
{
    api_side chosen;
    pith_buffer text = {.alloc = alloc_from(options)};
    pith_outcome outcome = {0};
    pith_options quiet = *options;
    pith_status status;
    quiet.notice = NULL;
    if (form_is_open(to)) {
        form_job form = {to, doc, 0, NULL, &quiet};
        status = cheapest_form(&form, &chosen, &text, &outcome, err);
    } else {
        status = budget_cost(to, doc, &quiet, &outcome.tokens, err);
    }
    pith_buffer_free(&text);
    *fits = outcome.tokens <= to->set.common[SETTINGS_BUDGET];
    return status;
}
