/*
 * format_args.h - --from, --to and --set: formats and their settings.
 */
#ifndef PITH_CLI_FORMAT_ARGS_H
#define PITH_CLI_FORMAT_ARGS_H

#include "context.h"
#include "pith.h"

/* The format a user named, for reading (PITH_READ) or writing (PITH_WRITE); NULL
 * after a complaint when there is none or it cannot do that. */
const pith_format *format_named(context *ctx, const char *name, unsigned side);

/* What is written without --to: the cheapest form of data that came in an
 * exchange format, and JSON for everything else. */
/* The setting with which the tool reads more of that format than the library does by itself;
 * NULL for none. */
const char *format_lenience(const pith_format *from);

const pith_format *format_target(const pith_format *from);

/* What the suffix of a file's name says. */
typedef struct suffix_facts {
    size_t len;     /* of the longest suffix that is known; 0 when none is */
    size_t formats; /* that go by it: with more than one the content decides */
} suffix_facts;

suffix_facts suffix_of(const char *path);

/* The name of the file at `path` in that directory, with the suffix of the format it is
 * written in: directory/stem.suffix, from malloc. NULL for the format: without any. */
char *format_path(const char *directory, const char *path, const pith_format *to);

/* The setting at that index of those a format knows: its own, then those that every
 * format has on the sides it has. NULL beyond the last, and for no format at all. */
const pith_setting *setting_at(const pith_format *format, size_t index);

/* A setting and its values as help shows them: "indent=0..16", "duplicates=refuse|last",
 * "ascii=true|false", "group=TEXT". */
enum { SETTING_WORDS_MAX = 160 };
void setting_words(const pith_setting *setting, char into[SETTING_WORDS_MAX]);

/* Adds WORD=VALUE to the settings of one side, or what is settings already. False when out
 * of memory. */
bool settings_add(pith_buffer *side, const char *word, const char *value);
bool settings_add_words(pith_buffer *side, const char *words);

/* The settings of one conversion, as the library takes them. Zero-initialise. */
typedef struct chosen_settings {
    pith_buffer read;
    pith_buffer write;
} chosen_settings;

/* Sorts the values of --set to the two sides, and adds --at, --fields and the like to that
 * of reading; `from` or `to` is NULL when nothing is read
 * or written. A setting that names a format which is on neither side is passed over; the
 * others are marked as used. False after a complaint. */
bool settings_sort(chosen_settings *into, context *ctx, const pith_format *from,
                   const pith_format *to);
void settings_free(chosen_settings *settings);

/* Complains about the settings that no conversion used. */
bool settings_check_used(context *ctx);

#endif /* PITH_CLI_FORMAT_ARGS_H */
