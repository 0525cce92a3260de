// Runs a program for WASI in node, with its arguments.
import { readFile } from 'node:fs/promises';
import { argv, exit, kill, pid } from 'node:process';
import { WASI } from 'node:wasi';

const [program, ...words] = argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: ['./program', ...words], returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
let status;
try {
    status = wasi.start(instance);
} catch (trap) {
    console.error(String(trap));
    // Most likely the program has called abort().
    kill(pid, 'SIGABRT');
}
exit(status);
