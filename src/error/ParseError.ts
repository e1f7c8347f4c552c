import { brand } from '../common/brand.js';
import { type ParamIssue, formatIssues } from './toolErrors.js';
import { PlacedError } from './ToolwrightError.js';

/**
 * `parse` could not convert a value to an instance. `issues` lists the faults, each with its path
 * (docs/contract.md, 2). Not a `ToolValidationError`: the value that a handler parses rarely comes from the model, which must not be
 * blamed for it.
 */
export class ParseError extends PlacedError {
  readonly issues: readonly ParamIssue[];

  /** @param className name of the class that the value was parsed into */
  constructor(className: string, issues: readonly ParamIssue[]) {
    super(`the value is not a valid ${className}: ${formatIssues(issues)}`, { code: 'E213', place: className });
    this.issues = issues;
  }
}
brand(ParseError, 'ParseError');
