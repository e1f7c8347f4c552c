import { deepStrictEqual } from 'node:assert';
import { test } from 'node:test';
import { createApplication, Session } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { Order, ShopDesk } from './desk.js';

test('an order of the model is placed', async () => {
  const app = await createApplication({ prompts: [ShopDesk] });
  const session = new Session({ slices: [Order] });
  const adapter = new ScriptedModel([
    { toolCalls: [{ name: 'place_order', arguments: { article: 'tea', count: 2 } }] },
    { text: 'Two teas are ordered.' },
  ]);
  const { text } = await app.evaluate(app.prompt(ShopDesk), {
    adapter,
    session,
    messages: [{ role: 'user', content: 'Two teas, please.' }],
  });
  deepStrictEqual(text, 'Two teas are ordered.');
  deepStrictEqual(session.slice(Order).all(), [new Order('tea', 2)]);
  await app.close();
});
