// toon.mjs - the npm package @toon-format/toon, of whichever version is installed here.
// The variants are those of `toon` and `toon3` in ../peers.py.
import { decode, encode } from '@toon-format/toon';
import { serve } from './serve.mjs';

const variants = [
    {},
    { delimiter: '\t' },
    { delimiter: '|' },
    { indent: 4, indentSize: 4 },
    { strict: false },
    { keyFolding: 'safe', expandPaths: 'safe' },
];

serve((json, variant) => encode(JSON.parse(json), variants[variant]),
    (text, variant) => JSON.stringify(decode(text, variants[variant])));
