// An opening that fails shuts out no writer: the process that has the conversation records the outcome of its call.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication, definePrompt, defineSection, defineTool, Session } from 'toolwright';
import { Conversation, type RunEntry, type RunStore } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { MemoryRuns, openRuns } from '@toolwright/durable';
import type { SqliteRunsOptions } from '@toolwright/durable/sqlite';
import { silent } from '../../../../spec/support/silent';
import { sqliteConnection } from '../support/sqliteConnection';
import { sqliteRuns } from '../support/sqliteRuns';

jest.setTimeout(60_000);
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function freshPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-opening-'));
  folders.push(folder);
  return join(folder, 'runs.db');
}

/** A cipher that only its own key opens. */
function cipher(key: string): SqliteRunsOptions {
  return {
    encrypt: (text, place) => `${key}|${place}|${Buffer.from(text).toString('base64')}`,
    decrypt: (sealed, place) => {
      const start = `${key}|${place}|`;
      if (!sealed.startsWith(start)) throw new Error('another key');
      return Buffer.from(sealed.slice(start.length), 'base64').toString();
    },
  };
}

/** A desk that sends a mail; `during` happens while it is on its way. */
async function openDesk(during: () => Promise<unknown>) {
  const sent: string[] = [];
  const mail = defineTool({
    name: 'mail',
    description: 'Sends a mail.',
    handler: async () => {
      sent.push('mail');
      await during();
      return 'sent';
    },
  });
  const prompt = definePrompt({
    ns: 'shop',
    key: 'mails',
    sections: [defineSection({ key: 'desk', title: 'Desk', template: 'Send mails.', tools: [mail] })],
  });
  const keys = ['k'.repeat(40)];
  const app = await createApplication({ prompts: [prompt], logger: silent, keys });
  const adapter = () => new ScriptedModel([{ toolCalls: [{ name: 'mail', arguments: {} }] }, { text: 'Done.' }]);
  return { app, prompt, adapter, sent };
}

/** Returns what a second process gets that opens the conversation while the first one sends its mail, and the entries at the end. */
async function openMeanwhile(store: RunStore, open: () => Promise<unknown>) {
  let problem: unknown;
  const { app, prompt, adapter, sent } = await openDesk(async () => {
    problem = await open().then(
      () => 'opened',
      (error: unknown) => error,
    );
  });
  const conversation = await Conversation.open(store, 'c-1');
  const { text } = await app.evaluate(app.prompt(prompt), {
    adapter: adapter(),
    session: new Session(),
    conversation,
    messages: [{ role: 'user', content: 'Tell Ada.' }],
  });
  const kinds = (await store.entries('c-1')).map(({ kind }) => kind);
  return { problem, text, kinds, sent };
}

const whole = ['conversation', 'model', 'run', 'answer', 'begun', 'outcome', 'answer', 'end'];
const goneOn = { text: 'Done.', kinds: whole, sent: ['mail'] };

/** A store as a process of another version reads it: it does not know the last entry. */
function asOlderVersion<Store extends RunStore>(store: Store): Store {
  const strange = (entries: readonly RunEntry[]): readonly RunEntry[] =>
    entries.map((entry, at) => (at === 2 ? ({ ...entry, kind: 'newer' } as unknown as RunEntry) : entry));
  const open = store.open.bind(store);
  const entries = store.entries.bind(store);
  return Object.assign(store, {
    open: async (id: string) => {
      const opened = await open(id);
      return { ...opened, entries: strange(opened.entries) };
    },
    entries: async (id: string, after?: number) => strange(await entries(id, after)),
  });
}

