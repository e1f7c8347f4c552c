import { spawnSync } from 'node:child_process';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RunStore, SharedChange } from 'toolwright/conversations';
import type { SqliteRuns, SqliteRunsOptions } from '@toolwright/durable/sqlite';
import { sqliteTableSteps } from '../../src/sqlite/sqliteScripts.js';
import { computeChecksum } from '../../src/runs/sql/columnTexts';
import { formatChangePlace } from '../../src/runs/sql/formatPlaces';
import { drivers, sqliteConnection } from '../support/sqliteConnection';
import { sqliteRuns } from '../support/sqliteRuns';
import { note, notes, textsOf } from './entries';

const root = mkdtempSync(join(tmpdir(), 'toolwright-shared-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let files = 0;
const fresh = (): string => join(root, String(++files), 'runs.db');

/** Changes from a version on, one for each value. */
const changes = (first: number, ...values: readonly string[]): readonly SharedChange[] =>
  values.map((value, index) => ({ version: first + index, delta: { appended: { '"cart"': [value] } } }));

/** Appends changes of a session by a conversation that nothing else writes to. */
async function write(store: RunStore, name: string, given: readonly SharedChange[]) {
  const { epoch, entries } = await store.open(`c ${name}`);
  const position = { conversation: `c ${name}`, epoch, after: entries.length };
  await store.append({ ...position, session: { name, changes: given } }, []);
}

/** Everything that the files of a store contain, read in another process: to close a file drops the locks that this process has on it. */
const bytesIn = (path: string): string => {
  const paths = readdirSync(dirname(path)).map((name) => join(dirname(path), name));
  return spawnSync('cat', paths, { encoding: 'latin1', maxBuffer: 1e8 }).stdout;
};

/** Runs SQL as another program would. */
function run(path: string, sql: string): void {
  const shell = sqliteConnection(path);
  shell.exec(sql);
  shell.close();
}

const key = randomBytes(32);
const encrypted: SqliteRunsOptions = {
  encrypt: (text, place) => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  },
  decrypt: (sealed, place) => {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
  },
};

test('a file of version 3 gets the table of shared sessions, and keeps its content', async () => {
  const path = fresh();
  mkdirSync(dirname(path), { recursive: true });
  run(
    path,
    `${sqliteTableSteps.slice(0, 3).join('\n')}
    INSERT INTO logs (tenant, conversation, epoch, writer, count) VALUES ('', 'c', 7, 'w', 1);
    INSERT INTO entries (tenant, conversation, position, sum, entry) VALUES ('', 'c', 0, '', '${JSON.stringify(note('a'))}');
    PRAGMA user_version = 3; PRAGMA application_id = 0x5477526e`,
  );
  const stores = Array.from({ length: 4 }, () => sqliteRuns(path));
  for (const entries of await Promise.all(stores.map((store) => store.entries('c'))))
    expect(textsOf(entries)).toEqual(['a']);
  const [store] = stores as [SqliteRuns];
  const session = { name: 'cart-17', changes: changes(1, 'x') };
  await store.append({ conversation: 'c', epoch: 7, after: 1, session }, notes('b'));
  expect(await store.sessionChanges('cart-17')).toEqual(session.changes);
});

test.each(drivers)('a refused change says what to do (E755, driver %s)', async (driver) => {
  const store = sqliteRuns(fresh(), { driver });
  await write(store, 'cart-17', changes(1, 'x', 'y'));
  const { epoch } = await store.open('c-2');
  const session = { name: 'cart-17', changes: changes(2, 'z') };
  await expect(store.append({ conversation: 'c-2', epoch, after: 0, session }, notes('a'))).rejects.toMatchObject({
    code: 'E755',
    phase: 'tool',
    place: 'conversation "c-2", session "cart-17"',
    message: expect.stringMatching(
      /it has version 2, and this append has changes from version 2 on; neither/,
    ) as string,
    remedy: expect.stringMatching(/the run goes on from its record, with the new state/) as string,
  });
});

test('an index that is no whole number is refused: E413', async () => {
  const store = sqliteRuns(fresh());
  for (const after of [-1, 0.5, '1' as unknown as number])
    await expect(store.sessionChanges('cart-17', after)).rejects.toMatchObject({ code: 'E413' });
});

test('writers of one file that change a session at once lose no change', async () => {
  const path = fresh();
  const stores = Array.from({ length: 4 }, () => sqliteRuns(path));
  await Promise.all(
    stores.map(async (store, index) => {
      const conversation = `c-${String(index)}`;
      const { epoch } = await store.open(conversation);
      for (let after = 0; after < 10;) {
        const version = (await store.sessionChanges('s')).length + 1;
        const session = { name: 's', changes: changes(version, `${conversation} ${String(after)}`) };
        const written = store.append({ conversation, epoch, after, session }, notes(String(after)));
        const code = await written.then(
          () => undefined,
          (error: unknown) => (error as { readonly code?: string }).code,
        );
        expect([undefined, 'E755']).toContain(code);
        if (code === undefined) after++;
        expect(await store.entries(conversation)).toHaveLength(after);
      }
    }),
  );
  const kept = (await sqliteRuns(path).sessionChanges('s')).map(({ delta }) => delta.appended?.['"cart"']?.[0]);
  const all = stores.flatMap((_store, index) =>
    Array.from({ length: 10 }, (_none, after) => `c-${String(index)} ${String(after)}`),
  );
  expect([...kept].sort()).toEqual(all.sort());
});

describe('damage of a change is told with its place', () => {
  const place = 'session "cart-17"';

  test.each([
    ['a text that was changed', `UPDATE session_changes SET delta = '{}' WHERE version = 2`, /checksum/],
    ['a change that says another writer', `UPDATE session_changes SET epoch = 1 WHERE version = 2`, /checksum/],
    ['a change that is gone', `PRAGMA foreign_keys = OFF; DELETE FROM session_changes WHERE version = 2`, /missing/],
  ])('a damaged change of a session is reported with its place: %s', async (_what, sql, problem) => {
    const path = fresh();
    const store = sqliteRuns(path);
    await write(store, 'cart-17', changes(1, 'x', 'y', 'z'));
    await write(store, 'whole', changes(1, 'x'));
    run(path, `${sql} AND name = 'cart-17'`);
    await expect(store.sessionChanges('cart-17')).rejects.toMatchObject({
      code: 'E709',
      place,
      message: expect.stringMatching(new RegExp(`damaged at change 2: .*${problem.source}`)) as string,
      remedy: expect.stringContaining('delete the session') as string,
    });
    expect(await store.sessionChanges('cart-17', 2)).toEqual(changes(3, 'z'));
    expect(await store.sessionChanges('whole')).toEqual(changes(1, 'x'));
    await store.deleteSession('cart-17');
    expect(await store.sessionChanges('cart-17')).toEqual([]);
  });
});

describe('encryption', () => {
  test('encryption keeps changes from other readers of the file', async () => {
    const path = fresh();
    const store = sqliteRuns(path, encrypted);
    await write(store, 'cart-17', changes(1, 'sk-secret'));
    expect(await sqliteRuns(path, encrypted).sessionChanges('cart-17')).toEqual(changes(1, 'sk-secret'));
    expect(bytesIn(path)).not.toMatch(/sk-secret|appended/);
    await expect(sqliteRuns(path).sessionChanges('cart-17')).rejects.toMatchObject({ code: 'E709' });
  });

  test.each([
    ['version', null, 'cart-17', 2],
    ['name', null, 'other', 1],
    ['tenant', 'acme', 'cart-17', 1],
  ] as const)(
    'encryption refuses a text of another version, name or tenant: %s',
    async (_what, tenant, name, version) => {
      const path = fresh();
      const store = sqliteRuns(path, encrypted);
      const there = store.forTenant(tenant);
      await write(store, 'cart-17', changes(1, 'moved'));
      if (tenant !== null || name !== 'cart-17') await write(there, name, changes(1, 'own'));
      else await write(store, name, changes(2, 'own'));
      const shell = sqliteConnection(path);
      const at = `tenant = '${tenant ?? ''}' AND name = '${name}' AND version = ${String(version)}`;
      const select = `SELECT delta, conversation, epoch FROM session_changes WHERE`;
      const [moved] = shell.prepare(`${select} tenant = '' AND name = 'cart-17' AND version = 1`).all();
      const [own] = shell.prepare(`${select} ${at}`).all();
      const delta = String(moved?.['delta']);
      // An attacker who moves a text can write its checksum as well, but has no key.
      const texts = [String(own?.['conversation']), String(own?.['epoch']), delta];
      const sum = computeChecksum(formatChangePlace(tenant, name, version), ...texts);
      shell.exec(`UPDATE session_changes SET delta = '${delta}', sum = '${sum}' WHERE ${at}`);
      shell.close();
      await expect(there.sessionChanges(name)).rejects.toThrow(/E709 .*could not be decrypted/);
    },
  );

  test('a slow encryption does not let a later append overtake', async () => {
    const encrypt = async (text: string): Promise<string> => {
      if (text.includes('first')) await new Promise((resolve) => setTimeout(resolve, 50));
      return text;
    };
    const store = sqliteRuns(fresh(), { encrypt, decrypt: (text) => text });
    const { epoch } = await store.open('c');
    const position = { conversation: 'c', epoch };
    const session = { name: 's', changes: changes(1, 'first') };
    await Promise.all([
      store.append({ ...position, after: 0, session }, notes('a')),
      store.append({ ...position, after: 1 }, notes('b')),
      store.append({ ...position, after: 2 }, notes('first')),
      store.append({ ...position, after: 3 }, notes('c')),
    ]);
    expect(textsOf(await store.entries('c'))).toEqual(['a', 'b', 'first', 'c']);
  });

  test('an encryption that fails leaves neither the entries nor the change, and does not hold up later appends', async () => {
    const encrypt = (text: string): string => {
      if (text.includes('refused')) throw new Error('no key');
      return text;
    };
    const store = sqliteRuns(fresh(), { encrypt, decrypt: (text) => text });
    const { epoch } = await store.open('c');
    const position = { conversation: 'c', epoch, after: 0 };
    const session = { name: 's', changes: changes(1, 'refused') };
    const [refused, later] = await Promise.allSettled([
      store.append({ ...position, session }, notes('a')),
      store.append(position, notes('b')),
    ]);
    expect(refused).toMatchObject({ reason: { code: 'E709' } });
    expect(later.status).toBe('fulfilled');
    expect(textsOf(await store.entries('c'))).toEqual(['b']);
    expect(await store.sessionChanges('s')).toEqual([]);
  });
});

test('a session that was deleted leaves nothing of its texts in any file', async () => {
  const path = fresh();
  const store = sqliteRuns(path);
  await write(store, 'cart-17', changes(1, 'sk-secret'));
  await store.deleteSession('cart-17');
  await store.close();
  expect(bytesIn(path)).not.toContain('sk-secret');
});

test('a change of a shared session wakes the watchers of other processes', async () => {
  const path = fresh();
  const store = sqliteRuns(path);
  const { epoch } = await store.open('c');
  const other = sqliteRuns(path);
  await other.list();
  const noticed = new Promise<void>((resolve) => void other.watch(resolve));
  // The watch begins with the next look of the thread.
  await new Promise((resolve) => setTimeout(resolve, 150));
  const session = { name: 's', changes: changes(1, 'x') };
  await store.append({ conversation: 'c', epoch, after: 0, session }, []);
  await noticed;
});
