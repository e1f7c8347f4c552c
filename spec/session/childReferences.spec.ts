import { ChildSessions } from '../../src/session/ChildSessions';

describe('the references to children', () => {
  const Original = globalThis.WeakRef;
  const collected = new Set<object>();
  let asked = 0;
  class Reference<T extends WeakKey> implements WeakRef<T> {
    readonly [Symbol.toStringTag] = 'WeakRef';
    constructor(readonly target: T) {}
    deref(): T | undefined {
      asked++;
      return collected.has(this.target as object) ? undefined : this.target;
    }
  }
  beforeEach(() => {
    globalThis.WeakRef = Reference;
    collected.clear();
    asked = 0;
  });
  afterEach(() => {
    globalThis.WeakRef = Original;
  });

  const add = (to: ChildSessions<object>, count: number): readonly object[] =>
    Array.from({ length: count }, () => {
      const child = {};
      to.add(child);
      return child;
    });

  test('the references to children are looked at a few times each at most while a thousand children are added, and keep their order', () => {
    const children = new ChildSessions<object>();
    const added = add(children, 1_000);
    expect(asked).toBeLessThan(3_000);
    expect(children.size).toBe(1_000);
    expect(children.all.map((child) => added.indexOf(child))).toEqual(added.map((_, index) => index));
  });

  test('references to collected children are left out, and forgotten once their number has doubled', () => {
    const children = new ChildSessions<object>();
    const [kept, ...dropped] = add(children, 40);
    for (const child of dropped) collected.add(child);
    expect(children.all).toStrictEqual([kept]);
    expect(children.size).toBe(40);
    const added = add(children, 60);
    expect(children.size).toBe(61);
    expect(children.all.map((child) => [kept, ...added].indexOf(child))).toEqual([kept, ...added].map((_, i) => i));
  });
});
