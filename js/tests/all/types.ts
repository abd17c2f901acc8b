// Checked by tsc --strict, never run: what must be allowed, and what must not.
import {
    answer, check, compare, convert, count, decode, decodeRows, encode, encodeRows, fit, formats,
    loadTokenizer, pack, packAsync, PithError, prompt, Reader, ready, readRows, tokenize, Writer,
    type Comparison, type Part, type WriteFormat,
} from 'libpith';
import { decodeGeneric, encode as encodeGraph, encodeGeneric } from 'libpith/gcf';

export async function allowed(): Promise<void> {
    await ready;
    await loadTokenizer('o200k_base');
    const a: string = encode([{ id: 1 }], { format: 'json', indent: 2, finalNewline: true });
    const b: string = encode({ a: 1n, d: new Date(), m: new Map() });
    const c: string = convert(a, { from: 'json', to: 'toon', verify: true, read: { at: 'x', drop: ['a', 'b'] } });
    const d: Uint8Array = convert(new Uint8Array(), { to: 'csv' });
    const e: string = convert(new Uint8Array(), { to: 'csv', as: 'string' });
    const f: { id: number }[] = decode(b, { format: 'toon', numbers: 'string', objects: 'map' });
    const g: number = count(c, { tokenizer: 'cl100k_base' }) + count(d, { model: 'gpt-4o' });
    const h: Comparison = compare(f, { texts: false });
    const i: string | undefined = h.get('json')?.text;
    const { text, rowsLeftOut } = fit([1, 2], { budget: 20, keep: 'last', format: 'pith', level: 2 });
    for (const part of pack([{ a: 1 }], { tokens: 100 })) takes(part);
    for await (const part of packAsync(source(), { tokens: 100, format: 'gcf' })) takes(part);
    for await (const row of readRows([text], 'csv')) console.log(row);
    const stream: ReadableStream<string> = new ReadableStream<unknown>()
        .pipeThrough(encodeRows({ format: 'csv', columns: ['a'] }));
    stream.pipeThrough(decodeRows('csv'));
    const writer = new Writer({ format: 'toon' });
    console.log(writer.write({}) + writer.close(), new Reader({ format: 'csv' }).feed('a'));
    const { value, mends } = answer(text, { mend: 'all' });
    console.log(value, mends.map(({ line, code }) => `${line} ${code}`), e, i, g, rowsLeftOut);
    console.log(tokenize('x').length, prompt('toon'), formats().map(({ name }) => name), check(a, { format: 'json' }));
    console.log(encodeGeneric({ a: 1 }), decodeGeneric('x'), encodeGraph({ symbols: [] }));
    try {
        decode('[');
    } catch (error) {
        if (error instanceof PithError) console.log(error.line, error.column, error.offset, error.code);
    }
    const format: WriteFormat = 'soch-bin';
    console.log(format);
}

function takes(part: Part): void {
    console.log(part.tokens, part.rows, part.text);
}

async function* source(): AsyncGenerator<object> {
    yield {};
}

export function refused(): void {
    // @ts-expect-error there is no such format
    encode(1, { format: 'yaml' });
    // @ts-expect-error a setting of another format
    encode(1, { format: 'csv', indent: 2 });
    // @ts-expect-error not a value of the setting
    decode('1', { numbers: 'big' });
    // @ts-expect-error the budget is missing
    fit([1], {});
    // @ts-expect-error a text is no number
    count(5);
}
