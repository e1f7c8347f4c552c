import { CallIds } from '../../src/provider/CallIds';

/** Counts how often a set or a map is asked, and the items of lists that are copied or moved. */
function countWork(work: () => void): number {
  let count = 0;
  const counted = [
    jest.spyOn(Set.prototype, 'has'),
    jest.spyOn(Map.prototype, 'get'),
    jest.spyOn(Array.prototype, 'shift').mockImplementation(function (this: unknown[]) {
      count += this.length;
      return this.splice(0, 1)[0];
    }),
  ];
  try {
    work();
    return count + counted.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  } finally {
    for (const spy of counted) spy.mockRestore();
  }
}

describe('ids of calls', () => {
  test('the second of an id has a suffix, in its answer too, and later turns count on', () => {
    const ids = new CallIds();
    expect(ids.begin(['x', 'x', 'x_2', 'x'])).toEqual(['x', 'x_3', 'x_2', 'x_4']);
    expect(['x', 'x', 'x', 'x', 'x_2', 'y'].map((id) => ids.matchAnswer(id))).toEqual([
      'x',
      'x_3',
      'x_4',
      undefined,
      'x_2',
      undefined,
    ]);
    expect(ids.begin(['x', 'x_5', 'x'])).toEqual(['x_6', 'x_5', 'x_7']);
  });

  test.each<[string, (at: number) => string]>([
    ['one id', () => 'x'],
    ['one id, and the suffixes of it', (at) => (at % 2 === 0 ? 'x' : `x_${String(at)}`)],
  ])('HOST-05n the work for calls that share %s grows with their number', (_what, idAt) => {
    const workFor = (count: number): number =>
      countWork(() => {
        const ids = new CallIds();
        for (let turn = 0; turn < 2; turn++) {
          const given = Array.from({ length: count }, (_none, at) => idAt(at));
          const sent = ids.begin(given);
          expect(new Set(sent).size).toBe(count);
          expect(given.every((id) => ids.matchAnswer(id) !== undefined)).toBe(true);
        }
      });
    expect(workFor(2_000)).toBeLessThan(2.5 * workFor(1_000));
  });
});
