/*
 * build.mjs - makes the playground, BUILD/site, of this folder and of js/dist.
 *
 *     usage: node site/build.mjs BUILD
 *
 * A page that is opened as a file may not fetch, import modules or start a worker from a
 * file. So there are plain scripts only: engine.js has the worker's program as a text and the
 * module in base64, and each vocabulary is a script that is added when it is needed.
 */
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../js/build.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(process.argv[2], 'site');
const dist = join(here, '../js/dist');
const base64 = (name) => readFileSync(join(dist, name)).toString('base64');

mkdirSync(out, { recursive: true });
for (const name of ['index.html', 'style.css', 'page.js']) copyFileSync(join(here, name), join(out, name));

const worker = `'use strict';\n${bundle('api.js').text}\n${readFileSync(join(here, 'worker.js'), 'utf8')}`;
const examples = {};
for (const name of ['orders.json', 'readings.json', 'shop.json', 'events.json', 'stock.csv', 'graph.json']) {
    examples[name] = readFileSync(join(here, '../examples', name), 'utf8');
}
examples['answer.txt'] = 'Sure, here is the list:\n\n```json\n[{"id": 1, name: \'Ada\'},  // the first\n {"id": 2, "name": "Linus",}]\n```\nAnything else?\n';
writeFileSync(join(out, 'engine.js'), `globalThis.PITH = ${JSON.stringify({
    worker, examples, wasm: base64('pith-graphs.wasm'), vocabularies: {},
})};\n`);
for (const file of readdirSync(dist)) {
    const name = file.replace(/\.vocab$/, '');
    if (!['o200k_base', 'cl100k_base', 'p50k_base'].includes(name)) continue;
    writeFileSync(join(out, `${name}.js`), `PITH.vocabularies.${name} = ${JSON.stringify(base64(file))};\n`);
}
console.log(`${out}/index.html`);
