import {
  type ModelAdapter,
  Budget,
  BudgetTracker,
  createApplication,
  Deadline,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  type ModelResponse,
  PromptEvaluationError,
  type RunEvent,
  type StreamEvent,
  ThrottleError,
  ToolContext,
  type Usage,
} from 'toolwright';
import { fallback, type FallbackOptions, type ModelPart, type ThrottleKind } from 'toolwright/adapters';
import { Conversation } from 'toolwright/conversations';
import { ModelSwitched } from 'toolwright/events';
import type { InterceptedRequest } from 'toolwright/policies';
import { FakeClock } from 'toolwright/testing';
import { logOf, MemoryRuns, reopened } from '../../support/reopened';
import { silent } from '../../support/silent';
import { busy, calling, fails, FakeModel, said, StreamingModel, throttled } from './FakeModel';

class Verdict {
  @Field('True if it is paid.') paid!: boolean;
}

const summary = definePrompt({
  ns: 'spec',
  key: 'summary',
  sections: [defineSection({ key: 's', title: 'S', template: 'Sum up.' })],
});

const user = (content: string) => [{ role: 'user', content } as const];

/** A desk whose tool counts its calls. */
async function openDesk(prices = {}) {
  let works = 0;
  const work = defineTool({
    name: 'work',
    description: 'Works.',
    hints: { openWorld: false },
    handler: () => `worked ${String(++works)}`,
  });
  const ask = defineTool({
    name: 'ask',
    description: 'Asks.',
    handler: async (_params: unknown, { run }: ToolContext) => {
      const response = await run?.evaluate(app.prompt(summary));
      return `${String(run?.adapter)}: ${String(response?.text)}`;
    },
  });
  const desk = definePrompt({
    ns: 'spec',
    key: 'desk',
    sections: [defineSection({ key: 'orders', title: 'Orders', template: 'Help.', tools: [work, ask] })],
  });
  const requests: Pick<InterceptedRequest, 'adapter' | 'fallback' | 'turn'>[] = [];
  const app = await createApplication({
    prompts: [desk, summary],
    logger: silent,
    prices,
    clock: new FakeClock(),
    interceptors: [
      {
        aroundModel: ({ adapter, fallback: from, turn }, next) => {
          requests.push({ adapter, fallback: from, turn });
          return next();
        },
      },
    ],
  });
  return { app, prompt: app.prompt(desk), requests, works: () => works };
}

const kinds = (conversation: Conversation): readonly string[] => logOf(conversation).map(({ kind }) => kind);

