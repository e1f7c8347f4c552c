import type { ErrorCode } from 'toolwright';

/**
 * The kind of fault that ended a program. `refused`: a check refused it before it ran; `conflicted`: data that it had read was
 * changed by someone else meanwhile.
 */
export type ProgramErrorKind =
  | 'syntax'
  | 'type'
  | 'refused'
  | 'reference'
  | 'tool_error'
  | 'thrown'
  | 'timeout'
  | 'memory'
  | 'limit'
  | 'cancelled'
  | 'denied'
  | 'conflicted';

/** The reason why a program did not complete. Lines and columns refer to the model's source; paths and frames of the host never appear. */
export interface ProgramFault {
  readonly kind: ProgramErrorKind;
  /** `TypeError`, `ToolError`, …; the diagnostic (`TS2551`) for a program that the type check refused. */
  readonly name: string;
  readonly message: string;
  /** From 1; null if the place is unknown. */
  readonly line: number | null;
  /** From 1; null if the place is unknown. */
  readonly column: number | null;
  /** The text of the line, shortened; null if the place is unknown. */
  readonly snippet: string | null;
  /** Advice on how to fix it; null if there is none. */
  readonly hint: string | null;
  /** The code of docs/errors.md, for a program that a limit of the host refused or ended; undefined for every other fault. */
  readonly code?: ErrorCode | undefined;
}

/** One tool call of a program, logged in the order in which calls start. All values are copies. */
export interface ProgramCall {
  readonly id: string;
  /** The name on the wire. */
  readonly name: string;
  /** By name, as the program passed them, before defaults. */
  readonly args: Readonly<Record<string, unknown>>;
  /** `pending`: it waits for an approval. */
  readonly status: 'ok' | 'error' | 'denied' | 'cancelled' | 'pending';
  /** Set on status `ok`. */
  readonly result?: unknown;
  /** The tool's own message; set on status `error` and `denied`. */
  readonly error?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** The line of the program, if known. */
  readonly line?: number | undefined;
  /** True if its changes were rolled back with the program. */
  readonly rolledBack?: boolean | undefined;
}

/** Replaces a value that a JSON round trip would change. */
export interface NotSerializable {
  readonly kind: 'not-serializable';
  /** `typeof`, else the name of the constructor; `object` for a plain one. */
  readonly type: string;
  /** A shortened rendering of the value. */
  readonly preview: string;
}

/** The status of a program that has ended; `paused`: one of its calls waits for an approval. */
export type ExecutionStatus = 'completed' | 'failed' | 'timed_out' | 'cancelled' | 'paused';

/** The result of a program (docs/contract.md, 23). */
export interface ExecutionResult {
  /** True only for status `completed`. */
  readonly success: boolean;
  readonly status: ExecutionStatus;
  /** Output of `console.log`, `info` and `debug`; kept also if the program failed. */
  readonly output: string;
  /** Output of `console.warn` and `error`, and unhandled rejections. */
  readonly errorOutput: string;
  /** A copy of the returned value or of the last expression: undefined without a value, `NotSerializable` if it is not JSON. */
  readonly returnValue: unknown;
  readonly toolCalls: readonly ProgramCall[];
  /** Null on success, and for a paused program, which has no fault. */
  readonly error: ProgramFault | null;
  /** 1 without a retry. */
  readonly attempts: number;
  /** Renders the result as text for the model. */
  toModelText(): string;
}

/** A tool call of a program that has not ended. */
export type BegunCall = Pick<ProgramCall, 'id' | 'name' | 'args' | 'startedAt' | 'line'>;

/** An event of a running program; `done` is the last. */
export type ProgramEvent =
  /** One console call, with its line break. */
  | { readonly kind: 'output'; readonly stream: 'output' | 'error'; readonly text: string }
  /** An approver is asked whether the call may run; the program's clock is stopped. */
  | { readonly kind: 'approval'; readonly call: BegunCall }
  | { readonly kind: 'tool_start'; readonly call: BegunCall }
  /** Also for a call that failed, was denied or was cancelled. */
  | { readonly kind: 'tool_end'; readonly call: ProgramCall }
  | { readonly kind: 'done'; readonly result: ExecutionResult };
