/*
 * registry.c - the formats of this build, one line each.
 *
 * They are listed in this order. The number says when content is asked whether it looks
 * like the format, lower ones first and 0 never: the more particular come first. A TOON
 * header begins with a bracket as JSON does, and the first of many lines of JSON is JSON by
 * itself.
 *
 * A suffix that several formats list stands for a family of them. Of those the content
 * tells the right one, and where it does not, the first in the list is meant.
 */
#include "base/nearest.h"
#include "format/format.h"

#ifdef PITH_OMIT_GRAPHS
#define REGISTRY_GRAPH(row, name, rank)
#else
#define REGISTRY_GRAPH(row, name, rank) row(name, rank),
#endif

#define REGISTRY(row)                                                                    \
    row(json_format, 110), row(ndjson_format, 100), row(csv_format, 130),                \
        row(tsv_format, 120), row(toon_format, 80), row(toon_rows_format, 60),           \
        row(gcf_format, 40),                                                             \
        REGISTRY_GRAPH(row, gcf_graph_format, 30) row(gcf1_format, 50),                  \
        REGISTRY_GRAPH(row, gcf1_graph_format, 20) row(soch_format, 70),                 \
        row(soch_bin_format, 10), row(pith_notation, 90), row(auto_format, 0),           \
        row(answer_format, 0)

#define REGISTRY_NAME(name, rank) name
#define REGISTRY_FORMAT(name, rank) &name
#define REGISTRY_RANK(name, rank) rank

extern const codec REGISTRY(REGISTRY_NAME);
static const codec *const registry[] = {REGISTRY(REGISTRY_FORMAT)};
static const uint8_t sniff_ranks[] = {REGISTRY(REGISTRY_RANK)};

enum { REGISTRY_COUNT = sizeof registry / sizeof *registry };

const codec *format_at(size_t index)
{
    return index < REGISTRY_COUNT ? registry[index] : NULL;
}

/* Whether the text is the name, whatever the case of its letters. */
static bool registry_is(pith_text text, const char *name)
{
    size_t i = 0;
    for (; i < text.len && name[i]; i++) {
        char c = text.ptr[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c + ('a' - 'A'));
        if (c != name[i])
            return false;
    }
    return i == text.len && !name[i];
}

const codec *format_find_text(pith_text name)
{
    if (registry_is(name, "jsonl"))
        name = text_from("ndjson");
    for (size_t i = 0; i < REGISTRY_COUNT; i++)
        if (registry_is(name, registry[i]->info.name))
            return registry[i];
    return NULL;
}

const codec *format_find(const char *name)
{
    return format_find_text(text_from(name));
}

/* Whether the format goes by the suffix; every format goes by the empty one. */
static bool registry_lists(const codec *format, pith_text suffix)
{
    pith_text suffixes = text_from(format->info.suffixes);
    bool found = suffix.len == 0;
    while (suffixes.len > 0 && !found)
        found = text_equal(text_split(&suffixes, ' '), suffix);
    return found;
}

/* The format of the next rank after `rank`; NULL when there is none. */
static const codec *registry_next(unsigned *rank)
{
    const codec *found = NULL;
    unsigned next = UINT8_MAX + 1;
    for (size_t i = 0; i < REGISTRY_COUNT; i++) {
        if (sniff_ranks[i] > *rank && sniff_ranks[i] < next) {
            found = registry[i];
            next = sniff_ranks[i];
        }
    }
    *rank = next;
    return found;
}

/* The format that the content looks like, of those that go by the suffix; or that it may
 * be, as far as can be told. */
static const codec *registry_sniff(pith_text text, pith_text suffix)
{
    unsigned rank = 0;
    const codec *format;
    while ((format = registry_next(&rank)) != NULL)
        if (registry_lists(format, suffix) && format->sniff(text))
            return format;
    for (size_t i = 0; i < REGISTRY_COUNT; i++)
        if (registry[i]->may_be && registry_lists(registry[i], suffix) &&
            registry[i]->may_be(text))
            return registry[i];
    return NULL;
}

/* Whether a build with everything has the format. */
static bool registry_left_out(const char *name)
{
#ifdef PITH_OMIT_GRAPHS
    return strcmp(name, "gcf-graph") == 0 || strcmp(name, "gcf1-graph") == 0;
#else
    (void)name;
    return false;
#endif
}

static pith_status registry_unknown(const char *name, pith_error *err)
{
    if (registry_left_out(name))
        return error_not_built_in(err, "graphs");
    const char *names[REGISTRY_COUNT];
    for (size_t i = 0; i < REGISTRY_COUNT; i++)
        names[i] = registry[i]->info.name;
    error_excerpt typed = error_quote(name, strlen(name));
    const char *near = nearest_word(name, names, REGISTRY_COUNT);
    if (near) {
        return error_set(err, PITH_BAD_USE, "unknown_format",
                         "there is no format '%s'; did you mean '%s'?", typed.text, near);
    }
    return error_set(err, PITH_BAD_USE, "unknown_format", "there is no format '%s'",
                     typed.text);
}

pith_status format_choose(const codec **chosen, const char *name, unsigned side,
                          pith_text text, pith_error *err)
{
    const codec *found = name ? format_find(name) : registry_sniff(text, text_from(""));
    *chosen = found;
    if (!found && !name) {
        return error_set(err, PITH_BAD_INPUT, "unknown_format",
                         "the content is like no format this build reads");
    }
    if (!found)
        return registry_unknown(name, err);
    if (!(found->info.direction & side)) {
        return error_set(err, PITH_BAD_USE, "unsupported_side", "format %s cannot be %s",
                         name, side == PITH_READ ? "read" : "written");
    }
    return PITH_OK;
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

static bool registry_ends(pith_text path, pith_text suffix)
{
    if (path.len <= suffix.len)
        return false;
    const char *tail = path.ptr + path.len - suffix.len;
    for (size_t i = 0; i < suffix.len; i++) {
        char c = tail[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c + ('a' - 'A'));
        if (c != suffix.ptr[i])
            return false;
    }
    return tail[-1] != '/'; /* a file called ".json" has no suffix */
}

const char *registry_packing(pith_text path)
{
    return registry_ends(path, text_from(".zst"))   ? "ZSTD"
           : registry_ends(path, text_from(".lz4")) ? "LZ4"
           : registry_ends(path, text_from(".gz"))  ? "GZIP"
                                                    : NULL;
}

/* The longest suffix of the path that a format goes by, and the first that does:
 * x.graph.gcf is a graph before it is GCF. NULL when there is none. */
static const codec *registry_find_suffix(pith_text path, pith_text *longest)
{
    const codec *found = NULL;
    *longest = text_from("");
    for (size_t i = 0; i < REGISTRY_COUNT; i++) {
        pith_text suffixes = text_from(registry[i]->info.suffixes);
        while (suffixes.len > 0) {
            pith_text suffix = text_split(&suffixes, ' ');
            if (suffix.len > longest->len && registry_ends(path, suffix)) {
                found = registry[i];
                *longest = suffix;
            }
        }
    }
    return found;
}

const pith_format *pith_format_of(const char *path, const char *text, size_t len)
{
    pith_text suffix;
    pith_text name = text_from(path);
    if (path && registry_packing(name))
        while (name.ptr[--name.len] != '.') /* x.toonb.zst is an x.toonb */
            ;
    const codec *found = registry_find_suffix(name, &suffix);
    const codec *seen = len > 0 ? registry_sniff(text_of(text, len), suffix) : NULL;
    if (seen)
        found = seen;
    return found ? &found->info : NULL;
}
