import { SliceOps, defineTool, type ToolContext } from 'toolwright';
import { ToolInvoked, ToolProgressed } from 'toolwright/events';
import { deskOf } from './desk';

class Seen {
  constructor(readonly name: string) {}
}

const reading = (name: string, more: (context: ToolContext) => unknown = () => undefined) =>
  defineTool({
    name,
    description: 'Reads what was seen.',
    hints: { readOnly: name.startsWith('read') },
    handler: async (_params: unknown, context: ToolContext) => {
      const before = context.session.slice(Seen).all().length;
      await more(context);
      return before;
    },
  });

async function deskThatSees(...tools: readonly ReturnType<typeof reading>[]) {
  const desk = await deskOf(tools);
  desk.session.slice(Seen).register(ToolInvoked, (_view, { name }) => SliceOps.append(new Seen(name)));
  const seen = (): readonly string[] =>
    desk.session
      .slice(Seen)
      .all()
      .map(({ name }) => name);
  return { ...desk, seen };
}

describe('reducers of a run’s own events', () => {
  test('reducers of a run’s own events are no change from outside for a handler that calls another tool', async () => {
    const desk = await deskThatSees(
      reading('outer', async (context) => context.callTool({ id: 'n', name: 'inner', arguments: {} })),
      reading('inner'),
    );
    expect(await desk.call('outer')).toMatchObject({ kind: 'succeeded', result: { value: 0 } });
    expect(desk.seen()).toEqual(['inner', 'outer']);
  });

  test('reducers of a run’s own events do not conflict with read-only calls that run together', async () => {
    const desk = await deskThatSees(reading('read'));
    const calls = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: 'read', arguments: {} }));
    const outcomes = await desk.app.callTools(desk.rendered, calls, { session: desk.session });
    expect(outcomes.map(({ kind, result }) => [kind, result.value])).toEqual(calls.map(() => ['succeeded', 0]));
    expect(desk.seen()).toHaveLength(4);
  });

  test('reducers of a run’s own events wait for the outermost call, however many it makes', async () => {
    const desk = await deskThatSees(
      reading('outer', async (context) => {
        for (const id of ['a', 'b', 'c']) await context.callTool({ id, name: 'inner', arguments: {} });
      }),
      reading('inner'),
    );
    expect(await desk.call('outer')).toMatchObject({ kind: 'succeeded', result: { value: 0 } });
    expect(desk.seen()).toEqual(['inner', 'inner', 'inner', 'outer']);
  });

  test('reducers of a run’s own events get those that only they hear', async () => {
    const desk = await deskOf([
      reading('write', (context) => {
        context.reportProgress({ fraction: 0.5, message: 'half' });
      }),
    ]);
    desk.session.slice(Seen).register(ToolProgressed, (_view, { message }) => SliceOps.append(new Seen(message ?? '')));
    await desk.call('write');
    expect(desk.session.slice(Seen).all()).toEqual([{ name: 'half' }]);
  });

  test('reducers of a run’s own events run before the next call of the turn begins', async () => {
    const desk = await deskThatSees(reading('write'));
    const calls = ['a', 'b'].map((id) => ({ id, name: 'write', arguments: {} }));
    const outcomes = await desk.app.callTools(desk.rendered, calls, { session: desk.session });
    expect(outcomes.map(({ result }) => result.value)).toEqual([0, 1]);
  });

  test('reducers of a run’s own events run even if the call was rolled back', async () => {
    const desk = await deskThatSees(
      reading('outer', async (context) => {
        await context.callTool({ id: 'n', name: 'inner', arguments: {} });
        throw new Error('boom');
      }),
      reading('inner'),
    );
    expect((await desk.call('outer')).kind).toBe('failed');
    expect(desk.seen()).toEqual(['inner', 'outer']);
  });
});
