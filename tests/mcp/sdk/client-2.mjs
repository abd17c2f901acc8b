// The same with version 2, which negotiates the era: node client-2.mjs auto|legacy COMMAND..
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { visit } from './visit.mjs';

const [mode, command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
await visit(client, new StdioClientTransport({ command, args, stderr: 'inherit' }),
    (name, options) => client.callTool({ name, arguments: {} }, options),
    () => client.getNegotiatedProtocolVersion());
