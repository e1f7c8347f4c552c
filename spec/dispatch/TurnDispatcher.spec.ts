import { setTimeout as sleep, setImmediate as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { defineTool, Param, PromptEvaluationError, ToolResult, type ToolContext, type ToolHints } from 'toolwright';
import { deskOf, Ledger, Note, rejection, UNTOUCHED, writeBoth } from './desk';

class Wait {
  @Param('Milliseconds') ms = 0;
}
/** Waits for turns of the event loop: who waits for fewer ends first, however busy the machine is. */
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await pause();
};
/** A tool that writes into `log` when it starts and when it ends. */
const timed = (name: string, hints: ToolHints, log: string[], wait: (ms: number) => Promise<unknown> = sleep) =>
  defineTool({
    name,
    description: 'Waits.',
    params: Wait,
    hints,
    handler: async ({ ms }, { call }) => {
      log.push(`+${call.id}`);
      await wait(ms);
      log.push(`-${call.id}`);
      return call.id;
    },
  });
const callOf = (id: string, name: string, ms = 0) => ({ id, name, arguments: { ms } });

describe('the calls of one turn', () => {
  test('run read-only ones together, and every other one alone', async () => {
    const log: string[] = [];
    const desk = await deskOf([timed('look', { readOnly: true }, log, turns), timed('act', {}, log, turns)]);
    const calls = [
      callOf('r1', 'look', 20),
      callOf('r2', 'look', 5),
      callOf('w1', 'act', 5),
      callOf('w2', 'act', 1),
      callOf('r3', 'look', 10),
      callOf('r4', 'look', 1),
    ];
    await desk.app.callTools(desk.rendered, calls, { session: desk.session });
    expect(log).toEqual('+r1 +r2 -r2 -r1 +w1 -w1 +w2 -w2 +r3 +r4 -r4 -r3'.split(' '));
  });

  test('CONC-04 outcomes are in call order, whatever the order in which calls end', async () => {
    const desk = await deskOf([timed('look', { readOnly: true }, [], turns)]);
    const calls = [callOf('a', 'look', 20), callOf('b', 'look', 10), callOf('c', 'look', 1)];
    const outcomes = await desk.app.callTools(desk.rendered, calls, { session: desk.session });
    expect(outcomes.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    expect(desk.events.map(({ callId }) => callId)).toEqual(['c', 'b', 'a']);
  });

  test('CONC-06 a call whose id was met before is answered from the first, and not run again', async () => {
    let runs = 0;
    const act = defineTool({ name: 'act', description: 'Acts.', handler: () => ++runs });
    const desk = await deskOf([act]);
    const calls = ['x', 'y', 'x'].map((id) => ({ id, name: 'act', arguments: {} }));
    const outcomes = await desk.app.callTools(desk.rendered, calls, { session: desk.session });
    expect(outcomes.map(({ text }) => text)).toEqual(['1', '2', '1']);
    expect(outcomes[2]).toBe(outcomes[0]);
    expect(desk.events).toHaveLength(2);
    await desk.app.callTools(desk.rendered, [{ id: 'x', name: 'act', arguments: {} }]);
    expect(runs).toBe(3);
  });

  test('CONC-06 equal calls run once also when their ids are adjacent among read-only calls', async () => {
    const log: string[] = [];
    const desk = await deskOf([timed('look', { readOnly: true }, log)]);
    const calls = [callOf('x', 'look', 5), callOf('x', 'look', 5)];
    const outcomes = await desk.app.callTools(desk.rendered, calls);
    expect(log).toEqual(['+x', '-x']);
    expect(outcomes.map(({ text }) => text)).toEqual(['x', 'x']);
  });

  test('the calls of one turn go on after a call that failed', async () => {
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: (_params: unknown, context: ToolContext) => {
          writeBoth(context, context.call.id);
          if (context.call.id === 'b') throw new Error('boom');
        },
      }),
    ]);
    const calls = [
      ...['a', 'b'].map((id) => ({ id, name: 'act', arguments: {} })),
      { id: 'n', name: 'nope', arguments: {} },
      { id: 'j', name: 'act', arguments: '{' },
      { id: 'c', name: 'act', arguments: {} },
    ];
    const outcomes = await desk.app.callTools(desk.rendered, calls, { session: desk.session });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['succeeded', 'failed', 'unknown', 'rejected', 'succeeded']);
    expect(desk.state()).toEqual({ notes: ['first', 'a', 'c'], lines: ['first', 'a', 'c'] });
    expect(desk.events).toHaveLength(5);
  });

  test('an error that propagates ends the turn: earlier calls keep their effects, later ones do not start', async () => {
    const log: string[] = [];
    const desk = await deskOf([
      timed('act', {}, log),
      defineTool({ name: 'advertised', description: 'Only said.', handler: null }),
    ]);
    const calls = [callOf('a', 'act'), { id: 'b', name: 'advertised', arguments: {} }, callOf('c', 'act')];
    const error = await rejection(desk.app.callTools(desk.rendered, calls, { session: desk.session }));
    expect(error).toMatchObject({ code: 'E601' });
    expect(log).toEqual(['+a', '-a']);
    expect(desk.events.map(({ callId }) => callId)).toEqual(['a', 'b']);
  });

  test('a turn without calls has no outcomes', async () => {
    const desk = await deskOf([]);
    expect(await desk.app.callTools(desk.rendered, [])).toEqual([]);
  });

  const hanging = () =>
    defineTool({ name: 'hang', description: 'Hangs.', handler: () => new Promise<string>(() => undefined) });
  const hangs = [{ id: 'a', name: 'hang', arguments: {} }];

  test('the calls of a turn have a time limit of ten minutes', async () => {
    jest.useFakeTimers();
    try {
      const desk = await deskOf([hanging()]);
      let ended: unknown;
      desk.app.callTools(desk.rendered, hangs, { session: desk.session }).catch((error: unknown) => {
        ended = error;
      });
      await jest.advanceTimersByTimeAsync(9 * 60_000);
      expect(ended).toBeUndefined();
      await jest.advanceTimersByTimeAsync(2 * 60_000);
      expect(ended).toBeInstanceOf(PromptEvaluationError);
      expect(ended).toMatchObject({ phase: 'tool' });
      expect(desk.events).toHaveLength(1);
    } finally {
      jest.useRealTimers();
    }
  });

  test('the calls of a turn have the time limit of the application', async () => {
    const desk = await deskOf([hanging(), timed('act', {}, [])], { limits: { turnMs: 30 } });
    expect(await rejection(desk.app.callTools(desk.rendered, hangs))).toMatchObject({
      phase: 'tool',
      message: expect.stringContaining('The calls of this turn took longer than 30 ms.') as string,
    });
    expect(await desk.app.callTools(desk.rendered, [callOf('a', 'act', 5)])).toMatchObject([{ text: 'a' }]);
  });

  test('the calls of a turn leave no timer behind, which would keep the process alive', async () => {
    jest.useFakeTimers();
    try {
      const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', handler: () => 'done' })]);
      const calls = [{ id: 'a', name: 'act', arguments: {} }];
      expect(await desk.app.callTools(desk.rendered, calls)).toMatchObject([{ text: 'done' }]);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 40])(
    'the calls of a turn have practically no limit with %d ms',
    async (turnMs) => {
      const desk = await deskOf([timed('act', {}, [])], { limits: { turnMs } });
      expect(await desk.app.callTools(desk.rendered, [callOf('a', 'act', 20)])).toMatchObject([{ text: 'a' }]);
    },
  );
});

