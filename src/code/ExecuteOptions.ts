import type { OptionNames } from '../error/optionNames.js';
import type { Awaitable } from '../common/types.js';
import type { CallOptions } from '../evaluate/RunOptions.js';
import { callOptionForms } from '../evaluate/runOptionForms.js';
import type { Approver } from '../interface/Approver.js';
import type { ExecutionResult, ProgramCall, ProgramFault } from './ExecutionResult.js';
import type { ProgramEvent } from './ProgramEvent.js';

/** Retries of a program that failed, each with another program. */
export interface RetryOptions {
  /** The maximum number of attempts after the first. */
  readonly max: number;
  /** Returns the next program, usually from the model. Not called for programs that were cancelled, paused or timed out. */
  readonly handler: (code: string, error: ProgramFault, log: readonly ProgramCall[]) => Awaitable<string>;
}

/** Options of one execution of a program. */
export interface ExecuteOptions extends Omit<CallOptions, 'onEvent'> {
  /** Decides on calls that require an approval, in place of the toolkit's approver. */
  readonly approve?: Approver['approve'] | undefined;
  /** Called with each event of the program as it happens. */
  readonly onEvent?: ((event: ProgramEvent) => void) | undefined;
  readonly retry?: RetryOptions | undefined;
  /** The result of the same program when it was paused: its read-only calls get the results recorded there. */
  readonly resume?: Pick<ExecutionResult, 'toolCalls'> | undefined;
}

export const executeOptionNames: OptionNames<ExecuteOptions> = { ...callOptionForms, approve: 1, retry: 1, resume: 1 };
