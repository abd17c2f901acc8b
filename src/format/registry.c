/*
 * registry.c - the formats of this build, one line each.
 *
 * They are listed in the order of `registry`. Content is asked what it looks like in
 * the order of `sniffed`, the more particular first: a TOON header begins with a
 * bracket as JSON does, and the first of many lines of JSON is JSON by itself.
 */
#include "format/format.h"
#include "format/auto/auto.h"
#include "format/csv/csv.h"
#include "format/gcf/gcf.h"
#include "format/gcf/gcf_graph.h"
#include "format/gcf1/gcf1.h"
#include "format/gcf1/gcf1_graph.h"
#include "format/json/json.h"
#include "format/ndjson/ndjson.h"
#include "format/pith/pith_format.h"
#include "format/soch/soch.h"
#include "format/toon/toon.h"

static const codec *const registry[] = {
    &json_format,   &ndjson_format,     &csv_format,  &tsv_format,
    &toon_format,   &toon_rows_format,  &gcf_format,  &gcf_graph_format,
    &gcf1_format,   &gcf1_graph_format, &soch_format, &soch_bin_format,
    &pith_notation, &auto_format,
};

static const codec *const sniffed[] = {
    &soch_bin_format,  &gcf1_graph_format, &gcf_format,  &gcf1_format,
    &toon_rows_format, &soch_format,       &toon_format, &pith_notation,
    &ndjson_format,    &json_format,       &tsv_format,  &csv_format,
};

enum {
    REGISTRY_COUNT = sizeof registry / sizeof *registry,
    SNIFFED_COUNT = sizeof sniffed / sizeof *sniffed
};

const codec *format_at(size_t index)
{
    return index < REGISTRY_COUNT ? registry[index] : NULL;
}

const codec *format_find_text(pith_text name)
{
    for (size_t i = 0; i < REGISTRY_COUNT; i++) {
        if (text_is(name, registry[i]->info.name)) {
            return registry[i];
        }
    }
    return NULL;
}

const codec *format_find(const char *name)
{
    return format_find_text(text_from(name));
}

static const codec *registry_sniff(pith_text text)
{
    for (size_t i = 0; i < SNIFFED_COUNT; i++) {
        if (sniffed[i]->sniff(text)) {
            return sniffed[i];
        }
    }
    return NULL;
}

static pith_status registry_unknown(const char *name, pith_error *err)
{
    const char *names[REGISTRY_COUNT];
    for (size_t i = 0; i < REGISTRY_COUNT; i++) {
        names[i] = registry[i]->info.name;
    }
    error_excerpt typed = error_quote(name, strlen(name));
    const char *near = pith_nearest_word(name, names, REGISTRY_COUNT);
    if (near) {
        return error_set(err, PITH_BAD_USE, "unknown_format",
                         "there is no format '%s'; did you mean '%s'?", typed.text, near);
    }
    return error_set(err, PITH_BAD_USE, "unknown_format", "there is no format '%s'",
                     typed.text);
}

const codec *format_choose(const char *name, unsigned side, pith_text text,
                           pith_error *err)
{
    const codec *found = name ? format_find(name) : registry_sniff(text);
    if (!found && !name) {
        error_set(err, PITH_BAD_INPUT, "unknown_format",
                  "the content is like no format this build reads");
        return NULL;
    }
    if (!found) {
        registry_unknown(name, err);
        return NULL;
    }
    if (!(found->info.sides & side)) {
        error_set(err, PITH_BAD_USE, "unsupported_side", "format %s cannot be %s", name,
                  side == PITH_READ ? "read" : "written");
        return NULL;
    }
    return found;
}

const pith_format *pith_format_at(size_t index)
{
    const codec *found = format_at(index);
    return found ? &found->info : NULL;
}

const pith_format *pith_format_find(const char *name)
{
    const codec *found = format_find(name);
    return found ? &found->info : NULL;
}

const pith_format *pith_format_sniff(const char *text, size_t len)
{
    const codec *found = registry_sniff(text_of(text, len));
    return found ? &found->info : NULL;
}

static bool path_ends(pith_text path, pith_text suffix)
{
    if (path.len <= suffix.len) {
        return false;
    }
    const char *tail = path.ptr + path.len - suffix.len;
    for (size_t i = 0; i < suffix.len; i++) {
        char c = tail[i];
        if (c >= 'A' && c <= 'Z') {
            c = (char)(c + ('a' - 'A'));
        }
        if (c != suffix.ptr[i]) {
            return false;
        }
    }
    return tail[-1] != '/'; /* a file called ".json" has no suffix */
}

const char *pith_packing_for_path(const char *path)
{
    pith_text name = text_from(path);
    return path_ends(name, text_from(".zst"))   ? "ZSTD"
           : path_ends(name, text_from(".lz4")) ? "LZ4"
                                                : NULL;
}

const pith_format *pith_format_for_path(const char *path)
{
    pith_text name = text_from(path);
    if (pith_packing_for_path(path)) {
        name.len -= 4; /* x.toonb.zst is an x.toonb */
    }
    const pith_format *found = NULL;
    size_t longest = 0; /* x.graph.gcf is a graph before it is GCF */
    for (size_t i = 0; i < REGISTRY_COUNT; i++) {
        pith_text suffixes = text_from(registry[i]->info.suffixes);
        while (suffixes.len > 0) {
            pith_text suffix = text_split(&suffixes, ' ');
            if (suffix.len > longest && path_ends(name, suffix)) {
                found = &registry[i]->info;
                longest = suffix.len;
            }
        }
    }
    return found;
}
