import { report, ToolwrightError } from '../error/ToolwrightError.js';

/** Makes the error E750: a line of a bundle does not fit. */
export function unreadable(line: number, problem: string, cause?: unknown): ToolwrightError {
  const details = { code: 'E750', place: `line ${String(line)}`, cause } as const;
  return new ToolwrightError(report(problem, details), details);
}

/** Makes the error E751: a bundle, or a line of it, is too large. */
export function tooLarge(place: string, problem: string): ToolwrightError {
  const details = { code: 'E751', place } as const;
  return new ToolwrightError(report(problem, details), details);
}
