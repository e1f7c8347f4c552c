// A run as a stream: texts as they arrive, calls as they happen, and the effect of leaving early.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createApplication, Param, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';

class Cancelled {
  constructor(readonly orderId: string) {}
}

class OrderParams {
  @Param('Order id, with its leading #') orderId!: string;
}

@Section({ title: 'Orders', template: 'Look an order up before you change it.' })
class Orders {
  @Tool({ description: 'Fetch one order.', hints: { readOnly: true } })
  getOrder({ orderId }: OrderParams) {
    return { orderId, status: 'pending' };
  }

  @Tool('Cancel an order.')
  cancelOrder({ orderId }: OrderParams, { session }: ToolContext): string {
    session.dispatch(new Cancelled(orderId));
    return `Cancelled ${orderId}.`;
  }
}

@Prompt({ ns: 'shop', key: 'desk', sections: [Orders] })
class Desk {}

// Not a model: a script that looks, cancels, and answers.
const script: readonly ScriptStep[] = [
  { text: 'Let me look.', toolCalls: [{ name: 'get_order', arguments: { orderId: '#W1' } }] },
  { toolCalls: [{ name: 'cancel_order', arguments: { orderId: '#W1' } }] },
  { text: 'Your order is cancelled.' },
];

async function main(): Promise<void> {
  const app = await createApplication({ prompts: [Desk] });
  const prompt = app.prompt(Desk);

  console.log('--- Read to its end ---');
  const session = new Session();
  let pieces = 0;
  for await (const event of app.stream(prompt, { adapter: new ScriptedModel(script), session })) {
    if (event.kind === 'text') {
      process.stdout.write(event.text);
      pieces += 1;
    }
    if (event.kind === 'answer' && event.text !== null) process.stdout.write('\n');
    if (event.kind === 'begun') console.log(`… ${event.name}`);
    if (event.kind === 'outcome') console.log(`${event.message.failed ? '✗' : '✓'} ${event.message.content}`);
    if (event.kind === 'done') {
      console.log(`answered after ${String(event.response.turns)} requests`);
      // The same response as of app.evaluate.
      assert.deepEqual(event.response, await app.evaluate(prompt, { adapter: new ScriptedModel(script) }));
    }
  }
  assert.equal(pieces, 7);
  assert.equal(session.slice(Cancelled).all().length, 1);

  console.log('--- Left before the order is cancelled ---');
  const careful = new Session();
  const adapter = new ScriptedModel(script);
  for await (const event of app.stream(prompt, { adapter, session: careful })) {
    // The run waits for its reader: leaving the loop now prevents the call.
    if (event.kind === 'begun' && event.name === 'cancel_order') break;
  }
  console.log(
    `cancelled: ${String(careful.slice(Cancelled).all().length)}, requests: ${String(adapter.requests.length)}`,
  );
  assert.equal(careful.slice(Cancelled).all().length, 0);
  assert.equal(adapter.requests.length, 2);

  // The streams that were left have ended, so this does not wait.
  await app.close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
