/*
 * api.js - what the package exports, whatever loads it.
 */
import {
    PithError, at, core, keep, lastError, must, onRenew, open, put, replace,
    see, takeBytes, takeText, u32, u8, using, word, wordAt,
} from './memory.js';
import { sendValue, takeValue } from './values.js';
import { LEGENDS } from './legends.js';
import { tokenizerOf } from './models.js';

export { PithError };

/* ------------------------------------------------------------------------------- options */

// What is no setting of a format. (Pith has a `numbers`, of writing.)
const OWN = new Set(['format', 'from', 'to', 'read', 'tokenizer', 'model', 'depth', 'outputMax',
    'memoryMax', 'onNotice', 'onProgress', 'numbers', 'objects', 'nan', 'columns',
    'formats', 'texts', 'dense', 'special', 'as']);

function settingText(value) {
    if (Array.isArray(value)) value = value.join(',');
    const text = String(value);
    return text === '' || /[\s"\\]/.test(text) ? JSON.stringify(text) : text;
}

/** { finalNewline: true } as "final-newline=true". */
function settings(options, before = '', side = 0) {
    let words = before;
    for (const key of Object.keys(options)) {
        const value = options[key];
        if (value === undefined || value === null
            || (OWN.has(key) && !(key === 'numbers' && side === WRITE))) continue;
        const name = key.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase());
        words += ` ${name}=${settingText(value)}`;
    }
    return words.trim();
}

const NONE = Object.freeze({});
const READ = 1, WRITE = 2;

function warn(notice) {
    console.warn(`pith: ${notice.message} [${notice.code}]`);
}

/** Tells the module the options of the next call. `sides`: READ, WRITE or both. */
function setOptions(options, side, { counts = false, before = '' } = {}) {
    const words = settings(options, before, side);
    const read = options.read ? settings(options.read) : '';
    core.core_options(
        word(side === READ ? words : read), word(side === WRITE ? words : ''),
        options.depth ?? 0, options.outputMax ?? 0, options.memoryMax ?? 0,
        counts ? vocabOf(options) : 0, options.onProgress ? 1 : 0);
    see();
}

/** What the call has said besides its result. */
function notices() {
    if (u32[at.flag] === 0) return [];
    must(core.core_notices());
    return JSON.parse(takeText());
}

/** Hands notices on; without somebody to take them they are warnings on the console. */
function tell(said, options) {
    const take = options.onNotice ?? warn;
    for (const notice of said) take(notice);
}

function call(options, work) {
    return using(options.onProgress, work);
}

// Whether writing these settings has to count tokens.
const counting = (format, options) => format === 'auto' || options.budget !== undefined
    || options.guard === true || options.optimize !== undefined || options.dense === true
    || options.rowsMax !== undefined;

/* -------------------------------------------------------------------------------- graphs */

let graphs = null;
let graphsLater = null;
let haveGraphs = false;

/** How a loader gets the module that knows graphs: at once, or after a while. */
export function setGraphsSource(now, later) {
    graphs = now;
    graphsLater = later;
}

/** Makes the formats gcf-graph and gcf1-graph ready; without waiting where that can be. */
export async function loadGraphs() {
    if (haveGraphs) return;
    if (graphs !== null) return needGraphs();
    const compiled = await graphsLater();
    if (!haveGraphs) replace(compiled);
    haveGraphs = true;
}

function needGraphs() {
    if (haveGraphs) return;
    if (graphs === null) {
        throw new PithError("graphs are in a module of their own: 'await loadGraphs()' first",
            { code: 'not_loaded' });
    }
    replace(graphs());
    haveGraphs = true;
}

const isGraph = (format) => format === 'gcf-graph' || format === 'gcf1-graph';

/** A call with formats: those of graphs need their module. */
function callWith(options, named, work) {
    if (!haveGraphs && named.some(isGraph)) needGraphs();
    return call(options, work);
}

/* -------------------------------------------------------------------------------- values */

/** `dense`: of auto it is a setting; of pith it is level 2. */
function denseBefore(format, options) {
    if (!options.dense) return '';
    return format === 'auto' ? 'dense=true' : 'level=2';
}

