/*
 * values.js - JavaScript values into the module's document, and out of it.
 *
 * In: cells are written straight into memory, and all texts into one long one that crosses
 * with a single call. An object is found in a tree of keys, which knows its shape: then only
 * its values cross. Out: JSON.parse is the fastest way to make values, so what the document
 * says is written as JSON unless a number or bytes would not survive that; then events are
 * walked through.
 */
import {
    PithError, at, core, f64, halfCharacter, i32, lastError, lend, must, onRenew, put, putPool, see, textAt,
    u32, wellFormed, word,
} from './memory.js';

const NULL = 1, FALSE = 2, TRUE = 3, INT64 = 4, DOUBLE = 6, DIGITS = 8, TEXT = 9, BYTES = 10,
    KEY = 11, ARRAY = 12, OBJECT = 13, SHAPED = 14, ABSENT = 15, CLOSE = 16;

const POOL_MOST = 65536; // units; three bytes for each have room
const TEXT_MOST = 8192; // a longer text crosses alone
const KEYS_MOST = 128; // of an object with a shape
const NODES_MOST = 20000;

/* ------------------------------------------------------------------------------- cells in */

let filled = 0; // cells that wait
let pool = '';
let cells = 0; // where they are

function send() {
    if (filled === 0) return;
    see();
    const texts = pool;
    const written = texts === '' ? 0 : putPool(texts);
    const ascii = written === texts.length;
    const sent = filled;
    filled = 0;
    pool = '';
    if (!ascii && !wellFormed(texts)) throw halfCharacter();
    if (core.core_cells(sent, ascii ? 1 : 0) !== 0) throw halfCharacter();
    see();
}

function cell(kind) {
    if (filled === at.cellsMost) send();
    u32[cells + 4 * filled++] = kind;
}

function addText(kind, text) {
    const len = text.length;
    if (len > TEXT_MOST) return addLong(kind, text);
    if (filled === at.cellsMost || pool.length + len > POOL_MOST) send();
    const to = cells + 4 * filled++;
    u32[to] = kind;
    u32[to + 1] = len;
    pool += text;
}

function addLong(kind, data) {
    send();
    const [place, len] = put(data);
    core.core_long_text(kind, place, len);
    see();
}

function addNumber(number) {
    if (Number.isInteger(number) && number <= 9007199254740991 && number >= -9007199254740991) {
        if (filled === at.cellsMost) send();
        const to = cells + 4 * filled++;
        u32[to] = INT64;
        i32[to + 2] = number;
        i32[to + 3] = Math.floor(number / 4294967296);
    } else if (number !== number || number === Infinity || number === -Infinity) {
        addNotFinite(number);
    } else if ((number > 1e-5 && number < 1e15) || (number < -1e-5 && number > -1e15)) {
        if (filled === at.cellsMost) send();
        const to = cells + 4 * filled++;
        u32[to] = DOUBLE;
        f64[(to >> 1) + 1] = number;
    } else {
        addText(DIGITS, String(number)); // the digits that JSON.stringify writes
    }
}

let notFinite = 'refuse';

function addNotFinite(number) {
    if (notFinite === 'null') return cell(NULL);
    if (notFinite === 'text') {
        return addText(TEXT, Number.isNaN(number) ? 'NaN' : number > 0 ? 'Inf' : '-Inf');
    }
    throw new PithError(`${number} is not a number that JSON has; nan: 'null' or 'text' says`
        + ' what it becomes', { code: 'not_finite', status: 'unrepresentable' });
}

/* -------------------------------------------------------------------------------- shapes */

// A node stands for the keys on the way to it. The child that was asked for last is tried
// first, which for rows is nearly always right.
let nodes = 0;
let epoch = 0;

function newNode(keys) {
    nodes++;
    return { keys, last: undefined, next: null, others: null, shape: 0, epoch: -1 };
}

let tree = newNode([]);

