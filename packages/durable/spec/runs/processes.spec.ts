import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteRuns } from '../support/sqliteRuns';
import { effectsOf, openDesk, questionOf, until, type FallbackMoment } from './desk';
import { Processes } from './processes';

jest.setTimeout(120_000);
const processes = new Processes();
beforeAll(() => processes.build());
afterAll(() => processes.close());

const storeOf = (folder: string) => sqliteRuns(join(folder, 'runs.db'));
const inbox = (folder: string) => openDesk(folder, storeOf(folder), { work: false });
const times = (folder: string, text: string): number => effectsOf(folder).filter((line) => line.includes(text)).length;

describe('one file, and several processes', () => {
  test('a worker is killed in the middle of a call: the next one takes over, asks nothing again, and has each keyed effect', async () => {
    const folder = processes.fresh();
    await processes.run('start', { folder, start: [['slow', 'r-1', 'c-1']] });
    const worker = await processes.work({ folder });
    await until(() => effectsOf(folder).includes('holding'), 'it holds');
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    writeFileSync(join(folder, 'go'), '');
    await processes.work({ folder });
    const runs = await inbox(folder);
    expect((await runs.result('r-1')).text).toBe('slow is done for nobody.');
    expect((await runs.get('r-1')).takeovers).toBe(1);
    for (const turn of [1, 2, 3, 4]) expect(times(folder, `asked slow ${String(turn)}`)).toBe(1);
    // The call that was cut off began twice, under one key.
    expect(times(folder, 'holding')).toBe(2);
    expect(times(folder, ' hold apple')).toBe(1);
  });

  test.each<[moment: FallbackMoment, failures: number]>([
    ['asked', 2],
    ['failed', 2],
    ['stored', 1],
    ['answered', 1],
  ])(
    'a worker is killed between a failed request and the fallback, at %s: the next one goes on, and has each effect once',
    async (killedAt, failures) => {
      const folder = processes.fresh();
      await processes.run('start', { folder, options: { falls: {} }, start: [['fall', 'r-1', 'c-1']] });
      const worker = await processes.work({ folder, options: { falls: { killedAt } } });
      if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
      expect(worker.signalCode).toBe('SIGKILL');
      await processes.work({ folder, options: { falls: {} } });
      const runs = await inbox(folder);
      expect((await runs.result('r-1')).text).toBe('fall is done for nobody.');
      expect([times(folder, ' pay apple'), times(folder, ' pay pear')]).toEqual([1, 1]);
      expect(times(folder, 'the first one failed')).toBe(failures);
      expect([1, 2, 3].map((turn) => times(folder, `asked fall ${String(turn)}`))).toEqual([1, 1, 1]);
      const entries = await storeOf(folder).entries('c-1');
      expect(entries.map(({ kind }) => kind)).toEqual([
        ...['conversation', 'model', 'run', 'answer', 'begun', 'outcome'],
        ...['model', 'answer', 'begun', 'outcome', 'answer', 'end'],
      ]);
    },
  );

  test('a second worker that is there already takes over as well', async () => {
    const folder = processes.fresh();
    const first = await processes.work({ folder });
    await processes.run('start', { folder, start: [['slow', 'r-1', 'c-1']] });
    await until(() => effectsOf(folder).includes('holding'), 'it holds');
    await processes.work({ folder });
    const runs = await inbox(folder);
    const { owner } = await runs.get('r-1');
    first.kill('SIGKILL');
    writeFileSync(join(folder, 'go'), '');
    await runs.result('r-1');
    expect((await runs.get('r-1')).owner).not.toBe(owner);
  });

  test('all processes end while the run waits; a reply is given by one process, and the run ended by another', async () => {
    const folder = processes.fresh();
    await processes.run('start', { folder, start: [['ship', 'r-1', 'c-1']] });
    const worker = await processes.work({ folder });
    const runs = await inbox(folder);
    await until(async () => (await runs.get('r-1')).status === 'waiting', 'it waits');
    worker.kill('SIGKILL');
    const reply = ['r-1', await questionOf(runs, 'r-1'), { kind: 'approved', by: 'ada' }] as const;
    expect(await processes.run('reply', { folder, reply })).toEqual(['taken']);
    await processes.work({ folder });
    expect((await runs.result('r-1')).text).toBe('ship is done for nobody.');
    expect(times(folder, ' ship apple')).toBe(1);
  });

  test('SIGTERM: the worker stops before its next step, and ends; nothing is asked or called again', async () => {
    const folder = processes.fresh();
    await processes.run('start', { folder, start: [['slow', 'r-1', 'c-1']] });
    const worker = await processes.work({ folder });
    await until(() => effectsOf(folder).includes('holding'), 'it holds');
    worker.kill('SIGTERM');
    writeFileSync(join(folder, 'go'), '');
    const [code] = (await once(worker, 'exit')) as [number | null];
    expect(code).toBe(0);
    const runs = await inbox(folder);
    expect((await runs.get('r-1')).status).toBe('queued');
    await processes.work({ folder });
    await runs.result('r-1');
    for (const turn of [1, 2, 3, 4]) expect(times(folder, `asked slow ${String(turn)}`)).toBe(1);
    expect([times(folder, 'holding'), times(folder, ' hold apple')]).toEqual([1, 1]);
  });

  test('a run that ends its process each time is given up, and the one behind it goes on', async () => {
    const folder = processes.fresh();
    const start = [['crash', 'r-1', 'c-1'] as const, ['hello', 'r-2', 'c-1'] as const];
    await processes.run('start', { folder, start });
    for (let count = 0; count < 4; count++) {
      const worker = await processes.work({ folder, options: { maxTakeovers: 2 } });
      if (count < 3) await once(worker, 'exit');
    }
    const runs = await inbox(folder);
    await expect(runs.result('r-1')).rejects.toThrow(/E740.*E742.*3 workers ended/s);
    expect((await runs.result('r-2')).text).toBe('hello is done for nobody.');
    expect(times(folder, 'crashing')).toBe(3);
  });

  test('a frozen worker whose run was cancelled writes nothing after it thaws', async () => {
    const folder = processes.fresh();
    await processes.run('start', { folder, start: [['slow', 'r-1', 'c-1']] });
    const worker = await processes.work({ folder });
    await until(() => effectsOf(folder).includes('holding'), 'it holds');
    worker.kill('SIGSTOP');
    const runs = await inbox(folder);
    expect(await runs.cancel('r-1', 'frozen')).toBe('cancelled');
    const before = await storeOf(folder).entries('c-1');
    writeFileSync(join(folder, 'go'), '');
    worker.kill('SIGCONT');
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    expect(await storeOf(folder).entries('c-1')).toEqual(before);
    expect((await runs.get('r-1')).status).toBe('cancelled');
  });
});
