/*
 * workerd.js - for workers at the edge, whose bundlers make a module of an imported .wasm.
 * It is the larger module, since nothing can be loaded later.
 */
import compiled from './pith-graphs.wasm';
import { setGraphsSource } from './api.js';
import { start } from './memory.js';

start(compiled);
setGraphsSource(() => compiled, null);

export * from './api.js';
/** There is nothing to wait for here. */
export const ready = Promise.resolve();
