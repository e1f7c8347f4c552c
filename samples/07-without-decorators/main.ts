// One prompt written with decorators (decorated.ts) and by functions (plain.ts): a model sees no difference. The third desk has a
// schema of zod in place of the params class.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createApplication } from 'toolwright';
import { DecoratedDesk } from './decorated.js';
import { plainDesk } from './plain.js';
import { zodDesk } from './zod.js';

async function main(): Promise<void> {
  // Two applications, since names are unique within one.
  const decoratedApp = await createApplication({ prompts: [DecoratedDesk] });
  const plainApp = await createApplication({ prompts: [plainDesk] });
  const decorated = await decoratedApp.prompt(DecoratedDesk).render();
  const plain = await plainApp.prompt(plainDesk).render();

  console.log(`${plain.text}\n`);
  for (const tool of plain.tools) console.log(`${tool.name}: ${tool.description}\n`);

  // The fingerprint covers all that a model is shown: the text, and every tool with its schema.
  console.log(`The fingerprints ${plain.fingerprint === decorated.fingerprint ? 'are equal' : 'differ'}.\n`);
  assert.equal(plain.text, decorated.text);
  assert.deepEqual(plain.toolSchemas('json-schema'), decorated.toolSchemas('json-schema'));
  assert.equal(plain.fingerprint, decorated.fingerprint);

  const zodApp = await createApplication({ prompts: [zodDesk] });
  const zod = await zodApp.prompt(zodDesk).render();
  const refused = await zodApp.invoke(zod, 'get_order', { orderId: 'W7' });
  assert.equal(refused.kind, 'rejected');
  console.log(`${refused.text}\n`);

  for (const [name, app, rendered] of [
    ['decorated', decoratedApp, decorated],
    ['plain', plainApp, plain],
    ['zod', zodApp, zod],
  ] as const) {
    const outcome = await app.invoke(rendered, 'get_order', { orderId: '#W7', withPayments: true });
    console.log(`${name}: ${outcome.text}`);
    assert.equal(outcome.text, 'Order #W7 is on its way, paid by card.');
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
