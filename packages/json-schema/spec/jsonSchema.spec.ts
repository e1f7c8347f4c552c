import {
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Section,
  Tool,
} from 'toolwright';
import { jsonSchema } from '@toolwright/json-schema';
import { refusalOf } from '../../../spec/builder/refusalOf.js';

interface Question {
  readonly city: string;
  readonly days?: number;
  readonly unit?: 'c' | 'f';
  readonly mail?: string;
}
interface Weather {
  readonly city: string;
  readonly high: number;
}

const question = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 2 },
    days: { type: 'integer', minimum: 1, default: 3 },
    unit: { enum: ['c', 'f'] },
    mail: { type: 'string', format: 'email' },
  },
  required: ['city'],
  additionalProperties: false,
};
const weather = {
  type: 'object',
  properties: { city: { type: 'string' }, high: { type: 'number' } },
  required: ['city', 'high'],
  additionalProperties: false,
};
const params = jsonSchema<Question>(question);
const result = jsonSchema<Weather>(weather);

async function offered(section: Constructor) {
  const type = definePrompt({ ns: 'n', key: 'k', sections: [section] });
  const app = await createApplication({ prompts: [type] });
  const rendered = await app.prompt(type).render();
  return { rendered, call: (name: string, args: object) => app.invoke(rendered, name, args as never) };
}

@Section({ title: 'Decorated' })
class Decorated {
  @Tool({ description: 'Forecast.', params, result })
  forecast({ city, days }: Question): Weather {
    return { city, high: days ?? -1 };
  }

  @Tool({ description: 'Breaks its promise.', params, result })
  broken({ city }: Question): Weather {
    return { city } as Weather;
  }
}

const Defined = defineSection({
  key: 'defined',
  title: 'Defined',
  tools: [
    defineTool({
      name: 'forecast',
      description: 'Forecast.',
      params,
      result,
      handler: ({ city, days }) => ({ city, high: days ?? -1 }),
    }),
    defineTool({
      name: 'broken',
      description: 'Breaks its promise.',
      params,
      result,
      handler: ({ city }) => ({ city }) as Weather,
    }),
  ],
});

describe.each([
  ['@Tool', Decorated],
  ['defineTool', Defined],
])('DECL-33 params and a result by JSON Schema, with %s', (_how, section) => {
  test('the model gets the schema, and the handler the checked arguments with their defaults', async () => {
    const { rendered, call } = await offered(section);
    expect(rendered.toolSchemas('json-schema')[0]?.parameters).toEqual(question);
    expect(rendered.tool('forecast')?.metadata.returnSchema).toEqual(weather);
    expect(await call('forecast', { city: 'Ulm' })).toMatchObject({
      kind: 'succeeded',
      result: { value: { high: 3 } },
    });
  });

  test.each<[string, object, RegExp]>([
    ['a missing key', {}, /city: is required|city is required/],
    ['an unknown key', { city: 'Ulm', cty: 1 }, /cty.+is not a known key/],
    ['a wrong type', { city: 'Ulm', days: 'two' }, /days.+must be integer/],
    [
      'a value outside of an enum',
      { city: 'Ulm', unit: 'k' },
      /unit.+must be equal to one of the allowed values: c, f/,
    ],
    ['a broken rule', { city: 'U' }, /city.+must NOT have fewer than 2 characters/],
    ['a wrong format', { city: 'Ulm', mail: 'x' }, /mail.+must match format "email"/],
  ])('%s is refused before the handler, with its place', async (_what, args, message) => {
    const { call } = await offered(section);
    const outcome = await call('forecast', args);
    expect(outcome.kind).toBe('rejected');
    expect(outcome.text).toMatch(message);
  });

  test('a result of another shape fails the call', async () => {
    const { call } = await offered(section);
    const outcome = await call('broken', { city: 'Ulm' });
    expect(outcome.kind).toBe('failed');
    expect(outcome.text).toContain('high');
  });
});

