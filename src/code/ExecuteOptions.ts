import type { Awaitable } from '../common/types.js';
import type { CallOptions } from '../evaluate/RunOptions.js';
import type { Approver } from '../interface/Approver.js';
import type { ExecutionResult, ProgramCall, ProgramFault } from './ExecutionResult.js';
import type { ProgramEvent } from './ProgramEvent.js';

/** What is done about a program that failed: another one is written. */
export interface RetryOptions {
  /** How many attempts may follow the first. */
  readonly max: number;
  /** Gives the next program, as a rule by asking the model. Not asked about programs that were cancelled, paused or timed out. */
  readonly handler: (code: string, error: ProgramFault, log: readonly ProgramCall[]) => Awaitable<string>;
}

/** For whom and how long a program runs. */
export interface ExecuteOptions extends Omit<CallOptions, 'onEvent'> {
  /** Asked about calls that require an approval, in place of the toolkit's approver. */
  readonly approve?: Approver['approve'] | undefined;
  /** Is called with each event of the program as it happens. */
  readonly onEvent?: ((event: ProgramEvent) => void) | undefined;
  readonly retry?: RetryOptions | undefined;
  /** What came of the same program when it was paused: its read-only calls are served with the results they had then. */
  readonly resume?: Pick<ExecutionResult, 'toolCalls'> | undefined;
}
