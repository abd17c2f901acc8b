/*
 * page.js - the page: what is typed, chosen and shown. All work is the worker's.
 */
'use strict';

const $ = (id) => document.getElementById(id);
const LARGE = 1000000; // characters that are too many for a text field
const MARKED = 200000; // characters up to which mistakes are underlined
const LINK_MOST = 60000; // characters of a link
const number = new Intl.NumberFormat('en');

const state = {
    data: null, // what was opened and is too large to be shown: bytes
    name: '',
    chosen: 'pith',
    settings: {}, // of writing, by format
    read: {}, // of reading, by format
    budget: 0, // 0 is none
    costs: new Map(),
    problems: [],
    detected: null,
    output: null,
    view: 'text',
    full: 0, // tokens of the chosen format without a budget
};

/* ------------------------------------------------------------------------------ worker */

const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const program = URL.createObjectURL(new Blob([PITH.worker], { type: 'text/javascript' }));
const wasm = bytesOf(PITH.wasm);
let worker = null;
let library = null;
let job = 0;
let busy = 0; // the job that runs, and since when
let busySince = 0;
const given = new Set(); // vocabularies that the worker has
const waiting = new Map(); // jobs whose result goes elsewhere

function startWorker() {
    worker = new Worker(program);
    worker.onmessage = ({ data }) => onMessage(data);
    given.clear();
    worker.postMessage({ wasm });
}

function loadScript(name) {
    return new Promise((resolve, reject) => {
        const script = document.createElement('script');
        script.src = `${name}.js`;
        script.onload = resolve;
        script.onerror = () => reject(new Error(`${name}.js cannot be loaded`));
        document.head.append(script);
    });
}

async function giveVocabulary(name) {
    if (name === 'estimate' || given.has(name)) return;
    if (!PITH.vocabularies[name]) await loadScript(name);
    if (given.has(name)) return;
    given.add(name);
    worker.postMessage({ vocabulary: name, bytes: bytesOf(PITH.vocabularies[name]) });
}

function forms() {
    const list = [{ format: 'json', name: 'json' },
        { format: 'json', name: 'json, indented', settings: { indent: 2 } }];
    for (const format of library.formats) {
        if (format.name === 'json' || !format.reads || !format.writes || format.binary
            || format.chooses) continue;
        list.push({ format: format.name, name: format.name });
        if (format.name === 'pith') {
            list.push({ format: 'pith', name: 'pith, dense', settings: { level: 2 } });
        }
    }
    return list;
}

function chosenForm() {
    const form = forms().find(({ name }) => name === state.chosen);
    const dense = $('dense').checked && form.format === 'pith';
    return { format: form.format, dense: dense && !form.settings?.level, tokenizer: $('tokenizer').value,
        settings: { ...form.settings, ...state.settings[form.format] },
        budget: state.budget, keep: $('keep').value };
}

let later = 0;

/** Runs soon, so that fast typing does not start a job for each letter. */
function runSoon(delay = 150) {
    clearTimeout(later);
    later = setTimeout(run, delay);
}

async function run({ whole = null } = {}) {
    if (!library) return;
    await giveVocabulary($('tokenizer').value);
    if (busy && whole === null && performance.now() - busySince > 250) { // it is out of date
        worker.terminate();
        library = null;
        busy = 0;
        startWorker();
        return; // 'ready' runs it
    }
    const data = state.data ?? $('text').value;
    const from = $('from').value;
    job++;
    busy = job;
    busySince = performance.now();
    if (whole) waiting.set(job, whole);
    else {
        state.costs.clear();
        $('costs').setAttribute('aria-busy', 'true');
    }
    worker.postMessage({ job, data, from, read: state.read[from || 'detect'] ?? {},
        chosen: chosenForm(), forms: whole ? [] : forms(), tokenizer: $('tokenizer').value,
        whole: Boolean(whole) });
}

function onMessage(message) {
    if (message.kind === 'ready') {
        const first = $('from').options.length === 0;
        library = message;
        if (first) begin();
        else run();
        return;
    }
    if (waiting.has(message.job)) {
        if (message.kind === 'chosen') waiting.get(message.job)(message.whole);
        if (message.kind === 'done') { waiting.delete(message.job); busy = 0; }
        return;
    }
    if (message.job !== job) return;
    ({ format: onFormat, problems: onProblems, progress: onProgress, chosen: onChosen,
        form: onForm, done: onDone, failed: onFailed })[message.kind](message);
}

/* ------------------------------------------------------------------------------- results */