describe('DECL-33 a JSON Schema that cannot be used', () => {
  const sectionWith = (options: object): Constructor =>
    defineSection({
      key: 's',
      title: 'S',
      tools: [defineTool({ name: 'go', description: 'T.', handler: () => null, ...options })],
    });

  test.each<[string, object, string, RegExp]>([
    [
      'with a keyword that is not known',
      { params: jsonSchema({ type: 'object', properties: { a: { type: 'string', minLenght: 2 } } }) },
      ...(['E209', /unknown keyword: "minLenght"/] as const),
    ],
    ['of another root', { params: jsonSchema({ type: 'string' }) }, 'E210', /not an object/],
    [
      'with a format that is not known',
      { params: jsonSchema({ type: 'object', properties: { a: { type: 'string', format: 'emial' } } }) },
      ...(['E209', /unknown format "emial"/] as const),
    ],
    ['as a result', { result: jsonSchema({ type: 'objekt' }) }, 'E209', /result/],
    [
      'bare, as params',
      { params: { type: 'object', properties: {} } },
      'E307',
      /neither a class nor a Standard Schema/,
    ],
  ])('DECL-33 a JSON Schema is a finding: %s', async (_what, options, code, problem) => {
    const { findings } = await refusalOf(sectionWith(options));
    expect(findings).toMatchObject([{ code, problem: expect.stringMatching(problem) as unknown }]);
  });

  test('a JSON Schema beside returnSchema is a finding: one of the two would be ignored', async () => {
    const { findings } = await refusalOf(sectionWith({ result, returnSchema: weather }));
    expect(findings).toMatchObject([{ code: 'E112' }]);
  });
});

describe('an enum of a JSON Schema', () => {
  const points = Array.from({ length: 150 }, (_none, id) => ({ id, at: { x: 1, y: [id] } }));
  const check = (members: readonly unknown[], value: unknown) =>
    jsonSchema({ enum: members })['~standard'].validate(value) as {
      readonly issues?: readonly { readonly message: string }[];
    };

  test.each<[unknown, boolean]>([
    ['a', true],
    ['b', false],
    [1, true],
    ['1', false],
    [null, true],
    [undefined, false],
    [{ y: [2], x: 1 }, true],
    [{ x: 1, y: [3] }, false],
    [[1, { b: 2, a: 1 }], true],
    [[{ a: 1, b: 2 }, 1], false],
    ['{"x":1,"y":[2]}', false],
  ])('an enum of a JSON Schema takes its members alone, in any order of keys: %j %p', (value, isMember) => {
    const { issues } = check(['a', 1, null, { x: 1, y: [2] }, [1, { a: 1, b: 2 }]], value);
    expect(issues === undefined).toBe(isMember);
  });

  test('an enum of a JSON Schema names a hundred of its members, and counts the others', () => {
    const message = check(points, {}).issues?.[0]?.message ?? '';
    expect(message).toMatch(/^must be equal to one of the allowed values: \{"id":0,"at":\{"x":1,"y":\[0\]\}\}, /);
    expect(message).toMatch(/\{"id":99,"at":\{"x":1,"y":\[99\]\}\} and 50 more$/);
  });

  test('an enum without members is refused', async () => {
    const params = jsonSchema({ type: 'object', properties: { a: { enum: [] } } });
    const tool = defineTool({ name: 'go', description: 'T.', handler: () => null, params });
    const { findings } = await refusalOf(defineSection({ key: 's', title: 'S', tools: [tool] }));
    expect(findings).toMatchObject([{ code: 'E209', problem: expect.stringContaining('enum') as unknown }]);
  });
});

describe('formats of a JSON Schema', () => {
  test.each<[string, string, boolean]>([
    ['byte', 'YWI=', true],
    ['byte', 'YWJj', true],
    ['byte', '', true],
    ['byte', 'YWI', false],
    ['byte', 'Y?I=', false],
    ['regex', '^(?:a|b)+$', true],
    ['regex', '(', false],
    ['regex', 'a'.repeat(10_001), false],
  ])('the format %s accepts %.20s: %p', async (format, text, isValid) => {
    const { issues } = await jsonSchema({ type: 'string', format })['~standard'].validate(text);
    expect(issues === undefined).toBe(isValid);
  });
});
