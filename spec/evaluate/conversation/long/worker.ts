// One process of the long story. Its first line of input is a WorkerConfig: it carries these lanes from where the store has them, says
// what is safe, and ends by SIGKILL where it is told to. Each later line names a conversation whose questions were answered.
import 'reflect-metadata';
import { appendFileSync, writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type EvaluateOptions,
  Field,
  type Message,
  Param,
  Session,
  type ToolContext,
} from 'toolwright';
import { Conversation, type RunEntry, type LogPosition } from 'toolwright/conversations';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { adapterAt } from '../../../support/houseAdapters';
import {
  describeEntry,
  LOCK_TIMEOUT_MS,
  marksIn,
  nameConversation,
  planLane,
  questionOf,
  sumMarks,
  WORDS,
  type ForkStep,
  type Lane,
  type RunStep,
  type Step,
} from './plan';

/** The moment at which a process ends itself; the others end it from outside. */
export interface Kill {
  readonly lane: string;
  readonly kind: 'request' | 'before' | 'after' | 'handler' | 'acted' | 'parked';
  readonly nth: number;
}

export interface WorkerConfig {
  readonly folder: string;
  readonly lanes: readonly Lane[];
  readonly turns: number;
  readonly maxTokens: number;
  readonly kill?: Kill | undefined;
}

/** What a process says, a line each. */
export type Said =
  /** Entries that are safe: their place, and what they hold. */
  | { readonly kept: string; readonly after: number; readonly texts: readonly string[] }
  | { readonly parked: string; readonly questions: readonly { readonly id: string; readonly about: string }[] }
  | { readonly done: string };

const input = createInterface({ input: process.stdin });
let config: WorkerConfig = { folder: '', lanes: [], turns: 0, maxTokens: 0 };
const say = (said: Said): void => void writeSync(1, `${JSON.stringify(said)}\n`);
const seen = { before: 0, after: 0, handler: 0, acted: 0, request: 0, parked: 0 };

/** Ends the process if this is the moment. */
function pass(kind: Kill['kind'], lane: string): void {
  const { kill } = config;
  if (kill?.kind === kind && kill.lane === lane && ++seen[kind] === kill.nth) process.kill(process.pid, 'SIGKILL');
}

/** Says what is safe. */
class WatchedRuns extends SqliteRuns {
  override async append(position: LogPosition, entries: readonly RunEntry[]): Promise<void> {
    const lane = position.conversation.split(' ', 1).join('');
    pass('before', lane);
    await super.append(position, entries);
    pass('after', lane);
    say({ kept: position.conversation, after: position.after, texts: entries.map(describeEntry) });
  }
}

class Verdict {
  @Field('True if the order is paid back') paid!: boolean;
  @Field('Why') note!: string;
}

class Item {
  @Param('Mark of the call') mark!: string;
}

class Line {
  @Field('Mark') mark!: string;
}

/** A service outside of the processes that has each effect once, by its key. */
function act(conversation: string, key: string, mark: string): void {
  const { folder } = config;
  appendFileSync(`${folder}/attempts.txt`, `${key} ${conversation} ${mark}\n`);
  try {
    writeFileSync(`${folder}/effects/${encodeURIComponent(key)}`, `${conversation} ${mark}`, { flag: 'wx' });
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'EEXIST') throw error;
  }
}

/** The prompt of a branch. */
function declareDesk(lane: string, conversation: string) {
  const resultOf = (mark: string): string => mark.replace('c', 'r');
  const look = defineTool({
    ...{ name: 'look', description: 'Looks.', hints: { readOnly: true }, params: Item },
    handler: ({ mark }: Item) => `${resultOf(mark)} A lamp.`,
  });
  const acting = (name: string, more: object = {}) =>
    defineTool({
      ...{ name, description: `Does what ${name} says.`, params: Item, ...more },
      handler: ({ mark }: Item, context: ToolContext) => {
        pass('handler', lane);
        act(conversation, context.call.idempotencyKey, mark);
        pass('acted', lane);
        context.session.dispatch(Object.assign(new Line(), { mark }));
        return `${resultOf(mark)} That makes ${String(context.session.slice(Line).all().length)} in all.`;
      },
    });
  const closed = (key: string, tool: string) =>
    defineSection({
      ...{ key, title: `Section ${key}`, template: `Rules of ${key}: within 30 days.`, tools: [acting(tool)] },
      ...{ summary: `How ${key} are handled.`, visibility: 'summary' as const },
    });
  const tools = [look, acting('stamp', { hints: { idempotent: true } }), acting('pay', { requiresApproval: true })];
  return definePrompt({
    ns: 'story',
    key: 'long',
    sections: [
      defineSection({ key: 'orders', title: 'Orders', template: 'Help with orders.', tools }),
      ...[closed('returns', 'send'), closed('gifts', 'wrap'), closed('repairs', 'mend')],
    ],
  });
}

/** The summary names everything that it stands for, so that it can be seen that nothing was lost. */
const summarise = (past: readonly Message[]): string =>
  `So far: ${sumMarks(past.flatMap((message) => marksIn([message.content, 'toolCalls' in message && message.toolCalls])))}.`;

const replied = new Map<string, () => void>();

interface OpenBranch {
  readonly conversation: Conversation;
  readonly session: Session;
  /** As it was when it was opened. */
  readonly isBegun: boolean;
  readonly ended: ReadonlySet<string>;
}

