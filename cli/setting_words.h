/*
 * setting_words.h - a setting and the values it takes, as help shows them.
 */
#ifndef PITH_CLI_SETTING_WORDS_H
#define PITH_CLI_SETTING_WORDS_H

#include "pith.h"

#define SETTING_WORDS_MAX 160

/* The setting at that index of those a format knows: its own, then those that every
 * format has when it writes. NULL beyond the last, and for no format at all. */
const pith_setting *setting_at(const pith_format *format, size_t index);

/* "indent=0..16", "duplicates=refuse|last", "ascii=true|false", "group=TEXT". */
void setting_words(const pith_setting *setting, char into[SETTING_WORDS_MAX]);

#endif /* PITH_CLI_SETTING_WORDS_H */
