// gcf.mjs - the line of pith-bench for the npm package @blackwell-systems/gcf.
//
// Its own reader of JSON keeps the order of keys that look like numbers; JSON.parse,
// which does not, is the faster one and is what is measured. It decodes objects into
// Maps, which JSON.stringify does not know: of the ways to write them as JSON, turning
// them into plain objects first is the fastest.
import { decodeGeneric, encodeGeneric } from '@blackwell-systems/gcf';
import { main } from './measure.mjs';

function plain(value) {
    if (value instanceof Map) {
        const object = {};
        for (const [key, member] of value) {
            object[key] = plain(member);
        }
        return object;
    }
    return Array.isArray(value) ? value.map(plain) : value;
}

function stringify(value) {
    return JSON.stringify(plain(value));
}

main('gcf-js', '@blackwell-systems/gcf', {
    'json gcf': { decode: JSON.parse, encode: encodeGeneric },
    'gcf json': { decode: decodeGeneric, encode: stringify },
});