function child(node, key) {
    let found = node.others?.get(key) ?? null;
    if (found === null) {
        if (nodes >= NODES_MOST || node.keys.length >= KEYS_MOST) return null;
        found = newNode([...node.keys, key]);
        (node.others ??= new Map()).set(key, found);
    }
    node.last = key;
    node.next = found;
    return found;
}

function makeShape(node) {
    node.epoch = epoch;
    node.shape = 0;
    let units = 0;
    for (const key of node.keys) units += key.length;
    if (node.keys.length === 0 || units > POOL_MOST) return;
    send();
    for (const key of node.keys) addText(KEY, key);
    const texts = pool;
    const written = putPool(texts);
    const asked = filled;
    filled = 0;
    pool = '';
    if (written !== texts.length && !wellFormed(texts)) throw halfCharacter();
    node.shape = core.core_shape(asked, written === texts.length ? 1 : 0);
    see();
}

/* --------------------------------------------------------------------------------- values */

let deep = 0;
let deepest = 512;
const parents = [];

function enter(value) {
    if (++deep > deepest) {
        const circular = parents.includes(value);
        throw new PithError(circular
            ? 'the value contains itself'
            : `the value nests deeper than ${deepest} levels; the option depth allows more`,
        { code: circular ? 'circular' : 'depth_limit', status: circular ? 'bad_use' : 'limit' });
    }
    parents.push(value);
}

function leave() {
    deep--;
    parents.pop();
}

function add(value, key, orAbsent) {
    switch (typeof value) {
    case 'string': return addText(TEXT, value);
    case 'number': return addNumber(value);
    case 'boolean': return cell(value ? TRUE : FALSE);
    case 'bigint': return addText(DIGITS, value.toString());
    case 'object':
        if (value === null) return cell(NULL);
        if (Array.isArray(value)) return addArray(value);
        if (typeof value.toJSON === 'function') {
            return addMade(value.toJSON(key), key, orAbsent);
        }
        return addObject(value);
    default: // undefined, functions and symbols, as JSON.stringify has them
        return cell(orAbsent);
    }
}

// What toJSON returns is not asked again.
function addMade(value, key, orAbsent) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        return addObject(value);
    }
    return add(value, key, orAbsent);
}

function addArray(list) {
    enter(list);
    cell(ARRAY);
    for (let i = 0; i < list.length; i++) {
        const value = list[i];
        if (typeof value === 'string') addText(TEXT, value);
        else add(value, i, NULL);
    }
    cell(CLOSE);
    leave();
}

function addObject(object) {
    const prototype = Object.getPrototypeOf(object);
    if (prototype !== Object.prototype && prototype !== null && addOther(object)) return;
    enter(object);
    let node = tree;
    if (prototype === Object.prototype || prototype === null) {
        for (const key in object) {
            node = node.last === key ? node.next : child(node, key);
            if (node === null) break;
        }
        if (node !== null && polluted) node = null;
    } else {
        for (const key of Object.keys(object)) {
            node = node.last === key ? node.next : child(node, key);
            if (node === null) break;
        }
    }
    if (node !== null && node.epoch !== epoch) makeShape(node);
    if (node === null || node.shape === 0) addByKeys(object, Object.keys(object));
    else addShaped(object, node);
    leave();
}

function addShaped(object, node) {
    const keys = node.keys;
    cell(SHAPED);
    u32[cells + 4 * filled - 2] = node.shape;
    u32[cells + 4 * filled - 1] = 0;
    for (let i = 0; i < keys.length; i++) {
        const value = object[keys[i]];
        if (typeof value === 'string') addText(TEXT, value);
        else if (typeof value === 'number') addNumber(value);
        else add(value, keys[i], ABSENT);
    }
}

