// serve.mjs - the side of a peer in Node: see ../peer.h for what goes over the pipes.
//
// Bytes are read and written synchronously: a batch is taken in whole before the first
// answer, so there is nothing to wait for in between.
import { readSync, writeSync } from 'node:fs';

function takeBatch(pieces) {
    const piece = Buffer.alloc(1 << 16);
    for (;;) {
        const count = readSync(0, piece, 0, piece.length, null);
        if (count === 0) {
            return false;
        }
        pieces.push(Buffer.from(piece.subarray(0, count)));
        const last = pieces.length === 1 ? piece : Buffer.concat(pieces.slice(-2));
        const end = pieces.length === 1 ? count : last.length;
        if (last[end - 1] === 10 && (end < 2 || last[end - 2] === 10)) {
            return true;
        }
    }
}

function sendAll(text) {
    const bytes = Buffer.from(text, 'utf8');
    for (let sent = 0; sent < bytes.length;) {
        sent += writeSync(1, bytes, sent);
    }
}

function answer(line, encode, decode) {
    const variant = line.charCodeAt(1) - 48;
    const json = line.slice(3);
    try {
        return '=' + (line[0] === 'E' ? JSON.stringify(encode(json, variant))
            : decode(JSON.parse(json), variant));
    } catch (error) {
        return '!' + JSON.stringify(String(error?.message ?? error));
    }
}

// `encode` takes the JSON of a value and gives a text; `decode` takes a text and gives
// the JSON of a value. Both are told the number of the variant.
export function serve(encode, decode) {
    for (let pieces = []; takeBatch(pieces); pieces = []) {
        const lines = Buffer.concat(pieces).toString('utf8').split('\n');
        let answers = '';
        for (const line of lines) {
            if (line !== '') {
                answers += answer(line, encode, decode) + '\n';
            }
        }
        sendAll(answers);
    }
}
