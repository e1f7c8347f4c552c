import 'reflect-metadata';
import {
  type Application,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type ModelAdapter,
} from 'toolwright';
import { Conversation, type RunEntry } from 'toolwright/conversations';
import { FakeClock } from 'toolwright/testing';
import {
  type CarryJob,
  type DurableStore,
  type EngineJob,
  openRuns,
  type RunEngine,
  type Runs,
} from '@toolwright/durable';
import { jsonSchema } from '@toolwright/json-schema';
import { changed } from '../../../../spec/support/changed';
import { silent } from '../../../../spec/support/silent';

/** Decides when each step of a schedule may happen. */
export type Pause = (what: string) => Promise<unknown>;

/** Attempts of the engine for one job: a worker that was shut out leaves it to the next. */
const ATTEMPTS = 20;
const OPEN: ReadonlySet<string> = new Set(['queued', 'running', 'waiting', 'paused']);
const METHODS = ['open', 'append', 'reply', 'entries', 'delete'] as const;
const RECORD_METHODS = ['create', 'get', 'change', 'head', 'reply', 'questions', 'prune'] as const;

/** Gives a store whose requests arrive, and whose answers are received, when the schedule says so. */
function scheduledStore(store: DurableStore, pause: Pause): DurableStore {
  const wrap = (object: object, methods: readonly string[]): object =>
    Object.fromEntries(
      methods.map((name) => {
        const method = (object as Record<string, (...args: unknown[]) => Promise<unknown>>)[name];
        const scheduled = async (...args: unknown[]): Promise<unknown> => {
          await pause(`${name} arrives`);
          try {
            return await method?.apply(object, args);
          } finally {
            await pause(`${name} is answered`);
          }
        };
        return [name, scheduled];
      }),
    );
  const forTenant = (): DurableStore => scheduled;
  const records = changed(store.records, wrap(store.records, RECORD_METHODS));
  const scheduled: DurableStore = changed(store, { ...wrap(store, METHODS), records, forTenant, watch: undefined });
  return scheduled;
}

/** Hands each job to one of the workers, when the schedule says so; those of one conversation one after the other. */
export class ScheduledEngine {
  readonly #pause: Pause;
  readonly #workers: CarryJob[] = [];
  readonly #conversations = new Map<string, Promise<void>>();
  #count = 0;

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  /** The engine as one process has it. */
  get port(): RunEngine {
    return {
      enqueue: async (job) => {
        await this.#pause('a job is enqueued');
        const before = this.#conversations.get(job.conversation) ?? Promise.resolve();
        this.#conversations.set(
          job.conversation,
          before.then(() => this.#carry(job)),
        );
      },
      work: (carry) => {
        this.#workers.push(carry);
        return Promise.resolve();
      },
      drain: () => Promise.resolve(),
    };
  }

  /** Resolves once no job is left. */
  async idle(): Promise<void> {
    for (let seen = -1; seen !== this.#count;) {
      seen = this.#count;
      await Promise.all(this.#conversations.values());
    }
  }

  async #carry(job: EngineJob): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await this.#pause('a job is fetched');
      try {
        await this.#workers[this.#count++ % this.#workers.length]?.(job);
        return;
      } catch {
        // The next worker takes it.
      }
    }
    throw new Error(`The job of ${job.run} failed ${String(ATTEMPTS)} times.`);
  }
}

const Desk = definePrompt({
  ns: 'schedules',
  key: 'desk',
  sections: [
    defineSection({
      key: 'desk',
      title: 'Desk',
      tools: [
        defineTool({
          ...{ name: 'ship', description: 'Ships.', hints: { idempotent: true }, requiresApproval: true },
          params: jsonSchema({ type: 'object', properties: {} }),
          handler: async (_params, context) => {
            const world = worlds.get(context.runMetadata['principal'] ?? '');
            await world?.pause('the handler begins');
            world?.effects.push(context.call.idempotencyKey);
            await world?.pause('the handler ends');
            return 'Shipped.';
          },
        }),
      ],
    }),
  ],
});
/** By the principal of their runs. */
const worlds = new Map<string, World>();

