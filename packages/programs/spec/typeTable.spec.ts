import { type Constructor, defineTool, Field, Param, type ParamOptions } from 'toolwright';
import { Toolkit } from '@toolwright/programs';
import { engineOfFile, PATIENCE_MS } from './kit';

jest.setTimeout(PATIENCE_MS);
const sandbox = engineOfFile();

class Point {
  @Field('x') x!: number;
  @Field({ description: 'y', optional: true, type: Number }) y?: number;
}

class Tree {
  @Field('Name') name!: string;
  @Field({ description: 'Below', type: () => [Tree] }) children!: readonly Tree[];
}

/** One row of the contract's table of types. */
interface Row {
  readonly what: string;
  readonly options: ParamOptions;
  /** The schema of the parameter, without its description. */
  readonly schema: object;
  /** The declared type, as it follows the name. */
  readonly declared: string;
  /** Values that are right, and one that is not. */
  readonly right: readonly unknown[];
  readonly wrong: unknown;
}

const point = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } } };
const rows: readonly Row[] = [
  {
    what: 'string',
    options: { type: String },
    schema: { type: 'string' },
    declared: ': string;',
    right: ['', 'ä😀\u2028'],
    wrong: 1,
  },
  {
    what: 'number',
    options: { type: Number },
    schema: { type: 'number' },
    declared: ': number;',
    right: [0, -1.5, 1e21],
    wrong: '1',
  },
  {
    what: 'boolean',
    options: { type: Boolean },
    schema: { type: 'boolean' },
    declared: ': boolean;',
    right: [true, false],
    wrong: 'true',
  },
  {
    what: 'integer',
    options: { type: 'integer' },
    schema: { type: 'integer' },
    declared: ': number;',
    right: [3],
    wrong: 1.5,
  },
  {
    what: 'array',
    options: { type: [String] },
    schema: { type: 'array', items: { type: 'string' } },
    declared: ': string[];',
    right: [[], ['a']],
    wrong: 'a',
  },
  {
    ...{ what: 'record', options: { record: Number }, declared: ': Record<string, number>;' },
    schema: { type: 'object', additionalProperties: { type: 'number' } },
    ...{ right: [{}, { a: 1, toString: 2 }], wrong: { a: 'x' } },
  },
  {
    what: 'optional',
    options: { type: String, optional: true },
    schema: { type: 'string' },
    declared: '?: string;',
    right: ['a', undefined],
    wrong: 1,
  },
  {
    ...{ what: 'nullable', options: { type: String, nullable: true }, declared: ': string | null;' },
    // The short form of anyOf with null.
    schema: { type: ['string', 'null'] },
    right: ['a', null],
    wrong: 1,
  },
  {
    ...{ what: 'union', options: { oneOf: [String, Number] }, declared: ': string | number;' },
    schema: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    right: ['a', 1],
    wrong: true,
  },
  {
    what: 'enum',
    options: { enum: ['a', 'b'] },
    schema: { enum: ['a', 'b'] },
    declared: ": 'a' | 'b';",
    right: ['a', 'b'],
    wrong: 'c',
  },
  {
    ...{ what: 'tuple', options: { type: { tuple: [String, Number] } }, declared: ': [string, number];' },
    schema: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
    right: [['a', 1]],
    wrong: ['a'],
  },
  {
    ...{
      what: 'Date',
      options: { type: Date },
      schema: { type: 'string', format: 'date-time' },
      declared: ': string;',
    },
    right: ['2026-11-22T08:00:00.000Z'],
    wrong: 'yesterday',
  },
  {
    what: 'nested class',
    options: { type: () => Point },
    schema: point,
    declared: ': Point;',
    right: [{ x: 1 }, { x: 1, y: 2 }],
    wrong: { y: 1 },
  },
  {
    ...{
      what: 'recursive class',
      options: { type: () => Tree },
      schema: { $ref: '#/$defs/Tree' },
      declared: ': Tree;',
    },
    ...{
      right: [{ name: 'a', children: [{ name: 'b', children: [] }] }],
      wrong: { name: 'a', children: [{ name: 1, children: [] }] },
    },
  },
];

/** A tool that returns its only parameter. */
function echoOf(options: ParamOptions): Constructor {
  class Given {
    value!: unknown;
  }
  Param({ description: 'What to give back', ...options })(Given.prototype, 'value');
  return defineTool({
    name: 'echo',
    description: 'Echoes.',
    params: Given,
    hints: { readOnly: true },
    handler: ({ value }) => ({ value }),
  });
}

describe('the table of types', () => {
  test.each(rows.map((row) => [row.what, row] as const))(
    'a type of the table is declared and checked: %s',
    async (_what, { options, schema, declared, right, wrong }) => {
      const kit = await Toolkit.from([echoOf(options)], { sandbox, check: 'syntax' });
      const { parameters, signature } = kit.get('echo');
      const { value } = parameters['properties'] as { readonly value: object };
      expect(value).toMatchObject(schema);
      expect(signature).toContain(`  value${declared}`);
      for (const each of right) {
        const code = `return await echo({ value: ${each === undefined ? 'undefined' : JSON.stringify(each)} });`;
        const result = await kit.execute(code);
        expect(result.error).toBeNull();
        expect(result.returnValue).toEqual(each === undefined ? {} : { value: each });
        expect(result.toolCalls[0]?.args).toEqual(each === undefined ? {} : { value: each });
      }
      const refused = await kit.execute(`await echo({ value: ${JSON.stringify(wrong)} })`);
      expect(refused.error).toMatchObject({ kind: 'type', name: 'ToolError' });
    },
  );

  test('each named type is declared once', async () => {
    const signature = (await Toolkit.from([echoOf({ type: () => Tree })], { sandbox })).get('echo').signature;
    expect(signature.match(/interface Tree \{/g)).toHaveLength(1);
  });
});
