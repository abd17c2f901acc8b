/*
 * gcf.c - GCF as a format: settings, what it looks like, and its first line.
 */
#include "format/gcf/gcf_delta.h"
#include "base/print.h"
#include "format/gcf/gcf_encode.h"

#include "base/utf8.h"

static const pith_setting gcf_settings[] = {
    {"level", PITH_SETTING_CHOICE, PITH_WRITE, "3.5|3.6", 0, 0, "3.5",
     "the specification to write; 3.6 names a column that never changes only once"},
    {"flatten", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "spread objects that are alike over columns of the table they are in"},
    {"inline-schema", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "name the keys of objects that are alike only in the first row"},
    {"shared-schema", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "name the fields of nested tables that are alike only in the first row"},
    {"group", PITH_SETTING_TEXT, PITH_WRITE, NULL, 0, 0, "",
     "level 3.6: put the rows of the root array in groups by this field"},
    {"summary", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "true",
     "end rows that were written one by one with a line that counts them"},
    {"tool", PITH_SETTING_TEXT, PITH_WRITE, NULL, 0, 0, "",
     "the producing tool, for the first line"},
    {SETTINGS_TOKENS_WORD, PITH_SETTING_TEXT, PITH_WRITE, NULL, 0, 0, "",
     "the tokens of the text, for the first line: a number, 'exact' to count them, or "
     "'none'"},
    {"sparse", PITH_SETTING_CHOICE, PITH_WRITE, "table|expand", 0, 0, "table",
     "rows of which most cells would be absent: a table, or objects of their own"},
};

/* A value in the first line is printable ASCII without spaces. */
static bool gcf_fits_first_line(pith_text value)
{
    for (size_t i = 0; i < value.len; i++)
        if (value.ptr[i] <= ' ' || value.ptr[i] > '~')
            return false;
    return true;
}

pith_status gcf_check_settings(const settings *set, pith_error *err)
{
    pith_text tool = settings_text(set, GCF_TOOL);
    if (!gcf_fits_first_line(tool)) {
        return error_set(err, PITH_BAD_USE, "bad_setting",
                         "setting tool is printable ASCII without spaces, not '%s'",
                         error_quote(tool.ptr, tool.len).text);
    }
    uint64_t count = 0;
    pith_status status = settings_take_tokens(set, GCF_TOKENS, &count, err);
    if (status != PITH_OK)
        return status;
    if (settings_text(set, GCF_GROUP).len > 0 &&
        settings_number(set, GCF_LEVEL) != GCF_LEVEL_3_6) {
        return error_set(err, PITH_BAD_USE, "bad_setting",
                         "level 3.5 knows no groups; group needs level=3.6");
    }
    return PITH_OK;
}

char *gcf_put_first_line(gcf_pen *pen, char *to, const settings *set)
{
    pith_out *out = pen->out;
    pith_text tool = settings_text(set, GCF_TOOL);
    pith_text tokens = settings_text(set, GCF_TOKENS);
    out->at = to;
    out_string(out, "GCF profile=generic");
    if (tool.len > 0) {
        out_string(out, " tool=");
        out_text(out, tool);
    }
    if (tokens.len > 0 && !text_is(tokens, "none")) {
        out_string(out, " tokens=");
        out_text(out, tokens);
    }
    out_byte(out, '\n');
    return pen_resume(out);
}

/* ------------------------------------------------------------------------- variants */

enum { GCF_GROUPS_TRIED = 32, GCF_GROUPS_MOST = 256 };

/* The field at that index of a row of scalars; NULL when there is none. */
static const pith_slot *gcf_plain_cell(const pith_slot *row, size_t index)
{
    const pith_slot *cell = row + 1 + index;
    for (const pith_slot *slot = row + 1; slot <= cell; slot++)
        if (slot_is_container(slot))
            return NULL;
    return cell;
}

/* Grouping gathers the rows of equal value, so it keeps the order of the rows only when
 * they are together already. */
static bool gcf_stands_in_groups(const variant_job *job, size_t index)
{
    const pith_slot *slots = job->doc->slots;
    const pith_slot *root = &slots[job->at];
    const pith_slot *runs[GCF_GROUPS_MOST];
    size_t count = 0;
    uint32_t at = job->at + 1;
    for (uint32_t i = 0; i < root->n; i++, at = doc_after_at(job->doc, at)) {
        const pith_slot *row = &slots[at];
        bool alike = row->kind == PITH_OBJECT && row->shape == root[1].shape;
        const pith_slot *cell =
            alike && row->shape != SHAPE_NONE ? gcf_plain_cell(row, index) : NULL;
        if (!cell || count == GCF_GROUPS_MOST)
            return false;
        if (count > 0 && text_equal(slot_text(runs[count - 1]), slot_text(cell)))
            continue;
        for (size_t j = 0; j < count; j++)
            if (text_equal(slot_text(runs[j]), slot_text(cell)))
                return false;
        runs[count++] = cell;
    }
    return count < root->n;
}

/* group="key" for the key at that index of the first row of a root array; empty where
 * grouping would change the value or the key would have to be escaped. */
static bool gcf_group_variant(const variant_job *job, size_t index, char *words,
                              size_t size)
{
    const pith_slot *root = &job->doc->slots[job->at];
    if (root->kind != PITH_ARRAY || root->n == 0 || root[1].kind != PITH_OBJECT ||
        index >= root[1].n || index >= GCF_GROUPS_TRIED)
        return false;
    const pith_key *key = &doc_keys(job->doc, &root[1])[index];
    bool fits = key->len > 0 && key->len + sizeof "group=\"\"" <= size;
    words[0] = '\0';
    if (fits && !(key->flags & SLOT_ESCAPE) && gcf_stands_in_groups(job, index))
        print_into(words, size, "group=\"%.*s\"", (int)key->len, key->text);
    return true;
}

static bool gcf_propose(const variant_job *job, char *words, size_t size)
{
    static const char *const list[] = {"flatten=false", "inline-schema=false",
                                       "shared-schema=false"};
    enum { FIXED = sizeof list / sizeof *list };
    if (job->index < FIXED)
        return format_variant(list, FIXED, job->index, words, size);
    return settings_number(job->set, GCF_LEVEL) == GCF_LEVEL_3_6 &&
           gcf_group_variant(job, job->index - FIXED, words, size);
}

static bool gcf_sniff(pith_text text)
{
    size_t bom = utf8_bom(text.ptr, text.len);
    return text.len - bom >= 4 && memcmp(text.ptr + bom, "GCF ", 4) == 0;
}

bool gcf_is_graph(pith_text text)
{
    static const char start[] = "GCF profile=graph";
    const size_t len = sizeof start - 1;
    pith_text rest = text_after(text, utf8_bom(text.ptr, text.len));
    return text_begins(rest, start) &&
           (rest.len == len || (unsigned char)rest.ptr[len] <= ' ');
}

const codec gcf_format = {
    .info = {"gcf", ".gcf", "application/vnd.gcf+text",
             "Graph Compact Format, 3.5 and 3.6; reads graphs, too",
             PITH_READ | PITH_WRITE, 0, false, gcf_settings,
             sizeof gcf_settings / sizeof *gcf_settings, .numbers = PITH_NUMBERS_64,
             .sessions = PITH_READ},
    .sniff = gcf_sniff,
    .decode = gcf_decode,
    .encode = gcf_encode,
    .escapes = escapes_all,
    .read_rows = &gcf_read,
    .write_rows = &gcf_row_format,
    .variant = gcf_propose,
    .comment = "# ",
    .delta = &gcf_row_answers,
};
