import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from 'toolwright';
import { SearchIndex } from '../../../src/prompt/search/SearchIndex';
import type { SearchEntry } from '../../../src/prompt/search/SearchEntry';
import { describeWithData } from '../../support/absent';
import { HELD_MS, leastPause } from '../../support/hostPause';

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** The entry of a tool, as the index reads it. */
function entryOf({ name, description, parameters }: ListedTool): SearchEntry {
  const node = { metadata: { title: 'Remote', key: 'remote', summary: undefined } };
  return { trail: [node], tool: { name, description, schema: parameters } } as unknown as SearchEntry;
}

const readLines = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

const tool = (name: string, description: string, parameters: readonly string[] = []): ListedTool => ({
  name,
  description,
  parameters: { type: 'object', properties: Object.fromEntries(parameters.map((word) => [word, { type: 'string' }])) },
});

const WORDS =
  'order invoice ticket customer refund parcel branch commit issue label photo album song route hotel flight'.split(
    ' ',
  );
const VERBS = 'create cancel list update archive export merge copy share rename'.split(' ');

/** Tools of bridged servers: each verb with each noun, many times over. */
const manyTools = (count: number): ListedTool[] =>
  Array.from({ length: count }, (_, index) => {
    const [verb, noun] = [VERBS[index % VERBS.length], WORDS[Math.floor(index / VERBS.length) % WORDS.length]];
    const description = `${String(verb)} a ${String(noun)} of account ${String(index)}, and return its new state.`;
    return tool(`server${String(index % 97)}_${String(verb)}_${String(noun)}_${String(index)}`, description, [
      'id',
      'reason',
    ]);
  });

describeWithData('tool-search', 'the ranking of a public set of tools and queries', (folder) => {
  const tools = readLines(join(folder, 'tools.jsonl')) as ListedTool[];
  const queries = readLines(join(folder, 'queries.jsonl')) as { readonly text: string; readonly wanted: string }[];
  const shareAmong = (index: SearchIndex, first: number): number =>
    queries.filter(({ text, wanted }) =>
      index
        .rank(text)
        .slice(0, first)
        .some((at) => tools[at]?.name === wanted),
    ).length / queries.length;

  test('the wanted tool is the first for .71 of the queries, and among the first five for .92', async () => {
    const index = await SearchIndex.build(tools.map(entryOf));
    expect(shareAmong(index, 1)).toBeGreaterThanOrEqual(0.71);
    expect(shareAmong(index, 5)).toBeGreaterThanOrEqual(0.92);
    expect(shareAmong(index, 10)).toBeGreaterThanOrEqual(0.96);
  });

  test('a tool whose texts hold every word of the queries wins less than a hundredth of them, and is seldom among the first five', async () => {
    const every = [...new Set(queries.flatMap(({ text }) => text.toLowerCase().match(/[a-z]+/g) ?? []))].join(' ');
    const stuffed = { ...tool('best_tool', every, every.split(' ')), description: every };
    const index = await SearchIndex.build([...tools, stuffed].map(entryOf));
    const shareOfStuffed = (first: number): number =>
      queries.filter(({ text }) => index.rank(text).slice(0, first).includes(tools.length)).length / queries.length;
    expect(shareOfStuffed(1)).toBeLessThan(0.01);
    expect(shareOfStuffed(5)).toBeLessThan(0.1);
  });
});

describe('an index of tools', () => {
  test.each([
    ['getOrderById', 'order', 'camel case'],
    ['HTTPServerList', 'server', 'an abbreviation before a word'],
    ['sha256_sum', 'sha sum', 'a number behind letters'],
    ['files.readText', 'read', 'a dot'],
    ['cancel_subscriptions', 'cancelling a subscription', 'another form of a word'],
  ])('finds %s by "%s": %s', async (name, query) => {
    const index = await SearchIndex.build([tool('unlike', 'Nothing.'), tool(name, 'Does it.')].map(entryOf));
    expect(index.rank(query)).toEqual([1]);
  });

  test('an index finds a tool by the names and descriptions of its parameters at any depth, and by their choices', async () => {
    const parameters: JsonSchema = {
      type: 'object',
      properties: {
        target: { $ref: '#/$defs/Target' },
        parts: { type: 'array', items: { anyOf: [{ properties: { colour: { enum: ['turquoise'] } } }] } },
      },
      $defs: { Target: { properties: { warehouse: { description: 'Where the pallets are' } } } },
    };
    const index = await SearchIndex.build([entryOf({ name: 'go', description: 'Goes.', parameters })]);
    for (const query of ['warehouse', 'pallet', 'turquoise', 'colour']) expect(index.rank(query)).toEqual([0]);
    expect(index.rank('properties')).toEqual([]);
  });

  test('an index ranks a word in the name before the same word in the description, and that before one of the parameters', async () => {
    const listed = [
      tool('go', 'Does it.', ['parcel']),
      tool('see', 'A parcel.', ['it']),
      tool('parcel', 'Does it.', ['it']),
    ];
    expect((await SearchIndex.build(listed.map(entryOf))).rank('parcel')).toEqual([2, 1, 0]);
  });

  test('function words, names of properties of objects and empty queries find nothing', async () => {
    const index = await SearchIndex.build([tool('list_orders', 'The orders that you have.')].map(entryOf));
    for (const query of ['what is the', '', ' ', 'constructor', '__proto__', '🙂', '\0'])
      expect([query, index.rank(query)]).toEqual([query, []]);
  });

  test('an index of 10,000 tools is built and searched without holding the event loop', async () => {
    const entries = manyTools(10_000).map(entryOf);
    let index: SearchIndex | undefined;
    expect(await leastPause(async () => (index = await SearchIndex.build(entries)))).toBeLessThan(HELD_MS);
    const huge = `cancel the order of account 4710 ${'x'.repeat(1_000_000)} ${'create parcel '.repeat(50_000)}`;
    expect(await leastPause(() => index?.rank(huge))).toBeLessThan(HELD_MS);
    expect(index?.rank('cancel order 4161')[0]).toBe(
      entries.findIndex(({ tool: found }) => found?.name.endsWith('_cancel_order_4161')),
    );
  }, 60_000);
});
