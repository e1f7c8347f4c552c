import type { ExecutionResult, ExecutionStatus, ProgramCall, ProgramFault } from '../ExecutionResult.js';
import type { ProgramEnd } from './ProgramEnd.js';
import { renderResult } from './renderResult.js';

/** The result of a program: its last attempt, with the calls of all attempts. Frozen. */
export class ProgramResult implements ExecutionResult {
  readonly success: boolean;
  readonly status: ExecutionStatus;
  readonly output: string;
  readonly errorOutput: string;
  readonly returnValue: unknown;
  readonly toolCalls: readonly ProgramCall[];
  readonly error: ProgramFault | null;
  readonly attempts: number;
  readonly #maxValueChars: number;

  /**
   * @param last the last attempt
   * @param before the attempts before it
   */
  constructor(last: ProgramEnd, before: readonly ProgramEnd[], maxValueChars: number) {
    this.success = last.status === 'completed';
    this.status = last.status;
    this.output = last.output;
    this.errorOutput = last.errorOutput;
    this.returnValue = last.returnValue;
    this.toolCalls = Object.freeze([...before, last].flatMap(({ calls }) => calls));
    this.error = last.error;
    this.attempts = before.length + 1;
    this.#maxValueChars = maxValueChars;
    Object.freeze(this);
  }

  toModelText(): string {
    return renderResult(this, this.#maxValueChars);
  }
}
