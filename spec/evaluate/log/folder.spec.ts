import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { FileRuns } from 'toolwright/conversations';
import { end, notes, question, textsOf } from './entries';

const root = mkdtempSync(join(tmpdir(), 'toolwright-folder-'));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});
let folders = 0;
const fresh = (): string => join(root, String(++folders));
const exclusive = (folder: string): FileRuns => new FileRuns(folder, { exclusive: true });
const claimed = {
  code: 'E709',
  message: expect.stringMatching(/another store has claimed the folder since: process \d+ of /) as string,
};

describe('a folder with one owner', () => {
  test('the later one goes on, and the earlier one is refused at whatever it would write, and says why', async () => {
    const folder = fresh();
    const [first, second] = [exclusive(folder), exclusive(folder)];
    const { epoch } = await first.open('c');
    await first.append({ conversation: 'c', epoch, after: 0 }, notes('a'));
    await second.open('d');
    await expect(first.append({ conversation: 'c', epoch, after: 1 }, notes('b'))).rejects.toMatchObject(claimed);
    await expect(first.open('c')).rejects.toMatchObject(claimed);
    await expect(first.open('e')).rejects.toMatchObject(claimed);
    expect(await second.list()).toEqual(expect.arrayContaining(['c', 'd']));
    expect(textsOf((await second.open('c')).entries)).toEqual(['a']);
    // Reading and replying are not writing in this sense.
    expect(textsOf(await first.entries('c'))).toEqual(['a']);
  });

  test('replies come from any process', async () => {
    const folder = fresh();
    const owner = exclusive(folder);
    const { epoch } = await owner.open('c');
    await owner.append({ conversation: 'c', epoch, after: 0 }, [question('1.0')]);
    expect(await new FileRuns(folder).reply('c', '1.0', { kind: 'approved' })).toBe('taken');
    await owner.append({ conversation: 'c', epoch, after: 2 }, notes('b'));
    expect(textsOf(await owner.entries('c'))).toEqual(['question', 'reply', 'b']);
  });

  test('of many that claim it at once, exactly one goes on', async () => {
    const folder = fresh();
    const all = Array.from({ length: 12 }, () => exclusive(folder));
    const opened = await Promise.all(all.map((store, index) => store.open(`c${String(index)}`).catch(() => undefined)));
    const appended = await Promise.allSettled(
      all.map((store, index) =>
        store.append({ conversation: `c${String(index)}`, epoch: opened[index]?.epoch ?? 0, after: 0 }, notes('a')),
      ),
    );
    expect(appended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(folder).filter((name) => name.startsWith('owner-'))).toHaveLength(1);
  });

  test('an owner that lost its claim after it had looked does not take a conversation from the later one', async () => {
    const [folder, elsewhere] = [fresh(), fresh()];
    await exclusive(folder).open('d');
    const owner = exclusive(folder);
    const { epoch } = await owner.open('c');
    await setTimeout(5);
    // The line of an earlier claim, of a higher epoch, written after that of the owner.
    const early = exclusive(elsewhere);
    await early.open('c');
    appendFileSync(owner.pathOf('c'), readFileSync(early.pathOf('c')));
    await owner.append({ conversation: 'c', epoch, after: 0 }, notes('a'));
    expect(textsOf(await new FileRuns(folder).entries('c'))).toEqual(['a']);
  });

  test('a folder that cannot be made is E709, and is tried again', async () => {
    const folder = fresh();
    writeFileSync(folder, 'a file');
    const store = exclusive(folder);
    await expect(store.open('c')).rejects.toMatchObject({ code: 'E709', place: folder });
    rmSync(folder);
    expect((await store.open('c')).entries).toEqual([]);
  });

  test('a torn last line of the owner before is mended by the next one', async () => {
    const folder = fresh();
    const before = exclusive(folder);
    const { epoch } = await before.open('c');
    await before.append({ conversation: 'c', epoch, after: 0 }, notes('a'));
    await before.append({ conversation: 'c', epoch, after: 1 }, notes('b'));
    truncateSync(before.pathOf('c'), statSync(before.pathOf('c')).size - 20);
    const next = exclusive(folder);
    const opened = await next.open('c');
    expect(textsOf(opened.entries)).toEqual(['a']);
    await next.append({ conversation: 'c', epoch: opened.epoch, after: 1 }, notes('c'));
    expect(textsOf(await next.entries('c'))).toEqual(['a', 'c']);
  });
});

describe('retention', () => {
  const day = 86_400_000;
  const aged = (store: FileRuns, conversation: string, days: number): void => {
    const then = new Date(Date.now() - days * day);
    utimesSync(store.pathOf(conversation), then, then);
  };
  /** Conversations that ended and that wait, old and new, some with names that are hashed. */
  async function kept() {
    const store = new FileRuns(fresh());
    const run = { kind: 'run', run: 'r', messages: [] } as const;
    const long = 'o'.repeat(300);
    for (const [id, entries] of [
      ['ended', [run, end()]],
      ['waits', [run, question('1.0')]],
      [long, [run, end()]],
      ['new', [run, end()]],
    ] as const) {
      const { epoch } = await store.open(id);
      await store.append({ conversation: id, epoch, after: 0 }, entries);
      if (id !== 'new') aged(store, id, 31);
    }
    return { store, long };
  }
  const monthAgo = (): Date => new Date(Date.now() - 30 * day);

  test('deletes what is old, and leaves every byte of the rest', async () => {
    const { store, long } = await kept();
    const before = readFileSync(store.pathOf('new'));
    expect(await store.prune(monthAgo(), { only: 'ended' })).toBe(2);
    expect([...(await store.list())].sort()).toEqual(['new', 'waits']);
    expect(await store.entries(long)).toEqual([]);
    expect(await store.prune(monthAgo())).toBe(1);
    expect(await store.list()).toEqual(['new']);
    expect(readFileSync(store.pathOf('new'))).toEqual(before);
    expect(await store.prune(monthAgo())).toBe(0);
  });

  test('what is written to is not old, whatever its age', async () => {
    const { store } = await kept();
    const opened = await store.open('waits');
    expect(await store.prune(monthAgo())).toBe(2);
    expect(await store.entries('waits')).toEqual(opened.entries);
  });

  test('a writer of a conversation that was deleted is refused, and begins no new one by accident', async () => {
    const { store } = await kept();
    const other = new FileRuns(store.folder);
    const { epoch, entries } = await other.open('waits');
    aged(store, 'waits', 31);
    await store.prune(monthAgo());
    const position = { conversation: 'waits', epoch, after: entries.length };
    await expect(other.append(position, notes('a'))).rejects.toMatchObject({ code: 'E709' });
    expect(await store.list()).toEqual(['new']);
  });

  test('refuses options that it does not have: E413', async () => {
    const { store } = await kept();
    await expect(store.prune(monthAgo(), { olny: 'ended' } as object)).rejects.toMatchObject({ code: 'E413' });
    expect(await store.list()).toHaveLength(4);
  });
});