/** Makes the module's value of the argument: a JavaScript value, or with `from` a text. */
function load(value, options) {
    if (options.from === undefined) return sendValue(value, options);
    const read = options.read ? settings(options.read) : '';
    core.core_options(word(read), word(''), options.depth ?? 0, 0, options.memoryMax ?? 0, 0,
        options.onProgress ? 1 : 0);
    see();
    const [place, len] = put(value);
    must(core.core_read(formatWord(options.from), place, len));
    see();
    return undefined;
}

const formatWord = (format) => (format === undefined || format === 'detect' ? 0 : word(format));

function outcome() {
    const from = at.outcome;
    return {
        format: wordAt(u32[from]),
        bytes: u32[from + 1],
        tokens: u32[from + 2],
        jsonTokens: u32[from + 3],
        rows: u32[from + 4],
        rowsLeftOut: u32[from + 5],
        members: u32[from + 6],
        membersLeftOut: u32[from + 7],
        textsClipped: u32[from + 8],
    };
}

function writeValue(format, options, before = '') {
    const counts = counting(format, options);
    setOptions(options, WRITE, { counts, before: `${denseBefore(format, options)} ${before}` });
    must(core.core_write(word(format)));
    see();
}

function writeOut(value, options, take) {
    const format = options.format ?? 'auto';
    return callWith(options, [format, options.from], () => {
        load(value, options);
        writeValue(format, options);
        const text = take();
        tell(notices(), options);
        return text;
    });
}

/** A value as text. */
export function encode(value, options = NONE) {
    return writeOut(value, options, takeText);
}

/** A value as the bytes of a text, or of a binary format. */
export function encodeBytes(value, options = NONE) {
    return writeOut(value, options, takeBytes);
}

function readIn(text, options) {
    setOptions(options, READ);
    const [place, len] = put(text);
    must(core.core_read(formatWord(options.format), place, len));
    see();
}

/** A text as a value. */
export function decode(text, options = NONE) {
    checkNumbers(options);
    return callWith(options, [options.format], () => {
        readIn(text, options);
        const said = notices();
        const value = takeValue(options, (notice) => said.push(notice));
        tell(said, options);
        return value;
    });
}

function checkNumbers({ numbers = 'auto', objects = 'object' }) {
    if (!['auto', 'number', 'string'].includes(numbers)) {
        throw new PithError(`numbers is 'auto', 'number' or 'string', not '${numbers}'`,
            { code: 'bad_setting' });
    }
    if (!['object', 'map'].includes(objects)) {
        throw new PithError(`objects is 'object' or 'map', not '${objects}'`,
            { code: 'bad_setting' });
    }
}

/** From text to text, without making values: a string of a string, bytes of bytes. */
export function convert(text, options = NONE) {
    const to = options.to ?? 'auto';
    return callWith(options, [to, options.from], () => {
        const counts = counting(to, options);
        setOptions(options, WRITE, { counts, before: denseBefore(to, options) });
        const [place, len] = put(text);
        must(core.core_convert(formatWord(options.from), word(to), place, len));
        see();
        const made = (options.as ?? typeof text) === 'string' ? takeText() : takeBytes();
        tell(notices(), options);
        return made;
    });
}

/** The format of a text, by its content; undefined when nothing tells. */
export function detect(text) {
    return call(NONE, () => {
        const [place, len] = put(text);
        return wordAt(core.core_format_of(0, place, len)) || undefined;
    });
}

/** Every problem in a text, the first thousand; none when it is right. */
export function check(text, options = NONE) {
    return callWith(options, [options.format], () => {
        setOptions(options, READ);
        const [place, len] = put(text);
        const status = core.core_check(formatWord(options.format), place, len);
        see();
        const found = notices();
        if (status !== 0 && found.length === 0) throw lastError();
        return found;
    });
}

/** The data in the answer of a model, what was mended, and where. */
export function answer(text, options = NONE) {
    checkNumbers(options);
    return call(options, () => {
        readIn(text, { ...options, format: 'answer' });
        const mends = notices();
        return { value: takeValue(options, (notice) => mends.push(notice)), mends };
    });
}

