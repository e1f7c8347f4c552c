import { SandboxError } from './SandboxError.js';

/** A compiled WebAssembly module, which can be posted to a worker. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

/** TypeScript declares it only with the DOM library. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<WasmModule> };

export function compileWasm(bytes: Uint8Array): Promise<WasmModule> {
  return WebAssembly.compile(bytes);
}

/** Memory of an instance besides its program's, and a factor for gaps between allocations. */
const [BESIDE_BYTES, SPREAD] = [16 * 1024 * 1024, 2];

/** Compiles the engine with a memory limit that leaves enough room for a program of that size. */
export function compileFor(bytes: Uint8Array, memoryBytes: number): Promise<WasmModule> {
  return compileWasm(withMaximumMemory(bytes, SPREAD * memoryBytes + BESIDE_BYTES));
}

const PAGE_BYTES = 65_536;
const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
/** One memory, with a maximum. */
const [ONE, HAS_MAXIMUM] = [1, 1];

/**
 * Limits the memory of a module; the machine enforces the limit, whatever the code inside does.
 *
 * @param bytes a module that defines one memory
 * @param maxBytes rounded up to whole pages of 64 KiB
 * @throws SandboxError E651 for a module that does not define one
 */
export function withMaximumMemory(bytes: Uint8Array, maxBytes: number): Uint8Array {
  let at = HEADER_BYTES;
  while (at < bytes.length) {
    const size = readNumber(bytes, at + 1);
    const end = size.end + size.value;
    if (bytes[at] === MEMORY_SECTION) {
      const least = readNumber(bytes, size.end + 2);
      const most = Math.max(Math.ceil(maxBytes / PAGE_BYTES), least.value);
      const content = [ONE, HAS_MAXIMUM, ...encodeNumber(least.value), ...encodeNumber(most)];
      const section = [MEMORY_SECTION, ...encodeNumber(content.length), ...content];
      return Buffer.concat([bytes.subarray(0, at), Uint8Array.from(section), bytes.subarray(end)]);
    }
    at = end;
  }
  throw new SandboxError('the engine has no memory of its own that could be limited', { code: 'E651' });
}

/** Reads an unsigned LEB128 number. */
function readNumber(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let end = start, shift = 0; ; end++, shift += 7) {
    const byte = bytes[end] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, end: end + 1 };
  }
}

/** Writes an unsigned LEB128 number. */
function encodeNumber(value: number): readonly number[] {
  const rest = Math.floor(value / 0x80);
  return rest === 0 ? [value] : [(value % 0x80) + 0x80, ...encodeNumber(rest)];
}
