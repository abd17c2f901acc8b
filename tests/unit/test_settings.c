/*
 * test_settings.c - formats and how they are found, settings and how they are
 * refused, sinks and how they fail, and the one call that joins them.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <unistd.h>

#include "bytes.h"
#include "meter.h"
#include "testing.h"
#include "base/nearest.h"

/* ---------------------------------------------------------------------- formats */

static bool has_text(const char *text)
{
    return text && text[0];
}

/* A value that the table itself calls possible. */
static bool possible(const pith_setting *setting, const char *value)
{
    char *end = NULL;
    switch (setting->type) {
    case PITH_SETTING_BOOL:
        return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
    case PITH_SETTING_NUMBER: {
        unsigned long long number = strtoull(value, &end, 10);
        return end != value && *end == '\0' && number >= setting->min &&
               number <= setting->max;
    }
    case PITH_SETTING_CHOICE: {
        size_t len = strlen(value);
        for (const char *at = setting->choices; at; at = strchr(at, '|')) {
            at += *at == '|';
            if (strncmp(at, value, len) == 0 && (at[len] == '|' || at[len] == '\0'))
                return true;
        }
        return false;
    }
    case PITH_SETTING_TEXT:
        return true;
    }
    return false;
}

static void listing(void **state)
{
    (void)state;
    size_t count = 0;
    for (; pith_format_at(count); count++) {
        const pith_format *format = pith_format_at(count);
        assert_true(has_text(format->name) && format->suffixes);
        assert_true(has_text(format->media_type) && has_text(format->summary));
        assert_non_null(strchr(format->media_type, '/'));
        assert_true(format->direction & (PITH_READ | PITH_WRITE));
        assert_int_equal(format->streams & ~format->direction, 0);
        assert_ptr_equal(pith_format_find(format->name), format);
        for (size_t i = 0; i < count; i++)
            assert_string_not_equal(pith_format_at(i)->name, format->name);
        for (size_t i = 0; i < format->setting_count; i++) {
            const pith_setting *setting = &format->settings[i];
            assert_true(has_text(setting->word) && has_text(setting->help));
            assert_non_null(setting->default_value);
            assert_true(setting->direction &&
                        (setting->direction & ~format->direction) == 0);
            assert_int_equal(setting->choices != NULL,
                             setting->type == PITH_SETTING_CHOICE);
            assert_true(possible(setting, setting->default_value));
            if (setting->choices) { /* settings_read relies on it */
                size_t first = strcspn(setting->choices, "|");
                assert_int_equal(strlen(setting->default_value), first);
                assert_memory_equal(setting->default_value, setting->choices, first);
            }
        }
    }
    assert_true(count >= 2);
    assert_null(pith_format_at(count + 1));
    assert_null(pith_format_at(SIZE_MAX));
    assert_non_null(pith_format_find("json"));
    assert_non_null(pith_format_find("ndjson"));
    assert_null(pith_format_find(""));
    assert_string_equal(pith_format_find("JSON")->name, "json");
    assert_string_equal(pith_format_find("JsonL")->name, "ndjson");
    assert_null(pith_format_find("jso"));
    assert_null(pith_format_find("jsonx"));
}

/* A value that the format can write: nothing, or a graph of nothing. */
static pith_doc *some_value(const pith_format *format)
{
    pith_buffer out = {0};
    pith_doc *doc = must_parse_json("[]");
    pith_status status = pith_value_write(pith_doc_root(doc), format->name, NULL,
                                          pith_sink_buffer(&out), NULL);
    pith_buffer_free(&out);
    if (status == PITH_OK)
        return doc;
    pith_doc_free(doc);
    return must_parse_json("{\"tool\":\"t\",\"symbols\":[]}");
}

