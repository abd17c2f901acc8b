// gcf.mjs - the npm package @blackwell-systems/gcf.
//
// Its own reader of JSON keeps the order of keys, in Maps, and its decoder gives Maps
// too, which JSON.stringify does not know.
import { decodeGeneric, encodeGeneric, parseJSONOrdered } from '@blackwell-systems/gcf';
import { serve } from './serve.mjs';

const variants = [{}, { noFlatten: true }];

function stringify(value) {
    if (Array.isArray(value)) {
        return '[' + value.map(stringify).join(',') + ']';
    }
    if (value !== null && typeof value === 'object') {
        const members = value instanceof Map ? [...value] : Object.entries(value);
        return '{' + members.map(([key, member]) =>
            JSON.stringify(String(key)) + ':' + stringify(member)).join(',') + '}';
    }
    return typeof value === 'bigint' ? String(value) : String(JSON.stringify(value));
}

serve((json, variant) => encodeGeneric(parseJSONOrdered(json), variants[variant]),
    (text) => stringify(decodeGeneric(text)));
