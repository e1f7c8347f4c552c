import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, appendFileSync, writeFileSync } from 'node:fs';
import type * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileRuns } from '../../../src/evaluate/FileRuns';
import type { NewRun } from '../../../src/interface/RunRecords';

/** Comes before each second name that a file gets. */
let beforeLink: () => Promise<void> = async () => undefined;
jest.mock('node:fs/promises', () => {
  const actual = jest.requireActual<typeof files>('node:fs/promises');
  const link: typeof files.link = async (from, to) => {
    await beforeLink();
    await actual.link(from, to);
  };
  return { ...actual, link };
});

const folders: string[] = [];
afterEach(() => {
  beforeLink = async () => undefined;
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-records-'));
  folders.push(folder);
  return folder;
};
const runOf = (id: string, words = `Words of ${id}.`): NewRun => ({
  ...{ id, conversation: `c-${id}`, tenant: null, input: null, trace: null },
  messages: [{ role: 'user', content: words }],
});
const later = (): Date => new Date(Date.now() + 60_000);
const idsOf = async (store: FileRuns): Promise<readonly string[]> =>
  (await store.records.list({ limit: Infinity })).map(({ id }) => id);
const end = async (store: FileRuns, ...ids: readonly string[]): Promise<void> => {
  for (const id of ids) await store.records.change(id, { status: ['queued'] }, { status: 'answered' });
};
const wordsIn = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
/** The line that ends a file. */
const endLine = async (): Promise<string> => {
  const folder = freshFolder();
  const store = new FileRuns(folder);
  await store.records.create(runOf('a'));
  await end(store, 'a');
  await store.records.prune(later());
  return readFileSync(join(folder, 'runs.log'), 'utf8');
};

describe('records that are pruned', () => {
  test('leave nothing of their messages in the folder, and all others are as before', async () => {
    const folder = freshFolder();
    const store = new FileRuns(folder);
    for (const id of ['a', 'b', 'c']) await store.records.create(runOf(id));
    await end(store, 'b', 'c');
    const [kept] = await store.records.list();
    expect(wordsIn(folder)).toContain('Words of b.');
    expect(await store.records.prune(later())).toBe(2);
    expect(wordsIn(folder)).not.toMatch(/Words of [bc]\./);
    expect(await store.records.list()).toEqual([kept]);
    expect(await new FileRuns(folder).records.list()).toEqual([kept]);
    expect(readdirSync(folder)).toEqual(['runs-1.log', 'runs.log']);
    expect(statSync(join(folder, 'runs-1.log')).mode & 0o777).toBe(0o600);
  });

  test('still count for the order of later ones', async () => {
    const folder = freshFolder();
    const store = new FileRuns(folder);
    for (const id of ['a', 'b']) await store.records.create(runOf(id));
    await end(store, 'a', 'b');
    await store.records.prune(later());
    await new FileRuns(folder).records.create(runOf('c'));
    expect(await store.records.get('c')).toMatchObject({ order: 3, status: 'queued' });
  });

  test('are gone from the files once the next prune comes, if a process ended before it could write another file', async () => {
    const folder = freshFolder();
    const store = new FileRuns(folder);
    for (const id of ['a', 'b']) await store.records.create(runOf(id));
    await end(store, 'a');
    beforeLink = () => Promise.reject(new Error('ended'));
    await store.records.prune(later());
    expect(wordsIn(folder)).toContain('Words of a.');
    beforeLink = async () => undefined;
    expect(await new FileRuns(folder).records.prune(later())).toBe(0);
    expect(wordsIn(folder)).not.toContain('Words of a.');
    expect(await idsOf(store)).toEqual(['b']);
  });

  test('stay in the file, where files cannot have two names', async () => {
    const folder = freshFolder();
    const store = new FileRuns(folder);
    for (const id of ['a', 'b']) await store.records.create(runOf(id));
    await end(store, 'a');
    beforeLink = () => Promise.reject(Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' }));
    expect(await store.records.prune(later())).toBe(1);
    expect(await idsOf(store)).toEqual(['b']);
    expect(await store.records.create(runOf('c'))).toBe('created');
    expect(readdirSync(folder)).toEqual(['runs.log']);
  });
});

describe('stores that had the folder open before', () => {
  test('read and write where it goes on', async () => {
    const folder = freshFolder();
    const [one, other] = [new FileRuns(folder), new FileRuns(folder)];
    for (const id of ['a', 'b']) await one.records.create(runOf(id));
    expect(await idsOf(other)).toEqual(['a', 'b']);
    for (let round = 0; round < 3; round++) {
      await end(one, 'a');
      await one.records.prune(later());
      expect(await idsOf(other)).not.toContain('a');
      await other.records.create(runOf('a'));
      expect(await idsOf(one)).toContain('a');
    }
    expect(readdirSync(folder)).toEqual(['runs-3.log', 'runs.log']);
  });

  test('take a file that has ended without a next one for what there is, and make the next one to write', async () => {
    const folder = freshFolder();
    const store = new FileRuns(folder);
    await store.records.create(runOf('a'));
    appendFileSync(join(folder, 'runs.log'), await endLine());
    expect(await idsOf(store)).toEqual(['a']);
    expect(readdirSync(folder)).toEqual(['runs.log']);
    expect(await store.records.create(runOf('b'))).toBe('created');
    expect(await idsOf(new FileRuns(folder))).toEqual(['a', 'b']);
    expect(readdirSync(folder)).toEqual(['runs-1.log', 'runs.log']);
  });

  test('do not count what comes after the end of a file', async () => {
    const folder = freshFolder();
    const store = new FileRuns(folder);
    await store.records.create(runOf('a'));
    const created = readFileSync(join(folder, 'runs.log'), 'utf8').replaceAll('"a"', '"late"');
    appendFileSync(join(folder, 'runs.log'), `${await endLine()}${created}`);
    expect(await idsOf(store)).toEqual(['a']);
    await store.records.create(runOf('b'));
    expect(await idsOf(store)).toEqual(['a', 'b']);
  });

  test('do not make a file again that others have given up since', async () => {
    const folder = freshFolder();
    const [slow, quick] = [new FileRuns(folder), new FileRuns(folder)];
    await quick.records.create(runOf('a'));
    appendFileSync(join(folder, 'runs.log'), await endLine());
    let goOn = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      beforeLink = () => {
        beforeLink = async () => undefined;
        resolve();
        return new Promise((go) => (goOn = go));
      };
    });
    const created = slow.records.create(runOf('slow'));
    await stopped;
    await quick.records.create(runOf('b'));
    await end(quick, 'b');
    await quick.records.prune(later());
    expect(readdirSync(folder)).toEqual(['runs-2.log', 'runs.log']);
    goOn();
    expect(await created).toBe('created');
    expect(readdirSync(folder)).toEqual(['runs-2.log', 'runs.log']);
    expect(await idsOf(quick)).toEqual(['a', 'slow']);
  });

  test('delete what a process left that ended while it made a file', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'runs-1.log.left'), 'Words of a process.');
    const store = new FileRuns(folder);
    for (const id of ['a', 'b']) {
      await store.records.create(runOf(id));
      await end(store, id);
      await store.records.prune(later());
    }
    expect(readdirSync(folder)).toEqual(['runs-2.log', 'runs.log']);
  });
});

