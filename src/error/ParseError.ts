import { brand, hasBrand } from '../common/brand.js';
import type { ParamIssue } from './toolErrors.js';
import { shownIssues } from './shownIssues.js';
import { report, ToolwrightError } from './ToolwrightError.js';

/**
 * A value that `parse` could not make an instance of; `issues` say what is wrong, each with its path (docs/contract.md, 2).
 * Not a `ToolValidationError`: what a handler parses is seldom what the model sent, and must not be blamed on it.
 */
export class ParseError extends ToolwrightError {
  readonly issues: readonly ParamIssue[];

  /** @param className the class that the value was to become an instance of */
  constructor(className: string, issues: readonly ParamIssue[]) {
    const details = { code: 'E213', place: className } as const;
    super(report(`the value is no ${className}: ${shownIssues(issues)}`, details), details);
    this.issues = issues;
  }

  static override is(this: void, value: unknown): value is ParseError {
    return hasBrand(value, 'ParseError');
  }
}
brand(ParseError, 'ParseError');
