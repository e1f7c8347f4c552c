// The failure matrix of durable runs over the SQLite store, row by row, with workers that a test hands each run to. What needs processes that
// are really killed, servers or proxies is in packages/durable/spec/runs/processes.spec.ts, spec/integration and `npm run -w @toolwright/durable kills`;
// docs/benchmarks/durable.md says which row is where.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { RunEntry } from 'toolwright/conversations';
import type { DurableStore, Runs } from '@toolwright/durable';
import { effectsOf, openDesk, said, type DeskOptions, type Input } from '../runs/desk';
import { sqliteRuns } from '../support/sqliteRuns';
import { FaultyRuns, type StoreFault } from './FaultyRuns';
import { HandEngine } from './HandEngine';

const root = mkdtempSync(join(tmpdir(), 'toolwright-matrix-'));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

/** Two stores on one file, as two processes have it: that of the worker that comes to a fault, and that of the one which goes on. */
const faultyOne = sqliteRuns(join(root, 'runs.db'));
const other = sqliteRuns(join(root, 'runs.db'));

/** A folder for the effects of a run. Its name is the id of the run and of its conversation. */
const fresh = (): string => mkdtempSync(join(root, 'run-'));
const idOf = (folder: string): string => basename(folder);

interface Worker {
  readonly runs: Runs<Input>;
  readonly engine: HandEngine;
}

/** A worker of its own, as another process would have it. */
async function worker(folder: string, store: DurableStore, options: DeskOptions = {}): Promise<Worker> {
  const engine = new HandEngine();
  const runs = await openDesk(folder, store, { engine, ...options });
  await runs.work();
  return { runs, engine };
}

const entriesOf = (folder: string): Promise<readonly RunEntry[]> => other.entries(idOf(folder));
const count = (folder: string, text: string): number => effectsOf(folder).filter((line) => line.includes(text)).length;
const idempotencyKeys = (folder: string, name: string): number =>
  new Set(effectsOf(folder).filter((line) => line.endsWith(` ${name} apple`))).size;

/** Works until nothing is left to do, and approves what is asked. */
async function finish(folder: string, { runs, engine }: Worker): Promise<string | null> {
  const [run, conversation] = [idOf(folder), idOf(folder)];
  await engine.carry(conversation);
  for (const { id } of await runs.questions({ conversation })) await runs.reply(run, id, { kind: 'approved' });
  await engine.carry(conversation);
  return (await runs.result(run)).text;
}

/** Starts a run, and lets a worker come to a fault in it, also after the reply to its question. */
async function faulty(wish: string, fault: StoreFault, options: DeskOptions = {}) {
  const folder = fresh();
  const store = new FaultyRuns(faultyOne, fault);
  const first = await worker(folder, store, options);
  await first.runs.start({ id: idOf(folder), conversation: idOf(folder), messages: said(wish) });
  const ended = await finish(folder, first).catch((error: unknown) => error);
  return { folder, store, first, ended };
}

/** The entries of `buy` and of `ship`, undisturbed, as they are appended. */
const wishes = [
  ['buy', 15],
  ['ship', 11],
] as const;

describe('kill -9 at random points, before and after the approval', () => {
  test.each(
    wishes.flatMap(([wish, most]) => (['before', 'after'] as const).map((kind) => [kind, wish, most] as const)),
  )(
    '%s each entry of the run %s: another worker ends it, and every effect is there under one key',
    async (kind, wish, most) => {
      let faults = 0;
      for (let at = 1; at <= most; at++) {
        const { folder, store } = await faulty(wish, { at, kind }, { onUnknown: 'repeat' });
        if (!store.happened) continue;
        faults += 1;
        const recorded = await entriesOf(folder);
        const second = await worker(folder, other, { onUnknown: 'repeat' });
        expect(await finish(folder, second)).toBe(`${wish} is done for nobody.`);
        const entries = await entriesOf(folder);
        expect(entries.slice(0, recorded.length)).toEqual(recorded);
        expect(entries.filter((entry) => entry.kind === 'end')).toHaveLength(1);
        const names = wish === 'buy' ? ['pay', 'stamp'] : ['ship'];
        for (const name of names) expect(idempotencyKeys(folder, name)).toBe(1);
        const questions = entries.filter((entry) => entry.kind === 'question');
        expect(questions).toHaveLength(wish === 'ship' ? 1 : 0);
      }
      expect(faults).toBeGreaterThan(5);
    },
  );
});

