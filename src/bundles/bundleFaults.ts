import { report, ToolwrightError } from '../error/ToolwrightError.js';

/** What does not fit at a line of a bundle, as E750. */
export function unreadable(line: number, problem: string, cause?: unknown): ToolwrightError {
  const details = { code: 'E750', place: `line ${String(line)}`, cause } as const;
  return new ToolwrightError(report(problem, details), details);
}

/** What of a bundle is too much, as E751. */
export function tooLarge(place: string, problem: string): ToolwrightError {
  const details = { code: 'E751', place } as const;
  return new ToolwrightError(report(problem, details), details);
}
