import { All, Controller, type OnApplicationBootstrap, Req, Res, UseGuards } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Toolwright } from '@toolwright/nestjs';
import { chatHandler, getNodeRequest, toNodeHandler } from '@toolwright/ui';
import { SignedIn, type SignedRequest } from './guards.js';
import type { Person } from './people.js';

/** The chats, behind the guard of the application. */
@Controller('api/chat')
@UseGuards(SignedIn)
export class ChatController implements OnApplicationBootstrap {
  #handle: ReturnType<typeof toNodeHandler> | undefined;

  constructor(private readonly toolwright: Toolwright) {}

  onApplicationBootstrap(): void {
    const handler = chatHandler<null, Person>(this.toolwright.runs, {
      version: 7,
      authenticate: (request) => (getNodeRequest(request) as Partial<SignedRequest>).person ?? null,
      // The supervisor decides about every question, and customers about none, not even their own.
      mayAnswer: ({ role }) => role === 'supervisor',
    });
    this.#handle = toNodeHandler(handler);
  }

  @All(['', '*path'])
  serve(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    return this.#handle!(request, response);
  }
}
