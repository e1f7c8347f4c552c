/** What kind of fault ended a program. `refused`: a check refused it, and nothing of it ran. */
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
  | 'denied';

/** Why a program did not complete, in places of the program as the model wrote it. Names no path and no frame of the host. */
export interface ProgramFault {
  readonly kind: ProgramErrorKind;
  /** `TypeError`, `ToolError`, …; the diagnostic (`TS2551`) for a program that the type check refused. */
  readonly name: string;
  readonly message: string;
  /** From 1; null where no place is known. */
  readonly line: number | null;
  /** From 1; null where no place is known. */
  readonly column: number | null;
  /** The line itself, shortened; null where no place is known. */
  readonly snippet: string | null;
  /** What to do about it; null where nothing is known. */
  readonly hint: string | null;
}

/** How a call of a program stands; `pending`: it waits for an approval. */
export type ProgramCallStatus = 'ok' | 'error' | 'denied' | 'cancelled' | 'pending';

/** One tool call of a program; written when it starts, in the order of starts. All values are copies. */
export interface ProgramCall {
  readonly id: string;
  /** The name on the wire. */
  readonly name: string;
  /** By name, as the program gave them, before defaults. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly status: ProgramCallStatus;
  /** Set on status `ok`. */
  readonly result?: unknown;
  /** The tool's own message; set on status `error` and `denied`. */
  readonly error?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** The line of the program, where it is known. */
  readonly line?: number | undefined;
  /** True when what it changed was taken back with the program. */
  readonly rolledBack?: boolean | undefined;
}

/** In place of a value that a JSON round trip would change. */
export interface NotSerializable {
  readonly kind: 'not-serializable';
  /** `typeof`, else the name of the constructor; `object` for a plain one. */
  readonly type: string;
  /** How it looks, shortened. */
  readonly preview: string;
}

/** How a program ended; `paused`: a call of it waits for an approval. */
export type ExecutionStatus = 'completed' | 'failed' | 'timed_out' | 'cancelled' | 'paused';

/** What came of a program (docs/contract.md, 21). */
export interface ExecutionResult {
  /** True only for status `completed`. */
  readonly success: boolean;
  readonly status: ExecutionStatus;
  /** What was written with `console.log`, `info` and `debug`; kept also when the program failed. */
  readonly output: string;
  /** What was written with `console.warn` and `error`, and rejections that nothing handled. */
  readonly errorOutput: string;
  /** A copy of what the program returned, or of its last expression; undefined for none, `NotSerializable` for what is no JSON. */
  readonly returnValue: unknown;
  readonly toolCalls: readonly ProgramCall[];
  /** Null on success, and for a program that is paused: nothing is wrong with it. */
  readonly error: ProgramFault | null;
  /** 1 without a retry. */
  readonly attempts: number;
  /** What the model reads of all this. */
  toModelText(): string;
}
