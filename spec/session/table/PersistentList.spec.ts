import fc from 'fast-check';
import { PersistentList } from '../../../src/session/table/PersistentList';

describe('PersistentList', () => {
  test('PersistentList behaves like an array to its readers, whatever is done to it in which order', () => {
    // The model is an array for each version: older versions must stay as they are.
    interface Version {
      readonly list: PersistentList<number>;
      readonly model: readonly number[];
    }
    const step = fc.oneof(
      fc.record({ kind: fc.constant('append' as const), at: fc.nat(), value: fc.integer() }),
      fc.record({ kind: fc.constant('of' as const), at: fc.nat(), values: fc.array(fc.integer(), { maxLength: 5 }) }),
      fc.record({ kind: fc.constant('read' as const), at: fc.nat() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const versions: Version[] = [{ list: PersistentList.empty, model: [] }];
        for (const taken of steps) {
          const { list, model } = versions[taken.at % versions.length]!;
          if (taken.kind === 'append')
            versions.push({ list: list.append(taken.value), model: [...model, taken.value] });
          else if (taken.kind === 'of') versions.push({ list: PersistentList.of(taken.values), model: taken.values });
          else expect(list.values).toEqual(model);
        }
        for (const { list, model } of versions) {
          expect(list.last).toBe(model.at(-1));
          expect(list.values).toEqual(model);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('PersistentList returns the same frozen array each time', () => {
    const list = PersistentList.of([1]).append(2);
    expect(list.values).toBe(list.values);
    expect(Object.isFrozen(list.values)).toBe(true);
    expect(list.values).toEqual([1, 2]);
  });

  test('a list may be empty', () => {
    expect(PersistentList.of([]).values).toEqual([]);
    expect(PersistentList.of([]).last).toBeUndefined();
    expect(PersistentList.empty.values).toEqual([]);
    expect(PersistentList.empty.last).toBeUndefined();
  });

  test('a PersistentList is another state each time that it is made: coming back to a value is a change as well', () => {
    expect(PersistentList.of([])).not.toBe(PersistentList.of([]));
    expect(PersistentList.of([])).not.toBe(PersistentList.empty);
    expect(PersistentList.of([1])).not.toBe(PersistentList.of([1]));
  });

  test('a PersistentList is another state after every append, even of the same value', () => {
    const base = PersistentList.of([1]);
    expect(base.append(2)).not.toBe(base.append(2));
  });

  test('a new state with the same values is equal, before and after they were read', () => {
    for (const list of [
      PersistentList.of([1]).append(2),
      PersistentList.of([1, 2]),
      PersistentList.of([1]).append(2),
    ]) {
      const again = list.copyAsNew();
      expect(again).not.toBe(list);
      expect(again.last).toBe(2);
      expect(again.append(3).values).toEqual([1, 2, 3]);
      expect(again.values).toEqual([1, 2]);
      expect(list.values).toEqual([1, 2]);
      expect(list.copyAsNew().values).toBe(list.values);
    }
    expect(PersistentList.empty.copyAsNew()).not.toBe(PersistentList.empty);
    expect(PersistentList.empty.copyAsNew().values).toEqual([]);
  });

  test('PersistentList takes a copy of the array that it is made of', () => {
    const source = [1];
    const list = PersistentList.of(source);
    source.push(2);
    expect(list.values).toEqual([1]);
    expect(Object.isFrozen(source)).toBe(false);
  });

  test('PersistentList holds undefined and null like any value', () => {
    const list = PersistentList.of<unknown>([undefined]).append(null).append(undefined);
    expect(list.values).toEqual([undefined, null, undefined]);
    expect(list.last).toBeUndefined();
  });

  test('PersistentList appends at the same cost at any length, and reads a long chain without recursion', () => {
    let list: PersistentList<number> = PersistentList.empty;
    for (let value = 0; value < 200_000; value++) list = list.append(value);
    expect(list.values).toHaveLength(200_000);
    expect(list.values.at(-1)).toBe(199_999);
    expect(list.append(-1).values.at(-2)).toBe(199_999);
  });

  test('PersistentList tells what was appended since an older state, and never what was not', () => {
    interface Version {
      readonly list: PersistentList<object>;
      readonly model: readonly object[];
      /** The version that it was appended to, or is the same as. */
      readonly from: Version | undefined;
    }
    const step = fc.record({
      kind: fc.constantFrom('append' as const, 'append' as const, 'of' as const, 'anew' as const, 'read' as const),
      // Mostly the newest versions, so that chains come about.
      back: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(40)),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const versions: Version[] = [{ list: PersistentList.empty, model: [], from: undefined }];
        for (const { kind, back } of steps) {
          const version = versions.at(-1 - (back % versions.length))!;
          const { list, model } = version;
          const value = {};
          if (kind === 'append') versions.push({ list: list.append(value), model: [...model, value], from: version });
          else if (kind === 'anew') versions.push({ list: list.copyAsNew(), model, from: version });
          else if (kind === 'of') versions.push({ list: PersistentList.of(model), model, from: undefined });
          else expect(list.values).toBe(list.values);
        }
        for (const newer of versions) {
          expect(newer.list).toHaveLength(newer.model.length);
          const ancestors = new Set<Version>();
          for (let each: Version | undefined = newer; each !== undefined; each = each.from) ancestors.add(each);
          for (const older of versions) {
            const since = newer.list.listAppendedSince(older.list);
            const isPrefix = older.model.every((value, index) => newer.model[index] === value);
            if (since === undefined) expect(ancestors.has(older)).toBe(false);
            else {
              expect(isPrefix).toBe(true);
              expect([...older.model, ...since]).toEqual(newer.model);
            }
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test('PersistentList tells what was appended at a cost that does not depend on what was there', () => {
    const base = PersistentList.of(Array.from({ length: 1_000_000 }, (_none, index) => index));
    const newer = base.append(-1).append(-2);
    const began = performance.now();
    for (let times = 0; times < 1_000; times++) expect(newer.listAppendedSince(base)?.length).toBe(2);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('PersistentList tells it after calls that failed one after the other, of which each left a branch', () => {
    let list = PersistentList.of([0]);
    for (let call = 1; call <= 1_000; call++) {
      const failed = list.append(-call);
      const next = list.append(call);
      expect(failed.listAppendedSince(list)).toEqual([-call]);
      expect(next.listAppendedSince(list)).toEqual([call]);
      expect(next.listAppendedSince(failed)).toBeUndefined();
      list = next;
    }
    expect(list).toHaveLength(1_001);
  });

  test('PersistentList tells it of a long list, also of one that left another long ago', () => {
    const values = Array.from({ length: 300 }, (_none, index) => index);
    const appended = (list: PersistentList<number>): PersistentList<number> =>
      values.reduce((each, value) => each.append(value), list);
    const base = PersistentList.of([-1]);
    expect(appended(base).listAppendedSince(base)).toEqual(values);
    expect(appended(base).listAppendedSince(base)).toEqual(values);
  });

  test('mostly tells it of a state of ten failed calls ago, and forgets one of a thousand ago', () => {
    const lists = [PersistentList.of([0])];
    for (let call = 1; call <= 1_000; call++) {
      const list = lists.at(-1)!;
      list.append(-call);
      lists.push(list.append(call));
    }
    const known = lists.slice(10).filter((list, index) => list.listAppendedSince(lists[index]!)?.length === 10);
    expect(known.length).toBeGreaterThan(700);
    expect(lists.at(-1)!.listAppendedSince(lists[0]!)).toBeUndefined();
  });
});
