import 'reflect-metadata';
import * as fc from 'fast-check';
import { createApplication, definePrompt } from 'toolwright';
import { type McpConnection, mcpSection } from '@toolwright/mcp';
import { programs } from '@toolwright/programs';
import { silent } from '../../../../spec/support/silent';

jest.setTimeout(120_000);

/** A server that says what it is given, whatever that is. */
function saying(answers: (method: string) => unknown): McpConnection {
  return {
    getServerCapabilities: () => ({ tools: {}, resources: {} }),
    request: ({ method }) => Promise.resolve(answers(method) as Record<string, unknown>),
  };
}

const anything = fc.jsonValue({ maxDepth: 4 });
const schema = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    anything,
    fc.record(
      {
        type: fc.constantFrom('object', 'string', 'integer', 'strange'),
        properties: fc.dictionary(fc.string({ maxLength: 5 }), tie('schema'), { maxKeys: 3 }),
        required: fc.oneof(anything, fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 })),
        anyOf: fc.array(tie('schema'), { maxLength: 3 }),
        items: tie('schema'),
        $ref: fc.constantFrom('#', '#/properties/a', '#/$defs/a', 'http://127.0.0.1:9/x'),
        $defs: fc.record({ a: tie('schema'), b: tie('schema') }, { requiredKeys: [] }),
        pattern: fc.string(),
        format: fc.string(),
        $id: fc.string(),
        description: fc.string({ unit: 'binary' }),
        default: anything,
      },
      { requiredKeys: [] },
    ),
  ),
})).schema;
/** As `fc.webUrl()`, whose escapes make a table of all code points first. */
const escape = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).map((unit) => {
  const escaped = encodeURIComponent(unit);
  return escaped === unit ? `%${unit.charCodeAt(0).toString(16)}` : escaped;
});
const plain = fc.constantFrom(
  ...Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@"),
);
const segment = fc.string({ unit: fc.oneof({ weight: 10, arbitrary: plain }, { weight: 1, arbitrary: escape }) });
const webUrl = fc
  .tuple(fc.constantFrom('http', 'https'), fc.webAuthority(), fc.array(segment))
  .map(([scheme, authority, segments]) => [`${scheme}://${authority}`, ...segments].join('/'));
const entry = fc.oneof(
  { weight: 1, arbitrary: anything },
  {
    weight: 9,
    arbitrary: fc.record(
      {
        name: fc.oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.constantFrom('q', 'Map', 'open_sections')),
        uri: fc.oneof(anything, webUrl),
        uriTemplate: fc.oneof(anything, fc.string({ unit: fc.constantFrom('{', '}', 'a', '?', ',', '*', '/') })),
        description: fc.oneof(anything, fc.string({ unit: 'binary' })),
        inputSchema: fc.oneof(
          schema,
          schema.map((properties) => ({ type: 'object', properties: { properties } })),
        ),
        outputSchema: schema,
        annotations: anything,
        execution: anything,
      },
      { requiredKeys: ['name'] },
    ),
  },
);

describe('a server that says anything', () => {
  test('any server is bridged into a prompt that starts and renders, with programs', async () => {
    const list = fc.array(entry, { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(list, list, list, async (tools, resources, resourceTemplates) => {
        const connection = saying(() => ({ tools, resources, resourceTemplates }));
        const remote = await mcpSection(connection, { key: 'remote', title: 'Remote', logger: silent });
        const prompt = definePrompt({ ns: 'spec', key: 'any', sections: [remote], extensions: [programs()] });
        const app = await createApplication({ prompts: [prompt], logger: silent });
        const rendered = await app.prompt(prompt).render();
        for (const target of ['openai', 'anthropic', 'gemini', 'mcp'] as const) rendered.toolSchemas(target);
        await app.close();
      }),
      { numRuns: 60 },
    );
  });

  test('a server that answers anything leads to results or failures, and nothing else propagates from a call', async () => {
    let answer: unknown;
    const listed = { tools: [{ name: 'q' }], resources: [{ name: 'c', uri: 'x://c' }], resourceTemplates: [] };
    const connection = saying((method) => (method.endsWith('/list') ? listed : answer));
    const remote = await mcpSection(connection, { key: 'remote', title: 'Remote', logger: silent });
    const prompt = definePrompt({ ns: 'spec', key: 'answers', sections: [remote] });
    const app = await createApplication({ prompts: [prompt], logger: silent });
    const rendered = await app.prompt(prompt).render();
    const part = fc.record(
      {
        type: fc.oneof(anything, fc.constantFrom('text', 'image', 'resource', 'resource_link')),
        text: fc.oneof(anything, fc.string({ unit: 'binary' }), fc.json()),
        data: anything,
        resource: anything,
        mimeType: anything,
        uri: anything,
        blob: anything,
      },
      { requiredKeys: [] },
    );
    const parts = fc.oneof(anything, fc.array(fc.oneof(part, anything), { maxLength: 4 }));
    const result = fc.record(
      { content: parts, contents: parts, structuredContent: anything, isError: fc.oneof(fc.boolean(), anything) },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(result, anything), async (given) => {
        answer = given;
        for (const name of ['q', 'read_c']) {
          const outcome = await app.invoke(rendered, name, {});
          expect(['succeeded', 'failed']).toContain(outcome.kind);
          expect(typeof outcome.text).toBe('string');
        }
      }),
      { numRuns: 300 },
    );
    await app.close();
  });
});
