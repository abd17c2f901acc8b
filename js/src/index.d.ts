/**
 * Structured data as the text that costs a language model the fewest tokens, and back.
 */
import type { ReadSettings, WriteSettings } from './settings.js';

/** The formats that can be read. */
export type ReadFormat = keyof ReadSettings;
/** The formats that can be written; 'auto' is JSON or Pith, whichever costs fewer tokens. */
export type WriteFormat = keyof WriteSettings;
/** What comes out of `decode`. Bytes come out of the binary format alone. */
export type Value =
    | null | boolean | number | bigint | string | Uint8Array
    | Value[] | { [key: string]: Value } | Map<string, Value>;
/** A text: a string, or its bytes in UTF-8. */
export type Text = string | Uint8Array | ArrayBuffer | ArrayBufferView;

/** Something that should be known but is no failure. */
export interface Notice {
    /** A stable word, such as 'lossy'. */
    code: string;
    /** One sentence. */
    message: string;
    /** From 1; 0 when it has no place in the text. */
    line: number;
    /** From 1, in characters. */
    column: number;
    /** In bytes. */
    offset: number;
    status: string;
}

/** What every call throws. */
export class PithError extends Error {
    constructor(message: string, details?: Partial<Omit<Notice, 'message'>>);
    /** A stable word: 'duplicate_key', 'depth_limit' and so on; see docs/errors.md. */
    readonly code: string;
    /** 'bad_input', 'unrepresentable', 'limit', 'bad_use', 'no_memory', 'io' or 'cancelled'. */
    readonly status: string;
    readonly line: number;
    readonly column: number;
    readonly offset: number;
}

/** Tokenizers that the package has, or the name of one that `loadTokenizer` was given. */
export type Tokenizer =
    | 'o200k_base' | 'o200k_harmony' | 'cl100k_base' | 'p50k_base' | 'r50k_base' | 'estimate'
    | (string & {});

/** What tokens are counted with: 'o200k_base' unless something is said. */
export interface Counted {
    tokenizer?: Tokenizer;
    /** Instead: the name of a model, such as 'gpt-4o'. */
    model?: string;
}

/** Options of every call. */
export interface Common extends Counted {
    /** How deep arrays and objects may nest; 512. */
    depth?: number;
    /** The most bytes to write. */
    outputMax?: number;
    /** The most bytes of memory that reading may take. */
    memoryMax?: number;
    /** Takes notices; without it they are warnings on the console. */
    onNotice?: (notice: Notice) => void;
    /** Called for each MiB that is done; return false to stop. */
    onProgress?: (bytesDone: number) => boolean | void;
}

/** How values become numbers and objects. */
export interface Values {
    /**
     * What becomes of numbers that a JavaScript number cannot say exactly. 'auto': integers
     * are BigInt, decimals are rounded with a notice. 'string': their digits. 'number': they
     * are rounded.
     */
    numbers?: 'auto' | 'number' | 'string';
    /** 'map': objects become Maps, which keep the order of all keys. */
    objects?: 'object' | 'map';
}

/** What NaN and the infinities become; normally they are refused. */
export interface NotNumbers {
    nan?: 'refuse' | 'null' | 'text';
}

/** The value is a text in this format ('detect': whatever it is), not a value. */
export interface From {
    from?: ReadFormat | 'detect';
    /** Settings of that format. */
    read?: ReadSettings[ReadFormat];
}

export type EncodeOptions<F extends WriteFormat = 'auto'> =
    { format?: F; dense?: boolean } & WriteSettings[F] & Common & NotNumbers & From;
export type DecodeOptions<F extends ReadFormat = ReadFormat> =
    { format?: F | 'detect' } & ReadSettings[F] & Common & Values;
export type ConvertOptions<F extends WriteFormat = 'auto'> =
    { to?: F; dense?: boolean; as?: 'string' | 'bytes' } & WriteSettings[F] & Common & From;

/** Done when everything works: at once in Node, in browsers when the module is there. */
export const ready: Promise<void>;