/** A conversation that this process writes. */
class Branch {
  readonly id: string;
  readonly #store: SqliteRuns;
  readonly #lane: Lane;
  readonly #name: string;
  #open: OpenBranch | undefined;

  constructor(store: SqliteRuns, lane: Lane, name: string) {
    this.id = nameConversation(lane.name, name);
    this.#store = store;
    this.#lane = lane;
    this.#name = name;
  }

  /** Opens it once, and again after another process wrote a reply. */
  async open(): Promise<OpenBranch> {
    if (this.#open !== undefined) return this.#open;
    const conversation = await Conversation.open(this.#store, this.id);
    const { entries } = conversation.toJSON();
    this.#open = {
      ...{ conversation, session: new Session({ slices: [Line] }), isBegun: entries.length > 0 },
      ended: new Set(entries.flatMap((entry) => (entry.kind === 'end' ? [entry.run] : []))),
    };
    return this.#open;
  }

  /** True for a step that an earlier process has done. */
  async has(step: Step): Promise<boolean> {
    const { isBegun, ended } = await this.open();
    return step.kind === 'fork' ? isBegun : ended.has(step.run);
  }

  /** Makes a copy that goes on by itself. */
  async copyTo(copy: Branch, before?: string): Promise<void> {
    const { epoch, entries } = await this.#store.open(copy.id);
    copy.#open = undefined;
    if (entries.length > 0) return;
    const fork = (await this.open()).conversation.fork({ id: copy.id, before });
    await this.#store.append({ conversation: copy.id, epoch, after: 0 }, fork.toJSON().entries);
  }

  /** Carries a run to its end; waits for replies of another process meanwhile. */
  async carry(step: RunStep, copy: Branch | undefined): Promise<void> {
    for (;;) {
      const { conversation, session } = await this.open();
      try {
        await this.#evaluate(step, conversation, session);
        return;
      } catch (error) {
        if (conversation.questions.length === 0) throw error;
      }
      if (copy !== undefined) await this.copyTo(copy);
      const answered = new Promise<void>((resolve) => replied.set(this.id, resolve));
      say({ parked: this.id, questions: conversation.questions.map(({ id, about }) => ({ id, about })) });
      await answered;
      this.#open = undefined;
    }
  }

  async #evaluate({ run, form, asks, streams, model }: RunStep, conversation: Conversation, session: Session) {
    const { houses, models } = this.#lane;
    const house = houses[model === 'guest' ? 'guest' : this.#name];
    if (house === undefined) throw new TypeError(`No house answers ${this.id}.`);
    const desk = declareDesk(this.#lane.name, this.id);
    const app = await createApplication({
      ...{ prompts: [desk], logger: { debug() {}, info() {}, warn() {}, error() {} } },
      ...{
        approver: { approve: () => ({ kind: 'later' as const }) },
        keys: ['a key of the long story, for specs alone'],
      },
    });
    const options: EvaluateOptions = {
      conversation,
      session,
      runId: run,
      onUnknown: asks === true ? 'ask' : 'repeat',
      adapter: adapterAt(house, model === 'other' || model === 'older' ? models[model] : undefined),
      messages: [{ role: 'user', content: `${questionOf(run)} ${WORDS.repeat(4)}` }],
      history: { maxTokens: config.maxTokens, summarise },
      ...(form === true ? { output: Verdict } : {}),
    };
    if (streams !== true) return app.evaluate(app.prompt(desk), options);
    for await (const event of app.stream(app.prompt(desk), options)) if (event.kind === 'done') return event.response;
    throw new TypeError('The stream ended without a response.');
  }
}

/** Goes through the plan of a lane. A process that is to be killed in another lane does one run and waits for its end. */
async function carryLane(store: SqliteRuns, lane: Lane): Promise<void> {
  const { kill, turns } = config;
  const branches = new Map(Object.keys(lane.houses).map((name) => [name, new Branch(store, lane, name)]));
  const branchOf = (name: string): Branch => branches.get(name) ?? new Branch(store, lane, name);
  const fork = ({ branch, of, before }: ForkStep) => branchOf(of).copyTo(branchOf(branch), before);
  let left = kill === undefined || kill.lane === lane.name ? Infinity : 1;
  for (const step of planLane(lane, turns)) {
    const branch = branchOf(step.branch);
    if (await branch.has(step)) continue;
    if (left-- === 0) return new Promise(() => undefined);
    const copy = step.kind === 'run' && step.branch === 'main' ? step.copiedAs : undefined;
    await (step.kind === 'fork' ? fork(step) : branch.carry(step, copy === undefined ? undefined : branchOf(copy)));
  }
  say({ done: lane.name });
  if (kill?.lane === lane.name) process.kill(process.pid, 'SIGKILL');
}

async function carryAll(): Promise<void> {
  const store = new WatchedRuns(`${config.folder}/runs.db`, { lockTimeoutMs: LOCK_TIMEOUT_MS });
  await Promise.all(config.lanes.map((lane) => carryLane(store, lane)));
  await store.close();
}

// The process that tests has ended.
input.once('close', () => process.exit(1));
input.once('line', (line) => {
  config = JSON.parse(line) as WorkerConfig;
  input.on('line', (conversation) => replied.get(conversation)?.());
  carryAll().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
