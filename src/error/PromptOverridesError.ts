import { brand } from '../common/brand.js';
import { PromptError } from './PromptError.js';
import { formatMessage, type ErrorDetails } from './ToolwrightError.js';

/** Details of an error about overrides: the affected section or tool. */
export interface OverridesErrorDetails extends ErrorDetails {
  readonly place: string;
  readonly sectionPath?: string | undefined;
  readonly toolName?: string | undefined;
}

/** Overrides were refused when they were written, or could not be read (docs/contract.md, 13). */
export class PromptOverridesError extends PromptError {
  readonly sectionPath: string | undefined;
  readonly toolName: string | undefined;

  constructor(problem: string, details: OverridesErrorDetails) {
    super(formatMessage(problem, details), details);
    this.sectionPath = details.sectionPath;
    this.toolName = details.toolName;
  }
}
brand(PromptOverridesError, 'PromptOverridesError');
