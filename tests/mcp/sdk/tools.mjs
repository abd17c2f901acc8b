// What the servers of both TypeScript SDKs offer.

const rows = Array.from({ length: 30 }, (_, i) => (
    { id: i, name: `row ${i}`, price: i + 0.5, tags: ['a', 'b'] }));

const text = (value, more = {}) => ({ content: [{ type: 'text', text: value }], ...more });

const digits = JSON.stringify(rows.map(({ id }) => ({ id, a: 1, b: 2 })), null, 1)
    .replaceAll('"a": 1', '"a": 1.00').replaceAll('"b": 2', '"b": 12345678901234567890123');

export const tools = {
    rows: () => text(JSON.stringify(rows, null, 2)),
    digits: () => text(digits),
    lines: () => text(rows.map((row) => JSON.stringify(row)).join('\n')),
    prose: () => text('There are 30 rows. '.repeat(30)),
    broken: () => { throw new Error(JSON.stringify(rows)); },
    picture: () => ({ content: [{ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
        { type: 'text', text: JSON.stringify(rows) }] }),
    resource: () => ({ content: [{ type: 'resource', resource: {
        uri: 'file:///x.json', mimeType: 'application/json', text: JSON.stringify(rows) } }] }),
};

export const structured = () => text(JSON.stringify({ rows }, null, 2),
    { structuredContent: { rows } });

// Three steps, each told to whoever asked for it with a token.
export async function steps(token, notify) {
    for (let i = 1; token !== undefined && i <= 3; i++) {
        await notify({ method: 'notifications/progress',
            params: { progressToken: token, progress: i, total: 3 } });
        await new Promise((done) => { setTimeout(done, 20); });
    }
    return text(JSON.stringify(rows, null, 2));
}
