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
import { Conversation, type RunEntry, type RunStore } from 'toolwright/conversations';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { measure, type Contender } from './harness/measure.js';
import { assertSame } from './harness/peersOf.js';
import { Report } from './harness/Report.js';
import { createBareCall } from './tasks/bareCall.js';

const CONVERSATIONS = 100;
const TURNS = 5;
const WAIT_MS = 5;
const found = 'x'.repeat(400);
const report = new Report('disk');

/** Called for each wait of a recorded conversation. */
let onWait: (() => void) | undefined;

/** The handler of every contender that waits. */
async function findLater(): Promise<string> {
  onWait?.();
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

/** The steps of one conversation: entries that it appends, and a wait of its tool. */
type Step = { readonly after: number; readonly entries: readonly RunEntry[] } | 'wait';

/** Runs a conversation on a store, and records its appends and the waits of its tools in their order. */
async function recordSteps(
  store: SqliteRuns,
  run: (open: () => Promise<Conversation>, tool: string) => Promise<unknown>,
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const recording: RunStore = {
    open: async (id) => store.open(id),
    append: async (position, entries) => {
      steps.push({ after: position.after, entries });
      await store.append(position, entries);
    },
    reply: async (...args) => store.reply(...args),
    entries: async (...args) => store.entries(...args),
    list: async () => store.list(),
    delete: async (id) => store.delete(id),
  };
  onWait = () => steps.push('wait');
  await run(() => Conversation.open(recording, 'recorded'), 'wait');
  onWait = undefined;
  const waits = steps.filter((step) => step === 'wait').length;
  if (waits !== TURNS || steps.length === waits) throw new TypeError('the conversation was not recorded');
  return steps;
}

class NoParams {}

/**
 * Creates the least work of a conversation in memory: frozen messages for each request, a transaction for each call, and the entries that
 * record it.
 */
function createLeastConversation(steps: readonly Step[]): () => Promise<string | null> {
  const recorded = steps.flatMap((step) => (step === 'wait' ? [] : step.entries));
  const callTool = createBareCall('wait', { type: NoParams, validate: () => true, handler: findLater });
  return async () => {
    const [messages, entries]: [Message[], RunEntry[]] = [[], []];
    let text: string | null = null;
    for (let turn = 0; turn < TURNS; turn++) {
      messages.push(Object.freeze({ role: 'user', content: `Question ${String(turn)}` }));
      for (let isOpen = true; isOpen;) {
        const answer = await complete('wait', Object.freeze([...messages]));
        messages.push(Object.freeze({ role: 'assistant', content: answer.text, toolCalls: answer.toolCalls }));
        for (const { id, name } of answer.toolCalls) {
          const content = JSON.parse(await callTool('{}')) as string;
          messages.push(Object.freeze({ role: 'tool', toolCallId: id, name, content, failed: false }));
        }
        text = answer.text;
        isOpen = answer.toolCalls.length > 0;
      }
    }
    for (const entry of recorded) entries.push(Object.freeze({ ...entry }));
    return entries.length === recorded.length ? text : null;
  };
}

/** Makes the recorded appends and waits on a store without anything else: the least work of a conversation on disk. */
async function repeatSteps(store: SqliteRuns, conversation: string, steps: readonly Step[]): Promise<string> {
  const { epoch } = await store.open(conversation);
  let found = '';
  for (const step of steps)
    if (step === 'wait') found = await findLater();
    else await store.append({ conversation, epoch, after: step.after }, step.entries);
  return `Found ${String(found.length)}.`;
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

  const steps = await recordSteps(store, run);
  const many = {
    bare: atOnce(CONVERSATIONS, converse),
    leastInMemory: atOnce(CONVERSATIONS, createLeastConversation(steps)),
    leastInFile: atOnce(CONVERSATIONS, () => repeatSteps(store, `c${String(++last)}`, steps)),
    memory: atOnce(CONVERSATIONS, () => run(inMemory, 'wait')),
    file: atOnce(CONVERSATIONS, () => run(inFile(store), 'wait')),
    unsynced: atOnce(CONVERSATIONS, () => run(inFile(unsynced), 'wait')),
  };
  await assertSame(many, 'Found 400.');
  // The tools wait, and so does the store for the disk, so the clock is the wall's.
  const waits = await measure(many, { clock: 'wall' });
  const what = `${String(CONVERSATIONS)} conversations at once, tools that wait ${String(WAIT_MS)} ms`;
  report.add(`${what}, time of an SQLite file / a bare loop`, waits.ratio('file', 'bare'), 'x');
  report.add(`bound: ${what}, time of the same appends alone / a bare loop`, waits.ratio('leastInFile', 'bare'), 'x');
  report.add(`${what}, time of a file that is not synced / a bare loop`, waits.ratio('unsynced', 'bare'), 'x');
  report.add(`${what}, time in memory / a bare loop`, waits.ratio('memory', 'bare'), 'x');
  report.add(
    `bound: ${what}, time of the least work in memory / a bare loop`,
    waits.ratio('leastInMemory', 'bare'),
    'x',
  );
  const works = await measure({ memory: many.memory, file: many.file }, { clock: 'processor' });
  report.add(`${what}, an SQLite file / in memory, CPU time`, works.ratio('file', 'memory'), 'x');

  await Promise.all([store.close(), unsynced.close()]);
  rmSync(folder, { recursive: true });
  report.keep();
}

void main();
