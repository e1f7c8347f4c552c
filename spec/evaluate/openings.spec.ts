import {
  type Application,
  type BoundPrompt,
  Budget,
  BudgetTracker,
  type Constructor,
  createApplication,
  Deadline,
  definePrompt,
  defineSection,
  defineTool,
  type EvaluateOptions,
  type ModelRequest,
  Param,
  type PromptResponse,
  type SectionOptions,
  Session,
  type ToolContext,
  VisibilityExpansionRequired,
} from 'toolwright';
import { Conversation, VisibilityOverrides } from 'toolwright/conversations';
import { FakeClock, ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { PromptRendered, SectionsRequested, ToolInvoked } from 'toolwright/events';
import { rejection } from './desk.js';
import { logOf, reopened } from '../support/reopened';
import { silent } from '../support/silent';

class Note {
  constructor(readonly text: string) {}
}
class Secret {
  @Param({ description: 'PIN', secret: true }) pin = '';
}
const policyTransaction = (name: string): Constructor =>
  defineTool({
    name,
    description: 'Notes.',
    params: Secret,
    handler: (_params, context) => {
      context.session.dispatch(new Note(name));
      return `${name} noted`;
    },
  });
const closed = (key: string, options: Partial<SectionOptions> = {}): Constructor =>
  defineSection({
    title: key.toUpperCase(),
    summary: 'Short.',
    visibility: 'summary',
    template: `Long ${key}.`,
    ...options,
    key,
  });
const opening = (...keys: readonly string[]): { readonly name: string; readonly arguments: object } => ({
  name: 'open_sections',
  arguments: { section_keys: keys, reason: 'to work' },
});
const calls = (...toolCalls: readonly { readonly name: string; readonly arguments: object }[]): ScriptStep =>
  ({ toolCalls }) as ScriptStep;
const done: ScriptStep = { text: 'Done.' };

async function desk(...more: readonly Constructor[]): Promise<{
  readonly app: Application;
  readonly prompt: BoundPrompt;
  readonly session: Session;
  readonly events: object[];
  readonly run: (
    script: readonly ScriptStep[],
    options?: Partial<EvaluateOptions>,
  ) => Promise<[PromptResponse, ScriptedModel]>;
}> {
  const sections = [
    defineSection({ key: 'a', title: 'A', template: 'Open.', tools: [policyTransaction('ta')] }),
    closed('b', { tools: [policyTransaction('tb')], children: [closed('c', { tools: [policyTransaction('tc')] })] }),
    closed('d'),
    ...more,
  ];
  const type = definePrompt({ ns: 'n', key: 'k', heading: 'plain', sections });
  const app = await createApplication({ prompts: [type], logger: silent });
  const prompt = app.prompt(type);
  const session = new Session({ slices: [Note] });
  const events: object[] = [];
  const run = async (
    script: readonly ScriptStep[],
    options: Partial<EvaluateOptions> = {},
  ): Promise<[PromptResponse, ScriptedModel]> => {
    const adapter = new ScriptedModel(script);
    const response = await app.evaluate(prompt, {
      adapter,
      session,
      onEvent: (event: object) => events.push(event),
      ...options,
    });
    return [response, adapter];
  };
  return { app, prompt, session, events, run };
}
const toolsOf = ({ toolSchemas }: ModelRequest): readonly string[] =>
  toolSchemas('json-schema').map(({ name }) => name);
const notesOf = (session: Session): readonly string[] =>
  session
    .slice(Note)
    .all()
    .map(({ text }) => text);
const answersIn = ({ messages }: ModelRequest): readonly string[] =>
  messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));

