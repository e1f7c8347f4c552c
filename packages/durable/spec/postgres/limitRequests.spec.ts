import { Pool } from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { createApplication, definePrompt, defineSection, type ModelAdapter } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { limitRequests, type SharedLimiter } from '@toolwright/durable';
import { describeOnPostgres } from '../../../../spec/support/postgresServer';
import { silent } from '../../../../spec/support/silent';

const Desk = definePrompt({
  ns: 'test',
  key: 'desk',
  sections: [defineSection({ key: 'desk', title: 'Desk', template: 'Help.' })],
});
const messages = [{ role: 'user', content: 'Hello' }] as const;

async function appOf(limiter: SharedLimiter, keyOf?: () => string) {
  const app = await createApplication({
    prompts: [Desk],
    logger: silent,
    interceptors: [limitRequests(limiter, { keyOf })],
  });
  const times: number[] = [];
  const ask = async (signal?: AbortSignal) => {
    const scripted = new ScriptedModel([{ text: 'Yes.' }]);
    const adapter: ModelAdapter = {
      name: 'scripted',
      complete: (request) => (times.push(Date.now()), scripted.complete(request)),
    };
    return app.evaluate(app.prompt(Desk), { adapter, messages, signal });
  };
  return { ask, times };
}

const full = (msBeforeNext: number) => Object.assign(new Error('full'), { msBeforeNext });

describe('limitRequests', () => {
  test('limitRequests asks the limiter by the name of the adapter, or by a key of your own', async () => {
    const keys: string[] = [];
    const limiter = { consume: (key: string) => (keys.push(key), Promise.resolve()) };
    await (await appOf(limiter)).ask();
    await (await appOf(limiter, () => 'account')).ask();
    expect(keys).toEqual(['scripted', 'account']);
  });

  test('a request waits as long as the limiter says, and asks again', async () => {
    let asked = 0;
    const limiter = { consume: () => (++asked < 3 ? Promise.reject(full(60)) : Promise.resolve()) };
    const { ask, times } = await appOf(limiter);
    const start = Date.now();
    await ask();
    expect(asked).toBe(3);
    expect((times[0] ?? 0) - start).toBeGreaterThan(110);
  });

  test('a limiter that fails limits nothing', async () => {
    const { ask, times } = await appOf({ consume: () => Promise.reject(new TypeError('away')) });
    await ask();
    expect(times).toHaveLength(1);
  });

  test('a run that is aborted waits no longer, and asks no model', async () => {
    const { ask, times } = await appOf({ consume: () => Promise.reject(full(60_000)) });
    const abort = new AbortController();
    const asking = ask(abort.signal);
    setTimeout(() => abort.abort(new TypeError('enough')), 50);
    await expect(asking).rejects.toThrow('enough');
    expect(times).toEqual([]);
  });
});

describeOnPostgres('limitRequests over PostgreSQL', (postgres) => {
  test('two pools, as two processes have them, share one limit', async () => {
    const pools = [new Pool(postgres.server.connection), new Pool(postgres.server.connection)];
    const limiters: RateLimiterPostgres[] = [];
    for (const pool of pools)
      limiters.push(
        await new Promise<RateLimiterPostgres>((resolve, reject) => {
          const made: RateLimiterPostgres = new RateLimiterPostgres(
            { storeClient: pool, points: 4, duration: 2, keyPrefix: 'models' },
            (error?: unknown) => {
              if (error instanceof Error) reject(error);
              else resolve(made);
            },
          );
        }),
      );
    const apps = await Promise.all(limiters.map((limiter) => appOf(limiter)));
    await Promise.all(Array.from({ length: 8 }, async (_none, index) => apps[index % 2]?.ask()));
    const times = apps.flatMap((app) => app.times).sort((one, two) => one - two);
    expect(times).toHaveLength(8);
    expect((times[4] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(900);
    await Promise.all(pools.map((pool) => pool.end()));
  }, 60_000);
});
