// Measures turns of conversations in an SQLite file: a request, a call of a tool, and the answer. A loop without a framework that stores
// nothing is the floor of a hundred conversations at once. The same turns in memory show what the file adds.
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createApplication,
  type Message,
  type ModelAdapter,
  type ModelResponse,
  Prompt,
  Section,
  Session,
  Tool,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { measure, type Contender } from './harness/measure.js';
import { assertSame } from './harness/peersOf.js';
import { Report } from './harness/Report.js';

const CONVERSATIONS = 100;
const TURNS = 5;
const WAIT_MS = 5;
const found = 'x'.repeat(400);
const report = new Report('disk');

/** The handler of every contender that waits. */
async function findLater(): Promise<string> {
  await sleep(WAIT_MS);
  return found;
}

@Section({ key: 'desk', title: 'Desk', template: 'Look things up.' })
class DeskSection {
  @Tool({ description: 'Looks it up.', hints: { idempotent: true } })
  look(): string {
    return found;
  }

  @Tool({ description: 'Looks it up elsewhere.', hints: { idempotent: true } })
  wait(): Promise<string> {
    return findLater();
  }
}

@Prompt({ ns: 'bench', key: 'desk', sections: [DeskSection] })
class Desk {}

/** Answers as a model: calls the tool, and then says the length of its result. */
function complete(tool: string, messages: readonly Message[]): Promise<ModelResponse> {
  const last = messages.at(-1);
  const usage = { inputTokens: 1, outputTokens: 1 };
  return Promise.resolve(
    last?.role === 'tool'
      ? { text: `Found ${String(last.content.length)}.`, toolCalls: [], finishReason: 'stop', usage }
      : { text: null, toolCalls: [{ id: 'c1', name: tool, arguments: {} }], finishReason: 'tool_calls', usage },
  );
}

/** The turns of one conversation, by hand. */
async function converse(): Promise<string | null> {
  const messages: Message[] = [];
  let text: string | null = null;
  for (let turn = 0; turn < TURNS; turn++) {
    messages.push({ role: 'user', content: `Question ${String(turn)}` });
    for (let isOpen = true; isOpen;) {
      const answer = await complete('wait', messages);
      messages.push({ role: 'assistant', content: answer.text, toolCalls: answer.toolCalls });
      for (const { id, name } of answer.toolCalls)
        messages.push({ role: 'tool', toolCallId: id, name, content: await findLater(), failed: false });
      text = answer.text;
      isOpen = answer.toolCalls.length > 0;
    }
  }
  return text;
}

async function conversationsOf(): Promise<(open: () => Promise<Conversation>, tool: string) => Promise<string | null>> {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const app = await createApplication({ prompts: [Desk], logger: quiet });
  const prompt = app.prompt(Desk);
  return async (open, tool) => {
    const conversation = await open();
    const session = new Session();
    const adapter: ModelAdapter = {
      name: 'in process (not a model)',
      complete: (request) => complete(tool, request.messages),
    };
    let text: string | null = null;
    for (let turn = 0; turn < TURNS; turn++) {
      const messages = [{ role: 'user', content: `Question ${String(turn)}` }] as const;
      ({ text } = await app.evaluate(prompt, { adapter, conversation, session, messages }));
    }
    return text;
  };
}

/** Has so many conversations at once. Returns the text with which they end. */
const atOnce =
  (count: number, one: () => Promise<string | null>): Contender =>
  async () =>
    [...new Set(await Promise.all(Array.from({ length: count }, one)))].join();

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-bench-'));
  const store = new SqliteRuns(join(folder, 'runs.db'));
  const unsynced = new SqliteRuns(join(folder, 'unsynced.db'), { synchronous: 'normal' });
  let last = 0;
  const inFile = (file: SqliteRuns) => (): Promise<Conversation> => Conversation.open(file, `c${String(++last)}`);
  const inMemory = (): Promise<Conversation> => Promise.resolve(new Conversation());
  const run = await conversationsOf();

  const one = {
    memory: atOnce(1, () => run(inMemory, 'look')),
    file: atOnce(1, () => run(inFile(store), 'look')),
  };
  await assertSame(one, 'Found 400.');
  const turns = await measure(one, { clock: 'processor' });
  report.add('a turn in an SQLite file / in memory, CPU time', turns.ratio('file', 'memory'), 'x');

  const many = {
    bare: atOnce(CONVERSATIONS, converse),
    memory: atOnce(CONVERSATIONS, () => run(inMemory, 'wait')),
    file: atOnce(CONVERSATIONS, () => run(inFile(store), 'wait')),
    unsynced: atOnce(CONVERSATIONS, () => run(inFile(unsynced), 'wait')),
  };
  await assertSame(many, 'Found 400.');
  // The tools wait, and so does the store for the disk, so the clock is the wall's.
  const waits = await measure(many, { clock: 'wall' });
  const what = `${String(CONVERSATIONS)} conversations at once, tools that wait ${String(WAIT_MS)} ms`;
  report.add(`${what}, time of an SQLite file / a bare loop`, waits.ratio('file', 'bare'), 'x');
  report.add(`${what}, time of a file that is not synced / a bare loop`, waits.ratio('unsynced', 'bare'), 'x');
  report.add(`${what}, time in memory / a bare loop`, waits.ratio('memory', 'bare'), 'x');
  const works = await measure(many, { clock: 'processor' });
  report.add(`${what}, an SQLite file / in memory, CPU time`, works.ratio('file', 'memory'), 'x');

  await Promise.all([store.close(), unsynced.close()]);
  rmSync(folder, { recursive: true });
  report.keep();
}

void main();
