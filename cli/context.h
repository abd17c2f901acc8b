/*
 * context.h - what a command is, and what every command is given.
 */
#ifndef PITH_CLI_CONTEXT_H
#define PITH_CLI_CONTEXT_H

#include "args.h"
#include "diag.h"
#include "input.h"
#include "output.h"
#include "progress.h"

/* What the words after a command's name are; completions offer the right ones. */
typedef enum operand_kind {
    OPERAND_FILES,
    OPERAND_FORMATS,
    OPERAND_TEXT,
    OPERAND_COMMANDS
} operand_kind;

typedef struct example {
    const char *line;
    const char *what;
} example;

/* For the description of a command. */
#define EXAMPLES(...)                                                                    \
    (const example[])                                                                    \
    {                                                                                    \
        __VA_ARGS__,                                                                     \
        {                                                                                \
            NULL, NULL                                                                   \
        }                                                                                \
    }
#define OPTIONS(...)                                                                     \
    (const option_id[])                                                                  \
    {                                                                                    \
        __VA_ARGS__, OPTION_END                                                          \
    }

/* What a running command works with. */
typedef struct context {
    const struct command *command;
    args given;
    const char **operands; /* those after the command's name */
    size_t operand_count;
    const char *const *paths; /* the same as inputs: "-" when there are none */
    size_t path_count;
    diag errors;
    progress line;
    output out; /* standard output */
} context;

/* A command, described once: dispatch, help, manual and completions read it. */
typedef struct command {
    const char *name;
    const char *operands; /* "[FILE|-]..." */
    operand_kind takes;
    const char *summary;       /* half a sentence */
    const char *about;         /* paragraphs, one a line */
    const example *examples;   /* a NULL line ends the list */
    const option_id *options;  /* in the order of help; OPTION_END ends the list */
    void (*run)(context *ctx); /* the outcome is ctx->errors.exit_code */
} command;

/* The commands, in the order of help. A command is a file cmd_NAME.c, which defines
 * command_NAME, and a row here. */
#define COMMANDS(X)                                                                      \
    X(convert)                                                                           \
    X(check)                                                                             \
    X(count)                                                                             \
    X(compare)                                                                           \
    X(why)                                                                               \
    X(schema)                                                                            \
    X(pack)                                                                              \
    X(query)                                                                             \
    X(tables)                                                                            \
    X(mcp)                                                                               \
    X(root)                                                                              \
    X(delta)                                                                             \
    X(apply)                                                                             \
    X(prompt)                                                                            \
    X(formats)                                                                           \
    X(help)

#define COMMAND_DECLARE(name) extern const command command_##name;
COMMANDS(COMMAND_DECLARE)

/* The command at that index, from 0; NULL beyond the last. */
const command *command_at(size_t index);
const command *command_find(const char *name);

/* The command nearest to a mistyped one, or NULL. */
const char *command_nearest(const char *typed);

/* True, after saying how the command is used, when no file was named and standard
 * input is a terminal: it would wait there in silence. */
bool would_wait(context *ctx);

/* Whether the path of an output means standard output: '-', and /dev/stdout, which cannot
 * be opened where it is a pipe. */
bool output_is_standard(const char *path);

/* Where a command writes: standard output, or the file at `path`; "-" and NULL are
 * standard output. NULL after a complaint. Drop it afterwards. */
output *output_for(context *ctx, const char *path);

/* Puts the file in place when all is `fine`, else drops what is buffered; false after a
 * complaint, or when it was not fine. Standard output is ended by main. */
bool output_keep(context *ctx, output *out, bool fine);
void output_drop(context *ctx, output *out); /* NULL is fine */

/* Ends a text with one newline, whether the format wrote it or not, unless --no-newline
 * was given. What is empty stays empty; `before` are the bytes written earlier. */
void output_end_text(const context *ctx, output *out, const pith_format *to,
                     size_t before);

/* A notice of the library, as its options take it, about `file`: a warning or a note. */
typedef struct remarks {
    context *ctx;
    const char *file;
} remarks;
void pass_remark(void *of, const pith_error *remark);

/* Says why something failed: reading `in`, or else writing `out`, or else what the
 * library says. Either may be NULL. A closed pipe needs no words, and main reports on
 * standard output. */
void report_failure(context *ctx, const input *in, const output *out,
                    const pith_error *err);

#endif /* PITH_CLI_CONTEXT_H */
