/*
 * write.c - the one way in which a value is written.
 *
 *     write_value --> budget_limit, budget_write                    rows_max, clip, budget
 *                 --> cheapest_form --> cost_of --> side_encode     auto, optimize, tokens
 *                 --> write_form ---> cost_of --> side_encode       guard
 *                               \---> side_encode                  to the sink, or to memory
 *                                                                   first: verify
 *
 * With guard=true a text that takes no fewer tokens than the compact JSON it replaces is
 * replaced by that JSON: it is written into a counter first, as long as it takes fewer. With
 * verify=true the text is read back and compared with the value. That needs the whole text
 * before the first byte may leave, so it is written to memory; else it goes straight to
 * the sink.
 */
#include "api/budget.h"
#include "api/note.h"
#include "doc/same.h"
#include "doc/spelled.h"

bool side_needs_whole_value(const api_side *to)
{
    const uint64_t *common = to->set.common;
    return form_is_open(to) || common[SETTINGS_GUARD] || common[SETTINGS_VERIFY] ||
           common[SETTINGS_BUDGET] || common[SETTINGS_ROWS_MAX] ||
           common[SETTINGS_CLIP] || common[SETTINGS_SAFE];
}

void set_outcome(const pith_options *options, pith_outcome outcome)
{
    if (options && options->outcome)
        *options->outcome = outcome;
}

void set_streamed_outcome(const pith_options *options, const codec *format,
                          const pith_out *out)
{
    pith_outcome outcome;
    memset(&outcome, 0, sizeof outcome);
    outcome.format = format->info.name;
    outcome.bytes = (size_t)out->sent;
    set_outcome(options, outcome);
}

/* A value on its way to the sink. */
typedef struct write_job {
    const api_side *to;
    const pith_doc *doc;
    uint32_t at;
    const form_given *given; /* the text it was read from; NULL for none */
    const pith_options *options;
    pith_sink sink;
    pith_buffer text; /* as it was written to memory */
    api_side json;    /* what the guard may put in the place of `to` */
    cut_tally tally;  /* what was left out */
    pith_outcome *outcome;
    pith_error *err; /* not NULL */
} write_job;

/* ------------------------------------------------------------------- verify */

static pith_status write_not_verified(const api_side *to, const pith_error *why,
                                      pith_error *err)
{
    if (why) {
        return error_set(err, PITH_UNREPRESENTABLE, "not_verified",
                         "the %s written does not read back (%s in line %zu: %s); "
                         "nothing was written",
                         to->format->info.name, why->code, why->line, why->message);
    }
    return error_set(err, PITH_UNREPRESENTABLE, "not_verified",
                     "the %s written reads back as another value; nothing was written",
                     to->format->info.name);
}

/* Reads the text as the format it was written in, with the settings that go with it. */
static pith_status write_read_back(const api_side *to, pith_text text, pith_doc *again,
                                   const pith_options *options, pith_error *why)
{
    api_side from;
    reporter report;
    from.format = to->format;
    settings_read_back(&from.set, &to->format->info, &to->set);
    if (to->format->read_back)
        to->format->read_back(&from.set, &to->set);
    report_init(&report, text);
    side_read(&from, again, text, options, &report);
    return report_result(&report, why);
}

static bool write_is_same(const pith_doc *doc, uint32_t at, pith_doc *again,
                          settings_verify how, bool *known)
{
    return how == VERIFY_DIGITS ? doc_find_digits(doc, at, again, 0, known) == SLOT_NONE
                                : doc_same(doc, at, again, 0, known);
}

pith_status write_verify(const api_side *to, pith_text text, settings_verify how,
                         const pith_doc *doc, uint32_t at, const pith_options *options,
                         pith_error *err)
{
    pith_options reading;
    memset(&reading, 0, sizeof reading);
    reading.alloc = alloc_from(options);
    reading.depth_max = PITH_DEPTH_MOST;
    reading.memory_max = SIZE_MAX;
    reading.progress = options ? options->progress : NULL;
    reading.progress_ctx = options ? options->progress_ctx : NULL;
    pith_doc *again = pith_doc_new(&reading);
    if (!again)
        return error_no_memory(err);
    pith_error why;
    bool known = true;
    pith_status status = write_read_back(to, text, again, &reading, &why);
    if (status == PITH_NO_MEMORY || status == PITH_CANCELLED)
        error_copy(&why, err);
    else if (status != PITH_OK)
        status = write_not_verified(to, &why, err);
    else if (!write_is_same(doc, at, again, how, &known))
        status = known ? write_not_verified(to, NULL, err) : error_no_memory(err);
    pith_doc_free(again);
    return status;
}

/* -------------------------------------------------------------------- guard */

