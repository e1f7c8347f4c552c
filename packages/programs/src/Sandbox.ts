/** Limits of a program. Sizes are bytes of UTF-8. */
export interface SandboxLimits {
  /** Wall-clock milliseconds, without the time for which the bridge holds the clock. */
  readonly wallMs: number;
  /** Milliseconds of computation in the guest. */
  readonly cpuMs: number;
  readonly memoryBytes: number;
  readonly stackBytes: number;
  /** Tool calls of the whole program. */
  readonly maxCalls: number;
  /** Tool calls in flight at the same time. */
  readonly maxConcurrency: number;
  /** Of the arguments of one call, as JSON. */
  readonly maxArgumentBytes: number;
  /** Of one tool's result, and of the value that the program returns, as JSON. */
  readonly maxResultBytes: number;
  /** Of everything that the program writes. The rest is cut; the program continues. */
  readonly maxOutputBytes: number;
}

/** A program as an engine runs it: checked, and without types. */
export interface SandboxProgram {
  /**
   * The body of a strict async function: `await` is allowed, and `return` sets the program's value. Its lines match the lines of the
   * model's source.
   */
  readonly body: string;
  /** The names of the tools: each is callable as `tools[name](…)`, and as `name(…)` if it is an identifier. */
  readonly tools: readonly string[];
  /** The party that the program runs for, such as a toolkit. Programs of one owner share a queue, and owners take turns. */
  readonly owner?: object | undefined;
  /** Seed of `Math.random`; a random one by default. */
  readonly seed?: number | undefined;
  /** The value of `Date.now()` at the start, in milliseconds since the epoch; the host's clock by default. */
  readonly now?: number | undefined;
}

/** A tool call as the guest sends it. */
export interface BridgeCall {
  /** 1 for the program's first call. */
  readonly id: number;
  readonly name: string;
  /** The arguments as the program passed them: JSON text of an array. */
  readonly json: string;
  /** The line of the program that made the call, if known. */
  readonly line?: number | undefined;
}

/**
 * How a call of a program failed: the tool refused or failed, its arguments were wrong, a policy or an approver denied it, or
 * data that it had read was changed meanwhile.
 */
export type ToolErrorKind = 'tool_error' | 'type' | 'denied' | 'conflicted';

/** The result of a tool call, as the guest receives it. */
export type BridgeAnswer =
  | {
      readonly ok: true;
      /** JSON text; undefined stands for `undefined`. */
      readonly json: string | undefined;
    }
  | {
      readonly ok: false;
      /** The `kind` of the `ToolError` that the program receives, and of the program's error if it does not catch it. */
      readonly kind: ToolErrorKind;
      readonly message: string;
      /** The `value` of the `ToolError`, as JSON text; undefined stands for `null`. */
      readonly value?: string | undefined;
    };

/** Stops the clock of a program during an approval; the returned function resumes it. */
export type HoldClock = () => () => void;

/** The host's side of a program; only strings cross. */
export interface SandboxBridge {
  /**
   * Runs a tool. The signal aborts if the program ends before the call, whose answer is then dropped. It must not reject: a
   * failure is an answer, or ends the program through the signal passed to `Sandbox.run`.
   */
  call(call: BridgeCall, signal: AbortSignal, hold: HoldClock): Promise<BridgeAnswer>;
  /** Receives the text of one console call, without the line break. */
  write(stream: 'output' | 'error', text: string): void;
}

/** A value returned by the guest. */
export type GuestValue =
  | { readonly kind: 'json'; /** undefined for `undefined`. */ readonly json: string | undefined }
  /** A JSON round trip would change it. */
  | { readonly kind: 'not-serializable'; readonly type: string; readonly preview: string };

/** An uncaught error of a program. */
export interface GuestError {
  /** The error's name; `typeof` the value if it is not an error. */
  readonly name: string;
  readonly message: string;
  /** Position in `SandboxProgram.body`, both from 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Set if it is the `ToolError` of a call. */
  readonly call?: { readonly id: number; readonly kind: ToolErrorKind } | undefined;
}

/** The limit that ended a program. */
export type ExceededLimit = 'wall' | 'cpu' | 'memory' | 'calls' | 'concurrency' | 'argument' | 'result';

/** The outcome of a program. A stack overflow is an error that the program threw. */
export type SandboxEnd =
  | { readonly kind: 'completed'; readonly value: GuestValue }
  | { readonly kind: 'threw'; readonly error: GuestError }
  | {
      readonly kind: 'exceeded';
      readonly limit: ExceededLimit;
      readonly line?: number | undefined;
      /** The program waits for a promise that nothing can settle; it ends at once, as if by the time limit. */
      readonly idle?: boolean | undefined;
    }
  /** The caller's signal was aborted. */
  | { readonly kind: 'cancelled' }
  /** The engine itself failed; the message contains no path of the host. */
  | { readonly kind: 'crashed'; readonly message: string };

/**
 * Port to an engine that runs programs in isolation (docs/contract.md, 25). An engine that passes `engineConformance` of
 * `@toolwright/contracts` guarantees: the program reaches nothing of the host but the bridge; when `run` settles, nothing of
 * the program runs any more, the signal of every unanswered call has been aborted, and the bridge is not called again; the
 * host's event loop is never blocked for more than 50 ms; `run` rejects only for faults of its caller.
 */
export interface Sandbox {
  /** Shown in messages, e.g. `quickjs`. */
  readonly name: string;
  run(program: SandboxProgram, bridge: SandboxBridge, limits: SandboxLimits, signal?: AbortSignal): Promise<SandboxEnd>;
  /** Stops the workers and cancels the programs that are running. */
  close(): Promise<void>;
}
