import type { ParamIssue } from './toolErrors.js';

const SHOWN = 10;

/** Formats the first issues in one line. */
export function shownIssues(issues: readonly ParamIssue[]): string {
  const shown = issues.slice(0, SHOWN).map(({ path, message }) => `${path} ${message}`.trim());
  return [...shown, ...(issues.length > SHOWN ? [`and ${String(issues.length - SHOWN)} more`] : [])].join('; ');
}
