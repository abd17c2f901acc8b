// The playground in a real browser, as a file and from a server.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { missing, openBrowser, serve } from './chromium.mjs';

const scratch = process.env.PITH_JS_SCRATCH;
const site = join(scratch, '../site');
const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));
const tool = process.env.PITH_TOOL;
const run = (words, input) => execFileSync(tool, words, { input, encoding: 'utf8', stdio: 'pipe' });

let browser;
let server;
before(async () => {
    if (missing) return;
    browser = await openBrowser();
    server = await serve(site);
});
after(async () => {
    await browser?.close();
    server?.close();
});

/** The page when the first example is done. */
async function open(address = `${server.url}/index.html`) {
    const page = await browser.page();
    await page.goto(address);
    await done(page);
    return page;
}

// Everything is there when nothing is awaited any more.
async function done(page) {
    await page.waitForTimeout(400);
    await page.waitForFunction(() => document.querySelector('#costs').getAttribute('aria-busy') === 'false');
}

const costs = (page) => page.$$eval('#costs tbody tr', (rows) => Object.fromEntries(rows.map((row) =>
    [row.querySelector('input').value, Number(row.cells[2].textContent.replace(/,/g, ''))])));

/** What the tool says the same data costs. */
function told(file) {
    const rows = run(['compare', '--all', file]).split('\n').slice(2).map((line) =>
        /^(.*?) {2,}(\d+) +\d+ /.exec(line)).filter((row) => row && row[1] !== 'as it is');
    return Object.fromEntries(rows.map(([, name, tokens]) => [name, Number(tokens)]));
}

const options = { skip: missing, timeout: 180000 };

test('opened as a file the first example converts', options, async () => {
    const page = await open(pathToFileURL(join(site, 'index.html')).href);
    assert.deepEqual(await costs(page), told(join(examples, 'orders.json')));
    assert.match(await page.textContent('#output'), /^\[5\{/);
    assert.deepEqual(page.complaints, []);
    await page.close();
});

test('from a server the numbers are those of the tool, for every example', options, async () => {
    const page = await open();
    for (const name of ['orders.json', 'readings.json', 'shop.json', 'events.json', 'stock.csv']) {
        await page.selectOption('#example', name);
        await done(page);
        assert.deepEqual(await costs(page), told(join(examples, name)), name);
    }
    for (const name of ['graph.json', 'answer.txt']) {
        await page.selectOption('#example', name);
        await done(page);
        assert.ok(Object.keys(await costs(page)).length > 3, name);
    }
    assert.deepEqual(page.complaints, []);
    await page.close();
});

test('typing: results, and mistakes underlined at their place', options, async () => {
    const page = await open();
    await page.fill('#text', '{"id": 01,\n "name": "Ada"\n "id": 2}');
    await done(page);
    const problems = await page.$$eval('#problems li', (items) => items.map((item) => item.textContent));
    assert.deepEqual(problems.map((text) => text.replace(/: .*\[/, ' [')),
        ['1:8 [invalid_number]', '3:2 [expected_separator]', '3:2 [duplicate_key]']);
    assert.deepEqual(await page.$$eval('mark', (marks) => marks.map((mark) => mark.textContent)), ['01', '"id"']);
    await page.click('#problems button >> nth=1');
    assert.equal(await page.$eval('#text', (text) => text.selectionStart), 27);
    await page.fill('#text', '');
    await page.type('#text', '{"a":[1,2,3]}', { delay: 20 });
    await done(page);
    assert.equal((await page.$$('#problems li')).length, 0);
    assert.equal((await costs(page)).json, Number(run(['count'], '{"a":[1,2,3]}').trim().split(/\s+/)[0]));
    assert.deepEqual(page.complaints, []);
    await page.close();
});

test('formats, settings, dense, budget, tokens and back', options, async () => {
    const page = await open();
    const text = readFileSync(join(examples, 'orders.json'), 'utf8');
    const output = async () => {
        await done(page);
        return page.textContent('#output');
    };
    const tool = (...words) => run([join(examples, 'orders.json'), '--no-newline', ...words]);
    await page.check('input[name="format"][value="toon"]');
    assert.equal(await output(), tool('--to', 'toon'));
    await page.click('details.settings:has(#write-settings) summary');
    await page.selectOption('#set-w-delimiter', 'tab');
    assert.equal(await output(), tool('--to', 'toon', '--set', 'delimiter=tab'));
    await page.keyboard.press('Escape');
    await page.check('input[name="format"][value="pith"]');
    await page.check('#dense');
    assert.equal(await output(), tool('--to', 'pith', '--set', 'level=2'));
    await page.uncheck('#dense');
    await done(page);
    await page.$eval('#budget', (slider) => {
        slider.value = 300;
        slider.dispatchEvent(new Event('input'));
    });
    assert.equal(await output(), tool('--to', 'pith', '--budget', '300'));
    assert.match(await page.textContent('#output-says'), /rows left out/);
    await page.selectOption('#keep', 'last');
    assert.equal(await output(), tool('--to', 'pith', '--budget', '300', '--keep', 'last'));
    await page.click('#show-tokens');
    const pieces = await page.$$eval('#output span', (spans) => spans.length);
    assert.match(await page.textContent('#output-says'), new RegExp(`^${pieces} tokens`));
    await page.click('#show-text');
    await page.selectOption('#example', 'orders.json');
    await done(page);
    await page.check('input[name="format"][value="gcf"]');
    await done(page);
    await page.click('#swap');
    await done(page);
    assert.deepEqual(JSON.parse(await page.textContent('#output')), JSON.parse(text));
    assert.equal(await page.inputValue('#from'), 'gcf');
    assert.match(await page.textContent('#prompt-text'), /JSON/);
    assert.deepEqual(page.complaints, []);
    await page.close();
});

test('a link brings everything back, and nothing is sent', options, async () => {
    const page = await open();
    const sent = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.fill('#text', 'a,b\n1,é😀\n');
    await page.selectOption('#from', 'csv');
    await page.selectOption('#tokenizer', 'cl100k_base');
    await done(page);
    await page.check('input[name="format"][value="gcf"]');
    await done(page);
    await page.click('#link');
    await page.waitForFunction(() => location.hash.length > 10);
    assert.deepEqual(sent.filter((url) => !url.endsWith('/cl100k_base.js') && !url.startsWith('blob:')), []);
    const other = await open(page.url());
    assert.equal(await other.inputValue('#text'), 'a,b\n1,é😀\n');
    assert.equal(await other.inputValue('#from'), 'csv');
    assert.equal(await other.inputValue('#tokenizer'), 'cl100k_base');
    assert.equal(await other.textContent('#output'), await page.textContent('#output'));
    const broken = await open(`${server.url}/index.html#nonsense`);
    assert.equal(await broken.inputValue('#example'), 'orders.json');
    assert.deepEqual([...page.complaints, ...other.complaints, ...broken.complaints], []);
    for (const one of [page, other, broken]) await one.close();
});

test('a file that is dropped', options, async () => {
    const page = await open();
    const data = await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['id,name\n1,Ada\n'], 'people.csv'));
        return transfer;
    });
    await page.dispatchEvent('body', 'drop', { dataTransfer: data });
    await done(page);
    assert.equal(await page.inputValue('#text'), 'id,name\n1,Ada\n');
    assert.ok((await costs(page)).csv > 0);
    assert.deepEqual(page.complaints, []);
    await page.close();
});

