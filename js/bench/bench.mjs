/*
 * bench.mjs - the package beside the public ones, in one process.
 *
 * The sides of a comparison take turns; the figure of each is the least CPU time of its
 * rounds, and the ratio is one divided by the other. Targets that are missed are marked.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as pith from '../dist/node.js';

const build = process.argv[2];
const require = createRequire(join(build, 'js/package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const toon = await load('@toon-format/toon');
const gcf = await load('@blackwell-systems/gcf');
const { getEncoding } = await load('js-tiktoken');
const gpt = await load('gpt-tokenizer/encoding/o200k_base');
const slow = getEncoding('o200k_base');

const ROUNDS = 5;

function cpu(work) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
}

function best(...sides) {
    const least = sides.map(() => Infinity);
    for (let round = 0; round < ROUNDS; round++) {
        sides.forEach((side, i) => {
            globalThis.gc();
            least[i] = Math.min(least[i], cpu(side));
        });
    }
    return least;
}

const rows = [];
function compared(what, kind, peer, target, ours, theirs) {
    let figures;
    try {
        figures = best(ours, theirs);
    } catch (error) {
        rows.push([kind, what, peer, '', '', '', `failed: ${error.message.slice(0, 40)}`]);
        return;
    }
    const [mine, other] = figures;
    const ratio = other / mine;
    rows.push([kind, what, peer, mine.toFixed(1), other.toFixed(1), ratio.toFixed(1),
        target === 0 ? '' : ratio >= target ? `${target}` : `${target} MISSED`]);
}

for (const kind of ['flat', 'nested', 'logs', 'floats']) {
    const text = readFileSync(join(build, `bench-data/js-${kind}.json`), 'utf8');
    const bytes = new TextEncoder().encode(text);
    const value = JSON.parse(text);
    const asToon = pith.encode(value, { format: 'toon' });
    const toonBytes = new TextEncoder().encode(asToon);
    const asGcf = pith.encode(value, { format: 'gcf' });
    const decoder = new TextDecoder();
    const encoder = new TextEncoder();
    compared('encode TOON', kind, 'toon', 2, () => pith.encode(value, { format: 'toon' }),
        () => toon.encode(value));
    compared('  by JSON text', kind, 'toon', 0,
        () => pith.convert(JSON.stringify(value), { from: 'json', to: 'toon' }), () => toon.encode(value));
    compared('decode TOON', kind, 'toon', 6, () => pith.decode(asToon, { format: 'toon' }),
        () => toon.decode(asToon));
    compared('  by events', kind, 'toon', 0,
        () => pith.decode(asToon, { format: 'toon', objects: 'map' }), () => toon.decode(asToon));
    compared('JSON to TOON, bytes', kind, 'toon', 7, () => pith.convert(bytes, { from: 'json', to: 'toon' }),
        () => encoder.encode(toon.encode(JSON.parse(decoder.decode(bytes)))));
    compared('TOON to JSON, bytes', kind, 'toon', 7, () => pith.convert(toonBytes, { from: 'toon', to: 'json' }),
        () => encoder.encode(JSON.stringify(toon.decode(decoder.decode(toonBytes)))));
    compared('encode GCF', kind, 'gcf', 5, () => pith.encode(value, { format: 'gcf' }),
        () => gcf.encodeGeneric(value));
    compared('decode GCF', kind, 'gcf', 5, () => pith.decode(asGcf, { format: 'gcf' }),
        () => gcf.decodeGeneric(asGcf));
    const gcfBytes = encoder.encode(asGcf);
    compared('JSON to GCF, bytes', kind, 'gcf', 0, () => pith.convert(bytes, { from: 'json', to: 'gcf' }),
        () => encoder.encode(gcf.encodeGeneric(JSON.parse(decoder.decode(bytes)))));
    compared('GCF to JSON, bytes', kind, 'gcf', 0, () => pith.convert(gcfBytes, { from: 'gcf', to: 'json' }),
        () => encoder.encode(JSON.stringify(gcf.decodeGeneric(decoder.decode(gcfBytes)))));
    const part = text.slice(0, 400000);
    compared('count', kind, 'gpt-tokenizer', 5, () => pith.count(part), () => gpt.countTokens(part));
    compared('count', kind, 'js-tiktoken', 10, () => pith.count(part), () => slow.encode(part).length);
}

const head = ['data', 'what', 'beside', 'ms', 'theirs', 'times', 'wanted'];
const table = [head, ...rows];
const widths = head.map((_, i) => Math.max(...table.map((row) => row[i].length)));
for (const row of table) {
    console.log(row.map((cell, i) => (i > 2 && i < 6 ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join('  ').trimEnd());
}

// In processes of their own: an engine remembers what it has compiled.
const START = `const { readFileSync } = require('node:fs');
const image = readFileSync(process.argv[1]);
const nothing = () => 0;
const before = performance.now();
const compiled = new WebAssembly.Module(image);
const middle = performance.now();
new WebAssembly.Instance(compiled, { pith: { progress: nothing }, wasi_snapshot_preview1:
    { random_get: nothing, fd_close: nothing, fd_seek: nothing, fd_write: nothing } });
console.log(middle - before, performance.now() - middle);`;
const wasm = fileURLToPath(new URL('../dist/pith.wasm', import.meta.url));
const times = Array.from({ length: 10 }, () =>
    execFileSync(process.execPath, ['-e', START, wasm], { encoding: 'utf8' }).split(' ').map(Number));
const [compile, instantiate] = [0, 1].map((i) => Math.min(...times.map((time) => time[i])));
console.log(`\nstart: compile ${compile.toFixed(1)} ms, instantiate ${instantiate.toFixed(1)} ms (wanted: 15 together)`);

const small = [{ id: 1, name: 'Ada', tags: ['a', 'b'] }, { id: 2, name: 'Linus', tags: [] }];
const before = [pith.memoryUse(), (globalThis.gc(), process.memoryUsage().heapUsed)];
for (let i = 0; i < 10000; i++) pith.decode(pith.encode(small, { format: 'toon' }), { format: 'toon' });
globalThis.gc();
console.log(`10,000 conversions: the module ${(pith.memoryUse() - before[0]) / 1024} KiB more, the heap `
    + `${((process.memoryUsage().heapUsed - before[1]) / 1024).toFixed(0)} KiB more`);
