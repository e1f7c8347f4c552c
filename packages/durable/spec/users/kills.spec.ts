import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readUser } from 'toolwright/conversations';
import { Workspace } from '../../../../spec/toolchain/support/Workspace';
import { sqliteRuns } from '../support/sqliteRuns';

jest.setTimeout(300_000);

/** How many processes of each conversation are killed. `KILLS=100` tries harder. */
const KILLS = Number(process.env['KILLS'] ?? 8);

/** Talks in one conversation, each message with three calls that remember a fact, and says what was answered. */
const program = `
import { writeSync } from 'node:fs';
import { createApplication, definePrompt, defineSection, defineTool, Session } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { SqliteRuns } from '@toolwright/durable/sqlite';
const [path, id] = process.argv.slice(2);
const say = (what) => writeSync(1, JSON.stringify(what) + '\\n');
class Fact {
  constructor(text) { this.text = text; }
}
const remember = defineTool({
  name: 'remember',
  description: 'Remember.',
  hints: { openWorld: false },
  handler: async (_none, { session, call }) => {
    session.dispatch(new Fact(id + ' ' + call.id));
    await new Promise((resolve) => setTimeout(resolve, 1));
    return 'remembered';
  },
});
const Agent = definePrompt({ ns: 'test', key: 'kills', sections: [defineSection({ key: 'desk', title: 'Desk', template: 'Desk.', tools: [remember] })] });
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const app = await createApplication({ prompts: [Agent], logger });
const adapter = {
  name: 'scripted',
  complete: async ({ messages }) => {
    const answers = messages.filter(({ role }) => role === 'assistant').length;
    return answers % 4 === 3
      ? { text: 'Done.', toolCalls: [], finishReason: 'stop', usage: undefined }
      : { text: null, toolCalls: [{ id: String(answers), name: 'remember', arguments: {} }], finishReason: 'tool_calls', usage: undefined };
  },
};
const store = new SqliteRuns(path);
for (;;) {
  try {
    const conversation = await Conversation.open(store, id);
    const last = (await store.entries(id)).at(-1)?.kind;
    const isOpen = last !== undefined && last !== 'end';
    const session = new Session({ slices: [{ type: Fact, scope: 'user' }] });
    const messages = isOpen ? undefined : [{ role: 'user', content: 'Go on.' }];
    await app.evaluate(app.prompt(Agent), { adapter, conversation, session, messages, runMetadata: { principal: 'ada' } });
    const said = conversation.messages.filter(({ role }) => role === 'tool').map(({ toolCallId }) => id + ' ' + toolCallId);
    say({ said });
  } catch (error) {
    // Another conversation was first: the run goes on from its record.
    if (error.code === 'E755') { say({ refused: true }); continue; }
    say({ problem: String(error) });
    break;
  }
}
`;

class Fact {
  readonly text!: string;
}

const folder = mkdtempSync(join(tmpdir(), 'toolwright-memory-kills-'));
const workspace = new Workspace();
const main = join(workspace.project('esm', { 'main.js': program }), 'main.js');
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Said {
  readonly said?: readonly string[];
  readonly refused?: true;
  readonly problem?: string;
}

/** Runs a process, and kills it some time after its first word. Returns everything that it has said. */
async function killSoon(path: string, id: string, ms: number): Promise<readonly Said[]> {
  const child = spawn(process.execPath, [main, path, id], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  let text = '';
  child.stdout.on('data', (data: Buffer) => {
    if (text === '') setTimeout(() => child.kill('SIGKILL'), ms);
    text += String(data);
  });
  await once(child, 'close');
  running.delete(child);
  return text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Said);
}

test('processes that are killed while two conversations remember lose nothing that was answered, and keep nothing twice', async () => {
  const path = join(folder, 'runs.db');
  const lane = async (id: string): Promise<readonly Said[]> => {
    const all: Said[] = [];
    for (let kill = 0; kill < KILLS; kill++) all.push(...(await killSoon(path, id, (kill * 37) % 150)));
    return all;
  };
  const words = (await Promise.all([lane('one'), lane('two')])).flat();
  expect(words.filter(({ problem }) => problem !== undefined)).toEqual([]);
  const store = sqliteRuns(path);
  const facts = (await readUser(store, 'ada', [{ type: Fact, scope: 'user' }]))
    .slice(Fact)
    .all()
    .map(({ text }) => text);
  const logged = await Promise.all(
    ['one', 'two'].map(async (id) =>
      (await store.entries(id)).flatMap((entry) =>
        entry.kind === 'outcome' && entry.outcome === 'succeeded' ? [`${id} ${entry.message.toolCallId}`] : [],
      ),
    ),
  );
  // Each fact is there with the outcome of its call, or neither is.
  expect([...facts].sort()).toEqual(logged.flat().sort());
  expect(new Set(facts).size).toBe(facts.length);
  expect(facts).toEqual(expect.arrayContaining(words.flatMap(({ said = [] }) => said)));
  expect(facts.length).toBeGreaterThan(2 * KILLS);
  await store.close();
});
