/*
 * settings.c - reading settings, and answering mistyped ones.
 *
 *     words = *( space ) [ word "=" value *( 1*space word "=" value ) ]
 *     value = run of anything but spaces and quotes / JSON string
 */
#include "format/settings.h"
#include "base/lex.h"
#include "base/nearest.h"
#include "base/num.h"
#include "base/utf8.h"

#include <assert.h>

/* ------------------------------------------------------- what all formats know */

static const pith_setting settings_common[SETTINGS_COMMON_COUNT] = {
    {"guard", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",
     "write compact JSON instead when that takes no more tokens"},
    {"verify", PITH_SETTING_CHOICE, PITH_WRITE, "false|true|value", 0, 0, "false",
     "read the text back and compare, digits too or only values, before writing it"},
    {"optimize", PITH_SETTING_CHOICE, PITH_WRITE, "none|tokens", 0, 0, "none",
     "choose by counting among the forms that the format allows"},
    {"budget", PITH_SETTING_NUMBER, PITH_WRITE, NULL, 1, 1000000000, "none",
     "leave out rows, or members of maps, until the text fits into so many tokens"},
    {"keep", PITH_SETTING_CHOICE, PITH_WRITE, "first|last|spread|best=FIELD", 0, 0,
     "first", "which rows stay when some have to go; the best have the largest FIELD"},
    {"rows-max", PITH_SETTING_NUMBER, PITH_WRITE, NULL, 1, 1000000000, "none",
     "write at most so many rows"},
    {"clip", PITH_SETTING_NUMBER, PITH_WRITE, NULL, 1, 1000000000, "none",
     "end longer texts after so many characters, with a mark"},
    {"note", PITH_SETTING_CHOICE, PITH_WRITE, "auto|line|member|none", 0, 0, "auto",
     "where the text says what was left out: in a comment if readers expect it, in a "
     "comment, in a member _note, nowhere"},
    {"final-newline", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",
     "end the text with a newline"},
    {"safe", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",
     "escape what nobody sees and what may end a line; refuse it where there is no escape"},
    {"at", PITH_SETTING_TEXT, PITH_READ, NULL, 0, 0, "",
     "of the text only the value at this path, as /items/0 or items[0].name"},
    {"rows", PITH_SETTING_TEXT, PITH_READ, NULL, 0, 0, "",
     "of its rows only those from A up to B, as 0:10"},
    {"fields", PITH_SETTING_TEXT, PITH_READ, NULL, 0, 0, "",
     "of its objects only these members, as id,user.login"},
    {"drop", PITH_SETTING_TEXT, PITH_READ, NULL, 0, 0, "",
     "without these members, as *_url,node_id"},
    {"drop-null", PITH_SETTING_BOOL, PITH_READ, NULL, 0, 0, "false",
     "without members that are null"},
};

const pith_setting *pith_setting_common(size_t index)
{
    return index < SETTINGS_COMMON_COUNT ? &settings_common[index] : NULL;
}

/* ----------------------------------------------------------------- one value */

static pith_status settings_bad_value(const pith_setting *setting, pith_text value,
                                      pith_error *err)
{
    error_excerpt typed = error_quote(value.ptr, value.len);
    switch (setting->type) {
    case PITH_SETTING_BOOL:
        return error_set(err, PITH_BAD_USE, "bad_setting",
                         "setting %s is true or false, not '%s'", setting->word,
                         typed.text);
    case PITH_SETTING_NUMBER:
        return error_set(err, PITH_BAD_USE, "bad_setting",
                         "setting %s is a number from %llu to %llu, not '%s'",
                         setting->word, (unsigned long long)setting->min,
                         (unsigned long long)setting->max, typed.text);
    default:
        return error_set(err, PITH_BAD_USE, "bad_setting",
                         "setting %s is one of %s, not '%s'", setting->word,
                         setting->choices, typed.text);
    }
}

/* A choice may have a value of its own, which is anything: "best=FIELD". */
static bool settings_is_choice(pith_text choice, pith_text value)
{
    const char *equals = (const char *)memchr(choice.ptr, '=', choice.len);
    if (!equals)
        return text_equal(choice, value);
    size_t len = (size_t)(equals - choice.ptr) + 1;
    return value.len > len && memcmp(value.ptr, choice.ptr, len) == 0;
}

