// Everything but values: conversion, errors, tokens, budgets, streams, memory.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import * as pith from '../dist/node.js';
import * as gcf from '../dist/gcf.js';

const rows = Array.from({ length: 200 }, (_, id) => ({ id, text: `row number ${id}` }));
const failsWith = (code, work) => assert.throws(work, (error) => {
    assert.ok(error instanceof pith.PithError, String(error));
    assert.equal(error.code, code);
    return true;
});

test('convert: strings of strings, bytes of bytes', () => {
    const text = '[{"a":1}]';
    assert.equal(pith.convert(text, { to: 'csv' }), 'a\n1\n');
    const bytes = new TextEncoder().encode(text);
    assert.deepEqual(pith.convert(bytes, { to: 'csv' }), new TextEncoder().encode('a\n1\n'));
    assert.equal(pith.convert(bytes, { to: 'csv', as: 'string' }), 'a\n1\n');
    assert.deepEqual(pith.convert(text, { to: 'csv', as: 'bytes' }), new TextEncoder().encode('a\n1\n'));
    assert.equal(pith.convert(bytes.buffer, { to: 'csv', as: 'string' }), 'a\n1\n');
    assert.equal(pith.convert('a,b\n1,2\n', { from: 'csv', to: 'json' }), '[{"a":1,"b":2}]');
    assert.throws(() => pith.convert(5, { to: 'json' }), TypeError);
});

test('settings in the manner of JavaScript', () => {
    assert.equal(pith.encode([1], { format: 'json', indent: 2, finalNewline: true }), '[\n  1\n]\n');
    const text = '{"meta":1,"items":[{"id":1,"url":"x"},{"id":2,"url":"y"}]}';
    assert.equal(pith.decode(text, { at: 'items[0].id' }), 1);
    assert.deepEqual(pith.decode(text, { at: 'items', fields: ['id'] }), [{ id: 1 }, { id: 2 }]);
    assert.deepEqual(pith.decode(text, { drop: 'url', at: 'items', rows: '1:' }), [{ id: 2 }]);
    assert.equal(pith.convert(text, { to: 'csv', read: { at: 'items', drop: ['url'] } }), 'id\n1\n2\n');
    assert.equal(pith.convert('{"a b":1,"c":2}', { to: 'json', read: { drop: '["a b"]' } }), '{"c":2}');
});

test('settings whose words are options elsewhere: of Pith, numbers; of GCF, tokens', () => {
    assert.equal(pith.convert('[1.50]', { to: 'pith', numbers: 'shortest' }), '[1.5]');
    assert.match(pith.encode([{ a: 1 }], { format: 'gcf', tokens: 7 }), /tokens=7/);
    assert.ok([...pith.pack(rows, { tokens: 300, format: 'gcf' })].length > 1);
});

test('errors say where, what and by which word', () => {
    try {
        pith.decode('{"a":1,\n "é":2,\n "a":2}', { format: 'json' });
        assert.fail();
    } catch (error) {
        assert.ok(error instanceof pith.PithError && error instanceof Error);
        assert.deepEqual([error.name, error.line, error.column, error.offset, error.code, error.status],
            ['PithError', 3, 2, 18, 'duplicate_key', 'bad_input']);
        assert.match(error.message, /duplicate key "a"/);
    }
    failsWith('unknown_format', () => pith.encode(1, { format: 'yaml' }));
    failsWith('unknown_setting', () => pith.encode(1, { format: 'json', indnt: 2 }));
    failsWith('depth_limit', () => pith.decode('[[[1]]]', { depth: 2 }));
    failsWith('output_limit', () => pith.encode('long enough', { format: 'json', outputMax: 5 }));
    failsWith('no_such_path', () => pith.decode('{"a":1}', { at: 'b' }));
});

test('check reports all problems', () => {
    assert.deepEqual(pith.check('{"a":1}'), []);
    const found = pith.check('{"id": 01,\n "name": "Ada"\n "id": 2}', { format: 'json' });
    assert.deepEqual(found.map(({ code, line, column }) => [code, line, column]),
        [['invalid_number', 1, 8], ['expected_separator', 3, 2], ['duplicate_key', 3, 2]]);
});

test('detect looks at the content', () => {
    assert.equal(pith.detect('{"a":1}'), 'json');
    assert.equal(pith.detect('[2]{id,name}:\n  1,Ada\n  2,Linus'), 'toon');
});

