/*
 * settings.h - words such as "indent=2", read by each format's own table.
 *
 * A format lists its settings once, in its header: a row for each, of the name that code
 * uses and the members of a pith_setting.
 *
 *     #define JSON_SETTINGS(row)                                              \
 *         row(JSON_INDENT, "indent", PITH_SETTING_NUMBER, PITH_WRITE, ...),   \
 *         ...
 *     enum { JSON_SETTINGS(SETTINGS_NAME), JSON_SETTING_COUNT };
 *
 *     static const pith_setting json_settings[] = {JSON_SETTINGS(SETTINGS_ROW)};
 *
 * Code asks settings_number(set, JSON_INDENT): a new setting is a row and what uses it.
 */
#ifndef FORMAT_SETTINGS_H
#define FORMAT_SETTINGS_H

#include "base/error.h"
#include "base/num.h"
#include "doc/select.h"

#include <assert.h>

#define SETTINGS_NAME(name, ...) name
#define SETTINGS_ROW(name, ...)                                                          \
    {                                                                                    \
        __VA_ARGS__                                                                      \
    }

enum { SETTINGS_MOST = 24, SETTINGS_TEXT_MOST = 1024 };

/* The settings that every format has, in the order of their table: of writing, then of
 * reading. */
enum {
    SETTINGS_GUARD,
    SETTINGS_VERIFY, /* a settings_verify */
    SETTINGS_OPTIMIZE,
    SETTINGS_BUDGET, /* tokens; 0 for no limit */
    SETTINGS_KEEP,   /* a rows_keep, with its field as text */
    SETTINGS_ROWS_MAX,
    SETTINGS_CLIP, /* characters; 0 for no limit */
    SETTINGS_NOTE, /* a settings_note */
    SETTINGS_FINAL_NEWLINE,
    SETTINGS_SAFE,
    SETTINGS_AT, /* see doc/select.h */
    SETTINGS_ROWS,
    SETTINGS_FIELDS,
    SETTINGS_DROP,
    SETTINGS_DROP_NULL,
    SETTINGS_COMMON_COUNT
};

/* How a text that was read back is compared. */
typedef enum settings_verify { VERIFY_NOT, VERIFY_DIGITS, VERIFY_VALUE } settings_verify;

/* Where a text says what was left out of it. */
typedef enum settings_note { NOTE_AUTO, NOTE_LINE, NOTE_MEMBER, NOTE_NONE } settings_note;

typedef struct settings {
    size_t count;                   /* of the table they were read by */
    uint64_t number[SETTINGS_MOST]; /* 0 or 1 for bools, the index for choices */
    pith_text text[SETTINGS_MOST];  /* of settings that are texts, in `store` */
    char store[SETTINGS_TEXT_MOST + NUM_UINT64_MAX_LEN]; /* the end is for one number */
    size_t stored;
    uint32_t given; /* a bit for each setting that the caller has set */
    uint64_t common[SETTINGS_COMMON_COUNT];
    pith_text common_text[SETTINGS_COMMON_COUNT]; /* of those that are, or have, texts */
} settings;

/* Reads `words` (NULL for none) by the table of `info`, taking only settings of that
 * side; the rest keep what is normal. The settings must not be moved afterwards. */
pith_status settings_read(settings *set, const pith_format *info, unsigned side,
                          const char *words, pith_error *err);

/* A copy that stands by itself. */
void settings_copy(settings *to, const settings *from);

/* Sets what `words` say on top, for writing, except where the caller has set that word;
 * false when nothing changed. The words must be right. */
bool settings_try(settings *set, const pith_format *info, const char *words);

/* A format whose texts can state their own tokens has a text setting of this name: a
 * number, "none", or "exact", which asks for the true number. */
#define SETTINGS_TOKENS_WORD "tokens"

/* Whether these settings ask for it; `*which` is the setting then. */
bool settings_want_tokens(const settings *set, const pith_format *info, size_t *which);

/* Sets it to a number; 0 makes it "none". */
void settings_put_tokens(settings *set, size_t which, uint64_t tokens);

/* The number it states: 0 for "none", and as it was where nothing is set. What is no
 * number is refused, and so is "exact": who writes a text has been given the number. */
pith_status settings_take_tokens(const settings *set, size_t which, uint64_t *tokens,
                                 pith_error *err);

/* Settings for reading what was written with `written`: words that both sides know keep
 * their value. Borrows its texts. */
void settings_read_back(settings *set, const pith_format *info, const settings *written);

/* The part of the value that is asked for. */
static inline select_words settings_selected(const settings *set)
{
    const pith_text *text = set->common_text;
    select_words words = {text[SETTINGS_AT], text[SETTINGS_FIELDS], text[SETTINGS_DROP],
                          text[SETTINGS_ROWS], set->common[SETTINGS_DROP_NULL] != 0};
    return words;
}

static inline uint64_t settings_number(const settings *set, unsigned which)
{
    assert(which < SETTINGS_MOST);
    return set->number[which];
}

static inline bool settings_bool(const settings *set, unsigned which)
{
    assert(which < SETTINGS_MOST);
    return set->number[which] != 0;
}

static inline pith_text settings_text(const settings *set, unsigned which)
{
    assert(which < SETTINGS_MOST);
    return set->text[which];
}

#endif
