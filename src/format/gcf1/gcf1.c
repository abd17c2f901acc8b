/*
 * gcf1.c - GCF 1 as a format: settings, what it looks like, and what is lost.
 *
 * What is written is read back and compared, because no rule would find everything that
 * gets lost: a key with = in it, a string that begins with @, a row that looks like a
 * header. If something is lost the writer says what first, as a notice; with strict=true
 * it refuses.
 */
#include "format/gcf1/gcf1.h"

#include "format/gcf1/gcf1_graph.h"

static const pith_setting gcf1_settings[] = {
    {"level", PITH_SETTING_CHOICE, PITH_WRITE, "1.1|1.4", 0, 0, "1.1",
     "the version to write; 1.4 has arrays of scalars on one line"},
    {"strict", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",
     "refuse values that would not be read back as they are"},
    {"counts", PITH_SETTING_CHOICE, PITH_READ, "strict|lax", 0, 0, "strict",
     "whether the number of rows must be the declared one"},
};

/* Graphs are read as well, and known by their first line. */
static void gcf1_decode_either(decode_job *job)
{
    if (gcf1_graph_sniff(job->input)) {
        gcf1_graph_decode(job);
    } else if (gcf1_is_later(job->input)) {
        report_bad(job->report, "invalid_line", 0,
                   "expected GCF 1, found a later version, which is read as gcf");
    } else {
        gcf1_decode(job);
    }
}

/* Reads the text back; PITH_OK when it is what was written. */
static pith_status gcf1_check_loss(encode_job *job, const pith_buffer *text,
                                   pith_error *loss)
{
    pith_options options;
    memset(&options, 0, sizeof options);
    options.alloc = job->out->alloc;
    options.depth_max = PITH_DEPTH_MOST;
    pith_doc *doc = pith_doc_new(&options);
    if (!doc) {
        return error_no_memory(loss);
    }
    reporter report;
    settings set;
    memset(&set, 0, sizeof set);
    report_init(&report, text_of(text->data, text->len));
    decode_job back = {doc, text_of(text->data, text->len), &set, &report};
    gcf1_decode_either(&back);
    pith_status status;
    if (report.count > 0 && report.first.status == PITH_NO_MEMORY) {
        status = error_no_memory(loss);
    } else if (report.count > 0) {
        status = error_set(loss, PITH_UNREPRESENTABLE, "lossy",
                           "GCF 1 cannot hold this: line %zu would not be understood",
                           report.first.line);
    } else {
        status = gcf1_compare(job->doc, job->at, doc, loss);
    }
    pith_doc_free(doc);
    return status;
}

static pith_status gcf1_encode(encode_job *job)
{
    pith_options options;
    memset(&options, 0, sizeof options);
    options.alloc = job->out->alloc;
    options.output_max = (size_t)job->out->most;
    pith_buffer text;
    memset(&text, 0, sizeof text);
    text.alloc = job->out->alloc;
    pith_out out;
    out_init(&out, pith_sink_buffer(&text), &options);
    bool newer = settings_number(job->set, GCF1_LEVEL) == GCF1_LEVEL_1_4;
    pith_status status = gcf1_write(&out, job->doc, job->at, newer, job->err);
    if (status == PITH_OK) {
        status = out_finish(&out, job->err);
    } else {
        out_abandon(&out);
    }
    if (status == PITH_OK) {
        pith_error loss;
        pith_status kept = gcf1_check_loss(job, &text, &loss);
        if (kept == PITH_NO_MEMORY ||
            (kept != PITH_OK && settings_bool(job->set, GCF1_STRICT))) {
            if (job->err) {
                *job->err = loss;
            }
            status = kept;
        } else if (kept != PITH_OK) {
            out_notice(job->out, &loss);
        }
    }
    if (status == PITH_OK) {
        out_bytes(job->out, text.data, text.len);
    }
    pith_buffer_free(&text);
    return status;
}

const codec gcf1_format = {
    {"gcf1", ".gcf1 .gcf", "text/x-gcf1",
     "Graph Compact Format 1, versions 1.1 and 1.4; reads graphs, too",
     PITH_READ | PITH_WRITE, 0, false, gcf1_settings,
     sizeof gcf1_settings / sizeof *gcf1_settings},
    gcf1_sniff,
    gcf1_decode_either,
    gcf1_encode,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
};
