import {
  Budget,
  Deadline,
  type EvaluateOptions,
  type ModelAdapter,
  PromptEvaluationError,
  type RunEvent,
  Session,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { PrefixMeasured, PromptDrifted } from 'toolwright/events';
import { MemoryRuns, logOf, reopened } from '../../support/reopened';
import { rejection } from '../desk';
import { call, deskOf, expectAppended, freshSession, notesOf, opening, user } from './desk';

const firstRun = [
  { toolCalls: [call('note'), call('fail'), opening] },
  { toolCalls: [call('extra')] },
  { text: 'One.' },
];

describe('a conversation that goes on', () => {
  test('in the same conversation object, the next request begins with the last one', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    const session = freshSession();
    const first = await run(firstRun, { conversation, session, messages: user('First.') });
    const second = await run([{ toolCalls: [call('look')] }, { text: 'Two.' }], {
      conversation,
      session,
      messages: user('Second.'),
    });
    const requests = [...first.adapter.requests, ...second.adapter.requests];
    expectAppended(requests);
    expect(requests[3]?.messages.slice(-2)).toEqual([{ role: 'assistant', content: 'One.' }, ...user('Second.')]);
    expect(second.response).toMatchObject({ text: 'Two.', turns: 2 });
    expect(conversation.messages).toEqual(second.response.transcript);
    // The same objects: an adapter writes each of them once.
    for (const [index, message] of (requests[3]?.messages ?? []).entries())
      expect(requests[4]?.messages[index]).toBe(message);
  });

  test.each([
    ['after JSON', async (conversation: Conversation) => reopened(conversation, logOf(conversation).length)],
    [
      'from a store',
      async (conversation: Conversation) => Conversation.open(new MemoryRuns(logOf(conversation)), conversation.id),
    ],
  ])(
    '%s, in an application and with a session of its own: with the same tools, words and state',
    async (_how, again) => {
      const one = await deskOf();
      const conversation = new Conversation({ id: 'c-1' });
      const session = freshSession();
      const first = await one.run(firstRun, { conversation, session, messages: user('First.') });
      const other = await deskOf();
      const restored = freshSession();
      const second = await other.run([{ toolCalls: [call('extra'), call('look')] }, { text: 'Two.' }], {
        conversation: await again(conversation),
        session: restored,
        messages: user('Second.'),
      });
      expectAppended([...first.adapter.requests, ...second.adapter.requests]);
      expect(notesOf(session)).toEqual(['note', 'extra']);
      expect(notesOf(restored)).toEqual(['note', 'extra', 'extra']);
      // What was opened is open.
      const said = second.response.transcript.filter(({ role }) => role === 'tool').map(({ content }) => content);
      expect(said.slice(-2)).toEqual(['extra 3', '3']);
    },
  );

  test('the whole record is JSON, and what is read from it writes the same again', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation({ id: 'c-1' });
    await run(firstRun, { conversation, session: freshSession(), messages: user('First.') });
    const json: unknown = JSON.parse(JSON.stringify(conversation));
    expect(JSON.parse(JSON.stringify(Conversation.fromJSON(json)))).toEqual(json);
    expect(Conversation.fromJSON(json).messages).toEqual(JSON.parse(JSON.stringify(conversation.messages)));
    expect(json).toMatchObject({ format: 'toolwright/conversation', version: 1, id: 'c-1' });
  });

  test('a run that threw is ended, its open calls are answered, and the next message is answered', async () => {
    const { run, app, prompt } = await deskOf();
    const conversation = new Conversation();
    const session = freshSession();
    const abort = new AbortController();
    const stopping = await deskOf({
      started: () => {
        abort.abort(new RangeError('enough'));
        return new Promise(() => undefined);
      },
    });
    const adapter = new ScriptedModel([{ toolCalls: [call('look'), call('note'), call('keep')] }]);
    const failed = stopping.app.evaluate(stopping.prompt, {
      adapter,
      conversation,
      session,
      messages: user('First.'),
      signal: abort.signal,
    });
    await expect(failed).rejects.toThrow('enough');
    const end = logOf(conversation).at(-1);
    expect(end).toMatchObject({ kind: 'end', how: 'cancelled', problem: 'enough' });
    const second = await run([{ text: 'Two.' }], { conversation, session, messages: user('Second.') });
    expectAppended([...adapter.requests, ...second.adapter.requests]);
    const tools = second.response.transcript.filter(({ role }) => role === 'tool');
    expect(tools).toMatchObject([
      { name: 'look', content: '0' },
      { name: 'note', failed: true, content: expect.stringContaining('It is not known whether') as string },
      { name: 'keep', failed: true, content: expect.stringContaining('was not run') as string },
    ]);
    expect(second.response.transcript.map(({ role }) => role).slice(-2)).toEqual(['user', 'assistant']);
    await expect(app.evaluate(prompt, { adapter, conversation, session })).rejects.toMatchObject({ code: 'E729' });
  });

  test.each<[string, () => Partial<EvaluateOptions>, string]>([
    [
      'a budget',
      () => ({ budget: new Budget({ maxOutputTokens: 1 }) }),
      'The budget allows 1 output tokens; 9 were used.',
    ],
    ['a deadline', () => ({ deadline: Deadline.in(1_000) }), 'The deadline had passed.'],
  ])('calls that %s left unrun say so to the model', async (_what, limit, why) => {
    const { run } = await deskOf({ started: (name) => (name === 'note' ? new Promise(() => undefined) : undefined) });
    const conversation = new Conversation();
    const step = { toolCalls: [call('note'), call('keep')], usage: { outputTokens: 9 } };
    await expect(
      run([step], { conversation, session: freshSession(), messages: user('First.'), ...limit() }),
    ).rejects.toThrow(PromptEvaluationError);
    const end = logOf(conversation).at(-1);
    const answers = end?.kind === 'end' ? end.messages.map(({ content }) => content) : [];
    expect(answers.at(-1)).toBe(`The call of keep was not run: the run ended before it. ${why} Nothing was done.`);
  });

  test('a request that failed is asked again without a message', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    const session = freshSession();
    const down = () => {
      throw new TypeError('the provider is down');
    };
    const options = { conversation, session };
    await rejection(run([{ toolCalls: [call('keep')] }, down], { ...options, messages: user('First.') }));
    const { response } = await run([{ text: 'Here.' }], options);
    expect(response).toMatchObject({ text: 'Here.', turns: 1 });
    expect(notesOf(session)).toEqual(['keep']);
  });

  test('the same run id again goes on with its run, returns its response, and never begins another', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    const options = { conversation, runId: 'r-1', messages: user('First.') };
    const session = freshSession();
    const first = await run(firstRun, { ...options, session });
    const length = logOf(conversation).length;
    const again = await run([], { ...options, session });
    expect(again.response).toMatchObject({ text: 'One.', turns: 3, transcript: first.response.transcript });
    expect(again.adapter.requests).toHaveLength(0);
    expect(logOf(conversation)).toHaveLength(length);
    // An earlier run returns its own response, wherever the conversation is by now.
    await run([{ text: 'Two.' }], { conversation, session, runId: 'r-2', messages: user('Second.') });
    const restored = freshSession();
    const late = await run([], { ...options, conversation: reopened(conversation, length + 3), session: restored });
    expect(late.response).toMatchObject({ text: 'One.', transcript: first.response.transcript });
    expect(notesOf(restored)).toEqual(['note', 'extra']);
  });

  test('E732 the id of a run that ended without an answer', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    const options = { conversation, runId: 'r-1', messages: user('First.'), session: freshSession() };
    await rejection(run([], options));
    await expect(run([{ text: 'Hello.' }], options)).rejects.toMatchObject({
      code: 'E732',
      message: expect.stringMatching(
        /^E732 conversation \S+: its run r-1 has ended \(failed\): .*The script has 0 turns/,
      ) as string,
    });
  });

  test('without a conversation, nothing is kept: the same run twice has the same requests', async () => {
    const { run } = await deskOf();
    const options = { messages: user('First.') };
    const [one, two] = [await run([{ text: 'One.' }], options), await run([{ text: 'One.' }], options)];
    expect(one.adapter.requests.map(({ messages }) => messages)).toEqual(
      two.adapter.requests.map(({ messages }) => messages),
    );
  });
});

