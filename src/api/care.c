/*
 * care.c - writing that looks before it leaps.
 *
 * With guard=true a text that takes no fewer tokens than the compact JSON it replaces is
 * replaced by that JSON. With verify=true the text is read back and compared with the
 * value. Both need the whole text before the first byte may leave, so it is written to
 * memory; without them it goes straight to the sink.
 */
#include "api/care.h"
#include "api/settle.h"
#include "doc/same.h"

bool api_is_careful(const api_format *to)
{
    return api_is_open(to) || to->set.common[SETTINGS_GUARD] ||
           to->set.common[SETTINGS_VERIFY];
}

void api_tell(const pith_options *options, pith_outcome outcome)
{
    if (options && options->outcome)
        *options->outcome = outcome;
}

/* ---------------------------------------------------------- what cannot be held */

pith_status api_choose_plain(api_format *to, const codec *format, const char *what,
                             const pith_options *options, pith_error *err)
{
    pith_text none = {NULL, 0};
    pith_status status =
        api_choose(to, format->info.name, PITH_WRITE, none, options, err);
    for (size_t i = 0; status == PITH_OK && i < SETTINGS_COMMON_COUNT; i++) {
        if (to->set.common[i]) {
            const char *word = pith_setting_common(i)->word;
            status = error_set(err, PITH_BAD_USE, "unused_setting",
                               "%s has no say here, because %s is not held back until it "
                               "is whole; leave it out",
                               word, what);
        }
    }
    return status;
}

void api_tell_plain(const pith_options *options, const codec *format, const pith_out *out)
{
    pith_outcome outcome = {format->info.name, (size_t)out->sent, 0, 0};
    api_tell(options, outcome);
}

/* ------------------------------------------------------------------- verify */

