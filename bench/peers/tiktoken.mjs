// tiktoken.mjs - the line of pith-bench for the npm package tiktoken: WebAssembly made of
// the Rust of OpenAI's library. It has no way to count alone, so it makes the list of ids.
import { get_encoding } from 'tiktoken';
import { main } from './measure.mjs';

const encoding = get_encoding('o200k_base');
const work = { count: (text) => encoding.encode_ordinary(text).length };

main('tiktoken-js', 'tiktoken', {
    'json tokens': work,
    'toon tokens': work,
    'gcf tokens': work,
});
