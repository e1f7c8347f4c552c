import { setTimeout as sleep } from 'node:timers/promises';
import { defineTool, Param, type ToolContext, type ToolHints } from 'toolwright';
import { deskOf, Note } from './desk';

class Wanted {
  @Param({ type: [String] }) list!: string[];
}
const slow = (hints: ToolHints, act: (params: Wanted, context: ToolContext) => unknown) =>
  defineTool({
    name: 'act',
    description: 'Acts.',
    params: Wanted,
    hints,
    handler: async (params, context) => {
      context.session.slice(Note).all();
      const answer = act(params, context);
      await sleep(10);
      return answer;
    },
  });

describe('a call that met a change from outside', () => {
  test.each<[string, ToolHints]>([
    ['read-only', { readOnly: true }],
    ['idempotent', { idempotent: true }],
  ])(
    'runs once more if the tool is %s, with the number of the attempt, and publishes one event',
    async (_which, hints) => {
      const attempts: number[] = [];
      const desk = await deskOf([
        slow(hints, (_params, { call, session }) => {
          attempts.push(call.attempt);
          return session.slice(Note).all().length;
        }),
      ]);
      const running = desk.call('act', { list: [] });
      desk.session.dispatch(new Note('outside'));
      expect(await running).toMatchObject({ kind: 'succeeded', text: '2' });
      expect(attempts).toEqual([1, 2]);
      expect(desk.events).toHaveLength(1);
      expect(desk.events[0]?.kind).toBe('succeeded');
    },
  );

  test('runs once only if the tool is neither', async () => {
    let runs = 0;
    const desk = await deskOf([slow({ destructive: true }, () => ++runs)]);
    const running = desk.call('act', { list: [] });
    desk.session.dispatch(new Note('outside'));
    expect(await running).toMatchObject({ kind: 'conflicted' });
    expect(runs).toBe(1);
  });

  test('gets its arguments as they were sent, whatever the first attempt did with them', async () => {
    const seen: string[] = [];
    const desk = await deskOf([
      slow({ idempotent: true }, ({ list }) => {
        seen.push(list.join());
        list.push('more');
      }),
    ]);
    const running = desk.call('act', { list: ['a'] });
    desk.session.dispatch(new Note('outside'));
    await running;
    expect(seen).toEqual(['a', 'a']);
  });

  test('a retried call has a context of its own each time: the first one is closed', async () => {
    const contexts: ToolContext[] = [];
    const desk = await deskOf([
      slow({ idempotent: true }, (_params, context) => {
        contexts.push(context);
      }),
    ]);
    const running = desk.call('act', { list: [] });
    desk.session.dispatch(new Note('outside'));
    await running;
    expect(contexts).toHaveLength(2);
    expect(contexts[0]).not.toBe(contexts[1]);
    expect(contexts[0]?.signal.aborted).toBe(true);
    expect(contexts[1]?.signal.aborted).toBe(false);
  });
});

describe('retry.on', () => {
  const failing = (on: (error: unknown) => unknown) => {
    let runs = 0;
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      hints: { idempotent: true },
      retry: { attempts: 3, backoffMs: 0, on: on as (error: unknown) => boolean },
      handler: () => {
        runs++;
        throw new Error('boom');
      },
    });
    return { tool, runs: () => runs };
  };

  test.each<[what: string, on: () => unknown, told: string]>([
    ['a number', () => 1, 'gave the number 1 in place of true or false'],
    ['nothing', () => undefined, 'gave undefined in place of true or false'],
    ['a promise', () => Promise.resolve(true), 'in place of true or false'],
    ['a promise that rejects', () => Promise.reject(new Error('no')), 'in place of true or false'],
    [
      'an error',
      () => {
        throw new Error('no');
      },
      'threw: no',
    ],
  ])('that gives %s repeats nothing, and is logged', async (_what, on, told) => {
    const { tool, runs } = failing(on);
    const desk = await deskOf([tool]);
    expect(await desk.call('act', {})).toMatchObject({
      kind: 'failed',
      text: expect.stringContaining('boom') as string,
    });
    expect(runs()).toBe(1);
    expect(desk.logged).toContainEqual(
      expect.objectContaining({ level: 'error', message: expect.stringContaining('retry.on of act ') as string }),
    );
    expect(desk.logged.map(({ message }) => message).join()).toContain(told);
  });

  test.each([
    [true, 3],
    [false, 1],
  ])('that says %p lets the handler run %i times', async (wanted, times) => {
    const { tool, runs } = failing(() => wanted);
    const desk = await deskOf([tool]);
    await desk.call('act', {});
    expect(runs()).toBe(times);
  });
});
