import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  Param,
  Reducer,
  Session,
  SliceOps,
  type Application,
  type BoundPrompt,
  type EvaluateOptions,
  type SliceOp,
} from 'toolwright';
import { recordBundle } from 'toolwright/bundles';
import { Conversation } from 'toolwright/conversations';
import { ToolInvoked } from 'toolwright/events';
import { InMemoryFilesystem } from 'toolwright/resources';
import { Plan, PlanningSection, WorkspaceSection } from 'toolwright/sections';
import { ScriptedModel, type ScriptedTurn } from 'toolwright/testing';
import { programs } from '@toolwright/programs';
import { checkRuns } from '../../src/against/checkRuns';
import { call } from '../support/recordedRuns';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-against-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

class Note {
  @Field({ type: String }) readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
class TextParams {
  @Param({ description: 'Text', type: String }) text!: string;
}
class SecretParams {
  @Param({ description: 'PIN', type: String, secret: true, pattern: '^[0-9]{4}$' }) pin!: string;
}
const sent: string[] = [];
const outside = defineTool({
  name: 'send',
  description: 'Sends a text.',
  params: TextParams,
  handler: ({ text }, { session }) => {
    sent.push(text);
    session.dispatch(new Note(`sent ${text}`));
    return `Sent ${text}.`;
  },
});
const inside = { openWorld: false };

/** A section that the model has to open. */
const closed = defineSection({
  key: 'closed',
  title: 'Closed',
  template: 'More.',
  visibility: 'summary',
  summary: 'Less.',
  tools: [defineTool({ name: 'inner', description: 'I.', hints: inside, handler: () => 'in' })],
});

interface Loaded {
  readonly app: Application;
  readonly prompt: BoundPrompt;
  readonly session: () => Promise<Session>;
}

type PromptDefinition = ReturnType<typeof definePrompt>;
type Options = Omit<Parameters<typeof createApplication>[0], 'prompts'>;

async function load(prompt: PromptDefinition, options: Options = {}): Promise<Loaded> {
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const app = await createApplication({ prompts: [prompt], logger, ...options });
  const session = () => Promise.resolve(new Session({ slices: [Note, Plan] }));
  return { app, prompt: app.prompt(prompt), session };
}

const user = (content: string) => [{ role: 'user', content }] as const;

/** Records runs in one bundle, and replays them with the same application in another process, which is another instance here. */
async function checkAgain(
  recorded: Loaded,
  again: Loaded,
  record: (
    evaluate: (turns: readonly ScriptedTurn[], options?: Partial<EvaluateOptions>) => Promise<unknown>,
  ) => Promise<unknown>,
) {
  const recording = recordBundle(recorded.app);
  await record((turns, options = {}) =>
    recorded.app.evaluate(recorded.prompt, {
      messages: user('Go'),
      ...options,
      adapter: new ScriptedModel([...turns, { text: 'Done.' }]),
    }),
  );
  recording.stop();
  writeFileSync(join(folder, 'a.jsonl'), recording.text());
  sent.length = 0;
  const { runs, problems } = await checkRuns(again, ['a.jsonl'], folder, { concurrency: 2, timeoutMs: 5_000 });
  expect(sent).toEqual([]);
  return { changes: runs.flatMap(({ changes }) => changes), problems, runs };
}

/** Expects that an application without edits changes none of the runs, and returns the tools that were answered from the record. */
async function expectSame(
  prompt: PromptDefinition,
  record: Parameters<typeof checkAgain>[2],
  options?: Options,
): Promise<readonly string[]> {
  const { changes, problems, runs } = await checkAgain(
    await load(prompt, options),
    await load(prompt, options),
    record,
  );
  expect({ changes, problems }).toEqual({ changes: [], problems: [] });
  expect(runs.length).toBeGreaterThan(0);
  return runs.flatMap(({ fromRecord }) => fromRecord);
}

const desk = (tools: readonly ReturnType<typeof defineTool>[], more: object = {}) =>
  definePrompt({
    ns: 'n',
    key: 'desk',
    sections: [defineSection({ key: 's', title: 'S', template: 'T.', tools })],
    ...more,
  });

describe('a replay without edits', () => {
  test('two runs of a conversation with one session are the same', async () => {
    const note = defineTool({
      name: 'note',
      description: 'Notes.',
      params: TextParams,
      hints: inside,
      handler: ({ text }, { session }) => {
        session.dispatch(new Note(text));
        return `${String(session.slice(Note).all().length)} notes`;
      },
    });
    const session = new Session({ slices: [Note] });
    const conversation = new Conversation();
    const answered = await expectSame(desk([note]), async (evaluate) => {
      await evaluate([call('note', { text: 'a' })], { session, conversation });
      await evaluate([call('note', { text: 'b' }), call('note', { text: 'c' })], { session, conversation });
    });
    expect(answered).toEqual([]);
  });

  test('state that a call from the record has written is there for later calls', async () => {
    const count = defineTool({
      name: 'count',
      description: 'Counts.',
      hints: { readOnly: true },
      handler: (_params, { session }) => String(session.slice(Note).all().length),
    });
    const answered = await expectSame(desk([outside, count]), (evaluate) =>
      evaluate([call('send', { text: 'a' }), call('count'), call('send', { text: 'b' }), call('count')], {
        session: new Session({ slices: [Note] }),
      }),
    );
    expect(answered).toEqual(['send']);
  });

  test('a tool that reads outside is answered from the record, even if it changes nothing', async () => {
    let count = 0;
    const weather = defineTool({
      name: 'weather',
      description: 'W.',
      hints: { readOnly: true, openWorld: true },
      handler: () => String(++count),
    });
    expect(await expectSame(desk([weather]), (evaluate) => evaluate([call('weather')]))).toEqual(['weather']);
    expect(count).toBe(1);
  });

  test('state that counts calls is the same, also for calls from the record', async () => {
    class Calls {
      @Field({ type: [String] }) readonly kinds: readonly string[];
      constructor(kinds: readonly string[] = []) {
        this.kinds = kinds;
      }
      @Reducer(() => ToolInvoked)
      count({ name, kind }: ToolInvoked): SliceOp<Calls> {
        return SliceOps.replace(new Calls([...this.kinds, `${name} ${kind}`]));
      }
    }
    const slices = [Note, Calls];
    const ok = defineTool({ name: 'ok', description: 'O.', hints: inside, handler: () => 'ok' });
    const again = { ...(await load(desk([outside, ok]))), session: () => Promise.resolve(new Session({ slices })) };
    const session = new Session({ slices });
    const { changes, problems } = await checkAgain(await load(desk([outside, ok])), again, (evaluate) =>
      evaluate([call('ok'), call('send', { text: 'a' }), call('ok')], { session }),
    );
    expect({ changes, problems }).toEqual({ changes: [], problems: [] });
    expect(session.slice(Calls).latest()?.kinds).toEqual(['ok succeeded', 'send succeeded', 'ok succeeded']);
  });

  test('structured answers, and feedback that counts the calls of earlier runs, are the same', async () => {
    class Verdict {
      @Field({ type: String }) text!: string;
    }
    const ok = defineTool({ name: 'ok', description: 'O.', hints: inside, handler: () => 'ok' });
    const session = new Session();
    const prompt = desk([ok], {
      feedback: [{ name: 'slow', trigger: { everyCalls: 2 }, provide: () => 'Slow down.' }],
    });
    await expectSame(prompt, async (evaluate) => {
      for (let times = 0; times < 2; times++) await evaluate([call('ok')], { session });
      await evaluate([call('ok'), { text: '{"text":"good"}' }], { output: Verdict, session: new Session() });
    });
    expect(readFileSync(join(folder, 'a.jsonl'), 'utf8')).toContain('[Guidance: Slow down.]');
  });

  test('sections that were opened, plans and files are the same', async () => {
    const prompt = definePrompt({ ns: 'n', key: 'desk', sections: [closed, PlanningSection, WorkspaceSection] });
    await expectSame(
      prompt,
      (evaluate) =>
        evaluate(
          [
            call('open_sections', { section_keys: ['closed'], reason: 'Needed.' }),
            call('inner'),
            call('planning_setup_plan', { objective: 'Ship', steps: ['Test', 'Write'] }),
            call('planning_update_step', { step_id: 1, status: 'done' }),
            call('workspace_write_file', { path: 'a.txt', content: 'hello' }),
            call('workspace_read_file', { path: 'a.txt' }),
          ],
          { session: new Session({ slices: [Plan] }) },
        ),
      { resources: [bind(InMemoryFilesystem, { provide: () => new InMemoryFilesystem() })] },
    );
  });

  test('a run after one of its conversation that opened a section is the same', async () => {
    const prompt = definePrompt({ ns: 'n', key: 'desk', sections: [closed] });
    const shared = { session: new Session(), conversation: new Conversation() };
    await expectSame(prompt, async (evaluate) => {
      await evaluate([call('open_sections', { section_keys: ['closed'], reason: 'Needed.' })], shared);
      await evaluate([call('inner')], shared);
      await evaluate([call('inner')], shared);
    });
  });

  test('E968 params that the prompt does not take any more are a problem', async () => {
    class Tier {
      @Param({ description: 'Tier', type: String }) tier = 'silver';
    }
    const before = await load(
      definePrompt({
        ns: 'n',
        key: 'desk',
        sections: [defineSection({ key: 's', title: 'S', template: 'For ${tier}.', params: Tier })],
      }),
    );
    const bound = { ...before, prompt: before.prompt.bind(Tier, { tier: 'gold' }) };
    const again = await load(
      definePrompt({ ns: 'n', key: 'desk', sections: [defineSection({ key: 's', title: 'S', template: 'For all.' })] }),
    );
    const { problems } = await checkAgain(bound, again, (evaluate) => evaluate([]));
    expect(problems).toMatchObject([
      { code: 'E968', level: 'error', message: 'no section takes the recorded params Tier', file: 'a.jsonl' },
    ]);
  });

  test('approved and denied calls, unknown tools and refused arguments are the same', async () => {
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      params: TextParams,
      hints: inside,
      requiresApproval: true,
      handler: ({ text }) => `Paid ${text}.`,
    });
    const approve = ({ params }: { readonly params: unknown }) =>
      (params as TextParams).text === 'much' ? { kind: 'denied', reason: 'Too much.' } : { kind: 'approved' };
    await expectSame(
      desk([pay]),
      (evaluate) =>
        evaluate([
          call('pay', { text: 'much' }),
          call('pay', { text: 'little' }),
          call('lost'),
          call('pay', { amount: 1 }),
        ]),
      { approver: { approve } as never },
    );
  });

