import {
  bind,
  Deadline,
  defineTool,
  Param,
  ReadOnlyViolationError,
  Session,
  ToolContext,
  ToolRefusal,
  ToolResult,
} from 'toolwright';
import { type CallContext, DeadlineFeedback, type FeedbackProvider, StaticFeedback } from 'toolwright/policies';
import { Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { FakeClock } from 'toolwright/testing';
import { FeedbackGiven, ToolInvoked } from 'toolwright/events';
import { deskOf, Ledger, Note, writeBoth } from './desk';

const always = { everyCalls: 1 };
const advice = (text: string): FeedbackProvider => new StaticFeedback(text, always);
const saying = (provide: FeedbackProvider['provide'], trigger: FeedbackProvider['trigger'] = always) => ({
  name: 'house',
  trigger,
  provide,
});
/** A tool that answers `done.`, with feedback. */
const talker = (...feedback: readonly FeedbackProvider[]) =>
  defineTool({ name: 'talk', description: 'Talks.', feedback, handler: () => 'done.' });

describe('feedback on a call', () => {
  test('feedback follows the text of the call, after a blank line, and is distinguishable from it', async () => {
    const desk = await deskOf([talker(advice('Mind the gap.'))]);
    const outcome = await desk.call('talk');
    expect(outcome).toMatchObject({ kind: 'succeeded', text: 'done.\n\n[Guidance: Mind the gap.]' });
    expect(outcome.result.value).toBe('done.');
  });

  test('feedback of several providers is in their order: the tool, its section, its prompt', async () => {
    const desk = await deskOf([talker(advice('One.'), advice('Two.'))]);
    expect((await desk.call('talk')).text).toBe('done.\n\n[Guidance: One.]\n\n[Guidance: Two.]');
  });

  test('feedback is all the text where the tool returns no message', async () => {
    const mute = defineTool({
      name: 'mute',
      description: 'Says nothing.',
      feedback: [advice('Go on.')],
      handler: () => new ToolResult({ message: '' }),
    });
    const desk = await deskOf([mute]);
    expect((await desk.call('mute')).text).toBe('[Guidance: Go on.]');
  });

  test('feedback is part of the text in ToolInvoked, and an event of its own after it', async () => {
    const desk = await deskOf([talker(advice('Mind the gap.'))], { clock: new FakeClock(7_000), ids: () => 'id' });
    const told: object[] = [];
    await desk.call('talk', {}, { runMetadata: { userId: 'u1' }, onEvent: (event) => told.push(event) });
    expect(told.map((event) => event.constructor)).toEqual([ToolInvoked, FeedbackGiven]);
    expect(told[0]).toMatchObject({ toolMessage: 'done.\n\n[Guidance: Mind the gap.]', renderedOutput: 'done.' });
    expect(Object.fromEntries(Object.entries(told[1] ?? {}))).toEqual({
      id: 'id',
      time: 7_000,
      sessionId: desk.session.id,
      runMetadata: { userId: 'u1' },
      name: 'talk',
      callId: 'id',
      provider: 'static',
      text: 'Mind the gap.',
    });
  });

  test('feedback on a call reaches the reducers of the session, too', async () => {
    const desk = await deskOf([talker(advice('Mind the gap.'))]);
    desk.session
      .slice(Note)
      .register(FeedbackGiven, (_view, { text }) => ({ kind: 'append', value: new Note(text) }) as never);
    const heard: string[] = [];
    desk.app.eventBus.subscribe(FeedbackGiven, ({ text }) => void heard.push(text));
    await desk.call('talk');
    expect(heard).toEqual(['Mind the gap.']);
  });

  test.each([undefined, '', ' \n '])('a provider that returns %j gives no feedback', async (said) => {
    const desk = await deskOf([talker(saying(() => said))]);
    const told: object[] = [];
    expect((await desk.call('talk', {}, { onEvent: (event) => told.push(event) })).text).toBe('done.');
    expect(told.map((event) => event.constructor)).toEqual([ToolInvoked]);
    expect(desk.logged).toEqual([]);
  });

  test('feedback on a call comes after failed calls, which stay what they are', async () => {
    const fail = defineTool({
      name: 'fail',
      description: 'Fails.',
      feedback: [saying((_call, { kind, text }) => `${kind}: ${text}`)],
      handler(_params: unknown, context: ToolContext): string {
        writeBoth(context, 'lost');
        throw new ToolRefusal('Not now.');
      },
    });
    const desk = await deskOf([fail]);
    expect(await desk.call('fail')).toMatchObject({
      kind: 'failed',
      text: 'Not now.\n\n[Guidance: failed: Not now.]',
    });
    expect(desk.state()).toEqual({ notes: ['first'], lines: ['first'] });
  });

  test('feedback does not follow calls that never ran, and they do not count', async () => {
    class Asked {
      @Param('Words') words!: string;
    }
    const ask = defineTool({
      name: 'ask',
      description: 'Asks.',
      params: Asked,
      feedback: [new StaticFeedback('Second.', { everyCalls: 2 })],
      handler: () => 'ok',
    });
    const desk = await deskOf([ask]);
    const texts = [];
    for (const [name, args] of [
      ['ask', { words: 'a' }],
      ['ask', {}],
      ['asc', {}],
      ['ask', { words: 'b' }],
    ] as const)
      texts.push((await desk.call(name, args)).text.includes('Guidance'));
    expect(texts).toEqual([false, false, false, true]);
  });

  test('there is no feedback when an error propagates from the dispatcher', async () => {
    const asked = jest.fn(() => 'Too late.');
    const end = defineTool({ name: 'end', description: 'No handler.', feedback: [saying(asked)], handler: null });
    const desk = await deskOf([end]);
    await expect(desk.call('end')).rejects.toMatchObject({ code: 'E601' });
    expect(asked).not.toHaveBeenCalled();
  });

  test('feedback does not follow calls that a handler makes, and they do not count', async () => {
    const twice = new StaticFeedback('Second.', { everyCalls: 2 });
    const inner = defineTool({ name: 'inner', description: 'Inner.', feedback: [twice], handler: () => 'in' });
    const outer = defineTool({
      name: 'outer',
      description: 'Outer.',
      feedback: [twice],
      async handler(_params: unknown, context: ToolContext) {
        return (await context.callTool({ id: 'c', name: 'inner', arguments: {} })).text;
      },
    });
    const desk = await deskOf([inner, outer]);
    expect((await desk.call('outer')).text).toBe('in');
    expect((await desk.call('outer')).text).toBe('in\n\n[Guidance: Second.]');
  });
});

describe('the view of a feedback provider', () => {
  test('a feedback provider sees the call, its params, its outcome, and the state that it left', async () => {
    class Line {
      @Param('Text') text!: string;
    }
    const seen: unknown[] = [];
    const write = defineTool({
      name: 'write',
      description: 'Writes.',
      params: Line,
      feedback: [
        saying(({ tool, call, params }, { kind }, context) => {
          const notes = context.session.slice(Note).all();
          const { lines } = context.resources.get(Ledger);
          seen.push([tool.name, call.id, params instanceof Line && params.text, kind, notes.length, lines.at(-1)]);
          expect(context.call).toMatchObject({ id: call.id, name: 'write' });
          expect(context.deadline).toBeNull();
          return undefined;
        }),
      ],
      handler({ text }, context) {
        writeBoth(context, text);
      },
    });
    const desk = await deskOf([write]);
    const outcome = await desk.app.callTool(
      desk.rendered,
      { id: 'c1', name: 'write', arguments: { text: 'second' } },
      { session: desk.session },
    );
    expect(outcome.kind).toBe('succeeded');
    expect(seen).toEqual([['write', 'c1', 'second', 'succeeded', 2, 'second']]);
  });

  test.each([
    [
      'the session',
      ({ session }: CallContext) => {
        session.dispatch(new Note('mine'));
      },
    ],
    [
      'a slice',
      ({ session }: CallContext) => {
        session.slice(Note).clear();
      },
    ],
  ])('a feedback provider cannot change %s', async (_what, change) => {
    const desk = await deskOf([
      talker(
        saying((_call, _outcome, context) => {
          change(context);
          return 'Changed.';
        }),
      ),
    ]);
    expect((await desk.call('talk')).text).toBe('done.');
    expect(desk.state()).toEqual({ notes: ['first'], lines: ['first'] });
    expect(desk.logged).toMatchObject([{ level: 'warn', fields: { error: { name: ReadOnlyViolationError.name } } }]);
  });

  test('a feedback provider cannot change a resource, whose overlay is dropped', async () => {
    const desk = await deskOf([
      talker(
        saying((_call, _outcome, { resources }) => {
          resources.get(Ledger).write('mine');
          return 'Done.';
        }),
      ),
    ]);
    await desk.call('talk');
    expect(desk.state()).toEqual({ notes: ['first'], lines: ['first'] });
  });

  test('the context of a feedback provider is closed when it has answered', async () => {
    let kept: CallContext | undefined;
    const desk = await deskOf([
      talker(
        saying((_call, _outcome, context) => {
          kept = context;
          return undefined;
        }),
      ),
    ]);
    await desk.call('talk');
    expect(() => kept?.session).toThrow(expect.objectContaining({ code: 'E602' }) as Error);
  });
});

describe('a feedback provider that fails', () => {
  const hangs = () => new Promise<string>(() => undefined);
  test.each<[string, FeedbackProvider['provide']]>([
    [
      'throws',
      () => {
        throw new Error('no idea');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no idea'))],
    ['gives a number', () => 3 as never],
    ['gives null', () => null as never],
    ['gives an object', () => ({ text: 'x' }) as never],
  ])(
    'a feedback provider that fails and %s adds nothing: the outcome stays, a warning is logged, the next one is asked',
    async (_how, provide) => {
      const desk = await deskOf([talker(saying(provide), advice('Go on.'))]);
      expect(await desk.call('talk')).toMatchObject({ kind: 'succeeded', text: 'done.\n\n[Guidance: Go on.]' });
      expect(desk.logged).toMatchObject([
        { level: 'warn', message: expect.stringMatching(/^Feedback provider house failed after talk: /) as unknown },
      ]);
    },
  );

  test('a feedback provider that hangs is abandoned, and its later answer is ignored', async () => {
    jest.useFakeTimers();
    try {
      const desk = await deskOf([talker(saying(hangs), advice('Go on.'))]);
      const outcome = desk.call('talk');
      await jest.advanceTimersByTimeAsync(5_000);
      expect((await outcome).text).toBe('done.\n\n[Guidance: Go on.]');
      expect(desk.logged).toMatchObject([
        { level: 'warn', message: expect.stringContaining('within 5000 ms') as unknown },
      ]);
    } finally {
      jest.useRealTimers();
    }
  });

  test('a feedback provider that hangs is abandoned when the caller aborts', async () => {
    const caller = new AbortController();
    const desk = await deskOf([
      talker(
        saying(() => {
          caller.abort(new Error('enough'));
          return hangs();
        }),
      ),
    ]);
    expect((await desk.call('talk', {}, { signal: caller.signal })).text).toBe('done.');
    expect(desk.logged).toMatchObject([
      { level: 'warn', message: 'Feedback provider house failed after talk: the caller gave up' },
    ]);
  });

  test('a feedback provider cannot break a call by the file that it waits for', async () => {
    const files = new InMemoryFilesystem();
    files.stat = () => Promise.reject(new Error('disk on fire'));
    const bound = { resources: [bind(Filesystem, { provide: () => files, scope: 'toolCall' })] };
    const desk = await deskOf([talker(new StaticFeedback('Read it.', { fileCreated: 'a.md' }))], bound);
    expect((await desk.call('talk')).text).toBe('done.');
    expect(desk.logged).toMatchObject([{ level: 'warn' }]);
  });
});

describe('feedback and secrets', () => {
  const login = (provide: FeedbackProvider['provide']) => {
    class Credentials {
      @Param({ description: 'Password', secret: true }) password!: string;
    }
    return defineTool({
      name: 'login',
      description: 'Logs in.',
      params: Credentials,
      feedback: [saying(provide)],
      handler: () => 'ok',
    });
  };

  test('a secret of the call reaches neither the model nor the event nor the log', async () => {
    const spill = login(({ params }) => `\n You used ${(params as { password: string }).password}. \n`);
    const desk = await deskOf([spill]);
    const told: object[] = [];
    const outcome = await desk.call('login', { password: 'hunter22' }, { onEvent: (event) => told.push(event) });
    expect(outcome.text).toBe('ok\n\n[Guidance: You used [secret].]');
    expect(JSON.stringify(told)).not.toContain('hunter22');

    const throwing = await deskOf([
      login(({ params }) => {
        throw new Error(`No ${(params as { password: string }).password}`);
      }),
    ]);
    await throwing.call('login', { password: 'hunter22' });
    expect(throwing.logged).toHaveLength(1);
    expect(throwing.logged[0]?.message).not.toContain('hunter22');
  });

  test('the hook keeps texts out of the event, and not from the model', async () => {
    const redact = (text: string) => text.replaceAll('4711', '****');
    const desk = await deskOf([talker(advice('Use 4711.'))], { redact });
    const texts: string[] = [];
    desk.app.eventBus.subscribe(FeedbackGiven, ({ text }) => void texts.push(text));
    expect((await desk.call('talk')).text).toContain('4711');
    expect(texts).toEqual(['Use ****.']);
  });
});

describe('the cadence of feedback', () => {
  const spoke = ({ text }: { readonly text: string }): boolean => text.includes('[Guidance');

  test('the cadence of feedback belongs to one session: another one counts for itself', async () => {
    const desk = await deskOf([talker(new StaticFeedback('Third.', { everyCalls: 3 }))]);
    const [one, other] = [new Session(), new Session()];
    const heard: boolean[] = [];
    for (const session of [one, other, one, other, one, one, other])
      heard.push(spoke(await desk.call('talk', {}, { session })));
    expect(heard).toEqual([false, false, false, false, true, false, true]);
  });

  test('the cadence of feedback belongs to one instance, over all tools that list it', async () => {
    const third = new StaticFeedback('Third.', { everyCalls: 3 });
    const tool = (name: string) => defineTool({ name, description: 'Talks.', feedback: [third], handler: () => name });
    const desk = await deskOf([tool('a'), tool('b')]);
    const heard: boolean[] = [];
    for (const name of ['a', 'b', 'b', 'a', 'a', 'b']) heard.push(spoke(await desk.call(name)));
    expect(heard).toEqual([false, false, true, false, false, true]);
  });

  test('the cadence continues over the runs of a session', async () => {
    const desk = await deskOf([talker(new StaticFeedback('Second.', { everyCalls: 2 }))]);
    await desk.app.callTools(desk.rendered, [{ id: 'a', name: 'talk', arguments: {} }], { session: desk.session });
    expect(spoke(await desk.call('talk'))).toBe(true);
  });

  test('the cadence of feedback counts calls that run together in their order', async () => {
    const order: string[] = [];
    class Wait {
      @Param('Name') name!: string;
    }
    const look = defineTool({
      name: 'look',
      description: 'Reads.',
      hints: { readOnly: true },
      params: Wait,
      feedback: [new StaticFeedback('Second.', { everyCalls: 2 })],
      async handler({ name }) {
        // The first of a pair ends last.
        if (['a', 'c'].includes(name)) await new Promise((resolve) => setTimeout(resolve, 10));
        order.push(name);
        return name;
      },
    });
    const desk = await deskOf([look]);
    const calls = ['a', 'b', 'c', 'd'].map((name) => ({ id: name, name: 'look', arguments: { name } }));
    const outcomes = await desk.app.callTools(desk.rendered, calls, { session: desk.session });
    expect(outcomes.map(spoke)).toEqual([false, true, false, true]);
    expect(order.indexOf('b')).toBeLessThan(order.indexOf('a'));
  });

  test('feedback by time: from the first call on, and then from the last time', async () => {
    const clock = new FakeClock();
    const slow = defineTool({
      name: 'slow',
      description: 'Takes a second.',
      feedback: [new StaticFeedback('A while.', { everySeconds: 2 })],
      handler() {
        clock.advance(1_000);
      },
    });
    const desk = await deskOf([slow], { clock });
    const heard: boolean[] = [];
    for (let call = 0; call < 5; call++) heard.push(spoke(await desk.call('slow')));
    expect(heard).toEqual([false, true, false, true, false]);
  });

  test('feedback by file: once, with the call that committed it, and never for one that was rolled back', async () => {
    const files = new InMemoryFilesystem();
    const written = new StaticFeedback('AGENTS.md detected.', { fileCreated: 'AGENTS.md' });
    class Write {
      @Param('Keep') keep!: boolean;
    }
    const make = defineTool({
      name: 'make',
      description: 'Makes a file.',
      params: Write,
      feedback: [written],
      async handler({ keep }, context) {
        await context.filesystem?.write('AGENTS.md', 'x');
        if (!keep) throw new Error('no');
      },
    });
    const talk = talker(written);
    const desk = await deskOf([make, talk], { resources: [bind(Filesystem, { value: files })] });
    const heard: boolean[] = [];
    heard.push(spoke(await desk.call('talk')), spoke(await desk.call('make', { keep: false })));
    heard.push(spoke(await desk.call('make', { keep: true })), spoke(await desk.call('talk')));
    expect(heard).toEqual([false, false, true, false]);
  });

  test('feedback by file: never without a filesystem', async () => {
    const desk = await deskOf([talker(new StaticFeedback('Read it.', { fileCreated: 'a.md' }))]);
    expect(spoke(await desk.call('talk'))).toBe(false);
    expect(desk.logged).toEqual([]);
  });

  test('feedback by deadline: the time that is left after the call', async () => {
    const clock = new FakeClock();
    const work = defineTool({
      name: 'work',
      description: 'Works for a minute.',
      feedback: [new DeadlineFeedback({ trigger: always, warningThresholdSeconds: 60 })],
      handler() {
        clock.advance(60_000);
      },
    });
    const desk = await deskOf([work], { clock });
    const deadline = Deadline.in(150_000, clock);
    const texts = [await desk.call('work', {}, { deadline }), await desk.call('work', {}, { deadline })];
    expect(texts[0]?.text).toContain('[Guidance: 1 min 30 s left for this task.]');
    expect(texts[1]?.text).toContain('[Guidance: Only 30 s left for this task. Finish');
    expect((await desk.call('work', {}, { deadline })).text).toContain('The time for this task is over.');
    expect((await desk.call('work')).text).not.toContain('Guidance');
  });
});

describe('a call without feedback', () => {
  test('a call without feedback does not wait: its outcome is available as soon as its handler has answered', async () => {
    /** The number of steps of the event loop that a call takes. */
    const stepsOf = async (...feedback: readonly FeedbackProvider[]): Promise<number> => {
      const desk = await deskOf([talker(...feedback)]);
      const over = { yet: false };
      let steps = 0;
      void desk.call('talk').then(() => (over.yet = true));
      for (; !over.yet; steps++) await Promise.resolve();
      return steps;
    };
    expect(await stepsOf()).toBeLessThan(await stepsOf(saying(() => undefined, { everyCalls: 9 })));
  });
});