enum { WRITE_GUARD_FIRST = 1 << 20 /* tokens, of which JSON has seldom more */ };

/* How counting one of the two texts ended: it was counted, it has too many tokens, or it
 * is longer than the output may be, however many tokens are allowed. */
typedef enum write_counted { WRITE_COUNTED, WRITE_BEYOND, WRITE_STUCK } write_counted;

static pith_status write_count_one(write_job *job, cost_counter *counter,
                                   const api_side *to, text_cost *cost,
                                   write_counted *how)
{
    pith_options plain;
    memset(&plain, 0, sizeof plain);
    plain.alloc = alloc_from(job->options);
    plain.output_max = job->options ? job->options->output_max : 0;
    plain.progress = job->options ? job->options->progress : NULL;
    plain.progress_ctx = job->options ? job->options->progress_ctx : NULL;
    const pith_options *options = to == &job->json ? &plain : job->options;
    pith_status status = cost_of(counter, to, job->doc, job->at, options, cost, job->err);
    bool beyond = status == PITH_LIMIT && counter->stopped;
    bool stuck =
        !beyond && status == PITH_LIMIT && strcmp(job->err->code, "output_limit") == 0;
    *how = beyond ? WRITE_BEYOND : stuck ? WRITE_STUCK : WRITE_COUNTED;
    return beyond || stuck ? PITH_OK : status;
}

/* Counts the value as JSON, then in its form, as far as that takes fewer tokens. Either may
 * be as long as the square of what was read, so both are stopped at a number of tokens, and
 * tried again with more when neither ended before that. */
static pith_status write_count(write_job *job, bool *fewer)
{
    cost_counter counter;
    text_cost cost;
    write_counted json = WRITE_BEYOND, form = WRITE_BEYOND;
    memset(&cost, 0, sizeof cost);
    pith_status status = cost_open(&counter, job->options, job->err);
    for (size_t most = WRITE_GUARD_FIRST;
         status == PITH_OK && json != WRITE_COUNTED && form != WRITE_COUNTED &&
         (json == WRITE_BEYOND || form == WRITE_BEYOND);
         most *= 4) {
        counter.stop_at_tokens = most;
        status = write_count_one(job, &counter, &job->json, &cost, &json);
        if (status == PITH_OK && json == WRITE_COUNTED)
            job->outcome->json_tokens = counter.stop_at_tokens = cost.tokens;
        if (status == PITH_OK)
            status = write_count_one(job, &counter, job->to, &cost, &form);
    }
    *fewer = status == PITH_OK && form == WRITE_COUNTED &&
             (json != WRITE_COUNTED || cost.tokens < job->outcome->json_tokens);
    job->outcome->tokens = *fewer ? cost.tokens : job->outcome->json_tokens;
    cost_close(&counter);
    return status;
}

/* Makes JSON the form if the other takes no fewer tokens. */
static pith_status write_guard(write_job *job)
{
    bool fewer = false;
    pith_status status = side_for_writing(&job->json, "json", NULL, job->err);
    job->json.set.common[SETTINGS_SAFE] = job->to->set.common[SETTINGS_SAFE];
    if (status == PITH_OK)
        status = write_count(job, &fewer);
    if (status == PITH_OK && !fewer)
        job->to = &job->json;
    return status;
}

/* ------------------------------------------------------------------ writing */

/* Ends the text that is in memory with the note that is due. */
static pith_status write_note(write_job *job)
{
    char note[NOTE_TEXT_MOST];
    char last = job->text.len > 0 ? job->text.data[job->text.len - 1] : '\n';
    size_t len = note_line(job->to, &job->tally, "rows", last, note);
    pith_sink text = pith_sink_buffer(&job->text);
    if (len == 0)
        return PITH_OK;
    if (text.write(text.ctx, note, len) != PITH_OK)
        return error_no_memory(job->err);
    if (job->outcome->tokens == 0)
        return PITH_OK;
    cost_counter counter;
    pith_status status = cost_open(&counter, job->options, job->err);
    if (status == PITH_OK)
        status = cost_of_text(&counter, text_of(job->text.data, job->text.len),
                              &job->outcome->tokens, job->err);
    cost_close(&counter);
    return status;
}

/* Sends the text that is in memory, once it has been verified. */
static pith_status write_send(write_job *job)
{
    settings_verify how = (settings_verify)job->to->set.common[SETTINGS_VERIFY];
    pith_status status = write_note(job);
    pith_text text = text_of(job->text.data, job->text.len);
    if (status == PITH_OK && how != VERIFY_NOT)
        status =
            write_verify(job->to, text, how, job->doc, job->at, job->options, job->err);
    if (status != PITH_OK)
        return status;
    pith_out out;
    out_init(&out, job->sink, job->options);
    out_text(&out, text);
    side_end_text(job->to, &out);
    status = out_finish(&out, job->err);
    job->outcome->format = job->to->format->info.name;
    job->outcome->bytes = (size_t)out.sent;
    return status;
}

