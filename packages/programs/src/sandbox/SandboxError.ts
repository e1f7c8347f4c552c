import { brand, type ErrorDetails, formatMessage, ToolwrightError } from 'toolwright/internal/light';

/** Thrown if a sandbox cannot run programs: it is not installed, closed, or has an option or limit out of range. */
export class SandboxError extends ToolwrightError {
  constructor(problem: string, details: ErrorDetails) {
    super(formatMessage(problem, details), details);
  }
}
brand(SandboxError, 'SandboxError');
