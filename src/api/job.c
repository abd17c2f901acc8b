/*
 * job.c - one side of a conversion.
 */
#include "api/job.h"
#include "doc/spelled.h"
#include "format/read.h"

pith_status api_check_countable(const codec *format, const char *what, pith_error *err)
{
    return format->info.binary
               ? error_set(err, PITH_BAD_USE, "unused_setting",
                           "%s counts tokens, and %s, which is binary, has none", what,
                           format->info.name)
               : PITH_OK;
}

pith_status api_choose(api_format *chosen, const char *name, unsigned side,
                       pith_text text, const pith_options *options, pith_error *err)
{
    pith_error local;
    if (!err)
        err = &local;
    chosen->format = format_choose(name, side, text, err);
    if (!chosen->format)
        return err->status;
    const char *words = NULL;
    if (options)
        words = side == PITH_READ ? options->read : options->write;
    pith_status status =
        settings_read(&chosen->set, &chosen->format->info, side, words, err);
    if (status == PITH_OK && side == PITH_WRITE && chosen->set.common[SETTINGS_GUARD])
        status = api_check_countable(chosen->format, "guard", err);
    if (status == PITH_OK && side == PITH_WRITE && chosen->set.common[SETTINGS_OPTIMIZE])
        status = api_check_countable(chosen->format, "optimize", err);
    return status;
}

void api_read(pith_doc *doc, const api_format *from, pith_text text,
              const pith_options *options, reporter *report)
{
    decode_job job = {doc, text, &from->set, report};
    size_t depth_max = doc->depth_max;
    pith_doc_reset(doc);
    if (options) {
        doc->depth_max = options->depth_max ? doc_depth_limit(options) : depth_max;
        doc->progress = options->progress;
        doc->progress_ctx = options->progress_ctx;
        report->notice = options->notice;
        report->notice_ctx = options->notice_ctx;
    }
    read_whole(from->format, &job);
    doc->depth_max = depth_max;
    doc->progress = NULL;
    if (report->count > 0)
        pith_doc_reset(doc);
}

pith_status api_read_text(pith_doc *doc, const char *name, const char *text, size_t len,
                          const pith_options *options, pith_error *err)
{
    api_format from;
    pith_text input = text_of(text ? text : "", len);
    pith_doc_reset(doc);
    pith_status status = api_choose(&from, name, PITH_READ, input, options, err);
    if (status != PITH_OK)
        return status;
    reporter report;
    report_init(&report, input);
    api_read(doc, &from, input, options, &report);
    return report_result(&report, err);
}

pith_status api_write(const api_format *to, pith_out *out, const pith_doc *doc,
                      uint32_t at, pith_error *err)
{
    assert(doc_is_spelled(doc));
    encode_job job = {out, doc, at, &to->set, err};
    pith_status status = out_explain(out, err); /* there may be no sink */
    if (status == PITH_OK)
        status = to->format->encode(&job);
    if (status != PITH_OK) {
        out_abandon(out);
        return status;
    }
    return out_finish(out, err);
}
