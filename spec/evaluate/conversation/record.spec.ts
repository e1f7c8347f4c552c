import {
  ApprovalPendingError,
  bind,
  Budget,
  BudgetTracker,
  type Message,
  type ModelAdapter,
  Param,
  type PendingCall,
  Session,
  type StreamEvent,
  type ToolContext,
  type Transactional,
} from 'toolwright';
import { Conversation, type RunEntry, type LogPosition, type QuestionReply } from 'toolwright/conversations';
import { FakeClock, ScriptedModel } from 'toolwright/testing';
import { ToolInvoked } from 'toolwright/events';
import { logOf, MemoryRuns, reopened } from '../../support/reopened';
import { silent } from '../../support/silent';
import { call, deskOf, expectAppended, freshSession, Note, notesOf, user } from './desk';

/** The id of the only open question. */
function questionOf({ questions }: Conversation): string {
  const [question] = questions;
  if (question === undefined || questions.length > 1) throw new TypeError(`${String(questions.length)} are open`);
  return question.id;
}

const kindsOf = (entries: readonly RunEntry[]): readonly string[] => entries.map(({ kind }) => kind);

/** A conversation whose process ended after so many entries, in the middle of a call of `note`. */
async function inDoubt(name = 'note') {
  const conversation = new Conversation({ id: 'c-1' });
  const desk = await deskOf();
  await desk.run([{ toolCalls: [call('look'), call(name)] }, { text: 'Done.' }], {
    conversation,
    session: freshSession(),
    messages: user('First.'),
  });
  const length = logOf(conversation).findIndex((entry) => entry.kind === 'outcome' && entry.name === name);
  return { conversation: reopened(conversation, length), messages: conversation.messages };
}