/* -------------------------------------------------------------------------------- tokens */

// Names, and the bytes of vocabularies that were loaded. What the module has of them is made
// anew when it is replaced.
const vocabularies = new Map();
let handles = new Map();
onRenew(() => { handles = new Map(); });

let loadNow = null;
let loadLater = null;

/** How a loader finds a vocabulary: at once (null when it cannot), and after a while. */
export function setTokenizerSource(now, later) {
    loadNow = now;
    loadLater = later;
}

const BUILT_IN = ['o200k_base', 'o200k_harmony', 'cl100k_base', 'p50k_base', 'r50k_base'];

/** The names of the tokenizers that the package has. */
export const tokenizers = Object.freeze([...BUILT_IN, 'estimate']);

function notLoaded(name) {
    return new PithError(`the tokenizer '${name}' is not loaded: await loadTokenizer('${name}')`
        + " first, or give tokenizer: 'estimate'", { code: 'not_loaded' });
}

function unknownTokenizer(name) {
    return new PithError(`there is no tokenizer '${name}'; there are ${tokenizers.join(', ')}`,
        { code: 'unknown_vocabulary' });
}

function nameOf({ tokenizer, model }) {
    if (tokenizer !== undefined) return tokenizer;
    return model === undefined ? 'o200k_base' : tokenizerOf(model);
}

function vocabOf(options) {
    const name = nameOf(options);
    let handle = handles.get(name);
    if (handle !== undefined) return handle;
    if (name === 'estimate') {
        handle = core.core_vocab_open(word(name));
    } else {
        let bytes = vocabularies.get(name);
        if (bytes === undefined) {
            if (!BUILT_IN.includes(name)) throw unknownTokenizer(name);
            bytes = loadNow?.(name);
            if (!bytes) throw notLoaded(name);
            vocabularies.set(name, bytes);
        }
        handle = bytes.json
            ? usingText(bytes.json, (place, len) => core.core_vocab_read(place, len))
            : core.core_vocab_map(keep(bytes), bytes.length);
    }
    see();
    if (handle === 0) throw lastError();
    handles.set(name, handle);
    return handle;
}

function usingText(text, work) {
    const [place, len] = put(text);
    return work(place, len);
}

/**
 * Makes a tokenizer ready: one of the package's, or under a name of your own the text of a
 * tokenizer.json or the bytes of a .vocab file.
 */
export async function loadTokenizer(name = 'o200k_base', data = undefined) {
    if (name === 'estimate' || (vocabularies.has(name) && data === undefined)) return;
    if (data === undefined) {
        if (!BUILT_IN.includes(name)) throw unknownTokenizer(name);
        data = loadNow?.(name) ?? await loadLater?.(name);
        if (!data) throw notLoaded(name);
    } else if (BUILT_IN.includes(name) && vocabularies.has(name)) {
        return;
    }
    const image = data instanceof Uint8Array && wordStarts(data, 'pithvoc1');
    vocabularies.set(name, image ? data : { json: data });
    handles.delete(name);
    try {
        call(NONE, () => vocabOf({ tokenizer: name }));
    } catch (error) {
        vocabularies.delete(name);
        throw error;
    }
}

function wordStarts(bytes, text) {
    for (let i = 0; i < text.length; i++) if (bytes[i] !== text.charCodeAt(i)) return false;
    return true;
}

/** How many tokens a text is. */
export function count(text, options = NONE) {
    return call(options, () => {
        const vocab = vocabOf(options);
        const [place, len] = put(text);
        must(core.core_count(vocab, place, len));
        see();
        return u32[at.flag];
    });
}

/** The tokens of a text. With `special: true` what looks like a special token is one. */
export function tokenize(text, options = NONE) {
    return call(options, () => {
        const vocab = vocabOf(options);
        const [place, len] = put(text);
        must(core.core_tokenize(vocab, place, len, options.special ? 1 : 0));
        see();
        const from = u32[at.out] >> 2;
        return u32.slice(from, from + (u32[at.out + 1] >> 2));
    });
}

