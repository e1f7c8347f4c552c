import { gitignore } from './shared.js';
import type { ProjectFiles, ProjectInput } from './Template.js';

/** A Nest application with an agent: its test, and what runs it. */
export function nestProject({ name, toolwright, peers }: ProjectInput): ProjectFiles {
  const nest = '^12.0.0';
  const manifest = {
    name,
    private: true,
    type: 'module',
    scripts: {
      build: 'tsc',
      start: 'tsc && node dist/src/main.js',
      test: 'tsc && node --test dist/src/desk.test.js',
      check: 'toolwright check',
      chat: 'toolwright run --script replies.json',
    },
    dependencies: {
      toolwright,
      '@nestjs/common': nest,
      '@nestjs/core': nest,
      '@nestjs/platform-express': nest,
      'reflect-metadata': peers['reflect-metadata'],
      'class-validator': peers['class-validator'],
      'class-transformer': peers['class-transformer'],
      rxjs: '^7.8.0',
    },
    devDependencies: { typescript: '^6.0.0', '@types/node': '^20.19.0' },
  };
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(tsconfig, null, 2)}\n`,
    '.gitignore': gitignore,
    'toolwright.config.ts': config,
    'replies.json': replies,
    'src/orders.service.ts': service,
    'src/desk.ts': promptSource,
    'src/chat.controller.ts': chat,
    'src/app.module.ts': appModule,
    'src/main.ts': main,
    'src/desk.test.ts': test,
    'README.md': readme(name),
  };
}

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    isolatedModules: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    types: ['node'],
    rootDir: '.',
    outDir: 'dist',
  },
  include: ['src', 'toolwright.config.ts'],
};

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

const test = `import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NestFactory } from '@nestjs/core';
import { Toolwright } from 'toolwright/nestjs';
import { ScriptedModel } from 'toolwright/testing';
import { AppModule } from './app.module.js';
import { Desk } from './desk.js';

test('the model reads an order of the service', async () => {
  const nest = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
  const { app } = nest.get(Toolwright);
  const adapter = new ScriptedModel([
    { toolCalls: [{ name: 'get_order', arguments: { id: '7' } }] },
    ({ messages }) => ({ text: String(messages.at(-1)?.content) }),
  ]);
  const { text } = await app.evaluate(app.prompt(Desk), {
    adapter,
    messages: [{ role: 'user', content: 'What about order 7?' }],
  });
  assert.equal(text, '{"id":"7","status":"pending"}');
  await nest.close();
});

test('the chat answers over HTTP', async () => {
  const nest = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
  try {
    await nest.listen(0, '127.0.0.1');
    const response = await fetch(\`\${await nest.getUrl()}/chat\`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'What about order 7?' }),
    });
    assert.equal(response.status, 200);
    assert.match(await response.text(), /Order 7 is pending/);
  } finally {
    await nest.close();
  }
});
`;

function readme(name: string): string {
  return `# ${name}

- \`npm test\` runs the agent with a scripted model; \`npm start\` starts the application.
- \`npx toolwright render\` shows its prompt, \`npx toolwright tools\` its tools.
- \`npx toolwright call get_order '{"id":"7"}'\` rehearses a call.
- \`curl localhost:3000/chat -H 'content-type: application/json' -d '{"message":"What about order 7?"}'\` asks it.
- Models, guards and requests: \`npx toolwright explain docs/nestjs.md\`.
`;
}
