/** A compiled WebAssembly module, which can be posted to a worker. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

/** TypeScript declares it only with the DOM library. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<WasmModule> };

export function compileWasm(bytes: Uint8Array): Promise<WasmModule> {
  return WebAssembly.compile(bytes);
}
