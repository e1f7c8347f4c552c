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
