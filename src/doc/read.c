/*
 * read.c - what every text reader has in front.
 */
#include "doc/read.h"

#include <assert.h>

bool read_problem(text_reader *r, const char *at, const char *code, const char *format,
                  ...)
{
    va_list args;
    va_start(args, format);
    bool go_on = report_bad_list(r->report, code, read_at(r, at), format, args);
    va_end(args);
    return go_on;
}

bool read_bad(text_reader *r, const char *at, const char *code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report_bad_list(r->report, code, read_at(r, at), format, args);
    va_end(args);
    return false;
}

bool read_failed(text_reader *r)
{
    r->stop = true;
    report_no_memory(r->report);
    return false;
}

bool read_bad_utf8(text_reader *r, const char *at)
{
    return read_problem(r, at, "invalid_utf8",
                        "byte 0x%02X is not well-formed UTF-8 here", (unsigned char)*at);
}

bool read_built(text_reader *r, build_result result, const char *at)
{
    switch (result) {
    case BUILD_DONE:
        return true;
    case BUILD_NO_MEMORY:
        return read_failed(r);
    case BUILD_TOO_DEEP:
        report_problem(r->report, PITH_LIMIT, "depth_limit", read_at(r, at),
                       "nested deeper than the limit of %zu",
                       r->doc->depth_max - r->lent_depth);
        break;
    case BUILD_TOO_LARGE:
        report_problem(r->report, PITH_LIMIT, "too_large", read_at(r, at),
                       "a text of 4 GiB or more");
        break;
    }
    r->stop = true;
    return false;
}

/* ----------------------------------------------------------------------- containers */

bool read_open(text_reader *r, pith_kind kind, const char *at)
{
    bool shaped = kind == PITH_OBJECT && !r->keep_key_places;
    uint16_t shape = shaped ? (uint16_t)SHAPE_EMPTY : (uint16_t)SHAPE_NONE;
    return read_built(r, build_open_shaped(r->doc, kind, shape), at);
}

bool read_close(text_reader *r, const char *code, const char *what)
{
    pith_doc *doc = r->doc;
    assert(doc->open != SLOT_NONE);
    uint32_t count = doc->slots[doc->open].n;
    if (count == 0 && doc->slots[doc->open].kind == PITH_OBJECT)
        doc->slots[doc->open].shape = SHAPE_EMPTY;
    pith_key *keys = build_unchecked_keys(doc);
    if (keys && count > 1 && r->last_wins) {
        if (!doc_mark_duplicates(doc, doc->open, keys, count))
            return read_failed(r);
    } else if (keys && count > 1) {
        read_check_keys(r, keys, count, r->keep_key_places, code, what);
    }
    return !read_stopped(r) && read_built(r, build_close(doc), r->start);
}

/* ----------------------------------------------------------------------------- keys */

size_t read_text_offset(const text_reader *r, const char *text)
{
    uintptr_t at = (uintptr_t)text;
    if (at < (uintptr_t)r->start || at > (uintptr_t)r->end)
        return build_text_offset(text);
    size_t offset = read_at(r, text);
    bool quoted = r->quoted || (offset > 0 && text[-1] == '"');
    return quoted ? offset - 1 : offset;
}

typedef struct read_pair {
    text_reader *reader;
    const pith_key *keys;
    bool placed;
    const char *code;
    const char *what;
} read_pair;

/* A reader that goes on where a key is missing may make up one without text, which equals
 * no other. */
static bool read_is_made_up(const text_reader *r, const pith_key *key)
{
    return r->makes_up && key->len == 0 && (uintptr_t)key->text > (uintptr_t)r->start &&
           (uintptr_t)key->text <= (uintptr_t)r->end && key->text[-1] != '"';
}

static bool read_equal_keys(void *ctx, uint32_t first, uint32_t later)
{
    assert(first < later);
    const read_pair *pair = (const read_pair *)ctx;
    text_reader *r = pair->reader;
    const pith_key *key = &pair->keys[later];
    if (read_is_made_up(r, key))
        return true;
    if (!pair->placed) {
        report_again(r->report);
        return false;
    }
    text_place place =
        report_place(r->report, read_text_offset(r, pair->keys[first].text));
    return report_bad(r->report, pair->code, read_text_offset(r, key->text),
                      "%s \"%s\"; it first stands in line %zu, column %zu", pair->what,
                      error_quote(key->text, key->len).text, place.line, place.column);
}

bool read_check_keys(text_reader *r, const pith_key *keys, size_t count, bool placed,
                     const char *code, const char *what)
{
    read_pair pair = {r, keys, placed, code, what};
    if (!doc_find_equal_keys(r->doc, keys, count, read_equal_keys, &pair))
        return read_failed(r);
    return !read_stopped(r);
}

/* --------------------------------------------------------------------------- counts */

bool read_bad_count(text_reader *r, const char *at, pith_text declared, const char *what,
                    size_t line, uint64_t found)
{
    return read_problem(r, at, "count_mismatch", "%s %s declared in line %zu, found %llu",
                        error_quote(declared.ptr, declared.len).text, what, line,
                        (unsigned long long)found);
}

uint64_t read_count(pith_text digits)
{
    uint64_t value = 0;
    for (size_t i = 0; i < digits.len; i++) {
        uint64_t digit = (uint64_t)(digits.ptr[i] - '0');
        assert(digit < 10);
        if (value > (UINT64_MAX - digit) / 10)
            return UINT64_MAX;
        value = value * 10 + digit;
    }
    return value;
}
