import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { ProtocolError } from '@modelcontextprotocol/server';
import type { Logger } from 'toolwright';
import { messageOf } from 'toolwright/internal/light';
import type { Awaitable } from 'toolwright/types';
import { createProtocolError } from './createProtocolError.js';

/** Wraps a handler so that its errors are logged and not sent to the client, except protocol errors. */
export function hideFailures<A extends unknown[], R>(
  logger: Logger,
  handler: (...input: A) => Awaitable<R>,
): (...input: A) => Promise<R> {
  return async (...input) => {
    try {
      return await handler(...input);
    } catch (error) {
      if (error instanceof McpError || error instanceof ProtocolError) throw error;
      logger.error(`MCP: a request could not be answered: ${messageOf(error)}`, { error });
      throw createProtocolError(ErrorCode.InternalError, 'The server could not answer. The request is not at fault.');
    }
  };
}
