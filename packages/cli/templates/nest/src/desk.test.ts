import 'reflect-metadata';
import { deepStrictEqual } from 'node:assert';
import { test } from 'node:test';
import { NestFactory } from '@nestjs/core';
import { ScriptedModel } from 'toolwright/testing';
import { Toolwright } from '@toolwright/nestjs';
import { AppModule } from './app.module.js';
import { Desk } from './desk.js';

test('the model reads an order of the service', async () => {
  const nest = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
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

test('the chat answers over HTTP', async () => {
  const nest = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
  try {
    await nest.listen(0, '127.0.0.1');
    const response = await fetch(`${await nest.getUrl()}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'What about order 7?' }),
    });
    deepStrictEqual([response.status, (await response.text()).includes('Order 7 is pending')], [200, true]);
  } finally {
    await nest.close();
  }
});