describe('a run whose model does not answer', () => {
  test('a run goes on with the next model in the middle, and no call is repeated', async () => {
    const { app, prompt, requests, works } = await openDesk();
    const [a, b] = [
      new FakeModel('a:m', calling('work'), fails('down', 'no host')),
      new FakeModel('b:m', calling('work'), said('B')),
    ];
    const conversation = new Conversation({ id: 'c' });
    const events: RunEvent[] = [];
    const response = await app.evaluate(prompt, {
      ...{ adapter: fallback([a, b]), conversation, messages: user('Help.') },
      onEvent: (event) => events.push(event),
    });
    expect(response.text).toBe('B');
    expect(works()).toBe(2);
    expect(kinds(conversation)).toEqual([
      ...['conversation', 'model', 'run', 'answer', 'outcome', 'model', 'answer', 'outcome', 'answer', 'end'],
    ]);
    expect(logOf(conversation)[5]).toEqual({
      ...{ kind: 'model', adapter: 'b:m', means: null, fallback: { failure: 'down' }, version: 5 },
    });
    expect(events.filter((event) => event instanceof ModelSwitched)).toMatchObject([
      { prompt: 'spec/desk', conversation: 'c', turn: 2, from: 'a:m', to: 'b:m', failure: 'down', problem: 'no host' },
    ]);
    expect(requests).toEqual([
      { adapter: 'a:m', fallback: undefined, turn: 1 },
      { adapter: 'a:m', fallback: undefined, turn: 2 },
      { adapter: 'b:m', fallback: { from: 'a:m', failure: 'down' }, turn: 2 },
      { adapter: 'b:m', fallback: undefined, turn: 3 },
    ]);
    // The second model gets what the first one was asked.
    expect(b.requests[0]?.messages).toEqual(a.requests[1]?.messages);
  });

  test('later runs of the conversation stay with the second model, a new conversation begins with the first', async () => {
    const { app, prompt } = await openDesk();
    const [a, b] = [new FakeModel('a:m', throttled('quota_exhausted'), said('A')), new FakeModel('b:m', said('B'))];
    const adapter = fallback([a, b], { retries: 0 });
    const conversation = new Conversation();
    const first = await app.evaluate(prompt, { adapter, conversation, messages: user('One.') });
    const second = await app.evaluate(prompt, { adapter, conversation, messages: user('Two.') });
    const other = await app.evaluate(prompt, { adapter, conversation: new Conversation(), messages: user('One.') });
    expect([first.text, second.text, other.text]).toEqual(['B', 'B', 'A']);
    expect(kinds(conversation).filter((kind) => kind === 'model')).toHaveLength(2);
  });

  test('a new conversation begins with the first adapter whose circuit is closed', async () => {
    const { app, prompt } = await openDesk();
    const [a, b] = [new FakeModel('a:m', fails('down')), new FakeModel('b:m', said('B'))];
    const adapter = fallback([a, b], { circuit: { failures: 2 } });
    for (let run = 0; run < 4; run++) await app.evaluate(prompt, { adapter, messages: user('One.') });
    expect([a.count, b.count]).toEqual([2, 4]);
  });

  test('a throttled request is repeated as often as retries says, and the last adapter gets all five attempts', async () => {
    const { app, prompt } = await openDesk();
    const [a, b] = [new FakeModel('a:m', throttled()), new FakeModel('b:m', throttled())];
    const run = app.evaluate(prompt, { adapter: fallback([a, b], { retries: 1 }), messages: user('One.') });
    await expect(run).rejects.toMatchObject({ code: 'E756', failure: 'throttled' });
    expect([a.count, b.count]).toEqual([2, 5]);
  });

  test('a run that the second model fails as well goes back to the first one, if that one answers again', async () => {
    const { app, prompt } = await openDesk();
    const a = new FakeModel('a:m', fails('down'), said('A'));
    const b = new FakeModel('b:m', calling('work'), fails('down'));
    const conversation = new Conversation();
    const { text } = await app.evaluate(prompt, { adapter: fallback([a, b]), conversation, messages: user('One.') });
    expect(text).toBe('A');
    const models = logOf(conversation).flatMap((entry) => (entry.kind === 'model' ? [entry.adapter] : []));
    expect(models).toEqual(['a:m', 'b:m', 'a:m']);
  });

  test('a model that comes back keeps the settings with which the conversation went to it first', async () => {
    const { app, prompt } = await openDesk();
    const a = new FakeModel('a:m', fails('down'), said('A'));
    const b = new FakeModel('b:m', calling('work'), fails('down'));
    a.settings = { strict: true };
    const conversation = new Conversation();
    await app.evaluate(prompt, {
      ...{ adapter: fallback([a, b]), conversation, messages: user('One.') },
      onEvent: (event) => {
        if (event instanceof ModelSwitched) a.settings = { strict: false };
      },
    });
    expect(a.requests.map(({ means }) => means)).toEqual([{ strict: true }, { strict: true }]);
  });

  test('a provider that asks for a long pause is not waited for while another one may answer', async () => {
    const { app, prompt } = await openDesk();
    const [a, b] = [new FakeModel('a:m', busy(6)), new FakeModel('b:m', said('B'))];
    const { text } = await app.evaluate(prompt, { adapter: fallback([a, b]), messages: user('One.') });
    expect([text, a.count]).toEqual(['B', 1]);
  });

  test('a run in a handler uses the model that its run has gone on with', async () => {
    const { app, prompt } = await openDesk();
    const a = new FakeModel('a:m', fails('down'));
    const b = new FakeModel('b:m', calling('ask'), said('Summed up.'), said('Done.'));
    const { transcript } = await app.evaluate(prompt, { adapter: fallback([a, b]), messages: user('One.') });
    expect(transcript.find(({ role }) => role === 'tool')).toMatchObject({ content: 'b:m: Summed up.' });
    expect([a.count, b.count]).toEqual([1, 3]);
  });

  test('a run in a handler falls back by itself', async () => {
    const { app, prompt } = await openDesk();
    const a = new FakeModel('a:m', calling('ask'), fails('down'), said('Done.'));
    const b = new FakeModel('b:m', said('Summed up.'));
    const { transcript, text } = await app.evaluate(prompt, { adapter: fallback([a, b]), messages: user('One.') });
    expect(transcript.find(({ role }) => role === 'tool')).toMatchObject({ content: 'a:m: Summed up.' });
    expect(text).toBe('Done.');
  });
});

