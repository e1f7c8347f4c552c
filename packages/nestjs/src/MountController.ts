import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Logger, Req, Res } from '@nestjs/common';
import { messageOf } from 'toolwright/internal/light';
import type { Awaitable } from 'toolwright/types';
import { answerOnNode, cutOff, isBegun, toNodeRequest } from './nodeExchange.js';

/**
 * Mounts a handler of Node's own requests, such as an MCP server, on a path of Nest, with Express or Fastify. Nest's middleware and
 * the guards and interceptors of the class run first. Nest's filters handle errors that the handler throws before it answers.
 *
 * @example
 * @Controller('mcp')
 * @UseGuards(SignedIn)
 * export class DeskMcp extends MountController {
 *   handle(request: IncomingMessage, response: ServerResponse) {
 *     return this.server.handler(request, response);
 *   }
 * }
 */
export abstract class MountController {
  /**
   * Answers a request. `request.body` holds the body if a parser has read it. The request also has the fields that guards add to
   * Nest's request, such as `user`.
   */
  abstract handle(request: IncomingMessage, response: ServerResponse): Awaitable<unknown>;

  @All()
  async serve(@Req() request: object, @Res() response: object): Promise<void> {
    try {
      await answerOnNode(response, (node) => this.handle(toNodeRequest(request), node));
    } catch (error) {
      if (!isBegun(response)) throw error;
      new Logger(MountController.name).error(messageOf(error), error instanceof Error ? error.stack : undefined);
      cutOff(response);
    }
  }
}
