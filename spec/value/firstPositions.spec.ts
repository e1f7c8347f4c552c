import { findFirstPositions, type ToolCall } from '../../src/value/ToolCall';

const call = (id: string, item: string, name = 'buy'): ToolCall => ({ id, name, arguments: { item } });

describe('the first of the same calls', () => {
  test.each<[string, readonly ToolCall[], readonly number[]]>([
    ['none', [], []],
    ['all differ', [call('a', 'x'), call('b', 'x')], [0, 1]],
    ['sent twice', [call('a', 'x'), call('b', 'x'), call('a', 'x'), call('a', 'x')], [0, 1, 0, 0]],
    ['another item under the same id', [call('a', 'x'), call('a', 'y')], [0, 1]],
    ['another tool under the same id', [call('a', 'x'), call('a', 'x', 'sell')], [0, 1]],
    ['text and object are two', [call('a', 'x'), { id: 'a', name: 'buy', arguments: '{"item":"x"}' }], [0, 1]],
  ])('the first positions of equal calls are found: %s', (_what, calls, expected) => {
    expect(findFirstPositions(calls)).toEqual(expected);
  });

  test.each([
    ['one id', 'a', 1],
    ['ids of their own', '', 0],
  ])('arguments of 2,000 calls with %s are written at most once', (_what, shared, times) => {
    let written = 0;
    const args = { toJSON: () => (written++, { item: written }) };
    const calls = Array.from({ length: 2_000 }, (_, at) => ({
      id: shared || String(at),
      name: 'buy',
      arguments: args,
    }));
    expect(findFirstPositions(calls)).toHaveLength(2_000);
    expect(written).toBe(times * 2_000);
  });
});