function has(value) {
    if (typeof value === 'object' && value !== null && typeof value.toJSON === 'function') {
        return undefined; // only calling it tells
    }
    return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function addByKeys(object, keys) {
    cell(OBJECT);
    for (const key of keys) addMember(key, object[key]);
    cell(CLOSE);
}

function addMember(key, value) {
    let wanted = has(value);
    let made = value;
    if (wanted === undefined) {
        made = value.toJSON(key);
        wanted = made !== undefined && typeof made !== 'function' && typeof made !== 'symbol';
        if (!wanted) return;
        addText(KEY, key);
        return addMade(made, key, NULL);
    }
    if (!wanted) return;
    addText(KEY, key);
    add(made, key, NULL);
}

// Everything that is neither an array nor a plain object; false for instances of classes.
function addOther(object) {
    if (object instanceof Map) {
        enter(object);
        cell(OBJECT);
        for (const [key, value] of object) {
            if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'bigint') {
                throw new PithError('a key of a Map has to be a string or a number',
                    { code: 'unsupported_value', status: 'unrepresentable' });
            }
            addMember(String(key), value);
        }
        cell(CLOSE);
        leave();
    } else if (object instanceof Set) {
        addArray([...object]);
    } else if (object instanceof Uint8Array) {
        addLong(BYTES, object);
    } else if (ArrayBuffer.isView(object) && !(object instanceof DataView)) {
        addArray(object);
    } else if (object instanceof ArrayBuffer) {
        addLong(BYTES, new Uint8Array(object));
    } else if (object instanceof String || object instanceof Number
        || object instanceof Boolean || object instanceof BigInt) {
        add(object.valueOf(), '', NULL);
    } else {
        return false;
    }
    return true;
}

let polluted = false;

/** Makes the value the module's document. */
export function sendValue(value, { depth = 512, nan = 'refuse' } = {}) {
    if (nan !== 'refuse' && nan !== 'null' && nan !== 'text') {
        throw new PithError(`nan is 'refuse', 'null' or 'text', not '${nan}'`,
            { code: 'bad_setting' });
    }
    epoch++;
    deep = parents.length = filled = 0;
    pool = '';
    deepest = depth || 512;
    notFinite = nan;
    cells = at.cells;
    polluted = false;
    for (const key in {}) polluted = key !== undefined;
    if (nodes >= NODES_MOST) {
        nodes = 0;
        tree = newNode([]);
    }
    must(core.core_start(deepest));
    see();
    if (!has(value) && has(value) !== undefined) {
        throw new PithError(`${typeof value} is no value`,
            { code: 'unsupported_value', status: 'unrepresentable' });
    }
    try {
        lend(() => add(value, '', NULL));
        send();
    } catch (error) {
        filled = 0;
        pool = '';
        if (error instanceof RangeError) {
            throw new PithError('the value nests deeper than the stack of this program allows',
                { code: 'depth_limit', status: 'limit' });
        }
        throw error;
    }
    must(core.core_finish());
    see();
}
onRenew(() => { epoch++; });

/* ------------------------------------------------------------------------------ values out */

function writtenAsJson() {
    must(core.core_write_plain(word('json')));
    see();
    return JSON.parse(textAt(u32[at.out], u32[at.out + 1]));
}

const exactly = (digits) => {
    const number = Number(digits);
    return Number.isFinite(number) && BigInt(number) === BigInt(digits);
};

/** Digits without a point at the end, an exponent, or zeros that say nothing. */
function plainDigits(text) {
    const [, sign, whole, part = '', power = '0'] =
        /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
    const digits = whole + part;
    const bare = digits.replace(/^0+/, '').replace(/0+$/, '');
    if (bare === '') return '0';
    const zeros = digits.length - digits.replace(/0+$/, '').length;
    return `${sign}${bare}e${Number(power) - part.length + zeros}`;
}

/** A walk through the events: the value that they say. */
class Walk {
    constructor(options, notice) {
        this.numbers = options.numbers ?? 'auto';
        this.maps = options.objects === 'map';
        this.notice = notice;
        this.rounded = 0;
        this.shapes = new Map();
        this.fill = 0;
        this.next = 0;
        core.core_walk_begin(1);
    }

