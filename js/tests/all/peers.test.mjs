// The same texts, values and counts as the public packages.
import { strict as assert } from 'node:assert';
import { createRequire } from 'node:module';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as pith from '../../dist/node.js';

const require = createRequire(join(process.env.PITH_JS_SCRATCH, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const folder = new URL('../../../examples/', import.meta.url);
const texts = readdirSync(folder).filter((name) => /\.(json|csv|c|py)$/.test(name))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
const values = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.includes('graph'))
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')));

test('@toon-format/toon', async () => {
    const toon = await load('@toon-format/toon');
    for (const value of values) {
        const text = pith.encode(value, { format: 'toon' });
        assert.equal(text, toon.encode(value));
        assert.deepEqual(toon.decode(text), pith.decode(text, { format: 'toon' }));
    }
});

// That package makes Maps where keys are in the text.
function plain(value) {
    if (value instanceof Map) return Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)]));
    return Array.isArray(value) ? value.map(plain)
        : value && typeof value === 'object'
            ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)])) : value;
}

test('@blackwell-systems/gcf reads what is written', async () => {
    const gcf = await load('@blackwell-systems/gcf');
    for (const value of values) {
        const text = pith.encode(value, { format: 'gcf' });
        assert.deepEqual(plain(gcf.decodeGeneric(text)), value);
        assert.deepEqual(pith.decode(gcf.encodeGeneric(value), { format: 'gcf' }), value);
    }
});

test('gpt-tokenizer and js-tiktoken count the same', async () => {
    const { getEncoding } = await load('js-tiktoken');
    for (const tokenizer of ['o200k_base', 'cl100k_base']) {
        const { encode } = await load(`gpt-tokenizer/encoding/${tokenizer}`);
        const other = getEncoding(tokenizer);
        for (const text of [...texts, 'é山😀 \u{1F9D1}\u200D\u{1F680}\n\n  x', '']) {
            const ids = [...pith.tokenize(text, { tokenizer })];
            assert.deepEqual(ids, encode(text));
            assert.deepEqual(ids, other.encode(text));
            assert.equal(pith.detokenize(ids, { tokenizer }), text);
        }
    }
});
