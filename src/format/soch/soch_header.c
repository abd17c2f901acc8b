/*
 * soch_header.c - name[count]{fields}: in text.
 *
 *     users[2]{id:uint,name:text?,"last seen"}:
 *
 * Names are copied: keys outlive the input where a stream goes on, and then nobody has
 * to ask how near the end of it they stood.
 */
#include "base/num.h"
#include "format/soch/soch_read.h"

static bool soch_header_expected(soch_reader *r, const char *what)
{
    bool end = r->at == r->end;
    return read_bad(&r->in, r->at, "syntax",
                    end ? "expected %s in the header, found the end"
                        : "expected %s in the header, found '%s'",
                    what, end ? "" : error_quote(r->at, 1).text);
}

static bool soch_header_mark(soch_reader *r, char mark, const char *what)
{
    soch_skip_between(r);
    if (r->at == r->end || *r->at != mark)
        return soch_header_expected(r, what);
    r->at++;
    return true;
}

/* ------------------------------------------------------------------------ count */

static bool soch_read_count(soch_reader *r, uint64_t *count)
{
    soch_skip_between(r);
    pith_text digits = text_of(r->at, (size_t)(scan_digits(r->at, r->end) - r->at));
    if (digits.len == 0)
        return soch_header_expected(r, "a count");
    while (digits.len > 1 && digits.ptr[0] == '0')
        digits = text_of(digits.ptr + 1, digits.len - 1);
    if (!num_to_uint64(digits, count)) {
        return read_bad(&r->in, digits.ptr, "out_of_range",
                        "the count %s is beyond 64 bits",
                        error_quote(digits.ptr, digits.len).text);
    }
    r->at = digits.ptr + digits.len;
    return true;
}

/* ------------------------------------------------------------------------ types */

static bool soch_unknown_type(soch_reader *r, const char *from, const char *end)
{
    return read_bad(&r->in, from, "unknown_type",
                    "'%s' is no type; there are int uint float text bool bytes vec(N)%s, "
                    "each with a '?' after it where null is allowed",
                    error_quote(from, (size_t)(end - from)).text,
                    r->seed_only ? "" : " array object ref");
}

/* What stands in parentheses after vec or ref. */
static bool soch_read_parameter(soch_reader *r, pith_field *field, const char *from)
{
    bool quoted;
    uint64_t size = 0;
    r->at++;
    if (field->type == PITH_TYPE_VEC) {
        if (!soch_read_count(r, &size))
            return false;
        if (size > UINT32_MAX)
            return soch_unknown_type(r, from, r->at);
        field->size = (uint32_t)size;
    } else if (!soch_read_name(r, "()", "a table's name", &field->target, &quoted) ||
               !soch_keep_name(r, &field->target)) {
        return false;
    }
    return soch_header_mark(r, ')', "')'");
}

static bool soch_read_type(soch_reader *r, pith_field *field)
{
    soch_skip_between(r);
    const char *from = r->at;
    while (r->at < r->end && !strchr("?,}(){[]:;\" \t\r\n", *r->at) && *r->at != '\0')
        r->at++;
    bool basic = true;
    field->type = soch_type_named(text_of(from, (size_t)(r->at - from)), &basic);
    bool open = r->at < r->end && *r->at == '(';
    if (field->type == PITH_TYPE_ANY || (r->seed_only && !basic) ||
        (field->type == PITH_TYPE_VEC && !open) ||
        (open && field->type != PITH_TYPE_VEC && field->type != PITH_TYPE_REF))
        return soch_unknown_type(r, from, soch_scan_raw(r->at, r->end));
    if (open && !soch_read_parameter(r, field, from))
        return false;
    field->nullable = false;
    soch_skip_between(r);
    while (r->at < r->end && *r->at == '?') { /* int?? is int? */
        field->nullable = true;
        r->at++;
        soch_skip_between(r);
    }
    if (r->at < r->end && *r->at != ',' && *r->at != '}')
        return soch_unknown_type(r, from, soch_scan_raw(r->at, r->end));
    return true;
}

/* ----------------------------------------------------------------------- fields */

static bool soch_read_field(soch_reader *r, bool *marked)
{
    bool quoted;
    pith_field *field = soch_add_field(r);
    if (!field)
        return false;
    field->nullable = true;
    if (!soch_read_name(r, ":", "a field's name", &field->name, &quoted) ||
        !soch_keep_name(r, &field->name))
        return false;
    *marked = !quoted && text_is(field->name, SOCH_UNNAMED);
    soch_skip_between(r);
    if (r->at < r->end && *r->at == ':') {
        r->at++;
        return soch_read_type(r, field);
    }
    return true;
}

bool soch_read_fields(soch_reader *r, bool *marked)
{
    r->fields.count = 0;
    soch_skip_between(r);
    if (r->at < r->end && *r->at == '}') {
        r->at++;
        return true;
    }
    for (;;) {
        if (!soch_read_field(r, marked))
            return false;
        soch_skip_between(r);
        if (r->at == r->end || *r->at != ',')
            return soch_header_mark(r, '}', "',' or '}'");
        r->at++;
    }
}

/* ----------------------------------------------------------------------- header */

bool soch_read_header(soch_reader *r)
{
    pith_text name;
    bool quoted;
    bool marked = false;
    r->header = r->at;
    if (!soch_read_name(r, "[", "a table's name", &name, &quoted) ||
        !soch_keep_name(r, &name) || !soch_header_mark(r, '[', "'[' and a count") ||
        !soch_read_count(r, &r->count) || !soch_header_mark(r, ']', "']'") ||
        !soch_header_mark(r, '{', "'{' and the fields") || !soch_read_fields(r, &marked))
        return false;
    const char *after = r->seed_only ? r->at : scan_spaces(r->at, r->end);
    bool colon = after < r->end && *after == ':';
    if (colon || !r->compat) {
        r->at = after;
        if (!colon)
            return soch_header_expected(r, "':' after the fields");
        r->at++;
    }
    if (r->fields.count == 0 && r->count > 0) {
        return read_bad(&r->in, r->header, "unrepresentable",
                        "a table without fields cannot have rows");
    }
    if (r->seed_only && r->count == 0) {
        return read_bad(&r->in, r->header, "unrepresentable",
                        "a table without rows is an extension, which seed-only refuses");
    }
    bool unnamed = !quoted && text_is(name, SOCH_UNNAMED);
    return soch_use_fields(r, r->header, " of the header") &&
           soch_add_table(r, name, unnamed, marked);
}

bool soch_at_header(const soch_reader *r)
{
    const char *at = r->at;
    assert(at < r->end && !scan_is_space((unsigned char)*at) && *at != '#');
    if (*at == '"') {
        at = soch_closing_quote(at, r->end);
        at = at < r->end ? scan_spaces(at + 1, r->end) : at;
    } else {
        const char *from = at;
        at = soch_scan_raw(at, r->end);
        if (at == from)
            return false;
    }
    return at < r->end && *at == '[';
}