    more() {
        const got = core.core_walk();
        see();
        if (got === 0xFFFFFFFF || got === -1) throw lastError();
        this.fill = got;
        this.next = 0;
        this.used = 0;
        this.text = textAt(u32[at.texts], u32[at.texts + 1]);
    }

    keysOf(event, shape) {
        const known = shape === 0 ? undefined : this.shapes.get(shape);
        if (known) return known;
        const many = core.core_keys(event);
        see();
        if (many === 0xFFFFFFFF || many === -1) throw lastError();
        const text = textAt(u32[at.texts], u32[at.texts + 1]);
        const lens = u32[at.lens] >> 2;
        const keys = [];
        for (let i = 0, from = 0; i < many; i++) {
            const len = u32[lens + i];
            keys.push(text.slice(from, from + len));
            from += len;
        }
        if (shape !== 0) this.shapes.set(shape, keys);
        return keys;
    }

    cut(len) {
        const text = this.text.slice(this.used, this.used + len);
        this.used += len;
        return text;
    }

    value() {
        if (this.next === this.fill) this.more();
        const event = this.next++;
        const from = at.events + 6 * event;
        const kind = u32[from] & 255;
        const type = (u32[from] >> 16) & 255;
        const len = u32[from + 2];
        switch (kind) {
        case 1: return null;
        case 2: return false;
        case 3: return true;
        case 4: return this.integer(this.cut(len));
        case 5: return this.decimal(this.cut(len));
        case 6: return this.string(this.cut(len), type);
        case 7: {
            const list = [];
            for (let i = 0; i < len; i++) list.push(this.value());
            return list;
        }
        default: return this.object(this.keysOf(event, u32[from + 1]));
        }
    }

    object(keys) {
        if (this.maps) {
            const map = new Map();
            for (const key of keys) map.set(key, this.value());
            return map;
        }
        const object = {};
        for (const key of keys) {
            const value = this.value();
            if (key === '__proto__') {
                Object.defineProperty(object, key,
                    { value, enumerable: true, configurable: true, writable: true });
            } else {
                object[key] = value;
            }
        }
        return object;
    }

    integer(digits) {
        const number = Number(digits);
        if (Number.isSafeInteger(number) || this.numbers === 'number') return number;
        if (exactly(digits)) return number;
        return this.numbers === 'string' ? digits : BigInt(digits);
    }

    decimal(digits) {
        const number = Number(digits);
        if (this.numbers === 'number') return number;
        if (Number.isFinite(number) && plainDigits(String(number)) === plainDigits(digits)) {
            return number;
        }
        if (this.numbers === 'string' || !Number.isFinite(number)) return digits;
        this.rounded++;
        this.example ??= digits;
        return number;
    }

    string(text, type) {
        if (type === 6) return bytesOf(text.slice(4));
        if (type === 3) return text === 'NaN' ? NaN : text === 'Inf' ? Infinity : -Infinity;
        return text;
    }
}

function bytesOf(base64) {
    const binary = atob(base64);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

/** The module's value as a JavaScript value. */
export function takeValue(options, notice) {
    const { numbers = 'auto', objects = 'object' } = options;
    if (objects !== 'map' && (numbers === 'number' || core.core_plain() === 1)) {
        see();
        return writtenAsJson();
    }
    see();
    const walk = new Walk(options, notice);
    const value = walk.value();
    if (walk.rounded > 0) {
        notice({
            code: 'rounded', status: 'unrepresentable', line: 0, column: 0, offset: 0,
            message: `${walk.rounded} decimal${walk.rounded > 1 ? 's' : ''} with more digits`
                + ` than a number holds, such as ${walk.example}, rounded; numbers: 'string'`
                + ' keeps the digits',
        });
    }
    return value;
}
