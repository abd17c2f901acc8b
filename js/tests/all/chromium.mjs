// chromium.mjs - a Chromium, a server of files, and pages that note every complaint.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

const require = createRequire(join(process.env.PITH_JS_SCRATCH, 'package.json'));
const path = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** Why there is no browser; false when there is one. */
export const missing = path ? false : 'there is no chromium';

export async function openBrowser() {
    const { chromium } = require('playwright-core');
    const profile = mkdtempSync(join(tmpdir(), 'libpith-chromium-'));
    const browser = await chromium.launchPersistentContext(profile, {
        executablePath: path, headless: true, acceptDownloads: true,
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
            '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    browser.setDefaultTimeout(60000);
    return {
        async page() {
            const page = await browser.newPage();
            page.complaints = [];
            page.on('console', (message) => {
                if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text());
            });
            page.on('pageerror', (error) => page.complaints.push(String(error)));
            return page;
        },
        async close() {
            await browser.close();
            rmSync(profile, { recursive: true, force: true });
        },
    };
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css',
    '.wasm': 'application/wasm', '.vocab': 'application/octet-stream' };

/** Serves files at a free port; `pages` are texts that are no files. */
export function serve(folder, pages = {}) {
    const server = createServer((request, response) => {
        const { pathname } = new URL(request.url, 'http://x');
        const file = join(folder, normalize(pathname));
        const body = pages[pathname] ?? (existsSync(file) ? readFileSync(file) : null);
        response.writeHead(body === null ? 404 : 200,
            { 'content-type': TYPES[extname(pathname)] ?? 'text/html' });
        response.end(body ?? '');
    });
    return new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve({
            url: `http://127.0.0.1:${server.address().port}`,
            close: () => server.close(),
        }));
    });
}
