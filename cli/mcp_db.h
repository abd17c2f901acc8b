/*
 * mcp_db.h - a database as a server of the Model Context Protocol.
 */
#ifndef PITH_CLI_MCP_DB_H
#define PITH_CLI_MCP_DB_H

#include "context.h"

/* Serves the database of --db over standard input and output until that ends; tokens are
 * counted with `vocab`. */
void mcp_db_serve(context *ctx, const pith_vocab *vocab);

#endif /* PITH_CLI_MCP_DB_H */
