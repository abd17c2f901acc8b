// A server made with version 2 of the TypeScript SDK; it speaks both eras.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { steps, structured, tools } from './tools.mjs';

serveStdio(() => {
    const server = new McpServer({ name: 'tests', version: '1' });
    for (const [name, call] of Object.entries(tools))
        server.registerTool(name, { description: name, _meta: { keep: 1 } }, call);
    server.registerTool('structured', {
        outputSchema: z.object({ rows: z.array(z.looseObject({ id: z.number() })) }),
    }, structured);
    server.registerTool('steps', {}, (context) =>
        steps(context.mcpReq._meta?.progressToken, context.mcpReq.notify));
    return server;
});
