/*
 * memory.js - the running module: its memory, texts in and out, errors.
 *
 * A loader (node.js, browser.js, workerd.js) compiles the module and calls `start`. Whatever
 * is put into memory is given back by `release`; results are read before the next call.
 */

export class PithError extends Error {
    constructor(message, { code = 'bad_use', status = 'bad_use', line = 0, column = 0,
        offset = 0 } = {}) {
        super(message);
        this.name = 'PithError';
        this.code = code;
        this.status = status;
        this.line = line;
        this.column = column;
        this.offset = offset;
    }
}

const STATUS = ['ok', 'bad_input', 'unrepresentable', 'limit', 'bad_use', 'no_memory', 'io',
    'cancelled'];
const ROOM_KEPT = 64 << 20; // a module with more memory than this is replaced when idle

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

let image = null;
let memory = null;
let progress = null;
let failure = null;

/** The calls of core.c, and where its things are; null until `start`. */
export let core = null;
export let at = null;
export let u8 = new Uint8Array(0);
export let u32 = new Uint32Array(0);
export let i32 = new Int32Array(0);
export let f64 = new Float64Array(0);

/** Handles that are open: while there are some, the module stays. */
export const open = { count: 0 };

/** What is done when there is a new module, for those who keep addresses. */
const renewed = [];
export function onRenew(action) {
    renewed.push(action);
}

/** A view is empty when memory has grown since it was made. */
export function see() {
    if (u8.length === 0) {
        u8 = new Uint8Array(memory.buffer);
        u32 = new Uint32Array(memory.buffer);
        i32 = new Int32Array(memory.buffer);
        f64 = new Float64Array(memory.buffer);
    }
}

// Nothing is there: no files, no environment. The seed is given to core_begin, so that not
// even random numbers are asked for; the rest is what the C library has for printing.
const NOT_SUPPORTED = 58;
const nothing = () => NOT_SUPPORTED;
const NO_SYSTEM = { random_get: nothing, fd_close: nothing, fd_seek: nothing, fd_write: nothing };

function random() {
    const two = new Uint32Array(2);
    if (globalThis.crypto?.getRandomValues) globalThis.crypto.getRandomValues(two);
    else two.set([Math.random() * 2 ** 32, Math.random() * 2 ** 32]);
    return two;
}

function run() {
    const instance = new WebAssembly.Instance(image, {
        pith: { progress: (done) => askProgress(done) },
        wasi_snapshot_preview1: NO_SYSTEM,
    });
    core = instance.exports;
    memory = core.memory;
    u8 = new Uint8Array(0);
    core._initialize();
    started = false;
    for (const action of renewed) action();
}

let started = false;

/** Random numbers are drawn here and not in `run`: some hosts have none while they load. */
function begin() {
    if (started) return;
    if (!core) {
        throw failure ?? new PithError("the module is not loaded yet: 'await ready' first",
            { code: 'not_ready' });
    }
    const base = core.core_begin(...random());
    see();
    if (base === 0) throw noMemory();
    const layout = u32.subarray(core.core_layout() >> 2);
    at = {
        error: base >> 2,
        outcome: (base + layout[0]) >> 2,
        out: (base + layout[1]) >> 2,
        cells: u32[(base + layout[2]) >> 2] >> 2,
        text: u32[(base + layout[3]) >> 2],
        events: u32[(base + layout[4]) >> 2] >> 2,
        texts: (base + layout[5]) >> 2,
        lens: (base + layout[6]) >> 2,
        flag: (base + layout[7]) >> 2,
        cellsMost: layout[8],
        textMost: layout[9],
    };
    started = true;
}

export function start(compiled) {
    image = compiled;
    run();
}

/** Goes on with a module that can do more; what is open has to be closed before. */
export function replace(compiled) {
    if (open.count > 0) {
        throw new PithError('a stream is open: import graphs before the first one',
            { code: 'out_of_order' });
    }
    start(compiled);
}

export function failToStart(error) {
    failure = error;
}

let outside = false; // while code of the caller runs in the middle of a call

/** Runs code of the caller, such as a toJSON, which must not call the module meanwhile. */
export function lend(work) {
    outside = true;
    try {
        return work();
    } finally {
        outside = false;
    }
}

function askProgress(done) {
    return progress === null || lend(() => progress(done)) !== false ? 1 : 0;
}

export const noMemory = () =>
    new PithError('out of memory', { code: 'no_memory', status: 'no_memory' });

/* -------------------------------------------------------------------- texts, in and out */

const held = [];