describe('errors that end the run', () => {
  const asked = async (error: Error, options: FallbackOptions = {}) => {
    const { app, prompt } = await openDesk();
    const second = new FakeModel('b:m', said('B'));
    const adapter = fallback([new FakeModel('a:m', error), second], options);
    const run = app.evaluate(prompt, { adapter, messages: user('One.') });
    const thrown: unknown = await run.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { thrown, count: second.count };
  };

  test('an error of the adapter itself ends the run unchanged', async () => {
    const { thrown, count } = await asked(new TypeError('x is not a function'));
    expect(thrown).toMatchObject({ code: 'E701', message: 'The request to a:m failed: x is not a function' });
    expect(count).toBe(0);
  });

  test('a request that the provider refuses as invalid ends the run unchanged', async () => {
    const { thrown, count } = await asked(new PromptEvaluationError('a:m answered 400: no', { phase: 'request' }));
    expect(thrown).toMatchObject({ code: 'E701', failure: undefined });
    expect(count).toBe(0);
  });

  test('a failure that `on` leaves out ends the run unchanged', async () => {
    const { thrown, count } = await asked(fails('auth', 'a bad key'), { on: ['down'] });
    expect(thrown).toMatchObject({ code: 'E701', message: 'a bad key' });
    expect(count).toBe(0);
  });

  test('an error of a kind that does not exist is repeated, and the next model gets the request', async () => {
    const { app, prompt } = await openDesk();
    for (const kind of ['flood', 'constructor', undefined] as unknown as readonly (ThrottleKind | undefined)[]) {
      const busy = kind === undefined ? new ThrottleError('Busy.') : new ThrottleError('Busy.', { kind });
      const [a, b] = [new FakeModel('a:m', busy), new FakeModel('b:m', said('B'))];
      const events: RunEvent[] = [];
      const { text } = await app.evaluate(prompt, {
        adapter: fallback([a, b], { retries: 1 }),
        messages: user('One.'),
        onEvent: (event) => events.push(event),
      });
      expect([text, a.count]).toEqual(['B', 2]);
      expect(events.find((event) => event instanceof ModelSwitched)).toMatchObject({ failure: 'throttled' });
    }
  });

  test.each([
    ['throttled', throttled()],
    ['quota', throttled('quota_exhausted')],
    ['down', throttled('connection')],
    ['auth', fails('auth')],
    ['cut_off', fails('cut_off')],
    ['too_long', fails('too_long')],
  ])('by default, a run goes on after %s', async (_failure, error) => {
    expect(await asked(error, { retries: 0 })).toEqual({ thrown: undefined, count: 1 });
  });

  test('by default, content that the first provider refuses does not go to the next', async () => {
    expect(await asked(fails('content_policy', 'refused'))).toMatchObject({ count: 0 });
  });

  test('a run that is cancelled while the first model answers ends with the reason', async () => {
    const { app, prompt } = await openDesk();
    const stop = new AbortController();
    const reason = new Error('The user left.');
    const second = new FakeModel('b:m', said('B'));
    const first = new FakeModel('a:m', () => {
      stop.abort(reason);
      throw fails('down');
    });
    const run = app.evaluate(prompt, {
      adapter: fallback([first, second]),
      messages: user('One.'),
      signal: stop.signal,
    });
    await expect(run).rejects.toBe(reason);
    expect(second.count).toBe(0);
  });

  test('a run whose deadline passes while the first model answers ends there', async () => {
    const { app, prompt } = await openDesk();
    const clock = new FakeClock();
    const second = new FakeModel('b:m', said('B'));
    const first = new FakeModel('a:m', () => {
      clock.advance(2_000);
      throw fails('down');
    });
    const deadline = Deadline.in(1_000, clock);
    const run = app.evaluate(prompt, { adapter: fallback([first, second]), messages: user('One.'), deadline });
    await expect(run).rejects.toMatchObject({ code: 'E605' });
    expect(second.count).toBe(0);
  });

  test('a run that no model answers ends with the cause of each, and its conversation can go on', async () => {
    const { app, prompt } = await openDesk();
    const a = new FakeModel('a:m', calling('work'), fails('auth', 'a bad key'), said('A'));
    const b = new FakeModel('b:m', fails('quota', 'nothing left'));
    const conversation = new Conversation();
    const adapter = fallback([a, b]);
    await expect(app.evaluate(prompt, { adapter, conversation, messages: user('One.') })).rejects.toMatchObject({
      code: 'E756',
      message: 'No adapter of fallback answered. a:m (auth): a bad key | b:m (quota): nothing left',
    });
    expect(logOf(conversation).at(-1)).toMatchObject({ kind: 'end', how: 'failed' });
    const { text } = await app.evaluate(prompt, { adapter, conversation, messages: user('Again.') });
    expect(text).toBe('A');
  });
});