describe('a copy of a conversation', () => {
  test('a copy from before a run lets the run be answered again, with the state of then', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    const session = freshSession();
    await run([{ toolCalls: [call('note')] }, { text: 'One.' }], {
      conversation,
      session,
      runId: 'r-1',
      messages: user('First.'),
    });
    await run([{ toolCalls: [call('keep')] }, { text: 'Two.' }], {
      conversation,
      session,
      runId: 'r-2',
      messages: user('Second.'),
    });
    const before = JSON.stringify(conversation);
    const fork = conversation.fork({ before: 'r-2', id: 'c-2' });
    const other = freshSession();
    const { response } = await run([{ text: 'Other.' }], {
      conversation: fork,
      session: other,
      messages: user('Differently.'),
    });
    expect(response.transcript.map(({ content }) => content).slice(-3)).toEqual(['One.', 'Differently.', 'Other.']);
    expect(notesOf(other)).toEqual(['note']);
    expect([fork.id, conversation.fork().messages]).toEqual(['c-2', conversation.messages]);
    expect(JSON.stringify(conversation)).toBe(before);
    expect(Conversation.fromJSON(JSON.parse(JSON.stringify(fork))).messages).toEqual(fork.messages);
  });

  test('E727 there is no such run: its runs are named', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation({ id: 'c-1' });
    expect(() => conversation.fork({ before: 'r' })).toThrow('E727 conversation c-1: it has no run r; it has none');
    await run([{ text: 'One.' }], { conversation, runId: 'r-1', messages: user('First.') });
    expect(() => conversation.fork({ before: 'r-9' })).toThrow(
      /^E727 conversation c-1: it has no run r-9; its runs are "?r-1"?\n/,
    );
    expect(() => conversation.fork({ before: 'r-9' })).toThrow(expect.objectContaining({ code: 'E727' }) as Error);
  });
});

