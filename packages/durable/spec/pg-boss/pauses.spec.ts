import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineJob } from '@toolwright/durable';
import { type PgBossClient, pgBossEngine } from '@toolwright/durable/pg-boss';

type Handler = Parameters<PgBossClient['work']>[2];

/** A client that hands its worker to the test. */
function clientOf(): { readonly client: PgBossClient; readonly worker: () => Handler } {
  let worker: Handler | undefined;
  const client: PgBossClient = {
    createQueue: () => Promise.resolve(),
    getQueue: () => Promise.resolve({}),
    send: () => Promise.resolve('job'),
    work: (_name, _options, handler) => {
      worker = handler;
      return Promise.resolve('worker');
    },
    offWork: () => Promise.resolve(),
    notifyWorker: () => undefined,
    on: () => undefined,
  };
  return { client, worker: () => worker! };
}

test('the pause after a failure doubles with each, up to half a minute, and a drain ends it', async () => {
  const { client, worker } = clientOf();
  const engine = pgBossEngine(client, { concurrency: 1 });
  await engine.work(() => Promise.reject(new Error('could not extend file')));
  const job = { tenant: null, run: 'r-1', conversation: 'c-1' };
  const ends: number[] = [];
  const attempts = [0, 1, 40].map((retryCount) =>
    expect(worker()([{ data: job, retryCount }]))
      .rejects.toThrow('could not extend file')
      .then(() => ends.push(retryCount)),
  );
  await sleep(1_500);
  expect(ends).toEqual([0]);
  await sleep(1_000);
  expect(ends).toEqual([0, 1]);
  expect(await engine.health?.()).toEqual({ ok: false, problem: 'could not extend file' });
  await engine.drain(100);
  await Promise.all(attempts);
  expect(ends).toEqual([0, 1, 40]);
});

test('a job from before tenants is one without a tenant', async () => {
  const { client, worker } = clientOf();
  const engine = pgBossEngine(client, { concurrency: 1 });
  const carried: EngineJob[] = [];
  await engine.work((job) => {
    carried.push(job);
    return Promise.resolve('done');
  });
  await worker()([{ data: { run: 'r-1', conversation: 'c-1' } as EngineJob, retryCount: 0 }]);
  await worker()([{ data: { tenant: 'acme', run: 'r-1', conversation: 'c-1' }, retryCount: 0 }]);
  expect(carried.map(({ tenant }) => tenant)).toEqual([null, 'acme']);
  await engine.drain(100);
});