describe('an answer that does not count', () => {
  const refusal: ModelResponse = {
    ...{ text: 'I cannot help.', toolCalls: [], finishReason: 'refusal' },
    usage: { inputTokens: 10, outputTokens: 1 },
  };
  const on = ['content_policy', 'cut_off'] as const;

  test('a refusal is an answer, unless the options name content_policy', async () => {
    const { app, prompt } = await openDesk();
    const [a, b] = [new FakeModel('a:m', refusal), new FakeModel('b:m', said('B'))];
    const messages = user('One.');
    expect(await app.evaluate(prompt, { adapter: fallback([a, b]), messages })).toMatchObject({
      text: 'I cannot help.',
    });
    expect(await app.evaluate(prompt, { adapter: fallback([a, b], { on }), messages })).toMatchObject({ text: 'B' });
  });

  test('the refusal of the last model is the answer of the run', async () => {
    const { app, prompt } = await openDesk();
    const models = ['a:m', 'b:m'].map((name) => new FakeModel(name, { ...refusal, text: `${name} cannot help.` }));
    const response = await app.evaluate(prompt, { adapter: fallback(models, { on }), messages: user('One.') });
    expect(response).toMatchObject({ text: 'b:m cannot help.', finishReason: 'refusal' });
  });

  test('a refusal is one of the causes, if the other models fail', async () => {
    const { app, prompt } = await openDesk();
    const models = [new FakeModel('a:m', refusal), new FakeModel('b:m', fails('down', 'no host'))];
    const run = app.evaluate(prompt, { adapter: fallback(models, { on: [...on, 'down'] }), messages: user('One.') });
    await expect(run).rejects.toMatchObject({
      message: 'No adapter of fallback answered. a:m (content_policy): a:m refused to answer. | b:m (down): no host',
      usage: refusal.usage,
    });
  });

  test('calls that were cut off go to the next model, and none of them runs', async () => {
    const { app, prompt, works } = await openDesk();
    const a = new FakeModel('a:m', { ...calling('work'), finishReason: 'length' });
    const { text } = await app.evaluate(prompt, {
      ...{ adapter: fallback([a, new FakeModel('b:m', said('B'))]), messages: user('One.') },
    });
    expect([text, works()]).toEqual(['B', 0]);
  });

  test('the tokens of calls that were cut off are counted, and the budget ends the run before another model is asked', async () => {
    const { app, prompt } = await openDesk();
    const usage = { inputTokens: 20, outputTokens: 2 };
    const a = new FakeModel('a:m', { ...calling('work', {}, usage), finishReason: 'length' });
    const b = new FakeModel('b:m', said('B', usage));
    const options = { adapter: fallback([a, b]), messages: user('One.') };
    expect(await app.evaluate(prompt, options)).toMatchObject({ requests: [usage, usage], adapters: ['a:m', 'b:m'] });
    const budget = new Budget({ maxTotalTokens: 21 });
    await expect(app.evaluate(prompt, { ...options, budget })).rejects.toMatchObject({ code: 'E704', usage });
    expect(b.count).toBe(1);
  });

  test('its tokens are counted and paid, also after another process went on', async () => {
    const prices = { 'a:m': { input: 1, output: 0 }, 'b:m': { input: 100, output: 0 } };
    const usage: Usage = { inputTokens: 20, outputTokens: 2 };
    const { app, prompt } = await openDesk(prices);
    const models = () => [new FakeModel('a:m', refusal), new FakeModel('b:m', said('B', usage))];
    const expected = { cost: (10 * 1 + 20 * 100) / 1e6, turns: 2, usage: { inputTokens: 30, outputTokens: 3 } };
    const conversation = new Conversation();
    const begun = { adapter: fallback(models(), { on }), conversation, messages: user('One.') };
    expect(await app.evaluate(prompt, begun)).toMatchObject(expected);
    // Killed after the handover, and after the answer.
    for (const length of [4, 5]) {
      const again = reopened(conversation, length);
      expect(await app.evaluate(prompt, { adapter: fallback(models(), { on }), conversation: again })).toMatchObject(
        expected,
      );
    }
  });
});

