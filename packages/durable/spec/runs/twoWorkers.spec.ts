// Two workers over one store see the same run at once. One of them works on it; the other one neither shuts it out nor repeats a call.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DurableStore, MemoryRuns, type Runs } from '@toolwright/durable';
import { changed } from '../../../../spec/support/changed';
import { sqliteRuns } from '../support/sqliteRuns';
import { effectsOf, type Input, openDesk, said, until } from './desk';

jest.setTimeout(60_000);
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-two-workers-'));
  folders.push(folder);
  return folder;
}

/** The store, but each reading of the first run of a conversation waits before or afterwards; afterwards, so that its answer may be old. */
function delayHeads(store: DurableStore, when: 'before' | 'after', pause: () => Promise<void>): DurableStore {
  const forTenant = (tenant: string | null): DurableStore => {
    const own = store.forTenant(tenant);
    const head: typeof own.records.head = async (conversation) => {
      if (when === 'before') await pause();
      const found = await own.records.head(conversation);
      if (when === 'after') await pause();
      return found;
    };
    return changed(own, { records: changed(own.records, { head }) });
  };
  return changed(store, { forTenant });
}

async function drain(...desks: readonly Runs<Input>[]): Promise<void> {
  for (const desk of desks) await desk.drain(1_000);
}

const stores: readonly (readonly [string, (folder: string) => DurableStore])[] = [
  ['memory', () => new MemoryRuns()],
  ['SQLite', (folder) => sqliteRuns(join(folder, 'runs.db'))],
];
const moments = ['before', 'after'] as const;

describe.each(stores)('two workers over %s', (_name, openStore) => {
  test('a queued run that two workers see at once is begun by one of them', async () => {
    const folder = createFolder();
    let seen = 0;
    const store = delayHeads(openStore(folder), 'after', async () => {
      seen++;
      while (seen < 2) await sleep(1);
    });
    const warnings: string[] = [];
    const [first, second] = [await openDesk(folder, store, { warnings }), await openDesk(folder, store, { warnings })];
    const run = await first.start({ input: null, messages: said('buy') });
    await run.result();
    await drain(first, second);
    expect(effectsOf(folder).filter((line) => / (?:pay|stamp) /.test(line))).toHaveLength(2);
    expect(await run.record()).toMatchObject({ status: 'answered', takeovers: 0 });
    expect(warnings).toEqual([]);
  });

  test('a run whose id another process deletes as it is started again is a new run', async () => {
    const folder = createFolder();
    const store = openStore(folder);
    const desk = await openDesk(folder, store, { work: false });
    const again = { id: 'order 1041', conversation: 'c-1041', input: null, messages: said('buy') };
    await desk.start(again);
    await desk.cancel(again.id, 'no longer needed');
    let creations = 0;
    const deleteOnce = (own: DurableStore): DurableStore => {
      const create: typeof own.records.create = async (run, within) => {
        const created = await own.records.create(run, within);
        if (++creations === 1) await own.delete(again.conversation);
        return created;
      };
      const records = changed(own.records, { create });
      return changed(own, { records, forTenant: (tenant: string | null) => deleteOnce(own.forTenant(tenant)) });
    };
    const other = await openDesk(folder, deleteOnce(store), { work: false });
    await other.start(again);
    expect(creations).toBe(2);
    expect(await other.get(again.id)).toMatchObject({ status: 'queued' });
    await drain(desk, other);
  });

  test.each(moments)(
    'a run that another worker has begun since it was found is left to that worker, %s its record is read',
    async (when) => {
      const folder = createFolder();
      const store = openStore(folder);
      const isHolding = (): boolean => effectsOf(folder).includes('holding');
      let isFound = false;
      const early = delayHeads(store, 'after', () => until(() => isFound, 'the second worker finds the run'));
      const late = delayHeads(store, when, async () => {
        isFound = true;
        await until(isHolding, 'the first worker makes its call');
      });
      const warnings: string[] = [];
      const [first, second] = [await openDesk(folder, early, { warnings }), await openDesk(folder, late, { warnings })];
      const run = await first.start({ input: null, messages: said('slow') });
      await until(isHolding, 'the call holds');
      await sleep(100);
      writeFileSync(join(folder, 'go'), '');
      await run.result();
      await drain(first, second);
      expect(effectsOf(folder).filter((line) => line === 'holding')).toHaveLength(1);
      expect(await run.record()).toMatchObject({ status: 'answered', takeovers: 0 });
      expect(warnings).toEqual([]);
    },
  );
});
