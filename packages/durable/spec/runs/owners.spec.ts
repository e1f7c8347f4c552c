import { isElsewhere, makeOwnerName } from '../../src/runs/owners.js';

describe('the owner of a run', () => {
  test('the owner of a run is this process, or another one that lives', () => {
    expect(isElsewhere(makeOwnerName(), true)).toBe(true);
    expect(isElsewhere(makeOwnerName().replace(/^process \d+/, `process ${String(process.ppid)}`), true)).toBe(true);
  });

  test('the owner of a run has ended if its process had the id of this one and began at another time, as in a container that starts again', () => {
    const before = makeOwnerName().replace(
      /begun at (\d+)/,
      (_all, at: string) => `begun at ${String(Number(at) - 60)}`,
    );
    expect(isElsewhere(before, false)).toBe(false);
  });

  test('an owner on another machine may live, unless this is the first look', () => {
    const away = makeOwnerName().replace(/ of .* \(/, ' of elsewhere (');
    expect([isElsewhere(away, false), isElsewhere(away, true)]).toEqual([true, false]);
  });
});