describe('what a run costs', () => {
  const prices = { 'a:m': { input: 1, output: 10 }, 'b:m': { input: 100, output: 1_000 } };
  const usage = (inputTokens: number, outputTokens: number): Usage => ({ inputTokens, outputTokens });

  test('each request has the price of its model, and the budget counts both', async () => {
    const { app, prompt } = await openDesk(prices);
    const budget = new BudgetTracker(new Budget({ maxTotalTokens: 1_000 }));
    const a = new FakeModel('a:m', calling('work', {}, usage(10, 1)), fails('down'));
    const b = new FakeModel('b:m', calling('work', {}, usage(20, 2)), said('B', usage(30, 3)));
    const { cost, requests } = await app.evaluate(prompt, {
      adapter: fallback([a, b]),
      messages: user('One.'),
      budget,
    });
    expect(cost).toBeCloseTo((10 + 10 + 50 * 100 + 5 * 1_000) / 1e6, 12);
    expect(requests).toHaveLength(3);
    // The last answer of each model: it counts the whole conversation.
    expect(budget.consumed).toEqual({ input: 40, output: 4, total: 44 });
  });

  test('a model without a price leaves the cost unknown', async () => {
    const { app, prompt } = await openDesk({ 'a:m': { input: 1, output: 10 } });
    const a = new FakeModel('a:m', calling('work', {}, usage(10, 1)), fails('down'));
    const b = new FakeModel('b:m', said('B', usage(30, 3)));
    const { cost } = await app.evaluate(prompt, { adapter: fallback([a, b]), messages: user('One.') });
    expect(cost).toBeUndefined();
  });

  test('the second model ends the run where the budget is used up', async () => {
    const { app, prompt } = await openDesk(prices);
    const budget = new Budget({ maxTotalTokens: 40 });
    const a = new FakeModel('a:m', calling('work', {}, usage(20, 1)), fails('down'));
    const b = new FakeModel('b:m', said('B', usage(30, 3)));
    const run = app.evaluate(prompt, { adapter: fallback([a, b]), messages: user('One.'), budget });
    await expect(run).rejects.toMatchObject({ code: 'E704' });
  });
});