test('20 MB stay responsive', options, async () => {
    const page = await open();
    const rows = Array.from({ length: 190000 }, (_, id) =>
        ({ id, name: `user number ${id}`, email: `user${id}@example.com`, score: id / 8, tags: ['a', 'b'] }));
    const file = join(scratch, 'large.json');
    writeFileSync(file, JSON.stringify(rows));
    assert.ok(readFileSync(file).length > 19e6);
    await page.evaluate(() => {
        globalThis.longest = 0;
        let last = performance.now();
        setInterval(() => {
            const now = performance.now();
            globalThis.longest = Math.max(globalThis.longest, now - last);
            last = now;
        }, 20);
    });
    await page.setInputFiles('#file', file);
    await page.waitForSelector('#progress:not([hidden])');
    await page.click('#theme'); // it answers meanwhile
    await page.waitForFunction(() => document.querySelectorAll('#costs tbody tr').length > 8
        && document.querySelector('#costs').getAttribute('aria-busy') === 'false', null, { timeout: 150000 });
    const longest = await page.evaluate(() => globalThis.longest);
    assert.ok(longest < 2000, `the page stood still for ${longest} ms`);
    assert.ok((await costs(page)).json > 1e6);
    assert.deepEqual(page.complaints, []);
    await page.close();
});

test('axe has nothing serious, in light and dark, wide and narrow; no bar to scroll sideways', options, async () => {
    const axe = readFileSync(join(scratch, 'node_modules/axe-core/axe.min.js'), 'utf8');
    mkdirSync(join(scratch, 'screenshots'), { recursive: true });
    for (const colorScheme of ['light', 'dark']) {
        for (const width of [1280, 390]) {
            const page = await browser.page();
            await page.emulateMedia({ colorScheme });
            await page.setViewportSize({ width, height: 900 });
            await page.goto(`${server.url}/index.html`);
            await done(page);
            await page.fill('#text', '[{"id": 1, "name": "Ada", "id": 2},\n {"id": 2}]');
            await page.click('#show-tokens');
            await done(page);
            await page.click('#prompt summary');
            await page.screenshot({ path: join(scratch, `screenshots/${width}-${colorScheme}.png`), fullPage: true });
            await page.evaluate(axe);
            const { violations } = await page.evaluate(() => globalThis.axe.run());
            const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
            assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
            await page.close();
        }
    }
});

test('by keyboard alone', options, async () => {
    const page = await open();
    await page.focus('input[name="format"]:checked');
    const chosen = () => page.$eval('input[name="format"]:checked', (input) => input.value);
    const first = await chosen();
    await page.keyboard.press('ArrowDown');
    await done(page);
    const second = await chosen();
    assert.notEqual(second, first);
    await page.keyboard.press('ArrowDown');
    await done(page);
    assert.notEqual(await chosen(), second);
    await page.focus('#budget');
    await page.keyboard.press('Home');
    await done(page);
    assert.match(await page.textContent('#output-says'), /takes \d+ tokens|budget/);
    assert.deepEqual(page.complaints, []);
    await page.close();
});
