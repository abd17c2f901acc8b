// Values there and back, and what JavaScript has that JSON has not.
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import * as pith from '../dist/node.js';

const rows = [{ id: 1, name: 'Ada' }, { id: 2, name: 'Linus' }];
const json = (value, options) => pith.encode(value, { format: 'json', ...options });
const quiet = { onNotice() {} };
const failsWith = (code, work) => assert.throws(work, (error) => {
    assert.ok(error instanceof pith.PithError);
    assert.equal(error.code, code);
    return true;
});

test('the example of the README', () => {
    assert.equal(pith.encode(rows, { format: 'toon' }), '[2]{id,name}:\n  1,Ada\n  2,Linus');
    assert.deepEqual(pith.decode('[2]{id,name}:\n  1,Ada\n  2,Linus'), rows);
});

test('every format that is read and written gives the value back', async () => {
    const value = { list: rows, none: null, yes: true, no: false, text: 'a "b"\n\tĂ😀', n: -1.5,
        nested: { a: [[], {}, [1, [2]]], '': 'empty' } };
    const table = [{ a: 1, b: 'x' }, { a: 2, b: '' }];
    for (const { name, reads, writes, binary, chooses } of pith.formats()) {
        if (!reads || !writes || chooses || name.includes('graph')) continue;
        const flat = ['csv', 'tsv', 'ndjson', 'toon-rows'].includes(name);
        const from = flat ? table : value;
        const text = binary ? pith.encodeBytes(from, { format: name })
            : pith.encode(from, { format: name });
        assert.deepEqual(pith.decode(text, { format: name, ...quiet }), from, name);
    }
    assert.deepEqual(pith.decode(pith.encode(value)), value);
});

test('what JSON.stringify does, encode does', () => {
    class Point {
        constructor() { this.x = 1; this.y = undefined; }
    }
    class Money {
        toJSON(key) { return `${key}:5`; }
    }
    const sparse = [1, , 3]; // eslint-disable-line no-sparse-arrays
    const values = [null, true, 0, -0, 1e21, 1e-7, 123456789012345680000, 5e-324,
        1.7976931348623157e308, 0.1, -3, 4294967296, -4294967297, 2 ** 53 - 1, -(2 ** 53) + 1,
        'x', '', '\u2028\u0000', [], {}, [[]], sparse, [undefined, () => 1, Symbol('x')],
        { a: undefined, b: () => 1, c: Symbol('x'), d: null }, new Date(0), new Point(),
        { m: new Money() }, [new Money()], Object.create(null), new String('s'), new Number(4),
        new Boolean(false), { toJSON: () => ({ toJSON: 1 }) }, { a: new Date(5) },
        { 2: 'b', 1: 'a', x: 'c' }, Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } }),
        [{ a: 1 }, { a: 1, b: 2 }, { b: 2, a: 1 }, { a: undefined, b: 2 }, {}],
        { toJSON: () => undefined, x: 1 } && { k: { toJSON: () => undefined } },
    ];
    for (const value of values) assert.equal(json(value), JSON.stringify(value));
});

test('beyond JSON.stringify: Map, Set, BigInt, typed arrays, bytes', () => {
    assert.equal(json(new Map([['b', 1], ['a', new Map()], [3, [1n]]])), '{"b":1,"a":{},"3":[1]}');
    assert.equal(json(new Set([1, 'x'])), '[1,"x"]');
    assert.equal(json(123456789012345678901234567890n), '123456789012345678901234567890');
    assert.equal(json(new Float64Array([1, 2.5])), '[1,2.5]');
    assert.equal(json(new Uint8Array([1, 2, 255])), '"b64:AQL/"');
    failsWith('unsupported_value', () => json(new Map([[{}, 1]])));
    failsWith('unsupported_value', () => json(undefined));
    failsWith('unsupported_value', () => json(() => 1));
});

test('bytes come back as bytes', () => {
    const value = [{ id: 1, data: new Uint8Array([0, 1, 254]) }];
    const text = pith.encodeBytes(value, { format: 'soch-bin' });
    assert.deepEqual(pith.decode(text, { format: 'soch-bin' }), value);
});

test('NaN and the infinities are refused unless something is said', () => {
    for (const number of [NaN, Infinity, -Infinity]) failsWith('not_finite', () => json([number]));
    assert.equal(json([NaN, Infinity, -Infinity], { nan: 'null' }), '[null,null,null]');
    assert.equal(json([NaN, Infinity, -Infinity], { nan: 'text' }), '["NaN","Inf","-Inf"]');
    failsWith('bad_setting', () => json(1, { nan: 'zero' }));
});

test('a value that contains itself, and one that is deep', () => {
    const circle = {};
    circle.next = [circle];
    failsWith('circular', () => json(circle));
    let deep = 1;
    for (let i = 0; i < 600; i++) deep = [deep];
    failsWith('depth_limit', () => json(deep));
    assert.equal(json(deep, { depth: 700 }).length, 1201);
    for (let i = 0; i < 200000; i++) deep = [deep];
    failsWith('depth_limit', () => json(deep, { depth: 1000000 }));
    assert.equal(json([1]), '[1]');
});

test('half of a surrogate pair is refused wherever it stands', () => {
    for (const value of ['\ud800', ['a', '\udc00x'], { '\ud83d': 1 }, ['\ud83d', '\ude00'],
        'x'.repeat(20000) + '\ud83d', { a: 1, b: 'é\ud800' }]) {
        failsWith('invalid_unicode', () => json(value));
    }
    failsWith('invalid_unicode', () => pith.convert('"\ud800"', { from: 'json', to: 'json' }));
    assert.equal(json(['😀', 'é']), '["😀","é"]');
});

