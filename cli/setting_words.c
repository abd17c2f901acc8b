/*
 * setting_words.c - a setting and the values it takes, as help shows them.
 */
#include "setting_words.h"

#include <inttypes.h>
#include <stdio.h>

const pith_setting *setting_at(const pith_format *format, size_t index)
{
    if (format == NULL)
        return NULL;
    if (index < format->setting_count)
        return &format->settings[index];
    bool writes = (format->sides & PITH_WRITE) != 0;
    return writes ? pith_setting_common(index - format->setting_count) : NULL;
}

void setting_words(const pith_setting *setting, char into[SETTING_WORDS_MAX])
{
    const char *word = setting->word;
    switch (setting->type) {
    case PITH_SETTING_BOOL:
        snprintf(into, SETTING_WORDS_MAX, "%s=true|false", word);
        break;
    case PITH_SETTING_NUMBER:
        snprintf(into, SETTING_WORDS_MAX, "%s=%" PRIu64 "..%" PRIu64, word,
                 setting->least, setting->most);
        break;
    case PITH_SETTING_CHOICE:
        snprintf(into, SETTING_WORDS_MAX, "%s=%s", word, setting->choices);
        break;
    case PITH_SETTING_TEXT:
        snprintf(into, SETTING_WORDS_MAX, "%s=TEXT", word);
        break;
    }
}
