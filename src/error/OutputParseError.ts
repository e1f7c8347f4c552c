import { brand } from '../common/brand.js';
import { PromptError } from './PromptError.js';
import { formatIssues, type ParamIssue } from './toolErrors.js';
import { formatMessage, type ErrorDetails } from './ToolwrightError.js';

/** An unreadable answer, and the expected form. */
export interface InvalidOutput {
  /** `Review`, or `an array of Review`. */
  readonly expected: string;
  /** The whole text of the model. */
  readonly rawText: string;
  readonly issues: readonly ParamIssue[];
  /** Set if the model was not asked again because it declined or was cut short. */
  readonly stopped?: string | undefined;
}

/**
 * A final answer does not have the required form. `issues` lists the faults, each with its path, and `rawText` is the
 * text of the model (docs/contract.md, 14). The message does not repeat the text.
 */
export class OutputParseError extends PromptError {
  readonly rawText: string;
  readonly issues: readonly ParamIssue[];

  constructor({ expected, rawText, issues, stopped }: InvalidOutput) {
    const details: ErrorDetails = { code: stopped === undefined ? 'E530' : 'E531', place: expected };
    const why = stopped === undefined ? '' : `${stopped}; `;
    super(formatMessage(`${why}the answer is not ${expected}: ${formatIssues(issues)}`, details), details);
    this.rawText = rawText;
    this.issues = issues;
  }
}
brand(OutputParseError, 'OutputParseError');
