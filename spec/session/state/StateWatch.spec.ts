import { Field, Reducer, Session, SliceOps, type SliceOp } from 'toolwright';
import { StateWatch } from '../../../src/session/state/StateWatch';

class Item {
  constructor(readonly value: unknown) {}
}
class Unnamed {
  constructor(readonly value: unknown) {}
}
class Seen {
  constructor(readonly value: number) {}
}
class Rename {
  constructor(readonly title: string) {}
}
class Plan {
  @Field({ type: String }) readonly title!: string;
  @Field({ type: String, secret: true, optional: true }) readonly token?: string;

  static of(title: string): Plan {
    return Object.assign(new Plan(), { title, token: 'secret' });
  }

  @Reducer(() => Rename)
  rename({ title }: Rename): SliceOp<Plan> {
    return SliceOps.replace(Plan.of(title));
  }
}
function watched() {
  const slices = [
    { type: Item, name: 'item' },
    { type: Plan, initial: () => Plan.of('') },
    { type: Seen, policy: 'log' as const },
  ];
  const session = new Session({ slices });
  return { session, watch: new StateWatch(session) };
}

describe('a watch on a session', () => {
  test('a watch on a session shows everything at first, then what has changed since, and nothing where nothing has', () => {
    const { session, watch } = watched();
    expect(watch.changes()).toBeUndefined();
    session.dispatch(new Item(1));
    session.dispatch(new Item(2));
    session.dispatch(new Rename('a'));
    expect(watch.changes()).toEqual({
      appended: { item: [{ value: 1 }, { value: 2 }], Plan: [{ title: 'a' }] },
      replaced: {},
    });
    expect(watch.changes()).toBeUndefined();
    session.dispatch(new Item(3));
    session.dispatch(new Rename('b'));
    expect(watch.changes()).toEqual({ appended: { item: [{ value: 3 }] }, replaced: { Plan: [{ title: 'b' }] } });
    session.dispatch(new Item(4));
    expect(watch.changes()).toEqual({ appended: { item: [{ value: 4 }] }, replaced: {} });
    session.dispatch(new Rename('c'));
    expect(watch.changes()).toEqual({ appended: {}, replaced: { Plan: [{ title: 'c' }] } });
    expect(watch.changes()).toBeUndefined();
  });

  test('a watch on a session shows logs, and slices without a name by their class', () => {
    const { session, watch } = watched();
    session.dispatch(new Unnamed('a'));
    session.dispatch(new Seen(1));
    expect(watch.changes()).toEqual({ appended: { Unnamed: [{ value: 'a' }], Seen: [{ value: 1 }] }, replaced: {} });
  });

  test('a watch on a session shows a reset as slices that are empty', () => {
    const { session, watch } = watched();
    session.dispatch(new Item(1));
    session.dispatch(new Unnamed('a'));
    watch.changes();
    session.reset();
    expect(watch.changes()).toEqual({ appended: {}, replaced: { item: [], Unnamed: [] } });
    session.dispatch(new Item(2));
    expect(watch.changes()).toEqual({ appended: { item: [{ value: 2 }] }, replaced: {} });
  });

  test('a watch on a session shows nothing where a snapshot brings the same values back', () => {
    const { session, watch } = watched();
    session.dispatch(new Item(1));
    watch.changes();
    session.restore(session.snapshot());
    expect(watch.changes()).toBeUndefined();
    session.dispatch(new Item(2));
    expect(watch.changes()).toEqual({ appended: { item: [{ value: 2 }] }, replaced: {} });
  });

  test('a watch on a session shows in place of a value that cannot be written, in one line, where and why it cannot', () => {
    const { session, watch } = watched();
    session.slice(Item).seed([new Item(1), new Item(Number.NaN)]);
    expect(watch.changes()).toEqual({
      appended: {
        item: [{ value: 1 }, '[not written: E805 slices.item[1].value: the number NaN cannot be written as JSON]'],
      },
      replaced: {},
    });
  });

  test('a watch on a session counts places from the beginning of the slice', () => {
    const { session, watch } = watched();
    session.dispatch(new Item(1));
    watch.changes();
    session.dispatch(new Item(Number.NaN));
    expect(watch.changes()?.appended?.['item']).toEqual([expect.stringContaining('slices.item[1].value')]);
  });

  test('a watch on a session shows each of the classes that share a name under a name of its own, also once others come', () => {
    const classes = ['Plan', 'Other', 'Other'].map((name) => {
      const type = class {
        constructor(readonly value: string) {}
      };
      return Object.defineProperty(type, 'name', { value: name });
    });
    const { session, watch } = watched();
    for (const type of classes.slice(1)) session.dispatch(new type('a'));
    expect(watch.changes()?.appended).toEqual({ Other: [{ value: 'a' }], 'Other (2)': [{ value: 'a' }] });
    for (const type of classes) session.dispatch(new type('b'));
    session.dispatch(new Rename('c'));
    expect(watch.changes()?.appended).toEqual({
      'Plan (2)': [{ value: 'b' }],
      Other: [{ value: 'b' }],
      'Other (2)': [{ value: 'b' }],
      Plan: [{ title: 'c' }],
    });
  });

  test('a watch on a session shows a slice whose name is that of a member of every object', () => {
    const session = new Session({ slices: [{ type: Item, name: '__proto__' }] });
    session.dispatch(new Item(1));
    const { appended = {} } = new StateWatch(session).changes() ?? {};
    expect(Object.entries(appended)).toEqual([['__proto__', [{ value: 1 }]]]);
  });
});
