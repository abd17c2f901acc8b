/*
 * node.js - for Node, Bun and Deno: everything is read from files, at once.
 */
import { readFileSync } from 'node:fs';
import { setGraphsSource, setTokenizerSource } from './api.js';
import { start } from './memory.js';
import { folder } from './folder.js';

const file = (name) => readFileSync(new URL(name, folder));

start(new WebAssembly.Module(file('pith.wasm')));
setTokenizerSource((name) => new Uint8Array(file(`${name}.vocab`)), null);
setGraphsSource(() => new WebAssembly.Module(file('pith-graphs.wasm')), null);

export * from './api.js';
/** There is nothing to wait for here. */
export const ready = Promise.resolve();