test('many stores create, claim and prune at once: no run is lost, none is claimed twice', async () => {
  const folder = freshFolder();
  const stores = Array.from({ length: 4 }, () => new FileRuns(folder));
  const claims = new Map<string, number>();
  const rounds = 12;
  await Promise.all(
    stores.map(async ({ records }, index) => {
      for (let round = 0; round < rounds; round++) {
        expect(await records.create(runOf(`${String(index)}.${String(round)}`))).toBe('created');
        // All of them try to have the same ones.
        for (const { id } of await records.list({ status: ['queued'], limit: 3 })) {
          const owner = `store ${String(index)}`;
          const claimed = await records.change(id, { status: ['queued'] }, { status: 'running', owner });
          if (claimed !== undefined) claims.set(id, (claims.get(id) ?? 0) + 1);
          if (claimed !== undefined && round % 2 === 0)
            await records.change(id, { status: ['running'], owner }, { status: 'answered' });
        }
        if (round % 3 === index % 3) await records.prune(later());
      }
    }),
  );
  expect([...claims.values()].every((times) => times === 1)).toBe(true);
  const left = await new FileRuns(folder).records.list({ limit: Infinity });
  for (const store of stores) expect(await store.records.list({ limit: Infinity })).toEqual(left);
  expect(new Set(left.map(({ order }) => order)).size).toBe(left.length);
  expect(Math.max(...left.map(({ order }) => order))).toBe(stores.length * rounds);
  const unclaimed = left.filter(({ status }) => status === 'queued');
  expect(unclaimed.length + claims.size).toBe(stores.length * rounds);
});
