// What the package writes is what the tool writes, byte for byte.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import * as pith from '../dist/node.js';

const tool = process.env.PITH_TOOL;
const folder = new URL('../../examples/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('graph'));

function run(input, ...words) {
    return execFileSync(tool, [...words, '--no-newline', '--no-progress'],
        { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
}

for (const name of files) {
    test(`${name}: every format as the tool writes it`, { skip: !tool && 'there is no PITH_TOOL' }, () => {
        const text = readFileSync(new URL(name, folder), 'utf8');
        const plain = JSON.stringify(JSON.parse(text));
        for (const format of ['json', 'toon', 'gcf', 'gcf1', 'soch', 'pith', 'auto']) {
            const told = run(text, '--from', 'json', '--to', format);
            assert.equal(pith.convert(text, { from: 'json', to: format }), told, format);
            assert.equal(pith.encode(JSON.parse(text), { format }),
                run(plain, '--from', 'json', '--to', format), format);
            assert.deepEqual(pith.decode(told, { format: format === 'auto' ? 'detect' : format }),
                JSON.parse(text), format);
        }
        assert.equal(pith.convert(text, { to: 'pith', dense: true }),
            run(text, '--to', 'pith', '--set', 'level=2'));
        for (const tokenizer of ['o200k_base', 'cl100k_base', 'p50k_base']) {
            const counted = execFileSync(tool, ['count', '--tokenizer', tokenizer],
                { input: text, encoding: 'utf8' });
            assert.equal(pith.count(text, { tokenizer }), Number(counted.trim().split(/\s+/)[0]));
        }
    });
}
