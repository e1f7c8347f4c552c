import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { builtFolder } from '../builtFolder.js';
import { SandboxError } from './SandboxError.js';
import { compileFor, compileWasm, type WasmModule } from './compileWasm.js';

/** The modules that the workers instantiate. */
export interface Engine {
  /** The installed engine. */
  readonly bytes: Uint8Array;
  /** The engine, compiled for the memory limit that `loadEngine` was given. */
  readonly engine: WasmModule;
  readonly extensions: readonly { readonly name: string; readonly wasm: WasmModule }[];
}

/** Provides TextEncoder and TextDecoder. The extension for structuredClone is not safe: `Cloner` replaces it. */
const extensionNames = ['encoding'];

/**
 * Finds and compiles QuickJS.
 *
 * @param memoryBytes memory limit of a program
 * @throws {SandboxError} E651: quickjs-wasi is not installed.
 */
export async function loadEngine(memoryBytes: number): Promise<Engine> {
  try {
    const bytes = await read('quickjs.wasm');
    const compiled = extensionNames.map(async (name) => ({ name, wasm: await compileWasm(await read(`${name}.so`)) }));
    const [engine, extensions] = await Promise.all([compileFor(bytes, memoryBytes), Promise.all(compiled)]);
    return { bytes, engine, extensions };
  } catch (cause) {
    throw new SandboxError('programs need the package quickjs-wasi', { code: 'E651', cause });
  }
}

function read(file: string): Promise<Uint8Array> {
  const { resolve } = createRequire(join(builtFolder, 'package.json'));
  return readFile(resolve(`quickjs-wasi/${file}`));
}
