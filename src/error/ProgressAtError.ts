import type { Message } from '../value/Message.js';
import type { Usage } from '../value/Usage.js';
import { ToolwrightError } from './ToolwrightError.js';

/** The progress of a run when an error ended it. */
export interface ProgressAtError {
  /** The conversation with all answers and outcomes, redacted as in a response. */
  readonly transcript: readonly Message[];
  /** The usage of all answered requests; undefined if one of them reported none. */
  readonly usage: Usage | undefined;
  /** `session.version` of the run's session. */
  readonly sessionVersion: number;
}

/** Adds the progress of a run to the error that ended it. An error of another library is not changed. */
export function attachProgress(error: unknown, progress: ProgressAtError): void {
  if (!(error instanceof ToolwrightError)) return;
  for (const name of ['transcript', 'usage', 'sessionVersion'] as const) {
    // Not enumerable: printing the error would print the whole conversation. Not on the class: the error may belong to
    // another copy of the package.
    Reflect.defineProperty(error, name, { get: () => progress[name], enumerable: false, configurable: true });
  }
}
