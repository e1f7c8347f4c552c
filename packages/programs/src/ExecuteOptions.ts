import type { CallOptions } from 'toolwright';
import type { Approver } from 'toolwright/policies';
import type { Awaitable } from 'toolwright/types';
import {
  aFunction,
  anObject,
  anything,
  aText,
  callOptionForms,
  fieldsOf,
  formOf,
  listOf,
  oneOf,
  type OptionForms,
} from 'toolwright/internal';
import type { ExecutionResult, ProgramCall, ProgramFault, ProgramEvent } from './ExecutionResult.js';

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

const aRecordedValue = formOf('a value that JSON can hold', (value) => {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
});
/** A call of a program as a paused result has it; its host may have kept it as JSON. */
const aRecordedCall = fieldsOf(
  { name: aText, args: anObject, status: oneOf('ok', 'error', 'denied', 'cancelled', 'pending') },
  { result: aRecordedValue },
);

export const executeOptionForms: OptionForms<ExecuteOptions> = {
  ...callOptionForms,
  approve: aFunction,
  retry: anything,
  resume: fieldsOf({ toolCalls: listOf(aRecordedCall) }),
};
