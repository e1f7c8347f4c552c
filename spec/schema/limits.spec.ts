import { MAX_DEPTH_LEVELS, MAX_JSON_BYTES } from '../../src/common/limits';
import { findDepthIssue, findSizeIssue } from '../../src/schema/limits';

describe('sizeIssue', () => {
  test('ARG-17 findSizeIssue counts bytes of UTF-8, to the byte', () => {
    expect(MAX_JSON_BYTES).toBe(1_048_576);
    expect(findSizeIssue('x'.repeat(MAX_JSON_BYTES))).toBeUndefined();
    expect(findSizeIssue('x'.repeat(MAX_JSON_BYTES + 1))).toMatchObject({ kind: 'constraint', path: '' });
    expect(findSizeIssue('é'.repeat(MAX_JSON_BYTES / 2))).toBeUndefined();
    expect(findSizeIssue(`${'é'.repeat(MAX_JSON_BYTES / 2)}x`)).toBeDefined();
    expect(findSizeIssue('€'.repeat(Math.floor(MAX_JSON_BYTES / 3)))).toBeUndefined();
    expect(findSizeIssue('€'.repeat(Math.floor(MAX_JSON_BYTES / 3) + 1))).toBeDefined();
  });

  test('ARG-17 an issue of size never repeats the text', () => {
    expect(findSizeIssue('secret'.repeat(MAX_JSON_BYTES))?.message).not.toContain('secret');
  });
});

describe('depthIssue', () => {
  const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = wrap(value);
    return value;
  };
  // A value and 64 levels below it.
  const MOST = MAX_DEPTH_LEVELS + 1;

  test.each<[string, (inner: unknown) => unknown]>([
    ['objects', (inner) => ({ inner })],
    ['arrays', (inner) => [inner]],
  ])('ARG-17 the depth of a value counts %s', (_what, wrap) => {
    expect(findDepthIssue(nested(MOST, wrap))).toBeUndefined();
    expect(findDepthIssue(nested(MOST + 1, wrap))).toMatchObject({ kind: 'constraint', path: '' });
    expect(findDepthIssue(nested(1_000_000, wrap))).toBeDefined();
  });

  test.each([1, 'x', null, undefined, [], {}])('%p is not too deep', (value) => {
    expect(findDepthIssue(value)).toBeUndefined();
  });

  test('a wide value is as flat as its deepest part', () => {
    expect(findDepthIssue(Array.from({ length: 50_000 }, () => ({ a: [1] })))).toBeUndefined();
    expect(findDepthIssue([{}, nested(MOST, (inner) => [inner])])).toBeDefined();
  });
});

test('an object that holds itself, or another one twice at each level, takes no longer than a tree', () => {
  const circle: Record<string, unknown> = {};
  Object.assign(circle, { one: circle, other: circle });
  expect(findDepthIssue(circle)).toBeDefined();
  let twice: unknown = {};
  for (let level = 0; level < 60; level++) twice = { one: twice, other: twice };
  expect(findDepthIssue(twice)).toBeUndefined();
});