describe('the record of a conversation', () => {
  test('messages of the caller in which the model only called tools are read again', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation({ id: 'c-1' });
    await run([{ text: 'Done.' }], {
      conversation,
      session: freshSession(),
      messages: [
        ...user('First.'),
        { role: 'assistant', content: null, toolCalls: [{ id: 'a', name: 'look', arguments: {} }] },
        { role: 'tool', toolCallId: 'a', name: 'look', content: 'Seen.', failed: false },
        ...user('Second.'),
      ],
    });
    const read = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
    expect(read.messages).toEqual(conversation.messages);
  });

  test.each([
    ['of unknown effect: before and after it', 'note', ['begun', 'outcome']],
    ['whose effects are in its session alone: after it', 'keep', ['outcome']],
    ['that only reads: after it', 'look', ['outcome']],
    ['that fails: before and after it', 'fail', ['begun', 'outcome']],
    ['of no known tool: after it', 'nothing', ['outcome']],
    ['whose arguments do not fit: after it', 'open_sections', ['outcome']],
  ])('the log records a call %s', async (_what, name, entries) => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    await run([{ toolCalls: [call(name)] }, { text: 'Done.' }], { conversation, session: freshSession() });
    expect(kindsOf(logOf(conversation))).toEqual([
      ...['conversation', 'model', 'run', 'answer', ...entries, 'answer', 'end'],
    ]);
  });

  test('a call that begins is safe before its handler starts', async () => {
    const store = new MemoryRuns();
    const seen: (readonly string[])[] = [];
    const { run } = await deskOf({ started: () => void seen.push(kindsOf(store.written)) });
    const conversation = await Conversation.open(store, 'c-1');
    await run([{ toolCalls: [call('note'), call('keep')] }, { text: 'Done.' }], {
      conversation,
      session: freshSession(),
    });
    const before = ['conversation', 'model', 'run', 'answer', 'begun'];
    expect(seen).toEqual([before, [...before, 'outcome']]);
    // Everything else is written no later than the next answer with calls, or the end.
    expect(store.batches).toEqual([3, 1, 1, 1, 3]);
  });

  test('an answer without calls is written with the end of its run, or before the next request', async () => {
    const store = new MemoryRuns();
    const { run } = await deskOf();
    const conversation = await Conversation.open(store, 'c-1');
    const seen: (readonly string[])[] = [];
    const script = ['none', '{"count":"1"}'].map((text) => () => {
      seen.push(kindsOf(store.written));
      return { text };
    });
    class Count {
      @Param('How many.') count!: string;
    }
    await run(script, { conversation, session: freshSession(), messages: user('1'), output: Count });
    const begun = ['conversation', 'model', 'run'];
    expect(seen).toEqual([begun, [...begun, 'answer', 'note']]);
    expect(store.batches).toEqual([3, 2, 2]);
  });

  test('an answer that a stream shows is written before it is shown', async () => {
    const store = new MemoryRuns();
    const { app, prompt } = await deskOf();
    const conversation = await Conversation.open(store, 'c-1');
    const adapter = new ScriptedModel([{ text: 'Done.' }]);
    const seen: (readonly string[])[] = [];
    for await (const event of app.stream(prompt, { adapter, conversation, session: freshSession() }))
      if (event.kind === 'answer') seen.push(kindsOf(store.written));
    expect(seen).toEqual([['conversation', 'model', 'run', 'answer']]);
  });

  test('each call has its changes of the session, and none that changed nothing; the host has its own', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    const session = freshSession();
    session.dispatch(new Note('before'));
    const script = [{ toolCalls: [call('note'), call('fail'), call('keep'), call('look')] }, { text: 'Done.' }];
    await run(script, { conversation, session, messages: user('1') });
    session.dispatch(new Note('between'));
    await run([{ text: 'Yes?' }], { conversation, session, messages: user('2') });
    const entries = logOf(conversation);
    const changed = entries.map((entry) =>
      'session' in entry && entry.session !== undefined ? entry.kind : undefined,
    );
    expect(entries.map((entry, index) => [entry.kind, 'name' in entry ? entry.name : '', changed[index]])).toEqual([
      ...[
        ['conversation', '', undefined],
        ['model', '', undefined],
        ['run', '', 'run'],
        ['answer', '', undefined],
      ],
      ...[
        ['begun', 'note', undefined],
        ['outcome', 'note', 'outcome'],
      ],
      ...[
        ['begun', 'fail', undefined],
        ['outcome', 'fail', undefined],
      ],
      ...[
        ['outcome', 'keep', 'outcome'],
        ['outcome', 'look', undefined],
      ],
      ...[
        ['answer', '', undefined],
        ['end', '', undefined],
      ],
      ...[
        ['run', '', 'run'],
        ['answer', '', undefined],
        ['end', '', undefined],
      ],
    ]);
    const restored = freshSession();
    await run([{ text: 'Yes?' }], {
      conversation: reopened(conversation, entries.length),
      session: restored,
      messages: user('3'),
    });
    expect(notesOf(restored)).toEqual(['before', 'note', 'keep', 'between']);
  });

  test('a finished run whose end was lost makes no request, and returns the same', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    const script = [{ toolCalls: [call('note')] }, { text: 'Done.' }];
    const first = await run(script, { conversation, session: freshSession() });
    const session = freshSession();
    const again = await run([], { conversation: reopened(conversation), session });
    expect(again.response).toMatchObject({ text: 'Done.', transcript: first.response.transcript });
    expect(notesOf(session)).toEqual(['note']);
  });

  test('tokens that were spent before count when the run is continued', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    const usage = { inputTokens: 10, outputTokens: 5 };
    await run([{ toolCalls: [call('note')], usage }, { text: 'Done.' }], { conversation, session: freshSession() });
    const budget = new BudgetTracker(new Budget({ maxToolCalls: 5, maxTotalTokens: 100 }));
    await run([], { conversation: reopened(conversation), session: freshSession(), budget });
    expect(budget.toolCalls).toBe(1);
    expect(budget.limits.find(({ dimension }) => dimension === 'total_tokens')?.used).toBe(15);
  });

  test('a session whose state has no name cannot be recorded, and says so before the run begins', async () => {
    const { run } = await deskOf();
    const session = new Session();
    session.dispatch(new Note('before'));
    const running = run([{ text: 'Done.' }], { conversation: new Conversation(), session });
    await expect(running).rejects.toMatchObject({ code: 'E805' });
    await expect(running).rejects.toThrow('new Session({ slices: [Note] })');
  });

  test('DUR-04 a full disk: the run ends with a code, and nothing more is written', async () => {
    class Full extends MemoryRuns {
      override async append(position: LogPosition, entries: readonly RunEntry[]): Promise<void> {
        if (entries.some(({ kind }) => kind === 'begun')) throw new Error('ENOSPC: no space left on device');
        await super.append(position, entries);
      }
    }
    const store = new Full();
    const conversation = await Conversation.open(store, 'c-1');
    const started: string[] = [];
    const { run, app } = await deskOf({ started: (name) => void started.push(name) });
    const heard: ToolInvoked[] = [];
    app.eventBus.subscribe(ToolInvoked, (event) => void heard.push(event));
    const session = freshSession();
    const running = run([{ toolCalls: [call('keep'), call('note')] }, { text: 'Done.' }], { conversation, session });
    await expect(running).rejects.toMatchObject({ name: 'PromptEvaluationError', code: 'E709' });
    await expect(running).rejects.toThrow('ENOSPC: no space left on device');
    expect(started).toEqual(['keep']);
    expect(kindsOf(store.written)).toEqual(['conversation', 'model', 'run', 'answer']);
    // A log that failed once may hold a part of what was given to it: it has to be opened again.
    await expect(run([{ text: 'x' }], { conversation, session, messages: user('2') })).rejects.toMatchObject({
      code: 'E709',
    });
    expect(kindsOf(store.written)).toEqual(['conversation', 'model', 'run', 'answer']);
    expect(heard.map(({ name }) => name)).toContain('keep');
  });

  test('a run whose end cannot be recorded fails with what stopped it, and the second failure is logged', async () => {
    class Endless extends MemoryRuns {
      override async append(position: LogPosition, entries: readonly RunEntry[]): Promise<void> {
        if (entries.some(({ kind }) => kind === 'end')) throw new Error('ENOSPC: no space left on device');
        await super.append(position, entries);
      }
    }
    const store = new Endless();
    const logged: string[] = [];
    const logger = { ...silent, error: (message: string) => void logged.push(message) };
    const { app, prompt } = await deskOf({ app: { logger } });
    const adapter: ModelAdapter = { name: 'broken', complete: () => Promise.reject(new TypeError('no model')) };
    const conversation = await Conversation.open(store, 'c-1');
    const running = app.evaluate(prompt, { adapter, conversation, session: freshSession(), messages: user('1') });
    await expect(running).rejects.toThrow('no model');
    expect(logged.join()).toMatch(/^The end of the run .+ could not be recorded: .+ENOSPC/s);
    expect(kindsOf(store.written)).toEqual(['conversation', 'model', 'run']);
  });

  test('a call whose changes could not be committed has none when the run is continued', async () => {
    class Broken implements Transactional<Broken> {
      begin(): Broken {
        return new Broken();
      }

      commit(): void {
        throw new Error('no disk');
      }
    }
    const started = (_name: string, { resources }: ToolContext): void => void resources.get(Broken);
    const { run } = await deskOf({ started, app: { resources: [bind(Broken, { value: new Broken() })] } });
    const conversation = new Conversation();
    const script = [{ toolCalls: [call('note')] }, { text: 'Done.' }];
    const session = freshSession();
    const { response } = await run(script, { conversation, session });
    expect(response.transcript.find(({ role }) => role === 'tool')).toMatchObject({ failed: true });
    const restored = freshSession();
    await run([], { conversation: reopened(conversation), session: restored });
    expect([notesOf(session), notesOf(restored)]).toEqual([[], []]);
  });
});

