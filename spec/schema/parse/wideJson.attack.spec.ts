import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createApplication, definePrompt, Field, Param, Prompt, Section, Session, Tool } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { mcpSection } from '@toolwright/mcp';
import { FileOverridesStore } from 'toolwright/overrides';
import { parseOutput } from 'toolwright/schema';
import { HELD_MS, leastPause } from '../../support/hostPause';
import { measureAround } from '../../support/attacks/around';
import { closeServers, connected } from '../../../packages/mcp/spec/support/clientServers';
import { silent } from '../../support/silent';

measureAround();
afterEach(closeServers);

const wide = (count: number, value = '1'): string =>
  `{${Array.from({ length: count }, (_none, index) => `"k${String(index)}":${value}`).join(',')}}`;

/** Texts of JSON below a megabyte, each of which took the host seconds or tenths of one. */
const attacks: readonly (readonly [string, string])[] = [
  ['90,000 keys', `{"data":${wide(90_000)}}`],
  [
    'ten parallel lists',
    `{${Array.from({ length: 10 }, (_n, i) => `"a${String(i)}":[${'1,'.repeat(50_000)}1]`).join()}}`,
  ],
  ['half a million empty lists', `{"data":{"a":[${'[],'.repeat(340_000)}[]]}}`],
  ['empty objects within each other, many times', `{"data":{"a":[${'{"b":{}},'.repeat(110_000)}1]}}`],
  ['commas after a text with brackets and quotes', `{"data":{"\\"]}[{":1,"a":[${'1,'.repeat(500_000)}1]}}`],
  ['a backslash at the end of a text', `{"data":{"a\\\\":1,"b":[${'1,'.repeat(500_000)}1]}}`],
  ['half a million escapes', `{"data":{"${'\\n'.repeat(500_000)}\\u0041":1}}`],
  ['a megabyte of backslashes', `{"data":{"${'\\\\'.repeat(500_000)}\\u0041":1}}`],
];

async function desk() {
  const given: unknown[] = [];
  class Free {
    @Param({ description: 'Numbers.', record: Number, optional: true }) data?: Record<string, number>;
    @Param({ description: 'A list.', type: [Number], optional: true }) a0?: number[];
    @Param({ description: 'A list.', type: [Number], optional: true }) a1?: number[];
    @Param({ description: 'A list.', type: [Number], optional: true }) a2?: number[];
  }
  @Section({ title: 'Desk', template: 'Desk.' })
  class Tools {
    @Tool('Take.') take(params: Free) {
      given.push(params);
      return 'taken';
    }
  }
  @Prompt({ ns: 'test', key: 'wide', sections: [Tools], allowExtraKeys: true })
  class Wide {}
  const app = await createApplication({ prompts: [Wide], logger: silent });
  const rendered = await app.prompt(Wide).render();
  await app.callTool(rendered, { id: 'warm', name: 'take', arguments: '{"data":{"a":1}}' });
  const call = (args: string | object) => app.callTool(rendered, { id: 'c', name: 'take', arguments: args as string });
  return { call, given };
}

