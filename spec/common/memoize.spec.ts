import { getOrCreate, memoize } from '../../src/common/memoize.js';

test('memoize creates a value once, even if it is undefined', () => {
  let calls = 0;
  const get = memoize((): unknown => {
    calls++;
    return undefined;
  });
  expect([get(), get()]).toEqual([undefined, undefined]);
  expect(calls).toBe(1);
});

test('getOrCreate creates the value of each key once', () => {
  let calls = 0;
  const known = new Map<string, object>();
  const get = (key: string): object => getOrCreate(known, key, () => ({ created: ++calls }));
  expect(get('a')).toBe(get('a'));
  expect(get('b')).not.toBe(get('a'));
  expect([calls, known.size]).toEqual([2, 2]);
});

test('getOrCreate keeps the value false', () => {
  const known = new WeakMap<object, boolean>();
  const key = {};
  expect(getOrCreate(known, key, () => false)).toBe(false);
  expect(getOrCreate(known, key, () => true)).toBe(false);
});
