import type { BridgeCall, GuestError, GuestValue, SandboxLimits } from '../Sandbox.js';
import type { WasmModule } from './wasm.js';

/** What a worker thread is started with. */
export interface WorkerSetup {
  /** The engine, and its extensions by name: compiled once, instantiated for each program. */
  readonly engine: WasmModule;
  readonly extensions: readonly { readonly name: string; readonly wasm: WasmModule }[];
  /** Of the first program's instance. */
  readonly size: { readonly memoryBytes: number; readonly stackBytes: number };
}

/** A program as it goes to a worker. */
export interface ProgramOrder {
  readonly body: string;
  readonly tools: readonly string[];
  readonly seed: number;
  readonly now: number | undefined;
  readonly limits: SandboxLimits;
  /** Memory of the `GuestClock`. */
  readonly clock: SharedArrayBuffer;
}

/** How a tool call ended, as the guest reads it. */
export type GuestAnswer =
  | { readonly id: number; readonly ok: true; readonly json?: string | undefined }
  | {
      readonly id: number;
      readonly ok: false;
      readonly kind: 'tool_error' | 'type' | 'denied';
      readonly message: string;
    };

/** What the guest said, in its order. */
export type GuestMessage =
  | { readonly kind: 'call'; readonly call: BridgeCall }
  | { readonly kind: 'write'; readonly stream: 'output' | 'error'; readonly text: string };

/** How a program ended, as far as its worker knows; `stopped`: the host wanted it so. */
export type GuestEnd =
  | { readonly kind: 'completed'; readonly value: GuestValue }
  | { readonly kind: 'threw'; readonly error: GuestError }
  | {
      readonly kind: 'exceeded';
      readonly limit: 'memory' | 'calls' | 'concurrency' | 'argument' | 'result';
      readonly line?: number | undefined;
    }
  | { readonly kind: 'idle' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'crashed'; readonly message: string };

/** `run` numbers the programs of a worker: what is late for one must not reach the next. */
export type ToWorker =
  | { readonly kind: 'run'; readonly run: number; readonly order: ProgramOrder }
  | { readonly kind: 'answers'; readonly run: number; readonly answers: readonly GuestAnswer[] }
  | { readonly kind: 'stop'; readonly run: number };

export type FromWorker =
  /** The program begins: its clock runs from now on. */
  | { readonly kind: 'began'; readonly run: number }
  | { readonly kind: 'said'; readonly run: number; readonly said: readonly GuestMessage[] }
  | { readonly kind: 'ended'; readonly run: number; readonly end: GuestEnd };