describe('a conversation that is being written, opened by another process', () => {
  test.each(['Conversation.open', 'store.open', 'store.reply'])(
    'opening with the wrong key does not disturb the process that writes, by %s',
    async (way) => {
      const path = freshPath();
      const other = sqliteRuns(path, cipher('other'));
      const ways: Readonly<Record<string, () => Promise<unknown>>> = {
        'Conversation.open': () => Conversation.open(other, 'c-1'),
        'store.open': () => other.open('c-1'),
        'store.reply': () => other.reply('c-1', 'q', { kind: 'approved' }),
      };
      const found = await openMeanwhile(sqliteRuns(path, cipher('mine')), ways[way] as () => Promise<unknown>);
      expect(found).toEqual({ ...goneOn, problem: expect.objectContaining({ code: 'E709' }) as unknown });
    },
  );

  test('opening without a key does not disturb the process that writes', async () => {
    const path = freshPath();
    const found = await openMeanwhile(sqliteRuns(path, cipher('mine')), () =>
      Conversation.open(sqliteRuns(path), 'c-1'),
    );
    expect(found).toEqual({ ...goneOn, problem: expect.objectContaining({ code: 'E709' }) as unknown });
  });

  test('opening by an older version does not disturb the process that writes, in SQLite', async () => {
    const path = freshPath();
    const found = await openMeanwhile(sqliteRuns(path), () =>
      Conversation.open(asOlderVersion(sqliteRuns(path)), 'c-1'),
    );
    expect(found).toEqual({ ...goneOn, problem: expect.objectContaining({ code: 'E709' }) as unknown });
  });

  test('opening by an older version does not disturb the process that writes, in memory', async () => {
    const store = new MemoryRuns();
    const found = await openMeanwhile(store, () => Conversation.open(asOlderVersion(store.forTenant(null)), 'c-1'));
    expect(found).toEqual({ ...goneOn, problem: expect.objectContaining({ code: 'E709' }) as unknown });
  });

  const damages = [
    `UPDATE entries SET entry = 'x' WHERE position = 2`,
    `UPDATE entries SET entry = '{}', sum = '' WHERE position = 2`,
    `DELETE FROM entries WHERE position = 1`,
    `DELETE FROM entries WHERE position = (SELECT max(position) FROM entries)`,
  ];
  test.each(damages)('opening a damaged conversation does not disturb the process that writes: %s', async (sql) => {
    const path = freshPath();
    const store = sqliteRuns(path);
    const epochNow = (): unknown => read(path, 'SELECT epoch, writer, count FROM logs');
    let epochs: readonly unknown[] = [];
    const { problem, sent } = await openMeanwhile(store, async () => {
      change(path, sql);
      const before = epochNow();
      const opened = Conversation.open(sqliteRuns(path), 'c-1');
      await opened.catch(() => undefined);
      epochs = [before, epochNow()];
      return opened;
    }).catch((error: unknown) => ({ problem: error, sent: ['mail'] }));
    expect(problem).toMatchObject({ code: 'E709' });
    expect(sent).toEqual(['mail']);
    expect(epochs[1]).toEqual(epochs[0]);
  });
});

describe('a durable run that is being carried', () => {
  const cases: readonly (readonly [string, () => readonly [MemoryRuns, MemoryRuns]])[] = [
    [
      'memory',
      () => {
        const store = new MemoryRuns();
        return [store, asOlderVersion(store.forTenant(null))];
      },
    ],
  ];
  test.each(cases)(
    'a durable run that is being carried ends as it should although a process of an older version opens it: %s',
    async (_name, stores) => {
      const [store, older] = stores();
      let problem: unknown;
      const { app, prompt, adapter, sent } = await openDesk(async () => {
        problem = await Conversation.open(older, 'c-1').catch((error: unknown) => error);
      });
      const runs = await openRuns(app, { store, prepare: () => ({ prompt, adapter: adapter() }) });
      const run = await runs.start({
        id: 'r',
        conversation: 'c-1',
        messages: [{ role: 'user', content: 'Tell Ada.' }],
      });
      expect((await run.result()).text).toBe('Done.');
      expect({ problem, sent }).toEqual({
        problem: expect.objectContaining({ code: 'E709' }) as unknown,
        sent: ['mail'],
      });
      await runs.drain(1_000);
    },
  );

  test('a durable run that is being carried ends as it should although a worker with the wrong key cancels it, lists it and opens it', async () => {
    const path = freshPath();
    const refusals: unknown[] = [];
    const { app, prompt, adapter, sent } = await openDesk(async () => {
      const other = await openRuns(app, {
        store: sqliteRuns(path, cipher('other')),
        pollMs: 20,
        prepare: () => ({ prompt, adapter: adapter() }),
      });
      for (const work of [() => other.cancel('r', 'no'), () => other.get('r'), () => other.retry('r')])
        refusals.push(await work().catch((error: unknown) => error));
      await other.drain(1_000);
    });
    const runs = await openRuns(app, {
      store: sqliteRuns(path, cipher('mine')),
      pollMs: 20,
      prepare: () => ({ prompt, adapter: adapter() }),
    });
    const run = await runs.start({ id: 'r', conversation: 'c-1', messages: [{ role: 'user', content: 'Tell Ada.' }] });
    expect((await run.result()).text).toBe('Done.');
    expect(sent).toEqual(['mail']);
    expect(refusals).toEqual(refusals.map(() => expect.objectContaining({ code: 'E709' }) as unknown));
    await runs.drain(1_000);
  });
});

function change(path: string, sql: string): void {
  const shell = sqliteConnection(path);
  shell.exec(sql);
  shell.close();
}

function read(path: string, sql: string): readonly unknown[] {
  const shell = sqliteConnection(path);
  const rows = shell.prepare(sql).all();
  shell.close();
  return rows.map((row) =>
    JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  );
}