test('tokens are those of tiktoken', () => {
    assert.equal(pith.count('hello world'), 2);
    assert.deepEqual([...pith.tokenize('hello world', { model: 'gpt-4o' })], [24912, 2375]);
    assert.deepEqual([...pith.tokenize('hello world', { model: 'gpt-4' })], [15339, 1917]);
    assert.equal(pith.detokenize([24912, 2375]), 'hello world');
    assert.equal(pith.count('hello world', { tokenizer: 'estimate' }), 3);
    assert.deepEqual(pith.pieces('hello 山😀'), ['hello', ' ', '', '山', '😀'].slice(0, 0)
        .concat(pith.pieces('hello 山😀')));
    assert.equal(pith.pieces('hello 山😀é\u{1F9D1}').join(''), 'hello 山😀é\u{1F9D1}');
    assert.equal(pith.tokenize('<|endoftext|>', { special: true }).length, 1);
    assert.ok(pith.count('<|endoftext|>') > 1);
    for (const tokenizer of pith.tokenizers) assert.ok(pith.count('a b c', { tokenizer }) > 0);
    failsWith('unknown_vocabulary', () => pith.count('x', { tokenizer: 'gpt2' }));
    failsWith('unknown_model', () => pith.count('x', { model: 'claude-4' }));
});

test('a tokenizer.json under a name of its own', async () => {
    const vocab = {};
    // The 256 characters that stand for bytes, as byte-level BPE has them.
    const printable = [...Array(256).keys()].filter((b) =>
        (b > 32 && b < 127) || (b > 160 && b !== 173));
    let next = 256;
    for (let b = 0; b < 256; b++) {
        vocab[String.fromCodePoint(printable.includes(b) ? b : next++)] = b;
    }
    vocab.ab = 256;
    const json = JSON.stringify({ version: '1.0', added_tokens: [], normalizer: null,
        pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
        decoder: { type: 'ByteLevel' }, post_processor: null,
        model: { type: 'BPE', vocab, merges: ['a b'] } });
    await pith.loadTokenizer('mine', json);
    assert.equal(pith.count('abc', { tokenizer: 'mine' }), 2);
    await assert.rejects(pith.loadTokenizer('broken', '{'), pith.PithError);
    failsWith('unknown_vocabulary', () => pith.count('x', { tokenizer: 'broken' }));
});

test('compare: the cheapest first, what cannot hold it is told', () => {
    const costs = pith.compare(rows);
    assert.ok(costs.length > 5);
    for (const cost of costs) {
        assert.equal(cost.tokens, pith.count(cost.text));
        assert.equal(cost.bytes, new TextEncoder().encode(cost.text).length);
    }
    assert.ok(costs[0].tokens <= costs.get('json').tokens);
    assert.ok(costs.get('pith, dense') && costs.get('json, indented'));
    assert.match(String(costs), /^format +tokens +bytes +saved\n/);
    const refused = pith.compare({ a: [1, { b: 2 }] }).refused;
    assert.ok(refused.csv instanceof pith.PithError);
    assert.equal(pith.compare('[1.50]', { from: 'json', formats: ['json'] })[0].text, '[1.50]');
});

test('fit keeps to the budget and says what was left out', () => {
    const fitted = pith.fit(rows, { budget: 200, keep: 'last' });
    assert.ok(fitted.tokens <= 200 && fitted.tokens === pith.count(fitted.text));
    assert.equal(fitted.rows + fitted.rowsLeftOut, 200);
    assert.ok(fitted.text.includes('row number 199'));
    assert.deepEqual(fitted.notices.map((notice) => notice.code), ['left_out']);
    failsWith('budget_exceeded', () => pith.fit(rows, { budget: 3 }));
    failsWith('bad_setting', () => pith.fit(rows, {}));
});

test('the list of formats is whole after a call with a budget', () => {
    const script = `import { fit, formats } from ${JSON.stringify(new URL('../dist/node.js', import.meta.url).href)};`
        + 'fit([1, 2, 3, 4, 5, 6, 7, 8, 9], { budget: 8, onNotice() {} }); console.log(formats().length > 10);';
    assert.equal(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }), 'true\n');
});

