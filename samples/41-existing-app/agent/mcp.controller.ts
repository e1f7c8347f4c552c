import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type McpService, serveMcp } from '@toolwright/mcp';
import { MountController, Toolwright } from '@toolwright/nestjs';
import type { AuthRequest } from '../app/auth/auth.guard.js';
import { Editor } from './desk.js';

@Controller('mcp')
export class EditorMcp extends MountController implements OnApplicationBootstrap, OnModuleDestroy {
  #server: McpService | undefined;

  constructor(private readonly toolwright: Toolwright) {
    super();
  }

  onApplicationBootstrap(): void {
    const { app } = this.toolwright;
    this.#server = serveMcp(app, app.prompt(Editor), {
      runMetadata: ({ authInfo }) => ({ user: authInfo?.clientId ?? '' }),
    });
  }

  /** Handles a request. A session of MCP belongs to the user that the guard has found, not to one of their tokens. */
  handle(request: IncomingMessage & Partial<AuthRequest>, response: ServerResponse): Promise<void> {
    const { username } = request.user!;
    const auth = { token: '', clientId: username, scopes: [], extra: { sub: username } };
    return this.#server!.handler(Object.assign(request, { auth }), response);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#server?.close();
  }
}
