/** Counts and sizes that a program may not exceed. Sizes are bytes of UTF-8. */
export interface SandboxLimits {
  /** Milliseconds by the clock, without the time for which the bridge holds it. */
  readonly wallMs: number;
  /** Milliseconds of computing in the guest. */
  readonly cpuMs: number;
  readonly memoryBytes: number;
  readonly stackBytes: number;
  /** Tool calls of the whole program. */
  readonly maxCalls: number;
  /** Tool calls that have not been answered yet. */
  readonly maxConcurrency: number;
  /** Of the arguments of one call, as JSON. */
  readonly maxArgumentBytes: number;
  /** Of one tool's result, and of the value that the program returns, as JSON. */
  readonly maxResultBytes: number;
  /** Of everything the program writes. What stands beyond it is cut, and ends nothing. */
  readonly maxOutputBytes: number;
}

/** A program as an engine runs it: checked, and without types. */
export interface SandboxProgram {
  /**
   * The body of a strict async function: `await` anywhere, `return` gives the program's value. Its lines are those that the
   * model wrote.
   */
  readonly body: string;
  /** The names under which the tools can be called, as `name(…)` where it is an identifier, and as `tools[name](…)`. */
  readonly tools: readonly string[];
  /** Makes `Math.random` repeatable; a number of its own where it is left out. */
  readonly seed?: number | undefined;
  /** What `Date.now()` gives at the start, in milliseconds since the epoch; the host's clock where it is left out. */
  readonly now?: number | undefined;
}

/** A tool call as it comes out of the guest. */
export interface BridgeCall {
  /** 1 for the program's first call. */
  readonly id: number;
  readonly name: string;
  /** The arguments as the program gave them: JSON text of an array. */
  readonly json: string;
  /** The line of the program from which the call was made, if the engine knows it. */
  readonly line?: number | undefined;
}

/** The result of a tool call, as the guest receives it. */
export type BridgeAnswer =
  | {
      readonly ok: true;
      /** JSON text; undefined gives `undefined`. */
      readonly json: string | undefined;
    }
  | {
      readonly ok: false;
      /** Becomes the kind of the program's error when the program does not catch it. */
      readonly kind: 'tool_error' | 'type' | 'denied';
      /** The message of the `ToolError` that the program gets. */
      readonly message: string;
    };

/** Stops the clock of a program while a person is asked; the function that is returned lets it go on. */
export type HoldClock = () => () => void;

/** What the host does for a program; only strings cross. */
export interface SandboxBridge {
  /**
   * Runs a tool. The signal aborts when the program ends before the call does; the answer is dropped then. It does not reject:
   * whatever goes wrong is an answer, or ends the program through the signal that `Sandbox.run` was given.
   */
  call(call: BridgeCall, signal: AbortSignal, hold: HoldClock): Promise<BridgeAnswer>;
  /** One console call: its text without the line break. */
  write(stream: 'output' | 'error', text: string): void;
}

/** A value that came out of the guest. */
export type GuestValue =
  | { readonly kind: 'json'; /** undefined for `undefined`. */ readonly json: string | undefined }
  /** A JSON round trip would change it. */
  | { readonly kind: 'not-serializable'; readonly type: string; readonly preview: string };

/** What a program threw and did not catch. */
export interface GuestError {
  /** The error's name; `typeof` of a value that is no error. */
  readonly name: string;
  readonly message: string;
  /** Where in `SandboxProgram.body`, both from 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Set when it is the `ToolError` of a call. */
  readonly call?: { readonly id: number; readonly kind: 'tool_error' | 'type' | 'denied' } | undefined;
}

/** The limit that ended a program. */
export type ExceededLimit = 'wall' | 'cpu' | 'memory' | 'calls' | 'concurrency' | 'argument' | 'result';

/** How a program ended. A stack overflow is an error that the program threw. */
export type SandboxEnd =
  | { readonly kind: 'completed'; readonly value: GuestValue }
  | { readonly kind: 'threw'; readonly error: GuestError }
  | {
      readonly kind: 'exceeded';
      readonly limit: ExceededLimit;
      readonly line?: number | undefined;
      /** The program waits for something that never comes; it ends at once, as one that takes too long. */
      readonly idle?: boolean | undefined;
    }
  /** The caller's signal was aborted. */
  | { readonly kind: 'cancelled' }
  /** The engine itself failed; the message holds no path of the host. */
  | { readonly kind: 'crashed'; readonly message: string };

/**
 * Port to an engine that runs programs behind a boundary (docs/contract.md, 23). An engine that
 * passes `engineConformance` of `toolwright/code/testing` keeps these promises:
 * the program reaches nothing of the host but the bridge; when `run` settles, nothing of the program runs any more, the signal
 * of every call without an answer has been aborted, and the bridge is not called again; the host's event loop is never blocked
 * for more than 50 ms; `run` rejects only for faults of its caller.
 */
export interface Sandbox {
  /** Shown in messages, e.g. `quickjs`. */
  readonly name: string;
  run(program: SandboxProgram, bridge: SandboxBridge, limits: SandboxLimits, signal?: AbortSignal): Promise<SandboxEnd>;
  /** Ends its workers; runs that have not ended are cancelled. */
  close(): Promise<void>;
}
