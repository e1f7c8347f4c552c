// The failure matrix, continued: what the world around a run does to it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createApplication, definePrompt, Section, Tool, ToolContext } from 'toolwright';
import type { RunEntry } from 'toolwright/conversations';
import { ScriptedModel, type ScriptedTurn } from 'toolwright/testing';
import { openRuns } from '@toolwright/durable';
import { deskKeys, effectsOf, openDesk, questionOf, said, type DeskOptions } from '../runs/desk';
import { silent } from '../../../../spec/support/silent';
import { sqliteRuns } from '../support/sqliteRuns';
import { Workspace } from '../../../../spec/toolchain/support/Workspace';
import { HandEngine } from './HandEngine';

jest.setTimeout(60_000);
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  jest.restoreAllMocks();
});

function fresh(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-world-'));
  folders.push(folder);
  return folder;
}

/** A worker with a store of its own, as another process has it. */
async function worker(folder: string, options: DeskOptions = {}) {
  const engine = new HandEngine();
  const store = sqliteRuns(join(folder, 'runs.db'));
  const runs = await openDesk(folder, store, { engine, ...options });
  await runs.work();
  return { runs, engine, store };
}

/** A run that a worker has brought to its question; the worker is not needed any more. */
async function parked(folder: string, options?: DeskOptions): Promise<void> {
  const { runs, engine } = await worker(folder, options);
  await runs.start({ id: 'r-1', conversation: 'c-1', messages: said('ship') });
  await engine.carry('c-1');
  expect((await runs.get('r-1')).status).toBe('waiting');
}

describe('clock jump', () => {
  const DAY = 86_400_000;
  test.each([
    ['a day back', -DAY],
    ['a year on', 365 * DAY],
  ])(
    '%s between two workers: the later one writes, the run goes on, and order stays that of the log',
    async (_name, jump) => {
      const folder = fresh();
      await parked(folder);
      const now = Date.now();
      jest.spyOn(Date, 'now').mockImplementation(() => now + jump);
      const { runs, engine } = await worker(folder);
      await runs.start({ id: 'r-2', conversation: 'c-1', messages: said('hello') });
      await runs.reply('r-1', await questionOf(runs, 'r-1'), { kind: 'approved' });
      await engine.carry('c-1');
      expect((await runs.result('r-1')).text).toBe('ship is done for nobody.');
      expect((await runs.list()).map(({ id, status }) => `${id} ${status}`)).toEqual(['r-1 answered', 'r-2 answered']);
      expect(effectsOf(folder).filter((line) => line.endsWith(' ship apple'))).toHaveLength(1);
    },
  );
});

describe('an old run under a new prompt', () => {
  const later = { template: 'Sell other things.' };
  const goOn = async (options: DeskOptions) => {
    const folder = fresh();
    await parked(folder);
    const { runs, engine, store } = await worker(folder, { ...later, ...options });
    await runs.reply('r-1', await questionOf(runs, 'r-1'), { kind: 'approved' });
    await engine.carry('c-1');
    return { folder, runs, store };
  };

  test('continue: it goes on with the words that it began with', async () => {
    const { runs, store } = await goOn({});
    expect((await runs.result('r-1')).text).toBe('ship is done for nobody.');
    const [head] = await store.entries('c-1');
    expect(head).toMatchObject({ kind: 'conversation', text: expect.stringContaining('Sell things.') as string });
  });

  test('park: it is paused, with the reason, and nothing is done', async () => {
    const { folder, runs } = await goOn({ onVersion: 'park' });
    expect(await runs.get('r-1')).toMatchObject({ status: 'paused', problem: expect.stringContaining('E7') as string });
    expect(effectsOf(folder).filter((line) => line.endsWith(' ship apple'))).toEqual([]);
  });

  test('fail: it ends, and the conversation can go on', async () => {
    const { runs, store } = await goOn({ onVersion: 'fail' });
    expect((await runs.get('r-1')).status).toBe('failed');
    expect((await store.entries('c-1')).at(-1)).toMatchObject({ kind: 'end', how: 'failed' });
  });
});

/** Runs of a prompt of its own, whose model answers by what was said. */
async function special(folder: string, section: new () => object, turns: readonly ScriptedTurn[]) {
  const prompt = definePrompt({ ns: 'durable', key: 'special', sections: [section] });
  const approver = { approve: () => ({ kind: 'later' as const }) };
  const app = await createApplication({ prompts: [prompt], logger: silent, approver, keys: deskKeys });
  const engine = new HandEngine();
  const requests: number[] = [];
  const store = sqliteRuns(join(folder, 'runs.db'));
  const runs = await openRuns(app, {
    store,
    engine,
    pollMs: 20,
    prepare: () => ({
      prompt,
      adapter: {
        name: 'scripted (not a model)',
        complete: (request) => {
          const turn = request.messages.filter(({ role }) => role === 'assistant').length;
          requests.push(request.messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0));
          return new ScriptedModel(turns.slice(turn, turn + 1)).complete(request);
        },
      },
    }),
  });
  await runs.work();
  return { runs, engine, requests, store };
}

