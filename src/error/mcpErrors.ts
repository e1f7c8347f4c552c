import { brand } from '../common/brand.js';
import { formatMessage, ToolwrightError, type ErrorDetails } from './ToolwrightError.js';

/** An MCP server could not be bridged, or a bridge was used wrongly. Faults of single calls are results. */
export class McpBridgeError extends ToolwrightError {
  constructor(problem: string, details: ErrorDetails) {
    super(formatMessage(problem, details), details);
  }
}
brand(McpBridgeError, 'McpBridgeError');

/**
 * A call of a bridged tool failed: the server refused it, is unreachable, or sent an unacceptable answer. Models read
 * the message, so it reveals nothing about the host.
 */
export class McpCallError extends ToolwrightError {}
brand(McpCallError, 'McpCallError');