function putIds(ids) {
    const numbers = ids instanceof Uint32Array ? ids : Uint32Array.from(ids);
    return put(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))[0];
}

/** The text of tokens; what is no whole character is U+FFFD. */
export function detokenize(ids, options = NONE) {
    return call(options, () => {
        const vocab = vocabOf(options);
        setOptions(NONE, READ);
        must(core.core_detokenize(vocab, putIds(ids), ids.length));
        return takeText();
    });
}

/** The text of each token. A character that is in several is with the last of them. */
export function pieces(text, options = NONE) {
    return call(options, () => {
        const vocab = vocabOf(options);
        const ids = tokenize(text, options);
        const place = putIds(ids);
        const found = [];
        const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
        setOptions(NONE, READ);
        for (let i = 0; i < ids.length; i++) {
            must(core.core_detokenize(vocab, place + 4 * i, 1));
            found.push(decoder.decode(takeBytes(), { stream: true }));
        }
        return found;
    });
}

/* ------------------------------------------------------------------------ costs and budgets */

function comparedFormats() {
    const forms = [{ format: 'json' }, { format: 'json', settings: { indent: 2 }, name: 'json, indented' }];
    for (const format of formats()) {
        if (format.name === 'json' || !format.reads || !format.writes || format.binary
            || format.chooses) continue;
        forms.push({ format: format.name });
        if (format.name === 'pith') {
            forms.push({ format: 'pith', settings: { level: 2 }, name: 'pith, dense' });
        }
    }
    return forms;
}

/** A list of what a value costs in each format, the cheapest first. */
export class Comparison extends Array {
    /** Formats that cannot hold the value, and why. */
    refused = {};

    get(format) {
        return this.find((cost) => cost.name === format);
    }

    toString() {
        const json = this.get('json')?.tokens ?? 0;
        const rows = [['format', 'tokens', 'bytes', 'saved'], ...Array.from(this, (cost) => [
            cost.name, String(cost.tokens), String(cost.bytes),
            json > 0 ? `${(100 - (100 * cost.tokens) / json).toFixed(1)}%` : '',
        ])];
        const widths = [0, 1, 2, 3].map((i) => Math.max(...rows.map((row) => row[i].length)));
        return rows.map((row) => row.map((text, i) => (i === 0
            ? text.padEnd(widths[i]) : text.padStart(widths[i]))).join('  ')).join('\n');
    }
}

/** What a value costs in each format that can hold it without loss. */
export function compare(value, options = NONE) {
    const forms = options.formats
        ? options.formats.map((format) => (typeof format === 'string' ? { format } : format))
        : comparedFormats();
    const made = new Comparison();
    return call(options, () => {
        load(value, options);
        const vocab = vocabOf(options);
        for (const form of forms) {
            const name = form.name ?? form.format;
            setOptions(form.settings ?? NONE, WRITE, {
                counts: true, before: 'verify=value note=none',
            });
            if (core.core_write(word(form.format)) !== 0) {
                made.refused[name] = lastError();
                continue;
            }
            see();
            const bytes = u32[at.out + 1];
            const text = options.texts === false ? undefined : takeText();
            must(core.core_count_out(vocab));
            see();
            made.push({ name, format: form.format, settings: form.settings ?? {}, bytes, text,
                tokens: u32[at.flag] });
        }
        made.sort((a, b) => a.tokens - b.tokens || a.bytes - b.bytes);
        return made;
    });
}

/** As much of a value as fits into `budget` tokens. */
export function fit(value, options) {
    if (!(options?.budget > 0)) {
        throw new PithError('budget has to be a number of tokens', { code: 'bad_setting' });
    }
    const format = options.format ?? 'auto';
    return callWith(options, [format, options.from], () => {
        load(value, options);
        writeValue(format, options);
        const { jsonTokens, ...made } = outcome();
        return { text: takeText(), ...made, notices: notices() };
    });
}

