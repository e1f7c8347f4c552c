import { spawnSync } from 'node:child_process';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { RunEntry } from 'toolwright/conversations';
import type { NewRun } from '@toolwright/durable';
import { SqliteRuns, type SqliteRunsOptions } from '@toolwright/durable/sqlite';
import { sqliteTableSteps } from '../../src/sqlite/sqliteScripts.js';
import { drivers, sqliteConnection } from '../support/sqliteConnection';
import { sqliteRuns } from '../support/sqliteRuns';
import { expectUpgraded, rowsOfVersion2 } from '../../../../spec/support/version2';
import { end, idOf, note, notes, question, textsOf } from './entries';

const root = mkdtempSync(join(tmpdir(), 'toolwright-sqlite-'));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});
let files = 0;
const fresh = (): string => join(root, String(++files), 'runs.db');

const refusal = (problem: string | RegExp) => ({ code: 'E709', message: expect.stringMatching(problem) as string });
const runOf = (id: string, rest: Partial<NewRun> = {}): NewRun => ({
  ...{ id, conversation: `c-${id}`, input: null, trace: null },
  messages: [{ role: 'user', content: `Words of ${id}.` }],
  ...rest,
});
/** Reads a file in another process: to close a file drops the locks that this process has on it. */
const readIn = (path: string): string => spawnSync('cat', [path], { encoding: 'latin1', maxBuffer: 1e8 }).stdout;
/** Everything that the files of a store contain. */
const bytesIn = (path: string): string =>
  readdirSync(dirname(path))
    .map((name) => readIn(join(dirname(path), name)))
    .join('');

/** A store with a conversation of three entries. */
async function written(options: SqliteRunsOptions = {}, path = fresh()) {
  const store = sqliteRuns(path, options);
  const { epoch } = await store.open('c');
  await store.append({ conversation: 'c', epoch, after: 0 }, notes('a', 'b'));
  await store.append({ conversation: 'c', epoch, after: 2 }, notes('c'));
  return { store, path, epoch, other: sqliteRuns(path, options) };
}

/** Makes a file what it was in version 1: conversations alone, with keys of their own. */
function downgrade(path: string): void {
  const shell = sqliteConnection(path);
  const [first = ''] = sqliteTableSteps;
  shell.exec(`DROP TABLE runs; DROP TABLE questions; DROP TABLE session_changes; DROP TABLE inbox; DROP TABLE chats;
    ALTER TABLE logs RENAME TO new_logs; ALTER TABLE entries RENAME TO new_entries;
    ${first}
    INSERT INTO logs SELECT conversation, epoch, writer, count, began, written FROM new_logs;
    INSERT INTO entries SELECT conversation, position, entry FROM new_entries;
    DROP TABLE new_entries; DROP TABLE new_logs; PRAGMA user_version = 1`);
  shell.close();
}

describe.each(drivers)('a store with the driver %s', (driver) => {
  test('a store keeps conversations and runs in a file that others can open', async () => {
    const { store, path } = await written({ driver });
    await store.records.create(runOf('r'));
    const shell = sqliteConnection(path);
    const [row] = shell.prepare(`SELECT json_extract(entry, '$.message.content') AS text FROM entries LIMIT 1`).all();
    expect(row).toEqual({ text: 'a' });
    expect(shell.prepare('SELECT id, status FROM runs').all()).toEqual([{ id: 'r', status: 'queued' }]);
    shell.close();
  });

  test('SqliteRuns keeps numbers exactly', async () => {
    const { store } = await written({ driver });
    const { epoch } = await store.open('c');
    const again = await store.open('c');
    expect(again.epoch).toBe(epoch + 1);
    expect(epoch).toBeGreaterThan(1e15);
  });

  test('a store keeps ids and texts that SQL and UTF-8 do not like', async () => {
    const store = sqliteRuns(fresh(), { driver });
    const ids = fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), 12);
    ids.push(
      '../x',
      "'; DROP TABLE logs; --",
      'A',
      'a',
      'a\0b',
      '\ud800',
      '\ud801',
      'x'.repeat(9_000),
      '__proto__',
      '💡',
    );
    const unique = [...new Set(ids)];
    for (const id of unique) {
      const { epoch } = await store.open(id);
      await store.append({ conversation: id, epoch, after: 0 }, notes(id));
      await store.forTenant(id).records.create(runOf(id, { conversation: id, input: id }));
    }
    expect([...(await store.list())].sort()).toEqual([...unique].sort());
    for (const id of unique) {
      expect(textsOf(await store.entries(id))).toEqual([id]);
      const { records } = store.forTenant(id);
      expect(await records.get(id)).toMatchObject({ id, conversation: id, tenant: id, input: id });
      expect((await records.list()).map((run) => run.id)).toEqual([id]);
    }
  });
});