/* Writes to memory first, and sends what has been verified. */
static pith_status write_verified(write_job *job)
{
    size_t bytes;
    pith_status status = side_encode(job->to, job->doc, job->at, job->options,
                                     pith_sink_buffer(&job->text), &bytes, job->err);
    return status == PITH_OK ? write_send(job) : status;
}

/* Writes the value in the form that `to` says, or as JSON. */
static pith_status write_form(write_job *job)
{
    pith_status status = PITH_OK;
    if (job->to->set.common[SETTINGS_GUARD])
        status = write_guard(job);
    if (status != PITH_OK)
        return status;
    job->outcome->format = job->to->format->info.name;
    bool noted = note_is_due(&job->tally) && note_place(job->to) == NOTE_LINE;
    return noted || job->to->set.common[SETTINGS_VERIFY]
               ? write_verified(job)
               : side_encode(job->to, job->doc, job->at, job->options, job->sink,
                             &job->outcome->bytes, job->err);
}

/* Writes the value in the cheapest form. The text of it is there already, unless the guard
 * comes to another conclusion: then it is written again, and remarks are made then. */
static pith_status write_cheapest(write_job *job)
{
    api_side chosen;
    pith_options quiet;
    memset(&quiet, 0, sizeof quiet);
    quiet = job->options ? *job->options : quiet;
    if (job->to->set.common[SETTINGS_GUARD])
        quiet.notice = NULL;
    form_job form = {job->to, job->doc, job->at, job->given, &quiet};
    pith_status status =
        cheapest_form(&form, &chosen, &job->text, job->outcome, job->err);
    if (status != PITH_OK)
        return status;
    job->to = &chosen;
    if (!chosen.set.common[SETTINGS_GUARD])
        return write_send(job);
    job->text.len = 0;
    return write_form(job);
}

static pith_status write_chosen(write_job *job)
{
    return form_is_open(job->to) ? write_cheapest(job) : write_form(job);
}

/* Writes a value of a document without doubles, or as much of it as is wanted. */
static pith_status write_spelled(write_job *job)
{
    pith_doc *cut = NULL;
    const uint64_t *common = job->to->set.common;
    bool budget = common[SETTINGS_BUDGET] > 0;
    pith_status status = PITH_OK;
    if (common[SETTINGS_ROWS_MAX] > 0 || (common[SETTINGS_CLIP] > 0 && !budget)) {
        status = budget_limit(job->to, job->doc, job->at, !budget, job->options, &cut,
                              &job->tally, job->err);
        job->outcome->unit = "rows";
        note_outcome(&job->tally, job->outcome);
    }
    if (cut) {
        job->doc = cut;
        job->at = 0;
        job->given = NULL;
    }
    if (status == PITH_OK) {
        status = budget ? budget_write(job->to, job->doc, job->at, false, job->given,
                                       job->options, job->sink, &job->tally, job->outcome,
                                       job->err)
                        : write_chosen(job);
    }
    pith_doc_free(cut);
    return status;
}

pith_status write_value(const api_side *to, const pith_doc *doc, uint32_t at,
                        const pith_options *options, pith_sink sink, pith_error *err)
{
    return write_read_value(to, doc, at, NULL, 0, options, sink, err);
}

pith_status write_read_value(const api_side *to, const pith_doc *doc, uint32_t at,
                             const form_given *given, size_t rows_gone,
                             const pith_options *options, pith_sink sink, pith_error *err)
{
    pith_error local;
    pith_outcome outcome;
    spelled_value value;
    write_job job;
    memset(&outcome, 0, sizeof outcome);
    memset(&job, 0, sizeof job);
    err = err ? err : &local;
    if (!spelled_open(&value, doc, at, alloc_from(options)))
        return error_no_memory(err);
    job.to = to;
    job.doc = value.doc;
    job.at = value.at;
    job.given = given;
    job.tally.rows_left_out = rows_gone;
    job.options = options;
    job.sink = sink;
    job.text.alloc = alloc_from(options);
    job.outcome = &outcome;
    job.err = err;
    pith_status status = write_spelled(&job);
    pith_buffer_free(&job.text);
    spelled_close(&value);
    if (status == PITH_OK) {
        note_tell(options, &job.tally, &outcome, to->set.common[SETTINGS_BUDGET]);
        set_outcome(options, outcome);
    }
    return status;
}