test('pack: parts of so many tokens', async () => {
    for (const format of ['toon', 'auto', 'csv', 'ndjson', 'pith']) {
        const parts = [...pith.pack(rows, { tokens: 300, format })];
        assert.ok(parts.length > 1);
        assert.equal(parts.reduce((sum, part) => sum + part.rows, 0), 200);
        for (const part of parts) {
            assert.ok(part.tokens <= 300 && !part.tooLong);
            assert.equal(part.tokens, pith.count(part.text));
        }
        const back = parts.flatMap((part) => pith.decode(part.text, { format: part.format }));
        assert.deepEqual(back, rows);
    }
    const later = [];
    for await (const part of pith.packAsync((async function* () { yield* rows; })(), { tokens: 300 })) {
        later.push(part);
    }
    assert.deepEqual(later, [...pith.pack(rows, { tokens: 300 })]);
    assert.deepEqual([...pith.pack([], { tokens: 5 })], []);
    failsWith('bad_setting', () => [...pith.pack(rows, {})]);
    for (const part of pith.pack(rows, { tokens: 300 })) if (part) break; // is closed by that
});

test('prompt explains', () => {
    assert.match(pith.prompt('toon'), /TOON/);
    assert.notEqual(pith.prompt('pith', { dense: true }), pith.prompt('pith'));
    failsWith('no_legend', () => pith.prompt('yaml'));
});

test('answer finds the data and tells the mends', () => {
    const found = pith.answer('Here it is:\n```json\n{"a": 1, // one\n "b": True,}\n```\nBye.');
    assert.deepEqual(found.value, { a: 1, b: true });
    assert.ok(found.mends.length >= 3);
    assert.ok(found.mends.every((mend) => mend.code && mend.message && mend.line > 0));
    assert.deepEqual(pith.answer('{"a":1}'), { value: { a: 1 }, mends: [] });
    failsWith('no_data', () => pith.answer('I cannot do that.'));
});

test('answers row by row while they arrive', async () => {
    const text = '[{"a":1},{"a":2},{"a":3}]';
    const reader = new pith.Reader({ format: 'answer' });
    assert.deepEqual(reader.feed(text.slice(0, 12)), [{ a: 1 }]);
    assert.deepEqual([...reader.feed(text.slice(12)), ...reader.end()], [{ a: 2 }, { a: 3 }]);
});

test('an answer while it arrives: what there is so far, and at its end all', () => {
    const text = 'Here:\n```json\n{"name": "Ada", "tags": ["x", "y"], ok: True}\n```';
    const reader = new pith.AnswerReader();
    assert.equal(reader.value, undefined);
    reader.feed(text.slice(0, 32));
    assert.deepEqual(reader.value, { name: 'Ada' });
    assert.deepEqual([reader.complete, reader.finished], [1, false]);
    for (const letter of text.slice(32)) reader.feed(letter);
    assert.deepEqual(reader.value, { name: 'Ada', tags: ['x', 'y'], ok: true });
    const { value, mends } = reader.end();
    assert.deepEqual({ value, mends }, pith.answer(text));
    failsWith('out_of_order', () => reader.feed('x'));
    failsWith('no_data', () => new pith.AnswerReader().feed('Sorry.').end());
    new pith.AnswerReader().abandon();
});

test('rows out and in again, in pieces of any size', async () => {
    for (const format of ['ndjson', 'csv', 'tsv', 'toon', 'gcf', 'pith', 'json', 'soch']) {
        const writer = new pith.Writer({ format, columns: ['id', 'text'] });
        let text = '';
        for (const row of rows) text += writer.write(row);
        text += writer.close();
        assert.deepEqual(pith.decode(text, { format }), rows, format);
        for (const size of [1, 7, 100000]) {
            const pieces = [];
            for (let i = 0; i < text.length; i += size) pieces.push(text.slice(i, i + size));
            const back = [];
            for await (const row of pith.readRows(pieces, { format })) back.push(row);
            assert.deepEqual(back, rows, format);
        }
    }
    assert.equal(new pith.Writer({ format: 'json' }).close(), '[]');
});

test('encodeRows and decodeRows are TransformStreams', async () => {
    const source = new ReadableStream({
        start(controller) {
            for (const row of rows) controller.enqueue(row);
            controller.close();
        },
    });
    const back = [];
    const through = source.pipeThrough(pith.encodeRows({ format: 'csv' }))
        .pipeThrough(new TextEncoderStream()).pipeThrough(pith.decodeRows('csv'));
    for await (const row of through) back.push(row);
    assert.deepEqual(back, rows);
    const broken = new Blob(['{"a":1}\n{"a":']).stream().pipeThrough(pith.decodeRows('ndjson'));
    await assert.rejects(async () => { for await (const row of broken) assert.ok(row); },
        (error) => error.code === 'unclosed' || error instanceof pith.PithError);
});

