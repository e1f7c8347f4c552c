import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApplication, definePrompt, defineSection, defineTool, type ModelAdapter, Session } from 'toolwright';
import { Conversation, type RunEntry } from 'toolwright/conversations';
import { openRuns } from '@toolwright/durable';
import { PostgresRuns } from '@toolwright/durable/postgres';
import { describeOnPostgres } from '../../../../spec/support/postgresServer';
import { silent } from '../../../../spec/support/silent';

/** More than the server's own files have at their beginning, such as a segment of its write-ahead log. */
const MOST_BYTES = 20 * 1_048_576;
const CALLS = 30;
const messages = [{ role: 'user', content: 'Fetch all.' }] as const;

/** Fetches pages until it has thirty. */
const model: ModelAdapter = {
  name: 'scripted (not a model)',
  complete: ({ messages: all }) => {
    const count = all.filter(({ role }) => role === 'tool').length;
    const toolCalls = count < CALLS ? [{ id: `call-${String(count)}`, name: 'fetch', arguments: {} }] : [];
    return Promise.resolve({ text: toolCalls.length === 0 ? 'Done.' : '', toolCalls, finishReason: 'stop' });
  },
};

async function opened() {
  let handled = 0;
  const warnings: string[] = [];
  const fetch = defineTool({
    name: 'fetch',
    description: 'Fetches a page.',
    hints: { idempotent: true },
    resultLimit: 1_000_000,
    handler: () => {
      handled++;
      // The database compresses what repeats itself.
      return randomBytes(600_000).toString('base64');
    },
  });
  const desk = defineSection({ key: 'desk', title: 'Desk', tools: [fetch] });
  const Desk = definePrompt({ ns: 'disk', key: 'desk', sections: [desk] });
  const logger = { ...silent, warn: (text: string) => void warnings.push(text) };
  const app = await createApplication({ prompts: [Desk], logger, tokenEstimator: (text) => text.length });
  return { app, Desk, handled: () => handled, warnings };
}

const outcomesIn = (entries: readonly RunEntry[]): number => entries.filter(({ kind }) => kind === 'outcome').length;

describeOnPostgres('a full disk under PostgresRuns', (postgres) => {
  // A server does not begin with files that are larger than it may write.
  afterEach(async () => {
    await postgres.pool.query('DROP SCHEMA IF EXISTS disk CASCADE');
    await postgres.pool.query('CHECKPOINT');
  });

  test('a full disk under PostgresRuns ends the run with what was recorded; it goes on when there is room, and repeats only the call whose record failed', async () => {
    const { app, Desk, handled } = await opened();
    const store = new PostgresRuns(postgres.pool, { schema: 'disk' });
    const run = async (begin: object) => {
      const conversation = await Conversation.open(store, 'c-1');
      const options = { adapter: model, session: new Session(), conversation, maxTurns: CALLS + 1 };
      return app.evaluate(app.prompt(Desk), { ...options, ...begin });
    };

    await store.open('other');
    await postgres.server.crash(MOST_BYTES);
    await expect(run({ messages })).rejects.toMatchObject({
      code: 'E709',
      message: expect.stringMatching(/could not extend file/) as string,
    });
    const recorded = await store.entries('c-1');
    expect(outcomesIn(recorded)).toBe(handled() - 1);
    expect(handled()).toBeGreaterThan(5);
    expect(handled()).toBeLessThan(CALLS);

    await postgres.server.crash();
    expect(await store.entries('c-1')).toEqual(recorded);
    expect((await run({})).text).toBe('Done.');
    expect(handled()).toBe(CALLS + 1);
    const all = await store.entries('c-1');
    expect(all.slice(0, recorded.length)).toEqual(recorded);
    expect(outcomesIn(all)).toBe(CALLS);
  }, 60_000);

  test('a durable run is begun again until there is room, and ends with what was recorded', async () => {
    const { app, Desk, warnings } = await opened();
    const store = new PostgresRuns(postgres.pool, { schema: 'disk' });
    const prepare = () => ({ prompt: Desk, adapter: model, maxTurns: CALLS + 1 });
    const runs = await openRuns(app, { store, prepare });
    await runs.list();
    await postgres.server.crash(MOST_BYTES);
    await runs.start({ id: 'r-1', conversation: 'c-1', messages });
    const result = runs.result('r-1');
    while (!warnings.some((text) => /tried again.*could not extend file/s.test(text))) await sleep(50);
    const recorded = await store.entries('c-1');
    expect(outcomesIn(recorded)).toBeLessThan(CALLS);
    expect((await runs.get('r-1')).status).toBe('running');

    await postgres.server.crash();
    expect((await result).text).toBe('Done.');
    const all = await store.entries('c-1');
    expect(all.slice(0, recorded.length)).toEqual(recorded);
    expect(outcomesIn(all)).toBe(CALLS);
    await runs.drain(0);
  }, 60_000);
});