function modelOf(pause: Pause): ModelAdapter {
  return {
    name: 'scripted (not a model)',
    async complete({ messages }) {
      await pause('the model answers');
      const isAsked = messages.at(-1)?.role === 'user';
      const toolCalls = isAsked ? [{ id: 'i', name: 'ship', arguments: {} }] : [];
      const finishReason = isAsked ? ('tool_calls' as const) : ('stop' as const);
      return { text: isAsked ? null : 'Done.', toolCalls, finishReason, usage: undefined };
    },
  };
}

/** Milliseconds after which a run that waits is given up. */
const EXPIRE_MS = 60_000;

/** An application and the clock of its worlds, of which one runs at a time. */
export interface House {
  readonly app: Application;
  readonly clock: FakeClock;
}

export async function openHouse(): Promise<House> {
  const clock = new FakeClock(new Date());
  const app = await createApplication({
    prompts: [Desk],
    clock,
    logger: silent,
    approver: { approve: () => ({ kind: 'later' }) },
    keys: ['a key of the schedules, for specs alone'],
  });
  return { app, clock };
}

/** What one method of `runs` gave: a value, or the code of its error. */
export type Given = { readonly value: unknown } | { readonly code: string };

/** Two processes over one store, a client, and one run. */
export class World {
  readonly pause: Pause;
  readonly effects: string[] = [];
  readonly run: string;
  readonly conversation: string;
  readonly store: DurableStore;
  readonly engine: ScheduledEngine;
  /** Of the process of the client, which works as well, and of another one. */
  readonly processes: Runs[] = [];
  question = '';
  readonly #house: House;
  #approvals = 0;

  constructor(house: House, store: DurableStore, name: string, pause: Pause) {
    [this.#house, this.store, this.pause] = [house, store, pause];
    [this.run, this.conversation] = [`run ${name}`, `conversation ${name}`];
    this.engine = new ScheduledEngine(pause);
    worlds.set(name, this);
  }

  async begin(name: string): Promise<void> {
    for (let process = 0; process < 2; process++) {
      const store = scheduledStore(this.store, this.pause);
      const prepare = () => ({ prompt: Desk, adapter: modelOf(this.pause), runMetadata: { principal: name } });
      const runs = await openRuns(this.#house.app, {
        store,
        engine: this.engine.port,
        prepare,
        pollMs: 20,
        maxTakeovers: 1e3,
        expireMs: EXPIRE_MS,
      });
      await runs.work();
      this.processes.push(runs);
    }
  }

  get here(): Runs {
    const [runs] = this.processes;
    if (runs === undefined) throw new TypeError('begin() was not called.');
    return runs;
  }

  get there(): Runs {
    return this.processes[1] ?? this.here;
  }

  /** Brings the run to its question. */
  async park(): Promise<void> {
    await this.start();
    await this.engine.idle();
    const [question] = await this.store.records.questions({ run: this.run });
    this.question = question?.id ?? '';
  }

  /** Brings the run to its end. */
  async answer(): Promise<void> {
    await this.park();
    if ((await this.there.reply(this.run, this.question, { kind: 'approved' })) === 'taken') this.#approvals++;
    await this.engine.idle();
  }

  /** Lets the time pass in which a run may wait, and has the engine look again. */
  expire(): Promise<unknown> {
    this.#house.clock.advance(2 * EXPIRE_MS);
    return this.here.recover();
  }

  start(runs = this.here): Promise<unknown> {
    const messages = [{ role: 'user', content: 'Ship it.' }] as const;
    return runs.start({ id: this.run, conversation: this.conversation, messages });
  }

  async end(name: string): Promise<void> {
    await Promise.all(this.processes.map((runs) => runs.drain(0)));
    worlds.delete(name);
  }

