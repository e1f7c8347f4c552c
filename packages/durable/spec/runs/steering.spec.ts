import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type ModelAdapter,
  type ModelRequest,
  type PromptResponse,
} from 'toolwright';
import type { RunEntry } from 'toolwright/conversations';
import { type DurableStore, MemoryRuns, openRuns, type Runs } from '@toolwright/durable';
import { FaultyRuns, type StoreFault } from '../durable/FaultyRuns';
import { silent } from '../../../../spec/support/silent';
import { sqliteRuns } from '../support/sqliteRuns';
import { said, until } from './desk';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-steering-'));
const open: Runs[] = [];
afterEach(async () => {
  for (const runs of open.splice(0)) await runs.drain(100);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const stores: readonly (readonly [string, () => DurableStore])[] = [
  ['memory', () => new MemoryRuns()],
  ['a file', () => sqliteRuns(join(folder, `${String(++files)}.db`))],
];

/** An answer of the model: a text, or the name of a tool that it calls. */
interface Answer {
  readonly text?: string;
  readonly call?: string;
}

type Step = Answer | (() => Promise<Answer>);

/** A model that answers by the number of its answers in the conversation. */
class Model implements ModelAdapter {
  readonly name = 'scripted (not a model)';
  readonly requests: ModelRequest[] = [];
  readonly #script: readonly Step[];

  constructor(script: readonly Step[]) {
    this.#script = script;
  }

  async complete(request: ModelRequest): ReturnType<ModelAdapter['complete']> {
    this.requests.push(request);
    const position = request.messages.filter(({ role }) => role === 'assistant').length;
    const step = this.#script[position] ?? { text: 'Nothing more.' };
    const { text = null, call } = typeof step === 'function' ? await step() : step;
    const toolCalls = call === undefined ? [] : [{ id: `call-${String(position)}`, name: call, arguments: {} }];
    return { text, toolCalls, finishReason: call === undefined ? 'stop' : 'tool_calls', usage: undefined };
  }
}

interface DeskOptions {
  readonly script: readonly Step[];
  /** Called while the tool `keep` runs. */
  readonly during?: () => Promise<unknown>;
  readonly maxTurns?: number;
  readonly pollMs?: number;
  readonly work?: boolean;
  /** Called after each answer of a run, before its end is recorded. */
  readonly afterAnswer?: () => Promise<void>;
}

const keys = ['a key of this spec alone, long enough'];
const keep: Answer = { call: 'keep' };
const ask: Answer = { call: 'ship' };

async function openDesk(store: DurableStore, options: DeskOptions) {
  const { script, during, maxTurns, afterAnswer, ...settings } = options;
  const tools = [
    defineTool({
      name: 'keep',
      description: 'Keeps.',
      hints: { idempotent: true },
      handler: async () => {
        await during?.();
        return 'kept';
      },
    }),
    defineTool({ name: 'ship', description: 'Ships.', requiresApproval: true, handler: () => 'shipped' }),
  ];
  const sections = [defineSection({ key: 'desk', title: 'Desk', template: 'Work.', tools })];
  const prompt = definePrompt({ ns: 'spec', key: 'desk', sections });
  const approver = { approve: () => ({ kind: 'later' as const }) };
  const aroundRun = async (_run: unknown, next: () => Promise<PromptResponse>): Promise<PromptResponse> => {
    const response = await next();
    await afterAnswer?.();
    return response;
  };
  const app = await createApplication({
    prompts: [prompt],
    logger: silent,
    keys,
    approver,
    interceptors: [{ aroundRun }],
  });
  const adapter = new Model(script);
  const runs = await openRuns(app, { store, pollMs: 10, ...settings, prepare: () => ({ prompt, adapter, maxTurns }) });
  open.push(runs);
  return { runs, adapter };
}

/** What the model and people said, in the order of the log. */
function linesOf(entries: readonly RunEntry[]): readonly string[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'run') return entry.messages.map(({ content }) => `user: ${content ?? ''}`);
    if (entry.kind === 'steering') return [`user: ${entry.message.content}`];
    if (entry.kind === 'answer' && entry.text !== null) return [`model: ${entry.text}`];
    return entry.kind === 'end' ? [entry.how] : [];
  });
}