describe('JSON that is wide', () => {
  test.each(attacks)('HOST-05a wide arguments as text do not hold the host: %s', async (what, text) => {
    const { call } = await desk();
    let outcome = await call(text);
    expect(await leastPause(async () => (outcome = await call(text)))).toBeLessThanOrEqual(HELD_MS);
    // Escapes are one value, and legal.
    expect(outcome.kind).toBe(/escapes|megabyte of/.test(what) ? 'succeeded' : 'rejected');
    expect(outcome.text.length).toBeLessThan(500);
  });

  test.each(attacks.slice(0, 6))(
    'HOST-05b wide arguments as an object do not hold the host: %s',
    async (_what, text) => {
      const { call, given } = await desk();
      const parsed = JSON.parse(text) as object;
      const before = given.length;
      expect(await leastPause(() => call(parsed))).toBeLessThanOrEqual(HELD_MS);
      expect((await call(parsed)).text).toContain('20000 values');
      expect(given).toHaveLength(before);
    },
  );

  test('HOST-05b a list that is only long, and one that holds itself many times', async () => {
    const { call } = await desk();
    const hole: unknown[] = [];
    hole.length = 4_000_000_000;
    let twice: object = {};
    for (let level = 0; level < 60; level++) twice = { a: twice, b: twice };
    for (const args of [{ data: hole }, { data: twice }]) {
      expect(await leastPause(() => call(args))).toBeLessThanOrEqual(HELD_MS);
      expect((await call(args)).kind).toBe('rejected');
    }
  });

  test('HOST-05c a model may send 15,000 values, and a text of a megabyte, in full', async () => {
    const { call, given } = await desk();
    for (const args of [`{"data":${wide(15_000)}}`, `{"data":{"${'x'.repeat(1_000_000)}":1}}`])
      expect(await call(args)).toMatchObject({ kind: 'succeeded' });
    expect(given).toHaveLength(3);
  });

  test.each([
    ['as JSON', (json: string) => json],
    ['in a fence', (json: string) => `Here.\n\`\`\`json\n${json}\n\`\`\``],
    ['after prose', (json: string) => `Here it is: ${json} So.`],
  ])('HOST-05d a wide answer %s does not hold the process', async (_what, wrap) => {
    class Answer {
      @Field({ description: 'Numbers.', record: Number }) data!: Record<string, number>;
    }
    for (const [, json] of attacks.slice(0, 6)) {
      const read = (): unknown => {
        try {
          return parseOutput(Answer, wrap(json));
        } catch (error) {
          return (error as { readonly code?: string }).code;
        }
      };
      expect(await leastPause(read)).toBeLessThanOrEqual(HELD_MS);
      expect(read()).toBe('E530');
    }
  });

  test.each([
    ['structured', { structuredContent: JSON.parse(attacks[0]?.[1] ?? '') as object, content: [] }, 'rejected'],
    ['many blocks', { content: Array.from({ length: 60_000 }, () => ({ type: 'text', text: 'x' })) }, 'rejected'],
    ['a text of JSON', { content: [{ type: 'text', text: `[${'1,'.repeat(400_000)}1]` }] }, 'succeeded'],
  ])('HOST-05e the answer of a bridged tool may be wide: %s', async (_what, answer, kind) => {
    const tools = [{ name: 'fetch', description: 'Fetches.', inputSchema: { type: 'object', properties: {} } }];
    const { client } = await connected({ tools });
    // Not over a transport, which parses and checks by itself.
    client.request = () => Promise.resolve(answer) as never;
    const list = { tools };
    const source = { getServerCapabilities: () => ({ tools: {} }), request: () => Promise.resolve(list as never) };
    const remote = await mcpSection(source, { key: 'remote', title: 'Remote', logger: silent, resources: false });
    source.request = () => Promise.resolve(answer as never);
    const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [remote] });
    const app = await createApplication({ prompts: [prompt], logger: silent });
    const rendered = await app.prompt(prompt).render();
    expect(await leastPause(() => app.invoke(rendered, 'fetch', {}))).toBeLessThanOrEqual(HELD_MS);
    const outcome = await app.invoke(rendered, 'fetch', {});
    expect(outcome.kind === 'succeeded' ? 'succeeded' : 'rejected').toBe(kind);
    if (kind === 'rejected') expect(outcome.text).toContain('20000 values');
  });

  test('HOST-05g a session of a million values is refused, with the option that takes it', async () => {
    class Kept {
      values!: readonly number[];
    }
    const of = (count: number) => ({
      ...{ format: 'toolwright/session', version: 1, id: 's', parentId: null, tags: {} },
      slices: { Kept: [{ values: Array.from({ length: count }, () => 1) }] },
    });
    const read = (json: unknown, maxValues?: number): unknown => {
      try {
        return Session.fromJSON(json, { slices: [Kept], logger: silent, maxValues }).id;
      } catch (error) {
        return String(error);
      }
    };
    const large = of(1_000_000);
    expect(await leastPause(() => read(large))).toBeLessThanOrEqual(HELD_MS);
    expect(read(large)).toMatch(/E806.+at most 20000 values[^]+maxValues/);
    expect(read(of(30_000), 50_000)).toBe('s');
  });

  test('HOST-05h an entry of a conversation with a million values is refused', async () => {
    const json = {
      format: 'toolwright/conversation',
      version: 1,
      id: 'c',
      entries: [{ kind: 'conversation', seq: 0, id: 'c', extra: Array.from({ length: 1_000_000 }, () => 1) }],
    };
    const read = (): unknown => {
      try {
        return Conversation.fromJSON(json);
      } catch (error) {
        return String(error);
      }
    };
    expect(await leastPause(read)).toBeLessThanOrEqual(HELD_MS);
    expect(read()).toMatch(/entries\[0\].+at most 120000 values/);
  });

  test.each([
    ['wide', `{"version":1,"ns":"a","key":"b","tag":"latest","sections":${wide(80_000)}}`],
    ['large', `{"version":1,"sections":{"a":"${'x'.repeat(3_000_000)}"}}`],
  ])('HOST-05i a file of overrides that is %s is refused', async (_what, text) => {
    const root = await mkdtemp(join(tmpdir(), 'overrides-'));
    try {
      const store = new FileOverridesStore(root);
      const address = { ns: 'a', key: 'b' };
      const path = store.pathOf(address, 'latest');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      const read = (): Promise<unknown> => store.read(address, 'latest').catch(String);
      expect(await leastPause(read)).toBeLessThanOrEqual(HELD_MS);
      expect(await read()).toMatch(/E525.+(?:20000 values|1048576 bytes)/);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
