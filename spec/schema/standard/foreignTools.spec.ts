import { toStandardJsonSchema } from '@valibot/to-json-schema';
import type * as Arktype from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Section,
  Tool,
  ToolResult,
  type Constructor,
  ToolContext,
  type ToolDefinition,
} from 'toolwright';
import { RejectedToolParams, ToolInvoked } from 'toolwright/events';
import { toStandardSchema } from 'toolwright/schema';
import { invokeOn } from '../../builder/invokeOn';
import { refusalOf } from '../../builder/refusalOf';
import { toolsOf } from '../../builder/toolsOf';
import { esmPackage } from './esmPackage';

const { type } = esmPackage('arktype') as typeof Arktype;

const withZod = z.strictObject({
  city: z.string().describe('City and state'),
  days: z.int().min(1).max(14).default(1),
  tags: z.array(z.string()).optional(),
});
const withValibot = toStandardJsonSchema(
  v.strictObject({
    city: v.pipe(v.string(), v.description('City and state')),
    days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(14)), 1),
    tags: v.optional(v.array(v.string())),
  }),
);
const withArktype = type({
  city: type('string').describe('City and state', 'self'),
  days: '1 <= number.integer <= 14 = 1',
  'tags?': 'string[]',
  '+': 'reject',
});
class WeatherParams {
  @Param('City and state') city!: string;
  @Param({ description: 'Days', integer: true, min: 1, max: 14 }) days = 1;
  @Param({ type: [String], optional: true }) tags?: readonly string[];
}

const options = { name: 'weather', description: 'Weather of a city.' } as const;

interface Weather {
  readonly city: string;
  readonly days: number;
  readonly tags?: readonly string[] | undefined;
}
const told = ({ city, days, tags = [] }: Weather): ToolResult<string> =>
  ToolResult.ok(`${city} for ${days.toFixed()}: ${tags.join('+')}`, 'Told.');

const tools: Readonly<Record<string, Constructor>> = {
  zod: defineTool({ ...options, params: withZod, handler: told }),
  valibot: defineTool({ ...options, params: withValibot, handler: told }),
  arktype: defineTool({ ...options, params: withArktype, handler: told }),
  class: defineTool({ ...options, params: WeatherParams, handler: told }),
  'toStandardSchema(class)': defineTool({ ...options, params: toStandardSchema(WeatherParams), handler: told }),
};
const sections = Object.entries(tools).map(
  ([name, tool]) => [name, defineSection({ key: 'weather', title: 'Weather', tools: [tool] })] as const,
);

/** The issues in the text for the model. */
const placesIn = (text: string): readonly string[] => [...text.matchAll(/^- (.+?): /gm)].map(([, place]) => place!);