describe('a conversation refuses', () => {
  test('E726 refuses a session of another conversation, and one with another state', async () => {
    const { run } = await deskOf();
    const session = freshSession();
    const conversation = new Conversation();
    await run([{ toolCalls: [call('note')] }, { text: 'One.' }], { conversation, session, messages: user('First.') });
    const options = { session, messages: user('Hello.') };
    const script = [{ text: 'Yes?' }];
    await expect(run(script, { ...options, conversation: new Conversation() })).rejects.toMatchObject({ code: 'E726' });
    const shared = new Conversation({ sharesSession: true });
    expect((await run(script, { ...options, conversation: shared })).response.text).toBe('Yes?');
    const apart = new Conversation({ session: 'apart' });
    expect((await run(script, { ...options, conversation: apart })).response.text).toBe('Yes?');
    expect(JSON.stringify(apart)).not.toContain('"session"');
    const other = freshSession();
    await run([{ toolCalls: [call('keep')] }, { text: 'Yes?' }], { session: other });
    const next = { session: other, messages: user('Hello.'), conversation: reopened(conversation) };
    await expect(run(script, next)).rejects.toMatchObject({ code: 'E726' });
    expect(notesOf(other)).toEqual(['keep']);
  });

  test('E728 a second run at the same time', async () => {
    const { app, prompt, run } = await deskOf();
    const conversation = new Conversation();
    let answer: (() => void) | undefined;
    const adapter: ModelAdapter = {
      name: 'slow',
      complete: async () => {
        await new Promise<void>((resolve) => (answer = resolve));
        return { text: 'Late.', toolCalls: [], finishReason: 'stop', usage: undefined };
      },
    };
    const options = { conversation, session: freshSession(), messages: user('First.') };
    const running = app.evaluate(prompt, { ...options, adapter });
    await expect(run([{ text: 'x' }], options)).rejects.toMatchObject({ code: 'E728' });
    while (answer === undefined) await new Promise((resolve) => setImmediate(resolve));
    answer();
    expect((await running).text).toBe('Late.');
    expect((await run([{ text: 'x' }], options)).response.text).toBe('x');
  });

  test('E741 a released run stops before its next request, and stays open for another worker', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    conversation.release();
    const session = freshSession();
    const released = run([{ text: 'x' }], { conversation, session, messages: user('First.') });
    await expect(released).rejects.toMatchObject({ code: 'E741' });
    const next = reopened(conversation, logOf(conversation).length);
    expect((await run([{ text: 'One.' }], { conversation: next, session: freshSession() })).response.text).toBe('One.');
  });

  test('E729 refuses a run that has nothing to answer', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    await run([{ text: 'One.' }], { conversation, messages: user('First.') });
    const before = JSON.stringify(conversation);
    await expect(run([{ text: 'x' }], { conversation: reopened(conversation, 5) })).rejects.toMatchObject({
      code: 'E729',
    });
    expect(JSON.stringify(conversation)).toBe(before);
  });

  test('E730 a conversation refuses another prompt', async () => {
    const { run } = await deskOf();
    const other = await deskOf({ key: 'other' });
    const conversation = new Conversation({ id: 'c-1', session: 'apart' });
    await run([{ text: 'One.' }], { conversation, messages: user('First.') });
    const running = other.run([{ text: 'x' }], { conversation, messages: user('Second.') });
    await expect(running).rejects.toMatchObject({ code: 'E730' });
    await expect(running).rejects.toThrow(
      'E730 conversation c-1: it belongs to the prompt spec/desk, not to spec/other',
    );
  });
});

