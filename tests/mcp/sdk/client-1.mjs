// Calls every tool of a server with version 1 of the TypeScript SDK; prints what came.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { visit } from './visit.mjs';

const [command, ...args] = process.argv.slice(3);
const client = new Client({ name: 'tests', version: '1' });
const transport = new StdioClientTransport({ command, args, stderr: 'inherit' });
let era;
transport.setProtocolVersion = (version) => { era = version; };
await visit(client, transport, (name, options) =>
    client.callTool({ name, arguments: {} }, undefined, options), () => era);
