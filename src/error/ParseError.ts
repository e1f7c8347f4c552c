import { brand } from '../common/brand.js';
import { type ParamIssue, formatIssues } from './toolErrors.js';
import { formatMessage, ToolwrightError } from './ToolwrightError.js';

/**
 * `parse` could not convert a value to an instance. `issues` lists the faults, each with its path
 * (docs/contract.md, 2). Not a `ToolValidationError`: the value that a handler parses rarely comes from the model, which must not be
 * blamed for it.
 */
export class ParseError extends ToolwrightError {
  readonly issues: readonly ParamIssue[];

  /** @param className name of the class that the value was parsed into */
  constructor(className: string, issues: readonly ParamIssue[]) {
    const details = { code: 'E213', place: className } as const;
    super(formatMessage(`the value is not a valid ${className}: ${formatIssues(issues)}`, details), details);
    this.issues = issues;
  }
}
brand(ParseError, 'ParseError');