/* Every setting takes what its table says and nothing else, on every side. */
static void tables_are_true(void **state)
{
    (void)state;
    for (size_t i = 0; pith_format_at(i); i++) {
        const pith_format *format = pith_format_at(i);
        for (size_t k = 0; k < format->setting_count; k++) {
            const pith_setting *setting = &format->settings[k];
            if (!(setting->direction & PITH_WRITE) || !(format->direction & PITH_WRITE))
                continue;
            pith_doc *doc = some_value(format);
            char words[256];
            pith_options options = with_settings(NULL, words);
            pith_buffer out = {0};
            snprintf(words, sizeof words, "%s=%s", setting->word, setting->default_value);
            assert_int_equal(pith_value_write(pith_doc_root(doc), format->name, &options,
                                              pith_sink_buffer(&out), NULL),
                             PITH_OK);
            if (setting->type != PITH_SETTING_TEXT) {
                snprintf(words, sizeof words, "%s=no_such_value", setting->word);
                pith_error err = {0};
                assert_int_equal(pith_value_write(pith_doc_root(doc), format->name,
                                                  &options, pith_sink_buffer(&out), &err),
                                 PITH_BAD_USE);
                assert_non_null(strstr(err.message, setting->word));
            }
            pith_buffer_free(&out);
            pith_doc_free(doc);
        }
    }
}

static void by_path(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *name; /* NULL: no format */
    } rows[] = {
        {"a.json", "json"},
        {"a.JSON", "json"},
        {"/x/y.z/a.json", "json"},
        {"a.b.json", "json"},
        {"a.ndjson", "ndjson"},
        {"a.jsonl", "ndjson"},
        {"A.JsonL", "ndjson"},
        {"./.hidden.json", "json"},
        {"", NULL},
        {"json", NULL},
        {"a", NULL},
        {"a.", NULL},
        {"a.jso", NULL},
        {"a.jsonx", NULL},
        {"a.json/", NULL},
        {"a.json/b", NULL},
        {"ajson", NULL},
        {"a.json.gz", "json"},
        {"a.json ", NULL},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const pith_format *found = pith_format_of(rows[i].path, NULL, 0);
        const char *name = found ? found->name : "none";
        if (strcmp(name, rows[i].name ? rows[i].name : "none") == 0)
            continue;
        fprintf(stderr, "%s: %s\n", rows[i].path, name);
        failures++;
    }
    assert_int_equal(failures, 0);
    /* the first suffix of each format stands for it */
    for (size_t i = 0; pith_format_at(i); i++) {
        const pith_format *format = pith_format_at(i);
        char path[64];
        if (!has_text(format->suffixes))
            continue;
        snprintf(path, sizeof path, "x%.*s", (int)strcspn(format->suffixes, " "),
                 format->suffixes);
        assert_ptr_equal(pith_format_of(path, NULL, 0), format);
    }
}

static void by_content(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t len;
        const char *name;
    } rows[] = {
        {LIT("{}"), "json"},
        {LIT("[]"), "json"},
        {LIT("[1,2]\n"), "json"},
        {LIT(" \r\n\t{\"a\":1}"), "json"},
        {LIT("\xef\xbb\xbf{\"a\":1}"), "json"},
        {LIT("{\n  \"a\": 1,\n  \"b\": {}\n}\n"), "json"},
        {LIT("[\n1,\n2\n]"), "json"},
        {LIT("{\"a\":1}\n"), "json"},
        {LIT("{\"a\":1}\n{\"a\":2}\n"), "ndjson"},
        {LIT("{\"a\":1}\r\n{\"a\":2}\r\n"), "ndjson"},
        {LIT("[1,2]\n[3,4]\n"), "ndjson"},
        {LIT("{\"a\":\"}\\n{\"}\n{\"a\":2}"), "ndjson"},
        {LIT("\xef\xbb\xbf{\"a\":1}\n{\"a\":2}\n"), "ndjson"},
        {LIT("true"), "json"},
        {LIT("\"text\""), "json"},
        {LIT("\"an \\\"escaped\\\" quote\\\\\""), "json"},
        {LIT("users[2]{id,name}:\n  1,Ada\n  2,Bob"), "toon"},
        {LIT("[2,]{id}:\n  1\n  2"), "toon-rows"},
        {LIT("## t [2]{id}\n1\n2\n"), "gcf1"},
        {LIT("## t [?]{id}\n1\n2\n"), "gcf1"},
        {LIT("## t [?2]{id}\n1\n2\n"), NULL},
        {LIT("-12.5e3 "), "json"},
        {LIT(""), NULL},
        {LIT(" \n"), NULL},
        {LIT("<xml/>"), NULL},
        {LIT("plain text, nothing more"), NULL},
        {LIT("\0\0\0\0"), NULL},
        {LIT("\xff\xfe"), NULL},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char *text = malloc(rows[i].len ? rows[i].len : 1);
        assert_non_null(text);
        memcpy(text, rows[i].text, rows[i].len);
        const pith_format *found = pith_format_of(NULL, text, rows[i].len);
        free(text);
        const char *name = found ? found->name : "none";
        if (strcmp(name, rows[i].name ? rows[i].name : "none") == 0)
            continue;
        show_bytes(name, rows[i].text, rows[i].len);
        failures++;
    }
    assert_int_equal(failures, 0);
}

