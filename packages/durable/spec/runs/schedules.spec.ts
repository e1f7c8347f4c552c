// Every pair of methods of `runs`, while a run is begun, carried out or parked: whatever order their requests to the store, the jobs and
// the answers of the model come in, the model of `judge` holds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { ToolwrightError } from 'toolwright';
import type { DurableStore } from '@toolwright/durable';
import { PostgresRuns } from '@toolwright/durable/postgres';
import { MemoryRuns } from '@toolwright/durable';
import { describeOnPostgres } from '../../../../spec/support/postgresServer';
import { sqliteRuns } from '../support/sqliteRuns';
import { type Given, type House, openHouse, type Pause, World } from './schedules';

const SCHEDULES = Number(process.env['SCHEDULES'] ?? 1_000);
jest.setTimeout(Math.max(300_000, SCHEDULES * 100));
const folder = mkdtempSync(join(tmpdir(), 'toolwright-schedules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Schedules spend most of their time waiting, so several run at the same time, each in a house of its own. */
const LANES = 6;
const houses: House[] = [];
beforeAll(async () => {
  for (let lane = 0; lane < LANES; lane++) houses.push(await openHouse());
});
afterAll(() => Promise.all(houses.map(({ app }) => app.close())));

type Method = (world: World) => Promise<unknown>;

/** The methods, with the codes that each may fail with. */
const methods: Readonly<Record<string, readonly [Method, ...(readonly string[])]>> = {
  start: [(world) => world.start(world.there)],
  approve: [({ here, run, question }) => here.reply(run, question, { kind: 'approved' }), 'E738', 'E709'],
  'approve there': [({ there, run, question }) => there.reply(run, question, { kind: 'approved' }), 'E738', 'E709'],
  deny: [({ there, run, question }) => there.reply(run, question, { kind: 'denied', reason: 'no' }), 'E738', 'E709'],
  cancel: [({ here, run }) => here.cancel(run, 'no longer needed'), 'E738'],
  'cancel there': [({ there, run }) => there.cancel(run, 'no longer needed'), 'E738'],
  pause: [({ there, run }) => there.pause(run), 'E738', 'E743'],
  resume: [({ here, run }) => here.resume(run), 'E738', 'E743'],
  retry: [({ here, run }) => here.retry(run, { id: 'again' }), 'E738', 'E743'],
  'retry there': [({ there, run }) => there.retry(run, { id: 'again' }), 'E738', 'E743'],
  fork: [({ there, run }) => there.fork(run, { conversation: 'copy of it' }), 'E738', 'E743'],
  preview: [({ here, run, question }) => here.preview(run, question), 'E738', 'E743', 'E709'],
  questions: [({ there, run }) => there.questions({ run })],
  list: [({ there }) => there.list()],
  delete: [({ store, conversation }) => store.delete(conversation), 'E746'],
  prune: [({ here }) => here.prune(new Date(Date.now() + 60_000))],
  expire: [(world) => world.expire()],
};
const names = Object.keys(methods);
const pairs = names.flatMap((one, index) => names.slice(index).map((other) => [one, other] as const));
type Pair = (typeof pairs)[number];

/** How far the run is when the methods are called. */
const states = ['begun', 'parked', 'ended'] as const;
type State = (typeof states)[number];

let worlds = 0;

/** Runs the two methods at the same time, waits until nothing is left to do, and returns what broke the model. */
async function tryPair(
  house: House,
  store: DurableStore,
  pair: Pair,
  state: State,
  pause: Pause,
): Promise<readonly string[]> {
  const name = String(++worlds);
  const world = new World(house, store, name, pause);
  try {
    await world.begin(name);
    await (state === 'begun' ? world.start() : state === 'parked' ? world.park() : world.answer());
    const given = new Map<string, Given>();
    const broken: string[] = [];
    const run = async (key: string, index: number): Promise<void> => {
      const [method, ...codes] = methods[key] ?? [() => Promise.reject(new RangeError(key))];
      try {
        given.set(`${key} ${String(index)}`, { value: await method(world) });
      } catch (error) {
        const code = error instanceof ToolwrightError ? error.code : String(error);
        given.set(`${key} ${String(index)}`, { code });
        if (!codes.includes(code)) broken.push(`${key}: ${String(error)}`);
      }
    };
    await Promise.all(pair.map(run));
    await world.engine.idle();
    return [...broken, ...(await world.judge(given))];
  } finally {
    await world.end(name);
  }
}

test('schedules: the store, the engine, the model and the handler in any order', async () => {
  const broken: string[] = [];
  let tried = 0;
  const createProperty = (house: House) =>
    fc.asyncProperty(
      fc.scheduler({ act: nextTurn }),
      fc.constantFrom(...pairs),
      fc.constantFrom(...states),
      async (scheduler, pair, state) => {
        tried++;
        const pause: Pause = (what) => scheduler.schedule(Promise.resolve(), what);
        const found = await scheduler.waitFor(tryPair(house, new MemoryRuns(), pair, state, pause));
        if (found.length > 0) broken.push(`${state}: ${pair.join(' and ')}: ${found.join('; ')}`);
        expect(found).toEqual([]);
      },
    );
  const numRuns = Math.ceil(SCHEDULES / LANES);
  await Promise.all(houses.map((house) => fc.assert(createProperty(house), { numRuns })));
  expect([tried, broken]).toEqual([numRuns * LANES, []]);
  process.stdout.write(`schedules: ${String(tried)}, ${String(broken.length)} broken\n`);
});

/** Lets all that was waiting for settled promises run, so that the scheduler can choose among what follows. */
async function nextTurn(work: () => Promise<unknown>): Promise<void> {
  await work();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for some milliseconds or for none, as a seed says. */
function delaysOf(seed: number): Pause {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const choice = state >>> 28;
    return choice < 10 ? Promise.resolve() : sleep((choice - 10) / 2);
  };
}

const tryAll = async (open: (index: number) => Promise<DurableStore> | DurableStore): Promise<void> => {
  const broken: string[] = [];
  const waiting = pairs.entries();
  const tryNext = async (house: House): Promise<void> => {
    for (const [index, pair] of waiting) {
      const store = await open(index);
      const found = await tryPair(house, store, pair, states[index % states.length] ?? 'parked', delaysOf(index));
      if (found.length > 0) broken.push(`${pair.join(' and ')}: ${found.join('; ')}`);
    }
  };
  await Promise.all(houses.map(tryNext));
  expect(broken).toEqual([]);
};

test('schedules with delays end as planned in SQLite', async () => {
  await tryAll((index) => sqliteRuns(join(folder, `${String(index)}.db`)));
});

describeOnPostgres('the same pairs in PostgreSQL', (postgres) => {
  test('pairs of statements with delays end as in one order, in PostgreSQL', async () => {
    await tryAll((index) => new PostgresRuns(postgres.pool, { schema: 'schedules' }).forTenant(`t${String(index)}`));
  });
});
