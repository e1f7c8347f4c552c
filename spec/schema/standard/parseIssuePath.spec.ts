import { parseIssuePath } from '../../../src/schema/standard/parseIssuePath';

describe('issuePath', () => {
  test.each<[path: string, value: unknown, keys: readonly (string | number)[]]>([
    ['', {}, []],
    ['a', {}, ['a']],
    ['a.b', { a: {} }, ['a', 'b']],
    ['items[3].qty', { items: [0, 0, 0, { qty: 1 }] }, ['items', 3, 'qty']],
    ['items[1][0]', { items: [[], [5]] }, ['items', 1, 0]],
    ['m[key]', { m: { key: 1 } }, ['m', 'key']],
    ['m[7]', { m: { 7: 1 } }, ['m', '7']],
    ['m["a.b"].c', { m: { 'a.b': { c: 1 } } }, ['m', 'a.b', 'c']],
    ['"a\\nb"', { 'a\nb': 1 }, ['a\nb']],
    ['a.b', { 'a.b': 1, a: { b: 2 } }, ['a.b']],
    ['ab', { a: 1 }, ['ab']],
    ['missing name', {}, ['missing name']],
    // A single value that was taken for a list of one.
    ['items[0].qty', { items: { qty: 'x' } }, ['items', 0, 'qty']],
  ])('parseIssuePath splits the path %p', (path, value, keys) => {
    expect(parseIssuePath(path, value)).toEqual(keys);
  });

  test('a key that was cut is whole again', () => {
    const key = 'k'.repeat(500);
    expect(parseIssuePath(`"${'k'.repeat(40)}… (500 characters)"`, { [key]: 1 })).toEqual([key]);
  });
});