static bool settings_find_choice(const char *choices, pith_text value, uint64_t *index)
{
    pith_text rest = text_from(choices);
    for (*index = 0; rest.len > 0; ++*index)
        if (settings_is_choice(text_split(&rest, '|'), value))
            return true;
    return false;
}

static bool settings_find_number(const pith_setting *setting, pith_text value,
                                 uint64_t *out)
{
    lex_number number = lex_read_number(value.ptr, value.ptr + value.len);
    return value.len > 0 && number.end == value.ptr + value.len &&
           num_to_uint64(value, out) && *out >= setting->min && *out <= setting->max;
}

static bool settings_value(const pith_setting *setting, pith_text value, uint64_t *out)
{
    switch (setting->type) {
    case PITH_SETTING_BOOL:
        return settings_find_choice("false|true", value, out);
    case PITH_SETTING_NUMBER:
        return settings_find_number(setting, value, out);
    case PITH_SETTING_CHOICE:
        return settings_find_choice(setting->choices, value, out);
    case PITH_SETTING_TEXT:
        break;
    }
    *out = 0;
    return true;
}

/* ----------------------------------------------------------------- the words */

typedef struct settings_words {
    const char *at;
    const char *end;
    settings *set;
    uint32_t fixed; /* settings that keep their value whatever the words say */
} settings_words;

/* A value written as a JSON string, unescaped into the store. */
static bool settings_unquote(settings_words *words, pith_text *value)
{
    settings *set = words->set;
    const char *at = words->at + 1;
    size_t from = set->stored;
    while (at < words->end && *at != '"') {
        uint32_t code;
        size_t used = 0;
        if (*at == '\\') {
            if (lex_read_escape(at, words->end, &code, &used) != LEX_FINE)
                return false;
        } else {
            used = utf8_decode(at, (size_t)(words->end - at), &code);
        }
        char bytes[UTF8_MAX_LEN];
        size_t len = used ? utf8_encode(code, bytes) : 0;
        if (used == 0 || len > SETTINGS_TEXT_MOST - set->stored)
            return false;
        memcpy(set->store + set->stored, bytes, len);
        set->stored += len;
        at += used;
    }
    if (at == words->end)
        return false;
    words->at = at + 1;
    *value = text_of(set->store + from, set->stored - from);
    return words->at == words->end || scan_is_space((unsigned char)*words->at);
}

/* Settings outlive the words they were read from, so a text is copied. */
static bool settings_keep(settings_words *words, pith_text *value)
{
    settings *set = words->set;
    if (value->len > SETTINGS_TEXT_MOST - set->stored)
        return false;
    char *copy = set->store + set->stored;
    if (value->len)
        memcpy(copy, value->ptr, value->len);
    set->stored += value->len;
    *value = text_of(copy, value->len);
    return true;
}

/* Everything up to a space, or up to `=` or a quote as well. */
static pith_text settings_run(settings_words *words, bool to_equals)
{
    const char *from = words->at;
    while (words->at < words->end && !scan_is_space((unsigned char)*words->at) &&
           !(to_equals && (*words->at == '=' || *words->at == '"')))
        words->at++;
    return text_of(from, (size_t)(words->at - from));
}

static const pith_setting *settings_find(const pith_setting *table, size_t count,
                                         unsigned side, pith_text word)
{
    for (size_t i = 0; i < count; i++)
        if ((table[i].direction & side) && text_is(word, table[i].word))
            return &table[i];
    return NULL;
}

static pith_status settings_unknown(const pith_format *info, unsigned side,
                                    pith_text word, pith_error *err)
{
    const char *known[SETTINGS_MOST + SETTINGS_COMMON_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < info->setting_count; i++)
        if (info->settings[i].direction & side)
            known[count++] = info->settings[i].word;
    for (size_t i = 0; i < SETTINGS_COMMON_COUNT; i++)
        if (settings_common[i].direction & side)
            known[count++] = settings_common[i].word;
    error_excerpt typed = error_quote(word.ptr, word.len);
    const char *doing = side == PITH_READ ? "reading" : "writing";
    const char *near = nearest_word(typed.text, known, count);
    if (near) {
        return error_set(err, PITH_BAD_USE, "unknown_setting",
                         "%s has no setting '%s' for %s; did you mean '%s'?", info->name,
                         typed.text, doing, near);
    }
    return error_set(err, PITH_BAD_USE, "unknown_setting",
                     "%s has no setting '%s' for %s", info->name, typed.text, doing);
}

