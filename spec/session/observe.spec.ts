import { type Logger, Session, SliceOps, ToolResult } from 'toolwright';
import { appendAll, type ReducerFunction, replaceLatestBy } from 'toolwright/conversations';
import { FakeClock } from 'toolwright/testing';
import { ToolInvoked, type ToolInvokedFields } from 'toolwright/events';

const invoked = (fields: Partial<ToolInvokedFields> = {}): ToolInvoked => {
  const result = ToolResult.ok();
  return new ToolInvoked({ name: 'find', params: null, result, kind: 'succeeded', ...fields } as ToolInvokedFields);
};
const collecting = (errors: unknown[]): Logger => ({
  debug() {},
  info() {},
  warn() {},
  error: (message, fields) => errors.push(message, fields?.['error']),
});
class Count {
  constructor(
    readonly tool: string,
    readonly value: unknown,
  ) {}
}

describe('observe', () => {
  test('observe runs the reducers of exactly the event’s class, with time and id', () => {
    const session = new Session({ clock: new FakeClock('2030-01-01T00:00:00Z') });
    const seen: unknown[] = [];
    session.slice(Count).register(ToolInvoked, (_view, { name }, { time, id }) => {
      seen.push(time, typeof id);
      return SliceOps.append(new Count(name, null));
    });
    session.observe(invoked());
    expect(session.slice(Count).all()).toEqual([new Count('find', null)]);
    expect(seen).toEqual([Date.parse('2030-01-01T00:00:00Z'), 'string']);
  });

  test('observing an event without a reducer does nothing: it reaches no slice', () => {
    const session = new Session();
    session.observe(invoked());
    expect(session.slice(ToolInvoked).all()).toEqual([]);
    expect(session.base.slices.size).toBe(0);
  });

  test('reducers and subscribers accept `ToolInvoked` without a value', () => {
    const errors: unknown[] = [];
    const session = new Session({ logger: collecting(errors) });
    session.slice(ToolInvoked).register(ToolInvoked, appendAll as ReducerFunction<ToolInvoked, ToolInvoked>);
    session
      .slice(Count)
      .register(ToolInvoked, (_view, { name, result }) => SliceOps.append(new Count(name, result?.value ?? null)));
    for (const result of [null, ToolResult.ok(), ToolResult.error('no')]) session.observe(invoked({ result }));
    expect(session.slice(ToolInvoked).all()).toHaveLength(3);
    expect(session.slice(Count).all()).toEqual([1, 2, 3].map(() => new Count('find', null)));
    expect(errors).toEqual([]);
  });

  test('observe neither freezes nor refuses what the event holds', () => {
    const errors: unknown[] = [];
    const session = new Session({ logger: collecting(errors) });
    session.slice(ToolInvoked).register(
      ToolInvoked,
      replaceLatestBy(({ name }: ToolInvoked) => name),
    );
    const params = { since: new Date(0), rows: new Map([['a', 1]]), deep: { list: [1] } };
    const event = invoked({ params });
    session.observe(event);
    // The reducer returns those of other names again: they are still the same events.
    session.observe(invoked({ name: 'count', params: { since: new Date(1) } }));
    session.observe(invoked({ name: 'find', params: { since: new Date(2) } }));
    expect(errors).toEqual([]);
    expect(session.slice(ToolInvoked).all()).toHaveLength(2);
    params.deep.list.push(2);
    expect(Object.isFrozen(params)).toBe(false);
    session.slice(ToolInvoked).seed(event);
    expect(session.slice(ToolInvoked).latest()).toBe(event);
  });

  test('a reducer that takes changeable state out of an event into a STATE slice is refused, and reported', () => {
    const errors: unknown[] = [];
    const session = new Session({ logger: collecting(errors) });
    session.slice(Count).register(ToolInvoked, (_view, { name, params }) => SliceOps.append(new Count(name, params)));
    session.observe(invoked({ params: new Map() }));
    expect(session.slice(Count).all()).toEqual([]);
    expect(errors).toEqual([
      expect.stringMatching(/Count.*ToolInvoked.*Map/s),
      expect.objectContaining({ code: 'E801' }),
    ]);
  });

  test('a reducer that throws is logged, and the others run', () => {
    const errors: unknown[] = [];
    const session = new Session({ logger: collecting(errors) });
    const boom = new Error('boom');
    session.slice(Count).register(ToolInvoked, () => {
      throw boom;
    });
    session.slice(Count).register(ToolInvoked, (_view, { name }) => SliceOps.append(new Count(name, 2)));
    session.observe(invoked());
    expect(session.slice(Count).all()).toEqual([new Count('find', 2)]);
    expect(errors).toEqual([expect.stringMatching(/Count.*ToolInvoked.*boom/), boom]);
  });

  test('observe never throws, not even when the logger does', () => {
    const logger: Logger = {
      ...collecting([]),
      error: () => {
        throw new Error('no disk');
      },
    };
    const session = new Session({ logger });
    session.slice(Count).register(ToolInvoked, () => {
      throw new Error('boom');
    });
    session.slice(Count).register(ToolInvoked, (_view, { name }) => SliceOps.append(new Count(name, 2)));
    session.observe(invoked());
    expect(session.slice(Count).all()).toHaveLength(1);
    session.observe(Object.create(null) as object);
  });
});
