import type { ExecutionResult, ProgramCall } from './ExecutionResult.js';

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