/** A value as text. Without a format: what costs the fewest tokens and loses nothing. */
export function encode<F extends WriteFormat = 'auto'>(value: unknown, options?: EncodeOptions<F>): string;
/** The same as bytes; for 'soch-bin' the only way. */
export function encodeBytes<F extends WriteFormat = 'auto'>(value: unknown, options?: EncodeOptions<F>): Uint8Array;
/** A text as a value. Without a format the content tells. */
export function decode<F extends ReadFormat = ReadFormat>(text: Text, options?: DecodeOptions<F>): any;

/** From text to text without making values; a string of a string, bytes of bytes. */
export function convert<F extends WriteFormat = 'auto'>(text: string, options?: ConvertOptions<F> & { as?: 'string' }): string;
export function convert<F extends WriteFormat = 'auto'>(text: Text, options: ConvertOptions<F> & { as: 'string' }): string;
export function convert<F extends WriteFormat = 'auto'>(text: Text, options?: ConvertOptions<F> & { as?: 'bytes' }): Uint8Array;

/** The format of a text, by its content. */
export function detect(text: Text): ReadFormat | undefined;
/** Every problem in a text, the first thousand. */
export function check<F extends ReadFormat = ReadFormat>(text: Text, options?: { format?: F | 'detect' } & ReadSettings[F] & Common): Notice[];

/** What was found in the answer of a model. */
export interface Answer {
    value: any;
    /** What had to be mended; empty when the data was right. */
    mends: Notice[];
}
/** The data in the answer of a model, also when it is not quite right. */
export function answer(text: Text, options?: ReadSettings['answer'] & Common & Values): Answer;

/** The data in the answer of a model while it arrives. */
export class AnswerReader {
    constructor(options?: ReadSettings['answer'] & Common & Values);
    /** Takes a piece. */
    feed(piece: Text): this;
    /** What there is so far; undefined while there is nothing. */
    readonly value: any;
    /** How many elements or members of it are complete. */
    readonly complete: number;
    /** Whether nothing of it can change any more. */
    readonly finished: boolean;
    /** There is no more: what `answer` makes of all of it. */
    end(): Answer;
    abandon(): void;
}

/** How many tokens a text is. */
export function count(text: Text, options?: Counted): number;
/** The tokens of a text; with `special`, what looks like a special token is one. */
export function tokenize(text: Text, options?: Counted & { special?: boolean }): Uint32Array;
/** The text of tokens. */
export function detokenize(ids: Uint32Array | readonly number[], options?: Counted): string;
/** The text of each token. A character in several tokens is with the last of them. */
export function pieces(text: Text, options?: Counted & { special?: boolean }): string[];
/** The tokenizers that the package has. */
export const tokenizers: readonly string[];
/**
 * Makes a tokenizer ready, which browsers have to wait for; or, under a name of your own, the
 * text of a tokenizer.json.
 */
export function loadTokenizer(name?: Tokenizer, data?: Text): Promise<void>;
/** Makes the formats 'gcf-graph' and 'gcf1-graph' ready, which browsers have to wait for. */
export function loadGraphs(): Promise<void>;

/** What a value costs in one format. */
export interface Cost {
    /** The format, or 'json, indented' and 'pith, dense'. */
    name: string;
    format: WriteFormat;
    settings: object;
    tokens: number;
    bytes: number;
    text: string;
}
/** The costs, the cheapest first; as a string a table. */
export class Comparison extends Array<Cost> {
    /** The formats that cannot hold the value, and why. */
    refused: Record<string, PithError>;
    get(name: string): Cost | undefined;
}
/** What a value costs in each format that can hold it without loss. */
export function compare(value: unknown, options?: Common & NotNumbers & From & {
    formats?: readonly (WriteFormat | { name?: string; format: WriteFormat; settings?: object })[];
    /** false: without the texts. */
    texts?: boolean;
}): Comparison;

