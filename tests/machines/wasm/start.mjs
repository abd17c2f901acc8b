// Runs a program of WASI; its exit status is this one's.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const wasi = new WASI({ version: 'preview1', args: ['test'], returnOnExit: true });
const { instance } = await WebAssembly.instantiate(
    await readFile(process.argv[2]), { wasi_snapshot_preview1: wasi.wasiImport });
process.exit(wasi.start(instance));
