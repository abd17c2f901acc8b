/*
 * trip.h - a value that the fuzzer's bytes draw, through an encoder and back.
 *
 *     the bytes up to the first newline   settings, one byte for each in the order of
 *                                         `pith formats NAME`: 0 leaves it alone, 1 is
 *                                         the first choice, 2 the second ...
 *     the rest                            the value, see drawn.h
 *
 * A target says with which codes its format may refuse and how closely the value must
 * come back; the rest is the same for all of them. What must hold: what was written is
 * read back, checks without a problem, is written as the same bytes again, is what a
 * conversion from JSON gives, and takes exactly as many bytes as the limit must allow;
 * and a reader that is fed in pieces hands out the same rows.
 */
#ifndef PITH_FUZZ_TRIP_H
#define PITH_FUZZ_TRIP_H

#include "drawn.h"
#include "fuzzing.h"

enum { TRIP_WORDS = 512 };

/* How closely a value must come back. */
typedef enum trip_match {
    TRIP_EXACT,   /* digits and order included */
    TRIP_LOOSE,   /* but for the order of keys and the spelling of numbers */
    TRIP_READABLE /* it need only be read */
} trip_match;

typedef struct trip {
    const char *format;
    char write[TRIP_WORDS];
    char read[TRIP_WORDS];
    pith_doc *doc;
    pith_value value;
    pith_buffer text;
    pith_doc *back;
    size_t piece; /* the size of the pieces that a reader is fed */
} trip;

static inline void trip_show(const trip *t, const char *what)
{
    pith_buffer json = fuzz_write(t->value, "json", NULL);
    fprintf(stderr, "%s\nwrite: %s\nread: %s\njson: %.*s\n%s: %.*s\n", what, t->write,
            t->read, (int)json.len, json.data, t->format, (int)t->text.len,
            t->text.data ? t->text.data : "");
    pith_buffer_free(&json);
}

#define TRIP_REQUIRE(t, condition)                                                       \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            trip_show(t, "on this trip:");                                               \
            REQUIRE(condition);                                                          \
        }                                                                                \
    } while (0)

/* --------------------------------------------------------------------- settings */

static inline void trip_say(char *words, const char *word, const char *value, size_t len)
{
    size_t used = strlen(words);
    REQUIRE(used + strlen(word) + len + 3 < TRIP_WORDS);
    snprintf(words + used, TRIP_WORDS - used, "%s%s=%.*s", used ? " " : "", word,
             (int)len, value);
}

/* The choice that the byte stands for, counted from 1; 0 for none. */
static inline unsigned trip_choice(uint8_t byte, unsigned count)
{
    return (unsigned)(uint8_t)(byte - '0') % (count + 1);
}

/* The value that the byte chooses; false for none. Texts are a letter. */
static inline bool trip_setting(const pith_setting *setting, uint8_t byte, char *value)
{
    const char *choices =
        setting->type == PITH_SETTING_BOOL ? "true|false" : setting->choices;
    unsigned count = 1;
    uint64_t span = setting->max - setting->min;
    if (setting->type == PITH_SETTING_NUMBER) {
        unsigned which = trip_choice(byte, span < 16 ? (unsigned)span + 1 : 16);
        snprintf(value, 32, "%llu", (unsigned long long)setting->min + which - 1);
        return which > 0;
    }
    if (setting->type == PITH_SETTING_TEXT) {
        snprintf(value, 32, "%c", 'a' + trip_choice(byte, 4) - 1);
        return trip_choice(byte, 4) > 0;
    }
    for (const char *at = choices; *at; at++)
        count += *at == '|' ? 1 : 0;
    unsigned which = trip_choice(byte, count);
    for (unsigned i = 1; i < which; i++)
        choices = strchr(choices, '|') + 1;
    snprintf(value, 32, "%.*s", (int)strcspn(choices, "|"), choices);
    return which > 0;
}

/* Words of the write side, and those of them that the read side needs as well. Settings
 * whose word stands in `without`, between spaces, are left alone. */
static inline void trip_settings(trip *t, draw *from, const char *without)
{
    const pith_format *info = pith_format_find(t->format);
    size_t index = 0;
    REQUIRE(info != NULL);
    while (from->at < from->end && *from->at != '\n') {
        char value[32];
        char word[64];
        uint8_t byte = draw_byte(from);
        const pith_setting *setting =
            index < info->setting_count ? &info->settings[index] : NULL;
        index++;
        if (!setting || !(setting->direction & PITH_WRITE) ||
            !trip_setting(setting, byte, value))
            continue;
        snprintf(word, sizeof word, " %s ", setting->word);
        if (strstr(without, word))
            continue;
        trip_say(t->write, setting->word, value, strlen(value));
        if (setting->direction & PITH_READ)
            trip_say(t->read, setting->word, value, strlen(value));
    }
    draw_byte(from);
}

