import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { builtFolder } from '../../common/builtFolder.js';
import { SandboxError } from './SandboxError.js';
import { compileWasm, type WasmModule } from './wasm.js';

/** The compiled modules, which the workers instantiate. */
export interface Engine {
  readonly engine: WasmModule;
  readonly extensions: readonly { readonly name: string; readonly wasm: WasmModule }[];
}

/** Provide TextEncoder, TextDecoder and structuredClone. */
const extensionNames = ['encoding', 'structured-clone'];

/**
 * Finds and compiles QuickJS.
 *
 * @throws {SandboxError} E651: quickjs-wasi is not installed.
 */
export async function loadEngine(): Promise<Engine> {
  try {
    const compiled = extensionNames.map(async (name) => ({ name, wasm: await compile(`${name}.so`) }));
    const [engine, extensions] = await Promise.all([compile('quickjs.wasm'), Promise.all(compiled)]);
    return { engine, extensions };
  } catch (cause) {
    throw new SandboxError('programs need the package quickjs-wasi', { code: 'E651', cause });
  }
}

async function compile(file: string): Promise<WasmModule> {
  const { resolve } = createRequire(join(builtFolder, 'package.json'));
  return compileWasm(await readFile(resolve(`quickjs-wasi/${file}`)));
}
