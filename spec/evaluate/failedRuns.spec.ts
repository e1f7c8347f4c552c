import {
  type ApplicationOptions,
  Budget,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type EvaluateOptions,
  Field,
  type Message,
  type ModelAdapter,
  OutputParseError,
  Param,
  type RunEvent,
  Session,
  type ToolContext,
  ToolwrightError,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { PromptStopped } from 'toolwright/events';
import { Note, rejection } from '../dispatch/desk.js';
import { silent } from '../support/silent.js';

class Login {
  @Param({ description: 'Password', secret: true }) password!: string;
}

const note = defineTool({
  name: 'note',
  description: 'Notes.',
  handler: (_params: unknown, { session }: ToolContext) => session.dispatch(new Note('x')),
});
const login = defineTool({ name: 'login', description: 'Logs in.', params: Login, handler: () => 'as Ada' });

const usage = { inputTokens: 10, outputTokens: 1, totalTokens: 11 };
const callOfNote = { toolCalls: [{ name: 'note', arguments: {} }], usage };
const NOTED: readonly Message['role'][] = ['system', 'user', 'assistant', 'tool'];

interface Ask extends Partial<EvaluateOptions> {
  readonly script: readonly ScriptStep[];
  readonly tools?: readonly ReturnType<typeof defineTool>[];
  readonly app?: Partial<ApplicationOptions>;
}

/** Runs a script that ends in an error, and returns it with the events of the run. */
async function stoppedRun({ script, tools = [note, login], app: more, ...options }: Ask) {
  const Desk = definePrompt({ ns: 'a', key: 'b', sections: [defineSection({ key: 's', title: 'S', tools })] });
  const app = await createApplication({ prompts: [Desk], logger: silent, ...more });
  const session = options.session ?? new Session({ slices: [Note] });
  const events: RunEvent[] = [];
  const error = await rejection(
    app.evaluate(app.prompt(Desk), {
      adapter: new ScriptedModel(script),
      messages: [{ role: 'user', content: 'Note it.' }],
      onEvent: (event) => void events.push(event),
      ...options,
      session,
    }),
  );
  const [stopped, ...others] = events.filter((event): event is PromptStopped => event instanceof PromptStopped);
  expect(others).toEqual([]);
  return { error, session, stopped };
}

/** Runs such a script, and returns its error, which has to be one of Toolwright. */
async function stoppedBy(ask: Ask) {
  const { error, ...rest } = await stoppedRun(ask);
  if (!(error instanceof ToolwrightError)) throw new Error('an error of Toolwright was expected', { cause: error });
  return { error, ...rest };
}

const rolesOf = (transcript: readonly Message[] | undefined) => transcript?.map(({ role }) => role);

describe('TRACE-13a the error that ends a run says what was said, what it cost, and which state the session has', () => {
  test('E701, too many requests, has the response, the cost and the state of the session', async () => {
    const { error, session, stopped } = await stoppedBy({ script: [callOfNote, callOfNote], maxTurns: 2 });
    expect(error).toMatchObject({ code: 'E701', usage: { inputTokens: 20, outputTokens: 2, totalTokens: 22 } });
    expect(rolesOf(error.transcript)).toEqual([...NOTED, 'user', 'assistant', 'tool']);
    expect(error.sessionVersion).toBe(session.version);
    expect(stopped).toMatchObject({ prompt: 'a/b', turns: 2, usage: error.usage, error });
    expect(stopped?.transcript).toEqual(error.transcript);
    expect(stopped?.sessionVersion).toBe(session.version);
  });

  test('a run that ends before its first request: PromptStopped, once, with nothing said yet', async () => {
    const Closed = definePrompt({
      ns: 'a',
      key: 'closed',
      sections: [defineSection({ key: 's', title: 'S', enabled: () => Promise.reject(new RangeError('no flags')) })],
    });
    const app = await createApplication({ prompts: [Closed], logger: silent });
    const adapter = new ScriptedModel([{ text: 'never' }]);
    for (const conversation of [undefined, new Conversation()]) {
      const heard: RunEvent[] = [];
      const onEvent = (event: RunEvent): void => void heard.push(event);
      const session = new Session();
      const error = await rejection(app.evaluate(app.prompt(Closed), { adapter, session, conversation, onEvent }));
      expect(heard.filter((event) => event instanceof PromptStopped)).toMatchObject([
        { prompt: 'a/closed', error, transcript: [], turns: 0, sessionId: session.id },
      ]);
    }
    expect(adapter.requests).toEqual([]);
  });

  test.each<[string, string, Partial<Ask>, readonly Message['role'][]]>([
    ['a budget', 'E704', { budget: new Budget({ maxTotalTokens: 10 }) }, ['system', 'user']],
    ['an adapter that throws', 'E703', {}, NOTED],
    [
      'an answer that was cut short',
      'E702',
      { script: [{ ...callOfNote, finishReason: 'length' }] },
      ['system', 'user'],
    ],
  ])('TRACE-13a the error of a run reports messages, cost and state: %s (%s)', async (_what, code, more, roles) => {
    const { error, session, stopped } = await stoppedBy({ script: [callOfNote], ...more });
    expect(error).toMatchObject({ code, usage });
    expect(rolesOf(error.transcript)).toEqual(roles);
    expect(error.sessionVersion).toBe(session.version);
    expect(stopped?.error).toBe(error);
  });

  test('TRACE-13a an OutputParseError reports messages, cost and state of its run', async () => {
    class Answer {
      @Field('Number') number!: number;
    }
    const { error } = await stoppedBy({ script: [{ text: 'no', usage }], output: Answer, maxTurns: 1 });
    expect(error instanceof OutputParseError).toBe(true);
    expect(error).toMatchObject({ usage });
    expect(error.transcript?.at(-1)).toMatchObject({ role: 'assistant', content: 'no' });
  });

  test('a run that waits for an approval', async () => {
    const ask = defineTool({ name: 'ask', description: 'Asks.', requiresApproval: true, handler: () => 'done' });
    const { error, stopped } = await stoppedBy({
      script: [{ toolCalls: [{ name: 'ask', arguments: {} }], usage }],
      tools: [ask],
      app: { approver: { approve: () => ({ kind: 'later' }) } },
    });
    expect(error).toMatchObject({ code: 'E711', usage });
    expect(rolesOf(error.transcript)).toEqual(['system', 'user', 'assistant']);
    expect(stopped?.error).toBe(error);
  });

  test('in a conversation, the error has its response and cost, also where the log cannot be written', async () => {
    const conversation = new Conversation();
    const { error, session } = await stoppedBy({ script: [callOfNote], conversation });
    expect(error).toMatchObject({ code: 'E703', usage });
    expect(error.transcript).toEqual(conversation.messages);
    expect(error.sessionVersion).toBe(session.version);
  });

  test('a run that ends before its first request has sent nothing', async () => {
    const adapter = { name: 'mine', complete: () => Promise.reject(new Error('no')) };
    const { error } = await stoppedBy({ script: [], adapter });
    expect(error).toMatchObject({ code: 'E701', usage: undefined });
    expect(rolesOf(error.transcript)).toEqual(['system', 'user']);
  });

  test("the caller's own reason stays as it is: the event has what the error would have", async () => {
    const controller = new AbortController();
    const stop = defineTool({
      name: 'stop',
      description: 'Stops.',
      handler: () => {
        controller.abort('enough');
      },
    });
    const script = [callOfNote, { toolCalls: [{ name: 'stop', arguments: {} }], usage }];
    const { error, session, stopped } = await stoppedRun({ script, tools: [note, stop], signal: controller.signal });
    expect(error).toBe('enough');
    expect(stopped).toMatchObject({ error: 'enough', turns: 2, usage: { totalTokens: 22 } });
    expect(rolesOf(stopped?.transcript)).toEqual([...NOTED, 'assistant', 'tool']);
    expect(stopped?.sessionVersion).toBe(session.version);
  });

  test('secrets are hidden as in the transcript of a response, and logs of the error do not repeat it all', async () => {
    const script = [{ toolCalls: [{ name: 'login', arguments: { password: 'pw-4711' } }], usage }];
    const { error, stopped } = await stoppedBy({ script });
    expect(rolesOf(error.transcript)).toEqual(NOTED);
    expect(JSON.stringify([error.transcript, stopped?.transcript])).not.toContain('pw-4711');
    expect(Object.keys(error)).not.toContain('transcript');
  });

  test('a stream ends with the same error', async () => {
    const Desk = definePrompt({
      ns: 'a',
      key: 'b',
      sections: [defineSection({ key: 's', title: 'S', tools: [note] })],
    });
    const app = await createApplication({ prompts: [Desk], logger: silent });
    const read = async (): Promise<void> => {
      const adapter = new ScriptedModel([callOfNote]);
      for await (const event of app.stream(app.prompt(Desk), { adapter })) expect(event.kind).not.toBe('done');
    };
    expect(await rejection(read())).toMatchObject({
      code: 'E703',
      usage,
      sessionVersion: expect.any(Number) as number,
    });
  });

  test('the version changes with each commit to the state of a session, and with nothing else', async () => {
    const session = new Session({ slices: [Note] });
    const versions = [session.version];
    session.dispatch(new Note('a'));
    versions.push(session.version);
    const before = session.snapshot();
    session.slice(Note).clear();
    versions.push(session.version);
    session.restore(before);
    versions.push(session.version);
    expect(new Set(versions).size).toBe(4);
    class Line {
      constructor(readonly text: string) {}
    }
    session
      .slice(Line)
      .register(Line, (_view, event) => ({ kind: 'append', value: event }) as never, { policy: 'log' });
    const fail = defineTool({
      name: 'fail',
      description: 'Fails.',
      handler: (_params: unknown, context: ToolContext) => {
        context.session.dispatch(new Note('b'));
        throw new Error('no');
      },
    });
    const { error } = await stoppedBy({
      script: [{ toolCalls: [{ name: 'fail', arguments: {} }] }],
      tools: [fail],
      session,
    });
    expect(error.sessionVersion).toBe(versions.at(-1));
    expect(session.version).toBe(versions.at(-1));
  });
});

describe('TRACE-13b an adapter whose answer cannot be read', () => {
  const answer = { text: 'Done.', toolCalls: [], finishReason: 'stop' };
  const call = { id: '1', name: 'note', arguments: {} };
  test.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /got undefined/],
    ['an empty object', {}, /text/],
    ['a text', 'Done.', /the string "Done\."/],
    ['a number for the text', { ...answer, text: 5 }, /text: expected text or null, got the number 5/],
    ['no list of calls', { ...answer, toolCalls: { 0: call } }, /toolCalls: expected a list, got an object/],
    ['null for a call', { ...answer, toolCalls: [call, null] }, /toolCalls\[1\]: expected an object, got null/],
    ['a call without a name', { ...answer, toolCalls: [{ id: '1', arguments: {} }] }, /toolCalls\[0\]\.name/],
    ['a call without an id', { ...answer, toolCalls: [{ name: 'note', arguments: {} }] }, /toolCalls\[0\]\.id/],
    ['a call without arguments', { ...answer, toolCalls: [{ id: '1', name: 'note' }] }, /toolCalls\[0\]\.arguments/],
    ['an unknown reason', { ...answer, finishReason: 'done' }, /finishReason: expected one of stop, /],
    ['no reason', { text: 'Done.', toolCalls: [] }, /finishReason/],
    ['usage as text', { ...answer, usage: '12' }, /usage: expected an object/],
    ['tokens as text', { ...answer, usage: { totalTokens: '12' } }, /usage\.totalTokens: expected a number/],
  ])('%s: E702 names the adapter and the place, from complete and in a stream', async (_what, given, problem) => {
    const adapter = (more: object): ModelAdapter => ({
      name: 'mine:tiny',
      complete: () => Promise.resolve(given as never),
      ...more,
    });
    const parts = async function* () {
      yield await Promise.resolve({ kind: 'response', response: given } as never);
    };
    const { error } = await stoppedBy({ script: [], adapter: adapter({}) });
    expect(error).toMatchObject({ code: 'E702', phase: 'response', message: expect.stringMatching(problem) as string });
    expect(error.message).toContain('mine:tiny');
    expect(rolesOf(error.transcript)).toEqual(['system', 'user']);

    const Desk = definePrompt({
      ns: 'a',
      key: 'b',
      sections: [defineSection({ key: 's', title: 'S', tools: [note] })],
    });
    const app = await createApplication({ prompts: [Desk], logger: silent });
    const stream = app.stream(app.prompt(Desk), { adapter: adapter({ stream: parts }) });
    const streamed = await rejection(stream.next());
    expect(streamed).toMatchObject({ code: 'E702', message: error.message });
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a part of an unknown kind', { kind: 'image' }],
    ['a text of another type', { kind: 'text', text: 5 }],
  ])('a stream whose part is %s', async (_what, part) => {
    const adapter: ModelAdapter = {
      name: 'mine:tiny',
      complete: () => Promise.reject(new Error('not asked')),
      stream: async function* () {
        yield await Promise.resolve(part as never);
      },
    };
    const Desk = definePrompt({
      ns: 'a',
      key: 'b',
      sections: [defineSection({ key: 's', title: 'S', tools: [note] })],
    });
    const app = await createApplication({ prompts: [Desk], logger: silent });
    const error = await rejection(app.stream(app.prompt(Desk), { adapter }).next());
    expect(error).toMatchObject({ code: 'E702', message: expect.stringContaining('mine:tiny') as string });
  });
});
