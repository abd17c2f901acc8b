/*
 * care.c - writing that looks before it leaps.
 *
 * With guard=true a text that is not smaller than the compact JSON it replaces is
 * replaced by that JSON. With verify=true the text is read back and compared with the
 * value. Both need the whole text before the first byte may leave, so it is written to
 * memory; without them it goes straight to the sink.
 */
#include "api/care.h"
#include "doc/same.h"

void api_tell(const pith_options *options, const char *format, size_t bytes, size_t other)
{
    if (options && options->outcome) {
        pith_outcome outcome = {format, bytes, other};
        *options->outcome = outcome;
    }
}

static pith_status care_count(void *ctx, const char *data, size_t len)
{
    (void)data;
    *(size_t *)ctx += len;
    return PITH_OK;
}

/* Writes the value as `to` and says how long it is. */
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

static pith_status care_verify(const api_format *to, pith_text text, const pith_doc *doc,
                               uint32_t at, const pith_options *options, pith_error *err)
{
    pith_options reading;
    memset(&reading, 0, sizeof reading);
    reading.depth_max = PITH_DEPTH_MOST;
    reading.alloc = alloc_from(options);
    pith_doc *again = pith_doc_new(&reading);
    if (!again) {
        return error_no_memory(err);
    }
    api_format from;
    from.format = to->format;
    settings_read_back(&from.set, &to->format->info, &to->set);
    if (to->format->read_back) {
        to->format->read_back(&from.set, &to->set);
    }
    reporter report;
    report_init(&report, text);
    api_read(again, &from, text, &reading, &report);
    pith_error why;
    bool known = true;
    pith_status status = report_result(&report, &why);
    if (status == PITH_NO_MEMORY) {
        status = error_no_memory(err);
    } else if (status != PITH_OK) {
        status = care_not_verified(to, &why, err);
    } else if (!doc_same(again, 0, doc, at, &known)) {
        status = known ? care_not_verified(to, NULL, err) : error_no_memory(err);
    }
    pith_doc_free(again);
    return status;
}

/* -------------------------------------------------------------------- guard */

static pith_status care_choose_json(api_format *json, pith_error *err)
{
    pith_text none = {NULL, 0};
    return api_choose(json, "json", PITH_WRITE, none, NULL, err);
}

/* Whether the text, `bytes` long, is to give way to JSON; that is written then. */
static pith_status care_guard(size_t bytes, const pith_doc *doc, uint32_t at,
                              const pith_options *options, pith_sink sink, bool *replaced,
                              size_t *json_bytes, pith_error *err)
{
    api_format json;
    pith_sink counting = {care_count, json_bytes};
    pith_options plain;
    size_t sent;
    memset(&plain, 0, sizeof plain);
    plain.alloc = alloc_from(options);
    *json_bytes = 0;
    pith_status status = care_choose_json(&json, err);
    if (status == PITH_OK) {
        status = care_write(&json, doc, at, &plain, counting, &sent, err);
    }
    *replaced = status == PITH_OK && bytes >= *json_bytes;
    if (*replaced) {
        status = care_write(&json, doc, at, options, sink, &sent, err);
        api_tell(options, json.format->info.name, *json_bytes, bytes);
    }
    return status;
}

/* True when the text grew beyond every bound, which is the guard's business. */
static bool care_overflowed(const api_format *to, pith_status status,
                            const pith_error *err)
{
    return status == PITH_LIMIT && to->set.common[SETTINGS_GUARD] &&
           strcmp(err->code, "output_limit") == 0;
}

static pith_status care_finish(const api_format *to, pith_text text, const pith_doc *doc,
                               uint32_t at, const pith_options *options, pith_sink sink,
                               pith_error *err)
{
    size_t json_bytes = 0;
    if (to->set.common[SETTINGS_GUARD]) {
        bool replaced;
        pith_status status = care_guard(text.ptr ? text.len : SIZE_MAX, doc, at, options,
                                        sink, &replaced, &json_bytes, err);
        if (status != PITH_OK || replaced) {
            return status;
        }
    }
    if (to->set.common[SETTINGS_VERIFY]) {
        pith_status status = care_verify(to, text, doc, at, options, err);
        if (status != PITH_OK) {
            return status;
        }
    }
    pith_out out;
    out_init(&out, sink, options);
    out_text(&out, text);
    pith_status status = out_finish(&out, err);
    if (status == PITH_OK) {
        api_tell(options, to->format->info.name, text.len, json_bytes);
    }
    return status;
}

pith_status api_write_to(const api_format *to, const pith_doc *doc, uint32_t at,
                         const pith_options *options, pith_sink sink, pith_error *err)
{
    size_t bytes;
    if (!api_is_careful(to)) {
        pith_status status = care_write(to, doc, at, options, sink, &bytes, err);
        if (status == PITH_OK) {
            api_tell(options, to->format->info.name, bytes, 0);
        }
        return status;
    }
    pith_error local;
    pith_error *why = err ? err : &local;
    pith_buffer text = {NULL, 0, 0, alloc_from(options)};
    pith_status status =
        care_write(to, doc, at, options, pith_sink_buffer(&text), &bytes, why);
    if (care_overflowed(to, status, why)) {
        pith_text none = {NULL, 0};
        status = care_finish(to, none, doc, at, options, sink, why);
    } else if (status == PITH_OK) {
        status =
            care_finish(to, text_of(text.data, text.len), doc, at, options, sink, why);
    }
    pith_buffer_free(&text);
    return status;
}
