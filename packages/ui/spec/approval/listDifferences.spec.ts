import { formatValue } from '../../src/approval/formatValue.js';
import { listDifferences } from '../../src/approval/listDifferences.js';

const placesOf = (before: unknown, after: unknown) =>
  listDifferences(before, after).map(({ path, before: old, after: now }) => [path.join('.'), old, now]);

test('equal values have no difference, whatever the objects are', () => {
  expect(placesOf({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toEqual([]);
});

test('a difference names the place, and the values there', () => {
  const before = { status: 'delivered', items: [{ id: 1, price: 5 }], note: 'old' };
  const after = { status: 'return requested', items: [{ id: 1, price: 6 }, { id: 2 }], method: 'paypal' };
  expect(placesOf(before, after)).toEqual([
    ['status', 'delivered', 'return requested'],
    ['items.0.price', 5, 6],
    ['items.1', undefined, { id: 2 }],
    ['note', 'old', undefined],
    ['method', undefined, 'paypal'],
  ]);
});

test('a value that becomes another kind of value differs as a whole', () => {
  expect(placesOf([1], { 0: 1 })).toEqual([['', [1], { 0: 1 }]]);
  expect(placesOf(undefined, { a: 1 })).toEqual([['', undefined, { a: 1 }]]);
  expect(placesOf({ a: null }, { a: {} })).toEqual([['a', null, {}]]);
});

test('a field that is called like a method of objects is compared as a field', () => {
  expect(placesOf({}, JSON.parse('{"__proto__":1,"constructor":2}'))).toEqual([
    ['__proto__', undefined, 1],
    ['constructor', undefined, 2],
  ]);
});

test('characters that would hide or turn a text are shown as escapes', () => {
  expect(formatValue('to \u202eEVIL\u200b')).toBe('"to \\u202eEVIL\\u200b"');
});

test('a value stands on one line, with spaces at which it can be broken', () => {
  expect(formatValue({ ids: ['1', '2'], text: 'a\n b' })).toBe('{ "ids": [ "1", "2" ], "text": "a\\n b" }');
  expect([formatValue({}), formatValue([]), formatValue(undefined)]).toEqual(['{}', '[]', 'undefined']);
});

test('a very long value says how much of it is not shown', () => {
  expect(formatValue('x'.repeat(30_000))).toMatch(/x… \(10002 more characters\)$/);
});