static void nearest_words(void **state)
{
    (void)state;
    static const char *const words[] = {"json", "ndjson", "convert", "check", "formats"};
    static const struct {
        const char *typed;
        const char *nearest;
    } rows[] = {
        {"json", "json"},
        {"jsn", "json"},
        {"jason", "json"},
        {"josn", "json"},
        {"ndjsn", "ndjson"},
        {"conver", "convert"},
        {"covnert", "convert"},
        {"chekc", "check"},
        {"format", "formats"},
        {"fromats", "formats"},
        {"", NULL},
        {"x", NULL},
        {"zzzz", NULL},
        {"something else altogether", NULL},
        {"a word much longer than any word that anybody would care to compare it with",
         NULL},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const char *found = nearest_word(rows[i].typed, words, ROWS(words));
        if (strcmp(found ? found : "-", rows[i].nearest ? rows[i].nearest : "-") == 0)
            continue;
        fprintf(stderr, "%s: %s\n", rows[i].typed, found ? found : "-");
        failures++;
    }
    assert_int_equal(failures, 0);
    assert_null(nearest_word("json", words, 0));
    /* nor with a word that is much longer */
    static const char *const uneven[] = {
        "json-and-much-more-after-it-than-anybody-would-ever-type", "jsonl"};
    assert_string_equal(nearest_word("json", uneven, ROWS(uneven)), "jsonl");
    assert_null(nearest_word("json", uneven, 1));
}

/* --------------------------------------------------------------------- settings */

/* The status of converting "[]" with the settings, and its error. */
static pith_status with_words(const char *read, const char *write, pith_error *err)
{
    pith_options options = with_settings(read, write);
    pith_buffer out = {0};
    *err = (pith_error){0};
    pith_status status =
        pith_convert("json", "json", LIT("[]"), &options, pith_sink_buffer(&out), err);
    pith_buffer_free(&out);
    return status;
}

static void good_settings(void **state)
{
    (void)state;
    static const struct {
        const char *read, *write;
    } rows[] = {
        {NULL, NULL},
        {"", ""},
        {"   ", " \t "},
        {"duplicates=last", "indent=2"},
        {"duplicates=refuse surrogates=replace", "ascii=true indent=8"},
        {"  duplicates=last   surrogates=refuse  ", "  ascii=false  "},
        /* the later word wins */
        {"duplicates=refuse duplicates=last", "indent=2 indent=4"},
        /* any value may be quoted */
        {"duplicates=\"last\"", "indent=\"2\" ascii=\"true\""},
        {"duplicates=\"\\u006cast\"", NULL},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_error err;
        assert_int_equal(with_words(rows[i].read, rows[i].write, &err), PITH_OK);
    }
    /* the settings do what they say when they are quoted or repeated */
    pith_doc *doc = must_parse_json("[1]");
    must_write_as(pith_doc_root(doc), "json", "indent=\"\\u0031\"", "[\n 1\n]");
    must_write_as(pith_doc_root(doc), "json", "indent=4 indent=1", "[\n 1\n]");
    must_write_as(pith_doc_root(doc), "json", "indent=4 indent=0", "[1]");
    pith_doc_free(doc);
}

