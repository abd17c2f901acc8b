/*
 * side.c - recording what one of the two libraries does; see side.h.
 */
#include "side.h"

#include <stdio.h>
#include <string.h>

#include "frozen/record.h"
#include "pith.h"
#include "random.h"

#define JOIN(a, b) a##_##b
#define NAMED(side, name) JOIN(side, name)

enum { SETTINGS_ROOM = 256 };

/* ----------------------------------------------------------------------- settings */

/* One value of the setting, by chance: the number of the choice is drawn, so that each
 * is as likely as the others. */
static void put_value(char *words, const pith_setting *setting, uint64_t *seed)
{
    size_t used = strlen(words);
    if (setting->type == PITH_SETTING_NUMBER) {
        uint64_t span = setting->max - setting->min;
        uint64_t drawn = setting->min + random_below(seed, span < 8 ? span + 1 : 9);
        snprintf(words + used, SETTINGS_ROOM - used, "%llu", (unsigned long long)drawn);
        return;
    }
    const char *at = setting->type == PITH_SETTING_BOOL ? "false|true" : setting->choices;
    size_t choices = 1;
    for (const char *c = at; *c; c++)
        choices += *c == '|';
    for (size_t i = random_below(seed, choices); i > 0; i--)
        at = strchr(at, '|') + 1;
    snprintf(words + used, SETTINGS_ROOM - used, "%.*s", (int)strcspn(at, "|"), at);
}

int NAMED(SIDE, settings)(const char *format, unsigned side, uint64_t *seed,
                          char words[SETTINGS_ROOM])
{
    const pith_format *info = pith_format_find(format);
    words[0] = '\0';
    if (!info || !(info->direction & side))
        return 0;
    for (size_t i = 0; i < info->setting_count; i++) {
        const pith_setting *setting = &info->settings[i];
        if ((setting->direction & side) && setting->type != PITH_SETTING_TEXT &&
            random_below(seed, 4) == 0 && strlen(words) < SETTINGS_ROOM / 2) {
            size_t used = strlen(words);
            snprintf(words + used, SETTINGS_ROOM - used, " %s=", setting->word);
            put_value(words, setting, seed);
        }
    }
    return 1;
}

/* ------------------------------------------------------------------------- record */

static void add(void *ctx, const char *label, const void *data, size_t len)
{
    bytes *to = ctx;
    bytes_put(to, label);
    bytes_put(to, " ");
    bytes_add(to, data ? data : "", len);
    bytes_put(to, "\n");
}

static size_t any_size(void *ctx)
{
    uint64_t *seed = ctx;
    static const size_t most[] = {1, 8, 64, 5000};
    return 1 + random_below(seed, most[random_below(seed, 4)]);
}

static void run_text(record *to, const side_input *in, const record_way *way)
{
    uint64_t seed = in->seed;
    record_way other = {in->other, NULL, NULL};
    to->add(to->ctx, "whole", "", 0);
    record_whole(to, way, in->text, in->len);
    to->add(to->ctx, "pieces", "", 0);
    record_pieces(to, way, in->text, in->len, any_size, &seed);
    to->add(to->ctx, "check", "", 0);
    record_check(to, way, in->text, in->len);
    to->add(to->ctx, "graph", "", 0);
    record_graph(to, way, in->text, in->len);
    pith_options options = {0};
    options.read = in->read;
    pith_doc *doc = pith_doc_parse(in->format, in->text, in->len, &options, NULL);
    if (doc) {
        to->add(to->ctx, "again", "", 0);
        record_write(to, way, pith_doc_root(doc));
        to->add(to->ctx, "other", in->other, strlen(in->other));
        record_write(to, &other, pith_doc_root(doc));
        pith_doc_free(doc);
    }
}

static void run_json(record *to, const side_input *in, bytes *made)
{
    pith_buffer out = {0};
    pith_error err = {0};
    pith_options options = {0};
    options.write = in->write;
    options.read = "duplicates=last"; /* of the JSON */
    pith_status status = pith_convert("json", in->format, in->text, in->len, &options,
                                      pith_sink_buffer(&out), &err);
    if (status != PITH_OK) {
        record_error(to, &err);
    } else {
        to->add(to->ctx, "text", out.data, out.len);
        bytes_add(made, out.data ? out.data : "", out.len);
    }
    pith_buffer_free(&out);
}

void NAMED(SIDE, run)(const side_input *in, bytes *to_bytes, bytes *made)
{
    record to = {add, to_bytes};
    record_way way = {in->format, in->write, in->read};
    if (in->is_json)
        run_json(&to, in, made);
    else
        run_text(&to, in, &way);
}