function columnsOf(columns) {
    let cells = 0;
    let text = '';
    for (const column of columns ?? []) {
        u32[at.cells + 4 * cells] = 11;
        u32[at.cells + 4 * cells + 1] = column.length;
        text += column;
        cells++;
    }
    if (cells > at.cellsMost || text.length > 65536) {
        throw new PithError('there are too many columns', { code: 'too_many_columns' });
    }
    const bytes = new TextEncoder().encode(text);
    u8.set(bytes, at.text);
    return [cells, bytes.length === text.length ? 1 : 0];
}

const isRow = (row) => typeof row === 'object' && row !== null && !Array.isArray(row)
    && !(row instanceof Map);

// Rows that are values need no columns; a table has those of its first row.
const needsColumns = (format) => !['json', 'ndjson', 'auto', 'pith'].includes(format);

function guessColumns(format, first) {
    return needsColumns(format) && isRow(first) ? Object.keys(first) : undefined;
}

function takeParts() {
    see();
    const parts = [];
    let place = u32[at.out];
    const end = place + u32[at.out + 1];
    const bytes = u8.slice(place, end);
    const numbers = new DataView(bytes.buffer);
    for (place = 0; place < bytes.length;) {
        const head = [0, 1, 2, 3, 4].map((i) => numbers.getFloat64(place + 8 * i, true));
        place += 40;
        const nul = bytes.indexOf(0, place);
        const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
        const format = decoder.decode(bytes.subarray(place, nul));
        const text = decoder.decode(bytes.subarray(nul + 1, nul + 1 + head[0]));
        place = nul + 1 + head[0];
        parts.push({ text, format, tokens: head[1], firstRow: head[2], rows: head[3],
            tooLong: head[4] !== 0 });
    }
    return parts;
}

// What nobody closed is closed when nobody can.
const forgotten = typeof FinalizationRegistry === 'function'
    ? new FinalizationRegistry(({ place, abandon }) => {
        open.count--;
        core[abandon](place);
    }) : null;

/** The handle of something that is open in the module, until it is closed. */
class Handle {
    constructor(options, make, abandon) {
        if (isGraph(options.format)) needGraphs();
        this.options = options;
        this.abandon = abandon;
        call(options, () => {
            this.at = make();
            see();
            if (this.at === 0) throw lastError();
        });
        open.count++;
        forgotten?.register(this, { place: this.at, abandon }, this);
    }

    use(work) {
        if (this.at === 0) {
            throw new PithError('it was ended already', { code: 'out_of_order' });
        }
        return call(this.options, () => work(this.at));
    }

    /** Ends it; `work`, if there is any, frees what is in the module. */
    end(work) {
        if (this.at === 0) return undefined;
        const place = this.at;
        this.at = 0;
        open.count--;
        forgotten?.unregister(this);
        return call(this.options, () => (work ? work(place) : core[this.abandon](place)));
    }
}

class Packer {
    constructor({ tokens, ...options }, first) {
        const format = options.format ?? 'auto';
        const columns = options.columns ?? guessColumns(format, first);
        this.options = options;
        this.handle = new Handle(options, () => {
            setOptions(options, WRITE, { counts: true, before: denseBefore(format, options) });
            const [cells, ascii] = columnsOf(columns);
            return core.core_parts_open(word(format), cells, ascii, tokens);
        }, 'core_parts_abandon');
    }

    add(row) {
        return this.handle.use((place) => {
            load(row, { ...this.options, from: undefined });
            core.core_rows_out();
            must(core.core_parts_add(place));
            return takeParts();
        });
    }

    close() {
        return this.handle.end((place) => {
            core.core_rows_out();
            must(core.core_parts_close(place));
            return takeParts();
        });
    }
}

function checkTokens(options) {
    if (!(options?.tokens > 0)) {
        throw new PithError('tokens has to be the most tokens of a part', { code: 'bad_setting' });
    }
}

/** Rows as texts of at most `tokens` tokens each, one after the other. */
export function* pack(rows, options) {
    checkTokens(options);
    let packer = null;
    try {
        for (const row of rows) {
            packer ??= new Packer(options, row);
            yield* packer.add(row);
        }
        if (packer !== null) yield* packer.close();
    } finally {
        packer?.handle.end();
    }
}