static void bad_settings(void **state)
{
    (void)state;
    static const struct {
        const char *read, *write;
        const char *names; /* what the message must name */
    } rows[] = {
        {"indnt=2", NULL, "indnt"},
        {NULL, "indnt=2", "indent"},
        {NULL, "asci=true", "ascii"},
        {"duplicate=last", NULL, "duplicates"},
        {"surogates=replace", NULL, "surrogates"},
        /* a setting of the other side */
        {"indent=2", NULL, "indent"},
        {NULL, "duplicates=last", "duplicates"},
        /* values */
        {NULL, "indent=", "indent"},
        {NULL, "indent=two", "two"},
        {NULL, "indent=-1", "-1"},
        {NULL, "indent=+1", "+1"},
        {NULL, "indent=1.0", "1.0"},
        {NULL, "indent=1e1", "1e1"},
        {NULL, "indent=01", "01"},
        {NULL, "indent=17", "17"},
        {NULL, "indent=99999999999999999999999", "indent"},
        {NULL, "ascii=yes", "true or false"},
        {NULL, "ascii=1", "true or false"},
        {NULL, "ascii=TRUE", "true or false"},
        {"duplicates=first", NULL, "last"},
        {"duplicates=refuse|last", NULL, "duplicates"},
        {"duplicates=", NULL, "duplicates"},
        {"surrogates=off", NULL, "replace"},
        /* no setting at all */
        {NULL, "indent", "indent"},
        {NULL, "indent 2", "indent"},
        {NULL, "=2", "="},
        {NULL, "=", "="},
        {NULL, "indent=2 bogus", "bogus"},
        {NULL, "indent=2,ascii=true", "2,ascii=true"},
        {NULL, "\"indent\"=2", "word=value"},
        /* quotes that do not close or hold no JSON string */
        {NULL, "indent=\"2", "indent"},
        {NULL, "indent=\"2\\q\"", "indent"},
        {NULL, "indent=\"\\ud800\"", "indent"},
        {NULL, "indent=\"2\"ascii=true", "indent"},
        {NULL, "indent=\"2\"3", "indent"},
        {NULL, "indent=\"", "indent"},
        {NULL, "indent=\"\xff\"", "indent"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_error err;
        pith_status status = with_words(rows[i].read, rows[i].write, &err);
        if (status == PITH_BAD_USE && err.status == PITH_BAD_USE && err.code &&
            strstr(err.message, rows[i].names))
            continue;
        fprintf(stderr, "%s / %s: %s %s\n", rows[i].read ? rows[i].read : "",
                rows[i].write ? rows[i].write : "", pith_status_name(status),
                err.message);
        failures++;
    }
    assert_int_equal(failures, 0);

    pith_error err;
    with_words("bogus=1", NULL, &err);
    assert_string_equal(err.code, "unknown_setting");
    with_words(NULL, "indent=x", &err);
    assert_string_equal(err.code, "bad_setting");
}

/* Words of any length are answered in a message of bounded length that is text. */
static void long_settings(void **state)
{
    (void)state;
    bytes words = {0};
    bytes_repeat(&words, "\xf0\x9f\x98\x80", 5000);
    bytes_put(&words, "=");
    bytes_repeat(&words, "\xe2\x82\xac", 5000);
    bytes_add(&words, "", 1);
    pith_error err;
    assert_int_equal(with_words(words.ptr, NULL, &err), PITH_BAD_USE);
    assert_non_null(memchr(err.message, '\0', sizeof err.message));
    bytes quoted = {0};
    bytes_put(&quoted, "\"");
    bytes_put(&quoted, err.message);
    /* a message is UTF-8 even where a word had to be cut */
    for (size_t i = 1; i < quoted.len; i++)
        if (quoted.ptr[i] == '"' || quoted.ptr[i] == '\\')
            quoted.ptr[i] = '\'';
    bytes_put(&quoted, "\"");
    pith_doc *doc = must_parse("json", quoted.ptr, quoted.len, NULL);
    pith_doc_free(doc);
    bytes_free(&quoted);

    words.len = 0;
    bytes_put(&words, "indent=\"");
    bytes_repeat(&words, "\\u0032", 5000);
    bytes_put(&words, "\"");
    bytes_add(&words, "", 1);
    assert_int_equal(with_words(NULL, words.ptr, &err), PITH_BAD_USE);
    bytes_free(&words);
}

/* A name that is no text would have been written as it is, where nobody can read it. */
static void texts_that_are_not_utf8(void **state)
{
    (void)state;
    static const char *const words[] = {"name=b\xff", "name=\xc3", "name=\"b\xff\""};
    for (size_t i = 0; i < ROWS(words); i++) {
        pith_options options = {0};
        pith_error err = {0};
        pith_buffer out = {0};
        options.write = words[i];
        assert_int_equal(pith_convert("json", "soch", "[{\"a\":1}]", 9, &options,
                                      pith_sink_buffer(&out), &err),
                         PITH_BAD_USE);
        assert_string_equal(err.code, "bad_setting");
        assert_int_equal(out.len, 0);
        pith_buffer_free(&out);
    }
}

static void unknown_formats(void **state)
{
    (void)state;
    pith_error err = {0};
    pith_buffer out = {0};
    pith_sink sink = pith_sink_buffer(&out);
    assert_int_equal(pith_convert("jsn", "json", LIT("[]"), NULL, sink, &err),
                     PITH_BAD_USE);
    assert_non_null(strstr(err.message, "json"));
    assert_int_equal(pith_convert("json", "ndjso", LIT("[]"), NULL, sink, &err),
                     PITH_BAD_USE);
    assert_non_null(strstr(err.message, "ndjson"));
    assert_int_equal(pith_convert("json", "", LIT("[]"), NULL, sink, &err), PITH_BAD_USE);
    assert_null(pith_doc_parse("yaml!", LIT("[]"), NULL, &err));
    assert_int_equal(err.status, PITH_BAD_USE);
    assert_null(pith_rows_open("nope", NULL, 0, NULL, sink, &err));
    assert_int_equal(err.status, PITH_BAD_USE);
    assert_null(pith_reader_open("nope", NULL, &err));
    assert_int_equal(err.status, PITH_BAD_USE);
    assert_int_equal(pith_check("nope", LIT("[]"), NULL, NULL, NULL, &err), PITH_BAD_USE);
    pith_doc *doc = must_parse_json("[]");
    assert_int_equal(pith_value_write(pith_doc_root(doc), "nope", NULL, sink, &err),
                     PITH_BAD_USE);
    pith_doc_free(doc);
    assert_int_equal(out.len, 0); /* nothing was written before it was known */
    pith_buffer_free(&out);
}

static void depth_beyond_the_most(void **state)
{
    (void)state;
    pith_options options = {0};
    options.depth_max = PITH_DEPTH_MOST;
    pith_doc *doc = pith_doc_parse("json", LIT("[]"), &options, NULL);
    assert_non_null(doc);
    pith_doc_free(doc);
    /* more than the most is either refused or means the most, but never more */
    options.depth_max = SIZE_MAX;
    bytes deep = {0};
    bytes_repeat(&deep, "[", PITH_DEPTH_MOST + 1);
    pith_error err = {0};
    assert_null(pith_doc_parse("json", deep.ptr, deep.len, &options, &err));
    assert_true(err.status == PITH_LIMIT || err.status == PITH_BAD_USE);
    bytes_free(&deep);
}

/* ---------------------------------------------------------------------- convert */

static void converts(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        const char *text;
        const char *write;
        const char *expected;
    } rows[] = {
        {"json", "json", " [ 1 , 2 ] ", NULL, "[1,2]"},
        {"json", "json", "[1]", "indent=1", "[\n 1\n]"},
        {NULL, "json", "[1, 2]", NULL, "[1,2]"},
        {NULL, "json", "{\"a\":1}\n{\"a\":2}\n", NULL, "[{\"a\":1},{\"a\":2}]"},
        {"ndjson", "json", "1\n2\n", NULL, "[1,2]"},
        {"ndjson", "json", "", NULL, "[]"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_options options = with_settings(NULL, rows[i].write);
        pith_buffer out = {0};
        pith_error err = {0};
        pith_status status =
            pith_convert(rows[i].from, rows[i].to, rows[i].text, strlen(rows[i].text),
                         &options, pith_sink_buffer(&out), &err);
        bool right = status == PITH_OK;
        if (!right)
            fprintf(stderr, "%s: %s\n", rows[i].text, err.message);
        if (right) {
            right = same_bytes(rows[i].text, out.data, out.len, rows[i].expected,
                               strlen(rows[i].expected));
        }
        failures += !right;
        pith_buffer_free(&out);
    }
    assert_int_equal(failures, 0);

    /* content that nobody claims */
    pith_buffer out = {0};
    pith_error err = {0};
    assert_int_equal(
        pith_convert(NULL, "json", LIT("<a/>"), NULL, pith_sink_buffer(&out), &err),
        PITH_BAD_INPUT);
    assert_string_equal(err.code, "unknown_format");
    assert_int_equal(
        pith_convert(NULL, "json", "", 0, NULL, pith_sink_buffer(&out), &err),
        PITH_BAD_INPUT);
    pith_buffer_free(&out);
}

/* A decimal comma and another alphabet must not matter. Where the machine has no
 * such locale, the calls still must succeed in the one it has. */
static void the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "tr_TR.UTF-8", "de_DE",
                                          "C.UTF-8"};
    for (size_t i = 0; i < ROWS(locales); i++) {
        setlocale(LC_ALL, locales[i]);
        pith_doc *doc = must_parse_json("[1.5,\"I\"]");
        double number = 0;
        assert_true(pith_value_double(pith_value_at(pith_doc_root(doc), 0), &number));
        assert_true(number == 1.5);
        pith_doc_reset(doc);
        pith_doc_add_double(doc, 2.5);
        assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
        must_hold_json(doc, "2.5");
        pith_doc_free(doc);
        setlocale(LC_ALL, "C");
    }
}