/** As much of a value as fits into a budget. */
export interface Fitted {
    text: string;
    format: WriteFormat;
    tokens: number;
    bytes: number;
    rows: number;
    rowsLeftOut: number;
    members: number;
    membersLeftOut: number;
    textsClipped: number;
    notices: Notice[];
}
/** As much of a value as fits into `budget` tokens: rows are left out, and it is told. */
export function fit<F extends WriteFormat = 'auto'>(value: unknown, options: EncodeOptions<F> & { budget: number }): Fitted;

/** A text of some rows. */
export interface Part {
    text: string;
    format: WriteFormat;
    tokens: number;
    firstRow: number;
    rows: number;
    /** It is one row that does not fit even alone. */
    tooLong: boolean;
}
export type PackOptions<F extends WriteFormat = 'auto'> = Omit<EncodeOptions<F>, 'tokens' | 'from' | 'read'> & {
    /** The most tokens of a part. */
    tokens: number;
    columns?: readonly string[];
};
/** Rows as texts of at most `tokens` tokens each. */
export function pack<F extends WriteFormat = 'auto'>(rows: Iterable<unknown>, options: PackOptions<F>): Generator<Part, void, undefined>;
export function packAsync<F extends WriteFormat = 'auto'>(rows: AsyncIterable<unknown> | Iterable<unknown>, options: PackOptions<F>): AsyncGenerator<Part, void, undefined>;

export type WriterOptions<F extends WriteFormat = 'ndjson'> =
    { format?: F; columns?: readonly string[] } & WriteSettings[F] & Common & NotNumbers;
/** Rows on their way out, one at a time. */
export class Writer<F extends WriteFormat = 'ndjson'> {
    constructor(options?: WriterOptions<F>);
    /** Adds a row; returns what there is of the text. */
    write(row: unknown): string;
    /** Ends the text; returns the rest. */
    close(): string;
    /** Ends it without the rest. */
    abandon(): void;
}
/** Rows on their way in, in pieces of any size. */
export class Reader<F extends ReadFormat = 'ndjson'> {
    constructor(options?: { format?: F } & ReadSettings[F] & Common & Values);
    /** Takes a piece; returns the rows that are whole. */
    feed(piece: Text): any[];
    /** There is no more; returns the last rows. */
    end(): any[];
    abandon(): void;
    /** True when no more input is needed. */
    readonly done: boolean;
}
/** A stream of rows into text. An array is the columns of NDJSON. */
export function encodeRows<F extends WriteFormat = 'ndjson'>(options?: WriterOptions<F> | readonly string[]): TransformStream<unknown, string>;
/** A stream of text or bytes into rows. */
export function decodeRows<F extends ReadFormat = 'ndjson'>(options?: F | ({ format?: F } & ReadSettings[F] & Common & Values)): TransformStream<Text, any>;
/** The rows of a text, or of pieces of one that come later. */
export function readRows<F extends ReadFormat = 'ndjson'>(
    source: Text | Iterable<Text> | AsyncIterable<Text> | ReadableStream<Text>,
    options?: F | ({ format?: F } & ReadSettings[F] & Common & Values)): AsyncGenerator<any, void, undefined>;

/** A setting of a format. */
export interface Setting {
    word: string;
    type: 'bool' | 'number' | 'choice' | 'text';
    reads: boolean;
    writes: boolean;
    choices: string[] | null;
    min: number;
    max: number;
    default: string | null;
    help: string;
}
export interface Format {
    name: string;
    suffixes: string[];
    mediaType: string;
    summary: string;
    reads: boolean;
    writes: boolean;
    streamsReading: boolean;
    streamsWriting: boolean;
    binary: boolean;
    /** It becomes one of the other formats, as 'auto' does. */
    chooses: boolean;
    settings: Setting[];
}
/** What this build reads and writes. */
export function formats(): Format[];
/** The settings that every format knows. */
export function commonSettings(): Setting[];
/** The version of the library. */
export function version(): string;
/** What to tell a model about a format, to be put before data in it. */
export function prompt(format?: WriteFormat, options?: { dense?: boolean }): string;
/** The bytes of memory that the module has; what large values take is given back. */
export function memoryUse(): number;
