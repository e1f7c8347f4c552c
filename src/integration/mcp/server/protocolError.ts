import { McpError } from '@modelcontextprotocol/sdk/types.js';

/** An error that the client gets as it is: what the SDK makes of one begins with its code, and each side puts it there anew. */
export function protocolError(code: number, message: string, data?: unknown): McpError {
  return Object.assign(new McpError(code, message, data), { message });
}
