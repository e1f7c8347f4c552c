import { ToolwrightError } from 'toolwright';
import { brand, formatMessage } from 'toolwright/internal/light';
import type { ErrorDetails } from 'toolwright/types';

/** Thrown for a folder that is no valid skill, and for a section that cannot be written as one. */
export class SkillError extends ToolwrightError {
  constructor(problem: string, details: ErrorDetails) {
    super(formatMessage(problem, details), details);
  }
}
brand(SkillError, 'SkillError');
