/*
 * gcf_read_meta.c - the first line and the trailer.
 *
 *     GCF profile=generic tool=search key=id
 *     ...
 *     ##! summary counts=3,2
 *
 * Both are lists of name=value with one space before each. Unknown names are passed
 * over, so that later versions may add some; the counts must be those of the sections
 * that were declared with [?], in their order. The text begins with the first line, with
 * no byte order mark before it.
 */
#include "base/utf8.h"
#include "format/gcf/gcf_read.h"

/* A field of the first line or of the trailer. */
typedef struct gcf_meta {
    pith_text name;
    pith_text value;
} gcf_meta;

static bool gcf_is_meta(const gcf_meta *field)
{
    for (size_t i = 0; i < field->value.len; i++) {
        unsigned char c = (unsigned char)field->value.ptr[i];
        if (c < 0x21 || c > 0x7E)
            return false;
    }
    const char *end = field->name.ptr + field->name.len;
    return field->value.len > 0 && field->name.len > 0 && *field->name.ptr != '"' &&
           gcf_skip_key(field->name.ptr, end) == end;
}

/* Takes the next name=value off the front of `*rest`; false after a problem. */
static bool gcf_next_meta(gcf_reader *r, pith_text *rest, gcf_meta *field)
{
    const char *at = rest->ptr;
    pith_text part = text_split(rest, ' ');
    pith_text value = part;
    field->name = text_split(&value, '=');
    field->value = value;
    if (part.len == field->name.len || !gcf_is_meta(field)) {
        return read_bad(&r->in, at, "malformed_header_field",
                        "expected name=value, one space before it, found '%s'",
                        error_quote(part.ptr, part.len).text);
    }
    return true;
}

typedef struct gcf_meta_list {
    gcf_names names;
    gcf_reader *reader;
} gcf_meta_list;

static bool gcf_equal_meta(void *ctx, uint32_t first, uint32_t later)
{
    const gcf_meta_list *list = (const gcf_meta_list *)ctx;
    const pith_key *key = &list->names.at[later];
    gcf_reader *r = list->reader;
    (void)first;
    return report_bad(r->report, "duplicate_header_field", read_at(&r->in, key->text),
                      "%s= stands twice in this line",
                      error_quote(key->text, key->len).text);
}

/* Reads all fields from `at` on and hands those that matter to `take`. */
typedef void (*gcf_take_meta)(gcf_reader *r, const gcf_meta *field, bool first,
                              void *ctx);

static bool gcf_read_meta(gcf_reader *r, const char *at, const char *end,
                          gcf_take_meta take, void *ctx)
{
    pith_text rest = text_between(at, end);
    gcf_meta_list list = {{NULL, 0, 0}, r};
    gcf_meta field;
    bool fine = true;
    bool first = true;
    while (rest.len > 0 && !read_stopped(&r->in)) {
        if (gcf_next_meta(r, &rest, &field)) {
            pith_key key = {field.name.ptr, (uint32_t)field.name.len, 0, 0};
            fine = gcf_add_name(r, &list.names, &key) && fine;
            take(r, &field, first, ctx);
        } else {
            fine = false;
        }
        first = false;
    }
    if (!read_stopped(&r->in) && list.names.count > 1 &&
        !doc_find_equal_keys(r->doc, list.names.at, list.names.count, gcf_equal_meta,
                             &list))
        read_failed(&r->in);
    LIST_FREE(&list.names, &r->doc->alloc);
    return fine && !read_stopped(&r->in);
}

static void gcf_take_first_line(gcf_reader *r, const gcf_meta *field, bool first,
                                void *ctx)
{
    bool *found = (bool *)ctx;
    const char *at = field->name.ptr;
    if (text_is(field->name, "profile")) {
        if (!first && !*found) {
            read_bad(&r->in, at, "missing_profile",
                     "expected profile= as the first field of this line");
        }
        *found = true;
        r->stop = r->stop || !text_is(field->value, "generic");
        if (!text_is(field->value, "generic")) {
            read_bad(&r->in, at, "unknown_profile",
                     "expected profile=generic, found '%s'",
                     error_quote(field->value.ptr, field->value.len).text);
        }
    } else if (text_is(field->name, "key")) {
        r->identity = field->value;
    } else if (r->answer) {
        gcf_take_answer(r->answer, field->name, field->value);
    } else if ((text_is(field->name, "delta") || text_is(field->name, "unchanged")) &&
               text_is(field->value, "true")) {
        r->stop = true;
        read_bad(&r->in, at, "not_a_document",
                 "a change to an earlier text, and no document of its own");
    }
}