describe('a read-only tool', () => {
  const looking = (look: (context: ToolContext) => unknown) =>
    defineTool({
      name: 'look',
      description: 'Looks.',
      hints: { readOnly: true },
      handler: (_params: unknown, context: ToolContext) => look(context),
    });

  test.each<[string, (context: ToolContext) => unknown]>([
    ['dispatches an event', ({ session }) => session.dispatch(new Note('second'))],
    ['seeds a slice', ({ session }) => session.slice(Note).seed([])],
    ['clears a slice', ({ session }) => session.slice(Note).clear()],
    ['writes to a resource', ({ resources }) => resources.get(Ledger).write('second')],
    [
      'swallows the refusal',
      ({ session }) => {
        try {
          session.dispatch(new Note('second'));
        } catch {
          return 'never mind';
        }
        return 'written';
      },
    ],
  ])('CONC-08 a read-only tool that %s has failed', async (_what, look) => {
    const desk = await deskOf([looking(look)]);
    const outcome = await desk.call('look');
    expect(outcome.kind).toBe('failed');
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.events).toHaveLength(1);
  });

  test('CONC-08 a read-only tool may write to a LOG slice, and read everything', async () => {
    class Seen {
      constructor(readonly what: string) {}
    }
    const desk = await deskOf([
      looking(({ session, resources }) => {
        session.dispatch(new Seen('it'));
        return `${session.slice(Note).latest()?.text} ${resources.get(Ledger).lines.join()}`;
      }),
    ]);
    desk.session.slice(Seen).register(Seen, (_view, event) => ({ kind: 'append', value: event }), { policy: 'log' });
    expect(await desk.call('look')).toMatchObject({ kind: 'succeeded', text: 'first first' });
    expect(desk.session.slice(Seen).all()).toEqual([{ what: 'it' }]);
  });

  test('CONC-08 a read-only tool sees one snapshot, as do all of its group', async () => {
    const desk = await deskOf([
      looking(async ({ session }) => {
        await sleep(5);
        return session.slice(Note).all().length;
      }),
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: (_params: unknown, { session }: ToolContext) => session.dispatch(new Note('more')),
      }),
    ]);
    const calls = 'look look act look look'.split(' ').map((name, index) => ({ id: `c${index}`, name, arguments: {} }));
    const outcomes = await desk.app.callTools(desk.rendered, calls, { session: desk.session });
    expect(outcomes.map(({ text }) => text)).toEqual(['1', '1', 'OK', '2', '2']);
  });
});