static pith_status care_not_verified(const api_format *to, const pith_error *why,
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
static pith_status care_read_back(const api_format *to, pith_text text, pith_doc *again,
                                  const pith_options *options, pith_error *why)
{
    api_format from;
    reporter report;
    from.format = to->format;
    settings_read_back(&from.set, &to->format->info, &to->set);
    if (to->format->read_back)
        to->format->read_back(&from.set, &to->set);
    report_init(&report, text);
    api_read(again, &from, text, options, &report);
    return report_result(&report, why);
}

static pith_status care_verify(const api_format *to, pith_text text, const pith_doc *doc,
                               uint32_t at, const pith_options *options, pith_error *err)
{
    pith_options reading;
    memset(&reading, 0, sizeof reading);
    reading.alloc = alloc_from(options);
    reading.depth_max = PITH_DEPTH_MOST;
    pith_doc *again = pith_doc_new(&reading);
    if (!again)
        return error_no_memory(err);
    pith_error why;
    bool known = true;
    pith_status status = care_read_back(to, text, again, &reading, &why);
    if (status == PITH_NO_MEMORY)
        status = error_no_memory(err);
    else if (status != PITH_OK)
        status = care_not_verified(to, &why, err);
    else if (!doc_same(doc, at, again, 0, &known))
        status = known ? care_not_verified(to, NULL, err) : error_no_memory(err);
    pith_doc_free(again);
    return status;
}

/* -------------------------------------------------------------------- guard */

/* A form that was written to memory. */
typedef struct care_job {
    const api_format *to;
    const pith_doc *doc;
    uint32_t at;
    const pith_options *options;
    pith_sink sink;
    pith_buffer text;
    bool overflowed; /* the text grew beyond every bound; there is none */
    pith_outcome outcome;
    pith_error *err; /* not NULL */
} care_job;

static pith_status care_weigh(care_job *job, const api_format *json)
{
    api_scale scale;
    api_tally tally;
    pith_options plain;
    memset(&plain, 0, sizeof plain);
    plain.alloc = alloc_from(job->options);
    pith_status status = scale_open(&scale, job->options, job->err);
    if (status == PITH_OK) {
        status = scale_weigh(&scale, json, job->doc, job->at, &plain, &tally, job->err);
        job->outcome.json_tokens = tally.tokens;
    }
    if (status == PITH_OK && !job->overflowed) {
        status = scale_count(&scale, text_of(job->text.data, job->text.len),
                             &job->outcome.tokens, job->err);
    }
    scale_close(&scale);
    return status;
}

/* Replaces the text by JSON if it takes no fewer tokens. */
static pith_status care_guard(care_job *job, bool *replaced)
{
    api_format json;
    pith_text none = {NULL, 0};
    *replaced = false;
    pith_status status = api_choose(&json, "json", PITH_WRITE, none, NULL, job->err);
    if (status == PITH_OK)
        status = care_weigh(job, &json);
    if (status != PITH_OK ||
        (!job->overflowed && job->outcome.tokens < job->outcome.json_tokens))
        return status;
    *replaced = true;
    pith_out out;
    out_init(&out, job->sink, job->options);
    status = api_write(&json, &out, job->doc, job->at, job->err);
    job->outcome.format = json.format->info.name;
    job->outcome.bytes = (size_t)out.sent;
    job->outcome.tokens = job->outcome.json_tokens;
    return status;
}

/* Guards and verifies the text, and sends it. */
static pith_status care_send(care_job *job)
{
    bool replaced = false;
    pith_status status = PITH_OK;
    pith_text text = text_of(job->text.data, job->text.len);
    if (job->to->set.common[SETTINGS_GUARD])
        status = care_guard(job, &replaced);
    if (status != PITH_OK || replaced)
        return status;
    if (job->to->set.common[SETTINGS_VERIFY])
        status = care_verify(job->to, text, job->doc, job->at, job->options, job->err);
    if (status != PITH_OK)
        return status;
    pith_out out;
    out_init(&out, job->sink, job->options);
    out_text(&out, text);
    job->outcome.format = job->to->format->info.name;
    job->outcome.bytes = text.len;
    return out_finish(&out, job->err);
}

/* ------------------------------------------------------------------ writing */

static pith_status care_write(const api_format *to, const pith_doc *doc, uint32_t at,
                              const pith_options *options, pith_sink sink, size_t *bytes,
                              pith_error *err)
{
    pith_out out;
    out_init(&out, sink, options);
    pith_status status = api_write(to, &out, doc, at, err);
    *bytes = (size_t)out.sent;
    return status;
}

/* Writes to memory first. */
static pith_status care_hold(care_job *job)
{
    size_t bytes;
    pith_status status = care_write(job->to, job->doc, job->at, job->options,
                                    pith_sink_buffer(&job->text), &bytes, job->err);
    if (status == PITH_LIMIT && job->to->set.common[SETTINGS_GUARD] &&
        strcmp(job->err->code, "output_limit") == 0) {
        job->overflowed = true;
        status = PITH_OK;
    }
    return status == PITH_OK ? care_send(job) : status;
}

pith_status api_write_settled(const api_format *to, const pith_doc *doc, uint32_t at,
                              const pith_options *options, pith_sink sink,
                              pith_outcome outcome, pith_error *err)
{
    pith_error local;
    care_job job;
    memset(&job, 0, sizeof job);
    job.to = to;
    job.doc = doc;
    job.at = at;
    job.options = options;
    job.sink = sink;
    job.text.alloc = alloc_from(options);
    if (!err)
        err = &local;
    job.err = err;
    job.outcome = outcome;
    job.outcome.format = to->format->info.name;
    pith_status status;
    if (to->set.common[SETTINGS_GUARD] || to->set.common[SETTINGS_VERIFY]) {
        status = care_hold(&job);
        pith_buffer_free(&job.text);
    } else {
        status = care_write(to, doc, at, options, sink, &job.outcome.bytes, err);
    }
    if (status == PITH_OK)
        api_tell(options, job.outcome);
    return status;
}

pith_status api_write_to(const api_format *to, const pith_doc *doc, uint32_t at,
                         const pith_options *options, pith_sink sink, pith_error *err)
{
    pith_outcome outcome = {NULL, 0, 0, 0};
    api_format settled;
    if (!api_is_open(to))
        return api_write_settled(to, doc, at, options, sink, outcome, err);
    pith_status status = api_settle(&settled, to, doc, at, options, &outcome, err);
    return status == PITH_OK
               ? api_write_settled(&settled, doc, at, options, sink, outcome, err)
               : status;
}