describe('a call that began in a process that ended', () => {
  test('a call in doubt fails by default: the model reads that its effect is not known, and it is not repeated', async () => {
    const started: string[] = [];
    const { conversation } = await inDoubt();
    const { run } = await deskOf({ started: (name) => void started.push(name) });
    const { response } = await run([{ text: 'I will check.' }], { conversation, session: freshSession() });
    expect(response.transcript.filter(({ role }) => role === 'tool')).toMatchObject([
      { name: 'look', content: '0' },
      { name: 'note', failed: true, content: expect.stringContaining('check before you call it again') as string },
    ]);
    expect(started).toEqual([]);
    // It is recorded as such, and stays so.
    const entries = logOf(conversation);
    expect(entries.find((entry) => entry.kind === 'outcome' && entry.name === 'note')).toMatchObject({
      ...{ call: '1.1', outcome: 'failed', message: { failed: true } },
    });
  });

  test('a call that began in a process that ended is repeated if that is allowed, under the same key', async () => {
    const keys: string[] = [];
    const { conversation, messages } = await inDoubt();
    const note = (_name: string, { call: { idempotencyKey } }: ToolContext): void => void keys.push(idempotencyKey);
    const once = await deskOf({ started: note });
    const session = freshSession();
    const options = { conversation: reopened(conversation, logOf(conversation).length), session };
    await once.run([{ text: 'Done.' }], { ...options, onUnknown: 'repeat' });
    expect(notesOf(session)).toEqual(['note']);
    const twice = await deskOf({ started: note });
    const other = reopened(conversation, logOf(conversation).length);
    await twice.run([{ text: 'Done.' }], { conversation: other, session: freshSession(), onUnknown: 'repeat' });
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    expect(other.messages).toEqual(messages);
  });

  test.each([
    ['repeat', 'fail', ['note']],
    ['fail', 'repeat', []],
    ['ask', 'repeat', undefined],
  ] as const)(
    'a call that began in a process that ended is decided by its tool (%s) before the run (%s)',
    async (tool, run, notes) => {
      const { conversation } = await inDoubt();
      const desk = await deskOf({ onUnknown: tool });
      const session = freshSession();
      const going = desk.run([{ text: 'Done.' }], { conversation, session, onUnknown: run });
      if (notes === undefined) await expect(going).rejects.toMatchObject({ code: 'E731' });
      else expect((await going).response.text).toBe('Done.');
      expect(notesOf(session)).toEqual(notes ?? []);
      expect(conversation.questions).toHaveLength(notes === undefined ? 1 : 0);
    },
  );

  test('a call that began in a process that ended is decided by the run if its tool is not there any more', async () => {
    const { conversation } = await inDoubt('fail');
    const { run } = await deskOf({ onUnknown: 'repeat' });
    const { response } = await run([{ text: 'Done.' }], { conversation, session: freshSession() });
    expect(response.transcript.filter(({ role }) => role === 'tool').at(-1)).toMatchObject({
      content: expect.stringContaining('It is not known whether') as string,
    });
  });

  const replies: readonly [string, QuestionReply, object, readonly string[]][] = [
    ['to run it again', { kind: 'repeat' }, { failed: false, content: 'note 1' }, ['note']],
    ['what became of it', { kind: 'outcome', text: 'It was noted.' }, { failed: false, content: 'It was noted.' }, []],
    [
      'that it stays unknown',
      { kind: 'denied', reason: 'nobody knows' },
      { failed: true, content: expect.stringContaining('It is not known whether') as string },
      [],
    ],
  ];
  test.each(replies)(
    'a call that began in a process that ended is a question if that is chosen, whose reply says %s',
    async (_what, reply, message, notes) => {
      const { conversation } = await inDoubt();
      const clock = new FakeClock();
      const { run } = await deskOf({ app: { clock } });
      const session = freshSession();
      const options = { conversation, session, onUnknown: 'ask' } as const;
      await expect(run([], options)).rejects.toMatchObject({ code: 'E731' });
      expect(conversation.questions).toEqual([
        {
          kind: 'question',
          id: expect.stringMatching(/./) as string,
          ...{ call: '1.1', name: 'note', arguments: {}, about: 'unknown', askedAt: clock.now() },
        },
      ]);
      // Asked once, also in another process.
      const other = reopened(conversation, logOf(conversation).length);
      await expect(run([], { ...options, session: freshSession(), conversation: other })).rejects.toMatchObject({
        code: 'E731',
      });
      expect(other.questions).toHaveLength(1);
      const id = questionOf(other);
      expect(await other.reply(id, reply)).toBe('taken');
      expect(await other.reply(id, { kind: 'repeat' })).toBe('late');
      expect(other.questions).toEqual([]);
      const restored = freshSession();
      const { response } = await run([{ text: 'Done.' }], {
        ...options,
        session: restored,
        conversation: reopened(other, logOf(other).length),
      });
      expect(response.transcript.filter(({ role }) => role === 'tool').at(-1)).toMatchObject({
        name: 'note',
        ...message,
      });
      expect(notesOf(restored)).toEqual(notes);
    },
  );

  test('a reply is about one beginning: a call that runs again and is cut off again is asked about again', async () => {
    const { conversation } = await inDoubt();
    const { run } = await deskOf();
    const options = { session: freshSession(), onUnknown: 'ask' } as const;
    await expect(run([], { ...options, conversation })).rejects.toMatchObject({ code: 'E731' });
    await conversation.reply(questionOf(conversation), { kind: 'repeat' });
    await run([{ text: 'Done.' }], { ...options, conversation });
    const length = logOf(conversation).findIndex((entry) => entry.kind === 'outcome' && entry.name === 'note');
    const again = reopened(conversation, length);
    const next = { session: freshSession(), onUnknown: 'ask', conversation: again } as const;
    await expect(run([], next)).rejects.toMatchObject({ code: 'E731' });
    expect(again.questions).toMatchObject([{ call: '1.1', about: 'unknown' }]);
    expect(await again.reply(questionOf(again), { kind: 'outcome', text: 'Noted once.' })).toBe('taken');
    expect((await run([{ text: 'Done.' }], next)).response.text).toBe('Done.');
  });

  test('another message gives the run up: its open calls are answered, and its questions are closed', async () => {
    const { conversation } = await inDoubt();
    const { run } = await deskOf();
    const session = freshSession();
    await expect(run([], { conversation, session, onUnknown: 'ask' })).rejects.toMatchObject({ code: 'E731' });
    const id = questionOf(conversation);
    const { response } = await run([{ text: 'Never mind.' }], { conversation, session, messages: user('Stop.') });
    expect(response.transcript.filter(({ role }) => role === 'tool')).toMatchObject([
      { name: 'look' },
      { name: 'note', failed: true, content: expect.stringContaining('It is not known whether') as string },
    ]);
    expect(logOf(conversation).find(({ kind }) => kind === 'end')).toMatchObject({ how: 'abandoned' });
    expect(conversation.questions).toEqual([]);
    expect(await conversation.reply(id, { kind: 'repeat' })).toBe('late');
  });
});

