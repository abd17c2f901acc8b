// folder.js - where the files of the package are. In dist/cjs another file stands for it.
export const folder = new URL('./', import.meta.url);