describe('any turn', () => {
  class Step {
    @Param({ enum: ['append', 'double', 'drop'] }) op!: 'append' | 'double' | 'drop';
    @Param('Wait') ms = 0;
    @Param('Fails') fails = false;
  }
  const tools = (['work', 'retried', 'look'] as const).map((name) =>
    defineTool({
      name,
      description: 'Works.',
      params: Step,
      hints: { readOnly: name === 'look', idempotent: name === 'retried' },
      handler: async ({ op, ms, fails }, { session, call }) => {
        const slice = session.slice(Note);
        const before = slice.all().map(({ text }) => text);
        if (ms > 0) await sleep(ms);
        if (name === 'look') return fails ? ToolResult.error('no') : before.join();
        if (op === 'append') session.dispatch(new Note(call.id));
        else slice.seed(op === 'drop' ? [] : [...slice.all(), ...slice.all()].slice(0, 16));
        if (fails) throw new Error('no');
        return before.join();
      },
    }),
  );

  test('CONC-03 any turn has the effects and answers of running its calls one after the other', async () => {
    const step = fc.record({
      name: fc.constantFrom('work', 'retried', 'look'),
      op: fc.constantFrom('append', 'double', 'drop'),
      ms: fc.constantFrom(0, 0, 1, 2),
      fails: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 50 }), async (steps) => {
        const calls = steps.map(({ name, ...args }, index) => ({ id: `c${index}`, name, arguments: args }));
        const together = await deskOf(tools);
        const outcomes = await together.app.callTools(together.rendered, calls, { session: together.session });
        const apart = await deskOf(tools);
        const expected = [];
        for (const call of calls) {
          expected.push(await apart.app.callTool(apart.rendered, call, { session: apart.session }));
        }
        expect(outcomes.map(({ kind, text }) => `${kind} ${text}`)).toEqual(
          expected.map(({ kind, text }) => `${kind} ${text}`),
        );
        expect(together.state()).toEqual(apart.state());
        expect(together.events).toHaveLength(calls.length);
      }),
      { numRuns: 40 },
    );
  }, 30_000);
});

test('CONC-08 read-only calls of a turn see one snapshot, also beside another request that writes', async () => {
  const read = (context: ToolContext) => String(context.session.slice(Note).all().length);
  const slow = defineTool({
    name: 'slow',
    description: 'Looks.',
    hints: { readOnly: true },
    handler: async (_params: unknown, context: ToolContext) => {
      const n = read(context);
      await pause();
      return n;
    },
  });
  const fast = defineTool({
    name: 'fast',
    description: 'Looks.',
    hints: { readOnly: true },
    handler: (_params: unknown, context: ToolContext) => read(context),
  });
  const write = defineTool({
    name: 'write',
    description: 'Writes.',
    handler: (_params: unknown, context: ToolContext) => context.session.dispatch(new Note('x')),
  });
  const desk = await deskOf([slow, fast, write]);
  const turn = desk.app.callTools(
    desk.rendered,
    ['slow', 'fast'].map((name) => ({ id: name, name, arguments: {} })),
    { session: desk.session },
  );
  await desk.call('write');
  const [first, second] = (await turn).map(({ text }) => Number(text));
  expect([first, second]).toEqual([1, 1]);
});
