// Converts with the library in WebAssembly; the one function it may ask for counts its calls.
import { readFile } from 'node:fs/promises';
import { strict as assert } from 'node:assert';

const module = await WebAssembly.compile(await readFile(process.argv[2]));
assert.deepEqual(WebAssembly.Module.imports(module).map((i) => i.name), ['random_get']);

let asked = 0;
const random_get = (at, len) => {
    asked++;
    crypto.getRandomValues(new Uint8Array(lib.memory.buffer, at, len));
    return 0;
};
const { exports: lib } = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: { random_get },
});
lib._initialize();

function put(text) {
    const bytes = new TextEncoder().encode(text + '\0');
    const at = lib.malloc(bytes.length);
    new Uint8Array(lib.memory.buffer, at, bytes.length).set(bytes);
    return at;
}

function convert(from, to, text, seed) {
    const length = lib.malloc(4);
    const at = lib.page_convert(put(from), put(to), put(text),
        new TextEncoder().encode(text).length, seed, length);
    const len = new DataView(lib.memory.buffer).getUint32(length, true);
    return new TextDecoder().decode(new Uint8Array(lib.memory.buffer, at, len));
}

const rows = '[{"id":1,"name":"Ada"},{"id":2,"name":"Bo"}]';
const toon = '[2]{id,name}:\n  1,Ada\n  2,Bo';
assert.equal(convert('json', 'toon', rows, 7), toon);
assert.equal(convert('toon', 'json', toon, 7), rows);
assert.notEqual(convert('json', 'auto', rows, 7), '');
assert.equal(convert('json', 'json', '[1,', 7), 'unclosed');
assert.equal(asked, 0);
assert.equal(convert('json', 'toon', rows, 0), toon);
assert.ok(asked > 0);
console.log('fine');
