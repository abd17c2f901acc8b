/*
 * worker.js - the end of the worker's program; api.js and what it needs stand before it.
 *
 * A job is read, checked, written in the format that was chosen, and then in all of them, and
 * each result is sent as it is there. A job that nobody wants any more is ended together with
 * the worker.
 */
const SHOWN = 100000; // characters of a text that the page shows
const PIECES = 6000; // characters whose tokens it shows

const say = (job, kind, more) => postMessage({ job, kind, ...more });
const plain = ({ message, code, line, column, offset }) => ({ message, code, line, column, offset });

function formOf({ format, settings, dense, budget, keep, tokenizer }, options) {
    const how = { ...options, ...settings, tokenizer, dense: dense || undefined };
    return budget ? { ...how, format, budget, keep } : { ...how, format };
}

function writeChosen(job, data, options, chosen, whole) {
    const notices = [];
    const how = { ...formOf(chosen, options), onNotice: (notice) => notices.push(notice) };
    let made;
    if (chosen.budget) {
        made = fit(data, how);
    } else {
        const text = encode(data, how);
        made = { text, tokens: count(text, chosen), notices };
    }
    const { text, tokens } = made;
    say(job, 'chosen', {
        tokens, whole: whole ? text : undefined, text: text.slice(0, SHOWN), length: text.length,
        notices: made.notices.map((notice) => notice.message),
        pieces: pieces(text.slice(0, PIECES), chosen),
    });
}

function runJob({ job, data, from, read, chosen, forms, tokenizer, whole }) {
    const size = data.length;
    let step = 0;
    const steps = forms.length + 2;
    const onProgress = (done) =>
        say(job, 'progress', { done: (step + Math.min(1, done / size)) / steps });
    const format = from || detect(data);
    say(job, 'format', { format: format ?? null });
    if (!format) return say(job, 'done', {});
    const problems = check(data, { format, ...read, onProgress });
    say(job, 'problems', { problems: problems.slice(0, 100).map(plain) });
    step++;
    const options = { from: format, read, onProgress, onNotice() {} };
    const attempt = (kind, work) => {
        try {
            work();
        } catch (error) {
            say(job, kind, { error: plain(error) });
        }
        step++;
    };
    attempt('chosen', () => writeChosen(job, data, options, chosen, whole));
    if (whole) return say(job, 'done', {});
    for (const form of forms) {
        attempt('form', () => {
            const costs = compare(data, { ...options, tokenizer, formats: [form] });
            if (costs.length === 0) {
                return say(job, 'form', { name: form.name, error: plain(costs.refused[form.name]) });
            }
            const [{ text, tokens, bytes }] = costs;
            say(job, 'form', { name: form.name, tokens, bytes, text: text.slice(0, 4000) });
        });
    }
    say(job, 'done', {});
}

onmessage = async ({ data: message }) => {
    try {
        if (message.wasm) {
            start(new WebAssembly.Module(message.wasm));
            setGraphsSource(() => null, null);
            haveGraphs = true;
            postMessage({ kind: 'ready', formats: formats(), common: commonSettings(),
                version: version(), legends: LEGENDS });
        } else if (message.vocabulary) {
            await loadTokenizer(message.vocabulary, message.bytes);
        } else {
            runJob(message);
        }
    } catch (error) {
        say(message.job, 'failed', { error: plain(error) });
    }
};