  test('failures with masked errors are the same', async () => {
    const fail = defineTool({
      name: 'fail',
      description: 'Fails.',
      hints: inside,
      handler: () => {
        throw new RangeError('no database');
      },
    });
    await expectSame(desk([fail]), (evaluate) => evaluate([call('fail')]), { maskErrors: true });
  });

  test('a call with a secret, and one whose handler calls a tool that acts outside, are answered from the record', async () => {
    const pin = defineTool({
      name: 'pin',
      description: 'P.',
      params: SecretParams,
      hints: inside,
      handler: () => 'ok',
    });
    const both = defineTool({
      name: 'both',
      description: 'B.',
      hints: inside,
      handler: async (_params, context) => {
        const { text } = await context.callTool({ id: 'x', name: 'send', arguments: { text: 'nested' } });
        return `Both: ${text}`;
      },
    });
    const answered = await expectSame(desk([pin, both, outside]), (evaluate) =>
      evaluate([call('pin', { pin: '1234' }), call('both')]),
    );
    expect(answered).toEqual(['pin', 'both']);
  });

  test('programs are the same, and those that call a tool that acts outside are answered from the record', async () => {
    const add = defineTool({ name: 'add', description: 'Adds.', hints: inside, handler: () => 2 });
    const prompt = desk([add, outside], { extensions: [programs()] });
    const answered = await expectSame(prompt, (evaluate) =>
      evaluate([
        call('execute_program', { code: 'return (await add({})) + 1;' }),
        call('execute_program', { code: "return await send({ text: 'p' });" }),
      ]),
    );
    expect(answered).toEqual(['execute_program']);
  }, 60_000);