function onFormat({ format }) {
    state.detected = format;
    $('detected').textContent = $('from').value || !format ? '' : `is ${format}`;
    if (!format) {
        onChosen({ error: { message: '' } });
        onProblems({ problems: $('text').value.trim() === '' ? []
            : [{ message: 'the content does not tell the format: choose one', code: 'unknown_format' }] });
    }
}

function onProgress({ done }) {
    $('progress').hidden = performance.now() - busySince < 300;
    $('progress').value = done;
}

/** Where a line and a column are in a text, in UTF-16 units. */
function placeOf(text, line, column) {
    let at = 0;
    for (let i = 1; i < line; i++) {
        const end = text.indexOf('\n', at);
        if (end < 0) return text.length;
        at = end + 1;
    }
    for (let i = 1; i < column && at < text.length; i++) at += text.codePointAt(at) > 0xFFFF ? 2 : 1;
    return at;
}

function onProblems({ problems }) {
    state.problems = problems;
    const list = $('problems');
    list.replaceChildren(...problems.slice(0, 20).map((problem) => {
        const item = document.createElement('li');
        const button = document.createElement('button');
        button.type = 'button';
        const place = problem.line ? `${problem.line}:${problem.column}: ` : '';
        button.textContent = `${place}${problem.message} [${problem.code}]`;
        button.onclick = () => goTo(problem);
        item.append(button);
        return item;
    }));
    $('text').setAttribute('aria-invalid', String(problems.length > 0));
    drawMarks();
}

function goTo({ line, column }) {
    if (state.data || !line) return;
    const text = $('text');
    const at = placeOf(text.value, line, column);
    text.focus();
    text.setSelectionRange(at, at);
}

function drawMarks() {
    const text = $('text').value;
    const marks = $('marks');
    if (state.data || text.length > MARKED || state.problems.length === 0) {
        marks.replaceChildren();
        return;
    }
    const places = [...new Set(state.problems.filter(({ line }) => line)
        .map(({ line, column }) => placeOf(text, line, column)))].sort((a, b) => a - b);
    const parts = [];
    let at = 0;
    for (const place of places) {
        const from = Math.min(place, Math.max(0, text.length - 1));
        const word = /^[^\s,:{}[\]]+/.exec(text.slice(from, from + 80));
        const end = from + Math.max(1, word ? word[0].length : 1);
        if (from < at) continue;
        const mark = document.createElement('mark');
        mark.textContent = text.slice(from, end) || ' ';
        parts.push(text.slice(at, from), mark);
        at = end;
    }
    parts.push(text.slice(at), '\n');
    marks.replaceChildren(...parts);
    marks.scrollTop = $('text').scrollTop;
}

function onChosen({ error, text, length, tokens, notices, pieces }) {
    if (error) {
        state.output = null;
        $('output').textContent = '';
        $('output-says').textContent = state.problems.length > 0 ? '' : error.message;
        return;
    }
    state.output = { text, length, tokens, pieces };
    if (!state.budget) {
        state.full = tokens;
        showBudget();
    }
    const said = [`${number.format(tokens)} tokens, ${number.format(length)} characters`, ...notices];
    if (length > text.length) said.push('the first 100,000 are shown; Save has all');
    $('output-says').textContent = said.join('; ');
    drawOutput();
}

function drawOutput() {
    const output = $('output');
    if (!state.output) return output.replaceChildren();
    if (state.view === 'text') return output.replaceChildren(state.output.text);
    output.replaceChildren(...state.output.pieces.map((piece, i) => {
        const span = document.createElement('span');
        span.className = `p${i % 5}`;
        span.textContent = piece.replace(/\n/g, '↵\n');
        return span;
    }));
    if (state.output.length > 6000) output.append(' … (the first 6,000 characters)');
    return undefined;
}

function onForm({ name, tokens, bytes, text, error }) {
    state.costs.set(name, error ? { error } : { tokens, bytes, text });
    if (performance.now() - busySince > 400) drawCosts();
}

function onDone() {
    busy = 0;
    $('progress').hidden = true;
    $('costs').setAttribute('aria-busy', 'false');
    drawCosts();
}

function onFailed({ error }) {
    onDone();
    onProblems({ problems: [error] });
}

function sortedCosts() {
    return [...state.costs].filter(([, cost]) => !cost.error)
        .sort(([, a], [, b]) => a.tokens - b.tokens || a.bytes - b.bytes);
}