describe('a call that waits for an approval', () => {
  /** A desk whose approver answers later; what it was asked. */
  const waiting = async () => {
    const asked: string[] = [];
    const desk = await deskOf({
      app: {
        approver: {
          approve: ({ tool }) => {
            asked.push(tool.name);
            return { kind: 'later' };
          },
        },
      },
      needsApproval: true,
    });
    return { ...desk, asked };
  };
  const script = [{ toolCalls: [call('keep'), call('note'), call('look')] }, { text: 'Done.' }];

  test.each([
    ['approved', { kind: 'approved' }, ['keep 1', 'note 2', '2'], ['keep', 'note']],
    [
      'refused',
      { kind: 'denied', reason: 'too late' },
      ['keep 1', 'The call of note was denied: too late', '1'],
      ['keep'],
    ],
  ] as const)(
    'a call that waits parks the run, which goes on where it was once the call is %s',
    async (_what, reply, answers, notes) => {
      const { run, asked } = await waiting();
      const store = new MemoryRuns();
      const conversation = await Conversation.open(store, 'c-1');
      const session = freshSession();
      await expect(run(script, { conversation, session, messages: user('1') })).rejects.toMatchObject({ code: 'E711' });
      expect(kindsOf(store.written)).toEqual(['conversation', 'model', 'run', 'answer', 'outcome', 'question']);
      expect(conversation.questions).toMatchObject([{ call: '1.1', name: 'note', about: 'approval' }]);
      expect(await conversation.reply(questionOf(conversation), reply)).toBe('taken');
      const { response, adapter } = await run(script.slice(1), { conversation, session });
      expect(adapter.requests).toHaveLength(1);
      const said = response.transcript
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content?.split('\n')[0]);
      expect(said).toEqual(answers);
      expect([notesOf(session), asked]).toEqual([notes, ['note']]);
    },
  );

  test('a call that waits for an approval is answered in its conversation alone: its record is refused elsewhere, and nothing runs', async () => {
    const { app, prompt, run } = await waiting();
    const conversation = new Conversation();
    const session = freshSession();
    const error: unknown = await run(script, { conversation, session, messages: user('1') }).catch(
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ApprovalPendingError)) throw new TypeError('it did not wait');
    const pending = JSON.parse(JSON.stringify(error.pending)) as PendingCall;
    await expect(
      app.continueCall(await prompt.render({ session }), pending, { kind: 'approved' }, { session }),
    ).rejects.toMatchObject({
      code: 'E712',
      message: expect.stringContaining('its conversation waits for the answer') as string,
    });
    expect(notesOf(session)).toEqual(['keep']);
  });

  test('a call that waits for an approval waits apart in a run without a conversation, and is continued by its record', async () => {
    const { app, prompt, run } = await waiting();
    const session = freshSession();
    const error: unknown = await run(script, { session, messages: user('1') }).catch((thrown: unknown) => thrown);
    if (!(error instanceof ApprovalPendingError)) throw new TypeError('it did not wait');
    const outcome = await app.continueCall(
      await prompt.render({ session }),
      error.pending,
      { kind: 'approved' },
      { session },
    );
    expect([outcome.kind, notesOf(session)]).toEqual(['succeeded', ['keep', 'note']]);
  });

  test('a stream shows the question before it throws, and again to a reader who returns without a reply', async () => {
    const { app, prompt } = await waiting();
    const conversation = new Conversation();
    const session = freshSession();
    const readToQuestion = async (messages?: readonly Message[]) => {
      const events: StreamEvent[] = [];
      const adapter = new ScriptedModel(script);
      const reading = async (): Promise<void> => {
        for await (const event of app.stream(prompt, { adapter, conversation, session, messages })) events.push(event);
      };
      await expect(reading()).rejects.toMatchObject({ code: expect.stringMatching(/^E7(11|31)$/) as string });
      return events.at(-1);
    };
    const [question] = [await readToQuestion(user('1'))];
    expect(question).toMatchObject({ kind: 'question', turn: 1, seq: 6, call: '1.1', name: 'note', about: 'approval' });
    expect(question).toMatchObject({ id: questionOf(conversation) });
    expect(await readToQuestion()).toEqual(question);
  });

  test('a log with a second reply to its question is refused: the first one counts', async () => {
    const { run } = await waiting();
    const conversation = new Conversation();
    const going = run(script, { conversation, session: freshSession(), messages: user('1') });
    await expect(going).rejects.toMatchObject({ code: 'E711' });
    await conversation.reply(questionOf(conversation), { kind: 'denied', reason: 'no' });
    const json = JSON.parse(JSON.stringify(conversation)) as { entries: RunEntry[] };
    const last = json.entries.at(-1);
    const second = { ...last, reply: { kind: 'approved' } } as RunEntry;
    expect(() => Conversation.fromJSON({ ...json, entries: [...json.entries, second] })).toThrow(
      expect.objectContaining({ code: 'E709', message: expect.stringContaining('a second reply') as string }) as Error,
    );
  });

  test('an approved call that began in a process that ended is in doubt as any other; its approval stays', async () => {
    const { run, asked } = await waiting();
    const conversation = new Conversation();
    const session = freshSession();
    await expect(run(script, { conversation, session, messages: user('1') })).rejects.toMatchObject({ code: 'E711' });
    await conversation.reply(questionOf(conversation), { kind: 'approved' });
    await run(script.slice(1), { conversation, session });
    const length = logOf(conversation).findIndex(({ kind }) => kind === 'begun') + 1;
    const failing = { conversation: reopened(conversation, length), session: freshSession() };
    const failed = await run(script.slice(1), failing);
    expect(failed.response.transcript.filter(({ role }) => role === 'tool')).toMatchObject([
      { name: 'keep', failed: false },
      { name: 'note', failed: true, content: expect.stringContaining('It is not known whether') as string },
      { name: 'look', failed: false },
    ]);
    expect(notesOf(failing.session)).toEqual(['keep']);
    const repeating = { conversation: reopened(conversation, length), session: freshSession() };
    await run(script.slice(1), { ...repeating, onUnknown: 'repeat' });
    expect(notesOf(repeating.session)).toEqual(['keep', 'note']);
    expect(asked).toEqual(['note']);
  });

  test('another message gives it up: it is answered as not run', async () => {
    const { run } = await waiting();
    const conversation = new Conversation();
    const session = freshSession();
    await expect(run(script, { conversation, session, messages: user('1') })).rejects.toMatchObject({ code: 'E711' });
    const second = await run([{ text: 'Fine.' }], { conversation, session, messages: user('Leave it.') });
    expectAppended(second.adapter.requests);
    expect(second.response.transcript.filter(({ role }) => role === 'tool')).toMatchObject([
      { name: 'keep', failed: false },
      { name: 'note', failed: true, content: expect.stringContaining('was not run') as string },
      { name: 'look', failed: true, content: expect.stringContaining('was not run') as string },
    ]);
    expect(notesOf(session)).toEqual(['keep']);
  });
});