describe("expansions: 'apply'", () => {
  test('an applied expansion opens in the same conversation: the answer is the text, later calls wait, earlier ones are not repeated', async () => {
    const { run, session, events } = await desk();
    const [response, { requests }] = await run([
      calls({ name: 'ta', arguments: {} }, opening('b', 'd'), { name: 'ta', arguments: { pin: '1' } }),
      calls({ name: 'tb', arguments: { pin: 'k4711' } }),
      done,
    ]);
    expect(response.text).toBe('Done.');
    expect(notesOf(session)).toEqual(['ta', 'tb']);
    expect(session.slice(VisibilityOverrides).latest()?.overrides).toEqual({ b: 'full', d: 'full' });
    expect(requests.map(toolsOf)).toEqual([
      ['ta', 'open_sections'],
      ['ta', 'tb', 'open_sections'],
      ['ta', 'tb', 'open_sections'],
    ]);
    const [first, second, third] = requests.map(({ messages }) => messages);
    expect(second?.slice(0, first?.length)).toEqual(first);
    expect(third?.slice(0, second?.length)).toEqual(second);
    const [, opened = '', waiting = ''] = answersIn(requests[1] as ModelRequest);
    expect(opened).toContain('## B\n\nLong b.\n\n### C\n\nShort.');
    expect(opened).toContain('## D\n\nLong d.');
    expect(opened).toContain('Tools that can be called now as well: tb.');
    expect(waiting).toContain('ta was not started');
    const results = second?.flatMap((message) => (message.role === 'tool' ? [message.failed] : []));
    expect(results).toEqual([false, false, true]);
    expect(events.filter((event) => event instanceof PromptRendered)).toHaveLength(2);
    expect(events.filter((event) => event instanceof SectionsRequested)).toHaveLength(1);
    expect(events.find((event) => event instanceof ToolInvoked && event.kind === 'expanded')).toMatchObject({
      toolMessage: opened,
      result: { success: true },
      expansion: { sections: ['b', 'd'], reason: 'to work' },
    });
    expect(JSON.stringify(response.transcript)).not.toContain('k4711');
  });

  test('an expansion is applied once: shown once, counted once, and refused when it is asked for again', async () => {
    const { run, session } = await desk();
    const budget = new BudgetTracker(new Budget({ maxExpansions: 2, maxOpenedSections: 2 }));
    const [{ transcript }, { requests }] = await run(
      [calls(opening('b')), calls(opening('b')), calls(opening('d')), done],
      {
        budget,
      },
    );
    expect(transcript[0]?.content).not.toContain('Long b.');
    expect(JSON.stringify(requests[3]?.messages).split('Long b.')).toHaveLength(2);
    expect(answersIn(requests[2] as ModelRequest)[1]).toContain('open already');
    expect(budget.limits).toMatchObject([
      { dimension: 'expansions', used: 2 },
      { dimension: 'opened_sections', used: 2 },
    ]);
    expect(session.slice(VisibilityOverrides).latest()?.overrides).toEqual({ b: 'full', d: 'full' });
  });

  test('effects from before an expansion are not repeated after it', async () => {
    const { run, session, events } = await desk();
    await run([
      calls({ name: 'ta', arguments: {} }, opening('b')),
      calls({ name: 'tb', arguments: {} }, opening('d')),
      done,
    ]);
    expect(notesOf(session)).toEqual(['ta', 'tb']);
    expect(events.filter((event) => event instanceof ToolInvoked && event.kind === 'succeeded')).toHaveLength(2);
  });

  test('a model that asks for sections for ever comes to an end', async () => {
    const { run } = await desk();
    const script = Array.from({ length: 20 }, (_, index) => calls(opening(index % 2 === 0 ? 'b' : 'no_such')));
    expect(await rejection(run(script, { maxTurns: 20 }))).toMatchObject({ phase: 'budget' });
  });

  test('a later run of the session finds the sections open', async () => {
    const { run } = await desk();
    await run([calls(opening('d')), done]);
    const [, { requests }] = await run([done]);
    expect(requests[0]?.messages[0]?.content).toContain('Long d.');
  });

  test('a closed child is opened after its parent', async () => {
    const { run, session } = await desk();
    const [, { requests }] = await run([
      calls(opening('b.c')),
      calls(opening('b')),
      calls(opening('b.c')),
      calls({ name: 'tc', arguments: {} }),
      done,
    ]);
    expect(answersIn(requests[1] as ModelRequest)[0]).toContain('open "b" first');
    expect(answersIn(requests[3] as ModelRequest)[2]).toContain('### C\n\nLong c.');
    expect(notesOf(session)).toEqual(['tc']);
  });

  test('the budget limits how often and how many; the model reads so, and the run continues', async () => {
    for (const limits of [{ maxExpansions: 1 }, { maxOpenedSections: 1 }]) {
      const { run, session } = await desk();
      const [response, { requests }] = await run([calls(opening('b')), calls(opening('d')), done], {
        budget: new Budget(limits),
      });
      expect(response.text).toBe('Done.');
      expect(answersIn(requests[2] as ModelRequest)[1]).toContain('Nothing was opened: this run allows 1');
      expect(session.slice(VisibilityOverrides).latest()?.overrides).toEqual({ b: 'full' });
      expect(JSON.stringify(response.transcript)).not.toContain('Limits of this run');
    }
  });

  test('a run without a budget opens eight times', async () => {
    const keys = Array.from({ length: 9 }, (_, index) => `s${String(index)}`);
    const { run, session } = await desk(...keys.map((key) => closed(key)));
    await run([...keys.map((key) => calls(opening(key))), done]);
    expect(Object.keys(session.slice(VisibilityOverrides).latest()?.overrides ?? {})).toHaveLength(8);
  });

  test('a section that cannot be rendered stays closed, and the model reads so', async () => {
    const { run, session } = await desk(closed('x', { renderBody: () => Promise.reject(new TypeError('no body')) }));
    const [response, { requests }] = await run([calls(opening('x')), done]);
    expect(response.text).toBe('Done.');
    expect(answersIn(requests[1] as ModelRequest)[0]).toContain('Nothing was opened');
    expect(session.slice(VisibilityOverrides).latest()).toBeUndefined();
  });

  test('a section whose hooks hang is waited for until the deadline, and the error says when it passed', async () => {
    const { run } = await desk(closed('x', { renderBody: () => new Promise<string>(() => undefined) }));
    const clock = new FakeClock();
    const deadline = Deadline.in(1_000, clock);
    clock.advance(900);
    expect(await rejection(run([calls(opening('x')), done], { deadline }))).toMatchObject({
      code: 'E605',
      message: expect.stringContaining('The deadline passed while open_sections was running.') as string,
    });
  });

  test.each(['z', 'a', 'b.c', 'constructor'])(
    'a request that opens nothing of the prompt propagates: %s',
    async (key) => {
      const request = new VisibilityExpansionRequired({
        sectionKeys: [key],
        reason: 'r',
        requestedOverrides: { [key]: 'full' },
      });
      const asking = defineTool({
        name: 'asking',
        description: 'Asks.',
        handler: () => {
          throw request;
        },
      });
      const { run } = await desk(defineSection({ key: 'own', title: 'Own', tools: [asking] }));
      expect(await rejection(run([calls({ name: 'asking', arguments: {} })]))).toBe(request);
    },
  );

  test('a given rendering is rendered again for the session of the run', async () => {
    const { app, prompt, session } = await desk();
    const adapter = new ScriptedModel([calls(opening('d')), done]);
    await app.evaluate(await prompt.render({ visibilityOverrides: { b: 'full' } }), { adapter, session });
    expect(adapter.requests.map(toolsOf)).toEqual([
      ['ta', 'tb', 'open_sections'],
      ['ta', 'tb', 'open_sections'],
    ]);
    expect(answersIn(adapter.requests[1] as ModelRequest)[0]).toContain('Long d.');
  });
});