describe('a stream', () => {
  test('what was shown of an answer that breaks off is void, and the event names the model that goes on', async () => {
    const { app, prompt } = await openDesk();
    const a = new StreamingModel('a:m', ['It ', 'is '], throttled('connection'));
    const b = new StreamingModel('b:m', [], said('It came.'));
    const conversation = new Conversation();
    const options = { adapter: fallback([a, b], { retries: 0 }), conversation, messages: user('One.') };
    const events: StreamEvent[] = [];
    for await (const event of app.stream(prompt, options)) events.push(event);
    expect(events.map((event) => (event.kind === 'text' ? event.text : event.kind))).toEqual([
      ...['It ', 'is ', 'retry', 'It ', 'came.', 'answer', 'done'],
    ]);
    expect(events[2]).toEqual({ kind: 'retry', turn: 1, waitMs: 0, problem: 'connection', adapter: 'b:m' });
    expect(JSON.stringify(logOf(conversation))).not.toContain('It is');
  });

  test('a stream of an own adapter that ends without its answer was cut off, and the next model gets the request', async () => {
    const { app, prompt } = await openDesk();
    const a: ModelAdapter = {
      name: 'a:m',
      complete: () => Promise.reject(new TypeError('It is asked for a stream.')),
      async *stream(): AsyncGenerator<ModelPart, void> {
        await Promise.resolve();
        yield { kind: 'text', text: 'It ' };
      },
    };
    const b = new StreamingModel('b:m', [], said('It came.'));
    const events: StreamEvent[] = [];
    const options = { adapter: fallback([a, b], { retries: 0 }), messages: user('One.') };
    for await (const event of app.stream(prompt, options)) events.push(event);
    expect(events.map((event) => (event.kind === 'text' ? event.text : event.kind))).toEqual([
      ...['It ', 'retry', 'It ', 'came.', 'answer', 'done'],
    ]);
  });

  test('a run that is left while the second model answers keeps the text of that one alone', async () => {
    const { app, prompt } = await openDesk();
    const a = new StreamingModel('a:m', ['Lost '], throttled('connection'));
    const b = new StreamingModel('b:m', [], said('Kept and more.'));
    const conversation = new Conversation();
    const options = { adapter: fallback([a, b], { retries: 0 }), conversation, messages: user('One.') };
    for await (const event of app.stream(prompt, options))
      if (event.kind === 'text' && event.text.startsWith('Kept')) break;
    expect(logOf(conversation).at(-1)).toMatchObject({ kind: 'end', messages: [{ content: 'Kept ' }] });
  });

  test('events keep their places in the log when another process goes on after the fallback', async () => {
    const { app, prompt } = await openDesk();
    const models = () => [
      new FakeModel('a:m', calling('work'), fails('down')),
      new FakeModel('b:m', calling('work'), said('B')),
    ];
    const conversation = new Conversation();
    const read = async (of: Conversation, messages?: ReturnType<typeof user>) => {
      const seqs: unknown[] = [];
      for await (const event of app.stream(prompt, { adapter: fallback(models()), conversation: of, messages }))
        if ('seq' in event) seqs.push([event.kind, event.seq]);
      return seqs;
    };
    const seqs = await read(conversation, user('One.'));
    expect(seqs).toEqual([
      ['answer', 4],
      ['outcome', 5],
      ['answer', 7],
      ['outcome', 8],
      ['answer', 9],
    ]);
    expect(await read(reopened(conversation))).toEqual(seqs);
  });
});

