/*
 * side.c - one side of a conversion: a format with its settings, reading or writing.
 */
#include "api/note.h"
#include "doc/spelled.h"
#include "format/read.h"
#include "format/safe.h"

/* What every option says is known here, so all that can be wrong is a size of nothing. */
pith_status check_size(const char *what, size_t size, size_t least, pith_error *err)
{
    return size == 0 || size >= least
               ? PITH_OK
               : error_set(err, PITH_BAD_USE, "bad_size",
                           "the size of the %s is %zu, and %zu bytes are the least; "
                           "zero-initialise them",
                           what, size, least);
}

static pith_status side_choose(api_side *chosen, const char *name, unsigned direction,
                               pith_text text, const pith_options *options,
                               pith_error *err)
{
    const char *words = !options                  ? NULL
                        : direction == PITH_WRITE ? options->write
                                                  : options->read;
    pith_status status =
        check_size("options", options ? options->size : 0, sizeof *options, err);
    if (status == PITH_OK)
        status = format_choose(&chosen->format, name, direction, text, err);
    return status == PITH_OK
               ? settings_read(&chosen->set, &chosen->format->info, direction, words, err)
               : status;
}

pith_status side_for_reading(api_side *from, const char *name, pith_text text,
                             const pith_options *options, pith_error *err)
{
    pith_alloc alloc = alloc_from(options);
    pith_status status = side_choose(from, name, PITH_READ, text, options, err);
    if (status != PITH_OK)
        return status;
    select_words words = settings_selected(&from->set);
    return select_is_wanted(&words) ? select_check(&words, &alloc, err) : PITH_OK;
}

pith_status side_check_countable(const codec *format, const char *what, pith_error *err)
{
    return format->info.binary
               ? error_set(err, PITH_BAD_USE, "unused_setting",
                           "%s counts tokens, and %s, which is binary, has none", what,
                           format->info.name)
               : PITH_OK;
}

pith_status side_for_writing(api_side *to, const char *name, const pith_options *options,
                             pith_error *err)
{
    pith_status status = side_choose(to, name, PITH_WRITE, text_of("", 0), options, err);
    const uint64_t *common = to->set.common;
    if (status == PITH_OK && common[SETTINGS_GUARD])
        status = side_check_countable(to->format, "guard", err);
    if (status == PITH_OK && common[SETTINGS_OPTIMIZE])
        status = side_check_countable(to->format, "optimize", err);
    if (status == PITH_OK && common[SETTINGS_GUARD] && common[SETTINGS_BUDGET]) {
        status = error_set(err, PITH_BAD_USE, "unused_setting",
                           "guard has no say under a budget, which decides what is too "
                           "much; leave it out");
    }
    if (status == PITH_OK && common[SETTINGS_BUDGET])
        status = side_check_countable(to->format, "a budget", err);
    return status == PITH_OK ? note_check(to, err) : status;
}

pith_status side_for_streaming(api_side *to, const codec *format, const char *what,
                               const pith_options *options, pith_error *err)
{
    pith_status status = side_for_writing(to, format->info.name, options, err);
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

/* -------------------------------------------------------------------- reading */

void side_select(const api_side *from, pith_doc *doc, reporter *report)
{
    select_words words = settings_selected(&from->set);
    if (!select_is_wanted(&words) || report->count > 0)
        return;
    selection select;
    memset(&select, 0, sizeof select);
    if (select_open(&select, &words, doc->alloc) && select_in_document(&select, doc))
        select_end(&select, report);
    else
        report_no_memory(report);
    select_close(&select);
}

void side_read(const api_side *from, pith_doc *doc, pith_text text,
               const pith_options *options, reporter *report)
{
    decode_job job = {doc, text, &from->set, report, NULL};
    alloc_meter meter = {.used = 0};
    size_t depth_max = doc->depth_max;
    pith_doc_reset(doc);
    if (options) {
        doc->depth_max = options->depth_max ? doc_depth_limit(options) : depth_max;
        report->progress = options->progress;
        report->progress_ctx = options->progress_ctx;
        report->notice = options->notice;
        report->notice_ctx = options->notice_ctx;
    }
    read_count_memory(&job, &meter, options ? options->memory_max : 0);
    read_whole(from->format, &job);
    side_select(from, doc, report);
    read_memory_counted(&job);
    doc->depth_max = depth_max;
    if (report->count > 0)
        pith_doc_reset(doc);
}

pith_status read_text(pith_doc *doc, const char *name, const char *text, size_t len,
                      const pith_options *options, pith_error *err)
{
    api_side from;
    pith_text input = text_of(text ? text : "", len);
    pith_doc_reset(doc);
    pith_status status = side_for_reading(&from, name, input, options, err);
    if (status != PITH_OK)
        return status;
    reporter report;
    report_init(&report, input);
    side_read(&from, doc, input, options, &report);
    return report_result(&report, err);
}

/* -------------------------------------------------------------------- writing */

void side_end_text(const api_side *to, pith_out *out)
{
    if (to->set.common[SETTINGS_FINAL_NEWLINE] && !to->format->info.binary)
        out_end_line(out);
}

/* Nothing in the text is hidden: see safe.h. */
static pith_status side_encode_safe(const codec *format, encode_job *job)
{
    safe_value value;
    pith_status status = safe_check(format, job->set, job->doc, job->at, job->err);
    if (status != PITH_OK)
        return status;
    if (!safe_open(&value, job->doc, job->at, job->out->alloc))
        return error_no_memory(job->err);
    encode_job marked = {job->out, &value.own, 0, job->set, job->err};
    job->out->safe = true;
    status = format->encode(&marked);
    safe_close(&value);
    return status;
}

pith_status side_encode(const api_side *to, const pith_doc *doc, uint32_t at,
                        const pith_options *options, pith_sink sink, size_t *bytes,
                        pith_error *err)
{
    assert(doc_is_spelled(doc));
    pith_out out;
    encode_job job = {&out, doc, at, &to->set, err};
    out_init(&out, sink, options);
    pith_status status = out_explain(&out, err); /* there may be no sink */
    if (status == PITH_OK)
        status = to->set.common[SETTINGS_SAFE] ? side_encode_safe(to->format, &job)
                                               : to->format->encode(&job);
    if (status == PITH_OK)
        side_end_text(to, &out);
    if (status == PITH_OK)
        status = out_finish(&out, err);
    else
        out_abandon(&out);
    *bytes = (size_t)out.sent;
    return status;
}
