import 'reflect-metadata';
import { deepStrictEqual } from 'node:assert';
import { test } from 'node:test';
import { NestFactory } from '@nestjs/core';
import { ScriptedModel } from 'toolwright/testing';
import { Toolwright, ToolwrightModule } from '@toolwright/nestjs';
import { AgentModule } from './agent.module.js';
import { Desk } from './desk.js';

test('the model reads an order of the service', async () => {
  const nest = await NestFactory.createApplicationContext(
    { module: AgentModule, imports: [ToolwrightModule.forRoot()] },
    { logger: ['error', 'warn'] },
  );
  const { app } = nest.get(Toolwright);
  const adapter = new ScriptedModel([
    { toolCalls: [{ name: 'get_order', arguments: { id: '7' } }] },
    ({ messages }) => ({ text: String(messages[messages.length - 1]?.content) }),
  ]);
  const { text } = await app.evaluate(app.prompt(Desk), {
    adapter,
    messages: [{ role: 'user', content: 'What about order 7?' }],
  });
  deepStrictEqual(text, '{"id":"7","status":"pending"}');
  await nest.close();
});