/** The same for rows that come later: of an async iterable. */
export async function* packAsync(rows, options) {
    checkTokens(options);
    let packer = null;
    try {
        for await (const row of rows) {
            packer ??= new Packer(options, row);
            yield* packer.add(row);
        }
        if (packer !== null) yield* packer.close();
    } finally {
        packer?.handle.end();
    }
}

/* ------------------------------------------------------------------------------- streams */

/** Rows on their way out: `write` and `close` return what is there of the text. */
export class Writer {
    #handle = null;
    #options;
    #format;

    constructor(options = NONE) {
        this.#options = options;
        this.#format = options.format ?? 'ndjson';
        if (options.columns) this.#open(options.columns);
    }

    #open(columns) {
        const options = this.#options;
        this.#handle = new Handle(options, () => {
            setOptions(options, WRITE, { counts: counting(this.#format, options) });
            const [cells, ascii] = columnsOf(columns);
            return core.core_rows_open(word(this.#format), cells, ascii);
        }, 'core_rows_abandon');
    }

    write(row) {
        if (this.#handle === null) this.#open(guessColumns(this.#format, row));
        return this.#handle.use((place) => {
            sendValue(row, this.#options);
            core.core_rows_out();
            must(core.core_rows_add(place));
            return takeText();
        });
    }

    close() {
        if (this.#handle === null) this.#open(undefined);
        return this.#handle.end((place) => {
            core.core_rows_out();
            must(core.core_rows_close(place));
            return takeText();
        });
    }

    /** Ends it without the rest of the text. */
    abandon() {
        this.#handle?.end();
    }
}

/** Rows on their way in: give it pieces, take what is whole. */
export class Reader {
    #handle;
    #options;
    done = false;

    constructor(options = NONE) {
        checkNumbers(options);
        this.#options = options;
        this.#handle = new Handle(options, () => {
            setOptions(options, READ);
            return core.core_reader_open(word(options.format ?? 'ndjson'));
        }, 'core_reader_free');
    }

    #rows(place) {
        const rows = [];
        const said = [];
        for (;;) {
            must(core.core_reader_rows(place, 1024));
            see();
            const flag = u32[at.flag];
            this.done = (flag & 2) !== 0;
            if ((flag & 1) === 0) break;
            for (const row of takeValue(this.#options, (notice) => said.push(notice))) {
                rows.push(row);
            }
        }
        tell(said, this.#options);
        return rows;
    }

    /** Takes a piece, a string or bytes; returns the rows that are whole. */
    feed(piece) {
        return this.#handle.use((handle) => {
            const [place, len] = put(piece);
            must(core.core_reader_feed(handle, place, len));
            return this.#rows(handle);
        });
    }

    /** There is no more; returns the last rows. */
    end() {
        return this.#handle.end((handle) => {
            try {
                must(core.core_reader_end(handle));
                return this.#rows(handle);
            } finally {
                core.core_reader_free(handle);
            }
        }) ?? [];
    }

    abandon() {
        this.#handle.end();
    }
}

/** The data in an answer while it arrives. */
export class AnswerReader {
    #handle;
    #options;

    constructor(options = NONE) {
        checkNumbers(options);
        this.#options = options;
        this.#handle = new Handle({ ...options, format: 'answer' }, () => {
            setOptions(options, READ);
            return core.core_answer_open();
        }, 'core_answer_free');
    }

    /** Takes a piece, a string or bytes. */
    feed(piece) {
        this.#handle.use((handle) => {
            const [place, len] = put(piece);
            must(core.core_answer_feed(handle, place, len));
        });
        return this;
    }

    /** What there is so far; undefined while there is nothing. */
    get value() {
        return this.#handle.use((handle) => {
            if (core.core_answer_value(handle) === 0) return undefined;
            return takeValue(this.#options, () => {});
        });
    }

    /** How many elements or members of it are complete. */
    get complete() {
        return this.#handle.use((handle) => core.core_answer_complete(handle));
    }

    /** Whether nothing of it can change any more. */
    get finished() {
        return this.#handle.use((handle) => core.core_answer_finished(handle) !== 0);
    }

    /** There is no more: the data and the mends, as of `answer`. */
    end() {
        return this.#handle.end((handle) => {
            try {
                setOptions(this.#options, READ);
                must(core.core_answer_end(handle));
                const mends = notices();
                core.core_answer_value(handle);
                return { value: takeValue(this.#options, (notice) => mends.push(notice)), mends };
            } finally {
                core.core_answer_free(handle);
            }
        });
    }

    abandon() {
        this.#handle.end();
    }
}