function drawCosts() {
    const costs = sortedCosts();
    const json = state.costs.get('json')?.tokens;
    const most = Math.max(1, ...costs.map(([, cost]) => cost.tokens));
    const focused = document.activeElement?.name === 'format';
    $('costs').tBodies[0].replaceChildren(...costs.map(([name, cost]) => {
        const row = document.createElement('tr');
        row.innerHTML = '<td><label><input type="radio" name="format"> <span></span></label></td>'
            + '<td class="chart"><div></div></td><td class="number"></td><td class="number"></td>';
        row.classList.toggle('chosen', name === state.chosen);
        const radio = row.querySelector('input');
        radio.value = name;
        radio.checked = name === state.chosen;
        radio.onchange = () => choose(name);
        row.querySelector('span').textContent = name;
        const bar = row.querySelector('div');
        bar.style.width = `${(100 * cost.tokens) / most}%`;
        bar.classList.toggle('json', name.startsWith('json'));
        row.cells[2].textContent = number.format(cost.tokens);
        row.cells[3].textContent = json ? `${(100 - (100 * cost.tokens) / json).toFixed(1)}%` : '';
        return row;
    }));
    if (focused) document.querySelector('input[name="format"]:checked')?.focus();
    const best = costs.find(([name]) => !name.startsWith('json'));
    $('status').textContent = best && json
        ? best[1].tokens < json
            ? `${best[0]} saves ${(100 - (100 * best[1].tokens) / json).toFixed(1)}% of the tokens of compact JSON.`
            : 'Nothing costs fewer tokens than compact JSON here.'
        : state.problems.length > 0 ? 'There is nothing to count until the data can be read.' : '';
    $('refused').replaceChildren(...[...state.costs].filter(([, cost]) => cost.error && json)
        .map(([name, cost]) => {
            const item = document.createElement('li');
            item.textContent = `${name}: ${cost.error.message}`;
            return item;
        }));
    $('cards').replaceChildren(...costs.map(([name, cost]) => {
        const card = document.createElement('div');
        card.className = 'card';
        card.innerHTML = '<h3><b></b><span></span></h3><pre role="group" tabindex="0"></pre>';
        card.querySelector('b').textContent = name;
        card.querySelector('span').textContent = `${number.format(cost.tokens)} tokens`;
        const pre = card.querySelector('pre');
        pre.textContent = cost.text + (cost.text.length === 4000 ? '…' : '');
        pre.setAttribute('aria-label', `The data as ${name}`);
        return card;
    }));
}

/* ------------------------------------------------------------------------------ controls */

const camel = (word) => word.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());

/** A control for a setting, which keeps what is not the default in `values`. */
function control(setting, values, changed) {
    const id = `set-${setting.reads ? 'r' : 'w'}-${setting.word}`;
    const key = camel(setting.word);
    const label = document.createElement('label');
    label.htmlFor = id;
    label.textContent = setting.word;
    let input;
    if (setting.choices) {
        input = document.createElement('select');
        for (const choice of setting.choices) input.add(new Option(choice, choice));
        input.value = values[key] ?? setting.default ?? setting.choices[0];
    } else {
        input = document.createElement('input');
        input.type = { bool: 'checkbox', number: 'number', text: 'text' }[setting.type];
        if (setting.type === 'bool') input.checked = values[key] ?? setting.default === 'true';
        else input.value = values[key] ?? '';
        if (setting.type === 'number') [input.min, input.max] = [setting.min, setting.max];
        if (setting.type !== 'bool') input.placeholder = setting.default ?? '';
    }
    input.id = id;
    input.onchange = () => {
        const value = setting.type === 'bool' ? input.checked : input.value;
        if (String(value) === (setting.default ?? '') || value === '') delete values[key];
        else values[key] = value;
        changed();
    };
    const help = document.createElement('p');
    help.className = 'help';
    help.id = `${id}-help`;
    help.textContent = setting.help;
    input.setAttribute('aria-describedby', help.id);
    return [label, input, help];
}

// Those of all formats that have controls of their own, or none.
const ELSEWHERE = ['budget', 'keep', 'guard', 'verify', 'optimize', 'rows-max', 'final-newline', 'dense', 'note'];

