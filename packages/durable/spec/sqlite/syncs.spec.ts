import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { openRuns } from '@toolwright/durable';
import { jsonSchema } from '@toolwright/json-schema';
import type { SqlDatabase } from '../../src/runs/sql/SqlDatabase.js';
import { SqlStore } from '../../src/runs/sql/SqlStore.js';
import { TextCipher } from '../../src/runs/sql/TextCipher.js';
import { type DriverClass, loadDriver } from '../../src/sqlite/Connection.js';
import type { ScriptAnswer } from '../../src/sqlite/protocol.js';
import { RequestQueue } from '../../src/sqlite/RequestQueue.js';
import { SqliteDatabase } from '../../src/sqlite/SqliteDatabase.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-syncs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const params = jsonSchema({ type: 'object', properties: {} });
const Desk = definePrompt({
  ns: 'spec',
  key: 'desk',
  sections: [
    defineSection({
      key: 'desk',
      title: 'Desk',
      tools: [
        defineTool({ name: 'look', description: 'Looks.', params, hints: { idempotent: true }, handler: () => 'seen' }),
        defineTool({ name: 'ship', description: 'Ships.', params, hints: {}, handler: () => 'shipped' }),
        defineTool({
          name: 'sell',
          description: 'Sells.',
          params,
          hints: { idempotent: true },
          requiresApproval: true,
          handler: () => 'sold',
        }),
      ],
    }),
  ],
});

/** Runs in a file, and their writes: whether each waits for the disk. */
async function openDesk(tool: string) {
  const database = new SqliteDatabase({
    path: join(folder, `${tool}.db`),
    synchronous: 'full',
    driver: undefined,
    lockTimeoutMs: 1_000,
  });
  const writes: string[] = [];
  const sql: SqlDatabase = {
    run: (statement, values, options) => {
      const isWrite = /^(?:append|change|create|open|reply)/.test(statement);
      if (isWrite) writes.push(`${statement} ${options?.defersSync === true ? 'deferred' : 'synced'}`);
      return database.run(statement, values, options);
    },
  };
  const store = new SqlStore({ name: 'SqliteRuns', sql, cipher: new TextCipher('SqliteRuns') });
  const approver = { approve: () => ({ kind: 'later' as const }) };
  const app = await createApplication({ prompts: [Desk], approver });
  const script = [{ toolCalls: [{ name: tool, arguments: {} }] }, { text: 'Done.' }];
  const runs = await openRuns(app, {
    store,
    prepare: () => ({ prompt: Desk, adapter: new ScriptedModel(script, { by: 'position' }) }),
  });
  const start = () => runs.start({ conversation: 'c', messages: [{ role: 'user', content: 'Go' }] });
  const close = async (): Promise<void> => {
    await runs.drain(1_000);
    await database.close();
  };
  return { runs, writes, start, close };
}

/** Returns the writes of a run whose model calls one tool. */
async function writesOf(tool: string): Promise<readonly string[]> {
  const { writes, start, close } = await openDesk(tool);
  await (await start()).result();
  await close();
  return writes;
}

describe('the writes of a run that wait for the disk', () => {
  test('a run waits for the disk at its creation, at an answer with calls, and at its end', async () => {
    expect(await writesOf('look')).toEqual([
      'create synced',
      'change deferred',
      'open deferred',
      'change deferred',
      'appendMarked deferred',
      'append synced',
      'appendMarked synced',
    ]);
  });

  test('a call with an unknown effect also waits for the disk at its start and its outcome', async () => {
    expect((await writesOf('ship')).slice(5)).toEqual([
      'append synced',
      'append synced',
      'append synced',
      'appendMarked synced',
    ]);
  });
});

describe('a worker that goes on with a run', () => {
  test('a worker that goes on with a run waits for the disk before it runs a call of a recorded answer', async () => {
    const { runs, writes, start, close } = await openDesk('sell');
    const { id } = await start();
    let questions = await runs.questions({ run: id });
    while (questions.length === 0) questions = await runs.questions({ run: id });
    // The engine has to notice that the run waits.
    while (writes.at(-1) !== 'change synced') await new Promise(setImmediate);
    writes.length = 0;
    await runs.reply(id, questions[0]?.id ?? '', { kind: 'approved', by: 'ada' });
    await runs.result(id);
    expect(writes).toEqual(['reply synced', 'change synced', 'open synced', 'appendMarked synced']);
    writes.length = 0;
    await (await start()).result().catch(() => undefined);
    await close();
    expect(writes.slice(0, 5)).toEqual([
      'create synced',
      'change deferred',
      'open deferred',
      'change deferred',
      'appendMarked deferred',
    ]);
  });
});

describe('a commit', () => {
  test('a commit waits for the disk if one of its writes does', async () => {
    const commits: string[] = [];
    const Driver = recordCommits(await loadDriver(undefined), commits);
    const answered: ScriptAnswer[] = [];
    const queue = new RequestQueue(
      {
        path: join(folder, 'queue.db'),
        synchronous: 'full',
        driver: undefined,
        lockTimeoutMs: 1_000,
        scripts: { add: { steps: [{ sql: 'INSERT INTO texts VALUES (?1)' }], isRead: false } },
        tableSteps: ['CREATE TABLE texts (text)'],
      },
      () => Promise.resolve(Driver),
      (message) => {
        if (message.kind === 'answers') answered.push(...message.answers);
      },
    );
    let id = 0;
    const add = async (...defers: readonly boolean[]): Promise<void> => {
      queue.add(defers.map((defersSync) => ({ id: ++id, script: 'add', values: ['text'], defersSync })));
      while (answered.length < id) await new Promise(setImmediate);
    };
    await add(false);
    commits.length = 0;
    await add(true);
    await add(true, true);
    await add(true, false, true);
    await add(false);
    await add(true);
    queue.close();
    expect(commits).toEqual(['normal', 'normal', 'full', 'full', 'normal']);
  });
});

/** Wraps a driver, and records for each commit how it syncs. */
function recordCommits(Driver: DriverClass, commits: string[]): DriverClass {
  return class extends Driver {
    #synchronous = '';

    override exec(sql: string): void {
      if (sql === 'COMMIT') commits.push(this.#synchronous);
      super.exec(sql);
    }

    override prepare(sql: string): ReturnType<InstanceType<DriverClass>['prepare']> {
      this.#synchronous = /^PRAGMA synchronous = (\w+)/.exec(sql)?.[1] ?? this.#synchronous;
      return super.prepare(sql);
    }
  };
}
