import { NOTHING_WRONG, tellStory } from './long/story';

jest.setTimeout(300_000);

test('40 turns and 6 kills: nothing refused, nothing lost, no earlier byte changed, each effect once', async () => {
  const { rows, kills, faults } = await tellStory({
    turns: 40,
    kills: 6,
    maxTokens: 3_000,
    seed: 40,
    lanes: ['anthropic-refuses', 'responses-drops', 'ai-sdk-gpt-refuses'],
  });
  expect(faults).toEqual(NOTHING_WRONG);
  expect(kills).toEqual({ request: 1, before: 1, after: 1, handler: 1, acted: 1, parked: 1 });
  for (const { turns, segments, approvals, copies } of rows) {
    expect(turns).toBeGreaterThanOrEqual(40);
    expect(segments).toBeGreaterThanOrEqual(3);
    expect(approvals).toBeGreaterThanOrEqual(4);
    expect(copies).toBe(3);
  }
});
