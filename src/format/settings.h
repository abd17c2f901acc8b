/*
 * settings.h - words such as "indent=2", read by each format's own table.
 *
 * Values are stored by the position of the word in the table, so a format names
 * them with an enum in the same order and asks settings_number(set, JSON_INDENT).
 */
#ifndef FORMAT_SETTINGS_H
#define FORMAT_SETTINGS_H

#include "base/error.h"

enum { SETTINGS_MOST = 24, SETTINGS_TEXT_MOST = 1024 };

/* The settings that every format has when it writes, in the order of their table. */
enum { SETTINGS_GUARD, SETTINGS_VERIFY, SETTINGS_COMMON_COUNT };

typedef struct settings {
    uint64_t number[SETTINGS_MOST]; /* 0 or 1 for bools, the index for choices */
    pith_text text[SETTINGS_MOST];  /* of settings that are texts, in `store` */
    char store[SETTINGS_TEXT_MOST];
    bool common[SETTINGS_COMMON_COUNT];
} settings;

/* Reads `words` (NULL for none) by the table of `info`, taking only settings of that
 * side; the rest keep what is normal. The settings must not be moved afterwards. */
pith_status settings_read(settings *set, const pith_format *info, unsigned side,
                          const char *words, pith_error *err);

/* Settings for reading what was written with `written`: words that both sides know keep
 * their value. Borrows its texts. */
void settings_read_back(settings *set, const pith_format *info, const settings *written);

static inline uint64_t settings_number(const settings *set, unsigned which)
{
    return set->number[which];
}

static inline bool settings_bool(const settings *set, unsigned which)
{
    return set->number[which] != 0;
}

static inline pith_text settings_text(const settings *set, unsigned which)
{
    return set->text[which];
}

#endif
