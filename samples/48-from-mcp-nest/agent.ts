// The strategy of MCP-Nest as a controller, at the same path.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Prompt } from 'toolwright';
import { type McpService, serveMcp } from '@toolwright/mcp';
import { MountController, Toolwright, ToolwrightModule } from '@toolwright/nestjs';
import { type Caller, OrderTools } from './OrderTools.js';
import { OrdersService } from './OrdersService.js';

@Prompt({ ns: 'shop', key: 'desk', sections: [OrderTools] })
class Desk {}

@Controller('mcp')
class DeskMcp extends MountController implements OnApplicationBootstrap, OnModuleDestroy {
  #server: McpService | undefined;

  constructor(private readonly toolwright: Toolwright) {
    super();
  }

  onApplicationBootstrap(): void {
    const { app } = this.toolwright;
    this.#server = serveMcp(app, app.prompt(Desk), {
      runMetadata: ({ headers }) => ({ role: String(headers['x-role']) }),
      resources: [{ uri: 'shop://returns', name: 'Returns', mimeType: 'text/plain', read: () => 'Within 30 days.' }],
    });
  }

  handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.#server!.handler(request, response);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#server?.close();
  }
}

@Module({
  imports: [ToolwrightModule.forRoot({ requestFor: ({ role = '' }): Caller => ({ headers: { 'x-role': role } }) })],
  providers: [OrdersService, OrderTools, Desk],
  controllers: [DeskMcp],
})
export class AppModule {}
