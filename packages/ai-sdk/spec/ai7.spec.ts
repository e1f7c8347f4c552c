import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

jest.setTimeout(120_000);
const root = resolve(__dirname, '../../..');

interface Trial {
  readonly text: string;
  /** The text that the model read. */
  readonly read: readonly string[];
  readonly notes: readonly string[];
  readonly events: readonly string[];
}

let trials: Readonly<Record<string, Trial>> = {};
beforeAll(() => {
  if (!existsSync(join(root, 'dist/index.mjs')))
    throw new Error('dist/ is missing. `npm test` builds it before the specs run; alone: `npm run build`.');
  const { NODE_OPTIONS: _options, NODE_ENV: _env, ...env } = process.env;
  const stdout = execFileSync(process.execPath, ['packages/ai-sdk/spec/support/onAi7.mjs'], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  trials = JSON.parse(stdout) as typeof trials;
});

describe('version 7 of the AI SDK, in a process of its own', () => {
  test.each(['generateText', 'streamText', 'evaluate', 'stream'])(
    '%s: one call succeeds, one fails and leaves no trace, one is refused for its arguments, one continues from the first',
    (way) => {
      const { text, notes, events, read } = trials[way] as Trial;
      expect({ text, notes, events }).toEqual({
        text: 'Done.',
        notes: ['one', 'two'],
        events: ['succeeded', 'failed', 'rejected', 'succeeded'],
      });
      expect(read.slice(0, 4)).toEqual([
        'text: one, after 0',
        expect.stringMatching(/^error-text: .*The ink ran out\./),
        expect.stringMatching(/^error-text: .*\n- text: expected a string, got the number 7/),
        'text: two, after 1',
      ]);
    },
  );

  test('a run with a model of V4 sends its reasoning back, and counts', () => {
    const [reasoning, usage] = trials['evaluate']?.read.slice(4) ?? [];
    expect(JSON.parse(reasoning ?? '')).toEqual({
      type: 'reasoning',
      text: 'Hm.',
      providerOptions: { mock: { signature: 's' } },
    });
    expect(JSON.parse(usage ?? '')).toEqual({
      inputTokens: 60,
      outputTokens: 8,
      totalTokens: 68,
      cachedInputTokens: 40,
    });
  });
});