/* ------------------------------------------------------------------------ sinks */

static void buffers(void **state)
{
    (void)state;
    meter counts = {0};
    pith_buffer out = {0};
    out.alloc = meter_alloc(&counts);
    pith_sink sink = pith_sink_buffer(&out);
    assert_int_equal(sink.write(sink.ctx, "abc", 3), PITH_OK);
    assert_int_equal(sink.write(sink.ctx, "", 0), PITH_OK);
    assert_int_equal(sink.write(sink.ctx, "d\0", 2), PITH_OK);
    assert_int_equal(out.len, 5);
    assert_memory_equal(out.data, "abcd\0\0", 6); /* and a NUL after */
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(sink.write(sink.ctx, "0123456789", 10), PITH_OK);
    assert_int_equal(out.len, 1000005);
    assert_int_equal(out.data[out.len], '\0');
    assert_true(counts.requests < 200); /* it grows by a share, not by a step */
    pith_buffer_free(&out);
    assert_true(meter_clean(&counts));
    assert_null(out.data);
    assert_int_equal(out.len, 0);
    assert_int_equal(out.cap, 0);

    /* it can be used again, with the same allocator */
    assert_int_equal(sink.write(sink.ctx, "x", 1), PITH_OK);
    assert_true(counts.live_bytes > 0);
    assert_string_equal(out.data, "x");
    /* more than there can be: refused before anything is read, and nothing is lost */
    assert_int_equal(sink.write(sink.ctx, "", SIZE_MAX / 2), PITH_NO_MEMORY);
    assert_int_equal(sink.write(sink.ctx, "", SIZE_MAX), PITH_NO_MEMORY);
    assert_string_equal(out.data, "x");
    pith_buffer_free(&out);
    pith_buffer_free(&out);
    assert_true(meter_clean(&counts));

    /* conversions append */
    pith_buffer twice = {0};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pith_convert("json", "json", LIT("[1]"), NULL,
                                      pith_sink_buffer(&twice), NULL),
                         PITH_OK);
    }
    assert_string_equal(twice.data, "[1][1]");
    pith_buffer_free(&twice);

    /* after success there is data even where nothing was written */
    pith_buffer empty = {0};
    assert_int_equal(
        pith_convert("json", "ndjson", LIT("[]"), NULL, pith_sink_buffer(&empty), NULL),
        PITH_OK);
    assert_non_null(empty.data);
    assert_int_equal(empty.len, 0);
    assert_string_equal(empty.data, "");
    pith_buffer_free(&empty);
}