describe('the form of the answers', () => {
  const form = async (first: boolean, second: boolean) => {
    const { app, prompt } = await openDesk();
    const a = new FakeModel('a:m', calling('work'), fails('down'), said('{"paid":true}'));
    const b = new FakeModel('b:m', said('{"paid":true}'), fails('down'));
    a.takesOutputSchema = first;
    b.takesOutputSchema = second;
    const conversation = new Conversation();
    const options = { adapter: fallback([a, b]), conversation, output: Verdict };
    const { output } = await app.evaluate(prompt, { ...options, messages: user('Is it paid?') });
    expect(output).toEqual({ paid: true });
    return { a, b, conversation, again: () => app.evaluate(prompt, { ...options, messages: user('And now?') }) };
  };
  const described = (model: FakeModel, at: number): readonly number[] =>
    (model.requests[at]?.messages ?? []).flatMap(({ content }, index) =>
      content?.includes('"paid"') === true ? [index] : [],
    );

  test('a model whose provider has no field for the form reads it in a message, after all that was said', async () => {
    const { a, b, conversation } = await form(true, false);
    expect(described(a, 0)).toEqual([]);
    expect(described(b, 0)).toEqual([b.requests[0]!.messages.length - 1]);
    expect(logOf(conversation).find((entry) => entry.kind === 'model' && entry.fallback !== undefined)).toMatchObject({
      output: expect.stringContaining('"paid"') as unknown,
    });
    // Another process sends the same messages.
    expect(reopened(conversation, 6).nextMessages).toEqual(b.requests[0]?.messages);
  });

  test('the first model reads on where it comes back, and nothing takes the form back', async () => {
    const { a, again } = await form(true, false);
    await again();
    const before = a.requests[1]!.messages;
    const after = a.requests.at(-1)!.messages;
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.map(({ content }) => content)).not.toContain(
      '[From here on, answer in plain text again, in no particular form.]',
    );
  });

  test('a model with a field for the form gets no message about it', async () => {
    const { b } = await form(true, true);
    expect(described(b, 0)).toEqual([]);
  });
});

describe('a process that is killed', () => {
  const script = () => ({
    a: new FakeModel('a:m', calling('work'), fails('down')),
    b: new FakeModel('b:m', calling('work'), said('B')),
  });

  test('wherever the record ends, the run goes on: nothing is lost, and nothing is done twice', async () => {
    const { app, prompt } = await openDesk();
    const whole = new Conversation();
    const { a, b } = script();
    await app.evaluate(prompt, { adapter: fallback([a, b]), conversation: whole, messages: user('One.') });
    const all = logOf(whole).map(({ kind }) => kind);
    expect(all).toHaveLength(10);
    for (let length = 3; length < all.length; length++) {
      const desk = await openDesk();
      const again = reopened(whole, length);
      const ended = again.messages.length;
      expect(ended).toBeGreaterThan(0);
      const done = all.slice(0, length).filter((kind) => kind === 'outcome').length;
      const answered = all.slice(0, length).filter((kind) => kind === 'answer').length;
      const left = { a: script().a, b: script().b };
      left.a.steps.splice(0, Math.min(answered, 1));
      left.b.steps.splice(0, Math.max(answered - 1, 0));
      const response = await desk.app.evaluate(desk.prompt, {
        adapter: fallback([left.a, left.b]),
        conversation: again,
      });
      expect(response.text).toBe('B');
      expect(desk.works()).toBe(2 - done);
      expect(kinds(again)).toEqual(all);
      // The first model is asked only if the record does not say yet that it failed.
      expect(left.a.count).toBe(length >= 6 ? 0 : 2 - answered);
      expect(left.b.count).toBe(length >= 6 ? 3 - answered : 2);
    }
  });

  test('the handover is stored before the second model is asked', async () => {
    const { app, prompt } = await openDesk();
    const store = new MemoryRuns();
    const { a } = script();
    const seen: (readonly string[])[] = [];
    const b = new FakeModel('b:m', () => {
      seen.push(store.written.map(({ kind }) => kind));
      return said('B');
    });
    const conversation = await Conversation.open(store, 'c');
    await app.evaluate(prompt, { adapter: fallback([a, b]), conversation, messages: user('One.') });
    expect(seen).toEqual([['conversation', 'model', 'run', 'answer', 'outcome', 'model']]);
  });
});
