/*
 * gcf1.c - GCF 1 as a format: settings, what it looks like, and what is lost.
 *
 * What is written is read back and compared, because no rule would find everything that
 * gets lost: a key with = in it, a field with a comma, a name that looks like a count. If
 * something is lost the value is refused; with lossy=true it is written, and a notice says
 * what is lost first.
 */
#include "format/gcf1/gcf1.h"

#include "base/utf8.h"
#include "doc/key_lists.h"
#include "doc/path.h"
#include "doc/same.h"
#include "format/gcf1/gcf1_graph.h"

static const pith_setting gcf1_settings[] = {
    {"level", PITH_SETTING_CHOICE, PITH_READ | PITH_WRITE, "1.1|1.4", 0, 0, "1.1",
     "the version; 1.4 has arrays of scalars on one line, and passes over references of "
     "graphs that it cannot read"},
    {"quote", PITH_SETTING_CHOICE, PITH_WRITE, "needed|seed", 0, 0, "needed",
     "which strings have quotes: those that need them, or only those that the 1.1 "
     "document lists"},
    {"lossy", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",
     "write values even if they would not be read back as they are"},
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

/* --------------------------------------------------------------- what is lost */

static pith_status gcf1_discard(void *ctx, const char *data, size_t len)
{
    (void)ctx, (void)data, (void)len;
    return PITH_OK;
}

/* Says that the value at `at` is lost. */
static pith_status gcf1_name_loss(const encode_job *job, uint32_t at, const char *why,
                                  pith_error *err)
{
    pith_status status = error_set(err, PITH_UNREPRESENTABLE, "lossy", "GCF 1 %s", why);
    error_put_path(err, job->doc, job->at, at);
    return status;
}

/* The same of the value on whose line the reader stopped. */
static pith_status gcf1_name_line(const encode_job *job, const pith_error *why,
                                  gcf1_style style, pith_error *err)
{
    gcf1_search search = {.offset = why->offset, .found = job->at};
    pith_out out;
    pith_options options = {.alloc = job->out->alloc};
    out_init(&out, (pith_sink){gcf1_discard, NULL}, &options);
    pith_status status = gcf1_write(&out, job->doc, job->at, style, &search, err);
    out_abandon(&out);
    if (status != PITH_OK)
        return status;
    status = error_set(err, PITH_UNREPRESENTABLE, "lossy",
                       "GCF 1 would refuse its line (%s)", why->message);
    error_put_path(err, job->doc, job->at, search.found);
    return status;
}

/* Whether some reader ends a line in the key: Python does so at all of these, and of the
 * controls beyond ASCII at U+0085. */
static bool gcf1_is_broken(const pith_key *key)
{
    for (uint32_t i = 0; i < key->len; i++) {
        unsigned char c = (unsigned char)key->text[i];
        if ((c >= '\n' && c <= '\r') || (c >= 0x1C && c <= 0x1E))
            return true;
    }
    return utf8_holds(key->text, key->len, UTF8_CONTROLS | UTF8_BREAKS);
}

/* The first member with such a key, for keys are never quoted; SLOT_NONE when there is
 * none. False when out of memory. */
static bool gcf1_find_broken_key(const pith_doc *doc, uint32_t at, key_lists *seen,
                                 uint32_t *found)
{
    uint32_t end = doc_after_at(doc, at);
    *found = SLOT_NONE;
    for (; at < end && *found == SLOT_NONE; at++) {
        const pith_slot *object = &doc->slots[at];
        if (object->kind != PITH_OBJECT || object->n == 0)
            continue;
        const pith_key *keys = doc_keys(doc, object);
        uint32_t child = at + 1;
        if (key_lists_find(seen, keys) != HASH_NONE)
            continue;
        if (!key_lists_add(seen, keys))
            return false;
        for (uint32_t i = 0; i < object->n; i++, child = doc_after_at(doc, child))
            if ((keys[i].flags & (SLOT_ESCAPE | SLOT_WIDE)) && gcf1_is_broken(&keys[i]) &&
                *found == SLOT_NONE)
                *found = child;
    }
    return true;
}

/* Compares what was read back with what was written. */
static pith_status gcf1_compare(const encode_job *job, pith_doc *found, pith_error *err)
{
    uint32_t differs;
    key_lists seen = {.alloc = job->out->alloc, .seed = job->doc->shapes.seed};
    bool known = gcf1_find_broken_key(job->doc, job->at, &seen, &differs);
    key_lists_free(&seen);
    if (!known)
        return error_no_memory(err);
    if (differs != SLOT_NONE)
        return gcf1_name_loss(job, differs,
                              "puts no key in quotes, and a reader may end "
                              "its line in this one",
                              err);
    differs = doc_find_difference(job->doc, job->at, found, 0, &known);
    if (!known)
        return error_no_memory(err);
    return differs == SLOT_NONE
               ? PITH_OK
               : gcf1_name_loss(job, differs,
                                "would read it as something else or not at all", err);
}

/* Reads the text back; PITH_OK when it is what was written. */
static pith_status gcf1_check_loss(const encode_job *job, const pith_buffer *text,
                                   gcf1_style style, pith_error *loss)
{
    pith_options options = {.alloc = job->out->alloc, .depth_max = PITH_DEPTH_MOST};
    pith_doc *doc = pith_doc_new(&options);
    if (!doc)
        return error_no_memory(loss);
    reporter report;
    settings set = {0};
    report_init(&report, text_of(text->data, text->len));
    report.progress = job->out->progress;
    report.progress_ctx = job->out->progress_ctx;
    decode_job back = {doc, text_of(text->data, text->len), &set, &report, NULL};
    gcf1_decode_either(&back);
    pith_status status;
    if (report.count > 0 &&
        (report.first.status == PITH_NO_MEMORY || report.first.status == PITH_CANCELLED))
        status = error_copy(&report.first, loss);
    else if (report.count > 0)
        status = gcf1_name_line(job, &report.first, style, loss);
    else
        status = gcf1_compare(job, doc, loss);
    pith_doc_free(doc);
    return status;
}

/* Refuses what was lost, unless that is allowed: then somebody is told. */
static pith_status gcf1_judge_loss(encode_job *job, const pith_error *loss)
{
    if (loss->status == PITH_NO_MEMORY || loss->status == PITH_CANCELLED)
        return error_copy(loss, job->err);
    if (!settings_bool(job->set, GCF1_LOSSY)) {
        return error_set(job->err, loss->status, loss->code,
                         "%s; gcf holds it, and lossy=true writes it all the same",
                         loss->message);
    }
    out_notice(job->out, loss);
    return PITH_OK;
}

static pith_status gcf1_encode(encode_job *job)
{
    pith_options options = {.alloc = job->out->alloc,
                            .output_max = (size_t)job->out->most,
                            .progress = job->out->progress,
                            .progress_ctx = job->out->progress_ctx};
    pith_buffer text = {.alloc = job->out->alloc};
    pith_out out;
    out_init(&out, pith_sink_buffer(&text), &options);
    gcf1_style style = {
        settings_number(job->set, GCF1_LEVEL) == GCF1_LEVEL_1_4,
        settings_number(job->set, GCF1_QUOTE) == GCF1_QUOTE_SEED,
    };
    pith_status status = gcf1_write(&out, job->doc, job->at, style, NULL, job->err);
    if (status == PITH_OK)
        status = out_finish(&out, job->err);
    else
        out_abandon(&out);
    pith_error loss;
    if (status == PITH_OK && gcf1_check_loss(job, &text, style, &loss) != PITH_OK)
        status = gcf1_judge_loss(job, &loss);
    if (status == PITH_OK)
        out_bytes(job->out, text.data, text.len);
    pith_buffer_free(&text);
    return status;
}

static unsigned gcf1_escapes(const settings *set)
{
    (void)set;
    return ESCAPES_RETURN | ESCAPES_NO_KEYS;
}

const codec gcf1_format = {
    .info = {"gcf1", ".gcf1 .gcf", "text/x-gcf1",
             "Graph Compact Format 1, versions 1.1 and 1.4; reads graphs, too",
             PITH_READ | PITH_WRITE, 0, false, gcf1_settings,
             sizeof gcf1_settings / sizeof *gcf1_settings, .sessions = PITH_READ},
    .sniff = gcf1_sniff,
    .may_be = gcf1_may_be,
    .decode = gcf1_decode_either,
    .encode = gcf1_encode,
    .escapes = gcf1_escapes,
};