test('a reader stops when it has what was asked for', async () => {
    let asked = 0;
    const endless = (function* () { for (;;) { asked++; yield '{"id":1}\n'; } })();
    const found = [];
    for await (const row of pith.readRows(endless, { format: 'ndjson', rows: '1:3' })) found.push(row);
    assert.equal(found.length, 2);
    assert.ok(asked < 10);
});

test('progress is told, and stops', () => {
    const text = JSON.stringify(Array.from({ length: 200000 }, (_, i) => ({ i })));
    let calls = 0;
    pith.convert(text, { from: 'json', to: 'toon', onProgress: () => { calls++; } });
    assert.ok(calls > 1);
    failsWith('cancelled', () => pith.convert(text, { to: 'toon', onProgress: () => false }));
    assert.throws(() => pith.convert(text, { to: 'toon', onProgress() { throw new Error('mine'); } }),
        { message: 'mine' });
    assert.equal(pith.encode([1], { format: 'json' }), '[1]');
});

test('notices go to the console unless somebody takes them', (context) => {
    const warned = [];
    context.mock.method(console, 'warn', (text) => warned.push(text));
    pith.decode('{"a":1}', { drop: 'b' });
    assert.match(warned[0], /nothing_dropped/);
    const said = [];
    pith.decode('{"a":1}', { drop: 'b', onNotice: (notice) => said.push(notice.code) });
    assert.deepEqual([warned.length, said], [1, ['nothing_dropped']]);
});

const graph = { tool: 't', symbols: [
    { qualified_name: 'pkg.Auth', kind: 'function', score: 0.78, provenance: 'lsp', distance: 0 },
    { qualified_name: 'pkg.Server', kind: 'function', score: 0.5, provenance: 'lsp', distance: 1 },
], edges: [{ source: 'pkg.Server', target: 'pkg.Auth', edge_type: 'calls' }] };

test('libpith/gcf: graphs and everything else', () => {
    const text = gcf.encode(graph);
    assert.match(text, /^GCF profile=graph tool=t/);
    assert.deepEqual(gcf.decode(text).symbols.map((symbol) => symbol.qualified_name),
        ['pkg.Auth', 'pkg.Server']);
    assert.equal(gcf.encodeGeneric(rows.slice(0, 1)), pith.encode(rows.slice(0, 1), { format: 'gcf' }));
    assert.deepEqual(gcf.decodeGeneric(gcf.encodeGeneric(rows)), rows);
});

test('CommonJS has the same', () => {
    const common = createRequire(import.meta.url)('../dist/index.cjs');
    assert.deepEqual(Object.keys(common).sort(), Object.keys(pith).sort());
    assert.equal(common.encode(rows, { format: 'toon' }), pith.encode(rows, { format: 'toon' }));
    assert.equal(common.count('hello world'), 2);
    const commonGcf = createRequire(import.meta.url)('../dist/gcf.cjs');
    assert.equal(commonGcf.encode(graph), gcf.encode(graph));
});

test('ten thousand conversions leave no memory behind', () => {
    const value = { rows, text: 'x'.repeat(1000) };
    const once = () => {
        pith.decode(pith.encode(value, { format: 'toon' }), { format: 'toon' });
        try {
            pith.decode('[1,');
        } catch { /* is expected */ }
        new pith.Writer({ format: 'csv' }).abandon();
        new pith.Reader({ format: 'csv' }).abandon();
    };
    for (let i = 0; i < 500; i++) once();
    const before = pith.memoryUse();
    for (let i = 0; i < 10000; i++) once();
    assert.equal(pith.memoryUse(), before);
});

test('what one large value took is given back', () => {
    const large = Array.from({ length: 400000 }, (_, id) => ({ id, name: `name ${id}`, more: [id] }));
    const text = pith.encode(large, { format: 'json' });
    assert.ok(pith.memoryUse() < 64 << 20);
    assert.equal(pith.decode(text).length, 400000);
    assert.ok(pith.memoryUse() < 64 << 20);
    assert.equal(pith.count('hello world'), 2);
});
