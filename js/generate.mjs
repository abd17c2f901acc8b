/*
 * generate.mjs - writes what is made of the library's own tables, or checks it.
 *
 *     usage: node generate.mjs DIST PITH [--check]
 *
 * src/legends.js      what `PITH prompt` tells a model about each format
 * src/settings.d.ts   the settings of each format, as types
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [dist, tool, check] = process.argv.slice(2);
const source = join(dirname(fileURLToPath(import.meta.url)), 'src');

function explain(...words) {
    try {
        return execFileSync(tool, ['prompt', ...words], { encoding: 'utf8', stdio: 'pipe' });
    } catch {
        return null; // there is no text for it
    }
}

function legends(formats) {
    const lines = ['// What to tell a model about each format: written by generate.mjs.',
        'export const LEGENDS = {'];
    const add = (name, text) => {
        if (text === null) return;
        lines.push(`    ${JSON.stringify(name)}:`);
        const rows = text.replace(/\n$/, '').split('\n').map((row) => `${row}\n`);
        rows.forEach((row, i) => lines.push(`        ${JSON.stringify(row)}${
            i + 1 < rows.length ? ' +' : ','}`));
    };
    for (const { name } of formats) {
        add(name, explain(name));
        if (name === 'pith') add('pith, dense', explain(name, '--dense'));
    }
    return `${lines.join('\n')}\n};\n`;
}

const camel = (word) => word.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => camel(`-${name}`);

function typeOf(setting) {
    if (setting.type === 'bool') return 'boolean';
    if (setting.type === 'number') return 'number';
    if (setting.type === 'choice') {
        return setting.choices.map((choice) => (/^(true|false|\d+)$/.test(choice)
            ? choice : choice.endsWith('=FIELD') ? '`best=${string}`' : `'${choice}'`)).join(' | ');
    }
    return ['fields', 'drop', 'at', 'allow'].includes(setting.word) ? 'string | readonly string[]'
        : setting.word === 'budget' || setting.word === 'rows-max' ? 'number' : 'string';
}

function members(settings, direction) {
    return settings.filter((setting) => setting[direction]).map((setting) => {
        const normally = setting.default === null || setting.default === ''
            ? '' : ` Normally ${setting.default}.`;
        return `    /** ${setting.help}.${normally} */\n    ${camel(setting.word)}?: ${typeOf(setting)};`;
    }).join('\n');
}

function settingTypes(formats, common) {
    const parts = ['// Written by generate.mjs out of the tables of the library: do not change it by hand.'];
    const inner = (name, extend, body) =>
        `export interface ${name}${extend} {${body === '' ? '' : `\n${body}\n`}}`;
    parts.push('/** Which part of a text is read: of every format. */');
    parts.push(inner('ReadCommon', '', members(common, 'reads')));
    parts.push('/** How a value is written: of every format. */');
    parts.push(inner('WriteCommon', '', members(common, 'writes')));
    for (const [direction, word] of [['reads', 'Read'], ['writes', 'Write']]) {
        const known = formats.filter((format) => format[direction]);
        for (const format of known) {
            parts.push(`/** ${format.summary}. */`);
            parts.push(inner(`${word}${pascal(format.name)}`, ` extends ${word}Common`,
                members(format.settings, direction)));
        }
        const rows = known.map((format) =>
            `    ${JSON.stringify(format.name)}: ${word}${pascal(format.name)};`).join('\n');
        parts.push(`export interface ${word}Settings {\n${rows}\n}`);
    }
    return `${parts.join('\n')}\n`;
}

const { commonSettings, formats, loadGraphs } = await import(pathToFileURL(join(dist, 'node.js')));
await loadGraphs();
const made = {
    'legends.js': legends(formats()),
    'settings.d.ts': settingTypes(formats(), commonSettings()),
};
for (const [name, text] of Object.entries(made)) {
    const path = join(source, name);
    if (!check) {
        writeFileSync(path, text);
    } else if (readFileSync(path, 'utf8') !== text) {
        console.error(`generate.mjs: ${name} is not what the library says; run it without --check`);
        process.exitCode = 1;
    }
}
