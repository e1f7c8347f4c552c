import type { StandardIssue } from 'toolwright/schema';
import { readForeignIssues } from '../../../src/schema/standard/readForeignIssues';

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', minimum: 1 },
    unit: { enum: ['C', 'F', null] },
    exact: { const: 5 },
    tags: { type: 'array', items: { type: 'string' } },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
    prices: { type: 'object', additionalProperties: { type: 'number' } },
    either: {
      anyOf: [
        { type: 'string' },
        { type: 'object', properties: { a: { type: 'number' } }, additionalProperties: false },
      ],
    },
    loose: { type: 'object', properties: {} },
    next: { $ref: '#' },
  },
  required: ['city'],
  additionalProperties: false,
};

const seen = (value: unknown, ...issues: readonly StandardIssue[]): readonly string[] =>
  readForeignIssues(schema, value, issues).map(({ kind, path, message }) => `${kind} ${path}: ${message}`);

/** The kind and path of one issue at these keys. */
const one = (value: unknown, ...path: readonly PropertyKey[]): string | undefined =>
  seen(value, { message: 'm', path })[0]?.replace(/: m$/, '');

describe('issues of another library', () => {
  test.each<[expected: string, value: unknown, path: readonly PropertyKey[]]>([
    ['missing city', {}, ['city']],
    ['missing city', { city: undefined }, ['city']],
    ['missing next.city', { next: {} }, ['next', 'city']],
    ['missing next.next.city', {}, ['next', 'next', 'city']],
    ['missing tags[2]', { tags: ['a'] }, ['tags', 2]],
    ['type city', { city: 5 }, ['city']],
    ['type city', { city: null }, ['city']],
    ['type days', { days: 1.5 }, ['days']],
    ['type days', { days: '5' }, ['days']],
    ['constraint days', { days: 0 }, ['days']],
    ['constraint unit', { unit: 'K' }, ['unit']],
    ['type unit', { unit: 5 }, ['unit']],
    ['constraint exact', { exact: 6 }, ['exact']],
    ['type exact', { exact: '5' }, ['exact']],
    ['type tags', { tags: {} }, ['tags']],
    ['type tags[1]', { tags: ['a', 5] }, ['tags', 1]],
    ['type tags[1]', { tags: ['a', 5] }, ['tags', '1']],
    ['type pair[1]', { pair: ['a', 'b'] }, ['pair', 1]],
    ['constraint pair[2]', { pair: ['a', 1, 2] }, ['pair', 2]],
    ['type prices', { prices: [] }, ['prices']],
    ['type prices[a]', { prices: { a: 'x' } }, ['prices', 'a']],
    ['type prices["a.b"]', { prices: { 'a.b': 'x' } }, ['prices', 'a.b']],
    ['type either', { either: 5 }, ['either']],
    ['constraint either', { either: 'x' }, ['either']],
    ['type either.a', { either: { a: 'x' } }, ['either', 'a']],
    ['constraint loose.a', { loose: { a: 1 } }, ['loose', 'a']],
    ['constraint ', {}, []],
    ['constraint Symbol', { city: 'x' }, [Symbol('s')]],
  ])('an issue of another library is read as %s', (expected, value, path) => {
    const found = one(value, ...path);
    if (expected.includes('Symbol')) expect(found).toMatch(/^missing "Symbol\(s\)"/);
    else expect(found).toBe(expected);
  });

  test('issues of another library keep their messages, except those of unknown keys', () => {
    expect(seen({ city: 5 }, { message: 'A city, please', path: ['city'] })).toEqual(['type city: A city, please']);
    expect(seen({ ctiy: 'Ulm', city: 'Ulm', day: 1 }, { message: 'never', path: ['day'] })).toEqual([
      'extra day: is not a known key. Did you mean "days"?',
    ]);
    expect(seen({ city: 'Ulm', citi: 'x' }, { message: 'never', path: ['citi'] })[0]).not.toContain('"city"');
  });

  test('one issue of zod may name many keys', () => {
    const issue = { message: 'Unrecognized', path: ['next'], code: 'unrecognized_keys', keys: ['a', 'b\n'] };
    expect(seen({ next: { a: 1, 'b\n': 2 } }, issue)).toEqual([
      'extra next.a: is not a known key.',
      'extra next."b\\n": is not a known key.',
    ]);
    const odd = { message: 'm', code: 'invalid', keys: ['a'] };
    expect(seen({}, odd)).toEqual(['constraint : m']);
  });

  test('issues of another library are in our order: missing, extra, types, rules', () => {
    const value = { days: 0, tags: 5, z: 1 };
    const issues = ['days', 'z', 'city', 'tags'].map((key) => ({ message: 'm', path: [{ key }] }));
    expect(seen(value, ...issues).map((line) => line.split(':')[0])).toEqual([
      'missing city',
      'extra z',
      'type tags',
      'constraint days',
    ]);
  });

  test('issues at paths that are written alike are told apart', () => {
    const value = { prices: { 'a\nstring b': 'x', 1: 'y' }, 'prices\nstring 1': 2 };
    expect(
      seen(
        value,
        { message: 'm', path: ['prices', 'a\nstring b'] },
        { message: 'm', path: ['prices\nstring 1'] },
        { message: 'm', path: ['prices', '1'] },
      ),
    ).toEqual([
      'extra "prices\\nstring 1": is not a known key.',
      'type prices["a\\nstring b"]: m',
      'type prices[1]: m',
    ]);
  });

  test('issues of another library are a hundred at most, and never none', () => {
    const issues = Array.from({ length: 5_000 }, (_, index) => ({ message: 'm', path: ['tags', index] }));
    expect(seen({ tags: [] }, ...issues)).toHaveLength(100);
    const keys = Array.from({ length: 5_000 }, (_, index) => `k${index}`);
    expect(seen({}, { message: 'm', code: 'unrecognized_keys', keys } as StandardIssue)).toHaveLength(100);
    expect(seen({})).toEqual(['constraint : was refused without a reason']);
  });
});
