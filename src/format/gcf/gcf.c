/*
 * gcf.c - GCF as a format: settings, what it looks like, and its first line.
 */
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
    {"tokens", PITH_SETTING_NUMBER, PITH_WRITE, NULL, 0, UINT64_MAX, "0",
     "the tokens of the text, for the first line; 0 leaves it out"},
};

/* A value in the first line is printable ASCII without spaces. */
static bool gcf_fits_first_line(pith_text value)
{
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] <= ' ' || value.ptr[i] > '~') {
            return false;
        }
    }
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
    uint64_t tokens = settings_number(set, GCF_TOKENS);
    out->at = to;
    out_string(out, "GCF profile=generic");
    if (tool.len > 0) {
        out_string(out, " tool=");
        out_text(out, tool);
    }
    if (tokens > 0) {
        out_string(out, " tokens=");
        out_reserve(out, NUM_UINT64_MAX_LEN);
        out->at += num_write_uint64(out->at, tokens);
    }
    out_byte(out, '\n');
    return gcf_resume(out);
}

static bool gcf_sniff(pith_text text)
{
    size_t bom = utf8_bom(text.ptr, text.len);
    return text.len - bom >= 4 && memcmp(text.ptr + bom, "GCF ", 4) == 0;
}

const codec gcf_format = {
    {"gcf", ".gcf", "application/vnd.gcf+text",
     "Graph Compact Format, 3.5 and 3.6; reads graphs, too", PITH_READ | PITH_WRITE, 0,
     false, gcf_settings, sizeof gcf_settings / sizeof *gcf_settings},
    gcf_sniff,
    gcf_decode,
    gcf_encode,
    &gcf_rows,
    NULL,
};
