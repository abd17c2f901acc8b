/*
 * soch_given.c - declared columns, read as a header has them.
 */
#include "format/soch/soch_given.h"
#include "format/soch/soch_read.h"

static pith_status soch_given_parse(soch_given *given, pith_text words, pith_error *err)
{
    pith_doc *doc = given->names;
    char *text = arena_take(&doc->arena, words.len + 1);
    if (!text)
        return error_no_memory(err);
    memcpy(text, words.ptr, words.len);
    text[words.len] = '}';
    reporter report;
    soch_reader r = {.at = text, .names = &doc->arena, .strict = true};
    pith_text input = text_of(text, words.len + 1);
    report_init(&report, input);
    read_init(&r.in, doc, input, &report);
    soch_set_quoted_rules(&r);
    bool ignored;
    bool fine =
        soch_read_fields(&r, &ignored) && soch_use_fields(&r, text, " of the header");
    soch_reader_free(&r, &doc->alloc);
    if (!fine) {
        return report.first.status == PITH_NO_MEMORY
                   ? error_no_memory(err)
                   : error_set(
                         err, PITH_BAD_USE, "bad_setting",
                         "setting fields is a list such as id:uint,amount:float; %s",
                         report.first.message);
    }
    if (r.at != r.end) {
        return error_set(err, PITH_BAD_USE, "bad_setting",
                         "setting fields is a list such as id:uint,amount:float, without "
                         "the braces of a header");
    }
    given->fields = r.layout.fields;
    given->count = r.layout.count;
    return PITH_OK;
}

pith_status soch_given_read(soch_given *given, pith_text words, pith_alloc alloc,
                            pith_error *err)
{
    pith_options options;
    memset(given, 0, sizeof *given);
    if (words.len == 0)
        return PITH_OK;
    memset(&options, 0, sizeof options);
    options.alloc = alloc;
    given->names = pith_doc_new(&options);
    if (!given->names)
        return error_no_memory(err);
    pith_status status = soch_given_parse(given, words, err);
    if (status != PITH_OK)
        return status;
    given->used = (bool *)arena_take(&given->names->arena, given->count * sizeof(bool));
    if (!given->used)
        return error_no_memory(err);
    memset(given->used, 0, given->count * sizeof(bool));
    return PITH_OK;
}

void soch_given_free(soch_given *given)
{
    pith_doc_free(given->names);
}

bool soch_given_apply(const soch_given *given, pith_field *field)
{
    for (size_t i = 0; i < given->count; i++) {
        if (text_equal(given->fields[i].name, field->name)) {
            pith_text name = field->name;
            *field = given->fields[i];
            field->name = name;
            given->used[i] = true;
            return true;
        }
    }
    return false;
}

pith_status soch_given_check(const soch_given *given, pith_error *err)
{
    for (size_t i = 0; i < given->count; i++) {
        pith_text name = given->fields[i].name;
        if (!given->used[i]) {
            return error_set(err, PITH_UNREPRESENTABLE, "unknown_column",
                             "setting fields declares \"%s\", and no table has a column "
                             "of that name",
                             error_quote(name.ptr, name.len).text);
        }
    }
    return PITH_OK;
}
