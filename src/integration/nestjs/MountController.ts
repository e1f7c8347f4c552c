import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Req, Res } from '@nestjs/common';
import type { Awaitable } from '../../common/types.js';
import { nodeRequest, nodeResponse } from './nodeExchange.js';

/**
 * Mounts a handler of Node's own requests, such as an MCP server, on a path of Nest: Nest's middleware, and guards and
 * interceptors of the class run first.
 *
 * @example
 * @Controller('mcp')
 * @UseGuards(SignedIn)
 * export class DeskMcp extends MountController {
 *   handle(request: IncomingMessage, response: ServerResponse) {
 *     return this.server.handleHttp(request, response);
 *   }
 * }
 */
export abstract class MountController {
  /** Answers a request; `request.body` holds the body if a parser has read it. */
  abstract handle(request: IncomingMessage, response: ServerResponse): Awaitable<unknown>;

  @All()
  async serve(@Req() request: object, @Res() response: object): Promise<void> {
    await this.handle(nodeRequest(request), nodeResponse(response));
  }
}
