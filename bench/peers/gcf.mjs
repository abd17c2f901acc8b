// gcf.mjs - the line of pith-bench for the npm package @blackwell-systems/gcf.
//
// Its own reader of JSON keeps the order of keys that look like numbers; JSON.parse,
// which does not, is the faster one and is what is measured.
import { decodeGeneric, encodeGeneric } from '@blackwell-systems/gcf';
import { main } from './measure.mjs';

main('gcf-js', '@blackwell-systems/gcf', {
    'json gcf': { decode: JSON.parse, encode: encodeGeneric },
    'gcf json': { decode: decodeGeneric, encode: JSON.stringify },
});