describe('begun and not recorded, under each policy', () => {
  /** The entry of the outcome of `pay`, which says nothing of being repeated. */
  const atOutcomeOfPay: StoreFault = { at: 8, kind: 'before' };
  const cutOff = async (onUnknown: DeskOptions['onUnknown']) => {
    const { folder } = await faulty('buy', atOutcomeOfPay, { onUnknown });
    expect((await entriesOf(folder)).at(-1)).toMatchObject({ kind: 'begun', name: 'pay' });
    expect(count(folder, ' pay ')).toBe(1);
    return { folder, second: await worker(folder, other, { onUnknown }) };
  };

  test('fail: the model reads that the effect is not known, and nothing is repeated', async () => {
    const { folder, second } = await cutOff('fail');
    expect(await finish(folder, second)).toBe('buy is done for nobody.');
    expect(count(folder, ' pay ')).toBe(1);
    const outcome = (await entriesOf(folder)).find((entry) => entry.kind === 'outcome' && entry.name === 'pay');
    expect(JSON.stringify(outcome)).toContain('It is not known whether it had an effect');
  });

  test('repeat: it runs again, under the same key', async () => {
    const { folder, second } = await cutOff('repeat');
    expect(await finish(folder, second)).toBe('buy is done for nobody.');
    expect([count(folder, ' pay '), idempotencyKeys(folder, 'pay')]).toEqual([2, 1]);
  });

  test('ask: it is a question of the inbox, and its reply is the outcome', async () => {
    const { folder, second } = await cutOff('ask');
    const [run, conversation] = [idOf(folder), idOf(folder)];
    await second.engine.carry(conversation);
    const [question] = await second.runs.questions({ conversation });
    expect(question).toMatchObject({ run, about: 'unknown', name: 'pay' });
    await second.runs.reply(run, question!.id, { kind: 'outcome', text: 'It was paid.' });
    await second.engine.carry(conversation);
    expect((await second.runs.result(run)).text).toBe('buy is done for nobody.');
    expect(count(folder, ' pay ')).toBe(1);
  });
});

describe('an append whose acknowledgement is lost', () => {
  test('whichever it is: the same worker goes on from the log, and asks and does nothing again that is recorded', async () => {
    let faults = 0;
    for (let at = 1; at <= 15; at++) {
      const { folder, store, first } = await faulty('buy', { at, kind: 'unacknowledged' }, { onUnknown: 'repeat' });
      if (!store.happened) continue;
      faults += 1;
      expect(await finish(folder, first)).toBe('buy is done for nobody.');
      for (const turn of [1, 2, 3, 4]) expect(count(folder, `asked buy ${String(turn)}`)).toBe(1);
      expect([idempotencyKeys(folder, 'pay'), count(folder, ' pay ')]).toEqual([1, 1]);
    }
    expect(faults).toBeGreaterThan(5);
  });
});

describe('two workers on one run', () => {
  test('the one that took it first is refused at its next entry, and ends nothing', async () => {
    const folder = fresh();
    const first = await worker(folder, new FaultyRuns(faultyOne, { at: 5, kind: 'before' }));
    await first.runs.start({ id: idOf(folder), conversation: idOf(folder), messages: said('buy') });
    await expect(first.engine.carry(idOf(folder))).rejects.toThrow();
    const second = await worker(folder, other);
    expect(await finish(folder, second)).toBe('buy is done for nobody.');
    const entries = await entriesOf(folder);
    expect(await first.engine.carry(idOf(folder))).toBe('done');
    expect(await entriesOf(folder)).toEqual(entries);
  });
});
