import { brand, hasBrand } from '../../../common/brand.js';
import { report, ToolwrightError, type ErrorDetails } from '../../../error/ToolwrightError.js';

/** An MCP server was set up or used wrongly, or its client does not support a handler's request. */
export class McpServerError extends ToolwrightError {
  constructor(problem: string, details: ErrorDetails) {
    super(report(problem, details), details);
  }

  static override is(this: void, value: unknown): value is McpServerError {
    return hasBrand(value, 'McpServerError');
  }
}
brand(McpServerError, 'McpServerError');