const start = (runs: Runs, id = 'r') => runs.start({ id, conversation: 'c', messages: said('Go.') });

describe.each(stores)('runs.steer over %s', (_name, opened) => {
  test('the next request after the calls of a turn contains the message', async () => {
    const store = opened();
    const steered: string[] = [];
    const { runs, adapter } = await openDesk(store, {
      script: [keep, { text: 'Done.' }],
      during: async () => {
        for (let time = 0; time < 2; time++) steered.push(await runs.steer('r', 'Only one, please.', { id: 's' }));
      },
    });
    expect((await (await start(runs)).result()).text).toBe('Done.');
    expect(steered).toEqual(['taken', 'late']);
    expect(adapter.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'Only one, please.' });
    expect(linesOf(await store.entries('c'))).toEqual([
      'user: Go.',
      'user: Only one, please.',
      'model: Done.',
      'answered',
    ]);
    expect(await store.inbox('c', 'r')).toEqual([]);
    expect(await runs.steer('r', 'Too late.', { id: 't' })).toBe('late');
  });

  test('a message from another process is heard, also after the answer that would have been the last', async () => {
    const store = opened();
    const other = await openDesk(store.forTenant(null), { script: [], work: false });
    const first: Step = async () => {
      expect(await other.runs.steer('r', 'And tomorrow?')).toBe('taken');
      return { text: 'Rain today.' };
    };
    const { runs } = await openDesk(store, { script: [first, { text: 'Sun tomorrow.' }], pollMs: 60_000 });
    const response = await (await start(runs)).result();
    expect([response.text, response.turns]).toEqual(['Sun tomorrow.', 2]);
    expect(linesOf(await store.entries('c'))).toEqual([
      'user: Go.',
      'model: Rain today.',
      'user: And tomorrow?',
      'model: Sun tomorrow.',
      'answered',
    ]);
  });

  test('a message that comes between the answer and its record is heard, and the answer is not the last one', async () => {
    const store = opened();
    const other = await openDesk(store.forTenant(null), { script: [], work: false });
    let times = 0;
    const { runs } = await openDesk(store, {
      script: [{ text: 'Rain today.' }, { text: 'Sun tomorrow.' }],
      pollMs: 60_000,
      afterAnswer: async () => {
        if (times++ === 0) expect(await other.runs.steer('r', 'And tomorrow?')).toBe('taken');
      },
    });
    expect((await (await start(runs)).result()).text).toBe('Sun tomorrow.');
    expect(linesOf(await store.entries('c')).at(-2)).toBe('model: Sun tomorrow.');
    expect(times).toBe(2);
  });

  test('a message during a question is heard when the run goes on', async () => {
    const store = opened();
    const { runs, adapter } = await openDesk(store, { script: [ask, { text: 'Done.' }] });
    const run = await start(runs);
    await until(async () => (await runs.questions({ run: 'r' })).length > 0, 'it waits');
    expect(await runs.steer('r', 'With a bow.')).toBe('taken');
    const [question] = await runs.questions({ run: 'r' });
    await runs.reply('r', question?.id ?? '', { kind: 'approved' });
    await run.result();
    expect(adapter.requests[1]?.messages.slice(-2).map(({ content }) => content)).toEqual(['shipped', 'With a bow.']);
  });

  test('a message to a run that has not begun is part of its beginning', async () => {
    const store = opened();
    const { runs } = await openDesk(store, { script: [], work: false });
    await start(runs);
    expect(await runs.steer('r', 'Only the blue one.', { id: 's' })).toBe('taken');
    expect(await runs.steer('r', 'Only the blue one.', { id: 's' })).toBe('late');
    const { runs: worker } = await openDesk(store.forTenant(null), { script: [{ text: 'Done.' }] });
    await worker.result('r');
    expect(linesOf(await store.entries('c'))).toEqual([
      'user: Go.',
      'user: Only the blue one.',
      'model: Done.',
      'answered',
    ]);
    expect(await runs.steer('r', 'Only the blue one.', { id: 's' })).toBe('late');
  });

  test.each([
    ['is cancelled', 'cancelled', 9],
    ['has no request left', 'answered', 1],
  ])('if the run %s, the next one begins with the message', async (_what, how, maxTurns) => {
    const store = opened();
    let times = 0;
    const first: Step = async () => {
      // Without an answer of the first run, the next one asks for it again.
      if (times++ > 0) return { text: 'Yes?' };
      expect(await runs.steer('r', 'One more thing.')).toBe('taken');
      if (how === 'cancelled') void runs.cancel('r', 'not now');
      return how === 'cancelled' ? new Promise(() => undefined) : { text: 'Done.' };
    };
    const { runs } = await openDesk(store, { script: [first, { text: 'Yes?' }], maxTurns });
    await start(runs);
    await runs.result('r').catch(() => undefined);
    await (await runs.start({ id: 'next', conversation: 'c', messages: said('Hello?') })).result();
    expect(linesOf(await store.entries('c')).slice(-5)).toEqual([
      how,
      'user: One more thing.',
      'user: Hello?',
      'model: Yes?',
      'answered',
    ]);
  });

  test('unknown runs (E738), ids (E709) and texts (E412) are refused', async () => {
    const { runs } = await openDesk(opened(), { script: [], work: false });
    await start(runs);
    await expect(runs.steer('other', 'Hi.')).rejects.toMatchObject({ code: 'E738' });
    await expect(runs.steer('r', 'Hi.', { id: '' })).rejects.toMatchObject({ code: 'E709', place: 'runs.steer' });
    await expect(runs.steer('r', 7 as never)).rejects.toMatchObject({ code: 'E412' });
    await expect(runs.steer('r', 'Hi.', { ids: 'x' } as never)).rejects.toMatchObject({ code: 'E413' });
  });
});

