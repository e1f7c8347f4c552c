import { Field, Reducer, Session, SliceOps, type SliceOp } from 'toolwright';
import { StateWatch } from '../../src/session/StateWatch';

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
  test('shows everything at first, then what has changed since, and nothing where nothing has', () => {
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

  test('shows logs, and slices without a name by their class', () => {
    const { session, watch } = watched();
    session.dispatch(new Unnamed('a'));
    session.dispatch(new Seen(1));
    expect(watch.changes()).toEqual({ appended: { Unnamed: [{ value: 'a' }], Seen: [{ value: 1 }] }, replaced: {} });
  });

  test('shows a reset as slices that are empty', () => {
    const { session, watch } = watched();
    session.dispatch(new Item(1));
    session.dispatch(new Unnamed('a'));
    watch.changes();
    session.reset();
    expect(watch.changes()).toEqual({ appended: {}, replaced: { item: [], Unnamed: [] } });
    session.dispatch(new Item(2));
    expect(watch.changes()).toEqual({ appended: { item: [{ value: 2 }] }, replaced: {} });
  });

  test('shows nothing where a snapshot brings the same values back', () => {
    const { session, watch } = watched();
    session.dispatch(new Item(1));
    watch.changes();
    session.restore(session.snapshot());
    expect(watch.changes()).toBeUndefined();
    session.dispatch(new Item(2));
    expect(watch.changes()).toEqual({ appended: { item: [{ value: 2 }] }, replaced: {} });
  });

  test('shows in place of a value that cannot be written, in one line, where and why it cannot', () => {
    const { session, watch } = watched();
    session.slice(Item).seed([new Item(1), new Item(Number.NaN)]);
    expect(watch.changes()).toEqual({
      appended: {
        item: [{ value: 1 }, '[not written: E805 slices.item[1].value: the number NaN is nothing that JSON holds]'],
      },
      replaced: {},
    });
  });
});
