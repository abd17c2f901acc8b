// measure.mjs - for peers that run in Node what measure.c is for those in C.
//
// A run is what a program does that converts one text: decode, then encode, from a
// string to a string. In the peer's favour the bytes of the file are a string before
// the clock starts, and the result is never turned back into bytes. One process makes
// all the runs, so that all but the first find their code compiled, and the fastest
// counts. There are at least two, unless one took so long that another would tell no
// more. Memory is noted behind the first run, as the others only add garbage.
//
//     node PEER.mjs FILE FROM TO [--seconds S]
import { readFileSync } from 'node:fs';
import process from 'node:process';

const longRunSeconds = 10;

function versionOf(packageName) {
    const path = new URL(`node_modules/${packageName}/package.json`, import.meta.url);
    return JSON.parse(readFileSync(path, 'utf8')).version;
}

// The most memory this process ever had resident.
function residentPeak() {
    return process.resourceUsage().maxRSS * 1024;
}

// A peer that counts tokens has one function, and what comes out is a number.
function countOnce(count, text) {
    const start = performance.now();
    const outputBytes = count(text);
    const whole = (performance.now() - start) / 1000;
    return { whole, outputBytes, peak: residentPeak() };
}

function runOnce({ decode, encode, count }, text) {
    if (count) {
        return countOnce(count, text);
    }
    const start = performance.now();
    const value = decode(text);
    const middle = performance.now();
    const output = encode(value);
    const end = performance.now();
    return {
        whole: (end - start) / 1000,
        decode: (middle - start) / 1000,
        encode: (end - middle) / 1000,
        outputBytes: Buffer.byteLength(output),
        peak: residentPeak(),
    };
}

// All runs of about `seconds`.
function repeat(work, text, seconds) {
    const runs = [];
    let spent = 0;
    let least = 2;
    while (runs.length < least || spent < seconds) {
        const run = runOnce(work, text);
        runs.push(run);
        spent += run.whole;
        least = run.whole > longRunSeconds ? 1 : least;
    }
    return runs;
}

// The line that pith-bench prints, with these figures.
function line(impl, detail, path, from, to, bytes, before, runs) {
    const rate = (seconds) => // none, and left out of the line, where nothing was timed
        seconds === undefined ? undefined : Number((bytes / 1e6 / seconds).toPrecision(4));
    const sorted = (part) => runs.map((run) => run[part]).sort((a, b) => a - b);
    const peak = runs[0].peak - before;
    return JSON.stringify({
        impl,
        detail,
        file: path,
        from,
        to,
        bytes,
        mb_per_s: rate(sorted('whole')[0]),
        median_mb_per_s: rate(sorted('whole')[runs.length >> 1]),
        decode_mb_per_s: rate(sorted('decode')[0]),
        encode_mb_per_s: rate(sorted('encode')[0]),
        output_bytes: runs[0].outputBytes,
        peak_bytes: peak,
        peak_ratio: Number((peak / bytes).toFixed(2)),
        runs: runs.length,
    });
}

// The whole program of a peer: `conversions` maps "FROM TO" to its functions.
export function main(impl, packageName, conversions) {
    const [path, from, to, option, seconds] = process.argv.slice(2);
    const work = conversions[`${from} ${to}`];
    if (!work || (option !== undefined && !(option === '--seconds' && seconds >= 0))) {
        console.error(`usage: FILE FROM TO [--seconds S]; FROM TO is one of:`,
            Object.keys(conversions).join(', '));
        process.exit(2);
    }
    try {
        const before = residentPeak();
        const bytes = readFileSync(path);
        const runs = repeat(work, bytes.toString(), Number(seconds ?? 2));
        const detail = `${versionOf(packageName)} node ${process.versions.node}`;
        console.log(line(impl, detail, path, from, to, bytes.length, before, runs));
    } catch (error) {
        console.error(`${path}: ${error.name}: ${error.message}`);
        process.exit(1);
    }
}
