/*
 * browser.js - for browsers, with a bundler or without one.
 */
import { setGraphsSource, setTokenizerSource } from './api.js';
import { failToStart, start } from './memory.js';

async function fetched(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return response;
}

// The addresses are written out, for bundlers to see them.
const files = {
    o200k_base: () => new URL('./o200k_base.vocab', import.meta.url),
    o200k_harmony: () => new URL('./o200k_harmony.vocab', import.meta.url),
    cl100k_base: () => new URL('./cl100k_base.vocab', import.meta.url),
    p50k_base: () => new URL('./p50k_base.vocab', import.meta.url),
    r50k_base: () => new URL('./r50k_base.vocab', import.meta.url),
};

setTokenizerSource(null, async (name) =>
    new Uint8Array(await (await fetched(files[name]())).arrayBuffer()));

async function compiled(url) {
    const response = await fetched(url);
    // A server that sends another type of content cannot be compiled from as it arrives.
    const typed = (response.headers.get('content-type') ?? '').startsWith('application/wasm');
    return typed && WebAssembly.compileStreaming
        ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer());
}

setGraphsSource(null, () => compiled(new URL('./pith-graphs.wasm', import.meta.url)));

export * from './api.js';
/** Everything works once this is done. */
export const ready = compiled(new URL('./pith.wasm', import.meta.url)).then(start);
ready.catch(failToStart);