/* A setting of all formats, with what stands after the = in its value. */
static pith_status settings_take_common(settings_words *words,
                                        const pith_setting *setting, pith_text value,
                                        uint64_t number, pith_error *err)
{
    size_t which = (size_t)(setting - settings_common);
    words->set->common[which] = number;
    if (setting->type == PITH_SETTING_TEXT)
        words->set->common_text[which] = value;
    const char *equals = (const char *)memchr(value.ptr, '=', value.len);
    if (setting->type != PITH_SETTING_CHOICE || !equals)
        return PITH_OK;
    pith_text own = text_of(equals + 1, (size_t)(value.ptr + value.len - equals) - 1);
    if (!settings_keep(words, &own)) {
        return error_set(err, PITH_BAD_USE, "bad_setting",
                         "the settings hold more than %d bytes of text",
                         SETTINGS_TEXT_MOST);
    }
    words->set->common_text[which] = own;
    return PITH_OK;
}

static pith_status settings_take(settings_words *words, const pith_format *info,
                                 unsigned side, pith_error *err)
{
    pith_text word = settings_run(words, true);
    if (word.len == 0 || words->at == words->end || *words->at != '=') {
        error_excerpt typed = error_quote(word.ptr, word.len);
        return error_set(err, PITH_BAD_USE, "bad_setting",
                         "expected word=value, found '%s'", typed.text);
    }
    const pith_setting *setting =
        settings_find(info->settings, info->setting_count, side, word);
    const pith_setting *common =
        setting ? NULL
                : settings_find(settings_common, SETTINGS_COMMON_COUNT, side, word);
    setting = common ? common : setting;
    if (!setting)
        return settings_unknown(info, side, word, err);
    words->at++;
    pith_text value;
    if (words->at < words->end && *words->at == '"') {
        if (!settings_unquote(words, &value)) {
            return error_set(
                err, PITH_BAD_USE, "bad_setting",
                "the quoted value of setting %s is not a JSON string of at most "
                "%d bytes",
                setting->word, SETTINGS_TEXT_MOST);
        }
    } else {
        value = settings_run(words, false);
        if (setting->type == PITH_SETTING_TEXT && !settings_keep(words, &value)) {
            return error_set(err, PITH_BAD_USE, "bad_setting",
                             "the settings hold more than %d bytes of text",
                             SETTINGS_TEXT_MOST);
        }
        /* What is written would not be text either. */
        if (utf8_find_invalid(value.ptr, value.len) < value.len) {
            return error_set(err, PITH_BAD_USE, "bad_setting",
                             "the value of setting %s is not UTF-8", setting->word);
        }
    }
    uint64_t number;
    if (!settings_value(setting, value, &number))
        return settings_bad_value(setting, value, err);
    if (common)
        return settings_take_common(words, common, value, number, err);
    size_t which = (size_t)(setting - info->settings);
    if (words->fixed >> which & 1)
        return PITH_OK;
    words->set->given |= UINT32_C(1) << which;
    words->set->number[which] = number;
    if (setting->type == PITH_SETTING_TEXT)
        words->set->text[which] = value;
    return PITH_OK;
}

/* Applies the words, but for the settings that are fixed. */
static pith_status settings_apply(settings *set, uint32_t fixed, const pith_format *info,
                                  unsigned side, const char *text, pith_error *err)
{
    settings_words words;
    words.at = text ? text : "";
    words.end = words.at + strlen(words.at);
    words.set = set;
    words.fixed = fixed;
    for (;;) {
        words.at = scan_spaces(words.at, words.end);
        if (words.at == words.end)
            return PITH_OK;
        pith_status status = settings_take(&words, info, side, err);
        if (status != PITH_OK)
            return status;
    }
}