function drawSettings() {
    const write = forms().find(({ name }) => name === state.chosen).format;
    const format = library.formats.find(({ name }) => name === write);
    const values = state.settings[write] ??= {};
    const own = format.settings.filter((setting) => setting.writes && setting.word !== 'level');
    const common = library.common.filter((setting) => setting.writes && !ELSEWHERE.includes(setting.word));
    $('write-settings').replaceChildren(...[...own, ...common].flatMap((setting) =>
        control({ ...setting, reads: false }, values, () => runSoon(0))));
    $('dense').disabled = write !== 'pith' || state.chosen === 'pith, dense';
    const from = $('from').value;
    const reading = library.formats.find(({ name }) => name === from);
    const readValues = state.read[from || 'detect'] ??= {};
    const readOwn = (reading?.settings ?? []).filter((setting) => setting.reads);
    $('read-settings').replaceChildren(...[...library.common.filter((setting) => setting.reads), ...readOwn]
        .flatMap((setting) => control({ ...setting, reads: true }, readValues, () => runSoon(0))));
    const legend = library.legends[state.chosen === 'pith' && $('dense').checked ? 'pith, dense' : state.chosen]
        ?? library.legends[write];
    $('prompt').hidden = !legend;
    $('prompt-text').textContent = legend ?? '';
}

function choose(name) {
    state.chosen = name;
    state.full = 0;
    setBudget(0);
    drawSettings();
    for (const row of $('costs').tBodies[0].rows) {
        row.classList.toggle('chosen', row.querySelector('input').value === name);
    }
    runSoon(0);
}

/** The slider goes to the size of everything; at its end there is no budget. */
function showBudget() {
    const slider = $('budget');
    slider.max = Math.max(2, state.full);
    if (!state.budget) slider.value = slider.max;
    $('budget-says').value = state.budget
        ? `${number.format(state.budget)} tokens` : 'everything';
}

function setBudget(budget) {
    state.budget = budget;
    showBudget();
}

/* --------------------------------------------------------------------------------- input */

function setText(text, name = '') {
    state.data = null;
    state.name = name;
    $('large').hidden = true;
    $('text').readOnly = false;
    $('text').value = text;
    changedData();
}

function changedData() {
    state.problems = [];
    state.full = 0;
    setBudget(0);
    drawMarks();
    runSoon();
}

async function openFile(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    $('example').value = '';
    $('from').value = '';
    drawSettings();
    if (bytes.length <= LARGE) return setText(new TextDecoder().decode(bytes), file.name);
    state.name = file.name;
    state.data = bytes;
    $('text').readOnly = true;
    $('text').value = new TextDecoder().decode(bytes.subarray(0, 20000));
    $('large').hidden = false;
    $('large').textContent = `${file.name}, ${(bytes.length / 1e6).toFixed(1)} MB: the beginning is shown,`
        + ' all of it is converted. Choose an example or another file to leave it.';
    return changedData();
}

/* ---------------------------------------------------------------------------------- links */

async function packed(text, stream) {
    const through = new Blob([text]).stream().pipeThrough(stream);
    return new Uint8Array(await new Response(through).arrayBuffer());
}

async function makeLink() {
    if (state.data) return say('The data is too long for a link.');
    const saved = { text: $('text').value, from: $('from').value, chosen: state.chosen,
        settings: state.settings, read: state.read, budget: state.budget, keep: $('keep').value,
        dense: $('dense').checked, tokenizer: $('tokenizer').value };
    const bytes = await packed(JSON.stringify(saved), new CompressionStream('deflate-raw'));
    let binary = '';
    for (const byte of bytes) binary += String.fromCharCode(byte);
    const fragment = btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
    if (fragment.length > LINK_MOST) return say('The data is too long for a link.');
    history.replaceState(null, '', `#${fragment}`);
    return copy(location.href, 'The link is copied.');
}

async function openLink() {
    try {
        const binary = atob(location.hash.slice(1).replace(/-/g, '+').replace(/_/g, '/'));
        const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
        const text = await packed(bytes, new DecompressionStream('deflate-raw'));
        const saved = JSON.parse(new TextDecoder().decode(text));
        if (typeof saved.text !== 'string') return false;
        const names = forms().map(({ name }) => name);
        state.chosen = names.includes(saved.chosen) ? saved.chosen : 'pith';
        state.settings = Object(saved.settings);
        state.read = Object(saved.read);
        for (const id of ['from', 'keep', 'tokenizer']) {
            if ([...$(id).options].some(({ value }) => value === saved[id])) $(id).value = saved[id];
        }
        $('dense').checked = saved.dense === true;
        $('example').value = '';
        setText(saved.text);
        state.budget = Number(saved.budget) || 0;
        if (state.budget) state.full = Math.max(state.budget, state.full);
        showBudget();
        drawSettings();
        return true;
    } catch {
        return false; // not one of ours
    }
}

