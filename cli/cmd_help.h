/*
 * cmd_help.h - help, for those who print it.
 */
#ifndef PITH_CLI_CMD_HELP_H
#define PITH_CLI_CMD_HELP_H

#include "context.h"
#include "output.h"

/* One line: how the command is called. */
void help_usage(output *out, const command *cmd);

/* All about one command. */
void help_command(output *out, const command *cmd);

/* The commands, the options of `convert` and what else there is to know. */
void help_everything(output *out);

#endif /* PITH_CLI_CMD_HELP_H */
