import { ToolwrightError } from 'toolwright';
import { brand, formatMessage } from 'toolwright/internal/light';
import type { ErrorDetails } from 'toolwright/types';

/** Thrown if an MCP server is set up or used wrongly, or if its client does not support a handler's request. */
export class McpServerError extends ToolwrightError {
  constructor(problem: string, details: ErrorDetails) {
    super(formatMessage(problem, details), details);
  }
}
brand(McpServerError, 'McpServerError');