describe('a prompt that changes while a conversation is going on', () => {
  test('tools that are switched off are refused, said once in a note, and come back', async () => {
    const conversation = new Conversation();
    const session = freshSession();
    const whole = await deskOf();
    const without = await deskOf({ hasStore: false });
    const looking = [{ toolCalls: [call('look')] }, { text: 'Done.' }];
    const first = await whole.run(looking, { conversation, session, messages: user('1') });
    const second = await without.run(looking, { conversation, session, messages: user('2') });
    const third = await without.run(looking, { conversation, session, messages: user('3') });
    const fourth = await whole.run(looking, { conversation, session, messages: user('4') });
    expectAppended([first, second, third, fourth].flatMap(({ adapter }) => adapter.requests));
    const notes = conversation.messages.filter((message) => message.role === 'user' && message.note !== undefined);
    expect(notes).toEqual([
      {
        ...{ role: 'user', note: 'operator', tools: { added: [], removed: ['look'] } },
        content: '[Not available any more: look. Calls of them are refused.]',
      },
      {
        ...{ role: 'user', note: 'operator', tools: { added: ['look'], removed: [] } },
        content: '[Available from now on: look.]',
      },
    ]);
    const answers = conversation.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(answers[0]).toBe('0');
    expect(answers[1]).toContain('The tool look is not available any more in this conversation. Nothing was done.');
    expect(answers[2]).toContain('not available any more');
    expect(answers[3]).toMatch(/^0/);
  });

  test('a closed tool is refused with what to open, and nothing is done', async () => {
    const { run } = await deskOf();
    const session = freshSession();
    const { response } = await run([{ toolCalls: [call('extra')] }, { text: 'Done.' }], { session });
    expect(response.transcript.find(({ role }) => role === 'tool')?.content).toContain(
      'The tool extra belongs to the section "more", which is closed. Nothing was done.',
    );
    expect(notesOf(session)).toEqual([]);
  });

  test('the conversation keeps its words, and PromptDrifted names the section once', async () => {
    const conversation = new Conversation({ id: 'c-1' });
    const session = freshSession();
    const events: RunEvent[] = [];
    const options = { conversation, session, onEvent: (event: RunEvent) => void events.push(event) };
    const before = await deskOf();
    const now = await deskOf({ template: 'Help quickly.' });
    const first = await before.run([{ text: 'One.' }], { ...options, messages: user('1') });
    expect(events.some((event) => event instanceof PromptDrifted)).toBe(false);
    const second = await now.run([{ text: 'Two.' }], { ...options, messages: user('2') });
    const third = await now.run([{ text: 'Three.' }], { ...options, messages: user('3') });
    expectAppended([first, second, third].flatMap(({ adapter }) => adapter.requests));
    expect(third.adapter.requests[0]?.messages[0]?.content).toContain('Help.');
    expect(events.filter((event) => event instanceof PromptDrifted)).toMatchObject([
      { conversation: 'c-1', prompt: 'spec/desk', sections: ['desk'] },
    ]);
    // The next conversation has the new words.
    const { adapter } = await now.run([{ text: 'New.' }], { conversation: new Conversation(), messages: user('1') });
    expect(adapter.requests[0]?.messages[0]?.content).toContain('Help quickly.');
  });
});

