import { newProject, testTexts } from './shared.js';
import type { AgentFiles, ProjectFiles, ProjectInput, TestRunner } from './Template.js';

/** A Nest application with an agent: its test, and what runs it. */
export function nestProject(input: ProjectInput): ProjectFiles {
  const nest = '^12.0.0';
  return newProject(input, {
    scripts: { start: 'tsc && node dist/src/main.js' },
    packages: {
      '@nestjs/common': nest,
      '@nestjs/core': nest,
      '@nestjs/platform-express': nest,
      rxjs: '^7.8.0',
    },
    config,
    replies,
    sources: {
      'src/orders.service.ts': service,
      'src/desk.ts': promptSource,
      'src/chat.controller.ts': chat,
      'src/app.module.ts': appModule,
      'src/main.ts': main,
      'src/desk.test.ts': `${testOf('node', "import { AppModule } from './app.module.js';\n", 'AppModule')}\n${chatTest}`,
    },
    about,
  });
}

/** The agent that `add` puts into a Nest application: a module, its section and prompt, and their test. */
export function nestAgent(runner: TestRunner): AgentFiles {
  const imports = "import { AgentModule } from './agent.module.js';\n";
  const module = '{ module: AgentModule, imports: [ToolwrightModule.forRoot()] }';
  return {
    sources: { 'orders.service.ts': service, 'desk.ts': promptSource, 'agent.module.ts': agentModule },
    test: testOf(runner, imports, module),
  };
}

const config = `import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Toolwright } from 'toolwright/nestjs';
import { AppModule } from './src/app.module.js';

// The command line loads this: npx toolwright check, render, tools, call, run.
export default async () => {
  const nest = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
  return { app: nest.get(Toolwright).app, close: () => nest.close() };
};
`;

const replies = `[
  { "toolCalls": [{ "name": "get_order", "arguments": { "id": "7" } }] },
  "Order 7 is pending."
]
`;

const service = `import { Injectable, NotFoundException } from '@nestjs/common';
import { Param, Section, Tool } from 'toolwright';

export class Order {
  @Param('Number of the order') id!: string;
  @Param('pending or cancelled') status!: string;
}

export class OrderParams {
  @Param('Number of the order')
  id!: string;
}

@Injectable()
@Section({ key: 'orders', title: 'Orders', template: 'Look orders up before you answer.' })
export class OrdersService {
  readonly #orders = new Map<string, Order>([['7', { id: '7', status: 'pending' }]]);

  @Tool({ description: 'Fetch an order.', params: OrderParams, result: Order, hints: { readOnly: true } })
  getOrder({ id }: OrderParams): Order {
    const order = this.#orders.get(id);
    if (order === undefined) throw new NotFoundException(\`There is no order \${id}.\`);
    return order;
  }
}
`;

const promptSource = `import { Prompt } from 'toolwright';
import { OrdersService } from './orders.service.js';

@Prompt({ ns: 'shop', key: 'desk', name: 'Shop desk', sections: [OrdersService] })
export class Desk {}
`;

const chat = `import { Controller } from '@nestjs/common';
import { ChatController, type ChatRun } from 'toolwright/nestjs';
import { ScriptedModel } from 'toolwright/testing';
import { Desk } from './desk.js';

/** POST /chat with { "message": "…" }. */
@Controller('chat')
export class DeskChat extends ChatController {
  open(content: string): ChatRun {
    // A script, which needs no key; a model is an adapter of toolwright/openai, toolwright/anthropic or toolwright/ai-sdk.
    const adapter = new ScriptedModel([
      { toolCalls: [{ name: 'get_order', arguments: { id: '7' } }] },
      { text: 'Order 7 is pending.' },
    ]);
    return { prompt: this.toolwright.app.prompt(Desk), adapter, messages: [{ role: 'user', content }] };
  }
}
`;

const appModule = `import { Module } from '@nestjs/common';
import { ToolwrightModule } from 'toolwright/nestjs';
import { DeskChat } from './chat.controller.js';
import { Desk } from './desk.js';
import { OrdersService } from './orders.service.js';

@Module({
  imports: [ToolwrightModule.forRoot()],
  controllers: [DeskChat],
  providers: [OrdersService, Desk],
})
export class AppModule {}
`;

const agentModule = `import { Module } from '@nestjs/common';
import { Desk } from './desk.js';
import { OrdersService } from './orders.service.js';

/** The agent: its section and its prompt. */
@Module({ providers: [OrdersService, Desk] })
export class AgentModule {}
`;

const main = `import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  await app.listen(process.env['PORT'] ?? 3000, '127.0.0.1');
  console.log(await app.getUrl());
}

void main();
`;

/** A test of the agent in a module of Nest. */
function testOf(runner: TestRunner, imports: string, module: string): string {
  const { imports: own, equal } = testTexts(runner);
  return `import 'reflect-metadata';
${own}import { NestFactory } from '@nestjs/core';
import { ${module === 'AppModule' ? 'Toolwright' : 'Toolwright, ToolwrightModule'} } from 'toolwright/nestjs';
import { ScriptedModel } from 'toolwright/testing';
${imports}import { Desk } from './desk.js';

test('the model reads an order of the service', async () => {
  const nest = await NestFactory.createApplicationContext(${module}, { logger: ['error', 'warn'] });
  const { app } = nest.get(Toolwright);
  const adapter = new ScriptedModel([
    { toolCalls: [{ name: 'get_order', arguments: { id: '7' } }] },
    ({ messages }) => ({ text: String(messages[messages.length - 1]?.content) }),
  ]);
  const { text } = await app.evaluate(app.prompt(Desk), {
    adapter,
    messages: [{ role: 'user', content: 'What about order 7?' }],
  });
  ${equal('text', `'{"id":"7","status":"pending"}'`)}
  await nest.close();
});
`;
}

const chatTest = `test('the chat answers over HTTP', async () => {
  const nest = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
  try {
    await nest.listen(0, '127.0.0.1');
    const response = await fetch(\`\${await nest.getUrl()}/chat\`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'What about order 7?' }),
    });
    deepStrictEqual([response.status, (await response.text()).includes('Order 7 is pending')], [200, true]);
  } finally {
    await nest.close();
  }
});
`;

const about = [
  '`npm test` runs the agent with a scripted model; `npm start` starts the application.',
  '`npx toolwright render` shows its prompt, `npx toolwright tools` its tools.',
  '`npx toolwright call get_order \'{"id":"7"}\'` rehearses a call.',
  '`curl localhost:3000/chat -H \'content-type: application/json\' -d \'{"message":"What about order 7?"}\'` asks it.',
  'Models, guards and requests: `npx toolwright explain docs/nestjs.md`.',
];
