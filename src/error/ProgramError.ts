import { brand } from '../common/brand.js';
import { formatMessage, ToolwrightError, type ErrorDetails } from './ToolwrightError.js';

/** A toolkit or sandbox was created or used wrongly, or lacks a dependency. Faults of a program itself are results. */
export class ProgramError extends ToolwrightError {
  constructor(problem: string, details: ErrorDetails) {
    super(formatMessage(problem, details), details);
  }
}
brand(ProgramError, 'ProgramError');