/* What a setting is when nobody says otherwise. The table is right, so nothing is checked
 * here: this is done for every call, and most documents are small. */
static uint64_t settings_usual(const pith_setting *setting)
{
    uint64_t number = 0; /* of choices the first is the normal one */
    if (setting->type == PITH_SETTING_BOOL)
        return setting->default_value[0] == 't';
    if (setting->type == PITH_SETTING_NUMBER)
        for (const char *digit = setting->default_value; *digit; digit++)
            number = number * 10 + (uint64_t)(*digit - '0');
    return number;
}

static void settings_normal(settings *set, const pith_format *info)
{
    set->count = info->setting_count;
    for (size_t i = 0; i < set->count; i++) {
        const pith_setting *setting = &info->settings[i];
        bool is_text = setting->type == PITH_SETTING_TEXT;
        set->number[i] = settings_usual(setting);
        set->text[i] = text_from(is_text ? setting->default_value : NULL);
    }
    memset(set->common, 0, sizeof set->common);
    memset(set->common_text, 0, sizeof set->common_text);
    set->given = 0;
    set->stored = 0;
}

static void settings_move_text(pith_text *text, settings *to, const settings *from)
{
    uintptr_t place = (uintptr_t)text->ptr - (uintptr_t)from->store;
    if (place < sizeof from->store) /* not a normal value, which is a literal */
        text->ptr = to->store + place;
}

void settings_copy(settings *to, const settings *from)
{
    *to = *from;
    for (size_t i = 0; i < to->count; i++)
        settings_move_text(&to->text[i], to, from);
    for (size_t i = 0; i < SETTINGS_COMMON_COUNT; i++)
        settings_move_text(&to->common_text[i], to, from);
}

bool settings_want_tokens(const settings *set, const pith_format *info, size_t *which)
{
    for (*which = 0; *which < info->setting_count; ++*which)
        if (strcmp(info->settings[*which].word, SETTINGS_TOKENS_WORD) == 0)
            return text_is(set->text[*which], "exact");
    return false;
}

void settings_put_tokens(settings *set, size_t which, uint64_t tokens)
{
    assert(which < set->count);
    char *digits = set->store + SETTINGS_TEXT_MOST;
    set->text[which] = tokens > 0 ? text_of(digits, num_write_uint64(digits, tokens))
                                  : text_from("none");
}

pith_status settings_take_tokens(const settings *set, size_t which, uint64_t *tokens,
                                 pith_error *err)
{
    pith_text text = set->text[which];
    const char *end = text.ptr + text.len;
    if (text.len == 0)
        return PITH_OK;
    if (text_is(text, "none")) {
        *tokens = 0;
        return PITH_OK;
    }
    bool plain = scan_digits(text.ptr, end) == end && (text.len == 1 || *text.ptr != '0');
    if (plain && num_to_uint64(text, tokens))
        return PITH_OK;
    if (text_is(text, "exact")) {
        return error_set(err, PITH_BAD_USE, "bad_setting",
                         "tokens=exact needs a text that is held back until it is "
                         "counted, and this one leaves as it is made");
    }
    return error_set(err, PITH_BAD_USE, "bad_setting",
                     "setting tokens is a number, 'exact' or 'none', not '%s'",
                     error_quote(text.ptr, text.len).text);
}

void settings_read_back(settings *set, const pith_format *info, const settings *written)
{
    settings_normal(set, info);
    for (size_t i = 0; i < info->setting_count; i++) {
        if (info->settings[i].direction == (PITH_READ | PITH_WRITE)) {
            set->number[i] = written->number[i];
            set->text[i] = written->text[i];
        }
    }
}

pith_status settings_read(settings *set, const pith_format *info, unsigned side,
                          const char *text, pith_error *err)
{
    settings_normal(set, info);
    return settings_apply(set, 0, info, side, text, err);
}

bool settings_try(settings *set, const pith_format *info, const char *words)
{
    uint32_t before = set->given;
    pith_status status = settings_apply(set, before, info, PITH_WRITE, words, NULL);
    bool changed = status == PITH_OK && set->given != before;
    set->given = before;
    return changed;
}
