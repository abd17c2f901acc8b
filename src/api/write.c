/*
 * write.c - the one way in which a value is written.
 *
 *     write_value --> budget_limit_rows, budget_write               rows_max, budget
 *                 --> cheapest_form --> cost_of --> side_encode     auto, optimize, tokens
 *                 --> write_form ---> side_encode                   to the sink, or to memory
 *                                                                   first: guard, verify
 *
 * With guard=true a text that takes no fewer tokens than the compact JSON it replaces is
 * replaced by that JSON. With verify=true the text is read back and compared with the
 * value. Both need the whole text before the first byte may leave, so it is written to
 * memory; without them it goes straight to the sink.
 */
#include "api/budget.h"
#include "doc/same.h"
#include "doc/spelled.h"

bool side_needs_whole_value(const api_side *to)
{
    const uint64_t *common = to->set.common;
    return form_is_open(to) || common[SETTINGS_GUARD] || common[SETTINGS_VERIFY] ||
           common[SETTINGS_BUDGET] || common[SETTINGS_ROWS_MAX];
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
    const pith_options *options;
    pith_sink sink;
    pith_buffer text; /* as it was written to memory */
    bool overflowed;  /* the text grew beyond every bound; there is none */
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

pith_status write_verify(const api_side *to, pith_text text, const pith_doc *doc,
                         uint32_t at, const pith_options *options, pith_error *err)
{
    pith_options reading;
    memset(&reading, 0, sizeof reading);
    reading.alloc = alloc_from(options);
    reading.depth_max = PITH_DEPTH_MOST;
    reading.memory_max = SIZE_MAX;
    pith_doc *again = pith_doc_new(&reading);
    if (!again)
        return error_no_memory(err);
    pith_error why;
    bool known = true;
    pith_status status = write_read_back(to, text, again, &reading, &why);
    if (status == PITH_NO_MEMORY)
        status = error_no_memory(err);
    else if (status != PITH_OK)
        status = write_not_verified(to, &why, err);
    else if (!doc_same(doc, at, again, 0, &known))
        status = known ? write_not_verified(to, NULL, err) : error_no_memory(err);
    pith_doc_free(again);
    return status;
}

/* -------------------------------------------------------------------- guard */

static pith_status write_count(write_job *job, const api_side *json)
{
    cost_counter counter;
    text_cost cost = {0, false};
    pith_options plain;
    memset(&plain, 0, sizeof plain);
    plain.alloc = alloc_from(job->options);
    pith_status status = cost_open(&counter, job->options, job->err);
    if (status == PITH_OK)
        status = cost_of(&counter, json, job->doc, job->at, &plain, &cost, job->err);
    job->outcome->json_tokens = cost.tokens;
    if (status == PITH_OK && !job->overflowed) {
        status = cost_of_text(&counter, text_of(job->text.data, job->text.len),
                              &job->outcome->tokens, job->err);
    }
    cost_close(&counter);
    return status;
}

/* Writes JSON instead of the text if that takes no fewer tokens. */
static pith_status write_guard(write_job *job, bool *replaced)
{
    api_side json;
    *replaced = false;
    pith_status status = side_for_writing(&json, "json", NULL, job->err);
    if (status == PITH_OK)
        status = write_count(job, &json);
    if (status != PITH_OK ||
        (!job->overflowed && job->outcome->tokens < job->outcome->json_tokens))
        return status;
    *replaced = true;
    job->outcome->format = json.format->info.name;
    job->outcome->tokens = job->outcome->json_tokens;
    return side_encode(&json, job->doc, job->at, job->options, job->sink,
                       &job->outcome->bytes, job->err);
}

/* ------------------------------------------------------------------ writing */

/* Guards and verifies the text, and sends it. */
static pith_status write_send(write_job *job)
{
    bool replaced = false;
    pith_status status = PITH_OK;
    pith_text text = text_of(job->text.data, job->text.len);
    if (job->to->set.common[SETTINGS_GUARD])
        status = write_guard(job, &replaced);
    if (status != PITH_OK || replaced)
        return status;
    if (job->to->set.common[SETTINGS_VERIFY])
        status = write_verify(job->to, text, job->doc, job->at, job->options, job->err);
    if (status != PITH_OK)
        return status;
    pith_out out;
    out_init(&out, job->sink, job->options);
    out_text(&out, text);
    job->outcome->bytes = text.len;
    return out_finish(&out, job->err);
}

/* Writes to memory first. */
static pith_status write_held(write_job *job)
{
    size_t bytes;
    pith_status status = side_encode(job->to, job->doc, job->at, job->options,
                                     pith_sink_buffer(&job->text), &bytes, job->err);
    if (status == PITH_LIMIT && job->to->set.common[SETTINGS_GUARD] &&
        strcmp(job->err->code, "output_limit") == 0) {
        job->overflowed = true;
        status = PITH_OK;
    }
    return status == PITH_OK ? write_send(job) : status;
}

/* Writes the value in the form that `to` says. */
static pith_status write_form(write_job *job)
{
    const uint64_t *common = job->to->set.common;
    job->outcome->format = job->to->format->info.name;
    return common[SETTINGS_GUARD] || common[SETTINGS_VERIFY]
               ? write_held(job)
               : side_encode(job->to, job->doc, job->at, job->options, job->sink,
                             &job->outcome->bytes, job->err);
}

/* Writes the value in the cheapest form, where that is left open. */
static pith_status write_chosen(write_job *job)
{
    api_side chosen;
    pith_status status = PITH_OK;
    if (form_is_open(job->to)) {
        status = cheapest_form(&chosen, job->to, job->doc, job->at, job->options,
                               job->outcome, job->err);
        job->to = &chosen;
    }
    return status == PITH_OK ? write_form(job) : status;
}

/* Writes a value of a document without doubles, or as much of it as is wanted. */
static pith_status write_spelled(write_job *job)
{
    pith_doc *cut = NULL;
    size_t rows_max = (size_t)job->to->set.common[SETTINGS_ROWS_MAX];
    pith_status status = PITH_OK;
    if (rows_max > 0) {
        status = budget_limit_rows(job->to, job->doc, job->at, job->options, &cut,
                                   job->outcome, job->err);
    }
    if (cut) {
        job->doc = cut;
        job->at = 0;
    }
    if (status == PITH_OK) {
        status = job->to->set.common[SETTINGS_BUDGET] > 0
                     ? budget_write(job->to, job->doc, job->at, true, job->options,
                                    job->sink, job->outcome, job->err)
                     : write_chosen(job);
    }
    pith_doc_free(cut);
    return status;
}

pith_status write_value(const api_side *to, const pith_doc *doc, uint32_t at,
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
    job.options = options;
    job.sink = sink;
    job.text.alloc = alloc_from(options);
    job.outcome = &outcome;
    job.err = err;
    pith_status status = write_spelled(&job);
    pith_buffer_free(&job.text);
    spelled_close(&value);
    if (status == PITH_OK)
        set_outcome(options, outcome);
    return status;
}