/* ------------------------------------------------------------------------- there */

static inline void trip_begin(trip *t, const char *format, const uint8_t *data,
                              size_t size, const char *without)
{
    draw from = draw_from(data, size);
    memset(t, 0, sizeof *t);
    t->format = format;
    trip_settings(t, &from, without);
    t->piece = size % 61 + 1;
    t->doc = draw_doc(&from);
    t->value = pith_doc_root(t->doc);
}

static inline void trip_end(trip *t)
{
    pith_buffer_free(&t->text);
    pith_doc_free(t->back);
    pith_doc_free(t->doc);
}

/* True when the value was written; false when it was refused with one of the codes,
 * which stand between spaces. */
static inline bool trip_there(trip *t, const char *codes)
{
    pith_options options = {0};
    pith_error err = {0};
    char code[64];
    options.write = t->write;
    pith_status status =
        pith_value_write(t->value, t->format, &options, pith_sink_buffer(&t->text), &err);
    if (status == PITH_OK) {
        TRIP_REQUIRE(t, t->text.data != NULL && t->text.data[t->text.len] == '\0');
        return true;
    }
    if (status == PITH_BAD_USE && strcmp(err.code, "bad_setting") == 0)
        return false; /* each word is right, but not beside the others */
    snprintf(code, sizeof code, " %s ", err.code ? err.code : "?");
    if (status != PITH_UNREPRESENTABLE || !strstr(codes, code))
        fprintf(stderr, "%s: %s\n", code, err.message);
    TRIP_REQUIRE(t, status == PITH_UNREPRESENTABLE && strstr(codes, code));
    TRIP_REQUIRE(t, err.message[0] != '\0' && err.line == 0);
    return false;
}

static inline pith_options trip_reading(const trip *t)
{
    pith_options options = {0};
    options.read = t->read;
    options.depth_max = PITH_DEPTH_MOST;
    return options;
}

/* -------------------------------------------------------------------------- back */

static inline void trip_back(trip *t, trip_match match)
{
    pith_options options = trip_reading(t);
    pith_error err = {0};
    fuzz_problems problems = {{0}, 0};
    t->back = pith_doc_parse(t->format, t->text.data, t->text.len, &options, &err);
    if (!t->back)
        fprintf(stderr, "%zu:%zu: %s: %s\n", err.line, err.column, err.code, err.message);
    TRIP_REQUIRE(t, t->back != NULL);
    pith_value came = pith_doc_root(t->back);
    TRIP_REQUIRE(t, match != TRIP_EXACT || pith_value_equal(t->value, came));
    TRIP_REQUIRE(t, match != TRIP_LOOSE || fuzz_same_value(t->value, came));
    TRIP_REQUIRE(t, pith_check(t->format, t->text.data, t->text.len, &options, fuzz_note,
                               &problems, NULL) == PITH_OK);
    TRIP_REQUIRE(t, problems.count == 0);
}

static inline bool trip_same_text(const trip *t, const pith_buffer *other)
{
    bool same =
        other->len == t->text.len && memcmp(other->data, t->text.data, other->len) == 0;
    if (!same)
        fprintf(stderr, "the other text: %.*s\n", (int)other->len, other->data);
    return same;
}

/* What came back is written as it was. */
static inline void trip_again(const trip *t)
{
    pith_buffer again = fuzz_write(pith_doc_root(t->back), t->format, t->write);
    TRIP_REQUIRE(t, trip_same_text(t, &again));
    pith_buffer_free(&again);
}

/* What came back is not what was given, as with rows in groups; but from now on it stays
 * as it is, value and text. */
