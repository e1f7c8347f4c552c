import { ToolwrightError } from 'toolwright';
import { brand, PlacedError } from 'toolwright/internal/light';

/** An MCP server could not be bridged, or a bridge was used wrongly. Faults of single calls are results. */
export class McpBridgeError extends PlacedError {}
brand(McpBridgeError, 'McpBridgeError');

/**
 * A call of a bridged tool failed: the server refused it, is unreachable, or sent an unacceptable answer. Models read
 * the message, so it reveals nothing about the host.
 */
export class McpCallError extends ToolwrightError {}
brand(McpCallError, 'McpCallError');
