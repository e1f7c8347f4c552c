import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type ToolContext,
  type Transactional,
} from 'toolwright';
import { openRuns } from '@toolwright/durable';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { McpClient, serveMcp } from '@toolwright/mcp';

// A process of its own: a server whose calls are tasks in a file that all processes share. Prints its URL.

const [, , folder = '', key = ''] = process.argv;
const note = (file: string, line: string): void => appendFileSync(join(folder, file), `${line}\n`);

/** Lines that are written to a file when a call commits. */
class Ledger implements Transactional<Ledger> {
  readonly lines: string[] = [];
  begin(): Ledger {
    return new Ledger();
  }
  commit({ lines }: Ledger): void {
    for (const line of lines) note('ledger', line);
  }
}

const form = { type: 'object' as const, properties: { word: { type: 'string' as const } }, required: ['word'] };

async function askWord(context: ToolContext, message: string): Promise<string> {
  const { content } = (await McpClient.of(context)?.elicit(message, form)) ?? {};
  return String(content?.['word']);
}

const tools = [
  defineTool({
    name: 'wait',
    description: 'Waits until the file go is there.',
    hints: { openWorld: false },
    handler: async (_params: null, context) => {
      const { lines } = context.resources.get(Ledger);
      note('begun', String(process.pid));
      context.signal.addEventListener('abort', () => note('aborted', String(process.pid)));
      while (!existsSync(join(folder, 'go'))) await sleep(10, undefined, { signal: context.signal });
      lines.push('waited');
      return 'Waited.';
    },
  }),
  defineTool({
    name: 'order',
    description: 'Asks twice, and orders.',
    hints: { openWorld: false },
    handler: async (_params: null, context) => {
      const { lines } = context.resources.get(Ledger);
      lines.push('begun');
      const words = [await askWord(context, 'What?'), await askWord(context, 'How many?')];
      note('keys', context.call.idempotencyKey);
      lines.push(words.join(' '));
      return `Ordered ${words.join(' ')}.`;
    },
  }),
];

async function main(): Promise<void> {
  const Desk = definePrompt({ ns: 'test', key: 'tasks', sections: [defineSection({ key: 's', title: 'S', tools })] });
  const resources = [bind(Ledger, { provide: () => new Ledger() })];
  const app = await createApplication({ prompts: [Desk], keys: [key], resources });
  const store = new SqliteRuns(join(folder, 'tasks.db'));
  const server = serveMcp(app, app.prompt(Desk), {
    http: { principal: ({ headers }) => headers['x-user'] },
    tasks: {
      open: (prepare) => openRuns(app, { store, prepare, pollMs: 50 }),
      tools: { wait: 'required', order: 'optional' },
    },
  });
  process.stdout.write(`${await server.listen()}\n`);
}

void main();
