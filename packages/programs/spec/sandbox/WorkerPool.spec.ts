import { WorkerPool, type PooledWorker } from '../../src/sandbox/WorkerPool';

class Worker implements PooledWorker {
  isAlive = true;
  isReady = false;
  hasStarted = false;
  terminate(): Promise<void> {
    this.isAlive = this.isReady = false;
    return Promise.resolve();
  }
}

const { signal } = new AbortController();

/** A pool whose hostile owner has cost its worker; the honest one's is back, ready or not yet. */
async function afterALoss(isReady = true) {
  const pool = new WorkerPool(() => new Worker(), 2, 4);
  const [honest, hostile] = [{ name: 'honest' }, { name: 'hostile' }];
  const take = async (owner: object): Promise<Worker> => (await pool.take(signal, owner)) ?? new Worker();
  const [good, bad] = [await take(honest), await take(hostile)];
  good.isReady = good.hasStarted = bad.isReady = bad.hasStarted = true;
  await bad.terminate();
  pool.give(bad, hostile);
  good.isReady = isReady;
  pool.give(good, honest);
  return { pool, honest, hostile, take, good };
}

describe('HOST-07f workers that programs have cost', () => {
  test('the owner of such a program waits for the worker in its place, and leaves the ready one to others', async () => {
    const { honest, hostile, take, good } = await afterALoss();
    const next = await take(hostile);
    expect([next.isReady, next.isAlive]).toEqual([false, true]);
    expect(await take(honest)).toBe(good);
  });

  test('a program takes the worker that is ready, and not the one that has been idle for longer', async () => {
    const { honest, take, good } = await afterALoss();
    expect(await take(honest)).toBe(good);
  });

  test('a tenant that has waited once takes any worker that is ready for its next program', async () => {
    const { pool, hostile, take, good } = await afterALoss();
    pool.give(await take(hostile), hostile);
    expect(await take(hostile)).toBe(good);
  });

  test('a worker that prepares for its next program comes before one that has not started', async () => {
    const { honest, take, good } = await afterALoss(false);
    expect(await take(honest)).toBe(good);
  });
});