static void large_text(bytes *text)
{
    bytes_put(text, "[0");
    bytes_repeat(text, ",\"0123456789\"", 40000);
    bytes_put(text, "]");
}

static void file_descriptors(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(
        pith_convert("json", "json", LIT("[1, 2]"), NULL, pith_sink_fd(ends[1]), NULL),
        PITH_OK);
    char found[16] = {0};
    assert_int_equal(read(ends[0], found, sizeof found), 5);
    assert_string_equal(found, "[1,2]");
    /* the descriptor stays ours and open */
    assert_int_equal(write(ends[1], "x", 1), 1);
    close(ends[0]);

    /* a pipe that nobody reads */
    signal(SIGPIPE, SIG_IGN);
    pith_error err = {0};
    assert_int_equal(
        pith_convert("json", "json", LIT("[1, 2]"), NULL, pith_sink_fd(ends[1]), &err),
        PITH_IO);
    assert_int_equal(err.status, PITH_IO);
    assert_int_equal(err.system, EPIPE);
    assert_non_null(err.code);
    assert_int_equal(err.line, 0);
    close(ends[1]);

    /* a descriptor that is closed */
    err = (pith_error){0};
    assert_int_equal(
        pith_convert("json", "json", LIT("[1, 2]"), NULL, pith_sink_fd(ends[1]), &err),
        PITH_IO);
    assert_int_equal(err.system, EBADF);

    /* a disk that is full */
    int full = open("/dev/full", O_WRONLY);
    if (full >= 0) {
        bytes text = {0};
        large_text(&text);
        err = (pith_error){0};
        assert_int_equal(pith_convert("json", "json", text.ptr, text.len, NULL,
                                      pith_sink_fd(full), &err),
                         PITH_IO);
        assert_int_equal(err.system, ENOSPC);
        close(full);
        bytes_free(&text);
    }
}

