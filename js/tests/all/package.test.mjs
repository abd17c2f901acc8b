// The package as npm packs it: in an empty project, its types, what attw and publint say.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const js = fileURLToPath(new URL('../../', import.meta.url));
const modules = join(process.env.PITH_JS_SCRATCH, 'node_modules');
let scratch;
let tarball;
let project;

function run(command, words, cwd) {
    try {
        return execFileSync(command, words, { cwd, encoding: 'utf8', stdio: 'pipe', timeout: 120000 });
    } catch (error) {
        throw new Error(`${command} ${words.join(' ')}: ${error.stdout}${error.stderr}`);
    }
}

before(() => {
    scratch = mkdtempSync(join(tmpdir(), 'libpith-'));
    const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', scratch], js));
    tarball = join(scratch, packed.filename);
    project = join(scratch, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{"private":true}');
    run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], project);
});
after(() => rmSync(scratch, { recursive: true, force: true }));

test('an empty project: ES modules and CommonJS', () => {
    const esm = 'import { encode, count } from "libpith"; import { encodeGeneric } from "libpith/gcf";'
        + 'console.log(encode([{ a: 1 }], { format: "csv" }) + encodeGeneric([{ a: 1 }]) + count("hello world"))';
    assert.equal(run('node', ['--input-type=module', '-e', esm], project), 'a\n1\nGCF profile=generic\n## [1]{a}\n1\n2\n');
    const common = 'const { decode, encode } = require("libpith"); const gcf = require("libpith/gcf");'
        + 'console.log(JSON.stringify(decode(encode([{ a: 1 }]))), gcf.encodeGeneric(1))';
    assert.match(run('node', ['-e', common], project), /^\[{"a":1}\] GCF/);
});

test('the examples of the README run', () => {
    const readme = readFileSync(join(js, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match) => match[1]);
    assert.ok(blocks.length >= 4);
    const before = 'import { Writable } from "node:stream";'
        + 'const source = new Blob(["a,b\\n1,2\\n"]).stream(); const sink = new WritableStream();';
    const rows = 'const rows = [{ id: 1 }, { id: 2 }];';
    for (const block of blocks) {
        const text = `${before}${/const rows/.test(block) ? '' : rows}\n${block}`;
        run('node', ['--input-type=module', '-e', text], project);
    }
});

test('the examples of docs/javascript.md run', () => {
    const page = readFileSync(join(js, '../docs/javascript.md'), 'utf8');
    const blocks = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match) => match[1]);
    assert.ok(blocks.length >= 4);
    const text = `import { strict as assert } from 'node:assert';\n${blocks.join('\n')}`;
    run('node', ['--input-type=module', '-e', text], project);
});

test('the map of the CommonJS file leads to the sources', () => {
    const map = JSON.parse(readFileSync(join(js, 'dist/index.cjs.map'), 'utf8'));
    assert.ok(map.sources.every((name) => readFileSync(join(js, 'dist', name))));
    const lines = readFileSync(join(js, 'dist/index.cjs'), 'utf8').split('\n').length;
    assert.ok(map.mappings.split(';').length <= lines);
});

test('tsc --strict, as Node and as a bundler resolve', () => {
    copyFileSync(join(js, 'tests/all/types.ts'), join(project, 'types.mts'));
    copyFileSync(join(js, 'tests/all/types.ts'), join(project, 'types.cts'));
    const tsc = join(modules, 'typescript/bin/tsc');
    const always = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable,dom.asynciterable',
        '--types', ''];
    run('node', [tsc, ...always, '--module', 'node16', '--moduleResolution', 'node16', 'types.mts', 'types.cts'], project);
    run('node', [tsc, ...always, '--module', 'esnext', '--moduleResolution', 'bundler', 'types.mts'], project);
});

test('attw and publint have nothing to say', () => {
    run('node', [join(modules, '@arethetypeswrong/cli/dist/index.js'), tarball, '--profile', 'node16',
        '--exclude-entrypoints', 'pith.wasm', 'pith-graphs.wasm', 'package.json'], project);
    const said = run('node', [join(modules, 'publint/src/cli.js'), tarball, '--strict'], project);
    assert.match(said, /All good/);
});

test('the core is at most 300 KB after gzip', () => {
    assert.ok(gzipSync(readFileSync(join(js, 'dist/pith.wasm')), { level: 9 }).length <= 300000);
});
