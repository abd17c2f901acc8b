// A server made with version 1 of the TypeScript SDK.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { steps, structured, tools } from './tools.mjs';

const server = new McpServer({ name: 'tests', version: '1' });
for (const [name, call] of Object.entries(tools))
    server.registerTool(name, { description: name, _meta: { keep: 1 } }, call);
server.registerTool('structured', {
    outputSchema: { rows: z.array(z.object({ id: z.number() }).passthrough()) },
}, structured);
server.registerTool('steps', {}, (extra) =>
    steps(extra._meta?.progressToken, extra.sendNotification));
await server.connect(new StdioServerTransport());
