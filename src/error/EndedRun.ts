import type { Message } from '../value/Message.js';
import type { Usage } from '../value/Usage.js';
import { ToolwrightError } from './ToolwrightError.js';

/** How far a run had come when an error ended it. */
export interface EndedRun {
  /** The conversation with all answers and outcomes, redacted as in a response. */
  readonly transcript: readonly Message[];
  /** Of all requests that were answered; undefined if one of them reported none. */
  readonly usage: Usage | undefined;
  /** `session.version` of the run's session. */
  readonly sessionVersion: number;
}

/** Writes on an error what the run that it ends has come to; an error that is not Toolwright's stays as it is. */
export function endRun(error: unknown, ended: EndedRun): void {
  if (!(error instanceof ToolwrightError)) return;
  for (const name of ['transcript', 'usage', 'sessionVersion'] as const) {
    // Not enumerable, since whatever prints an error would print the whole conversation; not on the class, since the error may be
    // one of another copy of the package.
    Reflect.defineProperty(error, name, { get: () => ended[name], enumerable: false, configurable: true });
  }
}