/* A sink that fails at its n-th call and must not be called again after that. */
typedef struct failing {
    size_t fail_at;
    size_t calls;
    size_t calls_after;
    pith_status with;
} failing;

static pith_status fail_at_call(void *ctx, const char *data, size_t len)
{
    failing *sink = ctx;
    (void)data;
    (void)len;
    sink->calls++;
    if (sink->calls < sink->fail_at)
        return PITH_OK;
    if (sink->calls > sink->fail_at)
        sink->calls_after++;
    errno = EIO;
    return sink->with;
}

static void callbacks_that_fail(void **state)
{
    (void)state;
    bytes text = {0};
    large_text(&text);
    static const pith_status statuses[] = {PITH_IO, PITH_NO_MEMORY, PITH_LIMIT};
    for (size_t s = 0; s < ROWS(statuses); s++) {
        for (size_t n = 1;; n++) {
            failing sink = {n, 0, 0, statuses[s]};
            pith_error err = {0};
            pith_status status = pith_convert("json", "json", text.ptr, text.len, NULL,
                                              (pith_sink){fail_at_call, &sink}, &err);
            assert_int_equal(sink.calls_after, 0);
            if (sink.calls < n) {
                assert_int_equal(status, PITH_OK);
                assert_true(n > 1);
                break;
            }
            assert_int_equal(status, statuses[s]);
            assert_int_equal(err.status, statuses[s]);
            if (statuses[s] == PITH_IO)
                assert_int_equal(err.system, EIO);
        }
    }
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listing),
        cmocka_unit_test(tables_are_true),
        cmocka_unit_test(by_path),
        cmocka_unit_test(by_content),
        cmocka_unit_test(nearest_words),
        cmocka_unit_test(good_settings),
        cmocka_unit_test(bad_settings),
        cmocka_unit_test(long_settings),
        cmocka_unit_test(texts_that_are_not_utf8),
        cmocka_unit_test(unknown_formats),
        cmocka_unit_test(depth_beyond_the_most),
        cmocka_unit_test(converts),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(buffers),
        cmocka_unit_test(file_descriptors),
        cmocka_unit_test(callbacks_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
