import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication, Session } from 'toolwright';
import { MemoryRuns, openRuns } from '@toolwright/durable';
import { sqliteRuns } from '../support/sqliteRuns';
import { bundledProject } from '../../../../spec/toolchain/support/bundledProject';
import { Workspace } from '../../../../spec/toolchain/support/Workspace';
import { Agent, model, ordered, orderedInMemory, slices } from './tableDesk';

jest.setTimeout(120_000);

const program = `
  import { SqliteRuns } from '@toolwright/durable/sqlite';
  import { ordered } from './tableDesk.js';
  const store = new SqliteRuns(process.env.CRASH_FOLDER + '/runs.db');
  console.log(JSON.stringify(await ordered(store, 'tea cake pie tea', 'r-1')));
  await store.close();
  process.exit(0);
`;
const workspace = new Workspace();
const folders: string[] = [];
afterAll(() => {
  workspace.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function fresh(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-tables-'));
  folders.push(folder);
  return folder;
}

const row = (item: string, pieces: number) => [item, { item, pieces }];
const expected = [row('tea', 7), row('cake', 1), row('pie', 1)];

describe('a table of the session in durable runs', () => {
  test('the process is killed between two calls: the next one has the rows of the calls that ended, and only those', async () => {
    const folder = fresh();
    const project = await bundledProject(workspace, join(__dirname, 'tableDesk.ts'), program);
    const start = async () => {
      const child = spawn(process.execPath, ['bundled/main.js'], {
        env: { ...process.env, NODE_OPTIONS: '', CRASH_FOLDER: folder },
        cwd: project,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let out = '';
      child.stdout.on('data', (data: Buffer) => (out += data.toString()));
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
      return { code, signal, out };
    };
    expect(await start()).toEqual({ code: null, signal: 'SIGKILL', out: '' });
    writeFileSync(join(folder, 'sound'), '');
    const { out, ...end } = await start();
    expect(end).toEqual({ code: 0, signal: null });
    expect(JSON.parse(out)).toEqual(expected);
    // A later run of the conversation, in a third process, begins with the rows.
    expect(await ordered(sqliteRuns(join(folder, 'runs.db')), 'cake', 'r-2')).toEqual([
      row('tea', 7),
      row('cake', 2),
      row('pie', 1),
    ]);
  });

  test('a session that prepare returns is refused, and not silently left out', async () => {
    const app = await createApplication({ prompts: [Agent] });
    const prepare = () => ({ prompt: Agent, adapter: model, slices, session: new Session({ slices }) });
    const runs = await openRuns(app, { store: new MemoryRuns(), prepare });
    const run = await runs.start({ messages: [{ role: 'user', content: 'tea' }] });
    await expect(run.result()).rejects.toThrow(/E413 prepare: a run has the session that its store keeps/);
    await runs.drain(1_000);
  });

  test('a section with a session in memory gives the same result', async () => {
    expect(await orderedInMemory('tea cake pie tea')).toEqual(expected);
  });
});
