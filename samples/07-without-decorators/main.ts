// One prompt written twice: with decorators (decorated.ts) and by functions (plain.ts). A model sees no difference.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createApplication } from 'toolwright';
import { DecoratedDesk } from './decorated.js';
import { plainDesk } from './plain.js';

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

  for (const [name, app, rendered] of [
    ['decorated', decoratedApp, decorated],
    ['plain', plainApp, plain],
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