static inline void trip_settled(const trip *t)
{
    pith_options options = trip_reading(t);
    pith_buffer once = fuzz_write(pith_doc_root(t->back), t->format, t->write);
    pith_doc *came = pith_doc_parse(t->format, once.data, once.len, &options, NULL);
    TRIP_REQUIRE(t, came != NULL);
    TRIP_REQUIRE(t, fuzz_same_value(pith_doc_root(t->back), pith_doc_root(came)));
    pith_buffer twice = fuzz_write(pith_doc_root(came), t->format, t->write);
    TRIP_REQUIRE(t,
                 once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
    pith_buffer_free(&twice);
    pith_buffer_free(&once);
    pith_doc_free(came);
}

/* A limit of so many bytes lets the text through, one less does not. */
static inline void trip_limit(const trip *t)
{
    pith_options options = {0};
    pith_error err = {0};
    pith_buffer out = {0};
    options.write = t->write;
    options.output_max = t->text.len;
    TRIP_REQUIRE(t, t->text.len == 0 ||
                        pith_value_write(t->value, t->format, &options,
                                         pith_sink_buffer(&out), &err) == PITH_OK);
    pith_buffer_free(&out);
    options.output_max = t->text.len - 1;
    if (t->text.len > 1) {
        TRIP_REQUIRE(t, pith_value_write(t->value, t->format, &options,
                                         pith_sink_buffer(&out), &err) == PITH_LIMIT);
        TRIP_REQUIRE(t, strcmp(err.code, "output_limit") == 0);
        TRIP_REQUIRE(t, out.len < t->text.len);
    }
    pith_buffer_free(&out);
}

/* One call from JSON gives the same. */
static inline void trip_convert(const trip *t)
{
    pith_options options = {0};
    pith_buffer out = {0};
    pith_buffer json = fuzz_write(t->value, "json", NULL);
    options.write = t->write;
    TRIP_REQUIRE(t, pith_convert("json", t->format, json.data, json.len, &options,
                                 pith_sink_buffer(&out), NULL) == PITH_OK);
    TRIP_REQUIRE(t, trip_same_text(t, &out));
    pith_buffer_free(&out);
    pith_buffer_free(&json);
}

/* ------------------------------------------------------------------------ pieces */

/* The rows that a reader hands out, one by one, beside those from `row` on. A text of
 * several tables has no rows of its own, which shows after the first of them. */
static inline bool trip_same_rows(pith_reader *reader, pith_value row, bool *several)
{
    bool same = true;
    for (;;) {
        pith_value taken = {0};
        pith_error err = {0};
        pith_status status = pith_reader_next(reader, &taken, &err);
        *several = status != PITH_OK && strcmp(err.code, "not_a_table") == 0;
        if (*several)
            return false;
        REQUIRE(status == PITH_OK);
        if (!taken.doc)
            return same && !row.doc;
        same = same && row.doc && pith_value_equal(taken, row);
        row = pith_value_next(row);
    }
}

/* A reader that is given the whole text, in pieces; NULL when it refuses it. */
static inline pith_reader *trip_feed(const trip *t, pith_error *err)
{
    pith_options options = trip_reading(t);
    pith_reader *reader = pith_reader_open(t->format, &options, NULL);
    pith_status status = PITH_OK;
    REQUIRE(reader != NULL);
    for (size_t at = 0; status == PITH_OK && at < t->text.len; at += t->piece) {
        size_t left = t->text.len - at;
        size_t len = left < t->piece ? left : t->piece;
        char *copy = fuzz_copy((const uint8_t *)t->text.data + at, len);
        status = pith_reader_feed(reader, copy, len, err);
        free(copy);
    }
    if (status == PITH_OK)
        status = pith_reader_end(reader, err);
    if (status != PITH_OK) {
        pith_reader_free(reader);
        return NULL;
    }
    return reader;
}

/* The rows are the elements of the array, or of the only table of an object. */
static inline void trip_pieces(const trip *t)
{
    pith_error err = {0};
    pith_value root = pith_doc_root(t->back);
    pith_value table = root;
    for (int named = 0; named < 2; named++) {
        pith_reader *reader = trip_feed(t, &err);
        TRIP_REQUIRE(t, reader != NULL);
        bool array = pith_value_kind(table) == PITH_ARRAY;
        bool several = false;
        pith_value first = array ? pith_value_first(table) : table;
        bool same = trip_same_rows(reader, first, &several);
        pith_reader_free(reader);
        if (several) {
            TRIP_REQUIRE(t, strncmp(t->format, "soch", 4) == 0);
            TRIP_REQUIRE(t, pith_value_count(root) > 1);
            return;
        }
        if (same)
            return;
        table = pith_value_first(root);
        TRIP_REQUIRE(t, named == 0 && pith_value_kind(root) == PITH_OBJECT &&
                            pith_value_count(root) == 1);
    }
}

/* Everything that holds for every format; `codes` are those it may refuse with. */
static inline void trip_all(trip *t, const char *codes, trip_match match)
{
    if (trip_there(t, codes)) {
        trip_back(t, match);
        trip_again(t);
        trip_limit(t);
        trip_convert(t);
        trip_pieces(t);
    }
    trip_end(t);
}

#endif /* PITH_FUZZ_TRIP_H */