/* Why a first line is wrong: a section or a member, as GCF 1 begins with them. */
static const char *gcf_explain_no_header(pith_text line)
{
    if (utf8_bom(line.ptr, line.len))
        return "expected 'GCF profile=generic', found a byte order mark";
    bool section = line.len > 3 && memcmp(line.ptr, "## ", 3) == 0;
    return section || (line.len > 0 && memchr(line.ptr, '=', line.len))
               ? "expected 'GCF profile=generic' in the first line; this may be GCF 1, "
                 "which is read as gcf1"
               : "expected 'GCF profile=generic' in the first line";
}

bool gcf_read_first_line(gcf_reader *r, const char *at, const char *end)
{
    bool found = false;
    if (end - at < 3 || memcmp(at, "GCF", 3) != 0 || (end - at > 3 && at[3] != ' ')) {
        read_bad(&r->in, at, "missing_header", "%s",
                 gcf_explain_no_header(text_between(at, end)));
        r->stop = true;
        return false;
    }
    const char *fields = end - at > 4 ? at + 4 : end;
    bool fine = gcf_read_meta(r, fields, end, gcf_take_first_line, &found);
    if (!found && !read_stopped(&r->in)) {
        read_bad(&r->in, end, "missing_profile",
                 "expected profile=generic after GCF; without it this is GCF 1, "
                 "which is read as gcf1");
    }
    /* Without the right profile the rest means nothing we know. */
    r->stop = r->stop || (r->report->count > 0 && !(found && fine));
    return r->report->count == 0;
}

static void gcf_take_summary(gcf_reader *r, const gcf_meta *field, bool first, void *ctx)
{
    pith_text *counts = (pith_text *)ctx;
    (void)r;
    (void)first;
    if (text_is(field->name, "counts"))
        *counts = field->value;
}

/* ##! summary counts=3,2 */
bool gcf_read_summary(gcf_reader *r, const char *at, const char *end)
{
    static const char word[] = "##! summary";
    const size_t len = sizeof word - 1;
    pith_text counts = text_of(end, 0);
    r->summary = true;
    if ((size_t)(end - at) < len || memcmp(at, word, len) != 0 ||
        ((size_t)(end - at) > len && at[len] != ' ')) {
        return read_bad(&r->in, at, "invalid_line", "expected '##! summary', found '%s'",
                        error_quote(at, (size_t)(end - at)).text);
    }
    const char *fields = (size_t)(end - at) > len ? at + len + 1 : end;
    if (!gcf_read_meta(r, fields, end, gcf_take_summary, &counts))
        return false;
    if (r->deferred.count == 0)
        return true; /* [N] in the headers says it all */
    const char *counts_at = counts.ptr;
    size_t found = 0;
    while (counts.len > 0 && !read_stopped(&r->in)) {
        gcf_count count;
        pith_text part = text_split(&counts, ',');
        if (!gcf_read_count(r, part.ptr, part.ptr + part.len, &count))
            return false;
        if (found < r->deferred.count &&
            (count.deferred || count.value != r->deferred.at[found])) {
            read_bad(&r->in, part.ptr, "count_mismatch",
                     "expected %llu, as section %zu with [?] has, found %s",
                     (unsigned long long)r->deferred.at[found], found + 1,
                     error_quote(part.ptr, part.len).text);
        }
        found++;
    }
    if (!read_stopped(&r->in) && found != r->deferred.count) {
        read_bad(&r->in, counts_at, "count_mismatch",
                 "expected %zu %s, one for each section with [?], found %zu",
                 r->deferred.count, read_plural("count", "counts", r->deferred.count),
                 found);
    }
    return !read_stopped(&r->in);
}
