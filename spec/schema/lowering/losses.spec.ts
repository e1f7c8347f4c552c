import {
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  type RenderedPrompt,
} from 'toolwright';
import fc from 'fast-check';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { lowerSchema } from '../../../src/schema/lowering/lowerSchema';
import { findReferenced } from '../../../src/schema/standard/schemaTree';
import { shapeOf } from '../reading';
import { anyClass } from './classes';

class Reply {
  @Param({ description: 'The reply', maxLength: 200 }) text!: string;
  @Param({ description: 'Unit', enum: ['C', 'F'] }) unit = 'C';
}
class Counts {
  @Param({ description: 'Counts', record: Number }) counts!: Record<string, number>;
}

async function rendered(): Promise<RenderedPrompt> {
  const tools = ([Reply, Counts] as readonly Constructor[]).map((params) =>
    defineTool({ name: params.name.toLowerCase(), description: 'Does it.', params, handler: () => 'done' }),
  );
  const type = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools })] });
  return (await createApplication({ prompts: [type] })).prompt(type).render();
}

describe('the report of a rendering', () => {
  test('the report of a rendering says for each tool what the dialect could not say, and what became of it', async () => {
    const [reply, counts] = (await rendered()).toolSchemas('openai', { strict: true });
    expect(reply).toMatchObject({
      name: 'reply',
      strict: true,
      parameters: {
        properties: {
          text: { description: 'The reply (at most 200 characters)' },
          unit: { description: 'Unit (default: C)' },
        },
      },
    });
    expect(reply?.losses).toEqual([
      { path: '/properties/text', keyword: 'maxLength', value: 200, became: 'description' },
      { path: '/properties/unit', keyword: 'default', value: 'C', became: 'description' },
    ]);
    expect(counts).toMatchObject({ name: 'counts', strict: false });
    expect(counts?.losses).toEqual([
      {
        path: '/properties/counts',
        keyword: 'additionalProperties',
        value: { type: 'number' },
        became: 'plain',
      },
    ]);
  });

  test('the report of a lowered schema is empty where nothing is lost', async () => {
    const prompt = await rendered();
    for (const target of ['json-schema', 'mcp', 'openai', 'anthropic'] as const) {
      expect(prompt.toolSchemas(target).map(({ losses }) => losses)).toEqual([[], []]);
    }
  });

  test('the report of a lowered schema is frozen with it, and the same object each time', async () => {
    const prompt = await rendered();
    const [first] = prompt.toolSchemas('gemini');
    expect(prompt.toolSchemas('gemini')[0]).toBe(first);
    const parts = [first, first?.losses, first?.losses[0], first?.parameters, first?.parameters['properties']];
    expect(parts.map((part) => Object.isFrozen(part))).toEqual([true, true, true, true, true]);
  });

  test('the report of a lowered schema has the same bytes for the same classes, in any application', async () => {
    const [one, other] = [await rendered(), await rendered()];
    for (const target of ['openai', 'anthropic', 'gemini'] as const) {
      const options = { strict: true };
      expect(JSON.stringify(one.toolSchemas(target, options))).toBe(JSON.stringify(other.toolSchemas(target, options)));
    }
  });
});

describe.each([
  ['openai', true],
  ['anthropic', true],
  ['gemini', false],
] as const)('the report for %s', (target, strict) => {
  test('the report names places of the class’s own schema, with their values', () => {
    fc.assert(
      fc.property(anyClass, (type) => {
        const source = writeClassSchema(shapeOf(type));
        for (const { path, keyword, value } of lowerSchema(source, target, { strict }).losses) {
          const place = findReferenced(source, `#${path}`);
          expect([path, place === undefined]).toEqual([path, false]);
          if (['optional', 'required', 'type'].includes(keyword)) continue;
          expect(place?.[keyword]).toEqual(value);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('the report says every place once', () => {
    fc.assert(
      fc.property(anyClass, (type) => {
        const { losses } = lowerSchema(writeClassSchema(shapeOf(type)), target, { strict });
        const places = losses.map(({ path, keyword }) => `${path} ${keyword}`);
        expect(new Set(places).size).toBe(places.length);
      }),
      { numRuns: 100 },
    );
  });

  test('the report and the schema are the same bytes twice, and the given schema is not changed', () => {
    fc.assert(
      fc.property(anyClass, (type) => {
        const source = writeClassSchema(shapeOf(type));
        const before = JSON.stringify(source);
        const first = JSON.stringify(lowerSchema(source, target, { strict }));
        expect(JSON.stringify(lowerSchema(structuredClone(source), target, { strict }))).toBe(first);
        expect(JSON.stringify(source)).toBe(before);
      }),
      { numRuns: 100 },
    );
  });
});
