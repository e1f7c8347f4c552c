import 'reflect-metadata';
import { createApplication, definePrompt, type JsonSchema, type RenderedPrompt } from 'toolwright';
import { mcpSection } from '@toolwright/mcp';
import { closeServers, connected, text, type Connected } from '../support/clientServers';
import { silent } from '../../../../spec/support/silent';

afterEach(closeServers);

interface Desk extends Connected {
  readonly rendered: RenderedPrompt;
  readonly warnings: readonly string[];
  readonly invoke: (name: string, params: Readonly<Record<string, unknown>>) => Promise<{ readonly kind: string }>;
}

/** Bridges a tool with this schema, beside a good one. */
async function deskOf(inputSchema: JsonSchema): Promise<Desk> {
  const server = await connected({
    tools: [
      { name: 'q', inputSchema },
      { name: 'good', inputSchema: objectOf({ type: 'string' }) },
    ],
    call: () => text('done'),
  });
  const warnings: string[] = [];
  const logger = { ...silent, warn: (message: string) => void warnings.push(message) };
  const section = await mcpSection(server.client, { key: 'remote', title: 'Remote', logger });
  const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [section] });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  const rendered = await app.prompt(prompt).render();
  return { ...server, rendered, warnings, invoke: (name, params) => app.invoke(rendered, name, params) };
}

const objectOf = (a: unknown, more: object = {}): JsonSchema => ({ type: 'object', properties: { a }, ...more });

describe('schemas of a server that a provider refuses', () => {
  test.each<[string, unknown, unknown]>([
    ['a list without items', { type: 'array' }, { type: 'array', items: {} }],
    ['a nullable list without items', { type: ['array', 'null'] }, { type: ['array', 'null'], items: {} }],
    [
      'a tuple of draft 7',
      { type: 'array', items: [{ type: 'string' }], additionalItems: false },
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    ],
    [
      'a bound of draft 4',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [
      'an open bound of draft 4',
      { type: 'number', maximum: 1, exclusiveMaximum: false },
      { type: 'number', maximum: 1 },
    ],
    ['the type any', { type: 'any', description: 'x' }, { description: 'x' }],
    ['an enum with a value twice', { type: 'string', enum: ['x', 'x'] }, { type: 'string', enum: ['x'] }],
  ])('%s is rewritten with the same meaning', async (_what, sent, shown) => {
    const { rendered, warnings } = await deskOf(objectOf(sent));
    expect(warnings).toEqual([]);
    for (const target of ['openai', 'anthropic'] as const) {
      const [tool] = rendered.toolSchemas(target);
      expect(tool?.parameters).toEqual(objectOf(shown));
    }
  });

  test.each<[string, JsonSchema, readonly string[]]>([
    ['names a property twice', objectOf({ type: 'string' }, { required: ['a', 'a'] }), ['a']],
    ['is of draft 3', objectOf({ type: 'string', required: true }), ['a']],
  ])('a schema whose required %s is rewritten', async (_what, sent, required) => {
    const { rendered } = await deskOf(sent);
    expect(rendered.toolSchemas('anthropic')[0]?.parameters).toEqual(objectOf({ type: 'string' }, { required }));
  });

  test('arguments without a type are an object', async () => {
    const { rendered } = await deskOf({ properties: { a: { type: 'string' } } });
    expect(rendered.toolSchemas('openai')[0]?.parameters).toEqual(objectOf({ type: 'string' }));
  });

  test.each([
    ['filter[id]', 'filter_id'],
    ['$top', 'top'],
    ['größe', 'gr_e'],
    ['name', 'name'],
    ['k'.repeat(65), 'k'.repeat(56)],
  ])('an argument %s is called %s for the model, and has its own name for the server', async (sent, shown) => {
    const schema = { type: 'object', properties: { [sent]: { type: 'string' } }, required: [sent] };
    const { rendered, invoke, asked } = await deskOf(schema);
    expect(rendered.toolSchemas('anthropic')[0]?.parameters).toEqual({
      type: 'object',
      properties: { [shown]: { type: 'string' } },
      required: [shown],
    });
    expect((await invoke('q', { [shown]: 'x' })).kind).toBe('succeeded');
    expect(asked.at(-1)).toEqual(['tools/call', expect.objectContaining({ arguments: { [sent]: 'x' } })]);
  });

  test('an argument that is renamed does not take the name of another one', async () => {
    const properties = { 'a b': { type: 'string' }, a_b: { type: 'string' }, 'a/b': { type: 'string' } };
    const { rendered, invoke, asked } = await deskOf({ type: 'object', properties });
    const shown = rendered.toolSchemas('anthropic')[0]?.parameters['properties'] as object;
    expect(Object.keys(shown)).toEqual(['a_b_2', 'a_b', 'a_b_3']);
    await invoke('q', { a_b: '1', a_b_2: '2', a_b_3: '3' });
    expect(asked.at(-1)?.[1]).toMatchObject({ arguments: { a_b: '1', 'a b': '2', 'a/b': '3' } });
  });

  test.each<[string, JsonSchema, RegExp]>([
    ['has an unknown type', objectOf({ type: 'text' }), /keyword "type" is malformed/],
    ['has an empty enum', objectOf({ enum: [] }), /keyword "enum" is malformed/],
    ['is a text as a whole', { type: 'string' }, /the root of the schema in params is not an object/],
    ['refers to another document', objectOf({ $ref: 'https://example.com/a.json' }), /nothing is fetched/],
    [
      'names a refused argument elsewhere',
      { type: 'object', properties: { 'a b': {}, c: {} }, dependentRequired: { c: ['a b'] } },
      /has an argument that a provider refuses by its name, and that dependentRequired may name as well/,
    ],
  ])('E687 a tool whose schema %s is left out, and the others are bridged', async (_what, sent, reason) => {
    const { rendered, warnings } = await deskOf(sent);
    expect(rendered.tools.map(({ metadata }) => metadata.name)).toEqual(['good']);
    expect(warnings).toEqual([expect.stringMatching(reason)]);
  });

  test.each<[string, JsonSchema]>([
    ['a map', objectOf({ type: 'object', additionalProperties: { type: 'string' } })],
    ['a value of any type', objectOf({})],
    ['a tuple', objectOf({ type: 'array', prefixItems: [{ type: 'string' }] })],
  ])('a tool with %s is sent without strict mode to OpenAI and Anthropic', async (_what, sent) => {
    const { rendered } = await deskOf(sent);
    for (const target of ['openai', 'anthropic'] as const) {
      const [tool, good] = rendered.toolSchemas(target, { strict: true });
      expect([target, tool?.strict, good?.strict]).toEqual([target, false, true]);
      expect(tool?.losses.length).toBeGreaterThan(0);
    }
  });

  test('a union as a whole is written as an object without it', async () => {
    const union = objectOf({ type: 'string' }, { anyOf: [{ required: ['a'] }, { maxProperties: 0 }] });
    const { rendered } = await deskOf(union);
    for (const target of ['openai', 'anthropic'] as const)
      expect(Object.keys(rendered.toolSchemas(target)[0]?.parameters ?? {})).not.toContain('anyOf');
  });

  test('a recursive schema is strict for OpenAI, and is sent without strict mode to Anthropic', async () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
    const { rendered } = await deskOf(objectOf({ $ref: '#/$defs/node' }, { $defs: { node } }));
    expect(rendered.toolSchemas('openai', { strict: true })[0]?.strict).toBe(true);
    expect(rendered.toolSchemas('anthropic', { strict: true })[0]?.strict).toBe(false);
  });
});
