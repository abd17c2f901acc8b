// toon.mjs - the line of pith-bench for the npm package @toon-format/toon.
import { decode, encode } from '@toon-format/toon';
import { main } from './measure.mjs';

main('toon-js', '@toon-format/toon', {
    'json toon': { decode: JSON.parse, encode },
    'toon json': { decode, encode: JSON.stringify },
});
