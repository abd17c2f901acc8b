/*
 * args.h - the options, and reading them from the command line.
 */
#ifndef PITH_CLI_ARGS_H
#define PITH_CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_id {
    OPTION_FROM,
    OPTION_TO,
    OPTION_SET,
    OPTION_AT,
    OPTION_ROWS,
    OPTION_FIELDS,
    OPTION_DROP,
    OPTION_DROP_NULL,
    OPTION_OUTPUT,
    OPTION_MERGE,
    OPTION_NO_NEWLINE,
    OPTION_KEY,
    OPTION_DEPTH,
    OPTION_MEMORY_MAX,
    OPTION_OUTPUT_MAX,
    OPTION_DB,
    OPTION_PARAM,
    OPTION_LIMIT,
    OPTION_TIMEOUT,
    OPTION_MAX_VALUE,
    OPTION_MAX_MEMORY,
    OPTION_TRUST_URI,
    OPTION_WRITE,
    OPTION_IMPORT,
    OPTION_SAMPLE,
    OPTION_TOKENIZER,
    OPTION_PICK,
    OPTION_MEND,
    OPTION_BAD,
    OPTION_STRICT_EXIT,
    OPTION_STREAM,
    OPTION_ALLOW,
    OPTION_DENSE,
    OPTION_ANSWER,
    OPTION_OPTIMIZE,
    OPTION_BUDGET,
    OPTION_KEEP,
    OPTION_CLIP,
    OPTION_NOTE,
    OPTION_PREAMBLE,
    OPTION_TOKENS,
    OPTION_ALL,
    OPTION_PRICE,
    OPTION_CURVE,
    OPTION_MARKDOWN,
    OPTION_IDS,
    OPTION_SHOW,
    OPTION_SESSION,
    OPTION_TOOL,
    OPTION_INCLUDE,
    OPTION_EXCLUDE,
    OPTION_STRUCTURED,
    OPTION_CLIENT,
    OPTION_MIN_TOKENS,
    OPTION_REWRITE_MAX,
    OPTION_STATS,
    OPTION_NAMES,
    OPTION_JSON,
    OPTION_MAN,
    OPTION_COMPLETIONS,
    OPTION_COMPLETE,
    OPTION_ERRORS,
    OPTION_COLOR,
    OPTION_NO_PROGRESS,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_COUNT,
    OPTION_END = OPTION_COUNT /* after the last of a list */
} option_id;

/* What an option's value is; completions offer the right words. */
typedef enum value_kind {
    VALUE_NONE, /* a switch */
    VALUE_READ_FORMAT,
    VALUE_WRITE_FORMAT,
    VALUE_SETTING,
    VALUE_TOKENIZER,
    VALUE_FILE,
    VALUE_NUMBER,
    VALUE_SIZE, /* bytes, perhaps with K, M or G after the number */
    VALUE_TEXT, /* anything */
    VALUE_CHOICE
} value_kind;

typedef struct option {
    const char *word; /* "from", for --from */
    char letter;      /* 'f', for -f; 0 for none */
    value_kind kind;
    const char *value;   /* how help calls the value: "FORMAT"; NULL for a switch */
    const char *choices; /* "text|json"; of a number its range, "1..9"; else NULL */
    const char *help;    /* half a sentence */
} option;

const option *option_of(option_id id);

/* What went wrong first; `code` is NULL when nothing did. */
typedef struct complaint {
    const char *code;
    char message[160];
    char hint[80];
} complaint;

/* The command line, taken apart. All text is borrowed from argv. */
typedef struct args {
    const char *value[OPTION_COUNT];   /* NULL: not given; a switch has "" */
    const char *spelled[OPTION_COUNT]; /* the word of argv that gave it */
    const char **operands;             /* the words that are not options */
    size_t operand_count;
    size_t free_operands;  /* of those, the ones before a "--" */
    const char **settings; /* the values of --set, in order */
    bool *setting_used;    /* those that a conversion has used */
    size_t setting_count;
    const char **params; /* those of --param */
    size_t param_count;
    const char **imports; /* and of --import */
    size_t import_count;
    const char **tools; /* of --tool */
    size_t tool_count;
    const char **includes; /* of --include */
    size_t include_count;
    const char **excludes; /* and of --exclude */
    size_t exclude_count;
    complaint wrong; /* what is wrong first */
} args;

/* Takes the words apart; options may be anywhere before a "--". It reads
 * to the end whatever it meets, so that --errors and --color count even in a
 * command line that is wrong; see `wrong`. False when out of memory. */
bool args_parse(args *into, int argc, char **argv);
void args_free(args *parsed);

/* Complains about options that are not in the list. `command` is for the message. */
void args_restrict(args *parsed, const option_id *allowed, const char *command);

bool args_has(const args *parsed, option_id id);

/* Whether to write colours, as --color and the environment say, where they go to a
 * terminal or not. */
bool args_color(const args *parsed, bool terminal);

/* The value of an option that is a number; 0 when it was not given. */
size_t args_number(const args *parsed, option_id id);

/* The bytes that the value of an option means; 0 when it was not given. */
uint64_t args_size(const args *parsed, option_id id);

#endif /* PITH_CLI_ARGS_H */