  test('calls of one turn, inside and outside, are the same', async () => {
    const wait = defineTool({
      name: 'wait',
      description: 'W.',
      params: TextParams,
      hints: inside,
      handler: async ({ text }, { session }) => {
        await new Promise((resolve) => setImmediate(resolve));
        session.dispatch(new Note(text));
        return text;
      },
    });
    const names = ['wait', 'send', 'wait', 'wait', 'send'];
    const toolCalls = names.map((name, index) => ({ name, arguments: { text: String(index) } }));
    const answered = await expectSame(desk([wait, outside]), (evaluate) =>
      evaluate([{ toolCalls }], { session: new Session({ slices: [Note] }) }),
    );
    expect(answered).toEqual(['send']);
  });

  test('a call that starts a run of another prompt is answered from the record, because a model would be asked', async () => {
    const ask = defineTool({
      name: 'ask',
      description: 'Asks.',
      hints: inside,
      handler: async (_params, { prompt, run }) =>
        (await run?.evaluate(prompt, { messages: user('Inner') }))?.text ?? 'nothing',
    });
    const answered = await expectSame(desk([ask]), (evaluate) => evaluate([call('ask'), { text: 'Inner answer.' }]));
    expect(answered).toEqual(['ask']);
  });

  test('a parked run and its continuation are the same up to the question', async () => {
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      hints: inside,
      requiresApproval: true,
      handler: () => 'Paid.',
    });
    const conversation = new Conversation();
    await expectSame(
      desk([pay]),
      async (evaluate) => {
        await expect(evaluate([call('pay')], { conversation })).rejects.toThrow('approval');
        const [question] = conversation.questions;
        await conversation.reply(question?.id ?? '', { kind: 'approved', by: 'ada' });
        await evaluate([], { conversation, messages: undefined });
      },
      { approver: { approve: () => ({ kind: 'later' }) } },
    );
  });

  test('a run that was cancelled is a note, because its messages are not in the record', async () => {
    const stop = new AbortController();
    const cancel = defineTool({
      name: 'cancel',
      description: 'C.',
      hints: inside,
      handler: () => {
        stop.abort();
        return 'stopped';
      },
    });
    const record: Parameters<typeof checkAgain>[2] = async (evaluate) => {
      await expect(evaluate([call('cancel')], { signal: stop.signal })).rejects.toThrow();
    };
    const { problems, runs } = await checkAgain(await load(desk([cancel])), await load(desk([cancel])), record);
    expect(runs).toEqual([]);
    expect(problems).toMatchObject([{ code: 'E752', level: 'note', file: 'a.jsonl', line: 3 }]);
  });

  test('E806 state that cannot be restored any more is a problem', async () => {
    const note = defineTool({ name: 'note', description: 'N.', hints: inside, handler: () => 'noted' });
    const again = await load(desk([note]));
    const renamed = {
      ...again,
      session: () => Promise.resolve(new Session({ slices: [{ type: Note, name: 'notes' }] })),
    };
    const session = new Session({ slices: [Note] });
    session.dispatch(new Note('before'));
    const { problems } = await checkAgain(await load(desk([note])), renamed, (evaluate) => evaluate([], { session }));
    expect(problems).toMatchObject([
      { code: 'E806', level: 'error', message: expect.stringContaining('Note') as string },
    ]);
  });
});