function reserve(len) {
    const place = core.malloc(len);
    see();
    if (place === 0) throw noMemory();
    return place;
}

export function halfCharacter() {
    return new PithError('a text has half of a surrogate pair, which is no character',
        { code: 'invalid_unicode', status: 'unrepresentable' });
}

export const wellFormed = typeof ''.isWellFormed === 'function'
    ? (text) => text.isWellFormed()
    : (text) => !/\p{Surrogate}/u.test(text);

/** Puts a text, or bytes, into memory until `release`; its address and length in bytes. */
export function put(data) {
    if (typeof data !== 'string') {
        const bytes = data instanceof Uint8Array ? data : asBytes(data);
        const place = reserve(bytes.length + 8);
        held.push(place);
        u8.set(bytes, place);
        return [place, bytes.length];
    }
    let room = data.length + 1;
    let place = reserve(room);
    let { read, written } = encoder.encodeInto(data, u8.subarray(place, place + room));
    if (read < data.length) { // not ASCII
        room = written + 3 * (data.length - read) + 1;
        const larger = reserve(room);
        u8.copyWithin(larger, place, place + written);
        core.free(place);
        place = larger;
        written += encoder.encodeInto(read === 0 ? data : data.slice(read),
            u8.subarray(place + written, place + room)).written;
    }
    held.push(place);
    if (written !== data.length && !wellFormed(data)) throw halfCharacter();
    return [place, written];
}

function asBytes(data) {
    if (ArrayBuffer.isView(data)) {
        return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    }
    if (data instanceof ArrayBuffer || (typeof SharedArrayBuffer !== 'undefined'
        && data instanceof SharedArrayBuffer)) return new Uint8Array(data);
    throw new TypeError('a text is a string or a Uint8Array');
}

const words = new Map();

/** The address of a word that ends with a NUL; it stays. */
export function word(text) {
    let place = words.get(text);
    if (place === undefined) {
        if (words.size > 200) {
            for (const old of words.values()) core.free(old);
            words.clear();
        }
        place = keep(encoder.encode(text + '\0'));
        words.set(text, place);
    }
    return place;
}
onRenew(() => words.clear());

/** Bytes in memory for good, where any number may stand; their address. */
export function keep(bytes) {
    const place = reserve(bytes.length);
    u8.set(bytes, place);
    return place;
}

/** Writes one long text where cells have theirs; the bytes written. */
export function putPool(text) {
    return encoder.encodeInto(text, u8.subarray(at.text, at.text + at.textMost)).written;
}

export function textAt(place, len) {
    return decoder.decode(u8.subarray(place, place + len));
}

/** The text that was written, as a string or as bytes. */
export function takeText() {
    see();
    return textAt(u32[at.out], u32[at.out + 1]);
}

export function takeBytes() {
    see();
    return u8.slice(u32[at.out], u32[at.out] + u32[at.out + 1]);
}

export function wordAt(place) {
    if (place === 0) return '';
    let end = place;
    while (u8[end] !== 0) end++;
    return textAt(place, end - place);
}

/* -------------------------------------------------------------------------------- calls */

/** The error that the last call has left. */
export function lastError() {
    see();
    const from = at.error;
    const message = wordAt((from + 6) << 2);
    return new PithError(message, {
        status: STATUS[u32[from]] ?? 'unknown',
        line: u32[from + 1],
        column: u32[from + 2],
        offset: u32[from + 3],
        code: wordAt(u32[from + 4]),
    });
}

/** Throws unless a call was successful. */
export function must(status) {
    if (status !== 0) throw lastError();
}

let depth = 0;

/** Runs `work` with the module; gives back what it has put into memory. */
export function using(onProgress, work) {
    if (outside) {
        throw new PithError('called from inside of another call, by toJSON, a getter or onProgress',
            { code: 'out_of_order' });
    }
    begin();
    see();
    const before = held.length;
    const outer = progress;
    progress = onProgress ?? null;
    depth++;
    try {
        return work();
    } catch (error) {
        throw tidyAfter(error);
    } finally {
        progress = outer;
        depth--;
        for (const place of held.splice(before)) core.free(place);
        if (depth === 0 && u8.length === 0) see();
        if (depth === 0 && u8.length > ROOM_KEPT && open.count === 0) run();
    }
}

/** An error of the machine itself leaves the module in no state to go on with. */
function tidyAfter(error) {
    if (error instanceof WebAssembly.RuntimeError) {
        held.length = 0;
        run();
        return new PithError(`the module stopped: ${error.message}`,
            { code: 'no_memory', status: 'no_memory' });
    }
    return error;
}
