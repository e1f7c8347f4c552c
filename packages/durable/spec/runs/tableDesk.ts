import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { createApplication, type ModelAdapter, Param, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { TransactionalTable } from 'toolwright/resources';
import { type DurableStore, openRuns, type Runs } from '@toolwright/durable';

interface Order {
  readonly item: string;
  readonly pieces: number;
}

/** The state of the desk, in production as in tests. */
class Orders extends TransactionalTable<string, Order> {
  order(item: string): number {
    const pieces = (this.get(item)?.pieces ?? 0) + 1;
    this.set(item, { item, pieces });
    return pieces;
  }
}

class Item {
  @Param('Item') item!: string;
}

/** If set, the call for a pie ends the process, unless there is a file `sound` in the folder. */
const crashFolder = process.env['CRASH_FOLDER'] ?? '';

@Section({ title: 'Desk', template: 'Take orders.' })
class Desk {
  @Tool({ description: 'Orders an item.', hints: { idempotent: true } })
  order({ item }: Item, context: ToolContext): string {
    const pieces = context.session.table(Orders).order(item);
    if (item === 'pie' && crashFolder !== '' && !existsSync(`${crashFolder}/sound`))
      process.kill(process.pid, 'SIGKILL');
    return `${String(pieces)} × ${item}`;
  }
}

@Prompt({ ns: 'test', key: 'orders', sections: [Desk] })
export class Agent {}

/** Orders what the last message of the user lists, one item in each turn. */
export const model: ModelAdapter = {
  name: 'orders',
  complete: ({ messages }) => {
    const asked = messages.map(({ role }) => role).lastIndexOf('user');
    const items = String(messages[asked]?.content).split(' ');
    const item = items[messages.slice(asked).filter(({ role }) => role === 'tool').length];
    return Promise.resolve(
      item === undefined
        ? { text: 'Done.', toolCalls: [], finishReason: 'stop', usage: undefined }
        : {
            text: null,
            toolCalls: [{ id: String(messages.length), name: 'order', arguments: { item } }],
            finishReason: 'tool_calls',
            usage: undefined,
          },
    );
  },
};

export const slices = [
  { type: Orders, initial: () => new Orders([['tea', { item: 'tea', pieces: 5 }]], { order: 'insertion' }) },
];

async function openTables(store: DurableStore): Promise<Runs> {
  const app = await createApplication({ prompts: [Agent] });
  return openRuns(app, { store, prepare: () => ({ prompt: Agent, adapter: model, slices }) });
}

/** Carries the run to its end; returns what is in the table then. */
export async function ordered(store: DurableStore, content: string, id: string): Promise<unknown> {
  const runs = await openTables(store);
  const run = await runs.start({ id, conversation: 'c-1', messages: [{ role: 'user', content }] });
  await run.result();
  const { session } = await run.session();
  await runs.drain(1_000);
  return session.table(Orders).toJSON();
}

/** What a test does: the same section, and a session in memory. */
export async function orderedInMemory(content: string): Promise<unknown> {
  const app = await createApplication({ prompts: [Agent] });
  const session = new Session({ slices });
  await app.evaluate(app.prompt(Agent), { adapter: model, messages: [{ role: 'user', content }], session });
  return session.table(Orders).toJSON();
}