describe("expansions: 'throw'", () => {
  test('the caller merges what was asked for, and renders again', async () => {
    const { app, prompt, session } = await desk();
    let visibilityOverrides = {};
    const adapter = new ScriptedModel([calls(opening('b')), done]);
    let rounds = 0;
    for (;;) {
      rounds++;
      try {
        const rendered = await prompt.render({ session, visibilityOverrides });
        await app.evaluate(rendered, { adapter, session, expansions: 'throw' });
        break;
      } catch (error) {
        if (!(error instanceof VisibilityExpansionRequired)) throw error;
        visibilityOverrides = { ...visibilityOverrides, ...error.requestedOverrides };
      }
    }
    expect(rounds).toBe(2);
    expect(adapter.requests[1]?.messages[0]?.content).toContain('Long b.');
    expect(session.slice(VisibilityOverrides).latest()).toBeUndefined();
  });
});

describe('a run that is continued', () => {
  test('a continued run has the same sections open, and counts them, wherever its process died', async () => {
    const script = [
      calls({ name: 'ta', arguments: {} }, opening('b'), { name: 'ta', arguments: {} }),
      calls({ name: 'tb', arguments: {} }),
      done,
    ];
    const whole = await desk();
    const conversation = new Conversation();
    const budget = new Budget({ maxExpansions: 1 });
    const [expected] = await whole.run(script, { conversation, budget });
    const entries = logOf(conversation);
    const spoken = entries.map((entry) => entry.kind === 'outcome' && entry.spoke !== undefined);
    expect(spoken).not.toContain(true);
    // The first entries come before the run has begun.
    const begins = entries.findIndex(({ kind }) => kind === 'run') + 1;
    for (let length = begins; length < entries.length; length++) {
      const again = await desk();
      const answered = entries.slice(0, length).filter(({ kind }) => kind === 'answer').length;
      const [response] = await again.run(script.slice(answered), {
        conversation: reopened(conversation, length),
        onUnknown: 'repeat',
        budget,
      });
      expect(response.transcript.map(({ role, content }) => [role, content])).toEqual(
        expected.transcript.map(({ role, content }) => [role, content]),
      );
      expect(notesOf(again.session)).toEqual(['ta', 'tb']);
      expect(again.session.slice(VisibilityOverrides).latest()?.overrides).toEqual({ b: 'full' });
    }
  });
});

