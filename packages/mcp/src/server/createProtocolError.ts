import { McpError } from '@modelcontextprotocol/sdk/types.js';

/** Creates an error that the client gets unchanged. The SDK's own errors begin with their code, which each side would add again. */
export function createProtocolError(code: number, message: string, data?: unknown): McpError {
  return Object.assign(new McpError(code, message, data), { message });
}
