import { brand, PlacedError } from 'toolwright/internal/light';

/** Thrown if an MCP server is set up or used wrongly, or if its client does not support a handler's request. */
export class McpServerError extends PlacedError {}
brand(McpServerError, 'McpServerError');
