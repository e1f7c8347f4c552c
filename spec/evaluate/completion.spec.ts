import {
  type ApplicationOptions,
  bind,
  Budget,
  type Constructor,
  createApplication,
  Deadline,
  definePrompt,
  defineSection,
  defineTool,
  type EvaluateOptions,
  type ModelRequest,
  Param,
  Session,
  ToolContext,
} from 'toolwright';
import {
  AllOf,
  type CompletionChecker,
  type CompletionVerdict,
  FileOutputChecker,
  type GuardrailOptions,
  type RunScope,
} from 'toolwright/policies';
import { Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { FakeClock, ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { PromptExecuted } from 'toolwright/events';

class Note {
  constructor(readonly text: string) {}
}

interface Pieces {
  readonly prompt?: GuardrailOptions['completion'];
  readonly section?: GuardrailOptions['completion'];
  readonly tools?: readonly Constructor[];
  readonly enabled?: boolean;
  readonly options?: Partial<ApplicationOptions>;
}

/** An application with one section, and ears on its log. */
async function deskOf({ prompt, section, tools, enabled, options }: Pieces) {
  const warnings: string[] = [];
  const logger = { debug() {}, info() {}, warn: (message: string) => void warnings.push(message), error() {} };
  const desk = defineSection({ key: 'desk', title: 'Desk', tools, enabled, completion: section });
  const type = definePrompt({ ns: 'spec', key: 'desk', sections: [desk], completion: prompt });
  const app = await createApplication({ prompts: [type], logger, ...options });
  const run = (script: readonly ScriptStep[], runOptions: Partial<EvaluateOptions> = {}) => {
    const adapter = new ScriptedModel(script);
    const response = app.evaluate(app.prompt(type), { adapter, ...runOptions });
    return Object.assign(response, { adapter });
  };
  return { app, type, warnings, run };
}

const answers = (...texts: readonly string[]): readonly ScriptStep[] => texts.map((text) => ({ text }));
const YES: CompletionVerdict = { complete: true };
const no = (feedback: string): CompletionVerdict => ({ complete: false, feedback });
const checkerOf = (check: CompletionChecker['check'], name = 'house'): CompletionChecker => ({ name, check });
/** Takes exactly the answers that it is given. */
const only = (...texts: readonly string[]): CompletionChecker =>
  checkerOf(({ text }) => (texts.includes(String(text)) ? YES : no(`Not ${String(text)}.`)));
/** The last message before the request. */
const lastOf = (request: ModelRequest | undefined) => request?.messages.at(-1);

describe('a final answer', () => {
  test('a final answer is taken at once without checkers, and when they find it complete', async () => {
    const none = await deskOf({});
    expect(await none.run(answers('Done.'))).toMatchObject({ text: 'Done.', turns: 1, complete: true });
    const one = await deskOf({ prompt: [only('Done.')] });
    expect(await one.run(answers('Done.'))).toMatchObject({ text: 'Done.', turns: 1, complete: true });
  });

  test('a refused answer continues as a conversation: the model reads why, and may call tools again', async () => {
    const written: string[] = [];
    const write = defineTool({
      name: 'write',
      description: 'Writes.',
      handler: () => void written.push('report'),
    });
    const checker = checkerOf(() => (written.length > 0 ? YES : no('The report is missing.')));
    const desk = await deskOf({ prompt: [checker], tools: [write] });
    const run = desk.run([{ text: 'Early.' }, { toolCalls: [{ name: 'write', arguments: {} }] }, { text: 'Now.' }]);
    const { transcript, ...response } = await run;
    expect(response).toMatchObject({ text: 'Now.', turns: 3, complete: true });
    expect(transcript.map(({ role }) => role)).toEqual([
      'system',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(transcript[2]?.content).toContain('The report is missing.');
    expect(lastOf(run.adapter.requests[1])).toEqual(transcript[2]);
    expect(desk.warnings).toEqual([]);
  });

  test('an answer is refused three times at most, then accepted as it is, which is logged and marked', async () => {
    const executed: PromptExecuted[] = [];
    const desk = await deskOf({ prompt: [only('never')] });
    desk.app.eventBus.subscribe(PromptExecuted, (event) => void executed.push(event));
    const response = await desk.run(answers('a', 'b', 'c', 'd', 'e'));
    expect(response).toMatchObject({ text: 'd', turns: 4, complete: false });
    expect(response.transcript.at(-1)).toEqual({ role: 'assistant', content: 'd' });
    expect(executed).toMatchObject([{ text: 'd', complete: false }]);
    expect(desk.warnings).toEqual(['An answer was taken although a completion checker refuses it']);
  });

  test.each([
    [0, 1],
    [1, 2],
    [5, 6],
    [-1, 1],
    [NaN, 1],
  ])('with maxRefusedAnswers %p, a refused answer takes %i requests', async (most, turns) => {
    const desk = await deskOf({ prompt: [only('never')] });
    const run = desk.run(answers('a', 'b', 'c', 'd', 'e', 'f', 'g'), { maxRefusedAnswers: most });
    expect(await run).toMatchObject({ turns, complete: false });
  });

  test('a final answer is taken when no request is left, rather than lost', async () => {
    const desk = await deskOf({ prompt: [only('never')] });
    expect(await desk.run(answers('a', 'b', 'c'), { maxTurns: 2 })).toMatchObject({ text: 'b', complete: false });
  });

  test('a final answer counts against budget and deadline like any other', async () => {
    const desk = await deskOf({ prompt: [only('never')] });
    const usage = { inputTokens: 10, outputTokens: 1 };
    const script = ['a', 'b', 'c'].map((text, index) => ({ text, usage: { ...usage, inputTokens: 10 * (index + 1) } }));
    const budget = new Budget({ maxInputTokens: 15 });
    await expect(desk.run(script, { budget })).rejects.toMatchObject({ code: 'E704', phase: 'budget' });

    const clock = new FakeClock();
    const late = checkerOf(() => {
      clock.advance(60_000);
      return no('More.');
    });
    const timed = await deskOf({ prompt: [late], options: { clock } });
    await expect(timed.run(answers('a', 'b'), { deadline: Deadline.in(30_000, clock) })).rejects.toMatchObject({
      code: 'E605',
      phase: 'request',
    });
  });

  test('a final answer may be null, and was given without any call', async () => {
    const seen: unknown[] = [];
    const desk = await deskOf({ prompt: [checkerOf((answer) => (seen.push(answer), YES))] });
    await desk.run([{}]);
    expect(seen).toEqual([{ text: null }]);
  });
});

describe('the checkers of a run', () => {
  test("the checkers of a run are the prompt's, the enabled sections', and the offered tools', in this order, each once", async () => {
    const asked: string[] = [];
    const named = (name: string) => checkerOf(() => (asked.push(name), YES), name);
    const shared = named('shared');
    const tool = defineTool({
      name: 'tool',
      description: 'A tool.',
      completion: [named('tool'), shared],
      handler: () => 'ok',
    });
    const desk = await deskOf({ prompt: [named('prompt'), shared], section: [named('section')], tools: [tool] });
    await desk.run(answers('Done.'));
    expect(asked).toEqual(['prompt', 'shared', 'section', 'tool']);
    const rendered = await desk.app.prompt(desk.type).render();
    expect(rendered.completion.map(({ name }) => name)).toEqual(asked);
    expect(Object.isFrozen(rendered.completion)).toBe(true);
  });

  test('the checkers of a disabled section and its tools are not asked', async () => {
    const never = only('never');
    const tool = defineTool({ name: 'tool', description: 'A tool.', completion: [never], handler: () => 'ok' });
    const desk = await deskOf({ section: [never], tools: [tool], enabled: false });
    expect(await desk.run(answers('Done.'))).toMatchObject({ complete: true });
  });

  test('the first refusal counts; no checker after it is asked', async () => {
    const third = jest.fn(() => YES);
    const desk = await deskOf({
      prompt: [checkerOf(() => YES), checkerOf(() => no('One.')), checkerOf(third)],
    });
    const run = desk.run(answers('a', 'b'), { maxRefusedAnswers: 1 });
    await run;
    expect(lastOf(run.adapter.requests[1])?.content).toContain('One.');
    expect(third).not.toHaveBeenCalled();
  });

  test('see the state after all calls, files included, and cannot change it', async () => {
    const session = new Session();
    class Words {
      @Param('Text') text!: string;
    }
    const write = defineTool({
      name: 'write',
      description: 'Writes.',
      params: Words,
      async handler({ text }, context: ToolContext) {
        context.session.dispatch(new Note(text));
        await context.filesystem?.write('out.md', text);
      },
    });
    const scopes: RunScope[] = [];
    const sees = checkerOf((_answer, scope) => {
      scopes.push(scope);
      const { prompt, deadline, signal } = scope;
      expect([prompt.ns, deadline, signal.aborted]).toEqual(['spec', null, false]);
      expect([scope.now(), scope.newId()]).toEqual([9_000, 'id']);
      return scope.session.slice(Note).all().length === 1 ? YES : no('No note.');
    });
    const greedy = checkerOf((_answer, scope) => {
      scope.session.dispatch(new Note('mine'));
      return YES;
    });
    const desk = await deskOf({
      prompt: [new AllOf(sees, new FileOutputChecker({ files: ['out.md'] })), greedy],
      tools: [write],
      options: {
        clock: new FakeClock(9_000),
        ids: () => 'id',
        resources: [bind(Filesystem, { value: new InMemoryFilesystem() })],
      },
    });
    const run = desk.run(
      [{ text: 'Early.' }, { toolCalls: [{ name: 'write', arguments: { text: 'x' } }] }, { text: 'Now.' }],
      { session, maxRefusedAnswers: 1 },
    );
    expect(await run).toMatchObject({ text: 'Now.', complete: false });
    expect(session.slice(Note).all()).toHaveLength(1);
    expect(desk.warnings[0]).toMatch(/^Completion checker house failed: /);
    expect(() => scopes[0]?.session.slice(Note).all()).toThrow(expect.objectContaining({ code: 'E602' }) as Error);
  });

  test('the checkers of a nested run are asked within the call, and see what it has done so far', async () => {
    const session = new Session();
    const seen: number[] = [];
    const inner = definePrompt({
      ns: 'spec',
      key: 'inner',
      sections: [defineSection({ key: 'in', title: 'In' })],
      completion: [
        checkerOf(
          (_answer, scope) => (seen.push(scope.session.slice(Note).all().length), seen.length > 1 ? YES : no('Again.')),
        ),
      ],
    });
    const delegate = defineTool({
      name: 'delegate',
      description: 'Asks another.',
      async handler(_params: unknown, context: ToolContext) {
        context.session.dispatch(new Note('begun'));
        const { text, complete } = (await context.run?.evaluate(desk.app.prompt(inner))) ?? {};
        return `${String(text)} ${String(complete)}`;
      },
    });
    const outer = definePrompt({
      ns: 'spec',
      key: 'outer',
      sections: [defineSection({ key: 'out', title: 'Out', tools: [delegate] })],
    });
    const desk = { app: await createApplication({ prompts: [inner, outer] }) };
    const adapter = new ScriptedModel([
      { toolCalls: [{ name: 'delegate', arguments: {} }] },
      { text: 'early' },
      { text: 'late' },
      ({ messages }) => ({ text: messages.at(-1)?.content ?? '' }),
    ]);
    expect(await desk.app.evaluate(desk.app.prompt(outer), { adapter, session })).toMatchObject({ text: 'late true' });
    expect(seen).toEqual([1, 1]);
  });
});

describe('a checker that fails', () => {
  test.each<[string, CompletionChecker['check']]>([
    [
      'throws',
      () => {
        throw new Error('key k4711');
      },
    ],
    ['rejects', () => Promise.reject(new Error('key k4711'))],
    ['gives nothing', () => undefined as never],
    ['gives true', () => true as never],
    ['refuses without words', () => no('')],
  ])(
    'a checker that fails and %s refuses in neutral words, and is logged; the bound keeps the run finite',
    async (_how, check) => {
      const desk = await deskOf({ prompt: [checkerOf(check)] });
      const run = desk.run(answers('a', 'b', 'c', 'd'));
      expect(await run).toMatchObject({ turns: 4, complete: false });
      const told = lastOf(run.adapter.requests[1])?.content;
      expect(told).toContain('could not be checked');
      expect(told).not.toContain('k4711');
      expect(desk.warnings.filter((message) => message.startsWith('Completion checker house failed: '))).toHaveLength(
        4,
      );
    },
  );

  test('a checker that hangs is abandoned after a minute', async () => {
    jest.useFakeTimers();
    try {
      const signals: AbortSignal[] = [];
      const hangs = checkerOf((_answer, { signal }) => (signals.push(signal), new Promise<never>(() => undefined)));
      const desk = await deskOf({ prompt: [hangs] });
      const run = desk.run(answers('a', 'b'), { maxRefusedAnswers: 0 });
      await jest.advanceTimersByTimeAsync(60_000);
      expect(await run).toMatchObject({ text: 'a', complete: false });
      expect(signals[0]?.aborted).toBe(true);
      expect(desk.warnings[0]).toMatch(/^Completion checker house failed: it was stopped/);
    } finally {
      jest.useRealTimers();
    }
  });

  test('a checker that hangs is abandoned when the caller aborts, with the reason of the caller', async () => {
    const caller = new AbortController();
    const reason = new Error('enough');
    const hangs = checkerOf(() => {
      caller.abort(reason);
      return new Promise<never>(() => undefined);
    });
    const desk = await deskOf({ prompt: [hangs] });
    await expect(desk.run(answers('a'), { signal: caller.signal })).rejects.toBe(reason);
  });
});
