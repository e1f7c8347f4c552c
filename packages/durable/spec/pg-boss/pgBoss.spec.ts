import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PostgresRuns } from '@toolwright/durable/postgres';
import { effectsOf, openDesk, questionOf, until } from '../runs/desk';
import { newNode } from '../../../../spec/support/newNode';
import { Processes, root } from '../runs/processes';
import { describeOnPostgres, type RunningPostgres } from '../../../../spec/support/postgresServer';

jest.setTimeout(180_000);
const node = newNode();

if (node === undefined)
  test('absent: pg-boss (it needs Node 22.12; `npm test -- --node24` installs one)', () => {
    expect(node).toBeUndefined();
  });
else describeOnPostgres('pg-boss', (postgres) => onServer(postgres, node));

function onServer(postgres: RunningPostgres, newer: string): void {
  const processes = new Processes(newer);
  beforeAll(() => processes.build());
  afterAll(() => processes.close());

  const moduleAt = (path: string): string => pathToFileURL(join(root, 'node_modules', path)).href;
  const on = (folder: string) => ({
    folder,
    database: {
      connection: postgres.server.connection,
      pg: moduleAt('pg/lib/index.js'),
      boss: moduleAt('pg-boss/dist/index.js'),
      heartbeatSeconds: 10,
    },
  });
  const reader = (folder: string) => openDesk(folder, new PostgresRuns(postgres.pool), { work: false });
  const times = (folder: string, text: string): number =>
    effectsOf(folder).filter((line) => line.includes(text)).length;

  test('pg-boss keeps the contract of engines', async () => {
    const checks = (await processes.run('contract', on(processes.fresh()))) as {
      readonly name: string;
      readonly problem: string | null;
    }[];
    expect(checks.filter(({ problem }) => problem !== null)).toEqual([]);
    expect(checks.map(({ name }) => name)).toContain(
      'a job of a transaction is carried once that is committed, and never if it is rolled back',
    );
  });

  test('two workers share the runs, those of a conversation in their order', async () => {
    const folder = processes.fresh();
    const start = Array.from({ length: 24 }, (_none, index) => {
      const [conversation, place] = [`two-${String(index % 4)}`, String(index)];
      return [index % 3 === 0 ? 'buy' : 'hello', `two-${place.padStart(2, '0')}`, conversation] as const;
    });
    await Promise.all([processes.work(on(folder)), processes.work(on(folder))]);
    await processes.run('start', { ...on(folder), start });
    const runs = await reader(folder);
    await Promise.all(start.map(([, id]) => runs.result(id)));
    expect(times(folder, ' pay apple')).toBe(8);
    const records = await Promise.all(start.map(([, id]) => runs.get(id)));
    for (const record of records) {
      const later = records.filter(
        ({ conversation, order }) => conversation === record.conversation && order > record.order,
      );
      for (const { changedAt } of later) expect(changedAt).toBeGreaterThanOrEqual(record.changedAt);
    }
    await processes.end();
  });

  test('a killed worker is noticed by its heartbeat: another one takes its run over', async () => {
    const folder = processes.fresh();
    const first = await processes.work(on(folder));
    await processes.run('start', { ...on(folder), start: [['slow', 'kill-1', 'kill']] });
    await until(() => effectsOf(folder).includes('holding'), 'it holds');
    await processes.work(on(folder));
    const runs = await reader(folder);
    first.kill('SIGKILL');
    const killed = Date.now();
    await until(() => times(folder, 'holding') === 2, 'it is taken over');
    const seconds = (Date.now() - killed) / 1_000;
    writeFileSync(join(folder, 'go'), '');
    expect((await runs.result('kill-1')).text).toBe('slow is done for nobody.');
    for (const turn of [1, 2, 3, 4]) expect(times(folder, `asked slow ${String(turn)}`)).toBe(1);
    expect(times(folder, ' hold apple')).toBe(1);
    expect(seconds).toBeLessThan(20);
    console.log(`pg-boss: taken over ${seconds.toFixed(1)} s after the kill`);
    await processes.end();
  });

  test('a frozen worker is replaced, and what it does after it thaws is refused', async () => {
    const folder = processes.fresh();
    const first = await processes.work(on(folder));
    await processes.run('start', { ...on(folder), start: [['slow', 'frozen-1', 'frozen']] });
    await until(() => effectsOf(folder).includes('holding'), 'it holds');
    await processes.work(on(folder));
    first.kill('SIGSTOP');
    await until(() => times(folder, 'holding') === 2, 'it is taken over');
    writeFileSync(join(folder, 'go'), '');
    const runs = await reader(folder);
    await runs.result('frozen-1');
    const entries = await new PostgresRuns(postgres.pool).entries('frozen');
    first.kill('SIGCONT');
    first.kill('SIGTERM');
    await once(first, 'exit');
    expect(await new PostgresRuns(postgres.pool).entries('frozen')).toEqual(entries);
    expect((await runs.get('frozen-1')).status).toBe('answered');
    await processes.end();
  });

  test('an approval parks the run without a job; the reply of another process brings it back', async () => {
    const folder = processes.fresh();
    await processes.work(on(folder));
    await processes.run('start', { ...on(folder), start: [['ship', 'ship-1', 'ship']] });
    const runs = await reader(folder);
    await until(async () => (await runs.questions({ run: 'ship-1' })).length === 1, 'it waits');
    // The job ends right after the run has parked.
    const open = `SELECT FROM pgboss.job WHERE name = 'toolwright-runs' AND state < 'completed'`;
    await until(async () => (await postgres.pool.query(open)).rowCount === 0, 'no job is held');
    const reply = ['ship-1', await questionOf(runs, 'ship-1'), { kind: 'approved', by: 'ada' }] as const;
    expect(await processes.run('reply', { ...on(folder), reply })).toEqual(['taken']);
    expect((await runs.result('ship-1')).text).toBe('ship is done for nobody.');
    expect(times(folder, ' ship apple')).toBe(1);
    await processes.end();
  });

  test('SIGTERM: the worker stops before its next step, and another one goes on at once', async () => {
    const folder = processes.fresh();
    const first = await processes.work(on(folder));
    await processes.run('start', { ...on(folder), start: [['slow', 'term-1', 'term']] });
    await until(() => effectsOf(folder).includes('holding'), 'it holds');
    await processes.work(on(folder));
    first.kill('SIGTERM');
    writeFileSync(join(folder, 'go'), '');
    await once(first, 'exit');
    const runs = await reader(folder);
    await runs.result('term-1');
    for (const turn of [1, 2, 3, 4]) expect(times(folder, `asked slow ${String(turn)}`)).toBe(1);
    expect([times(folder, 'holding'), times(folder, ' hold apple')]).toEqual([1, 1]);
    await processes.end();
  });

  test('the server crashes while runs go on: none is lost', async () => {
    const folder = processes.fresh();
    await processes.work(on(folder));
    const start = Array.from({ length: 8 }, (_none, index) => {
      const id = `crash-${String(index)}`;
      return ['buy', id, id] as const;
    });
    await processes.run('start', { ...on(folder), start });
    await postgres.server.crash();
    const runs = await reader(folder);
    await until(async () => {
      const found = await Promise.all(start.map(([, id]) => runs.get(id)));
      return found.every(({ status }) => status === 'answered');
    }, 'all are answered');
    expect(new Set(effectsOf(folder).filter((line) => line.includes(' pay '))).size).toBe(8);
    expect(times(folder, ' pay ')).toBe(8);
    await processes.end();
  });
}
