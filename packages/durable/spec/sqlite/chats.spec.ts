import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TABLES_VERSION } from '../../src/runs/sql/tables';
import { sqliteTableSteps } from '../../src/sqlite/sqliteScripts';
import { sqliteConnection } from '../support/sqliteConnection';
import { sqliteRuns } from '../support/sqliteRuns';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-chats-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const freshPath = (): string => join(folder, `${String(++files)}.db`);

/** Runs statements on a file, as a shell does. */
function inShell(path: string, ...statements: readonly string[]): readonly Record<string, unknown>[] {
  const shell = sqliteConnection(path);
  const rows = statements.flatMap((sql) => shell.prepare(sql).all());
  shell.close();
  return rows;
}

test('a file of version 4 gets the tables of chats and waiting messages, and keeps its content', async () => {
  const path = freshPath();
  const shell = sqliteConnection(path);
  for (const step of sqliteTableSteps.slice(0, 4)) shell.exec(step);
  const entry = JSON.stringify({ kind: 'note', turn: 1, about: 'limits', message: { role: 'user', content: 'a' } });
  shell.exec(`INSERT INTO logs (tenant, conversation, epoch, writer, count) VALUES ('', 'c', 7, 'w', 1);
    INSERT INTO entries (tenant, conversation, position, sum, entry) VALUES ('', 'c', 0, '', '${entry}');
    PRAGMA user_version = 4; PRAGMA application_id = 0x5477526e`);
  shell.close();
  const store = sqliteRuns(path);
  expect(await store.open('c')).toMatchObject({ epoch: 8, entries: [{ kind: 'note' }] });
  expect(await store.chats.create({ owner: 'ada', id: 'a', branches: ['c'], title: null })).toBe('created');
  await store.close();
  expect(inShell(path, 'SELECT waiting FROM logs', 'SELECT user_version FROM pragma_user_version')).toEqual([
    { waiting: 0 },
    { user_version: TABLES_VERSION },
  ]);
  expect(sqliteTableSteps).toHaveLength(TABLES_VERSION);
});

test('titles are encrypted, bound to their chat, and overwritten when they are deleted', async () => {
  const path = freshPath();
  const store = sqliteRuns(path, {
    encrypt: (text, place) => `${place}|${Buffer.from(text).toString('hex')}`,
    decrypt: (sealed, place) => {
      if (!sealed.startsWith(`${place}|`)) throw new Error('another place');
      return Buffer.from(sealed.slice(place.length + 1), 'hex').toString();
    },
  });
  for (const id of ['a', 'b']) await store.chats.create({ owner: 'ada', id, branches: ['c'], title: `Secret ${id}` });
  expect(await store.chats.get('ada', 'a')).toMatchObject({ title: 'Secret a' });
  const rows = JSON.stringify(inShell(path, 'SELECT title, branches FROM chats'));
  expect(rows).toContain(Buffer.from('Secret a').toString('hex'));
  expect(rows).not.toContain('Secret');
  inShell(path, `UPDATE chats SET (title, sum) = (SELECT title, sum FROM chats WHERE id = 'b') WHERE id = 'a'`);
  await expect(store.chats.get('ada', 'a')).rejects.toMatchObject({ code: 'E709', place: 'chat "a" of "ada"' });
});

test.each([
  ['its title', `UPDATE chats SET title = 'other' WHERE id = 'a'`],
  ['its branches', `UPDATE chats SET branches = '["d"]' WHERE id = 'a'`],
  ['its owner', `UPDATE chats SET owner = 'ada', id = 'a' WHERE id = 'b'`],
])('a chat of which somebody changed %s is refused, and other chats can be read: E709', async (_what, sql) => {
  const path = freshPath();
  const store = sqliteRuns(path);
  for (const id of ['b', 'kept']) await store.chats.create({ owner: 'bob', id, branches: ['c'], title: id });
  if (!sql.includes('owner')) await store.chats.create({ owner: 'ada', id: 'a', branches: ['c'], title: 'mine' });
  inShell(path, sql);
  await expect(store.chats.get('ada', 'a')).rejects.toMatchObject({ code: 'E709', place: 'chat "a" of "ada"' });
  await expect(store.chats.list('ada')).rejects.toMatchObject({ code: 'E709' });
  expect(await store.chats.get('bob', 'kept')).toMatchObject({ title: 'kept' });
});
