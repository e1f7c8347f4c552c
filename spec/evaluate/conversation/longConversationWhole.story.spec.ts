import { ALL_LANES, NOTHING_WRONG, tellStory } from './long/story';

jest.setTimeout(1_200_000);

test('200 turns and 50 kills: nothing refused, nothing lost, no earlier byte changed, each effect once', async () => {
  const { rows, kills, faults } = await tellStory({
    turns: 200,
    kills: 50,
    maxTokens: 5_000,
    seed: 200,
    lanes: ALL_LANES,
  });
  expect(faults).toEqual(NOTHING_WRONG);
  expect(kills).toEqual({ request: 9, before: 9, handler: 8, after: 8, acted: 8, parked: 8 });
  for (const { turns, segments, approvals, copies } of rows) {
    expect(turns).toBeGreaterThanOrEqual(200);
    expect(segments).toBeGreaterThanOrEqual(6);
    expect(approvals).toBeGreaterThanOrEqual(20);
    expect(copies).toBe(3);
  }
});
