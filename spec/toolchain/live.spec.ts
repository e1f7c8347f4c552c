import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BindingDouble } from '../../packages/anthropic/spec/support/BindingDouble';
import { KEY as ANTHROPIC_KEY } from '../../packages/anthropic/spec/support/client';
import type { Json } from '../../packages/openai/spec/support/json';
import { KEY as OPENAI_KEY } from '../../packages/openai/spec/support/client';
import type { RequestBody } from '../../packages/openai/spec/support/Wire';
import { ProviderDouble, raw, streamed, type Turn } from '../../packages/openai/spec/support/ProviderDouble';
import { responsesDoor } from '../../packages/openai/spec/support/responsesKit';
import { responsesWire } from '../../packages/openai/spec/support/responsesWire';

// spec/live/live.mjs before doubles in place of the providers, which tests without a key cannot reach.
const root = join(__dirname, '../..');
const SLOW = 240_000;

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(ending.splice(0).map((end) => end()));
});

interface Printed {
  readonly code: number;
  readonly text: string;
}

/** Runs the script with these variables, and without keys that the environment may have. */
async function live(variables: Readonly<Record<string, string>>, ...options: readonly string[]): Promise<Printed> {
  const { ANTHROPIC_API_KEY: _a, ANTHROPIC_AUTH_TOKEN: _t, OPENAI_API_KEY: _o, ...others } = process.env;
  const run = promisify(execFile)(process.execPath, [join(root, 'spec/live/live.mjs'), ...options], {
    cwd: root,
    env: { ...others, ...variables },
  });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as {
        readonly code: number;
        readonly stdout: string;
        readonly stderr: string;
      };
      return { code, text: stdout + stderr };
    },
  );
}

const thinking: Json = { type: 'thinking', thinking: 'Let me see.' };
const said = (text: string) => ({ content: [thinking, { type: 'text', text }] });
const used = (id: string, name: string, input: Json) => ({
  content: [thinking, { type: 'tool_use', id, name, input }],
});
const opening = { section_keys: ['returns'], reason: 'It goes back.' };

async function anthropic(last = said('I looked A-1 up and announced its return.')) {
  const double = await BindingDouble.start(
    used('a', 'in_stock', { sku: 'A-1' }),
    said('There are 4.'),
    used('b', 'open_sections', opening),
    used('c', 'announce_return', { sku: 'A-1' }),
    said('It may come back.'),
    last,
  );
  ending.push(() => double.stop());
  return { double, variables: { ANTHROPIC_API_KEY: ANTHROPIC_KEY, ANTHROPIC_BASE_URL: double.client.baseURL } };
}

type Answer = Parameters<typeof responsesDoor.whole>[0];
const usage = { input: 100, output: 10, cached: 60 };

async function openai() {
  const turn =
    (text: string | undefined, ...calls: NonNullable<Answer['calls']>) =>
    ({ stream }: RequestBody): Turn => {
      const answer: Answer = {
        kind: 'answer',
        usage,
        ...(text === undefined ? {} : { text }),
        ...(calls.length === 0 ? {} : { calls }),
      };
      return stream === true
        ? streamed(responsesDoor.events(answer))
        : raw(200, JSON.stringify(responsesDoor.whole(answer)));
    };
  const call = (id: string, name: string, input: Json) => ({ id, name, arguments: JSON.stringify(input) });
  const double = await ProviderDouble.speaking(
    responsesWire,
    turn(undefined, call('a', 'in_stock', { sku: 'A-1' })),
    turn('There are 4.'),
    turn(undefined, call('b', 'open_sections', opening)),
    turn(undefined, call('c', 'announce_return', { sku: 'A-1' })),
    turn('It may come back.'),
    turn('I looked A-1 up and announced its return.'),
  );
  ending.push(() => double.stop());
  return { double, variables: { OPENAI_API_KEY: OPENAI_KEY, OPENAI_BASE_URL: double.baseURL } };
}

test(
  'without a key, each provider is named as absent',
  async () => {
    expect(await live({})).toEqual({ code: 0, text: 'absent: anthropic (no key)\nabsent: openai (no key)\n' });
  },
  SLOW,
);

test(
  'the conversation is held with both: every request is taken, and begins with the one before',
  async () => {
    const [one, two] = [await anthropic(), await openai()];
    const { code, text } = await live({ ...one.variables, ...two.variables }, '--openai-price', '1,0.5,1,10');
    expect(text).toContain('anthropic: claude-sonnet-5-5, at most 14 answers of at most 2048 output tokens each');
    expect(text.match(/prefix: 6 requests, 0 changed bytes/g)).toHaveLength(2);
    expect(text).toContain('tokens: 600 input (360 read from the cache, 0 written to it), 60 output; about $0.0010');
    expect(text).not.toContain('FAILED');
    expect(code).toBe(0);
    expect(one.double.refusals).toEqual([]);
    expect(one.double.bodies).toHaveLength(6);
    expect(two.double.requests.flatMap(({ problems, removed }) => [...problems, ...removed])).toEqual([]);
    expect(two.double.left).toBe(0);
    for (const key of [ANTHROPIC_KEY, OPENAI_KEY]) expect(text).not.toContain(key);
  },
  SLOW,
);

test(
  'a model that does not do what it is asked, and a provider that refuses, fail the check',
  async () => {
    const { variables } = await anthropic({ content: [] });
    // The script has nothing for these.
    const silent = await ProviderDouble.speaking(responsesWire, raw(400, '{"error":{"message":"No such model."}}'));
    ending.push(() => silent.stop());
    const { code, text } = await live({
      ...variables,
      OPENAI_API_KEY: OPENAI_KEY,
      OPENAI_BASE_URL: silent.baseURL,
    });
    expect(text).toContain('FAILED  message 3 is answered');
    expect(text).toMatch(/FAILED {2}message 1 is answered: E\d+ .*No such model/);
    expect(code).toBe(1);
  },
  SLOW,
);

test(
  'an option that it does not know is refused, with the options that it has',
  async () => {
    const { code, text } = await live({}, '--gemini-model', 'x');
    expect(code).toBe(1);
    expect(text).toContain('--anthropic-model, --anthropic-price, --openai-model, --openai-price');
  },
  SLOW,
);
