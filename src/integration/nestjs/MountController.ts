import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Req, Res } from '@nestjs/common';
import type { Awaitable } from '../../common/types.js';
import { nodeRequest, nodeResponse } from './nodeExchange.js';

/**
 * Lets a handler of Node's own requests answer on a path of Nest, such as an MCP server: Nest's middleware, guards and
 * interceptors of the class come first.
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
  /** Answers; what a parser of bodies has read stands in `request.body`. */
  abstract handle(request: IncomingMessage, response: ServerResponse): Awaitable<unknown>;

  @All()
  async serve(@Req() request: object, @Res() response: object): Promise<void> {
    await this.handle(nodeRequest(request), nodeResponse(response));
  }
}
