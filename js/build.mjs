/*
 * build.mjs - makes dist/ of src/: the ES modules as they are, and one CommonJS file.
 *
 *     usage: node build.mjs DIST
 *
 * The CommonJS file is all modules in one scope, in the order of their imports, so that what
 * they export stays live. For that no two may have a name in common at the top, and imports
 * may not rename; what breaks this is an error. A source map leads from each line to where
 * it stands in src/.
 */
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, 'src');

const IMPORT = /^import (?:(\w+)|\{([^}]*)\}) from '([^']+)';\n/gm;
const DECLARED = /^(?:async )?(?:function\*?|const|let|class) (\w+)/gm;

/** The module and what it needs, what is needed first. `replace` has other texts for files. */
function collect(name, replace, done) {
    if (done.has(name)) return;
    const text = replace[name] ?? readFileSync(join(source, name), 'utf8');
    const needs = [];
    const exported = [];
    let body = text.replace(IMPORT, (all, _, names, from) => {
        if (names?.includes(' as ')) throw new Error(`${name}: '${all.trim()}' renames`);
        if (from.startsWith('./') && from.endsWith('.js')) needs.push(from.slice(2));
        else return `const ${names ? `{${names}}` : _} = require('${from}');\n`;
        return all.replace(/[^\n]/g, '');
    });
    body = body.replace(/^export \* from '\.\/(.*)';$/gm, (_, from) => {
        exported.push(...collectExports(from, replace));
        return '';
    });
    body = body.replace(/^export \{([^}]*)\};$/gm, (_, names) => {
        exported.push(...names.split(',').map((word) => word.trim()));
        return '';
    });
    body = body.replace(/^export /gm, '');
    for (const need of needs) collect(need, replace, done);
    done.set(name, { body, exported: [...exported, ...collectExports(name, replace)] });
}

function collectExports(name, replace) {
    const text = replace[name] ?? readFileSync(join(source, name), 'utf8');
    const names = [...text.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm)]
        .map((match) => match[1]);
    for (const match of text.matchAll(/^export \{([^}]*)\};$/gm)) {
        names.push(...match[1].split(',').map((word) => word.trim()).filter(Boolean));
    }
    return names;
}

/** Bodies in one scope, the names that the last one exports, and the file of each line. */
export function bundle(entry, replace = {}) {
    const done = new Map();
    collect(entry, replace, done);
    const declared = new Map();
    const lines = [];
    const places = [];
    for (const [name, { body }] of done) {
        for (const [, word] of body.matchAll(DECLARED)) {
            if (declared.has(word)) {
                throw new Error(`${name} and ${declared.get(word)} both have a '${word}'`);
            }
            declared.set(word, name);
        }
        body.split('\n').forEach((line, number) => {
            lines.push(line);
            places.push([name, number]);
        });
    }
    return { text: lines.join('\n'), exported: [...new Set(done.get(entry).exported)], places };
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function vlq(number) {
    let rest = number < 0 ? (-number << 1) | 1 : number << 1;
    let text = '';
    do {
        const digit = rest & 31;
        rest >>= 5;
        text += DIGITS[rest > 0 ? digit | 32 : digit];
    } while (rest > 0);
    return text;
}

/** A source map in which every line begins where one of the sources' does. */
function mapOf(file, places, before) {
    const sources = [...new Set(places.map(([name]) => name))];
    let last = [0, 0];
    const mappings = places.map(([name, line]) => {
        const now = [sources.indexOf(name), line];
        const text = 'A' + vlq(now[0] - last[0]) + vlq(now[1] - last[1]) + 'A';
        last = now;
        return text;
    });
    return JSON.stringify({ version: 3, file, sources, names: [],
        mappings: ';'.repeat(before) + mappings.join(';') });
}

function main(dist) {
    mkdirSync(dist, { recursive: true });
    for (const name of readdirSync(source)) copyFileSync(join(source, name), join(dist, name));
    const { text, exported, places } = bundle('node.js', {
        'folder.js': "const folder = require('node:url').pathToFileURL(__dirname + '/');\n"
            .replace('const', 'export const'),
    });
    const exportList = exported.map((name) => `exports.${name} = ${name};`).join('\n');
    writeFileSync(join(dist, 'index.cjs'),
        `'use strict';\n${text}\n${exportList}\n//# sourceMappingURL=index.cjs.map\n`);
    writeFileSync(join(dist, 'index.cjs.map'), mapOf('index.cjs', places, 1));
    const gcf = readFileSync(join(source, 'gcf.js'), 'utf8')
        .replace(/^import \{ (\w+) as (\w+), (\w+) as (\w+) \} from 'libpith';$/m,
            "const { $1: $2, $3: $4 } = require('./index.cjs');")
        .replace(/^export const (\w+)/gm, 'exports.$1');
    writeFileSync(join(dist, 'gcf.cjs'), `'use strict';\n${gcf}`);
    for (const name of ['index', 'gcf', 'settings']) {
        writeFileSync(join(dist, `${name}.d.cts`), readFileSync(join(source, `${name}.d.ts`), 'utf8')
            .replace(/ from '\.\/(\w+)\.js'/g, " from './$1.cjs'"));
    }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv[2]);
