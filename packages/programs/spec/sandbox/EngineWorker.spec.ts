import { EngineWorker } from '../../src/sandbox/EngineWorker';
import { loadEngine } from '../../src/sandbox/loadEngine';
import { WorkerPool } from '../../src/sandbox/WorkerPool';

test('a worker whose end was asked for is given to no other program, also before its thread has ended', async () => {
  const size = { memoryBytes: 16 << 20, stackBytes: 256 << 10 };
  const setup = { ...(await loadEngine(size.memoryBytes)), size };
  const pool = new WorkerPool(() => new EngineWorker(setup), 1, 1);
  const { signal } = new AbortController();
  const first = await pool.take(signal, {});
  const ended = first?.terminate();
  // Its program ended in this moment.
  if (first !== undefined) pool.give(first, {});
  const second = await pool.take(signal, {});
  expect(second).not.toBe(first);
  expect(second?.isAlive).toBe(true);
  await ended;
  await pool.close();
});