test('a message that was taken is heard once, wherever its worker ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(5), { minLength: 1 }),
      fc.record<StoreFault>({
        at: fc.integer({ min: 1, max: 16 }),
        kind: fc.constantFrom('before', 'after', 'unacknowledged'),
      }),
      async (at, fault) => {
        const store = new MemoryRuns();
        const taken: string[] = [];
        const { runs: client } = await openDesk(store, { script: [], work: false });
        const answers = [keep, { text: 'Half.' }, keep, { text: 'More.' }, { text: 'Most.' }, { text: 'All.' }];
        const script = answers.map((answer, index): Step => async () => {
          const id = String(index);
          // A client that repeats its request, to whichever worker.
          if (at.includes(index) && (await client.steer('r', `Message ${id}.`, { id })) === 'taken') taken.push(id);
          return answer;
        });
        await start(client);
        const faulty = new FaultyRuns(store, fault);
        const first = await openDesk(faulty, { script, maxTurns: 20, pollMs: 60_000 });
        await until(async () => faulty.happened || (await client.get('r')).status === 'answered', 'it ends');
        await first.runs.drain(0);
        const next = await openDesk(store, { script, maxTurns: 20 });
        // The dead worker holds the run, as far as the store knows.
        await store.records.change('r', { status: ['running'] }, { status: 'queued', owner: null });
        await next.runs.recover();
        await next.runs.result('r');
        const entries = await store.entries('c');
        const heard = entries.flatMap((entry) => (entry.kind === 'steering' ? [entry.id] : []));
        expect([...heard].sort()).toEqual([...taken].sort());
        expect(await store.inbox('c', 'r')).toEqual([]);
        expect(linesOf(entries).slice(-2)).toEqual([expect.stringMatching(/^model: /), 'answered']);
        for (const { runs } of [first, next]) await runs.drain(0);
      },
    ),
    { numRuns: 60 },
  );
});
