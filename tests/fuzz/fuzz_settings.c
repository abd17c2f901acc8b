/*
 * fuzz_settings.c - any bytes as settings, of every format.
 *
 *     byte 0   the format
 *     byte 1   bit 0     settings of the side that reads
 *     the rest are the words
 *
 * What must hold: words are refused with a reason, and then no call that is given them
 * does anything; or they are accepted, and then what was understood, spelled out again, is
 * understood as the same. Looking for the nearest word never fails.
 */
#include "fuzzing.h"

#include "format/format.h"
#include "base/nearest.h"

enum { SPELLED_MOST = 8192 };

static void put(char *words, const char *text, size_t len)
{
    size_t used = strlen(words);
    REQUIRE(used + len < SPELLED_MOST);
    memcpy(words + used, text, len);
    words[used + len] = '\0';
}

static void put_quoted(char *words, pith_text text)
{
    char hex[8];
    put(words, "\"", 1);
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c < 0x20 || c == '"' || c == '\\') {
            snprintf(hex, sizeof hex, "\\u%04x", c);
            put(words, hex, strlen(hex));
        } else {
            put(words, text.ptr + i, 1);
        }
    }
    put(words, "\"", 1);
}

/* The setting as a word and its value, which is always one that is right. */
static void spell(char *words, const pith_setting *setting, uint64_t number,
                  pith_text text)
{
    char digits[32];
    put(words, " ", 1);
    put(words, setting->word, strlen(setting->word));
    put(words, "=", 1);
    if (setting->type == PITH_SETTING_TEXT) {
        put_quoted(words, text);
    } else if (setting->type == PITH_SETTING_NUMBER) {
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
        put(words, digits, strlen(digits));
    } else {
        const char *at =
            setting->type == PITH_SETTING_BOOL ? "false|true" : setting->choices;
        for (uint64_t i = 0; i < number; i++)
            at = strchr(at, '|') + 1;
        put(words, at, strcspn(at, "|"));
    }
}

static void check_accepted(const settings *set, const pith_format *info, unsigned side)
{
    static char words[SPELLED_MOST];
    settings again;
    words[0] = '\0';
    for (size_t i = 0; i < info->setting_count; i++) {
        if (set->given >> i & 1) {
            REQUIRE(info->settings[i].direction & side);
            spell(words, &info->settings[i], set->number[i], set->text[i]);
        }
    }
    REQUIRE(settings_read(&again, info, side, words, NULL) == PITH_OK);
    REQUIRE(again.given == set->given);
    for (size_t i = 0; i < info->setting_count; i++) {
        REQUIRE(again.number[i] == set->number[i]);
        REQUIRE(same_pith_text(again.text[i], set->text[i]));
    }
    settings_copy(&again, set);
    REQUIRE(memcmp(again.number, set->number, sizeof set->number) == 0);
}

static void check_refused(const pith_format *info, const char *words, bool reads,
                          const pith_error *why)
{
    pith_options options = {0};
    pith_error err = {0};
    pith_buffer out = {0};
    REQUIRE(why->status == PITH_BAD_USE);
    REQUIRE(why->code != NULL && why->code[0] && why->message[0]);
    if (reads && (info->direction & PITH_READ)) {
        options.read = words;
        REQUIRE(pith_doc_parse(info->name, "", 0, &options, &err) == NULL);
        REQUIRE(fuzz_same_error(&err, why));
    } else if (!reads && (info->direction & PITH_WRITE)) {
        options.write = words;
        REQUIRE(pith_convert("json", info->name, "[]", 2, &options,
                             pith_sink_buffer(&out), &err) == PITH_BAD_USE);
        REQUIRE(fuzz_same_error(&err, why) && out.len == 0);
    }
    pith_buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t formats = 0;
    if (size < 2)
        return 0;
    while (pith_format_at(formats))
        formats++;
    const pith_format *info = pith_format_at(data[0] % formats);
    bool reads = data[1] & 1;
    uint8_t *padded = (uint8_t *)malloc(size);
    REQUIRE(padded != NULL);
    memcpy(padded, data + 2, size - 2);
    padded[size - 2] = '\0';
    char *words = fuzz_copy(padded, size - 1);
    free(padded);
    settings set;
    pith_error err = {0};
    unsigned side = reads ? PITH_READ : PITH_WRITE;
    if (settings_read(&set, info, side, words, &err) == PITH_OK)
        check_accepted(&set, info, side);
    else
        check_refused(info, words, reads, &err);
    static const char *const known[] = {"indent", "ascii", "delimiter", "flatten-depth"};
    const char *near = nearest_word(words, known, 4);
    REQUIRE(near == NULL || strlen(near) > 0);
    free(words);
    return 0;
}