  /** Returns what broke the model; an empty list if nothing did. */
  async judge(given: ReadonlyMap<string, Given>): Promise<readonly string[]> {
    const broken: string[] = [];
    const expect = (holds: boolean, what: string): void => {
      if (!holds) broken.push(what);
    };
    const said = (name: string): readonly unknown[] =>
      [...given].flatMap(([key, each]) => (key.startsWith(name) && 'value' in each ? [each.value] : []));
    const record = await this.store.records.get(this.run);
    const entries = await this.store.entries(this.conversation);
    const end = entries.find((entry) => entry.kind === 'end' && entry.run === this.run);
    const approvals = this.#approvals + said('approve').filter((each) => each === 'taken').length;
    const denials = said('deny').filter((each) => each === 'taken').length;
    const copies = said('retry').length + said('fork').length;

    expect(approvals + denials <= 1, 'a question had two replies');
    expect(new Set(this.effects).size <= (approvals > 0 ? 1 : 0), 'the effect came without its approval, or twice');
    expect(this.effects.length <= 1 || new Set(this.effects).size === 1, 'the effect came under two keys');
    expect(
      record === undefined || !['queued', 'running'].includes(record.status),
      `the run hangs (${String(record?.status)})`,
    );
    for (const value of said('cancel')) {
      expect(
        record === undefined || record.status === value,
        `cancel said ${String(value)}, and the run is ${String(record?.status)}`,
      );
      expect(
        end === undefined || value === statusOf(end),
        `cancel said ${String(value)}, and the log ${statusOf(end)}`,
      );
    }
    if (record !== undefined && end !== undefined)
      expect(record.status === statusOf(end), `the record is ${record.status}, and the log ${statusOf(end)}`);
    if (record?.status === 'answered') expect(end !== undefined, 'an answered run has no end in its log');
    if (approvals > 0 && ['cancel', 'delete', 'pause', 'expire', 'prune'].every((name) => said(name).length === 0))
      expect(record?.status === 'answered' && this.effects.length > 0, 'an approved run was not answered');
    if (this.effects.length > 0 && entries.length > 0)
      expect(tellsOfEffect(entries), 'the log says that nothing was done');
    for (const value of said('delete')) expect(value === undefined, 'delete gave something');
    if (said('delete').length > 0 && said('start').length === 0)
      expect(record === undefined || !OPEN.has(record.status), 'a run was left without its conversation');
    const retried = said('retry').map((run) => (run as { readonly id: string }).id);
    expect(new Set(retried).size <= 1, 'one retry made two runs');
    expect(
      (await this.#conversations()) <= 1 + Math.min(copies, new Set(retried).size + said('fork').length),
      'a copy that no run owns',
    );
    for (const id of await this.store.list())
      if (this.#isOwn(id))
        await Conversation.open(this.store, id).catch((error: unknown) => expect(false, String(error)));
    return broken;
  }

  async #conversations(): Promise<number> {
    const owned = new Set((await this.store.records.list({ limit: 1e6 })).map(({ conversation }) => conversation));
    return (await this.store.list()).filter((id) => this.#isOwn(id) && (owned.has(id) || id.startsWith('retry-')))
      .length;
  }

  /** A copy of a retry has a name of its own, so each world needs a store of its own. */
  #isOwn(id: string): boolean {
    return id === this.conversation || id.startsWith('retry-') || id.startsWith('copy ');
  }
}

function statusOf(entry: RunEntry | undefined): string {
  if (entry?.kind !== 'end') return 'open';
  return entry.how === 'abandoned' ? 'cancelled' : entry.how;
}

/** True unless the log answers the call as one that was not run. */
function tellsOfEffect(entries: readonly RunEntry[]): boolean {
  const texts = entries.flatMap((entry) => (entry.kind === 'end' ? entry.messages.map(({ content }) => content) : []));
  return !texts.some((text) => typeof text === 'string' && text.includes('was not run'));
}