describe('the file', () => {
  test('the file is created with its folder, for its owner only, and so are the files beside it', async () => {
    const { path } = await written();
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dirname(path))) expect(statSync(join(dirname(path), name)).mode & 0o777).toBe(0o600);
  });

  test('the file is one file after the store was closed', async () => {
    const { store, other, path } = await written();
    await store.close();
    await other.close();
    expect(readdirSync(dirname(path))).toEqual(['runs.db']);
    expect(textsOf(await sqliteRuns(path).entries('c'))).toEqual(['a', 'b', 'c']);
  });

  test('the file survives a process that ends without closing it', async () => {
    const { path } = await written();
    const copy = fresh();
    mkdirSync(dirname(copy), { recursive: true });
    for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
    expect(textsOf(await sqliteRuns(copy).entries('c'))).toEqual(['a', 'b', 'c']);
  });

  test('the file is left alone by a store that was only made', () => {
    const path = fresh();
    sqliteRuns(path);
    expect(existsSync(path)).toBe(false);
  });

  test('syncs each commit unless the option says otherwise', async () => {
    for (const synchronous of [undefined, 'full', 'normal'] as const) {
      const path = fresh();
      await sqliteRuns(path, { synchronous }).open('c');
      expect(existsSync(path)).toBe(true);
    }
  });

  test.each(['', ':memory:', undefined, 7])('the file has to have a path, and not %j', (path) => {
    expect(() => new SqliteRuns(path as string)).toThrow(/E709 SqliteRuns, path: expected the path of a file/);
  });

  test('the file may lie where another folder is below it: E709 with the path', async () => {
    const path = join(fresh(), 'inner.db');
    mkdirSync(dirname(dirname(path)), { recursive: true });
    writeFileSync(dirname(path), '');
    await expect(sqliteRuns(path).open('c')).rejects.toMatchObject({ ...refusal('EEXIST|ENOTDIR'), place: path });
  });

  test('a path that is a folder is refused with E709, and works once the folder is gone', async () => {
    const path = fresh();
    mkdirSync(path, { recursive: true });
    const store = sqliteRuns(path);
    await expect(store.open('c')).rejects.toMatchObject({ ...refusal('found a folder'), place: path });
    rmSync(path, { recursive: true });
    expect((await store.open('c')).entries).toEqual([]);
  });

  test('a file that is not a database is refused with E709, and is not changed', async () => {
    const path = fresh();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'Not a database, but a text. '.repeat(500));
    const before = readFileSync(path);
    await expect(sqliteRuns(path).open('c')).rejects.toMatchObject({ ...refusal('not a database'), place: path });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('a database of another program is refused with E709, and is not changed', async () => {
    const path = fresh();
    mkdirSync(dirname(path), { recursive: true });
    const shell = sqliteConnection(path);
    shell.exec('CREATE TABLE logs (mine text)');
    shell.close();
    const before = readFileSync(path);
    await expect(sqliteRuns(path).open('c')).rejects.toMatchObject(refusal('database of another program'));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('a database of a newer version is refused with E709, and is not changed', async () => {
    const { store, other, path } = await written();
    await store.close();
    await other.close();
    const shell = sqliteConnection(path);
    shell.exec('PRAGMA user_version = 99');
    shell.close();
    await expect(sqliteRuns(path).entries('c')).rejects.toMatchObject({
      ...refusal(/tables are of version 99, and this Toolwright knows \d+/),
      remedy: expect.stringContaining('a newer one') as string,
    });
  });

  test('a database of an older version is brought up to date, and keeps its content', async () => {
    const { store, other, path } = await written();
    await store.close();
    await other.close();
    downgrade(path);
    const stores = Array.from({ length: 4 }, () => sqliteRuns(path));
    for (const entries of await Promise.all(stores.map((each) => each.entries('c'))))
      expect(textsOf(entries)).toEqual(['a', 'b', 'c']);
    expect(await stores[0]!.records.create(runOf('r'))).toBe('created');
  });

  test('a database of version 2 gets tenants, and its waiting runs fail: E748', async () => {
    const path = fresh();
    mkdirSync(dirname(path), { recursive: true });
    const shell = sqliteConnection(path);
    shell.exec(`${sqliteTableSteps.slice(0, 2).join('\n')} ${rowsOfVersion2('')} PRAGMA user_version = 2;
      PRAGMA application_id = 0x5477526e`);
    shell.close();
    await expectUpgraded(sqliteRuns(path));
  });

  test('a database of an older version stays whole when the upgrade fails', async () => {
    const { store, other, path } = await written();
    await store.close();
    await other.close();
    downgrade(path);
    const shell = sqliteConnection(path);
    // The last statement of the second version meets a table that is in its way.
    shell.exec('CREATE TABLE questions (id text)');
    await expect(sqliteRuns(path).entries('c')).rejects.toMatchObject(refusal('questions already exists'));
    const tables = shell.prepare(`SELECT name FROM sqlite_schema WHERE name = 'runs'`).all();
    expect(tables).toEqual([]);
    expect(shell.prepare('SELECT conversation, position FROM entries').all()).toHaveLength(3);
    shell.close();
  });

  test('a deleted file is not written to: the writer is told, and a new file can be begun', async () => {
    const { store, path, epoch } = await written();
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    const append = store.append({ conversation: 'c', epoch, after: 3 }, notes('d'));
    await expect(append).rejects.toMatchObject(refusal('there is no such log'));
    expect((await store.open('c')).entries).toEqual([]);
    expect(textsOf(await sqliteRuns(path).entries('c'))).toEqual([]);
  });

  test('a file that is replaced by a copy is read and written from then on', async () => {
    const { store, other, path, epoch } = await written();
    const copy = fresh();
    await sqliteRuns(copy).open('x');
    const shell = sqliteConnection(path);
    const saved = `${copy}.saved`;
    shell.exec(`VACUUM INTO '${saved}'`);
    shell.close();
    await store.append({ conversation: 'c', epoch, after: 3 }, notes('d'));
    await other.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    copyFileSync(saved, path);
    await expect(store.append({ conversation: 'c', epoch, after: 4 }, notes('e'))).rejects.toMatchObject(
      refusal('holds 3 entries'),
    );
    expect(textsOf(await store.entries('c'))).toEqual(['a', 'b', 'c']);
  });

  const NOBODY = 65_534;
  test('a file without write permission is refused with E709', async () => {
    const { store, other, path, epoch } = await written();
    await store.close();
    await other.close();
    chmodSync(path, 0o400);
    chmodSync(dirname(path), 0o500);
    for (const each of [root, dirname(path)]) chmodSync(each, 0o755);
    const reader = new SqliteRuns(path);
    if (process.getuid?.() === 0) process.seteuid?.(NOBODY);
    try {
      await expect(reader.append({ conversation: 'c', epoch, after: 3 }, notes('d'))).rejects.toMatchObject(
        refusal(/EACCES|readonly|unable to open/i),
      );
    } finally {
      if (process.getuid?.() === 0) process.seteuid?.(0);
      await reader.close();
    }
  });
});

describe('damage', () => {
  test('a damaged entry is reported with its place, and the others stay readable', async () => {
    const { store, path } = await written();
    const { epoch } = await store.open('whole');
    await store.append({ conversation: 'whole', epoch, after: 0 }, notes('w'));
    const shell = sqliteConnection(path);
    shell.exec(`UPDATE entries SET entry = '{"kind":' WHERE conversation = 'c' AND position = 1`);
    const place = 'conversation "c"';
    await expect(store.entries('c')).rejects.toMatchObject({ ...refusal('damaged at entry 1'), place });
    expect(textsOf(await store.entries('c', 2))).toEqual(['c']);
    expect(textsOf(await store.entries('whole'))).toEqual(['w']);
    shell.exec(`DELETE FROM entries WHERE conversation = 'c' AND position = 1`);
    await expect(store.entries('c')).rejects.toMatchObject({ ...refusal('damaged at entry 1: it is missing'), place });
    shell.close();
  });

  test('a damaged page is reported with the file', async () => {
    const { store, other, path } = await written();
    const { epoch } = await store.open('long');
    await store.append(
      { conversation: 'long', epoch, after: 0 },
      notes(...Array.from({ length: 400 }, () => 'x'.repeat(900))),
    );
    await store.close();
    await other.close();
    const size = statSync(path).size;
    const file = openSync(path, 'r+');
    for (let at = 4_096 * 6; at + 4_096 <= size; at += 4_096) writeSync(file, Buffer.alloc(4_096, 0x5a), 0, 4_096, at);
    closeSync(file);
    await expect(sqliteRuns(path).entries('long')).rejects.toMatchObject({ ...refusal('malformed'), place: path });
  });

  test('a truncated file is reported with its path', async () => {
    const { store, other, path } = await written();
    const { epoch } = await store.open('long');
    await store.append(
      { conversation: 'long', epoch, after: 0 },
      notes(...Array.from({ length: 400 }, () => 'x'.repeat(900))),
    );
    await store.close();
    await other.close();
    truncateSync(path, 4_096 * 8);
    await expect(sqliteRuns(path).entries('long')).rejects.toMatchObject({
      ...refusal('malformed|disk I/O'),
      place: path,
    });
  });

  test.each([0, 1, 40, 500])(
    'a write-ahead log that was cut off %i bytes before its end loses no whole append before',
    async (cut) => {
      const path = fresh();
      const store = sqliteRuns(path);
      const { epoch } = await store.open('c');
      for (let after = 0; after < 5; after++)
        await store.append({ conversation: 'c', epoch, after }, notes(String(after)));
      const copy = fresh();
      mkdirSync(dirname(copy), { recursive: true });
      for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
      truncateSync(`${copy}-wal`, statSync(`${copy}-wal`).size - cut);
      const left = textsOf(await sqliteRuns(copy).entries('c'));
      expect(left).toEqual(['0', '1', '2', '3', '4'].slice(0, cut === 0 ? 5 : 4));
    },
  );
});

describe('the fence', () => {
  test('the fence refuses an append of an earlier epoch, and says who writes now, and what to do', async () => {
    const { store, other, epoch } = await written();
    const { epoch: next } = await other.open('c');
    const late = store.append({ conversation: 'c', epoch, after: 3 }, notes('late'));
    await expect(late).rejects.toMatchObject({
      code: 'E709',
      phase: 'tool',
      place: 'conversation "c"',
      message: expect.stringContaining(
        `another writer has opened the log since: process ${String(process.pid)} of `,
      ) as string,
      remedy: expect.stringContaining('repeat nothing that it did outside') as string,
    });
    await expect(late).rejects.toThrow(
      `epoch ${String(next)}, and this append is of epoch ${String(epoch)}; 1 entry was not written`,
    );
    expect(textsOf(await store.entries('c'))).toEqual(['a', 'b', 'c']);
  });

  test('the fence holds for a log that was deleted and begun again', async () => {
    const { store, other, epoch } = await written();
    await other.delete('c');
    const append = (after: number) => store.append({ conversation: 'c', epoch, after }, notes('d'));
    await expect(append(3)).rejects.toMatchObject(refusal('deleted'));
    const { epoch: next, entries } = await other.open('c');
    expect(entries).toEqual([]);
    await expect(append(0)).rejects.toMatchObject(refusal('not written'));
    await other.append({ conversation: 'c', epoch: next, after: 0 }, notes('new'));
    expect(textsOf(await store.entries('c'))).toEqual(['new']);
  });

  test('the fence gives every writer an epoch of its own, even if many open at once', async () => {
    const path = fresh();
    const stores = Array.from({ length: 8 }, () => sqliteRuns(path));
    const opened = await Promise.all([...stores, ...stores].map((store) => store.open('c')));
    expect(new Set(opened.map(({ epoch }) => epoch)).size).toBe(16);
    const newest = Math.max(...opened.map(({ epoch }) => epoch));
    const appended = await Promise.allSettled(
      opened.map(({ epoch }, index) =>
        stores[index % 8]!.append({ conversation: 'c', epoch, after: 0 }, notes(String(epoch))),
      ),
    );
    expect(appended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(textsOf(await stores[0]!.entries('c'))).toEqual([String(newest)]);
  });

  test('the fence tells a writer that goes on although a reply came in', async () => {
    const { store, other, epoch } = await written();
    await store.append({ conversation: 'c', epoch, after: 3 }, [question('1.0')]);
    await other.reply('c', idOf('1.0'), { kind: 'approved' });
    const append = store.append({ conversation: 'c', epoch, after: 4 }, [end()]);
    await expect(append).rejects.toMatchObject(refusal('a reply came in'));
  });
});

describe('writes that wait together', () => {
  test('share a commit, and one that fails takes none of the others with it', async () => {
    const store = sqliteRuns(fresh());
    const opened = await Promise.all(Array.from({ length: 30 }, (_none, index) => store.open(`c${String(index)}`)));
    const shell = sqliteConnection(store.path);
    shell.exec(`CREATE TRIGGER refuses BEFORE INSERT ON entries WHEN new.conversation = 'c7'
      BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`);
    const appended = await Promise.allSettled(
      opened.map(({ epoch }, index) =>
        store.append({ conversation: `c${String(index)}`, epoch, after: 0 }, notes(String(index))),
      ),
    );
    for (const [index, { status }] of appended.entries()) expect(status).toBe(index === 7 ? 'rejected' : 'fulfilled');
    expect(appended[7]).toMatchObject({ reason: refusal('refused by the test') });
    for (let index = 0; index < 30; index++)
      expect(textsOf(await store.entries(`c${String(index)}`))).toEqual(index === 7 ? [] : [String(index)]);
    shell.close();
  });

  test('writes that wait together are synced once', async () => {
    const store = sqliteRuns(fresh());
    const opened = await Promise.all(Array.from({ length: 40 }, (_none, index) => store.open(`c${String(index)}`)));
    const shell = sqliteConnection(store.path);
    const version = () => shell.prepare('PRAGMA data_version').all()[0]?.['data_version'];
    let commits = 0;
    let last = version();
    const appended = Promise.all(
      opened.map(({ epoch }, index) =>
        store.append({ conversation: `c${String(index)}`, epoch, after: 0 }, notes('a')),
      ),
    );
    // The thread works beside this loop, which sees each of its commits.
    const count = setInterval(() => {
      const now = version();
      if (now !== last) commits += 1;
      last = now;
    }, 0);
    await appended;
    clearInterval(count);
    expect(commits).toBeLessThan(5);
    shell.close();
  });
});

describe('another process that writes', () => {
  test('another process that writes is noticed, and the own writes are not', async () => {
    const { store, other, epoch } = await written();
    await other.entries('c');
    let noticed = 0;
    let wake: () => void = () => undefined;
    const stop = other.watch(() => {
      noticed += 1;
      wake();
    });
    const notice = new Promise<void>((resolve) => (wake = resolve));
    // The watch begins with the thread's next look.
    await new Promise((resolve) => setTimeout(resolve, 150));
    await store.append({ conversation: 'c', epoch, after: 3 }, notes('d'));
    await notice;
    await other.open('own');
    const before = noticed;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(noticed).toBe(before);
    stop();
    await store.append({ conversation: 'c', epoch, after: 4 }, notes('e'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(noticed).toBe(before);
  });
});

describe('watching', () => {
  test('watching begins at once, in a store that has not been asked for anything yet', async () => {
    const { store, epoch, path } = await written();
    const idle = sqliteRuns(path);
    const noticed = new Promise<void>((resolve) => void idle.watch(resolve));
    // The thread needs a moment to open the file; whatever is written from then on is noticed.
    let after = 3;
    const writing = setInterval(() => void store.append({ conversation: 'c', epoch, after: after++ }, notes('x')), 100);
    await noticed;
    clearInterval(writing);
  });
});

describe('stores of one process', () => {
  test('stores of one process keep their locks when another one is opened: a shell that comes and goes takes nothing away', async () => {
    const path = fresh();
    const first = sqliteRuns(path);
    await first.open('one');
    const second = sqliteRuns(path);
    await second.list();
    // The last connection of all deletes the write-ahead log, and with it what others still write there.
    const shell = `const Database = require('libsql'); const shell = new Database(process.argv[1]);
      shell.prepare('SELECT count(*) FROM logs').all(); shell.close();`;
    const { NODE_OPTIONS: _options, ...env } = process.env;
    expect(spawnSync(process.execPath, ['-e', shell, path], { env, cwd: __dirname }).status).toBe(0);
    await first.open('two');
    await second.open('three');
    const list = `const Database = require('libsql'); const shell = new Database(process.argv[1]);
      console.log(JSON.stringify(shell.prepare('SELECT conversation FROM logs ORDER BY 1').raw().all().flat()));`;
    const { stdout } = spawnSync(process.execPath, ['-e', list, path], { env, cwd: __dirname, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual(['one', 'three', 'two']);
  });
});

describe('encryption', () => {
  const aes = (key: Buffer): SqliteRunsOptions => ({
    encrypt: async (text, place) => {
      await Promise.resolve();
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    decrypt: async (sealed, place) => {
      await Promise.resolve();
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
    },
  });
  const key = randomBytes(32);

  test('a slow encryption does not let a later append overtake', async () => {
    const spin = (ms: number): void => {
      for (const until = performance.now() + ms; performance.now() < until;);
    };
    const encrypt = (text: string): string => {
      // More than work may take before it lets other work run.
      if (text.includes('"first"')) spin(20);
      return text;
    };
    const store = sqliteRuns(fresh(), { encrypt, decrypt: (text) => text });
    const { epoch } = await store.open('c');
    await Promise.all(
      ['first', 'second'].map((text, after) => store.append({ conversation: 'c', epoch, after }, notes(text))),
    );
    expect(textsOf(await store.entries('c'))).toEqual(['first', 'second']);
  });

  test('encryption keeps every text of conversations, runs and questions from other readers of the file', async () => {
    const { store, other, path, epoch } = await written(aes(key));
    await store.append({ conversation: 'c', epoch, after: 3 }, notes('sk-secret'));
    await store.records.create(runOf('r', { conversation: 'c', input: { key: 'sk-input' } }));
    await store.records.change('r', { status: ['queued'] }, { status: 'running', problem: 'sk-problem' });
    const asked = { ...question('1.0'), arguments: { key: 'sk-arguments' } } as RunEntry;
    await store.append({ conversation: 'c', epoch, after: 4 }, [asked]);
    expect(bytesIn(path)).not.toMatch(/sk-|kind|note|Words/);
    expect(textsOf(await other.entries('c', 3))).toEqual(['sk-secret', 'question']);
    const [found] = await other.records.questions();
    expect(found).toMatchObject({ run: 'r', arguments: { key: 'sk-arguments' } });
    expect(await other.records.get('r')).toMatchObject({ input: { key: 'sk-input' }, problem: 'sk-problem' });
    expect(await other.reply('c', idOf('1.0'), { kind: 'approved' })).toBe('taken');
  });

  test('encryption says no to a wrong key, and to none', async () => {
    const { path } = await written(aes(key));
    const wrong = sqliteRuns(path, aes(randomBytes(32)));
    await expect(wrong.open('c')).rejects.toMatchObject({ ...refusal('could not be decrypted'), place: 'c/0' });
    await expect(sqliteRuns(path).entries('c')).rejects.toMatchObject(refusal('is encrypted'));
  });

  test('encryption does not trust a text that was written without the key, or moved', async () => {
    const { store, path, epoch } = await written(aes(key));
    await sqliteRuns(path).append({ conversation: 'c', epoch, after: 3 }, notes('forged'));
    await expect(store.entries('c')).rejects.toMatchObject({ ...refusal('not encrypted'), place: 'c/3' });
    const shell = sqliteConnection(path);
    shell.exec(`DELETE FROM entries WHERE position = 3; UPDATE entries SET position = 9 - position;
      UPDATE entries SET position = position - 7`);
    shell.close();
    await expect(store.entries('c')).rejects.toMatchObject(refusal('does not match its checksum'));
    // An attacker who moves a text can write its checksum as well, but has no key.
    const forger = sqliteConnection(path);
    forger.exec(`UPDATE entries SET sum = ''`);
    forger.close();
    await expect(store.entries('c')).rejects.toMatchObject(refusal('could not be decrypted'));
  });

  test('encryption is given the place of each text', async () => {
    const places: string[] = [];
    const { encrypt, decrypt } = aes(key);
    const { store } = await written({ encrypt: (text, place) => (places.push(place), encrypt!(text, place)), decrypt });
    await store.records.create(runOf('r'));
    expect(places).toEqual(['c/0', 'c/1', 'c/2', 'run r/input', 'run r/messages']);
  });

  test('encryption takes the same append twice', async () => {
    const { store, epoch } = await written(aes(key));
    await store.append({ conversation: 'c', epoch, after: 2 }, notes('c'));
    await expect(store.append({ conversation: 'c', epoch, after: 2 }, notes('d'))).rejects.toMatchObject(
      refusal('other entries stand'),
    );
  });

  test.each<[string, SqliteRunsOptions, string]>([
    ['that throw', { encrypt: () => Promise.reject(new Error('no key')), decrypt: (text) => text }, 'no key'],
    ['that return no text', { encrypt: () => 7 as unknown as string, decrypt: (text) => text }, 'expected a text'],
  ])('encryption reports functions %s, and writes nothing', async (_name, options, problem) => {
    const path = fresh();
    const store = sqliteRuns(path, options);
    const { epoch } = await store.open('c');
    await expect(store.append({ conversation: 'c', epoch, after: 0 }, notes('a'))).rejects.toMatchObject(
      refusal(problem),
    );
    expect(await sqliteRuns(path).entries('c')).toEqual([]);
  });

  test('encryption needs both functions', () => {
    expect(() => sqliteRuns(fresh(), { encrypt: (text) => text })).toThrow('were not both given');
  });
});

describe('deleted texts', () => {
  test('a deletion leaves none of its texts in any file', async () => {
    const { store, path } = await written();
    for (const id of ['a', 'b']) await store.records.create(runOf(id));
    const { epoch } = await store.open('c-b');
    await store.append({ conversation: 'c-b', epoch, after: 0 }, notes('Words of the log.'));
    expect(bytesIn(path)).toMatch(/Words of b\..*|Words of the log/s);
    await store.records.change('b', { status: ['queued'] }, { status: 'answered' });
    expect(await store.records.prune(new Date(Date.now() + 60_000))).toBe(1);
    expect(bytesIn(path)).not.toMatch(/Words of b\.|Words of the log/);
    expect(bytesIn(path)).toContain('Words of a.');
    expect(await store.list()).toEqual(['c']);
  });

  test('a deletion leaves none of its texts once no other connection reads the write-ahead log', async () => {
    const { store, path, epoch } = await written();
    await store.append({ conversation: 'c', epoch, after: 3 }, notes('Words of the log.'));
    const shell = sqliteConnection(path);
    shell.exec('BEGIN');
    shell.prepare('SELECT count(*) FROM entries').all();
    await store.delete('c');
    const log = `${path}-wal`;
    expect(readIn(log)).toContain('Words of the log.');
    shell.exec('COMMIT');
    while (readIn(log).includes('Words of the log.')) await new Promise((resolve) => setTimeout(resolve, 50));
    shell.close();
  });

  test('a deleted run still counts for the order of later runs', async () => {
    const path = fresh();
    const store = sqliteRuns(path);
    for (const id of ['a', 'b']) {
      await store.records.create(runOf(id));
      await store.records.change(id, { status: ['queued'] }, { status: 'answered' });
    }
    await store.records.prune(new Date(Date.now() + 60_000));
    await sqliteRuns(path).records.create(runOf('c'));
    expect(await store.records.get('c')).toMatchObject({ order: 3, status: 'queued' });
  });

  const day = 86_400_000;
  const monthAgo = (): Date => new Date(Date.now() - 30 * day);
  /** Conversations that ended and that wait, old and new. */
  async function kept() {
    const store = sqliteRuns(fresh());
    const run = { kind: 'run', run: 'r', messages: [] } as const;
    for (const [id, entries] of [
      ['ended', [run, end()]],
      ['waits', [run, question('1.0')]],
      ['new', [run, end()]],
    ] as const) {
      const { epoch } = await store.open(id);
      await store.append({ conversation: id, epoch, after: 0 }, entries);
    }
    const shell = sqliteConnection(store.path);
    shell.exec(`UPDATE logs SET written = ${String(Date.now() - 31 * day)} WHERE conversation <> 'new'`);
    shell.close();
    return store;
  }

  test('prune deletes only what is old, and only what has ended if asked to', async () => {
    const store = await kept();
    expect(await store.prune(monthAgo(), { only: 'ended' })).toBe(1);
    expect([...(await store.list())].sort()).toEqual(['new', 'waits']);
    expect(await store.prune(monthAgo())).toBe(1);
    expect(await store.list()).toEqual(['new']);
    expect(await store.prune(monthAgo())).toBe(0);
  });

  test('prune keeps conversations that were written to', async () => {
    const store = await kept();
    const { entries } = await store.open('waits');
    expect(await store.prune(monthAgo())).toBe(1);
    expect(await store.entries('waits')).toEqual(entries);
  });

  test('prune keeps a run that begins an old conversation again while others are deleted', async () => {
    const store = await kept();
    const entries = store.entries.bind(store);
    store.entries = async (...args) => {
      const read = await entries(...args);
      if (args[0] !== 'waits' || read.length === 0) return read;
      await store.delete('waits');
      await store.records.create(runOf('again', { conversation: 'waits' }));
      return read.filter(({ kind }) => kind !== 'run');
    };
    await store.prune(monthAgo(), { only: 'ended' });
    expect(await store.records.get('again')).toMatchObject({ status: 'queued' });
  });

  test('delete also deletes a conversation whose run ends while it is looked for', async () => {
    const store = sqliteRuns(fresh());
    await store.records.create(runOf('r', { conversation: 'c' }));
    await store.open('c');
    const head = store.records.head.bind(store.records);
    store.records.head = async (conversation) => {
      await store.records.change('r', { status: ['queued'] }, { status: 'cancelled' });
      return head(conversation);
    };
    await store.delete('c');
    expect([await store.list(), await store.records.get('r')]).toEqual([[], undefined]);
  });

  test('a deleted conversation is not begun again by its writer by accident', async () => {
    const store = await kept();
    const other = sqliteRuns(store.path);
    const position = { conversation: 'waits', epoch: 1, after: 2 };
    await store.prune(monthAgo());
    await expect(other.append(position, notes('a'))).rejects.toMatchObject(refusal('no such log'));
    expect(await store.list()).toEqual(['new']);
  });

  test('prune deletes nothing if one of its options is misspelt: E413', async () => {
    const store = await kept();
    await expect(store.prune(monthAgo(), { olny: 'ended' } as object)).rejects.toMatchObject({ code: 'E413' });
    expect(await store.list()).toHaveLength(3);
  });
});

describe('sizes', () => {
  test('entries of 10 MB, and a log of many entries, are read whole and in parts', async () => {
    const store = sqliteRuns(fresh());
    const { epoch } = await store.open('c');
    const big = 'ü'.repeat(5_000_000);
    await store.append({ conversation: 'c', epoch, after: 0 }, notes(big, 'b'));
    const many = Array.from({ length: 2_500 }, (_none, index) => String(index));
    await store.append({ conversation: 'c', epoch, after: 2 }, notes(...many));
    const { entries } = await sqliteRuns(store.path).open('c');
    expect(entries).toHaveLength(2_502);
    expect(entries[0]).toEqual(note(big));
    expect(textsOf(entries.slice(2))).toEqual(many);
    expect(textsOf(await store.entries('c', 2_500))).toEqual(['2498', '2499']);
    expect(await store.entries('c', 9_999)).toEqual([]);
  });

  test('entries that are not JSON are refused, and nothing is written', async () => {
    const store = sqliteRuns(fresh());
    const { epoch } = await store.open('c');
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    await expect(
      store.append({ conversation: 'c', epoch, after: 0 }, [circle as unknown as RunEntry]),
    ).rejects.toMatchObject(refusal('not JSON'));
    await store.append({ conversation: 'c', epoch, after: 0 }, notes('a'));
    expect(textsOf(await store.entries('c'))).toEqual(['a']);
  });
});

describe('a store that was closed', () => {
  test('a store that was closed has answered what was asked for before, and refuses the rest', async () => {
    const { store, epoch } = await written();
    const append = store.append({ conversation: 'c', epoch, after: 3 }, notes('d'));
    await new Promise((resolve) => setImmediate(resolve));
    await store.close();
    await append;
    await expect(store.entries('c')).rejects.toMatchObject({ ...refusal('store was closed'), place: store.path });
    await store.close();
    expect(textsOf(await sqliteRuns(store.path).entries('c'))).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a store that was closed can be closed by await using, and before its first request', async () => {
    const store = sqliteRuns(fresh());
    await store[Symbol.asyncDispose]();
    expect(existsSync(store.path)).toBe(false);
  });
});

describe('a Node without SQLite', () => {
  test('a Node without SQLite is told what to do: E745, and nothing is created', () => {
    // A copy of the packages, from which libsql cannot be found.
    const modules = join(root, 'copy/node_modules');
    const repository = join(__dirname, '../../../..');
    const [core, durable] = [join(modules, 'toolwright'), join(modules, '@toolwright/durable')];
    for (const [from, to] of [
      [repository, core],
      [join(repository, 'packages/durable'), durable],
    ] as const)
      for (const path of ['package.json', 'dist']) cpSync(join(from, path), join(to, path), { recursive: true });
    for (const peer of ['reflect-metadata', 'class-validator', 'class-transformer', 're2js'])
      symlinkSync(join(repository, 'node_modules', peer), join(modules, peer), 'junction');
    const program = `const { SqliteRuns } = require(process.argv[1]); const store = new SqliteRuns(process.argv[2], { driver: 'libsql' });
      store.open('c').catch(({ code, message }) => console.log(JSON.stringify({ code, message })));`;
    const entry = join(durable, 'dist/sqlite.cjs');
    const path = fresh();
    const { NODE_OPTIONS: _options, ...env } = process.env;
    const { stdout } = spawnSync(process.execPath, ['-e', program, entry, path], { env, encoding: 'utf8', cwd: root });
    expect(JSON.parse(stdout)).toEqual({
      code: 'E745',
      message: expect.stringMatching(/the package libsql is not installed.*Node 22\.13.*npm install libsql/s) as string,
    });
    expect(existsSync(path)).toBe(false);
  });
});

describe('options', () => {
  test.each<[object, string]>([
    [{ synchronous: 'off' }, 'option synchronous: expected full or normal, got the string "off"'],
    [{ driver: 'better' }, 'option driver: expected node:sqlite or libsql'],
    [{ lockTimeoutMs: -1 }, 'option lockTimeoutMs: expected a number of milliseconds'],
    [{ lockTimeoutMs: '5' }, 'option lockTimeoutMs: expected a number of milliseconds'],
  ])('SqliteRuns refuses the options %j', (options, message) => {
    expect(() => new SqliteRuns('x.db', options as SqliteRunsOptions)).toThrow(message);
  });

  test('unknown options are refused: E413', () => {
    expect(() => new SqliteRuns('x.db', { folder: 'y' } as object)).toThrow(/E413/);
  });

  test('ids of conversations have to be texts', async () => {
    const store = sqliteRuns(fresh());
    for (const id of ['', undefined, 7])
      await expect(store.open(id as string)).rejects.toMatchObject(
        refusal('SqliteRuns: expected the id of a conversation'),
      );
  });
});
