/*
 * models.js - which tokenizer a model has, by the beginning of its name.
 */
import { PithError } from './memory.js';

// The longest beginning counts. Models whose vocabulary is not public are not here: a count
// for them would be a guess, which tokenizer: 'estimate' says it is.
const MODELS = [
    ['gpt-5', 'o200k_base'], ['gpt-4.5', 'o200k_base'], ['gpt-4.1', 'o200k_base'],
    ['gpt-4o', 'o200k_base'], ['chatgpt-4o', 'o200k_base'], ['o1', 'o200k_base'],
    ['o3', 'o200k_base'], ['o4', 'o200k_base'], ['gpt-oss', 'o200k_base'],
    ['gpt-4', 'cl100k_base'], ['gpt-3.5', 'cl100k_base'], ['gpt-35', 'cl100k_base'],
    ['text-embedding-3', 'cl100k_base'], ['text-embedding-ada-002', 'cl100k_base'],
    ['text-davinci-003', 'p50k_base'], ['text-davinci-002', 'p50k_base'],
].sort((a, b) => b[0].length - a[0].length);

export function tokenizerOf(model) {
    const name = String(model).split('/').pop().toLowerCase();
    for (const [beginning, tokenizer] of MODELS) {
        if (name === beginning || (name.startsWith(beginning)
            && '-.:'.includes(name[beginning.length]))) return tokenizer;
    }
    throw new PithError(`the tokenizer of model '${model}' is not known: give tokenizer:, which`
        + " may be one of your own (loadTokenizer) or 'estimate'", { code: 'unknown_model' });
}
