import fc from 'fast-check';
import { SortedMap } from '../../src/resource/SortedMap';
import { expectEqual } from '../support/expectEqual';

const byKey = (a: readonly [string, number], b: readonly [string, number]): number => (a[0] < b[0] ? -1 : 1);

describe('a sorted map', () => {
  test('a sorted map holds what a Map holds, in order, and older ones stay as they were', () => {
    const key = fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('__proto__', 'constructor', ''));
    const change = fc.record({ key, value: fc.option(fc.nat(), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        let map: SortedMap<number> = SortedMap.empty;
        const model = new Map<string, number>();
        const older: (readonly [SortedMap<number>, unknown])[] = [];
        for (const { key: name, value } of changes) {
          older.push([map, [...model].sort(byKey)]);
          map = value === undefined ? map.without(name) : map.with(name, value);
          if (value === undefined) model.delete(name);
          else model.set(name, value);
          expectEqual(map.get(name), value);
        }
        expectEqual([...map], [...model].sort(byKey));
        expectEqual(map.isEmpty, model.size === 0);
        for (const [name, value] of model) expectEqual(map.get(name), value);
        for (const [before, entries] of older) expectEqual([...before], entries);
      }),
      { numRuns: 1_000 },
    );
  });

  test('deleting an absent key from a sorted map returns the same map', () => {
    const empty: SortedMap<number> = SortedMap.empty;
    const map = empty.with('b', 1).with('d', 2);
    for (const key of ['a', 'c', 'e']) expect(map.without(key)).toBe(map);
    expect(empty.without('a')).toBe(empty);
  });

  test.each([
    ['rising', (index: number) => index],
    ['falling', (index: number) => -index],
    ['from both ends', (index: number) => (index % 2 === 0 ? index : -index)],
  ])('a sorted map stays flat when keys come %s', (_case, order) => {
    const build = (size: number): number => {
      let map: SortedMap<number> = SortedMap.empty;
      const keys = Array.from({ length: size }, (_, index) => String(order(index) + 50_000));
      const started = process.cpuUsage();
      for (const key of keys) map = map.with(key, 1);
      for (const key of keys.slice(0, size / 2)) map = map.without(key);
      const { user } = process.cpuUsage(started);
      expect([...map].map(([key]) => key)).toEqual(keys.slice(size / 2).sort());
      return user;
    };
    const shortest = (size: number): number => Math.min(...[1, 2, 3].map(() => build(size)));
    // Ten times as many keys take about 13 times as long in a flat tree, and 100 times in one that is as deep as it is long.
    expect(shortest(20_000) / shortest(2_000)).toBeLessThan(40);
  });

  test('numbers stand before texts, each kind in its order', () => {
    let map: SortedMap<boolean, string | number> = SortedMap.empty;
    for (const key of ['b', 10, '10', 9, -1, 'B', '9', 0.5]) map = map.with(key, true);
    expect([...map].map(([key]) => key)).toEqual([-1, 0.5, 9, 10, '10', '9', 'B', 'b']);
    for (const key of ['b', 10, '10', 9, -1, 'B', '9', 0.5]) expect(map.get(key)).toBe(true);
  });
});