/* ---------------------------------------------------------------------------------- begin */

let unsay = 0;

function say(text) {
    $('status').textContent = text;
    clearTimeout(unsay);
    unsay = setTimeout(drawCosts, 4000);
}

async function copy(text, done) {
    try {
        await navigator.clipboard.writeText(text);
        say(done);
    } catch {
        say('The browser does not let this page copy.');
    }
}

function takeWhole(then) {
    if (!state.output) return;
    if (state.output.length === state.output.text.length) then(state.output.text);
    else run({ whole: then });
}

function setTheme(dark) {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    $('theme').setAttribute('aria-pressed', String(dark));
}

async function begin() {
    $('version').textContent = library.version;
    $('from').add(new Option('by its content', ''));
    for (const { name, reads } of library.formats) if (reads) $('from').add(new Option(name, name));
    $('example').add(new Option('', ''));
    for (const name of Object.keys(PITH.examples)) $('example').add(new Option(name, name));
    for (const name of ['o200k_base', 'cl100k_base', 'p50k_base', 'estimate']) {
        $('tokenizer').add(new Option(name, name));
    }
    if (location.hash.length > 1 && await openLink()) return;
    const [first] = Object.keys(PITH.examples);
    $('example').value = first;
    drawSettings();
    setText(PITH.examples[first], first);
}

$('example').onchange = () => {
    const name = $('example').value;
    $('from').value = name.startsWith('answer') ? 'answer' : '';
    drawSettings();
    if (name) setText(PITH.examples[name], name);
};
$('text').oninput = () => {
    $('example').value = '';
    changedData();
};
$('text').onscroll = () => { $('marks').scrollTop = $('text').scrollTop; };
new ResizeObserver(() => { $('marks').style.height = `${$('text').offsetHeight}px`; }).observe($('text'));
$('file').onchange = () => {
    const [file] = $('file').files;
    if (file) openFile(file);
    $('file').value = '';
};
$('from').onchange = () => { drawSettings(); changedData(); };
$('tokenizer').onchange = () => { state.full = 0; setBudget(0); runSoon(0); };
$('keep').onchange = () => runSoon(0);
$('dense').onchange = () => { state.full = 0; setBudget(0); drawSettings(); runSoon(0); };
$('budget').oninput = () => {
    const budget = Number($('budget').value);
    setBudget(budget >= state.full ? 0 : budget);
    runSoon(80);
};
for (const view of ['text', 'tokens']) {
    $(`show-${view}`).onclick = () => {
        state.view = view;
        for (const other of ['text', 'tokens']) {
            $(`show-${other}`).setAttribute('aria-pressed', String(other === view));
        }
        drawOutput();
    };
}
$('copy').onclick = () => takeWhole((text) => copy(text, 'The text is copied.'));
$('copy-prompt').onclick = () => copy($('prompt-text').textContent, 'The text is copied.');
$('save').onclick = () => takeWhole((text) => {
    const { format } = chosenForm();
    const { suffixes } = library.formats.find(({ name }) => name === format);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text]));
    link.download = `${(state.name || 'data').replace(/\.[^.]*$/, '')}${suffixes[0] ?? '.txt'}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
});
$('swap').onclick = () => takeWhole((text) => {
    const { format } = chosenForm();
    $('example').value = '';
    $('from').value = format;
    state.chosen = format === 'json' ? 'pith' : 'json';
    drawSettings();
    if (text.length <= LARGE) setText(text, state.name);
    else openFile(new File([text], state.name)).then(() => { $('from').value = format; });
});
$('link').onclick = makeLink;
$('theme').onclick = () => setTheme(document.documentElement.dataset.theme !== 'dark');
document.addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('drop');
});
for (const name of ['dragleave', 'drop']) {
    document.addEventListener(name, (event) => {
        if (name === 'drop' || event.relatedTarget === null) document.body.classList.remove('drop');
    });
}
document.addEventListener('drop', (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    const text = event.dataTransfer.getData('text/plain');
    if (file) openFile(file);
    else if (text) setText(text);
});
document.addEventListener('click', (event) => {
    for (const details of document.querySelectorAll('details.settings[open]')) {
        if (!details.contains(event.target)) details.open = false;
    }
});
document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    for (const details of document.querySelectorAll('details.settings[open]')) details.open = false;
});
window.addEventListener('hashchange', openLink);
setTheme(matchMedia('(prefers-color-scheme: dark)').matches);
startWorker();