describe.each(sections)('a tool with params of %s', (name, section) => {
  test.each<[string, Parameters<typeof invokeOn>[2], string]>([
    ['all fields', { city: 'Ulm', days: 3, tags: ['wind', 'rain'] }, 'Ulm for 3: wind+rain'],
    ['a default', { city: 'Ulm' }, 'Ulm for 1: '],
    ['a text', '{"city":"Ulm","days":2}', 'Ulm for 2: '],
    ['null for what is optional', { city: 'Ulm', days: null, tags: null }, 'Ulm for 1: '],
  ])('a tool with params of another library is called with %s', async (_case, args, text) => {
    expect(await invokeOn(section, 'weather', args)).toMatchObject({ kind: 'succeeded', text: `Told.\n\n${text}` });
  });

  test.each<[string, Parameters<typeof invokeOn>[2], readonly string[]]>([
    ['nothing', '', ['city']],
    ['null', null, ['city']],
    ['a wrong type', { city: 5 }, ['city']],
    ['null for what is required', { city: null }, ['city']],
    ['a value out of bounds', { city: 'Ulm', days: 15 }, ['days']],
    ['a fraction', { city: 'Ulm', days: 1.5 }, ['days']],
    ['a wrong item', { city: 'Ulm', tags: ['a', 5] }, ['tags[1]']],
    ['several', { days: 0, tags: [1, 'a', 2], place: 'Ulm' }, ['city', 'place', 'tags[0]', 'tags[2]', 'days']],
    ['no object', '[1]', ['arguments']],
    ['a text instead of an object', '"Ulm"', ['arguments']],
    ['malformed JSON', '{"city":', ['arguments']],
    ['too much', JSON.stringify({ city: 'x'.repeat(1_048_577) }), ['arguments']],
    ['too deep a value', `{"city":${'['.repeat(70)}${']'.repeat(70)}}`, ['arguments']],
  ])('the tool refuses the arguments %s', async (_case, args, places) => {
    const { kind, text, result } = await invokeOn(section, 'weather', args);
    expect([kind, result.success]).toEqual(['rejected', false]);
    expect(placesIn(text)).toEqual(places);
    expect(text).toMatch(/^The arguments of weather were not accepted:\n/);
    expect(text.length).toBeLessThanOrEqual(1_000);
  });

  const twice = (value: object): string => JSON.stringify(JSON.stringify(value));
  test.each<[string, Parameters<typeof invokeOn>[2], Parameters<typeof invokeOn>[2]]>([
    ['a number as text', { city: 'Ulm', days: '3' }, { city: 'Ulm', days: '3', place: 'Ulm' }],
    ['a single value', { city: 'Ulm', tags: 'wind' }, { city: 'Ulm', tags: 'wind', place: null }],
    ['a fence', '```json\n{"city":"Ulm"}\n```', '```json\n{"city":"Ulm","place":"Ulm"}\n```'],
    ['a comma', '{"city":"Ulm",}', '{"city":"Ulm","place":"Ulm",}'],
    ['two encodings', twice({ city: 'Ulm' }), twice({ city: 'Ulm', place: 'Ulm' })],
  ])('CALL-08 a strict schema refuses an extra key beside %s that can be repaired', async (_case, right, extra) => {
    expect(await invokeOn(section, 'weather', right, { repair: 'on' })).toMatchObject({ kind: 'succeeded' });
    expect(await invokeOn(section, 'weather', extra, { repair: 'on' })).toMatchObject({ kind: 'rejected' });
  });

  test('a key named __proto__ is refused and changes nothing', async () => {
    const { kind, text } = await invokeOn(section, 'weather', '{"city":"Ulm","__proto__":{"polluted":true}}');
    expect([kind, placesIn(text)]).toEqual(['rejected', ['__proto__']]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('an unknown key is reported with a suggestion', async () => {
    const { text } = await invokeOn(section, 'weather', { city: 'Ulm', day: 3 });
    expect(text).toContain('- day: is not a known key. Did you mean "days"?');
  });

  test('a tool with params of another library is advertised by a schema of the same meaning, frozen, without the name of its draft', async () => {
    const [tool] = await toolsOf(section);
    const { schema } = tool!;
    expect(schema).toMatchObject({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'City and state' },
        // arktype writes no defaults into what it takes.
        days: { type: 'integer', minimum: 1, maximum: 14, ...(name === 'arktype' ? {} : { default: 1 }) },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['city'],
      additionalProperties: false,
    });
    expect(schema).not.toHaveProperty('$schema');
    expect(Object.isFrozen(schema['properties'])).toBe(true);
    const [strict] = [tool!.schemaFor('openai', { strict: true })];
    expect(strict).toMatchObject({ strict: true, parameters: { required: ['city', 'days', 'tags'] } });
  });
});

describe('params of another library', () => {
  test('the handler is typed by the output of the schema', () => {
    defineTool({ ...options, params: withZod, handler: ({ city, days }) => city.repeat(days) });
    defineTool({ ...options, params: withValibot, handler: ({ city, days }) => city.repeat(days) });
    defineTool({ ...options, params: withArktype, handler: ({ city, days }) => city.repeat(days) });
    defineTool({ ...options, params: toStandardSchema(WeatherParams), handler: ({ city, days }) => city.repeat(days) });
    defineTool({ ...options, params: () => WeatherParams, handler: ({ city, days }) => city.repeat(days) });
    const parsed = z.object({ at: z.string().transform((text) => new URL(text)) });
    defineTool({ ...options, params: parsed, handler: ({ at }, { signal }) => `${at.host} ${String(signal.aborted)}` });
    const wrong = ({ city }: { readonly city: number }): number => city;
    // @ts-expect-error -- city is a text
    defineTool({ ...options, params: withZod, handler: wrong });
    // @ts-expect-error -- city is a text
    defineTool({ ...options, params: withValibot, handler: wrong });
    // @ts-expect-error -- city is a text
    defineTool({ ...options, params: withArktype, handler: wrong });
    // @ts-expect-error -- city is a text
    defineTool({ ...options, params: toStandardSchema(WeatherParams), handler: wrong });
    // @ts-expect-error -- valibot's own schemas give no JSON Schema
    expect(() => defineTool({ ...options, params: v.object({}), handler: () => 'x' })).not.toThrow();
    const definition: ToolDefinition<{ readonly a: string }, undefined> = {
      ...options,
      params: z.object({ a: z.string() }),
      handler: ({ a }) => a,
    };
    expect(typeof defineTool(definition)).toBe('function');
  });

  test('the handler receives the output of the schema, and the event too', async () => {
    const params = z.object({ at: z.string().transform((text) => new Date(text)), loose: z.string().optional() });
    const got: unknown[] = [];
    const tool = defineTool({ ...options, params, handler: (given) => got.push(given) });
    const desk = definePrompt({
      ns: 'n',
      key: 'k',
      sections: [defineSection({ key: 'a', title: 'A', tools: [tool] })],
    });
    const app = await createApplication({ prompts: [desk] });
    const events: unknown[] = [];
    app.eventBus.subscribe(ToolInvoked, ({ params: seen }) => void events.push(seen));
    const rendered = await app.prompt(desk).render();
    await app.invoke(rendered, 'weather', { at: '2030-01-01T00:00:00Z', more: 1 });
    await app.invoke(rendered, 'weather', { at: 5 });
    expect(got).toEqual([{ at: new Date('2030-01-01T00:00:00Z') }]);
    expect(events).toEqual([got[0], new RejectedToolParams({ at: 5 })]);
  });

  test('coerce and fieldNames of the application do not affect foreign params', async () => {
    const tool = defineTool({ ...options, params: z.object({ dayCount: z.number() }), handler: () => 'x' });
    const desk = definePrompt({
      ns: 'n',
      key: 'k',
      sections: [defineSection({ key: 'a', title: 'A', tools: [tool] })],
    });
    const app = await createApplication({ prompts: [desk], coerce: true, fieldNames: 'snake_case' });
    const rendered = await app.prompt(desk).render();
    expect(rendered.tools[0]?.schema).toMatchObject({ properties: { dayCount: { type: 'number' } } });
    expect((await app.invoke(rendered, 'weather', { dayCount: '5' })).kind).toBe('rejected');
    expect((await app.invoke(rendered, 'weather', { dayCount: 5 })).kind).toBe('succeeded');
  });

  test('the handler cannot change what the caller holds', async () => {
    const params = type({ tags: 'string[]' });
    const tool = defineTool({ ...options, params, handler: ({ tags }) => tags.push('more') });
    const args = { tags: ['a'] };
    expect((await invokeOn(defineSection({ key: 'a', title: 'A', tools: [tool] }), 'weather', args)).kind).toBe(
      'succeeded',
    );
    expect(args).toEqual({ tags: ['a'] });
  });

  test('@Tool takes them too, on methods and classes', async () => {
    const params = z.object({ city: z.string() });
    type Params = z.infer<typeof params>;
    @Tool({ name: 'by_class', description: 'Weather.', params })
    class ByClass {
      handle({ city }: Params, { call }: ToolContext) {
        return `${call.name} ${city}`;
      }
    }
    @Section({ title: 'Weather', tools: [ByClass] })
    class WeatherSection {
      @Tool({ description: 'Weather.', params }) byMethod({ city }: Params, { call }: ToolContext) {
        return `${call.name} ${city}`;
      }
      // @ts-expect-error -- the handler wants another type
      @Tool({ description: 'Weather.', params }) wrong({ city }: { readonly city: number }) {
        return city;
      }
    }
    expect((await invokeOn(WeatherSection, 'by_method', { city: 'Ulm' })).text).toBe('by_method Ulm');
    expect((await invokeOn(WeatherSection, 'by_class', { city: 'Ulm' })).text).toBe('by_class Ulm');
    expect((await invokeOn(WeatherSection, 'by_method', { city: 5 })).kind).toBe('rejected');
  });

  test('a handler with @Param scalars has its params already: E105', async () => {
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool({ description: 'Weather.', params: withZod }) one(@Param('city', 'City') city: string) {
        return city;
      }
    }
    expect(await refusalOf(WeatherSection)).toMatchObject({ code: 'E105', place: 'WeatherSection.one' });
  });

  test('examples are checked by it', async () => {
    const sectionWith = (input: unknown): Constructor =>
      defineSection({
        key: 'a',
        title: 'A',
        tools: [
          defineTool({
            ...options,
            params: withZod,
            examples: [{ description: 'One.', input, output: null }],
            handler: told,
          }),
        ],
      });
    expect((await toolsOf(sectionWith({ city: 'Ulm' })))[0]?.examples).toHaveLength(1);
    for (const input of [null, {}, { city: 5 }, 'Ulm'])
      expect(await refusalOf(sectionWith(input))).toMatchObject({ code: 'E109', toolName: 'weather' });
  });

  test('one schema can serve several tools', async () => {
    const twice = ['a', 'b'].map((name) => defineTool({ ...options, name, params: withArktype, handler: told }));
    const [a, b] = await toolsOf(defineSection({ key: 'a', title: 'A', tools: twice }));
    expect(a?.schema).toEqual(b?.schema);
  });
});