describe('the prefix of a conversation is measured', () => {
  /** Tells what it sends, as adapters of providers do. */
  class Telling extends ScriptedModel {
    readonly #change: (messages: readonly object[]) => readonly object[];

    constructor(
      script: ConstructorParameters<typeof ScriptedModel>[0],
      change = (messages: readonly object[]) => messages,
    ) {
      super(script);
      this.#change = change;
    }

    override async complete(request: Parameters<ScriptedModel['complete']>[0]) {
      const [system, ...messages] = request.messages;
      const tools = request.offeredTools?.('json-schema') ?? [];
      request.onSent?.({ tools, system: [system], messages: this.#change(messages), parameters: { effort: 'low' } });
      return super.complete({ ...request, onSent: undefined });
    }
  }
  const measured = async (conversation: Conversation, adapter: ModelAdapter, session = new Session()) => {
    const { app, prompt } = await deskOf();
    const events: RunEvent[] = [];
    const onEvent = (event: RunEvent) => void events.push(event);
    await app.evaluate(prompt, { adapter, conversation, session, onEvent, messages: user('Hello.') });
    return events.filter((event) => event instanceof PrefixMeasured);
  };
  const script = [{ toolCalls: [call('look')] }, { text: 'One.' }];

  test('request by request, and across processes by digests: no entry of the one before changes', async () => {
    const conversation = new Conversation({ id: 'c-1', session: 'apart' });
    const first = await measured(conversation, new Telling(script));
    expect(first).toMatchObject([
      { conversation: 'c-1', turn: 1, keptBytes: 0, changedBytes: 0, brokenAt: undefined },
      { conversation: 'c-1', turn: 2, changedBytes: 0, brokenAt: undefined, changedParameters: [] },
    ]);
    const [one, two] = first;
    expect(two?.keptBytes).toBe(one?.newBytes);
    const [next] = await measured(reopened(conversation, logOf(conversation).length), new Telling(script));
    expect(next).toMatchObject({ changedBytes: 0, brokenAt: undefined });
    expect(next?.keptBytes).toBe((two?.keptBytes ?? 0) + (two?.newBytes ?? 0));
  });

  test('an adapter that writes an earlier message in another way is found out, in both cases', async () => {
    // The counts of all specs leave it out (spec/support/prefixCounts.cjs).
    const conversation = new Conversation({ id: 'changed on purpose', session: 'apart' });
    let isChanged = false;
    const change = (messages: readonly object[]) => (isChanged ? [{ other: 1 }, ...messages.slice(1)] : messages);
    const turning = new Telling(
      [
        () => {
          isChanged = true;
          return { toolCalls: [call('look')] };
        },
        { text: 'One.' },
      ],
      change,
    );
    expect((await measured(conversation, turning))[1]).toMatchObject({ brokenAt: 'messages[0]' });
    isChanged = false;
    const [next] = await measured(reopened(conversation, logOf(conversation).length), new Telling(script, change));
    expect(next).toMatchObject({ brokenAt: 'messages' });
  });

  test('a request that the provider refuses is measured as well: the alert of docs/conversations.md fires for it', async () => {
    const conversation = new Conversation({ id: 'changed on purpose', session: 'apart' });
    const { app, prompt } = await deskOf();
    const alerts: string[] = [];
    app.eventBus.subscribe(PrefixMeasured, ({ turn, brokenAt, changedBytes, answered }) => {
      if (changedBytes > 0) alerts.push(`turn ${String(turn)}: ${String(brokenAt)}, answered: ${String(answered)}`);
    });
    const adapter: ModelAdapter = {
      name: 'refusing',
      complete: ({ messages, onSent }) => {
        const isFirst = messages.length === 2;
        onSent?.({ tools: [], system: [], messages: isFirst ? messages : messages.slice(1), parameters: {} });
        if (!isFirst) throw new TypeError('400 thinking is bound to what stood before it');
        const toolCalls = [{ id: 'c', name: 'look', arguments: {} }];
        return Promise.resolve({ text: null, toolCalls, finishReason: 'tool_calls' });
      },
    };
    const run = app.evaluate(prompt, { adapter, conversation, session: new Session(), messages: user('Hello.') });
    await expect(run).rejects.toThrow('400 thinking is bound');
    expect(alerts).toEqual(['turn 2: messages[0], answered: false']);
  });

  test('parameters that may cost the cache are named', async () => {
    const conversation = new Conversation({ id: 'c-1', session: 'apart' });
    const sent = [
      { tool_choice: 'auto', effort: 'low', max_tokens: 10, temperature: 0, stop_sequences: ['.'], stream: false },
      { tool_choice: 'none', effort: 'high', max_tokens: 20, topP: 1, stop: ['.'], stream: true },
    ];
    const adapter = new Telling(script);
    const telling: ModelAdapter = {
      name: adapter.name,
      complete: (request) =>
        adapter.complete({
          ...request,
          onSent: (one) => request.onSent?.({ ...one, parameters: sent[adapter.requests.length] ?? {} }),
        }),
    };
    const [, second] = await measured(conversation, telling);
    expect(second?.changedParameters).toEqual(['tool_choice', 'effort']);
  });
});