test('texts of all lengths and kinds cross whole', () => {
    const value = [];
    for (const length of [0, 1, 15, 8191, 8192, 8193, 65536, 200000]) {
        for (const letter of ['a', 'é', '山', '😀']) value.push(letter.repeat(length), { [letter]: letter });
    }
    for (let i = 0; i < 10000; i++) value.push({ i, text: 'é'.repeat(i % 40), list: [i, `${i}`] });
    assert.deepEqual(JSON.parse(json(value)), value);
    assert.deepEqual(pith.decode(pith.encode(value, { format: 'pith' })), value);
    assert.deepEqual(pith.decode(pith.encode(value, { format: 'pith' }), { objects: 'map' })[1].get('a'), 'a');
});

test('objects with very many keys, and very many kinds of objects', () => {
    const many = {};
    for (let i = 0; i < 70000; i++) many[`key ${i}`] = i;
    assert.deepEqual(pith.decode(json(many)), many);
    const kinds = [];
    for (let i = 0; i < 30000; i++) kinds.push({ [`a${i}`]: 1, [`b${i % 7}`]: 2, c: [] });
    assert.deepEqual(JSON.parse(json(kinds)), kinds);
    const maps = pith.decode(json(many), { objects: 'map' });
    assert.equal(maps.size, 70000);
    assert.equal(maps.get('key 69999'), 69999);
});

test('keys that are names of prototypes are keys like others', () => {
    const text = '{"__proto__":{"polluted":1},"constructor":2,"x":12345678901234567890}';
    const value = pith.decode(text);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.ok(Object.hasOwn(value, '__proto__'));
    assert.equal({}.polluted, undefined);
    assert.equal(value.x, 12345678901234567890n);
    assert.equal(json(value), text);
    assert.equal(json(JSON.parse('{"__proto__":[1]}')), '{"__proto__":[1]}');
});

test('an enumerable property of Object.prototype is nobody\'s own', () => {
    Object.prototype.intruder = 1; // eslint-disable-line no-extend-native
    try {
        assert.equal(json({ a: 1 }), '{"a":1}');
    } finally {
        delete Object.prototype.intruder;
    }
});

test('numbers: what a number cannot say', () => {
    const text = '[1,1.0,1e3,9007199254740993,1e400,12345678901234567890,1e21,100000000000000000000,'
        + '0.30000000000000004,3.141592653589793238]';
    const said = [];
    const onNotice = (notice) => said.push(notice.code);
    assert.deepEqual(pith.decode(text, { onNotice }), [1, 1, 1000, 9007199254740993n, '1e400',
        12345678901234567890n, 1e21, 100000000000000000000, 0.30000000000000004, 3.141592653589793]);
    assert.deepEqual(said, ['rounded']);
    assert.deepEqual(pith.decode(text, { numbers: 'string' }), [1, 1, 1000, '9007199254740993',
        '1e400', '12345678901234567890', 1e21, 100000000000000000000, 0.30000000000000004,
        '3.141592653589793238']);
    assert.deepEqual(pith.decode(text, { numbers: 'number' }), JSON.parse(text));
    failsWith('bad_setting', () => pith.decode('1', { numbers: 'big' }));
});

test('maps keep the order of keys that look like numbers', () => {
    const map = pith.decode('{"b":1,"2":2,"1":3}', { objects: 'map' });
    assert.deepEqual([...map.keys()], ['b', '2', '1']);
    assert.equal(json(map), '{"b":1,"2":2,"1":3}');
});

test('what is asked of a value may change it', () => {
    const value = [];
    const tricky = { get a() { delete this.b; return 1; }, b: 2 };
    value.push({ a: 1, b: 2 }, tricky);
    assert.equal(json(value), '[{"a":1,"b":2},{"a":1}]');
});

test('a call inside of toJSON is refused, and spoils nothing', () => {
    failsWith('out_of_order', () => json([1, { toJSON: () => json([1]) }]));
    assert.equal(json([1]), '[1]');
});

test('random values come back, in every general format', () => {
    let seed = 7;
    const random = (most) => {
        seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
        return Math.floor((seed / 2 ** 32) * most);
    };
    const texts = ['', 'a', 'null', '1', '-', 'a,b', 'x:y', ' pad ', 'é😀', 'line\nbreak', '"', '{', '#'];
    const make = (depth) => {
        switch (random(depth > 3 ? 6 : 9)) {
        case 0: return null;
        case 1: return random(2) === 0;
        case 2: return random(1000) - 500;
        case 3: return (random(1e6) - 5e5) / 1024;
        case 4: return texts[random(texts.length)];
        case 5: return random(2) ? Number.MAX_SAFE_INTEGER - random(9) : 1e-9 * random(1e6);
        case 6: return Array.from({ length: random(5) }, () => make(depth + 1));
        case 7: {
            const keys = ['id', 'name', 'x y', '', '1'].slice(0, 1 + random(5));
            return Array.from({ length: random(4) }, () => Object.fromEntries(
                keys.map((key) => [key, make(depth + 2)])));
        }
        default: return Object.fromEntries(Array.from({ length: random(4) },
            () => [`k${random(9)}`, make(depth + 1)]));
        }
    };
    for (let i = 0; i < 3000; i++) {
        const value = make(0);
        assert.equal(json(value), JSON.stringify(value));
        for (const format of ['json', 'toon', 'gcf', 'pith', 'soch']) {
            assert.deepEqual(pith.decode(pith.encode(value, { format }), { format }),
                JSON.parse(JSON.stringify(value)), format);
        }
    }
});
