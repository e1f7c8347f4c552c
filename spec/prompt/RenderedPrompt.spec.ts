import fc from 'fast-check';
import {
  type Constructor,
  createApplication,
  Deadline,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  Param,
  type RenderedPrompt,
  type SectionOptions,
} from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { z } from 'zod';

async function renderedOf(...sections: readonly Constructor[]): Promise<RenderedPrompt> {
  const type = definePrompt({ ns: 'n', key: 'k', sections });
  return (await createApplication({ prompts: [type] })).prompt(type).render();
}
const section = (key: string, options: Partial<SectionOptions> = {}): Constructor =>
  defineSection({ title: key.toUpperCase(), ...options, key });

describe('the sections of a rendering', () => {
  test('sections are where their offsets say, without their children', async () => {
    const { text, sections } = await renderedOf(
      section('a', { template: 'One 😀.', children: [section('b', { template: 'Inner.' })] }),
      section('c'),
    );
    expect(sections.map(({ path, key, number, title }) => [path, key, number, title])).toEqual([
      ['a', 'a', '1', 'A'],
      ['a.b', 'b', '1.1', 'B'],
      ['c', 'c', '2', 'C'],
    ]);
    expect(sections.map(({ start, end }) => text.slice(start, end))).toEqual([
      '## 1. A (a)\n\nOne 😀.',
      '### 1.1. B (a.b)\n\nInner.',
      '## 2. C (c)',
    ]);
  });

  test('the sections of a rendering make up the text, whatever they hold', async () => {
    interface Node {
      readonly body: string;
      readonly enabled: boolean;
      readonly children: readonly Node[];
    }
    const nodes = (depth: number): fc.Arbitrary<readonly Node[]> =>
      fc.array(
        fc.record({
          body: fc.string({ maxLength: 20 }).map((body) => body.replaceAll('$', '$$$$')),
          enabled: fc.boolean(),
          children: depth === 0 ? fc.constant([]) : nodes(depth - 1),
        }),
        { maxLength: 3 },
      );
    const build = ({ body, enabled, children }: Node, index: number): Constructor =>
      section(`s${index}`, { template: body, enabled: () => enabled, children: children.map(build) });
    await fc.assert(
      fc.asyncProperty(nodes(2), async (roots) => {
        const { text, sections } = await renderedOf(...roots.map(build));
        expect(sections.map(({ start, end }) => text.slice(start, end)).join('\n\n')).toBe(text);
        expect(text).toBe(text.trim());
      }),
      { numRuns: 100 },
    );
  });
});

