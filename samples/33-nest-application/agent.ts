// Everything that the agent adds to the application: a prompt, a chat, an MCP server, one module.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Controller,
  Injectable,
  Module,
  UseGuards,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Prompt, Session } from 'toolwright';
import { type McpService, serveMcp } from '@toolwright/mcp';
import { ChatController, type ChatRun, MountController, Toolwright, ToolwrightModule } from '@toolwright/nestjs';
import { CustomersService } from './CustomersService.js';
import { InvoicesService } from './InvoicesService.js';
import { modelFor } from './model.js';
import { OrdersService } from './OrdersService.js';
import { SignedIn, User, userOf, type SignedInRequest } from './people.js';
import { ShopModule } from './shop.js';

@Prompt({ ns: 'shop', key: 'desk', name: 'Shop desk', sections: [CustomersService, OrdersService, InvoicesService] })
class ShopDesk {}

/** One session for each user; a real application keeps them in its store. */
@Injectable()
class Sessions {
  readonly #byName = new Map<string, Session>();

  of(user: User): Session {
    const session = this.#byName.get(user.name) ?? new Session();
    if (!this.#byName.has(user.name)) session.dispatch(user);
    this.#byName.set(user.name, session);
    return session;
  }
}

@Controller('chat')
@UseGuards(SignedIn)
class DeskChat extends ChatController {
  constructor(
    toolwright: Toolwright,
    private readonly sessions: Sessions,
  ) {
    super(toolwright);
  }

  open(content: string, request: SignedInRequest): ChatRun {
    return {
      prompt: this.toolwright.app.prompt(ShopDesk),
      adapter: modelFor(content),
      session: this.sessions.of(request.user!),
      messages: [{ role: 'user', content }],
    };
  }
}

@Controller('mcp')
@UseGuards(SignedIn)
class DeskMcp extends MountController implements OnApplicationBootstrap, OnModuleDestroy {
  #server: McpService | undefined;

  constructor(
    private readonly toolwright: Toolwright,
    private readonly sessions: Sessions,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    const { app } = this.toolwright;
    this.#server = serveMcp(app, app.prompt(ShopDesk), {
      // A session of MCP belongs to the token that began it, and its calls carry the user.
      http: { principal: ({ headers }) => headers['authorization'] },
      session: ({ headers }) => this.sessions.of(userOf(headers['authorization'])!),
      runMetadata: ({ headers }) => ({ user: userOf(headers['authorization'])!.name }),
    });
  }

  handle(request: IncomingMessage, response: ServerResponse) {
    return this.#server!.handler(request, response);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#server?.close();
  }
}

@Module({
  imports: [
    ShopModule,
    ToolwrightModule.forRoot({
      // The chat passes its request along; calls of MCP carry their user.
      requestFor: ({ user }) => (user === undefined ? undefined : { user: userOf(`Bearer ${user}-token`) }),
    }),
  ],
  providers: [ShopDesk, Sessions],
  controllers: [DeskChat, DeskMcp],
})
export class AgentModule {}
