import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { runEngineContract } from '@toolwright/contracts';
import { EmbeddedEngine } from '../../src/runs/EmbeddedEngine.js';
import { makeOwnerName } from '../../src/runs/owners.js';
import { until } from './desk';
import { changed } from '../../../../spec/support/changed';
import { silent } from '../../../../spec/support/silent';
import { sqliteRuns } from '../support/sqliteRuns';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-engine-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the embedded engine keeps the contract of engines', () => {
  const store = sqliteRuns(join(folder, 'runs.db'));
  const { records } = store;
  interface Job {
    readonly run: string;
    readonly conversation: string;
  }
  const create = async ({ run: id, conversation }: Job, delayMs: number): Promise<void> => {
    await records.create({ id, conversation, input: null, messages: [], trace: null });
    if (delayMs > 0)
      await records.change(id, { status: ['queued'] }, { status: 'waiting', expiresAt: Date.now() + delayMs });
  };
  // A run for later is created and put off in two steps, and no engine must look in between.
  let created = Promise.resolve();
  const outline: typeof store.acrossTenants.outline = async (filter) => {
    await created;
    return store.acrossTenants.outline(filter);
  };
  const looked = changed(store, { acrossTenants: changed(store.acrossTenants, { outline }) });
  const kit = {
    open: () =>
      new EmbeddedEngine({ store: looked, logger: silent, clock: systemClock, owner: makeOwnerName(), pollMs: 20 }),
    create: (job: Job, delayMs: number): Promise<void> => {
      created = create(job, delayMs);
      return created;
    },
    finish: async ({ run }: { run: string }) => {
      await records.change(run, { status: ['queued', 'waiting'] }, { status: 'answered' });
    },
  };
  for (const { name, run } of runEngineContract(kit)) test(name, run);
});

test('the clock of the application says when a waiting run is given up, and not that of the system', async () => {
  const clock = new FakeClock();
  const store = sqliteRuns(join(folder, 'clock.db'));
  const { records } = store;
  await records.create({ id: 'r', conversation: 'c', input: null, messages: [], trace: null });
  const carried: string[] = [];
  const engine = new EmbeddedEngine({ store, logger: silent, clock, owner: makeOwnerName(), pollMs: 5 });
  const expiresAt = clock.now() + 60_000;
  await engine.work(async ({ run }) => {
    carried.push(run);
    await records.change(run, { status: ['queued'] }, { status: 'waiting', expiresAt });
    return 'done';
  });
  await until(async () => (await records.get('r'))?.status === 'waiting', 'it waits');
  await sleep(50);
  expect(carried).toEqual(['r']);
  clock.advance(60_000);
  await until(() => carried.length > 1, 'it is given up');
  await engine.drain(1_000);
});