test('a continued run may leave openings to its caller from then on', async () => {
  const conversation = new Conversation();
  await (await desk()).run([calls(opening('b')), done], { conversation });
  const opened = logOf(conversation).findIndex(({ kind }) => kind === 'outcome') + 1;
  const again = await desk();
  const [response] = await again.run([done], {
    conversation: reopened(conversation, opened),
    expansions: 'throw',
  });
  expect(response.text).toBe('Done.');
});

describe('a run within a handler', () => {
  test('a run within a handler opens sections of its own prompt in the transaction of the call', async () => {
    const inner = definePrompt({
      ns: 'n',
      key: 'inner',
      sections: [closed('i', { tools: [policyTransaction('ti')] })],
    });
    const prompts: { inner?: BoundPrompt } = {};
    const ask = (fails: boolean): Constructor =>
      defineTool({
        name: fails ? 'ask_in_vain' : 'ask',
        description: 'Asks.',
        handler: async (_params: unknown, { run: adapter }: ToolContext) => {
          const { text } = (await adapter?.evaluate(prompts.inner as BoundPrompt)) ?? { text: '' };
          if (fails) throw new TypeError('no');
          return text;
        },
      });
    const outer = definePrompt({
      ns: 'n',
      key: 'outer',
      sections: [defineSection({ key: 'o', title: 'O', tools: [ask(true), ask(false)] })],
    });
    const app = await createApplication({ prompts: [inner, outer], logger: silent });
    prompts.inner = app.prompt(inner);
    const session = new Session();
    const asking = (name: string): readonly ScriptStep[] => [
      calls({ name, arguments: {} }),
      calls(opening('i')),
      calls({ name: 'ti', arguments: {} }),
      done,
    ];
    const adapter = new ScriptedModel([...asking('ask_in_vain'), done]);
    await app.evaluate(app.prompt(outer), { adapter, session });
    expect(session.slice(VisibilityOverrides).latest()).toBeUndefined();
    await app.evaluate(app.prompt(outer), { adapter: new ScriptedModel([...asking('ask'), done]), session });
    expect(session.slice(VisibilityOverrides).latest()?.overrides).toEqual({ i: 'full' });
    expect(notesOf(session)).toEqual(['ti']);
  });
});