/** Returns the bytes of all files in a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

describe('a 10 MB result', () => {
  const SIZE = 10_000_000;
  @Section({ key: 'big', title: 'Big' })
  class Big {
    @Tool({ description: 'Returns much.', hints: { readOnly: true }, resultLimit: SIZE })
    fetch(): string {
      return 'x'.repeat(SIZE);
    }

    @Tool({ description: 'Waits for a person.', requiresApproval: true, hints: { idempotent: true } })
    sign(): string {
      return 'signed';
    }
  }

  test('a 10 MB result is in the log once, and the model of another worker gets it whole', async () => {
    const folder = fresh();
    const turns = [
      { toolCalls: [{ name: 'fetch', arguments: {} }] },
      { toolCalls: [{ name: 'sign', arguments: {} }] },
      { text: 'Done.' },
    ];
    const first = await special(folder, Big, turns);
    await first.runs.start({ id: 'r-1', conversation: 'c-1', messages: said('go') });
    await first.engine.carry('c-1');
    const second = await special(folder, Big, turns);
    await second.runs.reply('r-1', await questionOf(second.runs, 'r-1'), { kind: 'approved' });
    await second.engine.carry('c-1');
    expect((await second.runs.result('r-1')).text).toBe('Done.');
    expect(second.requests).toHaveLength(1);
    expect(second.requests[0]).toBeGreaterThan(SIZE);
    // The last one to close moves everything into the file itself, unless both close at the same moment.
    await first.store.close();
    await second.store.close();
    const unused = fresh();
    const store = sqliteRuns(join(unused, 'runs.db'));
    await store.list();
    await store.close();
    // Without the tables themselves, which take the same room for each release.
    expect(sizeOf(folder) - sizeOf(unused)).toBeLessThan(SIZE * 1.005);
  });
});

describe('nested approval', () => {
  const done: string[] = [];
  @Section({ key: 'nested', title: 'Nested' })
  class Nested {
    @Tool({ description: 'Tidies up, by another call.', hints: { idempotent: true } })
    async tidy(context: ToolContext): Promise<string> {
      const { text: said } = await context.callTool({ id: 'inner', name: 'remove', arguments: {} });
      return `tidied: ${said}`;
    }

    @Tool({ description: 'Removes.', requiresApproval: true, hints: { idempotent: true } })
    remove({ call }: ToolContext): string {
      done.push(call.idempotencyKey);
      return 'removed';
    }
  }

  test('an approval inside a handler’s call cannot wait: the call is denied with the reason, and nothing is done', async () => {
    const folder = fresh();
    const turns = [{ toolCalls: [{ name: 'tidy', arguments: {} }] }, { text: 'Done.' }];
    const { runs, engine, store } = await special(folder, Nested, turns);
    await runs.start({ id: 'r-1', conversation: 'c-1', messages: said('go') });
    await engine.carry('c-1');
    expect((await runs.result('r-1')).text).toBe('Done.');
    expect(await runs.questions()).toEqual([]);
    expect(done).toEqual([]);
    const entries = await store.entries('c-1');
    const outcome = entries.find((entry): entry is Extract<RunEntry, { kind: 'outcome' }> => entry.kind === 'outcome');
    expect(outcome?.message.content).toContain('it needs an approval at once, because a handler made the call');
  });
});

describe('disk full', () => {
  const workspace = new Workspace();
  afterAll(() => workspace.close());
  const program = `
    import { writeSync } from 'node:fs';
    import { SqliteRuns } from '@toolwright/durable/sqlite';
    const store = new SqliteRuns(process.argv[2]);
    const { epoch } = await store.open('c');
    for (let after = 0; ; after++) {
      const note = { kind: 'note', turn: 1, about: 'limits', message: { role: 'user', content: 'x'.repeat(3_000) } };
      const error = await store.append({ conversation: 'c', epoch, after }, [note]).then(() => undefined, (cause) => cause);
      if (error === undefined) continue;
      writeSync(1, JSON.stringify({ after, code: error.code, message: error.message }));
      break;
    }
  `;

  test('nothing that was acknowledged is lost, the failed append says why, and is in the log once when there is room', async () => {
    const path = join(fresh(), 'runs.db');
    const project = workspace.project('esm', { 'main.js': program });
    // The system refuses what would make a file larger than 256 KiB, in the middle of a transaction.
    const limited = `ulimit -f 256; exec "${process.execPath}" "${join(project, 'main.js')}" "${path}"`;
    const { after, code, message } = JSON.parse(await ended(['bash', '-c', limited])) as Record<string, unknown>;
    expect(code).toBe('E709');
    expect(message).toContain(`${path}: the statement append failed: disk I/O error`);
    const store = sqliteRuns(path);
    expect(await store.entries('c')).toHaveLength(Number(after));
    const { epoch, entries } = await store.open('c');
    expect(entries).toHaveLength(Number(after));
    expect(entries.length).toBeGreaterThan(10);
    const next = entries[0]!;
    await store.append({ conversation: 'c', epoch, after: entries.length }, [next]);
    await store.append({ conversation: 'c', epoch, after: entries.length }, [next]);
    expect(await store.entries('c')).toHaveLength(entries.length + 1);
  });
});

/** Runs a program; returns what it said. */
async function ended([file = '', ...args]: readonly string[]): Promise<string> {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, problems, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (status !== 0) throw new TypeError(`${file} ended with ${String(status)}: ${problems}`);
  return out;
}