/** A TransformStream of rows into text. */
export function encodeRows(options = NONE) {
    const writer = new Writer(Array.isArray(options) ? { columns: options } : options);
    const hand = (text, controller) => {
        if (text) controller.enqueue(text);
    };
    return new TransformStream({
        transform: (row, controller) => hand(writer.write(row), controller),
        flush: (controller) => hand(writer.close(), controller),
        cancel: () => writer.abandon(),
    });
}

/** A TransformStream of text, or bytes, into rows. */
export function decodeRows(options = NONE) {
    const reader = new Reader(typeof options === 'string' ? { format: options } : options);
    return new TransformStream({
        transform(piece, controller) {
            for (const row of reader.feed(piece)) controller.enqueue(row);
        },
        flush(controller) {
            for (const row of reader.end()) controller.enqueue(row);
        },
        cancel: () => reader.abandon(),
    });
}

/** The rows of a text that comes in pieces: of a (possibly async) iterable or a stream. */
export async function* readRows(source, options = NONE) {
    const reader = new Reader(typeof options === 'string' ? { format: options } : options);
    try {
        for await (const piece of piecesOf(source)) {
            yield* reader.feed(piece);
            if (reader.done) return;
        }
        yield* reader.end();
    } finally {
        reader.abandon();
    }
}

// Not every browser lets a ReadableStream be iterated.
function piecesOf(source) {
    if (typeof source === 'string' || source instanceof Uint8Array) return [source];
    if (source[Symbol.asyncIterator] || source[Symbol.iterator]) return source;
    if (typeof source.getReader !== 'function') {
        throw new TypeError('readRows takes an iterable or a stream of texts');
    }
    return (async function* () {
        const reader = source.getReader();
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return;
            yield value;
        }
    })();
}

/* ------------------------------------------------------------------------------- formats */

let known = null;

function knowledge() {
    known ??= call(NONE, () => {
        must(core.core_formats());
        return JSON.parse(takeText());
    });
    return known;
}

const settingOf = ({ direction, choices, default: normally, ...setting }) => ({
    ...setting,
    reads: (direction & 1) !== 0,
    writes: (direction & 2) !== 0,
    choices: choices === null ? null : choices.split('|'),
    default: normally,
});

/** What this build reads and writes: the formats with their settings. */
export function formats() {
    return knowledge().formats.map(({ direction, streams, settings: own, ...format }) => ({
        ...format,
        binary: format.binary === 1,
        chooses: format.chooses === 1,
        suffixes: format.suffixes.split(' ').filter(Boolean),
        reads: (direction & 1) !== 0,
        writes: (direction & 2) !== 0,
        streamsReading: (streams & 1) !== 0,
        streamsWriting: (streams & 2) !== 0,
        settings: own.map(settingOf),
    }));
}

/** The settings that every format knows. */
export function commonSettings() {
    return knowledge().common.map(settingOf);
}

/** The version of the library. */
export function version() {
    return knowledge().version;
}

/** What to tell a model about a format. */
export function prompt(format = 'pith', { dense = false } = NONE) {
    const name = dense && format === 'pith' ? 'pith, dense' : format;
    if (!Object.hasOwn(LEGENDS, name)) {
        throw new PithError(`there is no text to explain '${format}'`, { code: 'no_legend' });
    }
    return LEGENDS[name];
}

/** The bytes of memory that the module has. */
export function memoryUse() {
    see();
    return u8.length;
}
