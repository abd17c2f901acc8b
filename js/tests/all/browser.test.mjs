// The package in a real browser, from a static server, without a bundler.
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { missing, openBrowser, serve } from './chromium.mjs';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const PAGE = `<!doctype html><title>x</title><link rel="icon" href="data:,">
<script type="module">
import * as pith from './browser.js';
globalThis.pith = pith;
try { pith.encode(1); } catch (error) { globalThis.early = error.code; }
await pith.ready;
globalThis.done = true;
</script>`;
const WORKER = `import { encode, ready } from './browser.js';
onmessage = async ({ data }) => { await ready; postMessage(encode(data, { format: 'toon' })); };`;

let browser;
let server;
before(async () => {
    if (missing) return;
    browser = await openBrowser();
    server = await serve(dist, { '/page.html': PAGE, '/own-worker.js': WORKER });
});
after(async () => {
    await browser?.close();
    server?.close();
});

test('a page: ready, values, tokens when they are loaded, graphs', { skip: missing, timeout: 120000 }, async () => {
    const page = await browser.page();
    await page.goto(`${server.url}/page.html`);
    await page.waitForFunction('globalThis.done');
    const said = await page.evaluate(async () => {
        const { pith } = globalThis;
        const codes = [globalThis.early];
        const code = (work) => {
            try { work(); } catch (error) { codes.push(error.code); }
        };
        const text = pith.encode([{ id: 1, name: 'Ada' }, { id: 2, name: 'é' }], { format: 'toon' });
        code(() => pith.count('hello world'));
        code(() => pith.encode([1]));
        code(() => pith.encode({ symbols: [] }, { format: 'gcf-graph' }));
        await pith.loadTokenizer();
        await pith.loadGraphs();
        return { codes, text, back: pith.decode(text), count: pith.count('hello world'),
            auto: pith.encode([1]), graph: pith.encode({ symbols: [] }, { format: 'gcf-graph' }) };
    });
    assert.deepEqual(said.codes, ['not_ready', 'not_loaded', 'not_loaded', 'not_loaded']);
    assert.equal(said.text, '[2]{id,name}:\n  1,Ada\n  2,é');
    assert.deepEqual(said.back, [{ id: 1, name: 'Ada' }, { id: 2, name: 'é' }]);
    assert.deepEqual([said.count, said.auto], [2, '[1]']);
    assert.match(said.graph, /^GCF profile=graph/);
    assert.deepEqual(page.complaints, []);
});

test('a worker has an instance of its own', { skip: missing, timeout: 120000 }, async () => {
    const page = await browser.page();
    await page.goto(`${server.url}/page.html`);
    const text = await page.evaluate(() => new Promise((resolve, reject) => {
        const worker = new Worker('./own-worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => reject(new Error(event.message));
        worker.postMessage({ a: 1 });
    }));
    assert.equal(text, 'a: 1');
    assert.deepEqual(page.complaints, []);
});
