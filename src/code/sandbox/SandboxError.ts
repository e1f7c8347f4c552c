import { brand, hasBrand } from '../../common/brand.js';
import { report, ToolwrightError, type ErrorDetails } from '../../error/ToolwrightError.js';

/** An engine of programs was asked for something that it cannot do: it is not installed, closed, or has impossible limits. */
export class SandboxError extends ToolwrightError {
  constructor(problem: string, details: ErrorDetails) {
    super(report(problem, details), details);
  }

  static override is(this: void, value: unknown): value is SandboxError {
    return hasBrand(value, 'SandboxError');
  }
}
brand(SandboxError, 'SandboxError');
