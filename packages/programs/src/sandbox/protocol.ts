import type { GuestError, GuestValue, SandboxLimits, ToolErrorKind } from '../Sandbox.js';
import type { SentText } from './SentText.js';
import type { WasmModule } from './compileWasm.js';

/** The `workerData` of a worker thread. */
export interface WorkerSetup {
  /** The installed engine; it is compiled again for programs with another memory limit. */
  readonly bytes: Uint8Array;
  /** The engine for `size`, and its extensions by name: compiled once, instantiated for each program. */
  readonly engine: WasmModule;
  readonly extensions: readonly { readonly name: string; readonly wasm: WasmModule }[];
  /** The size of the first instance. */
  readonly size: { readonly memoryBytes: number; readonly stackBytes: number };
}

/** A program as sent to a worker. */
export interface ProgramOrder {
  readonly body: string;
  readonly tools: readonly string[];
  readonly seed: number;
  readonly now: number | undefined;
  readonly limits: SandboxLimits;
  /** The memory of the `GuestClock`. */
  readonly clock: SharedArrayBuffer;
}

/**
 * The result of a tool call, as sent to the guest. Calls and results are tuples, because property names would double the cost of
 * posting them.
 */
export type GuestAnswer =
  | readonly [id: number, ok: true, json: string | undefined]
  | readonly [id: number, ok: false, value: string | undefined, kind: ToolErrorKind, message: string];

/** The value of a program on its way to the host. */
export type SentValue =
  { readonly kind: 'json'; readonly json: SentText | undefined } | Exclude<GuestValue, { readonly kind: 'json' }>;

/** A message of the guest to the host. */
export type GuestMessage =
  | readonly [kind: 'call', id: number, name: string, json: SentText, line: number | undefined]
  | readonly [kind: 'write', stream: 'output' | 'error', text: string];

/** The end of a program as reported by its worker; `stopped`: at the request of the host. */
export type GuestEnd =
  | { readonly kind: 'completed'; readonly value: SentValue }
  | { readonly kind: 'threw'; readonly error: GuestError }
  | {
      readonly kind: 'exceeded';
      readonly limit: 'memory' | 'calls' | 'concurrency' | 'argument' | 'result';
      readonly line?: number | undefined;
    }
  | { readonly kind: 'idle' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'crashed'; readonly message: string };

/** A message to a worker: its next program, or answers for the present one. */
export type ToWorker = ProgramOrder | readonly GuestAnswer[];

/** A message of a worker about its program. */
export type FromWorker =
  /** The program starts, and its clock with it. */
  { readonly kind: 'began' } | { readonly kind: 'ended'; readonly end: GuestEnd } | readonly GuestMessage[];

/** A message of a thread: about its program, or that the instance for the next program is ready. */
export type FromThread = FromWorker | { readonly kind: 'ready' };
