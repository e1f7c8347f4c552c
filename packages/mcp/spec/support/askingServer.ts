import { appendFileSync, closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { bind, createApplication, definePrompt, defineSection, defineTool, type Transactional } from 'toolwright';
import { McpClient, type McpStateStore, serveMcp } from '@toolwright/mcp';

// A process of its own: a server whose one tool asks three times and then writes its answers to a file. Prints its URL.

const [, , folder = '', key = ''] = process.argv;

/** Lines that are written to a file when a call commits. */
class Ledger implements Transactional<Ledger> {
  readonly lines: string[] = [];
  begin(): Ledger {
    return new Ledger();
  }
  commit({ lines }: Ledger): void {
    for (const line of lines) appendFileSync(join(folder, 'ledger'), `${line}\n`);
  }
}

/** Notes used answers by files, which only one process can create. */
const stateStore: McpStateStore = {
  use: (id) => {
    try {
      closeSync(openSync(join(folder, `used-${id}`), 'wx'));
      return true;
    } catch {
      return false;
    }
  },
};

const form = { type: 'object' as const, properties: { word: { type: 'string' as const } }, required: ['word'] };

const order = defineTool({
  name: 'order',
  description: 'Order something.',
  hints: { openWorld: false },
  handler: async (_params: null, context) => {
    const ledger = context.resources.get(Ledger);
    const words: string[] = [];
    for (const step of ['What', 'How many', 'Where to']) {
      ledger.lines.push(`${step}?`);
      const { content } = (await McpClient.of(context)?.elicit(`${step}?`, form)) ?? {};
      words.push(String(content?.['word']));
    }
    ledger.lines.push(words.join(' '));
    return `Ordered: ${words.join(' ')}`;
  },
});

async function main(): Promise<void> {
  const section = defineSection({ key: 'orders', title: 'Orders', template: 'Order things.', tools: [order] });
  const desk = definePrompt({ ns: 'test', key: 'orders', sections: [section] });
  const resources = [bind(Ledger, { provide: () => new Ledger() })];
  const app = await createApplication({ prompts: [desk], keys: [key], resources });
  process.stdout.write(`${await serveMcp(app, app.prompt(desk), { stateStore }).listen()}\n`);
}

void main();