describe('a rendering', () => {
  class Get {
    @Param('Order id') orderId!: string;
    @Param({ integer: true, description: 'How many' }) limit = 5;
    @Param({ type: [String], optional: true }) tags?: string[];
  }
  class Order {
    @Field('Id') id!: string;
  }
  const get = () =>
    defineTool({
      name: 'get_order',
      description: ' Fetches. ',
      params: Get,
      result: { array: Order },
      hints: { readOnly: true },
      acceptsOverrides: false,
      handler: () => [],
    });

  test('a rendering is frozen, with its lists', async () => {
    const rendered = await renderedOf(section('a', { tools: [get()] }));
    expect(
      [rendered, rendered.sections, rendered.tools, rendered.tools[0]].every((part) => Object.isFrozen(part)),
    ).toBe(true);
  });

  test('a rendering holds the description of each parameter for the model', async () => {
    const { toolParamDescriptions } = await renderedOf(section('a', { tools: [get()] }));
    expect(toolParamDescriptions).toEqual({
      get_order: {
        orderId: { description: 'Order id', type: 'string' },
        limit: { description: 'How many', type: 'integer', default: 5 },
        tags: { type: 'array' },
      },
    });
  });

  test('a rendering holds the descriptions of a schema of another library', async () => {
    const params = z.object({
      id: z.string().describe('Order id'),
      limit: z.number().default(5),
      kind: z.union([z.string(), z.null()]),
    });
    const find = defineTool({ name: 'find', description: 'Finds.', params, handler: () => 1 });
    const { toolParamDescriptions } = await renderedOf(section('a', { tools: [find] }));
    expect(toolParamDescriptions).toEqual({
      find: { id: { description: 'Order id', type: 'string' }, limit: { type: 'number', default: 5 }, kind: {} },
    });
  });

  test('a rendering holds the deadline that it was rendered with, and the run keeps to it', async () => {
    const clock = new FakeClock();
    const type = definePrompt({ ns: 'n', key: 'k', sections: [section('a', { tools: [get()] })] });
    const app = await createApplication({ prompts: [type], clock });
    const deadline = Deadline.in(5_000, clock);
    const rendered = await app.prompt(type).render({ deadline });
    expect(rendered.deadline).toBe(deadline);
    expect((await app.prompt(type).render()).deadline).toBeNull();
    clock.advance(5_000);
    await expect(app.invoke(rendered, 'get_order', { orderId: '1' })).rejects.toMatchObject({ phase: 'tool' });
  });

  test('a rendering carries its tools with everything that belongs to them', async () => {
    const rendered = await renderedOf(section('a', { tools: [get()] }));
    const [tool] = rendered.tools;
    expect(rendered.tool('get_order')).toBe(tool);
    expect(tool).toMatchObject({
      name: 'get_order',
      description: 'Fetches.',
      sectionPath: 'a',
      paramsType: Get,
      resultContainer: 'array',
      hints: { readOnly: true },
      examples: [],
      acceptsOverrides: false,
    });
    expect(tool?.resultType).toMatchObject({ kind: 'array' });
    expect(tool?.handler).toBeInstanceOf(Function);
  });

  test('a tool without params and result has null for both', async () => {
    const ping = defineTool({ name: 'ping', description: 'Answers.', handler: () => 'pong' });
    const [tool] = (await renderedOf(section('a', { tools: [ping] }))).tools;
    expect(tool).toMatchObject({ paramsType: null, resultType: null, resultContainer: 'object' });
    expect(tool?.schema).toEqual({ type: 'object', properties: {}, additionalProperties: false });
    expect(tool?.handler?.({}, undefined as never)).toBe('pong');
  });

  test('a section that takes no overrides covers its tools', async () => {
    const ping = defineTool({ name: 'ping', description: 'Answers.', handler: () => 'pong' });
    const [tool] = (await renderedOf(section('a', { tools: [ping], acceptsOverrides: false }))).tools;
    expect(tool?.acceptsOverrides).toBe(false);
  });

  test('a rendering returns schemas for a provider, the same bytes and the same objects each time', async () => {
    const rendered = await renderedOf(section('a', { tools: [get()] }));
    const [plain] = rendered.toolSchemas('json-schema');
    expect(plain).toMatchObject({ name: 'get_order', description: 'Fetches.', strict: false });
    expect(plain?.parameters).toBe(rendered.tools[0]?.schema);
    const [strict] = rendered.toolSchemas('openai', { strict: true });
    expect(strict?.strict).toBe(true);
    expect(strict?.parameters).toMatchObject({ required: ['orderId', 'limit', 'tags'] });
    expect(rendered.toolSchemas('openai', { strict: true })[0]).toBe(strict);
    expect(JSON.stringify(rendered.toolSchemas('openai'))).toBe(JSON.stringify(rendered.toolSchemas('openai')));
  });
});

describe('the fingerprint', () => {
  const prompt = (template: string, description = 'Answers.') =>
    renderedOf(
      section('a', {
        template,
        tools: [defineTool({ name: 'ping', description, handler: () => 'pong' })],
      }),
    );

  test('the fingerprint is the same for the same text and tools, in any application', async () => {
    const first = await prompt('One.');
    const second = await prompt('One.');
    expect(first.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(second.fingerprint).toBe(first.fingerprint);
    expect(first.fingerprint).toBe(first.fingerprint);
  });

  test('the fingerprint changes with the text, and with each tool as the model sees it', async () => {
    const all = await Promise.all([prompt('One.'), prompt('Two.'), prompt('One.', 'Answers at once.')]);
    expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(3);
  });
});
