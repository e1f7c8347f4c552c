import { createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { openRuns } from '@toolwright/durable';
import { SqliteRuns } from '@toolwright/durable/sqlite';

@Section({ title: 'Orders', template: 'Ship the orders that customers name.' })
class Orders {
  @Tool({ description: 'Ship an order.', hints: { idempotent: true } })
  ship(@Param('id', 'Number of the order, e.g. W17') id: string): string {
    return `Shipped ${id}.`;
  }
}

@Prompt({ ns: 'shop', key: 'orders', sections: [Orders] })
class OrderDesk {}

// Replaces a model, such as `new OpenAIChatAdapter(…)`.
const script = [{ toolCalls: [{ name: 'ship', arguments: { id: 'W17' } }] }, { text: 'W17 is on its way.' }];
const adapter = new ScriptedModel(script, { by: 'position' });

const app = await createApplication({ prompts: [OrderDesk] });
const store = new SqliteRuns('./runs.db');
const runs = await openRuns(app, { store, prepare: () => ({ prompt: OrderDesk, adapter }) });
// If the process ends here, the next one continues this run. The same id never starts a second run.
const run = await runs.start({ id: 'ship-W17', messages: [{ role: 'user', content: 'Ship W17.' }] });
console.log((await run.result()).text);
await runs.drain(1_000);
await store.close();
