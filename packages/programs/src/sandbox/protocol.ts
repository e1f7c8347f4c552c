import type { BridgeCall, GuestError, GuestValue, SandboxLimits, ToolErrorKind } from '../Sandbox.js';
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

/** The result of a tool call, as sent to the guest. */
export type GuestAnswer =
  | { readonly id: number; readonly ok: true; readonly json?: string | undefined }
  | {
      readonly id: number;
      readonly ok: false;
      readonly kind: ToolErrorKind;
      readonly message: string;
      readonly value?: string | undefined;
    };

/** A call on its way to the host. */
interface SentCall extends Omit<BridgeCall, 'json'> {
  readonly json: SentText;
}

/** The value of a program on its way to the host. */
export type SentValue =
  { readonly kind: 'json'; readonly json: SentText | undefined } | Exclude<GuestValue, { readonly kind: 'json' }>;

/** A message of the guest to the host. */
export type GuestMessage =
  | { readonly kind: 'call'; readonly call: SentCall }
  | { readonly kind: 'write'; readonly stream: 'output' | 'error'; readonly text: string };

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

/** A message to a worker. `run` numbers its programs, so that a late message for one does not reach the next. */
export type ToWorker =
  | { readonly kind: 'run'; readonly run: number; readonly order: ProgramOrder }
  | { readonly kind: 'answers'; readonly run: number; readonly answers: readonly GuestAnswer[] }
  | { readonly kind: 'stop'; readonly run: number };

export type FromWorker =
  /** The program starts, and its clock with it. */
  | { readonly kind: 'began'; readonly run: number }
  | { readonly kind: 'messages'; readonly run: number; readonly messages: readonly GuestMessage[] }
  | { readonly kind: 'ended'; readonly run: number; readonly end: GuestEnd };

/** A message of a thread: about its program, or that the instance for the next program is ready. */
export type FromThread = FromWorker | { readonly kind: 'ready' };
